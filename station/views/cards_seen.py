"""Show the players' cards on the bench: who holds them, how near they are, which have won.

All cards in play are examined and a few are shown: the pack's first, those that have a prize or
could claim one, those that are near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice

from station.base.nouns import Card
from station.cards.marking import SMALL
from station.night.hall import Hall
from station.night.register import Sales
from station.rules.abilities import SellsCards
from station.rules.prizes import ClaimVerdict, PrizeSetup, PrizeState
from station.views.nearness import Making, Nearness, in_a_thread
from station.wire.wire import Message

SHOWN_CARDS = 12
# also shown, of each kind: cards that have a prize, cards checked or known as winners, cards that
# need one number
MORE_CARDS = 12
NAMED_PLAYERS = 200


class Mark(StrEnum):
    """The bench's mark on a card."""

    HAS = "has"  # its player wins by claiming now
    CHECKED = "checked"  # claimed at this stop
    LATE = "late"  # it had a prize, and another number came
    WON = "won"
    NEAR = "near"  # it needs one number
    NONE = ""


class CardsSeen:
    """The cards of the game in play, night after night, examined again only after an act.

    Args:
        hall: returns the night as it is now.
        beside, small: as in `Nearness`.
    """

    def __init__(
        self, hall: Callable[[], Hall], beside: Making = in_a_thread, small: int = SMALL
    ) -> None:
        self._hall = hall
        self._near = Nearness(hall, always=True, beside=beside, small=small)
        self._of: Hall | None = None
        self._game = _frozen(hall())
        self._look: Message = {}
        self._sold: tuple[Sales, int, Message] | None = None

    def look(self) -> Message:
        """Return the cards shown, all players by name with their cards, who wins by claiming now.

        `winners` is None while it is not known yet: the marks of a large pack are being made.
        """
        hall = self._hall()
        # Compared by what was frozen when it opened, not by number: another night's first game is
        # another game.
        if _frozen(hall) is not self._game:
            self._game = _frozen(hall)
            self._near.begin()
        if hall is not self._of or self._look["winners"] is None:
            self._of, self._look = hall, self._seen(hall)
        return self._look

    def _seen(self, hall: Hall) -> Message:
        if hall.table is not None:  # its cards lie open on the board
            return {"cards": [], "winners": [], "players": self._players(hall, hall.coming)}
        number = hall.opened if hall.last_sold is not None else hall.coming
        winning = self._near.winning(MORE_CARDS)
        known = (*(winning or ()), *self._told_of(hall), *self._near.near_cards(MORE_CARDS))
        shown = dict.fromkeys((*self._first(hall), *known))
        return {
            "cards": [_card(hall, number, serial) for serial in shown],
            "winners": None if winning is None else [_named(hall, number, one) for one in winning],
            "players": self._players(hall, number),
        }

    @staticmethod
    def _first(hall: Hall) -> Iterator[str]:
        game = hall.last_sold
        deck = game.setup.cards if game is not None else hall.register.cards(hall.coming)[0]
        return islice(deck, SHOWN_CARDS)

    @staticmethod
    def _told_of(hall: Hall) -> Iterator[str]:
        """Yield the cards checked at this stop, and those that have won, the newest first."""
        game = hall.sold
        if game is None:
            return iter(())
        known = (
            *(claim.serial for claim in reversed(game.claims)),
            *(win.serial for win in reversed(game.wins)),
        )
        return islice((serial for serial in known if serial in game.setup.cards), MORE_CARDS)

    def _players(self, hall: Hall, number: int) -> Message:
        """Return who plays, by name with how many cards; how many more players there are; how many
        cards have no name; and how many tickets."""
        if self._sold is None or self._sold[0] is not hall.sales or self._sold[1] != number:
            counts: Counter[str | None] = Counter()
            for lot in hall.sales.lots(number):
                counts[lot.holder] += len(lot)
            named = [[name, count] for name, count in counts.items() if name is not None]
            told: Message = {
                "named": named[:NAMED_PLAYERS],
                "more": len(named[NAMED_PLAYERS:]),
                "nobody": counts[None],
            }
            self._sold = hall.sales, number, told | {"tickets": hall.register.tickets(number)}
        return self._sold[2]


def face_of(card: Card) -> Message:
    """Return what a page draws a card by: its rows, and where their columns are not the usual ones
    that its tens stand last."""
    rows = [list(row) for row in card.rows]
    return {"rows": rows, **({"tens_last": True} if card.tens_last else {})}


def _frozen(hall: Hall) -> PrizeSetup | None:
    return hall.sold.setup if hall.sold is not None else None


def _named(hall: Hall, number: int, serial: str) -> Message:
    sale = hall.sale(serial, number)
    return {"serial": serial, "holder": sale.holder if sale is not None else None}


def _card(hall: Hall, number: int, serial: str) -> Message:
    game = hall.sold
    mark = _mark(hall.prizes, game, serial) if game is not None else Mark.NONE
    return {
        **_named(hall, number, serial),
        **face_of(hall.pack.card(serial)),
        "mark": mark.value,
    }


def _mark(rules: SellsCards, game: PrizeState, serial: str) -> Mark:
    if any(claim.serial == serial for claim in game.claims):
        return Mark.CHECKED
    match rules.judge(game, serial).verdict:
        case ClaimVerdict.VALID:
            return Mark.HAS
        case ClaimVerdict.LATE:
            return Mark.LATE
    if any(win.serial == serial for win in game.wins):
        return Mark.WON
    near = any(wanted.many == 1 for _, wanted in rules.wants(game, serial))
    return Mark.NEAR if near else Mark.NONE
