"""Make packs of cards in strips of six, read them from CSV, check them; from 24 cards to a million.

A strip is six cards that bear each of the numbers 1 to 90 exactly once. A pack is any number of
strips, no two cards with the same fifteen numbers; with four strips, the parlour's 24 cards, each
number stands on exactly four cards.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Protocol

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.nouns import CARD_SERIAL, ROW_LENGTH, ROWS, Card, Columns, card_faults
from station.base.said import Sentence, said
from station.base.tongue import tr
from station.base.untrusted import file_bytes
from station.cards.card_arrays import STRIP, U8, are_cards, repeats
from station.cards.finding import Finder, read_alike
from station.cards.pack_files import CardsRead, Progress, read_cards
from station.cards.pack_layouts import PackLayout, write_cards
from station.cards.pack_sample import Wanted
from station.cards.pack_text import decode
from station.cards.serials import Numbering, is_keyed, numbering_of, series_of
from station.cards.strips import draw

AT_ONCE = 1 << 15  # strips drawn together
SERIES_NAME = re.compile(r"[^\W\d_]{1,12}")
LONGEST_CODE = 24  # with blanks or hyphens in it
CHANCES = 4  # numbers from 0 to 1 that make a seed: 53 bits each
MOST_BYTES = 1 << 28  # of a pack's file: four times what a million cards take
NO_CARDS = said(
    "this station has no cards of its own: make some with {loto} pack make --strips 4"
    " --plain, for the next night; tickets from elsewhere are sold with {loto} sell --tickets, and"
    " checked by their numbers"
)

# a seed, how many strips, the first one's place
Draw = Callable[[str, int, int], npt.NDArray[np.uint8]]


class RandomSource(Protocol):
    """A source of luck for a pack: `random.Random(seed)` or `secrets.SystemRandom()`."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""


def pack_bytes(path: Path) -> bytes:
    """Return the content of a pack's file; raises as `file_bytes`."""
    return file_bytes(path, MOST_BYTES)


