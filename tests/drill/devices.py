"""The drill of the devices: an evening of fifty calls in virtual time, while everything fails that
can, at random and at once.

Numbers are drawn with the button, by knobs laid on the reader, over the wire; in some halls they
are seen before they are called. Meanwhile the reader's cable is pulled, two knobs lie on it, frames
come damaged, torn, foreign, as garbage; the voice is killed, hangs, has no loudspeaker; the board's
bus fails, a spark garbles it; buttons bounce, are held, stick; the buzzer box is pulled out, is
silent, starts again, its frames are lost and damaged, while players press; lamps fail; screens
come, sleep and go; the clock is set by years, either way; the disk fails; the power goes. H38: all
devices come back by themselves, all of it is recorded, no call is lost or doubled.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from drivers.readers.frames import encode
from drivers.simulated.readers import FOREIGN
from station.base.errors import LotoError
from station.base.nouns import KNOBS
from tests.drill.caller import Caller
from tests.drill.course import Broken, luck
from tests.drill.fingers import STUCK_S, Fingers
from tests.drill.memory_disk import Failing
from tests.drill.notebook import Knob, Notebook, board_fault
from tests.drill.virtual_time import VirtualLoop
from tests.drill.world import WALL, Life, World, tag_of

NAME = "devices"
CALLS = 50
SEE_FIRST = 0.3  # of the halls
CALM_S = 75.0  # the voice may be tried again after half a minute only
KNOB_S = 30.0  # the caller comes with a knob before that
REFRESH_S = 1.1  # the board is written again each second
ERRORS = (errno.EIO, errno.ENOSPC, errno.EROFS, None)

BOUNCE = "a button bounces"
READER = (
    "the reader is unplugged",
    "two knobs",
    "a foreign tag",
    "a damaged frame",
    "a torn frame",
    "garbage",
)
VOICE = ("the voice is killed", "the voice hangs", "the loudspeaker is away")
BOARD = ("the board's bus fails", "a spark on the board", "the board loses its supply")
LAMPS = ("the lamps fail",)
BUTTON = ("a button is held",)
SCREENS = ("a screen sleeps", "a screen wakes up", "a screen is switched off")
TRAY = ("the tray's reader is unplugged",)
BOX = (
    "the buzzer box is unplugged",
    "the buzzer box is silent",
    "the buzzer box starts again",
    "rubbish from the buzzer box",
    "a press is lost on the line",
    "a press is damaged on the line",
)
BUZZER = ("a buzzer is held",)
POWER = ("the power goes",)
DISK = ("the disk fails",)
CLOCK = ("the clock jumps",)
FAULTS = frozenset(
    {
        BOUNCE,
        *READER,
        *VOICE,
        *BOARD,
        *LAMPS,
        *BUTTON,
        *SCREENS,
        *TRAY,
        *BOX,
        *BUZZER,
        *POWER,
        *DISK,
        *CLOCK,
    }
)
# What a wall clock may say: the first second, the year 2000, and beyond what 31 and 32 bits hold.
WALLS = (0.0, 946_684_800.0, WALL, 2.0**31, 2.0**32, 7_258_118_400.0)


def check(seed: int, case: int) -> int:
    """One evening; gives how many faults there were in it."""
    return sum(play(luck(NAME, seed, case)).faults.values())


def play(chance: Random, calls: int = CALLS, faults: Collection[str] = FAULTS) -> Evening:
    """One evening of so many calls, with these faults, played to its end.

    Raises:
        Broken: with what was wrong and the scenario: virtual times, and what happened.
    """
    with (
        tempfile.TemporaryDirectory(prefix="loto-drill-") as folder,
        asyncio.Runner(loop_factory=VirtualLoop) as runner,
    ):
        return runner.run(_played(Path(folder), chance, calls, faults))


async def _played(folder: Path, chance: Random, calls: int, faults: Collection[str]) -> Evening:
    evening = Evening(World(folder, chance, see_first=chance.random() < SEE_FIRST), chance, faults)
    with _stumbles(evening.book):
        try:
            await evening.play(calls)
        except BaseExceptionGroup as group:
            [first, *_] = group.exceptions
            raise (
                first if isinstance(first, Broken) else Broken(evening.world.told_as(repr(first)))
            ) from first
        except (LotoError, TimeoutError) as error:
            raise (
                error if isinstance(error, Broken) else Broken(evening.world.told_as(repr(error)))
            ) from error
        finally:
            await evening.world.end()
    return evening


@contextmanager
def _stumbles(book: Notebook) -> Iterator[None]:
    """What the station logs is kept from the terminal; an error that it did not foresee is a
    promise broken."""

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if (
                record.exc_info
                and record.levelno >= logging.ERROR
                and record.name != "drivers.pins.gpio"
            ):
                book.wrong.append(
                    f"the station stumbled: {record.getMessage()}: {record.exc_info[1]!r}"
                )

    ear = Ear()
    loggers = [logging.getLogger(name) for name in ("station", "drivers", "asyncio")]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(ear)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.removeHandler(ear)
            logger.propagate = propagate


class Evening:
    """A caller, a notebook, and everything that goes wrong.

    Attributes:
        faults: how often each came.
    """

    def __init__(self, world: World, chance: Random, wanted: Collection[str]) -> None:
        self.world = world
        self.faults: Counter[str] = Counter()
        self.book = Notebook(world)
        self._chance = chance
        self._wanted = wanted
        # Of its own luck: all else is the same evening with and without buzzers.
        self._fingers = Fingers(world, self.book, Random(repr(chance.getstate())))
        self._clock_chance = Random(f"clock {chance.getstate()!r}")
        self._caller = Caller(world, self.book, chance, bounce=BOUNCE in wanted)

    async def play(self, calls: int) -> None:
        """The whole evening. Raises `Broken`."""
        await self._caller.begin()
        troubles: dict[tuple[str, ...], Callable[[str], Awaitable[bool]]] = {
            READER: self._reader,
            VOICE: self._voice,
            BOARD: self._board,
            LAMPS: self._lamps,
            BUTTON: self._button,
            SCREENS: self._screens,
            TRAY: self._tray,
            BOX: self._box,
            BUZZER: self._buzzer,
            POWER: self._power,
            DISK: self._disk,
            CLOCK: self._clock,
        }
        async with asyncio.TaskGroup() as group:
            keeper = group.create_task(self._caller.keep_on())
            tasks = [group.create_task(self._for_ever(*trouble)) for trouble in troubles.items()]
            if not {*BOX, *BUZZER}.isdisjoint(self._wanted):
                tasks.append(group.create_task(self._fingers.press_on()))
            while self.book.draws < calls:
                await self._caller.pause(0.2, 4.0)
                await self._caller.act()
            for task in tasks:
                task.cancel()
            await self._calm()
            keeper.cancel()
        self.faults[BOUNCE] += self._caller.bounces
        self._fingers.compare()
        self.book.compare()

    async def _calm(self) -> None:
        """Every fault has gone: everything comes back by itself, and a knob is called as if nothing
        had been."""
        world = self.world
        for button in sorted(world.held):
            self._caller.let_go(button)
        world.mend()
        await self._caller.until_on()
        world.mend()
        world.story("all is mended")
        await asyncio.sleep(2)
        await self._caller.act()  # it may have halted, or stopped
        await self._caller.until_on()
        await self._caller.play_on()
        if self._caller.muted:
            await world.ask("unmute", "mute", on=False)
        well = await world.until(lambda: not self._caller.view["signs"], CALM_S)
        self.book.must(well, "a device does not come back, or its sign stays")
        await self._fingers.press(0.1)
        await self._caller.draw_knob()
        await asyncio.sleep(5)

    async def _for_ever(
        self, kinds: tuple[str, ...], trouble: Callable[[str], Awaitable[bool]]
    ) -> None:
        wanted = [kind for kind in kinds if kind in self._wanted]
        lucks = {BOX: self._fingers.chance, BUZZER: self._fingers.chance, CLOCK: self._clock_chance}
        chance = lucks.get(kinds, self._chance)
        while wanted:
            kind = chance.choice(wanted)
            self.faults[kind] += await trouble(kind)

    # -- what goes wrong: each waits for its time, comes if it can, and goes -----------------------

    def _comes(self, kind: str) -> None:
        self.world.story(kind)

    @property
    def _life(self) -> Life | None:
        return self.world.life if self._caller.on else None

    async def _reader(self, kind: str) -> bool:
        await self._caller.pause(0.2, 3.0)
        reader = self.world.reader
        self._comes(kind)
        knob = self._chance.randint(1, KNOBS)
        match kind:
            case "the reader is unplugged":
                reader.unplug()
                await self._caller.pause(0.05, 8.0)
                self.world.story("the reader is plugged in")
                reader.plug()
            case "two knobs":
                if not await self.world.until(lambda: self.world.knob not in (None, knob), KNOB_S):
                    return False
                # Left alone there when the caller takes his away, it may be called.
                self.book.knobs.append(Knob(knob, self.world.now, refused=True))
                await self._rests(tag_of(knob))
            case "a foreign tag":
                await self._rests(FOREIGN)
            case "a damaged frame":
                reader.damage(tag_of(knob))
            case "a torn frame":
                reader.send(encode(tag_of(knob))[: self._chance.randrange(1, 14)])
            case _:
                reader.send(self._chance.randbytes(self._chance.randrange(1, 40)))
        return True

    async def _rests(self, tag: int) -> None:
        self.world.lay_beside(tag)
        await self._caller.pause(0.1, 1.5)
        self.world.lay_beside(None)

    async def _voice(self, kind: str) -> bool:
        await self._caller.pause(2.0, 18.0)
        life = self._life
        if life is None or life.voice is None or not life.voice.speaks:
            return False
        self._comes(kind)
        match kind:
            case "the voice is killed":
                life.voice.kill()
            case "the voice hangs":
                life.voice.hang()
            case _:
                self.world.away = True
                life.voice.kill()
                await self._caller.pause(1.0, 30.0)
                self.world.story("the loudspeaker is back")
                self.world.away = False
        return True

    async def _board(self, kind: str) -> bool:
        await self._caller.pause(0.2, 3.0)
        life = self._life
        if life is None:
            return False
        self._comes(kind)
        if kind == "the board's bus fails":
            life.bus.fail()
            await self._caller.pause(0.1, 6.0)
            self.world.story("the board's bus is well")
            life.bus.heal()
        elif kind == "a spark on the board":
            life.bus.glitch(self._chance.randrange(20))
        else:
            life.bus.power_cut()
        await asyncio.sleep(REFRESH_S)
        if life is self._life and self._caller.view["phase"] != "halted":
            view = self._caller.view
            fault = board_fault(view, life.bus.picture(), view["called"])
            self.book.must(not fault, f"{REFRESH_S} s after {kind} {fault}")
        return True

    async def _lamps(self, kind: str) -> bool:
        await self._caller.pause(0.5, 5.0)
        life = self._life
        if life is None:
            return False
        self._comes(kind)
        life.pins.fail()
        await self._caller.pause(0.1, 5.0)
        self.world.story("the lamps are well")
        life.pins.heal()
        return True

    async def _button(self, kind: str) -> bool:
        """A finger, or a thing, stays on it: for more than five seconds is a fault, until it has
        been up for one."""
        await self._caller.pause(5.0, 25.0)
        button = self._chance.choice(("draw", "next", "mute"))
        if not self._caller.on or not self._caller.may_press(button):
            return False
        self._comes(kind)
        self._caller.press(button)
        await self._caller.pause(0.3, 9.0)
        self.world.story(f"the button {button} is let go")
        self._caller.let_go(button)
        return True

    async def _screens(self, kind: str) -> bool:
        await self._caller.pause(0.5, 4.0)
        world = self.world
        if self._life is None:
            return False
        if kind == "a screen sleeps" or not world.screens:
            world.screens.switch_on()
        await self._caller.pause(0.0, 8.0)  # who does not read is cut off after five seconds
        self._comes(kind)
        if kind == "a screen wakes up":
            world.screens.wake()
        elif kind == "a screen is switched off":
            world.screens.switch_off()
        return True

    async def _tray(self, kind: str) -> bool:
        await self._caller.pause(2.0, 12.0)
        self._comes(kind)
        self.world.tray.unplug()
        await self._caller.pause(0.05, 8.0)
        self.world.story("the tray's reader is plugged in")
        self.world.tray.plug()
        return True

    async def _box(self, kind: str) -> bool:
        box, fingers = self.world.box, self._fingers
        await fingers.pause(0.2, 4.0)
        self._comes(kind)
        match kind:
            case "the buzzer box is unplugged":
                box.unplug()
                await fingers.pause(0.05, 8.0)
                self.world.story("the buzzer box is plugged in")
                box.plug()
            case "the buzzer box is silent":
                box.hang()
                await fingers.pause(0.05, 8.0)
                self.world.story("the buzzer box speaks again")
                box.hang(False)
            case "the buzzer box starts again":
                box.restart()
            case "rubbish from the buzzer box":
                box.send(fingers.chance.randbytes(fingers.chance.randrange(1, 60)))
            case "a press is lost on the line":
                return await fingers.press(0.3, lost=True)
            case _:
                return await fingers.press(0.3, damaged=True)
        return True

    async def _buzzer(self, kind: str) -> bool:
        """Somebody sits on a buzzer: half a minute is a fault, until it has been up for a
        second."""
        await self._fingers.pause(5.0, 25.0)
        self._comes(kind)
        return await self._fingers.press(self._fingers.chance.uniform(1.0, 1.5 * STUCK_S))

    async def _power(self, kind: str) -> bool:
        await self._caller.pause(20.0, 70.0)
        if self._life is None:
            return False
        if self._chance.random() < 0.5:
            self.world.power_cut()
        else:
            self.world.power_cut_at(self._chance.randint(1, 4))
        return True

    async def _disk(self, kind: str) -> bool:
        await self._caller.pause(40.0, 120.0)
        if self._life is None:
            return False
        self._comes(kind)
        disk, chance = self.world.disk, self._chance
        disk.failing = Failing(
            len(disk.calls) + 1, chance.choice(ERRORS), chance.random() < 0.5, chance.random() < 0.5
        )
        return True

    async def _clock(self, kind: str) -> bool:
        """Somebody sets the wall clock, or the network does; no order hangs on it."""
        chance = self._clock_chance
        await asyncio.sleep(chance.uniform(0.5, 15.0))
        self.world.wall = chance.choice(WALLS) + chance.uniform(0.0, 86_400.0)
        self._comes(f"{kind} to {self.world.wall:.0f}")
        return True
