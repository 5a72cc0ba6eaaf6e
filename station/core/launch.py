"""Start core, web and screen of one machine, keep them alive, end them together: `loto run`.

The launcher does here what systemd does for the services, with the same protocol (sd_notify(3)): it
hears READY=1, WATCHDOG=1 and STOPPING=1 from each part, and kills and restarts one that falls
silent.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import resource
import secrets
import signal
import socket
import struct
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from station.base.addresses import own_address
from station.base.errors import EXIT_DONE, EXIT_NO, LotoError, WireError
from station.base.later import later
from station.settings.config import WebSettings
from station.wire import notify
from station.wire.notify import MOST_KEPT
from station.wire.wire import SOCKET, Client

with later():
    from station.core.simulation import players

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 5.0
# As in the units. The hall hears the station again within 8 s of a hang: the start takes what these
# leave of them.
START_LIMIT_S = 90.0
CORE_SILENT_S, SILENT_S = 3.0, 20.0
STOPPING_S = 20.0  # who ends on purpose says no more: a busy machine takes its time over that
ABORT_LIMIT_S = 0.5
LOOPBACK = ("127.0.0.1", "localhost", "::1")
PARENT = "LOTO_PARENT"
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
END_LIMIT_S = 6.0
TOKEN = "token"  # noqa: S105 - a name
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid: what the kernel says of a datagram's sender
_INT = struct.Struct("i")  # a file's number among what a datagram brings
FINAL_CODES = frozenset({2, 4})  # wrong settings, damaged data: starting again would not help


class PartFailed(LotoError):
    """A part of the station ended with a fault that a restart would not repair; it has said why."""

    def __init__(self, name: str, code: int) -> None:
        super().__init__(f"the {name} ended with code {code}: it says why above")
        self.exit_code = code


class Interrupted(LotoError):
    """Games that play by themselves were ended from outside."""

    exit_code = EXIT_NO


def hide_memory() -> None:
    """Keep this process's memory from being dumped, and from everybody but root: a night's names
    are in it, and a bag's secrets. A hang ends in SIGABRT for the trace that it prints alone."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)


def end_with_parent() -> None:
    """Hide this process's memory; end it as a part of `loto run` when the launcher dies: else its
    port and lock stay taken."""
    hide_memory()
    parent = os.environ.get(PARENT)
    if parent is None or sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):  # it died before the kernel was asked
        os.kill(os.getpid(), signal.SIGTERM)


