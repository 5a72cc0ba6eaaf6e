"""Who may use the bench: a table of addresses, origins and cookies."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from starlette.requests import HTTPConnection
from starlette.responses import Response

from station.screens.web.guard import COOKIE, MOST_PASSES, Guard
from station.screens.web.people import People
from station.screens.web.worded import PAGES

HERE = "127.0.0.1:8090"


def connection(
    host: str | None, origin: str | None = None, cookie: str | None = None, query: str = ""
) -> HTTPConnection:
    given = {
        "host": host,
        "origin": origin,
        "cookie": None if cookie is None else f"{COOKIE}={cookie}",
    }
    headers = [
        (name.encode(), value.encode("latin-1"))
        for name, value in given.items()
        if value is not None
    ]
    app = FastAPI()
    app.state.hall = "en"
    return HTTPConnection(
        {"type": "http", "app": app, "headers": headers, "query_string": query.encode()}
    )


def guarded(token: str | None) -> Guard:
    """The guard of a station to which nobody is paired."""
    return Guard(token, (), People(PAGES / "no.sock", tls_port=None, plain=False))


def shown_to(guard: Guard, before: str | None = None) -> str:
    """The cookie of a browser that shows the token `a`, or the first that is not."""
    for token in ("a", "s3cret"):
        asking = connection(HERE, cookie=before, query=f"token={token}")
        if kept := guard.page(asking, "bench").headers.get("set-cookie"):
            return kept.split(";")[0].partition("=")[2]
    raise AssertionError("no cookie came")


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        (HERE, f"http://{HERE}", True),
        ("localhost:8090", "http://localhost:8090", True),
        ("[::1]:8090", "http://[::1]:8090", True),
        ("192.168.1.7:8090", "http://192.168.1.7:8090", True),
        (HERE, None, False),
        (HERE, "null", False),
        (HERE, "http://evil.test", False),
        (HERE, "http://127.0.0.1:9999", False),
        # A foreign name that was pointed at this machine.
        ("evil.test:8090", "http://evil.test:8090", False),
        ("127.0.0.1.evil.test", "http://127.0.0.1.evil.test", False),
        (None, f"http://{HERE}", False),
        ("", "http://", False),
        ("[::1", "http://[::1", False),
        (HERE, "http://[::1", False),
    ],
)
def test_only_the_benchs_own_page_moves_the_hands(
    host: str | None, origin: str | None, allowed: bool
) -> None:
    """The origin is the host that was asked, and the host is an address or localhost."""
    assert (guarded(None).refuse_hand(connection(host, origin)) is None) is allowed


@pytest.mark.parametrize(
    ("host", "shown"), [(HERE, True), ("localhost", True), ("evil.test", False)]
)
def test_the_page_is_not_shown_under_a_foreign_name(host: str, shown: bool) -> None:
    """Nobody gets the bench's page by a name of his own."""
    assert (guarded(None).refuse_page(connection(host)) is None) is shown


def test_with_a_token_the_page_opens_with_it_and_the_hands_with_the_cookie() -> None:
    """The token opens the page, by any name; then the cookie does, and only the cookie moves the
    hands."""
    guard = guarded("s3cret")
    cookie = shown_to(guard)
    origin = "http://hall.test"
    assert guard.refuse_page(connection("hall.test", query="token=s3cret")) is None
    assert guard.refuse_hand(connection("hall.test", origin, cookie)) is None
    assert guard.refuse_page(connection("hall.test", cookie=cookie)) is None
    for wrong in ("", "token=", "token=other", "token=s3cret%C3%A9"):
        assert "terminal" in str(guard.refuse_page(connection("hall.test", query=wrong)))
    for stolen in (None, "", "s3cret", "other"):
        assert guard.refuse_hand(connection("hall.test", origin, stolen)) is not None
    assert guard.refuse_hand(connection("hall.test", "http://evil.test", cookie)) is not None


def test_two_stations_do_not_share_a_cookie() -> None:
    """A cookie from before a restart, or of another station, opens nothing."""
    cookie = shown_to(guarded("a"))
    assert len(cookie) == 43
    assert not guarded("a").knows(connection(HERE, cookie=cookie))
    assert (
        "set-cookie" not in guarded(None).page(connection(HERE, query="token=a"), "bench").headers
    )


def test_each_browser_has_a_cookie_of_its_own() -> None:
    """Whoever shows the token again gets another, and the one before opens nothing; so is it after
    it was forgotten. Of many the oldest goes."""
    guard = guarded("a")
    first, other = shown_to(guard), shown_to(guard)
    again = shown_to(guard, first)
    assert len({first, other, again}) == 3
    assert [guard.knows(connection(HERE, cookie=one)) for one in (first, other, again)] == [
        False,
        True,
        True,
    ]
    answer = Response()
    guard.forget(connection(HERE, cookie=again), answer)
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert not guard.knows(connection(HERE, cookie=again))
    for _ in range(MOST_PASSES):
        newest = shown_to(guard)
    assert not guard.knows(connection(HERE, cookie=other))
    assert guard.knows(connection(HERE, cookie=newest))


def test_over_tls_the_token_s_cookie_is_another() -> None:
    """No plain http sends or sets it, no other host; and what was heard on plain http opens nothing
    there."""
    guard = guarded("a")
    secured = connection(HERE, query="token=a")
    secured.scope["scheme"] = "https"
    pair, *flags = guard.page(secured, "bench").headers["set-cookie"].split("; ")
    assert pair.startswith("__Host-loto-token=")
    assert set(flags) == {"HttpOnly", "Path=/", "SameSite=strict", "Secure"}
    heard = HTTPConnection(
        {
            **secured.scope,
            "query_string": b"",
            "headers": [(b"cookie", f"__Host-loto-token={shown_to(guard)}".encode())],
        }
    )
    assert not guard.knows(heard)
    heard = HTTPConnection({**heard.scope, "headers": [(b"cookie", pair.encode())]})
    assert guard.knows(heard)
