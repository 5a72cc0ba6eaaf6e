"""A second game that only this test knows: the hall sells its cards, simulated players claim.

A quarter of the pool is for the four corners of a card, the rest for a diamond on its middle. If
several cards are complete on the same number, the card with the lowest sum wins the whole prize.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import astuple, replace
from enum import StrEnum
from functools import partial
from itertools import product

import pygame
import pytest
from playwright.sync_api import expect

from drivers import Pressed, Released
from station.base.errors import IllegalAction, Unreadable
from station.base.terminal import Terminal
from station.games import GAMES
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.programme.programme import GamePlan, Programme
from station.record.journal import FILE, read
from station.record.requests import Done
from station.record.session import Session
from station.rules.abilities import SellsCards
from station.rules.game import Ending, Outcome
from station.rules.patterns import PATTERNS, drawn, in_rows, on_a_row
from station.rules.prizes import (
    ANY_CARD,
    Award,
    CallNumber,
    Check,
    Claim,
    ClaimVerdict,
    Division,
    EndGame,
    Judgement,
    PrizeSetup,
    PrizeState,
    Stop,
    TakeBackCall,
    Win,
    divided,
)
from station.screens import watch
from station.screens.screen.layout import lay_out
from station.screens.screen.pen import ScreenPen
from station.screens.screen.scene import compose
from station.wire.wording import load_wording
from tests.core.simulation.test_simulated_players import host_plays, station_in
from tests.screens.screen.test_things import COLOURS, Measured
from tests.screens.web.conftest import Hall, Visit, browser, hall, module_hall, visit
from tests.support import (
    CLOCK,
    Told,
    night_in,
    play,
    run,
    run_by_hand,
    small_pack,
    table_in,
    verify,
)

__all__ = ["browser", "hall", "module_hall", "visit"]  # the fixtures, of this file too

# -- the game ------------------------------------------------------------------------------------

CORNERS = PATTERNS["corners"]
DIAMOND = drawn("diamond", [("..#..", ".#.#.", "..#..")])


class Reason(StrEnum):
    """Why an action is not legal."""

    NOT_NOW = "not-now"


class Diamond(SellsCards):
    """Diamond: the corners first, then the diamond."""

    name = "diamond"
    title = "Diamond"
    stakes: Mapping[str, Division] = {"gems": ((CORNERS, 25), (DIAMOND, None))}
    words: Mapping[str, str] = {
        "claim": "diamond-claim",
        "stop": "diamond-stop",
        "stopped": "diamond-stopped",
    }

    def start(self, setup):
        if setup.takes_tickets:
            raise Unreadable("Diamond is played with the hall's cards only")
        return PrizeState(setup)

    def legal_actions(self, state):
        if state.closed:
            return
        if state.stopped:
            yield Award()
        else:
            if state.stage is not None:
                yield from map(CallNumber, sorted(self.bag(state)))
                yield Stop()
            yield EndGame()
        if state.called:
            yield TakeBackCall()
            if state.stage is not None:
                yield Check(ANY_CARD)

    def apply(self, state, action):
        if isinstance(action, Check):
            pattern = Check(ANY_CARD)
            checked = action.serial in [claim.serial for claim in state.claims]
        else:
            pattern, checked = action, False
        if checked or pattern not in self.legal_actions(state):
            raise IllegalAction(Reason.NOT_NOW, "not now")
        match action:
            case CallNumber(number):
                return replace(state, called=(*state.called, number))
            case Stop():
                return replace(state, stopped=True)
            case Check(serial):
                claim = Claim(serial, *self.judge(state, serial))
                return replace(state, stopped=True, claims=(*state.claims, claim))
            case Award():
                wins = (*state.wins, *self.awards(state))
                return replace(state, stopped=False, claims=(), wins=wins)
            case TakeBackCall():
                kept = tuple(win for win in state.wins if win.calls < len(state.called))
                called = state.called[:-1]
                return replace(state, called=called, stopped=False, claims=(), wins=kept)
            case EndGame():
                return replace(state, closed=True)

    def notation(self, state):
        return json.dumps(
            {
                "register": state.setup.register,
                "called": state.called,
                "stopped": state.stopped,
                "claims": [astuple(claim) for claim in state.claims],
                "wins": [astuple(win) for win in state.wins],
                "closed": state.closed,
            }
        )

    def parse(self, setup, text):
        written = json.loads(text)
        claims = []
        for serial, verdict, stages, _ in written["claims"]:
            claims.append(Claim(serial, ClaimVerdict(verdict), tuple(stages)))
        return PrizeState(
            setup,
            called=tuple(written["called"]),
            stopped=written["stopped"],
            claims=tuple(claims),
            wins=tuple(Win(*win) for win in written["wins"]),
            closed=written["closed"],
        )

    # what the hall asks of a game that it sells cards for

    def judge(self, state, serial):
        card = state.setup.cards.get(serial)
        if card is None:
            return Judgement(ClaimVerdict.NOT_SOLD)
        complete, on_last = [], []
        for stage in state.open:
            if stage.pattern.complete(card, state.called):
                complete.append(stage.key)
            if stage.pattern.complete_on_last(card, state.called):
                on_last.append(stage.key)
        winning = on_last if state.setup.last_number else complete
        if winning:
            return Judgement(ClaimVerdict.VALID, tuple(winning))
        return Judgement(ClaimVerdict.LATE if complete else ClaimVerdict.NOT_COMPLETE)

    def wants(self, state, serial):
        card = state.setup.cards.get(serial)
        if card is None:
            return ()
        return tuple((stage, stage.pattern.wants(card, state.called)) for stage in state.open)

    def awards(self, state):
        """Return the prizes that the claims of this stop win: nothing is shared."""
        wins = []
        for stage in state.open:
            sums = []
            for claim in state.claims:
                if stage.key in claim.stages:
                    sums.append((sum(state.setup.cards[claim.serial].numbers), claim.serial))
            if sums:
                _, serial = min(sums)
                wins.append(Win(stage.key, serial, state.share_of(stage), len(state.called)))
        return wins

    def settled(self, setup, won):
        amounts = {stage.key: stage.amount for stage in setup.stages}
        wins = []
        for call, (stage, _) in enumerate(won, 1):
            wins.append(Win(stage, "1", amounts[stage], call))
        return PrizeState(setup, called=tuple(range(1, len(won) + 1)), wins=tuple(wins))


GAME = Diamond()


# -- the night -------------------------------------------------------------------------------------

PRICE = 100
CORNERS_WIN, DIAMOND_WINS = 300, 900  # of twelve cards
SELL = {"serials": list(small_pack().serials), "to": "Anna"}


@pytest.fixture(autouse=True)
def programme(monkeypatch):
    """One line makes it a game of the station."""
    monkeypatch.setitem(GAMES, GAME.name, GAME)
    game = GamePlan(name="Gems", method=GAME.name, price=PRICE)
    return Programme(name="Toys", games=(game, game))


@pytest.fixture
def wording():
    """The words of the game, next to those of the hall."""
    own = {
        "diamond-claim": "Diamond!",
        "diamond-stop": "Stop. Diamond!",
        "diamond-stopped": "STOP: Diamond!",
    }
    known = load_wording("en")
    return replace(known, screen=known.screen | own)


@pytest.fixture
def state():
    """A game for which all cards of the pack are sold."""
    return GAME.start(setup())


def setup(**more):
    cards = {serial: small_pack().card(serial) for serial in small_pack().serials}
    stages = divided(GAME.stakes["gems"], len(cards) * PRICE)
    return PrizeSetup(cards, stages, label="gems", **more)


def numbers_of(pattern, card):
    """The numbers on the places of a pattern."""
    numbers = [number for row in card.rows for number in row]
    return [numbers[place] for place in pattern.parts[0].places]


def winning(game):
    """The cards that win on the last number called, and the others."""
    valid, others = [], []
    for serial in game.setup.cards:
        if GAME.judge(game, serial).verdict is ClaimVerdict.VALID:
            valid.append(serial)
        else:
            others.append(serial)
    return valid, others


def test_the_lowest_sum_wins_the_whole_prize(state):
    """Two cards complete their corners on one number; every state survives its notation."""
    cards = state.setup.cards.values()
    pairs = [
        (low, high, number)
        for low, high in product(cards, cards)
        for number in set(numbers_of(CORNERS, low)) & set(numbers_of(CORNERS, high))
        if sum(low.numbers) < sum(high.numbers)
    ]
    low, high, last = pairs[0]
    both = {*numbers_of(CORNERS, low), *numbers_of(CORNERS, high)} - {last}
    calls = [CallNumber(number) for number in (*sorted(both), last)]
    for action in (*calls, Stop(), Check(high.serial), Check(low.serial), Award()):
        state = GAME.apply(state, action)
        assert GAME.parse(state.setup, GAME.notation(state)) == state
        assert sum(GAME.funds(state).values()) == CORNERS_WIN + DIAMOND_WINS
    assert [(win.serial, win.amount) for win in state.wins] == [(low.serial, CORNERS_WIN)]
    back = GAME.apply(state, TakeBackCall())
    assert (back.wins, back.called) == ((), state.called[:-1])


def test_a_prize_that_nobody_has_won_stays_in_the_pool(state):
    """The game is closed, not won; the same money is forecast by `settled`."""
    closed = GAME.broken(state)
    assert GAME.outcome(closed) == Outcome(Ending.CLOSED, ())
    half = GAME.settled(state.setup, [("corners", 2)])
    assert ([win.amount for win in half.wins], half.pool) == ([CORNERS_WIN], DIAMOND_WINS)


def test_only_legal_actions_are_applied(state):
    """No number twice, no claim before the first number, no card twice at a stop."""
    called = GAME.apply(state, CallNumber(7))
    checked = GAME.apply(called, Check("0001"))
    for before, action in (
        (called, CallNumber(7)),
        (state, Check("0001")),
        (state, Award()),
        (checked, Check("0001")),
        (checked, EndGame()),
        (GAME.broken(state), CallNumber(1)),
    ):
        assert action not in GAME.legal_actions(before)
        with pytest.raises(IllegalAction, match="not now"):
            GAME.apply(before, action)
    with pytest.raises(Unreadable, match="cards only"):
        GAME.start(setup(tickets=1))


def test_a_programme_keeps_a_pattern_that_only_the_game_has(programme):
    """The plan survives its JSON, and its stages are those of the game."""
    (game, _) = programme.games
    assert GamePlan.model_validate(game.model_dump(mode="json")) == game
    assert game.stakes == "gems"
    assert [stage.wanted() for stage in game.plans] == [CORNERS, DIAMOND]


@pytest.mark.parametrize(
    "pattern", [DIAMOND, on_a_row("pair", 2), in_rows("any-row", 1)], ids=lambda one: one.key
)
def test_any_pattern_of_a_game_is_a_stage(pattern, monkeypatch):
    """Of one part or several; of all places or some."""
    monkeypatch.setattr(Diamond, "stakes", {"gems": ((pattern, None),)})
    (stage,) = GamePlan(name="Gems", method=GAME.name).plans
    assert stage.wanted() == pattern


@pytest.mark.long
def test_simulated_players_claim_what_they_win(tmp_path, programme, wording):
    """`loto run --auto` plays the game over the wire to its end; the record verifies."""

    async def whole(night):
        async with station_in(tmp_path, night, wording=wording) as table:
            assert isinstance(await table.wish("sell", **SELL, games=2), Done)
            return await host_plays(tmp_path, 2)

    with night_in(tmp_path / "state", programme=programme) as night:
        results = run(whole(night))
    for result in results:
        won = [(win.stage, win.prize.minor, win.paid) for win in result.wins]
        assert won == [("Four corners", CORNERS_WIN, True), ("Diamond", DIAMOND_WINS, True)]
    verify(tmp_path / "state")


# -- the hall --------------------------------------------------------------------------------------


class Evening:
    """A game played to its end by buttons and claims, and what the hall saw of it.

    Attributes:
        table: the desk, with what was said, lit and shown.
        winners: the cards that won, stage by stage.
        wrong: the card that was claimed and did not win.
        stopped: the view of the last stop, before the claim was checked.
        rejected, won: the views of the wrong claim, and of the one that wins the diamond.
        letters: what the ten cavities showed at the claim.
    """

    def __init__(self, table):
        self.table = table
        self.winners = []

    async def press(self, button):
        """Press a button, and hear what is said then."""
        await self.table.receive(Pressed(button, 0.0), Released(button, 0.1, 0.1))
        await self.table.heard()

    async def claim(self, serial):
        """Claim with a card; return what the screens show."""
        assert isinstance(await self.table.wish("claim", serial=serial), Done)
        await self.table.heard()
        return self.table.outputs.view

    async def draw_until_won(self):
        """Draw until a card wins, and stop; return the winner and another card."""
        winners, others = winning(self.table.session.hall.sold)
        while not winners:
            await self.press("draw")
            winners, others = winning(self.table.session.hall.sold)
        await self.press("claim")
        self.stopped = self.table.outputs.view
        self.letters = self.table.outputs.messages[-1]
        cards = self.table.session.hall.sold.setup.cards
        self.winners.append(min(winners, key=partial(sum_and_serial, cards)))
        return self.winners[-1], others[0]

    async def play(self):
        """Play from the sale to the closed game."""
        assert isinstance(await self.table.wish("sell", **SELL), Done)
        await self.press("draw")  # opens the game
        corners, self.wrong = await self.draw_until_won()
        self.rejected = await self.claim(self.wrong)
        await self.claim(corners)
        await self.press("next")  # plays on
        diamond, _ = await self.draw_until_won()
        self.won = await self.claim(diamond)
        await self.press("next")
        for serial in dict.fromkeys(self.winners):
            assert isinstance(await self.table.wish("pay", serial=serial), Done)
            await self.table.heard()
        await self.press("next")  # closes the game


def sum_and_serial(cards, serial):
    """Return what decides between cards that are complete on the same number."""
    return sum(cards[serial].numbers), serial


@pytest.fixture
def evening(tmp_path, programme, wording):
    """A whole game, at a desk whose voice knows the words of the game."""
    with table_in(tmp_path, programme=programme, wording=wording, hall_name="Toys") as table:
        table.outputs.names |= {"Diamond.": "name.diamond", "Stop. Diamond!": "stop.diamond"}
        evening = Evening(table)
        run_by_hand(evening.play())
        yield evening


def test_it_is_in_the_record(evening, tmp_path):
    """Every call, claim and payment has its line; the money is gone; the audit plays it again to
    the same end."""
    hall, (journal,) = evening.table.session.hall, tmp_path.rglob(FILE)
    acts = [line["do"] for line in read(journal).lines]
    drawn_numbers = [act["number"] for act in acts if act["act"] == "draw"]
    assert tuple(drawn_numbers) == hall.last_sold.called
    claims = [act["serial"] for act in acts if act["act"] == "claim"]
    assert claims == [evening.wrong, *evening.winners]
    assert acts[-1]["act"] == "close"
    assert hall.ledger.balances == {}
    assert GAME.outcome(hall.last_sold).ending is Ending.WON
    verify(tmp_path)


def test_the_game_continues_after_a_start_in_the_middle(tmp_path, programme):
    """A start at a stop restores the calls and the claim."""
    acts = [{"act": "sell", **SELL}, "open", {"act": "draw", "number": 7}]
    claim = {"act": "claim", "serial": "0001"}
    with night_in(tmp_path, programme=programme) as night:
        session = Session(night, Told(), CLOCK)
        answers = run(play(session, [*acts, claim]))
        assert all(isinstance(answer, Done) for answer in answers)
        before = session.hall.sold
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK)
        assert (session.hall.sold.called, session.hall.sold.claims) == ((7,), before.claims)
        (answer,) = run(play(session, ["play-on"]))
        assert isinstance(answer, Done)


def test_it_is_said_and_lit(evening):
    """The voice names the prizes, the claim in the game's own word, and the verdicts; ten cavities
    show the word of the claim, and the last numbers."""
    said, numbers = evening.table.outputs.said, evening.table.session.hall.last_sold.called
    spoken = [clips for clips in said if not clips[-1].startswith("number.")]
    assert spoken == [
        ("eyes-down", "playing-corners"),
        ("stop.diamond",),
        ("not-valid",),
        ("valid", "any-more"),
        ("won-corners", "playing-prize", "name.diamond"),
        ("stop.diamond",),
        ("valid", "any-more"),
        ("won-prize",),
        *[("money-paid",)] * len(set(evening.winners)),
        ("game-closed",),
    ]
    assert tuple(evening.table.outputs.called) == numbers
    assert evening.letters == "DIAMOND!"
    lit = [{*cavities} for kind, cavities in evening.table.outputs.log if kind == "light"]
    shown = [{cavity.number for cavity in cavities if cavity} for cavities in lit]
    assert set(numbers[-10:]) in shown


def test_it_is_on_the_screen(evening, wording):
    """The big screen sets the stage, the claim in the game's word, the holder and the verdict."""
    assert {"STOP", "Diamond!", "Stop. Diamond!"} <= set_on_screen(evening.stopped, wording)
    for view, verdict in ((evening.rejected, "not-complete"), (evening.won, "valid")):
        texts = set_on_screen(view, wording)
        assert {wording.screen[verdict], view.stage.name} <= texts
        assert {view.claim.label, "Held by Anna", view.claim.text} <= texts


