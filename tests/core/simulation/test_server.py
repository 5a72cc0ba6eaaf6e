"""The hands: each does what a person would to the machine, wrong requests are refused in a
sentence, the bench sees it all."""

from __future__ import annotations

import asyncio
import contextlib
import queue
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from drivers import BoardShown, Cavity, Refusal
from drivers.making import make_driver
from drivers.readers.frames import FrameDecoder, Tag, family_named
from drivers.simulated.readers import FOREIGN
from station.base.disk import Disk
from station.base.said import said
from station.core.simulation.server import HandsServer, Simulation, simulated_tag
from station.people.roles import Person
from station.record.requests import Answer, Done, Refused
from station.record.session import Session
from station.settings.config import load_settings
from station.wire.wire import HANDS_SOCKET, Client, Message
from tests.support import CLOCK, LIMIT_S, Told, night_in, play, run

PINS = {"draw": 17, "claim": 27, "next": 22}
DEVICES: dict[str, dict[str, Any]] = {
    "button": {"driver": "button", "pins": PINS, "pin_factory": "simulated"},
    "lamps": {"driver": "lamps", "pins": {"draw": 23}, "pin_factory": "simulated"},
    "reader": {"driver": "rfid", "family": "rdm6300", "port": "simulated"},
    "matrix": {"driver": "matrix", "bus": "simulated", "block_orientation": -90},
}


class Voice:
    """A voice whose worker can be killed."""

    def __init__(self) -> None:
        self.worker: int | None = 4711
        self.gone = False

    @property
    def alive(self) -> bool:
        return self.worker is not None

    def kill(self, pid: int) -> None:
        assert pid == self.worker
        if self.gone:
            raise ProcessLookupError(3, "No such process")
        self.worker = None


class Bench:
    """The hands of a night, and what came of them."""

    def __init__(
        self,
        simulation: Simulation,
        client: Client,
        voice: Voice,
        wishes: list[tuple[Mapping[str, Any], Person]],
    ) -> None:
        self.simulation = simulation
        self.client = client
        self.voice = voice
        self.wishes = wishes

    async def hand(self, hand: str, **arguments: Any) -> Message:
        return await self.client.request({"hand": hand, **arguments})

    async def ok(self, hand: str, **arguments: Any) -> None:
        answer = await self.hand(hand, **arguments)
        assert answer.get("ok"), answer

    async def until(self, wanted: Callable[[Message], bool]) -> Message:
        """The first look that is as wanted; `run` limits the wait."""
        async for message in self.client:
            if "bench" in message and wanted(message["bench"]):
                return dict(message["bench"])
        raise AssertionError("the hands went away")


@contextlib.asynccontextmanager
async def bench_in(folder: Path) -> AsyncIterator[Bench]:
    """The hands of a night with one number called."""
    voice = Voice()
    wishes: list[tuple[Mapping[str, Any], Person]] = []

    async def wish(
        _: str,
        do: Mapping[str, Any],
        by: Person,
        via: str,
        expect: int | None,
        seen: str | None,
        *,
        sure: bool,
    ) -> Answer:
        wishes.append((do, by))
        if do["act"] == "close":
            return (
                Done(10)
                if (seen, sure) == ("9", True)
                else Refused("sure?", said("1 prize is not won"), "9")
            )
        return Done(9) if do["act"] == "stop" else Refused("no-game", said("open one first"))

    simulation = Simulation(folder, DEVICES)
    try:
        # Buttons and lamps are inputs and outputs once a driver has them.
        for pin in PINS.values():
            simulation.pins.pin(pin).function = "input"
        with night_in(folder / "state") as night:
            session = Session(night, Told(), CLOCK)
            await play(
                session,
                [
                    {"act": "sell", "serials": ["0003"], "to": "Anna"},
                    "open",
                    {"act": "draw", "number": 42},
                ],
            )
            server = HandsServer(
                folder,
                simulation,
                voice,
                lambda: session.hall,
                lambda: session.seq,
                wish,
                voice.kill,
            )
            await server.open()
            try:
                async with await Client.open(folder / HANDS_SOCKET) as client:
                    yield Bench(simulation, client, voice, wishes)
            finally:
                await server.close()
    finally:
        simulation.close()


