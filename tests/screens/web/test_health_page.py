"""The health page in a browser, before a core that tells what it is given: each thing with a sign,
a word and a sentence, on a phone and on a laptop; self-test and census; who may send what."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from station import __version__
from station.screens.web.app import PAGES, make_app
from station.settings.config import DEVICES
from station.wire.wire import ClientLink, Message
from station.wire.wording import VOICES, load_wording
from tests.looking import until
from tests.screens.web import canned
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import said
from tests.screens.web.fakes import Distant, FakeCore, Loop, post, served

SIZES = {"phone": (390, 844), "laptop": (1366, 768)}
IDLE = {"active": False, "state": "none"}
LOST = "lost for 3 min: the reader is not there: plug it in, /dev/serial0"
PEOPLE = [
    {"name": "<b>Anna</b>", "role": "caller", "seat": 0, "unused_s": 5},
    {"name": "Bruno", "role": "seat", "seat": 3, "unused_s": 7300},
    {"name": "Carla", "role": "cashier", "seat": 0, "unused_s": None},
]
NEWEST = [
    {"seq": 9, "at": "2026-11-25T20:14:00.000Z", "what": "42 was called", "by": "<i>Anna</i>"},
    {"seq": 8, "at": "2026-11-25T20:13:00.000Z", "what": "the game was opened", "by": "Anna"},
]


def item(key: str, result: str = "good", say: str = "works") -> dict[str, str]:
    return {"key": key, "result": result, "say": say}


WELL = (item("reader"), item("reader-3"), item("disk", say="900 MiB free"))
ILL = (
    item("speech"),
    item("reader-3", "fault", LOST),
    item("clock", "unknown", "not set by the network"),
    item("disk", "fault", "only 3 MiB free: make room"),
)

# The least contrast between a text that is seen and what lies under it, as WCAG 2.2 reckons it.
CONTRAST = """() => {
  const rgb = (text) => text.match(/[0-9.]+/g).map(Number);
  const light = (colour) => colour.slice(0, 3).map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const under = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const own = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const texts = [...document.body.querySelectorAll("*")].filter(own);
  const ratios = texts.filter((one) => one.checkVisibility()).map((one) => {
    const both = [light(rgb(getComputedStyle(one).color)), light(under(one))];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  });
  return [ratios.length, Math.min(...ratios)];
}"""


class Told(FakeCore):
    """A core that answers questions from a table, and remembers the acts."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, canned.playing())
        self.answers: dict[str, Any] = {}
        self.refusal = ""
        self.tell(WELL)

    def tell(self, items: tuple[dict[str, str], ...], **tests: Any) -> None:
        """What it answers from now on."""
        self.answers = {
            "health": {
                "good": not any(one["result"] == "fault" for one in items),
                "items": list(items),
                "people": PEOPLE,
                "newest": NEWEST,
            },
            "self-test": {"parts": [], "asks": "", **IDLE, **tests.get("test", {})},
            "census": {**IDLE, **tests.get("census", {})},
        }

    @property
    def acts(self) -> list[dict[str, Any]]:
        return [message["do"] for message in self.asked if "do" in message]

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        await super()._handle(link, message)
        if "ask" in message:
            return {"id": message["id"], "answer": self.answers[message["ask"]["about"]]}
        if self.refusal:
            return {"id": message["id"], "refused": {"reason": "game-open", "say": self.refusal}}
        return {"id": message["id"], "ok": True, "seq": 5}


class Visit:
    """A page before such a core."""

    def __init__(self, page: Page, core: Told) -> None:
        self.page, self.core = page, core

    def looks(self) -> None:
        self.page.get_by_role("button", name="Refresh").click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def shows(self, part: str, text: str) -> None:
        expect(self.page.get_by_test_id(part)).to_contain_text(text)


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="module")
def standing(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Told]]:
    core = Told(tmp_path_factory.mktemp("health") / "station.sock")
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    with served(loop, app) as url:
        yield url, core
    loop.run(core.close())


