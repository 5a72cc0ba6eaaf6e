"""What one connection does costs the others nothing: floods, readers that do not read, and too many
at once."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from station.wire import wire
from station.wire.wire import (
    KEPT_FOR_OWN,
    LINE_LIMIT,
    MOST_CONNECTIONS,
    MOST_OF_ONE_USER,
    ClientLink,
    Message,
    WireServer,
    encode,
    has_place,
    short_path,
)
from tests.support import run

LIMIT_S = 60.0


@pytest.fixture
def path() -> Iterator[Path]:
    """Where a socket may stand."""
    with tempfile.TemporaryDirectory(prefix="loto-wire-") as folder:
        yield Path(folder) / "station.sock"


class Listener:
    """A handler that counts what each connection asked, and answers with as much as it is told
    to."""

    def __init__(self, answer: str = "") -> None:
        self.heard: Counter[str] = Counter()
        self.heard_at_last: Counter[str] = Counter()
        self._answer = answer

    async def handle(self, link: ClientLink, message: Message) -> Message:
        """One message of the connection that calls itself so."""
        name = str(link.hello.get("as"))
        self.heard[name] += 1
        if message.get("id") == "last":
            self.heard_at_last = self.heard.copy()
        return {"id": message["id"], "answer": self._answer}


@asynccontextmanager
async def joined(
    path: Path, name: str
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection that has said hello."""
    with short_path(path) as short:
        reader, writer = await asyncio.open_unix_connection(short, limit=LINE_LIMIT)
    try:
        writer.write(encode({"hello": {"as": name}}))
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def serving(path: Path, listener: Listener, **options: Any) -> AsyncIterator[None]:
    """A server that greets in one line."""
    server = WireServer(
        path, listener.handle, lambda link: link.answer({"greeting": True}), **options
    )
    await server.open()
    try:
        yield
    finally:
        await server.close()


async def line(reader: asyncio.StreamReader) -> bytes:
    """The next line that is no heartbeat; nothing when the server has hung up."""
    async with asyncio.timeout(LIMIT_S):
        while b"alive" in (heard := await reader.readline()):
            pass
        return heard


def test_a_flood_of_one_does_not_hold_up_another(path: Path) -> None:
    """Ten thousand commands in one breath: somebody else's single one is done long before they
    are."""

    async def work() -> None:
        listener = Listener()
        async with (
            serving(path, listener),
            joined(path, "flooding") as flooding,
            joined(path, "quiet") as quiet,
        ):
            assert b"greeting" in await line(flooding[0])
            assert b"greeting" in await line(quiet[0])
            flooding[1].write(encode({"id": "x"}) * 10_000)
            quiet[1].write(encode({"id": "last"}))
            assert b"last" in await line(quiet[0])
            assert listener.heard_at_last["flooding"] < 1000

    run(work())


def test_who_does_not_read_is_not_listened_to(path: Path) -> None:
    """A hundred thousand bytes an answer, and none is read: the station does not pile them up in
    its memory."""

    async def work() -> None:
        listener = Listener("x" * 100_000)
        async with (
            serving(path, listener),
            joined(path, "deaf") as deaf,
            joined(path, "other") as other,
        ):
            assert b"greeting" in await line(other[0])
            deaf[1].write(encode({"id": "x"}) * 1000)
            for _ in range(100):
                other[1].write(encode({"id": "other"}))
                assert b"other" in await line(other[0])
            assert 0 < listener.heard["deaf"] < 50

    run(work())


def test_there_are_only_so_many_connections(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One too many is hung up on and logged, the others live; when one goes, the next is served."""
    monkeypatch.setattr(wire, "MOST_CONNECTIONS", 2)

    async def work() -> None:
        async with serving(path, Listener()), joined(path, "first") as first:
            assert b"greeting" in await line(first[0])
            async with joined(path, "second") as second:
                assert b"greeting" in await line(second[0])
                async with joined(path, "too many") as third:
                    with suppress(ConnectionResetError):
                        assert await line(third[0]) == b""
                assert "refused" in caplog.text
                second[1].write(encode({"id": "still there"}))
                assert b"still there" in await line(second[0])
                second[1].write_eof()
                assert await line(second[0]) == b"", "the server has done with it"
            async with joined(path, "fourth") as fourth:
                assert b"greeting" in await line(fourth[0])

    run(work())


# -- the hello, and whose the places are -----------------------------------------------------------


@pytest.mark.parametrize("said", [b"", b'{"hello"'], ids=["nothing", "half a hello"])
def test_who_says_no_hello_is_cut_off(
    path: Path, said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """After the limit the place is free again; who has said hello may then be silent for as long as
    it likes."""

    async def work() -> None:
        async with serving(path, Listener(), hello_limit_s=0.05), joined(path, "polite") as polite:
            assert b"greeting" in await line(polite[0])
            with short_path(path) as short:
                reader, writer = await asyncio.open_unix_connection(short, limit=LINE_LIMIT)
            writer.write(said)
            assert await line(reader) == b""
            writer.close()
            assert "no hello" in caplog.text
            polite[1].write(encode({"id": "still there"}))
            assert b"still there" in await line(polite[0])

    run(work())


OWN, GUEST, OTHER = 990, 1001, 1002
ROOM = MOST_CONNECTIONS - KEPT_FOR_OWN


@pytest.mark.parametrize(
    ("uid", "there", "served"),
    [
        (GUEST, {}, True),
        (GUEST, {GUEST: MOST_OF_ONE_USER - 1}, True),
        (GUEST, {GUEST: MOST_OF_ONE_USER}, False),
        (OTHER, {GUEST: MOST_OF_ONE_USER}, True),
        (OTHER, {GUEST: ROOM - 1}, True),
        (OTHER, {GUEST: ROOM}, False),
        (OTHER, {OWN: KEPT_FOR_OWN, GUEST: 10}, True),
        (OWN, {GUEST: ROOM}, True),
        (0, {GUEST: ROOM}, True),
        (OWN, {GUEST: ROOM, OWN: KEPT_FOR_OWN - 1}, True),
        (OWN, {OWN: MOST_CONNECTIONS - 1}, True),
        (0, {OWN: 50, 0: 50}, False),
        (GUEST, {OWN: MOST_CONNECTIONS}, False),
    ],
)
def test_some_places_are_the_stations_own(uid: int, there: dict[int, int], served: bool) -> None:
    """However many other users there are, root and the station's user find a place; and one user
    leaves some to the next."""
    assert has_place(uid, there, OWN) is served


GUESTS = """
import socket, sys
held = [socket.socket(socket.AF_UNIX) for _ in range(int(sys.argv[2]))]
for one in held:
    one.connect(sys.argv[1])
print("there", flush=True)
sys.stdin.read()
"""


def test_a_member_with_silent_connections_does_not_keep_out_the_command_line(path: Path) -> None:
    """Another user of the machine opens as many as there are places in all; the station's own is
    served as ever."""

    async def work() -> None:
        path.parent.chmod(0o755)
        async with serving(path, Listener(), mode=0o666):
            words = [
                "setpriv",
                "--reuid=65534",
                "--clear-groups",
                "/usr/bin/python3",
                "-c",
                GUESTS,
                str(path),
                str(MOST_CONNECTIONS),
            ]
            guest = await asyncio.create_subprocess_exec(
                *words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            assert guest.stdout is not None
            async with asyncio.timeout(LIMIT_S):
                assert await guest.stdout.readline() == b"there\n"
            async with joined(path, "command line") as own:
                assert b"greeting" in await line(own[0])
            await guest.communicate(b"")

    run(work())
