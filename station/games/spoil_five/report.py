"""Tell a line of the record of Spoil-Five as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import key, tr
from station.games.spoil_five.hand import Result, SpoilHand, dealt_next
from station.games.spoil_five.state import State
from station.rules.play import NameOf

MOVES = {
    "ask-five": key("{name} asks to five it"),
    "keep-trumps": key("{name} keeps the trumps"),
    "agree-five": key("{name} agrees to five it"),
    "refuse-five": key("{name} refuses to five it"),
    "leave-ace": key("{name} leaves the ace"),
    "rob": key("{name} robs the trump card"),
    "jink": key("{name} goes on for all five"),
    "take-pool": key("{name} takes the pool for three tricks"),
    "deal-again": key("{name} deals again"),
    "pass-deal": key("{name} passes the deal"),
}
FAULTS = {
    "misdeal": key("{name} has dealt wrongly: the deal is lost"),
    "exposed": key("{name} has exposed a card: the deal is lost"),
    "reneged": key("{name} has reneged, and might not: barred from the pool"),
    "robbed": key("{name} has robbed, and might not: barred from the pool"),
}
RESULTS = {
    "won": key("{names} takes the pool"),
    "jinked": key("{names} jinks, and takes the pool"),
    "spoilt": key("spoilt: the pool stays"),
    "barred": key("{names} had omitted to rob: the pool stays"),
    "declared": key("{names} may not have the pool: it stays"),
    "failed": key("{names} has not all five: the pool stays"),
    "counted": key("the hand is over, nobody is there yet"),
}


def then(before: State, state: State) -> Mapping[str, object]:
    """Return what followed, as the journal says it: the card that was turned up or taken, who won a
    trick, how a hand ended and for whom, with how many counters."""
    hand, had = state.hand, before.playing
    if hand is None and state.dealing:
        out = len(state.dealing) - 1
        return {"to": dealt_next(state.dealer, state.setup.seats, out)}
    if hand is None:
        return {}
    told: dict[str, Any] = {}
    if had is None or len(hand.turned) > len(had.turned):
        told["turned"] = hand.turned[-1] if hand.how.real else hand.trump
    if had is not None and hand.robber > had.robber:
        told["takes"] = hand.trump
    if had is not None and len(hand.winners) > len(had.winners):
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


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    return "; ".join((_did(move, then, name), *_followed(then, name)))


def _did(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    do = str(move["do"])
    if do == "deal-hands":
        return tr("five cards each; {card} is turned up", card=then.get("turned", ""))
    if do == "deal-card":
        if "turned" in then:
            return tr("{card} is turned up", card=then["turned"])
        return tr("a card for {name}", name=name(then["to"]))
    if do == "misdeal":
        return tr("a misdeal: the deal is lost")
    who = name(int(move["seat"]))
    if do == "declare-fault":
        return tr(FAULTS[move["kind"]], name=who)
    if do == "play-card":
        return f"{who} {' '.join(move['card'])}"
    card = then.get("turned") or then.get("takes")
    return tr(MOVES[do], name=who) + (f": {card}" if card else "")


def _followed(then: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    if "trick" in then:
        yield tr("the trick: {name}", name=name(then["trick"]))
    if "result" in then:
        ended = tr(RESULTS[then["result"]], names=", ".join(map(name, then["players"])))
        yield ended + (f": {then['pool_paid']}" if "pool_paid" in then else "")
