"""A game that nobody knows but this test is played from the press of a button to the report.

Each player is dealt one card, which only he sees. In turn each throws two dice, which costs him
three counters whether he has them or not, and lays his card open: spots and card are his points.
The most points win the pot.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from random import Random

import pytest

from station.base.errors import IllegalAction
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.record import hidden
from station.record.journal import FILE
from station.record.session import Answer, Done, Session
from station.rules import PLAYS
from station.rules.game import Ending, Outcome
from station.rules.play import Actor, Chance, Luck, Need, Play
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
from tests.support import CLOCK, Told, night_in, play, run, submit, verify

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


def say(done):
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


# -- the night -------------------------------------------------------------------------------------

NAMES = ("Anna", "Bruno", "Carla")
SIT = {"act": "sit", "players": [{"name": name, "purse": 7} for name in NAMES]}
DEAL, THROW = ({"act": "move", "move": {"do": do}} for do in ("deal", "throw"))


@pytest.fixture(autouse=True)
def programme(monkeypatch):
    """The game is one of the station's by one line."""
    monkeypatch.setitem(PLAYS, PLAY.name, PLAY)
    game = GamePlan(name="High Die", method=PLAY.name)
    return Programme(name="Toys", games=(game, game))


def seat(number: int) -> Person:
    return Person(NAMES[number - 1], Role.SEAT, number)


def lays(session: Session, number: int) -> Answer:
    """A player lays the card that he has, or is believed to have."""
    state = session.hall.at_table.state
    move = {"do": "lay", "seat": number, "card": [state.cards[number - 1]]}
    return run(submit(session, "move", move=move, by=seat(number)))


def test_it_is_played_through_the_record(tmp_path, programme):
    """Dice and deal are the station's; hands are sealed until the end; debts are paid at the end;
    a start in between goes on with the same hands."""
    with night_in(tmp_path, programme=programme) as night:
        session = Session(night, Told(), CLOCK, Random(5))
        for act in (SIT, "open", DEAL, THROW):
            (answer,) = run(play(session, [act]))
            assert isinstance(answer, Done), answer
        cards = session.hall.at_table.state.cards
        assert sorted(cards) == sorted(PACK)
        kept = (night.folder / FILE).read_bytes()
        assert stat.S_IMODE((night.folder / hidden.FILE).stat().st_mode) == 0o600
        assert json.dumps(cards)[1:-1].encode() not in kept
        assert session.hall.at_table.hands == (-PRICE, 0, 0)
        assert lays(session, 2).reason == "not-your-seat"
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(6))
        assert session.hall.at_table.state.cards == cards
        for number in (1, 2, 3):
            assert isinstance(lays(session, number), Done)
            if number < 3:
                run(play(session, [THROW]))
        assert not (night.folder / hidden.FILE).exists()
        last = json.loads((night.folder / FILE).read_bytes().splitlines()[-1])
        (opened,) = last["then"]["unsealed"]
        assert tuple(opened["fields"]["cards"]) == cards
        assert sorted(last["then"]["purses"]) == [4, 4, 13]
    verify(tmp_path)