def test_the_bench_sees_the_machine(tmp_path: Path) -> None:
    """On joining comes everything a person standing before the machine sees."""

    async def work() -> None:
        async with bench_in(tmp_path) as bench:
            look = await bench.until(lambda _: True)
            assert (len(look["matrix"]), {len(row) for row in look["matrix"]}) == (16, {80})
            assert look["buttons"] == ["draw", "claim", "next"]
            assert look["lamps"] == {"draw": "off"}
            assert look["reader"] == {"plugged": True, "resting": [], "cards": []}
            assert (look["voice"], look["disk"]) == ({"alive": True}, {"full": False})
            assert look["bag"] == [knob for knob in range(1, 91) if knob != 42]
            [card] = look["cards"]
            assert (card["serial"], card["holder"], [len(row) for row in card["rows"]]) == (
                "0003",
                "Anna",
                [5, 5, 5],
            )
            assert (tmp_path / HANDS_SOCKET).stat().st_mode & 0o777 == 0o600

    run(work())


def test_buttons_go_down_and_come_up(tmp_path: Path) -> None:
    """A press ends by itself, with bounces or without; a hold lasts until its release; an unknown
    button is refused."""

    async def work() -> None:
        async with bench_in(tmp_path) as bench:
            pins = bench.simulation.pins
            for pin in PINS.values():
                pins.pin(pin).pull = "up"
            await bench.ok("press", button="draw", ms=1)
            assert pins.levels(17)[-2:] == [False, True]
            await bench.ok("hold", button="claim")
            assert pins.is_pressed(27)
            await bench.ok("release", button="claim")
            assert not pins.is_pressed(27)
            await bench.ok("bounce", button="next", ms=1)
            assert not pins.is_pressed(22)
            assert pins.levels(22)[-22:] == [False, *[True, False] * 10, True]
            refused = await bench.hand("press", button="bell")
            assert "no button 'bell': there are draw, claim, next" in refused["refused"]["say"]

    run(work())


def test_the_knob_for_the_pace_is_turned(tmp_path: Path) -> None:
    """Its contacts go through a cycle a step; a machine without one has nothing to turn, and nobody
    turns it for ever."""

    async def work() -> None:
        async with bench_in(tmp_path) as bench:
            refused = await bench.hand("turn", steps=1)
            assert "no knob to turn" in refused["refused"]["say"]
            bench.simulation.knob |= {"a": 5, "b": 6}
            pins = bench.simulation.pins
            for pin in (5, 6):
                pins.pin(pin).function = "input"
                pins.pin(pin).pull = "up"
            await bench.ok("turn", steps=-2)
            assert pins.levels(6)[-4:] == pins.levels(5)[-4:] == [False, True, False, True]
            for steps in (0, 61, "one", None):
                refused = await bench.hand("turn", steps=steps)
                assert "turned by 1 to 60 steps" in refused["refused"]["say"]

    run(work())


