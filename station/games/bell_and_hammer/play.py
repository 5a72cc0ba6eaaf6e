"""Play Bell and Hammer by a company at a table: the game class, an example, a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from station.base.tongue import key, tr
from station.games.bell_and_hammer.bot import bot, worth
from station.games.bell_and_hammer.rules import MOVES, BellAndHammerRules, broken
from station.games.bell_and_hammer.state import (
    BLANKS,
    DOZEN,
    Action,
    Bid,
    GamePhase,
    KnockDown,
    Setup,
    State,
    TakeBack,
    ThrowCubes,
)
from station.games.bell_and_hammer.view import awaited, comes, opens, say, view
from station.rules.abilities import Auctions, CanBeBrokenOff, CanBeWorkedOut, TakesBack
from station.rules.example import Example, Step, step, together
from station.rules.play import (
    COMPANY,
    Actor,
    Agreed,
    Chance,
    Dealing,
    Luck,
    NameOf,
    Need,
    Setting,
    ThingWorth,
    own_moves,
)
from station.rules.seating import SEATS
from station.rules.seen import Move, Slot, SlotKind, Viewer


def _sold(*bids: tuple[int, int], passes: tuple[int, ...], rule: str = "") -> Step:
    """Return the sale of a card: bids by seat, then who passes."""
    return together(
        *(step("bid", seat=seat, counters=counters) for seat, counters in bids),
        *(step("pass-bid", seat=seat) for seat in passes),
        step("knock-down"),
        rule=rule,
    )


def _throw(*shown: str, rule: str = "") -> Step:
    return step("throw-cubes", rule, shown=shown)


EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 24},
    rule="bell-and-hammer-counters",
    steps=(
        step("bid", "bell-and-hammer-auction", seat=1, counters=3),
        step("bid", "bell-and-hammer-bids", seat=2, counters=4),
        step("pass-bid", seat=3),
        step("bid", seat=1, counters=5),
        step("pass-bid", seat=2),
        step("knock-down", "bell-and-hammer-throw"),
        _sold((1, 4), (2, 6), passes=(3, 1)),
        _sold((1, 6), (2, 8), (3, 9), passes=(1, 2)),
        _sold((1, 5), (2, 7), passes=(3, 1), rule="bell-and-hammer-debt"),
        together(*(step("pass-bid", seat=seat) for seat in (1, 2, 3)), rule="bell-and-hammer-bids"),
        step("knock-down", "bell-and-hammer-given"),
        _throw("6", "5", "4", "3", rule="bell-and-hammer-numbers"),
        _throw("2", "5", "bell", rule="bell-and-hammer-with"),
        _throw("blank", rule="bell-and-hammer-blanks"),
        _throw("hammer", rule="bell-and-hammer-alone"),
        step("offer-throw", "bell-and-hammer-sell", seat=2),
        together(step("bid", seat=3, counters=3), step("pass-bid", seat=1)),
        step("sell-throw", seat=2),
        _throw("6", "5", "2", rule="bell-and-hammer-numbers"),
        _throw("4", "5", "hammer"),
        _throw("6", "5"),
        _throw("blank"),
        _throw("4", "5", rule="bell-and-hammer-inn"),
        _throw("bell", rule="bell-and-hammer-begun"),
        _throw("5", rule="bell-and-hammer-end"),
    ),
)


# -- the game at the table: settings, moves, lines of a report -------------------------------------

SETTINGS = (
    Setting("dozens", 2, least=1, most=50),
    Setting("receipts", False),
    Setting("nuts", False),
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


def _asked(state: State) -> Iterator[Move]:
    """Yield what may be asked for; of the throws one that the station throws, and one whose marks
    are keyed in."""
    for action in GAME.legal_actions(state):
        if isinstance(action, ThrowCubes):
            marks = (*state.setup.cubes, *BLANKS)
            yield Move(COMPANY, "throw-cubes")
            slot = Slot(("shown",), SlotKind.CUBES, marks, most=len(state.setup.cubes))
            yield Move(COMPANY, "throw-cubes", slots=(slot,))
        elif not isinstance(action, TakeBack):  # which the host does as with a knob
            yield _move(state, action)


def _move(state: State, action: Action) -> Move:
    do = next(do for do, kind in MOVES.items() if isinstance(action, kind))
    match action:
        case KnockDown():
            return Move(COMPANY, do)
        case Bid(seat, least):
            slot = Slot(("counters",), SlotKind.NUMBER, least=least, most=state.setup.highest)
            return Move(seat, do, {"seat": seat}, (slot,))
    seat = asdict(action)["seat"]
    return Move(seat, do, {"seat": seat})


def _thrown(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    marks = " ".join(tr(MARKS.get(mark, mark)) for mark in move["shown"])
    yield tr("{name} throws {marks}", name=name(then["thrower"]), marks=marks)
    for source, target, counters in then["paid"]:
        words = {"other": name(target), "count": counters}
        if source:
            yield tr("{name} pays {count} to {other}", name=name(source), **words)
        else:
            yield tr("the pool pays {count} to {other}", **words)


class BellAndHammer(
    BellAndHammerRules,
    Auctions,
    TakesBack[Action],
    CanBeBrokenOff[State],
    CanBeWorkedOut[State],
):
    """Bell and Hammer as a `Game`., by a company at a table."""

    example = EXAMPLE
    settings = SETTINGS
    seats = (2, SEATS)
    needs = frozenset({Need.CUBES})
    gavel = "knock-down"

    broken = staticmethod(broken)
    view = staticmethod(view)
    opens = staticmethod(opens)
    say = staticmethod(say)
    comes = staticmethod(comes)
    bot = staticmethod(bot)

    def setup(self, agreed: Agreed, dealing: Dealing) -> Setup:
        """Return the setup of a company's game."""
        return Setup(
            dealing.purses,
            start=DOZEN * agreed.count("dozens"),
            price=agreed.count("stake") // agreed.count("dozens") if agreed.flag("receipts") else 0,
            nuts=agreed.flag("nuts"),
        )

    def parts(self, agreed: Agreed) -> tuple[int, str]:
        """Return what the stake must be a multiple of, and why."""
        dozens = agreed.count("dozens")
        if agreed.flag("receipts"):
            return dozens, tr("it buys {count} dozen counters", count=dozens)
        counters = DOZEN * dozens
        return counters, tr("each player's {count} counters are worth it", count=counters)

    def value(self, agreed: Agreed) -> int:
        """Return what a unit is worth, in minor units: a counter's part of the stake. With receipts
        the unit is one minor unit."""
        return (
            1
            if agreed.flag("receipts")
            else int(agreed.count("stake") // (DOZEN * agreed.count("dozens")))
        )

    def charge(self, agreed: Agreed, _: int) -> int:
        """Return what a seat pays before the game, in units."""
        return int(
            agreed.count("stake") if agreed.flag("receipts") else DOZEN * agreed.count("dozens")
        )

    def to_act(self, state: State) -> frozenset[int | Actor]:
        """Return who is awaited."""
        if state.over:
            return frozenset()
        if state.phase is GamePhase.THROWS and state.auction is None:
            return frozenset({Actor.CHANCE, *awaited(state)})
        return frozenset(awaited(state) or {Actor.HOST})

    def step(self, state: State) -> str:
        """Return what comes next, in a word: what the button does is the move of that name."""
        if self.chance(state) is not None:
            return "throw"
        return "knock-down" if Actor.HOST in self.to_act(state) else "move"

    def actions(self, state: State, viewer: Viewer) -> Iterator[Move]:
        """Yield what a viewer may ask for."""
        return own_moves(_asked(state), viewer)

    def chance(self, state: State) -> Chance | None:
        """Return what chance decides now."""
        if Actor.CHANCE not in self.to_act(state):
            return None
        return Chance(Luck.CUBES, "throw-cubes", "shown", things=state.setup.cubes)

    def take_back(self) -> TakeBack:
        """Return the action that takes the last one back."""
        return TakeBack()

    def then(self, before: State, after: State) -> Mapping[str, Any]:
        """Return what was sold, or paid for a throw, as the journal says it."""
        sale = before.auction
        if sale is not None and len(after.owners) > len(before.owners):
            return {"sold": [str(before.lot), after.owners[-1], sale.bid]}
        if after.last is not None and after.throws > before.throws:
            paid = [[one.source, one.target, one.counters] for one in after.last.payments]
            return {"thrower": before.thrower, "paid": paid, "pool": after.pool}
        passed = after.throws == before.throws and after.thrower != before.thrower
        if sale is not None and passed and not after.over:
            return {"sold": ["throw", after.thrower, sale.bid]}
        return {}

    def report(self, move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
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

    def terms(self, agreed: Agreed, stake: str) -> Iterator[str]:
        """Yield what was agreed on, in sentences."""
        told = {"count": DOZEN * agreed.count("dozens"), "stake": stake, "dozen": DOZEN}
        yield (
            tr("Each has {count} nuts for {stake}, and puts {dozen} into the pool.", **told)
            if agreed.flag("nuts")
            else tr(
                "Each has {count} counters for {stake}, and puts {dozen} into the pool.", **told
            )
        )
        if agreed.flag("receipts"):
            yield tr("What was paid for them is divided at the end, by what each holds then.")

    def worths(self, agreed: Agreed, seats: int) -> tuple[ThingWorth, ...]:
        """Return what the cards are worth, when all counters that are given out are in the pool."""
        cards = worth(seats, seats * DOZEN * agreed.count("dozens")).cards
        return tuple(ThingWorth(f"emblem-{card}", units) for card, units in cards.items())


GAME = BellAndHammer()