@pytest.fixture(params=SIZES)
def visit(
    request: pytest.FixtureRequest, browser: Browser, standing: tuple[str, Told]
) -> Iterator[Visit]:
    """The page, on a phone and on a laptop; its clock has hands, and it must not complain."""
    url, core = standing
    core.tell(WELL)
    core.asked.clear()
    core.refusal = ""
    width, height = SIZES[request.param]
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.clock.install()
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{url}/health")
    expect(page.get_by_test_id("summary")).to_have_text("No faults.")
    yield Visit(page, core)
    context.close()
    assert complaints == []


def test_every_device_has_a_title() -> None:
    """Whatever the settings may have: none is called by its table's name."""
    words = json.loads((PAGES / "health.en.json").read_text(encoding="utf-8"))
    assert {f"item-{device}" for device in DEVICES} <= words.keys()


@pytest.mark.browser
def test_faults_stand_first_with_what_to_do(visit: Visit) -> None:
    """A sign, a word and a sentence for each; the summary names what is wrong, and is read out."""
    visit.core.tell(ILL)
    visit.looks()
    page = visit.page
    expect(page.get_by_role("status").filter(has_text="faults")).to_have_text(
        "2 faults: Reader 3, Disk."
    )
    expect(page.get_by_test_id("items").locator("b")).to_have_text(
        ["Reader 3", "Disk", "Voice", "Clock", "Web"]
    )
    visit.shows("item-reader-3", "✗")
    visit.shows("item-reader-3", "FAULT")
    visit.shows("item-reader-3", LOST)
    visit.shows("item-speech", "✓")
    visit.shows("item-clock", "unknown")
    expect(page.get_by_test_id("items").get_by_role("listitem")).to_have_count(5)
    visit.shows("item-web", f"loto-station {__version__}; boards open in browsers: 0")
    assert [
        line.split("\n")[1:]
        for line in page.get_by_test_id("newest").locator("li").all_inner_texts()
    ] == [["42 was called", "<i>Anna</i>"], ["the game was opened", "Anna"]]
    clocks = page.get_by_test_id("newest").locator("li").all_inner_texts()
    assert all(re.match(r"[0-2]\d:[0-5]\d\n", line) for line in clocks), clocks
    assert page.get_by_test_id("people").locator("li").all_inner_texts() == [
        "<b>Anna</b>, caller: used just now",
        "Bruno, seat 3: used 2 h ago",
        "Carla, cashier: not used since the start",
    ]


@pytest.mark.browser
def test_it_looks_by_itself(visit: Visit) -> None:
    """Every five seconds; what has become well again is shown as well."""
    page = visit.page
    # From here on the clock stands, however slow this machine is, and a look has just ended.
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    page.evaluate("window.before = document.querySelector('#summary').firstChild")
    visit.looks()
    until(page, "document.querySelector('#summary').firstChild !== window.before")
    visit.core.tell(ILL)
    page.clock.run_for(4000)
    visit.shows("summary", "No faults.")
    page.clock.run_for(1500)
    visit.shows("summary", "2 faults")
    visit.core.tell(WELL)
    visit.page.clock.run_for(5500)
    visit.shows("summary", "No faults.")


@pytest.mark.browser
def test_self_test_and_census_begin_and_end(visit: Visit) -> None:
    """Each by its button; what a person has to do stands there, and what came of it; a refusal is
    read."""
    core = visit.core
    visit.press("Test the machine")
    core.tell(WELL, test={"active": True, "asks": "press the button next", "parts": [{}, {}]})
    visit.looks()
    visit.shows("asks", "Now: press the button next. Half a minute for each.")
    visit.shows("test", "Testing: 2 done.")
    visit.press("End the test")
    core.tell(
        WELL,
        test={"parts": [{"what": "disk", "result": "good"}, {"what": "board", "result": "fault"}]},
    )
    visit.looks()
    visit.shows("test", "The self-test found a fault in: Board of ten.")
    expect(visit.page.get_by_test_id("asks")).to_be_hidden()
    visit.press("Count the balls")
    core.tell(WELL, census={"active": True, "found": [1], "missing": list(range(2, 91))})
    visit.looks()
    visit.shows("census", "Counted: 1 of 90.")
    visit.shows("asks", "lay each ball on the reader once")
    visit.press("End the count")
    core.tell(WELL, census={"found": [1], "missing": [7, 9], "faults": ["missing: 7, 9"]})
    visit.looks()
    visit.shows("census", "Counted: 88 of 90; missing: 7, 9.")
    core.refusal = "a game is open"
    visit.press("Recount the faulty balls")
    expect(said(visit.page)).to_have_text("a game is open")
    assert core.acts == [
        {"act": "self-test-begin"},
        {"act": "self-test-end"},
        {"act": "census-begin", "go_on": False},
        {"act": "census-end"},
        {"act": "census-begin", "go_on": True},
    ]


