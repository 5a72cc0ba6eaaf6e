"""What a company agrees on: the settings of all games at a table, each game its own."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from station.games import GAMES, AnyRules
from station.programme.table import TablePlan, plan_for
from station.rules.play import Setting
from tests.altered import altered

PARLOUR = GAMES["loto-parlour"]
OTHER: AnyRules = altered(
    PARLOUR,
    setup=lambda agreed, dealing: PARLOUR.setup(PARLOUR.agreed({"stake": 120}), dealing),
    settings=(
        Setting("stakes", "small", values=("small", "big")),
        Setting("counters", 3, least=1, most=9),
        Setting("loud", False),
    ),
    parts=lambda _: (1, ""),
)
BOTH: Any = plan_for((*GAMES.values(), OTHER))


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game more, which has two settings that another one has, with other values."""
    monkeypatch.setitem(GAMES, "other", OTHER)


def test_each_game_has_its_own_defaults() -> None:
    """Where two games have a setting of one name, what nobody said is what each of them says."""
    plan = BOTH()
    assert plan.of(OTHER)["stakes"] == "small"
    assert plan.of(GAMES["loto-parlour"])["stakes"] == "quarters"
    assert (plan.of(OTHER)["counters"], plan.of(GAMES["loto-parlour"])["counters"]) == (3, 30)
    assert plan.of(OTHER)["stake"] == 120
    assert "loud" not in plan.of(GAMES["loto-parlour"])


FAULTS = [
    ("other", {"stakes": "quarters"}, "stakes: it is quarters; loto-parlour has small, big"),
    ("other", {"counters": 30}, "counters: it is 30; it may be 1 to 9"),
    ("other", {"counters": "many"}, "counters: it is 'many'; in loto-parlour it is 3"),
    ("other", {"changes": False}, "changes: that is of another method, not of other"),
    ("loto-parlour", {"stakes": "big"}, "stakes: it is big; loto-parlour has whole, quarters"),
    ("loto-parlour", {"loud": True}, "loud: that is of another method, not of loto-parlour"),
    ("loto-parlour", {"counters": 30}, ""),
    ("other", {"stakes": "big", "counters": 9, "loud": True}, ""),
]


@pytest.mark.usefixtures("other")
@pytest.mark.parametrize(("method", "said", "fault"), FAULTS)
def test_what_a_game_does_not_know_is_refused(
    method: str, said: dict[str, Any], fault: str
) -> None:
    """By its own values and bounds, also where another game has a setting of that name."""
    found = BOTH(**said).fault(method)
    assert fault in found
    assert bool(found) is bool(fault)


def test_a_setting_of_one_game_is_checked_as_it_is_read() -> None:
    """Nothing that no game knows, and no value out of its bounds."""
    for said in ({"loud": True}, {"counters": 14}, {"stakes": "big"}, {"changes": "perhaps"}):
        with pytest.raises(ValidationError):
            TablePlan(**said)
