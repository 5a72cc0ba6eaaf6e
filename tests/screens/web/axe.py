"""Every page in its main states at every size, before axe-core: `python -m tests.screens.web.axe`
runs all of them and prints what was found; a page's path runs that page alone."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from station.cards import PACK_FILE
from station.cards.pack import Pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.simulation.practice_room import PracticeRoom
from station.people.roles import MAY, Role
from station.programme.programme import Programme
from station.screens.web.app import make_app
from station.screens.web.people import PLAIN_COOKIE
from station.settings.config import Settings
from station.wire.board_view import BoardView, JoiningView, Phase, Verdict
from station.wire.wire import SOCKET, Client, ClientLink, Message
from station.wire.wording import VOICES, load_wording
from tests.conftest import CHROMIUM
from tests.screens.web import (
    canned,
    test_caller_page,
    test_desk_page,
    test_seat_page,
    test_table_page,
)
from tests.screens.web.browsers import ARGS, LIMIT_MS
from tests.screens.web.fakes import FakeCore, FakeHands, Loop, served
from tests.screens.web.paired import made_here
from tests.support import CLOCK

SIZES = ((1280, 800), (390, 844), (1920, 1080))
EXTREMES = SIZES[1:]
# All that axe-core knows, with what it leaves out unless asked: 44 pixels to press are looked at
# elsewhere, and contrast of seven to one is no promise of every page.
OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
FOUND = """options => axe.run(document, options).then(({ violations, passes, testEngine }) => ({
  engine: testEngine.version,
  rules: passes.length + violations.length,
  found: violations.flatMap(({ id, impact, nodes }) => nodes.map((node) =>
    `${id} (${impact}): ${node.target.join(" ")}: ${node.failureSummary.split("\\n")[1]}`)),
}))"""

Scene: TypeAlias = Iterator[tuple[str, Page]]
WORDS = load_wording()

ADMIN = {"name": "Anna", "role": "admin", "seat": 0, "acts": sorted(MAY[Role.ADMIN])}
ITEMS = [
    {"key": "reader", "result": "fault", "say": "the reader is not there: plug it in"},
    {"key": "disk", "result": "good", "say": "900 MiB free"},
    {"key": "clock", "result": "unknown", "say": "not set by the network"},
]
NEWEST = [
    {"seq": 9, "at": "2026-11-25T20:14:00.000Z", "what": "42 was called", "by": "Anna"},
]
PAIRED = [
    {**one, "key": name, "name": name, "since": 1, "own": name == "Anna"}
    for one, name in (
        ({"role": "admin", "seat": 0, "unused_s": 5}, "Anna"),
        ({"role": "seat", "seat": 3, "unused_s": None}, "Bruno"),
    )
]
DEVICES = [
    {"name": "Anna", "role": "caller", "seat": 0, "unused_s": 5},
    {"name": "Bruno", "role": "seat", "seat": 3, "unused_s": None},
]


OWED = {"serial": "0001", "holder": "Anna", "amount": 600, "things": ["a ham"], "lots": []}
OWED |= {"needs_approval": True, "approved": []}


class Answering(FakeCore):
    """A core that answers every page from a table, and refuses what it is told to refuse."""

    def __init__(self, path: Path, view: BoardView, complaints: list[str]) -> None:
        super().__init__(path, view)
        self.complaints = complaints
        self.refusals: dict[str, Message] = {}
        self.answers: dict[str, Any] = {
            "me": ADMIN,
            "currency": {"sign": "£", "decimals": 2},
            "claims": {"claims": []},
            "owed": OWED,
            "unpaid": {"owed": [OWED]},
            "pause": {"left_s": 540.0},
            "table": {"text": "Carla has the bag"},
            "nearest": {"stages": []},
            "press": {"do": {}, "next": {}, "sees_first": False, "out": []},
            "health": {"good": False, "items": ITEMS, "people": DEVICES, "newest": NEWEST},
            "census": {"active": False, "state": "none"},
            "self-test": {"active": False, "asks": "", "parts": [], "state": "none"},
            "pair": {"people": PAIRED, "asks": None, "closed": False},
            "pins": {"pins": [{"name": "Anna", "locked": False}], "locked": False},
        }

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        return {"id": message.get("id"), **self._answer(message)}

    def _answer(self, message: Message) -> Message:
        if "ask" in message:
            about = message["ask"]["about"]
            if about not in self.answers:
                self.complaints.append(f"no answer about {about!r}")
            return {"answer": self.answers.get(about)}
        for about in ("pair", "pins"):
            if about in message:
                made = {"ok": True, "pin": "402917"}
                return made if "name" in message[about] else {"answer": self.answers[about]}
        refused = self.refusals.get(message["do"]["act"])
        return {"refused": refused} if refused else {"ok": True, "seq": self.view.seq}


class Place:
    """Where halls are opened, one for each page that is looked at."""

    def __init__(
        self, browser: Browser, folder: Path, stack: contextlib.ExitStack, before: str = ""
    ) -> None:
        self._folder, self._stack = folder, stack
        self._browser, self._before = browser, before
        self.complaints: list[str] = []  # errors of all pages, and what no fake answers
        self.loop = Loop()
        stack.callback(self.loop.close)

    def opened(self, url: str, **answers: Any) -> Page:
        """A new page at this address; what it asks at a path that is named here, this answers."""
        context = self._browser.new_context(reduced_motion="reduce")
        self._stack.callback(context.close)
        context.set_default_timeout(LIMIT_MS)
        if self._before:
            context.add_init_script(self._before)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        for path, answer in answers.items():
            answering(page, path, answer)
        page.goto(url)
        return page

    def fake(self) -> Fake:
        """A hall in which nothing is done: what it shows is told."""
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        core = Answering(folder / "s", canned.playing(press="draw"), self.complaints)
        hands = FakeHands(folder / "h", canned.bench())
        for one in (core, hands):
            self.loop.run(one.open())
            self._stack.callback(lambda one=one: self.loop.run(one.close()))
        return Fake(self._served(core.path, hands.path), self.loop, core, hands)

    def whole(self, programme: Programme, pack: Pack, card: Path | None = None) -> Whole:
        """A hall with a whole station; one that starts from a copy of another's `card`."""
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        if card is None:
            (folder / "packs").mkdir()
            (folder / "packs" / PACK_FILE).write_text(pack.to_csv())
        else:
            left = shutil.ignore_patterns("run", "*.lock")
            shutil.copytree(card, folder, dirs_exist_ok=True, ignore=left)
        machine = Machine(clock=CLOCK, chance=Random(1), check_ground=lambda folder, *, test: None)
        core = self.loop.call(
            lambda: Core(
                Settings(),
                folder,
                folder / "run",
                programme=programme,
                machine=machine,
                make_paper=made_here,
            )
        )
        self.loop.run(core.open())
        self._stack.callback(lambda: self.loop.run(core.close()))
        return Whole(self._served(core.run / SOCKET, None), self.loop, core.run / SOCKET, folder)

    def _served(self, core: Path, hands: Path | None) -> str:
        app = make_app(
            core,
            hands,
            voice=VOICES / "en",
            wording=WORDS,
            desk=True,
            plain=True,
            open_games=lambda: PracticeRoom(Random(4)),
        )
        return self._stack.enter_context(served(self.loop, app))


