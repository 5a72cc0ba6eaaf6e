"""The papers can be typed: a section's commands run as one shell script, on a fresh folder.

A block of commands begins with ```sh; a second word there says how it is typed:

    sh              in the project's folder
    sh station      beside a running station: a simulated one is started for the section
    sh background   goes on until Ctrl-C: it is started, and ended with the section
    sh checkout     changes the program itself: in a whole copy of the project
    sh KIND         is not run; `NOT_RUN` says why, and how many lines there are
"""

from __future__ import annotations

import os
import pty
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import textwrap
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from station.machine.bundle import project_files
from tests.drill.rig import free_port
from tests.warm import client

PROJECT = Path(__file__).resolve().parent.parent
PAPERS = sorted(path for path in project_files(PROJECT) if path.suffix == ".md")
LIMIT_S = 300.0

# Why commands of a kind are not run here, and how many lines of it there are: no more without a
# reason.
NOT_RUN = {
    "root": ("changes the system: installs, writes settings, asks for root", 48),
    "hardware": ("wants what this machine lacks: readers, a microphone, a stick", 26),
    "network": ("fetches libraries, or asks other machines", 6),
    "minutes": ("tests, drills, benchmarks and voices: minutes to hours", 32),
    "moment": ("wants a moment that an evening comes to by itself", 33),
}
RUN = {"", "station", "background", "checkout"}


class Block(NamedTuple):
    """A block of commands: the second word of its fence, and its lines."""

    kind: str
    script: str


class Section(NamedTuple):
    """What stands below one heading of a paper."""

    paper: str
    heading: str
    blocks: tuple[Block, ...]

    @property
    def name(self) -> str:
        return f"{self.paper}: {self.heading}"

    @property
    def kinds(self) -> set[str]:
        return {block.kind for block in self.blocks}


def sections(text: str, paper: str = "") -> Iterator[Section]:
    """The sections of a paper that have blocks of commands."""
    fence = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
    # A comment of a script begins as a heading does.
    headings = re.finditer(
        r"^#+ (.+)$", fence.sub(lambda block: re.sub(".", " ", block[0]), text), re.MULTILINE
    )
    starts = [(heading.start(), heading[1]) for heading in headings]
    for (start, heading), (end, _) in zip(starts, [*starts[1:], (len(text), "")], strict=True):
        told = [
            (block[2].split(), textwrap.dedent(block[3]))
            for block in fence.finditer(text[start:end])
        ]
        blocks = tuple(
            Block(" ".join(words[1:]), script) for words, script in told if words[:1] == ["sh"]
        )
        if blocks:
            yield Section(paper, heading, blocks)


SECTIONS = [
    section
    for path in PAPERS
    for section in sections(path.read_text(encoding="utf-8"), path.relative_to(PROJECT).as_posix())
]
TYPED = [section for section in SECTIONS if section.kinds & RUN]


def commands(script: str) -> list[str]:
    """The lines of a script that do something."""
    return [
        line for line in script.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]


# -- the folder, the station, the shell ----------------------------------------------------------


