"""Answer questions that change nothing: the wire's `ask`. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from station.base.errors import Unreadable
from station.calling.checking import claims_of_this_stop, look_at_card, look_at_ticket
from station.calling.money_answers import balance, owed_for
from station.calling.table.host_view import told_of_table, told_to_seat
from station.cards.serials import Numbering
from station.night.hall import Hall
from station.people.roles import ASK, MAY, Person
from station.settings.scan import cards_chosen
from station.views.table.telling import Telling
from station.views.telling import Tell
from station.views.views import Currency
from station.wire.wording import Wording, load_wording

ABOUT = (
    "card",
    "ticket",
    "claims",
    "owed",
    "cards",
    "register",
    "lots",
    "night",
    "money",
    "sales",
    "table",
)
HAND = "hand"  # what a player at the table may ask about
ME = "me"  # what everybody may ask about
PAGE = 500  # cards or lots in one answer
NOTHING: Mapping[str, dict[str, Any]] = MappingProxyType({})


def answer_question(  # noqa: C901 - a case for each question
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
            its `currency` goes with sums.
        numbering: reads the short codes of the pack's cards.
        wording: in the asker's language; by default the reference's.
        tell: writes why something is refused, for the asker.

    Raises:
        NotAllowed: this person only watches, or a claim like this would be refused.
        Unreadable: there is no such question or card.
    """
    asked: Mapping[str, Any] = ask if isinstance(ask, dict) else {}
    sums = Currency(**of_the_desk.get("currency", {})).text
    if asked.get("about") == HAND:
        return told_to_seat(hall, person.seat, Telling(wording or load_wording(), sums), tell)
    if asked.get("about") == ME:
        return {**asdict(person), "acts": sorted(MAY[person.role])}
    person.require(ASK)
    match asked.get("about"):
        case "card":
            return look_at_card(
                hall, str(asked.get("serial")), numbering, short=asked.get("short") is True
            )
        case "ticket":
            return look_at_ticket(hall, asked.get("numbers"), asked.get("stage"))
        case "claims":
            return {"claims": claims_of_this_stop(hall)}
        case "owed":
            return owed_for(hall, str(asked.get("serial")), numbering)
        case "cards":
            return _cards(hall, asked.get("words"), numbering)
        case "register":
            return _register(hall, _at(asked))
        case "lots":
            return _lots(hall, _at(asked))
        case "night":
            return {
                "night": hall.night,
                "opened": hall.opened,
                "games": len(hall.programme.games),
                "pack": hall.pack.digest,
            }
        case "money":
            return balance(hall, of_the_desk.get("currency", {"sign": "", "decimals": 0}))
        case "table":
            return told_of_table(hall, sums, wording, tell)
        case "sales":
            return {"ledger": dict(hall.ledger.balances), "sold": hall.register.sold(_game(hall))}
        case str(about) if about in of_the_desk:
            return of_the_desk[about]
        case about:
            raise Unreadable(
                f"there is no question about {about!r}: ask about"
                f" {', '.join((*ABOUT, *of_the_desk))}"
            )


def _game(hall: Hall) -> int:
    """Return the game that is asked about: the open one, else the coming one."""
    return hall.opened if hall.game_open else hall.coming


def _at(asked: Mapping[str, Any]) -> int:
    at = asked.get("at", 0)
    if type(at) is not int or at < 0:
        raise Unreadable(f"at is {at!r}: it says how many are passed over, from 0")
    return at


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
    cards = [
        {
            "serial": serial,
            "holder": holders.get(serial),
            "rows": [list(row) for row in deck[serial].rows],
        }
        for serial in page
    ]
    return {
        "game": game,
        "of": len(deck),
        "next": at + PAGE if at + PAGE < len(deck) else None,
        "cards": cards,
    }


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
    more = at + PAGE if at + PAGE < len(lots) else None
    return {
        "game": game,
        "sold": hall.register.sold(game),
        "tickets": hall.register.tickets(game),
        "next": more,
        "lots": page,
    }
