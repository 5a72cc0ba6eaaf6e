"""Loto, Second Method, as it is played at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from station.base.errors import IllegalAction
from station.base.nouns import Card
from station.rules.loto_second.actions import (
    Action,
    Agree,
    Decline,
    Draw,
    Exchange,
    Finish,
    Join,
    PutAway,
    Replenish,
    Resolve,
    Settle,
    Take,
    TakeBack,
    ThrowUp,
)
from station.rules.loto_second.drawing import broken
from station.rules.loto_second.game import GAME, MOVES, counter_value
from station.rules.loto_second.settlement import Settlement, settled
from station.rules.loto_second.state import BOOK, TAKES, Phase, Setup, State
from station.rules.play import COMPANY, Play, Slots


class Agreed(Protocol):
    """What a company agrees on before it plays."""

    stake: int
    changes: bool
    confirm: bool
    in_money: bool


def _setup(
    agreed: Agreed,
    cards: Mapping[str, Card],
    counts: Sequence[int],
    purses: Sequence[int],
    register: str,
) -> Setup:
    return Setup(
        cards,
        tuple(counts),
        tuple(purses),
        changes=agreed.changes,
        confirm=agreed.confirm,
        in_money=agreed.in_money,
        value=counter_value(agreed.stake),
        register=register,
    )


def _value(agreed: Agreed) -> int:
    return counter_value(agreed.stake)


def _parts(_: Agreed) -> tuple[int, str]:
    return 2 * BOOK.a_card, "a counter is worth a sixtieth of a card's part"


def _charge(_: Agreed, cards: int) -> int:
    return cards * BOOK.a_card


def _step(state: State) -> str:
    if state.offer is not None:
        return "answer"
    if state.phase is Phase.SHORT:
        return "add"
    try:
        GAME.apply(state, Settle())
    except IllegalAction:
        return "draw"
    return "settle"


def _asked(state: State) -> Iterator[tuple[int, Action]]:
    yield COMPANY, Settle()
    yield COMPANY, Replenish()
    yield COMPANY, Finish()
    yield COMPANY, Resolve(1)
    yield from ((COMPANY, PutAway(number)) for number in state.came if number not in state.away)
    asked = state.offer.other if state.offer is not None else COMPANY
    yield asked, Agree()
    yield asked, Decline()
    for seat in range(1, len(state.hands) + 1):
        yield seat, Take(seat)
    for seat, serial in state.held():
        # Any other card stands for all that may come for it; without one the rules say what is
        # missing.
        (other, wanted), *_ = (*_exchangeable(state, seat), (COMPANY, ""))
        yield seat, Exchange(seat, serial, other, wanted)
        yield seat, ThrowUp(seat, serial)


def _slots(state: State, action: Action) -> Slots | None:
    return (
        Slots(("other", "wanted"), _exchangeable(state, action.seat))
        if isinstance(action, Exchange)
        else None
    )


def _exchangeable(state: State, seat: int) -> tuple[tuple[int, str], ...]:
    """The cards that may come for one of a seat's: first those that nobody has."""
    free = tuple((COMPANY, serial) for serial in state.rest)
    return (*free, *((other, serial) for other, serial in state.held() if other != seat))


def _then(
    _before: State, _after: State, last: Settlement | None, new: Settlement | None
) -> Mapping[str, Any]:
    """A drawing as it was settled: its rows by their class, and counters in all."""
    if new is None or new == last:
        return {}
    rows = {"classes": list(new.classes), "laid": new.laid, "won": new.won, "paid": new.paid}
    return {"settled": {"drawing": new.drawing, "numbers": list(new.numbers), **rows}}


def _unpaid(state: State) -> int:
    return sum(due.counters for due in state.unpaid)


PLAY = Play(
    game=GAME,
    moves=MOVES,
    draw=Draw,
    take_back=TakeBack,
    agreed=("changes", "confirm", "in_money", "settling"),
    parts=_parts,
    asked=_asked,
    slots=_slots,
    value=_value,
    charge=_charge,
    allowed=frozenset(TAKES),
    setup=_setup,
    step=_step,
    broken=broken,
    join=Join,
    advance=settled,
    then=_then,
    unpaid=_unpaid,
)
