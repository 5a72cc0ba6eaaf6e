"""`python -m station` is `loto`."""

from station.base.addresses import hold_environment
from station.commands.app import main

# The drills' processes import this file again, under another name.
if __name__ == "__main__":
    hold_environment()
    main()
