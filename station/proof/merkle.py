"""Make and check hash trees as RFC 6962 defines them. Pure.

A tree's root stands for all its leaves. A path of a few hashes shows that a leaf is one of them
(RFC 6962, 2.1.1); another such row that a shorter tree is the beginning of a longer one (2.1.2).
Leaves and nodes are hashed with SHA-256, after one byte that tells them apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

HASH = 32  # bytes
EMPTY = hashlib.sha256(b"").digest()  # the root of a tree without leaves


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf: SHA-256 of a zero byte and its data."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node: SHA-256 of a one byte and the hashes of its two halves."""
    return hashlib.sha256(b"\1" + left + right).digest()


class Tree:
    """A tree over a row of leaves that does not change.

    Args:
        leaves: the hash of each, in order; one at least.
    """

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._leaves = tuple(leaves)
        self._known: dict[tuple[int, int], bytes] = {}

    def __len__(self) -> int:
        return len(self._leaves)

    @property
    def root(self) -> bytes:
        """Return the hash that stands for all leaves."""
        return self._over(0, len(self))

    def path(self, at: int) -> tuple[bytes, ...]:
        """Return the hashes that lead from the leaf at this place, from 0, up to the root."""
        low, high, way = 0, len(self), list[bytes]()
        while high - low > 1:
            middle = low + _half(high - low)
            if at < middle:
                way.append(self._over(middle, high))
                high = middle
            else:
                way.append(self._over(low, middle))
                low = middle
        return tuple(reversed(way))

    def grown_from(self, size: int, until: int | None = None) -> tuple[bytes, ...]:
        """Return the hashes that show that the first `size` leaves are the beginning of these, or
        of the first `until` of these."""
        low, high, way, whole = 0, len(self) if until is None else until, list[bytes](), True
        while size != high:
            middle = low + _half(high - low)
            if size <= middle:
                way.append(self._over(middle, high))
                high = middle
            else:
                way.append(self._over(low, middle))
                low, whole = middle, False
        if not whole:
            way.append(self._over(low, high))
        return tuple(reversed(way))

    def _over(self, low: int, high: int) -> bytes:
        """Return the hash over the leaves from `low` to before `high`."""
        if high - low == 1:
            return self._leaves[low]
        if (low, high) not in self._known:
            middle = low + _half(high - low)
            self._known[low, high] = node_hash(self._over(low, middle), self._over(middle, high))
        return self._known[low, high]


class GrowingTree(Tree):
    """A tree that grows, and proves at once that it has only grown: it keeps the hash over each
    whole subtree, two hashes a leaf in all.

    Args:
        leaves: the hash of each leaf that it begins with.
    """

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self._rows: list[list[bytes]] = [[]]  # over one leaf, over two, over four …
        for leaf in leaves:
            self.grow(leaf)

    def __len__(self) -> int:
        return len(self._rows[0])

    def grow(self, leaf: bytes) -> None:
        """Take one more leaf, given by its hash."""
        for height in count():
            if height == len(self._rows):
                self._rows.append([])
            row = self._rows[height]
            row.append(leaf)
            if len(row) & 1:
                return
            leaf = node_hash(*row[-2:])

    def _over(self, low: int, high: int) -> bytes:
        size = high - low
        if size & (size - 1) == 0:  # splits are at powers of two, so such a subtree is a whole one
            return self._rows[size.bit_length() - 1][low // size]
        middle = low + _half(size)
        return node_hash(self._over(low, middle), self._over(middle, high))


@dataclass(frozen=True, slots=True)
class Edge:
    """The right edge of a tree that grows: all that its root and the next leaf need.

    A leaf more costs one hash on the average, a root at most one for each digit of the size.

    Attributes:
        size: how many leaves the tree has.
        hashes: of its largest whole subtrees from the left, one for each binary digit 1 of the
            size.
    """

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    @classmethod
    def over(cls, leaves: Iterable[bytes]) -> Edge:
        """Return the edge of the tree over these leaves' hashes."""
        return cls().grown_by(leaves)

    def grown(self, leaf: bytes) -> Edge:
        """Return the edge with one more leaf, given by its hash."""
        return self.grown_by((leaf,))

    def grown_by(self, leaves: Iterable[bytes]) -> Edge:
        """Return the edge with more leaves, given by their hashes."""
        hashes, size, sha256 = [*self.hashes], self.size, hashlib.sha256
        for leaf in leaves:
            hashed, bits = leaf, size
            while bits & 1:
                hashed = sha256(b"\1" + hashes.pop() + hashed).digest()
                bits >>= 1
            hashes.append(hashed)
            size += 1
        return Edge(size, tuple(hashes))

    @property
    def root(self) -> bytes:
        """Return the hash that stands for all leaves."""
        if not self.hashes:
            return EMPTY
        *others, root = self.hashes
        for left in reversed(others):
            root = node_hash(left, root)
        return root


EMPTY_EDGE = Edge()


def _half(size: int) -> int:
    """Return the largest power of two that is less than a size."""
    return 1 << (size - 1).bit_length() - 1


def root_by(path: Sequence[bytes], leaf: bytes, at: int, size: int) -> bytes | None:
    """Return the root that a leaf's path leads to (RFC 9162, 2.1.3.2).

    Args:
        leaf: the leaf's hash.
        at: its place, from 0.
        size: how many leaves the tree has.

    Returns:
        None if no tree of that size has such a path at that place.
    """
    if not 0 <= at < size:
        return None
    last, root = size - 1, leaf
    for sibling in path:
        if not last:
            return None
        if at & 1 or at == last:
            root = node_hash(sibling, root)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        at, last = at >> 1, last >> 1
    return root if not last else None
