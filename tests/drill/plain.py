"""A night kept on paper: what the hall's rules come to, in plain lists and numbers, worked out
another way than the station does.

Cards are crossed off by hand, money lies in boxes, and before each call the sheet is copied, so
that taking a call back is going to the sheet before. Nothing of `station.night.hall` or
`station.rules` is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

Rows = Sequence[Sequence[int]]
KNOBS = 90
STAGES = {1: "row", 2: "two-rows", 3: "full"}


@dataclass(frozen=True)
class Prize:
    """What is played for, so many rows; and for what: so many per cent of the fund, or units, or
    all that is left; a thing."""

    rows: int
    percent: int | None = None
    units: int | None = None
    thing: str = ""


@dataclass(frozen=True)
class Game:
    """A game as it stands on the programme: what a card costs, the prizes in order, and what the
    boxes get of the stakes."""

    price: int
    prizes: Sequence[Prize]
    percent: Mapping[str, int] = field(default_factory=dict)


class Sold(NamedTuple):
    """A card, the games it is in, from the first to the last, and whose it is."""

    serial: str
    first: int
    last: int
    to: str | None


class Won(NamedTuple):
    """Which stage, card, units, after how many calls, and a thing."""

    stage: int
    serial: str
    units: int
    calls: int
    thing: str


@dataclass
class Sheet:
    """A game between two calls."""

    calls: list[int] = field(default_factory=list)
    stopped: bool = False
    checked: dict[str, str] = field(default_factory=dict)
    won: list[Won] = field(default_factory=list)
    stage: int = 0
    left_over: int = 0

    def copy(self) -> Sheet:
        """The same on another sheet."""
        return replace(self, calls=list(self.calls), checked=dict(self.checked), won=list(self.won))


class Paper:
    """A night on paper, and the boxes of money that stay for the next.

    Args:
        cards: the rows of each card there is.
        games: the programme.
        unwon: the box for what nobody wins.
    """

    def __init__(
        self, cards: Mapping[str, Rows], games: Sequence[Game], unwon: str = "carried"
    ) -> None:
        self.cards, self.games, self.unwon = cards, games, unwon
        self.boxes: dict[str, int] = {"purses": 0, "carried": 0}
        self.new_night()

    def new_night(self) -> None:
        """Nothing sold, nothing opened; what was staked on games that were never opened is
        carried."""
        for box in [box for box in self.boxes if box.startswith("game:")]:
            self._move(box, "carried", self.boxes[box])
        self.sales: list[Sold] = []
        self.opened = 0
        self.playing = False
        self.closed = False
        # the knobs that the last count found; None while nobody has counted
        self.counted: list[int] | None = None
        self.sheet = Sheet()
        self.pile: list[Sheet] = []
        self.paid: set[Won] = set()
        self.kept: list[Won] = []  # things of games before that nobody fetched yet

    def money(self) -> dict[str, int]:
        """The boxes that are not empty."""
        return {box: units for box, units in self.boxes.items() if units}

    def prizes(self) -> Sequence[Prize]:
        """Those of the game on the table."""
        return self.games[self.opened - 1].prizes if self.opened else ()

    def tied(self) -> dict[int, list[str]]:
        """The cards that have the same thing, by stage."""
        things: dict[int, list[str]] = {}
        for win in self.sheet.won:
            if win.thing:
                things.setdefault(win.stage, []).append(win.serial)
        return {stage: serials for stage, serials in things.items() if len(serials) > 1}

    def knobs(self) -> tuple[list[int], list[int], list[int]]:
        """The knobs in the bag, those drawn, those put away."""
        drawn = self.sheet.calls if self.playing else []
        away = [
            knob
            for knob in range(1, KNOBS + 1)
            if self.counted is not None and knob not in [*self.counted, *drawn]
        ]
        return (
            [knob for knob in range(1, KNOBS + 1) if knob not in [*drawn, *away]],
            sorted(drawn),
            away,
        )

    def do(self, act: Mapping[str, Any]) -> bool:  # noqa: C901 - a case for each
        """Does it, or says that it may not be done."""
        if self.closed:
            return False
        sheet = self.sheet
        all_won = sheet.stage == len(self.prizes())
        match act["act"]:
            case "sell":
                return self._sell(
                    act["serials"], act.get("to"), act.get("games", 1), act.get("vouchers", 0)
                )
            case "return":
                return self._give_back(act["serials"])
            case "redeem":
                return self._move(
                    "vouchers", "purses", act["amount"], at_most=self.boxes.get("vouchers", 0)
                )
            case "open":
                return self._open()
            case "pay":
                return self._pay(
                    act["serial"], "purses" if act.get("means", "cash") == "cash" else "vouchers"
                )
            case "lots":
                return self._draw_lots(act["stage"], dict(act["knobs"]))
            case "close-night":
                self.closed = not self.playing and not self.tied()
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
                may = (
                    not sheet.stopped
                    and not all_won
                    and act["number"] not in sheet.calls
                    and 1 <= act["number"] <= KNOBS
                )
                if may:
                    self.pile.append(sheet.copy())
                    sheet.calls.append(act["number"])
                return may
            case "stop":
                may = not sheet.stopped and not all_won
                sheet.stopped = sheet.stopped or may
                return may
            case "claim":
                may = (
                    not all_won
                    and bool(sheet.calls)
                    and act["serial"] in self.cards
                    and act["serial"] not in sheet.checked
                )
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
                    box = f"game:{self.opened}"
                    return self._move(
                        box, self.unwon if not all_won else "carried", self.boxes.get(box, 0)
                    )
        return False

    def _move(self, source: str, target: str, units: int, at_most: int | None = None) -> bool:
        if at_most is not None and units > at_most:
            return False
        self.boxes[source] = self.boxes.get(source, 0) - units
        self.boxes[target] = self.boxes.get(target, 0) + units
        return True

    def _sell(self, serials: Sequence[str], to: str | None, games: int, vouchers: int) -> bool:
        first, last = self.opened + 1, self.opened + games
        taken = {sold.serial for sold in self.sales if sold.last >= first}
        if (
            last > len(self.games)
            or len(set(serials)) < len(serials)
            or not taken.isdisjoint(serials)
        ):
            return False
        if not set(serials) <= set(self.cards):
            return False
        prices = {
            game: self.games[game - 1].price * len(serials) for game in range(first, last + 1)
        }
        if vouchers > min(sum(prices.values()), self.boxes.get("vouchers", 0)):
            return False
        self.sales += [Sold(serial, first, last, to) for serial in serials]
        for game in sorted(prices):
            for _ in range(prices[game]):  # unit by unit, vouchers first
                self._move("vouchers" if vouchers else "purses", f"game:{game}", 1)
                vouchers -= bool(vouchers)
        return True

    def _give_back(self, serials: Sequence[str]) -> bool:
        mine = [sold for sold in self.sales if sold.serial in serials and sold.last > self.opened]
        if len(mine) < len(serials) or len(set(serials)) < len(serials):
            return False
        for sold in mine:
            self.sales.remove(sold)
            if sold.first <= self.opened:
                self.sales.append(sold._replace(last=self.opened))
            for game in range(self.opened + 1, sold.last + 1):
                self._move(f"game:{game}", "purses", self.games[game - 1].price)
        return True

    def _open(self) -> bool:
        if self.playing or self.opened == len(self.games) or self.tied():
            return False
        self.kept += [win for win in self.sheet.won if win.thing and win not in self.paid]
        self.opened += 1
        self.playing = True
        box, game = f"game:{self.opened}", self.games[self.opened - 1]
        stakes = self.boxes.get(box, 0)
        for whose, percent in game.percent.items():
            self._move(box, whose, stakes * percent // 100)
        self._move("carried", box, self.boxes["carried"])
        self.worth = self._worth(game.prizes, self.boxes.get(box, 0))
        self._move("house", box, sum(self.worth) - self.boxes.get(box, 0))
        self.sheet, self.pile, self.paid = Sheet(), [], set()
        return True

    def _worth(self, prizes: Sequence[Prize], fund: int) -> list[int]:
        """What each prize is worth: parts of the fund, fixed sums beside it, and what the parts
        leave."""
        parts = [
            fund * prize.percent // 100 if prize.percent is not None else 0 for prize in prizes
        ]
        left = fund - sum(parts)
        for place, prize in enumerate(prizes):
            if prize.percent is None and not prize.thing:
                parts[place] = left
            if prize.units is not None:
                parts[place] = prize.units
        return parts

    def _holder(self, serial: str) -> tuple[str, str] | None:
        """Who plays with that card: a name, or the card itself; None when it is not in this
        game."""
        for sold in self.sales:
            if sold.serial == serial and sold.first <= self.opened <= sold.last:
                return ("name", sold.to) if sold.to is not None else ("card", serial)
        return None

    def _judge(self, serial: str) -> str:
        if self._holder(serial) is None:
            return "not-sold"
        calls = self.sheet.calls
        full = [row for row in self.cards[serial] if all(number in calls for number in row)]
        if len(full) < self.prizes()[self.sheet.stage].rows:
            return "not-complete"
        return "valid" if any(calls[-1] in row for row in full) else "late"

    def _award(self) -> None:
        sheet = self.sheet
        winners: dict[tuple[str, str] | None, str] = {}
        for serial in sorted(
            serial for serial, verdict in sheet.checked.items() if verdict == "valid"
        ):
            winners.setdefault(self._holder(serial), serial)
        if winners:
            # What a tie left over is for the next prize with money; after the last such prize
            # nothing is left over.
            money = self.worth[sheet.stage]
            money, sheet.left_over = (money + sheet.left_over, 0) if money else (0, sheet.left_over)
            got = dict.fromkeys(winners.values(), money // len(winners))
            odd = money - sum(got.values())
            if any(self.worth[sheet.stage + 1 :]):
                sheet.left_over += odd
            else:
                got[min(got)] += odd
            for serial, units in got.items():
                sheet.won.append(
                    Won(
                        sheet.stage,
                        serial,
                        units,
                        len(sheet.calls),
                        self.prizes()[sheet.stage].thing,
                    )
                )
                self._move(f"game:{self.opened}", f"owed:{serial}", units)
            sheet.stage += 1
        sheet.stopped, sheet.checked = False, {}

    def _draw_lots(self, stage: str, knobs: dict[str, int]) -> bool:
        [place] = [
            place for place, prize in enumerate(self.prizes()) if STAGES[prize.rows] == stage
        ] or [-1]
        if sorted(knobs) != sorted(self.tied().get(place, ())) or len(set(knobs.values())) < len(
            knobs
        ):
            return False
        for sheet in (self.sheet, *self.pile):
            for at, win in enumerate(sheet.won):
                if win.stage == place and knobs[win.serial] < max(knobs.values()):
                    sheet.won[at] = win._replace(thing="")
        return True

    def _undo(self) -> bool:
        sheet = self.sheet
        last = [win for win in sheet.won if win.calls == len(sheet.calls)]
        if not sheet.calls or not self.paid.isdisjoint(last):
            return False
        for win in last:
            self._move(f"owed:{win.serial}", f"game:{self.opened}", win.units)
        self.sheet = self.pile.pop()
        self.sheet.stopped, self.sheet.checked = False, {}
        return True

    def _pay(self, serial: str, target: str) -> bool:
        owed = self.boxes.get(f"owed:{serial}", 0)
        wins = {win for win in self.sheet.won if win.serial == serial}
        kept = [win for win in self.kept if win.serial == serial]
        if (not owed and wins <= self.paid and not kept) or any(
            serial in serials for serials in self.tied().values()
        ):
            return False
        self._move(f"owed:{serial}", target, owed)
        self.paid |= wins
        self.kept = [win for win in self.kept if win.serial != serial]
        return True
