"""Serve lessons, and games that somebody plays alone among simulated players.

    GET  /learn            a game told by an example
    GET  /learn/step.json  one of its steps
    GET  /play             a game alone
    GET  /play/games.json  the games that may be chosen
    POST /play/do          begin, look, go on, move, leave

All of it is this process's own, in memory: nothing goes to the core, nothing is recorded, and a
night that is on stays as it is. The rules are computed in one thread beside the loop, one request
after the other; addresses take turns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Annotated, Any, Literal, Protocol, TypeAlias

from fastapi import APIRouter, Query, Request, Response, status
from fastapi.responses import JSONResponse
from pydantic import Field

from station.base.said import said, verbatim
from station.screens.web.gate import BusyError, FairTurns, neighbourhood
from station.screens.web.guard import Guard, Sendable, refused
from station.screens.web.passing import routes_of
from station.screens.web.people import spoken
from station.screens.web.schema import ClosedModel, Described, RefusedAnswer, a_page, passed_on
from station.screens.web.worded import ASK_AGAIN, page
from station.wire.wire import Message

PLAY_HEADER = "x-loto-play"
FULL, BUSY, NONE_HERE = "full", "busy", "not-here"
MANY_PLAY = said("Many play here just now: try again in a moment.")
NOT_HERE = said("No games are played alone on this station.")
LONGEST_ID, MOST_NAMES = 64, 24
OBJECT: Described = {"application/json": {"schema": {"type": "object"}}}
STEPS: Described = {
    "responses": {
        200: {
            "description": "The step.",
            "content": {"application/json": {"schema": {"type": "object"}}},
        },
        404: {"model": RefusedAnswer, "description": "There is no such example."},
    }
}
GAMES: Described = {
    "responses": {
        200: {
            "description": "The games.",
            "content": {"application/json": {"schema": {"type": "object"}}},
        },
        404: {"model": RefusedAnswer, "description": "No games are played alone here."},
    }
}
GameName: TypeAlias = Annotated[str, Field(max_length=40)]
GameId: TypeAlias = Annotated[str, Field(max_length=LONGEST_ID)]
Place: TypeAlias = Annotated[int, Field(ge=0, le=10_000_000)]


class Games(Protocol):
    """The games that are played alone; called from one thread at a time.

    Every answer is `{"answer": …}`, `{"ok": true}`, or `{"refused": {"reason", "say"}}`.
    """

    def lesson(self, game: str, step: int, lang: str) -> Message:
        """Return a step of a game's example."""

    def choices(self, lang: str) -> Message:
        """Return the games that may be played."""

    def begin(self, game: str, names: Sequence[str], address: str, lang: str) -> Message:
        """Begin a game."""

    def look(self, found: str, lang: str) -> Message:
        """Return a game as it stands."""

    def leave(self, found: str, lang: str) -> Message:
        """End a game."""

    def go_on(self, found: str, at: int, lang: str) -> Message:
        """Do what happens by itself."""

    def move(self, found: str, at: int, move: Mapping[str, Any], lang: str) -> Message:
        """Make a move of the person."""


class PlayWish(ClosedModel):
    """What the page wishes: a new game, or something in one that it has begun."""

    do: Literal["begin", "look", "go-on", "move", "leave"]
    id: GameId = Field("", description="of the game; all but `begin` need it")
    game: GameName = Field("", description="of a new game, by its rules' name")
    names: list[Annotated[str, Field(max_length=200)]] = Field(
        [], max_length=MOST_NAMES, description="who plays; the person first"
    )
    at: Place = Field(0, description="how many deeds the page has seen, for `go-on` and `move`")
    move: Sendable = Field({}, description="as the act `move` has it")


class PlayTable:
    """The thread in which the rules are computed, and the turns at it.

    Args:
        open_games: makes the games, at the first request: they need modules that a station whose
            players never play alone does not load.
    """

    def __init__(self, open_games: Callable[[], Games]) -> None:
        self._open = open_games
        self._games: Games | None = None
        self._turns = FairTurns()
        self._thread = ThreadPoolExecutor(1, "play")

    async def answer(
        self, request: Request, work: Callable[[Games], Message], refusal: int
    ) -> Response:
        """Return the answer to a request: what comes of some work.

        Args:
            refusal: the status of an answer that the games refuse.
        """
        full = status.HTTP_503_SERVICE_UNAVAILABLE
        try:
            async with self._turns.turn(_address(request)):
                loop = asyncio.get_running_loop()
                told = await loop.run_in_executor(self._thread, self._done, work)
        except BusyError:
            return refused(request, full, BUSY, MANY_PLAY)
        why = told.get("refused", {})
        if why.get("reason") == FULL:
            return refused(request, full, FULL, verbatim(why["say"]))
        return JSONResponse(told, refusal if why else status.HTTP_200_OK, headers=ASK_AGAIN)

    def _done(self, work: Callable[[Games], Message]) -> Message:
        if self._games is None:
            self._games = self._open()
        return work(self._games)

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def playing_routes(table: PlayTable | None, guard: Guard, hall_language: str) -> APIRouter:
    """Return the routes; without a table they say that there are no games here."""
    routes = routes_of()

    @routes.get("/learn", **a_page())
    async def learn(request: Request) -> Response:
        return page(request, "learn")

    @routes.get("/play", **a_page())
    async def play(request: Request) -> Response:
        return page(request, "play")

    @routes.get("/learn/step.json", response_class=JSONResponse, **STEPS)
    async def step(
        request: Request,
        game: Annotated[str, Query(max_length=40)] = "",
        number: Annotated[int, Query(ge=1, le=1000, alias="step")] = 1,
    ) -> Response:
        """Return a step of a game's example, of the first game where none is named."""
        lang = language(request)
        return await answered(request, lambda games: games.lesson(game, number, lang))

    @routes.get("/play/games.json", response_class=JSONResponse, **GAMES)
    async def choices(request: Request) -> Response:
        """Return the games that one person may play, with the numbers of players."""
        lang = language(request)
        return await answered(request, lambda games: games.choices(lang))

    @routes.post("/play/do", **passed_on(PLAY_HEADER))
    async def do(request: Request, wish: PlayWish) -> Response:
        """Begin a game, look at one, have it go on, make a move, leave it. Only the page may; it
        sends the header `X-Loto-Play`."""
        if (why := guard.refuse_foreign(request, PLAY_HEADER)) is not None:
            return refused(request, status.HTTP_403_FORBIDDEN, "not-the-page", why)
        work = partial(_done, wish, _address(request), language(request))
        return await answered(request, work, status.HTTP_200_OK)

    async def answered(
        request: Request, work: Callable[[Games], Message], refusal: int = status.HTTP_404_NOT_FOUND
    ) -> Response:
        if table is None:
            return refused(request, status.HTTP_404_NOT_FOUND, NONE_HERE, NOT_HERE)
        return await table.answer(request, work, refusal)

    def language(request: Request) -> str:
        return str(spoken(request).get("lang") or hall_language)

    return routes


def _address(request: Request) -> str:
    return neighbourhood(request.client.host) if request.client is not None else ""


def _done(wish: PlayWish, address: str, lang: str, games: Games) -> Message:
    match wish.do:
        case "begin":
            return games.begin(wish.game, wish.names, address, lang)
        case "look":
            return games.look(wish.id, lang)
        case "leave":
            return games.leave(wish.id, lang)
        case "go-on":
            return games.go_on(wish.id, wish.at, lang)
    return games.move(wish.id, wish.at, wish.move, lang)
