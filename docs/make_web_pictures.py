"""Makes the pictures of the web pages in `docs/pictures/`: the bench and the public board, as Chromium shows them.

.venv/bin/python docs/make_web_pictures.py http://127.0.0.1:8090 [FOLDER]

The station at that address should be in the middle of a game: the big button is pressed once. Without a station,
`python -m tests.web.demo` shows a made-up game.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
COLOURS = 255
PICTURES = {"bench.png": ("/bench", 1440, 900), "board-web.png": ("/", 1280, 720)}


def main(url: str, folder: Path) -> None:
    """Takes each picture when the page has its first view and its font."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, (path, width, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
            page.goto(url.rstrip("/") + path)
            page.wait_for_selector(".board[data-seq]")
            if path == "/bench":
                page.locator("[data-button]").first.click()
                page.wait_for_selector(".news-call")
            page.evaluate("() => document.fonts.ready")
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            # Pillow dithers only towards a given palette; without dithering the soft lights turn into rings.
            palette = picture.quantize(COLOURS)
            picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(folder / name, optimize=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(f"usage: {sys.argv[0]} URL [FOLDER]")
    main(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "pictures")
