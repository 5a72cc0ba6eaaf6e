"""Reckon the calls until the first of many cards has a pattern, for strips as the station lays
them out.

Strips laid out quite at random are independent of each other, and `station.odds.first.crowd` counts
them exactly. In real strips low numbers stand on the left and high ones on the right, so the
corners of all cards want the same few numbers, and a row never has two numbers of a column. So
their calls depend on each other through the order of the knobs. Here that order is averaged over a
fixed sample of orders. For each of them, a fixed sample of strips says which part of all strips is
complete after each call, and the chance that none of so many strips is follows without further
luck. The answer carries its own standard error.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

import numpy as np
import numpy.typing as npt

from station.base.nouns import KNOBS
from station.cards.pack import draw_numbers
from station.odds.first import Crowd, crowd
from station.odds.rehearsal.ranks import TrialCards, shuffled, stream
from station.odds.second import STRIP_CARDS
from station.rules.patterns import Pattern

SEED = "odds of strips as they are laid out"
STRIPS, ORDERS, AT_ONCE = 360, 4096, 256
F64 = npt.NDArray[np.float64]
Counts = npt.NDArray[np.intp]


@cache
def real_crowd(pattern: Pattern, cards: int) -> Crowd:
    """Return the odds of `cards` cards in whole strips as the station lays them out, the last one
    cut short. Up to six cards, which share no number, they are exact.

    Raises:
        Unreadable: there is no card.
    """
    if cards <= STRIP_CARDS:
        return crowd(pattern, cards)
    strips, rest = divmod(cards, STRIP_CARDS)
    parts = [_of_orders(pattern, strips, rest, chunk) for chunk in range(ORDERS // AT_ONCE)]
    beyond = np.concatenate([part[0] for part in parts], axis=1)  # shape (91, ORDERS)
    alone = np.concatenate([part[1] for part in parts])
    means = beyond.sum(axis=0)
    return Crowd(
        tuple(beyond.mean(axis=1).tolist()),
        max(0.0, 1 - float(alone.mean())),
        exact=False,
        error=float(means.std(ddof=1)) / sqrt(len(means)),
    )


def _of_orders(pattern: Pattern, strips: int, rest: int, chunk: int) -> tuple[F64, F64]:
    """Return, for some orders of the knobs, the chance that no card is complete after 0, 1, … all
    calls, shape (91, orders), and the chance that one card alone is first, shape (orders,)."""
    many = max(STRIPS, 2 * strips)
    sheet = TrialCards(draw_numbers(many, SEED), shuffled(stream(SEED, chunk), AT_ONCE))
    calls = sheet.complete(pattern).reshape(many, STRIP_CARDS, AT_ONCE)
    left = _left(calls.min(axis=1))
    log = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, many + 1)))])

    def part(of: Counts, count: int) -> F64:
        """Return in what part of all choices of the strips so many of these are taken."""
        every = log[many] - log[strips] - log[many - strips]
        enough = np.maximum(of, count)
        ways = log[enough] - log[count] - log[enough - count]
        return np.where(of < count, 0.0, np.exp(ways - every))

    none = part(left, strips)
    cut = _left(calls[:, :rest].min(axis=1)) / many if rest else np.ones_like(none)
    # The cards of a strip share no number, so one of them at most is complete by a call.
    one_strip = (left[:-1] - left[1:]) * part(left[1:], strips - 1)
    alone = one_strip * cut[1:] + none[1:] * (cut[:-1] - cut[1:])
    return none * cut, alone.sum(axis=0)


def _left(calls: npt.NDArray[np.uint8]) -> Counts:
    """Return how many are not complete after 0, 1, … all calls; shape (91, orders)."""
    after = np.arange(KNOBS + 1, dtype=np.uint8)[:, None, None]
    return np.asarray((calls[None] > after).sum(axis=1))
