"""Real dice and cubes at the table: a tower's throws and what is keyed become moves, by whose hand
stands in the record; a gavel knocks down; a hall says where its dice come from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import Event, Keyed, Light, Misthrow, Pressed, Released, Thrown, ThrowRefused
from station.calling.trouble import SCOLD_PAUSE_S
from station.night.table.choices import plain_moves
from station.night.table.luck import DiceFrom, shown
from station.programme.programme import GamePlan, Programme
from station.record.requests import Done, Refused
from station.rules.play import Chance, Luck
from station.views.table.host import told_of_table
from station.wire.wording import load_wording
from tests.support import Table, pass_time, run_by_hand, table_in

NAMES = ("Anna", "Bruno", "Carla")
SIT = [{"name": name, "purse": 1200} for name in NAMES]
WORDS = load_wording("en")
CUBES = ("1", "2", "3", "4", "5", "6", "bell", "hammer")
Work = Callable[[Table], Awaitable[None]]


def spots(*faces: int) -> Thrown:
    return Thrown("tower", faces, (), 0.0)


def marks(*tops: str) -> Thrown:
    return Thrown("tower", (), tops + ("",) * (len(CUBES) - len(tops)), 0.0)


def wrong(why: Misthrow) -> ThrowRefused:
    return ThrowRefused("tower", why, 0.0)


def typed(number: int) -> tuple[Event, ...]:
    return (Keyed("keys", number, False, 0.0), Keyed("keys", number, True, 0.0))


def at_table(folder: Path, method: str, work: Work, agreed: dict[str, Any], **settings: Any) -> Any:
    """What comes of some work at a table where this game has begun."""
    plan = GamePlan(name="Dice", method=method, table={"stake": 240, **agreed})

    async def evening() -> None:
        programme = Programme(name="GameInPlay", games=(plan,))
        with table_in(folder, programme=programme, **settings) as table:
            for act, said in (("sit", {"players": SIT}), ("open", {})):
                answer = await table.wish(act, **said)
                assert isinstance(answer, Done), answer
            await work(table)
            await table.desk.close()

    return run_by_hand(evening())


def keno(folder: Path, work: Work, **settings: Any) -> None:
    """Dice Keno, dealt: all throw two dice for the lead."""

    async def dealt(table: Table) -> None:
        await move(table, "deal-cards")
        await work(table)

    at_table(folder, "dice-keno", dealt, {}, **settings)


def hammer(folder: Path, work: Work, **settings: Any) -> None:
    """Bell and Hammer, with the first card being sold."""
    at_table(folder, "bell-and-hammer", work, {}, **settings)


async def move(table: Table, do: str, **said: Any) -> None:
    answer = await table.wish("move", move={"do": do, **said})
    assert isinstance(answer, Done), answer


async def sell(table: Table) -> None:
    """All five cards go for nothing."""
    while "throw-cubes" not in plain_moves(table.session.hall.at_table):
        seat = table.session.hall.at_table.state.auction
        if seat is None or not seat.turn:
            await move(table, "knock-down")
        else:
            await move(table, "pass-bid", seat=seat.turn)


def recorded(table: Table) -> list[tuple[dict[str, Any], str]]:
    """The throws in the record, each with its input."""
    acts = [(change.act, change.via) for change in table.told if change.act.act == "move"]
    names = ("throw-dice", "read-dice", "throw-cubes", "knock-down")
    return [(dict(act.move), via) for act, via in acts if act.move["do"] in names]


def test_a_towers_throw_is_recorded(tmp_path: Path) -> None:
    """With what lay there, by the tower; the next one is the next throw."""

    async def work(table: Table) -> None:
        await table.receive(spots(3, 6), spots(1, 1))
        assert recorded(table) == [
            ({"do": "throw-dice", "dice": [3, 6]}, "tower"),
            ({"do": "throw-dice", "dice": [1, 1]}, "tower"),
        ]
        await table.wish("move", move={"do": "throw-dice"})
        assert recorded(table)[2][1] == "wire"

    keno(tmp_path, work)


def test_a_towers_cubes_are_recorded_by_their_marks(tmp_path: Path) -> None:
    """In the order of the rules; and all blanks as a mark of their own."""

    async def work(table: Table) -> None:
        await sell(table)
        await table.receive(marks("bell", "3"), marks())
        assert recorded(table)[-2:] == [
            ({"do": "throw-cubes", "shown": ["3", "bell"]}, "tower"),
            ({"do": "throw-cubes", "shown": ["blank"]}, "tower"),
        ]

    hammer(tmp_path, work)


SAID = [
    (wrong(Misthrow.ASKEW), "dice-askew"),
    (wrong(Misthrow.FALLEN), "dice-fallen"),
    (wrong(Misthrow.TOUCHED), "dice-touched"),
    (spots(3), "dice-fallen"),  # one of two
    (spots(3, 4, 5), "dice-others"),
    (marks("bell"), "dice-others"),
]


@pytest.mark.parametrize(("event", "phrase"), SAID)
def test_a_throw_that_cannot_count_is_asked_for_again(
    tmp_path: Path, event: Event, phrase: str
) -> None:
    """Aloud and on the screens; nothing is recorded, and the next throw counts."""

    async def work(table: Table) -> None:
        table.outputs.log.clear()
        await table.receive(event)
        assert (phrase,) in table.outputs.said
        assert table.desk.view().notice == WORDS.phrases[phrase]
        assert recorded(table) == []
        await pass_time(SCOLD_PAUSE_S)
        await table.receive(spots(2, 5))
        assert recorded(table) == [({"do": "throw-dice", "dice": [2, 5]}, "tower")]

    keno(tmp_path, work)


@pytest.mark.parametrize("event", [spots(4), wrong(Misthrow.ASKEW)])
def test_a_throw_that_nobody_waits_for_does_not_count(tmp_path: Path, event: Event) -> None:
    """While cards are sold nothing is thrown: a line says so."""

    async def work(table: Table) -> None:
        seq = table.session.seq
        await table.receive(event)
        assert table.session.seq == seq
        assert table.desk.view().notice == WORDS.screen["throw-not-due"]

    hammer(tmp_path, work)


def test_what_a_person_keys_is_told_from_what_a_device_read(tmp_path: Path) -> None:
    """On a page or at the command line, and on a number pad: by the digits of the dice."""

    async def work(table: Table) -> None:
        await move(table, "read-dice", first=3, second=6)
        await table.receive(*typed(25))
        assert recorded(table) == [
            ({"do": "read-dice", "first": 3, "second": 6}, "keyed"),
            ({"do": "throw-dice", "dice": [2, 5]}, "keyed"),
        ]
        await table.receive(*typed(7))
        assert len(recorded(table)) == 2
        assert "read them again" in table.desk.view().notice

    keno(tmp_path, work)


def test_keyed_cubes_are_told_too(tmp_path: Path) -> None:
    """By the marks that show."""

    async def work(table: Table) -> None:
        await sell(table)
        await move(table, "throw-cubes", shown=["2", "hammer"])
        assert recorded(table)[-1] == ({"do": "throw-cubes", "shown": ["2", "hammer"]}, "keyed")

    hammer(tmp_path, work)


REFUSED = {
    DiceFrom.STATION: "real dice are thrown here",
    DiceFrom.TOWER: "a tower reads no dice here",
    DiceFrom.KEYED: "nobody keys in here what dice show",
}


async def thrown_by(table: Table, source: DiceFrom) -> None:
    """Two dice from there."""
    match source:
        case DiceFrom.STATION:
            await table.receive(Pressed("draw", 0.0), Released("draw", 0.1, 0.1))
        case DiceFrom.TOWER:
            await table.receive(spots(1, 2))
        case DiceFrom.KEYED:
            await table.receive(*typed(12))


@pytest.mark.parametrize("only", [*DiceFrom])
def test_a_hall_says_where_its_dice_come_from(tmp_path: Path, only: DiceFrom) -> None:
    """All others are refused with what to do; the button's lamp is dark where the station has no
    dice, and its page offers what may be asked for."""

    async def work(table: Table) -> None:
        table.outputs.lamps.clear()
        for source in DiceFrom:
            await thrown_by(table, source)
            if source is not only:
                assert REFUSED[source] in table.desk.view().notice.lower()
        assert len(recorded(table)) == 1
        told = told_of_table(table.session.hall, dice={only})
        assert (told["chance"] is not None) == (only is DiceFrom.STATION)
        verbs = {move["do"] for move in told["moves"]}
        assert ("read-dice" in verbs) == (only is DiceFrom.KEYED)
        assert table.desk.questions({})["dice"] == {"from": [only]}
        lit = table.outputs.lamps["draw"] is not Light.OFF
        assert lit == (only is DiceFrom.STATION)

    keno(tmp_path, work, dice=frozenset({only}))


def test_over_the_wire_it_is_refused_too(tmp_path: Path) -> None:
    """Whatever asks: a page, the command line."""

    async def work(table: Table) -> None:
        for said in ({"do": "throw-dice"}, {"do": "throw-dice", "dice": [1, 2]}):
            answer = await table.wish("move", move=said)
            assert isinstance(answer, Refused)
            assert answer.reason == "no-such-dice"
        assert recorded(table) == []

    keno(tmp_path, work, dice=frozenset({DiceFrom.TOWER}))


def test_a_gavel_knocks_down(tmp_path: Path) -> None:
    """When all others have passed, and not before: then it does nothing, and a line says who is
    awaited. Its lamp says when it would."""

    async def work(table: Table) -> None:
        knock = (Pressed("gavel", 0.0), Released("gavel", 0.1, 0.1))
        await table.receive(*knock)
        assert recorded(table) == []
        assert table.outputs.lamps["gavel"] is Light.OFF
        for seat in (1, 2):
            await move(table, "pass-bid", seat=seat)
        await move(table, "bid", seat=3, counters=4)
        assert table.outputs.lamps["gavel"] is Light.ON
        await table.receive(*knock)
        assert recorded(table) == [({"do": "knock-down"}, "button:gavel")]
        assert table.session.hall.at_table.state.owners == (3,)

    hammer(tmp_path, work)


def test_where_nothing_is_sold_a_gavel_means_nothing(tmp_path: Path) -> None:
    """In another game it does nothing at all."""

    async def work(table: Table) -> None:
        seq = table.session.seq
        await table.receive(Pressed("gavel", 0.0), Released("gavel", 0.1, 0.1))
        assert table.session.seq == seq
        assert table.outputs.lamps["gavel"] is Light.OFF

    keno(tmp_path, work)


DUE = Chance(Luck.CUBES, "throw-cubes", "shown", things=CUBES)


@given(tops=st.lists(st.sampled_from(["", *CUBES, "9"]), max_size=10))
def test_cubes_that_are_not_those_are_no_throw(tops: list[str]) -> None:
    """Eight cubes, each mark once at most, and no foreign one; what shows are the marks."""
    found = shown(DUE, (), tops)
    known = [top for top in tops if top]
    if len(tops) != 8 or len(set(known)) != len(known) or not set(known) <= set(CUBES):
        assert found is None
    else:
        assert found == (sorted(known, key=CUBES.index) or ["blank"])


@given(faces=st.lists(st.integers(1, 6), max_size=4), due=st.integers(1, 3))
def test_dice_that_are_not_all_there_are_no_throw(faces: list[int], due: int) -> None:
    """As many as are thrown."""
    law = Chance(Luck.DICE, "throw-dice", "dice", dice=due)
    assert shown(law, faces, ()) == (faces if len(faces) == due else None)
    assert shown(law, (), [""] * due) is None
