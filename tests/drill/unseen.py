"""Pairs of states that differ only in what a viewer cannot see: they look alike to him, he may do
the same, a simulated player in his seat wants the same, and the same is said to everybody.

A game is played at random for a while. Then it is played once more by the same actions, but that
the cards which the viewer has not seen are others: in the deal, in cards that were passed on face
down, laid out or put out. In games without such cards, and now and then in those with them,
everybody but the viewer has another purse. Where the rules take all of that, and what the viewer
knows by `tests.drill.known` is the same after every action, each two states that differ are a
pair. So both of them have come about by play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any

from station.base.errors import IllegalAction
from station.base.nouns import suit_of
from station.games import GAMES, AnyRules
from station.games.my_bird_sings.state import PutOut
from station.night.table.practice import TableLuck
from station.rules.abilities import HasHiddenParts, PlaysRealCards, Recites
from station.rules.play import Played
from station.rules.seen import Viewer, Watching
from tests.drill.companies import REAL_CARDS, VARIATIONS, Agreed, anything, sat_down
from tests.drill.course import luck, must
from tests.drill.known import KNOWN

NAME, REAL = "unseen", "unseen-real-cards"
LONGEST = 80  # actions of a game
TRIES = 12  # of other cards; then others of the same suits, which change less
GIVE_UP = 24
PURSES = 5  # every so many games with hidden cards have other purses, too


@dataclass(frozen=True)
class Stretch:
    """A part of a game: where it began, what was done, and how it stood after each action."""

    start: Any
    actions: tuple[Any, ...]
    states: tuple[Any, ...]


def check(name: str, seed: int, case: int, play: AnyRules | None = None) -> int:
    """One game and its twin; gives how many pairs of states were compared.

    Args:
        play: the game as it is to be tried, if it is built otherwise.
    """
    return _pairs(play or GAMES[name], VARIATIONS[name], case, luck(f"{NAME}-{name}", seed, case))


def check_real(name: str, seed: int, case: int, play: AnyRules | None = None) -> int:
    """The same with real cards."""
    return _pairs(play or GAMES[name], REAL_CARDS[name], case, luck(f"{REAL}-{name}", seed, case))


def _pairs(play: AnyRules, known: Sequence[Agreed], case: int, chance: Random) -> int:
    one = some_play(play, known[case % len(known)], chance)
    seats = one.start.setup.seats
    viewer = chance.choice(_viewers(play, seats))
    twin = twin_of(play, one, viewer, chance, purses=not hidden_in(play) or not case % PURSES)
    return 0 if twin is None else sum(_compared(play, one, twin, viewer))


def hidden_in(play: AnyRules) -> Mapping[str, frozenset[str]]:
    """The hidden fields of each move of a game."""
    hiding = play.ability(HasHiddenParts)
    return hiding.hidden if hiding is not None else {}


def _viewers(play: AnyRules, seats: int) -> list[Viewer]:
    """Who may look on, mostly the seats; where no card is hidden the host sees all there is."""
    watching = [one for one in Watching if hidden_in(play) or one is not Watching.HOST]
    return [*watching, *3 * [*range(1, seats + 1)]]


def some_play(play: AnyRules, agreed: Agreed, chance: Random, longest: int = LONGEST) -> Stretch:
    """A game played at random for a while, from its beginning on."""
    start = state = sat_down(play, agreed, chance)
    actions, states = [], []
    for _ in range(chance.randint(2, longest)):
        if play.outcome(state) is not None:
            break
        actions.append(anything(play, state, chance))
        state = play.apply(state, actions[-1])
        states.append(state)
    return Stretch(start, tuple(actions), tuple(states))


# -- the twin --------------------------------------------------------------------------------------


def twin_of(
    play: AnyRules, one: Stretch, viewer: Viewer, chance: Random, *, purses: bool
) -> Stretch | None:
    """The same play with other cards where the viewer cannot see them, and other purses if wanted;
    None where there are none."""
    knows = KNOWN[play.name]
    begun = _hand_begun(play, one)
    seen = {
        face for state in one.states[begun:] for face in SEES.get(play.name, _all)(state, viewer)
    }
    pack = getattr(one.start.setup, "pack", ())
    unseen = [face for face in pack if face not in seen]
    start = one.start
    if purses:
        start = replace(start, **_richer(start, viewer, chance))
    for turn in range(GIVE_UP):
        others = _others(unseen, chance, by_suit=turn >= TRIES)
        try:
            twin = _played(play, start, one, begun, others)
        except IllegalAction:
            continue
        alike = (
            knows(a, viewer) == knows(b, viewer)
            for a, b in zip(one.states, twin.states, strict=True)
        )
        if all(alike) and openly(one) == openly(twin):
            return twin
    return None


def openly(stretch: Stretch) -> list[bool]:
    """What all see of actions beside how it lies afterwards: whether who has put a card out took
    his own back, for want of another suit."""
    before = (stretch.start, *stretch.states)
    return [
        was.hands == now.hands
        for was, action, now in zip(before, stretch.actions, stretch.states, strict=False)
        if isinstance(action, PutOut)
    ]


def _hand_begun(play: AnyRules, one: Stretch) -> int:
    """The number of the action with which the hand began that is played last: what was hidden
    before may be seen."""
    before = (one.start, *one.states)
    hiding = play.ability(HasHiddenParts)
    over = [at for at, state in enumerate(before[:-1]) if hiding and hiding.hand_over(state)]
    return over[-1] if over else 0


def _richer(start: Any, viewer: Viewer, chance: Random) -> Mapping[str, Any]:
    """The fields of a state in which everybody has more in his purse, but the viewer; the host
    knows all purses."""
    more = [
        0 if viewer in (seat, Watching.HOST) else chance.randrange(50)
        for seat in range(1, start.setup.seats + 1)
    ]
    setup = replace(start.setup, purses=_added(start.setup.purses, more))
    own = "purses" in {field.name for field in fields(start)}
    return {"setup": setup, **({"purses": _added(start.purses, more)} if own else {})}


def _added(purses: Sequence[int], more: Sequence[int]) -> tuple[int, ...]:
    return tuple(has + plus for has, plus in zip(purses, more, strict=True))


def _others(unseen: list[str], chance: Random, *, by_suit: bool) -> dict[str, str]:
    """For each card that is not seen another one; by suit one of the same."""
    groups = [unseen]
    if by_suit:
        groups = [[face for face in unseen if suit_of(face) == suit] for suit in "SHDC"]
    return {
        face: other
        for group in groups
        for face, other in zip(group, chance.sample(group, len(group)), strict=True)
    }


def _played(
    play: AnyRules, start: Any, one: Stretch, begun: int, others: Mapping[str, str]
) -> Stretch:
    """The same actions, the hidden cards of them others from a certain one on. Raises
    `IllegalAction`."""
    state, actions, states = start, [], []
    verbs = {kind: do for do, kind in play.moves.items()}
    for at, action in enumerate(one.actions):
        names = hidden_in(play).get(verbs.get(type(action), ""), frozenset())
        if at >= begun and names:
            changed = {name: _exchanged(getattr(action, name), others) for name in names}
            action = replace(action, **changed)
        state = play.apply(state, action)
        actions.append(action)
        states.append(state)
    return Stretch(start, tuple(actions), tuple(states))


def _exchanged(faces: Sequence[str], others: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(others.get(face, face) for face in faces)


# -- what a viewer sees of the cards, by the rule book ---------------------------------------------


def _all(state: Any, _: Viewer) -> Iterator[str]:
    """Open cards alone."""
    yield from getattr(state.setup, "pack", ())


def _of_spoil_five(state: Any, viewer: Viewer) -> Iterator[str]:
    """His own hand, what was turned up, what was played, and what he has laid out himself."""
    hand = state.hand
    if hand is None:
        return
    yield from (*hand.turned, *hand.played)
    if isinstance(viewer, int):
        yield from hand.held[viewer - 1]
    if hand.robber == viewer:
        yield hand.laid_out
    if hand.over:  # what is told then tells who had the ace
        yield f"A{hand.suit}"


def _of_birds(state: Any, viewer: Viewer) -> Iterator[str]:
    """His own hand, and songs."""
    if isinstance(viewer, int) and state.hands:
        yield from state.hands[viewer - 1]
    for song in (*state.sung, *state.laid):
        yield from song.cards


SEES: dict[str, Callable[[Any, Viewer], Iterator[str]]] = {
    "spoil-five": _of_spoil_five,
    "my-bird-sings": _of_birds,
}


# -- the comparison --------------------------------------------------------------------------------


def _compared(play: AnyRules, one: Stretch, twin: Stretch, viewer: Viewer) -> Iterator[bool]:
    """Whether each two states differ; where they do, what is told of them does not."""
    before, there = one.start, twin.start
    rows = zip(one.actions, one.states, twin.actions, twin.states, strict=True)
    for action, state, other_action, other in rows:
        here = told(play, state, viewer), heard(play, Played(before, action, state))
        seen = told(play, other, viewer), heard(play, Played(there, other_action, other))
        must(
            here == seen,
            f"{viewer} is told of what he cannot see",
            play.notation(state),
            play.notation(other),
            *(f"{a} | {b}" for a, b in zip(here, seen, strict=True) if a != b),
        )
        yield state != other
        before, there = state, other


def told(play: AnyRules, state: Any, viewer: Viewer) -> tuple[Any, ...]:
    """What a viewer is shown, may ask for, and wants as a simulated player, who plays no real
    cards."""
    wish, on = None, play.outcome(state) is None
    real = play.ability(PlaysRealCards)
    if isinstance(viewer, int) and on and (real is None or real.enforced(state)):
        wish = play.bot(state, viewer, TableLuck(Random(1)), frozenset({viewer}))
    return play.view(state, viewer), [*play.actions(state, viewer)], wish


def heard(play: AnyRules, done: Played[Any, Any]) -> tuple[Any, ...]:
    """What everybody hears of an action, and what the journal's line has of it."""
    reciting = play.ability(Recites)
    recital = reciting.recital(done) if reciting is not None else ()
    return play.say(done), play.comes(done.after), recital, play.then(done.before, done.after)
