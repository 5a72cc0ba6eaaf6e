"""The codes that pages draw are read from their pixels: on the board in quiet moments, never beside
a number that is called."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Page, expect

from station.wire.board_view import BoardView, Phase
from station.wire.codes import qr_rows
from tests.codes import codes_in
from tests.screens.web import canned
from tests.screens.web.conftest import Hall, Visit

pytestmark = pytest.mark.browser

PAGES = "http://192.168.178.123:8090/check#"
DIGITS = "".join(Random(7).choices("123456789", k=400))
CODE = PAGES + DIGITS[:330]
LONGEST = "http://" + "a" * 93 + "/check#" + DIGITS + DIGITS[:8]
QUIET = {
    "before the first": canned.playing(()),
    "between": canned.between(),
    "in a pause": canned.paused(),
    "at the end of a game": canned.playing(phase=Phase.BETWEEN),
}


def board(visit: Visit, hall: Hall, view: BoardView) -> Page:
    hall.show(view)
    visit.page.goto(hall.url)
    expect(visit.page.locator(f'[data-seq="{view.seq}"]')).to_be_visible()
    return visit.page


@pytest.mark.parametrize("text", [CODE, LONGEST, "1", "short", "ü–", PAGES, DIGITS * 4])
def test_what_a_page_draws_is_read(visit: Visit, hall: Hall, text: str) -> None:
    """Of any length, in as few modules as the hall's screen has."""
    page = board(visit, hall, canned.playing())
    page.evaluate(
        "text => import('/pages/qr.js').then(({ drawCode }) => {"
        " const drawn = drawCode(text, 'a code'); drawn.id = 'drawn';"
        " drawn.style.cssText = 'position: fixed; inset: 0; margin: 0; width: 600px';"
        " document.body.append(drawn); })",
        text,
    )
    assert codes_in(page.locator("#drawn").screenshot()) == [text]
    rows = page.evaluate(
        "text => import('/pages/qr.js').then((qr) => qr.qrRows(text).length)", text
    )
    assert rows == len(qr_rows(text))


def test_what_has_no_room_is_refused(visit: Visit, hall: Hall) -> None:
    """It is said, not cut."""
    page = board(visit, hall, canned.playing())
    script = "import('/pages/qr.js').then((qr) => qr.qrRows('x'.repeat(860))).catch(String)"
    assert page.evaluate(script) == "RangeError: too long for a QR code"


@pytest.mark.parametrize("moment", QUIET)
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768)])
def test_the_board_shows_the_head(
    visit: Visit, hall: Hall, moment: str, size: tuple[int, int]
) -> None:
    """In quiet moments, large enough to be read, and nothing lies over it."""
    visit.page.set_viewport_size({"width": size[0], "height": size[1]})
    page = board(visit, hall, QUIET[moment].model_copy(update={"code": CODE}))
    picture = page.get_by_test_id("code").get_by_role("img")
    expect(picture).to_have_attribute("aria-label", "Is the draw fair?")
    assert codes_in(page.screenshot()) == [CODE]
    box = picture.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 0.3 * size[1]
    hall.show(canned.playing())
    expect(picture).to_have_count(0)
    assert codes_in(page.screenshot()) == []


def test_a_telephone_has_no_code_on_its_board(visit: Visit, hall: Hall) -> None:
    """It would have to read itself."""
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = board(visit, hall, canned.between().model_copy(update={"code": CODE}))
    expect(page.get_by_test_id("code")).to_be_hidden()


def test_the_same_code_is_drawn_once(visit: Visit, hall: Hall) -> None:
    """A view that differs in something else leaves the picture alone."""
    view = canned.between().model_copy(update={"code": CODE})
    page = board(visit, hall, view)
    page.evaluate("document.querySelector('.code figure').dataset.mark = 'first'")
    hall.show(view.model_copy(update={"seq": view.seq + 1, "notice": "Soon."}))
    expect(page.locator(f'[data-seq="{view.seq + 1}"]')).to_be_visible()
    mark = page.evaluate("document.querySelector('.code figure').dataset.mark")
    assert mark == "first"
