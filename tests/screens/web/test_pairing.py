"""Devices that are paired, before a fake core: the cookie, what is passed on for whom, and what
plain http may carry."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection

from station.screens.web.app import make_app
from station.screens.web.gate import MOST_ASKED, FewPerAddress
from station.screens.web.guard import Guard
from station.screens.web.people import (
    FULL,
    LANES,
    ME,
    MOST_WAITING,
    NOBODY,
    PLAIN_COOKIE,
    SECURED_COOKIE,
    People,
    key_of,
    refusal,
)
from station.screens.web.people_pages import ASKED_EVERY_S
from station.wire.wire import ClientLink, Message
from station.wire.wording import VOICES, load_wording
from station.wire.wording.refusals import load_refusals
from tests.screens.web import canned
from tests.screens.web.fakes import LIMIT_S, Hall, Loop, served_twice

SELL = {"id": "0123456789abcdef", "do": {"act": "sell", "serials": ["0001"]}}
ASK = {"about": "money"}


class Clock:
    """Seconds that a test lets pass."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Door:
    """A web without a desk of its own on two ports, and the core behind it."""

    def __init__(self, core: Hall, clock: Clock, plain: str, secured: str, guard: Guard) -> None:
        self.core, self.clock, self.plain, self.secured = core, clock, plain, secured
        self.guard = guard
        self.devices: list[Device] = []

    def device(self, url: str) -> Device:
        self.clock.now += ASKED_EVERY_S
        self.devices.append(Device(self, url))
        return self.devices[-1]

    def paired(self, role: str, url: str = "", **more: Any) -> Device:
        """A device that was let in."""
        device = self.device(url or self.secured)
        assert device.send("/pair/ask", {"name": "the tablet"}).status_code == 200
        self.core.let_in(role, **more)
        return device


class Device:
    """A browser: it keeps its cookies, and sends what the station's own pages send."""

    def __init__(self, door: Door, url: str) -> None:
        self.door, self.url = door, url
        self.browser = httpx.Client(verify=False, timeout=LIMIT_S, base_url=url)  # noqa: S501 - the station's own

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.browser.get(path, headers=headers)

    def send(self, path: str, body: Any, **headers: str | None) -> httpx.Response:
        page = path.split("/")[1]
        given = {"origin": self.url, f"x-loto-{page}": "1", **headers}
        return self.browser.post(
            path,
            json=body,
            headers={key: value for key, value in given.items() if value is not None},
        )

    @property
    def cookie(self) -> str:
        return next(iter(self.browser.cookies.values()), "")


def told(answer: httpx.Response) -> tuple[int, str]:
    """The code, and the reason of a refusal."""
    return answer.status_code, answer.json().get("refused", {}).get("reason", "")


