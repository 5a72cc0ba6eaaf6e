"""The lines: the quick way to verify a line vouches for nothing that the plain way would not, and
misses no damage."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.proof.merkle import Edge, leaf_hash
from station.record import chain
from station.record.chain import (
    START,
    Head,
    canonical,
    entry_of,
    first_unsigned,
    follow,
    is_signature,
    leaf_in,
    unseal,
)
from station.record.heads import Signer, leaf_of
from station.record.journal import FILE
from tests.evenings import night_of, play_evenings
from tests.support import CLOCK, STATION_KEY

ENTRY: dict[str, Any] = {
    "id": "c1",
    **CLOCK.stamp(),
    "by": "Zoë",
    "via": "wire",
    "do": {"act": "stop"},
    "then": {"digest": "0"},
}


SIGNER = Signer.of(STATION_KEY, 1)
FOREIGN = base64.b64encode(bytes(range(64))).decode()


def head_of(size: int, last: bytes = b"before") -> Head:
    """The end of a night of so many lines, and what its last line is signed with."""
    signature = base64.b64encode((last * 64)[:64]).decode()
    return Head(Edge.over([leaf_hash(last)] * size), signature)


def is_signed(head: Head) -> bool:
    return head.signed_by(SIGNER.public, SIGNER.night)


def seal(fields: dict[str, Any], head: Head) -> tuple[bytes, Head]:
    return chain.seal(fields, head, SIGNER)[:2]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of a whole night, with their newlines."""
    state = play_evenings(tmp_path_factory.mktemp("state"))
    return (night_of(state) / FILE).read_bytes().splitlines(keepends=True)


def judged(way: Any, raw: bytes, head: Head) -> tuple[Any, Head] | None:
    """What a way of reading makes of a line; None when it refuses."""
    try:
        line, after = way(raw, head)[:2]
    except (ValueError, RecursionError):
        return None
    return line, after


def quick(raw: bytes, head: Head) -> str | None:
    found = chain._quick(raw, head.seq, head.signature)
    return found[0].signature if found is not None else None


