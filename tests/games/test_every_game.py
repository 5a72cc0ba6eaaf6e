"""What holds for every game there is, whatever its rules. A game without a sample, a count file or
a trace fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, fields
from enum import StrEnum
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import IllegalAction, Unreadable
from station.games import GAMES
from station.rules.abilities import SellsCards
from station.rules.seen import Move, PlayingCard, Seen, Watching, Zone, phrase
from tests.altered import altered
from tests.examples import examples
from tests.games.samples import (
    FOLDER,
    SAMPLES,
    Sample,
    count_file,
    counts,
    states,
    trace,
    trace_file,
)

NAMES = [play.name for play in GAMES.values()]
CASES = [(name, setup) for name in NAMES if name in SAMPLES for setup in SAMPLES[name].setups]
MANY = 1000  # states that are looked at: that takes long


def many_states(name: str, setup: str) -> bool:
    """Whether a setup has many states, as its count file says; without a file it has none."""
    kept = json.loads(count_file(name).read_text("utf-8")) if count_file(name).is_file() else {}
    by_depth = kept.get(setup, {}).get("states by depth", [])
    return sum(by_depth[: SAMPLES[name].depths[setup][0] + 1]) > MANY


# By module, so that all tests of one setup come one after the other, and look at the same states.
every_setup = pytest.mark.parametrize(
    ("name", "setup"),
    [pytest.param(*case, marks=[pytest.mark.long] * many_states(*case)) for case in CASES],
    scope="module",
)
# So many actions that are not listed are tried in the states of one setup.
TRIES = 100_000


@cache
def small_states(name: str, setup: str) -> tuple[tuple[Sample, Any], ...]:
    """Every state that can be reached in a few actions; found once for all tests that look at
    them."""
    sample = SAMPLES[name]
    start = sample.game.start(sample.setups[setup])
    layers = states(sample, start, sample.depths[setup][0])
    return tuple((sample, state) for layer in layers for state in layer.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_its_sample_counts_and_trace(name):
    """A new game brings all three; no file belongs to a game that is gone; its play has its
    name."""
    assert name in SAMPLES, "add a sample to tests/games/samples.py"
    assert count_file(name).is_file(), "write it: python -m tests.games.samples"
    assert trace_file(name).is_file(), "write it: python -m tests.games.samples"
    assert GAMES[name] is SAMPLES[name].game
    kept = {path for path in FOLDER.iterdir() if path.suffix in (".json", ".txt")}
    assert kept == {file(game) for game in NAMES for file in (count_file, trace_file)}
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_counts_are_as_kept(name):
    """Ways and states by depth are those of the file; where they are not, the first action whose
    branch is wrong is shown."""
    kept = json.loads(count_file(name).read_text(encoding="utf-8"))
    found = counts(SAMPLES[name])
    wrong = [
        f"{setup}: after {action}: {number} ways, the file has"
        f" {kept[setup]['ways by first action'].get(action)}"
        for setup, counted in found.items()
        for action, number in counted["ways by first action"].items()
        if setup in kept and kept[setup]["ways by first action"].get(action) != number
    ]
    assert not wrong, "\n".join(wrong)
    assert found == kept


@pytest.mark.parametrize("name", NAMES)
def test_the_trace_is_as_kept(name):
    """The scripted game runs as the file tells, line by line."""
    kept = trace_file(name).read_text(encoding="utf-8")
    assert trace(SAMPLES[name]).splitlines() == kept.splitlines()


@pytest.mark.long
@every_setup
def test_what_is_listed_is_accepted_and_nothing_else(name, setup):
    """In every small state: the list is lazy, in order, without effect; what it stands for is
    accepted, all else refused, in a sentence. Where that were more than `TRIES`, each state is
    asked for its share of all else, and the next ones for the rest."""
    refusals: dict[tuple[str, str], IllegalAction] = {}
    reached = small_states(name, setup)
    shares = -(-len(reached) * len(SAMPLES[name].universe) // TRIES)
    for place, (sample, state) in enumerate(reached):
        game, before = sample.game, sample.game.notation(state)
        listed = game.legal_actions(state)
        assert isinstance(listed, Iterator)
        legal = sample.legal(state)
        told = [*listed]
        assert told == [*game.legal_actions(state)]
        allowed = set(legal)
        assert len(allowed) == len(legal)
        for kind in {type(action) for action in legal}:
            places = [at for at, action in enumerate(told) if type(action) is kind]
            assert places == [*range(places[0], places[-1] + 1)], (
                f"{kind.__name__} is listed in two places"
            )
            numbers = [vars_of(action) for action in told if type(action) is kind]
            assert numbers == sorted(numbers)
        for action in legal:
            game.apply(state, action)
        for action in sample.universe[place % shares :: shares]:
            if action in allowed:
                continue
            refused = refusal(sample, state, action)
            assert refused is not None, f"{action} is not listed and was accepted in {before}"
            assert isinstance(refused.reason, StrEnum)
            refusals[refused.reason, refused.said.template] = refused
        assert game.notation(state) == before
    for (reason, _), refused in refusals.items():
        assert str(refused) not in ("", reason), "a refusal says what to do"


def refusal(sample: Sample, state: Any, action: Any) -> IllegalAction | None:
    """Why an action is refused; None where it is not. Asked a million times, `pytest.raises` would
    take most of the time."""
    try:
        sample.game.apply(state, action)
    except IllegalAction as error:
        return error
    return None


def vars_of(action: Any) -> tuple[Any, ...]:
    """An action's fields, for comparing."""
    return tuple(getattr(action, field.name) for field in fields(action))


