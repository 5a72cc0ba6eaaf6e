"""Keep who has a PIN, and how often a wrong one was typed: pure.

A PIN is six digits that the station made for one person, who types them on somebody else's device
to answer for a sum: with the paired device itself that makes two people. Three wrong tries lock
that person's PIN, ten all of them, until an admin frees them: whoever guesses comes through with a
chance of 10 in 10^6 each time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from station.base.errors import NotAllowed
from station.people.alike import person_of

TRIES_EACH = 3
TRIES_ALL = 10
PIN_DIGITS = 6


class PinReason(StrEnum):
    """Why a PIN proves nothing."""

    NO_PIN = "no-pin"
    WANTED = "pin-wanted"
    WRONG_PIN = "wrong-pin"
    LOCKED = "pin-locked"


@dataclass(frozen=True, slots=True)
class PersonalPin:
    """A person's PIN.

    Attributes:
        hashed: what it is checked against; the digits are kept nowhere.
        wrong: how often a wrong one was typed since the last right one.
    """

    name: str
    hashed: str
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class PinBook:
    """All PINs of a hall.

    Attributes:
        wrong: wrong tries at any of them since an admin freed them.
    """

    pins: tuple[PersonalPin, ...] = ()
    wrong: int = 0

    def of(self, name: str) -> PersonalPin:
        """Return a person's PIN, which may be tried.

        Raises:
            NotAllowed: that person has none, or it is locked.
        """
        if self.wrong >= TRIES_ALL:
            raise NotAllowed(
                PinReason.LOCKED,
                "{wrong} wrong PINs were typed: all are locked until an admin frees them with"
                " {loto} people free",
                wrong=self.wrong,
            )
        for pin in self.pins:
            if person_of(pin.name) == person_of(name):
                if pin.wrong >= TRIES_EACH:
                    raise NotAllowed(
                        PinReason.LOCKED,
                        "the PIN of {name} is locked after {wrong} wrong tries: an admin frees it"
                        " with {loto} people free",
                        name=name,
                        wrong=pin.wrong,
                    )
                return pin
        raise NotAllowed(
            PinReason.NO_PIN,
            "{name} has no PIN: an admin makes one with {loto} people pin '{name}', or {name}"
            " uses a device of their own",
            name=name,
        )

    def told(self) -> dict[str, Any]:
        """Return who has a PIN, for an admin, and which ones are locked; nothing of the PINs."""
        pins = [{"name": pin.name, "locked": pin.wrong >= TRIES_EACH} for pin in self.pins]
        return {"pins": pins, "locked": self.wrong >= TRIES_ALL}

    def given(self, name: str, hashed: str) -> PinBook:
        """Return the book with a new PIN for this person, in place of an old one."""
        others = tuple(pin for pin in self.pins if person_of(pin.name) != person_of(name))
        return replace(self, pins=(*others, PersonalPin(name, hashed)))

    def tried(self, pin: PersonalPin, *, right: bool) -> PinBook:
        """Return the book after this person's PIN was tried."""
        now = replace(pin, wrong=0 if right else pin.wrong + 1)
        pins = tuple(now if one == pin else one for one in self.pins)
        return PinBook(pins, self.wrong + (not right))

    def freed(self) -> PinBook:
        """Return the book with nothing locked."""
        return PinBook(tuple(replace(pin, wrong=0) for pin in self.pins))
