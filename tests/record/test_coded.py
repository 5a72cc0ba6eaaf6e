"""A head in the digits of a code: nothing is lost, nothing else is read; the page does the same."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.proof.merkle import Edge, leaf_hash
from station.record.coded import CodedHead, code_text, head_digits, read_code
from station.record.heads import Signer, parse_head
from tests.examples import examples
from tests.screens.web.forged.judges import NODE

PAGES = Path(__file__).parents[2] / "station" / "screens" / "web" / "pages"
ADDRESS = "http://10.0.0.5:8090"


def coded(
    secret: int = 1, lines: int = 12, night: int = 3, game: int = 2, bag: str = ""
) -> CodedHead:
    """A head that a made-up station has signed."""
    key = Ed25519PrivateKey.from_private_bytes(secret.to_bytes(32))
    edge = Edge.over(leaf_hash(b"%d" % at) for at in range(lines))
    public = key.public_key().public_bytes_raw().hex()
    return CodedHead(parse_head(Signer.of(key, night).note(edge)), public, game, bag)


HEADS = st.builds(
    coded,
    secret=st.integers(1, 2**200),
    lines=st.integers(0, 40),
    night=st.integers(1, 99_999),
    game=st.integers(0, 999),
    bag=st.just("") | st.binary(min_size=32, max_size=32).map(bytes.hex),
)


@given(head=HEADS, pages=st.sampled_from(["", ADDRESS]), after=st.sampled_from(["", "/LOTO1+N3"]))
@examples(60)
def test_what_is_written_is_read(head: CodedHead, pages: str, after: str) -> None:
    """Whatever night and game, with a bag's root or without, behind an address or alone."""
    read = read_code(code_text(head, pages) + after)
    assert read == head
    assert read.head.signed_by(head.key)


def test_a_telephone_reads_it_in_few_modules() -> None:
    """Behind an address no more than 335 digits, with a bag's root 411."""
    assert len(head_digits(coded())) <= 335
    assert len(head_digits(coded(bag="ff" * 32))) <= 411


DIGITS = head_digits(coded())
STRANGE = {
    "nothing": "",
    "a word": "head",
    "too short": DIGITS[:-3],
    "too long": DIGITS + "000",
    "another form": str(3 << 1088),
    "a bag cut off": head_digits(coded(bag="00" * 32))[:-20],
    "letters": DIGITS[:-1] + "a",
    "Arabic digits": DIGITS.translate({48 + at: 0x660 + at for at in range(10)}),
}


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_what_is_none_is_refused(text: str) -> None:
    """As what it is."""
    with pytest.raises(Unreadable, match="not the head"):
        read_code(text)


def test_a_digit_changed_is_no_signature() -> None:
    """Whichever it is: another head, or another signature; or none at all."""
    for at in range(3, len(DIGITS), 5):
        changed = DIGITS[:at] + str((int(DIGITS[at]) + 1) % 10) + DIGITS[at + 1 :]
        read = read_code(changed)
        assert not read.head.signed_by(read.key)


def test_the_page_reads_and_writes_the_same() -> None:
    """In its own JavaScript: key, head, game, root and receipt; what it writes knows no game."""
    heads = [coded(), coded(bag="0a" * 32), coded(secret=77, lines=0, night=12345, game=0)]
    texts = [code_text(head, ADDRESS) + "/LOTO1+N3" for head in heads]
    script = (
        f"import {{ headDigits, readCode }} from {json.dumps(str(PAGES / 'proving.js'))};"
        "const texts = JSON.parse(process.argv[1]);"
        "console.log(JSON.stringify(texts.map(readCode).map((told) => told &&"
        " [told.head.text, told.key, told.game, told.bag, told.receipt,"
        " headDigits(told.head, told.key)])))"
    )
    strange = list(STRANGE.values())
    node = [NODE, "--input-type=module", "-e", script, json.dumps([*texts, *strange])]
    told = json.loads(subprocess.run(node, check=True, capture_output=True, text=True).stdout)
    for head, read in zip(heads, told, strict=False):
        written = head_digits(head._replace(game=0, bag=""))
        assert read == [head.head.text, head.key, head.game, head.bag, "LOTO1+N3", written]
    assert told[len(heads) :] == [None] * len(strange)
