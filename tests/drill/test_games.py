"""The drills of whole games and of what is not seen find what is built wrong; what they tell of
lengths is the mean and its error."""

from __future__ import annotations

import re
from random import Random

import pytest

from station.games import GAMES, AnyRules
from tests.altered import altered
from tests.drill import games, seat_lines, unseen, wrong_games
from tests.drill.companies import NAMES, REAL_CARDS, VARIATIONS, sat_down
from tests.drill.course import Broken, Check
from tests.drill.report import means
from tests.drill.tally import Row, add_lengths

SEED, CASES = 5, 60


def found(check: Check) -> str:
    """The first scenario that a drill finds in some cases, or nothing."""
    for case in range(CASES):
        try:
            check(SEED, case)
        except Broken as error:
            return str(error)
    return ""


@pytest.mark.parametrize(("name", "play", "says"), wrong_games.GAMES)
def test_a_game_that_is_built_wrong_is_found(
    name: str, play: AnyRules, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that never ends, whose ledger does not balance, whose line leaves something out, that
    hangs on more than its actions, that lists what it refuses."""
    monkeypatch.setattr(games, "MOST", 3000)
    monkeypatch.setattr(games, "READ_BACK", 0.3)
    monkeypatch.setattr(games, "AGAIN", 1)
    assert re.search(says, found(lambda seed, case: games.check(name, seed, case, play)))


@pytest.mark.parametrize(("name", "play", "says"), wrong_games.REAL_GAMES)
def test_a_game_with_real_cards_that_is_built_wrong_is_found(
    name: str, play: AnyRules, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that loses counters, whose line leaves something out, that takes a card twice."""
    monkeypatch.setattr(games, "READ_BACK", 0.3)
    assert re.search(says, found(lambda seed, case: games.check_real(name, seed, case, play)))


@pytest.mark.parametrize(("name", "what", "wrong", "says"), wrong_games.SETTLEMENTS)
def test_a_settlement_that_is_another_is_found(
    name: str, what: str, wrong: object, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plain table beside it has other counters."""
    monkeypatch.setattr(what, wrong)
    check = games.check_settled if name == "tontine" else games.check
    assert re.search(says, found(lambda seed, case: check(name, seed, case)))


def test_another_order_of_trumps_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the plain statement of what may be played."""
    monkeypatch.setattr("tests.drill.games.playable", lambda hand, *_: tuple(hand))
    assert "other cards may be played" in found(games.check_legal)


@pytest.mark.parametrize(("name", "play"), wrong_games.LEAKS)
def test_what_is_told_of_what_cannot_be_seen_is_found(name: str, play: AnyRules) -> None:
    """By a view, by a move that is offered, by what is said, by the journal, by a simulated
    player; and of a purse."""
    assert "is told of what he cannot see" in found(
        lambda seed, case: unseen.check(name, seed, case, play)
    )


def test_a_real_hand_that_another_is_told_of_is_found() -> None:
    """By the view of the seat to its right."""
    shows = altered(GAMES["spoil-five"], view=wrong_games.shows_the_next_hand)
    assert "is told of what he cannot see" in found(
        lambda seed, case: unseen.check_real("spoil-five", seed, case, shows)
    )


def test_a_core_that_tells_a_phone_too_much_is_found() -> None:
    """By the bytes of the answer."""
    with pytest.raises(Broken, match="is sent other bytes"):
        seat_lines.check("my-bird-sings", SEED, 1, wrong_games.TalkingCore)


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_of_a_game_is_tried(name: str) -> None:
    """Each that is no mere number has each of its values in some variation, and each variation can
    be played by the most and the fewest."""
    tried = [agreed.settings for agreed in (*VARIATIONS[name], *REAL_CARDS.get(name, ()))]
    plain = {"nuts", "in_money"}  # how sums are told
    for setting in GAMES[name].settings:
        values = {one.get(setting.name, setting.default) for one in tried}
        wanted = {*setting.values} or (
            {True, False} if isinstance(setting.default, bool) else set()
        )
        assert wanted <= values or setting.name in plain
    for agreed in VARIATIONS[name]:
        for seats in {min(agreed.seats), max(agreed.seats)}:
            only = type(agreed)(agreed.name, (seats,), agreed.settings)
            assert sat_down(GAMES[name], only, Random(1)).setup.seats == seats


def test_a_length_is_told_with_its_error() -> None:
    """The mean of 1, 2, 6 and its standard error, in a line with what else was measured of it."""
    row = Row()
    for length in (1, 2, 6):
        add_lengths(row.lengths, "row: actions", (1, length, length * length))
        add_lengths(row.lengths, "row: throws", (1, 4, 16))
    assert means(row) == ["row: 3.00 ± 1.53 actions, 4.00 ± 0.00 throws, of 3"]
