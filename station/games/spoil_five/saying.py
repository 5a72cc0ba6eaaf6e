"""Say what happens in Spoil-Five: trumps, robbing, cards, tricks, and who takes the pool. Pure."""

from __future__ import annotations

from station.games.spoil_five.actions import (
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
)
from station.games.spoil_five.hand import HandStage, Result, SpoilHand
from station.games.spoil_five.state import State
from station.rules.play import DeclareFault, Played, Saying
from station.rules.seen import Amount, CardName, SeatName

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
        return (*_trick(hand, action), *_ended(state, hand), *comes(state))
    if hand.stage is HandStage.JINKING:
        return _trick(hand, action)
    if hand.stage is HandStage.PLAYING and not hand.played:
        return ("spoil-five-to-lead", SeatName(hand.turn))
    return _trick(hand, action)


def _trick(hand: SpoilHand, action: object) -> Saying:
    whole = hand.played and not len(hand.played) % hand.seats and isinstance(action, PlayCard)
    return ("spoil-five-trick", SeatName(hand.winner)) if whole else ()


def _ended(state: State, hand: SpoilHand) -> Saying:
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
