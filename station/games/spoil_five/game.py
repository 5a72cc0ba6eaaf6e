"""Play Spoil-Five: five cards each, a suit turned up for trumps; three tricks take the pool, and if
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

from collections.abc import Iterator, Mapping
from dataclasses import replace

from station.base.errors import IllegalAction, Unreadable
from station.base.tongue import tr
from station.games.spoil_five import hand as of_hand
from station.games.spoil_five.actions import (
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
from station.games.spoil_five.hand import CARDS, Variation, Wins
from station.games.spoil_five.notation import notation, parse
from station.games.spoil_five.state import DEALER_PAYS, TITLE, Due, Setup, State
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.play import DeclareFault, FaultKind
from station.rules.seating import by_seat, moves

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
