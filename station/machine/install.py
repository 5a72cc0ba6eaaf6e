"""Install the station into a machine, and remove it again: each change is recorded before it is
made, and undone to the byte.

    /opt/loto-station/            the program (`station.machine.releases`), and installed.json: what
                                  stood in each place before
    /etc/systemd/system/loto-*    links to the units of the current release; so are users, folders,
                                  device rules, the watchdog
    /etc/loto-station/            the hall's settings, and whose releases it takes: kept when the
                                  station is taken out
    /var/lib/loto-station/        the nights: kept
    /var/lib/loto-web/            the pages' certificate, with its key: goes

Links, so that one step changes program and units together: see `station.machine.update`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from station.base.disk import keep_file, keep_folder
from station.base.errors import Damaged, LotoError, StoreError, Unreadable
from station.base.system import CommandFailed, System, writing
from station.base.tongue import tr
from station.base.untrusted import MOST_JSON, file_bytes, table_from
from station.checkup.inventory import Inventory
from station.machine.bundle import PROJECT
from station.machine.delivery import meet_builder
from station.machine.hotspot import FILE as HOTSPOT
from station.machine.hotspot import NAMES_FILE
from station.machine.own_drivers import DERIVED, OwnDrivers
from station.machine.releases import BACK, CURRENT, HOME, PROGRAM, Releases, own_files
from station.machine.tv_off import add_word, remove_word
from station.machine.update import TARGET, Patience, refuse_game, stop_station, wait_for_answer
from station.programme.programme import read_toml
from station.settings.config import SYSTEM_FILE
from station.settings.places import SYSTEM_STATE
from station.settings.tags import bring_table, table_to_bring

Say: TypeAlias = Callable[[str], None]

RECORD = f"{HOME}/installed.json"
COMMAND = "/usr/local/bin/loto"
SYSTEMD = "/etc/systemd/system"
WEB_STATE = "/var/lib/loto-web"  # StateDirectory= of the unit
# Where each folder of systemd/ goes.
PLACES = {
    "system": SYSTEMD,
    "sysusers.d": "/etc/sysusers.d",
    "tmpfiles.d": "/etc/tmpfiles.d",
    "udev": "/etc/udev/rules.d",
    "system.conf.d": "/etc/systemd/system.conf.d",
}
SETTINGS = """\
# {about}
profile = "{profile}"
"""
# Not with simulated devices: whoever opens their pages could operate the whole station.
PAGES = """
[web]
host = "0.0.0.0"    # {about}
"""


@dataclass(frozen=True)
class Choices:
    """What was asked for.

    Attributes:
        profile: of the hardware, for a machine that has no settings yet.
        screen: whether the public screen is shown on this machine.
        tv_off: whether there must be a display with the TV off (Raspberry Pi).
        start: whether the services are started now.
    """

    profile: str
    screen: bool = True
    tv_off: bool = False
    start: bool = True


@dataclass
class InstallRecord:
    """What stood at each path before; kept in the machine, written before each change.

    Attributes:
        paths: what each path was: nothing, a link, or a file with its bytes.
        folders: made for them, outermost first.
        users: users and groups that were not there.
        words: of the kernel's command line.
    """

    paths: dict[str, dict[str, Any] | None] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def links(systemd: Path, choices: Choices, *, pi: bool) -> dict[str, str]:
    """Return every link that belongs into a machine, and where it points.

    Args:
        systemd: the folder of units, of the release to be installed.
        pi: whether the machine is a Raspberry Pi.
    """
    found = {COMMAND: PROGRAM}
    for folder, place in PLACES.items():
        if folder == "system.conf.d" and not pi:
            continue
        for path in sorted((systemd / folder).iterdir()):
            found[f"{place}/{path.name}"] = f"{HOME}/{CURRENT}/systemd/{folder}/{path.name}"
            wanted = re.search(r"^WantedBy=(\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            if wanted and (choices.screen or path.name != "loto-screen.service"):
                found[f"{SYSTEMD}/{wanted[1]}.wants/{path.name}"] = f"../{path.name}"
    return found


def commands(system: System, *, start: bool) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """Yield the commands to run once all files are in place; True marks a running system's only."""
    yield False, ("systemd-sysusers", f"{PLACES['sysusers.d']}/loto-station.conf")
    yield False, ("systemd-tmpfiles", "--create", f"{PLACES['tmpfiles.d']}/loto-station.conf")
    if system.at("/run/udev/control").exists():  # in a container there is none
        yield True, ("udevadm", "control", "--reload")
        yield True, ("udevadm", "trigger")
    yield True, ("systemctl", "daemon-reload")
    if start:
        # Restart also those that run from the release before. Do not wait: with wrong settings it
        # never ends.
        yield True, ("systemctl", "--no-block", "restart", TARGET)


