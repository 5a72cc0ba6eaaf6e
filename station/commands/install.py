"""Define the commands that install, remove, back up, restore and update, and run its own Wi-Fi."""

from __future__ import annotations

import io
import os
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import DownloadColumn

from station.base.errors import EXIT_NO, SettingsError
from station.base.system import NotPossibleNow, System
from station.base.terminal import beside, out
from station.base.tongue import key, number_of, tr
from station.commands.options import (
    BY_FILE,
    BY_STATE,
    HERE,
    JSON,
    PROFILE,
    Commands,
    argument,
    option,
    refuse_unused,
)
from station.commands.tools import (
    Where,
    cards_hint,
    for_programs,
    make_sure,
    print_json,
    progress_bar,
)
from station.settings import config, places

ROOT = Annotated[
    Path, option("Another machine's card, mounted here.", "--root", show_default=False)
]
QR = Annotated[
    Path | None, option("The QR code as .png or .svg; a poster with it as .pdf.", "--qr")
]
Yes = Annotated[bool, option("Do not ask.", "--yes")]
ITSELF = Path("/")
OWN_DRIVER = key(
    "Its settings name the driver {driver}, which is not part of the station. Nothing of it was"
    " loaded. To use it: loto driver allow PACKAGE"
)

commands = Commands()
hotspot_commands = Commands(
    "hotspot", "A Wi-Fi of the station's own, for a hall without a network (NetworkManager)."
)
commands.add_typer(hotspot_commands)


def _system(root: Path, what: str) -> System:
    here = root.resolve() == ITSELF
    if here and os.geteuid() != 0:
        raise SettingsError(
            what, [tr("only root may change the system: put sudo before the command")]
        )
    if not here and not (root / "usr/bin/env").exists():
        raise SettingsError(
            "--root", [tr("no system is in {root}: mount the card there first", root=root)]
        )
    return System(root.absolute(), here=here)


def _say(line: str) -> None:
    with suppress(OSError):  # the terminal is gone: what is being done goes on
        out.print(line)


# -- the machine -----------------------------------------------------------------------------------


@commands.command(says=True)
def install(
    profile: PROFILE = None,
    no_screen: Annotated[bool, option("No public screen on this machine.", "--no-screen")] = False,
    tv_off: Annotated[
        bool, option("Have a picture although the TV is off at the start (Pi).", "--tv-off")
    ] = False,
    no_start: Annotated[
        bool, option("Do not start it now; it starts with the machine.", "--no-start")
    ] = False,
    show: Annotated[bool, option("Say what would be done, and change nothing.", "--show")] = False,
    root: ROOT = ITSELF,
) -> None:
    """Install the station in this machine: it starts with it from now on. Again, it changes only
    what differs.

    Example: loto install --profile hall
    Example: loto install --profile hall --show
    """
    from station.machine.install import Choices, Installation, profile_in
    from station.machine.update import TARGET

    named = profile or profile_in(System(root.absolute())) or "simulated"
    if named not in config.profiles():
        fault = tr(
            "there is no profile {profile!r}; there are {profiles}",
            profile=named,
            profiles=", ".join(config.profiles()),
        )
        raise SettingsError("--profile", [fault])
    there = profile_in(System(root.absolute()))
    typed = profile != os.environ.get("LOTO_PROFILE")
    if profile is not None and typed and there not in {"", profile}:
        file = System(root.absolute()).at(str(config.SYSTEM_FILE))
        fault = tr(
            "{file} names the profile {there}, and an installation keeps the settings: sudo loto"
            " setup --profile {profile}",
            file=file,
            there=there,
            profile=profile,
        )
        raise SettingsError("--profile", [fault])
    choices = Choices(named, screen=not no_screen, tv_off=tv_off, start=not no_start)
    if show:
        here = System(root.absolute(), here=root.resolve() == ITSELF)
        for line in Installation(here).plan(choices):
            _say(line)
        return
    system = _system(root, "install")
    Installation(system, _say).install(choices)
    settings = system.at(str(config.SYSTEM_FILE))
    _say(
        tr(
            "The station is installed (profile {named}). Settings: {settings}",
            named=named,
            settings=settings,
        )
    )
    if named != "simulated" and (hint := cards_hint(system.at(str(places.SYSTEM_STATE)))):
        _say(hint)
    if system.runs:
        _say(tr("Its state: systemctl status 'loto-*'; remove it: sudo loto uninstall"))
    if named == "simulated":
        _say(tr("Its devices are simulated: every night is a TEST, and no money is taken."))
        _say(
            tr(
                "Next: sudo loto setup, which asks for your devices and writes the settings; then"
                " {start}. See docs/install.md, With a package.",
                start=f"sudo systemctl restart {TARGET}",
            )
        )


