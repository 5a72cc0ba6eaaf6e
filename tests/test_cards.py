"""Packs: made in strips, read from CSV with every fault named, and marked all at once."""

from __future__ import annotations

import hashlib
from random import Random, SystemRandom

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from station.cards import HEADER, STRIP, Marks, Pack, make_pack, make_strip
from station.errors import Unreadable
from station.table import KNOBS, Card
from tests.oracles import FIG_1, is_card

STRIPS = 2000
FIG = Card.parse(FIG_1)
LINE = "7,5,11,33,50,76,17,22,43,65,89,2,28,35,56,74"
OTHER = "8,1,12,23,34,45,6,16,26,36,46,7,17,27,37,47"


def csv(*lines: str) -> str:
    return "\n".join([",".join(HEADER), *lines]) + "\n"


def test_thousands_of_strips_are_valid():
    """Each number once a strip; rows of five; each column one to three numbers a card, ascending downwards and in its range."""
    chance = Random(1)
    numbers = np.array([make_strip(chance) for _ in range(STRIPS)])
    assert numbers.shape == (STRIPS, STRIP, 3, 5)
    assert (np.sort(numbers.reshape(STRIPS, -1), axis=1) == np.arange(1, 91)).all()
    columns = np.where(numbers == 90, 8, numbers // 10)
    assert (np.diff(columns, axis=-1) > 0).all(), "a row holds one number of a column, in the order of the columns"
    # A card drawn out on its 3 x 9 places, 0 where nothing stands.
    grid = np.zeros((STRIPS * STRIP, 3, 9), dtype=int)
    card, row = np.ogrid[: STRIPS * STRIP, :3]
    grid[card[..., None], row[..., None], columns.reshape(-1, 3, 5)] = numbers.reshape(-1, 3, 5)
    filled = (grid > 0).sum(axis=1)
    assert filled.min() == 1
    assert filled.max() == 3
    for above, below in ((0, 1), (1, 2), (0, 2)):
        both = (grid[:, above] > 0) & (grid[:, below] > 0)
        assert (grid[:, above] < grid[:, below])[both].all()


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


class Rigged(Random):
    """A chance that deals the first strip twice before it goes on."""

    def __init__(self) -> None:
        super().__init__(4)
        self.begun = self.getstate()
        self.again = True

    def rewind_once(self, done: int, of: int) -> None:
        if self.again:
            self.again = False
            self.setstate(self.begun)


def test_a_strip_with_a_card_that_is_there_already_is_dealt_anew():
    """Uniqueness is made, not hoped for: a strip dealt twice enters the pack once."""
    chance = Rigged()
    pack = make_pack(2, chance, progress=chance.rewind_once)
    assert len({card.numbers for card in pack.cards()}) == 12


class Extreme(Random):
    """A chance that knows only very small and very large, and counts how often columns are dealt."""

    dealt = 0

    def random(self) -> float:
        return self.getrandbits(1) * 0.999

    def sample(self, population, k, **rest):
        self.dealt += population == range(9)
        return super().sample(population, k, **rest)


def test_a_deal_that_comes_to_a_dead_end_is_dealt_anew():
    """This seed leaves a column's last numbers no card with room: the deal begins again, and the strip is whole."""
    chance = Extreme(960)
    strip = make_strip(chance)
    assert chance.dealt == 2
    assert sorted(number for card in strip for row in card for number in row) == [*range(1, 91)]
    assert all(is_card([list(row) for row in card]) for card in strip)


def test_a_seed_makes_the_same_pack_again():
    """Same seed, same digest; another seed, or none, makes another."""
    same = make_pack(3, Random(5)), make_pack(3, Random(5))
    assert same[0].digest == same[1].digest == hashlib.sha256(same[0].to_csv().encode()).hexdigest()
    assert len({same[0].digest, make_pack(3, Random(6)).digest, make_pack(3).digest, make_pack(3, SystemRandom()).digest}) == 4


def test_progress_is_told_for_every_strip():
    """One message a strip, counted up to all."""
    told: list[tuple[int, int]] = []
    make_pack(3, Random(7), progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]


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
    for cards, says in (
        ([], "at least one card"),
        ([FIG, FIG], "serial 1 stands 2 times"),
        ([FIG, twin], "card 8 has the same numbers as card 1"),
        ([Card("1", FIG.rows[:2])], "2 rows instead of 3"),
    ):
        with pytest.raises(Unreadable, match=says):
            Pack(cards)


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


MARKED = make_pack(3, Random(9)).cards()


@given(st.permutations(range(1, KNOBS + 1)), st.lists(st.booleans(), max_size=120))
@settings(max_examples=30)
def test_marks_agree_with_counting_by_hand(order, steps):
    """After any calls and any taken back: what each card wants, which are complete, how many are near is as by hand."""
    marks = Marks({card.serial: card for card in MARKED})
    called: list[int] = []
    for forward in steps:
        if forward and len(called) < KNOBS:
            called.append(order[len(called)])
            marks.call(called[-1])
        elif not forward and called:
            marks.take_back(called.pop())
    for rows in (1, 2, 3):
        wanted = [sum(sorted(len(set(row) - set(called)) for row in card.rows)[:rows]) for card in MARKED]
        assert marks.wanted(rows).tolist() == wanted
        assert marks.complete(rows) == tuple(card.serial for card, n in zip(MARKED, wanted, strict=True) if n == 0)
        assert [marks.near(rows, n) for n in (0, 1, 2)] == [wanted.count(n) for n in (0, 1, 2)]


def test_marks_of_no_cards():
    """A game without cards in play can be called all the same."""
    marks = Marks({})
    marks.call(1)
    assert (marks.complete(1), marks.near(3)) == ((), 0)


def test_marks_at_the_size_of_a_hall():
    """A thousand cards through a whole game: at the end every card is full, and by then every row was."""
    cards = {f"{place:05d}": card for place in range(1000) for card in [MARKED[place % len(MARKED)]]}
    marks = Marks(cards)
    for number in range(1, KNOBS + 1):
        marks.call(number)
    assert marks.complete(3) == tuple(cards)
    assert marks.near(3, 0) == len(cards)
