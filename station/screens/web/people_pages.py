"""Serve the pages of the hall's people, pair their devices, and serve their papers.

A device is paired from its browser:

    GET  /pair         the page on which a device asks to be let in
    POST /pair/ask     asks the core; the answer has the six digits and brings the cookie
    GET  /pair/me      who this device is here, and which pages are there for that role
    POST /pair/forget  forgets this device
    GET  /start        who I am, and my doors
    GET  /board        the public board

The secret is made here and goes to the device alone; the core gets its digest.

An admin lets people in on the page `/people`, with PINs. Its wishes go to the core as they are, as
those of any other page: the core alone decides that they are an admin's. No device asks there to be
let in, or forgets itself.

Papers are PDFs to look at, to keep or to print: a night's report, a prize's receipt. A page asks
the core for the paper first, and follows how far it is; what is ready is fetched from here by its
own address, as a browser shows and prints it best. The core decides who may have it.

The pages are the caller's, the desk, the treasurer's, the table, a player's seat, that on which an
admin lets people in, and health:

    GET  /NAME       the page; a device that is not paired is sent to /pair
    POST /NAME/ask   a question of the core's wire       POST /NAME/do   an act of this page
    GET  /NAME/receipt.pdf, /NAME/report.pdf   a paper that was made, where the page has papers
    POST /people/pair, /people/pins   who is let in, and PINs, on that page alone
    POST /table/join   the table is opened for players, on that page alone

What a paired device sends reaches the core as its person's, who may do what his role may, also on
this machine and where it has shown the token. What else comes with the token, or from this machine
alone, reaches it with this process's own rights, which the core knows from the kernel: in `./loto
run` they are the station's. Nothing here gives anybody a right. Of the acts only a page's own are
passed on: nobody draws, opens or takes back from the desk, or sells or banks from the caller's
page; no money of the hall is touched from the table, nothing but moves comes from a seat, and no
act of a game or of money from health, or from where an admin lets people in. `/healthz` is
something else: the state of the web itself, for programs.
"""

from __future__ import annotations

import base64
import logging
import math
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response, status
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, Field, create_model

from station.base.errors import WireError
from station.base.nouns import LONGEST_SERIAL
from station.base.said import said, verbatim
from station.screens.web.gate import FewPerAddress
from station.screens.web.guard import PAIR_HEADER, Guard, can_be_sent, refused
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
    told,
)
from station.screens.web.people import NOT_PAIRED, People, key_of, refusal, spoken
from station.screens.web.schema import (
    Asked,
    ClosedModel,
    Described,
    DoneAnswer,
    Forgotten,
    Known,
    RefusedAnswer,
    Unknown,
    a_file,
    a_page,
    from_the_page,
    passed_on,
)
from station.screens.web.worded import ASK_AGAIN, page
from station.wire.wire import Message

log = logging.getLogger(__name__)

ASKED_EVERY_S = 10.0


def _sendable(name: str) -> str:
    can_be_sent({"name": name})
    return name


class Asking(ClosedModel):
    """A device asks to be let in.

    Attributes:
        name: what it calls itself.
    """

    name: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_sendable)]


