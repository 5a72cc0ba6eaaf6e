"""Every form of every page: pressed twice, pressed too early, before a slow station and one that
does not answer. Nothing is done twice, and nothing is dropped without a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.screens.web.app import make_app
from station.screens.web.worded import PAGES
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.looking import until
from tests.screens.web.conftest import said
from tests.screens.web.fakes import Loop, served
from tests.screens.web.hands import some_time_after
from tests.screens.web.test_desk_page import PACK, PROGRAMME, TOP
from tests.support import CLOCK

# -- which forms there are -------------------------------------------------------------------------

SENDING = "is sent once until it is answered, and says so (`sending`)"
QUEUED = "is done in its turn"
LOOKS = "only looks: whatever was asked last is shown"
CLOSES = "is a dialog that closes with the press"
OWN = "says itself that it was not done"

# Each form of a page by its id, and how a second press is met; of those that scripts make, by file.
FORMS: dict[str, dict[str, str]] = {
    "bench": {"scan": QUEUED},
    "caller": {"key": SENDING, "look": QUEUED},
    "check": {"fetch": LOOKS, "typed": LOOKS, "one-card": LOOKS},
    "desk": {
        "look": LOOKS,
        "ticket": LOOKS,
        **dict.fromkeys(("sell", "redeem", "bank", "break"), SENDING),
    },
    "join": {"enter": OWN},
    "pair": {"ask": OWN},
    "play": {"begin": SENDING},
    "people": {"let-in": SENDING, "make-pin": SENDING},
    "table": {"count": SENDING, "knob": SENDING, "sit": SENDING},
    "treasurer": {"bank": SENDING, "report": LOOKS},
}
MADE = {
    "desk-lots.js": SENDING,
    "desk-till.js": SENDING,
    "naming.js": CLOSES,
    "pin.js": CLOSES,
    "takings.js": SENDING,
}
# Pages on which something can be pressed before their scripts are there.
EARLY = [*FORMS, "board", "health", "learn", "seat", "start"]


def test_every_form_is_in_the_table() -> None:
    """Of the pages, and of those that scripts make; a new one needs a line here, and a test."""
    forms = {
        path.stem: set(re.findall(r'<form id="([a-z-]+)"', path.read_text("utf-8")))
        for path in PAGES.glob("*.html")
    }
    found = {page: ids for page, ids in forms.items() if ids}
    assert found == {page: set(ids) for page, ids in FORMS.items()}
    makes = {path.name for path in PAGES.glob("*.js") if 'make("form"' in path.read_text("utf-8")}
    assert makes == set(MADE)


def test_what_is_said_to_be_sent_once_is() -> None:
    """By the one function that does it, and by no handler of their own."""
    scripts = "\n".join(path.read_text("utf-8") for path in PAGES.glob("*.js"))
    for page, forms in FORMS.items():
        html = (PAGES / f"{page}.html").read_text("utf-8")
        for name in (name for name, how in forms.items() if how == SENDING):
            assert f'id="{name}"' in html
            assert re.search(rf'<form id="{name}"[^>]* data-key="{name}"', html), (page, name)
            one = rf'sending\(\$\("{name}"\)|FORMS = \[[^\]]*"{name}"'
            assert re.search(one, scripts), (page, name)
            assert f'$("{name}").addEventListener("submit"' not in scripts, (page, name)
    for file in (file for file, how in MADE.items() if how == SENDING):
        assert "sending(form" in (PAGES / file).read_text("utf-8"), file


@pytest.mark.parametrize("page", EARLY)
def test_a_page_hears_a_press_before_its_own_scripts(page: str) -> None:
    """The script that keeps presses comes first, in every browser; the page's own says when it
    hears for itself."""
    html = (PAGES / f"{page}.html").read_text("utf-8")
    early, own = html.find('<script src="/pages/early.js"></script>'), html.find('type="module"')
    assert 0 < early < own
    script = re.search(r'type="module" src="/pages/([a-z-]+[.]js)"', html)
    assert script is not None
    texts = [(PAGES / name).read_text("utf-8") for name in (script[1], "check.js")]
    hears = re.compile(r"\bready[()]|pageIsReady")
    assert any(hears.search(text) for text in texts[: 2 if page == "check" else 1])


# -- how they are met ------------------------------------------------------------------------------


@dataclass
class Case:
    """A form, what is written into it, and what its answer is heard to say."""

    page: str
    form: str
    fields: dict[str, str]
    act: str
    says: str
    way: str = "do"
    presses: int = 1  # a number that is keyed is confirmed
    more: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.page} {self.form}"


CASES = [
    Case("desk", "#sell", {"cards": "0005", "to": "Mary"}, "sell", "Mary: 1 card sold"),
    Case("desk", "#redeem", {"amount": "1.00"}, "redeem", "£1.00"),
    Case("desk", "#bank", {"amount": "1.00"}, "bank", "£1.00"),
    Case("desk", "#break", {"why": "rain"}, "break", "abandoned"),
    Case("desk", 'form[data-key="count-Ben"]', {"sum": "1.00"}, "count-cash", "Ben: £1.00 counted"),
    Case("desk", 'form[data-key^="approve-"]', {"who": "Eve"}, "approve", "Eve approves"),
    Case("treasurer", "#bank", {"amount": "1.00"}, "bank", "£1.00"),
    Case("treasurer", 'form[data-key="count-Ben"]', {"sum": "1.00"}, "count-cash", "Ben: £1.00"),
    Case("caller", "#key", {"number": "90"}, "draw", "The number has been called", presses=2),
    Case("people", "#make-pin", {"name": "Eve"}, "make", "Eve", way="pins"),
]
QUICK = {"desk #sell", "caller #key"}


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="module")
def night(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A game in which a prize was won that takes two to pay; the address of its pages, but for
    their name."""
    folder: Path = tmp_path_factory.mktemp("forms")
    (folder / "packs").mkdir()
    (folder / "packs" / PACK_FILE).write_text(PACK.to_csv())
    machine = Machine(clock=CLOCK, check_ground=lambda folder, *, test: None)
    strict = PROGRAMME.model_copy(update={"approve_above": 10})
    core = loop.call(
        lambda: Core(Settings(), folder, folder / "run", programme=strict, machine=machine)
    )
    loop.run(core.open())

    def do(act: str, **arguments: Any) -> None:
        async def work() -> Message:
            async with await Client.open(core.run / SOCKET, "admin") as client:
                return await client.do(act, **arguments)

        answer = loop.run(work())
        assert answer.get("ok"), answer

    do("sell", serials=["0001", "0002"], to="Anna", by="Ben")
    do("open")
    for number in TOP:
        do("draw", number=number)
    do("claim", serial="0001")
    do("play-on")
    app = make_app(
        core.run / SOCKET,
        None,
        voice=VOICES / "en",
        wording=load_wording(),
        token="s3cret",  # noqa: S106 - a test's
        desk=True,
    )
    with served(loop, app) as url:
        yield url
    loop.run(core.close())


