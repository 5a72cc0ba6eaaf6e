"""What a reader sends again and again that its settings cannot read: the third time it is told,
once, with the setting that reads it."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import Cure
from drivers.readers.frames import FAMILIES, FrameDecoder, Refusal, Tag
from drivers.readers.strange import Shapes, Strange

TAGS = (6547886, 13530444, 9776930, 1, 2**32 - 1)
THIRTEEN = bytes.fromhex("02 30 31 31 34 41 45 33 42 42 43 3C 03")


def told(family, frames, pause=True, apart_s=1.0):
    """What is told of these frames by a reader of a family."""
    decoder, strange = FrameDecoder(FAMILIES[family]), Strange("reader", FAMILIES[family])
    events, at = [], 0.0
    for frame in frames:
        at += apart_s
        found = decoder.feed(frame)
        events += strange.hear(frame, refused=Refusal.FORM in found, at=at)
        if pause:
            refused = Refusal.FORM in decoder.silence()
            events += strange.hear(b"", refused=refused, at=at) + strange.pause(at)
    return [(one.cure, one.setting, one.length) for one in events]


def sent(family, *tags):
    """What a reader of a family sends for these tags."""
    return [FAMILIES[family].encode(Tag(tag, 1)) for tag in tags]


SENT = [
    ("rdm6300", sent("id20la", *TAGS), [(Cure.FAMILY, "id20la", 16)]),
    ("rdm6300", sent("id20la", *TAGS[:2]), []),
    ("rdm6300", sent("id20la", *[7] * 9), [(Cure.FAMILY, "id20la", 16)]),
    ("grove", sent("id12la", *TAGS), [(Cure.FAMILY, "id20la", 16)]),
    ("id20la", sent("rdm6300", *TAGS), [(Cure.FAMILY, "rdm6300", 14)]),
    ("id2la", sent("grove", *TAGS), [(Cure.FAMILY, "rdm6300", 14)]),
    ("rdm6300", sent("parallax", *TAGS), [(Cure.NONE, "", 12)]),
    ("parallax", sent("rdm6300", *TAGS), [(Cure.NONE, "", 14)]),  # it has another speed
    ("rdm6300", [THIRTEEN] * 4, [(Cure.NONE, "", 13)]),
    ("rdm6300", [THIRTEEN] * 2, []),
    ("rdm6300", sent("rdm6300", *TAGS), []),
    ("rdm6300", [sent("rdm6300", 7)[0][:-1]] * 5, [(Cure.NONE, "", 13)]),
    ("rdm6300", [b"\xff"] * 5, []),
    ("rdm6300", [b"\x00\x00\xff\x01\xff\x7f\x81\x00"] * 5, [(Cure.NONE, "", 8)]),
    ("rdm6300", [b"0006547886\r\n"] * 5, [(Cure.NONE, "", 12)]),
    ("rdm6300", [b"0006547886\r\n", b"0006547\r\n", b"00\r\n"], []),
    ("rdm6300", [sent("rdm6300", 7)[0][:11] + b"00\x03"] * 5, []),  # a wrong check is damage
]


@pytest.mark.parametrize(("family", "frames", "expected"), SENT)
def test_the_third_of_one_shape_is_told(family, frames, expected):
    """With pauses, and from a reader that repeats without any."""
    assert told(family, frames) == expected
    if expected and expected[0][2] >= 12:
        assert set(told(family, frames * 10, pause=False)) == set(expected)


def test_the_log_has_the_bytes_once(caplog):
    """In hex digits, with the family that reads them."""
    with caplog.at_level(logging.WARNING):
        told("rdm6300", sent("id20la", *TAGS) * 3)
    [line] = caplog.messages
    assert 'family = "id20la" reads them' in line
    assert "it sends 16 bytes: 02 30 31 " in line


def test_what_is_far_apart_is_damage():
    """Three of one shape within ten minutes; else they have nothing to do with each other."""
    assert told("rdm6300", [THIRTEEN] * 9, apart_s=400.0) == []
    assert told("rdm6300", [THIRTEEN] * 9, apart_s=290.0) == [(Cure.NONE, "", 13)]


@given(st.lists(st.binary(min_size=1, max_size=200), max_size=60))
def test_any_bytes_are_borne(chunks):
    """Whatever comes: no error, and each shape is told once."""
    strange, told = Strange("reader", FAMILIES["rdm6300"]), []
    for at, chunk in enumerate(chunks):
        told += strange.hear(chunk, refused=True, at=at)
    assert len({one.sample for one in told}) == len(told)


def test_no_more_shapes_are_kept_than_a_few():
    """A line that sends another shape each time fills no memory; a shape that is told of once stays
    so."""
    shapes = Shapes()
    assert [shapes.third("x", 0.0) for _ in range(4)] == [False, False, True, False]
    for number in range(1000):
        assert not shapes.third(str(number), 1.0)
    assert not shapes.third("x", 2.0)
