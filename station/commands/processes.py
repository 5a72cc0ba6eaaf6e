"""Start the station, or one of its processes alone, when its devices are here."""

from __future__ import annotations

import io
import os
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from station.base.addresses import own_address
from station.base.errors import SettingsError
from station.base.later import later
from station.base.terminal import bar, beside, mixed, out, words
from station.base.tongue import heads, key, number_of, tr
from station.commands.options import HERE, STATION, Commands, option
from station.commands.tools import Where, cards_hint

with later():
    import asyncio

    import segno
    from rich import progress as columns
    from rich import table as tables

    from station.commands import programme as programmes
    from station.commands import starting
    from station.core.simulation import players
    from station.record import halves
    from station.screens.web import playing
    from station.settings import config
    from station.wire import board_view, notify, wire

commands = Commands()

PROGRAMME: TypeAlias = Annotated[
    Path | None,
    option(
        "Begin a night with this programme: a file, or one that ships, by its name.", "--programme"
    ),
]

# What the greeting has beside it.
BENCH = key("The bench, with the whole machine on it:")
LACKING = key("Not on this machine, and played without:")
PAGES = (
    (key("The players' board:"), ""),
    (key("The caller, for the whole evening:"), "caller"),
    (key("The desk, for sale and claims:"), "desk"),
    (key("A game at the table, for its host:"), "table"),
    (key("How the station is, and its tests:"), "health"),
)
WATCHED = key("The board in a terminal:")
KEPT = key("Everything that happens is kept in:")
LET_IN = key("A device is let in at:")
WARNED = key("The browser warns once; its fingerprint:")
LABELS = (BENCH, LACKING, *(label for label, _ in PAGES), WATCHED, KEPT, LET_IN, WARNED)
LAST_PORT = 65535
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


@commands.command()
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
    where = where if auto else starting.station_to_start(where)
    played: list[str] = []
    if programme is not None:
        played = ["--programme", str(programmes.programme_file(programme, where).absolute())]
    if auto:
        _play_alone(where, played, games, speed)
        return
    from station.core import launch

    launch.end_with_parent()  # hidden before it holds a secret; a drill's station ends, too
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
        part("web", served, token=token),
    ]
    wants_screen = launch.has_display() if screen is None else screen
    if wants_screen:
        parts.append(part("screen", ["screen", *meant], needed=False))

    def greet() -> None:
        address = own_address() if lan else "127.0.0.1"
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
        out.print(tr("The station was switched off; the night goes on at the next start."))


def _greet(where: Where, simulated: bool, page: str, secret: str, *, no_display: bool) -> None:
    if simulated:
        heading, told = (
            tr("The station runs on simulated devices:"),
            tr("screens say TEST, no money is taken."),
        )
        out.print(mixed((f"\n{heading}", "bold"), f" {told}"))
        # An address stays on one line, however narrow the terminal: half of it would not open.
        bench = (f"{page}bench{secret}", "bold")
        out.print(mixed(_beside(BENCH, ""), bench))
    else:
        told = tr("Press the button: the first game opens.")
        out.print(mixed((f"\n{tr('The station runs.')}", "bold"), f" {told}"))
        if hint := cards_hint(where.state_folder):
            out.print(f"  {hint}")
        if lacking := ", ".join(starting.absent_devices(where, where.settings())):
            todo = tr("{devices}; ./loto doctor says what to do", devices=lacking)
            out.print(_beside(LACKING, todo))
    for label, name in PAGES:
        out.print(_beside(label, f"{page}{name}{secret if name else ''}"))
    out.print(_beside(WATCHED, f"./loto watch{where.hint()}"))
    out.print(_beside(KEPT, str(halves.half(where.state_folder, test=simulated))))
    if no_display:
        told = tr(
            "No display was found on this machine, so the public screen is not shown; --screen"
            " tries all the same."
        )
        out.print(f"  {told}")
    out.print(f"{tr('Ctrl-C ends it; the game goes on at the next start.')}\n")


def _beside(label: str, value: str) -> str:
    """Return a line of the greeting; the web's are below the others, in another process."""
    return beside((tr(label), value), indent="  ", labels=map(tr, LABELS))


