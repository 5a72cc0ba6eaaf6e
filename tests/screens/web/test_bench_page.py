"""The bench in a real browser: every part of the machine can be seen, and moved by hand."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from station.wire.board_view import AutoView, Phase, SayView, Verdict
from tests.looking import until
from tests.screens.web import canned, ear
from tests.screens.web.conftest import Hall, Visit, is_asked

pytestmark = pytest.mark.browser


def bench(visit: Visit, hall: Hall) -> Page:
    visit.page.goto(f"{hall.url}/bench")
    expect(visit.page.locator(f'.board[data-seq="{hall.core.view.seq}"]')).to_be_visible()
    looks_like(visit.page, hall)
    return visit.page


def looks_like(page: Page, hall: Hall) -> None:
    """Waits until the machine on the page is the one that the hands have now: its buttons, and
    where the knobs are."""
    bench = hall.hands.bench
    lying = bench["reader"]["resting"]
    expect(page.locator("#buttons .dome")).to_have_count(len(bench["buttons"]))
    expect(page.locator("[data-resting]")).to_have_text([str(number) for number in lying])
    expect(page.locator("#bag .knob:enabled")).to_have_count(len({*bench["bag"]} - {*lying}))


def newest(page: Page) -> Locator:
    """The newest line of the log."""
    return page.get_by_test_id("log").locator("li").first


def test_the_first_minute(visit: Visit, hall: Hall) -> None:
    """Told to press the big button, one presses it: the hand arrives, and the call is seen, read
    out as text and logged."""
    hall.show(canned.playing(()))
    page = bench(visit, hall)
    expect(page.get_by_test_id("coach")).to_contain_text("Press the big button")
    # In a game for the hall nothing of a company at a table is in the way.
    for one in ("company", "seats", "buzzers"):
        expect(page.get_by_test_id(one)).to_be_hidden()
    hall.hands.on_press = lambda button: hall.core.show(canned.playing((42,)))
    page.locator('[data-button="draw"]').click()
    assert hall.asked() == {"hand": "press", "button": "draw"}
    expect(page.get_by_test_id("last")).to_have_text("42")
    expect(page.get_by_test_id("said")).to_have_text("Forty-two")
    log = page.get_by_test_id("log")
    expect(log).to_contain_text("You pressed the Draw button.")
    expect(log).to_contain_text("42 was called.")
    expect(page.get_by_test_id("coach")).to_contain_text("Press again")
    # One press, one hand: the next thing that arrives is the next thing done.
    page.locator("[data-resting]").click()
    assert hall.asked() == {"hand": "lift"}


def test_buttons_work_from_the_keyboard(visit: Visit, hall: Hall) -> None:
    """One press of the key is one press of the button."""
    hall.bench(canned.bench(reader={"plugged": True, "resting": []}))
    page = bench(visit, hall)
    for key, button in (("Enter", "draw"), ("Space", "claim"), ("Enter", "next")):
        page.locator(f'[data-button="{button}"]').focus()
        page.keyboard.press(key)
        assert hall.asked() == {"hand": "press", "button": button}
    page.locator('[data-hand="foreign"]').click()
    assert hall.asked() == {"hand": "foreign"}


def test_lamps_and_leds_are_what_the_machine_shows(visit: Visit, hall: Hall) -> None:
    """Lamps follow the hands' look; every LED of the picture is lit on the canvas, and no other
    is."""
    page = bench(visit, hall)
    hall.bench(canned.bench(lamps={"draw": "off", "claim": "blink", "next": "on"}))
    for name, lamp in {"draw": "off", "claim": "blink", "next": "on"}.items():
        expect(page.locator(f'[data-button="{name}"]')).to_have_attribute("data-lamp", lamp)
    for numbers in ((13, 30, 7), canned.CALLED[-10:], ()):
        picture = canned.matrix(numbers)
        hall.bench(
            canned.bench(
                matrix=picture, bag=[len(numbers) + 1], reader={"plugged": True, "resting": []}
            )
        )
        left = page.locator(".knob:not(.gone)[data-knob]")
        expect(left).to_have_count(1)
        expect(left).to_have_attribute("data-knob", str(len(numbers) + 1))
        assert leds(page) == picture
    # Between two cavities lies a bar of wood, as wide as the column of LEDs that it hides.
    wood = page.locator("#matrix").evaluate(
        "(canvas) => { const row = canvas.getContext('2d').getImageData(0, 100, canvas.width, 1);"
        " return [...Array(canvas.width).keys()].filter((x) => row.data[4 * x] === 0x7a"
        " && row.data[4 * x + 1] === 0x4a); }"
    )
    assert wood == [x for bar in range(7, 79, 8) for x in range(bar * 16, bar * 16 + 16)]


FULL = canned.bench(
    buttons=["draw", "claim", "next", "claim-2", "undo", "repeat", "auto", "mute", "off"],
    lamps={"draw": "on", "claim-2": "on", "beacon": "on", "fault": "off"},
    knob=True,
)


def test_every_button_of_the_machine_is_there(visit: Visit, hall: Hall) -> None:
    """All the profile's buttons by name; signs that stand alone; the off button is held; the knob
    for the pace is turned."""
    hall.bench(FULL)
    page = bench(visit, hall)
    expect(page.locator("#buttons .dome")).to_have_text(
        ["Draw", "Claim", "Next", "Claim 2", "Undo", "Repeat", "Auto", "Mute", "Off"]
    )
    expect(page.locator("#buttons .sign-lamp")).to_have_text(["Beacon", "Fault"])
    expect(page.locator('[data-button="beacon"]')).to_have_attribute("data-lamp", "on")
    page.locator('[data-button="off"]').click()
    asked = hall.asked()
    assert (asked["hand"], asked["button"]) == ("press", "off")
    assert asked["ms"] > 3000, "shorter, it is no long press"
    page.get_by_role("button", name="Turn the knob for the pace: +").click()
    assert hall.asked() == {"hand": "turn", "steps": 1}


def test_a_station_that_was_switched_off_says_so(visit: Visit, hall: Hall) -> None:
    """When it goes after its last words, that is no fault: the page says how it is switched on
    again."""
    page = bench(visit, hall)
    hall.show(
        canned.playing().model_copy(
            update={"say": SayView(token=9, clips=("switching-off",), text="Switching off.")}
        )
    )
    expect(page.get_by_test_id("said")).to_have_text("Switching off.")
    hall.loop.run(hall.core.close())
    expect(page.get_by_test_id("coach")).to_contain_text("The station is switched off")
    hall.loop.run(hall.core.open())
    expect(page.get_by_test_id("stale")).to_be_hidden()


FLAT = (
    "position: fixed; inset: 0; z-index: 99; width: 1280px; height: 256px; max-height: none;"
    " border: 0; border-radius: 0; aspect-ratio: auto"
)


def leds(page: Page) -> list[str]:
    """The LED board, read from the pixels of a screenshot: the red of each LED's middle."""
    page.locator("#matrix").evaluate("(canvas, style) => { canvas.style.cssText = style; }", FLAT)
    shot: Any = np.asarray(
        Image.open(io.BytesIO(page.locator("#matrix").screenshot())).convert("RGB")
    )
    page.locator("#matrix").evaluate("(canvas) => { canvas.style.cssText = ''; }")
    # Ten cavities of eight columns, sixteen pixels an LED; the page made them 1280 pixels wide.
    red = shot[:, :, 0].astype(int)
    lines = []
    for row in range(16):
        middles = [red[row * 16 + 8, column * 16 + 8] for column in range(80)]
        lines.append("".join("#" if middle > 160 else "." for middle in middles))
    return lines


