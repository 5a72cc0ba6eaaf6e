"""Forged state folders: every judge gives one answer, and the start of the station signs none of
them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from station.base.errors import EXIT_DAMAGED, EXIT_DONE, LotoError
from station.core.daemon import Core
from station.core.environment import Machine
from station.paper.export import to_csv
from station.paper.reports.report_source import read_source
from station.record import audit
from station.record.heads import parse_head
from station.record.session import Session
from station.record.station_key import Key, load_public_key, make_key
from station.record.traces import HEADS, heads_up_to
from station.settings.config import Settings
from tests.attack.forged_states import (
    OTHER,
    TABLE,
    Forged,
    Line,
    heads,
    journal,
    play_nights,
    rewrite,
)
from tests.evenings import SEALED, lines_of, night_of
from tests.support import BROKEN, CLOCK, MemoryDisk, Told, night_in, play, run

DAMAGED_ROWS = 100  # at least


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = tmp_path_factory.mktemp("played")
    return play_nights(state, make_key(state))


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "state"))


# -- the judges ------------------------------------------------------------------------------------


def quiet(done: int, total: int) -> None:
    pass


JUDGES: dict[str, Callable[[Path, list[str]], object]] = {
    "verify": audit.verify,
    "replay": lambda state, keys: [*audit.replay_all(state, quiet, keys)],
    "report": lambda state, keys: read_source(state, None, quiet, keys),
    "export": lambda state, keys: to_csv(state, state.parent / "copy", quiet, keys=keys),
}


def code_of(judge: Callable[[], object]) -> int:
    """The exit code that the command line would end with."""
    try:
        judge()
    except LotoError as error:
        return error.exit_code
    return EXIT_DONE


def answers(state: Path, keys: list[str]) -> dict[str, int]:
    """What each judge says."""
    return {name: code_of(lambda judge=judge: judge(state, keys)) for name, judge in JUDGES.items()}


def start(state: Path) -> None:
    """The start of the core, with all that it opens; it ends at once."""

    async def work() -> None:
        core = Core(
            Settings(),
            state,
            state / "run",
            machine=Machine(clock=CLOCK, check_ground=lambda folder, *, test: None),
        )
        await core.open()
        await core.close()

    asyncio.run(work())


def contents(state: Path) -> dict[Path, bytes]:
    """What stands in every file of every night, as far as it can be read at once."""
    files = [path for path in state.glob("nights/*/*") if path.is_file()]
    return {path: path.read_bytes() for path in files if path.stat().st_size < 1 << 23}


# -- forged ----------------------------------------------------------------------------------------


def test_the_table_is_long_enough() -> None:
    """No name twice, and most of the rows are found by everybody, the start too."""
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert (
        sum((row.code, row.start) == (EXIT_DAMAGED, EXIT_DAMAGED) for row in TABLE) > DAMAGED_ROWS
    )


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_a_forged_folder_gets_one_answer(state: Path, row: Forged) -> None:
    """From verify, replay, report and export the same, without a key that was written down and with
    it; from the start, too, where it can see it. A start that refuses has written nothing."""
    key = load_public_key(state)
    assert key is not None
    row.way(state)
    assert answers(state, []) == dict.fromkeys(JUDGES, row.code)
    assert answers(state, [key]) == dict.fromkeys(JUDGES, row.code)
    before = contents(state)
    assert code_of(lambda: start(state)) == row.start
    if row.start:
        assert contents(state) == before


ROLLED_BACK: dict[str, Callable[[Path], object]] = {
    "the newest night is gone": lambda state: shutil.rmtree(night_of(state, 3)),
    "the newest lines are gone": lambda state: cut(state, 3, 3),
    "all but the opening is gone": lambda state: cut(state, 3, 1),
    "the lines since the last game are gone": lambda state: cut(state, 3, 7),
}


def cut(state: Path, night: int, lines: int) -> None:
    """Leaves so many lines of a night, and the heads of no later ones."""
    beside = heads(night)(state)
    beside.write_bytes(heads_up_to(beside.read_bytes(), lines))
    path = journal(night)(state)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))


@pytest.mark.parametrize("way", ROLLED_BACK)
def test_what_only_a_head_kept_elsewhere_finds(state: Path, way: str) -> None:
    """The newest end taken away together with its heads leaves a whole folder. A head that was
    kept elsewhere tells."""
    whole = audit.verify(state)[-1]
    kept = parse_head(whole.head.note(whole.key, 3))
    assert audit.unlike(state, audit.verify(state), [kept]) is None
    ROLLED_BACK[way](state)
    assert answers(state, []) == dict.fromkeys(JUDGES, EXIT_DONE)
    assert audit.unlike(state, audit.verify(state), [kept]) is not None


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything in a line that is neither list nor object."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else None
    )
    return (
        [path]
        if inner is None
        else [way for key, one in inner for way in leaves(one, (*path, key))]
    )


def altered(line: Line, way: tuple[Any, ...], new: object) -> Line:
    copy: Line = json.loads(json.dumps(line))
    place = copy
    for name in way[:-1]:
        place = place[name]
    place[way[-1]] = new if place[way[-1]] != new else [new]
    return copy


NEW = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2)
)


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data(), keep=st.booleans(), signer=st.sampled_from([None, OTHER]))
def test_no_edit_of_a_night_passes_with_its_key(
    played: Path, tmp_path: Path, data: st.DataObject, keep: bool, signer: Key | None
) -> None:
    """Any one value of any line of a closed night, every line after it right again, the signatures
    kept or another key's, with kept heads or without: verify refuses it, in a sentence, and so do
    the others."""
    state = tmp_path / "state"
    shutil.rmtree(state, ignore_errors=True)
    shutil.copytree(played, state)
    shutil.rmtree(night_of(state, 3))
    key = load_public_key(state)
    assert key is not None
    assert answers(state, [key]) == dict.fromkeys(JUDGES, EXIT_DONE)
    night = data.draw(st.sampled_from([1, 2]))
    lines = lines_of(state, night)
    # the last line of the last night may be a torn one
    place = data.draw(st.integers(0, len(lines) - (2 if night == 2 and signer is None else 1)))
    line = {name: value for name, value in lines[place].items() if name not in SEALED}
    changed = altered(line, data.draw(st.sampled_from(leaves(line))), data.draw(NEW))
    rewrite(state, night, lambda lines: [*lines[:place], changed, *lines[place + 1 :]], signer)
    if not keep:
        for path in state.glob(f"nights/*/{HEADS}"):
            path.unlink()
    assert answers(state, [key]) == dict.fromkeys(JUDGES, EXIT_DAMAGED)


# -- honest ----------------------------------------------------------------------------------------


def all_whole(state: Path) -> None:
    """Every judge takes it, with the station's key and without."""
    key = load_public_key(state)
    assert key is not None
    for keys in ([], [key]):
        assert answers(state, keys) == dict.fromkeys(JUDGES, EXIT_DONE)