@dataclass
class Fake:
    """The web before a core and hands that are told what to show."""

    url: str
    loop: Loop
    core: Answering
    hands: FakeHands

    def shows(self, page: Page, view: BoardView, where: str = "body") -> None:
        """The hall shows this view, and the page does."""
        seq = self.core.view.seq + 1
        self.loop.call(self.core.show, view.model_copy(update={"seq": seq}))
        expect(page.locator(where)).to_have_attribute("data-seq", str(seq))

    def goes(self) -> None:
        """The station goes away."""
        self.loop.run(self.core.close())


@dataclass
class Whole:
    """The web before a whole station."""

    url: str
    loop: Loop
    socket: Path
    state: Path

    def do(self, act: str, **arguments: Any) -> None:
        """An act of somebody at the station."""

        async def work() -> Message:
            async with await Client.open(self.socket, "admin") as client:
                return await client.do(act, **arguments)

        answer = self.loop.run(work())
        assert answer.get("ok"), answer

    def serves(self, pages: str) -> None:
        """The web says where telephones find its pages."""

        async def work() -> None:
            async with await Client.open(self.socket, kind="web", pages=pages) as client:
                await client.request({"ask": {"about": "currency"}})

        self.loop.run(work())


def answering(page: Page, path: str, answer: Any) -> None:
    """From now on this answers what the page asks at the path."""

    def told(route: Route) -> None:
        route.fulfill(json=answer)

    page.route(f"**{path}", told)


