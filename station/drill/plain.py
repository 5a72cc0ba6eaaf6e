"""A night kept on paper: what the hall's rules come to, in plain lists and numbers, worked out another way than the station does.

Cards are crossed off by hand, money lies in boxes, and before each call the sheet is copied, so that taking a call back is going
to the sheet before. Nothing of `station.hall` or `station.rules` is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Rows = Sequence[Sequence[int]]
KNOBS = 90


@dataclass
class Sheet:
    """A game between two calls."""

    calls: list[int] = field(default_factory=list)
    stopped: bool = False
    checked: dict[str, str] = field(default_factory=dict)
    won: list[tuple[int, str, int, int]] = field(default_factory=list)  # which stage, card, units, after how many calls
    stage: int = 0
    left_over: int = 0

    def copy(self) -> Sheet:
        """The same on another sheet."""
        return replace(self, calls=list(self.calls), checked=dict(self.checked), won=list(self.won))


class Paper:
    """A night on paper, and the boxes of money that stay for the next.

    Args:
        cards: the rows of each card there is.
        games: for each game of the programme, what a card costs, and for each stage how many rows are wanted.
    """

    def __init__(self, cards: Mapping[str, Rows], games: Sequence[tuple[int, Sequence[int]]]) -> None:
        self.cards, self.games = cards, games
        self.boxes: dict[str, int] = {"purses": 0, "carried": 0}
        self.new_night()

    def new_night(self) -> None:
        """Nothing sold, nothing opened; what was staked on games that were never opened is carried."""
        for box in [box for box in self.boxes if box.startswith("game:")]:
            self._move(box, "carried", self.boxes[box])
        self.sales: list[tuple[str, int, int, str | None]] = []
        self.opened = 0
        self.playing = False
        self.closed = False
        self.counted: list[int] | None = None  # the knobs that the last count found; None while nobody has counted
        self.sheet = Sheet()
        self.pile: list[Sheet] = []
        self.paid: set[tuple[int, str, int, int]] = set()

    def money(self) -> dict[str, int]:
        """The boxes that are not empty."""
        return {box: units for box, units in self.boxes.items() if units}

    def knobs(self) -> tuple[list[int], list[int], list[int]]:
        """The knobs in the bag, those drawn, those put away."""
        drawn = self.sheet.calls if self.playing else []
        away = [knob for knob in range(1, KNOBS + 1) if self.counted is not None and knob not in [*self.counted, *drawn]]
        return [knob for knob in range(1, KNOBS + 1) if knob not in [*drawn, *away]], sorted(drawn), away

    def do(self, act: Mapping[str, Any]) -> bool:
        """Does it, or says that it may not be done."""
        if self.closed:
            return False
        sheet, price_and_stages = self.sheet, self.games[self.opened - 1] if self.opened else (0, ())
        all_won = sheet.stage == len(price_and_stages[1])
        match act["act"]:
            case "sell":
                return self._sell(act["serials"], act.get("to"), act.get("games", 1))
            case "open":
                return self._open()
            case "pay":
                return self._pay(act["serial"])
            case "close-night":
                self.closed = not self.playing
                return self.closed
            case "note" | "waive":
                return True
            case "census":
                self.counted = self.counted if self.playing else list(act["found"])
                return not self.playing
            case "self-test":
                return not self.playing
        if not self.playing:
            return False
        match act["act"]:
            case "draw":
                may = not sheet.stopped and not all_won and act["number"] not in sheet.calls and 1 <= act["number"] <= KNOBS
                if may:
                    self.pile.append(sheet.copy())
                    sheet.calls.append(act["number"])
                return may
            case "stop":
                may = not sheet.stopped and not all_won
                sheet.stopped = sheet.stopped or may
                return may
            case "claim":
                may = not all_won and bool(sheet.calls) and act["serial"] not in sheet.checked
                if may:
                    sheet.stopped = True
                    sheet.checked[act["serial"]] = self._judge(act["serial"])
                return may
            case "play-on":
                if sheet.stopped:
                    self._award()
                    return True
            case "undo":
                return self._undo()
            case "close":
                if not sheet.stopped:
                    self.playing = False
                    self._move(f"game:{self.opened}", "carried", self.boxes.get(f"game:{self.opened}", 0))
                    return True
        return False

    def _move(self, source: str, target: str, units: int) -> None:
        self.boxes[source] = self.boxes.get(source, 0) - units
        self.boxes[target] = self.boxes.get(target, 0) + units

    def _sell(self, serials: Sequence[str], to: str | None, games: int) -> bool:
        first, last = self.opened + 1, self.opened + games
        taken = {serial for serial, _, until, _ in self.sales if until >= first}
        if last > len(self.games) or len(set(serials)) < len(serials) or not taken.isdisjoint(serials):
            return False
        if not set(serials) <= set(self.cards):
            return False
        self.sales += [(serial, first, last, to) for serial in serials]
        for game in range(first, last + 1):
            self._move("purses", f"game:{game}", self.games[game - 1][0] * len(serials))
        return True

    def _open(self) -> bool:
        if self.playing or self.opened == len(self.games):
            return False
        self.opened += 1
        self.playing = True
        self._move("carried", f"game:{self.opened}", self.boxes["carried"])
        self.pool = self.boxes.get(f"game:{self.opened}", 0)
        self.sheet, self.pile, self.paid = Sheet(), [], set()
        return True

    def _holder(self, serial: str) -> tuple[str, str] | None:
        """Who plays with that card: a name, or the card itself; None when it is not in this game."""
        for sold, first, last, to in self.sales:
            if sold == serial and first <= self.opened <= last:
                return ("name", to) if to is not None else ("card", serial)
        return None

    def _judge(self, serial: str) -> str:
        if self._holder(serial) is None:
            return "not-sold"
        calls = self.sheet.calls
        full = [row for row in self.cards[serial] if all(number in calls for number in row)]
        if len(full) < self.games[self.opened - 1][1][self.sheet.stage]:
            return "not-complete"
        return "valid" if any(calls[-1] in row for row in full) else "late"

    def _award(self) -> None:
        sheet = self.sheet
        stages = self.games[self.opened - 1][1]
        winners: dict[tuple[str, str] | None, str] = {}
        for serial in sorted(serial for serial, verdict in sheet.checked.items() if verdict == "valid"):
            winners.setdefault(self._holder(serial), serial)
        if winners:
            worth = [self.pool // 4, self.pool // 4, self.pool - 2 * (self.pool // 4)] if len(stages) == 3 else [self.pool]
            money = worth[sheet.stage] + sheet.left_over
            got = dict.fromkeys(winners.values(), money // len(winners))
            sheet.left_over = money - sum(got.values())
            if sheet.stage == len(stages) - 1:
                got[min(got)] += sheet.left_over
                sheet.left_over = 0
            for serial, units in got.items():
                sheet.won.append((sheet.stage, serial, units, len(sheet.calls)))
                self._move(f"game:{self.opened}", f"owed:{serial}", units)
            sheet.stage += 1
        sheet.stopped, sheet.checked = False, {}

    def _undo(self) -> bool:
        sheet = self.sheet
        last = [win for win in sheet.won if win[3] == len(sheet.calls)]
        if not sheet.calls or not self.paid.isdisjoint(last):
            return False
        for _, serial, units, _ in last:
            self._move(f"owed:{serial}", f"game:{self.opened}", units)
        self.sheet = self.pile.pop()
        self.sheet.stopped, self.sheet.checked = False, {}
        return True

    def _pay(self, serial: str) -> bool:
        owed = self.boxes.get(f"owed:{serial}", 0)
        wins = {win for win in self.sheet.won if win[1] == serial}
        if not owed and wins <= self.paid:
            return False
        self._move(f"owed:{serial}", "purses", owed)
        self.paid |= wins
        return True
