"""Pass on what an admin's page says about who is let in, and about PINs.

The page is `/people`. Its wishes go to the core as they are, as those of any other page: the core
alone decides that they are an admin's. No device asks here to be let in, or forgets itself: that is
`station.screens.web.pairing`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from station.screens.web.guard import Guard
from station.screens.web.passing import pass_on
from station.screens.web.schema import (
    ClosedModel,
    DoneAnswer,
    RefusedAnswer,
    from_the_page,
    passed_on,
)

HEADER = "x-loto-people"  # of the page, which alone sends it


class LettingIn(ClosedModel):
    """What an admin says at the door: who asks, let in whoever shows these digits, turn away, open
    again."""

    do: Literal["show", "confirm", "refuse", "open"]
    digits: str | None = Field(None, max_length=20, description="of whoever is let in")
    role: str | None = Field(None, max_length=20)
    name: str | None = Field(None, max_length=200, description="else what the device calls itself")
    seat: int | None = Field(None, ge=0, le=1000, description="of a seat, from 1")


class PinWish(ClosedModel):
    """What an admin says about PINs: who has one, make one, free all."""

    do: Literal["show", "make", "free"]
    name: str | None = Field(None, max_length=200, description="whose PIN is made")


class PinAnswer(DoneAnswer):
    """The answer to a wish about PINs; a PIN that was made is told here, once."""

    pin: str = Field("", pattern="^([0-9]{6})?$")


def letting_routes(routes: APIRouter, socket_path: Path, guard: Guard) -> None:
    """Serve what the page asks and wishes beside its acts."""

    @routes.post("/pair", **passed_on(HEADER))
    async def pair(request: Request, wish: LettingIn) -> Response:
        """Show who asks to be let in and who is paired; let in, turn away, or open pairing again.
        Only the people page may; it sends the header `X-Loto-People`."""
        message = {"pair": wish.model_dump(exclude_none=True)}
        return await pass_on(socket_path, guard, request, HEADER, message)

    @routes.post("/pins", response_model=PinAnswer | RefusedAnswer, **from_the_page(HEADER))
    async def pins(request: Request, wish: PinWish) -> Response:
        """Show who has a PIN, make one, or free all. Only the people page may; it sends the header
        `X-Loto-People`."""
        message = {"pins": wish.model_dump(exclude_none=True)}
        return await pass_on(socket_path, guard, request, HEADER, message)
