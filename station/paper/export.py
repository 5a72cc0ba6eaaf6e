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
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from station.base.disk import Disk
from station.base.errors import LotoError, SettingsError, StoreError
from station.base.untrusted import read_json
from station.paper.journal_tables import TABLES, Row, tables
from station.paper.spreadsheet import SheetWriter
from station.record.audit import Progress, readings, telling
from station.record.folders import is_test
from station.record.journal import FILE

FORM = 3  # of the tables; the next one when they change
APPLICATION_ID = 0x4C4F544F  # "LOTO", at byte 68 of our SQLite files
MARK = "export.json"
MADE_BY = "loto journal export"
TOLD = frozenset({"nights", "lines"})  # of a TEST night among real ones: what it was, and no sum

Add: TypeAlias = Callable[[str, Sequence[Row]], None]


def to_sqlite(
    state: Path,
    target: Path,
    progress: Progress,
    disk: Disk | None = None,
    keys: Collection[str] = (),
) -> Mapping[str, int]:
    """Copy every night into one SQLite file.

    Args:
        keys: the public keys that may have signed; where some are given, a signature must stand for
            every line.

    Returns:
        How many rows each table has.

    Raises:
        SettingsError: the target is something else, or cannot be written.
        Damaged: the journal is damaged; nothing was changed.
    """
    disk = disk or Disk()
    with _errors(target):
        _only_over(target, not target.exists() or _is_our_database(target))
        draft = _draft(target)
        try:
            with closing(sqlite3.connect(draft, isolation_level=None)) as database:
                # The draft counts only when it is whole: a journal of its own would be for nothing.
                database.execute("PRAGMA journal_mode = OFF")
                database.execute("PRAGMA synchronous = OFF")
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                database.execute(f"PRAGMA user_version = {FORM}")
                for table, columns in TABLES.items():
                    database.execute(
                        f"CREATE TABLE {table}"
                        f" ({', '.join(f'{name} {kind}' for name, kind in columns.items())})"
                    )

                def add(table: str, rows: Sequence[Row]) -> None:
                    places = ", ".join(f":{column}" for column in TABLES[table])
                    database.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608 - names of our own

                database.execute("BEGIN")
                counts = _copy(state, add, progress, keys)
                database.execute("COMMIT")
            _sync(draft, disk)
            draft.replace(target)
            disk.sync_folder(target.parent)
        finally:
            draft.unlink(missing_ok=True)
    return counts


def to_csv(
    state: Path,
    target: Path,
    progress: Progress,
    disk: Disk | None = None,
    keys: Collection[str] = (),
) -> Mapping[str, int]:
    """Copy every night into a folder of CSV files, one a table: UTF-8, commas, the names in the
    first line.

    A text that a spreadsheet would take for a formula has an apostrophe before it
    (`station.paper.spreadsheet`).

    Args:
        keys: the public keys that may have signed; where some are given, a signature must stand for
            every line.

    Returns:
        How many rows each table has.

    Raises:
        SettingsError: the target is something else, or cannot be written.
        Damaged: the journal is damaged; nothing was changed.
    """
    disk = disk or Disk()
    with _errors(target):
        _only_over(target, not target.exists() or _is_our_folder(target))
        draft = _draft(target)
        try:
            draft.mkdir()
            files = {
                table: (draft / f"{table}.csv").open("x", encoding="utf-8", newline="")
                for table in TABLES
            }
            try:
                writers = {table: SheetWriter(file) for table, file in files.items()}
                for table, writer in writers.items():
                    writer.row(TABLES[table])

                def add(table: str, rows: Sequence[Row]) -> None:
                    for row in rows:
                        writers[table].row(row[column] for column in TABLES[table])

                counts = _copy(state, add, progress, keys)
            finally:
                for file in files.values():
                    file.close()
            (draft / MARK).write_text(
                json.dumps({"made_by": MADE_BY, "form": FORM, "rows": counts}, indent=2) + "\n"
            )
            for path in draft.iterdir():
                _sync(path, disk)
            _take_place(draft, target, disk)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return counts


def _copy(state: Path, add: Add, progress: Progress, keys: Collection[str]) -> dict[str, int]:
    counts: Counter[str] = Counter(dict.fromkeys(TABLES, 0))
    mixed = _holds_real(state)
    for folder, reading, _ in readings(state, progress, keys, signed=bool(keys)):
        wanted = TOLD if mixed and is_test(folder) else frozenset(TABLES)
        with telling(folder, reading):
            told = tables(int(folder.name), reading.lines)
        for table, rows in told.items():
            if table not in wanted:
                continue
            add(table, rows)
            counts[table] += len(rows)
    return dict(counts)


def _holds_real(state: Path) -> bool:
    """Return whether there is a real night: TEST nights beside it must come into no sum."""
    for path in sorted((state / "nights").glob(f"[0-9][0-9][0-9][0-9]/{FILE}")):
        with suppress(LotoError):  # that a journal is damaged is for its reader to say
            if not is_test(path.parent):
                return True
    return False


# -- what stands there already ---------------------------------------------------------------------


def _only_over(target: Path, ours: bool) -> None:
    if not ours:
        raise SettingsError(
            str(target), ["something else stands here, which would be lost: choose another name"]
        )
    if any(target.with_name(target.name + end).exists() for end in ("-journal", "-wal")):
        raise SettingsError(str(target), ["another program is writing to it: close it there first"])


def _is_our_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(100)
    return head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION_ID.to_bytes(
        4, "big"
    )


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
    return (
        isinstance(mark, dict)
        and mark.get("made_by") == MADE_BY
        and names <= {MARK, *(f"{table}.csv" for table in TABLES)}
    )


# -- all or nothing --------------------------------------------------------------------------------


@contextmanager
def _errors(target: Path) -> Iterator[None]:
    try:
        yield
    except StoreError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise SettingsError(str(target), [f"the copy cannot be written here: {error}"]) from error


def _draft(target: Path) -> Path:
    """Return the name under which the copy is made; remove what an interrupted export left
    there."""
    draft = target.with_name(f".{target.name}.new")
    if draft.is_dir():
        shutil.rmtree(draft)
    draft.unlink(missing_ok=True)
    return draft


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
