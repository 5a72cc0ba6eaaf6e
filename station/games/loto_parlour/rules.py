"""Play Loto, First Method, at the table: calls, answers, shares, the end, a game on one line.

On a line first come the settings, then what everybody has. A call is `number=covers:tie:tie`: the
seats that cover it, and the answers, each `seat@microseconds`, a tie's with `/` between them. A win
is `stage:seat:cards:amount@calls`. Sums, covers and wins follow from the calls. They are there for
people, and have to agree when the line is read back.

Knobs are called one by one until a card is full, by a company with the cards before it.

The dealer shuffles, deals, draws and calls, and does not play: the station is the dealer. The
book's three kinds of stakes: `whole`, the pool goes to the first full card; `quarters`, a quarter
of it to the first full row, a quarter to the first two full rows on one card, the remaining half to
the first full card; `counters`, each player puts the same number of counters, worth money, into the
pool, and covering takes one from it for every square: at the end every player keeps those on his
cards, and the winner of the first full card takes all that remains besides. And two ways of
answering: `everyone` who holds a number covers it; or only the `first` who answers, the book's game
of quickness.

Cards lie open on the table, so that what is complete is won at once, without a claim. Where the
book is silent, this is how a careful host decides (**Decision**):

- Each player has as many cards as he likes; with whole and quarters each card pays its stake. A
  seat without a card looks on: it pays nothing, and its answers are wrong ones.
- Counters put in are at least as many as the squares of the player's cards (15 a card), so that
  there is one for every square.
- A quarter is rounded down; the odd units go with the last half. Any one full card wins, also where
  a player has several.
- An answer counts until the next knob is drawn, and a player answers a number once. Answers within
  a millisecond of the first who holds it are a tie, decided for the holder nearest the dealer's
  left. Who covers a number covers it on all his cards. Who does not hold it covers nothing; a later
  answer to a number that is covered changes nothing.
- With the setting `all` only who has covered every card he holds wins the last share; row and two
  rows are those of one card still, and the winner keeps the counters on all his cards. At an empty
  bag the last share goes to the fewest uncovered numbers on all of a player's cards together.
- Several who complete on the same number split the share, once for each player. The odd remainder
  stays in the pool for the next share; in the last share it goes to the winner nearest the dealer's
  left.
- Only the last knob can be taken back, with its answers, its counters and what was won on it; as
  often as needed, also when all is won, until the game is closed. The number before it can then be
  answered again by those who had not.
- When the bag is empty and a share is not won, it goes to the player or players with the most
  covered numbers on one card, split in the same way. If nobody covered anything the stakes go back.
- A game that is broken off: what was won stays won. What is left in the pool goes back equally by
  card, odd units one each from the eldest hand; stakes in counters go back whole, those on cards
  too, for nobody has won them.
- Nothing moves to a purse before the end, when all is redeemed. What a player has won until then
  lies before him (`hands`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import KNOBS, split
from station.base.said import Term, listed
from station.base.tongue import tr
from station.games.loto_parlour.state import (
    ANYONE,
    TITLE,
    Action,
    Answer,
    Answering,
    Called,
    Close,
    Draw,
    GamePhase,
    Reason,
    Setup,
    Share,
    ShareWon,
    Stakes,
    State,
    TakeBack,
)
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.notations import parsed, row, things, words
from station.rules.prizes import Stage
from station.rules.seating import TIE_US, by_seat, check_company, check_numbers, moves


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


# -- a game on one line ----------------------------------------------------------------------------

_STATE = re.compile(
    r"(?P<head>stakes=\S+ answering=\S+ (?:all=1 )?knobs=\d+ register=\S+) (?P<phase>[a-z]+)"
    r" pool=\d+ purses=\S+ hands=\S+ "
    r"taken=\S+ rest=\S+ called=(?P<called>\S+) wins=\S+"
)


def notation(state: State) -> str:
    """Return the state on one line; the register's digest stands for the cards' numbers."""
    taken = "/".join(map(words, state.taken))
    return (
        f"{_head(state.setup)} {state.phase} pool={state.pool} purses={row(state.purses)}"
        f" hands={row(state.hands)} taken={taken} rest={words(state.rest)}"
        f" called={row(map(_call, state.calls))} wins={row(map(_win, state.wins))}"
    )


def _head(setup: Setup) -> str:
    stakes = f"{setup.stakes}:{setup.stake}+{setup.each}*{setup.value}"
    return (
        f"stakes={stakes} answering={setup.answering}{' all=1' if setup.all_cards else ''}"
        f" knobs={setup.knobs}"
        f" register={setup.register or '-'}"
    )


# each act of a night writes all calls of its game, and only the last one changes
@lru_cache(maxsize=KNOBS)
def _call(call: Called) -> str:
    ties = (
        "/".join(f"{seat}@{micros}" for seat, micros in zip(tie.seats, tie.micros, strict=True))
        for tie in call.answers
    )
    return ":".join((f"{call.number}={row(call.covers, '/')}", *ties))


def _win(win: ShareWon) -> str:
    return f"{win.stage}:{win.seat}:{words(win.cards, '/')}:{win.amount}@{win.calls}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_played, setup), notation)


def _played(setup: Setup, match: re.Match[str]) -> State:
    """Play the calls of a line again, call by call; return the state after them.

    Raises:
        ValueError: a call is malformed, or the rules refuse it.
    """
    state, phase = State(setup), GamePhase(match["phase"])
    for call in things(match["called"]):
        knob, *ties = call.split(":")
        state = draw(state, int(knob.partition("=")[0]))
        for tie in ties:
            heard = [answer_.partition("@") for answer_ in tie.split("/")]
            said = Answer(
                tuple(int(seat) for seat, _, _ in heard),
                tuple(int(micros) for _, _, micros in heard),
            )
            state = answer(state, said)
    ends = {GamePhase.SHARED: share, GamePhase.CLOSED: close}
    return ends[phase](state) if phase in ends else state


# -- legal actions ---------------------------------------------------------------------------------

# What players and host ask for between the knobs. Knobs come and go by `Draw` and `TakeBack`, and
# `Close` ends the game.
MOVES = moves(Answer, Share)


class LotoParlourRules(GameRules[Setup, State, Action]):
    """The rules of Loto, First Method, at the table."""

    name = "loto-parlour"
    title = TITLE
    moves = MOVES

    def start(self, setup: Setup) -> State:
        """Return the state with cards dealt and stakes paid.

        Raises:
            Unreadable: this company cannot play.
        """
        _check(setup)
        return State(setup)

    def legal_actions(self, state: State) -> Iterator[Action]:
        """Yield the legal actions, in the order of their names; `Answer(ANYONE)` stands for all
        answers of those who have not answered yet."""
        if state.over:
            return
        playing = state.phase is GamePhase.PLAYING
        if state.silent:
            yield Answer(ANYONE)
        if state.bag or not playing:
            yield Close()
        if playing:
            yield from map(Draw, sorted(state.bag))
        if playing and not state.bag:
            yield Share()
        if state.calls:
            yield TakeBack()

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `Reason`.
        """
        if state.over:
            raise IllegalAction(Reason.OVER, "the game is over and all is redeemed: begin another")
        match action:
            case Answer():
                return answer(state, action)
            case Close():
                return close(state)
            case Draw(number):
                return draw(state, number)
            case Share():
                return share(state)
            case TakeBack():
                return take_back(state)
        raise unknown(Reason.NOT_AN_ACTION, action, self.title)

    def outcome(self, state: State) -> Outcome | None:
        """Return `WON` when all was won or shared out; the winners have the last share."""
        if not state.over:
            return None
        last = state.setup.stages[-1].key
        winners = tuple(str(win.seat) for win in state.wins if win.stage == last)
        return Outcome(Ending.CLOSED if state.unwon else Ending.WON, winners)

    def funds(self, state: State) -> Mapping[str, int]:
        """Return purses and hands, the counters worth money on cards, and the pool, in units."""
        funds = by_seat(purse=state.purses, hand=state.hands)
        return {**funds, "cards": state.laid, "pool": state.pool}

    notation, parse = staticmethod(notation), staticmethod(parse)


