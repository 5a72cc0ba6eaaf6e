"""The command line, second part: the commands that ask, make, check and sell."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, TypeAlias

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from station import config
from station.cards import Pack, make_pack
from station.disk import give_to_owner, keep_file
from station.errors import EXIT_DONE, EXIT_NO, LotoError, SettingsError, Unreadable
from station.table import KNOBS, number_list
from station.wire import SOCKET, Client, Message

out = Console(highlight=False, soft_wrap=True)

STATE: TypeAlias = Annotated[Path | None, typer.Option("--state", help="The folder of the station's data.")]
CONFIG: TypeAlias = Annotated[Path | None, typer.Option("--config", help="The settings file (TOML).")]
PROFILE: TypeAlias = Annotated[
    str | None, typer.Option("--profile", envvar="LOTO_PROFILE", help="The hardware: a name in hw/profiles, such as hall.")
]
JSON: TypeAlias = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]

ACT: TypeAlias = Literal["open", "draw", "stop", "claim", "play-on", "undo", "pay", "close", "close-night", "repeat", "auto"]
NOT_RECORDED = frozenset({"repeat", "auto"})

PACK_FILE = "pack.csv"
CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Where:
    """Which station is meant: its state folder, its settings file, its profile."""

    state: Path | None = None
    file: Path | None = None
    profile: str | None = None

    @property
    def state_folder(self) -> Path:
        """As given, else systemd's, else `var/` in a checkout, else the system's place."""
        if self.state is not None:
            return self.state.absolute()
        if service := os.environ.get("STATE_DIRECTORY"):
            return Path(service.split(":")[0])
        return CHECKOUT / "var" if (CHECKOUT / "pyproject.toml").exists() else config.SYSTEM_STATE

    @property
    def run_folder(self) -> Path:
        """Where the sockets are: systemd's run folder, the installed service's, or inside the state folder."""
        if service := os.environ.get("RUNTIME_DIRECTORY"):
            return Path(service.split(":")[0])
        system = Path("/run/loto-station")
        return system if self.state_folder == config.SYSTEM_STATE and system.is_dir() else self.state_folder / "run"

    def settings(self, over: Mapping[str, Any] | None = None) -> config.Settings:
        """The settings in force; raises `SettingsError` naming all faults."""
        return config.load_settings(self.profile, self.file, over)

    def arguments(self) -> list[str]:
        """The same, for another process of the station."""
        given = (("--state", self.state_folder), ("--config", self.file and self.file.absolute()), ("--profile", self.profile))
        return [word for option, value in given if value is not None for word in (option, str(value))]

    def hint(self) -> str:
        """What a person must add to another command to mean this station."""
        return f" --state {self.state}" if self.state is not None else ""


def register(app: typer.Typer) -> None:
    """Adds these commands to the command line."""
    for command in (sell, check, do):
        app.command(name=command.__name__)(command)
    app.add_typer(pack_app, name="pack")


def command_group(text: str) -> typer.Typer:
    """A group of commands."""
    names = {"help_option_names": ["-h", "--help"]}
    return typer.Typer(help=text, no_args_is_help=True, rich_markup_mode=None, context_settings=names)


pack_app = command_group("Make, check and look at packs of cards.")


def quiet_drivers() -> None:
    """For a command that says itself what becomes of its devices: their log would say it twice. Not with --verbose."""
    if not os.environ.get("LOTO_VERBOSE"):
        logging.getLogger("drivers").setLevel(logging.ERROR)


def print_json(data: Any) -> None:
    """Prints data for programs."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


# -- over the wire -----------------------------------------------------------------------------------------------------


async def _request(where: Where, message: Message) -> Message:
    async with await Client.open(where.run_folder / SOCKET, "admin") as client:
        return await client.request(message)


class Refusal(LotoError):
    """The station said no."""

    exit_code = EXIT_NO


def ask(where: Where, about: str, **arguments: str) -> dict[str, Any]:
    """Asks the running station. Raises `Refusal` with its reason, `WireError` when there is none."""
    answer = asyncio.run(_request(where, {"ask": {"about": about, **arguments}}))
    if "refused" in answer:
        raise Refusal(answer["refused"]["say"])
    return dict(answer["answer"])


