"""Define the one door through which every game is played: its rules, and all that the rest of the
program needs to know of them. Pure.

Each game's folder has one value of `Play`, called `PLAY`; `station.games.PLAYS` lists them. No
other code names a game or asks what kind it is. A game with few needs says little: everything but
its rules has a default.

What a company has agreed on comes as a mapping: `stake` and `cards`, and the game's own `settings`
by name. Sums are in the rules' own units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, TypeVar

from station.base.errors import Unreadable
from station.base.nouns import Card
from station.base.tongue import number_of, tr
from station.rules.example import Example
from station.rules.game import Game
from station.rules.patterns import Pattern
from station.rules.prizes import Prizes
from station.rules.seen import (
    ALL,
    Amount,
    CardName,
    KnobName,
    Move,
    Phrase,
    SeatName,
    Seen,
    Slot,
    SlotKind,
    Viewer,
    Watching,
    phrase,
)
from station.rules.terms import Terms

COMPANY = ALL  # in place of a seat: what all seats agree on, or the host for them
T = TypeVar("T")
Agreed: TypeAlias = Mapping[str, Any]
# What the voice says, in order: the key of a phrase, a number, a player, a knob, a playing card, a
# sum.
Saying: TypeAlias = tuple[str | int | SeatName | KnobName | CardName | Amount, ...]
# How a report calls the player in a seat.
NameOf: TypeAlias = Callable[[int], str]


# -- what a game takes -------------------------------------------------------------


class Need(StrEnum):
    """What is laid out for a game."""

    BAG = "bag"  # of knobs: counted and shaken before they are drawn
    CARDS = "cards"  # of Loto, from the hall's pack
    CUBES = "cubes"  # each marked on one side
    DICE = "dice"
    PLAYING_CARDS = "playing-cards"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that a company agrees on before a game.

    Attributes:
        name: as a programme's `[table]` has it.
        default: true or false, a number, or one of `values`.
        least, most: the bounds of a number.
        values: what may be chosen, where it is a word.
    """

    name: str
    default: bool | int | str
    least: int = 0
    most: int = 1_000_000
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dealing:
    """Who plays, and with what.

    Attributes:
        cards: the cards of Loto, in the order of the deal; empty where the game needs none.
        takes: how many cards each seat takes.
        purses: what each seat has outside the game, in units of the rules.
        register: a digest of the deal.
    """

    cards: Mapping[str, Card]
    takes: tuple[int, ...]
    purses: tuple[int, ...]
    register: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What can be worked out of a game before it is played, from what was agreed on.

    Attributes:
        patterns: what is played for with the cards that are dealt, in order.
        race: whether only the first to answer covers.
        terms: the sizes of a game of drawings, in which every row wins by the counters on it.
    """

    patterns: tuple[Pattern, ...] = ()
    race: bool = False
    terms: Terms | None = None


@dataclass(frozen=True, slots=True)
class Exact:
    """What is worked out of a whole game.

    Attributes:
        length: how often chance decides on average, until the game is over.
        wins: how likely each seat is to win, from the eldest hand on.
    """

    length: float
    wins: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ThingWorth:
    """What a thing that is bought in a game is worth, as it is worked out.

    Attributes:
        key: the key of its name in the words of screens.
        units: how many units of the rules its holder has more at the end than without it.
    """

    key: str
    units: float


@dataclass(frozen=True, slots=True)
class Likely:
    """How likely something is in a game, as it is worked out.

    Attributes:
        key: the key of what may happen, in the words of screens; `{count}` in them is the number.
        count: for how many players.
    """

    key: str
    count: int
    chance: Fraction


# -- real cards --------------------------------------------------------------------

# Who deals, where a game may be played with real cards that have tags: the station, from a pack of
# its own, or the players, over the reader.
REAL = "real"
PLAYING_CARDS = Setting("playing_cards", "station", values=("station", REAL))


class FaultKind(StrEnum):
    """What a player does with real cards against the rules."""

    MISDEAL = "misdeal"  # a deal that went wrong, or out of order
    EXPOSED = "exposed"  # a card that is seen while it is dealt
    RENEGED = "reneged"  # a card that might not be played
    ROBBED = "robbed"  # without the ace of trumps, or out of turn


@dataclass(frozen=True, slots=True)
class DeclareFault:
    """Declare that a player has broken a rule with real cards, and what comes of it.

    Attributes:
        seat: who did it.
        kind: what he did, as `FaultKind`.
    """

    seat: int
    kind: str


def fault_moves(faults: Sequence[DeclareFault]) -> Iterator[Move]:
    """Yield the moves by which the host declares one of these faults: a kind, and whose it is."""
    for kind in dict.fromkeys(fault.kind for fault in faults):
        seats = tuple(fault.seat for fault in faults if fault.kind == kind)
        whose = (Slot(("seat",), SlotKind.SEAT, seats),)
        yield Move(COMPANY, "declare-fault", {"kind": kind}, whose, aside=True)


def own_moves(asked: Callable[[Any], Iterable[Move]]) -> Callable[[Any, Viewer], Iterator[Move]]:
    """Return the `actions` of a game whose moves hide nothing: each seat may ask for its own of
    these, the host for all."""
    return lambda state, viewer: (
        move for move in asked(state) if viewer in (Watching.HOST, move.seat)
    )


# -- who is awaited ----------------------------------------------------------------


class Actor(StrEnum):
    """Who may be awaited, apart from the seats, which are whole numbers from 1."""

    HOST = "host"
    CHANCE = "chance"


class Luck(StrEnum):
    """What chance decides."""

    KNOB = "knob"
    DICE = "dice"
    CUBES = "cubes"
    SHUFFLE = "shuffle"
    CARD = "card"  # a real one, that is laid on the reader or keyed in


@dataclass(frozen=True, slots=True)
class Chance:
    """What is awaited from chance: what may come, how likely it is, and the move that reports it.

    Attributes:
        do, field: the verb of that move, and its field for what came: a knob's number, the spots of
            dice, the marks that cubes show, or shuffled things in their order.
        numbers: the knobs in the bag; each is as likely as any other.
        dice, faces: how many dice are thrown, and how many faces a die or a cube has.
        things: what is shuffled, or the marks of cubes, each on one face of its own cube. They are
            recorded with the move: all may know them, unless it has `hidden` fields.
        blank: what is reported where no cube shows its mark.
        count: how many of the shuffled things come, the rest being left aside; 0: all of them.
    """

    kind: Luck
    do: str
    field: str
    numbers: frozenset[int] = frozenset()
    dice: int = 0
    faces: int = 6
    things: tuple[str, ...] = ()
    blank: str = "blank"
    count: int = 0


@dataclass(frozen=True, slots=True)
class Race:
    """The seats that may answer by buzzers, where the first to answer has the right.

    Attributes:
        silent: the seats that may answer now.
        wrong: those of them whose answer would be wrong.
    """

    silent: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()


# -- what was done -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """One action that was played, with the states around it.

    Attributes:
        before, after: the states of the game; None before it began.
        action: the rules' action; None where the game began, or was broken off.
        was, now: what was derived beside each state.
    """

    before: Any
    action: Any
    after: Any
    was: Any = None
    now: Any = None


# -- simulated players -------------------------------------------------------------


class Choose(Protocol):
    """The source of chance for simulated players."""

    def chance(self, odds: float) -> bool:
        """Return true with this probability."""

    def one(self, some: Sequence[T], weights: Sequence[int] | None = None) -> T:
        """Return one of some things at random, by their weights if given."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a simulated player wants: a move as it is asked for, or to press his buzzer."""

    move: Mapping[str, Any] = field(default_factory=dict)
    buzzes: bool = False


