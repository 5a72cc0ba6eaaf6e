"""A game that nobody knows but this test is played from the press of a button to the report.

Each player is dealt one card, which only he sees. In turn each throws two dice, which costs him
three counters whether he has them or not, and lays his card open: spots and card are his points.
The most points win the pot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from station.base.errors import IllegalAction
from station.rules.game import Ending, Outcome
from station.rules.play import Actor, Chance, Done, Luck, Need, Play
from station.rules.seen import (
    Amount,
    Die,
    Move,
    Pile,
    PlayingCard,
    Score,
    SeatName,
    Seen,
    Slot,
    SlotKind,
    Zone,
    phrase,
)

# -- the game ------------------------------------------------------------------------------------

PRICE, PACK = 3, tuple("23456789")


class Reason(StrEnum):
    NOT_NOW = "not-now"
    NOT_YOURS = "not-yours"


@dataclass(frozen=True)
class State:
    purses: tuple[int, ...]
    hands: tuple[int, ...]
    pot: int = 0
    cards: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    over: bool = False

    @property
    def turn(self) -> int:
        return len(self.points) + 1


@dataclass(frozen=True)
class Deal:
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Throw:
    dice: tuple[int, ...]


@dataclass(frozen=True)
class Lay:
    seat: int
    card: tuple[str, ...]


class HighDie:
    name, title = "high-die", "High Die"

    def start(self, setup):
        return State(setup.purses, (0,) * len(setup.purses))

    def actions(self, state) -> Iterator[object]:
        if not state.cards:
            yield Deal(PACK)
        elif not state.dice:
            yield from (Throw((one, two)) for one in range(1, 7) for two in range(one, 7))
        elif not state.over:
            yield Lay(state.turn, (state.cards[state.turn - 1],))

    def apply(self, state, action):
        match action:
            case Deal(cards) if not state.cards and sorted(cards) == sorted(PACK):
                return replace(state, cards=tuple(cards))
            case Throw(dice) if state.cards and not state.dice and not state.over:
                paid = tuple(h - PRICE * (n == state.turn) for n, h in enumerate(state.hands, 1))
                return replace(state, dice=tuple(dice), hands=paid, pot=state.pot + PRICE)
            case Lay(seat, card) if state.dice and not state.over:
                if seat != state.turn or card != (state.cards[seat - 1],):
                    raise IllegalAction(Reason.NOT_YOURS, f"card {card[0]} is not seat {seat}'s")
                return self._laid(state, int(card[0]) + sum(state.dice))
        raise IllegalAction(Reason.NOT_NOW, "not now")

    def _laid(self, state, points):
        after = replace(state, points=(*state.points, points), dice=())
        if len(after.points) < len(state.hands):
            return after
        winner = after.points.index(max(after.points))
        has = [h + after.pot * (n == winner) for n, h in enumerate(after.hands)]
        home = tuple(map(sum, zip(after.purses, has, strict=True)))
        return replace(after, purses=home, hands=(0,) * len(has), pot=0, over=True)

    def outcome(self, state):
        return Outcome(Ending.WON, ()) if state.over else None

    def funds(self, state):
        seats = range(1, len(state.purses) + 1)
        purses = {f"purse:{n}": state.purses[n - 1] for n in seats}
        return purses | {f"hand:{n}": state.hands[n - 1] for n in seats} | {"pot": state.pot}

    def notation(self, state):
        return json.dumps(asdict(state), separators=(",", ":"))

    def parse(self, _, text):
        told = json.loads(text)
        return State(**{k: tuple(v) if isinstance(v, list) else v for k, v in told.items()})


def chance(state):
    if not state.cards:
        return Chance(Luck.SHUFFLE, "deal", "cards", things=PACK)
    return Chance(Luck.DICE, "throw", "dice", dice=2) if not state.dice and not state.over else None


def actions(state, viewer):
    if state.dice and viewer in (state.turn,):
        hand = Slot(("card",), SlotKind.HAND, (state.cards[viewer - 1],))
        yield Move(viewer, "lay", {"seat": viewer}, (hand,))


def view(state, _, viewer, __):
    zones = [Zone("dice", tuple(map(Die, state.dice)))]
    zones += [Zone("pot", (Pile(Amount(state.pot)),), label=phrase("pot"))]
    for seat, units in enumerate(state.hands, 1):
        seen = seat == viewer or seat <= len(state.points)
        card = state.cards[seat - 1] if state.cards else ""
        zones += [Zone("hand", (Pile(Amount(units)),), seat)]
        zones += [Zone("cards", (PlayingCard(f"{card}H" if seen else ""),), seat)] if card else []
        if seat <= len(state.points):
            zones += [Zone("points", (Score(state.points[seat - 1]),), seat)]
    text = phrase("over") if state.over else phrase("turn", name=SeatName(state.turn))
    return Seen(text, tuple(zones), frozenset({state.turn}) if state.dice else frozenset())


def say(done: Done):
    match done.action:
        case Throw(dice):
            return ("throws", SeatName(done.before.turn), *dice)
        case Lay(seat):
            return ("lays", SeatName(seat), done.after.points[-1])
    return ("dealt",)


PLAY = Play(
    game=HighDie(),
    seats=(2, 8),
    needs=frozenset({Need.DICE, Need.PLAYING_CARDS}),
    setup=lambda _, dealing: dealing,
    to_act=lambda s: frozenset({s.turn if s.dice else Actor.CHANCE}),
    moves={"deal": Deal, "throw": Throw, "lay": Lay},
    actions=actions,
    chance=chance,
    hidden={"deal": frozenset({"cards"})},
    view=view,
    say=say,
    broken=lambda s: replace(s, over=True),
)
