"""Turn the journal into tables for an auditor: nights, games, sales, calls, claims, wins, payments
and corrections. Pure.

The tables are read from what the lines say was done and followed; nothing is played again. Money is
in whole minor units or counters, as in the journal. A row names its line (`night`, `seq`), where
who, when and by which input stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from station.base.errors import Unreadable
from station.base.nouns import PURSES
from station.paper.reports.table_record import TableRecord, is_of_table, open_table

Value: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Value]
Line: TypeAlias = Mapping[str, Any]

# Each table's columns and their kinds, as SQLite calls them. `at` is the wall clock, `trust` how
# far it may be believed.
TABLES: Mapping[str, Mapping[str, str]] = {
    "nights": {
        "night": "INTEGER PRIMARY KEY",
        "version": "TEXT",
        "test": "INTEGER",
        "opened_at": "TEXT",
        "closed_at": "TEXT",
        "lines": "INTEGER",
        "sum": "TEXT",
    },
    "lines": {
        "night": "INTEGER",
        "seq": "INTEGER",
        "id": "TEXT",
        "at": "TEXT",
        "trust": "TEXT",
        "mono": "REAL",
        "who": "TEXT",
        "via": "TEXT",
        "act": "TEXT",
        "asked": "TEXT",
        "followed": "TEXT",
        "prev": "TEXT",
        "sum": "TEXT",
    },
    "games": {
        "night": "INTEGER",
        "game": "INTEGER",
        "seq": "INTEGER",
        "method": "TEXT",
        "stakes": "TEXT",
        "price": "INTEGER",
        "cards": "INTEGER",
        "pool": "INTEGER",
        "carried": "INTEGER",
        "register": "TEXT",
        "closed_seq": "INTEGER",
    },
    "seats": {
        "night": "INTEGER",
        "game": "INTEGER",
        "seq": "INTEGER",
        "seat": "INTEGER",
        "name": "TEXT",
        "cards": "TEXT",
        "came": "INTEGER",
        "staked": "INTEGER",
        "went": "INTEGER",
    },
    "drawings": {
        "night": "INTEGER",
        "game": "INTEGER",
        "seq": "INTEGER",
        "drawing": "INTEGER",
        "numbers": "TEXT",
        "laid": "INTEGER",
        "won": "INTEGER",
        "paid": "INTEGER",
    },
    "sales": {
        "night": "INTEGER",
        "seq": "INTEGER",
        "serial": "TEXT",
        "first_game": "INTEGER",
        "last_game": "INTEGER",
        "holder": "TEXT",
        "seller": "TEXT",
        "cards": "INTEGER",
        "amount": "INTEGER",
        "vouchers": "INTEGER",
    },
    "calls": {
        "night": "INTEGER",
        "game": "INTEGER",
        "seq": "INTEGER",
        "place": "INTEGER",
        "number": "INTEGER",
        "taken_back": "INTEGER",
    },
    "claims": {
        "night": "INTEGER",
        "game": "INTEGER",
        "seq": "INTEGER",
        "serial": "TEXT",
        "numbers": "TEXT",
        "calls": "INTEGER",
        "verdict": "TEXT",
    },
    "wins": {
        "night": "INTEGER",
        "game": "INTEGER",
        "seq": "INTEGER",
        "stage": "TEXT",
        "serial": "TEXT",
        "calls": "INTEGER",
        "amount": "INTEGER",
        "thing": "TEXT",
        "taken_back": "INTEGER",
    },
    "payments": {
        "night": "INTEGER",
        "seq": "INTEGER",
        "serial": "TEXT",
        "amount": "INTEGER",
        "means": "TEXT",
        "who": "TEXT",
    },
    "cash": {
        "night": "INTEGER",
        "seq": "INTEGER",
        "kind": "TEXT",
        "about": "TEXT",
        "amount": "INTEGER",
        "who": "TEXT",
    },
    "corrections": {
        "night": "INTEGER",
        "game": "INTEGER",
        "seq": "INTEGER",
        "number": "INTEGER",
        "called_seq": "INTEGER",
        "why": "TEXT",
        "who": "TEXT",
    },
    "notes": {"night": "INTEGER", "seq": "INTEGER", "about": "TEXT", "what": "TEXT"},
}


def tables(night: int, lines: Iterable[Line]) -> dict[str, list[Row]]:
    """Return the rows of one night's verified lines, by table, in the order of the lines.

    Raises:
        Unreadable: a line does not say what lines of this version say; names it.
    """
    reader = _NightReader(night)
    for line in lines:
        try:
            reader.take(line)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Unreadable(
                f"night {night}, line {line['seq']}: not what such a line says ({error!r}): was"
                " another version at work?"
            ) from error
    return reader.end()


class _NightReader:
    """A reader of a night's lines that knows what a line alone does not say: the game, the valid
    calls, the balances."""

    def __init__(self, night: int) -> None:
        self.rows: dict[str, list[Row]] = {name: [] for name in TABLES}
        self._night = night
        self._game = 0
        self._calls: list[Row] = []  # of the game on the table, those not taken back
        self._wins: list[Row] = []
        self._balances: Mapping[str, int] = {}
        self._table: TableRecord | None = None  # of the game, where it is a company's
        # each with its game and the line that opened it
        self._tables: list[tuple[int, int, TableRecord]] = []

    def take(self, line: Line) -> None:  # noqa: C901 - a case for each kind
        """Add the rows of one line."""
        do, then = line["do"], line["then"]
        before, self._balances = self._balances, then.get("ledger", self._balances)
        taken = sum(
            before.get(name, 0) - self._balances.get(name, 0) for name in (PURSES, "vouchers")
        )
        self._line(line)
        match do["act"]:
            case "open":
                self._open(line, then["opening"])
            case "sell" if "sale" not in then:
                self._sell(line["seq"], do, taken)
            case "sell" | "return":
                self._sell_many(line["seq"], do, then["sale"])
            case "draw":
                self._calls.append(
                    self._add(
                        "calls",
                        line,
                        place=len(self._calls) + 1,
                        number=do["number"],
                        taken_back=None,
                    )
                )
            case "claim" | "claim-ticket":
                serial, numbers = (
                    do.get("serial") or then.get("ticket"),
                    _words(do.get("numbers", ())),
                )
                self._add(
                    "claims",
                    line,
                    serial=serial,
                    numbers=numbers,
                    calls=len(self._calls),
                    verdict=then.get("verdict"),
                )
            case "undo":
                self._undo(line)
            case "pay":
                means, who = do.get("means", "cash"), do.get("who", line["by"])
                self._add(
                    "payments", line, serial=do["serial"], amount=-taken, means=means, who=who
                )
            case "redeem" | "recover" | "bank" | "count-cash" as kind:
                about = do.get("serial") or do.get("account") or do.get("by")
                self._add("cash", line, kind=kind, about=about, amount=do["amount"], who=line["by"])
            case "close" | "break":
                carried = self._balances.get("carried", 0) - before.get("carried", 0)
                self.rows["games"][-1] |= {"carried": carried, "closed_seq": line["seq"]}
            case "note":
                self._add("notes", line, about=do["about"], what=do["what"])
        if self._table is None:
            self._won(line)
        else:
            self._at_table(line["seq"], line["do"], then, self._table)

    def _add(self, table: str, line: Line, **values: Value) -> Row:
        known: Row = {"night": self._night, "game": self._game, "seq": line["seq"], **values}
        row = {column: known[column] for column in TABLES[table]}
        self.rows[table].append(row)
        return row

    def _line(self, line: Line) -> None:
        at, do = line["at"], line["do"]
        if line["seq"] == 1:
            self.rows["nights"].append(
                {
                    "night": self._night,
                    "version": do.get("version"),
                    "test": int(do.get("test", False)),
                    "opened_at": at["wall"],
                }
            )
        closed = at["wall"] if do["act"] == "close-night" else None
        self.rows["nights"][0] |= {"closed_at": closed, "lines": line["seq"], "sum": line["sum"]}
        self._add(
            "lines",
            line,
            id=line["id"],
            at=at["wall"],
            trust=at["trust"],
            mono=line["mono"],
            who=line["by"],
            via=line["via"],
            act=do["act"],
            asked=_text({key: value for key, value in do.items() if key != "act"}),
            followed=_text(line["then"]),
            prev=line["prev"],
            sum=line["sum"],
        )

    def _open(self, line: Line, opening: Mapping[str, Any]) -> None:
        self._game, self._calls, self._wins = opening["game"], [], []
        row = {column: opening.get(column) for column in TABLES["games"]}
        self.rows["games"].append({**row, "night": self._night, "seq": line["seq"]})
        self._table = open_table(opening) if is_of_table(opening) else None
        if self._table is not None:
            self._tables.append((self._game, line["seq"], self._table))
            # What the opening calls a pool is counters there.
            dealt = sum(len(seat.cards) for seat in self._table.seats)
            self.rows["games"][-1] |= {"cards": dealt, "pool": self._table.staked}

    def _at_table(
        self, seq: int, do: Mapping[str, Any], then: Mapping[str, Any], table: TableRecord
    ) -> None:
        if not table.over:
            table.take(seq, do, then)
            self.rows["games"][-1]["closed_seq"] = seq if table.over else None

    def end(self) -> dict[str, list[Row]]:
        """Return all rows, those of the company's games too: sums of drawings are counters, shares
        and purses are money."""
        for game, seq, table in self._tables:
            place: Row = {"night": self._night, "game": game}
            for number, seat in enumerate(table.seats, 1):
                went = seat.purse if table.over else None
                sums: Row = {"came": seat.came, "staked": seat.staked, "went": went}
                cards = " ".join(seat.cards)
                self.rows["seats"].append(
                    {
                        **place,
                        "seq": seat.joined or seq,
                        "seat": number,
                        "name": seat.name,
                        "cards": cards,
                        **sums,
                    }
                )
            for one in table.drawings:
                sums = {"laid": one.laid, "won": one.won, "paid": one.paid}
                drawn: Row = {"seq": one.line, "drawing": one.number, "numbers": _words(one.knobs)}
                self.rows["drawings"].append({**place, **drawn, **sums})
            for share in table.shares:
                amount = share.units * table.value
                won: Row = {
                    "stage": share.stage,
                    "serial": f"seat {share.seat}",
                    "amount": amount,
                    "thing": None,
                }
                rest: Row = {
                    "seq": share.line,
                    "calls": share.calls,
                    "taken_back": share.back or None,
                }
                self.rows["wins"].append({**place, **won, **rest})
        self.rows["wins"].sort(key=lambda row: int(row["seq"] or 0))
        return self.rows

    def _sell(self, seq: int, do: Mapping[str, Any], takings: int) -> None:
        first, serials = self._game + 1, do["serials"]
        for serial in serials:
            self.rows["sales"].append(
                {
                    "night": self._night,
                    "seq": seq,
                    "serial": serial,
                    "first_game": first,
                    "last_game": first + do["games"] - 1,
                    "holder": do.get("to"),
                    "seller": do.get("by"),
                    "cards": 1,
                    "amount": takings // len(serials),  # every card of a sale costs the same
                    "vouchers": 0,
                }
            )

    def _sell_many(self, seq: int, do: Mapping[str, Any], sale: Mapping[str, int]) -> None:
        """Add one row for a sale by range, or for returned cards: then its sum is below zero."""
        named = [*do.get("serials", ()), *("-".join(ends) for ends in do.get("ranges", ()))]
        self.rows["sales"].append(
            {
                "night": self._night,
                "seq": seq,
                "serial": " ".join(named),
                "first_game": self._game + 1,
                "last_game": self._game + do["games"] if "games" in do else None,
                "holder": do.get("to"),
                "seller": do.get("by"),
                "cards": sale["cards"] + sale["tickets"],
                "amount": sale["units"],
                "vouchers": sale["vouchers"],
            }
        )

    def _undo(self, line: Line) -> None:
        call = self._calls.pop()
        call["taken_back"] = line["seq"]
        self._add(
            "corrections",
            line,
            number=call["number"],
            called_seq=call["seq"],
            why=line["do"].get("why"),
            who=line["by"],
        )

    def _won(self, line: Line) -> None:
        for stage, serial, *_ in line["then"].get("lost", ()):
            [lost] = [win for win in self._wins if (win["stage"], win["serial"]) == (stage, serial)]
            lost["taken_back"] = line["seq"]
            self._wins.remove(lost)
        for stage, serial, amount, *thing in line["then"].get("won", ()):
            won = {
                "stage": stage,
                "serial": serial,
                "amount": amount,
                "thing": " ".join(thing) or None,
            }
            self._wins.append(
                self._add("wins", line, **won, calls=len(self._calls), taken_back=None)
            )


def _words(numbers: Iterable[int]) -> str | None:
    return " ".join(map(str, numbers)) or None


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
