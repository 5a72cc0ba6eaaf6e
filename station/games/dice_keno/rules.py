"""Play Dice Keno by its rules: the deal, throws, checks, scores, a game on one line.

On a line first come the settings, then the phase, the cards in the order of the deal, and what
everybody has covered: the places of each seat's checks with dots between them, from 0, row by row.

The dice say what each player covers on his card. The first to have a row, or the whole card, calls
"Keno" and wins.

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

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product

from station.base.errors import IllegalAction, Unreadable
from station.base.said import listed
from station.games.dice_keno.state import (
    ANY_ORDER,
    FIVES,
    TITLE,
    Action,
    Close,
    Cover,
    Deal,
    GamePhase,
    Read,
    Reason,
    Setup,
    State,
    TakeBack,
    Throw,
    Variation,
)
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.notations import parsed, row, things
from station.rules.seating import by_seat


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


# -- a game on one line ----------------------------------------------------------------------------

_STATE = re.compile(
    r"(?P<head>variation=\S+ goal=\d+ stake=\S+ cards=\S+) (?P<phase>[a-z]+)"
    r" pool=\d+ purses=\S+ dealt=(?P<dealt>\S+) turn=(?P<turn>\d+) rivals=(?P<rivals>\S+)"
    r" sums=(?P<sums>\S+) checked=(?P<checked>\S+) dice=(?P<dice>\S+) laid=(?P<laid>\S+)"
    r" points=(?P<points>\S+) counted=(?P<counted>\S+) back=(?P<back>[a-z]+)"
    r" winner=(?P<winner>\d+)",
    re.ASCII,
)
# The last throw: whether it can be taken back, and whether one was.
_BACK = {(False, False): "none", (True, False): "can", (False, True): "was"}


def notation(state: State) -> str:
    """Return the state on one line."""
    checked = row((row(places, ".") for places in state.checked), "/")
    return (
        f"{_head(state.setup)} {state.phase} pool={state.pool} purses={row(state.purses)}"
        f" dealt={row(state.cards)} turn={state.turn} rivals={row(state.rivals)}"
        f" sums={row(state.sums)} checked={checked} dice={row(state.dice)}"
        f" laid={row(state.laid)} points={row(state.points)} counted={row(state.counted)}"
        f" back={_BACK[state.fresh, state.misread]} winner={state.winner}"
    )


def _head(setup: Setup) -> str:
    money = "money" if setup.in_money else "counters"
    stake = f"{setup.stake}*{setup.value}:{money}"
    cards = row(
        f"{name}:{row((''.join(map(str, line)) for line in card), '/')}"
        for name, card in setup.cards.items()
    )
    return (
        f"variation={setup.variation} goal={setup.goal} stake={stake} cards={cards}@{setup.faces}"
    )


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    read = partial(_read, setup)
    return parsed(_STATE, text, TITLE, _head(setup), read, notation, _possible)


def _read(setup: Setup, match: re.Match[str]) -> State:
    checked = match["checked"]
    backs = {name: known for known, name in _BACK.items()}
    if match["back"] not in backs:
        raise ValueError(f"back={match['back']}")
    fresh, misread = backs[match["back"]]
    state = State(
        setup,
        GamePhase(match["phase"]),
        cards=tuple(things(match["dealt"])),
        rivals=_numbers(match["rivals"]),
        sums=_numbers(match["sums"]),
        turn=int(match["turn"]),
        checked=tuple(_numbers(places, ".") for places in checked.split("/"))
        if match["dealt"] != "-"
        else (),
        dice=_numbers(match["dice"]),
        laid=_numbers(match["laid"]),
        points=_numbers(match["points"]),
        counted=_numbers(match["counted"]),
        fresh=fresh,
        misread=misread,
        winner=int(match["winner"]),
    )
    if state.cards:
        _check_state(state)
    return state


def _numbers(text: str, between: str = ",") -> tuple[int, ...]:
    return tuple(map(int, text.split(between))) if text != "-" else ()


def _check_state(state: State) -> None:
    """Check that what was dealt, and who plays, fits the setup.

    Raises:
        ValueError: it does not.
    """
    setup, seats = state.setup, range(1, state.setup.seats + 1)
    places = setup.size**2
    known = {state.turn, *state.rivals} <= {*seats} and state.winner in {0, *seats}
    if not known or sorted(state.cards) != sorted(setup.cards):
        raise ValueError("there is no such seat, or no such card")
    if len(state.checked) != len(seats) or len(state.points) != len(seats):
        raise ValueError("each seat has its checks and its points")
    for have in state.checked:
        if [*have] != sorted(set(have)) or not all(place < places for place in have):
            raise ValueError("checks lie on squares, each on one, in order")


def _possible(state: State) -> bool:
    """Return whether a game can be in this state: each thing is there in its phase alone."""
    phase = state.phase
    if not state.cards:
        untouched = State(state.setup, phase)
        return state == untouched and phase in (GamePhase.DEALING, GamePhase.CLOSED)
    if phase is GamePhase.DEALING or bool(state.rivals) < bool(state.sums):
        return False
    if not state.over and bool(state.rivals) != (phase is GamePhase.LEADING):
        return False
    if (phase is GamePhase.WON) != bool(state.winner):
        return False
    if phase is GamePhase.COVERING and not _to_choose(state):
        return False
    return all(1 <= one <= state.setup.faces for one in state.dice)


def _to_choose(state: State) -> bool:
    """Return whether the thrower has several squares to choose from."""
    return len(state.dice) == 1 and len(state.free(state.turn, state.dice[0])) > 1


# -- legal actions ---------------------------------------------------------------------------------

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
        _check_company(setup)
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
                return close(state)
            case Cover(place):
                return cover(state, place)
            case Deal(cards):
                return deal(state, cards)
            case Read(first, second):
                return throw(state, (first, second) if second else (first,))
            case TakeBack():
                return take_back(state)
            case Throw(dice):
                if state.misread:
                    why = "the throw was taken back: say what its dice show; they are not thrown"
                    raise IllegalAction(Reason.NO_THROW, why)
                return throw(state, dice)
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


def _check_company(setup: Setup) -> None:
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
