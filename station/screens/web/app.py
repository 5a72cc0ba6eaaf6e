"""Build the ASGI application: the public board for everybody, bench and desk for the person at the
station.

    GET  /               the public board              GET  /bench          the bench
    WS   /ws             its live line                 WS   /bench/ws       its live line
    GET  /api/board      the board view as JSON        POST /bench/hand     a hand: press, unplug …
    GET  /clips.json     the clips there are           GET  /healthz        how the web itself is
    GET  /clips/….ogg    one clip                      GET  /words.json     the words on the pages
    GET  /desk           sale and claims               POST /desk/…         see `screens.web.desk`
    GET  /table          the host of a table           POST /table/…        see `screens.web.table`

Nothing that comes in over the network reaches the core but what the desk's and the table's own
pages send: the board's line is deaf, the bench speaks to the hands only, and desk and table are
there only where the token, or this machine alone, guards them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket, status
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field

from station.base.errors import WireError
from station.base.untrusted import read_json
from station.screens.web.desk import desk_routes
from station.screens.web.feed import Feed, Outbox
from station.screens.web.guard import ASK_AGAIN, HAND_HEADER, Frontier, Guard, Sendable, refused
from station.screens.web.passing import Seen
from station.screens.web.pictures import picture_routes
from station.screens.web.table import table_routes
from station.wire.board_view import BoardView, Number
from station.wire.wire import UNREAD_LIMIT_S
from station.wire.wording import Wording

log = logging.getLogger(__name__)

PAGES = Path(__file__).parent / "pages"
FONT = Path(__file__).parents[2] / "base" / "fonts" / "board.ttf"


class Hand(BaseModel):
    """One thing a person can do to the machine; the simulation knows the arguments of each hand."""

    model_config = ConfigDict(extra="forbid")

    hand: Annotated[
        str, Field(pattern="^[a-z-]{1,20}$", description="press, drop, lift, unplug, do …")
    ]
    button: Annotated[str | None, Field(max_length=20)] = None
    ms: Annotated[int | None, Field(ge=1, le=10_000)] = None
    knob: Number | None = None
    knobs: tuple[Number, Number] | None = None
    lines: Annotated[tuple[int, ...] | None, Field(max_length=24, description="buzzers")] = None
    apart: Annotated[
        int | None, Field(ge=0, le=1_000_000, description="microseconds from buzzer to buzzer")
    ] = None
    steps: Annotated[int | None, Field(ge=-60, le=60)] = None
    device: Annotated[str | None, Field(max_length=20)] = None
    scanner: Annotated[str | None, Field(max_length=30)] = None
    code: Annotated[str | None, Field(max_length=200, description="what a scanner reads")] = None
    do: Annotated[
        Sendable | None, Field(description="a command of the wire, for the hand `do`")
    ] = None
    seen: Annotated[Seen | None, Field(description="of a command that was asked about")] = None
    sure: Annotated[bool | None, Field(description="it was asked about, and is meant")] = None


class Refusal(BaseModel):
    """A refusal: a reason for programs, a sentence for people."""

    reason: str
    say: str
    seen: str | None = None


class HandAnswer(BaseModel):
    """The answer to a hand's request: `ok`, or `refused`."""

    ok: bool | None = None
    refused: Refusal | None = None


class Health(BaseModel):
    """The state of the web itself. It answers 200 while the core is away, since restarting the web
    would not bring the core back."""

    stale: bool
    seq: int | None
    browsers: int


def make_app(
    socket_path: Path,
    hands_path: Path | None,
    *,
    voice: Path,
    wording: Wording,
    own_clips: Mapping[str, Path] = MappingProxyType({}),
    token: str | None = None,
    unread_s: float = UNREAD_LIMIT_S,
    desk: bool = False,
    names: Iterable[str] = (),
) -> FastAPI:
    """Build the application, for any ASGI server.

    Args:
        socket_path: the core's socket.
        hands_path: the hands' socket; None where the devices are real, and then there is no bench.
        voice: the folder of the voice pack whose clips the pages play.
        wording: the words on the pages.
        own_clips: sound files that the pages play instead of the pack's, by clip.
        token: the secret in the addresses of bench and desk; None where only this machine can reach
            the port.
        unread_s: a browser that leaves its line unread for so long is cut off.
        desk: whether sale and claims are offered, and the table to its host.
        names: what else the station is called in its network.
    """
    guard = Guard(token, names)
    board = Feed(socket_path, "view")
    bench = None if hands_path is None else Feed(hands_path, "bench")

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        lines = [asyncio.create_task(feed.run()) for feed in (board, bench) if feed is not None]
        try:
            yield
        finally:
            for line in lines:
                line.cancel()
            await asyncio.gather(*lines, return_exceptions=True)

    # FastAPI's own documentation pages load scripts from outside; /openapi.json says the same and
    # loads nothing.
    app = FastAPI(
        title="loto-station",
        summary="The public board of a calling station.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.guard = guard
    app.add_middleware(Frontier, guard=guard)
    app.include_router(_board_routes(board, unread_s))
    app.include_router(picture_routes(board))
    app.include_router(_voice_routes({**_clips(voice), **own_clips}))
    app.include_router(_bench_routes(bench, guard, unread_s))
    app.include_router(desk_routes(socket_path, guard, offered=desk))
    app.include_router(table_routes(socket_path, guard, offered=desk))
    app.mount("/pages", StaticFiles(directory=PAGES), name="pages")

    @app.get("/words.json", include_in_schema=False)
    async def words() -> Response:
        return JSONResponse(
            {"language": wording.code, "screen": dict(wording.screen)}, headers=ASK_AGAIN
        )

    @app.get("/font.ttf", include_in_schema=False)
    async def font() -> Response:
        return FileResponse(FONT, media_type="font/ttf", headers={"cache-control": "max-age=86400"})

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> Response:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc'][1:])}: {fault['msg']}"
            for fault in error.errors()
        )
        return refused(
            status.HTTP_400_BAD_REQUEST, "unreadable", f"The request cannot be read ({faults})."
        )

    @app.exception_handler(status.HTTP_400_BAD_REQUEST)
    async def no_json(_: Request, error: Exception) -> Response:
        return refused(
            status.HTTP_400_BAD_REQUEST, "unreadable", f"The request cannot be read ({error})."
        )

    return app


