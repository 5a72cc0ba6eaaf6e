"""Show how surely the battery catches bags that are not fair: what each twin's law predicts at a
million bags, and, at a size at which some get away, the share that many runs catch beside it:

    python -m tests.odds.fair [--runs 3000] [--twin NAME]

A small run evaluates the one test that catches the twin, at its level in the family.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from station.base.nouns import KNOBS
from station.base.terminal import out
from station.commands.tools import counting_bar
from station.odds.fair.battery import TESTS, Battery
from tests.odds.fair.power import ALONE, BIRTHDAYS, LAWS, LIGHT, light_calls
from tests.odds.fair.twins import TWINS

MANY = 10**6
WANTED = 0.8  # of the small runs


def predicted(name: str, bags: int) -> float:
    """Return how likely a twin is to be caught in so many bags, by its law."""
    return BIRTHDAYS[name](bags) if name in BIRTHDAYS else LAWS[name].power(bags)


def small(name: str) -> int:
    """Return the fewest bags in which the twin is caught four times in five."""
    low, high = 1, MANY
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if predicted(name, middle) >= WANTED else (middle, high)
    return high


def caught(name: str, chance: Generator, bags: int) -> bool:
    """Return whether one run catches the twin."""
    if name in BIRTHDAYS:
        battery = Battery({})
        battery.add(TWINS[name](chance, bags))
        return battery.twice > 0
    test = LAWS[name].test, ""
    if name in CHEAP:
        return TESTS[test].judge(CHEAP[name](chance, bags))[0] < ALONE
    battery = Battery({test: TESTS[test]})
    battery.add(TWINS[name](chance, bags))
    return battery.findings()[0].chance < ALONE


def _places_of_light(chance: Generator, bags: int) -> NDArray[np.int64]:
    """Count numbers and calls: the light knob comes by its law, the others evenly around it."""
    others = np.delete(np.arange(KNOBS, dtype=np.uint8), LIGHT)
    orders = np.full((bags, KNOBS), LIGHT, dtype=np.uint8)
    orders[:, 1:] = chance.permuted(np.tile(others, (bags, 1)), axis=1)
    calls = np.searchsorted(np.cumsum(light_calls()), chance.random(bags)).clip(max=KNOBS - 1)
    orders[:, 0] = orders[np.arange(bags), calls]
    orders[np.arange(bags), calls] = LIGHT
    cells = orders.astype(np.int64) * KNOBS + np.arange(KNOBS)
    return np.bincount(cells.ravel(), minlength=KNOBS * KNOBS)


def _starts(chance: Generator, bags: int) -> NDArray[np.int64]:
    """Count last numbers and the next first ones, which differ; so do a bag's own two."""
    steps = chance.integers(1, KNOBS, 2 * bags)
    first_and_last = (np.cumsum(steps) % KNOBS).reshape(bags, 2)
    pairs = first_and_last[:-1, 1] * KNOBS + first_and_last[1:, 0]
    return np.bincount(pairs, minlength=KNOBS * KNOBS)


# Twins that need many bags: only what their test looks at is made, by the same law.
CHEAP = {
    "one knob at weight 0.9": _places_of_light,
    "never the last called first": _starts,
}


def _parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.odds.fair")
    parser.add_argument("--runs", type=int, default=3000)
    parser.add_argument("--twin", choices=TWINS, action="append")
    return parser.parse_args()


def _main() -> None:
    asked = _parsed()
    for name in asked.twin or TWINS:
        bags = small(name)
        chance = np.random.default_rng(90)
        found = 0
        with counting_bar(name, asked.runs) as more:
            for _ in range(asked.runs):
                found += caught(name, chance, bags)
                more(1)
        law, share = predicted(name, bags), found / asked.runs
        error = math.sqrt(law * (1 - law) / asked.runs)
        told = f"in {bags:,} bags: by the law {law:.3f}, seen {share:.3f} ± {error:.3f}"
        out.print(
            f"{name}: in a million bags {predicted(name, MANY):.6f}; {told} ({asked.runs} runs)"
        )


if __name__ == "__main__":
    _main()
