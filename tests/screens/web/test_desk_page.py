"""The desk in a browser, before a real core: sold, looked at, claimed by card and ticket, paid by
two people, counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from station.base.nouns import Card
from station.cards import PACK_FILE
from station.cards.pack import Pack, make_pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from station.screens.web.app import make_app
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.conftest import acts_sent, fits_in_every_language, is_asked, late, said
from tests.screens.web.fakes import Distant, Loop, served
from tests.support import CLOCK

pytestmark = pytest.mark.browser

FIG1 = Card.parse("0001: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
PACK = Pack([FIG1, *make_pack(2).cards()[1:]])
TOP = FIG1.rows[0]
STAGES = (StagePlan(pattern="row", share=20), StagePlan(pattern="full"))
PROGRAMME = Programme(
    name="t",
    games=(
        GamePlan(name="The first house", price=150, stages=STAGES, at_once=True, tickets=True),
        GamePlan(name="two", price=50),
    ),
    shares=Shares(house=10),
    approve_above=100,
)


@dataclass
class Desk:
    """A page at a station, and the caller's hands."""

    page: Page
    loop: Loop
    socket: Path
    acts: list[str]

    def do(self, act: str, **arguments: Any) -> None:
        async def work() -> Message:
            async with await Client.open(self.socket, "admin") as client:
                return await client.do(act, **arguments)

        answer = self.loop.run(work())
        assert answer.get("ok"), answer

    def look(self, serial: str) -> None:
        self.page.get_by_test_id("card").fill(serial)
        self.page.get_by_test_id("card").press("Enter")

    def says(self, text: str) -> None:
        expect(said(self.page)).to_contain_text(text)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture
def desk(page: Page, loop: Loop, tmp_path: Path) -> Iterator[Desk]:
    """The desk of a running station with `PACK` and `PROGRAMME`."""
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(PACK.to_csv())
    machine = Machine(clock=CLOCK, check_ground=lambda folder, *, test: None)
    core = loop.call(
        lambda: Core(Settings(), tmp_path, tmp_path / "run", programme=PROGRAMME, machine=machine)
    )
    loop.run(core.open())
    socket = core.run / SOCKET
    app = make_app(
        socket,
        None,
        voice=VOICES / "en",
        wording=load_wording(),
        token="s3cret",  # noqa: S106 - a test's
        desk=True,
    )
    with served(loop, app) as url:
        page.goto(f"{url}/desk?token=s3cret")
        expect(page.locator("#desk")).to_be_visible()
        assert page.url == f"{url}/desk"
        yield Desk(page, loop, socket, acts_sent(page, "/desk/do"))
        page.goto("about:blank")  # it would complain that the station went away
    loop.run(core.close())


