"""Play each game of the old books through browsers: `python -m tests.screens.web.seats` plays all
of them, by thumbs and then by keyboard alone; the names of games, or of ways, choose.

    .venv/bin/python -m tests.screens.web.seats spoil-five keys

Each is a whole station of its own, simulated, in a folder of its own: `loto run`. Three browsers
look at it. The host, at the station, seats a company of three, of whom the station plays the last;
two telephones ask to be let in, and are, on the admin's page, by their six digits; then each player
plays from his own until the game is over. In the middle of the game, and in Bell and Hammer in the
middle of an auction besides, the core is killed (`SIGKILL`), and all pages must go on with what
they showed. Whenever somebody has done something, all that each telephone was sent last is looked
through for the other's hidden cards. In the end the record is verified.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx
from playwright.sync_api import Browser, Locator, Page, Route, expect, sync_playwright

from tests.conftest import CHROMIUM
from tests.drill.rig import Rig
from tests.looking import until
from tests.screens.web.browsers import ARGS, LIMIT_MS
from tests.screens.web.fakes import LIMIT_S

NAMES = ("Anna", "Bruno", "Carla")
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 900}
LOOK_MS = 50
MOST_TABS = 150
MOST_STEPS = 1500
IN_WORDS = """one => one.innerText
  + [...one.querySelectorAll("[aria-label]")].map((part) => part.ariaLabel).join()"""
FACE = re.compile(r'"face": ?"([^"]+)"')
# Of each game: what its table agrees on, so that an evening is short; how many steps are played
# before the core is killed.
GAMES: dict[str, tuple[str, tuple[int, ...]]] = {
    "dice-keno": ('stake = 120\nvariation = "row"', (12,)),
    "bell-and-hammer": ("stake = 120\ndozens = 1", (2, 30)),
    "tontine": ("stake = 120", (4,)),
    "my-bird-sings": ("stake = 120", (4,)),
    "spoil-five": ("stake = 40\npools = 1", (8,)),
}
# What a player does of what he may, the first first; what is not here he leaves.
WISHES = (
    *("sing", "listen", "turn-hand", "pass-on", "put-out", "cover-square", "keep-throw"),
    *("rob", "leave-ace", "play-card", "keep-trumps", "refuse-five", "take-pool", "deal-again"),
)
BID_UP_TO = 4
HOST_DOES = '#steps [data-key="chance"]:not(.off), #steps [data-key="knock-down"]:not(.off)'


class Hands(Protocol):
    """How somebody works a page."""

    def press(self, what: Locator) -> None: ...
    def write(self, what: Locator, text: str) -> None: ...


class Thumbs:
    """By touch, or with a mouse."""

    def press(self, what: Locator) -> None:
        what.click()

    def write(self, what: Locator, text: str) -> None:
        what.fill(text)


class Keys:
    """By keyboard alone: Tab until it is there, then Enter."""

    def press(self, what: Locator) -> None:
        self._reach(what)
        what.page.keyboard.press("Space" if what.get_attribute("type") == "checkbox" else "Enter")

    def write(self, what: Locator, text: str) -> None:
        self._reach(what)
        what.page.keyboard.press("ControlOrMeta+a")
        what.page.keyboard.type(text)

    def _reach(self, what: Locator) -> None:
        expect(what).to_be_visible()
        for _ in range(MOST_TABS):
            if what.evaluate("one => one === document.activeElement"):
                return
            what.page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {what}")


WAYS: dict[str, Callable[[], Hands]] = {"thumbs": Thumbs, "keys": Keys}


@dataclass
class Phone:
    """A player's telephone, and what it was sent."""

    page: Page
    hands: Hands
    seat: int
    view: str = ""
    answer: str = ""
    tried: set[str] = field(default_factory=set)

    def listen(self) -> None:
        self.page.on("websocket", lambda line: line.on("framereceived", self._line))
        self.page.route("**/seat/ask", self._answer)

    def _line(self, frame: str | bytes) -> None:
        if '"view"' in str(frame)[:20]:
            self.view = str(frame)

    def _answer(self, route: Route) -> None:
        with contextlib.suppress(Exception):  # the web is away: so is the page told
            answer = route.fetch()
            self.answer = answer.text()
            route.fulfill(response=answer)
            return
        route.abort()

    def told(self) -> dict[str, Any]:
        return dict(json.loads(self.answer).get("answer") or {})

    def held(self) -> set[str]:
        """The cards that this seat alone sees, as it was answered last."""
        told = json.loads(self.answer).get("answer", {})
        zones = [
            zone
            for zone in told.get("zones", ())
            if zone["seat"] == self.seat and zone["key"] in told["held"]
        ]
        return {*FACE.findall(json.dumps(zones))}

    def sees(self) -> list[str]:
        """All that stands on the page, in words."""
        parts = ("#next", "#notes", "#middle", "#others", "#own-lines", "#lying", "#held", "#moves")
        return [str(self.page.locator(part).evaluate(IN_WORDS)) for part in parts]

    def move(self) -> bool:
        """Make one of the moves that may be made; False where there is none that is wanted."""
        for verb in self._wanted():
            ours = f'[data-key="{verb}"], [data-key^="{verb}-"]'
            button = self.page.locator("#moves button:not(.off)").and_(self.page.locator(ours))
            if button.count():
                self._make(verb, button.first)
                return True
        return False

    def _wanted(self) -> tuple[str, ...]:
        told = self.told()
        bids = [one for one in told.get("moves", ()) if one["do"] == "bid"]
        fits = any(slot["least"] <= BID_UP_TO for one in bids for slot in one["slots"])
        return (*WISHES, *(("bid",) if fits else ()), "pass-bid")

    def _make(self, verb: str, button: Locator) -> None:
        if button.inner_text().endswith("…"):
            self._take_up(verb)
        self.hands.press(button)
        dialog = self.page.locator("#dialog")
        if dialog.is_visible():
            square = dialog.locator("button.square")
            self.hands.press(square.first if square.count() else dialog.locator("button.main"))

    def _take_up(self, verb: str) -> None:
        """Take up cards of the hand: the first ones; of one card another than was refused."""
        [move] = [one for one in self.told()["moves"] if one["do"] == verb]
        for slot in move["slots"]:
            if slot["kind"] == "hand":
                for pressed in self.page.locator("#held [aria-pressed=true]").all():
                    self.hands.press(pressed)
                fresh = [face for face in slot["values"] if face not in self.tried]
                wanted = (fresh if slot["most"] == 1 else slot["values"])[: slot["least"]]
                self.tried.update(wanted)
                for face in wanted:
                    self.hands.press(self.page.locator(f'#held [data-key="card-{face}"]'))


