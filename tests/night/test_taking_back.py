"""A correction pauses automatic calling until somebody resumes it (H46): whoever takes back is
never overtaken."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from drivers import Pressed, Released
from station.programme.programme import GamePlan, Programme, TablePlan
from station.record.requests import Done, Refused
from tests.support import Table, pass_time, run_by_hand, settle, table_in

Work = Callable[[Table], Awaitable[None]]
BUTTONS = ("draw", "claim", "next", "undo", "auto", "off")


def at_desk(folder: Path, work: Work, **settings: Any) -> None:
    async def whole(table: Table) -> None:
        await work(table)
        await settle()
        await table.desk.close()

    with table_in(folder, **{"buttons": BUTTONS, "pace": 2.0, **settings}) as table:
        run_by_hand(whole(table))


async def calling(table: Table) -> None:
    """A game is open, the station calls by itself, and has called."""
    await table.wish("sell", serials=["0001"])
    await table.wish("open")
    await table.heard()
    assert isinstance(await table.wish("auto", on=True), Done)
    await pass_time(2.1)
    await table.heard()
    assert table.session.hall.calls == 1


async def by_wire(table: Table) -> None:
    await table.wish("undo", why="misread")


async def by_button(table: Table) -> None:
    await table.receive(Pressed("undo", 0.0), Released("undo", 0.0, 0.0))


WAYS = {"over the wire": by_wire, "by its button": by_button}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("see_first", [False, True])
def test_a_correction_calls_by_hand(tmp_path: Path, way: str, see_first: bool) -> None:
    """Nothing is called after it, however long it takes; it is heard and seen; resumed, the same
    number comes again."""

    async def work(table: Table) -> None:
        await calling(table)
        number = table.calls[-1]
        await WAYS[way](table)
        said = table.outputs.said
        assert said[-2][-1] == "not-called"
        assert said[-1] == ("auto-off",)
        view = table.outputs.view
        assert not view.auto.on
        assert view.notice.endswith("was not called. Calling by hand.")
        await table.heard()
        await pass_time(600)
        assert (table.session.hall.calls, table.told[-1].act.act) == (0, "undo")
        await table.wish("auto", on=True)
        await pass_time(2.1)
        assert table.calls == (number,)

    at_desk(tmp_path, work, see_first=see_first)


def test_a_correction_while_a_number_is_said(tmp_path: Path) -> None:
    """Taken back before it was heard: its end winds nothing."""

    async def work(table: Table) -> None:
        await calling(table)
        await pass_time(2.1)
        assert table.session.hall.calls == 2
        await by_wire(table)
        await table.heard()
        await pass_time(60)
        assert table.session.hall.calls == 1

    at_desk(tmp_path, work)


def test_a_correction_in_the_moment_in_which_a_call_is_due(tmp_path: Path) -> None:
    """The correction is first at the door: the call that was due by then is refused, for it would
    be the same number again."""

    async def work(table: Table) -> None:
        await calling(table)
        loop = asyncio.get_running_loop()
        undone: list[asyncio.Task[Any]] = []
        # The call is due two seconds after the first one began, which was a tenth of a second ago.
        loop.call_at(
            loop.time() + 1.9 - 5e-10,
            lambda: undone.append(asyncio.ensure_future(table.wish("undo", why="misread"))),
        )
        await pass_time(60)
        assert [type(task.result()) for task in undone] == [Done]
        assert [change.act.act for change in table.told if change.act.act in ("draw", "undo")] == [
            "draw",
            "undo",
        ]

    at_desk(tmp_path, work)


def test_a_correction_that_is_refused_pauses_nothing(tmp_path: Path) -> None:
    """There was nothing to take back: the station calls on."""

    async def work(table: Table) -> None:
        await table.wish("sell", serials=["0001"])
        await table.wish("open")
        await table.heard()
        await table.wish("auto", on=True)
        assert isinstance(await table.wish("undo", why="misread"), Refused)
        await pass_time(2.1)
        assert (table.session.hall.calls, table.outputs.view.auto.on) == (1, True)

    at_desk(tmp_path, work)


def test_a_correction_by_hand_says_nothing_of_it(tmp_path: Path) -> None:
    """Where the caller calls by hand there is nothing to pause."""

    async def work(table: Table) -> None:
        await table.wish("sell", serials=["0001"])
        await table.wish("open")
        await table.wish("draw")
        await table.heard()
        await by_wire(table)
        assert ("auto-off",) not in table.outputs.said

    at_desk(tmp_path, work)


def test_a_correction_at_the_table(tmp_path: Path) -> None:
    """A company's knob is taken back as a hall's number is: the next one waits for its host."""
    game = GamePlan(name="Table", method="loto-second", table=TablePlan(cards=12))

    async def work(table: Table) -> None:
        await table.wish("sit", players=[{"name": "Anna"}, {"name": "Bruno"}])
        await table.wish("open")
        await table.wish("shake", counted=90)
        await table.heard()
        await table.wish("auto", on=True)
        await pass_time(2.1)
        await table.heard()
        assert table.session.hall.calls == 1
        await by_wire(table)
        await table.heard()
        await pass_time(60)
        assert (table.session.hall.calls, table.outputs.view.auto.on) == (0, False)
        assert ("auto-off",) in table.outputs.said

    at_desk(tmp_path, work, programme=Programme(name="t", games=(game,)))


def test_a_power_cut_after_a_correction(tmp_path: Path) -> None:
    """The station comes back calling by hand, with the correction recorded, and calls nothing by
    itself."""

    async def before(table: Table) -> None:
        await calling(table)
        await by_wire(table)

    async def after(table: Table) -> None:
        table.desk.begin(resumed=True)
        await table.heard()
        await pass_time(60)
        assert (table.session.hall.calls, table.outputs.view.auto.on) == (0, False)

    at_desk(tmp_path, before)
    at_desk(tmp_path, after)
