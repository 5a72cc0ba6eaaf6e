"""Packs: made in strips, in arrays and card by card, read from CSV with every fault named."""

from __future__ import annotations

import hashlib
from random import Random, SystemRandom

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import KNOBS, Card
from station.cards import pack as cards
from station.cards.card_arrays import are_cards, repeats, whole_strips
from station.cards.marking import Marks
from station.cards.pack import Pack, draw_numbers, draw_pack, make_pack
from station.cards.serials import Numbering, qr_text
from station.cards.strips import draw
from station.rules.patterns import PATTERNS
from tests.examples import examples
from tests.oracles import FIG_1, is_card
from tests.support import between

FIG = Card.parse(FIG_1)
PACK = make_pack(3, Random(11))


def test_a_pack_of_24_has_every_number_on_four_cards():
    """The parlour's pack: four strips, 24 cards, each number on exactly four of them."""
    pack = make_pack(4, Random(2))
    assert len(pack) == 24
    assert np.bincount(pack.numbers.reshape(-1), minlength=91)[1:].tolist() == [4] * KNOBS
    assert pack.serials[0] == "0001"
    assert pack.serials[-1] == "0024"


def test_no_two_cards_of_a_pack_are_alike():
    """Different serials, different fifteen numbers, and each a card."""
    pack = make_pack(100, Random(3), first=9_990)
    assert pack.serials[0] == "09990", "all serials are as wide as the widest"
    assert pack.serials[-1] == "10589"
    assert len(set(pack.serials)) == len({card.numbers for card in pack.cards()}) == 600
    assert all(is_card([list(row) for row in card.rows]) for card in pack.cards())


def test_a_strip_with_a_card_that_is_there_already_is_passed_over():
    """Uniqueness is made, not hoped for: a strip dealt twice enters the pack once, and the seed's
    next one takes its place."""
    asked = []

    def stuttering(seed, count, first):
        asked.append((first, count))
        drawn = draw(seed, count, first)
        if first == 0:
            drawn[2] = drawn[1]
            drawn[4, 3] = drawn[0, 5]
        return drawn

    numbers = draw_numbers(6, "s", draw=stuttering)
    assert asked == [(0, 6), (6, 2)]
    own = draw("s", 8).reshape(8, -1)
    assert numbers.reshape(6, -1)[:4].tolist() == own[[0, 1, 3, 5]].tolist()
    assert numbers.reshape(6, -1)[4:].tolist() == own[6:].tolist()
    assert len(repeats(numbers)) == 0


def test_cards_alike_are_found_whatever_their_order():
    """The same fifteen numbers on other rows are the same card; the earlier one stays."""
    numbers = draw("r", 2).reshape(-1, 3, 5)
    twice = np.concatenate((numbers, numbers[[7]][:, ::-1], numbers[[0]]))
    assert repeats(twice).tolist() == [12, 13]
    assert repeats(numbers).tolist() == []


def test_cards_in_arrays_are_checked():
    """0, 91, a number twice, two of a column in a row, a wrong order: none is a card; and each that
    is named has its fault."""
    good = draw("g", 1).reshape(-1, 3, 5)
    assert are_cards(good)
    for place, wrong, says in (
        ((0, 0, 0), 0, "0 is not between"),
        ((1, 2, 4), 91, "91 is not between"),
        ((2, 0, 1), int(good[2, 0, 0]), "stands on the card twice"),
        (
            (3, 0, 0),
            90,
            "the order of their columns|two numbers of one column|stands on the card twice",
        ),
    ):
        bad = good.copy()
        bad[place] = wrong
        assert not are_cards(bad)
        with pytest.raises(Unreadable, match=f"card C{place[0]}: .*({says})"):
            Pack.of([f"C{n}" for n in range(6)], bad)
    for serials, says in (
        (["1"] * 6, "serial 1 stands 6 times"),
        (["1", "2", "3", "4", "5", "=b"], "serial '=b'"),
        (["1", "2", "3", "4", "5", "003"], "card 003 reads the same as card 3"),
    ):
        with pytest.raises(Unreadable, match=says):
            Pack.of(serials, good)
    with pytest.raises(Unreadable, match="at least one card"):
        Pack.of([], good[:0])
    with pytest.raises(Unreadable, match="card B has the same numbers as card A"):
        Pack.of(["A", "B"], good[[0, 0]])


def test_a_pack_in_arrays_is_the_pack_of_its_cards():
    """Made either way, it has the same cards, the same text, the same digest."""
    pack = make_pack(2, Random(4))
    again = Pack(pack.cards())
    assert (again.digest, again.serials) == (pack.digest, pack.serials)
    assert again.cards() == pack.cards()