AWAY = {"refused": {"reason": "away", "say": "The station is away."}}
SURE = {"refused": {"reason": "sure?", "say": "1 prize is not won", "seen": "7"}}
PIN = {"refused": {"reason": "pin-wanted", "say": "Ben answers for £3.25 with his PIN"}}


def board(place: Place, path: str = "/board") -> Scene:
    """What the hall sees."""
    hall = place.fake()
    page = place.opened(hall.url + path)
    views = {
        "open game": canned.at_once(),
        "first row": canned.playing(),
        "eyes down": canned.playing(()),
        "a row won": canned.won(),
        "valid claim": canned.stopped(canned.claim(Verdict.VALID, "Valid for: row")),
        "ticket": canned.stopped(canned.ticket("Not called: 50")),
        "not sold": canned.stopped(canned.claim(Verdict.NOT_SOLD, "Not in the game.")),
        "between": canned.between(),
        "a code": canned.between().model_copy(update={"code": "http://10.0.0.5:8090/check#123"}),
        "tea": canned.paused(),
        "trouble": canned.troubled(),
        "halted": canned.halted(),
        "closed": canned.playing((), phase=Phase.CLOSED, stage=None, open=(), prize=None),
    }
    for name, view in views.items():
        hall.shows(page, view, ".board")
        yield name, page
    hall.goes()
    expect(page.locator(".board")).to_have_attribute("data-stale", "true")
    yield "stale", page


def root(place: Place) -> Scene:
    """The same where no device is paired."""
    yield next(board(place, "/"))


def bench(place: Place) -> Scene:
    """The machine and its hands."""
    hall = place.fake()
    page = place.opened(f"{hall.url}/bench")
    expect(page.locator("#board .board")).to_have_attribute("data-seq", str(hall.core.view.seq))
    hall.loop.call(hall.hands.show, canned.pointing_out("0001"))
    expect(page.locator(".has-it")).to_have_count(1)
    yield "open game", page
    hall.hands.refusals["press"] = "the bag is empty"
    page.locator('[data-button="draw"]').click()
    yield "refused", page
    busy = {
        "active": True,
        "found": [1, 2, 3],
        "missing": [5, 6],
        "faults": [],
        "state": "counting",
    }
    hall.loop.call(hall.hands.show, canned.bench((), census=busy, disk={"full": True}))
    hall.shows(page, canned.between(), "#board .board")
    yield "counting", page
    hall.goes()
    expect(page.locator("#board .board")).to_have_attribute("data-stale", "true")
    yield "stale", page


def caller(place: Place) -> Scene:
    """The caller's page: every state, what is asked, what is refused, few controls."""
    hall = place.fake()
    page = place.opened(f"{hall.url}/caller")
    expect(page.locator("#caller")).to_be_visible()
    for name, view in {
        "open game": canned.playing(press="draw"),
        **test_caller_page.STATES,
    }.items():
        hall.shows(page, view)
        yield name, page
    hall.shows(page, canned.playing(press="draw"))
    page.get_by_test_id("play-on").press("Enter")
    expect(page.locator("#done.bad")).to_be_visible()
    yield "refused", page
    page.get_by_test_id("undo").click()
    yield "asked why", page
    page.get_by_test_id("leave").click()
    nothing_under_way(page)
    hall.core.refusals["close"] = SURE["refused"]
    page.get_by_test_id("close").click()
    expect(page.get_by_test_id("sure")).to_be_visible()
    yield "asked whether", page
    page.get_by_test_id("leave").click()
    nothing_under_way(page)
    hall.core.refusals["close"] = PIN["refused"]
    page.get_by_test_id("close").click()
    expect(page.get_by_test_id("pin")).to_be_visible()
    yield "PIN", page
    page.get_by_test_id("pin-leave").click()
    page.locator("#lite").click()
    yield "few controls", page
    page.locator("#lite").click()
    hall.goes()
    expect(page.locator("#away")).to_be_visible()
    yield "stale", page


