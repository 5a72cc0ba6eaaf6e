"""The heads of a night's tree: in the published form, and signed by nobody else."""

from __future__ import annotations

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.proof.merkle import Edge, Tree, leaf_hash
from station.record.heads import (
    DASH,
    LONGEST_ENTRY,
    Signer,
    first_unlike,
    has_signed,
    head_note,
    head_text,
    key_id,
    leaf_of,
    parse_head,
    parse_heads,
    stored_entry,
    verifier_key,
)
from tests.examples import examples

# The example of golang.org/x/mod/sumdb/note: a private key, its public half, what it has signed.
PRIVATE = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
    "KE6RyyBwJnAM=\n"
)
# The checkpoint in c2sp.org/tlog-checkpoint: its form is ours but for the origin's.
PUBLISHED = (
    "example.com/behind-the-sofa\n"
    "20852163\n"
    "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    "\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q"
    "1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


def public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def sign_note(text: str, name: str, key: Ed25519PrivateKey) -> str:
    """A signed note (c2sp.org/signed-note) of any text."""
    signed = key_id(name, key.public_key().public_bytes_raw()) + key.sign(text.encode())
    return f"{text}\n{DASH}{name} {base64.b64encode(signed).decode()}\n"


def sign_head(key: Ed25519PrivateKey, night: int, edge: Edge) -> str:
    return Signer.of(key, night).note(edge)


def test_the_published_note() -> None:
    """Key, key id and signature are those of the example, to the last sign."""
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(PRIVATE)[1:])
    name, told, _ = PUBLIC.split("+", 2)
    raw = key.public_key().public_bytes_raw()
    assert key_id(name, raw).hex() == told
    assert verifier_key(name, raw) == PUBLIC
    assert sign_note(NOTE.partition("\n\n")[0] + "\n", name, key) == NOTE


def test_the_published_checkpoint() -> None:
    """With its origin and night it is read as any of ours; under its own it is no station's."""
    told = parse_head(
        PUBLISHED.replace("example.com/behind-the-sofa", "loto-station/0123456789abcdef/night-0007")
    )
    root = bytes.fromhex("0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62")
    assert (told.night, told.size, told.root) == (7, 20852163, root)
    with pytest.raises(Unreadable):
        parse_head(PUBLISHED)


@given(st.integers(0, 70), st.integers(1, 12345))
@examples(40)
def test_a_head_is_its_keys_and_nights_alone(size: int, night: int) -> None:
    """It comes back as it was made; another key, night, size or root has not signed it."""
    edge = Edge.over(leaf_hash(bytes([number])) for number in range(size))
    head = parse_head(sign_head(KEY, night, edge))
    assert (head.night, head.size, head.root) == (night, size, edge.root)
    assert head.signed_by(public(KEY))
    signature = Signer.of(KEY, night).sign(edge)
    assert head.text == head_note(public(KEY), night, edge, signature)
    assert head.text == sign_note(head_text(public(KEY), night, edge), head.origin, KEY)
    assert has_signed(public(KEY), night, edge, signature)
    assert not has_signed(public(OTHER), night, edge, signature)
    assert not has_signed(public(KEY), night + 1, edge, signature)
    assert not has_signed(public(KEY), night, edge.grown(leaf_hash(b"")), signature)
    assert not head.signed_by_any([public(OTHER), public(OTHER)[:16] + public(KEY)[16:]])
    first, second, third, *rest = head.text.splitlines(keepends=True)
    other = edge.grown(leaf_hash(b"other"))
    foreign = first.replace("night-", "night-1")
    for forged in (
        head.text.replace(first.strip(), foreign.strip()),
        "".join([first, f"{size + 1}\n", third, *rest]),
        "".join([first, second, sign_head(KEY, 1, other).split("\n")[2] + "\n", *rest]),
    ):
        assert not parse_head(forged).signed_by(public(KEY))


@given(st.integers(0, 400), st.data())
@examples(200)
def test_no_other_text_is_that_head(at: int, data: st.DataObject) -> None:
    """One letter more, less or other: it cannot be read, or nobody has signed it."""
    text = sign_head(KEY, 1, Edge.over([leaf_hash(b"")] * 57))
    at %= len(text)
    letter = data.draw(st.sampled_from("\n 0=+/aZ\r—"))
    for forged in (text[:at] + text[at + 1 :], text[:at] + letter + text[at + 1 :], text + letter):
        if forged == text:
            continue
        try:
            told = parse_head(forged)
        except Unreadable:
            continue
        assert not told.signed_by(public(KEY))


@pytest.mark.parametrize("given", ["", "xy" * 32, "ab" * 31, "ä" * 64, "ab" * 33])
def test_what_is_no_key_has_signed_nothing(given: str) -> None:
    """Whatever an opening names as its key, the answer is no, and no error."""
    assert not has_signed(given, 1, Edge(), bytes(64))
    assert not has_signed(public(KEY), 1, Edge(), b"short")