def test_a_board_of_two_rows_in_colour(visit: Visit, hall: Hall) -> None:
    """As many LEDs as the picture has, in their colours, the ten cavities in two rows of five."""
    page = bench(visit, hall)
    rows = [["."] * 80 for _ in range(32)]
    rows[0][0], rows[15][79], rows[16][16], rows[31][40] = "#aab"
    picture = {
        "matrix": ["".join(row) for row in rows],
        "colours": {"#": "#ff0000", "a": "#00ff00", "b": "#0000ff"},
    }
    hall.bench(canned.bench(**picture, bag=[7]))
    expect(page.locator(".knob:not(.gone)[data-knob]")).to_have_count(1)
    canvas = page.locator("#matrix")
    assert canvas.evaluate("(canvas) => [canvas.width, canvas.height]") == [80 * 16, 32 * 16]
    # Sixteen pixels an LED, and no bar: the gaps part the numbers. Not the very middle, which is
    # almost white.
    places = [
        (column * 16 + 12, row * 16 + 8) for column, row in ((0, 0), (79, 15), (16, 16), (40, 31))
    ]
    # Only what is looked at leaves the page: all the pixels, as JSON, take twenty seconds.
    seen = canvas.evaluate(
        "(canvas, places) => { const all = canvas.getContext('2d').getImageData(0, 0, canvas.width,"
        " canvas.height).data; return places.map(([x, y]) => [...all.slice(4 * (y * canvas.width +"
        " x)).slice(0, 3)]); }",
        places,
    )
    assert [max(range(3), key=colour.__getitem__) for colour in seen] == [0, 1, 1, 2]


