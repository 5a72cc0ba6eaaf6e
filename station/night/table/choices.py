"""Find out what a move at a table costs or gives now, or why it is refused. Pure.

A move is tried on the rules themselves, so a refusal comes in their own words, and what the move
costs or gives is the difference between the two states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from station.base.errors import IllegalAction
from station.base.said import Sentence
from station.games import AnyRules
from station.night.table.game import GameInPlay
from station.night.table.luck import DiceFrom, FirstCome, may_throw
from station.rules.abilities import PlaysRealCards
from station.rules.law import came
from station.rules.seen import Move, Slot, SlotKind, Watching

NOTHING = Sentence("")


@dataclass(frozen=True, slots=True)
class Choice:
    """What comes of a move that a player, or the company, may ask for.

    Attributes:
        sums: by seat, how much more hand and purse together have after it, in the rules' units;
            below zero where the seat pays.
        reason, said: why it is refused; empty where it may be done.
    """

    sums: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    said: Sentence = NOTHING

    @property
    def legal(self) -> bool:
        """Return whether the move may be done."""
        return not self.reason


def tried(rules: AnyRules, state: Any, move: Move) -> Choice:
    """Return what a move costs or gives, or why it is refused; where a part is still to be chosen,
    the first possible choice stands for all."""
    chosen: dict[str, Any] = {}
    for slot in move.slots:
        chosen |= zip(slot.names, _first_of(slot), strict=True)
    law = rules.chance(state)
    by_chance = law is not None and law.do == move.do
    if law is not None and by_chance:
        chosen[law.field] = came(law, FirstCome())
    said = {**move.fields, **chosen}
    # Which real cards will be laid nobody knows: whether they fit would tell what somebody holds.
    real = rules.ability(PlaysRealCards)
    laid = real is not None and not real.enforced(state)
    if laid and any(slot.kind is SlotKind.HAND for slot in move.slots):
        return Choice()
    try:
        after = rules.apply(state, rules.moves[move.do](**said))
    except IllegalAction as error:
        return Choice(reason=error.reason, said=error.said)
    # What chance decides, or somebody keys in instead, costs nobody anything beforehand.
    keyed = law is not None and not move.seat and bool(move.slots)
    return Choice(() if by_chance or keyed else _sums(rules, state, after))


def plain_moves(table: GameInPlay | None, dice: Collection[str] = frozenset(DiceFrom)) -> list[str]:
    """Return the moves that a button alone can ask for now: they need no player and no card, and
    play waits for them; a throw only where it may come from the station's luck."""
    if table is None or table.over:
        return []
    return [
        move.do
        for move in table.rules.actions(table.state, Watching.HOST)
        if not (move.slots or move.fields or move.aside)
        and tried(table.rules, table.state, move).legal
        and may_throw(table, {"do": move.do}, dice)
    ]


def may_ask(table: GameInPlay, seat: int, move: Mapping[str, Any]) -> bool:
    """Return whether a seat may ask for this move itself; the rules decide whether it is legal."""
    return (
        bool(seat)
        and not table.over
        and table.enforced
        and any(
            one.do == move.get("do")
            and all(move.get(name) == said for name, said in one.fields.items())
            for one in table.rules.actions(table.state, seat)
        )
    )


def _first_of(slot: Slot) -> tuple[Any, ...]:
    """Return the first choice that may fill a slot, one value for each of its names."""
    match slot.kind:
        case SlotKind.NUMBER:
            return (slot.least,)
        case SlotKind.YES_NO:
            return (False,)
        case SlotKind.HAND | SlotKind.CUBES:
            return (slot.values[: slot.least],)
        case SlotKind.RACE:
            return (slot.values[:1], ())
    first: Any = slot.values[0]
    return first if len(slot.names) > 1 else (first,)


def _sums(rules: AnyRules, before: Any, after: Any) -> tuple[tuple[int, int], ...]:
    """Return, for each seat, how much more hand and purse together have after a move."""
    had, has = rules.funds(before), rules.funds(after)
    more: Counter[int] = Counter()
    for place in has:
        what, _, seat = place.partition(":")
        if what in ("purse", "hand"):
            more[int(seat)] += has[place] - had.get(place, 0)
    return tuple((seat, units) for seat, units in sorted(more.items()) if units)
