"""Every variation of every game that is played without the hall's knobs, at random, at its full
size: what `loto drill games` and `loto drill unseen` do at length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from station.games import GAMES
from station.night.sealed import SEALED, seal, unsealed
from station.night.table.practice import alone
from tests.drill import games, unseen
from tests.drill.companies import REAL_CARDS, VARIATIONS, Agreed, anything, sat_down
from tests.drill.unseen import hidden_in

SEED, TURNS = 3, 6


def _each(known: Mapping[str, Sequence[Agreed]]) -> pytest.MarkDecorator:
    cases = [(name, place) for name, some in known.items() for place in range(len(some))]
    names = [f"{name}-{known[name][place].name}" for name, place in cases]
    return pytest.mark.parametrize(("name", "place"), cases, ids=names)


every_variation = _each(VARIATIONS)
every_variation_of_real_cards = _each(REAL_CARDS)


def test_each_game_that_can_be_played_so_has_its_variations():
    """A new one brings them."""
    assert {name for name, play in GAMES.items() if alone(play)} == VARIATIONS.keys()


@pytest.mark.long
@every_variation
def test_whole_games_are_conserved_read_back_and_played_again(name, place):
    """By players who do anything that is legal, and once by simulated ones."""
    many = len(VARIATIONS[name])
    turns = range(TURNS if name != "tontine" else 2)
    for turn in (*turns, games.BY_BOTS - 1):
        assert games.check(name, SEED, place + turn * many).units == 1


@pytest.mark.long
@every_variation
def test_what_cannot_be_seen_changes_nothing(name, place):
    """Of what is shown, allowed, wanted, said and recorded."""
    many = len(VARIATIONS[name])
    pairs = [unseen.check(name, SEED, place + turn * many) for turn in range(3)]
    assert sum(pairs) > 0


@pytest.mark.long
@every_variation_of_real_cards
def test_real_cards_are_played_and_told_alike(name, place):
    """Whole games, and what cannot be seen of them."""
    many = len(REAL_CARDS[name])
    turns = [place + turn * many for turn in range(2)]
    assert all(games.check_real(name, SEED, turn).units == 1 for turn in turns)
    assert sum(unseen.check_real(name, SEED, turn) for turn in turns) > 0


@every_variation
def test_secrets_are_sealed_and_opened(name, place):
    """A line has none of the hidden cards, only a digest, another one with another salt; with its
    part it is the move again."""
    play, luck = GAMES[name], Random(place)
    agreed: Agreed = VARIATIONS[name][place]
    state, sealed = sat_down(play, agreed, luck), 0
    verbs = {kind: do for do, kind in play.moves.items()}
    for _ in range(60):
        if play.outcome(state) is not None:
            break
        action = anything(play, state, luck)
        state = play.apply(state, action)
        hidden = hidden_in(play).get(verbs.get(type(action), ""))
        if not hidden:
            continue
        move: dict[str, Any] = {"do": verbs[type(action)], **asdict(action)}
        said, part = seal(move, hidden, f"{luck.getrandbits(128):032x}")
        other, _ = seal(move, hidden, f"{luck.getrandbits(128):032x}")
        faces = {face for field in hidden for face in move[field]}
        assert not any(str(face) in map(str, said.values()) for face in faces)
        assert not hidden & said.keys()
        assert said[SEALED] != other[SEALED]
        assert unsealed(said, part) == move
        sealed += 1
    assert bool(sealed) == bool(hidden_in(play))
