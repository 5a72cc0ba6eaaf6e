"""The chain: the quick way to verify a line vouches for nothing that the plain way would not, and
misses no damage."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.record import chain
from station.record.chain import START, Head, canonical, follow, seal, unseal
from station.record.journal import FILE
from tests.evenings import night_of, play_evenings
from tests.support import CLOCK

ENTRY: dict[str, Any] = {
    "id": "c1",
    **CLOCK.stamp(),
    "by": "Zoë",
    "via": "wire",
    "do": {"act": "stop"},
    "then": {"digest": "0"},
}


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of a whole night, with their newlines."""
    state = play_evenings(tmp_path_factory.mktemp("state"))
    return (night_of(state) / FILE).read_bytes().splitlines(keepends=True)


def judged(way: Any, raw: bytes, head: Head) -> tuple[Any, Head] | None:
    """What a way of reading makes of a line; None when it refuses."""
    try:
        line, after = way(raw, head)
    except (ValueError, RecursionError):
        return None
    return line, after


def quick(raw: bytes, head: Head) -> str | None:
    line = chain._quick(raw, head.seq, head.sum)
    return line.sum if line is not None else None


def plain(raw: bytes, head: Head) -> tuple[dict[str, Any], Head]:
    return chain._plain(raw, head)


def agree(raw: bytes, head: Head) -> None:
    """Both ways together judge as the plain one alone."""
    wanted = judged(plain, raw, head)
    assert judged(unseal, raw, head) == wanted
    # Equal values may differ in kind: 1, 1.0 and True.
    assert wanted is None or canonical(unseal(raw, head)[0]) == raw
    try:
        after = follow([raw + b"\n"], head)
    except (ValueError, RecursionError):
        after = None
    assert after == (wanted and wanted[1])


# -- agreement -------------------------------------------------------------------------------------

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(2**62, 2**66)
    | st.just(10**70)
    | st.text(st.characters(codec="utf-8"), max_size=6)
    | st.sampled_from(["sum", ',"sum":"', "\\", '"', "\u2028", "\x7f", "\U0001f600", "\uffff"])
)
keys = st.text(st.characters(codec="utf-8"), max_size=3) | st.sampled_from(
    ["sum", "seq", "\U0001f600", "\uffff", "\\"]
)
trees = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {
        **{key: st.just(value) for key, value in ENTRY.items()},
        "do": st.dictionaries(keys, trees, max_size=3),
        "then": st.dictionaries(keys, trees, max_size=3),
        "mono": (
            st.floats(allow_nan=False, allow_infinity=False)
            | st.integers()
            | st.sampled_from([1e-4, 9.9e-5, 1e15, 1e16, -0.0, 5.0])
        ),
        "by": st.text(st.characters(codec="utf-8"), max_size=4),
    }
)


@given(entry=entries, seq=st.integers(0, 5))
def test_whatever_was_sealed_is_whole_by_both_ways(entry: dict[str, Any], seq: int) -> None:
    """Any content at all, in any script, of any depth: what the plain way takes is taken, with the
    same values."""
    head = Head(seq, "ab" * 32)
    raw, after = seal(entry, head)
    agree(raw[:-1], head)
    assert follow([raw], head) == after
    for other in (Head(seq + 1, "ab" * 32), Head(seq, "cd" * 32)):
        agree(raw[:-1], other)
        assert judged(unseal, raw[:-1], other) is None


@given(entry=entries, data=st.data())
def test_a_harmed_line_is_refused_by_both_ways(entry: dict[str, Any], data: st.DataObject) -> None:
    """A byte changed, put in, or left out, anywhere: refused, or still the very same line."""
    raw = seal(entry, START)[0][:-1]
    place = data.draw(st.integers(0, len(raw) - 1))
    harm = data.draw(st.sampled_from(["change", "insert", "cut", "double"]))
    byte = bytes([data.draw(st.integers(0, 255))])
    harmed = {
        "change": raw[:place] + byte + raw[place + 1 :],
        "insert": raw[:place] + byte + raw[place:],
        "cut": raw[:place] + raw[place + 1 :],
        "double": raw[:place] + raw[place : place + 9] + raw[place:],
    }[harm]
    agree(harmed, START)
    assert harmed == raw or judged(unseal, harmed, START) is None


def test_every_character_is_written_the_same_by_both_libraries() -> None:
    """All of Unicode but its halves of characters: what the quick way writes anew is what the plain
    one would."""
    for first in range(0, 0x110000, 0x400):
        if not 0xD800 <= first < 0xE000:
            text = "".join(map(chr, range(first, first + 0x400)))
            assert msgspec.json.encode(text) == json.dumps(text, ensure_ascii=False).encode()


