"""Share what the commands that give orders need."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from station.base.catalogues import speak_as_the_hall
from station.base.disk import keep_file
from station.base.errors import EXIT_NO, SURE_FIRST, LotoError, SettingsError, Unreadable
from station.base.later import later
from station.base.nouns import COLUMNS, MAKE_CARDS, Columns
from station.base.said import TYPED
from station.base.terminal import Terminal, bar, err, json_text, out, styled
from station.base.tongue import tr
from station.settings import places
from station.views.money_text import Currency

with later():
    import asyncio

    from rich import box, progress
    from rich import table as tables

    from station.record import halves, state_check
    from station.settings import config
    from station.wire import wire
    from station.wire import wording as every_wording

AS_JSON = "--json"
CHECKOUT = Path(__file__).resolve().parent.parent.parent
BUSY = "busy"  # the reason of what is refused while a number is being called
UNREAD = "unreadable"
EXAMPLE = re.compile(r"Example:\s+loto\s(.+?)(?:\s\s+\(.*)?$", re.MULTILINE)
# The field that a message has a fault in, before a sentence of ours: nobody typed it. What the
# library says begins with a capital letter, and means nothing without the field.
FIELD = re.compile(r"^[^:]+: [a-z-]+(?:\.[a-z_0-9]+)+: (?=[^A-Z])")
BETWEEN_TRIES_S, TRIES = 0.1, 300  # half a minute: no call takes as long


@dataclass(frozen=True)
class Where:
    """The station that is meant: state folder, settings file, profile; TEST nights or real ones."""

    state: Path | None = None
    file: Path | None = None
    profile: str | None = None
    test: bool | None = None

    @property
    def state_folder(self) -> Path:
        """Return the state folder: the one given, else systemd's, else `var/` in a checkout, else
        the system's where the program is the installed station's, else one of the user's own."""
        if self.state is not None:
            return self.state.absolute()
        if service := os.environ.get("STATE_DIRECTORY"):
            return Path(service.split(":")[0])
        if (CHECKOUT / "pyproject.toml").exists():
            return CHECKOUT / "var"
        if CHECKOUT.is_relative_to(places.INSTALLED):
            return places.SYSTEM_STATE
        data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
        return Path(data) / "loto-station"

    @property
    def run_folder(self) -> Path:
        """Return the sockets' folder: systemd's, the installed service's, or the state's own."""
        if service := os.environ.get("RUNTIME_DIRECTORY"):
            return Path(service.split(":")[0])
        state, system = self.state_folder, Path("/run/loto-station")
        return system if state == places.SYSTEM_STATE and system.is_dir() else state / "run"

    def settings(self, over: Mapping[str, Any] | None = None) -> config.Settings:
        """Return the settings in force.

        Raises:
            SettingsError: they have faults; the message names all.
        """
        settings = config.load_settings(self.profile, self.file, over)
        speak_as_the_hall(every_wording.base_of(settings.hall.language, self.words))
        return settings

    @property
    def words(self) -> Path:
        """Return the folder of the hall's own words."""
        return every_wording.own_folder(self.state_folder)

    def wording(self, language: str | None = None) -> every_wording.Wording:
        """Return the words of a language, else the hall's, with the hall's own on top; what is
        wrong with those is said on stderr, and they are left out.

        Raises:
            Unreadable: there is no such language.
        """
        found, wrong = every_wording.hall_wording(
            language or self.settings().hall.language, self.words
        )
        if wrong:
            todo = tr("the words that ship are used; {command}", command="./loto wording check")
            typer.echo(f"{wrong}\n  {todo}", err=True)
        return found

    @property
    def nights(self) -> Path:
        """Return the half of the state folder whose nights are meant; say on stderr of others."""
        try:
            simulated = self.settings().simulated
        except SettingsError:
            simulated = False  # the nights can be read all the same
        meant = halves.to_read(self.state_folder, simulated=simulated, wanted=self.test)
        if self.test is None and (aside := meant.aside) is not None:
            told = (
                tr(
                    "reading the TEST nights; the real ones are in {folder}: add --real",
                    folder=aside,
                )
                if meant.test
                else tr(
                    "reading the real nights; TEST nights are in {folder}: add --test", folder=aside
                )
            )
            typer.echo(told, err=True)
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


