"""Define the commands that let paired devices in, and say whose they are."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer
from rich.table import Table

from station.base.errors import Unreadable
from station.base.terminal import out
from station.base.tongue import heads, key, tr
from station.commands.options import HERE, JSON, NIGHTS, STATE, YES, Commands, argument, option
from station.commands.tools import Where, ask, make_sure, people_told, print_json, recorded, tell
from station.people.alike import person_of
from station.record import audit, forgotten
from station.record.folders import is_open
from station.record.forgotten import names_in

WHO: TypeAlias = Annotated[str, argument("The name in the list, or the beginning of its key.")]
SHOWN = 8  # letters of a key that tell one device from another

commands = Commands()
people_commands = Commands(
    "people", "Whose devices are paired: list them, rename them, end a pairing."
)
commands.add_typer(people_commands)


@commands.command()
def pair(
    digits: Annotated[str | None, argument("The six digits that stand on the device.")] = None,
    role: Annotated[
        str | None,
        option("caller, checker, cashier, host, auditor, treasurer, admin or seat.", "--as"),
    ] = None,
    name: Annotated[str | None, option("Whose it is; else what the device calls itself.")] = None,
    seat: Annotated[int, option("Where a seat sits at the table, from 1.")] = 0,
    refuse: Annotated[bool, option("Turn away who asks.", "--refuse")] = False,
    open_again: Annotated[
        bool, option("Open pairing again, after twenty wrong tries.", "--open")
    ] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Let a tablet, a laptop or a phone in: open /pair on it, and type here what it shows. Without
    digits, say who asks.

    Example: loto pair
    Example: loto pair 402917 --as caller --name Anna
    Example: loto pair 402917 --as seat --seat 3 --name Bruno
    Example: loto pair --refuse
    """
    if digits is None:
        do = "refuse" if refuse else "open" if open_again else "show"
        told = people_told(where, "pair", do)["answer"]
        if as_json:
            print_json(told)
        else:
            out.print(_who_asks(told))
        return
    plain = "".join(digits.split())
    if role is None:
        raise Unreadable(
            tr("pair needs a role: ./loto pair {digits} --as caller --name Anna", digits=plain)
        )
    as_whom = {"role": role, "seat": seat, "name": name or None}
    _said(people_told(where, "pair", "confirm", digits=plain, **as_whom), as_json=as_json)


@people_commands.callback(invoke_without_command=True, no_args_is_help=False)
def people(context: typer.Context, where: STATE = HERE, as_json: JSON = False) -> None:
    """List whose devices are paired, what they may do, and when they were used last.

    Example: loto people
    Example: loto people rename Anna "Anna Lee"
    Example: loto people revoke Bruno
    """
    if context.invoked_subcommand is not None:
        return
    told = ask(where, "people")
    if as_json:
        print_json(told)
        return
    if told["people"]:
        table = Table(*heads("name", "may do what a", "seat", "last used", "key"))
        for one in told["people"]:
            seat, used = str(one["seat"] or ""), _ago(one["unused_s"])
            table.add_row(one["name"], one["role"], seat, used, one["key"][:SHOWN])
        out.print(table)
    out.print(_who_asks(told))


