"""The command line: what players and company ask for at the table is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import typer

from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.base.terminal import out
from station.commands.table import Told, name_of, prize, unpaid, worth
from station.commands.tools import STATE, Where, ask, many, tell, the_hall_s_money

SERIAL: TypeAlias = Annotated[str, typer.Argument(help="The card's serial.")]
WHO: TypeAlias = Annotated[
    str, typer.Argument(help="The player's name, or the number of the seat.")
]
YES: TypeAlias = Annotated[
    bool, typer.Option("--yes", help="Do not ask before anybody pays, or the game ends.")
]

NO_GAME = "no game is on the table: ./loto table show says what comes next"

VERDICTS = {
    "covers": "first, covers it",
    "tied": "tied with one nearer the dealer's left",
    "late": "too late",
    "wrong": "has not got it",
}


def register(table: typer.Typer) -> None:
    """Adds these commands to the group."""
    table.command(name="settle")(settle)
    table.command(name="exchange")(exchange)
    table.command(name="agree")(agree)
    table.command(name="decline")(decline)
    table.command(name="throw-up")(throw_up)
    table.command(name="take")(take)
    table.command(name="answer")(answer)
    table.command(name="put-away")(put_away)
    table.command(name="replenish")(replenish)
    table.command(name="resolve")(resolve)
    table.command(name="finish")(finish)
    table.command(name="share")(share)


def settle(state: STATE = None) -> None:
    """Settle the drawing: laid counters are kept, rows are paid, the bag is passed on.

    \b
    Example: loto table settle
    """
    where = Where(state)
    seq = _move(where, {"do": "settle"})
    told, currency = ask(where, "table"), the_hall_s_money(where)
    settled = told["settled"]
    for row in settled["rows"]:
        if row["won"]:
            paid = (
                f", paid {prize(told, row['paid'], currency)}" if row["paid"] < row["won"] else ""
            )
            won = f"{row['class']}, {prize(told, row['won'], currency)}{paid}"
            out.print(f"  {row['name']}, card {row['serial']}, row {row['row']}: {won}")
    classes = (
        ", ".join(f"{one['rows']} {one['name']}" for one in settled["classes"])
        or "no row had a counter"
    )
    out.print(f"drawing {settled['drawing']}: {classes} (line {seq} of the journal).")
    for line in unpaid(told, currency):
        out.print(line)
    if told["over"]:
        out.print(
            "the game is over, and all counters are redeemed: ./loto table show says who has won"
            " and lost"
        )


def exchange(
    serial: SERIAL,
    wanted: Annotated[
        str,
        typer.Argument(
            help="The card that comes for it: one that nobody has, or another player's."
        ),
    ],
    state: STATE = None,
) -> None:
    """Exchange a card; another player is asked first, where the company has agreed on that.

    \b
    Example: loto table exchange 0007 0012
    """
    where = Where(state)
    told = ask(where, "table")
    other = _holder(told, wanted)
    move = {
        "do": "exchange",
        "seat": _player(told, serial),
        "serial": serial,
        "other": other,
        "wanted": wanted,
    }
    seq = _move(where, move, told["seen"])
    done = (
        f"{name_of(told, other)} is asked for card {wanted}"
        if ask(where, "table")["offer"]
        else f"card {wanted} came for card {serial}"
    )
    out.print(f"{done} (line {seq} of the journal).")


def agree(state: STATE = None) -> None:
    """The player who is asked agrees to the exchange.

    \b
    Example: loto table agree
    """
    out.print(
        f"the cards have changed hands (line {_move(Where(state), {'do': 'agree'})} of the"
        " journal)."
    )


def decline(state: STATE = None) -> None:
    """The player who is asked keeps his card; or the one who offered thinks better of it.

    \b
    Example: loto table decline
    """
    out.print(
        f"everybody keeps his card (line {_move(Where(state), {'do': 'decline'})} of the journal)."
    )


def throw_up(serial: SERIAL, yes: YES = False, state: STATE = None) -> None:
    """Throw a card up: its player gets its share of table and pool back.

    \b
    Example: loto table throw-up 0007
    """
    where = Where(state)
    seat = _player(ask(where, "table"), serial)
    _agreed_on(
        where,
        {"do": "throw-up", "seat": seat, "serial": serial},
        f"card {serial} is thrown up",
        yes=yes,
    )


def take(who: WHO, yes: YES = False, state: STATE = None) -> None:
    """Take one card more, the next of those that nobody has; the player pays its stake.

    \b
    Example: loto table take Bruno
    """
    where = Where(state)
    seat = _seat(ask(where, "table"), who)
    _agreed_on(where, {"do": "take", "seat": seat}, f"{who} has one card more", yes=yes)


def answer(
    who: Annotated[
        list[str],
        typer.Argument(help="Who answered, by name or seat; several at the same time are tied."),
    ],
    state: STATE = None,
) -> None:
    """A player answers to the last number, where only the first to answer covers it.

    \b
    Example: loto table answer Anna
    Example: loto table answer Bruno Carla      (both at once)
    """
    where = Where(state)
    told = ask(where, "table")
    seats = [_seat(told, one) for one in who]
    seq = _move(where, {"do": "answer", "seats": seats, "micros": [0] * len(seats)})
    for given in ask(where, "table")["answers"]:
        if given["seat"] in seats:
            out.print(
                f"{name_of(told, given['seat'])}: {VERDICTS[given['verdict']]} (line {seq} of the"
                " journal)."
            )


def put_away(
    number: Annotated[
        int,
        typer.Argument(
            min=1, max=KNOBS, help="A knob of the last drawing that nobody's card bears."
        ),
    ],
    state: STATE = None,
) -> None:
    """Put a knob away, till somebody takes a card that bears its number.

    \b
    Example: loto table put-away 45
    """
    seq = _move(Where(state), {"do": "put-away", "number": number})
    out.print(f"knob {number} is put away: lay it aside (line {seq} of the journal).")


def replenish(yes: YES = False, state: STATE = None) -> None:
    """Everybody adds to the pool, for each card.

    \b
    Example: loto table replenish
    """
    _agreed_on(Where(state), {"do": "replenish"}, "everybody has added", yes=yes)


def resolve(
    drawings: Annotated[
        int, typer.Argument(min=1, max=1000, help="How many, the last one counted.")
    ],
    state: STATE = None,
) -> None:
    """Agree that there will be only so many drawings more; it stands then.

    \b
    Example: loto table resolve 3
    """
    seq = _move(Where(state), {"do": "resolve", "drawings": drawings})
    out.print(
        f"{many(drawings, 'drawing')} more, and no others: then all is redeemed (line {seq} of the"
        " journal)."
    )


def finish(yes: YES = False, state: STATE = None) -> None:
    """Finish the game where the pool is short and nobody adds: what is not paid stays unpaid.

    \b
    Example: loto table finish
    """
    _agreed_on(
        Where(state),
        {"do": "finish"},
        "the game is finished, all counters are redeemed, and what is left goes back by card",
        yes=yes,
    )


def share(yes: YES = False, state: STATE = None) -> None:
    """Share out what is not won when the bag is empty, where only the first to answer covers.

    \b
    Example: loto table share
    """
    _agreed_on(Where(state), {"do": "share"}, "what was not won is shared out", yes=yes)


# -- what they share -------------------------------------------------------------------------------


def _move(where: Where, move: Mapping[str, Any], seen: str | None = None) -> int:
    return tell(where, "move", seen=seen, move=dict(move))


def _agreed_on(where: Where, move: Mapping[str, Any], done: str, *, yes: bool) -> None:
    """Does what costs or gives something: what it does to whom is said, and it is asked for before.

    While somebody thinks about it another host may do the same: then it is refused, for it would be
    done twice.
    """
    told, currency = ask(where, "table"), the_hall_s_money(where)
    choice = next((one for one in told["choices"] if one["move"] == move and one["may"]), None)
    sums = [
        f"{name_of(told, seat)} {'pays' if sum_ < 0 else 'gets'} {worth(told, abs(sum_), currency)}"
        for seat, sum_ in (choice or {}).get("sums", ())
    ]
    if choice is not None and not yes:
        for line in sums:
            out.print(f"  {line}")
        typer.confirm("Shall it be so?", abort=True)
    seq = _move(where, move, told["seen"])
    said = f": {'; '.join(sums)}" if sums and yes else ""
    out.print(f"{done}{said} (line {seq} of the journal).")


def _seat(told: Told, who: str) -> int:
    """The seat of a player, by name or number. Raises `Unreadable`."""
    for seat in told["seats"]:
        if who == seat["name"] or who == str(seat["seat"]):
            return int(seat["seat"])
    if not told["seats"]:
        raise Unreadable(NO_GAME)
    raise Unreadable(
        f"{who} does not sit at the table; there sit"
        f" {', '.join(seat['name'] for seat in told['seats'])}"
    )


def _holder(told: Told, serial: str) -> int:
    """The seat that has a card, 0 for one that nobody has. Raises `Unreadable`."""
    for seat in told["seats"]:
        if any(card["serial"] == serial for card in seat["cards"]):
            return int(seat["seat"])
    if any(card["serial"] == serial for card in told["free"]):
        return 0
    if not told["seats"]:
        raise Unreadable(NO_GAME)
    raise Unreadable(
        f"card {serial} is not on the table: look at its serial again (./loto table show)"
    )


def _player(told: Told, serial: str) -> int:
    """The seat of the player who has a card. Raises `Unreadable`."""
    seat = _holder(told, serial)
    if not seat:
        raise Unreadable(
            f"card {serial} is nobody's: name a card that a player has (./loto table show)"
        )
    return seat
