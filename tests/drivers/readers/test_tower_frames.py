"""Frames of a dice tower: what is one, what is refused, and that no bytes are a throw that no tower
has told of."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadOption, Refusal
from drivers.readers.tower import Lies, TowerDecoder, TowerState, encode
from tests.drill.boxes import crc_by_hand

PROJECT = Path(__file__).parents[3]

_FACES = {Lies.DICE: "123456", Lies.CUBES: "123456BH0"}
STATES = st.sampled_from(Lies).flatmap(
    lambda what: st.builds(
        TowerState,
        st.integers(0, 0xFFFF),
        st.integers(0, 255),
        st.just(what),
        st.text(_FACES[what], min_size=1, max_size=8) if what in _FACES else st.just(""),
    )
)

# The check of each is what gzip writes behind the same characters: printf 1C0F02D36 | gzip -c |
# tail -c8 | head -c4
FRAMES = [
    (b"!000000N0A368252\n", TowerState(0, 0, Lies.NOTHING)),
    (b"!1C0F02D36BE72140B\n", TowerState(0x1C0F, 2, Lies.DICE, "36")),
    (b"!1C0F03MB0500000D8919788\n", TowerState(0x1C0F, 3, Lies.CUBES, "B0500000")),
    (b"!FFFFFFC379BD59F\n", TowerState(0xFFFF, 255, Lies.ASKEW)),
    (b"!1C0F04F051444FF\n", TowerState(0x1C0F, 4, Lies.FALLEN)),
    (b"!1C0F05TEFB604F6\n", TowerState(0x1C0F, 5, Lies.TOUCHED)),
]
GOOD, STATE = FRAMES[1]
NEXT, NEXT_STATE = FRAMES[2]


def read(data: bytes, cuts: tuple[int, ...] = ()) -> list[object]:
    """What a decoder finds in these bytes, cut there into reads."""
    decoder = TowerDecoder()
    return [
        one for a, b in pairwise([0, *sorted(cuts), len(data)]) for one in decoder.feed(data[a:b])
    ]


_SHAPE = re.compile(rb"([0-9A-F]{4})([0-9A-F]{2})([NCFT]|D[123456]{1,8}|M[0123456BH]{1,8})")


def told_in(data: bytes) -> list[TowerState]:
    """The frames that the table finds in these bytes: at every window, the check bit by bit."""
    found = []
    for start in re.finditer(rb"!", data):
        for end in range(start.end() + 7, start.end() + 16):
            whole, check = _SHAPE.fullmatch(data, start.end(), end), data[end : end + 8]
            if whole is None or not data[end + 8 :].startswith((b"\n", b"\r\n")):
                continue
            if f"{crc_by_hand(whole[0]):08X}".encode() == check:
                lies = whole[3].decode()
                numbers = int(whole[1], 16), int(whole[2], 16)
                found.append(TowerState(*numbers, Lies(lies[0]), lies[1:]))
    return found


@pytest.mark.parametrize(("frame", "state"), FRAMES)
def test_the_bytes_of_a_frame(frame: bytes, state: TowerState) -> None:
    """Each state is these bytes, and these bytes are that state."""
    assert encode(state) == frame
    assert read(frame) == [state]
    assert told_in(frame) == [state]


DAMAGED = [
    ("another face", GOOD.replace(b"D36", b"D35"), [Refusal.CHECK]),
    ("a die more", GOOD.replace(b"D36", b"D366"), [Refusal.CHECK]),
    ("no die", b"!1C0F02DBE72140B\n", [Refusal.FORM]),
    ("a seven", GOOD.replace(b"D36", b"D37"), [Refusal.FORM]),
    ("nine dice", b"!1C0F02D11111111100000000\n", [Refusal.FORM]),
    ("a die with a bell", GOOD.replace(b"D36", b"D3B"), [Refusal.FORM]),
    ("small letters", GOOD.lower(), [Refusal.FORM]),
    ("the check changed", GOOD.replace(b"BE", b"BF"), [Refusal.CHECK]),
    ("noise alone", b"\x00\xffxyz\n", [Refusal.FORM]),
    ("a question is no frame", b"?\n", [Refusal.FORM]),
    ("a frame torn by the next", GOOD[:9] + NEXT, [Refusal.FORM, NEXT_STATE]),
    ("its end missing", GOOD[:-1] + NEXT, [Refusal.FORM, NEXT_STATE]),
    ("with a carriage return", GOOD[:-1] + b"\r\n" + NEXT, [STATE, NEXT_STATE]),
    ("a megabyte of noise without an end", b"7" * 1_000_000 + GOOD, [Refusal.FORM, STATE]),
    ("a box of buzzers", b"!07000F4240000005FCAB8E47\n", [Refusal.FORM]),
    ("twice", GOOD + GOOD, [STATE, STATE]),
    ("not yet ended", GOOD[:-1], []),
]


@pytest.mark.parametrize(("what", "data", "found"), DAMAGED, ids=[what for what, *_ in DAMAGED])
def test_what_is_no_frame(what: str, data: bytes, found: list[object]) -> None:
    """Refused, once; and the next whole frame is read, in one read or byte by byte."""
    assert read(data) == found
    if len(data) < 1000:
        assert read(data, tuple(range(1, len(data)))) == found


@given(states=st.lists(STATES, min_size=1, max_size=6), data=st.data())
def test_any_cut_gives_the_same(states: list[TowerState], data: st.DataObject) -> None:
    """Every state comes back as it was sent, in order, wherever the reads end."""
    sent = b"".join(map(encode, states))
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=12))
    assert read(sent, tuple(cuts)) == states


_PIECES = st.one_of(
    STATES.map(encode),
    st.binary(max_size=12),
    st.text("!\n\r0123456789ABCDEFNMTH", max_size=12).map(str.encode),
    st.tuples(STATES.map(encode), st.integers(0, 24)).map(lambda one: one[0][: one[1]]),
)


@given(pieces=st.lists(_PIECES, max_size=8), data=st.data())
def test_nothing_is_a_frame_that_is_none(pieces: list[bytes], data: st.DataObject) -> None:
    """Whatever the bytes and however they are cut: a decoder finds what a look at every window
    finds, and nothing is left of a line that never ends."""
    sent = b"".join(pieces)
    cuts = data.draw(st.lists(st.integers(0, len(sent)), max_size=12))
    found = [one for one in read(sent, tuple(cuts)) if isinstance(one, TowerState)]
    assert found == told_in(sent)


@pytest.mark.long
def test_no_damage_of_many_is_a_throw() -> None:
    """A hundred thousand frames with one to six bytes changed: none says what the tower did not
    say, and none raises."""
    chance, decoder, wrong = Random(17), TowerDecoder(), 0
    for _ in range(100_000):
        damaged = bytearray(GOOD)
        for place in chance.sample(range(len(GOOD) - 1), chance.randint(1, 6)):
            damaged[place] = chance.choice(b"0123456789ABCDEFMNT!\n\xff")
        found = decoder.feed(bytes(damaged)) + decoder.feed(b"\n")
        wrong += sum(isinstance(one, TowerState) and one != STATE for one in found)
    assert wrong == 0


@pytest.mark.parametrize(
    "state",
    [
        TowerState(0x10000, 0, Lies.NOTHING),
        TowerState(0, 256, Lies.NOTHING),
        TowerState(0, 0, Lies.DICE),
        TowerState(0, 0, Lies.DICE, "7"),
        TowerState(0, 0, Lies.DICE, "é"),
        TowerState(0, 0, Lies.CUBES, "B" * 9),
        TowerState(0, 0, Lies.FALLEN, "3"),
    ],
)
def test_what_no_frame_can_say(state: TowerState) -> None:
    """What does not fit is refused, not cut off."""
    with pytest.raises(BadOption, match="cannot be sent"):
        encode(state)


def test_the_paper_has_real_frames() -> None:
    """Each example of docs/dice.md is what it says: four frames, and one that is refused."""
    text = (PROJECT / "docs" / "dice.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `(![^`]+)` \|", text, re.MULTILINE)
    found = [one for frame in shown for one in read(frame.encode() + b"\n")]
    assert found == [
        TowerState(0, 0, Lies.NOTHING),
        STATE,
        NEXT_STATE,
        TowerState(0x1C0F, 4, Lies.FALLEN),
        Refusal.CHECK,
    ]
