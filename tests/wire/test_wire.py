"""The wire: lines both ways over a Unix socket; nobody who reads slowly, writes nonsense or goes
away can hold the core up."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from station.base.errors import StateInUse, Unreadable, WireError
from station.wire.wire import (
    ASKED_LIMIT,
    LINE_LIMIT,
    Client,
    ClientLink,
    Message,
    WireServer,
    decode,
    decode_asked,
    encode,
    pages_of,
    short_path,
)
from tests.support import run

Handle = Callable[[ClientLink, Message], Any]


async def echo(link: ClientLink, message: Message) -> Message | None:
    """A handler that says back what it was asked."""
    return {"id": message.get("id"), "heard": message}


@asynccontextmanager
async def serving(path: Path, handle: Handle = echo, **options: Any) -> AsyncIterator[WireServer]:
    """A server that greets with a first view."""
    server = WireServer(path, handle, lambda link: link.answer({"view": {"seq": 0}}), **options)
    await server.open()
    try:
        yield server
    finally:
        await server.close()


@asynccontextmanager
async def raw(path: Path) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection without manners."""
    with short_path(path) as short:
        reader, writer = await asyncio.open_unix_connection(short, limit=LINE_LIMIT)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def line(reader: asyncio.StreamReader) -> Message:
    """The next line that is no heartbeat."""
    while "alive" in (message := json.loads(await reader.readline())):
        pass
    return dict(message)


@pytest.fixture
def path() -> Iterator[Path]:
    """A socket in a folder that everybody may enter."""
    with tempfile.TemporaryDirectory(prefix="loto-wire-") as folder:
        os.chmod(folder, 0o755)  # noqa: S103 - another user joins here
        yield Path(folder) / "station.sock"


# -- lines -----------------------------------------------------------------------------------------

words = st.text(st.characters(codec="utf-8"), max_size=10)
numbers = st.integers(-(10**39), 10**39)


@example({"number": -(10**39)})  # as many digits as may be, and a sign
@given(
    st.dictionaries(
        words, words | numbers | st.none() | st.booleans() | st.lists(words, max_size=2), max_size=4
    )
)
def test_what_is_encoded_is_decoded(message: Message) -> None:
    """Any object is one line, and the line is the object again."""
    data = encode(message)
    assert data.count(b"\n") == 1
    assert decode(data) == message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"[]\n",
        b"1\n",
        b"{\n",
        b'"text"\n',
        b"\xff{}\n",
        b"{'a': 1}\n",
        b"[" * 50_000,
        b'{"id": "\\ud800"}\n',
        b'{"\\uDFFF": 1}',
        b'{"ms": NaN}',
        b'{"ms": -Infinity}',
    ],
)
def test_a_line_that_is_no_object_is_unreadable(data: bytes) -> None:
    """Not JSON, not an object, not UTF-8, or text that could never be written again: one kind of
    error, a sentence."""
    with pytest.raises(Unreadable, match="send"):
        decode(data)


def test_both_halves_of_a_pair_are_text() -> None:
    """An emoji as JSON escapes it is read."""
    assert decode(b'{"to": "\\ud83d\\ude00"}') == {"to": "😀"}


# -- requests --------------------------------------------------------------------------------------


def test_a_request_is_answered_and_a_push_comes(path: Path) -> None:
    """A client is greeted, gets the answer to its own id, and the pushes in order."""

    async def work() -> None:
        async with serving(path) as server, await Client.open(path) as client:
            pushes = aiter(client)
            assert await anext(pushes) == {"view": {"seq": 0}}
            answers = await asyncio.gather(
                client.do("draw", expect=3), client.do("claim", serial="0007")
            )
            assert answers[0]["heard"]["do"] == {"act": "draw"}
            assert answers[0]["heard"]["expect"] == 3
            assert answers[1]["heard"]["do"] == {"act": "claim", "serial": "0007"}
            server.push("view", {"view": {"seq": 1}})
            assert (await anext(pushes)) == {"view": {"seq": 1}}
            assert server.watchers == 1

    run(work())


