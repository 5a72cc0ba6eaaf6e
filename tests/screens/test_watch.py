"""The board in a terminal: all that the hall may see is on it, it says STALE, and it joins again by
itself."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import WireError
from station.base.terminal import Terminal
from station.programme.programme import GamePlan
from station.screens import watch
from station.views.shown import theme_view
from station.wire.board_view import (
    BoardView,
    ClaimView,
    GameView,
    JackpotView,
    PauseView,
    Phase,
    PrizeView,
    SignView,
    StageView,
    Verdict,
    WinView,
)
from station.wire.wire import SOCKET, WireServer
from station.wire.wording import load_wording
from tests import tables
from tests.invented import invented
from tests.support import LIMIT_S, run

WORDING = load_wording("en")
SCREEN = WORDING.screen
CARD = ((5, 11, 33, 50, 76), (17, 22, 43, 65, 89), (2, 28, 35, 56, 74))


ROW = StageView(key="row", name="One line", index=1, of=3, prize=PrizeView(minor=605, text="£6.05"))
CORNERS = StageView(
    key="corners",
    name="Four corners",
    index=2,
    of=3,
    prize=PrizeView(minor=0, text="a ham", thing="a ham"),
)


def board(**changes: Any) -> BoardView:
    """A board in mid-game."""
    whole = {
        "seq": 9,
        "night": 3,
        "test": True,
        "hall": "Village Hall",
        "language": "en",
        "phase": Phase.PLAYING,
        "game": GameView(
            number=2, of=3, name="Second game", method="Loto, First Method", stakes="quarters"
        ),
        "stage": ROW,
        "open": (ROW,),
        "prize": ROW.prize,
        "called": (42, 7, 90),
        "cards": 24,
        "players": 6,
    }
    return BoardView.model_validate({**whole, **changes})


def text_of(view: BoardView | None, *, stale: bool = False) -> str:
    """What stands in the terminal."""
    console = Terminal(soft_wrap=False, file=io.StringIO(), width=110, color_system=None)
    console.print(watch.draw(view, WORDING, stale=stale))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_board_has_all_that_the_hall_may_see() -> None:
    """Hall, game, stage, prize, calls, last numbers, cards, players: each in the hall's words."""
    text = text_of(board())
    for wanted in (
        "Village Hall",
        "Second game",
        "One line",
        "£6.05",
        "3/90",
        "24",
        "90",
        "7 42",
        SCREEN["test"],
    ):
        assert wanted in text, wanted
    for number in range(1, 91):
        assert f" {number} " in text, number
    assert SCREEN["test"] not in text_of(board(test=False))


def test_words_of_the_halls_own_come_with_the_view() -> None:
    """Whoever watches may have no right to look into the state folder."""
    assert "Heard so far" in text_of(board(words={"calls": "Heard so far"}))
    assert "Heard so far" not in text_of(board())


def test_a_table_stands_there_in_place_of_the_numbers() -> None:
    """Who has the bag, what each has won, counters on cards, pool and settlement; the picture's
    word with a theme."""
    theme = theme_view(GamePlan(name="Capitals", theme="geographical"), "en")
    text = text_of(tables.view(tables.drawn(tables.company(6), 7), theme=theme))
    for wanted in (
        "Anna has the bag",
        "➤",
        "Franco",
        "5 contracts, 4 fish",
        "Nicosia 34",
        "0001 ••",
    ):
        assert wanted in text, wanted
    text = text_of(tables.view(tables.settled(tables.company(6))))
    for wanted in (
        "Bruno counts the balls: 90",
        "Drawing 1 · from the pool: 2 fish",
        "Abstract 12",
        "1 fish, 5 counters",
    ):
        assert wanted in text, wanted


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        (
            "dice",
            ["The throw: ⚀ 1  ⚁ 2  ⚂ 3", "Cubes: [★]  [III]  [bell]  [ ]", "Round 3", "➤   Anna"],
        ),
        ("hands", ["5 × a card, face down", "A♥  10♠  K♦  2♣  J♠", "plays alone", "Turned up: Q♥"]),
        ("debts", ["Purse: debt –12.50", "debt –1 fish, 2 counters", "Bank: debt –12 fish"]),
        ("checks", ["2• 3 4• 5 6• / 7 8•", "Pool: 19 fish, 4 counters", "The throw: ⚄ 5  ⚂ 3"]),
        ("everything", ["0001 ••   Hidden: 3 × a card", "Points –21", "Round 4  Limit 120"]),
    ],
)
def test_things_of_any_game_are_told_in_letters(game: str, wanted: list[str]) -> None:
    """Cards with their faces or how many lie face down, dice, cubes, checks, points; a debt has its
    word and a minus."""
    text = text_of(invented(game, 3))
    for words in wanted:
        assert words in text, (words, text)


