"""Build the ASGI application: the public board, the bench, the desk, the table, and more.

The public board is for everybody, bench and desk for the person at the station, desk and table for
paired devices too. Of pictures only those of the newest view's theme are served, and no other file
of the station.

    GET  /               the public board              GET  /bench          the bench
    WS   /ws             its live line                 WS   /bench/ws       its live line
    GET  /api/board      the board view as JSON        POST /bench/hand     a hand: press, unplug …
    GET  /clips.json     the clips there are           GET  /healthz        how the web itself is
    GET  /clips/….ogg    one clip                      GET  /words.json     the words on the pages
    GET  /desk, /table … the pages of people        POST /desk/… …       see `web.people_pages`
    GET  /pair           a device asks to be let in    POST /pair/…         see `web.people_pages`
    GET  /join           a player joins a table     POST /join/enter     see `web.joining`
    GET  /start          a paired device's doors       GET  /board          the board, for it too
    GET  /languages.json the languages of each page     GET  /look.css       the board's colours
    GET  /older/….css    the styles for older browsers
    GET  /rules          the rules of the games         GET  /rules.json     the same, for programs
    GET  /learn, /play   see `web.playing`              GET  /check          see `web.checking`

Nothing that comes in over the network reaches the core but what the desk's, the table's, the
pairing's and the joining page send: the board's line is deaf, and the bench speaks to the hands
only. What a paired device sends goes on with its secret, as its person's; as the station's own
user's goes on only what the token, or this machine alone, guards.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, FastAPI, Query, Request, Response, WebSocket, status
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field

from station import __version__
from station.base.errors import WireError
from station.base.said import said
from station.base.untrusted import read_json
from station.screens.web.checking import checking_routes
from station.screens.web.feed import Outbox, WebFeed, first_of
from station.screens.web.guard import HAND_HEADER, Frontier, Guard, Sendable, refused
from station.screens.web.joining import joining_routes
from station.screens.web.older import STYLES, lowered, lowered_page
from station.screens.web.passing import Seen, away, routes_of
from station.screens.web.people import People, in_words, is_nobody, spoken
from station.screens.web.people_pages import PEOPLE_PAGES, pairing_routes, people_routes
from station.screens.web.playing import Games, PlayTable, playing_routes
from station.screens.web.portal import Portal
from station.screens.web.schema import (
    ClosedModel,
    Languages,
    RulesAnswer,
    Words,
    a_file,
    a_page,
    a_sentence,
    complete,
    passed_on,
)
from station.screens.web.worded import ASK_AGAIN, PAGES, page
from station.wire.board_view import BoardView, Number
from station.wire.looks import Look, load_look, style_sheet
from station.wire.looks.logo import Logo
from station.wire.wire import UNREAD_LIMIT_S, Message
from station.wire.wording import TITLE, Wording, languages, load_wording

SHIPPED = Path(__file__).parents[2] / "programme" / "themes"
A_DAY = {"cache-control": "max-age=86400"}


def picture_routes(board: WebFeed) -> APIRouter:
    """Return the route GET /theme/KEY/07.png, for the theme of the current game."""
    routes = routes_of()

    @routes.get("/theme/{key}/{number}.png", response_class=Response, **a_file("image/png"))
    async def picture(
        request: Request, key: str, number: Annotated[int, InPath(ge=1, le=90)]
    ) -> Response:
        """Return the picture that stands in a number's place."""
        theme = (board.newest or {}).get("theme") or {}
        folder = Path(theme.get("folder") or SHIPPED / str(theme.get("key")))
        file = folder / f"{number:02}.png"
        if theme.get("key") != key or not theme["words"][number - 1] or not file.is_file():
            why = said("No game is played now with a theme “{key}” that has this picture.", key=key)
            return PlainTextResponse(in_words(request, why), status.HTTP_404_NOT_FOUND)
        return FileResponse(file, media_type="image/png", headers=A_DAY)

    return routes


# -- the application -------------------------------------------------------------------------------

log = logging.getLogger(__name__)

FONTS = Path(__file__).parents[2] / "base" / "fonts"
OF_PAGES = f"^({'|'.join(languages())})$"
PageLanguage: TypeAlias = Annotated[str | None, Query(pattern=OF_PAGES)]
KEPT_A_DAY = {"cache-control": "max-age=86400"}

