"""Packs: made in strips, in arrays and card by card, read from CSV with every fault named."""

from __future__ import annotations

import hashlib
from random import Random, SystemRandom

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from station import cards
from station.cards import HEADER, Pack, are_cards, draw_numbers, draw_pack, make_pack, repeats
from station.errors import Unreadable
from station.serials import Numbering
from station.strips import draw
from station.table import KNOBS, Card
from tests.oracles import FIG_1, is_card

FIG = Card.parse(FIG_1)
LINE = "7,5,11,33,50,76,17,22,43,65,89,2,28,35,56,74"
OTHER = "8,1,12,23,34,45,6,16,26,36,46,7,17,27,37,47"


def csv(*lines: str) -> str:
    return "\n".join([",".join(HEADER), *lines]) + "\n"


def test_a_pack_of_24_has_every_number_on_four_cards():
    """The parlour's pack: four strips, 24 cards, each number on exactly four of them."""
    pack = make_pack(4, Random(2))
    assert len(pack) == 24
    assert np.bincount(pack.numbers.reshape(-1), minlength=91)[1:].tolist() == [4] * KNOBS
    assert pack.serials[0] == "0001"
    assert pack.serials[-1] == "0024"


def test_no_two_cards_of_a_pack_are_alike():
    """Different serials, different fifteen numbers, and each a card."""
    pack = make_pack(100, Random(3), first=9_990)
    assert pack.serials[0] == "09990", "all serials are as wide as the widest"
    assert pack.serials[-1] == "10589"
    assert len(set(pack.serials)) == len({card.numbers for card in pack.cards()}) == 600
    assert all(is_card([list(row) for row in card.rows]) for card in pack.cards())


def test_a_strip_with_a_card_that_is_there_already_is_passed_over():
    """Uniqueness is made, not hoped for: a strip dealt twice enters the pack once, and the seed's next one takes its place."""
    asked = []

    def stuttering(seed, count, first):
        asked.append((first, count))
        drawn = draw(seed, count, first)
        if first == 0:
            drawn[2] = drawn[1]
            drawn[4, 3] = drawn[0, 5]
        return drawn

    numbers = draw_numbers(6, "s", draw=stuttering)
    assert asked == [(0, 6), (6, 2)]
    own = draw("s", 8).reshape(8, -1)
    assert numbers.reshape(6, -1)[:4].tolist() == own[[0, 1, 3, 5]].tolist()
    assert numbers.reshape(6, -1)[4:].tolist() == own[6:].tolist()
    assert len(repeats(numbers)) == 0


def test_cards_alike_are_found_whatever_their_order():
    """The same fifteen numbers on other rows are the same card; the earlier one stays."""
    numbers = draw("r", 2).reshape(-1, 3, 5)
    twice = np.concatenate((numbers, numbers[[7]][:, ::-1], numbers[[0]]))
    assert repeats(twice).tolist() == [12, 13]
    assert repeats(numbers).tolist() == []


def test_cards_in_arrays_are_checked():
    """0, 91, a number twice, two of a column in a row, a wrong order: none is a card; and each that is named has its fault."""
    good = draw("g", 1).reshape(-1, 3, 5)
    assert are_cards(good)
    for place, wrong, says in (
        ((0, 0, 0), 0, "0 is not between"),
        ((1, 2, 4), 91, "91 is not between"),
        ((2, 0, 1), int(good[2, 0, 0]), "stands on the card twice"),
        ((3, 0, 0), 90, "the order of their columns|two numbers of one column|stands on the card twice"),
    ):
        bad = good.copy()
        bad[place] = wrong
        assert not are_cards(bad)
        with pytest.raises(Unreadable, match=f"card C{place[0]}: .*({says})"):
            Pack.of([f"C{n}" for n in range(6)], bad)
    for serials, says in ((["1"] * 6, "serial 1 stands 6 times"), (["1", "2", "3", "4", "5", "a b"], "serial 'a b'")):
        with pytest.raises(Unreadable, match=says):
            Pack.of(serials, good)
    with pytest.raises(Unreadable, match="at least one card"):
        Pack.of([], good[:0])
    with pytest.raises(Unreadable, match="card B has the same numbers as card A"):
        Pack.of(["A", "B"], good[[0, 0]])


def test_a_pack_in_arrays_is_the_pack_of_its_cards():
    """Made either way, it has the same cards, the same text, the same digest."""
    pack = make_pack(2, Random(4))
    again = Pack(pack.cards())
    assert (again.digest, again.serials) == (pack.digest, pack.serials)
    assert again.cards() == pack.cards()


