"""Build the command line, and what starts something; errors become a sentence and an exit code."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import segno
import typer
from rich.progress import BarColumn, MofNCompleteColumn
from rich.table import Table

from drivers import BadOption, DriverError
from station import __version__
from station.base.errors import (
    EXIT_DEVICE,
    EXIT_DONE,
    EXIT_NO,
    EXIT_USAGE,
    LotoError,
    NotAllowed,
    SettingsError,
)
from station.base.said import TYPED
from station.base.terminal import LogLines, Terminal, bar, err, mixed, out, styled, words
from station.base.tongue import speak
from station.commands import bundle as cli_bundle
from station.commands import completion as cli_completion
from station.commands import devices as cli_devices
from station.commands import drill as cli_drill
from station.commands import enrol as cli_enrol
from station.commands import install as cli_install
from station.commands import journal as cli_journal
from station.commands import matrix as cli_matrix
from station.commands import odds as cli_odds
from station.commands import packprint as cli_packprint
from station.commands import print as cli_print
from station.commands import programme as cli_programme
from station.commands import rehearse as cli_rehearse
from station.commands import report as cli_report
from station.commands import setup as cli_setup
from station.commands import theme as cli_theme
from station.commands import voice as cli_voice
from station.commands import wording as cli_wording
from station.commands.grouped import GroupedHelp
from station.commands.programme import PROGRAMME, programme_file
from station.commands.starting import absent_devices, station_to_start
from station.commands.tongue import told_in_the_language
from station.orders import claim as cli_claim
from station.orders import leading as cli_leading
from station.orders import people as cli_people
from station.orders import ready as cli_ready
from station.orders import sale as cli_sale
from station.orders import tablemoves as cli_tablemoves
from station.orders.options import HERE, STATION, Commands, option
from station.orders.tools import CHECKOUT, Where, cards_hint, language, many, print_refused
from station.record.halves import half
from station.settings.config import Settings
from station.simulation.players import GameResult
from station.wire import notify
from station.wire.board_view import BoardView
from station.wire.wire import HANDS_SOCKET, SOCKET

app = Commands(
    "loto",
    "A calling station for Loto, tombola and 90-ball bingo.",
    cls=GroupedHelp,
    add_completion=False,
    pretty_exceptions_enable=False,
)

LAST_PORT = 65535
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TLS_PORT = Annotated[
    int | None,
    option(
        "Port of the same pages, encrypted; else the settings', 353 above the other; 0: none.",
        min=0,
        max=LAST_PORT,
    ),
]
# A voice for runs that do not wait: each announcement counts as heard at once.
FAST_VOICE = {"audio": {"SDL_AUDIODRIVER": "dummy"}, "hurry": True}

Simulate = Annotated[
    bool, option("Simulated devices, the same as --profile simulated.", "--simulate")
]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"loto-station {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, option("Say the version and end.", "--version", callback=_version, is_eager=True)
    ] = False,
    verbose: Annotated[bool, option("Log what the program does.", "--verbose", "-v")] = False,
) -> None:
    level = logging.INFO if verbose or os.environ.get("LOTO_VERBOSE") else logging.WARNING
    if verbose:
        os.environ["LOTO_VERBOSE"] = "1"
    lines = logging.StreamHandler()
    lines.setFormatter(LogLines("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[lines])


@app.command()
def run(
    where: STATION = HERE,
    programme: PROGRAMME = None,
    simulate: Simulate = False,
    lan: Annotated[
        bool, option("Serve the pages to the network; prints a QR and a token.", "--lan")
    ] = False,
    port: Annotated[
        int | None, option("Port of the pages; else the settings', 8090.", min=1, max=65535)
    ] = None,
    tls_port: TLS_PORT = None,
    screen: Annotated[
        bool | None, option("The public screen; else where a display is.", "--screen/--no-screen")
    ] = None,
    auto: Annotated[
        bool, option("Simulated players play by themselves; ends then.", "--auto")
    ] = False,
    games: Annotated[int, option("How many games --auto plays.", min=1, max=200)] = 3,
    speed: Annotated[
        float, option("Seconds between calls of --auto; 0 waits for nothing.", min=0, max=60)
    ] = 2.0,
) -> None:
    """Start the whole station on this machine.

    Example: loto run                    (a simulated station; opens the bench page)
    Example: loto run --profile rfid     (the real thing; offers the simulated one if none is there)
    Example: loto run --programme tombola
    Example: loto run --programme parlour    (an evening at the table)
    Example: loto run --simulate --auto --games 3 --speed 0
    """
    where = replace(where, profile="simulated") if simulate else where
    where = where if auto else station_to_start(where)
    played: list[str] = []
    if programme is not None:
        played = ["--programme", str(programme_file(programme, where).absolute())]
    if auto:
        _play_alone(where, played, games, speed)
        return
    from station.core import launch

    launch.end_with_parent()  # a drill's station does
    settings = where.settings()
    token = launch.new_token() if lan or not settings.simulated else ""
    host = "0.0.0.0" if lan else settings.web.host  # noqa: S104 - asked for by --lan
    number = port or settings.web.port
    meant = where.arguments()
    served = ["web", *meant, "--host", host, "--port", str(number)]
    served += [] if tls_port is None else ["--tls-port", str(tls_port)]
    part = launch.StationProcess
    parts = [
        part("core", ["core", *meant, *played], silent_s=launch.CORE_SILENT_S),
        part("web", served, environ={"LOTO_TOKEN": token}),
    ]
    wants_screen = launch.has_display() if screen is None else screen
    if wants_screen:
        parts.append(part("screen", ["screen", *meant], needed=False))

    def greet() -> None:
        address = launch.own_address() if lan else "127.0.0.1"
        page = f"http://{address}:{number}/"
        secret = f"?token={token}" if token else ""
        no_display = screen is None and not wants_screen
        _greet(where, settings.simulated, page, secret, no_display=no_display)
        if lan:
            text = io.StringIO()
            shown = f"{page}bench{secret}" if settings.simulated else page
            segno.make(shown).terminal(text, compact=True)
            out.print(text.getvalue())

    if asyncio.run(launch.run_parts(parts, greet)):
        out.print("The station was switched off; the night goes on at the next start.")


def _greet(where: Where, simulated: bool, page: str, secret: str, *, no_display: bool) -> None:
    if simulated:
        heading, told = (
            "The station runs on simulated devices:",
            "screens say TEST, no money is taken.",
        )
        out.print(mixed((f"\n{heading}", "bold"), f" {told}"))
        # An address stays on one line, however narrow the terminal: half of it would not open.
        bench = (f"{page}bench{secret}", "bold")
        out.print(mixed("  The bench, with the whole machine on it:  ", bench))
    else:
        told = "Press the button: the first game opens."
        out.print(mixed(("\nThe station runs.", "bold"), f" {told}"))
        if hint := cards_hint(where.state_folder):
            out.print(f"  {hint}")
        if lacking := ", ".join(absent_devices(where, where.settings())):
            lacking += "; ./loto doctor says what to do"
            out.print(f"  Not on this machine, and played without:  {lacking}")
    out.print(f"  The players' board:                       {page}")
    out.print(f"  The caller, for the whole evening:        {page}caller{secret}")
    out.print(f"  The desk, for sale and claims:            {page}desk{secret}")
    out.print(f"  A game at the table, for its host:        {page}table{secret}")
    out.print(f"  How the station is, and its tests:        {page}health{secret}")
    out.print(f"  The board in a terminal:                  ./loto watch{where.hint()}")
    kept = half(where.state_folder, test=simulated)
    out.print(f"  Everything that happens is kept in:       {kept}")
    if no_display:
        out.print(
            "  No display was found on this machine, so the public screen is not shown; --screen"
            " tries all the same."
        )
    out.print("Ctrl-C ends it; the game goes on at the next start.\n")


def _play_alone(where: Where, played: list[str], games: int, speed: float) -> None:
    """Play whole games with simulated players, in a state folder of their own if none is named."""
    from station.core import launch

    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        inside = where
        if where.state is None:
            inside = Where(Path(folder), where.file, where.profile or "simulated")
        if not inside.settings().simulated:
            why = "simulated players need simulated devices: add --simulate"
            raise SettingsError("--auto", [why])
        arguments = ["core", *inside.arguments(), *played, "--games", str(games)]
        arguments += ["--fast"] if speed == 0 else []
        columns = (BarColumn(), MofNCompleteColumn(), words("{task.fields[last]}"))
        with bar(*columns, on=out) as progress:
            task = progress.add_task("playing", total=90, last="")

            def told(view: BoardView) -> None:
                game, called, last = view.game, len(view.called), str(view.last or "")
                name = "opening" if game is None else f"game {game.number} of {game.of}"
                progress.update(task, description=name, completed=called, last=last)

            core = launch.StationProcess("core", arguments, silent_s=launch.CORE_SILENT_S)
            play = launch.play_by_itself(core, inside.run_folder, games, speed, told)
            results = asyncio.run(play)
    _print_results(results)


def _print_results(results: list[GameResult]) -> None:
    table = Table("game", "calls", "won", "card", "player", "prize")
    for result in results:
        rows = [(win.stage, win.serial, win.holder or "-", win.prize.text) for win in result.wins]
        rows += [("", "", name, text) for name, text in result.seats]
        for place, row in enumerate(rows):
            head = ("", "") if place else (f"{result.number} {result.name}", str(len(result.calls)))
            table.add_row(*head, *row)
    out.print(table)
    whose = "its" if len(results) == 1 else "their"
    out.print(f"{many(len(results), 'game')} played to {whose} end.")


@app.command()
def core(
    where: STATION = HERE,
    programme: PROGRAMME = None,
    games: Annotated[int, typer.Option(hidden=True)] = 0,
    fast: Annotated[bool, typer.Option("--fast", hidden=True)] = False,
) -> None:
    """Run the core alone: devices, journal, the wire. What the service does.

    Example: loto core --profile rfid --state /var/lib/loto-station
    """
    from station.commands.papers import make_apart
    from station.core.daemon import Core, serve
    from station.core.launch import end_with_parent
    from station.programme.check import load_programme

    end_with_parent()
    settings = where.settings({"devices": {"speech": FAST_VOICE}} if fast else None)
    night = None
    if games or programme is not None:
        night = load_programme(programme_file(programme, where))
    if night is not None and games:
        night = night.repeated(games)
    folders = (where.state_folder, where.run_folder)
    station = Core(settings, *folders, programme=night, make_paper=make_apart)
    raise typer.Exit(asyncio.run(serve(station)))


@app.command()
def web(
    where: STATION = HERE,
    host: Annotated[str | None, option("Address to serve on.")] = None,
    port: Annotated[int | None, option("Port to serve on.", min=1, max=65535)] = None,
    tls_port: TLS_PORT = None,
) -> None:
    """Run the web alone: the public board, pages for paired devices, and the bench where devices
    are simulated.

    Example: loto web --host 0.0.0.0 --port 8090
    """
    from station.core.launch import end_with_parent, own_address
    from station.settings.voices import clips_in, voice_folders
    from station.web.certificate import FOLDER
    from station.web.server import run as serve_web
    from station.wire.looks import load_look
    from station.wire.looks.logo import read_logo
    from station.wire.wording import VOICES

    end_with_parent()
    settings, wording = where.settings(), where.wording()
    number = port or settings.web.port
    tls = _tls_port(number, tls_port, settings)
    address = "127.0.0.1" if (host or settings.web.host) in LOOPBACK else own_address()
    # The hands are for the station's own user alone. As a service the web is somebody else: there
    # is no bench, and nobody is let in for being on this machine.
    run = where.run_folder
    has_hands = settings.simulated and (not run.exists() or os.access(run, os.W_OK))
    code = serve_web(
        run / SOCKET,
        run / HANDS_SOCKET if has_hands else None,
        voice=VOICES / wording.base,
        own_clips=clips_in(
            voice_folders(where.state_folder, wording.code, settings.calling.own_voice)
        ),
        wording=wording,
        host=host or settings.web.host,
        port=number,
        tls=where.state_folder / FOLDER if tls else None,
        tls_port=tls,
        plain=settings.people.plain,
        look=load_look(settings.hall.look),
        logo=None if settings.hall.logo is None else read_logo(settings.hall.logo),
        token=os.environ.get("LOTO_TOKEN") or None,
        names=settings.web.names,
        per_address=settings.web.per_address,
        ready=lambda text: _told(notify.ready(text)),
        secured=partial(_greet_secured, address),
        alive=lambda: _told(notify.alive()),
    )
    raise typer.Exit(code)


def _tls_port(port: int, asked: int | None, settings: Settings) -> int:
    """Return the port with TLS; 0 for none."""
    from station.web.server import SECURED_FURTHER

    told = settings.web.tls_port if asked is None else asked
    further = port + SECURED_FURTHER
    return (further if further <= LAST_PORT else 0) if told is None else told


def _greet_secured(address: str, port: int, fingerprint: str) -> None:
    """Say where the pages are encrypted, and by what one knows that nobody stands between."""
    out.print(f"  A device is let in at:                    https://{address}:{port}/pair")
    out.print(f"  The browser warns once; its fingerprint:  {fingerprint}")


@app.command()
def screen(
    where: STATION = HERE,
    window: Annotated[bool, option("In a window, not on the full screen.", "--window")] = False,
) -> None:
    """Run the public screen alone (pygame); it waits for the station and joins by itself.

    Example: loto screen --window
    """
    from station.core.launch import end_with_parent
    from station.screens.screen.app import run as run_screen
    from station.wire.looks import load_look

    end_with_parent()
    settings = where.settings()
    size = settings.screen
    notify.ready("showing the board")
    code = run_screen(
        where.run_folder / SOCKET,
        size=(size.width, size.height) if window else None,
        windowed=window,
        alive=lambda: _told(notify.alive()),
        look=load_look(settings.hall.look),
        logo=settings.hall.logo,
    )
    raise typer.Exit(code)


def _told(_: bool) -> None:
    """Ignore whether systemd was told: it may not be there."""


@app.command()
def watch(
    where: STATION = HERE,
    as_json: Annotated[bool, option("Print each view as one line of JSON.", "--json")] = False,
    once: Annotated[bool, option("Show the board once and end.", "--once")] = False,
) -> None:
    """Show the board in this terminal, live; over SSH too.

    Example: loto watch
    Example: loto watch --json --once
    """
    from station.screens.watch import watch as watch_board

    shown = watch_board(where.run_folder / SOCKET, where.wording(), as_json=as_json, once=once)
    raise typer.Exit(asyncio.run(shown))


@app.command("test", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run_tests(
    context: typer.Context,
    fast: Annotated[
        bool,
        option(
            "In seconds: no types, no drills, no long tests, no rooms with clocks and disks.",
            "--fast",
        ),
    ] = False,
    no_skip: Annotated[bool, option("Any skipped test is a failure.", "--no-skip")] = False,
) -> None:
    """Run the checks and every test; or the tests of rooms that are named. What follows the names
    goes to pytest.

    Style, format, layers and types come first; where one of them fails, nothing comes after them.

    Example: loto test
    Example: loto test --fast
    Example: loto test rules web
    Example: loto test night -k money
    """
    from station.machine.bundle import PROJECT

    if not (PROJECT / "tests").is_dir():
        raise LotoError(f"the tests come with the checkout, and {PROJECT} is not one: go to yours")
    from tests.running import run

    raise typer.Exit(run(context.args, fast=fast, no_skip=no_skip))


for part in (
    cli_bundle,
    cli_completion,
    cli_packprint,
    cli_sale,
    cli_claim,
    cli_tablemoves,
    cli_leading,
    cli_setup,
    cli_enrol,
    cli_ready,
    cli_people,
    cli_devices,
    cli_matrix,
    cli_voice,
    cli_journal,
    cli_install,
    cli_print,
    cli_programme,
    cli_theme,
    cli_wording,
    cli_report,
    cli_drill,
    cli_rehearse,
    cli_odds,
):
    app.add_typer(part.commands)


def _sentence(error: Exception) -> str:
    """Return what an error says, where it is a refusal in the language of whoever types here."""
    if not isinstance(error, NotAllowed):
        return str(error)
    from station.wire.wording.refusals import load_refusals

    sentences = load_refusals(language()) if language() else {}
    return error.said.told(sentences, program=Terminal.program)


def _reason(error: LotoError | DriverError) -> str:
    """Return the word by which a program knows an error."""
    return error.reason if isinstance(error, LotoError) else "device"


def main() -> None:
    """Run the command line: every known error becomes one message and its exit code; where JSON is
    asked for, the message is an object on stdout, too."""
    Terminal.program = TYPED if (CHECKOUT / "loto").exists() else "loto"
    try:
        speak(language())
        commands = told_in_the_language(app)
        code = commands(standalone_mode=False, prog_name=Terminal.program)
    except (LotoError, DriverError) as error:
        err.print(styled(said := _sentence(error), "red"))
        print_refused(_reason(error), said)
        of_driver = EXIT_USAGE if isinstance(error, BadOption) else EXIT_DEVICE
        code = getattr(error, "exit_code", of_driver)
    except KeyboardInterrupt:
        code = EXIT_DONE
    except typer.Abort:
        code = EXIT_NO
    except BrokenPipeError:
        sys.stderr.close()
        code = EXIT_DONE
    except Exception as error:
        # Wrong use, in the words of the command line's library; anything else is a fault of ours
        # and shows its trace.
        if not (hasattr(error, "format_message") and hasattr(error, "exit_code")):
            raise
        if (show := getattr(error, "show", None)) is not None:
            usage = io.StringIO()
            show(file=usage)
            err.print(usage.getvalue(), end="")
            print_refused("usage", error.format_message())
        code = EXIT_USAGE
    sys.exit(code if isinstance(code, int) else EXIT_DONE)
