"""Spoil-Five in the record: the hands are sealed until they are over; each seat is shown its own; a
start in between goes on with the same cards; the report tells the tricks and the pool."""

from __future__ import annotations

import json
from random import Random

import pytest

from station.games import GAMES
from station.night.table.practice import TableLuck
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record import hidden
from station.record.journal import FILE
from station.record.requests import Done
from station.record.session import Session
from station.views.table.host import told_of_table
from station.views.table.seat import told_to_seat
from station.views.table.view import Telling
from station.wire.wording import load_wording
from tests.support import CLOCK, Told, night_in, play, run, submit, verify

pytestmark = pytest.mark.long

NAMES = ("Anna", "Bruno", "Carla")
SIT = {"act": "sit", "players": [{"name": name, "purse": 300} for name in NAMES]}
DEAL = {"act": "move", "move": {"do": "deal-hands"}}
PLAN = GamePlan(name="Cards", method="spoil-five", table=TablePlan(stake=20, pools=1))
PROGRAMME = Programme(name="Cards", games=(PLAN,))
WORDS = load_wording()


def moves_on(session: Session, luck: TableLuck) -> None:
    """Whoever is awaited makes a move, from his own seat; a new hand is dealt."""
    table = session.hall.at_table
    seat = next(iter(table.rules.to_act(table.state)))
    if not isinstance(seat, int):
        (answer,) = run(play(session, [DEAL]))
    else:
        wish = table.rules.bot(table.state, seat, luck, frozenset({seat}))
        person = Person(NAMES[seat - 1], Role.SEAT, seat)
        answer = run(submit(session, "move", move=dict(wish.move), by=person))
    assert isinstance(answer, Done), answer


def test_hands_are_sealed_and_shown_to_their_seats_alone(tmp_path):
    """Until the hand is over; the game is played to its end, counters become money again."""
    luck = TableLuck(Random(8))
    with night_in(tmp_path, programme=PROGRAMME) as night:
        session = Session(night, Told(), CLOCK, Random(8))
        for act in (SIT, "open", DEAL):
            (answer,) = run(play(session, [act]))
            assert isinstance(answer, Done), answer
        moves_on(session, luck)
        hand = session.hall.at_table.state.hand
        assert json.dumps([*hand.cards])[1:-1].encode() not in (night.folder / FILE).read_bytes()
        told = {seat: told_to_seat(session.hall, seat, Telling(WORDS, str)) for seat in (1, 2, 3)}
        assert [one["held"] for one in told.values()] == [["held"]] * 3  # his alone
        told[0] = told_of_table(session.hall)
        for viewer, seen in told.items():
            for zone in seen["zones"]:
                if zone["key"] == "held":
                    faces = {thing["face"] for thing in zone["things"]}
                    own = zone["seat"] == viewer
                    assert faces == ({*hand.held[viewer - 1]} if own else {""})
        host = [move["do"] for move in told[0]["moves"]]
        assert not {"play-card", "rob"} & {*host}
    with night_in(tmp_path, programme=PROGRAMME) as night:
        session = Session(night, Told(), CLOCK, Random(9))
        assert session.hall.at_table.state.hand == hand
        while session.hall.at_table is not None:
            moves_on(session, luck)
        assert not (night.folder / hidden.FILE).exists()
        assert sum(seat.purse for seat in session.hall.company) == 900
    verify(tmp_path)
    told = str(make_report(read_source(tmp_path, None, lambda *_: None), WORDS))
    for words in ("is turned up", "; the trick: ", "takes the pool: "):
        assert words in told, words


def test_the_game_is_one_of_the_stations():
    """Its settings are a programme's."""
    assert {"wins", "sides", "robbing"} <= {one.name for one in GAMES["spoil-five"].settings}
