"""Make the tables for exactly uniform strips: the ways that remain, and each choice's chance.

A finished strip is six cards that bear 1 to 90 once, each column of a card with one to three
numbers, ascending. Every column of every card has one number for certain; the *excess* is what it
has more, 0 to 2, six in all on a card. A strip is dealt card by card. What matters for the cards
still to come is only how much excess is left in each column, and the seven columns of ten numbers
are alike: 1,181 states. In each, a choice has the exact share of the finished strips that it leads
to.

With d columns of three numbers a card has `ROW_WAYS[d]` ways to stand on its rows, and a column's
numbers fall on its cards in n! / (the product of c!) ways, so a card weighs ROW_WAYS[d] / (2!^(6 -
2d) 3!^d), in whole numbers ROW_WAYS[d] 2^d 3^(3 - d). Choices that differ only in which of several
equal columns they use are one *orbit*, drawn by one alias table (Walker's, in Vose's form, with
integers), then one of its members evenly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby, product
from operator import sub
from pathlib import Path

import numpy as np
import numpy.typing as npt

CARDS = 6
EXCESS = 6  # a card's fifteen numbers less one for each of nine columns
# row patterns of a card with d columns of three; a test counts them
ROW_WAYS = (1710, 639, 240, 90)
WEIGHTS = tuple(ways * 2**d * 3 ** (3 - d) for d, ways in enumerate(ROW_WAYS))
FILE = Path(__file__).with_name("strip_tables.npz")

# excess left: first column, the seven middle ones falling, last column
State = tuple[int, tuple[int, ...], int]
START: State = (3, (4, 4, 4, 4, 4, 4, 4), 5)

# A card's excess in its nine columns; the place in this list is the choice's number.
CHOICES = tuple(choice for choice in product(range(3), repeat=9) if sum(choice) == EXCESS)


@dataclass(frozen=True)
class Orbit:
    """Choices of equal chance that lead to the same state.

    Attributes:
        members: places in `CHOICES`; the middle columns in the order of the state.
        leads_to: the state of the next card.
        ways: finished strips, times a constant, of all members together.
    """

    members: tuple[int, ...]
    leads_to: State
    ways: int


@dataclass(frozen=True)
class Alias:
    """An alias table: a bucket, chosen evenly, gives itself with chance cut / total, or its other.

    Attributes:
        bits: there are 2^bits buckets, at least as many as orbits; one with no orbit has cut 0.
        cuts: whole numbers, 0 to `total`.
        others: an orbit for each bucket.
    """

    bits: int
    total: int
    cuts: tuple[int, ...]
    others: tuple[int, ...]


@cache
def ways(cards: int, state: State) -> int:
    """Return how many ways there are to deal the remaining cards by `WEIGHTS`; 0 for a dead end."""
    if cards == 0:
        return 1
    return sum(orbit.ways for orbit in orbits(cards, state))


@cache
def orbits(cards: int, state: State) -> tuple[Orbit, ...]:
    """Return all choices for the next of `cards` cards that are no dead ends, in a fixed order."""
    first, middle, last = state
    most = 2 * (cards - 1)  # what the cards after this one can take of a column
    if first > most + 2 or last > most + 2:
        return ()
    runs = [len([*run]) for _, run in groupby(middle)]
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for place, choice in enumerate(CHOICES):
        if not (0 <= first - choice[0] <= most and 0 <= last - choice[8] <= most):
            continue
        if not all(0 <= left <= most for left in map(sub, middle, choice[1:8])):
            continue
        alike: list[int] = [choice[0], choice[8]]
        at = 1
        for run in runs:
            alike += sorted(choice[at : at + run])
            at += run
        found[tuple(alike)].append(place)
    made = []
    for members in found.values():
        choice = CHOICES[members[0]]
        rest = sorted(map(sub, middle, choice[1:8]), reverse=True)
        leads_to = (first - choice[0], tuple(rest), last - choice[8])
        weight = len(members) * WEIGHTS[choice.count(2)] * ways(cards - 1, leads_to)
        if weight:
            made.append(Orbit(tuple(members), leads_to, weight))
    return tuple(made)


@cache
def alias(cards: int, state: State) -> Alias:
    """Return the alias table of a state's orbits; its chances are exact."""
    shares = [orbit.ways for orbit in orbits(cards, state)]
    total = sum(shares)
    bits = max(1, (len(shares) - 1).bit_length())
    left = [share << bits for share in shares] + [0] * ((1 << bits) - len(shares))
    cuts, others = [total] * len(left), [*range(len(left))]
    short = [place for place, share in enumerate(left) if share < total]
    rich = [place for place, share in enumerate(left) if share >= total]
    while short:
        poor, giver = short.pop(), rich[-1]
        cuts[poor], others[poor] = left[poor], giver
        left[giver] -= total - left[poor]
        if left[giver] < total:
            short.append(rich.pop())
    return Alias(bits, total, tuple(cuts), tuple(others))


