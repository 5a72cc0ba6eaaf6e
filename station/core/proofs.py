"""Prove who answers for money: by the device of one's own, or by one's PIN on another's.

What comes from a paired device is its person's own word. Where such a message names another person
who pays, approves or waives, that person's PIN goes with it, and the sum and the card that were
shown. The PINs' digests lie beside the nights, for the station's own user alone, and in no backup:
six digits are found in an hour by whoever has their digest.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from station.base.disk import Disk, keep_file
from station.base.errors import Damaged, NotAllowed, StoreError, Unreadable
from station.base.untrusted import json_from
from station.night.acts import Act, Note
from station.night.fields import NewName
from station.people.alike import person_of
from station.people.pairings import PIN_DIGITS, PersonalPin, PinBook, PinReason
from station.people.roles import STATION, Person, Right
from station.programme.programme import validation_faults
from station.record.requests import Answer, Refused
from station.wire.wire import Message

PINS_FILE = ".pins.json"  # hidden: no backup takes it
NEEDS_WHO = frozenset({"approve", "pay", "waive"})
OF_A_SUM = frozenset({"approve", "pay"})
# OWASP's least for Argon2id, for one of few tries a night on a machine with 1 GB: 19 MiB, two
# passes.
MEMORY_KIB, PASSES, LANES = 19 * 1024, 2, 1


class MakePin(BaseModel, frozen=True, extra="forbid"):
    """Make a person's PIN, or a new one."""

    do: Literal["make"]
    name: NewName


class FreePins(BaseModel, frozen=True, extra="forbid"):
    """Free all PINs that are locked."""

    do: Literal["free"]


class ShowPins(BaseModel, frozen=True, extra="forbid"):
    """Show who has a PIN, and which are locked."""

    do: Literal["show"]


_MESSAGES: TypeAdapter[MakePin | FreePins | ShowPins] = TypeAdapter(
    Annotated[MakePin | FreePins | ShowPins, Field(discriminator="do")]
)
_BOOK = TypeAdapter(PinBook)


class Proofs:
    """The PINs of a hall, and what they prove.

    Args:
        submit: has an act recorded.
        number: returns a random number below its argument, which nobody can foresee.
        state: the state folder.
    """

    def __init__(
        self,
        submit: Callable[[Act, Person], Awaitable[Answer]],
        number: Callable[[int], int],
        state: Path,
        disk: Disk,
    ) -> None:
        self._submit = submit
        self._number = number
        self._path = state / PINS_FILE
        self._disk = disk
        self._one_by_one = asyncio.Lock()  # so that nobody tries more often than is counted

    async def answer(self, asked: Any, person: Person) -> Message:
        """Answer a message about PINs: an admin's alone.

        Raises:
            NotAllowed: this person may not.
            Unreadable: it is no such message.
        """
        person.require(Right.PAIR)
        try:
            message = _MESSAGES.validate_python(asked)
        except ValidationError as error:
            faults = "; ".join(validation_faults(error, "the message"))
            raise Unreadable(f"not about a PIN: {faults}") from error
        if isinstance(message, ShowPins):
            return {"answer": self._read().told()}
        async with self._one_by_one:
            if isinstance(message, FreePins):
                book, what = self._read().freed(), f"all PINs freed by {person.name}"
                told = {"ok": True, "say": "no PIN is locked any more"}
            else:
                digits = f"{self._number(10**PIN_DIGITS):0{PIN_DIGITS}d}"
                book = self._read().given(message.name, await asyncio.to_thread(_hashed, digits))
                what = f"a PIN made for {message.name} by {person.name}"
                say = f"the PIN of {message.name} is {digits}"
                told = {"ok": True, "pin": digits, "say": say}
            noted = await self._submit(Note(about="people", what=what), STATION)
            if isinstance(noted, Refused):  # what is not on record is not so
                raise NotAllowed(noted.reason, noted.said)
            await self._keep(book)
        return told

    async def proven(self, do: Mapping[str, Any], person: Person, pin: object) -> Mapping[str, Any]:
        """Return what a paired device asks for with who answers for it, and how that is proven.

        Args:
            person: whose device it is.
            pin: of the person who is named, where that is another; None without one.

        Raises:
            NotAllowed: it is not proven, or this person may not do it at all.
            Unreadable: the sum or the card that was shown is missing.
        """
        if do.get("act") not in NEEDS_WHO:
            return do
        person.require(str(do["act"]))  # nobody else tries PINs, or locks them
        who = str(do.get("who") or person.name)
        if person_of(who) == person_of(person.name):
            return {**do, "who": who, "proof": "device"}
        if not isinstance(pin, str):
            raise NotAllowed(
                PinReason.WANTED,
                "{who} answers for it with a PIN here, or on a device of their own: this one is"
                " {person}'s",
                who=who,
                person=person.name,
            )
        if do["act"] in OF_A_SUM and do.get("about") != "undo" and do.get("amount") is None:
            raise Unreadable("with a PIN goes the sum that was shown, as amount")
        await self._check(who, pin)
        return {**do, "who": who, "proof": "pin"}

    async def _check(self, who: str, digits: str) -> None:
        async with self._one_by_one:
            book = self._read()
            pin = book.of(who)
            # Counted before it is looked at: a power cut gives nobody a try more.
            await self._keep(book.tried(pin, right=False))
            if not await asyncio.to_thread(_is_right, pin, digits):
                raise NotAllowed(
                    PinReason.WRONG_PIN,
                    "that is not the PIN of {who}: type its six digits again",
                    who=who,
                )
            await self._keep(book.tried(pin, right=True))

    def _read(self) -> PinBook:
        try:
            return _BOOK.validate_python(json_from(self._disk.read(self._path)))
        except FileNotFoundError:
            return PinBook()
        except (OSError, Unreadable, ValidationError) as error:
            todo = "remove the file, and make them again with ./loto people pin"
            raise Damaged(f"{self._path}: the PINs cannot be read ({error}): {todo}") from error

    async def _keep(self, book: PinBook) -> None:
        data = json.dumps(asdict(book)).encode()
        try:
            await asyncio.to_thread(keep_file, self._path, data, self._disk, private=True)
        except OSError as error:
            what = f"the PINs cannot be written ({error.strerror})"
            todo = "make room on the disk, then try again"
            raise StoreError(f"{self._path}: {what}: {todo}") from error


def _hashed(digits: str) -> str:
    law = Argon2id(
        salt=os.urandom(16), length=32, iterations=PASSES, lanes=LANES, memory_cost=MEMORY_KIB
    )
    return law.derive_phc_encoded(digits.encode())


def _is_right(pin: PersonalPin, digits: str) -> bool:
    try:
        Argon2id.verify_phc_encoded(digits.encode(), pin.hashed)
    except InvalidKey:
        return False
    return True
