"""Packs of cards: made in strips of six, read from CSV, checked, and marked all at once.

A strip is six cards that bear each of the numbers 1 to 90 exactly once. A pack is any number of strips, no two cards with the
same fifteen numbers; with four strips, the parlour's 24 cards, each number stands on exactly four cards.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Protocol

import numpy as np
import numpy.typing as npt

from station.errors import Unreadable
from station.table import CARD_LENGTH, COLUMN_RANGES, COLUMNS, KNOBS, NUMBER, ROW_LENGTH, ROWS, SERIAL, Card, card_faults

STRIP = 6
MOST_IN_COLUMN = ROWS  # a column of a card has one to three numbers
HEADER = ("serial", *(f"r{row}n{place}" for row in range(1, ROWS + 1) for place in range(1, ROW_LENGTH + 1)))

Progress = Callable[[int, int], None]


class Chance(Protocol):
    """Where a pack's luck comes from: `random.Random(seed)` or `secrets.SystemRandom()`."""

    def random(self) -> float:
        """From 0 up to 1."""

    def sample(self, population: Sequence[int], k: int) -> list[int]:
        """`k` different ones, in random order."""


class Pack:
    """Cards in the order of their serials, as arrays.

    Attributes:
        serials: one for each card, all different.
        numbers: uint8, shape (cards, 3, 5): the rows, left to right.
    """

    def __init__(self, cards: Iterable[Card]) -> None:
        """Raises `Unreadable` naming every card that is faulty or alike to another."""
        listed = list(cards)
        faults = pack_faults(listed)
        if faults:
            raise Unreadable("\n".join(faults))
        self.serials = tuple(card.serial for card in listed)
        self.numbers: npt.NDArray[np.uint8] = np.array([card.rows for card in listed], dtype=np.uint8).reshape(
            -1, ROWS, ROW_LENGTH
        )
        self._places = {serial: place for place, serial in enumerate(self.serials)}
        self.digest = hashlib.sha256(self.to_csv().encode()).hexdigest()

    def __len__(self) -> int:
        return len(self.serials)

    def __contains__(self, serial: object) -> bool:
        return serial in self._places

    def card(self, serial: str) -> Card:
        """Raises `KeyError` when the pack has no such card."""
        rows = self.numbers[self._places[serial]].tolist()
        return Card(serial, tuple(tuple(row) for row in rows))

    def cards(self) -> list[Card]:
        """All of them, in order."""
        return [self.card(serial) for serial in self.serials]

    def between(self, first: str, last: str) -> tuple[str, ...]:
        """The serials from `first` to `last` in the pack's order.

        Raises:
            Unreadable: one of them is not in the pack, or they stand the wrong way round.
        """
        for serial in (first, last):
            if serial not in self._places:
                raise Unreadable(f"card {serial} is not in this pack ({self.serials[0]} to {self.serials[-1]})")
        if self._places[first] > self._places[last]:
            raise Unreadable(f"{first}-{last}: the range runs backwards; write {last}-{first}")
        return self.serials[self._places[first] : self._places[last] + 1]

    def to_csv(self) -> str:
        """The pack as text; its digest is made from this."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(HEADER)
        flat = self.numbers.reshape(-1, CARD_LENGTH).tolist()
        writer.writerows((serial, *row) for serial, row in zip(self.serials, flat, strict=True))
        return out.getvalue()

    @classmethod
    def from_csv(cls, text: str, source: str = "cards") -> Pack:
        """Reads what `to_csv` writes: a header, then a serial and fifteen numbers a line, row by row. All or nothing.

        Raises:
            Unreadable: names every fault with its line.
        """
        reader = csv.reader(io.StringIO(text, newline=""))
        try:
            rows = [(reader.line_num, row) for row in reader if row]
        except csv.Error as error:
            raise Unreadable(f"{source}:{reader.line_num}: not CSV: {error}") from error
        if not rows or tuple(cell.strip().lower() for cell in rows[0][1]) != HEADER:
            raise Unreadable(f"{source}:1: the first line must be {','.join(HEADER)}")
        faults: list[str] = []
        cards: list[Card] = []
        serials: dict[str, int] = {}
        alike: dict[frozenset[int], int] = {}
        for line, row in rows[1:]:
            card, fault = _read_line(row)
            if card is None:
                faults.append(f"{source}:{line}: {fault}")
                continue
            found = card_faults(card)
            if serials.setdefault(card.serial, line) != line:
                found.append(f"this serial stands on line {serials[card.serial]} already")
            if alike.setdefault(card.numbers, line) != line:
                found.append(f"the same numbers stand on line {alike[card.numbers]} already")
            faults += [f"{source}:{line}: card {card.serial}: {fault}" for fault in found]
            cards.append(card)
        if len(rows) == 1:
            faults.append(f"{source}: no cards")
        if faults:
            raise Unreadable("\n".join(faults))
        return cls(cards)

    @classmethod
    def load(cls, path: Path, read: Callable[[Path], bytes] = Path.read_bytes) -> Pack:
        """Reads a file. Raises `Unreadable` for one that is not there, not UTF-8, or faulty."""
        try:
            return cls.from_csv(read(path).decode("utf-8-sig"), path.name)
        except OSError as error:
            raise Unreadable(f"{path}: {error.strerror}; make a pack with ./loto pack make") from error
        except UnicodeDecodeError as error:
            raise Unreadable(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8 CSV") from error


def _read_line(row: Sequence[str]) -> tuple[Card | None, str]:
    if len(row) != len(HEADER):
        return None, f"{len(row) - 1} numbers instead of {CARD_LENGTH}"
    serial = row[0].strip()
    if not SERIAL.fullmatch(serial):
        return None, f"serial {serial!r} is not 1 to 32 letters, digits and hyphens"
    numbers = []
    for name, cell in zip(HEADER[1:], row[1:], strict=True):
        if not NUMBER.fullmatch(cell.strip()):
            return None, f"card {serial}: {name} is {cell!r}, not a number"
        numbers.append(int(cell))
    return Card(serial, tuple(tuple(numbers[start : start + ROW_LENGTH]) for start in range(0, CARD_LENGTH, ROW_LENGTH))), ""


def pack_faults(cards: Sequence[Card]) -> list[str]:
    """What is wrong with these cards as a pack, one sentence for each fault."""
    faults = [f"card {card.serial}: {fault}" for card in cards for fault in card_faults(card)]
    counted = Counter(card.serial for card in cards)
    faults += [f"serial {serial} stands {times} times" for serial, times in counted.items() if times > 1]
    seen: dict[frozenset[int], str] = {}
    for card in cards:
        first = seen.setdefault(card.numbers, card.serial)
        if first != card.serial:
            faults.append(f"card {card.serial} has the same numbers as card {first}")
    return faults if cards else ["a pack has at least one card"]


def make_pack(strips: int, chance: Chance | None = None, *, first: int = 1, progress: Progress | None = None) -> Pack:
    """A pack of `strips` strips, serials counted from `first`. Every column of every card has one to three numbers, ascending.

    All strips are valid, none is favoured on purpose; they are not drawn exactly uniformly over all possible strips.
    """
    chance = chance or Random()  # noqa: S311 - a pack is public; the draw is what must not be guessed
    cards: list[Card] = []
    seen: set[frozenset[int]] = set()
    width = max(4, len(str(first + strips * STRIP - 1)))
    while len(cards) < strips * STRIP:
        strip = [Card(f"{first + len(cards) + place:0{width}d}", rows) for place, rows in enumerate(make_strip(chance))]
        if seen.isdisjoint(card.numbers for card in strip):
            seen.update(card.numbers for card in strip)
            cards += strip
            if progress is not None:
                progress(len(cards) // STRIP, strips)
    return Pack(cards)


def make_strip(chance: Chance) -> list[tuple[tuple[int, ...], ...]]:
    """The rows of six cards that bear each number once."""
    counts = _deal_counts(chance)
    columns = [chance.sample(range(column.first, column.last + 1), column.last + 1 - column.first) for column in COLUMN_RANGES]
    return [
        _lay_out([[column.pop() for _ in range(n)] for column, n in zip(columns, card, strict=True)], chance) for card in counts
    ]


def _deal_counts(chance: Chance) -> list[list[int]]:
    """How many numbers each of the six cards has in each column: 1 to 3, fifteen a card, the whole column in the strip."""
    while True:
        counts = [[1] * COLUMNS for _ in range(STRIP)]
        room = [CARD_LENGTH - COLUMNS] * STRIP
        for column in chance.sample(range(COLUMNS), COLUMNS):
            spare = COLUMN_RANGES[column].last - COLUMN_RANGES[column].first + 1 - STRIP
            for _ in range(spare):
                open_cards = [card for card in range(STRIP) if room[card] and counts[card][column] < MOST_IN_COLUMN]
                if not open_cards:
                    break
                # Cards with more room are likelier, or the last columns would find none.
                card = max(open_cards, key=lambda card: room[card] + 3 * chance.random())
                counts[card][column] += 1
                room[card] -= 1
        if not any(room):
            return counts


def _lay_out(columns: list[list[int]], chance: Chance) -> tuple[tuple[int, ...], ...]:
    """Puts a card's columns on three rows of five, ascending downwards."""
    while True:
        places = [sorted(chance.sample(range(ROWS), len(column))) for column in columns]
        lengths = [sum(row in place for place in places) for row in range(ROWS)]
        if lengths == [ROW_LENGTH] * ROWS:
            break
    rows: list[list[int]] = [[], [], []]
    for place, column in zip(places, columns, strict=True):
        for row, number in zip(place, sorted(column), strict=True):
            rows[row].append(number)
    return tuple(tuple(row) for row in rows)


