"""Tell what was agreed on for Dice Keno, and its record, as lines of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.dice_games.dice_keno.state import GOAL, GamePhase, Variation
from station.rules.play import Agreed, Line, Played
from station.rules.seen import SeatName


def then(done: Played) -> Mapping[str, Any]:
    """Return whose turn it was, and what came of it, as the journal says it."""
    before, state = done.before, done.after
    if before is None or before.phase is GamePhase.DEALING:
        return {}
    told: dict[str, Any] = {"seat": before.turn}
    if before.phase is GamePhase.LEADING:
        return told | ({"leads": state.turn} if state.phase is GamePhase.THROWING else {})
    if state.laid:
        told["laid"] = list(state.laid)
    if state.counted:
        told["points"] = list(state.points)
    return told | ({"winner": state.winner} if state.winner else {})


def report(move: Mapping[str, Any], came: Mapping[str, Any]) -> Line:
    """Return what a move did, and what followed, as a line of a report."""
    if move["do"] == "deal-cards":
        return ("the cards are dealt",)
    if "seat" not in came:
        return (str(move["do"]),)
    dice = move.get("dice") or [one for one in (move.get("first"), move.get("second")) if one]
    square = move.get("place")
    done = f" throws {' and '.join(map(str, dice))}" if dice else f" covers square {square}"
    return (SeatName(came["seat"]), done, *_followed(came))


def _followed(came: Mapping[str, Any]) -> Iterator[str | SeatName]:
    if "leads" in came:
        yield from ("; ", SeatName(came["leads"]), " leads")
    if "points" in came:
        points = ", ".join(map(str, came["points"]))
        yield f" and has covered the card; points now: {points}"
    if "winner" in came:
        yield from ("; Keno: ", SeatName(came["winner"]), " has won")


def terms(agreed: Agreed, stake: str) -> Iterator[str]:
    """Yield what was agreed on, in sentences."""
    yield f"Stake {stake} for each player" + (
        "." if agreed["in_money"] else f", in {agreed['counters']} counters."
    )
    yield {
        Variation.ROW: "Four in a row win the pool.",
        Variation.COVER: "The first to cover his card wins the pool.",
        Variation.POINTS: f"The first with {GOAL} points wins the pool.",
    }[Variation(agreed["variation"])]
