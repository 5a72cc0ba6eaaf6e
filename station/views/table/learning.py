"""Play the example of a game, step by step, by its own rules. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.games import GAMES, AnyRules
from station.night.acts import DrawKnob, MakeMove
from station.night.table.company import STAKES_IN_A_PURSE, Seat
from station.night.table.game import (
    Deed,
    GameInPlay,
    dealt,
    done_by,
    drawn,
    parse_move,
    played,
    shaken,
)
from station.programme.programme import GamePlan
from station.programme.table import TablePlan
from station.rules.example import DRAW, Done, Example
from station.rules.play import Need


@dataclass(frozen=True, slots=True)
class TableMoment:
    """The table after a step of an example.

    Attributes:
        table: as it stands now.
        deeds: what was done in this step, in order.
        rule: the key of the rule that decides here; or empty.
    """

    table: GameInPlay
    deeds: tuple[Deed, ...]
    rule: str = ""


def learnable() -> tuple[str, ...]:
    """Return the games that have an example, by their names.

    >>> "loto-second" in learnable(), "keno" in learnable()
    (True, False)
    """
    return tuple(name for name, rules in GAMES.items() if rules.example is not None)


def known(method: str) -> str:
    """Return the name of a game that is known.

    Raises:
        Unreadable: there is no such game.
    """
    if method not in GAMES:
        raise Unreadable(tr("{game}: one of {games}", game=method, games=", ".join(GAMES)))
    return method


def moments(method: str) -> Iterator[TableMoment]:
    """Yield the table as it is when the example of a game begins, and after each of its steps.

    Raises:
        Unreadable: there is no example of such a game.
        IllegalAction: the rules refuse a step.
    """
    rules = GAMES.get(method)
    if rules is None or rules.example is None:
        raise Unreadable(tr("{game}: one of {games}", game=method, games=", ".join(learnable())))
    example = rules.example
    table = _begun(rules, example)
    yield TableMoment(table, (Deed(None, table),), example.rule)
    for one in example.steps:
        deeds = []
        for move in one.moves:
            before, act = table, _act(move)
            table = _after(before, act)
            knob = act.number if isinstance(act, DrawKnob) else 0
            deeds.append(Deed(done_by(act, before, table), table, knob))
        yield TableMoment(table, tuple(deeds), one.rule)


def _begun(rules: AnyRules, example: Example) -> GameInPlay:
    agreed = dict(example.agreed)
    plan = GamePlan(name=rules.title, method=rules.name, table=TablePlan(**agreed))
    stake = plan.agreed.stake
    seats = [Seat(name, STAKES_IN_A_PURSE * stake, example.takes) for name in example.names]
    table = dealt(plan, seats, {card.serial: card for card in example.cards}, "")
    return shaken(table, anew=True) if Need.BAG in rules.needs else table


def _act(move: Done) -> DrawKnob | MakeMove:
    if move["do"] == DRAW:
        return DrawKnob(number=move["number"])
    return MakeMove(move=dict(move))


def _after(table: GameInPlay, act: DrawKnob | MakeMove) -> GameInPlay:
    if isinstance(act, DrawKnob):
        return drawn(table, act.number)
    after = played(table, parse_move(table.method, act.whole))
    return shaken(after, anew=True) if Need.BAG in after.rules.needs else after
