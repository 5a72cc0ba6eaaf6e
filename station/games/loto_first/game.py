"""Play Loto, First Method, in a hall: draw knobs until a card has what is played for.

Source: the rule book's "First Method". The station is the dealer: it draws, calls and does not
play. All who hold a number cover it (answering `everyone`), so what lies on a card follows from the
numbers called and is not part of the state.

The book's stakes are `whole`, the pool goes to the first full card; and `quarters`, a quarter to
the first full row, a quarter to the first two full rows on one card, the remaining half to the
first full card. A hall may play for any other stages (`Stage`): a pattern, and what it wins in
money, a thing, or both; one after the other, or all at once as in tambola.

Where the book is silent, this is how a careful host decides (**Decision**):

- A quarter is rounded down; the odd units go with the last half.
- Any one full card wins, also where a player has several.
- A player must claim. A claim stops the draw; the card is valid when its pattern is complete and
  was completed by the last number called (with `last_number` off: when its pattern is complete).
  All who complete on the same number are gathered.
- A share is split evenly, once per player however many of his cards completed. A card sold to
  nobody by name is a player of its own. The odd remainder joins the first stage with money that
  nobody has won yet; in the last such share it goes to the winner with the lowest serial (as people
  count: 9 before 10), or stays in the pool where the hall's rules say so.
- A thing cannot be split: each of its winners draws a knob, the highest has it. This may be done
  after the game, too.
- In turn, whoever has won a stage may go on with the same row to the next, from the ambo to the
  terno. Some companies forbid it.
- At once, a card may win several stages on one number. Of two stages with the same pattern (a
  second house) the later is open when the earlier is won, and a card that has won the one cannot
  win the other.
- The jackpot is for the winners of the last stage, and is split as a share is.
- A card from elsewhere, a *ticket*, claims by its numbers, just those of the pattern or the whole
  ticket. Where these may stand for several open stages, the checker says for which. Two tickets are
  the same one where all numbers of the one are among those of the other: it wins a stage once,
  however it is keyed.
- The last call may be taken back with all that followed from it: claims, shares won on it and lots
  drawn for these.
- When the bag is empty and nobody claims, the game is closed; what nobody won stays in the pool and
  is carried over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol, runtime_checkable

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS, SERIAL, number_list
from station.base.said import Sentence, Term, either, listed, row, said
from station.base.tongue import key
from station.games.loto_first import notation as loto_first_notation
from station.games.loto_first.claims import (
    awards,
    fitting,
    is_same_ticket,
    judge,
    judge_ticket,
    settled,
    wants,
)
from station.rules.abilities import SellsCards
from station.rules.game import unknown
from station.rules.patterns import FULL, JACKPOT, ROW, TWO_ROWS
from station.rules.prizes import (
    ANY_CARD,
    ANY_TICKET,
    Award,
    CallNumber,
    Check,
    CheckTicket,
    Claim,
    DecideLots,
    Division,
    EndGame,
    Lots,
    PrizeAction,
    PrizeReason,
    PrizeSetup,
    PrizeState,
    Stage,
    Stop,
    TakeBackCall,
    Ticket,
    divided,
)
from station.rules.seating import check_numbers


class Stakes(StrEnum):
    """The rule book's ways to win the pool."""

    QUARTERS = "quarters"
    WHOLE = "whole"


# The pool goes to the first full card; or a quarter to a row, a quarter to two rows, the rest to
# the full card.
STAKES: Mapping[str, Division] = {
    Stakes.QUARTERS: ((ROW, 25), (TWO_ROWS, 25), (FULL, None)),
    Stakes.WHOLE: ((FULL, None),),
}


# -- the game: draws, claims, shares, the end ------------------------------------------------------

STAGE_KEY = re.compile(r"[a-z][a-z0-9-]{0,39}")  # a pattern's key, and maybe a number


@runtime_checkable
class Counted(Protocol):
    """Cards that know which numbers they all bear, so that a million need no look at each."""

    def highest(self) -> int:
        """Return the highest number on any card; 0 without cards. No number is below 1."""


