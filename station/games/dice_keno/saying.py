"""Say what happens in Dice Keno: who throws what, who leads, Keno, the count. Pure."""

from __future__ import annotations

from station.games.dice_keno.actions import Action, Deal, Read, TakeBack, Throw
from station.games.dice_keno.seen import passed
from station.games.dice_keno.state import FIVES, GamePhase, State, Variation
from station.rules.play import Played, Saying
from station.rules.seen import SeatName


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    before, state = done.before, done.after
    match done.action:
        case Deal():
            return ("cards-dealt", "dice-keno-all-throw")
        case TakeBack():
            return ("dice-keno-taken-back",)
        case Throw() | Read():
            thrown: Saying = (SeatName(before.turn), "dice-keno-throws", *state.dice)
            # the dice of a card that was counted do not lie there any more
            return (*(thrown if state.dice else ()), *_followed(before, state))
    return _won(state)


def comes(state: State) -> Saying:
    """Return what is said at the end."""
    return ("game-closed",) if state.over else ()


def _followed(before: State, state: State) -> Saying:
    """Return what is said of what a throw has led to."""
    if before.phase is GamePhase.LEADING:
        if state.phase is GamePhase.THROWING:
            return ("dice-keno-leads", SeatName(state.turn))
        return () if state.sums else ("dice-keno-tie",)
    if state.counted:
        return (*_counted(before, state), *_won(state))
    return ("dice-keno-nothing",) if passed(state) else _won(state)


def _won(state: State) -> Saying:
    if not state.winner:
        return ()
    ends = () if state.setup.variation is Variation.POINTS else ("dice-keno-ends",)
    return (*ends, SeatName(state.winner), "has-won")


def _counted(before: State, state: State) -> Saying:
    """Return the count of a card: what its winner has for it, and takes from whom; what each of the
    others has."""
    own = state.setup.total
    said: Saying = ("dice-keno-counted", SeatName(before.turn), "dice-keno-scores", own)
    for seat, got in enumerate(state.counted, 1):
        spots = before.spots(seat)
        if seat == before.turn or not spots:
            continue
        if spots % FIVES:
            said = (*said, SeatName(seat), "dice-keno-scores", got)
        else:
            said = (*said, SeatName(seat), "dice-keno-loses", spots)
    return said
