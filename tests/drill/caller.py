"""The caller of a drill: draws with the button, by knob and over the wire, as people do, and
switches the station on again.

Stops with either of two buttons or both, mutes, turns the knob for the pace, puts knobs away into
the tray.

A caller believes what is heard and seen: lays a knob down until it is called or refused aloud, asks
again over the wire when no answer came, plays on when the station waits for that, switches it off
and on when it has halted. All goes into the notebook.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random

from station.base.nouns import KNOBS
from station.wire.wire import Message
from station.wire.wording import load_wording
from tests.drill.evening import PACK
from tests.drill.notebook import Knob, Notebook, Press
from tests.drill.world import Life, World, tag_of

PRESS_S = 0.08
SURE_S = 0.001  # what is down for so long is a press, as of `drivers.pins.button`
DEAF_S = 0.05  # a button has come up when it was quiet for so long, as of `drivers.pins.button`
AT_ONCE_S = 2.0
LEAST_PACE_S, MOST_PACE_S = 2, 60
MUTED = "sound"  # the sign of it
FINGER_S = 0.1  # no finger comes down again sooner; a button is deaf for 50 ms
LOOK_S = 4.0  # so long a knob lies there before it is taken up and laid again
PATIENCE_S = 120.0
# a knob that is drawn, not called; the voice may hang twice, each announcement before it takes its
# time
CALLED_S = 40.0
REFUSALS = {("two-knobs",), ("already-drawn",), ("unknown-knob",)}
OFF: Message = {
    "phase": "off",
    "called": [],
    "signs": [],
    "notice": "",
    "calling": False,
    "auto": {"on": False, "pace": 0},
}


class Caller:
    """The caller.

    Args:
        bounce: whether buttons bounce.

    Attributes:
        bounces: how often a pressed button bounced.
    """

    def __init__(self, world: World, book: Notebook, chance: Random, bounce: bool = True) -> None:
        self.bounces = 0
        self._how_often = (0, 0, 1, 7) if bounce else (0,)
        self._world = world
        self._book = book
        self._chance = chance
        self._on = asyncio.Event()
        self._off = asyncio.Event()  # the station is to be switched off and on
        self._waits = load_wording("en").screen["drawn-not-called"]

    # -- the station is switched on, and off -------------------------------------------------------

    async def begin(self) -> None:
        """The station is switched on, all cards are sold, the first game is opened."""
        await self._switch_on()
        await self._wish("sell", "sell", serials=list(PACK.serials), to="Anna", games=2)
        await self._wish("open", "open")

    async def _switch_on(self) -> None:
        await self._world.start()
        self._on.set()

    async def keep_on(self) -> None:
        """Switches the station on again, whenever it is off; for ever."""
        while True:
            waits = {asyncio.ensure_future(event.wait()) for event in (self._world.cut, self._off)}
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
            self._on.clear()
            if self._off.is_set():
                self._world.story("the station is switched off and on")
                if self._chance.random() < 0.5:
                    self._world.power_cut()
            await self._world.end()
            self._off.clear()
            await self.pause(1.0, 15.0)
            await self._switch_on()

    @property
    def on(self) -> bool:
        """Whether the station is on."""
        return self._on.is_set() and not self._world.cut.is_set() and not self._off.is_set()

    async def until_on(self) -> None:
        """Returns when the station is on."""
        if not self.on:
            self._on.clear()  # whoever switches it on may not have heard of it yet
        await self._on.wait()

    async def pause(self, least: float, most: float) -> None:
        """Some seconds."""
        await asyncio.sleep(self._chance.uniform(least, most))

    # -- what is seen ------------------------------------------------------------------------------

    @property
    def view(self) -> Message:
        """What the screen shows."""
        life = self._world.life
        return life.view if life is not None and life.view else OFF

    @property
    def muted(self) -> bool:
        """Whether the sound is off."""
        return any(sign["device"] == MUTED for sign in self.view["signs"])

    @property
    def _waiting(self) -> int | None:
        """The number that is shown as drawn and not called."""
        notice = self.view["notice"]
        return next(
            (
                number
                for number in range(1, KNOBS + 1)
                if notice == self._waits.format(number=number)
            ),
            None,
        )

    def _called(self, number: int) -> bool:
        return number in self.view["called"]

    def _called_or_waits(self, number: int) -> bool:
        return self._called(number) or self.view["notice"] == self._waits.format(number=number)

    def _called_or_over(self, number: int, life: Life | None) -> bool:
        return self._called(number) or self._over(life)

    def _over(self, life: Life | None) -> bool:
        return self._world.life is not life or not self.on or self.view["phase"] == "halted"

    def _refused(self, heard: int) -> bool:
        return any(said.clips in REFUSALS for said in self._world.spoken[heard:])

    def _answered(self, number: int, heard: int) -> bool:
        return self._called_or_waits(number) or self._refused(heard)

    # -- what is done ------------------------------------------------------------------------------

    async def act(self) -> None:
        """One thing that a caller does."""
        await self.until_on()
        if self.view["phase"] == "halted":
            self._off.set()
            return
        if self.view["phase"] == "stopped":
            await self.play_on()
            return
        acts: list[tuple[Callable[[], Awaitable[None]], int]] = [
            (self._press, 30),
            (self.draw_knob, 30),
            (self._draw, 20),
            (self._undo, 5),
            (self._stop, 5),
            (self._mute, 3),
            (self._turn, 3),
            (self._put_away, 8),
        ]
        [act] = self._chance.choices([act for act, _ in acts], [weight for _, weight in acts])
        await act()

    async def play_on(self) -> None:
        """The game goes on, if it was stopped."""
        if self.view["phase"] == "stopped":
            await self._wish(f"play-on-{len(self._book.wishes)}", "play-on")

    async def _press(self) -> None:
        if self.may_press("draw"):
            life, view = self._world.life, self.view
            bounces = self._chance.choice(self._how_often)
            self.bounces += bounces > 0
            idle = view["phase"] == "playing" and not view["calling"] and self._waiting is None
            self.press("draw", bounces)
            await asyncio.sleep(PRESS_S)
            shown = self._waiting if idle and self._world.see_first else None
            self.let_go("draw")
            if shown is not None:
                await self._sees(
                    partial(self._called, shown),
                    life,
                    f"{shown} was shown, the button let go, and it is not called",
                )

    def may_press(self, button: str) -> bool:
        """Whether a finger may come: nothing is on the button, it works, and it has been up for a
        moment."""
        world, life = self._world, self._world.life
        rested = world.now - world.let_go.get(button, -math.inf) > FINGER_S
        return (
            rested
            and button not in world.held
            and life is not None
            and not life.dead
            and not life.ill[f"button {button}"].ill
        )

    def press(self, button: str, bounces: int = 0) -> None:
        """A finger comes down, and stays."""
        life = self._world.life
        sure = not self._world.see_first
        if button == "draw" and life is not None and (self.view["phase"] == "playing" or not sure):
            self._book.presses.append(Press(self._world.now + SURE_S, life, sure))
        self._world.story(f"the button {button} is pressed, {bounces} bounces")
        self._world.press(button, bounces)

    def let_go(self, button: str) -> None:
        """The finger comes up, which calls a number that was shown."""
        life = self._world.life
        if button == "draw" and life is not None and self._world.see_first:
            self._book.presses.append(Press(self._world.now + DEAF_S, life, sure=False))
        self._world.release(button)

    async def _stop(self) -> None:
        life, spoken = self._world.life, self._world.spoken
        wanted, before = (
            self._chance.choice((["claim"], ["claim-2"], ["claim", "claim-2"])),
            len(spoken),
        )
        claims = [button for button in wanted if self.may_press(button)]
        for button in claims:
            self.press(button)
        await asyncio.sleep(PRESS_S)
        for button in claims:
            self.let_go(button)
        if claims:
            # Heard, not seen: a thing that lies on another button may have it play on at once.
            await self._sees(
                lambda: ("stop",) in {said.clips for said in spoken[before:]},
                life,
                f"{claims} did not stop the game",
            )
            await self.pause(0.5, 3.0)

    async def _mute(self) -> None:
        if self.may_press("mute"):
            life, muted = self._world.life, self.muted
            self.press("mute")
            await asyncio.sleep(PRESS_S)
            self.let_go("mute")
            await self._sees(lambda: self.muted != muted, life, "the sound was not switched")

    async def _turn(self) -> None:
        life, steps = self._world.life, self._chance.choice((-60, -3, -1, 1, 2, 60))
        wanted = min(max(self.view["auto"]["pace"] + steps, LEAST_PACE_S), MOST_PACE_S)
        self._world.story(f"the knob for the pace is turned by {steps}")
        self._world.turn(steps)
        await self._sees(
            lambda: self.view["auto"]["pace"] == wanted, life, f"the pace is not {wanted:g}"
        )

    async def _put_away(self) -> None:
        """A knob is laid into the tray: as called, or past the reader."""
        called = self.view["called"] if self._chance.random() < 0.8 else []
        number = self._chance.choice(called or range(1, KNOBS + 1))
        self._book.away.add(number)
        self._world.story(f"the knob {number} is laid into the tray")
        self._world.tray.drop(tag_of(number))
        await self.pause(0.1, 1.5)
        self._world.tray.lift()

    async def _sees(self, wanted: Callable[[], bool], life: Life | None, else_: str) -> None:
        await self._world.until(lambda: wanted() or self._over(life), AT_ONCE_S)
        self._book.must(wanted() or self._over(life), else_)

    async def _draw(self) -> None:
        wish_id = f"draw-{len(self._book.wishes)}"
        answer = await self._wish(wish_id, "draw")
        if self._chance.random() < 0.2:
            again = await self._wish(wish_id, "draw")
            self._book.must(
                "refused" in answer or again == answer,
                f"{wish_id} was answered {answer}, and then {again}",
            )

    async def _undo(self) -> None:
        if self.view["called"]:
            await self._wish(f"undo-{len(self._book.wishes)}", "undo", why="misread")

    async def _wish(self, wish_id: str, act: str, **arguments: object) -> Message:
        """A wish, sent until there is an answer: whoever had none cannot know."""
        answer = None
        while answer is None:
            self._world.story(f"{wish_id}: {act} over the wire")
            answer = await self._world.ask(wish_id, act, **arguments)
            if answer is None:
                await asyncio.sleep(0.1)
                await self.until_on()
        if "ok" in answer or wish_id not in self._book.wishes:
            self._book.wishes[wish_id] = answer
        return answer

    async def _call_seen(self, number: int, life: Life | None) -> None:
        """A knob that is shown is called by a press."""
        until = self._world.now + CALLED_S
        while not self._called_or_over(number, life) and self._world.now < until:
            await self.play_on()
            await self._press()
            await asyncio.sleep(1)

    async def draw_knob(self) -> None:
        """A knob is drawn from the bag and laid on the reader, until it is called or refused
        aloud."""
        number = self._chance.choice(
            [number for number in range(1, KNOBS + 1) if not self._called(number)]
        )
        knob = Knob(number, self._world.now)
        self._book.knobs.append(knob)
        while not knob.refused and not self._called(number):
            self._book.must(
                self._world.now - knob.at < PATIENCE_S,
                f"the knob {number} was laid down again and again, and nobody called it",
            )
            if self.view["phase"] == "halted":
                self._off.set()
            await self.until_on()
            await self.play_on()
            await self._lay(knob)

    async def _lay(self, knob: Knob) -> None:
        world, number = self._world, knob.number
        life, heard = world.life, len(world.spoken)
        world.story(f"the knob {number} is laid on the reader")
        world.lay(number)
        await world.until(partial(self._answered, number, heard), LOOK_S)
        world.lay(None)
        world.story(f"the knob {number} is taken away")
        if self._called_or_waits(number):
            if world.see_first:
                await self._call_seen(number, life)
            called = await world.until(partial(self._called_or_over, number, life), CALLED_S)
            self._book.must(
                called or self._over(life),
                f"the knob {number} is shown as drawn, not called, for {CALLED_S:g} s",
            )
        elif self._refused(heard):
            knob.refused = True
        elif not self._over(life):
            await asyncio.sleep(1.2)  # a knob must be away for a second to count again
