"""Every fault of a device (H38): what is said, lit, shown and recorded; how the game goes on; that
it comes back by itself.

The whole core runs on its real drivers: in virtual time where the device is a wire in memory, else
on a pseudo-terminal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from drivers import Deliver, Rank, SoundEnded
from drivers.making import make_driver
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.simulation.server import Simulation, simulated_tag
from station.settings.config import load_settings
from station.wire.board_view import BoardView
from station.wire.wire import SOCKET, Client, Message
from tests.drill.evening import PACK
from tests.drill.notebook import Notebook, board_fault, lit_numbers
from tests.drill.virtual_time import VirtualLoop
from tests.drill.world import LAMPS, TRAY, World
from tests.evenings import lines_of
from tests.support import run

SOON_S = 40.0  # the voice tries again after half a minute at the latest


class Hall:
    """A world whose first game is open, one number called, and what came of it since."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.book = Notebook(world)
        self._said = 0
        self._lines = 0

    async def begin(self) -> None:
        await self.world.start()
        await self.world.ask("sell", "sell", serials=list(PACK.serials[:3]))
        await self.world.ask("open", "open")
        await self.call()
        self._said, self._lines = len(self.world.spoken), len(self.book.lines())

    async def call(self) -> int:
        """A number is drawn, durable before it is said, lit, shown; its time passes."""
        count = len(self.view["called"])
        await self.world.ask(f"draw-{self.world.now}", "draw")
        assert await self.world.until(lambda: len(self.view["called"]) == count + 1, 1.0)
        await asyncio.sleep(5)
        self.book.judge()
        return int(self.view["called"][-1])

    @property
    def view(self) -> Message:
        assert self.world.life is not None
        return self.world.life.view

    @property
    def said(self) -> list[tuple[str, ...]]:
        """The announcements since it began."""
        return [one.clips for one in self.world.spoken[self._said :]]

    @property
    def notes(self) -> list[tuple[str, str]]:
        """What was recorded of devices since it began."""
        notes = [
            line["do"]
            for line in self.book.lines(durable=True)[self._lines :]
            if line["do"]["act"] == "note"
        ]
        return [(note["about"], note["what"].partition(":")[0]) for note in notes]

    @property
    def signs(self) -> list[tuple[str, str]]:
        return [(sign["device"], sign["colour"]) for sign in self.view["signs"]]

    def lit(self, lamp: str) -> bool:
        assert self.world.life is not None
        return self.world.life.pins.lit(LAMPS[lamp])

    @property
    def board(self) -> list[int | None]:
        assert self.world.life is not None
        return lit_numbers(self.world.life.bus.picture())


Work = Callable[[Hall], Coroutine[Any, Any, None]]


def in_hall(folder: Path, work: Work) -> None:
    """Runs it in a hall whose time is counted, not waited for."""

    async def evening() -> None:
        hall = Hall(World(folder, Random(5)))
        try:
            await hall.begin()
            await work(hall)
            hall.book.judge()
            assert hall.world.life is not None
            assert board_fault(hall.view, hall.world.life.bus.picture(), hall.view["called"]) == ""
        finally:
            await hall.world.end()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(evening())


@dataclass(frozen=True)
class Fault:
    """One fault: how it comes and goes, who is named, and what is said when it comes and when it
    has gone."""

    comes: Callable[[World], object]
    goes: Callable[[World], object]
    device: str
    lost: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    lights: bool = True  # the lamps can tell of it


def _life(world: World) -> Any:
    assert world.life is not None
    return world.life


def _voice_away(world: World) -> None:
    world.away = True
    _life(world).voice.kill()


def _voice_back(world: World) -> None:
    world.away = False


