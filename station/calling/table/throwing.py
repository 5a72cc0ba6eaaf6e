"""Turn throws that a dice tower has read into moves of the game; say what is wrong with the others.

Whether a throw may come from the tower is for `station.calling.machine` to say.
"""

from __future__ import annotations

from dataclasses import dataclass

from drivers import Misthrow, Thrown, ThrowRefused
from station.calling.table.means import TableMeans
from station.night.acts import MakeMove
from station.night.table.luck import DiceFrom, awaited_throw, shown
from station.people.roles import DEVICE

_PHRASES = {
    Misthrow.ASKEW: "dice-askew",
    Misthrow.FALLEN: "dice-fallen",
    Misthrow.TOUCHED: "dice-touched",
}


@dataclass(eq=False)
class Throws:
    """The throws of one night's tower."""

    means: TableMeans

    def thrown(self, event: Thrown | ThrowRefused) -> None:
        """Take a throw, or one that cannot be read: it is asked for again aloud, where one is due.
        Of another throw a line under the board says that it does not count."""
        law = awaited_throw(self.means.session.hall.open_game)
        if law is None:
            self.means.sender.show(self.means.wording.screen["throw-not-due"])
        elif isinstance(event, ThrowRefused):
            self._scold(_PHRASES[event.why])
        elif (faces := shown(law, event.spots, event.marks)) is None:
            lie, due = len(event.spots or event.marks), law.dice or len(law.things)
            kind = bool(event.spots) is bool(law.dice)
            self._scold("dice-fallen" if kind and lie < due else "dice-others")
        else:
            self.means.start(self._recorded(MakeMove(move={"do": law.do, law.field: faces})))

    def _scold(self, phrase: str) -> None:
        """Ask for the throw again, every time: who has thrown waits to hear what came of it."""
        self.means.trouble.scold(phrase, "dice", pause_s=0)

    async def _recorded(self, move: MakeMove) -> None:
        await self.means.ask(move, DEVICE, DiceFrom.TOWER)
