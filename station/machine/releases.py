"""Keep the installed releases: a folder each, and a link that says which one runs.

    /opt/loto-station/releases/0.1.0-1a2b3c4d/   the program, its libraries in .venv; never changed
                                                 once it is there
    /opt/loto-station/current                    → the release that runs; units and the command
                                                 `loto` go by this link
    /opt/loto-station/previous                   → the release before it: the way back
    /opt/loto-station/back                       → while a release is on trial: what to go back to

A trial begins by making `back`, then moves `current`; it ends by renaming `back`, to `previous`
when the release did well, to `current` when it did not. Each step is one rename. A machine that
starts and finds `back` was switched off in the middle of a trial: `loto-back.service` renames it to
`current` before the station starts.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from station.base.errors import Damaged, StoreError
from station.base.system import NotPossibleNow, System, writing
from station.base.tongue import tr
from station.machine.bundle import PROJECT, SUMS, check_sums, project_files, sums, version_in
from station.settings.places import INSTALLED

HOME = str(INSTALLED)
CURRENT, PREVIOUS, BACK = "current", "previous", "back"
PROGRAM = f"{HOME}/{CURRENT}/.venv/bin/loto"
# What of the project a hall's machine needs. Without pyproject.toml it is no checkout: its data are
# in /var/lib.
PAPERS = tuple(
    f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY", "CHANGELOG")
)
PARTS = ("station", "drivers", "hw", "systemd", "setup", "docs", "LICENSE", *PAPERS)
UNFINISHED = ".unfinished"
LAUNCHER = """\
#!/bin/sh
exec {folder}/.venv/bin/python -P -m station "$@"
"""


def own_files(project: Path = PROJECT) -> list[Path]:
    """Return the files of a checkout, an unpacked bundle or a release that belong to a release."""
    files = project_files(project)
    own = {path for path in files if belongs(path.relative_to(project).as_posix())}
    return sorted(own | {*project.glob("setup/wheels/*.whl")})


def belongs(name: str) -> bool:
    """Return whether a hall's machine needs a file of the project, given by its path."""
    return name.partition("/")[0] in PARTS


def name_of(folder: Path, files: Iterable[Path]) -> str:
    """Return a release's name: its version, and a digest of its files that tells builds apart."""
    return f"{version_in(folder)}-{hashlib.sha256(sums(folder, files).encode()).hexdigest()[:8]}"


