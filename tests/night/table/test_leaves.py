"""What a table is committed to: each leaf once, in order, and nothing but what follows from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed
from station.night.acts import Commit, MakeMove, Open
from station.night.fair import FairReason
from station.night.hall import Hall, apply
from station.night.table.leaves import NO_DRAWING, TableCommitment, TableLeaves
from station.night.table.luck import awaited, recorded
from station.programme.programme import GamePlan, Programme
from station.proof.leaves import LEAVES, Binding, OpenedLeaf, Secrets, Source, Way
from station.rules.law import Decided, Law, law_of
from station.rules.play import Chance, Luck
from tests.company import PACK, sitting, table_of

STATION = "ab" * 32
BINDING = Binding(STATION, 1, 0, NO_DRAWING, 1)
SECRETS = Secrets(BINDING, [bytes([place]) * 32 for place in range(LEAVES)])
COMMITTED = TableCommitment(
    way=Way.COMMITTED, station=STATION, leaves=90, root=SECRETS.root, epoch=1
)
LAWS = st.one_of(
    st.builds(
        lambda dice, faces: Chance(Luck.DICE, "throw", "dice", dice=dice, faces=faces),
        st.integers(1, 12),
        st.integers(2, 20),
    ),
    st.builds(
        lambda things: Chance(Luck.CUBES, "throw", "shown", things=things),
        st.lists(st.text("abc123", min_size=1), min_size=1, max_size=8, unique=True).map(tuple),
    ),
    st.builds(
        lambda things, count: Chance(Luck.SHUFFLE, "deal", "cards", things=things, count=count),
        st.lists(st.text("abc123", min_size=1), min_size=1, max_size=60, unique=True).map(tuple),
        st.integers(0, 5),
    ),
)


def at_the_table(method: str) -> Hall:
    """A company whose game is open, and awaits chance; its table is committed to."""
    games = (GamePlan(name="A game", method=method),)
    hall = Hall(PACK, Programme(name="A table", games=games))
    sit = sitting(3).model_copy(update={"luck": COMMITTED})
    return apply(apply(hall, sit), Open())


def asked(hall: Hall, at: int = 0, secrets: Secrets = SECRETS) -> MakeMove:
    """What chance is awaited for, decided by a leaf."""
    table, leaf = table_of(hall), secrets.open(at)
    law = awaited(table)
    assert law is not None
    source = Source(bytes.fromhex(leaf.secret), BINDING.at(at))
    return recorded(table, MakeMove(move={"do": law.do}), (leaf, source), "5a" * 16)


@given(LAWS, st.binary(min_size=32, max_size=32))
def test_a_result_is_one_that_may_come(law: Chance, secret: bytes) -> None:
    """Of dice, of cubes, of a shuffle; the same again from the line's own text."""
    source = Source(secret, BINDING.at(0))
    came: list[Any] = law_of(law).come(source)
    match law.kind:
        case Luck.DICE:
            assert len(came) == law.dice
            assert all(1 <= spots <= law.faces for spots in came)
        case Luck.CUBES:
            assert came == [law.blank] or came == [mark for mark in law.things if mark in came]
        case _:
            assert len(came) == min(law.count or len(law.things), len(law.things))
            assert len({*came} & {*law.things}) == len(came)
    read = Law.model_validate_json(law_of(law).model_dump_json(exclude_none=True))
    assert read.come(source) == came


@pytest.mark.parametrize("method", ["dice-keno", "spoil-five", "tontine"])
def test_a_leaf_decides_a_move_once(method: str) -> None:
    """The move is taken with its leaf; the same leaf again, or a later one, is not."""
    hall = at_the_table(method)
    after = apply(hall, asked(hall))
    assert after.leaves is not None
    assert after.leaves.used == 1
    assert after.digest() != hall.digest()
    with pytest.raises(NotAllowed, match="leaf 5 is opened where leaf 0 is the next"):
        apply(hall, asked(hall, 5))
    used = replace(hall, leaves=replace(after.leaves, used=1))
    with pytest.raises(NotAllowed, match="leaf 0 is opened where leaf 1 is the next") as caught:
        apply(used, asked(used))
    assert caught.value.reason is FairReason.UNPROVEN


