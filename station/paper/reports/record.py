"""Read a night's record from its lines: games, calls, claims, wins, and money moved. Pure.

No game is played again: who won what stands in the lines, as it was then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from station.base.errors import Unreadable
from station.base.tongue import key, tr
from station.paper.reports.table_record import TableRecord, open_table

Line: TypeAlias = Mapping[str, Any]
TAKEN_BACK, PAID, NOT_PAID = key("taken back"), key("paid"), key("not paid")


@dataclass(frozen=True, slots=True)
class Stamp:
    """The head of a journal line: which, when, who, by which input.

    Attributes:
        at: the wall clock, as ISO 8601.
        trusted: whether that clock was set by something that knows the time.
    """

    seq: int
    at: str
    trusted: bool
    by: str
    via: str


def moment(stamp: Stamp) -> str:
    """Return when a line was written, by its clock (UTC); with a `?` if that was not trusted."""
    return stamp.at[:19].replace("T", " ") + ("" if stamp.trusted else " ?")


@dataclass
class RecordedCall:
    """A number that was called.

    Attributes:
        back: the line that took it back.
    """

    stamp: Stamp
    number: int
    back: Stamp | None = None
    why: str = ""


@dataclass
class RecordedClaim:
    """A card or ticket that was checked.

    Attributes:
        calls: how many numbers had been called then.
        stages: what it was valid for; for a late claim, what it came too late for, if only one
            stage was open.
        numbers: those of a ticket.
        back: the call on which it was made was taken back later.
    """

    stamp: Stamp
    serial: str
    verdict: str
    calls: int
    stages: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    name: str = ""
    back: bool = False


@dataclass
class RecordedWin:
    """A prize, or a part of one.

    Attributes:
        digest: the digest of the night's state after its line.
        back: the line that took it back with its call.
        lots_lost: lots were drawn for its thing, and another winner got it.
    """

    stamp: Stamp
    stage: str
    serial: str
    amount: int
    calls: int
    digest: str
    thing: str = ""
    back: Stamp | None = None
    lots_lost: bool = False


@dataclass
class RecordedGame:
    """A game, from its opening to its end.

    Attributes:
        opening: what was frozen, as the opening line gives it.
        carried: what its prizes got from earlier games.
        claims: all of them, including those on calls that were taken back.
        closed: the line that ended it, or None for one that is open.
        broken: why it was broken off.
        each: what is then given back for each of its cards.
        left: what nobody had won of its prizes and the jackpot at its end.
        table: the company, if it was played at the table.
    """

    number: int
    opening: Mapping[str, Any]
    opened: Stamp
    carried: int = 0
    calls: list[RecordedCall] = field(default_factory=list)
    claims: list[RecordedClaim] = field(default_factory=list)
    wins: list[RecordedWin] = field(default_factory=list)
    closed: Stamp | None = None
    broken: str = ""
    each: int = 0
    left: int = 0
    table: TableRecord | None = None

    @property
    def called(self) -> tuple[int, ...]:
        """Return the numbers that stand, in order."""
        return tuple(call.number for call in self.calls if call.back is None)

    @property
    def won(self) -> tuple[RecordedWin, ...]:
        """Return the wins that stand."""
        return tuple(win for win in self.wins if win.back is None)


@dataclass(frozen=True, slots=True)
class Movement:
    """The change of one account by a line, in whole units; those of a line add up to zero."""

    stamp: Stamp
    act: str
    account: str
    units: int


@dataclass(frozen=True)
class NightRecord:
    """The record of a night.

    Attributes:
        opening: what the first line did.
        began: the accounts at its first line.
        ended: the accounts at its last.
        acts: every line's stamp, what was done, and what followed, in order.
    """

    opening: Mapping[str, Any]
    games: tuple[RecordedGame, ...]
    movements: tuple[Movement, ...]
    began: Mapping[str, int]
    ended: Mapping[str, int]
    acts: tuple[tuple[Stamp, Mapping[str, Any], Mapping[str, Any]], ...]

    @property
    def closed(self) -> bool:
        """Return whether the night is over."""
        return bool(self.acts[-1][1]["act"] == "close-night")

    @property
    def of_the_hall(self) -> tuple[RecordedGame, ...]:
        """Return the games that cards were sold for."""
        return tuple(game for game in self.games if game.table is None)

    def renewals(self, game: RecordedGame) -> int:
        """Return how often a game's bag was committed to anew."""
        ends = game.closed.seq if game.closed is not None else self.acts[-1][0].seq + 1
        lines = (stamp.seq for stamp, do, _ in self.acts if do["act"] == "renew")
        return sum(game.opened.seq < seq < ends for seq in lines)

    def state_of(self, win: RecordedWin) -> str:
        """Return what became of a win: `TAKEN_BACK`, `PAID` or `NOT_PAID`."""
        if win.back is not None:
            return TAKEN_BACK
        after = (do for stamp, do, _ in self.acts if stamp.seq > win.stamp.seq)
        paid = any(do["act"] == "pay" and do["serial"] == win.serial for do in after)
        return PAID if paid else NOT_PAID

    def game(self, number: int) -> RecordedGame | None:
        """Return a game by its number in the programme; None if it was not opened."""
        return self.games[number - 1] if 1 <= number <= len(self.games) else None


