"""Define what is asked of a session, and its answers. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias

from station.base.errors import SURE_FIRST, LotoError
from station.base.said import Sentence
from station.night.acts import NEXT_NIGHT, Act, MakeMove, act_to_json, parse_act
from station.night.fields import refuse_mixed, refuse_unseen
from station.night.hall import Hall
from station.night.opening import OPENED
from station.night.table.luck import is_that
from station.people.roles import Person
from station.programme.programme import Programme
from station.record.nights import Recorded

_OF_CHANCE = {  # added by the station
    "sit": ("luck",),
    "open": ("bag", "luck", "knobs", "deal", "leaf", "sealed"),
    "move": ("chance", "later"),
    "shake": ("bag", "luck", "away"),
    "draw": ("leaf", "again"),
}


class SessionReason(StrEnum):
    """Reasons for which the session refuses before the hall is asked."""

    CHANGED = "changed-meanwhile"
    ENDING = "station-ending"
    HALTED = "halted"
    ID_USED = "id-used"
    NO_NEXT_NIGHT = "no-next-night"
    NOTHING_LOST = "nothing-lost"
    NOTHING_TO_SEE = "nothing-to-see"
    NIGHT_OPEN = "night-open"
    NOT_IN_PACK = "not-in-pack"
    SURE = SURE_FIRST
    NOT_YOUR_SEAT = "not-your-seat"
    KEY_MISSING = "key-missing"
    UNREADABLE = "unreadable"


class SessionWish:
    """A request that is no act of the night as it stands."""

    __slots__ = ()
    kind: ClassVar[str] = ""

    @property
    def act(self) -> str:
        """Return its name, like an act's."""
        return self.kind


@dataclass(frozen=True, slots=True)
class DrawNext(SessionWish):
    """A draw of the next number, which the virtual bag decides."""

    kind: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class SeeNext(SessionWish):
    """A look at the number that the virtual bag gives next: it is recorded before it is seen.

    No message asks for it: the desk does, for somebody who may `hold` a number.
    """

    kind: ClassVar[str] = "see"

    @property
    def act(self) -> str:
        """Return the name of what one must be allowed to do."""
        return "hold"


@dataclass(frozen=True, slots=True)
class RenewLuck(SessionWish):
    """A request to commit to the rest of the bag anew, after its secrets were lost."""

    kind: ClassVar[str] = "renew"


@dataclass(frozen=True, slots=True)
class CommitTable(SessionWish):
    """A request to commit to the table's luck anew."""

    kind: ClassVar[str] = "commit"


@dataclass(frozen=True, slots=True)
class NextNight(SessionWish):
    """A request for the night after this one, which is closed.

    Attributes:
        programme: played then; None for that which is in force. It is never read from a message.
    """

    kind: ClassVar[str] = NEXT_NIGHT
    programme: Programme | None = None


@dataclass(frozen=True, slots=True)
class Unread(SessionWish):
    """A message from the wire that is no act: refused in its turn, like any other wish.

    Attributes:
        error: what is wrong with it.
    """

    do: Mapping[str, Any]
    error: LotoError

    @property
    def act(self) -> str:
        """Return the name that the message gives itself."""
        return str(self.do.get("act"))


_WISHES: Mapping[str, type[NextNight | RenewLuck | CommitTable]] = {
    wish.kind: wish for wish in (NextNight, RenewLuck, CommitTable)
}


def read_act(do: Mapping[str, Any]) -> Act | SessionWish:
    """Return what a JSON object asks of the night; an `Unread` if it cannot be told.

    What chance adds to an act is never read from the object.
    """
    act = do.get("act")
    try:
        if wish := _WISHES.get(str(act)):
            return wish()
        if act == "draw" and do.get("number") is None:
            parse_act({**do, "number": 1})
            return DrawNext()
        added = _OF_CHANCE.get(act, ()) if isinstance(act, str) else ()
        read = parse_act({key: said for key, said in do.items() if key not in added})
        refuse_unseen(do)
        refuse_mixed(read)
    except LotoError as error:
        return Unread(do, error)
    return read