@every_setup
def test_funds_are_conserved(name, setup):
    """No action makes or loses a unit but what somebody brings who joins, and no account goes below
    zero but that of a player who may owe."""
    for sample, state in small_states(name, setup):
        total = sum(sample.game.funds(state).values())
        for action in sample.legal(state):
            after = sample.game.funds(sample.game.apply(state, action))
            assert sum(after.values()) == total + sample.brings(action)
            assert all(type(units) is int for units in after.values())
            owed = {place for place, units in after.items() if units < 0}
            assert {*map(account, owed)} <= (
                {"hand", "purse", "given-out"} if sample.owes else set()
            )


def account(place: str) -> str:
    """What kind of account it is: "hand" of "hand:1"."""
    return place.partition(":")[0]


@every_setup
def test_notation_says_all_and_comes_back(name, setup):
    """Every small state stands on one line, different from every other's, and is read back
    equal."""
    texts = set()
    for sample, state in small_states(name, setup):
        text = sample.game.notation(state)
        texts.add(text)
        assert "\n" not in text
        assert sample.game.parse(sample.setups[setup], text) == state
    assert len(texts) == len(small_states(name, setup))


@every_setup
def test_another_setups_notation_is_refused(name, setup):
    """A line can be read only with the setup it was written for, or with one that writes the very
    same line."""
    sample = SAMPLES[name]
    text = sample.game.notation(sample.game.start(sample.setups[setup]))
    for other in sample.setups.values():
        if sample.game.notation(sample.game.start(other)) != text:
            with pytest.raises(Unreadable):
                sample.game.parse(other, text)


@every_setup
@given(data=st.data())
@examples(60)
def test_a_damaged_notation_is_refused_or_read_as_written(name, setup, data):
    """Whatever is done to a line, it is refused by name, or read as exactly what it says now."""
    sample = SAMPLES[name]
    text = list(sample.game.notation(walk(sample, setup, data)[0][-1]))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 4))] = data.draw(
            st.text("0123456789,:=- .\nabvwx٣", max_size=4)
        )
        text = text or ["-"]
    line = "".join(text)
    try:
        state, said = sample.game.parse(sample.setups[setup], line), ""
    except Unreadable as error:
        state, said = None, str(error)
    assert repr(line) in said if state is None else sample.game.notation(state) == line


def walk(sample: Sample, setup: str, data: st.DataObject) -> tuple[list[Any], list[Any]]:
    """The states of a game played at random, to its end or for sixty actions; and the actions."""
    visited = [sample.game.start(sample.setups[setup])]
    history = []
    for _ in range(data.draw(st.integers(0, 60))):
        legal = sample.legal(visited[-1])
        if not legal:
            break
        # The end is far down the list of choices, so that most games are long ones.
        history.append(legal[data.draw(st.integers(0, len(legal) - 1))])
        visited.append(sample.game.apply(visited[-1], history[-1]))
    again = visited[0]
    for action, state in zip(history, visited[1:], strict=True):
        again = sample.game.apply(again, action)
        assert again == state, "the same actions lead to the same state"
    return visited, history


