"""Hold the night in a hall at one moment: what is sold, played, won, owed, approved; on one line.

What may happen next is in `station.night.hall`. Money, in whole minor units or counters, lies on
the accounts of one ledger:

    purses         outside the hall's cash; below zero: what came in and has not gone out
    game:N         the stakes of the N-th game; from its opening its prizes; of a game at the table
                   all that is not in purses
    carried        nobody won it: it joins the next fund, or the next night's
    house          what the hall took and may bank; below zero: what it put up
    charity, jackpot
    owed:SERIAL    won, not handed out
    due:SERIAL     below zero: handed out for a call that was taken back later
    refund:N       to be given back for the cards of the broken game N
    vouchers       handed out, not used yet
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

from station.base.nouns import Ledger
from station.cards.pack import Pack
from station.games import GAMES, USUAL
from station.night.fair import FairBag
from station.night.readiness import ALL_KNOBS, KnobCount, Readiness
from station.night.register import (
    CARRIED,
    JACKPOT,
    NOTHING_DIVIDED,
    DividedStakes,
    Lot,
    Register,
    Sales,
    Seller,
    lay_out,
    lot_at,
    owed_account,
    stakes_account,
    without,
)
from station.night.sealed_play import SealedPlay
from station.night.table.game import GameInPlay, Seat, next_step
from station.night.table.leaves import TableLeaves
from station.people.alike import person_of
from station.people.pairings import Pairing
from station.programme.programme import GamePlan, Programme
from station.rules.abilities import SellsCards
from station.rules.notations import word
from station.rules.prizes import PrizeState, Win


class HallReason(StrEnum):
    """Why the hall refuses an act."""

    NIGHT_CLOSED = "night-closed"
    NO_GAME = "no-game"
    GAME_OPEN = "game-open"
    NO_MORE_GAMES = "no-more-games"
    NOT_IN_PACK = "not-in-pack"
    BACKWARDS = "range-backwards"
    SOLD_ALREADY = "sold-already"
    NOT_SOLD = "not-sold"
    OTHER_SELLER = "other-seller"
    NO_SELLER = "no-such-seller"
    VOUCHERS = "too-many-vouchers"
    NOTHING_OWED = "nothing-owed"
    OTHER_SUM = "other-sum"
    PAID = "paid-already"
    PAIRED = "paired-already"
    TOO_MANY_PAIRED = "too-many-paired"
    NO_SUCH_PAIRING = "no-such-pairing"
    LOTS = "lots-not-drawn"
    SECOND_PERSON = "second-person"
    NOTHING_TO_APPROVE = "nothing-to-approve"
    NOTHING_DUE = "nothing-due"
    TOO_MUCH = "too-much"
    NO_CENSUS = "no-census"
    UNFIT = "unfit"
    BAG_NOT_WHOLE = "bag-not-whole"
    BAG_NOT_COUNTED = "bag-not-counted"
    BAG_SHAKEN = "bag-shaken-already"
    DRAWING = "drawing"
    NOT_AT_TABLE = "not-at-table"
    AT_TABLE = "at-table"
    NO_COMPANY = "no-company"
    NAME_TWICE = "name-twice"
    TOO_FEW_CARDS = "too-few-cards"
    NOT_DEALT = "not-dealt"
    CANNOT_PLAY = "cannot-play"
    NOT_PAID = "stake-not-paid"
    GAME_GOES_ON = "game-goes-on"
    NOT_SEALED = "not-sealed"
    PLAYED_ALREADY = "sealed-played"
    NOT_AS_SEALED = "not-as-sealed"
    WRONG_KEY = "wrong-key"


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's approval of a payment, or of taking back a call that was paid for.

    Attributes:
        serial: the card that is paid; empty for a correction.
        amount: what the card was owed; another sum needs another approval.
    """

    about: Literal["pay", "undo"]
    who: str
    serial: str = ""
    amount: int = 0

    @property
    def person(self) -> str:
        """Return the name in the form in which names are compared."""
        return person_of(self.who)


