"""Types the commands with forged archives as root, on this machine under an overlay; run in a mount
namespace of its own.

What the machine's files are is never touched: every change would land in the overlay's upper layer,
and that is listed after each command, whole. Each command runs in a child that has the overlay as
its root.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import stat
import subprocess
import sys
from functools import cache
from pathlib import Path

import typer.main

from station.commands import app as cli
from station.commands.tongue import every
from station.machine import backup, delivery, install, signing, sticks, update
from station.machine.releases import HOME
from station.record import audit, nights
from tests.attack import forging
from tests.attack.forging import Forged

# Loaded before the child changes its root: from there on nothing is imported from a file.
LOADED = (audit, backup, delivery, install, nights, sticks, update)
STATE, ETC = "srv/hall", "etc/loto-station"


def listing(upper: Path) -> dict[str, str]:
    """All that differs from the machine below: each path with its kind, mode, owner and digest."""
    found = {}
    for path in sorted(upper.rglob("*")):
        told = path.lstat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(told.st_mode) else ""
        link = os.readlink(path) if path.is_symlink() else ""
        found[f"/{path.relative_to(upper)}"] = (
            f"{told.st_mode:o} {told.st_uid}:{told.st_gid} {digest} {link}"
        )
    return found


def typed(root: Path, words: list[str]) -> tuple[int, str]:
    """Types a command on that machine as root, with nobody to answer; gives the exit code and what
    was said."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(write, 1)
        os.dup2(write, 2)
        os.close(read)
        os.chroot(root)
        os.chdir("/")
        sys.argv = ["loto", *words]
        code = 99
        try:
            cli.main()
        except SystemExit as ended:
            code = int(str(ended.code or 0))
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    os.close(write)
    with os.fdopen(read, encoding="utf-8", errors="replace") as said:
        text = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def main(machine: Path, answers: Path) -> None:
    """Makes the machine, types everything, writes down what came of it."""
    # One tree of commands for all children, with the module of each loaded: that takes longer than
    # to refuse an archive.
    typer.main.get_command = cache(typer.main.get_command)
    list(every(typer.main.get_command(cli.app)))
    gc.freeze()
    subprocess.run(["mount", "-t", "tmpfs", "machine", machine], check=True)
    upper, root, stick = machine / "upper", machine / "root", machine / "root" / "mnt"
    for folder in (upper, machine / "work", root):
        folder.mkdir()
    layers = f"lowerdir=/,upperdir={upper},workdir={machine / 'work'}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, root], check=True)
    stick.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "stick", stick], check=True)
    release = root / HOME.lstrip("/") / "releases" / "1.0.0-00000000"
    (release / "station").mkdir(parents=True)
    (release / "station" / "__init__.py").write_text('__version__ = "1.0.0"\n')
    (root / HOME.lstrip("/") / "current").symlink_to(f"releases/{release.name}")
    (root / "run" / "systemd" / "system").mkdir(parents=True, exist_ok=True)  # a machine that runs
    for folder in (STATE, ETC, Path(forging.VICTIM).parent):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / STATE / "tags.toml").write_text("# as it was\n")
    (root / forging.VICTIM).write_text("as it was\n")
    kept = root / signing.KEPT.lstrip("/")

    def come_of(case: Forged, *words: str) -> dict[str, object]:
        (stick / "archive").write_bytes(case.make())
        if case.known:
            kept.write_text(signing.public_key(forging.BUILDER))
        else:
            kept.unlink(missing_ok=True)
        before = listing(upper)
        code, said = typed(root, [*words, *case.words])
        after = listing(upper)
        changed = sorted({path for path, _ in before.items() ^ after.items()})
        as_told = code == case.code and case.said in said and "Traceback" not in said
        return {
            "name": case.name,
            "code": code,
            "said": said[-1500:],
            "changed": changed,
            "as_told": as_told,
        }

    refused = [
        *(come_of(case, "backup", "--check", "/mnt/archive") for case in forging.of_backups()),
        *(
            come_of(
                case, *("backup", "--restore", "/mnt/archive", "--state", f"/{STATE}", "--force")
            )
            for case in forging.of_backups()
        ),
        *(come_of(case, "update", "/mnt/archive") for case in forging.of_releases()),
    ]
    good = Forged("honest", lambda: forging.backup(forging.GOOD), "restored", 0)
    honest = [
        come_of(good, "backup", "--restore", "/mnt/archive", "--state", f"/{STATE}", "--force")
    ]
    answers.write_text(json.dumps({"refused": refused, "honest": honest}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