@pytest.mark.browser
def test_it_can_be_read_by_anybody(visit: Visit) -> None:
    """Nothing is wider than the window; every text has a contrast of 7 to 1 at least; a button is
    large enough for a finger."""
    visit.core.refusal = "a game is open"
    visit.core.tell(ILL, test={"active": True, "asks": "press the button next"})
    visit.looks()
    visit.shows("asks", "press the button next")
    visit.press("Count the balls")
    expect(said(visit.page)).to_have_text("a game is open")
    page = visit.page
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    many, least = page.evaluate(CONTRAST)
    assert many > 20
    assert least >= 7
    heights = page.get_by_role("button").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert min(heights) >= 44


@pytest.mark.browser
def test_what_is_not_known_is_not_shown(page: Page, loop: Loop, tmp_path: Path) -> None:
    """Where the web's own user only watches there is the reason alone; nor is an old list left
    standing when the station is away."""
    core = Distant(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    with served(loop, app) as url:
        page.goto(f"{url}/health")
        expect(page.locator("#away")).to_contain_text("ask on the station, with ./loto health")
        expect(page.locator("#health")).to_be_hidden()
        page.goto("about:blank")
    loop.run(core.close())


# -- requests --------------------------------------------------------------------------------------


def send(url: str, path: str, body: Any, **headers: str) -> httpx.Response:
    given = {"origin": url, "x-loto-health": "1", **headers}
    return post(url + path, json=body, headers=given)


ID = "0123456789abcdef"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/health/do", {"id": ID, "do": {"act": "draw"}}),
        ("/health/do", {"id": ID, "do": {"act": "off"}}),
        ("/health/do", {"id": ID, "do": {"act": "waive", "about": "faults"}}),
        ("/health/do", {"id": ID, "do": {"act": "census-begin", "proof": "pin"}}),
        ("/health/do", {"do": {"act": "census-begin"}}),
        ("/health/ask", {"about": "money"}),
        ("/health/ask", {"about": "people"}),
        ("/health/ask", {"about": "health", "at": 5}),
    ],
)
def test_nothing_else_is_passed_on(standing: tuple[str, Told], path: str, body: Any) -> None:
    """Neither another act nor another question, nor more than they take."""
    url, core = standing
    core.asked.clear()
    assert send(url, path, body).status_code == 400
    assert core.asked == []


def test_only_the_page_itself_may_send(standing: tuple[str, Told]) -> None:
    """With its own header, from its own address; the desk's header is none."""
    url, core = standing
    core.tell(WELL)
    core.asked.clear()
    ask = {"about": "health"}
    order = {"id": ID, "do": {"act": "census-begin"}}
    for path, body in (("ask", ask), ("do", order)):
        for headers in ({"x-loto-desk": "1", "origin": url}, {"x-loto-health": "1"}):
            answer = post(f"{url}/health/{path}", json=body, headers=headers)
            assert answer.status_code == 403
            assert answer.json()["refused"]["reason"] == "not-the-health"
    assert core.asked == []
    assert send(url, "/health/ask", ask).json()["answer"]["good"]


def test_a_device_that_is_not_paired_is_sent_to_where_it_is(loop: Loop, tmp_path: Path) -> None:
    """No page and no way in; a sentence."""
    app = make_app(tmp_path / "none", None, voice=VOICES / "en", wording=load_wording())
    with served(loop, app) as url:
        answer = httpx.get(f"{url}/health")
        assert (answer.status_code, answer.headers["location"]) == (303, "/pair")
        assert send(url, "/health/ask", {"about": "health"}).status_code == 403
