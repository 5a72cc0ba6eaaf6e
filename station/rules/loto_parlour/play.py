"""Loto, First Method, as a company plays it at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from station.base.nouns import Card
from station.rules.loto_parlour.actions import Action, Answer, Close, Draw, Share, TakeBack
from station.rules.loto_parlour.game import GAME, MOVES
from station.rules.loto_parlour.state import Answering, Phase, Setup, Stakes, State
from station.rules.play import COMPANY, Play
from station.rules.seating import SEATS


class Agreed(Protocol):
    """What a company agrees on before it plays; `stakes` and `answering` by the names of `Stakes`
    and `Answering`."""

    stake: int
    stakes: Any
    answering: Any
    counters: int


def _counted(agreed: Agreed) -> bool:
    return bool(agreed.stakes == Stakes.COUNTERS.value)


def _setup(
    agreed: Agreed,
    cards: Mapping[str, Card],
    counts: Sequence[int],
    purses: Sequence[int],
    register: str,
) -> Setup:
    return Setup(
        cards,
        tuple(counts),
        tuple(purses),
        stakes=Stakes(agreed.stakes),
        answering=Answering(agreed.answering),
        stake=0 if _counted(agreed) else agreed.stake // 2,
        each=agreed.counters if _counted(agreed) else 0,
        value=_value(agreed),
        register=register,
    )


def _value(agreed: Agreed) -> int:
    """With counters each player's stake is worth the counters that he puts in; else the rules count
    in minor units."""
    return agreed.stake // agreed.counters if _counted(agreed) else 1


def _parts(agreed: Agreed) -> tuple[int, str]:
    if _counted(agreed):
        return agreed.counters, f"each player's {agreed.counters} counters are worth it"
    return 2, "a card is worth half of it"


def _charge(agreed: Agreed, cards: int) -> int:
    if _counted(agreed):
        return agreed.counters if cards else 0
    return agreed.stake // 2 * cards


def _step(state: State) -> str:
    if state.phase is Phase.WON:
        return "close"
    return "draw" if state.bag else "share"


def _asked(state: State) -> Iterator[tuple[int, Action]]:
    yield COMPANY, Share()
    if state.setup.answering is Answering.FIRST:
        yield from ((seat, Answer((seat,))) for seat in range(1, len(state.hands) + 1))


def _broken(state: State) -> State:
    return GAME.apply(state, Close())


def _then(before: State, after: State, *_: None) -> Mapping[str, Any]:
    """What was answered and won, and what was taken back of it."""
    answers = after.answered if after.answered != before.answered else ()
    changed = {
        "answers": [[one.seat, one.micros, one.verdict.value] for one in answers],
        "won": [[win.stage, win.seat, win.amount] for win in after.wins if win not in before.wins],
        "lost": [[win.stage, win.seat, win.amount] for win in before.wins if win not in after.wins],
    }
    return {key: some for key, some in changed.items() if some}


PLAY = Play(
    game=GAME,
    moves=MOVES,
    draw=Draw,
    take_back=TakeBack,
    agreed=("stakes", "answering", "counters"),
    parts=_parts,
    asked=_asked,
    value=_value,
    charge=_charge,
    allowed=frozenset(range(SEATS + 1)),
    setup=_setup,
    step=_step,
    broken=_broken,
    then=_then,
)
