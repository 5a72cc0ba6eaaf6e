"""Hands at a page: a scanner of 8 ms a key, and a person who presses a key a second time."""

from __future__ import annotations

from playwright.sync_api import Error, Page, expect

from tests.looking import until
from tests.screens.web.conftest import said

KEY_MS = 8
SOONEST_MS = 160  # no person presses a key again any sooner


def with_scanner(page: Page) -> Page:
    """Give the page a clock that stands still while a scanner types: keys of one code come in its
    time, however busy this machine is. Before the page is opened."""
    page.clock.install()
    return page


def scan(page: Page, code: str, *, end: str = "Enter", key_ms: int = KEY_MS) -> None:
    """A scanner types a code; the page is one that was given a scanner."""
    _pause(page)
    for key in [*code, *([end] if end else [])]:
        page.keyboard.press(key)
        page.clock.run_for(key_ms)
    page.clock.run_for(300)
    page.clock.resume()


def _pause(page: Page) -> None:
    """Stop the page's clock a moment from now; on a busy machine that moment may have passed."""
    for ahead_s in (0.1, 0.2, 0.4, 0.8):
        try:
            page.clock.pause_at(page.evaluate("Date.now()") / 1000 + ahead_s)
            return
        except Error as error:
            if "to the past" not in str(error):
                raise
    raise AssertionError("the machine is too busy to stop the page's clock")


def some_time_after(page: Page, ms: int = SOONEST_MS) -> None:
    """A person's hand comes back."""
    now = page.evaluate("performance.now()")
    until(page, f"() => performance.now() > {now + ms}")


def twice(page: Page, key: str) -> None:
    """A key that needs a second press: the first asks for it."""
    page.keyboard.press(key)
    expect(said(page)).to_contain_text(f"Press {key.upper()} again")
    some_time_after(page)
    page.keyboard.press(key)


def call(page: Page, number: int) -> None:
    """A number is keyed, and confirmed."""
    page.keyboard.type(str(number), delay=50)
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text(f"Call {number}?")
    some_time_after(page)
    page.keyboard.press("Enter")


def chosen(page: Page, key: str) -> None:
    """A question is answered by the key of one of its answers."""
    expect(page.get_by_test_id("choose")).to_be_visible()
    page.keyboard.press(key)


def to_card(page: Page) -> None:
    """The key that leads to the field for a card."""
    page.keyboard.press("c")
    expect(page.get_by_test_id("card")).to_be_focused()


def play_on(page: Page) -> None:
    """The key that plays on, typed where a card is asked for."""
    expect(page.get_by_test_id("card")).to_be_focused()
    some_time_after(page)
    page.keyboard.press("p")
    some_time_after(page)
    page.keyboard.press("Enter")
