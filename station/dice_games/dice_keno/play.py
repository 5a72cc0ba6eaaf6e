"""Play Dice Keno by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from station.base.tongue import tr
from station.dice_games.dice_keno import throwing
from station.dice_games.dice_keno.actions import TakeBack
from station.dice_games.dice_keno.bot import bot
from station.dice_games.dice_keno.example import EXAMPLE
from station.dice_games.dice_keno.game import GAME, LEAST, MOST, MOVES
from station.dice_games.dice_keno.odds import exact
from station.dice_games.dice_keno.report import report, terms, then
from station.dice_games.dice_keno.saying import comes, say
from station.dice_games.dice_keno.seen import view
from station.dice_games.dice_keno.state import GamePhase, Setup, State, Variation
from station.rules import play
from station.rules.seen import Move, Slot, SlotKind

SETTINGS = (
    play.Setting("variation", "row", values=tuple(Variation)),
    play.Setting("in_money", False),
    play.Setting("counters", 30, least=15, most=1000),
)


def _setup(agreed: play.Agreed, dealing: play.Dealing) -> Setup:
    return Setup(
        dealing.purses,
        Variation(agreed["variation"]),
        _stake(agreed),
        in_money=agreed["in_money"],
        value=_value(agreed),
    )


def _stake(agreed: play.Agreed) -> int:
    """Return what each puts into the pool, in units: minor units of money, or counters."""
    return int(agreed["stake"] if agreed["in_money"] else agreed["counters"])


def _value(agreed: play.Agreed) -> int:
    return int(agreed["stake"] // _stake(agreed))


def _parts(agreed: play.Agreed) -> tuple[int, str]:
    if agreed["in_money"]:
        return 1, ""
    counters = agreed["counters"]
    return counters, tr("{count} counters are worth it", count=counters)


def _chance(state: State) -> play.Chance | None:
    if state.phase is GamePhase.DEALING:
        cards = tuple(state.setup.cards)
        return play.Chance(play.Luck.SHUFFLE, "deal-cards", "cards", things=cards)
    if not state.thrown or state.misread:
        return None
    return play.Chance(
        play.Luck.DICE, "throw-dice", "dice", dice=state.thrown, faces=state.setup.faces
    )


def _to_act(state: State) -> frozenset[int | play.Actor]:
    if state.over:
        return frozenset()
    if state.misread:
        return frozenset({play.Actor.HOST})
    awaited = {play.Actor.CHANCE} if _chance(state) else set()
    return frozenset(awaited | ({state.turn} if state.turn else set()))


def _asked(state: State) -> Iterator[Move]:
    if state.phase is GamePhase.COVERING:
        places = state.free(state.turn, state.dice[0])
        yield Move(state.turn, "cover-square", slots=(Slot(("place",), SlotKind.SQUARE, places),))
    if state.thrown:
        # the host alone reads real dice: a player could say what he likes
        spots = tuple(range(1, state.setup.faces + 1))
        names = ("first", "second")[: state.thrown]
        slots = tuple(Slot((name,), SlotKind.NUMBER, spots) for name in names)
        yield Move(play.COMPANY, "read-dice", slots=slots)


PLAY = play.Play(
    example=EXAMPLE,
    game=GAME,
    settings=SETTINGS,
    seats=(LEAST, MOST),
    needs=frozenset({play.Need.DICE}),
    setup=_setup,
    parts=_parts,
    value=_value,
    charge=lambda agreed, _: _stake(agreed),
    to_act=_to_act,
    actions=play.own_moves(_asked),
    moves=MOVES,
    chance=_chance,
    take_back=TakeBack,
    broken=throwing.close,
    view=view,
    then=then,
    say=say,
    comes=comes,
    bot=bot,
    report=report,
    terms=terms,
    exact=exact,
)
