"""A night of Keno, from the sale of the cards to the prizes that are paid and the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.programme.check import load_programme
from station.programme.programme import SHIPPED, GamePlan
from station.record.requests import Command
from station.record.session import Session
from station.wire.wording import load_wording
from tests.drill.sender import certain
from tests.report_night import pack
from tests.support import ADMIN, CLOCK, Told, night_in, run

KENO = load_programme(SHIPPED / "keno.toml")
LINE = (12, 43, 52, 65, 80)  # the top row of card 0001


def acts() -> list[dict[str, object]]:
    """Two games: won by one card; and by two players on one number."""
    top = pack().card("0013").rows[0]
    other, tied = next(
        (serial, row)
        for serial in pack().serials[13:]
        for row in pack().card(serial).rows
        if top[0] in row
    )
    calls = [*sorted({*top, *tied} - {top[0]}), top[0]]
    return [
        {"act": "sell", "ranges": [["0001", "0012"]], "to": "Anna", "by": "Ben", "games": 2},
        {"act": "sell", "ranges": [["0013", "0024"]], "by": "Ben", "games": 2},
        {"act": "open"},  # 24 cards at 0.25, less a tenth
        *({"act": "draw", "number": number} for number in LINE),
        {"act": "stop"},
        {"act": "claim", "serial": "0013"},
        {"act": "claim", "serial": "0001"},
        {"act": "play-on"},
        {"act": "pay", "serial": "0001"},
        {"act": "close"},
        {"act": "open"},
        *({"act": "draw", "number": number} for number in calls),
        {"act": "claim", "serial": "0013"},
        {"act": "claim", "serial": other},
        {"act": "play-on"},
        {"act": "pay", "serial": "0013"},
        {"act": "pay", "serial": other},
        {"act": "close"},
        {"act": "close-night"},
    ]


def test_a_night_of_keno_from_the_sale_to_the_report(tmp_path: Path) -> None:
    """The first full row on one card takes the whole pool, once it is claimed; a tie shares it."""
    with night_in(tmp_path, programme=KENO, pack=pack()) as night:
        session = Session(night, Told(), CLOCK)
        for number, act in enumerate(acts()):
            command = Command.read(f"c{number}", act, ADMIN, "wire")
            answer = run(session.submit(certain(session, command)))
            assert "ok" in answer.to_json(), (act, answer)
        hall = session.hall
    assert hall.prizes.title == "Keno"
    report = make_report(read_source(tmp_path, None, lambda *_: None), load_wording())
    wins = [tuple(row.values()) for row in report.tables["wins"].data()]
    assert [(row[0], row[1], row[2], row[5]) for row in wins[:1]] == [(1, "One line", "0001", 540)]
    assert [(row[0], row[5]) for row in wins[1:]] == [(2, 270), (2, 270)]
    assert {row[7] for row in wins} == {"paid"}
    stages = [tuple(row.values())[:3] for row in report.tables["stages"].data()]
    assert stages == [(1, "row", "One line"), (2, "row", "One line")]


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"stakes": "quarters"}, "it is “quarters”; it is one of 'whole'"),
        ({"stages": [{"pattern": "row"}]}, "Keno has no stages to be written out"),
        ({"kin": "tombola"}, "tombola is played in the hall"),
        ({"table": {}}, "a table is for a company's game"),
    ],
)
def test_keno_has_one_stake(more: dict[str, object], fault: str) -> None:
    """The whole pool for a row; a programme need not say so, and cannot say otherwise."""
    plan = GamePlan.model_validate({"name": "Keno", "method": "keno"})
    assert (plan.stakes, plan.keys, plan.at_table) == ("whole", ("row",), False)
    assert GamePlan.model_validate(plan.model_dump(mode="json")) == plan
    with pytest.raises(ValueError, match=fault):
        GamePlan.model_validate({"name": "Keno", "method": "keno", **more})
