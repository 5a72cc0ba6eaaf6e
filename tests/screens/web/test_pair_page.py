"""Pairing in a browser: before a whole station over TLS, in a process of its own; and what each
page says where something is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.screens.web.app import make_app
from station.screens.web.people import SECURED_COOKIE
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import OFTEN, said
from tests.screens.web.fakes import Hall, Loop, served, served_twice
from tests.screens.web.test_desk_page import PACK, PROGRAMME, TOP
from tests.support import CLOCK, verify

pytestmark = pytest.mark.browser

LIMIT_S = 60.0
PHONE = {"width": 390, "height": 844}
WEB = """
import sys
from pathlib import Path
from station.screens.web.server import run
def say(*told):
    print(*told, flush=True)
sys.exit(
    run(
        Path(sys.argv[1]),
        None,
        voice=Path(sys.argv[2]),
        port=0,
        tls=Path(sys.argv[3]),
        secured=lambda port, fingerprint: say("tls", port),
        ready=lambda address: say("ready", address),
    )
)
"""


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


class Station:
    """A whole station as an installed one is: the web is a process of its own, without a token."""

    def __init__(self, loop: Loop, core: Core, state: Path, url: str) -> None:
        self.loop, self.core, self.state, self.url = loop, core, state, url

    def say(self, **message: Any) -> Message:
        """An admin says something at the station."""

        async def work() -> Message:
            async with await Client.open(self.core.run / SOCKET, "admin") as client:
                return await client.request(message)

        return self.loop.run(work())

    def let_in(self, digits: str, role: str, name: str) -> None:
        asked = {"do": "confirm", "digits": digits.replace(" ", ""), "role": role, "name": name}
        assert self.say(pair=asked).get("ok")

    @property
    def recorded(self) -> list[tuple[str, str]]:
        """What was done, and by whom."""
        lines = (self.state / "nights/0001/journal.jsonl").read_text().splitlines()
        told = [json.loads(line) for line in lines]
        return [(line["do"]["act"], line["by"]) for line in told]


@pytest.fixture
def station(loop: Loop, tmp_path: Path) -> Iterator[Station]:
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(PACK.to_csv())
    machine = Machine(clock=CLOCK, check_ground=lambda folder, *, test: None)
    core = loop.call(
        lambda: Core(Settings(), tmp_path, tmp_path / "run", programme=PROGRAMME, machine=machine)
    )
    loop.run(core.open())
    command = [
        *(sys.executable, "-c", WEB, str(core.run / SOCKET)),
        *(str(VOICES / "en"), str(tmp_path / "tls")),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as process:
        watchdog = threading.Timer(LIMIT_S, process.kill)
        watchdog.start()
        assert process.stdout is not None
        told = dict(next(process.stdout).split() for _ in range(2))
        yield Station(loop, core, tmp_path, f"https://127.0.0.1:{told['tls']}")
        watchdog.cancel()
        process.terminate()
        assert process.wait(LIMIT_S) == 0
    loop.run(core.close())
    verify(tmp_path)


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A telephone whose owner has accepted the station's certificate."""
    context = browser.new_context(viewport=PHONE, ignore_https_errors=True, reduced_motion="reduce")
    context.set_default_timeout(LIMIT_MS)
    context.add_init_script(OFTEN)
    yield context
    context.close()


def fits(page: Page) -> bool:
    """Whether nobody has to scroll sideways."""
    wide: int = page.evaluate("document.documentElement.scrollWidth")
    return wide <= PHONE["width"]