@dataclass
class StationProcess:
    """One process of the station, kept alive.

    Attributes:
        command: the arguments of `loto`: "core", and its options.
        needed: the whole station ends when this part cannot start.
        token: what the part is given beside its options, as a file that only it can ask for:
            command line and environment of a process are shown to every program of its user.
        silent_s: seconds without a WATCHDOG=1 after which the process is taken to hang.
        ready: set once the process has reported READY=1.
    """

    name: str
    command: Sequence[str]
    needed: bool = True
    token: str = ""
    silent_s: float = SILENT_S
    process: Process | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    _kept: list[tuple[str, int]] = field(default_factory=list)  # name and number
    _heard_at: float = 0.0  # the last WATCHDOG=1 or the start, on the loop's clock
    _limit_s: float = START_LIMIT_S

    async def keep(self) -> None:
        """Start the process, again whenever it dies; end it when cancelled.

        Raises:
            PartFailed: it ended because of its settings or its data.
        """
        with self._ear() as (ear, address):
            if self.token:
                self._kept.append((TOKEN, _hidden_file(self.token)))
            try:
                usec = str(round(self.silent_s * 1e6))
                told = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": usec, PARENT: str(os.getpid())}
                told[notify.ASK] = "1"
                environ = {**os.environ, "PYTHONFAULTHANDLER": "1", **told}
                await self._keep(environ, ear)
            finally:
                await self._end()
                self._forget()

    @contextmanager
    def _ear(self) -> Iterator[tuple[socket.socket, str]]:
        """Yield a socket that hears what a part tells, and its address for `NOTIFY_SOCKET`."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as ear:
            name = f"loto-{os.getpid()}-{self.name}-{secrets.token_hex(4)}"
            ear.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            ear.bind(f"\0{name}")
            yield ear, f"@{name}"

    def _listen(self, ear: socket.socket, pid: int) -> None:
        room = socket.CMSG_SPACE(CREDENTIALS.size) + socket.CMSG_SPACE(_INT.size * MOST_KEPT)
        data, extra, _, _ = ear.recvmsg(4096, room, socket.MSG_CMSG_CLOEXEC)
        files = [
            number
            for _, kind, raw in extra
            if kind == socket.SCM_RIGHTS
            for (number,) in _INT.iter_unpack(raw[: len(raw) // _INT.size * _INT.size])
        ]
        # Not from a process that was killed, whose last word is still on its way, nor from anybody
        # else on this machine.
        told_by = [raw for _, kind, raw in extra if kind == socket.SCM_CREDENTIALS]
        if [CREDENTIALS.unpack(raw)[0] for raw in told_by] != [pid]:
            _close(files)
            return
        told = data.split(b"\n")
        if notify.ASKED in told:
            with suppress(OSError):  # who asked is gone
                for number in files[:1]:
                    notify.answer(number, self._kept)
            _close(files)
            return
        self._store(told, files)
        if b"READY=1" in told:
            self._limit_s = self.silent_s
            self.ready.set()
        if b"STOPPING=1" in told:
            self._limit_s = max(self.silent_s, STOPPING_S)
        if not {b"READY=1", b"WATCHDOG=1", b"STOPPING=1"}.isdisjoint(told):
            self._heard_at = asyncio.get_running_loop().time()

    def _store(self, told: Sequence[bytes], files: Sequence[int]) -> None:
        """Keep or forget files as a part asks for it, for the part that is started after it."""
        name = next((line[7:].decode() for line in told if line.startswith(b"FDNAME=")), "")
        if b"FDSTOREREMOVE=1" in told:
            self._forget(name)
        room = MOST_KEPT - len(self._kept) if b"FDSTORE=1" in told else 0
        self._kept += [(name, number) for number in files[:room]]
        _close(files[room:])

    def _forget(self, name: str | None = None) -> None:
        """Close the files that are kept by a name; None: all."""
        gone = [one for one in self._kept if name in (None, one[0])]
        self._kept = [one for one in self._kept if one not in gone]
        _close([number for _, number in gone])

    async def _keep(self, environ: Mapping[str, str], ear: socket.socket) -> None:
        pause = FIRST_PAUSE_S
        while True:
            began = self._heard_at = asyncio.get_running_loop().time()
            self._limit_s = START_LIMIT_S
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "station", *self.command),
                env=environ,
                start_new_session=True,
            )
            code = await self._watched(self.process, ear)
            if code in FINAL_CODES and self.needed:
                raise PartFailed(self.name, code)
            if code == EXIT_DONE or code in FINAL_CODES:
                return
            if asyncio.get_running_loop().time() - began > 10 * FIRST_PAUSE_S:
                pause = FIRST_PAUSE_S
            again = "it is started again in"
            log.warning("the %s ended with code %s: %s %.1f s", self.name, code, again, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _watched(self, process: Process, ear: socket.socket) -> int:
        """Return the exit code of the process once it has ended, or was killed for its silence."""
        loop = asyncio.get_running_loop()
        ending = asyncio.ensure_future(process.wait())
        # what it has said already waits in the socket
        loop.add_reader(ear, self._listen, ear, process.pid)
        try:
            while not ending.done():
                left = self._heard_at + self._limit_s - loop.time()
                if left <= 0:
                    await self._abort(process, ending)
                    break
                # Not longer, for the limit changes when the process says READY=1.
                await asyncio.wait({ending}, timeout=min(left, self.silent_s))
            return await ending
        finally:
            loop.remove_reader(ear)
            ending.cancel()

    async def _abort(self, process: Process, ending: asyncio.Future[int]) -> None:
        """End a process that hangs: first so that it reports where, then for certain."""
        silent = f"{self.name} has been silent for {self._limit_s:.0f} s"
        log.warning("the %s: it is ended, and started again", silent)
        process.send_signal(signal.SIGABRT)
        await asyncio.wait({ending}, timeout=ABORT_LIMIT_S)
        if not ending.done():
            process.kill()

    async def _end(self) -> None:
        """Ask the process to end, and kill it if it does not."""
        process = self.process
        if process is None or process.returncode is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_LIMIT_S):
                await process.wait()
        except TimeoutError:
            log.warning("the %s did not end within %.0f s: killed", self.name, END_LIMIT_S)
            process.kill()
            await process.wait()


def _hidden_file(text: str) -> int:
    """Return the number of a file without a name or a disk that holds a text."""
    number = os.memfd_create(TOKEN, os.MFD_CLOEXEC)
    os.write(number, text.encode())
    return number


def given_token() -> str:
    """Return the token that `loto run` has for this part; empty without one."""
    found = ""
    for name, number in notify.kept():
        if name == TOKEN:
            found = os.pread(number, 100, 0).decode()
        os.close(number)
    return found


def _close(files: Iterable[int]) -> None:
    for number in files:
        os.close(number)


def _stop_by_signal() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set: the parts must be ended before the program."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def run_parts(parts: Sequence[StationProcess], greet: Callable[[], None]) -> bool:
    """Keep all parts alive until SIGTERM, SIGINT, or until the first part, the core, ends well.
    Greet once all needed parts serve.

    Returns:
        Whether the core ended by itself: the station was switched off.

    Raises:
        PartFailed: a needed part cannot start.
    """
    stop = _stop_by_signal()
    tasks = [asyncio.ensure_future(part.keep()) for part in parts]
    waiting = asyncio.ensure_future(stop.wait())
    told = asyncio.ensure_future(_when_ready(parts, greet))
    try:
        running: set[asyncio.Future[Any]] = {waiting, told, *tasks}
        while not stop.is_set():
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if tasks[0].done() or all(task.done() for task in tasks):
                return tasks[0].done()
        return False
    finally:
        # Screens before the core, which they watch.
        for task in (waiting, told, *reversed(tasks)):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _when_ready(parts: Sequence[StationProcess], greet: Callable[[], None]) -> None:
    for part in parts:
        if part.needed:
            await part.ready.wait()
    greet()


async def play_by_itself(
    core: StationProcess, run: Path, games: int, pace: float, told: Callable[..., None]
) -> list[players.GameResult]:
    """Start the core, let simulated players play this number of games, end the core.

    Raises:
        LotoError: the core cannot start, or a game cannot be finished.
        Interrupted: SIGTERM or SIGINT came before the games' end.
    """
    stop = _stop_by_signal()
    waiting = asyncio.ensure_future(stop.wait())
    keeping = asyncio.ensure_future(core.keep())
    playing = asyncio.ensure_future(_play(core, run, games, pace, told))
    try:
        await asyncio.wait({waiting, keeping, playing}, return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            raise Interrupted("ended before the games were over")
        if keeping.done() and not playing.done():
            keeping.result()
            raise WireError("the core ended before the games did")
        return await playing
    finally:
        for task in (waiting, playing, keeping):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _play(
    core: StationProcess, run: Path, games: int, pace: float, told: Callable[..., None]
) -> list[players.GameResult]:
    await core.ready.wait()
    async with await Client.open(run / SOCKET, "admin") as client:
        host = players.Host(client, pace=pace, told=told)
        try:
            return await host.play(games)
        finally:
            await host.close()


def own_pages(web: WebSettings, host: str = "", port: int = 0) -> str:
    """Return where telephones find the pages: what the settings say, else this machine's address;
    empty where the pages are not served to the network, or there is none.

    Args:
        host, port: where they are served in fact, if not as the settings say.
    """
    if web.address or (host or web.host) in LOOPBACK:
        return web.address
    address = own_address()
    return "" if address in LOOPBACK else f"http://{address}:{port or web.port}"


def new_token() -> str:
    """Return a one-time token for the address in the terminal."""
    return secrets.token_urlsafe(12)


def has_display() -> bool:
    """Return whether a screen can be shown on this machine: a desktop, or a connected display."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    connectors = Path("/sys/class/drm").glob("card*-*/status")
    states = (path.read_text(encoding="ascii", errors="replace") for path in connectors)
    return any(state.strip() == "connected" for state in states)
