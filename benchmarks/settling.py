"""A drawing of the Second Method settled for many cards: bit-sliced planes beside a table look-up
by NumPy and the plain way.

Prints milliseconds for the classes and totals of a drawing and for what every card keeps, and the
ratios measured in this run. With a million cards the goals are 1.5 ms and 15 ms on one core. Ends
with 1 where a goal is missed or two ways disagree.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable
from random import Random

import numpy as np

from station.cards.strips import draw
from station.night.table.settling import Settling
from station.rules.loto_second.state import BOOK

SIZES = (24, 1000, 10**5, 10**6)
GOAL_CARDS, GOAL_TOTALS_MS, GOAL_KEPT_MS = 10**6, 1.5, 15.0
PLAIN_MOST = 10**4
ROUNDS = 20


def plainly(cards: list[list[list[int]]], drawn: list[int]) -> list[int]:
    """What every card keeps, card by card and row by row."""
    kept = []
    for card in cards:
        total = 0
        for row in card:
            laid = sum(number in drawn for number in row)
            total += laid + BOOK.prizes[laid]
        kept.append(total)
    return kept


def looked_up(numbers: np.ndarray, drawn: list[int]) -> np.ndarray:
    """The same, all cards at once, without planes."""
    covered = np.zeros(91, np.uint8)
    covered[drawn] = 1
    laid = covered[numbers].sum(axis=2)
    return (laid + np.array(BOOK.prizes)[laid]).sum(axis=1)


def fastest(work: Callable[[list[int]], object], drawings: list[list[int]]) -> float:
    """Milliseconds of the fastest drawing."""
    found = float("inf")
    for drawn in drawings:
        began = time.perf_counter()
        work(drawn)
        found = min(found, time.perf_counter() - began)
    return found * 1e3


def main() -> int:
    drawings = [Random(turn).sample(range(1, 91), 10) for turn in range(ROUNDS)]
    every = draw("settling", -(-SIZES[-1] // 6)).reshape(-1, 3, 5)
    failed = False
    print(
        f"milliseconds a drawing ({platform.machine()}, Python {platform.python_version()}, NumPy"
        f" {np.__version__})"
    )
    print(f"{'cards':>10}{'totals':>10}{'each card':>11}{'look-up':>10}{'plain':>10}")
    for size in SIZES:
        numbers = every[:size]
        settling = Settling(numbers)
        totals, kept = fastest(settling.totals, drawings), fastest(settling.kept, drawings)
        table = fastest(lambda drawn, numbers=numbers: looked_up(numbers, drawn), drawings[:5])
        cards = numbers[:PLAIN_MOST].tolist()
        plain = (
            fastest(lambda drawn, cards=cards: plainly(cards, drawn), drawings[:3])
            * size
            / len(cards)
        )
        for drawn in drawings[:3]:
            ours, said = settling.kept(drawn), settling.totals(drawn)
            same = ours[:PLAIN_MOST].tolist() == plainly(cards, drawn) and bool(
                (ours == looked_up(numbers, drawn)).all()
            )
            if not same or int(ours.sum()) != said.laid + said.won:
                print(f"the ways differ at {size} cards, drawn {drawn}")
                failed = True
        print(
            f"{size:>10,}{totals:>10.3f}{kept:>11.3f}{table:>10.3f}{plain:>10.1f}"
            + (" (of fewer, in proportion)" * (size > PLAIN_MOST))
        )
        print(
            f"{'':>10}each card {table / kept:.1f} x the look-up, {plain / kept:,.0f} x the"
            " plain way"
        )
        if size == GOAL_CARDS:
            used = f"{totals / GOAL_TOTALS_MS:.0%} and {kept / GOAL_KEPT_MS:.0%}"
            print(f"{'':>10}{used} of the {GOAL_TOTALS_MS} and {GOAL_KEPT_MS} ms allowed")
            failed |= totals > GOAL_TOTALS_MS or kept > GOAL_KEPT_MS
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
