"""Simulated players at the table: for the seats that a person has asked the station to play. They
never hold the host up.

In the Second Method they agree to an exchange or decline it, throw a card up when they cannot add
to a short pool, and now and then exchange a card, take one or throw one up before a drawing; what
they offer, they offer to each other only. Where the first to answer covers, they press their
buzzers as people do: after a while, and rarely without having the number.

What they want is decided at once (`Minds`, with a chance that is given); when they say it is a
matter of timers (`TablePlayers`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any

from drivers import Buzzed
from station.night.acts import Act, Move
from station.night.table.choices import Choice, choices
from station.night.table.game import Parlour, next_step
from station.people.roles import SIMULATED, Person
from station.record.session import Answer, Session
from station.rules.loto_parlour import game as loto_parlour
from station.rules.loto_second import game as loto_second

BOX = "simulated players"  # no box of that name has lines of its own: a line is its seat
THINKING_S = (0.8, 2.5)
REACTING_S = (0.5, 1.8)  # from the drawing on: a call takes a while to be heard
AGREES = 0.6
WISHING = 0.2  # one in so many drawings somebody wants something
MISTAKES = 0.02  # presses without having the number
RICH = 4  # takes a card when he has the money for so many


@dataclass(frozen=True, slots=True)
class Wish:
    """What a simulated player wants: a move, or to press his buzzer.

    Attributes:
        after: seconds from now.
        buzzes: the seat whose buzzer is pressed; 0 for a move.
    """

    after: float
    move: Mapping[str, Any] | None = None
    buzzes: int = 0


class Minds:
    """What simulated players want.

    Args:
        chance: by default the system's.
    """

    def __init__(self, chance: Random | None = None) -> None:
        self._chance = chance or SystemRandom()

    def wishes(self, table: Parlour) -> tuple[Wish, ...]:
        """What the simulated seats want now."""
        seats = frozenset(place for place, seat in enumerate(table.seats, 1) if seat.simulated)
        if not seats or table.over:
            return ()
        return tuple(WISHES_OF[table.method](self, table, table.state, seats))

    def presses(
        self, _: Parlour, state: loto_parlour.State, seats: frozenset[int]
    ) -> Iterator[Wish]:
        """First Method: who has the number presses his buzzer, where only the first to answer
        covers it."""
        for seat in sorted(seats.intersection(state.silent)):
            if seat in state.holders(state.numbers[-1]) or self._chance.random() < MISTAKES:
                yield Wish(self._chance.uniform(*REACTING_S), buzzes=seat)

    def moves(
        self, table: Parlour, state: loto_second.State, seats: frozenset[int]
    ) -> Iterator[Wish]:
        """Second Method: what is asked of one of them, or what one of them would like."""
        if (move := self._move(table, state, seats)) is not None:
            yield Wish(self._chance.uniform(*THINKING_S), move)

    def _move(
        self, table: Parlour, state: loto_second.State, seats: frozenset[int]
    ) -> Mapping[str, Any] | None:
        if state.offer is not None:
            agrees = self._chance.random() < AGREES
            return {"do": "agree" if agrees else "decline"} if state.offer.other in seats else None
        if state.phase is loto_second.Phase.SHORT:
            return self._cannot_add(table, state, seats)
        if state.drawn or table.shaken or self._chance.random() >= WISHING:
            return None
        return self._before_a_drawing(table, state, seats)

    def _cannot_add(
        self, table: Parlour, state: loto_second.State, seats: frozenset[int]
    ) -> Mapping[str, Any] | None:
        """Who has not the counters for all of his cards throws one up."""
        each = state.setup.terms.in_pool
        for seat in sorted(seats):
            cards = state.taken[seat - 1]
            if cards and state.purses[seat - 1] + state.hands[seat - 1] < each * len(cards):
                return self._one(
                    choice
                    for choice in choices(table.rules, state)
                    if _is(choice, "throw-up", seat)
                )
        return None

    def _before_a_drawing(
        self, table: Parlour, state: loto_second.State, seats: frozenset[int]
    ) -> Mapping[str, Any] | None:
        seat = self._chance.choice(sorted(seats))
        mine = [
            choice for choice in choices(table.rules, state) if choice.legal and choice.seat == seat
        ]
        kind = self._chance.choices(("exchange", "take", "throw-up"), (6, 3, 1))[0]
        if kind == "take" and state.purses[seat - 1] < RICH * state.setup.terms.a_card:
            return None
        if kind == "throw-up" and len(state.taken[seat - 1]) < 2:
            return None
        wanted = [choice for choice in mine if choice.move["do"] == kind]
        return self._exchange(wanted, seats) if kind == "exchange" else self._one(iter(wanted))

    def _exchange(self, wanted: list[Choice], seats: frozenset[int]) -> Mapping[str, Any] | None:
        """With a card that nobody has, or with another simulated player: nobody else is made to
        answer."""
        asked = [
            (one, other, serial)
            for one in wanted
            for other, serial in one.wanted
            if not other or other in seats
        ]
        if not asked:
            return None
        choice, other, serial = self._chance.choice(asked)
        return {**choice.move, "other": other, "wanted": serial}

    def _one(self, some: Iterator[Choice]) -> Mapping[str, Any] | None:
        moves = [choice.move for choice in some if choice.legal]
        return self._chance.choice(moves) if moves else None


def _is(choice: Choice, kind: str, seat: int) -> bool:
    return choice.seat == seat and choice.move["do"] == kind


WISHES_OF: Mapping[str, Callable[[Minds, Parlour, Any, frozenset[int]], Iterator[Wish]]] = {
    "loto-second": Minds.moves,
    "loto-parlour": Minds.presses,
}


class TablePlayers:
    """The simulated players of one night.

    Args:
        ask: asks for an act, as the desk does for any input.
        buzz: a buzzer is pressed.
        start: lets work run by itself.
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
        self._timers: list[asyncio.TimerHandle] = []

    def look(self) -> None:
        """The state has changed, or the station has started: what they wanted before is let be
        where it is another moment now."""
        table = self._session.hall.at_table
        moment = None if table is None else _moment(self._session.hall.opened, table)
        if moment == self._moment:
            return
        self.stop()
        self._moment = moment
        loop = asyncio.get_running_loop()
        for wish in self._minds.wishes(table) if table is not None else ():
            self._timers.append(loop.call_later(wish.after, self._say, wish))

    def stop(self) -> None:
        """They want nothing any more."""
        for timer in self._timers:
            timer.cancel()
        self._timers = []

    def _say(self, wish: Wish) -> None:
        if wish.buzzes:
            self._buzz(Buzzed(BOX, wish.buzzes, asyncio.get_running_loop().time()))
        elif wish.move is not None:
            self._start(self._asked(Move(move=dict(wish.move))))

    async def _asked(self, act: Act) -> None:
        await self._ask(act, SIMULATED, "simulation")


def _moment(game: int, table: Parlour) -> object:
    """What must be the same for a wish to stand: answers of others to a number change nothing of
    it."""
    return game, next_step(table), table.state.numbers, table.state.taken