def asks(page: Page, name: str = "the tablet") -> str:
    """Asks with the keyboard alone; gives the digits that the page shows."""
    expect(page.get_by_test_id("name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    digits = page.get_by_test_id("digits")
    expect(digits).to_be_visible()
    return digits.inner_text()


@pytest.mark.long
def test_two_people_answer_for_a_sum_at_one_desk(station: Station, phone: BrowserContext) -> None:
    """The cashier pays on her own device; whoever approves types his PIN there, for the sum that is
    shown. A wrong one is asked for again, and one that is left does nothing."""
    pin = station.say(pins={"do": "make", "name": "Ben"})["pin"]
    page = phone.new_page()
    page.goto(f"{station.url}/desk")
    station.let_in(asks(page), "cashier", "Anna")
    page.get_by_test_id("door-desk").click()
    for do in (
        {"act": "sell", "serials": ["0001", *(f"{n:04d}" for n in range(2, 8))], "to": "Zoe"},
        {"act": "open"},
        *({"act": "draw", "number": number} for number in TOP),
        {"act": "claim", "serial": "0001"},
        {"act": "play-on"},
    ):
        assert station.say(do=do).get("ok"), do
    owed = page.locator("#owed li").first
    owed.get_by_label("Second person's name").fill("Ben")
    approve = owed.get_by_role("button", name="Approve as the second person")
    approve.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Ben answers for it with a PIN here")
    page.get_by_test_id("pin-leave").click()
    expect(said(page)).to_contain_text("Nothing was done")
    approve.click()
    page.get_by_test_id("pin").fill("000000" if pin != "000000" else "111111")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("that is not the PIN of Ben")
    page.get_by_test_id("pin").fill(pin)
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("Ben approves")
    page.locator("#owed li").first.get_by_role("button", name="Pay £1.89").click()
    expect(page.locator("#owed")).to_contain_text("Nobody is owed anything")
    journal = (station.state / "nights/0001/journal.jsonl").read_text()
    acts = [json.loads(line)["do"] for line in journal.splitlines()]
    answered = [(act["act"], act["who"], act["proof"]) for act in acts if "proof" in act]
    assert answered == [("approve", "Ben", "pin"), ("pay", "Anna", "device")]
    assert pin not in journal


@pytest.mark.long
def test_a_tablet_is_paired_and_sells(station: Station, phone: BrowserContext) -> None:
    """From the first page to a sale that stands in the record under the person's name; what has
    ended, and what somebody made up, sells nothing."""
    page = phone.new_page()
    page.goto(f"{station.url}/desk")
    assert page.url == f"{station.url}/pair"
    digits = asks(page)
    assert len(digits) == 7
    assert page.get_by_test_id("digits").evaluate("one => getComputedStyle(one).fontSize") > "48px"
    expect(page.get_by_test_id("left")).to_contain_text("s more")
    assert fits(page)
    station.let_in(digits, "cashier", "Anna")
    expect(page.get_by_test_id("who")).to_have_text("Anna, cashier")
    assert page.url == f"{station.url}/start"
    assert fits(page)
    expect(page.get_by_test_id("doors").locator("a")).to_have_count(3)
    page.get_by_test_id("door-desk").click()
    page.get_by_test_id("cards").fill("0001")
    page.get_by_role("button", name="Sell", exact=True).click()
    expect(said(page)).to_contain_text("1 card sold: take £1.50.")
    assert station.recorded[-1] == ("sell", "Anna")
    # Nor may she what a cashier may not, whatever a page sends.
    refused = page.evaluate(SENT, ["/table", {"act": "open"}])
    assert refused["refused"]["reason"] == "not-your-role"
    # Her pairing ends: the page that is open says so by itself, and does nothing more.
    key = station.say(ask={"about": "people"})["answer"]["people"][0]["key"]
    assert station.say(do={"act": "unpair", "key": key, "why": "lost"}).get("ok")
    expect(page.locator("#away")).to_contain_text("not paired")
    expect(page.locator("#desk")).to_be_hidden()
    refused = page.evaluate(SENT, ["/desk", {"act": "sell", "serials": ["0002"]}])
    assert refused["refused"]["reason"] == "not-paired"
    assert [act for act, _ in station.recorded].count("sell") == 1
    page.goto(f"{station.url}/desk")
    assert page.url == f"{station.url}/pair"
    # A cookie that somebody made up.
    phone.add_cookies(
        [{"name": SECURED_COOKIE, "value": "x" * 43, "url": station.url, "secure": True}]
    )
    page.goto(f"{station.url}/start")
    assert page.url == f"{station.url}/pair"


SENT = """async ([path, act]) => {
  const header = { "/desk": "X-Loto-Desk", "/table": "X-Loto-Table" }[path];
  const answer = await fetch(`${path}/do`, {
    method: "POST",
    headers: { "Content-Type": "application/json", [header]: "1" },
    body: JSON.stringify({ id: "0123456789abcdef", do: act }),
  });
  return answer.json();
}"""


@pytest.fixture
def door(loop: Loop, tmp_path: Path) -> Iterator[tuple[Hall, str, str]]:
    """A fake core that lets devices in; the plain address and the other one."""
    core = Hall(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())

    def make(port: int) -> Any:
        return make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), tls_port=port)

    with served_twice(loop, tmp_path, make) as (plain, secured):
        yield core, plain, secured
    loop.run(core.close())


