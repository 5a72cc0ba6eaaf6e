"""`python -m station` is `loto`."""

from station.cli import main

main()
