"""Connect processes by a Unix socket, one JSON object a line; both ends.

The core serves, everybody else is a client. The server never waits for a reader: each watcher has
an outbox of one view, the newest, and is cut off when it leaves it unread for five seconds.
`docs/contracts.md` describes the lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import re
import resource
import socket
import struct
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from station.base.errors import SURE_FIRST, StateInUse, Unreadable, WireError
from station.base.tongue import key, tr
from station.base.untrusted import json_from

log = logging.getLogger(__name__)
GONE = key("the station went away")

LINE_LIMIT = 1 << 20
# What a client may ask in one line: parsing it stops the station's loop, and no command is as long.
ASKED_LIMIT = 64 * 1024
MOST_VALUES = 4096
TAKEN_AT_ONCE = 8  # connections in a turn of the loop: each takes a descriptor before it is counted
FILES_BESIDE = 48  # descriptors for the journal, the devices and the tools
TURNS = 3  # of an event loop, in which a connection that was taken is made, and told of
UNREAD_LIMIT_S = 5.0
ALIVE_S = 1.0
STALE_S = 3.0
HELLO_LIMIT_S = 5.0
# screens, pages and tools of one machine; each costs a descriptor, and the journal needs one too
MOST_CONNECTIONS = 100
# Of these: what other users of the machine may never take, all together, and what one of them may
# at most.
KEPT_FOR_OWN = 20
MOST_OF_ONE_USER = 40
SOCKET = "station.sock"
HANDS_SOCKET = "hands.sock"
WATCHER = "watcher"
# where telephones find the pages: an address of http, with no path
PAGES_FORM, MOST_PAGES = r"^(https?://[A-Za-z0-9.:\[\]-]+)?$", 100
KINDS = ("screen", "terminal", "web", "request")  # what a watcher may say that it is

Message = dict[str, Any]


def encode(message: Mapping[str, Any]) -> bytes:
    """Return a message as one line of the wire.

    Raises:
        Unreadable: it holds half a character, as when bytes that are not UTF-8 were typed.
    """
    try:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError as error:
        raise Unreadable(
            tr("what was typed is not UTF-8: type it again, in a terminal that is set to UTF-8")
        ) from error


def decode(line: bytes) -> Message:
    """Parse one line of the wire.

    Raises:
        Unreadable: the line is not one JSON object in UTF-8.
    """
    try:
        message = json_from(line)
    except Unreadable as error:
        raise Unreadable(
            f"a line that cannot be read ({error}): send one JSON object a line"
        ) from error
    if not isinstance(message, dict):
        raise Unreadable("a line that is not a JSON object: send {...}")
    return message


def decode_asked(line: bytes) -> Message:
    """Parse one line that a client sent.

    Raises:
        Unreadable: as `decode`; or it has more values than any command.
    """
    if sum(map(line.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise Unreadable(f"a line with too many values: {MOST_VALUES} are the most")
    return decode(line)


def sure_of(message: Mapping[str, Any], asked: Mapping[str, Any]) -> Message:
    """Return a command again, sure of what the answer asked about; it needs a new id."""
    return {key: value for key, value in message.items() if key != "id"} | {
        "seen": asked["refused"]["seen"],
        "sure": True,
    }


@contextlib.contextmanager
def short_path(path: Path) -> Iterator[str]:
    """Give a path of the socket, however deep, that fits into the kernel's 108 bytes."""
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


@dataclass(frozen=True, slots=True)
class Peer:
    """The process at the other end, as the kernel names it."""

    pid: int
    uid: int
    gid: int


def _peer(connection: socket.socket) -> Peer:
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return Peer(*struct.unpack("3i", raw))


