"""Hold the state of Spoil-Five, and play it by its rules: legal actions, a game on one line.

The state keeps what lay where when this deal began, and the hand that is played. On a line first
come what was agreed on and the pack. Then what lay where when this deal began, the cards as they
were dealt, and all that was done with them: the hand is played again when it is read. What lies
where now follows from that. It is there for people, and has to agree.

Each player gets five cards, and a suit is turned up for trumps. Three tricks take the pool, and if
nobody has them it is spoilt.

Source: the rule book's "Spoil-Five", with all its variations: natural order, two tricks, partners,
fiving, jinking, twenty-five and forty-five, robbing optional or off.

Where the book is silent, this is how a careful host decides (**Decision**):

- The knave that makes the first dealer is dealt for before the company sits down: the first dealer
  is the last seat, and seats count from his left. The deal passes to the left.
- Each takes a number of counters; a game is so many pools. The dealer pays one counter more every
  deal. Who has fewer than is asked for puts in what he has, and plays on: nobody owes.
- The ace of hearts never makes its holder able to follow hearts. Of trumps the one that was led
  decides on reneging, not one played since. Who has no trump but those that he may hold back, plays
  any card.
- The station deals the cards: who robs without the ace is refused. Who omits to rob is barred; that
  is told at the end of the hand. A barred player's tricks that would win end the hand and leave the
  pool as if spoilt; he may not jink; to twenty-five and forty-five they score nothing. A bar holds
  for the whole side.
- An ace that the dealer leaves lying stays turned up, and nobody robs it.
- A misdeal is declared by the host, before a card is played: what was paid stays in the pool, and
  the next dealer, or the same if he deals again, pays the extra alone.
- Real cards with tags are dealt over the reader one by one, two to each and then three, and the
  next is turned up; the station knows of the others nothing before they are read. What is played
  is played: the host declares what broke a rule. Who has reneged when he might not, or has robbed
  without the ace or out of turn, is barred from the pool of this hand, as who omits to rob; whose
  side is going on for all five, or might, goes on no more. A card that is exposed in the deal, or a
  misdeal, is a deal that is lost.
- Natural order: ace high in every suit, no reneging, the ace of hearts a plain heart. Robbing
  stays.
- Two tricks are for five or more players, and neither for sides nor with jinking. Sides of equal
  number sit alternately: two of four, six, eight, ten, or three of six.
- Fiving is asked for before robbing and the first lead, by the dealer's left, once a hand. An ace
  turned up so may be robbed by the dealer. If no other suit is left, the first card counts again.
- Jinking: only the winner of the first three tricks may go on, and says so; with sides the one who
  took the third. All five bring him each opponent's stake for a new pool besides. The hand ends at
  the first trick that he loses.
- Twenty-five and forty-five: one pool a game, the dealer's extra every deal, all five tricks
  played, counted trick by trick; the first there takes the pool, and so does who wins all five.
- A game that is broken off: all share the pool, odd counters one each from the eldest hand.
- Nothing moves to a purse before the end, when all is redeemed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property, lru_cache, partial

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import PACK
from station.base.tongue import key, tr
from station.games.spoil_five import hand as of_hand
from station.games.spoil_five.cards import (
    ANY_CARDS,
    Action,
    AgreeFive,
    AskFive,
    DealAgain,
    DealCard,
    DealHands,
    Jink,
    KeepTrumps,
    LeaveAce,
    Misdeal,
    PassDeal,
    PlayCard,
    Reason,
    RefuseFive,
    Rob,
    TakePool,
)
from station.games.spoil_five.hand import (
    A_TRICK,
    CARDS,
    HandStage,
    Result,
    SpoilHand,
    Variation,
    Wins,
    dealt_next,
    hands_of,
)
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.notations import parsed, row, things
from station.rules.play import DeclareFault, FaultKind
from station.rules.seating import added, by_seat, moves

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


# -- a game on one line ----------------------------------------------------------------------------

_STATE = re.compile(
    r"(?P<head>stake=\S+ how=\S+ pack=\S+ brought=\S+) (?P<closed>open|closed)"
    r" deal=(?P<deal>[0-9]+) dealer=(?P<dealer>[0-9]+) due=(?P<due>[0-2]) lay=(?P<lay>\S+)"
    r" laid=(?P<laid>[0-9]+) points=(?P<points>\S+) won=(?P<won>[0-9]+)"
    r" misdealt=(?P<misdealt>[01]) cards=(?P<cards>\S+) done=(?P<done>\S+)"
    r" trump=\S+ pool=\S+ hands=\S+ purses=\S+"
)


def notation(state: State) -> str:
    """Return the state on one line."""
    hand = state.hand
    cards, done, trump = state.dealing, tuple[str, ...](), "-"
    if hand is not None:
        cards, done, trump = hand.cards[: hand.out], hand.said, hand.trump
    return (
        f"{_head(state.setup)} {'closed' if state.closed else 'open'} deal={state.deal}"
        f" dealer={state.dealer} due={int(state.due)} lay={row(state.lay)} laid={state.pool_lay}"
        f" points={row(state.points)} won={state.won} misdealt={int(state.misdealt)}"
        f" cards={row(cards)} done={row(done)}"
        f" trump={trump} pool={state.pool} hands={row(state.hands)} purses={row(state.purses)}"
    )


def _head(setup: Setup) -> str:
    how = setup.how
    pack = len(PACK) if setup.pack == PACK else row(setup.pack)
    agreed = (
        how.wins,
        f"{how.sides}-sides",
        how.robbing,
        *("natural",) * how.natural,
        *("fiving",) * how.fiving,
        *("jinking",) * how.jinking,
        *("again",) * how.deals_again,
        *("real",) * how.real,
    )
    return (
        f"stake={setup.counters}*{setup.value}/{setup.into_pool}*{setup.pools}"
        f" how={row(agreed, '+')} pack={pack} brought={row(setup.purses)}"
    )


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation)


def _read(setup: Setup, match: re.Match[str]) -> State:
    state = State(
        setup,
        lay=tuple(map(int, things(match["lay"]))),
        pool_lay=int(match["laid"]),
        points=tuple(map(int, things(match["points"]))),
        dealer=int(match["dealer"]),
        won=int(match["won"]),
        due=Due(int(match["due"])),
        deal=int(match["deal"]),
        misdealt=match["misdealt"] == "1",
    )
    # Looked at before anything is worked out of it.
    if not _begun(state):
        raise ValueError("it cannot occur")
    done = things(match["done"])
    cards = tuple(things(match["cards"]))
    if setup.how.real and 0 < len(cards) <= CARDS * setup.seats:
        if done or state.misdealt or len({*cards} & {*setup.pack}) < len(cards):
            raise ValueError("these cards cannot be dealt")
        state = replace(state, dealing=cards)
    elif cards:
        state = replace(state, hand=_played(state, cards, done))
    elif done:
        raise ValueError("nothing was dealt")
    return replace(state, closed=match["closed"] == "closed")


def _begun(state: State) -> bool:
    """Return whether a deal can begin so: no counter made or lost, points that leave the game
    undecided; and the first deal as it always begins."""
    setup, seats, target = state.setup, state.setup.seats, state.setup.how.target
    again = state.due is Due.EXTRA and setup.how.deals_again
    return (
        len(state.lay) == seats
        and sum(state.lay) + state.pool_lay == setup.counters * seats
        and 1 <= state.dealer <= seats
        and len(state.points) == setup.sides
        and all(has < max(target, 1) and has % A_TRICK == 0 for has in state.points)
        and state.won < setup.pools
        and state.deal > 0
        and (again or not state.misdealt)
        and (state.deal > 1 or state.dealer == seats)
    )


def _played(state: State, cards: tuple[str, ...], done: list[str]) -> SpoilHand:
    """Return the hand after all that was done with these cards."""
    setup = state.setup
    real, left = setup.how.real, len(setup.pack) - len(cards)
    out = CARDS * setup.seats + 1 if real else len(setup.pack)
    whole = len(cards) == out and len({*cards} & {*setup.pack}) == out
    if not whole or state.misdealt:
        raise ValueError("these cards cannot be dealt")
    hand = of_hand.dealt(setup.how, state.dealer, state.points, setup.seats, cards, left)
    for text in done:
        if hand.over:
            raise ValueError("more is done than can be")
        try:
            action = of_hand.from_short(hand, text)
            if isinstance(action, DealCard) and action.card[0] not in state.setup.pack:
                raise ValueError("there is no such card")
            if isinstance(action, DealCard) and action.card[0] in hand.cards:
                raise ValueError("that card is out")
            hand = of_hand.apply(hand, action)
        except IllegalAction as error:
            raise ValueError(str(error)) from error
    return hand


# -- legal actions, and what follows from them -----------------------------------------------------

SEATS = (2, 10)
FEWEST_FOR_TWO = 5  # two tricks win
IN_SIDES = {2: (4, 6, 8, 10), 3: (6,)}
DEAL_LOST = (FaultKind.EXPOSED, FaultKind.MISDEAL)
OF_HAND = (AgreeFive, AskFive, KeepTrumps, Jink, LeaveAce, PlayCard, RefuseFive, Rob, TakePool)
MOVES = moves(DealHands, DealAgain, Misdeal, PassDeal, *OF_HAND, DealCard, DeclareFault)


class SpoilFiveRules(GameRules[Setup, State, Action]):
    """The rules of Spoil-Five."""

    name = "spoil-five"
    title = TITLE
    moves = MOVES

    def start(self, setup: Setup) -> State:
        """Return the state with the counters taken, before the first deal.

        Raises:
            Unreadable: this company cannot play.
        """
        _check(setup)
        seats = setup.seats
        return State(setup, (setup.counters,) * seats, 0, (0,) * setup.sides, dealer=seats)

    def legal_actions(self, state: State) -> Iterator[Action]:
        """Yield the legal actions, each kind in one place; `DealHands(ANY_CARDS)` stands for all
        orders of the pack."""
        if state.over:
            return
        if state.misdealt:
            yield DealAgain(state.dealer)
            yield PassDeal(state.dealer)
            return
        real = state.setup.how.real
        if real and state.deals:
            yield from (DealCard((face,)) for face in sorted(state.unread))
        yield from faults(state)
        hand = state.playing
        if hand is None:
            yield from (Misdeal(),) if state.dealing else () if real else (DealHands(ANY_CARDS),)
            return
        if not hand.played:
            yield Misdeal()
        yield from of_hand.actions(hand)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `Reason`.
        """
        if state.over:
            raise IllegalAction(Reason.OVER, "the game is over and all is redeemed: begin another")
        match action:
            case DealHands(cards):
                return _dealt(state, cards)
            case DealCard():
                return _card_dealt(state, action)
            case DeclareFault(kind=kind) if kind in DEAL_LOST and action in faults(state):
                return _misdealt(state)
            case DealAgain(seat) | PassDeal(seat):
                return _after_misdeal(state, seat, again=isinstance(action, DealAgain))
            case Misdeal():
                return _misdealt(state)
        if not isinstance(action, (*OF_HAND, DeclareFault)):
            raise unknown(Reason.NOT_AN_ACTION, action, TITLE)
        if state.playing is None:
            raise of_hand.not_now()
        return replace(state, hand=of_hand.apply(state.playing, action))

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, with the winners of the last pool; None while it goes on."""
        if not state.over:
            return None
        winners = tuple(map(str, sorted(state.winners)))
        return Outcome(Ending.CLOSED if state.closed else Ending.WON, winners)

    def funds(self, state: State) -> Mapping[str, int]:
        """Return where the counters lie: purses, hands, and the pool."""
        return by_seat(purse=state.purses, hand=state.hands) | {"pool": state.pool}

    notation, parse = staticmethod(notation), staticmethod(parse)


def faults(state: State) -> tuple[DeclareFault, ...]:
    """Return the faults with real cards that the host may declare now, in order."""
    if state.over or state.misdealt or not state.setup.how.real:
        return ()
    hand, seats = state.playing, range(1, state.setup.seats + 1)
    deal = hand is not None and not hand.played
    lost = [
        DeclareFault(seat, kind) for seat in seats for kind in DEAL_LOST if deal or state.dealing
    ]
    return tuple(
        sorted((*lost, *(hand.faults if hand else ())), key=lambda one: (one.seat, one.kind))
    )


def broken(state: State) -> State:
    """Return the game broken off: all share the pool, and all is redeemed.

    Raises:
        IllegalAction: it is over.
    """
    if state.over:
        raise IllegalAction(Reason.OVER, "the game is over and all is redeemed: begin another")
    return replace(state, closed=True)


def _dealt(state: State, cards: tuple[str, ...]) -> State:
    setup = state.setup
    if state.misdealt or state.playing is not None or setup.how.real:
        raise of_hand.not_now()
    if sorted(cards) != sorted(setup.pack):
        why = "the pack has {count} cards, each once: deal with all of them"
        raise IllegalAction(Reason.NOT_THE_PACK, why, count=len(setup.pack))
    deal = state.following
    hand = of_hand.dealt(setup.how, deal.dealer, deal.points, setup.seats, cards)
    return replace(deal, hand=hand)


def _card_dealt(state: State, action: DealCard) -> State:
    """Return the state with one more real card read: for the player whose turn of the deal it is,
    or turned up."""
    if not (state.setup.how.real and state.deals):
        raise of_hand.not_now()
    if len(action.card) != 1 or action.card[0] not in state.unread:
        why = "that card is out already, or it is none of this pack: look at it once more"
        raise IllegalAction(Reason.OUT, why)
    hand = state.playing
    if hand is not None:
        return replace(state, hand=of_hand.apply(hand, action))
    deal = state if state.dealing else state.following
    cards, setup = (*deal.dealing, *action.card), deal.setup
    if len(cards) <= CARDS * setup.seats:
        return replace(deal, dealing=cards)
    left = len(setup.pack) - len(cards)
    hand = of_hand.dealt(setup.how, deal.dealer, deal.points, setup.seats, cards, left)
    return replace(deal, dealing=(), hand=hand)


def _misdealt(state: State) -> State:
    """Return the state after a deal that was lost: what was paid for it stays paid."""
    if not state.dealing and (state.playing is None or state.playing.played):
        raise of_hand.not_now()
    lost = replace(
        state, lay=state.lies, pool_lay=state.in_pool, due=Due.EXTRA, hand=None, dealing=()
    )
    return replace(lost, misdealt=True) if state.setup.how.deals_again else _passed(lost)


def _after_misdeal(state: State, seat: int, *, again: bool) -> State:
    if not state.misdealt:
        raise of_hand.not_now()
    if seat != state.dealer:
        raise of_hand.not_his_turn(state.dealer, seat)
    after = replace(state, misdealt=False)
    return replace(after, deal=state.deal + 1) if again else _passed(after)


def _passed(state: State) -> State:
    return replace(state, dealer=state.dealer % state.setup.seats + 1, deal=state.deal + 1)


def _check(setup: Setup) -> None:
    seats = setup.seats
    least, most = SEATS
    if not least <= seats <= most:
        raise Unreadable(f"{seats} players: {TITLE} is for {least} to {most}")
    if setup.counters < setup.into_pool + DEALER_PAYS:
        raise Unreadable(f"{setup.counters} counters each: they do not fill a pool")
    if poor := [seat for seat, purse in enumerate(setup.purses, 1) if purse < setup.counters]:
        raise Unreadable(f"seat {poor[0]} has less than the stake of {setup.counters} counters")
    if len(setup.pack) <= CARDS * seats or len(set(setup.pack)) < len(setup.pack):
        raise Unreadable(f"{len(setup.pack)} cards: each has {CARDS}, and one is turned up")
    _check_how(seats, setup.how)


def _check_how(seats: int, how: Variation) -> None:
    """Check that variations go together, and with so many players."""
    if how.wins is Wins.TWO and (seats < FEWEST_FOR_TWO or how.sides or how.jinking):
        raise Unreadable(
            tr(
                "two tricks win only with {least} players or more, without sides and jinking",
                least=FEWEST_FOR_TWO,
            )
        )
    if how.jinking and how.target:
        raise Unreadable(
            tr("jinking does not go with twenty-five and forty-five: there all five tricks win")
        )
    if how.sides and seats not in IN_SIDES.get(how.sides, ()):
        raise Unreadable(tr("two sides are of 4, 6, 8 or 10 players, three sides of 6"))
    if how.fiving and (how.sides or seats) != 2:
        raise Unreadable(tr("fiving is for two players or two sides"))
