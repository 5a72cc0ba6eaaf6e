"""Write a night's tree as static files that anybody's verifier reads (c2sp.org/tlog-tiles).

The hashes prove that a line somebody has is in the record, and that the record has only grown. They
tell nothing of the other lines: each has a random id in it, so nobody finds it by trying. The lines
themselves, with names and sums, are written only where that is asked for.

    OUT/checkpoint                  the signed head: `station.record.heads`
    OUT/tile/0/000                  256 hashes of lines, one after the other; OUT/tile/0/000.p/57
                                    has 57 of them
    OUT/tile/1/000.p/3              hashes of three whole tiles of the level below
    OUT/tile/entries/000.p/57       57 lines without their signatures, each after its length in two
                                    bytes; asked for

Tiles of earlier heads stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.base.untrusted import file_bytes
from station.proof.merkle import Edge
from station.record.chain import entry_of
from station.record.heads import TreeHead, parse_head, stored_entry
from station.record.journal import JournalContent, disk_errors

WIDTH = 256  # hashes of a whole tile
FILE = "checkpoint"
LINES = "entries"


def write_tiles(out: Path, reading: JournalContent, head: TreeHead, *, lines: bool = False) -> None:
    """Write the tiles that stand for a head, and the head last of all.

    Args:
        head: of the first lines of the reading.
        lines: write the lines themselves, too.

    Raises:
        Unreadable: tiles of another night lie there, or of more lines.
        StoreError: they cannot be written.
    """
    with disk_errors(out, tr("{file}: cannot be written ({why})")):
        if (out / FILE).exists():
            before = parse_head(file_bytes(out / FILE).decode(errors="replace"))
            if before.origin != head.origin or before.size > head.size:
                raise Unreadable(
                    tr("{folder}: tiles of {origin} lie there", folder=out, origin=before.origin)
                )
        shown = reading.lines[: head.size] if lines else ()
        entries = [stored_entry(entry_of(line)) for line in shown]
        for name, data in tiles(reading.leaves[: head.size], entries):
            path = out / "tile" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (out / FILE).write_text(head.text, encoding="utf-8")


def tiles(leaves: Sequence[bytes], entries: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield each tile of a tree, its name behind `tile/` and its bytes.

    Args:
        leaves: the hash of each entry.
        entries: what stands in the tree, each at most 65,535 bytes; none are not written.
    """
    told = [len(entry).to_bytes(2, "big") + entry for entry in entries]
    for name, some in _cut(LINES, told):
        yield name, b"".join(some)
    level, hashes = 0, list(leaves)
    while hashes:
        whole = []
        for name, some in _cut(str(level), hashes):
            yield name, b"".join(some)
            if len(some) == WIDTH:
                whole.append(Edge.over(some).root)
        level, hashes = level + 1, whole


def _cut(level: str, row: Sequence[bytes]) -> Iterator[tuple[str, Sequence[bytes]]]:
    for start in range(0, len(row), WIDTH):
        some = row[start : start + WIDTH]
        part = f".p/{len(some)}" if len(some) < WIDTH else ""
        yield f"{level}/{tile_place(start // WIDTH)}{part}", some


def tile_place(index: int) -> str:
    """Return a tile's place in its level, three digits a folder.

    >>> tile_place(1234067)
    'x001/x234/067'
    """
    *folders, last = f"{index:,}".split(",")
    return "/".join([*(f"x{int(part):03d}" for part in folders), f"{int(last):03d}"])
