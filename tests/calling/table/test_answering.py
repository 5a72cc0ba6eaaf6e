"""Buzzers at the table: presses become answers of the First Method, in the record, before the next
knob, and not after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from drivers import Buzzed, DeviceFound, DeviceLost
from station.calling.table.answering import NOTICE_PAUSE_S
from station.night.table.race import GRACE_S
from station.programme.programme import GamePlan, Programme, TablePlan
from station.record.requests import Done, Refused
from tests.support import Table, night_in, pass_time, play, run_by_hand, settle

NAMES = ("Anna", "Bruno", "Carla", "Dario")
WAIT_S = 0.05  # more than a tie takes


def programme(**table: Any) -> Programme:
    """One game at the table, and one for a hall."""
    agreed = TablePlan(
        **{"stake": 120, "cards": 12, "stakes": "whole", "answering": "first", **table}
    )
    games = (
        GamePlan(name="Race", method="loto-parlour", table=agreed),
        GamePlan(name="Hall", price=100),
    )
    return Programme(name="A race", games=games)


@asynccontextmanager
async def parlour(state: Path, **options: Any) -> AsyncIterator[Table]:
    """Four players with three cards each, the bag shaken, nothing drawn yet."""
    with night_in(state, programme=programme(**options.pop("table", {}))) as night:
        table = Table(night, **options)
        players = [{"name": name, "purse": 10_000, "takes": 3} for name in NAMES]
        for answer in await play(
            table.session,
            [{"act": "sit", "players": players}, "open", {"act": "shake", "counted": 90}],
        ):
            assert isinstance(answer, Done), answer
        yield table
        await table.desk.close()


async def draw(table: Table, number: int | None = None) -> None:
    """A knob, called and heard."""
    arguments = {} if number is None else {"number": number}
    answer = await table.wish("draw", **arguments)
    assert isinstance(answer, Done), answer
    await table.heard()


def of(table: Table, seat: int) -> int:
    """A number that this seat holds: a tie begins with whoever holds it."""
    state = table.session.hall.at_table.state
    return next(number for number in sorted(state.bag) if seat in state.holders(number))


def now() -> float:
    return asyncio.get_running_loop().time()


async def buzz(table: Table, *presses: tuple[int, float], box: str = "buzzers") -> None:
    """Presses of these lines, so many milliseconds from now; they are told at once, and what
    follows is waited for."""
    at = now()
    table.outputs.log.clear()
    for line, ms in presses:
        table.desk.receive(Buzzed(box, line, at + ms / 1000))
    await pass_time(WAIT_S)


def moves(table: Table) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The ties that stand in the record, in order."""
    found = [change.act.move for change in table.told if change.act.act == "move"]
    return [(tuple(move["seats"]), tuple(move["micros"])) for move in found]


def test_the_first_to_press_answers(tmp_path: Path) -> None:
    """In the order of their times, ties as ties, by the input's name; and the rules decide who
    covers."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table, of(table, 4))
            await buzz(table, (3, 2.0), (1, 0.4), (4, 0))
            assert moves(table) == [((4, 1), (0, 400)), ((3,), (0,))]
            assert {change.via for change in table.told if change.act.act == "move"} == {"buzzers"}
            state = table.session.hall.at_table.state
            assert [(answer.seat, answer.micros) for answer in state.answered] == [
                (4, 0),
                (1, 400),
                (3, 0),
            ]
            assert state.silent == (2,)
            await buzz(table, (1, 0), (3, 0))
            assert len(moves(table)) == 2, "a seat answers a number once"
            await draw(table)
            await buzz(table, (1, 0))
            assert moves(table)[2:] == [((1,), (0,))]

    run_by_hand(evening())


def test_the_host_hears_an_answer_that_waits(tmp_path: Path) -> None:
    """He enters it while the press still waits for its tie: it counts once, and the others of that
    tie count too."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            state = table.session.hall.at_table.state
            number = next(number for number in range(1, 91) if len(state.holders(number)) == 2)
            left, right = state.holders(number)
            await draw(table, number)
            at = now()
            for line in (right, left):
                table.desk.receive(Buzzed("buzzers", line, at))
            assert isinstance(
                await table.wish("move", move={"do": "answer", "seats": [right], "micros": [0]}),
                Done,
            )
            await pass_time(WAIT_S)
            assert moves(table) == [((right,), (0,)), ((left,), (0,))]

    run_by_hand(evening())


