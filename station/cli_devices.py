"""The command line, third part: the settings, and the commands that touch devices."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import Progress

from drivers import Cavity, DeviceLost, Event, ReadRefused, TagRead, make_driver
from station import tags
from station.cli_tools import CONFIG, PROFILE, STATE, Where, command_group, print_json
from station.errors import EXIT_NO, Damaged, SettingsError, Unreadable
from station.nights import StateFolder
from station.table import KNOBS, number_list
from station.views import cavities
from station.wording import VOICES, load_wording

out = Console(highlight=False)

config_app = command_group("Check and show the settings.")
voice_app = command_group("Build and check voice packs.")
matrix_app = command_group("Look at the ten-cavity board.")


def register(app: typer.Typer) -> None:
    """Adds these commands to the command line."""
    app.command(name="enrol")(enrol)
    for name, group in (("config", config_app), ("voice", voice_app), ("matrix", matrix_app)):
        app.add_typer(group, name=name)


# -- settings ----------------------------------------------------------------------------------------------------------


@config_app.command("check")
def config_check(file: CONFIG = None, profile: PROFILE = None) -> None:
    """Check the settings; all faults are named at once. Exit code 0 good, 2 faulty.

    \b
    Example: loto config check --config /etc/loto-station/station.toml
    """
    _checked(Where(None, file, profile))
    out.print("the settings are good")


@config_app.command("show")
def config_show(file: CONFIG = None, profile: PROFILE = None) -> None:
    """Show the settings in force: profile, file and defaults together.

    \b
    Example: loto config show --profile rfid
    """
    print_json(_checked(Where(None, file, profile)).model_dump(mode="json"))


def _checked(where: Where) -> Any:
    from station.programme import load_programme

    settings = where.settings()
    load_wording(settings.hall.language)
    load_programme(settings.game.programme)
    return settings


# -- knobs -------------------------------------------------------------------------------------------------------------


def enrol(
    state: STATE = None,
    file: CONFIG = None,
    profile: PROFILE = None,
    knob: Annotated[int | None, typer.Option(min=1, max=KNOBS, help="Only this knob; gives it one tag more.")] = None,
    wait: Annotated[float, typer.Option(min=1, help="Seconds to wait for a knob before giving up.")] = 120.0,
) -> None:
    """Teach the station its knobs: lay each on the reader when asked. Begin again where you stopped at any time.

    \b
    Example: loto enrol --profile rfid
    Example: loto enrol --profile rfid --knob 37      (a spare)
    """
    where = Where(state, file, profile)
    options = {**where.settings().devices.get("reader", {})}
    if not options:
        raise SettingsError("devices.reader", ["these settings have no reader: choose --profile rfid"])
    if options.get("port") == "simulated":
        raise SettingsError("devices.reader", ["the simulated knobs are known already: choose --profile rfid"])
    folder = StateFolder(where.state_folder)
    try:
        table = tags.load_tags(where.state_folder)
        wanted = (knob,) if knob is not None else tags.missing_knobs(table)
        enrolled = _enrol(where.state_folder, table, wanted, options, wait)
    finally:
        folder.close()
    missing = tags.missing_knobs(table)
    out.print(f"{enrolled} enrolled; " + ("ninety of ninety." if not missing else f"still missing: {number_list(missing)}"))
    raise typer.Exit(EXIT_NO if missing else 0)


def _enrol(state: Path, table: dict[int, int], wanted: tuple[int, ...], options: dict[str, Any], wait: float) -> int:
    events: queue.Queue[Event] = queue.Queue()
    reader = make_driver(options.pop("driver"), **options)
    reader.open(events.put)
    try:
        with Progress(console=out, transient=True) as bar:
            task = bar.add_task("", total=len(wanted))
            for done, number in enumerate(wanted):
                bar.update(task, completed=done, description=f"lay knob {number} on the reader")
                tag = _next_tag(events, table, number, wait)
                if tag is None:
                    return done
                table[tag] = number
                tags.save_tags(state, table)  # after each: a stop loses nothing
        return len(wanted)
    finally:
        reader.close()


def _next_tag(events: queue.Queue[Event], table: dict[int, int], number: int, wait: float) -> int | None:
    while True:
        try:
            event = events.get(timeout=wait)
        except queue.Empty:
            out.print(f"no knob came within {wait:.0f} s; type the same again to go on with knob {number}")
            return None
        if isinstance(event, TagRead):
            if event.tag not in table:
                return event.tag
            out.print(f"this tag is knob {table[event.tag]} already: take the next")
        elif isinstance(event, DeviceLost):
            out.print(f"the reader is lost: {event.reason}")
        elif isinstance(event, ReadRefused):
            out.print("that could not be read: lay one knob alone on the reader")


# -- voice and board ---------------------------------------------------------------------------------------------------


@voice_app.command("check")
def voice_check(
    folder: Annotated[Path | None, typer.Argument(help="The pack; by default the one that ships.")] = None,
    language: Annotated[str, typer.Option(help="Whose words it must have.")] = "en",
) -> None:
    """Check a voice pack: every clip is there, whole, and of a length and loudness that can be.

    \b
    Example: loto voice check
    """
    from drivers.voicepack import VoicePack

    folder = folder or VOICES / language
    pack = VoicePack.load(folder)
    faults = pack.check(load_wording(language).clips())
    for fault in faults:
        out.print(fault)
    if faults:
        raise Damaged(f"{folder}: {len(faults)} clips are faulty: build the pack again")
    out.print(f"{folder}: {len(pack.clips)} clips, all good")


@voice_app.command("build")
def voice_build(
    folder: Annotated[Path, typer.Argument(help="Where the pack is made.")],
    language: Annotated[str, typer.Option(help="Which wording is spoken.")] = "en",
    maker: Annotated[str, typer.Option(help="pyttsx3 or espeak-ng.")] = "pyttsx3",
    form: Annotated[Literal["wav", "ogg"], typer.Option("--form", help="wav, or ogg (needs the library soundfile).")] = "wav",
) -> None:
    """Render all ninety numbers and every phrase as clips; each is checked, and made again if it is not good.

    Needs espeak-ng: sudo apt-get install espeak-ng libespeak-ng1

    \b
    Example: loto voice build my-voice --language en
    """
    from drivers.voicerender import render

    clips = load_wording(language).clips()
    with Progress(console=out, transient=True) as bar:
        task = bar.add_task("rendering", total=len(clips) + 1)
        pack = render(clips, folder, language, maker=maker, form=form, progress=lambda *_: bar.advance(task))
    out.print(f"{folder}: {len(pack.clips)} clips")


@matrix_app.command("preview")
def matrix_preview(
    numbers: Annotated[list[int], typer.Argument(help="The numbers called, in order.")],
    target: Annotated[Path, typer.Option("--out", help="The PNG to write.")] = Path("matrix.png"),
) -> None:
    """Make a picture of the ten-cavity board as its LEDs show it.

    \b
    Example: loto matrix preview 5 17 42 90 --out board.png
    """
    from drivers.matrix import Matrix
    from drivers.simulated_board import RecordingBus

    wrong = [number for number in numbers if not 1 <= number <= KNOBS]
    if wrong:
        raise Unreadable(f"{number_list(wrong)}: knobs are 1 to {KNOBS}")
    picture = Matrix(bus=RecordingBus()).preview([Cavity(*knob) if knob is not None else None for knob in cavities(numbers)])
    try:
        picture.save(target)
    except (OSError, ValueError) as error:
        raise Unreadable(f"{target}: the picture cannot be written ({error}); name a PNG in a folder that is there") from error
    out.print(f"{target}: {picture.width} x {picture.height} pixels")
