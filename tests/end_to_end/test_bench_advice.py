"""The bench's advice, followed to the letter in a real browser over the real core: nobody who has a
prize is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from station.cards.pack import make_pack
from station.paper.reports.report import slept_in
from station.paper.reports.report_source import read_source
from station.screens.web.app import make_app
from station.views.cards_seen import SHOWN_CARDS
from station.wire.board_view import BoardView, Phase
from station.wire.wording import load_wording
from tests.end_to_end.evening import PACK, Evening
from tests.screens.web.browsers import LIMIT_MS, Browsers
from tests.screens.web.fakes import served

pytestmark = [pytest.mark.browser, pytest.mark.long]

CARDS = make_pack(4, Random(22))


@pytest.fixture
def page(browsers: Browsers, chromium: str) -> Iterator[Page]:
    with browsers.browsing(chromium) as browser:
        page = opened(browser)
        yield page
        page.context.close()


def opened(browser: Browser) -> Page:
    page = browser.new_context(
        viewport={"width": 1280, "height": 720}, reduced_motion="reduce"
    ).new_page()
    page.set_default_timeout(LIMIT_MS)
    return page


def advice(page: Page, view: BoardView) -> str:
    """What the page says is to be done, once it knows of this view."""
    coach = page.get_by_test_id("coach")
    expect(coach).to_have_attribute("data-of", str(view.seq))
    return coach.inner_text()


def follow(evening: Evening, page: Page) -> list[str]:
    """Plays a game by doing what the page says, and nothing else; gives the cards that were
    claimed."""
    claimed: list[str] = []
    page.locator('[data-button="draw"]').click()
    view = evening.until(lambda view: view.phase is Phase.PLAYING)
    while True:
        said = advice(page, view)
        if found := re.search(r"press Claim! on card (\S+)", said):
            claimed.append(found[1].rstrip("."))
            page.locator(f'[data-serial="{claimed[-1]}"]').get_by_role("button").click()
            view = evening.until(
                lambda view: claimed[-1] in [claim.serial for claim in view.claims]
            )
        elif "press Play on" in said:
            page.locator('[data-act="play-on"]').click()
            view = evening.until(lambda view: view.phase is Phase.PLAYING)
        elif "All prizes" in said:
            return claimed
        else:
            calls = len(view.called)
            page.locator('[data-button="draw"]').click()
            view = evening.quiet(calls + 1)


def test_who_does_what_the_bench_says_leaves_no_sleeper(tmp_path: Path, page: Page) -> None:
    """A whole game of nine players with 24 cards: every card that had a prize was claimed in time,
    wherever it lies."""
    packs = tmp_path / "state/packs"
    packs.mkdir(parents=True)
    (packs / "pack.csv").write_bytes(CARDS.to_bytes())
    evening = Evening(tmp_path)
    app = make_app(evening.socket, evening.hands_socket, voice=PACK, wording=load_wording())
    with served(evening.loop, app) as url:
        page.goto(f"{url}/bench")
        expect(page.get_by_test_id("players")).to_have_text(
            "Players: Anna 2 · Bruno 3 · Carla 3 · Dario 2 · Elena 3 · Fabio 3 · Gina 2 · Hugo 3 ·"
            " Ida 3"
        )
        claimed = follow(evening, page)
    evening.close()
    assert set(claimed) - set(CARDS.serials[:SHOWN_CARDS]), (
        "a card won that is not among those that always lie there"
    )
    source = read_source(tmp_path / "state/test", None, lambda _done, _of: None)
    [game] = source.record.games
    assert {win.serial for win in game.won} == set(claimed)
    assert len(claimed) >= 3, "three prizes, shared or not"
    assert [slept for slept in slept_in(source, game) if slept.count] == []
