"""Run trials to compare with the exact chances: many drawings, games and races of a seed.

No formula is used here: knobs are shuffled, counters are counted on the rows of real cards.
The luck is that of rehearsals (`station.odds.rehearsal.ranks`), so that the same seed gives the
same figures everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS
from station.base.tongue import tr
from station.odds.rehearsal.ranks import NEVER, U8, TrialCards, shuffled, stream
from station.odds.second import Chances, mean, variance
from station.rules.patterns import Pattern
from station.rules.terms import BOOK, Terms

More = Callable[[int], None]  # told how many are done besides
I32 = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

FEW = 10  # of something that comes more rarely a trial tells nothing
ROOM = 1 << 24  # bytes of the numbers' ranks worked on together
AT_ONCE = 4096  # drawings or games that share their luck


@dataclass(frozen=True)
class TrialFigure:
    """A figure from trials beside the exact one.

    Attributes:
        mean: the mean in the trials.
        error: its standard error, from the exact variance if that is known, else from the trials.
        off: its distance from the exact one in standard errors; None if no exact one is known, or
            it came too rarely to tell.
    """

    mean: float
    error: float
    off: float | None = None

    @classmethod
    def beside(
        cls, seen: float, exact: float, spread: float, trials: int, *, rare: bool = False
    ) -> TrialFigure:
        """Return the mean of some trials, beside the exact mean and standard deviation of one."""
        error = spread / sqrt(trials)
        return cls(seen, error, None if rare or not error else (seen - exact) / error)

    @classmethod
    def of(cls, values: U8 | I32) -> TrialFigure:
        """Return a mean for which no exact one is known."""
        spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        return cls(float(values.mean()), spread / sqrt(len(values)))


def beside(values: I32, chances: Chances) -> TrialFigure:
    """Return the average of trials beside the exact chances; it counts as rare if all but the most
    usual outcome came too seldom."""
    seen, exact, spread = float(values.mean()), float(mean(chances)), sqrt(variance(chances))
    rare = float(1 - max(chances.values())) * len(values) < FEW
    return TrialFigure.beside(seen, exact, spread, len(values), rare=rare)


def _chunks(many: int, ranks: int, more: More | None) -> Iterator[tuple[int, int]]:
    """Yield the place and the size of each part of the trials, of which each takes that many ranks;
    tell of each when it is done."""
    chunk = min(AT_ONCE, max(1, ROOM // ranks))
    for place, first in enumerate(range(0, many, chunk)):
        done = min(chunk, many - first)
        yield place, done
        if more is not None:
            more(done)


def _drawn(luck: np.random.Philox, many: int, terms: Terms, away: Sequence[int]) -> Bools:
    """Return whether each number is among the knobs drawn; shape (91, many)."""
    ranks = shuffled(luck, many)
    ranks[[0, *away]] = NEVER
    # The first knobs of a shuffle, those put away passed over, are a drawing.
    last = np.partition(ranks, terms.cavities - 1, axis=0)[terms.cavities - 1]
    return np.asarray(ranks <= last)


def _on_rows(numbers: U8, drawn: Bools) -> U8:
    """Return the counters on each row; shape (cards, 3, many)."""
    laid = np.zeros((*numbers.shape[:2], drawn.shape[1]), np.uint8)
    for column in range(ROW_LENGTH):
        laid += drawn[numbers[..., column]]
    return laid


def laid_on_rows(
    numbers: U8,
    many: int,
    seed: str,
    *,
    terms: Terms = BOOK,
    away: Sequence[int] = (),
    more: More | None = None,
) -> Iterator[U8]:
    """Yield the counters on each row of the cards in many drawings.

    Args:
        numbers: uint8, shape (cards, 3, 5).
        many: how many drawings.
        seed: where the luck comes from.
        terms: how many knobs are drawn.
        away: knobs put away.
        more: called with the number of drawings newly done.

    Yields:
        uint8, shape (cards, 3, drawings), in parts.

    Raises:
        Unreadable: a knob that is put away stands on a card.
    """
    if on_cards := np.intersect1d(numbers, away).tolist():
        raise Unreadable(
            tr("{number} stands on a card: its knob is not put away", number=on_cards[0])
        )
    for chunk, drawings in _chunks(many, numbers.size, more):
        luck = stream(f"{seed}\nodds of drawings", chunk)
        yield _on_rows(numbers, _drawn(luck, drawings, terms, away))


def drawings_until_short(
    numbers: U8,
    many: int,
    seed: str,
    *,
    terms: Terms = BOOK,
    away: Sequence[int] = (),
    more: More | None = None,
) -> I32:
    """Return the drawing in which the counters ran short, in many games of the cards.

    Returns:
        int32, shape (games,). The arguments are those of `laid_on_rows`.
    """
    prizes = np.array(terms.prizes, np.int32)
    found = []
    for chunk, games in _chunks(many, numbers.size, more):
        luck = stream(f"{seed}\nodds of pools", chunk)
        table = np.full(games, terms.on_table * len(numbers), np.int32)
        pool = np.full(games, terms.in_pool * len(numbers), np.int32)
        short = np.zeros(games, np.int32)
        drawing = 0
        while len(playing := np.flatnonzero(short == 0)):
            drawing += 1
            laid = _on_rows(numbers, _drawn(luck, len(playing), terms, away))
            left = table[playing] - laid.sum(axis=(0, 1), dtype=np.int32)
            lent, table[playing] = np.maximum(-left, 0), np.maximum(left, 0)
            pool[playing] -= lent + prizes[laid].sum(axis=(0, 1), dtype=np.int32)
            short[playing[pool[playing] < 0]] = drawing
        found.append(short)
    return np.concatenate(found)


@dataclass(frozen=True)
class Firsts:
    """The calls at which the first of some cards had a pattern, in many games.

    Attributes:
        calls: uint8, shape (games,).
        tied: bool, shape (games,): several cards had it on that call.
    """

    calls: U8
    tied: Bools

    @property
    def shared(self) -> float:
        """Return the part of the games in which several cards had it on the same call."""
        return float(self.tied.mean())


def first_calls(
    patterns: Mapping[str, Pattern],
    numbers: U8,
    counts: Sequence[int],
    many: int,
    seed: str,
    *,
    more: More | None = None,
) -> dict[tuple[str, int], Firsts]:
    """Play games with everyone answering: find when the first of the cards has each pattern.

    Args:
        patterns: the patterns by name.
        numbers: uint8, shape (cards, 3, 5).
        counts: how many of the cards to look at, from the first on.
        many: how many games.
        seed: where the luck comes from.
        more: called with the number of games newly done.

    Returns:
        The firsts, by the pattern's name and the count of cards.
    """
    parts: dict[tuple[str, int], list[tuple[U8, Bools]]] = {
        (key, count): [] for key in patterns for count in counts
    }
    for chunk, games in _chunks(many, numbers.size, more):
        sheet = TrialCards(numbers, shuffled(stream(f"{seed}\nodds of games", chunk), games))
        for key, pattern in patterns.items():
            complete = sheet.complete(pattern)
            for count in counts:
                first = complete[:count].min(axis=0)
                parts[key, count].append((first, (complete[:count] == first).sum(axis=0) > 1))
    joined = {
        asked: map(np.concatenate, zip(*found, strict=True)) for asked, found in parts.items()
    }
    return {asked: Firsts(*found) for asked, found in joined.items()}


@dataclass(frozen=True)
class Races:
    """The results of many races, all cards of some strips in play, each with a player of its own.

    Attributes:
        had: by the pattern's name: int32, shape (games,): how many of the cards had it before the
            bag was empty.
        covered: uint8, shape (cards, games): numbers covered when the bag is empty.
    """

    had: Mapping[str, I32]
    covered: U8


def races(
    patterns: Mapping[str, Pattern], numbers: U8, many: int, seed: str, *, more: More | None = None
) -> Races:
    """Play races in which at every call each player who holds the number is first equally often.

    Args:
        patterns: the patterns by name.
        numbers: uint8, shape (cards, 3, 5): whole strips.
        many: how many races.
        seed: where the luck comes from.
        more: called with the number of races newly done.

    Raises:
        Unreadable: the cards are no whole strips, so that some number would stand on fewer cards
            than another.
    """
    flat = numbers.reshape(-1)
    holders, odd = divmod(len(flat), KNOBS)
    if odd or not holders or (np.bincount(flat, minlength=KNOBS + 1)[1:] != holders).any():
        strips = tr("take whole strips of {cards}", cards=KNOBS // CARD_LENGTH)
        raise Unreadable(
            tr("{cards} cards in the race: {strips}", cards=len(numbers), strips=strips)
        )
    # Every place of every card has a number of its own here: its rank is that of its knob where
    # this card was first to answer.
    places = np.arange(len(flat)).reshape(-1, ROWS, ROW_LENGTH)
    bearing = np.argsort(flat, kind="stable").reshape(KNOBS, holders)
    had: dict[str, list[I32]] = {key: [] for key in patterns}
    covered = []
    for chunk, games in _chunks(many, len(flat), more):
        luck = stream(f"{seed}\nodds of races", chunk)
        ranks = shuffled(luck, games)
        first = (luck.random_raw(KNOBS * games) % np.uint64(holders)).astype(np.intp)
        own = np.full((len(flat), games), NEVER, np.uint8)
        first = first.reshape(KNOBS, games)
        own[bearing[np.arange(KNOBS)[:, None], first], np.arange(games)] = ranks[1:]
        sheet = TrialCards(places.astype(np.uint16), own)
        for key, pattern in patterns.items():
            had[key].append((sheet.complete(pattern) != NEVER).sum(axis=0, dtype=np.int32))
        covered.append((own != NEVER).reshape(-1, CARD_LENGTH, games).sum(axis=1, dtype=np.uint8))
    whole = {key: np.concatenate(found) for key, found in had.items()}
    return Races(whole, np.concatenate(covered, axis=1))
