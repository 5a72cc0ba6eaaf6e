"""A game is learnt in a browser: forward and back with buttons and keys, in another language; and
its rules are read on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Hall, Visit

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}


@pytest.mark.long
def test_an_example_goes_on_and_back(visit: Visit, hall: Hall) -> None:
    """What happened, the rule and the table change with each step; the ends are ends."""
    page = visit.page
    page.goto(f"{hall.url}/bench/learn")
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


def test_rules_are_read_on_a_phone(visit: Visit, hall: Hall) -> None:
    """The game that is played stands open before the others."""
    page = visit.page
    page.set_viewport_size(PHONE)
    page.goto(f"{hall.url}/rules")
    games = page.get_by_test_id("rules").locator("details")
    expect(games).to_have_count(9)
    page.get_by_text("Spoil-Five").click()
    expect(page.get_by_text("Three tricks take the pool and end the hand.")).to_be_visible()
