"""The table's page of whoever is let in as host, before a real core over TLS: every game that is
played at a table, by what the page offers alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from station.base.nouns import KNOBS
from station.cards import PACK_FILE
from station.cards.pack import make_pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.games import GAMES
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.rules.abilities import DrawsKnobs, SellsCards
from station.screens.web.app import make_app
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import said
from tests.screens.web.fakes import Loop, served_twice
from tests.screens.web.test_pair_page import asks
from tests.support import CLOCK

pytestmark = pytest.mark.browser

COMPANY = ("Anna", "Bruno", "Carla")
HOST = "Hanna"
STEP, MOVE = "#steps button:not(.off)", ".seat button:not(.off)"
# Where a game may be over before so many steps, by its luck alone: what makes it longer.
LONG: dict[str, dict[str, Any]] = {"tontine": {"each": 60}}
STEPS = 14  # past a drawing: ten knobs, and what is settled then
MOST_ASKED = 20  # for one move: another question than before, or the same that never ends
AT_TABLE = [name for name, play in GAMES.items() if play.ability(SellsCards) is None]


@dataclass
class Led:
    """A host's page, and the station behind it."""

    page: Page
    loop: Loop
    core: Core
    state: Path
    method: str

    def send(self, **message: Any) -> Message:
        """What an admin sends."""

        async def work() -> Message:
            async with await Client.open(self.core.run / SOCKET, "admin") as client:
                return await client.request(message)

        return self.loop.run(work())

    def told(self) -> Message:
        """What the station tells of the table."""
        answer: Message = self.send(ask={"about": "table"})["answer"]
        return answer

    def recorded(self) -> list[tuple[str, str]]:
        """What was done, and by whom."""
        lines = (self.state / "nights/0001/journal.jsonl").read_text().splitlines()
        told = [json.loads(line) for line in lines]
        return [(line["do"]["act"], line["by"]) for line in told]

    def does(self, button: Locator) -> None:
        """Presses a button, chooses the first of what is asked for then, a number as it stands
        there, and has it done."""
        dialog = self.page.get_by_test_id("dialog")
        with self.page.expect_response("**/table/do") as answered:
            button.click()
            asked = 0
            while dialog.is_visible():
                asked += 1
                assert asked <= MOST_ASKED, dialog.inner_text()
                ways = dialog.locator("#dialog-body button:not([data-every-click])")
                (ways if ways.count() else dialog.locator("#dialog-buttons .main")).first.click()
        assert answered.value.json().get("ok"), answered.value.json()
        expect(self.page.locator('[aria-busy="true"]')).to_have_count(0)

    def steps(self) -> None:
        """Does what comes next: the count of the bag, else the first thing that is offered; where a
        player plays his own hand there may be nothing for the host to do."""
        page = self.page
        if not page.get_by_test_id("counted").is_visible():
            offered = page.locator(STEP).or_(page.locator(MOVE))
            if offered.count():
                self.does(offered.first)
            return
        page.locator("#over-reader button").click()  # which is the host's, too
        expect(said(page)).to_contain_text("no ball is enrolled here")
        page.get_by_test_id("counted").fill(str(KNOBS))
        self.does(page.get_by_test_id("shake"))

    def shows(self) -> bool:
        """All that the station tells is there: who sits, what lies before him, and a button of each
        move that may be made; gives whether there is one."""
        page, told = self.page, self.told()
        expect(page.locator(".seat")).to_have_count(len(told["seats"]))
        for zone in told["zones"]:
            seat = page.locator(f'.seat[data-seat="{zone["seat"]}"]')
            cards = [one["serial"] for one in zone["things"] if one["kind"] == "number-card"]
            for serial in cards if zone["seat"] else ():
                expect(seat).to_contain_text(serial)
        buttons = page.locator("main button:not(.off)").all_inner_texts()
        missing = {
            one["label"]
            for one in told["moves"]
            if one["may"] and not any(one["label"] in text for text in buttons)
        }
        assert missing == set()
        return any(one["may"] for one in told["moves"])


@pytest.fixture
def led(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Led]:
    """A station at which a game is to be played at the table, and a device that knows nothing."""
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(make_pack(4, Random(5)).to_csv())
    agreed = TablePlan(**LONG.get(request.param, {}))
    programme = Programme(
        name="t", games=(GamePlan(name="One", method=request.param, table=agreed),)
    )
    machine = Machine(clock=CLOCK, chance=Random(1), check_ground=lambda folder, *, test: None)
    loop = Loop()
    core = loop.call(
        lambda: Core(Settings(), tmp_path, tmp_path / "run", programme=programme, machine=machine)
    )
    loop.run(core.open())

    def make(port: int) -> Any:
        socket, wording = core.run / SOCKET, load_wording()
        return make_app(socket, None, voice=VOICES / "en", wording=wording, tls_port=port)

    with served_twice(loop, tmp_path, make) as (_, secured):
        context = browser.new_context(ignore_https_errors=True, reduced_motion="reduce")
        context.set_default_timeout(LIMIT_MS)
        page = context.new_page()
        page.goto(f"{secured}/table")
        assert page.url == f"{secured}/pair"
        yield Led(page, loop, core, tmp_path, request.param)
        page.goto("about:blank")  # its line to the station ends before the station does
        context.close()
    loop.run(core.close())
    loop.close()


@pytest.mark.long
@pytest.mark.parametrize("led", AT_TABLE, indirect=True)
def test_a_host_leads_every_game_of_a_table(led: Led) -> None:
    """Let in as host, with the doors of one; the company sits, the bag is counted, knobs are drawn
    and moves are made by what the page offers; one is taken back, and the game is broken off. All
    of it stands in the record under the host's name."""
    page = led.page
    digits = asks(page).replace(" ", "")
    pair = {"do": "confirm", "digits": digits, "role": "host", "name": HOST}
    assert led.send(pair=pair).get("ok")
    expect(page.get_by_test_id("who")).to_have_text(f"{HOST}, host")
    doors = (
        page.get_by_test_id("doors")
        .locator("a")
        .evaluate_all("doors => doors.map((door) => door.dataset.testid)")
    )
    assert doors == ["door-table", "door-health", "door-board"]
    before = len(led.recorded())
    page.get_by_test_id("door-table").click()
    for place, name in enumerate(COMPANY):
        if place:
            page.get_by_test_id("add").click()
        page.locator("#players input[name=name]").last.fill(name)
    led.does(page.get_by_test_id("sit"))
    expect(said(page)).to_contain_text("3 seated.")
    offered = False
    for _ in range(STEPS):
        led.steps()
        offered = led.shows() or offered
        acts = [act for act, _ in led.recorded()]
        if acts[-1] == "draw" and "undo" not in acts:
            led.does(page.locator('[data-key="undo"]'))
            led.shows()
    page.locator('[data-key="break"]').click()
    page.get_by_test_id("dialog").locator("input").fill("the light went out")
    page.get_by_test_id("dialog").locator(".main").click()
    lost = "is not played to its end"  # what goes back to the players is told first
    expect(page.get_by_test_id("lost")).to_contain_text(lost)
    led.does(page.get_by_test_id("do-it"))
    expect(page.get_by_test_id("next")).to_contain_text("All games have been played")
    acts = led.recorded()[before:]
    assert {by for _, by in acts} == {HOST}
    with_knobs = {"shake", "draw", "undo"} if GAMES[led.method].ability(DrawsKnobs) else set()
    assert {"sit", "open", "break", *with_knobs} <= {act for act, _ in acts}
    assert ("move" in {act for act, _ in acts}) is offered
