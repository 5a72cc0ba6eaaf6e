"""Simulate players for the seats that a person has given to the station; they hold nobody up.

The game says what each wants (`GameRules.bot`). If only the first to answer covers, they press
their buzzers as people do: after a while.

`Minds` decides at once what they want, with a given chance; `TablePlayers` says it later, by
timers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any

from drivers import Buzzed
from station.night.acts import Act, MakeMove
from station.night.table.game import GameInPlay, next_step
from station.night.table.practice import TableLuck
from station.people.roles import SIMULATED, Person
from station.record.requests import Answer, Refused
from station.record.session import Session

BOX = "simulated players"  # no box of that name has lines of its own: a line is its seat
THINKING_S = (0.8, 2.5)
RETRY_S = 0.5  # after a refusal: the station may have been busy with something else
MOST_TRIES = 40
REACTING_S = (0.5, 1.8)  # from the drawing on: a call takes a while to be heard


@dataclass(frozen=True, slots=True)
class TimedWish:
    """The wish of a simulated player: a move, or a press of the buzzer.

    Attributes:
        after: seconds from now.
        buzzes: the seat whose buzzer is pressed; 0 for a move.
    """

    after: float
    move: Mapping[str, Any] | None = None
    buzzes: int = 0


class Minds:
    """The decisions of simulated players.

    Args:
        chance: by default the system's.
        hurry: whether they decide at once, in games that nobody watches.
    """

    def __init__(self, chance: Random | None = None, *, hurry: bool = False) -> None:
        self._chance = chance or SystemRandom()
        self._hurry = hurry

    def wishes(self, table: GameInPlay) -> tuple[TimedWish, ...]:
        """Return what the simulated seats want now. Once the bag is shaken only those who are
        awaited want anything, else the host would have to count it again."""
        seats = frozenset(place for place, seat in enumerate(table.seats, 1) if seat.simulated)
        if not seats or table.over or not table.enforced:
            return ()  # real cards are laid by hands
        awaited = table.rules.to_act(table.state)
        asked = sorted(seats.intersection(awaited) if table.shaken else seats)
        found = (self._wish(table, seat, seats) for seat in asked)
        return tuple(wish for wish in found if wish is not None)

    def _wish(self, table: GameInPlay, seat: int, seats: frozenset[int]) -> TimedWish | None:
        luck = TableLuck(self._chance)
        wanted = table.rules.bot(table.state, seat, luck, seats)
        if wanted is None:
            return None
        if wanted.buzzes:
            return TimedWish(self._after(REACTING_S), buzzes=seat)
        return TimedWish(self._after(THINKING_S), wanted.move)

    def _after(self, bounds: tuple[float, float]) -> float:
        """Return after how many seconds a player acts."""
        return 0.0 if self._hurry else self._chance.uniform(*bounds)


class TablePlayers:
    """The simulated players of one night.

    Args:
        ask: asks for an act, as the desk does for any input.
        buzz: presses a buzzer.
        start: runs a task in the background.
        minds: what they want.
    """

    def __init__(
        self,
        session: Session,
        ask: Callable[[Act, Person, str], Awaitable[Answer]],
        buzz: Callable[[Buzzed], None],
        start: Callable[[Coroutine[Any, Any, None]], object],
        minds: Minds | None = None,
    ) -> None:
        self._session = session
        self._ask = ask
        self._buzz = buzz
        self._start = start
        self._minds = minds or Minds()
        self._moment: object = None
        self._timers: dict[int, asyncio.TimerHandle] = {}  # by the wish

    def look(self) -> None:
        """Follow a change or a start: drop the players' wishes if the moment is another one now."""
        table = self._session.hall.open_game
        moment = None if table is None else _moment(self._session.hall.opened, table)
        if moment == self._moment:
            return
        self.stop()
        self._moment = moment
        for wish in self._minds.wishes(table) if table is not None else ():
            self._wind(wish, wish.after)

    @property
    def thinking(self) -> bool:
        """Return whether any player is about to act: nobody then needs to act for them."""
        return bool(self._timers)

    def stop(self) -> None:
        """Drop all that the players wanted."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers = {}

    def _wind(self, wish: TimedWish, after: float, tries: int = 1) -> None:
        loop = asyncio.get_running_loop()
        self._timers[id(wish)] = loop.call_later(after, self._say, wish, tries)

    def _say(self, wish: TimedWish, tries: int) -> None:
        if wish.move is not None:
            self._start(self._asked(wish, MakeMove(move=dict(wish.move)), tries))
            return
        del self._timers[id(wish)]
        self._buzz(Buzzed(BOX, wish.buzzes, asyncio.get_running_loop().time()))

    async def _asked(self, wish: TimedWish, act: Act, tries: int) -> None:
        """Ask for a move; try again later if it is refused while the moment stays the same."""
        answer = await self._ask(act, SIMULATED, "simulation")
        if self._timers.pop(id(wish), None) is None:
            return
        if isinstance(answer, Refused) and tries < MOST_TRIES:
            self._wind(wish, RETRY_S, tries + 1)


def _moment(game: int, table: GameInPlay) -> object:
    """Return what must stay the same for a wish to stand: while players are awaited, all that they
    play by, except others' answers to a number."""
    awaited = any(isinstance(actor, int) for actor in table.rules.to_act(table.state))
    turns = awaited and table.race is None
    return game, next_step(table), table.board, table.taken, table.state if turns else None
