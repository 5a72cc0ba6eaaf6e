"""Files and messages that a driver did not write itself: bounded, and never waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.given import LONGEST_MESSAGE, file_bytes, message_from


def test_a_file_is_read_to_its_bound(tmp_path: Path) -> None:
    """Just as many bytes are read; one more is refused."""
    (tmp_path / "x").write_bytes(b"x" * 100)
    assert file_bytes(tmp_path / "x", 100) == b"x" * 100
    with pytest.raises(OSError, match="longer than 99 bytes"):
        file_bytes(tmp_path / "x", 99)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_file_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A pipe, a folder, a device: at once."""
    make(tmp_path / "x")
    with pytest.raises(OSError, match=r"no regular file|Is a directory"):
        file_bytes(tmp_path / "x", 100)


@pytest.mark.parametrize(
    "line", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5_000, b" " * (LONGEST_MESSAGE + 1)]
)
def test_a_message_that_is_none_is_one_error(line: bytes) -> None:
    """Whatever is wrong with it."""
    with pytest.raises(ValueError, match=r".+"):
        message_from(line)
    assert message_from(b'{"ready": 3}\n') == {"ready": 3}
