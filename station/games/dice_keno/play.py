"""Play Dice Keno by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from station.base.tongue import tr
from station.games.dice_keno import throwing
from station.games.dice_keno.actions import Action, TakeBack
from station.games.dice_keno.bot import bot
from station.games.dice_keno.example import EXAMPLE
from station.games.dice_keno.game import LEAST, MOST, DiceKenoRules
from station.games.dice_keno.odds import exact
from station.games.dice_keno.report import report, terms, then
from station.games.dice_keno.saying import comes, say
from station.games.dice_keno.seen import view
from station.games.dice_keno.state import GamePhase, Setup, State, Variation
from station.rules.abilities import CanBeBrokenOff, CanBeWorkedOut, TakesBack
from station.rules.play import (
    COMPANY,
    Actor,
    Agreed,
    Chance,
    Dealing,
    Luck,
    Need,
    Setting,
    own_moves,
)
from station.rules.seen import Move, Slot, SlotKind, Viewer

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
    broken = staticmethod(throwing.close)

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
