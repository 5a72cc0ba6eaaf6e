"""Turn a game at the table into pieces of a picture: the company at the sides, the felt in the
middle.

The seats go round from the dealer's left: the dealer sits at the left end of the table and faces
the company.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from station.screens.screen import table_drawings as drawings
from station.screens.screen.codes import code_of
from station.screens.screen.drawings import code_aside
from station.screens.screen.layout import Box, ScreenLayout
from station.screens.screen.pen import Piece
from station.screens.screen.pictures import pictures
from station.screens.screen.spread import lines_of
from station.screens.screen.table_drawings import CAVITIES
from station.wire.board_view import BoardView, SeatView, TableView
from station.wire.zones import CaptionThing, KnobThing, NumberCardThing, PileThing, ZoneView

Labels = Mapping[str, str]

FELT = 0.45  # of the height between header and footer
ASIDE = 0.23  # of the width, for seats beside the felt
CROWD, THRONG = 10, 16  # more players than so sit beside the felt, too; more than so in two columns
TABLE = 24  # more players than so sit in rows, with the felt below them
ROWS = 0.74  # of the height, for those rows
CODED = 0.2  # of the width, for the code that stands beside the table between games
SEAT_SHAPE = 2.2  # width to height of a seat in them

# Places that a screen knows. Everything else is drawn by kind of thing.
WON, CARDS, ANSWER, OUTCOME = "hand", "cards", "answer", "outcome"  # of a seat
BOARD, SETTLEMENT, NOTES, OFFER, CHANGE = "board", "settlement", "notes", "offer", "change"

LABELS = ("owed", "next-game")


def table_pieces(
    layout: ScreenLayout, labels: Labels, view: BoardView, table: TableView
) -> tuple[Piece, ...]:
    """Return the pieces between header and footer."""
    gap = round(layout.u)
    room = Box(layout.last.x, layout.last.y, layout.header.w, layout.footer.y - gap - layout.last.y)
    aside: tuple[Piece, ...] = ()
    label, code = code_of(labels, view)
    if code and room.w > room.h:
        room, place = room.split(1 - CODED, CODED, gap=gap)
        aside = (Piece(place, code_aside, (label, code)),)
    if room.w < room.h:
        boxes, felt = _upright(room, gap, len(table.seats))
    else:
        boxes, felt = _round(room, gap, len(table.seats))
    middle = _middle(labels, view, table)
    seated = tuple(_sitting(labels, table, seat) for seat in table.seats)
    seats = tuple(
        Piece(
            box,
            drawings.seat,
            (
                sitting,
                middle.newest if middle.newest in _numbers(sitting) else None,
                pictures(view.theme, _numbers(sitting)),
            ),
        )
        for sitting, box in zip(seated, boxes, strict=True)
    )
    lying = middle.settlement.things if middle.settlement is not None else middle.knobs or ()
    numbers = [thing.number for thing in lying if isinstance(thing, KnobThing)]
    return (*seats, *aside, Piece(felt, drawings.felt, (middle, pictures(view.theme, numbers))))


def _numbers(sitting: drawings.Sitting) -> tuple[int, ...]:
    return tuple(
        number
        for zone in sitting.zones
        for card in zone.things
        if isinstance(card, NumberCardThing)
        for row in card.rows
        for number in row
    )


# -- a seat ----------------------------------------------------------------------------------------


def _sitting(labels: Labels, table: TableView, seat: SeatView) -> drawings.Sitting:
    zones = [zone for zone in table.zones if zone.seat == seat.seat]
    outcome = next(iter(_captions(zones, OUTCOME)), None)
    won = next((_pile(zone) for zone in zones if zone.key == WON), None)
    in_head = won is not None and won.units >= 0 and outcome is None
    shown, hidden = _that_matter(
        [
            zone
            for zone in zones
            if zone.key not in (ANSWER, OUTCOME) and not (zone.key == WON and (in_head or outcome))
        ],
        len(table.seats),
    )
    return drawings.Sitting(
        seat=seat.seat,
        name=seat.name,
        leads=table.leads == seat.seat,
        bag=any(zone.key == BOARD for zone in table.zones),
        awaited=seat.seat in table.turn,
        zones=shown,
        hidden=hidden,
        won=won if in_head else None,
        answer=next(iter(_captions(zones, ANSWER)), None),
        outcome=outcome,
        owed=labels["owed"],
    )


def _captions(zones: Iterable[ZoneView], key: str) -> list[CaptionThing]:
    named = [thing for zone in zones if zone.key == key for thing in zone.things]
    return [thing for thing in named if isinstance(thing, CaptionThing)]


def _pile(zone: ZoneView) -> PileThing | None:
    return next((thing for thing in zone.things if isinstance(thing, PileThing)), None)


def _that_matter(zones: Sequence[ZoneView], players: int) -> tuple[tuple[ZoneView, ...], int]:
    """Return the zones with the cards there is room for, in their order: the one that is told, then
    those with the most counters on a row; and how many cards are left out."""
    most = 4 if players <= 2 else 2 if players <= THRONG else 1
    cards = [thing for zone in zones for thing in zone.things if isinstance(thing, NumberCardThing)]
    by_weight = sorted(cards, key=lambda card: (not card.told, -best(card), -len(card.covered)))
    hidden = frozenset(card.serial for card in by_weight[most:])
    shown = (
        zone.model_copy(
            update={
                "things": tuple(
                    thing
                    for thing in zone.things
                    if not (isinstance(thing, NumberCardThing) and thing.serial in hidden)
                )
            }
        )
        for zone in zones
    )
    return tuple(shown), len(hidden)


def best(card: NumberCardThing) -> int:
    """Return how many counters lie on a card's best row."""
    return max(len(set(row) & set(card.covered)) for row in card.rows)