def copy_file(source: Path, target: Path) -> None:
    """Copy a file of a release, for everybody to read, and to run where it is a program."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


class Releases:
    """The releases of a machine."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.home = system.at(HOME)
        self.folder = self.home / "releases"

    def linked(self, link: str) -> str | None:
        """Return the release that a link names; None if there is no such link."""
        path = self.home / link
        return Path(os.readlink(path)).name if path.is_symlink() else None

    def names(self) -> list[str]:
        """Return the releases that are there, also unfinished ones."""
        return sorted(path.name for path in self.folder.glob("[!.]*") if path.is_dir())

    def place(self, source: Path) -> str:
        """Copy a program beside the other releases, unless it is there already; return its name.

        Raises:
            Unreadable: it is not the station's program.
            StoreError: it cannot be written, or the release that is there was altered.
        """
        files = own_files(source)
        name = name_of(source, files)
        target = self.folder / name
        if target.is_dir():
            try:
                check_sums(target)
            except Damaged:
                if source.samefile(target) or name in self._named():
                    raise
                # An incomplete release, whose removal was interrupted. Nobody runs it.
                shutil.rmtree(target)
            else:
                return name
        draft = self.folder / f".{name}{UNFINISHED}"
        disk = self.system.disk
        with writing(target):
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(parents=True)
            for path in files:
                copy_file(path, draft / path.relative_to(source))
            (draft / SUMS).write_text(sums(source, files), encoding="utf-8")
            check_sums(draft)
            self.system.sync_all()  # the files before the name under which they count
            disk.replace(draft, target)
            disk.sync_folder(self.folder)
        return name

    def prepare(self, name: str) -> None:
        """Give a release its libraries and its command; complete an interrupted one.

        It also sees the system's own Python packages, whatever the settings are now: the settings
        may name other devices tomorrow.

        Raises:
            CommandFailed: with the words of set-up.
        """
        folder = f"{HOME}/releases/{name}"
        venv = f"{folder}/.venv"
        surroundings = (f"LOTO_VENV={venv}", "LOTO_DEBIAN=1")
        # `core` needs the most libraries; with --version it ends before it starts anything.
        prepare = ("/usr/bin/python3", "-B", f"{folder}/setup/prepare.py", "--version", "core")
        self.system.command("env", *surroundings, *prepare)
        # The users who run it may not write there: each start would compile it anew, for seconds on
        # a small Pi. pip has compiled the libraries.
        compiled = (f"{folder}/station", f"{folder}/drivers")
        self.system.command(f"{venv}/bin/python", "-m", "compileall", "-q", *compiled)
        launcher = self.system.at(f"{venv}/bin/loto")
        with writing(launcher):
            launcher.parent.mkdir(parents=True, exist_ok=True)
            launcher.write_text(LAUNCHER.format(folder=folder), encoding="utf-8")
            launcher.chmod(0o755)
        self.system.sync_all()

    def switch(self, name: str) -> None:
        """Make a release the running one without a trial; the one before becomes the way back."""
        if (before := self.linked(CURRENT)) is not None:
            self._link(PREVIOUS, before)
        self._link(CURRENT, name)

    def begin_trial(self, name: str) -> None:
        """Make a release the running one on trial; the one before it is kept to go back to."""
        if (current := self.linked(CURRENT)) is None:
            what = tr("there is no release to go back to: install this one (loto install)")
            raise StoreError(f"{self.home / CURRENT}: {what}")
        self._link(BACK, current)
        self._link(CURRENT, name)

    def end_trial(self) -> bool:
        """Undo a trial that was cut off, as nobody knows how it went; return whether one was."""
        cut_off = (self.home / BACK).is_symlink()
        if cut_off:
            self.undo()
        return cut_off

    def confirm(self) -> None:
        """Keep the release on trial; the one before it becomes the way back."""
        self._rename(BACK, PREVIOUS)

    def undo(self) -> None:
        """Drop the release on trial; the one before it runs again."""
        self._rename(BACK, CURRENT)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock on the releases, so that nobody else changes them, till its process ends.

        Raises:
            Refused: somebody else changes them now.
        """
        with writing(self.folder):
            try:
                lock = self.system.disk.lock(self.folder)
            except BlockingIOError as error:
                what = tr("another update is under way: wait for its end, then type the same again")
                raise NotPossibleNow(f"{self.folder}: {what}") from error
        try:
            yield
        finally:
            self.system.disk.close(lock)

    def prune(self) -> list[str]:
        """Remove the releases that no link names, and unfinished ones; return their names."""
        named = self._named()
        old = [path for path in sorted(self.folder.glob("*")) if path.name not in named]
        for path in old:
            shutil.rmtree(path)
        return [path.name for path in old]

    def remove(self) -> None:
        """Remove all releases and links, but nothing else that somebody put there."""
        for link in (CURRENT, PREVIOUS, BACK):
            for path in (self.home / link, self.home / f".{link}.new"):
                if path.is_symlink():
                    path.unlink()
        if self.folder.is_dir():
            shutil.rmtree(self.folder)

    def _named(self) -> set[str | None]:
        """Return the releases that a link names."""
        return {self.linked(link) for link in (CURRENT, PREVIOUS, BACK)}

    def _link(self, link: str, name: str) -> None:
        self.system.link(self.home / link, f"releases/{name}")

    def _rename(self, link: str, to: str) -> None:
        with writing(self.home / to):
            self.system.disk.replace(self.home / link, self.home / to)
            self.system.disk.sync_folder(self.home)
