"""What may be done at a table now, for each seat and for the company, and why the rest may not.
Pure.

Whatever may be asked for is tried on the rules themselves: nothing is offered that they would
refuse, and a refusal comes in their own words. What a choice costs or gives is the difference
between the two states, and not worked out a second time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from station.base.errors import IllegalAction
from station.rules.play import Play
from station.rules.seating import moves


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a player, or the company, may ask for.

    Attributes:
        seat: whose it is; 0 for the company's.
        move: as the act `move` takes it; without what is still to be chosen.
        sums: by seat, what hand and purse together have more by it, in the rules' units; below zero
            it is paid.
        wanted: what may be chosen for the rest of it: the cards that may come for one, each with
            the seat that has it, 0 for one that nobody has.
        reason, say: why it is refused; nothing where it may be done.
    """

    seat: int
    move: Mapping[str, Any]
    sums: tuple[tuple[int, int], ...] = ()
    wanted: tuple[tuple[Any, ...], ...] = ()
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


def choices(play: Play, state: Any) -> tuple[Choice, ...]:
    """All that players and company may ask for, the refused ones with their reasons; knobs and the
    bag are not among them."""
    return tuple(_tried(play, state, seat, action) for seat, action in play.asked(state))


def move_of(action: Any) -> dict[str, Any]:
    """An action of the rules as the act `move` takes it.

    >>> from station.rules.loto_second.actions import ThrowUp
    >>> move_of(ThrowUp(2, "0007"))
    {'do': 'throw-up', 'seat': 2, 'serial': '0007'}
    """
    (name,) = moves(type(action))
    return {"do": name, **asdict(action)}


def _tried(play: Play, state: Any, seat: int, action: Any) -> Choice:
    slots = play.slots(state, action)
    open_ones, wanted = (slots.names, slots.values) if slots is not None else ((), ())
    move = {key: said for key, said in move_of(action).items() if key not in open_ones}
    try:
        after = play.game.apply(state, action)
    except IllegalAction as error:
        return Choice(seat, move, reason=str(error.reason), say=str(error))
    return Choice(seat, move, _sums(play, state, after), wanted)


def _sums(play: Play, before: Any, after: Any) -> tuple[tuple[int, int], ...]:
    """What each seat's hand and purse together have more after it."""
    had, has = play.game.funds(before), play.game.funds(after)

    def more(seat: int) -> int:
        return sum(has[f"{what}:{seat}"] - had[f"{what}:{seat}"] for what in ("purse", "hand"))

    return tuple((seat, more(seat)) for seat in range(1, len(before.hands) + 1) if more(seat))
