"""Serial frames: the byte tables of real readers, and that nothing else is ever a tag."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import BadOption, Refusal
from drivers.readers.frames import FAMILIES, FrameDecoder, Tag, encode

# Frames of real tags as their readers sent them.
RDM = "rdm6300"
ID = "id12la"
PARALLAX = "parallax"
KINDS = [RDM, ID, PARALLAX]
TAGS = [
    (RDM, "02 30 31 30 30 36 33 45 39 41 45 32 35 03", Tag(0x0063E9AE, 0x01), "0006547886"),
    (RDM, "02 33 43 30 30 43 45 37 35 34 43 43 42 03", Tag(0x00CE754C, 0x3C), "0013530444"),
    (RDM, "02 30 37 30 30 39 35 32 46 32 32 39 46 03", Tag(0x00952F22, 0x07), "0009776930"),
    (ID, "02 30 43 30 30 30 36 32 31 41 35 38 45 0D 0A 03", Tag(0x000621A5, 0x0C), "0000401829"),
    (ID, "02 34 42 30 30 38 32 42 42 41 37 44 35 0D 0A 03", Tag(0x0082BBA7, 0x4B), "0008567719"),
    (PARALLAX, "0A 30 46 30 31 38 34 46 30 37 41 0D", Tag(0x0184F07A, 0x0F), "0025489530"),
]
GOOD = bytes.fromhex(TAGS[0][1])
OTHER = bytes.fromhex(TAGS[1][1])
READ = TAGS[0][2]
READ_OTHER = TAGS[1][2]
BARE = bytes.fromhex(TAGS[5][1])  # Parallax: no check
READ_BARE = TAGS[5][2]
BARE_OTHER = BARE.replace(b"7A", b"7B")

REFUSED = [
    (
        "the check does not match",
        RDM,
        bytes.fromhex("02 31 30 30 30 32 36 46 34 34 34 32 36 03"),
        [Refusal.CHECK],
    ),
    ("all zero", RDM, b"\x02" + b"0" * 12 + b"\x03", [Refusal.ZERO]),
    ("all zero", ID, b"\x02" + b"0" * 12 + b"\r\n\x03", [Refusal.ZERO]),
    ("small letters", RDM, GOOD.lower(), [Refusal.FORM]),
    ("a sign, which int() would take", RDM, GOOD.replace(b"01", b"+1", 1), [Refusal.FORM]),
    ("an underscore, which int() would take", RDM, GOOD[:2] + b"_" + GOOD[3:], [Refusal.FORM]),
    ("no end", RDM, GOOD[:-1] + b"\x04", [Refusal.FORM]),
    ("a byte too many", RDM, GOOD[:5] + b"0" + GOOD[5:], [Refusal.FORM]),
    (
        "every byte doubled",
        RDM,
        bytes(b for byte in GOOD for b in (byte, byte)),
        [Refusal.FORM, Refusal.FORM],
    ),
    ("another family's frame", RDM, bytes.fromhex(TAGS[3][1]), [Refusal.FORM]),
    ("another family's frame", ID, GOOD + GOOD, [Refusal.FORM]),
    ("noise is refused once", RDM, b"U" * 40, [Refusal.FORM]),
    ("a keyboard reader's digits", RDM, b"0006547886\r\n", [Refusal.FORM]),
    ("torn: the next frame is read", RDM, GOOD[:9] + OTHER, [Refusal.FORM, READ_OTHER]),
    (
        "a byte lost: the next frame is read",
        RDM,
        GOOD[:4] + GOOD[5:] + OTHER,
        [Refusal.FORM, READ_OTHER],
    ),
    ("the tail of a frame before a frame", RDM, GOOD[6:] + OTHER, [Refusal.FORM, READ_OTHER]),
    ("two starts", RDM, b"\x02" + GOOD, [Refusal.FORM, READ]),
    ("noise between frames", RDM, GOOD + b"\x00\xff" + OTHER, [READ, Refusal.FORM, READ_OTHER]),
    (
        "noise, twice",
        RDM,
        b"x" + GOOD + b"x" + OTHER,
        [Refusal.FORM, READ, Refusal.FORM, READ_OTHER],
    ),
    ("doubled frame", RDM, GOOD + GOOD, [READ, READ]),
    ("no check: once is no reading", PARALLAX, BARE, []),
    ("no check: twice is one", PARALLAX, BARE * 2, [READ_BARE]),
    ("no check: four times", PARALLAX, BARE * 4, [READ_BARE] * 3),
    ("no check: two that differ", PARALLAX, BARE + BARE_OTHER, [Refusal.CHECK]),
    (
        "no check: two in turn are never a reading",
        PARALLAX,
        (BARE + BARE_OTHER) * 2,
        [Refusal.CHECK] * 3,
    ),
    (
        "no check: one damaged among many",
        PARALLAX,
        BARE * 2 + BARE_OTHER + BARE * 2,
        [READ_BARE, Refusal.CHECK, READ_BARE],
    ),
    ("no check: a torn frame between", PARALLAX, BARE + BARE[:5] + BARE, [Refusal.FORM, READ_BARE]),
    ("no check: all zero", PARALLAX, (b"\n" + b"0" * 10 + b"\r") * 2, [Refusal.ZERO] * 2),
    ("no check: no end", PARALLAX, (BARE[:-1] + b"0") * 2, [Refusal.FORM, Refusal.FORM]),
    ("no check: another family's frame", PARALLAX, GOOD, [Refusal.FORM]),
]

families = st.sampled_from(KINDS)
tags = st.builds(Tag, st.integers(0, 2**32 - 1), st.integers(0, 255)).filter(
    lambda tag: tag.number or tag.version
)


def tags_by_table(family, data):
    """An oracle with none of our code: the windows of the stream that the makers' table calls a
    frame."""
    if family == PARALLAX:
        seen = [one for one in re.findall(b"\n([0-9A-F]{10})\r", data) if one != b"0" * 10]
        yield from (int(one[2:], 16) for before, one in pairwise(seen) if one == before)
        return
    tail = {RDM: b"\x03", ID: b"\r\n\x03"}[family]
    for start in range(len(data)):
        window = data[start : start + 13 + len(tail)]
        if not re.fullmatch(b"\x02[0-9A-F]{12}" + tail, window):
            continue
        pairs = [int(window[at : at + 2], 16) for at in range(1, 13, 2)]
        if pairs[0] ^ pairs[1] ^ pairs[2] ^ pairs[3] ^ pairs[4] == pairs[5] and pairs != [0] * 6:
            yield pairs[1] << 24 | pairs[2] << 16 | pairs[3] << 8 | pairs[4]


def numbers(found):
    return [one.number for one in found if isinstance(one, Tag)]


@pytest.mark.parametrize(("family", "frame", "tag", "printed"), TAGS)
def test_a_real_frame_is_its_tag(family, frame, tag, printed):
    """The frame of a real tag is read as the number printed on it, and made from it byte for
    byte."""
    times = 1 if FAMILIES[family].checked else 2
    assert FrameDecoder(FAMILIES[family]).feed(times * bytes.fromhex(frame)) == [tag]
    assert f"{tag.number:010d}" == printed
    assert encode(tag.number, family, tag.version) == bytes.fromhex(frame)


@pytest.mark.parametrize(("what", "family", "data", "found"), REFUSED)
def test_what_is_no_frame_is_refused_once(what, family, data, found):
    """Damage is refused, once, for its reason; the next whole frame is read."""
    assert FrameDecoder(FAMILIES[family]).feed(data) == found


@pytest.mark.parametrize("cut", range(1, 14))
def test_a_torn_frame_is_refused_when_the_line_falls_silent(cut):
    """A frame that stops anywhere is one refusal at the silence, and does not spoil the next."""
    decoder = FrameDecoder(FAMILIES[RDM])
    assert decoder.feed(GOOD[:cut]) == []
    assert decoder.silence() == [Refusal.FORM]
    assert decoder.silence() == []
    assert decoder.feed(OTHER) == [READ_OTHER]


def test_a_tag_that_only_passed_is_no_reproach_to_the_next():
    """Without a check: a frame read once, then silence, then another knob: nothing is refused; and
    two reads may stand apart."""
    decoder = FrameDecoder(FAMILIES[PARALLAX])
    assert decoder.feed(BARE) == []
    assert decoder.silence() == []
    assert decoder.feed(BARE_OTHER) == []
    assert decoder.silence() == []
    assert decoder.feed(BARE_OTHER + BARE + BARE_OTHER) == [
        Tag(READ_BARE.number + 1, READ_BARE.version),
        Refusal.CHECK,
    ]


@pytest.mark.parametrize(("name", "like"), [("grove", RDM), ("id2la", ID), ("id20la", ID)])
def test_names_of_the_same_frames(name, like):
    """A reader is found under the name that is printed on it."""
    assert FAMILIES[name] is FAMILIES[like]


def test_noise_after_a_silence_is_refused_again():
    """Noise is said once while it lasts, and again when it comes after a silence."""
    decoder = FrameDecoder(FAMILIES[RDM])
    assert decoder.feed(b"xx") == [Refusal.FORM]
    assert decoder.feed(b"xx") == []
    assert decoder.silence() == []
    assert decoder.feed(b"xx") == [Refusal.FORM]


@pytest.mark.parametrize(("number", "version"), [(-1, 1), (2**32, 1), (1, -1), (1, 256)])
def test_a_number_that_no_tag_has_is_not_sent(number, version):
    """Numbers beyond 32 bits, or versions beyond 8, are refused with a sentence."""
    with pytest.raises(BadOption, match="32 bits"):
        encode(number, RDM, version)


def test_an_unknown_family_names_those_there_are():
    """The message of a wrong family lists the right ones."""
    with pytest.raises(BadOption, match="grove, id12la, id20la, id2la, parallax, rdm6300"):
        encode(1, "pn5320")


@settings(deadline=None)
@given(families, tags)
def test_every_tag_comes_back(family, tag):
    """Made and read again, every number and version is itself."""
    times = 1 if FAMILIES[family].checked else 2
    assert FrameDecoder(FAMILIES[family]).feed(times * encode(tag.number, family, tag.version)) == [
        tag
    ]


@settings(deadline=None)
@given(families, st.lists(tags, max_size=4), st.data())
def test_cutting_the_stream_changes_nothing(family, sent, data):
    """However the bytes are cut into reads, the same tags and refusals come."""
    stream = b"".join(encode(tag.number, family, tag.version) for tag in sent) + data.draw(
        st.binary(max_size=20)
    )
    whole = FrameDecoder(FAMILIES[family]).feed(stream)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    decoder = FrameDecoder(FAMILIES[family])
    assert [one for piece in pieces for one in decoder.feed(piece)] == whole


@settings(deadline=None)
@given(families, st.lists(tags, min_size=1, max_size=3), st.data())
def test_a_damaged_stream_yields_what_the_table_yields(family, sent, data):
    """With bytes changed, lost and put in, exactly the tags come that the byte table finds in the
    stream."""
    stream = bytearray(b"".join(2 * encode(tag.number, family, tag.version) for tag in sent))
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(stream)))
        piece = data.draw(
            st.sampled_from([b"", b"\x02", b"\x03", b"0", b"F", b"g", b"\r\n", b"\n", b"\r"])
        )
        stream[at : at + data.draw(st.integers(0, 2))] = piece
    found = FrameDecoder(FAMILIES[family]).feed(bytes(stream))
    assert numbers(found) == list(tags_by_table(family, bytes(stream)))


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_at_all_are_survived(stream):
    """No bytes raise, and none are a tag unless the table says so."""
    for family in KINDS:
        assert numbers(FrameDecoder(FAMILIES[family]).feed(stream)) == list(
            tags_by_table(family, stream)
        )
