"""Decide who may do what over the network: everybody may watch, only the bench's own page may move
the hands, only the desk's may sell.

The board is public to whoever is in the hall, not to a foreign page that is open there: on every
line the name asked for (`Host`) is the station's own, and the page that asks (`Origin`) the
station's, where it is a page at all. Bench, desk and table are for the person at this machine: what
is sent there must come from the page itself, and under an address that nobody can give himself.
With a token, for a machine without a screen or with real devices, whoever opened such a page's
address with the token gets a cookie, and only that counts. Desk and table are open to paired
devices too (`station.screens.web.people`), wherever the station runs; such a device is its
person's first.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator
from starlette import status
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from station.base.errors import Unreadable
from station.base.said import Sentence, said
from station.screens.web.people import NOBODY, NOT_PAIRED, People, in_words, is_secured, key_of
from station.screens.web.portal import Portal
from station.screens.web.worded import page
from station.wire.wire import decode, encode

COOKIE = "loto_bench"
# By whether it came over TLS: a browser takes the first one there alone, from this host alone.
COOKIES: Mapping[bool, str] = {True: "__Host-loto-token", False: COOKIE}
MOST_PASSES = 64  # browsers that have shown the token; the one that did so first goes
HAND_HEADER, PAIR_HEADER = "x-loto-bench", "x-loto-pair"
BODY_LIMIT = 8192  # twenty-four players with long names in a script of three bytes a letter

FOR_NOW = (status.HTTP_429_TOO_MANY_REQUESTS, status.HTTP_503_SERVICE_UNAVAILABLE)
RETRY_AFTER_S = 5
MOST_HEADERS = 16 * 1024  # bytes, names and values together

HOST = re.compile(r"(?P<name>[a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
# What a network gives its own machines; no foreign site can have a name below these. Nor one
# without a dot: `http://loto:8090`.
HOME_DOMAINS = (".local", ".localhost", ".lan", ".home.arpa", ".internal")

SECURITY_HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """A guard who decides who may watch, and who may use the bench, the desk and the table.

    Args:
        token: the secret of their addresses, or None where only this machine can reach them.
        names: other names of the station in its network than its addresses and those that are its
            network's own.
        people: the paired devices.
        here: whether desk and table are open to whoever has the token, or to this machine, as the
            station's own user; else they are to paired devices alone.
    """

    def __init__(
        self, token: str | None, names: Iterable[str], people: People, *, here: bool = True
    ) -> None:
        self._token = token
        self._here = here
        self.people = people
        self._names = {name.lower() for name in names}
        self._passes: dict[tuple[bool, str], None] = {}  # their digests; the oldest first

    def refuse(self, connection: HTTPConnection) -> Sentence | None:
        """Return why a connection gets no answer at all, as a sentence: a foreign page asks, or a
        foreign host name was used. None if it gets one."""
        name = _name(connection)
        if not (_is_address(name) or self._is_ours(name) or self.knows(connection)):
            return said(
                "This station is not called {name}: use its address, such as"
                " http://192.168.1.7:8090, or add the name to [web] names in its settings.",
                name=name or said("what was asked for"),
            )
        if "origin" in connection.headers and not _from_itself(connection):
            return said("Another site's page asks: open the station's own page.")
        return None

    def keeps_seat(self, connection: HTTPConnection) -> bool:
        """Return whether a connection is one of those whose work must go on in a full house."""
        return self.knows(connection) or self.people.holds(connection)

    def knows(self, connection: HTTPConnection) -> bool:
        """Return whether the connection has shown the token, now or before."""
        if self._token is None:
            return False
        return self._has_pass(connection) or _same(
            connection.query_params.get("token", ""), self._token
        )

    def _is_ours(self, name: str) -> bool:
        return bool(name) and (
            "." not in name or name.endswith(HOME_DOMAINS) or name in self._names
        )

    def opens_here(self, connection: HTTPConnection) -> bool:
        """Return whether a page of the hall's people opens as the station's own user's."""
        return self._here and self.refuse_page(connection) is None

    def refuse_here(self, connection: HTTPConnection) -> tuple[str, Sentence] | None:
        """Return why a request of such a page is not the station's own user's: a reason for
        programs, a sentence for people. None where it is."""
        if not self._here:
            return NOT_PAIRED, NOBODY
        why = self.refuse_hand(connection)
        return None if why is None else ("not-the-station", why)

    def refuse_foreign(self, connection: HTTPConnection, header: str) -> Sentence | None:
        """Return why a request is not one that a page of this station sent, as a sentence."""
        if not _from_itself(connection):
            return said("Only this station's own page may do that: open it here.")
        if header not in connection.headers:
            return said(
                "The header {header} is missing: open the page on this station.",
                header=header.title(),
            )
        return None

    def page(self, connection: HTTPConnection, name: str) -> Response:
        """Return a page, by its name, with the cookie that its requests must send; or a sentence
        why not. Whoever shows the token gets a new one, in place of what he had."""
        if why := self.refuse_page(connection):
            return PlainTextResponse(in_words(connection, why), status.HTTP_403_FORBIDDEN)
        answer = page(connection, name)
        if self._token is not None and "token" in connection.query_params:
            self._end(connection)
            self.remember(connection, answer)
        return answer

    def remember(self, connection: HTTPConnection, answer: Response) -> None:
        """Have a browser that has shown the token send a cookie from now on."""
        cookie, secured = secrets.token_urlsafe(32), is_secured(connection)
        while len(self._passes) >= MOST_PASSES:
            del self._passes[next(iter(self._passes))]
        self._passes[secured, key_of(cookie)] = None
        answer.set_cookie(
            COOKIES[secured], cookie, secure=secured, httponly=True, samesite="strict"
        )

    def forget(self, connection: HTTPConnection, answer: Response) -> None:
        """End what a browser's cookie opens, and take the cookie away."""
        secured = is_secured(connection)
        if COOKIES[secured] in connection.cookies:
            self._end(connection)
            answer.delete_cookie(COOKIES[secured], secure=secured, httponly=True, samesite="strict")

    def refuse_page(self, connection: HTTPConnection) -> Sentence | None:
        """Return why a page is not shown, as a sentence; None if it is shown."""
        if self._token is None:
            return _refuse_host(connection)
        if self.knows(connection):
            return None
        return said(
            "This page opens with its whole address, token and all: it stands in the terminal where"
            " the station was started."
        )

    def refuse_hand(self, connection: HTTPConnection) -> Sentence | None:
        """Return why a page's request or line is refused, as a sentence; None if it is not."""
        if not _from_itself(connection):
            return said(
                "Only this station's own page may do that: open /bench, /desk or /table here."
            )
        if self._token is None:
            return _refuse_host(connection)
        if not self._has_pass(connection):
            return said(
                "This browser has not opened the page with its token yet: use the address in the"
                " terminal."
            )
        return None

    def refuse_request(self, connection: HTTPConnection, header: str) -> Sentence | None:
        """Return why a request is refused, as `refuse_hand`. It must have its page's header, which
        a form on a foreign page cannot send."""
        why = self.refuse_hand(connection)
        if why is None and header not in connection.headers:
            return said(
                "The header {header} is missing: open /bench, /desk or /table on this station.",
                header=header.title(),
            )
        return why

    def _has_pass(self, connection: HTTPConnection) -> bool:
        return _pass_of(connection) in self._passes

    def _end(self, connection: HTTPConnection) -> None:
        self._passes.pop(_pass_of(connection), None)


