"""Players who join, before a fake core: the cookie, what is passed on, and how often one
address may ask."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from station.screens.web.gate import MOST_ASKED, FewPerAddress
from station.screens.web.joining import IN_S, MOST_TRIES
from station.screens.web.people import OVER_PLAIN_HTTP, PLAIN_COOKIE, SECURED_COOKIE, key_of
from station.wire.wire import Message
from tests.screens.web.fakes import LIMIT_S
from tests.screens.web.test_pairing import Clock, Door, door

__all__ = ["door"]  # the fixture


def refusal(answer: httpx.Response) -> Message:
    told: Message = answer.json()["refused"]
    return told


class Phone:
    """A player's browser, with the joining page open."""

    def __init__(self, door: Door, url: str) -> None:
        self.url = url
        self.browser = httpx.Client(verify=False, timeout=LIMIT_S, base_url=url)  # noqa: S501 - the station's own
        self.page = self.browser.get("/join")
        door.core.asked.clear()

    def cookie(self, name: str) -> str:
        return str(self.browser.cookies.get(name) or "")

    def enter(self, name: str = "Anna", **headers: str) -> httpx.Response:
        sent = {"origin": self.url, "x-loto-join": "1", **headers}
        return self.browser.post("/join/enter", json={"name": name}, headers=sent)


@pytest.fixture
def phone(door: Door) -> Iterator[Phone]:
    phone = Phone(door, door.plain)
    yield phone
    phone.browser.close()


def test_the_page_brings_the_secret(door: Door, phone: Phone) -> None:
    """The core gets its digest alone, as a secret that went over plain http; over TLS the same
    cookie is another secret."""
    assert phone.page.status_code == 200
    cookie = phone.cookie(PLAIN_COOKIE)
    assert len(cookie) == 43
    phone.enter()
    [sent] = [one for one in door.core.asked if "join" in one]
    key = key_of(OVER_PLAIN_HTTP + cookie)
    assert sent["join"] == {"do": "enter", "name": "Anna", "key": key}
    assert "secret" not in sent
    secured = Phone(door, door.secured)
    secured.enter()
    [sent] = [one for one in door.core.asked if "join" in one]
    assert sent["join"]["key"] == key_of(secured.cookie(SECURED_COOKIE))
    secured.browser.close()


def test_a_cookie_is_kept_while_it_opens_something(door: Door) -> None:
    """A phone that is nobody's gets another one with each visit, and so does one whose player has
    left the table; a phone with a seat keeps its own."""
    phone = Phone(door, door.plain)
    before = phone.cookie(PLAIN_COOKIE)
    phone.browser.get("/join")
    assert phone.cookie(PLAIN_COOKIE) != before
    paired = door.paired("seat", door.plain, seat=3)
    before = paired.browser.cookies[PLAIN_COOKIE]
    paired.get("/join")
    assert paired.browser.cookies[PLAIN_COOKIE] == before
    left = door.paired("seat", door.plain, seat=0)
    before = left.browser.cookies[PLAIN_COOKIE]
    left.get("/join")
    assert left.browser.cookies[PLAIN_COOKIE] != before
    phone.browser.close()


def test_only_the_page_itself_enters(door: Door, phone: Phone) -> None:
    """Another site's does not, nor a form without the header, nor who has no cookie."""
    for headers in ({"origin": "http://evil.example"}, {"origin": ""}):
        assert phone.enter(**headers).status_code == 403
    sent = {"origin": phone.url}
    answer = phone.browser.post("/join/enter", json={"name": "Anna"}, headers=sent)
    assert (answer.status_code, refusal(answer)["reason"]) == (403, "not-the-join")
    phone.browser.cookies.clear()
    assert refusal(phone.enter())["reason"] == "no-cookie"
    assert [one for one in door.core.asked if "join" in one] == []


def test_a_name_that_cannot_be_sent_is_refused(phone: Phone) -> None:
    """It never reaches the core."""
    for name in ("", "x" * 201):
        assert phone.enter(name).status_code == 400
    sent = {"origin": phone.url, "x-loto-join": "1", "content-type": "application/json"}
    answer = phone.browser.post("/join/enter", content=b'{"name": "\\ud800"}', headers=sent)
    assert answer.status_code == 400


def test_one_address_asks_for_a_whole_table(door: Door, phone: Phone) -> None:
    """And no more often in a minute; then it may again."""
    for _ in range(MOST_TRIES):
        assert phone.enter().status_code == 200
    answer = phone.enter(**{"accept-language": "de"})
    assert (answer.status_code, refusal(answer)["reason"]) == (429, "too-soon")
    assert refusal(answer)["say"].startswith("Zu viele Versuche")
    assert 0 < int(answer.headers["retry-after"]) <= IN_S
    door.clock.now += IN_S
    assert phone.enter().status_code == 200


def test_addresses_are_told_apart_and_forgotten() -> None:
    """An IPv6 network is one; more addresses than are remembered wait."""
    clock = Clock()
    few = FewPerAddress(2, 60.0, clock)
    assert [few.left("10.0.0.1") for _ in range(3)] == [0, 0, 60]
    clock.now += 10
    assert (few.left("10.0.0.1"), few.left("10.0.0.2")) == (50, 0)
    assert [few.left(f"fd00::{number}") for number in range(3)] == [0, 0, 60]
    for number in range(MOST_ASKED - 3):
        assert few.left(f"11.{number // 256}.{number % 256}.1") == 0
    assert few.left("192.168.0.1") == 60
    clock.now += 60
    assert few.left("192.168.0.1") == 0
    assert len(few._since) == 1


def test_while_the_core_is_away(door: Door, phone: Phone) -> None:
    """The page says so; a phone keeps what it has."""
    before = phone.cookie(PLAIN_COOKIE)
    door.core.path.unlink()
    assert phone.enter().status_code == 503
    phone.browser.get("/join")
    assert phone.cookie(PLAIN_COOKIE) == before
