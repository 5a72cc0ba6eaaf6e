"""Small faults put into a copy of the project one after the other, to see that the tests of each
room find them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("table.toml")


@dataclass(frozen=True)
class Mutant:
    """One fault.

    Attributes:
        room: whose tests must find it.
        file: where it is put, as a path from the project.
        old: the text there, which stands in the file once.
        new: what it becomes.
        so: what is wrong then, in a sentence.
        by: whose tests find it, where those are not the room's own.
    """

    room: str
    file: str
    old: str
    new: str
    so: str
    by: str = ""

    def mutated(self, text: str) -> str:
        """Return the file's text with the fault in it.

        Raises:
            ValueError: the old text does not stand there exactly once.
        """
        if (times := text.count(self.old)) != 1:
            raise ValueError(f"{self.file}: {self.old!r} stands there {times} times")
        return text.replace(self.old, self.new)


def table() -> tuple[Mutant, ...]:
    """Return all faults, room by room."""
    with TABLE.open("rb") as file:
        return tuple(Mutant(**row) for row in tomllib.load(file)["mutant"])