@contextmanager
def running(
    words: list[str], folder: Path, environ: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    """A process; it is ended as by Ctrl-C, and must end well."""
    with subprocess.Popen(
        words,
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            try:
                said, _ = process.communicate(timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()  # else it would be waited for without a limit
                raise
    assert process.returncode in (0, -signal.SIGINT), f"{shlex.join(words)}\n{said}"


def wait_for(word: str, process: subprocess.Popen[str]) -> None:
    """Return when a process has said this."""
    limit = threading.Timer(LIMIT_S, process.kill)
    limit.start()
    said = ""
    for line in process.stdout or ():
        said += line
        if word in line:
            limit.cancel()
            return
    raise AssertionError(f"it ended, and said: {said}")


@pytest.fixture(scope="session")
def loto() -> Iterator[str]:
    """The program that stands for `loto`, and the process behind it."""
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        path = Path(folder) / "socket"
        words = [sys.executable, "-P", str(PROJECT / "tests" / "warm.py"), str(path)]
        own = {**os.environ, "LOTO_PARENT": str(os.getpid())}
        with running(words, PROJECT, own) as process:
            wait_for("loaded", process)
            yield client(path)


def put(path: Path, program: str) -> None:
    """Write a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(program, encoding="utf-8")
    path.chmod(0o755)


def make_place(place: Path, loto: str) -> dict[str, str]:
    """Make the folder in which a section is typed; return its environment.

    The project's folders lie in it as links, to copy from. What the commands make goes to `var`,
    as in a checkout.
    """
    for path in PROJECT.iterdir():
        if path.name in ("benchmarks", "docs", "drivers", "hw", "setup", "station", "tests"):
            (place / path.name).symlink_to(path)
    put(place / "loto", loto)
    return {"STATE_DIRECTORY": str(place / "var")}


def make_copy(place: Path) -> dict[str, str]:
    """Make a copy of the project, with its own `./loto` and Python; return its environment."""
    for path in project_files(PROJECT):
        copy = place / path.relative_to(PROJECT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    put(place / "loto", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m station "$@"\n')
    put(place / ".venv" / "bin" / "python", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    return {"PYTHONPATH": str(place)}


@contextmanager
def station(place: Path, environ: dict[str, str]) -> Iterator[None]:
    """A simulated station that serves; its voice hurries."""
    name = f"loto-test-{os.getpid()}-{os.urandom(4).hex()}"
    words = [f"{place}/loto", "core", "--profile", "simulated", "--fast"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(f"\0{name}")
        ear.settimeout(LIMIT_S)
        with running(words, place, {**environ, "NOTIFY_SOCKET": f"@{name}"}):
            while b"READY=1" not in ear.recv(4096):
                pass
            yield


@contextmanager
def background(line: str, place: Path, environ: dict[str, str]) -> Iterator[None]:
    """A command that goes on until Ctrl-C, once it has begun; its pages have a free port."""
    words = [f"{place}/loto", *shlex.split(line, comments=True)[1:]]
    serves = "run" in words
    words += ["--port", str(free_port()), "--no-screen"] if serves else []
    with running(words, place, environ) as process:
        wait_for("Ctrl-C ends it" if serves else "", process)
        yield


@contextmanager
def who_agrees() -> Iterator[int]:
    """A terminal at which every question is answered with yes."""
    person, terminal = pty.openpty()
    modes = termios.tcgetattr(terminal)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
    with subprocess.Popen(["yes"], stdout=person) as answers:
        try:
            yield terminal
        finally:
            answers.kill()
            os.close(terminal)
            os.close(person)


def type_in(script: str, place: Path, environ: dict[str, str]) -> None:
    """Run a script; questions are answered with yes, a command that fails ends script and test."""
    with who_agrees() as terminal:
        done = subprocess.run(
            ["sh", "-eu", "-c", script],
            cwd=place,
            env=environ,
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    assert done.returncode == 0, f"ended with code {done.returncode}:\n{script}\n{done.stdout}"


def play(section: Section, place: Path, loto: str) -> None:
    """Type a section into a fresh folder."""
    own = make_copy(place) if "checkout" in section.kinds else make_place(place, loto)
    environ = {
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "home"),
        "PATH": f"{place}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "SDL_AUDIODRIVER": "dummy",
        "SDL_VIDEODRIVER": "dummy",
        **own,
    }
    (place / "home").mkdir()
    with ExitStack() as until_the_end:
        if "station" in section.kinds:
            until_the_end.enter_context(station(place, environ))
        for begins, blocks in groupby(section.blocks, lambda block: block.kind == "background"):
            script = "".join(block.script for block in blocks if block.kind in RUN)
            if not begins:
                type_in(script, place, environ)
            for line in commands(script) if begins else ():
                until_the_end.enter_context(background(line, place, environ))


# -- the tests -----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("section", TYPED, ids=[section.name for section in TYPED])
def test_a_section_can_be_typed(section: Section, loto: str) -> None:
    """No command of it fails, from the first to the last, on a machine that has nothing yet."""
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        play(section, Path(folder), loto)


@pytest.mark.long
def test_a_command_that_fails_is_found(loto: str, tmp_path: Path) -> None:
    """The check above is one: a wrong option, in the middle of a section, fails it."""
    (section,) = sections("# Wrong\n```sh\n./loto pack show --wings\n./loto --version\n```\n")
    with pytest.raises(AssertionError, match="No such option: --wings"):
        play(section, tmp_path, loto)


def test_what_is_not_run_is_listed() -> None:
    """Each kind of block that is not run has its reason above, and as many lines as are known."""
    left = [block for section in SECTIONS for block in section.blocks if block.kind not in RUN]
    lines = Counter(dict.fromkeys(NOT_RUN, 0))
    for block in left:
        lines[block.kind] += len(commands(block.script))
    assert lines == {kind: lines for kind, (_, lines) in NOT_RUN.items()}


# What is asked about before it is done, as typed: a keyed number, and what cannot be undone.
ASKS = re.compile(r"\bloto (?:do )?(?:draw \S*[0-9$]|close\b|close-night\b|break\b)")


def answers_itself(script: str) -> list[str]:
    """Return the lines of a block whose question the next line that was pasted would answer."""
    lines = [line.split("  #")[0] for line in commands(script)]
    return [
        line
        for at, line in enumerate(lines, 1)
        if ASKS.search(line) and "--yes" not in line and (at < len(lines) or "; done" in line)
    ]


def test_a_block_that_is_pasted_does_not_answer_its_own_questions() -> None:
    """What asks stands last in its block, or says --yes; in a loop it always says it."""
    asking = [
        f"{section.name}: {line}"
        for section in SECTIONS
        for block in section.blocks
        for line in answers_itself(block.script)
    ]
    assert asking == []
    assert answers_itself("loto close\nloto draw 4\nloto draw\n") == ["loto close", "loto draw 4"]


def test_no_command_stands_outside_such_a_block() -> None:
    """A fence without `sh` holds no command of the station, so none escapes."""
    found = []
    for path in PAPERS:
        outside = re.sub(r"^( *)```sh\b.*?^\1```", "", path.read_text("utf-8"), flags=re.M | re.S)
        found += [
            f"{path.name}: {line}"
            for line in re.findall(r"^ *(?:sudo )?(?:\./)?loto .*", outside, re.M)
        ]
    assert found == []
