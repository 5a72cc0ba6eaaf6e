"""Turn throws that a dice tower has read into moves; say what is wrong with the others. Pure.

`station.calling.machine` decides whether a throw may come from the tower.
"""

from __future__ import annotations

from drivers import Misthrow, Thrown, ThrowRefused
from station.calling.signals import Notice
from station.calling.trouble import scold
from station.calling.turn import CallerTurn
from station.night.acts import MakeMove
from station.night.table.luck import DiceFrom, awaited_throw, shown
from station.people.roles import DEVICE
from station.record.requests import Command

_PHRASES = {
    Misthrow.ASKEW: "dice-askew",
    Misthrow.FALLEN: "dice-fallen",
    Misthrow.TOUCHED: "dice-touched",
}


def thrown(turn: CallerTurn, event: Thrown | ThrowRefused) -> None:
    """Take a throw. Ask aloud to repeat one that cannot be read, if a throw is due; if none is due,
    show that it does not count."""
    law = awaited_throw(turn.hall.open_game)
    if law is None:
        turn.out(Notice(turn.word("throw-not-due")))
    elif isinstance(event, ThrowRefused):
        _ask_again(turn, _PHRASES[event.why])
    elif (faces := shown(law, event.spots, event.marks)) is None:
        lie, due = len(event.spots or event.marks), law.dice or len(law.things)
        kind = bool(event.spots) is bool(law.dice)
        _ask_again(turn, "dice-fallen" if kind and lie < due else "dice-others")
    else:
        move = MakeMove(move={"do": law.do, law.field: faces})
        turn.want(Command("", move, DEVICE, DiceFrom.TOWER))


def _ask_again(turn: CallerTurn, phrase: str) -> None:
    """Ask for the throw again, every time: the player waits to hear what became of it."""
    scold(turn, phrase, "dice", pause_s=0)
