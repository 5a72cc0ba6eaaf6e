"""Play one hand of Spoil-Five, from the deal to its end: what may be done, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from station.base.errors import IllegalAction
from station.base.nouns import suit_of
from station.games.spoil_five.cards import (
    AgreeFive,
    AskFive,
    DealCard,
    Jink,
    KeepTrumps,
    LeaveAce,
    OfHand,
    PlayCard,
    Reason,
    RefuseFive,
    Rob,
    TakePool,
    ace_of,
    is_ace,
    playable,
    winning,
)
from station.rules.play import DeclareFault, FaultKind

CARDS = 5  # in each hand
FIRST = 2  # dealt first, the others in a second round
A_TRICK = 5  # points, in the games to twenty-five and forty-five
ENOUGH = 3  # tricks that take the pool


class Wins(StrEnum):
    """What takes the pool."""

    THREE = "three-tricks"
    TWO = "two-tricks"
    TO_25 = "twenty-five"
    TO_45 = "forty-five"


class Robbing(StrEnum):
    """How the trump card is robbed."""

    DUE = "due"  # who omits it is barred from the pool
    OPTIONAL = "optional"
    OFF = "off"


class HandStage(StrEnum):
    """What a hand waits for."""

    ASKING = "asking"  # whether the dealer's left asks to five it
    ANSWERING = "answering"  # whether the dealer agrees
    ROBBING = "robbing"  # whether the dealer takes the ace that he turned up
    PLAYING = "playing"
    TURNING = "turning"  # the next real card is turned up, for other trumps
    JINKING = "jinking"  # whether the winner of the first three tricks goes on
    OVER = "over"


class Result(StrEnum):
    """How a hand ended."""

    WON = "won"
    JINKED = "jinked"
    SPOILT = "spoilt"
    BARRED = "barred"  # by who was barred from the pool: it stays, as if spoilt
    FAILED = "failed"  # a jink: the pool stays
    COUNTED = "counted"  # to twenty-five or forty-five; nobody is there yet


@dataclass(frozen=True, slots=True)
class Variation:
    """How a company plays.

    Attributes:
        sides: how many sides there are; 0: each plays for himself.
        natural: whether the cards keep their ordinary order.
        fiving: whether the dealer's left may ask for other trumps.
        jinking: whether the winner of the first three tricks may go on for five.
        deals_again: whether the dealer may deal again after a misdeal.
        real: whether real cards are dealt over the reader: then what is played is played, and the
            host declares what broke a rule.
    """

    wins: Wins = Wins.THREE
    sides: int = 0
    natural: bool = False
    robbing: Robbing = Robbing.DUE
    fiving: bool = False
    jinking: bool = False
    deals_again: bool = False
    real: bool = False

    @property
    def target(self) -> int:
        """Return how many points win; 0 where tricks do."""
        return {Wins.TO_25: 25, Wins.TO_45: 45}.get(self.wins, 0)

    @property
    def enough(self) -> int:
        """Return how many tricks take the pool."""
        return 2 if self.wins is Wins.TWO else ENOUGH


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: who led, the cards from him on leftwards, and who won it; 0 while it is played."""

    leader: int
    cards: tuple[str, ...]
    winner: int = 0


