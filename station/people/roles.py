"""Decide who may do what: roles, and the role of a process at the other end of the wire.

The core keeps and enforces this, nobody else. Phones only watch; the machine's own user and root
are at the table, and so is whoever paired a device (`station.people.pairings`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

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


PLAYING = frozenset({"open", "draw", "stop", "claim", "play-on", "undo", "close"})
CALLING = PLAYING | {"close-night", "next-night", "auto", "repeat", "mute", "off"}
# A game that was drawn for many halls, and its keys.
SEALED = frozenset({"take-sealed", "take-keys"})
# To see a number before the hall hears it, and to call it then.
SEEING = frozenset({"hold", "release"})
# To add the hall's words to a shared bag.
MIXING = frozenset({"mix"})
# What the host of a table does for its company.
HOSTING = frozenset({"sit", "join", "shake", "move"})
# What comes before a game; their results, `census` and `self-test`, are the station's own word.
PREPARING = frozenset({"census-begin", "census-end", "self-test-begin", "self-test-end", "waive"})
SELLING = frozenset({"sell", "return", "count-cash", "redeem", "pay", "approve", "recover"})
CHECKING = frozenset({"stop", "claim", "claim-ticket", "lots"})
MANAGING = frozenset({"break", "skip", "bank"})
# Who is let in: only where the hall's own people are.
PAIR = "pair"
PAIRING = frozenset({PAIR, "unpair", "rename"})
ASK = "ask"
# What somebody may have on paper, and read in the record besides: the whole night, or one prize.
REPORT, RECEIPT = "report", "receipt"
MAY: dict[Role, frozenset[str]] = {
    Role.CALLER: CALLING.union(SEEING, MIXING, SEALED, HOSTING, PREPARING, CHECKING)
    | {"approve", "break", "skip", ASK},
    Role.CHECKER: CHECKING | {"approve", ASK},
    Role.CASHIER: SELLING | {RECEIPT, ASK},
    Role.HOST: HOSTING
    | SEEING
    | MIXING
    | {
        "open",
        "draw",
        "undo",
        "close",
        "break",
        "skip",
        "repeat",
        "census-begin",
        "census-end",
        ASK,
    },
    Role.AUDITOR: frozenset({REPORT, RECEIPT, ASK}),
    Role.TREASURER: frozenset({"count-cash", "bank", "approve", REPORT, RECEIPT, ASK}),
    Role.ADMIN: frozenset({REPORT, RECEIPT, ASK}).union(
        CALLING, SEEING, MIXING, SEALED, HOSTING, PREPARING, CHECKING, SELLING, MANAGING, PAIRING
    ),
    Role.SEAT: frozenset({"move"}),
    Role.WATCHER: frozenset(),
    Role.STATION: CALLING | HOSTING | PAIRING | {"note", "census", "self-test", "renew", "commit"},
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
