"""Test the station itself (H2): light lamps and cavities in turn, speak a word, wait for each
input, check disk and clock.

It runs between games beside the desk, which hands it every event; what it found becomes one act in
the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
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
    Held,
    Light,
    Pressed,
    Rank,
    ReadRefused,
    Scanned,
    SoundEnded,
    TagRead,
    Turned,
)
from station.base.nouns import CAVITIES, number_list
from station.calling.outputs import Outputs, OutputSender
from station.night.acts import SelfTest, Tried

LAMP_S = 0.6  # long enough to be seen from the table
CAVITY_S = 0.3
VOICE_LIMIT_S = 8.0  # the voice driver ends a hung announcement itself after 4 s
BOARD_LIMIT_S = 2.0
HANDS_LIMIT_S = 30.0

Result: TypeAlias = Literal["good", "fault", "skipped"]


@dataclass(frozen=True)
class Bench:
    """The devices that a self-test tries.

    Attributes:
        lamps: the lamps' names; `buttons`, `turners`, `readers`, `scanners` the inputs'.
        buzzers: the lines that have a buzzer, by box.
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
    board: bool = False
    voice: bool = False
    disk: Callable[[], str] = lambda: ""
    clock_set: Callable[[], bool] = lambda: True


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
        self.asks = ""  # what a person must do now

    def take(self, event: Event) -> bool:
        """Take every event; return whether the desk must ignore it: during the test a press is no
        press for the desk."""
        self._events.put_nowait(event)
        return isinstance(event, Pressed | Buzzed | Held | TagRead | ReadRefused | Scanned | Turned)

    async def run(self) -> SelfTest:
        """Try everything, in an order that a person can follow."""
        bench = self._bench
        self._sender.tell(("self-test-begin",))
        await self._try_voice()
        for lamp in bench.lamps:
            await self._try_lamp(lamp)
        if bench.board:
            await self._try_board()
        for button in bench.buttons:
            await self._try_input(
                f"button {button}", f"press the button {button}", partial(_is_press, button)
            )
        for knob in bench.turners:
            await self._try_input(
                f"knob {knob}", f"turn the knob {knob}", lambda event: isinstance(event, Turned)
            )
        for reader in bench.readers:
            await self._try_reader(reader)
        for scanner in bench.scanners:
            await self._try_scanner(scanner)
        for box, lines in bench.buzzers.items():
            await self._try_buzzers(box, lines)
        fault = await asyncio.to_thread(bench.disk)  # it writes and syncs
        self._add(
            "disk",
            "fault" if fault else "good",
            fault or "written and read; there is room",
            blocks=True,
        )
        known = bench.clock_set()
        self._add(
            "clock",
            "good",
            (
                "set by the network"
                if known
                else "not set by the network: times in the record are rough"
            ),
        )
        return SelfTest(parts=tuple(self.parts), who=self._who or None)

    def _add(self, what: str, result: Result, say: str = "", *, blocks: bool = False) -> None:
        self.parts.append(Tried(what=what[:60], result=result, say=say[:300], blocks=blocks))

    def _lost(self, device: str, what: str, *, blocks: bool = False) -> bool:
        """Note that a device is known not to work, without waiting for it; return whether that is
        so."""
        sign = self._sender.signs.get(device)
        if sign is None:
            return False
        self._add(what, "fault", sign.text, blocks=blocks)
        return True

    async def _try_voice(self) -> None:
        if not self._bench.voice:
            self._add("voice", "skipped", "the settings have none")
            return
        if self._lost("speech", "voice"):
            return
        token, there = self._sender.speak(("test-word",), Rank.STOP)
        ended = (
            await self._wait(
                lambda event: isinstance(event, SoundEnded) and event.token == token, VOICE_LIMIT_S
            )
            if there
            else None
        )
        heard = isinstance(ended, SoundEnded) and ended.heard
        self._add(
            "voice",
            "good" if heard else "fault",
            "the test word was played" if heard else "the test word was not played",
        )

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
        for place in range(CAVITIES):
            token = -1 - place  # of no announcement and no picture of the game
            self._outputs.light(
                tuple(
                    Cavity(at + 1, newest=True) if at == place else None for at in range(CAVITIES)
                ),
                token,
            )
            await asyncio.sleep(CAVITY_S)
        shown = await self._wait(
            lambda event: isinstance(event, BoardShown) and event.token == token, BOARD_LIMIT_S
        )
        self._add(
            "board",
            "good" if shown else "fault",
            "1 to 10, one cavity after the other" if shown else "it shows nothing",
        )

    async def _try_reader(self, reader: str) -> None:
        if self._lost(reader, reader, blocks=True):
            return
        wanted = (
            f"lay a knob on {reader}"
            if len(self._bench.readers) > 1
            else "lay a knob on the reader"
        )
        await self._try_input(
            reader,
            wanted,
            lambda event: isinstance(event, TagRead) and event.reader in (reader, "reader"),
            blocks=True,
        )

    async def _try_scanner(self, scanner: str) -> None:
        await self._try_input(
            scanner,
            f"show a card to the {scanner}",
            lambda event: isinstance(event, Scanned) and event.scanner == scanner,
        )

    async def _try_buzzers(self, box: str, lines: Collection[int]) -> None:
        """Wait for every buzzer once, in any order: players who are there press their own."""
        if self._lost(box, box):
            return
        if not self._hands:
            self._add(box, "skipped", "nobody was there to try it")
            return
        silent = set(lines)
        while silent:
            self._ask(
                f"press every buzzer of the {box} once; still silent: {number_list(sorted(silent))}"
            )
            came = await self._wait(
                lambda event: isinstance(event, Buzzed) and event.box == box, HANDS_LIMIT_S
            )
            if not isinstance(came, Buzzed):
                break
            silent.discard(came.line)
        self.asks = ""
        self._add(
            box,
            "fault" if silent else "good",
            f"silent: {number_list(sorted(silent))}" if silent else "all of them came",
        )

    def _ask(self, what: str) -> None:
        self.asks = self._sender.notice = what
        self._sender.publish()

    async def _try_input(
        self, what: str, asks: str, wanted: Callable[[Event], bool], *, blocks: bool = False
    ) -> None:
        if self._lost(what, what):
            return
        if not self._hands:
            self._add(what, "skipped", "nobody was there to try it")
            return
        self._ask(asks)
        came = await self._wait(wanted, HANDS_LIMIT_S)
        self.asks = ""
        self._add(
            what,
            "good" if came else "fault",
            "it came" if came else f"nothing came within {HANDS_LIMIT_S:.0f} s",
            blocks=blocks,
        )

    async def _wait(self, wanted: Callable[[Any], bool], limit_s: float) -> Event | None:
        """Wait for the first wanted event and forget the others; return None if it does not come in
        time."""
        try:
            async with asyncio.timeout(limit_s):
                while not wanted(event := await self._events.get()):
                    if isinstance(event, DeviceLost | DeviceFound):
                        continue  # the desk has put its sign up, or down
                return event
        except TimeoutError:
            return None


def _is_press(name: str, event: Event) -> bool:
    return isinstance(event, Pressed) and event.button == name
