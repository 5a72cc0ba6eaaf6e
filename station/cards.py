"""Packs of cards: made in strips of six, read from CSV, checked; a parlour's 24 or a million.

A strip is six cards that bear each of the numbers 1 to 90 exactly once. A pack is any number of strips, no two cards with the
same fifteen numbers; with four strips, the parlour's 24 cards, each number stands on exactly four cards.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Protocol

import numpy as np
import numpy.typing as npt

from station.errors import Unreadable
from station.serials import Numbering
from station.strips import draw
from station.table import CARD_LENGTH, KNOBS, NUMBER, ROW_LENGTH, ROWS, SERIAL, Card, card_faults, column_of

STRIP = 6
AT_ONCE = 1 << 15  # cards written, or strips drawn, together
COLUMN_OF = np.array([column_of(number) for number in range(KNOBS + 1)], np.uint8)
MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits without order: like words are rare
CHANCES = 4  # numbers from 0 to 1 that make a seed: 53 bits each
HEADER = ("serial", *(f"r{row}n{place}" for row in range(1, ROWS + 1) for place in range(1, ROW_LENGTH + 1)))

Progress = Callable[[int, int], None]
Draw = Callable[[str, int, int], npt.NDArray[np.uint8]]  # a seed, how many strips, the first one's place
U8 = npt.NDArray[np.uint8]


class Chance(Protocol):
    """Where a pack's luck comes from: `random.Random(seed)` or `secrets.SystemRandom()`."""

    def random(self) -> float:
        """From 0 up to 1."""


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
        self._hold(tuple(card.serial for card in listed), np.array([card.rows for card in listed], dtype=np.uint8))

    @classmethod
    def of(cls, serials: Sequence[str], numbers: U8) -> Pack:
        """A pack of cards in arrays, checked as every pack is, without a look at each by itself.

        Args:
            serials: one for each card.
            numbers: uint8, shape (cards, 3, 5).

        Raises:
            Unreadable: names every card that is faulty or alike to another.
        """
        sound = len(set(serials)) == len(serials) == len(numbers) > 0 and all(map(SERIAL.fullmatch, serials))
        if not sound or not are_cards(numbers) or len(repeats(numbers)):
            # Slower, and every fault has its card's name.
            rows = numbers.tolist()
            return cls(Card(serial, tuple(map(tuple, card))) for serial, card in zip(serials, rows, strict=True))
        pack = cls.__new__(cls)
        pack._hold(tuple(serials), numbers)
        return pack

    def _hold(self, serials: tuple[str, ...], numbers: U8) -> None:
        self.serials = serials
        self.numbers: U8 = numbers.reshape(-1, ROWS, ROW_LENGTH)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {serial: place for place, serial in enumerate(self.serials)}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the pack as text: what a pack is known by."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

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
        return self.to_bytes().decode("ascii")

    def to_bytes(self) -> bytes:
        """The same, as a file holds it: a header, then a serial and fifteen numbers a line."""
        longest = max(map(len, self.serials))
        cells = np.frombuffer(b"".join(b",%d" % n if n > 9 else b",%d\0" % n for n in range(KNOBS + 1)).ljust(3, b"\0"), np.uint8)
        cells = cells.reshape(-1, 3)
        parts = [",".join(HEADER).encode() + b"\n"]
        for first in range(0, len(self), AT_ONCE):
            serials = np.array(self.serials[first : first + AT_ONCE], dtype=f"S{longest}")
            lines = np.full((len(serials), longest + 3 * CARD_LENGTH + 1), ord("\n"), np.uint8)
            lines[:, :longest] = serials.view(np.uint8).reshape(-1, longest)
            numbers = self.numbers[first : first + AT_ONCE].reshape(-1)
            lines[:, longest:-1] = cells.take(numbers, axis=0).reshape(-1, 3 * CARD_LENGTH)
            # Short serials and numbers leave zero bytes behind.
            flat = lines.reshape(-1)
            parts.append(flat.take(np.flatnonzero(flat != 0)).tobytes())
        return b"".join(parts)

    @classmethod
    def from_csv(cls, text: str, source: str = "cards") -> Pack:
        """Reads what `to_csv` writes: a header, then a serial and fifteen numbers a line, row by row. All or nothing.

        Raises:
            Unreadable: names every fault with its line.
        """
        quick = _read_plain(text)
        if quick is not None and len(set(quick[0])) == len(quick[0]) and are_cards(quick[1]) and not len(repeats(quick[1])):
            pack = cls.__new__(cls)
            pack._hold(tuple(quick[0]), quick[1])
            return pack
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


