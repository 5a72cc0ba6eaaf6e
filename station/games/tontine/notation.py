"""Write a game of Tontine on one line, and read it back.

First come stake, value of a counter, and pack. Then what lay before each seat and in the box when
this deal began, the cards turned up since, and what lies there now: this follows from the cards, is
written for whoever reads the line, and has to agree when it is read back.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

from station.base.playing_cards import PACK
from station.games.tontine.state import IN_BOX, TITLE, GamePhase, Setup, State
from station.rules.notations import parsed, row, things

_STATE = re.compile(
    r"(?P<head>stake=\S+ pack=\S+ brought=\S+) (?P<phase>[a-z]+) deal=(?P<deal>[0-9]+)"
    r" dealer=(?P<dealer>[0-9]+) lay=(?P<lay>\S+) box=(?P<box>[0-9]+) cards=(?P<cards>\S+)"
    r" keyed=(?P<keyed>[0-9]+) pool=\S+ hands=\S+ purses=\S+"
)


def notation(state: State) -> str:
    """Return the state on one line."""
    return (
        f"{_head(state.setup)} {state.phase} deal={state.deal} dealer={state.dealer}"
        f" lay={row(state.lay)} box={state.box_lay} cards={row(state.cards)} keyed={state.keyed}"
        f" pool={state.pool} hands={row(state.hands)} purses={row(state.purses)}"
    )


def _head(setup: Setup) -> str:
    pack = len(PACK) if setup.pack == PACK else row(setup.pack)
    real = "+real" * setup.real
    return f"stake={setup.stake}*{setup.value} pack={pack}{real} brought={row(setup.purses)}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation)


def _read(setup: Setup, match: re.Match[str]) -> State:
    state = State(
        setup,
        lay=tuple(map(int, things(match["lay"]))),
        box_lay=int(match["box"]),
        dealer=int(match["dealer"]),
        deal=int(match["deal"]),
        cards=tuple(things(match["cards"])),
        keyed=int(match["keyed"]),
        phase=GamePhase(match["phase"]),
    )
    # Looked at before anything is worked out of it.
    if not (_begun(state) and _turned(state) and _judged(state)):
        raise ValueError("it cannot occur")
    return state


def _begun(state: State) -> bool:
    """Return whether a deal can begin so: no counter made or lost, two players alive, the dealer
    among them; and the first deal as it always begins."""
    setup, seats = state.setup, state.setup.seats
    first = (setup.stake - IN_BOX,) * seats, IN_BOX * seats, seats
    return (
        len(state.lay) == seats
        and sum(state.lay) + state.box_lay == setup.stake * seats
        and min(state.lay) >= 0
        and sum(map(bool, state.lay)) > 1
        and 1 <= state.dealer <= seats
        and bool(state.lay[state.dealer - 1])
        and state.deal > 0
        and (state.deal > 1 or (state.lay, state.box_lay, state.dealer) == first)
    )


def _turned(state: State) -> bool:
    """Return whether these cards can be out, each once a pack."""
    return (
        len(state.cards) <= len(state.order)
        and state.keyed <= len(state.cards)
        and Counter(state.cards) <= Counter(state.setup.pack * state.setup.packs)
    )


def _judged(state: State) -> bool:
    """Return whether the game is over where somebody has outlived all the rest, and else goes on,
    or was broken off."""
    won = state.dealt and len(state.living) <= 1
    return won == (state.phase is GamePhase.WON)
