"""Define what is seen of a game: things that lie in zones, and phrases of its own words. Pure.

A play's `view(state, derived, viewer)` gives a `Seen`, and that is the only source of what anybody
is shown: the hall's screen, the pages, the terminal and the ten cavities draw zones and know no
game. Each kind of thing is drawn by one piece of code for all games. A phrase is a key of the
game's words with slots; the words themselves, in the hall's language, are data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from station.rules.box import Pieces

ALL = 0  # in the place of a seat: a zone that belongs to nobody


class Watching(StrEnum):
    """Who looks on, apart from the seats, which are whole numbers from 1."""

    EVERYBODY = "everybody"  # what the hall's screen shows
    HOST = "host"  # leads the table, and sees no hand; knows the purses, and why a move is refused
    CALLER = "caller"  # only he sees a knob that is drawn and not called


Viewer: TypeAlias = int | Watching


# -- phrases -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum in the game's own units.

    Attributes:
        units: how many; below zero they are owed.
        in_money: whether the sum is told as money; else it is told as counters, piece by piece.
    """

    units: int
    in_money: bool = False


@dataclass(frozen=True, slots=True)
class SeatName:
    """The name of the player in a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class KnobName:
    """A number, or what stands in its place in Picture Loto."""

    number: int


@dataclass(frozen=True, slots=True)
class CardName:
    """The name of a playing card, by its rank and suit: "5H", "10S", "KD"."""

    face: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence in the game's words.

    Attributes:
        key: the key of the words.
        slots: what is put into the sentence, by the name of each slot.
    """

    key: str
    slots: tuple[tuple[str, SlotValue], ...] = ()


SlotValue: TypeAlias = "str | int | Amount | Pieces | SeatName | KnobName | CardName | Phrase"


def phrase(key: str, **slots: SlotValue) -> Phrase:
    """Return a phrase with its slots.

    >>> phrase("table-draws", name=SeatName(2)).slots
    (('name', SeatName(seat=2)),)
    """
    return Phrase(key, tuple(slots.items()))


def outcome(gain: int, *, in_money: bool = False) -> Phrase:
    """Return the phrase for what a whole game brought a seat, in the game's own units.

    >>> outcome(0).key, outcome(-3).key, outcome(3)
    ('even', 'lost', Phrase(key='gained', slots=(('sum', Amount(units=3, in_money=False)),)))
    """
    if not gain:
        return phrase("even")
    return phrase("gained" if gain > 0 else "lost", sum=Amount(abs(gain), in_money=in_money))


# -- things --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Knob:
    """A knob that lies in a zone."""

    number: int
    newest: bool = False


@dataclass(frozen=True, slots=True)
class NumberCard:
    """A card with rows of numbers, and which of them are covered.

    Attributes:
        told: the row being told now, from 1 at the top; 0 for none.
        tens_last: whether its columns are 1-10 … 81-90; else they are 1-9, 10-19 … 80-90.
    """

    serial: str
    rows: tuple[tuple[int, ...], ...]
    covered: tuple[int, ...] = ()
    told: int = 0
    tens_last: bool = False


@dataclass(frozen=True, slots=True)
class PlayingCard:
    """A playing card.

    Attributes:
        face: rank and suit, "5H", "10S", "KD"; empty for its back.
    """

    face: str = ""


@dataclass(frozen=True, slots=True)
class PictureCard:
    """A card with a picture.

    Attributes:
        picture: what is on it: "white-horse", "bell". Screens draw those that they know, and write
            the name of each.
    """

    picture: str
    name: Phrase


