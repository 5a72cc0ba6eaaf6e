"""Define the things on the table that every game knows: knob, card, playing card, ledger.

All are small and frozen. A playing card is its rank and its suit in letters, as it stands in the
record: "QH", "10S", "AD". Jokers are in no pack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import product
from urllib.parse import quote

from station.base.errors import Overdrawn, Unreadable
from station.base.tongue import key, tr

KNOBS = 90
MAKE_CARDS = "./loto pack make --strips 4 --plain"  # where there are no cards: a table's 24
ROWS = 3
ROW_LENGTH = 5
COLUMNS = 9
CARD_LENGTH = ROWS * ROW_LENGTH
CAVITIES = 10
MOST_UNITS = 10_000_000_000  # the largest sum that is counted

PURSES, HOUSE = "purses", "house"
DUE = "due:"  # before a card's serial: paid out, and to be brought back


class Style(StrEnum):
    """How a number is called (H15)."""

    PLAIN = "plain"  # "forty-two"
    DIGITS = "digits"  # "forty-two, four, two"; "thirty, three, oh"
    # as British halls call: "four and two, forty-two"; "on its own, number four"
    DIGITS_FIRST = "digits-first"
    SAYINGS = "sayings"  # "two fat ladies, eighty-eight"; plain where the language has none
    DOUBLE = "double"  # "forty-two … forty-two"
    CHIME = "chime"  # no speech at all: a person calls, and the station sounds its chime


class Columns(StrEnum):
    """In which of a card's nine columns a number stands: the one place that decides."""

    TENS_FIRST = "tens-first"  # 1-9, 10-19, … 80-90: nearly all cards
    TENS_LAST = "tens-last"  # 1-10, 11-20, … 81-90: some printers'

    def of(self, number: int) -> int:
        """Return the column, 0 to 8, of a number.

        >>> [Columns.TENS_FIRST.of(n) for n in (1, 9, 10, 79, 80, 89, 90)]
        [0, 0, 1, 7, 8, 8, 8]
        >>> [Columns.TENS_LAST.of(n) for n in (1, 9, 10, 79, 80, 89, 90)]
        [0, 0, 0, 7, 7, 8, 8]
        """
        if self is Columns.TENS_LAST:
            return (number - 1) // 10
        return min(number // 10, COLUMNS - 1)


def column_of(number: int) -> int:
    """Return the column, 0 to 8, in which a number stands on the cards of nearly all halls."""
    return Columns.TENS_FIRST.of(number)


@dataclass(frozen=True, slots=True)
class Column:
    """The numbers that may stand in one column, both ends included."""

    first: int
    last: int


COLUMN_RANGES = tuple(
    Column(max(1, 10 * c), KNOBS if c == COLUMNS - 1 else 10 * c + 9) for c in range(COLUMNS)
)


@dataclass(frozen=True)
class Card:
    """A card: a serial and three rows of five numbers, left to right.

    The numbers of a column may stand in any order: in the rule book's Fig. 1, 5 stands above 2.

    >>> Card.parse("1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74").rows[0]
    (5, 11, 33, 50, 76)
    """

    serial: str
    rows: tuple[tuple[int, ...], ...]
    columns: Columns = Columns.TENS_FIRST

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Return all fifteen numbers."""
        return frozenset(number for row in self.rows for number in row)

    @property
    def tens_last(self) -> bool:
        """Return whether its columns are 1-10 … 81-90."""
        return self.columns is Columns.TENS_LAST

    def __str__(self) -> str:
        return f"{self.serial}: " + " / ".join(" ".join(map(str, row)) for row in self.rows)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Parse a card from the text that `str` writes.

        Raises:
            Unreadable: the text is not a card; the message says why.
        """
        serial, colon, body = text.rpartition(":")
        if not colon:
            raise Unreadable(
                tr("a card is written 'serial: row / row / row', not {given!r}", given=text)
            )
        rows = tuple(tuple(row.split()) for row in body.split("/"))
        for word in (word for row in rows for word in row if not NUMBER.fullmatch(word)):
            why = tr("{word!r} is not a number from 1 to {most}", word=word, most=KNOBS)
            raise Unreadable(f"{tr('card {serial}', serial=serial.strip())}: {why}")
        card = cls(serial.strip(), tuple(tuple(map(int, row)) for row in rows))
        if faults := card_faults(card):
            raise Unreadable(f"{tr('card {serial}', serial=card.serial)}: {'; '.join(faults)}")
        return card


LONGEST_SERIAL = 64
# What stands on printed cards: letters (with their marks) and digits of any script, single blanks,
# and signs that neither begin a formula nor part the cells of a table: no quotation mark, comma,
# semicolon, equals sign or bar.
_LONG = LONGEST_SERIAL - 1
_LETTERS = r"\w\u0300-\u036f\u0900-\u0903\u093a-\u094f"
SERIAL = re.compile(
    rf"(?=.{{0,{_LONG}}}[^\W_])(?!.*  )"
    rf"[{_LETTERS}#(\[<{{°№*][{_LETTERS} #()\[\]<>{{}}°№*./\\:&+'@!~-]{{0,{_LONG}}}(?<! )"
)
# "ticket-3-1" is what the station calls a card that it does not know, and "tickets-3" all those of
# a broken game: money owed to the one must not be paid to the other.
TICKET_NAME = re.compile(r"(?i:ticket(?:-\d+){2,}|tickets(?:-\d+)+)")
CARD_SERIAL = re.compile(rf"(?!{TICKET_NAME.pattern}$){SERIAL.pattern}")
NO_CARD_SERIAL = key(
    "serial {serial!r} cannot be used: use 1 to {most} letters, digits and "
    "signs, without , ; = or quotation marks; names such as ticket-1-1 are "
    "the station's own"
)
NUMBER = re.compile(r"[0-9]{1,4}")  # as written; whether it is a knob's number is checked later


def serial_order(serial: str) -> tuple[tuple[str | int, ...], str]:
    """Return a sort key that orders serials as people count: 9 before 10, A-2 before A-10.

    >>> sorted(["10", "9", "A-10", "A-2", "010"], key=serial_order)
    ['9', '010', '10', 'A-2', 'A-10']
    """
    # Every second part is digits, so numbers are compared with numbers only.
    parts = re.split(r"([0-9]+)", serial)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts)), serial


