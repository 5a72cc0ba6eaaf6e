"""Play a game at the table: company, cards, counters, and what its own rules say of them. Pure.

Seats count from 1, leftwards; seat 1, at the dealer's left, is the eldest hand. A company stays for
the games that follow, each player with the purse that the game before left him.

The night adds to the state of the rules who the seats are, and whether the bag was counted and
shaken.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from station.base.errors import Unreadable
from station.base.nouns import Card
from station.base.tongue import tr
from station.games import GAMES, AnyRules
from station.night.acts import (
    ClaimCard,
    ClaimTicket,
    DrawKnob,
    DrawLots,
    MakeMove,
    PlayOn,
    StopGame,
    Undo,
)
from station.night.fields import Player
from station.night.sealed import Sealed
from station.people.alike import person_of
from station.programme.programme import GamePlan, validation_faults
from station.programme.table import TablePlan
from station.rules.abilities import (
    CanBeBrokenOff,
    DrawsKnobs,
    HasHiddenParts,
    HasRace,
    PlaysRealCards,
    Recites,
    Reversible,
    TakesBack,
    TakesNewcomers,
)
from station.rules.game import Ending
from station.rules.play import Agreed, Dealing, Need, Played, Race, Saying, in_front_of
from station.rules.prizes import Award, Check, CheckTicket, DecideLots, PrizeState, Stop
from station.rules.seating import takes

# What somebody does by an action of the game's rules.
Doing: TypeAlias = (
    DrawKnob | MakeMove | Undo | StopGame | ClaimCard | ClaimTicket | PlayOn | DrawLots
)
STAKES_IN_A_PURSE = 10  # where neither the player nor the programme says more


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table.

    Attributes:
        purse: what he has outside the game, in whole minor units; while a game is in play, what he
            had before it.
        takes: how many cards he wants; None for as many as the rules give him.
        simulated: whether the station plays for him.
    """

    name: str
    purse: int
    takes: int | None = None
    simulated: bool = False


def seated(players: Iterable[Player], purse: int, before: Sequence[Seat] = ()) -> tuple[Seat, ...]:
    """Return the company as it sits down.

    Args:
        purse: for a player who names no sum and has not sat here tonight.
        before: who sat here tonight: each has the purse that he had last, unless he names another.
    """
    return tuple(
        Seat(
            player.name,
            purse_of(player.name, purse, before) if player.purse is None else player.purse,
            player.takes,
            player.simulated,
        )
        for player in players
    )


def purse_of(name: str, usual: int, before: Iterable[Seat]) -> int:
    """Return what a player has who names no sum: as when he last sat here, else the usual sum."""
    return next((seat.purse for seat in before if person_of(seat.name) == person_of(name)), usual)


