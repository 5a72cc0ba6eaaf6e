"""Test the station itself (H2): lamps, cavities, a word, each input, disk and clock.

It runs between games beside the desk, which hands it every event. Its result becomes one act in the
journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

from drivers import (
    BoardShown,
    Buzzed,
    Cavity,
    DeviceFound,
    DeviceLost,
    Event,
    Light,
    Pressed,
    Scanned,
    SoundEnded,
    TagRead,
    Thrown,
    Turned,
)
from station.base.nouns import CAVITIES, number_list
from station.base.said import Sentence, said
from station.calling.outputs import Outputs, OutputSender
from station.night.acts import SelfTest, Tried

LAMP_S = 0.6  # long enough to be seen from the table
CAVITY_S = 0.3
FRAME_S = 2.0
FRAME_SAID = "its edges: look whether all four corners are there; else set [screen] inset"
VOICE_LIMIT_S = 8.0  # the voice driver ends a hung announcement itself after 4 s
BOARD_LIMIT_S = 2.0
HANDS_LIMIT_S = 30.0
_PLACES = range(CAVITIES)

Result: TypeAlias = Literal["good", "fault", "skipped"]


@dataclass(frozen=True)
class Bench:
    """The devices that a self-test tries.

    Attributes:
        lamps: the lamps' names; `buttons`, `turners`, `readers`, `scanners` the inputs'.
        buzzers: the lines that have a buzzer, by box.
        tower: whether there is a dice tower.
        board: whether there is a ten-cavity board; `voice` whether there is one that speaks.
        disk: the fault of the state folder's disk; empty if there is none.
        clock_set: whether the wall clock was set by the network.
    """

    lamps: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()
    turners: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    scanners: tuple[str, ...] = ()
    buzzers: Mapping[str, Collection[int]] = field(default_factory=dict)
    tower: bool = False
    board: bool = False
    voice: bool = False
    disk: Callable[[], str] = lambda: ""
    clock_set: Callable[[], bool] = lambda: True


NO_DEVICES = Bench()


class Trial:
    """One self-test under way.

    Args:
        hands: somebody is there to press and to lay knobs; else inputs are not waited for.
    """

    def __init__(
        self, sender: OutputSender, outputs: Outputs, bench: Bench, *, hands: bool, who: str
    ) -> None:
        self._sender = sender
        self._outputs = outputs
        self._bench = bench
        self._hands = hands
        self._who = who
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self.parts: list[Tried] = []
        self.asks: Sentence | None = None  # what a person must do now

    def take(self, event: Event) -> None:
        """Take an event of a device."""
        self._events.put_nowait(event)

    async def run(self) -> SelfTest:
        """Try everything, in an order that a person can follow."""
        self._sender.frame = True
        try:
            return await self._run()
        finally:
            self._sender.frame = False
            self._sender.publish()

    async def _run(self) -> SelfTest:
        bench = self._bench
        self._sender.tell(("self-test-begin",))
        await self._try_screen()
        await self._try_voice()
        for lamp in bench.lamps:
            await self._try_lamp(lamp)
        if bench.board:
            await self._try_board()
        for what, asks, wanted, blocks in self._inputs():
            await self._try_input(what, asks, wanted, blocks=blocks)
        for box, lines in bench.buzzers.items():
            await self._try_buzzers(box, lines)
        fault = await asyncio.to_thread(bench.disk)  # it writes and syncs
        self._found("disk", not fault, "written and read; there is room", fault, blocks=True)
        rough = "not set by the network: times in the record are rough"
        self._add("clock", "good", "set by the network" if bench.clock_set() else rough)
        return SelfTest(parts=tuple(self.parts), who=self._who or None)

    def _inputs(self) -> Iterator[tuple[str, Sentence, Callable[[Any], bool], bool]]:
        """Yield the inputs that one event proves: name, what a person must do, which event it is,
        and whether a fault could affect a game."""
        bench = self._bench
        for name in bench.buttons:
            is_press = partial(_is, Pressed, "button", (name,))
            yield f"button {name}", said("press the button {name}", name=name), is_press, False
        for name in bench.turners:
            asks = said("turn the knob {name}", name=name)
            yield f"knob {name}", asks, partial(_is, Turned, "", ()), False
        for name in bench.readers:
            which = name if len(bench.readers) > 1 else said("the reader")
            is_read = partial(_is, TagRead, "reader", (name, "reader"))
            yield name, said("lay a ball on {which}", which=which), is_read, True
        for name in bench.scanners:
            is_scan = partial(_is, Scanned, "scanner", (name,))
            yield name, said("show a card to the {name}", name=name), is_scan, False
        if bench.tower:
            is_throw = partial(_is, Thrown, "", ())
            yield "tower", said("throw a die into the tower"), is_throw, False

    def _add(self, what: str, result: Result, say: str = "", *, blocks: bool = False) -> None:
        self.parts.append(Tried(what=what[:60], result=result, say=say[:300], blocks=blocks))

    def _found(self, what: str, good: bool, say: str, fault: str, *, blocks: bool = False) -> None:
        self._add(what, "good" if good else "fault", say if good else fault, blocks=blocks)

    def _lost(self, device: str, what: str, *, blocks: bool = False) -> bool:
        """Note a device that is known not to work, instead of waiting; return whether it is one."""
        sign = self._sender.signs.get(device)
        if sign is None:
            return False
        self._add(what, "fault", sign.text, blocks=blocks)
        return True

    async def _try_screen(self) -> None:
        self._sender.publish()
        await asyncio.sleep(FRAME_S)
        self._add("screen", "good", FRAME_SAID)

    async def _try_voice(self) -> None:
        if not self._bench.voice:
            self._add("voice", "skipped", "the settings have none")
            return
        if self._lost("speech", "voice"):
            return
        token, there = self._sender.try_voice()
        is_end = partial(_is, SoundEnded, "token", (token,))
        ended = await self._wait(is_end, VOICE_LIMIT_S) if there else None
        heard = isinstance(ended, SoundEnded) and ended.heard
        self._found("voice", heard, "the test word was played", "the test word was not played")

    async def _try_lamp(self, lamp: str) -> None:
        if self._lost("lamps", f"lamp {lamp}"):
            return
        for name in self._bench.lamps:
            self._outputs.lamp(name, Light.ON if name == lamp else Light.OFF)
        await asyncio.sleep(LAMP_S)
        self._add(f"lamp {lamp}", "good", "lit, the others dark: look")

    async def _try_board(self) -> None:
        if self._lost("matrix", "board"):
            return
        token = 0
        for place in _PLACES:
            token = -1 - place  # of no announcement and no picture of the game
            cavities = (Cavity(at + 1, newest=True) if at == place else None for at in _PLACES)
            self._outputs.light(tuple(cavities), token)
            await asyncio.sleep(CAVITY_S)
        shown = await self._wait(partial(_is, BoardShown, "token", (token,)), BOARD_LIMIT_S)
        lit = "1 to 10, one cavity after the other"
        self._found("board", shown is not None, lit, "it shows nothing")

    async def _try_buzzers(self, box: str, lines: Collection[int]) -> None:
        """Wait for every buzzer once, in any order: players who are there press their own."""
        if self._untried(box):
            return
        silent = set(lines)
        while silent:
            still = number_list(sorted(silent))
            self._ask(
                said(
                    "press every buzzer of the {box} once; still silent: {still}",
                    box=box,
                    still=still,
                )
            )
            came = await self._wait(partial(_is, Buzzed, "box", (box,)), HANDS_LIMIT_S)
            if not isinstance(came, Buzzed):
                break
            silent.discard(came.line)
        self.asks = None
        fault = f"silent: {number_list(sorted(silent))}" if silent else ""
        self._found(box, not silent, "all of them came", fault)

    def _untried(self, what: str, *, blocks: bool = False) -> bool:
        """Note an input that is lost, or that nobody tries; return whether it is one."""
        if self._lost(what, what, blocks=blocks):
            return True
        if not self._hands:
            self._add(what, "skipped", "nobody was there to try it")
        return not self._hands

    def _ask(self, what: Sentence) -> None:
        self.asks, self._sender.notice = what, self._sender.told(what)
        self._sender.publish()

    async def _try_input(
        self, what: str, asks: Sentence, wanted: Callable[[Event], bool], *, blocks: bool = False
    ) -> None:
        if self._untried(what, blocks=blocks):
            return
        self._ask(asks)
        came = await self._wait(wanted, HANDS_LIMIT_S)
        self.asks = None
        nothing = f"nothing came within {HANDS_LIMIT_S:.0f} s"
        self._found(what, came is not None, "it came", nothing, blocks=blocks)

    async def _wait(self, wanted: Callable[[Any], bool], limit_s: float) -> Event | None:
        """Wait for the first wanted event, forgetting the others; return None if it is late."""
        try:
            async with asyncio.timeout(limit_s):
                while not wanted(event := await self._events.get()):
                    if isinstance(event, DeviceLost | DeviceFound):
                        continue  # the desk has put its sign up, or down
                return event
        except TimeoutError:
            return None


def _is(kind: type, field: str, values: tuple[object, ...], event: Event) -> bool:
    """Return whether an event is of this kind, and its field, if one is named, has such a value."""
    return isinstance(event, kind) and (not field or getattr(event, field) in values)