@people_commands.command()
def rename(
    who: WHO,
    name: Annotated[str, argument("Whose it is.")],
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Write down whose a paired device is.

    Example: loto people rename Anna "Anna Lee"
    """
    one = _of(where, who)
    seq = tell(where, "rename", key=one["key"], name=name)
    renamed = tr("{old} is {new} from now on", old=one["name"], new=name)
    recorded(renamed, seq, as_json)


@people_commands.command()
def revoke(
    who: WHO,
    why: Annotated[str | None, option("The reason, which is recorded.")] = None,
    every: Annotated[
        bool, option("All devices of that person, where there are several.", "--all")
    ] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """End a pairing: nothing more is taken from that device.

    Example: loto people revoke Bruno --why "the phone is lost"
    Example: loto people revoke Bruno --all
    """
    for one in _meant(where, who) if every else [_of(where, who)]:
        seq = tell(where, "unpair", key=one["key"], why=why)
        ended = tr(
            "{name}, {role}: that device is not paired any more", name=one["name"], role=one["role"]
        )
        recorded(ended, seq, as_json)


@people_commands.command()
def pin(
    name: Annotated[str, argument("Whose PIN it is.")], where: STATE = HERE, as_json: JSON = False
) -> None:
    """Make a PIN for somebody who answers for sums on others' devices; it is shown once.

    Example: loto people pin Ben
    """
    _said(people_told(where, "pins", "make", name=name), as_json=as_json)


@people_commands.command()
def free(where: STATE = HERE, as_json: JSON = False) -> None:
    """Free the PINs that are locked after wrong tries.

    Example: loto people free
    """
    _said(people_told(where, "pins", "free"), as_json=as_json)


@people_commands.command()
def forget(
    name: Annotated[str, argument("Who asked to be forgotten.")],
    where: NIGHTS = HERE,
    yes: YES = False,
    as_json: JSON = False,
) -> None:
    """Leave a person's name out of print, pages and exports from now on: a pseudonym stands in its
    place. The lines of the journal stay as they were signed. The night must be closed.

    Example: loto people forget "Anna Lee"
    """
    folder = where.nights
    person, found = person_of(name), False
    for path, reading, _ in audit.readings(folder):
        there = person in names_in(reading.lines)
        if there and is_open(path):
            what = tr("{name} is in the night that is open", name=name)
            todo = tr("close it first (loto close-night)")
            raise Unreadable(f"{what}: {todo}")
        found = found or there
    if not found:
        raise Unreadable(tr("{folder}: no line names {name}", folder=folder, name=name))
    if not yes:
        make_sure(tr(FORGETTING, name=name), tr("Forget {name}?", name=name))
    told = forgotten.forget(folder, name).told(name)
    if as_json:
        print_json({"name": name, "pseudonym": told})
    else:
        out.print(tr("{name} is {pseudonym} from now on", name=name, pseudonym=told))


FORGETTING = key(
    "Reports, receipts, pages and exports of {name} will show a pseudonym. This cannot be undone:"
    " no file says who it was, but the journal itself does."
)


def _said(answer: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json({key: said for key, said in answer.items() if key not in ("id", "ok")})
    else:
        out.print(answer["say"])


def _meant(where: Where, who: str) -> list[dict[str, Any]]:
    """Return the pairings of this name, or whose keys begin so.

    Raises:
        Unreadable: there is none.
    """
    known = ask(where, "people")["people"]
    meant = [one for one in known if one["name"] == who or one["key"].startswith(who)]
    if not meant:
        raise Unreadable(tr("{who!r} has no paired device: see ./loto people", who=who))
    return meant


def _of(where: Where, who: str) -> dict[str, Any]:
    """Return the one pairing that is meant.

    Raises:
        Unreadable: none is, or several are.
    """
    meant = _meant(where, who)
    if len(meant) == 1:
        return meant[0]
    keys = ", ".join(f"{one['key'][:SHOWN]} ({one['role']})" for one in meant)
    raise Unreadable(
        tr(
            "{who!r} has {count} devices: name one by its key, {keys}",
            who=who,
            count=len(meant),
            keys=keys,
        )
    )


def _who_asks(told: dict[str, Any]) -> str:
    if told["closed"]:
        return tr("Pairing is closed after twenty wrong tries: open it with ./loto pair --open")
    if (asks := told["asks"]) is None:
        return tr("No device asks to be paired: open /pair on one, and type here what it shows")
    return tr(
        "“{name}” asks, for {seconds} seconds more: type the six digits that stand on it, ./loto"
        " pair 123456 --as caller --name Anna; or ./loto pair --refuse",
        name=asks["name"],
        seconds=asks["seconds"],
    )


def _ago(seconds: int | None) -> str:
    """Return how long ago something was.

    >>> _ago(None), _ago(20), _ago(600), _ago(7200)
    ('not since the start', 'now', '10 min ago', '2 h ago')
    """
    if seconds is None:
        return tr("not since the start")
    if seconds < 60:
        return tr("now")
    if seconds < 3600:
        return tr("{count} min ago", count=seconds // 60)
    return tr("{count} h ago", count=seconds // 3600)
