"""Serve the health page: how the station is, and the buttons of self-test and census.

    GET  /health      the page; a device that is not paired is sent to /pair
    POST /health/ask  a question of the core's wire      POST /health/do   begin or end a test

It is guarded as the desk is: what comes in here is from the person whose device it is. No act of a
game or of money passes. `/healthz` is something else: the state of the web itself, for programs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from station.web.guard import HEALTH_HEADER, Guard
from station.web.passing import OrderId, page_routes, pass_on
from station.web.schema import passed_on

HealthAbout: TypeAlias = Literal["health", "census", "self-test"]
HealthAct: TypeAlias = Literal["self-test-begin", "self-test-end", "census-begin", "census-end"]


class HealthQuestion(BaseModel):
    """A question that changes nothing, and takes nothing."""

    model_config = ConfigDict(extra="forbid", strict=True)

    about: HealthAbout


class HealthWish(BaseModel):
    """A test to begin or to end; the core knows who may, and when."""

    model_config = ConfigDict(extra="forbid", strict=True)

    act: HealthAct
    go_on: Annotated[
        bool | None, Field(description="count only what was wrong in the last census")
    ] = None


class HealthOrder(BaseModel):
    """One act. Sent again with the same id it gets the same answer, and is done once."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: OrderId
    do: HealthWish


def health_routes(socket_path: Path, guard: Guard) -> APIRouter:
    """Return the routes of the health page.

    Args:
        guard: who may use them.
    """
    routes = page_routes("health", guard)

    @routes.post("/ask", **passed_on(HEALTH_HEADER))
    async def ask(request: Request, question: HealthQuestion) -> Response:
        """Ask the core. Only the health page itself may; it sends the header `X-Loto-Health`."""
        return await pass_on(
            socket_path, guard, request, HEALTH_HEADER, {"ask": question.model_dump()}
        )

    @routes.post("/do", **passed_on(HEALTH_HEADER))
    async def do(request: Request, order: HealthOrder) -> Response:
        """Begin or end a test. Only the health page itself may; it sends the header
        `X-Loto-Health`."""
        return await pass_on(
            socket_path, guard, request, HEALTH_HEADER, order.model_dump(exclude_none=True)
        )

    return routes
