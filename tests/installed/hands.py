"""People before their devices: each in a browser context of their own, by mouse, by touch or by
keys alone."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

import station
from tests.looking import until

PAGES = Path(station.__file__).parent / "screens" / "web" / "pages"
URL = "https://127.0.0.1:8443"
ANSWERS = Path("/answers")  # the container's, kept outside
LIMIT_MS = 60_000
ENOUGH_TABS = 120
TAPS, CLICK_MS = 3, 5_000
CLICKS = """() => {
  globalThis.clicked = false;
  addEventListener("click", () => (globalThis.clicked = true), { capture: true, once: true });
}"""
DOUBLE_TAP_MS = 500  # the second of two quick taps at one place is no wish; people are slower
PERSON_MS, READS_MS = (
    40,
    300,
)  # a person types slower than a scanner, and reads before a second press
ASKED_ENOUGH = 20  # one address may ask once in ten seconds, and here all have one


@dataclass(frozen=True)
class Way:
    """How the people of one night use their devices."""

    name: str
    width: int = 1280
    height: int = 800
    language: str = "en"
    touch: bool = False
    keys: bool = False


WAYS = (
    Way("mouse"),
    Way("keys", keys=True),
    Way("phones", 390, 844, touch=True),
    Way("italian", language="it"),
    Way("hindi", 390, 844, language="hi", touch=True),
)


def words_of(page: str, language: str) -> dict[str, str]:
    """The words of a page in a language, as the station serves them."""
    return {
        key: said
        for key, said in json.loads((PAGES / f"{page}.{language}.json").read_text()).items()
        if isinstance(said, str)
    }


def fixed(text: str) -> str:
    """The longest part of a text of a page that no value is filled into."""
    return max(re.split(r"\{[^}]*\}", text), key=len).strip()


def loto(*words: str) -> str:
    """What the command line of the installed station answers, typed by root."""
    done = subprocess.run(["loto", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"loto {' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


@dataclass
class Hands:
    """One person before one page.

    Attributes:
        name: the person's name, as it stands in the record.
        presses: how often something was pressed or written since it was set to 0.
    """

    page: Page
    way: Way
    name: str
    complaints: list[str]
    presses: int = 0
    paths: list[str] = field(default_factory=list)

    def reach(self, what: Locator) -> None:
        """Come to it by the Tab key, from wherever the keyboard is."""
        expect(what).to_be_visible()
        for _ in range(ENOUGH_TABS):
            if what.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{self.name}: Tab never comes to {what}")

    def press(self, what: Locator) -> None:
        """Press a button, or follow a link."""
        self.presses += 1
        if self.way.keys:
            self.reach(what)
            self.page.keyboard.press("Enter")
        elif self.way.touch:
            self._tap(what)
        else:
            what.click()

    def _tap(self, what: Locator) -> None:
        """Tap it. Where the machine is so busy that the finger lay there for long, the browser took
        it for a long press, which is no click: then tap again, as people do."""
        for _ in range(TAPS):
            self.page.evaluate(CLICKS)
            what.tap()
            with suppress(AssertionError):  # where another page has come, nothing is false
                until(self.page, "globalThis.clicked !== false", CLICK_MS)
                return
        raise AssertionError(f"{self.name}: {what} takes no tap")

    def write(self, what: Locator, text: str) -> None:
        """Write into a field what shall stand in it."""
        self.presses += 1
        if self.way.keys:
            self.reach(what)
        elif self.way.touch:
            what.tap()
        else:
            what.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text, delay=PERSON_MS)

    def once_more(self, key: str) -> None:
        """Press a key again, as a person does who has read the question."""
        self.presses += 1
        self.page.wait_for_timeout(READS_MS)
        self.page.keyboard.press(key)

    def told(self, text: str) -> None:
        """The page's answer has this in it."""
        expect(self.page.get_by_test_id("done")).to_contain_text(text, ignore_case=True)

    def go(self, path: str) -> None:
        """Open one of the station's pages."""
        self.page.goto(f"{URL}{path}")

    def let_in(self, role: str, door: str) -> None:
        """Ask to be let in, have the digits typed at the station, go through a door."""
        self.go(f"/{door}")
        assert self.page.url == f"{URL}/pair", self.page.url
        self.write(self.page.get_by_test_id("name"), f"{self.name}'s device")
        digits = self.page.get_by_test_id("digits")
        for _ in range(ASKED_ENOUGH):
            with self.page.expect_response("**/pair/ask") as told:
                self.press(self.page.get_by_test_id("ask"))
            if told.value.ok and "answer" in told.value.json():
                break
            self.page.wait_for_timeout(2_000)  # as the sentence asks
        expect(digits).to_be_visible()
        self.picture(f"pair-{role}")
        shown = re.sub(r"\D", "", digits.inner_text())
        loto("pair", shown, "--as", role, "--name", self.name)
        expect(self.page.get_by_test_id("who")).to_contain_text(self.name)
        assert self.page.url == f"{URL}/start"
        expect(self.page.get_by_test_id(f"door-{door}")).to_be_visible()
        self.picture(f"start-{role}")
        self.press(self.page.get_by_test_id(f"door-{door}"))
        self.page.wait_for_url(f"{URL}/{door}")

    def picture(self, name: str) -> None:
        """Keep what the page shows; the papers have some of these."""
        self.page.screenshot(path=ANSWERS / f"{self.way.name}-{name}.png")

    def fits(self) -> None:
        """Nobody has to scroll sideways."""
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= self.way.width, f"{self.name}: {wide} wide at {self.page.url}"


@contextmanager
def before(browser: Browser, way: Way, name: str) -> Iterator[Hands]:
    """A person with a device of their own; its pages must not complain."""
    context = browser.new_context(
        viewport={"width": way.width, "height": way.height},
        locale=way.language,
        has_touch=way.touch,
        ignore_https_errors=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    hands = Hands(page, way, name, complaints)
    yield hands
    context.close()
    assert complaints == [], complaints


def journal(night: int) -> list[dict[str, Any]]:
    """The lines of a TEST night's record."""
    path = Path(f"/var/lib/loto-station/test/nights/{night:04d}/journal.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]
