"""A game that nobody knows but this test is played from the press of a button to the report.

Each player is dealt one card, which only he sees. In turn each throws two dice, which costs him
three counters whether he has them or not, and lays his card open: spots and card are his points.
The most points win the pot.
"""

from __future__ import annotations

import io
import json
import shutil
import stat
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from itertools import product
from random import Random
from typing import TypeAlias

import pytest
from playwright.sync_api import expect

from drivers import Pressed, Released
from station.base.errors import Damaged, IllegalAction, NotAllowed, Unreadable
from station.base.terminal import Terminal
from station.calling.questions import answer_question
from station.games import GAMES
from station.night.acts import MakeMove
from station.night.hall import apply
from station.night.table.game import broken_off
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.record import hidden
from station.record.journal import FILE
from station.record.requests import Answer, Command, Done, NextNight
from station.record.session import Session
from station.rules.abilities import CanBeBrokenOff, HasHiddenParts
from station.rules.game import Ending, GameRules, Outcome
from station.rules.play import Actor, Chance, Dealing, Luck, Need
from station.rules.seating import by_seat
from station.rules.seen import (
    Amount,
    Die,
    Move,
    Pile,
    PlayingCard,
    SeatName,
    Seen,
    Slot,
    SlotKind,
    Zone,
    phrase,
)
from station.screens import watch
from station.wire.wording import load_wording
from tests.screens.screen.test_things import painted
from tests.screens.web.conftest import Hall, Visit, browser, hall, module_hall, visit
from tests.support import (
    ADMIN,
    CLOCK,
    Told,
    night_in,
    play,
    run,
    run_by_hand,
    submit,
    table_in,
    verify,
)

__all__ = ["browser", "hall", "module_hall", "visit"]  # the fixtures, of this file too

# -- the game ------------------------------------------------------------------------------------

PRICE = 3
PACK = tuple("23456789")


class Reason(StrEnum):
    """Why an action is not legal."""

    NOT_NOW = "not-now"


@dataclass(frozen=True)
class Deal:
    """Deal the cards in this order, one to each player."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class Throw:
    """Throw two dice."""

    dice: tuple[int, ...]


@dataclass(frozen=True)
class Lay:
    """Lay a card open."""

    seat: int
    card: tuple[str, ...]


Action: TypeAlias = Deal | Throw | Lay


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        purses: what each player can pay.
        cards: the card of each player, and the rest of the pack; empty before the deal.
        dice: what the player in turn has thrown; empty before.
        points: those of the players who have had their turn.
    """

    purses: tuple[int, ...]
    cards: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    points: tuple[int, ...] = ()

    @property
    def turn(self) -> int:
        """Return the seat in turn."""
        return len(self.points) + 1

    @property
    def over(self) -> bool:
        """Return whether all have had their turn."""
        return len(self.points) == len(self.purses)

    @property
    def paid(self) -> int:
        """Return how many players have paid for their throw."""
        return len(self.points) + bool(self.dice)

    @property
    def hands(self) -> tuple[int, ...]:
        """Return what each player has won, below zero where he owes it."""
        return tuple(-PRICE if seat < self.paid else 0 for seat in range(len(self.purses)))

    @property
    def pot(self) -> int:
        """Return how many counters lie in the pot."""
        return PRICE * self.paid