def _draw(state: PrizeState, number: int) -> PrizeState:
    knobs = state.setup.knobs
    if not 1 <= number <= knobs:
        why = "there is no ball {number}: the bag holds 1 to {knobs}"
        raise IllegalAction(PrizeReason.NO_KNOB, why, number=number, knobs=knobs)
    if state.stopped:
        why = "the game is stopped for a claim: settle it, then draw"
        raise IllegalAction(PrizeReason.CLAIM_OPEN, why)
    if state.stage is None:
        why = "all prizes of this game are won: close it, then open the next"
        raise IllegalAction(PrizeReason.WON, why)
    if number in state.called:
        place = state.called.index(number) + 1
        why = "{number} was called already: it was call {place} of this game; put it aside"
        raise IllegalAction(PrizeReason.DRAWN, why, number=number, place=place)
    return replace(state, called=(*state.called, number))


def _check(state: PrizeState, serial: str) -> PrizeState:
    if not SERIAL.fullmatch(serial):
        why = (
            "'{serial}' is not a card's serial: use 1 to 64 letters, digits and "
            "signs; look at the card"
        )
        raise IllegalAction(PrizeReason.NO_SERIAL, why, serial=serial)
    _may_claim(state, said("card {serial}", serial=serial))
    if any(claim.serial == serial for claim in state.claims):
        why = "card {serial} was checked already at this stop: its verdict stands"
        raise IllegalAction(PrizeReason.ALREADY_CHECKED, why, serial=serial)
    return replace(
        state, stopped=True, claims=(*state.claims, Claim(serial, *judge(state, serial)))
    )


def _may_claim(state: PrizeState, what: Sentence) -> None:
    if state.stage is None:
        why = "{what}: all prizes of this game are won; a prize once won cannot be claimed later"
        raise IllegalAction(PrizeReason.WON, why, what=what)
    if not state.called:
        why = "{what}: nothing has been called yet"
        raise IllegalAction(PrizeReason.NOTHING_CALLED, why, what=what)


def _check_ticket(state: PrizeState, action: CheckTicket) -> PrizeState:
    setup, numbers = state.setup, tuple(sorted(action.numbers))
    if not setup.takes_tickets:
        why = "no tickets from elsewhere are played in this game: check the card by its serial"
        raise IllegalAction(PrizeReason.NO_TICKETS, why)
    _may_claim(state, said("the ticket"))
    if not 1 <= len(numbers) <= CARD_LENGTH or len(set(numbers)) < len(numbers):
        why = "a ticket has 1 to {most} numbers, each once: key them again"
        raise IllegalAction(PrizeReason.NOT_A_TICKET, why, most=CARD_LENGTH)
    if not 1 <= numbers[0] <= numbers[-1] <= setup.knobs:
        why = "a ticket's numbers are from 1 to {knobs}: key them again"
        raise IllegalAction(PrizeReason.NOT_A_TICKET, why, knobs=setup.knobs)
    stages = _stages_of_ticket(state, len(numbers), action.stage)
    for claim in state.claims:
        # A player who has won one stage with these numbers may win another with them. A ticket that
        # was not valid may be keyed in again, with more numbers.
        won = any(stage.key in claim.stages for stage in stages)
        if (won and is_same_ticket(claim.numbers, numbers)) or (
            not claim.stages and claim.numbers == numbers
        ):
            why = (
                "a ticket with these numbers was checked already at this stop, as {serial}: its"
                " verdict stands"
            )
            raise IllegalAction(PrizeReason.ALREADY_CHECKED, why, serial=claim.serial)
    ticket = Ticket(_ticket_serial(state), numbers, action.name)
    claim = Claim(ticket.serial, *judge_ticket(state, numbers, stages), numbers)
    return replace(
        state, stopped=True, claims=(*state.claims, claim), tickets=(*state.tickets, ticket)
    )


def _ticket_serial(state: PrizeState) -> str:
    parts = ("ticket", str(state.setup.game), str(len(state.tickets) + 1))
    return "-".join(parts if state.setup.game else (parts[0], parts[2]))


