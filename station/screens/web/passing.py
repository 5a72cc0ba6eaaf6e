"""Share what desk and table have in common: their pages, and passing requests on to the core with
this process's rights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self, TypeAlias

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field, model_validator

from station.base.errors import WireError
from station.screens.web.guard import ASK_AGAIN, Guard, can_be_sent, refused
from station.wire.wire import Client, Message

PAGES = Path(__file__).parent / "pages"
ROLE = "admin"  # the role asked for; the core grants what this process's user may have
OrderId: TypeAlias = Annotated[str, Field(pattern="^[A-Za-z0-9-]{8,60}$")]
# The state that the sender saw: the table's mark, or the last line of the journal.
Seen: TypeAlias = Annotated[str, Field(pattern="^([0-9a-f]{16}|[0-9]{1,15})$")]


class OpenModel(BaseModel):
    """A model that keeps fields which only the core knows."""

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        can_be_sent(self.model_dump())
        return self


def page_routes(name: str, guard: Guard, instead: str | None = None) -> APIRouter:
    """Return the routes under `/NAME`, with the page of that name.

    Args:
        instead: if there is no such page, the sentence that says what to do.
    """
    routes = APIRouter(prefix=f"/{name}")

    @routes.get("", include_in_schema=False)
    async def page(request: Request) -> Response:
        if instead is not None:
            return PlainTextResponse(instead, status.HTTP_404_NOT_FOUND)
        return guard.page(request, PAGES / f"{name}.html")

    return routes


async def pass_on(
    socket_path: Path, guard: Guard, request: Request, header: str, message: Message
) -> Response:
    """Pass a page's request on to the core; return its answer, or why the core was not reached.

    Args:
        header: the header that only this page sends.
    """
    if (why := guard.refuse_request(request, header)) is not None:
        page = header.removeprefix("x-loto-")
        return refused(status.HTTP_403_FORBIDDEN, f"not-the-{page}", why)
    try:
        async with await Client.open(socket_path, ROLE) as client:
            answer = await client.request(message)
    except WireError as error:
        return refused(status.HTTP_503_SERVICE_UNAVAILABLE, "away", str(error))
    return JSONResponse(
        {key: answer[key] for key in ("ok", "seq", "answer", "refused") if key in answer},
        headers=ASK_AGAIN,
    )
