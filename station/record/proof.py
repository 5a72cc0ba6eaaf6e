"""Put together what anybody may check of a game: its lines as they stand in the journal, each with
its path to the signed head of the night's tree; and that a night's record has only grown.

Lines of sale and of money stay out, and with them the players' names. So does what tells a number
ahead of its call: one that the caller saw, and the keys of a sealed game, of which each call opens
its own leaf. The path shows that a line is in the record without the others. Signature and proofs
are for whoever reads it to verify.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from station.base.disk import Disk
from station.base.errors import Damaged, Unreadable
from station.base.tongue import tr
from station.proof.merkle import GrowingTree, Tree
from station.record.chain import alone, entry_of
from station.record.heads import leaf_of, parse_head
from station.record.journal import FILE, LONGEST_LINE, disk_errors

FORM = "loto-station game 1"
# What a bag is committed to with, and all that changes what lies in it.
OF_THE_DRAW = frozenset({"open", "shake", "mix", "see", "draw", "undo", "renew"})
CLAIM, SEALED = "claim", "take-sealed"
Line: TypeAlias = Mapping[str, Any]


def make_proof(
    half: Path, night: int, game: int, head: str, key: str, disk: Disk | None = None
) -> bytes:
    """Return a game's proof as JSON: `form`, `key`, `night`, `game`, `head`, and `lines`, each a
    pair of an entry of the log (the line without its signature) and the hashes of its path, in hex.

    Args:
        half: the half of the state folder that has the night.
        game: the game's number in the night, from 1.
        head: the signed head, as `station.record.heads` writes it; its lines are on the disk.
        key: the public key that signed it, 64 hex digits.

    Raises:
        Damaged: the journal has fewer lines, or one that is none.
        StoreError: it cannot be read.
        Unreadable: the game was not opened, or nothing is signed here.
    """
    signed, path = parse_head(head), half / "nights" / f"{night:04d}" / FILE
    with disk_errors(path):
        lines = list(islice((disk or Disk()).lines(path, LONGEST_LINE), signed.size))
    if len(lines) < signed.size:
        raise Damaged(f"{path}:{len(lines)}: {tr('lines are missing')}")
    entries = _read(lines, path)
    played = dict(_played(entries, game))
    if not played:
        raise Unreadable(tr("game {game} was not opened in night {night}", game=game, night=night))
    # Who could read what the caller saw first would know the next number before the hall does.
    called = {do["number"]: at for at, do in played.items() if do["act"] == "draw"}
    stored = [entry_of(entry) for entry in entries]
    tree = Tree([leaf_of(entry) for entry in stored])
    told = [
        (stored[at].decode(), b"".join(tree.path(at)).hex())
        for at, do in played.items()
        if do["act"] != "see" or called.get(do["number"], 0) > at
    ]
    proof = {"form": FORM, "key": key, "night": night, "game": game, "head": head, "lines": told}
    return json.dumps(proof, ensure_ascii=False, separators=(",", ":")).encode()


def make_grown(half: Path, night: int, small: int, size: int, disk: Disk | None = None) -> bytes:
    """Return as JSON the proof that the first lines of a night are the beginning of more of them:
    `path`, hashes in hex (RFC 6962, 2.1.2).

    Args:
        half: the half of the state folder that has the night.
        small: of how many lines the older head is.
        size: of how many lines the newer head is.

    Raises:
        Damaged: the journal has a line that is none.
        StoreError: it cannot be read.
        Unreadable: it has fewer lines, or the heads stand the wrong way round.
    """
    path = half / "nights" / f"{night:04d}" / FILE
    with disk_errors(path):
        lines = list(islice((disk or Disk()).lines(path, LONGEST_LINE), size))
    leaves = [leaf_of(entry_of(line)) for line in _read(lines, path)]
    return grown_of(Tree(leaves) if leaves else GrowingTree(), night, small, size, len(leaves))


def grown_of(tree: Tree, night: int, small: int, size: int, most: int) -> bytes:
    """Return what `make_grown` does, by the tree over the night's lines.

    Args:
        most: how many of its lines may be told of.

    Raises:
        Unreadable: there are fewer, or the heads stand the wrong way round.
    """
    if not 1 <= small <= size <= most:
        raise Unreadable(
            tr(
                "night {night} has not the lines {small} to {size}: it has {count}",
                night=night,
                small=small,
                size=size,
                count=most,
            )
        )
    grown = [one.hex() for one in tree.grown_from(small, size)]
    return json.dumps({"path": grown}).encode()


def _read(lines: Sequence[bytes], path: Path) -> list[dict[str, Any]]:
    found = []
    for number, raw in enumerate(lines, 1):
        try:
            found.append(alone(raw[:-1]))
        except ValueError as error:
            raise Damaged(f"{path}:{number}: {error}") from error
    return found


def _played(lines: Iterable[Line], game: int) -> Iterator[tuple[int, Line]]:
    """Yield the lines of a game by their place, from 0; before it the file of a sealed one."""
    opened, sealed = 0, dict[int, Line]()
    for at, line in enumerate(lines):
        do = line["do"]
        opened += do.get("act") in ("open", "skip")
        if do.get("act") == SEALED:
            sealed = {at: do}
        if opened == game and _is_told(line):
            if "sealed" in do:
                yield from sealed.items()
            yield at, do


def _is_told(line: Line) -> bool:
    act, about = line["do"].get("act"), line["do"].get("about")
    words = act == "waive" and about == "words"
    return words or act in OF_THE_DRAW or (act == CLAIM and "ledger" not in line["then"])
