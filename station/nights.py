"""The state folder: one numbered folder a night, holding the journal and copies of all it refers to.

    <state>/lock                   held by the one station that may write here
    <state>/packs/*.csv            packs that were made; `pack.csv` is the one in use
    <state>/tags.toml              which tag sits in which knob
    <state>/nights/0001/           journal.jsonl, pack-<digest>.csv, programme-<digest>.json, tags-<digest>.toml, bag-<game>.json,
                                   at the table bag-<game>-<shaking>.json

Nights are numbered, not dated: a Pi has no clock. Start-up replays the open night only, and compares what each line led to.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from station import __version__, checkpoint
from station.bag import Bag
from station.cards import Pack
from station.chain import GENESIS, Head, alone
from station.checkpoint import Key
from station.disk import Disk, keep_file, keep_folder
from station.errors import Damaged, LotoError, StateInUse, StoreError, Unreadable
from station.hall import Hall, apply, followed, parse_act
from station.journal import FILE, LONGEST_LINE, Journal, Reading, read
from station.opening import Opening, carried_from, closes, ledger_of, opened, opening_of
from station.programme import Programme
from station.readiness import Readiness
from station.reports.copies import read_copies
from station.table import Ledger

LEAST_ROOM = 16 << 20  # bytes; a night needs well under one MiB
NIGHT = re.compile("[0-9]{4}")
PLAYED = re.compile(r"bag-|checkpoint\.json")  # what is only there once a night has begun


class StateFolder:
    """A state folder that this process holds the lock of.

    Raises:
        StateInUse: another station holds it.
        StoreError: it cannot be made, written, or has no room.
    """

    def __init__(self, folder: Path, least_room: int = LEAST_ROOM, disk: Disk | None = None) -> None:
        self.folder = folder
        self.nights = folder / "nights"
        self.disk = disk or Disk()
        self._lock: int | None = None
        try:
            keep_folder(folder, self.disk)
            for part in (self.nights, folder / "packs"):
                self.disk.make_folder(part)
            # Also where they were there: whoever made them may not have come to this.
            self.disk.sync_folder(folder)
            self._lock = self.disk.lock(folder / "lock")
            room = self.disk.room(folder)
        except BlockingIOError:
            self.close()
            raise StateInUse(
                f"{folder}: another station is using this state folder; stop it, or give --state another folder"
            ) from None
        except OSError as error:
            self.close()
            raise StoreError(
                f"{folder}: the state folder cannot be used ({error.strerror}); give --state a writable one"
            ) from error
        if room < least_room:
            self.close()
            raise StoreError(
                f"{folder}: {room >> 20} MiB are free, {least_room >> 20} are needed to open a night: make room on this disk"
            )

    def close(self) -> None:
        """Gives the lock back."""
        if self._lock is not None:
            self.disk.close(self._lock)
            self._lock = None

    def last_night(self) -> Path | None:
        """The newest night that has begun, or None before the first."""
        folders = night_folders(self.folder, self.disk)
        return folders[-1] if folders else None


def night_folders(state: Path, disk: Disk | None = None) -> list[Path]:
    """The nights of a state folder that have begun, oldest first.

    A folder whose opening line never became durable is no night: its number is used again.

    Raises:
        StoreError: the folder cannot be read.
        Damaged: the last one's journal is, or is gone.
    """
    disk = disk or Disk()
    nights = state / "nights"
    try:
        names = sorted(name for name in disk.names(nights) if NIGHT.fullmatch(name)) if disk.is_folder(nights) else []
    except OSError as error:
        raise StoreError(f"{nights}: cannot be read ({error.strerror})") from error
    folders = [nights / name for name in names]
    while folders and not _begun(folders[-1], disk):
        folders.pop()
    return [folder for folder in folders if disk.is_file(folder / FILE)]


def _begun(folder: Path, disk: Disk) -> bool:
    """Whether a night's first line is there. Where its games are, it must be."""
    path = folder / FILE
    if disk.is_file(path) and read(path, _prev_for(folder, disk), disk).lines:
        return True
    try:
        played = sorted(name for name in disk.names(folder) if PLAYED.match(name))
    except OSError as error:
        raise StoreError(f"{folder}: cannot be read ({error.strerror})") from error
    if played:
        raise Damaged(f"{path}:1: the journal is gone, and {played[0]} of this night is there: keep a copy, play on paper")
    return False


@dataclass(frozen=True, slots=True)
class Recorded:
    """A command that became a line: its number, who sent it, and the act with what chance added."""

    seq: int
    by: str
    do: Mapping[str, Any]


