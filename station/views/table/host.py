"""Tell the host of a table: the company, cards, counters, what is next, what may be done. Pure.

Players see less (`station.views.table.seat`): the host also sees purses, and why an act is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict

from station.base.errors import NotAllowed
from station.games import GAMES
from station.night.acts import Act, Break, CloseGame, DrawKnob, JoinTable, Open, Skip, Undo
from station.night.hall import apply
from station.night.hall_state import Hall
from station.night.table.choices import choices
from station.night.table.game import GameInPlay, next_step, usual_purse
from station.night.table.hosting import unused_name
from station.night.table.luck import DiceFrom, may_throw
from station.rules.play import Chance, Luck
from station.rules.seen import Watching
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
    if law is not None and not may_throw(table, {"do": law.do}, dice):
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
            if may_throw(table, {"do": move["do"], **_still_open(move)}, dice)
        ],
        "chance": law and _chance(law, told),
    }


def _still_open(move: Told) -> Told:
    return {name: None for slot in move["slots"] for name in slot["names"]}


def _chance(law: Chance, told: Telling) -> Told:
    """Return what is awaited from chance; a real card is laid by whoever deals it, and not asked
    for."""
    do = "" if law.kind is Luck.CARD else law.do
    return {"kind": str(law.kind), "do": do, "label": told.verb(law.do)}


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