# -- the middle ------------------------------------------------------------------------------------


def _middle(labels: Labels, view: BoardView, table: TableView) -> drawings.Middle:
    zones = [zone for zone in table.zones if zone.seat == 0]
    board = next((zone for zone in zones if zone.key == BOARD), None)
    knobs = tuple(thing for thing in board.things if isinstance(thing, KnobThing)) if board else ()
    settlement = next((zone for zone in zones if zone.key == SETTLEMENT), None)
    sums = [zone for zone in zones if _is_sum(zone)]
    known = (BOARD, SETTLEMENT, NOTES, OFFER, CHANGE)
    names = {seat.seat: seat.name for seat in table.seats}
    return drawings.Middle(
        newest=next((knob.number for knob in knobs if knob.newest), None),
        text=table.text,
        line=_line(labels, view, table, bool(knobs)),
        sums=tuple(
            (line.label, line.thing)
            for line in lines_of(sums, labels["owed"])
            if isinstance(line.thing, PileThing)
        ),
        answers=tuple(
            f"{names[zone.seat]}: {thing.text}"
            for zone in table.zones
            if zone.seat in names
            for thing in _captions([zone], ANSWER)
        ),
        knobs=None if board is None else knobs if len(knobs) <= CAVITIES else knobs[:-11:-1],
        settlement=settlement if not knobs else None,
        zones=tuple(
            zone for zone in zones if zone.things and zone.key not in known and not _is_sum(zone)
        ),
        owed=labels["owed"],
    )


def _is_sum(zone: ZoneView) -> bool:
    """Return whether a zone has only piles: a sum that stands at the side."""
    return bool(zone.things) and all(isinstance(thing, PileThing) for thing in zone.things)


def _line(labels: Labels, view: BoardView, table: TableView, knobs: bool) -> str:
    """Return the lowest line: at the end the next game, then the bank's change, else notes."""
    if any(zone.key == OUTCOME for zone in table.zones):
        return "".join(f"{labels['next-game']}: {name}" for name in view.coming[:1])
    middle = [zone for zone in table.zones if zone.seat == 0]
    told = (() if knobs else _captions(middle, CHANGE)) or _captions(middle, NOTES)
    return " · ".join(thing.text for thing in told)


# -- boxes -----------------------------------------------------------------------------------------


def _round(room: Box, gap: int, players: int) -> tuple[tuple[Box, ...], Box]:
    """Return the seats' boxes in their order, and the felt's."""
    if players > TABLE:
        return _in_rows(room, gap, players)
    aside = 0 if players <= CROWD else 2 if players <= THRONG else 4
    top = (players - 2 * aside + 1) // 2
    bottom = players - 2 * aside - top
    high = round(FELT * room.h)
    edge = (room.h - high) // 2 - gap
    above, below = room.head(edge), room.under(room.bottom - edge)
    middle = room.under(above.bottom + gap).head(below.y - above.bottom - 2 * gap)
    upper, lower = above.columns(top, gap), below.columns(max(1, bottom), gap)[:bottom]
    if not aside:
        return (*upper, *lower[::-1]), middle
    left, felt, right = middle.split(ASIDE, 1 - 2 * ASIDE, ASIDE, gap=gap)
    columns = aside // 2
    beside = [
        tuple(box for row in side.rows(2, gap) for box in row.columns(columns, gap))
        for side in (right, left)
    ]
    return (*upper, *beside[0], *lower[::-1], *beside[1][::-1]), felt


def _in_rows(room: Box, gap: int, players: int) -> tuple[tuple[Box, ...], Box]:
    """Return the boxes of a large company, row by row, and the felt's below them."""
    above = room.head(round(ROWS * room.h))
    columns = max(1, round((players * above.w / above.h / SEAT_SHAPE) ** 0.5))
    rows = above.rows(-(-players // columns), gap)
    boxes = tuple(box for row in rows for box in row.columns(columns, gap))[:players]
    return boxes, room.under(above.bottom + gap)


def _upright(room: Box, gap: int, players: int) -> tuple[tuple[Box, ...], Box]:
    felt, *_ = room.rows(3 if players <= TABLE else 5, gap)
    below = room.under(felt.bottom + gap)
    columns = 1 if players <= 4 else 2 if players <= CROWD + 2 else 3 if players <= TABLE else 5
    rows = below.rows(-(-players // columns), gap)
    return tuple(box for row in rows for box in row.columns(columns, gap))[:players], felt