def pairing_routes(
    guard: Guard, people: People, clock: Callable[[], float] = time.monotonic
) -> APIRouter:
    """Return the routes of whoever is paired, or wants to be."""
    routes = routes_of()
    asking = LastAsked(people, FewPerAddress(1, ASKED_EVERY_S, clock))
    _pages(routes, guard)

    @routes.post(
        "/pair/ask",
        response_model=Asked | RefusedAnswer,
        responses={429: {"model": RefusedAnswer, "description": "This address has just asked."}},
        **from_the_page(PAIR_HEADER),
    )
    async def ask(request: Request, wish: Asking) -> Response:
        """Ask to be let in. Only the pairing page may; it sends the header `X-Loto-Pair`."""
        if (why := guard.refuse_foreign(request, PAIR_HEADER)) is not None:
            return refused(request, status.HTTP_403_FORBIDDEN, "not-the-pair", why)
        return await asking.ask(request, wish.name)

    @routes.get("/pair/me", response_model=Known | Unknown)
    async def me(request: Request) -> Response:
        """Return who this device is here: `answer` of the core's question `me`, and `doors`; or
        `refused`, and `secured`, the address to ask at for more than a seat."""
        try:
            person = told(await people.person(request))
        except WireError:
            return away(request)
        more = (
            {"doors": doors(person["answer"])}
            if "answer" in person
            else {"secured": people.secured_address(request)}
        )
        return JSONResponse({**person, **more}, headers=ASK_AGAIN)

    @routes.post("/pair/forget", response_model=Forgotten, **from_the_page(PAIR_HEADER))
    async def forget(request: Request) -> Response:
        """Forget this device. Only a page of this station may, with the header `X-Loto-Pair`."""
        if (why := guard.refuse_foreign(request, PAIR_HEADER)) is not None:
            return refused(request, status.HTTP_403_FORBIDDEN, "not-the-pair", why)
        answer = JSONResponse({"ok": True}, headers=ASK_AGAIN)
        guard.forget(request, answer)
        people.remember(request, answer, "")
        await _forget(people, people.secret(request))
        return answer

    return routes


def _pages(routes: APIRouter, guard: Guard) -> None:
    @routes.get("/pair", **a_page())
    async def pair(request: Request) -> Response:
        return page(request, "pair")

    @routes.get("/board", **a_page())
    async def board(request: Request) -> Response:
        return page(request, "board")

    @routes.get("/start", **a_page(sends_to="/pair"))
    async def start(request: Request) -> Response:
        return await page_of_people(request, guard, "start")


def doors(person: Message) -> list[str]:
    """Return the pages that are there for somebody of this role, who may do these acts.

    >>> doors({"role": "cashier", "acts": ["ask", "sell"]}), doors({"role": "seat"})
    (['desk', 'health', 'board'], ['seat', 'board'])
    """
    may, role = {*person.get("acts", ())}, person.get("role")
    there = (one.name for one in PEOPLE_PAGES if one.name == role or may.intersection(one.door))
    return [*there, "board"]


class LastAsked:
    """Whoever asked last; the same device may ask again, and keeps its secret until it is let in.
    Who was let in and asks again gets another one; that before it ends."""

    def __init__(self, people: People, patience: FewPerAddress) -> None:
        self._people = people
        self._patience = patience
        self._last = ""  # its digest; nobody but the device has the secret

    async def ask(self, request: Request, name: str) -> Response:
        """Ask the core to let a device in; return its digits, with its cookie."""
        address = request.client.host if request.client is not None else ""
        if left := self._patience.left(address):
            soon = said(
                "ask again in {seconds} seconds: one address asks once in ten",
                seconds=math.ceil(left),
            )
            told_so = refusal("too-soon", soon, spoken(request).get("lang"))
            wait = {"retry-after": str(math.ceil(left))}
            return JSONResponse(told_so, status.HTTP_429_TOO_MANY_REQUESTS, wait)
        cookie, before = self._people.cookie(request), self._people.secret(request)
        key = key_of(self._people.secret_of(request, cookie))
        try:
            is_in = key != self._last or "answer" in await self._people.person(request)
        except WireError:
            return away(request)
        if is_in:
            cookie = secrets.token_urlsafe(32)
            key = key_of(self._people.secret_of(request, cookie))
        asked: Message = {"pair": {"do": "ask", "name": name, "key": key}, **spoken(request)}
        try:
            answer = await self._people.ask(asked)
        except WireError:
            return away(request)
        told_it = JSONResponse(told(answer), headers=ASK_AGAIN)
        if "answer" in answer:
            self._last = key
            self._people.remember(request, told_it, cookie)
            if before is not None and key_of(before) != key:
                await _forget(self._people, before)
        return told_it


