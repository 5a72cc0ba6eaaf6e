"""Define the commands that check and claim cards and tickets, name the nearest, and draw lots."""

from __future__ import annotations

import re
from typing import Annotated, TypeAlias

import typer
from rich.table import Table

from station.base.errors import EXIT_DONE, EXIT_NO, Unreadable
from station.base.nouns import KNOBS, number_list
from station.base.terminal import out
from station.orders.options import HERE, JSON, STATE, Commands, argument, option
from station.orders.tools import ask, draw_card, print_json, recorded, tell

SERIAL: TypeAlias = Annotated[
    str | None, argument("The card's serial, or the code a scanner reads.")
]
NUMBERS: TypeAlias = Annotated[
    str | None, option("A ticket that the station does not know: its numbers, 5,11,33,50,76.")
]
STAGE: TypeAlias = Annotated[
    str | None, option("For a ticket: the prize it claims, where several are open.")
]
commands = Commands()
NUMBER = re.compile(r"[0-9]{1,3}")


@commands.command()
def check(
    serial: SERIAL = None,
    numbers: NUMBERS = None,
    stage: STAGE = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Look at a card and say what a claim with it would come to; the game is not stopped. Exit code
    0 valid, 1 not.

    Example: loto check 0007
    Example: loto check --numbers 5,11,33,50,76
    """
    card = _either(serial, numbers, "check")
    if numbers is None:
        found = ask(where, "card", serial=card, short=True)
    else:
        found = ask(where, "ticket", numbers=_numbers(numbers), stage=stage or None)
    if as_json:
        print_json(found)
    else:
        if "rows" in found:
            title = " · ".join(filter(None, [f"card {found['serial']}", found["holder"]]))
            out.print(draw_card(title, found["rows"], found.get("marked", ())))
        out.print(found["say"])
    raise typer.Exit(EXIT_DONE if found["verdict"] == "valid" else EXIT_NO)


@commands.command()
def claim(
    serial: SERIAL = None,
    numbers: NUMBERS = None,
    stage: STAGE = None,
    name: Annotated[str | None, option("For a ticket: who holds it.")] = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Claim with a card: the game stops and the card is checked for good. Exit code 0 valid, 1 not.

    Example: loto claim 0007
    Example: loto claim --numbers 5,11,33,50,76 --name Zoe
    """
    card = _either(serial, numbers, "claim")
    if numbers is None:
        mine = {"serial": ask(where, "card", serial=card)["serial"]}
        tell(where, "claim", **mine)
    else:
        mine = {"numbers": sorted(_numbers(numbers))}
        tell(where, "claim-ticket", numbers=_numbers(numbers), name=name, stage=stage)
    claims = [one for one in ask(where, "claims")["claims"] if mine.items() <= one.items()]
    gone = {"serial": serial, "verdict": None, "say": "the game went on meanwhile: check the board"}
    found = claims[-1] if claims else gone
    if as_json:
        print_json(found)
    else:
        out.print(f"{'card' if numbers is None else 'ticket'} {found['serial']}: {found['say']}")
    raise typer.Exit(EXIT_DONE if found["verdict"] == "valid" else EXIT_NO)


@commands.command()
def near(where: STATE = HERE, as_json: JSON = False) -> None:
    """Name the ten cards nearest to each prize that can be won now: for the caller, not for the
    hall.

    Example: loto near
    """
    found = ask(where, "nearest")
    if as_json:
        print_json(found)
        return
    if not found["stages"]:
        out.print("no game is open")
    for stage in found["stages"]:
        want = f"{stage['want_one']} want one number, {stage['want_two']} want two"
        table = Table("card", "player", "wants", "numbers", title_justify="left")
        table.title = f"{stage['name']}: {want}"
        for card in stage["cards"]:
            numbers = number_list(card["numbers"])
            table.add_row(card["serial"], card["holder"] or "-", str(card["many"]), numbers)
        out.print(table)


@commands.command()
def lots(
    stage: Annotated[str, argument("The prize, as loto money or the board names it: corners.")],
    knobs: Annotated[
        list[str],
        argument("Each winning card with the knob that was drawn for it: 0001=45 0007=12."),
    ],
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Decide who has a thing that several have won: each draws a knob, the highest has it.

    Example: loto lots corners 0001=45 0007=12
    """
    if len(knobs) == 1:
        raise Unreadable(
            "one card alone draws no lots: name each winning card with its knob, 0001=45 0007=12"
        )
    drawn = []
    for word in knobs:
        serial, _, knob = word.partition("=")
        if not (serial and _is_knob(knob)):
            raise Unreadable(f"{word!r}: write the card and its knob, from 1 to {KNOBS}: 0001=45")
        drawn.append([ask(where, "owed", serial=serial)["serial"], int(knob)])
    seq = tell(where, "lots", stage=stage, knobs=drawn)
    highest = max(drawn, key=lambda one: int(one[1]))
    recorded(f"card {highest[0]} has it, with {highest[1]}", seq, as_json)


def _either(serial: str | None, numbers: str | None, command: str) -> str:
    """Return the serial; empty if numbers are given.

    Raises:
        typer.BadParameter: not exactly one of the two is given.
    """
    if (serial is None) is (numbers is None):
        raise typer.BadParameter(
            f"{command} needs a card's serial, or a ticket's --numbers: ./loto {command} 0007"
        )
    return serial or ""


def _is_knob(word: str) -> bool:
    return bool(NUMBER.fullmatch(word)) and 1 <= int(word) <= KNOBS


def _numbers(text: str) -> list[int]:
    words = [word for word in re.split(r"[,;\s]+", text.strip()) if word]
    for word in words:
        if not _is_knob(word):
            raise Unreadable(
                f"{word!r} is no number from 1 to {KNOBS}: write them as 5,11,33,50,76"
            )
    numbers = [int(word) for word in words]
    if twice := [number for number in numbers if numbers.count(number) > 1]:
        raise Unreadable(f"{twice[0]} is given twice: check the ticket")
    return numbers