def health(place: Place) -> Scene:
    """How the station is."""
    hall = place.fake()
    page = place.opened(f"{hall.url}/health")
    expect(page.get_by_test_id("people")).to_contain_text("Anna")
    yield "a fault", page
    test = {"active": True, "asks": "press Draw", "parts": [{"what": "x", "result": "fault"}]}
    hall.core.answers["self-test"] = {**test, "state": "testing"}
    hall.core.answers["census"] = {"active": False, "found": 90, "missing": [], "state": "good"}
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_test_id("asks")).to_be_visible()
    yield "under test", page
    hall.core.refusals["self-test-end"] = {"reason": "no", "say": "a game is open"}
    page.get_by_role("button", name="End the test").click()
    expect(page.locator("#done")).to_be_visible()
    yield "refused", page
    hall.goes()
    expect(page.locator("#away")).to_be_visible()
    yield "away", page


def people(place: Place) -> Scene:
    """Who works here, and who asks to."""
    hall = place.fake()
    page = place.opened(f"{hall.url}/people")
    expect(page.get_by_test_id("people")).to_contain_text("Bruno")
    yield "nobody asks", page
    asks = {"name": "the tablet", "seconds": 90, "wrong": 1, "tries": 4}
    hall.core.answers["pair"] = {"people": PAIRED, "asks": asks, "closed": False}
    expect(page.get_by_test_id("let-in")).to_be_visible()
    page.get_by_test_id("role").select_option("seat")
    page.get_by_test_id("pin-whose").fill("Anna")
    page.get_by_role("button", name="Make a PIN").click()
    expect(page.get_by_test_id("made-pin")).to_contain_text("402 917")
    yield "somebody asks, a PIN", page
    page.get_by_role("button", name="Rename").first.click()
    expect(page.get_by_test_id("naming")).to_be_visible()
    yield "renamed", page
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End").first.click()
    expect(page.get_by_test_id("sure")).to_be_visible()
    yield "asked whether", page
    page.get_by_test_id("leave").click()
    hall.core.answers["pair"] = {"people": PAIRED, "asks": None, "closed": True}
    hall.core.answers["pins"] = {"pins": [{"name": "Anna", "locked": True}], "locked": True}
    expect(page.get_by_role("button", name="Open pairing again")).to_be_visible()
    yield "closed, locked", page
    hall.goes()
    expect(page.locator("#away")).to_be_visible()
    yield "away", page


def pair(place: Place) -> Scene:
    """A device asks to be let in."""
    hall = place.fake()
    me = {"refused": {"reason": "not-paired", "say": ""}, "secured": "https://loto.local:8443/pair"}
    asked = {"answer": {"digits": "123456", "seconds": 120}}
    page = place.opened(f"{hall.url}/pair", **{"/pair/me": me, "/pair/ask": AWAY})
    expect(page.get_by_test_id("ask")).to_be_visible()
    yield "asking", page
    page.get_by_test_id("name").fill("tablet")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("why")).to_be_visible()
    yield "refused", page
    answering(page, "/pair/ask", asked)
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("digits")).to_be_visible()
    yield "digits", page


