"""Keep one connection to a socket of the station up, and copy its lines to any number of browsers.

However many browsers watch, the core has one watcher more. Each browser has an `Outbox` of the
newest line of each kind, so that a slow one misses pictures, never the newest, and holds nobody up.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

from station.base.errors import WireError
from station.wire.wire import STALE_S, Client, Message

log = logging.getLogger(__name__)

# How long to wait before the next try: short at first, because a restarted core is back within a
# second or two.
PAUSES_S = (0.1, 0.2, 0.5, 1.0, 2.0)
# in a turn of the loop, which does other things too: a thousand at once are a quarter of a second
WOKEN_AT_ONCE = 16
LOOKS = 6  # the allowed silence is watched in this many parts
WORTH_SAYING = 5  # tries in vain, some 2 s: at a start the core may be a moment later than the web

PULSE = "pulse"


class Outbox:
    """Lines not yet sent to one browser: the newest of each kind."""

    def __init__(self) -> None:
        self._newest: dict[str, str] = {}
        self._wake = asyncio.Event()

    def put(self, kind: str, line: str) -> None:
        """Replace the unsent line of this kind; nobody is woken before `wake`."""
        self._newest[kind] = line

    def wake(self) -> None:
        """Wake whoever waits in `take`."""
        self._wake.set()

    async def take(self) -> list[str]:
        """Take all unsent lines; wait until there is one."""
        await self._wake.wait()
        self._wake.clear()
        lines, self._newest = list(self._newest.values()), {}
        return lines


class WebFeed:
    """One connection to the core, or to the simulation.

    Browsers get `{kind: …}` whenever it changes, and a pulse: `{"alive": n}` as often as the
    station sends one, `{"stale": true}` once it has been silent for `silence_s` or its socket is
    gone.

    Args:
        path: the socket.
        kind: the name of the push to keep, "view" or "bench".
        silence_s: how long the station may be silent before its picture counts as stale.
        pages: returns where telephones find the pages, for the core to tell; empty: they cannot.
    """

    def __init__(
        self,
        path: Path,
        kind: str,
        *,
        silence_s: float = STALE_S,
        pages: Callable[[], str] = str,
    ) -> None:
        self.path = path
        self.kind = kind
        self._pages = pages
        self.newest: Message | None = None
        self.stale = True
        self._silence_s = silence_s
        self._client: Client | None = None
        self._lines = 0
        self._outboxes: set[Outbox] = set()
        self._to_wake: dict[Outbox, None] = {}  # in this order

    @property
    def browsers(self) -> int:
        """Return how many browsers are watching."""
        return len(self._outboxes)

    @contextlib.contextmanager
    def joined(self) -> Iterator[Outbox]:
        """Give one browser an outbox, with the present picture in it."""
        outbox = Outbox()
        if self.newest is not None:
            outbox.put(self.kind, _line({self.kind: self.newest}))
        outbox.put(PULSE, _line({"stale": self.stale}))
        outbox.wake()
        self._outboxes.add(outbox)
        try:
            yield outbox
        finally:
            self._outboxes.discard(outbox)
            self._to_wake.pop(outbox, None)

    async def request(self, message: Message) -> Message:
        """Send a message and return its answer.

        Raises:
            WireError: the station is away, or went away before it answered.
        """
        if self._client is None:
            raise WireError(f"{self.path}: no station answers; start it with ./loto run")
        return await self._client.request(message)

    async def run(self) -> None:
        """Keep the connection up until cancelled."""
        failures = 0
        while True:
            try:
                heard = await self._follow()
                failures = 0 if heard else failures + 1
                log.warning("%s: the line ended; trying again", self.path)
            except WireError as error:
                failures += 1
                # Once, not at every try: a station that is switched off must not fill the log.
                log.log(logging.WARNING if failures == WORTH_SAYING else logging.DEBUG, "%s", error)
            self._mark_stale()
            await asyncio.sleep(PAUSES_S[min(failures, len(PAUSES_S) - 1)])

    async def _follow(self) -> bool:
        """Pass lines on until the station hangs up or falls silent; return whether any came."""
        before = self._lines
        async with await Client.open(self.path, kind="web", pages=self._pages()) as client:
            self._client = client
            try:
                listened, _ = await first_of(self._listen(client), self._silence())
            finally:
                self._client = None
        if isinstance(listened, asyncio.CancelledError):
            say = "%s: the station has been silent for %g s; hanging up"
            log.warning(say, self.path, self._silence_s)
        elif listened is not None:
            raise listened
        return self._lines > before

    async def _listen(self, client: Client) -> None:
        async for message in client:
            self._lines += 1
            self._hand_on(message)

    async def _silence(self) -> None:
        """Wait until nothing came in several looks, one after another: a process that was busy
        itself could not hear."""
        looks = 0
        while looks < LOOKS:
            before = self._lines
            await asyncio.sleep(self._silence_s / LOOKS)
            looks = 0 if self._lines > before else looks + 1

    def _hand_on(self, message: Message) -> None:
        if isinstance(message.get(self.kind), dict):
            self.newest = message[self.kind]
            self._put(self.kind, {self.kind: self.newest})
        elif "alive" not in message:
            say = "%s: a line that is neither %s nor alive: %s"
            log.info(say, self.path, self.kind, sorted(message))
        if self.stale or "alive" in message:
            self.stale = False
            self._put(PULSE, {"alive": message.get("alive", 0)})

    def _mark_stale(self) -> None:
        # Sent at every try, not once: a page that hears nothing takes its own connection for dead
        # and connects again.
        self.stale = True
        self._put(PULSE, {"stale": True})

    def _put(self, kind: str, message: Message) -> None:
        if self._outboxes:
            line = _line(message)
            for outbox in self._outboxes:
                outbox.put(kind, line)
            if not self._to_wake:
                asyncio.get_running_loop().call_soon(self._wake_some)
            self._to_wake.update(dict.fromkeys(self._outboxes))

    def _wake_some(self) -> None:
        for outbox in list(itertools.islice(self._to_wake, WOKEN_AT_ONCE)):
            del self._to_wake[outbox]
            outbox.wake()
        if self._to_wake:
            asyncio.get_running_loop().call_soon(self._wake_some)


async def first_of(*works: Coroutine[Any, Any, Any]) -> list[Any]:
    """Run works together until one of them has ended, end the others, and return what came of each:
    what it returned, or its exception."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    return outcomes


def _line(message: Message) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
