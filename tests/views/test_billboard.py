"""What the ten-cavity board shows when: numbers while they are called, words at all other times."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest

from drivers import Cavity
from station.base.nouns import CAVITIES
from station.night.acts import (
    Act,
    ClaimCard,
    CloseGame,
    CloseNight,
    DrawKnob,
    Note,
    Open,
    Pay,
    PlayOn,
    StopGame,
)
from station.night.hall import Hall, apply
from station.programme.programme import GamePlan, Programme, StagePlan
from station.views.billboard import words
from station.views.money_text import Currency
from station.views.views import LitKnob, cavities
from station.wire.wording import load_wording
from tests.drivers.board_reader import numbers
from tests.drivers.wall import SOON, Wall
from tests.night.test_hall import PACK, SOLD, A, night, row
from tests.support import Table, run_by_hand, settle, table_in

WORDS = load_wording("en")
POUNDS = Currency("£", 2)
CLAIMED = (StopGame(), ClaimCard(serial=A), PlayOn())
ALL_WON: tuple[Act, ...] = (
    SOLD,
    Open(),
    *row(A),
    *CLAIMED,
    *row(A, 1),
    *CLAIMED,
    *row(A, 2),
    *CLAIMED,
)
GAMES = len(night().programme.games)

SCENES: list[tuple[str, tuple[Act, ...], str]] = [
    ("before the first game", (), "The Hall · Next game: First"),
    ("cards are sold", (SOLD,), "The Hall · Next game: First · Prize: £0.28"),
    ("a game is open", (SOLD, Open()), ""),
    ("a number is called", (SOLD, Open(), DrawKnob(number=42)), ""),
    ("somebody claims", (SOLD, Open(), DrawKnob(number=42), StopGame()), "CLAIM"),
    (
        "not valid",
        (SOLD, Open(), DrawKnob(number=42), StopGame(), ClaimCard(serial=A)),
        "One line: NOT VALID",
    ),
    ("valid", (SOLD, Open(), *row(A), StopGame(), ClaimCard(serial=A)), "One line: VALID"),
    ("play goes on", (SOLD, Open(), *row(A), StopGame(), ClaimCard(serial=A), PlayOn()), ""),
    ("all is won", ALL_WON, "The full house is won."),
    ("the game is closed", (*ALL_WON, Pay(serial=A), CloseGame()), "The Hall · Next game: Second"),
    (
        "the pot is carried",
        (SOLD, Open(), CloseGame()),
        "The Hall · Next game: Second · Prize: £0.28",
    ),
    ("no game is left", (Open(), CloseGame()) * GAMES, "The Hall · That was the last game."),
    ("the night is over", (CloseNight(),), "The night is over. Good night!"),
]


@pytest.mark.parametrize(
    ("acts", "text"), [scene[1:] for scene in SCENES], ids=[scene[0] for scene in SCENES]
)
def test_what_the_board_says(acts: tuple[Act, ...], text: str) -> None:
    """Between games the hall, the next game and its pot; during a claim that there is one, then its
    verdict; in play nothing."""
    assert words(night(*acts), WORDS, "The Hall", POUNDS) == text


def test_a_claim_that_wins_none_of_several_prizes_names_none() -> None:
    """Where several can be won, the prizes that a card wins are named; for one that wins nothing
    the verdict stands alone."""
    plan = GamePlan(
        name="g",
        at_once=True,
        stages=(StagePlan(pattern="row", share=50), StagePlan(pattern="top-row")),
    )
    for acts, text in (
        ((DrawKnob(number=42),), "NOT VALID"),
        (row(A), "One line, Top line: VALID"),
    ):
        hall = reduce(
            apply,
            (SOLD, Open(), *acts, ClaimCard(serial=A)),
            Hall(PACK, Programme(name="p", games=(plan,))),
        )
        assert words(hall, WORDS, "The Hall", POUNDS) == text


PLACES: list[tuple[str, list[int], int | None, dict[int, int] | None, dict[int, LitKnob]]] = [
    ("none", [], None, None, {}),
    ("one waits", [5], 7, None, {0: LitKnob(5, newest=True), 1: LitKnob(7, called=False)}),
    (
        "the eleventh waits",
        [*range(1, 11)],
        11,
        None,
        {0: LitKnob(11, called=False), 9: LitKnob(10, newest=True)},
    ),
    ("where they lie", [5, 90], None, {90: 1, 5: 8}, {1: LitKnob(90, newest=True), 8: LitKnob(5)}),
    (
        "one lies there and waits",
        [5],
        7,
        {5: 0, 7: 3},
        {0: LitKnob(5, newest=True), 3: LitKnob(7, called=False)},
    ),
    ("one was taken away", [5, 90], None, {90: 1}, {1: LitKnob(90, newest=True)}),
    (
        "the newest lies nowhere",
        [5, 90],
        None,
        {5: 0},
        {0: LitKnob(5), 1: LitKnob(90, newest=True)},
    ),
    ("a knob that was not drawn", [5], None, {5: 0, 33: 4}, {0: LitKnob(5, newest=True)}),
]


@pytest.mark.parametrize(
    ("called", "waiting", "placement", "lit"),
    [place[1:] for place in PLACES],
    ids=[place[0] for place in PLACES],
)
def test_where_the_knobs_lie(
    called: list[int],
    waiting: int | None,
    placement: dict[int, int] | None,
    lit: dict[int, LitKnob],
) -> None:
    """One cavity after the other or, where readers know it, each in its own; the one that waits is
    told from those called."""
    shown = cavities(called, waiting, placement)
    assert len(shown) == CAVITIES
    assert {
        place: knob for place, knob in enumerate(shown) if knob is not None and place in lit
    } == lit
    if len(called) < CAVITIES:
        assert sum(knob is not None for knob in shown) == len(lit)


def test_numbers_and_words_take_turns(tmp_path: Path) -> None:
    """Words stand on the board until the game opens, numbers while they are called, words when
    somebody claims, numbers again."""

    async def work(table: Table) -> None:
        outputs = table.outputs
        table.desk.begin(resumed=False)
        assert outputs.messages[-1].startswith("Hall · Next game: ")
        said = len(outputs.messages)
        await table.wish("open")
        await table.wish("draw", number=42)
        lit = [shown for kind, shown in outputs.log if kind == "light"]
        assert lit[-1] == (Cavity(42, newest=True), *[None] * 9)
        assert len(outputs.messages) == said
        await table.heard()
        await table.wish("stop")
        assert outputs.messages[said:] == ["CLAIM"]
        await table.wish("play-on")
        assert [shown for kind, shown in outputs.log if kind == "light"][len(lit) :] == lit[-1:]
        await table.desk.close()

    with table_in(tmp_path) as table:
        run_by_hand(work(table))


def test_a_knob_that_waits_ends_the_words(tmp_path: Path) -> None:
    """A knob that is laid on the reader while a claim is looked at is lit as drawn and not called,
    among the numbers (H26)."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.wish("draw", number=42)
        await table.heard()
        await table.wish("stop")
        assert table.outputs.messages[-1] == "CLAIM"
        await table.read(37)
        assert lit(table) == (Cavity(42, newest=True), Cavity(37, called=False), *[None] * 8)
        await table.wish("play-on")
        await settle()
        assert lit(table) == (Cavity(42), Cavity(37, newest=True), *[None] * 8)
        await table.desk.close()

    with table_in(tmp_path) as table:
        run_by_hand(work(table))