@commands.command(says=True)
def uninstall(
    purge: Annotated[
        bool, option("Remove the nights and the settings, too; asks first.", "--purge")
    ] = False,
    yes: Yes = False,
    root: ROOT = ITSELF,
) -> None:
    """Take the station out of this machine: everything is as it was before. Nights and settings are
    kept.

    Example: loto uninstall
    Example: loto uninstall --purge
    """
    from station.machine.install import Installation

    system = _system(root, "uninstall")
    state = system.at(str(places.SYSTEM_STATE))
    if purge and not yes:
        nights = sum(1 for _ in (state / "nights").glob("[0-9]*")) if state.is_dir() else 0
        gone = tr(
            "for ever removed from {folder}: {nights}; loto backup keeps a copy",
            folder=state,
            nights=number_of(nights, "night"),
        )
        make_sure(gone, tr("Remove them?"))
    Installation(system, _say).uninstall(purge=purge)


# -- backup ----------------------------------------------------------------------------------------


@commands.command()
def backup(
    target: Annotated[
        Path | None, argument("Where the stick is mounted, or a .tar file; else the one stick.")
    ] = None,
    restore: Annotated[
        Path | None, option("Put this backup in place of what is here.", "--restore")
    ] = None,
    check: Annotated[Path | None, option("Check whether this backup is whole.", "--check")] = None,
    force: Annotated[
        bool, option("Restore although a night is open, or more is known here.", "--force")
    ] = False,
    where: Annotated[Where, BY_STATE, BY_FILE] = HERE,
    as_json: JSON = False,
) -> None:
    """Copy nights, packs, tags, keys and settings to a USB stick, as one file that is read again;
    or put them back.

    The station may run during a backup, not while one is put back. What stood there is kept aside.
    The file holds the signing key: keep the stick where the cash box is.

    Example: loto backup
    Example: loto backup /media/stick
    Example: loto backup --restore /media/stick/loto-backup-night-0012-line-345.tar
    """
    from station.machine import backup as backups
    from station.machine.backup import restore as put_back
    from station.machine.sticks import the_stick

    settings = where.file.absolute() if where.file is not None else config.SYSTEM_FILE
    drivers: list[str] = []
    if [target, restore, check].count(None) < 2:
        raise SettingsError(
            "backup", [tr("a place to write to, --restore or --check: one of them")]
        )
    if restore is None:
        refuse_unused("backup", {"--force": force}, "--restore")
    with progress_bar(
        tr("reading") if restore or check else tr("copying"), DownloadColumn()
    ) as told:
        if restore is not None:
            state, folder = where.state_folder, settings.parent
            done = put_back(restore, state, folder, force=force, progress=told)
            manifest, made, aside = done.manifest, restore, done.aside
            lines = [tr("restored: {folder}", folder=where.state_folder)]
            if aside is not None:
                lines += [tr("what stood there before is kept in {folder}", folder=aside)]
            lines += [tr("settings: {file}", file=path) for path in done.settings]
            drivers = [*done.drivers]
        elif check is not None:
            with backups.opened_backup(check, told) as (archive, manifest):
                drivers = backups.own_drivers(archive)
            made = check
            lines = [tr("{file}: whole", file=check)]
        else:
            made = backups.back_up(where.state_folder, settings, target or the_stick(), told)
            manifest = backups.check(made)
            lines = [tr("{file}: written, and read again", file=made)]
            outside = backups.named_files(settings)[1] if settings.is_file() else []
            lines += [tr("not in the backup: {file}", file=path) for path in outside]
    if as_json:
        found = {"version": manifest.version, "heads": manifest.heads, "own_drivers": drivers}
        print_json({"file": str(made), **found, "files": len(manifest.files)})
        return
    for line in lines:
        _say(line)
    for driver in drivers:
        _say(tr(OWN_DRIVER, driver=driver))
    files, nights = len(manifest.files), len(manifest.heads)
    counted = f"{number_of(files, 'file')}, {number_of(nights, 'night')}"
    _say(counted + (tr("; head {head}", head=manifest.heads[-1]) if nights else ""))


# -- update ----------------------------------------------------------------------------------------


@commands.command(says=True)
def update(
    bundle: Annotated[
        Path | None, argument("A bundle (.tar.gz) or a Debian package (.deb) of the station.")
    ] = None,
    back: Annotated[bool, option("Go back to the release before this one.", "--back")] = False,
    may: Annotated[
        bool, option("Only say whether an update may be made now: exit code 0 or 1.", "--may")
    ] = False,
    sha256: Annotated[
        str, option("The file's digest, as its maker told it.", show_default=False)
    ] = "",
    trust: Annotated[
        str, option("The fingerprint of its builder's key, from now on.", show_default=False)
    ] = "",
    older: Annotated[
        bool, option("Also a release that is older than the one that runs.", "--older")
    ] = False,
    yes: Yes = False,
    wait: Annotated[float, option("Seconds in which the new release must answer.", min=5)] = 60.0,
) -> None:
    """Run another release, from a file; it is tried first, and left again by itself when it does
    not do.

    Refused while a night is open. The release before stays on the machine.

    A station takes the releases of one builder, whose key it keeps; of the first one it shows the
    fingerprint, and asks.

    Example: loto update /media/stick/loto-station-0.2.0.tar.gz
    Example: loto update new.tar.gz --trust "1a2b 3c4d 5e6f 7081 92a3 b4c5 d6e7 f809"
    Example: loto update old.tar.gz --older
    Example: loto update --back
    """
    from station.machine.delivery import DeliveryTerms
    from station.machine.update import Patience, Update, refuse_game

    system = _system(ITSELF, "update")
    if may:
        refuse_game(places.SYSTEM_STATE)
        return
    if (bundle is None) != back:
        raise SettingsError("update", [tr("name a bundle, or --back: one of them")])
    if bundle is None:
        for_a_file = {"--sha256": sha256, "--trust": trust, "--older": older}
        refuse_unused("update", for_a_file, tr("a bundle"))
    # A terminal that goes, as over a Wi-Fi, must not leave a release on trial.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    changing = Update(system, _say, Patience(limit_s=wait))
    if bundle is None:
        changing.back()
        return

    def ask(question: str) -> bool:
        if yes:
            _say(tr("{question} Yes: --yes was given.", question=question))
        elif for_programs():
            make_sure(question.rstrip("?"), question)
        return yes or typer.confirm(question)

    terms = DeliveryTerms(sha256, trust, older, ask)
    changing.from_file(bundle.absolute(), terms)


