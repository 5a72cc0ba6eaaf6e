"""Tables: for a terminal, a spreadsheet, a program, and on paper, where they go on over pages."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.paper.prints.paper import text_width
from station.paper.prints.sheet_paper import FOOT, MARGIN, SIZE, Sheet, legible, print_sheet
from station.paper.reports.sheets import (
    CONTINENTAL,
    ENGLISH,
    MARK,
    NAME,
    Kind,
    SheetColumn,
    Spelling,
    spelling_of,
    table,
    text_cell,
    to_csv,
    to_json,
)
from station.views.money_text import Currency
from station.wire.wording import languages
from tests.cells import read_cell
from tests.paper_reader import read

POUNDS = Currency("£", 2)
ROWS = [("Anna", 3, 1250), ("=1+1", None, -5), ("Zoë; of the “mill”,\n1", 0, None), (None, 7, 0)]
SHOWN = table(
    "people",
    "People",
    (NAME, SheetColumn("cards", kind=Kind.NUMBER), SheetColumn("paid", kind=Kind.MONEY)),
    ROWS,
)


def test_cells_are_shown_as_people_write_them() -> None:
    """Sums with sign and point, nothing for what is not there, each cell on one line."""
    assert [SHOWN.texts(row, POUNDS) for row in SHOWN.rows] == [
        ["Anna", "3", "£12.50"],
        ["=1+1", "", "-£0.05"],
        ["Zoë; of the “mill”, 1", "0", ""],
        ["", "7", "£0.00"],
    ]
    assert SHOWN.column("paid") == (1250, -5, None, 0)
    assert to_json([SHOWN]) == {
        "people": [dict(zip(("name", "cards", "paid"), row, strict=True)) for row in ROWS]
    }


@pytest.mark.parametrize(
    ("spelling", "sums"),
    [(ENGLISH, ["12.50", "-0.05", "", "0.00"]), (CONTINENTAL, ["12,50", "-0,05", "", "0,00"])],
)
def test_a_spreadsheet_opens_it(spelling: Spelling, sums: list[str]) -> None:
    """UTF-8 with its mark, lines as spreadsheets end them; a sum as money and in minor units; no
    name becomes a formula."""
    data = to_csv(SHOWN, 2, spelling)
    assert data.startswith(b"\xef\xbb\xbfname")
    assert data.count(b"\r\n") == 5
    rows = [
        *csv.DictReader(
            io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=spelling.between
        )
    ]
    assert [row["paid"] for row in rows] == sums
    assert [row["paid_minor"] for row in rows] == ["1250", "-5", "", "0"]
    assert [row["name"] for row in rows] == ["Anna", "'=1+1", "Zoë; of the “mill”,\n1", ""]


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@given(
    st.lists(
        st.tuples(st.text() | st.none(), st.integers() | st.none(), st.integers() | st.none())
    ),
    st.integers(0, 3),
)
def test_every_cell_comes_back_from_the_file(
    rows: list[tuple[str | None, int | None, int | None]], decimals: int
) -> None:
    """Whatever a name is, in both spellings; the decimal sum is the minor one moved by the
    currency's decimals."""
    shown = table(
        "t",
        "T",
        (NAME, SheetColumn("cards", kind=Kind.NUMBER), SheetColumn("paid", kind=Kind.MONEY)),
        rows,
    )
    for spelling in (ENGLISH, CONTINENTAL):
        text = to_csv(shown, decimals, spelling).decode().removeprefix(MARK)
        back = [*csv.reader(io.StringIO(text, newline=""), delimiter=spelling.between)][1:]
        for (name, cards, paid), cells in zip(rows, back, strict=True):
            assert read_cell(cells[0]) == (name or "")
            assert not cells[0].startswith(FORMULA)
            assert cells[1] == ("" if cards is None else str(cards))
            assert cells[3] == ("" if paid is None else str(paid))
            assert paid is None or int(cells[2].replace(spelling.point, "")) == paid


