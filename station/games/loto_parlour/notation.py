"""Write a game of Loto, First Method, at the table on one line, and read it back.

First come the settings, then what everybody has. A call is `number=covers:tie:tie`: the seats that
cover it, and the answers, each `seat@microseconds`, a tie's with `/` between them. A win is
`stage:seat:cards:amount@calls`. Sums, covers and wins follow from the calls: they are written for
whoever reads the line, and have to agree when it is read back.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial

from station.base.nouns import KNOBS
from station.games.loto_parlour.actions import Answer
from station.games.loto_parlour.calling import answer, close, draw, share
from station.games.loto_parlour.state import TITLE, Called, GamePhase, Setup, ShareWon, State
from station.rules.notations import parsed, row, things, words

_STATE = re.compile(
    r"(?P<head>stakes=\S+ answering=\S+ (?:all=1 )?knobs=\d+ register=\S+) (?P<phase>[a-z]+)"
    r" pool=\d+ purses=\S+ hands=\S+ "
    r"taken=\S+ rest=\S+ called=(?P<called>\S+) wins=\S+"
)


def notation(state: State) -> str:
    """Return the state on one line; the register's digest stands for the cards' numbers."""
    taken = "/".join(map(words, state.taken))
    return (
        f"{_head(state.setup)} {state.phase} pool={state.pool} purses={row(state.purses)}"
        f" hands={row(state.hands)} taken={taken} rest={words(state.rest)}"
        f" called={row(map(_call, state.calls))} wins={row(map(_win, state.wins))}"
    )


def _head(setup: Setup) -> str:
    stakes = f"{setup.stakes}:{setup.stake}+{setup.each}*{setup.value}"
    return (
        f"stakes={stakes} answering={setup.answering}{' all=1' if setup.all_cards else ''}"
        f" knobs={setup.knobs}"
        f" register={setup.register or '-'}"
    )


# each act of a night writes all calls of its game, and only the last one changes
@lru_cache(maxsize=KNOBS)
def _call(call: Called) -> str:
    ties = (
        "/".join(f"{seat}@{micros}" for seat, micros in zip(tie.seats, tie.micros, strict=True))
        for tie in call.answers
    )
    return ":".join((f"{call.number}={row(call.covers, '/')}", *ties))


def _win(win: ShareWon) -> str:
    return f"{win.stage}:{win.seat}:{words(win.cards, '/')}:{win.amount}@{win.calls}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_played, setup), notation)


def _played(setup: Setup, match: re.Match[str]) -> State:
    """Play the calls of a line again, call by call; return the state after them.

    Raises:
        ValueError: a call is malformed, or the rules refuse it.
    """
    state, phase = State(setup), GamePhase(match["phase"])
    for call in things(match["called"]):
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