def test_hello_says_who(path: Path) -> None:
    """What a client says in its hello, and who the kernel says it is, are known to the handler."""
    seen: list[tuple[Any, int, int]] = []

    async def handle(link: ClientLink, message: Message) -> Message:
        seen.append((link.hello.get("as"), link.peer.uid, link.peer.pid))
        return {"id": message["id"]}

    async def work() -> None:
        async with serving(path, handle), await Client.open(path, "checker") as client:
            await client.request({})

    run(work())
    assert seen == [("checker", os.getuid(), os.getpid())]


def test_the_web_says_where_its_pages_are(path: Path) -> None:
    """In its hello, beside what it is; what is empty is not said."""
    seen: list[Message] = []

    async def handle(link: ClientLink, message: Message) -> Message:
        seen.append(link.hello)
        return {"id": message["id"]}

    async def work() -> None:
        async with serving(path, handle):
            for pages in ("http://10.0.0.5:8090", ""):
                async with await Client.open(path, kind="web", pages=pages) as client:
                    await client.request({})

    run(work())
    told = {"as": "watcher", "kind": "web"}
    assert seen == [{**told, "pages": "http://10.0.0.5:8090"}, told]


@pytest.mark.parametrize(
    ("hello", "pages"),
    [
        ({"kind": "web", "pages": "http://loto.fritz.box:8090"}, "http://loto.fritz.box:8090"),
        ({"kind": "web", "pages": "https://[fd00::5]"}, "https://[fd00::5]"),
        ({"kind": "screen", "pages": "http://10.0.0.5"}, ""),
        ({"kind": "web"}, ""),
        ({"kind": "web", "pages": ["http://10.0.0.5"]}, ""),
        ({"kind": "web", "pages": "http://10.0.0.5/x"}, ""),
        ({"kind": "web", "pages": "http://10.0.0.5\n"}, ""),
        ({"kind": "web", "pages": "javascript:alert(1)"}, ""),
        ({"kind": "web", "pages": "http://" + "a" * 100}, ""),
    ],
)
def test_only_an_address_is_one(hello: Message, pages: str) -> None:
    """Of the web, over http, with nothing behind it, and short."""
    assert pages_of(hello) == pages


@pytest.mark.parametrize(
    "first",
    [b'{"hello": []}', b'{"hello": null}', b'{"hello": {"as": ["x"]}}', b'{"id": "q", "ask": 1}'],
)
def test_a_strange_hello_makes_a_watcher(path: Path, first: bytes) -> None:
    """A first line that is no hello is taken as it is: the connection is greeted, and answered."""

    async def work() -> None:
        async with serving(path), raw(path) as (reader, writer):
            writer.write(first + b'\n{"id": "z"}\n')
            assert await line(reader) == {"view": {"seq": 0}}
            answers = [await line(reader)]
            while answers[-1]["id"] != "z":
                answers.append(await line(reader))
            assert [answer["id"] for answer in answers] in (["z"], ["q", "z"])

    run(work())


def test_a_line_that_cannot_be_read_is_refused_and_the_connection_lives(path: Path) -> None:
    """Nonsense is answered with a sentence; what comes after it is served."""

    async def work() -> None:
        async with serving(path), raw(path) as (reader, writer):
            writer.write(b'{"hello": {}}\nnonsense\n[]\n{"id": "\\ud800"}\n{"id": "good"}\n')
            assert "view" in await line(reader)
            for _ in range(3):
                refused = await line(reader)
                assert (refused["id"], refused["refused"]["reason"]) == (None, "unreadable")
            assert (await line(reader))["id"] == "good"

    run(work())


def test_lines_come_in_pieces_and_together(path: Path) -> None:
    """Where the bytes are cut does not matter."""

    async def work() -> None:
        async with serving(path), raw(path) as (reader, writer):
            data = encode({"hello": {}}) + b"".join(
                encode({"id": f"c{n}", "to": "Zoë"}) for n in range(5)
            )
            for start in range(0, len(data), 7):
                writer.write(data[start : start + 7])
                await writer.drain()
            assert "view" in await line(reader)
            assert [(await line(reader))["id"] for _ in range(5)] == [f"c{n}" for n in range(5)]

    run(work())