@given(st.floats(1e-4, 1e15, exclude_max=True))
def test_every_reading_of_the_clock_is_written_the_same(seconds: float) -> None:
    """`mono` in the range that the quick way takes: the shortest text that reads back, in the same
    form."""
    assert msgspec.json.encode(seconds) == json.dumps(seconds).encode()


# -- forms that only look right --------------------------------------------------------------------


def summed(body: str) -> bytes:
    """A line of this text, its place for the sum filled with the right one: a forger's."""
    digest = hashlib.sha256(body.replace(',"sum":"#"', "").encode()).hexdigest()
    return body.replace("#", digest).encode()


def forgeries() -> Iterator[tuple[str, bytes]]:
    text = seal(ENTRY, START)[0][:-1].decode()
    body = text.replace(unseal(text.encode(), START)[0]["sum"], "#")
    assert summed(body) == text.encode()
    yield "a space", summed(body.replace('"by":', '"by": '))
    yield "a newline behind", summed(body) + b" "
    yield "a letter escaped", summed(body.replace("wire", "wir\\u0065"))
    yield "a slash escaped", summed(body.replace("wire", "\\/"))
    yield "a sign not escaped", summed(body.replace("wire", "\x1f"))
    yield "a key twice", summed(body.replace('"by":', '"by":"Eve","by":'))
    yield "keys in another order", summed(body.replace('{"act":"stop"}', '{"b":1,"act":"stop"}'))
    yield "a whole number as a fraction", summed(body.replace('"seq":1', '"seq":1.0'))
    yield "true as a number", summed(body.replace('"seq":1', '"seq":true'))
    yield "a fraction with zeros", summed(body.replace('"mono":5.0', '"mono":5.00'))
    yield "a fraction with an exponent", summed(body.replace('"mono":5.0', '"mono":5e0'))
    yield (
        "a large fraction in the other form",
        summed(body.replace('"mono":5.0', '"mono":10000000000000000000.0')),
    )
    yield "a small fraction in the other form", summed(body.replace('"mono":5.0', '"mono":0.00001'))
    yield "a large exponent in the other form", summed(body.replace('"mono":5.0', '"mono":1e16'))
    yield "a field more", summed(body.replace(',"via"', ',"thus":1,"via"'))
    yield "a field less", summed(body.replace(',"via":"wire"', ""))
    yield "no object", b'["at"]'
    yield "half of a character", summed(body).replace("ë".encode(), b"\xc3")
    yield "a half of a pair", summed(body).replace("ë".encode(), b"\xed\xa0\x80")
    nested = body.replace(',"sum":"#"', ',"sum":"' + "0" * 64 + '"').replace(
        '{"act":"stop"}', '{"act":"stop","sum":"#"}'
    )
    yield "the sum of what is around another sum", summed(nested)


FORGERIES = dict(forgeries())


@pytest.mark.parametrize("name", FORGERIES)
def test_a_line_in_another_form_is_refused(name: str) -> None:
    """Its sum may be right: a line that is not written in the one way is not ours."""
    raw = FORGERIES[name]
    agree(raw, START)
    assert judged(unseal, raw, START) is None