def _pass_of(connection: HTTPConnection) -> tuple[bool, str]:
    secured = is_secured(connection)
    return secured, key_of(connection.cookies.get(COOKIES[secured], ""))


def refused(connection: HTTPConnection, code: int, reason: str, sentence: Sentence) -> JSONResponse:
    """Return a refusal: a reason for programs, a sentence for people in the language in which they
    ask. One that ends by itself says when to ask again."""
    say = in_words(connection, sentence)
    headers = {"retry-after": str(RETRY_AFTER_S)} if code in FOR_NOW else {}
    return JSONResponse({"refused": {"reason": reason, "say": say}}, code, headers)


def can_be_sent(given: dict[str, Any]) -> dict[str, Any]:
    """Return a value that the wire can carry and its other end reads, unchanged.

    Raises:
        ValueError: it cannot: NaN, half a character, deep nesting, a key without end.
    """
    try:
        decode(encode({"do": given}))
    except RecursionError as error:
        raise ValueError("too many brackets within brackets") from error
    except Unreadable as error:
        raise ValueError(str(error)) from error
    return given


Sendable: TypeAlias = Annotated[dict[str, Any], AfterValidator(can_be_sent)]


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(), secret.encode())


def _name(connection: HTTPConnection) -> str:
    """Return the host asked for, name or address, without its port; empty if none, or malformed."""
    asked = HOST.fullmatch(connection.headers.get("host", "").lower())
    return asked["name"] if asked else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _from_itself(connection: HTTPConnection) -> bool:
    """Return whether the asking page is the station's own: of this port, as it is served there."""
    scheme = "https" if is_secured(connection) else "http"
    return (
        bool(_name(connection))
        and connection.headers.get("origin", "").lower()
        == f"{scheme}://{connection.headers['host']}".lower()
    )


