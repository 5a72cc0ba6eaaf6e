"""Dice Keno made small, and games of it to read: see `tests.games.samples`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from station.games.dice_keno.state import (
    ANY_ORDER,
    Close,
    Cover,
    Deal,
    Read,
    Setup,
    State,
    TakeBack,
    Throw,
    Variation,
)

# Two by two squares, dice with two faces. Any two squares are a row.
_SMALL = {"A": ((1, 2), (2, 1)), "B": ((2, 2), (1, 1))}
_AS_DEALT = tuple("12345678")

SETUPS = {
    "row": Setup((9, 5), Variation.ROW, 4, cards=_SMALL, faces=2),
    "cover": Setup((9, 5), Variation.COVER, 5, in_money=True, cards=_SMALL, faces=2),
    "points": Setup((9, 5), Variation.POINTS, 1, value=3, cards=_SMALL, faces=2, goal=10),
    "row, by the book": Setup((50, 50, 50), Variation.ROW, 30),
    "points, by the book": Setup((30, 30), Variation.POINTS, 30, goal=110),
}
DEPTHS = {
    "row": (5, 8),
    "cover": (5, 8),
    "points": (5, 8),
    "row, by the book": (2, 3),
    "points, by the book": (2, 3),
}

UNIVERSE = (
    Close(),
    *(Cover(place) for place in range(-1, 5)),
    *(Deal(cards) for cards in ((), ("A",), ("A", "B"), ("B", "A"), ("A", "A"), _AS_DEALT)),
    *(Read(one, other) for one, other in product(range(-1, 4), repeat=2)),
    TakeBack(),
    *(Throw(dice) for many in range(4) for dice in product(range(3), repeat=many)),
    Throw((1, 2.0)),
    None,
    "throw",
)


def instances(state: State, action: Any) -> Iterable[Any]:
    """The actions that a listed one stands for: of all orders of the eight cards one will do."""
    if action != Deal(ANY_ORDER):
        return [action]
    if len(state.setup.cards) == len(_SMALL):
        return [Deal(("A", "B")), Deal(("B", "A"))]
    return [Deal(_AS_DEALT)]


_ROW = [
    (Deal(_AS_DEALT), "the eldest hand has card 1, his left neighbour card 2, the third card 3"),
    (Throw((2, 3)), "five"),
    (Throw((6, 3)), "nine"),
    (Throw((5, 4)), "nine: a tie"),
    (Throw((1, 3)), "seat 2 throws again: four"),
    (Throw((2, 2)), "and seat 3: four as well"),
    (Throw((6, 5)), "eleven"),
    (Throw((4, 4)), "eight: seat 2 leads, with one die from now on"),
    (Throw((4,)), "three squares of card 2 have a four"),
    (Cover(4), "he takes the one in the second row"),
    (Throw((2,)), "two squares of card 3 have a two"),
    (Cover(10), "he takes the one on a diagonal"),
    (Throw((1,)), "seat 1 has two ones"),
    (Cover(10), "that in the third row"),
    (Throw((2,)), "seat 2 has two twos"),
    (Cover(5), "beside his four"),
    (Throw((6,)), "seat 3 has three sixes"),
    (Cover(5), "the same diagonal"),
    (Throw((1,)), "one is left: it is covered, nobody has to choose"),
    (Read(6), "seat 2 throws a real die, and six is keyed in"),
    (TakeBack(), "it was misread"),
    (Read(3), "it shows a three: three squares have one"),
    (Cover(7), "his second row wants a six now"),
    (Throw((1,)), "two ones"),
    (Cover(0), "the diagonal of seat 3 wants a four"),
    (Throw((5,)), "three fives"),
    (Cover(9), "the third row again"),
    (Throw((6,)), "a six"),
    (Cover(6), "Keno! Four in a row: 90 counters are his"),
]

# Card 1 is `2 6 5 3 / 3 4 6 5 / 4 5 1 2 / 1 3 4 6`, card 2 `1 5 2 4 / 4 2 6 3 / 5 1 3 6 / 3 6 4 5`.
_POINTS = [
    (Deal(_AS_DEALT), "two players, with cards 1 and 2; here 110 points win"),
    (Throw((6, 6)), "twelve"),
    (Throw((1, 2)), "three: seat 1 leads, with both dice"),
    (Throw((6, 6)), "two sixes are covered"),
    (Throw((6, 5)), "a six and a five"),
    (Throw((6, 5)), "the third six, and a five"),
    (Throw((6, 6)), "the other two"),
    (Throw((6, 4)), "no six is left: one check, on a four. A four and a six are no ten"),
    (Throw((5, 5)), "two fives"),
    (Throw((5, 5)), "two fives"),
    (Throw((5, 3)), "the fives are covered: one check, on a three; 36 spots"),
    (Throw((4, 4)), "two fours"),
    (Throw((5, 6)), "neither is left: seat 2 cannot play"),
    (Throw((3, 3)), "two threes"),
    (Throw((4, 4)), "two fours: 44"),
    (Throw((3, 2)), "the third three, and a two"),
    (Throw((3, 3)), "two threes: 50"),
    (Throw((2, 1)), "a two and a one"),
    (Throw((6, 6)), "nothing"),
    (
        Throw((1, 1)),
        (
            "Keno: card 1 is covered, with a one to spare. 60 for it, and 50, which ends in 0, from"
            " seat 2: 110, and the match"
        ),
    ),
]

SCRIPTS = {
    "row, by the book": _ROW,
    "points, by the book": _POINTS,
    "points": [
        (Deal(("B", "A")), "the cards are small: six spots each"),
        (Throw((1, 1)), "two"),
        (Throw((2, 1)), "three: seat 2 leads"),
        (Throw((1, 2)), "a one and a two"),
        (Throw((2, 2)), "four of six spots"),
        (Throw((2, 2)), "one two is left: one check"),
        (Throw((2, 1)), "no two is left: one check; five spots"),
        (
            Throw((2, 1)),
            (
                "no two is left, but the last one: Keno! Six for the card, and the five of seat 1."
                " All points are made: the pool"
            ),
        ),
    ],
    "cover": [
        (Deal(("A", "B")), "stakes in money"),
        (Throw((1, 1)), "two"),
        (Throw((1, 1)), "a tie: both throw again"),
        (Throw((2, 2)), "four"),
        (Throw((1, 2)), "three"),
        (Throw((1,)), "the first one of card A"),
        (Throw((1,)), "and of card B"),
        (Throw((1,)), "the second"),
        (Throw((2,)), "the first two of card B"),
        (Throw((1,)), "both are covered: nothing"),
        (TakeBack(), "it was a two"),
        (Read(2), "so it is covered"),
        (Close(), "it is late: the stakes go back"),
    ],
}
