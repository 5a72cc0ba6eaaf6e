"""What the emulated disk holds after a cut of the power."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from random import Random

from tests.emulated.emulator import FLUSH, SECTOR, settle


def log_of(folder: Path, *entries: tuple[int, int, bytes]) -> Path:
    """A log of writes: for each its sector, its flags, its bytes."""
    data = bytearray(SECTOR)
    for sector, flags, wrote in entries:
        data += (
            struct.pack("<4Q", sector, len(wrote) // SECTOR, flags, 0).ljust(SECTOR, b"\0") + wrote
        )
    (folder / "writes").write_bytes(data)
    return folder / "writes"


def test_what_was_flushed_is_kept_and_of_the_rest_each_write_or_not(tmp_path: Path) -> None:
    """Whatever the chance: the first two sectors stand; the later ones come and stay away, not all
    at once."""
    a, b, c, d = (letter * SECTOR for letter in (b"a", b"b", b"c", b"d"))
    path = log_of(tmp_path, (0, 0, a), (1, 0, b), (0, FLUSH, b""), (2, 0, c), (0, 0, d))
    seen = set()
    for seed in range(40):
        with path.open("rb") as log:
            disk = BytesIO(bytes(4 * SECTOR))
            kept, lost = settle(log, disk, Random(seed))
        first, second, third, last = (
            disk.getvalue()[at : at + 1] for at in range(0, 4 * SECTOR, SECTOR)
        )
        assert (second, last) == (b"b", b"\0")
        assert kept + lost == 4
        seen.add((first, third))
    assert seen == {(first, third) for first in (b"a", b"d") for third in (b"c", b"\0")}


def test_a_log_that_ends_in_the_midst_of_a_write_counts_up_to_there(tmp_path: Path) -> None:
    """The emulator was killed while it wrote the log: the torn entry is none."""
    path = log_of(tmp_path, (0, 0, b"a" * SECTOR), (0, FLUSH, b""), (1, 0, b"b" * SECTOR))
    path.write_bytes(path.read_bytes()[:-1])
    disk = BytesIO(bytes(2 * SECTOR))
    with path.open("rb") as log:
        assert settle(log, disk, Random(1)) == (1, 0)
    assert disk.getvalue() == b"a" * SECTOR + bytes(SECTOR)