@pytest.mark.long
def test_an_evening_at_the_desk(desk: Desk) -> None:
    """All that a card can come to, in the order of an evening; each step says what was done, in the
    hall's sums.

    Somebody else works at the same time, the station is slow, hands are quick: nothing is lost,
    done twice, or done to another.
    """
    page = desk.page
    # Sold by range, the price known before.
    page.get_by_test_id("cards").fill("0001-0003 0010")
    page.get_by_test_id("to").fill("Anna")
    page.get_by_test_id("by").fill("Ben")
    expect(page.get_by_test_id("price")).to_have_text("4 cards: £6.00")
    with late(page, "/desk/do"):
        desk.press("Sell")
        desk.press("Sell")
    desk.says("4 cards sold: take £6.00.")
    expect(page.locator("#coming")).to_contain_text(
        "for game 1, The first house: 4 sold, £1.50 a card"
    )
    page.get_by_test_id("cards").fill("0003")
    desk.press("Sell")
    desk.says("card 0003 is sold already to Anna: nothing was sold")
    page.get_by_test_id("cards").fill("0010")
    desk.press("Return cards")
    desk.says("1 card returned: give back £1.50.")
    # A card that is not complete: what it wants, in its face; and one that is.
    desk.do("open")
    for number in TOP[:4]:
        desk.do("draw", number=number)
    desk.look("OOO1")
    expect(page.get_by_test_id("verdict")).to_have_text("Not valid")
    expect(page.get_by_test_id("found")).to_contain_text("wants 76 for One line")
    expect(page.locator(".face .marked")).to_have_text([str(number) for number in TOP[:4]])
    desk.do("draw", number=TOP[4])
    expect(page.get_by_test_id("verdict")).to_have_text("Valid")
    expect(page.locator(".face .last")).to_have_text("76")
    expect(page.get_by_test_id("found")).to_contain_text("0001 Anna sold by Ben")
    desk.press("Claim: stop the game")
    expect(page.get_by_test_id("checked")).to_contain_text("0001 valid for One line")
    expect(page.get_by_test_id("game")).to_contain_text("stopped for a claim")
    # Scanned on before the first was answered: the last one stays.
    with late(page, "/desk/ask", '"serial":"0010"'):
        desk.look("0010")
        desk.look("0002")
        expect(page.get_by_test_id("found")).to_contain_text("0002 Anna")
    page.get_by_text("Check a bought-in ticket").click()
    page.get_by_test_id("numbers").fill("5 11 33 50 91")
    with late(page, "/desk/do"):
        desk.press("Claim this one too")
        # Check a bought-in ticket, by its numbers. What is wrong with it is still to be read when
        # the claim is answered.
        page.get_by_test_id("numbers").press("Enter")
        desk.says("91 is not a number from 1 to 90")
    expect(page.get_by_test_id("checked").locator("li.bad")).to_contain_text(
        "0002 not valid: wants"
    )
    expect(page.get_by_test_id("found")).to_contain_text("checked already at this stop")
    desk.says("91 is not a number from 1 to 90")
    page.get_by_test_id("numbers").fill("5 11 33 50 77")
    page.get_by_test_id("stage").select_option("row")
    page.get_by_test_id("numbers").press("Enter")
    expect(page.locator(".ball.missing")).to_have_text("77")
    page.get_by_test_id("numbers").fill("5,11,33,50,76")
    page.get_by_test_id("numbers").press("Enter")
    expect(page.get_by_test_id("verdict")).to_have_text("Valid")
    desk.press("Claim this one too")
    expect(page.get_by_test_id("checked")).to_contain_text("ticket-1-1 valid for One line")
    desk.press("Play on")
    # Three cards are £4.50; 45p to the house; a fifth of £4.05 is 81p, for two: no second person.
    owed = page.get_by_test_id("owed")
    expect(owed.locator("li")).to_have_count(2)
    # A card is sold elsewhere while the button is down; the second click of a double click may meet
    # the next one's button.
    first = owed.locator("li").first
    serial = first.get_attribute("data-serial")
    first.get_by_role("button", name="As a voucher").hover()
    page.mouse.down()
    desk.do("sell", serials=["0012"])
    expect(page.locator("#coming")).to_contain_text("for game 2, two: 1 sold")
    page.mouse.up()
    desk.says(f"Card {serial}: £0.40 handed over.")
    expect(owed.locator("li")).to_have_count(1)
    first.get_by_role("button", name="As a voucher").hover()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    expect(page.get_by_test_id("accounts")).to_contain_text("Vouchers issued, not used yet£0.40")
    owed.get_by_role("button", name="Pay £0.40").click()
    expect(owed).to_have_text("Nobody is owed anything.")
    # The rest for the full card: above the sum, so two people.
    for number in (*FIG1.rows[1], *FIG1.rows[2]):
        desk.do("draw", number=number)
    desk.look("0001")
    desk.press("Claim: stop the game")
    desk.press("Play on")
    page.get_by_test_id("who").fill("Ben")
    owed.get_by_role("button", name="Pay £3.25").click()
    desk.says("let another than Ben approve this sum")
    owed.get_by_label("Second person's name").fill("Ben")
    desk.do("sell", serials=["0011"])
    expect(page.locator("#coming")).to_contain_text("2 sold")
    owed.get_by_role("button", name="Approve as the second person").click()
    desk.says("Ben approves £3.25 for card 0001.")
    expect(owed).to_contain_text("approved by Ben")
    owed.get_by_role("button", name="Pay £3.25").click()
    desk.says("let another than Ben approve this sum")
    page.get_by_test_id("who").fill("Carla")
    owed.get_by_role("button", name="Pay £3.25").click()
    desk.says("Card 0001: £3.25 handed over.")
    # What the seller has, and hands in.
    takings = page.get_by_test_id("takings")
    expect(takings.locator("tbody tr").first).to_contain_text("Ben£4.50£4.50")
    expect(takings.locator("tbody tr").last).to_contain_text("no name£1.00£1.00")
    takings.get_by_label("Handed in (Ben)").fill("4.5")
    takings.get_by_role("button", name="Count").first.click()
    desk.says("4.5 is not a sum: write it as 12.50")
    takings.get_by_label("Handed in (Ben)").fill("4.00")
    takings.get_by_role("button", name="Count").first.click()
    desk.says("Ben: £4.00 counted, £4.50 expected.")
    expect(takings.locator("tbody tr").first).to_contain_text("-£0.50")
    expect(takings.get_by_label("Handed in (Ben)")).to_have_value("")
    takings.get_by_label("Handed in (no name)").fill("1.00")
    takings.get_by_role("button", name="Count").last.click()
    desk.says("no name: £1.00 counted, £1.00 expected.")
    assert desk.acts == [
        *("sell", "sell", "return", "claim", "claim", "claim-ticket", "play-on", "pay", "pay"),
        *("claim", "play-on", "pay", "approve", "pay", "pay", "count-cash"),
        "count-cash",
    ]


