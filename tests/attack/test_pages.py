"""Hostile names on every page, in a real browser: each stands there as it was typed, and nothing
else comes of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import category

import pytest
from playwright.sync_api import Page, expect

from station.base.typed import shown, unfit
from station.cards import PACK_FILE
from station.cards.pack import make_pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.people.alike import person_of
from station.programme.programme import GamePlan, Programme, StagePlan
from station.programme.table import TablePlan
from station.record import requests
from station.screens.web.app import make_app
from station.settings.config import HallSettings, Settings
from station.wire.board_view import BoardView, Phase, Verdict
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests import tables
from tests.attack.test_names import OF_BEFORE, REFUSED, TYPED
from tests.screens.web import canned
from tests.screens.web.conftest import Hall, Visit, browser, hall, module_hall, page, visit
from tests.screens.web.fakes import Loop, served
from tests.support import CLOCK

__all__ = ["browser", "hall", "module_hall", "page", "visit"]  # the fixtures, of this file too

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
EVERYTHING = [*TYPED, *REFUSED.values()]
WORST = (
    "W" * 60,
    "<img src=x onerror=alert(1)>",
    REFUSED["a flood of enclosing marks"],
)  # in each view; of the others each in one
# What a name must not have made, what is read of the page by anybody, and how wide it is.
LOOK = """() => {
  const all = [...document.querySelectorAll("*")];
  const made = "script,img,iframe,object,embed,svg,link,style,base,meta,font,a,para";
  const programs = ["script", "style"];
  const texts = (one) => [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  const read = ["aria-label", "title", "placeholder", "alt"];
  return {
    cut: all.filter((one) => one.matches(".claim *, .pause *, .notice"))
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.className),
    made: all.filter((one) => one.matches(made)).length,
    handlers: all.flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith("on"))),
    text: [document.title, ...all.filter((one) => !programs.includes(one.localName))
      .flatMap((one) => [
        ...texts(one).map((node) => node.data),
        ...read.map((name) => one.getAttribute(name) ?? ""),
      ])],
    all: document.body.textContent,
    wide: document.documentElement.scrollWidth,
    out: all.filter((one) => !one.closest(".board"))
      .filter((one) => one.getBoundingClientRect().left + one.scrollWidth > innerWidth + 1)
      .map((one) => `${one.localName}#${one.id}.${one.className}`),
  };
}"""
SIGNED = """async (samples) => {
  const { shown } = await import("/pages/typed.js");
  const changed = (text) => {
    const seen = shown(text);
    return seen === text ? [] : [[text, seen]];
  };
  const point = (code) => String.fromCodePoint(code);
  const single = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (shown(point(code)) !== point(code)) single.push(code);
  }
  const around = samples.map((sample) => {
    const codes = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const text = sample.replaceAll("x", point(code));
      if (shown(text) !== text) codes.push(code);
    }
    return codes;
  });
  return { single, around };
}"""
# Joiners and selectors by what stands beside them, and floods of marks.
AROUND = ("x\u200dx", "x\u200c\u0915", "\u0915\u200dx", "x\ufe0f", "\ufe0ex", "axxxxx", "axxxx")


@pytest.mark.long
def test_a_page_shows_the_signs_that_all_else_shows(visit: Visit, hall: Hall) -> None:
    """The pages' own table is that of `station.base.typed`, over all characters, and of the first
    plane beside others."""
    visit.page.goto(hall.url)
    told = visit.page.evaluate(SIGNED, [*AROUND])
    assert told["single"] == [
        code for code in range(0x110000) if shown(chr(code), "\n\t") != chr(code)
    ]
    for sample, codes in zip(AROUND, told["around"], strict=True):
        texts = {code: sample.replace("x", chr(code)) for code in range(0x10000)}
        ours = {code for code, text in texts.items() if shown(text, "\n\t") != text}
        # The browser may know marks of a newer Unicode than this Python.
        assert [
            code for code in ours.symmetric_difference(codes) if category(chr(code)) != "Cn"
        ] == [], sample
    for name in EVERYTHING:
        seen = visit.page.evaluate(
            'async (name) => (await import("/pages/typed.js")).shown(name)', name
        )
        assert seen == shown(name, "\n\t")


# -- what only canned views show: every field at once ----------------------------------------------

SAID = {
    "hall",
    "holder",
    "name",
    "text",
    "notice",
    "status",
    "label",
    "change",
    "offer",
    "follows",
    "thing",
    "coming",
}


def renamed(told: Any, name: str, key: str = "") -> Any:
    """A view, or what the hands say, with this name for every text in it that people read."""
    if isinstance(told, dict):
        return {key: renamed(value, name, key) for key, value in told.items()}
    if isinstance(told, list | tuple):
        return [renamed(value, name, key) for value in told]
    return name if isinstance(told, str) and told and key in SAID else told


def views() -> Iterator[BoardView]:
    """The board in all that it can show."""
    yield canned.stopped(canned.claim(Verdict.VALID, "x"))
    yield canned.won()
    yield canned.at_once()
    yield canned.between()
    yield canned.paused()
    yield canned.troubled()
    yield canned.halted()
    yield tables.view(tables.drawn(tables.company(6), 10))
    yield tables.view(tables.company(6), phase=Phase.BETWEEN, table=None)


def looks(page: Page, before: dict[str, Any] | None = None) -> dict[str, Any]:
    """What is on the page: nothing that a name made, nothing that nobody sees, nothing wider than
    the window."""
    told: dict[str, Any] = page.evaluate(LOOK)
    assert told["handlers"] == []
    assert [text for text in told["text"] if unfit(text, "\n\t")] == []
    assert told["cut"] == []
    assert told["wide"] <= PHONE["width"], told["out"]
    assert before is None or told["made"] == before["made"]
    return told


@pytest.mark.long
@pytest.mark.parametrize("address", ["/", "/bench"])
def test_boards_show_any_name_as_it_is(visit: Visit, hall: Hall, address: str) -> None:
    """Hall, games, holders, prizes, sentences, in every phase: there where a harmless one is, among
    as many elements."""
    page, seq = visit.page, 1000
    page.on("dialog", lambda dialog: visit.complaints.append(f"a dialog: {dialog.message}"))
    page.set_viewport_size(PHONE)
    page.goto(hall.url + address)

    def show(view: BoardView, name: str) -> dict[str, Any]:
        nonlocal seq
        seq += 1
        hall.bench(
            {
                **renamed(canned.pointing_out("0001"), name),
                "table": {"coming": False, "company": 6, "racing": False},
                "lamps": {"draw": str(seq)},
            }
        )
        hall.show(BoardView.model_validate({**renamed(view.model_dump(), name), "seq": seq}))
        expect(page.locator(f'.board[data-seq="{seq}"]')).to_have_count(1)
        if address == "/bench":  # the machine comes on a line of its own
            expect(page.locator(f'[data-button="draw"][data-lamp="{seq}"]')).to_have_count(1)
        return looks(page)

    for place, view in enumerate(seen := [*views()]):
        plain = show(view, "Anna")
        for name in {*EVERYTHING[place :: len(seen)], *WORST}:
            told = show(view, name)
            assert (told["made"], shown(name, "\n\t") in told["all"]) == (
                plain["made"],
                "Anna" in plain["all"],
            ), name


# -- a whole station -------------------------------------------------------------------------------

SEATS = 22
PACK = make_pack(12, Random(5))  # a card for each name
STAGES = (StagePlan(pattern="row", share=40), StagePlan(pattern="full"))


@contextlib.contextmanager
def station(page: Page, folder: Path, name: str, *, table: bool) -> Iterator[tuple[str, Any]]:
    """A station whose hall, programme and games are called so; gives its address, and what does an
    act there."""
    race = GamePlan(
        name=name, method="loto-parlour", table=TablePlan(stake=200, cards=24, answering="first")
    )
    game = GamePlan(name=name, price=150, stages=STAGES, tickets=True)
    (folder / "packs").mkdir(parents=True)
    (folder / "packs" / PACK_FILE).write_text(PACK.to_csv())
    machine = Machine(clock=CLOCK, chance=Random(1), check_ground=lambda folder, *, test: None)
    programme = Programme(name=name, games=(race if table else game,) * 24, approve_above=100)
    settings = Settings(hall=HallSettings(name=name))
    loop = Loop()
    core = loop.call(
        lambda: Core(settings, folder, folder / "run", programme=programme, machine=machine)
    )
    loop.run(core.open())

    def do(act: str, **arguments: Any) -> None:
        async def work() -> Message:
            async with await Client.open(core.run / SOCKET, "admin") as client:
                answer = await client.request(
                    {"id": f"{act}-{Random().random()}", "do": {"act": act, **arguments}}
                )
                if answer.get("refused", {}).get("reason") == "sure?":
                    sure = {"seen": answer["refused"]["seen"], "sure": True}
                    answer = await client.request(
                        {
                            "id": f"{act}-{Random().random()}",
                            "do": {"act": act, **arguments},
                            **sure,
                        }
                    )
                return answer

        answer = loop.run(work())
        assert answer.get("ok"), answer

    app = make_app(
        core.run / SOCKET,
        None,
        voice=VOICES / "en",
        wording=load_wording(),
        token="s3cret",  # noqa: S106 - a test's
        desk=True,
    )
    try:
        with served(loop, app) as url:
            yield url, do
            page.goto("about:blank")  # it would complain that the station went away
    finally:
        loop.run(core.close())
        loop.close()


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    """A page in the hand; a dialog would be an alert of some name's."""
    alerts: list[str] = []
    page.on("dialog", lambda dialog: alerts.append(dialog.message))
    page.set_viewport_size(PHONE)
    yield page
    assert alerts == []


