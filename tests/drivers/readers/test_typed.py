"""The shapes in which keyboard readers type a tag: one identity for one tag in all of them, and a
refusal wherever a line may mean two."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import SHORT, Cure, Refusal
from drivers.readers.frames import Tag
from drivers.readers.wedge import Typed, TypedShape, cure_of, meant, shape_of
from station.settings.tags import TagTable, table_from, to_toml
from tests.drivers.readers.test_wedge import typed

FORM, ZERO = Refusal.FORM, Refusal.ZERO
END = 6547886 & 0xFFFFFF

# What is typed, and what it means where the settings do not name the shape.
UNASKED = [
    ("0006547886", Tag(6547886)),
    ("0563537489", Tag(563537489)),
    ("4294967295", Tag(2**32 - 1)),
    ("4294967296", FORM),  # it may be hex
    ("0000000000", ZERO),
    ("0063E9AE", Tag(6547886)),
    ("0063e9ae", Tag(6547886)),
    ("010063E9AE", Tag(6547886, 1)),
    ("0A004D7603", Tag(0x4D7603, 0x0A)),
    ("3c00ce754c", Tag(13530444, 0x3C)),
    ("0004301515182", Tag(6547886, 1)),
    ("0042954749443", Tag(0x4D7603, 0x0A)),
    ("1099511627775", Tag(2**32 - 1, 0xFF)),
    ("1099511627776", FORM),
    ("42954749443", FORM),  # without its noughts it may be anything
    ("099,59822", Tag(SHORT | END)),
    ("077,30211", Tag(SHORT | 0x4D7603)),
    ("255,65535", Tag(SHORT | 0xFFFFFF)),
    ("256,00000", FORM),
    ("099,65536", FORM),
    ("000,00000", ZERO),
    ("00099,59822", Tag(6547886)),
    ("65535,65535", Tag(2**32 - 1)),
    ("65536,00000", FORM),
    ("06547886", FORM),
    ("09959822", FORM),
    ("00639812", FORM),
    ("99999999", FORM),
    (";0006547886", Tag(6547886)),
    (";0006547886?", Tag(6547886)),
    (";099,59822?", Tag(SHORT | END)),
    (" 0006547886 ", Tag(6547886)),
    ("0006547886;", FORM),
    (";;0006547886", FORM),
    ("006547886", FORM),
    ("00006547886", FORM),
    ("0063E9AG", FORM),
    ("0x63E9AE", FORM),
    ("99,59822", FORM),
    ("099.59822", FORM),
    ("099, 59822", FORM),
    ("\u0660\u0660\u0660\u0666\u0665\u0664\u0667\u0668\u0668\u0666", FORM),
    ("", FORM),
]  # fmt: skip

# The same where the settings name it.
NAMED = [
    ("06547886", "8d", Tag(SHORT | END)),
    ("16777215", "8d", Tag(SHORT | 0xFFFFFF)),
    ("16777216", "8d", FORM),
    ("09959822", "3d5d", Tag(SHORT | END)),
    ("099,59822", "3d5d", Tag(SHORT | END)),
    ("00639812", "8h", Tag(0x639812)),
    ("0063E9AE", "8h", Tag(6547886)),
    ("0100639812", "10h", Tag(0x639812, 1)),
    ("0006547886", "10h", Tag(0x06547886)),
    ("0006547886", "10d", Tag(6547886)),
    ("010063E9AE", "10d", FORM),
    ("0063E9AE", "8d", FORM),
    ("0006547886", "8d", FORM),
    ("06547886", "10d", FORM),
    ("0004301515182", "13d", Tag(6547886, 1)),
    ("0006547886", "13d", FORM),
    ("00099,59822", "5d5d", Tag(6547886)),
]


@pytest.mark.parametrize(("line", "found"), UNASKED)
def test_what_a_line_means_unasked(line, found):
    """What can mean one tag only is that tag; anything else is refused."""
    assert meant(line) == found


@pytest.mark.parametrize(("line", "shape", "found"), NAMED)
def test_what_a_line_means_in_a_shape(line, shape, found):
    """The settings name the shape: lines of that shape are read, no others."""
    assert meant(line, TypedShape(shape)) == found


def lines_of(number, version):
    """How each shape writes a tag."""
    high, low, end = number >> 16, number & 0xFFFF, number & 0xFFFFFF
    return {
        TypedShape.D10: f"{number:010d}",
        TypedShape.D13: f"{version << 32 | number:013d}",
        TypedShape.H8: f"{number:08X}",
        TypedShape.H10: f"{version:02X}{number:08X}",
        TypedShape.D5D5: f"{high:05d},{low:05d}",
        TypedShape.D3D5: f"{end >> 16:03d},{low:05d}",
        TypedShape.D8: f"{end:08d}",
    }


tags = st.tuples(
    st.one_of(st.integers(1, 2**32 - 1), st.integers(1, 99_999_999)), st.integers(0, 255)
)


@given(tags)
def test_a_tag_has_one_identity_in_all_shapes(tag):
    """Named, each shape gives the tag's number, or its last three bytes; unasked the same or a
    refusal, but for ten hex digits without a letter, which are a decimal number."""
    number, version = tag
    for shape, line in lines_of(number, version).items():
        short = shape in (TypedShape.D3D5, TypedShape.D8)
        right = SHORT | number & 0xFFFFFF if short else number
        named, unasked = meant(line, shape), meant(line)
        if isinstance(named, Tag):
            assert named.number == right
        else:
            assert named is ZERO
            assert short
        if isinstance(unasked, Tag) and not (shape is TypedShape.H10 and line.isdecimal()):
            assert unasked.number == right


@given(st.lists(tags, min_size=1, max_size=30))
def test_a_reader_of_hex_digits_never_calls_another_ball(tags):
    """Unasked, a reader that types ten hex digits: after the first line with a letter each tag has
    its own identity or is refused. The person at the station is told what to set."""
    reader, sure = Typed(), False
    for number, version in tags:
        line = f"{version:02X}{number:08X}"
        [found] = reader.feed(typed(f"{line.lower()}\n"))
        sure = sure or not line.isdecimal()
        if sure:
            assert found is FORM or found == Tag(number, version)
            assert line.isdecimal() == (found is FORM)
    told = {(one.cure, one.setting) for one in reader.told(0.0)}
    assert told <= {(Cure.SHAPE, "10h")}
    assert told or not sure


@pytest.mark.parametrize(
    ("line", "shape", "hexadecimal", "cure"),
    [
        ("06547886", "auto", False, (Cure.TEN, "")),
        ("06547886", "auto", True, (Cure.SHAPE, "8h")),
        ("0100639812", "auto", True, (Cure.SHAPE, "10h")),
        ("4294967296", "auto", False, (Cure.SHAPE, "10h")),
        ("0063E9AE", "10d", False, (Cure.SHAPE, "8h")),
        ("099,59822", "10d", False, (Cure.SHAPE, "3d5d")),
        ("0006547886", "8h", False, (Cure.SHAPE, "10d")),
        ("0004301515182", "10d", False, (Cure.SHAPE, "13d")),
        ("42954749443", "auto", False, (Cure.TEN, "")),
        ("A-7", "auto", False, (Cure.TEN, "")),
    ],
)
def test_what_helps(line, shape, hexadecimal, cure):
    """The shape that the settings lack, or the reader's own setting of ten digits."""
    assert cure_of(line, TypedShape(shape), hexadecimal) == cure
    assert shape_of("06547886") is None


