"""Somebody who is new plays alone at the bench, in a browser: one press seats him among simulated
players, and from his seat he plays, gives up, and plays again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.drill.rig import Rig
from tests.looking import until
from tests.web.axe import EXTREMES, found_at
from tests.web.browsers import LIMIT_MS
from tests.web.conftest import fits_in_every_language
from tests.web.fakes import LIMIT_S
from tests.web.seats import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.long]


@dataclass
class Newcomer:
    """Somebody before a simulated station, which he has just started."""

    page: Page
    url: str

    def chooses(self, game: str, players: int) -> None:
        """He plays a game alone, under a name of his own, and is sure of it."""
        page = self.page
        page.goto(f"{self.url}/bench/learn")
        page.get_by_test_id("game").select_option(game)
        form = page.get_by_test_id("alone")
        expect(form.locator("[name=players]")).to_have_value("4")
        form.locator("[name=name]").fill("Zoë")
        form.locator("[name=players]").fill(str(players))
        form.get_by_role("button").click()

    def is_sure(self, lost: str) -> None:
        """He is asked first, is told what is lost, and does it."""
        expect(self.page.get_by_test_id("lost")).to_contain_text(lost)
        self.page.get_by_test_id("do-it").click()
        expect(self.page.get_by_test_id("sure")).to_be_hidden()

    def is_awaited(self) -> None:
        """Until he has to decide: cards are dealt, and the others play, without him."""
        expect(self.page.locator(".lead.asked")).to_be_visible()

    def finds_no_fault(self) -> None:
        """axe-core, on a phone and on a large screen."""
        for size in EXTREMES:
            assert found_at(self.page, size)["found"] == [], size
        self.page.set_viewport_size(PHONE)

    def plays_a_card(self) -> None:
        """The first card that he may play."""
        held = self.page.get_by_test_id("held")
        before = held.locator(".playing-card").count()
        held.get_by_role("button").first.click()
        self.page.get_by_test_id("moves").get_by_role("button", name="Play a card · ").click()
        expect(held.locator(".playing-card")).to_have_count(before - 1)


@pytest.fixture
def newcomer(browser: Browser, tmp_path: Path) -> Iterator[Newcomer]:
    rig = Rig(tmp_path, "", whole=True)
    rig.start()
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    url = f"http://127.0.0.1:{rig.port}"
    try:
        page.wait_for_timeout(0)
        _answers(page, url)
        yield Newcomer(page, url)
        assert complaints == []
    finally:
        context.close()
        rig.kill()


def _answers(page: Page, url: str) -> None:
    """Until the station's pages are there."""
    for _ in range(int(LIMIT_S * 10)):
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/api/board", timeout=LIMIT_S).status_code == 200:
                return
        page.wait_for_timeout(100)
    raise AssertionError("the station does not start")


def test_a_newcomer_plays_alone(newcomer: Newcomer) -> None:
    """He leaves it first, and nothing has ended; then he is led to his seat, sees his hand and the
    others' backs, plays; what he gives up is asked, and he may play the same again."""
    page = newcomer.page
    newcomer.chooses("spoil-five", 3)
    expect(page.get_by_test_id("sure")).to_be_visible()
    newcomer.finds_no_fault()
    page.get_by_test_id("leave").click()
    expect(page.locator("#done")).to_have_text("It was left, and nothing was done.")
    assert httpx.get(f"{newcomer.url}/api/board", timeout=LIMIT_S).json()["night"] == 1
    page.get_by_test_id("alone").get_by_role("button").click()
    newcomer.is_sure("3 games that were sold are not played")
    page.wait_for_url("**/bench/seat")
    names = page.get_by_test_id("others").locator("h3")
    expect(names).to_contain_text(["Anna", "Bruno"])
    expect(names.get_by_text("simulated")).to_have_count(2)
    expect(page.locator("#own-name")).to_have_text("Zoë")
    newcomer.is_awaited()
    expect(page.get_by_test_id("held").locator(".playing-card")).to_have_count(5)
    backs = page.get_by_test_id("others").get_by_role("img", name="a card, face down")
    expect(backs.first).to_be_visible()
    newcomer.finds_no_fault()
    newcomer.plays_a_card()
    newcomer.is_awaited()
    alone = page.get_by_test_id("alone")
    alone.get_by_role("button", name="Give the game up").click()
    page.get_by_test_id("leave").click()
    expect(page.locator("#done")).to_have_text("It was left, and nothing was done.")
    newcomer.is_awaited()
    alone.get_by_role("button", name="Give the game up").click()
    newcomer.is_sure("Spoil-Five is not played to its end")
    expect(page.get_by_test_id("moves").get_by_role("button")).to_have_count(0)
    alone.get_by_role("button", name="Play again").click()
    newcomer.is_awaited()
    expect(page.locator("#own-name")).to_have_text("Zoë")
    fits_in_every_language(page, newcomer.is_awaited)


def test_who_comes_to_the_seat_without_a_game_is_told_so(newcomer: Newcomer) -> None:
    """And a seat of the hall's has none of the buttons of whoever plays alone."""
    page = newcomer.page
    page.goto(f"{newcomer.url}/bench/seat")
    expect(page.get_by_test_id("idle")).to_contain_text("No game is at your seat")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#done")).not_to_be_empty()
    page.goto(f"{newcomer.url}/seat")
    until(page, "document.body.dataset.seq !== undefined")
    expect(page.get_by_test_id("alone")).to_be_hidden()
