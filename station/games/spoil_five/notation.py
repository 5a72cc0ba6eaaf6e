"""Write a game of Spoil-Five on one line, and read it back.

First come what was agreed on and the pack. Then what lay where when this deal began, the cards as
they were dealt, and all that was done with them: the hand is played again when it is read. What
lies where now follows from that, is written for whoever reads the line, and has to agree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from station.base.errors import IllegalAction
from station.base.playing_cards import PACK
from station.games.spoil_five import hand as of_hand
from station.games.spoil_five.actions import DealCard
from station.games.spoil_five.hand import A_TRICK, CARDS, SpoilHand
from station.games.spoil_five.state import TITLE, Due, Setup, State
from station.rules.notations import parsed, row, things

_STATE = re.compile(
    r"(?P<head>stake=\S+ how=\S+ pack=\S+ brought=\S+) (?P<closed>open|closed)"
    r" deal=(?P<deal>[0-9]+) dealer=(?P<dealer>[0-9]+) due=(?P<due>[0-2]) lay=(?P<lay>\S+)"
    r" laid=(?P<laid>[0-9]+) points=(?P<points>\S+) won=(?P<won>[0-9]+)"
    r" misdealt=(?P<misdealt>[01]) cards=(?P<cards>\S+) done=(?P<done>\S+)"
    r" trump=\S+ pool=\S+ hands=\S+ purses=\S+"
)


def notation(state: State) -> str:
    """Return the state on one line."""
    hand = state.hand
    cards, done, trump = state.dealing, tuple[str, ...](), "-"
    if hand is not None:
        cards, done, trump = hand.cards[: hand.out], hand.said, hand.trump
    return (
        f"{_head(state.setup)} {'closed' if state.closed else 'open'} deal={state.deal}"
        f" dealer={state.dealer} due={int(state.due)} lay={row(state.lay)} laid={state.pool_lay}"
        f" points={row(state.points)} won={state.won} misdealt={int(state.misdealt)}"
        f" cards={row(cards)} done={row(done)}"
        f" trump={trump} pool={state.pool} hands={row(state.hands)} purses={row(state.purses)}"
    )


def _head(setup: Setup) -> str:
    how = setup.how
    pack = len(PACK) if setup.pack == PACK else row(setup.pack)
    agreed = (
        how.wins,
        f"{how.sides}-sides",
        how.robbing,
        *("natural",) * how.natural,
        *("fiving",) * how.fiving,
        *("jinking",) * how.jinking,
        *("again",) * how.deals_again,
        *("real",) * how.real,
    )
    return (
        f"stake={setup.counters}*{setup.value}/{setup.into_pool}*{setup.pools}"
        f" how={row(agreed, '+')} pack={pack} brought={row(setup.purses)}"
    )


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation)


def _read(setup: Setup, match: re.Match[str]) -> State:
    state = State(
        setup,
        lay=tuple(map(int, things(match["lay"]))),
        pool_lay=int(match["laid"]),
        points=tuple(map(int, things(match["points"]))),
        dealer=int(match["dealer"]),
        won=int(match["won"]),
        due=Due(int(match["due"])),
        deal=int(match["deal"]),
        misdealt=match["misdealt"] == "1",
    )
    # Looked at before anything is worked out of it.
    if not _begun(state):
        raise ValueError("it cannot occur")
    done = things(match["done"])
    cards = tuple(things(match["cards"]))
    if setup.how.real and 0 < len(cards) <= CARDS * setup.seats:
        if done or state.misdealt or len({*cards} & {*setup.pack}) < len(cards):
            raise ValueError("these cards cannot be dealt")
        state = replace(state, dealing=cards)
    elif cards:
        state = replace(state, hand=_played(state, cards, done))
    elif done:
        raise ValueError("nothing was dealt")
    return replace(state, closed=match["closed"] == "closed")


def _begun(state: State) -> bool:
    """Return whether a deal can begin so: no counter made or lost, points that leave the game
    undecided; and the first deal as it always begins."""
    setup, seats, target = state.setup, state.setup.seats, state.setup.how.target
    again = state.due is Due.EXTRA and setup.how.deals_again
    return (
        len(state.lay) == seats
        and sum(state.lay) + state.pool_lay == setup.counters * seats
        and 1 <= state.dealer <= seats
        and len(state.points) == setup.sides
        and all(has < max(target, 1) and has % A_TRICK == 0 for has in state.points)
        and state.won < setup.pools
        and state.deal > 0
        and (again or not state.misdealt)
        and (state.deal > 1 or state.dealer == seats)
    )


def _played(state: State, cards: tuple[str, ...], done: list[str]) -> SpoilHand:
    """Return the hand after all that was done with these cards."""
    setup = state.setup
    real, left = setup.how.real, len(setup.pack) - len(cards)
    out = CARDS * setup.seats + 1 if real else len(setup.pack)
    whole = len(cards) == out and len({*cards} & {*setup.pack}) == out
    if not whole or state.misdealt:
        raise ValueError("these cards cannot be dealt")
    hand = of_hand.dealt(setup.how, state.dealer, state.points, setup.seats, cards, left)
    for text in done:
        if hand.over:
            raise ValueError("more is done than can be")
        try:
            action = of_hand.from_short(hand, text)
            if isinstance(action, DealCard) and action.card[0] not in state.setup.pack:
                raise ValueError("there is no such card")
            if isinstance(action, DealCard) and action.card[0] in hand.cards:
                raise ValueError("that card is out")
            hand = of_hand.apply(hand, action)
        except IllegalAction as error:
            raise ValueError(str(error)) from error
    return hand