@given(st.lists(tags, min_size=1, max_size=8), tags)
def test_three_bytes_are_one_tag_or_none(known, read):
    """A table knows a short reading as the one tag that ends so, and never as one of two; a whole
    reading as itself, or as the end that was taught. What was written is read again."""
    table = TagTable({number: 1 + place for place, (number, _) in enumerate(known)})
    end = read[0] & 0xFFFFFF
    alike = [number for number in table.tags if number & 0xFFFFFF == end]
    assert table.known_as(SHORT | end) == (alike[0] if len(alike) == 1 else SHORT | end)
    assert table.known_as(read[0]) == read[0]
    short = TagTable({SHORT | end: 5})
    assert short.known_as(read[0]) == short.known_as(SHORT | end) == SHORT | end
    assert short.known_as(1 << 40 | read[0]) == 1 << 40 | read[0], "no 125 kHz tag"
    assert table_from(to_toml(short.tags)).tags == short.tags


def test_two_tags_that_end_alike_are_no_table_of_short_readings():
    """A table in which a short tag may be another one is refused when it is read."""
    text = to_toml({SHORT | END: 5, 1 << 24 | END: 6})
    assert '"06547886" = 5' in text
    with pytest.raises(ValueError, match="06547886 cannot be told from"):
        table_from(text)