class Slow:
    """A station that answers an act when it is told to, or never; the acts that came."""

    def __init__(self, page: Page, case: Case) -> None:
        self.page, self.case = page, case
        self.orders: list[Any] = []
        self.held: list[Route] = []
        self.lost = False
        page.route(f"**/{case.page}/{case.way}", self._hold)

    def _hold(self, route: Route) -> None:
        order = route.request.post_data_json
        act = order.get("do")
        if (act if isinstance(act, str) else act["act"]) != self.case.act:
            route.continue_()
            return
        self.orders.append(order)
        if self.lost:
            route.fulfill(body="")  # half an answer: none
        else:
            self.held.append(route)

    def came(self, count: int) -> None:
        until(self.page, f"() => {count}")  # Playwright hears of it meanwhile
        while len(self.orders) < count:
            self.page.wait_for_timeout(20)
        assert len(self.orders) == count

    def answer(self) -> None:
        pin = {"pin": "123456"} if self.case.way == "pins" else {}
        for route in self.held:
            route.fulfill(json={"ok": True, "seq": 1, **pin})
        self.held.clear()


def write(page: Page, case: Case) -> None:
    """Writes into the form, wherever it is hidden."""
    page.evaluate(
        """([form, fields]) => {
          const one = document.querySelector(form);
          for (let at = one; at; at = at.parentElement) at.hidden = false;
          one.closest("details")?.setAttribute("open", "");
          for (const [name, text] of Object.entries(fields)) {
            one.elements[name].value = text;
            one.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
          }
        }""",
        [case.form, case.fields],
    )


def press(page: Page, case: Case) -> None:
    """Presses the form's first button, as often as it takes."""
    for count in range(case.presses):
        if count:
            expect(said(page)).to_contain_text("again")
            some_time_after(page)
        page.evaluate("form => document.querySelector(`${form} button`).click()", case.form)


