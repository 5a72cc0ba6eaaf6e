"""A small house before a crowd: half requests end, a full house says so, the desk's token finds a
seat, the log stays short."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from station.screens.web.app import make_app
from station.screens.web.gate import STANDING_S, Limits
from station.screens.web.server import FILES_BESIDE, Seldom, listener
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.fakes import LIMIT_S, FakeCore, InThread, Loop, get, lines, served

TOKEN = "s3cret"  # noqa: S105 - a made-up one
SMALL = Limits(per_address=3, standing=6, seats=5, kept=2, doorstep=2)


class Clock:
    """Seconds that a test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@contextlib.contextmanager
def house(
    tmp_path: Path, limits: Limits | None = SMALL, clock: Any = time.monotonic
) -> Iterator[tuple[str, FakeCore]]:
    """A web with few places before a core that shows a game."""
    loop = Loop()
    core = FakeCore(tmp_path / "s", canned.playing())
    loop.run(core.open())
    app = make_app(
        core.path, None, voice=VOICES / "en", wording=load_wording(), token=TOKEN, desk=True
    )
    with served(loop, app, limits=limits, clock=clock) as url:
        yield url, core
    loop.run(core.close())
    loop.close()


def watching(url: str) -> ClientConnection:
    """A browser's line."""
    return connect(url.replace("http", "ws") + "/ws")


def said_by(url: str, said: bytes, own_port: int = 0) -> socket.socket:
    """A connection on which this was said and nothing more."""
    host, _, port = url.removeprefix("http://").partition(":")
    connection = socket.create_connection((host, int(port)), LIMIT_S, ("", own_port))
    connection.sendall(said)
    return connection


def ends(connection: socket.socket) -> bool:
    """Whether the other end closes it, whatever it says before."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


def until(wanted: Any) -> None:
    """Waits, with a limit."""
    end = time.monotonic() + LIMIT_S
    while not wanted() and time.monotonic() < end:
        threading.Event().wait(0.005)  # the server is in this process
    assert wanted()


UPGRADE = b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
HALVES = {
    "nothing": b"",
    "half a line": b"GET /api/bo",
    "half a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ",
    "half a body": b"POST /desk/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    "half a chunk": (
        b"POST /desk/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
    ),
    "half a handshake": UPGRADE,
    "half a second request": (
        b"GET /words.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /words.json HTT"
    ),
    "a body too large, half": (
        b"POST /desk/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n{"
    ),
}


@pytest.mark.parametrize("said", HALVES.values(), ids=HALVES)
def test_who_does_not_ask_to_the_end_is_shown_out(tmp_path: Path, said: bytes) -> None:
    """After ten seconds without a whole request; a browser's line stays for as long as it likes."""
    clock = Clock()
    with (
        house(tmp_path, clock=clock) as (url, _),
        watching(url) as browser,
        said_by(url, said) as half,
    ):
        next(lines(browser))
        get(f"{url}/healthz")  # what came before it has been heard
        clock.now = STANDING_S
        assert ends(half)
        clock.now = 1e6
        assert get(f"{url}/healthz").json()["browsers"] == 1
        assert any("alive" in line for line in lines(browser))


def test_an_address_with_no_seat_left_is_told_so_and_the_desk_is_served(tmp_path: Path) -> None:
    """503 with a sentence and `Retry-After`, for pages and lines; whoever shows the token, or its
    cookie, is served."""
    with house(tmp_path) as (url, core), contextlib.ExitStack() as stack:
        browsers = [stack.enter_context(watching(url)) for _ in range(SMALL.per_address)]
        answer = get(f"{url}/api/board")
        assert (answer.status_code, answer.json()["refused"]["reason"]) == (503, "full")
        assert int(answer.headers["retry-after"]) > 0
        assert answer.headers["x-content-type-options"] == "nosniff"
        with pytest.raises(InvalidStatus) as refused:
            watching(url)
        assert refused.value.response.status_code == 503
        assert "retry-after" in refused.value.response.headers
        assert get(f"{url}/desk?token=wrong").status_code == 503
        with httpx.Client(timeout=LIMIT_S) as desk:
            assert desk.get(f"{url}/desk?token={TOKEN}").status_code == 200
            asked = desk.post(
                f"{url}/desk/ask",
                json={"about": "money"},
                headers={"origin": url, "x-loto-desk": "1"},
            )
            assert asked.status_code == 200
        assert core.asked[-1]["ask"] == {"about": "money"}
        browsers[0].close()
        until(lambda: get(f"{url}/healthz").status_code == 200)


