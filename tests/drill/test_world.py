"""The deterministic world: one seed is one evening, to the last byte; every fault of a device;
stations built wrong."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from functools import partial, partialmethod
from hashlib import sha256
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from drivers.sleeper import Turns
from tests.drill.course import Broken
from tests.drill.devices import FAULTS, NAME, Evening, check, luck, play
from tests.drill.evening import record
from tests.drill.notebook import lit_numbers, placed
from tests.drill.virtual_time import NothingMore, VirtualLoop, VirtualSleeper
from tests.drill.wrong_stations import BUILT_WRONG, Built

SEED = 7
FEW = 12  # calls


def evening(case: int, calls: int = FEW) -> Evening:
    return play(luck(NAME, SEED, case), calls)


def everything(played: Evening) -> tuple[object, ...]:
    """All that came out of an evening: the journal's bytes, the pictures, the announcements, and
    when."""
    world = played.world
    said = [(one.at, one.clips, one.ended, one.heard) for one in world.spoken]
    return record(world.disk), world.pictures, said, world.happened


# -- one seed --------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_same_seed_is_the_same_evening() -> None:
    """Every byte of the journal, every picture, every announcement, and the moment of each."""
    assert everything(evening(1)) == everything(evening(1))


@pytest.mark.long
def test_another_seed_is_another_evening() -> None:
    """Not one of them is the same."""
    for one, other in zip(everything(evening(1)), everything(evening(2)), strict=True):
        assert one != other


@pytest.mark.long
def test_another_process_plays_the_same_evening() -> None:
    """Nothing hangs on what a process has of its own: addresses, hashes, what was done before."""
    code = (
        "import sys; from hashlib import sha256; from tests.drill.evening import record\nfrom"
        f" tests.drill.devices import luck, play; world = play(luck({NAME!r}, {SEED}, 1),"
        f" {FEW}).world\nprint(sha256(record(world.disk) + repr((world.pictures,"
        " world.happened)).encode()).hexdigest())"
    )
    environ = {**os.environ, "PYTHONHASHSEED": "77"}
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    world = evening(1).world
    assert (
        done.stdout.strip()
        == sha256(record(world.disk) + repr((world.pictures, world.happened)).encode()).hexdigest()
    )


# -- every fault -----------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_each_fault_alone(fault: str) -> None:
    """It comes, and goes; the journal, the board, the voice and the screens are as the notebook
    says."""
    for case in range(5):
        played = play(Random(case), 25, [fault])
        assert set(played.faults) <= {fault, "a button bounces"}
        if played.faults[fault]:
            return
    raise AssertionError(f"{fault}: it never came")


@pytest.mark.long
def test_all_of_them_at_once() -> None:
    """A whole evening of the drill: many faults, nothing lost."""
    assert check(SEED, 3) > 60


# -- stations built wrong --------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "kind", "method", "said"),
    BUILT_WRONG,
    ids=[wrong.__name__.replace("_", " ") for wrong, *_ in BUILT_WRONG],
)
def test_a_station_built_wrong_is_found(
    wrong: Built,
    kind: type | ModuleType,
    method: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a few evenings; what is said is what is wrong, with the scenario."""
    bound = partialmethod if isinstance(kind, type) else partial
    monkeypatch.setattr(kind, method, bound(wrong, build=getattr(kind, method)))
    with pytest.raises(Broken, match=said) as found:
        some_evenings()
    assert "1000.000  the station is started" in str(found.value)


def some_evenings() -> None:
    for case in range(12):
        evening(case, 20)


def test_a_failure_is_told_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seed and the number of the case come to the same scenario, word for word."""
    monkeypatch.setattr("station.calling.desk.Desk._note", lambda *_: None)
    with pytest.raises(Broken) as first:
        evening(0)
    with pytest.raises(Broken) as second:
        evening(0)
    assert str(first.value) == str(second.value)


# -- the time and the eye --------------------------------------------------------------------------


def test_virtual_time_jumps_and_keeps_its_order() -> None:
    """Timers run in the order of their times, each when it is due; no real time passes in
    between."""
    seen: list[tuple[str, float]] = []

    async def work() -> None:
        loop = asyncio.get_running_loop()
        for name, after in (("b", 2 * 3600.0), ("a", 3600.0), ("now", 0.0)):
            loop.call_later(after, lambda name=name: seen.append((name, round(loop.time(), 6))))
        await asyncio.sleep(3 * 3600)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(work())
    assert seen == [("now", 1000), ("a", 4600), ("b", 8200)]


def test_waiting_for_nothing_is_told() -> None:
    """Where everybody waits for ever, the loop says so instead of hanging."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner, pytest.raises(NothingMore):
        runner.run(asyncio.Event().wait())


def test_a_virtual_sleeper_takes_turns_as_a_thread_does() -> None:
    """The first at once, then when due, or woken; none after stop; one that fails is not the
    last."""
    taken: list[float] = []

    def turn(now: float) -> float | None:
        taken.append(round(now, 6))
        if len(taken) == 2:
            raise RuntimeError("chip gone")
        return now + 5 if len(taken) == 1 else None

    async def work() -> None:
        sleeper: Turns = VirtualSleeper("test", turn, clock=asyncio.get_running_loop().time)
        assert not sleeper.alive
        sleeper.start()
        await asyncio.sleep(7)
        sleeper.wake()
        sleeper.wake()
        await asyncio.sleep(1)
        sleeper.stop()
        sleeper.wake()
        await asyncio.sleep(1)
        assert not sleeper.alive

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(work())
    assert taken == [1000, 1005, 1007]


def test_the_eye_reads_what_the_board_shows() -> None:
    """At the end of an evening: the last ten, each in its place; a dark board is ten dark
    cavities."""
    played = evening(4)
    _, picture = played.world.pictures[-1]
    assert lit_numbers(["." * 80] * 16) == [0] * 10
    assert lit_numbers(["#" * 80] * 16) == [None] * 10
    assert placed([*range(1, 13)]) == [11, 12, 3, 4, 5, 6, 7, 8, 9, 10]
    assert len(picture) == 16