def test_knobs_make_frames_on_the_serial_line(tmp_path: Path) -> None:
    """What is laid on the reader comes as bytes of its family: a tag, a wrong check for two at once
    or a damaged one."""

    def first(port: str, wanted: Callable[[Any], bool]) -> Any:
        decoder = FrameDecoder(family_named("rdm6300"))
        with open(port, "rb", buffering=0) as line:
            while True:
                for found in decoder.feed(line.read(64)):
                    if wanted(found):
                        return found

    async def work() -> None:
        async with bench_in(tmp_path) as bench:

            async def comes(wanted: Callable[[Any], bool]) -> None:
                async with asyncio.timeout(LIMIT_S):
                    assert await asyncio.to_thread(first, bench.simulation.reader.port, wanted)

            await bench.ok("drop", knob=42)
            await comes(lambda found: isinstance(found, Tag) and found.number == simulated_tag(42))
            assert (await bench.until(lambda look: look["reader"]["resting"] == [42]))["reader"][
                "plugged"
            ]
            await bench.ok("two", knobs=[1, 2])
            await comes(lambda found: found is Refusal.CHECK)
            await bench.until(lambda look: look["reader"]["resting"] == [1, 2])
            await bench.ok("lift")
            await bench.until(lambda look: look["reader"]["resting"] == [])
            await bench.ok("damage", knob=5)
            await comes(lambda found: found is Refusal.CHECK)
            await bench.ok("foreign")
            await comes(lambda found: isinstance(found, Tag) and found.number == FOREIGN)

    run(work())


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("dance", {}, "there is no hand 'dance'"),
    ("drop", {}, "needs other arguments"),
    ("drop", {"knob": 91}, "there is no knob 91: knobs are 1 to 90"),
    ("drop", {"knob": "7"}, "there is no knob '7'"),
    ("drop", {"knob": None}, "there is no knob None"),
    ("two", {"knobs": [1]}, "needs other arguments"),
    ("two", {"knobs": [1, 2, 3]}, "needs other arguments"),
    ("two", {"knobs": 5}, "needs other arguments"),
    ("press", {}, "there is no button None"),
    ("press", {"button": ["draw"]}, "needs other arguments"),
    ("press", {"button": "draw", "ms": "long"}, "needs other arguments"),
    ("do", {}, "needs an act in 'do'"),
    ("do", {"do": "draw"}, "needs an act in 'do'"),
]


@pytest.mark.parametrize(("hand", "arguments", "said"), WRONG)
def test_a_wrong_request_is_refused_with_a_sentence(
    tmp_path: Path, hand: str, arguments: dict[str, Any], said: str
) -> None:
    """Nothing happens, the connection lives, and the sentence says what was wrong."""

    async def work() -> None:
        async with bench_in(tmp_path) as bench:
            refused = (await bench.hand(hand, **arguments))["refused"]
            assert refused["reason"] == "unreadable"
            assert said in refused["say"]
            await bench.ok("lift")

    run(work())


def test_faults_can_be_made_and_mended(tmp_path: Path) -> None:
    """The cable out and in, the voice killed, the disk full and free: the bench sees each; a dead
    voice is not killed again."""

    async def work() -> None:
        async with bench_in(tmp_path) as bench:
            await bench.ok("unplug", device="reader")
            await bench.until(lambda look: not look["reader"]["plugged"])
            await bench.ok("plug", device="reader")
            await bench.until(lambda look: look["reader"]["plugged"])
            await bench.ok("fill-disk")
            await bench.until(lambda look: look["disk"]["full"])
            await bench.ok("free-disk")
            await bench.until(lambda look: not look["disk"]["full"])
            bench.voice.gone = True  # it died by itself a moment ago
            assert (await bench.hand("kill", device="speech"))["refused"]["reason"] == "device"
            bench.voice.gone = False
            await bench.ok("kill", device="speech")
            await bench.until(lambda look: not look["voice"]["alive"])
            refused = await bench.hand("kill", device="speech")
            assert "nothing to kill" in refused["refused"]["say"]

    run(work())


def test_a_wish_at_the_table_is_answered_as_on_the_wire(tmp_path: Path) -> None:
    """What the person at the table asks in words goes to the desk, as an admin, and its answer
    comes back."""

    async def work() -> None:
        async with bench_in(tmp_path) as bench:
            answer = await bench.client.request({"id": "w1", "hand": "do", "do": {"act": "stop"}})
            assert answer == {"id": "w1", "ok": True, "seq": 9}
            refused = await bench.hand("do", do={"act": "draw"})
            assert refused["refused"] == {"reason": "no-game", "say": "open one first"}
            assert [(do["act"], by.role) for do, by in bench.wishes] == [
                ("stop", "admin"),
                ("draw", "admin"),
            ]
            asked = await bench.hand("do", do={"act": "close"})
            assert asked["refused"] == {"reason": "sure?", "say": "1 prize is not won", "seen": "9"}
            for belief in (
                {"seen": "9"},
                {"sure": True},
                {"seen": "9", "sure": "yes"},
                {"seen": "8", "sure": True},
            ):
                assert (await bench.hand("do", do={"act": "close"}, **belief))["refused"][
                    "reason"
                ] == "sure?"
            assert (await bench.hand("do", do={"act": "close"}, seen="9", sure=True)).get("ok")
            assert (await bench.hand("do", do={"act": "close"}, seen=9, sure=True))["refused"][
                "reason"
            ] == "unreadable"

    run(work())


