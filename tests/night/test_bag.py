"""The virtual bag: every knob once, in an order that nobody can guess or change."""

from __future__ import annotations

import hashlib
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed, Unreadable
from station.night.bag import Bag
from station.rules.prizes import PrizeReason
from tests.examples import examples
from tests.support import shuffled_bag


@given(st.integers(0, 2**32), st.data())
@examples(30)
def test_the_bag_is_drawn_in_its_order_whatever_else_is_called(seed, data):
    """The next is the first that was not called; a knob taken back comes again; one keyed by hand
    is passed over."""
    bag = shuffled_bag(Random(seed), 9)
    called: list[int] = []
    for _ in range(data.draw(st.integers(0, 30))):
        if called and data.draw(st.booleans()):
            called.pop(data.draw(st.integers(0, len(called) - 1)))
        if len(called) < 9:
            number = bag.next(called)
            assert number not in called
            assert set(bag.order[: bag.order.index(number)]) <= set(called)
            called.append(number)


def test_an_empty_bag_says_so():
    """All are called: a refusal with a reason, and what to do."""
    with pytest.raises(
        NotAllowed, match="all 90 numbers are called; check claims or close the game"
    ) as caught:
        shuffled_bag(Random(1)).next(range(1, 91))
    assert caught.value.reason is PrizeReason.BAG_EMPTY


def test_anybody_can_check_the_commitment():
    """It is SHA-256 of `salt:n,n,…`, as the documents say, made here by hand."""
    bag = Bag((3, 1, 2), "5a17")
    assert bag.commitment == hashlib.sha256(b"5a17:3,1,2").hexdigest()
    assert Bag((1, 3, 2), "5a17").commitment != bag.commitment != Bag((3, 1, 2), "5a18").commitment


@given(st.integers(0, 2**32))
def test_a_bag_comes_back_from_its_file(seed):
    """Kept and read it is the same bag."""
    bag = shuffled_bag(Random(seed))
    assert Bag.from_json(bag.to_json(), bag.commitment, "bag-1.json") == bag


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "5",
        "{}",
        '{"order": [1]}',
        '{"order": 5, "salt": ""}',
        '{"order": ["x"], "salt": ""}',
        '{"order": [1e999], "salt": ""}',
    ],
)
def test_what_is_no_bag_is_refused(text):
    """The file is named."""
    with pytest.raises(Unreadable, match=r"bag-1\.json: not a bag"):
        Bag.from_json(text, "", "bag-1.json")


def test_a_changed_bag_is_found():
    """Two knobs exchanged in the file: it is not the bag that was committed to."""
    bag = shuffled_bag(Random(1))
    data = json.loads(bag.to_json())
    data["order"][0], data["order"][1] = data["order"][1], data["order"][0]
    with pytest.raises(Unreadable, match="not the one that was committed to"):
        Bag.from_json(json.dumps(data), bag.commitment, "bag-1.json")
