"""Pass on what an admin's page says about who is let in, and about PINs.

The page is `/people`. Its wishes go to the core as they are, as those of any other page: the core
alone decides that they are an admin's. No device asks here to be let in, or forgets itself: that is
`station.screens.web.pairing`.

keep or to print.

A page asks the core for the paper first, and follows how far it is; what is ready is fetched from
here by its own address, as a browser shows and prints it best. The core decides who may have it.

player's seat, that on which an admin lets people in, health.

    GET  /NAME       the page; a device that is not paired is sent to /pair
    POST /NAME/ask   a question of the core's wire       POST /NAME/do   an act of this page
    GET  /NAME/receipt.pdf, /NAME/report.pdf   a paper that was made, where the page has papers
    POST /people/pair, /people/pins   who is let in, and PINs, on that page alone
    POST /table/join   the table is opened for players, on that page alone

What a paired device sends reaches the core as its person's, who may do what his role may, also on
this machine and where it has shown the token. What else comes with the token, or from this machine
alone, reaches it with this process's own rights, which the core knows from the kernel: in `./loto
run` they are the station's. Nothing here gives anybody a
right. Of the acts only a page's own are passed on: nobody draws, opens or takes back from the desk,
or sells or banks from the caller's page; no money of the hall is touched from the table, nothing
but moves comes from a seat, and no act of a game or of money from health, or from where an admin
lets people in. `/healthz` is something else: the state of the web itself, for programs.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response, status
from pydantic import BaseModel, Field, create_model

from station.base.errors import WireError
from station.base.nouns import LONGEST_SERIAL
from station.base.said import said, verbatim
from station.screens.web.guard import Guard, refused
from station.screens.web.joining import holding_route
from station.screens.web.passing import (
    OpenModel,
    OrderId,
    PinTyped,
    Seen,
    away,
    fetch,
    page_of_people,
    pass_on,
    routes_of,
)
from station.screens.web.schema import (
    ClosedModel,
    Described,
    DoneAnswer,
    RefusedAnswer,
    a_file,
    a_page,
    from_the_page,
    passed_on,
)
from station.screens.web.worded import ASK_AGAIN
from station.wire.wire import Message

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


# -- papers ----------------------------------------------------------------------------------------

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


# -- people pages ----------------------------------------------------------------------------------


class TestWish(ClosedModel):
    """A test to begin or to end; the core knows who may, and when."""

    go_on: bool | None = Field(None, description="count only what was wrong in the last census")


class Order(ClosedModel):
    """One act. Sent again with the same id it gets the same answer, and is done once."""

    id: OrderId


# What an act may be sent with.
BELIEFS: Mapping[str, Any] = {
    "expect": Annotated[
        int | None, Field(ge=0, description="how many knobs the sender believes were drawn")
    ],
    "seen": Annotated[Seen | None, Field(description="the state as the sender saw it")],
    "sure": Annotated[
        bool | None, Field(description="what would be lost by it was told, and it is meant")
    ],
    "pin": Annotated[PinTyped | None, Field(description="of whoever else answers for it")],
}


@dataclass(frozen=True)
class PeoplePage:
    """A page of the hall's people, and what passes from it to the core; names stand in one text,
    with blanks between.

    Attributes:
        name: as in its address, and in the header that it alone sends.
        door: whoever may do one of these acts finds the page among his doors; so does the role
            whose name it has.
        asks: its questions.
        acts: its acts.
        beliefs: what they may be sent with.
        question: what a question is made of, beside `about`; the core knows what each takes.
        wish: what an act is made of, beside `act`.
        more: further routes under its address.
    """

    name: str
    door: str
    asks: str
    acts: str
    beliefs: str = "seen sure pin"
    question: type[BaseModel] = OpenModel
    wish: type[BaseModel] = OpenModel
    more: tuple[Callable[[APIRouter, Path, Guard], None], ...] = ()

    @property
    def header(self) -> str:
        """Return the header that only this page sends."""
        return f"x-loto-{self.name}"

    def models(self) -> tuple[type[BaseModel], type[BaseModel]]:
        """Return the models of a question and of an order, for requests and their schema."""
        title, one_of = self.name.title(), Literal.__getitem__
        about, act = (one_of(tuple(names.split())) for names in (self.asks, self.acts))
        wish = _made(f"{title}Wish", self.wish, act=(act, ...))
        beliefs = {name: (BELIEFS[name], None) for name in self.beliefs.split()}
        question = _made(f"{title}Question", self.question, about=(about, ...))
        return question, _made(f"{title}Order", Order, do=(wish, ...), **beliefs)


def _made(name: str, base: type[BaseModel], **fields: Any) -> type[BaseModel]:
    return create_model(name, __base__=base, __doc__=base.__doc__, **fields)


PEOPLE_PAGES = (
    PeoplePage(
        "caller",
        door="auto",
        asks="me people night card ticket claims owed unpaid nearest closing pause press"
        " census self-test table currency",
        acts="open draw hold release stop claim claim-ticket lots play-on undo pay approve break"
        " skip close close-night next-night auto repeat mute off census-begin census-end"
        " self-test-begin self-test-end waive mix",
        beliefs="expect seen sure pin",
    ),
    PeoplePage(
        "desk",
        door="sell claim pay approve count-cash",
        asks="me card ticket claims owed cards money night nearest currency paper",
        acts="sell return count-cash claim claim-ticket lots play-on pay approve redeem recover"
        " bank break",
        more=(receipt_route,),
    ),
    PeoplePage(
        "treasurer",
        door="report",
        asks="me money owed night currency paper",
        acts="count-cash bank approve",
        more=(receipt_route, report_route),
    ),
    PeoplePage(
        "table",
        door="sit",
        asks="table currency night census",
        acts="sit join open shake census-begin census-end draw undo move close break skip mix",
        beliefs="expect seen sure",
        more=(holding_route,),
    ),
    PeoplePage(
        "seat",
        door="",
        asks="hand",
        acts="move",
        beliefs="",
        question=ClosedModel,
    ),
    PeoplePage(
        "people",
        door="pair",
        asks="me table",
        acts="unpair rename",
        beliefs="",
        more=(letting_routes,),
    ),
    PeoplePage(
        "health",
        door="ask",
        asks="health census self-test",
        acts="self-test-begin self-test-end census-begin census-end",
        beliefs="",
        question=ClosedModel,
        wish=TestWish,
    ),
)


def people_routes(page: PeoplePage, socket_path: Path, guard: Guard) -> APIRouter:
    """Return the routes of a page: for whoever may act as the station's own user, and for paired
    devices. Others are sent to where a device is paired."""
    routes = routes_of(prefix=f"/{page.name}")
    only = f"Only the {page.name} page itself may; it sends the header `{page.header.title()}`."

    @routes.get("", **a_page(sends_to="/pair", token=True))
    async def opened(request: Request) -> Response:
        if "token" in request.query_params:
            return guard.page(request, page.name)
        return await page_of_people(request, guard, page.name, here=True)

    async def ask(request: Request, question: BaseModel) -> Response:
        message = {"ask": question.model_dump()}
        return await pass_on(socket_path, guard, request, page.header, message)

    async def do(request: Request, order: BaseModel) -> Response:
        message = order.model_dump(exclude_none=True)
        return await pass_on(socket_path, guard, request, page.header, message)

    # FastAPI reads and describes a body by what its parameter is annotated with.
    ask.__annotations__["question"], do.__annotations__["order"] = page.models()
    routes.post("/ask", description=f"Ask the core. {only}", **passed_on(page.header))(ask)
    routes.post("/do", description=f"Send an act to the core. {only}", **passed_on(page.header))(do)
    for add in page.more:
        add(routes, socket_path, guard)
    return routes