class OverTooSoon(Exception):
    """The game was over before its core was killed: somebody had luck."""


@dataclass
class Evening:
    """A station, its host, and two players."""

    rig: Rig
    method: str
    hands: Hands
    host: Page
    phones: list[Phone]
    say: Callable[[str], None]
    looked: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.rig.port}"

    def seq(self) -> int:
        """The newest line of the record, as the board says."""
        return int(httpx.get(f"{self.url}/api/board", timeout=LIMIT_S).json().get("seq", -1))

    def sit_down(self) -> None:
        """The host writes down who plays."""
        self.host.goto(f"{self.url}/table")
        fields = self.host.locator("#players input[name=name]")
        for place, name in enumerate(NAMES):
            if place:
                self.hands.press(self.host.get_by_test_id("add"))
            expect(fields).to_have_count(place + 1)
            self.hands.write(fields.nth(place), name)
        self.hands.press(self.host.locator("#players input[name=simulated]").last)
        self.hands.press(self.host.get_by_test_id("sit"))
        expect(self.host.locator("#done")).to_contain_text("3 at the table")

    def let_in(self, admin: Page) -> None:
        """Both telephones ask, and are let in by their digits, each as its player's seat."""
        admin.goto(f"{self.url}/people")
        for phone in self.phones:
            name = NAMES[phone.seat - 1]
            phone.page.goto(f"{self.url}/pair")
            self.hands.write(phone.page.get_by_test_id("name"), name)
            while not phone.page.locator("#digits").is_visible():  # one address asks once in 10 s
                self.hands.press(phone.page.get_by_test_id("ask"))
                phone.page.wait_for_timeout(1000)
            expect(admin.get_by_test_id("who-asks")).to_contain_text(name)
            self.hands.write(
                admin.get_by_test_id("digits"), phone.page.locator("#digits").inner_text()
            )
            expect(admin.get_by_test_id("role")).to_have_value("seat")  # by his name
            expect(admin.get_by_test_id("seat")).to_have_value(str(phone.seat))
            self.hands.press(admin.get_by_test_id("let-in").locator("button.main"))
            phone.page.wait_for_url("**/seat")

    def play(self, killed_at: tuple[int, ...]) -> None:
        """From the opening to the end, the core being killed after so many steps."""
        to_come = [*killed_at]
        for step in self.steps():
            if to_come and step >= to_come[0] and not self.simulated_is_awaited():
                to_come.pop(0)
                self.kill(step)
        if to_come:
            raise OverTooSoon
        self.say(f"over after {step} steps; nothing hidden was sent, {self.looked} looks")

    def steps(self) -> Iterator[int]:
        """Open the game and play it; before each step every page shows the newest state."""
        self.hands.press(self.host.locator('[data-key="open"]'))
        for step in range(MOST_STEPS):
            self.settled()
            yield step
            before = self.settled()  # where somebody else has done something since, that is seen
            if all(phone.told().get("over") for phone in self.phones):
                return
            if not (any(phone.move() for phone in self.phones) or self.host_does()):
                self.wait(lambda seq=before: self.seq() != seq, "the simulated player")
                continue
            self.wait(lambda seq=before: self.seq() != seq or self.refused(), "what was pressed")
            if self.seq() != before:
                for phone in self.phones:
                    phone.tried.clear()
        raise AssertionError(f"{MOST_STEPS} steps, and no end")

    def simulated_is_awaited(self) -> bool:
        """Whether the third player may do something by himself in the next moment."""
        turn = self.phones[0].told().get("turn")
        return not isinstance(turn, list) or len(NAMES) in turn

    def refused(self) -> bool:
        """Whether a player is told that what he wants is refused."""
        said = "#done.bad:not(.past)"
        return any(phone.page.locator(said).count() for phone in self.phones)

    def host_does(self) -> bool:
        """The host deals, throws, knocks down: what no player does."""
        button = self.host.locator(HOST_DOES)
        if not button.count():
            return False
        self.hands.press(button.first)
        dialog = self.host.locator("#dialog")
        if dialog.is_visible():
            self.hands.press(dialog.locator("#dialog-buttons .main"))
        return True

    def settled(self) -> int:
        """Every page shows the newest state, which this gives; no telephone was sent a card of the
        other's hand."""
        seq = -1
        while seq != (seq := self.seq()):
            for phone in self.phones:
                until(phone.page, f"Number(document.body.dataset.seq) >= {seq}")
        for phone in self.phones:
            if phone.told():
                until(phone.page, "!document.getElementById('table').hidden")
        for phone, other in zip(self.phones, self.phones[::-1], strict=True):
            if other.told() and phone.told():
                self.looked += 1
                sent = {*FACE.findall(phone.view), *FACE.findall(phone.answer)}
                assert not sent & other.held(), (phone.seat, sent & other.held())
        return seq

    def kill(self, step: int) -> None:
        """The core dies, and another takes its place; everybody sees what he saw."""
        before = [phone.sees() for phone in self.phones]
        comes = self.host.get_by_test_id("next").inner_text()
        dead = self.rig.find("core")
        os.kill(dead, signal.SIGKILL)
        for phone in self.phones:
            until(phone.page, "document.body.dataset.stale === 'true'")
        for phone in self.phones:
            until(phone.page, "document.body.dataset.stale === 'false'")
        self.phones[0].page.reload()
        until(self.phones[0].page, "document.body.dataset.stale === 'false'")
        self.settled()
        assert self.rig.find("core") != dead
        for phone, saw in zip(self.phones, before, strict=True):
            expect(phone.page.get_by_role("alert")).to_be_hidden()
            assert phone.sees() == saw, (phone.seat, saw, phone.sees())
        expect(self.host.get_by_test_id("next")).to_have_text(comes)
        self.say(f"the core was killed after {step} steps, at “{comes}”: all goes on")

    def wait(self, so: Callable[[], bool], what: str) -> None:
        """Wait until something is so; meanwhile the browsers go on."""
        end = time.monotonic() + LIMIT_S
        while not so():
            assert time.monotonic() < end, f"{what}: nothing comes of it"
            self.host.wait_for_timeout(LOOK_MS)

    def close(self) -> None:
        """The outcomes stand on both telephones, and the record is whole."""
        for phone in self.phones:
            expect(phone.page.get_by_test_id("next")).not_to_be_empty()
            expect(phone.page.locator("#moves button")).to_have_count(0)
        self.rig.kill()
        verify = [
            sys.executable,
            "-m",
            "station",
            "journal",
            "verify",
            "--state",
            str(self.rig.state),
        ]
        subprocess.run([*verify, "--test"], check=True, stdout=subprocess.DEVNULL)
        self.say("the record is verified")


