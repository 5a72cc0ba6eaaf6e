"""Serve the application: one process, a plain port and one that is encrypted, a prompt end.

Log lines are limited by rate: what happens again and again is logged once in a while, with a count.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from station.base.errors import EXIT_DONE, LotoError, SettingsError, WireError
from station.screens.web.app import make_app
from station.screens.web.certificate import OwnCertificate, own_names
from station.screens.web.door import CONNECTION, Door, Seats, WebPort
from station.screens.web.gate import PER_ADDRESS, SEATS, Limits
from station.screens.web.playing import Games
from station.screens.web.portal import Portal
from station.wire.looks import Look
from station.wire.looks.logo import Logo
from station.wire.wording import Wording, load_wording

EVERY_S = 10.0


class Seldom(logging.Filter):
    """A filter that passes one line of a kind in a number of seconds; the next one says how many
    were left out.

    Lines are of one kind when they were logged by the same statement: same logger, same text before
    its values are put in.
    """

    def __init__(
        self, every_s: float = EVERY_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._every_s = every_s
        self._clock = clock
        self._said: dict[tuple[str, object], float] = {}
        self._left_out: dict[tuple[str, object], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the line."""
        kind = (record.name, record.msg)
        now = self._clock()
        if now - self._said.get(kind, -self._every_s) < self._every_s:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._said[kind] = now
        if left_out := self._left_out.pop(kind, 0):
            record.msg, record.args = f"{record.getMessage()} (and {left_out} more like it)", ()
        return True


def say_seldom(*names: str) -> None:
    """Make these loggers log each kind of line seldom."""
    for name in names:
        logger = logging.getLogger(name)
        if not any(isinstance(one, Seldom) for one in logger.filters):
            logger.addFilter(Seldom())


# -- the server ------------------------------------------------------------------------------------

log = logging.getLogger(__name__)

PORT = 8090
SECURED_FURTHER = 353  # the port with TLS is that much above the plain one: 8443
# Browsers send little: the handshake, and nothing after it.
MESSAGE_LIMIT = 1024
# A phone that left the hall acknowledges nothing, or keeps its window shut: then the kernel ends
# the connection.
UNACKNOWLEDGED_MS = 10_000
# A phone is an open file, and a shell usually gives a program 1024. Besides phones: those being
# taken, the station's own lines.
FILES_BESIDE = 512
BACKLOG = 4096  # connections that the kernel made and nobody accepted yet
ALIVE_EVERY_S = 1.0
RENEW_EVERY_S = 60.0  # addresses come and go with cables and radios
GRACE_S = 1
DATED_S = 1.0  # how old the date in an answer may be
FIRST_GIVEN = 3  # the first descriptor that systemd hands over


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
    names: Iterable[str] = (),
    per_address: int = PER_ADDRESS,
    tls: Path | None = None,
    tls_port: int = 0,
    plain: bool = False,
    look: Look | None = None,
    logo: Logo | None = None,
    ready: Callable[[str], None] | None = None,
    secured: Callable[[int, str], None] | None = None,
    alive: Callable[[], None] | None = None,
    pages: Callable[[], str] = str,
    hotspot: str = "",
    as_wav: Callable[[Path], bytes] | None = None,
    open_games: Callable[[], Games] | None = None,
) -> int:
    """Serve until SIGTERM or SIGINT; return the exit code.

    Args:
        socket_path: the core's socket; it may come later, and go and come back.
        hands_path: the hands' socket, or None where the devices are real or another user's.
        voice: the folder of the voice pack.
        wording: the words on the pages; English when None.
        own_clips: sound files that the pages play instead of the pack's, by clip.
        host: the address to listen on.
        port: the port; 0 takes a free one.
        token: the secret in the addresses of bench and desk; without one real devices have no desk.
        names: what else the station is called in its network.
        per_address: how many connections one address may have; behind one router all phones are
            one.
        tls: the folder of the station's own certificate; None serves no port with TLS.
        tls_port: that port; 0 takes a free one.
        plain: whether whoever is paired is let in over plain http, too.
        look: the colours of the board; the standard ones when None.
        logo: the hall's, before its name on the board.
        ready: called once with the address, as soon as browsers are answered.
        secured: called before that with the port that has TLS and its certificate's fingerprint, if
            there is one; and again whenever the certificate was made anew.
        alive: called every second by the loop that serves (a watchdog's).
        pages: returns where telephones find the pages, "http://10.0.0.5:8090"; empty: they cannot.
        hotspot: the station's address in its own Wi-Fi.
        as_wav: decodes a clip for browsers that cannot; None: they stay silent.
        open_games: opens the games that are played alone; None: there are none.

    Raises:
        WireError: the port cannot be used.
        SettingsError: the whole network could use the bench without a token.
    """
    if hands_path is not None and token is None and not _is_loopback(host):
        raise SettingsError(
            f"--host {host}",
            ["the bench must not be open to the network: give a token (--lan makes one)"],
        )
    limits = Limits(per_address)
    limits = limits.within(allow_files(limits.files + FILES_BESIDE) - FILES_BESIDE)
    if limits.seats < SEATS:
        log.warning(
            "only %d phones can watch at once: the system allows this program few open files",
            limits.seats,
        )
    say_seldom("uvicorn.error", "asyncio", "station.screens.web.app")
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(listener(host, port))
        tls_side = None if tls is None else _secured(host, tls_port, tls, names)
        number = None
        if tls_side is not None:
            stack.enter_context(tls_side.port.socket)
            number = tls_side.number
            _tell_secured(tls_side, secured)
        app = make_app(
            socket_path,
            hands_path,
            voice=voice,
            wording=wording or load_wording("en"),
            own_clips=own_clips,
            token=token,
            desk=has_desk(host, token, simulated=hands_path is not None),
            names=names,
            tls_port=number,
            plain=plain,
            look=look,
            logo=logo,
            pages=pages,
            portal=Portal(hotspot, listening.getsockname()[1]),
            as_wav=as_wav,
            open_games=open_games,
        )
        # What the program is made of stays until it ends: looking through all of it for what could
        # be thrown away, while a thousand connections come and go, would stop everything for a
        # fifth of a second again and again.
        gc.collect()
        gc.freeze()
        tell = partial(_tell_secured, tls_side, secured)
        given = [WebPort(stack.enter_context(one)) for one in given_sockets()]
        asyncio.run(_serve(app, listening, tls_side, limits, ready, alive, tell, given))
    return EXIT_DONE