def tell(where: Where, act: str, **arguments: Any) -> int:
    """Has the running station do something; gives the journal's line."""
    given = {key: value for key, value in arguments.items() if value is not None}
    answer = asyncio.run(_request(where, {"do": {"act": act, **given}}))
    if "refused" in answer:
        raise Refusal(answer["refused"]["say"])
    return int(answer["seq"])


def sell(
    cards: Annotated[list[str], typer.Argument(help="Serials and ranges: 0001-0006 0010.")],
    to: Annotated[str | None, typer.Option(help="Who buys; nobody by name if left out.")] = None,
    by: Annotated[str | None, typer.Option(help="Who sells.")] = None,
    games: Annotated[int, typer.Option(min=1, help="For how many games, from the next one on.")] = 1,
    state: STATE = None,
) -> None:
    """Sell cards for the coming game: all of them or none.

    \b
    Example: loto sell 0001-0006 --to Anna --games 3
    """
    where = Where(state)
    serials: list[str] = []
    for word in cards:
        first, dash, last = word.partition("-")
        serials += ask(where, "range", first=first, last=last)["serials"] if dash and last else [word]
    seq = tell(where, "sell", serials=serials, to=to, by=by, games=games)
    for_whom, for_what = f" to {to}" if to else "", f"{games} {'game' if games == 1 else 'games'}"
    out.print(
        f"{len(serials)} {'card' if len(serials) == 1 else 'cards'} sold{for_whom} for {for_what} (line {seq} of the journal)."
    )


def check(serial: str, state: STATE = None, as_json: JSON = False) -> None:
    """Look at a card and say what a claim with it would come to; the game is not stopped. Exit code 0 valid, 1 not.

    \b
    Example: loto check 0007
    """
    card = ask(Where(state), "card", serial=serial)
    if as_json:
        print_json(card)
    else:
        table = Table(show_header=False, title=f"card {serial}{' · ' + card['holder'] if card['holder'] else ''}")
        for row in card["rows"]:
            table.add_row(*(f"[reverse] {n} [/]" if n in card.get("marked", ()) else f" {n} " for n in row))
        out.print(table)
        out.print(_verdict(card))
    raise typer.Exit(EXIT_DONE if card["verdict"] == "valid" else EXIT_NO)


def _verdict(card: Mapping[str, Any]) -> str:
    """What a check came to, in words: the answer to a question about a card."""
    if card["verdict"] is None:
        return str(card["say"])
    missing = f"; wants {number_list(card['missing'])} for {card['stage']}" if card["missing"] else ""
    return f"{card['verdict']}{missing}".replace("-", " ")


def do(
    act: Annotated[ACT, typer.Argument(show_default=False)],
    what: Annotated[
        str | None, typer.Argument(help="A serial for claim and pay, a number for draw, how many for repeat, on or off for auto.")
    ] = None,
    why: Annotated[str | None, typer.Option(help="The reason, for undo.")] = None,
    pace: Annotated[float | None, typer.Option(help="Seconds from call to call, for auto.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a number is called by hand.")] = False,
    state: STATE = None,
) -> None:
    """Do what a button would do, and what has no button yet.

    \b
    Example: loto do claim 0007
    Example: loto do draw 42          (a knob whose tag cannot be read)
    Example: loto do repeat 5         (the last five numbers, backwards)
    Example: loto do undo --why "the knob was 9, not 6"
    """
    where = Where(state)
    arguments = _arguments(act, what, why, pace)
    if act == "draw" and what is not None and not yes:
        typer.confirm(f"Call {what}? The record will say that it was keyed by hand", abort=True)
    seq = tell(where, act, **arguments)
    done = f"done (line {seq} of the journal)" if act not in NOT_RECORDED else "done"
    out.print(f"card {what}: {_verdict(ask(where, 'card', serial=str(what)))}" if act == "claim" else done)


