"""Answer questions that change nothing: the wire's `ask`. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from station.base.errors import Unreadable
from station.calling.checking import claims_of_this_stop, look_at_card, look_at_ticket
from station.calling.money_answers import balance, owed_for, unpaid
from station.calling.table.host_view import told_of_table, told_to_seat
from station.cards.serials import Numbering
from station.night.hall import Hall
from station.night.table.luck import DiceFrom
from station.people.roles import ASK, MAY, Person
from station.settings.scan import cards_chosen
from station.views.cards_seen import face_of
from station.views.money_text import Currency
from station.views.table.view import Telling
from station.views.telling import Tell
from station.wire.wording import Wording, load_wording

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
    person.require(ASK)
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
