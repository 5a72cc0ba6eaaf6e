"""The night in a hall at one moment: what is sold, played, won, owed and approved; and the one line
it is written on.

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
from station.games import PLAYS, USUAL
from station.night.fields import person_of
from station.night.pools import (
    CARRIED,
    JACKPOT,
    NO_LAYOUT,
    Layout,
    lay_out,
    owed_account,
    stakes_account,
)
from station.night.readiness import ALL_KNOBS, KnobCount, Readiness
from station.night.register import Lot, Register, Sales, Seller, lot_at, without
from station.night.table.company import Seat
from station.night.table.game import Parlour, next_step
from station.programme.programme import GamePlan, Programme
from station.rules.play import Play
from station.rules.prizes import Prizes, PrizeState, Win


class Reason(StrEnum):
    """Why the hall refuses."""

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


@dataclass(frozen=True, slots=True)
class Approval:
    """Somebody agreed to a payment, or to taking back a call that was paid for.

    Attributes:
        serial: the card that is paid; nothing for a correction.
        amount: what it was owed; another sum needs another approval.
    """

    about: Literal["pay", "undo"]
    who: str
    serial: str = ""
    amount: int = 0

    @property
    def person(self) -> str:
        """The name as it is compared."""
        return person_of(self.who)


@dataclass(frozen=True)
class Refund:
    """A broken game: what is given back for each of its cards.

    Attributes:
        lots: the cards for which that is still to be done.
        done: a digest of those for which it was, chained.
    """

    each: int
    lots: tuple[Lot, ...]
    done: str = "-"

    def after(self, place: int) -> Refund:
        """When the card at this place got its part."""
        done = hashlib.sha256(f"{self.done} {place}".encode()).hexdigest()[:16]
        return replace(self, lots=without(self.lots, place), done=done)


@dataclass(frozen=True)
class Hall:
    """A night at one moment.

    Attributes:
        pack: all cards there are; named in the notation by its digest.
        opened: how many games of the programme have been opened.
        game: the game that cards were sold for and that is on, or the last such one, or None before
            the first.
        gone: who sat there tonight and does not now, with the purses with which they went. It
            stands in no notation: the lines before lead to it, and the line in which one comes back
            says with how much.
        table: the game at the table that is on, or the last such one; the game that was opened last
            is one of the two.
        company: who sits at the table, with the purses of before the game that is on.
        sales: what was sold, by places in the pack; `register` is the same by serials.
        layout: how the money of the game on the table was laid out when it opened.
        paid: the wins of the present game that were handed out.
        kept: wins of games before with a thing that was not handed out yet.
        refunds: of the broken games, by their number.
        bag: the commitment to the virtual bag of the present game, or nothing.
        ready: the census, the self-test, and what was waived.
    """

    pack: Pack
    programme: Programme
    night: int = 1
    last_number: bool = True
    opened: int = 0
    game: PrizeState | None = None
    sales: Sales = field(default_factory=Sales)
    ledger: Ledger = field(default_factory=Ledger)
    layout: Layout = NO_LAYOUT
    paid: frozenset[Win] = frozenset()
    kept: tuple[Win, ...] = ()
    approvals: tuple[Approval, ...] = ()
    refunds: Mapping[int, Refund] = field(default_factory=dict)
    bag: str = ""
    closed: bool = False
    ready: Readiness = field(default_factory=Readiness)
    company: tuple[Seat, ...] = ()
    table: Parlour | None = None
    gone: tuple[Seat, ...] = ()

    @cached_property
    def register(self) -> Register:
        """Which cards are in which game, and whose they are."""
        return Register(self.pack, self.sales)

    @property
    def sellers(self) -> Mapping[str, Seller]:
        """What each seller sold tonight, by name."""
        return self.sales.sellers

    @property
    def knobs(self) -> KnobCount:
        """Where the knobs are: between games none is drawn; a game at the table counts its own, and
        puts some away."""
        if self.at_table is None:
            return self.ready.count(self.out_of_bag)
        bag, drawn = self.at_table.bag, frozenset(self.out_of_bag)
        return KnobCount(bag, drawn, ALL_KNOBS - bag - drawn)

    @property
    def playing(self) -> PrizeState | None:
        """The game that is open, or None between games."""
        return self.game if self.game is not None and not self.game.closed else None

    @property
    def at_table(self) -> Parlour | None:
        """The game at the table that is open, or None."""
        return self.table if self.table is not None and not self.table.over else None

    @property
    def of_table(self) -> bool:
        """Whether the game that was opened last is one at the table."""
        return self.plan is not None and self.plan.at_table

    @property
    def shown(self) -> PrizeState | None:
        """The game that cards were sold for, where it is the one that was opened last."""
        return self.game if not self.of_table else None

    @property
    def called(self) -> tuple[int, ...]:
        """The numbers of the game that was opened last, in the order in which they were drawn; they
        stay when it has ended."""
        if self.of_table and self.table is not None:
            return self.table.board
        return self.shown.called if self.shown is not None else ()

    @property
    def in_play(self) -> tuple[int, int]:
        """How many cards and players: of the game that was opened last, else of the next one, whose
        cards are not dealt yet where it is one at the table."""
        if self.of_table and self.table is not None:
            return sum(map(len, self.table.taken)), len(self.table.taken)
        if self.shown is None and self.next_plan is not None and self.next_plan.at_table:
            return 0, len(self.company)
        number = self.opened if self.shown is not None else self.coming
        sold = self.register.sold(number) + self.register.tickets(number)
        return sold, self.register.players(number)

    @property
    def game_open(self) -> bool:
        """Whether a game is open, of either kind."""
        return self.playing is not None or self.at_table is not None

    @property
    def calls(self) -> int:
        """How many knobs were drawn in the game that was opened last; taken back ones not among
        them."""
        if self.of_table and self.table is not None:
            return self.table.calls
        return len(self.game.called) if self.game is not None else 0

    @property
    def out_of_bag(self) -> tuple[int, ...]:
        """The knobs on the board, in the order in which they were drawn; none between games."""
        if self.at_table is not None:
            return self.at_table.board
        return self.playing.called if self.playing is not None else ()

    @property
    def takes_knobs(self) -> bool:
        """Whether a knob that is drawn now is one of the game's; a claim may have to be settled
        before it is called."""
        if self.at_table is not None:
            return next_step(self.at_table) == "draw"
        return self.playing is not None and self.playing.stage is not None

    @property
    def plan(self) -> GamePlan | None:
        """What the programme says of the game on the table."""
        return self.programme.games[self.opened - 1] if self.opened else None

    @property
    def rules(self) -> Play:
        """Those of the game that cards were sold for and that is on, or the last such one."""
        played = reversed(self.programme.games[: self.opened])
        return next((plan.play for plan in played if not plan.at_table), PLAYS[USUAL])

    @property
    def prizes(self) -> Prizes:
        """What the house needs of those rules."""
        return self.rules.prizes

    @property
    def coming(self) -> int:
        """The number of the next game to open; may be past the programme's end."""
        return self.opened + 1

    @property
    def next_plan(self) -> GamePlan | None:
        """What the programme says of the next game; None after the last."""
        return (
            self.programme.games[self.opened] if self.opened < len(self.programme.games) else None
        )

    @property
    def next_layout(self) -> Layout:
        """How the next game's money would be laid out if it opened now; empty after the last."""
        plan, ledger = self.next_plan, self.ledger
        if plan is None:
            return NO_LAYOUT
        stakes = ledger.of(stakes_account(self.coming))
        return lay_out(
            plan, self.programme.shares_of(plan), stakes, ledger.of(CARRIED), ledger.of(JACKPOT)
        )

    @property
    def pot(self) -> int:
        """All prizes that the next game would have if it opened now; after the last game what is
        carried."""
        return self.next_layout.pool if self.next_plan is not None else self.ledger.of(CARRIED)

    def sale(self, serial: str, game: int) -> Lot | None:
        """The sale that puts a card into a game, the one on the table or one to come, or None when
        it was not sold for it."""
        return self.register.sale(serial, game)

    def owed(self, serial: str) -> int:
        """What would be handed out for a card now: what it won, and what is given back for it."""
        return self.ledger.of(owed_account(serial)) + sum(
            self.refunds[game].each for game in self.refunded_for(serial)
        )

    def refunded_for(self, serial: str) -> tuple[int, ...]:
        """The broken games for which a card is still to get its stake back."""
        if serial not in self.pack:
            return ()
        place = self.pack.place(serial)
        return tuple(
            game
            for game, refund in self.refunds.items()
            if refund.each and lot_at(refund.lots, place) is not None
        )

    def unpaid(self, serial: str) -> tuple[Win, ...]:
        """The wins of a card that were not handed out: those of the game on the table, and things
        of games before."""
        wins = self.game.wins if self.game is not None else ()
        return tuple(
            win
            for win in (*self.kept, *(win for win in wins if win not in self.paid))
            if win.serial == serial
        )

    def without_cards(self) -> Hall:
        """The same night with nobody's cards in games to come: quicker to try acts on; only their
        having been sold is lost."""
        return replace(self, sales=replace(self.sales, coming=(), tickets=()))

    @cached_property
    def table_mark(self) -> str:
        """Stands for the company and its game as they are: another one as soon as anything is done
        at the table."""
        more = self._more()
        return hashlib.sha256(
            f"{self.opened} {more['company']} {more['table']}".encode()
        ).hexdigest()[:16]

    def notation(self) -> str:
        """The night on one line; cards stand in it as digests. What a night does not have does not
        stand there."""
        paid = ",".join(sorted(f"{win.stage}:{win.serial}" for win in self.paid)) or "-"
        game = self.rules.game.notation(self.game) if self.game is not None else "-"
        digests = (
            f"pack={self.pack.digest[:16]} programme={self.programme.digest[:16]}"
            f" register={self.sales.digest[:16]}"
        )
        money = f"ledger={self.ledger} paid={paid} bag={self.bag[:16] or '-'}"
        more = {key: value for key, value in self._more().items() if value}
        money += f" more={json.dumps(more, sort_keys=True, separators=(',', ':'))}" if more else ""
        ready = f" ready={ready}" if (ready := self.ready.notation()) else ""
        return (
            f"night={self.night} {digests} opened={self.opened} closed={int(self.closed)}"
            f" {money}{ready} game={game}"
        )

    def _more(self) -> dict[str, Any]:
        """What the nights of before had not."""
        layout, sellers = self.layout, sorted(self.sellers.items())
        return {
            "layout": astuple(layout) if not layout.plain else (),
            "kept": [[win.stage, win.serial, win.thing] for win in self.kept],
            "approvals": [
                [approval.about, approval.who, approval.serial, approval.amount]
                for approval in self.approvals
            ],
            "refunds": [[game, refund.each, refund.done] for game, refund in self.refunds.items()],
            # What was sold stands in the register.
            "counts": [
                [name, seller.counted, seller.difference]
                for name, seller in sellers
                if seller.counted or seller.difference
            ],
            "company": [
                [seat.name, seat.purse, seat.takes, seat.simulated] for seat in self.company
            ],
            "table": self.table.notation() if self.table is not None else "",
        }

    def digest(self) -> str:
        """SHA-256 of the notation, in hex."""
        return hashlib.sha256(self.notation().encode()).hexdigest()
