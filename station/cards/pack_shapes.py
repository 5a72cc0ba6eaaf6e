"""Find out which columns of a file of cards have the serials, and which the numbers.

The column of serials is known by its name, in the languages of halls and data tools, where it has
one. A sample of the lines is read in every way in which a serial and the numbers of a layout
(`station.cards.pack_layouts`) can stand in its columns. A way fits when cards come of it, and that
is hard to meet by luck: fifteen different numbers, each row in the order of its columns. Where two
ways fit the person is asked; nothing is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS, Columns, either_of, number_list
from station.base.tongue import tr
from station.cards.card_arrays import faulty
from station.cards.pack_cells import NOTHING, fold_name, number_in, text_of
from station.cards.pack_layouts import LAYOUTS, SERIALS, PackLayout, gathered
from station.cards.pack_sample import MOST_NAMES, PackSample, quoted

# Names of the column of serials, the surest first; as `fold_name` writes them.
_SURE = frozenset(
    {"seriennummer", "serienummer", "numerodeserie", "numerodiserie", "numserie"}
    | {"serial", "serialno", "serialnumber", "serialnr", "serialnum", "serialid", "seri"}
)
_CARDS = (
    *("ticket", "card", "perm", "cartella", "cartone", "tessera", "carton", "cartao", "cartela"),
    *(
        "kart",
        "karten",
        "kartela",
        "karte",
        "los",
        "schein",
        "blatt",
        "grille",
        "kaart",
        "boleto",
        "strip",
    ),
    *("bingocard", "bilet", "билет", "карточка", "карта", "टिकट", "कार्ड"),
)
_ENDS = (
    *("", "id", "no", "nr", "n", "num", "nro", "number", "nummer", "numero", "code", "serial"),
    *("ref", "номер", "संख्या"),
)
_CARD_NAMES = frozenset(
    name for card in _CARDS for end in _ENDS for name in (card + end, end + card, f"{end}de{card}")
)
_LOOSE = frozenset(
    {
        *("id", "code", "codice", "codigo", "nr", "no", "n", "num", "nro", "number", "numero"),
        *("nummer", "номер", "संख्या", "ref", "reference", "key", "name", "barcode", "uid"),
        *("uuid", "label", "cid", "tid"),
    }
)
_INDEX = frozenset({"", "unnamed0", "index", "level0"})
RANKS = 3


def rank_of(name: str) -> int:
    """Return how surely a column of this name has the serials: 0 surely, 2 perhaps, 3 hardly."""
    folded = fold_name(name)
    if folded in _SURE or name in SERIALS.values():
        return 0
    return 1 if folded in _CARD_NAMES else 2 if folded in _LOOSE else RANKS


def names_index(name: str) -> bool:
    """Return whether data tools give this name to a column that only counts the lines."""
    return fold_name(name) in _INDEX


# -- the shapes that fit ---------------------------------------------------------------------------

I16 = npt.NDArray[np.int16]
FITS = 0.5  # of the sample's cards must be good: the others' faults are told line by line
LAST = 0.9


@dataclass(frozen=True)
class Shape:
    """Where a file has what.

    Attributes:
        layout: how a card's lines are laid out.
        serial: the column of the serials.
        numbers: the columns of the numbers.
        row: the column that says which row of a card a line is; None for none.
        together: the columns in whose cells several numbers stand, and how many.
        width: columns of a line, counted after cells with several numbers were parted.
        skip: lines before the first card: titles and a header.
        header: the header's cells; empty without one.
        blanks: the signs of a cell without a number.
        columns: how the numbers stand in the columns; None to find out.
        left_out: the names of the other columns.
        named: the name of the column of the serials; empty where it has none.
    """

    layout: PackLayout
    serial: int
    numbers: tuple[int, ...]
    row: int | None
    together: dict[int, int]
    width: int
    skip: int
    header: tuple[str, ...]
    blanks: frozenset[str]
    columns: Columns | None = None
    left_out: tuple[str, ...] = ()
    named: str = ""


@dataclass
class FileLook(PackSample):
    """A look at a sample: which ways of reading it fit."""

    @cached_property
    def _left_out(self) -> frozenset[int]:
        wanted = [
            name for text in self.wanted.leave_out for name in text.split(",") if name.strip()
        ]
        return frozenset(self.place(name, "--leave-out") for name in wanted)

    @cached_property
    def _asked_serial(self) -> int | None:
        if self.wanted.serial_column is None:
            return None
        return self.place(self.wanted.serial_column, "--serial-column")

    # -- ways to read it ---------------------------------------------------------------------------

    @cached_property
    def _values(self) -> I16:
        """Return the cells as numbers, 0 for blanks, -1 for others: shape (lines, width)."""
        values = np.zeros((len(self.rows), self.width), np.int16)
        for line, row in enumerate(self.rows):
            for place, cell in enumerate(row[: self.width]):
                values[line, place] = min(number_in(cell, self.blanks), 1000)
        return values

    @cached_property
    def shapes(self) -> list[tuple[float, Shape]]:
        """Return the ways that fit, each with the part of the sample's cards that are good."""
        asked = [self.wanted.layout] if self.wanted.layout is not None else [*PackLayout]
        for layout in sorted(asked, key=lambda one: -one.numbers):
            found = [*self._fitting(layout)]
            if found:
                best = max(share for share, _, _ in found)
                blocks = {block: strange for share, block, strange in found if share == best}
                return [(best, self._shape(layout, [*blocks], blocks))]
        return []

    def _fitting(
        self, layout: PackLayout
    ) -> Iterator[tuple[float, tuple[int, ...], frozenset[str]]]:
        """Yield the blocks of columns that have the numbers of a layout."""
        values, strange = self._values, self._strange
        there = (values >= 0) if not layout.has_blanks else (values >= 0) | self._is_strange
        wanted = values > 0 if not layout.has_blanks else there
        likely = wanted.mean(axis=0) >= FITS if len(values) else np.zeros(self.width, bool)
        if layout.lines == ROWS and likely.sum() >= 2 * layout.numbers:
            return  # a piece of something wider
        for block in self._blocks(layout, likely):
            cards = self._cards(layout, block)
            if not len(cards):
                continue
            systems = [*Columns] if self._standing is None else [self._standing]
            share = max(_good(layout, cards, columns) for columns in systems)
            if share >= FITS:
                yield share, block, strange if layout.has_blanks else frozenset()

    @cached_property
    def _strange(self) -> frozenset[str]:
        """Return the one text that stands for a blank in every line but is no known sign of it."""
        counted = Counter(
            text_of(cell).casefold()
            for row in self.rows
            for cell in {text_of(cell).casefold() for cell in row}
            if number_in(cell, self.blanks) == NOTHING and not any(map(str.isdigit, cell))
        )
        every = [text for text, many in counted.items() if many == len(self.rows) > 0]
        often = [text for text in every if self._count(text) >= 2 * len(self.rows)]
        return frozenset(often) if len(often) == 1 else frozenset()

    def _count(self, text: str) -> int:
        return sum(text_of(cell).casefold() == text for row in self.rows for cell in row)

    @cached_property
    def _is_strange(self) -> npt.NDArray[np.bool_]:
        found = np.zeros(self._values.shape, np.bool_)
        for line, row in enumerate(self.rows):
            for place, cell in enumerate(row[: self.width]):
                found[line, place] = text_of(cell).casefold() in self._strange
        return found

    def _blocks(
        self, layout: PackLayout, likely: npt.NDArray[np.bool_]
    ) -> Iterator[tuple[int, ...]]:
        """Yield runs of likely columns; a column of serials may stand among them if it is named."""
        gaps = {self._asked_serial} if self._asked_serial is not None else self._named_serials()
        ways = [[at for at in range(self.width) if at not in self._left_out]]
        if self._asked_serial is not None:
            ways[0] = [at for at in ways[0] if at != self._asked_serial]
        else:
            ways = [[at for at in ways[0] if at != gap] for gap in gaps] or ways
        seen = set()
        for columns in ways:
            for start in range(len(columns) - layout.numbers + 1):
                block = tuple(columns[start : start + layout.numbers])
                if block not in seen and likely[[*block]].all() and self._rest_right(block):
                    seen.add(block)
                    yield block

    def _rest_right(self, block: tuple[int, ...]) -> bool:
        """Return whether the columns beside a block can be left out without being told: they have
        a name, or stand empty or full in every line."""
        taken = {*block, *self._left_out}
        rest = [at for at in range(self.width) if at not in taken]
        for at in rest:
            full = sum(at < len(row) and bool(row[at]) for row in self.rows)
            if not self.names[at] and full not in (0, len(self.rows)) and at > max(block):
                return False
        return bool(rest)

    def _cards(self, layout: PackLayout, block: tuple[int, ...]) -> I16:
        """Return the cells of whole cards: shape (cards, cells); faulty ones are negative."""
        some = self._values[:, [*block]]
        if layout.has_blanks:
            some = np.where(self._is_strange[:, [*block]], 0, some)
        if layout.lines == 1:
            return some
        groups = max(
            (self._groups(at) for at in self._rest(block)),
            key=lambda found: sum(len(lines) == ROWS for lines in found),
            default=[],
        )
        cells = [
            some[lines].reshape(-1)
            if len(lines) == ROWS
            else np.full(ROWS * layout.numbers, NOTHING, np.int16)
            for lines in groups
        ]
        return np.array(cells, np.int16).reshape(-1, ROWS * layout.numbers)

    def _rest(self, block: Sequence[int]) -> list[int]:
        if self._asked_serial is not None:
            return [self._asked_serial]
        taken = {*block, *self._left_out}
        return [at for at in range(self.width) if at not in taken]

    def _groups(self, at: int) -> list[list[int]]:
        """Return the lines of each card, where its serial stands on each line or on the first."""
        groups: list[list[int]] = []
        serial = ""
        for line, row in enumerate(self.rows):
            told = row[at] if at < len(row) else ""
            if not groups or len(groups[-1]) == ROWS or told not in ("", serial):
                groups.append([])
                serial = told
            groups[-1].append(line)
        if len(groups) > 1 and len(groups[-1]) < ROWS:
            del groups[-1]
        return groups

    # -- which it is -------------------------------------------------------------------------------

    def _shape(
        self,
        layout: PackLayout,
        blocks: Sequence[tuple[int, ...]],
        strange: dict[tuple[int, ...], frozenset[str]],
    ) -> Shape:
        block = blocks[0]
        if any(set(block).isdisjoint(other) for other in blocks):
            why = tr(
                "{seen}. Each line holds several cards: put every card on a line of its own.",
                seen=self._seen(None, ()),
            )
            raise Unreadable(f"{self.source}:{self.lines[0]}: {why}")
        if len(blocks) > 1:
            ways = [tr("{first} to {last}", first=one[0] + 1, last=one[-1] + 1) for one in blocks]
            why = tr(
                (
                    "{seen}. The numbers may be in columns {ways}: leave out the others "
                    "with --leave-out."
                ),
                seen=self._seen(layout, block),
                ways=either_of(ways),
            )
            raise Unreadable(f"{self.source}:{self.lines[0]}: {why}")
        serial = self._serial_of(layout, block)
        self._check_order(layout, block)
        rest = [at for at in range(self.width) if at not in {*block, serial}]
        full = [at for at in rest if any(at < len(row) and row[at] for row in self.rows)]
        return Shape(
            layout=layout,
            serial=serial,
            numbers=block,
            row=self._row_column(layout, block, serial),
            together=self.together,
            width=self.width,
            skip=self.skip,
            header=self.header,
            blanks=self.blanks | strange[block],
            columns=self._standing,
            left_out=tuple(map(self.name_of, full)),
            named=self.names[serial],
        )

    def _check_order(self, layout: PackLayout, block: Sequence[int]) -> None:
        """Check the order of our own column names, so that no number is read to a wrong row.

        Raises:
            Unreadable: the names stand in another order.
        """
        names = [self.names[at].casefold() for at in block]
        if sorted(names) == sorted(layout.header[1:]) and names != [*layout.header[1:]]:
            order = ",".join(layout.header)
            why = tr("the columns must stand in the order {order}", order=order)
            raise Unreadable(f"{self.source}:{self.sample[self.skip - 1][0]}: {why}")

    @property
    def _standing(self) -> Columns | None:
        """Return how the numbers stand in the columns, where the person or the header says so."""
        named = [columns for columns, name in SERIALS.items() if name in self.names]
        return self.wanted.columns or (Columns.TENS_LAST if Columns.TENS_LAST in named else None)

    def _serial_of(self, layout: PackLayout, block: tuple[int, ...]) -> int:
        """Return the column of the serials.

        Raises:
            Unreadable: it may be one of several.
        """
        rest = self._rest(block)
        if len(rest) == 1:
            return rest[0]
        if layout.lines == ROWS:
            whole = [at for at in rest if all(len(one) == ROWS for one in self._groups(at)[:-1])]
            rest = whole or rest
        ranked = [rank_of(self.names[at]) for at in rest]
        for rank in range(RANKS):
            named = [at for at, one in zip(rest, ranked, strict=True) if one == rank]
            if len(named) == 1:
                return named[0]
            if named:
                rest = named
                break
        alone = [at for at in rest if self._each_once(layout, at)]
        if len(alone) > 1:
            alone = [at for at in alone if not self._is_index(at)] or alone
        if len(alone) == 1:
            return alone[0]
        among = [self.name_of(at) for at in alone or rest]
        why = tr(
            ("{seen}. The serials may be in {columns}: choose with --serial-column {name}"),
            seen=self._seen(layout, block),
            columns=either_of(among),
            name=quoted(self.names[(alone or rest)[-1]] or str((alone or rest)[-1] + 1)),
        )
        raise Unreadable(f"{self.source}:{self.lines[0]}: {why}")

    def _named_serials(self) -> set[int]:
        ranks = {at: rank_of(self.names[at]) for at in range(self.width) if self.names[at]}
        best = min(ranks.values(), default=RANKS)
        return {at for at, rank in ranks.items() if rank == best < RANKS}

    def _each_once(self, layout: PackLayout, at: int) -> bool:
        """Return whether every card of the sample has another text in a column, and none is
        blank."""
        if layout.lines == 1:
            told = [row[at] if at < len(row) else "" for row in self.rows]
        else:
            told = [self.rows[lines[0]][at] for lines in self._groups(at)]
        return "" not in told and len({*told}) == len(told)

    def _is_index(self, at: int) -> bool:
        """Return whether a column only counts the lines, as data tools add one."""
        told = [row[at] if at < len(row) else "" for row in self.rows]
        return (
            names_index(self.names[at])
            and bool(self.header)
            and told == [*map(str, range(len(told)))]
        )

    def _row_column(self, layout: PackLayout, block: Sequence[int], serial: int) -> int | None:
        """Return the column that counts a card's rows, in whatever order they stand."""
        if layout.lines == 1:
            return None
        groups = [lines for lines in self._groups(serial) if len(lines) == ROWS]
        for at in self._rest(block):
            if at == serial:
                continue
            told = {
                tuple(sorted(self.rows[line][at] for line in lines if at < len(self.rows[line])))
                for lines in groups
            }
            if (
                len(told) == 1
                and len({*next(iter(told))}) == ROWS
                and (all(len(one) == 1 for one in next(iter(told))))
            ):
                return at
        return None

    # -- what was seen -----------------------------------------------------------------------------

    def by_width(self) -> Shape:
        """Return the layout that the header's width names, or that of the lines, so that every
        fault can be told with its line.

        Raises:
            Unreadable: no layout has that width; the message has what was seen, and what to type.
        """
        if self._values.size and self._in_order():
            raise self._no_layout()
        left = [at for at in range(self.width) if at not in self._left_out]
        while (
            left
            and LAYOUTS.get(len(left)) is None
            and not any(left[-1] < len(row) and row[left[-1]] for row in self.rows)
        ):
            left.pop()
        layout = LAYOUTS.get(len(left))
        if layout is None or self.wanted.layout not in (None, layout):
            raise self._no_layout()
        named = [at for at in sorted(self._named_serials()) if at in left]
        serial = self._asked_serial if self._asked_serial is not None else (named or left)[0]
        numbers = tuple(at for at in left if at != serial)
        self._check_order(layout, numbers)
        return Shape(
            layout=layout,
            serial=serial,
            numbers=numbers,
            row=None,
            together=self.together,
            width=self.width,
            skip=self.skip,
            header=self.header,
            blanks=self.blanks,
            columns=self._standing,
        )

    def _no_layout(self) -> Unreadable:
        if self._values.size and self._in_order():
            why = tr(
                (
                    "{seen}. The 15 numbers are sorted, so the rows cannot be told apart: "
                    "get a file that lists them row by row."
                ),
                seen=self._seen(None, ()),
            )
        else:
            why = tr(
                (
                    "{seen}. No card can be read: a card needs a serial and 15 numbers or "
                    "27 cells on one line, or a serial and 5 numbers or 9 cells on each of "
                    "three lines. Use --leave-out for other columns, --serial-column for "
                    "the serials, --layout for the layout."
                ),
                seen=self._seen(None, ()),
            )
        line = self.lines[0] if self.lines else 1
        return Unreadable(f"{self.source}:{line}: {why}")

    def _in_order(self) -> bool:
        """Return whether fifteen columns have numbers in ascending order all along."""
        values = self._values
        for start in range(self.width - CARD_LENGTH + 1):
            some = values[:, start : start + CARD_LENGTH]
            right = (some >= 1).all(axis=1) & (some <= KNOBS).all(axis=1)
            right &= (np.diff(some, axis=1) > 0).all(axis=1)
            if right.mean() > FITS:
                return True
        return False

    def _seen(self, layout: PackLayout | None, block: Sequence[int]) -> str:
        """Return what a line has: `19 columns: Book, Page, Colour, Perm and 15 numbers`."""
        if layout is not None:
            numbers = [*block]
        else:
            likely = (self._values >= 0).mean(axis=0) >= LAST if self._values.size else []
            numbers = [
                at for at, one in enumerate(likely) if one and rank_of(self.names[at]) == RANKS
            ]
        others = [self.name_of(at) for at in range(self.width) if at not in {*numbers}]
        if len(others) > MOST_NAMES:
            others[MOST_NAMES - 1 :] = [tr("{count} more", count=len(others) - MOST_NAMES + 1)]
        blank = layout.has_blanks if layout is not None else bool((self._values == 0).any())
        told = (
            tr("{count} cells", count=len(numbers))
            if blank
            else tr("{count} numbers", count=len(numbers))
        )
        listed = number_list([*others, *([told] if numbers else [])])
        return tr("{count} columns: {columns}", count=self.width, columns=listed)


def _good(layout: PackLayout, cards: I16, columns: Columns) -> float:
    """Return the part of some cards that are good."""
    right: npt.NDArray[np.bool_] = np.all((cards >= 0) & (cards <= KNOBS), axis=1)
    cells = np.where(right[:, None], cards, 0).astype(np.uint8)
    rows = cells.reshape(-1, ROWS, ROW_LENGTH) if not layout.has_blanks else None
    numbers = gathered(cells, columns) if rows is None else rows
    return 1 - len(faulty(numbers, columns)) / len(cards)
