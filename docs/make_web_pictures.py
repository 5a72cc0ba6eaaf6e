"""Make the pictures of the web pages in `docs/pictures/`, as Chromium shows them: bench, board,
desk, the caller's, the treasurer's, and a table's host's.

.venv/bin/python docs/make_web_pictures.py http://127.0.0.1:8090 [FOLDER]

The station at that address should be in the middle of a game: the big button is pressed once. The
desk looks up the card that was checked last, else the first one, and the caller's page shows it;
stop the game for a valid claim between the pictures of the board and of these two by naming those:
`docs/make_web_pictures.py URL FOLDER desk.png caller.png caller-phone.png`. The treasurer's page
wants a prize that was paid, those of the table a game that a company plays. Without a station,
`python -m tests.web.demo` shows a made-up game.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
COLOURS = 255
PICTURES = {
    "bench.png": ("/bench", 1440, 900),
    "board-web.png": ("/", 1280, 720),
    "desk.png": ("/desk", 1280, 700),
    "caller.png": ("/caller", 1280, 720),
    "caller-phone.png": ("/caller", 390, 844),
    "treasurer.png": ("/treasurer", 1280, 1010),
    "table.png": ("/", 1280, 720),
    "table-host.png": ("/table", 1366, 900),
}
FIRST_CARD = "0001"


def main(url: str, folder: Path, names: Sequence[str]) -> None:
    """Take each picture when the page has its first view and its font."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for name in names:
            path, width, height = PICTURES[name]
            page = browser.new_page(
                viewport={"width": width, "height": height}, reduced_motion="reduce"
            )
            page.goto(url.rstrip("/") + path)
            if path == "/desk":
                _look_up(page)
            elif path == "/caller":
                _check(page)
            elif path == "/treasurer":
                page.wait_for_selector("#payments li:not(.hint)")
            elif path == "/table":
                page.wait_for_selector(".seat")
            else:
                page.wait_for_selector(".board[data-seq]")
            if path == "/bench":
                page.locator("[data-button]").first.click()
                page.wait_for_selector(".news-call")
            page.evaluate("() => document.fonts.ready")
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            # Pillow dithers only towards a given palette; without dithering the soft lights turn
            # into rings.
            palette = picture.quantize(COLOURS)
            picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(
                folder / name, optimize=True
            )
            page.close()
        browser.close()


def _look_up(page: Page) -> None:
    page.wait_for_selector("#accounts dd")
    checked = page.locator("#checked li b")
    page.fill("#card", checked.last.inner_text() if checked.count() else FIRST_CARD)
    page.press("#card", "Enter")
    page.wait_for_selector("#found .verdict")


def _check(page: Page) -> None:
    page.wait_for_selector("#caller:not([hidden])")
    if not page.locator("[data-phase=stopped]").count():
        page.fill("#card", FIRST_CARD)
        page.press("#card", "Enter")
        page.wait_for_selector("#done:not([hidden])")
    page.wait_for_selector("#found .verdict")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(f"usage: {sys.argv[0]} URL [FOLDER [PICTURE…]]")
    chosen = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "pictures"
    main(sys.argv[1], chosen, sys.argv[3:] or list(PICTURES))