def test_a_desk_that_closes_records_the_draw_that_waits(tmp_path: Path) -> None:
    """The answers before it, then the number: nothing that was asked for is lost."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            number = of(table, 4)
            await draw(table, number)
            table.desk.receive(Buzzed("buzzers", 4, now()))
            drawing = asyncio.ensure_future(table.wish("draw", number=number % 90 + 1))
            await asyncio.sleep(0)
            await table.desk.close()
            assert isinstance(await drawing, Done)
            acts = [change.act.act for change in table.told if change.act.act in ("move", "draw")]
            assert acts == ["draw", "move", "draw"]

    run_by_hand(evening())


def test_a_wrong_answer_parts_no_tie(tmp_path: Path) -> None:
    """Whoever has not the number presses first: the two holders are tied by their own times, and
    the one on the left covers."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            state = table.session.hall.at_table.state
            number = next(number for number in range(1, 91) if len(state.holders(number)) == 2)
            left, right = state.holders(number)
            wrong = next(seat for seat in range(1, 5) if seat not in (left, right))
            await draw(table, number)
            await buzz(table, (wrong, 0), (right, 0.9), (left, 1.2))
            assert moves(table) == [((wrong,), (0,)), ((right, left), (0, 300))]
            [call] = table.session.hall.at_table.state.calls
            assert call.covers == (left,)

    run_by_hand(evening())


def test_an_answer_before_the_draw_is_recorded_before_it(tmp_path: Path) -> None:
    """A press that is still waiting for its tie when a knob is asked for stands in the journal
    before that knob."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table)
            table.desk.receive(Buzzed("buzzers", 2, now()))
            await draw(table)
            assert [change.act.act for change in table.told[-3:]] == ["draw", "move", "draw"]
            assert moves(table) == [((2,), (0,))]

    run_by_hand(evening())


def test_an_answer_after_the_draw_was_asked_for_is_told_and_does_not_count(tmp_path: Path) -> None:
    """Told while the knob is recorded: it is no answer to the number before, nor to the next one; a
    line says so."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table)
            asked = asyncio.ensure_future(table.wish("draw"))
            await asyncio.sleep(0)
            table.desk.receive(Buzzed("buzzers", 1, now()))  # in its very moment it counts
            table.desk.receive(Buzzed("buzzers", 2, now() + 0.000_1))
            assert isinstance(await asked, Done)
            await pass_time(WAIT_S)
            assert moves(table) == [((1,), (0,))]
            assert "Bruno answered too late" in table.outputs.view.notice
            await table.heard()
            await buzz(table, (2, 0))
            assert moves(table)[1:] == [((2,), (0,))], "the next number can be answered"

    run_by_hand(evening())


def test_a_draw_that_is_refused_takes_no_answer_away(tmp_path: Path) -> None:
    """A knob that was called already is refused: what was pressed meanwhile answers the number that
    is still open."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table, 17)
            asked = asyncio.ensure_future(table.wish("draw", number=17))
            await asyncio.sleep(0)
            table.desk.receive(Buzzed("buzzers", 2, now() + 0.001))
            assert isinstance(await asked, Refused)
            await pass_time(WAIT_S)
            assert moves(table) == [((2,), (0,))]

    run_by_hand(evening())


def test_what_is_pressed_while_answers_are_recorded_queues_up(tmp_path: Path) -> None:
    """A burst longer than the record takes: all of them, in order, one tie after the other."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table)
            for line in (4, 3, 2, 1):
                table.desk.receive(Buzzed("buzzers", line, now()))
                await pass_time(GRACE_S)
            await pass_time(WAIT_S)
            assert moves(table) == [((line,), (0,)) for line in (4, 3, 2, 1)]

    run_by_hand(evening())


