"""Say what comes of a throw or a shuffle: by any source of chance, or by law from a leaf. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, Field

from station.proof.leaves import OpenedLeaf, Source
from station.rules.play import Chance, Luck

T = TypeVar("T")
_Word = Annotated[str, Field(max_length=64)]
_Count = Annotated[int, Field(strict=True, ge=1, le=1000)]


class Chances(Protocol):
    """The part of `random.Random` that this room uses."""

    def randint(self, a: int, b: int) -> int:
        """Return a whole number from `a` to `b`, each as likely as any other."""

    def shuffle(self, x: list[T]) -> object:
        """Put a list into any order, each as likely as any other."""


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


class Law(BaseModel, frozen=True, extra="forbid"):
    """How a result follows from a leaf.

    Attributes:
        kind, dice, faces, things, blank, count: as in `Chance`; None where it is nothing to that
            kind.
        field: the field of the move that has the result.
    """

    kind: Literal[Luck.DICE, Luck.CUBES, Luck.SHUFFLE]
    field: _Word
    dice: _Count | None = None
    faces: _Count | None = None
    things: Annotated[tuple[_Word, ...], Field(max_length=1000)] | None = None
    blank: _Word | None = None
    count: _Count | None = None

    def come(self, source: Source) -> list[int] | list[str]:
        """Return the result that the luck of a leaf gives."""
        things, faces = self.things or (), self.faces or 1
        if self.kind is Luck.DICE:
            return [source.die(faces, step) for step in range(self.dice or 0)]
        if self.kind is Luck.CUBES:
            shown = [mark for step, mark in enumerate(things) if source.die(faces, step) == 1]
            return shown or [self.blank or ""]
        return source.shuffled(things)[: self.count]


def law_of(law: Chance) -> Law:
    """Return how what is awaited from chance, but a knob or a real card, follows from a leaf."""
    match law.kind:
        case Luck.DICE:
            return Law(kind=law.kind, field=law.field, dice=law.dice, faces=law.faces)
        case Luck.CUBES:
            marks, blank = law.things, law.blank
            return Law(kind=law.kind, field=law.field, faces=law.faces, things=marks, blank=blank)
    return Law(kind=law.kind, field=law.field, things=law.things, count=law.count or None)


class Decided(BaseModel, frozen=True, extra="forbid"):
    """The leaf that has decided a move, and by which law."""

    leaf: OpenedLeaf
    law: Law

    def to_json(self) -> dict[str, Any]:
        """Return it as lines have it."""
        return self.model_dump(mode="json", exclude_none=True)
