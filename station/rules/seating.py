"""Seat a company at a table: who is dealt which cards, and sums by seat.

Seats count from 1, leftwards round the table: seat 1, at the dealer's left, is the eldest hand. All
of this is the same in every game that is played with the pack at a table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from station.base.errors import Unreadable
from station.base.nouns import Card
from station.base.tongue import number_of, tr

SEATS = 24  # where cards of Loto are dealt, or all bid
THRONG = 90  # at the largest table: the voice counts no further
TIE_US = 1000  # answers so close to the first of them are one tie, in microseconds


def takes(players: int, cards: int) -> tuple[int, ...]:
    """Return how many cards each seat takes for the agreed stake: two; where there are not enough
    cards, the last seats take one.

    >>> takes(3, 24), takes(13, 24)[-3:]
    ((2, 2, 2), (2, 1, 1))

    Raises:
        Unreadable: there are more players than cards, or no players.
    """
    most = min(cards, SEATS)
    if not 1 <= players <= most:
        raise Unreadable(
            tr(
                "{players}: {cards} cards are enough for {most} at most",
                players=number_of(players, "player"),
                cards=cards,
                most=most,
            )
        )
    double = min(players, cards - players)
    return (2,) * double + (1,) * (players - double)


def deal(
    serials: Sequence[str], takes: Sequence[int]
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Return the cards of each seat, dealt from the eldest hand leftwards, and those left over.

    >>> deal("ABCD", (1, 0, 2))
    ((('A',), (), ('B', 'C')), ('D',))
    """
    taken, first = [], 0
    for count in takes:
        taken.append(tuple(serials[first : first + count]))
        first += count
    return tuple(taken), tuple(serials[first:])


def check_company(takes: Sequence[int], purses: Sequence[int], cards: int) -> None:
    """Check that this many players can sit down with these cards.

    Raises:
        Unreadable: there are too many seats, or none; a seat has no purse; more cards are wanted
            than there are, or none.
    """
    if not 1 <= len(takes) <= SEATS or len(purses) != len(takes):
        raise Unreadable(
            f"{len(takes)} seats and {len(purses)} purses: 1 to {SEATS} can play, each with a purse"
        )
    if not 1 <= sum(takes) <= cards:
        why = f"{sum(takes)} cards are wanted, the pack has {cards}: take fewer, and one at least"
        raise Unreadable(why)


def check_numbers(cards: Mapping[str, Card], knobs: int) -> None:
    """Check that there is a knob for every number on the cards.

    Raises:
        Unreadable: a card bears a number that the bag does not hold.
    """
    for serial, card in cards.items():
        if foreign := sorted(number for number in card.numbers if not 1 <= number <= knobs):
            raise Unreadable(f"card {serial} bears {foreign[0]}: the bag holds 1 to {knobs}")


def moved(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """Return the same sums by seat, with `more` added at one seat.

    >>> moved((5, 7, 9), 2, 4)
    (5, 11, 9)
    """
    return (*values[: seat - 1], values[seat - 1] + more, *values[seat:])


def by_seat(**lying: Sequence[int]) -> dict[str, int]:
    """Return what lies at each seat, as a game's `funds` name it.

    >>> by_seat(purse=(7, 5), hand=(0, 2))
    {'purse:1': 7, 'purse:2': 5, 'hand:1': 0, 'hand:2': 2}
    """
    return {f"{at}:{seat}": has for at, each in lying.items() for seat, has in enumerate(each, 1)}


def added(*sums: tuple[int, ...]) -> tuple[int, ...]:
    """Return the totals, seat by seat, of several sums by seat.

    >>> added((1, 2), (3, 4))
    (4, 6)
    """
    return tuple(map(sum, zip(*sums, strict=True)))


def by_card(units: int, taken: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return what each seat gets back when a sum goes back equally by card. Odd units go one each
    to the cards, from the eldest hand on. If nobody has a card, nothing goes back.

    >>> by_card(8, (("A", "B"), (), ("C",)))
    (6, 0, 2)
    """
    cards = sum(map(len, taken))
    if not cards:
        return (0,) * len(taken)
    each, odd = divmod(units, cards)
    back, before = [], 0
    for held in taken:
        back.append(each * len(held) + min(len(held), max(0, odd - before)))
        before += len(held)
    return tuple(back)


def moves(*actions: type) -> dict[str, type]:
    """Return actions by the names under which people ask for them: `ThrowUp` is `throw-up`."""
    return {re.sub("(?<!^)([A-Z])", r"-\1", action.__name__).lower(): action for action in actions}
