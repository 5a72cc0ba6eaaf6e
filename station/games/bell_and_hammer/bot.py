"""Play Bell and Hammer for a simulated player, by what a card and a throw are worth. Pure.

What the pool does depends on the cubes alone, not on who holds the cards; and what a holder has
more by a card than he would have without it does not depend on what else he holds. So each card's
worth is one sum over the pools that may come, and exact but for the rounding of the machine.

A simulated player knows these figures, and bids less. The nearer the price comes to the worth, the
less often he bids; now and then he goes a little over it, or offers his throw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from station.games.bell_and_hammer.rules import number_of
from station.games.bell_and_hammer.state import CARDS, Auction, GamePhase, SoldCard, State
from station.games.bell_and_hammer.view import awaited
from station.rules.play import Choose, Wish

FACES = 6  # of a cube; one bears its mark
NUMBERS = ("1", "2", "3", "4", "5", "6")
MARKED, BLANK = 1 / FACES, 1 - 1 / FACES
# Bell and hammer up, or not; the card that they show.
FIGURES: Mapping[SoldCard | None, float] = {
    None: BLANK * BLANK,
    SoldCard.BELL: MARKED * BLANK,
    SoldCard.HAMMER: BLANK * MARKED,
    SoldCard.BOTH: MARKED * MARKED,
}


def _sums() -> dict[int, float]:
    found: dict[int, float] = {}
    for count in range(len(NUMBERS) + 1):
        for shown in combinations(NUMBERS, count):
            number = number_of(shown)
            chance = MARKED**count * BLANK ** (len(NUMBERS) - count)
            found[number] = found.get(number, 0.0) + chance
    return dict(sorted(found.items()))


SUMS = _sums()  # the chance of each sum of the six numbers
HIGHEST = max(SUMS)


@dataclass(frozen=True, slots=True)
class Worth:
    """What is to be expected of a game from a moment on.

    Attributes:
        throws: how many more fall until the pool is cleared.
        cards: by card, how many counters its holder has more at the end than without it.
    """

    throws: float
    cards: Mapping[SoldCard, float]


def throw_worth(pool: int) -> float:
    """Return how many counters a throw brings its thrower by numbers alone; below zero where it
    costs him more.

    >>> round(throw_worth(60), 2)
    2.43
    """
    return FIGURES[None] * sum(p * _gets(pool, n) for n, p in SUMS.items())


def _gets(pool: int, number: int) -> int:
    """Return what the numbers bring, from the pool, or cost, to the inn."""
    return number if number <= pool else pool - number


@cache
def worth(players: int, pool: int, *, inn: bool = False) -> Worth:
    """Return what the cards of a company are worth, with so many counters in the pool.

    Args:
        inn: whether the inn has begun to receive.
    """
    found: dict[tuple[int, bool], Worth] = {
        (0, begun): Worth(0.0, dict.fromkeys(CARDS, 0.0)) for begun in (True, False)
    }
    for size in range(1, pool + 1):
        # Once it has begun it never stops: so that case first.
        for begun in (True, False):
            found[size, begun] = _at(players, size, begun, found)
    return found[pool, inn]


def _at(players: int, pool: int, inn: bool, later: Mapping[tuple[int, bool], Worth]) -> Worth:
    """Return the worth at one pool, from those of smaller pools."""
    cards = _at_once(players, pool, inn)
    throws, stays = 1.0, 0.0
    for number, chance in SUMS.items():
        if number == 0 or (number > pool and inn):
            stays += chance
            continue
        after = later[(pool, True) if number > pool else (pool - number, inn)]
        throws += chance * after.throws
        for card in CARDS:
            cards[card] += chance * after.cards[card]
    leaves = 1 - stays
    return Worth(throws / leaves, {card: units / leaves for card, units in cards.items()})


def _at_once(players: int, pool: int, inn: bool) -> dict[SoldCard, float]:
    """Return what one throw brings each card's holder, by what he has more than without it."""
    cards = dict.fromkeys(CARDS, 0.0)
    for card, figures in FIGURES.items():
        nothing = SUMS[0] * figures
        if card is None:
            # From each of the others, and what he would pay himself.
            cards[SoldCard.HORSE] += nothing * ((0 if inn else players) - 1)
            cards[SoldCard.INN] += nothing
        else:
            cards[card] -= nothing
            cards[SoldCard.INN if inn else SoldCard.HORSE] += nothing
        for number, chance in SUMS.items():
            gets = _gets(pool, number) * chance * figures
            if card is not None:
                cards[card] += gets
            if number > pool:
                cards[SoldCard.INN] -= gets
    return cards


def expected(state: State) -> Mapping[SoldCard, float]:
    """Return what the cards are worth now; while they are being sold, as if all counters that were
    given out came into the pool."""
    setup = state.setup
    pool = max(state.pool, setup.highest) if state.lot is not None else state.pool
    return worth(setup.seats, pool, inn=state.inn).cards


# -- what a simulated player does ------------------------------------------------------------------

GLADLY = 0.5  # of the worth, up to which he always bids
ENOUGH = 0.95  # of the worth, from which he never bids a card
GAMBLES = 0.15  # bids one more for a throw than it is worth
OFFERS = 0.12  # of his turns in which he offers the throw
JUMPS = 3  # the part of what is left to the worth by which he tops a bid


def bot(state: State, seat: int, choose: Choose, _: frozenset[int]) -> Wish | None:
    """Return what the player of a seat wants now."""
    sale = state.auction
    if seat not in awaited(state):
        return None
    if sale is not None and sale.turn:
        return _bids(state, sale, seat, choose)
    if sale is not None:
        sells = sale.bid > throw_worth(state.pool)
        return Wish({"do": "sell-throw" if sells else "keep-throw", "seat": seat})
    offers = seat == state.turn and not state.offered and choose.chance(OFFERS)
    return Wish({"do": "offer-throw", "seat": seat}) if offers else None


def _bids(state: State, sale: Auction, seat: int, choose: Choose) -> Wish:
    throw = state.phase is GamePhase.THROWS
    lot = state.lot
    if throw or lot is None:
        most = throw_worth(state.pool) + choose.chance(GAMBLES)
        wants = sale.bid + 1 <= most
    else:
        most = min(ENOUGH * expected(state)[lot], state.setup.highest)
        share = sale.bid / most if most >= 1 else 1.0
        wants = sale.bid + 1 <= most and choose.chance(min(1, (1 - share) / (1 - GLADLY)))
    if not wants:
        return Wish({"do": "pass-bid", "seat": seat})
    step = max(1, int((most - sale.bid) / JUMPS))
    counters = sale.bid + choose.one(range(1, step + 1))
    return Wish({"do": "bid", "seat": seat, "counters": counters})
