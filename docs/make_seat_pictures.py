"""Make the pictures of the games at the table in `docs/pictures/`, each in the middle of a game: a
player's telephone, the board that the hall sees, and the host's page.

.venv/bin/python -m docs.make_seat_pictures [GAME…]

Each game is played on a simulated station of its own, as `tests.web.seats` plays it, until it is
the first player's turn after some steps. `seat-GAME.png` is the telephone alone, `game-GAME.png`
has all three.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from docs.make_web_pictures import GAP, keep, shot
from tests.conftest import CHROMIUM
from tests.web.browsers import ARGS, LIMIT_MS
from tests.web.seats import GAMES, Evening, Thumbs, opened

PICTURES = Path(__file__).parent / "pictures"
BOARD = {"width": 1280, "height": 720}
COLUMN = 736  # pixels of the two pictures beside the telephone
# What is to stand on the first player's telephone, and after how many steps at least.
MOMENTS = {
    "dice-keno": ('#moves [data-key^="cover-square"]', 16),
    "bell-and-hammer": ('#moves [data-key^="bid"]', 4),
    "tontine": ("#lying .playing-card", 8),
    "my-bird-sings": ('#moves [data-key^="pass-on"]', 6),
    "spoil-five": ('#moves [data-key^="play-card"]', 5),
}


def main(methods: Sequence[str]) -> None:
    """Play each game to its moment, and keep what is seen then."""
    expect.set_options(timeout=LIMIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for method in methods:
            folder = Path(tempfile.mkdtemp(prefix="loto-seats-"))
            with opened(browser, folder, method, Thumbs(), lambda _: None) as (evening, admin):
                evening.sit_down()
                evening.let_in(admin)
                board = browser.new_page(viewport=BOARD, reduced_motion="reduce")
                board.goto(f"{evening.url}/board")
                _play_to(evening, *MOMENTS[method])
                phone = _without_notes(evening.phones[0].page)
                keep(shot(phone), PICTURES / f"seat-{method}.png")
                keep(_sheet(phone, board, evening.host), PICTURES / f"game-{method}.png")
                board.close()
        browser.close()


def _play_to(evening: Evening, wanted: str, least: int) -> None:
    for step in evening.steps():
        if step >= least and evening.phones[0].page.locator(wanted).count():
            return


def _without_notes(page: Page) -> Page:
    """Return the page with nothing told of what was done before, and one card taken up."""
    page.locator("#done").evaluate("one => one.replaceChildren()")
    cards = page.locator("#held button")
    if cards.count():
        cards.first.click()
    return page


def _sheet(phone: Page, board: Page, host: Page) -> Image.Image:
    """Return a picture of the telephone, and beside it the board above the host's page."""
    first, *beside = (shot(page) for page in (phone, board, host))
    beside = [one.resize((COLUMN, one.height * COLUMN // one.width)) for one in beside]
    left = first.width + GAP
    sheet = Image.new("RGB", (left + COLUMN, max(first.height, _high(beside))), "white")
    sheet.paste(first, (0, 0))
    sheet.paste(beside[0], (left, 0))
    sheet.paste(beside[1], (left, beside[0].height + GAP))
    return sheet


def _high(pictures: Sequence[Image.Image]) -> int:
    return sum(one.height + GAP for one in pictures) - GAP


if __name__ == "__main__":
    main(sys.argv[1:] or [*GAMES])
