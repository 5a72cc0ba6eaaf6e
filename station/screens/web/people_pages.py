"""Serve the pages of the hall's people: the caller's, the desk, the treasurer's, the table, a
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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, create_model

from station.screens.web.bodies import routes_of
from station.screens.web.guard import Guard
from station.screens.web.joining import holding_route
from station.screens.web.letting import letting_routes
from station.screens.web.papers import receipt_route, report_route
from station.screens.web.passing import OpenModel, OrderId, PinTyped, Seen, page_of_people, pass_on
from station.screens.web.schema import ClosedModel, a_page, passed_on


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
