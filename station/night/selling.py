"""Sell cards, take them back, and count the takings: an act is done whole or not at all. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace

from station.base.errors import NotAllowed
from station.base.nouns import PURSES, Ledger
from station.base.said import Sentence, Sum, Value, row, said
from station.cards.pack import NO_CARDS, Pack
from station.night.acts import CountCash, Return, Sell, act_to_json
from station.night.hall_state import Hall, HallReason
from station.night.register import UNNAMED, VOUCHERS, Lot, Run, Sales, Tickets, stakes_account

SOLD, GIVEN_BACK = said("sold"), said("given back")
NOBODY = said("no name")


def sell(hall: Hall, act: Sell) -> Hall:
    """Return the night after a sale for the coming games.

    Raises:
        NotAllowed: a card is unknown or sold already, the programme has fewer games, or vouchers do
            not fit the price.
    """
    first, last = hall.coming, hall.opened + act.games
    if last > len(hall.programme.games):
        left = len(hall.programme.games) - hall.opened
        raise NotAllowed(
            HallReason.NO_MORE_GAMES,
            "cards for {games} games: the programme has only {left} more; sell for fewer",
            games=act.games,
            left=left,
        )
    if all(plan.at_table for plan in hall.programme.games[first - 1 : last]):
        raise NotAllowed(
            HallReason.AT_TABLE,
            "game {first} is played at the table: no card is sold for it, the company sits down"
            " instead",
            first=first,
        )
    runs = _runs(hall.pack, act, SOLD)
    for run in runs:
        for piece in hall.sales.pieces(run)[:1]:
            serial, to = hall.pack.serials[piece.start], piece.holder
            sold = said("card {serial} is sold already", serial=serial)
            if to:
                sold = said("card {serial} is sold already to {holder}", serial=serial, holder=to)
            raise NotAllowed(
                HallReason.SOLD_ALREADY, "{sold}: nothing was sold; take another card", sold=sold
            )
    lots = [Lot(start, stop, first, last, act.to, act.by) for start, stop in runs]
    count = sum(map(len, lots)) + act.tickets
    prices = {game: hall.programme.games[game - 1].price * count for game in range(first, last + 1)}
    ledger = _paid(hall.ledger, prices, act.vouchers)
    sales = hall.sales.sold(lots, Tickets(act.tickets, last, act.by))
    sales = sales.with_seller(act.by, sold=sum(prices.values()), vouchers=act.vouchers)
    return replace(hall, ledger=ledger, sales=_entered(sales, act, first, last))


def give_back(hall: Hall, act: Return) -> Hall:
    """Return the night after cards came back: their price for games to come is paid in cash.

    Of tickets, those that were sold last come back first.

    Raises:
        NotAllowed: a card is not sold for a game to come, or another seller sold it.
    """
    pieces = []
    for run in _runs(hall.pack, act, GIVEN_BACK):
        if (gap := hall.sales.gap(run)) is not None:
            raise NotAllowed(
                HallReason.NOT_SOLD,
                "card {serial} is not sold for a game to come: nothing was given back; a game"
                " that is open keeps its cards",
                serial=hall.pack.serials[gap],
            )
        pieces += hall.sales.pieces(run)
    for piece in pieces:
        if piece.seller != act.by:
            names: dict[str, Value] = {"serial": hall.pack.serials[piece.start]}
            if piece.seller is None:
                raise NotAllowed(
                    HallReason.OTHER_SELLER,
                    "card {serial} was sold without a seller's name: leave the seller out to"
                    " return it",
                    **names,
                )
            raise NotAllowed(
                HallReason.OTHER_SELLER,
                "card {serial} was sold by {seller}: return it in that seller's name",
                **names,
                seller=piece.seller,
            )
    left, taken = _without_tickets(hall, act)
    ledger, total = hall.ledger, 0
    for count, last in (*((len(piece), piece.last) for piece in pieces), *taken):
        for game in range(hall.coming, last + 1):
            units = hall.programme.games[game - 1].price * count
            ledger, total = ledger.move(stakes_account(game), PURSES, units), total + units
    sales = hall.sales.returned(pieces, left).with_seller(act.by, returned=total)
    return replace(hall, ledger=ledger, sales=_entered(sales, act, hall.coming, hall.coming))


def count_cash(hall: Hall, act: CountCash) -> Hall:
    """Return the night after the takings of a seller, or those without a seller's name, were
    counted; no money moves for a difference.

    What was missing may still be handed in: the next count makes the difference anew.

    Raises:
        NotAllowed: nobody of that name sold anything.
    """
    seller = hall.sellers.get(act.by or UNNAMED)
    if seller is None:
        names = row([name or NOBODY for name in sorted(hall.sellers)] or [said("none so far")])
        if act.by is None:
            raise NotAllowed(
                HallReason.NO_SELLER,
                "nothing was sold tonight without a seller's name; sellers are: {names}",
                names=names,
            )
        raise NotAllowed(
            HallReason.NO_SELLER,
            "{by} has sold nothing tonight; sellers are: {names}",
            by=act.by,
            names=names,
        )
    more = act.amount - seller.since
    sales = hall.sales.with_seller(act.by, counted=act.amount, difference=more)
    return replace(hall, sales=sales)


def _paid(ledger: Ledger, prices: dict[int, int], vouchers: int) -> Ledger:
    price, out = sum(prices.values()), ledger.of(VOUCHERS)
    if vouchers > min(price, out):
        why = (
            said("the cards cost {price}: a voucher gives no change", price=Sum(price))
            if vouchers > price
            else said("vouchers for {out} are out", out=Sum(out))
        )
        raise NotAllowed(
            HallReason.VOUCHERS,
            "{sum} in vouchers, and {why}; nothing was sold; take fewer vouchers",
            sum=Sum(vouchers),
            why=why,
        )
    for game, units in prices.items():
        part = min(units, vouchers)
        vouchers -= part
        ledger = ledger.after(
            ((VOUCHERS, stakes_account(game), part), (PURSES, stakes_account(game), units - part))
        )
    return ledger


def _runs(pack: Pack, act: Sell | Return, done: Sentence) -> list[Run]:
    """Return the cards of an act as runs of places, ascending, each as long as possible."""
    runs: list[Run] = []
    for start, stop in sorted(_places(pack, act, done)):
        if runs and start < runs[-1][1]:
            raise NotAllowed(
                HallReason.SOLD_ALREADY if done is SOLD else HallReason.NOT_SOLD,
                "card {serial} stands there twice: nothing was {done}; take another card, or name"
                " it once",
                serial=pack.serials[start],
                done=done,
            )
        if runs and start == runs[-1][1]:
            runs[-1] = (runs[-1][0], stop)
        else:
            runs.append((start, stop))
    return runs


def _places(pack: Pack, act: Sell | Return, done: Sentence) -> Iterator[Run]:
    def place(serial: str) -> int:
        if not len(pack):
            raise NotAllowed(
                HallReason.NOT_IN_PACK,
                "card {serial} is not here, nothing was {done}: {no_cards}",
                serial=serial,
                done=done,
                no_cards=NO_CARDS,
            )
        if serial not in pack:
            raise NotAllowed(
                HallReason.NOT_IN_PACK,
                "card {serial} is not in the pack: nothing was {done}; look at the serial again",
                serial=serial,
                done=done,
            )
        return pack.place(serial)

    for serial in act.serials:
        yield place(serial), place(serial) + 1
    for first, last in act.ranges:
        if place(first) > place(last):
            raise NotAllowed(
                HallReason.BACKWARDS,
                "{first}-{last}: the range runs backwards, nothing was {done}; write"
                " {last}-{first}",
                first=first,
                last=last,
                done=done,
            )
        yield place(first), place(last) + 1


def _without_tickets(hall: Hall, act: Return) -> tuple[list[Tickets], list[tuple[int, int]]]:
    """Return the tickets that are left, and of those that came back: how many, up to which game."""
    left, taken, wanted = list(hall.sales.tickets), [], act.tickets
    for at, some in reversed(list(enumerate(left))):
        if some.seller == act.by and wanted:
            count = min(some.count, wanted)
            wanted -= count
            taken.append((count, some.last))
            left[at] = replace(some, count=some.count - count)
    if wanted:
        raise NotAllowed(
            HallReason.NOT_SOLD,
            "tickets sold by {seller} for games to come: {sold}, not {tickets}; nothing was"
            " returned, count them again",
            tickets=act.tickets,
            seller=act.by or NOBODY,
            sold=act.tickets - wanted,
        )
    return [some for some in left if some.count], taken


def _entered(sales: Sales, act: Sell | Return, first: int, last: int) -> Sales:
    """Return the sales with the act in the register's digest."""
    says: list[object] = [act_to_json(act)]
    wholesale = not isinstance(act, Sell) or bool(act.ranges or act.tickets or act.vouchers)
    if isinstance(act, Sell) and not wholesale:
        # As it was when a sale had only serials: the records of that time must come out the same.
        says = [act.to, act.serials]
    entry = json.dumps([sales.digest, first, last, *says])
    digest = hashlib.sha256(entry.encode()).hexdigest()
    return replace(sales, digest=digest, wholesale=sales.wholesale + wholesale)
