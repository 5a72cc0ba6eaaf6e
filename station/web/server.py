"""Serves the application: one process, one port, a prompt end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import resource
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType

import uvicorn
from fastapi import FastAPI

from station.errors import EXIT_DONE, SettingsError, WireError
from station.web.app import make_app
from station.wording import Wording, load_wording

log = logging.getLogger(__name__)

PORT = 8090
# What browsers send is short: the handshake, and nothing after it.
MESSAGE_LIMIT = 1024
# A phone that left the hall acknowledges nothing, or keeps its window shut: then the kernel ends the connection.
UNACKNOWLEDGED_MS = 10_000
OPEN_FILES = 8192  # a phone is an open file, and a shell usually gives a program 1024
ALIVE_EVERY_S = 1.0
GRACE_S = 1


def run(
    socket_path: Path,
    hands_path: Path | None,
    *,
    voice: Path,
    wording: Wording | None = None,
    own_clips: Mapping[str, Path] = MappingProxyType({}),
    host: str = "127.0.0.1",
    port: int = PORT,
    token: str | None = None,
    ready: Callable[[str], None] | None = None,
    alive: Callable[[], None] | None = None,
) -> int:
    """Serves until SIGTERM or SIGINT; gives the exit code.

    Args:
        socket_path: the core's socket; it may come later, and go and come back.
        hands_path: the hands' socket, or None where the devices are real.
        voice: the folder of the voice pack.
        wording: the words on the pages; English when None.
        own_clips: sound files that the pages play instead of the pack's, by clip.
        host: the address to listen on.
        port: the port; 0 takes a free one.
        token: the secret in the addresses of bench and desk; without one real devices have no desk.
        ready: called once with the address, as soon as browsers are answered.
        alive: called every second by the loop that serves (a watchdog's).

    Raises:
        WireError: the port cannot be had.
        SettingsError: a bench that the whole network could use without a token.
    """
    if hands_path is not None and token is None and not _is_loopback(host):
        raise SettingsError(f"--host {host}", ["the bench must not be open to the network: give a token (--lan makes one)"])
    words = wording or load_wording("en")
    desk = has_desk(host, token, simulated=hands_path is not None)
    app = make_app(socket_path, hands_path, voice=voice, wording=words, own_clips=own_clips, token=token, desk=desk)
    allow_files(OPEN_FILES)
    with listener(host, port) as listening:
        asyncio.run(_serve(app, listening, ready, alive))
    return EXIT_DONE


def allow_files(wanted: int) -> None:
    """Lets this process have so many open files, or as many as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError) as error:
        log.warning("only %d phones can watch at once: %s", soft, error)


def listener(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        WireError: the port is taken or not ours, or the host has no such address.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            say = f"port {port} is taken: another program listens on {host}; end it, or choose another port with --port"
        elif error.errno == errno.EACCES:
            say = f"port {port} may not be used by this account; choose one above 1023 with --port"
        else:
            say = f"{host} port {port} cannot be listened on: {error.strerror or error}; choose others with --host and --port"
        raise WireError(say) from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
    return listening


class Server(uvicorn.Server):
    """Uvicorn that says when it is ready, and leaves the process alive when it was told to end."""

    def __init__(self, app: FastAPI, on_start: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                # Nobody stands before the station whose word on the visitor's address would have to be believed.
                proxy_headers=False,
                # A thousand phones on a Pi: the views are small, and squeezing each anew for each phone costs more.
                ws_per_message_deflate=False,
                ws_max_size=MESSAGE_LIMIT,
                timeout_graceful_shutdown=GRACE_S,
            )
        )
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, then says so."""
        await super().startup(sockets)
        self._on_start()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ends the loop on a signal; uvicorn's own way then kills the process with it, and `run` could not return."""
        loop = asyncio.get_running_loop()
        ours = (signal.SIGTERM, signal.SIGINT)
        for number in ours:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in ours:
                loop.remove_signal_handler(number)


async def _serve(
    app: FastAPI, listening: socket.socket, ready: Callable[[str], None] | None, alive: Callable[[], None] | None
) -> None:
    host, port = listening.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def on_start() -> None:
        log.info("the board is at %s", address)
        if ready is not None:
            ready(address)

    beat = None if alive is None else asyncio.create_task(_beat(alive))
    try:
        await Server(app, on_start).serve([listening])
    finally:
        if beat is not None:
            beat.cancel()


async def _beat(alive: Callable[[], None]) -> None:
    while True:
        alive()
        await asyncio.sleep(ALIVE_EVERY_S)


def has_desk(host: str, token: str | None, *, simulated: bool) -> bool:
    """Whether sale and claims may be offered on this address: behind a token, or on a simulated station that only this machine
    reaches. At real devices money is taken: there even this machine's other users need the token.
    """
    return token is not None or (simulated and _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
