"""Cards of numbers look alike on every page that draws them: a counter lies on what is covered."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from station.screens.web.worded import PAGES
from tests.screens.web.axe import Place

pytestmark = pytest.mark.browser

IMPORT = re.compile(r'from "\./([a-z-]+\.js)"|import\("\./([a-z-]+\.js)"\)')
SCRIPT = re.compile(r'<script type="module" src="/pages/([a-z-]+\.js)"')
SIZES = ((360, 640), (1280, 800))
# Draws a card as the page does, and looks at each kind of its squares.
DRAWN = """async () => {
  const { drawThing } = await import("/pages/things.js");
  const card = { kind: "number-card", serial: "0001", covered: [11, 33], told: 2,
    rows: [[5, 11, 33, 50, 76], [17, 22, 43, 65, 89], [2, 28, 35, 56, 74]] };
  const around = document.querySelector(".board")
    ?? document.body.appendChild(document.createElement("main"));
  const box = around.appendChild(document.createElement("div"));
  box.className = around.matches(".board") ? "table-cards" : "zone";
  box.style.cssText = "position: absolute; inset: 0 auto auto 0; width: 10rem; height: 7rem";
  box.append(drawThing(card, { words: {}, theme: null, newest: 33 }));
  const cell = (number) => box.querySelector(`[data-number="${number}"]`);
  const look = (number) => {
    const { backgroundImage, backgroundColor, outlineStyle } = getComputedStyle(cell(number));
    return [backgroundImage !== "none", backgroundColor, outlineStyle];
  };
  // The board's layout gives its cards a size.
  const own = [...(box.matches(".zone") ? box.querySelectorAll("td") : [])];
  const cut = own.filter((one) => {
    const [ink, range] = [one.getBoundingClientRect(), document.createRange()];
    range.selectNodeContents(one);
    return range.getBoundingClientRect().width > ink.width - 2 || ink.height < 14;
  });
  const found = { bare: look(5), covered: look(11), fresh: look(33), told: look(17) };
  box.remove();
  return { ...found, cut: cut.map((one) => one.textContent) };
}"""


def uses(script: str, seen: set[str]) -> set[str]:
    """Return the modules that a script loads, with itself."""
    if script not in seen:
        seen.add(script)
        for found in IMPORT.finditer((PAGES / script).read_text()):
            uses(found[1] or found[2], seen)
    return seen


DRAWING = sorted(
    page.stem
    for page in PAGES.glob("*.html")
    for script in SCRIPT.findall(page.read_text())
    if "things.js" in uses(script, set())
)


@pytest.fixture(scope="module")
def place(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with contextlib.ExitStack() as stack:
        yield Place(browser, tmp_path_factory.mktemp("halls"), stack)


@pytest.fixture(scope="module")
def url(place: Place) -> str:
    hall = place.fake()
    hall.core.answers |= {"table": None, "hand": None}
    return hall.url


@pytest.mark.parametrize("name", DRAWING)
def test_covered_numbers_are_marked_on_every_page_that_draws_cards(
    place: Place, url: str, name: str
) -> None:
    """Covered, newly covered and told squares each look different; no number is cut."""
    page: Page = place.opened(f"{url}/{name}")
    if "board-table.css" in (PAGES / f"{name}.html").read_text():
        page.locator(".board").first.wait_for(state="attached")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found: dict[str, Any] = page.evaluate(DRAWN)
        assert found.pop("cut") == []
        kinds = {tuple(look) for look in found.values()}
        assert len(kinds) == len(found), found
        assert found["covered"][0], found
    page.context.close()


def test_the_pages_that_draw_cards_are_known() -> None:
    """The table, the seats and the public board are among them."""
    assert {"board", "bench", "learn", "play", "seat", "table"} <= set(DRAWING)