@dataclass(frozen=True)
class SpoilHand:
    """One hand at one moment.

    Attributes:
        dealer: the seat that has dealt.
        cards: the pack in the order in which it was dealt; of a real one what has been read.
        left: how many cards of a real pack are not read.
        points: what each side had when the hand began, in the games to twenty-five and forty-five.
        held: the cards in each hand, from seat 1 on.
        turned: the cards that were turned up for trumps, in order.
        trump: which of them counts.
        played: the cards that were played, in order.
        winners: who has won each whole trick.
        robber: who took the trump card; 0 for nobody.
        laid_out: the card that he laid out for it.
        barred: the seats that omitted to rob, or whose fault was declared.
        declared: the faults that were declared.
        jinker: who has won the first three tricks and goes on.
        said: all that was done, in short.
    """

    how: Variation
    dealer: int
    cards: tuple[str, ...]
    points: tuple[int, ...]
    held: tuple[tuple[str, ...], ...]
    turned: tuple[str, ...]
    trump: str
    stage: HandStage = HandStage.PLAYING
    played: tuple[str, ...] = ()
    winners: tuple[int, ...] = ()
    robber: int = 0
    laid_out: str = ""
    barred: tuple[int, ...] = ()
    declared: tuple[DeclareFault, ...] = ()
    left: int = 0
    jinker: int = 0
    said: tuple[str, ...] = ()
    result: Result | None = None

    @property
    def seats(self) -> int:
        """Return how many play."""
        return len(self.held)

    @property
    def out(self) -> int:
        """Return how many cards were on the table when the deal was over; of the station's pack
        all."""
        return CARDS * self.seats + 1 if self.how.real else len(self.cards)

    @property
    def stock(self) -> tuple[str, ...]:
        """Return the cards that are not out, in their order."""
        return self.cards[CARDS * self.seats + len(self.turned) :]

    @property
    def suit(self) -> str:
        """Return the suit of trumps."""
        return suit_of(self.trump)

    @property
    def over(self) -> bool:
        """Return whether the hand has ended."""
        return self.stage is HandStage.OVER

    @property
    def eldest(self) -> int:
        """Return the seat at the dealer's left, which leads first."""
        return self.dealer % self.seats + 1

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Return the tricks; one that is being played is the last, maybe still without a card."""
        leaders = (self.eldest, *self.winners)
        found = [
            Trick(leader, self.played[self.seats * place : self.seats * (place + 1)], winner)
            for place, (leader, winner) in enumerate(zip(leaders, (*self.winners, 0), strict=True))
        ]
        return tuple(found[:-1] if self.over or len(self.winners) == CARDS else found)

    @cached_property
    def won(self) -> tuple[int, ...]:
        """Return how many tricks each seat has won."""
        return tuple(self.winners.count(seat) for seat in range(1, self.seats + 1))

    @property
    def leader(self) -> int:
        """Return who leads, or has led, to the trick that is played."""
        return self.winners[-1] if self.winners else self.eldest

    @cached_property
    def on_table(self) -> tuple[str, ...]:
        """Return the cards of the trick that is played."""
        return self.played[self.seats * len(self.winners) :]

    @cached_property
    def turn(self) -> int:
        """Return the seat that is awaited; 0 when the hand is over."""
        match self.stage:
            case HandStage.OVER | HandStage.TURNING:
                return 0
            case HandStage.ASKING:
                return self.eldest
            case HandStage.ANSWERING | HandStage.ROBBING:
                return self.dealer
            case HandStage.JINKING:
                return self.winner
        return (self.leader - 1 + len(self.on_table)) % self.seats + 1

    @property
    def led(self) -> str:
        """Return the card that was led to this trick; empty where none was."""
        return next(iter(self.on_table), "")

    @cached_property
    def winner(self) -> int:
        """Return who won the last whole trick; 0 before."""
        return self.winners[-1] if self.winners else 0

    @property
    def side_count(self) -> int:
        """Return how many sides there are; a seat that plays for itself is one."""
        return self.how.sides or self.seats

    def side(self, seat: int) -> int:
        """Return the side of a seat, from 0: sides sit alternately."""
        return (seat - 1) % self.side_count

    def members(self, seat: int) -> tuple[int, ...]:
        """Return the seats of a seat's side, from the dealer's left on."""
        order = (self.eldest + step for step in range(self.seats))
        found = ((one - 1) % self.seats + 1 for one in order)
        return tuple(one for one in found if self.side(one) == self.side(seat))

    @cached_property
    def side_tricks(self) -> tuple[int, ...]:
        """Return how many tricks each side has won."""
        if not self.how.sides:
            return self.won
        return tuple(sum(self.won[side :: self.side_count]) for side in range(self.side_count))

    @property
    def score(self) -> tuple[int, ...]:
        """Return the points of each side; who is barred scores nothing."""
        if not self.how.target:
            return self.points
        barred = {self.side(seat) for seat in self.barred}
        return tuple(
            has + A_TRICK * tricks * (side not in barred)
            for side, (has, tricks) in enumerate(zip(self.points, self.side_tricks, strict=True))
        )

    @property
    def may_take(self) -> bool:
        """Return whether who is awaited may take the trump card, for the ace of trumps."""
        if self.stage is HandStage.ROBBING:
            return True
        return (
            self._lies_to_rob
            and len(self.played) < self.seats
            and ace_of(self.suit) in self.held[self.turn - 1]
        )

    @property
    def _lies_to_rob(self) -> bool:
        """Return whether the trump card lies there to be robbed."""
        return (
            self.stage is HandStage.PLAYING
            and self.how.robbing is not Robbing.OFF
            and not self.robber
            and not is_ace(self.trump)
        )

    @property
    def robbers(self) -> tuple[int, ...]:
        """Return the seats that take the trump card if they do so now: who may; with real cards
        whoever has not played yet."""
        if self.how.real and self._lies_to_rob:
            seats = range(1, self.seats + 1)
            return tuple(seat for seat in seats if len(self.held[seat - 1]) == CARDS)
        return (self.turn,) if self.may_take else ()

    @property
    def playable(self) -> tuple[str, ...]:
        """Return the cards that who is awaited may play; of real ones any, for it happens."""
        mine = self.held[self.turn - 1]
        if self.how.real:
            return mine
        return playable(mine, self.led, self.suit, self.how.natural)

    @property
    def faults(self) -> tuple[DeclareFault, ...]:
        """Return the faults that the host may declare of this hand, besides a lost deal."""
        if not self.how.real or self.over:
            return ()
        first = range(1, min(len(self.played), self.seats))
        followed = {(self.eldest - 1 + place) % self.seats + 1 for place in first}
        followed |= {self.eldest} if len(self.played) > self.seats else set()
        reneged = (DeclareFault(seat, FaultKind.RENEGED) for seat in sorted(followed))
        robbed = (DeclareFault(self.robber, FaultKind.ROBBED),) if self.robber else ()
        return tuple(one for one in (*reneged, *robbed) if one not in self.declared)


def dealt(
    how: Variation,
    dealer: int,
    points: tuple[int, ...],
    seats: int,
    cards: Sequence[str],
    left: int = 0,
) -> SpoilHand:
    """Return a hand with the cards dealt, first two and then three to each from the dealer's left,
    and the next one turned up.

    Args:
        cards: the pack; of a real one the cards that were dealt, and the one that was turned up.
        left: how many cards of a real pack are not read.
    """
    trump = cards[CARDS * seats]
    hand = SpoilHand(
        how,
        dealer,
        tuple(cards),
        points,
        hands_of(dealer, seats, cards),
        (trump,),
        trump,
        left=left,
    )
    return replace(hand, stage=HandStage.ASKING) if how.fiving else _trumps_stand(hand)


def hands_of(dealer: int, seats: int, cards: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return what each seat has of the cards that were dealt so far."""
    held: list[tuple[str, ...]] = [()] * seats
    for place in range(seats):
        first, then = FIRST * place, FIRST * seats + (CARDS - FIRST) * place
        mine = (*cards[first : first + FIRST], *cards[then : then + CARDS - FIRST])
        held[(dealer + place) % seats] = tuple(mine)
    return tuple(held)