UNUSUAL = {
    "a clock with an exponent": {"mono": 1e-7},
    "a clock far off": {"mono": 1e22},
    "a clock below zero": {"mono": -1.5},
    "a clock of whole seconds": {"mono": 5},
    "a deep nest": {"then": {"a": {"b": {"c": [1]}}}},
    "a sum of its own": {"do": {"a": 1, "sum": "x"}},
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_an_unusual_line_goes_the_plain_way(name: str) -> None:
    """What the quick way does not know is no damage: the plain way judges it, and takes it."""
    raw, after = seal({**ENTRY, **UNUSUAL[name]}, START)
    assert quick(raw[:-1], START) is None
    agree(raw[:-1], START)
    assert follow([raw], START) == after


@pytest.mark.parametrize(
    "part",
    [
        {"do": {"pace": 2.5}},
        {"do": {"number": 40.0}},
        {"do": {"n": 1e22}},
        {"then": {"calls": 1.0}},
        {"then": {"a": [1, [2, 3.0]]}},
        {"do": {"leaf": {"at": 0.0}}},
        {"at": {"trust": "none", "wall": 1.5}},
        {"do": {"n": float("nan")}},
        {"do": {"n": float("-inf")}},
        {"do": {"n": -0.0}},
        {"mono": 5, "do": {"n": 1.5}},
        {"mono": True},
        {"mono": "5.0"},
        {"mono": None},
    ],
)
def test_only_the_clock_is_a_fraction(part: dict[str, Any]) -> None:
    """Anywhere else it is another text for a whole number, or none: both ways refuse it."""
    raw, _ = seal({**ENTRY, **part}, START)
    assert quick(raw[:-1], START) is None
    assert judged(unseal, raw[:-1], START) is None
    with pytest.raises(ValueError, match=r"whole|mono|cannot be such|no number"):
        follow([raw], START)


# -- a whole night ---------------------------------------------------------------------------------


def test_the_lines_of_a_night_all_go_the_quick_way(night: list[bytes]) -> None:
    """What the station itself writes is what the quick way knows."""
    head = START
    for raw in night:
        assert quick(raw[:-1], head) == json.loads(raw)["sum"], raw
        head = unseal(raw[:-1], head)[1]
    assert follow(night, START) == head


def test_every_changed_byte_of_a_night_is_found(night: list[bytes]) -> None:
    """One bit changed in any byte of any line, its newline too: the chain does not reach behind
    that line."""
    head = START
    for number, raw in enumerate(night):
        for place in range(len(raw)):
            harmed = raw[:place] + bytes([raw[place] ^ (1 << place % 8)]) + raw[place + 1 :]
            lines = harmed.splitlines(keepends=True) if harmed.endswith(b"\n") else [harmed]
            with pytest.raises((ValueError, RecursionError)):
                follow(lines, head)
        head = follow([raw], head)
        assert head.seq == number + 1


@pytest.mark.parametrize("harm", ["drop", "swap", "double", "join"])
def test_lines_out_of_their_order_are_found(night: list[bytes], harm: str) -> None:
    """Any line dropped, doubled, joined to the next or changed with it: refused, at every place."""
    for place in range(len(night) - 1):
        one, two = night[place : place + 2]
        lines = {"drop": [two], "swap": [two, one], "double": [one, one], "join": [one[:-1] + two]}[
            harm
        ]
        with pytest.raises(ValueError, match=r"must stand|does not follow|Extra data"):
            follow([*lines, *night[place + 2 :]], follow(night[:place], START))


def test_nothing_is_a_chain_of_no_lines() -> None:
    """No lines lead nowhere."""
    assert follow([], Head(3, "ab" * 32)) == Head(3, "ab" * 32)


@pytest.mark.parametrize("key", chain.KINDS)
@pytest.mark.parametrize("value", [None, 1, ["x"], True])
def test_a_line_of_other_kinds_is_none(key: str, value: Any) -> None:
    """Whatever is built on a line may count on texts and objects where they belong: a forged one is
    refused by name."""
    raw, _ = seal({**ENTRY, key: value}, START)
    with pytest.raises(ValueError, match=rf"^it is not a journal line: {key} cannot"):
        unseal(raw[:-1], START)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"{}",
        b"5",
        b"\xff",
        b"[" * 100_000,
        b'{"seq":"1","prev":1}',
        b'{"seq":0,"prev":""}',
    ],
)
def test_a_line_alone_is_whole_or_refused(raw: bytes) -> None:
    """Wherever it stood in its chain, a whole line is read; nothing else is, and no other error
    comes."""
    line, _ = seal(ENTRY, Head(7, "ab" * 32))
    assert chain.alone(line[:-1])["id"] == "c1"
    for other in (raw, line, line[1:-1], line[:-1].replace(b"wire", b"wife")):
        with pytest.raises(ValueError, match=r".+"):
            chain.alone(other)


@pytest.mark.parametrize("head", ["", 7, None, {}])
def test_a_head_in_a_line_is_a_text(head: object) -> None:
    """A line may have none; an empty one, or what is no text, is written by no station."""
    agree(seal({**ENTRY, "head": "x"}, START)[0][:-1], START)
    raw = seal({**ENTRY, "head": head}, START)[0][:-1]
    agree(raw, START)
    with pytest.raises(ValueError, match="head cannot be such a thing"):
        unseal(raw, START)


def test_brackets_without_end_are_no_line() -> None:
    """They end in a sentence, not in a traceback."""
    with pytest.raises(ValueError, match="not a journal line"):
        unseal(b"[" * 100_000 + b"]" * 100_000, Head(0, "ab" * 32))
