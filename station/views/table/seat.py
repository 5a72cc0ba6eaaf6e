"""Tell a player what he sees from his seat: the table, his own cards, and the moves that are his.
Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeAlias

from station.base.errors import NotAllowed
from station.base.said import Sentence
from station.night.hall_state import Hall, HallReason
from station.night.table.choices import tried
from station.night.table.game import GameInPlay
from station.night.table.luck import DiceFrom, own_throw
from station.rules.seen import Move, Seen, Slot, SlotKind, Watching
from station.views.table.view import Telling, telling_of, what_is_next

Told: TypeAlias = dict[str, Any]
Tell: TypeAlias = Callable[[Sentence], str]


def seat_told(
    table: GameInPlay, seat: int, telling: Telling, tell: Tell = str, besides: Iterable[Move] = ()
) -> Told:
    """Return what a player is shown: the table with the player's own cards and moves, who sits
    there, what one of the game's units is worth, who has won by the last action, and by their keys
    the zones that nobody else sees so (`held`).

    Args:
        besides: moves that the player may ask for beside the seat's own.
    """
    told, enforced = telling_of(table, telling), table.enforced
    viewer = seat if enforced else Watching.EVERYBODY  # who holds real cards sees them there
    seen = table.rules.view(table.state, viewer, None)
    public = table.rules.view(table.state, Watching.HOST, None)
    shown = {zone.key: zone for zone in public.of(seat)}
    held = [zone.key for zone in seen.of(seat) if zone != shown.get(zone.key)]
    mine = enforced and not table.over
    moves = (*table.rules.actions(table.state, seat), *besides) if mine else ()
    names = [
        {"seat": place, "name": one.name, "simulated": one.simulated}
        for place, one in enumerate(table.seats, 1)
    ]
    return {
        "held": held if enforced else [],
        "seat": seat,
        "over": table.over,
        "seats": names,
        "value": table.value,
        "won": list(table.won),
        "wins": table.wins,
        **seen_told(table, seen, told),
        "moves": moves_told(table, moves, told, tell),
    }


def told_to_seat(
    hall: Hall,
    seat: int,
    telling: Telling,
    tell: Tell = str,
    dice: Collection[str] = frozenset(DiceFrom),
) -> Told:
    """Return what a player is shown of the game on the table, as `seat_told` has it,
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


def moves_told(
    table: GameInPlay, moves: Iterable[Move], told: Telling, tell: Tell = str
) -> list[Told]:
    """Return moves with their words, what is still to be chosen, and what each costs or gives, or
    why it is refused; if the game has words for them, also the question before it (`sure`), and the
    one for a slot (`ask`)."""
    found = []
    for move in moves:
        choice = tried(table.rules, table.state, move)
        name = told.names[move.seat - 1] if move.seat else ""
        values = {**move.named, **move.fields, "name": name}
        sure, ask = (told.asked(move.do, what, values) for what in ("sure", "ask"))
        found.append(
            {
                "seat": move.seat,
                "do": move.do,
                "label": told.verb(move.do, move.fields),
                "fields": {key: _plain(value) for key, value in move.fields.items()},
                "slots": [{**_slot(slot), **ask} for slot in move.slots],
                **({"reader": True} if _is_laid(table, move) else {}),
                **({"aside": True} if move.aside else {}),
                "sums": [list(sums) for sums in choice.sums],
                "may": choice.legal,
                "reason": choice.reason,
                "say": tell(choice.said) if choice.reason else "",
                **sure,
            }
        )
    return found


def is_real(table: GameInPlay | None) -> bool:
    """Return whether real cards are played with at this table."""
    return table is not None and not table.enforced


def racing(table: GameInPlay | None) -> bool:
    """Return whether only the first to answer covers a number at this table."""
    return table is not None and table.race is not None


def _is_laid(table: GameInPlay, move: Move) -> bool:
    """Return whether a move may be asked for without its cards, which are laid on the reader."""
    return is_real(table) and [slot.kind for slot in move.slots] == [SlotKind.HAND]


def _slot(slot: Slot) -> Told:
    return {
        "names": list(slot.names),
        "kind": str(slot.kind),
        "values": [_plain(value) for value in slot.values],
        "least": slot.least,
        "most": slot.most,
    }


def _plain(value: object) -> object:
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value


def seen_told(table: GameInPlay, seen: Seen, told: Telling) -> Told:
    """Return what a viewer sees of a table: what comes next, the zones, whose turn it is, and the
    cards that nobody has."""
    return {
        "text": what_is_next(table, seen, told),
        "zones": [told.zone(zone).model_dump(mode="json") for zone in seen.zones],
        "turn": sorted(seen.turn),
        "leads": seen.leads,
        "has": seen.has,
        "counted": seen.counted,
        "free": [told.thing(card).model_dump(mode="json") for card in seen.free],
    }
