"""A bag whose numbers open leaves: each follows from its secret and what lies in the bag, is bound
to its place, and nothing else passes for it."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed
from station.night.fair import MOST_ADDED, FairBag, FairReason
from station.proof.leaves import LEAVES, Binding, Commitment, OpenedLeaf, Secrets, Source, Way
from tests.examples import examples

STATION = "ab" * 32
BINDING = Binding(STATION, 3, 2)


def secrets_of(seed: int, binding: Binding = BINDING) -> Secrets:
    chance = Random(seed)
    return Secrets(binding, [chance.randbytes(32) for _ in range(LEAVES)])


def bag_of(secrets: Secrets, way: Way = Way.COMMITTED) -> FairBag:
    luck = Commitment(way=way, station=STATION, leaves=LEAVES)
    bag = FairBag.committed(secrets.root, luck, 3, 2)
    assert bag is not None
    return bag


def drawn(bag: FairBag, secrets: Secrets) -> FairBag:
    """The bag after its next number."""
    if (due := bag.next_due) is not None:
        return bag.drawn(due, None, again=True)
    leaf = secrets.open(bag.used)
    return bag.drawn(bag.gives(leaf.secret), leaf, again=False)


# Key, data and HMAC-SHA-256 of RFC 4231, 4.2 to 4.4, 4.7 and 4.8.
HMACS = [
    (
        "0b" * 20,
        b"Hi There".hex(),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ),
    (
        b"Jefe".hex(),
        b"what do ya want for nothing?".hex(),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    ("aa" * 20, "dd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (
        "aa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First".hex(),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        "aa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data."
        b" The key needs to be hashed before being used by the HMAC algorithm.".hex(),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]


@pytest.mark.parametrize(("key", "data", "wanted"), HMACS)
def test_the_published_hmacs(key: str, data: str, wanted: str) -> None:
    """What a number is taken from is the HMAC-SHA-256 of RFC 4231."""
    assert hmac.digest(bytes.fromhex(key), bytes.fromhex(data), "sha256").hex() == wanted


def test_the_bytes_are_those_of_the_documents() -> None:
    """A number and a root, made here by hand from the sentences at the top of the module."""
    secrets = [bytes([place]) * 32 for place in range(LEAVES)]
    bound = bytes.fromhex(STATION) + bytes.fromhex("00000003 00000002 00000001 00000001 00000000")
    told = hmac.new(secrets[0], b"loto-station draw 1\n" + bound + bytes(10), hashlib.sha256)
    number = int.from_bytes(told.digest()[:8], "big") % 90 + 1
    bag = bag_of(Secrets(BINDING, secrets))
    assert bag.gives(secrets[0].hex()) == number
    leaf = hashlib.sha256(b"\0loto-station leaf 1\n" + bound + secrets[0]).digest()
    path = Secrets(BINDING, secrets).open(0).path
    root = leaf
    for start in range(0, len(path), 64):
        root = hashlib.sha256(b"\1" + root + bytes.fromhex(path[start : start + 64])).digest()
    assert root.hex() == bag.root


@pytest.mark.long
@given(st.integers(0, 2**32), st.sampled_from([Way.COMMITTED, Way.SHARED]), st.data())
@examples(30)
def test_every_knob_comes_once_and_is_proven(seed: int, way: Way, data: st.DataObject) -> None:
    """Whatever is taken back, seen before, keyed, or lost with the power: a number that a leaf gave
    comes next, without a new one, and each knob comes once; of a shared bag no leaf is opened
    before the hall's words, of each epoch."""
    secrets = secrets_of(seed)
    bag = bag_of(secrets, way)
    while len(bag.called) < 90:
        doing = data.draw(st.sampled_from(["draw"] * 9 + ["see", "undo", "key", "renew"]))
        due = bag.next_due
        if doing == "undo" and bag.called:
            last = bag.called[-1]
            bag = bag.taken_back()
            assert (bag.next_due == last) == (last in bag.given)
        elif doing == "key":
            number = data.draw(st.sampled_from(sorted(bag.inside)))
            used = bag.used
            bag = bag.drawn(number, None, again=False)
            assert bag.used == used
        elif doing == "renew":
            secrets = secrets_of(
                data.draw(st.integers()), replace(bag.binding, epoch=bag.binding.epoch + 1)
            )
            bag = bag.renewed(secrets.root, bag.binding.epoch + 1)
        elif bag.wants_words and due is None:
            leaf = secrets.open(bag.used)
            with pytest.raises(NotAllowed) as caught:
                bag.drawn(bag.gives(leaf.secret), leaf, again=False)
            assert caught.value.reason is FairReason.NO_WORDS
            bag = bag.mixed(data.draw(st.text(max_size=MOST_ADDED)))
        elif doing == "see" and due is None:
            leaf = secrets.open(bag.used)
            number = bag.gives(leaf.secret)
            bag = bag.seen(number, leaf)
            assert bag.next_due == number
        else:
            before = bag
            bag = drawn(bag, secrets)
            assert due in (None, bag.called[-1])
            assert bag.used == before.used + (due is None)
        assert len({*bag.called}) == len(bag.called)
    assert sorted(bag.called) == [*range(1, 91)]


