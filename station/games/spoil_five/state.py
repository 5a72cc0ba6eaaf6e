"""Hold a game of Spoil-Five: what lay where when this deal began, and the hand that is played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property, lru_cache

from station.base.playing_cards import PACK
from station.base.tongue import key
from station.games.spoil_five.hand import (
    HandStage,
    Result,
    SpoilHand,
    Variation,
    dealt_next,
    hands_of,
)
from station.rules.seating import added

TITLE = key("Spoil-Five")
DEALER_PAYS = 1  # more, every deal
AFTER_A_SPOIL = 1
USUAL = Variation()


class Due(IntEnum):
    """What each puts into the pool at the coming deal, besides the dealer's extra."""

    EXTRA = 0  # nobody pays again
    REDUCED = 1  # after a spoil
    FULL = 2


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        purses: what each seat can pay, in counters.
        counters: how many counters each takes.
        value: what a counter is worth, in minor units.
        into_pool: how many each puts into a new pool.
        pools: how many pools are played for.
        pack: the faces of the pack.
    """

    purses: tuple[int, ...]
    counters: int = 20
    value: int = 1
    into_pool: int = 3
    pools: int = 3
    how: Variation = USUAL
    pack: tuple[str, ...] = PACK

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return len(self.purses)

    @property
    def sides(self) -> int:
        """Return how many sides there are; a seat that plays for itself is one."""
        return self.how.sides or self.seats


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        lay, pool_lay: what lay before each seat, and in the pool, when this deal began.
        points: what each side had then, in the games to twenty-five and forty-five.
        won: how many pools were won before.
        due: what each pays for this deal.
        dealer: the seat that deals.
        deal: the number of this deal, from 1.
        misdealt: whether the dealer is to say if he deals again.
        dealing: the real cards of this deal that were laid on the reader, until all are.
        hand: the hand, when it is dealt; it stays until the next deal.
        closed: whether the game was broken off.
    """

    setup: Setup
    lay: tuple[int, ...]
    pool_lay: int
    points: tuple[int, ...]
    dealer: int
    won: int = 0
    due: Due = Due.FULL
    deal: int = 1
    misdealt: bool = False
    dealing: tuple[str, ...] = ()
    hand: SpoilHand | None = None
    closed: bool = False

    @cached_property
    def playing(self) -> SpoilHand | None:
        """Return the hand that is being played; None between two deals."""
        return None if self.hand is None or self.hand.over or self.closed else self.hand

    @cached_property
    def winners(self) -> tuple[int, ...]:
        """Return the seats that have won the pool in this deal."""
        hand = self.hand
        if hand is None or hand.result not in (Result.WON, Result.JINKED):
            return ()
        return hand.members(hand.winner)

    @cached_property
    def over(self) -> bool:
        """Return whether the game has ended and all is redeemed."""
        return self.closed or self.won + bool(self.winners) == self.setup.pools

    @cached_property
    def paid(self) -> tuple[int, ...]:
        """Return what each has put into the pool for this deal: who has fewer puts in what he
        has."""
        if self.hand is None and not self.dealing:
            return (0,) * self.setup.seats
        each = (0, AFTER_A_SPOIL, self.setup.into_pool)[self.due]
        return _put_in(self.lay, each, self.dealer)

    @cached_property
    def forfeits(self) -> tuple[int, ...]:
        """Return what each pays to who has jinked, besides the pool: his original stake."""
        hand = self.hand
        if hand is None or hand.result is not Result.JINKED or hand.how.target:
            return (0,) * self.setup.seats
        return tuple(
            0 if seat in self.winners else min(has - paid, self.setup.into_pool)
            for seat, (has, paid) in enumerate(zip(self.lay, self.paid, strict=True), 1)
        )

    @property
    def prize(self) -> int:
        """Return what the winners of this deal have of it."""
        return self.pool_lay + sum(self.paid) + sum(self.forfeits) if self.winners else 0

    @cached_property
    def gains(self) -> tuple[int, ...]:
        """Return what each has of the prize: a side divides it evenly, odd counters from the
        dealer's left on."""
        gains = [0] * self.setup.seats
        for place, seat in enumerate(self.winners):
            each, odd = divmod(self.prize, len(self.winners))
            gains[seat - 1] = each + (place < odd)
        return tuple(gains)

    @cached_property
    def lies(self) -> tuple[int, ...]:
        """Return what lies before each seat; at the end, before the pool is shared, if it was
        broken off."""
        less = (tuple(-units for units in some) for some in (self.paid, self.forfeits))
        return added(self.lay, self.gains, *less)

    @property
    def in_pool(self) -> int:
        """Return what the pool holds; of a game broken off, what it held."""
        return sum(self.lay) + self.pool_lay - sum(self.lies)

    @property
    def score(self) -> tuple[int, ...]:
        """Return the points of each side."""
        return self.points if self.hand is None else self.hand.score

    @property
    def following(self) -> State:
        """Return the state of the next deal, before its cards."""
        if self.hand is None:
            return self
        won = bool(self.winners)
        due = Due.FULL if won else Due.EXTRA if self.setup.how.target else Due.REDUCED
        return replace(
            self,
            lay=self.lies,
            pool_lay=self.in_pool,
            points=(0,) * self.setup.sides if won else self.score,
            won=self.won + won,
            due=due,
            dealer=self.hand.eldest,
            deal=self.deal + 1,
            hand=None,
        )

    @property
    def held(self) -> tuple[tuple[str, ...], ...]:
        """Return the cards in each hand, also in the middle of a deal."""
        if self.hand is not None:
            return self.hand.held
        return hands_of(self.dealer, self.setup.seats, self.dealing)

    @property
    def deals(self) -> bool:
        """Return whether cards are awaited: a deal, the next real card of one, or one that is to
        be turned up."""
        if self.over or self.misdealt:
            return False
        return self.playing is None or self.playing.stage is HandStage.TURNING

    @property
    def unread(self) -> tuple[str, ...]:
        """Return the faces of the real cards of this deal that nobody has laid on the reader."""
        read = self.dealing if self.playing is None else self.playing.cards
        return tuple(face for face in self.setup.pack if face not in read)

    @property
    def next_card_for(self) -> int:
        """Return the seat that gets the next real card; 0 where it is turned up."""
        if self.playing is not None:
            return 0
        dealer = self.dealer if self.dealing else self.following.dealer
        return dealt_next(dealer, self.setup.seats, len(self.dealing))

    @property
    def redeemed(self) -> tuple[int, ...]:
        """Return what each takes home: where the game was broken off, all share the pool, odd
        counters one each from the eldest hand."""
        each, odd = divmod(self.in_pool, self.setup.seats)
        return tuple(has + each + (place < odd) for place, has in enumerate(self.lies))

    @property
    def hands(self) -> tuple[int, ...]:
        """Return what lies before each seat; nothing once all is redeemed."""
        return (0,) * self.setup.seats if self.over else self.lies

    @property
    def pool(self) -> int:
        """Return what the pool holds; nothing once all is redeemed."""
        return 0 if self.over else self.in_pool

    @property
    def purses(self) -> tuple[int, ...]:
        """Return what each seat has outside the game."""
        home = self.redeemed if self.over else (0,) * self.setup.seats
        return tuple(
            purse - self.setup.counters + more
            for purse, more in zip(self.setup.purses, home, strict=True)
        )


@lru_cache(maxsize=64)  # it is the same for all states of a hand
def _put_in(lay: tuple[int, ...], each: int, dealer: int) -> tuple[int, ...]:
    """Return what each puts into the pool of what lies before him, the dealer his extra besides."""
    return tuple(min(has, each + DEALER_PAYS * (seat == dealer)) for seat, has in enumerate(lay, 1))
