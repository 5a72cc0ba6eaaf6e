"""A night on a series pack with check characters, before a slow station: by a scanner, by touch
alone, by keyboard alone. The journal has what was meant, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from station.cards import PACK_FILE
from station.cards.cards_key import make_key
from station.cards.pack import Pack, make_pack
from station.cards.serials import Numbering
from station.core.daemon import Core
from station.core.environment import Machine
from station.programme.programme import GamePlan, Programme, StagePlan
from station.screens.web.app import make_app
from station.settings.config import Settings
from station.wire.wire import SOCKET
from station.wire.wording import VOICES, load_wording
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import said
from tests.screens.web.fakes import Loop, served
from tests.screens.web.hands import scan, some_time_after, with_scanner
from tests.support import CLOCK

pytestmark = pytest.mark.browser

STRIP = 6
HUMAN_MS = 60
PROGRAMME = Programme(
    name="t", games=(GamePlan(name="one", price=150, stages=(StagePlan(pattern="full"),)),)
)
# Every answer of the station comes so much later.
LATE = """(() => {
  const now = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await now(...asked);
    await new Promise((done) => setTimeout(done, LATENCY));
    return answer;
  };
})();"""


@dataclass(frozen=True)
class Night:
    """How much is done, and how slow the station is."""

    cards: int
    draws: int
    claims: int
    latency_ms: int


FULL = Night(60, 30, 5, 3000)
SLICE = Night(12, 4, 2, 400)


class Hall:
    """A station with a keyed series, and its journal."""

    def __init__(self, loop: Loop, folder: Path) -> None:
        plain = make_pack(10, Random(4))
        numbering = Numbering(make_key(folder), "AP", 6)
        self.pack = Pack.of(numbering.serials(1, len(plain)), plain.numbers)
        self.codes = [numbering.short(number + 1) for number in range(len(plain))]
        (folder / "packs").mkdir()
        (folder / "packs" / PACK_FILE).write_text(self.pack.to_csv())
        machine = Machine(clock=CLOCK, chance=Random(3), check_ground=lambda folder, *, test: None)
        self.folder = folder
        self.core = loop.call(
            lambda: Core(Settings(), folder, folder / "run", programme=PROGRAMME, machine=machine)
        )
        loop.run(self.core.open())

    def acts(self) -> list[dict[str, Any]]:
        """What the journal has, of what a page may do; a number that was drawn is `draw` alone."""
        lines = (self.folder / "nights/0001/journal.jsonl").read_text("utf-8").splitlines()
        done = [json.loads(line) for line in lines]
        return [line["do"] for line in done if line["do"]["act"] != "open-night"]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[tuple[Hall, str]]:
    loop = Loop()
    hall = Hall(loop, tmp_path)
    app = make_app(
        hall.core.run / SOCKET,
        None,
        voice=VOICES / "en",
        wording=load_wording(),
        token="s3cret",  # noqa: S106 - a test's
        desk=True,
    )
    with served(loop, app) as url:
        yield hall, url
    loop.run(hall.core.close())
    loop.close()


class Hands:
    """One way to work: what a hand does at the desk and on the caller's page."""

    touch = False

    def __init__(self, hall: Hall, desk: Page, caller: Page) -> None:
        self.hall, self.desk, self.caller = hall, desk, caller

    def sell(self, name: str, serials: list[str]) -> None:
        raise NotImplementedError

    def open(self) -> None:
        self.caller.keyboard.press("Space")

    def draw(self) -> None:
        self.caller.keyboard.press("Space")

    def claim(self, place: int) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        self.caller.keyboard.press("s")

    def play_on(self) -> None:
        expect(self.caller.get_by_test_id("card")).to_be_focused()
        self.caller.keyboard.press("p")
        expect(said(self.caller)).to_contain_text("Press Enter: Play on")
        self.caller.keyboard.press("Enter")

    def mishap(self, number: int) -> None:
        """What happens to hands that mean nothing by it."""


