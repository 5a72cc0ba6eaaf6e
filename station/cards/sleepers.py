"""Find sleepers after a game, for all cards at once: those with a prize that nobody claimed. Pure.

A number's *rank* is its place among the calls that stand. A part of a pattern is complete at the
call that is the highest rank of its places (of a part that needs only some of them, the rank that
fills the need); a card has the pattern at the lowest over the parts. So no call is played again,
and a million cards take a second.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from station.base.nouns import CARD_LENGTH, KNOBS
from station.rules.patterns import Pattern

U8 = npt.NDArray[np.uint8]
Calls: TypeAlias = Sequence[int]
NEVER = 255
BLOCK = 1 << 16  # cards looked at together


@dataclass(frozen=True, slots=True)
class Span:
    """The calls between which a stage could be won.

    Attributes:
        opened: how many numbers had been called when it opened; 0 if it was open from the start.
        until: the calls at which it was won, or those of the whole game.
    """

    key: str
    pattern: Pattern
    opened: int
    until: int


@dataclass(frozen=True, slots=True)
class Slept:
    """The sleepers of one stage.

    Attributes:
        count: how many cards slept.
        cards: the first of them by the pack's order: each one's place among the cards in play, and
            the call that completed it.
    """

    stage: str
    count: int
    cards: tuple[tuple[int, int], ...]


def completed(numbers: U8, pattern: Pattern, called: Calls, since: int = 0) -> U8:
    """Return for each card the call at which it had the pattern, from 1; `NEVER` if it had not.

    Args:
        numbers: uint8, shape (cards, 3, 5).
        called: the numbers in the order of their calls.
        since: parts that were complete before this call do not count: another one may be complete
            later.

    >>> from station.rules.patterns import PATTERNS
    >>> rows = [[5, 11, 33, 50, 76], [17, 22, 43, 65, 89], [2, 28, 35, 56, 74]]
    >>> card, calls = np.array([rows], np.uint8), (76, 5, 2, 74, 90)
    >>> [int(completed(card, PATTERNS[key], calls)[0]) for key in ("corners", "early-five")]
    [4, 255]
    """
    ranks = np.full(KNOBS + 1, NEVER, np.uint8)
    ranks[list(called)] = np.arange(1, len(called) + 1, dtype=np.uint8)
    flat = numbers.reshape(-1, CARD_LENGTH)
    found = np.full(len(flat), NEVER, np.uint8)
    for start in range(0, len(flat), BLOCK):
        block = ranks[flat[start : start + BLOCK]]
        best = found[start : start + BLOCK]
        for part in pattern.parts:
            places = block[:, part.places]
            if part.need == len(part.places):
                at = places.max(axis=1)
            else:
                at = np.partition(places, part.need - 1, axis=1)[:, part.need - 1]
            np.minimum(best, np.where(at < since, NEVER, at), out=best)
    return found


def sleepers(
    numbers: U8, span: Span, called: Calls, awake: Collection[int], most: int, *, last_number: bool
) -> Slept:
    """Return the cards in play that could have claimed a stage and did not.

    With the last-number rule that is a card of which a part was completed while the stage was open,
    up to the call on which it was won; without it any card that was complete by then.

    Args:
        awake: places of the cards that claimed it in time or too late, or might not win it.
        most: how many are listed.
    """
    at = completed(numbers, span.pattern, called, span.opened if last_number else 0)
    slept = (at <= span.until) & (at != NEVER)
    slept[list(awake)] = False
    places = np.flatnonzero(slept)
    listed = places[:most]
    cards = zip(listed.tolist(), at[listed].tolist(), strict=True)
    return Slept(span.key, len(places), tuple(cards))
