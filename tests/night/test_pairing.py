"""The hall's people: who is let in, renamed and let go, and who is known in the next night."""

from __future__ import annotations

from itertools import count

import pytest

from station.base.errors import NotAllowed, Unreadable
from station.night.acts import Pair, Rename, Unpair, act_to_json, parse_act
from station.night.hall import Hall, apply
from station.night.hall_state import HallReason
from station.night.pairing import pairings_left
from station.people.pairings import MOST_PAIRINGS, Pairing, key_of
from station.people.roles import Role
from tests.support import PROGRAMME, small_pack

KEY, OTHER = key_of("tablet"), key_of("phone")
ANNA = {"act": "pair", "key": KEY, "name": "Anna", "role": "caller"}
HALL = Hall(small_pack(), PROGRAMME, night=4)


def let_in(hall: Hall = HALL, **more: object) -> Hall:
    return apply(hall, parse_act({**ANNA, **more}))


def reason(hall: Hall, **act: object) -> object:
    with pytest.raises(NotAllowed) as caught:
        apply(hall, parse_act(act))
    return caught.value.reason


def test_somebody_is_let_in_renamed_and_let_go() -> None:
    """The hall is another one each time, and in the end the same as before."""
    hall = let_in()
    assert hall.people == (Pairing(KEY, "Anna", Role.CALLER, 0, 4),)
    assert hall.digest() != HALL.digest()
    two = let_in(hall, key=OTHER, name="Bruno", role="seat", seat=3)
    named = apply(two, Rename(key=KEY, name="Anna Lee"))
    assert [one.name for one in named.people] == ["Anna Lee", "Bruno"]
    alone = apply(named, Unpair(key=KEY))
    assert [(one.name, one.seat) for one in alone.people] == [("Bruno", 3)]
    assert apply(alone, Unpair(key=OTHER, why="lost")).digest() == HALL.digest()


def test_what_is_not_paired_so_is_refused() -> None:
    """A device twice, one that is unknown, and more than there may be."""
    hall = let_in()
    assert reason(hall, **ANNA) is HallReason.PAIRED
    for act in ({"act": "unpair", "key": OTHER}, {"act": "rename", "key": OTHER, "name": "x"}):
        assert reason(hall, **act) is HallReason.NO_SUCH_PAIRING
    keys = (key_of(str(number)) for number in count())
    while len(hall.people) < MOST_PAIRINGS:
        hall = let_in(hall, key=next(keys))
    assert reason(hall, **{**ANNA, "key": OTHER}) is HallReason.TOO_MANY_PAIRED


@pytest.mark.parametrize(
    "more",
    [{"role": "seat"}, {"seat": 2}, {"by_name": True}, {"role": "station"}, {"key": "x"}],
)
def test_what_says_no_pairing_is_unreadable(more: dict[str, object]) -> None:
    """A seat without its place, a place or a player to follow for another role, the station itself,
    no digest."""
    with pytest.raises(Unreadable, match="not an act"):
        parse_act({**ANNA, **more})


def test_the_record_leaves_a_place_out_that_nobody_has() -> None:
    """What is written is read as the same act."""
    assert act_to_json(parse_act(ANNA)) == ANNA
    assert isinstance(parse_act(ANNA), Pair)


def test_the_next_night_begins_with_who_still_holds() -> None:
    """From the opening and the lines alone; who was let in a night earlier is forgotten."""
    old = (Pairing("a" * 64, "Carla", Role.CASHIER, since=3),)
    lines = [
        {"do": do}
        for do in (
            {"act": "note", "about": "x", "what": "y"},
            ANNA,
            {**ANNA, "key": OTHER},
            {"act": "rename", "key": KEY, "name": "Anna Lee"},
            {"act": "unpair", "key": OTHER},
        )
    ]
    assert pairings_left(old, lines, 4) == (Pairing(KEY, "Anna Lee", Role.CALLER, since=4),)