def _refuse_host(connection: HTTPConnection) -> Sentence | None:
    # A foreign site can point a *name* of its own at 127.0.0.1 and then passes for the same origin;
    # it cannot own an address.
    name = _name(connection)
    if name == "localhost" or _is_address(name):
        return None
    return said(
        "This page is not at {name}: use http://127.0.0.1 with the station's port.",
        name=name or said("an address without a name"),
    )


class Frontier:
    """ASGI middleware that refuses foreign pages and large requests, and adds security headers.

    Args:
        guard: decides which names are the station's.
        portal: answers what asks under other names in the station's own Wi-Fi.
    """

    def __init__(self, app: ASGIApp, guard: Guard, portal: Portal) -> None:
        self._app = app
        self._guard = guard
        self._portal = portal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        why = self._guard.refuse(connection)
        if scope["type"] == "websocket":
            if why is None:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close"})  # before it was accepted: 403
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY_HEADERS)
            await send(message)

        if (told := self._portal.answer(scope, foreign=why is not None)) is not None:
            await told(scope, receive, send_guarded)
            return
        if why is not None:
            await refused(connection, status.HTTP_403_FORBIDDEN, "not-this-station", why)(
                scope, receive, send_guarded
            )
            return
        if (large := _too_large(scope)) is not None:
            code, why = large
            await refused(connection, code, "too-large", why)(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)


class Bounded:
    """ASGI middleware of a page without a guard of its own: it refuses foreign pages and names, and
    requests that are too large, and adds security headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})  # before it was accepted: 403
            return
        connection, name = HTTPConnection(scope), _name(HTTPConnection(scope))
        at_home = _is_address(name) or "." not in name or name.endswith(HOME_DOMAINS)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for header, value in SECURITY_HEADERS.items():
                    headers.setdefault(header, value)
            await send(message)

        answer: Response | None = None
        if not name or not at_home:
            why = said(
                "This page is not at {name}: use http://127.0.0.1 with the station's port.",
                name=name or said("an address without a name"),
            )
            answer = refused(connection, status.HTTP_403_FORBIDDEN, "not-this-station", why)
        elif "origin" in connection.headers and not _from_itself(connection):
            why = said("Another site's page asks: open the station's own page.")
            answer = refused(connection, status.HTTP_403_FORBIDDEN, "not-this-station", why)
        elif (large := _too_large(scope)) is not None:
            answer = refused(connection, large[0], "too-large", large[1])
        if answer is not None:
            await answer(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)


def _too_large(scope: Scope) -> tuple[int, Sentence] | None:
    """Return the code and the sentence for a request whose headers or body are too large."""
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
        return 431, said(
            "The request's headers are too large: at most {most} bytes.", most=MOST_HEADERS
        )
    headers = Headers(scope=scope)
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not length.isdecimal() or int(length) > BODY_LIMIT:
        return 413, said(
            "The request is too large: at most {most} bytes, with its length said beforehand.",
            most=BODY_LIMIT,
        )
    return None