class HighDie(GameRules[Dealing, State, Action], HasHiddenParts[State], CanBeBrokenOff[State]):
    """High Die: the most points win the pot."""

    name = "high-die"
    title = "High Die"
    seats = (2, 8)
    needs = frozenset({Need.DICE, Need.PLAYING_CARDS})
    moves: Mapping[str, type] = {"deal": Deal, "throw": Throw, "lay": Lay}
    hidden: Mapping[str, frozenset[str]] = {"deal": frozenset({"cards"})}

    def setup(self, agreed, dealing):
        return dealing

    def start(self, setup):
        return State(setup.purses)

    def legal_actions(self, state):
        if state.over:
            return
        if not state.cards:
            yield Deal(PACK)
        elif state.dice:
            yield Lay(state.turn, (state.cards[state.turn - 1],))
        else:
            yield from map(Throw, product(range(1, 7), range(1, 7)))

    def apply(self, state, action):
        if isinstance(action, Deal):
            legal = not state.cards and sorted(action.cards) == sorted(PACK)
        else:
            legal = action in self.legal_actions(state)
        if not legal:
            raise IllegalAction(Reason.NOT_NOW, "not now")
        match action:
            case Deal(cards):
                return replace(state, cards=cards)
            case Throw(dice):
                return replace(state, dice=dice)
            case Lay(_, (card,)):
                points = int(card) + sum(state.dice)
                return replace(state, points=(*state.points, points), dice=())

    def outcome(self, state):
        return Outcome(Ending.WON, ()) if state.over else None

    def funds(self, state):
        if not state.over:
            return by_seat(purse=state.purses, hand=state.hands) | {"pot": state.pot}
        home = [purse + hand for purse, hand in zip(state.purses, state.hands, strict=True)]
        home[state.points.index(max(state.points))] += state.pot
        return by_seat(purse=home)

    def notation(self, state):
        return json.dumps(astuple(state))

    def parse(self, setup, text):
        return State(*map(tuple, json.loads(text)))

    def to_act(self, state):
        return frozenset({state.turn if state.dice else Actor.CHANCE})

    def chance(self, state):
        if state.over or state.dice:
            return None
        if not state.cards:
            return Chance(Luck.SHUFFLE, "deal", "cards", things=PACK)
        return Chance(Luck.DICE, "throw", "dice", dice=2)

    def actions(self, state, viewer):
        if state.dice and viewer == state.turn:
            hand = Slot(("card",), SlotKind.HAND, (state.cards[viewer - 1],))
            yield Move(viewer, "lay", {"seat": viewer}, (hand,))

    def hand_over(self, state):
        return False  # the cards are shown when the game is over

    def broken(self, state):
        return State(state.purses, points=(0,) * len(state.purses))

    def view(self, state, viewer, told=None):
        zones = [
            Zone("dice", tuple(map(Die, state.dice))),
            Zone("pot", (Pile(Amount(state.pot)),), label=phrase("pot")),
        ]
        for seat, (hand, card) in enumerate(zip(state.hands, state.cards, strict=False), 1):
            is_open = seat == viewer or seat <= len(state.points)
            zones.append(Zone("hand", (Pile(Amount(hand)),), seat))
            zones.append(Zone("cards", (PlayingCard(f"{card}H" if is_open else ""),), seat))
        text = phrase("over") if state.over else phrase("turn", name=SeatName(state.turn))
        return Seen(text, tuple(zones), frozenset({state.turn} if state.dice else ()))

    def opens(self, state):
        return ("dealt",)

    def say(self, done):
        match done.action:
            case Throw(dice):
                return (SeatName(done.before.turn), "throws", *dice)
            case Lay(seat):
                return (SeatName(seat), "lays", done.after.points[-1])
        return ("dealt",)


GAME = HighDie()


class Endless(HighDie):
    """The game without an early end."""

    def ability(self, kind):
        return None if kind is CanBeBrokenOff else super().ability(kind)


# -- the night -------------------------------------------------------------------------------------

NAMES = ("Anna", "Bruno", "Carla")
SIT = {"act": "sit", "players": [{"name": name, "purse": 7} for name in NAMES]}
DEAL, THROW = ({"act": "move", "move": {"do": do}} for do in ("deal", "throw"))


@pytest.fixture(autouse=True)
def programme(monkeypatch):
    """The game is one of the station's by one line."""
    monkeypatch.setitem(GAMES, GAME.name, GAME)
    game = GamePlan(name="High Die", method=GAME.name)
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
    copy = shutil.copytree(tmp_path, tmp_path / "copy", ignore=lambda *_: [hidden.FILE])
    with pytest.raises(Damaged, match=r"journal\.jsonl:4: .* what was sealed of this move is not"):
        night_in(copy).__enter__()
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


def test_what_its_play_does_not_say_is_refused(tmp_path, programme, monkeypatch):
    """Too few players; a hand in the open; the end of a game that has no breaking off; an act that
    is none of the night."""
    alone = {"act": "sit", "players": SIT["players"][:1]}
    with night_in(tmp_path, programme=programme) as night:
        session = Session(night, Told(), CLOCK, Random(5))
        _, few = run(play(session, [alone, "open"]))
        assert few.say == (
            "1 player: High Die is for 2 to 8. Let another company sit down, or skip the game"
        )
        run(play(session, [SIT, "open"]))
        with pytest.raises(NotAllowed, match="cards: nobody may see that yet"):
            apply(session.hall, MakeMove(move={"do": "deal", "cards": [*PACK]}))
        monkeypatch.setitem(GAMES, GAME.name, Endless())
        (answer,) = run(play(session, [{"act": "break", "why": "the dice are gone"}]))
        assert answer.say == "this game is not broken off: play it to its end"
        with pytest.raises(Unreadable, match="this game does not do that"):
            broken_off(session.hall.at_table)
        command = Command("n1", NextNight(), ADMIN, "wire")
        assert run(session.submit(command)).say == "not an act of the night: next-night"


# -- the hall --------------------------------------------------------------------------------------

