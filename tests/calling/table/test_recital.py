"""A drawing told card by card: row after row with the voice, cut short by whoever goes on; a total
after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drivers import SoundEnded
from station.calling.table.recital import LONGEST_S, SILENT_S
from station.games.loto_second.drawing import SettledRow, won_rows
from station.programme.programme import GamePlan, Programme, TablePlan
from station.record.requests import Done
from station.rules.patterns import ROW_NAMES
from station.views.table.announcing import sum_clips, told_again, what_comes
from station.wire.zones import NumberCardThing
from tests.support import Table, pass_time, run_by_hand, settle, table_in

BY_CARD = TablePlan(cards=12, settling="cards")
PROGRAMME = Programme(
    name="GameInPlay",
    games=tuple(GamePlan(name=f"Game {n}", method="loto-second", table=BY_CARD) for n in (1, 2)),
)


async def until_settled(table: Table) -> None:
    """A company sits, and a drawing in which rows win is settled."""
    players = [{"name": "Anna", "takes": 6}, {"name": "Bruno", "takes": 6}]
    assert isinstance(await table.wish("sit", players=players), Done)
    for act in ("open", "shake"):
        arguments = {"counted": 90} if act == "shake" else {}
        assert isinstance(await table.wish(act, **arguments), Done)
    for _ in range(10):
        await table.heard()
        assert isinstance(await table.wish("draw"), Done)
    await table.heard()
    table.outputs.log.clear()
    assert isinstance(await table.wish("move", move={"do": "settle"}), Done)
    await settle()


def telling(table: Table) -> int | None:
    """Which of the rows that won is highlighted on its card; None for none of them."""
    shown, game = table.outputs.view.table, table.session.hall.table
    assert shown is not None
    assert game is not None
    lit = [
        (zone.seat, thing.serial, thing.told - 1)
        for zone in shown.zones
        for thing in zone.things
        if isinstance(thing, NumberCardThing) and thing.told
    ]
    rows = [(row.seat, row.serial, row.row) for row in won_rows(game.state.settlement)]
    return rows.index(lit[0]) if lit else None


@pytest.fixture
def parlour(tmp_path: Path) -> Any:
    """Runs a test at a table where a drawing has just been settled."""

    def run_it(work: Any, *, voice: bool = True) -> None:
        async def whole(table: Table) -> None:
            table.outputs.voice = voice
            await until_settled(table)
            await work(table)
            await settle()
            await table.desk.close()

        with table_in(tmp_path, programme=PROGRAMME) as table:
            run_by_hand(whole(table))

    return run_it


def row_told(row: SettledRow) -> tuple[str, ...]:
    """Return the clips of one row that won: whose, what and how much."""
    kind = f"class-{ROW_NAMES[row.laid]}"
    return ("player-number", f"number.{row.seat}", kind, *sum_clips(row.won))


def test_each_row_is_told_when_the_one_before_was_heard(parlour: Any) -> None:
    """Every row that won, in the order of paying, highlighted while it is told; then what comes
    next."""

    async def work(table: Table) -> None:
        game = table.session.hall.table
        assert game is not None
        assert game.state.settlement is not None
        rows = won_rows(game.state.settlement)
        assert len(rows) > 1
        for place, row in enumerate(rows):
            assert telling(table) == place
            assert table.outputs.said[-1][-len(row_told(row)) :] == row_told(row)
            await table.heard()
        assert telling(table) is None
        assert table.outputs.said[-1] == what_comes(game)
        await table.heard()
        assert table.outputs.said[-1] == what_comes(game)

    parlour(work)


def test_whoever_goes_on_cuts_it_short(parlour: Any) -> None:
    """The bag is counted while rows are told: nothing more of them is said, nor when their
    announcement ends."""

    async def work(table: Table) -> None:
        assert telling(table) == 0
        token = table.outputs.unheard[-1]
        assert isinstance(await table.wish("shake", counted=90), Done)
        assert telling(table) is None
        said = table.outputs.said[-1]
        await table.receive(SoundEnded(token, True, 0.0))
        await pass_time(2 * LONGEST_S)
        assert table.outputs.said[-1] == said

    parlour(work)


def test_without_a_voice_each_row_stays_for_a_while(parlour: Any) -> None:
    """Nobody says when it ended, so time does."""

    async def work(table: Table) -> None:
        assert telling(table) == 0
        await pass_time(SILENT_S + 0.1)
        assert telling(table) == 1

    parlour(work, voice=False)


def test_a_voice_that_never_ends_does_not_hold_it_up(parlour: Any) -> None:
    """After the longest time the next row is told."""

    async def work(table: Table) -> None:
        await pass_time(LONGEST_S + 0.1)
        assert telling(table) == 1

    parlour(work)


def test_a_row_has_its_own_time(parlour: Any) -> None:
    """The time of the row before does not run on: it was heard, and the next one is not cut
    short."""

    async def work(table: Table) -> None:
        await pass_time(LONGEST_S - 5)
        await table.heard()
        assert telling(table) == 1
        await pass_time(10)
        assert telling(table) == 1

    parlour(work)


def test_after_a_restart_it_is_told_as_a_total(tmp_path: Path) -> None:
    """The settlement that was being told is told again, whole, and no row is highlighted."""

    async def first(table: Table) -> None:
        await until_settled(table)
        await table.desk.close()

    async def second() -> None:
        with table_in(tmp_path) as table:
            table.desk.begin(resumed=True)
            await settle()
            game = table.session.hall.at_table
            assert game is not None
            assert table.outputs.said[0] == told_again(game)
            assert telling(table) is None
            await table.desk.close()

    with table_in(tmp_path, programme=PROGRAMME) as table:
        run_by_hand(first(table))
    run_by_hand(second())
