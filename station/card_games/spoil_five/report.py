"""Tell a line of the record of Spoil-Five as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.card_games.spoil_five.hand import Result, SpoilHand, dealt_next
from station.card_games.spoil_five.state import State
from station.rules.play import Line, Played
from station.rules.seen import SeatName

MOVES = {
    "ask-five": "asks to five it",
    "keep-trumps": "keeps the trumps",
    "agree-five": "agrees to five it",
    "refuse-five": "refuses to five it",
    "leave-ace": "leaves the ace",
    "rob": "robs the trump card",
    "jink": "goes on for all five",
    "take-pool": "takes the pool for three tricks",
    "deal-again": "deals again",
    "pass-deal": "passes the deal",
}
FAULTS = {
    "misdeal": "has dealt wrongly: the deal is lost",
    "exposed": "has exposed a card: the deal is lost",
    "reneged": "has reneged, and might not: barred from the pool",
    "robbed": "has robbed, and might not: barred from the pool",
}
RESULTS = {
    "won": "takes the pool",
    "jinked": "jinks, and takes the pool",
    "spoilt": "spoilt: the pool stays",
    "barred": "had omitted to rob: the pool stays",
    "declared": "may not have the pool: it stays",
    "failed": "has not all five: the pool stays",
    "counted": "the hand is over, nobody is there yet",
}


def then(done: Played) -> Mapping[str, Any]:
    """Return what followed, as the journal says it: the card that was turned up or taken, who won a
    trick, how a hand ended and for whom, with how many counters."""
    state: State = done.after
    hand, before = state.hand, done.before.playing
    if hand is None and state.dealing:
        out = len(state.dealing) - 1
        return {"to": dealt_next(state.dealer, state.setup.seats, out)}
    if hand is None:
        return {}
    told: dict[str, Any] = {}
    if before is None or len(hand.turned) > len(before.turned):
        told["turned"] = hand.turned[-1] if hand.how.real else hand.trump
    if before is not None and hand.robber > before.robber:
        told["takes"] = hand.trump
    if before is not None and len(hand.winners) > len(before.winners):
        told["trick"] = hand.winner
    if hand.result is not None:
        declared = hand.result is Result.BARRED and hand.declared
        told |= {
            "result": "declared" if declared else str(hand.result),
            "players": [*_about(state, hand)],
        }
        told |= {"pool_paid": state.prize} if state.prize else {}
    return told


def _about(state: State, hand: SpoilHand) -> tuple[int, ...]:
    """Return the seats of which the end of a hand tells."""
    if state.winners:
        return state.winners
    return {"barred": hand.barred, "failed": (hand.jinker,)}.get(str(hand.result), ())


def report(move: Mapping[str, Any], then: Mapping[str, Any]) -> Line:
    """Return what a move did, and what followed, as a line of a report."""
    return (*_did(move, then), *_followed(then))


def _did(move: Mapping[str, Any], then: Mapping[str, Any]) -> Line:
    do = str(move["do"])
    if do == "deal-hands":
        return (f"five cards each; {then.get('turned', '')} is turned up",)
    if do == "deal-card":
        if "turned" in then:
            return (f"{then['turned']} is turned up",)
        return ("a card for ", SeatName(then["to"]))
    if do == "misdeal":
        return ("a misdeal: the deal is lost",)
    seat = SeatName(int(move["seat"]))
    if do == "declare-fault":
        return (seat, f" {FAULTS[move['kind']]}")
    if do == "play-card":
        return (seat, f" {' '.join(move['card'])}")
    card = then.get("turned") or then.get("takes")
    return (seat, f" {MOVES[do]}{f': {card}' if card else ''}")


def _followed(then: Mapping[str, Any]) -> Iterator[str | SeatName]:
    if "trick" in then:
        yield from ("; the trick: ", SeatName(then["trick"]))
    if "result" in then:
        yield "; "
        for place, seat in enumerate(then["players"]):
            yield from ((", ",) if place else ())
            yield SeatName(seat)
        yield f"{' ' if then['players'] else ''}{RESULTS[then['result']]}"
    if "pool_paid" in then:
        yield f": {then['pool_paid']}"
