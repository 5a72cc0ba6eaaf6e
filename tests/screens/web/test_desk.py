"""The desk's requests: who may send them, which acts and questions are passed on, and what the core
is told."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from station.screens.web.app import make_app
from station.screens.web.guard import COOKIE
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.fakes import Distant, FakeCore, Loop, get, post, served

ID = "0123456789abcdef"
SELL = {"id": ID, "do": {"act": "sell", "serials": ["0001"], "by": "Ben"}}
ASK = {"about": "card", "serial": "0001"}


class Hall:
    """A fake core, and the web before it."""

    def __init__(self, loop: Loop, core: FakeCore, folder: Path) -> None:
        self.loop, self.core, self.folder = loop, core, folder

    def app(self, token: str | None = None, *, desk: bool = True) -> Any:
        path = self.core.path
        return served(
            self.loop,
            make_app(
                path, None, voice=VOICES / "en", wording=load_wording(), token=token, desk=desk
            ),
            0,
        )


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    loop = Loop()
    core = FakeCore(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    yield Hall(loop, core, tmp_path)
    loop.run(core.close())
    loop.close()


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, FakeCore]]:
    """A desk on this machine, and the core behind it, for all tests that leave them as they are."""
    folder = tmp_path_factory.mktemp("desk")
    loop = Loop()
    core = FakeCore(folder / "station.sock", canned.playing())
    loop.run(core.open())
    with Hall(loop, core, folder).app() as url:
        yield url, core
    loop.run(core.close())
    loop.close()


def send(url: str, path: str, body: Any, **headers: str | None) -> httpx.Response:
    """A request as the desk's own page sends it; a header of None is left out."""
    given: dict[str, str | None] = {
        "origin": url,
        "x-loto-desk": "1",
        **{key.replace("_", "-"): headers[key] for key in headers},
    }
    given["content-type"] = "application/json"
    # As any program might send it: httpx itself writes neither NaN nor half a letter.
    content = body if isinstance(body, bytes) else json.dumps(body)
    return post(
        url + path,
        content=content,
        headers={key: value for key, value in given.items() if value is not None},
    )


def test_what_the_page_sends_reaches_the_core(hall: Hall) -> None:
    """A question and an act, word for word; the act with the page's id, so that sent twice it is
    done once."""
    with hall.app() as url:
        assert send(url, "/desk/do", SELL).json() == {"ok": True}
        assert send(url, "/desk/ask", ASK).json() == {"ok": True}
    asked = [message for message in hall.core.asked if "do" in message or "ask" in message]
    assert asked[0] == SELL
    assert asked[1]["ask"] == ASK


@pytest.mark.parametrize(
    "body",
    [
        {"id": ID, "do": {"act": "draw", "number": 5}},
        {"id": ID, "do": {"act": "open"}},
        {"id": ID, "do": {"act": "undo", "why": "x"}},
        {"id": ID, "do": {"act": "close-night"}},
        {"id": ID, "do": {"act": "census-begin"}},
        {"id": ID, "do": {"act": "pair", "key": "x"}},
        {"id": ID, "do": {"act": "off"}},
        {"id": ID, "do": {}},
        {"id": ID, "do": None},
        {"id": "short", "do": {"act": "sell"}},
        {"id": ID + "\n", "do": {"act": "sell"}},
        {"do": {"act": "sell"}},
        {"id": ID, "do": {"act": "sell"}, "as": "admin"},
        {"id": ID, "do": {"act": "sell"}, "expect": 5},
        {"id": ID, "do": {"act": "sell"}, "sure": "yes"},
        {"id": ID, "do": {"act": "sell"}, "sure": 1},
        {"id": ID, "do": {"act": "sell", "by": "\ud800"}},
        {"id": ID, "do": {"act": "sell", "\ud800": "Ben"}},
        {"id": ID, "do": {"act": "sell", "paid": math.nan}},
        [],
        "sell",
        b"{",
        b"\xff",
        b"[" * 1500 + b"]" * 1500,
        # what the core does not read, and would never answer
        {"id": ID, "do": {"act": "sell", "x" * 201: "\x18"}},
        {"id": ID, "do": {"act": "sell", "paid": 10**50}},
        {
            "id": ID,
            "do": {
                "act": "sell",
                "paid": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],
            },
        },
        f'{{"id": "{ID}", "do": {{"act": "sell", "paid": 1e999}}}}'.encode(),
    ],
)
def test_no_other_act_is_passed_on(standing: tuple[str, FakeCore], body: Any) -> None:
    """Nobody draws, opens, takes back or ends anything over the network; what is no order is
    refused in words."""
    url, core = standing
    answer = send(url, "/desk/do", body)
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (400, "unreadable")
    assert core.asked == []


