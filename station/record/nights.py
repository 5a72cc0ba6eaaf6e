"""Open and begin nights in a state folder: a numbered folder each, with journal and copies.

    <state>/lock                   held by the one station that may write here
    <state>/packs/*.csv            packs that were made; `pack.csv` is the one in use
    <state>/tags.toml              which tag sits in which knob
    <state>/nights/0001/           journal.jsonl, heads.txt, pack-<digest>.csv,
                                   programme-<digest>.json, tags-<digest>.toml

Nights are numbered, not dated: a Pi has no clock. Start-up replays the open night only, and
compares what each line led to.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from station import __version__
from station.base.disk import Disk, keep_file, keep_folder
from station.base.errors import Damaged, LotoError, StateInUse, StoreError
from station.base.nouns import Ledger
from station.base.tongue import key, tr
from station.cards.pack import Pack
from station.night.acts import parse_act
from station.night.hall import Hall, apply, followed
from station.night.opening import Opening, carried_from, closes, ledger_of, opened, opening_of
from station.night.pairing import pairings_left
from station.night.readiness import Readiness
from station.people.pairings import Pairing
from station.programme.programme import Programme
from station.record.chain import Head, line_of
from station.record.copies import read_copies
from station.record.folders import closing_before, night_folders, opening_in, prev_for
from station.record.heads import Key, Signer
from station.record.hidden import parts_of, with_part
from station.record.journal import FILE, Journal, JournalContent, disk_errors, read
from station.record.state_check import NIGHT_ROOM
from station.record.station_key import KEY_FILE
from station.record.traces import NO_OPENING, Traces, compare, kept_beside

log = logging.getLogger(__name__)

UNBEGUN = key("{file}: the night cannot be begun ({why}); nothing was lost")


class StateFolder:
    """A state folder that this process has locked.

    Raises:
        StateInUse: another station holds it.
        StoreError: it cannot be made, written, or has no room.
    """

    def __init__(
        self, folder: Path, least_room: int = NIGHT_ROOM, disk: Disk | None = None
    ) -> None:
        self.folder = folder
        self.nights = folder / "nights"
        self.disk = disk or Disk()
        self._lock: int | None = None
        try:
            keep_folder(folder, self.disk)
            for part in (self.nights, folder / "packs"):
                self.disk.make_folder(part)
            # Also if they existed: whoever made them may have been interrupted before the sync.
            self.disk.sync_folder(folder)
            self._lock = self.disk.lock(folder / "lock")
            room = self.disk.room(folder)
        except BlockingIOError:
            self.close()
            why = tr(
                "another station is using this state folder; stop it, or give --state another"
                " folder"
            )
            raise StateInUse(f"{folder}: {why}") from None
        except OSError as error:
            self.close()
            why = tr(
                "the state folder cannot be used ({why}); give --state a writable one",
                why=error.strerror,
            )
            raise StoreError(f"{folder}: {why}") from error
        if room < least_room:
            self.close()
            why = tr(
                "{free} MiB are free, {needed} are needed to open a night: make room on this disk",
                free=room >> 20,
                needed=least_room >> 20,
            )
            raise StoreError(f"{folder}: {why}")

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self.disk.close(self._lock)
            self._lock = None

    def last_night(self) -> Path | None:
        """Return the newest night that has begun; None before the first."""
        folders = night_folders(self.folder, self.disk)
        return folders[-1] if folders else None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A command that became a line: its number, who sent it, and the act with what chance added."""

    seq: int
    by: str
    do: Mapping[str, Any]


# What is recorded without anything being sold, agreed on, opened or called; what ended the night
# before is known in this one, too.
IDLE_ACTS = frozenset({"note", "renew", "commit", "census", "self-test", "pair", "unpair"})
IDLE_ACTS |= {"open-night", "close-night", "next-night"}


def tags_name(tags: str) -> str:
    """Return the name of a night's copy of its table of tags."""
    return f"tags-{hashlib.sha256(tags.encode()).hexdigest()[:16]}.toml"


def untouched(recorded: Iterable[Recorded]) -> bool:
    """Return whether nothing was sold, agreed on, opened or called in a night with these lines."""
    return all(one.do["act"] in IDLE_ACTS for one in recorded)


