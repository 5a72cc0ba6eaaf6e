"""The desk: sale, claims and payment on a page, for the person at the station.

    GET  /desk       the page, or the sentence why there is none
    POST /desk/ask   a question of the core's wire       POST /desk/do   an act of a desk

What comes in here reaches the core with this process's own rights, which the core knows from the kernel: in `./loto run` they are
the station's, an installed web has a user of its own that only watches, and the core refuses it. Nothing here gives anybody a
right. Of the acts only a desk's are passed on: nobody draws, opens or takes back over the network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from station.errors import WireError
from station.web.guard import COOKIE, DESK_HEADER, Guard
from station.wire import Client, Message

ROLE = "admin"  # asked for; the core gives what this process's user has
NO_CACHE = {"cache-control": "no-cache"}
NOT_HERE = (
    "Sale and claims are not kept on a page here: key them on the station, with ./loto sell, ./loto claim and ./loto pay. "
    "The public board is at /."
)

About: TypeAlias = Literal["card", "ticket", "claims", "owed", "cards", "money", "night", "nearest", "currency"]
DeskAct: TypeAlias = Literal[
    "sell",
    "return",
    "count-cash",
    "claim",
    "claim-ticket",
    "lots",
    "play-on",
    "pay",
    "approve",
    "redeem",
    "recover",
]


class Question(BaseModel):
    """A question that changes nothing; what each takes, the core knows."""

    model_config = ConfigDict(extra="allow")

    about: About


class Wanted(BaseModel):
    """What is to be done; what each act takes, the core knows."""

    model_config = ConfigDict(extra="allow")

    act: DeskAct


class Order(BaseModel):
    """One act. Sent again with its id it is answered the same, and done once."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(pattern="^[A-Za-z0-9-]{8,60}$")]
    do: Wanted


def desk_routes(socket_path: Path, guard: Guard, *, offered: bool) -> APIRouter:
    """The desk's routes.

    Args:
        guard: who may use them.
        offered: False where this address may be anybody's: then there is no desk, and the page says what to do instead.
    """
    routes = APIRouter(prefix="/desk")
    if not offered:

        @routes.get("", include_in_schema=False)
        async def nothing() -> Response:
            return PlainTextResponse(NOT_HERE, status.HTTP_404_NOT_FOUND)

        return routes

    @routes.get("", include_in_schema=False)
    async def page(request: Request) -> Response:
        if why := guard.refuse_page(request):
            return PlainTextResponse(why, status.HTTP_403_FORBIDDEN)
        answer = FileResponse(Path(__file__).parent / "pages" / "desk.html", headers=NO_CACHE)
        if cookie := guard.cookie():
            answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict")
        return answer

    @routes.post("/ask")
    async def ask(request: Request, question: Question) -> Response:
        """Asks the core. Only the desk's own page may; it sends the header `X-Loto-Desk`."""
        return await _pass_on(request, {"ask": question.model_dump()})

    @routes.post("/do")
    async def do(request: Request, order: Order) -> Response:
        """Has the core do a desk's act. Only the desk's own page may; it sends the header `X-Loto-Desk`."""
        return await _pass_on(request, {"id": order.id, "do": order.do.model_dump()})

    async def _pass_on(request: Request, message: Message) -> Response:
        why = guard.refuse_hand(request)
        if why is None and DESK_HEADER not in request.headers:
            why = "The header X-Loto-Desk is missing: open /desk on this station."
        if why is not None:
            return _refused(status.HTTP_403_FORBIDDEN, "not-the-desk", why)
        try:
            async with await Client.open(socket_path, ROLE) as client:
                answer = await client.request(message)
        except WireError as error:
            return _refused(status.HTTP_503_SERVICE_UNAVAILABLE, "away", str(error))
        return JSONResponse({key: answer[key] for key in ("ok", "seq", "answer", "refused") if key in answer}, headers=NO_CACHE)

    return routes


def _refused(code: int, reason: str, say: str) -> JSONResponse:
    content: dict[str, Any] = {"refused": {"reason": reason, "say": say}}
    return JSONResponse(content, status_code=code)
