"""The page on which an admin lets people in, before a real core over TLS: from a device that asks
to the end of the admin's own pairing. All of it is in this process; `test_pair_page` has the web in
its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Page, expect

from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.proofs import PINS_FILE
from station.people.pairings import PAIRED, TRIES, TRIES_A_NIGHT, TRIES_ALL, TRIES_EACH, key_of
from station.screens.web.app import make_app
from station.screens.web.people import SECURED_COOKIE
from station.screens.web.worded import PAGES
from station.settings.config import Settings
from station.wire.wire import SOCKET
from station.wire.wording import VOICES, load_wording
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import fits_in_every_language, said
from tests.screens.web.fakes import Loop, served_twice
from tests.screens.web.test_desk_page import PACK, PROGRAMME
from tests.screens.web.test_pair_page import Station, asks, fits, loop, phone
from tests.support import CLOCK, verify

__all__ = ["loop", "phone"]  # the fixtures, of this file too

pytestmark = pytest.mark.browser

POSTED = """async ([path, body]) => {
  const headers = { "Content-Type": "application/json", "X-Loto-People": "1" };
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}"""


@pytest.fixture
def station(loop: Loop, tmp_path: Path) -> Iterator[Station]:
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(PACK.to_csv())
    machine = Machine(clock=CLOCK, check_ground=lambda folder, *, test: None)
    core = loop.call(
        lambda: Core(Settings(), tmp_path, tmp_path / "run", programme=PROGRAMME, machine=machine)
    )
    loop.run(core.open())

    def make(port: int) -> FastAPI:
        socket, wording = core.run / SOCKET, load_wording()
        return make_app(socket, None, voice=VOICES / "en", wording=wording, tls_port=port)

    with served_twice(loop, tmp_path, make) as (_, secured):
        yield Station(loop, core, tmp_path, secured)
    loop.run(core.close())
    verify(tmp_path)


def ask_from(station: Station, name: str) -> str:
    """A device asks to be let in; gives its digits."""
    asked = {"do": "ask", "name": name, "key": key_of(name.ljust(43, "-"))}
    return str(station.say(pair=asked)["answer"]["digits"])


def other_than(digits: str) -> str:
    return "000000" if digits != "000000" else "111111"


@pytest.fixture
def admin(station: Station, phone: BrowserContext) -> Iterator[Page]:
    """The admin's telephone, at the page."""
    page = phone.new_page()
    page.goto(f"{station.url}/people")
    assert page.url == f"{station.url}/pair"
    station.let_in(asks(page, "a phone"), "admin", "Ada")
    page.get_by_test_id("door-people").click()
    expect(page.get_by_test_id("people")).to_contain_text("Ada, admin · this device")
    yield page
    page.goto("about:blank")


def test_an_admin_lets_a_tablet_in(station: Station, admin: Page) -> None:
    """Who asks appears by itself; wrong digits are told with the tries that are left; whoever is
    let in stands in the record by the admin, and in the list."""
    expect(admin.get_by_test_id("who-asks")).to_have_text("No device is asking now.")
    expect(admin.get_by_test_id("let-in")).to_be_hidden()
    digits = ask_from(station, "the <b>tablet")
    expect(admin.get_by_test_id("who-asks")).to_have_text("“the <b>tablet” asks to be let in.")
    expect(admin.get_by_test_id("tries")).to_contain_text(f"Tries left: {TRIES}")
    expect(admin.get_by_test_id("role")).to_have_value("")  # nobody is let in by a slip
    admin.get_by_test_id("role").select_option("caller")
    admin.get_by_test_id("digits").fill(other_than(digits))
    admin.get_by_role("button", name="Let it in").click()
    expect(said(admin)).to_contain_text(f"Tries left: {TRIES - 1}")
    expect(admin.get_by_test_id("tries")).to_contain_text(f"Tries left: {TRIES - 1}")
    admin.get_by_test_id("digits").fill(f"{digits[:3]} {digits[3:]}")
    admin.get_by_test_id("name").fill("Bruno")
    expect(admin.get_by_test_id("seat")).to_be_hidden()
    admin.get_by_test_id("role").select_option("seat")
    admin.get_by_test_id("seat").fill("3")
    admin.keyboard.press("Enter")
    expect(said(admin)).to_have_text("Bruno has been let in: seat 3.")
    bruno = admin.get_by_test_id("people").locator("li", has_text="Bruno, seat 3")
    expect(bruno).to_contain_text("let in on night 1")
    assert station.recorded[-1] == ("pair", "Ada")
    assert fits(admin)
    ask_from(station, "another")
    expect(admin.get_by_test_id("who-asks")).to_contain_text("another")
    assert admin.get_by_test_id("digits").input_value() == ""
    admin.get_by_role("button", name="Refuse").click()
    expect(said(admin)).to_have_text("The device was refused.")
    expect(admin.get_by_test_id("who-asks")).to_have_text("No device is asking now.")


