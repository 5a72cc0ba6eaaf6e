"""Share what the commands need, and define `loto do`, which does what a button would do."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer
from rich import box
from rich.table import Table

from station.base.disk import keep_file
from station.base.errors import EXIT_NO, SURE_FIRST, LotoError, SettingsError, Unreadable
from station.base.nouns import COLUMNS, KNOBS, column_of
from station.base.terminal import json_text, out, styled
from station.base.typed import shown
from station.cards import MAKE_CARDS
from station.record.halves import to_read
from station.record.state_check import has_no_cards
from station.settings import config
from station.views.views import Currency
from station.wire.wire import SOCKET, Client, Message, sure_of

STATE: TypeAlias = Annotated[
    Path | None, typer.Option("--state", help="The folder of the station's data.")
]
CONFIG: TypeAlias = Annotated[
    Path | None, typer.Option("--config", help="The settings file (TOML).")
]
PROFILE: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--profile",
        envvar="LOTO_PROFILE",
        help="The hardware: a name in hw/profiles, such as hall.",
    ),
]
YES: TypeAlias = Annotated[
    bool, typer.Option("--yes", help="Do not ask before what cannot be undone.")
]
TESTS: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--test/--real",
        help="The TEST nights, or the real ones; else those of the profile in force.",
    ),
]
JSON: TypeAlias = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]

ACT: TypeAlias = Literal[
    "open",
    "draw",
    "stop",
    "claim",
    "play-on",
    "undo",
    "pay",
    "close",
    "close-night",
    "next-night",
    "repeat",
    "auto",
]
NOT_RECORDED = frozenset({"repeat", "auto"})

CHECKOUT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Where:
    """The station that is meant: its state folder, its settings file, its profile; and whether its
    TEST nights or its real ones."""

    state: Path | None = None
    file: Path | None = None
    profile: str | None = None
    test: bool | None = None

    @property
    def state_folder(self) -> Path:
        """Return the state folder: the one given, else systemd's, else `var/` in a checkout, else
        the system's."""
        if self.state is not None:
            return self.state.absolute()
        if service := os.environ.get("STATE_DIRECTORY"):
            return Path(service.split(":")[0])
        return CHECKOUT / "var" if (CHECKOUT / "pyproject.toml").exists() else config.SYSTEM_STATE

    @property
    def run_folder(self) -> Path:
        """Return where the sockets are: systemd's run folder, the installed service's, or inside
        the state folder."""
        if service := os.environ.get("RUNTIME_DIRECTORY"):
            return Path(service.split(":")[0])
        system = Path("/run/loto-station")
        return (
            system
            if self.state_folder == config.SYSTEM_STATE and system.is_dir()
            else self.state_folder / "run"
        )

    def settings(self, over: Mapping[str, Any] | None = None) -> config.Settings:
        """Return the settings in force.

        Raises:
            SettingsError: they have faults; the message names all.
        """
        return config.load_settings(self.profile, self.file, over)

    @property
    def nights(self) -> Path:
        """Return the half of the state folder whose nights are meant; say on stderr where there are
        others."""
        try:
            simulated = self.settings().simulated
        except SettingsError:
            simulated = False  # the nights can be read all the same
        meant = to_read(self.state_folder, simulated=simulated, wanted=self.test)
        if self.test is None and meant.aside is not None:
            kind, option = ("the real ones", "--real") if meant.test else ("TEST nights", "--test")
            others = (
                f"reading the {'TEST' if meant.test else 'real'} nights; {kind} are in"
                f" {meant.aside}: add {option}"
            )
            typer.echo(others, err=True)
        return meant.folder

    def arguments(self) -> list[str]:
        """Return the options that mean this station in another process."""
        given = (
            ("--state", self.state_folder),
            ("--config", self.file and self.file.absolute()),
            ("--profile", self.profile),
        )
        return [
            word for option, value in given if value is not None for word in (option, str(value))
        ]

    def hint(self) -> str:
        """Return what a person must add to another command to mean this station."""
        return f" --state {self.state}" if self.state is not None else ""


