"""Tables of games that nobody plays, as screens get them: all kinds of things, in the seats' plates
and in the middle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from station.wire.board_view import BoardView, GameView, Phase, SeatView, TableView
from station.wire.zones import (
    CaptionThing,
    CheckCardThing,
    CubeThing,
    DieThing,
    KnobThing,
    NumberCardThing,
    PictureCardThing,
    PileThing,
    PlayingCardThing,
    ScoreThing,
    Thing,
    ZoneView,
)
from tests.tables import NAMES

FACES = ("AH", "10S", "KD", "2C", "JS")
ROWS = ((5, 11, 33, 50, 77), (7, 25, 42, 65, 84), (19, 28, 48, 57, 86))


def counters(units: int) -> PileThing:
    """Return counters as they lie there; below zero they are owed."""
    singles, fish = abs(units) % 5, abs(units) // 5
    text = f"{fish} fish, {singles} counters" if fish else f"{singles} counters"
    return PileThing(units=units, fish=fish, singles=singles, text=text)


def money(minor: int) -> PileThing:
    """Return a sum of money."""
    return PileThing(units=minor, text=f"{abs(minor) / 100:.2f}")


def zone(key: str, *things: Thing, seat: int = 0, label: str = "") -> ZoneView:
    """Return some things that lie together."""
    return ZoneView(key=key, seat=seat, label=label, things=things)


def invented(game: str, players: int, **changes: Any) -> BoardView:
    """Return what the hall sees of an invented game."""
    zones = tuple(GAMES[game](players))
    table = TableView(
        step="",
        text=f"{NAMES[players // 2]} throws the dice and moves",
        seats=tuple(SeatView(seat=seat, name=name) for seat, name in enumerate(NAMES[:players], 1)),
        zones=zones,
        turn=(players // 2 + 1,),
        leads=1,
    )
    shown: dict[str, Any] = {
        "seq": 40,
        "night": 1,
        "test": False,
        "hall": "The GameInPlay",
        "language": "en",
        "phase": Phase.PLAYING,
        "game": GameView(number=1, of=3, name=game, method=game, stakes="table"),
        "players": players,
        "table": table,
        "notice": table.text,
    }
    return BoardView(**{**shown, **changes})


def _dice(players: int) -> Iterator[ZoneView]:
    for seat in range(1, players + 1):
        dice = (DieThing(spots=1 + (seat + place) % 6) for place in range(2))
        yield zone("dice", *dice, seat=seat)
        yield zone("score", ScoreThing(points=37 * seat), seat=seat)
    yield zone("dice", *(DieThing(spots=spots) for spots in range(1, 7)), label="The throw")
    marks = ("★", "III", "bell", "")
    yield zone("cubes", *(CubeThing(mark=mark) for mark in marks), label="Cubes")
    pictures = (PictureCardThing(picture=one, name=one) for one in ("inn", "moon"))
    yield zone("pictures", *pictures, label="For sale")
    yield zone("round", ScoreThing(points=3, label="Round", marked=True))


def _hands(players: int) -> Iterator[ZoneView]:
    for seat in range(1, players + 1):
        cards = (PlayingCardThing() for _ in range(5)) if seat != 2 else _faces(5)
        yield zone("cards", *cards, seat=seat)
        yield zone("hand", counters(seat), seat=seat)
        yield zone("tricks", ScoreThing(points=seat % 6, label="Tricks"), seat=seat)
        if seat == 3:
            yield zone("answer", CaptionThing(text="passes", mood="faint"), seat=seat)
        if seat == 2:
            yield zone("answer", CaptionThing(text="plays alone", mood="good"), seat=seat)
    yield zone("trick", *_faces(min(players, 5)), label="The trick")
    yield zone("trump", PlayingCardThing(face="QH"), label="Turned up")
    yield zone("pot", counters(43), label="Pot")
    yield zone("notes", CaptionThing(text="Hand 3"), CaptionThing(text="26 cards left"))


def _debts(players: int) -> Iterator[ZoneView]:
    for seat in range(1, players + 1):
        yield zone("hand", counters(-7 * seat if seat % 2 else 4), seat=seat)
        yield zone("purse", money(-1250 if seat % 3 else 700), seat=seat, label="Purse")
        yield zone("said", CaptionThing(text="asks for credit", mood="bad"), seat=seat)
    yield zone("bank", counters(-64), label="Bank")
    yield zone("pot", money(120000), label="Pot")
    yield zone("law", CaptionThing(text="Nobody may leave the table in debt", mood="bad"))


def _checks(players: int) -> Iterator[ZoneView]:
    faces = tuple(tuple(range(5 * row + 2, 5 * row + 7)) for row in range(3))
    for seat in range(1, players + 1):
        card = CheckCardThing(faces=faces, checked=tuple(range(0, 15, 1 + seat % 5)))
        yield zone("cards", card, seat=seat)
        yield zone("hand", counters(12), seat=seat)
    yield zone("board", *(KnobThing(number=7 * one, newest=one == 4) for one in range(1, 5)))
    yield zone("dice", DieThing(spots=5), DieThing(spots=3), label="The throw")
    yield zone("pool", counters(99), label="Pool")


def _everything(players: int) -> Iterator[ZoneView]:
    for seat in range(1, players + 1):
        yield zone(
            "cards",
            NumberCardThing(serial=f"{seat:04}", rows=ROWS, covered=(5, 42), told=seat % 4),
            seat=seat,
        )
        yield zone("hidden", *(PlayingCardThing() for _ in range(3)), seat=seat, label="Hidden")
        yield zone("dice", DieThing(spots=6), CubeThing(mark="V"), seat=seat)
        yield zone("hand", counters(8), seat=seat)
        yield zone("score", ScoreThing(points=-21, label="Points", marked=seat == 1), seat=seat)
        yield zone("purse", money(-350), seat=seat, label="Purse")
    yield zone("board", KnobThing(number=42), KnobThing(number=5, newest=True))
    yield zone("trick", *_faces(2), label="The trick")
    yield zone("dice", DieThing(spots=2), label="Die")
    yield zone("points", ScoreThing(points=4, label="Round"), ScoreThing(points=120, label="Limit"))
    yield zone("pot", counters(31), label="Pot")
    yield zone("reserve", money(5000), label="Reserve")


def _faces(count: int) -> Iterator[PlayingCardThing]:
    return (PlayingCardThing(face=face) for face in FACES[:count])


GAMES: Mapping[str, Callable[[int], Iterator[ZoneView]]] = {
    "dice": _dice,
    "hands": _hands,
    "debts": _debts,
    "checks": _checks,
    "everything": _everything,
}
