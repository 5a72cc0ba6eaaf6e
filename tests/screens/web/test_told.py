"""What a screen reader is told during a game, on the caller's page and on the board: word for word
and in order, from Chromium's accessibility tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from station.screens.web.app import make_app
from station.settings.config import CallingSettings, Settings
from station.wire.wire import SOCKET
from station.wire.wording import VOICES, load_wording
from tests.conftest import CHROMIUM
from tests.screens.web.fakes import Loop, served
from tests.screens.web.hands import some_time_after
from tests.screens.web.listener import Listener
from tests.screens.web.test_caller_page import Station, at

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> str:
    """The one without windows tells nothing to a screen reader."""
    return CHROMIUM


PLAY_ON = "Play is not stopped. Next: draw again (Space), or stop for a claim (S)."
AWAY = "The station does not answer. What you see may be out of date."
NO_TOP_ROW = "Card 0001: Not called: 5, 11, 33, 50, 76"
# The keys that are pressed; what the caller is told of it, and what the hall.
GAME = (
    (("Space",), "The first house is open: eyes down.", "Eyes down. Playing for one line."),
    (("4", "2", "Enter"), "Call 42? Press Enter, or “Call it”, again.", ""),
    (("Enter",), "42 has been called.", "42"),
    (("7", "Enter"), "Call 7? Press Enter, or “Call it”, again.", ""),
    (("Enter",), "7 has been called.", "7"),
    (("r",), "Repeated: 7.", "The last number was seven"),
    (("r",), "Repeated: 7.", "The last number was seven"),
    (("p",), PLAY_ON, ""),
    (("p",), PLAY_ON, ""),
    (("u", "1"), "7 has been undone.", "Seven was not called."),
    (("a",), "Press A again: Auto-call.", ""),
    (("a",), "Auto-call is on: a number every 60 s.", "Automatic calling."),
    (("a",), "Press A again: Pause.", ""),
    (("a",), "Auto-call is off.", "Calling by hand."),
    (("s",), "Play has stopped.", "Stop, please: we have a claim."),
    (
        (*"0001", "Enter"),
        NO_TOP_ROW,
        "Card 0001: NOT VALID. Not called: 5, 11, 33, 50, 76 The claim is not valid.",
    ),
    (("p",), "Press Enter: Play on. For a card, type on.", ""),
    (("Enter",), "Play continues.", "Play on."),
)


@pytest.fixture
def station(tmp_path: Path) -> Iterator[tuple[Station, str]]:
    """A station on which two cards are sold, and the address of its pages."""
    loop = Loop()
    # no number comes by itself between two keys, however slow this machine is
    station = Station(loop, tmp_path, Settings(calling=CallingSettings(pace=60)))
    station.do("sell", serials=["0001", "0002"], to="Anna")
    wording = load_wording()
    app = make_app(station.core.run / SOCKET, None, voice=VOICES / "en", wording=wording, desk=True)
    with served(loop, app) as url:
        yield station, url
    station.stop()
    loop.close()


@pytest.mark.long
def test_a_game_as_it_is_told(browser: Browser, station: tuple[Station, str]) -> None:
    """Each key is answered once, and what is said twice is told twice; a control that cannot be
    pressed now says why; that the station went away and came back is told."""
    core, url = station
    context = browser.new_context(reduced_motion="reduce")
    page, board = context.new_page(), context.new_page()
    at(page, f"{url}/caller")
    board.goto(f"{url}/board")
    expect(board.locator(".board")).to_have_attribute("data-phase", "between")
    caller, hall = Listener(page), Listener(board)
    for keys, to_caller, to_hall in GAME:
        for key in keys:
            some_time_after(page)
            page.keyboard.press(key)
        assert caller.until(to_caller) == [to_caller], keys
        if to_hall:
            assert hall.until(to_hall) == [to_hall], keys
    core.stop()
    assert caller.until(AWAY) == [AWAY]
    assert hall.until("STALE: no news from the station") == ["STALE: no news from the station"]
    core.start()
    # A station that was started anew says the last number again.
    assert {*caller.until("The station is back.")} <= {*("Repeated: 42.", "The station is back.")}
    assert hall.until("The last number was forty-two") == ["The last number was forty-two"]
    context.close()


def test_the_listener_hears_what_a_screen_reader_would(page: Page) -> None:
    """The same text in a new element, and an alert that appears; nothing where nothing changed, or
    where a polite place appears together with its text."""
    page.set_content(
        "<p role=status id=one>a</p><div aria-live=polite id=two></div><p role=alert id=three"
        " hidden></p><p role=status id=four hidden>late</p>"
    )
    listener = Listener(page)

    def hears(script: str) -> list[str]:
        page.evaluate(script)
        return listener.told()

    assert hears("one.textContent = one.textContent.trim(); one.title = 'x'") == ["a"]
    assert hears("one.firstChild.data = 'a'") == []
    assert hears("one.append(' b')") == ["a  b"]
    assert hears("two.append('c'); two.append(document.createElement('br'), 'd')") == ["c d"]
    assert hears("two.append(document.createElement('br'), 'e')") == ["e"]
    assert hears("three.textContent = 'f'; three.hidden = false; four.hidden = false") == ["f"]
    assert hears("four.textContent = 'late'") == ["late"]