def _check(setup: Setup) -> None:
    """Check that this company can play.

    Raises:
        Unreadable: it cannot; the message says why.
    """
    check_company(setup.takes, setup.purses, len(setup.cards))
    if wrong := [seat for seat, count in enumerate(setup.takes, 1) if count < 0]:
        why = f"seat {wrong[0]} wants {setup.takes[wrong[0] - 1]} cards: it is none, or more"
        raise Unreadable(why)
    if setup.value < 1:
        raise Unreadable(f"a unit worth {setup.value}: it is worth one minor unit at least")
    if not 1 <= setup.knobs <= KNOBS:
        raise Unreadable(f"a bag of {setup.knobs} knobs: it holds 1 to {KNOBS}")
    check_numbers(setup.cards, setup.knobs)
    needed = 2 if setup.stakes is Stakes.QUARTERS else 1
    for serial, card in setup.cards.items():
        if len(card.rows) < needed or not all(card.rows):
            raise Unreadable(
                f"card {serial} has rows {card.rows}: it has {needed} at least, none without a"
                " number"
            )
    _check_stakes(setup)


def _check_stakes(setup: Setup) -> None:
    if min(setup.stake, setup.each) < 0:
        raise Unreadable(f"a stake of {min(setup.stake, setup.each)}: none is below zero")
    if setup.stakes is Stakes.COUNTERS and setup.stake:
        raise Unreadable(
            f"a card's stake of {setup.stake}: with counters each player puts in the same number;"
            " say how many"
        )
    if setup.stakes is not Stakes.COUNTERS and setup.each:
        raise Unreadable(
            f"{setup.each} counters from each player: with {setup.stakes} stakes each card pays;"
            " say how much"
        )
    for seat, (cards, purse, paid) in enumerate(
        zip(setup.taken, setup.purses, setup.paid, strict=True), 1
    ):
        squares = sum(len(setup.cards[serial].numbers) for serial in cards)
        if setup.stakes is Stakes.COUNTERS and setup.each < squares:
            raise Unreadable(
                tr(
                    "each player puts {counters} counters in, and the cards of seat {seat} have"
                    " {squares} squares: set counters to {squares}, or let that player take fewer"
                    " cards",
                    counters=setup.each,
                    seat=seat,
                    squares=squares,
                )
            )
        if purse < paid:
            raise Unreadable(f"seat {seat} has {purse}; its stake is {paid}")
