"""Tell a line of the record of My Bird Sings as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import key, tr
from station.games.my_bird_sings.state import State
from station.rules.play import NameOf

FAULTS = {
    "misdeal": key("{name} has dealt wrongly: the cards are dealt anew"),
    "exposed": key("{name} has exposed a card: the cards are dealt anew"),
}
_DONE = {
    "listen": key("{name} has no song"),
    "pass-on": key("{name} passes a card on"),
    "put-out": key("{name} puts a card out"),
    "turn-hand": key("{name} turns the hand to the next"),
}


def then(before: State, after: State) -> Mapping[str, object]:
    """Return what followed, as the journal says it: to whom a card went, who laid tricks down, who
    has the pool, or who deals next."""
    if before.setup.real and before.deals and after.hands:
        had = before.hands or ((),) * before.setup.seats
        grown = (seat for seat, hand in enumerate(after.hands, 1) if len(hand) > len(had[seat - 1]))
        return {"to": next(grown, 0)}
    told = {
        "to": after.turn if before.hands and after.turn != before.turn else 0,
        "tricks": _tricks(before, after),
        "wins": [*after.winners],
        "deals": 0 if after.hands or after.over else after.dealer,
    }
    return {key: some for key, some in told.items() if some}


def _tricks(before: State, after: State) -> list[int]:
    new = after.laid[len(before.laid) :]
    return [song.seat for song in new] if after.setup.tricks else []


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    return "; ".join((_did(move, then, name), *_followed(then, name)))


def _did(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    match move["do"]:
        case "deal-birds":
            return tr("the cards are dealt")
        case "deal-card" if not then["to"]:
            return tr("a card is laid aside")
        case "deal-card":
            return tr("a card for {name}", name=name(then["to"]))
        case "pick":
            return tr("{name} takes a card of the hand", name=name(then["to"]))
        case "sing":
            cards = " ".join(move["cards"])
            return tr("{name} sings: {cards}", name=name(move["seat"]), cards=cards)
        case "declare-fault":
            return tr(FAULTS[move["kind"]], name=name(move["seat"]))
        case do:
            return tr(_DONE[do], name=name(move["seat"]))


def _followed(then: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    if seats := then.get("tricks"):
        yield tr("a trick for {names}", names=", ".join(map(name, seats)))
    if seats := then.get("wins"):
        yield tr("the pool goes to {names}", names=", ".join(map(name, seats)))
    if "deals" in then:
        yield tr("ten rounds without a song: {name} deals", name=name(then["deals"]))
