"""What a player is told of the table: what he may see, and the moves that are his."""

from __future__ import annotations

import json
from typing import Any

import pytest

from station.base.errors import NotAllowed
from station.calling.questions import answer_question
from station.night.hall import Hall, apply
from station.people.roles import Person, Role
from station.views.table.host import told_of_table
from station.wire.wording import load_wording
from tests.company import RACE, SECOND, at_table, drawn, hall_of, move, table_of

HAND = {"about": "hand"}


def hand(hall: Hall, seat: int, language: str = "en") -> dict[str, Any]:
    """What the person at a seat is told, as it comes over the wire."""
    person = Person("somebody", Role.SEAT, seat)
    wording = load_wording(language)
    told: dict[str, Any] = json.loads(
        json.dumps(answer_question(hall, HAND, person, {}, None, wording))
    )
    return told


def test_a_player_is_told_his_own_moves() -> None:
    """Not those of others, nor what the host may do for the company; each with what it costs."""
    hall = at_table(SECOND)
    serial = table_of(hall).taken[1][0]
    told = hand(hall, 2)
    moves = told["moves"]
    assert {one["seat"] for one in moves} == {2}
    assert {one["do"] for one in moves} == {"take", "exchange", "throw-up"}
    thrown = next(one for one in moves if one["do"] == "throw-up")
    assert (thrown["fields"], thrown["may"]) == ({"seat": 2, "serial": serial}, True)
    assert [seat for seat, _ in thrown["sums"]] == [2]
    exchange = next(one for one in moves if one["do"] == "exchange")
    assert exchange["slots"][0]["names"] == ["other", "wanted"]
    free = [card["serial"] for card in told["free"]]
    assert [[0, serial] for serial in free] == exchange["slots"][0]["values"][: len(free)]
    assert free == [*table_of(hall).state.rest]


def test_who_is_asked_is_told_so() -> None:
    """An offer waits for seat 2: it may agree or decline, and is awaited; seat 3 may not."""
    hall = at_table(SECOND)
    mine, theirs = table_of(hall).taken[0][0], table_of(hall).taken[1][0]
    offer = move("exchange", seat=1, serial=mine, other=2, wanted=theirs)
    hall = apply(hall, offer)
    asked, other = hand(hall, 2), hand(hall, 3)
    assert [one["do"] for one in asked["moves"] if one["may"]] == ["agree", "decline"]
    assert not [one for one in other["moves"] if one["may"]]
    assert (asked["turn"], asked["text"]) == ([2], other["text"])
    assert asked["text"].startswith("Bruno, will you give card")
    assert hand(hall, 2, "de")["text"].startswith("Bruno, geben Sie Karte")


def test_in_a_race_each_may_answer_for_himself() -> None:
    """His button; and the host has the race as one move for all who are silent."""
    hall = drawn(at_table(RACE), (17,))
    assert [one["fields"]["seats"] for one in hand(hall, 3)["moves"]] == [[3]]
    race = [one for one in told_of_table(hall)["moves"] if one["slots"]]
    assert [(one["do"], one["slots"][0]["kind"]) for one in race] == [("answer", "race")]
    assert race[0]["slots"][0]["values"] == [1, 2, 3]


def test_a_player_is_told_who_sits_there_and_how_sums_are_written() -> None:
    """What a page needs to say what a move costs, and whom it is about; all that lies before him in
    this game is seen by everybody."""
    told = hand(at_table(SECOND), 1)
    assert [one["name"] for one in told["seats"]] == ["Anna", "Bruno", "Carla"]
    assert (told["over"], told["held"], told["counted"]) == (False, [], True)
    assert (told["value"], told["currency"]) == (1, {"sign": "", "decimals": 0})


@pytest.mark.parametrize("seat", [0, 4])
def test_who_has_no_seat_is_told_nothing(seat: int) -> None:
    """Not even an admin sees a hand; nor anybody before the game is open."""
    for hall, role in ((at_table(SECOND), Role.ADMIN), (hall_of(SECOND), Role.SEAT)):
        with pytest.raises(NotAllowed, match="to its player alone"):
            answer_question(hall, HAND, Person("x", role, seat))
