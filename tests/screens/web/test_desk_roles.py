"""The desk before a real core, for paired people: a cashier sells, pays and prints, a checker
checks and draws lots; each sees what is for that role, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from station.base.nouns import Card
from station.cards.pack import Pack, make_pack
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from tests.paper_reader import read
from tests.screens.web.conftest import is_asked
from tests.screens.web.fakes import Loop
from tests.screens.web.paired import Night, Visit, station_with

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
FIG1 = Card.parse("0001: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
TWIN = Card.parse("0002: 5 11 33 50 76 / 16 21 44 66 88 / 3 27 36 55 73")  # the same top row
PACK = Pack([FIG1, TWIN, *make_pack(2).cards()[2:]])
PROGRAMME = Programme(
    name="t",
    games=(
        GamePlan(
            name="one",
            price=150,
            stages=(
                StagePlan(pattern="row", share=40, thing="a ham"),
                StagePlan(pattern="full"),
            ),
        ),
        GamePlan(name="two", price=50),
    ),
    shares=Shares(house=10),
)


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture
def night(loop: Loop, browser: Browser, tmp_path: Path) -> Iterator[Night]:
    with station_with(loop, browser, tmp_path, PACK, PROGRAMME) as night:
        yield night


def there(page: Page) -> dict[str, bool]:
    """Which parts of the desk this person has."""
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    parts = {
        "look": "#look",
        "ticket": "#ticket",
        "sell": "#sell",
        "who": "#who",
        "redeem": "#redeem",
        "bank": "#bank",
        "break": "#break",
    }
    return {name: page.locator(selector).is_visible() for name, selector in parts.items()}


@pytest.mark.long
def test_each_role_has_its_own_desk(night: Night) -> None:
    """What the core would refuse is not offered; what is there can be done."""
    night.do("sell", serials=["0001", "0002"], by="Ben")
    night.do("open")
    everything = dict.fromkeys(("look", "ticket", "sell", "who", "redeem", "bank", "break"), False)
    for role, parts in {
        "cashier": ("look", "sell", "who", "redeem"),
        "checker": ("look", "ticket"),
        "treasurer": ("look", "bank"),
        "auditor": ("look",),
    }.items():
        with Visit(night, role, "/desk", LAPTOP) as visit:
            visit.shows("game", "Game 1 of 2")
            expect(visit.page.locator("#owed")).to_contain_text("Nobody is owed anything")
            visit.page.get_by_test_id("card").fill("0001")
            visit.page.get_by_test_id("card").press("Enter")
            expect(visit.page.get_by_test_id("found")).to_contain_text("0001")
            assert there(visit.page) == everything | dict.fromkeys(parts, True), role
            claims = visit.page.get_by_role("button", name="Claim: stop the game")
            expect(claims).to_have_count(1 if role == "checker" else 0)


@pytest.mark.long
def test_a_cashier_sells_pays_and_prints(night: Night) -> None:
    """The change is told before it is given; what was paid has a receipt that says so; vouchers
    come back for cash; the device is the cashier's word."""
    with Visit(night, "cashier", "/desk", PHONE) as visit:
        page = visit.page
        page.get_by_test_id("cards").fill("0001-0002 0005")
        expect(page.get_by_test_id("price")).to_have_text("3 cards: £4.50")
        page.get_by_test_id("given").fill("4.00")
        expect(page.get_by_test_id("price")).to_have_text("3 cards: £4.50. Short by £0.50")
        page.get_by_test_id("given").fill("10.00")
        expect(page.get_by_test_id("price")).to_have_text("3 cards: £4.50. Change: £5.50")
        visit.press("Sell")
        visit.says("3 cards sold: take £4.50, give £5.50 change.")
        visit.shows("takings", "Ben")  # whose device it is
        expect(page.get_by_test_id("by")).to_have_value("Ben")
        expect(page.get_by_test_id("given")).to_have_value("")
        night.do("open")
        for number in (*FIG1.rows[0][:4], 2, FIG1.rows[0][4]):
            night.do("draw", number=number)
        night.do("claim", serial="0001")
        night.do("play-on")
        owed = page.get_by_test_id("owed")
        expect(owed).to_contain_text("£1.62 and a ham")
        expect(owed.get_by_role("button", name="Pay £1.62")).to_be_visible()
        owed.get_by_role("button", name="As a voucher").click()
        visit.says("Card 0001: £1.62 and a ham handed over.")
        receipts = page.get_by_test_id("receipts")
        receipts.get_by_role("button", name="Receipt").click()
        link = receipts.get_by_role("link", name="Open receipt-0001.pdf")
        expect(link).to_be_visible()
        (paper,) = read(visit.fetched(night.url + str(link.get_attribute("href"))))
        assert "Card 0001" in paper.text
        assert "PAID" in paper.text
        refused = visit.context.request.get(f"{night.url}/treasurer/report.pdf?line=5")
        assert (refused.status, refused.json()["refused"]["reason"]) == (403, "not-your-role")
        page.get_by_text("Vouchers, banking, abandoned game").click()
        page.get_by_label("Vouchers handed in").fill("2.00")
        visit.press("Swap for cash")
        visit.says("vouchers for £2.00: only £1.62 are out; look at them again")
        page.get_by_label("Vouchers handed in").fill("1.62")
        visit.press("Swap for cash")
        visit.says("Vouchers for £1.62 swapped for cash.")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_checker_draws_lots(night: Night) -> None:
    """For a thing that two have won: each knob is keyed, a wrong one is told; the cashier's device
    hands it out to the higher."""
    night.do("sell", serials=["0001"], to="Zoe", by="Ben")
    night.do("sell", serials=["0002"], to="Rob", by="Ben")
    night.do("open")
    for number in FIG1.rows[0]:
        night.do("draw", number=number)
    with Visit(night, "checker", "/desk", PHONE) as visit:
        page = visit.page
        for serial in ("0001", "0002"):
            page.get_by_test_id("card").fill(serial)
            page.get_by_test_id("card").press("Enter")
            expect(page.get_by_test_id("found")).to_contain_text(serial)
            visit.press("Claim this one too" if serial == "0002" else "Claim: stop the game")
            expect(page.get_by_test_id("checked")).to_contain_text(f"{serial} valid for One line")
        night.do("play-on")
        form = page.locator(".lots")
        expect(form).to_contain_text("Several players have won this: a ham.")
        expect(page.get_by_role("button", name="Hand over")).to_have_count(0)
        form.get_by_label("Card 0001").fill("91")
        form.get_by_label("Card 0002").fill("7")
        visit.press("Enter the draw")
        visit.says("91 is not a number from 1 to 90")
        form.get_by_label("Card 0001").fill("90")
        visit.press("Enter the draw")
        visit.says("The draw for this is entered: a ham.")
        expect(form).to_have_count(0)
        owed = page.get_by_test_id("owed").locator("li")
        expect(owed.filter(has_text="a ham")).to_contain_text("Card 0001")


def test_a_game_is_broken_off_after_a_question(night: Night, loop: Loop) -> None:
    """By an admin, with a reason, when what is lost was read; before that nothing is done."""
    night.do("sell", serials=["0001", "0002"], by="Ben")
    night.do("open")
    with Visit(night, "admin", "/desk", LAPTOP) as visit:
        page = visit.page
        page.get_by_text("Vouchers, banking, abandoned game").click()
        visit.press("Abandon the game")
        visit.says("Say why the game cannot continue.")
        page.get_by_label("Why the game cannot continue").fill("the lights are out")
        visit.press("Abandon the game")
        dialog = is_asked(
            page,
            "2 prizes are not won and cannot be won any more: £1.50 is given back for each card.",
        )
        dialog.get_by_role("button", name="Do it").click()
        visit.says("The game has been abandoned. Refund the cards one by one.")
        visit.shows("game", "No game is open")
        expect(page.locator("#break")).to_be_hidden()
        visit.shows("owed", "Game 1 was abandoned: 2 cards at £1.50 each to refund")
