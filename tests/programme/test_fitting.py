"""For how many players a game at the table opens: every product of the settings, judged when the
programme is read as the night judges it when the game opens."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from station.base.errors import Unreadable
from station.games import GAMES, AnyRules
from station.programme.check import advice, check
from station.programme.table import ANY_CARD, TablePlan, fitting, ranges
from station.rules.abilities import SellsCards
from station.rules.play import Dealing, Need
from station.rules.seating import takes

AT_TABLE = [name for name, play in GAMES.items() if play.ability(SellsCards) is None]


def products(play: AnyRules) -> Iterator[dict[str, Any]]:
    """Every product of a game's settings that are no numbers; all numbers at their default, at
    their least, and at their most."""
    numbers = [one for one in play.settings if type(one.default) is int]
    words = [one for one in play.settings if type(one.default) is not int]
    choices = [one.values or (False, True) for one in words]
    for values in product(*choices):
        said = dict(zip((one.name for one in words), values, strict=True))
        for bound in ("default", "least", "most") if numbers else ("default",):
            yield said | {one.name: getattr(one, bound) for one in numbers}


def opens(play: AnyRules, said: Mapping[str, Any], seats: int, each: tuple[int, ...]) -> bool:
    """Whether the rules themselves let this company begin."""
    cards = {str(number): ANY_CARD for number in range(24)} if Need.CARDS in play.needs else {}
    agreed = play.agreed({"stake": multiple(play, said), **said})
    dealing = Dealing(cards, each if cards else (0,) * seats, (10_000_000,) * seats)
    try:
        play.start(play.setup(agreed, dealing))
    except Unreadable:
        return False
    return True


def multiple(play: AnyRules, said: Mapping[str, Any]) -> int:
    """A stake that these settings allow."""
    return play.parts(play.agreed({"stake": 1, **said}))[0]


@pytest.mark.parametrize("method", AT_TABLE)
def test_a_programme_has_no_game_that_never_opens(method: str) -> None:
    """For each product of its settings: refused if the rules refuse every number of players, and
    else accepted; what is refused names two settings or more that do not go together."""
    play = GAMES[method]
    least, most = play.seats
    for said in products(play):
        ever = any(
            opens(play, said, seats, each)
            for seats in range(least, most + 1)
            for each in {(takes(seats, 24) if seats <= 24 else ()), (1,) * seats}
        )
        fault = TablePlan(stake=multiple(play, said), **said).fault(method)
        assert bool(fault) is not ever, (said, fault)
        if fault:
            named = fault.removeprefix("table, ").split(":")[0].split(", ")
            assert 2 <= len(named) <= 2
            for name in named:
                usual = {one.name: one.default for one in play.settings}
                one_fewer = {n: said[n] for n in named if n != name}
                fewer = {**usual, **one_fewer}
                assert not TablePlan(stake=multiple(play, fewer), **fewer).fault(method)


NEVER = [
    ("spoil-five", {"wins": "two-tricks", "jinking": True}, "two tricks win only with 5"),
    ("spoil-five", {"wins": "two-tricks", "sides": "two"}, "without sides and jinking"),
    ("spoil-five", {"wins": "two-tricks", "sides": "three"}, "without sides and jinking"),
    ("spoil-five", {"wins": "two-tricks", "fiving": True}, "fiving is for two players"),
    ("spoil-five", {"wins": "twenty-five", "jinking": True}, "there all five tricks win"),
    ("spoil-five", {"wins": "forty-five", "jinking": True}, "there all five tricks win"),
    ("spoil-five", {"sides": "three", "fiving": True}, "fiving is for two players or two sides"),
    ("my-bird-sings", {"three_cards": True, "tricks": True}, "leave out three_cards or tricks"),
]


@pytest.mark.parametrize(("method", "said", "why"), NEVER)
def test_what_never_opens_is_a_fault_that_names_its_settings(
    method: str, said: dict[str, Any], why: str
) -> None:
    """With the place, the settings, and what fits; other settings beside them are not blamed."""
    beside = {"natural_order": True} if method == "spoil-five" else {"short_pack": True}
    for table in (said, said | beside):
        game = {"name": "a", "method": method, "table": {"stake": 60, **table}}
        programme, faults = check({"name": "b", "games": [game]})
        assert programme is None
        (told,) = map(str, faults)
        settings = ", ".join(one.name for one in GAMES[method].settings if one.name in said)
        assert f"table, {settings}: no number of players can play that together" in told
        assert why in told


SOME = {
    'method = "spoil-five"\ntable = { wins = "two-tricks" }': "it opens with 5-10 players only",
    'method = "spoil-five"\ntable = { fiving = true }': "it opens with 2 players only",
    'method = "spoil-five"\ntable = { sides = "two" }': "it opens with 4, 6, 8, 10 players only",
    'method = "spoil-five"\ntable = { sides = "three" }': "it opens with 6 players only",
    'method = "my-bird-sings"\ntable = { short_pack = true }': "it opens with 2-8 players only",
    'method = "my-bird-sings"\ntable = { short_pack = true, three_cards = true }': (
        "it opens with 2-10 players only"
    ),
    'method = "loto-parlour"\ntable = { cards = 6 }': "it opens with 1-6 players only",
    'method = "loto-second"\ntable = { cards = 18 }': "it opens with 1-18 players only",
    'method = "loto-parlour"\ntable = { stakes = "counters", counters = 15 }': (
        "it opens with 24 players only"
    ),
    'method = "tontine"\ntable = { purse = 5 }': "each player sits down with 5",
    'method = "loto-parlour"\ntable = { purse = 59 }': "each player sits down with 59",
}


@pytest.mark.parametrize("text", SOME)
def test_what_opens_for_some_companies_is_advice(text: str) -> None:
    """The game stays in the programme, and its author learns for how many players it is."""
    programme, faults = check(tomllib.loads(f"name = 'b'\n[[games]]\nname = 'a'\n{text}"))
    assert programme is not None, faults
    told = [str(remark) for remark in advice(programme) if "table" in str(remark)]
    assert any(SOME[text] in one for one in told), told


QUIET = [
    'method = "spoil-five"',
    'method = "spoil-five"\ntable = { jinking = true, robbing = "off" }',
    'method = "my-bird-sings"\ntable = { tricks = true }',
    'method = "my-bird-sings"\ntable = { three_cards = true }',
    'method = "loto-second"\ntable = { stake = 240 }',
    'method = "tontine"\ntable = { purse = 120 }',
    'method = "loto-parlour"\ntable = { purse = 60 }',
    'method = "loto-parlour"\ntable = { stakes = "counters" }',
    'method = "dice-keno"\ntable = { in_money = true, purse = 120 }',
    'method = "bell-and-hammer"\ntable = { receipts = true, dozens = 4 }',
]


@pytest.mark.parametrize("text", QUIET)
def test_a_game_for_every_company_needs_no_advice(text: str) -> None:
    """None about its company."""
    programme, faults = check(tomllib.loads(f"name = 'b'\n[[games]]\nname = 'a'\n{text}"))
    assert programme is not None, faults
    assert not [str(one) for one in advice(programme) if "table" in str(one)]


def test_more_players_than_cards_are_not_fitted() -> None:
    """The reason says for how many players the cards are enough."""
    play = GAMES["loto-parlour"]
    found = fitting(play, play.agreed({"stake": 120}), 6)
    assert ranges(found.seats) == "1-6"
    assert "7 players: 6 cards are enough for 6 at most" in found.reasons
