"""Decide who may do what: roles, and the role of a process at the other end of the wire.

The core keeps and enforces this, nobody else. Phones only watch; the machine's own user and root
are at the table, and so is whoever paired a device (`station.people.pairings`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from station.base.errors import NotAllowed
from station.base.said import Sentence, either, said


class Role(StrEnum):
    """What a person is in the hall."""

    CALLER = "caller"
    CHECKER = "checker"
    CASHIER = "cashier"
    HOST = "host"  # leads the company at the table
    AUDITOR = "auditor"
    TREASURER = "treasurer"  # an auditor who also counts cash, banks and approves
    ADMIN = "admin"
    SEAT = "seat"
    WATCHER = "watcher"
    STATION = "station"  # the program itself: automatic calling, notes of faults


class AccessReason(StrEnum):
    """Why access refuses."""

    NOT_YOURS = "not-your-role"


class Right(StrEnum):
    """What a person may do, with the roles that may: an act, `ask`, or a paper to read and print.

    Attributes:
        roles: which roles have it.
    """

    roles: frozenset[Role]

    def __new__(cls, name: str, *roles: Role) -> Self:
        """Return the right of this name, which these roles have."""
        right = str.__new__(cls, name)
        right._value_, right.roles = name, frozenset(roles)
        return right

    # play
    OPEN = "open", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    DRAW = "draw", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    UNDO = "undo", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    CLOSE = "close", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    REPEAT = "repeat", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    STOP = "stop", Role.CALLER, Role.CHECKER, Role.ADMIN, Role.STATION
    CLAIM = "claim", Role.CALLER, Role.CHECKER, Role.ADMIN, Role.STATION
    CLAIM_TICKET = "claim-ticket", Role.CALLER, Role.CHECKER, Role.ADMIN
    LOTS = "lots", Role.CALLER, Role.CHECKER, Role.ADMIN
    PLAY_ON = "play-on", Role.CALLER, Role.ADMIN, Role.STATION
    CLOSE_NIGHT = "close-night", Role.CALLER, Role.ADMIN, Role.STATION
    NEXT_NIGHT = "next-night", Role.CALLER, Role.ADMIN, Role.STATION
    AUTO = "auto", Role.CALLER, Role.ADMIN, Role.STATION
    MUTE = "mute", Role.CALLER, Role.ADMIN, Role.STATION
    OFF = "off", Role.CALLER, Role.ADMIN, Role.STATION
    BREAK = "break", Role.CALLER, Role.HOST, Role.ADMIN
    SKIP = "skip", Role.CALLER, Role.HOST, Role.ADMIN
    # see a number before the hall hears it, and call it then
    HOLD = "hold", Role.CALLER, Role.HOST, Role.ADMIN
    RELEASE = "release", Role.CALLER, Role.HOST, Role.ADMIN
    # add the hall's words to a shared bag
    MIX = "mix", Role.CALLER, Role.HOST, Role.ADMIN
    # a game that was drawn for many halls, and its keys
    TAKE_SEALED = "take-sealed", Role.CALLER, Role.ADMIN
    TAKE_KEYS = "take-keys", Role.CALLER, Role.ADMIN
    # lead a company at the table
    SIT = "sit", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    JOIN = "join", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    SHAKE = "shake", Role.CALLER, Role.HOST, Role.ADMIN, Role.STATION
    MOVE = "move", Role.CALLER, Role.HOST, Role.ADMIN, Role.SEAT, Role.STATION
    # prepare a game; only the station reports the results, `census` and `self-test`
    CENSUS_BEGIN = "census-begin", Role.CALLER, Role.HOST, Role.ADMIN
    CENSUS_END = "census-end", Role.CALLER, Role.HOST, Role.ADMIN
    SELF_TEST_BEGIN = "self-test-begin", Role.CALLER, Role.ADMIN
    SELF_TEST_END = "self-test-end", Role.CALLER, Role.ADMIN
    WAIVE = "waive", Role.CALLER, Role.ADMIN
    # sell cards and handle money
    SELL = "sell", Role.CASHIER, Role.ADMIN
    RETURN = "return", Role.CASHIER, Role.ADMIN
    REDEEM = "redeem", Role.CASHIER, Role.ADMIN
    PAY = "pay", Role.CASHIER, Role.ADMIN
    RECOVER = "recover", Role.CASHIER, Role.ADMIN
    COUNT_CASH = "count-cash", Role.CASHIER, Role.TREASURER, Role.ADMIN
    BANK = "bank", Role.TREASURER, Role.ADMIN
    APPROVE = "approve", Role.CALLER, Role.CHECKER, Role.CASHIER, Role.TREASURER, Role.ADMIN
    # pair devices
    PAIR = "pair", Role.ADMIN, Role.STATION
    UNPAIR = "unpair", Role.ADMIN, Role.STATION
    RENAME = "rename", Role.ADMIN, Role.STATION
    # ask, and read or print: the whole night, or one prize
    ASK = "ask", *(role for role in Role if role not in (Role.SEAT, Role.WATCHER, Role.STATION))
    REPORT = "report", Role.AUDITOR, Role.TREASURER, Role.ADMIN
    RECEIPT = "receipt", Role.CASHIER, Role.AUDITOR, Role.TREASURER, Role.ADMIN
    # the station's own lines
    NOTE = "note", Role.STATION
    CENSUS = "census", Role.STATION
    SELF_TEST = "self-test", Role.STATION
    RENEW = "renew", Role.STATION
    COMMIT = "commit", Role.STATION


MAY: dict[Role, frozenset[Right]] = {
    role: frozenset(right for right in Right if role in right.roles) for role in Role
}

CALLED: dict[Role, Sentence] = {
    Role.CALLER: said("caller"),
    Role.CHECKER: said("checker"),
    Role.CASHIER: said("cashier"),
    Role.HOST: said("host"),
    Role.AUDITOR: said("auditor"),
    Role.TREASURER: said("treasurer"),
    Role.ADMIN: said("admin"),
    Role.SEAT: said("seat"),
    Role.WATCHER: said("watcher"),
    Role.STATION: said("station"),
}


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks, as the journal's `by` names them.

    Attributes:
        seat: where somebody sits who plays at the table, from 1; 0 for everybody else.
    """

    name: str
    role: Role
    seat: int = 0

    def require(self, act: str) -> None:
        """Check that this role may do an act.

        Raises:
            NotAllowed: it may not.
        """
        if act not in MAY[self.role]:
            who = [CALLED[role] for role in Role if act in MAY[role] and role is not Role.STATION]
            nobody = said("nobody may, over the wire")
            may = said("it takes a {roles}", roles=either(who)) if who else nobody
            raise NotAllowed(
                AccessReason.NOT_YOURS,
                "{act}: you are here as {role}; {may}",
                act=act,
                role=CALLED[self.role],
                may=may,
            )


# The devices of the station itself: whoever can touch them stands at the table.
DEVICE = Person("table", Role.CALLER)
STATION = Person("station", Role.STATION)
SELLER = Person("simulation", Role.CASHIER)
TILL = Person("till", Role.CASHIER)  # whoever sells with a scanner
SIMULATED = Person("simulated players", Role.CALLER)  # for whom the station plays at a table


def person_for(uid: int, wanted: object, own_uid: int, callers: Collection[int] = ()) -> Person:
    """Return who is behind a connection: root and own user admin, named uids callers, others watch.

    Args:
        uid: the peer's, as the kernel says.
        wanted: the role asked for in the hello, whatever came there; it can only lessen.
        own_uid: the station's.
        callers: uids that the settings name.
    """
    given = Role.ADMIN if uid in (0, own_uid) else Role.CALLER if uid in callers else Role.WATCHER
    known = isinstance(wanted, str) and wanted in set(Role) - {Role.STATION}
    asked = Role(str(wanted)) if known else given
    role = asked if MAY[asked] <= MAY[given] else given
    return Person(f"uid:{uid}", role)
