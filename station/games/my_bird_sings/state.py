"""Define the actions and the state of My Bird Sings, and why an action is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias

from station.base.nouns import PACK, SUITS, suit_of
from station.base.tongue import key
from station.rules.play import DeclareFault


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NOT_NOW = "not-now"
    NOT_HIS_TURN = "not-his-turn"
    NOT_THE_PACK = "not-the-pack"
    NOT_IN_HAND = "not-in-hand"
    NO_SONG = "no-song"
    NO_EXCHANGE = "no-exchange"
    OUT = "card-is-out"
    NO_FAULT = "no-such-fault"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class DealBirds:
    """Deal the whole pack, shuffled: a hand for each, the rest is the stock.

    Attributes:
        cards: in the order of the deal; as a pattern, `ANY_CARDS` stands for any order.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealCard:
    """Lay the next real card of the pack on the reader: for the player whose turn it is to have
    one.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listen:
    """Say that one's bird does not sing, when all are asked; or that the leader has no song in the
    last round of a deal, which ends it."""

    seat: int


@dataclass(frozen=True, slots=True)
class PassOn:
    """Pass a card on to the left, face down.

    Attributes:
        card: the one card.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """Take a card, unseen, from the hand that is turned to the player.

    Attributes:
        card: the one card.
    """

    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PutOut:
    """Put a card out for the next one of the stock that is of another suit.

    Attributes:
        card: the one card.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sing:
    """Say "My bird sings", and show the cards that sing."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnHand:
    """Turn one's hand, unseen, to the next player, who takes a card of it."""

    seat: int


Action: TypeAlias = (
    DealBirds | DealCard | DeclareFault | Listen | PassOn | Pick | PutOut | Sing | TurnHand
)
ANY_CARDS: tuple[str, ...] = ()


# -- the state: hands, stock, whose turn it is, what was sung --------------------------------------

TITLE = key("My Bird Sings")
FOUR, THREE = 4, 3  # cards in a hand
MOST_SEATS = 13
ROUNDS_BEFORE = 3  # whole rounds until a card may come from the stock
IDLE_ROUNDS = 10  # running, without a song or a card from the stock, end a deal


class Passing(StrEnum):
    """How a card goes on to the next player."""

    THROW_OUT = "throw-out"  # face down, by choice of the giver
    DRAW = "draw"  # out of the hand that is turned to him


