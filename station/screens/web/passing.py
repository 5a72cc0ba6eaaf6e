"""Share how the pages of the hall's people open and pass their requests on to the core.

A request is passed on as the person's whose device is paired, or with this process's rights. Its
JSON is read by the rules for all foreign texts: no key twice, no NaN, no brackets without end.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias

from fastapi import APIRouter, HTTPException, Request, Response, status
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field, model_validator

from station.base.errors import Unreadable, WireError
from station.base.untrusted import json_from
from station.screens.web.guard import Guard, can_be_sent, refused
from station.screens.web.people import AWAY, is_nobody, spoken
from station.screens.web.worded import ASK_AGAIN, page
from station.wire.wire import Client, Message


class _Asked(Request):
    """A request whose body is read by the strict rules."""

    async def json(self) -> Any:
        try:
            return json_from(await self.body())
        except Unreadable as error:
            raise HTTPException(status.HTTP_400_BAD_REQUEST, str(error)) from error


class _Route(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(_Asked(request.scope, request.receive))

        return strictly


def routes_of(prefix: str = "") -> APIRouter:
    """Return the routes of a page; every body that comes to them is read by the strict rules."""
    return APIRouter(prefix=prefix, route_class=_Route)


# -- requests that are passed on -------------------------------------------------------------------

ROLE = "admin"  # the role asked for; the core grants what this process's user may have
OrderId: TypeAlias = Annotated[str, Field(pattern="^[A-Za-z0-9-]{8,60}$")]
PinTyped: TypeAlias = Annotated[str, Field(pattern="^[0-9]{6}$")]
# The state that the sender saw: the table's mark, or the last line of the journal.
Seen: TypeAlias = Annotated[str, Field(pattern="^([0-9a-f]{16}|[0-9]{1,15})$")]


class OpenModel(BaseModel):
    """A model that keeps fields which only the core knows."""

    model_config = ConfigDict(extra="allow", strict=True)

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        can_be_sent(self.model_dump())
        return self


async def page_of_people(
    request: Request, guard: Guard, name: str, *, here: bool = False
) -> Response:
    """Return a page, by its name, to a paired device; send another one to where it is paired. Where
    the core is away the page says so.

    Args:
        here: whether it opens as the station's own user's too.
    """
    try:
        person = await guard.people.person(request)
    except WireError:
        person = {}
    own = here and is_nobody(person) and guard.opens_here(request)
    if "refused" in person and not own:
        return RedirectResponse("/pair", status.HTTP_303_SEE_OTHER, headers=ASK_AGAIN)
    return page(request, name)


def away(request: Request) -> Response:
    """Return what a page is told while the core does not answer."""
    return refused(request, status.HTTP_503_SERVICE_UNAVAILABLE, "away", AWAY)


async def pass_on(
    socket_path: Path, guard: Guard, request: Request, header: str, message: Message
) -> Response:
    """Pass a page's request on to the core; return its answer, or why the core was not reached.
    It is the paired person's whose device sends it, wherever that is; without one, the station's
    own user's.

    Args:
        header: the header that only this page sends.
    """
    if (why := guard.refuse_foreign(request, header)) is not None:
        page = header.removeprefix("x-loto-")
        return refused(request, status.HTTP_403_FORBIDDEN, f"not-the-{page}", why)
    message = {**message, **spoken(request)}
    try:
        answer = await guard.people.send(request, message)
        if is_nobody(answer):
            not_here = guard.refuse_here(request)
            if not_here is None:
                answer = await _as_own_user(socket_path, message)
            elif guard.people.secret(request) is None:
                return refused(request, status.HTTP_403_FORBIDDEN, *not_here)
    except WireError:
        return away(request)
    return JSONResponse(told(answer), headers=ASK_AGAIN)


async def fetch(socket_path: Path, guard: Guard, request: Request, message: Message) -> Message:
    """Return the core's answer to whoever opens an address of a page: only to read, for such a
    request may come from a link.

    Raises:
        WireError: the core is away.
    """
    message = {**message, **spoken(request)}
    answer = await guard.people.send(request, message)
    if is_nobody(answer) and guard.opens_here(request):
        return await _as_own_user(socket_path, message)
    return answer


async def _as_own_user(socket_path: Path, message: Message) -> Message:
    async with await Client.open(socket_path, ROLE) as client:
        return await client.request(message)


def told(answer: Message) -> Message:
    """Return what a page is told of the core's answer."""
    keys = ("ok", "seq", "number", "pin", "answer", "refused")
    return {key: answer[key] for key in keys if key in answer}
