"""Write a game of My Bird Sings on one line, and read it back.

First come what was agreed on, and the pack. Then pool and purses, the deal, and each player's hand
between bars, the stock, what is laid aside, and the songs, each with its seat before it.
"""

from __future__ import annotations

import re
from functools import partial

from station.base.playing_cards import PACK, SHORT_PACK
from station.games.my_bird_sings.state import (
    ROUNDS_BEFORE,
    TITLE,
    GamePhase,
    Passing,
    Setup,
    Song,
    State,
)
from station.rules.notations import parsed, row, things

_STATE = re.compile(
    r"(?P<head>passing=\S+ songs=\S+ pack=\S+ brought=\S+) (?P<phase>[a-z]+) deal=(?P<deal>[0-9]+)"
    r" dealer=(?P<dealer>[0-9]+) hands=(?P<hands>\S+) stock=(?P<stock>\S+) aside=(?P<aside>\S+)"
    r" laid=(?P<laid>\S+) turn=(?P<turn>[0-9]+)(?P<flags>(?: [a-z]+)*) rounds=(?P<rounds>[0-9]+)"
    r" since=(?P<since>[0-9]+) asked=(?P<asked>\S+) sung=(?P<sung>\S+) pool=(?P<pool>[0-9]+)"
    r" purses=(?P<purses>\S+)(?: owed=(?P<owed>\S+) out=(?P<out>\S+))?"
)
_FLAGS = ("received", "exchanged", "turned")


def notation(state: State) -> str:
    """Return the state on one line."""
    flags = "".join(f" {name}" for name in _FLAGS if getattr(state, name))
    return (
        f"{_head(state.setup)} {state.phase} deal={state.deal} dealer={state.dealer}"
        f" hands={row(map(row, state.hands), '|')} stock={row(state.stock)}"
        f" aside={row(state.aside)} laid={_songs(state.laid)} turn={state.turn}{flags}"
        f" rounds={state.rounds} since={state.since} asked={row(state.asked)}"
        f" sung={_songs(state.sung)} pool={state.pool} purses={row(state.purses)}"
        + (f" owed={row(state.owed)} out={state.out or '-'}" if state.setup.real else "")
    )


def _head(setup: Setup) -> str:
    songs = [name for name in ("flushes", "three_cards", "tricks", "real") if getattr(setup, name)]
    known = setup.pack in (PACK, SHORT_PACK)
    pack = len(setup.pack) if known else row(setup.pack)
    return f"passing={setup.passing} songs={row(songs)} pack={pack} brought={row(setup.purses)}"


def _songs(songs: tuple[Song, ...]) -> str:
    return row((f"{song.seat}:{row(song.cards)}" for song in songs), "|")


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation)


def _read(setup: Setup, match: re.Match[str]) -> State:
    flags = match["flags"].split()
    state = State(
        setup,
        pool=int(match["pool"]),
        purses=tuple(map(int, things(match["purses"]))),
        dealer=int(match["dealer"]),
        deal=int(match["deal"]),
        hands=() if match["hands"] == "-" else tuple(map(_faces, match["hands"].split("|"))),
        stock=_faces(match["stock"]),
        aside=_faces(match["aside"]),
        laid=_read_songs(match["laid"]),
        turn=int(match["turn"]),
        received="received" in flags,
        exchanged="exchanged" in flags,
        turned="turned" in flags,
        rounds=int(match["rounds"]),
        since=int(match["since"]),
        asked=tuple(map(int, things(match["asked"]))),
        sung=_read_songs(match["sung"]),
        owed=tuple(map(int, things(match["owed"] or "-"))),
        out=(match["out"] or "-").replace("-", ""),
        phase=GamePhase(match["phase"]),
    )
    if setup.real != (match["owed"] is not None) or not _owes(state):
        raise ValueError("it cannot occur")
    if not (_counted(state) and _begun(state) and _seated(state) and _sings(state)):
        raise ValueError("it cannot occur")
    return state


def _faces(text: str) -> tuple[str, ...]:
    return tuple(things(text))


def _read_songs(text: str) -> tuple[Song, ...]:
    songs = [] if text == "-" else [song.partition(":") for song in text.split("|")]
    return tuple(Song(int(seat), _faces(cards)) for seat, _, cards in songs)


def _counted(state: State) -> bool:
    """Return whether no counter is made or lost, and each card is there once, or none is dealt."""
    setup, laid = state.setup, (face for song in state.laid for face in song.cards)
    held = (face for hand in state.hands for face in hand)
    cards = sorted((*held, *state.stock, *state.aside, *laid))
    whole = sorted(setup.pack) if state.hands else []
    if setup.real:
        whole = sorted({*cards} & {*setup.pack})
    return (
        len(state.purses) == setup.seats
        and min(state.purses, default=-1) >= 0
        and sum(state.purses) + state.pool == sum(setup.purses)
        and cards == whole
    )


def _owes(state: State) -> bool:
    """Return whether real cards are owed to seats that there are, and can come."""
    seats = range(1, state.setup.seats + 1)
    return (
        all(seat in seats for seat in state.owed)
        and not (state.owed and (state.over or not state.hands or state.left < 0))
        and (not state.out or (state.out in state.aside and state.owed == (state.turn,)))
        and not (state.setup.real and state.stock)
    )


def _begun(state: State) -> bool:
    """Return whether a deal can begin so; before its cards are out nothing is played."""
    plain = State(
        state.setup, state.pool, state.purses, state.dealer, state.deal, phase=state.phase
    )
    return (
        1 <= state.dealer <= state.setup.seats
        and state.deal > 0
        and (bool(state.hands) or state == plain)
        and (not state.hands or len(state.hands) == state.setup.seats)
        and (state.phase is not GamePhase.WON or bool(state.hands))
        and (state.over or state.pool > state.setup.seats)
        and not (state.over and state.pool)
    )


def _seated(state: State) -> bool:
    """Return whether turns and questions go to seats that there are, at a time when they can."""
    seats = range(1, state.setup.seats + 1)
    return (
        (state.turn in seats) == bool(state.hands)
        and state.asked == tuple(seat for seat in state.order if seat in state.asked)
        and not (state.turned and (state.setup.passing is Passing.THROW_OUT or state.asked))
        and not (state.over and (state.asked or state.turned))
        and state.since <= max(ROUNDS_BEFORE, state.rounds + 1)
    )


def _sings(state: State) -> bool:
    """Return whether what was sung are songs, of cards that were there."""
    songs = (*state.laid, *state.sung)
    return (
        all(1 <= song.seat <= state.setup.seats for song in songs)
        and all(state.setup.sings(song.cards) for song in songs)
        and all({*song.cards} <= {*state.hands[song.seat - 1]} for song in state.sung)
        and (bool(state.asked) or not state.sung)
        and (state.phase is not GamePhase.WON or state.setup.tricks or len(state.laid) == 1)
        and (state.setup.tricks or state.over or not state.laid)
    )