@dataclass
class Night:
    """An open night: its folder, its journal open for writing, and the state replayed so far.

    Attributes:
        disk: where it is kept.
        answers: for each command id in the journal, what was done by it; that of the night before's closing, too.
        torn: where a damaged last line was put aside, if there was one.
        resumed: whether the night was open already.
        test: no money is taken.
        last_at: the time on the last line before this start; nothing in a new night.
    """

    folder: Path
    journal: Journal
    hall: Hall
    answers: dict[str, Recorded]
    tags: str
    test: bool
    torn: Path | None = None
    resumed: bool = False
    disk: Disk = field(default_factory=Disk)
    last_at: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bag_file(self) -> Path:
        """Where the virtual bag of the game on the table is kept."""
        return self.folder / bag_name(self.hall)

    def load_bag(self) -> Bag | None:
        """The virtual bag of the open game, checked against its commitment; None when the game has none.

        Raises:
            Damaged: it is gone or altered.
        """
        if not self.hall.game_open or not self.hall.bag:
            return None
        try:
            return Bag.from_json(self.disk.read(self.bag_file).decode(), self.hall.bag, str(self.bag_file))
        except (OSError, UnicodeDecodeError, Unreadable) as error:
            raise Damaged(f"{self.bag_file}: the virtual bag of this game is damaged: {error}") from error


def bag_name(hall: Hall) -> str:
    """The file of the virtual bag that is drawn from: of the game, at the table of its last shaking."""
    shaking = f"-{hall.at_table.shakings}" if hall.at_table is not None else ""
    return f"bag-{hall.opened}{shaking}.json"


def begin(
    state: StateFolder,
    pack: Pack,
    programme: Programme,
    entry: Mapping[str, Any],
    *,
    tags: str = "",
    test: bool = False,
    last_number: bool = True,
    strict: bool = False,
    key: Key | None = None,
    disk: Disk | None = None,
    writer: Executor | None = None,
) -> Night:
    """Begins a new night: copies first, then the journal's opening line.

    Args:
        entry: `id`, `at`, `mono`, `by`, `via` of the opening line.
        strict: as in `station.readiness`.
        key: signs the end of the night before, where the station ended before it could.
        disk: where the night is kept, if not where the state folder is.
        writer: as in `Journal`.

    Raises:
        StoreError: the last night is not closed or damaged, or nothing can be written.
    """
    disk = disk or state.disk
    before = state.last_night()
    carried, previous, number, torn = Ledger(), GENESIS, 1, None
    if before is not None:
        reading = read(before / FILE, _prev_for(before, disk), disk)
        if not closes(reading.lines[-1]):
            raise StoreError(f"{before}: this night is not closed: close it before another begins")
        # What this night carries on from is made safe first, as at any start.
        with contextlib.closing(Journal(before / FILE, reading.head, reading.length, disk)) as journal:
            torn = journal.open(reading.torn)
        checkpoint.catch_up(before, reading.lines, key, disk)
        carried = _carried_on(state, test)
        previous, number = reading.head.sum, int(before.name) + 1
    folder = state.nights / f"{number:04d}"
    pack.prepare()
    hall = Hall(pack, programme, night=number, last_number=last_number, ledger=carried, ready=Readiness(strict))
    copies = {f"pack-{pack.digest[:16]}.csv": pack.to_csv(), f"programme-{programme.digest[:16]}.json": programme.to_json()}
    if tags:
        copies[f"tags-{hashlib.sha256(tags.encode()).hexdigest()[:16]}.toml"] = tags
    try:
        disk.make_folder(folder)
        # Of a night that never began: nobody was answered for it, and it is kept all the same.
        unbegun = disk.read(folder / FILE) if disk.is_file(folder / FILE) else b""
        for name, text in copies.items():
            keep_file(folder / name, text.encode(), disk)
        disk.sync_folder(state.nights)
    except OSError as error:
        raise StoreError(f"{folder}: the night cannot be begun ({error.strerror}); nothing was lost") from error
    journal = Journal(folder / FILE, Head(0, previous), disk=disk, writer=writer)
    kept = tuple(sorted(copies))
    opening = Opening(night=number, version=__version__, test=test, last_number=last_number, copies=kept, strict=strict)
    try:
        answers = _answers(folder, [], disk)
        torn = journal.open(unbegun) or torn
        journal.append_now({**entry, "do": opening.model_dump(mode="json"), "then": opened(hall)})
    except BaseException:
        journal.close()
        raise
    answers[entry["id"]] = Recorded(1, entry["by"], opening.model_dump(mode="json"))
    return Night(folder, journal, hall, answers, tags, test, torn, disk=disk)


def _carried_on(state: StateFolder, test: bool) -> Ledger:
    """What a night begins with, by what the last of its kind left."""
    disk = state.disk
    for folder in reversed(night_folders(state.folder, disk)):
        if is_test(folder, disk) == test:
            path = folder / FILE
            lines = read(path, _prev_for(folder, disk), disk).lines
            return carried_from(ledger_of(lines[-1], f"{path}:{len(lines)}"), int(folder.name))
    return Ledger()