def test_nothing_is_sold_while_the_cash_given_is_short(desk: Desk) -> None:
    """The page says what is missing, and keeps what was typed; enough, or an empty field, sells.
    What comes back wants no cash."""
    page, given = desk.page, desk.page.get_by_test_id("given")
    page.get_by_test_id("cards").fill("0001")
    given.fill("0.50")
    expect(page.get_by_test_id("price")).to_have_text("1 card: £1.50. Short by £1.00")
    desk.press("Sell")
    desk.says("1 card: £1.50. The cash is short by £1.00, so nothing was sold")
    expect(page.get_by_test_id("cards")).to_have_value("0001")
    given.fill("much")
    desk.press("Sell")
    desk.says("much is not a sum: write it as 12.50")
    assert desk.acts == []
    given.fill("2.00")
    desk.press("Sell")
    desk.says("1 card sold: take £1.50, give £0.50 change.")
    expect(given).to_have_value("")
    page.get_by_test_id("cards").fill("0002")
    desk.press("Sell")
    desk.says("1 card sold: take £1.50.")
    page.get_by_test_id("cards").fill("0002")
    given.fill("0.50")
    desk.press("Return cards")
    desk.says("1 card returned: give back £1.50.")
    assert desk.acts == ["sell", "sell", "return"]


def test_nothing_sticks_out(desk: Desk) -> None:
    """On a phone, a tablet, a laptop and a large screen nothing is wider than the window, or than
    its part of the page."""
    desk.do("sell", serials=["0002"], by="Bartholomew")
    desk.look("0001")
    expect(desk.page.get_by_test_id("found")).to_be_visible()
    expect(desk.page.get_by_test_id("takings")).to_be_visible()
    for width in (360, 768, 1280, 1366, 1920):
        desk.page.set_viewport_size({"width": width, "height": 800})
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
        parts = desk.page.locator(".part").evaluate_all(
            "parts => parts.map((part) => part.scrollWidth - part.clientWidth)"
        )
        assert parts == [0, 0, 0], width


@pytest.mark.long
def test_every_language_fits(desk: Desk) -> None:
    """With all that a desk shows: a claim's buttons, what takes two people to pay, a seller."""
    desk.do("sell", serials=[f"{serial:04}" for serial in range(1, 9)], by="Bartholomew")
    desk.do("open")
    for number in TOP:
        desk.do("draw", number=number)
    desk.do("claim", serial="0001")
    desk.do("play-on")

    def opens() -> None:
        expect(desk.page.locator(".second button")).to_be_visible()
        expect(desk.page.get_by_test_id("takings")).to_be_visible()
        desk.page.locator(".ticket").evaluate("(ticket) => ticket.open = true")
        desk.look("0002")
        expect(desk.page.get_by_test_id("found").locator("button")).to_be_visible()

    fits_in_every_language(desk.page, opens)


def test_without_the_right_there_is_only_the_reason(page: Page, loop: Loop, tmp_path: Path) -> None:
    """Where the web's own user only watches, the page says what to type on the station, and shows
    nothing else."""
    core = Distant(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    with served(
        loop, make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    ) as url:
        page.goto(f"{url}/desk")
        expect(page.locator("#away")).to_contain_text("Use ./loto sell, ./loto claim")
        expect(page.locator("#desk")).to_be_hidden()
        page.goto("about:blank")
    loop.run(core.close())


def test_the_desk_asks_as_the_other_pages_do(desk: Desk) -> None:
    """Where the station asks before an act of the desk, the page shows what is lost, and sends what
    was seen under a new id."""
    page, sent = desk.page, []

    def asks(route: Route) -> None:
        sent.append(route.request.post_data_json)
        refused = {"reason": "sure?", "say": "1 prize is not won", "seen": "7"}
        route.fulfill(json={"ok": True, "seq": 8} if sent[-1].get("sure") else {"refused": refused})

    page.route("**/desk/do", asks)
    page.get_by_test_id("cards").fill("0001")
    desk.press("Sell")
    is_asked(page, "1 prize is not won.")
    page.keyboard.press("Escape")
    desk.says("Cancelled. Nothing was done.")
    desk.press("Sell")
    is_asked(page, "1 prize is not won.").get_by_role("button", name="Do it").click()
    expect(page.get_by_test_id("sure")).to_have_count(0)
    desk.says("1 card sold")
    assert [{key: order.get(key) for key in ("seen", "sure")} for order in sent] == [
        {"seen": None, "sure": None},
        {"seen": None, "sure": None},
        {"seen": "7", "sure": True},
    ]
    assert len({order["id"] for order in sent}) == 3
    page.unroute("**/desk/do")
