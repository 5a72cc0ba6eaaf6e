"""Tell a line of the record of My Bird Sings as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.card_games.my_bird_sings.state import State
from station.rules.play import Line, Played
from station.rules.seen import SeatName

FAULTS = {"misdeal": "has dealt wrongly", "exposed": "has exposed a card"}
_DONE = {
    "listen": " has no song",
    "pass-on": " passes a card on",
    "put-out": " puts a card out",
    "turn-hand": " turns the hand to the next",
}


def then(done: Played) -> Mapping[str, Any]:
    """Return what followed, as the journal says it: to whom a card went, who laid tricks down, who
    has the pool, or who deals next."""
    before, after = done.before, done.after
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


def report(move: Mapping[str, Any], then: Mapping[str, Any]) -> Line:
    """Return what a move did, and what followed, as a line of a report."""
    if move["do"] == "declare-fault":
        return (SeatName(move["seat"]), f" {FAULTS[move['kind']]}: the cards are dealt anew")
    return (*_line(move, then), *_followed(then))


def _line(move: Mapping[str, Any], then: Mapping[str, Any]) -> Iterator[str | SeatName]:
    match move["do"]:
        case "deal-birds":
            yield "the cards are dealt"
        case "deal-card" if not then["to"]:
            yield "a card is laid aside"
        case "deal-card":
            yield from ("a card for ", SeatName(then["to"]))
        case "pick":
            yield from (SeatName(then["to"]), " takes a card of the hand")
        case "sing":
            yield from (SeatName(move["seat"]), f" sings: {' '.join(move['cards'])}")
        case do:
            yield from (SeatName(move["seat"]), _DONE[do])


def _followed(then: Mapping[str, Any]) -> Iterator[str | SeatName]:
    for key, words in (("tricks", "a trick for "), ("wins", "the pool goes to ")):
        if seats := then.get(key):
            yield f"; {words}"
            for place, seat in enumerate(seats):
                yield from ((", ",) if place else ())
                yield SeatName(seat)
    if "deals" in then:
        yield from ("; ten rounds without a song: ", SeatName(then["deals"]), " deals")
