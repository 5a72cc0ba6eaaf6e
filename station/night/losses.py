"""Find what an act that nobody can take back would lose, and mark the state somebody saw. Pure.

This is decided in one place for the session, and so for the command line, the pages and the
buttons: all of them ask the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from station.base.said import Sentence, Sum, Value, listed, row, said, verbatim
from station.night.acts import Act
from station.night.hall import Hall
from station.night.payouts import named
from station.night.register import CARRIED, at_break, at_close, at_skip, stakes_account
from station.night.table.game import next_step
from station.rules.prizes import PrizeState

MOST_NAMED = 10  # of those who are owed something; who is told more reads no further
# these concern the table, whichever game is next
AT_A_TABLE = frozenset({"sit", "join", "shake", "move"})


@dataclass(frozen=True, slots=True)
class Loss:
    """What would be lost by an act.

    Attributes:
        said: the sentence that says it.
        count: how many prizes, or games, would be lost; 0 where they are not counted, as prizes
            that were won are not.
    """

    said: Sentence
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
    if plan is None or plan.at_table or plan.tickets or test:
        return None
    if hall.register.sold(number) or hall.register.tickets(number):
        return None
    return Loss(
        said(
            "no card is sold for game {game}, {name}: once it is open nothing more can be sold for"
            " it, and nobody can win it",
            game=number,
            name=plan.name,
        )
    )


def _close(hall: Hall, _: bool) -> Loss | None:
    game = _unwon(hall)
    if game is None:
        return None
    left = hall.ledger.of(stakes_account(hall.opened))
    account, money = at_close(hall.programme, hall.layout, game, hall.opened, left)[-1][1:]
    lost = _prizes(game)
    if money:
        to = _named(hall, account)
        lost = said("{lost}: {sum} goes to {account}", lost=lost, sum=Sum(money), account=to)
    return Loss(lost, len(game.unwon))


def _break(hall: Hall, _: bool) -> Loss | None:
    table, game = hall.at_table, _unwon(hall)
    if table is not None and next_step(table) != "close":
        return Loss(
            said(
                "{name} is not played to its end, and cannot be any more: {sum} that is in the game"
                " goes back to the players as its rules say",
                name=table.plan.name,
                sum=Sum(table.at_stake),
            )
        )
    if game is None:
        return None
    each = at_break(hall.layout, game, hall.opened, hall.ledger).each
    some = said("{sum} is given back for each card", sum=Sum(each))
    back = some if each else said("nothing is given back")
    lost = said("{lost} and cannot be won any more: {back}", lost=_prizes(game), back=back)
    return Loss(lost, len(game.unwon))


def _skip(hall: Hall, _: bool) -> Loss | None:
    plan, number = hall.next_plan, hall.coming
    if hall.game_open or plan is None:
        return None
    cards, tickets = hall.register.sold(number), hall.register.tickets(number)
    lost = said("game {game}, {name}, is not played tonight any more", game=number, name=plan.name)
    if cards or tickets:
        each = at_skip(hall.ledger.of(stakes_account(number)), cards, tickets, number).each
        lost = said("{lost}: {sum} is given back for each card", lost=lost, sum=Sum(each))
    return Loss(lost, 1)


def _close_night(hall: Hall, _: bool) -> Loss | None:
    coming, register = range(hall.coming, len(hall.programme.games) + 1), hall.register
    sold = [number for number in coming if register.sold(number) or register.tickets(number)]
    lost = [*([_unplayed(hall, sold)] if sold else []), *_unpaid(hall)]
    return Loss(verbatim(row(lost, "; ")), len(sold)) if lost else None


def _unpaid(hall: Hall) -> Iterator[Sentence]:
    """Yield one sentence where prizes of the night were not handed out: how much, and whose."""
    owed = hall.unpaid_players
    told: list[Value] = [_debt(hall, *one) for one in islice(owed.items(), MOST_NAMED)]
    if more := len(owed) - len(told):
        told.append(said("{count} more", count=more))
    if money := sum(map(hall.owed, owed)):
        yield said("{sum} in prizes is still to be paid ({whom})", sum=Sum(money), whom=row(told))
    elif owed:
        yield said("prizes are still to be handed out ({whom})", whom=row(told))


def _debt(hall: Hall, serial: str, players: tuple[str, ...]) -> Sentence:
    money, names = hall.owed(serial), [name for name in players if not name.startswith("#")]
    things = [win.thing for win in hall.unpaid(serial) if win.thing]
    what: list[Value] = [*([Sum(money)] if money else []), *things]
    values: dict[str, Value] = {"serial": serial, "what": listed(what)}
    if names:
        return said("card {serial}, {holder}: {what}", holder=listed(names), **values)
    return said("card {serial}: {what}", **values)


def _unplayed(hall: Hall, sold: list[int]) -> Sentence:
    money = sum(hall.ledger.of(stakes_account(number)) for number in sold)
    lost = said("{count} games that were sold are not played", count=len(sold))
    if len(sold) == 1:
        lost = said("1 game that was sold is not played")
    if money:
        lost = said(
            "{lost}: {sum} goes to the next night, and is not given back", lost=lost, sum=Sum(money)
        )
    return lost


_LOSSES: Mapping[str, Callable[[Hall, bool], Loss | None]] = {
    "open": _open,
    "close": _close,
    "break": _break,
    "skip": _skip,
    "close-night": _close_night,
}
ASKED = frozenset(_LOSSES)  # the acts that cannot be taken back


def _unwon(hall: Hall) -> PrizeState | None:
    """Return the open game if somebody can still win a prize in it; else None."""
    game = hall.sold
    if game is None or not game.unwon:
        return None
    return game if len(game.setup.cards) or game.setup.tickets or game.setup.elsewhere else None


def _prizes(game: PrizeState) -> Sentence:
    many = len(game.unwon)
    if many == 1:
        return said("1 prize is not won")
    return said("{count} prizes are not won", count=many)


def _named(hall: Hall, account: str) -> Sentence:
    if account != CARRIED:
        return named(account)
    takes = [not plan.at_table and plan.has_fund for plan in hall.programme.games[hall.opened :]]
    if not any(takes):
        return said("the next night")
    return said("the next game") if takes[0] else said("a later game")
