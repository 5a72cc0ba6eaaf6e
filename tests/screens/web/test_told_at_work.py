"""What a screen reader is told on the pages on which a device is let in, cards are sold and looked
up, money is counted, and the machine is looked at: word for word and in order, from Chromium's
accessibility tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.fakes import Loop
from tests.screens.web.listener import Listener
from tests.screens.web.paired import Night, Visit, station_with
from tests.screens.web.test_desk_roles import LAPTOP, PACK, PROGRAMME

pytestmark = pytest.mark.browser

SOLD = "card 0001 is sold already: nothing was sold; take another card"
CARD = (
    "Nothing to check no game is open; for the next one this card is sold 0001  no name"
    "  sold by Ben 5 11 33 50 76 17 22 43 65 89 2 28 35 56 74"
)
# What is told while something is done, more or less often as that takes: a machine's parts one by
# one, since a self-test is long, and whoever hears nothing would think that it hangs.
READING = re.compile(r"Reading…")
TRYING = re.compile(r"Testing: (\d+) done\.")
NO_CARD = (
    "'9999' is no card of this pack (0001 to 0012): check the card and type its serial, for"
    " example 0007"
)
NO_KNOB = "no ball is enrolled here: teach the station its balls first, with loto enrol"
TOO_MUCH = "the house has £0.00, £900.00 cannot leave: take £0.00 at most"


@pytest.fixture
def night(browser: Browser, tmp_path: Path) -> Iterator[Night]:
    loop = Loop()
    with station_with(loop, browser, tmp_path, PACK, PROGRAMME) as night:
        yield night
    loop.close()


def fills(page: Page, field: str, text: str) -> Callable[[], None]:
    """Somebody types this into a field, in place of what stands there, and presses Enter."""

    def typed() -> None:
        page.get_by_test_id(field).fill(text)
        page.get_by_test_id(field).press("Enter")

    return typed


def presses(page: Page, name: str) -> Callable[[], None]:
    return lambda: page.get_by_role("button", name=name, exact=True).first.click()


def hears(listener: Listener, scene: list[tuple[Callable[[], None], list[str]]]) -> None:
    """After each thing that is done, these are told, and nothing before or between but that
    something is being read, or how many parts were tried, which may be over before anybody listens;
    no count is told twice."""
    for does, told in scene:
        does()
        heard: list[str] = []
        for last in told:
            heard += listener.until(last)
        passing = (READING, TRYING)
        assert [text for text in heard if not any(one.fullmatch(text) for one in passing)] == told
        tried = [int(found[1]) for text in heard if (found := TRYING.fullmatch(text))]
        assert tried == sorted({*tried})


@pytest.mark.long
def test_the_desk(night: Night) -> None:
    """The price while it is typed, what was sold, why not, the card that is looked up; the same
    again is told again."""
    with Visit(night, "cashier", "/desk", LAPTOP) as visit:
        page = visit.page
        expect(page.get_by_test_id("cards")).to_be_visible()
        cards, sell = page.get_by_test_id("cards"), presses(page, "Sell")
        hears(
            Listener(page),
            [
                (lambda: cards.fill("0001-0002"), ["2 cards: £3.00"]),
                (sell, ["2 cards sold: take £3.00."]),
                (lambda: cards.fill("0001"), ["1 card: £1.50"]),
                (sell, [SOLD]),
                (sell, [SOLD]),
                (fills(page, "card", "0001"), [CARD]),
                (fills(page, "card", "0001"), [CARD]),
                (fills(page, "card", "9999"), [NO_CARD]),
                (fills(page, "card", "9999"), [NO_CARD]),
            ],
        )


@pytest.mark.long
def test_the_treasurers_page(night: Night) -> None:
    """What was counted, until when the record is read, why a sum cannot leave."""
    night.do("sell", serials=["0001", "0002"], by="Ben")
    with Visit(night, "treasurer", "/treasurer", LAPTOP) as visit:
        page = visit.page
        expect(page.get_by_test_id("as-of")).to_have_text("Up to line 3.")

        def count() -> None:
            page.get_by_test_id("takings").locator("input").first.fill("3.00")
            presses(page, "Count")()

        hears(
            Listener(page),
            [
                (count, ["Ben: £3.00 counted, £3.00 expected."]),
                (presses(page, "Refresh"), ["Up to line 4."]),
                (presses(page, "Refresh"), ["Up to line 4."]),
                (fills(page, "bank-sum", "900"), [TOO_MUCH]),
                (fills(page, "bank-sum", "900"), [TOO_MUCH]),
            ],
        )


@pytest.mark.long
def test_the_health_page(night: Night) -> None:
    """How it is, as often as somebody looks; what came of a test, and why one cannot begin."""
    with Visit(night, "admin", "/health", LAPTOP) as visit:
        page = visit.page
        expect(page.get_by_test_id("summary")).to_have_text("No faults.")
        hears(
            Listener(page),
            [
                (presses(page, "Refresh"), ["No faults."]),
                (presses(page, "Refresh"), ["No faults."]),
                (presses(page, "Test the machine"), ["The self-test passed."]),
                (presses(page, "Count the balls"), [NO_KNOB]),
                (presses(page, "Count the balls"), [NO_KNOB]),
            ],
        )


@pytest.mark.long
def test_a_device_that_asks(night: Night) -> None:
    """The digits, once, and not the seconds that are left; the heading over them is where the
    reader goes on. Another device that asks meanwhile is told why not."""
    context = night.browser.new_context(locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(LIMIT_MS)
    page = context.new_page()
    page.goto(f"{night.url}/pair")
    expect(page.get_by_test_id("name")).to_be_focused()
    listener = Listener(page)
    page.keyboard.type("the tablet")
    page.keyboard.press("Enter")
    digits = page.get_by_test_id("digits")
    expect(digits).to_be_visible()
    assert listener.until(digits.inner_text()) == [digits.inner_text()]
    expect(page.get_by_role("heading", name="Show this code to an organiser")).to_be_focused()
    seconds = page.get_by_test_id("left").inner_text()
    expect(page.get_by_test_id("left")).not_to_have_text(seconds)
    assert listener.told() == []
    other = night.browser.new_context(locale="en-GB")
    page = other.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.goto(f"{night.url}/pair")
    expect(page.get_by_test_id("name")).to_be_focused()
    listener = Listener(page)
    page.keyboard.type("the phone")
    page.keyboard.press("Enter")
    why = page.get_by_test_id("why")
    expect(why).to_contain_text("ask again in")
    assert listener.until(why.inner_text()) == [why.inner_text()]
    other.close()
    context.close()
