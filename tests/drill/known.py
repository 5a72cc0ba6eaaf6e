"""What a viewer knows of a game, by the rule book and not by what he is shown: two states of which
he knows the same look alike to him."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from station.games.bell_and_hammer.play import GAME as HAMMER
from station.games.bell_and_hammer.state import State as HammerState
from station.games.dice_keno.play import GAME as DICE_KENO
from station.games.dice_keno.state import State as KenoState
from station.games.my_bird_sings.state import State as BirdState
from station.games.spoil_five.hand import SpoilHand
from station.games.spoil_five.rules import State as SpoilState
from station.games.tontine.rules import State as TontineState
from station.rules.seen import Viewer, Watching


def _gained(now: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    return tuple(has - had for has, had in zip(now, before, strict=True))


def _of_dice_keno(state: KenoState, _: Viewer) -> Hashable:
    """All that lies there, and what each has got; not what he has besides."""
    got = _gained(state.purses, state.setup.purses)
    without = replace(state, setup=replace(state.setup, purses=(0,) * len(got)))
    return got, DICE_KENO.notation(without)


def _of_hammer(state: HammerState, viewer: Viewer) -> Hashable:
    """All that lies there, and what each has got or paid; the host knows the purses, too."""
    lies = re.sub(r"purses=\S+", "", HAMMER.notation(state))
    got = _gained(state.purses, state.setup.purses)
    return lies, got, state.purses if viewer is Watching.HOST else ()


def _of_tontine(state: TontineState, viewer: Viewer) -> Hashable:
    """All that lies on the table; the host knows the purses, too."""
    lies = (state.lay, state.box_lay, state.dealer, state.deal, state.cards, state.keyed)
    home = tuple(state.redeemed) if state.over else ()
    return lies, home, state.purses if viewer is Watching.HOST else ()


def _of_birds(state: BirdState, viewer: Viewer) -> Hashable:
    """What lies open, how many cards there are where, his own hand; of the purses only what went
    into them."""
    hidden: dict[str, Any] = {"setup": None, "purses": (), "hands": (), "stock": (), "aside": ()}
    opened = replace(state, **hidden)
    more = _gained(state.purses, state.setup.purses)
    many = tuple(map(len, (*state.hands, state.stock)))
    own = state.hands[viewer - 1 : viewer] if isinstance(viewer, int) else ()
    return opened, more, many, tuple(map(frozenset, own))


def _of_spoil_five(state: SpoilState, viewer: Viewer) -> Hashable:
    """What lies open, and of the hands his own."""
    lies = (state.lies, state.pool, state.dealer, state.deal, state.won, state.due, state.score)
    open_ones = (*lies, state.misdealt, state.redeemed if state.over else ())
    hand = state.hand
    return open_ones if hand is None else (open_ones, _of_hand(hand, viewer))


def _of_hand(hand: SpoilHand, viewer: Viewer) -> Hashable:
    done = tuple(said.partition(":")[0] for said in hand.said)
    own = hand.held[viewer - 1 : viewer] if isinstance(viewer, int) else ()
    return (
        (hand.turned, hand.trump, hand.played, hand.winners, done, hand.result),
        hand.barred if hand.over else viewer in hand.barred,
        own,
        hand.laid_out if viewer == hand.robber else "",
    )


# By the game's name.
KNOWN: Mapping[str, Callable[[Any, Viewer], Hashable]] = {
    "dice-keno": _of_dice_keno,
    "bell-and-hammer": _of_hammer,
    "tontine": _of_tontine,
    "my-bird-sings": _of_birds,
    "spoil-five": _of_spoil_five,
}
