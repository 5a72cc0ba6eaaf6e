"""The pages in a browser that has lost all that came after the floor (iOS 15, Chrome 100), and in
browsers below it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from station.wire.board_view import SayView, Verdict
from station.wire.wording import languages
from tests.invented import GAMES, invented
from tests.looking import until
from tests.screens.web import canned, ear, floor
from tests.screens.web.axe import SCENES, Place
from tests.screens.web.conftest import NEXT_FRAME, Hall
from tests.screens.web.test_board_page import WORDS, halted, several_won
from tests.tables import company, drawn, view

pytestmark = pytest.mark.browser

FORGETTING = floor.forgetting()
LOST = """() => [
  "toReversed" in [], "toSorted" in [], "groupBy" in Object, "withResolvers" in Promise,
  "OffscreenCanvas" in window, "structuredClone" in window, "checkVisibility" in document.body,
  "randomUUID" in crypto, "HTMLDialogElement" in window, "union" in Set.prototype,
]"""


@pytest.fixture(scope="module")
def place(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with contextlib.ExitStack() as stack:
        yield Place(browser, tmp_path_factory.mktemp("halls"), stack, FORGETTING)


@pytest.mark.parametrize("path", SCENES)
def test_a_page_opens_in_a_browser_of_the_floor(place: Place, path: str) -> None:
    """No error, and nothing that says that it is too old."""
    place.complaints.clear()
    _, page = next(SCENES[path](place))
    assert not any(page.evaluate(LOST))
    expect(page.locator("#too-old")).to_be_hidden()
    expect(page.locator("#not-whole")).to_be_hidden()
    assert place.complaints == []


@pytest.mark.long
@pytest.mark.parametrize("path", SCENES)
def test_a_page_goes_through_its_states_in_a_browser_of_the_floor(place: Place, path: str) -> None:
    """Every state, question and dialog of each page: no error."""
    place.complaints.clear()
    for _name, page in SCENES[path](place):
        page.evaluate(NEXT_FRAME)
        assert place.complaints == []


def test_the_board_speaks_and_shows_the_verdict(browser: Browser, hall: Hall) -> None:
    """A call is heard, what was won is told, a claim has its verdict."""
    with older(browser, hall.url) as page:
        page.locator("#sound").click()
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
        hall.show(several_won().model_copy(update={"seq": 700, "say": say(700)}))
        until(page, "() => window.__ear.starts.length >= 1")
        assert [one.clip for one in ear.heard(page)] == ["number.7"]
        expect(page.locator(".wins li")).to_have_count(2)
        hall.show(canned.stopped(canned.claim(Verdict.NOT_COMPLETE, "Not called: 50", (50,))))
        expect(page.get_by_test_id("verdict")).to_contain_text(WORDS["not-complete"])


def say(token: int) -> SayView:
    return SayView(token=token, clips=("number.7",), text="Seven")


@contextlib.contextmanager
def older(browser: Browser, url: str, script: str = FORGETTING) -> Iterator[Page]:
    """A page in such a browser, which must not complain."""
    context = browser.new_context(reduced_motion="reduce")
    context.add_init_script(script)
    page = context.new_page()
    ear.put_in(page)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(url)
    yield page
    context.close()
    assert errors == []


PLACES = """() => [...document.querySelectorAll(".board, .board *")]
  .filter((one) => one.checkVisibility ? one.checkVisibility() : one.offsetParent)
  .filter((one) => !one.closest(".unseen, svg"))
  .map((one) => [one.className || one.tagName, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && box.height > 1)
  .map(([name, box]) => [String(name), box.x, box.y, box.width, box.height])"""
VIEWS = {
    "playing": canned.playing,
    "several": canned.at_once,
    "claim": lambda: canned.stopped(canned.claim(Verdict.VALID, "Valid for: row")),
    "pause": canned.paused,
    "halted": lambda: halted("en"),
    "table": lambda: view(drawn(company(6), 7)),
    "many seats": lambda: view(drawn(company(24), 7)),
    "things": lambda: invented(next(iter(GAMES)), 5),
    "won": several_won,
}
NO_UNITS = """(() => {
  const supports = CSS.supports;
  CSS.supports = (...asked) => !/\\dcq/.test(asked.join()) && supports.apply(CSS, asked);
})()"""


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (1280, 800), (390, 844), (820, 1180)])
def test_older_styles_give_the_same_picture(
    browser: Browser, hall: Hall, size: tuple[int, int]
) -> None:
    """Without container units, each part of the board stands where it does with them."""
    width, height = size
    with older(browser, hall.url, "") as new, older(browser, hall.url, NO_UNITS) as old:
        assert old.locator('link[href^="/older/"]').count() > 3
        for seq, (name, make) in enumerate(VIEWS.items(), start=4000):
            hall.show(make().model_copy(update={"seq": seq}))
            seen = []
            for page in (new, old):
                page.set_viewport_size({"width": width, "height": height})
                expect(page.locator(f'.board[data-seq="{seq}"]')).to_be_visible()
                for _ in range(3):
                    page.evaluate(NEXT_FRAME)
                seen.append(page.evaluate(PLACES))
            assert [one[0] for one in seen[0]] == [one[0] for one in seen[1]], name
            for one, other in zip(*seen, strict=True):
                assert one[1:] == pytest.approx(other[1:], abs=2), (name, one, other)


NO_MODULES = "delete HTMLScriptElement.prototype.noModule"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("fault", ["no-modules", "syntax", "missing-function"])
def test_a_browser_that_is_too_old_says_so(
    browser: Browser, hall: Hall, language: str, fault: str
) -> None:
    """It knows no modules; it cannot parse one; a module calls what it does not have: the page says
    it in the reader's language."""
    context = browser.new_context(locale=language)
    page = context.new_page()
    told = {"syntax": "const one = #;", "missing-function": "[].never();"}
    if fault == "no-modules":
        page.add_init_script(NO_MODULES)
        page.route("**/board-page.js", lambda route: route.abort())
    else:
        page.route("**/voice.js", lambda route: script(route, told[fault]))
    page.goto(hall.url)
    expect(page.locator("#too-old")).to_be_visible()
    expect(page.locator("#too-old")).to_contain_text("iOS 15")
    expect(page.locator("#too-old")).to_have_attribute("lang", language)
    context.close()


def script(route: Route, text: str) -> None:
    route.fulfill(body=text, content_type="text/javascript")


@pytest.mark.parametrize("path", ["/", "/bench", "/check", "/rules", "/pair", "/learn", "/play"])
@pytest.mark.parametrize("status", [503, 404])
def test_a_page_that_did_not_load_completely_says_so(
    browser: Browser, hall: Hall, path: str, status: int
) -> None:
    """A script did not come: the browser is not to blame."""
    context = browser.new_context()
    page = context.new_page()
    page.route("**/line.js", lambda route: route.fulfill(status=status, body="busy"))
    page.goto(hall.url + path)
    expect(page.locator("#not-whole")).to_be_visible()
    expect(page.locator("#too-old")).to_be_hidden()
    context.close()


def test_a_browser_of_today_is_told_nothing(browser: Browser, hall: Hall) -> None:
    """It gets the styles as they are; an error once the page runs blames no browser."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(hall.url)
    expect(page.locator(f'[data-seq="{hall.core.view.seq}"]')).to_be_visible()
    assert page.locator('link[href^="/older/"]').count() == 0
    page.evaluate("() => setTimeout(() => { throw new Error('later') })")
    page.evaluate(NEXT_FRAME)
    expect(page.locator("#too-old")).to_be_hidden()
    context.close()