@pytest.fixture(params=[False])
def door(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Door]:
    loop = Loop()
    core = Hall(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    clock = Clock()

    guards: list[Guard] = []

    def make(port: int) -> Any:
        app = make_app(
            core.path,
            None,
            voice=VOICES / "en",
            wording=load_wording(),
            tls_port=port,
            plain=request.param,
            clock=clock,
        )
        guards.append(app.state.guard)
        return app

    with served_twice(loop, tmp_path, make) as (plain, secured):
        door = Door(core, clock, plain, secured, guards[0])
        yield door
        for device in door.devices:
            device.browser.close()
    loop.run(core.close())
    loop.close()


def test_a_device_is_let_in(door: Door) -> None:
    """The core gets a digest, the device the secret and the digits; then what it sends is its
    person's."""
    device = door.device(door.secured)
    assert told(device.get("/pair/me")) == (200, "not-paired")
    asked = device.send("/pair/ask", {"name": "the tablet"})
    assert asked.json() == {"answer": {"digits": "123456", "seconds": 120}}
    assert door.core.asked == [{**door.core.asked[0], "pair": door.core.asks[0]}]
    digest = hashlib.sha256(device.cookie.encode()).hexdigest()
    assert door.core.asks == [{"do": "ask", "name": "the tablet", "key": digest}]
    assert told(device.get("/pair/me")) == (200, "not-paired")
    door.core.let_in("cashier")
    me = device.get("/pair/me").json()
    assert (me["answer"]["name"], me["answer"]["role"], me["doors"]) == (
        "Anna",
        "cashier",
        ["desk", "health", "board"],
    )
    assert device.send("/desk/do", SELL).json() == {"ok": True, "answer": {"by": "Anna"}}
    assert door.core.asked[-1] == {**SELL, "secret": device.cookie}


@pytest.mark.parametrize(
    ("side", "name", "flags"),
    [
        ("secured", SECURED_COOKIE, {"HttpOnly", "Path=/", "SameSite=strict", "Secure"}),
        ("plain", PLAIN_COOKIE, {"HttpOnly", "Path=/", "SameSite=strict"}),
    ],
)
def test_the_cookie_is_the_device_s_alone(
    door: Door, side: str, name: str, flags: set[str]
) -> None:
    """No script reads it, no foreign site sends it, and over TLS no plain http and no other host
    gets or sets it; 256 bits of it are luck."""
    device = door.device(getattr(door, side))
    kept = device.send("/pair/ask", {"name": "x"}).headers["set-cookie"]
    pair, *said = kept.split("; ")
    assert pair.partition("=")[0] == name
    assert len(pair.partition("=")[2]) == 43
    assert set(said) == flags | {"Max-Age=604800"}
    other = door.device(getattr(door, side))
    assert other.send("/pair/ask", {"name": "x"}).headers["set-cookie"].split("; ")[0] != pair


@pytest.mark.parametrize("page", ["/desk", "/table", "/start"])
def test_a_page_opens_for_a_paired_device_alone(door: Door, page: str) -> None:
    """Others are sent to where they ask; so are they with a cookie that is nobody's."""
    for device in (door.device(door.secured), door.device(door.plain)):
        for cookie in ("", "x" * 43):
            if cookie:
                device.browser.cookies.set(
                    SECURED_COOKIE if device.url == door.secured else PLAIN_COOKIE, cookie
                )
            answer = device.get(page)
            assert (answer.status_code, answer.headers["location"]) == (303, "/pair")
    answer = door.paired("admin").get(page)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_the_first_page_is_the_board_or_a_device_s_own(door: Door) -> None:
    """Who is not paired finds the board at `/`, who is finds it at `/board`."""
    device = door.device(door.secured)
    board = device.get("/board").text
    assert device.get("/").text == board
    assert door.core.asked == []  # for a crowd without cookies the core is not asked
    device = door.paired("host")
    assert (device.get("/").status_code, device.get("/").headers["location"]) == (303, "/start")
    assert device.get("/board").text == board


def test_a_stolen_or_ended_secret_opens_nothing(door: Door) -> None:
    """One that is nobody's, one that was made up, one whose pairing has ended."""
    device = door.paired("cashier")
    assert told(device.send("/desk/do", SELL)) == (200, "")
    door.core.people.clear()
    assert told(device.send("/desk/do", SELL)) == (200, "not-paired")
    for cookie in ("", "short", "y" * 43, "*" * 43):
        device.browser.cookies.clear()
        device.browser.cookies.set(SECURED_COOKIE, cookie)
        assert told(device.send("/desk/do", SELL))[1] == "not-paired", cookie
    assert [
        message for message in door.core.asked if "do" in message and "secret" not in message
    ] == []


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"origin": None}, "not-the-desk"),
        ({"origin": "https://evil.test"}, "not-this-station"),
        ({"origin": "null"}, "not-this-station"),
        ({"x-loto-desk": None}, "not-the-desk"),
        ({"host": "evil.test", "origin": "https://evil.test"}, "not-this-station"),
    ],
)
def test_a_foreign_page_uses_no_pairing(
    door: Door, headers: dict[str, str | None], reason: str
) -> None:
    """The browser would send the cookie along: nothing reaches the core."""
    device = door.paired("cashier")
    before = len(door.core.asked)
    assert told(device.send("/desk/do", SELL, **headers)) == (403, reason)
    assert told(device.send("/desk/ask", ASK, **headers)) == (403, reason)
    assert len(door.core.asked) == before


