"""Add to a move what only the station knows: what chance says, and the seal on secrets. Pure.

The rules have no luck. `GameRules.chance` says what is awaited, and which move carries it. A person
asks for that move without its result, such as dice or a shuffle. The station adds the result from
its source of chance, and replaces by a digest what is hidden until the hand is over.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.night.acts import MakeMove
from station.night.sealed import SEALED, seal
from station.night.table.game import GameInPlay
from station.proof.leaves import OpenedLeaf, Source
from station.rules.law import Chances, Decided, came, law_of
from station.rules.play import COMPANY, Chance, Luck
from station.rules.seen import Watching

T = TypeVar("T")
UNSALTED = "0" * 32


class FirstCome:
    """A source of no chance: ones, and things in their order, to try whether a move is allowed."""

    def randint(self, a: int, b: int) -> int:
        """Return the lower bound."""
        return min(a, b)

    def shuffle(self, x: list[T]) -> None:
        """Leave the list as it is."""


def awaited(table: GameInPlay) -> Chance | None:
    """Return what a table awaits from chance, unless it comes over a reader: a knob, a real
    card."""
    law = None if table.over else table.rules.chance(table.state)
    return law if law is not None and law.kind not in (Luck.KNOB, Luck.CARD) else None


class DiceFrom(StrEnum):
    """Where a throw of dice, or of marked cubes, comes from."""

    STATION = "station"  # its own luck
    TOWER = "tower"  # a dice tower that reads real ones
    KEYED = "keyed"  # a person who says what real ones show


def awaited_throw(table: GameInPlay | None) -> Chance | None:
    """Return what a table awaits from dice or cubes."""
    law = awaited(table) if table is not None else None
    return law if law is not None and law.kind in (Luck.DICE, Luck.CUBES) else None


def thrower(table: GameInPlay | None) -> int:
    """Return the seat whose player throws dice or cubes now; 0 where nobody's are awaited."""
    if table is None or awaited_throw(table) is None:
        return 0
    seats = [one for one in table.rules.to_act(table.state) if isinstance(one, int)]
    return seats[0] if len(seats) == 1 else 0


def own_throw(table: GameInPlay | None, seat: int) -> Chance | None:
    """Return what a seat may throw itself now: dice or cubes that are its player's to throw; None
    where it may not. What they show comes from the station."""
    throws = seat and thrower(table) == seat
    return awaited_throw(table) if throws and table is not None else None


def dice_from(table: GameInPlay | None, move: Mapping[str, Any]) -> DiceFrom | None:
    """Return where the dice come from in a move that a person asks for; None if it is no throw that
    is due."""
    law = awaited_throw(table)
    if law is None or table is None:
        return None
    if move.get("do") == law.do:
        return DiceFrom.KEYED if law.field in move else DiceFrom.STATION
    # a game may have a move of its own, by which the host says what they show
    asked = table.rules.actions(table.state, Watching.HOST)
    keys = any(one.do == move.get("do") and one.seat == COMPANY and one.slots for one in asked)
    return DiceFrom.KEYED if keys else None


def may_throw(table: GameInPlay | None, move: Mapping[str, Any], sources: Collection[str]) -> bool:
    """Return whether a move is no throw, or a throw that may come from its source."""
    source = dice_from(table, move)
    return source is None or source in sources


def shown(law: Chance, spots: Sequence[int], marks: Sequence[str]) -> list[int] | list[str] | None:
    """Return what dice, or cubes, show as the awaited move has it; None if they are not those that
    are thrown, or not all of them.

    Args:
        spots: what each die shows; none for cubes.
        marks: what each cube shows, empty for a blank face; none for dice.
    """
    if law.kind is Luck.DICE:
        fits = not marks and len(spots) == law.dice and max(spots) <= law.faces
        return list(spots) if fits else None
    found = [mark for mark in law.things if mark in marks]
    fits = not spots and len(marks) == len(law.things) and len(found) == len([*filter(None, marks)])
    return (found or [law.blank]) if fits else None


def decides(table: GameInPlay, act: MakeMove) -> Chance | None:
    """Return what the station's own luck decides in a move that was asked for."""
    law, move = awaited(table), act.move
    asked = law is not None and move.get("do") == law.do and law.field not in move
    return law if asked else None


def recorded(
    table: GameInPlay,
    act: MakeMove,
    chances: Chances | tuple[OpenedLeaf, Source],
    salt: str = UNSALTED,
) -> MakeMove:
    """Return a move that was asked for as it is recorded.

    Args:
        chances: where what the station decides comes from: the table's next leaf with its luck, or,
            where the move is only tried, any other.
        salt: for its hidden fields, 128 random bits in hex; without it the move is only tried.

    Raises:
        Unreadable: the move comes sealed already, which only the station does.
    """
    if SEALED in act.move:
        raise Unreadable(f"{SEALED}: {tr('say what is hidden; the station seals it')}")
    move, law, chance = dict(act.move), decides(table, act), None
    if law is not None and isinstance(chances, tuple):
        leaf, source = chances
        chance = Decided(leaf=leaf, law=law_of(law))
        move[law.field] = chance.law.come(source)
    elif law is not None and not isinstance(chances, tuple):
        move[law.field] = came(law, chances)
    hidden = table.hidden(move)
    if not hidden:
        return MakeMove(move=move, chance=chance)
    said, part = seal(move, hidden, salt, chance)
    later = chance.leaf.at if chance is not None else None
    return MakeMove(move=said, later=later).with_part(part)


def is_that(asked: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """Return whether a recorded move can be the one that was asked for: the fields are the same but
    for what chance added, always a list, and what is hidden now."""
    sealed = SEALED in recorded
    kept = all(
        recorded[name] == said if name in recorded else sealed for name, said in asked.items()
    )
    added = recorded.keys() - asked.keys() - {SEALED}
    return kept and all(isinstance(recorded[name], list) for name in added)