def first_settings(profile: str) -> str:
    """Return the settings of a machine that has none."""
    about = tr(
        "The settings of this hall; `loto setup` asks for them. All that can be set: loto config"
        " show"
    )
    pages = tr('the pages are for the hall\'s network; "127.0.0.1": for this machine only')
    settings = SETTINGS.format(about=about, profile=profile)
    return settings if profile == "simulated" else settings + PAGES.format(about=pages)


def profile_in(system: System) -> str:
    """Return the profile that a machine's settings name; empty if they name none, or are not there.

    Raises:
        Unreadable: the settings cannot be read.
    """
    path = system.at(str(SYSTEM_FILE))
    named = read_toml(path).get("profile") if os.path.lexists(path) else None
    return named if isinstance(named, str) else ""


class Installation:
    """What is installed in a machine, or is to be.

    Raises:
        Damaged: the record of what stood there before cannot be read.
    """

    def __init__(
        self, system: System, say: Say = lambda _: None, patience: Patience | None = None
    ) -> None:
        self.system = system
        self._patience = patience or Patience()
        self.releases = Releases(system)
        self._say = say
        self._path = system.at(RECORD)
        try:
            data = file_bytes(self._path, MOST_JSON) if os.path.lexists(self._path) else b"{}"
            self.record = TypeAdapter(InstallRecord).validate_python(table_from(data))
        except (OSError, ValueError, TypeError) as error:
            what = tr("what stood in this machine before cannot be read")
            raise Damaged(f"{self._path}: {what} ({error})") from error

    def install(self, choices: Choices, source: Path = PROJECT) -> None:
        """Put in place whatever is not there yet; so an interrupted installation is completed.

        Raises:
            LotoError: a night is open on another release; a file cannot be written; a command
                failed. The record keeps what was changed.
        """
        system, releases = self.system, self.releases
        name = releases.place(source)
        self._say(tr("the program: {folder}", folder=releases.folder / name))
        written = self._fit(name)
        if releases.linked(BACK) is not None:
            refuse_game(system.at(str(SYSTEM_STATE)))
            releases.end_trial()
        if (before := releases.linked(CURRENT)) != name:
            if before is not None:
                self._hold()
            releases.switch(name)
            releases.prune()
        wanted = links(releases.folder / name / "systemd", choices, pi=Inventory(system).is_pi)
        for path in [path for path in self.record.paths if path not in wanted | written]:
            self._put_back(path)
        for path, target in wanted.items():
            self._link(path, target)
        for path, text in written.items():
            self._write(path, text)
        self._keep_settings(choices.profile)
        for line in meet_builder(source, system):
            self._say(line)
        self._bring_knobs(source)
        self._remember_users(releases.folder / name)
        for word in add_word(system, self._remember_word) if choices.tv_off else ():
            self._say(tr("the kernel's command line: {word}", word=word))
        self._run(commands(system, start=choices.start))
        if choices.start:
            self._await_answer()

    def refit(self) -> None:
        """Derive again all that the installed release takes from the settings, after a change.

        The core, the screen and the web read everything else from the settings when they start.

        Raises:
            LotoError: nothing is installed; a file cannot be written; a command failed.
        """
        name = self.releases.linked(CURRENT)
        if name is None:
            raise Unreadable(
                tr("{path}: nothing was installed here (loto install)", path=self._path)
            )
        written = self._fit(name)
        for path in [path for path in DERIVED if path in self.record.paths.keys() - written]:
            self._put_back(path)
        for path, text in written.items():
            self._write(path, text)
        self._run(commands(self.system, start=False))

    def _fit(self, release: str) -> dict[str, str]:
        """Fit a release to the settings: its libraries, and the packages of the hall's own drivers.

        Returns:
            The files that let the drivers reach their devices, with their texts.
        """
        self.releases.prepare(release)
        own = OwnDrivers(self.system, release)
        own.bring()
        return own.files()

    def _run(self, wanted: Iterable[tuple[bool, tuple[str, ...]]]) -> None:
        """Run the commands that follow the files; say which are left out."""
        for here_only, words in wanted:
            left_out = here_only and not self.system.runs
            run = tr("run: {command}", command=" ".join(words))
            why = tr("{what} (left out: this system is not running)", what=run)
            self._say(why if left_out else run)
            (self.system.tell if here_only else self.system.command)(*words)

    def _await_answer(self) -> None:
        """Say whether the station that was started answers; it may take its time."""
        if not self.system.runs:
            self._say(tr("no system runs in it: the station starts when the machine does"))
            return
        try:
            wait_for_answer(self.system, self._patience)
            self._say(tr("the station answers"))
        except CommandFailed as error:
            log = "journalctl -u loto-core -b"
            self._say(
                tr("The station does not answer yet; its log: {log}\n{error}", log=log, error=error)
            )

    def plan(self, choices: Choices, source: Path = PROJECT) -> Iterator[str]:
        """Yield what `install` would do, a line each; change nothing."""
        files = tr("{count} files to {folder}/releases/", count=len(own_files(source)), folder=HOME)
        yield tr("copy: {files}; link {link} to them", files=files, link=f"{HOME}/{CURRENT}")
        system = self.system
        is_pi = Inventory(system).is_pi
        for path, target in links(source / "systemd", choices, pi=is_pi).items():
            link = f"{path} -> {target}"
            kept = self._is_link(system.at(path), target)
            yield tr("keep: {file}", file=link) if kept else tr("link: {link}", link=link)
        if system.at(str(SYSTEM_FILE)).exists():
            yield tr("keep: {file}", file=SYSTEM_FILE)
        else:
            yield tr("write: {file}", file=SYSTEM_FILE)
            for line in first_settings(choices.profile).splitlines():
                yield f"        | {line}"
        for wheel in OwnDrivers(system, "").wheels:
            yield tr("bring for a driver of the settings: {package}", package=wheel.path)
        yield from meet_builder(source, system, only_say=True)
        if taught := table_to_bring(source / "var", system.at(str(SYSTEM_STATE))):
            yield tr("copy: {file} to {folder}", file=taught, folder=SYSTEM_STATE)
        for word in add_word(system, None) if choices.tv_off else ():
            yield tr("add to the kernel's command line: {word}", word=word)
        for _, words in commands(system, start=choices.start):
            yield tr("run: {command}", command=" ".join(words))

    def uninstall(self, *, purge: bool = False) -> None:
        """Remove everything: each path becomes again what it was before.

        Args:
            purge: remove the nights and the settings too, and the passphrase of its own Wi-Fi.

        Raises:
            LotoError: nothing is installed; a file cannot be written; a command failed. Run again,
                it is completed.
        """
        system = self.system
        # A first installation that failed before its first link left a program without a record.
        if not self._path.exists() and not self.releases.folder.is_dir():
            raise Unreadable(
                tr("{path}: nothing was installed here (loto install)", path=self._path)
            )
        units = [Path(path) for path in self.record.paths if Path(path).parent == Path(SYSTEMD)]
        if running := [unit.name for unit in units if system.at(str(unit)).is_symlink()]:
            system.tell("systemctl", "stop", *running)
        for path in reversed([*self.record.paths]):
            self._put_back(path)
        remove_word(system, self.record.words)
        with writing(Path(HOME), inside=True):
            self._leave_hall(purge=purge)
            self._remove_users()
            self._remove_folders()
            for _, words in commands(system, start=False):
                if words[0] in ("udevadm", "systemctl"):
                    system.tell(*words)
            self._remove_program()
        self._say(tr("removed: {folder}", folder=system.at(HOME)))

    def _leave_hall(self, *, purge: bool) -> None:
        """Keep what the hall has, its nights and settings, or remove that too."""
        system = self.system
        state, settings = system.at(str(SYSTEM_STATE)), system.at(str(SYSTEM_FILE.parent))
        if (secured := system.at(WEB_STATE)).is_dir():
            shutil.rmtree(secured)
        if purge:
            for folder in (state, settings):
                if folder.is_dir():
                    shutil.rmtree(folder)
                    self._say(tr("removed: {folder}", folder=folder))
            system.at(HOTSPOT).unlink(missing_ok=True)  # the passphrase
            system.at(NAMES_FILE).unlink(missing_ok=True)
        elif state.is_dir():
            # Another user may get the number that the station's had.
            system.command("chown", "-R", "root:root", str(SYSTEM_STATE))
            self._say(tr("kept: {file}", file=f"{state}, {settings}"))

    def _remove_folders(self) -> None:
        """Remove the folders that were made here and are empty."""
        for made in reversed(self.record.folders):
            folder = self.system.at(made)
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _hold(self) -> None:
        """Stop the station for another release, unless a night is being played, or began at this
        moment."""
        state = self.system.at(str(SYSTEM_STATE))
        refuse_game(state)
        stop_station(self.system)
        try:
            refuse_game(state)
        except LotoError:
            self.system.tell("systemctl", "--no-block", "start", TARGET)
            raise

    def _remove_program(self) -> None:
        """Remove the program, the record last: without it nobody knows what is left to do."""
        self.releases.remove()
        for path in (self._path.with_name(f".{self._path.name}.new"), self._path):
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody put something else there
            self.releases.home.rmdir()

    # -- one path ----------------------------------------------------------------------------------

    def _link(self, path: str, target: str) -> None:
        place = self.system.at(path)
        if self._is_link(place, target) and path in self.record.paths:
            return
        self._remember(path, None if self._is_link(place, target) else _stands(place))
        self.system.link(place, target)
        self._say(tr("link: {link}", link=f"{place} -> {target}"))

    def _write(self, path: str, text: str) -> None:
        place = self.system.at(path)
        if path in self.record.paths and place.is_file() and place.read_text("utf-8") == text:
            return
        self._remember(path, _stands(place))
        with writing(place):
            keep_folder(place.parent, self.system.disk)
            keep_file(place, text.encode(), self.system.disk, public=True)
        self._say(f"written: {place}")

    def _remember(self, path: str, before: dict[str, Any] | None) -> None:
        """Record what stood at a path, unless that is known already."""
        if path not in self.record.paths:
            self.record.paths[path] = before
            self._make_folders(self.system.at(path).parent)
            self._save()

    def _put_back(self, path: str) -> None:
        place, before = self.system.at(path), self.record.paths[path]
        with writing(place):
            if before is None:
                place.unlink(missing_ok=True)
            elif "link" in before:
                self.system.link(place, before["link"])
            else:
                place.unlink(missing_ok=True)
                keep_file(place, base64.b64decode(before["data"]), self.system.disk)
                place.chmod(before["mode"])
                os.chown(place, before["uid"], before["gid"])
        removed = tr("removed: {folder}", folder=place)
        self._say(removed if before is None else tr("as it was before: {file}", file=place))
        del self.record.paths[path]
        self._save()

    @staticmethod
    def _is_link(place: Path, target: str) -> bool:
        return place.is_symlink() and os.readlink(place) == target

    def _make_folders(self, folder: Path) -> None:
        missing = [one for one in (*reversed(folder.parents), folder) if not one.exists()]
        self.record.folders += [f"/{one.relative_to(self.system.root)}" for one in missing]

    def _keep_settings(self, profile: str) -> None:
        path = self.system.at(str(SYSTEM_FILE))
        if path.exists():
            self._say(tr("kept: {file}", file=path))
            return
        with writing(path):
            keep_folder(path.parent, self.system.disk)
            path.parent.chmod(0o755)
            keep_file(path, first_settings(profile).encode(), self.system.disk, public=True)
        self._say(tr("the settings: {file}", file=path))

    def _bring_knobs(self, source: Path) -> None:
        state = self.system.at(str(SYSTEM_STATE))
        if taught := table_to_bring(source / "var", state):
            with writing(state):
                bring_table(taught, state, self.system.disk)
            self._say(tr("the knobs taught here come along: {file}", file=taught))

    # -- users and words ---------------------------------------------------------------------------

    def _names(self, *tables: str) -> set[str]:
        """Return the names in tables of that machine: of its users, of its groups."""
        found = set()
        for table in tables:
            path = self.system.at(table)
            text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
            found |= {line.partition(":")[0] for line in text.splitlines()}
        return found

    def _remember_users(self, release: Path) -> None:
        file = release / "systemd/sysusers.d/loto-station.conf"
        wanted = re.findall(r"^[ug]\s+(\S+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        known = self._names("/etc/passwd", "/etc/group") | {*self.record.users}
        self.record.users += [name for name in wanted if name not in known]
        self._save()

    def _remove_users(self) -> None:
        users = self._names("/etc/passwd")
        for name in [name for name in self.record.users if name in users]:
            self.system.command("userdel", name)
        left = self._names("/etc/passwd", "/etc/group")
        for name in [name for name in self.record.users if name in left]:
            self.system.command("groupdel", name)

    def _remember_word(self, word: str) -> None:
        self.record.words.append(word)
        self._save()

    def _save(self) -> None:
        data = json.dumps(vars(self.record), indent=1).encode()
        with writing(self._path):
            keep_file(self._path, data, self.system.disk)


def _stands(place: Path) -> dict[str, Any] | None:
    """Return what stands at a path now, for the record."""
    if place.is_symlink():
        return {"link": os.readlink(place)}
    if not place.exists():
        return None
    if not place.is_file():
        raise StoreError(
            tr("{place}: there is something that is no file: move it away", place=place)
        )
    found = place.stat()
    data = base64.b64encode(place.read_bytes()).decode()
    return {"data": data, "mode": found.st_mode & 0o7777, "uid": found.st_uid, "gid": found.st_gid}
