"""Copy the journal for spreadsheets, databases and auditors: CSV files, or one SQLite file.

The journal becomes tables: nights, games, sales, calls, claims, wins, payments and corrections.
This part is pure. The tables are read from what the lines say was done and followed; nothing is
played again. Money is in whole minor units or counters, as in the journal. A row names its line
(`night`, `seq`), where who, when and by which input stand.

A copy is made anew each time from the journal, which is verified on the way; the station never
reads it. It is made under another name and takes its own only when it is whole, so that under that
name stands all of it or what stood there before. What this program did not make is not written
over.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from station.base.disk import Disk
from station.base.errors import SettingsError, StoreError, Unreadable
from station.base.nouns import PURSES
from station.base.tongue import tr
from station.base.untrusted import json_from, read_json
from station.paper.reports.sheets import SheetWriter
from station.paper.reports.table_record import TableRecord, open_table
from station.record.audit import Progress, readings, telling
from station.record.forgotten import load_forgotten
from station.record.traces import FROM_THE_BAG

Value: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Value]
Line: TypeAlias = Mapping[str, Any]


class Sql(StrEnum):
    """The types of a column, as SQLite calls them."""

    TEXT = "TEXT"
    INTEGER = "INTEGER"
    REAL = "REAL"
    PRIMARY = "INTEGER PRIMARY KEY"


def _texts(*names: str) -> dict[str, Sql]:
    return dict.fromkeys(names, Sql.TEXT)


def _integers(*names: str) -> dict[str, Sql]:
    return dict.fromkeys(names, Sql.INTEGER)


_LINE, _GAME_LINE = _integers("night", "seq"), _integers("night", "game", "seq")
# Each table's columns, with their types. `at` is the wall clock, `trust` how far to believe it.
TABLES: Mapping[str, Mapping[str, Sql]] = {
    "nights": {"night": Sql.PRIMARY}
    | _texts("version")
    | _integers("test")
    | _texts("opened_at", "closed_at")
    | _integers("lines")
    | _texts("signature"),
    "lines": _LINE
    | _texts("id", "at", "trust")
    | {"mono": Sql.REAL}
    | _texts("who", "via", "act", "asked", "followed", "prev", "signature"),
    "games": _GAME_LINE
    | _texts("method", "stakes")
    | _integers("price", "cards", "pool", "carried")
    | _texts("register")
    | _integers("closed_seq"),
    "seats": _GAME_LINE
    | _integers("seat")
    | _texts("name", "cards")
    | _integers("came", "staked", "went"),
    "drawings": _GAME_LINE
    | _integers("drawing")
    | _texts("numbers")
    | _integers("laid", "won", "paid"),
    "sales": _LINE
    | _texts("serial")
    | _integers("first_game", "last_game")
    | _texts("holder", "seller")
    | _integers("cards", "amount", "vouchers"),
    "calls": _GAME_LINE | _integers("place", "number", "taken_back"),
    "claims": _GAME_LINE | _texts("serial", "numbers") | _integers("calls") | _texts("verdict"),
    "wins": _GAME_LINE
    | _texts("stage", "serial")
    | _integers("calls", "amount")
    | _texts("thing")
    | _integers("taken_back"),
    "payments": _LINE | _texts("serial") | _integers("amount") | _texts("means", "who"),
    "cash": _LINE | _texts("kind", "about") | _integers("amount") | _texts("who"),
    "corrections": _GAME_LINE | _integers("number", "called_seq") | _texts("why", "who"),
    "notes": _LINE | _texts("about", "what"),
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
                tr(
                    "night {night}, line {line}: not what such a line says ({why!r}): was another"
                    " version at work?",
                    night=night,
                    line=line["seq"],
                    why=error,
                )
            ) from error
    return reader.end()


class _NightReader:
    """A reader that knows what a line does not say: the game, the valid calls, the balances."""

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
        seq, do, then = line["seq"], line["do"], line["then"]
        before, now = self._balances, then.get("ledger", self._balances)
        self._balances = now
        taken = sum(before.get(name, 0) - now.get(name, 0) for name in (PURSES, "vouchers"))
        self._line(line)
        match do["act"]:
            case "open":
                self._open(seq, then["opening"])
            case "sell" if "sale" not in then:
                for serial in do["serials"]:  # every card of a sale costs the same
                    self._sell(line, serial, 1, taken // len(do["serials"]), 0)
            case "sell" | "return":
                sale = then["sale"]
                named = [*do.get("serials", ()), *map("-".join, do.get("ranges", ()))]
                cards = sale["cards"] + sale["tickets"]
                self._sell(line, " ".join(named), cards, sale["units"], sale["vouchers"])
            case "draw":
                called: Row = {"place": len(self._calls) + 1, "number": do["number"]}
                self._calls.append(self._add("calls", seq, **called, taken_back=None))
            case "claim" | "claim-ticket":
                serial = do.get("serial") or then.get("ticket")
                claim: Row = {"serial": serial, "numbers": _words(do.get("numbers", ()))}
                calls, verdict = len(self._calls), then.get("verdict")
                self._add("claims", seq, **claim, calls=calls, verdict=verdict)
            case "undo":
                self._undo(line)
            case "pay":
                paid: Row = {"serial": do["serial"], "amount": -taken}
                means, who = do.get("means", "cash"), do.get("who", line["by"])
                self._add("payments", seq, **paid, means=means, who=who)
            case "redeem" | "recover" | "bank" | "count-cash" as kind:
                about = do.get("serial") or do.get("account") or do.get("by")
                self._add("cash", seq, kind=kind, about=about, amount=do["amount"], who=line["by"])
            case "close" | "break":
                carried = now.get("carried", 0) - before.get("carried", 0)
                self.rows["games"][-1] |= {"carried": carried, "closed_seq": seq}
            case "note":
                self._add("notes", seq, about=do["about"], what=do["what"])
        if self._table is None:
            self._won(seq, then)
        elif not self._table.over:
            self._table.take(seq, do, then)
            self.rows["games"][-1]["closed_seq"] = seq if self._table.over else None

    def _add(self, table: str, seq: int, **values: Value) -> Row:
        known: Row = {"night": self._night, "game": self._game, "seq": seq, **values}
        row = {column: known[column] for column in TABLES[table]}
        self.rows[table].append(row)
        return row

    def _line(self, line: Line) -> None:
        at, do = line["at"], line["do"]
        if line["seq"] == 1:
            opened = {"test": int(do.get("test", False)), "opened_at": at["wall"]}
            self.rows["nights"].append(
                {"night": self._night, "version": do.get("version"), **opened}
            )
        closed = at["wall"] if do["act"] == "close-night" else None
        self.rows["nights"][0] |= {
            "closed_at": closed,
            "lines": line["seq"],
            "signature": line["signature"],
        }
        same = {name: line[name] for name in ("id", "mono", "via", "prev", "signature")}
        stamp = {"at": at["wall"], "trust": at["trust"], "who": line["by"], "act": do["act"]}
        asked = _text({key: value for key, value in do.items() if key != "act"})
        self._add("lines", line["seq"], **same, **stamp, asked=asked, followed=_text(line["then"]))

    def _open(self, seq: int, opening: Mapping[str, Any]) -> None:
        self._game, self._calls, self._wins = opening["game"], [], []
        row = {column: opening.get(column) for column in TABLES["games"]}
        self.rows["games"].append({**row, "night": self._night, "seq": seq})
        self._table = open_table(opening)
        if self._table is not None:
            self._tables.append((self._game, seq, self._table))
            # What the opening calls a pool is counters there.
            dealt = sum(len(seat.cards) for seat in self._table.seats)
            self.rows["games"][-1] |= {"cards": dealt, "pool": self._table.staked}

    def end(self) -> dict[str, list[Row]]:
        """Return all rows, those of the company's games too: sums of drawings are counters, shares
        and purses are money."""
        for game, opened, table in self._tables:
            for number, seat in enumerate(table.seats, 1):
                who: Row = {"seat": number, "name": seat.name, "cards": " ".join(seat.cards)}
                went = seat.purse if table.over else None
                sums: Row = {"came": seat.came, "staked": seat.staked, "went": went}
                self._add("seats", seat.joined or opened, **who, **sums, game=game)
            for one in table.drawings:
                drawn: Row = {"drawing": one.number, "numbers": _words(one.knobs)}
                sums = {"laid": one.laid, "won": one.won, "paid": one.paid}
                self._add("drawings", one.line, **drawn, **sums, game=game)
            for share in table.shares:
                won: Row = {"stage": share.stage, "serial": f"seat {share.seat}", "thing": None}
                won |= {"amount": share.units * table.value, "calls": share.calls}
                self._add("wins", share.line, **won, taken_back=share.back or None, game=game)
        self.rows["wins"].sort(key=lambda row: int(row["seq"] or 0))
        return self.rows

    def _sell(self, line: Line, serial: str, cards: int, amount: int, vouchers: int) -> None:
        """Add one row for a sale, or for returned cards: then its sum is below zero."""
        do = line["do"]
        last = self._game + do["games"] if "games" in do else None
        games: Row = {"first_game": self._game + 1, "last_game": last}
        sold: Row = {"serial": serial, "cards": cards, "amount": amount, "vouchers": vouchers}
        who = {"holder": do.get("to"), "seller": do.get("by")}
        self._add("sales", line["seq"], **sold, **games, **who)

    def _undo(self, line: Line) -> None:
        call = self._calls.pop()
        call["taken_back"] = line["seq"]
        called = {"number": call["number"], "called_seq": call["seq"]}
        why = line["do"].get("why")
        self._add("corrections", line["seq"], **called, why=why, who=line["by"])

    def _won(self, seq: int, then: Mapping[str, Any]) -> None:
        for stage, serial, *_ in then.get("lost", ()):
            [lost] = [win for win in self._wins if (win["stage"], win["serial"]) == (stage, serial)]
            lost["taken_back"] = seq
            self._wins.remove(lost)
        for stage, serial, amount, *thing in then.get("won", ()):
            won: Row = {"stage": stage, "serial": serial, "amount": amount, "taken_back": None}
            won |= {"thing": " ".join(thing) or None, "calls": len(self._calls)}
            self._wins.append(self._add("wins", seq, **won))


def _words(numbers: Iterable[int]) -> str | None:
    return " ".join(map(str, numbers)) or None


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


# -- files -----------------------------------------------------------------------------------------

FORM = 4  # of the tables; the next one when they change
APPLICATION_ID = 0x4C4F544F  # "LOTO", at byte 68 of our SQLite files
MARK = "export.json"
MADE_BY = "loto journal export"

Add: TypeAlias = Callable[[str, Sequence[Row]], None]
Keys: TypeAlias = Collection[str]


def to_sqlite(
    state: Path, target: Path, progress: Progress, disk: Disk | None = None, keys: Keys = ()
) -> Mapping[str, int]:
    """Copy every night into one SQLite file; return how many rows each table has.

    Args:
        keys: the public keys that may have signed; the state folder's own when empty.

    Raises:
        SettingsError: the target is something else, or cannot be written.
        Damaged: the journal is damaged; nothing was changed.
    """
    disk = disk or Disk()
    with _drafted(target, _is_our_database) as draft:
        with closing(sqlite3.connect(draft, isolation_level=None)) as database:
            # The draft counts only when it is whole: a journal of its own would be for nothing.
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {FORM}")
            for table, columns in TABLES.items():
                listed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
                database.execute(f"CREATE TABLE {table} ({listed})")

            def add(table: str, rows: Sequence[Row]) -> None:
                places = ", ".join(f":{column}" for column in TABLES[table])
                database.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608 - names of our own

            database.execute("BEGIN")
            counts = _copy(state, add, progress, keys)
            database.execute("COMMIT")
        _sync(draft, disk)
        draft.replace(target)
        disk.sync_folder(target.parent)
    return counts


def to_csv(
    state: Path, target: Path, progress: Progress, disk: Disk | None = None, keys: Keys = ()
) -> Mapping[str, int]:
    """Copy every night into a folder of CSV files, one a table; return how many rows each has.

    They are UTF-8, with commas, and the names in the first line. A text that a spreadsheet would
    take for a formula has an apostrophe before it (`station.paper.reports.sheets`). Arguments and
    errors as for `to_sqlite`.
    """
    disk = disk or Disk()
    with _drafted(target, _is_our_folder) as draft:
        draft.mkdir()
        with ExitStack() as files:
            writers: dict[str, SheetWriter] = {}
            for table in TABLES:
                path = draft / f"{table}.csv"
                file = files.enter_context(path.open("x", encoding="utf-8", newline=""))
                writers[table] = SheetWriter(file)
                writers[table].row(TABLES[table])

            def add(table: str, rows: Sequence[Row]) -> None:
                for row in rows:
                    writers[table].row(row[column] for column in TABLES[table])

            counts = _copy(state, add, progress, keys)
        mark = {"made_by": MADE_BY, "form": FORM, "rows": counts}
        (draft / MARK).write_text(json.dumps(mark, indent=2) + "\n")
        for path in draft.iterdir():
            _sync(path, disk)
        _take_place(draft, target, disk)
    return counts


def drawn_by_hand(state: Path, progress: Progress) -> list[list[int]]:
    """Return the calls of each game, in order, of which every one was keyed or read from a tag.
    Games at a table are left out: they put knobs away.

    Raises:
        Damaged: the journal is damaged.
    """
    of_the_bag: set[tuple[Value, Value]] = set()
    at_table: set[tuple[Value, Value]] = set()
    games: dict[tuple[Value, Value], list[Row]] = {}

    def add(table: str, rows: Sequence[Row]) -> None:
        for row in rows:
            match table:
                case "lines" if _gives(row):
                    of_the_bag.add((row["night"], row["seq"]))
                case "seats":
                    at_table.add((row["night"], row["game"]))
                case "calls" if row["taken_back"] is None:
                    games.setdefault((row["night"], row["game"]), []).append(row)

    _copy(state, add, progress, ())
    return [
        [int(call["number"] or 0) for call in calls]
        for game, calls in games.items()
        if game not in at_table
        and of_the_bag.isdisjoint((call["night"], call["seq"]) for call in calls)
    ]


def _gives(line: Row) -> bool:
    """Return whether the virtual bag gives the number of a line."""
    if str(line["via"]).partition(":")[0] in FROM_THE_BAG:
        return True
    return line["act"] == "draw" and not {"leaf", "again"}.isdisjoint(json_from(str(line["asked"])))


def _copy(state: Path, add: Add, progress: Progress, keys: Keys) -> dict[str, int]:
    counts: Counter[str] = Counter(dict.fromkeys(TABLES, 0))
    forgotten = load_forgotten(state)
    for folder, reading, _ in readings(state, progress, keys):
        with telling(folder, reading):
            told = tables(int(folder.name), forgotten.lines(reading.lines))
        for table, rows in told.items():
            add(table, rows)
            counts[table] += len(rows)
    return dict(counts)


# -- what stands there already ---------------------------------------------------------------------


def _only_over(target: Path, ours: bool) -> None:
    fault = ""
    if not ours:
        fault = tr("something else stands here, which would be lost: choose another name")
    elif any(target.with_name(target.name + end).exists() for end in ("-journal", "-wal")):
        fault = tr("another program is writing to it: close it there first")
    if fault:
        raise SettingsError(str(target), [fault])


def _is_our_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(100)
    ours = APPLICATION_ID.to_bytes(4, "big")
    return head.startswith(b"SQLite format 3\0") and head[68:72] == ours


def _is_our_folder(path: Path) -> bool:
    if not path.is_dir():
        return False
    names = {entry.name for entry in path.iterdir()}
    if not names:
        return True
    try:
        mark = read_json(path / MARK)
    except (OSError, ValueError):
        return False
    made_by = mark.get("made_by") if isinstance(mark, dict) else None
    return made_by == MADE_BY and names <= {MARK, *(f"{table}.csv" for table in TABLES)}


# -- all or nothing --------------------------------------------------------------------------------


@contextmanager
def _drafted(target: Path, is_ours: Callable[[Path], bool]) -> Iterator[Path]:
    """Yield the name under which the copy is made, where nothing stands; remove what is left of it.

    Raises:
        SettingsError: the target is something else, or cannot be written.
    """
    draft = target.with_name(f".{target.name}.new")
    try:
        _only_over(target, not target.exists() or is_ours(target))
        _remove(draft)  # what an interrupted export left there
        try:
            yield draft
        finally:
            with suppress(OSError):
                _remove(draft)
    except StoreError:
        raise
    except (OSError, sqlite3.Error) as error:
        why = tr("the copy cannot be written here: {why}", why=error)
        raise SettingsError(str(target), [why]) from error


def _remove(draft: Path) -> None:
    if draft.is_dir():
        shutil.rmtree(draft)
    draft.unlink(missing_ok=True)


def _sync(path: Path, disk: Disk) -> None:
    descriptor = disk.create(path)
    try:
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)


def _take_place(draft: Path, target: Path, disk: Disk) -> None:
    disk.sync_folder(draft)
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    draft.rename(target)
    disk.sync_folder(target.parent)
    shutil.rmtree(old, ignore_errors=True)
