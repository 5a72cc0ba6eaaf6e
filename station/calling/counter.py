"""Act on the codes that scanners read, at the claims' table and at the till."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from station.base.errors import LotoError, NotAllowed, Unreadable
from station.base.said import said
from station.calling.outputs import DeskSettings, OutputSender
from station.cards.cards_key import load_numbering
from station.cards.pack import Pack
from station.cards.serials import Numbering
from station.night.acts import Act, Sell
from station.people.roles import DEVICE, TILL, Person
from station.record.requests import Answer, Done, SessionWish, read_act
from station.record.session import Session
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


class Counter:
    """The part of the desk that handles codes.

    Args:
        settings: the hall's, with its scanners and its currency.
        wish: makes a command with a new id, from an act, a person and an input.
        start: runs a task beside the desk.
    """

    def __init__(
        self,
        session: Session,
        sender: OutputSender,
        settings: DeskSettings,
        wish: Callable[[Act | SessionWish, Person, str], Awaitable[Answer]],
        start: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._session = session
        self._sender = sender
        self._scanning = settings.scanning
        self._currency = settings.currency
        self._wish = wish
        self._start = start

    def answers(self) -> Mapping[str, dict[str, Any]]:
        """Return what the wire answers about `currency`: how sums are written here."""
        return {"currency": asdict(self._currency)}

    def has(self, device: str) -> bool:
        """Return whether a device of that name is a scanner here."""
        return device in self._scanning.uses

    def scanned(self, scanner: str, text: str) -> None:
        """Claim for the card whose code was read, or sell it; report a foreign code."""
        try:
            use, numbering = self._scanning.uses[scanner], self._scanning.numbering
            act = read_act(act_of_scan(self._session.hall, text, use, numbering))
        except NotAllowed as error:
            self._sender.show(self._sender.told(error.said))
        except Unreadable as error:
            self._sender.show(str(error))
        else:
            self._start(self._do(act, scanner))

    def refused(self) -> None:
        """Report that something was read which is no code."""
        self._sender.show(self._sender.told(NOT_READ))

    async def _do(self, act: Act | SessionWish, scanner: str) -> None:
        game = self._session.hall.coming
        answer = await self._wish(act, TILL if act.act == "sell" else DEVICE, scanner)
        if isinstance(answer, Done) and isinstance(act, Sell):
            sold = said("card {serial} is sold for game {game}", serial=act.serials[0], game=game)
            self._sender.show(self._sender.told(sold))
