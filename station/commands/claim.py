"""Define the commands that check and claim cards and tickets, name the nearest, and draw lots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import typer
from rich.table import Table

from station.base.errors import EXIT_DONE, EXIT_NO, Unreadable
from station.base.nouns import KNOBS, Columns, number_list
from station.base.terminal import out
from station.base.tongue import Tongue, heads, key, tr
from station.commands.options import HERE, JSON, STATE, Commands, argument, option
from station.commands.tools import ask, draw_card, print_json, recorded, tell

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
    card = _either(serial, numbers, "check", stage)
    if numbers is None:
        found = ask(where, "card", serial=card, short=True)
    else:
        found = ask(where, "ticket", numbers=_numbers(numbers), stage=stage or None)
    if as_json:
        print_json(found)
    else:
        if "rows" in found:
            card_of = tr("card {serial}", serial=found["serial"])
            title = " · ".join(filter(None, [card_of, found["holder"]]))
            columns = Columns.TENS_LAST if found.get("tens_last") else Columns.TENS_FIRST
            out.print(draw_card(title, found["rows"], found.get("marked", ()), columns))
        out.print(_verdict(found))
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
    card = _either(serial, numbers, "claim", stage, name)
    if numbers is None:
        mine = {"serial": ask(where, "card", serial=card)["serial"]}
        tell(where, "claim", **mine)
    else:
        mine = {"numbers": sorted(_numbers(numbers))}
        tell(where, "claim-ticket", numbers=_numbers(numbers), name=name, stage=stage)
    claims = [one for one in ask(where, "claims")["claims"] if mine.items() <= one.items()]
    say = tr("the game went on meanwhile: check the board")
    gone = {"serial": serial, "verdict": None, "say": say}
    found = claims[-1] if claims else gone
    if as_json:
        print_json(found)
    else:
        whose = tr("card {serial}") if numbers is None else tr("ticket {serial}")
        if Tongue.texts and numbers is None and claims:
            found = {**ask(where, "card", serial=found["serial"]), **found}
        out.print(f"{whose.format(serial=found['serial'])}: {_verdict(found)}")
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
        out.print(tr("no game is open"))
    for stage in found["stages"]:
        table = Table(*heads("card", "player", "wants", "numbers"), title_justify="left")
        table.title = tr(
            "{stage}: {one} want one number, {two} want two",
            stage=stage["name"],
            one=stage["want_one"],
            two=stage["want_two"],
        )
        for card in stage["cards"]:
            complete = tr("complete, not claimed yet")
            numbers = number_list(card["numbers"]) if card["many"] else complete
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
            tr(
                "one card alone draws no lots: name each winning card with its knob, 0001=45"
                " 0007=12"
            )
        )
    drawn = []
    for word in knobs:
        serial, _, knob = word.partition("=")
        if not (serial and _is_knob(knob)):
            raise Unreadable(
                tr(
                    "{word!r}: write the card and its knob, from 1 to {knobs}: 0001=45",
                    word=word,
                    knobs=KNOBS,
                )
            )
        drawn.append([ask(where, "owed", serial=serial)["serial"], int(knob)])
    seq = tell(where, "lots", stage=stage, knobs=drawn)
    highest = max(drawn, key=lambda one: int(one[1]))
    has = tr("card {serial} has it, with {number}", serial=highest[0], number=highest[1])
    recorded(has, seq, as_json)


def _either(serial: str | None, numbers: str | None, command: str, *of_ticket: str | None) -> str:
    """Return the serial; empty if numbers are given.

    Raises:
        typer.BadParameter: not exactly one of the two is given, or with the serial something that
            a ticket alone wants.
    """
    if (serial is None) is (numbers is None):
        raise typer.BadParameter(
            tr(
                "{command} needs a card's serial, or a ticket's --numbers: ./loto {command} 0007",
                command=command,
            )
        )
    if serial is not None and any(one is not None for one in of_ticket):
        raise typer.BadParameter(
            tr("--stage and --name are for a ticket, with --numbers: a card claims all that it has")
        )
    return serial or ""


# What prizes are called where no programme names them.
STAGES = (
    key("row"),
    key("two rows"),
    key("full"),
    key("top row"),
    key("middle row"),
    key("bottom row"),
    key("corners"),
    key("early five"),
    key("ambo"),
    key("terno"),
    key("quaterna"),
)


def _verdict(found: Mapping[str, Any]) -> str:
    """Return what a check or a claim came to; the station says it in English, this in any. What a
    card has won the station says in all languages."""
    if not Tongue.texts or "still" in found:
        return str(found["say"])
    match found["verdict"]:
        case "valid":
            names = {one["key"]: one["name"] for one in found.get("stages", ())}
            named = (names.get(one) or one.replace("-", " ") for one in found["valid_for"])
            return tr("valid for {stages}", stages=tr(" and ").join(map(tr, named)))
        case "late":
            return tr("not valid: it was complete before the last number was called")
        case "not-sold":
            return tr("not valid: this card was not sold for this game")
        case "already-won":
            return tr("not valid: it has won that already; a second one is for another card")
        case None if "game" in found and "marked" not in found:
            sold = tr("no game is open; for the next one this card is sold")
            unsold = tr("no game is open; for the next one this card is not sold")
            return sold if found["sold"] else unsold
        case None:
            return tr("all prizes of this game are won") if "game" in found else str(found["say"])
    return f"{tr('not valid')}: {_wanted(found) or tr('it is not complete')}"


def _wanted(found: Mapping[str, Any]) -> str:
    """Return what a card wants for each open prize, or which numbers of a ticket are not called."""
    if lacking := found.get("not_called"):
        return tr("not called: {numbers}", numbers=", ".join(map(str, lacking)))
    return "; ".join(
        tr(
            "wants {many} of {numbers} for {stage}",
            many=one["many"],
            numbers=", ".join(map(str, one["missing"])),
            stage=tr(one["name"]),
        )
        for one in found.get("stages", ())
        if one["many"]
    )


def _is_knob(word: str) -> bool:
    return bool(NUMBER.fullmatch(word)) and 1 <= int(word) <= KNOBS


def _numbers(text: str) -> list[int]:
    words = [word for word in re.split(r"[,;\s]+", text.strip()) if word]
    for word in words:
        if not _is_knob(word):
            raise Unreadable(
                tr(
                    "{word!r} is no number from 1 to {knobs}: write them as 5,11,33,50,76",
                    word=word,
                    knobs=KNOBS,
                )
            )
    numbers = [int(word) for word in words]
    if twice := [number for number in numbers if numbers.count(number) > 1]:
        raise Unreadable(tr("{number} is given twice: check the ticket", number=twice[0]))
    return numbers
