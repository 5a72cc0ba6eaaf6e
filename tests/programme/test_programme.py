"""The programme of a night: read from a file, every fault named; canonical as text, so that its
digest means it."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from station.base.errors import SettingsError
from station.base.nouns import Card
from station.games import GAMES
from station.games.loto_first.game import Stakes
from station.programme.check import load_programme
from station.programme.programme import (
    SHIPPED,
    GamePlan,
    OwnPattern,
    Programme,
    Shares,
    TablePlan,
    hundredths,
)
from station.rules.abilities import SellsCards
from station.rules.patterns import EARLY

NAMES = st.text("aé木 \"'\n{}", min_size=1, max_size=60)
PLANS = st.builds(
    GamePlan, name=NAMES, stakes=st.sampled_from(Stakes), price=st.integers(0, 10_000_000)
)
PROGRAMMES = st.builds(
    Programme, name=NAMES, games=st.lists(PLANS, min_size=1, max_size=5).map(tuple)
)


@given(PROGRAMMES)
def test_a_programme_comes_back_from_its_text(programme):
    """The copy that a night keeps is the same programme, with the same digest; one line of it."""
    text = programme.to_json()
    read = Programme.model_validate_json(text)
    assert read == programme
    assert read.digest == programme.digest
    assert text.count("\n") == 1


@given(PROGRAMMES, PROGRAMMES)
def test_the_digest_is_of_the_content(one, other):
    """Two programmes have one digest exactly where they are the same."""
    assert (one.digest == other.digest) == (one == other)


@given(st.integers(0, 10_000))
def test_a_share_is_exact_to_the_hundredth(hundredth):
    """Every share with two decimals may be written, also where no float has just that value; and it
    comes back the same."""
    share = float(f"{hundredth // 100}.{hundredth % 100:02d}")
    shares = Shares(house=share)
    assert hundredths(shares.house) == hundredth
    assert Shares.model_validate_json(shares.model_dump_json()) == shares


@pytest.mark.parametrize("share", [33.333, 0.001, -0.01, 100.01, float("nan"), float("inf")])
def test_a_share_has_two_decimals_and_is_at_most_all(share):
    """A finer one, one below nothing or above all is refused."""
    with pytest.raises(ValidationError):
        Shares(house=share)


@given(PROGRAMMES, st.integers(1, 200))
def test_a_programme_is_cut_or_begun_again(programme, games):
    """So many games as asked for, the same ones in turn."""
    repeated = programme.repeated(games)
    assert len(repeated.games) == games
    assert all(
        plan == programme.games[place % len(programme.games)]
        for place, plan in enumerate(repeated.games)
    )


def test_a_changed_copy_has_a_digest_of_its_own():
    """Whether the first was asked for its digest before or not: what a night keeps must be found
    good when it is read again."""
    programme = load_programme(SHIPPED / "tombola.toml")
    before = programme.digest
    longer = programme.repeated(len(programme.games) + 1)
    assert (
        longer.digest
        == Programme.model_validate_json(longer.to_json()).digest
        != before
        == programme.digest
    )


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_programmes_are_good(path):
    """They load, and every method in them is a game that there is."""
    assert all(plan.rules for plan in load_programme(path).games)


def test_every_method_is_a_game():
    """A programme may name each as its method; all but those that cards are sold for are played at
    the table."""
    for name, play in GAMES.items():
        assert GamePlan(name="x", method=name).rules is play
        assert GamePlan(name="x", method=name).at_table is (play.ability(SellsCards) is None)
    assert [name for name, play in GAMES.items() if play.ability(SellsCards) is not None] == [
        "loto-first",
        "keno",
    ]
    with pytest.raises(ValidationError, match="it is one of 'loto-first', 'loto-second', "):
        GamePlan(name="x", method="whist")


TABLES: list[tuple[dict[str, object], str]] = [
    (
        {"method": "loto-first", "table": {}},
        "a table is for a company's game: its method is one of loto-second, loto-parlour",
    ),
    (
        {"method": "loto-second", "price": 1, "tickets": True},
        "price, tickets: for games that cards are sold for",
    ),
    ({"method": "loto-second", "stakes": "whole"}, "stakes: for games that cards are sold for"),
    (
        {"method": "loto-parlour", "stages": [{"pattern": "row"}]},
        "stages: for games that cards are sold for",
    ),
    (
        {"method": "loto-parlour", "jackpot": {"within": 40}},
        "jackpot: for games that cards are sold for",
    ),
    (
        {"method": "loto-second", "table": {"stake": 100}},
        "a stake of 100: make it a multiple of 120",
    ),
    ({"method": "loto-second", "table": {"stake": 0}}, "a stake of 0: make it a multiple of 120"),
    (
        {"method": "loto-second", "table": {"answering": "first"}},
        "table, answering: that is of another method",
    ),
    (
        {"method": "loto-parlour", "table": {"in_money": True}},
        "table, in_money: that is of another method",
    ),
    ({"method": "loto-parlour", "table": {"stake": 7}}, "a stake of 7: make it a multiple of 2"),
    (
        {"method": "loto-parlour", "table": {"stake": 40, "stakes": "counters"}},
        "a stake of 40: make it a multiple of 30",
    ),
    (
        {"method": "loto-second", "table": {"all": True}},
        "table, all: that is of another method",
    ),
    ({"method": "loto-parlour", "table": {"counters": 14}}, "greater than or equal to 15"),
    ({"method": "loto-second", "table": {"cards": 7}}, "Input should be 6, 12, 18 or 24"),
]


@pytest.mark.parametrize(("game", "says"), TABLES)
def test_what_a_game_at_the_table_may_not_say(game, says):
    """What belongs to a hall, to the other method, or makes no whole counter."""
    with pytest.raises(ValidationError, match=re.escape(says)):
        GamePlan.model_validate({"name": "x", **game})


@pytest.mark.parametrize(
    "method", [name for name, play in GAMES.items() if play.ability(SellsCards) is None]
)
def test_the_shortest_game_at_the_table(method):
    """A name and a method are enough; it has no stages, and says nothing more in a night's copy."""
    plan = GamePlan(name="x", method=method)
    assert (plan.plans, plan.keys, plan.has_fund, plan.agreed) == ((), (), False, TablePlan())
    assert plan.model_dump(mode="json") == {
        "name": "x",
        "method": method,
        "stakes": "quarters",
        "price": 0,
    }


