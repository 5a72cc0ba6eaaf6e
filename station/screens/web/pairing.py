"""Pair a device from its browser, and show its doors.

    GET  /pair         the page on which a device asks to be let in
    POST /pair/ask     asks the core; the answer has the six digits and brings the cookie
    GET  /pair/me      who this device is here, and which pages are there for that role
    POST /pair/forget  forgets this device
    GET  /start        who I am, and my doors
    GET  /board        the public board

The secret is made here and goes to the device alone; the core gets its digest.
"""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, Field

from station.base.errors import WireError
from station.base.said import said
from station.screens.web.guard import PAIR_HEADER, Guard, can_be_sent, refused
from station.screens.web.passing import away, page_of_people, routes_of, told
from station.screens.web.people import NOT_PAIRED, People, key_of, refusal, spoken
from station.screens.web.people_pages import PEOPLE_PAGES
from station.screens.web.schema import (
    Asked,
    ClosedModel,
    Forgotten,
    Known,
    RefusedAnswer,
    Unknown,
    a_page,
    from_the_page,
)
from station.screens.web.turns import FewPerAddress
from station.screens.web.worded import ASK_AGAIN, page
from station.wire.wire import Message

log = logging.getLogger(__name__)

ASKED_EVERY_S = 10.0


def _sendable(name: str) -> str:
    can_be_sent({"name": name})
    return name


class Asking(ClosedModel):
    """A device asks to be let in.

    Attributes:
        name: what it calls itself.
    """

    name: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_sendable)]


def pairing_routes(
    guard: Guard, people: People, clock: Callable[[], float] = time.monotonic
) -> APIRouter:
    """Return the routes of whoever is paired, or wants to be."""
    routes = routes_of()
    asking = LastAsked(people, FewPerAddress(1, ASKED_EVERY_S, clock))
    _pages(routes, guard)

    @routes.post(
        "/pair/ask",
        response_model=Asked | RefusedAnswer,
        responses={429: {"model": RefusedAnswer, "description": "This address has just asked."}},
        **from_the_page(PAIR_HEADER),
    )
    async def ask(request: Request, wish: Asking) -> Response:
        """Ask to be let in. Only the pairing page may; it sends the header `X-Loto-Pair`."""
        if (why := guard.refuse_foreign(request, PAIR_HEADER)) is not None:
            return refused(request, status.HTTP_403_FORBIDDEN, "not-the-pair", why)
        return await asking.ask(request, wish.name)

    @routes.get("/pair/me", response_model=Known | Unknown)
    async def me(request: Request) -> Response:
        """Return who this device is here: `answer` of the core's question `me`, and `doors`; or
        `refused`, and `secured`, the address to ask at for more than a seat."""
        try:
            person = told(await people.person(request))
        except WireError:
            return away(request)
        more = (
            {"doors": doors(person["answer"])}
            if "answer" in person
            else {"secured": people.secured_address(request)}
        )
        return JSONResponse({**person, **more}, headers=ASK_AGAIN)

    @routes.post("/pair/forget", response_model=Forgotten, **from_the_page(PAIR_HEADER))
    async def forget(request: Request) -> Response:
        """Forget this device. Only a page of this station may, with the header `X-Loto-Pair`."""
        if (why := guard.refuse_foreign(request, PAIR_HEADER)) is not None:
            return refused(request, status.HTTP_403_FORBIDDEN, "not-the-pair", why)
        answer = JSONResponse({"ok": True}, headers=ASK_AGAIN)
        guard.forget(request, answer)
        people.remember(request, answer, "")
        await _forget(people, people.secret(request))
        return answer

    return routes


def _pages(routes: APIRouter, guard: Guard) -> None:
    @routes.get("/pair", **a_page())
    async def pair(request: Request) -> Response:
        return page(request, "pair")

    @routes.get("/board", **a_page())
    async def board(request: Request) -> Response:
        return page(request, "board")

    @routes.get("/start", **a_page(sends_to="/pair"))
    async def start(request: Request) -> Response:
        return await page_of_people(request, guard, "start")


def doors(person: Message) -> list[str]:
    """Return the pages that are there for somebody of this role, who may do these acts.

    >>> doors({"role": "cashier", "acts": ["ask", "sell"]}), doors({"role": "seat"})
    (['desk', 'health', 'board'], ['seat', 'board'])
    """
    may, role = {*person.get("acts", ())}, person.get("role")
    there = (one.name for one in PEOPLE_PAGES if one.name == role or may & {*one.door.split()})
    return [*there, "board"]


class LastAsked:
    """Whoever asked last; the same device may ask again, and keeps its secret until it is let in.
    Who was let in and asks again gets another one; that before it ends."""

    def __init__(self, people: People, patience: FewPerAddress) -> None:
        self._people = people
        self._patience = patience
        self._last = ""  # its digest; nobody but the device has the secret

    async def ask(self, request: Request, name: str) -> Response:
        """Ask the core to let a device in; return its digits, with its cookie."""
        address = request.client.host if request.client is not None else ""
        if left := self._patience.left(address):
            soon = said(
                "ask again in {seconds} seconds: one address asks once in ten",
                seconds=math.ceil(left),
            )
            told_so = refusal("too-soon", soon, spoken(request).get("lang"))
            wait = {"retry-after": str(math.ceil(left))}
            return JSONResponse(told_so, status.HTTP_429_TOO_MANY_REQUESTS, wait)
        cookie, before = self._people.cookie(request), self._people.secret(request)
        key = key_of(self._people.secret_of(request, cookie))
        try:
            is_in = key != self._last or "answer" in await self._people.person(request)
        except WireError:
            return away(request)
        if is_in:
            cookie = secrets.token_urlsafe(32)
            key = key_of(self._people.secret_of(request, cookie))
        asked: Message = {"pair": {"do": "ask", "name": name, "key": key}, **spoken(request)}
        try:
            answer = await self._people.ask(asked)
        except WireError:
            return away(request)
        told_it = JSONResponse(told(answer), headers=ASK_AGAIN)
        if "answer" in answer:
            self._last = key
            self._people.remember(request, told_it, cookie)
            if before is not None and key_of(before) != key:
                await _forget(self._people, before)
        return told_it


async def _forget(people: People, secret: str | None) -> None:
    """End the pairing of the device that has this secret."""
    if secret is None:
        return
    try:
        told = await people.ask({"pair": {"do": "forget"}}, secret)
    except WireError as error:
        told = {"refused": {"reason": "away", "say": str(error)}}
    if told.get("refused", {}).get("reason", NOT_PAIRED) != NOT_PAIRED:
        log.warning("a device was forgotten, but is let in yet: %s", told["refused"]["say"])
