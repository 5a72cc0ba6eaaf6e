"""Show Tontine, each card and the box, and say what happens in it. Pure.

Everything lies open. While the station announces a deal card by card, it shows the table as it was
at that card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from station.games.tontine.rules import BOX, Action, GamePhase, State, TakeBack, TurnedUp
from station.rules.play import Played, Saying
from station.rules.seen import (
    Amount,
    Caption,
    CardName,
    Lead,
    Phrase,
    Pile,
    PlayingCard,
    SeatName,
    Seen,
    Viewer,
    Zone,
    outcome,
    phrase,
)


def view(state: State, _: Viewer, telling: int | None = None) -> Seen:
    """Return what everybody sees.

    Args:
        telling: which of the cards that were dealt at once is being told.
    """
    told = state if telling is None else at_card(state, telling)
    one = told.turned[-1] if told.turned else None
    return Seen(
        _text(told) if telling is None or one is None else _turned(one),
        (*_of_seats(told), *_middle(told)),
        turn=frozenset() if telling is None or one is None else frozenset({one.seat}),
        leads=0 if told.over else (told.dealer if telling is not None else told.coming.dealer),
        has=Lead.PACK,
    )


def at_card(state: State, step: int) -> State:
    """Return the state as it was at one of the cards dealt at once, counted from 0."""
    shown = len(state.cards) - state.at_once + step + 1
    if shown >= len(state.cards):
        return state
    return replace(state, cards=state.cards[:shown], phase=GamePhase.PLAYING)


def _text(state: State) -> Phrase:
    if state.winner is not None:
        return phrase("tontine-outlives", name=SeatName(state.winner))
    if state.over:
        return phrase("table-over")
    deal = state.coming
    if deal.cards:
        return phrase("tontine-next", name=SeatName(state.to_come[0]))
    return phrase("tontine-dealer", name=SeatName(deal.dealer))


def _turned(one: TurnedUp) -> Phrase:
    return phrase("tontine-turned", name=SeatName(one.seat), card=CardName(one.face))


def _of_seats(state: State) -> Iterator[Zone]:
    turned = {one.seat: one for one in state.turned}
    for seat, has in enumerate(state.lies, 1):
        if seat in turned:
            yield Zone("card", (PlayingCard(turned[seat].face),), seat)
        if state.over:
            gain = state.redeemed[seat - 1] - state.setup.stake
            yield Zone("outcome", (Caption(outcome(gain)),), seat)
            continue
        yield Zone("hand", (Pile(Amount(has)),), seat)
        if (caption := _caption(state, seat, turned.get(seat))) is not None:
            yield Zone("moved", (caption,), seat)


def _caption(state: State, seat: int, one: TurnedUp | None) -> Caption | None:
    """Return what is told of a seat: that it is dead, or alive again; else what its card moved."""
    if seat not in state.living:
        return Caption(phrase("tontine-dead"), "faint")
    if seat in state.revived:
        return Caption(phrase("tontine-revived"), "good")
    return None if one is None else Caption(moves_told(one))


def moves_told(one: TurnedUp) -> Phrase:
    """Return what a card moved."""
    if not one.due:
        return phrase("tontine-idle")
    if not one.units:
        return phrase("tontine-empty" if one.giver == BOX else "tontine-quit")
    moved = Amount(one.units)
    if one.giver == BOX:
        return phrase("tontine-takes", sum=moved)
    if one.taker == BOX:
        return phrase("tontine-puts", sum=moved)
    return phrase("tontine-gives", sum=moved, name=SeatName(one.taker))


def _middle(state: State) -> Iterator[Zone]:
    yield Zone("pool", (Pile(Amount(state.pool)),), label=phrase("tontine-box"))
    if state.turned:
        one = state.turned[-1]
        label = phrase("tontine-for", name=SeatName(one.seat))
        yield Zone("turned", (PlayingCard(one.face),), label=label)
    alive = phrase("tontine-alive", count=len(state.living))
    yield Zone("notes", (Caption(phrase("tontine-deal", number=state.deal)), Caption(alive)))


# -- what is said: cards, deaths, revivals, the winner ---------------------------------------------


def opens(state: State) -> Saying:
    """Return what is said when the game begins."""
    return ("tontine-begins", *_deals(state))


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after an action; of cards dealt at once the first."""
    state = done.after
    if isinstance(done.action, TakeBack):
        return ("tontine-taken-back",)
    if steps := recital(done):
        return steps[0]
    return (*_card(state, len(state.turned) - 1), *(comes(state) if state.dealt else ()))


def recital(done: Played[State, Action]) -> tuple[Saying, ...]:
    """Return what is said of each card that the station dealt."""
    state, last = done.after, len(done.after.turned)
    return tuple(_card(state, place) for place in range(last - state.at_once, last))


def comes(state: State) -> Saying:
    """Return what is said after a deal: who died in it, and who deals now, or who has won; or that
    all is redeemed, where the game was broken off."""
    if state.over and state.winner is None:
        return ("redeemed",)
    dead: Saying = ("tontine-dies", *map(SeatName, state.died)) if state.died else ()
    if state.winner is not None:
        return (*dead, "tontine-won", SeatName(state.winner))
    return (*dead, *_deals(state))


def _deals(state: State) -> Saying:
    return ("tontine-deals", SeatName(state.coming.dealer))


def _card(state: State, place: int) -> Saying:
    """Return what is said of a card: to whom, which, what it moves, and who lives by it again."""
    one = state.turned[place]
    had = state.turned[place - 1].hands if place else state.lay
    revives = one.units and one.taker and not had[one.taker - 1] and one.taker not in state.order
    again = ("tontine-lives",) if revives else ()
    last = ("tontine-last",) if one.empties else ()
    return (SeatName(one.seat), CardName(one.face), *_moved(one), *again, *last)


def _moved(one: TurnedUp) -> Saying:
    if not one.due:
        return ("tontine-nothing",)
    if not one.units:
        return ("tontine-box-empty" if one.giver == BOX else "tontine-none",)
    if one.giver == BOX:
        return ("tontine-from-box", Amount(one.units))
    if one.taker == BOX:
        return ("tontine-into-box", Amount(one.units))
    return ("tontine-gift", SeatName(one.taker), Amount(one.units))
