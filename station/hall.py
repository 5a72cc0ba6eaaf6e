"""The night in a hall: programme, sales, the game on the table, claims, prizes, corrections. Pure.

A `Hall` is frozen; `apply` gives the next one or refuses with a reason. What a person or a device may ask for is an `Act`
(`station.acts`), which is also what the journal keeps as `do`.

Money, in whole minor units or counters, lies on the accounts of one ledger: `purses` (below zero: what players have paid in and
not been paid out), `game:N` (the stakes of the N-th game), `owed:SERIAL` (won, not handed out), `carried` (nobody won it: it
joins the next game's pool, or the next night's).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from station.acts import (
    Act,
    Census,
    Claim,
    Close,
    CloseNight,
    Draw,
    Note,
    Open,
    Pay,
    PlayOn,
    SelfTest,
    Sell,
    Stop,
    Undo,
    Waive,
    act_to_json,
    parse_act,
)
from station.cards import Pack
from station.errors import NotAllowed
from station.programme import GamePlan, Programme
from station.readiness import KnobCount, Outcome, Readiness
from station.rules import loto_first
from station.rules.loto_first import GAME
from station.table import KNOBS, PURSES, Ledger

__all__ = [
    "CARRIED",
    "Act",
    "Census",
    "Claim",
    "Close",
    "CloseNight",
    "Draw",
    "Hall",
    "Note",
    "Open",
    "Pay",
    "PlayOn",
    "Reason",
    "SelfTest",
    "Sell",
    "Sold",
    "Stop",
    "Undo",
    "Waive",
    "act_to_json",
    "apply",
    "followed",
    "parse_act",
]

CARRIED = "carried"


class Reason(StrEnum):
    """Why the hall refuses."""

    NIGHT_CLOSED = "night-closed"
    NO_GAME = "no-game"
    GAME_OPEN = "game-open"
    NO_MORE_GAMES = "no-more-games"
    NOT_IN_PACK = "not-in-pack"
    SOLD_ALREADY = "sold-already"
    NOTHING_OWED = "nothing-owed"
    PAID = "paid-already"
    NO_CENSUS = "no-census"
    UNFIT = "unfit"
    BAG_NOT_WHOLE = "bag-not-whole"


@dataclass(frozen=True, slots=True)
class Sold:
    """A card sold for the games from `first` to `last` of the programme (counted from 1)."""

    first: int
    last: int
    holder: str | None


@dataclass(frozen=True)
class Hall:
    """A night at one moment.

    Attributes:
        pack: all cards there are; named in the notation by its digest.
        opened: how many games of the programme have been opened.
        game: the game on the table, or the last one played, or None before the first.
        sales: what was sold, by serial; `register` is a digest of it, chained sale by sale.
        paid: the wins of the present game that were handed out.
        bag: the commitment to the virtual bag of the present game, or nothing.
        ready: the census, the self-test, and what was waived.
    """

    pack: Pack
    programme: Programme
    night: int = 1
    last_number: bool = True
    opened: int = 0
    game: loto_first.State | None = None
    sales: Mapping[str, tuple[Sold, ...]] = field(default_factory=dict)
    register: str = "-"
    ledger: Ledger = field(default_factory=Ledger)
    paid: frozenset[loto_first.Win] = frozenset()
    bag: str = ""
    closed: bool = False
    ready: Readiness = field(default_factory=Readiness)

    @property
    def knobs(self) -> KnobCount:
        """Where the knobs are: between games none is drawn."""
        return self.ready.count(self.playing.called if self.playing is not None else ())

    @property
    def playing(self) -> loto_first.State | None:
        """The game that is open, or None between games."""
        return self.game if self.game is not None and not self.game.closed else None

    @property
    def plan(self) -> GamePlan | None:
        """What the programme says of the game on the table."""
        return self.programme.games[self.opened - 1] if self.opened else None

    @property
    def coming(self) -> int:
        """The number of the next game to open; may be past the programme's end."""
        return self.opened + 1

    @property
    def pot(self) -> int:
        """What lies in the pot of the next game already: what is carried, and the stakes of the cards sold for it."""
        return self.ledger.of(CARRIED) + self.ledger.of(_stakes_account(self.coming))

    def holders(self, game: int) -> dict[str, str | None]:
        """The cards sold for that game, in the pack's order, and who holds each."""
        return {serial: sale.holder for serial in self.pack.serials if (sale := self.sale(serial, game)) is not None}

    def sale(self, serial: str, game: int) -> Sold | None:
        """The sale that puts a card into that game, or None when it was not sold for it."""
        return next((sale for sale in self.sales.get(serial, ()) if sale.first <= game <= sale.last), None)

    def notation(self) -> str:
        """The night on one line; cards stand in it as digests."""
        paid = ",".join(sorted(f"{win.stage}:{win.serial}" for win in self.paid)) or "-"
        game = GAME.notation(self.game) if self.game is not None else "-"
        digests = f"pack={self.pack.digest[:16]} programme={self.programme.digest[:16]} register={self.register[:16]}"
        money = f"ledger={self.ledger} paid={paid} bag={self.bag[:16] or '-'}"
        ready = f" ready={ready}" if (ready := self.ready.notation()) else ""
        return f"night={self.night} {digests} opened={self.opened} closed={int(self.closed)} {money}{ready} game={game}"

    def digest(self) -> str:
        """SHA-256 of the notation, in hex."""
        return hashlib.sha256(self.notation().encode()).hexdigest()


