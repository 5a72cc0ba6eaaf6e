"""From the press of the button to the record on disk, the sound, the light: measured on the real
core over simulated buses.

    .venv/bin/python benchmarks/latency.py [--presses 360] [--against CHECKOUT]

The parts of one press, each from the press itself:
  delivered   the pin has been low for long enough, and that is an event on the loop
  durable     the line is written, fdatasync has returned, the new state is adopted
  sounding    play() has returned in the voice's process
  all three   durable, sounding and lit
  handled     of that what comes after delivered: a press must last, in older checkouts it need not
  to sound    from durable to sounding: what H15 allows 50 ms for, one buffer included
  lit         the picture is on the matrix's bus (simulated: the bytes are handed over at once)
The way of one knob is counted besides: functions of the project that are called from the reading of
its tag until its line goes to the journal, through the real desk and session, without devices.

`--against` presses the core of another checkout, in its own environment, in turn with this one, and
prints the ratio of the medians.

Not in these: the first sample leaves the mixer one buffer later (512 samples at 22,050 Hz: 23 ms),
and a real matrix takes the wire time of the bytes, at 1 MHz.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import platform
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.pressing import KNOBS, begin_game, press
from drivers import Event
from station.core.daemon import Core
from station.core.simulation.server import Simulation
from station.programme.check import load_programme
from station.record.requests import Change
from station.settings.config import load_settings
from station.wire.wire import SOCKET, Client
from tests.support import Table, run_by_hand, table_in

PROJECT = Path(__file__).resolve().parent.parent
BUFFER_MS = 512 / 22050 * 1000
SPI_HZ = 1_000_000
PARTS = ("delivered", "durable", "sounding", "lit", "all three", "handled", "to sound")
GOAL_MEDIAN_MS, GOAL_P99_MS = 5.0, 40.0
GOAL_SOUND_MS = 50.0  # from the durable record to the first sample that leaves the mixer


class Station:
    """The core in a thread of its own, and what it did, as it happens."""

    def __init__(self, folder: Path, games: int) -> None:
        self.seen: queue.Queue[tuple[float, Event | Change]] = queue.Queue()
        self.simulation: Simulation | None = None
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        os.environ |= {  # its voice's process inherits it
            "SDL_AUDIODRIVER": "disk",
            "SDL_DISKAUDIOFILE": str(folder / "played.raw"),
            "SDL_DISKAUDIODELAY": "1",
        }
        settings = load_settings("simulated")
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


@dataclass
class Way:
    """The calls of functions of the project, from the first one until the journal has the line."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    begun: bool = False

    def hook(self, frame: FrameType, event: str, _: Any) -> None:
        """Note who calls whom; `sys.setprofile` calls this."""
        called = _module(frame)
        if not self.begun or event != "call" or not called:
            return
        if (called, frame.f_code.co_name) == ("station.record.journal", "append"):
            self.begun = False
            return
        back = frame.f_back
        while back is not None and not _module(back):
            back = back.f_back
        self.calls.append((_module(back) if back is not None else "", called))

    def __str__(self) -> str:
        between = sum(caller != called for caller, called in self.calls)
        return (
            f"one knob, from its tag to its line: {len({called for _, called in self.calls})}"
            f" modules, {between} calls from module to module, {len(self.calls)} calls in all"
        )


def _module(frame: FrameType) -> str:
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.startswith(("station.", "drivers.")) else ""


def way_of_a_knob() -> Way:
    """Follow the first knob of a game through a desk and a session in a folder of their own."""
    way = Way()

    async def read(table: Table) -> None:
        await table.wish("open")
        await table.heard()
        way.begun = True
        sys.setprofile(way.hook)
        try:
            await table.read(42)
        finally:
            sys.setprofile(None)

    with tempfile.TemporaryDirectory(prefix="loto-") as folder, table_in(Path(folder)) as table:
        run_by_hand(read(table))
    return way


class Pressing:
    """The presses of one checkout, in a process of its own."""

    def __init__(self, checkout: Path, games: int) -> None:
        command = [checkout / ".venv/bin/python", PROJECT / "benchmarks/pressing.py", str(games)]
        self.measured: list[dict[str, float]] = []
        self._process = subprocess.Popen(
            command,
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": str(checkout)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def do(self, what: str) -> None:
        """Let it open a game, press or close the game; keep the parts of a press."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what}\n")
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self._process.args}: it has ended")
        if what == "press":
            self.measured.append(json.loads(answer))

    def close(self) -> None:
        """End it."""
        self._process.communicate(timeout=60)


def compare(other: Path, presses: int) -> int:
    """Press both in turn and print the ratio of the medians; that of `handled` is 1 at the most."""
    both = [Pressing(checkout, -(-presses // KNOBS)) for checkout in (PROJECT, other)]
    for number in track(range(presses), description="pressing", console=Console(stderr=True)):
        for one in both if number % 2 else reversed(both):
            if number % KNOBS == 0:
                for act in ("close", "open") if number else ("open",):
                    one.do(act)
            one.do("press")
    for one in both:
        one.close()
    print(f"medians of {presses} presses each, of this and of {other}, one of each in turn")
    print(f"{'':<12}{'this':>9}{'other':>9}{'ratio':>9}  ms")
    ratios: dict[str, float] = {}
    for part in PARTS:
        this, that = (1000 * statistics.median(of[part] for of in one.measured) for one in both)
        ratios[part] = this / that
        print(f"{part:<12}{this:>9.2f}{that:>9.2f}{ratios[part]:>9.2f}")
    return 0 if ratios["handled"] <= 1 else 1


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presses", type=int, default=360)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    options = parser.parse_args()
    if options.against is not None:
        return compare(options.against.resolve(), options.presses)
    return measure(options.presses)


def measure(presses: int) -> int:
    """Press so often, and print how long each part took."""
    logging.basicConfig(level=logging.WARNING)
    games = -(-presses // KNOBS)
    measured: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        station = Station(Path(folder), games)
        assert station.simulation is not None
        for _ in range(games):
            begin_game(station)
            for _ in track(
                range(min(KNOBS, presses - len(measured))),
                description="pressing",
                console=Console(stderr=True),
            ):
                measured.append(press(station))
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
    print(way_of_a_knob())
    return 0 if median <= GOAL_MEDIAN_MS and p99 <= GOAL_P99_MS and slowest <= GOAL_SOUND_MS else 1


if __name__ == "__main__":
    sys.exit(main())