@dataclass
class Night:
    """An open night: its folder, its journal open for writing, and the state replayed so far.

    Attributes:
        disk: where it is kept.
        answers: what each command in the journal did, by its id; also the command that closed the
            night before.
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


def begin(
    state: StateFolder,
    pack: Pack,
    programme: Programme,
    entry: Mapping[str, Any],
    *,
    key: Key,
    tags: str = "",
    test: bool = False,
    last_number: bool = True,
    strict: bool = False,
    disk: Disk | None = None,
    writer: Executor | None = None,
) -> Night:
    """Begin a new night: write the copies first, then the journal's opening line.

    Args:
        entry: `id`, `at`, `mono`, `by`, `via` of the opening line.
        key: signs every line.
        strict: as in `station.night.readiness`.
        disk: where the night is kept, if not where the state folder is.
        writer: as in `Journal`.

    Raises:
        StoreError: the last night is not closed or damaged, or nothing can be written.
        Damaged: the last night is not as this key signed it.
    """
    disk = disk or state.disk
    before = state.last_night()
    carried, previous, number, torn = Ledger(), "", 1, None
    people: tuple[Pairing, ...] = ()
    if before is not None:
        reading = examine(before, disk, key)
        if not closes(reading.lines[-1]):
            why = tr("this night is not closed: close it before another begins")
            raise StoreError(f"{before}: {why}")
        # The night before is made durable first, as at any start.
        number = int(before.name) + 1
        journal = _journal_of(before, reading, key, disk)
        with contextlib.closing(journal):
            torn = journal.open(reading.torn)
        carried, previous = _carried_on(state, test), reading.head.signature
        people = _people_left(reading, before, test=test)
    folder = state.nights / f"{number:04d}"
    pack.prepare()
    copies = {
        f"pack-{pack.digest[:16]}.csv": pack.to_csv(),
        f"programme-{programme.digest[:16]}.json": programme.to_json(),
    }
    if tags:
        copies[tags_name(tags)] = tags
    with disk_errors(folder, UNBEGUN):
        disk.make_folder(folder)
        # A journal of a night that never began: no command of it was answered, but keep it.
        unbegun = disk.read(folder / FILE) if disk.is_file(folder / FILE) else b""
        for name, text in copies.items():
            keep_file(folder / name, text.encode(), disk)
        disk.sync_folder(state.nights)
    signer = Signer.of(key, number)
    journal = Journal(folder / FILE, signer, Head(signature=previous), disk=disk, writer=writer)
    opening = Opening(
        night=number,
        version=__version__,
        test=test,
        last_number=last_number,
        copies=tuple(sorted(copies)),
        strict=strict,
        key=signer.public,
        people=people,
    )
    hall = _first_state(pack, programme, opening, carried)
    do = opening.to_json()
    try:
        answers = _answers(folder, [], disk)
        torn = journal.open(unbegun) or torn
        journal.append_now({**entry, "do": do, "then": opened(hall)})
    except BaseException:
        journal.close()
        raise
    answers[entry["id"]] = Recorded(1, entry["by"], do)
    return Night(folder, journal, hall, answers, tags, test, torn, disk=disk)


def examine(folder: Path, disk: Disk, key: Key) -> JournalContent:
    """Read the last night, and check it and the files beside it.

    A start takes the same time after five hundred nights: it reads the last night in full, and of
    the one before only its last line, whose signature the opening carries. That stands for all
    nights before; `station.record.audit` verifies their lines.

    Raises:
        Damaged: something is missing, altered or too much, or another key has signed; names it.
        StoreError: something cannot be read.
    """
    kept, path = kept_beside(folder, disk), folder / FILE
    traces = Traces(path, kept)
    reading = read(path, prev_for(folder, disk), disk)
    for line in map(line_of, reading.lines):
        traces.take(line)
    opening = compare(folder, traces, reading.head, kept, (), disk)
    if opening.key != Signer.of(key, opening.night).public:
        why = tr(
            "another key has signed the nights here: put the key of your backup there, or begin"
            " with another state folder (--state)"
        )
        raise Damaged(f"{folder.parents[1] / KEY_FILE}: {why}")
    return reading


def _journal_of(
    folder: Path, reading: JournalContent, key: Key, disk: Disk, writer: Executor | None = None
) -> Journal:
    signer = Signer.of(key, int(folder.name))
    good = reading.head, reading.length
    return Journal(folder / FILE, signer, *good, disk, writer, reading.leaves)


def _first_state(pack: Pack, programme: Programme, opening: Opening, ledger: Ledger) -> Hall:
    night, last_number, people = opening.night, opening.last_number, opening.people
    ready = Readiness(opening.strict)
    return Hall(pack, programme, night, last_number, ledger=ledger, ready=ready, people=people)


def _people_left(reading: JournalContent, before: Path, *, test: bool) -> tuple[Pairing, ...]:
    """Return the pairings that the last night leaves to the next one, if that is of its kind."""
    last = opening_of(reading.lines[0], f"{before / FILE}:1")
    return pairings_left(last.people, reading.lines, last.night) if last.test == test else ()


def _carried_on(state: StateFolder, test: bool) -> Ledger:
    """Return the accounts that a night begins with, carried over from the last of its kind."""
    disk = state.disk
    for folder in reversed(night_folders(state.folder, disk)):
        path = folder / FILE
        if opening_in(folder, disk).test == test:
            lines = read(path, prev_for(folder, disk), disk).lines
            return carried_from(ledger_of(lines[-1], f"{path}:{len(lines)}"), int(folder.name))
    return Ledger()


def resume(
    folder: Path, key: Key, disk: Disk | None = None, writer: Executor | None = None
) -> Night:
    """Resume the night in this folder: read, verify and replay it, and set a torn tail aside.

    Args:
        key: signs every line.

    Raises:
        Damaged: the journal or a copy is not what was written, or replay disagrees with what a line
            says followed.
    """
    disk = disk or Disk()
    reading = examine(folder, disk, key)
    hall, tags, test = replay(folder, reading, disk)
    hall.pack.prepare()
    answers = _answers(folder, reading.lines, disk)
    journal = _journal_of(folder, reading, key, disk, writer)
    with contextlib.ExitStack() as if_it_fails:
        if_it_fails.callback(journal.close)
        torn = journal.open(reading.torn)
        if_it_fails.pop_all()
    last_at = reading.lines[-1]["at"]
    return Night(folder, journal, hall, answers, tags, test, torn, True, disk, last_at)


def replay(
    folder: Path, reading: JournalContent, disk: Disk | None = None
) -> tuple[Hall, str, bool]:
    """Return the state that the lines lead to, the tag table's text, and whether it is a TEST.

    Raises:
        Damaged: names the copy or the line.
    """
    path = folder / FILE
    if not reading.lines:
        raise Damaged(f"{path}:1: {tr(NO_OPENING)}")
    opening = opening_of(reading.lines[0], f"{path}:1")
    pack, programme, tags = read_copies(folder, opening, disk)
    ledger = ledger_of(reading.lines[0], f"{path}:1")
    hall = _first_state(pack, programme, opening, ledger)
    if (opening.night, opened(hall)) != (int(folder.name), reading.lines[0]["then"]):
        other = tr("another night, or another state, was opened than stands here")
        raise Damaged(f"{path}:1: {other}")
    parts = parts_of(folder, reading.lines, disk or Disk())
    for number, line in enumerate(reading.lines[1:], 2):
        try:
            after = apply(hall, with_part(parse_act(line["do"]), parts))
        except LotoError as error:
            why = tr("the rules refuse this line: {why}", why=error)
            raise Damaged(f"{path}:{number}: {why}") from error
        if followed(hall, after) != line["then"]:
            other = tr("replaying it leads to another state than the line says")
            raise Damaged(f"{path}:{number}: {other}")
        hall = after
    return hall, tags, opening.test


def _answers(folder: Path, lines: Iterable[Mapping[str, Any]], disk: Disk) -> dict[str, Recorded]:
    """Return what each command did, by its id; also what closed the night before, if sent again."""
    closing = closing_before(folder, disk)
    known = [closing, *lines] if closing is not None else lines
    return {line["id"]: Recorded(line["seq"], line["by"], line["do"]) for line in known}
