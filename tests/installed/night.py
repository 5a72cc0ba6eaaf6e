"""One whole night: caller, seller, checker and treasurer, from pairing to the next night."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Response, expect

from station.cards.pack import Pack
from tests.installed.hands import (
    DOUBLE_TAP_MS,
    PERSON_MS,
    Hands,
    Way,
    before,
    fixed,
    journal,
    loto,
    words_of,
)

SOLD = 12  # cards, the last two strips of the pack
BY_BAG, BY_ITSELF, CALLS = 12, 2, 30
SAYING_MS = 500
# the key of each control of the caller's page
KEYS = {
    "big": "Space",
    "stop": "s",
    "play-on": "p",
    "undo": "u",
    "repeat": "r",
    "auto": "a",
    "close": "g",
    "close-night": "n",
}
TWICE = {"play-on", "auto", "close", "close-night"}  # these keys are pressed a second time


@dataclass
class Caller:
    """The caller's hands on the caller's page."""

    hands: Hands

    def __post_init__(self) -> None:
        self.page = self.hands.page
        self.words = words_of("caller", self.hands.way.language)

    def control(self, name: str) -> None:
        """Press a control: by its key, where there are keys alone."""
        if self.hands.way.keys:
            self.hands.presses += 1
            in_field = self.page.evaluate("document.activeElement.id") == "card"
            self.page.keyboard.press(KEYS[name])
            if name in TWICE:
                self.hands.once_more("Enter" if in_field else KEYS[name])
            return
        if self.hands.way.touch:
            self.page.get_by_test_id("number").tap()  # two taps at one place would be a double tap
        self.hands.press(self.page.get_by_test_id(name))

    def comes(self, key: str) -> None:
        """The page says that this comes next."""
        text = fixed(self.words[f"next-{key}"])
        expect(self.page.get_by_test_id("next")).to_contain_text(text)

    def counted(self, calls: int) -> None:
        """So many are called."""
        text = self.words["count"].replace("{count}", str(calls)) if calls else ""
        expect(self.page.locator("#count")).to_have_text(text)

    def heard(
        self, press: Callable[[], None], act: str = "draw", leave: Callable[[], None] | None = None
    ) -> None:
        """Press until the station takes it: while a number is being said it says so, and waits.

        Args:
            leave: what ends a press that was refused.
        """

        def is_of_act(response: Response) -> bool:
            sent = response.request.post_data or ""
            return response.url.endswith("/caller/do") and f'"{act}"' in sent

        refused = True
        while refused:
            with self.page.expect_response(is_of_act) as told:
                press()
            refused = told.value.json().get("refused", {}).get("reason") == "busy"
            if refused:
                if leave is not None:
                    leave()
                self.page.wait_for_timeout(SAYING_MS)

    def draw(self) -> None:
        """Draw the next number."""
        self.heard(lambda: self.control("big"))

    def key(self, number: int) -> None:
        """Call a number that was keyed."""

        def press() -> None:
            if self.hands.way.keys:
                self.hands.presses += 2
                self.page.keyboard.type(str(number), delay=PERSON_MS)
                self.page.keyboard.press("Enter")
                self.hands.once_more("Enter")
            else:
                self.hands.write(self.page.get_by_test_id("keyed"), str(number))
                self.hands.press(self.page.locator("#key button"))
                self.page.wait_for_timeout(DOUBLE_TAP_MS)
                self.hands.press(self.page.locator("#key button"))

        self.heard(press)
        self.hands.told(self.words["log-called"].replace("{number}", str(number)))

    def answered(self, testid: str) -> None:
        """Answer the dialog with one of its buttons."""
        self.hands.press(self.page.get_by_test_id(testid))

    def called(self) -> list[int]:
        """The numbers of this game, as the station has them."""
        return list(self.page.evaluate("fetch('/api/board').then(a => a.json())")["called"])


def play(browser: Browser, way: Way, number: int, say: Callable[[str], None]) -> None:
    """Play night `number`, which is open, to the opening of the next one.

    Args:
        say: is told each step.
    """
    with ExitStack() as stack:
        caller, seller, checker, treasurer = (
            stack.enter_context(before(browser, way, f"{name} {way.name}"))
            for name in ("Carla", "Sam", "Chris", "Tess")
        )
        people = (caller, seller, checker, treasurer)
        roles = (
            ("caller", "caller"),
            ("cashier", "desk"),
            ("checker", "desk"),
            ("treasurer", "treasurer"),
        )
        for hands, (role, door) in zip(people, roles, strict=True):
            hands.let_in(role, door)
            hands.fits()
            say(f"{role} let in")
        _sell(seller)
        say("cards sold")
        calls = Caller(caller)
        _first_game(calls, checker, say)
        _pay(seller, treasurer)
        say("approved and paid")
        for hands, (role, _) in zip(people, roles, strict=True):
            hands.picture(role)
        _how_it_is(caller)
        _end(calls, say)
        for hands in people:
            hands.fits()
    _recorded(number, way)
    say("the record says who did what")


def _sell(seller: Hands) -> None:
    """A range of cards comes back, and is sold for both games."""
    page, words = seller.page, words_of("desk", seller.way.language)
    serials = [*rows_of_pack()][-SOLD:]
    cards = f"{serials[0]}..{serials[-1]}"
    # A simulated hall has the whole pack: these come back first.
    seller.write(page.get_by_test_id("cards"), cards)
    seller.write(page.get_by_test_id("by"), "")
    seller.press(page.locator("#sell button[value=return]"))
    seller.told(fixed(words["done-return"]))
    seller.write(page.get_by_test_id("cards"), cards)
    seller.write(page.locator("#sell input[name=games]"), "2")
    seller.write(page.get_by_test_id("by"), seller.name)
    seller.press(page.locator("#sell button[value=sell]"))
    seller.told(fixed(words["done-sell"]))
    expect(page.get_by_test_id("takings")).to_contain_text(seller.name)


def _first_game(caller: Caller, checker: Hands, say: Callable[[str], None]) -> None:
    words = caller.words
    caller.comes("between")
    caller.control("big")
    caller.comes("first")
    for count in range(1, BY_BAG + 1):
        caller.draw()
        caller.counted(count)
    say(f"{BY_BAG} drawn")
    caller.control("auto")
    caller.counted(BY_BAG + BY_ITSELF)
    caller.control("auto")
    caller.hands.told(words["did-auto-off"])
    say("called by itself, and paused")
    rows = rows_of_pack()
    before_undo = caller.called()
    caller.control("undo")
    _reason(caller)
    caller.hands.told(words["log-taken-back"].replace("{number}", str(before_undo[-1])))
    caller.counted(len(before_undo) - 1)
    say("taken back")
    called = caller.called()
    first, second, last = two_winners(rows, called)
    caller.control("stop")
    caller.comes("stopped")
    _claim(checker, first)
    caller.comes("more-claims")
    expect(caller.page.get_by_test_id("checked").locator(".bad")).to_contain_text(first)
    caller.control("big" if not caller.hands.way.keys else "play-on")
    caller.hands.told(words["log-stopped-playing"])
    say("a wrong claim was found out")
    for keyed in keyed_to_win(rows, called, (first, second), last):
        caller.key(keyed)
    caller.counted(CALLS)
    say(f"{CALLS} called")
    caller.control("stop")
    caller.comes("stopped")
    for serial in (first, second):
        _claim(checker, serial)
    expect(caller.page.get_by_test_id("checked").locator(".good")).to_have_count(2)
    caller.control("big" if not caller.hands.way.keys else "play-on")
    caller.hands.told(words["log-stopped-playing"])
    say("two winners")


def _reason(caller: Caller) -> None:
    """The first of the reasons that the page offers."""
    way = caller.page.get_by_test_id("choose").locator(".way").first
    expect(way).to_be_visible()
    if caller.hands.way.keys:
        caller.page.keyboard.press("1")
    else:
        caller.hands.press(way)


def _claim(checker: Hands, serial: str) -> None:
    """Look at a card, and claim with it."""
    page = checker.page
    # The desk knows of the stop: its head has grown, and nothing moves under the finger.
    expect(page.locator("[data-phase=stopped]")).to_have_count(1)
    checker.write(page.get_by_test_id("card"), serial)
    checker.press(page.locator("#look button"))
    expect(page.get_by_test_id("found")).to_contain_text(serial)
    checker.press(page.locator(f'#found [data-key="claim-{serial}"]'))
    expect(page.get_by_test_id("checked")).to_contain_text(serial)


def _pay(seller: Hands, treasurer: Hands) -> None:
    """Two sums, each by two people: one agrees by her PIN, the other time on her own device."""
    page = seller.page
    pin = re.findall(r"\b\d{6}\b", loto("people", "pin", treasurer.name))[0]
    owed = page.locator("#owed [data-serial]")
    expect(owed).to_have_count(2)
    by_pin, by_device = (owed.nth(at).get_attribute("data-serial") for at in range(2))
    seller.write(page.locator(f'[data-key="approve-{by_pin}"] input'), treasurer.name)
    seller.press(page.locator(f'[data-key="approve-{by_pin}"] button'))
    seller.write(page.get_by_test_id("pin"), pin)
    seller.press(page.locator("dialog form button.main"))
    treasurer.press(treasurer.page.locator(f'[data-key^="approve-{by_device}"]'))
    for serial in (by_pin, by_device):
        line = page.locator(f'#owed [data-serial="{serial}"]')
        expect(line.locator(".good")).to_contain_text(treasurer.name)
    for serial in (by_pin, by_device):
        line = page.locator(f'#owed [data-serial="{serial}"]')
        page.wait_for_timeout(DOUBLE_TAP_MS)  # the second comes up where the first was
        seller.press(line.locator('[data-key$="-cash"]'))
        expect(line).to_have_count(0)


def _how_it_is(caller: Hands) -> None:
    """The caller looks how the station is, and goes back to the game."""
    caller.go("/health")
    expect(caller.page.get_by_test_id("people")).to_contain_text(caller.name)
    caller.fits()
    caller.picture("health")
    caller.go("/caller")
    expect(caller.page.locator("body")).to_have_attribute("data-stale", "false")


def _end(caller: Caller, say: Callable[[str], None]) -> None:
    """The game is closed, the next one opened and closed, the night closed, the next one begun."""
    words = caller.words
    for more in (True, False):
        caller.control("close")
        caller.answered("do-it")
        caller.comes("between" if more else "all-played")
        if more:
            caller.control("big")
            caller.comes("first")
            caller.draw()
            caller.counted(1)
    say("the next game was played")
    caller.control("close-night")
    caller.answered("yes")
    caller.comes("closed")
    caller.control("big")
    caller.hands.told(words["log-closed-between"])
    caller.comes("between")
    say("the next night is open")


def rows_of_pack() -> dict[str, list[frozenset[int]]]:
    """The rows of each card of the pack."""
    (path,) = Path("/var/lib/loto-station/packs").glob("*.csv")
    return {
        card.serial: [frozenset(filter(None, row)) for row in card.rows]
        for card in Pack.load(path).cards()
    }


def two_winners(
    rows: dict[str, list[frozenset[int]]], called: Sequence[int]
) -> tuple[str, str, int]:
    """Two cards that can have a row on one number, each the card's first, in few enough calls."""
    sold = [*rows.items()][-SOLD:]
    for one, ones in sold:
        for other, others in sold:
            for last in set().union(*ones) & set().union(*others) - {*called}:
                if one < other and keyed_to_win(rows, called, (one, other), last):
                    return one, other, last
    raise AssertionError("no two cards of these can win on one number")


