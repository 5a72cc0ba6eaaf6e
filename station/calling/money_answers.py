"""Answer about the night's money: accounts, what is owed to whom, what sellers took. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from station.base.nouns import DUE, HOUSE, PURSES, TICKET_NAME
from station.cards.serials import Numbering
from station.night.hall import Hall
from station.night.opening import carried_from
from station.night.payouts import due_account, paid_on_last
from station.night.register import CARRIED, CHARITY, JACKPOT, VOUCHERS, owed_account, stakes_account
from station.rules.prizes import PrizeState
from station.settings.scan import card_meant
from station.views.views import holder_of

OWED = owed_account("")
MOST_NAMED = 500  # cards that are owed something; there are as many as winners


def balance(hall: Hall, currency: Mapping[str, Any]) -> dict[str, Any]:
    """Return all accounts in whole minor units, by the names a treasurer uses.

    Args:
        currency: how sums are written, passed on.
    """
    ledger, opened = hall.ledger, hall.opened
    prizes = ledger.of(stakes_account(opened))
    return {
        "currency": dict(currency),
        "cash": -ledger.of(PURSES),
        **{name: ledger.of(name) for name in (HOUSE, CHARITY, JACKPOT, CARRIED, VOUCHERS)},
        "game": {"number": opened, "open": hall.game_open, "prizes": prizes} if opened else None,
        "next": _next(hall),
        "owed": [_owed(hall, serial) for serial in _unpaid(hall)[:MOST_NAMED]],
        "due": [
            {"serial": account.removeprefix(DUE), "amount": -units}
            for account, units in ledger.balances.items()
            if account.startswith(DUE)
        ],
        "refunds": [
            {"game": number, "each": refund.each, "cards": sum(map(len, refund.lots))}
            for number, refund in hall.refunds.items()
            if refund.lots and refund.each
        ],
        "sellers": [
            {"name": name or None, **asdict(seller), "expected": seller.expected}
            for name, seller in sorted(hall.sellers.items(), key=lambda one: (not one[0], one[0]))
        ],
        "correction": {
            "paid": paid_on_last(hall),
            "approved": [one.who for one in hall.approvals if one.about == "undo"],
        },
        "approve_above": hall.programme.approve_above,
        "balances": dict(ledger.balances),
        "next_night": dict(carried_from(ledger, hall.night).balances),
        "total": ledger.total,
    }


def unpaid(hall: Hall) -> dict[str, Any]:
    """Return what has been won tonight and was not handed out, in whichever game, and to whom."""
    return {"owed": [_owed(hall, serial) for serial in hall.unpaid_players]}


def _next(hall: Hall) -> dict[str, Any] | None:
    """Return the coming game: what a card costs, how many are sold, what the prizes would be."""
    plan = hall.next_plan
    if plan is None:
        return None
    number = hall.coming
    return {
        "number": number,
        "name": plan.name,
        "price": plan.price,
        "sold": hall.register.sold(number),
        "tickets": hall.register.tickets(number),
        "pot": hall.pot,
    }


def _unpaid(hall: Hall) -> list[str]:
    """Return the cards and tickets that are owed something, without a broken game's."""
    balances = hall.ledger.balances
    accounts = [account.removeprefix(OWED) for account in balances if account.startswith(OWED)]
    return list(dict.fromkeys([*accounts, *(win.serial for win in hall.unfetched if win.thing)]))


def owed_for(hall: Hall, text: str, numbering: Numbering | None = None) -> dict[str, Any]:
    """Return what would be handed out now for a card, by serial or code, or for a ticket by name.

    Raises:
        Unreadable: the text is neither, and no debt stands under that name.
    """
    named = text.strip()
    accounts = {owed_account(named), due_account(named)}
    if TICKET_NAME.fullmatch(named) or accounts & hall.ledger.balances.keys():
        return _owed(hall, named)
    return _owed(hall, card_meant(hall.pack, text, numbering))


def _owed(hall: Hall, serial: str) -> dict[str, Any]:
    amount, limit = hall.owed(serial), hall.programme.approve_above
    paid, game = ("pay", serial, amount), hall.last_sold
    return {
        "serial": serial,
        "holder": _winner(hall, serial),
        "amount": amount,
        "things": [win.thing for win in hall.unpaid(serial) if win.thing],
        "lots": _lots(game, serial) if game is not None else [],
        "needs_approval": limit is not None and amount > limit,
        "approved": [
            one.who for one in hall.approvals if (one.about, one.serial, one.amount) == paid
        ],
    }


def _winner(hall: Hall, serial: str) -> str | None:
    """Return whose the card was when it won what is owed for it; else who holds it now."""
    if players := hall.unpaid_players.get(serial):
        return ", ".join(name for name in players if not name.startswith("#")) or None
    return holder_of(hall.last_sold, serial) if hall.last_sold is not None else None


def _lots(game: PrizeState, serial: str) -> list[str]:
    """Return the stages whose thing must be drawn lots for, this card with others."""
    return [stage for stage in game.undecided if serial in game.rivals(stage)]