def quiet_drivers() -> None:
    """Silence the drivers' log, where a command tells of its devices itself; not with --verbose."""
    if not os.environ.get("LOTO_VERBOSE"):
        logging.getLogger("drivers").setLevel(logging.ERROR)


def print_json(data: Any) -> None:
    """Print data for programs."""
    typer.echo(json_text(data, 2))


def for_programs() -> bool:
    """Return whether JSON is asked for; it is known, too, where what was typed cannot be read."""
    typed = sys.argv[1:]
    return AS_JSON in (typed[: typed.index("--")] if "--" in typed else typed)


def print_refused(reason: str, say: str) -> None:
    """Print for programs, if one is there, why nothing came of a command."""
    if for_programs():
        print_json({"refused": {"reason": reason, "say": Terminal.as_typed(say.strip())}})


def example_for(error: Any, about: Callable[[Any], str]) -> str:
    """Return how a command is typed whose words are missing, from its help (`about`), or that was
    given a night as if it were a command; empty for all else that is wrong."""
    if (context := getattr(error, "ctx", None)) is None:
        return ""
    wrong, command = error.format_message(), context.command
    night = re.search(r"'([0-9]+)'", wrong)
    takes_one = hasattr(command, "commands") and any(one.name == "night" for one in command.params)
    if night and takes_one:
        return " ".join((context.command_path, "--night", night[1]))
    found = EXAMPLE.search(about(command))
    return " ".join((TYPED, found[1])) if found and wrong.split()[0] == "Missing" else ""


@contextmanager
def progress_bar(
    text: str, column: progress.ProgressColumn | None = None, on: Terminal = err
) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how far work has come, by its parts done and all its parts."""
    columns = (
        [column]
        if column
        else [progress.TaskProgressColumn(markup=False), progress.TimeRemainingColumn()]
    )
    with bar(progress.BarColumn(), *columns, on=on) as shown:
        task = shown.add_task(text, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


@contextmanager
def counting_bar(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many of all are done; it is told how many more are."""
    with bar(
        progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn()
    ) as shown:
        task = shown.add_task(text, total=total)
        yield lambda done: shown.update(task, advance=done)


def cards_hint(state: Path) -> str:
    """Return a hint for a real station that has no cards yet; empty if it has."""
    if not state_check.has_no_cards(state):
        return ""
    return tr(
        "No cards are here. Make the parlour's 24 with {command}, or use a printed"
        " series with ./loto pack import: they serve from the next night on. A hall"
        " that plays with bought tickets needs none.",
        command=MAKE_CARDS,
    )


def keep_output(target: Path, data: bytes) -> None:
    """Write a file that a person asked for with --out, whole or not at all.

    Raises:
        Unreadable: it cannot be written there.
    """
    try:
        keep_file(target, data)
    except OSError as error:
        raise Unreadable(
            tr(
                "{target} cannot be written ({why}): name another file with --out",
                target=target,
                why=error.strerror,
            )
        ) from error


# -- over the wire ---------------------------------------------------------------------------------


def language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of whoever types here, as the environment says it: of `LC_ALL`,
    `LC_MESSAGES` and `LANG` the first that is set. Empty where it has no wording, as "C": the
    hall's is meant.

    >>> language({"LANG": "de_AT.UTF-8"}), language({"LC_ALL": "C", "LANG": "de_AT.UTF-8"})
    ('de', '')
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    code = re.split("[_.@-]", next(filter(None, map(environment.get, names)), ""))[0]
    return code if code in every_wording.languages() else ""


def as_typed(message: wire.Message) -> wire.Message:
    """Return a message that is answered in the words of whoever types here."""
    lang = {"lang": code} if (code := language()) else {}
    return {**message, **lang, "program": Terminal.program}


class StationRefused(LotoError):
    """The station refused.

    Args:
        say: why.
        reason: the station's word for it.
    """

    exit_code = EXIT_NO

    def __init__(self, say: str, reason: str = "refused") -> None:
        super().__init__(say)
        self.reason = reason


def accepted(answer: wire.Message) -> wire.Message:
    """Return an answer that is no refusal.

    Raises:
        StationRefused: it is one; with the station's reason.
    """
    if "refused" in answer:
        say, reason = answer["refused"]["say"], answer["refused"]["reason"]
        raise StationRefused(FIELD.sub("", say, count=1) if reason == UNREAD else say, reason)
    return answer


