"""An evening at the table as a person with a pencil keeps it: who sits there, what they have, what
is counted before a draw.

Each game is played with single counters; no line of the station's rules is used. Two cards are
taken by each player, what is left by those who join later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from station.games.loto_second import state as rules
from tests.drill.counters import GameInPlay, Refused

PRIZES = (0, 0, 5, 25, 100, 250)  # by the counters on a row, from the rule book
# counters a card: at the start, and for an empty table before the last drawing
ON_TABLE, IN_POOL, AGAIN = 15, 45, 2
CARDS, TEN, KNOBS = 2, 10, 90
A_CARD = ON_TABLE + IN_POOL
PURSE = 100_000
PEOPLE = ("Anna", "Ben", "Carla")


def sitting(people: Sequence[str]) -> dict[str, Any]:
    """These sit down, with two cards each."""
    return {
        "act": "sit",
        "players": [{"name": name, "takes": CARDS, "purse": PURSE} for name in people],
    }


SIT: Mapping[str, Any] = sitting(PEOPLE)


@dataclass
class TablePaper:
    """The evening, in counters that are worth one unit each.

    Attributes:
        games: how many there are to be played.
        cards: the rows of all cards, in the order in which the next opening deals them: chance is
            not the paper's.
        people: who sits there, by seat.
        takes: how many cards each of them has wanted; None for who joined and has said nothing.
        brought: what each has when no game is open.
        table: the game that is open.
        counted: whether all knobs are in the bag.
    """

    games: int
    cards: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)
    people: list[str] = field(default_factory=list)
    takes: list[int | None] = field(default_factory=list)
    brought: list[int] = field(default_factory=list)
    table: GameInPlay | None = None
    opened: int = 0
    closed: bool = False
    counted: bool = False
    calls: int = 0

    @property
    def purses(self) -> list[int]:
        """What each seat has beside the game."""
        return (
            [player.purse for player in self.table.players.values()]
            if self.table is not None
            else list(self.brought)
        )

    def rows(self, seat: int) -> list[Sequence[int]]:
        """All rows of a seat's cards."""
        held = (
            self.table.players[seat].cards
            if self.table is not None and seat in self.table.players
            else ()
        )
        return [row for serial in held for row in self.cards[serial]]

    def new_night(self) -> None:
        """Another evening, with nobody at the table."""
        self.opened, self.closed, self.brought = 0, False, []

    def do(self, act: Mapping[str, Any]) -> bool:
        """Does it, or says that it may not be done."""
        if self.closed:
            return False
        match act:
            case {"act": "sit", "players": list(players)}:
                may = self.table is None and self.opened < self.games
                if may:
                    self.people, self.takes = (
                        [one["name"] for one in players],
                        [one["takes"] for one in players],
                    )
                    self.brought = [PURSE] * len(players)
                return may
            case {"act": "open"}:
                return self._open()
            case {"act": "close-night"}:
                self.closed = self.table is None
                return self.closed
        return self.table is not None and self._play(self.table, act)

    def _open(self) -> bool:
        left = CARDS * len(PEOPLE) - sum(count or 0 for count in self.takes)
        silent = self.takes.count(None)
        if self.table is not None or self.opened == self.games or not self.brought or silent > left:
            return False
        # Those who have said nothing have two cards each, the last ones one where there are not
        # enough.
        double = min(silent, left - silent)
        given = iter([CARDS] * double + [1] * (silent - double))
        counts = [next(given) if count is None else count for count in self.takes]
        if any(purse < A_CARD * count for purse, count in zip(self.brought, counts, strict=True)):
            return False
        self.opened, self.counted, self.calls = self.opened + 1, False, 0
        self.table = GameInPlay(
            self.cards,
            counts,
            self.brought,
            consent=True,
            confirm=True,
            money=False,
            a_table=ON_TABLE,
            a_pool=IN_POOL,
            prizes=PRIZES,
            cavities=TEN,
            knobs=KNOBS,
            again=AGAIN,
        )
        return True

    def _play(self, table: GameInPlay, act: Mapping[str, Any]) -> bool:
        drawn = len(table.board)
        may = self._done(table, act)
        self.calls += (len(table.board) - drawn) * (act["act"] in ("draw", "undo"))
        self.counted = self.counted and not (drawn and not table.board and act["act"] == "move")
        if table.over:
            self.brought, self.table, self.counted = self.purses, None, False
        return may

    def _done(self, table: GameInPlay, act: Mapping[str, Any]) -> bool:  # noqa: C901 - a case for each
        try:
            match act:
                case {"act": "shake", "counted": int(counted)}:
                    may = not table.board and counted == KNOBS
                    self.counted = self.counted or may
                    return may
                case {"act": "join", "name": str(name), "purse": int(purse)}:
                    if name in self.people:
                        return False
                    table.do(rules.Join(purse))
                    self.people.append(name)
                    self.takes.append(None)
                case {"act": "draw", "number": int(number)}:
                    if not self.counted:
                        return False
                    table.do(rules.Draw(number))
                case {"act": "undo"}:
                    table.do(rules.TakeBack())
                case {"act": "break"}:
                    while table.board:
                        table.do(rules.TakeBack())
                    table.end()
                case {"act": "move", "move": dict(move)}:
                    table.do(_moved(**move))
                case _:
                    return False
        except Refused:
            return False
        return True


def _moved(do: str, **said: Any) -> Any:
    return getattr(rules, do.title().replace("-", ""))(**said)
