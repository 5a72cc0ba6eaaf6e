"""Turn presses of the table's buzzers into answers for the session (First Method).

`station.night.table.race` decides in which order; this knows the seats, the clock and the desk. The
event loop's clock is `time.monotonic`, as the drivers' is.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from drivers import Buzzed
from station.calling.table.means import TableMeans
from station.calling.table.players import Minds, TablePlayers
from station.night.acts import MakeMove
from station.night.table.race import GRACE_S, AnswerRace, PressMeaning
from station.people.roles import DEVICE
from station.settings.buzzing import seat_of

log = logging.getLogger(__name__)

NOTICE_PAUSE_S = 1.0  # a child that hammers on a buzzer does not repaint every screen each time
VIA = "buzzers"


@dataclass(eq=False)
class Answers:
    """The presses of one night.

    Args:
        seats: for each box, the seat of a line, if it is not the seat of the same number.
    """

    means: TableMeans
    seats: Mapping[str, Mapping[int, int]]

    def __post_init__(self) -> None:
        self._race = AnswerRace()
        self._number: tuple[int, int] | None = None  # the game and the knob that may be answered
        self._recording = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._noticed = -math.inf
        means, minds = self.means, Minds(hurry=self.means.hurry)
        self._players = TablePlayers(means.session, means.ask, self.buzzed, means.start, minds)
        self.look()

    @property
    def players(self) -> dict[str, bool]:
        """Return whether simulated players are about to act, as the wire has it."""
        return {"thinking": self._players.thinking}

    def look(self) -> None:
        """Follow a change, or a start: find whether there is a number to answer, and by whom."""
        hall = self.means.session.hall
        table = hall.open_game
        race = table.race if table is not None else None
        silent = race.silent if race is not None else frozenset()
        number = (hall.opened, hall.calls) if silent else None
        if number is None:
            self._race.shut()
        elif number == self._number:
            self._race.allow(silent)
        else:
            wrong = race.wrong if race is not None else silent
            for seat in self._race.open(self._now(), silent, wrong):
                self._tell("buzzed-late", seat)
        self._number = number
        self._players.look()

    def buzzed(self, event: Buzzed) -> None:
        """Take the press of a buzzer."""
        seat = seat_of(self.seats, event.box, event.line)
        if seat is None:
            log.info(
                "line %d of the %s is nobody's: the settings give it no seat", event.line, event.box
            )
            return
        if not self._name(seat):
            self._tell("buzzed-empty", seat)
            return
        match self._race.hear(seat, event.at):
            case PressMeaning.ANSWER:
                self._wind()
            case PressMeaning.NOTHING:
                self._tell("buzzed-nothing", seat)

    @asynccontextmanager
    async def drawing(self) -> AsyncIterator[None]:
        """Hold back presses around a draw: those until now are recorded before it; later ones count
        only if it is refused."""
        number = self._number
        if number is not None:
            self._race.end(self._now())
            await asyncio.sleep(GRACE_S)
            await self._record(math.inf)
        try:
            yield
        finally:
            if number is not None and self._number == number:
                self._race.go_on()
                self._wind()

    def stop(self) -> None:
        """Stop the timer."""
        self._players.stop()
        self._unwind()

    def _unwind(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    def _tell(self, what: str, seat: int) -> None:
        """Show a line under the board; of many within a second only the first."""
        if self._now() - self._noticed < NOTICE_PAUSE_S:
            return
        self._noticed = self._now()
        self.means.sender.show(
            self.means.wording.screen[what].format(name=self._name(seat), seat=seat)
        )

    def _name(self, seat: int) -> str:
        """Return the player at a seat; empty for an empty seat."""
        table = self.means.session.hall.table
        seats = table.seats if table is not None else ()
        return seats[seat - 1].name if seat <= len(seats) else ""

    def _wind(self) -> None:
        self._unwind()
        if (due := self._race.due) is not None:
            self._timer = asyncio.get_running_loop().call_at(
                due, lambda: self.means.start(self._record_due())
            )

    async def _record_due(self) -> None:
        await self._record(self._now())
        self._wind()

    async def _record(self, until: float) -> None:
        """Record the answers that are complete at that time, one tie after the other."""
        async with self._recording:
            while (tie := self._race.take(until)) is not None:
                move = {"do": "answer", "seats": list(tie.seats), "micros": list(tie.micros)}
                await self.means.ask(MakeMove(move=move), DEVICE, VIA)
