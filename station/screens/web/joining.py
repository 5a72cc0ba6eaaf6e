"""Let a player's phone join the table while its host holds it open.

    GET  /join         the page; it brings the cookie that becomes the phone's secret
    POST /join/enter   takes the next free seat with a name
    POST /table/join   of the host's page: open the table, shut it, show who has joined

The secret is made here and goes to the phone alone; the core gets its digest. A phone has it before
it asks: an answer that is lost on the way costs nobody a seat.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, Field

from station.base.errors import WireError
from station.base.said import said
from station.screens.web.gate import FewPerAddress
from station.screens.web.guard import Guard, can_be_sent, refused
from station.screens.web.passing import away, pass_on, routes_of, told
from station.screens.web.people import SEAT, People, key_of, refusal, spoken
from station.screens.web.schema import (
    ClosedModel,
    DoneAnswer,
    RefusedAnswer,
    a_page,
    from_the_page,
    passed_on,
)
from station.screens.web.worded import ASK_AGAIN, page
from station.wire.wire import Message

HEADER = "x-loto-join"  # of the page, which alone sends it
HOST_HEADER = "x-loto-table"
# A whole table behind one address, with a few tries each.
MOST_TRIES, IN_S = 120, 60.0


def _sendable(name: str) -> str:
    can_be_sent({"name": name})
    return name


class Entering(ClosedModel):
    """A player takes a seat."""

    name: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_sendable)]


class Holding(ClosedModel):
    """The host opens the table for a minute, shuts it, or asks who has joined."""

    do: Literal["open", "shut", "show"]


def joining_routes(
    guard: Guard, people: People, clock: Callable[[], float] = time.monotonic
) -> APIRouter:
    """Return the routes of a player who joins."""
    routes = routes_of()
    tries = FewPerAddress(MOST_TRIES, IN_S, clock)

    @routes.get("/join", **a_page())
    async def join(request: Request) -> Response:
        answer = page(request, "join")
        if not await _is_known(people, request):
            people.remember(request, answer, secrets.token_urlsafe(32))
        return answer

    @routes.post(
        "/join/enter",
        response_model=DoneAnswer | RefusedAnswer,
        responses={429: {"model": RefusedAnswer, "description": "This address asks too often."}},
        **from_the_page(HEADER),
    )
    async def enter(request: Request, wish: Entering) -> Response:
        """Take the next free seat. Only the joining page may; it sends the header `X-Loto-Join`."""
        if (why := guard.refuse_foreign(request, HEADER)) is not None:
            return refused(request, status.HTTP_403_FORBIDDEN, "not-the-join", why)
        address = request.client.host if request.client is not None else ""
        if left := tries.left(address):
            return _too_often(request, math.ceil(left))
        return await _enter(people, request, wish.name)

    return routes


def holding_route(routes: APIRouter, socket_path: Path, guard: Guard) -> None:
    """Serve what the host's page says about joining."""

    @routes.post("/join", **passed_on(HOST_HEADER))
    async def hold(request: Request, wish: Holding) -> Response:
        """Open the table for players, shut it, or show who has joined. Only the table page itself
        may; it sends the header `X-Loto-Table`."""
        return await pass_on(socket_path, guard, request, HOST_HEADER, {"join": wish.model_dump()})


async def _is_known(people: People, request: Request) -> bool:
    """Return whether the phone has a secret that it must keep: it has a seat or another work by it,
    or nobody can say just now."""
    try:
        person = (await people.person(request)).get("answer", {})
    except WireError:
        return True
    return bool(person) and (person["role"] != SEAT or bool(person["seat"]))


async def _enter(people: People, request: Request, name: str) -> Response:
    cookie, secret = people.cookie(request), people.secret(request)
    if secret is None:
        why = said(
            "This browser keeps no cookie of this page, and without one a seat cannot be yours."
            " Allow cookies, then load the page again."
        )
        lang = spoken(request).get("lang")
        answer = JSONResponse(refusal("no-cookie", why, lang), headers=ASK_AGAIN)
        people.remember(request, answer, secrets.token_urlsafe(32))
        return answer
    do: Message = {"do": "enter", "name": name, "key": key_of(secret)}
    try:
        done = await people.ask({"join": do, **spoken(request)})
    except WireError:
        return away(request)
    answer = JSONResponse(told(done), headers=ASK_AGAIN)
    if "ok" in done:
        people.remember(request, answer, cookie)
    return answer


def _too_often(request: Request, seconds: int) -> Response:
    why = said(
        "Too many tries from this address: at most {most} in a minute. Try again in {seconds}"
        " seconds.",
        most=MOST_TRIES,
        seconds=seconds,
    )
    answer = refused(request, status.HTTP_429_TOO_MANY_REQUESTS, "too-soon", why)
    answer.headers["retry-after"] = str(seconds)
    return answer
