"""What must come out, worked out another way than the station does: by counting, on plain dicts and
lists, step by step.

Nothing of `station` is used here but its words for actions, so that a fault there cannot agree with
itself.
"""

from __future__ import annotations

import re
from collections import defaultdict

from station.rules.prizes import Award, CallNumber, Check, EndGame, Stop, TakeBackCall

FIG_1 = "1: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74"


def column(number: int) -> str:
    """A column is known by the tens digit; 90 stands with the eighties."""
    return "8" if number == 90 else f"{number:02d}"[0]


def is_card(rows: list[list[int]]) -> bool:
    """Three rows of five, fifteen different numbers from 1 to 90, the columns of each row strictly
    rising."""
    flat = [number for row in rows for number in row]
    return (
        [len(row) for row in rows] == [5, 5, 5]
        and sorted(set(flat)) == sorted(flat)
        and set(flat) <= set(range(1, 91))
        and all(
            "".join(map(column, row)) == "".join(sorted({column(n) for n in row})) for row in rows
        )
    )


def human_order(serial: str) -> list:
    """Runs of digits as numbers, all else as it stands."""
    return [
        (0, int(run), "") if run.isdigit() else (1, 0, run)
        for run in re.findall(r"\d+|\D+", serial)
    ]


class Paper:
    """A game of Loto, First Method, kept on paper: what was called is crossed off every card, one
    sheet a moment.

    `sheets` is the pile of earlier moments: taking a call back is going to the sheet before it.
    """

    def __init__(
        self,
        cards: dict[str, list[list[int]]],
        holders: dict[str, str],
        pool: int,
        parts: list[int],
        last_number: bool,
    ):
        self.cards, self.holders, self.last_number = cards, holders, last_number
        # What each stage is worth before anybody tied: (rows, units); an odd part of a quarter goes
        # with the last.
        rest = list(parts)
        units = [pool * part // sum(rest) for part in rest[:-1]]
        self.worth = [*units, pool - sum(units)]
        self.rows = [1, 2, 3] if len(parts) == 3 else [3]
        self.sheet = {
            "calls": [],
            "stopped": False,
            "checked": {},
            "won": [],
            "stage": 0,
            "over": False,
            "left_over": 0,
        }
        self.sheets: list[dict] = []

    def crossed(self, serial: str, calls: list[int]) -> list[int]:
        """How many numbers of each row are crossed off."""
        return [sum(number in calls for number in row) for row in self.cards[serial]]

    def full(self, serial: str, calls: list[int]) -> list[int]:
        return [
            place
            for place, row in enumerate(self.cards[serial])
            if self.crossed(serial, calls)[place] == len(row)
        ]

    def judge(self, serial: str) -> str:
        sheet = self.sheet
        if serial not in self.cards:
            return "not-sold"
        full = self.full(serial, sheet["calls"])
        if len(full) < self.rows[sheet["stage"]]:
            return "not-complete"
        # On the last number: a row that is full now was not full one call ago.
        if self.last_number and full == self.full(serial, sheet["calls"][:-1]):
            return "late"
        return "valid"

    def may(self, action) -> bool:
        sheet = self.sheet
        all_won = sheet["stage"] == len(self.rows)
        if sheet["over"]:
            return False
        if isinstance(action, CallNumber):
            return not sheet["stopped"] and not all_won and action.number not in sheet["calls"]
        if isinstance(action, Stop):
            return not sheet["stopped"] and not all_won
        if isinstance(action, Check):
            return not all_won and bool(sheet["calls"]) and action.serial not in sheet["checked"]
        if isinstance(action, Award):
            return sheet["stopped"]
        if isinstance(action, TakeBackCall):
            return bool(sheet["calls"])
        return not sheet["stopped"]

    def do(self, action) -> None:
        sheet = {
            **self.sheet,
            "checked": dict(self.sheet["checked"]),
            "won": list(self.sheet["won"]),
        }
        if isinstance(action, CallNumber):
            self.sheets.append(self.sheet)
            sheet["calls"] = [*sheet["calls"], action.number]
        elif isinstance(action, Stop):
            sheet["stopped"] = True
        elif isinstance(action, Check):
            sheet["stopped"] = True
            sheet["checked"][action.serial] = self.judge(action.serial)
        elif isinstance(action, Award):
            self._award(sheet)
        elif isinstance(action, TakeBackCall):
            # The sheet before the call, but held as the hall holds it: nothing is stopped by a call
            # that never was.
            sheet = {**self.sheets.pop(), "stopped": False, "checked": {}}
        else:
            assert isinstance(action, EndGame)
            sheet["over"] = True
        self.sheet = sheet

    def _award(self, sheet: dict) -> None:
        by_player = defaultdict(list)
        for serial, verdict in sheet["checked"].items():
            if verdict == "valid":
                by_player[self.holders.get(serial, ("nobody", serial))].append(serial)
        winners = sorted(
            (sorted(serials, key=human_order)[0] for serials in by_player.values()), key=human_order
        )
        if winners:
            last = sheet["stage"] == len(self.rows) - 1
            money = self.worth[sheet["stage"]] + sheet["left_over"]
            got = dict.fromkeys(winners, 0)
            # Dealt round, unit by unit; what does not go round is left over, or the first one's in
            # the last stage.
            rounds = money // len(winners)
            for serial in winners:
                got[serial] += rounds
            sheet["left_over"] = money - rounds * len(winners)
            if last:
                got[winners[0]] += sheet["left_over"]
                sheet["left_over"] = 0
            sheet["won"] += [(self.rows[sheet["stage"]], serial, got[serial]) for serial in winners]
            sheet["stage"] += 1
        sheet["stopped"], sheet["checked"] = False, {}

    def looks(self) -> tuple:
        """What can be seen of this moment, in plain values."""
        sheet = self.sheet
        return (
            tuple(sheet["calls"]),
            sheet["stopped"],
            tuple(sheet["checked"].items()),
            tuple(sheet["won"]),
            sheet["over"],
        )
