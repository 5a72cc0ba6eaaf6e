"""What the station adds to a move: what chance says, and the seal on what nobody may see. Pure.

The rules have no luck: `Play.chance` says what is awaited, and which move carries it. Somebody asks
for that move without what came, as dice or a shuffle; the station puts it in, by chance that it is
given. Then a digest takes the place of what is hidden until the hand is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from station.base.errors import Unreadable
from station.night.acts import Move
from station.night.sealed import SEALED, seal
from station.night.table.game import Parlour
from station.rules.play import Chance, Luck

T = TypeVar("T")
UNSALTED = "0" * 32


class Chances(Protocol):
    """The part of `random.Random` that is used here."""

    def randint(self, a: int, b: int) -> int:
        """Return a whole number from `a` to `b`, each as likely."""

    def shuffle(self, x: list[T]) -> object:
        """Put a list into any order, each as likely."""


class FirstCome:
    """Luck that is none: ones, and things in their order, to try whether a move is allowed."""

    def randint(self, a: int, b: int) -> int:
        """See `Chances`."""
        return min(a, b)

    def shuffle(self, x: list[T]) -> None:
        """See `Chances`."""


def came(law: Chance, chances: Chances) -> Any:
    """Return what came of dice or of a shuffle, in order. Of a knob, which comes from the bag,
    return the lowest: to try a move only."""
    if law.kind is Luck.KNOB:
        return min(law.numbers)
    if law.kind is Luck.DICE:
        return [chances.randint(1, law.faces) for _ in range(law.dice)]
    things = list(law.things)
    chances.shuffle(things)
    return things


def awaited(table: Parlour) -> Chance | None:
    """Return the law of what a table waits for from chance, if that is no knob."""
    law = None if table.over else table.rules.chance(table.state)
    return law if law is not None and law.kind is not Luck.KNOB else None


def recorded(table: Parlour, act: Move, chances: Chances, salt: str = UNSALTED) -> Move:
    """Return a move that was asked for as it is recorded.

    Args:
        salt: for what is hidden of it, 128 bits of chance in hex; without it to try the move only.

    Raises:
        Unreadable: it comes sealed already, which the station alone does.
    """
    if SEALED in act.move:
        raise Unreadable(f"{SEALED}: say what is hidden; the station seals it")
    move, law = dict(act.move), awaited(table)
    if law is not None and move.get("do") == law.do and law.field not in move:
        move[law.field] = came(law, chances)
    hidden = table.rules.hidden.get(str(move.get("do")))
    if not hidden:
        return Move(move=move)
    said, part = seal(move, hidden, salt)
    return Move(move=said).with_part(part)


def is_that(asked: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """Return whether a recorded move can be the one that was asked for: it says the same, but for
    what chance added, always a list, and what is hidden now."""
    sealed = SEALED in recorded
    kept = all(
        recorded[name] == said if name in recorded else sealed for name, said in asked.items()
    )
    added = recorded.keys() - asked.keys() - {SEALED}
    return kept and all(isinstance(recorded[name], list) for name in added)
