"""The desk in games with patterns: the station that stops by itself, the nearest cards, a programme
moved on by one button."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from drivers import Light, Pressed, Released
from station.programme.programme import (
    GamePlan,
    JackpotPlan,
    OwnPattern,
    PausePlan,
    Programme,
    StagePlan,
)
from station.record.journal import FILE, read
from station.wire.board_view import Phase
from tests.support import Table, night_in, pass_time, run_by_hand, settle, small_pack

Work = Callable[[Table], Coroutine[Any, Any, None]]
PACK = small_pack()
KITE = OwnPattern(name="big-kite", pictures=(("..#..", ".#.#.", "#.#.#"),))
PROGRAMME = Programme(
    name="A night",
    approve_above=0,
    games=(
        GamePlan(
            name="All at once",
            price=100,
            at_once=True,
            stages=(
                StagePlan(pattern="corners", thing="a ham"),
                StagePlan(pattern=KITE, share=20),
                StagePlan(pattern="full"),
                StagePlan(pattern="full", share=10),
            ),
            pause=PausePlan(text="Tea", minutes=5),
        ),
        GamePlan(
            name="The jackpot", stages=(StagePlan(pattern="early-five", prize=100),
                                        StagePlan(pattern="full", prize=500)),
            jackpot=JackpotPlan(within=90, least=1000),
        ),
        GamePlan(name="As ever", price=100),
    ),
)  # fmt: skip


@contextmanager
def table_in(state: Path, programme: Programme = PROGRAMME, **settings: Any) -> Iterator[Table]:
    with night_in(state, programme=programme) as night:
        yield Table(night, **settings)


def at_table(state: Path, work: Work, **settings: Any) -> None:
    """Runs a test at a table; the first six cards are Anna's, the others nobody's by name."""

    async def whole(table: Table) -> None:
        games = len(settings.get("programme", PROGRAMME).games)
        await table.wish("sell", ranges=[["0001", "0006"]], to="Anna", games=games)
        await table.wish("sell", ranges=[["0007", "0012"]], games=games)
        await work(table)
        await settle()
        await table.desk.close()

    with table_in(state, **settings) as table:
        run_by_hand(whole(table))


def corners(serial: str) -> list[int]:
    rows = PACK.card(serial).rows
    return [rows[0][0], rows[0][4], rows[2][0], rows[2][4]]


async def call(table: Table, *numbers: int) -> None:
    for number in numbers:
        await table.read(number)
        await table.heard()


def acts(table: Table) -> list[tuple[str, str]]:
    """What was recorded, by which input."""
    return [(change.act.act, change.via) for change in table.told]


def test_the_station_stops_by_itself_only_where_the_hall_wants_it(tmp_path: Path) -> None:
    """By default a card that has won is its player's to claim: nothing stops."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await call(table, *corners("0003"))
        assert table.outputs.view.phase is Phase.PLAYING
        assert "stop" not in [act for act, _ in acts(table)]

    at_table(tmp_path, work)


def test_the_station_stops_when_a_card_in_play_has_won(tmp_path: Path) -> None:
    """H30: after the number was said, recorded, by the station itself, with lamps and words; no
    other number comes before."""

    async def work(table: Table) -> None:
        await table.wish("open")
        numbers = corners("0003")
        await call(table, *numbers[:3])
        await table.read(numbers[3])
        assert table.outputs.view.phase is Phase.PLAYING
        other = next(number for number in range(1, 91) if number not in numbers)
        await table.read(other)  # drawn meanwhile: it waits through the stop
        await table.heard()
        assert acts(table)[-1] == ("stop", "auto")
        assert table.outputs.said[-1] == ("stop-won",)
        assert table.outputs.view.phase is Phase.STOPPED
        assert table.outputs.lamps["beacon"] is Light.BLINK
        assert table.calls == tuple(numbers)
        await table.wish("claim", serial="0003")
        await table.wish("play-on")
        assert [(win.serial, win.stage) for win in table.outputs.view.wins] == [
            ("0003", "Four corners")
        ]
        await settle()
        assert table.calls == (*numbers, other)

    at_table(tmp_path, work, stop_won=True)


