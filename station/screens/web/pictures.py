"""Serve the pictures of the newest view's theme, and no other file of the station."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request, Response, status
from fastapi import Path as InPath
from fastapi.responses import FileResponse, PlainTextResponse

from station.base.said import said
from station.screens.web.feed import WebFeed
from station.screens.web.passing import routes_of
from station.screens.web.people import in_words
from station.screens.web.schema import a_file

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
