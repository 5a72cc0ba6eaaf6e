"""Tell what was agreed on for Dice Keno, and its record, as lines of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import key, tr
from station.games.dice_keno.state import GOAL, GamePhase, State, Variation
from station.rules.play import Agreed, NameOf

WON = {
    Variation.ROW: key("Four in a row win the pool."),
    Variation.COVER: key("The first to cover his card wins the pool."),
    Variation.POINTS: key("The first with {goal} points wins the pool."),
}


def then(before: State, state: State) -> Mapping[str, object]:
    """Return whose turn it was, and what came of it, as the journal says it."""
    if before.phase is GamePhase.DEALING:
        return {}
    told: dict[str, Any] = {"seat": before.turn}
    if before.phase is GamePhase.LEADING:
        return told | ({"leads": state.turn} if state.phase is GamePhase.THROWING else {})
    if state.laid:
        told["laid"] = list(state.laid)
    if state.counted:
        told["points"] = list(state.points)
    return told | ({"winner": state.winner} if state.winner else {})


def report(move: Mapping[str, Any], came: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    if move["do"] == "deal-cards":
        return tr("the cards are dealt")
    if "seat" not in came:
        return str(move["do"])
    return "; ".join((_did(move, came, name), *_followed(came, name)))


def _did(move: Mapping[str, Any], came: Mapping[str, Any], name: NameOf) -> str:
    dice = move.get("dice") or [one for one in (move.get("first"), move.get("second")) if one]
    who = name(came["seat"])
    if not dice:
        done = tr("{name} covers square {square}", name=who, square=move.get("place"))
    elif len(dice) == 1:
        done = tr("{name} throws {first}", name=who, first=dice[0])
    else:
        done = tr("{name} throws {first} and {second}", name=who, first=dice[0], second=dice[1])
    if "points" not in came:
        return done
    points = ", ".join(map(str, came["points"]))
    return tr("{done} and has covered the card; points now: {points}", done=done, points=points)


def _followed(came: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    if "leads" in came:
        yield tr("{name} leads", name=name(came["leads"]))
    if "winner" in came:
        yield tr("Keno: {name} has won", name=name(came["winner"]))


def terms(agreed: Agreed, stake: str) -> Iterator[str]:
    """Yield what was agreed on, in sentences."""
    counters = agreed.count("counters")
    yield (
        tr("Stake {stake} for each player.", stake=stake)
        if agreed.flag("in_money")
        else tr("Stake {stake} for each player, in {count} counters.", stake=stake, count=counters)
    )
    yield tr(WON[Variation(agreed.word("variation"))], goal=GOAL)
