"""Show Spoil-Five, each hand to its own player alone, and say what happens in it. Pure.

A player who omitted to rob sees that at once, the others when the hand is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.base.nouns import SUITS
from station.games.spoil_five.cards import (
    Action,
    AgreeFive,
    AskFive,
    DealAgain,
    DealCard,
    DealHands,
    Jink,
    LeaveAce,
    Misdeal,
    PlayCard,
    RefuseFive,
    Rob,
    in_order,
)
from station.games.spoil_five.hand import CARDS, HandStage, Result, Robbing, SpoilHand, Trick
from station.games.spoil_five.rules import State
from station.rules.play import DeclareFault, Played, Saying
from station.rules.seen import (
    Amount,
    Caption,
    CardName,
    Lead,
    Phrase,
    Pile,
    PlayingCard,
    Score,
    SeatName,
    Seen,
    Viewer,
    Zone,
    outcome,
    phrase,
)


def view(state: State, viewer: Viewer, _: int | None = None) -> Seen:
    """Return what a viewer sees: a seat its own hand, and nobody another's."""
    coming = state if state.playing is not None or state.over else state.following
    turn = state.dealer if state.misdealt else 0 if state.playing is None else state.playing.turn
    return Seen(
        _text(state),
        (*_of_seats(state, viewer), *_middle(state)),
        turn=frozenset({turn} if turn and not state.over else ()),
        leads=0 if state.over else coming.dealer,
        has=Lead.PACK,
    )


# -- what comes next -------------------------------------------------------------------------------


def _text(state: State) -> Phrase:
    hand = state.hand
    if state.closed:
        return phrase("table-over")
    if state.misdealt:
        return phrase("spoil-five-misdealt", name=SeatName(state.dealer))
    if state.dealing or (hand is not None and hand.stage is HandStage.TURNING):
        seat = state.next_card_for
        return phrase("card-for", name=SeatName(seat)) if seat else phrase("card-up")
    if hand is None:
        return phrase("spoil-five-dealer", name=SeatName(state.dealer))
    if hand.over:
        return _ending(hand)
    name = SeatName(hand.turn)
    match hand.stage:
        case HandStage.ASKING:
            return phrase("spoil-five-asking", name=name)
        case HandStage.ANSWERING:
            return phrase("spoil-five-answering", name=name)
        case HandStage.ROBBING:
            return phrase("spoil-five-robbing", name=name)
        case HandStage.JINKING:
            return phrase("spoil-five-jinking", name=name)
    return phrase("spoil-five-plays" if hand.led else "spoil-five-leads", name=name)


def _ending(hand: SpoilHand) -> Phrase:
    name = SeatName(hand.winner)
    match hand.result:
        case Result.WON | Result.JINKED:
            side = len(hand.members(hand.winner)) > 1
            return phrase("spoil-five-takes-side" if side else "spoil-five-takes", name=name)
        case Result.BARRED:
            key = "spoil-five-barred-pool" if hand.declared else "spoil-five-barred"
            return phrase(key, name=name)
        case Result.FAILED:
            return phrase("spoil-five-failed", name=SeatName(hand.jinker))
        case Result.COUNTED:
            return phrase("spoil-five-counted")
    return phrase("spoil-five-spoilt")


# -- the seats -------------------------------------------------------------------------------------


def _of_seats(state: State, viewer: Viewer) -> Iterator[Zone]:
    hand = state.hand
    for seat, has in enumerate(state.lies, 1):
        if hand is None and state.dealing:
            held = tuple(map(PlayingCard, ("",) * len(state.held[seat - 1])))
            yield Zone("held", held, seat)
        if hand is not None:
            yield from _cards(hand, seat, viewer)
            if state.setup.how.target:
                yield Zone("points", (Score(state.score[hand.side(seat)]),), seat)
        if state.over:
            gain = state.redeemed[seat - 1] - state.setup.counters
            yield Zone("outcome", (Caption(outcome(gain)),), seat)
            continue
        yield Zone("hand", (Pile(Amount(has)),), seat)
        if hand is not None and (caption := _caption(hand, seat, viewer)) is not None:
            yield Zone("answer", (caption,), seat)


def _cards(hand: SpoilHand, seat: int, viewer: Viewer) -> Iterator[Zone]:
    trick = _shown(hand)
    place = (seat - trick.leader) % hand.seats
    if place < len(trick.cards):
        yield Zone("card", (PlayingCard(trick.cards[place]),), seat)
    held = hand.held[seat - 1]
    if held and not hand.over:
        own = in_order(held, hand.suit, hand.how.natural)
        faces = own if seat == viewer else ("",) * len(held)
        yield Zone("held", tuple(map(PlayingCard, faces)), seat)
    label = phrase("spoil-five-tricks")
    yield Zone("tricks", (Score(hand.won[seat - 1], label),), seat)


def _shown(hand: SpoilHand) -> Trick:
    """Return the trick that lies on the table: the last one until the next card is played."""
    trick = hand.tricks[-1]
    return hand.tricks[-2] if not trick.cards and len(hand.tricks) > 1 else trick