def reachable() -> list[tuple[int, State]]:
    """Return every state, with the number of cards to come: first the start, then card by card."""
    found = [(CARDS, START)]
    level = found
    for cards in range(CARDS - 1, 0, -1):
        states = {orbit.leads_to for at in level for orbit in orbits(*at)}
        level = [(cards, state) for state in sorted(states, reverse=True)]
        found = found + level
    return found


@dataclass(frozen=True)
class Tables:
    """The states' alias tables one after another; a *bucket* below is a place in these.

    Attributes:
        bits: uint8, for each state: it has 2^bits buckets.
        base: int32, for each state: its first bucket.
        cut: uint64, for each bucket: its own share of 2^64, rounded down to a multiple of 2^bits; a
            whole bucket has all bits.
        other: int32, for each bucket: the bucket that it gives otherwise.
        leads_to: uint16, for each bucket: the next state.
        size: uint16, for each bucket: members of its orbit; 0 where there is none.
        start: int32, for each bucket: its first member.
        member: uint16, places in `CHOICES`.
    """

    bits: npt.NDArray[np.uint8]
    base: npt.NDArray[np.int32]
    cut: npt.NDArray[np.uint64]
    other: npt.NDArray[np.int32]
    leads_to: npt.NDArray[np.uint16]
    size: npt.NDArray[np.uint16]
    start: npt.NDArray[np.int32]
    member: npt.NDArray[np.uint16]


def build() -> Tables:
    """Count everything and make the tables; takes seconds."""
    states = reachable()
    place_of = {at: place for place, at in enumerate(states)}
    bits: list[int] = []
    cut: list[int] = []
    away: list[int] = []
    leads_to: list[int] = []
    size: list[int] = []
    member: list[int] = []
    for cards, state in states:
        table, choices = alias(cards, state), orbits(cards, state)
        bits.append(table.bits)
        away += [other - bucket for bucket, other in enumerate(table.others)]
        whole = 1 << (64 - table.bits)
        for bucket, own in enumerate(table.cuts):
            part = own * whole // table.total << table.bits
            cut.append((1 << 64) - 1 if own == table.total else part)
            orbit = choices[bucket] if bucket < len(choices) else None
            leads_to.append(place_of.get((cards - 1, orbit.leads_to), 0) if orbit else 0)
            size.append(len(orbit.members) if orbit else 0)
            member += orbit.members if orbit else ()
    lists = {"bits": bits, "cut": cut, "leads_to": leads_to, "size": size, "member": member}
    return _whole({"away": away} | lists)


# What is kept: `away` is how far the other bucket is. The rest can be computed from these.
KEPT = {
    "bits": np.uint8,
    "cut": np.uint64,
    "leads_to": np.uint16,
    "size": np.uint16,
    "member": np.uint16,
    "away": np.int16,
}


def _whole(kept: Mapping[str, npt.ArrayLike]) -> Tables:
    small = {name: np.asarray(kept[name], kind) for name, kind in KEPT.items()}
    away = small.pop("away")
    steps, size = 1 << small["bits"].astype(np.int32), small["size"].astype(np.int32)
    base, start = ((np.cumsum(each) - each).astype(np.int32) for each in (steps, size))
    other = np.arange(len(away), dtype=np.int32) + away
    return Tables(**small, base=base, start=start, other=other)


@cache
def load() -> Tables:
    """Load the tables that were built and shipped."""
    with np.load(FILE, allow_pickle=False) as stored:
        return _whole(stored)


def save(tables: Tables, path: Path = FILE) -> None:
    """Write what `load` reads, without what can be computed from the rest."""
    away = (tables.other - np.arange(len(tables.cut))).astype(np.int16)
    kept = {name: getattr(tables, name) for name in KEPT if name != "away"}
    np.savez_compressed(path, away=away, **kept)


if __name__ == "__main__":
    save(build())