def serve_alone(app: Starlette, host: str, port: int) -> None:
    """Serve an application at one plain port until SIGTERM, with the limits of the station's pages.

    Args:
        app: its state has a `guard` whose `keeps_seat` knows those that a full house serves.

    Raises:
        WireError: the port cannot be used.
    """
    limits = Limits()
    limits = limits.within(allow_files(limits.files + FILES_BESIDE) - FILES_BESIDE)
    say_seldom("uvicorn.error", "asyncio")
    with listener(host, port) as listening:
        asyncio.run(_serve(app, listening, None, limits, None, None, lambda: None))


class SecuredPort(NamedTuple):
    """The port with TLS, and its certificate."""

    port: WebPort
    certificate: OwnCertificate

    @property
    def number(self) -> int:
        """Return the port's number."""
        return int(self.port.socket.getsockname()[1])


def _secured(host: str, port: int, folder: Path, names: Iterable[str]) -> SecuredPort | None:
    """Return the port with TLS; None where there can be none, which is logged and no more."""
    called = tuple(names)
    try:
        certificate = OwnCertificate(folder, lambda: own_names(called))
        return SecuredPort(WebPort(listener(host, port), certificate.context), certificate)
    except (OSError, ValueError, LotoError) as error:
        log.warning("no page is served with TLS, so only seats can be let in: %s", error)
        return None


def allow_files(wanted: int) -> int:
    """Let this process open `wanted` files, or as many as the system allows; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft >= most:
        return soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (OSError, ValueError):
        return soft
    return most


def listener(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        WireError: the port is taken or not ours, or the host has no such address.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            say = (
                f"port {port} is taken: another program listens on {host}; end it, or choose"
                " another port with --port"
            )
        elif error.errno == errno.EACCES:
            say = f"port {port} may not be used by this account; choose one above 1023 with --port"
        else:
            say = (
                f"{host} port {port} cannot be listened on: {error.strerror or error}; choose"
                " others with --host and --port"
            )
        raise WireError(say) from error
    # Each connection has it from here; asyncio sets it on those alone that it has made itself. An
    # answer's second half would wait for a browser to acknowledge the first: 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
    return listening


def given_sockets() -> list[socket.socket]:
    """Return the listening sockets that systemd opened for this process (sd_listen_fds(3))."""
    if os.environ.pop("LISTEN_PID", "") != str(os.getpid()):
        return []
    count = int(os.environ.pop("LISTEN_FDS", "0"))
    return [socket.socket(fileno=FIRST_GIVEN + number) for number in range(count)]


class KeptConfig(uvicorn.Config):
    """Uvicorn's settings, and the door through which its connections come."""

    def __init__(self, app: Starlette, door: Door) -> None:
        super().__init__(
            Seats(app, door, app.state.guard.keeps_seat),
            http=KeptHttp,
            ws=KeptLine,
            log_config=None,
            access_log=False,
            server_header=False,
            # There is no proxy in front of the station whose word on the visitor's address could be
            # trusted.
            proxy_headers=False,
            # A thousand phones on a Pi: the views are small, and compressing each for each phone
            # costs more.
            ws_per_message_deflate=False,
            ws_max_size=MESSAGE_LIMIT,
            timeout_graceful_shutdown=GRACE_S,
        )
        self.door = door


