"""A company at a table for tests: programmes, a pack, and what may be asked for in a night, likely
and unlikely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from station.base.nouns import KNOBS
from station.cards.pack import make_pack
from station.night.acts import (
    Act,
    Break,
    CloseGame,
    DrawKnob,
    JoinTable,
    MakeMove,
    Open,
    Shake,
    Sit,
    Undo,
)
from station.night.fields import Player
from station.night.hall import Hall, apply
from station.night.table.game import GameInPlay, next_step
from station.programme.programme import GamePlan, Programme, TablePlan

PACK = make_pack(4, Random(90))
SECOND = GamePlan(name="Second Method", method="loto-second")
QUARTERS = GamePlan(name="Quarters", method="loto-parlour", table=TablePlan(stake=200))
RACE = GamePlan(
    name="Race",
    method="loto-parlour",
    table=TablePlan(stake=120, stakes="counters", counters=60, answering="first"),
)
NAMES = ("Anna", "Bruno", "Carla", "Dora", "Emil", "Fee")


def hall_of(*games: GamePlan) -> Hall:
    """A night with these games, before the first."""
    return Hall(PACK, Programme(name="A table", games=games or (SECOND,) * 3))


def sitting(count: int = 3, purse: int | None = None, takes: Iterable[int | None] = ()) -> Sit:
    """So many sit down."""
    wanted = [*takes, *(None,) * count]
    return Sit(
        players=tuple(
            Player(name=name, purse=purse, takes=cards)
            for name, cards in zip(NAMES[:count], wanted, strict=False)
        )
    )


def opening(hall: Hall, seed: int = 1) -> Open:
    """The next game, its cards shuffled where it is one at the table."""
    plan = hall.next_plan
    if plan is None or not plan.at_table:
        return Open(knobs=KNOBS)
    deal = list(hall.pack.serials[: plan.dealt])
    Random(seed).shuffle(deal)
    return Open(deal=tuple(deal))


def at_table(*games: GamePlan, sit: Sit | None = None, seed: int = 1) -> Hall:
    """The first game, open, with a company."""
    hall = apply(hall_of(*games), sit or sitting())
    return apply(hall, opening(hall, seed))


def table_of(hall: Hall) -> GameInPlay:
    """The game at the table, open or over."""
    assert hall.table is not None
    return hall.table


def move(do: str, **said: Any) -> MakeMove:
    """A move."""
    return MakeMove(move={"do": do, **said})


def shake(hall: Hall) -> Shake:
    """The bag is counted, and is what it must be."""
    return Shake(counted=len(table_of(hall).state.bag))


def drawn(hall: Hall, numbers: Iterable[int]) -> Hall:
    """The bag is counted, and these knobs are drawn from it."""
    hall = apply(hall, shake(hall))
    for number in numbers:
        hall = apply(hall, DrawKnob(number=number))
    return hall


def settled(hall: Hall, numbers: Iterable[int]) -> Hall:
    """A whole drawing of the Second Method."""
    return apply(drawn(hall, numbers), move("settle"))


def rows_first(hall: Hall, knobs: int = 10) -> tuple[int, ...]:
    """Knobs that fill the rows of the first cards that are taken: a drawing that no small pool can
    pay."""
    table = table_of(hall)
    cards: Any = table.state.setup.cards
    wanted = [
        number
        for cards_of in table.state.taken
        for serial in cards_of
        for row in cards[serial].rows
        for number in row
    ]
    left = [
        number
        for number in dict.fromkeys((*wanted, *range(1, KNOBS + 1)))
        if number in table.state.bag
    ]
    return tuple(left[:knobs])


def wishes(chance: Random, hall: Hall) -> Iterator[Act]:  # noqa: C901 - a case for each
    """What somebody may ask for now: what comes next first, or in the midst of things that may be
    refused."""
    table = hall.at_table
    if table is None:
        if chance.random() < 0.3 or not hall.company:
            takes = chance.choice(((), (1, 2, None), (6, 0, 1), (0, 0, 0)))
            yield sitting(chance.randint(1, 6), chance.choice((None, 60, 1000, 3001)), takes)
        yield opening(hall, chance.randrange(1000))
        return
    if chance.random() < 0.25:
        yield _asked(chance, table)
    if chance.random() < 0.03:
        yield Break(why="it is late")
    if chance.random() < 0.04:
        yield JoinTable(
            name=f"Guest {chance.randint(1, 9)}", purse=chance.choice((None, 0, 119, 500))
        )
    if chance.random() < 0.05:
        yield Undo()
    step = next_step(table)
    bag = sorted(table.state.bag)
    if step == "shake":
        yield shake(hall)
    elif step == "draw":
        lucky = [number for number in rows_first(hall) if chance.random() < 0.7]
        yield DrawKnob(number=(lucky or [chance.choice(bag)])[0])
    elif step == "close":
        yield CloseGame()
    elif step == "add":
        yield chance.choice((move("replenish"), move("finish"), _asked(chance, table)))
    elif step == "answer":
        yield move(chance.choice(("agree", "decline")))
    elif step in ("settle", "share"):
        yield move(step)


def _asked(chance: Random, table: GameInPlay) -> MakeMove:
    state: Any = table.state
    seats = len(state.taken)
    seat, other = chance.randint(1, seats), chance.randint(0, seats)
    serial, wanted = (
        chance.choice((*chance.choice(state.taken), *state.rest[:2], "none")) for _ in range(2)
    )
    answering = chance.sample(range(1, seats + 1), chance.randint(1, seats))
    return chance.choice(
        (
            move("exchange", seat=seat, serial=serial, other=other, wanted=wanted),
            move("throw-up", seat=seat, serial=serial),
            move("take", seat=seat),
            move("put-away", number=chance.randint(1, KNOBS)),
            move("resolve", drawings=chance.randint(1, 3)),
            move("answer", seats=answering),
            move("replenish"),
            move("settle"),
        )
    )