def test_who_sits_at_the_table_is_taken_for_a_player(station: Station, admin: Page) -> None:
    """By the name under which he asks, however it is spelt: his seat stands there to be confirmed;
    for anybody else nothing is chosen."""
    company = {"answer": {"company": [{"name": "Anna"}, {"name": "Bruno"}]}}
    admin.route("**/people/ask", lambda route: route.fulfill(json=company))
    ask_from(station, "the bar")
    expect(admin.get_by_test_id("who-asks")).to_contain_text("the bar")
    expect(admin.get_by_test_id("role")).to_have_value("")
    admin.get_by_role("button", name="Refuse").click()
    expect(said(admin)).to_have_text("The device was refused.")
    digits = ask_from(station, "BRUNO")
    expect(admin.get_by_test_id("role")).to_have_value("seat")
    expect(admin.get_by_test_id("seat")).to_have_value("2")
    admin.get_by_test_id("digits").fill(digits)
    admin.keyboard.press("Enter")
    expect(said(admin)).to_have_text("BRUNO has been let in: seat 2.")


def test_pairing_that_was_closed_is_opened_again(station: Station, admin: Page) -> None:
    """After twenty wrong tries nobody is let in; the page says so, and has the way out."""
    for _ in range(TRIES_A_NIGHT // TRIES):
        digits = ask_from(station, "x")
        for _ in range(TRIES):
            wrong = {"do": "confirm", "digits": other_than(digits), "role": "caller"}
            assert station.say(pair=wrong)["refused"]["reason"] == "wrong-digits"
    expect(admin.get_by_test_id("who-asks")).to_contain_text("twenty times")
    admin.get_by_role("button", name="Open pairing again").click()
    expect(said(admin)).to_have_text("Pairing is open again.")
    expect(admin.get_by_test_id("who-asks")).to_have_text("No device is asking now.")
    assert len(ask_from(station, "y")) == 6


def test_pins_are_made_once_and_freed(station: Station, admin: Page) -> None:
    """What was made is shown until it is put away, and nowhere again; what is locked is told."""
    assert admin.get_by_role("button", name="Unlock all PINs").get_attribute("aria-disabled")
    admin.get_by_test_id("pin-whose").fill("Ada")
    admin.get_by_role("button", name="Make a PIN").click()
    expect(said(admin)).to_have_text("Ada has a new PIN.")
    shown = admin.get_by_test_id("made-pin").locator("b").inner_text()
    assert shown.replace(" ", "").isdecimal()
    expect(admin.get_by_test_id("pins")).to_contain_text("Ada has a PIN.")
    expect(admin.get_by_test_id("people")).to_contain_text("on others a PIN")
    admin.get_by_role("button", name="Hide it").click()
    expect(admin.get_by_test_id("made-pin")).to_be_empty()
    assert shown.replace(" ", "") not in admin.content()
    file = station.state / PINS_FILE
    book = json.loads(file.read_text())
    for wrong, each, told in (
        (TRIES_EACH, TRIES_EACH, "Ada: locked after wrong tries."),
        (TRIES_ALL, 0, "Ada: locked after wrong tries."),
    ):
        pins = [{**pin, "wrong": each} for pin in book["pins"]]
        file.write_text(json.dumps({"pins": pins, "wrong": wrong}))
        expect(admin.get_by_test_id("pins")).to_have_text(told)
        expect(admin.get_by_test_id("people")).to_contain_text("the PIN is locked")
        admin.get_by_role("button", name="Unlock all PINs").click()
        expect(said(admin)).to_have_text("All PINs are unlocked.")
        expect(admin.get_by_test_id("pins")).to_have_text("Ada has a PIN.")


def test_a_pairing_is_renamed_and_ended_after_a_question(station: Station, admin: Page) -> None:
    """What is lost is told first; so is that no admin is left, and that it is one's own device."""
    station.let_in(ask_from(station, "the tablet"), "cashier", "Ben")
    row = admin.get_by_test_id("people").locator("li", has_text="Ben, cashier")
    row.get_by_role("button", name="Rename").click()
    expect(admin.get_by_test_id("new-name")).to_have_value("Ben")
    admin.get_by_test_id("new-name").fill("Benno")
    admin.keyboard.press("Enter")
    expect(said(admin)).to_have_text("Ben is now Benno.")
    row = admin.get_by_test_id("people").locator("li", has_text="Benno, cashier")
    lost = admin.get_by_test_id("lost")
    row.get_by_role("button", name="End").click()
    expect(lost).to_contain_text("The device of Benno (cashier) will be refused")
    admin.keyboard.press("Escape")
    expect(said(admin)).to_contain_text("Nothing was done")
    assert station.recorded[-1] == ("rename", "Ada")
    row.get_by_role("button", name="End").click()
    admin.get_by_test_id("do-it").click()
    expect(said(admin)).to_contain_text("The device of Benno, cashier, has been removed.")
    assert station.recorded[-1] == ("unpair", "Ada")
    station.let_in(ask_from(station, "another"), "admin", "Alma")
    own = admin.get_by_test_id("people").locator("li", has_text="this device")
    expect(admin.get_by_test_id("people").locator("li")).to_have_count(2)
    own.get_by_role("button", name="End").click()
    expect(lost).to_contain_text("This is your own device")
    expect(lost).not_to_contain_text("No admin's device would be left")
    admin.get_by_test_id("leave").click()
    alma = admin.get_by_test_id("people").locator("li", has_text="Alma")
    alma.get_by_role("button", name="End").click()
    admin.get_by_test_id("do-it").click()
    expect(admin.get_by_test_id("people").locator("li")).to_have_count(1)
    own.get_by_role("button", name="End").click()
    expect(lost).to_contain_text("No admin's device would be left")
    admin.get_by_test_id("do-it").click()
    expect(admin.locator("#board")).to_be_visible()
    admin.goto(f"{station.url}/people")
    assert admin.url == f"{station.url}/pair"


@pytest.mark.long
@pytest.mark.parametrize("role", [role for role in PAIRED if role != "admin"])
def test_nobody_else_lets_people_in(station: Station, browser: Browser, role: str) -> None:
    """The page says so, and what is sent all the same the core refuses."""
    seat = 1 if role == "seat" else 0
    digits = ask_from(station, "x")
    confirm = {"do": "confirm", "digits": digits, "role": role, "name": "Ben", "seat": seat}
    assert station.say(pair=confirm).get("ok")
    context = browser.new_context(ignore_https_errors=True)
    context.set_default_timeout(LIMIT_MS)
    cookie = {"name": SECURED_COOKIE, "value": "x".ljust(43, "-"), "url": station.url}
    context.add_cookies([{**cookie, "secure": True}])  # type: ignore[list-item, typeddict-item]
    page = context.new_page()
    page.goto(f"{station.url}/people")
    expect(page.locator("#away")).to_contain_text("Only an admin can let devices in")
    expect(page.locator("#parts")).to_be_hidden()
    digits = ask_from(station, "another")
    for path, body in (
        ("pair", {"do": "show"}),
        ("pair", {"do": "confirm", "digits": digits, "role": "admin"}),
        ("pair", {"do": "open"}),
        ("pair", {"do": "refuse"}),
        ("pins", {"do": "show"}),
        ("pins", {"do": "make", "name": "Ben"}),
        ("pins", {"do": "free"}),
        ("do", {"id": "0123456789", "do": {"act": "unpair", "key": key_of("x".ljust(43, "-"))}}),
    ):
        answer = page.evaluate(POSTED, [f"/people/{path}", body])
        assert answer["refused"]["reason"] == "not-your-role", (path, body)
    for body in ({"do": "ask", "name": "x", "key": "0" * 64}, {"do": "forget"}):
        answer = page.evaluate(POSTED, ["/people/pair", body])
        assert answer["refused"]["reason"] == "unreadable"
    context.close()


@pytest.mark.long
def test_the_page_fits_in_every_language(station: Station, admin: Page) -> None:
    """With somebody who asks, and a PIN that was made."""
    station.say(pins={"do": "make", "name": "Konstantin " * 5})

    def opens() -> None:
        ask_from(station, "the tablet at the door beside the coats, on the left")
        expect(admin.get_by_test_id("let-in")).to_be_visible()

    fits_in_every_language(admin, opens)


def test_each_role_that_can_be_paired_can_be_chosen() -> None:
    """In this order, and no other."""
    words = json.loads((PAGES / "people.en.json").read_text())
    roles = [key.removeprefix("role-") for key in words if key.startswith("role-")]
    assert roles == list(PAIRED)