def test_a_line_may_be_big_but_not_too_big(path: Path) -> None:
    """Just under the limit passes; over it the line is refused unread, that connection ends, and no
    other does."""

    async def work() -> None:
        async with serving(path), await Client.open(path) as other:
            async with raw(path) as (reader, writer):
                room = ASKED_LIMIT - 100
                writer.write(b'{"hello": {}}\n' + encode({"id": "big", "text": "x" * room}))
                assert "view" in await line(reader)
                assert len((await line(reader))["heard"]["text"]) == room
            for said in (b"", b'{"hello": {}}\n'):
                async with raw(path) as (reader, writer):
                    writer.write(said + b"x" * (ASKED_LIMIT + 10))
                    answers = [json.loads(one) async for one in reader]
                    assert answers[-1]["refused"]["reason"] == "unreadable"
                    assert "65536 bytes" in answers[-1]["refused"]["say"]
            assert (await other.request({"id": "still"}))["id"] == "still"

    run(work())


@pytest.mark.parametrize(
    "data",
    [
        b"[" + b"1," * 30_000 + b"1]",
        b"[" * 30_000,
        b'{"a":' * 12_000,
        b'{"do":[' + b"[]," * 20_000 + b"[]]}",
        b'{"do":{' + b",".join(b'"%d":0' % number for number in range(6_000)) + b"}}",
        b'["' + b'","' * 15_000 + b'"]',
        b"," * 60_000,
        b"[[[[],[]],[]]," * 4_000,
        b'{"id":"x","do":' + b"[0," * 9_000,
        b'"' + b"{,[" * 20_000 + b'"',
    ],
)
def test_a_line_of_very_many_values_is_not_parsed(
    path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would stop the loop for as long; a command has a few hundred."""
    assert len(data) < ASKED_LIMIT
    parsed: list[bytes] = []
    monkeypatch.setattr("station.wire.wire.decode", parsed.append)
    with pytest.raises(Unreadable, match="4096 are the most"):
        decode_asked(data)
    assert not parsed


def test_the_largest_commands_are_heard() -> None:
    """Ninety keys of a sealed game, a census with two hundred foreign tags, a full table."""
    acts: list[dict[str, Any]] = [
        {"act": "take-keys", "keys": "ab" * 32 * 90},
        {"act": "census", "foreign": list(range(2**60, 2**60 + 200)), "read": list(range(90))},
        {"act": "sit", "players": [{"name": "ह" * 60, "purse": 10**12}] * 90},
    ]
    for act in acts:
        sent = encode({"id": "x" * 100, "do": act, "secret": "s" * 60})
        assert len(sent) < ASKED_LIMIT
        assert decode_asked(sent)["do"] == act


def test_the_last_descriptors_are_nobody_s(path: Path) -> None:
    """Where few files may be open, clients that come in a crowd are turned away, and whoever is
    served stays; nothing is logged with a trace."""
    program = """
import asyncio, resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from station.wire.wire import WireServer, places
async def work():
    async def answer(link, message):
        return {"id": message["id"], "open": True}
    server = WireServer(Path(sys.argv[1]), answer, lambda link: None)
    await server.open()
    print(places(), flush=True)
    await asyncio.to_thread(sys.stdin.read)
asyncio.run(work())
"""
    served = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert served.stdout is not None
    assert int(served.stdout.readline()) == 8

    async def work() -> None:
        async with await Client.open(path) as first:
            assert (await first.request({}))["open"]
            crowd = [socket.socket(socket.AF_UNIX) for _ in range(95)]
            for one in crowd:
                one.setblocking(False)
                with short_path(path) as short, suppress(BlockingIOError, ConnectionError):
                    one.connect(short)
            for _ in range(5):
                assert (await first.request({}))["open"]
            for one in crowd:
                one.close()
            assert (await first.request({}))["open"]

    run(work())
    _, errors = served.communicate("")
    assert "Traceback" not in errors
    assert "is refused" in errors


def test_a_handler_that_fails_ends_one_connection_only(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of ours behind one request does not reach the others, and is in the log; an end
    without faults logs nothing."""

    async def handle(link: ClientLink, message: Message) -> Message:
        if message.get("fail"):
            raise KeyError("a fault of ours")
        return {"id": message["id"]}

    async def work() -> None:
        async with (
            serving(path, handle) as server,
            await Client.open(path) as good,
            await Client.open(path) as bad,
        ):
            with pytest.raises(WireError, match="went away"):
                await bad.request({"fail": True})
            await good.request({})
            assert server.watchers == 1

    run(work())
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [KeyError]


def test_a_client_that_goes_while_it_is_served_leaves_nothing(path: Path) -> None:
    """Its request ends at once, and others are served as before."""
    began, done = asyncio.Event(), asyncio.Event()

    async def handle(link: ClientLink, message: Message) -> Message:
        began.set()
        await done.wait()
        return {"id": message["id"]}

    async def work() -> None:
        async with serving(path, handle):
            async with await Client.open(path) as client:
                asking = asyncio.ensure_future(client.request({}))
                await began.wait()
            with pytest.raises(WireError, match="went away"):
                await asking
            done.set()
            async with await Client.open(path) as client:
                await client.request({})

    run(work())


# -- slow readers ----------------------------------------------------------------------------------


def test_only_the_newest_view_waits_for_a_slow_reader(path: Path) -> None:
    """Views that were not read are replaced by newer ones; answers are not."""

    async def work() -> None:
        async with serving(path) as server, raw(path) as (reader, writer):
            writer.write(b'{"hello": {}}\n')
            assert "view" in await line(reader)
            writer.write(b"".join(encode({"id": f"c{n}"}) for n in range(3)))
            await writer.drain()
            big = "x" * 100_000
            for seq in range(1, 101):
                server.push("view", {"view": {"seq": seq, "big": big}})
                await asyncio.sleep(0)
            got: list[int] = []
            ids: list[str] = []
            while not got or got[-1] != 100:
                message = await line(reader)
                if "view" in message:
                    got.append(message["view"]["seq"])
                else:
                    ids.append(message["id"])
            assert got == sorted(got)
            assert len(got) < 50
            while len(ids) < 3:
                ids.append((await line(reader))["id"])
            assert ids == ["c0", "c1", "c2"]

    run(work())


def test_a_watcher_that_does_not_read_is_cut_off(path: Path) -> None:
    """One that leaves its lines unread is dropped after the limit; the one that reads gets every
    last view meanwhile."""

    async def work() -> None:
        async with serving(path, unread_limit_s=0.05) as server, await Client.open(path) as good:
            pushes = aiter(good)
            await anext(pushes)
            async with raw(path) as (reader, writer):
                writer.write(b'{"hello": {}}\n')
                assert "view" in await line(reader)
                seq = 0
                while server.watchers == 2:
                    seq += 1
                    server.push("view", {"view": {"seq": seq, "big": "x" * 200_000}})
                    while (message := await anext(pushes)).get("view", {}).get("seq") != seq:
                        assert "alive" in message
            assert (await good.request({}))["heard"]

    run(work())


def test_those_who_have_not_said_hello_get_no_views(path: Path) -> None:
    """A connection that says nothing costs nothing."""

    async def work() -> None:
        async with (
            serving(path) as server,
            raw(path) as (reader, writer),
            await Client.open(path) as other,
        ):
            await other.request({})  # the silent one was accepted before it
            server.push("view", {"view": {"seq": 5}})
            await other.request({})
            writer.write(b'{"hello": {}}\n')
            assert await line(reader) == {"view": {"seq": 0}}

    run(work())


# -- sockets ---------------------------------------------------------------------------------------


def test_a_dead_socket_is_replaced_a_living_one_is_not(path: Path) -> None:
    """What a killed station left is no hindrance; a station that runs is not pushed away."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(path))
    assert path.exists()

    async def work() -> None:
        async with serving(path), await Client.open(path) as client:
            with pytest.raises(StateInUse, match="another station is running here; stop it"):
                await WireServer(path, echo, lambda _: None).open()
            assert await client.request({"id": "still"})

    run(work())
    assert not path.exists()


def test_a_path_may_be_deep(tmp_path: Path) -> None:
    """The kernel's 108 bytes are no limit for the state folder, for server and client."""
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)

    async def work() -> None:
        async with (
            serving(deep / "station.sock"),
            await Client.open(deep / "station.sock") as client,
        ):
            assert await client.request({})

    run(work())


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    """Neither end shows a trace: the server says where, the client how to start a station."""
    path = tmp_path / "none" / "station.sock"
    with pytest.raises(WireError, match="the socket cannot be made"):
        run(WireServer(path, echo, lambda _: None).open())
    for where in (path, tmp_path / "station.sock"):
        with pytest.raises(WireError, match=r"no station answers .*\./loto run"):
            run(Client.open(where))


