"""Checks that one tree of hashes is the beginning of another, as whoever keeps two heads of a
record does: the station makes the proof, and does not check it."""

from __future__ import annotations

from collections.abc import Sequence

from station.proof.merkle import node_hash


def has_grown(path: Sequence[bytes], small: int, small_root: bytes, size: int, root: bytes) -> bool:
    """Return whether a row of hashes shows that one tree is the beginning of another (RFC 9162,
    2.1.4.2).

    Args:
        small: how many leaves the smaller tree has; one at least.
        size: how many the larger one has.
    """
    if not 0 < small <= size:
        return False
    if small == size:
        return not path and small_root == root
    hashes = [small_root, *path] if small & (small - 1) == 0 else [*path]
    at, last = small - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    if not hashes:
        return False
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        at, last = at >> 1, last >> 1
    return not last and (old, new) == (small_root, root)