def _board_routes(board: Feed, unread_s: float) -> APIRouter:
    routes = APIRouter()

    @routes.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(PAGES / "board.html", headers=ASK_AGAIN)

    @routes.get(
        "/api/board",
        response_model=BoardView,
        responses={
            503: {
                "model": HandAnswer,
                "description": "The station is away: there is no fresh picture.",
            }
        },
    )
    async def view() -> Response:
        """Return all that the hall may see, now."""
        if board.stale or board.newest is None:
            return refused(
                status.HTTP_503_SERVICE_UNAVAILABLE,
                "stale",
                "The station is away: there is no fresh picture. Ask again.",
            )
        return JSONResponse(board.newest, headers={"cache-control": "no-store"})

    @routes.get("/healthz")
    async def health() -> Health:
        """Return the state of the web itself, and whether its picture is fresh."""
        return Health(
            stale=board.stale, seq=(board.newest or {}).get("seq"), browsers=board.browsers
        )

    @routes.websocket("/ws")
    async def line(socket: WebSocket) -> None:
        await _serve(socket, board, unread_s)

    return routes


def _voice_routes(clips: Mapping[str, Path]) -> APIRouter:
    routes = APIRouter()

    @routes.get("/clips.json")
    async def names() -> list[str]:
        """Return the names of all clips, for pages that fetch them beforehand."""
        return sorted(clips)

    @routes.get(
        "/clips/{name}.ogg",
        response_class=Response,
        responses={200: {"content": {"audio/ogg": {}}}},
    )
    async def clip(name: str) -> Response:
        """Return one clip, as Ogg Vorbis; a recording of the hall's own may be WAV."""
        path = clips.get(name)
        if path is None:
            return PlainTextResponse(
                f"No clip is called {name!r}: /clips.json lists them.", status.HTTP_404_NOT_FOUND
            )
        return FileResponse(
            path,
            media_type="audio/wav" if path.suffix == ".wav" else "audio/ogg",
            headers=ASK_AGAIN,
        )

    return routes


def _bench_routes(bench: Feed | None, guard: Guard, unread_s: float) -> APIRouter:
    routes = APIRouter(prefix="/bench")
    if bench is None:

        @routes.get("", include_in_schema=False)
        async def nothing() -> Response:
            say = (
                "There is no bench here: the devices of this station are real. The public board is"
                " at /."
            )
            return PlainTextResponse(say, status.HTTP_404_NOT_FOUND)

        return routes

    @routes.get("", include_in_schema=False)
    async def page(request: Request) -> Response:
        return guard.page(request, PAGES / "bench.html")

    @routes.post(
        "/hand",
        response_model=HandAnswer,
        responses={403: {"model": HandAnswer}, 503: {"model": HandAnswer}},
    )
    async def hand(request: Request, hand: Hand) -> Response:
        """Move a hand of the simulated machine. Only the bench's own page may; it sends the header
        `X-Loto-Bench`."""
        if (why := guard.refuse_request(request, HAND_HEADER)) is not None:
            return refused(status.HTTP_403_FORBIDDEN, "not-the-bench", why)
        try:
            answer = await bench.request(hand.model_dump(exclude_none=True))
        except WireError as error:
            return refused(status.HTTP_503_SERVICE_UNAVAILABLE, "away", str(error))
        return JSONResponse(
            {key: answer[key] for key in ("ok", "refused", "seq", "answer") if key in answer}
        )

    @routes.websocket("/ws")
    async def line(socket: WebSocket) -> None:
        if guard.refuse_hand(socket) is None:
            await _serve(socket, bench, unread_s)
        else:
            await socket.close()

    return routes


async def _serve(socket: WebSocket, feed: Feed, unread_s: float) -> None:
    """Feed one browser until it leaves, sends something, or does not read its line."""
    await socket.accept()
    with feed.joined() as outbox:
        # Whatever arrives, even a message, ends the line: browsers have nothing to say on it.
        gone = asyncio.ensure_future(socket.receive())
        feeding = asyncio.ensure_future(_send(socket, outbox, unread_s))
        try:
            await asyncio.wait({gone, feeding}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (gone, feeding):
                task.cancel()
            outcomes = await asyncio.gather(gone, feeding, return_exceptions=True)
    if any(isinstance(outcome, TimeoutError) for outcome in outcomes):
        log.warning("%s: a browser left its line unread for %g s; cut off", socket.client, unread_s)


async def _send(socket: WebSocket, outbox: Outbox, unread_s: float) -> None:
    while True:
        for line in await outbox.take():
            async with asyncio.timeout(unread_s):
                await socket.send_text(line)


def _clips(voice: Path) -> dict[str, Path]:
    """Return clip names and their files. If the voice cannot be read, log it: the board works
    without."""
    try:
        manifest = read_json(voice / "manifest.json")
        return {name: voice / Path(entry["file"]).name for name, entry in manifest["clips"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("%s: the voice pack cannot be read, so pages stay silent: %s", voice, error)
        return {}
