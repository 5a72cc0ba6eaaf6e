"""Accept connections as fast as they come, let them in by turns, and close those that the gate
turns away.

Taking a connection costs next to nothing, hearing its request a hundred times as much: so all are
taken at once, and an address that has one waiting is heard before the next of an address that has a
thousand, and of its own the one that came last.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from station.base.said import said
from station.screens.web.gate import STANDING_S, Gate, Limits, neighbourhood
from station.screens.web.guard import BODY_LIMIT, SECURITY_HEADERS, refused

log = logging.getLogger(__name__)

# accepted in a turn of the loop: as many may be open beyond the gate's limits, for a moment
TAKEN_AT_ONCE = 128
HEARD_AT_ONCE = 4
LOOK_S = 1.0
SAID_EVERY_S = 10.0
PAUSE_S = 0.5  # when the system has no descriptor or memory for one more
GOODBYE_S = 2.0  # for a browser to say that it has heard the end
FULL = said("The station has as many visitors as it can serve: try again in a few seconds.")

CONNECTION = "station.connection"
"""Where the state of an ASGI scope says the number that the gate gave the connection."""


class WebPort(NamedTuple):
    """A listening socket, or a connection that came there.

    Attributes:
        secured: how what goes over it is encrypted; None where it is not.
    """

    socket: socket.socket
    secured: ssl.SSLContext | None = None


class Door:
    """The acceptor of connections of the listening sockets; the limits are for all together.

    Args:
        limits: how many are let in.
        clock: monotonic seconds.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.gate = Gate(limits)
        self._clock = clock
        self._waiting: dict[str, deque[int]] = {}
        self._taken: dict[int, WebPort] = {}
        self._inside: dict[int, asyncio.Transport] = {}
        self._letting_in: dict[int, asyncio.Task[None]] = {}
        self._timers: list[asyncio.TimerHandle] = []
        self._ports: Sequence[WebPort] = ()
        self._turn = False

    def open(self, ports: Sequence[WebPort], make: Callable[[int], asyncio.Protocol]) -> None:
        """Begin to accept; `make` makes a connection's protocol, which states its `CONNECTION`."""
        self._ports, self._make = ports, make
        for port in ports:
            port.socket.setblocking(False)
            self._listen(port)
        self._look()
        self._say()

    def close(self) -> None:
        """Accept no more connections, and close those not heard yet."""
        if not self._ports:
            return
        loop = asyncio.get_running_loop()
        for port in self._ports:
            loop.remove_reader(port.socket)
        self._ports = ()
        for timer in self._timers:
            timer.cancel()
        for connection, _ in self._taken.values():
            connection.close()
        for letting in self._letting_in.values():
            letting.cancel()
        self._taken.clear()
        self._waiting.clear()

    def end(self) -> None:
        """Break off what is still open: no browser's goodbye over TLS is waited for."""
        for transport in self._inside.values():
            transport.abort()
        self._inside.clear()

    def asked(self, scope: Scope, *, holds: bool) -> bool:
        """Return whether a complete request is served; if so, call `answered` afterwards."""
        served, gone = self.gate.asked(
            scope["state"][CONNECTION],
            self._clock(),
            holds=holds,
            line=scope["type"] == "websocket",
        )
        self._show_out(gone)
        return served

    def answered(self, scope: Scope) -> None:
        """Note that a request was answered: its connection stands again, and another may go."""
        self._show_out(self.gate.answered(scope["state"][CONNECTION], self._clock()))

    def left(self, key: int) -> None:
        """Forget a connection that has ended."""
        self._inside.pop(key, None)
        self.gate.left(key)

    # -- taking

    def _listen(self, port: WebPort) -> None:
        if port in self._ports:
            asyncio.get_running_loop().add_reader(port.socket, self._take, port)

    def _take(self, port: WebPort) -> None:
        for _ in range(TAKEN_AT_ONCE):
            try:
                connection, visitor = port.socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._pause(port, error)
                return
            connection.setblocking(False)
            key, gone = self.gate.came(visitor[0], self._clock())
            self._taken[key] = WebPort(connection, port.secured)
            self._waiting.setdefault(neighbourhood(visitor[0]), deque()).append(key)
            self._show_out(gone)
            self._go_on()

    def _pause(self, port: WebPort, error: OSError) -> None:
        """Wait before the next try: without a free descriptor each try fails at once."""
        self.gate.turned[f"not accepted: {error.strerror}"] += 1
        asyncio.get_running_loop().remove_reader(port.socket)
        self._later(PAUSE_S, lambda: self._listen(port))

    # -- letting in

    def _go_on(self) -> None:
        if not self._turn and self._waiting:
            self._turn = True
            asyncio.get_running_loop().call_soon(self._let_in)

    def _let_in(self) -> None:
        self._turn = False
        for _ in range(HEARD_AT_ONCE):
            if (key := self._next()) is None:
                return
            taken = self._taken.pop(key)
            letting = asyncio.ensure_future(self._enter(key, *taken))
            self._letting_in[key] = letting
            letting.add_done_callback(partial(self._entered, key, taken.socket))
        self._go_on()

    def _entered(self, key: int, connection: socket.socket, letting: asyncio.Task[None]) -> None:
        del self._letting_in[key]
        if letting.cancelled():  # perhaps before it had begun
            connection.close()

    def _next(self) -> int | None:
        """Return whose turn it is: one of each address, its newest first; no crowd goes before."""
        while self._waiting:
            address = next(iter(self._waiting))
            queue = self._waiting.pop(address)
            key = queue.pop()
            if queue:
                self._waiting[address] = queue  # after all others
            if key in self._taken:  # else it was turned away meanwhile
                return key
        return None

    async def _enter(
        self, key: int, connection: socket.socket, secured: ssl.SSLContext | None
    ) -> None:
        handshake_s = None if secured is None else STANDING_S
        try:
            transport, _ = await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self._make(key),
                connection,
                ssl=secured,
                ssl_handshake_timeout=handshake_s,
                ssl_shutdown_timeout=None if secured is None else GOODBYE_S,
            )
        except OSError:  # no TLS either, or none in time
            connection.close()
            self.gate.left(key)
            return
        if key in self.gate:
            self._inside[key] = transport
        else:  # it was turned away, or has ended already
            transport.abort()

    # -- showing out

    def _show_out(self, keys: list[int]) -> None:
        for key in keys:
            if (taken := self._taken.pop(key, None)) is not None:
                taken.socket.close()
            elif (transport := self._inside.pop(key, None)) is not None:
                transport.abort()
            elif (letting := self._letting_in.get(key)) is not None:
                letting.cancel()  # in the middle of its handshake

    def _look(self) -> None:
        self._show_out(self.gate.overdue(self._clock()))
        self._later(LOOK_S, self._look)

    def _say(self) -> None:
        if self.gate.turned:
            what = ", ".join(f"{many} × {why}" for why, many in self.gate.turned.most_common())
            log.warning("connections turned away in the last %g s: %s", SAID_EVERY_S, what)
            self.gate.turned.clear()
        self._later(SAID_EVERY_S, self._say)

    def _later(self, seconds: float, work: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        self._timers = [
            timer for timer in self._timers if timer.when() > loop.time() and not timer.cancelled()
        ]
        self._timers.append(loop.call_later(seconds, work))


class Seats:
    """ASGI middleware that reads a whole request, then asks the door for a seat; without a seat the
    answer is 503.

    Args:
        knows: tells whether a connection has shown the desk's token.
    """

    def __init__(self, app: ASGIApp, door: Door, knows: Callable[[HTTPConnection], bool]) -> None:
        self._app = app
        self._door = door
        self._knows = knows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "http" and (heard := await _whole(scope, receive)) is not None:
            receive = _again(heard, receive)
        if not self._door.asked(scope, holds=self._knows(HTTPConnection(scope))):
            await _full(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._door.answered(scope)


async def _whole(scope: Scope, receive: Receive) -> list[Message] | None:
    """Return the parts of a request's body; None if it is too large, or states no length: then it
    is refused unread."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    if b"transfer-encoding" in headers or not length.isdigit() or int(length) > BODY_LIMIT:
        return None
    heard = [await receive()]
    while heard[-1].get("more_body"):
        heard.append(await receive())
    return heard


def _again(heard: list[Message], receive: Receive) -> Callable[[], Awaitable[Message]]:
    parts = deque(heard)

    async def next_part() -> Message:
        return parts.popleft() if parts else await receive()

    return next_part


async def _full(scope: Scope, receive: Receive, send: Send) -> None:
    answer = refused(HTTPConnection(scope), 503, "full", FULL)
    answer.headers.update({**SECURITY_HEADERS, "connection": "close"})
    if scope["type"] == "http":
        await answer(scope, receive, send)
        return
    with contextlib.suppress(OSError):
        await send(
            {"type": "websocket.http.response.start", "status": 503, "headers": answer.raw_headers}
        )
        await send({"type": "websocket.http.response.body", "body": bytes(answer.body)})
    # uvicorn takes an answer that is no handshake for a fault, until the connection has ended
    await asyncio.sleep(0)
