"""A company on the bench: its host's buttons, its cards with their counters, and a row of buzzers
for the race."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from station.games.loto_second import rules as loto_second
from station.games.spoil_five import cards as spoil_five
from station.night.table.choices import plain_moves
from station.wire.board_view import BoardView, Phase
from tests import tables
from tests.invented import GAMES, invented
from tests.screens.web import canned
from tests.screens.web.conftest import Hall, Visit
from tests.screens.web.test_bench_page import looks_like

pytestmark = pytest.mark.browser

# How many of the board's cavities, with their knobs, lie over the one before.
CAVITIES_OVERLAP = """() => [...document.querySelectorAll('.board .cavities li')]
  .map((one) => one.getBoundingClientRect())
  .filter((box, index, all) => index % 5 && box.left < all[index - 1].right - 0.5).length"""


def bench(visit: Visit, hall: Hall, view: BoardView, **table: Any) -> Page:
    """The bench with a company: what `hands.sock` says of it stands in `table`."""
    view = view.model_copy(update={"seq": hall.core.view.seq + 1})
    hall.show(view)
    look = {"coming": False, "company": 6, "racing": False, "moves": [], **table}
    boxes = {"buzzers": {"lines": list(range(1, 25)), "down": [2], "plugged": True}}
    hall.bench(canned.bench(view.called, table=look, cards=[], buzzers=boxes))
    visit.page.goto(f"{hall.url}/bench")
    expect(visit.page.locator(f'.board[data-seq="{view.seq}"]')).to_be_visible()
    looks_like(visit.page, hall)
    return visit.page


def done(hall: Hall) -> Any:
    """The next act that was asked for."""
    return hall.asked()["do"]


def host(page: Page, name: str) -> None:
    """Presses one of the host's buttons; only those that are due are there."""
    expect(page.get_by_test_id("company").locator("button:visible")).to_have_count(
        2 if name in ("agree", "finish") else 1
    )
    page.locator(f'[data-host="{name}"]').click()


def test_a_company_is_seated_and_led(visit: Visit, hall: Hall) -> None:
    """What is due is a button, and told: six sit down, the bag is counted as it is, the drawing
    settled, an offer answered."""
    between = tables.view(tables.company(6), phase=Phase.BETWEEN, table=None)
    page = bench(visit, hall, between, coming=True, company=0)
    coach = page.get_by_test_id("coach")
    expect(coach).to_contain_text("Press Sit six down")
    host(page, "sit")
    players = done(hall)["players"]
    assert [player["name"] for player in players] == [
        "Anna",
        "Bruno",
        "Carla",
        "Dario",
        "Elena",
        "Fabio",
    ]
    assert all(player["simulated"] for player in players)
    hall.bench(canned.bench((), table={"coming": True, "company": 6, "racing": False}))
    expect(coach).to_contain_text("Press the big button to shuffle and deal.")

    page = bench(visit, hall, tables.view(tables.company(6), press="shake"))
    expect(coach).to_contain_text("Count the balls and shake the bag")
    host(page, "shake")
    assert done(hall) == {"act": "shake", "counted": 90}

    full = tables.drawn(tables.company(6), 10)
    page = bench(visit, hall, tables.view(full, press="move"), moves=plain_moves(full))
    expect(coach).to_contain_text("the lines are paid now: press the big button")
    seats = page.get_by_test_id("seats").locator(".player")
    expect(seats).to_have_count(6)
    first = full.state.taken[0]
    expect(seats.first.locator("td.marked")).to_have_count(
        sum(len(full.state.covered(serial)) for serial in first)
    )
    host(page, "settle")
    assert done(hall) == {"act": "move", "move": {"do": "settle"}}
    # The next drawing begins with an empty board: nothing was taken back.
    hall.show(tables.view(tables.settled(full), seq=41, press="shake"))
    expect(coach).to_contain_text("Count the balls and shake the bag")
    expect(page.get_by_test_id("log")).not_to_contain_text("taken back")

    mine, theirs = first[0], full.state.taken[1][0]
    offered = tables.played(tables.company(6), loto_second.Exchange(1, mine, 2, theirs))
    page = bench(visit, hall, tables.view(offered), moves=plain_moves(offered))
    expect(coach).to_contain_text("will you give card")
    host(page, "agree")
    assert done(hall) == {"act": "move", "move": {"do": "agree"}}


@pytest.mark.parametrize("game", GAMES)
def test_things_of_any_game_lie_before_the_players(visit: Visit, hall: Hall, game: str) -> None:
    """Each thing in its player's place, in words what has letters; a move of any verb is a
    button."""
    view = invented(game, 3)
    page = bench(visit, hall, view, moves=["pass"])
    assert view.table is not None
    for seat in (1, 2, 3):
        things = [thing for zone in view.table.zones if zone.seat == seat for thing in zone.things]
        shown = page.locator(f'.player[data-seat="{seat}"]')
        pictures = shown.locator(".things .rows > *, .card")
        expect(pictures).to_have_count(
            len([one for one in things if one.kind not in ("pile", "score", "caption")])
        )
        for one in things:
            if one.kind == "caption":
                expect(shown).to_contain_text(one.text)
    assert page.evaluate(CAVITIES_OVERLAP) == 0
    host(page, "pass")
    assert done(hall) == {"act": "move", "move": {"do": "pass"}}


