"""What the host of a table is told: the company, its cards and counters, what comes next, and what
each may do. Pure.

Players see less (`station.views.table.view`): the host sees purses too, and why something may not
be done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

from station.base.errors import NotAllowed
from station.night.acts import Act, Break, Close, Draw, Join, Open, Undo
from station.night.fields import person_of
from station.night.hall import apply
from station.night.hall_state import Hall
from station.night.table.choices import choices
from station.night.table.company import usual_purse
from station.night.table.game import Parlour, next_step
from station.programme.programme import GamePlan
from station.rules import PLAYS, find_game
from station.rules.loto_parlour import game as loto_parlour
from station.rules.loto_second import game as loto_second
from station.rules.loto_second.settlement import Settlement
from station.rules.patterns import ROW_NAMES

Told = dict[str, Any]
UNDOING = "taken back at the table"


def told_of_table(hall: Hall, sums: Callable[[int], str] = str) -> Told:
    """All that leads a table, as JSON.

    Keys: `step` (as `station.night.table.game.next_step`; between games "sit", "open", "done", or
    "hall" and "hall-open" for a game that is none of a table's), `next` (the coming game),
    `company`, `gone` (who sat there before, with the purses of then), `acts` (why an act is
    refused; nothing where it is not), `calls` (for `expect`), `seen` (for `seen`), and of the game
    on the table, open or over, what `_of_game` says.

    Args:
        sums: writes a sum of money in what a refusal says.
    """
    table = hall.table if hall.of_table else None
    return {
        "step": _step(hall),
        "open": hall.at_table is not None,
        "next": _coming(hall),
        "company": [
            {
                "name": seat.name,
                "purse": seat.purse,
                "takes": seat.takes,
                "simulated": seat.simulated,
            }
            for seat in hall.company
        ],
        "gone": [{"name": seat.name, "purse": seat.purse} for seat in hall.gone],
        "calls": hall.calls,
        "seen": hall.table_mark,
        "acts": {act.act: _refusal(hall, act, sums) for act in _acts(hall)},
        **(_of_game(table) if table is not None else NO_GAME),
    }


def racing(table: Parlour | None) -> bool:
    """Whether only the first to answer covers a number there."""
    return table is not None and table.rules.race(table.state) is not None


def _step(hall: Hall) -> str:
    if hall.at_table is not None:
        return next_step(hall.at_table)
    if hall.game_open:
        return "hall-open"
    plan = hall.next_plan
    if plan is None or hall.closed:
        return "done"
    if not plan.at_table:
        return "hall"
    return "open" if hall.company else "sit"


def _coming(hall: Hall) -> Told | None:
    """The next game, where it is one of a table's; the first such one to come may be later in the
    programme."""
    for number, plan in enumerate(hall.programme.games[hall.opened :], hall.coming):
        if plan.at_table:
            return _plan(number, plan)
    return None


def _plan(number: int, plan: GamePlan) -> Told:
    agreed, rules = plan.agreed, PLAYS[plan.method]
    return {
        "number": number,
        "name": plan.name,
        "method": plan.method,
        "title": find_game(plan.method).title,
        "stake": agreed.stake,
        "cards": agreed.cards,
        "purse": usual_purse(agreed),
        "takes": sorted(count for count in rules.allowed if count <= agreed.cards),
    }


def _acts(hall: Hall) -> Iterator[Act]:
    """The acts of a host that may be refused now, each as he would do it."""
    table, plan = hall.at_table, hall.next_plan
    if table is not None:
        yield Draw(number=min(table.bag, default=1))
        yield Undo(why=UNDOING)
        yield Join(name=_nobody(table))
        yield Close()
        yield Break(why="tried")
    elif plan is not None and plan.at_table:
        yield Open(deal=hall.pack.serials[: plan.cards_dealt])


def _nobody(table: Parlour) -> str:
    """A name that nobody has there."""
    taken = {person_of(seat.name) for seat in table.seats}
    return next(name for number in count(1) if (name := str(number)) not in taken)


def _refusal(hall: Hall, act: Act, sums: Callable[[int], str]) -> str:
    try:
        # a million sold cards take their time, and have no say in it
        apply(hall.without_cards(), act)
    except NotAllowed as error:
        return error.told(sums)
    return ""


# -- the game --------------------------------------------------------------------------------------

NO_GAME: Told = {
    "over": False,
    "phase": "",
    "value": 0,
    "numbers": [],
    "in_bag": 0,
    "drawer": 0,
    "drawing": 0,
    "left": None,
    "away": [],
    "pool": 0,
    "table": None,
    "reserve": None,
    "counted": False,
    "in_money": False,
    "racing": False,
    "confirm": False,
    "adds": 0,
    "seats": [],
    "free": [],
    "offer": None,
    "answers": [],
    "wins": [],
    "settled": None,
    "choices": [],
}


def _of_game(table: Parlour) -> Told:
    """The game on the table. Its sums are in its own units: `counted` says whether those are
    counters, `value` what one is worth, `in_money` whether prizes are paid in money at once.

    Purses are in whole minor units.
    """
    state: Any = table.state
    return {
        **NO_GAME,
        "over": table.over,
        "phase": str(state.phase),
        "value": table.value,
        "numbers": list(state.numbers),
        "in_bag": len(state.bag),
        "drawer": state.drawer,
        "pool": state.pool,
        "seats": [_seat(table, place) for place in range(len(table.seats))],
        "free": [_card(state, serial) for serial in state.rest],
        "choices": (
            [] if table.over else [choice.to_json() for choice in choices(table.rules, state)]
        ),
        **DETAILS[table.method](table, state),
    }


def _of_the_second(table: Parlour, state: loto_second.State) -> Told:
    offer = state.offer
    return {
        "drawing": state.drawings + (not table.over),
        "left": state.left,
        "away": list(state.away),
        "table": state.table,
        "reserve": state.reserve,
        "counted": True,
        "in_money": state.setup.in_money,
        "confirm": state.setup.confirm,
        "adds": state.setup.terms.in_pool,
        "offer": (
            None
            if offer is None
            else {
                "seat": offer.seat,
                "serial": offer.serial,
                "other": offer.other,
                "wanted": offer.wanted,
            }
        ),
        "settled": None if table.derived is None else _settled(table, table.derived),
    }


def _of_the_first(table: Parlour, state: loto_parlour.State) -> Told:
    return {
        "counted": state.setup.stakes is loto_parlour.Stakes.COUNTERS,
        "racing": racing(table),
        "answers": [
            {"seat": one.seat, "micros": one.micros, "verdict": str(one.verdict), "tied": one.tied}
            for one in state.answered
        ],
        "wins": [
            {
                "stage": win.stage,
                "seat": win.seat,
                "cards": list(win.cards),
                "amount": win.amount * table.value,
            }
            for win in state.wins
        ],
    }


# What is told of each method's games besides what all have.
DETAILS: Mapping[str, Callable[[Parlour, Any], Told]] = {
    "loto-second": _of_the_second,
    "loto-parlour": _of_the_first,
}


def _seat(table: Parlour, place: int) -> Told:
    seat, state = table.seats[place], table.state
    return {
        "seat": place + 1,
        "name": seat.name,
        "simulated": seat.simulated,
        "hand": state.hands[place],
        "purse": table.purses[place],
        "gain": table.purses[place] - seat.purse,
        "cards": [_card(state, serial) for serial in state.taken[place]],
    }


def _card(state: Any, serial: str) -> Told:
    rows = state.setup.cards[serial].rows
    return {
        "serial": serial,
        "rows": [list(row) for row in rows],
        "covered": sorted(state.covered(serial)),
    }


def _settled(table: Parlour, settlement: Settlement) -> Told:
    names = ROW_NAMES
    rows = [
        {
            "seat": row.seat,
            "name": table.seats[row.seat - 1].name,
            "serial": row.serial,
            "row": row.row + 1,
            "laid": row.laid,
            "class": names[row.laid],
            "won": row.won,
            "paid": row.paid,
        }
        for row in settlement.rows
    ]
    classes = [
        {"name": name, "rows": many}
        for name, many in zip(names, settlement.classes, strict=True)
        if many and name != "-"
    ]
    return {
        "drawing": settlement.drawing,
        "numbers": list(settlement.numbers),
        "classes": classes,
        "rows": rows,
    }
