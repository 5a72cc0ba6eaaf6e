"""What strangers ask of the station is bounded: in size, in work, and by address."""

from __future__ import annotations

import ast
import asyncio
import base64
import socket
from pathlib import Path
from typing import Any

import pytest

from station.core.addresses import is_here
from station.screens.web.checking import BUSY, FetchedProofs
from station.screens.web.gate import BusyError
from station.screens.web.guard import MOST_HEADERS, RETRY_AFTER_S
from station.wire.wire import Message
from tests.screens.web.test_pairing import Door, door, told
from tests.support import run

__all__ = ["door"]


class SlowCore:
    """A core that answers when it is told to, one question after another."""

    def __init__(self) -> None:
        self.asked: list[Message] = []
        self.go_on = asyncio.Event()

    async def request(self, message: Message) -> Message:
        self.asked.append(message["ask"])
        await self.go_on.wait()
        data = base64.b64encode(str(message["ask"]["size"]).encode()).decode()
        return {"answer": {"line": 1, "data": data, "next": None}}


async def settled() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


def grown(size: int) -> Message:
    """The question for another proof."""
    return {"about": "grown", "night": 1, "small": 1, "size": size}


def test_one_phone_keeps_nobody_waiting() -> None:
    """A hundred connections of one address with ever new numbers: whoever else asks waits for two,
    a paired device at once; the hundred are told to come again."""

    async def scene() -> None:
        core: Any = SlowCore()
        proofs = FetchedProofs(core)

        def ask(size: int, who: str, paired: bool = False) -> asyncio.Task[Any]:
            return asyncio.ensure_future(proofs.proof(grown(size), {}, who, paired=paired))

        crowd = [ask(size, "10.0.0.66") for size in range(2, 102)]
        await settled()
        honest, seat = ask(500, "10.0.0.7"), ask(501, "10.0.0.66", paired=True)
        await settled()
        assert [one["size"] for one in core.asked] == [2, 501]
        core.go_on.set()
        assert (await honest, await seat) == (b"500", b"501")
        ended = await asyncio.gather(*crowd, return_exceptions=True)
        assert [one["size"] for one in core.asked].index(500) <= 3
        assert sum(isinstance(one, BusyError) for one in ended) == 95

    run(scene())


@pytest.mark.parametrize("path", ["/check/1.json", "/check/grown/1/2/3.json", "/check/999.json"])
def test_busy_is_no_missing_game(door: Door, path: str) -> None:
    """It is 503 and says when to ask again; a game that is not there is 404."""
    answers = {
        BUSY: (503, BUSY),
        "unreadable": (404, "unreadable"),
    }
    for reason, expected in answers.items():
        door.core.proof = {"refused": {"reason": reason, "say": "x"}}
        answer = door.device(door.plain).get(path)
        assert told(answer) == expected
        assert answer.headers.get("retry-after") == (str(RETRY_AFTER_S) if reason == BUSY else None)


@pytest.mark.parametrize("size", [MOST_HEADERS + 1, 30_000, 50_000])
def test_large_headers_are_refused(door: Door, size: int) -> None:
    """In one piece, and as many small ones; a page's own pass."""
    device = door.device(door.plain)
    assert device.get("/", **{"x-much": "a" * size}).status_code in (400, 431)
    many = {f"x-{number}": "a" * 100 for number in range(size // 100)}
    assert device.get("/", **many).status_code in (400, 431)
    assert device.get("/", **{"x-some": "a" * 8_000}).status_code == 200


TEXTS = [
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf8\x88\x80\x80\x80",
    b"a\xc0\xaf",
    b'{"a": "\xe9"}',
    b"\xfe\xff\x00a",
    b"\x80" * 100,
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_that_is_no_utf_8_closes_its_line(
    door: Door, text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """With the code for it, and without a trace in the log."""
    host, port = door.plain.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(
            f"GET /ws HTTP/1.1\r\nhost: {host}:{port}\r\nupgrade: websocket\r\n"
            "connection: upgrade\r\nsec-websocket-version: 13\r\n"
            "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += line.recv(65536)
        mask = b"\0\0\0\0"
        line.sendall(bytes([0x81, 0x80 | len(text)]) + mask + text)
        while data := line.recv(65536):
            heard += data
    assert b"101 Switching Protocols" in heard
    assert b"\x88\x02\x03\xef" in heard  # closed, 1007
    assert "Traceback" not in caplog.text
    assert "Invalid UTF-8" not in caplog.text


HERE = frozenset({"10.0.0.5", "fd00::5"})


@pytest.mark.parametrize(
    ("pages", "own", "names", "taken"),
    [
        ("http://10.0.0.5:8090", HERE, (), True),
        ("http://[fd00::5]:8090", HERE, (), True),
        ("http://loto.local:8090", HERE, (), True),
        ("http://loto.fritz.box:8090", HERE, (), True),
        ("http://hall.example.org", HERE, ("Hall.Example.org",), True),
        ("http://198.51.100.66", HERE, (), False),
        ("http://10.0.0.6:8090", HERE, (), False),
        ("http://hall.example.org", HERE, (), False),
        ("http://loto.local.evil.test", HERE, (), False),
        ("https://evil.test", HERE, (), False),
        ("http://[2001:db8::1]", HERE, (), False),
        ("http://0.0.0.0", HERE, (), False),
        ("http://[::", HERE, (), False),
        # without a network of its own the core knows no addresses: those of a home network alone
        ("http://192.168.1.7:8090", frozenset(), (), True),
        ("http://10.42.0.1", frozenset(), (), True),
        ("http://8.8.8.8", frozenset(), (), False),
        ("http://evil.test", frozenset(), (), False),
        ("http://0.0.0.0", frozenset(), (), False),
    ],
)
def test_the_hall_is_sent_to_this_machine_alone(
    pages: str, own: frozenset[str], names: tuple[str, ...], taken: bool
) -> None:
    """Whatever a web that somebody took over says in its hello."""
    assert is_here(pages, names, own) == taken


# Every place that listens, and what bounds whoever comes there. A new one is missing here.
LISTENING = {
    "station/screens/web/server.py listener": (
        "the door: addresses, seats, time; Frontier, or Bounded"
    ),
    "station/wire/wire.py WireServer.open": "places by user, lines by size, time to say hello",
    "station/core/launch.py StationProcess._ear": "only its own part, as the kernel names it",
}
LISTENERS = {"create_server", "start_server", "start_unix_server", "listen", "bind"}
LISTENERS |= {"HTTPServer", "ThreadingHTTPServer", "create_datagram_endpoint"}


def test_every_server_is_in_the_table() -> None:
    """A function that listens and is not in it has been forgotten; so has uvicorn's own `run`,
    which has no bounds."""
    project, found = Path(__file__).parents[2], set()
    for file in [*(project / "station").rglob("*.py"), *(project / "drivers").rglob("*.py")]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        inside = [(node, "") for node in tree.body]
        while inside:
            node, name = inside.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{name}.{node.name}".lstrip(".")
            called = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
            of = getattr(getattr(node, "func", None), "value", None)
            if called in LISTENERS or (called == "run" and getattr(of, "id", "") == "uvicorn"):
                found.add(f"{file.relative_to(project)} {name}")
            inside += [(child, name) for child in ast.iter_child_nodes(node)]
    assert found == {*LISTENING}
