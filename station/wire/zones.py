"""Zones and the things in them, as they go over the wire: what every screen draws of a game at the
table.

`station.views.table.view` makes them from `station.rules.seen`, with all phrases said in the hall's
language.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Number = Annotated[int, Field(ge=1, le=90)]
Mood = Literal["", "good", "bad", "faint"]
SPOTS = {  # where a die has them for each number: column and row, from 0 to 2
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}


class _Thing(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KnobThing(_Thing):
    """A knob that lies there."""

    kind: Literal["knob"] = "knob"
    number: Number
    newest: bool = False


class NumberCardThing(_Thing):
    """A card with rows of numbers."""

    kind: Literal["number-card"] = "number-card"
    serial: str
    rows: tuple[tuple[Number, ...], ...]
    covered: tuple[Number, ...] = ()
    told: int = 0  # the row that is spoken of now, from 1 at the top
    tens_last: bool = False  # its columns are 1-10 … 81-90; else 1-9, 10-19 … 80-90


class PlayingCardThing(_Thing):
    """A playing card: rank and suit, "5H", "10S", "KD"; nothing for its back."""

    kind: Literal["playing-card"] = "playing-card"
    face: str = ""


class PictureCardThing(_Thing):
    """A card with a picture: what is on it, and its name in the hall's language."""

    kind: Literal["picture-card"] = "picture-card"
    picture: str
    name: str


class DieThing(_Thing):
    """A die as it fell."""

    kind: Literal["die"] = "die"
    spots: Annotated[int, Field(ge=1, le=6)]


class CubeThing(_Thing):
    """A cube that is marked on one side."""

    kind: Literal["cube"] = "cube"
    mark: str = ""


class CheckCardThing(_Thing):
    """A card of squares, on some of which checks lie."""

    kind: Literal["check-card"] = "check-card"
    faces: tuple[tuple[int, ...], ...]
    checked: tuple[int, ...] = ()  # places, row by row, from 0
    choice: tuple[int, ...] = ()  # of which one is to be chosen now


class PileThing(_Thing):
    """Counters, or money, that lie together."""

    kind: Literal["pile"] = "pile"
    units: int  # of the game; below zero it is owed, and all else says how much is
    contracts: int = 0
    fish: int = 0
    singles: int = 0
    text: str  # in the hall's language: "1 contract, 1 fish, 2 counters"; of money the sum


class ScoreThing(_Thing):
    """Points, or how often something happened."""

    kind: Literal["score"] = "score"
    points: int
    label: str = ""
    marked: bool = False


class CaptionThing(_Thing):
    """A line of text."""

    kind: Literal["caption"] = "caption"
    text: str
    mood: Mood = ""


Thing: TypeAlias = Annotated[
    KnobThing
    | NumberCardThing
    | PlayingCardThing
    | PictureCardThing
    | DieThing
    | CubeThing
    | CheckCardThing
    | PileThing
    | ScoreThing
    | CaptionThing,
    Field(discriminator="kind"),
]


class ZoneView(_Thing):
    """Things that lie together.

    Attributes:
        key: what the game calls the place.
        seat: whose it is, from 1; 0 for one in the middle.
        label: what stands beside it, in the hall's language.
    """

    key: str
    seat: Annotated[int, Field(ge=0)] = 0
    label: str = ""
    things: tuple[Thing, ...] = ()