def register(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.command(name="do")(do)


def command_group(text: str) -> typer.Typer:
    """Return a group of commands."""
    names = {"help_option_names": ["-h", "--help"]}
    return typer.Typer(
        help=text, no_args_is_help=True, rich_markup_mode=None, context_settings=names
    )


def quiet_drivers() -> None:
    """Silence the drivers' log, for a command that reports on its devices itself; not with
    --verbose."""
    if not os.environ.get("LOTO_VERBOSE"):
        logging.getLogger("drivers").setLevel(logging.ERROR)


def print_json(data: Any) -> None:
    """Print data for programs."""
    typer.echo(json_text(data, 2))


def cards_hint(state: Path) -> str:
    """Return a hint for a real station that has no cards yet; empty if it has."""
    if not has_no_cards(state):
        return ""
    return (
        f"No cards are here. Make the parlour's 24 with {MAKE_CARDS}, or use a printed series with"
        " ./loto pack import: they serve from the next night on. A hall that plays with bought"
        " tickets needs none."
    )


def many(number: int, what: str) -> str:
    """Return a number of things as text.

    >>> many(1, "card"), many(60, "card")
    ('1 card', '60 cards')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def keep_output(target: Path, data: bytes) -> None:
    """Write a file that a person asked for with --out, whole or not at all.

    Raises:
        Unreadable: it cannot be written there.
    """
    try:
        keep_file(target, data)
    except OSError as error:
        raise Unreadable(
            f"{target} cannot be written ({error.strerror}): name another file with --out"
        ) from error


# -- over the wire ---------------------------------------------------------------------------------


async def _request(where: Where, message: Message) -> Message:
    async with await Client.open(where.run_folder / SOCKET, "admin") as client:
        return await client.request(message)


class Refusal(LotoError):
    """The station refused."""

    exit_code = EXIT_NO


def ask(where: Where, about: str, **arguments: Any) -> dict[str, Any]:
    """Ask the running station; return its answer.

    Raises:
        Refusal: the station refused; with its reason.
        WireError: no station runs.
    """
    answer = asyncio.run(_request(where, {"ask": {"about": about, **arguments}}))
    if "refused" in answer:
        raise Refusal(answer["refused"]["say"])
    return dict(answer["answer"])


def tell(
    where: Where, act: str, *, seen: str | None = None, yes: bool = False, **arguments: Any
) -> int:
    """Have the running station do an act; return the journal's line. Before something that cannot
    be undone, ask.

    Args:
        seen: the state that was shown (`seen` of that answer); refused if it has changed since.
        yes: the person is sure; do not ask.
    """
    given = {key: value for key, value in arguments.items() if value is not None}
    message = {"do": {"act": act, **given}, **({} if seen is None else {"seen": seen})}
    answer = asyncio.run(_request(where, message))
    if answer.get("refused", {}).get("reason") == SURE_FIRST:
        if not yes:
            _make_sure(answer["refused"]["say"])
        answer = asyncio.run(_request(where, sure_of(message, answer)))
    if "refused" in answer:
        raise Refusal(answer["refused"]["say"])
    return int(answer["seq"])


def _make_sure(lost: str) -> None:
    """Ask whether to do it all the same.

    Raises:
        typer.Abort: the answer is no.
        Refusal: nobody can be asked.
    """
    if not sys.stdin.isatty():
        raise Refusal(
            f"{lost}. Nothing was done, and nobody can be asked here: type it again with --yes if"
            " it is meant"
        )
    out.print(f"{lost[:1].upper()}{lost[1:]}.", markup=False)
    typer.confirm("This cannot be undone. Do it?", abort=True)


def the_hall_s_money(where: Where) -> Currency:
    """Return how the running station writes sums."""
    return Currency(**ask(where, "currency"))


def draw_card(title: str, rows: Sequence[Sequence[int]], marked: Container[int] = ()) -> Table:
    """Return a card as it is printed, three rows of nine cells, with its marks."""
    table = Table(
        show_header=False, show_lines=True, box=box.SQUARE, title=title, title_justify="left"
    )
    for _ in range(COLUMNS):
        table.add_column(justify="right", min_width=2)
    for row in rows:
        cells = {
            column_of(number): styled(f"{number:2}", "reverse" if number in marked else "")
            for number in row
        }
        table.add_row(*(cells.get(column, "") for column in range(COLUMNS)))
    return table


def do(
    act: Annotated[ACT, typer.Argument(show_default=False)],
    what: Annotated[
        str | None,
        typer.Argument(
            help=(
                "A serial for claim and pay, a number for draw, how many for repeat, on or off for"
                " auto."
            )
        ),
    ] = None,
    why: Annotated[str | None, typer.Option(help="The reason, for undo.")] = None,
    pace: Annotated[float | None, typer.Option(help="Seconds from call to call, for auto.")] = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes",
            help=(
                "Do not ask before a number is called by hand, or what cannot be undone is done."
            ),
        ),
    ] = False,
    state: STATE = None,
) -> None:
    """Do what a button would do, and what has no button yet.

    \b
    Example: loto do claim 0007
    Example: loto do draw 42          (a knob whose tag cannot be read)
    Example: loto do repeat 5         (the last five numbers, backwards)
    Example: loto do undo --why "the knob was 9, not 6"
    Example: loto do close-night --yes    (what cannot be undone is asked first)
    Example: loto do next-night       (after close-night)
    """
    where = Where(state)
    arguments = _arguments(act, what, why, pace)
    if act == "draw" and what is not None and not yes:
        typer.confirm(
            f"Call {shown(what)}? The record will say that it was keyed by hand", abort=True
        )
    seq = tell(where, act, yes=yes, **arguments)
    done = f"done (line {seq} of the journal)" if act not in NOT_RECORDED else "done"
    if act == "claim":
        mine = [claim["say"] for claim in ask(where, "claims")["claims"] if claim["serial"] == what]
        done = f"card {what}: {mine[-1]}" if mine else done
    out.print(done)


def _arguments(act: str, what: str | None, why: str | None, pace: float | None) -> dict[str, Any]:
    """Return an act's arguments as the wire takes them.

    Raises:
        Unreadable: an argument is missing, or there is one too many; the message names it.
    """
    arguments: dict[str, Any] = {"why": why, "pace": pace}
    match act:
        case "claim" | "pay" if not what:
            raise Unreadable(f"{act} needs the card's serial: ./loto do {act} 0007")
        case "claim" | "pay":
            arguments["serial"] = what
        case "draw" if what is not None:
            arguments["number"] = _number(what, f"draw {what}: not a number from 1 to {KNOBS}")
        case "auto" if what not in ("on", "off") and (what or pace is None):
            raise Unreadable("auto needs on or off: ./loto do auto on --pace 6")
        case "auto":
            arguments["on"] = what == "on" if what else None
        case "undo" if not why:
            raise Unreadable(
                'undo needs the reason, which is recorded: ./loto do undo --why "the knob was 9,'
                ' not 6"'
            )
        case "repeat" if what is not None:
            arguments["count"] = _number(
                what, f"repeat {what}: how many numbers, from 1 to {KNOBS}"
            )
        case _ if what is not None:
            raise Unreadable(f"{act} takes nothing more: {what!r} is too much")
    return arguments


def _number(word: str, why: str) -> int:
    if not (word.isdecimal() and 1 <= int(word) <= KNOBS):
        raise Unreadable(why)
    return int(word)
