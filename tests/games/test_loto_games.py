"""Whole games of Loto, First Method, played at random for any stages, beside a referee who keeps
them with pencil and coins."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import IllegalAction
from station.base.nouns import Card
from station.games.loto_first.game import GAME
from station.rules.patterns import PATTERNS, drawn
from station.rules.prizes import (
    Award,
    CallNumber,
    Check,
    CheckTicket,
    DecideLots,
    PrizeSetup,
    PrizeState,
    Stage,
    Stop,
    TakeBackCall,
)
from station.rules.prizes import PrizeAction as Action
from tests.examples import examples
from tests.oracles import human_order

KNOBS = 18  # with fifteen numbers on a card every game comes to its end
KITE = drawn("kite", [("..#..", ".###.", "..#.."), (".#.#.", "..#..", ".#.#.")])
# As a child would say it: which places, and how many of them.
PLACES = {
    "row": [(range(5), 5), (range(5, 10), 5), (range(10, 15), 5)],
    "two-rows": [(range(10), 10), ([*range(5), *range(10, 15)], 10), (range(5, 15), 10)],
    "full": [(range(15), 15)],
    "corners": [((0, 4, 10, 14), 4)],
    "early-five": [(range(15), 5)],
    "kite": [((2, 6, 7, 8, 12), 5), ((1, 3, 7, 11, 13), 5)],
}
KEYS = ("early-five", "row", "row-2", "corners", "kite", "two-rows", "full", "full-2")


def pattern_of(key: str) -> str:
    return key.removesuffix("-2")


@dataclass
class Sheet:
    """One moment, as the referee has it on paper."""

    calls: list[int] = field(default_factory=list)
    claims: dict[str, set[str]] = field(default_factory=dict)  # by card: the stages it is valid for
    coins: dict[str, int] = field(default_factory=dict)  # what lies on each stage
    # by stage, by card: what it got
    winners: dict[str, dict[str, int]] = field(default_factory=dict)
    things: dict[str, list[str]] = field(default_factory=dict)  # by stage: whose it is
    left: int = 0  # what nobody gets
    jackpot: int = 0


class Referee:
    """Keeps the game another way: coins lie on the stages and are moved; an earlier moment is an
    earlier sheet of paper."""

    def __init__(self, setup: PrizeSetup) -> None:
        self.setup = setup
        self.cards = {
            serial: [number for row in card.rows for number in row]
            for serial, card in setup.cards.items()
        }
        self.stages = [stage.key for stage in setup.stages]
        self.money = {stage.key for stage in setup.stages if stage.amount}
        self.things = {stage.key for stage in setup.stages if stage.thing}
        self.tickets: dict[str, tuple[list[int], str]] = {}
        self.sheet = Sheet(
            coins={stage.key: stage.amount for stage in setup.stages}, jackpot=setup.jackpot
        )
        self.sheets: list[Sheet] = []

    def copied(self) -> Sheet:
        old = self.sheet
        return Sheet(
            [*old.calls],
            dict(old.claims),
            dict(old.coins),
            dict(old.winners),
            dict(old.things),
            old.left,
            old.jackpot,
        )

    def open(self) -> list[str]:
        unwon = [stage for stage in self.stages if stage not in self.sheet.winners]
        if not self.setup.at_once:
            return unwon[:1]
        return [
            stage for stage in unwon if not (stage.endswith("-2") and pattern_of(stage) in unwon)
        ]

    def complete(self, stage: str, serial: str) -> bool:
        """Is it complete, as the last-number rule wants it?"""
        calls = self.sheet.calls
        if serial in self.cards:
            card = self.cards[serial]
            parts = [
                ([card[place] for place in places], need)
                for places, need in PLACES[pattern_of(stage)]
            ]
        else:
            numbers = self.tickets[serial][0]
            fit = [
                need
                for places, need in PLACES[pattern_of(stage)]
                if need <= len(numbers) <= len(places)
            ]
            parts = [(numbers, need) for need in fit]
        return any(
            sum(number in calls for number in numbers) >= need
            and not (
                self.setup.last_number and sum(number in calls[:-1] for number in numbers) >= need
            )
            for numbers, need in parts
        )

    def had(self, stage: str, serial: str) -> bool:
        """Has it won this pattern before, a ticket by its numbers?"""
        others = [
            other
            for other in self.stages
            if other != stage and pattern_of(other) == pattern_of(stage)
        ]
        before = {card for other in others for card in self.sheet.winners.get(other, {})}
        numbers = {tuple(self.tickets[card][0]) for card in before if card in self.tickets}
        return serial in before or (
            serial in self.tickets and tuple(self.tickets[serial][0]) in numbers
        )

    def player(self, serial: str) -> str:
        name = (
            self.tickets[serial][1]
            if serial in self.tickets
            else (self.setup.holders or {}).get(serial)
        )
        return name or f"only {serial}"

    def claim(self, serial: str, stages: list[str]) -> None:
        self.sheet.claims[serial] = {
            stage
            for stage in stages
            if self.complete(stage, serial) and not self.had(stage, serial)
        }

    def pay(self) -> None:
        sheet = self.sheet
        for stage in self.open():
            valid = sorted(
                (serial for serial, stages in sheet.claims.items() if stage in stages),
                key=human_order,
            )
            lowest: dict[str, str] = {}
            for serial in valid:
                lowest.setdefault(self.player(serial), serial)
            winners = [*lowest.values()]
            if not winners:
                continue
            money, sheet.coins[stage] = sheet.coins[stage], 0
            got = {serial: money // len(winners) for serial in winners}
            rest = money - sum(got.values())
            sheet.winners[stage] = got
            waiting = [
                other for other in self.stages if other not in sheet.winners and other in self.money
            ]
            if waiting:
                sheet.coins[waiting[0]] += rest
            elif self.setup.odd == "lowest":
                got[winners[0]] += rest
            else:
                sheet.left += rest
            if stage in self.things:
                sheet.things[stage] = winners
            if stage == self.stages[-1] and len(sheet.calls) <= self.setup.within:
                each = {serial: sheet.jackpot // len(winners) for serial in winners}
                if self.setup.odd == "lowest":
                    each[winners[0]] += sheet.jackpot % len(winners)
                if sheet.jackpot:
                    sheet.winners["jackpot"] = each
                sheet.jackpot -= sum(each.values())
        sheet.claims = {}

    def do(self, action: Action) -> None:
        """What was accepted."""
        if isinstance(action, CallNumber):
            self.sheets.append(self.sheet)
            self.sheet = self.copied()
            self.sheet.calls.append(action.number)
        elif isinstance(action, TakeBackCall):
            now, self.sheet = self.sheet, self.sheets.pop()
            self.sheet.claims = {}
            # Lots that were drawn meanwhile for what was won before are drawn.
            self.sheet.things = {stage: now.things[stage] for stage in self.sheet.things}
        elif isinstance(action, Check):
            self.sheet = self.copied()
            self.claim(action.serial, self.open() if action.serial in self.cards else [])
        elif isinstance(action, CheckTicket):
            self.sheet = self.copied()
            serial = f"ticket-{len(self.tickets) + 1}"
            self.tickets[serial] = (sorted(action.numbers), action.name)
            self.claim(serial, [action.stage] if action.stage else self.open())
        elif isinstance(action, Award):
            self.sheet = self.copied()
            self.pay()
        elif isinstance(action, DecideLots):
            self.sheet = self.copied()
            self.sheet.things[action.stage] = [max(action.knobs, key=lambda drawn: drawn[1])[0]]


def stages(keys: list[str], amounts: list[int], things: list[bool]) -> tuple[Stage, ...]:
    patterns = {**PATTERNS, "kite": KITE}
    each = zip(keys, amounts, things, strict=False)
    return tuple(
        Stage(key, patterns[pattern_of(key)], amount, "a goose" * thing)
        for key, amount, thing in each
    )


@st.composite
def setups(draw: st.DrawFn) -> PrizeSetup:
    chosen = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=5, unique=True))
    # A second house comes after the first.
    chosen = [
        key
        for key in chosen
        if not (key.endswith("-2") and pattern_of(key) in chosen[chosen.index(key) :])
    ]
    chosen = chosen or ["full"]
    serials = draw(
        st.lists(st.sampled_from(["9", "10", "011", "A-2"]), min_size=1, max_size=4, unique=True)
    )
    numbers = {serial: draw(st.permutations(range(1, KNOBS + 1)))[:15] for serial in serials}
    # Some hold the same numbers: ties.
    numbers |= {serial: numbers[serials[0]] for serial in serials[1:] if draw(st.booleans())}
    return PrizeSetup(
        {
            serial: Card(serial, (tuple(card[:5]), tuple(card[5:10]), tuple(card[10:])))
            for serial, card in numbers.items()
        },
        stages(
            chosen,
            draw(st.lists(st.sampled_from([0, 1, 2, 5, 7, 100]), min_size=5, max_size=5)),
            draw(st.lists(st.booleans(), min_size=5, max_size=5)),
        ),
        draw(st.dictionaries(st.sampled_from(serials), st.sampled_from(["Anna", "Ben"]))),
        draw(st.booleans()),
        knobs=KNOBS,
        at_once=draw(st.booleans()),
        elsewhere=True,
        odd=draw(st.sampled_from(["lowest", "house"])),
        jackpot=draw(st.sampled_from([0, 5, 9])),
        within=draw(st.integers(1, KNOBS)),
    )


WAYS = (
    "call",
    "call",
    "call",
    "call",
    "draw",
    "several",
    "all",
    "one",
    "ticket",
    "ticket",
    "play",
    "back",
    "lots",
    "stop",
)


def next_actions(
    setup: PrizeSetup, state: PrizeState, way: str, chance: st.DataObject
) -> list[Action]:
    """What is tried: often several actions that belong together."""
    left = [number for number in range(1, setup.knobs + 1) if number not in state.called]
    match way:
        case "call" | "draw" | "several":
            drawn = [
                CallNumber(number)
                for number in chance.draw(st.permutations(left))[: 4 if way == "several" else 1]
            ]
            return [Award(), *drawn, *map(Check, setup.cards), Award()] if way == "call" else drawn
        case "all":
            return [*map(Check, setup.cards), Award()]
        case "one":
            return [Check(chance.draw(st.sampled_from([*setup.cards, "99"])))]
        case "ticket":
            # Maybe a card's own numbers, as if it were a ticket with the same.
            card = [
                number
                for row in chance.draw(st.sampled_from([*setup.cards.values()])).rows
                for number in row
            ]
            numbers = chance.draw(
                st.sampled_from([card, card[:5], card[5:10], card[:10], card[10:]])
            )
            stage = chance.draw(st.sampled_from(["", *(stage.key for stage in state.open)]))
            return [
                CheckTicket(
                    tuple(numbers), chance.draw(st.sampled_from(["", "Anna", "Zoe"])), stage
                )
            ]
        case "play":
            return [Award()]
        case "back":
            return [TakeBackCall()]
        case "lots":
            knobs = chance.draw(st.permutations(range(1, KNOBS + 1)))
            return [
                DecideLots(stage, tuple(zip(state.rivals(stage), knobs, strict=False)))
                for stage in state.undecided
            ]
    return [Stop()]


def seen(state: PrizeState) -> dict[str, dict[str, int]]:
    won: dict[str, dict[str, int]] = {}
    for win in state.wins:
        won.setdefault(win.stage, {})[win.serial] = win.amount
    return won


@pytest.mark.long
@given(setup=setups(), chance=st.data())
@examples(80)
def test_any_game_is_as_the_referee_has_it(setup, chance):
    """Whatever is played for and whatever happens: the same is open, valid and won, and every unit
    is somewhere."""
    referee, state = Referee(setup), GAME.start(setup)
    start, history = state, []
    for way in chance.draw(st.lists(st.sampled_from(WAYS), min_size=20, max_size=40)):
        for action in next_actions(setup, state, way, chance):
            try:
                after = GAME.apply(state, action)
            except IllegalAction:
                continue
            history.append(action)
            state = after
            referee.do(action)
            sheet = referee.sheet
            assert [stage.key for stage in state.open] == referee.open()
            assert {claim.serial: {*claim.stages} for claim in state.claims} == sheet.claims
            assert seen(state) == sheet.winners
            assert {
                stage: [*state.rivals(stage)] for stage in referee.things if state.rivals(stage)
            } == sheet.things
            assert {stage.key: state.share_of(stage) for stage in state.stages} == sheet.coins
            assert (state.jackpot, state.pool) == (
                sheet.jackpot,
                sum(sheet.coins.values()) + sheet.left,
            )
            assert sum(GAME.funds(state).values()) == setup.pool + setup.jackpot
    # No card has a stage twice, nor two stages of a pattern.
    for serial in {win.serial for win in state.wins}:
        had = [pattern_of(win.stage) for win in state.wins if win.serial == serial]
        assert len(set(had)) == len(had)
    assert GAME.parse(setup, GAME.notation(state)) == state
    again = start
    for action in history:
        again = GAME.apply(again, action)
    assert again == state
    # All calls taken back: nothing is won, and the pool is whole; of the tickets their names stay
    # given away.
    while state.called:
        state = GAME.apply(state, TakeBackCall())
    assert (state.wins, state.lots, state.claims, state.pool, state.jackpot) == (
        (),
        (),
        (),
        setup.pool,
        setup.jackpot,
    )