@pytest.fixture(params=["typed", "of before"])
def names(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names that are let in, and those that were once."""
    if request.param == "typed":
        return [name for name in TYPED if name != "0"]
    monkeypatch.setattr(requests, "refuse_unseen", lambda do: None)
    return [*OF_BEFORE.values()]


@pytest.mark.long
def test_a_desk_shows_any_name_as_it_is(phone: Page, names: list[str], tmp_path: Path) -> None:
    """Buyers, sellers, winners, who approves: on the card, in the lists, in what was done and in
    the question before."""
    page = phone
    with station(phone, tmp_path, names[0], table=False) as (url, do):
        page.goto(f"{url}/desk?token=s3cret")
        expect(page.locator("#desk")).to_be_visible()
        before = looks(page)
        for serial, name in zip(PACK.serials, names, strict=False):
            do("sell", serials=[serial], to=name, by=name)
        do("open")
        takings = page.get_by_test_id("takings")
        expect(takings.locator("tbody tr")).to_have_count(len(names))
        assert [name for name in names if shown(name) not in looks(page, before)["all"]] == []
        for serial, name in zip(PACK.serials, names, strict=False):
            page.get_by_test_id("card").fill(serial)
            page.get_by_test_id("card").press("Enter")
            expect(page.get_by_test_id("found")).to_contain_text(serial)
            assert shown(name) in (page.get_by_test_id("found").text_content() or "")
            looks(page, before)
        for number in PACK.cards()[0].rows[0]:
            do("draw", number=number)
        do("claim", serial=PACK.serials[0])
        do("play-on")
        owed = page.get_by_test_id("owed")
        expect(owed).to_contain_text(shown(names[0]))
        looks(page, before)


def companies(names: list[str]) -> Iterator[list[str]]:
    """All of them at a table; of names that are compared as one only one at a time."""
    while names:
        here = [*{person_of(name): name for name in names}.values()][:SEATS]
        yield here
        names = [name for name in names if name not in here]


@pytest.mark.long
def test_a_table_shows_any_name_as_it_is(phone: Page, names: list[str], tmp_path: Path) -> None:
    """Who sits there, in every list, and in the question before a game is broken off."""
    page = phone
    with station(phone, tmp_path, names[0], table=True) as (url, do):
        page.goto(f"{url}/table?token=s3cret")
        expect(page.locator("#table")).to_be_visible()
        before = looks(page)
        for company in companies(names):
            players = company if len(company) > 1 else [*company, "Anna"]
            do("sit", players=[{"name": name, "takes": 1} for name in players])
            fields = page.locator("#players input[name=name]")
            expect(fields).to_have_count(len(players))
            looks(page, before)
            do("open")
            do("shake", counted=90)
            expect(page.locator(".seat").first).to_contain_text(shown(players[0]))
            told = looks(page, before)
            assert [name for name in company if shown(name) not in told["all"]] == []
            expect(page.locator("#knob")).to_be_visible()
            page.locator('[data-key="break"]').click()
            page.get_by_test_id("dialog").locator("input").fill(players[0])
            page.get_by_test_id("dialog").locator("button.main").click()
            expect(page.get_by_test_id("sure")).to_contain_text("is not played to its end")
            looks(page, before)
            page.keyboard.press("Enter")
            do("break", why="on")
