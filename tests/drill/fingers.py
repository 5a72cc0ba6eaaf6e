"""The players' fingers on their buzzers, and what the station heard of them: each press once, when
it was, and no other.

What must be heard is what was pressed while the box was plugged in and spoke, on a buzzer that had
been heard to be up before. What was pressed while its cable was out, or before it was heard again,
is no press, however long it is held. Of what was pressed while it was silent or just starting
nothing is known but that it is heard once at most, before it is let go.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from random import Random

from drivers import Buzzed
from tests.drill.notebook import SAME_S, Notebook
from tests.drill.world import LINES, Life, World

LATE_S = 0.2  # what a lost frame said is said again within 0.1 s, and looked for as often
KNOWN_S = 0.15  # a buzzer must have been known to be up for more than its bounces
# one that was held too long, or when the box was plugged in, counts again when it was up for so
# long
FREED_S = 1.0 + LATE_S
STUCK_S = 30.0  # as of `drivers.pins.buzzers`


@dataclass
class Finger:
    """A finger on a buzzer.

    Attributes:
        late_s: how much later than it came it may have been heard, its frame being lost.
        most: how often it may have been heard.
        sure: it must have been heard.
        up: when it went.
        heard: how often it was.
    """

    line: int
    at: float
    life: Life | None
    late_s: float
    most: int
    sure: bool
    up: float = math.inf
    heard: int = 0


@dataclass
class Fingers:
    """All that the players did, and all that was heard of it."""

    world: World
    book: Notebook
    chance: Random
    pressed: list[Finger] = field(default_factory=list)
    _on: dict[int, Finger] = field(default_factory=dict)  # the newest of each line

    def __post_init__(self) -> None:
        self.world.buzzed = self._heard

    async def pause(self, least: float, most: float) -> None:
        """Some seconds."""
        await asyncio.sleep(self.chance.uniform(least, most))

    async def press_on(self) -> None:
        """Somebody presses a buzzer, for ever."""
        while True:
            await self.pause(0.2, 7.0)
            await self.press(
                self.chance.uniform(0.05, 0.5), bounces=self.chance.choice((0, 0, 1, 7))
            )

    async def press(
        self, seconds: float, bounces: int = 0, lost: bool = False, damaged: bool = False
    ) -> bool:
        """Somebody presses for so long; False when nobody has a hand free.

        Args:
            lost: the frame that says so is.
            damaged: that frame is damaged.
        """
        world, box = self.world, self.world.box
        free = [
            line
            for line in range(1, LINES + 1)
            if line not in self._on or self._on[line].up < math.inf
        ]
        if not free:
            return False
        line = self.chance.choice(free)
        late_s = LATE_S if lost or damaged else 0.0
        finger = self._on[line] = Finger(
            line, world.now, world.life, late_s, int(box.known), self._sure(line)
        )
        self.pressed.append(finger)
        world.story(
            f"the buzzer {line} is pressed{' unheard' * lost}{' and damaged' * damaged}, {bounces}"
            " bounces"
        )
        if lost:
            box.press_unheard(line)
        elif damaged:
            box.press_damaged(line)
        else:
            for _ in range(bounces):
                box.press(line)
                box.release(line)
            box.press(line)
        try:
            await asyncio.sleep(seconds)
        finally:
            finger.up = world.now
            world.story(f"the buzzer {line} is let go")
            box.release(line)
        return True

    def _sure(self, line: int) -> bool:
        """Whether this buzzer, pressed now, must be heard."""
        world, life, before = self.world, self.world.life, self._on.get(line)
        if life is None or life.dead:
            return False
        up_for = min(
            world.now - max(world.box.heard_since, life.began),
            world.now - before.up if before is not None else math.inf,
        )
        stuck = before is not None and (
            not before.sure or before.life is not life or before.up - before.at > STUCK_S - LATE_S
        )
        return up_for > (FREED_S if stuck else KNOWN_S)

    def _heard(self, event: Buzzed) -> None:
        life = self.world.life
        fits = [
            finger
            for finger in self.pressed
            if finger.line == event.line and finger.life is life and self._fits(finger, event.at)
        ]
        if not fits:
            self.book.blame(
                f"the buzzer {event.line} is heard at {event.at:.3f}, and nobody pressed it"
            )
            return
        finger = fits[-1]
        finger.heard += 1
        if finger.heard > finger.most:
            self.book.blame(
                f"the buzzer {event.line}, pressed at {finger.at:.3f}, is heard {finger.heard}"
                f" times, not {finger.most}"
            )

    def _fits(self, finger: Finger, at: float) -> bool:
        latest = finger.at + finger.late_s if finger.sure else finger.up
        return finger.at - SAME_S <= at <= latest + SAME_S

    def compare(self) -> None:
        """What had to be heard was."""
        for finger in self.pressed:
            gone = (
                finger.life is not None and finger.life.ended - finger.at <= finger.late_s + SAME_S
            )
            # Its only frame was lost, and the finger was gone before the box could say it again.
            untold = finger.up - finger.at <= finger.late_s
            if finger.sure and not (gone or untold) and not finger.heard:
                self.book.blame(
                    f"the buzzer {finger.line} was pressed at {finger.at:.3f}, and it was not heard"
                )
