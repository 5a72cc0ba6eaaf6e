"""A game from the first press to the last prize: what was recorded, heard, lit and shown is the
same, in the same order."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from station.cards.pack import Pack
from station.core.simulation.players import Players
from station.screens.web.app import make_app
from station.wire.board_view import Phase
from station.wire.wording import load_wording
from tests.end_to_end.evening import LIMIT_S, PACK, Evening, Viewer, read_page
from tests.screens.web.browsers import Browsers
from tests.screens.web.fakes import served

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def browser(browsers: Browsers, chromium: str) -> Iterator[Browser]:
    with browsers.browsing(chromium) as browser:
        yield browser


def play(evening: Evening, browser: Browser, draw: Callable[[int], None]) -> dict[str, list[int]]:
    """Plays one game to the last prize, with a viewer at the screen and one at the web page; gives
    what each saw, in order."""
    viewer = Viewer(evening.socket)
    app = make_app(evening.socket, evening.hands_socket, voice=PACK, wording=load_wording())
    with served(evening.loop, app) as url:
        page = browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        page.goto(url)
        evening.hand("press", button="draw")  # the first press opens the game
        evening.until(lambda view: view.phase is Phase.PLAYING)
        register = evening.loop.run(evening.client.request({"ask": {"about": "register"}}))[
            "answer"
        ]["cards"]
        cards = Pack.from_csv(
            (next((evening.folder / "state/test/nights/0001").glob("pack-*.csv"))).read_text()
        )
        players = Players({card["serial"]: cards.card(card["serial"]) for card in register})
        on_page: list[int | None] = []
        calls = 0
        while True:
            draw(calls)
            calls += 1
            view = evening.quiet(calls)
            viewer.look()
            expect(page.get_by_test_id("called").locator("li")).to_have_count(calls)
            on_page.append(read_page(page))
            claims = players.claims(view)
            if claims:
                evening.hand("press", button="claim")
                evening.until(lambda view: view.phase is Phase.STOPPED)
                for serial in claims:
                    assert "ok" in evening.ask("claim", serial=serial)
                evening.hand("press", button="next")
                view = evening.until(lambda view: view.phase is Phase.PLAYING)
                if view.stage is None:
                    break
        evening.silence()
        page.close()
    viewer.close()
    evening.close()
    return {
        "recorded": evening.numbers_recorded(),
        "heard": evening.numbers_heard(),
        "lit": evening.numbers_lit(),
        "on the screen": viewer.seen,
        "on the page": on_page,
    }


def assert_all_alike(seen: dict[str, list[int]]) -> None:
    """Every number in every place, in the same order, none missing and none twice."""
    recorded = seen["recorded"]
    assert len(recorded) >= 15
    assert len(set(recorded)) == len(recorded)
    for place, numbers in seen.items():
        assert numbers == recorded, place


def test_a_whole_game_by_button(tmp_path: Path, browser: Browser) -> None:
    """Pressed through the real pins: the bag's numbers are the same in the journal, the sound, the
    lamps and both screens."""
    evening = Evening(tmp_path)
    assert_all_alike(play(evening, browser, lambda _: evening.hand("press", button="draw")))


def test_a_whole_game_by_rfid_bytes(tmp_path: Path, browser: Browser) -> None:
    """Knobs laid on the reader, as frames over a serial line: every knob laid is called once, in
    the order it was laid."""
    evening = Evening(tmp_path)
    order = random.Random(7).sample(range(1, 91), 90)

    def lay(call: int) -> None:
        evening.hand("lift")
        evening.hand("drop", knob=order[call])

    seen = play(evening, browser, lay)
    assert seen["recorded"] == order[: len(seen["recorded"])]
    assert_all_alike(seen)


def test_started_again_it_says_the_last_number_again(tmp_path: Path) -> None:
    """A station that starts in mid-game lights the same knobs and says the last number, before
    anything else."""
    first = short_game(Evening(tmp_path))
    again = Evening(tmp_path)
    view = again.until(lambda view: view.say is not None)
    assert view.phase is Phase.PLAYING
    again.hand("drop", knob=90)
    again.quiet(5)
    again.close()
    assert again.clips_heard() == ["last-number", "number.5", "number.90"]
    assert again.numbers_lit() == [5, 90]
    assert again.numbers_recorded() == [*first["recorded"], 90]


def test_what_is_no_knob_is_no_call(tmp_path: Path) -> None:
    """Damaged and foreign frames, two knobs at once, a knob called already, a bouncing button: only
    what was drawn is called."""
    evening = Evening(tmp_path)
    evening.hand("press", button="next")
    evening.until(lambda view: view.phase is Phase.PLAYING)
    for calls, knob in enumerate((7, 12), 1):
        evening.hand("drop", knob=knob)
        evening.quiet(calls)
    for hand, arguments, says in (
        ("two", {"knobs": [8, 9]}, "two-knobs"),
        ("drop", {"knob": 7}, "already-drawn"),
    ):
        evening.hand("lift")
        evening.hand(hand, **arguments)
        evening.until(lambda view, says=says: view.say is not None and view.say.clips == (says,))
    evening.hand("damage", knob=10)
    evening.hand("foreign")
    evening.hand("unplug", device="reader")
    evening.until(lambda view: [sign.device for sign in view.signs] == ["reader"])
    evening.hand("plug", device="reader")
    evening.until(lambda view: view.signs == ())
    evening.hand("lift")
    evening.hand("drop", knob=11)
    evening.quiet(3)
    evening.hand("lift")  # or it is read again, where the reader is not heard in time
    evening.hand("bounce", button="draw")
    evening.quiet(4)
    evening.silence()
    evening.close()
    recorded = evening.numbers_recorded()
    assert recorded[:3] == [7, 12, 11]
    assert len(recorded) == 4
    assert evening.numbers_heard() == evening.numbers_lit() == recorded
    notes = [
        line["do"]["what"].partition(":")[0]
        for line in evening.journal()
        if line["do"]["act"] == "note"
    ]
    assert [note for note in notes if note in ("lost", "works again")] == ["lost", "works again"]


# -- what these tests are worth: broken stations that they must catch ------------------------------


def short_game(evening: Evening, knobs: tuple[int, ...] = (13, 14, 31, 5)) -> dict[str, list[Any]]:
    """A few knobs by RFID, without screens."""
    evening.hand("press", button="next")
    evening.until(lambda view: view.phase is Phase.PLAYING)
    for calls, knob in enumerate(knobs, 1):
        evening.hand("drop", knob=knob)
        evening.quiet(calls)
    evening.close()
    return {
        "recorded": evening.numbers_recorded(),
        "heard": evening.numbers_heard(),
        "lit": evening.numbers_lit(),
    }


def test_the_short_game_is_alike(tmp_path: Path) -> None:
    """The game that the mutants play is right when nothing is broken."""
    seen = short_game(Evening(tmp_path))
    assert seen["recorded"] == seen["heard"] == seen["lit"] == [13, 14, 31, 5]


def test_two_clips_swapped_are_found(tmp_path: Path) -> None:
    """A voice that says fourteen for thirteen is found by its samples."""
    swapped = tmp_path / "swapped"
    swapped.mkdir()
    for file in PACK.iterdir():
        (swapped / file.name).write_bytes(file.read_bytes())
    manifest = swapped / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(_swap_clips(text, "number.13", "number.14"))
    seen = short_game(Evening(tmp_path, voice=swapped))
    assert seen["recorded"] == [13, 14, 31, 5]
    assert seen["heard"] == [14, 13, 31, 5]


def _swap_clips(text: str, one: str, other: str) -> str:
    data = json.loads(text)
    data["clips"][one], data["clips"][other] = data["clips"][other], data["clips"][one]
    return json.dumps(data)


def test_a_light_that_is_skipped_is_found(tmp_path: Path) -> None:
    """A board that misses one call is found by the pictures on its bus."""
    evening = Evening(tmp_path)
    real = evening.core._devices.light
    calls = iter(range(100))

    def skipping(lit: Any, token: int) -> None:
        if next(calls) != 2:  # the opening's dark board, 13, then 14
            real(lit, token)

    evening.core._devices.light = skipping
    seen = short_game(evening)
    assert seen["recorded"] == [13, 14, 31, 5]
    assert seen["lit"] == [13, 31, 5]


def gated(evening: Evening) -> bool:
    """Draws once with a slow sync: was anything outside before the line was durable?"""
    evening.hand("press", button="next")
    opened = evening.until(lambda view: view.phase is Phase.PLAYING)
    assert opened.say is not None
    # the cavities of the opening are lit with the token after its words
    evening.disk.arm(opened.say.token + 1)
    evening.hand("drop", knob=42)
    evening.quiet(1)
    evening.close()
    return evening.disk.leaked


def test_nothing_is_outside_before_it_is_durable(tmp_path: Path) -> None:
    """While the disk has not answered, nothing is heard, lit or sent."""
    assert not gated(Evening(tmp_path))


def test_speaking_before_the_journal_is_found(tmp_path: Path) -> None:
    """A station that speaks first is found, however fast its disk and however slow its voice."""
    evening = Evening(tmp_path)
    evening.disk.patience_s = LIMIT_S
    journal = evening.core._session._night.journal
    append = journal.append

    async def too_early(entry: Any) -> Any:
        evening.core._devices.say((f"number.{entry['do'].get('number', 1)}",), 1 << 62)
        return await append(entry)

    journal.append = too_early
    assert gated(evening)
