"""Carry out a self-test (H2) on the devices, between games, beside the desk.

`station.checkup.selftest` has the steps and the words of the results. The steps need the outputs
and wait for events, so this room carries them out. The desk hands over every event meanwhile. The
results become one act in the journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from drivers import BoardShown, Buzzed, Cavity, DeviceFound, DeviceLost, Event, Light, SoundEnded
from station.base.nouns import CAVITIES
from station.base.said import Sentence
from station.calling.outputs import Outputs, OutputSender
from station.checkup.findings import NOTHING, PartFinding
from station.checkup.selftest import (
    HANDS_LIMIT_S,
    ROUGH,
    Bench,
    TrialKind,
    TrialStep,
    plan,
    still_asked,
)
from station.night.acts import SelfTest, Tried

LAMP_S = 0.6  # long enough to be seen from the table
CAVITY_S = 0.3
FRAME_S = 2.0
VOICE_LIMIT_S = 8.0  # the voice driver ends a hung announcement itself after 4 s
BOARD_LIMIT_S = 2.0
_PLACES = range(CAVITIES)


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
        """Try everything, in the order of the plan."""
        self._sender.frame = True
        try:
            self._sender.tell(("self-test-begin",))
            for step in plan(self._bench):
                self.parts.append(tried_of(await self._found(step)))
            return SelfTest(parts=tuple(self.parts), who=self._who or None)
        finally:
            self._sender.frame = False
            self._sender.publish()

    async def _found(self, step: TrialStep) -> PartFinding:
        match step.kind:
            case TrialKind.SCREEN:
                self._sender.publish()
                await asyncio.sleep(FRAME_S)
                return step.passed()
            case TrialKind.DISK:
                fault = await asyncio.to_thread(self._bench.disk)  # it writes and syncs
                return step.failed(fault) if fault else step.passed()
            case TrialKind.CLOCK:
                return step.passed("" if self._bench.clock_set() else ROUGH)
            case TrialKind.VOICE if not self._bench.voice:
                return step.skipped("the settings have none")
        if (sign := self._sender.signs.get(step.device)) is not None:
            return step.lost(sign.text)  # it is known not to work: wait for nothing
        return await self._tried(step)

    async def _tried(self, step: TrialStep) -> PartFinding:
        match step.kind:
            case TrialKind.VOICE:
                return step.result(good=await self._plays())
            case TrialKind.LAMP:
                await self._light(step.part)
                return step.passed()
            case TrialKind.BOARD:
                return step.result(good=await self._shows())
            case _ if not self._hands:
                return step.skipped("nobody was there to try it")
            case TrialKind.BUZZERS:
                return step.without(await self._silent(step))
        return step.result(good=await self._comes(step))

    async def _plays(self) -> bool:
        token, there = self._sender.try_voice()

        def is_end(event: Event) -> bool:
            return isinstance(event, SoundEnded) and event.token == token

        ended = await self._wait(is_end, VOICE_LIMIT_S) if there else None
        return isinstance(ended, SoundEnded) and ended.heard

    async def _light(self, part: str) -> None:
        for name in self._bench.lamps:
            self._outputs.lamp(name, Light.ON if part == f"lamp {name}" else Light.OFF)
        await asyncio.sleep(LAMP_S)

    async def _shows(self) -> bool:
        token = 0
        for place in _PLACES:
            token = -1 - place  # of no announcement and no picture of the game
            cavities = (Cavity(at + 1, newest=True) if at == place else None for at in _PLACES)
            self._outputs.light(tuple(cavities), token)
            await asyncio.sleep(CAVITY_S)

        def is_shown(event: Event) -> bool:
            return isinstance(event, BoardShown) and event.token == token

        return await self._wait(is_shown, BOARD_LIMIT_S) is not None

    async def _silent(self, step: TrialStep) -> set[int]:
        """Wait for every buzzer once, in any order: players who are there press their own. Return
        those that have not come."""
        silent = set(step.lines)
        while silent:
            self._ask(still_asked(step.part, silent))
            came = await self._wait(step.proves, HANDS_LIMIT_S)
            if not isinstance(came, Buzzed):
                break
            silent.discard(came.line)
        self.asks = None
        return silent

    async def _comes(self, step: TrialStep) -> bool:
        self._ask(step.asks)
        came = await self._wait(step.proves, HANDS_LIMIT_S)
        self.asks = None
        return came is not None

    def _ask(self, what: Sentence) -> None:
        self.asks, self._sender.notice = what, self._sender.told(what)
        self._sender.publish()

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


def tried_of(found: PartFinding) -> Tried:
    """Return a finding as the journal keeps it."""
    say = "; ".join(str(one) for one in (found.say, found.todo) if one != NOTHING)
    return Tried(what=found.part[:60], result=found.result, say=say[:300], blocks=not found.advice)
