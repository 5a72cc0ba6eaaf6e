"""The command line: a company sits down at the table, its bag is counted, and what lies there is
shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import typer
from rich.table import Table

from station.base.errors import Unreadable
from station.base.nouns import KNOBS, number_list
from station.base.terminal import out
from station.commands.tools import (
    JSON,
    STATE,
    Where,
    ask,
    command_group,
    draw_card,
    many,
    print_json,
    tell,
    the_hall_s_money,
)
from station.rules.box import in_pieces
from station.views.money_text import read_sum
from station.views.views import Currency

Told: TypeAlias = Mapping[str, Any]

STEPS = {
    "sit": "the company sits down: ./loto table sit Anna Bruno",
    "open": "open the game: ./loto do open",
    "shake": "count the knobs and shake the bag: ./loto table shake",
    "draw": "draw: ./loto do draw",
    "settle": "settle the drawing: ./loto table settle",
    "answer": "the player who is asked: ./loto table agree or decline",
    "add": "the pool is short: ./loto table replenish, throw-up or finish",
    "share": "the bag is empty: ./loto table share",
    "close": "all is won: ./loto do close",
    "hall": "the next game is one for the hall",
    "hall-open": "a game for the hall is being played",
    "done": "the programme is played",
}

table_app = command_group(
    "A game at the table: the company, its bag, its cards and counters. Knobs are drawn with loto"
    " do draw."
)


def register(app: typer.Typer) -> None:
    """Adds these commands to the command line."""
    for command in (sit, join, show, shake):
        table_app.command(name=command.__name__)(command)
    app.add_typer(table_app, name="table")


def sit(
    names: Annotated[
        list[str],
        typer.Argument(help="Who plays, from the dealer's left on: the first has the eldest hand."),
    ],
    takes: Annotated[
        str | None,
        typer.Option(
            help="How many cards: for each player, 2,2,1, or one number for all; else as usual."
        ),
    ] = None,
    purse: Annotated[
        str | None,
        typer.Option(help="What each has with him: 24.00; else what the programme says."),
    ] = None,
    simulated: Annotated[
        str | None, typer.Option(help="For whom the station plays: Bruno,Carla; or all.")
    ] = None,
    state: STATE = None,
) -> None:
    """Sit a company down, for the coming game and those after it.

    \b
    Example: loto table sit Anna Bruno Carla
    Example: loto table sit Anna Bruno Carla --takes 4,2,1 --purse 24.00
    Example: loto table sit Anna Bruno Carla Dario --simulated Bruno,Carla,Dario
    """
    where = Where(state)
    units = read_sum(purse, the_hall_s_money(where)) if purse is not None else None
    played = _simulated(names, simulated)
    players = [
        {
            "name": name,
            **({"takes": count} if count is not None else {}),
            **({"purse": units} if units is not None else {}),
            **({"simulated": True} if name in played else {}),
        }
        for name, count in zip(names, _takes(names, takes), strict=True)
    ]
    seq = tell(where, "sit", players=players)
    out.print(f"{many(len(names), 'player')} at the table (line {seq} of the journal).")


def join(
    name: Annotated[str, typer.Argument(help="Who joins.")],
    purse: Annotated[
        str | None, typer.Option(help="What he has with him: 24.00; else what the programme says.")
    ] = None,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="The station plays for him.")
    ] = False,
    state: STATE = None,
) -> None:
    """Let somebody join the game that is on, between its drawings: he has the seat after the last,
    and takes a card with `take`.

    \b
    Example: loto table join Dora --purse 24.00
    """
    where = Where(state)
    units = None if purse is None else read_sum(purse, the_hall_s_money(where))
    seq = tell(where, "join", name=name, purse=units, simulated=simulated or None)
    seat = ask(where, "table")["seats"][-1]
    out.print(f"{seat['name']} has joined, with seat {seat['seat']} (line {seq} of the journal).")


def _takes(names: Sequence[str], takes: str | None) -> list[int | None]:
    if takes is None:
        return [None] * len(names)
    words = takes.split(",")
    if not all(re.fullmatch(r" *[0-9]{1,2} *", word) for word in words) or len(words) not in (
        1,
        len(names),
    ):
        raise Unreadable(
            f"--takes {takes}: one number of cards, or one for each of the {len(names)} players, as"
            " 2,2,1"
        )
    counts: list[int | None] = [int(word) for word in words]
    return counts * len(names) if len(counts) == 1 else counts


def _simulated(names: Sequence[str], simulated: str | None) -> frozenset[str]:
    if simulated is None:
        return frozenset()
    wanted = names if simulated == "all" else [name.strip() for name in simulated.split(",")]
    if strangers := [name for name in wanted if name not in names]:
        raise Unreadable(
            f"--simulated {strangers[0]}: none of the players; they are {', '.join(names)}"
        )
    return frozenset(wanted)


def show(
    cards: Annotated[
        bool, typer.Option("--cards", help="With all cards, and the counters on them marked.")
    ] = False,
    state: STATE = None,
    as_json: JSON = False,
) -> None:
    """Show the table: who sits there, what each has, and what comes next.

    \b
    Example: loto table show
    Example: loto table show --cards
    """
    where = Where(state)
    told = ask(where, "table")
    if as_json:
        print_json(told)
        return
    currency = the_hall_s_money(where)
    out.print("\n".join(_lines(told, currency)))
    seats = told["seats"] if told["open"] or told["over"] else ()
    if seats:
        out.print(_seats(told, currency))
    else:
        out.print(
            "\n".join(
                f"  {place}. {seat['name']}, {currency.text(seat['purse'])}"
                for place, seat in _company(told)
            )
        )
    for seat in seats if cards else ():
        for card in seat["cards"]:
            out.print(
                draw_card(f"{seat['name']}, card {card['serial']}", card["rows"], card["covered"])
            )


def _company(told: Told) -> Iterator[tuple[int, Told]]:
    yield from enumerate(told["company"], 1)


def _lines(told: Told, currency: Currency) -> Iterator[str]:
    yield f"next: {STEPS[told['step']]}"
    if told["step"] in ("sit", "open", "hall") and told["next"]:
        coming = told["next"]
        yield (
            f"the next game at the table is game {coming['number']}, {coming['name']}:"
            f" {coming['title']}"
        )
    for win in told["wins"]:
        cards = number_list(win["cards"])
        yield (
            f"{name_of(told, win['seat'])} has won the stage {win['stage']} with {cards}:"
            f" {currency.text(win['amount'])}"
        )
    yield from unpaid(told, currency)
    if not told["open"]:
        return
    bag = f"{told['in_bag']} in the bag" + (
        f", put away: {number_list(told['away'])}" if told["away"] else ""
    )
    who = f"{name_of(told, told['drawer'])} has the bag; " if told["drawer"] else ""
    yield (
        f"{who}on the board: {number_list(told['numbers']) if told['numbers'] else 'nothing'};"
        f" {bag}"
    )
    middle = f", table {worth(told, told['table'], currency)}" if told["table"] is not None else ""
    yield f"pool {worth(told, told['pool'], currency)}{middle}"
    if told["left"]:
        yield (
            "this is the last drawing"
            if told["left"] == 1
            else f"{told['left']} drawings are still to come, this one too"
        )
    if offer := told["offer"]:
        who, other = name_of(told, offer["seat"]), name_of(told, offer["other"])
        yield f"{who} offers {other} card {offer['serial']} for card {offer['wanted']}"


def unpaid(told: Told, currency: Currency) -> Iterator[str]:
    """Which rows of the last drawing the pool has not paid: they wait for the company to add, or it
    is a Bankruptcy."""
    if told["settled"] is None or not (told["over"] or told["step"] == "add"):
        return
    short = [row for row in told["settled"]["rows"] if row["paid"] < row["won"]]
    if short and told["over"]:
        yield "Bankruptcy: what is not paid stays unpaid"
    for row in short:
        owed = prize(told, row["won"] - row["paid"], currency)
        yield f"  {row['name']}, card {row['serial']}, row {row['row']}: {owed} not paid"


def _seats(told: Told, currency: Currency) -> Table:
    table = Table("seat", "player", "cards", "has won", "purse")
    for seat in told["seats"]:
        mark = " (simulated)" if seat["simulated"] else ""
        serials = ", ".join(card["serial"] for card in seat["cards"]) or "-"
        won = currency.text(seat["gain"]) if told["over"] else worth(told, seat["hand"], currency)
        table.add_row(
            str(seat["seat"]), f"{seat['name']}{mark}", serials, won, currency.text(seat["purse"])
        )
    return table


def shake(
    counted: Annotated[
        int | None,
        typer.Option(
            min=0, max=KNOBS, help="How many knobs were counted; else as many as must be there."
        ),
    ] = None,
    state: STATE = None,
) -> None:
    """Say that the knobs in the bag were counted and that it was shaken, before a drawing.

    \b
    Example: loto table shake --counted 90
    """
    where = Where(state)
    count = ask(where, "table")["in_bag"] if counted is None else counted
    seq = tell(where, "shake", counted=count)
    out.print(f"{many(count, 'knob')} in the bag, and it is shaken (line {seq} of the journal).")


def worth(told: Told, units: int, currency: Currency) -> str:
    """A sum of the game's units, counted out in pieces where they are counters."""
    sum_ = currency.text(units * told["value"])
    return f"{in_pieces(units)} ({sum_})" if told["counted"] else sum_


def prize(told: Told, units: int, currency: Currency) -> str:
    """What a row wins: as `worth`, but where prizes are paid in money at once no counters are
    counted out."""
    return worth({**told, "counted": told["counted"] and not told["in_money"]}, units, currency)


def name_of(told: Told, seat: int) -> str:
    """The name of a seat's player."""
    return str(told["seats"][seat - 1]["name"])
