"""A game at the table: the company, its cards and counters, and what the game's own rules say of
them. Pure.

Beside the state of the rules stands what the night adds: who the seats are, that the bag was
counted and shaken.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import Any

from pydantic import TypeAdapter, ValidationError

from station.base.errors import Unreadable
from station.base.nouns import Card
from station.games import PLAYS
from station.night.acts import Draw, Move
from station.night.sealed import Sealed
from station.night.table.company import Seat, with_purses
from station.programme.programme import GamePlan, validation_faults
from station.rules.play import Dealing, Play, Played, in_front_of
from station.rules.seating import takes


@dataclass(frozen=True)
class Parlour:
    """A game at the table at one moment.

    Attributes:
        plan: what the programme says of it.
        seats: the company, with the purses with which it sat down to this game; those who joined
            later have the last seats.
        state: of the game's own rules.
        shaken: the bag was counted and shaken, and nothing but draws has touched it since.
        shakings: how many bags were shaken in this game; one that is counted again before its
            drawing is over is the same.
        calls: how many knobs were drawn in this game, in all its drawings.
        derived: what its rules derive beside the state, as how the last drawing was settled.
        sealed: the hidden parts of this hand's moves, in their order.
        unsealed: those of the hand that was over with the last act.
    """

    plan: GamePlan
    seats: tuple[Seat, ...]
    state: Any
    shaken: bool = False
    shakings: int = 0
    calls: int = 0
    derived: Any = None
    sealed: tuple[Sealed, ...] = ()
    unsealed: tuple[Sealed, ...] = ()

    @property
    def method(self) -> str:
        """Return the name of its rules."""
        return self.plan.method

    @property
    def rules(self) -> Play:
        """Its rules."""
        return PLAYS[self.plan.method]

    @property
    def over(self) -> bool:
        """Whether it has come to its end, and all is redeemed."""
        return self.rules.game.outcome(self.state) is not None

    @cached_property
    def agreed(self) -> Mapping[str, Any]:
        """Return what the company has agreed on for this game."""
        return self.plan.agreed.of(self.rules)

    @cached_property
    def value(self) -> int:
        """Return what one of its units is worth, in minor units."""
        return self.rules.value(self.agreed)

    @cached_property
    def funds(self) -> Mapping[str, int]:
        """Return where its counters, or its money, lie, in its units."""
        return self.rules.game.funds(self.state)

    @property
    def hands(self) -> tuple[int, ...]:
        """Return what each seat has won, in its units; below zero it is owed."""
        return in_front_of(self.funds, "hand", len(self.seats))

    @property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each seat."""
        return self.rules.taken(self.state) or ((),) * len(self.seats)

    @property
    def bag(self) -> frozenset[int]:
        """Return the knobs in the bag."""
        return self.rules.bag(self.state)

    @property
    def board(self) -> tuple[int, ...]:
        """Return the knobs on the board, in the order in which they were drawn."""
        return self.rules.board(self.state)

    @property
    def purses(self) -> tuple[int, ...]:
        """Return what each seat has outside the game now, in minor units; what makes no whole unit
        of the game's was never in it."""
        value, funds = self.value, self.funds
        return tuple(
            funds.get(f"purse:{place}", seat.purse // value) * value + seat.purse % value
            for place, seat in enumerate(self.seats, 1)
        )

    @property
    def at_stake(self) -> int:
        """Return what is in the game, in minor units: all its funds but the purses."""
        return self.value * sum(
            units for place, units in self.funds.items() if not place.startswith("purse:")
        )

    @property
    def company(self) -> tuple[Seat, ...]:
        """The seats, with the purses as they are now."""
        return with_purses(self.seats, self.purses)

    def notation(self) -> str:
        """Return it on one line; the cards stand in it as the deal's digest, a state with secrets
        as a digest salted with theirs."""
        counted = f"shaken={int(self.shaken)} shakings={self.shakings} calls={self.calls}"
        state = self.rules.game.notation(self.state)
        if self.sealed:
            salted = " ".join([*(part.salt for part in self.sealed), state])
            state = f"sealed={hashlib.sha256(salted.encode()).hexdigest()[:32]}"
        return f"{self.method} {counted} {state}"


def counts_of(plan: GamePlan, seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return how many cards each seat takes: what it wants, and the others what the rules give for
    the cards that are left; none in a game without cards.

    Raises:
        Unreadable: there are not so many cards.
    """
    cards = plan.dealt
    if not cards:
        return (0,) * len(seats)
    wanted = sum(seat.takes for seat in seats if seat.takes is not None)
    silent = sum(seat.takes is None for seat in seats)
    if wanted > cards:
        raise Unreadable(f"{wanted} cards are wanted, {cards} are dealt: let somebody take fewer")
    given = iter(takes(silent, cards - wanted) if silent else ())
    return tuple(next(given) if seat.takes is None else seat.takes for seat in seats)


def dealt(
    plan: GamePlan, seats: Sequence[Seat], cards: Mapping[str, Card], register: str
) -> Parlour:
    """Return the game when the cards are dealt and the stakes paid.

    Args:
        cards: in the order of the deal.
        register: a digest of them.

    Raises:
        Unreadable: the rules do not let this company play.
    """
    rules = PLAYS[plan.method]
    agreed, counts = plan.agreed.of(rules), counts_of(plan, seats)
    least, most = rules.seats or (1, len(seats))
    if not least <= len(seats) <= most:
        raise Unreadable(f"{len(seats)} players: {rules.title} is for {least} to {most}")
    purses = tuple(seat.purse // rules.value(agreed) for seat in seats)
    setup = rules.setup(agreed, Dealing(cards, counts, purses, register))
    return Parlour(plan, tuple(seats), rules.game.start(setup))


def parse_move(method: str, move: Mapping[str, Any]) -> Any:
    """Return what is asked for, `{"do": "throw-up", "seat": 2, "serial": "0007"}`, as an action of
    the game's rules.

    Raises:
        Unreadable: there is no such move, or it says too little, too much, or something else than
            it should.
    """
    moves = PLAYS[method].moves
    do = move.get("do")
    if not isinstance(do, str) or do not in moves:
        raise Unreadable(
            f"there is no move {do!r} in {PLAYS[method].game.title}: it has {', '.join(moves)}"
        )
    action, said = moves[do], {key: given for key, given in move.items() if key != "do"}
    known = [field.name for field in fields(action)]
    if foreign := sorted(said.keys() - known):
        raise Unreadable(
            f"{do}: there is no {foreign[0]!r} in it; it says {', '.join(known) or 'nothing more'}"
        )
    try:
        return _reader(action).validate_json(json.dumps(said), strict=True)
    except ValidationError as error:
        raise Unreadable(f"{do}: {'; '.join(validation_faults(error, 'the move'))}") from error


@cache
def _reader(action: type) -> TypeAdapter[Any]:
    return TypeAdapter(action)


def played(parlour: Parlour, action: Any, part: Sealed | None = None) -> Parlour:
    """Return the game after an action of its rules. Raises `IllegalAction` as they do.

    Args:
        part: what of the action is hidden until the hand is over.
    """
    before, rules = parlour.state, parlour.rules
    state = rules.game.apply(before, action)
    derived = rules.advance(parlour.derived, before, action, state)
    sealed = (*parlour.sealed, part) if part is not None else parlour.sealed
    after = replace(parlour, state=state, derived=derived, sealed=sealed, unsealed=())
    if after.over or rules.hand_over(state):
        after = replace(after, sealed=(), unsealed=sealed)
    return replace(after, shaken=parlour.shaken and after.bag == parlour.bag)


def done_by(act: Draw | Move, before: Parlour, after: Parlour) -> Played:
    """Return what was done by an act that was played, with the states before and after."""
    rules = after.rules
    if isinstance(act, Move):
        action = parse_move(after.method, act.whole)
    else:
        action = rules.draw(act.number) if rules.draw is not None else None
    return Played(before.state, action, after.state, before.derived, after.derived)


def joined(parlour: Parlour, seat: Seat) -> Parlour | None:
    """The game with somebody more at the table; None where this game lets nobody join. Raises
    `IllegalAction` as its rules do."""
    join = parlour.rules.join
    if join is None:
        return None
    state = parlour.rules.game.apply(parlour.state, join(seat.purse // parlour.value))
    return replace(parlour, seats=(*parlour.seats, seat), state=state)


def drawn(parlour: Parlour, number: int) -> Parlour:
    """The game when a knob is drawn, in a game with knobs. Raises `IllegalAction` as its rules
    do."""
    after = played(parlour, _given(parlour.rules.draw)(number))
    return replace(after, shaken=parlour.shaken, calls=parlour.calls + 1)


def taken_back(parlour: Parlour) -> Parlour:
    """The game when the last knob went back into the bag. Raises `IllegalAction` as its rules
    do."""
    after = played(parlour, _given(parlour.rules.take_back)())
    return replace(after, shaken=parlour.shaken, calls=parlour.calls - 1)


def shaken(parlour: Parlour, *, anew: bool) -> Parlour:
    """The game when the knobs in the bag were counted, and the bag was shaken; `anew` where it has
    another order now."""
    return replace(parlour, shaken=True, shakings=parlour.shakings + anew)


def broken_off(parlour: Parlour) -> Parlour:
    """The game when it is closed, or broken off before: all counters are redeemed. Raises
    `IllegalAction` as its rules do, and `Unreadable` where it must be played to its end."""
    state = _given(parlour.rules.broken)(parlour.state)
    return replace(parlour, state=state, shaken=False, sealed=(), unsealed=parlour.sealed)


def _given(way: Callable[..., Any] | None) -> Callable[..., Any]:
    if way is None:
        raise Unreadable("this game does not do that: play on")
    return way


def next_step(parlour: Parlour) -> str:
    """What comes next.

    Returns:
        "shake" (count the knobs and shake the bag), "draw", "settle", "answer" (an offer waits for
            the other player's word),
        "add" (the pool is short: the players add to it, or finish), "share" (the bag is empty, and
            something is not won), "close"
        (all is won), "open" (the next game).
    """
    if parlour.over:
        return "open"
    step = parlour.rules.step(parlour.state)
    return "shake" if step == "draw" and not parlour.shaken else step
