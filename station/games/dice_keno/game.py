"""Play Dice Keno: the dice say what each covers on his card; the first to have a row, or the whole
card, calls "Keno" and wins.

Source: the directions of Dice Keno. The rule in full is in `docs/rules.md`, "Dice Keno".
**Decision** marks what the book does not say:

- The eight cards are dealt at random, and kept until somebody has won. The eldest hand throws first
  for the lead. Any four squares of a row, a column or a diagonal are a row.
- In `row` a player chooses the square for his check where several free ones have the number. In
  `cover` and `points` all free squares of a number are equally good: the first, row by row, is
  covered. A check that can be laid is laid. Nobody loses for not having called "Keno".
- In `points` two dice of one number cover two squares. The winner of a card leads on the next one.
  Several at the goal in one count: most points win; if those are equal all play another card.
- The book knows no stakes. Here each puts the same into the pool, and the winner has it; in
  `points` the winner of the whole match. A game broken off gives the stakes back.
- A throw that was misread can be taken back until the next one, unless it has decided the lead, a
  card or the game. Its dice are read again: the station does not throw them anew, or somebody could
  take back until he likes what he sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from station.base.errors import IllegalAction, Unreadable
from station.games.dice_keno import throwing
from station.games.dice_keno.actions import (
    ANY_ORDER,
    Action,
    Close,
    Cover,
    Deal,
    Read,
    Reason,
    TakeBack,
    Throw,
)
from station.games.dice_keno.notation import notation, parse
from station.games.dice_keno.state import TITLE, GamePhase, Setup, State
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.seating import by_seat

MOVES = {"cover-square": Cover, "deal-cards": Deal, "read-dice": Read, "throw-dice": Throw}
LEAST, MOST = 2, 8  # players


class DiceKenoRules(GameRules[Setup, State, Action]):
    """The rules of Dice Keno."""

    name = "dice-keno"
    title = TITLE
    moves = MOVES

    def start(self, setup: Setup) -> State:
        """Return the state before the deal, the stakes paid.

        Raises:
            Unreadable: this company cannot play.
        """
        _check(setup)
        return State(setup)

    def legal_actions(self, state: State) -> Iterator[Action]:
        """Yield the legal actions, in the order of their names; `Deal(ANY_ORDER)` stands for all
        orders of the cards."""
        if state.over:
            return
        yield Close()
        if state.phase is GamePhase.COVERING:
            yield from map(Cover, state.free(state.turn, state.dice[0]))
        if state.phase is GamePhase.DEALING:
            yield Deal(ANY_ORDER)
        each = range(1, state.setup.faces + 1)
        throws = [*product(each, repeat=state.thrown)] if state.thrown else []
        yield from (Read(*dice) for dice in throws)
        if state.fresh:
            yield TakeBack()
        if not state.misread:
            yield from map(Throw, throws)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `Reason`.
        """
        if state.over:
            raise IllegalAction(Reason.OVER, "the game is over: begin another")
        match action:
            case Close():
                return throwing.close(state)
            case Cover(place):
                return throwing.cover(state, place)
            case Deal(cards):
                return throwing.deal(state, cards)
            case Read(first, second):
                return throwing.throw(state, (first, second) if second else (first,))
            case TakeBack():
                return throwing.take_back(state)
            case Throw(dice):
                if state.misread:
                    why = "the throw was taken back: say what its dice show; they are not thrown"
                    raise IllegalAction(Reason.NO_THROW, why)
                return throwing.throw(state, dice)
        raise unknown(Reason.NOT_AN_ACTION, action, self.title)

    def outcome(self, state: State) -> Outcome | None:
        """Return `WON` with the seat that has won, `CLOSED` if the game was broken off."""
        if not state.over:
            return None
        if state.winner:
            return Outcome(Ending.WON, (str(state.winner),))
        return Outcome(Ending.CLOSED, ())

    def funds(self, state: State) -> Mapping[str, int]:
        """Return purses and the pool, in units."""
        return by_seat(purse=state.purses) | {"pool": state.pool}

    notation, parse = staticmethod(notation), staticmethod(parse)


def _check(setup: Setup) -> None:
    """Check that this company can play.

    Raises:
        Unreadable: it cannot; the message says why.
    """
    if not LEAST <= setup.seats <= min(MOST, len(setup.cards)):
        raise Unreadable(
            f"{setup.seats} players with {len(setup.cards)} cards: {LEAST} to {MOST} can play, each"
            " with a card"
        )
    if setup.stake < 0 or setup.value < 1 or setup.goal < 1:
        raise Unreadable(
            f"a stake of {setup.stake}, units worth {setup.value}, {setup.goal} points: a stake is"
            " not below zero, the others are 1 at least"
        )
    for seat, purse in enumerate(setup.purses, 1):
        if purse < setup.stake:
            raise Unreadable(f"seat {seat} has {purse}; its stake is {setup.stake}")
    for name, card in setup.cards.items():
        faces = setup.flat[name]
        square = all(len(row) == len(card) == setup.size for row in card)
        if not square or not all(1 <= face <= setup.faces for face in faces):
            raise Unreadable(f"card {name}: {card} is no square of dice with {setup.faces} faces")
        if sum(faces) != setup.total:
            raise Unreadable(f"card {name} comes to {sum(faces)}, another one to {setup.total}")
