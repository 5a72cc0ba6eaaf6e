"""Serve the caller's page: a whole evening led from a tablet, a laptop or a phone.

    GET  /caller      the page; a device that is not paired is sent to /pair
    POST /caller/ask  a question of the core's wire      POST /caller/do   an act of a caller

It is guarded as the desk is: what comes in here is from the person whose device it is, and the core
decides what he may. Of the acts a caller's are passed on; nobody sells, pays or banks from this
page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from station.web.guard import CALLER_HEADER, Guard
from station.web.passing import OpenModel, OrderId, PinTyped, Seen, page_routes, pass_on
from station.web.schema import passed_on

CallerAbout: TypeAlias = Literal[
    "me",
    "people",
    "night",
    "card",
    "ticket",
    "claims",
    "nearest",
    "press",
    "census",
    "self-test",
    "currency",
]
CallerAct: TypeAlias = Literal[
    "open",
    "draw",
    "hold",
    "release",
    "stop",
    "claim",
    "claim-ticket",
    "lots",
    "play-on",
    "undo",
    "approve",
    "break",
    "close",
    "close-night",
    "next-night",
    "auto",
    "repeat",
    "mute",
    "off",
    "census-begin",
    "census-end",
    "self-test-begin",
    "self-test-end",
    "waive",
]


class CallerQuestion(OpenModel):
    """A question that changes nothing; the core knows what each takes."""

    about: CallerAbout


class CallerWish(OpenModel):
    """An act to do; the core knows what each takes."""

    act: CallerAct


class CallerOrder(BaseModel):
    """One act. Sent again with the same id it gets the same answer, and is done once."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: OrderId
    do: CallerWish
    expect: Annotated[
        int | None, Field(ge=0, description="how many numbers the sender believes were called")
    ] = None
    seen: Annotated[Seen | None, Field(description="of an act that was asked about")] = None
    sure: Annotated[bool | None, Field(description="it was asked about, and is meant")] = None
    pin: Annotated[PinTyped | None, Field(description="of whoever else answers for it")] = None


def caller_routes(socket_path: Path, guard: Guard) -> APIRouter:
    """Return the routes of the caller's page.

    Args:
        guard: who may use them.
    """
    routes = page_routes("caller", guard)

    @routes.post("/ask", **passed_on(CALLER_HEADER))
    async def ask(request: Request, question: CallerQuestion) -> Response:
        """Ask the core. Only the caller's own page may; it sends the header `X-Loto-Caller`."""
        return await pass_on(
            socket_path, guard, request, CALLER_HEADER, {"ask": question.model_dump()}
        )

    @routes.post("/do", **passed_on(CALLER_HEADER))
    async def do(request: Request, order: CallerOrder) -> Response:
        """Send an act of a caller to the core. Only the caller's own page may; it sends the header
        `X-Loto-Caller`."""
        return await pass_on(
            socket_path, guard, request, CALLER_HEADER, order.model_dump(exclude_none=True)
        )

    return routes