def read_record(lines: Sequence[Line]) -> NightRecord:
    """Return the record in a night's lines, which were verified before.

    Raises:
        Unreadable: a line lacks what this program's lines have; the message names it.
    """
    teller = _Teller()
    for line in lines:
        try:
            teller.take(line)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise Unreadable(
                tr(
                    "line {line} says less than a {act} must ({why}): was it written by another"
                    " version?",
                    line=line["seq"],
                    act=line["do"].get("act"),
                    why=error,
                )
            ) from error
    return teller.record()


class _Teller:
    def __init__(self) -> None:
        self._games: list[RecordedGame] = []
        self._movements: list[Movement] = []
        self._ledger: Mapping[str, int] = {}
        self._began: Mapping[str, int] = {}
        self._acts: list[tuple[Stamp, Mapping[str, Any], Mapping[str, Any]]] = []

    def take(self, line: Line) -> None:
        at, do, then = line["at"], line["do"], line["then"]
        stamp = Stamp(line["seq"], at["wall"], at["trust"] != "none", line["by"], line["via"])
        self._acts.append((stamp, do, then))
        moved = self._move(stamp, do["act"], then)
        if not self._games and do["act"] != "open":
            return
        match do["act"]:
            case "open":
                opening = then["opening"]
                carried, table = -moved.get("carried", 0), open_table(opening)
                self._games.append(
                    RecordedGame(opening["game"], opening, stamp, carried=carried, table=table)
                )
            case "draw":
                self._game.calls.append(RecordedCall(stamp, do["number"]))
            case "undo":
                self._take_back(stamp, do)
            case "claim" | "claim-ticket":
                self._claim(stamp, do, then)
            case "close" | "break":
                self._game.closed, self._game.broken = stamp, do.get("why", "")
                self._game.each = then.get("broken", {}).get("each", 0)
                self._game.left = -moved.get(f"game:{self._game.number}", 0)
        if (at_table := self._game.table) is None:
            self._won(stamp, do["act"], then)
        elif not at_table.over:
            at_table.take(stamp.seq, do, then)
            self._game.closed = stamp if at_table.over else None

    @property
    def _game(self) -> RecordedGame:
        return self._games[-1]

    def _take_back(self, stamp: Stamp, do: Mapping[str, Any]) -> None:
        for claim in self._game.claims:
            claim.back = claim.back or claim.calls == len(self._game.called)
        if standing := [call for call in self._game.calls if call.back is None]:
            standing[-1].back, standing[-1].why = stamp, do.get("why", "")

    def _move(self, stamp: Stamp, act: str, then: Mapping[str, Any]) -> Mapping[str, int]:
        if "ledger" not in then:
            return {}
        before, after = self._ledger, then["ledger"]
        self._ledger = after
        if stamp.seq == 1:
            self._began = after
            return {}
        moved: dict[str, int] = {}
        for account in sorted({*before, *after}):
            if units := after.get(account, 0) - before.get(account, 0):
                moved[account] = units
                self._movements.append(Movement(stamp, act, account, units))
        return moved

    def _claim(self, stamp: Stamp, do: Mapping[str, Any], then: Mapping[str, Any]) -> None:
        several = bool(self._game.opening.get("at_once")) and then["verdict"] != "valid"
        one = (then["stage"],) if then.get("stage") and not several else ()
        stages, numbers = tuple(then.get("stages", one)), tuple(do.get("numbers", ()))
        serial, calls = then.get("ticket") or do["serial"], len(self._game.called)
        checked = stamp, serial, then["verdict"], calls, stages, numbers
        self._game.claims.append(RecordedClaim(*checked, do.get("name") or ""))

    def _won(self, stamp: Stamp, act: str, then: Mapping[str, Any]) -> None:
        if act == "lots":
            # Whoever drew a lower knob has won all the same, and has not the thing.
            for stage, serial, *_ in then.get("lost", ()):
                win = self._standing(stage, serial)
                win.thing, win.lots_lost = "", True
            return
        for stage, serial, *_ in then.get("lost", ()):
            self._standing(stage, serial).back = stamp
        for stage, serial, amount, *thing in then.get("won", ()):
            calls, what = len(self._game.called), str(thing[0]) if thing else ""
            win = RecordedWin(stamp, stage, serial, amount, calls, then["digest"], what)
            self._game.wins.append(win)

    def _standing(self, stage: str, serial: str) -> RecordedWin:
        return next(win for win in self._game.won if (win.stage, win.serial) == (stage, serial))

    def record(self) -> NightRecord:
        if not self._acts:
            raise Unreadable(tr("there are no lines"))
        games, moved, acts = tuple(self._games), tuple(self._movements), tuple(self._acts)
        return NightRecord(acts[0][1], games, moved, self._began, self._ledger, acts)


def by_stage(wins: Iterable[RecordedWin]) -> dict[str, list[RecordedWin]]:
    """Return wins by their stage, in the order in which the stages were won."""
    found: dict[str, list[RecordedWin]] = {}
    for win in wins:
        found.setdefault(win.stage, []).append(win)
    return found
