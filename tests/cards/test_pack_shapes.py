"""Files of cards from other programs: each is read, or refused with what was seen and what to
type."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import Columns
from station.cards.pack import Pack, make_pack
from station.cards.pack_files import read_cards
from station.cards.pack_layouts import PackLayout
from station.cards.pack_sample import Wanted
from station.cards.pack_text import decode
from station.night.acts import parse_act
from station.night.hall import Hall, apply
from tests.examples import examples
from tests.support import PROGRAMME

SOME = make_pack(2, Random(29))
ROWS = [card.rows for card in SOME.cards()]
PLAIN = [str(number) for number in range(1, 13)]


def shifted(pack: Pack) -> Pack:
    """Twelve cards in columns 1-10 … 81-90: 10 to 79 are one more, and no card has the 80."""
    some = pack.numbers[~(pack.numbers == 80).any(axis=(1, 2))][:12]
    moved = np.where((some >= 10) & (some < 80), some + 1, some).astype(np.uint8)
    return Pack.of(PLAIN, moved, Columns.TENS_LAST)


def cells(rows, blank="", write=str, columns=Columns.TENS_FIRST):
    """A card's three rows of nine cells."""
    lines = []
    for row in rows:
        line = [blank] * 9
        for number in row:
            line[columns.of(number)] = write(number)
        lines.append(line)
    return lines


def one_line(rows, blank="", write=str):
    return [cell for line in cells(rows, blank, write) for cell in line]


def fifteen(rows, write=str):
    return [write(number) for row in rows for number in row]


def table(*lines, sep=",", end="\n"):
    return end.join(sep.join(map(str, line)) for line in lines) + end


N15 = [f"n{place}" for place in range(1, 16)]
C27 = [f"S{place}" for place in range(1, 28)]
C9 = [f"c{place}" for place in range(1, 10)]


def numbers_file(
    *, head=N15, before=(), after=(), named="Ticket", write=str, sep=",", end="\n", form="{}"
):
    """A line a card, with columns before the serial and behind the numbers."""
    lines = [[*(name for name, _ in before), named, *head, *(name for name, _ in after)]]
    for place, rows in enumerate(ROWS):
        lead = [values(place) for _, values in before]
        tail = [values(place) for _, values in after]
        lines.append([*lead, form.format(place + 1), *fifteen(rows, write), *tail])
    return table(*lines, sep=sep, end=end)


def cells_file(blank="", *, head=("Nr", *C27), write=str, sep=",", end="\n", tail=()):
    lines = [head] if head else []
    for place, rows in enumerate(ROWS):
        lines.append([place + 1, *one_line(rows, blank, write), *tail])
    return table(*lines, sep=sep, end=end)


def long_file(*, blank="0", row=lambda n: n + 1, turn=lambda lines: lines, sets=True):
    """A line a row of a card: set, ticket, row, nine cells."""
    lines = [[*(["setId"] if sets else []), "ticketId", "rowId", *C9]]
    for place, rows in enumerate(ROWS):
        three = [
            [*([1] if sets else []), place + 1, row(at), *line]
            for at, line in enumerate(cells(rows, blank))
        ]
        lines += turn(three)
    return table(*lines)


