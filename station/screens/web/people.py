"""Know a paired device by its cookie, and pass on what it sends as its person's.

The web gives nobody a right: it hands the device's secret on with each message, and the core says
whose it is and what he may do. A secret that went over plain http may have been heard: for the core
it is another one than the same cookie over TLS, and it is good for a seat alone unless the settings
allow more.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import HTTPConnection
from starlette.responses import Response

from station.base.said import PROGRAM, Sentence, said
from station.wire.wire import Client, Message
from station.wire.wording import languages
from station.wire.wording.refusals import load_refusals

# A browser takes the first one over TLS alone, from this host alone.
SECURED_COOKIE, PLAIN_COOKIE = "__Host-loto", "loto_seat"
SECRET = re.compile("[A-Za-z0-9_-]{43}")  # 256 bits
OVER_PLAIN_HTTP = "plain http: "
KEPT_S = 7 * 24 * 3600  # the core ends a pairing long before
# The least that a process may be: what comes from a device must never be the web's own wish.
ROLE = "watcher"
SEAT, NOT_PAIRED = "seat", "not-paired"
ME: Message = {"ask": {"about": "me"}}
# Connections to the core at once: for those it knows, and for everybody who says so. It serves 40
# of one user, and the board's line is one of them.
LANES = {True: 16, False: 4}
MOST_WAITING = 64
NOBODY = said("this device is not paired here: open /pair on it, and ask to be let in")
AWAY = said(
    "The station does not answer just now: what it is doing is not known. Try again in a moment."
)
FULL = said("too many ask the station at once: try again in a few seconds")
LANGUAGES = frozenset(languages())


def is_secured(connection: HTTPConnection) -> bool:
    """Return whether a connection came over TLS."""
    return connection.scope.get("scheme", "http") in ("https", "wss")


def spoken(connection: HTTPConnection) -> Message:
    """Return the language in which a page wants its answers, as a part of a message: the first that
    it accepts and the station has. Empty where it says none, and the hall's is meant."""
    for wanted in connection.headers.get("accept-language", "").split(","):
        code = wanted.partition(";")[0].strip().partition("-")[0].lower()
        if code in LANGUAGES:
            return {"lang": code}
    return {}


def in_words(connection: HTTPConnection, sentence: Sentence) -> str:
    """Return a sentence of the web's own in the language of whoever asks, or else in English."""
    lang = spoken(connection).get("lang")
    return sentence.told(load_refusals(lang) if lang else {}, program=PROGRAM)


def refusal(reason: str, sentence: Sentence, lang: str | None) -> Message:
    """Return a refusal of the web's own: a reason for programs, a sentence for people in their
    language, or else in English."""
    sentences = load_refusals(lang) if lang else {}
    return {"refused": {"reason": reason, "say": sentence.told(sentences, program=PROGRAM)}}


def nobody(connection: HTTPConnection) -> Message:
    """Return what a device is told that has no cookie of ours."""
    return refusal(NOT_PAIRED, NOBODY, spoken(connection).get("lang"))


def is_nobody(told: Message) -> bool:
    """Return whether an answer says that the device is nobody's, or not any more."""
    return bool(told.get("refused", {}).get("reason") == NOT_PAIRED)