def test_the_socket_is_not_for_everybody(path: Path) -> None:
    """By default only the station's user and group may connect."""

    async def work() -> None:
        async with serving(path):
            modes.append(os.stat(path).st_mode & 0o777)

    modes: list[int] = []
    run(work())
    assert modes == [0o660]


@pytest.mark.root
def test_the_kernel_says_who_is_there(path: Path) -> None:
    """A process of another user is that user, whatever it says in its hello."""
    seen: list[int] = []

    async def handle(link: ClientLink, message: Message) -> Message:
        seen.append(link.peer.uid)
        return {"id": message["id"]}

    code = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
        's.sendall(b\'{"hello": {"as": "admin", "uid": 0}}\\n{"id": "x"}\\n\');'
        'data = b""\n'
        "while b'\"x\"' not in data: data += s.recv(4096)"
    )
    command = [
        "setpriv",
        "--reuid=65534",
        "--clear-groups",
        "/usr/bin/python3",
        "-c",
        code,
        str(path),
    ]

    async def work() -> None:
        async with serving(path, handle, mode=0o666):
            process = await asyncio.create_subprocess_exec(*command)
            assert await process.wait() == 0

    run(work())
    assert seen == [65534]


# -- the end ---------------------------------------------------------------------------------------


def test_a_request_that_is_not_answered_ends(path: Path) -> None:
    """A station that is silent is told from one that is gone, and neither keeps the asker
    waiting."""

    async def silent(link: ClientLink, message: Message) -> None:
        return None

    async def work() -> None:
        async with serving(path, silent), await Client.open(path) as client:
            with pytest.raises(WireError, match="did not answer within"):
                await client.request({}, limit_s=0.01)

    run(work())


