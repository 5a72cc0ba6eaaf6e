"""Turn a board view into the pieces of a picture: which picture, and what each piece says.

A game at the table has the company at the sides and the felt in the middle. The seats go round from
the dealer's left: the dealer sits at the left end of the table and faces the company.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from station.screens.screen import captions, drawings, spread
from station.screens.screen.captions import code_of
from station.screens.screen.drawings import Lit, code_aside
from station.screens.screen.layout import Box, ScreenLayout
from station.screens.screen.pen import Piece, picture, pictures
from station.screens.screen.spread import CAVITIES, lines_of
from station.screens.screen.television import INSET
from station.wire.board_view import (
    BoardView,
    Phase,
    SeatView,
    TableView,
    Verdict,
    WinView,
    hall_signs,
)
from station.wire.looks import sizes
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

TABLE_LABELS = ("owed", "next-game")


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
            spread.seat,
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
    return (*seats, *aside, Piece(felt, spread.felt, (middle, pictures(view.theme, numbers))))


def _numbers(sitting: spread.Sitting) -> tuple[int, ...]:
    return tuple(
        number
        for zone in sitting.zones
        for card in zone.things
        if isinstance(card, NumberCardThing)
        for row in card.rows
        for number in row
    )


# -- a seat ----------------------------------------------------------------------------------------


def _sitting(labels: Labels, table: TableView, seat: SeatView) -> spread.Sitting:
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
    return spread.Sitting(
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


def _middle(labels: Labels, view: BoardView, table: TableView) -> spread.Middle:
    zones = [zone for zone in table.zones if zone.seat == 0]
    board = next((zone for zone in zones if zone.key == BOARD), None)
    knobs = tuple(thing for thing in board.things if isinstance(thing, KnobThing)) if board else ()
    settlement = next((zone for zone in zones if zone.key == SETTLEMENT), None)
    sums = [zone for zone in zones if _is_sum(zone)]
    known = (BOARD, SETTLEMENT, NOTES, OFFER, CHANGE)
    names = {seat.seat: seat.name for seat in table.seats}
    return spread.Middle(
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


# -- the picture of a board view -------------------------------------------------------------------

LABELS: Final = (
    "last-number",
    "calls-of",  # {count}
    "eyes-down",
    "game-of",  # {number} {of}
    "stage",
    "prize",
    "cards",
    "players",
    "near",  # {count}
    "near-two",  # {count}
    "winners",
    "holder",  # {name}
    *(verdict.value for verdict in Verdict),
    "missing",  # {numbers}
    "next-game",
    "next-games",
    "between",
    "closed",
    # What stands before the colon is set large, the rest beside it or under it.
    "stopped",
    "halted",
    "test",
    "stale",
    "waiting",
    *captions.LABELS,
    *TABLE_LABELS,
)
"""The keys of the wording's `[screen]` section that the board needs."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture: a ground, pieces that do not overlap, and whether STALE lies over it."""

    ground: Literal["ground", "ember"]  # of the look
    pieces: tuple[Piece, ...]
    stale: bool = False

    @property
    def shape(self) -> tuple[object, ...]:
        """Return a value that is equal for scenes that differ in pieces only."""
        return self.ground, self.stale, tuple(piece.box for piece in self.pieces)


# What a screen adds to its labels for the test frame: the setting that helps, and its own name.
SETTING, DISPLAY = "frame-setting", "frame-display"


def compose(layout: ScreenLayout, labels: Labels, view: BoardView | None, *, stale: bool) -> Scene:
    """Return the picture of a view; without a view, of waiting for the station."""
    if view is None:
        title, why = headline(labels["waiting"])
        says = ("", title, (("", why),), (), "", ("", ""), ("", ""))
        return Scene("ground", (Piece(layout.everything, drawings.calm, says),))
    if view.frame:
        text = labels["test-frame"].format(setting=labels.get(SETTING, INSET))
        edges = (text, view.notice, labels.get(DISPLAY, ""))
        return Scene("ground", (Piece(layout.everything, drawings.test_frame, edges),), stale)
    header = _header(layout, labels, view)
    told = tuple(text for text in (view.notice, view.luck) if text)
    # before the first call there is time to compare; then what happens has the room
    notice = " · ".join(told[:1] if view.called else told)
    footer = Piece(layout.footer, drawings.footer, (notice, hall_signs(view)))
    if view.table is not None and view.phase in (Phase.BETWEEN, Phase.PLAYING):
        played = table_pieces(layout, labels, view, view.table)
        return Scene("ground", (header, *played, footer), stale)
    if view.phase in (Phase.CLOSED, Phase.BETWEEN):
        return Scene("ground", (_calm(layout, labels, view),), stale)
    if view.phase is Phase.HALTED:
        calls = (_last(layout, labels, view), *_board(layout, view))
        return Scene("ember", (*_halted(layout, labels, view), *calls), stale)
    stopped = view.phase is Phase.STOPPED
    middle = (_claim(layout, labels, view),) if stopped else _board(layout, view)
    facts = (*_ten(layout, view), *_info(layout, labels, view))
    pieces = (header, _last(layout, labels, view), *middle, *facts, footer)
    return Scene("ground", pieces, stale)


