"""Play Bell and Hammer by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from station.base.tongue import key, tr
from station.dice_games.bell_and_hammer.actions import (
    BLANKS,
    Action,
    Bid,
    KnockDown,
    TakeBack,
    ThrowCubes,
)
from station.dice_games.bell_and_hammer.bot import bot
from station.dice_games.bell_and_hammer.example import EXAMPLE
from station.dice_games.bell_and_hammer.game import GAME, MOVES
from station.dice_games.bell_and_hammer.saying import comes, say
from station.dice_games.bell_and_hammer.seen import awaited, view
from station.dice_games.bell_and_hammer.state import DOZEN, GamePhase, Setup, State
from station.dice_games.bell_and_hammer.throwing import broken
from station.dice_games.bell_and_hammer.worth import worth
from station.rules import play
from station.rules.seating import SEATS
from station.rules.seen import Move, Slot, SlotKind

SETTINGS = (
    play.Setting("dozens", 2, least=1, most=50),
    play.Setting("receipts", False),
    play.Setting("nuts", False),
)


SOLD = {
    "white-horse": key("white horse"),
    "inn": key("inn"),
    "bell": key("bell"),
    "hammer": key("hammer"),
    "bell-with-hammer": key("bell with hammer"),
    "throw": key("throw"),
}
MARKS = {"bell": key("bell"), "hammer": key("hammer"), "blank": key("blank")}  # but numbers
DONE = {
    "pass-bid": key("{name} passes"),
    "offer-throw": key("{name} offers the throw"),
    "keep-throw": key("{name} keeps the throw"),
}


def _setup(agreed: play.Agreed, dealing: play.Dealing) -> Setup:
    return Setup(
        dealing.purses,
        start=DOZEN * agreed["dozens"],
        price=agreed["stake"] // agreed["dozens"] if agreed["receipts"] else 0,
        nuts=agreed["nuts"],
    )


def _value(agreed: play.Agreed) -> int:
    """Return what a unit is worth, in minor units: a counter its part of the stake; where receipts
    are divided purses are counted in minor units."""
    return 1 if agreed["receipts"] else int(agreed["stake"] // (DOZEN * agreed["dozens"]))


def _parts(agreed: play.Agreed) -> tuple[int, str]:
    dozens = agreed["dozens"]
    if agreed["receipts"]:
        return dozens, tr("it buys {count} dozen counters", count=dozens)
    counters = DOZEN * dozens
    return counters, tr("each player's {count} counters are worth it", count=counters)


def _charge(agreed: play.Agreed, _: int) -> int:
    return int(agreed["stake"] if agreed["receipts"] else DOZEN * agreed["dozens"])


def _to_act(state: State) -> frozenset[int | play.Actor]:
    if state.over:
        return frozenset()
    if state.phase is GamePhase.THROWS and state.auction is None:
        return frozenset({play.Actor.CHANCE, *awaited(state)})
    return frozenset(awaited(state) or {play.Actor.HOST})


def _step(state: State) -> str:
    """Return what comes next, in a word: what the button does is the move of that name."""
    if _chance(state) is not None:
        return "throw"
    return "knock-down" if play.Actor.HOST in _to_act(state) else "move"


def _chance(state: State) -> play.Chance | None:
    if play.Actor.CHANCE not in _to_act(state):
        return None
    return play.Chance(play.Luck.CUBES, "throw-cubes", "shown", things=state.setup.cubes)


def _asked(state: State) -> Iterator[Move]:
    """Yield what may be asked for; of the throws one that the station throws, and one whose marks
    are keyed in."""
    for action in GAME.actions(state):
        if isinstance(action, ThrowCubes):
            marks = (*state.setup.cubes, *BLANKS)
            yield Move(play.COMPANY, "throw-cubes")
            slot = Slot(("shown",), SlotKind.CUBES, marks, most=len(state.setup.cubes))
            yield Move(play.COMPANY, "throw-cubes", slots=(slot,))
        elif not isinstance(action, TakeBack):  # which the host does as with a knob
            yield _move(state, action)


def _move(state: State, action: Action) -> Move:
    do = next(do for do, kind in MOVES.items() if isinstance(action, kind))
    match action:
        case KnockDown():
            return Move(play.COMPANY, do)
        case Bid(seat, least):
            slot = Slot(("counters",), SlotKind.NUMBER, least=least, most=state.setup.highest)
            return Move(seat, do, {"seat": seat}, (slot,))
    seat = asdict(action)["seat"]
    return Move(seat, do, {"seat": seat})


def _then(done: play.Played) -> Mapping[str, Any]:
    """Return what was sold, or paid for a throw, as the journal says it."""
    before, after = done.before, done.after
    sale = before.auction
    if len(after.owners) > len(before.owners):
        return {"sold": [str(before.lot), after.owners[-1], sale.bid]}
    if after.throws > before.throws:
        paid = [[one.source, one.target, one.counters] for one in after.last.payments]
        return {"thrower": before.thrower, "paid": paid, "pool": after.pool}
    if after.throws == before.throws and after.thrower != before.thrower and not after.over:
        return {"sold": ["throw", after.thrower, sale.bid]}
    return {}


def _report(move: Mapping[str, Any], then: Mapping[str, Any], name: play.NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    who = name(move["seat"]) if "seat" in move else ""
    match move["do"]:
        case "bid":
            return tr("{name} bids {count}", name=who, count=move["counters"])
        case "knock-down":
            what, seat, price = then["sold"]
            words = {"what": tr(SOLD[what]), "name": name(seat)}
            if not price:
                return tr("{what} to {name}, for nothing", **words)
            return tr("{what} to {name}, for {count}", count=price, **words)
        case "sell-throw":
            _, seat, price = then["sold"]
            told = {"name": who, "other": name(seat), "count": price}
            return tr("{name} sells the throw to {other}, {count}", **told)
        case "throw-cubes":
            return "; ".join(_thrown(move, then, name))
        case do:
            return tr(DONE[do], name=who)


def _thrown(move: Mapping[str, Any], then: Mapping[str, Any], name: play.NameOf) -> Iterator[str]:
    marks = " ".join(tr(MARKS.get(mark, mark)) for mark in move["shown"])
    yield tr("{name} throws {marks}", name=name(then["thrower"]), marks=marks)
    for source, target, counters in then["paid"]:
        words = {"other": name(target), "count": counters}
        if source:
            yield tr("{name} pays {count} to {other}", name=name(source), **words)
        else:
            yield tr("the pool pays {count} to {other}", **words)


def _terms(agreed: play.Agreed, stake: str) -> Iterator[str]:
    told = {"count": DOZEN * agreed["dozens"], "stake": stake, "dozen": DOZEN}
    yield (
        tr("Each has {count} nuts for {stake}, and puts {dozen} into the pool.", **told)
        if agreed["nuts"]
        else tr("Each has {count} counters for {stake}, and puts {dozen} into the pool.", **told)
    )
    if agreed["receipts"]:
        yield tr("What was paid for them is divided at the end, by what each holds then.")


def _worths(agreed: play.Agreed, seats: int) -> tuple[play.ThingWorth, ...]:
    """Return what the cards are worth, when all counters that are given out are in the pool."""
    cards = worth(seats, seats * DOZEN * agreed["dozens"]).cards
    return tuple(play.ThingWorth(f"emblem-{card}", units) for card, units in cards.items())


PLAY = play.Play(
    example=EXAMPLE,
    game=GAME,
    settings=SETTINGS,
    seats=(2, SEATS),
    needs=frozenset({play.Need.CUBES}),
    setup=_setup,
    parts=_parts,
    value=_value,
    charge=_charge,
    to_act=_to_act,
    step_of=_step,
    actions=play.own_moves(_asked),
    moves=MOVES,
    chance=_chance,
    gavel="knock-down",
    take_back=TakeBack,
    broken=broken,
    view=view,
    then=_then,
    say=say,
    comes=comes,
    bot=bot,
    report=_report,
    terms=_terms,
    worths=_worths,
)
