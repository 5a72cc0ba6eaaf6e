"""Who slept, asked of whole random games: the report's answer is that of the rules, state by state,
card by card."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from station.games.loto_first.claims import judge
from station.night.acts import (
    Approve,
    ClaimCard,
    CloseGame,
    DrawKnob,
    Open,
    Pay,
    PlayOn,
    Sell,
    Undo,
)
from station.night.hall import Hall
from station.paper.reports.report import make_report, slept_in
from station.programme.programme import GamePlan, Programme
from station.rules.prizes import ClaimVerdict, PrizeState, Stage
from station.wire.wording import load_wording
from tests.report_night import Remembered
from tests.support import small_pack

PACK = small_pack()
GAMES: dict[str, dict[str, Any]] = {
    "in turn": {
        "stages": [
            {"pattern": "row", "share": 20},
            {"pattern": "two-rows", "share": 20},
            {"pattern": "full"},
        ]
    },
    "at any later call": {"last_number": False},
    "two houses": {
        "stages": [
            {"pattern": "row", "share": 20},
            {"pattern": "full", "share": 40},
            {"pattern": "full"},
        ]
    },
    "at once": {
        "at_once": True,
        "stages": [
            {"pattern": "early-five", "share": 20},
            {"pattern": "row", "share": 20},
            {"pattern": "row", "share": 20},
            {"pattern": "corners", "share": 20},
            {"pattern": "full"},
        ],
    },
}


def play(told: Remembered, luck: Random, look: Callable[[Hall], None]) -> set[tuple[str, str]]:
    """A game in which people are awake now and then.

    Args:
        look: asked at every moment at which somebody might claim.

    Returns:
        Stage and card of those who claimed what they had, in time or too late.
    """
    answered: set[tuple[str, str]] = set()
    told.do(Open())
    for number in luck.sample(range(1, 91), luck.randint(1, 90)):
        told.do(DrawKnob(number=number))
        look(told.hall)
        awake = [serial for serial in PACK.serials if luck.random() < 0.1]
        game = told.hall.last_sold
        assert game is not None
        for serial in awake:
            if (
                game.stage is not None
                and judge(game, serial).verdict is not ClaimVerdict.NOT_COMPLETE
            ) or luck.random() < 0.02:
                told.do(ClaimCard(serial=serial))
                claim = game_of(told).claims[-1]
                late = [
                    one.key
                    for one in game.open
                    if claim.verdict is ClaimVerdict.LATE and has(one, serial, game)
                ]
                answered |= {(stage, serial) for stage in (*claim.stages, *late)}
        if game_of(told).stopped:
            told.do(PlayOn())
            look(told.hall)
        if not game_of(told).unwon:
            break
    return answered


def game_of(told: Remembered) -> PrizeState:
    """The game on the table."""
    assert told.hall.last_sold is not None
    return told.hall.last_sold


def has(stage: Stage, serial: str, game: PrizeState) -> bool:
    """Whether a card in play has a stage's pattern."""
    return serial in game.setup.cards and stage.pattern.complete(
        game.setup.cards[serial], game.called
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", GAMES)
def test_sleepers_are_those_of_the_rules(kind: str, seed: int) -> None:
    """A card sleeps at a stage exactly when, at some moment, a claim would have been valid for that
    stage, and it neither claimed (in time or too late) nor won that pattern before."""
    luck = Random(f"{kind} {seed}")
    told = Remembered(
        Programme(
            name="x",
            games=(GamePlan.model_validate({"name": "x", "price": 100, **GAMES[kind]}),) * 2,
        )
    )
    told.do(Sell(ranges=((PACK.serials[0], PACK.serials[-2]),), games=2))
    for number in (1, 2):
        could: set[tuple[str, str]] = set()

        def look(hall: Hall, could: set[tuple[str, str]] = could) -> None:
            assert hall.last_sold is not None
            could |= {
                (stage, serial)
                for serial in hall.last_sold.setup.cards
                for stage in judge(hall.last_sold, serial).stages
            }

        awake = play(told, luck, look)
        told.do(CloseGame())
        game = told.hall.last_sold
        assert game is not None
        source = told.source()
        wanted = could - awake
        deck, _ = source.in_play[number - 1]
        found = {
            (slept.stage, deck.serials[place])
            for slept in slept_in(source, source.record.games[number - 1])
            for place, _ in slept.cards
        }
        assert found == wanted
        assert len(make_report(source, load_wording()).tables["sleepers"].rows) >= len(wanted)


def test_an_approval_is_for_one_payment() -> None:
    """Who approved the first payment to a card did not approve the second."""
    programme = Programme.model_validate(
        {
            "name": "x",
            "approve_above": 1,
            "games": [{"name": "x", "price": 100, "stakes": "whole"}] * 2,
        }
    )
    told = Remembered(programme)
    told.do(Sell(serials=(PACK.serials[0],), games=2))
    for who in ("Dora", "Eve"):
        told.do(Open())
        for number in [number for row in PACK.card(PACK.serials[0]).rows for number in row]:
            told.do(DrawKnob(number=number))
        told.do(ClaimCard(serial=PACK.serials[0]))
        told.do(PlayOn())
        told.do(CloseGame())
        told.do(Approve(serial=PACK.serials[0], who=who))
        told.do(Pay(serial=PACK.serials[0], who="Ben"))
    payments = make_report(told.source(), load_wording()).tables["payments"]
    assert payments.column("approved") == ("Dora", "Eve")
    assert payments.column("amount") == (100, 100)


def test_how_each_was_proven_stands_beside_the_name() -> None:
    """Of who paid, who approved, and who agreed that a call that was paid for is taken back; names
    that were typed have no column of their own on paper."""
    programme = Programme.model_validate(
        {
            "name": "x",
            "approve_above": 1,
            "games": [{"name": "x", "price": 100, "stakes": "whole"}],
        }
    )
    for proven in (True, False):
        told = Remembered(programme)
        by = (lambda proof: {"proof": proof}) if proven else (lambda _: {})
        told.do(Sell(serials=(PACK.serials[0],)))
        told.do(Open())
        for number in [number for row in PACK.card(PACK.serials[0]).rows for number in row]:
            told.do(DrawKnob(number=number))
        told.do(ClaimCard(serial=PACK.serials[0]))
        told.do(PlayOn())
        told.do(Approve(serial=PACK.serials[0], who="Dora", **by("pin")))
        told.do(Pay(serial=PACK.serials[0], who="Ben", **by("device")))
        told.do(Approve(about="undo", who="Dora", **by("device")))
        told.do(Approve(about="undo", who="Eve", **by("pin")))
        told.do(Undo(why="misread"))
        report = make_report(told.source(), load_wording())
        paid, back = report.tables["payments"], report.tables["corrections"]
        assert (paid.column("by"), paid.column("approved")) == (("Ben",), ("Dora",))
        assert back.column("approved") == ("Dora, Eve",)
        proofs = (paid.column("proof"), paid.column("agreed"), back.column("agreed"))
        if proven:
            assert proofs == (("device",), ("pin",), ("device, pin",))
        else:
            assert proofs == (("",), ("",), ("",))
            for key in ("payments", "corrections"):
                shown = {column.key for column in report.short(key).columns}
                assert not {"proof", "agreed"} & shown


def test_who_agreed_about_another_call_did_not_agree_about_this_one() -> None:
    """An approval to take a call back is for that call: after the next one it counts no more."""
    stages = [{"pattern": "row", "share": 40}, {"pattern": "full"}]
    games = [{"name": "x", "price": 100, "stages": stages}]
    told = Remembered(Programme.model_validate({"name": "x", "games": games}))
    card = PACK.card(PACK.serials[0])
    told.do(Sell(serials=(card.serial,)))
    told.do(Open())
    for number in card.rows[0]:
        told.do(DrawKnob(number=number))
    told.do(ClaimCard(serial=card.serial))
    told.do(PlayOn())
    told.do(Pay(serial=card.serial))
    told.do(Approve(about="undo", who="Dora"))
    told.do(DrawKnob(number=card.rows[1][0]))
    told.do(Undo(why="misread"))
    back = make_report(told.source(), load_wording()).tables["corrections"]
    assert (back.column("number"), back.column("approved")) == ((card.rows[1][0],), ("",))


def test_a_claim_on_a_call_that_was_taken_back_woke_nobody() -> None:
    """Claimed, taken back, drawn again and not claimed: the card sleeps."""
    told = Remembered(
        Programme.model_validate({"name": "x", "games": [{"name": "x", "stakes": "whole"}]})
    )
    serial = PACK.serials[0]
    told.do(Sell(serials=(serial,)))
    told.do(Open())
    numbers = [number for row in PACK.card(serial).rows for number in row]
    for number in numbers:
        told.do(DrawKnob(number=number))
    told.do(ClaimCard(serial=serial))
    told.do(Undo(why="not this one"))
    told.do(DrawKnob(number=numbers[-1]))
    told.do(CloseGame())
    source = told.source()
    assert [slept.cards for slept in slept_in(source, source.record.games[0])] == [((0, 15),)]


def test_a_stage_that_never_opened_has_no_sleepers() -> None:
    """Two rows complete on the last call, while the row was still open: that is a sleeper's row,
    not two rows."""
    told = Remembered(Programme(name="x", games=(GamePlan(name="x"),)))
    serial = PACK.serials[0]
    told.do(Sell(serials=(serial,)))
    told.do(Open())
    for number in (number for row in PACK.card(serial).rows[:2] for number in row):
        told.do(DrawKnob(number=number))
    told.do(CloseGame())
    source = told.source()
    assert [(slept.stage, slept.cards) for slept in slept_in(source, source.record.games[0])] == [
        ("row", ((0, 5),))
    ]
