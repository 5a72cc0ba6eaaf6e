"""Make the checkout's private Python environment if it is not ready, then start the station in it.

The environment is a `venv` without pip (a minimal Debian has neither pip nor ensurepip); the pip
wheel kept beside this file installs the lock file into it, hashes checked, nothing compiled;
`bin/pip` there is that wheel's, for what else somebody wants. Where a bundle brought its wheels
(`setup/wheels`), no network is used. A stamp says what is installed; it is empty until all is, so
an interrupted set-up is completed by the next start, and a folder without one was made by somebody
else and is left alone.

Variables: `LOTO_VENV` puts the environment elsewhere; `LOTO_PROFILE` names the hardware profile, as
`--profile` does, and as the settings file does where neither is given. A command that opens
devices, under a hardware profile, also sees the system's own Python packages, for spidev and evdev
come from Debian only, and lgpio for Python 3.13 from Raspberry Pi OS only. The simulated profile,
and commands that only look, never ask for them. To show them is one word in the environment; it is
made anew only where it stands on another Python than Debian's, with the tests' libraries if it had
them.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
SETUP = PROJECT / "setup"
WHEELS = SETUP / "wheels"
PROFILES = PROJECT / "hw" / "profiles"
RUN_LOCK = SETUP / "requirements.lock"
TEST_LOCK = SETUP / "test.lock"
STAMP = "loto-station.json"
SETTINGS = Path("/etc/loto-station/station.toml")
DEBIAN_PYTHON = Path("/usr/bin/python3")
# MB on the disk, pip's cache included; measured, and a little more
ROOM = {RUN_LOCK.name: 350, TEST_LOCK.name: 800}
LOADS = "import numpy, PIL, pydantic, pygame, serial"
# The lock names everything: nothing is looked for beyond it, nothing unchecked, nothing that must
# be compiled.
PIP_OPTIONS = [
    "--require-hashes",
    "--no-deps",
    "--only-binary=:all:",
    "--no-input",
    "--disable-pip-version-check",
]
PIP_OPTIONS += ["--progress-bar=off", "--root-user-action=ignore"]
# What has no wheel: the module, and what to type.
FROM_SYSTEM = {
    "spidev": "sudo apt-get install python3-spidev",
    "lgpio": "sudo apt-get install python3-lgpio (Raspberry Pi OS has it; plain Debian does not)",
}
# The commands that open a hall's devices; `census` and `selftest` ask the station that runs.
HANDS = {"run", "core", "enrol"}
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

# What pip's messages mean; the first match is used.
CAUSES = {
    "No space left on device|Errno 28": (
        "The disk (or /tmp) is full: make room, then type the same again, and it is completed."
    ),
    "CERTIFICATE_VERIFY_FAILED|certificate verify failed": (
        "The server's certificate was refused. Is the clock right? `date` shows it; a Pi without"
        " network time starts in the past."
    ),
    "DO NOT MATCH THE HASHES": (
        "A library is not the one that was tested: its checksum differs, and it was not installed."
        " Try another network."
    ),
    "NewConnectionError|NameResolutionError|Max retries|Failed to connect|Failed to resolve|"
    "Network is unreachable|ProxyError|timed out|[Cc]onnection (broken|refused|reset)|"
    "IncompleteRead": (
        "There is no way to the network. Connect it and type the same again; or type `./loto"
        " bundle` on a machine that has one,\ncarry the archive here, unpack it and start from"
        " there: it needs no network."
    ),
}


class SetupError(Exception):
    """Set-up cannot go on; the message says why and what to do."""


class Need(NamedTuple):
    """What a command needs: a lock file, and whether Debian's own packages must be visible (for the
    Pi's pins)."""

    lock: Path
    debian: bool


def need_of(arguments: Sequence[str], environ: Mapping[str, str]) -> Need:
    """Return what the command with these arguments needs."""
    lock = TEST_LOCK if command_of(arguments) in {"test", "drill"} else RUN_LOCK
    if not opens_devices(arguments):
        return Need(lock, debian=False)
    profile = profile_of(arguments, environ)
    simulated = profile in {"", "simulated"} or not is_known(profile)
    return Need(lock, not simulated)


def command_of(arguments: Sequence[str]) -> str:
    """Return the command of these arguments; empty if there is none."""
    return next((word for word in arguments if not word.startswith("-")), "")