def test_a_crowd_that_asks_nothing_keeps_nobody_out(tmp_path: Path) -> None:
    """Fifty times as many as may stand: page, line and desk are served as ever, and all places are
    free again afterwards."""
    with house(tmp_path) as (url, _), contextlib.ExitStack() as stack:
        crowd = [
            stack.enter_context(said_by(url, said))
            for said in (b"", HALVES["half a header"])
            for _ in range(150)
        ]
        assert get(url).status_code == 200
        assert get(f"{url}/desk?token={TOKEN}").status_code == 200
        with watching(url) as browser:
            assert any("view" in line for line in lines(browser))
        assert ends(crowd[0])
        stack.close()
        until(lambda: get(f"{url}/healthz").json()["browsers"] == 0)
        for _ in range(3 * SMALL.per_address):  # one after the other, on connections of their own
            assert get(f"{url}/healthz").status_code == 200


def break_off(connection: socket.socket) -> int:
    """Ends it without a word, so that its port is free at once; gives that."""
    port: int = connection.getsockname()[1]
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    return port


LINE = UPGRADE + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
PAGE = b"GET /words.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    "said",
    [b"", HALVES["half a body"], PAGE, LINE],
    ids=["nothing", "half a body", "a page", "a line"],
)
@pytest.mark.parametrize("times", [1, 3])
def test_who_breaks_off_and_comes_again_from_his_port_leaves_nothing_behind(
    tmp_path: Path, said: bytes, times: int
) -> None:
    """The station hears of the end when the next is there: that one is served, and afterwards all
    bounds are as before."""
    app = make_app(tmp_path / "nobody", None, voice=VOICES / "en", wording=load_wording())
    loop = Loop()
    with served(loop, app, limits=SMALL, clock=Clock()) as url, contextlib.ExitStack() as stack:

        def again(connection: socket.socket) -> socket.socket:
            """To be called in the web's own thread: all of it is news at once for the web then."""
            for _ in range(times):
                connection = said_by(url, said, break_off(connection))
            return connection

        connection = said_by(url, said)
        for _ in range(3 * SMALL.per_address):
            if said in (PAGE, LINE):
                assert re.match(rb"HTTP/1.1 (200|101) ", connection.recv(4096))
            else:
                get(f"{url}/healthz")  # what came before it has been heard
            connection = loop.call(again, connection)
        break_off(connection)
        until(
            lambda: (
                get(f"{url}/healthz").status_code == 200
                and get(f"{url}/healthz").json()["browsers"] == 0
            )
        )
        crowd = [stack.enter_context(said_by(url, b"")) for _ in range(2 * SMALL.per_address)]
        assert ends(crowd[0])
        for _ in range(SMALL.per_address):
            next(lines(stack.enter_context(watching(url))))
    loop.close()


class Exhausted(socket.socket):
    """A listening socket of a machine that has no descriptor left, for some time after the first
    try."""

    tries = 0
    until = 0.0

    def accept(self) -> tuple[socket.socket, Any]:
        self.tries += 1
        self.until = self.until or time.monotonic() + 0.7
        if time.monotonic() < self.until:
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


def test_without_a_descriptor_the_door_waits_and_says_little(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """No traceback, no try a microsecond: a pause, and then whoever waited is served."""
    app = make_app(tmp_path / "nobody", None, voice=VOICES / "en", wording=load_wording())
    plain = listener("127.0.0.1", 0)
    listening = Exhausted(fileno=plain.detach())
    loop = Loop()
    server = InThread(app, listening)

    async def begin() -> Any:
        return asyncio.create_task(server.serve([]))

    serving = loop.run(begin())
    host, port = listening.getsockname()
    with caplog.at_level(logging.WARNING):
        assert get(f"http://{host}:{port}/healthz").status_code == 200
    assert listening.tries < 20
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
    server.should_exit = True

    async def end() -> None:
        await serving

    loop.run(end())
    loop.close()


def test_what_happens_often_is_said_seldom() -> None:
    """The first of a kind at once, then one in ten seconds with a count; other kinds are not held
    back by it."""
    clock = Clock()
    heard: list[str] = []
    logger = logging.getLogger("station.test.seldom")
    logger.propagate = False
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    logger.addFilter(Seldom(10.0, clock))
    for number in range(1000):
        logger.warning("a browser %d was cut off", number)
    logger.warning("something else")
    clock.now = 9.9
    logger.warning("a browser %d was cut off", 1000)
    clock.now = 10.0
    logger.warning("a browser %d was cut off", 1001)
    assert heard == [
        "a browser 0 was cut off",
        "something else",
        "a browser 1001 was cut off (and 1000 more like it)",
    ]


def test_the_unit_allows_as_many_files_as_the_bounds_cost() -> None:
    """All places taken, each with a file being sent, and what the web needs besides."""
    unit = (Path(__file__).parents[3] / "systemd" / "system" / "loto-web.service").read_text()
    [allowed] = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
    assert int(allowed) >= Limits().files + FILES_BESIDE
