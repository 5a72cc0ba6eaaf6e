"""Play Tontine by a company at a table: the game class, an example, lines of a report. Pure.

Nobody decides anything in this game: the station turns up all cards of a deal at once, or the host
keys in each real one as it lies there. So its simulated players choose nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import tr
from station.games.tontine.rules import (
    BOX,
    IN_BOX,
    LEAST_STAKE,
    Action,
    Setup,
    State,
    TontineRules,
    broken,
)
from station.games.tontine.view import comes, opens, recital, say, view
from station.rules.abilities import CanBeBrokenOff, CanBeWorkedOut, PlaysRealCards, Recites
from station.rules.example import Example, step
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
    NameOf,
    Need,
    Setting,
)
from station.rules.seating import THRONG
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching


def then(before: State, state: State) -> Mapping[str, object]:
    """Return what the cards moved, as the journal says it, each as seat, card, giver, taker,
    counters; and who died, came to life again, or has won, once the deal is over."""
    same = before.deal == state.deal
    new = state.turned[len(before.cards) if same else 0 :]
    if not new:
        return {}
    told = {
        "turned": [[one.seat, one.face, one.giver, one.taker, one.units] for one in new],
        "died": [*state.died] if state.dealt else [],
        "revived": [*state.revived] if state.dealt else [],
        "outlives": state.winner,
    }
    return {key: some for key, some in told.items() if some}


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    if move["do"] == "take-back":
        return tr("the last card is taken back")
    return "; ".join(_told(then, name))


def _told(then: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    for seat, face, giver, taker, units in then.get("turned", ()):
        words = {"name": name(seat), "card": face, "count": units}
        if not units:
            yield tr("{name} {card}: nothing", **words)
        elif giver == BOX:
            yield tr("{name} {card}: takes {count}", **words)
        elif taker == BOX:
            yield tr("{name} {card}: pays {count}", **words)
        else:
            yield tr("{name} {card}: gives {count} to {other}", other=name(taker), **words)
    if seats := then.get("died"):
        yield tr("dead: {names}", names=", ".join(map(name, seats)))
    if seats := then.get("revived"):
        yield tr("back to life: {names}", names=", ".join(map(name, seats)))
    if "outlives" in then:
        last = name(then["outlives"])
        yield tr("{name} outlives all the rest, and takes the box", name=last)


# -- an example: five deals, three deaths, one revival ---------------------------------------------

EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 4, "each": 4},
    rule="tontine-stake",
    steps=(
        step("deal", "tontine-dies", cards=("QC", "KS", "7S")),
        step("deal", "tontine-lives", cards=("2S", "3D")),
        step("deal", "tontine-gifts", cards=("AH", "10S", "8C")),
        step("deal", "tontine-less", cards=("7H", "4C", "10D")),
        step("deal", "tontine-end", cards=("10S", "6S")),
    ),
)


# -- the game at the table: settings, luck, simulated players --------------------------------------

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
