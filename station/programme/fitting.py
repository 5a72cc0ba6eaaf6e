"""Find out for how many players a company's game opens with what was agreed on. Pure.

This module repeats no rule. It begins the game for every number of players, through the same door
as the night (`GameRules.begin`), and collects the refusals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from station.base.errors import Unreadable
from station.base.nouns import MOST_UNITS, Card
from station.games import AnyRules
from station.rules.play import Agreed, Dealing
from station.rules.seating import takes

ANY_CARD = Card.parse("1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")  # the book's Fig. 1
MOST_REASONS = 3  # of those that the rules give, in one sentence


@dataclass(frozen=True)
class Fitting:
    """The numbers of players with which a game opens.

    Attributes:
        seats: those numbers, rising.
        why: why it does not open with the others, each reason once.
    """

    seats: tuple[int, ...]
    why: tuple[str, ...]

    @property
    def reasons(self) -> str:
        """Return the first few reasons as one text."""
        return "; ".join(self.why[:MOST_REASONS])


def fitting(rules: AnyRules, agreed: Agreed, cards: int, *, choosing: bool = True) -> Fitting:
    """Return for how many players a game opens, if each of them can pay.

    Args:
        agreed: what the company agreed on.
        cards: how many cards of Loto are dealt; 0 in a game without them.
        choosing: whether each player may take only one card; else all take what the rules deal.
    """
    least, most = rules.seats
    refused = {
        seats: _refused(rules, agreed, cards, seats, choosing=choosing)
        for seats in range(least, most + 1)
    }
    fits = tuple(seats for seats, why in refused.items() if not why)
    return Fitting(fits, tuple(dict.fromkeys(filter(None, refused.values()))))


def clashing(rules: AnyRules, agreed: Agreed, cards: int) -> tuple[str, ...]:
    """Return the settings that together keep a game from opening with any number of players: no
    more of them than it takes. Empty where the game opens."""
    usual = {one.name: one.default for one in rules.settings}
    if all(agreed[name] == value for name, value in usual.items()):
        return ()
    if fitting(rules, agreed, cards).seats:
        return ()
    kept = {name: agreed[name] for name, value in usual.items() if agreed[name] != value}
    for name in tuple(kept):
        fewer = {other: value for other, value in kept.items() if other != name}
        if not fitting(rules, Agreed({**agreed, **usual, **fewer}), cards).seats:
            kept = fewer
    return tuple(kept)


def ranges(numbers: Sequence[int]) -> str:
    """Return whole numbers as people write them.

    >>> ranges((2, 5, 6, 7, 10)), ranges((4, 6)), ranges(())
    ('2, 5-7, 10', '4, 6', '')
    """
    starts = [0, *(at for at, (one, other) in enumerate(pairwise(numbers), 1) if other != one + 1)]
    runs = [numbers[first:end] for first, end in pairwise([*starts, len(numbers)]) if end]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _refused(rules: AnyRules, agreed: Agreed, cards: int, seats: int, *, choosing: bool) -> str:
    """Return why a game does not open with this many players; empty if it opens."""
    dealt = dict.fromkeys(map(str, range(1, cards + 1)), ANY_CARD)
    purses = (MOST_UNITS,) * seats
    try:
        each = takes(seats, cards) if cards else (0,) * seats
        rules.begin(agreed, Dealing(dealt, each, purses))
    except Unreadable as error:
        if not choosing or seats > cards:
            return str(error)
        try:
            rules.begin(agreed, Dealing(dealt, (1,) * seats, purses))
        except Unreadable:
            return str(error)
    return ""
