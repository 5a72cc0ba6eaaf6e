"""What of a move is hidden: a digest stands for it, and nobody can try hands out on it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.night.sealed import Sealed, read_sealed, seal, unsealed

SALT = "0123456789abcdef" * 2
VALUES = st.integers(-99, 99) | st.text(max_size=6) | st.lists(st.integers(0, 90), max_size=4)
MOVES = st.dictionaries(st.sampled_from(["do", "seat", "card", "cards"]), VALUES, min_size=1)


@given(MOVES, st.sets(st.sampled_from(["card", "cards", "seat"])))
def test_a_sealed_move_comes_back_whole(move, hidden):
    """Nothing hidden stands in what the journal keeps; with its part the move is as it was."""
    said, part = seal(move, hidden, SALT)
    assert not hidden & said.keys()
    assert unsealed(said, read_sealed(json.loads(json.dumps(part.to_json())), "here")) == move


def test_the_salt_is_part_of_the_digest():
    """The same hand under two salts has two digests: the few that are possible cannot be tried."""
    one, other = Sealed("0" * 32, {"card": "5H"}), Sealed("1" * 32, {"card": "5H"})
    assert one.digest != other.digest


@pytest.mark.parametrize(
    "part",
    [None, Sealed(SALT, {"card": "6H"}), Sealed("f" * 32, {"card": "5H"})],
    ids=["gone", "another card", "another salt"],
)
def test_a_move_is_not_read_without_its_own_part(part):
    """A part that is gone, or another move's, is refused; never half a move."""
    said, _ = seal({"do": "pass", "card": "5H"}, {"card"}, SALT)
    with pytest.raises(Unreadable, match="pass: what was sealed"):
        unsealed(said, part)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"salt": SALT},
        {"salt": "x" * 32, "fields": {}},
        {"salt": SALT, "fields": [], "more": 1},
        {"salt": SALT, "fields": {}, "chance": None},
    ],
)
def test_what_is_no_part_is_refused_with_its_place(data):
    """The place stands in the message."""
    with pytest.raises(Unreadable, match=r"journal:7"):
        read_sealed(data, "journal:7")
