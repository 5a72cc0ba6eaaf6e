"""Make the pictures of the games at the table in `docs/pictures/`, each in the middle of a game: a
player's telephone, the board that the hall sees, and the host's page; and `alone.png`, how a game
is chosen at the bench and played alone.

.venv/bin/python -m docs.make_seat_pictures [GAME…] [alone]

Each game is played on a simulated station of its own, as `tests.screens.web.seats` plays it, until
it is the first player's turn after some steps. `seat-GAME.png` is the telephone alone,
`game-GAME.png` has all three.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from docs.make_web_pictures import GAP, keep, shot
from tests.conftest import CHROMIUM
from tests.screens.web.browsers import ARGS, LIMIT_MS
from tests.screens.web.seats import GAMES, PHONE, Evening, Thumbs, opened

PICTURES = Path(__file__).parent / "pictures"
BOARD = {"width": 1280, "height": 720}
CHOOSING = {"width": 1100, "height": 1000}
ALONE, CHOSEN, TITLE = "alone", "spoil-five", "Spoil-Five"
COLUMN = 736  # pixels of the two pictures beside the telephone
# What is to stand on the first player's telephone, and after how many steps at least.
MOMENTS = {
    "dice-keno": ('#moves [data-key^="cover-square"]', 16),
    "bell-and-hammer": ('#moves [data-key^="bid"]', 4),
    "tontine": ("#lying .playing-card", 5),
    "my-bird-sings": ('#moves [data-key^="pass-on"]', 6),
    "spoil-five": ('#moves [data-key^="play-card"]', 5),
}


def main(methods: Sequence[str]) -> None:
    """Play each game to its moment, and keep what is seen then."""
    expect.set_options(timeout=LIMIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for method in methods:
            while not _made(browser, method):
                pass  # some games are short by luck: another evening
        browser.close()


def _made(browser: Browser, method: str) -> bool:
    """Make the pictures of one evening; return whether it came to its moment."""
    folder = Path(tempfile.mkdtemp(prefix="loto-seats-"))
    if method == ALONE:
        keep(_alone(browser, folder), PICTURES / f"{ALONE}.png")
        return True
    with opened(browser, folder, method, Thumbs(), lambda _: None) as (evening, admin):
        evening.sit_down()
        evening.let_in(admin)
        board = browser.new_page(viewport=BOARD, reduced_motion="reduce")
        board.goto(f"{evening.url}/board")
        come = _play_to(evening, *MOMENTS[method])
        if come:
            phone = _without_notes(evening.phones[0].page)
            keep(shot(phone), PICTURES / f"seat-{method}.png")
            keep(_sheet(phone, board, evening.host), PICTURES / f"game-{method}.png")
        board.close()
    return come


def _alone(browser: Browser, folder: Path) -> Image.Image:
    """Return a picture of a lesson, and of the seat that *Play it alone* leads to, once its player
    is awaited."""
    with opened(browser, folder, CHOSEN, Thumbs(), lambda _: None) as (evening, page):
        page.set_viewport_size(CHOOSING)
        page.goto(f"{evening.url}/learn#{CHOSEN}")
        expect(page.locator("#board")).to_contain_text(TITLE)
        chosen = shot(page)
        page.get_by_test_id("alone").click()
        page.set_viewport_size(PHONE)
        page.get_by_test_id("begin").locator("[name=name]").fill("Anna")
        page.get_by_test_id("begin").get_by_role("button").click()
        expect(page.locator(".lead.asked")).to_be_visible()
        return _beside(shot(_without_notes(page)), [chosen])


def _play_to(evening: Evening, wanted: str, least: int) -> bool:
    page = evening.phones[0].page
    return any(step >= least and page.locator(wanted).count() for step in evening.steps())


def _without_notes(page: Page) -> Page:
    """Return the page with nothing told of what was done before, and one card taken up."""
    page.locator("#done").evaluate("one => one.replaceChildren()")
    cards = page.locator("#held button")
    if cards.count():
        cards.first.click()
    return page


def _sheet(phone: Page, board: Page, host: Page) -> Image.Image:
    """Return a picture of the telephone, and beside it the board above the host's page."""
    return _beside(shot(phone), [shot(board), shot(host)])


def _beside(first: Image.Image, others: Sequence[Image.Image]) -> Image.Image:
    """Return a picture with others beside it, one above the other."""
    beside = [one.resize((COLUMN, one.height * COLUMN // one.width)) for one in others]
    left = first.width + GAP
    sheet = Image.new("RGB", (left + COLUMN, max(first.height, _high(beside))), "white")
    sheet.paste(first, (0, 0))
    for place, one in enumerate(beside):
        sheet.paste(one, (left, _high(beside[:place]) + GAP * bool(place)))
    return sheet


def _high(pictures: Sequence[Image.Image]) -> int:
    return sum(one.height + GAP for one in pictures) - GAP


if __name__ == "__main__":
    main(sys.argv[1:] or [*GAMES, ALONE])
