"""Who answers for money: by a device of one's own, or by a PIN on another's."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from station.base.disk import Disk
from station.base.errors import Damaged, NotAllowed, StoreError, Unreadable
from station.base.said import said
from station.core.proofs import PINS_FILE, Proofs
from station.night.acts import Act, Note
from station.people.pairings import TRIES_EACH, PinReason
from station.people.roles import Person, Role
from station.record.requests import Answer, Done, Refused
from tests.support import ADMIN, run

ANNA = Person("Anna", Role.CASHIER)
PIN = "402917"
APPROVE = {"act": "approve", "serial": "0001", "amount": 175}


class Book:
    """The PINs in a folder, and what was recorded of them."""

    def __init__(self, state: Path) -> None:
        self.path = state / PINS_FILE
        self.noted: list[Act] = []
        self.refusing: Refused | None = None
        self.proofs = Proofs(self.submit, lambda _: int(PIN), state, Disk())

    async def submit(self, act: Act, _: Person) -> Answer:
        if self.refusing is not None:
            return self.refusing
        self.noted.append(act)
        return Done(len(self.noted))

    def make(self, name: str = "Ben", by: Person = ADMIN) -> str:
        return str(run(self.proofs.answer({"do": "make", "name": name}, by))["pin"])

    def prove(self, pin: object = None, **do: Any) -> Any:
        return run(self.proofs.proven({**APPROVE, **do}, ANNA, pin))


@pytest.fixture
def book(tmp_path):
    return Book(tmp_path)


def test_a_device_of_ones_own_is_ones_word(book):
    """Named or not, however the name is written; what needs no name goes as it is."""
    assert book.prove() == {**APPROVE, "who": "Anna", "proof": "device"}
    assert book.prove(who="ANNA")["proof"] == "device"
    assert "proof" not in run(book.proofs.proven({"act": "draw"}, ANNA, None))


def test_anybody_else_types_a_pin(book):
    """Which an admin had made; the sum that was shown goes with it."""
    assert book.make() == PIN
    assert book.prove(PIN, who="Ben") == {**APPROVE, "who": "Ben", "proof": "pin"}
    with pytest.raises(NotAllowed, match="Ben answers for it with a PIN"):
        book.prove(who="Ben")
    with pytest.raises(Unreadable, match="the sum that was shown"):
        book.prove(PIN, who="Ben", amount=None)
    with pytest.raises(NotAllowed, match="Carla has no PIN"):
        book.prove(PIN, who="Carla")


def test_three_wrong_ones_lock_it_over_a_start(book):
    """Until an admin frees it."""
    book.make()
    for _ in range(TRIES_EACH):
        with pytest.raises(NotAllowed) as caught:
            book.prove("000000", who="Ben")
        assert caught.value.reason is PinReason.WRONG_PIN
    again = Book(book.path.parent)
    with pytest.raises(NotAllowed, match="locked"):
        again.prove(PIN, who="Ben")
    run(again.proofs.answer({"do": "free"}, ADMIN))
    assert again.prove(PIN, who="Ben")["proof"] == "pin"


def test_the_digits_are_kept_nowhere(book):
    """A digest is, for the owner alone; the record says that one was made, and by whom."""
    book.make()
    assert PIN not in book.path.read_text()
    assert stat.S_IMODE(book.path.stat().st_mode) == 0o600
    assert book.noted == [Note(about="people", what="a PIN made for Ben by admin")]


@pytest.mark.parametrize("role", [role for role in Role if role not in (Role.ADMIN, Role.STATION)])
def test_an_admin_alone_makes_and_frees(book, role):
    """Whatever else somebody may do."""
    for message in ({"do": "make", "name": "Ben"}, {"do": "free"}, {"do": "show"}):
        with pytest.raises(NotAllowed, match="it takes a admin"):
            run(book.proofs.answer(message, Person("x", role)))
    assert not book.path.exists()


def test_an_admin_sees_who_has_one(book):
    """And which are locked: nothing of the PINs themselves."""

    def shown() -> Any:
        return run(book.proofs.answer({"do": "show"}, ADMIN))["answer"]

    assert shown() == {"pins": [], "locked": False}
    book.make()
    assert shown() == {"pins": [{"name": "Ben", "locked": False}], "locked": False}
    for _ in range(TRIES_EACH):
        with pytest.raises(NotAllowed):
            book.prove("000000", who="Ben")
    assert shown() == {"pins": [{"name": "Ben", "locked": True}], "locked": False}


@pytest.mark.parametrize("role", [Role.SEAT, Role.AUDITOR, Role.HOST])
def test_who_may_not_approve_tries_no_pin(book, role):
    """And locks nobody's."""
    book.make()
    with pytest.raises(NotAllowed, match="you are here as"):
        run(book.proofs.proven({**APPROVE, "who": "Ben"}, Person("x", role), "000000"))
    assert json.loads(book.path.read_text())["wrong"] == 0


def test_what_is_not_on_record_is_not_so(book):
    """A PIN whose note is refused, as when the night is closed, is none; one that the disk does not
    keep is told."""
    book.refusing = Refused("night-closed", said("night 1 is closed"))
    with pytest.raises(NotAllowed) as refused:
        run(book.proofs.answer({"do": "make", "name": "Ben"}, ADMIN))
    assert refused.value.reason == "night-closed"
    assert not book.path.exists()
    book.refusing = None
    book.path.mkdir()
    with pytest.raises((StoreError, Damaged)):
        book.make()


def test_a_power_cut_gives_no_try_more(book, monkeypatch):
    """A wrong try is on the disk before it is looked at."""
    book.make()
    seen = []

    def pulled(*_: object) -> bool:
        seen.append(json.loads(book.path.read_text())["wrong"])
        raise KeyboardInterrupt

    monkeypatch.setattr("station.core.proofs._is_right", pulled)
    with pytest.raises(KeyboardInterrupt):
        book.prove("000000", who="Ben")
    assert seen == [1]


def test_a_damaged_file_is_told(book):
    """With what to do."""
    book.path.write_text('{"pins": 3}')
    with pytest.raises(Damaged, match="make them again with"):
        book.prove(PIN, who="Ben")