# -- the door ----------------------------------------------------------------------


_BY_CHANCE = {
    Luck.KNOB: "draw",
    Luck.DICE: "throw",
    Luck.CUBES: "throw",
    Luck.SHUFFLE: "shuffle",
    Luck.CARD: "shuffle",
}


@dataclass(frozen=True)
class Play:
    """A game, as it is played.

    Attributes:
        game: its rules.
        settings: what a company agrees on in this game.
        seats: the fewest and the most players at a table; None: cards are sold for it.
        sold: what the house needs of a game that cards are sold for; None: a company plays it.
        needs: what is laid out for it.
        setup: makes the rules' setup from what was agreed on and from the deal; raises `Unreadable`
            like `Game.start`.
        parts: what the stake must be a multiple of, and why.
        value: what one unit of the rules is worth, in minor units.
        charge: what a seat pays for a number of cards before the game begins.
        allowed: the numbers of cards of Loto that a player may take.
        to_act: who is awaited: seats, the host, chance.
        step_of: what comes next, in a word; None: what chance is to do, else "move".
        actions: what a seat may ask for now; for the host, all that he may ask for in the place of
            company and seats. The rules may still refuse it.
        moves: the actions that are asked for by name, with their fields.
        chance: what is awaited from chance now, and how likely each result is; None where nothing
            is awaited.
        gavel: the move that a knock of the gavel makes, by its verb; empty where nothing is sold.
        draw: the action that draws a knob.
        take_back: the action that takes the last action back; None in a game that has none.
        undoable: whether an action may be taken back by the night, which then has the state before
            it again: the last one, unless somebody has seen more by it; None in a game that takes
            nothing back so.
        enforced: whether the rules are kept by the station. With real cards on the table what
            breaks a rule has happened: the host declares it (`DeclareFault`), and seats only look
            on.
        broken: the state after the game is broken off; None: it cannot be broken off.
        join: makes from a purse the action by which somebody joins a game that is on; None: nobody
            can.
        bag_of: the knobs in the bag; None: the numbers of `chance`.
        board: the knobs that were drawn, in order.
        taken: the cards of Loto of each seat.
        race: who answers by buzzers; None in a game without them.
        view: what a viewer sees. Two states that differ only in what he cannot see give equal views
            and equal actions. The last argument is the step of the recital being told now.
        counting: what is shown while the bag is to be counted.
        advance: what is derived beside the state, from what was derived before, the state before,
            the action, the state after; made anew when a night is played again.
        then: what else the journal's line says of an action.
        say: what the voice says when the game begins (`action` None), and of each action; of a knob
            what follows its number.
        comes: what the voice says next, after all of that; at the end, how the game ended.
        recital: what is told step by step after an action; the first step stands in `say` too.
        again: what the voice says when asked to repeat what was settled.
        bot: what the simulated player of a seat wants; the last argument is all simulated seats.
        report: a move, and what followed, as a line of a report, in the language that is spoken,
            with the players by name; by default its verb.
        terms: what was agreed on, with the stake as money, in sentences for the programme's sheet,
            in the language that is spoken.
        hidden: the fields of each move that nobody may see until the hand is over: a card passed
            face down, a deal. The record holds a salted digest in their place.
        hand_over: whether what was hidden may be seen now; at the end of a game it always may.
        expected: what can be worked out before the game.
        exact: what is worked out of a whole game from what was agreed on, for a number of players;
            None where it can only be tried.
        likely: how likely things are in the game, as it is worked out, for a number of players.
        happens: what may have come of an action, by the key of its words, and whether it did; what
            is told of a game to be played is how often.
        won_by: the seats that win a prize by an action before the game ends: a pool, a row; None:
            only the end has winners, those of `Game.outcome`.
        unpaid: what stays unpaid at the end, for want of money.
        worths: what the things are worth that are bought in the game, for a number of players.
        example: a short game to its end, from which it is learnt; None where it has none.
    """

    game: Game[Any, Any, Any]
    settings: tuple[Setting, ...] = ()
    seats: tuple[int, int] | None = None
    sold: Prizes | None = None
    needs: frozenset[Need] = frozenset()
    setup: Callable[[Agreed, Dealing], Any] = lambda _, dealing: dealing
    parts: Callable[[Agreed], tuple[int, str]] = lambda _: (1, "")
    value: Callable[[Agreed], int] = lambda _: 1
    charge: Callable[[Agreed, int], int] = lambda *_: 0
    allowed: frozenset[int] = frozenset({0})
    to_act: Callable[[Any], frozenset[int | Actor]] = lambda _: frozenset()
    step_of: Callable[[Any], str] | None = None
    actions: Callable[[Any, Viewer], Iterable[Move]] = lambda *_: ()
    moves: Mapping[str, type] = field(default_factory=dict)
    chance: Callable[[Any], Chance | None] = lambda _: None
    gavel: str = ""
    draw: Callable[[int], Any] | None = None
    take_back: Callable[[], Any] | None = None
    undoable: Callable[[Played], bool] | None = None
    enforced: Callable[[Any], bool] = lambda _: True
    broken: Callable[[Any], Any] | None = None
    join: Callable[[int], Any] | None = None
    bag_of: Callable[[Any], frozenset[int]] | None = None
    board: Callable[[Any], tuple[int, ...]] = lambda _: ()
    taken: Callable[[Any], tuple[tuple[str, ...], ...]] = lambda _: ()
    race: Callable[[Any], Race | None] = lambda _: None
    view: Callable[[Any, Any, Viewer, int | None], Seen] = lambda *_: Seen(phrase("table-over"), ())
    counting: Callable[[Any], Phrase] = lambda _: phrase("count-knobs")
    advance: Callable[[Any, Any, Any, Any], Any] = lambda *_: None
    then: Callable[[Played], Mapping[str, Any]] = lambda _: {}
    say: Callable[[Played], Saying] = lambda _: ()
    comes: Callable[[Any], Saying] = lambda _: ()
    recital: Callable[[Played], tuple[Saying, ...]] = lambda _: ()
    again: Callable[[Any, Any], Saying] = lambda *_: ()
    bot: Callable[[Any, Any, int, Choose, frozenset[int]], Wish | None] = lambda *_: None
    report: Callable[[Mapping[str, Any], Mapping[str, Any], NameOf], str] = lambda move, *_: str(
        move["do"]
    )
    terms: Callable[[Agreed, str], Iterator[str]] = lambda *_: iter(())
    hidden: Mapping[str, frozenset[str]] = field(default_factory=dict)
    hand_over: Callable[[Any], bool] = lambda _: False
    expected: Callable[[Agreed], Expected] = lambda _: Expected()
    exact: Callable[[Agreed, int], Exact | None] = lambda *_: None
    worths: Callable[[Agreed, int], tuple[ThingWorth, ...]] = lambda *_: ()
    likely: Callable[[Agreed, int], tuple[Likely, ...]] = lambda *_: ()
    happens: Callable[[Played], Mapping[str, bool]] = lambda _: {}
    won_by: Callable[[Played], tuple[int, ...]] | None = None
    unpaid: Callable[[Any], int] = lambda _: 0
    example: Example | None = None

    @property
    def name(self) -> str:
        """Return the name of the rules, as programmes write it."""
        return self.game.name

    @property
    def title(self) -> str:
        """Return the game's title for people."""
        return self.game.title

    @property
    def prizes(self) -> Prizes:
        """Return what the house needs of a game that cards are sold for.

        Raises:
            TypeError: no cards are sold for this game; a company plays it.
        """
        if self.sold is None:
            raise TypeError(f"{self.title} is played at a table: no card is sold for it")
        return self.sold

    def step(self, state: Any) -> str:
        """Return in a word what comes next."""
        if self.step_of is not None:
            return self.step_of(state)
        law = self.chance(state)
        return "move" if law is None else _BY_CHANCE[law.kind]

    def bag(self, state: Any) -> frozenset[int]:
        """Return the knobs in the bag."""
        if self.bag_of is not None:
            return self.bag_of(state)
        law = self.chance(state)
        return law.numbers if law is not None else frozenset()

    def begun(self, agreed: Agreed, dealing: Dealing) -> Any:
        """Return the state in which a company begins this game. This alone decides who can play
        what: the night asks it when a game opens, a programme's check for every number of players.

        Raises:
            Unreadable: this number of players cannot play what was agreed on, with these cards and
                purses.
        """
        count = len(dealing.purses)
        least, most = self.seats or (1, count)
        if not least <= count <= most:
            raise Unreadable(
                tr(
                    "{players}: {game} is for {least} to {most}",
                    players=number_of(count, "player"),
                    game=tr(self.title),
                    least=least,
                    most=most,
                )
            )
        return self.game.start(self.setup(agreed, dealing))

    def won(self, done: Played) -> tuple[int, ...]:
        """Return the seats that win by an action: a prize, or the game."""
        if self.won_by is not None and (seats := self.won_by(done)):
            return seats
        ended = None if done.before is None else self.game.outcome(done.after)
        return tuple(sorted(map(int, ended.winners))) if ended is not None else ()

    def agreed(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was agreed on, with the game's default for each setting that was not."""
        return {one.name: one.default for one in self.settings} | dict(said)


def in_front_of(funds: Mapping[str, int], what: str, seats: int) -> tuple[int, ...]:
    """Return what lies in the purse, or in the hand, of each seat, in units.

    >>> in_front_of({"purse:1": 7, "hand:1": -2, "pool": 3}, "hand", 2)
    (-2, 0)
    """
    return tuple(funds.get(f"{what}:{seat}", 0) for seat in range(1, seats + 1))