def test_every_knob_is_as_likely_as_any_other() -> None:
    """The first knob of 9,000 bags: chi square with 89 degrees of freedom, 99.9 %."""
    chance = Random(5)
    counts = [0] * 90
    for _ in range(9000):
        counts[Source(chance.randbytes(32), BINDING.at(0)).knob(range(1, 91)) - 1] += 1
    assert sum((count - 100) ** 2 / 100 for count in counts) < 135.9


def test_dice_and_shuffles_follow_from_their_leaf() -> None:
    """Each face and each order comes about equally often; the same leaf throws the same."""
    chance = Random(7)
    sources = [Source(chance.randbytes(32), BINDING.at(0)) for _ in range(6000)]
    faces = [[source.die(6, step) for step in range(2)] for source in sources]
    for die in (0, 1):
        counts = [sum(throw[die] == face for throw in faces) for face in range(1, 7)]
        assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5
    orders = ["".join(source.shuffled("abc")) for source in sources]
    counts = [orders.count(order) for order in {*orders}]
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5
    assert [sources[0].die(6, step) for step in range(2)] == faces[0]


def other_leaves() -> dict[str, tuple[FairBag, int, OpenedLeaf, str]]:
    """A bag after three numbers, and what is no next number of it: by what is wrong."""
    secrets = secrets_of(1)
    bag = bag_of(secrets)
    for _ in range(3):
        bag = drawn(bag, secrets)
    good, after, before = secrets.open(3), secrets.open(4), secrets.open(2)
    number = bag.gives(good.secret)
    foreign = {
        "another station": secrets_of(1, replace(BINDING, station="cd" * 32)),
        "another night": secrets_of(1, replace(BINDING, night=4)),
        "another game": secrets_of(1, replace(BINDING, game=1)),
        "another drawing": secrets_of(1, replace(BINDING, drawing=2)),
        "another epoch": secrets_of(1, replace(BINDING, epoch=2)),
        "another secret": secrets_of(2),
    }
    wrong = {
        what: (bag, bag.gives(other.open(3).secret), other.open(3), "not one of those")
        for what, other in foreign.items()
    }
    swapped = after.model_copy(update={"at": 3})
    path = good.path[:-1] + ("0" if good.path[-1] != "0" else "1")
    return wrong | {
        "skipped": (bag, bag.gives(after.secret), after, "leaf 4 is opened where leaf 3"),
        "used again": (bag, bag.gives(before.secret), before, "leaf 2 is opened where leaf 3"),
        "swapped": (bag, bag.gives(swapped.secret), swapped, "not one of those"),
        "an altered path": (bag, number, good.model_copy(update={"path": path}), "not one of"),
        "no path": (bag, number, good.model_copy(update={"path": ""}), "not one of those"),
        "another number": (bag, number % 90 + 1, good, f"gives {number}"),
        "after an undo": (bag.taken_back(), number, good, "was called, which was seen or taken"),
    }


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
@examples(50)
def test_other_words_give_other_numbers(words: str, others: str) -> None:
    """What the hall says is hashed as it stands there, with its length before it; nothing is added
    twice, to no bag that is not shared, and nothing that is too long."""
    secrets = secrets_of(1)
    bag = bag_of(secrets, Way.SHARED)
    secret = secrets.open(0).secret
    text = words.encode()
    asked = b"loto-station draw 1\n" + BINDING.at(0) + len(text).to_bytes(2, "big") + text
    told = hmac.new(bytes.fromhex(secret), asked + bytes(8), hashlib.sha256).digest()
    mixed = bag.mixed(words)
    assert mixed.gives(secret) == int.from_bytes(told[:8], "big") % 90 + 1
    faces = [bag.mixed(one) for one in (words, others)]
    sources = [Source(bytes.fromhex(secret), BINDING.at(0), one.words or "") for one in faces]
    one, other = ([source.die(6, step) for step in range(40)] for source in sources)
    assert (one == other) == (words == others)
    for whole in (mixed, bag.mixed(""), bag_of(secrets)):
        with pytest.raises(NotAllowed) as caught:
            whole.mixed(words)
        assert caught.value.reason is FairReason.WORDS_STAND
    with pytest.raises(NotAllowed):
        bag.mixed("w" * (MOST_ADDED + 1))


