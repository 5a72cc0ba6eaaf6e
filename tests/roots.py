"""Machines for tests: bare Debian roots, made once by debootstrap and kept outside the checkout;
and containers that boot this machine's own system under an overlay in memory, with the station as
services."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

PROJECT = Path(__file__).parents[1]
SUITE = "bookworm"
# A container that gives no further answer for so long hangs. How long it takes altogether is up to
# the machine beneath it.
SILENT_S = 600
# With this process all that is in it ends, whatever happens.
SPACES = ("--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loto-station"


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Let one test process make what all of them use."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def bare_debian(folder: Path, packages: Sequence[str]) -> None:
    """Make a Debian with these packages and what they cannot do without."""
    subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", SUITE, folder],
        check=True,
    )


def booted(script: Sequence[str | Path], answers: Path, silent_s: float = SILENT_S) -> str:
    """What a container prints that a shell script boots in spaces of its own, once it has ended.

    Args:
        script: what the shell is given behind `-ec`.
        answers: the folder that the container writes to, a file an answer; while there come more,
            it is waited for.
        silent_s: seconds without a further one after which it is ended.
    """
    command = ["unshare", *SPACES, "/bin/sh", "-ec", *script]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        seen: set[str] | None = None
        said: list[str] = []
        reading = threading.Thread(target=lambda: said.extend(process.stdout or ()))
        reading.start()
        while process.poll() is None:
            try:
                process.wait(silent_s)
            except subprocess.TimeoutExpired:
                now = {path.name for path in answers.iterdir()}
                if now == seen:
                    process.kill()
                seen = now
        reading.join()
    return "".join(said)


# A home folder is out of a service's sight, so the interpreter is shown at /opt/python, wherever it
# lies here.
PYTHON = f"/opt/python/bin/python{sysconfig.get_python_version()}"
LAUNCHER = f"""#!/bin/sh
export LD_LIBRARY_PATH=/opt/python/lib PYTHONPATH=/opt/loto-station:/opt/loto-station/site
exec {PYTHON} -m station "$@"
"""

# Boots no further than to the questions. What switches it off after them is the station.
TARGET = """[Unit]
Requires=basic.target
After=basic.target
Wants=questions.service
"""
SERVICE = """[Unit]
DefaultDependencies=no
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/sh /opt/loto-station/questions.sh
StandardOutput=file:/answers/log
StandardError=inherit
"""

# There is no display here; all else is as the unit has it.
NO_DISPLAY = """[Service]
Environment=SDL_VIDEODRIVER=dummy
"""

# On a busy machine 3 s may pass without a hang; that the unit has them is held by
# tests/machine/test_systemd.py.
BUSY = """[Service]
WatchdogSec=20
TimeoutAbortSec=10
TimeoutStartSec=10min
"""

# A network of its own: another station on this machine must not hold the port.
ENTER = r"""
ip link set lo up
mount -t tmpfs machine "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
exec systemd-nspawn --quiet --register=no --keep-unit --machine=loto-test --directory="$1/root" \
    --bind-ro="$2:/opt/loto-station" --bind-ro="$3:/opt/loto-station/site" \
    --bind-ro="$4:/opt/python" \
    --bind-ro="$2/units:/usr/local/lib/systemd/system" --bind="$5:/answers" \
    --boot systemd.unit=questions.target
"""


def booted_services(
    folder: Path, questions: str, more: Mapping[str, str] = MappingProxyType({})
) -> tuple[Path, str]:
    """Boot this machine's system with the station as its services; have it asked by a shell script.

    Args:
        folder: an empty one, for all of it.
        questions: the script; it is in the folder of answers, and has `loto`.
        more: files beside the program, by name: what the script starts.

    Returns:
        The folder of answers, and what the console said.
    """
    installed, answered, machine = folder / "installed", folder / "answers", folder / "root"
    for path in (installed / ".venv" / "bin", installed / "site", answered, machine):
        path.mkdir(parents=True)
    for room in ("station", "drivers", "hw", "systemd"):
        shutil.copytree(
            PROJECT / room, installed / room, ignore=shutil.ignore_patterns("__pycache__")
        )
    units = installed / "units"
    shutil.copytree(PROJECT / "systemd" / "system", units)
    (units / "questions.target").write_text(TARGET)
    (units / "questions.service").write_text(SERVICE)
    for unit, drop_in in {"loto-screen": NO_DISPLAY, "loto-core": BUSY}.items():
        (units / f"{unit}.service.d").mkdir()
        (units / f"{unit}.service.d" / "here.conf").write_text(drop_in)
    (installed / "questions.sh").write_text(questions)
    for name, text in more.items():
        (installed / name).parent.mkdir(parents=True, exist_ok=True)
        (installed / name).write_text(text)
    (installed / "current").symlink_to(".")
    launcher = installed / ".venv" / "bin" / "loto"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    libraries = sysconfig.get_path("purelib")
    script = [ENTER, "sh", machine, installed, libraries, sys.base_prefix, answered]
    return answered, booted(script, answered)