def _stages_of_ticket(state: PrizeState, many: int, key: str) -> tuple[Stage, ...]:
    """Return the open stages that `many` numbers of a ticket can claim: a whole ticket may claim
    several, fewer numbers only one."""
    asked = tuple(stage for stage in state.open if key in ("", stage.key))
    if not asked:
        raise IllegalAction(
            PrizeReason.NOT_OPEN,
            "{stage} cannot be won now: claim for {stages}",
            stage=Term(key),
            stages=listed(Term(stage.key) for stage in state.open),
        )
    fit = tuple(stage for stage in asked if fitting(stage.pattern, many))
    if not fit:
        needed = row(
            (
                said(
                    "for {stage} its {numbers}",
                    stage=Term(stage.key),
                    numbers=either(_lengths(stage)),
                )
                for stage in asked
            ),
            "; ",
        )
        why = "{many} numbers were keyed: key just those of the pattern, {needed}"
        raise IllegalAction(PrizeReason.TICKET_LENGTH, why, many=many, needed=needed)
    if len(fit) > 1 and many < CARD_LENGTH:
        why = "{many} numbers may stand for {stages}: say for which"
        raise IllegalAction(
            PrizeReason.WHICH_STAGE, why, many=many, stages=listed(Term(stage.key) for stage in fit)
        )
    return fit


def _lengths(stage: Stage) -> list[str]:
    return [str(need) for need in sorted({part.need for part in stage.pattern.parts})]


def _play_on(state: PrizeState) -> PrizeState:
    if not state.stopped:
        why = "the game is not stopped: play goes on, draw the next number"
        raise IllegalAction(PrizeReason.NOT_STOPPED, why)
    return replace(state, stopped=False, claims=(), wins=(*state.wins, *awards(state)))


def _take_back(state: PrizeState) -> PrizeState:
    if not state.called:
        why = "nothing has been called yet: there is nothing to take back"
        raise IllegalAction(PrizeReason.NOTHING_CALLED, why)
    kept = tuple(win for win in state.wins if win.calls < len(state.called))
    stages = {win.stage for win in kept}
    lots = tuple(drawn for drawn in state.lots if drawn.stage in stages)
    return replace(state, called=state.called[:-1], stopped=False, claims=(), wins=kept, lots=lots)


def _decide_lots(state: PrizeState, lots: Lots) -> PrizeState:
    rivals = state.rivals(lots.stage)
    if len(rivals) < 2:
        why = "no lots are to be drawn for {stage}: no thing was won there by several"
        raise IllegalAction(PrizeReason.NO_LOTS, why, stage=Term(lots.stage))
    if sorted(serial for serial, _ in lots.knobs) != sorted(rivals):
        why = "lots for {stage}: one ball each for {serials}, and for no other"
        raise IllegalAction(
            PrizeReason.WRONG_LOTS, why, stage=Term(lots.stage), serials=listed(rivals)
        )
    knobs = [knob for _, knob in lots.knobs]
    if wrong := [knob for knob in knobs if not 1 <= knob <= state.setup.knobs]:
        why = "there is no ball {number}: the bag holds 1 to {knobs}"
        raise IllegalAction(PrizeReason.NO_KNOB, why, number=wrong[0], knobs=state.setup.knobs)
    if len(set(knobs)) < len(knobs):
        why = "lots for {stage}: everyone draws another ball; draw again"
        raise IllegalAction(PrizeReason.WRONG_LOTS, why, stage=Term(lots.stage))
    wins = (
        replace(win, thing="") if win.stage == lots.stage and win.serial != lots.winner else win
        for win in state.wins
    )
    return replace(state, wins=tuple(wins), lots=(*state.lots, lots))


def _setup_faults(
    setup: PrizeSetup, stakes: Mapping[str, Division], *, own_stages: bool
) -> Iterator[str]:
    """Yield what is wrong with a setup, but for cards that are not counted: a sentence each."""
    yield from _key_faults([stage.key for stage in setup.stages])
    sums = {f"stage {stage.key}": stage.amount for stage in setup.stages}
    for what, units in (sums | {"the jackpot": setup.jackpot}).items():
        if units < 0:
            yield f"{what} of {units} units: it cannot be below zero"
    if not 1 <= setup.knobs <= KNOBS:
        yield f"a bag of {setup.knobs} knobs: it holds 1 to {KNOBS}"
    if setup.tickets < 0:
        yield f"{setup.tickets} tickets: there cannot be fewer than none"
    if setup.label and (setup.label not in stakes or not _as_labelled(setup, stakes[setup.label])):
        yield f"the stages are not those of the stakes {setup.label!r}"
    if not setup.label and not own_stages:
        yield f"stages without stakes: what is played for is one of {number_list(stakes)}"
    if isinstance(setup.cards, Counted) and (highest := setup.cards.highest()) > setup.knobs:
        yield f"a card bears {highest}: the bag holds 1 to {setup.knobs}"