def given(**arguments: Any) -> dict[str, Any]:
    """Return what was given of some arguments: those that are not None."""
    return {key: value for key, value in arguments.items() if value is not None}


def _request(where: Where, message: wire.Message) -> wire.Message:
    """Return the station's answer. While a number is being called it is asked again, until that was
    heard: commands may be typed one after the other."""

    async def answer() -> wire.Message:
        async with await wire.Client.open(where.run_folder / wire.SOCKET, "admin") as client:
            for _ in range(TRIES):
                told = await client.request(as_typed(message))
                if told.get("refused", {}).get("reason") != BUSY:
                    return told
                await asyncio.sleep(BETWEEN_TRIES_S)
            return told

    told = asyncio.run(answer())
    speak_as_the_hall(str(told.get("lang", "")))
    return told


def ask(where: Where, about: str, **arguments: Any) -> dict[str, Any]:
    """Ask the running station; return its answer.

    Raises:
        StationRefused: the station refused; with its reason.
        WireError: no station runs.
    """
    asked = {"ask": {"about": about, **given(**arguments)}}
    return dict(accepted(_request(where, asked))["answer"])


def people_told(where: Where, about: str, do: str, **arguments: Any) -> dict[str, Any]:
    """Send a message about people to the running station; return its answer.

    Args:
        about: `pair`, `pins` or `join`.

    Raises:
        StationRefused: the station refused; with its reason.
        WireError: no station runs.
    """
    return accepted(_request(where, {about: {"do": do, **given(**arguments)}}))


def tell(where: Where, act: str, *, yes: bool = False, **arguments: Any) -> int:
    """Have the running station do an act, as `answered`; return the journal's line."""
    return int(answered(where, act, yes=yes, **arguments)["seq"])


def answered(
    where: Where, act: str, *, seen: str | None = None, yes: bool = False, **arguments: Any
) -> wire.Message:
    """Have the running station do an act; return its answer: `seq`, the journal's line, and `say`,
    where the evening stands now. Before something that cannot be undone, ask.

    Args:
        seen: the state that was shown (`seen` of that answer); refused if it has changed since.
        yes: the person is sure; do not ask.
    """
    message = {"do": {"act": act, **given(**arguments)}, **given(seen=seen)}
    answer = _request(where, message)
    if answer.get("refused", {}).get("reason") == SURE_FIRST:
        if not yes:
            make_sure(answer["refused"]["say"], tr("This cannot be undone. Do it?"))
        answer = _request(where, wire.sure_of(message, answer))
    return accepted(answer)


def recorded(say: str, seq: int, as_json: bool, **more: Any) -> None:
    """Print what was done, and the journal's line where it stands; for programs `more` besides."""
    if as_json:
        print_json({"seq": seq, "say": say, **more})
    else:
        out.print(tr("{say} (line {seq} of the journal).", say=say, seq=seq))


def make_sure(what: str, question: str) -> None:
    """Say what would be done, and ask whether to do it.

    Raises:
        typer.Abort: the answer is no.
        StationRefused: nobody can be asked: there is no terminal, or a program wants JSON.
    """
    if for_programs() or not sys.stdin.isatty():
        raise StationRefused(
            tr(
                "{what}. Nothing was done, and nobody can be asked here: type it again with --yes"
                " if it is meant",
                what=what,
            ),
            SURE_FIRST,
        )
    out.print(f"{what[:1].upper()}{what[1:]}.")
    typer.confirm(question, abort=True)


def the_hall_s_money(where: Where) -> Currency:
    """Return how the running station writes sums."""
    return Currency(**ask(where, "currency"))


def draw_card(
    title: str,
    rows: Sequence[Sequence[int]],
    marked: Container[int] = (),
    columns: Columns = Columns.TENS_FIRST,
) -> tables.Table:
    """Return a card as it is printed, three rows of nine cells, with its marks."""
    heads = (tables.Column(justify="right", min_width=2) for _ in range(COLUMNS))
    table = tables.Table(*heads, show_header=False, show_lines=True, box=box.SQUARE)
    table.title, table.title_justify = title, "left"
    for row in rows:
        cells = {
            columns.of(number): styled(f"{number:2}", "reverse" if number in marked else "")
            for number in row
        }
        table.add_row(*(cells.get(column, "") for column in range(COLUMNS)))
    return table
