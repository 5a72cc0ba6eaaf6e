"""Define patterns: what must be covered on a card to win a stage.

A card's fifteen numbers lie on places 0 to 14, row by row, left to right. A pattern is one or
several parts; it is complete when `need` places of any one part are covered. So a row is three
parts of five places, of which an ambo needs two; two rows are three parts of ten, the early five
are one part of all fifteen places, of which five are needed.

>>> card = Card.parse("1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
>>> PATTERNS["row"].complete(card, (5, 11, 33, 50, 76))
True
>>> PATTERNS["corners"].wants(card, (5, 76, 2))
Wants(many=1, numbers=(74,))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from typing import NamedTuple

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, ROW_LENGTH, ROWS, Card

KEY = re.compile(r"[a-z][a-z0-9-]{0,31}")
COVERED, BLANK = "#", "."
# names of a row by the counters on it, from none on
ROW_NAMES = ("-", "abstract", "ambo", "terne", "quaterne", "quinterne")
JACKPOT = "jackpot"  # its name among the stages; no pattern may have this name


class Wants(NamedTuple):
    """The numbers that a card still needs: how many, and which ones would do. Where there are more
    than `many`, any of them do."""

    many: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PatternPart:
    """Places of a card, ascending, of which `need` must be covered."""

    places: tuple[int, ...]
    need: int

    def __str__(self) -> str:
        """Return the places as bits, the first place lowest, in hexadecimal; with `/need` where not
        all are needed."""
        bits = f"{sum(1 << place for place in self.places):04x}"
        return bits if self.need == len(self.places) else f"{bits}/{self.need}"


@dataclass(frozen=True)
class Pattern:
    """A pattern: complete when any one of its parts is.

    Attributes:
        key: its name in files and records: small letters, digits and hyphens.
        parts: in the order in which they are checked.
    """

    key: str
    parts: tuple[PatternPart, ...]

    @cached_property
    def length(self) -> int:
        """Return the fewest numbers that complete the pattern."""
        return min(part.need for part in self.parts)

    def full(self, card: Card, called: Iterable[int]) -> tuple[PatternPart, ...]:
        """Return the parts that are complete on a card."""
        covered = _covered(card, called)
        return tuple(
            part for part in self.parts if len(covered.intersection(part.places)) >= part.need
        )

    def complete(self, card: Card, called: Iterable[int]) -> bool:
        """Return whether the pattern is complete on a card."""
        return bool(self.full(card, called))

    def complete_on_last(self, card: Card, called: Sequence[int]) -> bool:
        """Return whether the last number completed a part, which was not full without it."""
        before = self.full(card, called[:-1])
        return any(part not in before for part in self.full(card, called))

    def wants(self, card: Card, called: Iterable[int]) -> Wants:
        """Return what the part nearest to being full still needs; nothing when it is full."""
        covered = _covered(card, called)
        numbers = [number for row in card.rows for number in row]
        lacking = [part.need - len(covered.intersection(part.places)) for part in self.parts]
        least = min(lacking)
        if least <= 0:
            return Wants(0, ())
        places = set(self.parts[lacking.index(least)].places) - covered
        return Wants(least, tuple(sorted(numbers[place] for place in places)))

    def winning(self, card: Card, called: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers that complete the pattern, ascending: those of the parts that the last
        number completed, else of all that are complete. Of a part that needs some of its places,
        the numbers that were called first.

        >>> card = Card.parse("1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
        >>> PATTERNS["row"].winning(card, (2, 5, 11, 33, 50, 76))
        (5, 11, 33, 50, 76)
        """
        full, before = self.full(card, called), self.full(card, called[:-1])
        numbers = [number for row in card.rows for number in row]
        order = {number: at for at, number in enumerate(called)}
        found: set[int] = set()
        for part in [part for part in full if part not in before] or full:
            covered = [numbers[place] for place in part.places if numbers[place] in order]
            found.update(sorted(covered, key=order.__getitem__)[: part.need])
        return tuple(sorted(found))

    @property
    def known(self) -> bool:
        """Return whether the pattern is the station's own. A pattern drawn in a programme may have
        the name of one that was added to the station later."""
        return PATTERNS.get(self.key) == self

    @property
    def title(self) -> str:
        """Return the name of a drawn pattern, for a stage without a name of its own.

        >>> drawn("big-kite", [("..#..", ".###.", "..#..")]).title
        'Big kite'
        """
        return self.key.replace("-", " ").capitalize()

    def __str__(self) -> str:
        """Return the key; for a pattern that is not the station's own, also the places of each
        part, as bits, and how many of them it needs.

        >>> str(ROW), str(drawn("pyramid", [("..#..", ".#.#.", "#.#.#")]))
        ('row', 'pyramid{5544}')
        """
        if self.known:
            return self.key
        return f"{self.key}{{{'+'.join(map(str, self.parts))}}}"


def picture(places: Sequence[int]) -> tuple[str, ...]:
    """Return places of a card as three rows of five: `#` for each of them, `.` for any other."""
    cells = "".join(COVERED if place in places else BLANK for place in range(CARD_LENGTH))
    return tuple(cells[start : start + ROW_LENGTH] for start in range(0, CARD_LENGTH, ROW_LENGTH))