def test_a_drawn_pack_has_serials_that_check():
    """Any size, from a seed; the same seed the same cards, another key other serials; and it is read back from its file."""
    numbering, other = Numbering(b"a key of a hall!", "A"), Numbering(b"a key of another", "A")
    pack = draw_pack(50, "spring", numbering, first=1001)
    assert len(pack) == 300
    assert [numbering.number_of(serial) for serial in pack.serials] == [*range(1001, 1301)]
    again = draw_pack(50, "spring", other, first=1001)
    assert np.array_equal(again.numbers, pack.numbers)
    assert not set(again.serials) & set(pack.serials)
    assert Pack.from_csv(pack.to_csv()).digest == pack.digest
    with pytest.raises(Unreadable, match="0 strips"):
        draw_pack(0, "spring", numbering)


def test_the_quick_way_to_read_is_the_slow_one(monkeypatch):
    """What `to_csv` writes is read all at once; line by line gives the same."""
    texts = [make_pack(3, Random(6)).to_csv(), draw_pack(3, "x", Numbering(b"a key of a hall!")).to_csv(), csv(LINE, OTHER)]
    quick = [Pack.from_csv(text) for text in texts]
    assert all(cards._read_plain(text) is not None for text in texts)
    monkeypatch.setattr(cards, "_read_plain", lambda _: None)
    slow = [Pack.from_csv(text) for text in texts]
    assert [pack.digest for pack in quick] == [pack.digest for pack in slow]
    assert [pack.cards() for pack in quick] == [pack.cards() for pack in slow]


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ("9" + LINE[1:], "c:3: card 9: the same numbers stand on line 2 already"),
        (OTHER.replace("8", "7", 1), "c:3: card 7: this serial stands on line 2 already"),
        (OTHER.replace(",12,", ",,"), "c:3: card 8: r1n2 is ''"),
        (OTHER.replace(",1,12,", ",12,1,"), "c:3: card 8: row 1: the numbers do not stand in the order"),
    ],
)
def test_a_text_as_we_write_it_is_checked_as_any_other(second, says):
    """A plain text with a card or a serial twice, an empty cell, a wrong order: the line is named."""
    with pytest.raises(Unreadable, match=says):
        Pack.from_csv(csv(LINE, second), "c")


@given(st.text('0123456789,"\n\r;x 7', max_size=6), st.integers(0, 120), st.integers(0, 6))
def test_the_quick_way_reads_nothing_that_the_slow_one_refuses(rubbish, place, gone):
    """Whatever is put in or taken out, both ways say the same: a pack with the same cards, or the same faults."""
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
        patch.setattr(cards, "_read_plain", lambda _: None)
        assert read() == found


def test_a_seed_makes_the_same_pack_again():
    """Same seed, same digest; another seed, or none, makes another."""
    same = make_pack(3, Random(5)), make_pack(3, Random(5))
    assert same[0].digest == same[1].digest == hashlib.sha256(same[0].to_csv().encode()).hexdigest()
    assert len({same[0].digest, make_pack(3, Random(6)).digest, make_pack(3).digest, make_pack(3, SystemRandom()).digest}) == 4


def test_progress_is_told(monkeypatch):
    """As it goes on, up to all."""
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(cards, "AT_ONCE", 2)
    make_pack(3, Random(7), progress=lambda done, of: told.append((done, of)))
    assert told == [(2, 3), (3, 3)]


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 10**6))
@settings(max_examples=25)
def test_a_pack_comes_back_from_its_csv(seed, strips, first):
    """Written and read it is the same pack, card by card, with the same digest."""
    pack = make_pack(strips, Random(seed), first=first)
    read = Pack.from_csv(pack.to_csv())
    assert read.digest == pack.digest
    assert read.cards() == pack.cards()
    assert all(serial in read for serial in pack.serials)


def test_a_spreadsheets_csv_is_read(tmp_path):
    """A byte order mark, CRLF, quotes, spaces, blank lines, capitals in the header: all are well."""
    path = tmp_path / "cards.csv"
    quoted = ",".join(f'" {cell} "' for cell in LINE.split(","))
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join([",".join(HEADER).upper(), "", quoted, "", OTHER, ""]).encode())
    pack = Pack.load(path)
    assert pack.card("7").rows == FIG.rows
    assert pack.serials == ("7", "8")


