"""No program of the station's own user reads the secrets of the draw, nor the token of `loto run`.

Each place in the code that starts a process is in one table, with what it holds; a new place is
missing there, and fails. Those that hold a secret run for real, and another process of the same
user tries to read them: files, memory, environment, debugging.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
USER = 1500  # of nobody else; where the tests run as root
SPY = Path(__file__).with_name("spying.py")

# How processes are started, and what each such place starts.
STARTING = {
    *("run", "Popen", "call", "check_call", "check_output", "create_subprocess_exec"),
    *("create_subprocess_shell", "ProcessPoolExecutor", "fork", "forkpty", "posix_spawn", "system"),
    *("execv", "execve", "execvp", "execvpe", "Process", "Pool"),
}
HIDDEN = "hides its memory before it asks for a secret"
PUBLIC = "has no secret: "
STARTED = {
    "station/core/launch.py StationProcess._keep": HIDDEN,  # core, web, screen
    "station/commands/papers.py make_apart": PUBLIC + "reads the night's folder",
    "station/machine/bundle.py build_time": PUBLIC + "asks git for a commit's time",
    "station/odds/rehearsal/cores.py on_cores": PUBLIC + "sums",
    "station/odds/fair/knobs.py drawn_findings": PUBLIC + "numbers that were drawn",
    "drivers/voice/speech.py Speech._start": PUBLIC + "clips of what is announced",
    "drivers/voice/names.py Names._make": PUBLIC + "names that are announced",
    "drivers/voice/process.py run": PUBLIC + "a text to be spoken",
    "drivers/television.py run_program": PUBLIC + "on and off",
    "station/base/system.py run_command": PUBLIC + "commands of the system",
    "station/machine/bundle.py project_files": PUBLIC + "names of files",
    "station/machine/bundle.py fetch": PUBLIC + "wheels",
}
# The commands that run for as long as the station, and those that hold a person's secret: each
# begins with one of these calls.
HIDING = {"hide_memory", "end_with_parent"}
SERVING = {
    "station/commands/processes.py": {"run", "core", "web", "screen", "_play_alone"},
    "station/commands/first_start.py": {"page"},
}


def starts() -> set[str]:
    """Every function of the program that starts a process."""
    found = set()
    for folder in ("station", "drivers"):
        for file in (PROJECT / folder).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            modules = {
                alias.asname or alias.name
                for node in ast.walk(tree)
                if isinstance(node, ast.Import)
                for alias in node.names
            }
            names = {
                alias.asname or alias.name
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom)
                and (node.module or "").split(".")[0]
                in {"subprocess", "os", "asyncio", "multiprocessing", "concurrent"}
                for alias in node.names
            }
            found |= _of(tree, str(file.relative_to(PROJECT)), "", modules, names)
    return found


def _of(node: ast.AST, file: str, inside: str, modules: set[str], names: set[str]) -> set[str]:
    found = set()
    for child in ast.iter_child_nodes(node):
        name = inside
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{child.name}".lstrip(".")
        if isinstance(child, ast.Call):
            match child.func:
                case ast.Attribute(value=ast.Name(module), attr=attribute) if (
                    module in modules & {"subprocess", "os", "asyncio", "multiprocessing"}
                    and attribute in STARTING
                    and (module, attribute) != ("asyncio", "run")
                ):
                    found.add(f"{file} {inside}")
                case ast.Name(attribute) if attribute in STARTING & names:
                    found.add(f"{file} {inside}")
        found |= _of(child, file, name, modules, names)
    return found


def test_every_process_is_in_the_table() -> None:
    """A place that starts a process and is not in it has been forgotten; one that is gone, too."""
    assert starts() == {*STARTED}


@pytest.mark.parametrize(("file", "names"), SERVING.items())
def test_every_command_that_serves_hides_its_memory(file: str, names: set[str]) -> None:
    """Before it reads settings or makes a token."""
    tree = ast.parse((PROJECT / file).read_text(encoding="utf-8"))
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        called = [
            getattr(node.func, "attr", getattr(node.func, "id", ""))
            for statement in function.body
            for node in ast.walk(statement)
            if isinstance(node, ast.Call)
        ]
        secret = {"new_token", "given_token", "Core", "serve_web", "run_screen", "serve_first_page"}
        if function.name in names:
            [hiding, *_] = [place for place, name in enumerate(called) if name in HIDING]
            assert all(place > hiding for place, name in enumerate(called) if name in secret)
        else:
            assert not secret & {*called}, function.name


class Living:
    """A station that runs as a user of its own, and what another program of that user does."""

    def __init__(self, folder: Path, lan: bool) -> None:
        self.folder = folder
        self.user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        self.user = self.user if os.geteuid() == 0 else []
        self.python = self._python()
        ours = [path for path in sys.path if path.endswith("site-packages")]
        path = os.pathsep.join([str(PROJECT), *ours])
        self.environ = {**os.environ, "HOME": str(folder), "PYTHONPATH": path}
        words = ["--state", str(folder / "state"), "--simulate", "--no-screen", "--port", "8427"]
        apart = ["unshare", "--net"] if lan else []
        self.launcher = subprocess.Popen(
            [*apart, *self.user, *self._loto("run", *words, *(["--lan"] if lan else []))],
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""
        assert self.launcher.stdout is not None
        for line in self.launcher.stdout:
            self.said += line
            if "Ctrl-C" in line:
                break

    def _python(self) -> str:
        """The Python of these tests, or another of its version where that user may not start it."""
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        for python in (sys.executable, f"/usr/bin/{version}"):
            again = "import subprocess, sys; subprocess.run([sys.executable, '-c', ''], check=True)"
            done = subprocess.run(
                [*self.user, python, "-c", again], capture_output=True, check=False, cwd="/"
            )
            if done.returncode == 0:
                return python
        pytest.skip(f"to run it, type: sudo apt-get install {version}")

    def _loto(self, *words: str) -> list[str]:
        return [self.python, "-P", "-m", "station", *words]

    def loto(self, *words: str) -> None:
        """Type a command as that user."""
        command = [*self.user, *self._loto(*words, "--state", str(self.folder / "state"))]
        subprocess.run(command, env=self.environ, check=True, capture_output=True, timeout=120)

    def spy(self, *words: str) -> subprocess.Popen[str]:
        """Start the program that reads, as the same user."""
        command = [*self.user, self.python, "-P", "-I", "-", *words]
        with SPY.open("rb") as program:
            return subprocess.Popen(
                command, stdin=program, stdout=subprocess.PIPE, text=True, cwd="/"
            )

    def processes(self) -> dict[int, str]:
        """Every process of the station, with its command line."""
        found = {self.launcher.pid: ""}
        for _ in range(3):  # of the launcher, of its parts, of their helpers
            for path in Path("/proc").glob("[0-9]*/stat"):
                try:
                    parent = int(path.read_text().rpartition(")")[2].split()[1])
                except (OSError, ValueError):
                    continue
                if parent in found:
                    found.setdefault(int(path.parent.name), "")
        for pid in found:
            with contextlib.suppress(OSError):  # it has ended since
                line = Path(f"/proc/{pid}/cmdline").read_bytes()
                found[pid] = line.replace(b"\0", b" ").decode()
        return {pid: line for pid, line in found.items() if line}

    def end(self) -> None:
        """End the station."""
        self.launcher.send_signal(signal.SIGTERM)
        self.launcher.communicate(timeout=60)


@pytest.fixture(scope="module")
def living() -> Iterator[Living]:
    """A station in the midst of a game, under a user of its own where the tests run as root."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("to run it, type: sudo apt-get install util-linux")
    folder = Path(tempfile.mkdtemp(prefix="loto-secrets-", dir="/tmp"))
    if os.geteuid() == 0:
        os.chown(folder, USER, USER)
    station = Living(folder, lan=os.geteuid() == 0)
    try:
        station.loto("open")
        station.loto("draw")
        yield station
    finally:
        station.end()
        shutil.rmtree(folder)