def join(place: Place) -> Scene:
    """A player joins the table: it is shut, open, and the name is taken."""
    hall = place.fake()
    me = {"refused": {"reason": "not-paired", "say": ""}, "secured": None}
    taken = {"refused": {"reason": "name-taken", "say": "“Anna” is at the table already"}}
    page = place.opened(f"{hall.url}/join", **{"/pair/me": me, "/join/enter": taken})
    expect(page.get_by_test_id("shut")).to_be_visible()
    yield "shut", page
    more = {"joining": JoiningView(seconds=60), "pages": "http://10.0.0.5:8090"}
    hall.loop.call(hall.core.show, hall.core.view.model_copy(update=more))
    expect(page.get_by_test_id("join")).to_be_visible()
    yield "open", page
    beside = place.opened(f"{hall.url}/board")
    expect(beside.get_by_test_id("code")).to_contain_text("To join")
    yield "open, the board's", beside
    page.get_by_test_id("name").fill("Anna")
    page.get_by_test_id("join").click()
    expect(page.get_by_test_id("why")).to_be_visible()
    yield "refused", page


def seat(place: Place) -> Scene:
    """A player's own seat: his hand, what is asked of him, what is refused."""
    hall = place.fake()
    hall.core.answers["hand"] = test_seat_page.TOLD
    page = place.opened(f"{hall.url}/seat")
    expect(page.locator("#held button")).to_have_count(len(test_seat_page.HELD))
    yield "open game", page
    page.locator("#held button").first.click()
    yield "a card taken up", page
    hall.core.refusals["move"] = {"reason": "follow", "say": "spades were led: follow"}
    page.get_by_role("button", name="Sing").click()
    expect(page.locator("#done.bad")).to_be_visible()
    yield "refused", page
    page.get_by_role("button", name="Bid…").click()
    expect(page.get_by_test_id("dialog")).to_be_visible()
    yield "a number asked for", page
    page.keyboard.press("Escape")
    answering(page, "/seat/ask", test_seat_page.NO_GAME)
    page.reload()
    expect(page.get_by_test_id("idle")).to_be_visible()
    yield "no game", page
    answering(page, "/seat/ask", AWAY)
    page.reload()
    expect(page.locator("#away")).to_be_visible()
    yield "away", page


def start(place: Place) -> Scene:
    """Where a paired device begins."""
    hall = place.fake()
    doors = ["caller", "desk", "treasurer", "table", "people", "health", "board"]
    page = place.opened("about:blank", **{"/pair/me": {"answer": ADMIN, "doors": doors}})
    secret = {"name": PLAIN_COOKIE, "value": "x" * 43, "url": hall.url}
    page.context.add_cookies([secret])
    page.goto(f"{hall.url}/start")
    expect(page.get_by_test_id("door-board")).to_be_visible()
    yield "doors", page
    answering(page, "/pair/me", AWAY)
    page.reload()
    expect(page.get_by_test_id("why")).to_be_visible()
    yield "away", page


def nothing(place: Place) -> Scene:
    """An address that was mistyped."""
    page = place.opened(f"{place.fake().url}/clalar")
    expect(page.get_by_role("link")).to_have_count(2)
    yield "nothing", page


def nothing_under_way(page: Page) -> None:
    """Wait until every request is answered: the page refuses a press before that."""
    expect(page.locator('[aria-busy="true"]')).to_have_count(0)


