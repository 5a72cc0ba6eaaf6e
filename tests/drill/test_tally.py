"""The tally of the drills: counted right, kept, gone on with; failures told; the command and its
page."""

from __future__ import annotations

import gc
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from station.base.errors import LotoError, Unreadable
from station.commands.app import app
from tests.drill.course import Broken, Drill, Took, stride
from tests.drill.report import page, result
from tests.drill.tally import FILE, SHOWN_FAILURES, Part, Row, Runner, Tally, commit, program


class Counting:
    """A drill's check with memory: which cases were done, and which are to break."""

    def __init__(self, *broken: int) -> None:
        self.done: list[int] = []
        self.broken = broken

    def __call__(self, seed: int, case: int) -> int:
        self.done.append(case)
        if case in self.broken:
            raise Broken(f"case {case} of seed {seed}")
        return 2

    def drill(self, cases: int = 10, chunk: int = 3) -> Drill:
        return Drill("counting", "it counts", "beans", self, lambda _: cases, quick=5, chunk=chunk)


def run(
    drill: Drill,
    tally: Tally,
    state: Path | None,
    until: int,
    cases: int = 10,
    seconds: float = math.inf,
) -> Row:
    """Does it in this process."""
    Runner(tally, state, 0, lambda *_: None).run(Part(drill, cases, until, seconds))
    return tally.row(drill)


@pytest.mark.parametrize("cases", [1, 2, 3, 7, 10, 96, 1000])
def test_every_case_is_done_once(cases: int) -> None:
    """However many there are, the stride comes to each of them, and only once."""
    assert sorted(place * stride(cases) % cases for place in range(cases)) == list(range(cases))


@pytest.mark.long
def test_a_drill_goes_on_where_it_was(tmp_path: Path) -> None:
    """What one run did the next one does not do again; in the end all cases are done, and counted
    in the drill's unit."""
    counting = Counting()
    drill = counting.drill()
    run(drill, Tally(1), tmp_path, until=4)
    assert len(counting.done) == 4
    row = run(drill, Tally.load(tmp_path, 1), tmp_path, until=10)
    assert sorted(counting.done) == list(range(10))
    assert (row.cases, row.units, row.broken) == (10, 20, 0)
    assert Tally.load(tmp_path, 1).row(drill) == row
    assert row.kept(drill)


@pytest.mark.long
def test_several_drills_are_done_side_by_side() -> None:
    """None waits for another's end, and each comes to its own row; one that is given no time stays
    as it was."""
    one, other, idle = Counting(2), Counting(), Counting()
    waits = replace(other.drill(4, chunk=1), name="other", waits=True)
    tally, seen = Tally(1), []
    runner = Runner(tally, None, 0, lambda drill, row: seen.append((drill.name, row.cases)))
    runner.run(
        Part(one.drill(), 10, 7),
        Part(waits, 4, 3),
        Part(replace(idle.drill(), name="idle"), 10, 9, seconds=0),
    )
    assert seen == [
        ("counting", 3),
        ("other", 1),
        ("counting", 6),
        ("other", 2),
        ("counting", 7),
        ("other", 3),
    ]
    assert [tally.rows[name].broken for name in ("counting", "other")] == [1, 0]
    assert (len(one.done), len(other.done), idle.done) == (7, 3, [])
    assert "idle" not in tally.rows


def test_another_seed_begins_anew(tmp_path: Path) -> None:
    """Figures of two seeds are never added up."""
    run(Counting().drill(), Tally(1), tmp_path, until=4)
    assert Tally.load(tmp_path, 2).rows == {}


@pytest.mark.long
def test_another_program_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found of another program is shown until the drill is done again, and never added
    to."""
    drill = Counting().drill()
    run(drill, Tally(1), tmp_path, until=4)
    monkeypatch.setattr("tests.drill.tally.program", lambda: "another")
    tally = Tally.load(tmp_path, 1)
    assert tally.row(drill).cases == 4
    assert run(drill, tally, tmp_path, until=6).cases == 6
    assert tally.row(drill).program == "another"


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("station/night/hall.py", True),
        ("drivers/readers/frames.py", True),
        ("tests/drill/crash.py", True),
        ("tests/drill/test_crash.py", False),
        ("tests/support.py", False),
    ],
)
def test_another_program_is_one_whose_code_or_drills_differ(
    file: str, counts: bool, tmp_path: Path
) -> None:
    """The station's code, the drivers' and the drills' own; not the tests."""
    for project, text in (("before", "one = 1"), ("after", "one = 2")):
        (path := tmp_path / project / file).parent.mkdir(parents=True)
        path.write_text(text)
    assert (program(tmp_path / "before") != program(tmp_path / "after")) is counts


def test_the_slowest_is_kept() -> None:
    """Where a case says how long it took, the row has the slowest."""
    seconds = [3.0, 5.5, 2.0]
    drill = replace(Counting().drill(3), check=lambda _, case: Took(1, seconds[case]))
    row = run(drill, Tally(1), None, until=3, cases=3)
    assert (row.units, row.slowest) == (3, 5.5)
    assert "| 5.5 s |" in page(Tally(1, {"counting": row}), [drill], {"counting": 3})


def test_no_time_does_nothing() -> None:
    """A drill that is given no time does no case, and what an earlier program was put through is
    still shown."""
    counting = Counting()
    before = Row("another", "abc", cases=3)
    assert (
        run(counting.drill(), Tally(1, {"counting": before}), None, until=10, seconds=0) == before
    )
    assert counting.done == []