def test_a_server_that_closes_tells_its_clients(path: Path) -> None:
    """Pushes end, an open request fails at once, so does a later one; nothing of the socket is
    left; closing twice is well."""
    asked = asyncio.Event()

    async def never(link: ClientLink, message: Message) -> None:
        asked.set()
        await asyncio.Event().wait()

    async def work() -> None:
        async with serving(path, never) as server:
            clients = [await Client.open(path) for _ in range(5)]
            asking = asyncio.ensure_future(clients[0].request({}))
            await asked.wait()
            await server.close()
            with pytest.raises(WireError, match="went away"):
                await asking
            for client in clients:
                pushes = [push async for push in client if "alive" not in push]
                assert pushes in ([], [{"view": {"seq": 0}}])
                with pytest.raises(WireError, match="went away"):
                    await client.request({})
                await client.close()
            await server.close()

    run(work())
    assert not path.exists()


def test_a_client_that_hears_nonsense_hangs_up(path: Path) -> None:
    """Something that is no station at the other end is a station that went away."""

    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 400 Bad Request\n")
        writer.close()

    async def work() -> None:
        async with await asyncio.start_unix_server(babble, path):
            client = await Client.open(path)
            assert [push async for push in client] == []
            await client.close()

    run(work())


def test_a_script_of_ten_lines_can_be_a_client(path: Path) -> None:
    """The wire needs no library: a plain socket and JSON are enough."""
    code = (
        "import json, socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f ="
        ' s.makefile(\'rw\');f.write(\'{"hello": {}}\\n{"id": "a", "do": {"act": "draw"}}\\n\');'
        " f.flush()\nfor line in f:\n    if json.loads(line).get('id') == 'a': print(line);"
        " break"
    )

    async def work() -> bytes:
        async with serving(path):
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", code, str(path), stdout=subprocess.PIPE
            )
            out, _ = await process.communicate()
            return out

    assert json.loads(run(work()))["heard"]["do"] == {"act": "draw"}
