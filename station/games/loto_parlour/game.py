"""Play Loto, First Method, at the table: knobs are called one by one until a card is full, by a
company with the cards before it.

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

from collections.abc import Iterator, Mapping

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.games.loto_parlour import calling
from station.games.loto_parlour.actions import (
    ANYONE,
    Action,
    Answer,
    Close,
    Draw,
    Reason,
    Share,
    TakeBack,
)
from station.games.loto_parlour.notation import notation, parse
from station.games.loto_parlour.state import (
    TITLE,
    GamePhase,
    Setup,
    Stakes,
    State,
)
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.seating import by_seat, check_company, check_numbers, moves

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
                return calling.answer(state, action)
            case Close():
                return calling.close(state)
            case Draw(number):
                return calling.draw(state, number)
            case Share():
                return calling.share(state)
            case TakeBack():
                return calling.take_back(state)
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