def test_each_port_is_a_page_of_its_own(door: Door) -> None:
    """A page that came over plain http, and that anybody may have changed on its way, sends nothing
    over TLS; nor the other way round."""
    device = door.paired("cashier")
    for foreign in (door.plain, device.url.replace("https", "http")):
        assert told(device.send("/desk/do", SELL, origin=foreign)) == (403, "not-this-station")
    other = door.paired("seat", door.plain, seat=2)
    for foreign in (door.secured, other.url.replace("http", "https")):
        assert told(other.send("/desk/do", SELL, origin=foreign)) == (403, "not-this-station")


@pytest.mark.parametrize("path", ["/pair/ask", "/pair/forget"])
@pytest.mark.parametrize(
    "headers", [{"origin": None}, {"origin": "https://evil.test"}, {"x-loto-pair": None}]
)
def test_a_foreign_page_pairs_and_forgets_nothing(
    door: Door, path: str, headers: dict[str, str | None]
) -> None:
    """It would take the place of a device that asks, or log somebody out."""
    device = door.device(door.secured)
    answer = device.send(path, {"name": "x"}, **headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert door.core.asked == []


def test_over_plain_http_a_seat_plays_and_nobody_else_works(door: Door) -> None:
    """The sentence names the address at which the same device may be more."""
    seat = door.paired("seat", door.plain, seat=3)
    assert seat.get("/pair/me").json()["answer"]["seat"] == 3
    assert seat.send("/table/ask", {"about": "table"}).json()["ok"]
    for role in ("cashier", "admin", "caller", "watcher"):
        device = door.paired(role, door.plain)
        me = device.get("/pair/me")
        assert told(me) == (200, "only-with-tls")
        assert f"{door.secured}/pair" in me.json()["refused"]["say"]
        assert me.json()["secured"] == f"{door.secured}/pair"
        before = len(door.core.asked)
        assert told(device.send("/desk/do", SELL)) == (200, "only-with-tls")
        assert all("do" not in message for message in door.core.asked[before:])
        assert device.get("/desk").headers["location"] == "/pair"


def test_what_was_heard_on_plain_http_opens_nothing_over_tls(door: Door) -> None:
    """An admin let a device in as a cashier at the plain address, and somebody listened: the secret
    is worth nothing there, and nothing under the other cookie's name."""
    heard = door.paired("cashier", door.plain)
    thief = door.device(door.secured)
    for name in (SECURED_COOKIE, PLAIN_COOKIE):
        thief.browser.cookies.set(name, heard.cookie)
    assert told(thief.get("/pair/me")) == (200, "not-paired")
    assert told(thief.send("/desk/do", SELL)) == (200, "not-paired")


@pytest.mark.parametrize("door", [True], indirect=True)
def test_the_settings_may_let_everybody_in_over_plain_http(door: Door) -> None:
    """`[people] plain = true`: a hall that trusts its Wi-Fi."""
    device = door.paired("cashier", door.plain)
    assert device.send("/desk/do", SELL).json()["ok"]
    assert device.get("/desk").status_code == 200
    assert door.device(door.plain).get("/pair/me").json()["secured"] is None


def test_one_address_asks_once_in_ten_seconds(door: Door) -> None:
    """So that nobody takes the place of all others; the sentence says how long to wait."""
    first, second = door.device(door.secured), door.device(door.secured)
    assert told(first.send("/pair/ask", {"name": "x"})) == (200, "")
    door.clock.now += ASKED_EVERY_S - 1
    again = second.send("/pair/ask", {"name": "x"})
    assert told(again) == (429, "too-soon")
    assert "ask again in 1 seconds" in again.json()["refused"]["say"]
    assert len(door.core.asks) == 1
    door.clock.now += 1
    assert told(second.send("/pair/ask", {"name": "x"})) == (200, "")


def test_who_asks_again_is_the_same_device(door: Door) -> None:
    """The page was loaded anew while it waited: the core knows it by its digest. A cookie that this
    web did not make last is not taken over."""
    device = door.device(door.secured)
    planted = "p" * 43
    device.browser.cookies.set(SECURED_COOKIE, planted)
    device.send("/pair/ask", {"name": "x"})
    door.clock.now += ASKED_EVERY_S
    device.browser.cookies.delete(SECURED_COOKIE, domain="")
    device.send("/pair/ask", {"name": "x"})
    assert door.core.asks[0]["key"] == door.core.asks[1]["key"]
    assert door.core.asks[0]["key"] != hashlib.sha256(planted.encode()).hexdigest()


@pytest.mark.parametrize("name", ["", None, 5, "x" * 300, "\ud800"])
def test_a_name_that_cannot_be_sent_is_refused(door: Door, name: Any) -> None:
    """In words, before it reaches the core."""
    device = door.device(door.secured)
    answer = device.browser.post(
        "/pair/ask",
        content=json.dumps({"name": name}),  # httpx itself writes no half a letter
        headers={
            "origin": device.url,
            "x-loto-pair": "1",
            "content-type": "application/json",
        },
    )
    assert told(answer) == (400, "unreadable")
    assert door.core.asked == []


@pytest.mark.parametrize("role", ["cashier", "admin"])
def test_a_device_is_forgotten(door: Door, role: str) -> None:
    """It has no cookie any more, and its pairing has ended: who kept the secret has nothing."""
    device = door.paired(role)
    kept = device.cookie
    answer = device.send("/pair/forget", {})
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert device.cookie == ""
    assert told(device.get("/pair/me")) == (200, "not-paired")
    device.browser.cookies.set(SECURED_COOKIE, kept)
    assert told(device.get("/pair/me")) == (200, "not-paired")
    assert told(device.send("/desk/do", SELL)) == (200, "not-paired")


@pytest.mark.parametrize("used", [True, False])
def test_who_was_let_in_and_asks_again_gets_another_secret(door: Door, used: bool) -> None:
    """So whatever role it is let in as then, the secret of the one before opens nothing; also where
    the device asks again before it has sent anything else."""
    device = door.paired("cashier")
    before = device.cookie
    if used:
        device.get("/pair/me")
    door.clock.now += ASKED_EVERY_S
    device.send("/pair/ask", {"name": "the tablet"})
    door.core.let_in("caller")
    assert device.get("/pair/me").json()["answer"]["role"] == "caller"
    assert device.cookie != before
    device.browser.cookies.clear()
    device.browser.cookies.set(SECURED_COOKIE, before)
    assert told(device.get("/pair/me")) == (200, "not-paired")


@pytest.mark.parametrize(
    ("role", "doors"),
    [
        ("caller", ["caller", "desk", "table", "health"]),
        ("cashier", ["desk", "health"]),
        ("checker", ["desk", "health"]),
        ("treasurer", ["desk", "treasurer", "health"]),
        ("host", ["table", "health"]),
        ("auditor", ["treasurer", "health"]),
        ("admin", ["caller", "desk", "treasurer", "table", "people", "health"]),
        ("seat", ["seat"]),
    ],
)
def test_each_role_finds_its_doors(door: Door, role: str, doors: list[str]) -> None:
    """And no door at which it would only be refused."""
    assert door.paired(role).get("/pair/me").json()["doors"] == [*doors, "board"]


def test_what_is_not_there_is_a_page_for_people(door: Door) -> None:
    """With the ways on, where a browser asks for a page; for programs it is JSON."""
    device = door.device(door.secured)
    page = device.get("/nowhere", accept="text/html,*/*")
    assert (page.status_code, "/board" in page.text) == (404, True)
    assert page.headers["content-type"].startswith("text/html")
    assert told(device.get("/nowhere")) == (404, "not-found")
    assert told(device.get("/pages/nowhere.js")) == (404, "not-found")


def test_what_a_page_is_told_is_in_its_language(door: Door) -> None:
    """The first that it accepts and the station has goes with each wish to the core, which answers
    in it; the web's own refusals are in it too."""
    stranger, italian = door.device(door.secured), {"accept-language": "ja, it-IT;q=0.9, de"}
    say = stranger.get("/pair/me", **italian).json()["refused"]["say"]
    assert say == load_refusals("it")[str(NOBODY)]
    assert stranger.get("/pair/me").json()["refused"]["say"] == str(NOBODY)
    device = door.paired("cashier")
    device.send("/desk/do", SELL, **italian)
    assert door.core.asked[-1]["lang"] == "it"
    device.send("/desk/do", SELL, **{"accept-language": "ja"})
    assert "lang" not in door.core.asked[-1]


def test_the_core_is_away(door: Door) -> None:
    """A paired device's page opens and says so; `/` is the board, which says so too."""
    device = door.paired("cashier")
    door.core.path.unlink()
    assert device.get("/desk").status_code == 200
    assert device.get("/").status_code == 200
    assert told(device.get("/pair/me")) == (503, "away")
    assert told(device.send("/desk/do", SELL)) == (503, "away")
    door.clock.now += ASKED_EVERY_S
    assert told(device.send("/pair/ask", {"name": "x"})) == (503, "away")


class Slow(Hall):
    """A core that keeps whoever it does not know waiting."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, canned.playing())
        self.answers = asyncio.Event()

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        if key_of(message.get("secret", "")) not in self.people:
            await self.answers.wait()
        return await super()._handle(link, message)


def test_a_crowd_of_made_up_cookies_keeps_no_paired_device_waiting(tmp_path: Path) -> None:
    """It has few connections to the core, waits in a line of its own, and is told when that is
    full."""
    loop = Loop()
    core = Slow(tmp_path / "station.sock")
    core.people[key_of("Anna's")] = {"name": "Anna", "role": "cashier", "seat": 0, "acts": []}

    async def evening() -> None:
        people = People(core.path, tls_port=None, plain=False)
        assert "answer" in await people.ask(ME, "Anna's")
        crowd = [asyncio.create_task(people.ask(ME, f"x{n}")) for n in range(MOST_WAITING + 9)]
        turned_away = await asyncio.gather(*crowd[MOST_WAITING:])
        assert turned_away == [refusal("full", FULL, None)] * 9
        assert "answer" in await people.ask(ME, "Anna's")
        assert core.watchers <= LANES[False] + 1  # hers may not have ended yet
        core.answers.set()
        waited = await asyncio.gather(*crowd[:MOST_WAITING])
        assert {told["refused"]["reason"] for told in waited} == {"not-paired"}

    loop.run(core.open())
    loop.run(evening())
    loop.run(core.close())
    loop.close()


def test_a_paired_device_keeps_its_seat_in_a_full_house(door: Door) -> None:
    """As whoever has the token does; not before the core knew it, and not after it has ended."""
    device = door.device(door.secured)
    device.send("/pair/ask", {"name": "x"})

    def keeps() -> bool:
        kept = f"{SECURED_COOKIE}={device.cookie}".encode()
        scope = {"type": "http", "scheme": "https", "headers": [(b"cookie", kept)]}
        return door.guard.keeps_seat(HTTPConnection({**scope, "query_string": b""}))

    device.get("/pair/me")
    assert not keeps()
    door.core.let_in("cashier")
    device.get("/pair/me")
    assert keeps()
    door.core.people.clear()
    device.get("/pair/me")
    assert not keeps()


def test_patience_is_bounded() -> None:
    """However many addresses come, so many are remembered; an IPv6 network is one."""
    clock = Clock()
    patience = FewPerAddress(1, 10.0, clock)
    assert patience.left("fd00::1") == 0
    assert patience.left("fd00::2") == 10.0
    assert [patience.left(f"10.0.{n // 250}.{n % 250}") for n in range(MOST_ASKED - 1)] == [0] * (
        MOST_ASKED - 1
    )
    assert patience.left("192.168.1.1") == 10.0
    clock.now += 10.0
    assert patience.left("192.168.1.1") == 0
