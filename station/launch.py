"""`loto run`: starts the core, the web and the screen for one machine, keeps them alive, ends them together."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from station.errors import EXIT_DONE, LotoError, WireError
from station.players import GameResult, Host
from station.wire import SOCKET, Client

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 5.0
END_LIMIT_S = 6.0
READY_LIMIT_S = 30.0
FINAL_CODES = frozenset({2, 4})  # wrong settings, damaged data: starting again would not help


class PartFailed(LotoError):
    """A part of the station ended in a way that starting again would not mend; it has said why."""

    def __init__(self, name: str, code: int) -> None:
        super().__init__(f"the {name} ended with code {code}: it says why above")
        self.exit_code = code


@dataclass
class Part:
    """One process that is kept alive.

    Attributes:
        command: what `loto` is given: "core", and its options.
        needed: the whole station ends when this part cannot start.
    """

    name: str
    command: Sequence[str]
    needed: bool = True
    environ: Mapping[str, str] = field(default_factory=dict)
    process: asyncio.subprocess.Process | None = None

    async def keep(self) -> None:
        """Starts the process, again whenever it dies.

        Raises:
            PartFailed: it ended because of its settings or its data.
        """
        pause = FIRST_PAUSE_S
        while True:
            began = asyncio.get_running_loop().time()
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "station", *self.command, env={**os.environ, **self.environ}, start_new_session=True
            )
            code = await self.process.wait()
            if code == EXIT_DONE:
                return
            if code in FINAL_CODES:
                if self.needed:
                    raise PartFailed(self.name, code)
                return
            if asyncio.get_running_loop().time() - began > 10 * FIRST_PAUSE_S:
                pause = FIRST_PAUSE_S
            log.warning("the %s ended with code %s: it is started again in %.1f s", self.name, code, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def end(self) -> None:
        """Asks the process to end, and makes it end when it does not."""
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


async def run_parts(parts: Sequence[Part], meanwhile: Callable[[], object]) -> None:
    """Keeps all parts alive until SIGTERM, SIGINT, or a needed part ends for good; calls `meanwhile` once the core serves.

    Raises:
        PartFailed: a needed part cannot start.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    tasks = [asyncio.ensure_future(part.keep()) for part in parts]
    waiting = asyncio.ensure_future(stop.wait())
    told = asyncio.ensure_future(_when_ready(meanwhile))
    try:
        running: set[asyncio.Future[Any]] = {waiting, told, *tasks}
        while not stop.is_set():
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if all(task.done() for task in tasks):
                return
    finally:
        waiting.cancel()
        told.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for part in reversed(parts):
            await part.end()


async def _when_ready(meanwhile: Callable[[], object]) -> None:
    outcome = meanwhile()
    if asyncio.iscoroutine(outcome):
        await outcome


async def open_when_ready(run: Path, limit_s: float = READY_LIMIT_S) -> Client:
    """A connection to the core, as soon as it serves.

    Raises:
        WireError: it does not within the limit.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + limit_s
    while True:
        try:
            return await Client.open(run / SOCKET, "admin")
        except (WireError, FileNotFoundError) as error:
            if loop.time() > end:
                raise WireError(f"the core does not serve after {limit_s:.0f} s: {error}") from error
            await asyncio.sleep(0.02)


async def wait_for_port(port: int, limit_s: float = READY_LIMIT_S) -> None:
    """Returns when something serves on this machine's port, or after the limit; the web says itself what is wrong."""
    end = asyncio.get_running_loop().time() + limit_s
    while asyncio.get_running_loop().time() < end:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


async def play_by_itself(core: Part, run: Path, games: int, pace: float, told: Callable[..., None]) -> list[GameResult]:
    """Starts the core, lets simulated players play so many games, ends the core.

    Raises:
        LotoError: the core cannot start, or a game cannot be finished.
    """
    keeping = asyncio.ensure_future(core.keep())
    playing = asyncio.ensure_future(_play(run, games, pace, told))
    try:
        await asyncio.wait({keeping, playing}, return_when=asyncio.FIRST_COMPLETED)
        if keeping.done() and not playing.done():
            keeping.result()
            raise WireError("the core ended before the games did")
        return await playing
    finally:
        for task in (playing, keeping):
            task.cancel()
        await asyncio.gather(playing, keeping, return_exceptions=True)
        await core.end()


async def _play(run: Path, games: int, pace: float, told: Callable[..., None]) -> list[GameResult]:
    async with await open_when_ready(run) as client:
        host = Host(client, pace=pace, told=told)
        try:
            return await host.play(games)
        finally:
            await host.close()


def own_address() -> str:
    """This machine's address in its network, as other machines see it; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of the documentation's own: only the route is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def new_token() -> str:
    """A one-time token for the address in the terminal."""
    return secrets.token_urlsafe(12)


def has_display() -> bool:
    """Whether a screen can be shown on this machine: a desktop, or a connected display."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    connectors = Path("/sys/class/drm").glob("card*-*/status")
    return any(path.read_text(encoding="ascii", errors="replace").strip() == "connected" for path in connectors)
