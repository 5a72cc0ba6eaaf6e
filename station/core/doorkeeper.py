"""Let paired devices in: who asks, who is asked, what comes from whom, and who was not here for a
day.

The night keeps who is paired (`Hall.people`). Who asks is gone with the process. Beside the nights
is written down how often wrong digits were typed tonight, each time, and now and then when each
device was last used.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from station.base.clock import Clock
from station.base.disk import Disk, keep_file
from station.base.errors import NotAllowed, StoreError, Unreadable
from station.base.said import Sentence, said, verbatim
from station.base.untrusted import json_from
from station.night.acts import Act, Unpair, parse_act
from station.night.fields import MOST_SEATS, NewName, PairedRole, PairingKey
from station.night.hall_state import Hall
from station.people import pairings
from station.people.pairings import (
    TRIES_A_NIGHT,
    Doorstep,
    Pairing,
    PairingReason,
    PairingRequest,
)
from station.people.roles import CALLED, STATION, Person, Right, Role
from station.programme.programme import validation_faults
from station.record.requests import Answer, Refused
from station.wire.wire import Message

log = logging.getLogger(__name__)

USED_FILE = ".pairings-used.json"
TRIES_FILE = ".pairing-tries.json"
WRITTEN_S = 600.0  # a device may lose that much of its day in a power cut
UNUSED = "not used for a day"
FORGOTTEN = "forgotten on the device itself"
COMPARED_S = (1.0, 30.0)  # between the two presses of the button that lets in


class AskToPair(BaseModel, frozen=True, extra="forbid"):
    """A device asks to be let in.

    Attributes:
        name: what it calls itself.
        key: the digest of the secret that it made.
    """

    do: Literal["ask"]
    name: NewName
    key: PairingKey


class LetIn(BaseModel, frozen=True, extra="forbid"):
    """Somebody of the hall lets the device in that shows these digits.

    Attributes:
        name: whose it is; None for what it calls itself.
    """

    do: Literal["confirm"]
    digits: str
    role: PairedRole
    name: NewName | None = None
    seat: Annotated[int, Field(strict=True, ge=0, le=MOST_SEATS)] = 0


class Forget(BaseModel, frozen=True, extra="forbid"):
    """A device is let in no more: its own wish."""

    do: Literal["forget"]


class AtTheDoor(BaseModel, frozen=True, extra="forbid"):
    """Show who asks and who is paired, turn away who asks, or open pairing after too many wrong
    tries."""

    do: Literal["show", "refuse", "open"]


_MESSAGES: TypeAdapter[AskToPair | LetIn | Forget | AtTheDoor] = TypeAdapter(
    Annotated[AskToPair | LetIn | Forget | AtTheDoor, Field(discriminator="do")]
)
Submit: TypeAlias = Callable[[Act, Person], Awaitable[Answer]]


class Doorkeeper:
    """Whoever stands between the paired devices and the desk.

    Args:
        hall: returns the night that is on, with who is paired.
        submit: has an act recorded.
        number: returns a random number below its argument, which nobody can foresee.
        state: the state folder.
    """

    def __init__(
        self,
        hall: Callable[[], Hall],
        submit: Submit,
        number: Callable[[int], int],
        clock: Clock,
        state: Path,
        disk: Disk,
    ) -> None:
        self._hall = hall
        self._submit = submit
        self._number = number
        self._clock = clock
        self._path = state / USED_FILE
        self._tries = state / TRIES_FILE
        self._disk = disk
        self._night = hall().night
        self._step = Doorstep(wrong=self._read_tries())
        self._one_by_one = asyncio.Lock()  # so that nobody tries more often than is counted
        self._compared: tuple[str, float] | None = None  # whose digits are shown, and since when
        self._used = self._read_used()
        self._written = clock.mono()

    def person(self, secret: object) -> Person:
        """Return whose device has this secret; it was used now.

        Raises:
            NotAllowed: nobody's.
        """
        pairing = self._pairing(secret)
        if self._left(pairing) <= 0:
            raise NotAllowed(
                PairingReason.NOT_PAIRED,
                "this device was not used for a day: open /pair on it, and ask again",
            )
        self.used(pairing.key)
        self._write_used()
        return pairing.person([seat.name for seat in self._hall().company])

    def used(self, key: str) -> None:
        """Note that a device is used now."""
        self._used[key] = self._clock.mono()

    def in_game(self, secret: object, person: Person) -> Person:
        """Return a device's person with the seat in the game that is on the table, open or over:
        the company of the next game may sit in another order."""
        hall = self._hall()
        if not isinstance(secret, str) or hall.table is None:
            return person
        return self._pairing(secret).person([seat.name for seat in hall.table.seats])

    def told(self, secret: object = None) -> dict[str, Any]:
        """Return who is paired, for people: names, roles, and how long ago each was used; and who
        asks to be.

        Args:
            secret: of the device that wants to know; its own pairing is told from the others.
        """
        own = pairings.key_of(secret) if isinstance(secret, str) else ""
        now = self._clock.mono()
        unused = {key: round(now - at) for key, at in self._used.items()}
        players = [seat.name for seat in self._hall().company]
        people = [
            {
                **{key: getattr(one, key) for key in ("key", "name", "role", "since")},
                "seat": one.seat_among(players),
                "unused_s": unused.get(one.key),
                "own": one.key == own,
            }
            for one in self._hall().people
        ]
        asks, step = None, self._tonight()
        if (request := step.waiting(now)) is not None:
            left = round(request.left(now))
            tries = pairings.TRIES - request.wrong
            asks = {"name": request.name, "seconds": left, "wrong": request.wrong, "tries": tries}
        return {"people": people, "asks": asks, "closed": step.closed}

    async def answer(self, asked: Any, person: Person, secret: object = None) -> Message:
        """Answer a message about pairing.

        Args:
            secret: of the device from which it comes; None where it comes from none.

        Raises:
            NotAllowed: not so, not now, or not by this person.
            Unreadable: it is no such message.
        """
        try:
            message = _MESSAGES.validate_python(asked)
        except ValidationError as error:
            faults = "; ".join(validation_faults(error, "the message"))
            raise Unreadable(f"not about pairing: {faults}") from error
        match message:
            case AskToPair():
                return self._asked(message)
            case LetIn():
                person.require(Right.PAIR)
                return await self._let_in(message, person)
            case Forget():
                return await self._forget(secret)
        person.require(Right.PAIR)
        if message.do == "refuse":
            self._step = self._step.turned_away()
        elif message.do == "open":
            async with self._one_by_one:
                await self._keep_tries(0)
                self._step = Doorstep()
        return {"answer": self.told(secret)}

    async def pressed(self, role: str) -> Sentence:
        """Take a press of the button that lets in: the first one shows who asks, with the digits to
        compare, the second lets that device in. Return the sentence for the screens.

        Args:
            role: whom it lets in, by the settings; empty for nobody.
        """
        now = self._clock.mono()
        waits = self._tonight().waiting(now)
        compared, self._compared = self._compared, None
        if not role:
            return said("this button lets nobody in: say whom in the settings, [people] button")
        if waits is None:
            return said("no device asks to be paired: open /pair on it, then press again")
        least, most = COMPARED_S
        shown = f"{waits.key} {waits.digits}"
        before, at = compared or ("", 0.0)
        if before != shown or not least <= now - at <= most:
            self._compared = (shown, now)
            return said(
                "“{name}” asks to be let in as {role}: if {digits} stands on it, press again",
                name=waits.name,
                role=CALLED[Role(role)],
                digits=waits.digits,
            )
        letting = LetIn(do="confirm", digits=waits.digits, role=Role(role))
        try:
            return verbatim((await self._admit(waits, letting, STATION))["say"])
        except NotAllowed as error:
            return error.said

    async def end_unused(self) -> None:
        """Record the end of the pairings that nobody used for a day."""
        for pairing in self._hall().people:
            if self._left(pairing) <= 0:
                await self._submit(Unpair(key=pairing.key, why=UNUSED), STATION)

    def _asked(self, message: AskToPair) -> Message:
        digits = f"{self._number(10**pairings.DIGITS):0{pairings.DIGITS}d}"
        now = self._clock.mono()
        request = PairingRequest(message.name, message.key, digits, now)
        self._step = self._tonight().asked(request)
        waiting = self._step.waiting(now)
        assert waiting is not None  # noqa: S101 - it was let wait in the line above
        return {"answer": {"digits": waiting.digits, "seconds": round(waiting.left(now))}}

    async def _let_in(self, message: LetIn, person: Person) -> Message:
        async with self._one_by_one:
            self._tonight().waited_for(self._clock.mono())
            # Counted before it is looked at: a power cut gives nobody a try more.
            await self._keep_tries(self._step.wrong + 1)
            step, request = self._tonight().tried(message.digits, self._clock.mono())
            if request is None:
                self._step = step
                raise NotAllowed(
                    PairingReason.WRONG_DIGITS,
                    "the device that asks does not show {digits}: type the six digits that stand on"
                    " it; if it shows others, turn it away with {loto} pair --refuse",
                    digits=message.digits,
                )
            await self._keep_tries(step.wrong)
            return await self._admit(request, message, person)

    async def _admit(self, request: PairingRequest, message: LetIn, person: Person) -> Message:
        """Have it recorded who asks, and as whom."""
        name = message.name or request.name
        told = {"key": request.key, "name": name, "role": message.role, "seat": message.seat}
        answer = await self._submit(parse_act({"act": Right.PAIR, **told}), person)
        if isinstance(answer, Refused):  # he waits on
            raise NotAllowed(answer.reason, answer.said)
        self._step = self._step.turned_away()  # what was tried meanwhile counts on
        self.used(request.key)
        seat = f", seat {message.seat}" if message.seat else ""
        say = f"{name} is let in as {message.role.value}{seat}"
        return {"ok": True, "seq": answer.seq, "say": say}

    async def _forget(self, secret: object) -> Message:
        """End a pairing: whoever has its secret may, in whatever role."""
        forgotten = Unpair(key=self._pairing(secret).key, why=FORGOTTEN)
        return (await self._submit(forgotten, STATION)).to_json()

    def _pairing(self, secret: object) -> Pairing:
        key = pairings.key_of(secret) if isinstance(secret, str) else ""
        return pairings.pairing_of(self._hall().people, key)

    def _left(self, pairing: Pairing) -> float:
        """Return for how many seconds more a device may stay unused."""
        now = self._clock.mono()
        return self._used.setdefault(pairing.key, now) + pairings.UNUSED_S - now

    def _tonight(self) -> Doorstep:
        """Return the doorstep of the night that is on: wrong tries end with their night."""
        if (night := self._hall().night) != self._night:
            self._night, self._step = night, replace(self._step, wrong=0)
        return self._step

    def _read_tries(self) -> int:
        """Return how often wrong digits were typed this night; where nobody knows, it is closed."""
        try:
            told = json_from(self._disk.read(self._tries))
            return max(0, int(told["wrong"])) if told["night"] == self._night else 0
        except FileNotFoundError:
            return 0
        except (OSError, Unreadable, ValueError, TypeError, KeyError) as error:
            todo = "pairing is closed until an admin opens it with ./loto pair --open"
            log.warning(
                "%s: how often it was tried is not known (%s): %s", self._tries, error, todo
            )
            return TRIES_A_NIGHT

    async def _keep_tries(self, wrong: int) -> None:
        data = json.dumps({"night": self._night, "wrong": wrong}).encode()
        try:
            await asyncio.to_thread(keep_file, self._tries, data, self._disk)
        except OSError as error:
            what = f"what is tried cannot be written ({error.strerror})"
            todo = "make room on the disk, then try again"
            raise StoreError(f"{self._tries}: {what}: {todo}") from error

    def _read_used(self) -> dict[str, float]:
        """Return when each device was used last, on this start's own clock."""
        try:
            told = json_from(self._disk.read(self._path))
            since = self._clock.wall() - self._clock.mono()
            # A clock that went back knows nothing of how long ago it was.
            return {key: min(float(at) - since, self._clock.mono()) for key, at in told.items()}
        except FileNotFoundError:
            return {}
        except (OSError, Unreadable, ValueError, TypeError, AttributeError) as error:
            log.warning("%s: who was here when is not known: %s", self._path, error)
            return {}

    def _write_used(self) -> None:
        now = self._clock.mono()
        if now - self._written < WRITTEN_S:
            return
        self._written = now
        since = self._clock.wall() - now
        known = {pairing.key for pairing in self._hall().people}
        told = {key: round(at + since) for key, at in self._used.items() if key in known}
        try:
            keep_file(self._path, json.dumps(told).encode(), self._disk)
        except OSError as error:
            log.warning("%s: cannot be written: %s", self._path, error)