class Marks:
    """What is covered on every card in play, kept beside the game's state and derived from the numbers called.

    Args:
        cards: the cards in play by serial.
    """

    def __init__(self, cards: Mapping[str, Card]) -> None:
        self.serials = tuple(cards)
        numbers = np.array([card.rows for card in cards.values()], dtype=np.uint8).reshape(-1)
        # For each number, the rows (card * 3 + row) that bear it.
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(KNOBS + 2))
        self._rows_with = [order[starts[n] : starts[n + 1]] // ROW_LENGTH for n in range(KNOBS + 1)]
        self._wanting = np.full(len(self.serials) * ROWS, ROW_LENGTH, dtype=np.int8)

    def call(self, number: int) -> None:
        """A number is covered on every card that bears it."""
        self._wanting[self._rows_with[number]] -= 1

    def take_back(self, number: int) -> None:
        """The counters on a number are lifted again."""
        self._wanting[self._rows_with[number]] += 1

    def wanted(self, rows: int) -> npt.NDArray[np.int8]:
        """For each card, how many numbers it wants for its nearest `rows` rows."""
        by_card = np.sort(self._wanting.reshape(-1, ROWS), axis=1)
        wanted: npt.NDArray[np.int8] = by_card[:, :rows].sum(axis=1, dtype=np.int8)
        return wanted

    def near(self, rows: int, wanting: int = 1) -> int:
        """How many cards want exactly `wanting` numbers for `rows` rows."""
        return int(np.count_nonzero(self.wanted(rows) == wanting))

    def complete(self, rows: int) -> tuple[str, ...]:
        """The cards with at least `rows` full rows."""
        return tuple(self.serials[place] for place in np.flatnonzero(self.wanted(rows) == 0))
