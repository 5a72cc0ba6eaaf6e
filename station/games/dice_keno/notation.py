"""Write a game of Dice Keno on one line, and read it back.

First come the settings, then the phase, the cards in the order of the deal, and what everybody has
covered: the places of each seat's checks with dots between them, from 0, row by row.
"""

from __future__ import annotations

import re
from functools import partial

from station.games.dice_keno.state import TITLE, GamePhase, Setup, State
from station.rules.notations import parsed, row, things

_STATE = re.compile(
    r"(?P<head>variation=\S+ goal=\d+ stake=\S+ cards=\S+) (?P<phase>[a-z]+)"
    r" pool=\d+ purses=\S+ dealt=(?P<dealt>\S+) turn=(?P<turn>\d+) rivals=(?P<rivals>\S+)"
    r" sums=(?P<sums>\S+) checked=(?P<checked>\S+) dice=(?P<dice>\S+) laid=(?P<laid>\S+)"
    r" points=(?P<points>\S+) counted=(?P<counted>\S+) back=(?P<back>[a-z]+)"
    r" winner=(?P<winner>\d+)",
    re.ASCII,
)
# The last throw: whether it can be taken back, and whether one was.
_BACK = {(False, False): "none", (True, False): "can", (False, True): "was"}


def notation(state: State) -> str:
    """Return the state on one line."""
    checked = row((row(places, ".") for places in state.checked), "/")
    return (
        f"{_head(state.setup)} {state.phase} pool={state.pool} purses={row(state.purses)}"
        f" dealt={row(state.cards)} turn={state.turn} rivals={row(state.rivals)}"
        f" sums={row(state.sums)} checked={checked} dice={row(state.dice)}"
        f" laid={row(state.laid)} points={row(state.points)} counted={row(state.counted)}"
        f" back={_BACK[state.fresh, state.misread]} winner={state.winner}"
    )


def _head(setup: Setup) -> str:
    money = "money" if setup.in_money else "counters"
    stake = f"{setup.stake}*{setup.value}:{money}"
    cards = row(
        f"{name}:{row((''.join(map(str, line)) for line in card), '/')}"
        for name, card in setup.cards.items()
    )
    return (
        f"variation={setup.variation} goal={setup.goal} stake={stake} cards={cards}@{setup.faces}"
    )


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    read = partial(_read, setup)
    return parsed(_STATE, text, TITLE, _head(setup), read, notation, _possible)


def _read(setup: Setup, match: re.Match[str]) -> State:
    checked = match["checked"]
    backs = {name: known for known, name in _BACK.items()}
    if match["back"] not in backs:
        raise ValueError(f"back={match['back']}")
    fresh, misread = backs[match["back"]]
    state = State(
        setup,
        GamePhase(match["phase"]),
        cards=tuple(things(match["dealt"])),
        rivals=_numbers(match["rivals"]),
        sums=_numbers(match["sums"]),
        turn=int(match["turn"]),
        checked=tuple(_numbers(places, ".") for places in checked.split("/"))
        if match["dealt"] != "-"
        else (),
        dice=_numbers(match["dice"]),
        laid=_numbers(match["laid"]),
        points=_numbers(match["points"]),
        counted=_numbers(match["counted"]),
        fresh=fresh,
        misread=misread,
        winner=int(match["winner"]),
    )
    if state.cards:
        _check(state)
    return state


def _numbers(text: str, between: str = ",") -> tuple[int, ...]:
    return tuple(map(int, text.split(between))) if text != "-" else ()


def _check(state: State) -> None:
    """Check that what was dealt, and who plays, fits the setup.

    Raises:
        ValueError: it does not.
    """
    setup, seats = state.setup, range(1, state.setup.seats + 1)
    places = setup.size**2
    known = {state.turn, *state.rivals} <= {*seats} and state.winner in {0, *seats}
    if not known or sorted(state.cards) != sorted(setup.cards):
        raise ValueError("there is no such seat, or no such card")
    if len(state.checked) != len(seats) or len(state.points) != len(seats):
        raise ValueError("each seat has its checks and its points")
    for have in state.checked:
        if [*have] != sorted(set(have)) or not all(place < places for place in have):
            raise ValueError("checks lie on squares, each on one, in order")


def _possible(state: State) -> bool:
    """Return whether a game can be in this state: each thing is there in its phase alone."""
    phase = state.phase
    if not state.cards:
        untouched = State(state.setup, phase)
        return state == untouched and phase in (GamePhase.DEALING, GamePhase.CLOSED)
    if phase is GamePhase.DEALING or bool(state.rivals) < bool(state.sums):
        return False
    if not state.over and bool(state.rivals) != (phase is GamePhase.LEADING):
        return False
    if (phase is GamePhase.WON) != bool(state.winner):
        return False
    if phase is GamePhase.COVERING and not _to_choose(state):
        return False
    return all(1 <= one <= state.setup.faces for one in state.dice)


def _to_choose(state: State) -> bool:
    """Return whether the thrower has several squares to choose from."""
    return len(state.dice) == 1 and len(state.free(state.turn, state.dice[0])) > 1