def plain(raw: bytes, head: Head) -> tuple[dict[str, Any], Head]:
    line = chain._plain(raw, head.seq, head.signature)
    return line, Head(head.edge.grown(leaf_of(entry_of(line))), line["signature"])


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
    | st.sampled_from(["signature", ',"signature":"', FOREIGN])
    | st.sampled_from(["\\", '"', "\u2028", "\x7f", "\U0001f600", "\uffff"])
)
keys = st.text(st.characters(codec="utf-8"), max_size=3) | st.sampled_from(
    ["signature", "prev", "seq", "\U0001f600", "\uffff", "\\"]
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
    head = head_of(seq)
    raw, after = seal(entry, head)
    agree(raw[:-1], head)
    assert follow([raw], head) == after
    assert is_signed(after)
    for other in (head_of(seq + 1), head_of(seq, b"other1")):
        agree(raw[:-1], other)
        assert judged(unseal, raw[:-1], other) is None


@given(entry=entries, data=st.data())
def test_a_harmed_line_is_refused_by_both_ways(entry: dict[str, Any], data: st.DataObject) -> None:
    """A byte changed, put in, or left out, anywhere: refused by its form or by its signature, or
    still the very same line."""
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
    found = judged(unseal, harmed, START)
    assert harmed == raw or found is None or not is_signed(found[1])


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


def signed(body: str, signer: Signer = SIGNER) -> bytes:
    """A line of this text that follows nothing, its place for the signature filled with that of
    the right tree: a forger's, who has the key."""
    edge = START.edge.grown(leaf_of(body.replace(',"signature":"#"', "").encode()))
    return body.replace("#", base64.b64encode(signer.sign(edge)).decode()).encode()


def forgeries() -> Iterator[tuple[str, bytes]]:
    text = seal(ENTRY, START)[0][:-1].decode()
    body = text.replace(unseal(text.encode(), START)[0]["signature"], "#")
    assert signed(body) == text.encode()
    yield "a space", signed(body.replace('"by":', '"by": '))
    yield "a newline behind", signed(body) + b" "
    yield "a letter escaped", signed(body.replace("wire", "wir\\u0065"))
    yield "a slash escaped", signed(body.replace("wire", "\\/"))
    yield "a sign not escaped", signed(body.replace("wire", "\x1f"))
    yield "a key twice", signed(body.replace('"by":', '"by":"Eve","by":'))
    yield "keys in another order", signed(body.replace('{"act":"stop"}', '{"b":1,"act":"stop"}'))
    yield "a whole number as a fraction", signed(body.replace('"seq":1', '"seq":1.0'))
    yield "true as a number", signed(body.replace('"seq":1', '"seq":true'))
    yield "a fraction with zeros", signed(body.replace('"mono":5.0', '"mono":5.00'))
    yield "a fraction with an exponent", signed(body.replace('"mono":5.0', '"mono":5e0'))
    yield (
        "a large fraction in the other form",
        signed(body.replace('"mono":5.0', '"mono":10000000000000000000.0')),
    )
    yield "a small fraction in the other form", signed(body.replace('"mono":5.0', '"mono":0.00001'))
    yield "a large exponent in the other form", signed(body.replace('"mono":5.0', '"mono":1e16'))
    yield "a field more", signed(body.replace(',"via"', ',"thus":1,"via"'))
    yield "a field less", signed(body.replace(',"via":"wire"', ""))
    yield "no object", b'["at"]'
    yield "half of a character", signed(body).replace("ë".encode(), b"\xc3")
    yield "a half of a pair", signed(body).replace("ë".encode(), b"\xed\xa0\x80")
    yield "a signature that is none", body.replace("#", "x" * 88).encode()
    yield "a shorter signature", body.replace("#", FOREIGN[:-4]).encode()
    yield "spare bits in the signature", body.replace("#", FOREIGN[:-3] + "x==").encode()
    yield "no signature", body.replace("#", "").encode()
    yield "a prev that is none", signed(body.replace('"prev":""', '"prev":"x"'))


FORGERIES = dict(forgeries())


@pytest.mark.parametrize("name", FORGERIES)
def test_a_line_in_another_form_is_refused(name: str) -> None:
    """Its signature may be right: a line that is not written in the one way is not ours."""
    raw = FORGERIES[name]
    agree(raw, START)
    assert judged(unseal, raw, START) is None


UNUSUAL = {
    "a clock with an exponent": {"mono": 1e-7},
    "a clock far off": {"mono": 1e22},
    "a clock below zero": {"mono": -1.5},
    "a clock of whole seconds": {"mono": 5},
    "a deep nest": {"then": {"a": {"b": {"c": [1]}}}},
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
        assert quick(raw[:-1], head) == json.loads(raw)["signature"], raw
        head = unseal(raw[:-1], head)[1]
    assert follow(night, START) == head


def test_every_changed_byte_of_a_night_is_found(night: list[bytes]) -> None:
    """One bit changed in any byte of any line, its newline too: the line is not whole, or nobody
    has signed it."""
    head = START
    for number, raw in enumerate(night):
        for place in range(len(raw)):
            harmed = raw[:place] + bytes([raw[place] ^ (1 << place % 8)]) + raw[place + 1 :]
            lines = harmed.splitlines(keepends=True) if harmed.endswith(b"\n") else [harmed]
            try:
                after = follow(lines, head)
            except (ValueError, RecursionError):
                continue
            assert not is_signed(after)
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
    assert follow([], head_of(3)) == head_of(3)


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
    line, _ = seal(ENTRY, head_of(7))
    found = chain.alone(line[:-1])
    assert found["id"] == "c1"
    entry = entry_of(found)
    assert "signature" not in chain.entry_alone(entry)
    assert leaf_in(line[:-1]) == leaf_of(entry)
    for other in (raw, line, line[1:-1], entry, line[:-1].replace(b'"seq":', b'"seq":"')):
        with pytest.raises(ValueError, match=r".+"):
            chain.alone(other)
    for other in (raw, line[:-1], entry + b" ", entry[1:]):
        with pytest.raises(ValueError, match=r".+"):
            chain.entry_alone(other)


def test_a_line_whose_object_has_its_signature_is_read_the_same_by_both_ways() -> None:
    """Only who has the key can make such a line, and only where a later signature vouches for it:
    its entry is the line without its own signature, whatever else has that name."""
    for part in ("do", "then"):
        entry = {**ENTRY, part: {"a": 1, "signature": FOREIGN}, "seq": 1, "prev": ""}
        raw = canonical({**entry, "signature": FOREIGN})
        agree(raw, START)
        _, head, leaf = unseal(raw, START)
        assert leaf == leaf_of(canonical(entry))
        assert follow([raw + b"\n"], START) == head


@pytest.mark.parametrize("given", [None, 5, "", "x", FOREIGN[:-1], FOREIGN + "=", FOREIGN + "\n"])
def test_the_form_of_a_signature(given: object) -> None:
    """64 bytes in base 64 with padding, and nothing else."""
    assert is_signature(FOREIGN)
    assert not is_signature(given)
    assert not is_signed(Head(START.edge, str(given)))


# -- signatures ------------------------------------------------------------------------------------


def test_the_first_line_that_was_altered_is_found_by_halves() -> None:
    """Whichever of any number of lines: altered by whoever has no key, it and all lines after it
    have wrong signatures."""
    head, lines, leaves = START, list[dict[str, Any]](), list[bytes]()
    other = leaf_hash(b"altered")
    for size in range(1, 20):
        raw, head, leaf = chain.seal(ENTRY, head, SIGNER)
        lines.append(json.loads(raw))
        leaves.append(leaf)
        assert is_signed(head)
        assert first_unsigned(lines, leaves, SIGNER.public, SIGNER.night) == 0
        assert first_unsigned(lines, leaves, SIGNER.public, SIGNER.night + 1) == 1
        for at in range(size):
            altered = [*leaves[:at], other, *leaves[at + 1 :]]
            assert first_unsigned(lines, altered, SIGNER.public, SIGNER.night) == at + 1
            forged = [*lines[:at], {**lines[at], "signature": FOREIGN}, *lines[at + 1 :]]
            if at + 1 < size:  # its leaf, and that of the next line, which has it as `prev`
                altered = [*leaves[: at + 1], other, *leaves[at + 2 :]]
            assert first_unsigned(forged, altered, SIGNER.public, SIGNER.night) == at + 1
    assert first_unsigned([], [], SIGNER.public, SIGNER.night) == 0


def test_brackets_without_end_are_no_line() -> None:
    """They end in a sentence, not in a traceback."""
    with pytest.raises(ValueError, match="not a journal line"):
        unseal(b"[" * 100_000 + b"]" * 100_000, START)
