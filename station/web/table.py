"""Serve the table: the page of the host who leads a company's game.

    GET  /table      the page
    POST /table/ask  a question of the core's wire      POST /table/do   an act of a table's host

It is guarded as the desk is, and nothing here gives anybody a right either. The host opens, counts
and draws here; money of the hall is not touched.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from station.web.guard import TABLE_HEADER, Guard
from station.web.passing import OpenModel, OrderId, Seen, page_routes, pass_on
from station.web.schema import passed_on

TableAbout: TypeAlias = Literal["table", "currency", "night", "census"]
TableAct: TypeAlias = Literal[
    "sit",
    "join",
    "open",
    "shake",
    "census-begin",
    "census-end",
    "draw",
    "undo",
    "move",
    "close",
    "break",
]


class TableQuestion(OpenModel):
    """A question that changes nothing; the core knows what each takes."""

    about: TableAbout


class TableWish(OpenModel):
    """An act to do; the core knows what each takes."""

    act: TableAct


class TableOrder(BaseModel):
    """One act. Sent again with the same id it gets the same answer, and is done once."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: OrderId
    do: TableWish
    expect: Annotated[
        int | None, Field(ge=0, description="how many knobs the sender believes were drawn")
    ] = None
    seen: Annotated[Seen | None, Field(description="the table as the sender saw it")] = None
    sure: Annotated[
        bool | None, Field(description="what would be lost by it was told, and it is meant")
    ] = None


def table_routes(socket_path: Path, guard: Guard) -> APIRouter:
    """Return the table's routes.

    Args:
        guard: who may use them.
    """
    routes = page_routes("table", guard)

    @routes.post("/ask", **passed_on(TABLE_HEADER))
    async def ask(request: Request, question: TableQuestion) -> Response:
        """Ask the core. Only the table's own page may; it sends the header `X-Loto-Table`."""
        return await pass_on(
            socket_path, guard, request, TABLE_HEADER, {"ask": question.model_dump()}
        )

    @routes.post("/do", **passed_on(TABLE_HEADER))
    async def do(request: Request, order: TableOrder) -> Response:
        """Send an act of a table's host to the core. Only the table's own page may; it sends the
        header `X-Loto-Table`."""
        return await pass_on(
            socket_path, guard, request, TABLE_HEADER, order.model_dump(exclude_none=True)
        )

    return routes
