"""Who may use the bench: a table of addresses, origins and cookies."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from station.screens.web.guard import COOKIE, Guard

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
    return HTTPConnection({"type": "http", "headers": headers, "query_string": query.encode()})


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
    assert (Guard(None).refuse_hand(connection(host, origin)) is None) is allowed


@pytest.mark.parametrize(
    ("host", "shown"), [(HERE, True), ("localhost", True), ("evil.test", False)]
)
def test_the_page_is_not_shown_under_a_foreign_name(host: str, shown: bool) -> None:
    """Nobody gets the bench's page by a name of his own."""
    assert (Guard(None).refuse_page(connection(host)) is None) is shown


def test_with_a_token_the_page_opens_with_it_and_the_hands_with_the_cookie() -> None:
    """The token opens the page, by any name; then the cookie does, and only the cookie moves the
    hands."""
    guard = Guard("s3cret")
    cookie = guard.cookie()
    assert cookie is not None
    origin = "http://hall.test"
    assert guard.refuse_page(connection("hall.test", query="token=s3cret")) is None
    assert guard.refuse_hand(connection("hall.test", origin, cookie)) is None
    assert guard.refuse_page(connection("hall.test", cookie=cookie)) is None
    for wrong in ("", "token=", "token=other", "token=s3cret%C3%A9"):
        assert "terminal" in (guard.refuse_page(connection("hall.test", query=wrong)) or "")
    for stolen in (None, "", "s3cret", "other"):
        assert guard.refuse_hand(connection("hall.test", origin, stolen)) is not None
    assert guard.refuse_hand(connection("hall.test", "http://evil.test", cookie)) is not None


def test_two_stations_do_not_share_a_cookie() -> None:
    """A cookie from before a restart, or of another station, opens nothing."""
    assert Guard("a").cookie() != Guard("a").cookie()
    assert Guard(None).cookie() is None