class KeptProtocol(asyncio.Protocol):
    """A protocol of uvicorn's, which tells the door when a connection ends."""

    config: uvicorn.Config
    app_state: dict[str, Any]

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the door that the connection ended."""
        if isinstance(self.config, KeptConfig):
            self.config.door.left(self.app_state[CONNECTION])
        super().connection_lost(exc)


class KeptHttp(KeptProtocol, H11Protocol):
    """Uvicorn's HTTP protocol, kept."""


class KeptLine(KeptProtocol, WebSocketsSansIOProtocol):
    """Uvicorn's websocket protocol, kept."""

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; close a line that sends text that is no UTF-8. Uvicorn's own way logs
        a trace for each."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def shutdown(self) -> None:
        """Close the line. One that the browser is closing already is only ended: over TLS that
        takes a while, and uvicorn's own way fails for it and leaves all others open."""
        if self.conn.state in (State.CLOSING, State.CLOSED):
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()


class WebServer(uvicorn.Server):
    """Uvicorn behind our own door: it says when it is ready, and does not kill the process when it
    is told to end.

    Args:
        listening: the socket; uvicorn itself would accept every connection.
        limits: how many are let in.
        clock: monotonic seconds, for the limits.
        secured: the port with TLS, if there is one.
        given: more ports, which the system opened for this process.
    """

    def __init__(
        self,
        app: Starlette,
        listening: socket.socket,
        limits: Limits | None = None,
        on_start: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        secured: WebPort | None = None,
        given: Sequence[WebPort] = (),
    ) -> None:
        self.door = Door(limits or Limits(), clock)
        super().__init__(KeptConfig(app, self.door))
        ports = (WebPort(listening), secured, *given)
        self._ports = [port for port in ports if port is not None]
        self._on_start = on_start
        self._told = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets=[])
        self.door.open(self._ports, self._protocol)
        self._on_start()

    async def main_loop(self) -> None:
        """Serve until the end; uvicorn's own loop wakes up ten times a second to look for it."""
        while not await self.on_tick(0):
            self._told.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), DATED_S)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End at once."""
        super().handle_exit(sig, frame)
        self._told.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and end the open ones."""
        self.door.close()
        for port in self._ports:
            port.socket.close()
        await super().shutdown(sockets)
        self.door.end()
        await asyncio.sleep(0)  # in this turn they are closed

    def _protocol(self, connection: int) -> asyncio.Protocol:
        """Make a connection's protocol; uvicorn passes its state to each request and websocket."""
        return KeptHttp(
            self.config, self.server_state, {**self.lifespan.state, CONNECTION: connection}
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End the loop on a signal; uvicorn's own way kills the process before `run` returns."""
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
    app: Starlette,
    listening: socket.socket,
    secured: SecuredPort | None,
    limits: Limits,
    ready: Callable[[str], None] | None,
    alive: Callable[[], None] | None,
    tell_secured: Callable[[], None],
    given: Sequence[WebPort] = (),
) -> None:
    host, port = listening.getsockname()[:2]
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def on_start() -> None:
        log.info("the board is at %s", address)
        if ready is not None:
            ready(address)

    beats = [] if alive is None else [asyncio.create_task(_beat(alive))]
    if secured is not None:
        beats.append(asyncio.create_task(keep_renewed(secured.certificate, tell_secured)))
    port = None if secured is None else secured.port
    try:
        await WebServer(app, listening, limits, on_start, secured=port, given=given).serve([])
    finally:
        for beat in beats:
            beat.cancel()


def _tell_secured(side: SecuredPort | None, secured: Callable[[int, str], None] | None) -> None:
    if side is not None and secured is not None:
        secured(side.number, side.certificate.fingerprint)


async def keep_renewed(
    certificate: OwnCertificate, tell: Callable[[], None], every_s: float = RENEW_EVERY_S
) -> None:
    """Make the certificate anew whenever it must be, and tell so, until it is cancelled."""
    while True:
        await asyncio.sleep(every_s)
        try:
            if await asyncio.to_thread(certificate.renew):
                certificate.show()
                log.warning("the station has another address or name: its certificate is new")
                tell()
        except (OSError, ValueError) as error:
            log.warning("the certificate cannot be made anew: %s", error)


async def _beat(alive: Callable[[], None]) -> None:
    while True:
        alive()
        await asyncio.sleep(ALIVE_EVERY_S)


def has_desk(host: str, token: str | None, *, simulated: bool) -> bool:
    """Return whether sale and claims may be offered on this address: behind a token, or on a
    simulated station that only this machine reaches. With real devices money is taken: even this
    machine's other users need the token."""
    return token is not None or (simulated and _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
