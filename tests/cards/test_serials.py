"""Serials count, check, and cannot be guessed; short codes come back, and only those."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import SERIAL
from station.cards.serials import (
    ALPHABET,
    BATCH,
    MOST,
    SHORT,
    Numbering,
    is_keyed,
    numbering_of,
    qr_text,
)

HALL = Numbering(b"a key of a hall!", "A", 6)
FOR_EVER, CODE_FOR_EVER = "A000123-ME00", "1H47WXE426"
NUMBERS = st.integers(0, MOST - 1)
SERIES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", max_size=4)


@given(SERIES, st.integers(4, 10), NUMBERS)
def test_a_serial_comes_back(series, width, number):
    """Number to serial to number, also in small letters with spaces round it; and it is a serial of
    the table's."""
    numbering = Numbering(b"a key of a hall!", series, width)
    serial = numbering.serial(number)
    assert SERIAL.fullmatch(serial)
    assert serial.startswith(f"{series}{number:0{width}d}-")
    assert numbering.number_of(serial) == numbering.number_of(f" {serial.lower()} ") == number


@given(SERIES, NUMBERS)
def test_a_short_code_comes_back(series, number):
    """Number to code to number: ten characters that the smallest QR symbol holds."""
    numbering = Numbering(b"a key of a hall!", series)
    code = numbering.short(number)
    assert len(code) == SHORT
    assert set(code) <= set(ALPHABET)
    assert (
        numbering.number_of_short(code) == numbering.number_of_short(f" {code.lower()} ") == number
    )


def test_serials_together_are_those_one_by_one():
    """Across the borders of a batch, all of one length, whatever the first."""
    for first in (0, 1, BATCH - 1, BATCH, 5 * BATCH - 3):
        together = HALL.serials(first, 2 * BATCH + 5)
        assert together == [HALL.serial(number) for number in range(first, first + 2 * BATCH + 5)]
    assert {len(serial) for serial in HALL.serials(999_990, 20)} == {len("A1000000-ABCD")}
    assert HALL.number_of(HALL.serials(999_990, 20)[0]) == 999_990


def test_serials_stay_as_they_are():
    """Printed cards last for years: the same key gives the same serials and codes for ever."""
    assert (HALL.serial(123), HALL.short(123)) == (FOR_EVER, CODE_FOR_EVER)


