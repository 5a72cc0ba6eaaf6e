"""What a page speaks after it slept, after its line was down, and when calls come faster than they
can be spoken: the newest, and nothing that is old by then."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from station.wire.board_view import AutoView, SayView
from tests.looking import until
from tests.screens.web import canned, ear
from tests.screens.web.conftest import Hall, Visit

pytestmark = pytest.mark.browser

CHOOSE = """async ([waiting, now, pace]) =>
  (await import("/pages/saying.js")).nextToSay(waiting, now, pace)"""
ARRIVALS = """async (times) => {
  const { arrival } = await import("/pages/saying.js");
  const all = [];
  times.reduce((before, at) => all[all.push(arrival(before, at)) - 1], { at: 0, late: false });
  return all.map(({ late }) => late);
}"""
# The page's clock is ten seconds on when it wakes, however short the test lets it sleep.
SLEPT_LONG = "Date.now = ((now) => () => now() + 10_000)(Date.now)"
# Line after line: when each came and whether late, now, the pace: which is next, which still wait.
LATE, NOW = True, False
TABLE: dict[str, tuple[list[tuple[int, bool]], int, float, int | None, list[int]]] = {
    "nothing waits": ([], 0, 6000, None, []),
    "one that came now": ([(0, NOW)], 0, 6000, 0, []),
    "one that waited long is still the newest": ([(0, NOW)], 60_000, 6000, 0, []),
    "two within a pace": ([(0, NOW), (1000, NOW)], 3000, 6000, 0, [1]),
    "the older waited longer than a pace": ([(0, NOW), (1000, NOW)], 3000, 2000, 1, []),
    "exactly a pace": ([(0, NOW), (1000, NOW)], 2000, 2000, 0, [1]),
    "a burst at a pace of two seconds": ([(0, NOW), (5, NOW), (9, NOW)], 2500, 2000, 2, []),
    "three within a slow pace": ([(0, NOW), (5, NOW), (9, NOW)], 2500, 9000, 0, [1, 2]),
    "one late": ([(0, LATE)], 300, 6000, 0, []),
    "one late that may not be the last": ([(0, LATE)], 200, 6000, None, [0]),
    "seven late": ([(at, LATE) for at in range(7)], 400, 6000, 6, []),
    "seven late that may not be all": ([(at, LATE) for at in range(7)], 100, 6000, None, [6]),
    "late ones and then one of now": ([(0, LATE), (1, LATE), (900, NOW)], 950, 6000, 2, []),
    "one that waited, and late ones": ([(0, NOW), (9000, LATE), (9001, LATE)], 9400, 6000, 2, []),
    "the pace is not known": ([(0, NOW), (1, NOW)], 10**9, 10**12, 0, [1]),
}


@pytest.mark.parametrize("name", TABLE)
def test_which_is_spoken_next(visit: Visit, hall: Hall, name: str) -> None:
    """Each line of the table."""
    waiting, now, pace, spoken, rest = TABLE[name]
    page = opened(visit, hall)
    asked = [{"at": at, "late": late, "name": index} for index, (at, late) in enumerate(waiting)]
    answer = page.evaluate(CHOOSE, [asked, now, pace])
    assert (answer["next"] or {}).get("name") == spoken
    assert [one["name"] for one in answer["rest"]] == rest
    assert (answer["wait"] is not None) == (spoken is None and bool(waiting))


def test_the_newest_is_never_dropped(visit: Visit, hall: Hall) -> None:
    """Of anything that waits, at any time: the newest is next or still waits, the order is kept,
    and nothing that came late comes before a newer one."""
    page, luck = opened(visit, hall), random.Random(29)
    for _ in range(300):
        times = sorted(luck.randrange(20_000) for _ in range(luck.randrange(1, 9)))
        waiting = [
            {"at": at, "late": luck.random() < 0.4, "name": name} for name, at in enumerate(times)
        ]
        now, pace = times[-1] + luck.randrange(4000), luck.choice((1000, 2000, 6000))
        answer = page.evaluate(CHOOSE, [waiting, now, pace])
        left: list[Any] = ([answer["next"]] if answer["next"] else []) + answer["rest"]
        names = [one["name"] for one in left]
        assert names == sorted(names)
        assert names[-1] == len(waiting) - 1
        for one in left[:-1]:
            assert not one["late"]
            assert now - one["at"] <= pace


@pytest.mark.parametrize(
    ("times", "late"),
    [
        ([1000, 2000, 3000], [NOW] * 3),
        ([1000, 9000, 9010, 9020], [NOW, LATE, LATE, LATE]),
        ([1000, 9000, 9200, 9400, 9600], [NOW, LATE, LATE, LATE, LATE]),
        ([1000, 9000, 10_000], [NOW, LATE, NOW]),
        ([2500, 5000], [NOW, NOW]),
        ([2501], [LATE]),
        ([9000, 9299, 9599], [LATE, LATE, NOW]),
        ([9000, 10_000, 19_000, 19_001], [LATE, NOW, LATE, LATE]),
        ([10, 11, 12], [NOW] * 3),
        ([86_400_000], [LATE]),
    ],
)
def test_what_comes_after_a_silence_is_late(
    visit: Visit, hall: Hall, times: list[int], late: list[bool]
) -> None:
    """The station sends something every second: after a longer silence, what comes at once was
    sent meanwhile."""
    assert opened(visit, hall).evaluate(ARRIVALS, times) == late


def opened(visit: Visit, hall: Hall) -> Page:
    """A page that imports what is tried, and does nothing else."""
    if not visit.page.url.startswith(hall.url):
        visit.page.goto(f"{hall.url}/pages/knob.svg")
    return visit.page


def listening(visit: Visit, hall: Hall) -> Page:
    """The board, with its sound on."""
    page = visit.page
    ear.put_in(page)
    page.goto(hall.url)
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    return page


def calls(hall: Hall, numbers: list[int], pace: float = 6.0) -> None:
    """The hall calls these, one right after the other."""
    for number in numbers:
        say = SayView(token=number, clips=(f"number.{number}",), text=str(number))
        auto = AutoView(on=True, pace=pace)
        hall.show(canned.playing((number,), say=say, seq=1000 + number, auto=auto))


def test_a_page_that_slept_speaks_the_newest_only(visit: Visit, hall: Hall) -> None:
    """Nothing reaches the page while it sleeps; awake, it finds seven calls at once: one clip, and
    then the next call."""
    page, asleep, held = visit.page, [False], list[str | bytes]()

    def between(line: WebSocketRoute) -> None:
        station = line.connect_to_server()
        lines.append(line)
        station.on_message(lambda text: held.append(text) if asleep[0] else line.send(text))

    lines: list[WebSocketRoute] = []
    page.route_web_socket(re.compile("/ws$"), between)
    listening(visit, hall)
    session = page.context.new_cdp_session(page)
    asleep[0] = True
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    calls(hall, [11, 12, 13, 14, 15, 16, 17])
    for _ in range(20_000):
        if any('"number.17"' in str(text) for text in held):
            break
        session.send("Runtime.evaluate", {"expression": "1"})
    session.send("Runtime.evaluate", {"expression": SLEPT_LONG})
    session.send("Page.setWebLifecycleState", {"state": "active"})
    asleep[0] = False
    for text in held:
        lines[-1].send(text)
    until(page, "() => window.__ear.starts.length >= 1")
    calls(hall, [18])
    until(page, "() => window.__ear.starts.length >= 2")
    assert [one.clip for one in ear.heard(page)] == ["number.17", "number.18"]


def test_a_line_that_was_down_brings_the_newest_only(visit: Visit, hall: Hall) -> None:
    """The station goes, calls, and is there again: one clip."""
    page = listening(visit, hall)
    hall.loop.run(hall.core.close())
    expect(page.get_by_test_id("stale")).to_be_visible()
    calls(hall, [21, 22, 23])
    hall.loop.run(hall.core.open())
    until(page, "() => window.__ear.starts.length >= 1")
    calls(hall, [24])
    until(page, "() => window.__ear.starts.length >= 2")
    assert [one.clip for one in ear.heard(page)] == ["number.23", "number.24"]


def test_a_burst_ends_with_the_newest(visit: Visit, hall: Hall) -> None:
    """Five calls faster than they can be spoken, at the shortest pace: the first is spoken to its
    end, and the newest is the last."""
    page = listening(visit, hall)
    calls(hall, [31, 32, 33, 34, 35], pace=0.1)
    until(page, "() => window.__ear.starts.some(({ url }) => url.endsWith('number.35.ogg'))")
    heard = [one.clip for one in ear.heard(page)]
    assert heard[-1] == "number.35"
    assert len(heard) <= 2


def test_a_page_whose_sound_was_off_does_not_catch_up(visit: Visit, hall: Hall) -> None:
    """Off, three calls, on again, one call: that one."""
    page = listening(visit, hall)
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    calls(hall, [41, 42, 43])
    expect(page.locator('[data-seq="1043"]')).to_be_visible()
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    calls(hall, [44])
    until(page, "() => window.__ear.starts.length >= 1")
    assert [one.clip for one in ear.heard(page)] == ["number.44"]