def dealt_next(dealer: int, seats: int, out: int) -> int:
    """Return the seat that gets the next card after so many; 0 where it is turned up.

    >>> [dealt_next(3, 3, out) for out in range(16)]
    [1, 1, 2, 2, 3, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0]
    """
    if out >= CARDS * seats:
        return 0
    first = out < FIRST * seats
    place = out // FIRST if first else (out - FIRST * seats) // (CARDS - FIRST)
    return (dealer + place) % seats + 1


def actions(hand: SpoilHand) -> Iterator[OfHand]:
    """Yield the legal actions, in the order of their names."""
    seat = hand.turn
    match hand.stage:
        case HandStage.ASKING:
            yield from (AskFive(seat), KeepTrumps(seat))
        case HandStage.ANSWERING:
            yield from (AgreeFive(seat), RefuseFive(seat))
        case HandStage.JINKING:
            yield from (Jink(seat), TakePool(seat))
        case HandStage.ROBBING:
            yield LeaveAce(seat)
        case HandStage.PLAYING:
            yield from (PlayCard(seat, (face,)) for face in sorted(hand.playable))
    for robber in hand.robbers:
        yield from (Rob(robber, (face,)) for face in sorted(hand.held[robber - 1]))


def apply(hand: SpoilHand, action: OfHand | DealCard | DeclareFault) -> SpoilHand:
    """Return the hand after an action.

    Raises:
        IllegalAction: the rules refuse it.
    """
    if isinstance(action, DealCard):
        return _turned_up(hand, action)
    if isinstance(action, DeclareFault):
        return _declared(hand, action)
    stages, do = _DOES[type(action)]
    if hand.stage not in stages:
        raise not_now()
    early = isinstance(action, Rob) and action.seat in hand.robbers
    if action.seat != hand.turn and not early:
        raise not_his_turn(hand.turn, action.seat)
    return do(hand, action)


def not_now() -> IllegalAction:
    """Return the refusal of what is not awaited."""
    return IllegalAction(Reason.NOT_NOW, "that is not what is awaited now: look at the table")


