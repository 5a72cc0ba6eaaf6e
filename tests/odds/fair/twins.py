"""Bags that are not fair, as they are met in programs and in halls; each is caught by one test of
the battery, and how likely that is follows from its own law.

A twin is a function that makes bags × 90 from a generator, in NumPy, so that millions of them are
no matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from station.base.nouns import KNOBS
from station.odds.fair.battery import Bags

Twin: TypeAlias = Callable[[Generator, int], Bags]


def fair(chance: Generator, bags: int) -> Bags:
    """Return bags of which each order is as likely as any other."""
    return chance.permuted(_in_order(bags), axis=1)


def _in_order(bags: int) -> Bags:
    return np.tile(np.arange(1, KNOBS + 1), (bags, 1))


def _swapped(orders: Bags, here: int, there: np.ndarray) -> None:
    every = np.arange(len(orders))
    orders[every, here], orders[every, there] = (
        orders[every, there].copy(),
        orders[every, here].copy(),
    )


def naive_swaps(chance: Generator, bags: int) -> Bags:
    """Swap each place with any of all places, its own past among them."""
    orders = _in_order(bags)
    for here in range(KNOBS):
        _swapped(orders, here, chance.integers(0, KNOBS, bags))
    return orders


def sorted_by_float(chance: Generator, bags: int) -> Bags:
    """Sort by a random key of half precision: equal keys leave their numbers in order."""
    keys = chance.random((bags, KNOBS)).astype(np.float16)
    return np.argsort(keys, axis=1, kind="stable") + 1


def seed_of_16_bits(chance: Generator, bags: int) -> Bags:
    """Shuffle well, from one of 65,536 seeds."""
    seeds = chance.integers(0, 2**16, bags)
    return np.stack([np.random.default_rng(int(seed)).permutation(KNOBS) + 1 for seed in seeds])


def by_remainder(chance: Generator, bags: int) -> Bags:
    """Take a byte's remainder for a place: 256 is no multiple of most numbers."""
    orders = _in_order(bags)
    for here in range(KNOBS - 1):
        _swapped(orders, here, here + chance.integers(0, 256, bags) % (KNOBS - here))
    return orders


def never_the_last_first(chance: Generator, bags: int) -> Bags:
    """Never begin with the number that the game before ended with."""
    orders = fair(chance, bags)
    for bag in range(1, bags):
        if orders[bag, 0] == orders[bag - 1, -1]:
            other = int(chance.integers(1, KNOBS))
            orders[bag, [0, other]] = orders[bag, [other, 0]]
    return orders


def one_knob_light(chance: Generator, bags: int, weight: float = 0.9) -> Bags:
    """Draw by weights, one knob's a little less: the first to come of exponential waits."""
    waits = chance.exponential(size=(bags, KNOBS))
    waits[:, 41] /= weight
    return np.argsort(waits, axis=1) + 1


def used_again(chance: Generator, bags: int) -> Bags:
    """Take, once in a hundred games, the bag of a game before."""
    orders = fair(chance, bags)
    for bag in np.flatnonzero(chance.random(bags) < 0.01):
        orders[bag] = orders[chance.integers(0, max(1, bag))]
    return orders


TWINS: dict[str, Twin] = {
    "naive swaps": naive_swaps,
    "sorted by a half-precision float": sorted_by_float,
    "a seed of 16 bits": seed_of_16_bits,
    "a byte's remainder": by_remainder,
    "never the last called first": never_the_last_first,
    "one knob at weight 0.9": one_knob_light,
    "a bag used again": used_again,
}
