"""The table's page before a real core: who sits where, what is refused and why, what is asked
before it costs, the race."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from drivers import Deliver, TagRead
from station import commands
from station.base.nouns import KNOBS
from station.cards import PACK_FILE
from station.cards.pack import make_pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.games import GAMES
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.screens import web
from station.screens.web.app import make_app
from station.settings.config import Settings
from station.settings.tags import FILE as TAGS
from station.settings.tags import to_toml
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.calling.test_preparing import Fake as FakeDriver
from tests.codes import codes_in
from tests.screens.web import canned
from tests.screens.web.conftest import acts_sent, fits_in_every_language, late, said
from tests.screens.web.fakes import Distant, FakeCore, Loop, get, post, served
from tests.screens.web.hands import some_time_after
from tests.support import CLOCK, tag_of

PACK = make_pack(4, Random(5))
PROGRAMME = Programme(
    name="t",
    games=(
        GamePlan(name="Six cards", method="loto-second", table=TablePlan(stake=240, cards=6)),
        GamePlan(
            name="The race",
            method="loto-parlour",
            table=TablePlan(stake=200, cards=24, answering="first"),
        ),
    ),
)
ID = "0123456789abcdef"
HEADERS = {"content-type": "application/json", "x-loto-table": "1"}


# -- what the page may send ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, FakeCore]]:
    """A page on this machine, and the core behind it."""
    loop = Loop()
    core = FakeCore(tmp_path_factory.mktemp("table") / "station.sock", canned.playing())
    loop.run(core.open())
    with served(
        loop, make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    ) as url:
        yield url, core
    loop.run(core.close())
    loop.close()


def send(url: str, path: str, body: Any, **headers: str) -> httpx.Response:
    """A request as the page itself sends it."""
    return post(url + path, content=json.dumps(body), headers={"origin": url, **HEADERS, **headers})


@pytest.mark.parametrize(
    "act",
    [
        "sit",
        "join",
        "open",
        "shake",
        "census-begin",
        "census-end",
        "draw",
        "undo",
        "move",
        "close",
        "break",
    ],
)
def test_a_hosts_acts_reach_the_core(standing: tuple[str, FakeCore], act: str) -> None:
    """Word for word, with the page's id, what it believes to have been drawn and what it has seen
    of the table."""
    url, core = standing
    order = {
        "id": ID,
        "do": {"act": act, "move": {"do": "settle"}},
        "expect": 3,
        "seen": "0123456789abcdef",
    }
    assert send(url, "/table/do", order).json() == {"ok": True}
    assert core.asked[-1] == order


def test_the_largest_company_fits_into_one_request(standing: tuple[str, FakeCore]) -> None:
    """Twenty-four players, each with the longest name that the page takes, in any script."""
    url, core = standing
    players = [
        {"name": "अ" * 38 + f"{seat:02}", "purse": 10_000_000, "takes": 1, "simulated": True}
        for seat in range(24)
    ]
    body = json.dumps(
        {"id": ID, "do": {"act": "sit", "players": players}}, ensure_ascii=False
    ).encode()
    answer = post(url + "/table/do", content=body, headers={"origin": url, **HEADERS})
    assert answer.json() == {"ok": True}
    assert core.asked[-1]["do"]["players"] == players


@pytest.mark.parametrize(
    "act", ["sell", "pay", "bank", "claim", "close-night", "off", "auto", "census", None]
)
def test_no_other_act_is_passed_on(standing: tuple[str, FakeCore], act: object) -> None:
    """Money, claims and the machine are not a host's at the table."""
    url, core = standing
    before = len(core.asked)
    assert send(url, "/table/do", {"id": ID, "do": {"act": act}}).status_code == 400
    assert (
        send(url, "/table/do", {"id": ID, "do": {"act": "draw"}, "expect": -1}).status_code == 400
    )
    assert send(url, "/table/ask", {"about": "money"}).status_code == 400
    assert len(core.asked) == before


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"origin": "http://evil.test"}, "not-this-station"),
        ({"x-loto-table": None}, "not-the-table"),
        ({"host": "evil.test"}, "not-this-station"),
    ],
)
def test_only_the_tables_own_page_is_heard(
    standing: tuple[str, FakeCore], header: dict[str, str | None], reason: str
) -> None:
    """A foreign page, a page without the header, a foreign name for this machine: refused."""
    url, _ = standing
    given = {
        key: value
        for key, value in {"origin": url, **HEADERS, **header}.items()
        if value is not None
    }
    answer = post(url + "/table/ask", content='{"about": "table"}', headers=given)
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, reason)


