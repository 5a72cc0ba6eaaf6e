"""Decide who is let in when the server is full, and give turns at slow work.

Slow work is done one piece at a time, the addresses one after another. A crowd from one address
waits behind one piece of work of each other address, and only a few of it wait at all: the rest is
told at once to come again. `FewPerAddress` limits how often each address may do something.

A full server keeps few places for connections that only wait, most for those being served.

Every connection may come in and say one request; until it has said it whole it *stands*. Those who
stand are bounded for each address and in all: for a newcomer whoever has stood longest goes, of the
address that has most of them, and nobody stands for longer than `STANDING_S`. Who has asked gets a
*seat*, if his address and the house have one left; a full house takes one from the address that has
most for an address that has clearly less. Holders of the desk's token have seats of their own, and
are sent away by nobody's coming. Behind one router all telephones are one address, so the bound for
one is a setting.

Each connection has a number of its own, which is never given again. Address and port will not do: a
telephone may come again from the same port before the end of what it had there is heard, and one
would then go, or be served, for the other.

No clock, no sockets here: times come in, and the numbers of those who must go come out.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count

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


# -- places in a full house ------------------------------------------------------------------------

STANDING_S = 10.0  # for a whole request, head and body; and between two of them
# an answer that is not taken in this time is given up; lines of browsers have their own limit
ANSWERING_S = 60.0
PER_ADDRESS = 256
STANDING = 1024
SEATS = 1024  # a thousand phones; more would take a core of a Pi for a line of each in every second
KEPT = 64  # seats for holders of the token
# connections that may stand of an address without a free seat: enough to show a token
DOORSTEP = 64


@dataclass(frozen=True)
class Limits:
    """How many connections are let in.

    Attributes:
        per_address: connections of one address, holders of the token apart.
        standing: connections without a complete request, in all.
        seats: connections being served, in all, without holders of the token.
        kept: seats for holders of the token.
        doorstep: how many of an address may stand though it has no seat left.
    """

    per_address: int = PER_ADDRESS
    standing: int = STANDING
    seats: int = SEATS
    kept: int = KEPT
    doorstep: int = DOORSTEP

    @property
    def files(self) -> int:
        """Return how many descriptors these may cost: one each, a file for each that is served."""
        return self.standing + 2 * (self.seats + self.kept)

    def within(self, files: int) -> Limits:
        """Return these limits, lowered if there are too few descriptors."""
        if files >= self.files:
            return self
        standing = max(self.doorstep, min(self.standing, files // 4))
        seats = max(1, (files - standing) // 2 - self.kept)
        return Limits(self.per_address, standing, seats, self.kept, self.doorstep)


@lru_cache(4096)
def neighbourhood(address: str) -> str:
    """Return what counts as one address: an IPv4 address, or an IPv6 network, in which one
    telephone has as many as it likes.

    >>> neighbourhood("192.168.1.7"), neighbourhood("fe80::1%3"), neighbourhood("fd00::1:2:3:4")
    ('192.168.1.7', 'fe80::', 'fd00::')
    """
    try:
        there = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(there, ipaddress.IPv4Address):
        return address
    return str(
        there.ipv4_mapped or ipaddress.IPv6Network((there, 64), strict=False).network_address
    )


@dataclass(eq=False)
class Visitor:
    """One connection.

    Attributes:
        key: its number.
        since: when it began to stand, or its answer began.
        holds: whether it has shown the token.
        asking: how many of its requests are being answered.
        line: whether it is a browser's line, which stays.
    """

    key: int
    address: str
    since: float
    holds: bool = False
    asking: int = 0
    line: bool = False


@dataclass
class Gate:
    """The list of who stands and who sits; all times are seconds of one monotonic clock.

    Attributes:
        turned: how many were turned away since the last look, by reason.
    """

    limits: Limits = field(default_factory=Limits)
    turned: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._numbers = count(1)
        self._here: dict[int, Visitor] = {}
        # In the order in which they came; a dict without values is an ordered set.
        self._standing: dict[str, dict[Visitor, None]] = {}
        self._seated: dict[str, dict[Visitor, None]] = {}
        self._holders: dict[Visitor, None] = {}

    def __len__(self) -> int:
        return len(self._here)

    def __contains__(self, key: object) -> bool:
        return key in self._here

    @property
    def standing(self) -> int:
        """Return how many stand."""
        return sum(map(len, self._standing.values()))

    @property
    def seated(self) -> int:
        """Return how many sit, without holders of the token."""
        return sum(map(len, self._seated.values()))

    @property
    def holders(self) -> int:
        """Return how many have seats that are kept for holders of the token."""
        return len(self._holders)

    def of(self, address: str) -> int:
        """Return how many connections an address has, without holders of the token."""
        return len(self._standing.get(address, ())) + len(self._seated.get(address, ()))

    def came(self, address: str, now: float) -> tuple[int, list[int]]:
        """Add a connection; return its number, and which ones must go to make room."""
        address, key = neighbourhood(address), next(self._numbers)
        visitor = self._here[key] = Visitor(key, address, now)
        _put(self._standing, visitor)
        return key, self._room_to_stand(address)

    def asked(
        self, key: int, now: float, *, holds: bool = False, line: bool = False
    ) -> tuple[bool, list[int]]:
        """Take a complete request of a connection; return whether it is served, and which ones must
        go to make room."""
        visitor = self._here.get(key)
        if visitor is None:
            return False, []  # it has just ended
        visitor.holds |= holds
        gone: list[int] = []
        if not visitor.asking:
            served, gone = self._seat(visitor)
            if not served:
                self.turned["no seat left"] += 1
                return False, gone
        visitor.asking += 1
        visitor.since = now
        visitor.line |= line
        return True, gone

    def answered(self, key: int, now: float) -> list[int]:
        """Note an answered request: the connection stands again, or keeps its seat if it holds the
        token. Return which ones must go to make room."""
        visitor = self._here.get(key)
        if visitor is None or not visitor.asking:
            return []
        visitor.asking -= 1
        visitor.since = now
        if visitor.asking or visitor in self._holders:
            return []
        _take(self._seated, visitor)
        _put(self._standing, visitor)
        return self._room_to_stand(visitor.address)

    def left(self, key: int) -> None:
        """Forget a connection that has ended."""
        visitor = self._here.pop(key, None)
        if visitor is not None:
            self._holders.pop(visitor, None)
            _take(self._standing, visitor)
            _take(self._seated, visitor)

    def overdue(self, now: float) -> list[int]:
        """Remove and return the connections that stood, or did not read an answer, for too long."""
        late = [
            visitor
            for visitor in self._here.values()
            if not visitor.line
            and now - visitor.since >= (ANSWERING_S if visitor.asking else STANDING_S)
        ]
        return [self._send_away(visitor, "no whole request in time") for visitor in late]

    def _room_to_stand(self, address: str) -> list[int]:
        """Send away the connection that has stood longest, where one of `address` is too many."""
        mine = self._standing[address]
        if len(mine) > max(
            self.limits.doorstep, self.limits.per_address - len(self._seated.get(address, ()))
        ):
            return [self._send_away(next(iter(mine)), "too many of one address")]
        if self.standing > self.limits.standing:
            longest = next(iter(_largest(self._standing)))
            return [self._send_away(longest, "too many that ask nothing")]
        return []

    def _seat(self, visitor: Visitor) -> tuple[bool, list[int]]:
        limits, address = self.limits, visitor.address
        if visitor in self._holders:
            return True, []
        if visitor.holds and len(self._holders) < limits.kept:
            _take(self._standing, visitor)
            self._holders[visitor] = None
            return True, []
        mine = len(self._seated.get(address, ()))
        if mine >= limits.per_address:
            return False, []
        gone: list[int] = []
        if self.seated >= limits.seats:
            most = _largest(self._seated)
            if len(most) <= mine + 1:
                return False, []
            gone.append(self._send_away(next(reversed(most)), "a seat for another address"))
        _take(self._standing, visitor)
        _put(self._seated, visitor)
        return True, gone

    def _send_away(self, visitor: Visitor, why: str) -> int:
        self.turned[why] += 1
        self.left(visitor.key)
        return visitor.key


def _put(places: dict[str, dict[Visitor, None]], visitor: Visitor) -> None:
    places.setdefault(visitor.address, {})[visitor] = None


def _take(places: dict[str, dict[Visitor, None]], visitor: Visitor) -> None:
    there = places.get(visitor.address, {})
    there.pop(visitor, None)
    if not there:
        places.pop(visitor.address, None)


def _largest(places: dict[str, dict[Visitor, None]]) -> dict[Visitor, None]:
    return max(places.values(), key=len)
