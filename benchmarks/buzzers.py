"""How fast and how true a press of a buzzer comes: python -m benchmarks.buzzers

A simulated box presses over a pseudo-terminal, as the kernel's serial lines are; the real driver
reads. Nothing else of the station runs. Printed: the time from the box's last byte to the event, by
how much the time between two presses is told wrong, and what the decoder takes of a core. An
adapter that keeps bytes back makes two presses one by the arrival of their bytes alone.
"""

from __future__ import annotations

import os
import platform
import queue
import statistics
import tempfile
import time
from pathlib import Path

from drivers import Buzzed
from drivers.pins.buzzers import BoxDecoder, BoxState, BuzzerBox, encode
from drivers.simulated.buzzers import BEAT_S
from drivers.simulated.lines import PseudoTerminal

PRESSES = 400
APART_US = 500
KEPT_BACK_S = 0.016  # the timer of a common USB adapter
FRAMES = 200_000


class Box(PseudoTerminal):
    """A box that says what it is told, when it is told."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "box")
        self._connect()
        self._count = 0

    def frame(self, lines: int) -> bytes:
        """The next frame, of now."""
        self._count = (self._count + 1) % 256
        return encode(BoxState(self._count, round(time.monotonic() * 1e6) % (1 << 32), lines))


def percentile(values: list[float], share: float) -> float:
    """The value below which that share of them lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def told(name: str, seconds: list[float]) -> None:
    """One line of the table, in milliseconds."""
    median, high, most = statistics.median(seconds), percentile(seconds, 0.95), max(seconds)
    print(
        f"{name:62} median {1000 * median:7.3f} ms   95 % {1000 * high:7.3f} ms   most"
        f" {1000 * most:7.3f} ms"
    )


def spin(until: float) -> None:
    """Waits for a moment more truly than a sleep does."""
    while time.monotonic() < until:
        pass


def presses(
    box: Box, events: queue.Queue[Buzzed], kept_back_s: float
) -> tuple[list[float], list[float]]:
    """Pairs of presses: how long after its last byte the second was told, and the error of the
    gap."""
    delays, errors = [], []
    for _ in range(PRESSES):
        for lines in (0, 0):  # as long as it takes the driver to forget the pair before
            spin(time.monotonic() + BEAT_S / 2)
            box.send(box.frame(lines))
        first_at, first = time.monotonic(), box.frame(0b01)
        if not kept_back_s:
            box.send(first)
        spin(first_at + APART_US / 1e6)
        second_at, second = time.monotonic(), box.frame(0b11)
        spin(first_at + kept_back_s)
        box.send(first + second if kept_back_s else second)
        sent = time.monotonic()
        found = [events.get(timeout=5), events.get(timeout=5)]
        delays.append(time.monotonic() - sent)
        errors.append(abs(found[1].at - found[0].at - (second_at - first_at)))
    return delays, errors


def main() -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as folder:
        box, events = Box(Path(folder)), queue.Queue[Buzzed]()
        driver = BuzzerBox(port=box.port)
        driver.open(lambda event: events.put(event) if isinstance(event, Buzzed) else None)
        time.sleep(0.3)
        box.send(box.frame(0))
        for what, kept in (
            ("at once", 0.0),
            (f"kept back {1000 * KEPT_BACK_S:.0f} ms by an adapter", KEPT_BACK_S),
        ):
            delays, errors = presses(box, events, kept)
            print(f"{PRESSES} pairs of presses, {APART_US} µs apart, their bytes {what}:")
            told("  from the last byte to the event", delays)
            told("  the gap between them is told wrong by", errors)
        driver.close()
        box.unplug()
    frames = [encode(BoxState(n % 256, n * 100, n % (1 << 24))) for n in range(1000)]
    data = b"".join(frames)
    began = time.process_time()
    decoder = BoxDecoder()
    for _ in range(FRAMES // 1000):
        decoder.feed(data)
    each = (time.process_time() - began) / FRAMES
    print(
        f"decoder: {1e6 * each:.1f} µs a frame; of a box at rest {1 / BEAT_S:.0f} a second,"
        f" {100 * each / BEAT_S:.4f} % of a core"
    )
    print(f"on {platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