@dataclass(frozen=True, slots=True)
class Die:
    """A die as it fell."""

    spots: int


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube with a mark on one side: the mark that shows, or an empty text for a blank side. A
    mark may be a picture, as on a `PictureCard`."""

    mark: str = ""


@dataclass(frozen=True, slots=True)
class CheckCard:
    """A card of squares, some of them covered by checks.

    Attributes:
        faces: what is on each square, row by row.
        checked: the places of the squares that are covered, from 0.
        choice: the places of those of which one is to be chosen now.
    """

    faces: tuple[tuple[int, ...], ...]
    checked: tuple[int, ...] = ()
    choice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """Counters, or money, that lie together."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class Score:
    """Points, or how often something happened.

    Attributes:
        label: what is counted; None in a seat's zone: the seat's points.
        marked: whether the score is being told now.
    """

    points: int
    label: Phrase | None = None
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text.

    Attributes:
        mood: how it is coloured: "good", "bad", "faint", or empty.
    """

    text: Phrase
    mood: str = ""


Thing: TypeAlias = (
    Knob | NumberCard | PlayingCard | PictureCard | Die | Cube | CheckCard | Pile | Score | Caption
)


@dataclass(frozen=True, slots=True)
class Zone:
    """Things that lie together.

    Attributes:
        key: the game's name for the place: "cards", "hand", "pool", "board".
        things: the things, in order.
        seat: whose zone it is; `ALL` for one in the middle of the table.
        label: what is shown beside the zone; None for no label.
    """

    key: str
    things: tuple[Thing, ...]
    seat: int = ALL
    label: Phrase | None = None


class Lead(StrEnum):
    """What the seat has that leads a game: it is said beside its name."""

    BAG = "bag"
    DICE = "dice"
    CUBES = "cubes"
    PACK = "pack"  # who deals, or has dealt; the first card is another seat's


@dataclass(frozen=True, slots=True)
class Seen:
    """All that one viewer sees of a game.

    Attributes:
        text: what comes next, or how the game ended.
        zones: the seats' zones, and those in the middle.
        turn: the seats that are awaited.
        leads: the seat that has the bag, the dice or the deal; `ALL` where no seat has.
        has: which of these that seat has; None where nothing is said of it.
        counted: whether the game's units are counters that are worth money.
        free: the cards of Loto that nobody has, where a player may choose one.
    """

    text: Phrase
    zones: tuple[Zone, ...]
    turn: frozenset[int] = frozenset()
    leads: int = ALL
    has: Lead | None = None
    counted: bool = False
    free: tuple[NumberCard, ...] = ()

    def of(self, seat: int) -> Iterator[Zone]:
        """Return the zones of a seat, or with `ALL` those in the middle."""
        return (zone for zone in self.zones if zone.seat == seat)


# -- moves ---------------------------------------------------------------------


class SlotKind(StrEnum):
    """What may stand in a slot of a move."""

    HAND = "hand"  # cards of my hand: a list, from `least` to `most` of `values`
    CUBES = "cubes"  # what cubes show: a list of marks, from `least` to `most` of `values`
    SQUARE = "square"  # a square of a card: its place
    SEAT = "seat"
    NUMBER = "number"  # from `least` to `most`
    SERIAL = "serial"  # a card by its serial
    ONE_OF = "one-of"  # one of `values`
    YES_NO = "yes-no"
    RACE = "race"  # seats with microseconds, filled by the station


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a move that is still to be chosen.

    Attributes:
        names: the fields of the move that it fills; several where they are chosen together.
        kind: what may stand there.
        values: what may be chosen; where there are several names, a tuple for each choice. Empty
            where `least` and `most` say it.
        least, most: the bounds of a number, or of how many cards of a hand, or cubes.
    """

    names: tuple[str, ...]
    kind: SlotKind
    values: tuple[object, ...] = ()
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Move:
    """A move that may be asked for now: a verb, fields that are settled, slots for the rest.

    Attributes:
        seat: whose move it is; `ALL` for what the company may ask for, or the host for the company.
        do: the verb; the game's words say it as `move-VERB`.
        fields: the fields that are settled, with their values.
        named: what the question before it names besides: how many counters each player pays.
        slots: what is still to be chosen.
        aside: whether the game goes on well without it: a fault is declared, a card taken back.
    """

    seat: int
    do: str
    fields: Mapping[str, object] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()
    aside: bool = False
    named: Mapping[str, int] = field(default_factory=dict)