def test_a_full_disk_fails_the_write_and_a_free_one_does_not(tmp_path: Path) -> None:
    """The simulated disk fails as a real one does; it is a real one else."""
    simulation = Simulation(tmp_path, DEVICES)
    assert isinstance(simulation.disk, Disk)
    descriptor = simulation.disk.create(tmp_path / "file")
    simulation.disk.full = True
    with pytest.raises(OSError, match="No space left"):
        simulation.disk.write(descriptor, b"x")
    simulation.disk.full = False
    assert simulation.disk.write(descriptor, b"x") == 1
    simulation.disk.close(descriptor)
    simulation.close()


def test_only_what_is_called_simulated_is_put_in(tmp_path: Path) -> None:
    """The simulated halves go where the profile says "simulated"; every other option is left as it
    is."""
    devices = load_settings("simulated").devices
    simulation = Simulation(tmp_path, devices)
    try:
        assert simulation.options("button", devices["button"])["pin_factory"] is simulation.pins
        assert simulation.options("lamps", devices["lamps"])["pins"] == devices["lamps"]["pins"]
        assert simulation.options("reader", devices["reader"])["port"] == simulation.reader.port
        assert simulation.options("matrix", devices["matrix"])["bus"] is simulation.bus
        assert simulation.options("matrix", {"bus": "spi"}) == {"bus": "spi"}
        assert simulation.options("speech", {"volume": 1.0})["audio"] == {
            "SDL_AUDIODRIVER": "dummy"
        }
        assert simulation.options("speech", {"audio": {}})["audio"] == {}
    finally:
        simulation.close()


def test_foreign_tags_are_no_knobs() -> None:
    """No knob's tag is the foreign one, and every knob has its own."""
    tags = {simulated_tag(knob) for knob in range(1, 91)}
    assert len(tags) == 90
    assert FOREIGN not in tags
    assert all(0 < tag < 1 << 32 for tag in tags)


def test_a_board_in_colour_is_simulated_too(tmp_path: Path) -> None:
    """With lamps in colour the bench gets as many rows as there are, a sign for each colour, and
    the colours."""
    board = {
        "driver": "ws2812",
        "bus": "simulated",
        "geometry": "two-rows",
        "panel": [16, 16],
        "refresh_s": 3600.0,
    }
    simulation = Simulation(tmp_path, {**DEVICES, "matrix": board})
    options = simulation.options("matrix", board)
    assert options["bus"] is simulation.bus
    driver, shown = make_driver(options.pop("driver"), **options), queue.SimpleQueue[Any]()
    driver.open(shown.put)
    driver.show([Cavity(5), Cavity(90, newest=True)], 1)
    assert isinstance(shown.get(timeout=LIMIT_S), BoardShown)
    rows, colours = simulation.bus.painting()
    assert (len(rows), {len(row) for row in rows}) == (32, {80})
    assert set("".join(rows)) == {".", *colours}
    assert len(colours) == 2
    driver.close()
    simulation.close()


def test_the_bench_says_who_has_it_and_where_it_stands(tmp_path: Path) -> None:
    """Of all cards in play; with the journal's line, so that a page knows whether it hears of an
    older call."""

    async def work() -> None:
        async with bench_in(tmp_path) as bench:
            look = await bench.until(lambda _: True)
            assert (look["seq"], look["winners"]) == (4, [])
            assert look["players"] == {"named": [["Anna", 1]], "more": 0, "nobody": 0, "tickets": 0}

    run(work())
