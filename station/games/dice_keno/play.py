"""Play Dice Keno by a company at a table: the game class, an example, a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import key, tr
from station.games.dice_keno import rules
from station.games.dice_keno.bot import bot, exact
from station.games.dice_keno.rules import LEAST, MOST, DiceKenoRules
from station.games.dice_keno.state import GOAL, Action, GamePhase, Setup, State, TakeBack, Variation
from station.games.dice_keno.view import comes, say, view
from station.rules.abilities import CanBeBrokenOff, CanBeWorkedOut, TakesBack
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
    own_moves,
)
from station.rules.seen import Move, Slot, SlotKind, Viewer

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


# -- an example: a tie for the lead, and four in a row ---------------------------------------------


def _throw(*dice: int, rule: str = "") -> Step:
    return step("throw-dice", rule, dice=dice)


def _covers(die: int, place: int, rule: str = "") -> Step:
    return together(_throw(die), step("cover-square", place=place), rule=rule)


EXAMPLE = Example(
    names=("Anna", "Bruno"),
    agreed={"stake": 30},
    rule="dice-keno-cards",
    steps=(
        step("deal-cards", "dice-keno-lead", cards=("3", "2", "6", "8", "4", "1", "5", "7")),
        _throw(6, 2),
        _throw(2, 6),
        _throw(4, 1),
        _throw(2, 1, rule="dice-keno-lead"),
        _throw(6, rule="dice-keno-choice"),
        step("cover-square", "dice-keno-turn", place=5),
        _covers(2, 5),
        _covers(5, 13),
        _covers(5, 15),
        _covers(4, 1),
        _covers(1, 0),
        _covers(6, 14),
        _throw(1, rule="dice-keno-must"),
        _throw(6),
        _throw(1, rule="dice-keno-pass"),
        _covers(2, 12),
        _covers(3, 10, rule="dice-keno-row"),
    ),
)


# -- the game at the table: settings and stakes ----------------------------------------------------

SETTINGS = (
    Setting("variation", "row", values=tuple(Variation)),
    Setting("in_money", False),
    Setting("counters", 30, least=15, most=1000),
)


def _stake(agreed: Agreed) -> int:
    """Return what each puts into the pool, in units: minor units of money, or counters."""
    return int(agreed.count("stake") if agreed.flag("in_money") else agreed.count("counters"))


def _asked(state: State) -> Iterator[Move]:
    if state.phase is GamePhase.COVERING:
        places = state.free(state.turn, state.dice[0])
        yield Move(state.turn, "cover-square", slots=(Slot(("place",), SlotKind.SQUARE, places),))
    if state.thrown:
        # the host alone reads real dice: a player could say what he likes
        spots = tuple(range(1, state.setup.faces + 1))
        names = ("first", "second")[: state.thrown]
        slots = tuple(Slot((name,), SlotKind.NUMBER, spots) for name in names)
        yield Move(COMPANY, "read-dice", slots=slots)


class DiceKeno(
    DiceKenoRules,
    TakesBack[Action],
    CanBeBrokenOff[State],
    CanBeWorkedOut[State],
):
    """Dice Keno, by a company at a table."""

    example = EXAMPLE
    settings = SETTINGS
    seats = (LEAST, MOST)
    needs = frozenset({Need.DICE})
    broken = staticmethod(rules.close)

    view = staticmethod(view)
    then = staticmethod(then)
    say = staticmethod(say)
    comes = staticmethod(comes)
    bot = staticmethod(bot)
    report = staticmethod(report)
    terms = staticmethod(terms)
    exact = staticmethod(exact)

    def setup(self, agreed: Agreed, dealing: Dealing) -> Setup:
        """Return the setup of a company's game."""
        return Setup(
            dealing.purses,
            Variation(agreed.word("variation")),
            _stake(agreed),
            in_money=agreed.flag("in_money"),
            value=self.value(agreed),
        )

    def parts(self, agreed: Agreed) -> tuple[int, str]:
        """Return what the stake must be a multiple of, and why."""
        if agreed.flag("in_money"):
            return 1, ""
        counters = agreed.count("counters")
        return counters, tr("{count} counters are worth it", count=counters)

    def value(self, agreed: Agreed) -> int:
        """Return what a unit is worth, in minor units."""
        return int(agreed.count("stake") // _stake(agreed))

    def charge(self, agreed: Agreed, cards: int) -> int:
        """Return what a seat pays before the game, in units."""
        return _stake(agreed)

    def to_act(self, state: State) -> frozenset[int | Actor]:
        """Return who is awaited."""
        if state.over:
            return frozenset()
        if state.misread:
            return frozenset({Actor.HOST})
        awaited = {Actor.CHANCE} if self.chance(state) else set()
        return frozenset(awaited | ({state.turn} if state.turn else set()))

    def actions(self, state: State, viewer: Viewer) -> Iterator[Move]:
        """Yield what a viewer may ask for."""
        return own_moves(_asked(state), viewer)

    def chance(self, state: State) -> Chance | None:
        """Return what chance decides now."""
        if state.phase is GamePhase.DEALING:
            cards = tuple(state.setup.cards)
            return Chance(Luck.SHUFFLE, "deal-cards", "cards", things=cards)
        if not state.thrown or state.misread:
            return None
        return Chance(Luck.DICE, "throw-dice", "dice", dice=state.thrown, faces=state.setup.faces)

    def take_back(self) -> TakeBack:
        """Return the action that takes the last one back."""
        return TakeBack()


GAME = DiceKeno()
