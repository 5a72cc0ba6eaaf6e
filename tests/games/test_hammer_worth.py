"""What the cards of Bell and Hammer are worth, held to games on the plain table; and how the
station's players of it do against others."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from station.games.bell_and_hammer.bot import SUMS, expected, throw_worth, worth
from station.games.bell_and_hammer.play import GAME
from station.games.bell_and_hammer.rules import number_of
from station.games.bell_and_hammer.state import (
    BLANKS,
    CARDS,
    CUBES,
    Bid,
    KnockDown,
    OfferThrow,
    PassBid,
    Setup,
    SoldCard,
)
from tests.drill.plain_hammer import POOL as PLAIN_POOL
from tests.drill.plain_hammer import PlainTable
from tests.hammer_players import at_random, generous, greedy, share_of_wins, the_stations

NAMES = ("white horse", "inn", "bell", "hammer", "bell and hammer")


def fallen(pool: int, luck: Random) -> list[tuple[str, ...]]:
    """What falls until a pool is cleared."""
    throws = []
    while pool:
        shown = tuple(mark for mark in CUBES if not luck.randrange(6))
        throws.append(shown)
        number = sum(int(mark) for mark in shown if mark.isdigit())
        pool -= number if number <= pool else 0
    return throws


def at_the_end(throws, cards: dict[str, int], players: int, pool: int) -> int:
    """What the first player has at the end, on the plain table, when all throw in turn."""
    counters = {**dict.fromkeys(range(1, players + 1), 0), PLAIN_POOL: pool}
    table = PlainTable(cards, counters, inn_receives=False)
    for number, shown in enumerate(throws):
        table.throw(number % players + 1, shown)
    return table.counters[1]


@pytest.mark.long
@pytest.mark.parametrize(("players", "pool"), [(2, 24), (4, 40)])
def test_a_card_is_worth_what_its_holder_has_more_with_it(players, pool):
    """The same throws, with the card and without it: the difference is its worth, whoever has the
    others; and the pool is cleared after as many throws as is worked out."""
    luck = Random(f"worth {players}")
    told = worth(players, pool)
    games = [fallen(pool, luck) for _ in range(1500)]
    lengths = [len(throws) for throws in games]
    assert abs(fmean(lengths) - told.throws) < 4 * stdev(lengths) / len(games) ** 0.5
    for card, name in zip(CARDS, NAMES, strict=True):
        more = []
        for throws in games:
            others = {other: luck.randint(1, players) for other in NAMES}
            with_it, without = ({**others, name: seat} for seat in (1, 2))
            had = at_the_end(throws, without, players, pool)
            more.append(at_the_end(throws, with_it, players, pool) - had)
        error = stdev(more) / len(more) ** 0.5
        assert abs(fmean(more) - told.cards[card]) < 4 * error, card


def test_the_sums_are_those_of_six_cubes():
    """All chances together are one; their mean is a sixth of 21; 21 wants all six."""
    assert sum(SUMS.values()) == pytest.approx(1)
    assert sum(number * chance for number, chance in SUMS.items()) == pytest.approx(3.5)
    assert SUMS[21] == pytest.approx(6**-6)
    assert number_of(("6", "bell")) == 6


def test_the_cards_stand_to_each_other_as_the_throws_do():
    """Bell and hammer are equally valuable; both together fall a fifth as often as either alone;
    with six players the white horse is the most valuable, with three the inn."""
    for players, first in ((3, SoldCard.INN), (6, SoldCard.HORSE), (12, SoldCard.HORSE)):
        told = worth(players, 24 * players).cards
        assert max(told, key=told.__getitem__) is first
        assert told[SoldCard.BELL] == told[SoldCard.HAMMER]
        assert told[SoldCard.BOTH] == pytest.approx(told[SoldCard.BELL] / 5)


def test_a_throw_is_worth_less_with_few_in_the_pool():
    """With one it costs, with many it brings the mean of numbers alone."""
    assert throw_worth(1) < 0 < throw_worth(5)
    assert throw_worth(21) == pytest.approx(3.5 * 25 / 36)


def test_a_card_is_looked_at_as_if_all_counters_came_into_the_pool():
    """While cards are sold; then the pool is what it is."""
    state = GAME.start(Setup((50,) * 3))
    assert expected(state) == worth(3, 72).cards
    for _ in CARDS:
        for action in (Bid(1, 1), PassBid(2), PassBid(3), KnockDown()):
            state = GAME.apply(state, action)
    assert expected(state) == worth(3, 41).cards


@pytest.mark.long
@pytest.mark.parametrize(("other", "least"), [(at_random, 0.5), (greedy, 0.5), (generous, 0.7)])
def test_the_stations_player_wins_more_than_his_part(other, least):
    """Alone among three others of another kind, from each seat in turn, he wins far more than a
    quarter."""
    assert share_of_wins(80, the_stations, other, 4, Random("wins")) > least


@pytest.mark.long
@pytest.mark.parametrize("other", [at_random, greedy])
def test_another_player_does_not_win_his_part_among_the_stations(other):
    """A quarter would be his part."""
    assert share_of_wins(120, other, the_stations, 4, Random("loses")) < 0.33


def test_every_wish_is_legal():
    """Whatever happens at the table, what the station's player wants is allowed by the rules."""
    luck = Random("legal")
    for number in range(20):
        state = GAME.start(Setup((90,) * (2 + number % 5)))
        while GAME.outcome(state) is None:
            legal = [*GAME.legal_actions(state)]
            seat = next((one.seat for one in legal if hasattr(one, "seat")), 0)
            wanted = the_stations(state, seat, luck) if seat else None
            if wanted is not None:
                state = GAME.apply(state, wanted)
            elif isinstance(legal[-1], KnockDown):
                state = GAME.apply(state, legal[-1])
            else:
                state = GAME.apply(state, type(legal[-1])(fallen(1, luck)[0] or BLANKS))
                if GAME.outcome(state) is None and luck.random() < 0.3:
                    state = GAME.apply(state, OfferThrow(state.turn))