async def _forget(people: People, secret: str | None) -> None:
    """End the pairing of the device that has this secret."""
    if secret is None:
        return
    try:
        told = await people.ask({"pair": {"do": "forget"}}, secret)
    except WireError as error:
        told = {"refused": {"reason": "away", "say": str(error)}}
    if told.get("refused", {}).get("reason", NOT_PAIRED) != NOT_PAIRED:
        log.warning("a device was forgotten, but is let in yet: %s", told["refused"]["say"])


# -- who is let in, and PINs -----------------------------------------------------------------------

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


# -- the pages -------------------------------------------------------------------------------------


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
    """A page of the hall's people, and what passes from it to the core.

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
    door: tuple[str, ...]
    asks: tuple[str, ...]
    acts: tuple[str, ...]
    beliefs: tuple[str, ...] = ("seen", "sure", "pin")
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
        about, act = one_of(self.asks), one_of(self.acts)
        wish = _made(f"{title}Wish", self.wish, act=(act, ...))
        beliefs = {name: (BELIEFS[name], None) for name in self.beliefs}
        question = _made(f"{title}Question", self.question, about=(about, ...))
        return question, _made(f"{title}Order", Order, do=(wish, ...), **beliefs)


def _made(name: str, base: type[BaseModel], **fields: Any) -> type[BaseModel]:
    return create_model(name, __base__=base, __doc__=base.__doc__, **fields)


# Questions and acts of a page that belong together.
OF_CARDS, OF_TESTS = ("card", "ticket", "claims", "owed"), ("census", "self-test")
OF_PACE = ("closing", "pause", "press")
CLAIMING, PAYING = ("claim", "claim-ticket", "lots", "play-on"), ("pay", "approve")
CENSUS, SELF_TEST = ("census-begin", "census-end"), ("self-test-begin", "self-test-end")
PREPARING = (*CENSUS, *SELF_TEST, "waive")
DRAWING, HOSTING = ("open", "draw", "hold", "release", "stop"), ("sit", "join", "open", "shake")
ENDING = ("break", "skip", "close", "close-night", "next-night")
SPEAKING = ("auto", "repeat", "mute", "off")
PEOPLE_PAGES = (
    PeoplePage(
        "caller",
        door=("auto",),
        asks=(
            "me",
            "people",
            "night",
            *OF_CARDS,
            "unpaid",
            "nearest",
            *OF_PACE,
            *OF_TESTS,
            "table",
            "currency",
        ),
        acts=(*DRAWING, *CLAIMING, "undo", *PAYING, *ENDING, *SPEAKING, *PREPARING, "mix"),
        beliefs=("expect", "seen", "sure", "pin"),
    ),
    PeoplePage(
        "desk",
        door=("sell", "claim", "pay", "approve", "count-cash"),
        asks=("me", *OF_CARDS, "cards", "money", "night", "nearest", "currency", "paper"),
        acts=(
            "sell",
            "return",
            "count-cash",
            *CLAIMING,
            *PAYING,
            "redeem",
            "recover",
            "bank",
            "break",
        ),
        more=(receipt_route,),
    ),
    PeoplePage(
        "treasurer",
        door=("report",),
        asks=("me", "money", "owed", "night", "currency", "paper"),
        acts=("count-cash", "bank", "approve"),
        more=(receipt_route, report_route),
    ),
    PeoplePage(
        "table",
        door=("sit",),
        asks=("table", "currency", "night", "census"),
        acts=(*HOSTING, *CENSUS, "draw", "undo", "move", "close", "break", "skip", "mix"),
        beliefs=("expect", "seen", "sure"),
        more=(holding_route,),
    ),
    PeoplePage(
        "seat",
        door=(),
        asks=("hand",),
        acts=("move",),
        beliefs=(),
        question=ClosedModel,
    ),
    PeoplePage(
        "people",
        door=("pair",),
        asks=("me", "table"),
        acts=("unpair", "rename"),
        beliefs=(),
        more=(letting_routes,),
    ),
    PeoplePage(
        "health",
        door=("ask",),
        asks=("health", *OF_TESTS),
        acts=(*SELF_TEST, *CENSUS),
        beliefs=(),
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
