"""Apply the actions of Loto, First Method, at the table: calls, answers, shares, the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from station.base.errors import IllegalAction
from station.base.nouns import split
from station.base.said import Term, listed
from station.games.loto_parlour.actions import Answer, Reason
from station.games.loto_parlour.state import Answering, Called, GamePhase, ShareWon, State
from station.rules.prizes import Stage
from station.rules.seating import TIE_US


def draw(state: State, number: int) -> State:
    """Return the state with a knob called; where everyone answers, all who hold it cover it."""
    setup = state.setup
    if not 1 <= number <= setup.knobs:
        why = "there is no ball {number}: the bag holds 1 to {knobs}; draw another"
        raise IllegalAction(Reason.NO_KNOB, why, number=number, knobs=setup.knobs)
    if state.phase is GamePhase.WON:
        why = "all is won: put {number} back, and close the game"
        raise IllegalAction(Reason.WON, why, number=number)
    if number in state.numbers:
        place = state.numbers.index(number) + 1
        why = "{number} was called already: it was call {place} of this game; put it aside"
        raise IllegalAction(Reason.DRAWN, why, number=number, place=place)
    covers = state.holders(number) if setup.answering is Answering.EVERYONE else ()
    return _judged(replace(state, calls=(*state.calls, Called(number, covers))))


def answer(state: State, said: Answer) -> State:
    """Return the state after answers within one tie: of the seats that hold the number, the one
    nearest the dealer's left covers it, if nobody covers it yet."""
    if state.setup.answering is Answering.EVERYONE:
        why = "all who hold a number cover it in this game: nobody needs to answer; draw on"
        raise IllegalAction(Reason.NO_ANSWERS, why)
    if not state.calls:
        why = "nothing has been called yet: draw a ball, then let them answer"
        raise IllegalAction(Reason.NOTHING_CALLED, why)
    if state.phase is GamePhase.WON:
        raise IllegalAction(Reason.WON, "all is won: no answer counts any more; close the game")
    _check_answer(state, said)
    *before, call = state.calls
    holding = sorted(set(said.seats).intersection(state.holders(call.number)))
    heard = Answer(said.seats, said.micros or (0,) * len(said.seats))
    call = replace(call, covers=call.covers or tuple(holding[:1]), answers=(*call.answers, heard))
    return _judged(replace(state, calls=(*before, call)))


def _check_answer(state: State, said: Answer) -> None:
    seats, micros, number = said.seats, said.micros, state.calls[-1].number
    if not seats:
        why = "nobody is named: say which seats answered {number}"
        raise IllegalAction(Reason.NO_SEAT, why, number=number)
    if strangers := [seat for seat in seats if not 1 <= seat <= state.setup.seats]:
        why = "there is no seat {seat}: the seats are 1 to {seats}"
        raise IllegalAction(Reason.NO_SEAT, why, seat=strangers[0], seats=state.setup.seats)
    if len(set(seats)) < len(seats):
        why = "seats {seats}: one of them stands here twice; name each once"
        raise IllegalAction(Reason.ANSWERED, why, seats=listed(seats))
    if again := [seat for seat in seats if seat not in state.silent]:
        why = "seat {seat} has answered {number} already: its first answer counts"
        raise IllegalAction(Reason.ANSWERED, why, seat=again[0], number=number)
    if micros and (
        len(micros) != len(seats)
        or micros[0]
        or list(micros) != sorted(micros)
        or micros[-1] > TIE_US
    ):
        why = (
            "seats {seats} after {micros} microseconds: give one time for each, from 0 rising to"
            " {most} at most; later answers are no tie"
        )
        raise IllegalAction(
            Reason.WRONG_TIMES, why, seats=listed(seats), micros=listed(micros), most=TIE_US
        )


def _judged(state: State) -> State:
    """Return the state with every stage won that is complete now, one after the other."""
    for stage in state.unwon:
        winners = {
            seat: cards
            for seat in range(1, state.setup.seats + 1)
            if (cards := state.complete(seat, stage.key))
        }
        if not winners:
            break
        state = _awarded(state, stage, winners)
    return state if state.unwon else replace(state, phase=GamePhase.WON)


def _awarded(state: State, stage: Stage, winners: Mapping[int, tuple[str, ...]]) -> State:
    """Return the state with a stage's share split among its winners. Odd units stay in the pool for
    the next stage; those of the last go to the seat nearest the dealer's left."""
    each, odd = split(state.share_of(stage), len(winners))
    last, first = state.unwon == (stage,), min(winners)
    wins = (
        ShareWon(
            stage.key, seat, cards, each + (odd if last and seat == first else 0), len(state.calls)
        )
        for seat, cards in winners.items()
    )
    return replace(state, wins=(*state.wins, *wins))


def take_back(state: State) -> State:
    """Return the state as if the last knob had not been drawn: answers go to the one before."""
    if not state.calls:
        why = "nothing has been called yet: there is nothing to take back"
        raise IllegalAction(Reason.NOTHING_CALLED, why)
    wins = tuple(win for win in state.wins if win.calls < len(state.calls))
    return replace(state, calls=state.calls[:-1], wins=wins, phase=GamePhase.PLAYING)


def share(state: State) -> State:
    """Return the state after what is not won was shared out: it goes to those with the most covered
    numbers on one card or, where all cards of a player are needed, with the fewest uncovered on all
    of his; to nobody where no number is covered."""
    if state.phase is GamePhase.WON:
        raise IllegalAction(Reason.WON, "all is won: nothing is left to share; close the game")
    if state.bag:
        why = "{knobs} balls are in the bag: draw on, or close the game to break it off"
        raise IllegalAction(Reason.BAG_NOT_EMPTY, why, knobs=len(state.bag))
    counts = {serial: len(state.covered(serial)) for cards in state.taken for serial in cards}
    if most := max(counts.values()):
        best = {
            seat: tuple(serial for serial in cards if counts[serial] == most)
            for seat, cards in enumerate(state.taken, 1)
            if any(counts[serial] == most for serial in cards)
        }
        for stage in state.unwon:
            nearest = _nearest(state) if state.takes_all(stage.key) else best
            state = _awarded(state, stage, nearest)
    return replace(state, phase=GamePhase.SHARED)


def _nearest(state: State) -> dict[int, tuple[str, ...]]:
    """Return the seats with the fewest squares uncovered on all their cards, with those cards."""
    left = {seat: state.uncovered(seat) for seat, cards in enumerate(state.taken, 1) if cards}
    fewest = min(left.values())
    return {seat: state.taken[seat - 1] for seat, count in left.items() if count == fewest}


def close(state: State) -> State:
    """Return the state after the end: all is redeemed, and what is not won goes back."""
    if state.phase is GamePhase.PLAYING and not state.bag:
        stages = listed(Term(stage.key) for stage in state.unwon)
        why = "the bag is empty and {stages} not won: share it out, which ends the game"
        raise IllegalAction(Reason.BAG_EMPTY, why, stages=stages)
    return replace(state, phase=GamePhase.CLOSED)
