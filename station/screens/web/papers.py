"""Serve papers that the core has made: a night's report, a prize's receipt, as PDFs to look at, to
keep or to print.

A page asks the core for the paper first, and follows how far it is; what is ready is fetched from
here by its own address, as a browser shows and prints it best. The core decides who may have it.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, status

from station.base.errors import WireError
from station.base.nouns import LONGEST_SERIAL
from station.base.said import said, verbatim
from station.screens.web.guard import Guard, refused
from station.screens.web.passing import away, fetch
from station.screens.web.schema import Described, RefusedAnswer, a_file
from station.screens.web.worded import ASK_AGAIN
from station.wire.wire import Message

MOST_PIECES = 64
PDF = "application/pdf"
NOT_READY = said("The paper is not made yet: ask for it on the page, then open it.")

Line = Annotated[int, Query(ge=1, le=10**12, description="of the journal: as the answer said")]
GameNumber = Annotated[int | None, Query(ge=1, le=999)]
NightNumber = Annotated[int | None, Query(ge=1, le=99_999)]
CardSerial = Annotated[str, Query(min_length=1, max_length=LONGEST_SERIAL)]
DESCRIBED: Described = {
    "responses": {
        **a_file(PDF)["responses"],
        404: {"model": RefusedAnswer, "description": "It is not made yet."},
    }
}


def receipt_route(routes: APIRouter, socket_path: Path, guard: Guard) -> None:
    """Serve receipts under a page's own address."""

    @routes.get("/receipt.pdf", response_class=Response, **DESCRIBED)
    async def receipt(
        request: Request, serial: CardSerial, line: Line, game: GameNumber = None
    ) -> Response:
        """Return a receipt that was made, as a PDF."""
        asked = {"paper": "receipt", "serial": serial, "line": line, "game": game}
        return await paper(socket_path, guard, request, asked)


def report_route(routes: APIRouter, socket_path: Path, guard: Guard) -> None:
    """Serve reports under a page's own address."""

    @routes.get("/report.pdf", response_class=Response, **DESCRIBED)
    async def report(request: Request, line: Line, night: NightNumber = None) -> Response:
        """Return a report that was made, as a PDF."""
        asked = {"paper": "report", "line": line, "night": night}
        return await paper(socket_path, guard, request, asked)


async def paper(socket_path: Path, guard: Guard, request: Request, asked: Message) -> Response:
    """Return a paper as the core has it, put together from its pieces; or why there is none."""
    given = {key: value for key, value in asked.items() if value is not None}
    read, at = b"", 0
    for _ in range(MOST_PIECES):
        try:
            question = {"ask": {"about": "paper", **given, "at": at}}
            told = await fetch(socket_path, guard, request, question)
        except WireError:
            return away(request)
        if "refused" in told:
            why = told["refused"]
            return refused(request, status.HTTP_403_FORBIDDEN, why["reason"], verbatim(why["say"]))
        answer = told.get("answer", {})
        if "data" not in answer or answer["line"] != asked["line"]:
            break
        read += base64.b64decode(answer["data"])
        if answer["next"] is None:
            shown = {"content-disposition": f'inline; filename="{answer["name"]}"', **ASK_AGAIN}
            return Response(read, media_type=PDF, headers=shown)
        at = answer["next"]
    return refused(request, status.HTTP_404_NOT_FOUND, "not-ready", NOT_READY)
