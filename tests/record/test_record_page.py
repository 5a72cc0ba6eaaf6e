"""Each value that `docs/record.md` gives as an example is recomputed from the page's own text."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.night.fair import MOST_ADDED
from station.night.sealed import read_sealed
from station.night.sealed_play import binding_of, padded
from station.proof.leaves import LEAVES, Binding, Secrets, Source, Way, bound_leaf, holds
from station.proof.merkle import Edge, leaf_hash
from station.proof.sealed_game import MOST_HALLS
from station.record.chain import Head, alone, entry_alone, entry_of, seal, unseal
from station.record.heads import LONGEST_ENTRY, Signer, head_text, parse_head
from station.record.journal import LONGEST_LINE

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SIGNER = Signer.of(KEY, 1)


@cache
def examples(heading: str) -> tuple[tuple[str, ...], ...]:
    """The indented blocks below a heading; an empty line ends one."""
    section = re.split(rf"^###? {heading}$", PAGE, flags=re.MULTILINE)[1]
    section = re.split(r"^##", section, flags=re.MULTILINE)[0]
    found: list[list[str]] = [[]]
    for line in section.splitlines():
        if line.startswith("    "):
            found[-1].append(line[4:])
        elif found[-1]:
            found.append([])
    return tuple(tuple(block) for block in found if block)


def spoken(key: str) -> str:
    """Base 64 as lines of a head have it."""
    return base64.b64encode(bytes.fromhex(key)).decode()


def test_the_worked_line_is_what_the_station_writes() -> None:
    """Key, entry, leaf, root, signed text, signature and line, of two lines."""
    (public,), (entry, leaf), text, (line,), (second, hashed, root), text_2, (signature,) = (
        examples("A worked line")
    )
    assert public == SIGNER.public
    assert "the 32 bytes 00 01 02 … 1f" in PAGE
    assert f"({len(entry.encode())} bytes;" in PAGE
    written, head, made = seal(entry_alone(entry.encode()), Head(), SIGNER)
    assert (made.hex(), head.root) == (leaf, leaf)
    assert leaf_hash(entry.encode()).hex() == leaf
    assert written.decode() == f"{line}\n"
    assert "\n".join((*text, "")) == head_text(public, 1, head.edge)
    assert text[2] == spoken(leaf)
    assert unseal(line.encode(), Head())[1] == head
    assert head.signed_by(public, 1)
    after = seal(entry_alone(second.encode()), head, SIGNER)
    assert entry_of(alone(after[0][:-1])).decode() == second
    assert (after[2].hex(), after[1].root) == (hashed, root)
    assert "\n".join((*text_2, "")) == head_text(public, 1, after[1].edge)
    assert after[1].signature == signature


def test_the_worked_head_is_signed() -> None:
    """The note of the first line."""
    text, (signature,) = examples("Heads")
    (_, _, signed, (line,), *_) = examples("A worked line")
    assert text == signed
    head = parse_head("\n".join((*text, "", signature, "")))
    assert head.signed_by(SIGNER.public)
    assert head.text == SIGNER.note(Edge.over([leaf_hash(entry_of(alone(line.encode())))]))


def asked(label: str, binding: bytes, step: int) -> bytes:
    """A question without words, for the first try, put together as the page says."""
    return f"loto-station {label} 1\n".encode() + binding + bytes(2) + step.to_bytes(4) + bytes(4)


def number_of(secret: bytes, question: bytes) -> int:
    """What the page calls *h*."""
    return int.from_bytes(hmac.digest(secret, question, "sha256")[:8])


def test_the_worked_number_follows_from_its_leaf() -> None:
    """Binding, leaf, root, path, question, answer and knob."""
    (told, leaf, root), path, (question, answer, number, place, knob), *_ = examples(
        "Worked results"
    )
    binding = Binding(SIGNER.public, 1, 1)
    secrets = [bytes([at]) * 32 for at in range(LEAVES)]
    opened = Secrets(binding, secrets).open(1)
    assert binding.at(1).hex() == told
    assert bound_leaf(bytes.fromhex(told), secrets[1]).hex() == leaf
    assert Secrets(binding, secrets).root == root
    assert "".join(path) == opened.path
    assert holds(Way.COMMITTED, root, LEAVES, binding, opened)
    assert question == asked("draw", binding.at(1), 0).hex()
    assert f"({len(question) // 2} bytes)" in PAGE
    assert answer == hmac.digest(secrets[1], bytes.fromhex(question), "sha256").hex()
    assert int(number) == int(answer[:16], 16)
    assert int(place) == int(number) % 89
    bag = {*range(1, LEAVES + 1)} - {12}
    assert int(knob) == sorted(bag)[int(place)] == Source(secrets[1], binding.at(1)).knob(bag)


def test_the_worked_shuffle_and_throw_follow_from_their_leaves() -> None:
    """Each step, and the result."""
    *_, shuffle, throw, _, _ = examples("Worked results")
    table = Binding(SIGNER.public, 1, 1, 0)
    secret, binding = bytes(32), table.at(0)
    numbers = [number_of(secret, asked("shuffle", binding, step)) for step in range(3)]
    steps = [f"{number} {number % (4 - step)}" for step, number in enumerate(numbers)]
    assert shuffle == (*steps, " ".join(Source(secret, binding).shuffled("ABCD")))
    secret, binding = b"\1" * 32, table.at(1)
    source = Source(secret, binding)
    numbers = [number_of(secret, asked("dice", binding, step)) for step in range(2)]
    assert throw == tuple(f"{number} {source.die(6, at)}" for at, number in enumerate(numbers))


def test_the_worked_hidden_part_and_sealed_secret() -> None:
    """The digest with its escapes, and the pad of a key."""
    *_, (part, digest), (sealed,) = examples("Worked results")
    assert read_sealed(json.loads(part), "the page").digest == digest
    assert sealed == padded(bytes(32), bytes(range(16)), binding_of(SIGNER.public).at(0)).hex()
    text = '{"pips":[1,2],"to":"Zo\\u00eb"}'
    assert hashlib.sha256(f"{'0' * 32}\n{text}".encode()).hexdigest() == digest


@pytest.mark.parametrize("bound", [LONGEST_LINE, LONGEST_ENTRY, MOST_HALLS])
def test_the_page_names_each_bound(bound: int) -> None:
    """A bound that changes in the code changes on the page."""
    assert f"{bound:,}" in PAGE


def test_the_page_names_the_most_of_the_words() -> None:
    """Their length is in a sentence of its own."""
    assert f"a text of 1 to {MOST_ADDED} characters" in PAGE
