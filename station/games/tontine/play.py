"""Play Tontine by a company at a table. Pure.

Nobody decides anything in this game: the station turns up all cards of a deal at once, or the host
keys in each real one as it lies there. So its simulated players want nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.base.tongue import tr
from station.games.tontine.actions import Action
from station.games.tontine.example import EXAMPLE
from station.games.tontine.game import TontineRules, broken
from station.games.tontine.report import report, then
from station.games.tontine.saying import comes, opens, recital, say
from station.games.tontine.seen import view
from station.games.tontine.state import IN_BOX, LEAST_STAKE, Setup, State
from station.rules.abilities import CanBeBrokenOff, CanBeWorkedOut, PlaysRealCards, Recites
from station.rules.play import (
    COMPANY,
    PLAYING_CARDS,
    REAL,
    Actor,
    Agreed,
    Chance,
    Dealing,
    Exact,
    Luck,
    Need,
    Setting,
)
from station.rules.seating import THRONG
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching

MOST_EXACT = 20  # counters each with which a game of two is worked out in seconds

SETTINGS = (Setting("each", 12, least=LEAST_STAKE, most=1000), PLAYING_CARDS)


class Tontine(
    TontineRules,
    CanBeBrokenOff[State],
    Recites[State, Action],
    PlaysRealCards[State],
    CanBeWorkedOut[State],
):
    """Tontine: who outlives all the others takes the box."""

    settings = SETTINGS
    seats = (2, THRONG)
    needs = frozenset({Need.PLAYING_CARDS})
    example = EXAMPLE

    view = staticmethod(view)
    opens, say, comes = staticmethod(opens), staticmethod(say), staticmethod(comes)
    recital = staticmethod(recital)
    then, report = staticmethod(then), staticmethod(report)
    broken = staticmethod(broken)

    def setup(self, agreed: Agreed, dealing: Dealing) -> Setup:
        """Return the setup of a company's game."""
        real = agreed.word("playing_cards") == REAL
        return Setup(dealing.purses, agreed.count("each"), self.value(agreed), real=real)

    def value(self, agreed: Agreed) -> int:
        """Return what a counter is worth, in minor units."""
        return agreed.count("stake") // agreed.count("each")

    def parts(self, agreed: Agreed) -> tuple[int, str]:
        """Return what the stake must be a multiple of, and why."""
        counters = agreed.count("each")
        return counters, tr("each player's {count} counters are worth it", count=counters)

    def charge(self, agreed: Agreed, cards: int) -> int:
        """Return how many counters each player takes."""
        return agreed.count("each")

    def terms(self, agreed: Agreed, stake: str) -> Iterator[str]:
        """Yield what was agreed on, in sentences."""
        told = {"stake": stake, "count": agreed.count("each"), "box": IN_BOX}
        yield tr("Stake {stake} for {count} counters; {box} of them go into the box.", **told)
        yield tr("Who outlives all the rest takes the box.")

    def to_act(self, state: State) -> frozenset[int | Actor]:
        """Return who is awaited: chance alone."""
        return frozenset() if state.over else frozenset({Actor.CHANCE})

    def chance(self, state: State) -> Chance | None:
        """Return the card that is turned up next, or the cards of a deal."""
        if state.over:
            return None
        if state.setup.real:
            return Chance(Luck.CARD, "turn", "card", things=state.stock, count=1)
        count = len(state.to_come)
        return Chance(Luck.SHUFFLE, "deal", "cards", things=state.stock, count=count)

    def actions(self, state: State, viewer: Viewer) -> Iterator[Move]:
        """Yield what the host may do: key in a card, or take it back."""
        if viewer is Watching.HOST and not state.over:
            faces = tuple(dict.fromkeys(state.stock))
            yield Move(COMPANY, "turn", slots=(Slot(("card",), SlotKind.HAND, faces),))
            if state.keyed:
                yield Move(COMPANY, "take-back", aside=True)

    def enforced(self, state: State) -> bool:
        """Return whether the station deals."""
        return not state.setup.real

    def exact(self, agreed: Agreed, seats: int) -> Exact | None:
        """Return the exact odds of a game of two with few counters."""
        counters = agreed.count("each")
        if seats != 2 or counters > MOST_EXACT:
            return None
        from station.games.tontine.exact import two  # numpy only where it is worked out

        return two(self.start(Setup((counters,) * seats, counters)))


GAME = Tontine()
