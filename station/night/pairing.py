"""Let devices in, name them and let them go: the hall's people with their pairings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from station.base.errors import NotAllowed
from station.night.acts import Pair, Rename, Unpair, parse_act
from station.night.hall_state import Hall, HallReason
from station.people.pairings import MOST_PAIRINGS, Pairing, lasting
from station.people.roles import Right

PAIRING = frozenset({Right.PAIR, Right.UNPAIR, Right.RENAME})


def change_pairings(hall: Hall, act: Pair | Unpair | Rename) -> Hall:
    """Return the hall with one pairing more or less, or with another name.

    Raises:
        NotAllowed: there is no such pairing, it is one already, or there are too many.
    """
    return replace(hall, people=_changed(hall.people, act, hall.night))


def _changed(
    people: tuple[Pairing, ...], act: Pair | Unpair | Rename, night: int
) -> tuple[Pairing, ...]:
    if isinstance(act, Pair):
        if any(pairing.key == act.key for pairing in people):
            raise NotAllowed(
                HallReason.PAIRED, "this device is paired already: end that pairing first"
            )
        if len(people) >= MOST_PAIRINGS:
            raise NotAllowed(
                HallReason.TOO_MANY_PAIRED,
                "{most} devices are paired, and that is the most there may be: end one that is"
                " not needed with {loto} people revoke",
                most=MOST_PAIRINGS,
            )
        return (*people, Pairing(act.key, act.name, act.role, act.seat, night, act.by_name))
    which = next((pairing for pairing in people if pairing.key == act.key), None)
    if which is None:  # somebody else was sooner
        raise NotAllowed(
            HallReason.NO_SUCH_PAIRING,
            "that pairing has ended already: look at the list of who is paired again",
        )
    if isinstance(act, Unpair):
        return tuple(pairing for pairing in people if pairing is not which)
    return tuple(
        replace(pairing, name=act.name) if pairing is which else pairing for pairing in people
    )


def pairings_left(
    people: tuple[Pairing, ...], lines: Iterable[Mapping[str, Any]], night: int
) -> tuple[Pairing, ...]:
    """Return the pairings that still hold when the next night opens.

    Args:
        people: those of the night's opening.
        lines: its journal.
        night: its number.
    """
    for line in lines:
        if line["do"].get("act") in PAIRING:
            act = cast("Pair | Unpair | Rename", parse_act(line["do"]))
            people = _changed(people, act, night)
    return lasting(people, night + 1)