def test_a_knob_is_dropped_by_a_click_and_lifted_by_another(visit: Visit, hall: Hall) -> None:
    """The knob leaves the bag, lies on the reader, and the one that lay there is taken away
    first."""
    page = bench(visit, hall)
    expect(page.locator("[data-resting]")).to_have_text("11")
    page.locator('[data-knob="44"]').click()
    assert [hall.asked(), hall.asked()] == [{"hand": "lift"}, {"hand": "drop", "knob": 44}]
    expect(page.locator("[data-resting]")).to_have_text("44")
    expect(page.locator('[data-knob="44"]')).to_be_disabled()
    page.locator("[data-resting]").click()
    assert hall.asked() == {"hand": "lift"}
    expect(page.locator("[data-resting]")).to_have_count(0)
    expect(page.locator('[data-knob="44"]')).to_be_enabled()


def test_a_knob_is_dropped_by_dragging_it_onto_the_reader_only(visit: Visit, hall: Hall) -> None:
    """Let go over the reader it is read; let go anywhere else it falls back into the bag."""
    hall.bench(canned.bench(reader={"plugged": True, "resting": []}))
    page = bench(visit, hall)
    drag(page, page.locator('[data-knob="3"]'), page.locator("#log"))
    drag(page, page.locator('[data-knob="8"]'), page.get_by_test_id("reader"))
    assert hall.asked() == {"hand": "drop", "knob": 8}
    expect(page.locator("[data-resting]")).to_have_text("8")


def drag(page: Page, what: Locator, where: Locator) -> None:
    start, end = what.bounding_box(), where.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


def test_the_bag_is_walked_with_the_arrow_keys(visit: Visit, hall: Hall) -> None:
    """One stop of the Tab key for all knobs; the arrows go on from there and step over the drawn
    ones."""
    hall.bench(canned.bench(reader={"plugged": True, "resting": []}))
    page = bench(visit, hall)
    page.locator('[data-knob="1"]').focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator('[data-knob="23"]')).to_be_focused()
    page.keyboard.press("Enter")
    assert hall.asked() == {"hand": "drop", "knob": 23}
    assert page.locator('.bag [tabindex="0"]').count() == 1


