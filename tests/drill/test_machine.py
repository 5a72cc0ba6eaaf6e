"""The station beside a night on paper, with Hypothesis choosing what happens: it finds the shortest
way to a disagreement."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.drill import machine, mutants
from tests.drill.course import Broken


class HallBesidePaper(machine.HallBesidePaper):
    """With the tests' own settings: what it once found it tries first."""


HallBesidePaper.TestCase.settings = settings(max_examples=30, stateful_step_count=30)
TestHallBesidePaper = pytest.mark.long(HallBesidePaper.TestCase)


@pytest.mark.long
def test_a_disagreement_is_told_step_by_step() -> None:
    """The drill tells the evening that shows it, and it is the same another time."""
    with pytest.raises(Broken) as caught:
        machine.check(5, 0, mutants.SkipsUndo)
    told = str(caught.value)
    assert "the hall had heard of it, and it is lost" in told
    assert "state.power_cut(act={'act': 'undo'})" in told
    with pytest.raises(Broken) as again:
        machine.check(5, 0, mutants.SkipsUndo)
    assert str(again.value) == told
