"""Let players join the next game at the table with their own phones, while its host holds it open.

The host opens the table for a minute. Each phone then sends a name and the digest of its secret:
the core pairs the phone as that player's seat, and seats the player after the company. Both are
ordinary acts of the record, `pair` and `sit`. The window is in memory alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from station.base.clock import Clock
from station.base.errors import NotAllowed, Unreadable
from station.base.said import verbatim
from station.core.doorkeeper import Doorkeeper
from station.night.acts import Act, Pair, Sit, Unpair
from station.night.fields import NewName, PairingKey, Player
from station.night.hall_state import Hall
from station.night.pairing import change_pairings
from station.people import pairings
from station.people.alike import person_of
from station.people.joining import VIA, JoinReason, JoinWindow
from station.people.pairings import Pairing
from station.people.roles import STATION, Person, Right, Role
from station.programme.programme import validation_faults
from station.programme.table import fitting
from station.record.requests import Answer, Refused
from station.wire.board_view import JoiningView
from station.wire.wire import Message

SHOWN_S = 5.0  # between two pictures with the seconds left; screens count down in between
TAKEN_OVER = "another phone has joined as this player"


class TakeSeat(BaseModel, frozen=True, extra="forbid"):
    """A player joins.

    Attributes:
        name: of the player.
        key: the digest of the phone's secret.
    """

    do: Literal["enter"]
    name: NewName
    key: PairingKey


class HoldOpen(BaseModel, frozen=True, extra="forbid"):
    """Open the table for a minute, shut it, or show who has joined."""

    do: Literal["open", "shut", "show"]


_MESSAGES: TypeAdapter[TakeSeat | HoldOpen] = TypeAdapter(
    Annotated[TakeSeat | HoldOpen, Field(discriminator="do")]
)
Submit: TypeAlias = Callable[[Act, Person, str], Awaitable[Answer]]


class Joining:
    """The window of one station, and the acts that come of it.

    Args:
        hall: returns the night that is on.
        door: knows the paired devices.
        submit: has an act recorded, for a person, by an input.
        publish: updates the board.
    """

    def __init__(
        self,
        hall: Callable[[], Hall],
        door: Doorkeeper,
        submit: Submit,
        clock: Clock,
        publish: Callable[[], None],
    ) -> None:
        self._hall = hall
        self._door = door
        self._submit = submit
        self._clock = clock
        self._publish = publish
        self._window = JoinWindow()
        self._host: Person = STATION
        self._host_key = ""  # of the device from which the host opened it; empty for none
        self._one_by_one = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None

    def view(self) -> JoiningView | None:
        """Return what the board shows of it; None while it is shut."""
        left = self._left()
        return JoiningView(seconds=left) if left else None

    def look(self) -> None:
        """Shut the window after a change that leaves nothing to join, or after which its host is
        nobody here any more."""
        if self._window.left(self._clock.mono()) and not self._left():
            self._adopt(self._window.shut())

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()

    async def answer(self, asked: Any, person: Person, secret: object = None) -> Message:
        """Answer a message about joining.

        Args:
            secret: of the device from which it comes; None where it comes from none.

        Raises:
            NotAllowed: not so, not now, or not by this person.
            Unreadable: it is no such message.
        """
        try:
            message = _MESSAGES.validate_python(asked)
        except ValidationError as error:
            raise _unreadable(asked, error) from error
        if isinstance(message, TakeSeat):
            async with self._one_by_one:
                return await self._enter(message)
        person.require(Right.SIT)
        if message.do == "open":
            hall = self._hall()
            _require_room(hall)
            self._host = person
            self._host_key = pairings.key_of(secret) if isinstance(secret, str) else ""
            self._adopt(self._window.opened(self._clock.mono()))
        elif message.do == "shut":
            self._adopt(self._window.shut())
        return {"answer": self._told()}

    def _told(self) -> dict[str, Any]:
        hall = self._hall()
        return {
            "seconds": self._left(),
            "joined": list(self._window.joined),
            "taken": len(hall.company),
            "seats": seats_of_next(hall),
        }

    def _left(self) -> int:
        """Return for how many seconds players may join; 0 where they may not."""
        left, hall = self._window.left(self._clock.mono()), self._hall()
        known = not self._host_key or any(one.key == self._host_key for one in hall.people)
        return left if left and known and seats_of_next(hall) else 0

    def _adopt(self, window: JoinWindow) -> None:
        self._window = window
        self._show()

    def _show(self) -> None:
        """Update the board now, and every few seconds while the window is open."""
        self.close()
        self._publish()
        if left := self._window.left(self._clock.mono()):
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(min(SHOWN_S, left), self._show)

    async def _enter(self, message: TakeSeat) -> Message:
        self.look()
        hall, name = self._hall(), message.name
        players = [seat.name for seat in hall.company]
        old = next((one for one in hall.people if one.key == message.key), None)
        if old is not None and (here := _still_here(old, name, players)) is not None:
            return here
        now, seats = self._clock.mono(), seats_of_next(hall)
        window = self._window.entered(name, players, seats, now)
        await self._pair(message, old, len(players) + 1)
        company = (
            *(
                Player(name=one.name, takes=one.takes, simulated=one.simulated)
                for one in hall.company
            ),
            Player(name=name),
        )
        answer = await self._submit(Sit(players=company), self._host, VIA)
        if isinstance(answer, Refused):
            await self._submit(Unpair(key=message.key), STATION, VIA)
            raise NotAllowed(answer.reason, answer.said)
        # the host may have shut or renewed it meanwhile
        self._adopt(JoinWindow(self._window.until, window.joined))
        return {"ok": True, "seq": answer.seq, "answer": {"name": name, "seat": len(company)}}

    async def _pair(self, message: TakeSeat, old: Pairing | None, seat: int) -> None:
        """Pair the phone, in place of what it was and of another phone that had this player."""
        me, hall = person_of(message.name), self._hall()
        pair = Pair(key=message.key, name=message.name, role=Role.SEAT, seat=seat, by_name=True)
        others = [one for one in hall.people if one.by_name and person_of(one.name) == me]
        ends = [one for one in others if one is not old] + ([old] if old is not None else [])
        for one in ends:
            why = TAKEN_OVER if one is not old else "joins again"
            hall = change_pairings(hall, unpair := Unpair(key=one.key, why=why))
            await self._do(unpair)
        change_pairings(hall, pair)  # asked before anything is written
        await self._do(pair)
        self._door.used(message.key)

    async def _do(self, act: Act) -> None:
        answer = await self._submit(act, STATION, VIA)
        if isinstance(answer, Refused):
            raise NotAllowed(answer.reason, answer.said)


def seats_of_next(hall: Hall) -> int:
    """Return how many players the next game takes; 0 where nobody can join: a game is open, the
    night is closed, or the next game is not played at the table."""
    plan = hall.next_at_table
    if plan is None:
        return 0
    return max(fitting(plan.rules, plan.agreed.of(plan.rules), plan.dealt).seats, default=0)


def _require_room(hall: Hall) -> None:
    """Check that somebody could join now.

    Raises:
        NotAllowed: nobody could.
    """
    if hall.game_open:
        raise NotAllowed(
            JoinReason.NOT_NOW,
            "game {game} is open: players join between games",
            game=hall.opened,
        )
    seats = seats_of_next(hall)
    if not seats:
        raise NotAllowed(
            JoinReason.NOT_NOW,
            "the next game is not played at the table, so nobody can join it: see the programme",
        )
    if len(hall.company) >= seats:
        raise NotAllowed(
            JoinReason.FULL,
            "all {seats} seats of the next game are taken: remove a player first, then open the"
            " table",
            seats=seats,
        )


def _still_here(old: Pairing, name: str, players: Sequence[str]) -> Message | None:
    """Return the answer to a phone that has joined already: the first may have been lost. None
    where the phone may join again.

    Raises:
        NotAllowed: the phone is somebody else's.
    """
    seat = old.seat_among(players)
    if old.by_name and not seat:
        return None
    if old.by_name and person_of(old.name) == person_of(name):
        return {"ok": True, "answer": {"name": old.name, "seat": seat}}
    raise NotAllowed(
        JoinReason.PAIRED,
        "this phone is let in already, as {name}: open /start on it",
        name=old.name,
    )


def _unreadable(asked: Any, error: ValidationError) -> NotAllowed | Unreadable:
    """Return why a message is refused: what is wrong with a player's name, in a sentence for the
    player, or with its form."""
    faults = error.errors()
    if [fault["loc"][-1] for fault in faults] == ["name"] and isinstance(asked.get("name"), str):
        why = faults[0]["msg"].removeprefix("Value error, ")
        return NotAllowed(JoinReason.NO_NAME, "this name cannot be used: {why}", why=verbatim(why))
    return Unreadable(f"not about joining: {'; '.join(validation_faults(error, 'the message'))}")
