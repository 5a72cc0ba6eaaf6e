"""Play Tontine by a company at a table. Pure.

Nobody decides anything in this game: the station turns up all cards of a deal at once, or the host
keys in each real one as it lies there. So its simulated players want nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from station.base.tongue import tr
from station.card_games.tontine.example import EXAMPLE
from station.card_games.tontine.game import GAME, MOVES, broken
from station.card_games.tontine.report import report, then
from station.card_games.tontine.saying import comes, recital, say
from station.card_games.tontine.seen import dealt_at_once, view
from station.card_games.tontine.state import IN_BOX, LEAST_STAKE, Setup, State
from station.rules import play
from station.rules.seating import THRONG
from station.rules.seen import Move, Slot, SlotKind, Viewer, Watching

MOST_EXACT = 20  # counters each with which a game of two is worked out in seconds

SETTINGS = (play.Setting("each", 12, least=LEAST_STAKE, most=1000), play.PLAYING_CARDS)


def _setup(agreed: play.Agreed, dealing: play.Dealing) -> Setup:
    real = agreed["playing_cards"] == play.REAL
    return Setup(dealing.purses, agreed["each"], _value(agreed), real=real)


def _value(agreed: play.Agreed) -> int:
    return int(agreed["stake"] // agreed["each"])


def _parts(agreed: play.Agreed) -> tuple[int, str]:
    counters = agreed["each"]
    return counters, tr("each player's {count} counters are worth it", count=counters)


def _to_act(state: State) -> frozenset[int | play.Actor]:
    return frozenset() if state.over else frozenset({play.Actor.CHANCE})


def _chance(state: State) -> play.Chance | None:
    if state.over:
        return None
    if state.setup.real:
        return play.Chance(play.Luck.CARD, "turn", "card", things=state.stock, count=1)
    count = len(state.to_come)
    return play.Chance(play.Luck.SHUFFLE, "deal", "cards", things=state.stock, count=count)


def _actions(state: State, viewer: Viewer) -> Iterator[Move]:
    if viewer is Watching.HOST and not state.over:
        faces = tuple(dict.fromkeys(state.stock))
        yield Move(play.COMPANY, "turn", slots=(Slot(("card",), SlotKind.HAND, faces),))
        if state.keyed:
            yield Move(play.COMPANY, "take-back", aside=True)


def _terms(agreed: play.Agreed, stake: str) -> Iterator[str]:
    told = {"stake": stake, "count": agreed["each"], "box": IN_BOX}
    yield tr("Stake {stake} for {count} counters; {box} of them go into the box.", **told)
    yield tr("Who outlives all the rest takes the box.")


def _exact(agreed: play.Agreed, seats: int) -> play.Exact | None:
    counters = agreed["each"]
    if seats != 2 or counters > MOST_EXACT:
        return None
    from station.card_games.tontine.exact import two  # numpy only where it is worked out

    return two(counters)


def _advance(_: object, __: object, action: Any, ___: object) -> int:
    return dealt_at_once(action)


PLAY = play.Play(
    example=EXAMPLE,
    game=GAME,
    settings=SETTINGS,
    seats=(2, THRONG),
    needs=frozenset({play.Need.PLAYING_CARDS}),
    setup=_setup,
    parts=_parts,
    value=_value,
    charge=lambda agreed, _: agreed["each"],
    to_act=_to_act,
    actions=_actions,
    moves=MOVES,
    chance=_chance,
    broken=broken,
    view=view,
    advance=_advance,
    then=then,
    say=say,
    comes=comes,
    recital=recital,
    report=report,
    terms=_terms,
    exact=_exact,
    enforced=lambda state: not state.setup.real,
)