def desk(place: Place) -> Scene:
    """Sale, claims and payment at a whole station; the caller's page beside it."""
    hall = place.whole(test_desk_page.PROGRAMME, test_desk_page.PACK)
    hall.do("sell", serials=[f"{serial:04}" for serial in range(1, 9)], by="Ben", to="Anna")
    hall.do("open")
    for number in test_desk_page.TOP:
        hall.do("draw", number=number)
    page = place.opened(f"{hall.url}/desk")
    page.get_by_test_id("card").fill("0001")
    page.get_by_test_id("card").press("Enter")
    expect(page.get_by_test_id("verdict")).to_be_visible()
    yield "open game", page
    beside = place.opened(f"{hall.url}/caller")
    expect(beside.locator("#caller")).to_be_visible()
    hall.do("claim", serial="0001")
    expect(beside.locator("body")).to_have_attribute("data-phase", "stopped")
    beside.get_by_test_id("card").fill("0002")
    beside.get_by_test_id("card").press("Enter")
    expect(beside.get_by_test_id("found")).to_be_visible()
    for one in (page, beside):
        expect(one.get_by_test_id("checked").locator("li")).to_have_count(2)
    page.locator(".ticket").evaluate("(ticket) => ticket.open = true")
    page.get_by_test_id("numbers").fill("5 11 33 50 77")
    page.get_by_test_id("numbers").press("Enter")
    expect(page.locator(".ball.missing")).to_have_text("77")
    yield "stop with claims", page
    yield "stop with claims, the caller's", beside
    hall.do("play-on")
    expect(page.locator(".second button")).to_be_visible()
    expect(page.get_by_test_id("takings")).to_be_visible()
    yield "to be paid", page
    page.get_by_test_id("cards").fill("9999")
    page.get_by_role("button", name="Sell", exact=True).click()
    expect(page.locator("#done.bad")).to_be_visible()
    yield "refused", page
    for name, answer, dialog in (("asked whether", SURE, "leave"), ("PIN", PIN, "pin-leave")):
        answering(page, "/desk/do", answer)
        page.get_by_test_id("cards").fill("0010")
        page.get_by_role("button", name="Sell", exact=True).click()
        expect(page.get_by_test_id(dialog)).to_be_visible()
        yield name, page
        page.get_by_test_id(dialog).click()
        nothing_under_way(page)
    answering(page, "/desk/ask", AWAY)
    page.reload()
    expect(page.locator("#away")).to_be_visible()
    yield "away", page


def treasurer(place: Place) -> Scene:
    """The night's money: a sale, a win of one who must be approved, a report."""
    hall = place.whole(test_desk_page.PROGRAMME, test_desk_page.PACK)
    hall.do("sell", serials=[f"{serial:04}" for serial in range(1, 9)], by="Ben", to="Anna")
    hall.do("open")
    for number in test_desk_page.TOP:
        hall.do("draw", number=number)
    hall.do("claim", serial="0001")
    hall.do("play-on")
    page = place.opened(f"{hall.url}/treasurer")
    expect(page.get_by_test_id("takings")).to_contain_text("Ben")
    expect(page.get_by_test_id("record")).to_have_attribute("aria-busy", "false")
    yield "an open night", page
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_test_id("report").get_by_role("link").first).to_be_visible()
    yield "the report", page
    page.get_by_test_id("bank-sum").fill("a pound")
    page.get_by_test_id("bank-sum").press("Enter")
    expect(page.locator("#done.bad")).to_be_visible()
    yield "refused", page
    answering(page, "/treasurer/ask", AWAY)
    page.reload()
    expect(page.locator("#away")).to_be_visible()
    yield "away", page


def check(place: Place) -> Scene:
    """A game is checked; and what is none."""
    hall = place.whole(test_caller_page.PROGRAMME, test_caller_page.PACK)
    hall.do("sell", serials=["0001"])
    hall.do("open")
    hall.do("draw")
    page = place.opened(f"{hall.url}/check")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    page.locator("#fetch button").click()
    expect(page.locator("#card-part")).to_be_visible()
    yield "in order", page
    page.locator("#text").fill("{}")
    page.locator("#typed button").click()
    expect(page.locator("#verdict.bad")).to_be_visible()
    yield "no game", page
    page.goto(str(page.get_by_test_id("code").locator("figure").get_attribute("data-code")))
    expect(page.locator("#verdict:not(.bad)")).to_contain_text("exactly what this phone saw before")
    yield "a head", page