@pytest.mark.long
@every_setup
@given(data=st.data())
@examples(60)
def test_long_games_keep_the_contract(name, setup, data):
    """Any length: replay gives the same states, funds stay, notation comes back, the list depends
    on the state alone."""
    sample = SAMPLES[name]
    game = sample.game
    visited, history = walk(sample, setup, data)
    total = sum(game.funds(visited[0]).values())
    for state, brought in zip(visited, (0, *map(sample.brings, history)), strict=True):
        total += brought
        assert sum(game.funds(state).values()) == total
        read = game.parse(sample.setups[setup], game.notation(state))
        assert read == state
        assert [*game.legal_actions(read)] == [*game.legal_actions(state)]


@every_setup
def test_a_game_that_is_over_stays_over(name, setup):
    """There is an outcome exactly where there is nothing more to do, and then every action is
    refused."""
    ends = 0
    for sample, state in small_states(name, setup):
        over = sample.game.outcome(state) is not None
        assert over == (not [*sample.game.legal_actions(state)])
        ends += over
        for action in sample.universe if over else ():
            assert refusal(sample, state, action) is not None
    assert ends


@every_setup
def test_states_are_frozen(name, setup):
    """No field of a state or its setup can be set, and none is a list, dict or set that could be
    changed in place."""
    sample = SAMPLES[name]
    state = sample.game.start(sample.setups[setup])
    for thing in (state, sample.setups[setup]):
        for field in fields(thing):
            with pytest.raises(FrozenInstanceError):
                setattr(thing, field.name, None)
    for _, reached in small_states(name, setup):
        assert not any(
            isinstance(getattr(reached, field.name), list | dict | set) for field in fields(reached)
        )


AT_TABLE = [(name, setup) for name, setup in CASES if GAMES[name].ability(SellsCards) is None]


@pytest.mark.parametrize(("name", "setup"), AT_TABLE)
def test_nobody_sees_or_may_do_what_hangs_on_what_he_cannot_see(name, setup):
    """Two states that differ only in what a viewer cannot see give equal views and equal actions:
    everybody, the host, the caller, each seat."""
    sample = SAMPLES[name]
    twins = (sample.setups[setup], sample.twin(sample.setups[setup]))
    assert twins[0] != twins[1]
    reached = [
        state
        for twin in twins
        for layer in states(sample, sample.game.start(twin), 2)
        for state in layer.values()
    ]
    found = leaks(GAMES[name], reached, sample.known)
    assert not found, found[0]
    assert leaks(GAMES[name], reached, lambda *_: "nothing"), "who knew nothing would see something"


def leaks(play, reached, known):
    """The viewers to whom a view or an action tells more than they know, with two such states."""
    found = []
    for viewer in (*Watching, 1, 2, 3):
        seen = {}
        for state in reached:
            told = play.view(state, viewer), [*play.actions(state, viewer)]
            before = seen.setdefault(known(state, viewer), (told, state))
            if before[0] != told:
                found.append((viewer, before[1], state))
    return found


@dataclass(frozen=True)
class Hands:
    """A state with a card face down before each seat."""

    cards: tuple[str, ...]


@pytest.mark.parametrize("leaky", [False, True])
def test_a_game_that_shows_a_hidden_card_is_found(leaky):
    """Each sees his own card; who saw another's, in a zone or by a move, would be found."""

    def view(state, viewer, _=None):
        cards = (
            Zone("hand", (PlayingCard(card if viewer == seat else ""),), seat)
            for seat, card in enumerate(state.cards, 1)
        )
        return Seen(phrase("table-over"), tuple(cards))

    def actions(state, viewer):
        return [Move(1, "play", {"card": card}) for card in state.cards[: viewer == 1 or leaky]]

    play = altered(GAMES["loto-second"], view=view, actions=actions)
    reached = [Hands(cards) for cards in product(("5H", "KD"), repeat=2)]
    found = leaks(
        play,
        reached,
        lambda state, viewer: state.cards[viewer - 1 : viewer] if viewer in (1, 2) else (),
    )
    assert bool(found) is leaky
