"""Copy the journal for spreadsheets and databases: a folder of CSV files, or one SQLite file.

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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from station.base.disk import Disk
from station.base.errors import SettingsError, StoreError
from station.base.tongue import tr
from station.base.untrusted import json_from, read_json
from station.paper.journal_tables import TABLES, Row, Value, tables
from station.paper.spreadsheet import SheetWriter
from station.record.audit import Progress, readings, telling
from station.record.forgotten import load_forgotten
from station.record.traces import FROM_THE_BAG

FORM = 3  # of the tables; the next one when they change
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
        keys: the public keys that may have signed; where some are given, a signature must stand for
            every line.

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
    take for a formula has an apostrophe before it (`station.paper.spreadsheet`). Arguments and
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
    for folder, reading, _ in readings(state, progress, keys, signed=bool(keys)):
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