@pytest.mark.parametrize("chips", ["matrix", "ws2812"])
def test_a_board_in_trouble(tmp_path: Path, chips: str) -> None:
    """Its bus fails while numbers are called: an amber sign and a line, no word, play goes on; when
    it is back it has caught up.

    A spark and a power cut are mended within the next second, and nobody is told (H38).
    """

    async def work(table: Table) -> None:
        await table.wish("open")
        wall = Wall(chips, refresh_s=SOON)
        with wall:
            wall.board.show(lit(table), 1)
            await table.receive(wall.events.next())
            wall.bus.fail()
            await table.receive(wall.events.next())
            assert [(sign.device, sign.colour) for sign in table.outputs.view.signs] == [
                ("matrix", "amber")
            ]
            assert "check its plug" in table.outputs.view.signs[0].text
            said = len(table.outputs.said)
            await table.wish("draw", number=42)
            wall.board.show(lit(table), 2)
            assert table.outputs.said[said:] == [("number.42",)]
            wall.bus.heal()
            await table.receive(*wall.events.take(2))
            assert table.outputs.view.signs == ()
            assert numbers(wall.bus.picture()) == ([42], 42)
            lines = len(table.told)
            for disturb in (wall.bus.glitch, wall.bus.power_cut):
                disturb()
                wall.wait_for(lambda picture: picture in wall_at_42)
            assert wall.events.empty()
            assert len(table.told) == lines
        notes = [
            (change.act.about, change.act.what.partition(":")[0])
            for change in table.told
            if isinstance(change.act, Note)
        ]
        assert notes == [("matrix", "lost"), ("matrix", "works again")]
        await table.desk.close()

    wall_at_42 = [at_42(chips)]
    with table_in(tmp_path) as table:
        run_by_hand(work(table))


def lit(table: Table) -> tuple[Cavity | None, ...]:
    """What the board was asked to light last."""
    shown: tuple[Cavity | None, ...] = [
        shown for kind, shown in table.outputs.log if kind == "light"
    ][-1]
    return shown


def at_42(chips: str) -> list[str]:
    """How a board looks on which 42 was called first."""
    with Wall(chips) as wall:
        wall.show(Cavity(42, newest=True))
        picture: list[str] = wall.bus.picture()
        return picture
