"""Names are compared by what a reader sees, and come in by one door."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, get_type_hints
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

import station
from station.base.errors import Unreadable
from station.core.doorkeeper import AskToPair, LetIn
from station.core.joining import TakeSeat
from station.core.proofs import MakePin
from station.night.acts import parse_act
from station.night.fields import NewName, is_name, new_name, refuse_mixed
from station.people.alike import mixed, person_of
from station.record.requests import Unread, read_act

# One person, however the name is spelt.
ALIKE = [
    ("Anna Lee", "ANNA  LEE"),
    ("Anna", "Аnna"),
    ("Anna", "Annа"),
    ("Pia", "Рia"),
    ("Oscar", "0scar"),
    ("Ian", "lan"),
    ("Ian", "1an"),
    ("Bill", "BiII"),
    ("José", "Jose"),
    ("Zoë", "ZOE"),
    ("Søren", "Soren"),
    ("Łukasz", "Lukasz"),
    ("Mark", "rnark"),
    ("Will", "vvill"),
    ("Anna", "Anna\u3164"),
    ("Anna", "An\u200bna"),
    ("Anna", "An\u00adna"),
    ("Anna", "Anna\u2060"),
    ("Anna", "Anna\u2800"),
    ("Anna Lee", "Anna\u00a0Lee"),
    ("Anna Lee", "AnnaLee"),
    ("Anna", "\uff21\uff4e\uff4e\uff41"),
    ("Anna", "\U0001d400nna"),
    ("Вера", "ВЕРА"),
    ("Γιάννης", "ΓΙΑΝΝΗΣ"),
    ("Straße", "STRASSE"),
    ("Table 7", "Table \u0667"),
]
UNLIKE = [
    ("Ann", "Anna"),
    ("Anna", "Hanna"),
    ("Ben", "Bea"),
    ("राम", "रमा"),
    ("कुमार", "कमार"),
    ("Маша", "Саша"),
    ("Вова", "Боба"),
    ("Андрей", "Андрон"),
    ("محمد", "أحمد"),
    ("李明", "李光"),
    ("Anna 1", "Anna 2"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_one_person(one: str, other: str) -> None:
    """Case, accents, blanks, what nobody sees, and letters that look alike make no second one."""
    assert person_of(one) == person_of(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_two_people(one: str, other: str) -> None:
    """Other letters are another name, in every script."""
    assert person_of(one) != person_of(other)


@given(st.text(max_size=30))
def test_case_makes_no_second_person(name: str) -> None:
    """Nor does the order in which a name is compared; a name is always somebody."""
    assert person_of(name) == person_of(name.casefold())
    assert bool(person_of(name)) == bool(name)


# -- the door --------------------------------------------------------------------------------------

FOUL = {
    "Hangul filler": "\u3164",
    "half-width filler": "\uffa0",
    "choseong filler": "\u115f",
    "blank Braille": "\u2800",
    "grapheme joiner": "\u034f",
    "zero width space": "\u200b",
    "override": "\u202e",
    "isolate": "\u2066",
    "Arabic mark": "\u061c",
    "soft hyphen": "\u00ad",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "selector": "\ufe00",
    "selector 17": "\U000e0100",
    "tag": "\U000e0041",
    "private": "\ue000",
    "private plane": "\U0010fffd",
    "unassigned": "\u0378",
    "noncharacter": "\ufdd0",
    "last of its plane": "\U0001ffff",
    "interlinear": "\ufff9",
    "musical blank": "\U0001d159",
    "Khitan filler": "\U00016fe4",
    "Mongolian": "\u180e",
    "five accents": "\u0301" * 5,
    "a line": "\n",
    "a control": "\x1b",
    "delete": "\x7f",
}
MIXED = ["Аnna", "Annа", "Νina", "Pаvel", "Ꭰavid", "Сеcilia", "Օscar", "ꓐen", "ⲟtto", "Петрoв"]
FINE = [
    *("Anna", "O'Brien-Müller", "Anna Петрова", "Ольга", "Γιάννης", "राम", "محمد", "李明"),
    *("山田 たろう", "Ṣẹ́gun", "José", "Nguyễn Thị", "🍺 Ben", "Table 7", "D’Angelo", "김영희"),
    *("नमस्ते क्\u200dष", "👨\u200d👩\u200d👧"),
]
# Every way in by which somebody gives a name now: the model and its field, and how it is read.
WAYS: dict[str, Any] = {
    "AskToPair.name": lambda name: AskToPair(do="ask", name=name, key="0" * 64),
    "TakeSeat.name": lambda name: TakeSeat(do="enter", name=name, key="0" * 64),
    "LetIn.name": lambda name: LetIn(do="confirm", digits="1", role="seat", name=name),
    "MakePin.name": lambda name: MakePin(do="make", name=name),
    **{
        way: lambda name, act=act: _recorded(act, name)
        for way, act in {
            "Sell.to": {"act": "sell", "serials": ["0001"], "to": ...},
            "Sell.by": {"act": "sell", "serials": ["0001"], "by": ...},
            "Return.by": {"act": "return", "serials": ["0001"], "by": ...},
            "CountCash.by": {"act": "count-cash", "amount": 1, "by": ...},
            "JoinTable.name": {"act": "join", "name": ...},
            "Player.name": {"act": "sit", "players": [{"name": ...}, {"name": "Ben"}]},
            "ClaimTicket.name": {"act": "claim-ticket", "numbers": [1], "name": ...},
            "Approve.who": {"act": "approve", "who": ..., "serial": "0001"},
            "Pay.who": {"act": "pay", "who": ..., "serial": "0001"},
            "Waive.who": {"act": "waive", "who": ..., "about": "words", "why": "x"},
            "Pair.name": {"act": "pair", "key": "0" * 64, "name": ..., "role": "host"},
            "Rename.name": {"act": "rename", "key": "0" * 64, "name": ...},
        }.items()
    },
}


def _recorded(act: dict[str, Any], name: str) -> object:
    def put(said: Any) -> Any:
        if isinstance(said, dict):
            return {key: put(value) for key, value in said.items()}
        if isinstance(said, list):
            return [put(value) for value in said]
        return name if said is ... else said

    read = read_act(put(act))
    if isinstance(read, Unread):
        raise read.error
    return read


# Labels and results of the station's own, which nobody types.
OF_THE_STATION = {"Note.about", "Tried.what", "Census.who", "SelfTest.who"}
# Names by these words in other models, and why they are no way in.
CALLED = {"name", "who", "to", "by", "holder", "seller"}
PASSED, FILE, SHOWN = "the core checks it", "a file that is read", "a view: it goes out"
ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(("Asking.name", "Entering.name", "LettingIn.name", "PinWish.name"), PASSED),
    **dict.fromkeys(
        ("GamePlan.name", "HallSettings.name", "KinStage.name", "OwnPattern.name"), FILE
    ),
    **dict.fromkeys(("Programme.name", "SealedGame.name", "StagePlan.name"), FILE),
    **dict.fromkeys(("ClaimView.holder", "GameView.name"), SHOWN),
    **dict.fromkeys(("KnownPerson.name", "PictureCardThing.name"), SHOWN),
    **dict.fromkeys(
        ("RulesOfGame.name", "SeatView.name", "StageView.name", "ThemeView.name"), SHOWN
    ),
    "WinView.holder": SHOWN,
}


def fields() -> tuple[set[str], set[str]]:
    """The fields of all models of the station that are names by their type; and those that are so
    called and have another type."""
    for module in pkgutil.walk_packages(station.__path__, "station."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    typed, called, models = set(), set(), [BaseModel]
    while models:
        model = models.pop()
        models += model.__subclasses__()
        if not model.__module__.startswith("station."):
            continue
        hints = get_type_hints(model, include_extras=True)
        for name in model.__annotations__.keys() & model.model_fields.keys():
            place = f"{model.__name__}.{name}"
            if is_name(hints[name]) or "new_name" in repr(hints[name]):
                typed.add(place)
            elif name in CALLED:
                called.add(place)
    return typed, called


def test_every_way_in_is_in_the_table() -> None:
    """A field of the type that is not in it, and a name of another type: both have been
    forgotten."""
    typed, called = fields()
    assert typed == {*WAYS} | OF_THE_STATION
    assert called == {*ELSEWHERE}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sign", FOUL)
def test_a_name_with_what_nobody_sees_does_not_come_in(way: str, sign: str) -> None:
    """At its end and within; the message says what to do."""
    for name in (f"An{FOUL[sign]}na", f"{FOUL[sign]}Anna", f"Anna{FOUL[sign]}"):
        if name.strip() == "Anna":
            continue
        with pytest.raises((Unreadable, ValidationError)):
            WAYS[way](name)


@pytest.mark.parametrize("way", WAYS)
def test_a_word_in_two_alphabets_does_not_come_in(way: str) -> None:
    """It looks like another name; what people are called comes in."""
    for name in MIXED:
        with pytest.raises((Unreadable, ValidationError), match="alphabet"):
            WAYS[way](name)
    for name in FINE:
        WAYS[way](name)


@given(st.text(max_size=20))
def test_the_door_lets_in_what_is_seen(name: str) -> None:
    """Nothing of the kinds that nobody sees."""
    try:
        given_name = new_name(name)
    except ValueError:
        return
    assert not {category(letter) for letter in given_name} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert mixed(given_name) is None
    assert TypeAdapter(NewName).validate_python(name) == given_name


def test_players_are_looked_at_one_by_one() -> None:
    """In a list of them, too."""
    act = {"act": "sit", "players": [{"name": "Ben"}, {"name": "Аnna"}]}
    with pytest.raises(Unreadable, match="alphabet"):
        refuse_mixed(parse_act(act))