Face: TypeAlias = Annotated[str, Field(max_length=3)]  # of a playing card


class Hand(ClosedModel):
    """One thing a person can do to the machine; the simulation knows the arguments of each hand."""

    hand: str = Field(pattern="^[a-z-]{1,20}$", description="press, drop, lift, unplug, do …")
    button: str | None = Field(None, max_length=20)
    ms: int | None = Field(None, ge=1, le=10_000)
    knob: Number | None = None
    knobs: tuple[Number, Number] | None = Field(None, strict=False)
    card: Face | None = Field(None, description="a playing card: 5H, 10S, KD")
    cards: tuple[Face, Face] | None = Field(None, strict=False)
    pack: str | None = Field(None, max_length=20, description="of playing cards")
    lines: tuple[int, ...] | None = Field(None, strict=False, max_length=24, description="buzzers")
    apart: int | None = Field(None, ge=0, le=1_000_000, description="µs from buzzer to buzzer")
    faces: str | None = Field(None, max_length=8, description="of dice, or cubes, that are thrown")
    cubes: bool | None = None
    fault: str | None = Field(None, max_length=20, description="of a throw: askew, fallen …")
    steps: int | None = Field(None, ge=-60, le=60)
    device: str | None = Field(None, max_length=20)
    scanner: str | None = Field(None, max_length=30)
    code: str | None = Field(None, max_length=200, description="what a scanner reads")
    do: Sendable | None = Field(None, description="for the hand `do` a command of the wire")
    seen: Seen | None = Field(None, description="of a command that was asked about")
    sure: bool | None = Field(None, description="it was asked about, and is meant")


class Health(BaseModel):
    """The state of the web itself. It answers 200 while the core is away, since restarting the web
    would not bring the core back."""

    version: str
    stale: bool
    seq: int | None
    browsers: int