def opens_devices(arguments: Sequence[str]) -> bool:
    """Return whether the command opens the devices of a profile."""
    return command_of(arguments) in HANDS and "--simulate" not in arguments


def profile_of(arguments: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return the hardware profile that is meant; empty where nobody names one."""
    named = typed(arguments, "--profile") or environ.get("LOTO_PROFILE", "")
    return named or profile_in(Path(typed(arguments, "--config") or SETTINGS))


def is_known(profile: str) -> bool:
    """Return whether there is such a profile; where none is here, as without `hw`, any may be."""
    names = [path.stem for path in PROFILES.glob("*.toml")]
    return profile in names or not names


def insist(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Refuse a profile that there is not, before minutes go into a set-up for it.

    Raises:
        SetupError: there is none; with those that there are.
    """
    profile = profile_of(arguments, environ) if opens_devices(arguments) else ""
    if profile and not is_known(profile):
        names = ", ".join(sorted(path.stem for path in PROFILES.glob("*.toml")))
        raise SetupError(f"There is no profile {profile!r}; there are {names}.")


def typed(arguments: Sequence[str], option: str) -> str:
    """Return what was typed for an option, as `--option value` or `--option=value`; the last
    counts."""
    value = ""
    for word, after in zip(arguments, [*arguments, ""][1:], strict=True):
        if word == option:
            value = after
        elif word.startswith(f"{option}="):
            value = word.removeprefix(f"{option}=")
    return value


def profile_in(settings: Path) -> str:
    """Return the profile that a settings file names; empty if it cannot be read: the station itself
    says what is wrong."""
    try:
        named = tomllib.loads(settings.read_text(encoding="utf-8")).get("profile")
    except (OSError, ValueError, RecursionError):
        return ""
    return named if isinstance(named, str) else ""


def digest(lock: Path) -> str:
    """Return the SHA-256 of a lock file."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def python_for(need: Need) -> Path:
    """Return the Python to build on: Debian's own if its packages are needed, else the running
    one."""
    debian = DEBIAN_PYTHON.resolve()
    version = re.fullmatch(r"python3\.(\d+)", debian.name)
    if need.debian and version and int(version[1]) >= 11:
        return debian
    return Path(sys.executable).resolve()


class Stamp(NamedTuple):
    """What is recorded in an environment: whose it is, on which Python, and the digests of the lock
    files it holds."""

    project: str = ""
    python: str = ""
    locks: tuple[str, ...] = ()


def read_stamp(venv: Path) -> Stamp:
    """Return the stamp of an environment; an empty one if it is not whole."""
    try:
        found = json.loads((venv / STAMP).read_text())
        return Stamp(str(found["project"]), str(found["python"]), tuple(found["locks"]))
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError, KeyError):
        return Stamp()


def is_built(venv: Path, need: Need) -> bool:
    """Return whether there is a finished environment of this checkout, whatever it holds, on an
    unchanged Python."""
    stamp, python = read_stamp(venv), (venv / "bin" / "python").resolve()
    right = not need.debian or python == python_for(need)
    return (
        bool(stamp.locks)
        and stamp.project == str(PROJECT)
        and stamp.python == str(python)
        and python.exists()
        and right
    )


def is_ready(venv: Path, need: Need) -> bool:
    """Return whether nothing needs to be done."""
    holds = digest(need.lock) in read_stamp(venv).locks
    return holds and is_built(venv, need) and (not need.debian or sees_debian(venv))


def write_stamp(venv: Path, locks: Sequence[str]) -> None:
    """Record durably that the environment holds everything of the lock files with these digests."""
    python = (venv / "bin" / "python").resolve()
    if locks:
        # Everything must be on the disk before the stamp is: a Pi may lose its power at any time.
        os.sync()
    write_whole(venv / STAMP, json.dumps(Stamp(str(PROJECT), str(python), tuple(locks))._asdict()))


def write_whole(path: Path, text: str) -> None:
    """Write a file so that after a power cut it is the old one or the new one."""
    new = path.with_name(f"{path.name}.new")
    with new.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def sees_debian(venv: Path) -> bool:
    """Return whether the environment sees the packages of the Python it was made from (PEP 405)."""
    return "include-system-site-packages = true" in (venv / "pyvenv.cfg").read_text()


def show_debian(venv: Path, visible: bool) -> None:
    """Let the environment see Debian's packages, or not."""
    settings = venv / "pyvenv.cfg"
    said = f"include-system-site-packages = {str(visible).lower()}"
    write_whole(settings, re.sub("include-system-site-packages = .*", said, settings.read_text()))


def place(need: Need, environ: Mapping[str, str]) -> Path:
    """Return where the environment is, or is to be made.

    Raises:
        SetupError: no place can be written to.
    """
    if chosen := environ.get("LOTO_VENV"):
        return Path(chosen).expanduser().absolute()
    data = environ.get("XDG_DATA_HOME") or Path(environ.get("HOME") or "/") / ".local" / "share"
    ours, own = PROJECT / ".venv", Path(data) / "loto-station" / "venv"
    for venv in (ours, own):
        if is_ready(venv, need):
            return venv
    if writable(ours):
        return ours
    if writable(own):
        say(f"{PROJECT} cannot be written to: the libraries go to {own} instead.")
        return own
    raise SetupError(
        f"Neither {ours} nor {own} can be written to: set LOTO_VENV to a folder that can be."
    )


def writable(venv: Path) -> bool:
    """Return whether an environment can be made there."""
    there = next(folder for folder in (venv, *venv.parents) if folder.exists())
    return os.access(there, os.W_OK | os.X_OK) and there.is_dir()


@contextmanager
def alone(venv: Path) -> Iterator[None]:
    """Hold other starts back while the environment is being made."""
    venv.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(venv.parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is setting up: waiting for it.")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def say(words: str) -> None:
    """Tell the person, apart from what the command itself prints."""
    print(words, file=sys.stderr, flush=True)


def step(number: int, words: str) -> None:
    """Say what is being done, of three steps."""
    say(f"Setting up, once: {number} of 3: {words}")


def make(venv: Path, need: Need) -> None:
    """Make the environment, or complete it.

    Raises:
        SetupError: no room, no network, or libraries that do not fit.
    """
    python, old = venv / "bin" / "python", read_stamp(venv)
    built = is_built(venv, need)
    if built and digest(need.lock) in old.locks:
        # Everything is there; only the system's packages must be made visible.
        show_debian(venv, True)
        advise(python)
        return
    if not built and len(old.locks) > 1:
        # It had the tests' libraries: keep them.
        need = need._replace(lock=TEST_LOCK)
    room, wanted = shutil.disk_usage(venv.parent).free // 1_000_000, ROOM[need.lock.name]
    if room < wanted:
        raise SetupError(
            f"{venv.parent} has {room} MB of room, set-up needs {wanted} MB: make room, then type"
            " the same again."
        )
    seen = need.debian or (built and sees_debian(venv))
    if built:
        step(1, f"the folder {venv} is there already")
        # The tests' lock only adds to the other: what is there stays whole whatever happens.
        if digest(RUN_LOCK) not in old.locks:
            write_stamp(venv, [])
    else:
        step(1, f"making the folder {venv}")
        clear(venv)
        run([str(python_for(need)), "-m", "venv", "--without-pip", str(venv)])
        (site,) = (venv / "lib").glob("python3.*/site-packages")
        (site / "loto-station.pth").write_text(f"{PROJECT}\n")
    # pip must not take a Debian package for one of ours.
    show_debian(venv, False)
    try:
        install(python, need.lock)
    except SetupError:
        # pip fetches all before it changes anything: without a network the old environment is as
        # good as before.
        if built:
            show_debian(venv, seen)
            write_stamp(venv, old.locks)
        raise
    write_whole(
        venv / "bin" / "pip",
        f'#!/bin/sh\nfor pip in "{SETUP}"/pip-*.whl; do exec "{python}" "$pip/pip" "$@"; done\n',
    )
    (venv / "bin" / "pip").chmod(0o755)
    step(3, "checking that they load")
    run([str(python), "-c", LOADS])
    show_debian(venv, seen)
    write_stamp(
        venv,
        [digest(RUN_LOCK), digest(TEST_LOCK)] if need.lock == TEST_LOCK else [digest(need.lock)],
    )
    if need.debian:
        advise(python)


def clear(venv: Path) -> None:
    """Empty the folder of an older or unfinished environment, and mark it as ours.

    Raises:
        SetupError: there is something in it that was not made here.
    """
    venv.mkdir(exist_ok=True)
    there = list(venv.iterdir())
    # a link may lead to another checkout's
    if there and (venv.is_symlink() or not (venv / STAMP).exists()):
        raise SetupError(
            f"{venv} was not made by loto-station, so it is left alone: move it away, or set"
            " LOTO_VENV to another folder."
        )
    write_stamp(venv, [])
    for path in there:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != STAMP:
            path.unlink()


def install(python: Path, lock: Path) -> None:
    """Install every library of a lock file with the pip kept in the project.

    Raises:
        SetupError: with its cause in plain words.
    """
    count = sum("==" in line for line in lock.read_text().splitlines())
    bundled = WHEELS.is_dir()
    step(
        2,
        f"installing {count} libraries"
        f" {'of the bundle' if bundled else 'from the network (a minute or two)'}",
    )
    (pip,) = SETUP.glob("pip-*.whl")
    command = [str(python), str(pip / "pip"), "install", *PIP_OPTIONS, "--requirement", str(lock)]
    command += ["--no-index", "--find-links", str(WHEELS)] if bundled else ["--retries", "3"]
    said: list[str] = []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PIP_USER": "0"},
    ) as process:
        for line in process.stdout or ():
            said.append(line)
            show_progress(
                sum(one.startswith(("Collecting ", "Requirement already")) for one in said), count
            )
    if process.returncode:
        raise SetupError(cause("".join(said), bundled))


def show_progress(done: int, count: int) -> None:
    """Redraw the line that counts the libraries, where a person watches."""
    if sys.stderr.isatty():
        print(
            f"\r  {done} of {count} ",
            end="\n" if done == count else "",
            file=sys.stderr,
            flush=True,
        )


def cause(said: str, bundled: bool) -> str:
    """Return why pip failed, in plain words; else pip's last lines."""
    for pattern, meaning in CAUSES.items():
        if re.search(pattern, said):
            return meaning
    tail = "\n".join(said.strip().splitlines()[-8:])
    if "No matching distribution" in said:
        version = ".".join(map(str, sys.version_info[:2]))
        origin = "The bundle was made for another machine" if bundled else "A library is not there"
        return (
            f"{origin}: nothing fits Python {version} on {os.uname().sysname}"
            f" {os.uname().machine}.\n{tail}"
        )
    return f"The libraries could not be installed. pip says:\n{tail}"


def run(command: Sequence[str]) -> None:
    """Run a command of the set-up in silence.

    Raises:
        SetupError: it failed; with what it said.
    """
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise SetupError(f"`{' '.join(command)}` failed:\n{done.stdout.strip()}")


def advise(python: Path) -> None:
    """Name the system's packages that the Pi's pins need and that are not there, each with the line
    to type."""
    look = (
        f"from importlib.util import find_spec; print(*[n for n in {list(FROM_SYSTEM)} if"
        " find_spec(n) is None])"
    )
    missing = subprocess.run(
        [str(python), "-c", look], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()
    for name in missing:
        say(f"The Pi's pins need {name}. Type once: {FROM_SYSTEM[name]}")


def main(arguments: Sequence[str]) -> int:
    """Prepare and become the station; return only on failure, with the exit code."""
    need = need_of(arguments, os.environ)
    try:
        venv = place(need, os.environ)
        if not is_ready(venv, need):
            insist(arguments, os.environ)
            with alone(venv):
                if not is_ready(venv, need):
                    make(venv, need)
    except SetupError as error:
        say(f"\n{error}")
        return EXIT_USAGE
    except KeyboardInterrupt:
        say("\nSet-up was interrupted: the next start completes it.")
        return EXIT_INTERRUPTED
    except OSError as error:
        say(f"\nSet-up stopped: {error}. Put that right and type the same again.")
        return EXIT_USAGE
    python = str(venv / "bin" / "python")
    # -P: a folder named `station` where the user happens to be is not ours.
    return os.execv(python, [python, "-P", "-m", "station", *arguments])


if __name__ == "__main__":
    # How an installed release is set up: it has no `loto` script beside it.
    sys.exit(main(sys.argv[1:]))
