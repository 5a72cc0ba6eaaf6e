"""The evening of the Second Method by RFID bytes: the real core, three pages, and every counter on
them counted a second time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty

import pytest
from playwright.sync_api import Browser, Page, expect

from drivers import TagLeft
from station.screens.web.app import make_app
from station.wire.board_view import Phase
from station.wire.wording import load_wording
from tests.drivers import board_reader
from tests.end_to_end.evening import LIMIT_S, PACK, Evening
from tests.screens.web.browsers import LIMIT_MS, Browsers
from tests.screens.web.conftest import said
from tests.screens.web.fakes import served

pytestmark = [pytest.mark.browser, pytest.mark.long]

PROGRAMME = Path(__file__).parents[2] / "station/programme/programmes/parlour.toml"
SETTINGS = {"game": {"programme": str(PROGRAMME)}, "devices": {"reader": {"firmware": "repeats"}}}
COMPANY = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")
PRIZES = (0, 0, 5, 25, 100, 250)
PURSE = 2400 // 2  # in counters: ten stakes of 240, a counter is worth 2
NO_GAIN = "neither won nor lost"  # the cards are drawn by luck
SIZES = {"viewport": {"width": 1366, "height": 768}}


@pytest.fixture
def browser(browsers: Browsers, chromium: str) -> Iterator[Browser]:
    with browsers.browsing(chromium) as browser:
        yield browser


@dataclass
class Count:
    """A second count of all counters, by a person with the rules on paper: nothing of it comes from
    the station but the cards."""

    cards: list[dict[str, list[list[int]]]]  # of each seat, by serial
    hands: list[int] = field(default_factory=lambda: [0] * len(COMPANY))
    table: int = 15 * 2 * len(COMPANY)
    pool: int = 45 * 2 * len(COMPANY)

    def settle(self, drawn: list[int]) -> None:
        for seat, cards in enumerate(self.cards):
            for rows in cards.values():
                for row in rows:
                    laid = len(set(row) & set(drawn))
                    self.hands[seat] += laid + PRIZES[laid]
                    self.table -= laid
                    self.pool -= PRIZES[laid]
        # else this count would have to know about short pools
        assert min(self.table, self.pool) >= 0

    def exchange(self, one: int, mine: str, other: int, theirs: str) -> None:
        swapped = (
            (one, mine, theirs, self.cards[other][theirs]),
            (other, theirs, mine, self.cards[one][mine]),
        )
        for seat, given, got, rows in swapped:
            self.cards[seat] = {
                got if serial == given else serial: its for serial, its in self.cards[seat].items()
            }
            self.cards[seat][got] = rows

    def purses(self) -> list[int]:
        """At the end: what each has, in counters."""
        taken = sum(map(len, self.cards))
        each, odd = divmod(self.table + self.pool, taken)
        found = []
        for seat, cards in enumerate(self.cards):
            extra = min(len(cards), max(0, odd - sum(map(len, self.cards[:seat]))))
            found.append(PURSE - 60 * len(cards) + self.hands[seat] + each * len(cards) + extra)
        return found


@dataclass
class GameInPlay:
    """The host's page, the bench and the players' board of one station."""

    evening: Evening
    host: Page
    bench: Page
    board: Page

    def comes(self, text: str) -> None:
        """Waits until the host's page says that this comes next."""
        expect(self.host.get_by_test_id("next")).to_contain_text(text)

    def press(self, name: str) -> None:
        self.host.get_by_role("button", name=name, exact=True).click()

    def cards(self) -> list[dict[str, list[list[int]]]]:
        """All cards, as the host's page shows them."""
        return [
            {
                str(card.get_attribute("data-serial")): [
                    [int(text) for text in row.locator("td").all_inner_texts() if text]
                    for row in card.locator("tr").all()
                ]
                for card in seat.locator(".card").all()
            }
            for seat in self.host.locator(".seat").all()
        ]

    def draw(self, knobs: list[int], *, by_hand: bool) -> None:
        """Each knob is laid on the reader, and seen in every place before the next."""
        for count, knob in enumerate(knobs, 1):
            if by_hand:
                self.bench.locator(f'[data-knob="{knob}"]').click()
            else:
                self.evening.hand("lift")
                self.evening.hand("drop", knob=knob)
            expect(self.board.get_by_test_id("cavities").locator(".knob")).to_have_count(count)
            self.evening.quiet(count)
            self.sees_lit(knobs[:count])
        expect(self.board.get_by_test_id("cavities").locator(".knob")).to_have_text(
            [str(knob) for knob in knobs]
        )
        expect(self.host.get_by_test_id("board").locator("li")).to_have_text(
            [str(knob) for knob in knobs]
        )

    def empty(self) -> None:
        """Takes the knob off the reader, and waits until the reader has noticed."""
        events = self.evening.events
        while not events.empty():
            events.get_nowait()
        self.evening.hand("lift")
        while not isinstance(events.get(timeout=LIMIT_S), TagLeft):
            pass

    def sees_lit(self, knobs: list[int]) -> None:
        """Waits until the matrix shows these, the last one marked: with each picture it tells that
        it is shown."""
        try:
            while self.lit() != (knobs, knobs[-1]):
                self.evening.events.get(timeout=LIMIT_S)
        except Empty:
            assert self.lit() == (knobs, knobs[-1])

    def lit(self) -> tuple[list[int], int]:
        """The knobs on the matrix, read off the lamps that its bytes light, and the newest."""
        assert self.evening.simulation is not None
        numbers, newest = board_reader.numbers(self.evening.simulation.bus.painting()[0])
        return numbers, newest

    def counters_are(self, count: Count) -> None:
        """Every counter on host's page and board is as it was counted."""
        for seat, hand in enumerate(count.hands, 1):
            for page in (self.host, self.board):
                expect(page.get_by_test_id(f"hand-{seat}")).to_have_attribute(
                    "data-counters", str(hand)
                )
        for what, sum_ in (("pool", count.pool), ("on-table", count.table)):
            expect(self.board.get_by_test_id(f"sum-{what}")).to_have_attribute(
                "data-counters", str(sum_)
            )


