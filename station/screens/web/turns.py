"""Give turns at slow work: one piece at a time, the addresses one after another.

A crowd from one address waits behind one piece of work of each other address, and only a few of it
wait at all: the rest is told at once to come again. `FewPerAddress` limits how often each
address may do something.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from station.screens.web.gate import neighbourhood

MOST_EACH = 4  # of one address; a hall's phones behind one router ask for the same, which is kept
MOST_WAITING = 64
MOST_ASKED = 4096  # addresses whose requests are counted


class BusyError(Exception):
    """Too many wait already: ask again later."""


class FairTurns:
    """The turns at one piece of work.

    Args:
        most_each: how many of one address may wait.
        most: how many may wait in all.
    """

    def __init__(self, most_each: int = MOST_EACH, most: int = MOST_WAITING) -> None:
        self._most_each, self._most = most_each, most
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # whose turn is next first
        self._taken = False

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Wait for the turn of this address, and hold it.

        Raises:
            BusyError: too many wait.
        """
        await self._wait(who)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, who: str) -> None:
        if not self._taken:
            self._taken = True
            return
        mine = self._waiting.get(who, ())
        if len(mine) >= self._most_each or sum(map(len, self._waiting.values())) >= self._most:
            raise BusyError
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()  # it came at the same moment
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            who = next(iter(self._waiting))
            queue = self._waiting.pop(who)
            turn = queue.popleft()
            if queue:
                self._waiting[who] = queue  # after all others
            if not turn.done():
                turn.set_result(None)
                return
        self._taken = False


class FewPerAddress:
    """Let each address do something so often in a while, and no more.

    Args:
        most: how often.
        in_s: in how many seconds from the first time on.
        clock: monotonic seconds.
    """

    def __init__(self, most: int, in_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._in_s = in_s
        self._clock = clock
        self._since: dict[str, tuple[float, int]] = {}  # the oldest first

    def left(self, address: str) -> float:
        """Return for how many seconds an address must wait; 0 if it may do it now, which counts."""
        now, who = self._clock(), neighbourhood(address)
        while self._since and now - next(iter(self._since.values()))[0] >= self._in_s:
            del self._since[next(iter(self._since))]
        since, count = self._since.get(who, (now, 0))
        if count >= self._most or (not count and len(self._since) >= MOST_ASKED):
            return self._in_s - (now - since)
        self._since[who] = since, count + 1
        return 0.0