def table(place: Place) -> Scene:
    """A company at a whole station; the board beside it."""
    hall = place.whole(test_table_page.PROGRAMME, test_table_page.PACK)
    hall.serves("http://10.0.0.5:8090")
    page = place.opened(f"{hall.url}/table")
    names = page.locator("#players input[name=name]")
    expect(names).to_have_count(1)
    yield "sitting down", page
    page.get_by_role("button", name="Let players join (60 s)").click()
    expect(page.get_by_test_id("join-left")).to_be_visible()
    yield "players may join", page
    page.get_by_role("button", name="Close now").click()
    expect(page.get_by_test_id("join-left")).to_be_hidden()
    page.reload()
    names.fill("Anna")
    page.get_by_role("button", name="Add a player").click()
    names.nth(1).fill("anna")
    page.get_by_role("button", name="Seat them").click()
    expect(page.locator("#done.bad")).to_be_visible()
    yield "refused", page
    hall.do("sit", players=[{"name": "Anna", "takes": 1}, {"name": "Bruno", "takes": 1}])
    hall.do("open")
    expect(page.locator('[data-seat="1"] .card')).to_have_count(1)
    yield "open game", page
    beside = place.opened(f"{hall.url}/board")
    expect(beside.get_by_test_id("table")).to_contain_text("Bruno")
    yield "open game, the board's", beside
    page.locator('[data-key="take-1"]').click()
    expect(page.get_by_test_id("dialog")).to_be_visible()
    yield "asked whether", page
    page.keyboard.press("Escape")
    answering(page, "/table/ask", AWAY)
    page.reload()
    expect(page.locator("#away")).to_be_visible()
    yield "away", page


def learn(place: Place) -> Scene:
    """A lesson at its beginning, and a step on."""
    page = place.opened(f"{place.fake().url}/learn#my-bird-sings")
    expect(page.get_by_test_id("step")).to_contain_text("1")
    yield "first step", page
    page.locator("#next").click()
    expect(page.get_by_test_id("step")).to_contain_text("2")
    yield "a step on", page


def play(place: Place) -> Scene:
    """A game is chosen, and waits for a throw; a game that is gone."""
    page = place.opened(f"{place.fake().url}/play#dice-keno")
    begin = page.get_by_test_id("begin")
    expect(begin).to_be_visible()
    yield "choosing", page
    begin.locator("[name=name]").fill("Anna")
    begin.get_by_role("button").click()
    expect(page.locator('[data-key="throw"]')).to_be_visible()
    yield "throwing", page
    page.evaluate("localStorage.setItem('play-game', 'gone')")
    page.reload()
    expect(page.get_by_test_id("away")).to_be_visible()
    yield "gone", page


SCENES: dict[str, Callable[[Place], Scene]] = {
    "/": root,
    "/board": board,
    "/start": start,
    "/pair": pair,
    "/join": join,
    "/desk": desk,
    "/treasurer": treasurer,
    "/table": table,
    "/caller": caller,
    "/people": people,
    "/seat": seat,
    "/health": health,
    "/bench": bench,
    "/check": check,
    "/learn": learn,
    "/play": play,
    "/clalar": nothing,
}


def found_at(page: Page, size: tuple[int, int]) -> dict[str, Any]:
    """What axe-core finds on the page as it is now, at this size: a line for each element; its
    version; how many of its rules had something to look at."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    result: dict[str, Any] = page.evaluate(FOUND, OPTIONS)
    return result


def main(paths: list[str]) -> int:
    """Every state at every size; gives how many findings there were."""
    begun, looked, findings, rules, engine = time.monotonic(), 0, 0, 0, ""
    with (
        tempfile.TemporaryDirectory() as name,
        sync_playwright() as playwright,
        contextlib.ExitStack() as stack,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        stack.callback(browser.close)
        place = Place(browser, Path(name), stack)
        expect.set_options(timeout=LIMIT_MS)
        for path in paths or SCENES:
            for state, page in SCENES[path](place):
                for size in SIZES:
                    result = found_at(page, size)
                    looked += 1
                    findings += len(result["found"])
                    rules, engine = max(rules, result["rules"]), result["engine"]
                    for line in result["found"]:
                        sys.stdout.write(f"{path}, {state}, {size[0]}x{size[1]}: {line}\n")
    sys.stdout.write(
        f"axe-core {engine}: {looked} looks at {len(paths or SCENES)} pages, up to {rules} rules"
        f" each; {findings} findings; {time.monotonic() - begun:.0f} s\n"
    )
    return findings


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