def test_where_anybody_could_reach_it_the_table_is_for_paired_devices(
    standing: tuple[str, FakeCore], tmp_path: Path
) -> None:
    """Others are sent to where a device is paired."""
    loop = Loop()
    with served(
        loop,
        make_app(tmp_path / "s", None, voice=VOICES / "en", wording=load_wording(), desk=False),
    ) as url:
        page = get(url + "/table")
        assert (page.status_code, page.headers["location"]) == (303, "/pair")
    loop.close()


# -- the page --------------------------------------------------------------------------------------


class Host:
    """A page at a station, and a host's hands on it."""

    def __init__(self, page: Page, loop: Loop, socket: Path, readers: dict[str, Deliver]) -> None:
        self.page, self._loop, self._socket, self._readers = page, loop, socket, readers

    def lay(self, *knobs: int) -> None:
        """These knobs on the reader, one after the other."""
        for knob in knobs:
            self._readers["rfid"](TagRead("reader", tag_of(knob), 0.0))

    def do(self, act: str, **arguments: Any) -> None:
        """Something done elsewhere: at the reader, on the command line."""

        async def work() -> Message:
            async with await Client.open(self._socket, "admin") as client:
                return await client.do(act, **arguments)

        answer = self._loop.run(work())
        assert answer.get("ok"), answer

    def serves(self, pages: str) -> None:
        """The web says where telephones find its pages."""

        async def work() -> None:
            async with await Client.open(self._socket, kind="web", pages=pages) as client:
                await client.request({"ask": {"about": "currency"}})

        self._loop.run(work())

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def says(self, text: str) -> None:
        expect(said(self.page)).to_contain_text(text)

    def comes(self, text: str) -> None:
        expect(self.page.get_by_test_id("next")).to_contain_text(text)

    def names(self) -> list[str]:
        return [
            field.input_value() for field in self.page.locator("#players input[name=name]").all()
        ]

    def cards(self, seat: int) -> list[list[int]]:
        """The rows of a seat's cards, as they are shown."""
        rows = self.page.locator(f'[data-seat="{seat}"] .face tr').all()
        return [[int(text) for text in row.locator("td").all_inner_texts() if text] for row in rows]


@pytest.fixture
def host(page: Page, tmp_path: Path) -> Iterator[Host]:
    """The table of a running station with `PROGRAMME`."""
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(PACK.to_csv())
    (tmp_path / TAGS).write_text(to_toml({tag_of(knob): knob for knob in range(1, KNOBS + 1)}))
    readers: dict[str, Deliver] = {}
    machine = Machine(
        clock=CLOCK,
        chance=Random(1),
        check_ground=lambda folder, *, test: None,
        make_driver=lambda driver, **_: FakeDriver(readers, driver, {}),
    )
    settings = Settings(devices={"reader": {"driver": "rfid", "port": "/dev/reader"}})
    loop = Loop()
    core = loop.call(
        lambda: Core(settings, tmp_path, tmp_path / "run", programme=PROGRAMME, machine=machine)
    )
    loop.run(core.open())
    app = make_app(
        core.run / SOCKET,
        None,
        voice=VOICES / "en",
        wording=load_wording(),
        token="s3cret",  # noqa: S106 - a test's
        desk=True,
    )
    with served(loop, app) as url:
        page.goto(f"{url}/table?token=s3cret")
        expect(page.locator("#table")).to_be_visible()
        assert page.url == f"{url}/table"
        yield Host(page, loop, core.run / SOCKET, readers)
        page.goto("about:blank")  # it would complain that the station went away
    loop.run(core.close())
    loop.close()


