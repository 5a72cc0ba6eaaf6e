"""Trees of hashes are those of RFC 6962: published trees and proofs, and no forged one passes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.proof.merkle import GrowingTree, Tree, leaf_hash, root_by
from tests.examples import examples
from tests.grown import has_grown

# Leaves, roots and proofs of transparency-dev/merkle, proof/verify_test.go (Apache-2.0, Google),
# which has them from certificate-transparency, cpp/merkletree/merkle_tree_test.cc.
LEAVES = [
    leaf_hash(bytes.fromhex(data))
    for data in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
FIRST, PAIR, FOUR = (
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
)
FIFTH = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
LAST_PAIR = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
FIFTH_AND_SIXTH = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
SEVENTH = "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f"
# The place from 0, the tree's size, the path.
PATHS = [
    (0, 1, []),
    (0, 8, [FIRST, PAIR, FOUR]),
    (5, 8, [FIFTH, LAST_PAIR, ROOTS[3]]),
    (2, 3, [ROOTS[1]]),
    (1, 5, [ROOTS[0], PAIR, FIFTH]),
]
# The smaller size, the larger one, the proof.
GROWN = [
    (1, 1, []),
    (1, 8, [FIRST, PAIR, FOUR]),
    (6, 8, [FIFTH_AND_SIXTH, LAST_PAIR, ROOTS[3]]),
    (2, 5, [PAIR, FIFTH]),
    (6, 7, [FIFTH_AND_SIXTH, SEVENTH, ROOTS[3]]),
]


def hashes(texts: list[str]) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, texts))


@pytest.mark.parametrize("size", range(1, 9))
def test_the_published_roots(size: int) -> None:
    """Of the first one to eight leaves."""
    assert Tree(LEAVES[:size]).root.hex() == ROOTS[size - 1]


@pytest.mark.parametrize(("at", "size", "path"), PATHS)
def test_the_published_paths(at: int, size: int, path: list[str]) -> None:
    """They are made, and lead to the root, and to no other place or size."""
    tree = Tree(LEAVES[:size])
    assert tree.path(at) == hashes(path)
    assert root_by(hashes(path), LEAVES[at], at, size) == tree.root


@pytest.mark.parametrize(("small", "size", "path"), GROWN)
def test_the_published_proofs_that_a_tree_has_grown(small: int, size: int, path: list[str]) -> None:
    """They are made, and hold for these two trees."""
    made = Tree(LEAVES[:size]).grown_from(small)
    assert made == hashes(path)
    assert has_grown(made, small, bytes.fromhex(ROOTS[small - 1]), size, Tree(LEAVES[:size]).root)


@given(st.integers(1, 100), st.data())
@examples(60)
def test_every_leaf_has_its_path_and_no_other(size: int, data: st.DataObject) -> None:
    """Whatever the size: a path leads to the root from its leaf at its place; altered, shorter or
    longer, from another place or leaf, it does not."""
    leaves = [leaf_hash(bytes([number])) for number in range(size)]
    tree, at = Tree(leaves), data.draw(st.integers(0, size - 1))
    path = tree.path(at)
    assert root_by(path, leaves[at], at, size) == tree.root
    other = data.draw(st.integers(-1, size).filter(lambda place: place != at))
    assert root_by(path, leaves[at], other, size) != tree.root
    assert root_by(path, leaf_hash(b"foreign"), at, size) != tree.root
    assert root_by((*path, tree.root), leaves[at], at, size) is None
    if path:
        assert root_by(path[:-1], leaves[at], at, size) is None
        place = data.draw(st.integers(0, len(path) - 1))
        wrong = bytes([path[place][0] ^ 8]) + path[place][1:]
        altered = (*path[:place], wrong, *path[place + 1 :])
        assert root_by(altered, leaves[at], at, size) != tree.root


@given(st.integers(1, 100), st.data())
@examples(60)
def test_a_tree_has_grown_from_its_beginning_alone(size: int, data: st.DataObject) -> None:
    """The proof holds between these two; not with an altered hash, one less or more, another size
    or a tree with one other leaf."""
    leaves = [leaf_hash(bytes([number])) for number in range(size)]
    small = data.draw(st.integers(1, size))
    tree, before = Tree(leaves), Tree(leaves[:small])
    path = tree.grown_from(small)
    assert has_grown(path, small, before.root, size, tree.root)
    assert not has_grown((*path, tree.root), small, before.root, size, tree.root)
    assert not has_grown(path, 0, before.root, size, tree.root)
    assert not has_grown(path, size + 1, before.root, size, tree.root)
    if small < size:
        assert not has_grown(path[:-1], small, before.root, size, tree.root)
        other = Tree([*leaves[: small - 1], leaf_hash(b"foreign")])
        assert not has_grown(path, small, other.root, size, tree.root)
        place = data.draw(st.integers(0, len(path) - 1))
        wrong = bytes([path[place][0] ^ 16]) + path[place][1:]
        altered = (*path[:place], wrong, *path[place + 1 :])
        assert not has_grown(altered, small, before.root, size, tree.root)


def test_a_growing_tree_is_the_same_tree() -> None:
    """Root, and proof of growth from each size to each, of a tree of any size up to 70 leaves."""
    leaves = [leaf_hash(b"%d" % number) for number in range(70)]
    growing = GrowingTree()
    for size, leaf in enumerate(leaves, 1):
        growing.grow(leaf)
        tree = Tree(leaves[:size])
        assert (len(growing), growing.root) == (size, tree.root)
        assert growing.path(size // 2) == tree.path(size // 2)
    for size in range(1, 71):
        for small in range(1, size + 1):
            told = GrowingTree(leaves).grown_from(small, size) if small < 4 else None
            assert growing.grown_from(small, size) == Tree(leaves[:size]).grown_from(small)
            assert told is None or told == growing.grown_from(small, size)
