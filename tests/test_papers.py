"""The papers hold together: every link leads somewhere, every paper stands in the index, the README
stays a door."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from packaging.version import Version

from station import __version__
from station.machine.bundle import project_files

PROJECT = Path(__file__).resolve().parent.parent
PAPERS = sorted(path for path in project_files(PROJECT) if path.suffix == ".md")
NAMES = [path.relative_to(PROJECT).as_posix() for path in PAPERS]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(path: Path) -> str:
    """A paper's text without its code blocks."""
    return re.sub(
        r"^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def anchors(text: str) -> set[str]:
    """The names by which a paper's headings are linked: small letters, no punctuation, a hyphen for
    each space."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings
    }


def broken(path: Path, text: str) -> list[str]:
    """The relative links of a paper whose file or heading does not exist."""
    found = []
    for link in LINK.findall(text):
        if "://" not in link:
            name, _, heading = link.partition("#")
            target = path.parent / name if name else path
            if not target.exists() or (
                heading and heading not in anchors(prose(target) if name else text)
            ):
                found.append(link)
    return found


def twice(text: str) -> list[str]:
    """What a table of a paper says two rows are about, where that is more than a few words: two
    hands have written the row. Of a few words a table may have several rows."""
    return [
        about
        for table in re.findall(r"(?:^\|.*\n)+", f"{text}\n", re.MULTILINE)
        for about, rows in Counter(re.findall(r"^\| *(.{25,}?) *\|", table, re.MULTILINE)).items()
        if rows > 1
    ]


@pytest.mark.parametrize("path", PAPERS, ids=NAMES)
def test_no_row_of_a_table_stands_there_twice(path: Path) -> None:
    """Each has its own thing to tell."""
    assert twice(prose(path)) == []


def test_a_row_that_stands_there_twice_would_be_found() -> None:
    """Also where the rows tell different things of it."""
    row = "| what is said, written and expected |"
    assert twice(f"{row} one |\n|---|---|\n{row} two |") == [row.strip("| ")]


@pytest.mark.parametrize("path", PAPERS, ids=NAMES)
def test_every_link_leads_somewhere(path: Path) -> None:
    """A relative link names a file that exists and, after `#`, one of its headings."""
    assert broken(path, prose(path)) == []


def test_a_broken_link_would_be_found() -> None:
    """The check above is one: a missing file, a missing heading here and there, a missing
    picture."""
    links = [
        "nowhere.md",
        "#one-thing-first",
        "#two",
        "docs/money.md#the-rules",
        "docs/money.md#no",
        "no.png",
    ]
    text = "# One thing, first\n" + " ".join(f"![a]({link})" for link in links)
    assert broken(PROJECT / "README.md", text) == [
        "nowhere.md",
        "#two",
        "docs/money.md#no",
        "no.png",
    ]


def test_every_paper_stands_in_the_index() -> None:
    """`docs/README.md` has a row for each paper: those of `docs/`, of the project's folder, of
    `hw/` and `systemd/`."""
    index = PROJECT / "docs" / "README.md"
    linked = {
        (index.parent / link.partition("#")[0]).resolve() for link in LINK.findall(prose(index))
    }
    indexed = [
        path
        for path in PAPERS
        if path.relative_to(PROJECT).parts[0] in ("docs", "hw", "systemd", path.name)
    ]
    assert [
        path.relative_to(PROJECT).as_posix() for path in indexed if path not in linked | {index}
    ] == []


def test_the_readme_is_a_door() -> None:
    """It is short, and opens the three doors in this order; what is longer belongs into `docs/`."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert [
        door
        for door in re.findall(r"^## (.+)$", text, re.MULTILINE)
        if " it" in door or "night" in door
    ] == [
        "Play with it",
        "Build it",
        "Run a night",
    ]


def test_the_changes_are_told_by_releases() -> None:
    """Each release has its section, the newest first, and that is the version in force."""
    changes = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## (\S+)", changes, re.MULTILINE)
    assert releases == sorted(releases, key=Version, reverse=True)
    assert releases[0] == __version__