def card_faults(card: Card) -> list[str]:
    """Return what is wrong with a card, one sentence for each fault; empty for a good one."""
    return [fault for _, fault in faults_by_row(card)]


def faults_by_row(card: Card) -> Iterator[tuple[int, str]]:
    """Yield the faults of `card_faults`, each with its row, from 1; with 0, one of the whole."""
    if not CARD_SERIAL.fullmatch(card.serial):
        yield 0, tr(NO_CARD_SERIAL, serial=card.serial, most=LONGEST_SERIAL)
    if len(card.rows) != ROWS:
        yield 0, tr("{count} rows instead of {rows}", count=len(card.rows), rows=ROWS)
    seen: set[int] = set()
    for place, row in enumerate(card.rows, 1):
        for fault in _row_faults(place, row, seen, card.columns):
            yield place, fault


def _row_faults(place: int, row: Sequence[int], seen: set[int], standing: Columns) -> Iterator[str]:
    if len(row) != ROW_LENGTH:
        yield tr(
            "row {row} has {count} numbers instead of {wanted}",
            row=place,
            count=len(row),
            wanted=ROW_LENGTH,
        )
    for number in row:
        if not 1 <= number <= KNOBS:
            yield tr(
                "row {row}: {number} is not between 1 and {most}",
                row=place,
                number=number,
                most=KNOBS,
            )
        elif number in seen:
            yield tr("row {row}: {number} stands on the card twice", row=place, number=number)
        seen.add(number)
    columns = [standing.of(number) for number in row if 1 <= number <= KNOBS]
    if len(set(columns)) != len(columns):
        yield tr("row {row} has two numbers of one column", row=place)
    elif columns != sorted(columns):
        yield tr("row {row}: the numbers do not stand in the order of their columns", row=place)


def may_owe(account: str) -> bool:
    """Return whether an account may be below zero: purses, house, what is to be brought back."""
    return account in (PURSES, HOUSE) or account.startswith(DUE)


