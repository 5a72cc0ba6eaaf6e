"""Read the JSON that a browser sends by the rules for all foreign texts: no key twice, no NaN, no
brackets without end."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response, status
from fastapi.routing import APIRoute

from station.base.errors import Unreadable
from station.base.untrusted import json_from


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
