"""Say what happens in My Bird Sings: deals, songs, rounds, cards of the stock, who has the pool.
Pure."""

from __future__ import annotations

from station.games.my_bird_sings.actions import Action, DealBirds, DealCard, PutOut, Sing
from station.games.my_bird_sings.state import GamePhase, State
from station.rules.play import DeclareFault, Played, Saying
from station.rules.seen import SeatName


def opens(state: State) -> Saying:
    """Return what is said when the game begins."""
    return ("bird-begins", *_deals(state))


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action. A card that is passed on is not announced before the
    end of a round."""
    before, after = done.before, done.after
    match done.action:
        case DealBirds():
            return ("bird-dealt",)
        case Sing(seat):
            return (SeatName(seat), "bird-sings", *_follows(before, after))
        case DealCard():
            return _dealt(before, after)
        case DeclareFault():
            return ("bird-misdeal", *_deals(after))
        case PutOut(seat) if after.owed:
            return ()
        case PutOut(seat):
            new = before.hands != after.hands
            return (SeatName(seat), "bird-new-card" if new else "bird-own-card")
    return _follows(before, after)


def _dealt(before: State, after: State) -> Saying:
    """Return what is said of a real card of the pack: nothing before the last that is owed."""
    if after.owed or not before.hands:
        return ()
    if before.out:
        own = before.out in after.hands[after.turn - 1]
        return (SeatName(after.turn), "bird-own-card" if own else "bird-new-card")
    return ("bird-dealt",) if after.fresh else ()


def comes(state: State) -> Saying:
    """Return what is said at the end of a deal or of the game; nothing in the middle."""
    if state.phase is GamePhase.CLOSED:
        return ("redeemed",)
    winners = tuple(map(SeatName, state.winners))
    if winners and not state.setup.tricks:
        return ("bird-wins", *winners)
    if winners:
        return ("bird-most", *winners) if state.laid else ("bird-no-tricks",)
    return () if state.hands else ("bird-dead", *_deals(state))


def _deals(state: State) -> Saying:
    return ("bird-deals", SeatName(state.dealer))


def _follows(before: State, after: State) -> Saying:
    """Return what is said of all that follows: new cards for tricks, a round, the end."""
    if after.over or not after.hands:
        return comes(after)
    laid = tuple(SeatName(song.seat) for song in after.laid[len(before.laid) :])
    cards = ("bird-new-cards", *laid) if laid else ()
    return (*cards, *(("bird-round", after.rounds) if after.rounds > before.rounds else ()))
