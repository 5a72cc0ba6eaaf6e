"""A hall on a real port: a fake core and fake hands, the web before them, and a browser."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from drivers.voice.sound import as_wav
from station.core.simulation.practice_room import PracticeRoom
from station.screens.web.app import make_app
from station.wire.board_view import BoardView
from station.wire.wire import Message
from station.wire.wording import VOICES, languages, load_wording
from tests.screens.web import canned
from tests.screens.web.browsers import LIMIT_MS, Browsers
from tests.screens.web.fakes import LIMIT_S, FakeCore, FakeHands, Loop, served

NEXT_FRAME = "new Promise(requestAnimationFrame)"


@dataclass
class Hall:
    """Everything a test needs a grip on."""

    loop: Loop
    core: FakeCore
    hands: FakeHands
    url: str

    def show(self, view: BoardView) -> None:
        """The core shows a view."""
        self.loop.call(self.core.show, view)

    def bench(self, bench: Message) -> None:
        """The hands show the machine."""
        self.loop.call(self.hands.show, bench)

    def asked(self) -> Message:
        """The next request that reached the hands."""
        return self.hands.asked.get(timeout=LIMIT_S)

    def reset(self) -> None:
        """As at the beginning."""
        self.hands.refusals.clear()
        self.hands.questions.clear()
        self.hands.on_press = lambda button: None
        while not self.hands.asked.empty():
            self.hands.asked.get()
        self.show(canned.playing())
        self.bench(canned.bench())


@pytest.fixture(scope="module")
def module_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall")
    loop = Loop()
    core = FakeCore(folder / "station.sock", canned.playing())
    hands = FakeHands(folder / "hands.sock", canned.bench())
    loop.run(core.open())
    loop.run(hands.open())
    app = make_app(
        core.path,
        hands.path,
        voice=VOICES / "en",
        wording=load_wording(),
        as_wav=as_wav,
        open_games=PracticeRoom,
    )
    with served(loop, app) as url:
        yield Hall(loop, core, hands, url)
    loop.run(core.close())
    loop.run(hands.close())
    loop.close()


@pytest.fixture
def hall(module_hall: Hall) -> Hall:
    module_hall.reset()
    return module_hall


@pytest.fixture(scope="module")
def browser(browsers: Browsers, chromium: str) -> Iterator[Browser]:
    with browsers.browsing(chromium) as browser:
        yield browser


def said(page: Page) -> Locator:
    """What the page says was done last, or why it was not; while something else is being done,
    nothing."""
    return page.locator("#done:not(.past)")


# A page asks the station every other second for news. Here it asks four times as often: what is
# waited for comes with the next answer, and nothing is tried of how long a page waits.
OFTEN = """{
  const later = window.setTimeout;
  const looks = new Set([1500, 2000]);
  window.setTimeout = (job, ms, ...rest) => later(job, looks.has(ms) ? ms / 4 : ms, ...rest);
}"""


def acts_sent(page: Page, path: str) -> list[str]:
    """The acts that the page sends to `path` from now on, in order."""
    sent: list[str] = []
    page.on(
        "request",
        lambda request: (
            sent.append(request.post_data_json["do"]["act"]) if request.url.endswith(path) else None
        ),
    )
    return sent


def is_asked(page: Page, lost: str) -> Locator:
    """The question that a page puts before what cannot be taken back: what would be lost; leaving
    it is what a key would do."""
    dialog = page.get_by_test_id("sure")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_test_id("lost")).to_have_text(lost)
    expect(dialog.get_by_test_id("leave")).to_be_focused()
    return dialog


CUT = """buttons => buttons
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent)"""


def fits_in_every_language(page: Page, opens: Callable[[], None]) -> None:
    """On a phone and on a laptop nothing is wider than the window, and no button's text is cut;
    `opens` shows again what a page that is loaded anew has put away."""
    for code in languages():
        page.get_by_test_id("language").select_option(code)
        expect(page.locator("html")).to_have_attribute("lang", code)
        opens()
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, code
            parts = page.locator(".part:visible, dialog[open]").evaluate_all(
                "parts => parts.filter((part) => part.scrollWidth > part.clientWidth).map(String)"
            )
            assert parts == [], (code, width)
            assert page.locator("button:visible").evaluate_all(CUT) == [], (code, width)


@contextlib.contextmanager
def late(page: Page, path: str, said: str = "") -> Iterator[None]:
    """The station is slow: the first request to `path` in this block that says this is heard at the
    end of it, then answered."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if not held and said in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route(f"**{path}", hold)
    yield
    until = time.monotonic() + LIMIT_S
    while not held and time.monotonic() < until:
        page.evaluate(NEXT_FRAME)
    with page.expect_response(lambda response: response.request == held[0].request):
        held[0].continue_()
    page.evaluate(NEXT_FRAME)  # the page has read it
    page.unroute(f"**{path}", hold)


@dataclass
class Visit:
    """A page, all it asked for, and all it complained of."""

    page: Page
    asked: list[str]
    complaints: list[str]


@pytest.fixture
def visit(browser: Browser, hall: Hall) -> Iterator[Visit]:
    """A page that must ask this station only, and must not complain."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield Visit(page, asked, complaints)
    context.close()
    assert [url for url in asked if not url.startswith(hall.url)] == []
    assert complaints == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a whole station, which must not complain but of a core that is away."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert [text for text in complaints if "status of 503" not in text] == []
