"""Decide who may do what: roles, and the role of a process at the other end of the wire.

The core keeps and enforces this, nobody else. Phones only watch; the machine's own user and root
are at the table. Pairing of callers' devices comes as one more way to a role.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from station.base.errors import NotAllowed


class Role(StrEnum):
    """What a person is in the hall."""

    CALLER = "caller"
    CHECKER = "checker"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    ADMIN = "admin"
    SEAT = "seat"
    WATCHER = "watcher"
    STATION = "station"  # the program itself: automatic calling, notes of faults


class Reason(StrEnum):
    """Why access refuses."""

    NOT_YOURS = "not-your-role"


CALLING = frozenset(
    {
        "open",
        "draw",
        "stop",
        "claim",
        "play-on",
        "undo",
        "close",
        "close-night",
        "next-night",
        "auto",
        "repeat",
        "mute",
        "off",
    }
)
# What the host of a table does for its company.
HOSTING = frozenset({"sit", "join", "shake", "move"})
# What comes before a game; their results, `census` and `self-test`, are the station's own word.
PREPARING = frozenset({"census-begin", "census-end", "self-test-begin", "self-test-end", "waive"})
SELLING = frozenset({"sell", "return", "count-cash", "redeem", "pay", "approve", "recover"})
CHECKING = frozenset({"stop", "claim", "claim-ticket", "lots"})
MANAGING = frozenset({"break", "bank"})
ASK = "ask"
MAY: dict[Role, frozenset[str]] = {
    Role.CALLER: CALLING | HOSTING | PREPARING | CHECKING | {"approve", "break", ASK},
    Role.CHECKER: CHECKING | {"approve", ASK},
    Role.CASHIER: SELLING | {ASK},
    Role.AUDITOR: frozenset({ASK}),
    Role.ADMIN: CALLING | HOSTING | PREPARING | CHECKING | SELLING | MANAGING | {ASK},
    Role.SEAT: frozenset({"move"}),
    Role.WATCHER: frozenset(),
    Role.STATION: CALLING | HOSTING | {"note", "census", "self-test"},
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
            who = [role.value for role in Role if act in MAY[role] and role is not Role.STATION]
            may = f"it takes a {' or '.join(who)}" if who else "nobody may, over the wire"
            raise NotAllowed(Reason.NOT_YOURS, f"{act}: you are here as {self.role.value}; {may}")


# The devices of the station itself: whoever can touch them stands at the table.
DEVICE = Person("table", Role.CALLER)
STATION = Person("station", Role.STATION)
SELLER = Person("simulation", Role.CASHIER)
TILL = Person("till", Role.CASHIER)  # whoever sells with a scanner
SIMULATED = Person("simulated players", Role.CALLER)  # for whom the station plays at a table


def person_for(uid: int, wanted: object, own_uid: int, callers: Collection[int] = ()) -> Person:
    """Return the person behind a connection: root and the station's own user are admin, the
    settings' callers are callers, others watch.

    Args:
        uid: the peer's, as the kernel says.
        wanted: the role asked for in the hello, whatever came there; it can only lessen.
        own_uid: the station's.
        callers: uids that the settings name.
    """
    given = Role.ADMIN if uid in (0, own_uid) else Role.CALLER if uid in callers else Role.WATCHER
    role = given
    if (
        isinstance(wanted, str)
        and wanted in set(Role) - {Role.STATION}
        and MAY[Role(wanted)] <= MAY[given]
    ):
        role = Role(wanted)
    return Person(f"uid:{uid}", role)