class Pack:
    """Cards in the order of their serials, as arrays. Only `none`, the pack of a station without
    cards, is empty.

    Attributes:
        serials: one for each card, all different.
        numbers: uint8, shape (cards, 3, 5): the rows, left to right.
        columns: in which column of a card each number stands.
    """

    def __init__(self, cards: Iterable[Card]) -> None:
        """Make a pack of cards.

        Raises:
            Unreadable: cards are faulty or alike; the message names each.
        """
        listed = list(cards)
        if faults := pack_faults(listed):
            raise Unreadable("\n".join(faults))
        numbers = np.array([card.rows for card in listed], dtype=np.uint8)
        self._hold(tuple(card.serial for card in listed), numbers, listed[0].columns)

    @classmethod
    def of(cls, serials: Sequence[str], numbers: U8, columns: Columns = Columns.TENS_FIRST) -> Pack:
        """Make a pack of cards in arrays, checked as a whole and not card by card.

        Args:
            serials: one for each card.
            numbers: uint8, shape (cards, 3, 5).
            columns: in which column each number stands.

        Raises:
            Unreadable: names every card that is faulty or alike to another.
        """
        alone = len(set(serials)) == len(serials) == len(numbers) > 0
        sound = alone and all(map(CARD_SERIAL.fullmatch, serials))
        sound = sound and not read_alike(serials)
        if not sound or not are_cards(numbers, columns) or len(repeats(numbers)):
            # Slower, but every fault is named with its card.
            pairs = zip(serials, numbers.tolist(), strict=True)
            return cls(Card(serial, tuple(map(tuple, rows)), columns) for serial, rows in pairs)
        pack = cls.__new__(cls)
        pack._hold(tuple(serials), numbers, columns)
        return pack

    @classmethod
    def none(cls) -> Pack:
        """Return the empty pack: of a new station, or of a hall that plays with others' tickets."""
        pack = cls.__new__(cls)
        pack._hold((), np.zeros(0, np.uint8))
        return pack

    def _hold(
        self, serials: tuple[str, ...], numbers: U8, columns: Columns = Columns.TENS_FIRST
    ) -> None:
        self.serials = serials
        self.columns = columns
        self.numbers: U8 = numbers.reshape(-1, ROWS, ROW_LENGTH)

    def prepare(self) -> None:
        """Build the look-up of cards before players wait: for a million it takes a second."""
        _ = self._places
        self._finder.prepare()

    @cached_property
    def _places(self) -> dict[str, int]:
        return {serial: place for place, serial in enumerate(self.serials)}

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the pack as text, by which a pack is known."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def __len__(self) -> int:
        return len(self.serials)

    def __contains__(self, serial: object) -> bool:
        return serial in self._places

    def card(self, serial: str) -> Card:
        """Return a card by serial.

        Raises:
            KeyError: the pack has no such card.
        """
        rows = self.numbers[self._places[serial]].tolist()
        return Card(serial, tuple(tuple(row) for row in rows), self.columns)

    def cards(self) -> list[Card]:
        """Return all cards, in order."""
        return [self.card(serial) for serial in self.serials]

    def place(self, serial: str) -> int:
        """Return a card's place in the pack, from 0.

        Raises:
            KeyError: the pack has no such card.
        """
        return self._places[serial]

    def deck(self, places: npt.NDArray[np.int64]) -> Deck:
        """Return some of the cards.

        Args:
            places: int64, shape (cards,): where they stand in the pack, ascending.

        Raises:
            Unreadable: the pack has no such place, or the places do not ascend.
        """
        return Deck(self, places)

    @property
    def lacking(self) -> Sentence:
        """Return what to say of a card that is not in the pack: which cards there are, if any."""
        if not self.serials:
            return said("is not here: {no_cards}", no_cards=NO_CARDS)
        first, last = self.serials[0], self.serials[-1]
        return said("is not in this pack ({first} to {last})", first=first, last=last)

    def ranges(self, serials: Iterable[str]) -> list[tuple[str, str]]:
        """Return cards as ranges, first and last serial, in the pack's order.

        Raises:
            KeyError: one of them is not in the pack.
        """
        places = np.unique(np.fromiter((self._places[serial] for serial in serials), np.int64))
        runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
        return [(self.serials[run[0]], self.serials[run[-1]]) for run in runs if len(run)]

    def find(self, text: str, numbering: Numbering | None = None) -> str | None:
        """Return the serial that a person or a scanner means; None if it is no card of this pack,
        or may be several."""
        found = self.meant(text, numbering)
        return found[0] if len(found) == 1 else None

    def find_counted(self, text: str, numbering: Numbering | None = None) -> str | None:
        """Return the serial meant, as `find`, also without check characters."""
        found = self.meant(text, numbering, counted=True)
        return found[0] if len(found) == 1 else None

    def meant(
        self, text: str, numbering: Numbering | None = None, *, counted: bool = False
    ) -> list[str]:
        """Return the serials that a person or a scanner may mean: none if it is no card of this
        pack, several if more than one fits. This is the one look-up of cards by what is typed or
        scanned (`station.cards.finding`).

        Args:
            numbering: the pack's own, where its serials are keyed: the short codes are read by it.
            counted: check characters may be missing. For people who have the cards at hand, at a
                sale or at the printer. A claim needs them, for nobody can guess them.
        """
        if (typed := text.strip()) in self._places:
            return [typed]
        places = self._finder.places(typed)
        if not places and (serial := self._of_code(typed, numbering)) is not None:
            return [serial]
        if counted and not places:
            places = self._finder.counted(typed)
        return [self.serials[place] for place in places]

    @property
    def has_parts(self) -> bool:
        """Return whether serials have several parts, as `A 12 4`."""
        return self._finder.has_parts

    def find_parts(self, text: str, numbering: Numbering | None = None) -> str | None:
        """Return the one serial that a text means which has its parts, as `find`; a short code
        has none."""
        if (serial := self._of_code(text, numbering)) is not None:
            return serial
        places = self._finder.parts(text)
        return self.serials[places[0]] if len(places) == 1 else None

    def _of_code(self, typed: str, numbering: Numbering | None) -> str | None:
        """Return the serial whose short code it is."""
        # In the width of this pack's own serials: a number of seven digits may have widened all of
        # them.
        if numbering is None or len(typed) > LONGEST_CODE:
            return None
        own = numbering_of(self.serials, numbering.key)
        if own is None:
            return None
        try:
            serial = own.serial(own.number_of_short(typed.replace(" ", "").replace("-", "")))
        except Unreadable:
            return None
        return serial if serial in self._places else None

    @cached_property
    def _finder(self) -> Finder:
        keyed = {series_of(serial) for serial in self.serials if is_keyed(serial)}
        return Finder(self.serials, keyed)

    @cached_property
    def series(self) -> dict[str, int]:
        """Return how many cards each series has: the letters before a serial's number, if any."""
        return dict(Counter(map(series_of, self.serials)))

    def to_csv(self) -> str:
        """Return the pack as text, from which its digest is made."""
        return self.to_bytes().decode()

    def to_bytes(self, layout: PackLayout = PackLayout.NUMBERS) -> bytes:
        """Return the pack as a file's bytes; for the layouts see `station.cards.pack_layouts`."""
        return write_cards(self.serials, self.numbers, layout, self.columns)

    @classmethod
    def from_csv(
        cls,
        text: str,
        source: str = "cards",
        wanted: Wanted | None = None,
        progress: Progress | None = None,
    ) -> Pack:
        """Read what `to_bytes` writes, and printed series (`station.cards.pack_files`), or nothing.

        Raises:
            Unreadable: names every fault with its line.
        """
        return cls.from_read(read_cards(text, source, wanted, progress))

    @classmethod
    def from_copy(cls, text: str) -> Pack:
        """Read what `to_csv` wrote for a night, also of a station without cards."""
        none = cls.none()
        return none if text == none.to_csv() else cls.from_csv(text)

    @classmethod
    def load(
        cls,
        path: Path,
        read: Callable[[Path], bytes] = pack_bytes,
        wanted: Wanted | None = None,
        progress: Progress | None = None,
    ) -> Pack:
        """Read a pack's file.

        Raises:
            Unreadable: it is not there, not text, or faulty.
        """
        return cls.from_read(load_cards(path, read, wanted, progress))

    @classmethod
    def from_read(cls, read: CardsRead) -> Pack:
        """Return the pack of cards that were read, and checked, from a file."""
        pack = cls.__new__(cls)
        pack._hold(tuple(read.serials), read.numbers, read.columns)
        return pack


