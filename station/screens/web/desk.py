"""Serve the desk: sale, claims and payment on a page, for the person at the station.

    GET  /desk       the page, or the sentence why there is none
    POST /desk/ask   a question of the core's wire       POST /desk/do   an act of a desk

What comes in here reaches the core with this process's own rights, which the core knows from the
kernel: in `./loto run` they are the station's, an installed web has a user of its own that only
watches, and the core refuses it. Nothing here gives anybody a right. Of the acts only a desk's are
passed on: nobody draws, opens or takes back from this page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from station.screens.web.guard import DESK_HEADER, Guard
from station.screens.web.passing import OpenModel, OrderId, Seen, page_routes, pass_on

NOT_HERE = (
    "Sale and claims are not kept on a page here: key them on the station, with ./loto sell, ./loto"
    " claim and ./loto pay. The public board is at /."
)

About: TypeAlias = Literal[
    "card", "ticket", "claims", "owed", "cards", "money", "night", "nearest", "currency"
]
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


class Question(OpenModel):
    """A question that changes nothing; the core knows what each takes."""

    about: About


class Wanted(OpenModel):
    """An act to do; the core knows what each takes."""

    act: DeskAct


class Order(BaseModel):
    """One act. Sent again with the same id it gets the same answer, and is done once."""

    model_config = ConfigDict(extra="forbid")

    id: OrderId
    do: Wanted
    seen: Annotated[Seen | None, Field(description="of an act that was asked about")] = None
    sure: Annotated[bool | None, Field(description="it was asked about, and is meant")] = None


def desk_routes(socket_path: Path, guard: Guard, *, offered: bool) -> APIRouter:
    """Return the desk's routes.

    Args:
        guard: who may use them.
        offered: False where this address may be anybody's: then there is no desk, and the page says
            what to do instead.
    """
    routes = page_routes("desk", guard, None if offered else NOT_HERE)
    if not offered:
        return routes

    @routes.post("/ask")
    async def ask(request: Request, question: Question) -> Response:
        """Ask the core. Only the desk's own page may; it sends the header `X-Loto-Desk`."""
        return await pass_on(
            socket_path, guard, request, DESK_HEADER, {"ask": question.model_dump()}
        )

    @routes.post("/do")
    async def do(request: Request, order: Order) -> Response:
        """Send a desk's act to the core. Only the desk's own page may; it sends the header
        `X-Loto-Desk`."""
        sure = order.model_dump(include={"seen", "sure"}, exclude_none=True)
        return await pass_on(
            socket_path,
            guard,
            request,
            DESK_HEADER,
            {"id": order.id, "do": order.do.model_dump(), **sure},
        )

    return routes