class GamePhase(StrEnum):
    """Where the game stands."""

    PLAYING = "playing"
    WON = "won"  # over: the pool is paid
    CLOSED = "closed"  # over: it was broken off


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        purses: what each seat can pay, in counters.
        flushes: whether cards of one suit alone are a song.
        three_cards: whether a hand has three; then a song is three of one suit.
        tricks: whether songs are laid down as tricks, and the most of them win.
        pack: the faces.
        real: whether real cards are dealt over the reader.
    """

    purses: tuple[int, ...]
    passing: Passing = Passing.THROW_OUT
    flushes: bool = False
    three_cards: bool = False
    tricks: bool = False
    pack: tuple[str, ...] = PACK
    real: bool = False

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return len(self.purses)

    @property
    def size(self) -> int:
        """Return how many cards a hand has, and a song."""
        return THREE if self.three_cards else FOUR

    def sings(self, cards: Sequence[str]) -> bool:
        """Return whether just these cards are a song: of one suit, or, where that counts, of four.

        >>> Setup((1, 1)).sings(("AS", "5H", "9D", "KC")), Setup((1, 1)).sings(("AS", "5S", "9S"))
        (True, False)
        """
        suits = {*map(suit_of, cards)}
        several = not (self.flushes or self.three_cards)
        return len(cards) == self.size and (
            len(suits) == 1 or (several and len(suits) == len(SUITS))
        )

    def songs(self, hand: Sequence[str]) -> list[tuple[str, ...]]:
        """Return all songs that a hand has in it."""
        return [*filter(self.sings, combinations(hand, self.size))]


@dataclass(frozen=True, slots=True)
class Song:
    """Cards that were shown as a song."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        pool: what lies there.
        purses: what each seat has outside the game.
        dealer: the seat that deals.
        deal: the number of this deal, from 1.
        hands: the cards of each seat; none before they are dealt.
        stock: the cards that are not dealt, the top one first; of real cards they are not known.
        owed: the seats that are to have real cards of the pack now, in order.
        out: the real card that was put out, until one of another suit comes for it; else empty.
        aside: those that were put out or rejected, in order.
        laid: the songs that were laid down in this deal, in order.
        turn: the seat that is to pass a card on, or to turn its hand.
        received: whether it has had a card that may make its song.
        exchanged: whether it has put a card out in this round.
        turned: whether its hand is turned to the next player.
        rounds: how many whole rounds are over.
        since: the round after which idle rounds are counted.
        asked: the seats that are still to say whether their birds sing, from the dealer's left on.
        sung: what was sung since they were asked.
    """

    setup: Setup
    pool: int
    purses: tuple[int, ...]
    dealer: int
    deal: int = 1
    hands: tuple[tuple[str, ...], ...] = ()
    stock: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    laid: tuple[Song, ...] = ()
    turn: int = 0
    received: bool = False
    exchanged: bool = False
    turned: bool = False
    rounds: int = 0
    since: int = ROUNDS_BEFORE
    asked: tuple[int, ...] = ()
    sung: tuple[Song, ...] = ()
    owed: tuple[int, ...] = ()
    out: str = ""
    phase: GamePhase = GamePhase.PLAYING

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.phase is not GamePhase.PLAYING

    @property
    def order(self) -> tuple[int, ...]:
        """Return the seats, from the dealer's left on, himself last."""
        seats = self.setup.seats
        return tuple((self.dealer + step) % seats + 1 for step in range(seats))

    @property
    def leader(self) -> int:
        """Return the seat that passes the first card of each round: the dealer's left."""
        return self.left_of(self.dealer)

    @property
    def unread(self) -> tuple[str, ...]:
        """Return the faces of the real cards of this deal that nobody has laid on the reader."""
        laid = (song.cards for song in self.laid)
        read = {face for some in (*self.hands, self.aside, *laid) for face in some}
        return tuple(face for face in self.setup.pack if face not in read)

    @property
    def left(self) -> int:
        """Return how many cards are in the stock, without those that are owed."""
        if not self.setup.real:
            return len(self.stock)
        return len(self.unread) - len(self.owed) if self.hands else 0

    @property
    def deals(self) -> bool:
        """Return whether cards of the pack are awaited."""
        return not self.over and (not self.hands or bool(self.owed))

    @property
    def fresh(self) -> bool:
        """Return whether the cards of this deal are being dealt, or were, and none has gone on."""
        moved = self.received or self.exchanged or self.turned or self.rounds or self.laid
        return bool(self.hands) and not self.over and not moved and self.turn == self.leader

    def left_of(self, seat: int) -> int:
        """Return the seat on the left of one."""
        return seat % self.setup.seats + 1

    @property
    def moving(self) -> bool:
        """Return whether a seat is to pass a card on, to turn its hand, or to sing before that."""
        return bool(self.hands) and not (self.over or self.asked or self.turned or self.owed)

    @property
    def idle(self) -> int:
        """Return how many whole rounds running there was no song, and no card from the stock."""
        return max(0, self.rounds - self.since)

    @property
    def spent(self) -> bool:
        """Return whether the leader has had the last card of this deal: he may sing, or put a card
        out, or it is over."""
        return self.moving and self.turn == self.leader and self.idle >= IDLE_ROUNDS

    def may_sing(self, seat: int) -> bool:
        """Return whether a player may sing now, if he has a song."""
        if self.owed:
            return False
        if self.asked:
            return seat in self.asked
        return self.moving and self.received and seat == self.turn

    @property
    def may_put_out(self) -> bool:
        """Return whether the seat that moves may put a card out: the leader, after three rounds,
        once in each."""
        ready = self.turn == self.leader and self.rounds >= ROUNDS_BEFORE
        return self.moving and ready and not self.exchanged and bool(self.left)

    @property
    def tricks(self) -> tuple[int, ...]:
        """Return how many songs each seat has laid down."""
        seats = [song.seat for song in self.laid]
        return tuple(map(seats.count, range(1, self.setup.seats + 1)))

    @property
    def winners(self) -> tuple[int, ...]:
        """Return who has the pool, from the dealer's left on: who sang; with tricks, those who have
        most, or all where nobody has any."""
        if self.phase is not GamePhase.WON:
            return ()
        if not self.setup.tricks:
            return (self.laid[-1].seat,)
        most = max(self.tricks)
        return tuple(seat for seat in self.order if self.tricks[seat - 1] == most)

    def with_hand(self, seat: int, cards: tuple[str, ...]) -> State:
        """Return the state with another hand of a seat."""
        hands = (*self.hands[: seat - 1], cards, *self.hands[seat:])
        return replace(self, hands=hands)
