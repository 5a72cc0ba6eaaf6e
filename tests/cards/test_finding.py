"""Cards are found as people say them: where one fits, and only there."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.cards.finding import read_alike
from station.cards.pack import Pack, beside, make_pack, named
from station.cards.serials import Numbering, qr_text
from tests.examples import examples

MANY = make_pack(24, Random(3))
NUMBERING = Numbering(b"a key of the tests' own", "A", 6)


def pack(*serials: str) -> Pack:
    return Pack.of(serials, MANY.numbers[: len(serials)])


def counted(form: str, many: int = 24) -> Pack:
    return pack(*(form.format(number) for number in range(1, many + 1)))


PLAIN = counted("{:04}")
SETS = pack(*(f"{book}/{page}" for book in (1, 2) for page in range(1, 7)))
KEYED = Pack.of(NUMBERING.serials(1, 40), MANY.numbers[:40])
CHECK = KEYED.serials[16][-4:]  # of A000017
FIRST = Pack.of([f"{n:04}" for n in range(1, 31)], MANY.numbers[:30])
SECOND = Pack.of([f"{n:04}" for n in range(1, 31)], MANY.numbers[30:60])
TWO = beside(named(FIRST, "A"), named(SECOND, "B"))
FOUND = [
    # numbers without their zeros
    (PLAIN, "17", "0017"),
    (PLAIN, "017", "0017"),
    (PLAIN, "00017", "0017"),
    (PLAIN, " 17 ", "0017"),
    (PLAIN, "o17", "0017"),
    (PLAIN, "l7", "0017"),
    (PLAIN, "1.7", "0017"),
    (PLAIN, "No. 17", None),
    (PLAIN, "99", None),
    (PLAIN, "", None),
    (PLAIN, "-", None),
    (PLAIN, "१७", "0017"),
    # signs, capitals, accents
    (counted("No. {}"), "6", "No. 6"),
    (counted("No. {}"), "no 6", "No. 6"),
    (counted("No. {}"), "NO06", "No. 6"),
    (counted("#{}"), "5", "#5"),
    (counted("#{}"), "#05", "#5"),
    (counted("FS001_{}"), "FS001_2", "FS001_2"),
    (counted("FS001_{}"), "fs1-2", "FS001_2"),
    (counted("FS001_{}"), "1/2", "FS001_2"),
    (counted("FS001_{}"), "2", "FS001_2"),
    (counted("A 12 {}"), "a 12 4", "A 12 4"),
    (counted("A 12 {}"), "12 4", "A 12 4"),
    (counted("A 12 {}"), "4", "A 12 4"),
    (counted("A 12 {}"), "A4", None),
    (counted("Série-{}"), "SERIE 7", "Série-7"),
    (counted("Série-{}"), "série7", "Série-7"),
    (counted("Série-{}"), "7", "Série-7"),
    (counted("TICKET-{}"), "ticket 3", "TICKET-3"),
    (counted("1.{}"), "1.4", "1.4"),
    (counted("1.{}"), "4", "1.4"),
    (counted("Tombolata 2025 [ S. 1] <n. {}>"), "9", "Tombolata 2025 [ S. 1] <n. 9>"),
    (counted("Tombolata 2025 [ S. 1] <n. {}>"), "1 n 9", "Tombolata 2025 [ S. 1] <n. 9>"),
    (counted("3f2504e0-4f89-41d3-9a0c-0305e82c33{:02}"), "3307",
     "3f2504e0-4f89-41d3-9a0c-0305e82c3307"),
    # only where one fits
    (SETS, "2/5", "2/5"),
    (SETS, "25", "2/5"),
    (SETS, "5", None),
    (TWO, "17", None),
    (TWO, "0017", None),
    (TWO, "B 0017", "B 0017"),
    (TWO, "b17", "B 0017"),
    (TWO, "B-17", "B 0017"),
    (TWO, "A 17", "A 0017"),
    (TWO, "C 17", None),
    # check characters
    (KEYED, f"17-{CHECK}", KEYED.serials[16]),
    (KEYED, f"a17 {CHECK.lower()}", KEYED.serials[16]),
    (KEYED, f"17{CHECK}", KEYED.serials[16]),
    (KEYED, "17", None),
    (KEYED, "A17", None),
    (KEYED, CHECK, None),
    (KEYED, "A000017-0000", None),
    (KEYED, NUMBERING.short(17), KEYED.serials[16]),
]  # fmt: skip
ASKED = [
    (SETS, "5", ["1/5", "2/5"]),
    (TWO, "17", ["A 0017", "B 0017"]),
    (TWO, "0017", ["A 0017", "B 0017"]),
    (pack("AO1", "A01"), "aol", ["AO1", "A01"]),
    (pack("I7", "L7"), "17", ["I7", "L7"]),
    (counted("{}", 12), "1 2", ["12"]),
]


@pytest.mark.parametrize(("cards", "said", "serial"), FOUND)
def test_a_card_is_found_as_people_say_it(cards, said, serial):
    """Its number, its last numbers, without zeros, signs, capitals and accents."""
    assert cards.find(said, NUMBERING) == serial


@pytest.mark.parametrize(("cards", "said", "serials"), ASKED)
def test_where_several_fit_all_are_named(cards, said, serials):
    """The person is asked; the pack does not choose."""
    assert cards.meant(said) == serials


def test_a_card_that_is_written_rightly_is_not_misread():
    """I and L are read as 1 only where nobody wrote them so."""
    assert pack("I7", "L7").find("i7") == "I7"
    assert pack("AO1", "A01").find("A01") == "A01"


@pytest.mark.parametrize(
    ("said", "serial"),
    [
        ("17", 16),
        ("A17", 16),
        ("a000017", 16),
        ("0017", 16),
        ("41", None),
        ("B17", None),
        ("", None),
    ],
)
def test_at_a_sale_the_number_is_enough(said, serial):
    """Check characters and series may be left out; a claim needs the former."""
    assert KEYED.find_counted(said) == (None if serial is None else KEYED.serials[serial])


def test_a_number_of_two_keyed_series_is_asked_about():
    """17 may be of either; each is found by its letter."""
    other = Numbering(b"a key of the tests' own", "B", 6)
    both = Pack.of([*NUMBERING.serials(1, 30), *other.serials(1, 30)], MANY.numbers[:60])
    assert both.meant("17", counted=True) == [NUMBERING.serial(17), other.serial(17)]
    assert both.find_counted("b17") == other.serial(17)
    assert both.find(NUMBERING.short(17), NUMBERING) == NUMBERING.serial(17)


def test_a_second_series_beside_a_keyed_one_keeps_its_codes():
    """The hall's own cards have short codes, the others their serials."""
    both = beside(KEYED, named(Pack.of(SECOND.serials, MANY.numbers[60:90]), "B"))
    assert both.find(NUMBERING.short(17), NUMBERING) == KEYED.serials[16]
    assert qr_text("B 0017", NUMBERING) == "B 0017"
    assert both.find(qr_text("B 0017", NUMBERING), NUMBERING) == "B 0017"
    assert both.find("17") == "B 0017"  # for a claim: the other needs its check characters
    assert both.series == {"A": 40, "B": 30}