def set_on_screen(view, wording):
    """Paint a view; return its texts, none of which is cut."""
    ink, layout = Measured(), lay_out((1280, 720))
    for piece in compose(layout, wording.screen, view, stale=False).pieces:
        canvas = pygame.Surface((piece.box.w, piece.box.h))
        piece.draw(ScreenPen(ink, canvas, layout.u, COLOURS.ground, COLOURS), *piece.args)
    assert not ink.cuts
    return ink.set.keys()


def test_it_is_on_the_terminal(evening, wording):
    """`loto watch` draws the stage, the prize, the claim, and what the card lacks."""
    out = io.StringIO()
    Terminal(file=out, width=100).print(watch.draw(evening.rejected, wording))
    Terminal(file=out, width=100).print(watch.draw(evening.won, wording))
    verdicts = (wording.screen["not-complete"], wording.screen["valid"])
    for told in (
        "STOP: Diamond!",
        "Four corners",
        "Diamond",
        evening.won.prize.text,
        "Anna",
        *verdicts,
    ):
        assert told in out.getvalue(), told


def test_it_is_in_the_report(evening, tmp_path, wording):
    """The report has the prizes by name, the claims with their verdicts, and who was paid."""
    report = make_report(read_source(tmp_path, None, lambda *_: None), wording)
    stages = [tuple(row.values()) for row in report.tables["stages"].data()]
    assert [(row[1], row[2], row[3], row[7]) for row in stages] == [
        ("corners", "Four corners", CORNERS_WIN, CORNERS_WIN),
        ("diamond", "Diamond", DIAMOND_WINS, DIAMOND_WINS),
    ]
    wins = list(report.tables["wins"].data())
    assert [row["serial"] for row in wins] == evening.winners
    assert {(row["holder"], row["state"]) for row in wins} == {("Anna", "paid")}
    claims = [row["serial"] for row in report.tables["claims"].data()]
    assert claims == [evening.wrong, *evening.winners]


@pytest.mark.browser
@pytest.mark.long
def test_it_is_on_the_page(evening, visit: Visit, hall: Hall):
    """The web board shows the claim in the game's word, the card and its verdict."""
    page = visit.page
    page.goto(hall.url)
    hall.show(evening.stopped.model_copy(update={"seq": 899}))
    expect(page.locator(".notice")).to_have_text("Stop. Diamond!")
    expect(page.locator(".notice")).to_be_visible()
    for seq, view, verdict in (
        (900, evening.rejected, "not-complete"),
        (901, evening.won, "valid"),
    ):
        hall.show(view.model_copy(update={"seq": seq}))
        expect(page.locator(f'[data-seq="{seq}"]')).to_be_visible()
        expect(page.locator(".fact-stage")).to_contain_text(view.stage.name)
        expect(page.get_by_test_id("verdict")).to_have_attribute("data-verdict", verdict)
        claim = page.get_by_test_id("claim")
        expect(claim).to_contain_text(view.claim.serial)
        expect(claim.locator("td.missing")).to_have_count(len(view.claim.missing))
    assert visit.complaints == []