BOOK = [
    ("Book", lambda at: at // 6 + 1),
    ("Page", lambda at: at % 6 + 1),
    ("Colour", lambda at: ["Blue", "Red"][at // 6]),
]
INDEX = [("", lambda at: at)]
QUOTED = {
    mark: "ticket_id,numbers\n"
    + "".join(f'{at + 1},"{mark.join(fifteen(rows))}"\n' for at, rows in enumerate(ROWS))
    for mark in (",", ", ", ";", "; ", " ", "  ", "|", "/", " - ", "-")
}
READ = {
    # a line a row of a card
    "set, ticket, row": long_file(),
    "ticket, row": long_file(sets=False),
    "rows counted from 0": long_file(row=lambda n: n),
    "rows A, B, C": long_file(row=lambda n: "ABC"[n]),
    "rows turned round": long_file(turn=lambda lines: lines[::-1]),
    "empty cells in rows": long_file(blank=""),
    # more columns
    "a pandas index": numbers_file(before=INDEX),
    "an index called Unnamed: 0": numbers_file(before=[("Unnamed: 0", lambda at: at)]),
    "book, page, colour": numbers_file(before=BOOK),
    "book, page, colour, and Perm": numbers_file(before=BOOK, named="Perm"),
    "columns behind the numbers": numbers_file(
        after=[("Price", lambda _: "1.50"), ("Sold", lambda _: "no")]
    ),
    "serial in the middle": table(
        [*N15[:5], "Serial", *N15[5:]],
        *(
            [*(told := fifteen(rows))[:5], at + 1, *told[5:]]
            for at, rows in enumerate(ROWS)
        ),
    ),
    "serial last": table(
        [*N15, "Serial No"], *([*fifteen(rows), at + 1] for at, rows in enumerate(ROWS))
    ),
    "serial last without a header": table(
        *([*fifteen(rows), f"{at + 1}"] for at, rows in enumerate(ROWS))
    ),
    "id and ticket": numbers_file(before=[("id", lambda at: 500 + at)]),
    # headers
    "0 to 26": cells_file("0", head=("", *range(27))),
    "1 to 27": cells_file(head=("code", *range(1, 28))),
    "01 to 27": cells_file(head=("seri", *(f"{n:02}" for n in range(1, 28)))),
    "0 to 26 without a name for the serials": cells_file("0", head=("", *range(27))),
    "1 to 9, three times": cells_file(head=("", *(3 * [*range(1, 10)]))),
    "Seriennummer and Nummer": numbers_file(
        before=[("Nummer", lambda at: at + 500)], named="Seriennummer"
    ),
    "R's header, one name less": cells_file(head=C27),
    "1 to 15": numbers_file(head=range(1, 16), named=""),
    "01 to 15": numbers_file(head=[f"{n:02}" for n in range(1, 16)]),
    "no header, cells": cells_file(head=None),
    "no header, numbers": numbers_file().split("\n", 1)[1],
    "the header again after six cards": "\n".join(
        [*(lines := numbers_file().split("\n"))[:7], lines[0], *lines[7:]]
    ),
    # numbers
    "7.0": cells_file(write=lambda n: f"{n}.0"),
    "7,0 and semicolons": cells_file(write=lambda n: f"{n},0", sep=";"),
    "7,0 in quotes": cells_file(write=lambda n: f'"{n},0"'),
    "7.00": numbers_file(write=lambda n: f"{n}.00"),
    "07": numbers_file(write="{:02}".format),
    "007": numbers_file(write="{:03}".format),
    '="7"': numbers_file(write='="{}"'.format),
    "'7": numbers_file(write="'{}".format),
    "blanks round numbers": numbers_file(write=" {} ".format),
    "7.": numbers_file(write="{}.".format),
    # Excel
    "sep=;": "sep=;\r\n" + cells_file(sep=";", end="\r\n"),
    "SEP=,": "SEP=,\n" + numbers_file(),
    '"sep=|"': '"sep=|"\n' + numbers_file(sep="|"),
    "two empty cells at line ends": cells_file(tail=("", "")),
    "a comma at line ends": numbers_file().replace("\n", ",\n"),
    "no empty cells at line ends": "\n".join(line.rstrip(",") for line in cells_file().split("\n")),
    "lines of semicolons below": cells_file(sep=";") + (";" * 27 + "\n") * 4,
    # titles
    "two titles": f"Village hall bingo 2026{',' * 15}\nPrinted 3 May{',' * 15}\n" + numbers_file(),
    "a title without commas": "Village hall bingo 2026\n\n" + cells_file(),
    "titles and no header": "Bingo\nSeries 7\n" + numbers_file().split("\n", 1)[1],
    "a title with a comma": "Village hall, 3 May\n" + numbers_file(),
    "a title with a year": "2026\n" + cells_file(sep=";"),
    # separators
    "tabs": numbers_file(sep="\t"),
    "bars": numbers_file(sep="|"),
    "bars outside, too": "".join(
        f"| {line.replace(',', ' | ')} |\n" for line in numbers_file().splitlines()
    ),
    "a table of Markdown": "".join(
        f"| {line.replace(',', ' | ')} |\n" + ("|" + "---|" * 16 + "\n" if not at else "")
        for at, line in enumerate(numbers_file().splitlines())
    ),
    "tildes": numbers_file(sep="~"),
    "colons": numbers_file(sep=":"),
    "slashes": numbers_file(sep="/"),
    "carets": numbers_file(sep="^"),
    "blanks": numbers_file(sep=" "),
    "columns of blanks": "".join(
        "".join(f"{cell:>8}" for cell in line.split(",")) + "\n"
        for line in numbers_file().splitlines()
    ),
    "comma and blank": numbers_file(sep=", "),
    "CR": numbers_file(end="\r"),
    "CRLF": cells_file(end="\r\n"),
    # several numbers in one cell
    **{f"fifteen in one cell, {mark!r} between": text for mark, text in QUOTED.items()},
    "a list in brackets": QUOTED[", "].replace(',"', ',"[').replace('"\n', ']"\n'),
    "semicolons outside, commas inside": "".join(
        f"{at + 1};{','.join(fifteen(rows))}\n" for at, rows in enumerate(ROWS)
    ),
    "three cells of five numbers": table(
        ["id", "top", "middle", "bottom"],
        *([at + 1, *(" ".join(map(str, row)) for row in rows)] for at, rows in enumerate(ROWS)),
    ),
    "27 in one cell": "".join(
        f"{at + 1};{','.join(one_line(rows, '0'))}\n" for at, rows in enumerate(ROWS)
    ),
    "27 in one cell, blanks empty": "".join(
        f"{at + 1};{','.join(one_line(rows))}\n" for at, rows in enumerate(ROWS)
    ),
    "rows in lists": "".join(
        f"{at + 1};{cells(rows, 0, int)}\n" for at, rows in enumerate(ROWS)
    ),
}  # fmt: skip
BLANKS = (
    "0 00 0.0 - -- – — − x X xx * ** . .. … _ __ / ~ # ? × • ● ■ null NULL Null nil None NONE nan"
    " NaN NA N/A #N/A <NA> undefined false free FREE Free blank EMPTY frei leer libre vide vuoto"
    " vazio vacío leeg () [] {} \\N -1 (null) n.d. ✗ § ¤ ## blanc keine hueco"
)
WANTED = {  # what a person must say
    "two columns that count": (
        numbers_file(before=[("Sheet", lambda at: at + 1)], named="Nummer des Blattes"),
        Wanted(serial_column="Nummer des Blattes"),
    ),
    "an index without a header": (
        numbers_file(before=INDEX).split("\n", 1)[1],
        Wanted(serial_column="2"),
    ),
    "a column by its number": (numbers_file(before=INDEX), Wanted(leave_out=("1",))),
    "columns by their names": (
        numbers_file(before=BOOK, named="x"),
        Wanted(leave_out=("book, PAGE", "Colour")),
    ),
    "columns that look like numbers": (
        numbers_file(before=[("Lot", lambda at: at + 1)], named="Serie 2"),
        Wanted(leave_out=("Lot",)),
    ),
    "a blank of two letters that change": (
        cells_file("zz", head=None).replace("zz", "ab", 3),
        Wanted(blanks=("zz", "ab")),
    ),
    "grid said": (long_file(), Wanted(PackLayout.GRID, "ticketId")),
}
ASKED = {  # which says what was seen, and what to type
    numbers_file(before=INDEX).split("\n", 1)[1]: (
        "c:1: 17 columns: column 1, column 2 and 15 numbers. The serials may be in column 1 or"
        " column 2: choose with --serial-column 2"
    ),
    numbers_file(before=[("Sheet", lambda at: at + 1)], named="Blatt 2"): (
        'c:2: 17 columns: Sheet, "Blatt 2" and 15 numbers. The serials may be in Sheet or'
        ' "Blatt 2": choose with --serial-column "Blatt 2"'
    ),
    table(*([at + 1, *fifteen(rows)[:14]] for at, rows in enumerate(ROWS))): (
        "c:1: 15 columns: 15 numbers. No card can be read: a card needs a serial and 15 numbers"
    ),
    table(*([at + 1, *sorted(fifteen(rows), key=int)] for at, rows in enumerate(ROWS))): (
        "The 15 numbers are sorted, so the rows cannot be told apart"
    ),
    table(
        ["Book", "Page", *N15[:12]], *([1, at + 1, *fifteen(r)[:12]] for at, r in enumerate(ROWS))
    ): ("c:2: 14 columns: 14 numbers. No card can be read"),
    table(["name", "sum"], *([f"p{at}", 5 * at] for at in range(9))): "c:1: no cards",
    table(*([at, *fifteen(ROWS[at]), *fifteen(ROWS[at + 1])] for at in range(5))): (
        "c:1: 31 columns: 31 cells. Each line holds several cards: put every card on a line of"
    ),
    "hello\n": "c:1: no cards",
    cells_file("0").replace("S1,S2,", "r1c1,r1c2,").split("\n", 1)[0] + "\n": "c:1: no cards",
    "sep=;\n": "c:1: no cards",
}


def same(pack: Pack, as_read: Pack) -> None:
    assert as_read.serials == pack.serials
    assert np.array_equal(as_read.numbers, pack.numbers)
    assert as_read.columns is pack.columns


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_what_other_programs_write_is_read(text):
    """Nothing has to be said: the cards are those that were written."""
    same(Pack.of(PLAIN, SOME.numbers), Pack.from_csv(text, "c"))


@pytest.mark.parametrize("blank", BLANKS.split())
def test_a_cell_without_a_number_has_many_signs(blank):
    """Known signs, and any other text that stands in all of them."""
    same(Pack.of(PLAIN, SOME.numbers), Pack.from_csv(cells_file(blank), "c"))


@pytest.mark.parametrize(("text", "wanted"), WANTED.values(), ids=WANTED)
def test_what_a_person_says_is_done(text, wanted):
    """Columns to leave out, the column of the serials, signs of blanks, the layout."""
    same(Pack.of(PLAIN, SOME.numbers), Pack.from_csv(text, "c", wanted))


@pytest.mark.parametrize(("text", "says"), ASKED.items())
def test_what_fits_in_no_way_or_in_two_is_asked_about(text, says):
    """The message has what was seen, and what to type; nothing is guessed."""
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(text, "c")
    assert says in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("option", [{"serial_column": "Perm"}, {"leave_out": ("Perm",)}])
def test_a_column_that_is_not_there_is_named_with_those_that_are(option):
    """So the person sees what to type."""
    with pytest.raises(Unreadable, match=r"no column is called 'Perm': .*Book, Page, Colour"):
        Pack.from_csv(numbers_file(before=BOOK), "c", Wanted(**option))


def test_a_fault_among_other_columns_has_its_line():
    """A column that is left out does not hide the fault, and the others' numbers stay."""
    lines = numbers_file(before=BOOK).split("\n")
    lines[3] = lines[3].rpartition(",")[0] + ",x"
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv("\n".join(lines), "c")
    assert str(caught.value) == "c:4: card 3: r3n5 is 'x', not a number"


def test_a_sign_that_nobody_knows_is_named_with_what_to_type():
    """It may be a blank of that printer's."""
    text = cells_file("§", head=None).replace("§", "¶", 5)
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(text, "c")
    assert str(caught.value).splitlines()[0] == (
        "c:1: card 1: r1c2 is '¶', not a number; if it stands for a blank, add --blank ¶"
    )
    assert len(Pack.from_csv(text, "c", Wanted(blanks=("¶", "§")))) == len(ROWS)


@pytest.mark.parametrize("cell", ["7.5", "7,5", "7.01", "1e1", "7-8", "7 8", "VII", "7a", "+7.0.0"])
def test_what_is_no_whole_number_is_a_fault(cell):
    """No part of it is taken for the number."""
    lines = numbers_file(sep=";").split("\n")
    lines[4] = f"{lines[4].rpartition(';')[0]};{cell}"
    with pytest.raises(Unreadable, match="c:5: card 4: r3n5 is "):
        Pack.from_csv("\n".join(lines), "c")


def test_another_number_at_a_lines_end_is_a_fault():
    """Only empty cells are forgiven there."""
    text = numbers_file().replace("\n", ",\n").replace(",\n", ",90\n", 4).replace(",90", ",", 3)
    with pytest.raises(Unreadable, match="c:4: card 3: 16 numbers instead of 15"):
        Pack.from_csv(text, "c")


def test_our_own_names_in_another_order_are_refused():
    """No number may come to a wrong row in silence."""
    text = SOME.to_bytes(PackLayout.CELLS).decode().replace("r1c1,r1c2", "r1c2,r1c1")
    with pytest.raises(Unreadable, match="c:1: the columns must stand in the order serial,r1c1"):
        Pack.from_csv(text, "c")


# -- codes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
)
def test_a_file_in_any_usual_code_is_read(code):
    """With a byte order mark or without; Windows' letters, too."""
    text = numbers_file(named="Série").replace("\n1,", "\nSérie-1,")
    pack = Pack.from_csv(decode(text.encode(code), "c"), "c")
    assert pack.serials[0] == "Série-1"
    assert np.array_equal(pack.numbers, SOME.numbers)


def test_a_dash_of_windows_is_a_blank():
    """0x97 is a long dash there."""
    pack = Pack.from_csv(decode(cells_file("—").encode("cp1252"), "c"), "c")
    assert np.array_equal(pack.numbers, SOME.numbers)


@pytest.mark.parametrize("head", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_a_spreadsheets_own_file_is_named(head):
    """What to do with it is said."""
    with pytest.raises(Unreadable, match=r"c\.xlsx: this is a spreadsheet's own file: .* as CSV"):
        decode(head + b"xl/workbook.xml", "c.xlsx")


def grids():
    return [[[int(cell or 0) for cell in line] for line in cells(rows)] for rows in ROWS]


JSON_FILES = {
    "a list of objects": [{"id": n, "grid": grid} for n, grid in enumerate(grids(), 1)],
    "numbers alone": [{"no": str(n), "numbers": fifteen(rows)} for n, rows in enumerate(ROWS, 1)],
    "three rows": [{"ticket": n, "a": a, "b": b, "c": c} for n, (a, b, c) in enumerate(grids(), 1)],
    "by serial": {str(n): grid for n, grid in enumerate(grids(), 1)},
    "by serial, with names": {str(n): {"cells": grid} for n, grid in enumerate(grids(), 1)},
    "under a name": {"tickets": [{"id": n, "grid": grid} for n, grid in enumerate(grids(), 1)]},
    "beside others": {
        "date": "2026",
        "tickets": [[n, *one_line(r)] for n, r in enumerate(ROWS, 1)],
    },
    "null for a blank": [
        {"id": n, "grid": [[cell or None for cell in line] for line in grid]}
        for n, grid in enumerate(grids(), 1)
    ],
    "text": [{"id": n, "n": ",".join(fifteen(rows))} for n, rows in enumerate(ROWS, 1)],
    "a list of lists": [[f"{n}", grid] for n, grid in enumerate(grids(), 1)],
    "more columns": [
        {"book": "B1", "colour": "red", "serial": n, "grid": grid}
        for n, grid in enumerate(grids(), 1)
    ],
}


@pytest.mark.parametrize("kind", JSON_FILES)
@pytest.mark.parametrize("indent", [None, 2])
def test_cards_in_json(kind, indent):
    """However a program nests them."""
    pack = Pack.from_csv(json.dumps(JSON_FILES[kind], indent=indent), "c.json")
    assert pack.serials == tuple(PLAIN)
    assert np.array_equal(pack.numbers, SOME.numbers)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"tickets": [', "c: not JSON: "),
        ('[{"id": 1, "id": 2}]', "c: not JSON: the key 'id' is given twice"),
        ("[" * 40 + "]" * 40, "c: line 1: brackets stand in brackets more than 32 deep"),
        ("[[]]", "c"),
        ('{"a": 1}', "c:2: "),
        ('[{"id": 1, "grid": [[1, 2, 3]]}]', "c:2: "),
    ],
)
def test_json_without_cards_is_refused(text, told):
    """With a sentence that names the file."""
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(text, "c")
    assert str(caught.value).startswith(told)


TITLES = (
    *("Ticket {}", "Card No: {}", "Ticket #{}", "No. {}", "Cartella n. {}", "Karte {},,,,,,,,"),
    *("TICKET {}:"[:-1], "Perm no {}", "Kart {}", "Bilet nr {}"),
)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize(("sep", "blank"), [(",", ""), (";", "0"), (" ", "--"), ("\t", "x")])
def test_cards_under_titles(title, sep, blank):
    """The serial is the title's number; blank lines do not matter."""
    blocks = [
        f"{title.format(n)}\n{table(*cells(rows, blank), sep=sep)}"
        for n, rows in enumerate(ROWS, 1)
    ]
    for between in ("", "\n", "\n\n"):
        pack = Pack.from_csv(between.join(blocks), "c")
        assert pack.serials == tuple(PLAIN)
        assert np.array_equal(pack.numbers, SOME.numbers)


def test_a_line_as_long_as_a_book_is_no_title():
    """The pattern of a title never sees it: it would take hours."""
    with pytest.raises(Unreadable, match=r"^c:"):
        Pack.from_csv("a" * 1_000_000 + "\n" + "1,2,3,4\n" * 3, "c")


BELOW = [
    ["Total,12"],
    ["Total,,12"],
    ["TOTAL CARDS:,12,ok"],
    ["Generated by Cards 2.1 on 2024-03-09 10:33:22"],
    ["Printed 2024/03/09"],
    ["Total,12", "Checked by,Anna"],
    ["(end of file)"],
    ["-- 12 rows --"],
    ["Итого,12"],
    ["Summe;12"],
]


@pytest.mark.parametrize("below", BELOW, ids=[lines[0] for lines in BELOW])
@pytest.mark.parametrize("layout", ["fifteen", "rows", "blanks"])
def test_what_stands_under_the_last_card_is_left_out(below, layout):
    """The command names its line."""
    lines = {
        "fifteen": [[f"{at:04}", *fifteen(rows)] for at, rows in enumerate(ROWS, 1)],
        "rows": [[f"{at:04}", *row] for at, rows in enumerate(ROWS, 1) for row in rows],
        "blanks": [[f"{at:04}", *one_line(rows)] for at, rows in enumerate(ROWS, 1)],
    }[layout]
    text = table(*lines)
    read = read_cards(text + "\n".join(below) + "\n", "c.csv")
    assert Pack.from_read(read).digest == Pack.from_read(read_cards(text, "c.csv")).digest
    assert read.below == tuple(range(len(lines) + 1, len(lines) + 1 + len(below)))


@pytest.mark.parametrize(
    "last",
    ["0013,5,12", "0013", "0013,", "B7,5,12", "No. 13,5,12,33,41,66", "Anna,5,12,33,41,66", "13,5"],
)
def test_a_file_that_is_cut_off_is_refused(last):
    """A card of which a part is missing is no line under the last card."""
    lines = [[f"{at:04}", *fifteen(rows)] for at, rows in enumerate(ROWS, 1)]
    with pytest.raises(Unreadable, match=rf"c.csv:{len(lines) + 1}: "):
        read_cards(table(*lines) + last, "c.csv")


def test_a_word_between_cards_is_a_fault():
    """It may be a card that somebody wrote over."""
    lines = [[f"{at:04}", *fifteen(rows)] for at, rows in enumerate(ROWS, 1)]
    with pytest.raises(Unreadable, match=r"c\.csv:3: card Total: "):
        read_cards(table(*lines[:2], ["Total", 2], *lines[2:]), "c.csv")


def test_cards_with_names_for_serials_end_with_no_total():
    """Where serials are words, a short line may be a card that was cut off."""
    lines = [[f"Card{'abcdefghijklmn'[at]}", *fifteen(rows)] for at, rows in enumerate(ROWS)]
    with pytest.raises(Unreadable, match=f"c.csv:{len(lines) + 1}: card Total: "):
        read_cards(table(*lines) + "Total,12\n", "c.csv")


def test_a_fault_under_a_title_has_its_line():
    """Lines count as they stand in the file."""
    rows = [cells(ROWS[0]), cells(ROWS[1])]
    rows[1][2][8] = "91"
    text = "".join(f"Ticket {n}\n{table(*lines)}\n" for n, lines in enumerate(rows, 1))
    with pytest.raises(Unreadable, match=r"^c:9: card 2: "):
        Pack.from_csv(text, "c")


# -- serials ---------------------------------------------------------------------------------------

KEPT = (
    "12/3|A 12 4|#5|No. 6|FS001_2|TICKET-1|1.4|Série-1|3f2504e0-4f89-41d3-9a0c-0305e82c3301|№ 12"
    "|Tombolata 2025 [ S. 1] <n. 3>|(7)|A&B 5|7°|B:12|O'Hara 3|Ticket 12/1|सीरीज-1|Nº 5|A+5|*12*"
    "|C\\7|Blue 0017|n~4|x@5|ß-12|12!"
)


@pytest.mark.parametrize("serial", KEPT.split("|"))
def test_a_printed_serial_is_kept(serial, tmp_path):
    """In the pack, in its file, in its digest: as it is printed."""
    text = numbers_file(form="K{}").replace("\nK1,", f"\n{serial},", 1)
    pack = Pack.from_csv(text, "c")
    assert pack.serials[0] == serial
    for layout in PackLayout:
        again = Pack.from_csv(decode(pack.to_bytes(layout), "c"), "c")
        assert again.serials == pack.serials
        assert again.digest == pack.digest


@pytest.mark.parametrize("serial", ["12/3", "No. 6", "1.4", "B 0017", "a:b", "Série-1", "TICKET-1"])
def test_a_night_is_played_with_printed_serials(serial):
    """Sold, claimed, paid: the accounts are the card's own, and its debt is paid once."""
    text = numbers_file(form="K{}").replace("\nK1,", f"\n{serial},", 1)
    hall = Hall(Pack.from_csv(text, "c"), PROGRAMME)
    acts = [{"act": "sell", "serials": [serial, "K2"], "to": "Anna"}, {"act": "open"}]
    acts += [{"act": "draw", "number": number} for number in ROWS[0][0]]
    acts += [{"act": "claim", "serial": serial}, {"act": "play-on"}]
    for act in acts:
        hall = apply(hall, parse_act(act))
    assert hall.owed(serial) > 0
    assert " " not in hall.notation().partition("ledger=")[2].partition("owed:")[2].split("=")[0]
    paid = apply(hall, parse_act({"act": "pay", "serial": serial}))
    assert paid.owed(serial) == 0
    with pytest.raises(NotAllowed):
        apply(paid, parse_act({"act": "pay", "serial": serial}))


@pytest.mark.parametrize(
    ("serial", "says"),
    [
        ("1.23457E+12", "a spreadsheet shortened this number"),
        ("1,2E+5", "a spreadsheet shortened"),
        ("5E-3", "format the column as text"),
        ("ticket-3-1", "ticket-1-1"),
        ("Tickets-4", "ticket-1-1"),
        ("=5+5", "cannot be used"),
        ("@sum", "cannot be used"),
        ("-7", "cannot be used"),
        ("A,5", "cannot be used"),
        ("a;b", "cannot be used"),
        ("________", "cannot be used"),
        ("x" * 65, "1 to 64 letters"),
        ("\u202e12", "cannot be used"),
    ],
)
def test_a_serial_that_cannot_be_used_says_why(serial, says):
    """Its line is named, and how serials look."""
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(numbers_file(form="K{}").replace("\nK4,", f'\n"{serial}",', 1), "c")
    assert str(caught.value).startswith("c:5: serial ")
    assert says in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("7", "007"),
        ("12/3", "123"),
        ("12/3", "12-3"),
        ("12 3", "1 23"),
        ("Série-7", "SERIE 7"),
        ("a5", "A5"),
        ("No. 6", "no 06"),
        ("#55", "55"),
        ("A 0017", "A17"),
        ("ß5", "SS5"),
        ("Ａ5", "A-5"),
    ],
)
def test_serials_that_read_alike_are_a_fault(one, other):
    """Both lines are named: a caller reads out the same for both."""
    lines = numbers_file(form="K{}").split("\n")
    for line, serial in ((5, one), (9, other)):
        lines[line - 1] = f"{serial},{lines[line - 1].partition(',')[2]}"
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv("\n".join(lines), "c")
    assert f"c:9: card {other}: it reads the same as card {one} on line 5" in str(caught.value)


