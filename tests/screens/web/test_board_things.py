"""Games that nobody plays, on the public board in a real browser: every kind of thing whole, apart,
and told in words."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

from station.wire.wording import languages, load_wording
from tests.conftest import CHROMIUM
from tests.invented import GAMES, invented
from tests.screens.web.conftest import Hall, Visit
from tests.screens.web.test_board_page import contrast
from tests.screens.web.test_board_table import OLD, OUTSIDE, OVERLAP, PHONE, TELEVISION, shown

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> str:
    """What is drawn is measured to the pixel: by the browser that people have."""
    return CHROMIUM


SMALL = {"width": 800, "height": 480}
# Texts that are wider than their place, and things of which one lies over another or has no size.
CUT = """() => [...document.querySelectorAll('.seat h4, .felt h4, .lines li, .felt-sums h2, .name')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.tagName} ${one.className} ${one.textContent}`)"""
THINGS_OVERLAP = """() => [...document.querySelectorAll('.things .rows')].flatMap((row) => {
  const boxes = [...row.children].map((one) => one.getBoundingClientRect());
  const apart = (a, b) => a.right - 0.5 <= b.left || a.bottom - 0.5 <= b.top;
  const small = boxes.filter(({ width, height }) => width < 6 || height < 6);
  const over = boxes.flatMap((a, index) => boxes.slice(index + 1)
    .filter((b) => !apart(a, b) && !apart(b, a)));
  return [...small, ...over].map((box) => `${row.innerHTML.slice(0, 60)} ${JSON.stringify(box)}`);
})"""
SHOWN = "() => document.querySelectorAll('.things .rows > *, .table-cards > *').length"


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_things_stand_whole_and_apart(visit: Visit, hall: Hall, game: str) -> None:
    """With 2 to 24 players, in windows of four sizes: each thing is there, none over another, none
    outside its seat or the felt, no text cut off."""
    for size, players in product((TELEVISION, OLD, SMALL, PHONE), (2, 6, 12, 24)):
        view = invented(game, players)
        page = shown(visit, hall, view, size)
        assert view.table is not None
        kinds = ("pile", "score", "caption")
        pictures = [
            thing
            for zone in view.table.zones
            for thing in zone.things
            if thing.kind not in kinds and zone.key != "board"
        ]
        assert page.evaluate(SHOWN) == len(pictures), (size, players)
        for wrong in (OVERLAP, OUTSIDE, THINGS_OVERLAP, CUT):
            assert page.evaluate(wrong) == [], (size, players)


def test_who_does_not_see_is_told_in_words(visit: Visit, hall: Hall) -> None:
    """A hidden card says that it lies face down and nothing else; a face, a die, a cube and checks
    have their names."""
    page = shown(visit, hall, invented("hands", 6))
    hidden = page.get_by_role("img", name="a card, face down")
    expect(hidden).to_have_count(25)
    assert set(hidden.evaluate_all("(all) => all.map((one) => one.innerHTML)")) == {""}
    for name in ("ace of hearts", "ten of spades", "king of diamonds", "two of clubs"):
        expect(page.get_by_role("img", name=name)).to_have_count(2)
    page = shown(visit, hall, invented("dice", 2))
    expect(page.get_by_role("img", name="a die: 6")).to_have_count(1)
    for name in ("a cube: III", "a cube: bell", "a cube, blank", "inn", "moon"):
        expect(page.get_by_role("img", name=name)).to_have_count(1)
    for drawn in ('.cube[aria-label="a cube: bell"]', '.picture-card[aria-label="inn"]'):
        expect(page.locator(f"{drawn} svg polygon")).not_to_have_count(0)
    expect(page.get_by_role("img", name="moon")).to_have_text("moon")
    page = shown(visit, hall, invented("checks", 2))
    first = page.get_by_role("table", name="Checks on: 2, 4, 6, 8, 10, 12, 14, 16")
    expect(first).to_have_count(1)
    expect(first.locator("td.covered")).to_have_count(8)


def test_a_debt_is_told_in_words_and_with_a_minus(visit: Visit, hall: Hall) -> None:
    """At the seat and in the middle; one who owes has nothing in his hand."""
    page = shown(visit, hall, invented("debts", 6))
    seat = page.locator('.seat[data-seat="1"]')
    expect(seat.get_by_role("img", name="debt: 1 fish, 2 counters")).to_contain_text("–")
    expect(seat.get_by_role("img", name="debt: 12.50")).to_have_text("–12.50")
    expect(seat.locator(".hand")).to_be_empty()
    expect(seat.locator(".lines .label")).to_have_text(["debt", "Purse, debt"])
    expect(page.locator(".felt-sums h2")).to_have_text(["Bank, debt", "Pot"])
    expect(page.locator('.seat[data-seat="2"] .hand')).to_have_text("4")


def test_every_language_has_a_name_for_each_card(visit: Visit, hall: Hall) -> None:
    """Each of the 52, and the back: all names differ, and no {name} is left in them."""
    page = shown(visit, hall, invented("hands", 2))
    for language in languages():
        names = page.evaluate(
            """async (words) => {
              const { cardName } = await import('/pages/things.js');
              const ranks = ['A', 'K', 'Q', 'J', '10', '9', '8', '7', '6', '5', '4', '3', '2'];
              const faces = [...'SHDC'].flatMap((suit) => ranks.map((rank) => rank + suit));
              return [...faces, ''].map((face) => cardName(face, words));
            }""",
            dict(load_wording(language).screen),
        )
        assert len({*names}) == 53, language
        assert not [name for name in names if "{" in name or "undefined" in name], language


def test_contrast_is_seven_to_one(visit: Visit, hall: Hall) -> None:
    """Text and its ground differ by 7:1 at least on all things: faces, marks, squares, lines."""
    for game, selectors in (
        ("hands", [".playing-card[data-suit=spades] b", ".playing-card[data-suit=hearts] b"]),
        (
            "dice",
            [
                ".cube",
                ".picture-card",
                ".seat .lines .value",
                ".felt h4",
                ".felt .lines [data-marked] .value",
            ],
        ),
        ("checks", [".check-card td", ".check-card td.covered"]),
        ("debts", [".seat .lines .label", ".lines [data-mood=bad] .value", ".pieces.owed"]),
        ("everything", [".seat h4", ".felt .lines .value", ".first-sum b"]),
    ):
        page = shown(visit, hall, invented(game, 6))
        for selector in selectors:
            assert contrast(page.locator(selector).first) >= 7, selector