@pytest.mark.parametrize("about", ["register", "lots", "sales", "census", "weather", None, 5])
def test_no_other_question_is_passed_on(standing: tuple[str, FakeCore], about: Any) -> None:
    """Only what the page needs; nor one that the wire cannot carry."""
    url, core = standing
    assert send(url, "/desk/ask", {"about": about}).status_code == 400
    assert send(url, "/desk/ask", {"about": "card", "serial": "\ud800"}).status_code == 400
    assert core.asked == []


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"origin": None}, "not-the-desk"),
        ({"origin": "http://evil.test"}, "not-this-station"),
        ({"origin": "null"}, "not-this-station"),
        ({"x_loto_desk": None}, "not-the-desk"),
        ({"host": "evil.test", "origin": "http://evil.test"}, "not-this-station"),
        ({"host": "[::1", "origin": "http://[::1"}, "not-this-station"),
        ({"origin": "http://[::1"}, "not-this-station"),
    ],
)
@pytest.mark.parametrize(("path", "body"), [("/desk/do", SELL), ("/desk/ask", ASK)])
def test_only_the_desk_s_own_page_is_heard(
    standing: tuple[str, FakeCore],
    path: str,
    body: Any,
    headers: dict[str, str | None],
    reason: str,
) -> None:
    """A foreign page, a foreign name for this machine, a form without the header: refused, and
    nothing reaches the core."""
    url, core = standing
    answer = send(url, path, body, **headers)
    assert get(url + "/desk", headers={"host": "evil.test"}).status_code == 403
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, reason)
    assert core.asked == []


def test_with_a_token_only_the_cookie_counts(hall: Hall) -> None:
    """The token opens the page and gives a cookie, which opens the bench too; without it no request
    is heard."""
    with hall.app("s3cret") as url:
        assert get(url + "/desk").headers["location"] == "/pair"
        assert get(url + "/desk?token=wrong").status_code == 403
        page = get(url + "/desk?token=s3cret")
        assert page.status_code == 200
        cookie = f"{COOKIE}={page.cookies[COOKIE]}"
        assert send(url, "/desk/do", SELL).status_code == 403
        assert send(url, "/desk/do", SELL, cookie=f"{COOKIE}=s3cret").status_code == 403
        assert send(url, "/desk/do", SELL, cookie=cookie).json() == {"ok": True}


def test_where_anybody_could_reach_it_the_desk_is_for_paired_devices(hall: Hall) -> None:
    """Others are sent to where a device is paired, and no request of theirs reaches the core."""
    with hall.app(desk=False) as url:
        page = get(url + "/desk")
        assert (page.status_code, page.headers["location"]) == (303, "/pair")
        answer = send(url, "/desk/do", SELL)
        assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, "not-paired")
    assert hall.core.asked == []


def test_the_core_says_no(tmp_path: Path) -> None:
    """Its refusal is handed on as it is: the web has no rights of its own. Away, it says so."""
    loop = Loop()
    core = Distant(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    with Hall(loop, core, tmp_path).app() as url:
        assert send(url, "/desk/ask", ASK).json()["refused"]["reason"] == "not-your-role"
        loop.run(core.close())
        away = send(url, "/desk/ask", ASK)
        assert (away.status_code, away.json()["refused"]["reason"]) == (503, "away")
    loop.close()