class WebApp(FastAPI):
    """The application; in its schema stands what each route may answer."""

    def openapi(self) -> dict[str, Any]:
        """Return the schema."""
        if self.openapi_schema is None:
            self.openapi_schema = complete(super().openapi())
        return self.openapi_schema


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
    tls_port: int | None = None,
    plain: bool = False,
    look: Look | None = None,
    logo: Logo | None = None,
    clock: Callable[[], float] = time.monotonic,
    pages: Callable[[], str] = str,
    portal: Portal | None = None,
    as_wav: Callable[[Path], bytes] | None = None,
    open_games: Callable[[], Games] | None = None,
) -> FastAPI:
    """Build the application, for any ASGI server.

    Args:
        socket_path: the core's socket.
        hands_path: the hands' socket; None where the devices are real or another user's, and then
            there is no bench.
        voice: the folder of the voice pack whose clips the pages play.
        wording: the words on the pages.
        own_clips: sound files that the pages play instead of the pack's, by clip.
        token: the secret in the addresses of bench and desk; None where only this machine can reach
            the port.
        unread_s: a browser that leaves its line unread for so long is cut off.
        desk: whether sale, claims and the table are offered to whoever has the token, or to this
            machine; paired devices have them in any case.
        names: what else the station is called in its network.
        tls_port: where the same application is served with TLS; None where it is not.
        plain: whether everybody who is paired is let in over plain http, too.
        look: the colours of the board; the standard ones when None.
        logo: the hall's, before its name on the board.
        clock: monotonic seconds, for how often a device may ask to be paired.
        pages: returns where telephones find the pages, "http://10.0.0.5:8090"; empty: they cannot.
        portal: answers what asks under other names in the station's own Wi-Fi.
        as_wav: decodes a clip for browsers that cannot; None: they stay silent.
        open_games: opens the games that are played alone; None: there are none.
    """
    people = People(socket_path, tls_port=tls_port, plain=plain)
    guard = Guard(token, names, people, here=desk)
    board = WebFeed(socket_path, "view", pages=pages)
    bench = None if hands_path is None else WebFeed(hands_path, "bench")
    table = None if open_games is None else PlayTable(open_games)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        lines = [asyncio.create_task(feed.run()) for feed in (board, bench) if feed is not None]
        try:
            yield
        finally:
            for line in lines:
                line.cancel()
            await asyncio.gather(*lines, return_exceptions=True)
            if table is not None:
                table.close()

    # FastAPI's own documentation pages load scripts from outside; /openapi.json says the same and
    # loads nothing.
    app = WebApp(
        title="loto-station",
        summary="The public board of a calling station.",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.guard, app.state.hall = guard, wording.code
    app.add_middleware(Frontier, guard=guard, portal=portal or Portal())
    app.include_router(_board_routes(board, people, unread_s))
    app.include_router(pairing_routes(guard, people, clock))
    app.include_router(joining_routes(guard, people, clock))
    app.include_router(picture_routes(board))
    app.include_router(_voice_routes({**_clips(voice), **own_clips}, as_wav))
    app.include_router(_bench_routes(bench, guard, unread_s))
    for work in PEOPLE_PAGES:
        app.include_router(people_routes(work, socket_path, guard))
    app.include_router(_rules_routes(wording))
    app.include_router(checking_routes(board, guard))
    app.include_router(playing_routes(table, guard, wording.base))
    app.include_router(_look_routes(look or load_look(), logo))
    app.mount("/pages", StaticFiles(directory=PAGES), name="pages")
    of_pages = page_languages()

    @app.get("/words.json", response_model=Words)
    async def words() -> Response:
        changed = (board.newest or {}).get("words") or {}  # the core alone sees the hall's own
        said = {"language": wording.code, "screen": {**wording.screen, **changed}}
        return JSONResponse(said, headers=ASK_AGAIN)

    @app.get("/languages.json", response_model=Languages)
    async def languages() -> Response:
        return JSONResponse({"hall": wording.base, "pages": of_pages}, headers=ASK_AGAIN)

    _say_why(app)
    return app


def rules_told(wording: Wording) -> dict[str, Any]:
    """Return the rules of all games in short, in the order of their titles: `RulesAnswer`.

    >>> rules_told(load_wording("en"))["games"][2]["title"]
    'Keno'
    """
    titles = sorted(
        (text, key.removeprefix(TITLE))
        for key, text in wording.rules.items()
        if key.startswith(TITLE)
    )
    games = [
        {"name": name, "title": title, "sentences": wording.rules_of(name)}
        for title, name in titles
    ]
    return {"language": wording.code, "games": games}


def page_languages(folder: Path = PAGES) -> dict[str, list[str]]:
    """Return the languages of each page that has words, as its files say: `desk.it.json`.

    >>> page_languages()["bench"]
    ['en']
    """
    has: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.*.json")):
        page, language = file.stem.split(".")
        has.setdefault(page, []).append(language)
    return has


def _say_why(app: FastAPI) -> None:
    """Answer what cannot be answered with a sentence, in the form of all refusals."""

    @app.exception_handler(RequestValidationError)
    @app.exception_handler(status.HTTP_400_BAD_REQUEST)
    async def unreadable(request: Request, error: Exception) -> Response:
        faults = error.errors() if isinstance(error, RequestValidationError) else ()
        why = "; ".join(f"{'.'.join(map(str, one['loc'][1:]))}: {one['msg']}" for one in faults)
        why = why or str(getattr(error, "detail", error))
        sentence = said("The request cannot be read ({why}).", why=why)
        return refused(request, status.HTTP_400_BAD_REQUEST, "unreadable", sentence)

    @app.exception_handler(status.HTTP_404_NOT_FOUND)
    async def nothing(request: Request, _: Exception) -> Response:
        if "text/html" in request.headers.get("accept", ""):
            return page(request, "404", status.HTTP_404_NOT_FOUND)
        why = said("There is nothing at {path}: the board is at /.", path=request.url.path)
        return refused(request, status.HTTP_404_NOT_FOUND, "not-found", why)

    @app.exception_handler(status.HTTP_405_METHOD_NOT_ALLOWED)
    async def other_way(request: Request, error: Exception) -> Response:
        path, method = request.url.path, request.method
        why = said("{path} is not asked for with {method}.", path=path, method=method)
        answer = refused(request, status.HTTP_405_METHOD_NOT_ALLOWED, "not-this-way", why)
        answer.headers.update(getattr(error, "headers", None) or {})
        return answer


def _board_routes(board: WebFeed, people: People, unread_s: float) -> APIRouter:
    routes = routes_of()

    @routes.get("/", **a_page(sends_to="/start"))
    async def hall(request: Request) -> Response:
        with contextlib.suppress(WireError):  # the board says that the station is away
            if "answer" in await people.person(request):
                return RedirectResponse("/start", status.HTTP_303_SEE_OTHER, headers=ASK_AGAIN)
        return page(request, "board")

    @routes.get("/api/board", response_model=BoardView)
    async def view(request: Request) -> Response:
        """Return all that the hall may see, now."""
        if board.stale or board.newest is None:
            why = said("The station is away: there is no fresh picture. Ask again.")
            return refused(request, status.HTTP_503_SERVICE_UNAVAILABLE, "stale", why)
        return JSONResponse(board.newest, headers={"cache-control": "no-store"})

    @routes.get("/healthz")
    async def health() -> Health:
        """Return the state of the web itself, and whether its picture is fresh."""
        seq = (board.newest or {}).get("seq")
        return Health(version=__version__, stale=board.stale, seq=seq, browsers=board.browsers)

    @routes.websocket("/ws")
    async def line(socket: WebSocket) -> None:
        await _serve(socket, board, unread_s)

    return routes


def _rules_routes(wording: Wording) -> APIRouter:
    routes = routes_of()

    @routes.get("/rules", **a_page())
    async def rules_page(request: Request) -> Response:
        return page(request, "rules")

    @routes.get("/rules.json", response_model=RulesAnswer)
    async def rules(lang: PageLanguage = None) -> Response:
        """Return the rules of all games in short, in a given language, else the hall's."""
        told = wording if lang is None else load_wording(lang)
        return JSONResponse(rules_told(told), headers=ASK_AGAIN)

    return routes


def _look_routes(look: Look, logo: Logo | None) -> APIRouter:
    routes, style = routes_of(), style_sheet(look, logo)

    @routes.get("/look.css", response_class=Response, **a_file("text/css"))
    async def colours() -> Response:
        """Return the colours and sizes of the board, as a style."""
        return Response(style, media_type="text/css", headers=ASK_AGAIN)

    @routes.get("/older/{name}.css", response_class=Response, **a_file("text/css"))
    async def older(request: Request, name: str) -> Response:
        """Return a style of the pages, rewritten for browsers without container queries."""
        if name != "look" and name not in STYLES:
            why = said("There is nothing at {path}: the board is at /.", path=request.url.path)
            return PlainTextResponse(in_words(request, why), status.HTTP_404_NOT_FOUND)
        told = lowered(style) if name == "look" else lowered_page(name)
        return Response(told, media_type="text/css", headers=ASK_AGAIN)

    @routes.get("/logo.png", response_class=Response, **a_file("image/png"))
    async def picture(request: Request) -> Response:
        """Return the hall's logo."""
        if logo is None:
            why = said("This hall has no logo: it would be [hall] logo in the settings.")
            return PlainTextResponse(in_words(request, why), status.HTTP_404_NOT_FOUND)
        return Response(logo.png, media_type="image/png", headers=ASK_AGAIN)

    @routes.get("/font.ttf", response_class=Response, **a_file("font/ttf"))
    async def font() -> Response:
        """Return the board's letters."""
        return FileResponse(FONTS / "board.ttf", media_type="font/ttf", headers=KEPT_A_DAY)

    @routes.get("/devanagari.ttf", response_class=Response, **a_file("font/ttf"))
    async def devanagari() -> Response:
        """Return the letters of Hindi."""
        return FileResponse(FONTS / "devanagari.ttf", media_type="font/ttf", headers=KEPT_A_DAY)

    return routes


def _voice_routes(clips: Mapping[str, Path], as_wav: Callable[[Path], bytes] | None) -> APIRouter:
    routes = routes_of()

    @routes.get("/clips.json")
    async def names() -> list[str]:
        """Return the names of all clips, for pages that fetch them beforehand."""
        return sorted(clips)

    @routes.get("/clips/{name}.ogg", response_class=Response, **a_file("audio/ogg", "audio/wav"))
    async def clip(request: Request, name: str) -> Response:
        """Return one clip, as Ogg Vorbis; a recording of the hall's own may be WAV."""
        path = clips.get(name)
        if path is None:
            why = said("No clip is called “{name}”: /clips.json lists them.", name=name)
            return PlainTextResponse(in_words(request, why), status.HTTP_404_NOT_FOUND)
        kind = "audio/wav" if path.suffix == ".wav" else "audio/ogg"
        return FileResponse(path, media_type=kind, headers=ASK_AGAIN)

    @routes.get("/clips/{name}.wav", response_class=Response, **a_file("audio/wav"))
    async def decoded(request: Request, name: str) -> Response:
        """Return one clip as WAV, for browsers without Ogg Vorbis (Safari before iOS 18.4)."""
        path = clips.get(name)
        if path is None or as_wav is None:
            why = said("No clip is called “{name}”: /clips.json lists them.", name=name)
            return PlainTextResponse(in_words(request, why), status.HTTP_404_NOT_FOUND)
        if path.suffix == ".wav":
            return FileResponse(path, media_type="audio/wav", headers=ASK_AGAIN)
        sound = await asyncio.to_thread(as_wav, path)
        return Response(sound, media_type="audio/wav", headers=ASK_AGAIN)

    return routes


def _bench_routes(bench: WebFeed | None, guard: Guard, unread_s: float) -> APIRouter:
    routes = routes_of(prefix="/bench")
    if bench is None:

        @routes.get("", response_class=Response, status_code=404, **a_sentence())
        async def nothing(request: Request) -> Response:
            why = said(
                "There is no bench here: the devices of this station are real, or it runs as a"
                " service. The public board is at /."
            )
            return PlainTextResponse(in_words(request, why), status.HTTP_404_NOT_FOUND)

        return routes

    @routes.get("", **a_page(token=True))
    async def shown(request: Request) -> Response:
        return guard.page(request, "bench")

    @routes.post("/hand", **passed_on(HAND_HEADER))
    async def hand(request: Request, hand: Hand) -> Response:
        """Move a hand of the machine. Only the bench's page may, with the header `X-Loto-Bench`."""
        if (why := guard.refuse_request(request, HAND_HEADER)) is not None:
            return refused(request, status.HTTP_403_FORBIDDEN, "not-the-bench", why)
        try:
            wish = {**hand.model_dump(exclude_none=True), **spoken(request)}
            answer = await _moved(bench, guard.people, request, wish)
        except WireError:
            return away(request)
        keys = ("ok", "refused", "seq", "answer")
        return JSONResponse({key: answer[key] for key in keys if key in answer})

    @routes.websocket("/ws")
    async def line(socket: WebSocket) -> None:
        if guard.refuse_hand(socket) is None:
            await _serve(socket, bench, unread_s)
        else:
            await socket.close()

    return routes


async def _moved(bench: WebFeed, people: People, request: Request, wish: Message) -> Message:
    """Have a hand moved. What is only said to the station, by no device of it, is the person's
    whose device it comes from."""
    if wish["hand"] == "do" and "do" in wish:
        said: Message = {key: wish[key] for key in ("do", "seen", "sure", "lang") if key in wish}
        answer = await people.send(request, said)
        if not is_nobody(answer):
            return answer
    return await bench.request(wish)


async def _serve(socket: WebSocket, feed: WebFeed, unread_s: float) -> None:
    """Feed one browser until it leaves, sends something, or does not read its line."""
    await socket.accept()
    with feed.joined() as outbox:
        # Whatever arrives, even a message, ends the line: browsers have nothing to say on it.
        outcomes = await first_of(socket.receive(), _send(socket, outbox, unread_s))
    if any(isinstance(outcome, TimeoutError) for outcome in outcomes):
        log.warning("%s: a browser left its line unread for %g s; cut off", socket.client, unread_s)


async def _send(socket: WebSocket, outbox: Outbox, unread_s: float) -> None:
    while True:
        for line in await outbox.take():
            async with asyncio.timeout(unread_s):
                await socket.send_text(line)


def _clips(voice: Path) -> dict[str, Path]:
    """Return clips and their files; where the voice cannot be read, none, and log it."""
    try:
        manifest = read_json(voice / "manifest.json")
        return {name: voice / Path(entry["file"]).name for name, entry in manifest["clips"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("%s: the voice pack cannot be read, so pages stay silent: %s", voice, error)
        return {}
