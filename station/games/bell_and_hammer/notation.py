"""Write a game of Bell and Hammer on one line, and read it back.

First come the settings, then what everybody has. A sale is `bid@bidder:turn:out`. A throw is
`thrower:marks:payments:before`, a payment `source>target=counters`, where source 0 is the pool;
`before` says whether the inn had begun, and whether the throw had been offered.
"""

from __future__ import annotations

import re
from functools import partial

from station.games.bell_and_hammer.state import (
    CARDS,
    TITLE,
    Auction,
    Fall,
    GamePhase,
    Payment,
    Setup,
    State,
)
from station.rules.notations import parsed, row, things

_STATE = re.compile(
    r"(?P<head>start=\d+ stake=\d+ price=\d+(?: nuts=1)? cubes=\S+(?: held=\S+)?)"
    r" (?P<phase>[a-z]+) pool=(?P<pool>\d+)"
    r" receipts=(?P<receipts>\d+) purses=(?P<purses>\S+) hands=(?P<hands>\S+)"
    r" owners=(?P<owners>\S+) sale=(?P<sale>\S+) turn=(?P<turn>\d+) thrower=(?P<thrower>\d+)"
    r" offered=(?P<offered>[01]) inn=(?P<inn>[01]) throws=(?P<throws>\d+) last=(?P<last>\S+)"
    r" final=(?P<final>\S+)"
)


def notation(state: State) -> str:
    """Return the state on one line."""
    return (
        f"{_head(state.setup)} {state.phase} pool={state.pool} receipts={state.receipts}"
        f" purses={row(state.purses)} hands={row(state.hands)} owners={row(state.owners)}"
        f" sale={_sale(state.auction)} turn={state.turn} thrower={state.thrower}"
        f" offered={int(state.offered)} inn={int(state.inn)} throws={state.throws}"
        f" last={_fall(state.last)} final={row(state.final)}"
    )


def _head(setup: Setup) -> str:
    nuts = " nuts=1" if setup.nuts else ""
    held = f" held={row(setup.held)}" if setup.held else ""
    money = f"start={setup.start} stake={setup.stake} price={setup.price}"
    return f"{money}{nuts} cubes={row(setup.cubes)}{held}"


def _sale(sale: Auction | None) -> str:
    return "-" if sale is None else f"{sale.bid}@{sale.bidder}:{sale.turn}:{row(sale.out)}"


def _fall(fall: Fall | None) -> str:
    if fall is None:
        return "-"
    paid = row(f"{one.source}>{one.target}={one.counters}" for one in fall.payments)
    before = f"{int(fall.inn)}{int(fall.offered)}"
    return f"{fall.thrower}:{row(fall.shown)}:{paid}:{before}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation, _possible)


def _read(setup: Setup, match: re.Match[str]) -> State:
    return State(
        setup,
        _numbers(match["purses"]),
        _numbers(match["hands"]),
        int(match["pool"]),
        GamePhase(match["phase"]),
        int(match["receipts"]),
        _numbers(match["owners"]),
        _read_sale(match["sale"]),
        int(match["turn"]),
        int(match["thrower"]),
        match["offered"] == "1",
        match["inn"] == "1",
        int(match["throws"]),
        _read_fall(match["last"]),
        _numbers(match["final"]),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, things(text)))


def _read_sale(text: str) -> Auction | None:
    if text == "-":
        return None
    bids, turn, out = text.split(":")
    bid, _, bidder = bids.partition("@")
    return Auction(int(turn), int(bid), int(bidder), _numbers(out))


def _read_fall(text: str) -> Fall | None:
    if text == "-":
        return None
    thrower, shown, paid, before = text.split(":")
    inn, offered = (mark == "1" for mark in before)
    payments = tuple(map(_read_payment, things(paid)))
    return Fall(int(thrower), tuple(things(shown)), payments, inn, offered)


def _read_payment(text: str) -> Payment:
    source, target, counters = re.split("[>=]", text)
    return Payment(int(source), int(target), int(counters))


def _possible(state: State) -> bool:
    """Return whether nobody sits outside the table, and counters and money are all there."""
    setup, seats = state.setup, range(1, state.setup.seats + 1)
    asked = (0,) if state.auction is None else (state.auction.turn, state.auction.bidder)
    inside = {*state.owners, *asked, state.turn, state.thrower} - {0, *seats}
    whole = len(state.purses) == len(state.hands) == setup.seats
    whole = whole and len(state.final) in ((setup.seats,) if state.over else (0,))
    sold = len(state.owners)
    cards = sold < len(CARDS) if state.phase is GamePhase.CARDS else sold <= len(CARDS)
    if inside or not whole or not cards:
        return False
    out, money = sum(state.hands) + state.pool, sum(state.purses) + state.receipts
    if not setup.price:
        return money + out == sum(setup.purses)
    return money == sum(setup.purses) and out == (0 if state.over else setup.seats * setup.start)