def test_what_was_played_is_whole(state: Path) -> None:
    """With a game on the table, and when the night is closed; a start changes nothing of that."""
    all_whole(state)
    start(state)
    all_whole(state)
    with night_in(state, key=make_key(state)) as night:
        run(play(Session(night, Told(), CLOCK), ["close", "close-night"]))
    all_whole(state)
    start(state)  # which begins the next
    assert len(audit.verify(state)) == 4
    all_whole(state)


@pytest.mark.parametrize(
    "acts", [["close"], ["close", "close-night"]], ids=["a game's end", "the night's end"]
)
@pytest.mark.parametrize("why", ["the power went", "the disk failed"])
def test_an_end_whose_head_could_not_be_kept_is_honest(
    state: Path, acts: list[str], why: str
) -> None:
    """Between the line and its head the power went, or the disk failed: the line is signed, and no
    judge misses its head; the next start goes on."""
    disk = MemoryDisk()
    with night_in(state, disk, key=make_key(state)) as night:
        session = Session(night, Told(), CLOCK)
        run(play(session, acts[:-1]))
        disk.fails["sync"] = {disk.count("sync") + 2: BROKEN}  # the first is the line's own
        run(play(session, acts[-1:]))
        assert session.halted
        if why == "the power went":
            with contextlib.suppress(FileNotFoundError):
                (night.folder / f".{HEADS}.new").unlink()
    all_whole(state)
    end = lines_of(state, 3)[-1]
    assert end["do"]["act"] == acts[-1]
    start(state)
    assert len(audit.verify(state)) == 3 + ("close-night" in acts)
    all_whole(state)


@pytest.mark.parametrize("left", ["a torn line", "an unbegun night"])
def test_what_a_power_cut_leaves_is_honest(state: Path, left: str) -> None:
    """Half of a line; and a folder with copies whose opening never became durable."""
    key = make_key(state)
    if left == "a torn line":
        with journal(3)(state).open("ab") as file:
            file.write(b'{"at":{"trust"')
    else:
        with night_in(state, key=key) as night:
            run(play(Session(night, Told(), CLOCK), ["close", "close-night"]))
        night_of(state, 4).mkdir()
        for path in night_of(state, 3).glob("p*"):
            shutil.copy(path, night_of(state, 4))
        journal(4)(state).write_bytes(b'{"at":')
    all_whole(state)
    start(state)
    assert answers(state, []) == dict.fromkeys(JUDGES, EXIT_DONE)
