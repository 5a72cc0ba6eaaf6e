"""A paired device on a station whose pages are open to this machine, or to whoever has the token:
before a real core it is its person's first, and the station's own user's only when it is
nobody's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from station.cards import PACK_FILE
from station.cards.pack import make_pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.people.pairings import key_of
from station.programme.programme import GamePlan, Programme
from station.screens.web.app import make_app
from station.screens.web.guard import COOKIE
from station.screens.web.people import OVER_PLAIN_HTTP, PLAIN_COOKIE
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.fakes import LIMIT_S, FakeHands, Loop, served
from tests.support import CLOCK

PROGRAMME = Programme(name="t", games=(GamePlan(name="one", price=150),))
TOKEN = "s3cret"  # noqa: S105 - of a test


class Station:
    """A whole station, its pages, and what stands in its record."""

    def __init__(self, loop: Loop, state: Path, token: str | None) -> None:
        (state / "packs").mkdir()
        (state / "packs" / PACK_FILE).write_text(make_pack(2).to_csv())
        machine = Machine(clock=CLOCK, check_ground=lambda folder, *, test: None)
        self.loop, self.state, self.token = loop, state, token
        self.core = loop.call(
            lambda: Core(Settings(), state, state / "run", programme=PROGRAMME, machine=machine)
        )
        self.hands = FakeHands(state / "hands", canned.bench())
        self.url = ""
        self.browsers: list[Browser] = []

    def app(self, *, plain: bool) -> Any:
        return make_app(
            self.core.run / SOCKET,
            self.hands.path,
            voice=VOICES / "en",
            wording=load_wording(),
            token=self.token,
            desk=True,
            plain=plain,
        )

    def say(self, **message: Any) -> Message:
        """What somebody types at the station."""

        async def work() -> Message:
            async with await Client.open(self.core.run / SOCKET, "admin") as client:
                return await client.request(message)

        return self.loop.run(work())

    def last(self) -> tuple[str, str]:
        """What was done last, and by whom."""
        line = json.loads((self.state / "nights/0001/journal.jsonl").read_text().splitlines()[-1])
        return str(line["do"]["act"]), str(line["by"])


class Browser:
    """A browser on this machine; where there is a token, it has shown it before."""

    def __init__(self, station: Station) -> None:
        self.station = station
        self._at = httpx.Client(base_url=station.url, timeout=LIMIT_S)
        station.browsers.append(self)
        if station.token:
            assert self.opens(f"/desk?token={station.token}") == 200
            assert self._at.cookies[COOKIE]

    def pair(self, role: str, **more: Any) -> None:
        """Is let in under a name of its own."""
        secret = role.ljust(43, "-")
        key = key_of(OVER_PLAIN_HTTP + secret)
        asked = self.station.say(pair={"do": "ask", "name": "x", "key": key})["answer"]
        confirm = {"digits": asked["digits"], "role": role, "name": role.title(), **more}
        assert self.station.say(pair={"do": "confirm", **confirm}).get("ok")
        self._at.cookies.set(PLAIN_COOKIE, secret)

    def close(self) -> None:
        self._at.close()

    def opens(self, path: str) -> int:
        return self._at.get(path).status_code

    def send(self, path: str, body: Any) -> Message:
        page = path.split("/")[1]
        headers = {"origin": self.station.url, f"x-loto-{page}": "1"}
        return dict(self._at.post(path, json=body, headers=headers).json())

    def do(self, page: str, act: str, turn: int, **more: Any) -> Message:
        """Send an act, from the page that has it."""
        body = {"id": f"{page}-{act}-{turn:04d}", "do": {"act": act, **more}}
        return self.send(f"/{page}/do", body)


@pytest.fixture(params=[None, TOKEN], ids=["this machine", "token"])
def station(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Station]:
    loop = Loop()
    station = Station(loop, tmp_path, request.param)
    loop.run(station.core.open())
    loop.run(station.hands.open())
    with served(loop, station.app(plain=True)) as station.url:
        yield station
        for browser in station.browsers:
            browser.close()
    loop.run(station.hands.close())
    loop.run(station.core.close())
    loop.close()


def reason(answer: Message) -> str:
    return str(answer.get("refused", {}).get("reason", ""))


def test_a_paired_device_is_its_person_s_first(station: Station) -> None:
    """A cashier sells under her name and draws nothing, a seat may neither; nobody's device is the
    station's own user's, before a pairing and after its end."""
    browser = Browser(station)
    assert browser.do("desk", "sell", 1, serials=["0001"]).get("ok")
    own = station.last()[1]
    browser.pair("cashier")
    assert browser.do("desk", "sell", 2, serials=["0002"]).get("ok")
    assert station.last() == ("sell", "Cashier")
    assert own != "Cashier"
    assert reason(browser.do("caller", "open", 3)) == "not-your-role"
    assert reason(browser.do("caller", "draw", 4, number=5)) == "not-your-role"
    assert browser.send("/desk/ask", {"about": "me"})["answer"]["name"] == "Cashier"
    assert browser.opens("/desk") == 200
    browser.pair("seat", seat=1)
    assert reason(browser.do("desk", "return", 5, serials=["0001"])) == "not-your-role"
    assert reason(browser.do("caller", "open", 6)) == "not-your-role"
    for one in station.say(ask={"about": "people"})["answer"]["people"]:
        assert station.say(do={"act": "unpair", "key": one["key"], "why": "lost"}).get("ok")
    assert browser.do("caller", "open", 7).get("ok")
    assert station.last() == ("open", own)


def test_nor_are_its_papers_and_the_bench_s_commands_another_s(station: Station) -> None:
    """A paper is fetched, and a command of the bench given, as the person whose device it is; the
    hands themselves are moved by whoever is at the bench."""
    browser = Browser(station)
    assert browser.opens("/treasurer/report.pdf?line=1") == 404
    assert browser.send("/bench/hand", {"hand": "do", "do": {"act": "open"}}).get("ok")
    assert station.hands.asked.get(timeout=LIMIT_S)["do"] == {"act": "open"}
    browser.pair("cashier")
    assert browser.opens("/treasurer/report.pdf?line=1") == 403
    asked = {"hand": "do", "do": {"act": "open"}}
    assert reason(browser.send("/bench/hand", asked)) == "not-your-role"
    assert station.hands.asked.empty()
    assert browser.send("/bench/hand", {"hand": "press", "button": "draw"}).get("ok")


def test_over_plain_http_a_person_is_not_another_either(station: Station) -> None:
    """Where plain http carries seats alone, a cashier is told so, and is not the own user."""
    with served(station.loop, station.app(plain=False)) as station.url:
        browser = Browser(station)
        browser.pair("cashier")
        assert reason(browser.do("desk", "sell", 1, serials=["0001"])) == "only-with-tls"
        assert browser.opens("/desk") == 303