def is_test(folder: Path, disk: Disk | None = None) -> bool:
    """Whether the night in this folder, which has begun, is a TEST night: no money was taken.

    Raises:
        Damaged: its first line is.
        StoreError: it cannot be read.
    """
    path = folder / FILE
    try:
        opening = alone((disk or Disk()).read_first(path, LONGEST_LINE).partition(b"\n")[0])
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise Damaged(f"{path}:1: {error}") from error
    return opening_of(opening, f"{path}:1").test


def is_open(folder: Path, disk: Disk | None = None) -> bool:
    """Whether the night in this folder is still going on.

    Raises:
        Damaged: its journal is.
    """
    disk = disk or Disk()
    reading = read(folder / FILE, _prev_for(folder, disk), disk)
    return bool(reading.lines) and not closes(reading.lines[-1])


def resume(folder: Path, disk: Disk | None = None, writer: Executor | None = None, key: Key | None = None) -> Night:
    """Opens the night in this folder again: the journal is read, verified, replayed, and its torn tail, if any, put aside.

    Args:
        key: signs the end of the last game, where the station ended before it could.

    Raises:
        Damaged: the journal or a copy is not what was written, or replay disagrees with what a line says followed.
    """
    disk = disk or Disk()
    path = folder / FILE
    reading = read(path, _prev_for(folder, disk), disk)
    hall, tags, test = replay(folder, reading, disk)
    hall.pack.prepare()
    answers = _answers(folder, reading.lines, disk)
    journal = Journal(path, reading.head, reading.length, disk, writer)
    try:
        torn = journal.open(reading.torn)
        checkpoint.catch_up(folder, reading.lines, key, disk)
    except BaseException:
        journal.close()
        raise
    last_at = reading.lines[-1]["at"]
    return Night(folder, journal, hall, answers, tags, test, torn, resumed=True, disk=disk, last_at=last_at)


def replay(folder: Path, reading: Reading, disk: Disk | None = None) -> tuple[Hall, str, bool]:
    """The state that the lines lead to, the tag table's text, and whether it is a test night.

    Raises:
        Damaged: names the copy or the line.
    """
    path = folder / FILE
    if not reading.lines:
        raise Damaged(f"{path}:1: the night's opening is missing")
    opening = opening_of(reading.lines[0], f"{path}:1")
    pack, programme, tags = read_copies(folder, opening, disk)
    ledger = ledger_of(reading.lines[0], f"{path}:1")
    hall = Hall(pack, programme, int(folder.name), opening.last_number, ledger=ledger, ready=Readiness(opening.strict))
    if (opening.night, opened(hall)) != (hall.night, reading.lines[0]["then"]):
        raise Damaged(f"{path}:1: another night, or another state, was opened than stands here")
    for number, line in enumerate(reading.lines[1:], 2):
        try:
            after = apply(hall, parse_act(line["do"]))
        except LotoError as error:
            raise Damaged(f"{path}:{number}: the rules refuse what stands here: {error}") from error
        if followed(hall, after) != line["then"]:
            raise Damaged(f"{path}:{number}: replaying it leads to another state than the line says")
        hall = after
    return hall, tags, opening.test


def _prev_for(folder: Path, disk: Disk) -> str:
    """The `prev` that a night's first line must have: the last sum of the night before."""
    closing = _closing_before(folder, disk)
    return str(closing["sum"]) if closing is not None else GENESIS


def _closing_before(folder: Path, disk: Disk) -> dict[str, Any] | None:
    """The line that closed the night before this one, whole, from the end of its file; None for the first night.

    The night before is not verified here, so that a start takes the same time after five hundred nights; `verify` does that.
    """
    before = folder.with_name(f"{int(folder.name) - 1:04d}") / FILE
    if not disk.is_file(before):
        return None
    try:
        return alone(disk.read(before, LONGEST_LINE)[:-1].rpartition(b"\n")[2])
    except OSError as error:
        raise StoreError(f"{before}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise Damaged(f"{before}: the last line, which closed that night, is damaged: {error}") from error


def _answers(folder: Path, lines: Iterable[Mapping[str, Any]], disk: Disk) -> dict[str, Recorded]:
    """What was done by each command. The one that closed the night before is known here too: come again, it closes nothing."""
    closing = _closing_before(folder, disk)
    known = (*([closing] if closing is not None else ()), *lines)
    return {line["id"]: Recorded(line["seq"], line["by"], line["do"]) for line in known}


@dataclass(frozen=True)
class NightSummary:
    """What `verify` found in one night."""

    night: str
    lines: int
    head: Head
    torn: int


def verify(state: Path, disk: Disk | None = None) -> list[NightSummary]:
    """Verifies every night's journal, the chain across nights, and the replay of each.

    Raises:
        Damaged: names file and line.
    """
    disk = disk or Disk()
    found = []
    previous = GENESIS
    for folder in night_folders(state, disk):
        reading = read(folder / FILE, previous, disk)
        replay(folder, reading, disk)
        found.append(NightSummary(folder.name, len(reading.lines), reading.head, len(reading.torn)))
        previous = reading.head.sum
    return found
