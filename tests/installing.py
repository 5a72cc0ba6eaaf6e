"""A machine to install on, for tests: its files below one folder, and a system that does as it is
told, remembers, and fails."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from station.base.disk import Disk
from station.base.system import CommandFailed, System
from station.machine.bundle import PROJECT
from station.machine.install import Choices, Installation
from station.machine.releases import CURRENT, HOME, PROGRAM

USERS = "root:x:0:0:root:/root:/bin/bash\n"
GROUPS = "root:x:0:\naudio:x:29:\n"


class PowerCut(BaseException):
    """The power goes: no handler of the program runs after it."""


@dataclass
class Power:
    """Counts what is done to a machine, and fails at one of it.

    Attributes:
        left: steps until the power goes; None for never.
        steps: done so far.
    """

    left: int | None = None
    steps: int = 0

    def step(self) -> None:
        self.steps += 1
        if self.left is not None:
            if self.left == 0:
                raise PowerCut
            self.left -= 1


@dataclass
class CountedDisk(Disk):
    """A disk that draws on the power with each rename. It syncs nothing: here the power goes
    between steps, not within one."""

    power: Power

    def sync(self, descriptor: int) -> None:
        """All is on the medium."""

    def sync_folder(self, folder: Path) -> None:
        """All is on the medium."""

    def replace(self, source: Path, target: Path) -> None:
        self.power.step()
        super().replace(source, target)


@dataclass
class Machine:
    """A machine below a folder.

    Attributes:
        ran: every command, in order.
        fails: beginnings of commands that end with an error.
        running: the release whose services run, if they do.
        broken: releases that never answer.
        then: what else a command does that begins so.
        answers: what a command prints that has such words in it.
    """

    root: Path
    power: Power = field(default_factory=Power)
    ran: list[str] = field(default_factory=list)
    fails: set[str] = field(default_factory=set)
    running: str | None = None
    broken: set[str] = field(default_factory=set)
    then: dict[str, Callable[[Sequence[str]], object]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Makes it, as bare as it can be."""
        (self.root / "opt").mkdir(parents=True)
        (self.root / "run/systemd/system").mkdir(parents=True)
        for path, text in {"etc/passwd": USERS, "etc/group": GROUPS}.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    @property
    def system(self) -> System:
        """As the program sees it."""
        return System(self.root, run=self.run, disk=CountedDisk(self.power), sync_all=lambda: None)

    def run(self, words: Sequence[str]) -> str:  # noqa: C901 - a case for each
        """Does what such a command does, as far as the station depends on it."""
        line = " ".join(words)
        self.power.step()
        self.ran.append(line)
        if any(line.startswith(fault) for fault in self.fails):
            raise CommandFailed(f"`{line}` failed (1):\nno")
        for beginning, act in self.then.items():
            if line.startswith(beginning):
                act(words)
        match words:
            case ["env", *_]:
                venv = (
                    self.root
                    / next(word for word in words if word.startswith("LOTO_VENV=")).partition("=/")[
                        2
                    ]
                )
                (venv / "bin").mkdir(parents=True, exist_ok=True)
                (venv / "bin" / "python").touch()
            case ["systemd-sysusers", path]:
                self._make_users(path)
            case ["userdel", name]:
                self._without("etc/passwd", name)
                self._without("etc/group", name)
            case ["groupdel", name]:
                self._without("etc/group", name)
            case ["systemctl", "stop", *_]:
                self.running = None
            case ["systemctl", "--no-block", "start" | "restart", *_]:
                self.running = self.current
            case ["timeout", _, program, "watch", *_] if program == PROGRAM:
                if self.running is None or self.running in self.broken:
                    raise CommandFailed("no station answers")
        return next((text for words, text in self.answers.items() if words in line), "")

    @property
    def current(self) -> str:
        """The release that would start."""
        return Path(os.readlink(self.root / HOME.lstrip("/") / CURRENT)).name

    def boot(self) -> None:
        """The power comes back: what `loto-back.service` does, then the station starts."""
        self.power.left = None
        home = self.root / HOME.lstrip("/")
        if (home / "back").is_symlink():
            (home / "back").replace(home / "current")
        self.running = self.current

    def install(self, source: Path, profile: str = "simulated", **choices: bool) -> list[str]:
        """Installs a program, and gives what was said."""
        said: list[str] = []
        Installation(self.system, said.append).install(Choices(profile, **choices), source)
        return said

    def uninstall(self, *, purge: bool = False) -> None:
        """Takes it out again."""
        Installation(self.system).uninstall(purge=purge)

    def files(self) -> dict[str, str]:
        """Everything on it: each file's mode and bytes, each link's target, each folder."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if path.is_symlink():
                found[name] = f"-> {os.readlink(path)}"
            elif path.is_dir():
                found[name] = "folder"
            else:
                found[name] = f"{path.stat().st_mode & 0o777:o} {path.read_bytes()!r}"
        return found

    def _make_users(self, conf: str) -> None:
        # The link on that machine leads to its own /opt.
        link = os.readlink(self.root / conf.lstrip("/"))
        release = self.root / HOME.lstrip("/") / "releases" / self.current
        text = (release / link.partition(f"{CURRENT}/")[2]).read_text()
        for line in text.splitlines():
            kind, name, *_ = [*line.split(), "", ""]
            for table in {"u": ("etc/passwd", "etc/group"), "g": ("etc/group",)}.get(kind, ()):
                path = self.root / table
                if f"{name}:" not in path.read_text():
                    path.write_text(f"{path.read_text()}{name}:x:900:\n")

    def _without(self, table: str, name: str) -> None:
        path = self.root / table
        path.write_text(
            "".join(
                line
                for line in path.read_text().splitlines(True)
                if not line.startswith(f"{name}:")
            )
        )


def program(folder: Path, version: str = "0.1.0", more: str = "") -> Path:
    """A small program of the station: its version, its units as they are, and nothing that is slow
    to copy."""
    (folder / "station").mkdir(parents=True)
    (folder / "station" / "__init__.py").write_text(
        f'"""The table."""\n\n__version__ = "{version}"\n{more}'
    )
    (folder / "setup").mkdir()
    (folder / "setup" / "prepare.py").write_text("# sets up\n")
    (folder / "tests").mkdir()
    (folder / "tests" / "left_out.py").write_text("# not for a hall's machine\n")
    shutil.copytree(PROJECT / "systemd", folder / "systemd")
    return folder