def test_plain_http_is_for_seats(door: tuple[Hall, str, str], phone: BrowserContext) -> None:
    """The page says so before anybody asks, with the other address; a seat goes on, whoever works
    is told why not."""
    core, plain, secured = door
    page = phone.new_page()
    page.goto(f"{plain}/pair")
    expect(page.get_by_test_id("elsewhere").locator("a")).to_have_attribute(
        "href", f"{secured}/pair"
    )
    asks(page)
    assert fits(page)
    core.let_in("cashier")
    expect(page.get_by_test_id("why")).to_contain_text(f"open {secured}/pair on it")
    expect(page.get_by_test_id("ask")).to_be_visible()
    core.people.clear()
    core.let_in("seat", "Bruno", 3)
    page.reload()
    expect(page.get_by_test_id("who-here")).to_contain_text("Bruno, seat 3")
    assert page.url == f"{plain}/seat"
    assert fits(page)
    page.get_by_test_id("who-here").click()
    expect(page.get_by_test_id("door-seat")).to_be_visible()
    assert fits(page)


def test_a_device_is_forgotten_by_itself(
    door: tuple[Hall, str, str], phone: BrowserContext
) -> None:
    """With the keyboard; it is at the board then, and has no cookie. No script ever saw it."""
    core, _, secured = door
    page = phone.new_page()
    page.goto(f"{secured}/pair")
    asks(page)
    core.let_in("host")
    expect(page.get_by_test_id("who")).to_have_text("Anna, host")
    assert page.evaluate("document.cookie") == ""
    [cookie] = phone.cookies()
    assert (cookie["name"], cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (
        SECURED_COOKIE,
        True,
        True,
        "Strict",
    )
    page.goto(secured)
    assert page.url == f"{secured}/start"
    expect(page.get_by_test_id("forget")).to_be_visible()
    page.get_by_test_id("forget").press("Enter")
    expect(page.locator("#board")).to_be_visible()
    assert page.url == f"{secured}/"
    assert phone.cookies() == []


def test_an_admins_device_is_forgotten_after_a_question(
    door: tuple[Hall, str, str], phone: BrowserContext
) -> None:
    """Nobody may be left who lets people in: that is told first, and left by Escape."""
    core, _, secured = door
    page = phone.new_page()
    page.goto(f"{secured}/pair")
    asks(page)
    core.let_in("admin")
    page.get_by_test_id("forget").click()
    expect(page.get_by_test_id("lost")).to_contain_text("an admin's device")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("sure")).to_have_count(0)
    assert len(core.people) == 1
    page.get_by_test_id("forget").click()
    page.get_by_test_id("do-it").click()
    expect(page.locator("#board")).to_be_visible()
    assert core.people == {}


def test_the_core_refuses_who_asks(door: tuple[Hall, str, str], phone: BrowserContext) -> None:
    """Its sentence is shown as it is, and one may ask again; so is the web's own."""
    core, _, secured = door
    core.refuses = "another device asks just now, “the <b>laptop</b>”: ask again in 90 seconds"
    page = phone.new_page()
    page.goto(f"{secured}/pair")
    page.get_by_test_id("name").fill("the tablet")
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("why")).to_have_text(core.refuses)
    page.get_by_test_id("ask").click()
    expect(page.get_by_test_id("why")).to_contain_text("one address asks once in ten")
    assert phone.cookies() == []
    assert fits(page)


def test_a_mistyped_address_is_a_page(door: tuple[Hall, str, str], phone: BrowserContext) -> None:
    """With a way to the board."""
    _, plain, _ = door
    page = phone.new_page()
    page.goto(f"{plain}/tabel")
    expect(page.locator("h1")).to_have_text("Nothing is here")
    assert fits(page)
    page.get_by_role("link", name="The board").click()
    expect(page.locator("#board")).to_be_visible()


def test_without_scripts_each_page_says_what_it_wants(
    loop: Loop, tmp_path: Path, browser: Browser
) -> None:
    """A sentence, and where there is one another way to do it."""
    core = Hall(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    app = make_app(
        core.path, tmp_path / "h", voice=VOICES / "en", wording=load_wording(), desk=True
    )
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    with served(loop, app) as url:
        for path in (
            "/",
            "/board",
            "/bench",
            "/desk",
            "/table",
            "/caller",
            "/treasurer",
            "/people",
            "/health",
            "/pair",
        ):
            page.goto(url + path)
            expect(page.locator("noscript p")).to_contain_text("JavaScript")
            expect(page.locator("noscript p")).to_be_visible()
    pages = Path(__file__).parents[3] / "station" / "screens" / "web" / "pages"
    wanting = [path for path in pages.glob("*.html") if "<script" in path.read_text()]
    silent = [path.name for path in wanting if "<noscript>" not in path.read_text()]
    assert silent == ["404.html"]  # it is whole without, in the language of whoever came
    context.close()
    loop.run(core.close())
    loop.run(core.close())