def test_buzzers_are_pressed_by_hand_and_by_key(visit: Visit, hall: Hall) -> None:
    """In a race there are twenty-four, those of empty seats are grey; a press is one press, and
    typing a code is none."""
    race = tables.drawn(tables.company(6, "loto-parlour", stake=100, answering="first"), 3)
    page = bench(visit, hall, tables.view(race, press="draw"), racing=True)
    expect(page.get_by_test_id("coach")).to_contain_text("Press a buzzer, or its key")
    buzzers = page.get_by_test_id("buzzers").locator("button")
    expect(buzzers).to_have_count(24)
    expect(buzzers.locator("visible=true")).to_have_count(24)
    expect(page.locator(".buzzers .nobody")).to_have_count(18)
    expect(page.locator(".buzzers .down")).to_have_attribute("data-buzzer", "2")
    page.get_by_role("button", name="Buzzer of seat 3, Carla").click()
    assert hall.asked() == {"hand": "buzz", "lines": [3]}
    for key, line in (("1", 1), ("9", 9), ("a", 10), ("o", 24)):
        page.keyboard.press(key)
        assert hall.asked() == {"hand": "buzz", "lines": [line]}
    hall.bench({**hall.hands.bench, "scanners": {"scanner": {"plugged": True}}})
    page.get_by_label("A card's serial or code").press_sequentially("1a")
    buzzers.first.press("Enter")
    assert hall.asked() == {"hand": "buzz", "lines": [1]}


def test_dice_are_thrown_into_the_tower(visit: Visit, hall: Hall) -> None:
    """What lies there is drawn; a throw, all that goes wrong with one, and the cable are buttons,
    which keep the focus; where no game has dice there is no tower."""
    page = bench(visit, hall, invented(next(iter(GAMES)), 3))
    tower = page.get_by_test_id("tower")
    expect(tower).to_be_hidden()

    def lies(what: str, **changes: Any) -> None:
        told = {"plugged": True, "lies": what, "due": "cubes", "count": 8, **changes}
        hall.bench({**hall.hands.bench, "tower": told})

    lies("N")
    expect(tower).to_contain_text("Nothing was thrown yet.")
    tower.get_by_role("button", name="Throw", exact=True).press("Enter")
    assert hall.asked() == {"hand": "throw"}
    expect(page.get_by_test_id("log")).to_contain_text("You threw into the dice tower.")
    lies("MB0300000")
    expect(tower.locator(".cube")).to_have_count(8)
    names = tower.locator(".cube").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert names[:3] == ["a cube: bell", "a cube, blank", "a cube: 3"]
    expect(tower.get_by_role("button", name="Throw", exact=True)).to_be_focused()
    lies("D36", due="", count=0)
    expect(tower.locator(".die")).to_have_count(2)
    for name, fault in (
        ("Throw one askew", "askew"),
        ("Throw one off", "missing"),
        ("Touch the throw", "touched"),
    ):
        tower.get_by_role("button", name=name).click()
        assert hall.asked() == {"hand": "throw", "fault": fault}
    lies("C")
    expect(tower).to_contain_text("One leans on another.")
    tower.get_by_role("button", name="Unplug the tower").click()
    assert hall.asked() == {"hand": "unplug-tower"}
    lies("C", plugged=False)
    tower.get_by_role("button", name="Plug the tower in").click()
    assert hall.asked() == {"hand": "plug-tower"}
    looks_like(page, hall)


def test_without_a_race_there_are_no_buzzers(visit: Visit, hall: Hall) -> None:
    """A row of dead buttons would only puzzle; and their keys press nothing."""
    page = bench(visit, hall, tables.view(tables.drawn(tables.company(6), 3)))
    expect(page.get_by_test_id("buzzers")).to_be_hidden()
    page.keyboard.press("3")
    page.locator("[data-resting]").click()
    assert hall.asked() == {"hand": "lift"}


def test_real_cards_are_laid_in_the_place_of_the_bag(visit: Visit, hall: Hall) -> None:
    """The pack's next card, two at once, and one of another pack; what was dealt to a player stays
    with him, to be laid again."""
    game = tables.company(2, "spoil-five", stake=20, playing_cards="real")
    page = bench(visit, hall, tables.view(game), real=True)
    expect(page.locator("#bag")).to_be_hidden()
    deal = page.locator('[data-cards="next-card"]')
    deal.click()
    asked = hall.asked()
    assert asked["hand"] == "drop"
    face = asked["card"]
    assert hall.asked() == {"hand": "lift", "card": face}
    dealt = tables.played(game, spoil_five.DealCard((face,)))
    hall.show(tables.view(dealt, seq=10_002))
    hall.bench(canned.bench((), table={"company": 2, "real": True}))
    mine = page.locator('[data-hand-of="1"] [data-card]')
    expect(mine).to_have_attribute("data-card", face)
    page.locator('[data-hand="two"]').click()
    two = hall.asked()
    assert (two["hand"], len({*two["cards"], face})) == ("two", 3)
    page.locator('[data-cards="other-pack"]').click()
    assert hall.asked() == {"hand": "drop", "card": "AS", "pack": "red"}
    assert hall.asked() == {"hand": "lift", "card": "AS", "pack": "red"}
    mine.click()
    assert hall.asked() == {"hand": "drop", "card": face}
