"""How long a file that somebody named may be, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from station.base.errors import Unreadable
from station.base.untrusted import file_bytes


def test_a_file_of_the_greatest_length_is_read_and_none_longer(tmp_path: Path) -> None:
    """The limit itself is allowed; the sentence behind it names the limit."""
    file = tmp_path / "file"
    file.write_bytes(b"1234")
    assert file_bytes(file, most=4) == b"1234"
    with pytest.raises(Unreadable, match="longer than 3 bytes"):
        file_bytes(file, most=3)