def has_place(uid: int, there: Mapping[int, int], own: int, most: int = MOST_CONNECTIONS) -> bool:
    """Return whether one more connection of this user is served. Each user has a number of places;
    some are kept for root and our `own` user.

    Args:
        most: connections in all.
    """
    if sum(there.values()) >= most:
        return False
    others = sum(many for user, many in there.items() if user not in (0, own))
    return uid in (0, own) or (
        others < most - min(KEPT_FOR_OWN, most // 2) and there.get(uid, 0) < MOST_OF_ONE_USER
    )


def places() -> int:
    """Return how many connections the descriptors of this process suffice for, the most at most."""
    wanted = MOST_CONNECTIONS + FILES_BESIDE + TAKEN_AT_ONCE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if soft < wanted:
            log.warning("only %d open files are allowed: few screens and tools can connect", soft)
    room = wanted if soft == resource.RLIM_INFINITY else soft
    return max(2, min(MOST_CONNECTIONS, room - FILES_BESIDE - TAKEN_AT_ONCE))


def pages_of(hello: Message) -> str:
    """Return where the web says that telephones find its pages; empty where it does not.

    >>> pages_of({"kind": "web", "pages": "http://10.0.0.5:8090"})
    'http://10.0.0.5:8090'
    >>> pages_of({"kind": "web", "pages": "http://10.0.0.5:8090/?x"}), pages_of({})
    ('', '')
    """
    told = hello.get("pages") if hello.get("kind") == "web" else None
    fits = isinstance(told, str) and len(told) <= MOST_PAGES and re.fullmatch(PAGES_FORM, told)
    return str(told) if fits else ""


class ClientLink:
    """The server's end of one connection: an outbox that holds all answers, and only the newest
    push of each kind."""

    def __init__(
        self, peer: Peer, writer: asyncio.StreamWriter, unread_limit_s: float = UNREAD_LIMIT_S
    ) -> None:
        self.peer = peer
        self.hello: Message = {}
        self._writer = writer
        self._unread_limit_s = unread_limit_s
        self._answers: list[bytes] = []
        self._newest: dict[str, bytes] = {}
        self._wake = asyncio.Event()
        self._sent = asyncio.Event()
        self._ended = False

    def push(self, kind: str, line: bytes) -> None:
        """Send a line of which only the newest counts."""
        self._newest[kind] = line
        self._wake.set()

    def answer(self, message: Message) -> None:
        """Send a line that must not be lost while the connection lives."""
        self._answers.append(encode(message))
        self._wake.set()

    async def answered(self) -> None:
        """Wait until all answers are sent: a client that does not read them is not listened to."""
        while self._answers and not self._ended:
            self._sent.clear()
            await self._sent.wait()

    async def pump(self) -> None:
        """Write what is in the outbox, for ever.

        Raises:
            TimeoutError: the other end does not read.
        """
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                lines = [*self._answers, *self._newest.values()]
                self._answers, self._newest = [], {}
                self._writer.write(b"".join(lines))
                async with asyncio.timeout(self._unread_limit_s):
                    await self._writer.drain()
                self._sent.set()
        except TimeoutError:
            say = "a connection of uid %d left its lines unread for %g s; cut off"
            log.warning(say, self.peer.uid, self._unread_limit_s)
            raise
        finally:
            self._ended = True
            self._sent.set()


Handler = Callable[[ClientLink, Message], Awaitable[Message | None]]
Greeter = Callable[[ClientLink], None]


class WireServer:
    """A socket that pushes to all clients and answers each.

    Args:
        path: where the socket stands; its folder must exist. A dead socket there is replaced.
        handle: called with each message after the hello, one at a time per connection; what it
            returns is sent back.
        greet: called once a connection has said hello: push the whole view there.
        mode: the socket file's permissions.
        unread_limit_s: a connection that leaves its outbox unread for this many seconds is cut off.
        hello_limit_s: so is one that has not sent its first line for so long.
    """

    def __init__(
        self,
        path: Path,
        handle: Handler,
        greet: Greeter,
        mode: int = 0o660,
        unread_limit_s: float = UNREAD_LIMIT_S,
        hello_limit_s: float = HELLO_LIMIT_S,
    ) -> None:
        self.path = path
        self._handle = handle
        self._greet = greet
        self._mode = mode
        self._unread_limit_s = unread_limit_s
        self._hello_limit_s = hello_limit_s
        self._links: set[ClientLink] = set()
        self._serving: dict[asyncio.Task[None], int] = {}  # and whose it is
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._beats = itertools.count(1)
        self._places = MOST_CONNECTIONS

    async def open(self) -> None:
        """Begin to serve.

        Raises:
            StateInUse: another server answers there.
            WireError: the socket cannot be made.
        """
        self._places = places()
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with short_path(self.path) as path:
                if self.path.exists():
                    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                        try:
                            probe.connect(path)
                        except ConnectionRefusedError:
                            self.path.unlink(missing_ok=True)
                        else:
                            why = tr(
                                "another station is running here; stop it, or give --state another"
                                " folder"
                            )
                            raise StateInUse(f"{self.path}: {why}")
                connection.bind(path)
            self.path.chmod(self._mode)
            self._server = await asyncio.start_unix_server(
                self._connected, sock=connection, limit=ASKED_LIMIT, backlog=TAKEN_AT_ONCE
            )
            connection.listen(MOST_CONNECTIONS)  # as many may wait for their turn
        except BaseException as error:
            connection.close()
            if isinstance(error, OSError) and not isinstance(error, StateInUse):
                raise WireError(
                    tr(
                        "{file}: the socket cannot be made ({why}); check its folder",
                        file=self.path,
                        why=error.strerror,
                    )
                ) from error
            raise
        self._keep(self._beat())

    async def close(self) -> None:
        """End all connections and remove the socket."""
        if self._server is None:
            return
        server, self._server = self._server, None
        for listening in server.sockets:
            asyncio.get_running_loop().remove_reader(listening)
        # Nobody more is taken; whoever was just taken comes in first, for a server that is closed
        # already drops him unclosed.
        for _ in range(TURNS):
            await asyncio.sleep(0)
        server.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # in this turn the sockets of those that were let go are closed
        self.path.unlink(missing_ok=True)

    def push(self, kind: str, message: Message) -> None:
        """Send a message to all clients that said hello, encoded once."""
        if self._links:
            line = encode(message)
            for link in self._links:
                link.push(kind, line)

    @property
    def watchers(self) -> int:
        """Return how many connections there are."""
        return len(self._links)

    @property
    def watching(self) -> Mapping[str, int]:
        """Return how many connections want only to watch, by what they say they are: screens, the
        web for its pages; of those that say nothing known under an empty name."""
        kinds = (link.hello.get("kind") for link in self._links if link.hello.get("as") == WATCHER)
        return Counter(kind if kind in KINDS else "" for kind in kinds)

    def _keep(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(ALIVE_S)
            self.push("alive", {"alive": next(self._beats)})

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = _peer(writer.get_extra_info("socket"))
        if not has_place(peer.uid, Counter(self._serving.values()), os.getuid(), self._places):
            say = "%s: a connection of uid %d is refused, there are %d already"
            log.warning(say, self.path, peer.uid, len(self._serving))
            writer.transport.abort()
            return
        serving = self._keep(self._serve(peer, reader, writer))
        self._serving[serving] = peer.uid
        serving.add_done_callback(self._serving.pop)
        # Not left to the work itself: when the station ends it may not have begun.
        serving.add_done_callback(lambda _: writer.transport.abort())

    async def _serve(
        self, peer: Peer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        link = ClientLink(peer, writer, self._unread_limit_s)
        pump = self._keep(link.pump())
        pump.add_done_callback(lambda _: writer.transport.abort())
        try:
            await self._listen(link, reader)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            log.info("a connection ended: %s", error)
        except Exception:
            log.exception("a connection ended by a fault of the station")
        finally:
            self._links.discard(link)
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _listen(self, link: ClientLink, reader: asyncio.StreamReader) -> None:
        try:
            async with asyncio.timeout(self._hello_limit_s):
                line = await _line(link, reader)
        except TimeoutError:
            say = "a connection of uid %d said no hello for %g s; cut off"
            log.warning(say, link.peer.uid, self._hello_limit_s)
            return
        while line:
            try:
                message = decode_asked(line)
            except Unreadable as error:
                link.answer({"id": None, "refused": {"reason": "unreadable", "say": str(error)}})
            else:
                await self._take(link, message)
            await link.answered()
            line = await _line(link, reader)

    async def _take(self, link: ClientLink, message: Message) -> None:
        if link not in self._links:
            hello = message.get("hello")
            if isinstance(hello, dict):
                link.hello = hello
            self._links.add(link)
            self._greet(link)
            if "hello" in message:
                return
        answer = await self._handle(link, message)
        if answer is not None:
            link.answer(answer)


async def _line(link: ClientLink, reader: asyncio.StreamReader) -> bytes:
    """Return a client's next line; empty at the end, and after a line that is too long, which is
    refused unread."""
    try:
        return await reader.readline()
    except ValueError:  # of asyncio: the line is longer than the limit
        say = f"a line of more than {ASKED_LIMIT} bytes: send less at once"
        link.answer({"id": None, "refused": {"reason": "unreadable", "say": say}})
        await link.answered()
        return b""


class Client:
    """The client's end: pushes come in order of arrival, commands are answered.

    Use `Client.open`, then `async for message in client` for pushes, `await client.send(...)` for
    answers, from any tasks.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._waiting: dict[str, asyncio.Future[Message]] = {}
        self._pushes: asyncio.Queue[Message | None] = asyncio.Queue()
        self._task = asyncio.ensure_future(self._read())

    @classmethod
    async def open(cls, path: Path, role: str = WATCHER, kind: str = "", **more: str) -> Client:
        """Connect to the station.

        Args:
            kind: what the program is, one of `KINDS`.
            more: what else it says of itself in its hello; what is empty is not said.

        Raises:
            WireError: no station is there.
        """
        try:
            with short_path(path) as short:
                reader, writer = await asyncio.open_unix_connection(short, limit=LINE_LIMIT)
        except OSError as error:
            raise WireError(
                tr(
                    "{file}: no station answers ({why}); start it with ./loto run",
                    file=path,
                    why=error.strerror or error,
                )
            ) from error
        told = {key: text for key, text in {"kind": kind, **more}.items() if text}
        writer.write(encode({"hello": {"as": role, **told}}))
        return cls(reader, writer)

    async def close(self) -> None:
        """Close the connection."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[Message]:
        while (message := await self._pushes.get()) is not None:
            yield message

    async def request(self, message: Message, limit_s: float = 10.0) -> Message:
        """Send a message and return its answer; an `id` is added if it has none.

        Raises:
            WireError: the station went away or did not answer in time.
        """
        if self._task.done():
            raise WireError(tr(GONE))
        message = {"id": uuid.uuid4().hex, **message}
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[message["id"]] = answer
        try:
            self._writer.write(encode(message))
            async with asyncio.timeout(limit_s):
                return await answer
        except TimeoutError:
            told = tr("the station did not answer within {seconds:g} s", seconds=limit_s)
            raise WireError(told) from None
        except OSError as error:
            raise WireError(f"{tr(GONE)}: {error}") from error
        finally:
            self._waiting.pop(message["id"], None)

    async def do(
        self,
        act: str,
        *,
        expect: int | None = None,
        seen: str | None = None,
        sure: bool = False,
        **arguments: Any,
    ) -> Message:
        """Send a command with what its sender expects; return the answer, `ok` or `refused`.

        Args:
            sure: the sender knows what may be lost: if the station asks about that, send the
                command again with `sure`.
        """
        order = {"do": {"act": act, **arguments}, "expect": expect, "seen": seen}
        order = {key: told for key, told in order.items() if told is not None}
        answer = await self.request(order)
        if sure and answer.get("refused", {}).get("reason") == SURE_FIRST:
            answer = await self.request(sure_of(order, answer))
        return answer

    async def _read(self) -> None:
        try:
            while line := await self._reader.readline():
                message = decode(line)
                waiting = self._waiting.get(message.get("id") or "")
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
                else:
                    self._pushes.put_nowait(message)
        except (OSError, ValueError) as error:
            log.info("the station's line ended: %s", error)
        finally:
            gone = WireError(tr(GONE))
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(gone)
            self._pushes.put_nowait(None)