@dataclass(frozen=True, slots=True)
class Command:
    """A request of somebody, as it came in.

    Attributes:
        id: chosen by the sender, a new one for each request. A command that comes again with its id
            gets the same answer and is not done again; one with the id of another sender, or of
            another act, is refused.
        act: what is asked for.
        via: which input it came by: "button", "reader", "keyed", "wire", "auto".
        expect: how many calls have been made, as far as the sender knows.
        seen: what the sender saw (`station.night.losses.mark_of`): the table, or the last line of
            the journal.
        sure: the sender was told what would be lost, and wants it all the same.
    """

    id: str
    act: Act | SessionWish
    by: Person
    via: str
    expect: int | None = None
    seen: str | None = None
    sure: bool = False

    @classmethod
    def read(
        cls,
        command_id: str,
        do: Mapping[str, Any],
        by: Person,
        via: str,
        expect: int | None = None,
        seen: str | None = None,
        *,
        sure: bool = False,
    ) -> Command:
        """Return the command whose act is this JSON object."""
        return cls(command_id, read_act(do), by, via, expect, seen, sure)


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to an accepted command; `seq` is its line in the journal."""

    seq: int

    def to_json(self, _: Callable[[Sentence], str] = str) -> dict[str, Any]:
        """Return the answer's JSON body, without the `id`."""
        return {"ok": True, "seq": self.seq}


@dataclass(frozen=True, slots=True)
class HeldNumber(Done):
    """The answer to whoever sees a number before it is called: which one it is."""

    number: int

    def to_json(self, tell: Callable[[Sentence], str] = str) -> dict[str, Any]:
        """Return the answer's JSON body, without the `id`."""
        return {**Done.to_json(self, tell), "number": self.number}


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to a refused command.

    Attributes:
        said: the sentence for a person.
        seen: for an act that can be confirmed with `sure`: the `seen` that the confirmation must
            carry.
    """

    reason: str
    said: Sentence
    seen: str = ""

    @property
    def asks(self) -> bool:
        """Return whether somebody must confirm the act first."""
        return self.reason == SessionReason.SURE

    @property
    def say(self) -> str:
        """Return the sentence in English."""
        return str(self.said)

    def to_json(self, tell: Callable[[Sentence], str] = str) -> dict[str, Any]:
        """Return the answer's JSON body, without the `id`; the sentence as `tell` writes it."""
        seen = {"seen": self.seen} if self.seen else {}
        return {"refused": {"reason": self.reason, "say": tell(self.said), **seen}}


Answer: TypeAlias = Done | Refused


@dataclass(frozen=True, slots=True)
class Change:
    """An act that is durable and adopted now."""

    seq: int
    act: Act
    via: str
    before: Hall
    after: Hall


def became(command: Command, line: Recorded) -> bool:
    """Return whether this command became that line: same person and act, apart from its luck."""
    if command.by.name != line.by:
        return False
    act, do = command.act, line.do
    if do.get("act") == OPENED:
        return isinstance(act, NextNight)
    if isinstance(act, DrawNext | SeeNext | RenewLuck | CommitTable):
        return bool(do.get("act") == (DrawNext.kind if isinstance(act, DrawNext) else act.kind))
    if isinstance(act, MakeMove) and do.get("act") == act.act:
        return is_that(act.move, do["move"])
    if isinstance(act, SessionWish):
        return False
    added = {key: do[key] for key in _OF_CHANCE.get(act.act, ()) if key in do}
    return act_to_json(act) | added == do


def digest_of(command: Command) -> bytes:
    """Return a hash of person and act: a refused command may be large, and many are remembered."""
    try:
        said = repr(command.act)
    except RecursionError:  # it could be read, a few calls less deep; no act is like that
        said = "nested"
    return hashlib.sha256(f"{command.by.name}\n{said}".encode()).digest()