@dataclass(frozen=True)
class Refund:
    """What is given back for each card of a broken game.

    Attributes:
        lots: the cards for which it is still to be given back.
        done: a chained digest of the cards for which it was.
    """

    each: int
    lots: tuple[Lot, ...]
    done: str = "-"

    def after(self, place: int) -> Refund:
        """Return the refund after the card at this place got its money."""
        done = hashlib.sha256(f"{self.done} {place}".encode()).hexdigest()[:16]
        return replace(self, lots=without(self.lots, place), done=done)


@dataclass(frozen=True)
class Hall:
    """A night at one moment.

    Attributes:
        pack: all cards there are; named in the notation by its digest.
        opened: how many games of the programme have been opened or skipped.
        playing: the game opened last, in play or over; None before the first, and after a game was
            skipped.
        gone: who sat at the table tonight and left, with the purses they had then. The notation
            leaves it out: it follows from the lines before, and the line in which somebody comes
            back says with how much.
        company: who sits at the table, with the purses they had before the game in play.
        sales: what was sold, by places in the pack; `register` has it by serials.
        layout: how the money of the game on the table was laid out when it opened.
        paid: the wins of the present game that were handed out.
        kept: wins of earlier games with a thing that was not handed out yet.
        players: whose the cards and tickets were that are still owed something for earlier games of
            the night, as `PrizeState.player` has it. The notation leaves it out, as with `gone`.
        refunds: the refunds of broken games, by the game's number.
        bag: the commitment to the virtual bag of the present game; empty without one.
        leaves: what the table's throws, shuffles and deals follow from; None before a company
            sits down.
        fair: that bag, where its numbers open leaves; None where it has an order, or there is none.
        sealed: the sealed game that was taken last, for the next game, the present one, or an
            earlier one.
        ready: the census, the self-test, and what was waived.
        people: whose devices are paired.
    """

    pack: Pack
    programme: Programme
    night: int = 1
    last_number: bool = True
    opened: int = 0
    playing: GameInPlay | None = None
    sales: Sales = field(default_factory=Sales)
    ledger: Ledger = field(default_factory=Ledger)
    layout: DividedStakes = NOTHING_DIVIDED
    paid: frozenset[Win] = frozenset()
    kept: tuple[Win, ...] = ()
    players: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    approvals: tuple[Approval, ...] = ()
    refunds: Mapping[int, Refund] = field(default_factory=dict)
    bag: str = ""
    fair: FairBag | None = None
    leaves: TableLeaves | None = None
    sealed: SealedPlay | None = None
    closed: bool = False
    ready: Readiness = field(default_factory=Readiness)
    company: tuple[Seat, ...] = ()
    gone: tuple[Seat, ...] = ()
    people: tuple[Pairing, ...] = ()

    @cached_property
    def register(self) -> Register:
        """Return which cards are in which game, and who holds them."""
        return Register(self.pack, self.sales)

    @property
    def sellers(self) -> Mapping[str, Seller]:
        """Return what each seller sold tonight, by name; under `UNNAMED` what was nobody's."""
        return self.sales.sellers

    @property
    def knobs(self) -> KnobCount:
        """Return where the knobs are: between games none is drawn; a table counts its own knobs."""
        if self.at_table is None:
            return self.ready.count(self.out_of_bag)
        bag, drawn = self.at_table.bag, frozenset(self.out_of_bag)
        return KnobCount(bag, drawn, ALL_KNOBS - bag - drawn)

    @property
    def open_game(self) -> GameInPlay | None:
        """Return the game that is open; None between games."""
        return self.playing if self.playing is not None and not self.playing.over else None

    @property
    def sold(self) -> PrizeState | None:
        """Return the open game if cards were sold for it."""
        return self.open_game.prizes if self.open_game is not None else None

    @property
    def last_sold(self) -> PrizeState | None:
        """Return the game opened last if cards were sold for it, also after its end."""
        return self.playing.prizes if self.playing is not None else None

    @property
    def at_table(self) -> GameInPlay | None:
        """Return the open game if a company plays it."""
        return self.open_game if self.sold is None else None

    @property
    def table(self) -> GameInPlay | None:
        """Return the game opened last if a company plays it, also after its end."""
        return self.playing if self.last_sold is None else None

    @property
    def called(self) -> tuple[int, ...]:
        """Return the numbers drawn in the game opened last, in their order, also after its end."""
        return self.playing.board if self.playing is not None else ()

    @property
    def in_play(self) -> tuple[int, int]:
        """Return how many cards and how many players are in the game that was opened last, else in
        the next one. The cards of a next game at the table are not dealt yet, and count 0."""
        if self.table is not None:
            return sum(map(len, self.table.taken)), len(self.table.taken)
        if self.playing is None and self.next_plan is not None and self.next_plan.at_table:
            return 0, len(self.company)
        number = self.opened if self.playing is not None else self.coming
        sold = self.register.sold(number) + self.register.tickets(number)
        return sold, self.register.players(number)

    @property
    def game_open(self) -> bool:
        """Return whether a game is open."""
        return self.open_game is not None

    @property
    def calls(self) -> int:
        """Return how many knobs were drawn in the game opened last, without those taken back."""
        return self.playing.calls if self.playing is not None else 0

    @property
    def out_of_bag(self) -> tuple[int, ...]:
        """Return the knobs on the board, in the order of their drawing; none between games."""
        return self.open_game.board if self.open_game is not None else ()

    @property
    def wants_words(self) -> bool:
        """Return whether the hall is to add words before the bag gives a number."""
        fair = self.fair if self.game_open else None
        return fair is not None and fair.wants_words and fair.next_due is None

    @property
    def takes_knobs(self) -> bool:
        """Return whether a knob drawn now belongs to the game, if perhaps only after a claim."""
        if (sold := self.sold) is not None:
            return sold.stage is not None
        return self.open_game is not None and next_step(self.open_game) == "draw"

    @property
    def plan(self) -> GamePlan | None:
        """Return what the programme says of the game opened last; None before the first."""
        return self.programme.games[self.opened - 1] if self.opened else None

    @property
    def skipped(self) -> bool:
        """Return whether the newest game of the programme was passed over, and not opened."""
        return bool(self.opened) and self.playing is None

    def sealed_for(self, game: int) -> SealedPlay | None:
        """Return the sealed game with which this game of the programme is played; None if it is the
        hall's own."""
        return self.sealed if self.sealed is not None and self.sealed.number == game else None

    @property
    def prizes(self) -> SellsCards:
        """Return the rules of the game opened last if cards were sold for it, else the usual
        ones."""
        rules = self.playing.rules if self.playing is not None else GAMES[USUAL]
        return rules.ability(SellsCards) or GAMES[USUAL].needed(SellsCards)

    @property
    def coming(self) -> int:
        """Return the number of the next game to open; it may be past the programme's end."""
        return self.opened + 1

    @property
    def next_plan(self) -> GamePlan | None:
        """Return what the programme says of the next game; None after the last."""
        games = self.programme.games
        return games[self.opened] if self.opened < len(games) else None

    @property
    def next_at_table(self) -> GamePlan | None:
        """Return what the programme says of the next game if it can be opened now and a company
        plays it."""
        plan = None if self.game_open or self.closed else self.next_plan
        return plan if plan is not None and plan.at_table else None

    @property
    def table_to_come(self) -> tuple[int, GamePlan] | None:
        """Return the first game to come that a company plays, with its number."""
        coming = enumerate(self.programme.games[self.opened :], self.coming)
        return next((game for game in coming if game[1].at_table), None)

    @property
    def next_layout(self) -> DividedStakes:
        """Return how the next game's money would be laid out now; empty after the last."""
        plan, ledger = self.next_plan, self.ledger
        if plan is None:
            return NOTHING_DIVIDED
        stakes, shares = ledger.of(stakes_account(self.coming)), self.programme.shares_of(plan)
        return lay_out(plan, shares, stakes, ledger.of(CARRIED), ledger.of(JACKPOT))

    @property
    def pot(self) -> int:
        """Return the sum of the next game's prizes as of now; after the last, what is carried."""
        return self.next_layout.pool if self.next_plan is not None else self.ledger.of(CARRIED)

    def sale(self, serial: str, game: int) -> Lot | None:
        """Return the sale that puts a card into a game, the present or one to come, or None."""
        return self.register.sale(serial, game)

    def owed(self, serial: str) -> int:
        """Return what would be handed out for a card now: its wins, and what is given back."""
        return self.ledger.of(owed_account(serial)) + sum(
            self.refunds[game].each for game in self.refunded_for(serial)
        )

    def refunded_for(self, serial: str) -> tuple[int, ...]:
        """Return the broken games for which a card is still to get its stake back."""
        if serial not in self.pack:
            return ()
        place = self.pack.place(serial)
        return tuple(
            game
            for game, refund in self.refunds.items()
            if refund.each and lot_at(refund.lots, place) is not None
        )

    @property
    def unfetched(self) -> tuple[Win, ...]:
        """Return the wins not handed out: things of earlier games, and all of the present one."""
        wins = self.last_sold.wins if self.last_sold is not None else ()
        return (*self.kept, *(win for win in wins if win not in self.paid))

    @property
    def unpaid_players(self) -> dict[str, tuple[str, ...]]:
        """Return the cards and tickets that have won tonight what was not handed out, the earliest
        game's first, each with whose it was then; several where it was sold anew since."""
        found, game = dict(self.players), self.last_sold
        if game is None:
            return found
        for win in game.wins:
            if win not in self.paid and (win.amount or win.thing):
                who = (*found.get(win.serial, ()), game.player(win.serial))
                found[win.serial] = tuple(dict.fromkeys(who))
        return found

    def unpaid(self, serial: str) -> tuple[Win, ...]:
        """Return a card's wins not handed out: the present game's, and things of earlier ones."""
        return tuple(win for win in self.unfetched if win.serial == serial)

    def without_cards(self) -> Hall:
        """Return the same night without sales for games to come: acts are tried on it quickly."""
        return replace(self, sales=replace(self.sales, coming=(), tickets=()))

    @cached_property
    def table_mark(self) -> str:
        """Return a digest of the company and its game: anything done at the table changes it."""
        more = self._more()
        mark = f"{self.opened} {more['company']} {more['table']}"
        return hashlib.sha256(mark.encode()).hexdigest()[:16]

    def notation(self) -> str:
        """Return the night on one line, with digests for cards, without what it does not have."""
        paid = ",".join(sorted(f"{win.stage}:{word(win.serial)}" for win in self.paid)) or "-"
        sold = self.last_sold
        game = self.prizes.notation(sold) if sold is not None else "-"
        digests = f"pack={self.pack.digest[:16]} programme={self.programme.digest[:16]}"
        digests += f" register={self.sales.digest[:16]}"
        money = f"ledger={self.ledger} paid={paid} bag={self.bag[:16] or '-'}"
        more = {key: value for key, value in self._more().items() if value}
        money += f" more={json.dumps(more, sort_keys=True, separators=(',', ':'))}" if more else ""
        ready = f" ready={ready}" if (ready := self.ready.notation) else ""
        return (
            f"night={self.night} {digests} opened={self.opened} closed={int(self.closed)}"
            f" {money}{ready} game={game}"
        )

    def _more(self) -> dict[str, Any]:
        """Return the parts of the notation that are left out where they are empty."""
        layout, sellers = self.layout, sorted(self.sellers.items())
        return {
            "layout": astuple(layout) if not layout.plain else (),
            "kept": [[win.stage, win.serial, win.thing] for win in self.kept],
            "approvals": [[one.about, one.who, one.serial, one.amount] for one in self.approvals],
            "refunds": [[game, refund.each, refund.done] for game, refund in self.refunds.items()],
            # What was sold is in the register's digest.
            "counts": [
                [name, seller.counted, seller.difference]
                for name, seller in sellers
                if seller.counted or seller.difference
            ],
            "company": [[one.name, one.purse, one.takes, one.simulated] for one in self.company],
            "table": self.table.notation() if self.table is not None else "",
            "fair": self.fair.notation() if self.fair is not None else (),
            "leaves": self.leaves.notation() if self.leaves is not None else (),
            "sealed": self.sealed.notation() if self.sealed is not None else (),
            "people": [
                [one.key[:16], one.name, one.role, one.seat, one.since, *["by-name"] * one.by_name]
                for one in self.people
            ],
        }

    def digest(self) -> str:
        """Return the SHA-256 of the notation, in hex."""
        return hashlib.sha256(self.notation().encode()).hexdigest()
