"""Hold a game of Tontine: what lay where when this deal began, and the cards turned up since.

Everything else follows from that: what each card paid, who has what, who died, who came to life.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from station.base.playing_cards import PACK, rank_of
from station.base.tongue import key
from station.rules.seating import moved

TITLE = key("Tontine")
BOX = 0  # in the place of a seat
IN_BOX = 3  # what each puts there at the beginning
LEAST_STAKE = IN_BOX + 1

DRAWS = {"K": 3, "Q": 2, "J": 1}  # from the box
GIFTS = {"A": 1, "2": 2, "3": 3}  # so many counters to the player so many places to the left
DUES = {"4": 2, "5": 1, "6": 2, "7": 1, "8": 2, "9": 1}  # into the box


class GamePhase(StrEnum):
    """Where the game stands."""

    PLAYING = "playing"
    WON = "won"  # over: one player has outlived all the rest
    CLOSED = "closed"  # over: it was broken off


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        purses: what each seat can pay, in counters.
        stake: how many counters each takes, with those that go into the box.
        value: what a counter is worth, in minor units.
        pack: the faces of one pack. As many packs are shuffled together as give each player a card.
        real: whether real cards are turned up, each over the reader.
    """

    purses: tuple[int, ...]
    stake: int = 12
    value: int = 1
    pack: tuple[str, ...] = PACK
    real: bool = False

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return len(self.purses)

    @property
    def packs(self) -> int:
        """Return how many packs are shuffled together."""
        return -(-self.seats // len(self.pack))


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A card that was turned up, and what it moved.

    Attributes:
        seat: to whom it was turned up.
        giver, taker: the seats that pay and get, `BOX` for the box; the same seat where the card
            moves nothing by its rank, or would be a gift to oneself.
        due: how many counters the card asks for.
        units: how many were there and moved.
        hands: what lies before each seat afterwards.
    """

    seat: int
    face: str
    giver: int
    taker: int
    due: int
    units: int
    hands: tuple[int, ...]

    @property
    def empties(self) -> bool:
        """Return whether the giver has paid his last counter."""
        return bool(self.units and self.giver and not self.hands[self.giver - 1])


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        lay, box_lay: what lay before each seat, and in the box, when this deal began.
        dealer: the seat that deals.
        deal: the number of this deal, from 1.
        cards: those turned up in this deal, in its order.
        keyed: how many of the last of them were keyed in, and can be taken back.
        at_once: how many of the last of them the station dealt at once: they are announced one by
            one. Not a part of the notation.
    """

    setup: Setup
    lay: tuple[int, ...]
    box_lay: int
    dealer: int
    deal: int = 1
    cards: tuple[str, ...] = ()
    keyed: int = 0
    phase: GamePhase = GamePhase.PLAYING
    at_once: int = field(default=0, compare=False)

    @property
    def over(self) -> bool:
        """Return whether the game has ended and all is redeemed."""
        return self.phase is not GamePhase.PLAYING

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Return the seats that have a card in this deal, from the dealer's right hand on, the
        dealer last: those who were alive when it began."""
        return dealt_to(self.lay, self.dealer)

    @property
    def dealt(self) -> bool:
        """Return whether everybody in this deal has his card."""
        return len(self.cards) == len(self.order)

    @cached_property
    def turned(self) -> tuple[TurnedUp, ...]:
        """Return each card of this deal with what it moved, in order."""
        found: list[TurnedUp] = []
        hands, box = self.lay, self.box_lay
        for seat, face in zip(self.order, self.cards, strict=False):
            one = turned_up(hands, box, seat, face)
            box += one.units * ((one.taker == BOX) - (one.giver == BOX))
            hands = one.hands
            found.append(one)
        return tuple(found)

    @property
    def lies(self) -> tuple[int, ...]:
        """Return what lies before each seat; at the end, what he takes home."""
        return self.turned[-1].hands if self.turned else self.lay

    @property
    def in_box(self) -> int:
        """Return what the box holds; at the end, what it held."""
        return sum(self.lay) + self.box_lay - sum(self.lies)

    @property
    def living(self) -> tuple[int, ...]:
        """Return the seats that are alive: death is judged after the whole deal, and who is revived
        is alive at once."""
        waiting = () if self.dealt else self.order
        return tuple(seat for seat, has in enumerate(self.lies, 1) if has or seat in waiting)

    @property
    def died(self) -> tuple[int, ...]:
        """Return the seats that died in this deal."""
        return tuple(sorted(set(self.order) - set(self.living)))

    @property
    def revived(self) -> tuple[int, ...]:
        """Return the seats that came back to life in this deal."""
        return tuple(sorted(set(self.living) - set(self.order)))

    @property
    def winner(self) -> int | None:
        """Return who has outlived all the rest; where nobody is left, who was emptied last."""
        if self.phase is not GamePhase.WON:
            return None
        last = (one.giver for one in reversed(self.turned) if one.empties)
        return next(iter(self.living or last))

    @property
    def following(self) -> State:
        """Return the state of the next deal, before its first card."""
        right = dealt_to(self.lies, self.dealer)[0]
        return replace(
            self,
            lay=self.lies,
            box_lay=self.in_box,
            dealer=right,
            deal=self.deal + 1,
            cards=(),
            keyed=0,
        )

    @property
    def coming(self) -> State:
        """Return the state of the deal whose cards are to come: this one, or after it the next."""
        return self.following if self.dealt else self

    @property
    def to_come(self) -> tuple[int, ...]:
        """Return the seats that are still to have a card, in order; none when the game is over."""
        deal = self.coming if not self.over else self
        return deal.order[len(deal.cards) :] if not self.over else ()

    @property
    def stock(self) -> tuple[str, ...]:
        """Return the cards that are not out: for the next deal the whole pack is shuffled anew."""
        left = Counter(self.setup.pack * self.setup.packs)
        left.subtract(self.coming.cards)
        return tuple(left.elements())

    @property
    def redeemed(self) -> tuple[int, ...]:
        """Return what each seat takes home: the winner the box besides; where the game was broken
        off, the living share the box, odd counters one each from the eldest hand."""
        if self.winner is not None:
            return moved(self.lies, self.winner, self.in_box)
        each, odd = divmod(self.in_box, len(self.living))
        home = list(self.lies)
        for place, seat in enumerate(self.living):
            home[seat - 1] += each + (place < odd)
        return tuple(home)

    @property
    def hands(self) -> tuple[int, ...]:
        """Return what lies before each seat; nothing once all is redeemed."""
        return (0,) * self.setup.seats if self.over else self.lies

    @property
    def pool(self) -> int:
        """Return what the box holds; nothing once all is redeemed."""
        return 0 if self.over else self.in_box

    @property
    def purses(self) -> tuple[int, ...]:
        """Return what each seat has outside the game."""
        home = self.redeemed if self.over else (0,) * self.setup.seats
        return tuple(
            purse - self.setup.stake + more
            for purse, more in zip(self.setup.purses, home, strict=True)
        )


def dealt_to(lies: Sequence[int], dealer: int) -> tuple[int, ...]:
    """Return the seats with counters, from the dealer's right hand on round the table, himself
    last.

    >>> dealt_to((5, 0, 2, 7), 3)
    (1, 4, 3)
    """
    seats = len(lies)
    round_ = ((dealer - 1 - step) % seats for step in range(1, seats + 1))
    return tuple(place + 1 for place in round_ if lies[place])


def turned_up(lies: tuple[int, ...], box: int, seat: int, face: str) -> TurnedUp:
    """Return what a card moves that is turned up to a seat: who has fewer pays what he has; where
    the box is short he draws what is there."""
    rank = rank_of(face)
    if rank in DRAWS:
        units = min(DRAWS[rank], box)
        return TurnedUp(seat, face, BOX, seat, DRAWS[rank], units, moved(lies, seat, units))
    if rank in DUES:
        units = min(DUES[rank], lies[seat - 1])
        return TurnedUp(seat, face, seat, BOX, DUES[rank], units, moved(lies, seat, -units))
    places = GIFTS.get(rank, 0)
    taker = (seat - 1 + places) % len(lies) + 1
    if taker == seat:
        return TurnedUp(seat, face, seat, seat, 0, 0, lies)
    units = min(places, lies[seat - 1])
    after = moved(moved(lies, seat, -units), taker, units)
    return TurnedUp(seat, face, seat, taker, places, units, after)
