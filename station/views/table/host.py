"""Tell the host of a table: the company, cards, counters, what is next, what may be done. Pure.

Players see less (`station.views.table.seat`): the host also sees purses, and why an act is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass

from station.base.errors import NotAllowed
from station.games import GAMES
from station.night.acts import Act, Break, CloseGame, DrawKnob, JoinTable, Open, Skip, Undo
from station.night.hall import apply
from station.night.hall_state import Hall
from station.night.table.game import GameInPlay, next_step, usual_purse
from station.night.table.hosting import unused_name
from station.night.table.luck import DiceFrom, may_throw
from station.rules.play import Chance, Luck
from station.rules.seen import ALL, Lead, Watching
from station.views.table.seat import Tell, Told, moves_told, seen_told
from station.views.table.view import Telling, telling_of
from station.wire.wording import Wording, load_wording

UNDOING = "taken back at the table"


def told_of_table(
    hall: Hall,
    sums: Callable[[int], str] = str,
    wording: Wording | None = None,
    tell: Tell = str,
    dice: Collection[str] = frozenset(DiceFrom),
) -> Told:
    """Return all that a host needs to lead a table, as JSON.

    Keys: `step` (as `station.night.table.game.next_step`; between games "sit", "open", "done", or
    "hall" and "hall-open" for a game that is none of a table's), `next` (the coming game),
    `company`, `gone` (who sat there before, with the purses of then), `acts` (why an act is
    refused; empty if it is not), `calls` (for `expect`), `seen` (for `seen`), and the fields of
    `HostedGame`.

    Args:
        sums: writes a sum of money.
        wording: in the asker's language; by default the reference's.
        tell: writes why something is refused, for the asker.
        dice: where throws may come from.
    """
    table = hall.table
    playing = table if table is not None and not table.over else None
    telling = Telling(wording or load_wording(), sums)
    return {
        "step": _step(hall, playing),
        "open": playing is not None,
        "next": _coming(hall, telling.wording),
        "company": [asdict(seat) for seat in hall.company],
        "gone": [{"name": seat.name, "purse": seat.purse} for seat in hall.gone],
        "calls": hall.calls,
        "seen": hall.table_mark,
        "acts": {act.act: _refusal(hall, act, tell) for act in _acts(hall, playing)},
        **asdict(_hosted(table, telling, tell, dice) if table is not None else HostedGame()),
    }


def _step(hall: Hall, table: GameInPlay | None) -> str:
    if table is not None:
        return next_step(table)
    if hall.game_open:
        return "hall-open"
    if hall.next_plan is None or hall.closed:
        return "done"
    if hall.next_at_table is None:
        return "hall"
    return "open" if hall.company else "sit"


def _coming(hall: Hall, wording: Wording) -> Told | None:
    """Return the next game that is a table's, of all that are to come; None if there is none."""
    if (coming := hall.table_to_come) is None:
        return None
    number, plan = coming
    agreed, rules = plan.agreed, GAMES[plan.method]
    return {
        "number": number,
        "name": plan.name,
        "method": plan.method,
        "title": wording.title_of(plan.method) or rules.title,
        "stake": agreed.stake,
        "cards": agreed.cards,
        "purse": usual_purse(agreed),
        "takes": sorted(count for count in rules.card_counts if count <= agreed.cards),
    }


def _acts(hall: Hall, table: GameInPlay | None) -> Iterator[Act]:
    """Yield the acts of a host that may be refused now, each as the host would do it."""
    plan = hall.next_at_table
    if table is not None:
        yield DrawKnob(number=min(table.bag, default=1))
        yield Undo(why=UNDOING)
        yield JoinTable(name=unused_name(table))
        yield CloseGame()
        yield Break(why="tried")
    elif plan is not None:
        yield Open(deal=hall.pack.serials[: plan.dealt])
        yield Skip(why="tried")


def _refusal(hall: Hall, act: Act, tell: Tell) -> str:
    try:
        # a million sold cards take their time, and have no say in it
        apply(hall.without_cards(), act)
    except NotAllowed as error:
        return tell(error.said)
    return ""


# -- the game --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HostedGame:
    """The game on the table, open or over, as its host sees it. Without a game nothing is in it.

    Attributes:
        value: what one of the game's units is worth, in minor units.
        counted: whether the units are counters.
        in_bag: how many knobs are in the bag.
        seats: the players, with their purses in whole minor units.
        free: the cards of Loto that nobody has.
        text: what comes next, or how the game ended.
        chance: what is awaited from chance; None if nothing.
    """

    over: bool = False
    value: int = 0
    counted: bool = False
    in_bag: int = 0
    seats: Sequence[Told] = ()
    free: Sequence[Told] = ()
    text: str = ""
    zones: Sequence[Told] = ()
    turn: Sequence[int] = ()
    leads: int = ALL
    has: Lead | None = None
    moves: Sequence[Told] = ()
    chance: Told | None = None


def _hosted(table: GameInPlay, telling: Telling, tell: Tell, dice: Collection[str]) -> HostedGame:
    told, state, rules = telling_of(table, telling), table.state, table.rules
    seen = rules.view(state, Watching.HOST, None)
    law = rules.chance(state)
    if law is not None and not may_throw(table, {"do": law.do}, dice):
        law = None
    moves = () if table.over else rules.actions(state, Watching.HOST)
    return HostedGame(
        over=table.over,
        value=table.value,
        in_bag=len(table.bag),
        seats=[
            {"seat": place, "name": seat.name, "simulated": seat.simulated, "purse": purse}
            for place, (seat, purse) in enumerate(zip(table.seats, table.purses, strict=True), 1)
        ],
        **seen_told(table, seen, told),
        moves=[
            move
            for move in moves_told(table, moves, told, tell)
            if may_throw(table, {"do": move["do"], **_still_open(move)}, dice)
        ],
        chance=None if law is None else _chance(law, told),
    )


def _still_open(move: Told) -> Told:
    return {name: None for slot in move["slots"] for name in slot["names"]}


def _chance(law: Chance, told: Telling) -> Told:
    """Return what is awaited from chance; a real card is laid by whoever deals it, and not asked
    for."""
    do = "" if law.kind is Luck.CARD else law.do
    return {"kind": str(law.kind), "do": do, "label": told.verb(law.do)}
