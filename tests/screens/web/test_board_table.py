"""A game at the table on the public board, in a real browser: seats, cards, counters, drawings,
pictures."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from station.games.loto_parlour import rules as loto_parlour
from station.night.table.game import played
from station.programme.programme import GamePlan
from station.views.shown import theme_view
from station.wire.board_view import BoardView
from station.wire.zones import NumberCardThing
from tests.conftest import CHROMIUM
from tests.looking import until
from tests.screens.web.conftest import Hall, Visit
from tests.screens.web.test_board_page import contrast
from tests.tables import company, drawn, settled, view

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> str:
    """What is drawn is measured to the pixel: by the browser that people have."""
    return CHROMIUM


TELEVISION, OLD, PHONE = (
    {"width": width, "height": height} for width, height in ((1280, 720), (1024, 768), (390, 844))
)
PLAYERS = (1, 6, 12, 24)
# Boxes of which one lies over another: seats and the felt; and the felt's parts, of which a number
# may be wider than its box.
OVERLAP = """() => {
  const ink = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { left, right, width } = range.getBoundingClientRect();
    const { top, bottom } = one.getBoundingClientRect();
    return { left, right, width, top, bottom };
  };
  const found = [];
  const apart = (a, b) => a.right - 1 <= b.left || a.bottom - 1 <= b.top;
  const all = (selector, box) =>
    [...document.querySelectorAll(selector)].map((one) => [one, box(one)]);
  const compare = (boxes) => boxes.forEach(([one, a], index) => {
    boxes.slice(index + 1).forEach(([other, b]) => {
      if (a.width && b.width && !apart(a, b) && !apart(b, a))
        found.push(`${one.className} / ${other.className}`);
    });
  });
  compare(all('.seat, .felt', (one) => one.getBoundingClientRect()));
  compare(all('.felt-now, .felt-board, .felt-sums, .felt-line', ink));
  return found;
}"""
# What leaves the seat or the felt in which it stands.
OUTSIDE = """() => [...document.querySelectorAll('.felt *, .seat *')].filter((one) => {
  const around = one.closest('.felt, .seat').getBoundingClientRect();
  const box = one.getBoundingClientRect();
  const wide = box.left < around.left - 1 || box.right > around.right + 1;
  return box.width && (wide || box.top < around.top - 1 || box.bottom > around.bottom + 1);
}).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`)"""
SAID_AT_THE_END = (
    "The drawing is settled. Quinterne: two. Ambo: one. Abstract: two. From the pool: Contracts:"
    " one. Fish: one. Bankruptcy. What is not paid stays unpaid. The counters are redeemed. The"
    " game is over."
)
CHANGE = (
    "The bank has no change: Anna gives five counters and gets a fish; Bruno gives ten fish and"
    " gets a contract."
)
# What the notice's letters lie over: a seat, the felt, the page's edge.
UNDER_THE_NOTICE = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('.notice'));
  const { top, bottom } = range.getBoundingClientRect();
  const over = ({ top: other, bottom: end }) => top < end - 1 && other < bottom - 1;
  const under = [...document.querySelectorAll('.seat, .felt')]
    .filter((one) => over(one.getBoundingClientRect()));
  const end = document.querySelector('.board').getBoundingClientRect().bottom;
  return [...under.map((one) => one.className), ...(bottom > end + 1 ? ['the edge'] : [])];
}"""
WATCH_FLIGHTS = """() => {
  window.flown = 0;
  const count = (node) => { window.flown += node.className?.includes?.('flying') ?? 0; };
  const seen = (all) => all.forEach((one) => one.addedNodes.forEach(count));
  new MutationObserver(seen).observe(document.querySelector('.parlour'), { childList: true });
}"""


def shown(visit: Visit, hall: Hall, board: BoardView, size: Any = None) -> Page:
    page = visit.page
    page.set_viewport_size(size or TELEVISION)
    if page.url == "about:blank":
        page.goto(hall.url)
    seq = hall.core.view.seq + 1
    hall.show(board.model_copy(update={"seq": seq}))
    expect(page.locator(f'[data-seq="{seq}"]')).to_be_visible()
    return page


def counters(page: Page, testid: str) -> int:
    return int(page.get_by_test_id(testid).get_attribute("data-counters") or "-1")


@pytest.mark.long
@pytest.mark.parametrize(
    "size", [TELEVISION, OLD, PHONE], ids=["television", "old television", "phone"]
)
def test_every_company_has_its_place(visit: Visit, hall: Hall, size: Any) -> None:
    """With 1 to 24 players no seat lies over another or over the felt, and nothing in them leaves
    its place."""
    for players in PLAYERS:
        for game in (drawn(company(players), 7), settled(company(players))):
            page = shown(visit, hall, view(game), size)
            expect(page.locator(".seat")).to_have_count(players)
            assert page.evaluate(OVERLAP) == []
            assert page.evaluate(OUTSIDE) == []


def test_counters_lie_on_what_was_drawn(visit: Visit, hall: Hall) -> None:
    """Each covered number of a shown card has a counter and no other; sums and hands are those of
    the game."""
    game = drawn(company(6), 7)
    page = shown(visit, hall, view(game))
    state: Any = game.state
    for serial in state.taken[0]:
        cells = page.locator(f'[data-serial="{serial}"] td.covered')
        assert {int(text) for text in cells.all_inner_texts()} == set(state.covered(serial))
    assert [
        int(text) for text in page.get_by_test_id("cavities").locator(".knob").all_inner_texts()
    ] == list(state.numbers)
    assert page.get_by_test_id("table-last").inner_text() == str(state.numbers[-1])
    assert (
        counters(page, "sum-pool"),
        counters(page, "sum-on-table"),
        counters(page, "sum-reserve"),
    ) == (
        state.pool,
        state.table,
        state.reserve,
    )
    page = shown(visit, hall, view(settled(game)))
    after: Any = settled(game).state
    assert [counters(page, f"hand-{seat}") for seat in range(1, 7)] == list(after.hands)


def test_the_cavities_are_whole_on_a_phone(visit: Visit, hall: Hall) -> None:
    """All ten stand in their part of the felt, also where a bar to scroll by takes of its width."""
    page = shown(visit, hall, view(drawn(company(6), 7)), PHONE)
    page.locator(".parlour").evaluate("one => { one.style.paddingRight = '12px'; }")
    outside = """() => {
      const { left, right } = document.querySelector('.felt-board').getBoundingClientRect();
      const boxes = [...document.querySelectorAll('.cavities li')]
        .map((one) => one.getBoundingClientRect());
      return boxes.filter((one) => one.left < left - 1 || one.right > right + 1).length;
    }"""
    expect(page.locator(".cavities li")).to_have_count(10)
    assert page.evaluate(outside) == 0


def test_the_bag_goes_round_and_the_total_is_shown(visit: Visit, hall: Hall) -> None:
    """Who has it is marked; a settled drawing shows how many rows came to each class."""
    page = shown(visit, hall, view(drawn(company(6), 7)))
    expect(page.locator('.seat[data-leads="true"] .name')).to_have_text("Anna")
    game = settled(company(6))
    page = shown(visit, hall, view(game))
    expect(page.locator('.seat[data-leads="true"] .name')).to_have_text("Bruno")
    assert game.state.settlement is not None
    classes = [int(page.get_by_test_id(f"class-{laid}").inner_text()) for laid in range(1, 6)]
    assert classes == list(game.state.settlement.classes[1:])
    expect(page.get_by_text("Bruno counts the balls: 90").first).to_be_visible()


def test_the_row_that_is_told_is_marked(visit: Visit, hall: Hall) -> None:
    """Its card is among those shown, its row is marked, and so is its class."""
    board = view(settled(company(24)), telling=0)
    page = shown(visit, hall, board)
    assert board.table is not None
    [(seat, card)] = [
        (zone.seat, thing)
        for zone in board.table.zones
        if zone.key == "cards"
        for thing in zone.things
        if isinstance(thing, NumberCardThing) and thing.told
    ]
    name = board.table.seats[seat - 1].name
    expect(page.locator(f'[data-serial="{card.serial}"] tr.told')).to_have_count(1)
    expect(page.get_by_test_id("settlement")).to_contain_text(name)
    expect(page.locator('.classes [data-told="true"]')).to_have_count(1)


def test_what_must_be_decided_is_shown_in_whole(visit: Visit, hall: Hall) -> None:
    """A short pool in mid-drawing, in words of any language: two lines where one is too narrow, and
    nothing cut off."""
    board = view(drawn(company(6), 9))
    assert board.table is not None
    long = "Der Pool reicht nicht: jeder legt 45 Marken für jede seiner Karten nach"
    for text in ("The pool is short: everybody adds 45 a card", long):
        table = board.table.model_copy(update={"text": text})
        for size in (TELEVISION, OLD):
            page = shown(visit, hall, board.model_copy(update={"table": table}), size)
            line = page.locator(".felt-text")
            expect(line).to_have_text(text)
            assert line.evaluate(
                "(one) => one.scrollWidth - one.clientWidth <= 1 && one.scrollHeight -"
                " one.clientHeight <= 1"
            )
            assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("size", [TELEVISION, OLD], ids=["television", "old television"])
def test_what_is_said_of_an_end_stands_in_whole_below(visit: Visit, hall: Hall, size: Any) -> None:
    """Neither a call nor all that is said of a drawing that ends in a Bankruptcy lies over the
    seats, or leaves the screen."""
    for notice in ("Forty-two.", SAID_AT_THE_END, f"{CHANGE} {SAID_AT_THE_END}"):
        page = shown(
            visit, hall, view(settled(company(6))).model_copy(update={"notice": notice}), size
        )
        expect(page.locator(".notice")).to_have_text(notice)
        assert page.evaluate(UNDER_THE_NOTICE) == [], notice


def test_contrast_is_seven_to_one(visit: Visit, hall: Hall) -> None:
    """Text and its ground differ by 7:1 at least at the table, too: names, cards, counters, the
    felt's texts, a wrong answer."""
    page = shown(visit, hall, view(drawn(company(6), 7)))
    selectors = [
        ".seat .name",
        '.seat[data-leads="true"] .name',
        ".felt .newest",
        ".felt-text",
        ".felt-line",
        ".felt-sums h2",
    ]
    selectors += [
        ".first-sum b",
        ".cavities .knob",
        ".cavities .fresh",
        ".table-card td",
        ".table-card td.covered",
    ]
    for selector in selectors:
        assert contrast(page.locator(selector).first) >= 7, selector
    page = shown(visit, hall, view(settled(company(6))))
    for selector in (".turn", ".settled-text", ".classes b", ".classes span", ".came li"):
        assert contrast(page.locator(selector).first) >= 7, selector


def test_counters_fly_only_where_motion_is_wanted(visit: Visit, hall: Hall) -> None:
    """A knob sends counters from the table to the cards; with reduced motion they lie there at
    once."""
    game = drawn(company(6), 7)
    for motion, flights in (("no-preference", True), ("reduce", False)):
        visit.page.emulate_media(reduced_motion=motion)
        page = shown(visit, hall, view(drawn(company(6), 6)))
        page.evaluate(WATCH_FLIGHTS)
        shown(visit, hall, view(game))
        assert (page.evaluate("() => window.flown") > 0) is flights
        until(page, "() => !document.querySelector('.flying')")


def test_the_race_shows_who_answered(visit: Visit, hall: Hall) -> None:
    """A wrong answer, a tie and who covers, at the seats and in a list."""
    game = drawn(company(6, "loto-parlour", answering="first", stakes="counters", stake=30), 20)
    state: Any = game.state
    holders = state.holders(state.numbers[-1])
    wrong = next(seat for seat in range(1, 7) if seat not in holders)
    game = played(game, loto_parlour.Answer((wrong,), (0,)))
    game = played(game, loto_parlour.Answer(tuple(holders[:2]), (0, 400)))
    page = shown(visit, hall, view(game))
    expect(page.locator(f'.seat[data-seat="{wrong}"]')).to_have_attribute("data-mood", "bad")
    expect(page.locator(f'.seat[data-seat="{holders[0]}"]')).to_have_attribute("data-mood", "good")
    expect(page.get_by_test_id("answers").locator("li")).to_have_count(3)


def test_pictures_stand_in_place_of_numbers(visit: Visit, hall: Hall) -> None:
    """Every picture comes from the station and has its word; the number stays, small; back to
    numbers without a theme."""
    theme = theme_view(GamePlan(name="Capitals", theme="geographical"), "en")
    page = shown(visit, hall, view(drawn(company(6), 7), theme=theme))
    until(page, "() => [...document.images].every((one) => one.complete)")
    assert (
        page.evaluate("() => [...document.images].filter((one) => !one.naturalWidth).length") == 0
    )
    expect(page.get_by_test_id("table-last")).to_contain_text("Nicosia")
    assert page.evaluate(OUTSIDE) == []
    page = shown(visit, hall, view(drawn(company(6), 7)))
    assert page.evaluate("() => document.images.length") == 0


def test_a_win_is_told_once_in_the_winners_own_line(visit: Visit, hall: Hall) -> None:
    """The flourish comes with the win; the line stays with the next picture, and a page that is
    loaded anew has it without the flourish."""
    page = visit.page
    table = company(3)
    before = view(table)
    hall.show(before)
    page.goto(hall.url)
    expect(page.get_by_test_id("table")).to_be_visible()
    assert before.table is not None
    won = before.table.model_copy(update={"won": (2,), "wins": before.table.wins + 1})
    hall.show(before.model_copy(update={"table": won, "seq": before.seq + 1}))
    line = page.locator('.seat[data-seat="2"] .won-mark')
    expect(line).to_have_class("won-mark fresh")
    expect(page.locator(".won-mark")).to_have_count(1)
    expect(line).to_have_attribute("aria-label", re.compile("has won"))
    assert line.evaluate("one => getComputedStyle(one).animationName") == "none"
    hall.show(before.model_copy(update={"table": won, "seq": before.seq + 2}))
    expect(line).to_have_class("won-mark")
    page.reload()
    expect(line).to_have_class("won-mark")
