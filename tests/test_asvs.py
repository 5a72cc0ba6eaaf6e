"""The page that puts the web beside OWASP's ASVS: no point is missing, and each test that it names
is one."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PAPER = TESTS.parent / "docs" / "asvs.md"
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
ELSE = ("*Not met*", "*In part*", "*Does not apply*")
# The points of ASVS 5.0.0, by level.
POINTS = {
    "1": (
        "3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1 3.5.2 3.5.3 4.1.1 4.4.1 6.1.1 6.2.1 6.2.2 "
        "6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2 7.2.1 7.2.2 7.2.3 "
        "7.2.4 7.4.1 7.4.2 8.1.1 8.2.1 8.2.2 8.3.1 "
    ),
    "2": (
        "3.3.2 3.3.3 3.3.4 3.4.3 3.4.4 3.4.5 3.4.6 3.5.4 3.5.5 3.7.1 3.7.2 4.1.2 4.1.3 "
        "4.2.1 4.3.1 4.3.2 4.4.2 4.4.3 4.4.4 6.1.2 6.1.3 6.2.9 6.2.10 6.2.11 6.2.12 6.3.3 "
        "6.3.4 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3 6.8.1 6.8.2 "
        "6.8.3 6.8.4 7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 "
        "7.6.2 8.1.2 8.2.3 8.4.1 "
    ),
}


def rows(text: str) -> list[tuple[str, str, str, str, str]]:
    """Number, level, what is asked, how it is met, the tests; of each line."""
    return [(row[1], row[2], row[3], row[4], row[5]) for row in ROW.finditer(text)]


@cache
def named_in(file: str) -> frozenset[str]:
    """The names of the tests in a file; none where it is not there."""
    path = TESTS / file
    if not path.is_file():
        return frozenset()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def faults(text: str) -> list[str]:
    """What is wrong with the page: points that are missing, twice or of another level, tests that
    there are not, points that are met and not shown."""
    told = rows(text)
    found = [f"{number} is missing" for level in POINTS for number in POINTS[level].split()]
    for number, level, _, how, shown in told:
        missing = f"{number} is missing"
        if number not in POINTS.get(level, "").split() or missing not in found:
            found.append(f"{number} is no point of level {level}, or stands there twice")
            continue
        found.remove(missing)
        named = NAMED.findall(shown)
        found += [
            f"{number}: no {file}::{name}" for file, name in named if name not in named_in(file)
        ]
        if not named and not how.startswith("*Does not apply*"):
            found.append(f"{number} is shown by nothing")
        if NAMED.sub("", shown).strip():
            found.append(f"{number}: more than tests in the last column")
        if how.startswith("*") and not how.startswith(ELSE):
            found.append(f"{number}: begins with none of {ELSE}")
    return found


def test_each_point_stands_there_with_its_test() -> None:
    """All of level 1 and 2 of the five chapters, in the standard's order."""
    text = PAPER.read_text(encoding="utf-8")
    assert faults(text) == []
    numbers = [tuple(map(int, row[0].split("."))) for row in rows(text)]
    assert numbers == sorted(numbers)


def test_a_wrong_page_would_be_found() -> None:
    """A point that is missing, one that nothing shows, a test that there is not, another level."""
    text = PAPER.read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("| 3.2.1 "))
    last = first.rpartition("| `")[0]
    for wrong, fault in {
        "": "3.2.1 is missing",
        f"{last}| |": "3.2.1 is shown by nothing",
        f"{last}| `test_asvs.py::test_of_nothing` |": "3.2.1: no test_asvs.py::test_of_nothing",
        f"{last}| `test_none.py::test_x` |": "3.2.1: no test_none.py::test_x",
        first.replace("| 1 |", "| 2 |"): "3.2.1 is no point of level 2, or stands there twice",
        f"{first}\n{first}": "3.2.1 is no point of level 1, or stands there twice",
    }.items():
        assert fault in faults(text.replace(first, wrong)), fault