def other_moves() -> dict[str, tuple[Hall, MakeMove]]:
    """Moves that no station records, by what is wrong."""
    dice, hand = at_the_table("dice-keno"), at_the_table("spoil-five")
    dice = apply(dice, asked(dice))  # the cards are dealt: dice are awaited
    good, dealt = asked(dice, 1), asked(hand)
    assert good.chance is not None
    assert dealt.part is not None
    assert dealt.part.chance is not None
    foreign = Secrets(BINDING, [bytes(32)] * LEAVES)
    law = good.chance.law.model_copy(update={"faces": 7})
    leaf = good.chance.leaf.model_copy(update={"secret": "00" * 32})
    came = good.move["dice"]
    other = {**good.move, "dice": [came[0] % 6 + 1, *came[1:]]}
    bare = replace(dealt.part, chance=None)
    sealed = {**dealt.move, "sealed": bare.digest}
    return {
        "another throw": (dice, good.model_copy(update={"move": other})),
        "another law": (dice, _decided(good, leaf=good.chance.leaf, law=law)),
        "another secret": (dice, _decided(good, leaf=leaf, law=good.chance.law)),
        "another table's": (dice, asked(dice, 1, foreign)),
        "not committed to": (replace(dice, leaves=None), good),
        "opened early": (hand, dealt.model_copy(update={"chance": dealt.part.chance})),
        "another place": (hand, dealt.model_copy(update={"later": 1}).with_part(dealt.part)),
        "never opened": (hand, dealt.model_copy(update={"later": None}).with_part(dealt.part)),
        "no leaf with it": (hand, dealt.model_copy(update={"move": sealed}).with_part(bare)),
    }


def _decided(move: MakeMove, **said: Any) -> MakeMove:
    return move.model_copy(update={"chance": Decided(**said)})


@pytest.mark.parametrize("what", other_moves())
def test_what_no_station_records_is_refused(what: str) -> None:
    """Each with the reason that it is not proven."""
    hall, move = other_moves()[what]
    with pytest.raises(NotAllowed) as caught:
        apply(hall, move)
    assert caught.value.reason is FairReason.UNPROVEN


def test_what_people_throw_opens_no_leaf() -> None:
    """A keyed throw leaves the leaf for the next one."""
    hall = at_the_table("dice-keno")
    hall = apply(hall, asked(hall))
    law = awaited(table_of(hall))
    assert law is not None
    keyed = apply(hall, MakeMove(move={"do": law.do, law.field: [1] * law.dice}))
    assert keyed.leaves == hall.leaves


def test_a_table_is_committed_to_in_order() -> None:
    """The next epoch, by a station's own ways; and only where a company sits."""
    hall = at_the_table("dice-keno")
    again = COMMITTED.model_copy(update={"epoch": 2, "root": "cd" * 32})
    after = apply(hall, Commit(luck=again)).leaves
    assert after == TableLeaves(Binding(STATION, 1, 1, NO_DRAWING, 2), Way.COMMITTED, "cd" * 32)
    for other in (COMMITTED, {"epoch": 3}, {"epoch": 2, "way": Way.SHARED}):
        luck = again.model_copy(update=other if isinstance(other, dict) else dict(other))
        with pytest.raises(NotAllowed, match="committed to anew as epoch"):
            apply(hall, Commit(luck=luck))
    with pytest.raises(NotAllowed):
        apply(replace(hall, company=()), Commit(luck=again))


def test_a_deal_follows_from_its_leaf() -> None:
    """Cards of Loto in the order of the leaf, taken rising; any other order is refused."""
    games = (GamePlan(name="A game", method="loto-second"),)
    hall = Hall(PACK, Programme(name="A table", games=games))
    hall = apply(hall, sitting(3).model_copy(update={"luck": COMMITTED}))
    cards, leaf = PACK.serials[: games[0].dealt], SECRETS.open(0)
    deal = Source(bytes.fromhex(leaf.secret), BINDING.at(0)).shuffled(sorted(cards))
    after = apply(hall, Open(deal=tuple(deal), leaf=leaf))
    assert after.leaves is not None
    assert after.leaves.used == 1
    for wrong in ([*deal[1:], deal[0]], cards):
        with pytest.raises(NotAllowed, match="leaf 0 gives another throw, or another order"):
            apply(hall, Open(deal=tuple(wrong), leaf=leaf))
    assert apply(hall, Open(deal=cards)).leaves == hall.leaves


def test_a_fresh_leaf_has_no_path() -> None:
    """Where each secret is made at its throw there is no tree, and no end of leaves."""
    hall = at_the_table("dice-keno")
    fresh = COMMITTED.model_copy(update={"way": Way.FRESH, "leaves": 0, "epoch": 2})
    hall = apply(hall, Commit(luck=fresh))
    assert hall.leaves is not None
    leaf = OpenedLeaf(at=0, secret="12" * 32)
    act = recorded(
        table_of(hall), MakeMove(move={"do": "deal-cards"}), (leaf, hall.leaves.source(leaf))
    )
    assert apply(hall, act).leaves == replace(hall.leaves, used=1)
    assert not replace(hall.leaves, used=1000).used_up
    with pytest.raises(NotAllowed, match="leaf 0 is not one of those"):
        apply(hall, asked(hall))