def _covered(card: Card, called: Iterable[int]) -> frozenset[int]:
    calls = frozenset(called)
    places = enumerate(number for row in card.rows for number in row)
    return frozenset(place for place, number in places if number in calls)


def _row(row: int) -> tuple[int, ...]:
    return tuple(range(ROW_LENGTH * row, ROW_LENGTH * (row + 1)))


def in_rows(key: str, rows: int, lengths: Sequence[int] = (ROW_LENGTH,) * ROWS) -> Pattern:
    """Return the pattern of any `rows` full rows of one card; `lengths` are the lengths of its
    rows, which are smaller in tests that count every case."""
    starts = accumulate(lengths, initial=0)
    all_rows = [
        range(start, start + length) for start, length in zip(starts, lengths, strict=False)
    ]
    chosen = (
        tuple(place for row in some for place in row) for some in combinations(all_rows, rows)
    )
    return Pattern(key, tuple(PatternPart(places, len(places)) for places in chosen))


def on_a_row(key: str, need: int) -> Pattern:
    """Return the pattern of `need` numbers on any one row.

    >>> str(on_a_row("pair", 2))
    'pair{001f/2+03e0/2+7c00/2}'
    """
    return Pattern(key, tuple(PatternPart(_row(row), need) for row in range(ROWS)))


def all_of(key: str, places: Iterable[int]) -> Pattern:
    """Return the pattern of exactly these places."""
    listed = tuple(sorted(set(places)))
    return Pattern(key, (PatternPart(listed, len(listed)),))


def drawn(key: str, pictures: Sequence[Sequence[str]], need: int | None = None) -> Pattern:
    """Return a pattern from pictures of three rows of five; any one of the pictures wins.

    >>> drawn("pyramid", [("..#..", ".#.#.", "#.#.#")]).parts[0].places
    (2, 6, 8, 10, 12, 14)
    >>> str(drawn("early-seven", [("#####",) * 3], 7))
    'early-seven{7fff/7}'

    Args:
        need: how many places of a picture must be covered; None: all of them.

    Raises:
        Unreadable: the key is malformed, or a picture is not three rows of five `#` and `.` with at
            least one `#`, or fewer `#` than are needed; the message names it.
    """
    if not KEY.fullmatch(key):
        why = f"pattern {key!r}: a key is 1 to 32 small letters, digits and hyphens, a letter first"
        raise Unreadable(why)
    if key == JACKPOT:
        raise Unreadable(
            f"pattern {key}: the jackpot is called so in the records; give the pattern another name"
        )
    if not pictures:
        raise Unreadable(f"pattern {key}: there is no picture of it")
    return Pattern(key, tuple(dict.fromkeys(_drawn_parts(key, pictures, need))))


def _drawn_parts(
    key: str, pictures: Sequence[Sequence[str]], need: int | None
) -> Iterator[PatternPart]:
    for number, rows in enumerate(pictures, 1):
        cells = "".join(rows)
        if (
            len(rows) != ROWS
            or any(len(row) != ROW_LENGTH for row in rows)
            or set(cells) - {COVERED, BLANK}
        ):
            raise Unreadable(
                f"pattern {key}, picture {number}: it is {ROWS} rows of {ROW_LENGTH} signs, each #"
                " or ."
            )
        if COVERED not in cells:
            why = f"pattern {key}, picture {number}: no place of it is to be covered (#)"
            raise Unreadable(why)
        places = tuple(place for place, cell in enumerate(cells) if cell == COVERED)
        if need is not None and not 1 <= need <= len(places):
            why = f"pattern {key}, picture {number}: it has {len(places)} places, so need is 1 to"
            raise Unreadable(f"{why} {len(places)}, and not {need}")
        yield PatternPart(places, len(places) if need is None else need)


WHOLE_CARD = (COVERED * ROW_LENGTH,) * ROWS  # as a picture
ROW, TWO_ROWS, FULL = in_rows("row", 1), in_rows("two-rows", 2), in_rows("full", 3)
PATTERNS = {
    pattern.key: pattern
    for pattern in (
        ROW,
        TWO_ROWS,
        FULL,
        all_of("top-row", _row(0)),
        all_of("middle-row", _row(1)),
        all_of("bottom-row", _row(2)),
        all_of("corners", (0, ROW_LENGTH - 1, CARD_LENGTH - ROW_LENGTH, CARD_LENGTH - 1)),
        Pattern("early-five", (PatternPart(tuple(range(CARD_LENGTH)), 5),)),
        on_a_row("ambo", 2),
        on_a_row("terno", 3),
        on_a_row("quaterna", 4),
    )
}
"""The patterns that have a name of their own, by key."""
EARLY = {
    f"early-{word}": number
    for number, word in enumerate(("six", "seven", "eight", "nine", "ten"), 6)
}
"""How many numbers, wherever they stand, complete an early pattern beside `early-five`. A programme
names them like the others; they have no clips of their own, so the voice says their name."""