def without(seats: Iterable[Seat], others: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats whose players are not among the others."""
    people = {person_of(seat.name) for seat in others}
    return tuple(seat for seat in seats if person_of(seat.name) not in people)


def usual_purse(plan: TablePlan) -> int:
    """Return what a player has who names no sum: what the programme says, else ten stakes."""
    return STAKES_IN_A_PURSE * plan.stake if plan.purse is None else plan.purse


def with_purses(seats: Sequence[Seat], purses: Sequence[int]) -> tuple[Seat, ...]:
    """Return the same company with other purses."""
    return tuple(replace(seat, purse=purse) for seat, purse in zip(seats, purses, strict=True))


# -- a game in play --------------------------------------------------------------------------------

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class GameInPlay:
    """A game that is in play, or over, at one moment. Where the hall sells cards for it, nobody has
    a seat, and the holders of the cards are in the register.

    Attributes:
        plan: what the programme says of the game.
        seats: the company, with the purses with which it sat down to this game; those who joined
            later have the last seats.
        state: the state of the game's own rules.
        shaken: whether the bag was counted and shaken, and only draws have touched it since.
        shakings: how many bags were shaken in this game; a bag that is counted again before its
            drawing is over counts once.
        calls: how many knobs were drawn in this game, in all its drawings.
        sealed: the hidden parts of this hand's moves, in their order.
        unsealed: those parts of the hand that ended with the last act.
        before: the game before the last action, while that may be taken back.
        won: the seats that have won by the last action: a prize, or the game; once the game is
            over, those who have won it.
        wins: by how many actions of this game somebody has won.
    """

    plan: GamePlan
    seats: tuple[Seat, ...]
    state: Any
    shaken: bool = False
    shakings: int = 0
    calls: int = 0
    sealed: tuple[Sealed, ...] = ()
    unsealed: tuple[Sealed, ...] = ()
    before: GameInPlay | None = None
    won: tuple[int, ...] = ()
    wins: int = 0

    @property
    def method(self) -> str:
        """Return the name of the game's rules."""
        return self.plan.method

    @property
    def rules(self) -> AnyRules:
        """Return the game's rules."""
        return GAMES[self.plan.method]

    @property
    def over(self) -> bool:
        """Return whether the game has ended and all is redeemed."""
        return self.rules.is_over(self.state)

    @property
    def prizes(self) -> PrizeState | None:
        """Return the state of a game that cards are sold for; None if a company plays it."""
        return self.state if isinstance(self.state, PrizeState) else None

    @cached_property
    def agreed(self) -> Agreed:
        """Return what the company has agreed on for this game."""
        return self.plan.agreed.of(self.rules)

    @cached_property
    def value(self) -> int:
        """Return what one of the game's units is worth, in minor units."""
        return self.rules.value(self.agreed)

    @cached_property
    def funds(self) -> Mapping[str, int]:
        """Return where the game's counters, or its money, lie, in its units."""
        return self.rules.funds(self.state)

    @property
    def hands(self) -> tuple[int, ...]:
        """Return what each seat has won, in the game's units; below zero the seat owes it."""
        return in_front_of(self.funds, "hand", len(self.seats))

    @property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each seat."""
        dealt = self._knobs.taken(self.state) if self._knobs is not None else ()
        return dealt or ((),) * len(self.seats)

    @property
    def bag(self) -> frozenset[int]:
        """Return the knobs in the bag."""
        return self._knobs.bag(self.state) if self._knobs is not None else frozenset()

    @property
    def board(self) -> tuple[int, ...]:
        """Return the knobs on the board, in the order in which they were drawn."""
        return self._knobs.board(self.state) if self._knobs is not None else ()

    @property
    def _knobs(self) -> DrawsKnobs[Any, Any] | None:
        return self.rules.ability(DrawsKnobs)

    @property
    def enforced(self) -> bool:
        """Return whether the station keeps the rules; False with real cards."""
        real = self.rules.ability(PlaysRealCards)
        return real is None or real.enforced(self.state)

    @property
    def race(self) -> Race | None:
        """Return who may answer by a buzzer; None without a race."""
        racing = self.rules.ability(HasRace)
        return racing.race(self.state) if racing is not None else None

    @property
    def again(self) -> Saying:
        """Return what the voice repeats of the last settlement."""
        reciting = self.rules.ability(Recites)
        return reciting.again(self.state) if reciting is not None else ()

    def recital(self, done: Played[Any, Any]) -> tuple[Saying, ...]:
        """Return what is announced step by step after an action of this game."""
        reciting = self.rules.ability(Recites)
        return reciting.recital(done) if reciting is not None else ()

    def hidden(self, move: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields of a move that stay hidden until the hand is over."""
        hiding = self.rules.ability(HasHiddenParts)
        return hiding.hidden.get(str(move.get("do")), NOTHING) if hiding is not None else NOTHING

    @property
    def purses(self) -> tuple[int, ...]:
        """Return what each seat has outside the game now, in minor units, odd ones included."""
        value, funds = self.value, self.funds
        return tuple(
            funds.get(f"purse:{place}", seat.purse // value) * value + seat.purse % value
            for place, seat in enumerate(self.seats, 1)
        )

    @property
    def at_stake(self) -> int:
        """Return how much is in the game, in minor units: all its funds but the purses."""
        return self.value * sum(
            units for place, units in self.funds.items() if not place.startswith("purse:")
        )

    @property
    def company(self) -> tuple[Seat, ...]:
        """Return the seats, with the purses as they are now."""
        return with_purses(self.seats, self.purses)

    def notation(self) -> str:
        """Return the game on one line; digests stand for the deal, and, salted, for secrets."""
        counted = f"shaken={int(self.shaken)} shakings={self.shakings} calls={self.calls}"
        state = self.rules.notation(self.state)
        if self.sealed:
            salted = " ".join([*(part.salt for part in self.sealed), state])
            state = f"sealed={hashlib.sha256(salted.encode()).hexdigest()[:32]}"
        return f"{self.method} {counted} {state}"


def counts_of(plan: GamePlan, seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return how many cards each seat takes: what it wants; the rules share the rest out.

    Raises:
        Unreadable: there are fewer cards.
    """
    cards = plan.dealt
    if not cards:
        return (0,) * len(seats)
    wanted = sum(seat.takes for seat in seats if seat.takes is not None)
    silent = sum(seat.takes is None for seat in seats)
    if wanted > cards:
        raise Unreadable(
            tr(
                "{wanted} cards are wanted, {cards} are dealt: let somebody take fewer",
                wanted=wanted,
                cards=cards,
            )
        )
    given = iter(takes(silent, cards - wanted) if silent else ())
    return tuple(next(given) if seat.takes is None else seat.takes for seat in seats)


def dealt(
    plan: GamePlan, seats: Sequence[Seat], cards: Mapping[str, Card], register: str
) -> GameInPlay:
    """Return the game with the cards dealt and the stakes paid.

    Args:
        cards: the cards in the order of the deal.
        register: a digest of the cards.

    Raises:
        Unreadable: the rules do not let this company play.
    """
    rules = GAMES[plan.method]
    agreed, counts = plan.agreed.of(rules), counts_of(plan, seats)
    purses = tuple(seat.purse // rules.value(agreed) for seat in seats)
    state = rules.begin(agreed, Dealing(cards, counts, purses, register))
    return GameInPlay(plan, tuple(seats), state)


def parse_move(method: str, move: Mapping[str, Any]) -> Any:
    """Return the rules' action for a move: `{"do": "throw-up", "seat": 2, "serial": "0007"}`.

    Raises:
        Unreadable: there is no such move, or its fields are missing, unknown or malformed.
    """
    moves = GAMES[method].moves
    do = move.get("do")
    if not isinstance(do, str) or do not in moves:
        raise Unreadable(
            tr(
                "there is no move {do!r} in {game}: it has {moves}",
                do=do,
                game=tr(GAMES[method].title),
                moves=", ".join(moves),
            )
        )
    action, said = moves[do], {key: given for key, given in move.items() if key != "do"}
    known = [field.name for field in fields(action)]
    if foreign := sorted(said.keys() - known):
        why = tr(
            "there is no {word!r} in it; it says {known}",
            word=foreign[0],
            known=", ".join(known) or tr("nothing more"),
        )
        raise Unreadable(f"{do}: {why}")
    try:
        return _reader(action).validate_json(json.dumps(said), strict=True)
    except ValidationError as error:
        raise Unreadable(f"{do}: {'; '.join(validation_faults(error, tr('the move')))}") from error


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that was done at a table.

    Attributes:
        played: what was played; None for the beginning of the game.
        table: the table after it.
        knob: the number that was drawn; 0 where none was.
    """

    played: Played[Any, Any] | None
    table: GameInPlay
    knob: int = 0


@cache
def _reader(action: type) -> TypeAdapter[Any]:
    return TypeAdapter(action)


def played(parlour: GameInPlay, action: Any, part: Sealed | None = None) -> GameInPlay:
    """Return the game after an action of its rules.

    Args:
        part: what of the action is hidden until the hand is over.

    Raises:
        IllegalAction: the rules refuse the action.
    """
    before, rules = parlour.state, parlour.rules
    state = rules.apply(before, action)
    sealed = (*parlour.sealed, part) if part is not None else parlour.sealed
    done = Played(before, action, state)
    reversible = rules.ability(Reversible)
    may = reversible is not None and reversible.undoable(done)
    back = replace(parlour, before=None) if may else None
    won = rules.winners(done)
    wins = parlour.wins + bool(won)
    after = replace(parlour, state=state, sealed=sealed, unsealed=(), before=back)
    after = replace(after, won=won, wins=wins)
    hiding = rules.ability(HasHiddenParts)
    if after.over or (hiding is not None and hiding.hand_over(state)):
        after = replace(after, sealed=(), unsealed=sealed)
    return replace(after, shaken=parlour.shaken and after.bag == parlour.bag)


def action_by(act: Doing, game: GameInPlay) -> Any:
    """Return the rules' action for an act."""
    match act:
        case MakeMove():
            return parse_move(game.method, act.whole)
        case DrawKnob():
            return game.rules.needed(DrawsKnobs).draw(act.number)
        case Undo():
            return game.rules.needed(TakesBack).take_back()
        case StopGame():
            return Stop()
        case ClaimCard():
            return Check(act.serial)
        case ClaimTicket():
            return CheckTicket(act.numbers, act.name or "", act.stage or "")
        case PlayOn():
            return Award()
        case _:
            return DecideLots(act.stage, act.knobs)


def done_by(act: Doing, before: GameInPlay, after: GameInPlay) -> Played[Any, Any]:
    """Return what was played by an act, with the states before and after."""
    return Played(before.state, action_by(act, after), after.state)


def joined(parlour: GameInPlay, seat: Seat) -> GameInPlay | None:
    """Return the game with one more player at the table; None where nobody can join this game.

    Raises:
        IllegalAction: the rules refuse the player.
    """
    joining = parlour.rules.ability(TakesNewcomers)
    if joining is None:
        return None
    state = parlour.rules.apply(parlour.state, joining.join(seat.purse // parlour.value))
    return replace(parlour, seats=(*parlour.seats, seat), state=state)


def drawn(parlour: GameInPlay, number: int) -> GameInPlay:
    """Return the game with a knob drawn, in a game with knobs.

    Raises:
        IllegalAction: the rules refuse the knob.
    """
    after = played(parlour, parlour.rules.needed(DrawsKnobs).draw(number))
    return replace(after, shaken=parlour.shaken, calls=parlour.calls + 1)


def taken_back(parlour: GameInPlay) -> GameInPlay:
    """Return the game with the last knob back in the bag, or the last throw or card taken back.
    What was sealed of it stays sealed with the hand, so that the record can be read.

    Raises:
        IllegalAction: the rules refuse to take it back.
    """
    if parlour.before is not None:
        return replace(parlour.before, sealed=parlour.sealed or parlour.unsealed)
    after = played(parlour, parlour.rules.needed(TakesBack).take_back())
    return replace(after, shaken=parlour.shaken, calls=parlour.calls - bool(parlour.board))


def shaken(parlour: GameInPlay, *, anew: bool) -> GameInPlay:
    """Return the game with the bag counted and shaken; `anew` where its order is another now."""
    return replace(parlour, shaken=True, shakings=parlour.shakings + anew)


def broken_off(parlour: GameInPlay) -> GameInPlay:
    """Return the game after it was closed, or broken off before its end: all counters are redeemed.

    Raises:
        IllegalAction: the rules refuse it.
        Unreadable: the game must be played to its end.
    """
    state = parlour.rules.needed(CanBeBrokenOff).broken(parlour.state)
    ended = parlour.rules.outcome(state)
    won = ended.winners if ended is not None and ended.ending is Ending.WON else ()
    seats = tuple(sorted(map(int, won)))
    closed = replace(parlour, state=state, shaken=False, sealed=(), before=None, won=seats)
    return replace(closed, unsealed=parlour.sealed)


def next_step(parlour: GameInPlay) -> str:
    """Return what comes next.

    Returns:
        "shake" (count the knobs and shake the bag), "draw", "settle", "answer" (an offer waits for
            the other player's answer), "add" (the pool is short: the players add to it, or finish),
            "share" (the bag is empty, and something is not won), "close" (all is won), "open" (the
            next game).
    """
    if parlour.over:
        return "open"
    step, counts = parlour.rules.step(parlour.state), Need.BAG in parlour.rules.needs
    return "shake" if step == "draw" and counts and not parlour.shaken else step