def test_every_fault_can_be_made_and_mended(visit: Visit, hall: Hall) -> None:
    """Each fault's button sends its hand, shows that it is broken, and then offers to mend it."""
    hall.bench(canned.bench(reader={"plugged": True, "resting": []}))
    page = bench(visit, hall)
    for testid, breaks, mends, more in (
        ("cable", "unplug", "plug", {"device": "reader"}),
        ("stuck", "hold", "release", {"button": "draw"}),
        ("disk", "fill-disk", "free-disk", {}),
    ):
        for hand in (breaks, mends):
            expect(page.get_by_test_id(testid)).to_have_attribute("data-hand", hand)
            page.get_by_test_id(testid).click()
            assert hall.asked() == {"hand": hand, **more}
        expect(page.get_by_test_id(testid)).to_have_attribute("data-hand", breaks)
    for hand, more in (
        ("bounce", {"button": "draw"}),
        ("kill", {"device": "speech"}),
        ("foreign", {}),
    ):
        page.locator(f'[data-hand="{hand}"]').click()
        assert hall.asked() == {"hand": hand, **more}
    expect(page.get_by_test_id("said")).to_contain_text("stopped")
    hall.bench(canned.bench())
    expect(page.get_by_test_id("log")).to_contain_text("The voice is back.")


def test_faults_of_knobs_use_knobs_of_the_bag(visit: Visit, hall: Hall) -> None:
    """Two knobs at once are two different ones of the bag; a damaged one is of the bag too."""
    hall.bench(canned.bench(bag=[4, 8, 15], reader={"plugged": True, "resting": []}))
    page = bench(visit, hall)
    page.locator('[data-hand="two"]').click()
    asked = hall.asked()
    assert asked["hand"] == "two"
    assert len(set(asked["knobs"])) == 2
    assert set(asked["knobs"]) < {4, 8, 15}
    expect(page.locator("[data-resting]")).to_have_count(2)
    page.locator('[data-hand="damage"]').click()
    assert hall.asked() == {"hand": "lift"}
    asked = hall.asked()
    assert asked == {"hand": "damage", "knob": asked["knob"]}
    assert asked["knob"] in {4, 8, 15}


def test_the_callers_orders_and_their_refusals(visit: Visit, hall: Hall) -> None:
    """Each order is sent as a command; when it is refused, the station's sentence is the newest
    line of the log."""
    page = bench(visit, hall)
    for act in ("open", "play-on", "repeat", "undo", "close"):
        hall.hands.refusals[act] = f"Not now: {act}."
        page.locator(f'[data-act="{act}"]').click()
        why = {"why": "tried at the bench"} if act == "undo" else {}
        assert hall.asked() == {"hand": "do", "do": {"act": act, **why}}
        expect(newest(page)).to_have_text(f"Not now: {act}.")


def test_what_cannot_be_taken_back_is_asked_first(visit: Visit, hall: Hall) -> None:
    """A dialog says what would be lost, as text; Enter, Escape and the button leave it; done, it
    goes with what was seen."""
    page = bench(visit, hall)
    hall.hands.questions["close"] = "3 <b>prizes</b> are not won: £24.00 goes to the next game"
    close = page.locator('[data-act="close"]')
    for leave in ("Enter", "Escape", "click"):
        close.click()
        assert hall.asked() == {"hand": "do", "do": {"act": "close"}}
        dialog = is_asked(page, "3 <b>prizes</b> are not won: £24.00 goes to the next game.")
        if leave == "click":
            dialog.get_by_role("button", name="Cancel").click()
        else:
            page.keyboard.press(leave)
        expect(dialog).to_have_count(0)
        expect(newest(page)).to_have_text("Cancelled. Nothing was done.")
        expect(close).to_be_focused()
    close.click()
    assert hall.asked() == {"hand": "do", "do": {"act": "close"}}
    dialog = is_asked(page, "3 <b>prizes</b> are not won: £24.00 goes to the next game.")
    page.keyboard.press("Shift+Tab")
    expect(dialog.get_by_role("button", name="Do it")).to_be_focused()
    page.keyboard.press("Enter")
    assert hall.asked() == {"hand": "do", "do": {"act": "close"}, "seen": "57", "sure": True}
    expect(dialog).to_have_count(0)


