"""Let players join a table by their names while its host holds it open: pure.

The host opens the table for a minute; each player then takes the next free seat with one name. The
window itself is not recorded: after a restart it is shut, and the players who have joined are at
the table like any other company.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from station.base.errors import NotAllowed
from station.people.alike import person_of

OPEN_S = 60.0
VIA = "joining"  # the input of the acts that come of it


class JoinReason(StrEnum):
    """Reasons for which a player cannot join."""

    SHUT = "table-shut"
    FULL = "table-full"
    NAME_TAKEN = "name-taken"
    NO_NAME = "no-name"
    NOT_NOW = "not-now"
    PAIRED = "already-paired"


@dataclass(frozen=True, slots=True)
class JoinWindow:
    """The window in which players join.

    Attributes:
        until: when it shuts, in seconds of a clock that never goes back.
        joined: the names of the players who have joined in it, in their order.
    """

    until: float = -math.inf
    joined: tuple[str, ...] = ()

    def left(self, now: float) -> int:
        """Return for how many whole seconds more it is open; 0 once it is shut.

        >>> JoinWindow().opened(100.0).left(100.5), JoinWindow().left(0.0)
        (60, 0)
        """
        return max(0, math.ceil(self.until - now)) if self.until > now else 0

    def opened(self, now: float) -> JoinWindow:
        """Return the window, open for its whole time from now on; a window that is still open keeps
        who has joined."""
        return JoinWindow(now + OPEN_S, self.joined if self.left(now) else ())

    def shut(self) -> JoinWindow:
        """Return the window, shut; it still tells who has joined."""
        return replace(self, until=-math.inf)

    def entered(self, name: str, company: Sequence[str], seats: int, now: float) -> JoinWindow:
        """Return the window after one more player has joined.

        Args:
            name: of the player.
            company: the names of the players at the table.
            seats: how many players the next game takes.

        Raises:
            NotAllowed: the table is shut or full, or a player at it has this name or one that
                looks like it.
        """
        if not self.left(now):
            raise NotAllowed(
                JoinReason.SHUT, "the table is not open: ask the host to open it, then try again"
            )
        me = person_of(name)
        if (other := next((one for one in company if person_of(one) == me), None)) is not None:
            raise NotAllowed(
                JoinReason.NAME_TAKEN,
                "“{other}” is at the table already: type a name that looks different, such as"
                " “{name} 2”",
                other=other,
                name=name,
            )
        if len(company) >= seats:
            raise NotAllowed(
                JoinReason.FULL,
                "all {seats} seats of the next game are taken: ask the host for one",
                seats=seats,
            )
        return replace(self, joined=(*self.joined, name))