def test_a_drawn_pack_has_serials_that_check():
    """Any size, from a seed; the same seed the same cards, another key other serials; and it is
    read back from its file."""
    numbering, other = Numbering(b"a key of a hall!", "A"), Numbering(b"a key of another", "A")
    pack = draw_pack(50, "spring", numbering, first=1001)
    assert len(pack) == 300
    assert [numbering.number_of(serial) for serial in pack.serials] == [*range(1001, 1301)]
    again = draw_pack(50, "spring", other, first=1001)
    assert np.array_equal(again.numbers, pack.numbers)
    assert not set(again.serials) & set(pack.serials)
    assert Pack.from_csv(pack.to_csv()).digest == pack.digest
    with pytest.raises(Unreadable, match="0 strips"):
        draw_pack(0, "spring", numbering)


def test_a_seed_makes_the_same_pack_again():
    """Same seed, same digest; another seed, or none, makes another."""
    same = make_pack(3, Random(5)), make_pack(3, Random(5))
    assert same[0].digest == same[1].digest == hashlib.sha256(same[0].to_csv().encode()).hexdigest()
    assert (
        len(
            {
                same[0].digest,
                make_pack(3, Random(6)).digest,
                make_pack(3).digest,
                make_pack(3, SystemRandom()).digest,
            }
        )
        == 4
    )


def test_progress_is_told(monkeypatch):
    """As it goes on, up to all."""
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(cards, "AT_ONCE", 2)
    draw_pack(3, "7", progress=lambda done, of: told.append((done, of)))
    assert told == [(2, 3), (3, 3)]


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 10**6))
@examples(25)
def test_a_pack_comes_back_from_its_csv(seed, strips, first):
    """Written and read it is the same pack, card by card, with the same digest."""
    pack = make_pack(strips, Random(seed), first=first)
    read = Pack.from_csv(pack.to_csv())
    assert read.digest == pack.digest
    assert read.cards() == pack.cards()
    assert all(serial in read for serial in pack.serials)


def test_faulty_cards_make_no_pack():
    """A pack refuses faulty, like and missing cards, however it is made."""
    twin = Card("8", FIG.rows)
    for listed, says in (
        ([], "at least one card"),
        ([FIG, FIG], "serial 1 stands 2 times"),
        ([FIG, twin], "card 8 has the same numbers as card 1"),
        ([Card("1", FIG.rows[:2])], "2 rows instead of 3"),
    ):
        with pytest.raises(Unreadable, match=says):
            Pack(listed)


# -- some cards of a pack --------------------------------------------------------------------------


@given(st.integers(0, 2**18 - 1))
@examples(60)
def test_a_deck_is_the_mapping_of_its_cards(chosen):
    """Whichever cards are in play, a deck answers as the dict of the same cards does, and its
    arrays are theirs."""
    places = np.flatnonzero([chosen >> place & 1 for place in range(18)])
    deck = PACK.deck(places)
    plain = {PACK.serials[place]: PACK.card(PACK.serials[place]) for place in places.tolist()}
    assert deck == plain == deck
    assert [*deck.items()] == [*plain.items()]
    assert (len(deck), deck.serials) == (len(plain), tuple(plain))
    assert deck.numbers.tolist() == [[list(row) for row in card.rows] for card in plain.values()]
    assert [serial in deck for serial in PACK.serials] == [
        serial in plain for serial in PACK.serials
    ]
    for stranger in ("0000", "", 1, None):
        assert stranger not in deck
    for serial in set(PACK.serials) - set(plain):
        assert deck.get(serial) is None
        with pytest.raises(KeyError, match=serial):
            deck[serial]


def test_decks_are_alike_when_their_cards_are():
    """The same cards of the same pack, or of one made again; not other places, nor the same serials
    of other cards."""
    some, other = np.array([0, 4, 17]), np.array([0, 4, 16])
    assert PACK.deck(some) == PACK.deck(some.copy()) == make_pack(3, Random(11)).deck(some)
    assert PACK.deck(some) != PACK.deck(other)
    assert PACK.deck(some) != make_pack(3, Random(12)).deck(some)
    assert PACK.deck(some) != Pack.of([f"A{place}" for place in range(18)], PACK.numbers).deck(some)
    assert PACK.deck(some) != ["0001", "0005", "0018"]
    assert len({PACK.deck(some), PACK.deck(some.copy()), PACK.deck(other)}) == 2


@pytest.mark.parametrize("places", [[-1], [18], [3, 3], [4, 3]])
def test_places_that_are_none_make_no_deck(places):
    """Below 0, past the end, twice, backwards: refused."""
    with pytest.raises(Unreadable, match="places of cards ascend, from 0 to 17"):
        PACK.deck(np.array(places))