def headline(text: str) -> tuple[str, str]:
    """Return a label's large part and its small one, divided at the first colon.

    >>> headline("TEST: no money is taken")
    ('TEST', 'No money is taken')
    """
    title, _, rest = (part.strip() for part in text.partition(":"))
    return title, rest[:1].upper() + rest[1:]


def _header(layout: ScreenLayout, labels: Labels, view: BoardView) -> Piece:
    return Piece(
        layout.header, drawings.header, (view.hall, _game(labels, view), *_test(labels, view))
    )


def _test(labels: Labels, view: BoardView) -> tuple[str, str]:
    return headline(labels["test"]) if view.test else ("", "")


def _game(labels: Labels, view: BoardView) -> str:
    if view.game is None:
        return ""
    place = labels["game-of"].format(number=view.game.number, of=view.game.of)
    return f"{place} · {view.game.name}" if view.game.name else place


def _last(layout: ScreenLayout, labels: Labels, view: BoardView) -> Piece:
    texts = (
        labels["last-number"],
        labels["calls-of"].format(count=len(view.called)),
        labels["eyes-down"],
    )
    if view.code and view.phase is Phase.PLAYING and not view.called:
        return Piece(layout.last, drawings.first_number, (texts[-1], *code_of(labels, view)))
    return Piece(
        layout.last, drawings.last_number, (view.last, *texts, picture(view.theme, view.last))
    )


def _board(layout: ScreenLayout, view: BoardView) -> tuple[Piece, ...]:
    lit = dict.fromkeys(view.called, Lit.CALLED)
    if view.last is not None:
        lit[view.last] = Lit.NEWEST
    return tuple(
        Piece(
            cell,
            drawings.board_cell,
            (number, lit.get(number, Lit.NOT), picture(view.theme, number)),
        )
        for number, cell in enumerate(layout.cells, 1)
    )


def _ten(layout: ScreenLayout, view: BoardView) -> tuple[Piece, ...]:
    padded = (*view.last_ten, *[None] * 10)[:10]
    return tuple(
        Piece(cell, drawings.ten_cell, (number, place == 0, picture(view.theme, number)))
        for place, (cell, number) in enumerate(zip(layout.ten, padded, strict=True))
    )


