"""From the press of the button to the record on disk, the sound, the light: measured on the real
core over simulated buses.

    .venv/bin/python benchmarks/latency.py [--presses 360]

The parts of one press, each from the press itself:
  delivered   the pin's edge has become an event in the driver
  durable     the line is written, fdatasync has returned, the new state is adopted
  sounding    play() has returned in the voice's process
  to sound    from durable to sounding: what H15 allows 50 ms for, one buffer included
  lit         the picture is on the matrix's bus (simulated: the bytes are handed over at once)
Not in these: the first sample leaves the mixer one buffer later (512 samples at 22,050 Hz: 23 ms),
and a real matrix takes the wire time of the bytes, at 1 MHz.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import platform
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from drivers import BoardShown, Event, Pressed, SoundEnded, SoundStarted
from station.core.daemon import Core
from station.night.hall import Draw
from station.programme.check import load_programme
from station.record.session import Change
from station.settings.config import load_settings
from station.simulation.server import Simulation
from station.wire.wire import SOCKET, Client

KNOBS = 90
BUFFER_MS = 512 / 22050 * 1000
SPI_HZ = 1_000_000
PARTS = ("delivered", "durable", "sounding", "lit", "all three", "to sound")
GOAL_MEDIAN_MS, GOAL_P99_MS = 5.0, 40.0
GOAL_SOUND_MS = 50.0  # from the durable record to the first sample that leaves the mixer


class Station:
    """The core in a thread of its own, and what it did, as it happens."""

    def __init__(self, folder: Path, games: int) -> None:
        self.seen: queue.Queue[tuple[float, Event | Change]] = queue.Queue()
        self.simulation: Simulation | None = None
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        sound = {
            "SDL_AUDIODRIVER": "disk",
            "SDL_DISKAUDIOFILE": str(folder / "played.raw"),
            "SDL_DISKAUDIODELAY": "1",
        }
        settings = load_settings("simulated", over={"devices": {"speech": {"audio": sound}}})
        programme = load_programme(settings.game.programme).repeated(games)
        self.core = Core(
            settings,
            folder / "state",
            folder / "run",
            programme=programme,
            seen=lambda what: self.seen.put((time.monotonic(), what)),
            simulate=self._simulate,
        )
        self.run(self.core.open())
        self.client = self.run(Client.open(folder / "run" / SOCKET, "admin"))

    def _simulate(self, run, devices):
        self.simulation = Simulation(run, devices)
        return self.simulation

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def do(self, act: str) -> None:
        answer = self.run(self.client.do(act, sure=True))
        if "refused" in answer:
            raise RuntimeError(f"{act}: {answer['refused']['say']}")

    def close(self) -> None:
        self.run(self.client.close())
        self.run(self.core.close())
        self.loop.call_soon_threadsafe(self.loop.stop)

    def until_quiet(self, started: set[int]) -> None:
        """Waits until all that was begun has been heard."""
        while started:
            _, what = self.seen.get(timeout=60)
            if isinstance(what, SoundStarted):
                started.add(what.token)
            elif isinstance(what, SoundEnded):
                started.discard(what.token)

    def press(self) -> dict[str, float]:
        """One press of the draw button; seconds to each part."""
        assert self.simulation is not None
        pin = self.simulation.buttons["draw"]
        began = time.monotonic()
        self.simulation.pins.press(pin)
        parts: dict[str, float] = {}
        while not {"delivered", "durable", "sounding", "lit"} <= parts.keys():
            at, what = self.seen.get(timeout=60)
            if isinstance(what, Pressed):
                parts["delivered"] = what.at - began
            elif isinstance(what, Change) and isinstance(what.act, Draw):
                parts["durable"] = at - began
            elif "durable" in parts and isinstance(what, SoundStarted):
                parts["sounding"] = what.at - began
                sounding = what.token
            elif "durable" in parts and isinstance(what, BoardShown):
                parts["lit"] = what.at - began
        parts["all three"] = max(parts["durable"], parts["sounding"], parts["lit"])
        parts["to sound"] = parts["sounding"] - parts["durable"]
        self.simulation.pins.release(pin)
        self.until_quiet({sounding})
        # a finger, too, needs a moment; the button is deaf for 50 ms after an edge
        self.run(asyncio.sleep(0.06))
        return parts


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presses", type=int, default=360)
    presses = parser.parse_args().presses
    logging.basicConfig(level=logging.WARNING)
    games = -(-presses // KNOBS)
    measured: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        station = Station(Path(folder), games)
        assert station.simulation is not None
        for _ in range(games):
            station.do("open")
            station.run(asyncio.sleep(1.0))  # "eyes down" is said; a press now would wait for it
            while not station.seen.empty():
                station.seen.get()
            for _ in track(
                range(min(KNOBS, presses - len(measured))),
                description="pressing",
                console=Console(stderr=True),
            ):
                measured.append(station.press())
            station.do("close")
        writes = [len(data) for data in station.simulation.bus.writes]
        station.close()
    print(
        f"press of the button to … ({len(measured)} presses; {platform.machine()}, Python"
        f" {platform.python_version()})"
    )
    print(f"{'':<12}{'median':>9}{'p95':>9}{'p99':>9}{'max':>9}  ms")
    for part in PARTS:
        values = [1000 * one[part] for one in measured]
        print(
            f"{part:<12}"
            + "".join(f"{quantile(values, share):>9.2f}" for share in (0.5, 0.95, 0.99))
            + f"{max(values):>9.2f}"
        )
    picture = 8 * 2 * 20  # eight digit registers, two bytes for each of the twenty chips
    sent = sum(writes) / len(writes)
    print(f"first sample out: {BUFFER_MS:.1f} ms later (one buffer of 512 samples)")
    wire_ms = picture * 8 / SPI_HZ * 1000
    print(
        f"a picture on a real matrix's wire: {picture} bytes ({sent:.0f} a write), {wire_ms:.2f} ms"
        " at 1 MHz"
    )
    values = [1000 * one["all three"] for one in measured]
    median, p99 = quantile(values, 0.5), quantile(values, 0.99)
    for name, value, goal in (("median", median, GOAL_MEDIAN_MS), ("p99", p99, GOAL_P99_MS)):
        print(f"{name}: {value:.2f} ms, {value / goal:.0%} of the {goal:.0f} ms allowed")
    first = [1000 * one["to sound"] + BUFFER_MS for one in measured]
    slowest = max(first)
    print(
        f"first sound after the record is durable: median {quantile(first, 0.5):.1f} ms, p99"
        f" {quantile(first, 0.99):.1f} ms,",
        end=" ",
    )
    print(
        f"slowest {slowest:.1f} ms, {slowest / GOAL_SOUND_MS:.0%} of the {GOAL_SOUND_MS:.0f} ms"
        " allowed (one buffer included)"
    )
    return 0 if median <= GOAL_MEDIAN_MS and p99 <= GOAL_P99_MS and slowest <= GOAL_SOUND_MS else 1


if __name__ == "__main__":
    sys.exit(main())