FORMS = ["{:04}", "{}", "No. {}", "12/{}", "B {:05}", "x{:03}-q", "#{}", "Série {}"]


@given(st.sampled_from(FORMS), st.integers(1, 90), st.data())
@examples(200)
def test_whatever_form_a_printer_gave_it_a_serial_finds_its_card(form, number, data):
    """Signs dropped or changed, letters of either size, zeros dropped or added: never another."""
    cards = counted(form, 90)
    serial = form.format(number)
    said = serial.upper() if data.draw(st.booleans()) else serial.lower()
    sign = data.draw(st.sampled_from(["", " ", "-", "/", "_"]))
    said = "".join(letter if letter.isalnum() else sign for letter in said)
    assert cards.find(said) in (serial, None if sign == "" else serial)
    assert cards.find(said) == serial


@given(st.lists(st.text("01A /-", min_size=1, max_size=5), max_size=12, unique=True))
@examples(200)
def test_serials_that_read_alike_are_found_together(serials):
    """Two are in one group if nothing but signs and zeros parts them."""
    groups = read_alike(serials)
    alike = {(one, two) for group in groups for one in group for two in group if one < two}

    def said(serial):
        parts = "".join(c if c.isalnum() else " " for c in serial.replace("A", " A ")).split()
        return "".join(part.lstrip("0") or "0" if part != "A" else part for part in parts)

    wanted = {
        (one, two)
        for one in range(len(serials))
        for two in range(one + 1, len(serials))
        if said(serials[one]) == said(serials[two])
    }
    assert alike == wanted
