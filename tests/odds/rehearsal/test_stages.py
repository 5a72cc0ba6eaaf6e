"""Who wins what when: the same calls and the same winners as games that are really played, call by
call, claim by claim."""

from __future__ import annotations

import numpy as np
import pytest

from station.base.errors import Unreadable
from station.base.nouns import Card
from station.cards.strips import draw
from station.games.loto_first.game import GAME, judge
from station.odds.rehearsal.ranks import NEVER, shuffled, stream
from station.odds.rehearsal.stages import Cards, Won, played
from station.rules.patterns import PATTERNS, Pattern, drawn
from station.rules.prizes import Award, CallNumber, Check, ClaimVerdict, PrizeSetup, Stage

FOUR = drawn("four", [("#####", "#....", "....."), (".....", "..###", "##...")])
NAMED = {**PATTERNS, "four": FOUR}
# Stages, whether at once, and what they are there for.
GAMES = [
    ("row two-rows full", False),
    ("full", False),
    ("corners row two-rows full", False),  # a row before the corners is late
    ("two-rows row full", False),  # so it is here, nearly always
    ("full two-rows", False),
    ("full full full", False),  # second and third house
    ("row row row", False),
    ("row corners row", False),
    ("four row four", False),
    ("early-five top-row middle-row bottom-row corners full", True),
    ("early-five full row full full", True),
    ("row row full", True),
    ("top-row top-row row full", True),
    ("top-row corners top-row row full", False),
]


def patterns(names: str) -> tuple[Pattern, ...]:
    return tuple(NAMED[name] for name in names.split())


def really(setup: PrizeSetup, order: list[int]) -> list[tuple[int, int]]:
    """Plays a game in which everybody claims as soon as he can: for each stage, after how many
    calls, and how many won it."""
    state = GAME.start(setup)
    for number in order:
        if state.stage is None:
            break
        state = GAME.apply(state, CallNumber(number))
        while valid := [
            serial for serial in setup.cards if judge(state, serial).verdict is ClaimVerdict.VALID
        ]:
            for serial in valid:
                state = GAME.apply(state, Check(serial))
            state = GAME.apply(state, Award())
    wins = [[win for win in state.wins if win.stage == stage.key] for stage in setup.stages]
    return [(of_stage[0].calls if of_stage else NEVER, len(of_stage)) for of_stage in wins]


def order_of(ranks: np.ndarray, game: int) -> list[int]:
    """The knobs as they are called."""
    return (np.argsort(ranks[1:, game]) + 1).tolist()


def told(won: Won, game: int) -> list[tuple[int, int]]:
    """For each stage after how many calls it was won, and by how many."""
    return list(zip(won.calls[:, game].tolist(), won.players[:, game].tolist(), strict=True))


@pytest.mark.parametrize("per_player", [1, 3])
@pytest.mark.parametrize("last_number", [True, False], ids=["last", "any"])
@pytest.mark.parametrize(
    ("names", "at_once"), GAMES, ids=lambda value: str(value).replace(" ", "-")
)
def test_games_are_won_as_if_they_were_played(names, at_once, last_number, per_player):
    """On random cards and orders: every stage on the same call, by as many players."""
    games = 6
    numbers = draw(names, 2).reshape(-1, 3, 5)[:8]
    # Cards 3 and 7 are twins of 0: several cards, of one player and of two, complete on the same
    # call.
    numbers[3] = numbers[7] = numbers[0]
    stages = patterns(names)
    luck = f"{names} {at_once} {last_number} {per_player}"
    ranks = shuffled(stream(luck, 0), games)
    won = played(
        stages, Cards(numbers, per_player), ranks, at_once=at_once, last_number=last_number
    )
    serials = [str(place) for place in range(1, 9)]
    cards = {
        serial: Card(serial, tuple(map(tuple, rows)))
        for serial, rows in zip(serials, numbers.tolist(), strict=True)
    }
    setup = PrizeSetup(
        cards,
        tuple(Stage(f"stage-{place}", pattern, 10) for place, pattern in enumerate(stages)),
        holders={serial: f"player {place // per_player}" for place, serial in enumerate(serials)},
        last_number=last_number,
        at_once=at_once,
    )
    for game in range(games):
        assert told(won, game) == really(setup, order_of(ranks, game))


@pytest.mark.parametrize("last_number", [True, False], ids=["last", "any"])
@pytest.mark.parametrize(
    ("names", "at_once"), GAMES, ids=lambda value: str(value).replace(" ", "-")
)
def test_what_nobody_is_left_to_win_nobody_wins(names, at_once, last_number):
    """With one card in play, too, every game goes as if it were played."""
    numbers, stages = draw(names, 1)[0][:1], patterns(names)
    ranks = shuffled(stream(names, 1), 5)
    won = played(stages, Cards(numbers), ranks, at_once=at_once, last_number=last_number)
    named = tuple(Stage(f"stage-{place}", pattern, 10) for place, pattern in enumerate(stages))
    card = Card("1", tuple(map(tuple, numbers[0].tolist())))
    setup = PrizeSetup({"1": card}, named, last_number=last_number, at_once=at_once)
    assert [told(won, game) for game in range(5)] == [
        really(setup, order_of(ranks, game)) for game in range(5)
    ]


def test_a_row_that_was_there_before_is_late():
    """Played for in turn, a second pattern that a card has already is won on a call that completes
    it, or its next part."""
    numbers = draw("late", 1)[0][:1]
    top, middle, bottom = numbers[0].tolist()
    rest = [number for number in range(1, 91) if number not in numbers]
    order = [*middle, top[0], top[4], bottom[0], bottom[4], *top[1:4], *rest, *bottom[1:4]]
    ranks = np.zeros((91, 1), np.uint8)
    ranks[order, 0] = range(1, 91)
    cards = Cards(numbers)
    late = played(patterns("corners row"), cards, ranks)
    anyhow = played(patterns("corners row"), cards, ranks, last_number=False)
    at_once = played(patterns("corners row"), cards, ranks, at_once=True)
    # the middle row was full at 5: the top row, at 12, is the next
    assert late.calls[:, 0].tolist() == [9, 12]
    assert anyhow.calls[:, 0].tolist() == [9, 9]
    assert at_once.calls[:, 0].tolist() == [9, 5]


def test_many_winners_are_all_counted():
    """More than a byte holds: a thousand cards with one number among them that all must wait
    for."""
    numbers = np.repeat(draw("many", 1)[0][:1], 1000, axis=0)
    ranks = shuffled(stream("many", 0), 2)
    for per_player, players in ((1, 1000), (3, 334), (1000, 1), (5000, 1)):
        assert played(patterns("full"), Cards(numbers, per_player), ranks).players.tolist() == [
            [players, players]
        ]


@pytest.mark.parametrize(("cards", "each"), [(0, 1), (6, 0), (6, -1)])
def test_no_cards_are_no_game(cards, each):
    """Nobody plays without a card."""
    with pytest.raises(Unreadable, match="both are one at least"):
        Cards(draw("none", 1)[0][:cards], each)