@contextlib.contextmanager
def opened(
    browser: Browser, folder: Path, method: str, hands: Hands, say: Callable[[str], None]
) -> Iterator[tuple[Evening, Page]]:
    """A station that runs, with a page each for host, admin and players."""
    agreed, _ = GAMES[method]
    programme = folder / "evening.toml"
    programme.write_text(
        f'name = "An evening"\n[[games]]\nname = "The game"\nmethod = "{method}"\n'
        f"[games.table]\n{agreed}\n"
    )
    rig = Rig(folder, f'[game]\nprogramme = "{programme}"\n', whole=True)
    rig.start()
    contexts = [
        browser.new_context(
            viewport=size, has_touch=size is PHONE, reduced_motion="reduce", locale="en-GB"
        )
        for size in (LAPTOP, LAPTOP, PHONE, PHONE)
    ]
    try:
        host, admin, *pages = [context.new_page() for context in contexts]
        for page in (host, admin, *pages):
            page.set_default_timeout(LIMIT_MS)
        phones = [Phone(page, hands, seat) for seat, page in enumerate(pages, 1)]
        for phone in phones:
            phone.listen()
        evening = Evening(rig, method, hands, host, phones, say)
        evening.wait(lambda: _answers(evening.url), "the station")
        yield evening, admin
    except BaseException:
        for at, context in enumerate(contexts):
            with contextlib.suppress(Exception):
                context.pages[0].screenshot(path=folder / f"lost-{at}.png", full_page=True)
        raise
    finally:
        rig.kill()
        for context in contexts:
            context.close()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/board", timeout=LIMIT_S).status_code == 200
    except httpx.TransportError:
        return False


