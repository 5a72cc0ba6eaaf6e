"""A game at the table, as pieces of a picture: the company at the sides, the felt in the middle of
them.

The seats go round from the dealer's left: he sits at the left end of the table and faces the
company.
"""

from __future__ import annotations

from collections.abc import Mapping

from station.screens.screen import table_drawings as drawings
from station.screens.screen.layout import Box, Layout
from station.screens.screen.pen import Piece
from station.screens.screen.pictures import pictures
from station.wire.board_view import BoardView, SeatView, TableCardView, TableView

Labels = Mapping[str, str]

FELT = 0.45  # of the height between header and footer
ASIDE = 0.23  # of the width, for seats beside the felt
CROWD, THRONG = 10, 16  # more players than so sit beside the felt, too; more than so in two columns

LABELS = (
    "pool",
    "on-table",
    "reserve",
    "drawing-number",  # {number}
    "drawings-left",  # {count}
    "last-drawing",
    "knobs-in-bag",  # {count}
    "knobs-away",  # {numbers}
    "cards-free",  # {count}
)


def table_pieces(
    layout: Layout, labels: Labels, view: BoardView, table: TableView
) -> tuple[Piece, ...]:
    """What stands between header and footer."""
    gap = round(layout.u)
    room = Box(layout.last.x, layout.last.y, layout.header.w, layout.footer.y - gap - layout.last.y)
    if room.w < room.h:
        boxes, felt = _upright(room, gap, len(table.seats))
    else:
        boxes, felt = _round(room, gap, len(table.seats))
    told = (
        table.settlement.rows[table.settlement.telling]
        if table.settlement and table.settlement.telling is not None
        else None
    )
    answers = {answer.seat: answer for answer in table.answers}
    seats = tuple(
        Piece(
            box,
            drawings.seat,
            (
                seat,
                _that_matter(
                    seat, len(table.seats), told.serial if told and told.seat == seat.seat else ""
                ),
                view.last if view.last in _numbers(seat) else None,
                (told.serial, told.row) if told and told.seat == seat.seat else None,
                answers.get(seat.seat),
                pictures(view.theme, _numbers(seat)),
            ),
        )
        for seat, box in zip(table.seats, boxes, strict=True)
    )
    shown = view.called if table.drawing else view.called[:-11:-1]
    settlement = table.settlement if not view.called else None
    numbers = settlement.numbers if settlement is not None else shown
    middle = Piece(
        felt,
        drawings.felt,
        (
            view.last,
            shown,
            table,
            settlement,
            _line(labels, view, table),
            _sums(labels, table),
            pictures(view.theme, numbers),
        ),
    )
    return (*seats, middle)


def _numbers(seat: SeatView) -> tuple[int, ...]:
    return tuple(number for card in seat.cards for row in card.rows for number in row)


def _that_matter(seat: SeatView, players: int, told: str) -> tuple[TableCardView, ...]:
    """The cards there is room for, in their order: the one that is told, then those with the most
    counters on a row."""
    most = 4 if players <= 2 else 2 if players <= THRONG else 1
    by_weight = sorted(
        seat.cards, key=lambda card: (card.serial != told, -best(card), -len(card.covered))
    )
    return tuple(card for card in seat.cards if card in by_weight[:most])


def best(card: TableCardView) -> int:
    """How many counters lie on a card's best row."""
    return max(len(set(row) & set(card.covered)) for row in card.rows)


def _round(room: Box, gap: int, players: int) -> tuple[tuple[Box, ...], Box]:
    """The seats' boxes in their order, and the felt's."""
    aside = 0 if players <= CROWD else 2 if players <= THRONG else 4
    top = (players - 2 * aside + 1) // 2
    bottom = players - 2 * aside - top
    high = round(FELT * room.h)
    edge = (room.h - high) // 2 - gap
    above, below = Box(room.x, room.y, room.w, edge), Box(room.x, room.bottom - edge, room.w, edge)
    middle = Box(room.x, above.bottom + gap, room.w, below.y - above.bottom - 2 * gap)
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


def _upright(room: Box, gap: int, players: int) -> tuple[tuple[Box, ...], Box]:
    felt, *_ = room.rows(3, gap)
    below = Box(room.x, felt.bottom + gap, room.w, room.bottom - felt.bottom - gap)
    columns = 1 if players <= 4 else 2 if players <= CROWD + 2 else 3
    rows = below.rows(-(-players // columns), gap)
    return tuple(box for row in rows for box in row.columns(columns, gap))[:players], felt


def _line(labels: Labels, view: BoardView, table: TableView) -> str:
    if table.step == "open":
        return "".join(f"{labels['next-game']}: {name}" for name in view.coming[:1])
    if table.change and not view.called:
        return table.change
    drawing = (
        labels["last-drawing"]
        if table.left == 1
        else labels["drawing-number"].format(number=table.drawing)
    )
    parts = (
        drawing if table.drawing else "",
        (
            labels["drawings-left"].format(count=table.left)
            if table.left is not None and table.left > 1
            else ""
        ),
        labels["knobs-in-bag"].format(count=table.in_bag),
        labels["knobs-away"].format(numbers=", ".join(map(str, table.away))) if table.away else "",
        labels["cards-free"].format(count=len(table.free)) if table.free else "",
    )
    return " · ".join(part for part in parts if part)


def _sums(labels: Labels, table: TableView) -> tuple[tuple[str, object], ...]:
    sums = (("pool", table.pool), ("on-table", table.table), ("reserve", table.reserve))
    return tuple((labels[key], shown) for key, shown in sums if shown is not None)
