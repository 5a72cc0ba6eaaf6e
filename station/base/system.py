"""Reach a machine's files below one root, and its commands: all that installing needs of it.

system = System()                               # this machine
system = System(Path("/mnt/card"), here=False)  # another one's card: its commands run inside it
"""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from station.base.disk import Disk, keep_folder
from station.base.errors import EXIT_DEVICE, EXIT_NO, LotoError, StoreError
from station.base.tongue import tr

log = logging.getLogger(__name__)

Run: TypeAlias = Callable[[Sequence[str]], str]


class NotPossibleNow(LotoError):
    """Not possible now; the message says what is in the way."""

    exit_code = EXIT_NO


class CommandFailed(LotoError):
    """A command of the system is not there, or ended with an error; the message has its words."""

    exit_code = EXIT_DEVICE


def run_command(words: Sequence[str]) -> str:
    """Run a command of the system; return what it printed.

    Raises:
        CommandFailed: it is not there, or its exit code is not 0.
    """
    try:
        pipe, null, both = subprocess.PIPE, subprocess.DEVNULL, subprocess.STDOUT
        done = subprocess.run(
            words, stdin=null, stdout=pipe, stderr=both, text=True, errors="replace", check=False
        )
    except OSError as error:
        what = tr("cannot be run on this machine ({why})", why=error.strerror)
        raise CommandFailed(f"`{words[0]}` {what}") from error
    if done.returncode:
        what = tr(
            "failed ({code}):\n{said}",
            code=done.returncode,
            said=done.stdout.strip(),
        )
        raise CommandFailed(f"`{' '.join(words)}` {what}")
    return done.stdout


@dataclass(frozen=True)
class System:
    """A machine to install on.

    Attributes:
        root: where its files are seen from here.
        here: whether it is this machine: only here there are services to start.
        run: runs a command on this machine; a test's run remembers it.
        disk: makes the changes of files that a power cut may interrupt.
        sync_all: returns when everything that was written is on the medium.
    """

    root: Path = Path("/")
    here: bool = True
    run: Run = run_command
    disk: Disk = field(default_factory=Disk)
    sync_all: Callable[[], None] = os.sync

    def at(self, path: str) -> Path:
        """Return where an absolute path of that machine is seen from here."""
        return self.root / path.lstrip("/")

    def command(self, *words: str) -> str:
        """Run a command on that machine; in its root if that is another machine's.

        Raises:
            CommandFailed: it is not there, or failed.
        """
        return self.run(words if self.here else ("chroot", str(self.root), *words))

    @property
    def runs(self) -> bool:
        """Return whether it runs, with services (sd_booted(3)); a card or an image does not."""
        return self.here and self.at("/run/systemd/system").is_dir()

    def tell(self, *words: str) -> None:
        """Run a command on the running system; do nothing if it does not run.

        Raises:
            CommandFailed: it is not there, or failed.
        """
        if self.runs:
            self.run(words)

    def link(self, path: Path, target: str) -> None:
        """Make a symbolic link durably and in one step, in place of what had that name.

        Raises:
            StoreError: it cannot be made.
        """
        draft = path.with_name(f".{path.name}.new")
        with writing(path):
            keep_folder(path.parent, self.disk)
            self.disk.remove(draft)
            draft.symlink_to(target)
            self.disk.replace(draft, path)
            self.disk.sync_folder(path.parent)


@contextmanager
def writing(path: Path, *, inside: bool = False) -> Iterator[None]:
    """Say what to do if a file of the system cannot be changed.

    Args:
        inside: `path` is a folder; named is what in it could not be changed.

    Raises:
        StoreError: it cannot; one that has its sentence already stays as it is.
    """
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        full = tr("is the disk full or read-only? (mount -o remount,rw /)")
        advice = tr("put sudo before the command") if os.geteuid() else full
        place = (inside and error.filename) or path
        raise StoreError(
            tr(
                "{place}: cannot be written ({why}): {advice}",
                place=place,
                why=error.strerror,
                advice=advice,
            )
        ) from error
