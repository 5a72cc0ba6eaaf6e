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
and commands that only look, never ask for them. With `LOTO_DEBIAN=1` every command sees them: an
installed release is prepared that way, because its settings may change at any time. To show them
is one word in the environment. The environment is made again only if it uses another Python than
Debian's, with the tests' libraries if it had them.

A command that runs in an environment holds a shared lock on its folder; set-up takes the lock alone
before it changes a library, and refuses while a command runs. An environment that is made again
first moves aside, and comes back if the new one is not completed.
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
from contextlib import contextmanager, suppress
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
    if environ.get("LOTO_DEBIAN") == "1":
        return Need(lock, debian=True)
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


MOST_SETTINGS = 1 << 19  # characters that are read, as the station does


def profile_in(settings: Path) -> str:
    """Return the profile that a settings file names; empty if it cannot be read: the station itself
    says what is wrong."""
    try:
        if not settings.is_file():  # a pipe would be waited for
            return ""
        with settings.open(encoding="utf-8") as file:
            named = tomllib.loads(file.read(MOST_SETTINGS)).get("profile")
    except (OSError, ValueError, RecursionError):
        return ""
    return named if isinstance(named, str) else ""


def digest(lock: Path) -> str:
    """Return the SHA-256 of a lock file."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def debian_python() -> Path | None:
    """Return Debian's own Python; None if it cannot run the station."""
    debian = DEBIAN_PYTHON.resolve()
    version = re.fullmatch(r"python3\.(\d+)", debian.name)
    return debian if version and int(version[1]) >= 11 else None


def python_for(need: Need) -> Path:
    """Return the Python to build on: Debian's own if its packages are needed, else the running
    one."""
    return (need.debian and debian_python()) or Path(sys.executable).resolve()


class Stamp(NamedTuple):
    """What is recorded in an environment: whose it is, on which Python, and the digests of the lock
    files it holds."""

    project: str = ""
    python: str = ""
    locks: tuple[str, ...] = ()


def read_stamp(venv: Path) -> Stamp:
    """Return the stamp of an environment; an empty one if it is not whole."""
    try:
        if not (stamp := venv / STAMP).is_file():
            return Stamp()
        with stamp.open(encoding="utf-8") as file:
            found = json.loads(file.read(MOST_SETTINGS))
        return Stamp(str(found["project"]), str(found["python"]), tuple(found["locks"]))
    except (OSError, RecursionError, ValueError, TypeError, KeyError):
        return Stamp()


def is_built(venv: Path, need: Need) -> bool:
    """Return whether there is a finished environment of this checkout, whatever it holds, on an
    unchanged Python."""
    stamp, python = read_stamp(venv), (venv / "bin" / "python").resolve()
    right = not need.debian or debian_python() in {None, python}
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


@contextmanager
def unused(venv: Path) -> Iterator[None]:
    """Keep commands from starting in the environment while its libraries change.

    Raises:
        SetupError: a command is running in it.
    """
    if not venv.is_dir():
        yield
        return
    folder = os.open(venv, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            running = ", ".join(users_of(folder)) or "another command"
            raise SetupError(
                f"This command needs other libraries, or another Python, than {venv} has, and"
                f" {running} is running in it.\nStop that first, then type the same again; or give"
                " this command libraries of its own: LOTO_VENV=FOLDER before it."
            ) from None
        yield
    finally:
        os.close(folder)


def users_of(folder: int) -> list[str]:
    """Return the commands that hold a lock on an open folder, as `loto run (1234)`."""
    number, found = str(os.fstat(folder).st_ino), []
    for line in Path("/proc/locks").read_text().splitlines():
        words = line.split()
        if "FLOCK" in words and words[-3].rpartition(":")[2] == number:
            with suppress(OSError):
                typed = Path("/proc", words[-4], "cmdline").read_text().split("\0")
                after = typed[typed.index("station") + 1 :] if "station" in typed else []
                found.append(" ".join(["loto", *after[:1]]) + f" ({words[-4]})")
    return found


def enter(venv: Path) -> int:
    """Hold the shared lock of a command that runs in the environment; return its descriptor, which
    outlives the change to the environment's Python."""
    folder = os.open(venv, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_SH)
    os.set_inheritable(folder, True)
    return folder


def aside_of(venv: Path) -> Path:
    """Return where an environment waits while another is made in its place."""
    return venv.with_name(f"{venv.name}-before")


@contextmanager
def replaced(venv: Path) -> Iterator[None]:
    """Put an environment aside while another is made in its place; put it back if that fails."""
    aside, old = aside_of(venv), read_stamp(venv)
    useful = old.project == str(PROJECT) and old.locks and Path(old.python).exists()
    if useful and not venv.is_symlink():
        venv.rename(aside)
    try:
        yield
    except BaseException:
        recover(venv)
        raise
    recover(venv)


def recover(venv: Path) -> None:
    """Put back an environment that was put aside, unless the one in its place is complete."""
    aside = aside_of(venv)
    if not aside.is_dir():
        return
    if not read_stamp(venv).locks:
        if venv.is_dir():
            shutil.rmtree(venv)
        aside.rename(venv)
    else:
        shutil.rmtree(aside)


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
    # The tests' lock only adds to the other: what is there stays whole whatever happens.
    if built and digest(RUN_LOCK) in old.locks:
        fill(venv, need, old)
    elif built:
        with unused(venv):
            write_stamp(venv, [])
            fill(venv, need, old)
    else:
        with unused(venv), replaced(venv):
            step(1, f"making the folder {venv}")
            clear(venv)
            run([str(python_for(need)), "-m", "venv", "--without-pip", str(venv)])
            (site,) = (venv / "lib").glob("python3.*/site-packages")
            (site / "loto-station.pth").write_text(f"{PROJECT}\n")
            fill(venv, need)
    if need.debian:
        advise(python)


def fill(venv: Path, need: Need, before: Stamp | None = None) -> None:
    """Install the libraries into an environment, and record them.

    Args:
        before: what a complete environment held until now.

    Raises:
        SetupError: no network, or libraries that do not fit.
    """
    python = venv / "bin" / "python"
    seen = need.debian or (before is not None and sees_debian(venv))
    if before is not None:
        step(1, f"the folder {venv} is there already")
    # pip must not take a Debian package for one of ours.
    show_debian(venv, False)
    try:
        install(python, need.lock)
    except SetupError:
        # pip fetches all before it changes anything: without a network the old environment is as
        # good as before.
        if before is not None:
            show_debian(venv, seen)
            write_stamp(venv, before.locks)
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
        for _ in range(2):  # another start may change it before its lock is taken
            if not is_ready(venv, need) or aside_of(venv).is_dir():
                insist(arguments, os.environ)
                with alone(venv):
                    recover(venv)
                    if not is_ready(venv, need):
                        make(venv, need)
            held = enter(venv)
            if is_ready(venv, need):
                break
            os.close(held)
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
