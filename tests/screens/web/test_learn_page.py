"""A game is learnt in a browser: forward and back with buttons and keys, in another language; and
its rules are read on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.screens.web.conftest import Hall, Visit

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}


@pytest.mark.long
def test_an_example_goes_on_and_back(visit: Visit, hall: Hall) -> None:
    """What happened, the rule and the table change with each step; the ends are ends."""
    page = visit.page
    page.goto(f"{hall.url}/learn")
    page.get_by_test_id("game").select_option("my-bird-sings")
    expect(page.get_by_test_id("step")).to_have_text("Step 1 of 16")
    expect(page.locator("#back")).to_be_disabled()
    page.locator("#next").click()
    expect(page.get_by_test_id("lines")).to_contain_text("Whose bird sings?")
    expect(page.get_by_test_id("rule")).to_contain_text("Four cards of one suit")
    expect(page.locator('.seat[data-seat="2"] .playing-card')).to_have_count(4)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("step")).to_have_text("Step 1 of 16")
    for step in range(2, 17):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_test_id("step")).to_have_text(f"Step {step} of 16")
    expect(page.locator("#next")).to_be_disabled()
    page.get_by_test_id("language").select_option("de")
    expect(page.get_by_test_id("step")).to_have_text("Schritt 1 von 11")


# What of a step is not in view without scrolling; of the table on a phone its upper part is.
UNSEEN = """() => {
  const box = (id) => document.getElementById(id).getBoundingClientRect();
  const [step, rule, next, board] = ['step', 'rule', 'next', 'board'].map(box);
  const seen = innerWidth < 960 ? Math.min(board.bottom, next.top) - board.top
    : Math.min(board.bottom, innerHeight) - board.top;
  return [
    ...(scrollY || step.top < 0 || rule.bottom > innerHeight ? ['what is told'] : []),
    ...(next.top < 0 || next.bottom > innerHeight || next.top < rule.bottom ? ['Next'] : []),
    ...(seen < (innerWidth < 960 ? 280 : board.height) || board.height < 280 ? ['the table'] : []),
  ];
}"""
WINDOWS = ((1280, 720), (1280, 800), (1366, 768), (1920, 1080), (390, 844))


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_nobody_scrolls_to_go_on(visit: Visit, hall: Hall, language: str) -> None:
    """At every step of every game: what is told, the table and the button are in view together."""
    page = visit.page
    page.goto(f"{hall.url}/learn")
    page.get_by_test_id("language").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".board[data-seq]")).to_be_visible()
    options = page.get_by_test_id("game").locator("option")
    games = options.evaluate_all("all => all.map((one) => one.value)")
    assert len(games) >= 7
    for game in games:
        page.get_by_test_id("game").select_option(game)
        expect(page.locator("#back")).to_be_disabled()
        while True:
            step = page.get_by_test_id("step").inner_text()
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(UNSEEN) == [], (game, step, width, height)
            if page.locator("#next").is_disabled():
                break
            page.locator("#next").click()
            expect(page.get_by_test_id("step")).not_to_have_text(step)


def test_rules_are_read_on_a_phone(visit: Visit, hall: Hall) -> None:
    """The game that is played stands open before the others."""
    page = visit.page
    page.set_viewport_size(PHONE)
    page.goto(f"{hall.url}/rules")
    games = page.get_by_test_id("rules").locator("details")
    expect(games).to_have_count(9)
    page.get_by_text("Spoil-Five").click()
    expect(page.get_by_text("Three tricks take the pool and end the hand.")).to_be_visible()