def _info(layout: ScreenLayout, labels: Labels, view: BoardView) -> tuple[Piece, ...]:
    """Return what is played for and by how many; each piece gets its share of the width."""
    size = sizes()
    made: list[tuple[float, Callable[..., None], tuple[Hashable, ...]]] = []
    if len(view.open) > 1:
        made.append((size.weight_open, drawings.open_cell, (view.open,)))
    elif view.stage is not None:
        made.append((size.weight_stage, drawings.stage_cell, (labels["stage"], view.stage)))
        if view.prize is not None:
            made.append((size.weight_prize, drawings.fact_cell, (labels["prize"], view.prize.text)))
    if view.jackpot is not None:
        prize, within = headline(view.jackpot.text)
        made.append((size.weight_jackpot, drawings.fact_cell, (within, prize)))
    made.append((size.weight_cards, drawings.fact_cell, (labels["cards"], str(view.cards))))
    if len(view.open) <= 1:  # the prizes want the room
        made.append(
            (size.weight_players, drawings.fact_cell, (labels["players"], str(view.players)))
        )
    if view.near is not None:
        counts = (("near", view.near), ("near-two", view.near_two))
        lines = tuple(labels[key].format(count=n) for key, n in counts if n is not None)
        made.append((size.weight_near, drawings.near_cell, (lines,)))
    if view.wins:
        newest = tuple(_win(win) for win in view.wins[:-3:-1])
        more = len(view.wins) - len(newest)
        made.append((size.weight_wins, drawings.wins_cell, (labels["winners"], newest, more)))
    rows = layout.facts
    per_row = -(-len(made) // len(rows))
    pieces: list[Piece] = []
    for row, start in zip(rows, range(0, len(made), per_row), strict=False):
        part = made[start : start + per_row]
        boxes = row.split(*(share for share, _, _ in part), gap=size.info_gap * layout.u)
        pieces += [Piece(box, draw, args) for box, (_, draw, args) in zip(boxes, part, strict=True)]
    return tuple(pieces)


def _win(win: WinView) -> str:
    who = f"{win.label} {win.holder}" if win.holder else win.label
    return f"{win.stage} · {who} · {win.prize.text} {win.status}"


def _claim(layout: ScreenLayout, labels: Labels, view: BoardView) -> Piece:
    others = _chips(view)
    claim = view.claim
    if claim is None:
        stopped = (view.game.stopped if view.game is not None else "") or labels["stopped"]
        return Piece(layout.board, drawings.waiting_claim, (*headline(stopped), others))
    symbols = pictures(view.theme, (number for row in claim.rows for number in row))
    numbers = ", ".join(map(str, claim.missing))
    missing = labels["missing"].format(numbers=numbers) if numbers else ""
    texts = (
        claim.label,
        labels["holder"].format(name=claim.holder) if claim.holder else "",
        labels[claim.verdict.value],
        missing if missing != claim.text else "",  # once is enough
    )
    return Piece(layout.board, drawings.checked_card, (claim, view.last, *texts, others, symbols))


def _chips(view: BoardView) -> tuple[str, ...]:
    """Return the other cards checked at this stop, newest first, each with its sign."""
    others = [claim for claim in view.claims if claim != view.claim]
    newest = others[: -drawings.CHIPS - 1 : -1]
    shown = tuple(
        f"{drawings.SIGN_OF[claim.verdict]} {claim.label if claim.numbers else claim.serial}"
        for claim in newest
    )
    hidden = len(others) - len(shown)
    return (*shown, f"+{hidden}") if hidden else shown


def _halted(layout: ScreenLayout, labels: Labels, view: BoardView) -> tuple[Piece, ...]:
    reds = tuple(sign.text for sign in hall_signs(view) if sign.colour == "red")
    banner = (*headline(labels["halted"]), view.hall, _test(labels, view)[0])
    return (
        Piece(layout.header, drawings.halted_banner, banner),
        Piece(layout.below, drawings.paper_procedure, (reds, view.procedure)),
    )


def _calm(layout: ScreenLayout, labels: Labels, view: BoardView) -> Piece:
    facts: list[tuple[str, str]] = []
    lines: list[str] = []
    if view.phase is Phase.CLOSED:
        facts.append(("", labels["closed"]))
    elif view.coming:
        facts.append((labels["next-game"], view.coming[0]))
        if view.coming[1:]:
            lines.append(f"{labels['next-games']}: {' · '.join(view.coming[1:])}")
    else:
        facts.append(("", labels["between"]) if view.game is None else ("", _game(labels, view)))
    if view.cards:
        facts.append((labels["cards"], str(view.cards)))
        facts.append((labels["players"], str(view.players)))
    pause = view.pause
    if pause is not None and pause.follows:
        lines.insert(0, pause.follows)
    newest = [f"✓ {_win(win)}" for win in view.wins[: -drawings.LINES - 1 : -1]]
    lines += newest[: drawings.LINES - len(lines)][::-1]
    signs = (view.notice, *(sign.text for sign in hall_signs(view)))
    notice = " · ".join(text for text in signs if text)
    code = code_of(labels, view)
    if pause is not None and pause.rules:
        told = (pause.text or labels["break"], pause.title, pause.rules, pause.follows)
        return Piece(layout.everything, drawings.rules, (*told, code, _test(labels, view)))
    lead, title = (view.hall, pause.text) if pause is not None and pause.text else ("", view.hall)
    return Piece(
        layout.everything,
        drawings.calm,
        (lead, title, tuple(facts), tuple(lines), notice, code, _test(labels, view)),
    )
