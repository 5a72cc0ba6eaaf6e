"""A game of practice leads itself: every game a company plays comes to its end for one person among
simulated players, and only what is the person's own waits."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from station.base.errors import NotAllowed, Unreadable
from station.cards.pack import make_pack
from station.games import GAMES
from station.night.table.choices import tried
from station.night.table.luck import awaited_throw
from station.night.table.practice import (
    CARDS_DEALT,
    KEPT,
    PERSON,
    Cards,
    Coming,
    PracticeGame,
    TableLuck,
    begun,
    coming,
    company_moves,
    gone_on,
    moved,
    needs_cards,
    practised,
)
from station.rules.seen import SlotKind

NAMES = ("Zoë", "Bruno", "Carla", "Dario")
MOST_DEEDS = 6000
NAMES = sorted(practised())


def dealt(seed: int) -> Cards:
    """The cards of Loto for a game that needs them."""
    pack = make_pack(CARDS_DEALT // 6, Random(seed))
    return {serial: pack.card(serial) for serial in pack.serials}


def new_game(method: str, seed: int, players: int = 4) -> PracticeGame:
    cards = dealt(seed) if needs_cards(method) else None
    return begun(method, NAMES[:players], cards)


def money(game: PracticeGame) -> int:
    return sum(game.table.purses) + game.table.at_stake


def some_move(game: PracticeGame, chance: Random) -> dict[str, Any] | None:
    """A move of the person, chosen at random from all that the seat is offered."""
    rules, state = game.table.rules, game.table.state
    offered = [*rules.actions(state, PERSON), *company_moves(game)]
    legal = [move for move in offered if tried(rules, state, move).legal]
    if not legal:
        return None
    move = chance.choice(legal)
    chosen: dict[str, Any] = {"do": move.do, **move.fields}
    for slot in move.slots:
        chosen |= zip(slot.names, filled(slot, chance), strict=True)
    return chosen


def filled(slot: Any, chance: Random) -> tuple[Any, ...]:
    match slot.kind:
        case SlotKind.NUMBER:
            return (chance.randint(slot.least, min(slot.most, slot.least + 5)),)
        case SlotKind.YES_NO:
            return (chance.random() < 0.5,)
        case SlotKind.HAND | SlotKind.CUBES:
            count = chance.randint(slot.least, slot.most)
            return (tuple(chance.sample(slot.values, count)),)
    way: Any = chance.choice(slot.values)
    return way if len(slot.names) > 1 else (way,)


def played(game: PracticeGame, seed: int) -> Iterator[PracticeGame]:
    """The game after each deed, the person playing at random, to its end."""
    chance = Random(seed)
    luck = TableLuck(chance)
    while (comes := coming(game)) is not Coming.OVER:
        before = game
        if comes is Coming.THROW:
            law = awaited_throw(game.table)
            assert law is not None
            game = moved(game, {"do": law.do}, luck)
        elif comes is Coming.MOVE:
            move = some_move(game, chance)
            assert move is not None, game.table.notation()
            try:
                game = moved(game, move, luck)
            except NotAllowed:
                continue  # of several cards some do not fit together
        else:
            game = gone_on(game, luck)
        assert game.count == before.count + 1, (comes, game.table.notation())
        yield game


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", NAMES)
def test_every_game_comes_to_its_end(method: str, seed: int) -> None:
    """Counters are conserved at each deed; few deeds are kept, and none of the games before."""
    game = new_game(method, seed, 2 + seed % 3)
    had = money(game)
    for deeds, now in enumerate(played(game, seed)):
        game = now
        assert money(game) == had
        assert len(game.deeds) <= KEPT
        assert all(deed.table.before is None for deed in game.deeds)
        if deeds > 300 and "resolve" in GAMES[method].moves and game.table.wins < 10_000:
            luck = TableLuck(Random(seed))
            resolves = {one.do for one in company_moves(game)}
            if "resolve" in resolves and not getattr(game.table.state, "left", None):
                game = moved(game, {"do": "resolve", "drawings": 1}, luck)
                break
        assert deeds < MOST_DEEDS
    for now in played(game, seed + 1):
        game = now
    assert game.table.over
    assert gone_on(game, TableLuck(Random(1))) is game
    assert sum(game.table.purses) == had


def until(game: PracticeGame, wanted: Coming, seed: int = 5) -> PracticeGame:
    """The game when this comes next for the first time."""
    if coming(game) is wanted:
        return game
    return next(now for now in played(game, seed) if coming(now) is wanted)


@pytest.mark.parametrize("method", ["dice-keno", "bell-and-hammer"])
def test_the_person_throws_and_nobody_else_does_it(method: str) -> None:
    """The game waits; then it is thrown once, with what chance gives and not the person."""
    game = until(new_game(method, 3), Coming.THROW)
    luck = TableLuck(Random(9))
    assert gone_on(game, luck) is game
    law = awaited_throw(game.table)
    assert law is not None
    with pytest.raises(NotAllowed):
        moved(game, {"do": law.do, law.field: [6, 6]}, luck)
    thrown = moved(game, {"do": law.do}, luck)
    assert thrown.count == game.count + 1
    again = moved(game, {"do": law.do}, TableLuck(Random(9)))
    assert again.table.state == thrown.table.state


@pytest.mark.parametrize("method", ["dice-keno", "bell-and-hammer"])
def test_nobody_throws_for_the_others(method: str) -> None:
    """Where it is another's turn, or chance decides something else, a throw is not the person's."""
    refused = 0
    for game in played(new_game(method, 3), 3):
        law = game.table.rules.chance(game.table.state)
        if coming(game) is Coming.BY_ITSELF and law is not None:
            with pytest.raises(NotAllowed):
                moved(game, {"do": law.do}, TableLuck(Random(1)))
            refused += 1
    assert refused


def test_a_person_makes_no_move_of_others() -> None:
    """Nor one that is unreadable, nor what only a host may do."""
    game = until(new_game("spoil-five", 3), Coming.MOVE)
    card = game.table.rules.actions(game.table.state, PERSON)
    held = [move.slots[0].values[0] for move in card if move.slots]
    luck = TableLuck(Random(1))
    for move in (
        {"do": "play-card", "seat": 2, "card": held},
        {"do": "misdeal"},
        {"do": "deal-hands"},
        {"do": "no-such-move"},
        {},
    ):
        with pytest.raises(NotAllowed):
            moved(game, move, luck)
    with pytest.raises(Unreadable):
        moved(game, {"do": "play-card", "seat": 1, "card": "KH"}, luck)


@pytest.mark.parametrize(
    ("method", "names"), [("loto-first", NAMES), ("spoil-five", NAMES[:1]), ("no-game", NAMES)]
)
def test_what_nobody_plays_alone_is_refused(method: str, names: tuple[str, ...]) -> None:
    """A game that cards are sold for, one for more players, one that there is not."""
    with pytest.raises(Unreadable):
        begun(method, names)


@pytest.mark.parametrize("method", NAMES)
def test_the_last_win_is_told(method: str) -> None:
    """Whoever wins is named by the action that ended it, and each win counts once."""
    game = new_game(method, 2)
    wins = 0
    for now in played(game, 2):
        if "resolve" in GAMES[method].moves and now.count > 400:
            return
        won = now.table.won if now.table.wins > game.table.wins else ()
        assert now.table.wins == wins + bool(won)
        wins, game = now.table.wins, now
    outcome = game.table.rules.outcome(game.table.state)
    assert outcome is not None
    assert wins or not outcome.winners
