"""A night is untouched as long as nothing was sold, agreed on, opened or called in it."""

from __future__ import annotations

from typing import get_args

import pytest

from station.night.acts import Act
from station.record.nights import IDLE_ACTS, Recorded, untouched

ACTS = sorted(act.model_fields["act"].default for act in get_args(Act))


@pytest.mark.parametrize("act", ACTS)
def test_only_what_binds_nobody_leaves_a_night_untouched(act: str) -> None:
    """Every act there is: one of it, after notes and a census, decides."""
    quiet = [Recorded(seq, "station", {"act": one}) for seq, one in enumerate(sorted(IDLE_ACTS))]
    assert untouched(quiet)
    assert untouched([*quiet, Recorded(99, "Anna", {"act": act})]) is (act in IDLE_ACTS)


def test_the_acts_of_money_and_play_touch_it() -> None:
    """Whatever becomes idle one day: these are not."""
    binding = {"sell", "return", "open", "draw", "claim", "pay", "waive", "sit", "count-cash"}
    assert not binding & IDLE_ACTS
    assert binding <= {*ACTS}
