"""Serve the page with which a phone checks a game, what it reads, and the page as one file.

The one file asks for nothing and works anywhere: its scripts, its style and its words in all
languages stand in it, and its policy lets nothing else in.

    GET  /check            the page
    GET  /check/3.json     the proof of the third game of the night that is on
    GET  /check/grown/1/12/40.json   the proof that the first 12 lines of night 1 are the beginning
                           of the first 40
    GET  /check.html       the page as a file that needs nothing else

The core puts a proof together, for the journal lies where nobody else reads. It is asked for one
proof at a time, and for the same one once in `FRESH_S`. Addresses take turns, so that one phone
that asks for ever new ones keeps nobody else waiting; paired devices have turns of their own.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
import time
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response, status

from station.base.errors import WireError
from station.base.said import said, verbatim
from station.base.untrusted import read_json
from station.screens.web.feed import WebFeed
from station.screens.web.gate import BusyError, FairTurns, neighbourhood
from station.screens.web.guard import Guard, refused
from station.screens.web.passing import away, routes_of
from station.screens.web.people import spoken
from station.screens.web.schema import Described, RefusedAnswer, a_page
from station.screens.web.worded import ASK_AGAIN, PAGES, page
from station.wire.wire import Message
from station.wire.wording import languages

# In the order in which they need one another.
SCRIPTS = (
    *("typed", "saying", "line", "proving", "verifying", "checking"),
    *("heads", "qr", "check", "check-file"),
)
STYLES = ("desk", "check")
IMPORT = re.compile(r"^import .*;\n", re.M)
EXPORT = re.compile(r"^export (?=async |class |const |function |let )", re.M)
LETTERS = re.compile(r'^@import url\("letters\.css"\);\n', re.M)
NETWORK = re.compile(r' *<form id="fetch".*?</form>\n', re.S)
ONWARD = re.compile(r' *<nav id="onward">.*?</nav>\n')
HEAD = re.compile(r" *<link .*?>\n| *<script .*?</script>\n")


@cache
def check_file() -> bytes:
    """Return the file, the same for the same version of the program."""
    script = "".join(
        EXPORT.sub("", IMPORT.sub("", (PAGES / f"{name}.js").read_text("utf-8")))
        for name in SCRIPTS
    ).replace("</", "<\\/")
    style = LETTERS.sub("", "".join((PAGES / f"{name}.css").read_text("utf-8") for name in STYLES))
    older = (PAGES / "older.js").read_text("utf-8")
    words = {code: dict(read_json(PAGES / f"check.{code}.json")) for code in languages()}
    told = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    policy = (
        f"default-src 'none'; script-src {_hashed(older)} {_hashed(script)};"
        f" style-src {_hashed(style)};"
        " base-uri 'none'; form-action 'none'"
    )
    html = (PAGES / "check.html").read_text("utf-8")
    for part in (NETWORK, ONWARD, HEAD):
        html = part.sub("", html)
    head = (
        f'    <meta http-equiv="content-security-policy" content="{policy}">\n'
        f"    <style>{style}</style>\n    <script>{older}</script>\n  </head>"
    )
    body = (
        f'<script type="application/json" id="words">{told}</script>\n'
        f'<script type="module">{script}</script>\n  </body>'
    )
    return html.replace("  </head>", head, 1).replace("  </body>", body, 1).encode()


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# -- the page and its proofs -----------------------------------------------------------------------

FRESH_S = 10.0
ASK_S, LIMIT_S = 0.2, 60.0
MOST_KEPT = 32
JSON = "application/json"
Night = Annotated[int, Path(ge=1, le=99_999)]
Lines = Annotated[int, Path(ge=1, le=10_000_000)]
NOT_READY = said("The game is not put together yet: ask again in a moment.")
MANY_ASK = said("Many devices ask for proofs just now: ask again in a moment.")
BUSY = "busy"
BYTES: Described = {"schema": {"type": "string", "format": "binary"}}
PROOF: Described = {
    "responses": {
        200: {"description": "The proof.", "content": {JSON: {"schema": {"type": "object"}}}},
        404: {"model": RefusedAnswer, "description": "There is no such game, or no proof of it."},
        503: {"model": RefusedAnswer, "description": "Many ask: ask again after `Retry-After`."},
    }
}
FILE: Described = {"responses": {200: {"content": {"text/html": BYTES}}}}


class FetchedProofs:
    """The proofs that were fetched of late.

    Args:
        board: the line to the core.
    """

    def __init__(self, board: WebFeed) -> None:
        self._board = board
        self._kept: dict[str, tuple[float, bytes]] = {}
        self._turns = {paired: FairTurns() for paired in (False, True)}

    async def proof(
        self, asked: Message, lang: Message, who: str, *, paired: bool
    ) -> bytes | Message:
        """Return a proof; or the core's answer that says why there is none.

        Args:
            asked: the question of the wire: `about` "proof" or "grown", and of what.
            who: the address that asks.
            paired: whether a paired device asks.

        Raises:
            WireError: the core is away.
            TimeoutError: it takes too long.
            BusyError: too many ask.
        """
        name = str(asked)
        if (kept := self._fresh(name)) is not None:
            return kept
        async with asyncio.timeout(LIMIT_S), self._turns[paired].turn(who):
            if (kept := self._fresh(name)) is not None:
                return kept
            read = await self._fetched(asked, lang)
            if isinstance(read, bytes):
                self._kept.pop(name, None)
                while len(self._kept) >= MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
                self._kept[name] = time.monotonic(), read
            return read

    def _fresh(self, name: str) -> bytes | None:
        since, kept = self._kept.get(name, (0.0, b""))
        return kept if kept and time.monotonic() - since < FRESH_S else None

    async def _fetched(self, asked: Message, lang: Message) -> bytes | Message:
        read, ask = b"", {**asked, "at": 0}
        while True:
            answer = await self._board.request({"ask": ask, **lang})
            if "answer" not in answer:
                return answer
            told = answer["answer"]
            ask["line"] = told["line"]
            if "data" not in told:
                await asyncio.sleep(ASK_S)
                continue
            read += base64.b64decode(told["data"])
            if told["next"] is None:
                return read
            ask["at"] = told["next"]


def checking_routes(board: WebFeed, guard: Guard) -> APIRouter:
    """Return the routes."""
    routes, proofs = routes_of(), FetchedProofs(board)

    @routes.get("/check", **a_page())
    async def shown(request: Request) -> Response:
        return page(request, "check")

    @routes.get("/check/{game}.json", response_class=Response, **PROOF)
    async def proof(request: Request, game: Annotated[int, Path(ge=1, le=999)]) -> Response:
        """Return what anybody may check of a game of the night that is on."""
        return await proven(request, {"about": "proof", "game": game})

    @routes.get("/check/grown/{night}/{small}/{size}.json", response_class=Response, **PROOF)
    async def grown(request: Request, night: Night, small: Lines, size: Lines) -> Response:
        """Return the proof that the first lines of a night are the beginning of more of them."""
        asked = {"about": "grown", "night": night, "small": small, "size": size}
        return await proven(request, asked)

    async def proven(request: Request, asked: Message) -> Response:
        who = neighbourhood(request.client.host) if request.client is not None else ""
        paired = guard.keeps_seat(request)
        try:
            told = await proofs.proof(asked, spoken(request), who, paired=paired)
        except WireError:
            return away(request)
        except BusyError:
            return refused(request, status.HTTP_503_SERVICE_UNAVAILABLE, BUSY, MANY_ASK)
        except TimeoutError:
            return refused(request, status.HTTP_503_SERVICE_UNAVAILABLE, "not-ready", NOT_READY)
        if isinstance(told, bytes):
            return Response(told, media_type=JSON, headers=ASK_AGAIN)
        why = told.get("refused", {"reason": "away", "say": "?"})
        busy = why["reason"] == BUSY
        code = status.HTTP_503_SERVICE_UNAVAILABLE if busy else status.HTTP_404_NOT_FOUND
        return refused(request, code, why["reason"], verbatim(why["say"]))

    @routes.get("/check.html", response_class=Response, **FILE)
    async def file() -> Response:
        """Return the page as one file."""
        shown = {"content-disposition": 'attachment; filename="check.html"', **ASK_AGAIN}
        return Response(check_file(), media_type="text/html", headers=shown)

    return routes
