"""Tontine between two games of Loto: dealt at the press of a button or keyed in card by card, said,
shown, paid and reported."""

from __future__ import annotations

import io
import json

import pytest

from drivers import Pressed, Released
from station.base.nouns import PACK
from station.base.terminal import Terminal
from station.night.hall import Hall
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.journal import FILE
from station.record.requests import Done
from station.screens import watch
from station.views.table.host import told_of_table
from station.wire.wording import languages, load_wording
from tests.screens.screen.test_things import painted
from tests.support import run_by_hand, table_in, verify

pytestmark = pytest.mark.long

NAMES = ("Anna", "Bruno", "Carla", "Dario")
SIT = [{"name": name, "purse": 1000} for name in NAMES]
PRESS = (Pressed("draw", 0.0), Released("draw", 0.1, 0.1))
WORDS = load_wording()
TONTINE = GamePlan(name="Tontine", method="tontine", table=TablePlan(stake=100, each=5))
PROGRAMME = Programme(name="Cards", games=(GamePlan(name="Loto"), TONTINE, GamePlan(name="Loto")))


def keyed(hall: Hall) -> str:
    """A card that is not out, for whoever is next: none that pays much."""
    return next(face for face in hall.at_table.state.stock if face.startswith("9"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The second game of an evening, played to its end: two cards keyed in, one taken back, all
    others dealt by the button."""
    folder = tmp_path_factory.mktemp("tontine")

    async def whole(table):
        await table.wish("sit", players=SIT)
        for act in ("open", "break"):
            await table.wish(act, **({"why": "late"} if act == "break" else {}))
        await table.receive(*PRESS)
        await table.heard()
        for _ in range(2):
            move = {"do": "turn", "card": [keyed(table.session.hall)]}
            assert isinstance(await table.wish("move", move=move), Done)
            await table.heard()
        assert isinstance(await table.wish("move", move={"do": "take-back"}), Done)
        await table.heard()
        table.middle = table.outputs.view
        table.host = told_of_table(table.session.hall)
        table.lit = table.outputs.messages[-1]
        while table.session.hall.at_table is not None:
            await table.receive(*PRESS)
            while table.outputs.unheard:
                await table.heard()

    with table_in(folder, programme=PROGRAMME, hall_name="Cards") as table:
        run_by_hand(whole(table))
        table.folder = folder
        yield table


def test_the_voice_tells_every_card(evening):
    """To whom, which card, what it moved; deaths, and at the end the winner."""
    said = [clip for clips in evening.outputs.said for clip in clips]
    assert {"tontine-begins", "tontine-deals", "tontine-into-box", "tontine-taken-back"} <= {*said}
    assert {"tontine-dies", "tontine-won", "card.9S"} <= {*said}
    first = next(clips for clips in evening.outputs.said if "card.9S" in clips)
    assert first[:3] == ("player-number", "number.3", "card.9S")
    assert first[3:] == ("tontine-into-box", "in-counters", "number.1")


def test_the_table_is_seen_on_the_screen_in_the_terminal_and_on_the_board(evening):
    """Card, counters and what the card moved at the player's seat; the box; who is next, and on the
    ten cavities the last card by its name."""
    out = io.StringIO()
    Terminal(file=out, width=100).print(watch.draw(evening.middle, WORDS))
    for told in ("9♠", "The box", "1 fish", "puts into the box: 1 counter", *NAMES):
        assert told in out.getvalue(), told
    ink = painted(evening.middle, (1280, 720), WORDS.screen)
    assert not ink.cuts
    assert {"The box", "9", "A card for Carla", "Deal 1 · 4 alive", *NAMES} <= ink.set.keys()
    assert evening.lit == "The next card is for Bruno · nine of spades"


def test_the_host_deals_or_keys_in_a_card(evening):
    """A button deals; one card of those that are not out is keyed in, and costs nobody anything
    before it is known; a card that was keyed in can be taken back."""
    assert evening.host["chance"]["do"] == "deal"
    turn, back = evening.host["moves"]
    assert (turn["do"], turn["may"], turn["sums"]) == ("turn", True, [])
    (cards,) = turn["slots"]
    assert (cards["kind"], len(cards["values"])) == ("hand", 51)
    assert "9S" not in cards["values"]
    assert (back["do"], back["may"]) == ("take-back", True)


def test_the_money_is_the_winners_and_the_report_tells_the_cards(evening):
    """Each stake was five counters at twenty: one player has all, the others have lost theirs."""
    verify(evening.folder)
    assert sorted(seat.purse for seat in evening.session.hall.company) == [900, 900, 900, 1300]
    told = str(make_report(read_source(evening.folder, None, lambda *_: None), WORDS))
    for words in ("Carla 9S: pays 1", "the last card is taken back", "outlives all the rest"):
        assert words in told, words
    assert any(f" {face}: " in told for face in PACK)
    lines = [json.loads(line) for line in next(evening.folder.rglob(FILE)).read_text().splitlines()]
    deals = [line["then"] for line in lines if line["do"].get("move", {}).get("do") == "deal"]
    # Whoever was alive has a card in each, but what was keyed in before the first.
    assert [len(deal["turned"]) for deal in deals[1:]] == [
        sum(1 for units in before["hands"] if units) for before in deals[:-1]
    ]


@pytest.mark.parametrize("language", languages())
def test_cards_have_names_in_every_language(language):
    """52 of them, each another, and what is dealt has a clip of it."""
    clips = load_wording(language).clips()
    assert len({clips[f"card.{face}"] for face in PACK}) == 52


def test_the_programmes_sheet_says_what_is_agreed_on():
    """Stake, counters, what goes into the box, and who has it."""
    assert [*TONTINE.rules.terms(TONTINE.agreed.of(TONTINE.rules), "£1.00")] == [
        "Stake £1.00 for 5 counters; 3 of them go into the box.",
        "Who outlives all the rest takes the box.",
    ]