def test_one_night_after_another(visit: Visit, hall: Hall) -> None:
    """Between games the night may be closed, once it is closed the next one begun: each button is
    there when it can be done."""
    page = bench(visit, hall)
    close, begin = (page.locator(f'[data-act="{act}"]') for act in ("close-night", "next-night"))
    expect(close).to_be_hidden()
    expect(begin).to_be_hidden()
    hall.show(canned.between())
    expect(close).to_be_visible()
    expect(page.get_by_test_id("coach")).to_contain_text("the next game opens")
    hall.show(canned.between().model_copy(update={"coming": ()}))
    expect(page.get_by_test_id("coach")).to_contain_text("Close the night")
    close.click()
    assert hall.asked() == {"hand": "do", "do": {"act": "close-night"}}
    hall.show(canned.between().model_copy(update={"coming": (), "phase": Phase.CLOSED}))
    expect(close).to_be_hidden()
    expect(page.get_by_test_id("coach")).to_contain_text("the next night begins")
    begin.click()
    assert hall.asked() == {"hand": "do", "do": {"act": "next-night"}}
    expect(begin).to_have_class(re.compile("due"))


def test_automatic_calling_starts_stops_and_changes_pace(visit: Visit, hall: Hall) -> None:
    """The switch and the slider send `auto`; the slider only while it runs; both show what the
    station says."""
    page = bench(visit, hall)
    page.locator("#pace").fill("3")
    page.locator("#auto").check()
    assert hall.asked() == {"hand": "do", "do": {"act": "auto", "on": True, "pace": 3}}
    hall.show(canned.playing(auto=AutoView(on=True, pace=3)))
    page.locator("#pace").fill("9.5")
    assert hall.asked() == {"hand": "do", "do": {"act": "auto", "on": True, "pace": 9.5}}
    expect(page.locator("#pace-text")).to_contain_text("9.5")
    hall.show(canned.playing(auto=AutoView(on=False, pace=4), seq=900))
    expect(page.locator('[data-seq="900"]')).to_be_visible()
    expect(page.locator("#auto")).not_to_be_checked()


def test_players_mark_notice_and_claim(visit: Visit, hall: Hall) -> None:
    """Marks follow the calls; who has it is pointed out as the station says; a claim is sent, its
    verdict shown and logged."""
    page = bench(visit, hall)
    bruno, coach = page.locator('[data-serial="0002"]'), page.get_by_test_id("coach")
    assert [int(text) for text in bruno.locator("td.marked").all_inner_texts()] == [
        7,
        19,
        42,
        63,
        88,
    ]
    expect(bruno.locator("small")).to_have_text("0002 · too late")  # another number came
    expect(page.locator(".has-it")).to_have_count(0)
    expect(coach).to_contain_text("Keep calling")
    hall.bench(canned.pointing_out("0002"))
    expect(coach).to_contain_text("Bruno has it: press Claim! on card 0002")
    expect(page.locator(".has-it")).to_have_attribute("data-serial", "0002")
    page.get_by_role("button", name="Claim! 0002 Bruno").click()
    assert hall.asked() == {"hand": "do", "do": {"act": "claim", "serial": "0002"}}
    # While the hall waits, whoever else has it on this number comes first.
    hall.show(
        canned.stopped(
            canned.claim(Verdict.NOT_COMPLETE, "Not valid: 50 and 76 were not called.", (50, 76))
        )
    )
    expect(page.get_by_test_id("log")).to_contain_text(
        "Card 0001: Not valid: 50 and 76 were not called."
    )
    expect(coach).to_contain_text("Bruno has it")
    hall.bench(canned.bench())
    expect(coach).to_contain_text("press Play on")


