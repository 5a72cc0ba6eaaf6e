"""The tiles of a night, read by a verifier of its own, which shares no code with the station's: it
is written from c2sp.org/tlog-tiles, c2sp.org/signed-note and RFC 6962 alone."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from station.base.errors import Unreadable
from station.proof.merkle import Edge
from station.record.chain import Head
from station.record.heads import Signer, parse_head, verifier_key
from station.record.journal import Journal, JournalContent, read
from station.record.tiles import tile_place, tiles, write_tiles
from tests.support import CLOCK, STATION_KEY

SIGNER = Signer.of(STATION_KEY, 3)
PUBLIC = bytes.fromhex(SIGNER.public)
LINES = 600


class Verifier:
    """Somebody else's verifier: a folder of tiles, and a key as `name+id+base64`."""

    def __init__(self, folder: Path, signer: str) -> None:
        self.folder = folder
        self.known: dict[tuple[int, int], bytes] = {}
        self.name, key_id, told = signer.split("+", 2)
        kind, self.public = base64.b64decode(told)[:1], base64.b64decode(told)[1:]
        digest = hashlib.sha256(self.name.encode() + b"\n" + kind + self.public).digest()
        assert (kind, digest[:4].hex()) == (b"\1", key_id)
        self.key_id = digest[:4]
        self.size, self.root = self.open((folder / "checkpoint").read_text())

    def open(self, note: str) -> tuple[int, bytes]:
        """Size and root of a checkpoint that is signed by the key."""
        text, signatures = note.rsplit("\n\n", 1)
        text += "\n"
        for line in signatures.splitlines():
            dash, name, told = line.split(" ")
            blob = base64.b64decode(told, validate=True)
            if (dash, name, blob[:4]) == ("—", self.name, self.key_id):
                Ed25519PublicKey.from_public_bytes(self.public).verify(blob[4:], text.encode())
                origin, size, root = text.splitlines()
                assert origin == self.name
                return int(size), base64.b64decode(root)
        raise AssertionError("nobody known has signed it")

    def file(self, level: str, index: int, width: int) -> bytes:
        digits = f"{index:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        place = "/".join([f"x{part}" for part in parts[:-1]] + [parts[-1]])
        path = self.folder / "tile" / level / place
        return (
            path if width == 256 else path.with_name(f"{path.name}.p") / str(width)
        ).read_bytes()

    def width(self, level: int, index: int) -> int:
        return min(256, self.size // 256**level - 256 * index)

    def hash_at(self, level: int, place: int) -> bytes:
        """Of a whole subtree of 256**level leaves."""
        index, at = divmod(place, 256)
        data = self.file(str(level), index, width := self.width(level, index))
        assert len(data) == 32 * width
        return data[32 * at : 32 * at + 32]

    def entries(self) -> list[bytes]:
        found = []
        for index in range(-(-self.size // 256)):
            data, at = self.file("entries", index, self.width(0, index)), 0
            while at < len(data):
                size = int.from_bytes(data[at : at + 2], "big")
                found.append(data[at + 2 : at + 2 + size])
                at += 2 + size
        return found

    def mth(self, start: int, end: int) -> bytes:
        """MTH(D[start:end]) of RFC 6962, 2.1, from the tiles."""
        if (start, end) not in self.known:
            self.known[start, end] = self.mth_of(start, end)
        return self.known[start, end]

    def mth_of(self, start: int, end: int) -> bytes:
        for level in (3, 2, 1, 0):
            if end - start == 256**level and start % 256**level == 0:
                return self.hash_at(level, start // 256**level)
        k = 1
        while 2 * k < end - start:
            k *= 2
        return node(self.mth(start, start + k), self.mth(start + k, end))

    def inclusion(self, m: int, start: int, end: int) -> list[bytes]:
        """PATH(m, D[start:end]) of RFC 6962, 2.1.1."""
        if end - start == 1:
            return []
        k = 1
        while 2 * k < end - start:
            k *= 2
        if m < k:
            return [*self.inclusion(m, start, start + k), self.mth(start + k, end)]
        return [*self.inclusion(m - k, start + k, end), self.mth(start, start + k)]

    def consistency(self, m: int, start: int, end: int, whole: bool = True) -> list[bytes]:
        """SUBPROOF(m, D[start:end], whole) of RFC 6962, 2.1.2."""
        if m == end - start:
            return [] if whole else [self.mth(start, end)]
        k = 1
        while 2 * k < end - start:
            k *= 2
        if m <= k:
            return [*self.consistency(m, start, start + k, whole), self.mth(start + k, end)]
        return [*self.consistency(m - k, start + k, end, False), self.mth(start, start + k)]


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def included(entry: bytes, m: int, n: int, path: list[bytes]) -> bytes:
    """The root that a path leads to, from the last split down to the first."""
    if n == 1:
        assert not path
        return hashlib.sha256(b"\x00" + entry).digest()
    k = 1
    while 2 * k < n:
        k *= 2
    *rest, sibling = path
    if m < k:
        return node(included(entry, m, k, rest), sibling)
    return node(sibling, included(entry, m - k, n - k, rest))


def roots(m: int, n: int, proof: list[bytes], old: bytes) -> tuple[bytes, bytes]:
    """The old and the new root to which a consistency proof leads."""

    def walk(m: int, n: int, proof: list[bytes], whole: bool) -> tuple[bytes, bytes]:
        if m == n:
            [known] = [old] if whole else proof
            return known, known
        k = 1
        while 2 * k < n:
            k *= 2
        *rest, sibling = proof
        if m <= k:
            before, after = walk(m, k, rest, whole)
            return before, node(after, sibling)
        before, after = walk(m - k, n - k, rest, False)
        return node(sibling, before), node(sibling, after)

    return walk(m, n, proof, True)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> JournalContent:
    """A night with more lines than two tiles have."""
    path = tmp_path_factory.mktemp("night") / "journal.jsonl"
    journal = Journal(path, SIGNER)
    journal.open()
    opened = {"act": "note", "key": SIGNER.public, "night": SIGNER.night}
    for number in range(LINES):
        entry = {"id": f"c{number}", **CLOCK.stamp(), "by": "Zoë", "via": "wire", "then": {}}
        done = {"act": "note", "what": "x" * (70_000 if number == 300 else number % 50)}
        journal.append_now({**entry, "do": done if number else opened})
    journal.close()
    return read(path)


def head_text_of(night: JournalContent, size: int) -> str:
    """The signed head of the first lines, as their last line has it."""
    own = Head(Edge.over(night.leaves[:size]), night.lines[size - 1]["signature"])
    return own.note(SIGNER.public, SIGNER.night)


def entry_text(line: dict[str, Any]) -> str:
    """A line without its signature, written by another library."""
    own = {name: value for name, value in line.items() if name != "signature"}
    return json.dumps(own, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def written(folder: Path, night: JournalContent, size: int) -> Verifier:
    """The tiles of the first lines, as somebody else reads them."""
    head = parse_head(head_text_of(night, size))
    write_tiles(folder, night, head, lines=True)
    return Verifier(folder, verifier_key(head.origin, PUBLIC))


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 512, 599])
def test_every_line_is_in_the_tiles(tmp_path: Path, night: JournalContent, size: int) -> None:
    """Each entry is the line without its signature, or the digest of a very long one, and its path
    leads to the root that was signed; to no other place."""
    log = written(tmp_path, night, size)
    entries = log.entries()
    assert (log.size, log.root, len(entries)) == (size, log.mth(0, size), size)
    for at, (entry, line) in enumerate(zip(entries, night.lines, strict=False)):
        assert at == 300 or entry.decode() == entry_text(line)
        assert included(entry, at, size, log.inclusion(at, 0, size)) == log.root
    if size > 1:
        assert included(entries[0], 1, size, log.inclusion(1, 0, size)) != log.root
    if size > 300:
        whole = entry_text(night.lines[300])
        assert entries[300].decode() == hashlib.sha256(whole.encode()).hexdigest()


@pytest.mark.long
def test_every_two_heads_are_of_one_tree(tmp_path: Path, night: JournalContent) -> None:
    """The head of each line, and that of the last, are consistent; with another root they are
    not."""
    log = written(tmp_path, night, LINES)
    heads = [log.open(head_text_of(night, size)) for size in range(1, LINES + 1)]
    for size, root in heads:
        proof = log.consistency(size, 0, log.size)
        assert roots(size, log.size, proof, root) == (root, log.root)
        if size < log.size:
            altered = [hashlib.sha256(one).digest() for one in proof]
            assert roots(size, log.size, altered, root) != (root, log.root)
    for larger in (2, 77, 257):
        for size in range(1, larger):
            smaller, after = (heads[n - 1][1] for n in (size, larger))
            proof = log.consistency(size, 0, larger)
            assert roots(size, larger, proof, smaller) == (smaller, after)


def test_an_altered_checkpoint_is_nobodys(tmp_path: Path, night: JournalContent) -> None:
    """Another size under the same signature is found."""
    log = written(tmp_path, night, 9)
    with pytest.raises(InvalidSignature):
        log.open((tmp_path / "checkpoint").read_text().replace("\n9\n", "\n8\n"))


def test_tiles_grow_and_stay(tmp_path: Path, night: JournalContent) -> None:
    """Tiles of an earlier head stay; those of another night, or a shorter one, are not mixed in."""
    written(tmp_path, night, 30)
    log = written(tmp_path, night, 300)
    assert (tmp_path / "tile/0/000.p/30").stat().st_size == 30 * 32
    assert log.size == 300
    with pytest.raises(Unreadable, match="lie there"):
        written(tmp_path, night, 299)
    with pytest.raises(Unreadable, match="night-0003 lie there"):
        write_tiles(
            tmp_path, night, parse_head(Signer.of(STATION_KEY, 4).note(Edge.over(night.leaves)))
        )


def test_the_published_example() -> None:
    """Which tiles a tree of 70,000 entries has, and one of 256, as c2sp.org/tlog-tiles says."""
    for size, wanted in (
        (70_000, {("0", 256): 273, ("0", 112): 1, ("1", 256): 1, ("1", 17): 1, ("2", 1): 1}),
        (256, {("0", 256): 1, ("1", 1): 1}),
    ):
        leaves = [number.to_bytes(32, "big") for number in range(size)]
        found = Counter[tuple[str, int]]()
        for name, data in tiles(leaves, [b""] * size):
            if not name.startswith("entries"):
                found[name.split("/")[0], len(data) // 32] += 1
                assert name.endswith(f".p/{len(data) // 32}") == (len(data) < 256 * 32)
        assert found == wanted
    assert tile_place(1234067) == "x001/x234/067"
    assert (tile_place(0), tile_place(1000)) == ("000", "x001/000")


@pytest.mark.parametrize("size", [1, 256, 257, 599])
def test_hashes_alone_tell_no_name(tmp_path: Path, night: JournalContent, size: int) -> None:
    """By default: no file holds a line, and still a line that somebody has is found in the tree
    that was signed; the same folder may get its lines later."""
    head = parse_head(head_text_of(night, size))
    write_tiles(tmp_path, night, head)
    assert not (tmp_path / "tile" / "entries").exists()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if "Zoë".encode() in path.read_bytes()]
    assert sum(path.stat().st_size for path in files) < 400 + 34 * size
    log = Verifier(tmp_path, verifier_key(head.origin, PUBLIC))
    assert (
        included(entry_text(night.lines[0]).encode(), 0, size, log.inclusion(0, 0, size))
        == log.root
    )
    write_tiles(tmp_path, night, head, lines=True)
    assert len(log.entries()) == size
