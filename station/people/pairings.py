"""Keep who has a PIN and whose devices are paired, and let in a device that asks. Pure.

A PIN is six digits that the station made for one person, who types them on somebody else's device
to answer for a sum: with the paired device itself that makes two people. Three wrong tries lock
that person's PIN, ten all of them, until an admin frees them: whoever guesses comes through with a
chance of 10 in 10^6 each time.

A device that asks makes a secret of its own, and shows six digits that the station gave it.
Somebody of the hall types these digits where only the hall's people can, and says who it is: from
then on whatever comes with that secret is that person's. The station keeps a digest of the secret
alone.

Only the first who asks is listened to; he is forgotten after two minutes, or five wrong tries at
his digits. After twenty wrong tries in a night nobody is let in until an admin opens pairing again:
whoever asks in the place of somebody else comes in with a chance of 20 in 10^6 a night at most.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from station.base.errors import NotAllowed
from station.people.alike import person_of
from station.people.roles import Person, Role

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


# -- paired devices --------------------------------------------------------------------------------

WAITS_S = 120.0
TRIES = 5
TRIES_A_NIGHT = 20
DIGITS = 6
UNUSED_S = 24 * 3600.0
MOST_PAIRINGS = 60
# A pairing outlives the night in which it began by one.
NIGHTS = 2
PAIRED = tuple(role for role in Role if role not in (Role.WATCHER, Role.STATION))


class PairingReason(StrEnum):
    """Why nobody is paired."""

    NOT_PAIRED = "not-paired"
    SOMEBODY_ASKS = "somebody-asks"
    NOBODY_ASKS = "nobody-asks"
    WRONG_DIGITS = "wrong-digits"
    CLOSED = "pairing-closed"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A device that was let in.

    Attributes:
        key: the digest of its secret (`key_of`).
        name: whose it is.
        seat: where that person sits; 0 for everybody but a seat.
        since: the night in which it was paired.
        by_name: whether the seat is the one of the player with this name, wherever the host seats
            that player; no seat while nobody of this name is at the table. So it is for a phone
            whose player joined by name.
    """

    key: str
    name: str
    role: Role
    seat: int = 0
    since: int = 1
    by_name: bool = False

    def person(self, players: Sequence[str] = ()) -> Person:
        """Return the person to whom this device belongs.

        Args:
            players: the names of the company, in the order of its seats.
        """
        return Person(self.name, self.role, self.seat_among(players))

    def seat_among(self, players: Sequence[str]) -> int:
        """Return the seat of this device's player in a company; 0 for no seat."""
        if not self.by_name:
            return self.seat
        me = person_of(self.name)
        return next((seat for seat, name in enumerate(players, 1) if person_of(name) == me), 0)


def key_of(secret: str) -> str:
    """Return the digest of a device's secret, by which the station knows it: SHA-256, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def lasting(pairings: Iterable[Pairing], night: int) -> tuple[Pairing, ...]:
    """Return the pairings that still hold when this night opens. Those by a player's name end with
    their night, as its company does: the name may be another player's in the next."""
    return tuple(
        pairing for pairing in pairings if not pairing.by_name and night < pairing.since + NIGHTS
    )


def pairing_of(pairings: Iterable[Pairing], key: str) -> Pairing:
    """Return the pairing with this key.

    Raises:
        NotAllowed: there is none.
    """
    for pairing in pairings:
        if pairing.key == key:
            return pairing
    raise NotAllowed(
        PairingReason.NOT_PAIRED,
        "this device is not paired here, or not any more: open /pair on it, and ask again",
    )


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """A device that asks to be let in.

    Attributes:
        name: what it calls itself; who it is, an admin says.
        key: the digest of its secret.
        digits: what stands on it.
        at: when it asked, in seconds of a clock that never goes back.
        wrong: how often other digits than its own were typed.
    """

    name: str
    key: str
    digits: str
    at: float
    wrong: int = 0

    def left(self, now: float) -> float:
        """Return for how many seconds it is still waited for; 0 when it is forgotten."""
        return max(0.0, self.at + WAITS_S - now) if self.wrong < TRIES else 0.0


@dataclass(frozen=True, slots=True)
class Doorstep:
    """Who asks to be let in, and how often tonight somebody typed other digits than his.

    Attributes:
        request: the one that is listened to; what `waiting` returns may be forgotten since.
        wrong: wrong tries since the night began, or since an admin opened pairing again.
    """

    request: PairingRequest | None = None
    wrong: int = 0

    @property
    def closed(self) -> bool:
        """Return whether nobody is let in until an admin opens pairing again."""
        return self.wrong >= TRIES_A_NIGHT

    def waiting(self, now: float) -> PairingRequest | None:
        """Return who asks now."""
        request = self.request
        return request if request is not None and request.left(now) and not self.closed else None

    def asked(self, request: PairingRequest) -> Doorstep:
        """Return the doorstep with one more who asks. The same device may ask again: its digits
        are new then, its wrong tries and its time are not.

        Raises:
            NotAllowed: somebody else asks, or pairing is closed.
        """
        self._require_open()
        waits = self.waiting(request.at)
        if waits is None:
            return replace(self, request=request)
        if waits.key != request.key:
            raise NotAllowed(
                PairingReason.SOMEBODY_ASKS,
                "another device asks just now, “{name}”: ask again in {seconds} seconds, or have"
                " it turned away with {loto} pair --refuse",
                name=waits.name,
                seconds=round(waits.left(request.at)),
            )
        return replace(self, request=replace(request, at=waits.at, wrong=waits.wrong))

    def waited_for(self, now: float) -> PairingRequest:
        """Return who asks now, for whom digits may be tried.

        Raises:
            NotAllowed: nobody asks, or pairing is closed.
        """
        self._require_open()
        waits = self.waiting(now)
        if waits is None:
            raise NotAllowed(
                PairingReason.NOBODY_ASKS,
                "no device asks to be paired: open /pair on the device, and type the six digits"
                " that it shows",
            )
        return waits

    def tried(self, digits: str, now: float) -> tuple[Doorstep, PairingRequest | None]:
        """Return the doorstep after these digits, and who is let in; None if wrong, which counts.

        Raises:
            NotAllowed: nobody asks, or pairing is closed.
        """
        waits = self.waited_for(now)
        if digits == waits.digits:
            return replace(self, request=None), waits
        missed = replace(waits, wrong=waits.wrong + 1)
        return Doorstep(missed, self.wrong + 1), None

    def turned_away(self) -> Doorstep:
        """Return the doorstep without anybody who asks."""
        return replace(self, request=None)

    def _require_open(self) -> None:
        if self.closed:
            raise NotAllowed(
                PairingReason.CLOSED,
                "{wrong} times tonight wrong digits were typed: pairing is closed until an admin"
                " opens it with {loto} pair --open",
                wrong=self.wrong,
            )
