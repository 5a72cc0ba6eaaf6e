"""What may be done at a table now, for each seat and for the company, and why the rest may not. Pure.

Whatever may be asked for is tried on the rules themselves: nothing is offered that they would refuse, and a refusal comes in
their own words. What a choice costs or gives is the difference between the two states, and not worked out a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from station.base.errors import IllegalAction
from station.programme.table import PARLOUR, SECOND
from station.rules.game import Game
from station.rules.loto_parlour import game as loto_parlour
from station.rules.loto_second import game as loto_second
from station.rules.seating import moves

AnyGame = Game[Any, Any, Any]
COMPANY = 0  # in the place of a seat: what all of them agree on


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a player, or the company, may ask for.

    Attributes:
        seat: whose it is; 0 for the company's.
        move: as the act `move` takes it; of an exchange without what comes for the card.
        sums: by seat, what hand and purse together have more by it, in the rules' units; below zero it is paid.
        wanted: of an exchange the cards that may come for it, each with the seat that has it, 0 for one that nobody has.
        reason, say: why it is refused; nothing where it may be done.
    """

    seat: int
    move: Mapping[str, Any]
    sums: tuple[tuple[int, int], ...] = ()
    wanted: tuple[tuple[int, str], ...] = ()
    reason: str = ""
    say: str = ""

    @property
    def legal(self) -> bool:
        """Whether it may be done."""
        return not self.reason

    def to_json(self) -> dict[str, Any]:
        """As it goes over the wire; what says nothing is left out."""
        told = {field.name: said for field in fields(self) if (said := getattr(self, field.name))}
        return {**told, "seat": self.seat, "may": self.legal}


def choices(game: AnyGame, state: Any) -> tuple[Choice, ...]:
    """All that players and company may ask for, the refused ones with their reasons; knobs and the bag are not among them."""
    return tuple(_tried(game, state, seat, action) for seat, action in ASKED[game.name](state))


def move_of(action: Any) -> dict[str, Any]:
    """An action of the rules as the act `move` takes it.

    >>> move_of(loto_second.ThrowUp(2, "0007"))
    {'do': 'throw-up', 'seat': 2, 'serial': '0007'}
    """
    (name,) = moves(type(action))
    return {"do": name, **asdict(action)}


def _tried(game: AnyGame, state: Any, seat: int, action: Any) -> Choice:
    move = move_of(action)
    wanted: tuple[tuple[int, str], ...] = ()
    if isinstance(action, loto_second.Exchange):
        move, wanted = {key: move[key] for key in ("do", "seat", "serial")}, _exchangeable(state, seat)
    try:
        after = game.apply(state, action)
    except IllegalAction as error:
        return Choice(seat, move, reason=str(error.reason), say=str(error))
    return Choice(seat, move, _sums(game, state, after), wanted)


def _sums(game: AnyGame, before: Any, after: Any) -> tuple[tuple[int, int], ...]:
    """What each seat's hand and purse together have more after it."""
    had, has = game.funds(before), game.funds(after)

    def more(seat: int) -> int:
        return sum(has[f"{what}:{seat}"] - had[f"{what}:{seat}"] for what in ("purse", "hand"))

    return tuple((seat, more(seat)) for seat in range(1, len(before.hands) + 1) if more(seat))


# -- what is asked for in each game ------------------------------------------------------------------------------------


def _of_the_second(state: loto_second.State) -> Iterator[tuple[int, loto_second.Action]]:
    yield COMPANY, loto_second.Settle()
    yield COMPANY, loto_second.Replenish()
    yield COMPANY, loto_second.Finish()
    yield COMPANY, loto_second.Resolve(1)
    yield from ((COMPANY, loto_second.PutAway(number)) for number in state.came if number not in state.away)
    asked = state.offer.other if state.offer is not None else COMPANY
    yield asked, loto_second.Agree()
    yield asked, loto_second.Decline()
    for seat in range(1, len(state.hands) + 1):
        yield seat, loto_second.Take(seat)
    for seat, serial in state.held():
        # Any other card stands for all that may come for it; without one the rules say what is missing.
        (other, wanted), *_ = (*_exchangeable(state, seat), (COMPANY, ""))
        yield seat, loto_second.Exchange(seat, serial, other, wanted)
        yield seat, loto_second.ThrowUp(seat, serial)


def _exchangeable(state: loto_second.State, seat: int) -> tuple[tuple[int, str], ...]:
    """The cards that may come for one of a seat's: first those that nobody has."""
    free = tuple((COMPANY, serial) for serial in state.rest)
    return (*free, *((other, serial) for other, serial in state.held() if other != seat))


def _of_the_first(state: loto_parlour.State) -> Iterator[tuple[int, loto_parlour.Action]]:
    yield COMPANY, loto_parlour.Share()
    if state.setup.answering is loto_parlour.Answering.FIRST:
        yield from ((seat, loto_parlour.Answer((seat,))) for seat in range(1, len(state.hands) + 1))


Asked = Callable[[Any], Iterator[tuple[int, Any]]]
ASKED: Mapping[str, Asked] = {SECOND: _of_the_second, PARLOUR: _of_the_first}
