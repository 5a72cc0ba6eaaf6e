"""The desk: sale, claims and payment on a page, for the person at the station.

    GET  /desk       the page, or the sentence why there is none
    POST /desk/ask   a question of the core's wire       POST /desk/do   an act of a desk

What comes in here reaches the core with this process's own rights, which the core knows from the kernel: in `./loto run` they are
the station's, an installed web has a user of its own that only watches, and the core refuses it. Nothing here gives anybody a
right. Of the acts only a desk's are passed on: nobody draws, opens or takes back over the network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field, model_validator

from station.errors import WireError
from station.web.guard import ASK_AGAIN, DESK_HEADER, Guard, can_be_sent, refused
from station.wire import Client, Message

ROLE = "admin"  # asked for; the core gives what this process's user has
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


class _Open(BaseModel):
    """What else it says, the core knows."""

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        can_be_sent(self.model_dump())
        return self


class Question(_Open):
    """A question that changes nothing; what each takes, the core knows."""

    about: About


class Wanted(_Open):
    """What is to be done; what each act takes, the core knows."""

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
        return guard.page(request, Path(__file__).parent / "pages" / "desk.html")

    @routes.post("/ask")
    async def ask(request: Request, question: Question) -> Response:
        """Asks the core. Only the desk's own page may; it sends the header `X-Loto-Desk`."""
        return await _pass_on(request, {"ask": question.model_dump()})

    @routes.post("/do")
    async def do(request: Request, order: Order) -> Response:
        """Has the core do a desk's act. Only the desk's own page may; it sends the header `X-Loto-Desk`."""
        return await _pass_on(request, {"id": order.id, "do": order.do.model_dump()})

    async def _pass_on(request: Request, message: Message) -> Response:
        if (why := guard.refuse_request(request, DESK_HEADER)) is not None:
            return refused(status.HTTP_403_FORBIDDEN, "not-the-desk", why)
        try:
            async with await Client.open(socket_path, ROLE) as client:
                answer = await client.request(message)
        except WireError as error:
            return refused(status.HTTP_503_SERVICE_UNAVAILABLE, "away", str(error))
        return JSONResponse({key: answer[key] for key in ("ok", "seq", "answer", "refused") if key in answer}, headers=ASK_AGAIN)

    return routes
