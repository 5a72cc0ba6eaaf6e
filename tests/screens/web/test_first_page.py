"""The page of the first start in a real browser, from the set-up code to the first device."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from station.settings.config import SYSTEM_FILE
from station.wire.wording import languages
from tests.machine.test_first_start import CODE, Card
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.fakes import Loop, served

pytestmark = pytest.mark.browser


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


@pytest.fixture
def page(browser: Browser, card: Card) -> Iterator[Page]:
    """The page as an English telephone shows it."""
    loop = Loop()
    context = browser.new_context(locale="en-GB", viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    with served(loop, card.browser.app) as url:
        page.goto(url)
        yield page
    context.close()
    loop.close()


def presses(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def test_a_browser_walks_through_the_whole_first_start(page: Page, card: Card) -> None:
    """A browser posts each form of the page, and the page accepts each."""
    page.get_by_label("Set-up code").fill("wrong")
    presses(page, "Go on")
    expect(page.get_by_role("alert")).to_contain_text("not the code")
    page.get_by_label("Set-up code").fill(CODE)
    presses(page, "Go on")
    page.get_by_label("What is the hall called?").fill("The Barn")
    presses(page, "Write it, and start the station")
    expect(page.get_by_text("Please wait")).to_be_visible()
    card.do()
    page.reload()
    assert "The Barn" in card.at(str(SYSTEM_FILE)).read_text()
    page.get_by_label("Six digits").fill("402917")
    page.get_by_label("Whose device it is").fill("Anna")
    presses(page, "Let it in, as an admin")
    expect(page.get_by_text("Please wait")).to_be_visible()
    card.do()
    page.reload()
    assert card.paired == [("402917", "Anna")]
    expect(page.get_by_text("The station is ready.")).to_be_visible()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")


CHOICES = """() => [...document.querySelectorAll("option")].map((one) => one.text)"""
# What is wider than its box: each kind of station, and of other lists what is chosen.
CUT = """() => [...document.querySelectorAll("select")].flatMap((one, index) => {
  const { font, paddingLeft, paddingRight } = getComputedStyle(one);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return [...(index ? one.selectedOptions : one.options)].map(({ text }) => text)
    .filter((text) => pen.measureText(text).width > room);
})"""


def test_the_choices_fit_a_telephone_and_are_in_the_readers_language(page: Page) -> None:
    """No choice is cut at 360 pixels, and none is English where the page is not."""
    page.get_by_label("Set-up code").fill(CODE)
    presses(page, "Go on")
    english = set(page.evaluate(CHOICES))
    assert "the station draws, by one button" in english
    for language in languages():
        page.goto(f"{page.url}?lang={language}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate(CUT) == [], language
        if language != "en":
            assert english.isdisjoint(page.evaluate(CHOICES)), language
