"""Examine the last night before a start: whether it is whole, and what is still to be signed.

What a start asks takes the same time after five hundred nights: the last night is read in full, of
the one before its last line and its checkpoints. Its opening carries the signature of that line,
which stands for all nights before; their lines are verified by `station.record.audit`.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from station.base.disk import Disk
from station.base.errors import Damaged
from station.base.tongue import key, tr
from station.record import checkpoint
from station.record.chain import line_of
from station.record.checkpoint import Checkpoint, Key, Keys
from station.record.folders import KEEP_A_COPY, NO_OPENING, opening_in, prev_for
from station.record.heads import Heads, follow_heads
from station.record.journal import FILE, JournalContent, read
from station.record.traces import Traces, check_before, compare, look_beside, uncovered

log = logging.getLogger(__name__)

NEVER_SIGNED = key(
    "signatures were taken away, or the nights were written anew: keep a copy, play on paper. Only"
    " where this station has never signed anything, move station.key and station.pub away and start"
    " again"
)
NOT_CARRIED = key("the night carries no checkpoint of the night before, which was signed")


@dataclass(frozen=True)
class Examined:
    """The last night, verified.

    Attributes:
        signed: the newest line of it that is signed.
        due: whether its last line was due to be signed and is not.
    """

    reading: JournalContent
    traces: Traces
    signed: int

    @property
    def due(self) -> bool:
        """Return whether the last line was due to be signed and is not."""
        return self.signed < self.reading.head.seq in self.traces.due


def examine(folder: Path, disk: Disk, key: Key | None, *, taking_over: bool = False) -> Examined:
    """Read the last night and compare it with the files beside it and with the night before.

    Raises:
        Damaged: something is missing, altered or too much; names it.
        StoreError: something cannot be read.
    """
    keys = (checkpoint.public_key(key),) if key is not None else ()
    was = look_beside(folder, keys, disk)
    reading = read(folder / FILE, prev_for(folder, disk), disk)
    path, known = folder / FILE, keys or {point.key for point in was.points}

    def walk(heads: Heads) -> Traces:
        traces = Traces(path, was.points)
        for line, leaf in zip(map(line_of, reading.lines), reading.leaves, strict=True):
            heads.take(line, leaf)
            traces.take(line)
        return traces

    traces = follow_heads(path, int(folder.name), known, walk)
    if (opening := traces.opening) is None:
        raise Damaged(f"{folder / FILE}:1: {tr(NO_OPENING)}")
    points = compare(folder, opening, traces, reading.head, was, keys, disk, last=True).points
    signed, prev = points[-1].seq if points else 0, reading.lines[0]["prev"]
    before, alone = folder.with_name(f"{int(folder.name) - 1:04d}"), int(folder.name) == 1
    carried = opening.vouched and not opening.unsigned
    if not alone and not carried and opening_in(before, disk).vouched:
        raise Damaged(f"{folder / FILE}:1: {tr(NOT_CARRIED)}: {tr(KEEP_A_COPY)}")
    if opening.vouched:
        newest = newest_before(folder, keys, disk, most=None if opening.unsigned else 1)
        check_before(opening, newest, prev, f"{folder / FILE}:1")
    fault, signing = "", key is not None and not taking_over
    if signing and not opening.vouched:
        newest = newest_before(folder, keys, disk, most=1)
        fault = uncovered(int(folder.name), traces, reading.head, signed, newest, prev)
    elif signing and opening.unsigned and not signed:
        fault = tr("the opening, which takes nights over that nobody signed, is not signed")
    if fault:
        raise Damaged(f"{folder / FILE}: {fault}: {tr(NEVER_SIGNED)}")
    return Examined(reading, traces, signed)


def sign_end(folder: Path, examined: Examined, key: Key, disk: Disk) -> str:
    """Sign the last line of a night; return a sentence about it for the journal.

    Raises:
        StoreError: it cannot be written.
    """
    head, night = examined.reading.head, int(folder.name)
    point = checkpoint.make(night, examined.traces.games, head, key)
    checkpoint.add_point(folder, point, disk)
    unsigned = f"line {head.seq} of night {night} was not signed when the station ended"
    late = f"{unsigned}: this start has signed it"
    log.warning("%s", late)
    return late


def newest_before(
    folder: Path, keys: Keys, disk: Disk, most: int | None = None
) -> Checkpoint | None:
    """Return the newest checkpoint of the nights before this one; read at most `most` of them."""
    number = int(folder.name)
    for before in range(number - 1, 0 if most is None else max(0, number - 1 - most), -1):
        if points := look_beside(folder.with_name(f"{before:04d}"), keys, disk).points:
            return points[-1]
    return None