def not_his_turn(turn: int, seat: int) -> IllegalAction:
    """Return the refusal of a seat that is not awaited."""
    why = "it is the turn of seat {turn}, not of seat {seat}"
    return IllegalAction(Reason.NOT_YOUR_TURN, why, turn=turn, seat=seat)


def short(action: OfHand | DealCard | DeclareFault) -> str:
    """Return how an action stands in the line of a state: without the seat, which follows."""
    match action:
        case DealCard(card=(face,)):
            return f"up:{face}"
        case DeclareFault(seat, kind):
            return f"fault:{seat}:{kind}"
        case DealCard():
            return ""
        case PlayCard(card=(face,)):
            return face
        case Rob(card=(face,)):
            return f"rob:{face}"
    return _SHORT[type(action)]


def from_short(hand: SpoilHand, text: str) -> OfHand | DealCard | DeclareFault:
    """Return the action that `short` wrote: of whoever is awaited, or holds the card."""
    kinds = {name: kind for kind, name in _SHORT.items()}
    if text in kinds:
        return kinds[text](hand.turn)
    do, _, face = text.partition(":")
    match do:
        case "rob":
            holds = (seat for seat, mine in enumerate(hand.held, 1) if face in mine)
            return Rob(next(holds, hand.turn), (face,))
        case "up":
            return DealCard((face,))
        case "fault":
            seat, _, kind = face.partition(":")
            return DeclareFault(int(seat), kind)
    return PlayCard(hand.turn, (text,))


# -- what each action does -------------------------------------------------------------------------


def _noted(hand: SpoilHand, action: OfHand | DealCard | DeclareFault) -> SpoilHand:
    return replace(hand, said=(*hand.said, short(action)))


def _trumps_stand(hand: SpoilHand) -> SpoilHand:
    """Return the hand when no other trumps will be turned up."""
    robs = hand.how.robbing is not Robbing.OFF and is_ace(hand.trump)
    return replace(hand, stage=HandStage.ROBBING if robs else HandStage.PLAYING)


def _ask(hand: SpoilHand, action: OfHand) -> SpoilHand:
    return replace(_noted(hand, action), stage=HandStage.ANSWERING)


def _stand(hand: SpoilHand, action: OfHand) -> SpoilHand:
    return _trumps_stand(_noted(hand, action))


def _five(hand: SpoilHand, action: OfHand) -> SpoilHand:
    """Return the hand with another suit turned up; where none is left, the first card counts. Real
    cards are turned up one by one."""
    if hand.how.real:
        turning = replace(_noted(hand, action), stage=HandStage.TURNING)
        return turning if hand.left else _trumps_stand(turning)
    more = next((at for at, face in enumerate(hand.stock) if suit_of(face) != hand.suit), None)
    count = len(hand.stock) if more is None else more + 1
    turned = (*hand.turned, *hand.stock[:count])
    return _trumps_stand(
        replace(
            _noted(hand, action),
            turned=turned,
            trump=turned[0] if more is None else turned[-1],
        )
    )


def _turned_up(hand: SpoilHand, action: DealCard) -> SpoilHand:
    """Return the hand with one more real card turned up; one of another suit makes the trumps."""
    if hand.stage is not HandStage.TURNING:
        raise not_now()
    (face,) = action.card
    after = replace(
        _noted(hand, action),
        cards=(*hand.cards, face),
        turned=(*hand.turned, face),
        left=hand.left - 1,
    )
    if suit_of(face) != hand.suit:
        return _trumps_stand(replace(after, trump=face))
    return after if after.left else _trumps_stand(after)


def _declared(hand: SpoilHand, fault: DeclareFault) -> SpoilHand:
    """Return the hand with a player barred from the pool, for what he did with his cards. Whose
    side goes on for all five, or may, does so no more."""
    if fault not in hand.faults:
        why = "that cannot be declared of this player now: look at who has done what"
        raise IllegalAction(Reason.NO_FAULT, why)
    after = replace(
        _noted(hand, fault),
        barred=(*hand.barred, *((fault.seat,) if fault.seat not in hand.barred else ())),
        declared=(*hand.declared, fault),
    )
    going = hand.jinker or (hand.winner if hand.stage is HandStage.JINKING else 0)
    if going and hand.side(going) == hand.side(fault.seat):
        return _ended(after, Result.BARRED)
    return after


def _leave(hand: SpoilHand, action: OfHand) -> SpoilHand:
    return replace(_noted(hand, action), stage=HandStage.PLAYING)


