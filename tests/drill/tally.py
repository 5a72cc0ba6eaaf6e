"""How far the drills have come, kept in a file, so that a full figure may take several evenings;
and the doing, on all cores."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import json
import logging
import math
import multiprocessing
import os
import re
import resource
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from station import __version__
from station.base.disk import keep_file
from station.base.errors import Unreadable
from station.core.launch import PARENT, end_with_parent
from tests.drill.course import Check, Drill, Took, stride

PROJECT = Path(__file__).resolve().parents[2]
FILE = "drill.json"
SHOWN_FAILURES = 5
FLAT = 0.05
SAVED_EVERY_S = 2.0
WARM = 150  # chunks after which a process has filled its caches, as was seen in the hall's year


@dataclass
class Row:
    """How far one drill has come.

    Attributes:
        program: which program it was done to: `program()`; figures of two are never added up.
        commit: its commit, for people.
        cases: how many were done; they are the first so many places of the drill's order.
        units: what they came to, in the drill's unit.
        broken: how many cases broke a promise; the first few are told in `failures`.
        seconds: of work, over all processes.
        growth: how much the memory of a process grew once it was warm, at most, as a part of it;
            None: none became warm.
        slowest: seconds that the slowest unit took, where a promise is about that.
        notes: what else was measured, a line a case.
        lengths: of lengths that were measured, by name: how many, their sum, the sum of their
            squares.
    """

    program: str = ""
    commit: str = ""
    cases: int = 0
    units: int = 0
    broken: int = 0
    seconds: float = 0.0
    growth: float | None = None
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lengths: dict[str, list[int]] = field(default_factory=dict)

    def kept(self, drill: Drill) -> bool:
        """Whether every promise was kept so far."""
        return not self.broken and not (drill.flat and (self.growth or 0.0) > FLAT)


@dataclass
class Tally:
    """The rows of all drills, from one seed."""

    seed: int
    rows: dict[str, Row] = field(default_factory=dict)

    def row(self, drill: Drill) -> Row:
        """The row of a drill as it was left; an empty one before its first case."""
        return self.rows.get(drill.name, Row())

    def begin(self, drill: Drill) -> Row:
        """The row to go on with: a new one where the program has changed since."""
        row = self.rows.get(drill.name)
        if row is None or row.program != program():
            row = self.rows[drill.name] = Row(program(), commit())
        return row

    def save(self, state: Path) -> None:
        """Keeps it in the state folder."""
        state.mkdir(parents=True, exist_ok=True)
        keep_file(state / FILE, (json.dumps(asdict(self), indent=1) + "\n").encode())

    @classmethod
    def load(cls, state: Path, seed: int) -> Tally:
        """The kept one if it is of this seed; else a new one.

        Raises:
            Unreadable: the file is not a tally.
        """
        path = state / FILE
        if not path.exists():
            return cls(seed)
        try:
            data = json.loads(path.read_text())
            kept = cls(data["seed"], {name: Row(**row) for name, row in data["rows"].items()})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Unreadable(
                f"{path}: not a tally of drills ({error}); remove it, then begin anew"
            ) from error
        return kept if kept.seed == seed else cls(seed)


@cache
def program(project: Path = PROJECT) -> str:
    """A digest of the program's code and the drills': what was found of another, or by another, is
    not true of this one."""
    code = {
        path
        for room in ("station", "drivers", "tests/drill")
        for path in (project / room).rglob("*.py")
    }
    digest = hashlib.sha256()
    for path in sorted(path for path in code if not path.name.startswith("test_")):
        digest.update(f"{path.relative_to(project)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def commit() -> str:
    """The commit of this checkout, "+" behind it where files differ; the version where there is
    none."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return f"version {__version__}"
    return done.stdout.strip()


@dataclass(frozen=True)
class _Done:
    units: int
    slowest: float
    failures: list[str]
    notes: list[str]
    lengths: dict[str, list[int]]
    seconds: float
    process: int
    memory: int


def add_lengths(to: dict[str, list[int]], what: str, sums: Sequence[int]) -> None:
    """Adds how many lengths there were, their sum, and the sum of their squares."""
    to[what] = [one + more for one, more in zip(to.get(what, (0, 0, 0)), sums, strict=True)]


def do_chunk(name: str, check: Check, seed: int, numbers: Sequence[int]) -> _Done:
    """The cases of these numbers, in this process."""
    began = time.perf_counter()
    units, slowest = 0, 0.0
    failures, notes = [], []
    lengths: dict[str, list[int]] = {}
    for case in numbers:
        try:
            outcome = check(seed, case)
            took = outcome if isinstance(outcome, Took) else Took(outcome, 0.0)
            units, slowest = units + took.units, max(slowest, took.seconds)
            notes += [took.note] * bool(took.note)
            for what, length in took.lengths.items():
                add_lengths(lengths, what, (1, length, length * length))
        except Exception as error:  # noqa: BLE001 - whatever it is, a promise was not kept, and the case must be told
            failures.append(
                f"--only {name} --seed {seed} --case {case}: {type(error).__name__}: {error}"
            )
    return _Done(
        units,
        slowest,
        failures,
        notes,
        lengths,
        time.perf_counter() - began,
        os.getpid(),
        _memory(),
    )