def test_nobody_is_told_to_go_on_by_a_bench_that_is_behind(visit: Visit, hall: Hall) -> None:
    """A call that is on the board and not on the bench yet leaves the advice as it was; so do cards
    still being looked at."""
    hall.show(canned.playing((), seq=40))
    page = bench(visit, hall)
    coach = page.get_by_test_id("coach")
    expect(coach).to_contain_text("Press the big button")
    hall.bench(canned.bench(seq=40))
    hall.show(canned.playing(seq=58))
    expect(page.locator('.board[data-seq="58"]')).to_be_visible()
    expect(coach).to_contain_text("Press the big button")
    hall.bench(canned.bench(seq=58, winners=None, bag=[4]))
    looks_like(page, hall)
    expect(coach).to_contain_text("Press the big button")
    hall.bench(canned.bench(seq=58))
    expect(coach).to_contain_text("Keep calling")


def test_all_players_are_named_and_cards_come_and_go(visit: Visit, hall: Hall) -> None:
    """Each player with how many cards; a card that comes in is seen although the list stood
    elsewhere; the others stay."""
    page = bench(visit, hall)
    players = page.get_by_test_id("players")
    expect(players).to_have_text("Players: Anna 1 · Bruno 1 · Clara 1 · Dev 1 · Elsa 1 · Farid 1")
    told = {"named": [["Anna", 3], ["Ben", 2]], "more": 7, "nobody": 4, "tickets": 60}
    many = [
        {**card, "serial": f"01{place}{card['serial'][-1]}", "mark": ""}
        for place in range(4)
        for card in canned.CARDS
    ]
    page.locator('[data-serial="0001"] button').evaluate(
        "(button) => { button.dataset.same = 'same'; }"
    )
    one = {"serial": "0020", "holder": None, "rows": canned.CARDS[0]["rows"], "mark": "has"}
    cards = [*canned.bench()["cards"], *many, one]
    hall.bench(
        canned.bench(players=told, cards=cards, winners=[{"serial": "0020", "holder": None}])
    )
    expect(players).to_have_text(
        "Players: Anna 3 · Ben 2 · and 7 more · no name: 4 · bought-in tickets: 60"
    )
    expect(page.get_by_test_id("coach")).to_have_text("Card 0020 has it: press its Claim!")
    expect(page.locator('[data-serial="0020"] button')).to_be_in_viewport(ratio=1)
    expect(page.locator(".cards .player")).to_have_count(len(cards))
    expect(page.locator('[data-serial="0001"] [data-same]')).to_have_count(1)
    hall.bench(canned.bench(cards=[], players={"named": [], "more": 0, "nobody": 0, "tickets": 0}))
    expect(page.locator("#cards")).to_have_text("No card is sold for this game.")
    expect(players).to_be_hidden()


def test_a_refused_press_leaves_a_word(visit: Visit, hall: Hall) -> None:
    """Each press that does nothing is answered in the log, once: what the board says already is not
    said again."""
    page = bench(visit, hall)
    log = page.get_by_test_id("log").locator("li.news-refused")
    say = "a number is being called: wait until it was heard"
    hall.bench(canned.bench(refused={"count": 1, "say": say}))
    expect(newest(page)).to_have_text("A number is being called: wait until it was heard")
    hall.bench(canned.bench(refused={"count": 1, "say": say}, bag=[3]))
    looks_like(page, hall)
    expect(log).to_have_count(1)
    page.locator('[data-button="draw"]').click()
    hall.bench(canned.bench(refused={"count": 2, "say": say}))
    expect(log).to_have_count(2)
    hall.show(canned.playing(notice="Game 1 is open: close it first"))
    expect(newest(page)).to_contain_text("close it first")
    hall.bench(canned.bench(refused={"count": 3, "say": "game 1 is open: close it first"}, bag=[5]))
    looks_like(page, hall)
    expect(
        page.get_by_test_id("log").locator("li").filter(has_text="close it first")
    ).to_have_count(1)


def test_an_empty_bag_is_no_reason_to_keep_calling(visit: Visit, hall: Hall) -> None:
    """All ninety are called and a prize is left: the game is closed."""
    hall.show(canned.playing(tuple(range(1, 91))))
    page = bench(visit, hall)
    expect(page.get_by_test_id("coach")).to_have_text(
        "The bag is empty. Press Next: the game closes."
    )


