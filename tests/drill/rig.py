"""The rig of the real drills: a station in a folder of its own, found and killed from outside, and
an ear at its loudspeaker.

Nothing in the station knows of it: what is under test is the program that ships, with real
processes and real signals.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from station.base.errors import WireError
from station.core.launch import PARENT
from station.record.halves import half
from station.wire.wire import SOCKET, Client
from tests.drill.course import Broken

START_LIMIT_S = 120.0
LEAST_PORT, PORTS = 20_000, 12_000
LOOK_S = 0.02
# So many bytes of silence end what was said: 0.3 s of 16-bit stereo at 44,100 Hz. They are counted
# and not timed, for a busy machine makes gaps of its own.
SILENCE = 44_100 * 4 * 3 // 10
QUIET_S = 10.0  # a voice that writes nothing for so long has ended

# One `hurry` for the kills: an announcement is begun and over at once, so that a round is full of
# calls.
HURRY = '[devices.speech]\nhurry = true\naudio = { SDL_AUDIODRIVER = "dummy" }\n'
# The samples go into a pipe at the pace of a loudspeaker: 512 of them are 23 ms.
LOUD = {"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIODELAY": "23"}
# Python reads a file of this name at its start: the station under test is the one that ships, with
# a way to make it spin, and one to leave it hardly any memory.
SPIN_FILE = "sitecustomize.py"
SPIN = """import signal
def spin(*_):
    while True:
        pass
hoard = []
def starve(*_):
    import os, resource
    most = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    size = 1 << 20
    while size >= 64:
        try:
            hoard.append(bytearray(size))
        except MemoryError:
            size //= 2
    del hoard[-int(os.environ["LOTO_LEFT"]):]
signal.signal(signal.SIGUSR1, spin)
signal.signal(signal.SIGUSR2, starve)
"""


class DrillFailed(Broken):
    """The station broke a promise; the message says which, in which round, and where its folder is
    kept."""


class Rig:
    """A station in a folder: started, found, killed.

    Args:
        speech: the settings of its voice.
        whole: all of `loto run`; else the core alone.
        state: its state folder; one in `folder` by default.

    Attributes:
        environ: what every process of it is started with.
        port: of its pages, while the whole of it runs.
    """

    def __init__(
        self, folder: Path, speech: str, *, whole: bool, state: Path | None = None
    ) -> None:
        self.state = state or folder / "state"
        self.half = half(self.state, test=True)  # where its nights stand
        self._whole = whole
        self._config = folder / "station.toml"
        self._config.write_text(speech)
        (folder / SPIN_FILE).write_text(SPIN)
        search = os.pathsep.join([str(folder), str(Path(__file__).parents[2])])
        self.environ = {**os.environ, "PYTHONPATH": search, PARENT: str(os.getpid())}
        self._log = folder / "log"
        self.process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    def start(self) -> None:
        """Starts it; what it complains of goes to `log` in the folder."""
        words = ["run", "--no-screen", "--port", str(self.port)] if self._whole else ["core"]
        words += [
            "--state",
            str(self.state),
            "--config",
            str(self._config),
            "--profile",
            "simulated",
        ]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "station", *words],
                env=self.environ,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @contextlib.asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        """A connection to it, once it answers.

        Raises:
            DrillFailed: it ended instead, or took too long.
        """
        limit = time.monotonic() + START_LIMIT_S
        while True:
            try:
                client = await Client.open(self.state / "run" / SOCKET, "admin")
                break
            except (WireError, OSError):
                if (
                    self.process is None
                    or self.process.poll() is not None
                    or time.monotonic() > limit
                ):
                    raise DrillFailed(f"the station does not start: {self._last_words()}") from None
                await asyncio.sleep(LOOK_S)
        async with client:
            yield client

    def kill(self) -> None:
        """SIGKILL to all of it, in one go; returns when nothing of it is left."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            # or the launcher would start parts again between two kills
            os.kill(self.process.pid, signal.SIGSTOP)
        family = [self.process.pid, *descendants(self.process.pid)]
        with contextlib.ExitStack() as stack:
            ends = [end for pid in family if (end := _end_of(pid)) is not None]
            for end in ends:
                stack.callback(os.close, end)
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(end, signal.SIGKILL)
            for end in ends:
                select.select([end], [], [], START_LIMIT_S)
        self.process.wait()

    def find(self, word: str) -> int:
        """The process id of the part whose command line has this word.

        Raises:
            DrillFailed: there is none.
        """
        for pid in descendants(self.process.pid) if self.process is not None else ():
            if word in _command_line(pid):
                return pid
        raise DrillFailed(f"there is no {word} any more: {self._last_words()}")

    def _last_words(self) -> str:
        return (
            self._log.read_text(errors="replace")[-2000:].strip()
            if self._log.exists()
            else "it said nothing"
        )


def free_port() -> int:
    """A port of this machine that nobody has now. It lies below those that the kernel gives to
    whoever asks for any (ip(7)): a line that is opened meanwhile does not take it."""
    while True:
        port = LEAST_PORT + secrets.randbelow(PORTS)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def _end_of(pid: int) -> int | None:
    """A descriptor that is readable when the process has ended; None when it has already."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def _command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def descendants(pid: int) -> list[int]:
    """The processes that a process started, and those that they started, from /proc (proc(5))."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in brackets may itself hold spaces and brackets.
            children.setdefault(int(path.read_text().rpartition(")")[2].split()[1]), []).append(
                int(path.parent.name)
            )
        except OSError:
            continue  # it has just ended
    found = [pid]
    for parent in found:
        found += children.get(parent, [])
    return found[1:]


class Ear:
    """What comes out of the loudspeaker, by a named pipe: when there was sound, and silence."""

    def __init__(self, pipe: Path) -> None:
        os.mkfifo(pipe)
        # Open for writing too, so that a voice that dies is no end of the pipe.
        self._pipe = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        self._heard = asyncio.Event()
        self._silent = asyncio.Event()
        self._zeros = 0

    @contextlib.contextmanager
    def listening(self) -> Iterator[Ear]:
        """Takes what is played, from here on."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._pipe, self._read)
        try:
            yield self
        finally:
            loop.remove_reader(self._pipe)
            os.close(self._pipe)

    def _read(self) -> None:
        data = os.read(self._pipe, 1 << 16)
        after = len(data) - len(data.rstrip(b"\0"))
        if after < len(data):
            self._zeros = 0
            self._heard.set()
        self._zeros += after
        if self._zeros >= SILENCE:
            self._silent.set()

    async def silence(self) -> None:
        """Waits until what was being said has come out of the pipe to its end: until there was
        enough silence after it."""
        self._zeros = 0
        self._silent.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUIET_S):
                await self._silent.wait()

    async def sound(self, limit_s: float) -> None:
        """Waits for a sound that begins after now.

        Raises:
            TimeoutError: nothing was heard.
        """
        self._heard.clear()
        async with asyncio.timeout(limit_s):
            await self._heard.wait()
