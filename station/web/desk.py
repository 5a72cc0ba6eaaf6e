"""Serve the desk: sale, claims and payment on a page, for the person at the station.

    GET  /desk       the page
    POST /desk/ask   a question of the core's wire       POST /desk/do   an act of a desk
    GET  /desk/receipt.pdf   a receipt that was made

What a paired device sends reaches the core as its person's, who may do what his role may. What
comes with the token, or from this machine alone, reaches it with this process's own rights, which
the core knows from the kernel: in `./loto run` they are the station's. Nothing here gives anybody a
right. Of the acts only a desk's are passed on: nobody draws, opens or takes back from this page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from station.web.guard import DESK_HEADER, Guard
from station.web.papers import receipt_route
from station.web.passing import OpenModel, OrderId, PinTyped, Seen, page_routes, pass_on
from station.web.schema import passed_on

About: TypeAlias = Literal[
    "me",
    "card",
    "ticket",
    "claims",
    "owed",
    "cards",
    "money",
    "night",
    "nearest",
    "currency",
    "paper",
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
    "bank",
    "break",
]


class Question(OpenModel):
    """A question that changes nothing; the core knows what each takes."""

    about: About


class Wanted(OpenModel):
    """An act to do; the core knows what each takes."""

    act: DeskAct


class Order(BaseModel):
    """One act. Sent again with the same id it gets the same answer, and is done once."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: OrderId
    do: Wanted
    seen: Annotated[Seen | None, Field(description="of an act that was asked about")] = None
    sure: Annotated[bool | None, Field(description="it was asked about, and is meant")] = None
    pin: Annotated[PinTyped | None, Field(description="of whoever else answers for it")] = None


def desk_routes(socket_path: Path, guard: Guard) -> APIRouter:
    """Return the desk's routes.

    Args:
        guard: who may use them.
    """
    routes = page_routes("desk", guard)
    receipt_route(routes, socket_path, guard)

    @routes.post("/ask", **passed_on(DESK_HEADER))
    async def ask(request: Request, question: Question) -> Response:
        """Ask the core. Only the desk's own page may; it sends the header `X-Loto-Desk`."""
        return await pass_on(
            socket_path, guard, request, DESK_HEADER, {"ask": question.model_dump()}
        )

    @routes.post("/do", **passed_on(DESK_HEADER))
    async def do(request: Request, order: Order) -> Response:
        """Send a desk's act to the core. Only the desk's own page may; it sends the header
        `X-Loto-Desk`."""
        more = order.model_dump(include={"seen", "sure", "pin"}, exclude_none=True)
        return await pass_on(
            socket_path,
            guard,
            request,
            DESK_HEADER,
            {"id": order.id, "do": order.do.model_dump(), **more},
        )

    return routes