def shows(page: Page, url: str, case: Case) -> None:
    page.goto(f"{url}/{case.page}?token=s3cret")
    expect(page.locator("body")).not_to_have_attribute("data-stale", "true")
    page.locator(case.form).wait_for(state="attached")
    page.wait_for_load_state("networkidle")


WITH_MARKS = [
    pytest.param(case, id=str(case), marks=[] if str(case) in QUICK else [pytest.mark.long])
    for case in CASES
]


@pytest.mark.browser
@pytest.mark.parametrize("case", WITH_MARKS)
def test_a_form_before_a_slow_station(page: Page, night: str, case: Case) -> None:
    """One press is one act. What is pressed before its answer is not done, which is said, beside
    the answer of the first as well. After the answer the same press counts."""
    shows(page, night, case)
    slow = Slow(page, case)
    write(page, case)
    press(page, case)
    slow.came(1)
    page.evaluate("form => document.querySelector(`${form} button`).click()", case.form)
    expect(said(page)).to_contain_text("Not done: ")
    slow.answer()
    expect(said(page)).to_contain_text(case.says)
    expect(said(page)).to_contain_text("Not done: ")
    assert len(slow.orders) == 1
    write(page, case)
    press(page, case)
    slow.came(2)
    slow.answer()
    expect(said(page)).to_contain_text(case.says)
    expect(said(page)).not_to_contain_text("Not done: ")
    assert len({order.get("id") or number for number, order in enumerate(slow.orders)}) == 2
    page.goto("about:blank")


@pytest.mark.browser
@pytest.mark.parametrize("case", WITH_MARKS)
def test_a_form_that_is_clicked_twice(page: Page, night: str, case: Case) -> None:
    """A double click is one wish."""
    shows(page, night, case)
    slow = Slow(page, case)
    write(page, case)
    for _ in range(case.presses - 1):
        page.locator(f"{case.form} button").first.click()
        expect(said(page)).to_contain_text("again")
        some_time_after(page, 700)  # no part of the double click that follows
    page.locator(f"{case.form} button").first.dblclick()
    slow.came(1)
    slow.answer()
    expect(said(page)).to_contain_text(case.says)
    assert len(slow.orders) == 1
    page.goto("about:blank")


@pytest.mark.browser
@pytest.mark.parametrize("case", WITH_MARKS)
def test_a_form_whose_answer_is_lost(page: Page, night: str, case: Case) -> None:
    """It is sent again under its id; then the page says that it does not know, keeps what was
    written, and hears the next press."""
    shows(page, night, case)
    slow = Slow(page, case)
    slow.lost = True
    write(page, case)
    press(page, case)
    expect(said(page)).to_contain_text(re.compile("(has not|did not) answer"))
    ids = {order.get("id") for order in slow.orders}
    assert len(ids) == 1
    name, text = next(iter(case.fields.items()))
    if case.presses == 1:
        assert (
            page.evaluate(f"() => document.querySelector('{case.form}').elements['{name}'].value")
            == text
        )
    slow.lost = False
    count = len(slow.orders)
    write(page, case)
    press(page, case)
    slow.came(count + 1)
    slow.answer()
    expect(said(page)).to_contain_text(case.says)
    page.goto("about:blank")


# Forms that stand on their page from the beginning: somebody presses before the scripts are there.
STANDING = [case for case in CASES if case.form.startswith("#")]


@pytest.mark.browser
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=str(case), marks=[] if str(case) in QUICK else [pytest.mark.long])
        for case in STANDING
    ],
)
def test_a_form_that_is_pressed_before_the_scripts_are_there(
    page: Page, night: str, case: Case
) -> None:
    """The press is kept, and counts once, however often it was made meanwhile."""
    waiting: list[Route] = []
    page.route("**/languages.json", lambda route: waiting.append(route))
    page.goto(f"{night}/{case.page}?token=s3cret", wait_until="commit")
    page.locator(case.form).wait_for(state="attached")
    slow = Slow(page, case)
    write(page, case)
    for _ in range(3):
        page.evaluate("form => document.querySelector(`${form} button`).click()", case.form)
    while not waiting:
        page.wait_for_timeout(20)
    assert slow.orders == []
    waiting[0].continue_()
    if case.presses == 1:
        slow.came(1)
        slow.answer()
    else:
        expect(said(page)).to_contain_text("again")
    assert len(slow.orders) == 2 - case.presses
    page.goto("about:blank")