@pytest.mark.parametrize("typed", ["'t Hooft", "'=1", "''-1", "'", "''", "'x=1"])
def test_apostrophes_that_were_typed_come_back(typed: str) -> None:
    """An apostrophe of a name's own is told from the one that stops a formula."""
    assert read_cell(text_cell(typed)) == typed
    assert text_cell(typed) == typed or typed.lstrip("'")[0] in FORMULA


@pytest.mark.parametrize("sign", FORMULA)
def test_no_name_is_worked_out(sign: str) -> None:
    """Whatever a spreadsheet takes for the beginning of a formula has an apostrophe before it."""
    shown = table("t", "T", (NAME,), [(f"{sign}1",)])
    _, (cell,) = csv.reader(io.StringIO(to_csv(shown, 2, ENGLISH).decode("utf-8-sig"), newline=""))
    assert cell == f"'{sign}1"


def test_a_language_has_its_spelling() -> None:
    """A comma before the cents where the language writes one."""
    assert {code for code in languages() if spelling_of(code) is ENGLISH} == {"en", "hi"}


# -- on paper --------------------------------------------------------------------------------------


def laid(*tables: object, size: str = "a4") -> bytes:
    def lay(sheet: Sheet) -> None:
        sheet.title("A report", "of something")
        for one in tables:
            sheet.table(one)
        sheet.signatures(("One", "Two"))

    return print_sheet("A report", POUNDS, "foot of it", lay, size)


@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("rows", [0, 1, 14, 15, 60, 200])
def test_a_table_goes_on_over_pages(rows: int, size: str) -> None:
    """Every row is there once and in order; each page has the head again, the foot, and its number;
    nothing lies outside."""
    shown = table(
        "t",
        "Long",
        (
            SheetColumn("name", "the name"),
            SheetColumn("count", "the count", Kind.NUMBER),
            SheetColumn("sum", "the sum", Kind.MONEY),
        ),
        [(f"row{n}x", n, n) for n in range(rows)],
        "The note.",
    )
    pages = read(laid(shown, size=size))
    words = [text for page in pages for _, _, text in page.words]
    assert [word for word in words if word.startswith("row")] == [f"row{n}x" for n in range(rows)]
    assert words.count("the name") == (
        sum(any(text.startswith("row") for _, _, text in page.words) for page in pages)
    )
    for number, page in enumerate(pages, 1):
        assert page.words[-1][2] == f"page {number} of {len(pages)}"
        assert page.words[-2][2] == "foot of it"
        assert all(
            MARGIN - 1 < x < page.size[0] - MARGIN + 1 and 0 < y <= page.size[1] - MARGIN + 1
            for x, y, _ in page.words
        )
        assert all(y < page.size[1] - MARGIN - FOOT for _, y, text in page.words[:-2])
    assert "The note." in words


def test_a_word_wider_than_its_column_is_cut() -> None:
    """A digest or a name without blanks stays in its column: every letter is there, none beside
    another cell's."""
    long = "x" * 300
    (page,) = read(
        laid(
            table("t", "T", (SheetColumn("one"), SheetColumn("two")), [(long, "short word " * 30)])
        )
    )
    pieces = [(x, text) for x, _, text in page.words if set(text) == {"x"}]
    assert "".join(text for _, text in pieces) == long
    assert {x for x, _ in pieces} == {pieces[0][0]}
    assert all(x + text_width(text, SIZE) < page.size[0] - MARGIN - 40 for x, text in pieces)
    assert all(x > pieces[0][0] + 50 for x, _, text in page.words if text.startswith("short"))


def test_a_name_that_no_font_has_does_not_stop_a_report() -> None:
    """Its number for each letter; what the fonts have, also of other scripts, stays."""
    assert legible("Zoë 木木 😀") == "Zoë «U+6728»«U+6728» «U+1F600»"
    assert legible("यश 木") == "यश «U+6728»"
    (page,) = read(laid(table("t", "T", (SheetColumn("one"),), [("木 Anna",)])))
    assert "«U+6728» Anna" in page.text