CLAIM = ClaimView(
    serial="0007",
    holder="Anna",
    rows=CARD,
    marked=(5, 11),
    missing=(33, 50),
    verdict=Verdict.NOT_COMPLETE,
    text="33 and 50 missing",
    label="Card 0007",
)
TICKET = ClaimView(
    **{**dict(CLAIM), "rows": (), "numbers": (5, 11, 33, 50, 89), "label": "Ticket 1"}
)
PRIZE = PrizeView(minor=300, text="£3.00")
WIN = WinView(
    stage="row",
    serial="0004",
    holder="Bruno",
    prize=PRIZE,
    paid=False,
    label="0004",
    status="to be paid",
)
PAUSE = PauseView(text="Tea", minutes=5, follows="Soon.")
JACKPOT = JackpotView(within=45, prize=PRIZE, text="Jackpot £3.00: within 45 calls")


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        (
            {"phase": Phase.STOPPED, "claim": CLAIM},
            [
                "0007",
                "Anna",
                "33 and 50 missing",
                SCREEN["stopped"],
                "  76",
                SCREEN["not-complete"],
            ],
        ),
        (
            {"claim": ClaimView(**{**dict(CLAIM), "rows": (), "verdict": Verdict.NOT_SOLD})},
            [SCREEN["not-sold"]],
        ),
        ({"claim": TICKET}, ["Ticket 1", "Anna", "  50  89"]),
        (
            {"wins": (WIN, WIN.model_copy(update={"status": "handed over"}))},
            ["0004", "Bruno", "£3.00", "to be paid", "handed over"],
        ),
        ({"open": (ROW, CORNERS)}, [SCREEN["open"], "One line", "£6.05", "Four corners", "a ham"]),
        ({"jackpot": JACKPOT}, ["Jackpot £3.00: within 45 calls"]),
        (
            {"phase": Phase.BETWEEN, "pause": PAUSE, "coming": ("Two", "Three", "Four")},
            ["Tea", "Soon.", "Two", "Three · Four"],
        ),
        ({"near": 7, "near_two": 31}, ["7 want one number, 31 want two"]),
        (
            {"signs": (SignView(device="reader", colour="amber", text="the cable is out"),)},
            ["the cable is out"],
        ),
        (
            {"phase": Phase.HALTED, "procedure": WORDING.procedure},
            [SCREEN["halted"], f"1. {WORDING.procedure[0]}", "6. "],
        ),
        ({"phase": Phase.BETWEEN, "called": ()}, [SCREEN["played"], "0/90", "–"]),
        ({"phase": Phase.BETWEEN, "coming": ("Two",)}, [SCREEN["between"], "Two"]),
        ({"phase": Phase.CLOSED, "game": None, "stage": None, "prize": None}, [SCREEN["closed"]]),
        ({"near": 7}, [SCREEN["near"].format(count=7)]),
        ({"notice": "7: drawn, not called"}, ["7: drawn, not called"]),
    ],
)
def test_what_happens_is_on_the_board(changes: dict[str, Any], wanted: list[str]) -> None:
    """A claim with its card and verdict, wins, signs, the paper procedure, the pauses."""
    text = text_of(board(**changes))
    for words in wanted:
        assert words in text, (words, text)