def test_automatic_calling_waits_while_somebody_has_won(tmp_path: Path) -> None:
    """The station that calls by itself stops by itself, and goes on when the check is over; without
    a claim it goes on too."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await call(table, *corners("0003")[:3])
        await table.wish("auto", on=True, pace=2)
        await call(table, corners("0003")[3])
        before = len(table.calls)
        await pass_time(60)
        assert len(table.calls) == before
        await table.wish("play-on")
        await pass_time(5)
        assert len(table.calls) > before

    at_table(tmp_path, work, stop_won=True)


def test_a_stop_is_not_lost_in_a_power_cut(tmp_path: Path) -> None:
    """The number is recorded, the power goes before it was said: after the start the station stops
    all the same."""

    async def drawn(table: Table) -> None:
        await table.wish("open")
        await call(table, *corners("0003")[:3])
        await table.read(corners("0003")[3])

    async def again(table: Table) -> None:
        table.desk.begin(resumed=True)
        await settle()
        assert table.outputs.said == [
            ("last-number", f"number.{corners('0003')[3]}"),
            ("stop-won",),
        ]
        await table.desk.close()

    at_table(tmp_path, drawn, stop_won=True)
    with table_in(tmp_path, stop_won=True) as table:
        run_by_hand(again(table))


def test_who_has_won_already_does_not_stop_the_game(tmp_path: Path) -> None:
    """A prize that is won is not waited for again; nor does a correction leave marks behind."""

    async def work(table: Table) -> None:
        await table.wish("open")
        numbers = corners("0003")
        await call(table, *numbers)
        await table.wish("claim", serial="0003")
        await table.wish("play-on")
        other = next(number for number in range(1, 91) if number not in PACK.card("0003").numbers)
        await call(table, other)
        assert table.outputs.view.phase is Phase.PLAYING
        await table.wish("undo")
        await table.wish("undo")
        assert table.outputs.view.wins == ()
        await call(table, numbers[3])
        assert acts(table)[-1] == ("stop", "auto")

    at_table(tmp_path, work, stop_won=True)


def test_a_second_house_waits_for_another_card(tmp_path: Path) -> None:
    """A card that has the row completes another one: it wins nothing, and nothing stops."""

    async def work(table: Table) -> None:
        await table.wish("open")
        rows = PACK.card("0003").rows
        await call(table, *rows[0])
        await table.wish("claim", serial="0003")
        await table.wish("play-on")
        before = len(table.told)
        await call(table, *rows[1])
        others = [PACK.card(serial) for serial in PACK.serials[:12] if serial != "0003"]
        assert not any(set(row) <= set(table.calls) for card in others for row in card.rows)
        assert "stop" not in [act for act, _ in acts(table)[before:]]

    two_houses = GamePlan(
        name="g", stages=(StagePlan(pattern="row", share=50), StagePlan(pattern="row"))
    )
    at_table(tmp_path, work, programme=Programme(name="p", games=(two_houses,)), stop_won=True)


@pytest.mark.parametrize("near", [False, True])
def test_the_nearest_cards_are_the_callers_to_know(tmp_path: Path, near: bool) -> None:
    """For each prize: who wants the fewest numbers and which; asked for the first time in mid-game
    too; on no board."""

    async def work(table: Table) -> None:
        assert table.desk.questions({})["nearest"] == {"stages": []}
        await table.wish("open")
        await call(table, *corners("0009")[:3])
        stages = table.desk.questions({})["nearest"]["stages"]
        assert [(stage["stage"], stage["name"]) for stage in stages] == [
            ("corners", "Four corners"), ("big-kite", "Big kite"), ("full", "Full house"),
        ]  # fmt: skip
        assert stages[0]["cards"][0] == {
            "serial": "0009",
            "holder": None,
            "many": 1,
            "numbers": [corners("0009")[3]],
        }
        assert (stages[0]["have"], stages[0]["want_one"]) == (0, 1)
        assert len(stages[0]["cards"]) == 10
        await table.wish("undo")
        assert table.desk.questions({})["nearest"]["stages"][0]["cards"][0]["many"] == 2
        view = table.outputs.view
        assert (view.near is not None, "0009" in view.model_dump_json()) == (near, False)
        more = table.desk.questions({"people": {}})
        asked = {"nearest", "closing", "pause", "press", "players", "people"}
        assert {*more} == {*table.desk.answers(), *asked}
        assert len(more) == len(table.desk.answers()) + len(asked)

    at_table(tmp_path, work, near=near)


def test_near_counts_all_prizes_that_can_be_won(tmp_path: Path) -> None:
    """Where several are played for at once, a card that wants one number for any of them is near;
    each card once."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await call(table, *corners("0003")[:3])
        view = table.outputs.view
        cards = [PACK.card(serial) for serial in PACK.serials[:12]]
        patterns = [stage.wanted() for stage in PROGRAMME.games[0].plans]
        wants = [{pattern.wants(card, table.calls).many for pattern in patterns} for card in cards]
        assert view.near == sum(1 in many for many in wants) == 1
        assert view.near_two == sum(2 in many and 1 not in many for many in wants)

    at_table(tmp_path, work, near=True)