class Scanner(Hands):
    """Cards are scanned, wherever the focus is, and at moments when nobody should."""

    def sell(self, name: str, serials: list[str]) -> None:
        self.desk.get_by_test_id("to").fill(name)
        self.desk.get_by_test_id("to").focus()
        for serial in serials:
            scan(self.desk, serial)
        expect(self.desk.get_by_test_id("to")).to_have_value(name)
        self.desk.get_by_role("button", name="Sell", exact=True).click()

    def claim(self, place: int) -> None:
        end = ("Enter", "Tab", "")[place % 3]
        scan(
            self.caller, (self.hall.codes if place % 2 else self.hall.pack.serials)[place], end=end
        )

    def mishap(self, number: int) -> None:
        """A card is scanned with nothing focused, in the field for a number, over a question."""
        code = self.hall.codes[number % len(self.hall.codes)]
        if number % 3 == 1:
            self.caller.get_by_test_id("keyed").focus()
        if number % 3 == 2:
            self.caller.keyboard.press("u")
            expect(self.caller.get_by_test_id("choose")).to_be_visible()
        scan(self.caller, code)
        if number % 3 == 2:
            expect(self.caller.get_by_test_id("choose")).to_be_visible()
            self.caller.keyboard.press("Escape")
            expect(self.caller.get_by_test_id("card")).to_have_value(code)
            self.caller.get_by_test_id("card").fill("")
            self.caller.get_by_test_id("card").blur()
        else:
            expect(self.caller.get_by_test_id("found")).to_contain_text("AP0000")
        expect(self.caller.get_by_test_id("keyed")).to_have_value("")
        expect(self.caller.locator("body")).to_have_attribute("data-phase", "playing")
        self.caller.get_by_test_id("keyed").blur()


class Keyboard(Hands):
    """No mouse: Tab, letters, Enter."""

    def sell(self, name: str, serials: list[str]) -> None:
        keys = self.desk.keyboard
        self.desk.get_by_test_id("cards").focus()
        keys.type(f"{serials[0]}..{serials[-1]}", delay=HUMAN_MS)
        keys.press("Tab")
        keys.type(name, delay=HUMAN_MS)
        keys.press("Enter")

    def claim(self, place: int) -> None:
        self.caller.keyboard.type(self.hall.pack.serials[place].lower(), delay=HUMAN_MS)
        self.caller.keyboard.press("Enter")

    def mishap(self, number: int) -> None:
        """Letters and a name are typed with nothing focused: each only asks."""
        for key in ("a", "m", "n", "t")[: 1 + number % 4]:
            some_time_after(self.caller, 60)  # the page refuses a burst of keys
            self.caller.keyboard.press(key)
            told = f"Press {key.upper()} again" if key in "am" else "A game is open."
            expect(said(self.caller)).to_contain_text(told)


class Touch(Hands):
    """A phone and a tablet; nothing is typed but into a field that was tapped."""

    touch = True

    def sell(self, name: str, serials: list[str]) -> None:
        for field, text in (("cards", f"{serials[0]}..{serials[-1]}"), ("to", name)):
            self.desk.get_by_test_id(field).tap()
            self.desk.get_by_test_id(field).fill(text)
        self.desk.get_by_role("button", name="Sell", exact=True).tap()
        self.desk.get_by_role("button", name="Sell", exact=True).tap()  # nobody answers: once more

    def open(self) -> None:
        self.caller.get_by_test_id("big").tap()

    def draw(self) -> None:
        self.caller.get_by_test_id("big").tap()

    def stop(self) -> None:
        self.caller.get_by_test_id("stop").tap()

    def claim(self, place: int) -> None:
        self.caller.get_by_test_id("card").tap()
        self.caller.get_by_test_id("card").fill(self.hall.pack.serials[place])
        self.caller.get_by_role("button", name="Check").tap()

    def play_on(self) -> None:
        self.caller.get_by_test_id("big").tap()

    def mishap(self, number: int) -> None:
        """A number is tapped in, and asked about; a finger comes twice."""
        self.caller.get_by_test_id("keyed").tap()
        self.caller.get_by_test_id("keyed").fill(str(1 + number))
        self.caller.get_by_role("button", name="Call it").tap()
        expect(said(self.caller)).to_contain_text(f"Call {1 + number}?")
        self.caller.get_by_test_id("keyed").fill("")