def _caption(hand: SpoilHand, seat: int, viewer: Viewer) -> Caption | None:
    """Return what is told of a seat."""
    if any(fault.seat == seat for fault in hand.declared):
        return Caption(phrase("spoil-five-is-out"), "bad")
    if seat in hand.barred and (hand.over or seat == viewer):
        return Caption(phrase("spoil-five-is-barred"), "bad")
    if seat == viewer == hand.turn and hand.may_take and hand.stage is HandStage.PLAYING:
        due = hand.how.robbing is Robbing.DUE
        return Caption(phrase("spoil-five-must-rob" if due else "spoil-five-may-rob"), "good")
    if seat == hand.robber:
        return Caption(phrase("spoil-five-has-robbed"))
    if seat == hand.jinker:
        return Caption(phrase("spoil-five-goes-on"))
    if seat == _shown(hand).winner:
        return Caption(phrase("spoil-five-has-trick"), "good")
    return None


# -- the middle ------------------------------------------------------------------------------------


def _middle(state: State) -> Iterator[Zone]:
    yield Zone("pool", (Pile(Amount(state.pool)),), label=phrase("spoil-five-pool"))
    hand, told = state.hand, []
    if hand is not None:
        suit = phrase("spoil-five-trumps", suit=phrase(f"suit-{SUITS[hand.suit]}"))
        if hand.robber:
            yield Zone("trumps", (Caption(suit),))
        else:
            yield Zone("turned", (PlayingCard(hand.trump),), label=phrase("spoil-five-turned"))
            told.append(suit)
        trick = min(len(hand.tricks), CARDS)
        told.append(phrase("spoil-five-trick-number", number=trick, of=CARDS))
    told.append(phrase("spoil-five-deal", number=state.deal))
    pools = state.setup.pools
    told.append(phrase("spoil-five-pool-number", number=min(state.won + 1, pools), of=pools))
    yield Zone("notes", tuple(map(Caption, told)))


# -- what is said: trumps, robbing, cards, tricks, the pool ----------------------------------------

OF_SEATS = {
    AskFive: "spoil-five-asks",
    RefuseFive: "spoil-five-refuses",
    LeaveAce: "spoil-five-leaves",
    Jink: "spoil-five-jinks",
    DealAgain: "spoil-five-again",
}
OF_RESULTS = {
    Result.SPOILT: "spoil-five-spoilt-said",
    Result.COUNTED: "spoil-five-counted-said",
}


def opens(state: State) -> Saying:
    """Return what is said when the game begins."""
    return ("spoil-five-begins", *comes(state))


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    state = done.after
    action = done.action
    lost = isinstance(action, DeclareFault) and state.playing is None and state.hand is None
    if isinstance(action, Misdeal) or lost:
        return ("spoil-five-misdeal", *comes(state))
    hand = state.hand
    if hand is None:
        told = OF_SEATS.get(type(action))
        return (*((SeatName(getattr(action, "seat", 0)), told) if told else ()), *comes(state))
    return (*_of_hand(hand, action), *_then(state, hand, action))


def comes(state: State) -> Saying:
    """Return what is said when nothing is on: who deals, or who has won the last pool."""
    if state.closed:
        return ("redeemed",)
    if state.over or state.misdealt or state.dealing:
        return ()
    if state.playing is not None:
        return ()
    return ("spoil-five-deals", SeatName(state.following.dealer))


def _of_hand(hand: SpoilHand, action: object) -> Saying:
    match action:
        case AgreeFive() if hand.how.real:
            return ()  # the next card is
        case DealHands() | AgreeFive() | DealCard():
            return ("spoil-five-turns-up", CardName(hand.turned[-1]))
        case DeclareFault(seat):
            return (SeatName(seat), "spoil-five-fault")
        case PlayCard(seat, (face,)):
            return (SeatName(seat), CardName(face))
        case Rob(seat):
            return (SeatName(seat), "spoil-five-robs", CardName(hand.trump))
    told = OF_SEATS.get(type(action))
    return (SeatName(getattr(action, "seat", 0)), told) if told else ()


def _then(state: State, hand: SpoilHand, action: object) -> Saying:
    """Return what follows: a trick, how the hand ended, who deals next; or who leads."""
    if hand.over:
        return (*_trick(hand, action), *_said_at_end(state, hand), *comes(state))
    if hand.stage is HandStage.JINKING:
        return _trick(hand, action)
    if hand.stage is HandStage.PLAYING and not hand.played:
        return ("spoil-five-to-lead", SeatName(hand.turn))
    return _trick(hand, action)


def _trick(hand: SpoilHand, action: object) -> Saying:
    whole = hand.played and not len(hand.played) % hand.seats and isinstance(action, PlayCard)
    return ("spoil-five-trick", SeatName(hand.winner)) if whole else ()


def _said_at_end(state: State, hand: SpoilHand) -> Saying:
    if state.winners:
        jinked = ("spoil-five-jinked",) if hand.result is Result.JINKED else ()
        names = map(SeatName, state.winners)
        return (*jinked, "spoil-five-won", *names, Amount(state.prize))
    if hand.result is Result.BARRED and hand.declared:
        return ("spoil-five-stays",)
    if hand.result is Result.BARRED:
        return ("spoil-five-barred-said", *map(SeatName, hand.barred))
    if hand.result is Result.FAILED:
        return ("spoil-five-failed-said",)
    return (OF_RESULTS[hand.result],) if hand.result in OF_RESULTS else ()
