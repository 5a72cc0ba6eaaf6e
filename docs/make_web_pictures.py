"""Make the pictures of the web pages in `docs/pictures/`, as Chromium shows them: bench, board,
desk, the caller's, the treasurer's, a table's host's, health, a phone that checks; how a device is
let in, from both sides; what is not there; and a page in Italian and one in Hindi.

.venv/bin/python docs/make_web_pictures.py http://127.0.0.1:8090 [FOLDER]

The station at that address should be in the middle of a game: the big button is pressed once. The
desk looks up the card that was checked last, else the first one, and the caller's page shows it;
stop the game for a valid claim between the pictures of the board and of these two by naming those:
`docs/make_web_pictures.py URL FOLDER desk.png caller.png caller-phone.png`. The treasurer's page
wants a prize that was paid, those of the table a game that a company plays; `let-in.png` and
`people.png`, which are made together, a station with `[people] plain = true`; the Italian and the
Hindi one, a station of a hall that speaks so. Without a station,
`python -m tests.screens.web.demo` shows a made-up game.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

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
    "health.png": ("/health", 1280, 900),
    "nothing.png": ("/borad", 1280, 360),
    "caller-italian.png": ("/caller", 1280, 720),
    "desk-hindi.png": ("/desk", 1280, 700),
    "people.png": ("/people", 1280, 760),
    "check.png": ("/check", 390, 1180),
    "compare.png": ("/check#of-compare", 390, 700),
}
LANGUAGES = {"caller-italian.png": "it", "desk-hindi.png": "hi"}
LET_IN = "let-in.png"  # what a telephone shows meanwhile
PHONE = {"width": 390, "height": 600}
GAP = 16
ASKED_EVERY_MS = 3_000
FIRST_CARD = "0001"
LIT = "() => document.getElementById('matrix').toDataURL()"  # what the ten cavities show


def main(url: str, folder: Path, names: Sequence[str]) -> None:
    """Take each picture when the page has its first view and its font."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for name in names:
            path, width, height = PICTURES[name]
            page = browser.new_page(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                locale=LANGUAGES.get(name, "en"),
            )
            page.goto(url.rstrip("/") + path)
            if path == "/people":
                keep(_let_in(browser, page, url.rstrip("/")), folder / LET_IN)
            elif path in DONE_FIRST:
                DONE_FIRST[path](page)
            else:
                page.wait_for_selector(READY.get(path, ".board[data-seq]"))
            if path == "/bench":
                dark = page.evaluate(LIT)
                page.locator("[data-button]").first.click()
                page.wait_for_selector(".news-call")
                page.wait_for_function(f"dark => ({LIT})() !== dark", arg=dark)
            keep(shot(page), folder / name)
            page.close()
        browser.close()


def shot(page: Page) -> Image.Image:
    """Return what a page shows, once its letters are there."""
    page.evaluate("() => document.fonts.ready")
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def keep(picture: Image.Image, path: Path) -> None:
    """Write a picture with few colours, for it is read over the network."""
    # Pillow dithers only towards a given palette; without dithering the soft lights turn into
    # rings.
    palette = picture.quantize(COLOURS)
    picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


def _let_in(browser: Browser, admin: Page, url: str) -> Image.Image:
    """Let a telephone in on the admin's page, and have another one ask; return what the first shows
    from the digits to its doors."""
    phone = _asking(browser, url, "Tess's telephone")
    shown = [shot(phone)]
    admin.fill("#let-in [name=digits]", phone.locator("#digits").inner_text())
    admin.fill("#let-in [name=name]", "Tess")
    admin.select_option("#let-in [name=role]", "treasurer")
    admin.click("#let-in .main")
    phone.wait_for_url("**/start")
    phone.wait_for_selector("[data-testid=door-treasurer]")
    shown.append(shot(phone))
    phone.context.close()
    _asking(browser, url, "The bar's tablet")
    expect(admin.locator("#who-asks")).to_contain_text("bar")
    width = sum(one.width + GAP for one in shown) - GAP
    sheet = Image.new("RGB", (width, shown[0].height), "white")
    for place, one in enumerate(shown):
        sheet.paste(one, (place * (one.width + GAP), 0))
    return sheet


def _asking(browser: Browser, url: str, name: str) -> Page:
    page = browser.new_context(viewport=PHONE).new_page()
    page.goto(f"{url}/pair")
    page.fill("[name=name]", name)
    while not page.locator("#digits").is_visible():  # one address may ask once in ten seconds
        page.click("[data-testid=ask]")
        page.wait_for_timeout(ASKED_EVERY_MS)
    return page


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


def _fetch(page: Page) -> None:
    page.wait_for_selector("body[data-ready]")
    page.click("#fetch button")
    page.wait_for_selector("#facts li")


def _compare(page: Page) -> None:
    _fetch(page)
    page.locator("#compare").scroll_into_view_if_needed()


# What is done on a page before its picture is taken, or what it is waited for.
DONE_FIRST = {"/desk": _look_up, "/caller": _check, "/check": _fetch, "/check#of-compare": _compare}
READY = {
    "/health": "#items li, #items tr",
    "/borad": ".language",
    "/treasurer": "#payments li:not(.hint)",
    "/table": ".seat",
}


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(f"usage: {sys.argv[0]} URL [FOLDER [PICTURE…]]")
    chosen = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "pictures"
    main(sys.argv[1], chosen, sys.argv[3:] or list(PICTURES))