@pytest.mark.long
def test_a_whole_programme_is_moved_on_by_one_button(tmp_path: Path) -> None:  # noqa: C901 - an evening, step by step
    """`next` opens, ends a check, closes what is won, and opens what follows; things, a jackpot and
    a pause on the way.

    Only claims, lots and payments are other people's. At the end nothing is owed and every account
    is where it belongs.
    """

    async def press(table: Table) -> None:
        await table.receive(Pressed("next", 0.0), Released("next", 0.0, 0.0))

    async def play(table: Table, *serials: str) -> None:
        """Calls until all is won: these cards claim whenever one of them can."""
        await press(table)
        assert table.session.hall.sold is not None
        while (game := table.session.hall.sold) is not None and game.open:
            ready = [
                serial
                for serial in serials
                if any(
                    stage.pattern.complete_on_last(PACK.card(serial), game.called)
                    for stage in game.open
                    if game.called
                )
            ]
            if ready and not game.stopped:
                for serial in ready:
                    await table.wish("claim", serial=serial)
                await press(table)
            if (game := table.session.hall.sold) is not None and game.open:
                await call(
                    table, next(number for number in range(1, 91) if number not in game.called)
                )
        await press(table)
        assert table.session.hall.sold is None

    async def pay(table: Table) -> None:
        for stage in table.session.hall.last_sold.undecided:
            rivals = table.session.hall.last_sold.rivals(stage)
            await table.wish(
                "lots", stage=stage, knobs=[[serial, knob] for knob, serial in enumerate(rivals, 1)]
            )
        for serial in {win.serial for win in table.session.hall.last_sold.wins}:
            await table.wish("approve", serial=serial, who="Ben")
            await table.wish("pay", serial=serial, who="Cara")

    async def work(table: Table) -> None:
        everybody = PACK.serials[:12]
        await play(table, *everybody)
        assert table.outputs.view.pause.text == "Tea"
        assert table.outputs.view.coming == ("The jackpot", "As ever")
        assert {win.stage for win in table.outputs.view.wins} == {
            "Four corners",
            "Big kite",
            "Full house",
            "Full house 2",
        }
        await pay(table)
        await play(table, *everybody)
        assert "Jackpot" in {win.stage for win in table.outputs.view.wins}
        await pay(table)
        await play(table, *everybody)
        await pay(table)
        assert all(win.paid for win in table.outputs.view.wins)
        await press(table)
        assert "All 3 games" in table.outputs.view.notice
        accounts = table.session.hall.ledger.balances
        assert sum(accounts.values()) == 0
        assert not [account for account in accounts if account.startswith(("owed", "game"))]
        pressed = [
            line["do"]["act"] for line in read(state / FILE).lines if line["via"] == "button:next"
        ]
        assert {*pressed} == {"open", "play-on", "close"}
        assert (pressed.count("open"), pressed.count("close")) == (3, 3)

    state = tmp_path / "nights" / "0001"
    at_table(tmp_path, work)


def test_the_button_closes_a_game_whose_bag_is_empty(tmp_path: Path) -> None:
    """All ninety are called and nobody claims: a press asks, for prizes are not won; a second one
    carries what nobody won."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await call(table, *range(1, 91))
        assert table.outputs.lamps["next"] is Light.ON
        await table.receive(Pressed("next", 0.0), Released("next", 0.0, 0.0))
        assert acts(table)[-1][0] == "draw"
        await table.heard()
        await pass_time(1)
        await table.receive(Pressed("next", 0.0), Released("next", 0.0, 0.0))
        assert acts(table)[-1] == ("close", "button:next")

    at_table(tmp_path, work)
