"""The table of faults fits the code: each can still be put in, and no room is without one."""

from __future__ import annotations

import pytest

from station.machine.bundle import PROJECT
from tests.mutants import Mutant, table

MUTANTS = table()


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.file for mutant in MUTANTS])
def test_what_it_changes_stands_there_once(mutant: Mutant) -> None:
    """Who changes such a line changes its fault, or finds another for the room."""
    text = (PROJECT / mutant.file).read_text(encoding="utf-8")
    mutated = mutant.mutated(text)
    if mutant.file.endswith(".py"):
        compile(mutated, mutant.file, "exec", dont_inherit=True)
    assert mutated != text
    assert mutant.file.startswith((f"station/{mutant.room}/", f"{mutant.room}/"))


def test_every_room_has_one() -> None:
    """Thirty and more, in all rooms and the drivers."""
    rooms = {path.parent.name for path in (PROJECT / "station").glob("*/__init__.py")}
    assert {mutant.room for mutant in MUTANTS} == rooms | {"drivers"}
    assert len(MUTANTS) >= 30


def test_a_text_that_is_gone_or_stands_twice_is_told() -> None:
    """The check above is one."""
    mutant = Mutant("base", "a.py", "x < 1", "x <= 1", "")
    assert mutant.mutated("if x < 1:") == "if x <= 1:"
    for text in ("if x < 2:", "x < 1 or x < 1"):
        with pytest.raises(ValueError, match=r"a\.py: 'x < 1' stands there [02] times"):
            mutant.mutated(text)
