"""Secrets that are good no more, or never were, straight on the socket of a running core: for every
role an act, a question and what it sees."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from station.base.clock import Clock
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.people.pairings import PAIRED, UNUSED_S, key_of
from station.people.roles import Role
from station.record.journal import FILE, read
from station.screens.web.people import OVER_PLAIN_HTTP
from station.settings.config import CallingSettings, Settings
from station.wire.wire import SOCKET, Client, Message
from tests.core.test_rights import NOT_PAIRED, reason
from tests.support import PROGRAMME, run, small_pack

SECRETS = {role: f"the secret of the {role.value}" for role in PAIRED}
# An act of every role that has one: what is missing in it is told only to who may do it.
ACTS = {
    Role.CALLER: "repeat",
    Role.CHECKER: "claim",
    Role.CASHIER: "sell",
    Role.HOST: "sit",
    Role.TREASURER: "bank",
    Role.ADMIN: "bank",
    Role.SEAT: "move",
}
MESSAGES: tuple[Message, ...] = (
    {"ask": {"about": "me"}},
    {"ask": {"about": "money"}},
    {"ask": {"about": "hand"}},
    {"ask": {"about": "table"}},
    {"do": {"act": "hold"}},
    {"do": {"act": "release"}},
    {"pair": {"do": "show"}},
    {"pins": {"do": "free"}},
)


class Station:
    """A core that runs, and a line to it for each role that stays open."""

    def __init__(self, state: Path) -> None:
        self.state, self.now = state, 5.0
        clock = Clock(lambda: 1_700_000_000.0 + self.now, lambda: self.now, lambda: False)
        self.core = Core(
            Settings(calling=CallingSettings(see_first=True)),
            state,
            state / "run",
            programme=PROGRAMME,
            machine=Machine(
                clock=clock, chance=Random(3), check_ground=lambda folder, *, test: None
            ),
        )
        self.lines: dict[Role, Client] = {}

    async def line(self) -> Client:
        return await Client.open(self.state / "run" / SOCKET, "watcher")

    async def admin(self, **message: object) -> Message:
        """Of the station's own user, who is sure."""
        async with await Client.open(self.state / "run" / SOCKET, "admin") as client:
            answer = await client.request(dict(message))
            if reason(answer) == "sure?":
                seen = answer["refused"]["seen"]
                answer = await client.request({**message, "sure": True, "seen": seen})
        return answer

    async def pair(self, role: Role, secret: str) -> None:
        ask = {"do": "ask", "name": role.value, "key": key_of(secret)}
        digits = (await self.admin(pair=ask))["answer"]["digits"]
        seat = {"seat": 1} if role is Role.SEAT else {}
        confirm = {"do": "confirm", "digits": digits, "role": role.value, **seat}
        assert (await self.admin(pair=confirm)).get("ok")

    async def is_good(self, line: Client, role: Role, secret: str) -> None:
        """This secret is that role's, for a question and an act."""
        me = await line.request({"secret": secret, "ask": {"about": "me"}})
        assert me["answer"]["role"] == role.value
        if role in ACTS:
            done = await line.request({"secret": secret, "do": {"act": ACTS[role]}})
            assert reason(done) not in (NOT_PAIRED, "not-your-role"), done

    async def is_dead(self, line: Client, role: Role, secret: object) -> None:
        """Whatever is sent with this secret is nobody's, on this line, and changes nothing; what
        comes on it is the board, as whoever watches gets it."""
        act = {"do": {"act": ACTS.get(role, "open")}}
        for message in (*MESSAGES, act, {"pair": {"do": "forget"}}):
            answer = await line.request({"secret": secret, **message})
            assert reason(answer) == NOT_PAIRED, (role, message, answer)
            assert answer.keys() == {"id", "refused"}
        alone = await line.request({"ask": {"about": "money"}})
        assert reason(alone) == "not-your-role"
        async with await self.line() as fresh:
            assert await pushed(line) == await pushed(fresh)

    def ends(self) -> list[tuple[str, str]]:
        """The pairings that ended by an act, with the reason, as the journals have them."""
        lines = [
            line["do"]
            for night in sorted((self.state / "nights").iterdir())
            for line in read(night / FILE).lines
        ]
        return [(do["key"], do["why"]) for do in lines if do["act"] == "unpair"]


async def pushed(client: Client) -> set[str]:
    """Of which kinds the pushes are that come, until the board has."""
    kinds: set[str] = set()
    async for message in client:
        kinds |= message.keys() - {"alive"}
        if "view" in message:
            break
    return kinds


