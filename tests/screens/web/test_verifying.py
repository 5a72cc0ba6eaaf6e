"""The page's judge of the record: its hashes and signatures are the published ones, and it says of
records, honest and forged, what the station's audit says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from station.proof.leaves import Way
from station.record.journal import FILE
from station.record.station_key import make_key
from tests.screens.web.forged.judges import NODE, PAGES, judges
from tests.screens.web.forged.records import (
    NIGHTS,
    OF_THE_TABLE,
    another_law,
    files_of,
    forged,
    forged_line,
    play,
    shown_in,
    signed_anew,
)
from tests.table_nights import play_tables

# Public key, message and signature of RFC 8032, 7.1, tests 1 to 3.
SIGNED = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]
# Key, data and HMAC-SHA-256 of RFC 4231, 4.3 and 4.7.
HMACS = [
    (
        b"Jefe".hex(),
        b"what do ya want for nothing?".hex(),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        "aa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First".hex(),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
]
# Text, SHA-256 and SHA-512: FIPS 180-4's examples, "abc" and two blocks of 512 bits, and one of
# 1024.
HASHES = [
    (
        "abc",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        (
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ),
    (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        (
            "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
            "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
        ),
    ),
]
SCRIPT = """
import * as p from %s;
const { signed, hmacs, hashes } = JSON.parse(process.argv[1]);
const flip = (text) => text.slice(0, 9) + (text[9] === "0" ? "1" : "0") + text.slice(10);
console.log(JSON.stringify({
  signed: signed.map(([key, text, name]) => p.signedBy(...[key, text, name].map(p.fromHex))),
  forged: signed.map(([key, text, name]) => p.signedBy(...[key, text, flip(name)].map(p.fromHex))),
  hmacs: hmacs.map(([key, data]) => p.hex(p.hmac(p.fromHex(key), p.fromHex(data)))),
  hashes: hashes.map(([text]) => [p.sha256, p.sha512].map((hash) => p.hex(hash(p.bytesOf(text))))),
}));
"""


def test_the_published_vectors(tmp_path: Path) -> None:
    """RFC 8032, RFC 4231 and FIPS 180-4, each to the last bit; a signature with one other digit is
    none."""
    shutil.copy(PAGES / "proving.js", tmp_path / "proving.mjs")
    script = SCRIPT % json.dumps((tmp_path / "proving.mjs").as_uri())
    asked = json.dumps({"signed": SIGNED, "hmacs": HMACS, "hashes": HASHES})
    words = [NODE, "--input-type=module", "--eval", script, asked]
    told = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert told == {
        "signed": [True] * len(SIGNED),
        "forged": [False] * len(SIGNED),
        "hmacs": [wanted for *_, wanted in HMACS],
        "hashes": [wanted for _, *wanted in HASHES],
    }


@pytest.mark.long
def test_both_judges_say_the_same(tmp_path: Path) -> None:
    """Honest records are whole to both; of forged ones both name the same night, file and line."""
    chance = Random(7)
    for seed in range(3):
        state, modules = tmp_path / f"state-{seed}", tmp_path / f"modules-{seed}"
        state.mkdir()
        modules.mkdir()
        play(state, seed, Way.COMMITTED if seed == 1 else Way.SHARED)
        files, key = files_of(state), make_key(state)
        kinds = set()
        with judges(state, modules) as both:
            assert (both.audit(files), both.page(files)) == (None, None)
            for _ in range(120):
                what, forgery = forged(files, chance, key)
                if forgery != files:
                    found = both.audit(forgery)
                    assert (found, what) == (both.page(forgery), what)
                    assert found is not None, what
                    kinds.add(what.split()[0])
        assert len(kinds) > 15


@pytest.mark.long
def test_both_judges_look_at_tables(tmp_path: Path) -> None:
    """Honest throws, shuffles and deals are whole to both. Of forged ones both name the same line,
    also if the station's own key has signed them: the throw, or the hand that ends."""
    chance = Random(9)
    for seed, (way, alone) in enumerate(((Way.FRESH, False), (Way.COMMITTED, True))):
        state, modules = tmp_path / f"state-{seed}", tmp_path / f"modules-{seed}"
        state.mkdir()
        modules.mkdir()
        play_tables(state, seed, way)
        files, key, kinds = files_of(state), make_key(state), set()
        with judges(state, modules) as both:
            assert (both.audit(files), both.page(files)) == (None, None)
            for _ in range(120):
                if alone:
                    forge = chance.choice(OF_THE_TABLE)
                    what, forgery = forged_line(files, chance, forge, key=key)
                else:
                    what, forgery = forged(files, chance, key, (*OF_THE_TABLE, another_law))
                if forgery != files:
                    found = both.audit(forgery)
                    assert (found, what) == (both.page(forgery), what)
                    assert found is not None, what
                    kinds.add(what.split()[0])
        assert len(kinds) >= len({*OF_THE_TABLE})


@pytest.mark.long
def test_kept_heads_find_what_no_file_shows(tmp_path: Path) -> None:
    """A record written anew by whoever has the key, and one whose end is cut off with its heads:
    whole to both judges, until they see heads that somebody kept elsewhere. Those of the record
    itself accuse nobody."""
    chance, state, modules = Random(8), tmp_path / "state", tmp_path / "modules"
    state.mkdir()
    modules.mkdir()
    play(state, 4)
    key, files, kinds = make_key(state), files_of(state), set()
    with judges(state, modules) as both:
        own = [*shown_in(files, NIGHTS[0]), *shown_in(files, NIGHTS[1])]
        assert (both.audit(files, own), both.page(files, own)) == (None, None)
        for _ in range(40):
            what, forgery, kept = signed_anew(files, key, chance)
            assert (both.audit(forgery), both.page(forgery), what) == (None, None, what)
            wanted = NIGHTS[1], FILE, int(what.split(":")[1]) + what.startswith("cut")
            assert (both.audit(forgery, kept), what) == (wanted, what)
            assert (both.page(forgery, kept), what) == (wanted, what)
            kinds.add(what.split()[0])
    assert kinds == {"cut", "split"}