def test_long_lines_have_entries_that_fit_into_a_tile() -> None:
    """The longest entry is the line itself; one byte more, and it is the line's digest."""
    line = b"{" + b"x" * (LONGEST_ENTRY - 1)
    assert stored_entry(line) == line
    assert stored_entry(line + b"x") == hashlib.sha256(line + b"x").hexdigest().encode()
    assert leaf_of(line + b"x") == leaf_hash(stored_entry(line + b"x"))
    assert stored_entry(line + b"x") != stored_entry(line + b"y")


HUGE = ["9" * 19, "9" * 5000]


@pytest.mark.parametrize("number", HUGE, ids=["20 digits", "5000 digits"])
@pytest.mark.parametrize("where", ["size", "night"])
def test_numbers_that_no_machine_counts_are_no_head(number: str, where: str) -> None:
    """A head is untrusted text: a size or night of thousands of digits is refused in a sentence."""
    text = sign_head(KEY, 1, Edge.over([leaf_hash(b"")] * 57))
    old, new = ("\n57\n", f"\n{number}\n") if where == "size" else ("night-0001", f"night-{number}")
    for read in (parse_head, parse_heads):
        with pytest.raises(Unreadable, match="not the head"):
            read(text.replace(old, new))


def test_coding_that_is_not_the_usual_one_is_no_head() -> None:
    """Base 64 has spare bits; a root or signature with any of them set is another text."""
    text = sign_head(KEY, 1, Edge())
    root, signed = text.splitlines()[2], text.split()[-1]
    for forged in (
        text.replace(root, root[:-2] + chr(ord(root[-2]) + 1) + "="),
        text.replace(signed, signed[:-2] + chr(ord(signed[-2]) + 1) + "="),
        text.replace(signed, signed[:-4]),
        text.replace(signed, "=" + signed),
    ):
        assert forged != text
        with pytest.raises(Unreadable, match="not the head"):
            parse_head(forged)


def test_heads_that_follow_one_another_are_parsed() -> None:
    """With any white space between them, as people copy them; anything else is refused."""
    edges = [Edge.over([leaf_hash(b"")] * size) for size in (1, 5, 9)]
    texts = [sign_head(KEY, 2, edge) for edge in edges]
    assert [head.text for head in parse_heads("".join(texts))] == texts
    assert parse_heads("\n \n".join(texts).replace("\n", "\r\n")) == parse_heads("".join(texts))
    assert parse_heads(" \n") == ()
    for wrong in ("x", texts[0] + "x" + texts[1], "x" + texts[0], texts[0][:-9], texts[0] + "\0"):
        with pytest.raises(Unreadable, match="not the head"):
            parse_heads(wrong)


def test_where_kept_heads_and_lines_part() -> None:
    """Between the last head that fits and the first that does not."""
    leaves = [leaf_hash(b"%d" % at) for at in range(12)]
    heads = [parse_head(sign_head(KEY, 1, Edge.over(leaves[:size]))) for size in (9, 3, 6)]
    assert first_unlike(heads, leaves) is None
    assert first_unlike([], []) is None
    assert first_unlike(heads, leaves[:8]) == (9, 9)
    for altered, between in ((1, (1, 3)), (3, (4, 6)), (8, (7, 9)), (9, None)):
        other = [*leaves[:altered], leaf_hash(b"x"), *leaves[altered + 1 :]]
        assert first_unlike(heads, other) == between


@given(st.lists(st.binary(max_size=3), max_size=70))
@examples(60)
def test_an_edge_is_the_whole_trees(data: list[bytes]) -> None:
    """After each leaf the root is that of the tree over all leaves so far."""
    leaves, edge = [leaf_hash(leaf) for leaf in data], Edge()
    for size, leaf in enumerate(leaves, 1):
        edge = edge.grown(leaf)
        assert (edge.size, edge.root) == (size, Tree(leaves[:size]).root)
        assert len(edge.hashes) == size.bit_count()


@pytest.mark.parametrize(
    "origin",
    [
        f"loto-station/{public(OTHER)[:16]}/night-0007",
        f"loto-station/{'0' * 16}/night-0007",
        f"loto-station/{public(KEY)[:15]}0/night-0007",
        f"loto-station/{'f' * 16}/night-0007",
    ],
)
def test_a_head_is_signed_for_its_own_tree(origin: str) -> None:
    """A key that signs a head under the origin of another station's tree has signed no head of its
    own: signature and key id are good, and it is refused. Under its own origin it is taken."""
    lines = f"40\n{base64.b64encode(bytes(32)).decode()}\n"
    own = f"loto-station/{public(KEY)[:16]}/night-0007"
    assert parse_head(sign_note(f"{own}\n{lines}", own, KEY)).signed_by(public(KEY))
    foreign = parse_head(sign_note(f"{origin}\n{lines}", origin, KEY))
    assert not foreign.signed_by(public(KEY))
    assert not foreign.signed_by_any([public(OTHER), public(KEY)])