@given(st.sets(st.integers(0, 17)))
@examples(60)
def test_ranges_unfold_to_the_same_cards(chosen):
    """Folded and unfolded they are the cards given, in the pack's order; as few ranges as there can
    be."""
    ranges = PACK.ranges([PACK.serials[place] for place in sorted(chosen, reverse=True)])
    assert [serial for first, last in ranges for serial in between(PACK, first, last)] == [
        PACK.serials[n] for n in sorted(chosen)
    ]
    assert len(ranges) == sum(place + 1 not in chosen for place in chosen)
    with pytest.raises(KeyError, match="0019"):
        PACK.ranges(["0001", "0019"])


def test_marks_take_a_deck_without_making_its_cards(monkeypatch):
    """The arrays are enough: no card is looked at, and the counters are those of the cards one by
    one."""
    deck, patterns = PACK.deck(np.arange(1, 18, 2)), [PATTERNS["row"], PATTERNS["full"]]
    plain = Marks(dict(deck), patterns)
    monkeypatch.setattr(Pack, "card", None)
    marks = Marks(deck, patterns)
    for number in range(1, 60):
        marks.call(number)
        plain.call(number)
    assert marks.serials == plain.serials == deck.serials
    assert [marks.wanting(pattern) for pattern in patterns] == [
        plain.wanting(pattern) for pattern in patterns
    ]
    assert marks.near(patterns) == plain.near(patterns)


# -- found by what is keyed or scanned -------------------------------------------------------------

KEY = b"a key of a hall!"
MISREADINGS = {"0": "0oO", "1": "1iIlL"}


def misread(text, luck):
    """As a tired person types it: small letters, O for 0, I and L for 1, blanks, hyphens left
    out."""
    typed = "".join(
        luck.choice(MISREADINGS.get(letter, letter + letter.lower())) for letter in text
    )
    return luck.choice(
        [typed, typed.replace("-", ""), typed.replace("-", " - "), f" {typed[:3]} {typed[3:]}\r\n"]
    )


@pytest.mark.long
@given(st.text("ABILOXYZ", max_size=4), st.integers(0, 10**6), st.randoms(use_true_random=False))
@example("A", 999_997, Random(1))
@examples(60)
def test_a_card_is_found_by_what_is_typed_or_scanned(series, first, luck):
    """By its serial as printed or misread, and by what its QR holds; a neighbour's is the
    neighbour's, a stranger's nobody's."""
    numbering = Numbering(KEY, series)
    pack = draw_pack(1, "find", numbering, first=first)
    for place, serial in enumerate(pack.serials):
        assert pack.find(serial) == pack.find(misread(serial, luck)) == serial
        assert pack.find(misread(qr_text(serial, numbering), luck), numbering) == serial
        assert pack.find(qr_text(serial, numbering)) is None, "without the key a code says nothing"
        assert pack.find(numbering.serial(first + place + 6), numbering) is None
        assert pack.find(numbering.short(first + place + 6), numbering) is None
        assert pack.find(Numbering(KEY + b"!", series).short(first + place), numbering) is None


def test_what_reads_like_two_cards_is_neither():
    """Serials that differ in nothing but O and 0: each is found as it is printed, and never the
    other for it."""
    pack = Pack.of(["A0", "AO", "b7", "x7", "c-1", "d"], draw("alike", 1).reshape(-1, 3, 5))
    assert [pack.find(serial) for serial in pack.serials] == [*pack.serials]
    assert [pack.find(text) for text in ("a0", "ao", "B-7", "C1", "cl", "D ")] == [
        "A0",
        "AO",
        "b7",
        "c-1",
        "c-1",
        "d",
    ]


@given(st.text(max_size=80))
def test_any_text_finds_a_card_or_none(text):
    """Whatever a scanner sends, it is a serial of the pack or nothing."""
    assert PACK.find(text, Numbering(KEY)) in (None, *PACK.serials)


def test_plain_packs_are_found_by_serial_only():
    """Numbers alone, with their zeros or without: what the QR holds is the serial."""
    assert [PACK.find(text) for text in ("0007", " 0007 ", "ooo7", "7", "0019", "")] == [
        "0007",
        "0007",
        "0007",
        "0007",
        None,
        None,
    ]
    assert qr_text("0007", None) == "0007"


def test_series_are_counted():
    """By the letters before the number."""
    numbers = draw("series", 1).reshape(-1, 3, 5)
    assert Pack.of(["A1", "A2", "AB-1", "7", "8", "x"], numbers).series == {
        "A": 2,
        "AB": 1,
        "": 2,
        "x": 1,
    }


def test_whole_strips_are_counted():
    """Six cards that stand together; a card gone, or two of two strips exchanged, and its strips
    are whole no more."""
    numbers = draw("whole", 5).reshape(-1, 3, 5)
    assert whole_strips(numbers) == 5
    assert whole_strips(numbers[:29]) == 4
    assert whole_strips(numbers[:5]) == 0
    assert whole_strips(np.delete(numbers, 13, axis=0)) == 2
    exchanged = numbers.copy()
    exchanged[[3, 15]] = exchanged[[15, 3]]
    assert whole_strips(exchanged) == 3
