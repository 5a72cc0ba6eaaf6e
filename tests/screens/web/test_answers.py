"""What every answer of the web carries, whoever asks for what: looked at on each route of its
schema, over plain http and over TLS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from station.screens.web.app import make_app
from station.screens.web.guard import BODY_LIMIT
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.fakes import LIMIT_S, FakeHands, Hall, Loop, served_twice

TOKEN = "made-up"  # noqa: S105 - it is
FILLED = {
    "{game}": "1",
    "{key}": "picture",
    "{number}": "07",
    "{name}": "number.42",
    "{night}": "1",
    "{small}": "1",
    "{size}": "2",
}
# Beside the schema's: a file of the pages, one that is not there, and the schema.
MORE = ("/pages/board.js", "/pages/board.css", "/pages/none.js", "/nowhere", "/openapi.json")


class Web:
    """The web on two ports, and the fake core and hands behind it."""

    def __init__(self, core: Hall, plain: str, secured: str, schema: dict[str, Any]) -> None:
        self.core, self.sides, self.schema = core, {"plain": plain, "secured": secured}, schema

    def paths(self, way: str) -> list[str]:
        """The addresses that are asked for so."""
        found = [path for path, ways in self.schema["paths"].items() if way in ways]
        return [re.sub(r"\{\w+\}", lambda part: FILLED[part[0]], path) for path in found]

    def answers(self, side: str) -> Iterator[tuple[str, httpx.Response]]:
        """An answer of each route, refusals too: as a page of the station asks, as a foreign page
        does, too largely, and in a way that there is not."""
        url = self.sides[side]
        with httpx.Client(base_url=url, verify=False, timeout=LIMIT_S) as browser:  # noqa: S501 - the station's own
            for path in (*self.paths("get"), *MORE):
                yield path, browser.get(path)
                yield path, browser.get(path, headers={"origin": "http://evil.test"})
                yield path, browser.get(path, headers={"accept": "text/html"})
                yield path, browser.delete(path)
            for path in self.paths("post"):
                page = {"origin": url, f"x-loto-{path.split('/')[1]}": "1"}
                yield path, browser.post(path, headers=page, json={})
                yield path, browser.post(path, json={})
                yield path, browser.post(path, headers=page, content="x" * (BODY_LIMIT + 1))


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    loop = Loop()
    core = Hall(folder / "station.sock", canned.playing())
    hands = FakeHands(folder / "hands.sock", canned.bench())
    loop.run(core.open())
    loop.run(hands.open())
    schemas: list[dict[str, Any]] = []

    def make(port: int) -> Any:
        app = make_app(
            core.path,
            hands.path,
            voice=VOICES / "en",
            wording=load_wording(),
            token=TOKEN,
            desk=True,
            tls_port=port,
        )
        schemas.append(app.openapi())
        return app

    with served_twice(loop, folder, make) as (plain, secured):
        yield Web(core, plain, secured, schemas[0])
    loop.run(core.close())
    loop.run(hands.close())
    loop.close()


@pytest.fixture(scope="module", params=["plain", "secured"])
def answers(web: Web, request: pytest.FixtureRequest) -> list[tuple[str, httpx.Response]]:
    return list(web.answers(request.param))


def test_every_answer_says_what_a_browser_may_do_with_it(
    answers: list[tuple[str, httpx.Response]],
) -> None:
    """Scripts, styles and pictures are the station's own; nothing is embedded, framed or guessed;
    no address goes to another site."""
    for path, answer in answers:
        policy = dict(
            part.strip().split(" ", 1)
            for part in answer.headers["content-security-policy"].split(";")
        )
        assert policy == {
            "default-src": "'self'",
            "object-src": "'none'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
        }, path
        for name, value in {
            "x-content-type-options": "nosniff",
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
        }.items():
            assert answer.headers[name] == value, path


def test_no_answer_opens_the_station_to_other_sites(
    answers: list[tuple[str, httpx.Response]],
) -> None:
    """No header of CORS, in no answer: a foreign page reads nothing. Nor one that would have a
    browser take TLS on the port of the board, which has none."""
    for path, answer in answers:
        wrong = {name for name in answer.headers if name.startswith("access-control-")}
        assert wrong == set(), path
        assert "strict-transport-security" not in answer.headers, path


def test_every_answer_says_what_it_is(answers: list[tuple[str, httpx.Response]]) -> None:
    """Its kind, and of a text its letters; an answer without a body has none."""
    kinds = set()
    for path, answer in answers:
        kind = answer.headers.get("content-type", "")
        assert bool(kind) is bool(answer.content), path
        if kind.startswith("text/"):
            assert kind.endswith("; charset=utf-8"), path
        if kind == "application/json":
            answer.json()
        kinds.add(kind.split(";")[0])
    assert {"text/html", "text/javascript", "text/css", "text/plain", "application/json"} <= kinds


def test_nobody_is_sent_to_another_machine(answers: list[tuple[str, httpx.Response]]) -> None:
    """Where a browser is sent elsewhere, it is a page of this very address; of plain http, too."""
    sent = {answer.headers["location"] for _, answer in answers if answer.is_redirect}
    assert sent == {"/pair"}


def test_what_is_only_looked_at_changes_nothing(
    web: Web, answers: list[tuple[str, httpx.Response]]
) -> None:
    """Of all that is asked for without a page's own request nothing but «who is this» reaches the
    core."""
    assert answers
    asked = [message for message in web.core.asked if message.get("ask") != {"about": "me"}]
    assert [message for message in asked if "do" in message] == []


def test_in_another_way_a_route_is_not_there(web: Web) -> None:
    """Neither are the pages: 405, with the ways there are, and a sentence."""
    others = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "POST", "GET")
    with httpx.Client(base_url=web.sides["plain"], timeout=LIMIT_S) as browser:
        for path, ways in web.schema["paths"].items():
            address = re.sub(r"\{\w+\}", lambda part: FILLED[part[0]], path)
            for way in (way for way in others if way.lower() not in ways):
                answer = browser.request(way, address)
                assert answer.status_code == 405, (way, path)
                assert answer.headers["allow"].lower() == ", ".join(ways), (way, path)
                assert answer.json()["refused"]["reason"] == "not-this-way"


@pytest.mark.parametrize("name", ["x-forwarded-proto", "x-forwarded-for", "x-forwarded-host"])
def test_what_a_proxy_would_say_is_not_believed(web: Web, name: str) -> None:
    """There is none: plain http stays plain, and one address asks once, whatever it says."""
    given = {"x-forwarded-proto": "https", "x-forwarded-for": "10.0.0.9"}.get(name, "evil.test")
    url = web.sides["plain"]
    headers = {name: given, "origin": url, "x-loto-pair": "1"}
    told = [
        httpx.post(f"{url}/pair/ask", json={"name": "x"}, headers=headers, timeout=LIMIT_S)
        for _ in range(2)
    ]
    assert told[1].json()["refused"]["reason"] == "too-soon"
    assert all("Secure" not in answer.headers.get("set-cookie", "") for answer in told)


def test_whoever_has_the_token_is_forgotten(web: Web) -> None:
    """As a paired device is: the cookie is taken away, and opens nothing for whoever kept it."""
    url = web.sides["secured"]
    with httpx.Client(base_url=url, verify=False, timeout=LIMIT_S) as browser:  # noqa: S501 - the station's own
        browser.get(f"/desk?token={TOKEN}")
        kept = dict(browser.cookies)
        headers = {"origin": url, "x-loto-pair": "1", "x-loto-desk": "1"}
        assert browser.post("/desk/ask", json={"about": "money"}, headers=headers).json()
        assert browser.post("/pair/forget", headers=headers).json() == {"ok": True}
        assert dict(browser.cookies) == {}
        browser.cookies.update(kept)
        told = browser.post("/desk/ask", json={"about": "money"}, headers=headers)
        assert (told.status_code, told.json()["refused"]["reason"]) == (403, "not-the-station")


def test_no_page_asks_for_what_browsers_gave_up() -> None:
    """No plug-in, no frame, no worker, no message from another window; only what all browsers of
    today have. What a page keeps in the browser is never a secret."""
    pages = Path(make_app.__code__.co_filename).parent / "pages"
    gone = re.compile(
        r"<(object|embed|applet|iframe|frame)\b|postMessage|window\.onmessage|document\.domain"
    )
    keeps = re.compile(r"(?:localStorage|sessionStorage)\.setItem\(([^,]+),")
    kept = set()
    for file in sorted([*pages.glob("*.js"), *pages.glob("*.html")]):
        text = file.read_text("utf-8")
        assert gone.findall(text) == [], file.name
        assert "document.cookie" not in text, file.name
        kept |= set(keeps.findall(text))
    assert kept
    assert [key for key in kept if re.search("pin|secret|token|digits|cookie", key.lower())] == []


def test_a_pin_is_hidden_and_may_be_pasted() -> None:
    """Its field shows no digits, and keeps nobody from pasting them."""
    field = (Path(make_app.__code__.co_filename).parent / "pages" / "pin.js").read_text("utf-8")
    assert 'type: "password"' in field
    assert "paste" not in field