def test_after_a_knob_was_taken_back_the_one_before_is_open_again(tmp_path: Path) -> None:
    """For those who had not answered it."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table)
            await buzz(table, (1, 0))
            await draw(table)
            await buzz(table, (2, 0))
            assert isinstance(await table.wish("undo"), Done)
            await table.heard()
            await buzz(table, (1, 0), (2, 1))
            assert moves(table) == [((1,), (0,)), ((2,), (0,)), ((2,), (0,))]

    run_by_hand(evening())


NOTHING = "there is nothing to answer now"


@pytest.mark.parametrize(
    ("what", "options", "acts", "line", "notice"),
    [
        ("before anything is drawn", {}, [], 2, f"Bruno pressed: {NOTHING}"),
        (
            "where all answer",
            {"table": {"answering": "everyone"}},
            ["draw"],
            2,
            f"Bruno pressed: {NOTHING}",
        ),
        (
            "after the game",
            {},
            ["draw", {"act": "break", "why": "late"}],
            2,
            f"Bruno pressed: {NOTHING}",
        ),
        (
            "an empty seat",
            {},
            ["draw"],
            9,
            "The buzzer of seat 9 was pressed, and nobody plays there",
        ),
    ],
)
def test_a_press_that_answers_nothing(
    tmp_path: Path, what: str, options: dict[str, Any], acts: list[Any], line: int, notice: str
) -> None:
    """It changes nothing, and a line under the board says so; hammering does not repaint the
    screens each time."""

    async def evening() -> None:
        async with parlour(tmp_path, **options) as table:
            await play(table.session, acts)
            await pass_time(NOTICE_PAUSE_S)
            seq = table.session.seq
            await buzz(table, *((line, ms) for ms in range(40)))
            assert table.session.seq == seq
            assert [shown.notice for kind, shown in table.outputs.log if kind == "view"] == [notice]

    run_by_hand(evening())


def test_the_settings_say_whose_a_line_is(tmp_path: Path) -> None:
    """Two boxes: their lines are seats of their own, and a line that nobody has is nobody's."""

    async def evening() -> None:
        async with parlour(
            tmp_path, buzzers={"buzzers": {1: 1}, "buzzers-left": {1: 4, 2: 2}}
        ) as table:
            await draw(table, of(table, 4))
            await buzz(table, (1, 0), (3, 0.1))
            await buzz(table, (1, 0), (2, 0.5), box="buzzers-left")
            assert moves(table) == [((1,), (0,)), ((4, 2), (0, 500))]

    run_by_hand(evening())


def test_a_number_that_was_open_before_a_restart_can_be_answered(tmp_path: Path) -> None:
    """The station starts in the middle of a game: the last number is still open, for those who had
    not answered."""

    async def before() -> None:
        async with parlour(tmp_path) as table:
            await draw(table)
            await buzz(table, (1, 0))

    async def after() -> None:
        with night_in(tmp_path) as night:
            table = Table(night)
            table.desk.begin(resumed=True)
            await settle()
            await buzz(table, (1, 1), (3, 2))
            assert moves(table) == [((3,), (0,))]
            await table.desk.close()

    run_by_hand(before())
    run_by_hand(after())


def test_a_box_that_is_gone_in_a_race(tmp_path: Path) -> None:
    """A sign says what to do, the game goes on by the host's word; once it is back the sign goes,
    and who presses answers."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table)
            gone = "the buzzers do not answer on /dev/ttyACM0"
            table.desk.receive(DeviceLost("buzzers", gone, now()))
            assert [(sign.colour, sign.text) for sign in table.outputs.view.signs] == [
                ("amber", gone)
            ]
            assert isinstance(
                await table.wish("move", move={"do": "answer", "seats": [3], "micros": [0]}), Done
            )
            await draw(table)
            assert table.outputs.view.signs
            table.desk.receive(DeviceFound("buzzers", now()))
            assert not table.outputs.view.signs
            await buzz(table, (2, 0))
            assert moves(table) == [((3,), (0,)), ((2,), (0,))]

    run_by_hand(evening())


def test_a_press_after_the_end_is_not_waited_for(tmp_path: Path) -> None:
    """Closing the desk with an answer under way leaves no timer behind, and nothing is recorded
    after it."""

    async def evening() -> None:
        async with parlour(tmp_path) as table:
            await draw(table)
            table.desk.receive(Buzzed("buzzers", 2, now()))
            await table.desk.close()
            await pass_time(1.0)
            assert moves(table) == []

    run_by_hand(evening())
