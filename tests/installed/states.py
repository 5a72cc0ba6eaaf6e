"""The caller's page in every state of an evening: loaded anew, in a second tab, with its line cut,
and before a core that is killed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.installed.hands import URL, Way, before, words_of
from tests.installed.night import Caller, rows_of_pack

MOUSE = Way("states")
SHOWN = ("number", "next", "game", "checked")
BAG = 90
SLOWEST = 60  # seconds from call to call


def every_state(browser: Browser, say: Callable[[str], None]) -> None:
    """Play a night; in each state lose page, line and core, and come back to the same."""
    with before(browser, MOUSE, "Carla") as hands:
        hands.let_in("caller", "caller")
        caller = Caller(hands)
        for state, come in STATES.items():
            come(caller)
            _comes_back(caller, after="playing" if state == "calling by itself" else "")
            say(f"{state}: loaded anew, second tab, line cut, core killed")
        caller.control("big")
        caller.comes("between")


def _comes_back(caller: Caller, after: str) -> None:
    """Lose it in each way.

    Args:
        after: what comes next after the core was killed, where that is something else than before:
            nothing goes on by itself after a fault.
    """
    page = caller.page
    seen = _looks(page)
    page.reload()
    _is_again(page, seen)
    other = page.context.new_page()
    other.goto(f"{URL}/caller")
    _is_again(other, seen)
    for unit in ("loto-web", "loto-core"):
        subprocess.run(["systemctl", "kill", "--signal=KILL", unit], check=True)
        subprocess.run(["systemctl", "stop", unit], check=True)  # not before it was seen
        for tab in (page, other):
            expect(tab.locator("#away")).to_be_visible()
            expect(tab.get_by_test_id("number")).to_have_text(seen["number"])
            expect(tab.get_by_test_id("next")).to_have_text(caller.words["next-away"])
            tab.keyboard.press("s")
            expect(tab.get_by_test_id("done")).to_contain_text(caller.words["next-away"])
        subprocess.run(["systemctl", "start", unit], check=True)
        if unit == "loto-core" and after:
            seen = {name: text for name, text in seen.items() if name != "next"}
            caller.comes(after)
        for tab in (page, other):
            _is_again(tab, seen)
    other.close()


def _looks(page: Page) -> dict[str, str]:
    expect(page.locator("body")).to_have_attribute("data-stale", "false")
    return {name: page.get_by_test_id(name).inner_text() for name in SHOWN}


def _is_again(page: Page, seen: dict[str, str]) -> None:
    expect(page.locator("body")).to_have_attribute("data-stale", "false")
    expect(page.locator("#away")).to_be_hidden()
    for name, text in seen.items():
        expect(page.get_by_test_id(name)).to_have_text(text, use_inner_text=True)


# -- how each state is come to, from the one before it ---------------------------------------------


def _open(caller: Caller) -> None:
    caller.control("big")
    caller.comes("first")


def _play(caller: Caller) -> None:
    caller.draw()
    caller.comes("playing")


def _ask(caller: Caller) -> None:
    """A question stands on the page; what is not answered was not asked."""
    caller.control("undo")
    expect(caller.page.get_by_test_id("choose")).to_be_visible()


def _by_itself(caller: Caller) -> None:
    """So slowly that nothing is called while it is looked at."""
    pace = 6
    while pace < SLOWEST:
        pace += 1
        caller.page.get_by_test_id("slower").click()
        caller.hands.told(caller.words["did-pace"].replace("{pace}", str(pace)))
    caller.control("auto")
    caller.comes("auto")


def _stop(caller: Caller) -> None:
    caller.control("stop")
    caller.comes("stopped")


def _claim(caller: Caller) -> None:
    """A card that has nothing."""
    _check(caller, next(iter(rows_of_pack())))
    caller.comes("more-claims")


def _check(caller: Caller, serial: str) -> None:
    caller.hands.write(caller.page.get_by_test_id("card"), serial)
    caller.hands.press(caller.page.locator("#look-button"))
    expect(caller.page.get_by_test_id("checked")).to_contain_text(serial)


def _win_all(caller: Caller) -> None:
    """One card wins one prize after the other."""
    caller.control("big")
    serial, rows = [*rows_of_pack().items()][1]
    for row in rows:
        for number in sorted(row - {*caller.called()}):
            caller.key(number)
        _stop(caller)
        _check(caller, serial)
        caller.control("big")
        caller.hands.told(caller.words["log-stopped-playing"])
    caller.comes("won")


def _next(caller: Caller) -> None:
    """The programme pauses before it."""
    caller.control("close")
    caller.comes("between")
    pause = caller.words["pause-text"].replace("{text}", "Tea and cake.")
    expect(caller.page.get_by_test_id("next")).to_contain_text(pause)


def _empty(caller: Caller) -> None:
    """Each knob is called, and nobody claims."""
    _open(caller)
    caller.control("mute")
    caller.hands.told(words_of("caller", "en")["did-mute"])
    for count in range(1, BAG + 1):
        caller.draw()
        caller.counted(count)
    caller.comes("empty")


def _all_played(caller: Caller) -> None:
    caller.control("close")
    caller.answered("do-it")
    caller.comes("all-played")


def _close(caller: Caller) -> None:
    caller.control("close-night")
    caller.answered("yes")
    caller.comes("closed")


STATES: dict[str, Callable[[Caller], None]] = {
    "between games": lambda caller: caller.comes("between"),
    "eyes down": _open,
    "playing": _play,
    "asked for a reason": _ask,
    "calling by itself": _by_itself,
    "stopped": _stop,
    "a claim checked": _claim,
    "all prizes won": _win_all,
    "the programme's pause": _next,
    "the bag empty": _empty,
    "all games played": _all_played,
    "the night closed": _close,
}