def _play_alone(where: Where, played: list[str], games: int, speed: float) -> None:
    """Play whole games with simulated players, in a state folder of their own if none is named."""
    from station.core import launch

    launch.hide_memory()
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        inside = where
        if where.state is None:
            inside = Where(Path(folder), where.file, where.profile or "simulated")
        if not inside.settings().simulated:
            why = tr("simulated players need simulated devices: add --simulate")
            raise SettingsError("--auto", [why])
        arguments = ["core", *inside.arguments(), *played, "--games", str(games)]
        arguments += ["--fast"] if speed == 0 else []
        shown = (columns.BarColumn(), columns.MofNCompleteColumn(), words("{task.fields[last]}"))
        with bar(*shown, on=out) as progress:
            task = progress.add_task(tr("playing"), total=90, last="")

            def told(view: board_view.BoardView) -> None:
                game, called, last = view.game, len(view.called), str(view.last or "")
                name = (
                    tr("opening")
                    if game is None
                    else tr("game {number} of {count}", number=game.number, count=game.of)
                )
                progress.update(task, description=name, completed=called, last=last)

            core = launch.StationProcess("core", arguments, silent_s=launch.CORE_SILENT_S)
            play = launch.play_by_itself(core, inside.run_folder, games, speed, told)
            results = asyncio.run(play)
    _print_results(results)


def _print_results(results: list[players.GameResult]) -> None:
    table = tables.Table(*heads("game", "calls", "won", "card", "player", "prize"))
    for result in results:
        rows = [(win.stage, win.serial, win.holder or "-", win.prize.text) for win in result.wins]
        rows += [("", "", name, text) for name, text in result.seats]
        for place, row in enumerate(rows):
            head = ("", "") if place else (f"{result.number} {result.name}", str(len(result.calls)))
            table.add_row(*head, *row)
    out.print(table)
    games = number_of(len(results), "game")
    one, more = tr("1 game played to its end."), tr("{games} played to their end.", games=games)
    out.print(one if len(results) == 1 else more)


@commands.command()
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
        night = load_programme(programmes.programme_file(programme, where))
    if night is not None and games:
        night = night.repeated(games)
    folders = (where.state_folder, where.run_folder)
    station = Core(settings, *folders, programme=night, make_paper=make_apart)
    raise typer.Exit(asyncio.run(serve(station)))


@commands.command()
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
    from drivers.voice.sound import as_wav
    from station.core.launch import (
        LOOPBACK,
        end_with_parent,
        given_token,
        own_pages,
    )
    from station.machine.hotspot import ADDRESS
    from station.screens.web.certificate import FOLDER
    from station.screens.web.server import run as serve_web
    from station.settings.voices import clips_in, voice_folders
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
        run / wire.SOCKET,
        run / wire.HANDS_SOCKET if has_hands else None,
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
        token=given_token() or None,
        names=settings.web.names,
        per_address=settings.web.per_address,
        ready=lambda text: _told(notify.ready(text)),
        secured=partial(_greet_secured, address),
        alive=lambda: _told(notify.alive()),
        pages=lambda: own_pages(settings.web, host or "", number),
        hotspot=ADDRESS,
        as_wav=as_wav,
        open_games=_open_games,
    )
    raise typer.Exit(code)


def _open_games() -> playing.Games:
    """Open the games that are played alone, which load the rules of all games."""
    from station.core.simulation.practice_room import PracticeRoom

    return PracticeRoom()


def _tls_port(port: int, asked: int | None, settings: config.Settings) -> int:
    """Return the port with TLS; 0 for none."""
    from station.screens.web.server import SECURED_FURTHER

    told = settings.web.tls_port if asked is None else asked
    further = port + SECURED_FURTHER
    return (further if further <= LAST_PORT else 0) if told is None else told


def _greet_secured(address: str, port: int, fingerprint: str) -> None:
    """Say where the pages are encrypted, and by what one knows that nobody stands between."""
    out.print(_beside(LET_IN, f"https://{address}:{port}/pair"))
    out.print(_beside(WARNED, fingerprint))


@commands.command()
def screen(
    where: STATION = HERE,
    window: Annotated[bool, option("In a window, not on the full screen.", "--window")] = False,
) -> None:
    """Run the public screen alone (pygame); it waits for the station and joins by itself.

    Example: loto screen --window
    """
    from station.core.launch import end_with_parent
    from station.screens.screen.app import run as run_screen
    from station.screens.screen.television import INSET, SECOND_INSET, HallDisplay, Placing
    from station.wire.looks import load_look

    end_with_parent()
    settings = where.settings()
    size = settings.screen
    notify.ready("showing the board")
    code = run_screen(
        where.run_folder / wire.SOCKET,
        size=(size.width, size.height) if window else None,
        windowed=window,
        alive=lambda: _told(notify.alive()),
        look=load_look(settings.hall.look),
        logo=settings.hall.logo,
        televisions=[
            HallDisplay(one.display, Placing(one.inset, one.rotate), setting)
            for one, setting in ((size, INSET), (size.second, SECOND_INSET))
            if one is not None
        ],
    )
    raise typer.Exit(code)


def _told(_: bool) -> None:
    """Ignore whether systemd was told: it may not be there."""


@commands.command()
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

    shown = watch_board(where.run_folder / wire.SOCKET, where.wording(), as_json=as_json, once=once)
    raise typer.Exit(asyncio.run(shown))
