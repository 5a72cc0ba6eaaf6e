"""Players join a table on their own phones, before a real core over plain http; the host holds it
open on the table's page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from station.base.clock import Clock
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.people.joining import OPEN_S
from station.programme.programme import GamePlan, Programme
from station.screens.web.app import make_app
from station.screens.web.people import PLAIN_COOKIE
from station.settings.config import Settings, WebSettings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import fits_in_every_language, said
from tests.screens.web.fakes import Loop, served
from tests.support import small_pack, verify

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}
PROGRAMME = Programme(
    name="An evening",
    games=tuple(GamePlan(name=f"Hand {number}", method="spoil-five") for number in (1, 2)),
)
PAGES = "http://10.0.0.5:8090"
NAMES = ("Anna", "Bruno", "Carla")


class Evening:
    """A station whose clock the test moves, and its browsers."""

    def __init__(self, browser: Browser, state: Path) -> None:
        self.browser, self.state, self.now = browser, state, 100.0
        self.loop = Loop()
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.url = ""
        (state / "packs").mkdir()
        (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
        self.starts()

    def starts(self) -> None:
        """The core starts, or starts again."""
        clock = Clock(lambda: 1_700_000_000.0, lambda: self.now, lambda: False)
        machine = Machine(clock=clock, chance=Random(5), check_ground=lambda folder, *, test: None)
        settings = Settings(web=WebSettings(address=PAGES))
        self.core = self.loop.call(
            lambda: Core(
                settings, self.state, self.state / "run", programme=PROGRAMME, machine=machine
            )
        )
        self.loop.run(self.core.open())

    def passes(self, seconds: float) -> None:
        """So much time goes by; the station shows it with its next picture."""
        self.now += seconds
        self.loop.call(self.core._joining._show)  # type: ignore[union-attr]

    def say(self, **message: Any) -> Message:
        """What an admin says at the station."""

        async def work() -> Message:
            async with await Client.open(self.core.run / SOCKET, "admin") as client:
                return await client.request(message)

        return self.loop.run(work())

    def does(self, act: str, **more: Any) -> None:
        answer = self.say(do={"act": act, **more})
        assert answer.get("ok"), answer

    def page(self, path: str, size: dict[str, int] = PHONE) -> Page:
        """Another browser."""
        context = self.browser.new_context(viewport=size, reduced_motion="reduce", locale="en-GB")
        context.set_default_timeout(LIMIT_MS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.url + path)
        return page

    def host(self) -> Page:
        page = self.page("/table", LAPTOP)
        page.get_by_role("button", name="Let players join (60 s)").click()
        expect(said(page)).to_have_text("The table is open for 60 s.")
        return page

    def company(self) -> list[str]:
        return [seat.name for seat in self.core._session.hall.company]

    def close(self) -> None:
        for context in self.contexts:
            for page in context.pages:
                page.goto("about:blank")
            context.close()


@pytest.fixture
def evening(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Evening]:
    evening = Evening(browser, tmp_path)
    more = {"voice": VOICES / "en", "wording": load_wording(), "desk": True}
    app = make_app(evening.core.run / SOCKET, None, **more, **getattr(request, "param", {}))
    with served(evening.loop, app) as url:
        evening.url = url
        yield evening
        evening.close()
    evening.loop.run(evening.core.close())
    evening.loop.close()
    verify(tmp_path)
    assert evening.complaints == []


def joins(page: Page, name: str) -> None:
    """A player types a name and presses the one button."""
    page.get_by_test_id("name").fill(name)
    page.get_by_test_id("join").click()


def test_three_phones_join_in_one_window(evening: Evening) -> None:
    """Each with one name; the host sees them come; in the next game each seat's page shows its own
    hand, which no other phone was sent."""
    phones = [evening.page("/join") for _ in NAMES]
    for phone in phones:
        expect(phone.get_by_test_id("state")).to_have_text("The table is not open")
    host = evening.host()
    for name, phone in zip(NAMES, phones, strict=True):
        expect(phone.get_by_test_id("left")).to_contain_text("The table is open for")
        joins(phone, name)
        phone.wait_for_url("**/seat")
        expect(host.get_by_test_id("joined").locator("li").last).to_have_text(name)
    expect(host.get_by_test_id("join-seats")).to_have_text("3 of 10 seats are taken.")
    assert evening.company() == [*NAMES]
    evening.does("open")
    chance = evening.say(ask={"about": "table"})["answer"]["chance"]
    evening.does("move", move={"do": chance["do"]})
    hands = []
    for seat, (name, phone) in enumerate(zip(NAMES, phones, strict=True), 1):
        expect(phone.get_by_test_id("who-here")).to_contain_text(f"{name}, seat {seat}")
        cards = phone.locator("#held [data-key], #held .held-card")
        expect(cards.first).to_be_visible()
        faces = phone.locator("#held .held-card").evaluate_all(
            "cards => cards.map((one) => one.querySelector('[aria-label]')?.ariaLabel"
            " ?? one.getAttribute('aria-label') ?? one.textContent)"
        )
        assert len(faces) == 5
        hands.append(set(faces))
    assert len(set.union(*hands)) == 15
    expect(host.locator("#joining")).to_be_hidden()


def test_what_is_refused_is_said_and_may_be_tried_again(evening: Evening) -> None:
    """A name that is there already, one that looks like it, and one that nobody may have."""
    evening.say(join={"do": "open"})
    joins(phone := evening.page("/join"), "Anna")
    phone.wait_for_url("**/seat")
    other = evening.page("/join")
    for name, why in (
        ("ANNA", "“Anna” is at the table already"),
        ("Аnna", "mixes Cyrillic and Latin letters"),
        ("#7", "does not begin with #"),
    ):
        joins(other, name)
        expect(other.get_by_test_id("why")).to_contain_text(why)
    joins(other, "Bruno")
    other.wait_for_url("**/seat")
    assert evening.company() == ["Anna", "Bruno"]
    # A phone that has a seat goes there from wherever it scans the code.
    other.goto(f"{evening.url}/join")
    other.wait_for_url("**/seat")


def test_a_full_table_says_so(evening: Evening) -> None:
    """And whom to ask."""
    players = [{"name": f"Player {'x' * number}"} for number in range(9)]
    evening.does("sit", players=players)
    evening.say(join={"do": "open"})
    first, late = evening.page("/join"), evening.page("/join")
    joins(first, "Anna")
    first.wait_for_url("**/seat")
    joins(late, "Bruno")
    expect(late.get_by_test_id("why")).to_contain_text("all 10 seats of the next game are taken")
    assert len(evening.company()) == 10


def test_the_host_closes_early_and_opens_again(evening: Evening) -> None:
    """The phone says so, keeps what was typed, and goes on by itself."""
    phone = evening.page("/join")
    host = evening.host()
    expect(host.get_by_test_id("join-left")).to_contain_text("Open for")
    phone.get_by_test_id("name").fill("Anna")
    host.get_by_role("button", name="Close now").click()
    expect(said(host)).to_have_text("The table is closed. Players can no longer join.")
    expect(phone.get_by_test_id("shut")).to_contain_text("Ask the host to open the table")
    expect(phone.get_by_test_id("join")).to_be_hidden()
    host.get_by_role("button", name="Let players join (60 s)").click()
    expect(phone.get_by_test_id("name")).to_have_value("Anna")
    phone.get_by_test_id("join").click()
    phone.wait_for_url("**/seat")


def test_who_comes_late_is_told(evening: Evening) -> None:
    """The page counts down, and is shut when its time is over; the core says so, too."""
    host, phone = evening.host(), evening.page("/join")
    evening.passes(OPEN_S - 20)
    expect(phone.get_by_test_id("left")).to_contain_text("20 s more")
    host.get_by_role("button", name="Start the 60 s again").click()
    expect(phone.get_by_test_id("left")).to_contain_text("60 s more")
    phone.get_by_test_id("name").fill("Anna")
    evening.now += OPEN_S  # the phone has not heard of it
    phone.get_by_test_id("join").click()
    expect(phone.get_by_test_id("why")).to_contain_text("the table is not open")
    evening.passes(0)
    expect(phone.get_by_test_id("state")).to_have_text("The table is not open")
    expect(host.get_by_role("button", name="Let players join (60 s)")).to_be_visible()
    assert evening.company() == []


def test_a_start_in_the_window_loses_nobody(evening: Evening) -> None:
    """Who has joined has the seat; the table is shut until the host opens it anew."""
    host, phone, late = evening.host(), evening.page("/join"), evening.page("/join")
    joins(phone, "Anna")
    phone.wait_for_url("**/seat")
    late.get_by_test_id("name").fill("Bruno")
    evening.loop.run(evening.core.close())
    expect(late.get_by_test_id("why")).to_contain_text("does not answer")
    evening.starts()
    expect(late.get_by_test_id("state")).to_have_text("The table is not open")
    expect(phone.get_by_test_id("who-here")).to_contain_text("Anna, seat 1")
    host.get_by_role("button", name="Let players join (60 s)").click()
    expect(late.get_by_test_id("name")).to_have_value("Bruno")
    late.get_by_test_id("join").click()
    late.wait_for_url("**/seat")
    assert evening.company() == ["Anna", "Bruno"]


def test_what_the_host_is_writing_stays(evening: Evening) -> None:
    """A player who joins meanwhile stands below it; the host seats all of them together."""
    host = evening.host()
    name = host.locator("#players input[name=name]")
    name.first.fill("Grand")
    joins(evening.page("/join"), "Anna")
    expect(name).to_have_count(2)
    expect(name.first).to_be_focused()
    host.keyboard.press("s")
    expect(name.first).to_have_value("Grands")
    expect(name.last).to_have_value("Anna")
    host.get_by_test_id("sit").click()
    expect(said(host)).to_contain_text("2 seated.")
    assert evening.company() == ["Grands", "Anna"]


def test_the_board_shows_where_to_join(evening: Evening) -> None:
    """One code, the address in words, and the seconds; nothing of it while the table is shut."""
    board = evening.page("/board", LAPTOP)
    code = board.get_by_test_id("code")
    expect(code).not_to_contain_text("To join")
    evening.say(join={"do": "open"})
    expect(code.locator(".qr")).to_have_attribute("data-code", f"{PAGES}/join")
    expect(code).to_contain_text(f"To join, open {PAGES}/join · ")
    evening.passes(30)
    expect(code).to_contain_text("· 30 s")
    evening.say(join={"do": "shut"})
    expect(code).not_to_contain_text("To join")


@pytest.mark.parametrize("evening", [{"plain": True}], indirect=True)
def test_a_caller_s_phone_is_no_seat(evening: Evening) -> None:
    """It is told whose it is, and leads to its pages; nothing is taken from it."""
    evening.say(join={"do": "open"})
    page = evening.page("/pair")
    page.get_by_test_id("name").fill("the caller's phone")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("digits")).to_be_visible()
    digits = page.get_by_test_id("digits").inner_text().replace(" ", "")
    confirm = {"do": "confirm", "digits": digits, "role": "caller", "name": "Carl"}
    assert evening.say(pair=confirm).get("ok")
    page.goto(f"{evening.url}/join")
    expect(page.get_by_test_id("state")).to_contain_text("let in already, as Carl")
    expect(page.get_by_test_id("join")).to_be_hidden()
    page.get_by_test_id("doors").click()
    expect(page.get_by_test_id("door-caller")).to_be_visible()


def test_a_second_press_before_the_answer_says_so(evening: Evening) -> None:
    """The player joins once; a lost answer costs no seat."""
    evening.say(join={"do": "open"})
    page = evening.page("/join")
    held: list[Route] = []
    page.route("**/join/enter", lambda route: held.append(route))
    joins(page, "Anna")
    page.get_by_test_id("join").click()
    expect(page.get_by_test_id("why")).to_contain_text("Not done: Join.")
    [first] = held
    first.continue_()
    page.wait_for_url("**/seat")
    other = evening.page("/join")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    other.route("**/join/enter", lose, times=1)
    joins(other, "Bruno")
    other.wait_for_url("**/seat")
    assert evening.company() == ["Anna", "Bruno"]


def test_no_cookie_no_seat(evening: Evening) -> None:
    """A browser that keeps none is told so, and takes no seat."""
    evening.say(join={"do": "open"})
    page = evening.page("/join")
    page.context.clear_cookies(name=PLAIN_COOKIE)
    joins(page, "Anna")
    expect(page.get_by_test_id("why")).to_contain_text("keeps no cookie")
    assert evening.company() == []
    page.get_by_test_id("join").click()  # the refusal has brought one
    page.wait_for_url("**/seat")


def test_the_page_fits_in_every_language(evening: Evening) -> None:
    """On a phone and on a laptop, shut and open; so does the host's."""
    page = evening.page("/join")
    fits_in_every_language(page, lambda: expect(page.get_by_test_id("shut")).to_be_visible())
    evening.say(join={"do": "open"})
    fits_in_every_language(page, lambda: expect(page.get_by_test_id("join")).to_be_visible())
    host = evening.page("/table", LAPTOP)
    shut = host.locator('[data-key="join-shut"]')
    fits_in_every_language(host, lambda: expect(shut).to_be_visible())
