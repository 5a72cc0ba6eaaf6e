"""Frames of a buzzer box: what is one, what is refused, and that no damage is ever a press."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadOption, Refusal
from drivers.pins.buzzers import BoxDecoder, BoxState, encode
from tests.drill.boxes import states_in

STATES = st.builds(
    BoxState, st.integers(0, 255), st.integers(0, 2**32 - 1), st.integers(0, 2**24 - 1)
)

# The check of each is what gzip writes behind the same sixteen digits: printf 07000F4240000005 |
# gzip -c | tail -c8 | head -c4
FRAMES = [
    (b"!0000000000000000A2006B64\n", BoxState(0, 0, 0)),
    (b"!07000F4240000005FCAB8E47\n", BoxState(7, 1_000_000, 0b101)),
    (b"!0A00012345800001AC77CABE\n", BoxState(10, 0x12345, 1 << 23 | 1)),
    (b"!FFFFFFFFFFFFFFFF37A67027\n", BoxState(255, 2**32 - 1, 2**24 - 1)),
]
GOOD, STATE = FRAMES[1]
NEXT, NEXT_STATE = FRAMES[2]


def read(data: bytes, cuts: tuple[int, ...] = ()) -> list[object]:
    """What a decoder finds in these bytes, cut there into reads."""
    decoder = BoxDecoder()
    return [
        one for a, b in pairwise([0, *sorted(cuts), len(data)]) for one in decoder.feed(data[a:b])
    ]


@pytest.mark.parametrize(("frame", "state"), FRAMES)
def test_the_bytes_of_a_frame(frame: bytes, state: BoxState) -> None:
    """Each state is these bytes, and these bytes are that state."""
    assert encode(state) == frame
    assert read(frame) == [state]


DAMAGED = [
    ("a digit changed", GOOD.replace(b"05FC", b"04FC"), [Refusal.CHECK]),
    ("the check changed", GOOD.replace(b"FC", b"FD"), [Refusal.CHECK]),
    ("small letters", GOOD.lower(), [Refusal.FORM]),
    ("a digit missing", GOOD.replace(b"05FC", b"5FC"), [Refusal.FORM]),
    ("a digit too many", GOOD.replace(b"05FC", b"005FC"), [Refusal.FORM]),
    ("no digit", GOOD.replace(b"05FC", b"0GFC"), [Refusal.FORM]),
    ("noise alone", b"\x00\xffxyz\n", [Refusal.FORM]),
    ("an empty line", b"\n", [Refusal.FORM]),
    (
        "a sign and a blank, as int() would take them",
        b"!+7 00F4240000005FCAB8E47\n"[:26],
        [Refusal.FORM],
    ),
    ("noise before it", b"\x00\xff7F" + GOOD, [Refusal.FORM, STATE]),
    ("a frame torn by the next", GOOD[:13] + NEXT, [Refusal.FORM, NEXT_STATE]),
    ("its end missing", GOOD[:-1] + NEXT, [Refusal.FORM, NEXT_STATE]),
    ("its start missing", GOOD[1:] + NEXT, [Refusal.FORM, NEXT_STATE]),
    ("with a carriage return", GOOD[:-1] + b"\r\n" + NEXT, [STATE, NEXT_STATE]),
    ("two carriage returns", GOOD[:-1] + b"\r\r\n", [Refusal.FORM]),
    ("a megabyte of noise without an end", b"7" * 1_000_000 + GOOD, [Refusal.FORM, STATE]),
    ("twice", GOOD + GOOD, [STATE, STATE]),
    ("not yet ended", GOOD[:-1], []),
]


@pytest.mark.parametrize(("what", "data", "found"), DAMAGED, ids=[what for what, *_ in DAMAGED])
def test_what_is_no_frame(what: str, data: bytes, found: list[object]) -> None:
    """Refused, once; and the next whole frame is read whatever came before it, in one read or byte
    by byte."""
    assert read(data) == found
    if len(data) < 1000:
        assert read(data, tuple(range(1, len(data)))) == found


def test_noise_without_an_end_is_not_kept() -> None:
    """A line that never ends does not fill the memory: no more is kept than a frame has."""
    decoder = BoxDecoder()
    for _ in range(1000):
        assert decoder.feed(b"!" * 1000) == []
    assert len(decoder._rest) <= 27


@given(states=st.lists(STATES, min_size=1, max_size=6), data=st.data())
def test_any_cut_gives_the_same(states: list[BoxState], data: st.DataObject) -> None:
    """Every state comes back as it was sent, in order, wherever the reads end."""
    sent = b"".join(map(encode, states))
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=12))
    assert read(sent, tuple(cuts)) == states


@given(noise=st.binary(max_size=80), state=STATES)
def test_whatever_came_before_the_next_whole_frame_is_read(noise: bytes, state: BoxState) -> None:
    """Resynchronised within one frame, and the decoder finds what a look at every window finds."""
    found = [one for one in read(noise + encode(state)) if isinstance(one, BoxState)]
    assert found[-1:] == [state]
    assert found == states_in(noise + encode(state))


@pytest.mark.long
def test_no_damage_of_many_is_a_frame() -> None:
    """A hundred thousand frames with one to six bytes changed: none says what the box did not say,
    and none raises."""
    chance, decoder, wrong = Random(11), BoxDecoder(), 0
    frame = encode(BoxState(3, 123_456_789, 0))
    for _ in range(100_000):
        damaged = bytearray(frame)
        for place in chance.sample(range(25), chance.randint(1, 6)):
            damaged[place] = chance.choice(b"0123456789ABCDEF!\n\xff")
        found = decoder.feed(bytes(damaged)) + decoder.feed(b"\n")
        wrong += sum(
            isinstance(one, BoxState) and one != BoxState(3, 123_456_789, 0) for one in found
        )
    assert wrong == 0


@pytest.mark.parametrize(
    "state", [BoxState(256, 0, 0), BoxState(-1, 0, 0), BoxState(0, 2**32, 0), BoxState(0, 0, 2**24)]
)
def test_what_no_frame_can_say(state: BoxState) -> None:
    """A number that does not fit is refused, not cut off."""
    with pytest.raises(BadOption, match="cannot be sent"):
        encode(state)
