"""Apply the actions of Dice Keno: the deal, throws, checks, the count, what is taken back."""

from __future__ import annotations

from dataclasses import replace

from station.base.errors import IllegalAction
from station.base.said import listed
from station.games.dice_keno.actions import Reason
from station.games.dice_keno.state import FIVES, GamePhase, State, Variation


def deal(state: State, cards: tuple[str, ...]) -> State:
    """Return the state with the cards dealt; everybody throws for the lead."""
    setup = state.setup
    if state.phase is not GamePhase.DEALING:
        why = "the cards are dealt, and kept until somebody has won: throw the dice"
        raise IllegalAction(Reason.DEALT, why)
    if sorted(cards) != sorted(setup.cards):
        why = "these are not the {count} cards of the game, each once: deal them again"
        raise IllegalAction(Reason.WRONG_CARDS, why, count=len(setup.cards))
    seats = range(1, setup.seats + 1)
    return replace(
        state,
        phase=GamePhase.LEADING,
        cards=cards,
        rivals=tuple(seats),
        turn=1,
        checked=((),) * setup.seats,
        points=(0,) * setup.seats,
    )


def throw(state: State, dice: tuple[int, ...]) -> State:
    """Return the state after a throw. What leaves no choice is covered at once."""
    _check_throw(state, dice)
    state = replace(state, dice=dice, laid=(), counted=(), fresh=True, misread=False)
    if state.phase is GamePhase.LEADING:
        return _for_lead(replace(state, sums=(*state.sums, sum(dice))))
    if state.setup.variation is Variation.ROW:
        places = state.free(state.turn, dice[0])
        if len(places) > 1:
            return replace(state, phase=GamePhase.COVERING)
        return _laid(state, places)
    # Any free square of a number is as good as another here: the first one is taken.
    found: list[int] = []
    for face in dice:
        left = [place for place in state.free(state.turn, face) if place not in found]
        found += left[:1]
    return _laid(state, tuple(found))


def _check_throw(state: State, dice: tuple[int, ...]) -> None:
    if state.phase is GamePhase.DEALING:
        raise IllegalAction(Reason.NOT_DEALT, "the cards are not dealt yet: deal them first")
    if state.phase is GamePhase.COVERING:
        why = "seat {seat} has thrown and chooses a square: cover it, then throw on"
        raise IllegalAction(Reason.TO_COVER, why, seat=state.turn)
    faces, count = state.setup.faces, state.thrown
    if len(dice) != count or not all(type(one) is int and 1 <= one <= faces for one in dice):
        why = "dice that are thrown here: {count}; each shows 1 to {faces}: read them again"
        raise IllegalAction(Reason.WRONG_DICE, why, count=count, faces=faces)


def _for_lead(state: State) -> State:
    """Return the state after a throw for the lead: of those who tie for the highest sum each throws
    again."""
    if len(state.sums) < len(state.rivals):
        return replace(state, turn=state.rivals[len(state.sums)])
    highest = max(state.sums)
    best = tuple(
        seat for seat, sum_ in zip(state.rivals, state.sums, strict=True) if sum_ == highest
    )
    if len(best) > 1:
        return replace(state, rivals=best, sums=(), turn=best[0], fresh=False)
    return replace(state, phase=GamePhase.THROWING, rivals=(), sums=(), turn=best[0], fresh=False)


def cover(state: State, place: int) -> State:
    """Return the state with the check laid on the square that the thrower chose."""
    if state.phase is not GamePhase.COVERING:
        why = "nobody is to choose a square now: throw first"
        raise IllegalAction(Reason.NOT_TO_COVER, why)
    free = state.free(state.turn, state.dice[0])
    if place not in free:
        why = "square {place} is covered, or has not the number {face}: choose one of {free}"
        raise IllegalAction(
            Reason.WRONG_PLACE, why, place=place, face=state.dice[0], free=listed(free)
        )
    return _laid(state, (place,))


def _laid(state: State, places: tuple[int, ...]) -> State:
    """Return the state with these squares covered: somebody has won, or the next one throws."""
    seat = state.turn
    checked = tuple(
        tuple(sorted((*have, *places))) if one == seat else have
        for one, have in enumerate(state.checked, 1)
    )
    state = replace(state, phase=GamePhase.THROWING, checked=checked, laid=places)
    if not state.complete(seat):
        return replace(state, turn=state.after(seat))
    if state.setup.variation is Variation.POINTS:
        return _counted(state)
    return replace(state, phase=GamePhase.WON, winner=seat, fresh=False)


def _counted(state: State) -> State:
    """Return the state with the card counted: the first to cover it has its sum, and what others
    have covered that ends in 0 or 5; each of the others has what he has covered himself."""
    spots = [state.spots(seat) for seat in range(1, state.setup.seats + 1)]
    taken = sum(have for seat, have in enumerate(spots, 1) if seat != state.turn and _fives(have))
    kept = tuple(
        have + taken if seat == state.turn else 0 if _fives(have) else have
        for seat, have in enumerate(spots, 1)
    )
    points = tuple(had + more for had, more in zip(state.points, kept, strict=True))
    state = replace(state, points=points, counted=kept, fresh=False)
    most = max(points)
    if most >= state.setup.goal and points.count(most) == 1:
        winner = points.index(most) + 1
        return replace(state, phase=GamePhase.WON, winner=winner)
    return replace(state, checked=((),) * len(points), dice=(), laid=())


def _fives(spots: int) -> bool:
    return spots % FIVES == 0


def take_back(state: State) -> State:
    """Return the state before the last throw, which was misread; its dice are read again."""
    if not state.fresh:
        why = (
            "no throw can be taken back now: only the last one can, until it has decided the lead"
            " or a card"
        )
        raise IllegalAction(Reason.NO_THROW, why)
    back = replace(state, dice=(), laid=(), fresh=False, misread=True)
    if state.phase is GamePhase.LEADING:
        place = len(state.sums) - 1
        return replace(back, sums=state.sums[:-1], turn=state.rivals[place])
    if state.phase is GamePhase.COVERING:
        return replace(back, phase=GamePhase.THROWING)
    seat = state.after(state.turn, -1)
    checked = tuple(
        tuple(place for place in have if place not in state.laid) if one == seat else have
        for one, have in enumerate(state.checked, 1)
    )
    return replace(back, checked=checked, turn=seat)


def close(state: State) -> State:
    """Return the state with the game broken off: the stakes go back."""
    return replace(state, phase=GamePhase.CLOSED, fresh=False, misread=False)
