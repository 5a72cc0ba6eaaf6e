"""Serve the treasurer's page: the night's money as it stands, counted, approved, banked, reported.

    GET  /treasurer              the page; a device that is not paired is sent to /pair
    POST /treasurer/ask          a question of the core's wire
    POST /treasurer/do           an act of a treasurer
    GET  /treasurer/report.pdf   a report that was made     GET  /treasurer/receipt.pdf   a receipt

It is guarded as the desk is: what comes in here is from the person whose device it is, and the core
decides what he may. Nobody sells or pays from this page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from station.web.guard import TREASURER_HEADER, Guard
from station.web.papers import receipt_route, report_route
from station.web.passing import OpenModel, OrderId, PinTyped, Seen, page_routes, pass_on
from station.web.schema import passed_on

TreasurerAbout: TypeAlias = Literal["me", "money", "owed", "night", "currency", "paper"]
TreasurerAct: TypeAlias = Literal["count-cash", "bank", "approve"]


class TreasurerQuestion(OpenModel):
    """A question that changes nothing; the core knows what each takes."""

    about: TreasurerAbout


class TreasurerWish(OpenModel):
    """An act to do; the core knows what each takes."""

    act: TreasurerAct


class TreasurerOrder(BaseModel):
    """One act. Sent again with the same id it gets the same answer, and is done once."""

    model_config = ConfigDict(extra="forbid")

    id: OrderId
    do: TreasurerWish
    seen: Annotated[Seen | None, Field(description="of an act that was asked about")] = None
    sure: Annotated[bool | None, Field(description="it was asked about, and is meant")] = None
    pin: Annotated[PinTyped | None, Field(description="of whoever else answers for it")] = None


def treasurer_routes(socket_path: Path, guard: Guard) -> APIRouter:
    """Return the routes of the treasurer's page.

    Args:
        guard: who may use them.
    """
    routes = page_routes("treasurer", guard)
    receipt_route(routes, socket_path, guard)
    report_route(routes, socket_path, guard)

    @routes.post("/ask", **passed_on(TREASURER_HEADER))
    async def ask(request: Request, question: TreasurerQuestion) -> Response:
        """Ask the core. Only the treasurer's own page may; it sends the header
        `X-Loto-Treasurer`."""
        return await pass_on(
            socket_path, guard, request, TREASURER_HEADER, {"ask": question.model_dump()}
        )

    @routes.post("/do", **passed_on(TREASURER_HEADER))
    async def do(request: Request, order: TreasurerOrder) -> Response:
        """Send a treasurer's act to the core. Only the treasurer's own page may; it sends the
        header `X-Loto-Treasurer`."""
        return await pass_on(
            socket_path, guard, request, TREASURER_HEADER, order.model_dump(exclude_none=True)
        )

    return routes