@given(NUMBERS, st.integers(0, 11), st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ"))
def test_a_slip_is_found(number, place, letter):
    """One character wrong in a serial of this hall: it is no serial of this hall (but for one slip
    in a million)."""
    serial = HALL.serial(number % 10**6)
    assume(serial[place] != letter)
    with pytest.raises(Unreadable):
        HALL.number_of(serial[:place] + letter + serial[place + 1 :])


def test_check_characters_look_like_luck():
    """Neighbours, other keys and other series share no more than chance allows; each character is
    used evenly."""
    serials = HALL.serials(1, 20_000)
    checks = [serial[-4:] for serial in serials]
    assert len(set(checks)) > 19_600, "20,000 of 1,048,576: 190 doubles are expected"
    for place in range(4):
        counted = Counter(check[place] for check in checks)
        chi = sum((counted[letter] - 625) ** 2 / 625 for letter in ALPHABET)
        assert chi < 31 + 5 * 62**0.5
    for other in (Numbering(b"a key of a hall?", "A"), Numbering(b"a key of a hall!", "B")):
        same = sum(
            check == one[-4:] for check, one in zip(checks, other.serials(1, 20_000), strict=True)
        )
        assert same <= 3


@pytest.mark.long
def test_a_guessed_code_is_no_code():
    """Of many made-up short codes none is taken; a neighbour's, changed, is none; another hall's is
    none."""
    taken = 0
    for number in range(2000):
        code = HALL.short(number)
        changed = code[:-1] + ALPHABET[(ALPHABET.index(code[-1]) + 1) % 32]
        for wrong in (
            changed,
            Numbering(b"a key of a hall?", "A").short(number),
            Numbering(b"a key of a hall!", "B").short(number),
        ):
            try:
                HALL.number_of_short(wrong)
                taken += 1
            except Unreadable:
                pass
    assert taken <= 1
    first, second = HALL.short(1), HALL.short(2)
    assert sum(one == other for one, other in zip(first, second, strict=True)) < 5, (
        "neighbours do not look alike"
    )


def test_what_is_read_wrongly_is_understood():
    """O is 0, I and L are 1: in the check characters and in the code."""
    number = next(n for n in range(1000) if {"0", "1"} <= set(HALL.serial(n)[-4:]))
    head, _, check = HALL.serial(number).partition("-")
    assert HALL.number_of(f"{head}-{check.replace('0', 'O').replace('1', 'l')}") == number
    number = next(n for n in range(1000) if {"0", "1"} <= set(HALL.short(n)))
    assert HALL.number_of_short(HALL.short(number).replace("0", "o").replace("1", "I")) == number


@pytest.mark.parametrize(
    ("serial", "says"),
    [
        ("", "is not a serial like A000123-"),
        ("A000123", "is not a serial like"),
        ("A00-ABCD", "is not a serial like"),
        ("A000123-ABC", "is not a serial like"),
        ("B000123-ABCD", "is of series B, not A"),
        ("000123-ABCD", "is of series without letters, not A"),
        ("A000123-ABCD", "check characters are wrong"),
        ("A9999999999-ABCD", "check characters are wrong"),
    ],
)
def test_what_is_no_serial_is_refused(serial, says):
    """Each with what is wrong with it."""
    with pytest.raises(Unreadable, match=says):
        HALL.number_of(serial)


def test_wrong_settings_are_refused():
    """A short key, a strange series, a strange width, numbers out of range, strange codes: a
    sentence each."""
    for arguments, says in (
        ((b"short",), "5 bytes can be guessed"),
        ((b"a key of a hall!", "a1"), "series 'a1'"),
        ((b"a key of a hall!", "ABCDE"), "series 'ABCDE'"),
        ((b"a key of a hall!", "A", 3), "3 digits"),
    ):
        with pytest.raises(Unreadable, match=says):
            Numbering(*arguments)
    for first, count in ((-1, 1), (MOST - 1, 2)):
        with pytest.raises(Unreadable, match="serials count from 0"):
            HALL.serials(first, count)
    for number in (-1, MOST):
        with pytest.raises(Unreadable, match="serials count from 0"):
            HALL.short(number)
    for code in ("", "ABCDEFGHJ", "ABCDEFGHJKM", "ABCDEFGHJU", "ABCDEFGH-K"):
        with pytest.raises(Unreadable, match="is not a code of 10"):
            HALL.number_of_short(code)


@given(SERIES, st.integers(4, 10), st.integers(0, 10**6), st.integers(1, 40))
def test_how_cards_are_numbered_is_told_by_their_serials(series, width, first, count):
    """Series and width come back from the serials and the key; with another key, or plain serials,
    there is no numbering."""
    numbering = Numbering(b"a key of a hall!", series, width)
    serials = numbering.serials(first, count)
    found = numbering_of(serials, b"a key of a hall!")
    assert found is not None
    assert (found.series, found.serials(first, count)) == (series, serials)
    assert numbering_of(serials, b"a key of another") is None
    assert all(map(is_keyed, serials))
    assert not any(is_keyed(serial.partition("-")[0]) for serial in serials)


def test_a_pack_of_two_keys_has_no_numbering():
    """The first serial and the last are looked at; plain serials, and none, have no numbering."""
    mine, theirs = HALL.serials(1, 2), Numbering(b"a key of another", "A", 6).serials(3, 2)
    for serials in (mine + theirs, theirs + mine, ["0001", "0002"], ["7"], []):
        assert numbering_of(serials, b"a key of a hall!") is None


@given(NUMBERS)
def test_the_qr_holds_the_short_code(number):
    """What is printed is read back to the number; cards of other series, and plain ones, hold their
    serials."""
    serial = HALL.serial(number)
    assert HALL.number_of_short(qr_text(serial, HALL)) == number
    assert qr_text(serial, None) == serial
    assert qr_text(serial, Numbering(b"a key of a hall!", "B")) == serial