@pytest.mark.browser
def test_the_lead_has_no_scroll_of_its_own_on_a_laptop(host: Host) -> None:
    """Whatever is higher than the window is reached by the page's own scroll."""
    host.do("sit", players=[{"name": name, "takes": 2} for name in ("Anna", "Bruno", "Carla")])
    host.do("open")
    page = host.page
    expect(page.locator('[data-seat="1"] .card').first).to_be_visible()
    for width, height in ((1280, 800), (1280, 600), (1024, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".lead").evaluate("one => one.scrollHeight <= one.clientHeight + 1")


@pytest.mark.browser
@pytest.mark.long
def test_a_company_sits_down_and_leads_its_game(host: Host) -> None:
    """Seats by keyboard and by hand; refusals with their reasons; a short pool asks before anybody
    pays; the race.

    The station is slow, hands are quick, others change the table: nothing is lost, and nothing done
    twice.
    """
    page = host.page
    acts = acts_sent(page, "/table/do")
    # Written, set in order by arrows and by hand, and seated.
    host.comes("Seat the players")
    for place, name in enumerate(("Anna", "anna", "Carla")):
        if place:
            host.press("Add a player")
        page.keyboard.type(name, delay=60) if place else page.locator(
            "#players input[name=name]"
        ).fill(name)
    host.press("Seat them")
    host.says(
        "anna and Anna would be one name"
        if host.names()[0] == "anna"
        else "Anna and anna would be one name"
    )
    page.locator("#players input[name=name]").nth(1).fill("Bruno")
    page.get_by_role("button", name="Seat 3: one seat up").press("Enter")
    assert host.names() == ["Anna", "Carla", "Bruno"]
    handle, first = page.locator("#players .handle").nth(2), page.locator("#players li").first
    handle.hover()
    page.mouse.down()
    first.hover()
    page.mouse.up()
    assert host.names() == ["Bruno", "Anna", "Carla"]
    page.get_by_role("button", name="Seat 3: remove").click()
    page.locator("#players input[name=purse]").first.fill("7.5")
    host.press("Seat them")
    host.says("7.5 is not a sum: write it as 12.50")
    page.locator("#players input[name=purse]").first.fill("8.00")
    page.locator("#players select").first.select_option("1")
    page.locator("#players select").nth(1).select_option("0")
    with late(page, "/table/do"):
        host.press("Seat them")
        host.press("Seat them")
        page.locator("#players input[name=name]").first.fill("Bianca")
    host.says("2 seated.")
    host.comes("Open the next game")
    # What is written and not seated yet is seated when the game opens.
    host.press("Open game 1: Six cards")
    host.comes("Bianca counts the balls: 90")
    assert acts == ["sit", "sit", "sit", "open"]  # one of them was refused, one is the second name

    # What may not be done is there, and says why when it is pressed.
    settle = page.get_by_role("button", name="Settle the drawing")
    expect(settle).to_have_attribute("aria-disabled", "true")
    settle.press("Enter")
    host.says("0 of 10 balls drawn: draw on, then settle")
    # What costs is asked for first; left, it is not done. Somebody else begins to count while the
    # button is down.
    page.locator('[data-key="take-1"]').hover()
    page.mouse.down()
    host.do("census-begin")
    expect(page.get_by_test_id("counted-so-far")).to_have_text(
        "Lay each ball on the reader once: 0 of 90."
    )
    page.mouse.up()
    expect(page.get_by_test_id("dialog")).to_contain_text("Bianca pays 6 fish (£1.20).")
    page.keyboard.press("Escape")
    expect(page.locator('[data-seat="1"] .card')).to_have_count(1)
    # What another host has done meanwhile is not done once more; who has seen it may.
    for elsewhere in (True, False):
        page.locator('[data-key="take-1"]').click()
        if elsewhere:
            host.do("move", move={"do": "take", "seat": 1})
        page.get_by_test_id("dialog").get_by_role("button", name="One card more").click()
        host.says("nothing is done twice; look again" if elsewhere else "Bianca: One card more.")
        expect(page.locator('[data-seat="1"] .card')).to_have_count(2)
        page.locator("[data-key^=throw-up]").last.click()
        expect(page.get_by_test_id("dialog")).to_contain_text("Bianca gets 6 fish (£1.20).")
        page.get_by_test_id("dialog").get_by_role("button", name="Throw up").click()
        expect(page.locator('[data-seat="1"] .card')).to_have_count(1)

    # The bag passes the reader: what lies there is ticked off; what is missing at the end is named;
    # the rest is counted by hand.
    so_far = page.get_by_test_id("counted-so-far")
    host.lay(*range(1, 84))
    expect(so_far).to_have_text(
        "Lay each ball on the reader once: 83 of 90. Missing: 84, 85, 86, 87, 88, 89, 90."
    )
    host.press("End the count")
    host.says("the bag is not as it must be; missing: 84, 85, 86, 87, 88, 89 and 90.")
    expect(so_far).to_contain_text("83 of 90; missing: 84, 85,")
    host.press("Recount the faulty balls")
    expect(so_far).to_contain_text("Lay each ball on the reader once: 83 of 90.")
    host.lay(84)
    expect(so_far).to_contain_text("84 of 90.")

    # A knob keyed here, others laid on the reader meanwhile; one taken back.
    expect(page.locator("#steps button")).to_have_text(["Undo the last ball"])
    page.get_by_test_id("counted").fill("90")
    nobody = {"refused": {"reason": "away", "say": "the station did not answer within 10 s"}}
    page.route("**/table/do", lambda route: route.fulfill(json=nobody))
    host.press("Counted and shaken")
    host.says("check whether it was done before you press again")
    page.unroute("**/table/do")
    host.press("Counted and shaken")
    host.comes("Bianca has the bag")
    expect(page.get_by_role("button", name="Draw a ball", exact=True)).to_be_visible()
    row, *rest = host.cards(1)
    page.get_by_test_id("number").fill(str(row[0]))
    host.press("Enter it")
    host.says(f"Call {row[0]}? Press Enter, or “Enter it”, again.")
    some_time_after(page, 700)  # no part of a double click
    host.press("Enter it")
    host.says(f"{row[0]} entered.")
    expect(page.locator('[data-seat="1"] .marked.last')).to_have_text(str(row[0]))
    page.get_by_test_id("number").fill(str(row[0]))
    host.press("Enter it")
    host.says(f"Call {row[0]}?")
    some_time_after(page)
    page.get_by_test_id("number").press("Enter")
    host.says("was drawn already, and lies in cavity 1")
    others = [number for number in range(1, 91) if number not in {*row, *rest[0], *rest[1]}]
    for number in (*row[1:], *others[:5]):
        host.do("draw", number=number)
    expect(page.get_by_test_id("board").locator("li.empty")).to_have_count(0)
    adds = page.get_by_role("button", name="Everybody adds", exact=True)
    why = str(adds.get_attribute("title"))
    with late(page, "/table/do"):
        host.press("Undo the last ball")
        adds.press("Enter")
        host.says(why)
    # What was done has no words of its own: those that came meanwhile stay.
    expect(page.locator('[data-key="undo"]')).to_have_attribute("aria-busy", "false")
    host.says(why)
    expect(page.get_by_test_id("board").locator("li.empty")).to_have_count(1)
    host.do("draw", number=others[5])
    host.comes("Ten balls are drawn: the lines are paid now")
    expect(page.get_by_test_id("hand-1")).to_contain_text("5 on the cards")
    host.press("Settle the drawing")

    # Five on a row is 250, the pool of one card has 45: everybody adds, as often as needed, or the
    # game is finished.
    host.comes("The pool is short")
    settled = page.get_by_test_id("settled")
    expect(settled).to_contain_text("Drawing 1 · from the pool: ")
    expect(settled).to_contain_text("1 × Quinterne")
    settled.locator("summary").click()
    unpaid = settled.locator(".bad")
    expect(unpaid).to_contain_text("Quinterne: 2 contracts, 5 fish; paid so far: 4 fish")
    host.press("Everybody adds")
    expect(page.get_by_test_id("dialog")).to_contain_text(
        "Each player adds 45 counters for each of his cards"
    )
    page.get_by_test_id("dialog").get_by_role("button", name="Everybody adds").click()
    host.says("Everybody adds.")
    expect(unpaid).to_contain_text("paid so far: 9 fish")
    host.comes("The pool is short")
    # Somebody joins, while cards may change hands; a purse that is no sum is not taken.
    dialog = page.get_by_test_id("dialog")
    for purse in ("much", "20.00"):
        host.press("Add a player…")
        dialog.get_by_label("Name").fill("Dora")
        dialog.get_by_label("Purse").fill(purse)
        dialog.get_by_role("button", name="Add").click()
        host.says("much is not a sum" if purse == "much" else "Dora has joined. Next: a card.")
    expect(page.locator(".seat").last).to_contain_text("3. Dora")
    host.press("Nobody adds: finish")
    expect(page.get_by_test_id("dialog")).to_contain_text("What is not paid stays unpaid.")
    page.get_by_test_id("dialog").get_by_role("button", name="Nobody adds: finish").click()
    host.says("Nobody adds: finish.")
    host.comes("Open the next game")
    expect(page.locator("#why")).to_contain_text("BANKRUPTCY: not paid: ")
    expect(page.get_by_test_id("hand-1")).to_have_text("neither won nor lost")

    # Who was there before brings the purse of then, unless another is written.
    host.do("sit", players=[{"name": "Anna"}])
    expect(page.locator("#players li")).to_have_count(1)
    host.press("Add a player")
    for name, purse in (("bianca", "£8.00"), ("Emil", "£20.00")):
        page.locator("#players input[name=name]").last.fill(name)
        expect(page.locator("#players input[name=purse]").last).to_have_attribute(
            "placeholder", purse
        )

    # The race: who answers first covers, and only he; on a phone and on a large screen nothing
    # sticks out.
    players = [{"name": f"Player {seat} with a longer name", "takes": 1} for seat in range(1, 25)]
    host.do("sit", players=players)
    host.do("open")
    host.do("shake", counted=90)
    expect(page.locator(".seat .face")).to_have_count(24)
    number = host.cards(7)[0][0]
    host.do("draw", number=number)
    answers = page.get_by_test_id("answers").get_by_role("button")
    holders = [seat for seat in range(1, 25) if any(number in row for row in host.cards(seat))]
    wrong = next(seat for seat in range(1, 25) if seat not in holders)
    answers.nth(wrong - 1).click()
    expect(answers.nth(wrong - 1)).to_contain_text("wrong")
    answers.nth(holders[-1] - 1).click()
    expect(answers.nth(holders[-1] - 1)).to_contain_text("covers")
    answers.nth(holders[0] - 1).click()
    expect(answers.nth(holders[0] - 1)).to_contain_text("too late")
    expect(page.locator(".face .marked")).to_have_count(1)
    for width in (360, 390, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        parts = page.locator(".part:visible").evaluate_all(
            "parts => parts.map((part) => part.scrollWidth - part.clientWidth)"
        )
        assert set(parts) == {0}, width


@pytest.mark.browser
@pytest.mark.long
def test_every_language_fits(host: Host) -> None:
    """The company as it is written, the bag as it is counted, the game and what it asks first."""
    page = host.page

    def sitting() -> None:
        expect(page.get_by_test_id("players").locator("li")).to_have_count(2)

    def seated() -> None:
        expect(page.get_by_test_id("seats").locator("article")).to_have_count(2)
        page.locator('[data-key="break"]').click()
        expect(page.get_by_test_id("dialog")).to_be_visible()

    host.do("sit", players=[{"name": "Maximiliane"}, {"name": "Bruno"}])
    fits_in_every_language(page, sitting)
    host.do("open")
    host.do("census-begin")
    fits_in_every_language(page, seated)
    page.keyboard.press("Escape")
    page.locator('[data-key="census-end"]').click()
    expect(page.locator('[data-key="census-go-on"]')).to_be_visible()
    fits_in_every_language(page, seated)
    host.do("shake", counted=90)
    host.do("draw", number=42)
    fits_in_every_language(page, seated)


@pytest.mark.browser
def test_a_game_is_broken_off_by_whoever_is_sure(host: Host) -> None:
    """After the reason the page asks with what is lost; left, the game goes on; for another table
    by then it is asked again."""
    page = host.page
    host.do("sit", players=[{"name": name} for name in ("Anna", "Bruno")])
    host.do("open")
    lost = "Six cards is not played to its end, and cannot be any more: "

    def breaks_off() -> Locator:
        page.locator('[data-key="break"]').click()
        page.get_by_test_id("dialog").locator("input").fill("the light is gone")
        page.get_by_test_id("dialog").locator("button.main").click()
        dialog = page.get_by_test_id("sure")
        expect(dialog).to_contain_text(lost)
        expect(dialog.get_by_test_id("leave")).to_be_focused()
        return dialog

    breaks_off()
    page.keyboard.press("Enter")
    host.says("Cancelled. Nothing was done.")
    dialog = breaks_off()
    host.do("shake", counted=90)
    dialog.get_by_role("button", name="Do it").click()
    host.says("meanwhile something was done at the table")
    dialog = breaks_off()
    dialog.get_by_role("button", name="Do it").click()
    host.comes("Open the next game")


@pytest.mark.browser
@pytest.mark.long
def test_a_seats_telephone_finds_its_door(host: Host) -> None:
    """Where the station knows its address the page has a code of the page that lets devices in, and
    of nothing else; where no telephone could get there it has none."""
    expect(host.page.locator("#let-in")).to_be_hidden()
    host.serves("http://loto.local:8090")
    code = host.page.get_by_test_id("let-in")
    expect(code.get_by_role("img")).to_have_attribute(
        "aria-label", "The address where a phone asks to be let in"
    )
    assert codes_in(code.screenshot()) == ["http://loto.local:8090/pair"]
    fits_in_every_language(host.page, lambda: expect(code.get_by_role("img")).to_be_visible())


@pytest.mark.browser
def test_without_the_right_there_is_only_the_reason(page: Page, tmp_path: Path) -> None:
    """Where the web's own user only watches, the page says what to type on the station, and shows
    nothing else."""
    loop = Loop()
    core = Distant(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    with served(
        loop, make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    ) as url:
        page.goto(f"{url}/table")
        expect(page.locator("#away")).to_contain_text(
            "Use the station's own buttons, or ./loto table at the station."
        )
        expect(page.locator("#table")).to_be_hidden()
        page.goto("about:blank")
    loop.run(core.close())
    loop.close()


@pytest.mark.browser
def test_one_lost_answer_is_asked_for_again(host: Host) -> None:
    """Where the station is heard and one answer did not come, the page asks again by itself:
    it does not stay away until something else happens."""
    page = host.page
    lost: list[Message] = []

    def answer(route: Route) -> None:
        route.fulfill(json=lost.pop()) if lost else route.continue_()

    page.route("**/table/ask", answer)
    host.comes("Seat the players")
    lost.append({"refused": {"reason": "away", "say": "the station did not answer within 10 s"}})
    host.do("sit", players=[{"name": "Anna"}, {"name": "Bianca"}])
    expect(page.locator("#away")).to_be_visible()
    expect(page.locator("#away")).to_be_hidden()
    host.comes("Open the next game")
    assert not lost


# -- what it knows ---------------------------------------------------------------------------------

PAGES = Path(web.__file__).parent / "pages"
COMMANDS = Path(commands.__file__).parent
# What the host is told of the games that were there before zones, by fields of their own.
OLDER = {
    *("phase", "numbers", "drawer", "drawing", "left", "away", "pool", "table", "reserve"),
    *("in_money", "racing", "confirm", "adds", "offer", "answers", "wins", "settled", "choices"),
}
# A place on the table, and a move of a game; whose turn it is, and what a card is.
PLACES = {"answer", "turn"}


@pytest.mark.parametrize(
    "path",
    [*PAGES.glob("table*.*"), *(COMMANDS / f"{name}.py" for name in ("table", "tablemoves"))],
    ids=lambda path: path.name,
)
def test_neither_page_nor_command_knows_a_game(path: Path) -> None:
    """No game, none of its moves by name, and none of the older fields, which one game has and
    another has not."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\n +Example: .*", "", text) if path.suffix == ".py" else text
    moves = {do for play in GAMES.values() for do in play.moves} - PLACES
    assert not moves & set(re.findall(r"""["'`]([a-z-]+)["'`]""", text))
    assert not [name for name in GAMES if name in text]
    fields = "|".join(sorted(OLDER))
    assert not re.findall(rf"""told(?:\.(?:{fields})\b|\[["'](?:{fields})["'])""", text)
