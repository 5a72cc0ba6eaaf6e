"""What may be done at a table is what the rules list, each seat's own; what it costs is what the
counters say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.games import GAMES, AnyRules
from station.games.loto_parlour import rules as loto_parlour
from station.games.loto_parlour.state import Answering
from station.games.loto_second import rules as loto_second
from station.night.table.choices import Choice, tried
from station.night.table.game import parse_move
from station.rules.seen import Move, SlotKind, Watching
from tests.examples import examples
from tests.support import small_pack

PACK = {serial: small_pack().card(serial) for serial in small_pack().serials}
SECOND = loto_second.Setup(PACK, (2, 2, 1, 0), (400, 200, 130, 50))
RACE = loto_parlour.Setup(PACK, (2, 2, 1), (9, 9, 9), stake=3, answering=Answering.FIRST)
KNOBS = (loto_second.Draw, loto_parlour.Draw)
NOT_ASKED = (
    *KNOBS,
    loto_second.Join,
    loto_second.TakeBack,
    loto_parlour.TakeBack,
    loto_parlour.Close,
)


def choices(rules: AnyRules, state: Any) -> list[tuple[Move, Choice]]:
    """All that players and company may ask for, with what comes of it; no answers by buzzers."""
    return [
        (move, tried(rules, state, move))
        for move in rules.actions(state, Watching.HOST)
        if not any(slot.kind is SlotKind.RACE for slot in move.slots)
    ]


def instances(move: Move) -> Iterator[dict[str, Any]]:
    """The moves that one stands for; of a number the least."""
    ways = [slot.values or ((slot.least,),) for slot in move.slots]
    for chosen in product(*ways):
        filled = (
            zip(slot.names, way, strict=True) for slot, way in zip(move.slots, chosen, strict=True)
        )
        yield {"do": move.do, **move.fields, **dict(chain.from_iterable(filled))}


def listed(game: AnyRules, state: Any) -> set[Any]:
    """The actions that the rules list, but for knobs, newcomers and the end; a pattern stands for
    single answers."""
    found: set[Any] = set()
    for action in game.legal_actions(state):
        if action == loto_parlour.Answer(loto_parlour.ANYONE):
            found |= {loto_parlour.Answer((seat,)) for seat in state.silent}
        elif not isinstance(action, NOT_ASKED):
            found.add(action)
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "setup"),
    [(GAMES["loto-second"], SECOND), (GAMES["loto-parlour"], RACE)],
    ids=["second", "race"],
)
@examples(6)
@given(seed=st.integers(0, 10_000))
def test_what_is_offered_is_what_the_rules_list(game: AnyRules, setup: Any, seed: int) -> None:
    """Along any evening: just the listed actions may be done, the rest say why not, and sums are
    what hands and purses show."""
    chance, state = Random(seed), game.start(setup)
    for _ in range(16):
        if game.outcome(state) is not None:
            break
        offered = choices(GAMES[game.name], state)
        moves = {
            parse_move(game.name, move)
            for one, choice in offered
            if choice.legal
            for move in instances(one)
        }
        assert moves == listed(game, state)
        for one, choice in offered:
            assert bool(str(choice.said)) is not choice.legal
            if choice.legal:
                check_sums(game, state, next(instances(one)), choice)
        state = game.apply(state, some_action(game, state, chance))


def check_sums(game: AnyRules, state: Any, move: dict[str, Any], choice: Choice) -> None:
    after = game.apply(state, parse_move(game.name, move))
    for seat in range(1, len(state.hands) + 1):
        had, has = (one.purses[seat - 1] + one.hands[seat - 1] for one in (state, after))
        assert dict(choice.sums).get(seat, 0) == has - had


def some_action(game: AnyRules, state: Any, chance: Random) -> Any:
    """A knob more often than not, so that evenings get on."""
    actions = [
        action
        for action in game.legal_actions(state)
        if action != loto_parlour.Answer(loto_parlour.ANYONE)
    ]
    knobs = [action for action in actions if isinstance(action, KNOBS)]
    if silent := getattr(state, "silent", ()):
        actions.append(loto_parlour.Answer((chance.choice(silent),)))
    return chance.choice(knobs) if knobs and chance.random() < 0.6 else chance.choice(actions)


def find(offered: list[tuple[Move, Choice]], do: str, **said: Any) -> Choice:
    """What comes of the one move of that name that says this."""
    (choice,) = [
        choice
        for one, choice in offered
        if one.do == do and said.items() <= {**one.fields, "of": one.seat}.items()
    ]
    return choice


def test_each_asks_for_his_own() -> None:
    """Exchanges, throw-ups and cards are a seat's; the company settles and resolves; the one who is
    asked agrees."""
    state = GAMES["loto-second"].start(SECOND)
    mine, theirs = state.taken[0][0], state.taken[1][0]
    offered = choices(GAMES["loto-second"], state)
    assert find(offered, "throw-up", serial=mine, of=1).sums == ((1, 15 + 45),)
    assert find(offered, "take", of=4).reason == "stake-not-paid"
    assert find(offered, "take", of=2).sums == ((2, -60),)
    assert find(offered, "settle", of=0).reason == "board-not-full"
    assert find(offered, "resolve", of=0).legal
    (exchange,) = (
        one for one, _ in offered if one.fields.items() >= {("serial", mine)} and one.slots
    )
    assert (2, theirs) in exchange.slots[0].values
    asked = GAMES["loto-second"].apply(state, loto_second.Exchange(1, mine, 2, theirs))
    offered = choices(GAMES["loto-second"], asked)
    assert {(one.seat, one.do) for one, choice in offered if choice.legal} == {
        (2, "agree"),
        (2, "decline"),
    }
    assert find(offered, "throw-up", serial=mine, of=1).reason == "offer-stands"


def test_what_is_not_won_is_shared_when_the_bag_is_empty() -> None:
    """Nobody answered: with knobs in the bag sharing is refused, without it is the company's, and
    stakes go back."""
    state = GAMES["loto-parlour"].start(RACE)
    assert find(choices(GAMES["loto-parlour"], state), "share", of=0).reason == "bag-not-empty"
    for number in range(1, 91):
        state = GAMES["loto-parlour"].apply(state, loto_parlour.Draw(number))
    assert find(choices(GAMES["loto-parlour"], state), "share", of=0).sums == (
        (1, 6),
        (2, 6),
        (3, 3),
    )


def test_nobody_answers_where_everybody_covers() -> None:
    """Without a race there is nothing to ask of a player: the company alone may share what was not
    won."""
    state = GAMES["loto-parlour"].start(replace(RACE, answering=Answering.EVERYONE))
    offered = choices(GAMES["loto-parlour"], state)
    assert [(one.seat, one.do, one.fields) for one, _ in offered] == [(0, "share", {})]


def test_the_only_player_with_all_cards_has_nothing_to_exchange() -> None:
    """No card of another, none free: the exchange is refused with the rules' own sentence."""
    one = {serial: PACK[serial] for serial in list(PACK)[:1]}
    state = GAMES["loto-second"].start(loto_second.Setup(one, (1,), (60,)))
    exchange = find(choices(GAMES["loto-second"], state), "exchange")
    assert exchange.reason == "not-free"
    assert "none" in str(exchange.said)
