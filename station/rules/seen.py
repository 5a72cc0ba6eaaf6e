"""What is seen of a game: things that lie in zones, and phrases of the game's own words. Pure.

A play's `view(state, derived, viewer)` gives a `Seen`, and that is the only source of what anybody
is shown: the hall's screen, the pages, the terminal and the ten cavities draw zones and know no
game. A kind of thing is drawn once, for all games. A phrase is a key of the game's words with
slots; what it says in the hall's language is data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from station.rules.box import Pieces

ALL = 0  # in the place of a seat: a zone that belongs to nobody


class Watching(StrEnum):
    """Who looks on, besides the seats, which are whole numbers from 1."""

    EVERYBODY = "everybody"  # what stands on the hall's screen
    HOST = "host"  # leads the table, and sees no hand; knows the purses, and why a move is refused
    CALLER = "caller"  # alone sees a knob that is drawn and not called


Viewer: TypeAlias = int | Watching


# -- phrases -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum in the game's own units.

    Attributes:
        units: below zero it is owed.
        in_money: it is told as money; else as counters, as they lie there.
    """

    units: int
    in_money: bool = False


@dataclass(frozen=True, slots=True)
class SeatName:
    """The player who sits there."""

    seat: int


@dataclass(frozen=True, slots=True)
class KnobName:
    """A number, or what stands in its place in Picture Loto."""

    number: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence of the game's words.

    Attributes:
        key: of the words.
        slots: what is put into the sentence, by the name of its place.
    """

    key: str
    slots: tuple[tuple[str, SlotValue], ...] = ()


SlotValue: TypeAlias = "str | int | Amount | Pieces | SeatName | KnobName | Phrase"


def phrase(key: str, **slots: SlotValue) -> Phrase:
    """Return a phrase with its slots.

    >>> phrase("table-draws", name=SeatName(2)).slots
    (('name', SeatName(seat=2)),)
    """
    return Phrase(key, tuple(slots.items()))


# -- things --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Knob:
    """A knob that lies there."""

    number: int
    newest: bool = False


@dataclass(frozen=True, slots=True)
class NumberCard:
    """A card with rows of numbers, and what of it is covered.

    Attributes:
        told: the row that is spoken of now, from 1 at the top; 0 for none.
    """

    serial: str
    rows: tuple[tuple[int, ...], ...]
    covered: tuple[int, ...] = ()
    told: int = 0


@dataclass(frozen=True, slots=True)
class PlayingCard:
    """A playing card.

    Attributes:
        face: rank and suit, "5H", "10S", "KD"; nothing for its back.
    """

    face: str = ""


@dataclass(frozen=True, slots=True)
class Die:
    """A die as it fell."""

    spots: int


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube that is marked on one side: the mark, or nothing for a blank side."""

    mark: str = ""


@dataclass(frozen=True, slots=True)
class CheckCard:
    """A card of squares, on some of which checks lie.

    Attributes:
        faces: of each square, row by row.
        checked: the places of the squares that are covered, from 0.
    """

    faces: tuple[tuple[int, ...], ...]
    checked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """Counters, or money, that lie together."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class Score:
    """Points, or how often something happened.

    Attributes:
        label: what they are of; None in a seat's zone says that they are its points.
        marked: it is spoken of now.
    """

    points: int
    label: Phrase | None = None
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text.

    Attributes:
        mood: how it is coloured: "good", "bad", "faint", or nothing.
    """

    text: Phrase
    mood: str = ""


Thing: TypeAlias = Knob | NumberCard | PlayingCard | Die | Cube | CheckCard | Pile | Score | Caption


@dataclass(frozen=True, slots=True)
class Zone:
    """Things that lie together.

    Attributes:
        key: what the game calls the place: "cards", "hand", "pool", "board".
        things: in order.
        seat: whose it is; `ALL` for one in the middle of the table.
        label: what stands beside it; None for nothing.
    """

    key: str
    things: tuple[Thing, ...]
    seat: int = ALL
    label: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """All that one viewer sees of a game.

    Attributes:
        text: what comes next, or how it ended.
        zones: those of the seats, and those in the middle.
        turn: the seats that are awaited.
        leads: the seat that has the bag, the dice, the deal; `ALL` where nobody has.
        particulars: what the board view says of the games that were there before zones, by its own
            fields; new games have none.
    """

    text: Phrase
    zones: tuple[Zone, ...]
    turn: frozenset[int] = frozenset()
    leads: int = ALL
    particulars: Mapping[str, object] = field(default_factory=dict)

    def of(self, seat: int) -> Iterator[Zone]:
        """Go through the zones of a seat, or with `ALL` through those in the middle."""
        return (zone for zone in self.zones if zone.seat == seat)


# -- moves ---------------------------------------------------------------------


class SlotKind(StrEnum):
    """What may stand in a slot of a move."""

    HAND = "hand"  # cards of my hand: a list, from `least` to `most` of `values`
    SQUARE = "square"  # a square of a card: its place
    SEAT = "seat"
    NUMBER = "number"  # from `least` to `most`
    SERIAL = "serial"  # a card by its serial
    ONE_OF = "one-of"  # one of `values`
    YES_NO = "yes-no"
    RACE = "race"  # seats with microseconds, filled by the station


@dataclass(frozen=True, slots=True)
class Slot:
    """What of a move is still to be chosen.

    Attributes:
        names: the fields of the move; several where they are chosen together.
        kind: what may stand there.
        values: what may be chosen, a tuple for each way where there are several names; empty where
            `least` and `most` say it.
        least, most: of a number its bounds; of cards of a hand how many.
    """

    names: tuple[str, ...]
    kind: SlotKind
    values: tuple[object, ...] = ()
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Move:
    """Something that may be asked for now: a verb, what of it is settled, and slots.

    Attributes:
        seat: whose it is; `ALL` for what the company, or the host for it, may ask for.
        do: the verb; the game's words say it as `move-VERB`.
        fields: what is settled.
        slots: what is to be chosen.
    """

    seat: int
    do: str
    fields: Mapping[str, object] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()
