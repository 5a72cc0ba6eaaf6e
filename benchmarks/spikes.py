"""Whether spikes on a button's wire call numbers: python -m benchmarks.spikes

The real driver over gpiozero's real lgpio backend, on a wire and in a time that are only reckoned
(`tests.drivers.spikes`). Printed: how many of so many spikes were taken for a press, and how many
of a tenth as many presses were not taken, or not at their first edge, or more than once.
"""

from __future__ import annotations

import logging
import sys
from random import Random

from tests.drivers.spikes import Wire, presses, spikes

MANY = 1_000_000


def main() -> None:
    """Tries as many as were asked for, or a million."""
    many = int(sys.argv[1]) if sys.argv[1:] else MANY
    logging.disable(logging.WARNING)  # the driver counts spikes there
    wire = Wire(Random(1))
    print(f"{many} spikes of 1 to 900 µs: {spikes(Random(2), many, wire)} taken")
    wire.close()
    wire = Wire(Random(3))
    print(f"{many // 10} presses of 2 ms and more: {presses(Random(4), many // 10, wire)} missed")
    wire.close()


if __name__ == "__main__":
    main()
