"""Random hands on the caller's page and the desk of a real station that mean nothing: scans
everywhere, keys pressed once, numbers keyed and not confirmed, pastes. The journal stays as it
was, but for claims with cards that were scanned at a stop."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import said
from tests.screens.web.hands import call, scan, some_time_after, with_scanner
from tests.screens.web.test_hands_night import Hall, hall

__all__ = ["hall"]

pytestmark = pytest.mark.browser

# Each of these needs a second press; what is one press only is meant, and is not among them.
TWICE = "adgijmnopqtxy"
IDLE = ("Shift", "Control", "Escape", "ArrowDown", "PageDown", "F2", "Tab")
PASTED = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def nothing_open(page: Page) -> None:
    """A question that was asked is left, and no field has the focus."""
    if page.locator("dialog[open]").count():
        page.get_by_test_id("leave").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("document.activeElement.blur()")


def scanned(page: Page, luck: Random, code: str) -> None:
    scan(page, code, end=luck.choice(("Enter", "Tab", "")), key_ms=luck.randint(1, 25))


def one_key(page: Page, luck: Random, code: str) -> None:
    page.keyboard.press(luck.choice(TWICE))
    some_time_after(page, 60)
    page.keyboard.press("F2")
    page.keyboard.press(luck.choice("wvz"))  # another key: what was asked is forgotten


def number(page: Page, luck: Random, code: str) -> None:
    page.keyboard.type(str(luck.randint(1, 90)), delay=50)
    page.keyboard.press("Enter")
    some_time_after(page, 60)
    page.keyboard.press("Escape")


def serial(page: Page, luck: Random, code: str) -> None:
    page.keyboard.type(str(luck.randint(100, 9999)), delay=50)


def held(page: Page, luck: Random, code: str) -> None:
    key = luck.choice(TWICE + "5")
    for _ in range(luck.randint(2, 6)):
        page.keyboard.down(key)  # a key that is down already repeats
    page.keyboard.up(key)
    some_time_after(page, 60)
    page.keyboard.press("v")


def pasted(page: Page, luck: Random, code: str) -> None:
    page.evaluate(PASTED, luck.choice((code, "12", "1234")))


def idle(page: Page, luck: Random, code: str) -> None:
    page.keyboard.press(luck.choice(IDLE))


def chord(page: Page, luck: Random, code: str) -> None:
    page.keyboard.press(f"{luck.choice(('Alt', 'Meta'))}+{luck.choice(TWICE)}")


ANYWHERE = (scanned, scanned, pasted, idle, chord)
NOWHERE = (*ANYWHERE, one_key, number, serial, held)  # with nothing focused


def gesture(page: Page, luck: Random, code: str, fields: list[str]) -> None:
    """Something that a hand does without meaning any act by it."""
    nothing_open(page)
    field = luck.choice([None, *fields])
    if field is not None:
        page.get_by_test_id(field).focus()
    some_time_after(page, 60)
    luck.choice(NOWHERE if field is None else ANYWHERE)(page, luck, code)


def random_night(browser: Browser, station: Hall, url: str, gestures: int, seed: int) -> None:
    luck = Random(seed)
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    caller, desk = (context.new_page() for _ in range(2))
    for page, name in ((caller, "caller"), (desk, "desk")):
        page.set_default_timeout(LIMIT_MS)
        with_scanner(page)
        page.goto(f"{url}/{name}?token=s3cret")
        expect(page.locator(f"#{name}")).to_be_visible()
    serials = station.pack.serials
    desk.bring_to_front()
    for place in range(gestures // 2):
        code = luck.choice((serials[place % len(serials)], station.codes[place % len(serials)]))
        gesture(desk, luck, code, ["card", "cards", "to", "by", "given", "who"])
    assert station.acts() == []
    caller.bring_to_front()
    caller.keyboard.press("Space")
    caller.get_by_test_id("do-it").click()  # no card is sold
    expect(caller.locator("body")).to_have_attribute("data-phase", "playing")
    for _ in range(gestures // 2):
        gesture(caller, luck, luck.choice(serials), ["keyed", "card"])
    nothing_open(caller)
    some_time_after(caller)
    call(caller, 42)  # it still does what is meant
    expect(said(caller)).to_contain_text("42 has been called.")
    assert [act["act"] for act in station.acts()] == ["open", "draw"]
    for page in (caller, desk):
        page.goto("about:blank")
    context.close()


def test_random_hands_do_no_act(browser: Browser, hall: tuple[Hall, str]) -> None:
    """Some hands, in the tests of every day."""
    random_night(browser, *hall, gestures=60, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
def test_many_random_hands_do_no_act(browser: Browser, hall: tuple[Hall, str], seed: int) -> None:
    """Many more."""
    random_night(browser, *hall, gestures=600, seed=seed)
