"""How far the drills have come, kept in a file, so that a full figure may take several evenings; and the doing, on all cores."""

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
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from pathlib import Path

from station import __version__
from station.disk import keep_file
from station.drill.course import Check, Drill, Took, stride
from station.errors import Unreadable
from station.launch import PARENT, end_with_parent

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
        growth: how much the memory of a process grew once it was warm, at most, as a part of it; None: none became warm.
        slowest: seconds that the slowest unit took, where a promise is about that.
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
            raise Unreadable(f"{path}: not a tally of drills ({error}); remove it, then begin anew") from error
        return kept if kept.seed == seed else cls(seed)


@cache
def program() -> str:
    """A digest of the program's own code: what was found of another is not true of this one."""
    station = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(path for folder in (station, station.with_name("drivers")) for path in folder.rglob("*.py")):
        digest.update(f"{path.relative_to(station.parent)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def commit() -> str:
    """The commit of this checkout, "+" behind it where files differ; the version where there is none."""
    folder = Path(__file__).parent
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
            cwd=folder,
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
    seconds: float
    process: int
    memory: int


def do_chunk(name: str, check: Check, seed: int, numbers: Sequence[int]) -> _Done:
    """The cases of these numbers, in this process."""
    began = time.perf_counter()
    units, slowest = 0, 0.0
    failures = []
    for case in numbers:
        try:
            outcome = check(seed, case)
            took = outcome if isinstance(outcome, Took) else Took(outcome, 0.0)
            units, slowest = units + took.units, max(slowest, took.seconds)
        except Exception as error:  # noqa: BLE001 - whatever it is, a promise was not kept, and the case must be told
            failures.append(f"--only {name} --seed {seed} --case {case}: {type(error).__name__}: {error}")
    return _Done(units, slowest, failures, time.perf_counter() - began, os.getpid(), _memory())


def _memory() -> int:
    """Bytes of memory that this process has in use for itself alone.

    Pages of libraries are no part of it, they come and go with what else the machine does; nor is what was freed and only not
    given back yet.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    try:
        own = re.search(r"^RssAnon:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    except OSError:
        own = None
    return int(own[1] if own is not None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) << 10


class Runner:
    """Does drills on several cores and keeps the tally.

    Args:
        state: where the tally is kept, or None.
        seen: told of a drill and its row after each chunk.
    """

    def __init__(self, tally: Tally, state: Path | None, processes: int, seen: Callable[[Drill, Row], None]) -> None:
        self.tally = tally
        self._state = state
        self._processes = processes
        self._seen = seen
        self._saved = time.monotonic()

    def run(self, drill: Drill, cases: int, until: int, seconds: float = math.inf) -> Row:
        """Goes on with a drill until so many of its cases are done, or so many seconds are over.

        Args:
            cases: how many there are in all.
        """
        if seconds <= 0:
            return self.tally.row(drill)
        end = time.monotonic() + seconds
        row = self.tally.begin(drill)
        processes = self._processes * (2 if drill.waits else 1)
        warm: dict[int, list[int]] = {}
        first, step = row.cases, stride(cases)
        try:
            with _workers(processes) as workers:
                waiting: deque[tuple[int, Future[_Done]]] = deque()
                while waiting or (first < until and time.monotonic() < end):
                    while first < until and len(waiting) <= processes and time.monotonic() < end:
                        count = min(drill.chunk, until - first)
                        numbers = [place * step % cases for place in range(first, first + count)]
                        waiting.append((count, workers(partial(do_chunk, drill.name, drill.check, self.tally.seed, numbers))))
                        first += count
                    if waiting:
                        count, future = waiting.popleft()
                        self._count(drill, row, count, future.result(), warm)
        finally:
            self._save()
        return row

    def _count(self, drill: Drill, row: Row, count: int, done: _Done, warm: dict[int, list[int]]) -> None:
        row.cases += count
        row.units += done.units
        row.seconds += done.seconds
        row.slowest = max(row.slowest, done.slowest)
        row.broken += len(done.failures)
        row.failures += done.failures[: SHOWN_FAILURES - len(row.failures)]
        memory = warm.setdefault(done.process, [])
        memory.append(done.memory)
        if len(memory) > WARM:
            row.growth = max(row.growth or 0.0, memory[-1] / memory[WARM - 1] - 1)
        if time.monotonic() - self._saved > SAVED_EVERY_S:
            self._save()
        self._seen(drill, row)

    def _save(self) -> None:
        self._saved = time.monotonic()
        if self._state is not None:
            self.tally.save(self._state)


@contextmanager
def _workers(processes: int) -> Iterator[Callable[[Callable[[], _Done]], Future[_Done]]]:
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
    """A worker ends with whoever started it, and so do the stations that it started; what is logged is not for the terminal."""
    logging.getLogger().addHandler(logging.NullHandler())
    os.environ[PARENT] = str(parent)
    end_with_parent()


def _here(work: Callable[[], _Done]) -> Future[_Done]:
    done: Future[_Done] = Future()
    done.set_result(work())
    return done