def test_what_assistive_technology_is_told(visit: Visit, hall: Hall) -> None:
    """The slider has a name, lists are lists, and what is new is announced by what is around
    them."""
    hall.show(canned.troubled())
    page = bench(visit, hall)
    expect(page.get_by_role("slider", name="Seconds from call to call")).to_be_visible()
    log = page.get_by_role("log", name="What just happened")
    hall.bench(canned.bench(refused={"count": 1, "say": "not now"}))
    expect(log.get_by_role("list").get_by_role("listitem").first).to_have_text("Not now")
    signs = page.get_by_role("status").get_by_role("list").get_by_role("listitem")
    expect(signs.filter(has_text="The reader is unplugged")).to_be_visible()


def test_a_new_game_takes_nothing_back(visit: Visit, hall: Hall) -> None:
    """A call that is gone from its game is logged as taken back; one that is gone because another
    game began is not."""
    page = bench(visit, hall)
    log = page.get_by_test_id("log")
    hall.show(canned.playing(called=canned.CALLED[:-1]))
    expect(log).to_contain_text("11 was taken back.")
    second = canned.playing().game.model_copy(update={"number": 2})
    for called in ((), (90,)):
        hall.show(canned.playing(called=called, game=second))
        # A page that is behind gets the newest view only.
        expect(page.locator(f'.board[data-seq="{hall.core.view.seq}"]')).to_be_visible()
    expect(log).to_contain_text("90 was called.")
    expect(log.locator("li").filter(has_text="was taken back.")).to_have_count(1)


def test_the_bench_speaks(visit: Visit, hall: Hall) -> None:
    """After its button the loudspeaker plays what the station says."""
    page = visit.page
    ear.put_in(page)
    bench(visit, hall)
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    hall.show(
        canned.playing(
            say=SayView(token=500, clips=("number.13", "number.30"), text="Thirteen thirty")
        )
    )
    until(page, "() => window.__ear.starts.length >= 2")
    assert [one.clip for one in ear.heard(page)] == ["number.13", "number.30"]


def test_the_bench_says_when_the_station_is_gone(visit: Visit, hall: Hall) -> None:
    """Without a core: STALE on the screen, the way back in the coach's words, the fact in the log;
    and all well afterwards."""
    page = bench(visit, hall)
    hall.loop.run(hall.core.close())
    expect(page.get_by_test_id("coach")).to_contain_text("./loto run")
    expect(newest(page)).to_have_text("The station does not answer.")
    hall.loop.run(hall.core.open())
    expect(page.get_by_test_id("stale")).to_be_hidden()
    expect(page.get_by_test_id("log")).to_contain_text("The station answers.")


def test_the_whole_machine_is_on_one_page(visit: Visit, hall: Hall) -> None:
    """A laptop and a large screen show it without scrolling; a phone never scrolls sideways."""
    hall.bench(FULL)
    page = bench(visit, hall)
    for width, height in ((1440, 900), (1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        wide, high = page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert wide <= width
        if width > 1000:
            assert high <= height
            assert page.evaluate(CUT_OFF) == []


# What stands in a panel but is cut off by it; the log and the cards may scroll.
CUT_OFF = """() => [...document.querySelectorAll(".panel")].filter((panel) => {
    const box = panel.getBoundingClientRect();
    return [...panel.querySelectorAll("button, p, canvas, h2")].some((one) => {
        const inner = one.getBoundingClientRect();
        const over = inner.bottom > box.bottom + 1 || inner.right > box.right + 1;
        return inner.width > 0 && !one.closest(".cards, .log") && over;
    });
}).map((panel) => panel.className)"""


def test_the_token_leaves_the_address_bar(visit: Visit, hall: Hall) -> None:
    """What was in the address is not left there to be read or bookmarked."""
    visit.page.goto(f"{hall.url}/bench?token=s3cret")
    expect(visit.page.locator('[data-button="draw"]')).to_be_visible()
    assert visit.page.url == f"{hall.url}/bench"
