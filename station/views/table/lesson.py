"""Play the example of a game by its own rules, and tell it step by step. Pure.

Each step has what happened, the rule that decides, and the table as it then stands, with all hands
open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.games import GAMES, AnyRules
from station.night.acts import DrawKnob, MakeMove
from station.night.table.game import (
    STAKES_IN_A_PURSE,
    Deed,
    GameInPlay,
    Seat,
    dealt,
    done_by,
    drawn,
    parse_move,
    played,
    shaken,
)
from station.night.table.practice import USUAL_SEATS, practised
from station.programme.programme import GamePlan
from station.programme.table import TablePlan
from station.rules.example import DRAW, Done, Example
from station.rules.play import Need, Played
from station.views.money_text import Currency
from station.views.table.announcing import PLAYER, clips
from station.views.table.view import Telling, table_view
from station.wire.board_view import BoardView, Phase, TableView
from station.wire.wording import REFERENCE, Wording, load_wording, shipped_for


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


# -- the steps of a lesson -------------------------------------------------------------------------

WHOLE_UNITS = Currency()


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step of a lesson.

    Attributes:
        told: what happened, a line for each thing.
        rule: the rule that decides here, in a sentence; or empty.
        table: what everybody may see, and what each holds in hand.
    """

    told: tuple[str, ...]
    rule: str
    table: TableView


def lesson_answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step of a game's example for a page: what may be learnt, which step of how many it
    is, what happened, the rule, a board with the table on it, and how many play: the fewest, the
    most, and as many as it is offered to somebody alone.

    Args:
        asked: the game, the first one where none is named; the step, from 1, past the last one the
            last; and the language, as `lang`.

    Raises:
        Unreadable: there is no example of such a game.
    """
    wording = load_wording(shipped_for(str(asked.get("lang", REFERENCE))))
    game = str(asked.get("game") or learnable()[0])
    steps = lesson(game, wording)
    place = min(max(1, int(asked.get("step", 1))), len(steps))
    step = steps[place - 1]
    view = BoardView(
        seq=place,
        test=False,
        hall=wording.title_of(game),
        language=wording.code,
        night=1,
        phase=Phase.PLAYING,
        table=step.table,
    )
    return {
        "games": [(name, wording.title_of(name)) for name in learnable()],
        "players": (*practised()[game], USUAL_SEATS),
        "game": game,
        "step": place,
        "of": len(steps),
        "told": step.told,
        "rule": step.rule,
        "view": view.model_dump(mode="json"),
    }


def lesson(method: str, wording: Wording, currency: Currency = WHOLE_UNITS) -> list[LessonStep]:
    """Return the example of a game in the words of a language, from its beginning to its end.

    Raises:
        Unreadable: there is no example of such a game.
    """
    telling = Telling(wording, currency.text)
    return [_told(one, telling) for one in moments(method)]


def _told(moment: TableMoment, telling: Telling) -> LessonStep:
    wording = telling.wording
    lines = [line for deed in moment.deeds for line in _said(deed, wording)]
    lines = lines or [_verb(deed, telling) for deed in moment.deeds if deed.played is not None]
    rule = wording.rules[moment.rule] if moment.rule else ""
    return LessonStep(tuple(lines), rule, open_table(moment.table, telling))


def told_of(deed: Deed, telling: Telling) -> tuple[str, ...]:
    """Return what the voice would say of a deed; of a move on which it is silent its name."""
    lines = tuple(_said(deed, telling.wording))
    return lines or ((_verb(deed, telling),) if deed.played is not None else ())


def _said(deed: Deed, wording: Wording) -> Iterator[str]:
    """Yield what the voice says of a deed; of a knob its number before."""
    if deed.knob and deed.played is not None:
        follows = clips(deed.table.rules.say(deed.played))
        yield _joined(_named((f"number.{deed.knob}", *follows), deed.table, wording), wording)
    else:
        yield from happened(deed.table, deed.played, wording)


def _verb(deed: Deed, telling: Telling) -> str:
    """Return what a move is called of which the voice says nothing, after the name of whoever made
    it."""
    action, table = deed.played and deed.played.action, deed.table
    do = next(do for do, kind in table.rules.moves.items() if isinstance(action, kind))
    seat = getattr(action, "seat", 0) or _awaited(deed)
    name = f"{table.seats[seat - 1].name}: " if seat else ""
    return name + telling.verb(do)


def _awaited(deed: Deed) -> int:
    """Return the seat that was awaited before a deed, if it was only one; else 0."""
    rules = deed.table.rules
    awaited = rules.to_act(deed.played.before) if deed.played is not None else frozenset()
    seats = [one for one in awaited if isinstance(one, int)]
    return seats[0] if len(seats) == 1 else 0


def open_table(table: GameInPlay, telling: Telling) -> TableView:
    """Return the table as everybody sees it, but for the hands: these lie open."""
    view = table_view(table, telling)
    hands = {
        seat.seat: [
            zone for zone in table_view(table, telling, seat.seat).zones if zone.seat == seat.seat
        ]
        for seat in view.seats
    }
    middle = [zone for zone in view.zones if not zone.seat]
    seats = [zone for zones in hands.values() for zone in zones]
    return view.model_copy(update={"zones": (*middle, *seats)})


def happened(table: GameInPlay, done: Played[Any, Any] | None, wording: Wording) -> Iterator[str]:
    """Yield what the voice would say of an action, or of the beginning of a game, with the players'
    names; a recital has one line for each step."""
    rules = table.rules
    steps = table.recital(done) if done is not None else ()
    one = rules.say(done) if done is not None else rules.opens(table.state)
    for line in (*steps, rules.comes(table.state)) if steps else (one,):
        told = _joined(_named(clips(line), table, wording), wording)
        if told:
            ends = told[-1:] == ":"
            yield f"{told.rstrip(' :')}{wording.full_stop}" if ends else told


ENDS = (".", "!", "?", ":", ";", ",", "।")


def _joined(parts: Iterable[str], wording: Wording) -> str:
    """Return what the voice says piece by piece as sentences. A piece that introduces something, or
    is a sentence, begins a new one: "Thrown: eighteen. Anna: From the pool: eighteen."."""
    told = ""
    for part in filter(None, parts):
        begins = part.endswith(ENDS) and told and not told.endswith(ENDS)
        told += f"{wording.full_stop} {part}" if begins else f" {part}"
    return told.strip()


def _named(said: tuple[str, ...], table: GameInPlay, wording: Wording) -> Iterator[str]:
    """Yield the sentences of some clips; a name stands in place of "player number three"."""
    while PLAYER in said:
        place = said.index(PLAYER)
        seat = int(said[place + 1].removeprefix("number."))
        yield wording.sentence(said[:place])
        yield f"{table.seats[seat - 1].name}:"
        said = said[place + 2 :]
    yield wording.sentence(said)