def test_whole_numbers_with_a_decimal_are_the_serials():
    """A data tool writes 17.0 for 17; where some are not whole they are printed so."""
    text = numbers_file()
    for number in range(len(ROWS), 0, -1):
        text = text.replace(f"\n{number},", f"\n{number}.0,")
    assert list(Pack.from_csv(text).serials) == PLAIN
    assert Pack.from_csv(text.replace("\n3.0,", "\n3.5,")).serials[:3] == ("1.0", "2.0", "3.5")


# -- columns 1-10 … 81-90 --------------------------------------------------------------------------

TENS_LAST = shifted(make_pack(3, Random(29)))


@pytest.mark.parametrize("layout", PackLayout)
def test_a_series_whose_tens_end_a_column_comes_back(layout):
    """Recognised where only that fits, and kept in the pack's own file."""
    assert TENS_LAST.columns is Columns.TENS_LAST
    text = TENS_LAST.to_bytes(layout).decode()
    same(TENS_LAST, Pack.from_csv(text))
    same(TENS_LAST, Pack.from_csv(text.split("\n", 1)[1]))
    same(TENS_LAST, Pack.from_csv(text.replace(" (tens last)", ""), "c"))
    assert TENS_LAST.digest != SOME.digest


def test_a_card_that_fits_both_ways_is_asked_of_the_person():
    """Without a word tens begin a column, as on nearly all cards."""
    line = "501,3,21,45,61,81,7,15,33,52,75,10,20,30,50,90\n"
    assert Pack.from_csv(line).columns is Columns.TENS_FIRST
    pack = Pack.from_csv(line, "c", Wanted(columns=Columns.TENS_LAST))
    assert pack.columns is pack.card("501").columns is Columns.TENS_LAST
    assert Pack.from_csv(pack.to_csv()).columns is Columns.TENS_LAST