class Deck(Mapping[str, Card]):
    """Some cards of a pack, by serial and in its order: those in play.

    A card is made only when it is asked for, so a million cost little.

    Attributes:
        pack: the pack they are of.
        places: int64, shape (cards,): where they stand in the pack, ascending.
    """

    def __init__(self, pack: Pack, places: npt.NDArray[np.int64]) -> None:
        """Take the cards at these places.

        Raises:
            Unreadable: the pack has no such place, or the places do not ascend.
        """
        inside = not len(places) or (places[0] >= 0 and places[-1] < len(pack))
        if not inside or (np.diff(places) <= 0).any():
            raise Unreadable(
                tr(
                    "places of cards ascend, from 0 to {most} at most: sort them, each once",
                    most=len(pack) - 1,
                )
            )
        self.pack = pack
        self.places = places

    @cached_property
    def serials(self) -> tuple[str, ...]:
        """Return the serial of each card."""
        return tuple(map(self.pack.serials.__getitem__, self.places.tolist()))

    @cached_property
    def numbers(self) -> U8:
        """Return the rows of the cards, left to right: uint8, shape (cards, 3, 5)."""
        return self.pack.numbers[self.places]

    def highest(self) -> int:
        """Return the highest number on any card; 0 without cards."""
        return int(self.numbers.max(initial=0))

    def _at(self, place: int) -> bool:
        at = int(np.searchsorted(self.places, place))
        return at < len(self.places) and int(self.places[at]) == place

    def __contains__(self, serial: object) -> bool:
        return isinstance(serial, str) and serial in self.pack and self._at(self.pack.place(serial))

    def __getitem__(self, serial: str) -> Card:
        """Return a card by serial.

        Raises:
            KeyError: it is not in the deck.
        """
        if serial not in self:
            raise KeyError(serial)
        return self.pack.card(serial)

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[str]:
        return iter(self.serials)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deck):
            return super().__eq__(other)
        if self.pack is other.pack:
            return np.array_equal(self.places, other.places)
        return self.serials == other.serials and np.array_equal(self.numbers, other.numbers)

    def __hash__(self) -> int:
        return hash(self.serials)


def load_cards(
    path: Path,
    read: Callable[[Path], bytes] = pack_bytes,
    wanted: Wanted | None = None,
    progress: Progress | None = None,
) -> CardsRead:
    """Return the cards of a file, and how they were read.

    Raises:
        Unreadable: it is not there, not text, or faulty.
    """
    try:
        data = read(path)
    except OSError as error:
        advice = tr("make a pack with ./loto pack make")
        raise Unreadable(f"{path}: {error.strerror}; {advice}") from error
    except Unreadable as error:
        raise Unreadable(f"{path.name}: {error}") from error
    return read_cards(decode(data, path.name), path.name, wanted, progress)


def named(pack: Pack, series: str) -> Pack:
    """Return a pack whose cards are named by a series: `B 0017`.

    Raises:
        Unreadable: the series is not a few letters.
    """
    if not SERIES_NAME.fullmatch(series):
        raise Unreadable(
            tr(
                ("series {series!r} cannot be used: use 1 to 12 letters, for example B or Blue"),
                series=series,
            )
        )
    return Pack.of([f"{series} {serial}" for serial in pack.serials], pack.numbers, pack.columns)


