"""Turn a board view into the pieces of a picture: which picture it is, and what each piece says."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from station.screens.screen import codes, drawings, moments, table_scene
from station.screens.screen.codes import code_of
from station.screens.screen.drawings import Lit
from station.screens.screen.layout import ScreenLayout
from station.screens.screen.pen import Piece
from station.screens.screen.pictures import picture, pictures
from station.screens.screen.television import INSET
from station.wire.board_view import BoardView, Phase, Verdict, WinView, hall_signs
from station.wire.looks import sizes

Labels = Mapping[str, str]

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
    *codes.LABELS,
    *table_scene.LABELS,
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
        return Scene("ground", (Piece(layout.everything, moments.calm, says),))
    if view.frame:
        text = labels["test-frame"].format(setting=labels.get(SETTING, INSET))
        edges = (text, view.notice, labels.get(DISPLAY, ""))
        return Scene("ground", (Piece(layout.everything, moments.test_frame, edges),), stale)
    header = _header(layout, labels, view)
    told = tuple(text for text in (view.notice, view.luck) if text)
    # before the first call there is time to compare; then what happens has the room
    notice = " · ".join(told[:1] if view.called else told)
    footer = Piece(layout.footer, drawings.footer, (notice, hall_signs(view)))
    if view.table is not None and view.phase in (Phase.BETWEEN, Phase.PLAYING):
        played = table_scene.table_pieces(layout, labels, view, view.table)
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
        return Piece(layout.board, moments.waiting_claim, (*headline(stopped), others))
    symbols = pictures(view.theme, (number for row in claim.rows for number in row))
    numbers = ", ".join(map(str, claim.missing))
    missing = labels["missing"].format(numbers=numbers) if numbers else ""
    texts = (
        claim.label,
        labels["holder"].format(name=claim.holder) if claim.holder else "",
        labels[claim.verdict.value],
        missing if missing != claim.text else "",  # once is enough
    )
    return Piece(layout.board, moments.checked_card, (claim, view.last, *texts, others, symbols))


def _chips(view: BoardView) -> tuple[str, ...]:
    """Return the other cards checked at this stop, newest first, each with its sign."""
    others = [claim for claim in view.claims if claim != view.claim]
    newest = others[: -moments.CHIPS - 1 : -1]
    shown = tuple(
        f"{moments.SIGN_OF[claim.verdict]} {claim.label if claim.numbers else claim.serial}"
        for claim in newest
    )
    hidden = len(others) - len(shown)
    return (*shown, f"+{hidden}") if hidden else shown


def _halted(layout: ScreenLayout, labels: Labels, view: BoardView) -> tuple[Piece, ...]:
    reds = tuple(sign.text for sign in hall_signs(view) if sign.colour == "red")
    banner = (*headline(labels["halted"]), view.hall, _test(labels, view)[0])
    return (
        Piece(layout.header, moments.halted_banner, banner),
        Piece(layout.below, moments.paper_procedure, (reds, view.procedure)),
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
    newest = [f"✓ {_win(win)}" for win in view.wins[: -moments.LINES - 1 : -1]]
    lines += newest[: moments.LINES - len(lines)][::-1]
    signs = (view.notice, *(sign.text for sign in hall_signs(view)))
    notice = " · ".join(text for text in signs if text)
    code = code_of(labels, view)
    if pause is not None and pause.rules:
        told = (pause.text or labels["break"], pause.title, pause.rules, pause.follows)
        return Piece(layout.everything, moments.rules, (*told, code, _test(labels, view)))
    lead, title = (view.hall, pause.text) if pause is not None and pause.text else ("", view.hall)
    return Piece(
        layout.everything,
        moments.calm,
        (lead, title, tuple(facts), tuple(lines), notice, code, _test(labels, view)),
    )