@pytest.mark.parametrize(
    ("way", "night"),
    [
        pytest.param(Scanner, SLICE, id="scanner"),
        *(
            pytest.param(
                way, night, id=f"{way.__name__.lower()}-{night.cards}", marks=pytest.mark.long
            )
            for way in (Scanner, Keyboard, Touch)
            for night in (SLICE, FULL)
            if (way, night) != (Scanner, SLICE)
        ),
    ],
)
def test_a_night_before_a_slow_station(
    browser: Browser, hall: tuple[Hall, str], way: type[Hands], night: Night
) -> None:
    """Cards sold, numbers drawn, claims checked: each once, in order, and nothing called, muted,
    switched or lost that was not meant."""
    station, url = hall
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, has_touch=way.touch, reduced_motion="reduce"
    )
    context.add_init_script(LATE.replace("LATENCY", str(night.latency_ms)))
    pages = [context.new_page() for _ in range(2)]
    for page, name in zip(pages, ("desk", "caller"), strict=True):
        page.set_default_timeout(LIMIT_MS)
        with_scanner(page)
        page.goto(f"{url}/{name}?token=s3cret")
        expect(page.locator(f"#{name}")).to_be_visible()
    desk, caller = pages
    hands = way(station, desk, caller)
    meant: list[dict[str, Any]] = []
    desk.bring_to_front()
    for first in range(0, night.cards, STRIP):
        name = f"Player {first // STRIP + 1}"
        serials = list(station.pack.serials[first : first + STRIP])
        hands.sell(name, serials)
        expect(said(desk)).to_contain_text(f"{name}: {STRIP} cards sold")
        expect(desk.get_by_test_id("cards")).to_have_value("")
        meant.append({"act": "sell", "to": name})
    caller.bring_to_front()
    hands.open()
    expect(caller.locator("body")).to_have_attribute("data-phase", "playing")
    meant.append({"act": "open"})
    claims = 0
    for number in range(1, night.draws + 1):
        # The number is shown before its act is answered; a press until then is not done.
        expect(caller.get_by_test_id("big")).to_have_attribute("aria-busy", "false")
        # Two taps at one place count as one within half a second.
        some_time_after(caller, 600 if way.touch else 60)
        hands.draw()
        expect(caller.locator("#count")).to_have_text(f"Number {number} of this game")
        expect(said(caller)).to_contain_text("has been called.")
        meant.append({"act": "draw"})
        hands.mishap(number)
        if number % (night.draws // night.claims):
            continue
        expect(caller.get_by_test_id("big")).to_have_attribute("aria-busy", "false")
        some_time_after(caller, 60)
        hands.stop()
        expect(caller.locator("body")).to_have_attribute("data-phase", "stopped")
        hands.claim(claims)
        expect(caller.get_by_test_id("checked").locator("li")).to_have_count(1)
        hands.play_on()
        expect(caller.locator("body")).to_have_attribute("data-phase", "playing")
        serial = station.pack.serials[claims]
        meant.extend(({"act": "stop"}, {"act": "claim", "serial": serial}, {"act": "play-on"}))
        claims += 1
    assert claims == night.claims
    keys = {"act", "to", "serial"}
    done = station.acts()
    assert [{key: act[key] for key in act if key in keys} for act in done] == meant
    sold = [act for act in done if act["act"] == "sell"]
    named = [
        serial
        for act in sold
        for serial in (
            *act.get("serials", ()),
            *(
                one
                for first, last in act.get("ranges", ())
                for one in between(station, first, last)
            ),
        )
    ]
    assert named == list(station.pack.serials[: night.cards])
    for page in pages:
        page.goto("about:blank")
    context.close()


def between(hall: Hall, first: str, last: str) -> tuple[str, ...]:
    serials = hall.pack.serials
    return serials[serials.index(first) : serials.index(last) + 1]