def test_an_old_picture_says_so() -> None:
    """STALE over the last known board, or alone when none was ever seen."""
    assert SCREEN["stale"] in text_of(None)
    assert SCREEN["stale"] in text_of(board(), stale=True)
    assert "Second game" in text_of(board(), stale=True)
    assert SCREEN["stale"] not in text_of(board())


@contextlib.asynccontextmanager
async def station_at(path: Path, view: BoardView) -> AsyncIterator[WireServer]:
    async def handle(*_: Any) -> None:
        return None

    server = WireServer(
        path, handle, lambda link: link.answer({"view": view.model_dump(mode="json")})
    )
    await server.open()
    try:
        yield server
    finally:
        await server.close()


class Paper(io.StringIO):
    """What was printed, with a wait for words to appear."""

    def __init__(self) -> None:
        super().__init__()
        self._printed = asyncio.Event()

    def write(self, text: str) -> int:
        self._printed.set()
        return super().write(text)

    async def says(self, words: str) -> None:
        async with asyncio.timeout(LIMIT_S):
            while words not in self.getvalue():
                self._printed.clear()
                await self._printed.wait()
        self.seek(0)
        self.truncate()


def console_on(paper: io.StringIO) -> Terminal:
    return Terminal(soft_wrap=False, file=paper, width=110, color_system=None, force_terminal=True)


def test_once_shows_the_board_and_ends(tmp_path: Path) -> None:
    """`--once` prints one board; with `--json` one line that is the view."""

    async def work() -> None:
        for as_json in (False, True):
            paper = io.StringIO()
            async with station_at(tmp_path / SOCKET, board()):
                code = await watch.watch(
                    tmp_path / SOCKET,
                    WORDING,
                    as_json=as_json,
                    once=True,
                    console=console_on(paper),
                )
            assert code == 0
            if as_json:
                assert BoardView.model_validate(json.loads(paper.getvalue())) == board()
            else:
                assert "Second game" in paper.getvalue()

    run(work())


def test_once_without_a_station_is_one_sentence(tmp_path: Path) -> None:
    """Whoever asks once is told that there is no station, and does not wait."""
    with pytest.raises(WireError, match="no station answers"):
        run(watch.watch(tmp_path / SOCKET, WORDING, once=True, console=console_on(io.StringIO())))


def test_it_waits_for_the_station_says_stale_and_joins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started before the station, through a silence and a restart: the picture comes back by
    itself."""
    monkeypatch.setattr(watch, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(watch, "LONGEST_PAUSE_S", 0.02)
    monkeypatch.setattr(watch, "STALE_S", 0.05)

    async def work() -> None:
        paper = Paper()
        watching = asyncio.ensure_future(
            watch.watch(tmp_path / SOCKET, WORDING, console=console_on(paper))
        )
        try:
            await paper.says(SCREEN["stale"])
            async with station_at(tmp_path / SOCKET, board()) as server:
                await paper.says("Second game")
                await paper.says(SCREEN["stale"])  # nothing came for a while
                server.push("view", {"view": board(notice="eyes down").model_dump(mode="json")})
                await paper.says("eyes down")
            await paper.says(SCREEN["stale"])
            async with station_at(tmp_path / SOCKET, board(notice="back again")):
                await paper.says("back again")
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    run(work())


def test_lines_of_json_follow_each_other(tmp_path: Path) -> None:
    """`--json` prints every view as it comes, and nothing else."""

    async def work() -> None:
        paper = Paper()
        async with station_at(tmp_path / SOCKET, board()) as server:
            watching = asyncio.ensure_future(
                watch.watch(tmp_path / SOCKET, WORDING, as_json=True, console=console_on(paper))
            )
            await paper.says('"seq": 9')
            server.push("view", {"view": board(seq=10).model_dump(mode="json")})
            await paper.says('"seq": 10')
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    run(work())