def _stakes_account(game: int) -> str:
    return f"game:{game}"


def _owed_account(serial: str) -> str:
    return f"owed:{serial}"


def apply(hall: Hall, act: Act) -> Hall:
    """The night after this act.

    Raises:
        NotAllowed: the hall refuses (`Reason`), or the game's rules do (`IllegalAction`).
    """
    if hall.closed:
        raise NotAllowed(Reason.NIGHT_CLOSED, f"night {hall.night} is closed: start the station again for the next night")
    match act:
        case Sell():
            return _sell(hall, act)
        case Open():
            return _open(hall, act)
        case Draw(number=number):
            return _play(hall, loto_first.Draw(number))
        case Stop():
            return _play(hall, loto_first.Stop())
        case Claim(serial=serial):
            return _play(hall, loto_first.Check(serial))
        case PlayOn():
            return _play(hall, loto_first.PlayOn())
        case Undo():
            return _undo(hall)
        case Pay(serial=serial):
            return _pay(hall, serial)
        case Close():
            return _close(_play(hall, loto_first.Close()))
        case CloseNight():
            if hall.playing is not None:
                raise NotAllowed(Reason.GAME_OPEN, f"game {hall.opened} is open: close it, then close the night")
            return replace(hall, closed=True)
        case Census() | SelfTest() | Waive():
            return _make_ready(hall, act)
        case _:
            return _remember(hall, act)


def _remember(hall: Hall, _: Note) -> Hall:
    """A note changes nothing. It is the only act left to come here: for any other, this function's type says no."""
    return hall


def _sell(hall: Hall, act: Sell) -> Hall:
    first, last = hall.coming, hall.opened + act.games
    games = hall.programme.games
    if last > len(games):
        left = len(games) - hall.opened
        raise NotAllowed(
            Reason.NO_MORE_GAMES,
            f"cards for {act.games} games: the programme has only {left} more; sell for fewer",
        )
    sales = dict(hall.sales)
    for serial in act.serials:
        if serial not in hall.pack:
            raise NotAllowed(Reason.NOT_IN_PACK, f"card {serial} is not in the pack: nothing was sold; look at the serial again")
        for sale in sales.get(serial, ()):
            if sale.last >= first:
                whose = f" to {sale.holder}" if sale.holder else ""
                raise NotAllowed(
                    Reason.SOLD_ALREADY, f"card {serial} is sold already{whose}: nothing was sold; take another card"
                )
        sales[serial] = (*sales.get(serial, ()), Sold(first, last, act.to))
    ledger = hall.ledger
    for game in range(first, last + 1):
        ledger = ledger.move(PURSES, _stakes_account(game), games[game - 1].price * len(act.serials))
    entry = json.dumps([hall.register, first, last, act.to, act.serials])
    return replace(hall, sales=sales, ledger=ledger, register=hashlib.sha256(entry.encode()).hexdigest())


def _make_ready(hall: Hall, act: Census | SelfTest | Waive) -> Hall:
    if hall.playing is not None and not isinstance(act, Waive):
        what = "knobs are counted" if isinstance(act, Census) else "the station is tested"
        raise NotAllowed(Reason.GAME_OPEN, f"game {hall.opened} is open: {what} between games")
    return replace(hall, ready=hall.ready.after(act))


