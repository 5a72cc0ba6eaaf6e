"""What a browser sends for a foreign page: every name, every origin, every path; with a token, a
wrong one and an old one."""

from __future__ import annotations

import asyncio
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from station.screens.web.app import make_app
from station.screens.web.guard import COOKIE
from station.wire.wording import VOICES, load_wording

PORT = ":8090"
# How a hall comes to its station. Under the first, nobody else can be; the others are names of its
# own network.
ADDRESSES = ("127.0.0.1", "[::1]", "192.168.1.7", "10.42.0.1", "[fe80::1]", "localhost")
NAMES = ("loto", "loto.local", "Loto.Local", "loto.lan", "loto.home.arpa", "hall.example.org")
FOREIGN_NAMES = (
    "evil.test",
    "127.0.0.1.evil.test",
    "192.168.1.7.evil.test",
    "loto.local.evil.test",
    "local.evil.test",
    "loto.example.org",
    "example.org",
    "evil.hall.example.org",
    "a@127.0.0.1",
    "a:b@127.0.0.1",
    "127.0.0.1@evil.test",
    "127.0.0.1,evil.test",
    "127.0.0.1/",
    "127.0.0.1:8090:8090",
    "http://127.0.0.1",
    "[::1",
    "::1]",
    " ",
    "",
    "%31%32%37.0.0.1",
    "1" * 300 + ".test",
)
# What stands in `Origin`; {} is the host that was asked.
OWN_ORIGIN = "http://{}"
FOREIGN_ORIGINS = (
    "https://{}",
    "file://{}",
    "ws://{}",
    "chrome-extension://{}",
    "//{}",
    "{}",
    "http://a@{}",
    "http://{}@evil.test",
    "http://{}.evil.test",
    "http://{}/",
    "http://{}1",
    "http:/{}",
    "http://evil.test",
    "https://evil.test",
    "http://127.0.0.1:9999",
    "http://127.0.0.1",
    "null",
    "file://",
    "",
)
ACTING = {
    "/bench/hand": {"hand": "press", "button": "draw"},
    "/desk/ask": {"about": "money"},
    "/desk/do": {"id": "12345678", "do": {"act": "sell"}},
    "/table/ask": {"about": "table"},
    "/table/do": {"id": "12345678", "do": {"act": "draw"}},
    "/caller/ask": {"about": "claims"},
    "/caller/do": {"id": "12345678", "do": {"act": "draw"}},
    "/treasurer/ask": {"about": "money"},
    "/treasurer/do": {"id": "12345678", "do": {"act": "bank"}},
    "/health/ask": {"about": "health"},
    "/health/do": {"id": "12345678", "do": {"act": "census-begin"}},
    "/bench/ws": None,
}
PAGES = ("/bench", "/desk", "/table", "/caller", "/treasurer", "/health")
WATCHED = (
    "/",
    "/ws",
    "/api/board",
    "/healthz",
    "/words.json",
    "/languages.json",
    "/clips.json",
    "/clips/number.1.ogg",
    "/pages/board.js",
)
HEADERS = {
    "x-loto-bench": "1",
    "x-loto-desk": "1",
    "x-loto-table": "1",
    "x-loto-caller": "1",
    "x-loto-treasurer": "1",
    "x-loto-health": "1",
    "content-type": "application/json",
}


def station(tmp_path: Path, token: str | None = None) -> FastAPI:
    """The application before a core that is away: what is let in is answered, if only by a
    sentence."""
    return make_app(
        tmp_path / "s",
        tmp_path / "h",
        voice=VOICES / "en",
        wording=load_wording(),
        token=token,
        desk=True,
        names=("hall.example.org",),
    )


async def _let_in(
    app: FastAPI, path: str, headers: dict[str, str], query: str
) -> tuple[bool, dict[str, str]]:
    body = ACTING.get(path)
    content = json.dumps(body).encode() if body else b""
    kind = "websocket" if path.endswith("/ws") else "http"
    given = {**HEADERS, **headers, **({"content-length": str(len(content))} if body else {})}
    said: list[dict[str, Any]] = []
    heard = (
        [{"type": "websocket.connect"}]
        if kind == "websocket"
        else [{"type": "http.request", "body": content}]
    )

    async def receive() -> dict[str, Any]:
        return heard.pop(0) if heard else {"type": f"{kind}.disconnect", "code": 1000}

    async def send(message: Any) -> None:
        said.append(message)

    scope = {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "method": "POST" if body else "GET",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items()],
        "query_string": query.encode(),
        "client": ("192.0.2.9", 1),
    }
    await app(scope, receive, send)
    first = said[0]
    answered = {name.decode(): value.decode() for name, value in first.get("headers", [])}
    return (
        first["type"] == "websocket.accept"
        or (first["type"] == "http.response.start" and first["status"] not in (303, 403)),
        answered,
    )


