"""The first start of a flashed card: a page without rights asks; what has them checks, and does."""

from __future__ import annotations

import asyncio
import json
import os
import re
import tomllib
from html import unescape
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from station.base.catalogues import speak
from station.base.errors import Unreadable
from station.base.system import CommandFailed
from station.machine.first_start.finishing import (
    ASKED,
    MARK,
    TOLD,
    Doing,
    ask_by_form,
    pair_by_command,
)
from station.machine.first_start.sheet import print_sheet
from station.machine.hotspot import Wifi
from station.machine.install import Choices
from station.machine.setup.questions import KEEP
from station.screens.web.first import MOST_TRIES, FirstPage, make_first_page
from station.settings.config import SYSTEM_FILE
from tests.machines import Pi
from tests.paper_reader import read

CODE = "abcd-efgh-jkmn"
STATION = "http://10.42.0.1"


class Browser:
    """A browser that keeps its cookies and goes where it is sent."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.cookies = httpx.Cookies()
        self.headers = {"accept-language": "en"}

    def _send(self, method: str, path: str, **sent: object) -> httpx.Response:
        async def sends() -> httpx.Response:
            way = httpx.ASGITransport(self.app)
            known = {"cookies": self.cookies, "headers": self.headers, "follow_redirects": True}
            async with httpx.AsyncClient(transport=way, base_url=STATION, **known) as client:
                answer = await client.request(method, path, **sent)
                self.cookies = client.cookies
                return answer

        return asyncio.run(sends())

    def get(self, path: str) -> httpx.Response:
        return self._send("GET", path)

    def post(self, path: str, **sent: object) -> httpx.Response:
        return self._send("POST", path, **sent)


class Card:
    """A flashed card in its Pi: the page, what has the rights, and a browser."""

    def __init__(self, folder: Path) -> None:
        self.pi = Pi(folder / "root")
        self.pi.write(MARK.lstrip("/"), json.dumps({"code": CODE}))
        self.pi.write(str(SYSTEM_FILE).lstrip("/"), 'profile = "button"\n')
        self.asked, self.told = self.at(ASKED), self.at(TOLD)
        self.asked.parent.mkdir(parents=True)
        self.installed: list[Choices] = []
        self.paired: list[tuple[str, str]] = []

        def ask(answers, given):
            return ask_by_form(answers, self.pi.inventory, lambda: (), given, "button")

        page = FirstPage(CODE, ask, self.asked.parent, self.told)
        self.browser = Browser(make_first_page(page))

    def at(self, path: str) -> Path:
        return self.pi.inventory.system.at(path)

    def pair(self, digits: str, name: str) -> None:
        self.paired.append((digits, name))
        if digits != "402917":
            raise Unreadable("these are not the digits")

    def do(self) -> None:
        """What systemd starts once the file is there."""
        Doing(self.pi.inventory.system, self.installed.append, self.pair).do()

    def get(self) -> str:
        return unescape(self.browser.get("/").text)

    def post(self, **typed: str) -> str:
        return unescape(self.browser.post("/", data=typed).text)

    def answers(self, text: str) -> dict[str, str]:
        """What the form holds as it was shown."""
        boxes = re.findall(r'<input name="(ask [^"]*)" value="([^"]*)"', text)
        menus = re.findall(
            r'<select name="(ask [^"]*)">.*?value="([^"]*)" selected', text, re.DOTALL
        )
        return dict(boxes + menus)


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def test_it_is_set_up_by_a_telephone(card: Card) -> None:
    """Code, questions, the settings as `loto setup` writes them; then the first device."""
    assert "Set-up code" in card.get()
    shown = card.post(code=" ABCD efgh-JKMN ")
    answers = card.answers(shown)
    assert answers["ask What is the hall called?"] == "Village Hall"
    answers["ask What is the hall called?"] = "Barn <b>& Sons"
    shown = card.post(do="write", **answers)
    assert "Please wait" in shown
    assert "refresh" in shown
    card.do()
    written = tomllib.loads(card.at(str(SYSTEM_FILE)).read_text())
    assert written["hall"]["name"] == "Barn <b>& Sons"
    assert written["web"]["host"] == "0.0.0.0"  # noqa: S104
    assert card.installed == [Choices("button")]
    assert not card.at(MARK).exists()
    shown = card.get()
    assert "https://10.42.0.1:8443/pair" in shown
    card.post(do="pair", digits="111111", name="Anna")
    card.do()
    assert "these are not the digits" in card.get()
    card.post(do="pair", digits="402917", name="Anna")
    card.do()
    assert card.paired == [("111111", "Anna"), ("402917", "Anna")]
    assert "The station is ready. Its board: http://10.42.0.1:8090/" in card.get()


def test_an_answer_that_leads_to_a_question_shows_it_first(card: Card) -> None:
    """Nothing is written before whoever answers has seen all that is asked."""
    answers = card.answers(card.post(code=CODE))
    answers["ask Which devices are there?"] = "hall"
    shown = card.post(do="write", **answers)
    assert "Which kind of reader?" in shown
    assert not card.asked.exists()
    answers = card.answers(shown)
    assert answers["ask Which kind of reader?"] == KEEP
    answers["ask How many dots has the public screen?"] = "many"
    shown = card.post(do="write", **answers)
    assert "'many' is no size of a screen" in shown
    assert not card.asked.exists()
    answers["ask How many dots has the public screen?"] = "1280x720"
    assert "Please wait" in card.post(do="write", **answers)


def test_without_the_code_nothing_is_shown_and_nothing_is_done(card: Card) -> None:
    """Not the questions, no wish; after twenty wrong codes not even the right one opens."""
    for _ in range(MOST_TRIES - 1):
        assert "not the code" in card.post(code="abcd")
    assert "What is the hall called?" not in card.post(do="write")
    assert "Too many wrong codes" in card.post(code="")
    assert "Too many wrong codes" in card.post(code=CODE)
    assert not card.asked.exists()


def test_what_is_typed_is_text_and_has_an_end(card: Card) -> None:
    """A name that looks like markup is shown as it is; what no form sends is refused."""
    shown = card.browser.post("/", data={"code": CODE}).text
    named = card.answers(unescape(shown)) | {"ask What is the hall called?": '"><script>x</script>'}
    assert "<script>" not in card.browser.post("/", data=named).text
    assert card.browser.post("/", content=b"a" * 70_000).status_code == 413
    assert card.browser.post("/", content=b"a=%ff").status_code == 400
    assert card.browser.post("/", content=b"\xff").status_code == 400
    assert "default-src 'none'" in card.browser.get("/").headers["content-security-policy"]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"host": "evil.test"}, 403),
        ({"host": "10.42.0.1.evil.test"}, 403),
        ({"host": ""}, 403),
        ({"origin": "http://evil.test"}, 403),
        ({"origin": "null"}, 403),
        ({"x-much": "a" * 20_000}, 431),
        ({"host": "10.42.0.1", "origin": "http://10.42.0.1"}, 200),
        ({"host": "loto.local"}, 200),
    ],
)
def test_a_foreign_page_tries_no_code(card: Card, headers: dict[str, str], code: int) -> None:
    """It would use up the tries of the hall; so would a request without end."""
    for _ in range(MOST_TRIES + 1):
        answer = card.browser.post("/", data={"code": "wrong"}, headers=headers)
        assert answer.status_code == code
    late = "Too many wrong codes" in card.browser.get("/").text
    assert late == (code == 200)


def test_it_speaks_the_language_of_the_browser_or_the_chosen_one(card: Card) -> None:
    """A choice stays chosen."""
    card.browser.headers["accept-language"] = "it-IT,it;q=0.9"
    assert '<html lang="it">' in card.get()
    assert '<html lang="hi">' in card.browser.get("/?lang=hi").text
    assert '<html lang="hi">' in card.get()


@pytest.mark.parametrize(
    "asked",
    [
        b"",
        b"[]",
        b"{" * 9,
        b'{"do": "poweroff"}',
        b'{"do": "write"}',
        b'{"do": "write", "settings": "profile = 7"}',
        b'{"do": "write", "settings": "[hall]\\nname = \\"\\u0007\\""}',
        b'{"do": "pair", "digits": 402917, "name": "Anna"}',
        b"x" * 70_000,
    ],
)
def test_what_was_not_made_by_the_page_does_nothing(card: Card, asked: bytes) -> None:
    """Whoever wrote it: no settings, no command; a fault is told, and the file is gone."""
    before = card.at(str(SYSTEM_FILE)).read_bytes()
    card.asked.write_bytes(asked)
    card.do()
    assert json.loads(card.told.read_bytes())["fault"]
    assert not card.asked.exists()
    assert card.at(MARK).exists()
    assert card.at(str(SYSTEM_FILE)).read_bytes() == before
    assert (card.installed, card.paired) == ([], [])


def test_a_link_or_a_pipe_in_its_place_is_not_followed(card: Card, tmp_path: Path) -> None:
    """What it leads to stays as it is, nothing waits for it, and it is gone."""
    secret = tmp_path / "secret"
    secret.write_text('{"do": "end"}')
    card.asked.symlink_to(secret)
    card.do()
    assert secret.read_text() == '{"do": "end"}'
    assert json.loads(card.told.read_bytes())["fault"]
    assert not card.asked.is_symlink()
    os.mkfifo(card.asked)
    card.do()
    assert not card.asked.exists()


def test_a_device_is_let_in_by_the_stations_own_command(tmp_path: Path) -> None:
    """Six digits and nothing else reach it; a name is one word of the command, whatever it is."""
    pi = Pi(tmp_path)
    pair = pair_by_command(pi.inventory.system)
    for digits in ("", "40291", "4029170", "40291x", "--help"):
        with pytest.raises(Unreadable, match="six digits"):
            pair(digits, "Anna")
    with pytest.raises((Unreadable, CommandFailed)):
        pair("402917", "--as=caller")


def test_the_sheet_says_what_is_needed(tmp_path: Path) -> None:
    """In every language of the hall: one page, with passphrase and code."""
    wifi = Wifi("Barn", "passphrase1")
    for language in ("en", "it", "hi"):
        speak(language)
        (page,) = read(print_sheet(wifi, CODE, "loto-station"))
        for told in ("Barn", "passphrase1", CODE, "http://10.42.0.1"):
            assert told in page.text, (language, told)