def _open(hall: Hall, act: Open) -> Hall:
    if hall.playing is not None:
        raise NotAllowed(Reason.GAME_OPEN, f"game {hall.opened} is open: close it first")
    number = hall.coming
    if number > len(hall.programme.games):
        raise NotAllowed(
            Reason.NO_MORE_GAMES, f"all {len(hall.programme.games)} games of the programme are played: close the night"
        )
    if why := hall.ready.wants_census:
        raise NotAllowed(Reason.NO_CENSUS, why)
    if why := hall.ready.unfit:
        raise NotAllowed(Reason.UNFIT, why)
    if act.knobs not in (None, KNOBS):
        raise NotAllowed(
            Reason.BAG_NOT_WHOLE, f"the virtual bag has {act.knobs} different knobs, not {KNOBS}: open the game once more"
        )
    account = _stakes_account(number)
    ledger = hall.ledger.move(CARRIED, account, hall.ledger.of(CARRIED))
    holders = hall.holders(number)
    setup = loto_first.Setup(
        cards={serial: hall.pack.card(serial) for serial in holders},
        holders={serial: name for serial, name in holders.items() if name is not None},
        pool=ledger.of(account),
        stakes=hall.programme.games[number - 1].stakes,
        last_number=hall.last_number,
        register=hall.register[:16],
    )
    return replace(hall, opened=number, ledger=ledger, game=GAME.start(setup), paid=frozenset(), bag=act.bag)


def _play(hall: Hall, action: loto_first.Action) -> Hall:
    if hall.playing is None:
        raise NotAllowed(Reason.NO_GAME, "no game is open: open the next one first")
    game = GAME.apply(hall.playing, action)
    return replace(hall, game=game, ledger=_settle(hall, hall.playing.wins, game.wins))


def _settle(hall: Hall, before: tuple[loto_first.Win, ...], after: tuple[loto_first.Win, ...]) -> Ledger:
    """Moves what was newly won from the stakes to the winners, and what was taken back the other way."""
    ledger = hall.ledger
    stakes = _stakes_account(hall.opened)
    for win in before:
        if win not in after:
            ledger = ledger.move(_owed_account(win.serial), stakes, win.amount)
    for win in after:
        if win not in before:
            ledger = ledger.move(stakes, _owed_account(win.serial), win.amount)
    return ledger


def _undo(hall: Hall) -> Hall:
    game = hall.playing
    if game is not None and (paid := sorted(win.serial for win in hall.paid if win.calls == len(game.called))):
        raise NotAllowed(
            Reason.PAID, f"card {paid[0]} was paid for the last call, {game.called[-1]}: money never moves back by itself"
        )
    return _play(hall, loto_first.TakeBack())


def _pay(hall: Hall, serial: str) -> Hall:
    account = _owed_account(serial)
    amount = hall.ledger.of(account)
    wins = {win for win in hall.game.wins if win.serial == serial} if hall.game is not None else set()
    if not amount and wins <= hall.paid:
        raise NotAllowed(Reason.NOTHING_OWED, f"card {serial} is owed nothing: look at the board for who has won")
    return replace(hall, ledger=hall.ledger.move(account, PURSES, amount), paid=hall.paid | wins)


def _close(hall: Hall) -> Hall:
    account = _stakes_account(hall.opened)
    return replace(hall, ledger=hall.ledger.move(account, CARRIED, hall.ledger.of(account)))


def followed(before: Hall, after: Hall) -> dict[str, Any]:
    """What an act led to, as the journal's `then`: the stage, what was won or taken back, the state's digest."""
    then: dict[str, Any] = {"digest": after.digest()}
    game = after.game
    if game is not None:
        then["stage"] = game.stage
        then["calls"] = len(game.called)
        old = before.game.wins if before.game is not None and before.opened == after.opened else ()
        won = [[win.stage, win.serial, win.amount] for win in game.wins if win not in old]
        lost = [[win.stage, win.serial, win.amount] for win in old if win not in game.wins]
        then |= {key: value for key, value in (("won", won), ("lost", lost)) if value}
        if game.claims and (before.game is None or game.claims != before.game.claims):
            then["verdict"] = game.claims[-1].verdict
    plan = after.plan
    if game is not None and plan is not None and after.opened != before.opened:
        # All that is frozen from here on; the program's version stands in the night's first line.
        then["opening"] = {
            "game": after.opened,
            "method": plan.method,
            "stakes": plan.stakes,
            "price": plan.price,
            "pool": game.setup.pool,
            "cards": len(game.setup.cards),
            "register": after.register,
            "pack": after.pack.digest,
            "last_number": after.last_number,
        }
    if before.ready != after.ready:
        then["ready"] = after.ready.notation()
    if before.playing is not None and after.playing is None and after.ready.census is not Outcome.NONE:
        # What each knob was when the game ended; from then on all but those put away are in the bag again (H1).
        knobs = before.knobs
        then["knobs"] = {"bag": len(knobs.bag), "drawn": len(knobs.drawn), "away": len(knobs.away)}
    if before.ledger != after.ledger or after.closed:
        then["ledger"] = dict(after.ledger.balances)
    return then
