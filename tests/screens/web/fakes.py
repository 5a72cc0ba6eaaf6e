"""A core and hands to put behind the web: real sockets, canned views, and a memory of what was
asked."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import queue
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI
from websockets.sync.client import ClientConnection

from station.people.roles import MAY, Role
from station.screens.web.certificate import OwnCertificate
from station.screens.web.door import WebPort
from station.screens.web.gate import Limits
from station.screens.web.server import WebServer, listener
from station.wire.board_view import BoardView
from station.wire.wire import ClientLink, Message, WireServer, decode, encode

T = TypeVar("T")
NOT_PAIRED = {"refused": {"reason": "not-paired", "say": "this device is not paired here"}}
LIMIT_S = 60.0  # a machine that has other things to do, too


class FakeCore:
    """The core's end of the wire: shows whatever view it is given."""

    def __init__(self, path: Path, view: BoardView) -> None:
        self.path = path
        self.view = view
        self.asked: list[Message] = []
        self._server = WireServer(path, self._handle, self._greet)

    async def open(self) -> None:
        await self._server.open()

    async def close(self) -> None:
        await self._server.close()

    def show(self, view: BoardView) -> None:
        """Pushes a view, as the core does after each change. To be called in the loop's thread."""
        self.view = view
        self._server.push("view", self._message())

    @property
    def watchers(self) -> int:
        return self._server.watchers

    def _message(self) -> Message:
        return {"view": self.view.model_dump(mode="json")}

    def _greet(self, link: ClientLink) -> None:
        link.push("view", encode(self._message()))

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        self.asked.append(message)
        return {"id": message.get("id"), "ok": True}


class Distant(FakeCore):
    """A core at which the web's user only watches."""

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        await super()._handle(link, message)
        return {
            "id": message.get("id"),
            "refused": {"reason": "not-your-role", "say": "ask: you are here as watcher"},
        }


class Hall(FakeCore):
    """A core that lets devices in by their digests, and says who sends what; without a secret one
    only watches."""

    def __init__(self, path: Path, view: BoardView) -> None:
        super().__init__(path, view)
        self.people: dict[str, Message] = {}
        self.asks: list[Message] = []
        self.refuses = ""  # what it says to whoever asks
        self.proof: Message = {}  # its answer to whoever asks for a proof

    def let_in(self, role: str, name: str = "Anna", seat: int = 0) -> None:
        """Somebody types the digits of whoever asked last."""
        acts = sorted(MAY[Role(role)])
        person = {"name": name, "role": role, "seat": seat, "acts": acts}
        self.people[self.asks[-1]["key"]] = person

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        self.asked.append(message)
        return {"id": message.get("id"), **self._answer(link, message)}

    def _answer(self, link: ClientLink, message: Message) -> Message:
        if "pair" in message:
            if message["pair"] == {"do": "forget"}:
                return self._forget(message["secret"])
            if self.refuses:
                return {"refused": {"reason": "somebody-asks", "say": self.refuses}}
            self.asks.append(message["pair"])
            return {"answer": {"digits": "123456", "seconds": 120}}
        if self.proof and message.get("ask", {}).get("about") in ("proof", "grown"):
            return self.proof
        if link.hello.get("as") != "watcher":
            return {"refused": {"reason": "test", "say": "the web asked for more than to watch"}}
        key = _key_of(message.get("secret", ""))
        if key not in self.people:
            return NOT_PAIRED
        if message.get("ask") == {"about": "me"}:
            return {"answer": self.people[key]}
        return {"ok": True, "answer": {"by": self.people[key]["name"]}}

    def _forget(self, secret: str) -> Message:
        return {"ok": True} if self.people.pop(_key_of(secret), None) else NOT_PAIRED


