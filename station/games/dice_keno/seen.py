"""Show Dice Keno: each one's card with its checks, the dice, points, the pool. Pure.

Everybody sees all of it; purses are for the host and their owners.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.games.dice_keno.state import GamePhase, State, Variation
from station.rules import seen


def view(state: State, viewer: seen.Viewer, telling: int | None = None) -> seen.Seen:
    """Return what a viewer sees."""
    del viewer, telling  # nothing is hidden, and nothing told step by step
    playing = not state.over and state.turn
    return seen.Seen(
        _text(state),
        (*_of_seats(state), *_middle(state)),
        turn=frozenset({state.turn} if playing else ()),
        leads=state.turn if playing else seen.ALL,
        has=seen.Lead.DICE,
    )


def _text(state: State) -> seen.Phrase:
    match state.phase:
        case GamePhase.DEALING:
            return seen.phrase("dice-keno-deal")
        case GamePhase.WON:
            return seen.phrase("dice-keno-winner", name=seen.SeatName(state.winner))
        case GamePhase.CLOSED:
            return seen.phrase("table-over")
    name = seen.SeatName(state.turn)
    if state.misread:
        return seen.phrase("dice-keno-read", name=name)
    if state.phase is GamePhase.COVERING:
        return seen.phrase("dice-keno-choose", name=name, spots=state.dice[0])
    leading = state.phase is GamePhase.LEADING
    return seen.phrase("dice-keno-lead" if leading else "dice-keno-throw", name=name)


# -- zones -----------------------------------------------------------------------------------------


def _of_seats(state: State) -> Iterator[seen.Zone]:
    for seat, name in enumerate(state.cards[: state.setup.seats], 1):
        chooses = state.phase is GamePhase.COVERING and seat == state.turn
        choice = state.free(seat, state.dice[0]) if chooses else ()
        card = seen.CheckCard(state.setup.cards[name], state.checked[seat - 1], choice)
        yield seen.Zone("cards", (card,), seat)
        if state.setup.variation is Variation.POINTS:
            points = seen.Score(state.points[seat - 1], marked=bool(state.counted))
            yield seen.Zone("points", (points,), seat)
        if state.over:
            gain = state.purses[seat - 1] - state.setup.purses[seat - 1]
            said = seen.outcome(gain, in_money=state.setup.in_money)
            yield seen.Zone("outcome", (seen.Caption(said),), seat)
        else:
            yield from _answer(state, seat)


def _answer(state: State, seat: int) -> Iterator[seen.Zone]:
    """Yield what a seat has just thrown or got."""
    said = None
    if state.counted:
        won = seat == state.turn
        said = seen.Caption(
            seen.phrase("dice-keno-got", points=state.counted[seat - 1]), "good" if won else ""
        )
    elif seat in state.rivals[: len(state.sums)]:
        sum_ = state.sums[state.rivals.index(seat)]
        said = seen.Caption(seen.phrase("dice-keno-thrown", sum=sum_))
    elif state.fresh and passed(state) and seat == state.after(state.turn, -1):
        said = seen.Caption(seen.phrase("dice-keno-passes"), "faint")
    if said is not None:
        yield seen.Zone("answer", (said,), seat)


def passed(state: State) -> bool:
    """Return whether the last throw had nothing to cover."""
    return state.phase is GamePhase.THROWING and not state.laid


def _middle(state: State) -> Iterator[seen.Zone]:
    if state.dice:
        yield seen.Zone("dice", tuple(map(seen.Die, state.dice)))
    if state.setup.stake:
        pile = seen.Pile(seen.Amount(state.pool, in_money=state.setup.in_money))
        yield seen.Zone("pool", (pile,), label=seen.phrase("pool"))
    note = seen.phrase(f"dice-keno-{state.setup.variation}", goal=state.setup.goal)
    yield seen.Zone("notes", (seen.Caption(note),))