def key_of(secret: str) -> str:
    """Return the digest by which the core knows a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class People:
    """The paired devices.

    Args:
        socket_path: the core's socket.
        tls_port: where the same pages are served with TLS; None where they are not.
        plain: whether everybody who is paired is let in over plain http, too.
    """

    def __init__(self, socket_path: Path, *, tls_port: int | None, plain: bool) -> None:
        self._path = socket_path
        self._tls_port = tls_port
        self._plain = plain
        self._known: set[str] = set()
        self._waiting = 0
        self._lanes = {known: asyncio.Semaphore(many) for known, many in LANES.items()}

    def cookie(self, connection: HTTPConnection) -> str:
        """Return the cookie of the device that asks; empty where it has none that we gave."""
        cookie = connection.cookies.get(_cookie(connection), "")
        return cookie if SECRET.fullmatch(cookie) else ""

    def secret(self, connection: HTTPConnection) -> str | None:
        """Return the secret of the device that asks; None where it has none."""
        cookie = self.cookie(connection)
        return self.secret_of(connection, cookie) if cookie else None

    def secret_of(self, connection: HTTPConnection, cookie: str) -> str:
        """Return what a device's cookie is for the core."""
        return cookie if is_secured(connection) else OVER_PLAIN_HTTP + cookie

    def holds(self, connection: HTTPConnection) -> bool:
        """Return whether a device is one that the core knew when it was last asked."""
        secret = self.secret(connection)
        return secret is not None and key_of(secret) in self._known

    def remember(self, connection: HTTPConnection, answer: Response, cookie: str) -> None:
        """Have the device keep its cookie; an empty one is taken away."""
        answer.set_cookie(
            _cookie(connection),
            cookie,
            max_age=KEPT_S if cookie else 0,
            secure=is_secured(connection),
            httponly=True,
            samesite="strict",
        )

    async def person(self, connection: HTTPConnection) -> Message:
        """Return who asks, as the core's `answer`; or its `refused`.

        Raises:
            WireError: the core is away.
        """
        secret = self.secret(connection)
        if secret is None:
            return nobody(connection)
        told = await self.ask({**ME, **spoken(connection)}, secret)
        if "refused" in told or self._carries(connection, told.get("answer", {})):
            return told
        elsewhere = self._elsewhere(connection, told)
        return refusal("only-with-tls", elsewhere, spoken(connection).get("lang"))

    async def send(self, connection: HTTPConnection, message: Message) -> Message:
        """Send a message as the person whose device it comes from; return the core's answer.

        Raises:
            WireError: the core is away.
        """
        secret = self.secret(connection)
        if secret is None:
            return nobody(connection)
        if not (is_secured(connection) or self._plain):
            person = await self.person(connection)
            if "refused" in person:
                return person
        return await self.ask(message, secret)

    async def ask(self, message: Message, secret: str | None = None) -> Message:
        """Ask the core, for the device with this secret if there is one; return its answer.

        Raises:
            WireError: the core is away.
        """
        key = "" if secret is None else key_of(secret)
        if self._waiting >= MOST_WAITING and key not in self._known:
            return refusal("full", FULL, message.get("lang"))
        self._waiting += 1
        try:
            async with (
                self._lanes[key in self._known],
                await Client.open(self._path, ROLE, "request") as client,
            ):
                told = await client.request(
                    message if secret is None else {**message, "secret": secret}
                )
        finally:
            self._waiting -= 1
        if is_nobody(told):
            self._known.discard(key)
        elif key:
            self._known.add(key)
        return told

    def secured_address(self, connection: HTTPConnection) -> str | None:
        """Return where a device on plain http can be more than a seat; None: here, or nowhere."""
        if is_secured(connection) or self._plain or self._tls_port is None:
            return None
        host = re.sub(r":[0-9]+$", "", connection.headers.get("host", ""))
        return f"https://{host}:{self._tls_port}/pair"

    def _carries(self, connection: HTTPConnection, person: Mapping[str, object]) -> bool:
        return is_secured(connection) or self._plain or person.get("role") == SEAT

    def _elsewhere(self, connection: HTTPConnection, told: Message) -> Sentence:
        address = self.secured_address(connection)
        role = told.get("answer", {}).get("role")
        where = (
            said("open {address} on it, and ask again there", address=address)
            if address
            else said("this station has no encrypted address just now")
        )
        return said(
            "this device is let in as {role}, but over plain http, where others can listen, there"
            " are seats only: {where}",
            role=Sentence(str(role)),
            where=where,
        )


def _cookie(connection: HTTPConnection) -> str:
    return SECURED_COOKIE if is_secured(connection) else PLAIN_COOKIE