def test_what_is_broken_is_told_with_its_number() -> None:
    """All are counted; the first few are kept, each with what must be typed to do it again."""
    counting = Counting(*range(3, 10))
    row = run(counting.drill(), Tally(4), None, until=10)
    assert (row.broken, len(row.failures)) == (7, SHOWN_FAILURES)
    assert not row.kept(counting.drill())
    told = row.failures[0]
    assert told.startswith("--only counting --seed 4 --case ")
    assert "Broken: case" in told


def test_memory_that_grows_is_a_broken_promise_where_it_must_be_flat() -> None:
    """Five parts in a hundred are allowed, no more; other drills may fill their caches."""
    drill = Counting().drill()
    grown = Row(cases=1, growth=0.06)
    assert grown.kept(drill)
    assert not grown.kept(replace(drill, flat=True))
    assert result(replace(drill, flat=True), grown) == "memory grew 6%"


@pytest.mark.parametrize(("leak", "flat"), [(0, True), (16 << 20, False)])
def test_a_leak_is_found_once_the_process_is_warm(
    leak: int, flat: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A station that keeps something of every case grows and is found; one that frees what it used
    does not, however much."""
    monkeypatch.setattr("tests.drill.tally.WARM", 3)
    kept: list[bytes] = []

    def check(seed: int, case: int) -> int:
        used = b"1" * (16 << 20)  # a worker that has run other tests is large itself
        kept.append(used[:leak])
        return 1

    drill = replace(Counting().drill(20, chunk=1), check=check, flat=True)
    gc.freeze()  # nor is what those tests keep looked through after each case
    row = run(drill, Tally(1), None, until=20, cases=20)
    assert row.kept(drill) is flat
    assert "no process grew by more than" in page(
        Tally(1, {"counting": row}), [drill], {"counting": 20}
    )


def test_memory_nobody_measured_is_not_called_flat() -> None:
    """Where no process became warm the page says so."""
    drill = replace(Counting().drill(), flat=True)
    row = run(drill, Tally(1), None, until=10)
    assert row.growth is None
    assert "not measured, no process became warm" in page(
        Tally(1, {"counting": row}), [drill], {"counting": 10}
    )


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"seed": 1}', '{"seed": 1, "rows": {"x": {"no": 1}}}']
)
def test_a_tally_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    """It is not overwritten, and the message says what to do."""
    (tmp_path / FILE).write_text(text)
    with pytest.raises(Unreadable, match=rf"{FILE}: not a tally .*remove it"):
        Tally.load(tmp_path, 1)


def test_the_page_says_what_was_reached() -> None:
    """Commit, seed, counts, the full figure, the result and each failure stand on the page, and
    what is not in it."""
    counting = Counting(0)
    drill = counting.drill()
    tally = Tally(7)
    run(drill, tally, None, until=4)
    text = page(tally, [drill], {"counting": 10})
    for part in (
        commit(),
        "Seed 7",
        "| 6 beans | 10 | 1 broken |",
        "it counts",
        "case 0 of seed 7",
    ):
        assert part in text
    assert "not done" in page(Tally(7), [drill], {"counting": 10})


def test_the_program_is_named() -> None:
    """A commit in a checkout, a version elsewhere; and a digest of all its modules."""
    assert commit()
    assert len(program()) == 16


def test_the_command_does_a_drill_and_writes_the_page(tmp_path: Path) -> None:
    """`loto drill --quick` in processes of its own: a table, a page, exit code 0; nothing in the
    state folder."""
    target = tmp_path / "drill.md"
    arguments = [
        "drill",
        "--quick",
        "--only",
        "frames-id12la",
        "--minutes",
        "0.0001",
        "--out",
        str(target),
        "--state",
        str(tmp_path),
    ]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "frames-id12la" in done.output
    assert "| frames-id12la |" in target.read_text()
    assert not (tmp_path / FILE).exists()


@pytest.mark.long
def test_the_command_keeps_a_full_tally(tmp_path: Path) -> None:
    """Without `--quick` the tally is kept in the state folder."""
    done = CliRunner().invoke(
        app, ["drill", "--only", "tail", "--minutes", "0", "--state", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    assert not (tmp_path / FILE).exists()
    done = CliRunner().invoke(
        app, ["drill", "--only", "tail", "--minutes", "0.0001", "--state", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    assert "tail" in json.loads((tmp_path / FILE).read_text())["rows"]


def test_the_command_does_one_case_again() -> None:
    """A case is done by its number alone."""
    done = CliRunner().invoke(app, ["drill", "--only", "tail", "--seed", "3", "--case", "12"])
    assert "tail, seed 3, case 12: kept (1 tails)" in done.output


@pytest.mark.parametrize("arguments", [["--only", "nonsense"], ["--case", "1"]])
def test_a_wrong_command_says_why(arguments: list[str]) -> None:
    """An unknown drill, or a case of no drill, is refused before anything is done."""
    done = CliRunner().invoke(app, ["drill", *arguments])
    assert "there is no drill 'nonsense'" in str(done.exception) or "say with --only" in str(
        done.exception
    )


def test_an_installed_station_says_where_the_drills_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come with the checkout: one sentence says so, and how to get one; exit code 2."""
    monkeypatch.setattr("station.machine.bundle.PROJECT", tmp_path)
    done = CliRunner().invoke(app, ["drill", "--quick"])
    assert isinstance(done.exception, LotoError)
    assert done.exception.exit_code == 2
    assert (
        f"the drills come with the checkout, and {tmp_path} is not one: go to yours, or unpack"
        in str(done.exception)
    )


@pytest.mark.long
def test_a_checkout_without_the_drills_library_says_so() -> None:
    """Started beside `./loto` it may lack what only drills need: a sentence, and exit code 2."""
    code = (
        "import sys; sys.modules['hypothesis'] = None; sys.argv[1:] = ['drill']; from"
        " station.commands.app import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "the library 'hypothesis' is missing: ./loto drill" in " ".join(done.stderr.split())