PRESS = (Pressed("draw", 0.0), Released("draw", 0.1, 0.1))
SPOKEN = {"dealt": "Each has a card.", "throws": "throws", "lays": "lays a card, and has"}
SHOWN = {"pot": "The pot", "turn": "{name} is at it", "over": "That was it"}


@pytest.fixture
def wording():
    """The game's words, beside the hall's."""
    known = load_wording("en")
    return replace(known, phrases=known.phrases | SPOKEN, screen=known.screen | SHOWN)


@pytest.fixture
def evening(tmp_path, programme, wording):
    """A game played to its end by the buttons and the players, and what the hall saw of it in the
    middle: Anna has laid her card, Bruno has thrown."""

    async def whole(table):
        await table.wish("sit", players=SIT["players"])
        for _ in ("open", "deal", "throw"):
            await table.receive(*PRESS)
            await table.heard()
        for number in (1, 2, 3):
            if number == 2:
                table.middle = table.outputs.view
                table.hidden = table.session.hall.at_table.state.cards
                table.lit = table.outputs.messages[-1]
                table.hands = {
                    place: answer_question(
                        table.session.hall,
                        {"about": "hand"},
                        seat(place),
                        table.desk.answers(),
                        wording=wording,
                    )
                    for place in (1, 2, 3)
                }
            card = table.session.hall.at_table.state.cards[number - 1]
            move = {"do": "lay", "seat": number, "card": [card]}
            assert isinstance(await table.wish("move", move=move, by=seat(number)), Done)
            await table.heard()
            if number < 3:
                await table.receive(*PRESS)
                await table.heard()

    with table_in(tmp_path, programme=programme, wording=wording, hall_name="Toys") as table:
        run_by_hand(whole(table))
        yield table


def test_it_is_said_and_lit(evening, wording):
    """The voice says who throws what, by clips; the ten cavities say whose turn it is."""
    cards = evening.hidden
    throws = [clips for clips in evening.outputs.said if "throws" in clips]
    assert [clips[:3] for clips in throws] == [
        ("player-number", f"number.{place}", "throws") for place in (1, 2, 3)
    ]
    dealt = next(clips for clips in evening.outputs.said if "dealt" in clips)
    assert not {f"number.{card}" for card in cards} & {*dealt}
    assert "Bruno is at it" in evening.lit


def test_everybody_sees_open_cards_alone(evening):
    """Screens get Anna's card, and the backs of the others; a player gets his own besides; the
    host, and no other seat, gets no hand."""
    seen = {zone.seat: zone.things for zone in evening.middle.table.zones if zone.key == "cards"}
    faces = [card.face for place in (1, 2, 3) for card in seen[place]]
    assert faces == [f"{evening.hidden[0]}H", "", ""]
    for place, hand in evening.hands.items():
        own = [zone for zone in hand["zones"] if zone["key"] == "cards"]
        known = {zone["seat"] for zone in own if zone["things"][0]["face"]}
        assert known == {1, place}
        assert [move["do"] for move in hand["moves"]] == (["lay"] if place == 2 else [])


def test_it_is_on_the_terminal_and_the_screen(evening, wording):
    """Both draw the zones: names, dice, the pot, a debt, the open card and the hidden ones."""
    out = io.StringIO()
    Terminal(file=out, width=100).print(watch.draw(evening.middle, wording))
    for told in ("Bruno is at it", "The pot", *NAMES, wording.screen["card-down"]):
        assert told in out.getvalue(), told
    ink = painted(evening.middle, (1280, 720), wording.screen)
    assert not ink.cuts
    assert {"Bruno is at it", "The pot", *NAMES} <= ink.set.keys()


def test_it_is_in_the_report(evening, tmp_path, wording):
    """The report of the night tells the moves, and what each went home with."""
    report = make_report(read_source(tmp_path, None, lambda *_: None), wording)
    told = str(report)
    assert "High Die" in told
    assert [name for name in NAMES if name not in told] == []
    assert "throw" in told
    assert "lay" in told


@pytest.mark.browser
@pytest.mark.long
def test_it_is_on_the_page(evening, wording, visit: Visit, hall: Hall):
    """The web board draws the same zones: one open card, two backs, two dice, a debt."""
    visit.page.goto(hall.url)
    hall.show(evening.middle.model_copy(update={"seq": 900}))
    page = visit.page
    expect(page.locator('[data-seq="900"]')).to_be_visible()
    expect(page.locator(".felt")).to_contain_text("Bruno is at it")
    expect(page.locator('[data-seat="1"]')).to_contain_text(evening.hidden[0])
    hidden = page.get_by_role("img", name=wording.screen["card-down"])
    expect(hidden).to_have_count(2)
    expect(page.locator(".die")).to_have_count(2)
    expect(page.locator('[data-testid="hand-1"]')).to_have_attribute("data-counters", str(-PRICE))
