"""How long a file that somebody named may be, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from station.base.errors import Unreadable
from station.base.untrusted import LONGEST_KEY, file_bytes, read_json


def test_a_file_of_the_greatest_length_is_read_and_none_longer(tmp_path: Path) -> None:
    """The limit itself is allowed; the sentence behind it names the limit."""
    file = tmp_path / "file"
    file.write_bytes(b"1234")
    assert file_bytes(file, most=4) == b"1234"
    with pytest.raises(Unreadable, match="longer than 3 bytes"):
        file_bytes(file, most=3)


@pytest.mark.parametrize("spelt", ["é", "\\u00e9"])
def test_a_key_may_be_longer_where_a_caller_says_so(tmp_path: Path, spelt: str) -> None:
    """For files that ship; whoever says nothing reads no key beyond the limit."""
    file = tmp_path / "file"
    file.write_text(f'{{"{spelt * (LONGEST_KEY + 1)}": "1"}}', "utf-8")
    with pytest.raises(Unreadable, match="a key of 201 characters; 200 is the most"):
        read_json(file)
    assert read_json(file, longest_key=201) == {"é" * 201: "1"}