def test_a_theme_is_looked_for(tmp_path, monkeypatch):
    """A theme that is none is a fault of its game; one that ships is not."""
    file = tmp_path / "x.toml"
    file.write_text(
        'name = "x"\n[[games]]\nname = "a"\ntheme = "picture"\n[[games]]\nname = "b"\ntheme ='
        ' "nowhere"\n'
    )
    with pytest.raises(
        SettingsError, match=r"game 2 \(b\), theme: it is nowhere; there is no such folder"
    ) as caught:
        load_programme(file)
    assert len(caught.value.faults) == 1
    file.write_text(file.read_text().replace("nowhere", "spelling"))
    assert [game.theme for game in load_programme(file).games] == ["picture", "spelling"]
    (tmp_path / "mine").mkdir()
    file.write_text(file.read_text().replace("spelling", "mine"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        SettingsError, match=r"game 2 \(b\), theme: mine: there is no theme\.toml in it"
    ):
        load_programme(file)


def test_every_fault_of_a_file_is_named(tmp_path):
    """A wrong price, unknown stakes, an unknown word and a missing name: all four in one refusal,
    each with its place."""
    path = tmp_path / "p.toml"
    path.write_text(
        'name = "x"\n[[games]]\nname = "a"\nprice = -1\nstakes = "half"\n[[games]]\ncolour ='
        ' "red"\n'
    )
    with pytest.raises(SettingsError) as caught:
        load_programme(path)
    places = [fault.partition(":")[0] for fault in caught.value.faults]
    assert places == ["game 1 (a), stakes", "game 1 (a), price", "game 2, name", "game 2, colour"]
    assert "it is -1; 0 is the least" in caught.value.faults[1]
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"name = ", "not TOML"),
        (b"\xff", "not TOML"),
        (b"", "name: is missing"),
        (b'name = "x"\ngames = []', "games: "),
        (b'name = "x"\ngames = 5', "games: "),
        (None, "cannot be read: No such file"),
    ],
)
def test_what_is_no_programme_is_refused(tmp_path, content, says):
    """Not TOML, not UTF-8, empty, without games, not there."""
    path = tmp_path / "p.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        load_programme(path)
    assert says in str(caught.value)


def test_a_programme_is_frozen():
    """What a night was opened with cannot be changed."""
    programme = load_programme(SHIPPED / "evening.toml")
    with pytest.raises(ValidationError, match="frozen"):
        programme.name = "another"


@pytest.mark.parametrize(("key", "need"), EARLY.items())
def test_early_patterns_are_named(key: str, need: int) -> None:
    """Any so many numbers of one card, wherever they stand, and not one fewer; the copy that a
    night keeps says so, and is the same when it is read again."""
    data = {"name": "p", "games": [{"name": "g", "stages": [{"pattern": key}]}]}
    programme = Programme.model_validate(data)
    pattern = programme.games[0].plans[0].wanted()
    card = Card.parse("1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
    numbers = sorted(card.numbers)
    for start in range(15 - need):
        assert pattern.complete(card, numbers[start : start + need])
        assert not pattern.complete(card, numbers[start : start + need - 1])
    assert (pattern.key, pattern.length) == (key, need)
    again = Programme.model_validate(json.loads(programme.to_json()))
    assert (again, again.digest) == (programme, programme.digest)


def test_a_shape_may_need_some_of_its_places() -> None:
    """Of two rows eight numbers; a shape that needs all of them is written as before."""
    rows = ["#####", "#####", "....."]
    some = OwnPattern(name="eight", pictures=[rows], need=8).pattern()
    card = Card.parse("1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
    assert some.complete(card, (5, 11, 33, 50, 17, 22, 43, 65))
    assert not some.complete(card, (5, 11, 33, 50, 17, 22, 43, 2, 28, 35))
    whole = OwnPattern(name="both", pictures=[rows])
    assert whole.model_dump() == {"name": "both", "pictures": (tuple(rows),)}
    for need in (0, 11, 15):
        with pytest.raises(ValidationError):
            OwnPattern(name="eight", pictures=[rows], need=need)