# -- hotspot ---------------------------------------------------------------------------------------


@hotspot_commands.command("on")
def hotspot_on(
    ssid: Annotated[
        str | None, option("What the Wi-Fi is called; the hall's name by default.", "--name")
    ] = None,
    passphrase: Annotated[str | None, option("8 to 63 characters; one is made by default.")] = None,
    new: Annotated[
        bool, option("Make a new passphrase; the old one no longer works.", "--new")
    ] = False,
    picture: QR = None,
    as_json: JSON = False,
) -> None:
    """Switch the station's own Wi-Fi on and show how to join it; after a start without a network it
    comes on by itself.

    Example: loto hotspot on
    Example: loto hotspot on --name "Village Hall" --qr wifi.png
    """
    from station.machine.hotspot import Hotspot, Wifi, new_passphrase

    if new and passphrase is not None:
        raise SettingsError("hotspot", [tr("name a passphrase, or --new: one of them")])
    hotspot = Hotspot(_system(ITSELF, "hotspot"))
    before = None if new else hotspot.wifi()
    name = ssid or (before.ssid if before is not None else _hall_name())
    secret = passphrase or (before.passphrase if before is not None else new_passphrase())
    hotspot.on(Wifi(name, secret))
    _show(picture, as_json=as_json)


@hotspot_commands.command("off", says=True)
def hotspot_off(
    forget: Annotated[
        bool, option("For good: it does not come on by itself any more.", "--forget")
    ] = False,
) -> None:
    """Switch the station's own Wi-Fi off.

    Example: loto hotspot off
    """
    from station.machine.hotspot import Hotspot

    Hotspot(_system(ITSELF, "hotspot")).off(forget=forget)
    off = tr("the Wi-Fi of the station is off")
    _say(tr("{off}; its name and passphrase are forgotten", off=off) if forget else off)


@hotspot_commands.command("show")
def hotspot_show(picture: QR = None, as_json: JSON = False) -> None:
    """Show how to join the station's own Wi-Fi: its name, its passphrase, and a QR code. Exit code
    1 when there is none yet.

    Example: loto hotspot show --qr wifi.svg
    """
    _show(picture, as_json=as_json)


@hotspot_commands.command("boot", hidden=True)
def hotspot_boot(
    wait: Annotated[
        int, option("Seconds to wait for a network.", min=0, max=600, envvar="LOTO_HOTSPOT_WAIT")
    ] = 30,
) -> None:
    """Switch the Wi-Fi on where the machine finds no network; what its unit does.

    Example: loto hotspot boot --wait 30
    """
    from station.machine.hotspot import Hotspot

    _say(Hotspot(System()).at_start(wait))


def _show(picture: Path | None, *, as_json: bool = False) -> None:
    from station.machine.hotspot import ADDRESS, Hotspot, advice, print_poster, save_qr

    wifi = Hotspot(System()).wifi()
    if wifi is None and as_json:
        print_json(None)
        raise typer.Exit(EXIT_NO)
    if wifi is None:
        raise NotPossibleNow(tr("there is no hotspot yet: sudo loto hotspot on"))
    page = f"http://{ADDRESS}:{HERE.settings().web.port}/"
    if picture is not None:
        save_qr(wifi, picture, partial(print_poster, wifi, page))
    if as_json:
        print_json({"name": wifi.ssid, "passphrase": wifi.passphrase, "page": page})
        return
    text = io.StringIO()
    wifi.qr.terminal(text, compact=True)
    out.print(text.getvalue())
    named = (tr("Wi-Fi:"), tr("Passphrase:"), tr("The board:"))
    _say(beside(*zip(named, (wifi.ssid, wifi.passphrase, page), strict=True)))
    for line in advice():
        _say(line)


def _hall_name() -> str:
    """Return the hall's name, cut to the length of a Wi-Fi's name."""
    name = HERE.settings().hall.name.replace(";", " ").replace("\\", " ")
    while len(name.encode()) > 32:
        name = name[:-1]
    return name.strip() or "Loto"