def _evening(browser: Browser, method: str, way: str) -> bool:
    """Play a whole evening; return whether it was long enough."""
    began = time.monotonic()

    def say(step: str) -> None:
        sys.stdout.write(f"{time.monotonic() - began:7.1f} s  {method}, {way}: {step}\n")
        sys.stdout.flush()

    folder = Path(tempfile.mkdtemp(prefix="loto-seats-"))
    say(f"in {folder}")
    try:
        with opened(browser, folder, method, WAYS[way](), say) as (evening, admin):
            evening.sit_down()
            evening.let_in(admin)
            say("both telephones are let in")
            evening.play(GAMES[method][1])
            evening.close()
    except OverTooSoon:
        return False
    return True


def main(words: list[str]) -> int:
    """Play what is wanted; return 0 where all was kept."""
    if unknown := [word for word in words if word not in {*GAMES, *WAYS}]:
        sys.stderr.write(f"{', '.join(unknown)}: there is {', '.join([*GAMES, *WAYS])}\n")
        return 2
    methods = [word for word in words if word in GAMES] or [*GAMES]
    ways = [word for word in words if word in WAYS] or [*WAYS]
    expect.set_options(timeout=LIMIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for way in ways:
            for method in methods:
                while not _evening(browser, method, way):
                    sys.stdout.write(f"{method}, {way}: over too soon, once more\n")
        browser.close()
    sys.stdout.write("all kept\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
