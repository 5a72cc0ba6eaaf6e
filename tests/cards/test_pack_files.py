"""Packs as files: every layout read and written, however the file is dressed; every fault named by
its line; all or nothing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import Card, column_of
from station.cards import pack_files
from station.cards.pack import Pack, draw_pack, make_pack
from station.cards.pack_files import MOST_FAULTS
from station.cards.pack_layouts import HEADER, LAYOUTS, PackLayout
from station.cards.pack_sample import Wanted
from station.cards.pack_text import decode
from station.cards.serials import Numbering
from station.night.acts import parse_act
from station.night.hall import Hall, apply
from tests.examples import examples
from tests.oracles import FIG_1, is_card
from tests.support import PROGRAMME

FIG = Card.parse(FIG_1)
LINE = "7,5,11,33,50,76,17,22,43,65,89,2,28,35,56,74"
OTHER = "8,1,12,23,34,45,6,16,26,36,46,7,17,27,37,47"
# The book's card and one more in each layout, as a person would write it.
WRITTEN = {
    PackLayout.NUMBERS: f"{LINE}\n{OTHER}\n",
    PackLayout.ROWS: "7,5,11,33,50,76\n,17,22,43,65,89\n,2,28,35,56,74\n"
    "8,1,12,23,34,45\n,6,16,26,36,46\n,7,17,27,37,47\n",
    PackLayout.CELLS: "7,5,11,,33,,50,,76,,,17,22,,43,,65,,89,2,,28,35,,56,,74,\n"
    "8,1,12,23,34,45,0,0,0,0,6,16,26,36,46,-,-,-,-,7,17,27,37,47,,,,\n",
    PackLayout.GRID: "7,5,11,,33,,50,,76,\n7,,17,22,,43,,65,,89\n7,2,,28,35,,56,,74,\n"
    "8,1,12,23,34,45,,,,\n8,6,16,26,36,46,,,,\n8,7,17,27,37,47,,,,\n",
}  # fmt: skip
SECOND = WRITTEN[PackLayout.GRID].partition("74,\n")[2]
FIRST_AGAIN = "8,2,11,,33,,50,,74,\n8,,17,22,,43,,65,,89\n8,5,,28,35,,56,,76,\n"


def csv(*lines: str) -> str:
    return "\n".join([",".join(HEADER), *lines]) + "\n"


def antique(pack: Pack, luck: Random) -> Pack:
    """The same numbers on the same cells, but the numbers of a column in any order, as on old
    cards."""
    cards = []
    for card in pack.cards():
        columns: dict[int, list[int]] = {}
        for number in luck.sample(sorted(card.numbers), 15):
            columns.setdefault(column_of(number), []).append(number)
        cards.append(
            Card(
                card.serial,
                tuple(
                    tuple(columns[column_of(number)].pop() for number in row) for row in card.rows
                ),
            )
        )
    return Pack(luck.sample(cards, len(cards)))


@st.composite
def packs(draw_):
    luck = Random(draw_(st.integers(0, 2**32)))
    numbering = draw_(
        st.sampled_from(
            [None, Numbering(b"a key of a hall!", "A"), Numbering(b"a key of a hall!", "", 4)]
        )
    )
    made = draw_pack(
        draw_(st.integers(1, 3)), str(luck.random()), numbering, first=draw_(st.integers(1, 10**6))
    )
    pack = antique(made, luck) if draw_(st.booleans()) else made
    return Pack(pack.cards()[: draw_(st.integers(1, len(pack)))])


def dressed(text: str, layout: PackLayout, draw_) -> tuple[bytes, dict[str, object]]:
    """The same cards as another program would write them; and what must be said to read them."""
    lines = [line.split(",") for line in text.splitlines()]
    said: dict[str, object] = {}
    if draw_(st.booleans()):
        said["layout"] = layout
    if (place := draw_(st.integers(0, len(lines[0]) - 1))) > 0:
        for line in lines:
            line.insert(place, line.pop(0))
        lines[0][place] = draw_(st.sampled_from(["Ticket", "Serial"]))
        if lines[0][place] == "Ticket":
            said["serial_column"] = draw_(st.sampled_from(["ticket", str(place + 1)]))
    head = draw_(st.sampled_from(["ours", "counted", "none"])) if place == 0 else "ours"
    if head == "counted":
        lines[0] = ["Card", *map(str, range(1, len(lines[0])))]
    elif head == "none":
        del lines[0]
    if layout.lines == 3 and draw_(st.booleans()):
        for number, line in enumerate(lines[head != "none" :]):
            line[place] = line[place] if number % 3 == 0 else ""
    blank = draw_(st.sampled_from(["", "0", "-", " "]))
    if layout.has_blanks and not (layout.lines == 3 and blank in "-0"):
        lines[head != "none" :] = [
            [cell or blank for cell in line] for line in lines[head != "none" :]
        ]
    quote = draw_(st.sampled_from(['"', ""]))
    separator, end = (
        draw_(st.sampled_from([",", ";", "\t"])),
        draw_(st.sampled_from(["\n", "\r\n", "\r"])),
    )
    written = end.join(
        separator.join(f"{quote}{cell}{quote}" for cell in line) for line in lines
    ) + draw_(st.sampled_from(["", end, end + separator * 3 + end]))
    return written.encode(draw_(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))), said


@given(packs(), st.sampled_from(PackLayout), st.data())
@examples(120)
def test_a_pack_comes_back_from_every_layout(pack, layout, data):
    """Written in any layout, dressed as any program would, and read again: the same cards in the
    same order, the same digest."""
    file, said = dressed(pack.to_bytes(layout).decode(), layout, data.draw)
    again = Pack.from_csv(decode(file, "c"), "c", Wanted(**said))
    assert again.digest == pack.digest
    assert again.cards() == pack.cards()


@pytest.mark.parametrize("layout", PackLayout)
def test_the_books_card_is_read_in_every_layout(layout):
    """5 above 2, 76 above 74: with serials on each line or the first, blanks of every kind, without
    a header."""
    pack = Pack.from_csv(decode(WRITTEN[layout].encode("utf-8-sig"), "c"))
    assert pack.card("7").rows == FIG.rows
    assert pack.serials == ("7", "8")
    assert pack.digest == Pack.from_csv(csv(LINE, OTHER)).digest


def test_the_layouts_differ_in_width():
    """Each has its own number of cells a line, so that a file tells which it is; and a name for
    each cell."""
    assert {layout: width for width, layout in LAYOUTS.items()} == {
        "numbers": 16,
        "rows": 6,
        "cells": 28,
        "grid": 10,
    }
    assert all(len(set(layout.header)) == len(layout.header) for layout in PackLayout)


@pytest.mark.parametrize("sample", [2, 100])
def test_a_spreadsheets_csv_is_read(sample, tmp_path, monkeypatch):
    """A byte order mark, CRLF, quotes, spaces, blank lines, capitals in the header: all are well,
    at the beginning and later."""
    monkeypatch.setattr(pack_files, "SAMPLE", sample)
    path = tmp_path / "cards.csv"
    quoted = ",".join(f'" {cell} "' for cell in LINE.split(","))
    path.write_bytes(
        b"\xef\xbb\xbf"
        + "\r\n".join([",".join(HEADER).upper(), "", quoted, " , , ", OTHER, ""]).encode()
    )
    pack = Pack.load(path)
    assert pack.card("7").rows == FIG.rows
    assert pack.serials == ("7", "8")


# -- the quick way ---------------------------------------------------------------------------------


def test_the_quick_way_to_read_is_the_slow_one(monkeypatch):
    """What `to_csv` writes is read all at once; line by line gives the same."""
    monkeypatch.setattr(pack_files, "PIECE", 100)
    texts = [
        make_pack(3, Random(6)).to_csv(),
        draw_pack(3, "x", Numbering(b"a key of a hall!")).to_csv(),
        csv(LINE, OTHER),
    ]
    quick = [Pack.from_csv(text) for text in texts]
    assert all(pack_files._read_plain(text) is not None for text in texts)
    monkeypatch.setattr(pack_files, "_read_plain", lambda _: None)
    slow = [Pack.from_csv(text) for text in texts]
    assert [pack.digest for pack in quick] == [pack.digest for pack in slow]
    assert [pack.cards() for pack in quick] == [pack.cards() for pack in slow]


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ("9" + LINE[1:], "c:3: card 9: the same numbers stand on line 2 already"),
        (OTHER.replace("8", "7", 1), "c:3: card 7: this serial stands on line 2 already"),
        (OTHER.replace("8", "ticket-3-1", 1), "c:3: serial 'ticket-3-1' .* the station's own"),
        (OTHER.replace(",12,", ",,"), "c:3: card 8: r1n2 is ''"),
        (
            OTHER.replace(",1,12,", ",12,1,"),
            "c:3: card 8: row 1: the numbers do not stand in the order",
        ),
    ],
)
def test_a_text_as_we_write_it_is_checked_as_any_other(second, says):
    """A plain text with a card or a serial twice, a ticket's name, an empty cell, a wrong order:
    the line is named."""
    with pytest.raises(Unreadable, match=says):
        Pack.from_csv(csv(LINE, second), "c")


@given(st.text('0123456789,"\n\r;x 7', max_size=6), st.integers(0, 120), st.integers(0, 6))
def test_the_quick_way_reads_nothing_that_the_slow_one_refuses(rubbish, place, gone):
    """Whatever is put in or taken out, both ways say the same: a pack with the same cards, or the
    same faults."""
    text = csv(LINE, OTHER)
    place += len(text) - 120
    text = text[:place] + rubbish + text[place + gone :]

    def read():
        try:
            return Pack.from_csv(text).cards()
        except Unreadable as error:
            return str(error)

    found = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pack_files, "_read_plain", lambda _: None)
        assert read() == found


# -- faults ----------------------------------------------------------------------------------------


def test_every_fault_is_named_by_its_line():
    """One reading names all: fourteen numbers, 0, 91, letters, serial twice, numbers twice, a wrong
    order, a bad serial."""
    text = csv(
        LINE,  # line 2 is good
        "3,5,11,33,50,76,17,22,43,65,89,2,28,35,56",
        "4,0,12,23,34,45,6,16,26,36,46,7,17,27,37,91",
        "5,1,12,23,34,x,6,16,26,36,46,7,17,27,37,47",
        "7,1,12,23,34,45,6,16,26,36,46,7,17,27,37,47",
        "9,5,11,33,50,76,17,22,43,65,89,2,28,35,56,74",
        "10,12,1,23,34,45,6,16,26,36,46,7,17,27,38,47",
        "=b,1,12,23,34,45,6,16,26,36,48,7,17,27,37,49",
        f"11,1,12,23,34,{'9' * 5000},6,16,26,36,46,7,17,27,37,47",
        "12,1,12,23,34,45,6,16,26,36,46,7,17,27,37,47,50",
    )
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(text, "mine.csv")
    told = str(caught.value).splitlines()
    assert [line.partition(" ")[0] for line in told] == [
        f"mine.csv:{n}:" for n in (3, 4, 4, 5, 6, 7, 8, 9, 10, 11)
    ]
    for line, says in zip(
        told,
        ["14 numbers instead of 15", "row 1: 0 is not", "row 3: 91 is not", "r1n5 is 'x'",
         "serial stands on line 2 already", "same numbers stand on line 2 already",
         "order of their columns", "serial '=b'", "r1n5", "16 numbers instead of 15"],
        strict=True,
    ):  # fmt: skip
        assert says in line


@pytest.mark.parametrize(
    ("layout", "old", "new", "faults"),
    [
        # rows: on which of the three lines it is; a row too few, in the middle and at the end; a
        # row too many
        (PackLayout.ROWS, ",17,22,", ",0,22,", ["2: card 7: row 2: 0 is not between 1 and 90"]),
        (PackLayout.ROWS, ",56,74", ",56,91", ["3: card 7: row 3: 91 is not between 1 and 90"]),
        (PackLayout.ROWS, ",56,74", ",74,56",
         ["3: card 7: row 3: the numbers do not stand in the order of their columns"]),
        (PackLayout.ROWS, ",28,35,", ",28,", ["3: card 7: 4 numbers instead of 5"]),
        (PackLayout.ROWS, "8,1,12,", "8,1,zwölf,", ["4: card 8: n2 is 'zwölf', not a number"]),
        (PackLayout.ROWS, ",2,28,35,56,74\n", "", ["2: card 7 has only 2 of 3 rows"]),
        (PackLayout.ROWS, ",7,17,27,37,47\n", "",
         ["5: card 8 has only 2 of 3 rows: the file is cut off here"]),
        (PackLayout.ROWS, ",7,17,27,37,47", ",7,17,2", ["6: card 8: 3 numbers instead of 5"]),
        (PackLayout.ROWS, "\n8,", "\n,1,2,3,4,5\n8,",
         ["4: the serial is missing, or this line is one too many"]),
        (PackLayout.ROWS, "7,5,", '"7\n0",x,',
         ["2: card 7 0: n1 is 'x', not a number"]),
        (PackLayout.ROWS, "7,5,", ",5,", ["1: the serial is missing"]),
        (PackLayout.ROWS, "\n8,", "\n7,", ["4: card 7: this serial stands on line 1 already"]),
        (PackLayout.ROWS, "7,5,", "=7,5,", ["1: serial '=7' cannot be used"]),
        # cells and grid: a number in a wrong column, and fourteen
        (PackLayout.CELLS, "7,5,11,,33,,", "7,5,,11,33,,",
         ["1: card 7: row 1, column 3: 11 belongs in column 2"]),
        (PackLayout.CELLS, "7,5,11,", "7,,11,", ["1: card 7: row 1 has 4 numbers instead of 5"]),
        (PackLayout.CELLS, ",,56,,74,\n", ",,56,91,74,\n",
         ["1: card 7: row 3 has 6 numbers", "1: card 7: row 3: 91 is not between"]),
        (PackLayout.CELLS, ",27,37,47,,,,", ",27,3",
         ["2: card 8: row 3, column 4: 3 belongs in column 1",
          "2: card 8: row 3 has 4 numbers", "2: card 8: row 3 has two numbers"]),
        (PackLayout.CELLS, "8,1,12,", "8,1,y5,", ["2: card 8: r1c2 is 'y5', not a number"]),
        (PackLayout.CELLS, "8,1,12,", "7,1,12,",
         ["2: card 7: this serial stands on line 1 already"]),
        (PackLayout.GRID, "17,22,,43", ",22,17,43",
         ["2: card 7: row 2, column 4: 17 belongs in column 2"]),
        (PackLayout.GRID, ",56,,74,", ",56,74,,",
         ["3: card 7: row 3, column 7: 74 belongs in column 8"]),
        (PackLayout.GRID, ",56,,74,", ",56,,90,",
         ["3: card 7: row 3, column 8: 90 belongs in column 9"]),
        (PackLayout.GRID, "7,2,,28", "7,,,28", ["3: card 7: row 3 has 4 numbers instead of 5"]),
        (PackLayout.GRID, "7,2,,28,35", "7,5,,28,35",
         ["3: card 7: row 3: 5 stands on the card twice"]),
        (PackLayout.GRID, "8,7,17,27,37,47,,,,\n", "",
         ["5: card 8 has only 2 of 3 rows: the file is cut off here"]),
        (PackLayout.GRID, "8,7,17,27,37,47,,,,", "9,7,17,27,37,47,,,,",
         ["5: card 8 has only 2 of 3 rows",
          "6: card 9 has only 1 of 3 rows: the file is cut off here"]),
        (PackLayout.GRID, SECOND, FIRST_AGAIN,
         ["4: card 8: the same numbers stand on line 1 already"]),
        (PackLayout.GRID, SECOND, FIRST_AGAIN.replace("28", ""),
         ["6: card 8: row 3 has 4 numbers instead of 5"]),
    ],
)  # fmt: skip
def test_faults_of_the_other_layouts(layout, old, new, faults):
    """The line of the very row is named, and the cell; nothing else is found fault with."""
    text = WRITTEN[layout]
    assert text.count(old) == 1, "the table is right"
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(text.replace(old, new), "c")
    told = str(caught.value).splitlines()
    assert len(told) == len(faults), told
    for line, fault in zip(told, faults, strict=True):
        assert line.startswith(f"c:{fault}")


def test_many_faults_are_counted():
    """Fifty are told, in the order of their lines; of the rest, how many."""
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(csv(*(f"{n},0" + LINE[3:] for n in range(MOST_FAULTS + 12))), "c")
    told = str(caught.value).splitlines()
    assert len(told) == MOST_FAULTS + 1
    assert told[0].startswith("c:2: ")
    assert told[-1] == "c: and 12 more faults"


@pytest.mark.parametrize(
    ("text", "said", "says"),
    [
        ("", {}, "c:1: no cards"),
        (csv(), {}, "c:1: no cards"),
        ("\n\n;;;\n", {}, "c:1: no cards"),
        (
            csv(LINE).replace("r1n1,r1n2", "r1n2,r1n1"),
            {},
            "c:1: the columns must stand in the order serial,r1n1",
        ),
        (
            csv(LINE).replace("r2n", "r9n").replace("r3n", "r2n").replace("r9n", "r3n"),
            {},
            "c:1: the columns must stand in",
        ),
        (csv('7,"' + "5" * 200_000), {}, "c:2: not CSV"),
        (csv('7,"5,11'), {}, "c:2: not CSV: unexpected end of data"),
        (LINE.rpartition(",")[0], {}, r"c:1: 15 columns: 15 numbers\. No card can be read"),
        (f"{LINE}\n1,2\n3,4\n5,6", {}, "c:1: 2 columns: 2 numbers"),
        ("hello", {}, "c:1: no cards were found"),
        (csv(LINE), {"layout": PackLayout.GRID}, "c:2: 16 columns: .* No card can be read"),
        (csv(LINE), {"serial_column": "Ticket"}, "c: no column is called 'Ticket'"),
        (csv(LINE), {"serial_column": "0"}, "c: no column is called '0'"),
        (csv(LINE), {"serial_column": "17"}, "c: no column is called '17'"),
    ],
)
def test_a_file_that_is_no_pack_is_refused(text, said, says):
    """No cards, another order, a quote left open, an unknown layout or column: each says what the
    file should be."""
    with pytest.raises(Unreadable, match=says):
        Pack.from_csv(text, "c", Wanted(**said))


@given(
    st.sampled_from(PackLayout),
    st.text('0123456789,"\n\r\0;x 7-', max_size=60),
    st.integers(0, 200),
    st.integers(0, 200),
)
def test_any_text_is_a_pack_or_unreadable(layout, rubbish, place, gone):
    """Whatever is put into a file or taken out, nothing but `Unreadable` comes of it, or good
    cards."""
    text = WRITTEN[layout]
    try:
        pack = Pack.from_csv(text[:place] + rubbish + text[place + gone :])
    except Unreadable as error:
        told = str(error).splitlines()
    else:
        told = []
        assert all(is_card([list(row) for row in card.rows]) for card in pack.cards())
    assert all(line.startswith("cards:") for line in told)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (csv(LINE).encode() + b"caf\x81", "c.csv:3: not UTF-8 at byte"),
        (csv(LINE).encode() + "é".encode() + b"caf\xe9", "c.csv:3: not UTF-8 at byte"),
        (csv(LINE).encode() + b"\0", "c.csv:3: zero bytes: the file is damaged"),
        (csv(LINE, OTHER).encode("utf-16")[:-1], "c.csv:3: not UTF-16 at byte"),
    ],
)
def test_a_wrong_encoding_is_named_by_its_line(data, says, tmp_path):
    """No letters of any code, damaged UTF-8, a zero byte, half a file of UTF-16: file and line, and
    what to do."""
    path = tmp_path / "c.csv"
    path.write_bytes(data)
    with pytest.raises(Unreadable, match=says):
        Pack.load(path)


def test_a_file_that_is_not_there(tmp_path):
    """The file is named, and what to do."""
    with pytest.raises(Unreadable, match=r"none\.csv: No such file .* make a pack with"):
        Pack.load(tmp_path / "none.csv")


def test_progress_is_told(monkeypatch):
    """As the lines are read, up to all."""
    monkeypatch.setattr(pack_files, "AT_ONCE", 2)
    told: list[tuple[int, int]] = []
    Pack.from_csv(WRITTEN[PackLayout.GRID], progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 6), (2, 6), (4, 6), (6, 6)]


# -- played ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", PackLayout)
def test_an_old_series_plays(layout):
    """The book's card, imported, sold, called: its first row wins as it stands, 5 above 2; then two
    rows, then the house."""
    hall = Hall(Pack.from_csv(WRITTEN[layout]), PROGRAMME)

    def act(**what):
        nonlocal hall
        hall = apply(hall, parse_act(what))
        return hall.last_sold

    act(act="sell", serials=["7"], to="Anna")
    act(act="sell", serials=["8"], to="Ben")
    act(act="open")
    for row in FIG.rows:
        for number in row:
            game = act(act="draw", number=number)
        assert [claim.verdict for claim in act(act="claim", serial="7").claims] == ["valid"]
        game = act(act="play-on")
    assert [win.serial for win in game.wins] == ["7", "7", "7"]
    assert sum(win.amount for win in game.wins) == 200
    act(act="close")
    act(act="pay", serial="7")
    assert hall.ledger.total == 0