def test_every_fault_is_named_by_its_line():
    """One reading names all: fourteen numbers, 0, 91, letters, serial twice, numbers twice, a wrong order, a bad serial."""
    text = csv(
        LINE,  # line 2 is good
        "3,5,11,33,50,76,17,22,43,65,89,2,28,35,56",
        "4,0,12,23,34,45,6,16,26,36,46,7,17,27,37,91",
        "5,1,12,23,34,x,6,16,26,36,46,7,17,27,37,47",
        "7,1,12,23,34,45,6,16,26,36,46,7,17,27,37,47",
        "9,5,11,33,50,76,17,22,43,65,89,2,28,35,56,74",
        "10,12,1,23,34,45,6,16,26,36,46,7,17,27,38,47",
        "a b,1,12,23,34,45,6,16,26,36,48,7,17,27,37,49",
        f"11,1,12,23,34,{'9' * 5000},6,16,26,36,46,7,17,27,37,47",
        "12,1,12,23,34,45,6,16,26,36,46,7,17,27,37,47,50",
    )
    with pytest.raises(Unreadable) as caught:
        Pack.from_csv(text, "mine.csv")
    told = str(caught.value).splitlines()
    assert [line.partition(" ")[0] for line in told] == [f"mine.csv:{n}:" for n in (3, 4, 4, 5, 6, 7, 8, 9, 10, 11)]
    for line, says in zip(
        told,
        ["14 numbers instead of 15", "row 1: 0 is not", "row 3: 91 is not", "r1n5 is 'x'", "serial stands on line 2 already",
         "same numbers stand on line 2 already", "order of their columns", "serial 'a b'", "r1n5", "16 numbers instead of 15"],
        strict=True,
    ):  # fmt: skip
        assert says in line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "c:1: the first line must be serial,r1n1"),
        (LINE, "c:1: the first line must be serial,r1n1"),
        (csv(LINE).replace("r1n1,r1n2", "r1n2,r1n1"), "c:1: the first line must be"),
        (csv(LINE).replace(",", ";"), "c:1: the first line must be"),
        (csv(), "c: no cards"),
        (csv('7,"' + "5" * 200_000), "c:2: not CSV"),
    ],
)
def test_a_file_that_is_no_pack_is_refused(text, says):
    """No header, another order, another separator, no cards, not CSV: each says what the file should be."""
    with pytest.raises(Unreadable, match=says):
        Pack.from_csv(text, "c")


@given(st.text('0123456789,"\n\r\0;x 7', max_size=60), st.integers(0, 60))
def test_any_text_is_a_pack_or_unreadable(rubbish, place):
    """Whatever is inserted into a file, nothing but `Unreadable` comes of it, or a good pack."""
    text = csv(LINE, OTHER)
    place += len(text) // 2
    try:
        pack = Pack.from_csv(text[:place] + rubbish + text[place:])
    except Unreadable as error:
        told = str(error).splitlines()
    else:
        told = []
        assert all(is_card([list(row) for row in card.rows]) for card in pack.cards())
    assert all(line.startswith("cards:") for line in told)


def test_files_that_cannot_be_read(tmp_path):
    """Not there, and not UTF-8: the file is named, and what to do."""
    with pytest.raises(Unreadable, match="make a pack with"):
        Pack.load(tmp_path / "none.csv")
    path = tmp_path / "latin.csv"
    path.write_bytes(csv(LINE).encode() + b"caf\xe9")
    with pytest.raises(Unreadable, match="not UTF-8 at byte"):
        Pack.load(path)


def test_faulty_cards_make_no_pack():
    """A pack refuses faulty, like and missing cards, however it is made."""
    twin = Card("8", FIG.rows)
    for listed, says in (
        ([], "at least one card"),
        ([FIG, FIG], "serial 1 stands 2 times"),
        ([FIG, twin], "card 8 has the same numbers as card 1"),
        ([Card("1", FIG.rows[:2])], "2 rows instead of 3"),
    ):
        with pytest.raises(Unreadable, match=says):
            Pack(listed)


def test_a_range_of_serials():
    """Both ends included, in the pack's order; unknown ends and a backward range are refused with a sentence."""
    pack = make_pack(2, Random(8))
    assert pack.between("0003", "0005") == ("0003", "0004", "0005")
    assert pack.between("0003", "0003") == ("0003",)
    with pytest.raises(Unreadable, match="card 0013 is not in this pack"):
        pack.between("0001", "0013")
    with pytest.raises(Unreadable, match="card 3 is not in this pack"):
        pack.between("3", "0005")
    with pytest.raises(Unreadable, match="write 0003-0005"):
        pack.between("0005", "0003")