def _read_plain(text: str) -> tuple[list[str], U8] | None:
    """Serials and numbers of a text that is just as `to_csv` writes it; None for any other, which is read line by line."""
    head = ",".join(HEADER) + "\n"
    if not text.startswith(head) or not text.endswith("\n") or not text.isascii() or len(text) == len(head):
        return None
    body = np.frombuffer(text.encode("ascii"), np.uint8)[len(head) :]
    stops: npt.NDArray[np.int64] = np.flatnonzero((body == ord(",")) | (body == ord("\n")))
    if len(stops) % len(HEADER):
        return None
    ends = body[stops := stops.reshape(-1, len(HEADER))]
    if not ((ends[:, :-1] == ord(",")).all() and (ends[:, -1] == ord("\n")).all()):
        return None
    lengths = np.diff(stops, axis=1) - 1
    last = body[stops[:, 1:] - 1]
    before = body[stops[:, 1:] - 2]
    two = lengths == 2
    good = (last >= ord("0")) & (last <= ord("9")) & (lengths <= 2)
    good &= ~two | ((before >= ord("0")) & (before <= ord("9")))
    if not good.all():
        return None
    numbers = (last - ord("0")) + np.where(two, before - ord("0"), 0).astype(np.uint8) * np.uint8(10)
    starts = np.concatenate(([0], stops[:-1, -1] + 1)) + len(head)
    serials = [text[start:stop] for start, stop in zip(starts.tolist(), (stops[:, 0] + len(head)).tolist(), strict=True)]
    if not all(map(SERIAL.fullmatch, serials)):
        return None
    return serials, numbers.astype(np.uint8).reshape(-1, ROWS, ROW_LENGTH)


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


def are_cards(numbers: U8) -> bool:
    """Whether all are cards: 1 to 90, no number twice on one, each row in the order of its columns.

    Args:
        numbers: uint8, shape (cards, 3, 5).
    """
    if not ((numbers >= 1) & (numbers <= KNOBS)).all():
        return False
    columns = COLUMN_OF.take(numbers)
    in_order = (columns[..., 1:] > columns[..., :-1]).all()
    ordered = np.sort(numbers.reshape(-1, CARD_LENGTH), axis=1)
    return bool(in_order and (ordered[:, 1:] > ordered[:, :-1]).all())


def repeats(numbers: U8) -> npt.NDArray[np.int64]:
    """The places of cards with the same fifteen numbers as an earlier one, ascending.

    Args:
        numbers: uint8, shape (cards, 3, 5).
    """
    ordered = np.zeros((len(numbers), 16), np.uint8)
    ordered[:, :CARD_LENGTH] = np.sort(numbers.reshape(-1, CARD_LENGTH), axis=1)
    words = ordered.view(np.uint64)
    mixed = words[:, 0] * MIX ^ words[:, 1]
    in_order = np.sort(mixed)
    if not (in_order[1:] == in_order[:-1]).any():
        return np.zeros(0, np.int64)
    # What is mixed alike may yet differ.
    _, first = np.unique(words, axis=0, return_index=True)
    return np.setdiff1d(np.arange(len(numbers)), first)


def make_pack(strips: int, chance: Chance | None = None, *, first: int = 1, progress: Progress | None = None) -> Pack:
    """A pack of `strips` strips, serials counted from `first`. Every column of every card has one to three numbers, ascending.

    The strips are drawn exactly evenly over all there are, from a seed that `chance` gives.
    """
    chance = chance or Random()  # noqa: S311 - a pack is public; the draw is what must not be guessed
    seed = " ".join(chance.random().hex() for _ in range(CHANCES))
    numbers = draw_numbers(strips, seed, progress=progress)
    width = max(4, len(str(first + strips * STRIP - 1)))
    return Pack.of([f"{first + place:0{width}d}" for place in range(len(numbers))], numbers)


def draw_pack(strips: int, seed: str, numbering: Numbering, *, first: int = 1, progress: Progress | None = None) -> Pack:
    """A pack of any size: the strips that `seed` stands for, with serials that cannot be guessed.

    Args:
        seed: the same one gives the same cards again, with the same version of `station.strips`.
        numbering: gives the serials; numbers count from `first`.

    Raises:
        Unreadable: no strips, or numbers that `numbering` cannot hold.
    """
    numbers = draw_numbers(strips, seed, progress=progress)
    return Pack.of(numbering.serials(first, len(numbers)), numbers)


def draw_numbers(strips: int, seed: str, *, progress: Progress | None = None, draw: Draw = draw) -> U8:
    """The cards of the first `strips` strips of a seed without a card that was there before.

    A strip with such a card is passed over, and the seed's next one taken.

    Returns:
        uint8, shape (cards, 3, 5).
    """
    if strips < 1:
        raise Unreadable(f"a pack of {strips} strips; it has one at least")
    made = np.empty((0, STRIP, ROWS, ROW_LENGTH), np.uint8)
    drawn = 0
    while len(made) < strips:
        lacking = strips - len(made)
        parts = []
        for start in range(0, lacking, AT_ONCE):
            parts.append(draw(seed, min(AT_ONCE, lacking - start), drawn + start))
            if progress is not None:
                progress(len(made) + start + len(parts[-1]), strips)
        drawn += lacking
        made = np.concatenate((made, *parts))
        made = np.delete(made, repeats(made.reshape(-1, ROWS, ROW_LENGTH)) // STRIP, axis=0)
    return made.reshape(-1, ROWS, ROW_LENGTH)