def _rob(hand: SpoilHand, action: OfHand) -> SpoilHand:
    seat = action.seat
    if seat not in hand.robbers:
        why = (
            "only who holds the ace of trumps, or has turned it up, robs: at his first turn, before"
            " he plays"
        )
        raise IllegalAction(Reason.NO_ACE, why)
    out = _one(hand, action)
    mine = tuple(hand.trump if face == out else face for face in hand.held[seat - 1])
    after = _noted(hand, action)
    return replace(
        after, held=_with(hand, seat, mine), robber=seat, laid_out=out, stage=HandStage.PLAYING
    )


def _play(hand: SpoilHand, action: OfHand) -> SpoilHand:
    face, seat = _one(hand, action), hand.turn
    if face not in hand.playable:
        why = "{face} may not be played to {led}: follow, or play a trump"
        if suit_of(hand.led) == hand.suit:
            why = "{face} may not be played to {led}: a trump was led, and is followed by a trump"
        raise IllegalAction(Reason.MUST_FOLLOW, why, face=face, led=hand.led)
    omits = hand.how.robbing is Robbing.DUE and hand.may_take
    after = replace(
        _noted(hand, action),
        held=_with(hand, seat, tuple(one for one in hand.held[seat - 1] if one != face)),
        played=(*hand.played, face),
        barred=(*hand.barred, seat) if omits else hand.barred,
    )
    if len(after.on_table) < after.seats:
        return after
    place = winning(after.on_table, hand.suit, hand.how.natural)
    winner = (hand.leader - 1 + place) % hand.seats + 1
    return _judged(replace(after, winners=(*hand.winners, winner)))


def _jink(hand: SpoilHand, action: OfHand) -> SpoilHand:
    return replace(_noted(hand, action), stage=HandStage.PLAYING, jinker=hand.turn)


def _take_pool(hand: SpoilHand, action: OfHand) -> SpoilHand:
    return _ended(_noted(hand, action), Result.WON)


def _one(hand: SpoilHand, action: OfHand) -> str:
    """Return the one card of an action, which whose action it is holds."""
    match action:
        case PlayCard(seat, (face,)) | Rob(seat, (face,)) if face in hand.held[seat - 1]:
            return face
    raise IllegalAction(Reason.NOT_IN_HAND, "that is not one card of the hand")


def _with(hand: SpoilHand, seat: int, mine: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return all hands, with another one of a seat."""
    return (*hand.held[: seat - 1], mine, *hand.held[seat:])


def _ended(hand: SpoilHand, result: Result) -> SpoilHand:
    return replace(hand, stage=HandStage.OVER, result=result)


def _judged(hand: SpoilHand) -> SpoilHand:
    """Return the hand after a whole trick: it goes on, or has ended."""
    side, last = hand.side(hand.winner), len(hand.winners) == CARDS
    has = hand.side_tricks[side]
    barred = side in {hand.side(seat) for seat in hand.barred}
    if hand.how.target:
        if not barred and hand.score[side] >= hand.how.target:
            return _ended(hand, Result.WON)
        jinked = has == CARDS and not barred
        return _ended(hand, Result.JINKED if jinked else Result.COUNTED) if last else hand
    if hand.jinker:
        if side != hand.side(hand.jinker):
            return _ended(hand, Result.FAILED)
        return _ended(hand, Result.JINKED) if last else hand
    if has == hand.how.enough:
        if barred:
            return _ended(hand, Result.BARRED)
        if hand.how.jinking and len(hand.winners) == has:
            return replace(hand, stage=HandStage.JINKING)
        return _ended(hand, Result.WON)
    return _ended(hand, Result.SPOILT) if last else hand


_SHORT: Mapping[Callable[[int], OfHand], str] = {
    AskFive: "ask",
    KeepTrumps: "keep",
    AgreeFive: "agree",
    RefuseFive: "refuse",
    LeaveAce: "leave",
    Jink: "jink",
    TakePool: "take",
}
_DOES: Mapping[type, tuple[tuple[HandStage, ...], Callable[[SpoilHand, OfHand], SpoilHand]]] = {
    AskFive: ((HandStage.ASKING,), _ask),
    KeepTrumps: ((HandStage.ASKING,), _stand),
    AgreeFive: ((HandStage.ANSWERING,), _five),
    RefuseFive: ((HandStage.ANSWERING,), _stand),
    LeaveAce: ((HandStage.ROBBING,), _leave),
    Rob: ((HandStage.ROBBING, HandStage.PLAYING), _rob),
    PlayCard: ((HandStage.PLAYING,), _play),
    Jink: ((HandStage.JINKING,), _jink),
    TakePool: ((HandStage.JINKING,), _take_pool),
}