FAULTS = {
    "the reader is unplugged": Fault(
        lambda world: world.reader.unplug(),
        lambda world: world.reader.plug(),
        "reader",
        ("reader-lost",),
        ("reader-back",),
    ),
    "the tray's reader is unplugged": Fault(
        lambda world: world.tray.unplug(),
        lambda world: world.tray.plug(),
        TRAY,
        ("reader-lost",),
        ("reader-back",),
    ),
    "the loudspeaker is gone": Fault(_voice_away, _voice_back, "speech"),
    "the voice hangs": Fault(lambda world: _life(world).voice.hang(), lambda _: None, "speech"),
    "the board's bus fails": Fault(
        lambda world: _life(world).bus.fail(), lambda world: _life(world).bus.heal(), "matrix"
    ),
    "a lamp cannot be lit": Fault(
        lambda world: _life(world).pins.fail(),
        lambda world: _life(world).pins.heal(),
        "lamps",
        lights=False,
    ),
    # It counts once, for what it is; a stuck one does no more.
    "a button is stuck": Fault(
        lambda world: world.press("undo"), lambda world: world.release("undo"), "button undo"
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_shown_recorded_and_gone_by_itself(tmp_path: Path, name: str) -> None:
    """An amber sign and lamp, a line in the journal, words where the caller must act; the game goes
    on by button; all of it is taken back when the device works again, and the last number is said
    again where nobody heard it.
    """
    fault = FAULTS[name]

    async def work(hall: Hall) -> None:
        world = hall.world
        assert (hall.signs, hall.lit("fault")) == ([], False)
        fault.comes(world)
        await world.ask("repeat", "repeat")  # which lights other lamps
        assert await world.until(lambda: hall.signs == [(fault.device, "amber")], SOON_S)
        assert hall.lit("fault") is fault.lights
        before = len(hall.said)
        number = await hall.call()
        assert (f"number.{number}",) in hall.said
        fault.goes(world)
        assert await world.until(lambda: hall.signs == [], SOON_S)
        await asyncio.sleep(5)
        assert not hall.lit("fault")
        assert [note for note in hall.notes if note[0] == fault.device] == [
            (fault.device, "lost"),
            (fault.device, "works again"),
        ]
        for words in (fault.lost, fault.found):
            assert not words or hall.said.count(words) == 1
        assert fault.lost or not {("reader-lost",), ("reader-back",)} & set(hall.said)
        unheard = [
            one for one in world.spoken if one.clips == (f"number.{number}",) and not one.heard
        ]
        assert hall.said[before:].count(("last-number", f"number.{number}")) == len(unheard)
        assert number in hall.board
        world.press("draw")
        assert await world.until(lambda: len(hall.view["called"]) > 1, 1.0)

    in_hall(tmp_path, work)


@pytest.mark.parametrize("harm", ["a spark", "no supply for a moment"])
def test_a_board_that_was_disturbed_is_right_within_a_second(tmp_path: Path, harm: str) -> None:
    """Nobody can know of it, so nothing is said and nothing recorded: the whole picture is written
    anew each second."""

    async def work(hall: Hall) -> None:
        bus = _life(hall.world).bus
        before = bus.picture()
        if harm == "a spark":
            bus.glitch()
        else:
            bus.power_cut()
        assert bus.picture() != before
        await asyncio.sleep(1.1)
        assert bus.picture() == before
        assert (hall.said, hall.notes, hall.signs) == ([], [], [])

    in_hall(tmp_path, work)


def test_a_screen_that_is_switched_off_and_on(tmp_path: Path) -> None:
    """The station waits for no screen: one asleep delays no call, and one that comes back has the
    whole board at once. It is no device: nothing is said of it, nothing recorded."""

    async def work(hall: Hall) -> None:
        world = hall.world
        world.screens.switch_on()  # it never reads, and is cut off
        async with await Client.open(tmp_path / SOCKET, "watcher") as screen:
            assert (await _next_view(screen))["called"] == hall.view["called"]
        numbers = [await hall.call() for _ in range(3)]
        world.screens.switch_off()
        async with await Client.open(tmp_path / SOCKET, "watcher") as screen:
            assert (await _next_view(screen))["called"][1:] == numbers
        assert hall.said == [(f"number.{number}",) for number in numbers]
        assert (hall.notes, hall.signs) == ([], [])

    in_hall(tmp_path, work)


async def _next_view(screen: Client) -> Message:
    async for message in screen:
        if "view" in message:
            view: Message = message["view"]
            return view
    raise AssertionError("the station went away")


# -- readers with a life of their own: on a pseudo-terminal, in real time --------------------------


class Mouth:
    """A voice that remembers, and is heard at once."""

    running = alive = True
    worker = None

    def __init__(self) -> None:
        self.said: list[tuple[str, ...]] = []
        self._deliver: Deliver = lambda _: None

    def open(self, deliver: Deliver) -> None:
        self._deliver = deliver

    def close(self) -> None:
        """Nothing is open."""

    def say(self, clips: tuple[str, ...], token: int, rank: Rank = Rank.CHATTER) -> None:
        self.said.append(clips)
        self._deliver(SoundEnded(token, True, 0.0))

    def named(self, text: str) -> None:
        """No clip has a name in it."""

    def volume(self, level: float) -> None:
        """As it is."""


class Station:
    """A simulated core with one reader of that kind, a voice that remembers; and its hands."""

    def __init__(self, state: Path, reader: dict[str, Any]) -> None:
        settings = load_settings("simulated")
        self.mouth = Mouth()
        machine = Machine(
            make_driver=lambda name, **options: (
                self.mouth if name == "speech" else make_driver(name, **options)
            )
        )
        devices = {"speech": settings.devices["speech"], "reader": reader}
        chosen = settings.model_copy(update={"devices": devices})
        self.core = Core(chosen, state, state / "run", machine=machine, simulate=self._simulate)

    def _simulate(self, run: Path, devices: Any) -> Simulation:
        self.hands = Simulation(run, devices)
        return self.hands

    async def views(self, client: Client, wanted: Callable[[BoardView], bool]) -> BoardView:
        """The next view that is as wanted; `run` limits the wait."""
        while not wanted(view := BoardView.model_validate(await _next_view(client))):
            pass
        return view


READERS: dict[str, tuple[dict[str, Any], Callable[[Any], object], Callable[[Any], object]]] = {
    "a PN532 is silent": (
        {"driver": "rfid", "family": "pn532", "port": "simulated"},
        lambda reader: setattr(reader.chip, "deaf", True),
        lambda reader: setattr(reader.chip, "deaf", False),
    ),
    "a PN532 is unplugged": (
        {"driver": "rfid", "family": "pn532", "port": "simulated"},
        lambda reader: reader.unplug(),
        lambda reader: reader.plug(),
    ),
    "a reader that types is unplugged": (
        {"driver": "wedge", "device": "simulated"},
        lambda reader: reader.unplug(),
        lambda reader: reader.plug(),
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_a_reader_comes_back_with_what_lies_on_it(tmp_path: Path, name: str) -> None:
    """Said, an amber sign, recorded; the game goes on by hand; back by itself, and what lies there
    is called: a keyboard types it once, when it is laid down."""
    table, breaks, mends = READERS[name]
    types = table["driver"] == "wedge"

    async def work() -> None:
        station = Station(tmp_path, table)
        await station.core.open()
        try:
            async with await Client.open(tmp_path / "run" / SOCKET, "admin") as client:
                reader = station.hands.reader
                await client.do("open")
                reader.drop(simulated_tag(41))
                await station.views(client, lambda view: view.called == (41,))
                reader.lift()
                breaks(reader)
                view = await station.views(client, lambda view: bool(view.signs))
                assert [(sign.device, sign.colour) for sign in view.signs] == [("reader", "amber")]
                await client.do("draw", number=42)
                await station.views(client, lambda view: view.called == (41, 42))
                if not types:
                    reader.drop(simulated_tag(43))
                mends(reader)
                if types:
                    await station.views(client, lambda view: not view.signs)
                    reader.drop(simulated_tag(43))
                view = await station.views(client, lambda view: view.called == (41, 42, 43))
                assert view.signs == ()
            numbers = [
                ("number.41",),
                ("reader-lost",),
                ("number.42",),
                ("reader-back",),
                ("number.43",),
            ]
            assert [clips for clips in station.mouth.said if clips in numbers] == numbers
        finally:
            await station.core.close()
        notes = [line["do"] for line in lines_of(tmp_path / "test") if line["do"]["act"] == "note"]
        assert [(note["about"], note["what"].partition(":")[0]) for note in notes] == [
            ("reader", "lost"),
            ("reader", "works again"),
        ]

    run(work())
