"""Add to a move what only the station knows: what chance says, and the seal on secrets. Pure.

The rules have no luck: `Play.chance` says what is awaited, and which move carries it. Somebody asks
for that move without its result, such as dice or a shuffle; the station adds the result, from the
source of chance that it is given. Then a digest takes the place of what is hidden until the hand is
over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.night.acts import MakeMove
from station.night.sealed import SEALED, seal
from station.night.table.game import Parlour
from station.rules.play import Chance, Luck

T = TypeVar("T")
UNSALTED = "0" * 32


class Chances(Protocol):
    """The part of `random.Random` that this room uses."""

    def randint(self, a: int, b: int) -> int:
        """Return a whole number from `a` to `b`, each as likely as any other."""

    def shuffle(self, x: list[T]) -> object:
        """Put a list into any order, each as likely as any other."""


class FirstCome:
    """A source of no chance: ones, and things in their order, to try whether a move is allowed."""

    def randint(self, a: int, b: int) -> int:
        """Return the lower bound."""
        return min(a, b)

    def shuffle(self, x: list[T]) -> None:
        """Leave the list as it is."""


def came(law: Chance, chances: Chances) -> Any:
    """Return the result of dice, cubes or a shuffle, in order; for a knob, to try a move, the
    lowest."""
    if law.kind is Luck.KNOB:
        return min(law.numbers)
    if law.kind is Luck.DICE:
        return [chances.randint(1, law.faces) for _ in range(law.dice)]
    if law.kind is Luck.CUBES:
        return [mark for mark in law.things if chances.randint(1, law.faces) == 1] or [law.blank]
    things = list(law.things)
    chances.shuffle(things)
    return things[: law.count or None]


def awaited(table: Parlour) -> Chance | None:
    """Return what a table awaits from chance, unless it comes over a reader: a knob, a real
    card."""
    law = None if table.over else table.rules.chance(table.state)
    return law if law is not None and law.kind not in (Luck.KNOB, Luck.CARD) else None


def recorded(table: Parlour, act: MakeMove, chances: Chances, salt: str = UNSALTED) -> MakeMove:
    """Return a move that was asked for as it is recorded.

    Args:
        salt: for its hidden fields, 128 random bits in hex; without it the move is only tried.

    Raises:
        Unreadable: the move comes sealed already, which only the station does.
    """
    if SEALED in act.move:
        raise Unreadable(f"{SEALED}: {tr('say what is hidden; the station seals it')}")
    move, law = dict(act.move), awaited(table)
    if law is not None and move.get("do") == law.do and law.field not in move:
        move[law.field] = came(law, chances)
    hidden = table.rules.hidden.get(str(move.get("do")))
    if not hidden:
        return MakeMove(move=move)
    said, part = seal(move, hidden, salt)
    return MakeMove(move=said).with_part(part)


def is_that(asked: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """Return whether a recorded move can be the one that was asked for: the fields are the same but
    for what chance added, always a list, and what is hidden now."""
    sealed = SEALED in recorded
    kept = all(
        recorded[name] == said if name in recorded else sealed for name, said in asked.items()
    )
    added = recorded.keys() - asked.keys() - {SEALED}
    return kept and all(isinstance(recorded[name], list) for name in added)
