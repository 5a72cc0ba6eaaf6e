"""Define the commands of the table: sit a company down, count its bag, show what lies there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from rich.table import Table

from station.base.errors import Unreadable
from station.base.nouns import KNOBS, Columns, number_list
from station.base.terminal import out
from station.base.tongue import Tongue, heads, key, number_of, tr
from station.commands.options import HERE, JSON, STATE, Commands, argument, option
from station.commands.tools import (
    answered,
    ask,
    draw_card,
    given,
    people_told,
    print_json,
    recorded,
    the_hall_s_money,
)
from station.views.money_text import Currency, read_sum

Told: TypeAlias = Mapping[str, Any]

# What comes next where no game says it, and what to type for it.
STEPS = {
    "sit": key("the company sits down: ./loto table sit Anna Bruno"),
    "open": key("open the game: ./loto open"),
    "hall": key("the next game is one for the hall"),
    "hall-open": key("a game for the hall is being played"),
    "done": key("the programme is played"),
}

# What the seat has that leads the game, as the station names it.
HAS = {
    "bag": key("{name} has the bag"),
    "dice": key("{name} has the dice"),
    "cubes": key("{name} has the cubes"),
    "pack": key("{name} deals"),
}

commands = Commands(
    "table",
    "A game at the table: the company, its bag, its cards and counters. Knobs are drawn with loto"
    " do draw.",
)


@commands.command("sit")
def sit(
    names: Annotated[
        list[str], argument("Who plays, from the dealer's left on: the first has the eldest hand.")
    ],
    takes: Annotated[
        str | None,
        option("How many cards: for each player, 2,2,1, or one number for all; else as usual."),
    ] = None,
    purse: Annotated[
        str | None, option("What each has with him: 24.00; else what the programme says.")
    ] = None,
    simulated: Annotated[
        list[str] | None,
        option("For whom the station plays: Bruno,Carla; or all. May be given several times."),
    ] = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Sit a company down, for the coming game and those after it.

    Example: loto table sit Anna Bruno Carla
    Example: loto table sit Anna Bruno Carla --takes 4,2,1 --purse 24.00
    Example: loto table sit Anna Bruno Carla Dario --simulated Bruno,Carla,Dario
    """
    units = read_sum(purse, the_hall_s_money(where)) if purse is not None else None
    played = _simulated(names, simulated)
    players = [
        given(name=name, takes=count, purse=units, simulated=name in played or None)
        for name, count in zip(names, _takes(names, takes), strict=True)
    ]
    done = answered(where, "sit", players=players)
    seated = tr("{players} at the table", players=number_of(len(names), "player"))
    recorded(seated, done["seq"], as_json, now=done["say"])
    if not as_json and (why := ask(where, "table")["acts"].get("open")):
        out.print(tr("The next game does not open like this: {why}", why=why))