def _key_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class FakeHands:
    """The hands' socket: remembers each request, answers it from a table, moves knobs and cables as
    told."""

    def __init__(self, path: Path, bench: Message) -> None:
        self.path = path
        self.bench = bench
        self.asked: queue.Queue[Message] = queue.Queue()
        self.refusals: dict[str, str] = {}
        self.questions: dict[str, str] = {}  # what is asked before an act that is not sent for sure
        self.on_press: Callable[[str], None] = lambda button: None
        self._server = WireServer(path, self._handle, self._greet)

    async def open(self) -> None:
        await self._server.open()

    async def close(self) -> None:
        await self._server.close()

    def show(self, bench: Message) -> None:
        """Pushes what a person before the machine sees. To be called in the loop's thread."""
        self.bench = bench
        self._server.push("bench", {"bench": bench})

    def _greet(self, link: ClientLink) -> None:
        link.push("bench", encode({"bench": self.bench}))

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        self.asked.put({key: said for key, said in message.items() if key not in ("id", "lang")})
        hand = message.get("hand", "")
        name = message["do"]["act"] if hand == "do" else hand
        if name in self.refusals:
            return {"id": message["id"], "refused": {"reason": "no", "say": self.refusals[name]}}
        if name in self.questions and not message.get("sure"):
            return {
                "id": message["id"],
                "refused": {"reason": "sure?", "say": self.questions[name], "seen": "57"},
            }
        self._move(hand, message)
        return {"id": message["id"], "ok": True, **({"seq": 58} if hand == "do" else {})}

    def _move(self, hand: str, message: Message) -> None:
        bench = self.bench
        reader = bench["reader"]
        match hand:
            case "press":
                self.on_press(message["button"])
            case "drop" | "two" if "card" in message or "cards" in message:
                cards = message.get("cards") or [message["card"]]
                self.show({**bench, "reader": {**reader, "cards": cards}})
            case "drop":
                self.show({**bench, "reader": {**reader, "resting": [message["knob"]]}})
            case "two":
                self.show({**bench, "reader": {**reader, "resting": message["knobs"]}})
            case "lift":
                self.show({**bench, "reader": {**reader, "resting": [], "cards": []}})
            case "unplug" | "plug":
                self.show({**bench, "reader": {**reader, "plugged": hand == "plug"}})
            case "kill":
                self.show({**bench, "voice": {"alive": False}})
            case "fill-disk" | "free-disk":
                self.show({**bench, "disk": {"full": hand == "fill-disk"}})


class Loop:
    """An event loop in a thread of its own, so that a test can drive a browser in the
    foreground."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hall", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine there and waits for it, with a limit."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LIMIT_S)

    def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Calls a plain function there."""

        async def work() -> T:
            return function(*arguments)

        return self.run(work())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT_S)
        self._loop.close()


@contextlib.contextmanager
def served(
    loop: Loop,
    app: FastAPI,
    port: int = 0,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.monotonic,
    secured: WebPort | None = None,
) -> Iterator[str]:
    """The application over a real port, by the server that the station uses; gives its address."""
    started = threading.Event()
    listening = listener("127.0.0.1", port)
    address = "http://{}:{}".format(*listening.getsockname())
    server = InThread(app, listening, limits, started.set, clock, secured)

    async def begin() -> asyncio.Task[None]:
        return asyncio.create_task(server.serve([]))

    serving = loop.run(begin())
    if not started.wait(LIMIT_S):
        raise TimeoutError("the web did not start")
    try:
        yield address
    finally:
        server.should_exit = True

        async def end() -> None:
            await serving

        loop.run(end())


@contextlib.contextmanager
def served_twice(
    loop: Loop, folder: Path, make: Callable[[int], FastAPI], limits: Limits | None = None
) -> Iterator[tuple[str, str]]:
    """The application that `make` makes for this port with TLS, over that and a plain one, with a
    certificate of its own; gives both addresses."""
    with listener("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        certificate = OwnCertificate(folder / "tls", lambda: frozenset({"localhost", "127.0.0.1"}))
        secured = WebPort(listening, certificate.context)
        with served(loop, make(port), limits=limits, secured=secured) as url:
            yield url, f"https://127.0.0.1:{port}"


def get(url: str, **more: Any) -> httpx.Response:
    """A question to the web, with the patience of a test. Whom this machine trusts is not read each
    time: that took longer than most questions."""
    return httpx.get(url, timeout=LIMIT_S, verify=False, **more)  # noqa: S501 - the station's own


def post(url: str, **more: Any) -> httpx.Response:
    """Something sent to the web, with the patience of a test."""
    return httpx.post(url, timeout=LIMIT_S, verify=False, **more)  # noqa: S501 - the station's own


def read_to_its_end(line: ClientConnection) -> None:
    """Reads until the other end closes the line; raises `ConnectionClosed` then, `TimeoutError`
    when it does not."""
    for _ in lines(line):
        pass


def lines(line: ClientConnection) -> Iterator[Message]:
    """What comes, message by message, for so long as a test may wait; then raises
    `TimeoutError`."""
    until = time.monotonic() + LIMIT_S
    while (left := until - time.monotonic()) > 0:
        yield decode(line.recv(timeout=left, decode=False))
    raise TimeoutError("the line never said what was waited for")


class InThread(WebServer):
    """The server without signals: those belong to the main thread."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
