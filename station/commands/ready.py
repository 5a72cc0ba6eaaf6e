"""Define the commands before an evening: count the knobs, test the station, ask how it is.

They talk to the running station.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import RenderableType
from rich.live import Live
from rich.table import Table

from station.base.disk import keep_file
from station.base.errors import EXIT_DEVICE, EXIT_NO, Unreadable
from station.base.later import later
from station.base.nouns import KNOBS
from station.base.terminal import out, styled
from station.base.tongue import heads, key, tr
from station.commands.options import HERE, JSON, STATE, Commands, option
from station.commands.tools import (
    StationRefused,
    Where,
    accepted,
    as_typed,
    ask,
    print_json,
    recorded,
    tell,
)
from station.wire.wire import SOCKET, Client

with later():
    from station.night import readiness as night_census

commands = Commands()
WAIVED = {
    "census": key("tonight {who} has the games played without a good census"),
    "faults": key("tonight {who} has the games played in spite of the faults"),
}
ASK_S = 0.25  # between two questions to the station
GIVE_UP_S = 900.0  # ninety knobs are laid in a few minutes

Told: TypeAlias = dict[str, Any]
Waive = Annotated[
    str | None, option("Play without it tonight: the reason, with --who.", "--waive", metavar="WHY")
]
Who = Annotated[str | None, option("Who waives it: a name for the record.", "--who")]


@commands.command()
def census(
    where: STATE = HERE,
    go_on: Annotated[
        bool, option("Go on with the last one: only what was wrong is laid again.", "--go-on")
    ] = False,
    printed: Annotated[
        Path | None, option("Write the sheet to this file, ready for any printer.", "--print")
    ] = None,
    waive: Waive = None,
    who: Who = None,
    as_json: JSON = False,
) -> None:
    """Count the knobs: each is laid on the reader once, and the station names what is missing,
    double or foreign.

    Before an evening, and at the table while its bag waits for it: there the bag is counted when
    all that must be in it was found, and those put away are not expected. Ctrl-C ends it early.
    Exit code 0 ninety of ninety, 1 not.

    Example: loto census
    Example: loto census --go-on --print census.txt
    Example: loto census --waive "the reader is broken" --who Anna
    """
    if waive is not None:
        _waive(where, "census", waive, who, as_json=as_json)
        return
    begin = {"act": "census-begin", "go_on": go_on}
    told = _watched(where, "census", begin, lambda found: styled(_sheet(found)), as_json)
    if "found" not in told:
        raise StationRefused(
            tr(
                "the count was stopped: the bag was counted by hand meanwhile, or another game is"
                " on"
            )
        )
    paper = _sheet(told)
    if printed is not None:
        _save(printed, paper)
    if as_json:
        print_json(told)
    else:
        out.print(paper, end="")
        away = len(told["away"])
        said = tr("ninety of ninety")
        if away:
            said = tr("all {count} that are not put away", count=KNOBS - away)
        if told["state"] != "good":
            said = tr("correct this, then type: ./loto census --go-on")
        out.print(styled(said, "bold"))
    raise typer.Exit(0 if told["state"] == "good" else EXIT_NO)


def _sheet(told: Told) -> str:
    return night_census.sheet(
        tuple(told.get("found", ())), _lines(told), tuple(told.get("away", ()))
    )


def _lines(told: Told) -> tuple[str, ...]:
    """Return the lines below the boxes of a count."""
    faults = tuple(fault for fault in told.get("faults", ()) if not fault.startswith("missing"))
    unreadable = told.get("unreadable", 0)
    times = tr("could not be read: {count} times", count=unreadable)
    return (*faults, times) if unreadable else faults


def _save(path: Path, paper: str) -> None:
    try:
        keep_file(path.absolute(), paper.encode())
    except OSError as error:
        raise Unreadable(
            tr(
                "{path}: the sheet cannot be written ({why}); name a file in a folder that is"
                " there",
                path=path,
                why=error.strerror,
            )
        ) from error


def _waive(where: Where, about: str, why: str, who: str | None, *, as_json: bool) -> None:
    if who is None:
        raise Unreadable(tr("a waiver needs a name: add --who and your name"))
    seq = tell(where, "waive", about=about, who=who, why=why)
    recorded(tr(WAIVED[about], who=who), seq, as_json)


@commands.command()
def selftest(
    where: STATE = HERE,
    no_hands: Annotated[
        bool, option("Do not wait for buttons and readers: nobody is there.", "--no-hands")
    ] = False,
    waive: Waive = None,
    who: Who = None,
    as_json: JSON = False,
) -> None:
    """Try the running station: lamps, board, voice, each button and reader, disk and clock. Between
    games.

    Exit code 0 passed, 3 a device has a fault.

    Example: loto selftest
    Example: loto selftest --no-hands
    Example: loto selftest --waive "the second reader is at the mender's" --who Anna
    """
    if waive is not None:
        _waive(where, "faults", waive, who, as_json=as_json)
        return
    begin = {"act": "self-test-begin", "hands": not no_hands}
    told = _watched(where, "self-test", begin, _tried, as_json)
    faults = [part["what"] for part in told["parts"] if part["result"] == "fault"]
    if as_json:
        print_json(told)
    else:
        out.print(_tried(told))
        named = ", ".join(faults)
        passed = tr("the self-test is passed")
        out.print(tr("a fault in: {what}", what=named) if faults else passed)
    raise typer.Exit(EXIT_DEVICE if faults else 0)


@commands.command()
def health(where: STATE = HERE, as_json: JSON = False) -> None:
    """Ask the running station how it is: devices, disk, record, clock, supply, who is connected.

    It tries nothing and may be asked at any time, also in a game. Exit code 0 no fault, 3 a fault.

    Example: loto health
    Example: loto health --json
    """
    told = ask(where, "health")
    if as_json:
        print_json(told)
    else:
        table = Table(*heads("what", "state", "what was found"))
        for item in told["items"]:
            table.add_row(item["key"], _marked(item["result"]), item["say"])
        out.print(table)
    raise typer.Exit(0 if told["good"] else EXIT_DEVICE)


_MARK = {
    "good": (key("good"), "green"),
    "fault": (key("FAULT"), "red"),
    "skipped": (key("skipped"), "yellow"),
    "unknown": (key("unknown"), "yellow"),
}


def _marked(result: str) -> RenderableType:
    said, colour = _MARK[result]
    return styled(tr(said), colour)


def _tried(told: Told) -> Table:
    table = Table(*heads("tried", "outcome", "what was found"))
    for part in told["parts"]:
        table.add_row(part["what"], _marked(part["result"]), part["say"])
    if told["asks"]:
        table.add_row("", "", styled(told["asks"].upper(), "bold"))
    return table


def _watched(
    where: Where, about: str, begin: Told, draw: Callable[[Told], RenderableType], as_json: bool
) -> Told:
    """Follow what the station does on the terminal, where nobody wants JSON; return the result."""
    if as_json:
        return asyncio.run(_follow(where, about, begin, lambda _: None))
    with Live(styled(""), console=out, transient=True) as live:
        return asyncio.run(_follow(where, about, begin, lambda told: live.update(draw(told))))


async def _follow(where: Where, about: str, begin: Told, show: Callable[[Told], None]) -> Told:
    """Let the station begin, show how far it is, return the result; end it where interrupted."""
    async with await Client.open(where.run_folder / SOCKET, "admin") as client:
        accepted(await client.request(as_typed({"do": begin})))
        told: Told = {}
        try:
            async with asyncio.timeout(GIVE_UP_S):
                while (told := await _ask(client, about))["active"]:
                    show(told)
                    await asyncio.sleep(ASK_S)
        except (TimeoutError, asyncio.CancelledError):
            # refused if it is over, or something is wrong: then that is told
            await client.request({"do": {"act": f"{about}-end"}})
            told = await _ask(client, about)
        return told


async def _ask(client: Client, about: str) -> Told:
    return dict(accepted(await client.request(as_typed({"ask": {"about": about}})))["answer"])
