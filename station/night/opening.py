"""Make and read the line that opens a night: what it freezes, and the money it carries on. Pure.

A night carries what the last night of its kind left, TEST or real: play money never comes into a
real night, nor real money into a TEST night. The chain shows that no line was altered; whether a
night began with the money that was there, only the nights before can tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field, ValidationError

from station.base.errors import Damaged
from station.base.nouns import Ledger
from station.base.tongue import key, tr
from station.night.acts import CloseNight
from station.night.hall import Hall
from station.night.register import CARRIED
from station.people.pairings import Pairing
from station.programme.programme import Programme, validation_faults

# The name of a copy has the beginning of its digest.
COPY = r"^(pack-[0-9a-f]{16}\.csv|programme-[0-9a-f]{16}\.json|tags-[0-9a-f]{16}\.toml)$"

# A ticket of this night, or the tickets of a broken game of it: those of earlier nights have one
# more number.
_OF_TONIGHT = re.compile(r"^((?:owed|due):(?:ticket-(?=[0-9]+-[0-9]+$)|tickets-(?=[0-9]+$)))(.*)")


OPENED: Final = "open-night"  # the act of a night's first line


class Opening(BaseModel, frozen=True):
    """The act in a night's opening line, its `do`.

    Attributes:
        night: its number.
        version: the program's version.
        test: whether it is a TEST night, in which no money is taken.
        last_number: whether a claim must be made on the last number called.
        copies: the names of the files beside the journal that it refers to.
        strict: whether no game opens before the knobs were counted, nor with a fault.
        key: the station's public key, 64 hex digits, which signs every line of the night.
        people: the pairings of the night before that still hold.
    """

    # More fields are allowed: a line of a later version can still be read.
    act: Literal["open-night"] = OPENED
    night: Annotated[int, Field(strict=True, ge=1, lt=1 << 32)]  # a leaf is bound to it
    version: str
    test: Annotated[bool, Field(strict=True)]
    last_number: Annotated[bool, Field(strict=True)]
    copies: tuple[Annotated[str, Field(pattern=COPY)], ...]
    strict: Annotated[bool, Field(strict=True)] = False
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    people: tuple[Pairing, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the act as its line has it; without `people` where there are none."""
        # A pairing by name ends with its night.
        left_out = {"people": {"__all__": {"by_name"}} if self.people else True}
        return self.model_dump(mode="json", exclude=left_out)


class _Then(BaseModel):
    ledger: dict[str, Annotated[int, Field(strict=True)]]


def opened(hall: Hall) -> dict[str, Any]:
    """Return what the opening led to, as its line's `then`."""
    return {"digest": hall.digest(), "ledger": dict(hall.ledger.balances)}


def opening_of(line: Mapping[str, Any], place: str) -> Opening:
    """Return the act in a night's first line.

    Args:
        place: file and line, for the error.

    Raises:
        Damaged: the line does not open a night.
    """
    try:
        return Opening.model_validate(line["do"])
    except ValidationError as error:
        faults = "; ".join(validation_faults(error, tr("the line")))
        why = tr("the night's opening is missing, or is none: {faults}", faults=faults)
        raise Damaged(f"{place}: {why}") from error


def ledger_of(line: Mapping[str, Any], place: str) -> Ledger:
    """Return the accounts as they stood after this line, which opened or closed a night.

    Raises:
        Damaged: the line does not have the accounts, or they are impossible.
    """
    try:
        ledger = Ledger(_Then.model_validate(line["then"]).ledger)
    except ValidationError as error:
        faults = "; ".join(validation_faults(error, tr("the line")))
        why = tr("the accounts are missing here: {faults}", faults=faults)
        raise Damaged(f"{place}: {why}") from error
    if not ledger.sound:
        why = tr("the accounts that stand here do not balance: {accounts}", accounts=ledger)
        raise Damaged(f"{place}: {why}")
    return ledger


def closes(line: Mapping[str, Any]) -> bool:
    """Return whether this line closes its night."""
    return bool(line["do"].get("act") == CloseNight().act)


def why_not_on(hall: Hall, programme: Programme | None, *, test: bool, simulated: bool) -> str:
    """Return why the open night cannot go on as the station is started; empty where it can.

    Args:
        programme: the programme that is asked for; None takes whatever the night has.
        test: whether the station is started for a TEST night.
        simulated: whether the devices are simulated now.
    """
    if test != simulated:
        return tr(TEST_IS_OPEN) if test else tr(REAL_IS_OPEN)
    if programme is not None and programme.name != hall.programme.name:
        return tr(
            "a night with the programme “{name}” is open here: start without --programme and type"
            " ./loto close-night, or give --state another folder",
            name=hall.programme.name,
        )
    return ""


TEST_IS_OPEN = key(
    "a TEST night is open here; it cannot go on with the real devices: start it as before and type"
    " ./loto close-night, or give --state another folder"
)
REAL_IS_OPEN = key(
    "a real night is open here; it cannot go on with simulated devices: start it as before and type"
    " ./loto close-night, or give --state another folder"
)


def carried_from(left: Ledger, night: int) -> Ledger:
    """Return what the next night begins with: stakes of games that were never opened stay with the
    hall, and join its first fund.

    So does what nobody fetched for the cards of a broken game: only the closed night knows who held
    those cards. Its tickets also get its number into their names, `ticket-NIGHT-GAME-N` and
    `tickets-NIGHT-GAME`, since every night has a `ticket-1-1`.

    Args:
        left: the accounts as the last night left them.
        night: the number of that night.
    """
    balances: dict[str, int] = {}
    for account, units in left.balances.items():
        name = _OF_TONIGHT.sub(rf"\g<1>{night}-\2", account)
        if account.startswith(("game:", "refund:")):
            name = CARRIED
        balances[name] = balances.get(name, 0) + units
    return Ledger(dict(sorted(balances.items())))


class Carrying:
    """A check of the nights, oldest first: each must begin with what the last of its kind left."""

    def __init__(self) -> None:
        # what the next night of each kind begins with
        self._begins = {True: Ledger(), False: Ledger()}
        # the night before, its last line and its place
        self._before: tuple[Opening, Mapping[str, Any], str] | None = None

    def take(self, path: str, opening: Mapping[str, Any], ending: Mapping[str, Any] | None) -> None:
        """Take the next night and check its money.

        Args:
            path: its journal, for the error.
            opening: its first line.
            ending: its last line; may be left out for the last night.

        Raises:
            Damaged: it began with other money than there was, or the night before was never closed;
                the message names the line.
        """
        if self._before is not None:
            night, last, place = self._before
            if not closes(last):
                why = tr("the night ends here without being closed, and another follows")
                raise Damaged(f"{place}: {why}")
            self._begins[night.test] = carried_from(ledger_of(last, place), night.night)
        night = opening_of(opening, f"{path}:1")
        begun, wanted = ledger_of(opening, f"{path}:1"), self._begins[night.test]
        if begun != wanted:
            why = tr(
                "the night began with the accounts {begun}; the last one of its kind before it left"
                " {wanted}",
                begun=begun,
                wanted=wanted,
            )
            raise Damaged(f"{path}:1: {why}")
        self._before = (night, ending, f"{path}:{ending['seq']}") if ending is not None else None
