"""What a scanner typed through another keyboard is read, where exactly one card fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.cards.keyboards import AMERICAN, LAYOUTS, bare, one_meant, readings
from station.cards.pack import make_pack
from station.cards.serials import Numbering
from station.settings.scan import card_looked_at, card_meant, cards_chosen

NUMBERING = Numbering(b"a key of the tests' own", "A", 6)
PLAIN = make_pack(4)
KEYED = PLAIN.of(NUMBERING.serials(1, len(PLAIN)), PLAIN.numbers)


def typed(text: str, layout: str) -> str:
    """What a computer of this layout makes of the keys that a scanner sends."""
    return text.translate(
        dict(zip(map(ord, "".join(AMERICAN)), "".join(LAYOUTS[layout]), strict=True))
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_serial_and_code_is_read_through_every_layout(layout: str) -> None:
    """In a claim, in a sale and where a card is looked at; in small letters, too."""
    for serial in KEYED.serials[:12]:
        code = NUMBERING.short(NUMBERING.number_of(serial))
        for sent in (serial, code, serial.lower()):
            there = typed(sent, layout)
            assert card_meant(KEYED, there, NUMBERING) == serial, there
            assert card_looked_at(KEYED, there, NUMBERING) == serial, there
            if " " not in there:
                assert cards_chosen(KEYED, [there], NUMBERING).serials == (serial,), there


@pytest.mark.parametrize(
    ("there", "sent"),
    [
        ("àà'HA\"NIDBVD", "004HQ3NIDBVD"),
        ("àà&\"è'!ç&&", "0013748911"),
        ('DE"ZGZV,WR', "DE3WGWVMZR"),
        ("DE3WGWVMYR", "DE3WGWVMZR"),
        ("àà&è", "0017"),
        ("ààà&", "0001"),
        ("éé&&", "2211"),
        ("+ěšč", "1234"),
        ("öööö", "0000"),
        ("Фёё".replace("ё", "0"), "A00"),
        ("००१७", "0017"),
        ("٠٠١٧", "0017"),
        (";0007?", "0007"),
        ("]Q30007", "0007"),
        ("]C10007", "0007"),
        ("~0007", "0007"),
        ("*0007*", "0007"),
        ("%0007?", "0007"),
        ("0007\t", "0007"),
        ("\x020007\x03", "0007"),
        ("mààà'", "0004"),
    ],
)
def test_readings_of_public_reports_and_of_scanners_marks(there: str, sent: str) -> None:
    """French and Belgian rows of digits, German and Czech letters, other scripts' digits, marks."""
    assert sent in {reading.upper() for reading in readings(there)}


@pytest.mark.parametrize("text", ["", " ", "0007", "A000123-K7QX", "x" * 65, "à" * 65, "\0"])
def test_what_needs_no_reading_has_none_that_is_itself(text: str) -> None:
    """What was typed is looked for as it stands; what is longer than any code is not read."""
    assert text not in set(readings(text))
    assert one_meant("x" * 65, lambda reading: reading) is None


def test_where_two_cards_fit_none_is_taken() -> None:
    """Two layouts read two cards: nobody knows which was scanned."""
    there = "àà-è"  # French 0067; a minus remains in others
    fits = set(readings(there))
    assert "0067" in fits
    assert one_meant(there, lambda reading: reading if reading == "0067" else None) == "0067"
    both = {"A1/Y2": "one", "A1/Z2": "two"}
    assert set(both) <= set(readings("A1-Z2"))
    assert one_meant("A1-Z2", both.get) is None
    for code, serial in both.items():
        assert one_meant("A1-Z2", {code: serial}.get) == serial
    assert one_meant("A1-Z2", dict.fromkeys(both, "one").get) == "one"  # two codes of one card
    assert one_meant("Qàà&", lambda reading: {"A001": "a", "Q00&": "b"}.get(reading)) == "a"
    assert (
        one_meant("(007)", lambda reading: {"007": "a", "80070": "b", "9007": "c"}.get(reading))
        == "a"
    )


@given(st.text(max_size=70))
def test_any_text_has_few_readings_and_each_can_be_a_code(text: str) -> None:
    """Bounded work for whatever was typed, and never the text itself."""
    read = list(readings(text))
    assert len(read) == len(set(read)) <= 2 * (len(LAYOUTS) + 1)
    assert text not in read
    assert all(reading[0].isalnum() and reading.isascii() for reading in read)


@given(st.text(alphabet="0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=1, max_size=20))
def test_marks_around_a_code_are_no_part_of_it(code: str) -> None:
    """Whichever a scanner puts there."""
    for before, behind in (
        (";", "?"),
        ("*", "*"),
        ("]Q3", ""),
        ("", "\r\n"),
        ("%", "?"),
        ("$", ""),
    ):
        assert bare(f"{before}{code}{behind}") == code
