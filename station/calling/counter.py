"""Act on the codes that scanners read, at the claims' table and at the till."""

from __future__ import annotations

import logging
from pathlib import Path

from drivers import Scanned
from station.base.errors import LotoError, NotAllowed, Unreadable
from station.base.said import said
from station.calling.signals import Notice
from station.calling.turn import CallerTurn
from station.cards.cards_key import load_numbering
from station.cards.pack import Pack
from station.cards.serials import Numbering
from station.night.acts import Sell
from station.people.roles import DEVICE, TILL
from station.record.requests import Change, Command, read_act
from station.settings.scan import act_of_scan

log = logging.getLogger(__name__)

NOT_READ = said(
    "the code could not be read: hold the card before the scanner again, or key its serial"
)


def read_numbering(pack: Pack, state: Path) -> tuple[Numbering | None, str]:
    """Return what reads the short codes of a pack's cards, or why serials are typed instead."""
    try:
        return load_numbering(pack.serials, state), ""
    except LotoError as error:
        log.warning("no short code of a card can be read: %s", error)
        return None, str(error)


def scanned(turn: CallerTurn, event: Scanned) -> None:
    """Claim for the card whose code was read, or sell it; show that a code is foreign."""
    scanning = turn.night.manners.scanning
    try:
        use = scanning.uses[event.scanner]
        act = read_act(act_of_scan(turn.hall, event.text, use, scanning.numbering))
    except NotAllowed as error:
        turn.out(Notice(error.said))
    except Unreadable as error:
        turn.out(Notice(str(error)))
    else:
        by = TILL if act.act == "sell" else DEVICE
        turn.want(Command("", act, by, event.scanner))


def refused(turn: CallerTurn) -> None:
    """Show that a scanner has read something that is no code."""
    turn.out(Notice(NOT_READ))


def follow(turn: CallerTurn, change: Change) -> None:
    """Show that a card was sold with a scanner."""
    act = change.act
    if isinstance(act, Sell) and change.via in turn.night.manners.scanning.uses:
        serial, game = act.serials[0], change.before.coming
        turn.out(Notice(said("card {serial} is sold for game {game}", serial=serial, game=game)))
