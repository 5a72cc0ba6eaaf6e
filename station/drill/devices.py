"""The drill of the devices: an evening of sixty calls in virtual time, while everything fails that can, at random and at once.

Numbers are drawn with the button, by knobs laid on the reader, over the wire. Meanwhile the reader's cable is pulled, two knobs
lie on it, frames come damaged, torn, foreign, as garbage; the voice is killed, hangs, has no loudspeaker; the board's bus fails,
a spark garbles it; buttons bounce, are held, stick; lamps fail; screens come, sleep and go; the disk fails; the power goes. H38:
all devices come back by themselves, all of it is recorded, no call is lost or doubled.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

from drivers.frames import encode
from drivers.simulated import FOREIGN
from station.drill.course import Broken, luck
from station.drill.evening import PACK
from station.drill.memory_disk import Failing
from station.drill.notebook import Knob, Notebook, Press
from station.drill.virtual_time import VirtualLoop
from station.drill.world import Life, World, tag_of
from station.errors import LotoError
from station.table import KNOBS
from station.wire import Message
from station.wording import load_wording

NAME = "devices"
CALLS = 60
PRESS_S = 0.08
FINGER_S = 0.1
CALM_S = 75.0  # the voice may be tried again after half a minute only
PATIENCE_S = 120.0
ERRORS = (errno.EIO, errno.ENOSPC, errno.EROFS, None)
REFUSALS = {("two-knobs",), ("already-drawn",), ("unknown-knob",)}


def check(seed: int, case: int) -> int:
    """One evening; gives how many faults there were in it."""
    return sum(play(luck(NAME, seed, case)).faults.values())


def play(chance: Random, calls: int = CALLS) -> Evening:
    """One evening, played to its end. Raises `Broken` with the scenario: virtual times, and what happened."""
    with tempfile.TemporaryDirectory(prefix="loto-drill-") as folder, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_played(Path(folder), chance, calls))


async def _played(folder: Path, chance: Random, calls: int) -> Evening:
    evening = Evening(World(folder, chance), chance)
    with _stumbles(evening.book):
        try:
            await evening.play(calls)
        except BaseExceptionGroup as group:
            [first, *_] = group.exceptions
            raise (first if isinstance(first, Broken) else Broken(evening.world.told_as(repr(first)))) from first
        except (LotoError, TimeoutError) as error:
            raise (error if isinstance(error, Broken) else Broken(evening.world.told_as(repr(error)))) from error
        finally:
            await evening.world.end()
    return evening


@contextmanager
def _stumbles(book: Notebook) -> Iterator[None]:
    """What the station logs is kept from the terminal; an error that it did not foresee is a promise broken."""

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info and record.levelno >= logging.ERROR and record.name != "drivers.lamps":
                book.wrong.append(f"the station stumbled: {record.getMessage()}: {record.exc_info[1]!r}")

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
    """The people of the hall, and everything that goes wrong.

    Attributes:
        faults: how often each came.
    """

    def __init__(self, world: World, chance: Random) -> None:
        self.world = world
        self.faults: Counter[str] = Counter()
        self.book = Notebook(world)
        self._chance = chance
        self._up = asyncio.Event()
        self._off = asyncio.Event()  # somebody wants the station switched off and on
        self._waiting = load_wording("en").screen["drawn-not-called"]
        self._mine: int | None = None  # the knob that the caller laid on the reader
        self._other: int | None = None  # the tag that came upon it
        world.begun, world.told, world.lit, world.shown = self.book.begin, self.book.hear, self.book.see, self.book.view

    # -- the station is switched on, and off ---------------------------------------------------------------------------

    async def play(self, calls: int) -> None:
        """The whole evening."""
        await self._switch_on()
        await self._wish("open-the-night", "sell", serials=list(PACK.serials), to="Anna", games=2)
        await self._wish("open", "open")
        troubles = (self._reader, self._voice, self._board, self._lamps, self._button, self._screens, self._power, self._disk)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._keep_on()), *(group.create_task(self._for_ever(trouble)) for trouble in troubles)]
            while len([line for line in self.book.lines() if line["do"]["act"] == "draw"]) < calls:
                await self._pause(0.2, 4.0)
                await self._until_on()
                await self._act()
            for task in tasks[1:]:
                task.cancel()
            await self._calm()
            tasks[0].cancel()
        self.book.compare()

    async def _calm(self) -> None:
        """Every fault has gone: everything comes back by itself, and a knob is called as if nothing had been."""
        world = self.world
        world.away = False
        world.disk.failing = None
        world.disk.after = lambda: None
        self._other = None
        self._lay()
        world.reader.plug()
        for button in sorted(world.held):
            world.release(button)
        await self._until_on()
        life = world.life
        if life is not None:
            life.bus.heal()
            life.pins.heal()
        world.story("all is mended")
        await self._play_on()
        await asyncio.sleep(2)
        self._must(await world.until(lambda: not self._view["signs"], CALM_S), "a sign stays up")
        await self._knob()
        await asyncio.sleep(5)

    async def _switch_on(self) -> None:
        await self.world.start()
        self._up.set()

    async def _keep_on(self) -> None:
        """Somebody switches the station on again, whenever it is off."""
        world = self.world
        while True:
            waits = {asyncio.ensure_future(event.wait()) for event in (world.cut, self._off)}
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
            self._up.clear()
            if self._off.is_set():
                world.story("the station is switched off and on")
                if self._chance.random() < 0.5:
                    world.power_cut()
            await world.end()
            self._off.clear()
            await self._pause(1.0, 15.0)
            await self._switch_on()

    async def _for_ever(self, trouble: Callable[[], Awaitable[str]]) -> None:
        while True:
            kind = await trouble()
            if kind:
                self.faults[kind] += 1

    async def _until_on(self) -> None:
        """Returns when the station is on."""
        if self.world.cut.is_set() or self._off.is_set():
            self._up.clear()  # whoever switches it on has not heard of it yet
        await self._up.wait()

    async def _pause(self, least: float, most: float) -> None:
        await asyncio.sleep(self._chance.uniform(least, most))

    def _trouble(self, what: str) -> str:
        self.world.story(what)
        return what

    def _must(self, kept: bool, what: str) -> None:
        if not kept:
            self.book.wrong.append(what)
            self.book.judge()

    # -- the caller ----------------------------------------------------------------------------------------------------

    @property
    def _view(self) -> Message:
        life = self.world.life
        return life.view if life is not None else {"phase": "off", "called": [], "signs": [], "notice": ""}

    async def _act(self) -> None:
        """One thing that a caller does."""
        if self._view["phase"] == "halted":
            self._off.set()
            return
        if self._view["phase"] == "stopped":
            await self._play_on()
            return
        acts: list[tuple[Callable[[], Awaitable[None]], int]] = [
            (self._press, 30),
            (self._knob, 30),
            (self._draw, 20),
            (self._undo, 5),
            (self._stop, 5),
        ]
        [act] = self._chance.choices([act for act, _ in acts], [weight for _, weight in acts])
        await act()

    async def _press(self) -> None:
        life = self.world.life
        if life is None or not self._free("draw", life):
            return
        bounces = self._chance.choice((0, 0, 1, 7))
        self.faults["a button bounces"] += bounces > 0
        self._finger("draw", bounces)
        await asyncio.sleep(PRESS_S)
        self.world.release("draw")
        await asyncio.sleep(PRESS_S)

    def _free(self, button: str, life: Life) -> bool:
        """Whether a finger may come: nothing is on the button, and it has been up for a moment, as fingers are."""
        rested = self.world.now - self.world.let_go.get(button, -math.inf) > FINGER_S
        return rested and button not in self.world.held and not life.dead and not life.ill[f"button {button}"].ill

    def _finger(self, button: str, bounces: int = 0) -> None:
        life = self.world.life
        if button == "draw" and life is not None and self._view["phase"] == "playing":
            self.book.presses.append(Press(self.world.now, life))
        self.world.story(f"the button {button} is pressed ({bounces} bounces)")
        self.world.press(button, bounces)

    async def _draw(self) -> None:
        number = len(self.book.wishes)
        answer = await self._wish(f"draw-{number}", "draw")
        if answer is not None and self._chance.random() < 0.2:
            again = await self._wish(f"draw-{number}", "draw")
            self._must(
                again is None or "refused" in answer or again == answer, f"a double tap was answered {again}, not {answer}"
            )

    async def _wish(self, wish_id: str, act: str, **arguments: object) -> Message | None:
        """A wish, sent until there is an answer: whoever had none cannot know."""
        self.book.wishes.setdefault(wish_id, None)
        answer = None
        while answer is None:
            self.world.story(f"{wish_id}: {act} over the wire")
            answer = await self.world.ask(wish_id, act, **arguments)
            if answer is None:
                await asyncio.sleep(0.1)
                await self._until_on()
        if self.book.wishes[wish_id] is None or "ok" in answer:
            self.book.wishes[wish_id] = answer
        return answer

    async def _undo(self) -> None:
        if self._view["called"]:
            await self._wish(f"undo-{len(self.book.wishes)}", "undo", why="misread")

    async def _stop(self) -> None:
        self._finger("claim")
        await asyncio.sleep(PRESS_S)
        self.world.release("claim")
        await self._pause(0.5, 3.0)

    async def _play_on(self) -> None:
        if self._view["phase"] == "stopped":
            await self._wish(f"play-on-{len(self.book.wishes)}", "play-on")

    async def _knob(self) -> None:
        """A knob is drawn from the bag and laid on the reader, until it is called, or refused aloud."""
        called = self._called()
        number = self._chance.choice([number for number in range(1, KNOBS + 1) if number not in called])
        knob = Knob(number, self.world.now)
        self.book.knobs.append(knob)
        since = self.world.now
        while not knob.refused and number not in self._called():
            if self.world.now - since > PATIENCE_S:
                self._must(False, f"the knob {number} lay there for {PATIENCE_S:g} s, and nobody called it")
            if self._view["phase"] == "halted":
                self._off.set()
            await self._until_on()
            await self._play_on()
            life, heard = self.world.life, len(self.world.spoken)
            self.world.story(f"the knob {number} is laid on the reader")
            self._mine = number
            self._lay()
            await self.world.until(partial(self._answered, number, heard), 4.0)
            self._mine = None
            self._lay()
            self.world.story(f"the knob {number} is taken away")
            if not self._called_or_waits(number) and self._refused(heard):
                knob.refused = True
            elif self._called_or_waits(number):
                await self.world.until(partial(self._called_or_over, number, life), PATIENCE_S)
            elif not self._halted(life):
                await asyncio.sleep(1.2)
                await self._play_on()

    def _halted(self, life: Life | None) -> bool:
        return self.world.life is not life or self._view["phase"] == "halted"

    def _called_or_over(self, number: int, life: Life | None) -> bool:
        return number in self._called() or self._halted(life)

    def _called(self) -> list[int]:
        return list(self._view["called"])

    def _called_or_waits(self, number: int) -> bool:
        return number in self._called() or self._view["notice"] == self._waiting.format(number=number)

    def _refused(self, heard: int) -> bool:
        return any(said.clips in REFUSALS for said in self.world.spoken[heard:])

    def _answered(self, number: int, heard: int) -> bool:
        return self._called_or_waits(number) or self._refused(heard)

    def _lay(self) -> None:
        """What lies on the reader now."""
        reader = self.world.reader
        tags = [tag for tag in (tag_of(self._mine) if self._mine is not None else None, self._other) if tag is not None]
        match tags:
            case [tag]:
                reader.drop(tag)
            case [tag, other]:
                reader.two(tag, other)
            case _:
                reader.lift()

    # -- what goes wrong -----------------------------------------------------------------------------------------------

    async def _reader(self) -> str:
        await self._pause(0.5, 6.0)
        reader = self.world.reader
        kind = self._chance.choice(
            ("the reader is unplugged", "two knobs", "a damaged frame", "a foreign tag", "a torn frame", "garbage")
        )
        self._trouble(kind)
        tag = tag_of(self._chance.randint(1, KNOBS))
        match kind:
            case "the reader is unplugged":
                reader.unplug()
                await self._pause(0.05, 8.0)
                self.world.story("the reader is plugged in")
                reader.plug()
            case "two knobs" | "a foreign tag":
                self._other = FOREIGN if kind == "a foreign tag" else tag
                if self._mine is not None or self._other == FOREIGN:
                    if self._other != FOREIGN:  # alone there, when the caller takes his away, it may be called
                        self.book.knobs.append(Knob(self._other - tag_of(0), self.world.now, refused=True))
                    self._lay()
                    await self._pause(0.1, 1.5)
                self._other = None
                self._lay()
            case "a damaged frame":
                reader.damage(tag)
            case "a torn frame":
                reader.send(encode(tag)[: self._chance.randrange(1, 14)])
            case _:
                reader.send(self._chance.randbytes(self._chance.randrange(1, 40)))
        return kind

    async def _voice(self) -> str:
        await self._pause(3.0, 25.0)
        voice = self.world.life.voice if self.world.life is not None else None
        if voice is None:
            return ""
        kind = self._chance.choice(("the voice is killed", "the voice hangs", "the loudspeaker is away"))
        if not (voice.hang() if kind == "the voice hangs" else voice.worker is not None):
            return ""
        self._trouble(kind)
        if kind == "the loudspeaker is away":
            self.world.away = True
        if kind != "the voice hangs":
            voice.kill()
        if self.world.away:
            await self._pause(1.0, 30.0)
            self.world.story("the loudspeaker is back")
            self.world.away = False
        return kind

    async def _board(self) -> str:
        await self._pause(0.5, 6.0)
        if self.world.life is None:
            return ""
        bus = self.world.life.bus
        kind = self._trouble(self._chance.choice(("the board's bus fails", "a spark on the board", "the board loses its supply")))
        if kind == "a spark on the board":
            bus.glitch(self._chance.randrange(20))
        elif kind == "the board loses its supply":
            bus.power_cut()
        else:
            bus.fail()
            await self._pause(0.1, 6.0)
            self.world.story("the board's bus is well")
            bus.heal()
        return kind

    async def _lamps(self) -> str:
        await self._pause(1.0, 8.0)
        if self.world.life is None:
            return ""
        pins = self.world.life.pins
        self._trouble("the lamps fail")
        pins.fail()
        await self._pause(0.1, 5.0)
        self.world.story("the lamps are well")
        pins.heal()
        return "the lamps fail"

    async def _button(self) -> str:
        """A finger, or a thing, stays on a button: longer than five seconds is a fault, until it has been up for one."""
        await self._pause(5.0, 25.0)
        world, life = self.world, self.world.life
        button = self._chance.choice(("draw", "next"))
        if life is None or not self._free(button, life):
            return ""
        self._finger(button)
        await self._pause(0.3, 9.0)
        world.story(f"the button {button} is let go")
        world.release(button)
        return "a button is held"

    async def _screens(self) -> str:
        await self._pause(1.0, 10.0)
        if not self._up.is_set():
            return ""
        match self._chance.randrange(3):
            case 0:
                self.world.screen()
                return self._trouble("a screen that does not read comes")
            case 1:
                self.world.read_screen()
                return ""
            case _:
                self.world.switch_off()
                return self._trouble("a screen is switched off")

    async def _power(self) -> str:
        await self._pause(20.0, 70.0)
        if not self._up.is_set():
            return ""
        if self._chance.random() < 0.5:
            self.world.power_cut()
        else:
            self.world.power_cut_at(self._chance.randint(1, 4))
        return "the power goes"

    async def _disk(self) -> str:
        await self._pause(40.0, 120.0)
        if not self._up.is_set():
            return ""
        disk = self.world.disk
        disk.failing = Failing(
            len(disk.calls) + 1, self._chance.choice(ERRORS), self._chance.random() < 0.5, self._chance.random() < 0.5
        )
        return self._trouble("the disk fails")