@dataclass(frozen=True)
class Ledger:
    """Accounts in whole units whose sum is always zero.

    Below zero may be `purses` (what the players have paid in and not been paid out), `house` (it
    guarantees the prizes) and `due:SERIAL`, which is never above zero.
    """

    balances: Mapping[str, int] = field(default_factory=dict)

    def of(self, account: str) -> int:
        """Return the units on an account."""
        return self.balances.get(account, 0)

    def move(self, source: str, target: str, amount: int) -> Ledger:
        """Return the ledger after `amount` units went from one account to another.

        Raises:
            Overdrawn: `source` holds too little, more would come back than is due, or the amount is
                below zero.
        """
        return self.after([(source, target, amount)])

    def after(self, moves: Iterable[tuple[str, str, int]]) -> Ledger:
        """Return the ledger after moves: each a source, a target, an amount; raises as `move`."""
        balances = dict(self.balances)  # one copy for all: hundreds may win on one number
        for source, target, amount in moves:
            _move(balances, source, target, amount)
        return Ledger({account: units for account, units in sorted(balances.items()) if units})

    @property
    def sound(self) -> bool:
        """Return whether the sum is zero, and each account on a side of zero where it may be."""
        debts = all(units >= 0 or may_owe(account) for account, units in self.balances.items())
        due = all(self.of(name) <= 0 for name in self.balances if name.startswith(DUE))
        return not self.total and debts and due

    @property
    def total(self) -> int:
        """Return the sum of all accounts: always zero."""
        return sum(self.balances.values())

    def __str__(self) -> str:
        balances = sorted(self.balances.items())
        return " ".join(f"{quote(account, safe=':')}={units}" for account, units in balances) or "-"


def _move(balances: dict[str, int], source: str, target: str, amount: int) -> None:
    there, due = balances.get(source, 0), -balances.get(target, 0)
    if amount < 0:
        raise Overdrawn(
            tr(
                "{amount} units cannot be moved from {source} to {target}",
                amount=amount,
                source=source,
                target=target,
            )
        )
    if not may_owe(source) and there < amount:
        raise Overdrawn(
            tr(
                "{source} holds {there}, {amount} are needed for {target}",
                source=source,
                there=there,
                amount=amount,
                target=target,
            )
        )
    if target.startswith(DUE) and amount > due:
        raise Overdrawn(
            tr(
                "{target}: {due} are to be brought back, not {amount}",
                target=target,
                due=due,
                amount=amount,
            )
        )
    balances[source] = there - amount
    balances[target] = balances.get(target, 0) + amount


def split(amount: int, ways: int) -> tuple[int, int]:
    """Return each one's even share, and the remainder.

    >>> split(600, 7)
    (85, 5)
    """
    return divmod(amount, ways)


def either_of(ways: Iterable[str]) -> str:
    """Return texts of which one is to be chosen, as part of a sentence.

    >>> either_of(["A 17", "B 17"])
    'A 17 or B 17'
    """
    *before, last = ways
    return tr("{first} or {last}", first=", ".join(before), last=last) if before else last


def number_list(numbers: Iterable[int | str]) -> str:
    """Return numbers as part of a sentence.

    >>> number_list([3, 17, 88])
    '3, 17 and 88'
    """
    *before, last = [*map(str, numbers)] or [tr("none")]
    return tr("{first} and {last}", first=", ".join(before), last=last) if before else last


# -- playing cards: suits, ranks, packs ------------------------------------------------------------

# The words of each are `suit-NAME` and `rank-NAME` in the wording.
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
PACK = tuple(rank + suit for suit, rank in product(SUITS, RANKS))
SHORT_PACK = tuple(face for face in PACK if face[:-1] not in ("2", "3", "4", "5", "6"))


def rank_of(face: str) -> str:
    """Return the rank of a card.

    >>> rank_of("10S")
    '10'
    """
    return face[:-1]


def suit_of(face: str) -> str:
    """Return the suit of a card.

    >>> suit_of("10S")
    'S'
    """
    return face[-1:]
