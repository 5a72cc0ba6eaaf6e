"""My Bird Sings through the record and the hall: hands are sealed, each sees his own alone, songs
are said and lit, and the pool is the winner's."""

from __future__ import annotations

import json

import pytest

from drivers import Pressed, Released
from station.calling.questions import answer_question
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.journal import FILE
from station.record.requests import Done
from station.wire.wording import load_wording
from tests.screens.screen.test_things import painted
from tests.support import run_by_hand, table_in, verify

pytestmark = pytest.mark.long

NAMES = ("Anna", "Bruno", "Carla")
SIT = [{"name": name, "purse": 1000} for name in NAMES]
PRESS = (Pressed("draw", 0.0), Released("draw", 0.1, 0.1))
WORDS = load_wording()
BIRD = GamePlan(name="Birds", method="my-bird-sings", table=TablePlan(stake=50, passing="draw"))
PROGRAMME = Programme(name="Cards", games=(GamePlan(name="Loto"), BIRD, GamePlan(name="Loto")))


def seat(number: int) -> Person:
    return Person(NAMES[number - 1], Role.SEAT, number)


def hand_of(table, number: int) -> dict:
    """What a player is told on his own device."""
    hall, answers = table.session.hall, table.desk.answers()
    return answer_question(hall, {"about": "hand"}, seat(number), answers, wording=WORDS)


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A game in which the hand is turned: nobody says that his bird sings at the deal; then each
    sings who can, by his own device, and the button takes a card of the turned hand."""
    folder = tmp_path_factory.mktemp("birds")

    async def own(table, number: int, **move) -> None:
        done = await table.wish("move", move={"seat": number, **move}, by=seat(number))
        assert isinstance(done, Done), done
        await table.heard()

    async def whole(table):
        await table.wish("sit", players=SIT)
        await table.wish("open")
        await table.wish("break", why="late")
        for _ in ("open", "deal"):
            await table.receive(*PRESS)
            await table.heard()
        state = table.session.hall.at_table.state
        table.hands = {number: hand_of(table, number) for number in (1, 2, 3)}
        table.dealt, table.middle = state, table.outputs.view
        table.kept = next(folder.rglob(FILE)).read_text("utf-8")
        for number in (1, 2, 3):
            await own(table, number, do="listen")
        while table.session.hall.at_table is not None:
            state = table.session.hall.at_table.state
            if state.turned:
                await table.receive(*PRESS)
                await table.heard()
            elif songs := state.setup.songs(state.hands[state.turn - 1]):
                await own(table, state.turn, do="sing", cards=[*songs[0]])
            else:
                await own(table, state.turn, do="turn-hand")

    with table_in(folder, programme=PROGRAMME, hall_name="Cards") as table:
        run_by_hand(whole(table))
        table.folder = folder
        yield table


def test_each_player_sees_his_own_hand_alone(evening):
    """On his device his four cards; the others' backs; on the hall's screen all backs, and no
    face."""
    for number, told in evening.hands.items():
        cards = {zone["seat"]: zone["things"] for zone in told["zones"] if zone["key"] == "cards"}
        faces = {place: {thing["face"] for thing in some} for place, some in cards.items()}
        assert faces.pop(number) == {*evening.dealt.hands[number - 1]}
        assert faces == {place: {""} for place in (1, 2, 3) if place != number}
        assert "listen" in {move["do"] for move in told["moves"]}
    seen = evening.middle.table.zones
    assert {thing.face for zone in seen if zone.key == "cards" for thing in zone.things} == {""}
    ink = painted(evening.middle, (1280, 720), WORDS.screen)
    assert not ink.cuts
    assert {"Whose bird sings?", "Stock", "40", *NAMES} <= ink.set.keys()


def test_the_cards_are_sealed_until_the_game_is_over(evening):
    """The journal has a digest in their place, and at the end what was dealt."""
    hands = evening.dealt.hands
    cards = [hand[place] for place in range(4) for hand in hands]
    text = json.dumps(cards, separators=(",", ":"))[1:-1]
    assert '"deal-birds"' in evening.kept
    assert text not in evening.kept
    assert text in next(evening.folder.rglob(FILE)).read_text("utf-8")
    verify(evening.folder)


def test_the_song_is_said_and_paid_and_reported(evening):
    """Four counters at fifty are the winner's; the dealer has put in two."""
    said = [clip for clips in evening.outputs.said for clip in clips]
    assert {"bird-begins", "bird-dealt", "bird-sings", "bird-wins"} <= {*said}
    purses = [seat.purse for seat in evening.session.hall.company]
    assert sum(purses) == 3000
    assert max(purses) in (1150, 1100)
    told = str(make_report(read_source(evening.folder, None, lambda *_: None), WORDS))
    for words in (
        " has no song",
        "Bruno takes a card of the hand",
        " sings: ",
        "the pool goes to ",
    ):
        assert words in told, words