def keyed_to_win(
    rows: dict[str, list[frozenset[int]]],
    called: Sequence[int],
    cards: tuple[str, str],
    last: int,
) -> list[int]:
    """What is keyed so that just these two have a row, on `last`, which is the thirtieth; nothing
    where that cannot be."""
    ends = [row for serial in cards for row in rows[serial] if last in row]
    keyed = sorted(set().union(*ends) - {last, *called})
    every = [row for some in rows.values() for row in some]

    def too_early(numbers: Sequence[int]) -> bool:
        return any(row <= {*called, *numbers} for row in every)

    if too_early(keyed):
        return []
    for number in range(1, 91):
        if len(called) + len(keyed) == CALLS - 1:
            break
        if number not in {last, *keyed, *called} and not too_early([*keyed, number]):
            keyed.append(number)
    enough = len(called) + len(keyed) == CALLS - 1
    won = [row for row in every if row <= {*called, *keyed, last}]
    return [*keyed, last] if enough and len(won) == len(cards) else []


def _recorded(number: int, way: Way) -> None:
    """Who did what stands in the record, proven."""
    lines = journal(number)
    by = {(line["do"]["act"], line["by"]) for line in lines}
    carla, sam, chris, tess = (f"{name} {way.name}" for name in ("Carla", "Sam", "Chris", "Tess"))
    wanted = {
        ("return", sam),
        ("sell", sam),
        ("open", carla),
        ("draw", carla),
        ("undo", carla),
        ("claim", chris),
    }
    assert wanted | {("close", carla), ("close-night", carla)} <= by, by
    agreed = [line["do"] for line in lines if line["do"]["act"] in {"approve", "pay"}]
    assert sorted((do["act"], do["who"], do["proof"]) for do in agreed) == [
        ("approve", tess, "device"),
        ("approve", tess, "pin"),
        ("pay", sam, "device"),
        ("pay", sam, "device"),
    ], agreed
