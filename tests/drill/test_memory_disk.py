"""The disk in memory: it looks like the real one, forgets what was not synced and nothing else, and
fails when it is told to."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from station.base.disk import Disk, keep_file, keep_folder
from tests.drill.memory_disk import Failing, Folder, MemoryDisk, PowerCut, what_became_of

ROOT = Path("/state")
A, B = ROOT / "a", ROOT / "b"


def disk_with(data: bytes = b"") -> MemoryDisk:
    """A disk with one file that is wholly on the medium."""
    disk = MemoryDisk(Folder({"state": Folder()}, {"state": Folder()}))
    disk.root.sync()
    keep_file(A, data, disk)
    return disk


def append(disk: Disk, path: Path, data: bytes, sync: bool) -> None:
    descriptor = disk.create(path)
    disk.write(descriptor, data)
    if sync:
        disk.sync(descriptor)
    disk.close(descriptor)


def after_crashes(disk: MemoryDisk, path: Path = A, times: int = 300) -> set[bytes | None]:
    """What may stand in a file after the power went; None where there is none."""
    found = [disk.crash(Random(seed)) for seed in range(times)]
    return {one.read(path) if one.is_file(path) else None for one in found}


def test_what_was_synced_survives_every_crash() -> None:
    """Appended and synced, rewritten and synced, or kept whole: one thing only can be found."""
    disk = disk_with(b"one ")
    append(disk, A, b"two ", sync=True)
    disk.write_again(A, 4, b"TWO ")
    assert after_crashes(disk) == {b"one TWO "}


def test_what_was_not_synced_may_be_anything_behind_what_was() -> None:
    """All of it, none, a part, zeros, garbage, its end without its beginning; never less than what
    was synced."""
    disk = disk_with(b"one ")
    append(disk, A, b"two!", sync=False)
    found = after_crashes(disk)
    assert {b"one ", b"one two!", b"one tw", b"one " + bytes(4)} <= found
    assert len(found) > 20
    assert all(one is not None and one.startswith(b"one ") and len(one) <= 8 for one in found)


def test_bytes_on_the_medium_are_old_or_new_never_garbage() -> None:
    """Written again where they stand and not synced, they are the one or the other."""
    disk = disk_with(b"one two")
    disk.failing = Failing(len(disk.calls) + 2, errno.EIO, lost=False)
    with pytest.raises(OSError, match="error"):
        disk.write_again(A, 4, b"TWO")
    assert disk.read(A) == b"one TWO"
    assert after_crashes(disk) == {b"one two", b"one TWO"}


def test_a_new_name_wants_its_folder_synced() -> None:
    """A synced file is surely there after a crash only once its folder was synced; a replaced one
    is old or new, whole."""
    disk = disk_with(b"old")
    append(disk, B, b"new", sync=True)
    assert after_crashes(disk, B) == {None, b"new"}
    disk.replace(B, A)
    assert after_crashes(disk, A) == {b"old", b"new"}
    disk.sync_folder(ROOT)
    assert after_crashes(disk, A) == {b"new"}
    disk.remove(A)
    assert after_crashes(disk, A) == {b"new", None}


def test_a_new_folder_wants_the_one_above_synced() -> None:
    """All that is in it goes with it; `keep_folder` makes every step durable."""
    disk = disk_with()
    disk.make_folder(ROOT / "x")
    keep_file(ROOT / "x" / "f", b"f", disk)
    assert after_crashes(disk, ROOT / "x" / "f") == {None, b"f"}
    keep_folder(ROOT / "y" / "z", disk)
    keep_file(ROOT / "y" / "z" / "f", b"f", disk)
    assert after_crashes(disk, ROOT / "y" / "z" / "f") == {b"f"}


def test_a_cut_length_may_be_forgotten() -> None:
    """A truncation that was not synced was done or was not."""
    disk = disk_with(b"long tail")
    disk.truncate(disk.create(A), 4)
    assert disk.read(A) == b"long"
    assert after_crashes(disk) == {b"long tail", b"long"}


def test_a_killed_process_loses_nothing_and_makes_nothing_durable() -> None:
    """What could be seen still can be; a crash after that may lose it all the same; locks are free
    again."""
    disk = disk_with(b"one ")
    disk.lock(B)
    with pytest.raises(BlockingIOError):
        disk.lock(B)
    append(disk, A, b"two", sync=False)
    again = disk.copy()
    assert again.read(A) == b"one two"
    assert b"one " in after_crashes(again)
    again.close(again.lock(B))
    again.lock(B)


@pytest.mark.parametrize("lost", [True, False])
def test_a_failed_sync_may_leave_what_only_seems_to_be_there(lost: bool) -> None:
    """The bytes can be seen; where the system took them for written, no later sync brings them, but
    written again they come."""
    disk = disk_with(b"one ")
    descriptor = disk.create(A)
    disk.write(descriptor, b"two")
    disk.failing = Failing(len(disk.calls) + 1, errno.EIO, lost=lost)
    with pytest.raises(OSError, match="Input/output"):
        disk.sync(descriptor)
    disk.sync(descriptor)
    assert disk.read(A) == b"one two"
    assert after_crashes(disk) == ({b"one "} if lost else {b"one two"})
    disk.write_again(A, 4, b"two")
    assert after_crashes(disk) == {b"one two"}


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("ever", [False, True])
def test_the_call_that_is_named_fails_with_its_error(error: int, ever: bool) -> None:
    """Once, or with all that change something from then on; what only reads goes on."""
    disk = disk_with(b"one")
    disk.failing = Failing(len(disk.calls) + 1, error, ever)
    with pytest.raises(OSError, match=r".") as caught:
        disk.create(B)
    assert caught.value.errno == error
    assert disk.read(A) == b"one"
    if ever:
        with pytest.raises(OSError, match=r"."):
            disk.remove(A)
    else:
        disk.remove(A)


def test_a_short_write_takes_half() -> None:
    """It says so, and no other call is harmed by it."""
    disk = disk_with()
    descriptor = disk.create(A)
    disk.failing = Failing(len(disk.calls) + 1, None)
    assert disk.write(descriptor, b"12345678") == 4
    assert disk.write(descriptor, b"5678") == 4
    assert disk.read(A) == b"12345678"
    disk.failing = Failing(len(disk.calls) + 1, None)
    with pytest.raises(OSError, match="No space"):
        disk.write_again(A, 0, b"ab")


def test_the_power_goes_before_the_call_that_is_named() -> None:
    """After so many calls there is no more; no handler of errors takes it for an error."""
    disk = disk_with(b"one")
    disk.cut_at = len(disk.calls) + 1
    descriptor = disk.create(A)
    with pytest.raises(PowerCut):
        disk.write(descriptor, b"two")
    assert not issubclass(PowerCut, Exception)
    assert disk.crash(Random(1)).read(A) == b"one"


@given(data=st.binary(min_size=1, max_size=40), seed=st.integers(0, 10**6))
def test_what_became_of_a_write_is_never_more_than_it(data: bytes, seed: int) -> None:
    """However it went, no byte behind its end is touched; and the same luck comes to the same."""
    assert len(what_became_of(data, Random(seed))) <= len(data)
    assert what_became_of(data, Random(seed)) == what_became_of(data, Random(seed))


names = st.sampled_from(["a", "b", "c"])
operations = st.lists(
    st.one_of(
        st.tuples(st.just("append"), names, st.binary(max_size=6)),
        st.tuples(st.just("keep"), names, st.binary(max_size=6)),
        st.tuples(st.just("cut"), names, st.integers(0, 4)),
        st.tuples(st.just("again"), names, st.binary(max_size=3)),
        st.tuples(st.just("remove"), names, st.none()),
        st.tuples(st.just("replace"), names, names),
        st.tuples(st.just("folder"), st.just("d"), st.none()),
    ),
    max_size=12,
)


def do(disk: Disk, root: Path, what: str, name: str, more: Any) -> str:
    """One operation; what came of it."""
    path = root / name
    try:
        match what:
            case "append":
                append(disk, path, more, sync=True)
            case "keep":
                keep_file(path, more, disk)
            case "cut" if disk.is_file(path) and len(disk.read(path)) >= more:
                descriptor = disk.create(path)
                disk.truncate(descriptor, more)
                disk.close(descriptor)
            case "again" if not disk.is_file(path) or len(disk.read(path)) >= len(more):
                disk.write_again(path, 0, more)
            case "remove":
                disk.remove(path)
            case "replace" if more != name:
                disk.replace(path, root / more)
            case "folder":
                disk.make_folder(path)
        disk.sync_folder(root)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=operations)
def test_it_looks_like_the_real_disk(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, Any]]
) -> None:
    """Whatever is done, on the real disk and on this one the same can be seen, and the same errors
    come."""
    real, root = Disk(), tmp_path_factory.mktemp("disk")
    memory = MemoryDisk(Folder({"state": Folder()}, {"state": Folder()}))
    for what, name, more in steps:
        assert do(real, root, what, name, more) == do(memory, ROOT, what, name, more)
    assert sorted(real.names(root)) == sorted(memory.names(ROOT)) == sorted(os.listdir(root))
    for name in real.names(root):
        assert real.is_folder(root / name) == memory.is_folder(ROOT / name)
        if real.is_file(root / name):
            assert real.read(root / name) == memory.read(ROOT / name)
            assert real.read(root / name, 2) == memory.read(ROOT / name, 2)