# What runs, by its command line, and whether it holds a secret.
KINDS = {
    "launcher": (r"station run ", True),
    "core": (r"station core ", True),
    "web": (r"station web ", True),
    "voice": (r"drivers\.voice\.worker|voice.worker| worker", False),
    "names": (r"drivers\.voice\.(names|render)", False),
    "synthesiser": (r"espeak|pico2wave|RHVoice", False),
    "paper": (r"station\.commands\.papers", False),
}


@pytest.mark.long
def test_no_program_of_the_same_user_reads_them(living: Living) -> None:
    """Neither files, memory nor environment of those that hold a secret; on no command line, nor
    in the files of the others, is one."""
    running = living.processes()
    kinds = {
        pid: [kind for kind, (words, _) in KINDS.items() if re.search(words, line)][:1]
        for pid, line in running.items()
    }
    assert all(kinds.values()), running
    assert {"launcher", "core", "web"} <= {kind for [kind] in kinds.values()}
    told, _ = living.spy(*map(str, running)).communicate(timeout=60)
    token = re.search(r"token=([\w-]+)", living.said)
    assert token or os.geteuid() != 0
    for pid, found in json.loads(told).items():
        [kind] = kinds[int(pid)]
        if KINDS[kind][1]:
            assert found == [], (kind, found)
        assert not [one for one in found if "memfd" in one], (kind, found)
        assert not token or token[1] not in running[int(pid)]


@pytest.mark.long
def test_a_part_that_starts_again_holds_nothing_that_can_be_opened(living: Living) -> None:
    """From its first moment: the bag's secrets come once its memory is hidden. The same bag goes
    on."""
    [core] = [pid for pid, line in living.processes().items() if "station core " in line]
    spy = living.spy("--child", str(living.launcher.pid))
    assert spy.stdout is not None
    assert spy.stdout.readline() == "watching\n"
    os.kill(core, signal.SIGKILL)
    links = json.loads(spy.communicate(timeout=60)[0])
    assert links
    assert not [link for link in links if "memfd" in link]
    for last in (*[False] * 29, True):  # each try takes a second, and the part needs some to start
        try:
            living.loto("draw")
            break
        except subprocess.CalledProcessError:
            assert not last
    told = (living.folder / "state/test/nights/0001/journal.jsonl").read_text()
    assert told.count('"epoch"') <= 1 or '"renew"' not in told
