"""Draw `docs/pictures/knob-way.svg`: through which modules a knob goes from the reader to the
record, and out again.

A whole core runs here with simulated devices. A knob is laid on its reader, and every call from
module to module is written down, on all threads, from the reader's driver until the board is lit
and the screens know. The picture shows each module where the knob comes to it first, before the
journal's line is durable and after it.

.venv/bin/python -m docs.make_knob_way
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from docs.make_rooms import House, room_of, the_house
from docs.svg import svg
from drivers import BoardShown, Event
from station.base.disk import Disk
from station.core.daemon import Core
from station.core.simulation.server import Simulation, simulated_tag
from station.night.acts import DrawKnob
from station.paper.pen import GREEN, INK, RED, SOFT, SvgPen
from station.record.requests import Change
from station.settings.config import load_settings
from station.wire.wire import SOCKET, Client

PROJECT = Path(__file__).resolve().parent.parent
PICTURE = PROJECT / "docs" / "pictures" / "knob-way.svg"
KNOB = 42
LIMIT_S = 30.0
QUIET = {
    "devices": {"speech": {"audio": {"SDL_AUDIODRIVER": "dummy"}}},
    "calling": {"names": False},
}
# What plays the devices, and what runs whether a knob comes or not, is no part of the way.
BESIDE = (
    "station.core.simulation",
    "station.core.watchdog",
    "drivers.simulated",
    "drivers.pins.b",
    "drivers.pins.l",
)
READERS, JOURNAL = "drivers.readers", "station.record.journal"


@dataclass
class Way:
    """The calls, in the order in which they came.

    Attributes:
        calls: the module that called, the module that was called, its function.
        durable: how many calls there were when the disk had the line; 0 before.
    """

    calls: list[tuple[str, str, str]] = field(default_factory=list)
    durable: int = 0
    on: bool = False

    def hook(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call from one module of the project to another; `sys.setprofile` calls this."""
        if (
            self.on
            and event == "call"
            and (called := frame.f_globals.get("__name__", "")).startswith(("station.", "drivers."))
        ):
            back = frame.f_back
            while back is not None and not back.f_globals.get("__name__", "").startswith(
                ("station.", "drivers.")
            ):
                back = back.f_back
            caller = back.f_globals["__name__"] if back is not None else ""
            begun = self.calls or called.startswith(READERS)
            if (
                caller != called
                and begun
                and not any(name.startswith(BESIDE) for name in (caller, called))
            ):
                self.calls.append((caller, called, frame.f_code.co_name))


class Watched(Disk):
    """A real disk that notes when the line is durable."""

    def __init__(self, way: Way) -> None:
        """Note it in this way."""
        self._way = way

    def sync(self, descriptor: int) -> None:
        """Sync the file, and mark how many calls came before."""
        super().sync(descriptor)
        if self._way.on and not self._way.durable:
            self._way.durable = len(self._way.calls)


async def walk(folder: Path, way: Way) -> None:
    """Run a core, open a game, lay the knob on the reader, and wait until the board is lit: the
    last thing that comes back."""
    simulations: list[Simulation] = []
    lit, drawn = asyncio.Event(), asyncio.Event()  # the board after the draw; the draw

    def seen(what: Event | Change) -> None:
        if isinstance(what, Change) and isinstance(what.act, DrawKnob):
            drawn.set()
        if isinstance(what, BoardShown) and drawn.is_set():
            lit.set()

    def simulate(*args: Any) -> Simulation:
        simulations.append(Simulation(*args))
        simulations[0].disk = Watched(way)
        return simulations[0]

    settings = load_settings("simulated", over=QUIET)
    core = Core(settings, folder / "state", folder / "run", seen=seen, simulate=simulate)
    await core.open()
    try:
        async with await Client.open(core.run / SOCKET, "admin") as client:
            await client.do("open", sure=True)
            async for message in client:
                if (
                    "view" in message
                    and not message["view"]["calling"]
                    and message["view"]["phase"] == "playing"
                ):
                    break
        way.on = True
        simulations[0].reader.drop(simulated_tag(KNOB))
        await lit.wait()
    finally:
        way.on = False
        await core.close()


@dataclass(frozen=True)
class Stop:
    """A module that the knob comes to for the first time in its half of the way, and the function
    that is called there."""

    module: str
    function: str

    @property
    def name(self) -> str:
        """Return the module without the package's own name."""
        return self.module.removeprefix("station.")


def stops(calls: Iterable[tuple[str, str, str]]) -> list[Stop]:
    """Return each module of these calls once, in the order of the first call."""
    first: dict[str, str] = {}
    for _, called, function in calls:
        first.setdefault(called, function)
    return [Stop(*item) for item in first.items()]


def figures(way: Way) -> str:
    """Return the numbers of the way, as text."""
    before, after = stops(way.calls[: way.durable]), stops(way.calls[way.durable :])
    modules = {stop.module for stop in (*before, *after)}
    return (
        f"{len(way.calls)} calls from module to module, {len(modules)} modules in"
        f" {len({*map(room_of, modules)})} rooms: {way.durable} calls and {len(before)} modules"
        f" until the line is on disk, {len(way.calls) - way.durable} calls and {len(after)} modules"
        " after it"
    )


def draw(way: Way, house: House) -> str:
    """Draw two columns, before and after the line is on disk: a row for each stop, further right
    the higher its room stands."""
    halves = (stops(way.calls[: way.durable]), stops(way.calls[way.durable :]))
    row, top, floor = 17, 112, 15
    pen = SvgPen(1060, top + row * max(map(len, halves)) + 20, "One knob's way through the station")
    pen.words((30, 40), "One knob's way", size=20, bold=True)
    pen.words(
        (220, 40),
        "from the reader to the record, and out again; each module where the knob comes to it"
        " first",
        size=13,
        colour=SOFT,
    )
    titles = (("Until the line is on disk", RED), ("After it: heard, lit, shown", GREEN))
    for index, (half, (title, colour)) in enumerate(zip(halves, titles, strict=True)):
        left = 40 + 510 * index
        pen.words((left, 74), title, size=15, bold=True, colour=colour)
        pen.words((left, 94), "ground floor \u2192 top floor", size=11, colour=SOFT)
        points = [
            (left + floor * house.floor(room_of(stop.module)), top + row * number)
            for number, stop in enumerate(half)
        ]
        pen.wire(*points, colour=colour, thick=1.6)
        for (x, y), stop in zip(points, half, strict=True):
            pen.ring((x, y), 3.5, fill=colour, edge=colour)
            written = stop.module == JOURNAL
            pen.words(
                (left + 165, y + 4),
                stop.name,
                size=11.5,
                bold=written,
                colour=RED if written else INK,
            )
            pen.words((left + 365, y + 4), stop.function.strip("_"), size=11, colour=SOFT)
    return svg(pen)


def trace() -> Way:
    """Walk the way once in a new folder, with every thread watched."""
    way = Way()

    async def limited(folder: Path) -> None:
        async with asyncio.timeout(LIMIT_S):
            await walk(folder, way)

    watched = sys.getprofile()
    threading.setprofile(way.hook)
    sys.setprofile(way.hook)
    try:
        with tempfile.TemporaryDirectory(prefix="loto-") as folder:
            (Path(folder) / "state").mkdir()
            asyncio.run(limited(Path(folder)))
    finally:
        sys.setprofile(watched)
        threading.setprofile(watched)
    return way


def main() -> None:
    """Draw the picture, and print the figures."""
    way = trace()
    PICTURE.write_text(draw(way, the_house()), encoding="utf-8")
    sys.stdout.write(f"{figures(way)}\n")


if __name__ == "__main__":
    main()