@pytest.mark.parametrize("what", other_leaves())
def test_no_other_leaf_passes(what: str) -> None:
    """Altered, swapped, foreign, skipped, used again, or with another number."""
    bag, number, leaf, why = other_leaves()[what]
    with pytest.raises(NotAllowed, match=why) as caught:
        bag.drawn(number, leaf, again=False)
    assert caught.value.reason is FairReason.UNPROVEN


def test_a_number_without_a_leaf_was_there_before() -> None:
    """Only what was seen or taken back last comes again; an epoch follows the one before."""
    secrets = secrets_of(1)
    bag = drawn(drawn(bag_of(secrets), secrets), secrets)
    one, two = bag.called
    bag = bag.taken_back().taken_back()
    assert bag.due == (two, one)
    for number in (two, next(iter(bag.inside - {one, two}))):
        with pytest.raises(NotAllowed, match="without a leaf of its own"):
            bag.drawn(number, None, again=True)
    assert drawn(drawn(bag, secrets), secrets).called == (one, two)
    for epoch, root in ((1, "1" * 64), (3, "1" * 64), (2, bag.root)):
        with pytest.raises(NotAllowed, match="committed to anew"):
            bag.renewed(root, epoch)


def test_what_taking_back_does_next() -> None:
    """A number that the bag gave comes again, and is named as soon as it was taken back; a knob
    that was keyed or laid down lies among the others; one that was only seen is nobody's to
    know."""
    secrets = secrets_of(2)
    bag = bag_of(secrets)
    assert (bag.repeats, bag.again) == (False, None)
    bag = drawn(bag, secrets)
    (number,) = bag.called
    assert (bag.repeats, bag.again) == (True, None)
    bag = bag.taken_back()
    assert (bag.repeats, bag.again) == (False, number)
    bag = drawn(bag, secrets)
    assert (bag.called, bag.repeats, bag.again) == ((number,), True, None)
    keyed = next(iter(bag.inside))
    by_hand = bag.drawn(keyed, None, again=False)
    assert by_hand.repeats is False
    assert by_hand.taken_back().again is None
    leaf = secrets.open(bag.used)
    seen = bag.seen(bag.gives(leaf.secret), leaf)
    assert seen.next_due is not None
    assert seen.again is None  # nobody has heard it
    assert seen.taken_back().again == number  # it lies before the one that was seen
    assert drawn(seen.taken_back(), secrets).again is None
    # Laid down by hand instead, it does not come again.
    assert bag.taken_back().drawn(number, None, again=False).taken_back().again == number


def test_a_fresh_bag_commits_to_nothing() -> None:
    """Its leaf has no path, and its number follows from its secret all the same."""
    luck = Commitment(way=Way.FRESH, station="", leaves=0)
    bag = FairBag.committed("5" * 64, luck, 1, 1)
    assert bag is not None
    leaf = OpenedLeaf(at=0, secret="7" * 64)
    number = bag.gives(leaf.secret)
    assert bag.drawn(number, leaf, again=False).called == (number,)
    with pytest.raises(NotAllowed, match=f"gives {number}"):
        bag.drawn(number % 90 + 1, leaf, again=False)