RUNNER = asyncio.Runner()  # one loop for thousands of requests


def let_in(
    app: FastAPI, path: str, host: str, origin: str | None, cookie: str = "", query: str = ""
) -> bool:
    """Whether such a request is answered, or such a line accepted; 403 is no answer, nor is the way
    to where a device is paired."""
    headers = (
        {"host": host}
        | ({"origin": origin.format(host)} if origin is not None else {})
        | ({"cookie": cookie} if cookie else {})
    )
    return RUNNER.run(_let_in(app, path, headers, query))[0]


def opened(app: FastAPI, token: str) -> str:
    """The cookie that a page gives which was opened with its token; nothing when it does not
    open."""
    inside, headers = RUNNER.run(_let_in(app, "/desk", {"host": "loto.local"}, f"token={token}"))
    return headers.get("set-cookie", "").partition(";")[0] if inside else ""


EVERYWHERE = (*WATCHED, *PAGES, *ACTING)


@pytest.mark.parametrize("host", FOREIGN_NAMES)
@pytest.mark.parametrize("token", [None, "s3cret"])
def test_under_a_foreign_name_nothing_is_answered(
    tmp_path: Path, host: str, token: str | None
) -> None:
    """A foreign site points its own name at the station: whatever its page asks for, with whatever
    origin."""
    app = station(tmp_path, token)
    tried = itertools.product(EVERYWHERE, (host, host + PORT), (None, OWN_ORIGIN))
    assert [
        (path, asked, origin) for path, asked, origin in tried if let_in(app, path, asked, origin)
    ] == []


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
@pytest.mark.parametrize("token", [None, "s3cret"])
def test_a_foreign_page_is_answered_nothing(tmp_path: Path, origin: str, token: str | None) -> None:
    """It asks the station by its right name: the browser says whose page it is, and no path, nor
    the public line, answers."""
    app = station(tmp_path, token)
    cookie = opened(app, token) if token else ""
    tried = itertools.product(EVERYWHERE, ("127.0.0.1", "localhost", "loto.local"))
    assert [
        (path, host) for path, host in tried if let_in(app, path, host + PORT, origin, cookie)
    ] == []


@pytest.mark.parametrize("host", [*ADDRESSES, *NAMES])
def test_the_hall_watches_by_every_name_of_its_station(tmp_path: Path, host: str) -> None:
    """By address, by name in its network, by what the settings call it: the page, its line,
    programs without a page."""
    app = station(tmp_path)
    tried = itertools.product(WATCHED, (host, host + PORT), (None, OWN_ORIGIN))
    assert [
        (path, asked) for path, asked, origin in tried if not let_in(app, path, asked, origin)
    ] == []


@pytest.mark.parametrize("path", ACTING)
def test_without_a_token_only_an_address_acts(tmp_path: Path, path: str) -> None:
    """The station's own page under an address or localhost; under a name, or without a page,
    nobody."""
    app = station(tmp_path)
    assert [
        host for host in (*ADDRESSES, *NAMES) if let_in(app, path, host + PORT, OWN_ORIGIN)
    ] == [*ADDRESSES]
    assert [host for host in (*ADDRESSES, *NAMES) if let_in(app, path, host + PORT, None)] == []


@pytest.mark.parametrize("path", ACTING)
def test_with_a_token_only_its_cookie_acts(tmp_path: Path, path: str) -> None:
    """Not the token in the address, not a wrong one, not that of the start before, not a cookie of
    another station."""
    app, before = station(tmp_path, "s3cret"), station(tmp_path, "0ld")
    wrong = ["", "s3cret", "0ld", opened(before, "0ld").partition("=")[2]]
    assert wrong[-1]
    queries = ["", "token=", "token=0ld", "token=S3CRET", "token=s3cret%00", "token=s3cret"]
    for secret, query, host in itertools.product(
        wrong, queries, ("192.168.1.7:8090", "loto.local:8090")
    ):
        assert not let_in(app, path, host, OWN_ORIGIN, f"{COOKIE}={secret}", query), (secret, query)
    for host in (*ADDRESSES, *NAMES):
        assert let_in(app, path, host + PORT, OWN_ORIGIN, opened(app, "s3cret"))


@pytest.mark.parametrize("path", PAGES)
def test_with_a_token_a_page_opens_with_that_alone(tmp_path: Path, path: str) -> None:
    """The right token opens it; a wrong one and an old one give the sentence where the right one
    stands, none the page on which a device is paired."""
    app = station(tmp_path, "s3cret")
    opens = {
        query: let_in(app, path, "loto.local:8090", None, query=query)
        for query in (
            "token=s3cret",
            "",
            "token=",
            "token=0ld",
            "token=S3CRET",
            "token=s3cre",
            "token=s3cret1",
            "other=s3cret",
        )
    }
    assert [query for query, shown in opens.items() if shown] == ["token=s3cret"]
    assert opened(app, "0ld") == ""
