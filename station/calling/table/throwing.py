"""Turn throws that a dice tower has read into moves of the game; say what is wrong with the others.

Whether a throw may come from the tower is for `station.calling.machine` to say.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from drivers import Misthrow, Thrown, ThrowRefused
from station.calling.outputs import OutputSender
from station.calling.trouble import Trouble
from station.night.acts import Act, MakeMove
from station.night.table.luck import DiceFrom, awaited_throw, shown
from station.people.roles import DEVICE, Person
from station.record.session import Answer, Session
from station.wire.wording import Wording

_PHRASES = {
    Misthrow.ASKEW: "dice-askew",
    Misthrow.FALLEN: "dice-fallen",
    Misthrow.TOUCHED: "dice-touched",
}


class Throws:
    """The throws of one night's tower.

    Args:
        ask: asks for an act, as the desk does for any input.
        start: runs a task in the background.
    """

    def __init__(
        self,
        session: Session,
        sender: OutputSender,
        trouble: Trouble,
        wording: Wording,
        ask: Callable[[Act, Person, str], Awaitable[Answer]],
        start: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._session = session
        self._sender = sender
        self._trouble = trouble
        self._wording = wording
        self._ask = ask
        self._start = start

    def thrown(self, event: Thrown | ThrowRefused) -> None:
        """Take a throw, or one that cannot be read: it is asked for again aloud, where one is due.
        Of another throw a line under the board says that it does not count."""
        law = awaited_throw(self._session.hall.at_table)
        if law is None:
            self._sender.show(self._wording.screen["throw-not-due"])
        elif isinstance(event, ThrowRefused):
            self._scold(_PHRASES[event.why])
        elif (faces := shown(law, event.spots, event.marks)) is None:
            lie, due = len(event.spots or event.marks), law.dice or len(law.things)
            kind = bool(event.spots) is bool(law.dice)
            self._scold("dice-fallen" if kind and lie < due else "dice-others")
        else:
            self._start(self._recorded(MakeMove(move={"do": law.do, law.field: faces})))

    def _scold(self, phrase: str) -> None:
        """Ask for the throw again, every time: who has thrown waits to hear what came of it."""
        self._trouble.scold(phrase, "dice", pause_s=0)

    async def _recorded(self, move: MakeMove) -> None:
        await self._ask(move, DEVICE, DiceFrom.TOWER)