def _memory() -> int:
    """Bytes of memory that this process has in use for itself alone.

    Pages of libraries are no part of it, they come and go with what else the machine does; nor is
    what was freed and only not given back yet.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    try:
        own = re.search(
            r"^RssAnon:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE
        )
    except OSError:
        own = None
    return (
        int(own[1] if own is not None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) << 10
    )


@dataclass(frozen=True)
class Part:
    """What is to be done of a drill.

    Attributes:
        cases: how many there are in all.
        until: how many are to be done in the end.
        seconds: after so many no more are begun.
    """

    drill: Drill
    cases: int
    until: int
    seconds: float = math.inf


Workers: TypeAlias = Callable[[Callable[[], _Done]], "Future[_Done]"]


class _Underway:
    """A part that is being done: chunks in the drill's order, counted in that order."""

    def __init__(self, part: Part, row: Row, at_once: int, workers: Workers) -> None:
        self.drill, self.row = part.drill, row
        self.waiting: deque[tuple[int, Future[_Done]]] = deque()
        self._part = part
        self._at_once = at_once
        self._workers = workers
        self._first, self._step = row.cases, stride(part.cases)
        self._end = time.monotonic() + part.seconds
        self._warm: dict[int, list[int]] = {}

    def hand_out(self, seed: int) -> None:
        """Gives the workers chunks: one more than are done at a time, so that nobody waits for the
        next."""
        drill, part = self.drill, self._part
        while (
            self._first < part.until
            and len(self.waiting) <= self._at_once
            and time.monotonic() < self._end
        ):
            count = min(drill.chunk, part.until - self._first)
            numbers = [
                place * self._step % part.cases for place in range(self._first, self._first + count)
            ]
            self.waiting.append(
                (count, self._workers(partial(do_chunk, drill.name, drill.check, seed, numbers)))
            )
            self._first += count

    def count(self) -> bool:
        """Adds what is done to the row; gives whether something was."""
        counted = False
        while self.waiting and self.waiting[0][1].done():
            count, future = self.waiting.popleft()
            self._add(count, future.result())
            counted = True
        return counted

    def _add(self, count: int, done: _Done) -> None:
        row = self.row
        row.cases += count
        row.units += done.units
        row.seconds += done.seconds
        row.slowest = max(row.slowest, done.slowest)
        row.broken += len(done.failures)
        row.notes += done.notes
        for what, sums in done.lengths.items():
            add_lengths(row.lengths, what, sums)
        row.failures += done.failures[: SHOWN_FAILURES - len(row.failures)]
        memory = self._warm.setdefault(done.process, [])
        memory.append(done.memory)
        if len(memory) > WARM:
            row.growth = max(row.growth or 0.0, memory[-1] / memory[WARM - 1] - 1)


class Runner:
    """Does drills on several cores and keeps the tally.

    Args:
        state: where the tally is kept, or None.
        processes: how many cases are done at a time, mostly as many as there are cores; 0: all in
            this process.
        seen: told of a drill and its row when something of it is done.
    """

    def __init__(
        self, tally: Tally, state: Path | None, processes: int, seen: Callable[[Drill, Row], None]
    ) -> None:
        self.tally = tally
        self._state = state
        self._processes = processes
        self._seen = seen
        self._saved = time.monotonic()

    def run(self, *parts: Part) -> None:
        """Does these parts side by side, each from where its drill was left: while one waits,
        another works.

        A memory that must be flat is seen in processes that do nothing else: such a drill is a run
        of its own.
        """
        parts = tuple(part for part in parts if part.seconds > 0)
        if not parts:
            return
        at_once = (
            min(1, self._processes) if any(part.drill.single for part in parts) else self._processes
        )
        # Twice as many of those that wait, where nobody works beside them.
        waiters = 2 * at_once if all(part.drill.waits for part in parts) else at_once
        with _workers(at_once) as busy, _workers(waiters) as waiting:
            going = [
                _Underway(
                    part,
                    self.tally.begin(part.drill),
                    *((waiters, waiting) if part.drill.waits else (at_once, busy)),
                )
                for part in parts
            ]
            try:
                self._go_on(going)
            finally:
                self._save()

    def _go_on(self, going: Sequence[_Underway]) -> None:
        while True:
            for one in going:
                one.hand_out(self.tally.seed)
            if not (first := [one.waiting[0][1] for one in going if one.waiting]):
                return
            wait(first, return_when=FIRST_COMPLETED)
            for one in going:
                if one.count():
                    self._seen(one.drill, one.row)
            if time.monotonic() - self._saved > SAVED_EVERY_S:
                self._save()

    def _save(self) -> None:
        self._saved = time.monotonic()
        if self._state is not None:
            self.tally.save(self._state)


@contextmanager
def _workers(processes: int) -> Iterator[Workers]:
    """Where chunks are done: new processes, or this one when there are to be none."""
    if not processes:
        yield _here
        return
    context = multiprocessing.get_context("spawn")
    pool: Executor = ProcessPoolExecutor(processes, context, _follow, (os.getpid(),))
    try:
        yield pool.submit
    finally:
        pool.shutdown(cancel_futures=True)


def _follow(parent: int) -> None:
    """A worker ends with whoever started it, and so do the stations that it started; what is logged
    is not for the terminal."""
    logging.getLogger().addHandler(logging.NullHandler())
    os.environ[PARENT] = str(parent)
    end_with_parent()


def _here(work: Callable[[], _Done]) -> Future[_Done]:
    done: Future[_Done] = Future()
    done.set_result(work())
    return done
