"""What a call costs on all cards at once, beside three other ways and what the memory allows.

    .venv/bin/python benchmarks/marking.py [--most 10000000]

For each number of cards a whole game is called and taken back; the best of several rounds is
divided by its calls:
  planes     station.cards.marking: nine planes of bits, winners of a row, two rows, card as sets
  corners    the same in a game that plays for the four corners too: a counter of its own places,
             and their winners
  index      for each number the rows that bear it; one is taken from what each wants, and the full
             ones are looked for
  naive      every card is looked through for the number (up to 100,000 cards)
  copying    the bytes that a call must move (three sets and nine planes read, nine and three
             written) at this machine's speed of copying, measured in the same run; up to 10^6 cards
             all is held in the processor and copying is no bound
All ways give the same winners, or the run fails.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
import time
from collections.abc import Callable
from random import Random

import numpy as np

from station.cards.marking import Marks
from station.cards.strips import draw
from station.rules.patterns import FULL, PATTERNS, ROW, TWO_ROWS

SIZES = (24, 10**3, 10**5, 10**6, 10**7)
GOALS_US = {24: 5.0, 10**3: 30.0, 10**6: 500.0}
GOAL_BYTES, GOAL_OF_BOUND = 40, 1 / 3
MOVED_BITS = 3 + 9 + 9 + 3
NAIVE_MOST = 100_000
DRAWN_MOST = 200_000  # strips; larger packs repeat them


class Index:
    """For each number, the rows that bear it."""

    def __init__(self, numbers: np.ndarray) -> None:
        flat = numbers.reshape(-1)
        order = np.argsort(flat, kind="stable")
        starts = np.searchsorted(flat[order], np.arange(92))
        self.rows = [(order[starts[n] : starts[n + 1]] // 5).astype(np.int32) for n in range(91)]
        self.wanting = np.full(len(numbers) * 3, 5, np.int8)
        self.full = np.zeros(len(numbers), np.int8)

    def call(self, number: int) -> None:
        rows = self.rows[number]
        self.wanting[rows] -= 1
        won = rows[self.wanting[rows] == 0]
        self.full[won // 3] += 1

    def take_back(self, number: int) -> None:
        rows = self.rows[number]
        won = rows[self.wanting[rows] == 0]
        self.full[won // 3] -= 1
        self.wanting[rows] += 1

    def counts(self) -> list[int]:
        return [int(np.count_nonzero(self.full >= rows)) for rows in (1, 2, 3)]


class Naive:
    """Card by card, row by row."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.cards = [[set(row) for row in card] for card in numbers.tolist()]
        self.called: set[int] = set()
        self.full = [0] * len(self.cards)

    def call(self, number: int) -> None:
        self.called.add(number)
        self.full = [sum(row <= self.called for row in card) for card in self.cards]

    def take_back(self, number: int) -> None:
        self.called.discard(number)
        self.full = [sum(row <= self.called for row in card) for card in self.cards]

    def counts(self) -> list[int]:
        return [sum(full >= rows for full in self.full) for rows in (1, 2, 3)]


class Planes:
    """The station's own."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.marks = Marks.of(range(len(numbers)), numbers)
        self.call, self.take_back = self.marks.call, self.marks.take_back

    def counts(self) -> list[int]:
        return [self.marks.wanting(pattern)[0] for pattern in (ROW, TWO_ROWS, FULL)]


class Corners:
    """The station's own, with a pattern that is no rows."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.marks = Marks.of(range(len(numbers)), numbers, [PATTERNS["corners"]])
        self.take_back = self.marks.take_back

    def call(self, number: int) -> None:
        self.marks.call(number)
        self.marks.won(PATTERNS["corners"])


def best(work: Callable[[], object], rounds: int) -> float:
    """Seconds of the fastest round."""
    found = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        found = min(found, time.perf_counter() - began)
    return found


def a_call(way: Planes | Corners | Index | Naive, order: list[int], rounds: int) -> float:
    """Seconds of a call or a taking back: the best of some games."""

    def game() -> None:
        for number in order:
            way.call(number)
        for number in reversed(order):
            way.take_back(number)

    return best(game, rounds) / (2 * len(order))