def _arguments(act: str, what: str | None, why: str | None, pace: float | None) -> dict[str, Any]:
    """An act's arguments as the wire takes them. Raises `Unreadable` with what is missing or too much."""
    arguments: dict[str, Any] = {"why": why, "pace": pace}
    match act:
        case "claim" | "pay" if not what:
            raise Unreadable(f"{act} wants the card's serial: ./loto do {act} 0007")
        case "claim" | "pay":
            arguments["serial"] = what
        case "draw" if what is not None:
            if not (what.isdecimal() and 1 <= int(what) <= KNOBS):
                raise Unreadable(f"draw {what}: not a number from 1 to {KNOBS}")
            arguments["number"] = int(what)
        case "auto" if what not in ("on", "off") and (what or pace is None):
            raise Unreadable("auto wants on or off: ./loto do auto on --pace 6")
        case "auto":
            arguments["on"] = what == "on" if what else None
        case "undo" if not why:
            raise Unreadable('undo wants the reason, which is recorded: ./loto do undo --why "the knob was 9, not 6"')
        case "repeat" if what is not None:
            if not (what.isdecimal() and 1 <= int(what) <= KNOBS):
                raise Unreadable(f"repeat {what}: how many numbers, from 1 to {KNOBS}")
            arguments["count"] = int(what)
        case _ if what is not None:
            raise Unreadable(f"{act} takes nothing more: {what!r} is too much")
    return arguments


# -- cards -------------------------------------------------------------------------------------------------------------


@pack_app.command("make")
def pack_make(
    strips: Annotated[int, typer.Option(min=1, max=20000, help="Strips of six cards.")] = 4,
    seed: Annotated[int | None, typer.Option(help="Makes the same pack again; by default none is like another.")] = None,
    target: Annotated[Path | None, typer.Option("--out", help="Write the CSV there instead of using it.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Give up the pack in use; its cards are worthless then.")] = False,
    state: STATE = None,
) -> None:
    """Make a pack of cards in strips of six, and use it from the next night on.

    \b
    Example: loto pack make --strips 20
    """
    with Progress(console=out, transient=True) as bar:
        task = bar.add_task("making cards", total=strips)
        pack = make_pack(strips, Random(seed), progress=lambda done, _: bar.update(task, completed=done))  # noqa: S311 - a pack is public
    path = _put_pack(pack, Where(state), target, replace)
    out.print(f"{len(pack)} cards in {strips} strips, {pack.serials[0]} to {pack.serials[-1]}: {path}")


@pack_app.command("import")
def pack_import(
    file: Path,
    replace: Annotated[bool, typer.Option("--replace", help="Give up the pack in use; its cards are worthless then.")] = False,
    state: STATE = None,
) -> None:
    """Use a printed series from a CSV file (a serial and 15 numbers a line); all or nothing.

    \b
    Example: loto pack import series-7.csv
    """
    pack = Pack.load(file)
    out.print(f"{len(pack)} cards, {pack.serials[0]} to {pack.serials[-1]}: {_put_pack(pack, Where(state), None, replace)}")


def _put_pack(pack: Pack, where: Where, target: Path | None, replace: bool) -> Path:
    path = target or where.state_folder / "packs" / PACK_FILE
    if path.exists() and not replace:
        raise SettingsError(
            str(path), ["a pack is in use here; its printed cards would be worthless: add --replace if you mean it"]
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        keep_file(path, pack.to_csv().encode())
        if target is None:
            give_to_owner(where.state_folder)
    except OSError as error:
        raise SettingsError(str(path), [f"cannot be written: {error.strerror}"]) from error
    return path


@pack_app.command("check")
def pack_check(file: Path, as_json: JSON = False) -> None:
    """Check a CSV of cards; every fault is named with its line.

    \b
    Example: loto pack check series-7.csv
    """
    pack = Pack.load(file)
    if as_json:
        print_json({"cards": len(pack), "digest": pack.digest, "first": pack.serials[0], "last": pack.serials[-1]})
    else:
        out.print(f"{file}: {len(pack)} cards, all good. Digest {pack.digest[:16]}")


@pack_app.command("show")
def pack_show(serial: str, state: STATE = None, as_json: JSON = False) -> None:
    """Show a card of the pack in use.

    \b
    Example: loto pack show 0001
    """
    pack = Pack.load(Where(state).state_folder / "packs" / PACK_FILE)
    if serial not in pack:
        raise Unreadable(f"card {serial} is not in this pack: it has {pack.serials[0]} to {pack.serials[-1]}")
    card = pack.card(serial)
    if as_json:
        print_json({"serial": serial, "rows": card.rows})
    else:
        out.print(str(card))
