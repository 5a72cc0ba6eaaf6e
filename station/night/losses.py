"""Find what would be lost by an act that nobody can take back, and mark the state that somebody who
is asked about it has seen. Pure.

This is decided in one place for the session, and so for the command line, the pages and the
buttons: all of them ask the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from station.base.nouns import HOUSE
from station.night.acts import Act
from station.night.hall import Hall
from station.night.pools import CARRIED, CHARITY, at_break, at_close, stakes_account
from station.night.table.game import next_step
from station.rules.prizes import PrizeState

Said: TypeAlias = tuple[str | int, ...]  # a sentence in pieces, each whole number a sum of money
# these concern the table, whichever game is next
AT_A_TABLE = frozenset({"sit", "join", "shake", "move"})


@dataclass(frozen=True, slots=True)
class Loss:
    """What would be lost by an act.

    Attributes:
        said: the sentence that says it.
        count: how many prizes, or games, would be lost; 0 where they are not counted.
    """

    said: Said
    count: int = 0


def loss_of(hall: Hall, act: Act, *, test: bool = False) -> Loss | None:
    """Return what would be lost by an act that the hall allows; None if nothing would be.

    Args:
        hall: the night before the act.
        test: whether this is a TEST night, in which no money is taken.
    """
    find = _LOSSES.get(act.act)
    return find(hall, test) if find is not None else None


def mark_of(hall: Hall, act: str, seq: int) -> str:
    """Return a mark of the state that somebody who asks for this act has seen.

    At a table it is the table's mark, else the number of the journal's last line.

    Args:
        act: the act's name.
        seq: the number of the journal's last line.
    """
    plan = hall.next_plan
    table = hall.at_table is not None or (not hall.game_open and plan is not None and plan.at_table)
    return hall.table_mark if act in AT_A_TABLE or (table and act != "close-night") else str(seq)


def _open(hall: Hall, test: bool) -> Loss | None:
    plan, number = hall.next_plan, hall.coming
    if (
        plan is None
        or plan.at_table
        or plan.tickets
        or test
        or hall.register.sold(number)
        or hall.register.tickets(number)
    ):
        return None
    what = f"no card is sold for game {number}, {plan.name}"
    return Loss(
        (f"{what}: once it is open nothing more can be sold for it, and nobody can win it",)
    )


def _close(hall: Hall, _: bool) -> Loss | None:
    game = _unwon(hall)
    if game is None:
        return None
    left = hall.ledger.of(stakes_account(hall.opened))
    account, money = at_close(hall.programme, hall.layout, game, hall.opened, left)[-1][1:]
    goes: Said = (": ", money, f" goes to {_named(hall, account)}") if money else ()
    return Loss((_prizes(game), *goes), len(game.unwon))


def _break(hall: Hall, _: bool) -> Loss | None:
    table, game = hall.at_table, _unwon(hall)
    if table is not None and next_step(table) != "close":
        what = f"{table.plan.name} is not played to its end, and cannot be any more: "
        return Loss(
            (what, table.at_stake, " that is in the game goes back to the players as its rules say")
        )
    if game is None:
        return None
    each = at_break(hall.layout, game, hall.opened, hall.ledger).each
    back: Said = (each, " is given back for each card") if each else ("nothing is given back",)
    return Loss((_prizes(game), " and cannot be won any more: ", *back), len(game.unwon))


def _close_night(hall: Hall, _: bool) -> Loss | None:
    coming = range(hall.coming, len(hall.programme.games) + 1)
    sold = [
        number for number in coming if hall.register.sold(number) or hall.register.tickets(number)
    ]
    if not sold:
        return None
    money = sum(hall.ledger.of(stakes_account(number)) for number in sold)
    what = (
        "1 game that was sold is not played"
        if len(sold) == 1
        else f"{len(sold)} games that were sold are not played"
    )
    goes: Said = (": ", money, " goes to the next night, and is not given back") if money else ()
    return Loss((what, *goes), len(sold))


_LOSSES: Mapping[str, Callable[[Hall, bool], Loss | None]] = {
    "open": _open,
    "close": _close,
    "break": _break,
    "close-night": _close_night,
}
ASKED = frozenset(_LOSSES)  # the acts that cannot be taken back


def _unwon(hall: Hall) -> PrizeState | None:
    """Return the open game if somebody can still win a prize in it; else None."""
    game = hall.playing
    if game is None or not game.unwon:
        return None
    return game if len(game.setup.cards) or game.setup.tickets or game.setup.elsewhere else None


def _prizes(game: PrizeState) -> str:
    return "1 prize is not won" if len(game.unwon) == 1 else f"{len(game.unwon)} prizes are not won"


def _named(hall: Hall, account: str) -> str:
    if account != CARRIED:
        return {HOUSE: "the house", CHARITY: "charity"}[account]
    takes = [not plan.at_table and plan.has_fund for plan in hall.programme.games[hall.opened :]]
    if not any(takes):
        return "the next night"
    return "the next game" if takes[0] else "a later game"
