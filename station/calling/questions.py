"""Answer questions that change nothing, money included: the wire's `ask`. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from station.base.errors import Unreadable
from station.base.nouns import DUE, HOUSE, KNOBS, PURSES, TICKET_NAME
from station.cards.serials import Numbering
from station.night.hall import Hall
from station.night.opening import carried_from
from station.night.payouts import due_account, paid_on_last
from station.night.register import CARRIED, CHARITY, JACKPOT, VOUCHERS, owed_account, stakes_account
from station.night.table.luck import DiceFrom
from station.people.roles import MAY, Person, Right
from station.rules.prizes import PrizeState
from station.settings.scan import card_looked_at, card_meant, cards_chosen
from station.views.cards_seen import face_of
from station.views.money_text import Currency
from station.views.table.host import told_of_table
from station.views.table.seat import told_to_seat
from station.views.table.view import Telling
from station.views.telling import Tell, claims_of_this_stop, told_of_card, told_of_ticket
from station.views.views import holder_of
from station.wire.wording import Wording, load_wording

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
        "next": _coming_game(hall),
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


def _coming_game(hall: Hall) -> dict[str, Any] | None:
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


def look_at_card(
    hall: Hall,
    text: str,
    numbering: Numbering | None = None,
    *,
    short: bool = False,
    tell: Tell = str,
) -> dict[str, Any]:
    """Return what is known of a card, by serial or code.

    Args:
        short: the serial may lack its check characters, which a claim needs.

    Raises:
        Unreadable: no card of this pack is meant.
    """
    meant = card_looked_at if short else card_meant
    return told_of_card(hall, meant(hall.pack, text, numbering), tell)


def look_at_ticket(
    hall: Hall, numbers: Any, stage: Any = None, *, tell: Tell = str
) -> dict[str, Any]:
    """Return what is known of a ticket that is not in the station's register, by its numbers.

    Raises:
        Unreadable: these are no numbers, or no game is open.
        NotAllowed: a claim with it would be refused; the message says why.
    """
    if not isinstance(numbers, list) or not all(
        type(number) is int and 1 <= number <= KNOBS for number in numbers
    ):
        raise Unreadable(
            f"a ticket is asked about by its numbers, a list of whole numbers from 1 to {KNOBS}"
        )
    if hall.sold is None:
        raise Unreadable("no game is open: there is nothing to check a ticket against")
    wanted = stage if isinstance(stage, str) else ""
    return told_of_ticket(hall, hall.sold, numbers, wanted, tell)


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
        "lots": _lots_of_card(game, serial) if game is not None else [],
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


def _lots_of_card(game: PrizeState, serial: str) -> list[str]:
    """Return the stages whose thing must be drawn lots for, this card with others."""
    return [stage for stage in game.undecided if serial in game.rivals(stage)]


# -- all questions ---------------------------------------------------------------------------------

OF_CARDS = ("card", "ticket", "claims", "owed", "cards", "register", "lots")
ABOUT = (*OF_CARDS, "night", "money", "unpaid", "sales", "table")
HAND = "hand"  # what a player at the table may ask about
ME = "me"  # what everybody may ask about
PAGE = 500  # cards or lots in one answer
NOTHING: Mapping[str, dict[str, Any]] = MappingProxyType({})
NO_CURRENCY = {"sign": "", "decimals": 0}


def answer_question(
    hall: Hall,
    ask: Any,
    person: Person,
    of_the_desk: Mapping[str, dict[str, Any]] = NOTHING,
    numbering: Numbering | None = None,
    wording: Wording | None = None,
    tell: Tell = str,
) -> dict[str, Any]:
    """Return the answer to one question.

    Args:
        of_the_desk: the desk's own answers, by topic: the census, the self-test, the nearest cards;
            its `currency` goes with sums; `dice` says where throws may come from.
        numbering: reads the short codes of the pack's cards.
        wording: in the asker's language; by default the reference's.
        tell: writes what is said to the asker: a verdict, why something is refused.

    Raises:
        NotAllowed: this person only watches, or a claim like this would be refused.
        Unreadable: there is no such question or card.
    """
    asked: Mapping[str, Any] = ask if isinstance(ask, dict) else {}
    sums = Currency(**of_the_desk.get("currency", {})).text
    if asked.get("about") == HAND:
        telling = Telling(wording or load_wording(), sums)
        currency = of_the_desk.get("currency", NO_CURRENCY)
        dice = of_the_desk.get("dice", {}).get("from", [*DiceFrom])
        told = told_to_seat(hall, person.seat, telling, tell, dice)
        return {**told, "currency": currency}
    if asked.get("about") == ME:
        return {**asdict(person), "acts": sorted(MAY[person.role])}
    person.require(Right.ASK)
    serial, about = str(asked.get("serial")), asked.get("about")
    short = asked.get("short") is True
    answers: dict[object, Callable[[], dict[str, Any]]] = {
        "card": lambda: look_at_card(hall, serial, numbering, short=short, tell=tell),
        "ticket": lambda: look_at_ticket(hall, asked.get("numbers"), asked.get("stage"), tell=tell),
        "claims": lambda: {"claims": claims_of_this_stop(hall, tell)},
        "owed": lambda: owed_for(hall, serial, numbering),
        "unpaid": lambda: unpaid(hall),
        "cards": lambda: _cards(hall, asked.get("words"), numbering),
        "register": lambda: _register(hall, _at(asked)),
        "lots": lambda: _lots(hall, _at(asked)),
        "night": lambda: {
            "night": hall.night,
            "opened": hall.opened,
            "games": len(hall.programme.games),
            "pack": hall.pack.digest,
        },
        "money": lambda: balance(hall, of_the_desk.get("currency", NO_CURRENCY)),
        "table": lambda: told_of_table(
            hall, sums, wording, tell, of_the_desk.get("dice", {}).get("from", [*DiceFrom])
        ),
        "sales": lambda: {
            "ledger": dict(hall.ledger.balances),
            "sold": hall.register.sold(_game(hall)),
        },
    }
    if isinstance(about, str) and about in answers:
        return answers[about]()
    if isinstance(about, str) and about in of_the_desk:
        return of_the_desk[about]
    known = ", ".join((*ABOUT, *of_the_desk))
    raise Unreadable(f"there is no question about {about!r}: ask about {known}")


def _game(hall: Hall) -> int:
    """Return the game that is asked about: the open one, else the coming one."""
    return hall.opened if hall.game_open else hall.coming


def _at(asked: Mapping[str, Any]) -> int:
    at = asked.get("at", 0)
    if type(at) is not int or at < 0:
        raise Unreadable(f"at is {at!r}: it says how many are passed over, from 0")
    return at


def _next(at: int, many: int) -> int | None:
    """Return where the next page begins; None after the last."""
    return at + PAGE if at + PAGE < many else None


def _cards(hall: Hall, words: Any, numbering: Numbering | None) -> dict[str, Any]:
    """Return which cards these words mean, and what one costs for each of the coming games."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise Unreadable("cards are asked about by words, a list of serials and ranges")
    chosen = cards_chosen(hall.pack, words, numbering)
    return {
        "serials": list(chosen.serials),
        "ranges": [list(ends) for ends in chosen.ranges],
        "count": chosen.count,
        "prices": [plan.price for plan in hall.programme.games[hall.opened :]],
    }


def _register(hall: Hall, at: int) -> dict[str, Any]:
    """Return a page of the open or coming game's cards, in the pack's order, from `at` on."""
    game = _game(hall)
    deck, holders = hall.register.cards(game)
    page = [deck.pack.serials[place] for place in deck.places[at : at + PAGE]]
    cards = [{"serial": one, "holder": holders.get(one), **face_of(deck[one])} for one in page]
    return {"game": game, "of": len(deck), "next": _next(at, len(deck)), "cards": cards}


def _lots(hall: Hall, at: int) -> dict[str, Any]:
    """Return a page of what was sold for the open or coming game, as ranges with their holders."""
    game = _game(hall)
    lots = hall.register.ranges(game)
    page = [
        {
            "first": first,
            "last": last,
            "count": len(lot),
            "holder": lot.holder,
            "seller": lot.seller,
            "until": lot.last,
        }
        for first, last, lot in lots[at : at + PAGE]
    ]
    return {
        "game": game,
        "sold": hall.register.sold(game),
        "tickets": hall.register.tickets(game),
        "next": _next(at, len(lots)),
        "lots": page,
    }