def _key_faults(keys: Sequence[str]) -> Iterator[str]:
    if not keys:
        yield "a game without stages: it has one at least"
    for name in keys:
        if name == JACKPOT or not STAGE_KEY.fullmatch(name):
            yield f"{name!r} is no key of a stage"
    for name in keys:
        if keys.count(name) > 1:
            yield f"stage {name} stands twice: each has a key of its own"


def _as_labelled(setup: PrizeSetup, division: Division) -> bool:
    return [(stage.key, stage.amount, stage.thing) for stage in setup.stages] == [
        (stage.key, stage.amount, "") for stage in divided(division, setup.pool)
    ]


class LotoFirst(SellsCards):
    """Loto, First Method: the hall. Other games that are played like it have stakes of their
    own."""

    name = "loto-first"
    title = key("Loto, First Method")
    stakes: Mapping[str, Division] = STAKES
    own_stages = True
    judge, wants, settled = staticmethod(judge), staticmethod(wants), staticmethod(settled)

    def start(self, setup: PrizeSetup) -> PrizeState:
        """Return the state before the first call.

        Raises:
            Unreadable: the stages are malformed, a sum is below zero, or a card bears a number that
                is not in the bag.
        """
        for fault in _setup_faults(setup, self.stakes, own_stages=self.own_stages):
            raise Unreadable(fault)
        if not isinstance(setup.cards, Counted):
            check_numbers(setup.cards, setup.knobs)
        return PrizeState(setup)

    def legal_actions(self, state: PrizeState) -> Iterator[PrizeAction]:
        """Yield the legal actions; `ANY_CARD`, `ANY_TICKET` and lots without knobs stand for all
        that may be claimed or drawn at this stop."""
        if not state.closed:
            if not state.stopped and state.stage is not None:
                called = frozenset(state.called)
                yield from (
                    CallNumber(number)
                    for number in range(1, state.setup.knobs + 1)
                    if number not in called
                )
                yield Stop()
            if state.stage is not None and state.called:
                yield Check(ANY_CARD)
                if state.setup.takes_tickets:
                    yield CheckTicket(ANY_TICKET)
            if state.stopped:
                yield Award()
            if state.called:
                yield TakeBackCall()
        yield from (DecideLots(stage) for stage in sorted(state.undecided))
        if not state.closed and not state.stopped:
            yield EndGame()

    def apply(self, state: PrizeState, action: PrizeAction) -> PrizeState:  # noqa: C901 - a case for each
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `PrizeReason`.
        """
        if state.closed and not (isinstance(action, DecideLots) and state.undecided):
            raise IllegalAction(PrizeReason.OVER, "the game is over: open the next one")
        match action:
            case CallNumber(number):
                return _draw(state, number)
            case Check(serial):
                return _check(state, serial)
            case CheckTicket():
                return _check_ticket(state, action)
            case Award():
                return _play_on(state)
            case TakeBackCall():
                return _take_back(state)
            case DecideLots(stage, knobs):
                return _decide_lots(state, Lots(stage, knobs))
            case Stop():
                if state.stopped:
                    why = "the game is stopped already: check the card"
                    raise IllegalAction(PrizeReason.ALREADY_STOPPED, why)
                if state.stage is None:
                    why = "all prizes of this game are won: there is nothing to claim"
                    raise IllegalAction(PrizeReason.WON, why)
                return replace(state, stopped=True)
            case EndGame():
                if state.stopped:
                    why = "a claim is open: settle it, then close the game"
                    raise IllegalAction(PrizeReason.CLAIM_OPEN, why)
                return replace(state, closed=True)
        raise unknown(PrizeReason.NOT_AN_ACTION, action, self.title)

    notation = staticmethod(loto_first_notation.notation)

    def parse(self, setup: PrizeSetup, text: str) -> PrizeState:
        """Return the state that `notation` wrote; raises `Unreadable` where it is none of these."""
        return loto_first_notation.parse(self.title, setup, text)


GAME = LotoFirst()
