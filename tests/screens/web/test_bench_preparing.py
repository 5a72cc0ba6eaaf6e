"""Before an evening, at the bench: the knobs are counted, the machine tries itself, the sound is
turned off."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from station.wire.board_view import SayView, SignView
from tests.looking import until
from tests.screens.web import canned, ear
from tests.screens.web.conftest import Hall, Visit
from tests.screens.web.test_bench_page import CUT_OFF, bench, newest

pytestmark = pytest.mark.browser

EMPTY = {"plugged": True, "resting": []}


def census(
    active: bool, found: tuple[int, ...], *faults: str, away: tuple[int, ...] = ()
) -> dict[str, Any]:
    missing = [number for number in range(1, 91) if number not in (*found, *away)]
    told = {
        "active": active,
        "state": "faulty",
        "found": list(found),
        "missing": missing,
        "away": list(away),
    }
    return {**told, "faults": list(faults)}


def test_the_knobs_are_counted(visit: Visit, hall: Hall) -> None:
    """Begun by a button; those that passed are marked in the bag; the rest can be laid by one more
    button, each alone."""
    hall.bench(canned.bench(called=(), reader=EMPTY))
    page = bench(visit, hall)
    count = page.locator('[data-ready="census"]')
    expect(page.get_by_role("button", name="Lay the rest")).to_be_hidden()
    count.click()
    assert hall.asked() == {"hand": "do", "do": {"act": "census-begin", "go_on": False}}
    passed = tuple(range(1, 89))
    hall.bench(canned.bench(called=(), reader=EMPTY, census=census(True, passed)))
    expect(page.get_by_test_id("coach")).to_contain_text("Put each ball on the reader once")
    expect(page.get_by_test_id("progress")).to_have_text("Counted: 88 of 90.")
    expect(page.locator(".knob.counted")).to_have_count(88)
    page.get_by_role("button", name="Lay the rest").click()
    assert [hall.asked() for _ in range(5)] == [
        {"hand": "lift"},
        {"hand": "drop", "knob": 89},
        {"hand": "lift"},
        {"hand": "drop", "knob": 90},
        {"hand": "lift"},
    ]
    count.click()
    assert hall.asked() == {"hand": "do", "do": {"act": "census-end"}}


# The newest of what happened, as far as they can be read without scrolling.
READ = """() => {
  const { top, bottom } = document.querySelector('.roll').getBoundingClientRect();
  return [...document.querySelectorAll('.log li')].map((one) => one.getBoundingClientRect())
    .filter((one) => one.top >= top - 1 && one.bottom <= bottom + 1).length;
}"""


def test_what_just_happened_can_be_read_meanwhile(visit: Visit, hall: Hall) -> None:
    """With many cards, all buttons and the knobs being counted, three lines of it are in view, and
    nothing is cut off for that."""
    cards = [{**card, "mark": ""} for card in canned.CARDS] * 4
    scanners = {"scanner": {"plugged": True}}
    hall.bench(canned.bench(cards=cards, scanners=scanners, census=census(True, (1, 2))))
    page = bench(visit, hall)
    for count in range(1, 5):
        hall.show(canned.playing(canned.CALLED[:count], seq=900 + count))
        expect(page.locator(f'[data-seq="{900 + count}"]')).to_be_visible()
    hall.show(canned.between().model_copy(update={"seq": 910}))
    expect(page.locator('[data-act="close-night"]')).to_be_visible()
    for width, height in ((1280, 720), (1280, 800), (1366, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(READ) >= 3, (width, height)
        assert page.evaluate(CUT_OFF) == [], (width, height)


def test_what_a_count_came_to(visit: Visit, hall: Hall) -> None:
    """What is wrong is named, however long the list, and only that is counted again; those put away
    are not expected."""
    missing = "missing: " + ", ".join(map(str, range(3, 91)))
    hall.bench(canned.bench(census=census(False, (1, 2), missing)))
    page = bench(visit, hall)
    expect(page.get_by_test_id("progress")).to_contain_text("Counted: 2 of 90; missing: 3, 4, 5,")
    assert len(page.get_by_test_id("progress").inner_text()) < 120
    page.get_by_role("button", name="Recount the faulty balls").click()
    assert hall.asked() == {"hand": "do", "do": {"act": "census-begin", "go_on": True}}
    hall.bench(canned.bench(census=census(False, tuple(range(1, 91)))))
    expect(page.get_by_test_id("progress")).to_have_text("The balls are counted: 90 of 90.")
    expect(page.locator(".knob.counted")).to_have_count(0)
    hall.bench(canned.bench(census=census(False, tuple(range(1, 90)), away=(90,))))
    expect(page.get_by_test_id("progress")).to_have_text("The balls are counted: 89 of 89.")


def test_the_machine_is_tried(visit: Visit, hall: Hall) -> None:
    """What the self-test asks for is the coach's word; each thing tried is a line of the log; a
    fault is named at the end."""
    page = bench(visit, hall)
    page.get_by_role("button", name="Test the machine").click()
    assert hall.asked() == {"hand": "do", "do": {"act": "self-test-begin"}}
    parts: list[dict[str, Any]] = [
        {"what": "voice", "result": "good", "say": "the test word was played", "blocks": False}
    ]
    trial = {"active": True, "asks": "press the button claim", "parts": parts, "state": "none"}
    hall.bench(canned.bench(**{"self-test": trial}))
    expect(page.get_by_test_id("coach")).to_contain_text("press the button claim")
    expect(page.get_by_test_id("progress")).to_have_text("Testing: 1 done.")
    expect(newest(page)).to_have_text("Tried: voice. the test word was played")
    parts = [
        *parts,
        {
            "what": "button claim",
            "result": "fault",
            "say": "nothing came within 30 s",
            "blocks": False,
        },
    ]
    hall.bench(
        canned.bench(
            **{"self-test": {"active": False, "asks": "", "parts": parts, "state": "faulty"}}
        )
    )
    expect(page.get_by_test_id("progress")).to_have_text(
        "The self-test found a fault in: button claim."
    )
    expect(page.get_by_test_id("log").locator("li.news-trouble").first).to_have_text(
        "A fault: button claim. nothing came within 30 s"
    )
    hall.bench(canned.bench(**{"self-test": trial}))
    page.get_by_role("button", name="End the test").click()
    assert hall.asked() == {"hand": "do", "do": {"act": "self-test-end"}}


def test_a_card_is_held_before_a_scanner(visit: Visit, hall: Hall) -> None:
    """Where the machine has scanners, what is typed is scanned, by the one that is chosen; without
    one there is no such hand."""
    hall.bench(canned.bench())
    page = bench(visit, hall)
    expect(page.locator("#scan")).to_be_hidden()
    hall.bench(
        canned.bench(scanners={"scanner": {"plugged": True}, "scanner-till": {"plugged": True}})
    )
    code = page.get_by_label("A card's serial or code")
    code.press("Enter")
    code.fill("0007")
    page.get_by_label("Which scanner").select_option("scanner-till")
    page.get_by_role("button", name="Scan it").click()
    assert hall.asked() == {"hand": "scan", "code": "0007", "scanner": "scanner-till"}
    expect(newest(page)).to_have_text("You held 0007 before the scanner.")


@pytest.mark.parametrize("address", ["/bench", "/"])
def test_a_muted_hall_is_silent_on_the_pages_too(visit: Visit, hall: Hall, address: str) -> None:
    """While the sign says that the sound is off, what is played is not heard; afterwards it is
    again."""
    page = visit.page
    ear.put_in(page)
    page.goto(hall.url + address)
    expect(page.locator(f'.board[data-seq="{hall.core.view.seq}"]')).to_be_visible()
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    said = canned.playing(say=SayView(token=500, clips=("number.13",), text="Thirteen"), seq=500)
    for heard, signs in enumerate(
        ((SignView(device="sound", colour="amber", text="MUTED"),), ()), start=1
    ):
        view = said.model_copy(
            update={
                "signs": signs,
                "seq": 500 + heard,
                "say": said.say.model_copy(update={"token": heard}),
            }
        )
        hall.show(view)
        until(page, f"() => window.__ear.starts.length >= {heard}")
        assert ear.volume(page) == (0.0 if signs else 1.0)