def copying(size: int) -> float:
    """Bytes a second that are read and written, together, by a plain copy of planes of that many
    cards' bits."""
    planes = np.ones((MOVED_BITS // 2, size // 64), np.uint64)
    to = np.zeros_like(planes)
    return 2 * planes.nbytes / best(lambda: np.copyto(to, planes), 15)


def main() -> int:  # noqa: C901 - one way of marking after the other
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--most", type=int, default=SIZES[-1], help="leave out packs larger than this"
    )
    most = parser.parse_args().most
    drawn = draw("marking", min(DRAWN_MOST, -(-most // 6))).reshape(-1, 3, 5)
    failed = False
    print(
        f"microseconds a call ({platform.machine()}, Python {platform.python_version()}, NumPy"
        f" {np.__version__})"
    )
    head = f"{'cards':>10}{'planes':>10}{'corners':>9}{'index':>11}{'naive':>12}{'copying':>9}"
    print(f"{head}   want 1, 2   ten nearest   bytes a card ({GOAL_BYTES} allowed)")
    for size in (size for size in SIZES if size <= most):
        numbers = (
            np.concatenate([drawn] * -(-size // len(drawn)))[:size]
            if size > len(drawn)
            else drawn[:size]
        )
        order = Random(size).sample(range(1, 91), 90)
        planes = Planes(numbers)
        rounds = 20 if size <= 10**5 else 3
        call = a_call(planes, order, rounds)
        with_corners = a_call(Corners(numbers), order, rounds)
        index = Index(numbers)
        others: list[Index | Naive] = [index]
        by_index = a_call(index, order, rounds if size <= 10**6 else 1)
        by_hand = None
        if size <= NAIVE_MOST:
            naive = Naive(numbers)
            others.append(naive)
            short = order if size <= 1000 else order[:2]
            by_hand = a_call(naive, short, 1 if size > 1000 else 3)
        for turn, number in enumerate(order[:60]):
            planes.call(number)
            for other in others:
                if isinstance(other, Index) or size <= 1000 or turn == 59:
                    other.call(number)
                else:
                    other.called.add(number)
            if turn % 10 == 9:
                ours = planes.counts()
                for other in others:
                    if (
                        isinstance(other, Index) or size <= 1000 or turn == 59
                    ) and other.counts() != ours:
                        print(
                            f"{type(other).__name__} differs at {size} cards: {other.counts()}, not"
                            f" {ours}"
                        )
                        failed = True
        wanting = best(lambda marks=planes.marks: marks.wanting(FULL), 7)
        nearest = best(lambda marks=planes.marks: marks.nearest(FULL), 7)
        bound = MOVED_BITS / 8 * size / copying(size) if size > 10**6 else None
        room = planes.marks.bytes / size
        print(
            f"{size:>10,}{call * 1e6:>10.1f}{with_corners * 1e6:>9.1f}{by_index * 1e6:>11.1f}"
            + (f"{by_hand * 1e6:>12.1f}" if by_hand is not None else f"{'-':>12}")
            + (f"{bound * 1e6:>9.1f}" if bound is not None else f"{'-':>9}")
            + f"{wanting * 1e6:>12.1f}{nearest * 1e6:>14.1f}{room:>15.1f}"
        )
        notes = [
            (
                f"{by_index / call:.0f} x the index"
                if by_index > call
                else f"{call / by_index:.1f} x slower than the index"
            )
        ]
        if by_hand is not None:
            notes.append(f"{by_hand / call:,.0f} x the naive way")
        if size in GOALS_US:
            notes.append(f"{call * 1e6 / GOALS_US[size]:.0%} of the {GOALS_US[size]:g} us allowed")
            failed |= call * 1e6 > GOALS_US[size]
        if bound is not None:
            notes.append(f"{bound / call:.0%} of what copying allows, wanted {GOAL_OF_BOUND:.0%}")
            failed |= bound / call < GOAL_OF_BOUND
        failed |= room > GOAL_BYTES
        print(" " * 12 + "; ".join(notes))
        del planes, index, others, numbers
        gc.collect()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