def beside(pack: Pack, other: Pack) -> Pack:
    """Return a pack with the cards of another one behind its own.

    Raises:
        Unreadable: the columns of the cards differ, or cards of the two are alike.
    """
    if pack.columns is not other.columns:
        raise Unreadable(
            tr(
                (
                    "the columns of these cards are {columns}, those of the pack in use "
                    "are {others}: use the two packs on different nights"
                ),
                columns=other.columns,
                others=pack.columns,
            )
        )
    serials = (*pack.serials, *other.serials)
    numbers = np.concatenate((pack.numbers, other.numbers))
    if len(twice := repeats(numbers)):
        alike = np.sort(numbers.reshape(len(numbers), -1), axis=1)
        first = int(np.flatnonzero((alike == alike[twice[0]]).all(axis=1))[0])
        raise Unreadable(
            tr(
                (
                    "{count} cards have the same numbers as another card, for example "
                    "{card} and {other}: each card may be in a pack once"
                ),
                count=len(twice),
                card=serials[twice[0]],
                other=serials[first],
            )
        )
    return Pack.of(serials, numbers, pack.columns)


def are_distinct(pack: Pack, serials: Sequence[str]) -> bool:
    """Return whether nobody who says one of these serials may mean a card of the pack."""
    return not any(map(pack.meant, serials)) and not read_alike([*pack.serials, *serials])


def pack_faults(cards: Sequence[Card]) -> list[str]:
    """Return what is wrong with these cards as a pack, one sentence for each fault."""
    faults = [
        f"{tr('card {serial}', serial=card.serial)}: {fault}"
        for card in cards
        for fault in card_faults(card)
    ]
    counted = Counter(card.serial for card in cards)
    twice = ((serial, times) for serial, times in counted.items() if times > 1)
    faults += [
        tr("serial {serial} stands {times} times", serial=serial, times=times)
        for serial, times in twice
    ]
    for before, *more in read_alike([card.serial for card in cards]):
        faults += [
            tr(
                "card {serial} reads the same as card {other}",
                serial=cards[place].serial,
                other=cards[before].serial,
            )
            for place in more
        ]
    seen: dict[frozenset[int], str] = {}
    for card in cards:
        first = seen.setdefault(card.numbers, card.serial)
        if first != card.serial:
            faults.append(
                tr(
                    "card {serial} has the same numbers as card {other}",
                    serial=card.serial,
                    other=first,
                )
            )
    return faults if cards else [tr("a pack has at least one card")]


def make_pack(strips: int, chance: RandomSource | None = None, *, first: int = 1) -> Pack:
    """Make a pack of `strips` strips, with serials counted from `first`.

    The strips are drawn exactly evenly over all there are, from a seed that `chance` gives. Every
    column of every card has one to three numbers, ascending.
    """
    chance = chance or Random()  # noqa: S311 - a pack is public; the draw is what must not be guessed
    seed = " ".join(chance.random().hex() for _ in range(CHANCES))
    return draw_pack(strips, seed, first=first)


def draw_pack(
    strips: int,
    seed: str,
    numbering: Numbering | None = None,
    *,
    first: int = 1,
    progress: Progress | None = None,
) -> Pack:
    """Make a pack of any size from the strips that `seed` stands for.

    Args:
        seed: the same seed gives the same cards again, with the same version of
            `station.cards.strips`.
        numbering: gives serials that cannot be guessed; without it they are the numbers alone. They
            count from `first`.

    Raises:
        Unreadable: no strips, or numbers that `numbering` cannot hold.
    """
    if numbering is not None:
        # Checked before a million cards are drawn.
        numbering.check_range(first, strips * STRIP)
    numbers = draw_numbers(strips, seed, progress=progress)
    if numbering is not None:
        return Pack.of(numbering.serials(first, len(numbers)), numbers)
    width = max(4, len(str(first + len(numbers) - 1)))
    return Pack.of([f"{first + place:0{width}d}" for place in range(len(numbers))], numbers)


def draw_numbers(strips: int, seed: str, progress: Progress | None = None, draw: Draw = draw) -> U8:
    """Draw the cards of the first `strips` strips of a seed that repeat no earlier card.

    A strip with such a card is passed over, and the seed's next one taken.

    Returns:
        uint8, shape (cards, 3, 5).
    """
    if strips < 1:
        raise Unreadable(tr("a pack of {strips} strips; it has one at least", strips=strips))
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
