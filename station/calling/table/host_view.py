"""Tell the host of a table: the company, cards, counters, what is next, what may be done. Pure.

Players see less (`station.views.table.view`): the host also sees purses, and why an act is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict
from itertools import count

from station.base.errors import NotAllowed
from station.games import GAMES
from station.night.acts import Act, Break, CloseGame, DrawKnob, JoinTable, Open, Skip, Undo
from station.night.hall import apply
from station.night.hall_state import Hall, HallReason
from station.night.table.choices import choices, tried
from station.night.table.game import GameInPlay, next_step, usual_purse
from station.night.table.luck import DiceFrom, dice_from, own_throw
from station.people.alike import person_of
from station.rules.play import Chance, Luck
from station.rules.seen import Watching
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
    refused; empty if it is not), `calls` (for `expect`), `seen` (for `seen`), and of the game
    on the table, open or over, what `_of_game` says.

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
        **(_of_game(table, telling, tell, dice) if table is not None else NO_GAME),
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

NO_GAME: Told = {
    "over": False,
    "phase": "",
    "value": 0,
    "numbers": [],
    "in_bag": 0,
    "drawer": 0,
    "drawing": 0,
    "left": None,
    "away": [],
    "pool": 0,
    "table": None,
    "reserve": None,
    "counted": False,
    "in_money": False,
    "racing": False,
    "confirm": False,
    "adds": 0,
    "seats": [],
    "free": [],
    "offer": None,
    "answers": [],
    "wins": [],
    "settled": None,
    "choices": [],
    "text": "",
    "zones": [],
    "turn": [],
    "leads": 0,
    "has": None,
    "moves": [],
    "chance": None,
}


def _of_game(table: GameInPlay, telling: Telling, tell: Tell, dice: Collection[str]) -> Told:
    """Return the game on the table. Its sums are in its own units: `counted` says whether those are
    counters, `value` what one is worth, `in_money` whether prizes are paid in money at once.

    Purses are in whole minor units. What one game alone tells comes from its rules
    (`Seen.particulars`); `zones`, `text` and `moves` say all of it for pages that know no game.
    """
    told, state, rules = telling_of(table, telling), table.state, table.rules
    seen = rules.view(state, Watching.HOST, None)
    own = told.older(seen.particulars)
    cards = own.pop("cards", None) or [[] for _ in table.seats]
    law = rules.chance(state)
    if law is not None and not _may_throw(table, {"do": law.do}, dice):
        law = None
    return {
        **NO_GAME,
        "over": table.over,
        "value": table.value,
        "numbers": list(table.board),
        "in_bag": len(table.bag),
        "drawer": seen.leads,
        "pool": table.funds.get("pool", 0),
        "seats": [_seat(table, place, cards[place]) for place in range(len(table.seats))],
        "choices": [] if table.over else [one.to_json(tell) for one in choices(rules, state)],
        **own,
        **seen_told(table, seen, told),
        "moves": [
            move
            for move in ([] if table.over else moves_told(table, Watching.HOST, seen, told, tell))
            if _may_throw(table, {"do": move["do"], **_still_open(move)}, dice)
        ],
        "chance": law and _chance(law, told),
    }


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


def _seat(table: GameInPlay, place: int, cards: list[Told]) -> Told:
    seat = table.seats[place]
    return {
        "seat": place + 1,
        "name": seat.name,
        "simulated": seat.simulated,
        "hand": table.hands[place],
        "purse": table.purses[place],
        "gain": table.purses[place] - seat.purse,
        "cards": cards,
    }