@asynccontextmanager
async def station(state: Path) -> AsyncIterator[Station]:
    """A station with a device of each role, each on an open line that was used."""
    (state / "packs").mkdir(parents=True)
    (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    hall = Station(state)
    await hall.core.open()
    try:
        async with AsyncExitStack() as stack:
            for role, secret in SECRETS.items():
                await hall.pair(role, secret)
                hall.lines[role] = await stack.enter_async_context(await hall.line())
            for role, line in hall.lines.items():
                await hall.is_good(line, role, SECRETS[role])
            yield hall
    finally:
        await hall.core.close()


async def two_nights_on(hall: Station) -> None:
    """Its night is over, and the next one, too."""
    for night in (1, 2):
        assert (await hall.admin(do={"act": "close-night"})).get("ok")
        assert (await hall.admin(do={"act": "next-night"})).get("ok")
        if night == 1:
            for role, line in hall.lines.items():
                await hall.is_good(line, role, SECRETS[role])


async def a_day_unused(hall: Station) -> None:
    """Nobody used it for a day."""
    hall.now += UNUSED_S


async def unpaired(hall: Station) -> None:
    """An admin revokes it."""
    for secret in SECRETS.values():
        assert (await hall.admin(do={"act": "unpair", "key": key_of(secret)})).get("ok")


async def forgotten(hall: Station) -> None:
    """On the device itself: somebody presses it there, on another line."""
    for secret in SECRETS.values():
        async with await hall.line() as line:
            assert (await line.request({"secret": secret, "pair": {"do": "forget"}})).get("ok")


@pytest.mark.parametrize("end", [two_nights_on, a_day_unused, unpaired, forgotten])
def test_an_ended_secret_is_nobodys_at_once(
    tmp_path: Path, end: Callable[[Station], Awaitable[None]]
) -> None:
    """For every role, also on a line that is open, and on the one that was its own a moment ago."""

    async def work() -> None:
        async with station(tmp_path) as hall:
            await end(hall)
            for role, line in hall.lines.items():
                await hall.is_dead(line, role, SECRETS[role])
                async with await hall.line() as fresh:
                    await hall.is_dead(fresh, role, SECRETS[role])
            if end in (unpaired, forgotten):
                assert [key for key, _ in hall.ends()] == [*map(key_of, SECRETS.values())]

    run(work())


def test_who_is_revoked_over_a_number_that_he_holds_calls_it_no_more(tmp_path: Path) -> None:
    """On the line on which he was told which one it is; nothing is called."""

    async def work() -> None:
        async with station(tmp_path) as hall:
            await hall.admin(do={"act": "open"})
            line, secret = hall.lines[Role.CALLER], SECRETS[Role.CALLER]
            held = await line.request({"secret": secret, "do": {"act": "hold"}})
            assert "number" in held
            assert (await hall.admin(do={"act": "unpair", "key": key_of(secret)})).get("ok")
            await hall.is_dead(line, Role.CALLER, secret)
            assert hall.core._session.hall.calls == 0

    run(work())


@pytest.mark.parametrize("role", PAIRED)
def test_a_stolen_secret_ends_with_the_one_it_was_stolen_from(tmp_path: Path, role: Role) -> None:
    """From two places it is the same person's: what is done stands under that name; the end of one
    is the end of both, from either place, and whoever is let in anew has another one."""

    async def work() -> None:
        async with station(tmp_path) as hall, await hall.line() as thief:
            line, secret = hall.lines[role], SECRETS[role]
            for place in (thief, line, thief):
                await hall.is_good(place, role, secret)
            assert (await line.request({"secret": secret, "pair": {"do": "forget"}})).get("ok")
            for place in (thief, line):
                await hall.is_dead(place, role, secret)
            await hall.pair(role, "another secret")
            await hall.is_good(line, role, "another secret")
            await hall.is_dead(thief, role, secret)

    run(work())


def test_what_was_heard_on_plain_http_is_nobodys_over_tls(tmp_path: Path) -> None:
    """Nor the other way round: the same cookie on the other port is another secret."""

    async def work() -> None:
        async with station(tmp_path) as hall:
            for role, line in hall.lines.items():
                cookie = f"the cookie of the {role}"
                await hall.pair(role, OVER_PLAIN_HTTP + cookie)
                await hall.is_good(line, role, OVER_PLAIN_HTTP + cookie)
                for secret in (cookie, OVER_PLAIN_HTTP + SECRETS[role]):
                    async with await hall.line() as fresh:
                        await hall.is_dead(fresh, role, secret)

    run(work())


def test_another_stations_secret_is_nobodys_here(tmp_path: Path) -> None:
    """Of a role that is let in there, whether it is here or not; nor is a digest, or what is no
    text."""

    async def work() -> None:
        async with station(tmp_path / "here") as here, station(tmp_path / "there") as there:
            for role, line in here.lines.items():
                foreign = f"a secret of {role}, let in there"
                await there.pair(role, foreign)
                await there.is_good(there.lines[role], role, foreign)
                for secret in (foreign, key_of(SECRETS[role]), "", None, 5, [SECRETS[role]]):
                    async with await here.line() as fresh:
                        await here.is_dead(fresh, role, secret)
                await here.is_good(line, role, SECRETS[role])

    run(work())
