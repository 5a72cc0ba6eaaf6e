"""Pairing on the command line, at a running core: a device that asks, and whoever lets it in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.people.pairings import key_of
from station.programme.programme import GamePlan, Programme
from station.wire.wire import SOCKET, Client, Message
from tests.commands.test_app import Loto, Outcome, core_in_a_thread, loto, one_sentence

__all__ = ["loto"]

PROGRAMME = Programme(name="t", games=(GamePlan(name="one", price=150),))


class Hall:
    """A running station: what is typed at it, and what devices send."""

    def __init__(self, loto: Loto, state: Path) -> None:
        self._loto, self._state = loto, state

    def type(self, *words: object) -> Outcome:
        return self._loto(*words, "--state", self._state)

    def said(self, *words: object) -> str:
        outcome = self.type(*words)
        assert outcome.code == EXIT_DONE, outcome
        return outcome.out.strip()

    def send(self, **message: Any) -> Message:
        """What the web passes on for a device; it only watches itself."""

        async def work() -> Message:
            async with await Client.open(self._state / "run" / SOCKET, "watcher") as client:
                return await client.request(message)

        return asyncio.run(work())

    def ask(self, secret: str, name: str = "the tablet") -> str:
        """The digits on a device that asks."""
        told = self.send(pair={"do": "ask", "name": name, "key": key_of(secret)})
        return str(told["answer"]["digits"])


@pytest.fixture
def hall(loto: Loto, tmp_path: Path) -> Iterator[Hall]:
    """A station with one game."""
    with core_in_a_thread(tmp_path, PROGRAMME):
        yield Hall(loto, tmp_path)


def test_a_tablet_is_let_in_and_calls(hall: Hall) -> None:
    """It may do what its person may, and nothing before or after."""
    assert hall.said("pair") == (
        "No device asks to be paired: open /pair on one, and type here what it shows"
    )
    draw = {"secret": "s1", "do": {"act": "open"}}
    assert hall.send(**draw)["refused"]["reason"] == "not-paired"
    digits = hall.ask("s1")
    assert "“the tablet” asks, for " in hall.said("people")
    one_sentence(hall.type("pair", digits), EXIT_USAGE, "pair needs a role")
    for role in ("king", "watcher", "station"):  # the roles there are, and no others
        refused = hall.type("pair", digits, "--as", role)
        assert refused.code == EXIT_NO
        assert "admin or seat (it is" in refused.err
        assert "watcher" not in refused.err.replace(f"'{role}'", "")
    let_in = hall.said("pair", f"{digits[:3]} {digits[3:]}", "--as", "caller", "--name", "Anna")
    assert let_in == "Anna is let in as caller"
    me = hall.send(secret="s1", ask={"about": "me"})["answer"]  # noqa: S106 - it is one
    assert (me["name"], me["role"], "draw" in me["acts"], "pair" in me["acts"]) == (
        "Anna",
        "caller",
        True,
        False,
    )
    sold = {"secret": "s1", "do": {"act": "sell", "serials": ["0001"]}}
    assert hall.send(**sold)["refused"]["reason"] == "not-your-role"
    assert "may do what a" in hall.said("people")
    assert hall.said("people", "rename", "Anna", "Anna Lee") == (
        "Anna is Anna Lee from now on (line 3 of the journal)."
    )
    (known,) = json.loads(hall.said("people", "--json"))["people"]
    assert (known["name"], known["role"]) == ("Anna Lee", "caller")
    gone = hall.said("people", "revoke", known["key"][:8], "--why", "lost")
    assert gone.startswith("Anna Lee, caller: that device is not paired any more (line ")
    assert hall.send(**draw)["refused"]["reason"] == "not-paired"
    one_sentence(hall.type("people", "revoke", "Anna"), EXIT_USAGE, "has no paired device")


def test_two_devices_of_one_person_are_told_apart(hall: Hall) -> None:
    """By their keys; wrong digits and a second who asks are told."""
    for secret in ("s1", "s2"):
        digits = hall.ask(secret)
        wrong = "000000" if digits != "000000" else "000001"
        one_sentence(
            hall.type("pair", wrong, "--as", "seat", "--seat", 1), EXIT_NO, "does not show"
        )
        busy = hall.send(pair={"do": "ask", "name": "phone", "key": key_of("other")})
        assert busy["refused"]["reason"] == "somebody-asks"
        hall.said("pair", digits, "--as", "seat", "--seat", 1, "--name", "Bruno")
    one_sentence(hall.type("people", "revoke", "Bruno"), EXIT_USAGE, "has 2 devices: name one")
    gone = hall.said("people", "revoke", "Bruno", "--all").splitlines()
    assert len(gone) == 2
    for secret in ("s1", "s2"):
        assert hall.send(secret=secret, ask={"about": "me"})["refused"]["reason"] == "not-paired"
    hall.ask("s3")
    assert hall.said("pair", "--refuse").startswith("No device asks")


def test_two_people_answer_for_a_sum(hall: Hall) -> None:
    """A cashier's own device, and a PIN typed on it; a typed name alone is nobody's word there, and
    nobody says himself how it was proven."""
    digits = hall.ask("s1")
    hall.said("pair", digits, "--as", "cashier", "--name", "Anna")
    pin = hall.said("people", "pin", "Ben").rpartition(" ")[2]
    approve = {"act": "approve", "serial": "0001", "amount": 0, "who": "Ben"}
    typed = hall.send(secret="s1", do=approve)  # noqa: S106 - it is one
    assert typed["refused"]["reason"] == "pin-wanted"
    wrong = hall.send(secret="s1", do=approve, pin="000000" if pin != "000000" else "1")  # noqa: S106
    assert wrong["refused"]["reason"] == "wrong-pin"
    right = hall.send(secret="s1", do=approve, pin=pin)  # noqa: S106
    assert right["refused"]["reason"] == "nothing-to-approve"
    forged = hall.send(do={**approve, "proof": "pin"})
    assert "how a name is proven, the station says" in forged["refused"]["say"]
    assert hall.said("people", "free") == "no PIN is locked any more"
