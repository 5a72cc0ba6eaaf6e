"""Our own screens draw zones alone: the older fields of a table, which stay on the wire for other
people's screens, change nothing, and no screen names a game."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

from station.base.terminal import Terminal
from station.games import GAMES
from station.games.loto_parlour import game as loto_parlour
from station.night.table.game import played
from station.screens import watch
from station.screens.screen.layout import lay_out
from station.screens.screen.scene import compose
from station.wire.board_view import BoardView, SeatView, SumView, TableView
from station.wire.wording import load_wording
from tests.tables import company, drawn, settled, view

PROJECT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path
    for room in ("screens", "web")
    for ending in ("py", "js")
    for path in (PROJECT / "station" / room).rglob(f"*.{ending}")
)
WORDS = load_wording()
NOTHING = SumView(counters=0, contracts=0, fish=0, singles=0, text="")
# What our screens read of a table, and of a seat. All else is for other people's screens.
OF_A_TABLE = ("text", "seats", "zones", "turn", "leads", "won", "wins")
OF_A_SEAT = ("seat", "name", "simulated")
OLDER = sorted(TableView.model_fields.keys() - {*OF_A_TABLE})
NAMES = sorted({name for key, play in GAMES.items() for name in (key, key.replace("-", "_"))})


def race() -> Any:
    """A number that several hold, answered by one who does not."""
    game = drawn(company(6, "loto-parlour", answering="first", stakes="counters", stake=30), 20)
    wrong = next(seat for seat in range(1, 7) if seat not in game.state.holders(game.board[-1]))
    return played(game, loto_parlour.Answer((wrong,), (0,)))


VIEWS = {
    "drawn": view(drawn(company(6), 7)),
    "settled": view(settled(company(6))),
    "told": view(settled(company(6)), telling=0),
    "race": view(race()),
}


def bare(shown: BoardView) -> BoardView:
    """The same view with nothing in its older fields."""
    assert shown.table is not None
    seats = tuple(
        SeatView(**{key: getattr(seat, key) for key in OF_A_SEAT}, cards=(), hand=NOTHING)
        for seat in shown.table.seats
    )
    kept: dict[str, Any] = {key: getattr(shown.table, key) for key in OF_A_TABLE}
    table = TableView(**{**kept, "seats": seats, "phase": "", "step": "", "pool": NOTHING})
    assert table != shown.table
    return shown.model_copy(update={"table": table})


def printed(shown: BoardView) -> str:
    """What stands in the terminal."""
    console = Terminal(soft_wrap=False, file=io.StringIO(), width=130, color_system=None)
    console.print(watch.draw(shown, WORDS))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("state", VIEWS)
@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)])
def test_the_screen_and_the_terminal_draw_zones_alone(state: str, size: tuple[int, int]) -> None:
    """With nothing in the older fields they show the same."""
    shown, layout = VIEWS[state], lay_out(size)
    whole, rest = (compose(layout, WORDS.screen, one, stale=False) for one in (shown, bare(shown)))
    assert whole == rest
    assert printed(shown) == printed(bare(shown))


@pytest.mark.parametrize("page", FILES, ids=lambda path: path.name)
def test_no_screen_names_a_game_or_asks_for_older_fields(page: Path) -> None:
    """Neither by its key nor by its module; nor is a table asked where its game stands."""
    text = page.read_text(encoding="utf-8")
    assert [name for name in NAMES if re.search(rf"\b{re.escape(name)}\b", text)] == []
    fields = "|".join(OLDER)
    assert re.findall(rf"\btable\??\.(?:{fields})\b", text) == []


@pytest.mark.parametrize("line", ["view.table.step", "before.table?.drawing", "table.answers"])
def test_an_older_field_would_be_found(line: str) -> None:
    """The search finds what it is for."""
    assert re.findall(rf"\btable\??\.(?:{'|'.join(OLDER)})\b", line)
