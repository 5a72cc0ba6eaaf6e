"""The host's page where real cards are dealt and played over the reader: each is asked for and
shown, a deal is lost by a misdeal that he declares, and a renege bars its player."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from station.core.daemon import Core
from station.core.simulation.server import Simulation
from station.screens.web.app import make_app
from station.settings.config import Settings
from station.wire.wire import HANDS_SOCKET, SOCKET, Client
from station.wire.wording import VOICES, load_wording
from tests.calling.test_desk_cards import TWO
from tests.core.test_real_cards import READER, Evening, programme
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import said
from tests.screens.web.fakes import Loop, served

pytestmark = pytest.mark.browser
LAPTOP = {"width": 1366, "height": 900}
NAMES = ("Anna", "Bruno")
MISDEAL, RENEGED = "declare-fault-misdeal", "declare-fault-reneged"


@dataclass
class RealTable:
    """A host's page, and the reader on which the players lay their cards."""

    page: Page
    loop: Loop
    core: Core
    simulation: Simulation

    def lay(self, *faces: str) -> None:
        """Cards on the reader, one after the other, each until it is in the record."""
        self.loop.run(self._evening(lambda evening: evening.lay(*faces)))

    def takes_up_hands(self) -> None:
        """Until the cards have been away from the reader for long enough to be laid again."""
        self.loop.run(self._evening(Evening.takes_up_hands))

    async def _evening(self, does: Callable[[Evening], Awaitable[None]]) -> None:
        async with (
            await Client.open(self.core.run / SOCKET, "admin") as client,
            await Client.open(self.core.run / HANDS_SOCKET) as hands,
        ):
            await does(Evening(client, hands, self.simulation))

    def button(self, key: str) -> Locator:
        return self.page.locator(f'button[data-key="{key}"]')

    def declare(self, key: str, name: str) -> None:
        """The host declares whose fault it was."""
        self.button(key).click()
        self.page.get_by_test_id("dialog").get_by_role("button", name=name, exact=True).click()

    def comes(self, text: str) -> None:
        expect(self.page.get_by_test_id("next")).to_have_text(text)


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Iterator[RealTable]:
    loop, made = Loop(), list[Simulation]()

    def simulate(folder: Path, devices: Any) -> Simulation:
        made.append(Simulation(folder, devices))
        return made[0]

    settings = Settings(simulated=True, devices=READER)
    core = loop.call(
        lambda: Core(
            settings,
            tmp_path,
            tmp_path / "run",
            programme=programme("spoil-five"),
            simulate=simulate,
        )
    )
    loop.run(core.open())
    app = make_app(
        core.run / SOCKET,
        core.run / HANDS_SOCKET,
        voice=VOICES / "en",
        wording=load_wording(),
        desk=True,
    )
    page = browser.new_context(viewport=LAPTOP, reduced_motion="reduce").new_page()
    page.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    with served(loop, app) as url:
        page.goto(f"{url}/table")
        yield RealTable(page, loop, core, made[0])
        page.goto("about:blank")
    page.context.close()
    loop.run(core.close())
    loop.close()
    assert complaints == []


@pytest.mark.long
def test_the_host_leads_a_game_of_real_cards(table: RealTable, tmp_path: Path) -> None:
    """He deals over the reader, and the page names whose the next card is; a misdeal takes all of
    them back, and the deal passes; played cards lie open; who reneged is barred, and
    the record has both."""
    page = table.page
    for place, name in enumerate(NAMES):
        if place:
            page.get_by_test_id("add").click()
        page.locator("#players input[name=name]").nth(place).fill(name)
    page.get_by_test_id("sit").click()
    table.button("open").click()
    table.comes("Bruno deals")
    expect(table.button(MISDEAL)).to_have_count(0)

    table.lay(*TWO[:3])
    table.comes("A card for Bruno: lay it on the reader")
    expect(page.locator('.seat[data-seat="1"] .playing-card')).to_have_count(2)
    table.declare(MISDEAL, "Bruno")
    table.comes("Anna deals")  # who misdeals loses the deal
    expect(page.locator(".seat .playing-card")).to_have_count(0)

    table.takes_up_hands()
    table.lay(*TWO)
    table.comes("Bruno leads")
    for seat in (1, 2):
        expect(page.locator(f'.seat[data-seat="{seat}"] .playing-card')).to_have_count(5)
    expect(table.button(RENEGED)).to_have_count(0)
    table.lay("2H", "KD")
    anna = page.locator('.seat[data-seat="1"]')
    expect(anna.get_by_role("img", name="a card, face down")).to_have_count(4)
    expect(page.get_by_role("img", name="king of diamonds").first).to_be_visible()
    table.declare(RENEGED, "Anna")
    expect(said(page)).to_contain_text("Reneged, and might not")
    expect(anna).to_contain_text("barred")

    lines = map(json.loads, next(tmp_path.rglob("journal.jsonl")).read_text().splitlines())
    moves = [line["do"]["move"] for line in lines if line["do"].get("act") == "move"]
    faults = [(move["kind"], move["seat"]) for move in moves if move["do"] == "declare-fault"]
    assert faults == [("misdeal", 2), ("reneged", 1)]
