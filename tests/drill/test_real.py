"""Proof that each of the real drills would notice. A part of the drills themselves is done by
`./loto test`, after the tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from station.record.chain import canonical
from station.record.journal import FILE
from station.wire.board_view import BoardView, Phase
from tests.drill import real
from tests.drill.real import TROUBLES, Book, calls_of, hang, journal_lines, kill_core, kill_station
from tests.drill.rig import SPIN, DrillFailed, descendants

# -- the drills themselves -------------------------------------------------------------------------


def line(seq: int, act: str, **arguments: Any) -> dict[str, Any]:
    return {"seq": seq, "id": f"c{seq}", "do": {"act": act, **arguments}}


LINES = [
    line(1, "open"),
    line(2, "draw", number=7),
    line(3, "draw", number=9),
    line(4, "undo"),
    line(5, "draw", number=4),
]


def night_with(state: Path, lines: list[dict[str, Any]], tail: bytes = b"") -> None:
    folder = state / "nights" / "0001"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_bytes(b"".join(canonical(one) + b"\n" for one in lines) + tail)


@pytest.mark.parametrize(
    ("count", "calls"), [(0, ()), (1, ()), (2, (7,)), (3, (7, 9)), (4, (7,)), (5, (7, 4))]
)
def test_the_calls_are_told_from_the_acts(count: int, calls: tuple[int, ...]) -> None:
    """Draws less what was taken back, of the last game."""
    assert calls_of(LINES[:count]) == calls
    assert calls_of([*LINES[:count], line(9, "open")]) == ()


def test_whole_lines_are_read(tmp_path: Path) -> None:
    """What stands behind the last newline was never a line."""
    night_with(tmp_path, LINES, b'{"seq":6')
    assert journal_lines(tmp_path / "nights" / "0001" / FILE) == json.loads(json.dumps(LINES))


def shown(seq: int, called: tuple[int, ...]) -> BoardView:
    return BoardView.model_construct(night=1, seq=seq, called=called, phase=Phase.PLAYING)


@pytest.mark.parametrize(
    ("lines", "book", "said"),
    [
        (LINES, Book({(1, "c5"): 5, (1, "c2"): 2}, shown=shown(3, (7, 9))), ""),
        (
            LINES[:4],
            Book({(1, "c5"): 5}),
            "night 1, line 5, command c5: acknowledged, but it is not in the journal",
        ),
        (LINES, Book({(1, "c5"): 4}), "command c5: acknowledged, but"),
        (LINES, Book({(2, "c5"): 5}), "night 2, line 5"),
        (LINES, Book(shown=shown(3, (7,))), "after line 3 the screens showed other calls"),
        (LINES[:2], Book(shown=shown(3, (7, 9))), "the screens showed other calls"),
    ],
)
def test_a_station_that_lost_something_is_found_out(
    tmp_path: Path, lines: list[dict[str, Any]], book: Book, said: str
) -> None:
    """An act acknowledged and gone, or at another place, or of another night; a number shown and
    not on disk."""
    night_with(tmp_path, lines)
    if said:
        with pytest.raises(DrillFailed, match=said):
            book.check_journal(tmp_path)
    else:
        book.check_journal(tmp_path)


# A station that answers, and forgets: the journal's file does not keep what was written since the
# start.
FORGETFUL = """
import os
import shutil
from station.base import disk
def write(self, descriptor, data):
    return len(data)
disk.Disk.write = write
"""
# One that starts in the right game and says nothing.
MUTE = """
from station.calling import outputs
outputs.OutputSender.greet = lambda self, resumed: None
"""


# One whose launcher waits for ever, and one that leaves a number unheard that was called while the
# voice hung.
PATIENT = """
from station.core import launch
launch.CORE_SILENT_S = 1000.0
"""
SHRUGGING = """
from station.calling.machine import MachineStep
MachineStep._voice_back = lambda self: None
"""


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has the stations of this test run with a mutant in them."""

    def mutate(mutant: str) -> None:
        monkeypatch.setattr("tests.drill.rig.SPIN", SPIN + mutant)
        # The first that is found ends it; how many kills that takes is a matter of real time.
        monkeypatch.setattr(real, "CORE_KILLS", 40)
        monkeypatch.setattr(real, "STATION_KILLS", 40)

    return mutate


@pytest.mark.long
@pytest.mark.parametrize("drill", [kill_core, kill_station])
@pytest.mark.parametrize(
    ("mutant", "said"),
    [
        (FORGETFUL, "not in the journal|does not start|other calls"),
        (MUTE, "was not said again|no answer"),
    ],
    ids=["forgetful", "mute"],
)
def test_a_faulty_station_that_is_killed_is_found_out(
    drill: Callable[[int, int], int],
    mutant: str,
    said: str,
    faulty: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The drill catches a station that writes nothing, and one that does not say the last number
    again."""
    faulty(mutant)
    if mutant == MUTE:  # is not waited for longer
        monkeypatch.setattr(real, "SAY_LIMIT_S", 3.0)
    with pytest.raises(DrillFailed, match=said) as caught:
        drill(3, 0)
    remove_kept(caught.value)


@pytest.mark.long
@pytest.mark.parametrize(
    ("trouble", "mutant"),
    # On a busy machine an impatient launcher may start the core again, which then speaks.
    [("busy", PATIENT), ("stopped", PATIENT), ("voice", SHRUGGING + PATIENT)],
    ids=["busy", "stopped", "voice"],
)
def test_a_faulty_station_that_hangs_is_found_out(
    trouble: str, mutant: str, faulty: Callable[[str], None]
) -> None:
    """The drill catches a station that is never started again, and one that forgets the number
    nobody heard."""
    faulty(mutant)
    with pytest.raises(DrillFailed, match=f"{trouble}: nothing was announced within") as caught:
        hang(0, TROUBLES.index(trouble))
    remove_kept(caught.value)


def remove_kept(error: Exception) -> None:
    """The folder that a failed drill keeps, to look into."""
    folder = Path(str(error).rpartition(": ")[2])
    assert folder.is_dir()
    shutil.rmtree(folder)


def test_all_that_a_process_started_is_found() -> None:
    """Children and theirs, whatever they are called."""
    script = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True);"
        " input()'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = descendants(process.pid)
        assert len(found) == 1
        assert found[0] in descendants(os.getpid())
        process.communicate(b"\n")
