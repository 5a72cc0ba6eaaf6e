"""The glossary is true: one row a word, and each word lives where its row says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
GLOSSARY = PROJECT / "docs" / "glossary.md"


def rows(text: str) -> list[tuple[str, ...]]:
    """The rows of all tables: word, meaning, place, and what a British hall says."""
    lines = re.findall(r"^\| (?!word \|)(.*) \|$", text, re.MULTILINE)
    return [tuple(cell.strip() for cell in re.split(r" \|", line)) for line in lines]


ROWS = rows(GLOSSARY.read_text(encoding="utf-8"))


def lacking(place: str) -> list[str]:
    """What of a place, a path and a name that is defined there, does not exist."""
    path, *names = re.findall("`([^`]+)`", place)
    if not (PROJECT / path).exists():
        return [path]
    defined = (r"^ *(?:class|def) {0}\b", r"^ *{0}\b(?:: \w+)? =", r"^[A-Z_, ]*\b{0}\b.* = ")
    return [
        name
        for name in names
        if not any(
            re.search(way.format(name), (PROJECT / path).read_text("utf-8"), re.MULTILINE)
            for way in defined
        )
    ]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_word_lives_where_the_glossary_says(row: tuple[str, ...]) -> None:
    """Four cells: a word, a plain sentence, a place that exists, a hall's word where it differs."""
    word, meaning, place, _ = row
    assert word
    assert re.fullmatch(r"[A-Z].*\.", meaning)
    assert lacking(place) == []


def test_a_word_stands_once_and_in_order() -> None:
    """No word has two rows, and a table can be searched by eye."""
    words = [row[0] for row in ROWS]
    assert len(words) == len(set(words))
    text = GLOSSARY.read_text(encoding="utf-8")
    for table in re.split("^## ", text, flags=re.MULTILINE)[1:]:
        assert [row[0] for row in rows(table)] == sorted(row[0] for row in rows(table))


def test_a_word_that_moved_is_found() -> None:
    """The check above is one: a file that is gone, a class that has another name."""
    assert lacking("`station/night/gone.py` `Bag`") == ["station/night/gone.py"]
    assert lacking("`station/night/fair.py` `FairBag` `Sack`") == ["Sack"]