@pytest.fixture
def parlour(tmp_path: Path, browser: Browser) -> Iterator[GameInPlay]:
    """The shipped parlour programme on a simulated station, with three pages open."""
    evening = Evening(tmp_path, settings=SETTINGS)
    app = make_app(
        evening.socket, evening.hands_socket, voice=PACK, wording=load_wording(), desk=True
    )
    with served(evening.loop, app) as url:
        pages = [
            browser.new_page(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
            for _ in range(3)
        ]
        complaints: list[str] = []
        for page, path in zip(pages, ("/table", "/bench", "/"), strict=True):
            page.set_default_timeout(LIMIT_MS)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(url + path)
        yield GameInPlay(evening, *pages)
        for page in pages:
            page.close()
    evening.close()
    assert complaints == []


def test_an_evening_of_the_second_method_by_rfid_bytes(parlour: GameInPlay) -> None:
    """Six sit down, count, draw ten knobs and settle; an exchange, the next drawer, the last
    drawing, redemption: all agree."""
    host = parlour.host
    parlour.comes("Seat the players")
    for seat, name in enumerate(COMPANY):
        if seat:
            host.get_by_test_id("add").click()
        host.locator("#players li").nth(seat).locator("input[name=name]").fill(name)
    parlour.press("Seat them")
    parlour.comes("Open the next game")
    parlour.press("Open game 1: Second Method")
    parlour.comes("Anna counts the balls: 90")
    count = Count(parlour.cards())
    assert [len(cards) for cards in count.cards] == [2] * 6
    parlour.counters_are(count)

    # A knob before the bag was counted is none; eighty-nine are not ninety.
    parlour.evening.hand("drop", knob=17)
    expect(parlour.bench.get_by_test_id("log")).to_contain_text(
        "The voice said: “Count the balls, and shake the bag.”"
    )
    parlour.empty()
    host.get_by_test_id("counted").fill("89")
    parlour.press("Counted and shaken")
    expect(said(host)).to_contain_text("89 balls were counted, 90 must be in the bag")
    host.get_by_test_id("counted").fill("90")
    parlour.press("Counted and shaken")
    parlour.comes("Anna has the bag")

    # The first drawing: a terne and an ambo on Anna's first card, and whatever comes besides.
    first = next(iter(count.cards[0].values()))
    some = [*first[0][:3], *first[1][:2]]
    others = [
        knob for knob in range(7, 91, 7) if knob not in {number for row in first for number in row}
    ]
    parlour.draw([*some, *others[:5]], by_hand=True)
    parlour.comes("Ten balls are drawn")
    expect(parlour.bench.locator("#bag-count")).to_have_text("80 balls left")
    parlour.press("Settle the drawing")
    count.settle([*some, *others[:5]])
    parlour.comes("Bruno counts the balls")
    parlour.counters_are(count)
    assert count.hands[0] >= 3 + 25 + 2 + 5

    # Anna's card for one of Bruno's; he is asked and agrees.
    mine, theirs = next(iter(count.cards[0])), next(iter(count.cards[1]))
    host.locator(f'[data-key^="exchange"][data-key$="{mine}"]').click()
    host.locator(f'#dialog [data-serial="{theirs}"]').click()
    parlour.comes("will you give card")
    parlour.press("Agree")
    parlour.comes("Bruno counts the balls")
    count.exchange(0, mine, 1, theirs)
    assert parlour.cards() == count.cards

    # The second drawing is Bruno's, once the bag has all its knobs; then one more is agreed on,
    # which is the last.
    host.get_by_test_id("counted").fill("90")
    parlour.press("Counted and shaken")
    expect(said(host)).to_contain_text(
        f"{others[4]} lies on the reader: put it into the bag, then count"
    )
    parlour.empty()
    parlour.press("Counted and shaken")
    parlour.comes("Bruno has the bag")
    second = list(range(3, 90, 9))
    parlour.draw(second, by_hand=False)
    parlour.press("Settle the drawing")
    count.settle(second)
    parlour.comes("Carla counts the balls")
    parlour.counters_are(count)
    parlour.press("Agree on the last drawings…")
    host.locator("#dialog-buttons .main").click()
    expect(host.locator("body")).to_contain_text("The last drawing")
    parlour.empty()
    parlour.press("Counted and shaken")
    parlour.comes("Carla has the bag")
    third = list(range(5, 90, 9))
    parlour.draw(third, by_hand=False)
    parlour.press("Settle the drawing")
    count.settle(third)

    # Redeemed: everybody has in his purse what was counted, and nothing is left anywhere.
    parlour.comes("Open the next game")
    purses = [int(str(seat.get_attribute("data-purse"))) for seat in host.locator(".seat").all()]
    gain = purses[0] - 2 * PURSE
    told = f"{'won' if gain > 0 else 'lost'} £{abs(gain) / 100:.2f}" if gain else NO_GAIN
    expect(host.get_by_test_id("hand-1")).to_have_text(told)
    assert purses == [2 * purse for purse in count.purses()]
    assert sum(purses) == len(COMPANY) * 2 * PURSE
    parlour.evening.until(lambda view: view.phase is Phase.BETWEEN)
    recorded = [
        line["do"]["number"] for line in parlour.evening.journal() if line["do"]["act"] == "draw"
    ]
    assert recorded == [*some, *others[:5], *second, *third]