def test_a_wrong_column_is_told_for_the_way_that_was_said():
    """10 belongs in column 1 or 2, as the person said."""
    text = TENS_LAST.to_bytes(PackLayout.CELLS).decode().replace(" (tens last)", "")
    with pytest.raises(Unreadable, match="belongs in column"):
        Pack.from_csv(text, "c", Wanted(columns=Columns.TENS_FIRST))


# -- any pack in any shape -------------------------------------------------------------------------


@given(st.data())
@examples(150)
def test_any_pack_in_any_shape_reads_back_equal(data):
    """Titles, names, more columns, separators, ends, codes, blanks, ways to write a number: drawn
    at random, the cards that come back are those that were written."""
    draw = data.draw
    pack = make_pack(3, Random(draw(st.integers(0, 10**6))))
    tens_last = draw(st.booleans())
    pack = shifted(pack) if tens_last else Pack.of(PLAIN, pack.numbers[:12])
    form = draw(st.sampled_from(["{}", "{:04}", "A{:05}", "No. {}", "12/{}", "Série {:03}", "#{}"]))
    names = [form.format(number) for number in range(1, 13)]
    sep = draw(st.sampled_from([",", ";", "\t", "|"]))
    write = draw(st.sampled_from(["{}", "{:02}", "{}.0", " {}", '"{}"'])).format
    blank = draw(st.sampled_from(["", "0", "-", "x", "NaN", "—", "*", "free"]))
    layout = draw(st.sampled_from(PackLayout))
    extra = draw(st.sampled_from([[], ["Page"], ["Book", "Colour"]]))
    lines = [[*extra, "Serial", *(f"f{place}" for place in range(layout.numbers))]]
    for name, card in zip(names, pack.cards(), strict=True):
        if layout.has_blanks:
            rows = cells(card.rows, blank, write, pack.columns)
        else:
            rows = [[*map(write, row)] for row in card.rows]
        if layout.lines == 1:
            rows = [[cell for row in rows for cell in row]]
        beside = {"Page": "7", "Book": "B", "Colour": "red"}
        lines += [[*(beside[one] for one in extra), name, *row] for row in rows]
    title = draw(st.sampled_from(["", "Village hall\n", "Series 7\nPrinted in May\n\n"]))
    end = draw(st.sampled_from(["", sep, sep * 3]))
    text = title + table(*([*line[:-1], f"{line[-1]}{end}"] for line in lines), sep=sep)
    file = text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])))
    wanted = Wanted(columns=Columns.TENS_LAST) if tens_last else None
    same(
        Pack.of(names, pack.numbers, pack.columns),
        Pack.from_csv(decode(file, "c"), "c", wanted),
    )
