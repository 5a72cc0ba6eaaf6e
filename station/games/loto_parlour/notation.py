"""Write a game of Loto, First Method, at the table on one line, and read it back.

First come the settings, then what everybody has. A call is `number=covers:tie:tie`: the seats that
cover it, and the answers, each `seat@microseconds`, a tie's with `/` between them. A win is
`stage:seat:cards:amount@calls`. Sums, covers and wins follow from the calls: they are written for
whoever reads the line, and have to agree when it is read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.games.loto_parlour.actions import Answer
from station.games.loto_parlour.calling import answer, close, draw, share
from station.games.loto_parlour.state import TITLE, Called, GamePhase, Setup, ShareWon, State
from station.rules.notations import matched

_STATE = re.compile(
    r"(?P<head>stakes=\S+ answering=\S+ (?:all=1 )?knobs=\d+ register=\S+) (?P<phase>[a-z]+)"
    r" pool=\d+ purses=\S+ hands=\S+ "
    r"taken=\S+ rest=\S+ called=(?P<called>\S+) wins=\S+"
)


def notation(state: State) -> str:
    """Return the state on one line; the register's digest stands for the cards' numbers."""
    taken = "/".join(map(_list, state.taken))
    return (
        f"{_head(state.setup)} {state.phase} pool={state.pool} purses={_list(state.purses)}"
        f" hands={_list(state.hands)} taken={taken} rest={_list(state.rest)}"
        f" called={_list(map(_call, state.calls))} wins={_list(map(_win, state.wins))}"
    )


def _head(setup: Setup) -> str:
    stakes = f"{setup.stakes}:{setup.stake}+{setup.each}*{setup.value}"
    return (
        f"stakes={stakes} answering={setup.answering}{' all=1' if setup.all_cards else ''}"
        f" knobs={setup.knobs}"
        f" register={setup.register or '-'}"
    )


def _list(things: Iterable[object], between: str = ",") -> str:
    return between.join(map(str, things)) or "-"


# each act of a night writes all calls of its game, and only the last one changes
@lru_cache(maxsize=KNOBS)
def _call(call: Called) -> str:
    ties = (
        "/".join(f"{seat}@{micros}" for seat, micros in zip(tie.seats, tie.micros, strict=True))
        for tie in call.answers
    )
    return ":".join((f"{call.number}={_list(call.covers, '/')}", *ties))


def _win(win: ShareWon) -> str:
    return f"{win.stage}:{win.seat}:{'/'.join(win.cards)}:{win.amount}@{win.calls}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote, by playing the game again, call by call.

    Raises:
        Unreadable: the text is not a state, or no game with this setup can be in that state.
    """
    match = matched(_STATE, text, TITLE, _head(setup))
    try:
        state = _played(setup, match["called"], GamePhase(match["phase"]))
    except ValueError as error:
        raise Unreadable(f"not a state of {TITLE} ({error}): {text!r}") from error
    if notation(state) != text:
        raise Unreadable(f"no game of {TITLE} can be in this state: {text!r}")
    return state


def _played(setup: Setup, called: str, phase: GamePhase) -> State:
    """Play the calls of a line again; return the state after them.

    Raises:
        ValueError: a call is malformed, or the rules refuse it.
    """
    state = State(setup)
    for call in [] if called == "-" else called.split(","):
        knob, *ties = call.split(":")
        state = draw(state, int(knob.partition("=")[0]))
        for tie in ties:
            heard = [answer_.partition("@") for answer_ in tie.split("/")]
            said = Answer(
                tuple(int(seat) for seat, _, _ in heard),
                tuple(int(micros) for _, _, micros in heard),
            )
            state = answer(state, said)
    ends = {GamePhase.SHARED: share, GamePhase.CLOSED: close}
    return ends[phase](state) if phase in ends else state
