"""Who may do, ask and see what: the whole table, asserted straight on the socket of a running core,
for devices that are paired, and for secrets that are nobody's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from station.calling.questions import ABOUT, HAND, ME
from station.people.pairings import PAIRED, key_of
from station.people.roles import Role
from station.programme.programme import GamePlan, Programme
from station.wire.wire import SOCKET, Client, Message
from tests.commands.test_app import core_in_a_thread
from tests.people.test_roles import ACTS, RIGHTS

PROGRAMME = Programme(name="t", games=(GamePlan(name="one", price=150),))
NOT_YOURS, NOT_PAIRED = "not-your-role", "not-paired"
# What the desk itself answers, beside what is asked about the night.
OF_THE_DESK = ("people", "press", "nearest", "census", "self-test", "currency")
# What is read or printed of the record, by the right that it takes.
PAPERS = {"report": "report", "books": "report", "receipt": "receipt"}
RIGHTS_TO_READ = {"ask", "report", "receipt"}
SECRETS = {role: f"the secret of the {role.value}" for role in PAIRED}


class Socket:
    """The core's socket, and whoever sends something there."""

    def __init__(self, state: Path) -> None:
        self.path = state / "run" / SOCKET

    def send(self, *messages: Message, hello: str = "watcher") -> list[Message]:
        """All these messages on one connection; their answers."""

        async def work() -> list[Message]:
            async with await Client.open(self.path, hello) as client:
                return [await client.request(dict(message)) for message in messages]

        return asyncio.run(work())

    def admin(self, **message: Any) -> Message:
        (answer,) = self.send(message, hello="admin")
        return answer

    def pair(self, role: Role, secret: str) -> None:
        asked = self.admin(pair={"do": "ask", "name": role.value, "key": key_of(secret)})
        seat = {"seat": 1} if role is Role.SEAT else {}
        digits = asked["answer"]["digits"]
        done = self.admin(pair={"do": "confirm", "digits": digits, "role": role.value, **seat})
        assert done.get("ok"), done


def reason(answer: Message) -> str | None:
    return answer.get("refused", {}).get("reason")


@contextmanager
def hall(state: Path) -> Iterator[Socket]:
    """A running core, with a device of each role."""
    with core_in_a_thread(state, PROGRAMME):
        socket = Socket(state)
        for role, secret in SECRETS.items():
            socket.pair(role, secret)
        yield socket


@pytest.mark.long
def test_the_whole_table(tmp_path: Path) -> None:
    """Each role does its acts, asks its questions, and is refused all others; nothing that is sent
    beside the secret makes it more: the connection is an admin's."""
    with hall(tmp_path) as socket:
        acts = [act for act in ACTS if act not in RIGHTS_TO_READ]
        for role, secret in SECRETS.items():
            # Of acts only the name: what is missing is told after who may.
            told = socket.send(
                *({"secret": secret, "do": {"act": act, "pace": "x"}} for act in acts),
                hello="admin",
            )
            may = {
                act for act, answer in zip(acts, told, strict=True) if reason(answer) != NOT_YOURS
            }
            assert may == set(RIGHTS[role].split()) - RIGHTS_TO_READ, role
            asked = [*ABOUT, *OF_THE_DESK]
            answers = socket.send(
                *({"secret": secret, "ask": {"about": about, "serial": "0001"}} for about in asked),
                hello="admin",
            )
            may_ask = {reason(answer) != NOT_YOURS for answer in answers}
            assert may_ask == {"ask" in RIGHTS[role].split()}, role
            papers = socket.send(
                *(
                    {
                        "secret": secret,
                        "ask": {"about": "paper", "paper": paper, "serial": "0001"},
                    }
                    for paper in PAPERS
                ),
                hello="admin",
            )
            has = {
                paper
                for paper, answer in zip(PAPERS, papers, strict=True)
                if reason(answer) != NOT_YOURS
            }
            assert has == {
                paper for paper, right in PAPERS.items() if right in RIGHTS[role].split()
            }, role
            (me,) = socket.send({"secret": secret, "ask": {"about": ME}}, hello="admin")
            assert (me["answer"]["name"], me["answer"]["role"]) == (role.value, role.value)
            (hand,) = socket.send({"secret": secret, "ask": {"about": HAND}})
            assert role is Role.SEAT or "refused" in hand
            for message in (
                {"pair": {"do": "show"}},
                {"pair": {"do": "confirm", "digits": "000000", "role": "admin"}},
                {"pins": {"do": "make", "name": "x"}},
            ):
                (answer,) = socket.send({"secret": secret, **message})
                assert (reason(answer) == NOT_YOURS) is (role is not Role.ADMIN), (role, message)


@pytest.mark.parametrize(
    "secret",
    ["", "x", "the secret of the Admin", key_of(SECRETS[Role.ADMIN]), None, 5, [], {}, "é"],
)
def test_a_foreign_secret_is_nobodys(tmp_path: Path, secret: object) -> None:
    """The digest, which stands in the record and in every copy, opens nothing, and neither does
    what is no text; also on a connection that is an admin's."""
    with core_in_a_thread(tmp_path, PROGRAMME):
        socket = Socket(tmp_path)
        socket.pair(Role.ADMIN, SECRETS[Role.ADMIN])
        for message in (
            {"do": {"act": "open"}},
            {"ask": {"about": ME}},
            {"pair": {"do": "show"}},
            {"pins": {"do": "free"}},
        ):
            (answer,) = socket.send({"secret": secret, **message}, hello="admin")
            assert reason(answer) == NOT_PAIRED


def test_a_secret_that_was_ended_opens_nothing(tmp_path: Path) -> None:
    """Not even on the connection on which it was good a moment ago."""
    with core_in_a_thread(tmp_path, PROGRAMME):
        socket = Socket(tmp_path)
        secret = SECRETS[Role.CALLER]
        socket.pair(Role.CALLER, secret)
        before, ended, after = socket.send(
            {"secret": secret, "ask": {"about": "night"}},
            {"do": {"act": "unpair", "key": key_of(secret)}},
            {"secret": secret, "ask": {"about": "night"}},
            hello="admin",
        )
        assert before["answer"]
        assert ended["ok"]
        assert reason(after) == NOT_PAIRED
