"""Show Dice Keno, its cards, checks, dice and pool, and say what happens in it. Pure.

Everybody sees all of it; purses are for the host and their owners.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.games.dice_keno.state import (
    FIVES,
    Action,
    Deal,
    GamePhase,
    Read,
    State,
    TakeBack,
    Throw,
    Variation,
)
from station.rules import seen
from station.rules.play import Played, Saying
from station.rules.seen import SeatName


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


# -- what is said: throws, the lead, Keno, the count -----------------------------------------------


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    before, state = done.before, done.after
    match done.action:
        case Deal():
            return ("cards-dealt", "dice-keno-all-throw")
        case TakeBack():
            return ("dice-keno-taken-back",)
        case Throw() | Read():
            thrown: Saying = (SeatName(before.turn), "dice-keno-throws", *state.dice)
            # the dice of a card that was counted do not lie there any more
            return (*(thrown if state.dice else ()), *_followed(before, state))
    return _won(state)


def comes(state: State) -> Saying:
    """Return what is said at the end."""
    return ("game-closed",) if state.over else ()


def _followed(before: State, state: State) -> Saying:
    """Return what is said of what a throw has led to."""
    if before.phase is GamePhase.LEADING:
        if state.phase is GamePhase.THROWING:
            return ("dice-keno-leads", SeatName(state.turn))
        return () if state.sums else ("dice-keno-tie",)
    if state.counted:
        return (*_counted(before, state), *_won(state))
    return ("dice-keno-nothing",) if passed(state) else _won(state)


def _won(state: State) -> Saying:
    if not state.winner:
        return ()
    ends = () if state.setup.variation is Variation.POINTS else ("dice-keno-ends",)
    return (*ends, SeatName(state.winner), "has-won")


def _counted(before: State, state: State) -> Saying:
    """Return the count of a card: what its winner has for it, and takes from whom; what each of the
    others has."""
    own = state.setup.total
    said: Saying = ("dice-keno-counted", SeatName(before.turn), "dice-keno-scores", own)
    for seat, got in enumerate(state.counted, 1):
        spots = before.spots(seat)
        if seat == before.turn or not spots:
            continue
        if spots % FIVES:
            said = (*said, SeatName(seat), "dice-keno-scores", got)
        else:
            said = (*said, SeatName(seat), "dice-keno-loses", spots)
    return said
