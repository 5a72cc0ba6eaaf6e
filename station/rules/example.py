"""Define an example of a game: a short game to its end, from which a newcomer learns it. Pure.

Each game that is played at a table has one as its `example`, in `play.py`, as plain data: who sits
there, what they have agreed on, and what is done, step by step. A step may name the rule that
decides there, by its key in the game's words; the sentence itself is told in the language of
whoever learns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from station.base.nouns import PACK, Card

Done: TypeAlias = Mapping[str, Any]  # a move, as the act `move` takes it
DRAW = "draw"  # a move that no player asks for: a knob comes out of the bag


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an example.

    Attributes:
        moves: what is done, in order; told together.
        rule: the key of the rule that decides here, in the words of rules; or empty.
    """

    moves: tuple[Done, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A short game to its end.

    Attributes:
        names: of the players, from seat 1 on.
        steps: what is done.
        agreed: what the company has agreed on, where it is not the usual; a stake among it.
        rule: the key of the rule by which the game begins.
        cards: the cards of Loto, in the order of the deal.
        takes: how many of them each player takes.
    """

    names: tuple[str, ...]
    steps: tuple[Step, ...]
    agreed: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    rule: str = ""
    cards: tuple[Card, ...] = ()
    takes: int = 0


def step(do: str, rule: str = "", **fields: Any) -> Step:
    """Return a step of one move.

    >>> step("bid", "bell-and-hammer-rule-bids", seat=1, counters=3).moves
    ({'do': 'bid', 'seat': 1, 'counters': 3},)
    """
    return Step(({"do": do, **fields},), rule)


def together(*steps: Step, rule: str = "") -> Step:
    """Return several steps as one, which is told together.

    >>> [move["do"] for move in together(step("throw-dice", dice=(4,)), step("x")).moves]
    ['throw-dice', 'x']
    """
    return Step(tuple(move for one in steps for move in one.moves), rule)


def draws(numbers: str, rule: str = "") -> Step:
    """Return a step in which knobs are drawn.

    >>> draws("7 42", "loto-rule-cover").moves
    ({'do': 'draw', 'number': 7}, {'do': 'draw', 'number': 42})
    """
    return Step(tuple({"do": DRAW, "number": int(one)} for one in numbers.split()), rule)


def pack_from(first: str) -> tuple[str, ...]:
    """Return a pack in an order that begins with these cards.

    >>> pack_from("5H 10S")[:2], len(pack_from("5H 10S"))
    (('5H', '10S'), 52)
    """
    begun = tuple(first.split())
    return (*begun, *(card for card in PACK if card not in begun))


def read_cards(*cards: str) -> tuple[Card, ...]:
    """Return cards of Loto, with the serials "1", "2", …; their rows stand one after the other.

    >>> read_cards("1 12 / 5 15 / 2 22")[0].rows
    ((1, 12), (5, 15), (2, 22))
    """
    return tuple(
        Card(str(serial), tuple(tuple(map(int, row.split())) for row in card.split("/")))
        for serial, card in enumerate(cards, 1)
    )
