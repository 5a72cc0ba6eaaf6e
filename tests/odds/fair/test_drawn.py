"""Bags for the battery are drawn as in a game: by the record's own rule, from bytes of the
kernel."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from station.base.nouns import KNOBS
from station.odds.fair.knobs import AT_ONCE, drawn_bags, drawn_findings
from station.proof.leaves import SECRET, Binding, Source


def _told_luck():
    count = itertools.count()
    return lambda size: hashlib.sha256(str(next(count)).encode()).digest()[:size]


def test_the_same_bytes_give_the_same_bags():
    """Each number once; another game, other bytes, another bag."""
    first = [*drawn_bags(range(1, 4), _told_luck())]
    assert first == [*drawn_bags(range(1, 4), _told_luck())]
    assert all(sorted(bag) == [*range(1, KNOBS + 1)] for bag in first)
    assert first[0] != first[1]


def test_a_bag_is_what_the_rule_gives_by_hand():
    """Leaf by leaf, from the list of what is left."""
    luck, inside, order = _told_luck(), [*range(1, KNOBS + 1)], []
    for place in range(KNOBS):
        order.append(Source(luck(SECRET), Binding("", 1, 7).at(place)).knob(inside))
        inside.remove(order[-1])
    assert [*drawn_bags([7], _told_luck())] == [order]


@pytest.mark.long
def test_all_bags_are_put_to_the_battery():
    """A heap and a half, on two cores: told as they come; none twice."""
    bags, more = AT_ONCE + AT_ONCE // 8, []
    findings = drawn_findings(bags, 2, more.append)
    assert more == [AT_ONCE, AT_ONCE // 8]
    assert findings[-1].chance == 1
    assert len(findings) == 35