@commands.command("join")
def join(
    name: Annotated[str, argument("Who joins.")],
    purse: Annotated[
        str | None, option("What he has with him: 24.00; else what the programme says.")
    ] = None,
    simulated: Annotated[bool, option("The station plays for him.", "--simulated")] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Let somebody join the game between two of its drawings, on the seat after the last. Then
    `move` lists what this player may do.

    Example: loto table join Dora --purse 24.00
    """
    units = None if purse is None else read_sum(purse, the_hall_s_money(where))
    done = answered(where, "join", name=name, purse=units, simulated=simulated or None)
    seat = ask(where, "table")["seats"][-1]
    joined = tr("{name} has joined, with seat {seat}", name=seat["name"], seat=seat["seat"])
    recorded(joined, done["seq"], as_json, now=done["say"])


@commands.command("invite")
def invite(
    close: Annotated[bool, option("Close the table to players now.", "--close")] = False,
    show_only: Annotated[bool, option("Only show who has joined.", "--show")] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Open the table for 60 s: players scan the code on the board, type a name, and get the next
    free seat. Typed again, it starts the 60 s again.

    Example: loto table invite
    Example: loto table invite --show
    Example: loto table invite --close
    """
    do = "shut" if close else "show" if show_only else "open"
    told = people_told(where, "join", do)["answer"]
    if as_json:
        print_json(told)
        return
    is_open = tr("The table is open to players for {seconds} s more.", seconds=told["seconds"])
    out.print(is_open if told["seconds"] else tr("The table is closed to players."))
    if told["seats"]:
        taken, seats = told["taken"], told["seats"]
        out.print(tr("{taken} of {seats} seats are taken.", taken=taken, seats=seats))
    if told["joined"]:
        out.print(tr("Joined: {names}", names=", ".join(told["joined"])))


def _takes(names: Sequence[str], takes: str | None) -> list[int | None]:
    if takes is None:
        return [None] * len(names)
    words = takes.split(",")
    good = all(re.fullmatch(r" *[0-9]{1,2} *", word) for word in words)
    if not good or len(words) not in (1, len(names)):
        raise Unreadable(
            tr(
                "--takes {takes}: one number of cards, or one for each of the {count} players, as"
                " 2,2,1",
                takes=takes,
                count=len(names),
            )
        )
    counts: list[int | None] = [int(word) for word in words]
    return counts * len(names) if len(counts) == 1 else counts


def _simulated(names: Sequence[str], simulated: Sequence[str] | None) -> frozenset[str]:
    said = [name.strip() for one in simulated or () for name in one.split(",")]
    wanted = [*names, *(name for name in said if name != "all")] if "all" in said else said
    if strangers := [name for name in wanted if name not in names]:
        raise Unreadable(
            tr(
                "--simulated {name}: none of the players; they are {names}",
                name=strangers[0],
                names=", ".join(names),
            )
        )
    return frozenset(wanted)


@commands.command("show")
def show(
    cards: Annotated[
        bool, option("With all cards, and the counters on them marked.", "--cards")
    ] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Show the table: who sits there, what each has, and what comes next.

    Example: loto table show
    Example: loto table show --cards
    """
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
        company = enumerate(told["company"], 1)
        purses = ((at, _marked(seat), currency.text(seat["purse"])) for at, seat in company)
        out.print("\n".join(f"  {at}. {name}, {purse}" for at, name, purse in purses))
    for zone in told["zones"] if seats and cards else ():
        for card in zone["things"]:
            if zone["seat"] and card["kind"] == "number-card":
                serial = tr("card {serial}", serial=card["serial"])
                title = f"{name_of(told, zone['seat'])}, {serial}"
                columns = Columns.TENS_LAST if card["tens_last"] else Columns.TENS_FIRST
                out.print(draw_card(title, card["rows"], card["covered"], columns))


def follows(told: Told) -> str:
    """Return what comes next, and what to type for it."""
    if told["step"] in STEPS:
        return tr(STEPS[told["step"]])
    return f"{told['text']} ({typed})" if (typed := _typed(told)) else str(told["text"])


def _typed(told: Told) -> str:
    """Return what to type for what comes next; empty if there is a choice to make."""
    chance = told["chance"]
    if told["step"] == "shake":
        return "./loto table shake"
    if chance is not None and chance["do"]:
        return "./loto draw" if chance["kind"] == "knob" else f"./loto table {chance['do']}"
    if told["acts"].get("close") == "":
        return "./loto close"
    due = [one["do"] for one in told["moves"] if one["may"] and _awaited(told, one)]
    return f"./loto table {tr(' or ').join(dict.fromkeys(due))}" if due else ""


def _awaited(told: Told, move: Told) -> bool:
    return move["seat"] == 0 or move["seat"] in told["turn"]


def _lines(told: Told, currency: Currency) -> Iterator[str]:
    yield tr("next: {what}", what=follows(told))
    if told["step"] in ("sit", "open", "hall") and told["next"]:
        number, name, title = (told["next"][key] for key in ("number", "name", "title"))
        yield tr(
            "the next game at the table is game {number}, {name}: {title}",
            number=number,
            name=name,
            title=title,
        )
    if told["over"]:
        yield str(told["text"])
    middle = [zone for zone in told["zones"] if not zone["seat"] and zone["things"]]
    for zone in middle:
        if zone["key"] not in ("board", "notes") and not _is_sum(zone):
            yield from zone_lines(told, zone, currency)
    if told["open"]:
        yield from _board(told, middle)
        yield from filter(None, [_sums(told, middle, currency)])


def _board(told: Told, middle: list[Told]) -> Iterator[str]:
    """Yield who has the bag, what was drawn, what is in the bag."""
    of = {zone["key"]: zone["things"] for zone in middle}
    has_bag = any(zone["key"] == "board" for zone in told["zones"])
    knobs = [thing["number"] for thing in of.get("board", ())]
    parts = []
    if told["leads"]:
        has = HAS.get(told.get("has", ""), key("{name} leads"))
        parts.append(tr(has, name=name_of(told, told["leads"])))
    if has_bag:
        drawn = ", ".join(map(str, knobs)) if Tongue.texts else number_list(knobs)
        parts.append(tr("on the board: {numbers}", numbers=drawn if knobs else tr("nothing")))
    said = "; ".join(parts)
    yield from filter(None, [said, " · ".join(thing["text"] for thing in of.get("notes", ()))])


def _is_sum(zone: Told) -> bool:
    """Return whether these are piles with a label: they are told in one line."""
    return bool(zone["label"]) and all(thing["kind"] == "pile" for thing in zone["things"])


def _sums(told: Told, middle: list[Told], currency: Currency) -> str:
    return ", ".join(
        f"{zone['label'].lower()} {thing_text(told, thing, currency)}"
        for zone in middle
        if _is_sum(zone)
        for thing in zone["things"]
    )


def zone_lines(told: Told, zone: Told, currency: Currency) -> Iterator[str]:
    """Yield what lies in a zone: captions in lines of their own, the rest in one, no score of 0."""
    yield from (thing["text"] for thing in zone["things"] if thing["kind"] == "caption")
    things = [
        thing_text(told, thing, currency)
        for thing in zone["things"]
        if thing["kind"] != "caption" and not (thing["kind"] == "score" and not thing["points"])
    ]
    if things:
        yield f"  {zone['label']}{': ' if zone['label'] else ''}{', '.join(things)}"


def thing_text(told: Told, thing: Told, currency: Currency) -> str:
    """Return a thing on the table, in words."""
    match thing["kind"]:
        case "pile":
            counted = thing["contracts"] or thing["fish"] or thing["singles"]
            sum_ = currency.text(abs(thing["units"]) * told["value"])
            text = f"{thing['text']} ({sum_})" if counted else thing["text"]
            return tr("{what} owed", what=text) if thing["units"] < 0 else str(text)
        case "caption":
            return str(thing["text"])
        case "score":
            return f"{thing['label']} {thing['points']}".strip()
        case "knob":
            return str(thing["number"])
        case "number-card" | "check-card":
            return str(thing.get("serial") or tr("{count} checked", count=len(thing["checked"])))
        case "playing-card":
            return thing["face"] or tr("a card, face down")
        case "picture-card":
            return str(thing["name"])
        case "die":
            return str(thing["spots"])
        case _:
            return thing["mark"] or tr("blank")


def captions(before: Told, after: Told) -> Iterator[str]:
    """Yield what is said at the table after an act and was not said before it."""

    def said(told: Told) -> Iterator[tuple[str, int, Told]]:
        for zone in told["zones"]:
            if zone["key"] != "notes":
                yield from ((zone["key"], zone["seat"], thing) for thing in zone["things"])

    known = [*said(before)]
    for place, seat, thing in said(after):
        new = (place, seat, thing) not in known
        whose = f"{name_of(after, seat)}: " if seat else ""
        if new and thing["kind"] == "caption":
            yield f"  {whose}{thing['text']}"
        elif new and thing["kind"] == "score" and thing["points"]:
            yield f"  {whose}{thing['label']}: {thing['points']}"


def _marked(seat: Told) -> str:
    """Return a player's name, marked if the station plays for them."""
    return f"{seat['name']} ({tr('simulated')})" if seat.get("simulated") else str(seat["name"])


def _seats(told: Told, currency: Currency) -> Table:
    table = Table(*heads("seat", "player", "has", "on the table", "purse"))
    for seat in told["seats"]:
        own = [zone for zone in told["zones"] if zone["seat"] == seat["seat"]]
        won = [zone for zone in own if zone["key"] in ("hand", "outcome")]
        texts = [
            ", ".join(
                f"{zone['label']} {thing_text(told, thing, currency)}".strip()
                for zone in zones
                for thing in zone["things"]
            )
            for zones in ([zone for zone in own if zone not in won], won)
        ]
        cells = [str(seat["seat"]), _marked(seat), *(text or "-" for text in texts)]
        table.add_row(*cells, currency.text(seat["purse"]))
    return table


@commands.command("shake")
def shake(
    counted: Annotated[
        int | None,
        option("How many knobs were counted; else as many as must be there.", min=0, max=KNOBS),
    ] = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Say that the knobs in the bag were counted and that it was shaken, before a drawing.

    Example: loto table shake --counted 90
    """
    count = ask(where, "table")["in_bag"] if counted is None else counted
    done = answered(where, "shake", counted=count)
    shaken = tr("{knobs} in the bag, and it is shaken", knobs=number_of(count, "knob"))
    recorded(shaken, done["seq"], as_json, now=done["say"])


def worth(told: Told, units: int, currency: Currency) -> str:
    """Return a sum of the game's units, counted out in pieces if they are counters."""
    sum_ = currency.text(units * told["value"])
    contracts, fish, counters = units // 100, units % 100 // 10, units % 10
    pieces = [number_of(contracts, "contract")] if contracts else []
    pieces += [tr("{count} fish", count=fish)] if fish else []
    pieces += [number_of(counters, "counter")] if counters else []
    counted = ", ".join(pieces) or tr("no counters")
    return f"{counted} ({sum_})" if told["counted"] else sum_


def name_of(told: Told, seat: int) -> str:
    """Return the name of a seat's player."""
    return str(told["seats"][seat - 1]["name"])
