"""The process that makes a paper: it makes what the commands make, and tells how far it is; a fault
is a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from station.base.errors import LotoError
from station.commands.papers import make_apart, paper_of
from station.core.papers import PaperName, PaperOrder
from station.record.journal import FILE
from tests.paper_reader import read
from tests.report_night import play
from tests.support import run


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("night"))


def order(state: Path, paper: PaperName, serial: str | None = None, night: int = 1) -> PaperOrder:
    own = str(state / "wording")
    return PaperOrder(paper, str(state), night, serial, None, "St Anne's", "£", 2, "en", own)


@pytest.mark.long
def test_another_process_makes_it(played: Path) -> None:
    """The same bytes as here; the journal is verified, then each game laid out, and both are
    told."""
    told: list[tuple[str, int, int]] = []
    made = run(make_apart(order(played, "report"), lambda *so_far: told.append(so_far)))
    assert made == paper_of(order(played, "report"), lambda *_: None)
    assert list(dict.fromkeys(step for step, _, _ in told)) == ["verify", "print"]
    assert all(0 <= done <= of for _, done, of in told)
    assert told[-1][1] == told[-1][2]
    with pytest.raises(LotoError, match="there is no night 9 here"):
        run(make_apart(order(played, "report", night=9), lambda *_: None))


def test_a_receipt_is_the_cards(played: Path) -> None:
    """Of the last game in which it won; a card that has won nothing has none."""
    [page] = read(paper_of(order(played, "receipt", "0001"), lambda *_: None))
    text = page.text
    assert "Card 0001" in text
    assert "St Anne's" in text
    with pytest.raises(LotoError, match="card 0005 has won nothing"):
        paper_of(order(played, "receipt", "0005"), lambda *_: None)


def test_the_books_tell_of_people_with_their_proof(played: Path) -> None:
    """Who paid and approved, what was taken back, what nobody claimed; and how many rows there are
    in all."""
    books = json.loads(paper_of(order(played, "books"), lambda *_: None))
    assert books["night"] == 1
    by = [(row["serial"], row["approved"], row["agreed"]) for row in books["payments"]["rows"]]
    assert ("0001", "Dora", "") in by
    assert [row["number"] for row in books["corrections"]["rows"]] == [90, 89]
    assert books["sleepers"]["rows"]
    assert all(table["of"] == len(table["rows"]) for key, table in books.items() if key != "night")


def test_a_damaged_journal_is_no_paper(played: Path, tmp_path: Path) -> None:
    """The sentence names file and line, as the command's does."""
    folder = tmp_path / "nights" / "0001"
    folder.mkdir(parents=True)
    lines = (played / "nights" / "0001" / FILE).read_bytes().splitlines(keepends=True)
    lines[5] = lines[5].replace(b"Anna", b"Anne")
    (folder / FILE).write_bytes(b"".join(lines))
    for paper in ("report", "books"):
        with pytest.raises(LotoError, match=rf"{FILE}:6"):
            paper_of(order(tmp_path, paper), lambda *_: None)  # type: ignore[arg-type]
