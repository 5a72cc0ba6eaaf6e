"""Tell the host of a table: the company, cards, counters, what is next, what may be done. Pure.

Players see less (`station.views.table.view`): the host also sees purses, and why an act is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count

from station.base.errors import NotAllowed
from station.games import GAMES
from station.night.acts import Act, Break, CloseGame, DrawKnob, JoinTable, Open, Skip, Undo
from station.night.hall import apply
from station.night.hall_state import Hall, HallReason
from station.night.table.choices import tried
from station.night.table.game import GameInPlay, next_step, usual_purse
from station.night.table.luck import DiceFrom, dice_from, own_throw
from station.people.alike import person_of
from station.rules.play import Chance, Luck
from station.rules.seen import ALL, Lead, Watching
from station.views.table.seat import Tell, Told, moves_told, seat_told, seen_told
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


def racing(table: GameInPlay | None) -> bool:
    """Return whether only the first to answer covers a number at this table."""
    return table is not None and table.race is not None


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
        yield JoinTable(name=_nobody(table))
        yield CloseGame()
        yield Break(why="tried")
    elif plan is not None:
        yield Open(deal=hall.pack.serials[: plan.dealt])
        yield Skip(why="tried")


def _nobody(table: GameInPlay) -> str:
    """Return a name that nobody at the table has."""
    taken = {person_of(seat.name) for seat in table.seats}
    return next(name for number in count(1) if (name := str(number)) not in taken)


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
    if law is not None and not _may_throw(table, {"do": law.do}, dice):
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
            if _may_throw(table, {"do": move["do"], **_still_open(move)}, dice)
        ],
        chance=None if law is None else _chance(law, told),
    )


def _may_throw(table: GameInPlay, move: Told, dice: Collection[str]) -> bool:
    """Return whether a move is no throw, or one that may come from where it comes from."""
    source = dice_from(table, move)
    return source is None or source in dice


def _still_open(move: Told) -> Told:
    return {name: None for slot in move["slots"] for name in slot["names"]}


def _chance(law: Chance, told: Telling) -> Told:
    """Return what is awaited from chance; a real card is laid by whoever deals it, and not asked
    for."""
    do = "" if law.kind is Luck.CARD else law.do
    return {"kind": str(law.kind), "do": do, "label": told.verb(law.do)}


def told_to_seat(
    hall: Hall,
    seat: int,
    telling: Telling,
    tell: Tell = str,
    dice: Collection[str] = frozenset(DiceFrom),
) -> Told:
    """Return what a player is shown of the game on the table, as `station.views.table.seat` has it,
    and the throw that is the player's own (`throw`).

    Args:
        dice: where throws may come from.

    Raises:
        NotAllowed: nobody plays at that seat.
    """
    table = hall.table
    if table is None or not 1 <= seat <= len(table.seats):
        raise NotAllowed(
            HallReason.NOT_AT_TABLE,
            "a hand is shown to its player alone: ask from a seat of the game",
        )
    law = own_throw(table, seat) if DiceFrom.STATION in dice else None
    throws = {"do": law.do, "label": telling.verb(law.do)} if law is not None else None
    return {**seat_told(table, seat, telling, tell), "throw": throws}


def plain_moves(table: GameInPlay | None, dice: Collection[str] = frozenset(DiceFrom)) -> list[str]:
    """Return the moves that a button alone can ask for now: they need no player and no card, and
    play waits for them; a throw only where it may come from the station's luck."""
    if table is None or table.over:
        return []
    return [
        move.do
        for move in table.rules.actions(table.state, Watching.HOST)
        if not (move.slots or move.fields or move.aside)
        and tried(table.rules, table.state, move).legal
        and _may_throw(table, {"do": move.do}, dice)
    ]
