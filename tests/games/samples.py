"""One small sample of every game: a setup to count, everything a player could try, and a scripted
game to read.

`python -m tests.games.samples` writes the count and trace files anew. Do so only for a rule
that was changed on purpose, and read what changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from station.base.nouns import Card
from station.games import GAMES, AnyRules
from station.games.dice_keno.play import GAME as DICE_KENO
from station.games.keno.play import GAME as KENO
from station.games.loto_first import game as first
from station.games.loto_first.game import Stakes
from station.games.loto_parlour import rules as parlour
from station.games.loto_parlour.play import GAME as PARLOUR
from station.games.loto_parlour.state import Answering
from station.games.loto_second import rules as second
from station.games.loto_second.play import GAME as SECOND
from station.games.my_bird_sings import state as bird
from station.games.my_bird_sings.play import GAME as MY_BIRD_SINGS
from station.games.my_bird_sings.state import Passing
from station.games.my_bird_sings.state import Setup as BirdSetup
from station.games.my_bird_sings.state import State as BirdState
from station.games.spoil_five import cards as spoil
from station.games.spoil_five.hand import Variation
from station.games.spoil_five.play import GAME as SPOIL_FIVE
from station.games.spoil_five.rules import Setup as SpoilSetup
from station.games.spoil_five.rules import State as SpoilState
from station.games.tontine import rules as tontine
from station.games.tontine.play import GAME as TONTINE
from station.games.tontine.rules import Setup as TontineSetup
from station.games.tontine.rules import State as TontineState
from station.rules.patterns import Pattern, PatternPart, in_rows
from station.rules.prizes import PrizeState
from station.rules.seen import Viewer, Watching
from station.rules.terms import Terms
from tests.drill.known import KNOWN
from tests.games import dice_keno_sample, hammer_sample

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Sample:
    """A game made small.

    Attributes:
        setups: by name; each is counted.
        universe: every action that anybody could try, also senseless ones.
        instances: the actions that a listed action, maybe a pattern, stands for in a state.
        depths: by setup, how deep to count ways, and how deep to count states.
        scripts: what is played in the trace, by setup, and a remark for each step.
        brings: what an action brings into the game from outside, in its units.
        twin: the same setup with something else in it that not everybody sees.
        known: what a viewer can see of a state.
        owes: whether a hand, and a purse at the end, may be below zero.
        long: setups for the trace alone, by name: too long to be counted.
    """

    game: AnyRules
    setups: dict[str, Any]
    universe: Sequence[Any]
    instances: Callable[[Any, Any], Iterable[Any]]
    depths: dict[str, tuple[int, int]]
    scripts: dict[str, Sequence[tuple[Any, str]]]
    brings: Callable[[Any], int] = lambda action: 0
    twin: Callable[[Any], Any] = lambda setup: setup
    known: Callable[[Any, Viewer], Hashable] = lambda state, _: repr(state)
    owes: bool = False
    long: dict[str, Any] = field(default_factory=dict)

    def legal(self, state: Any) -> list[Any]:
        """All actions that are listed, patterns replaced by what they stand for."""
        return [
            action
            for listed in self.game.legal_actions(state)
            for action in self.instances(state, listed)
        ]


def _richer(setup: Any) -> Any:
    """Return a setup with other purses."""
    return replace(setup, purses=tuple(purse + seat for seat, purse in enumerate(setup.purses, 5)))


def _all_but_purses(state: Any, viewer: Viewer) -> Hashable:
    """Return what a viewer of open cards knows: all that lies there, and what each has got or paid;
    not what he has in his pocket, which the host alone knows."""
    came_with = getattr(state, "came_with", state.setup.purses)
    got = tuple(now - came for now, came in zip(state.purses, came_with, strict=True))
    game = SECOND if isinstance(state, second.State) else PARLOUR
    lies = re.sub(r"(purses|joined)=\S+", "", game.notation(state))
    return lies, got, state.purses if viewer is Watching.HOST else ()


def _card(serial: str, *rows: tuple[int, ...]) -> Card:
    return Card(serial, rows)


# Rows of one, two and one numbers. Anna holds 9 and 11, nobody by name holds 10. 1 completes a row
# on two; no number stands in all rows.
_CARDS = {
    card.serial: card
    for card in (
        _card("9", (1,), (2, 3), (5,)),
        _card("10", (1,), (2, 5), (4,)),
        _card("11", (3,), (1, 4), (2,)),
    )
}
_LENGTHS = (1, 2, 1)
_SMALL = {
    key: in_rows(key, rows, _LENGTHS) for key, rows in (("row", 1), ("two-rows", 2), ("full", 3))
}
_ANNA = {"9": "Anna", "11": "Anna"}
_SERIALS = ("9", "10", "11", "99")
# At once: any two of a card, a thing for a row, and two houses.
_EARLY = Pattern("early-two", (PatternPart((0, 1, 2, 3), 2),))
_AT_ONCE = (
    first.Stage("early-two", _EARLY, 5),
    first.Stage("row", _SMALL["row"], thing="a goose"),
    first.Stage("full", _SMALL["full"], 5),
    first.Stage("full-2", _SMALL["full"], 2),
)
_ROW_TICKET = first.CheckTicket((4,))
_EARLY_TICKET = first.CheckTicket((2, 4), "Zoe", "early-two")
_TWO_TICKET = first.CheckTicket((2, 4))
_TICKET = "ticket-3-1"
_LOTS = tuple(
    first.DecideLots("row", tuple(zip(serials, knobs, strict=True)))
    for serials in (("9", "10"), ("10", "11"), ("10", _TICKET))
    for knobs in ((1, 2), (2, 1))
)


def _book(pool: int, stakes: Stakes, **more: Any) -> first.PrizeSetup:
    stages = tuple(
        replace(stage, pattern=_SMALL[stage.key])
        for stage in first.divided(first.STAKES[stakes], pool)
    )
    return first.PrizeSetup(_CARDS, stages, _ANNA, register="r", knobs=5, label=stakes, **more)


def _loto_instances(state: PrizeState, action: first.Action) -> Iterable[first.Action]:
    checked = {claim.serial for claim in state.claims}
    won = {win.stage for win in state.wins}
    match action:
        case first.Check(first.ANY_CARD):
            return [first.Check(serial) for serial in _SERIALS if serial not in checked]
        case first.CheckTicket(first.ANY_TICKET):
            # Two numbers may be a row, or any two: for which must be said while both are open.
            row, early = "row" not in won, "early-two" not in won
            tickets = (
                (_ROW_TICKET, "row", row),
                (_EARLY_TICKET, "early-two", early),
                (_TWO_TICKET, "row" if row else "early-two", row != early),
            )
            return [
                ticket
                for ticket, stage, may in tickets
                if may and not _keyed_before(state, ticket, stage)
            ]
        case first.DecideLots(stage):
            rivals = {win.serial for win in state.wins if win.stage == stage}
            return [lots for lots in _LOTS if {serial for serial, _ in lots.knobs} == rivals]
    return [action]


def _keyed_before(state: PrizeState, ticket: first.CheckTicket, stage: str) -> bool:
    """Whether this ticket has won that stage at this stop, keyed in whole or in part, or was keyed
    just so in vain."""
    mine = set(ticket.numbers)
    return any(
        (stage in claim.stages and (mine <= set(claim.numbers) or mine >= set(claim.numbers)))
        or (not claim.stages and claim.numbers == ticket.numbers)
        for claim in state.claims
        if claim.numbers
    )


def _second_instances(state: second.State, action: second.Action) -> Iterable[second.Action]:
    match action:
        case second.Resolve():
            return [second.Resolve(drawings) for drawings in (1, 2, 3)]
        case second.Join(least):
            return [second.Join(least), second.Join(least + 2)] if state.seats == 1 else [action]
    return [action]


def _second_brings(action: Any) -> int:
    return action.purse if isinstance(action, second.Join) else 0


_QUARTERS = [
    (first.CallNumber(4), "one row on 10: its holder sleeps"),
    (first.Check("99"), "somebody shows a card that was not sold"),
    (first.Award(), "play goes on; nothing was won"),
    (first.CallNumber(1), "a row on 9 and 11 and another on 10"),
    (first.Stop(), "somebody calls out"),
    (first.Check("10"), "valid: a row was completed on the last number"),
    (first.Check("9"), "valid too: a tie"),
    (first.Check("11"), "Anna's other card: she is one player"),
    (first.Award(), "two players share a quarter of 11, rounded down: 2; 1 each"),
    (first.Check("10"), "10 has two full rows already, the second on this very number"),
    (first.Award(), "it takes the second quarter"),
    (first.TakeBackCall(), "1 was a wrong call: both shares go back into the pool"),
    (first.CallNumber(3), "the right number: a row on 11"),
    (first.CallNumber(2), "nobody claimed on 3; now 9 and 11 complete rows too"),
    (first.Check("10"), "too late: its row was full before"),
    (first.Check("9"), "valid"),
    (first.Award(), "Anna wins the row alone"),
    (first.Check("11"), "two rows on 2"),
    (first.Award(), "Anna wins two rows"),
    (first.CallNumber(5), "9 and 10 want 1 only"),
    (first.Check("10"), "not complete"),
    (first.Award(), "play goes on"),
    (first.CallNumber(1), "all three are full"),
    (first.Check("10"), "valid"),
    (first.Check("9"), "valid"),
    (
        first.Award(),
        (
            "the last half, with the odd units 7, goes to two players: the lower serial gets the"
            " odd one"
        ),
    ),
    (first.EndGame(), "the game ends"),
]

_KENO = [
    (first.CallNumber(4), "a row on 10: its holder sleeps"),
    (first.CallNumber(2), "one row on 11"),
    (first.TakeBackCall(), "it was 1"),
    (first.CallNumber(1), "a row on 9 and 11, and another on 10"),
    (first.Check("10"), "Keno!"),
    (first.Check("11"), "Keno! A tie"),
    (first.Check("9"), "Anna's other card: she is one player"),
    (first.Award(), "two players share the pool of 7; the lower serial gets the odd one"),
    (first.EndGame(), "the game is won by the first row"),
]

_TAMBOLA = [
    (first.CallNumber(4), "a row on 10, and a number of 11"),
    (
        first.CheckTicket((4,), ""),
        "somebody shows the one number of a row on a ticket from elsewhere",
    ),
    (first.Check("10"), "the same number is a row of 10: a tie"),
    (first.Award(), "both have won the goose until lots are drawn"),
    (
        first.DecideLots("row", (("10", 2), ("ticket-3-1", 1))),
        "the higher knob: the goose is for 10",
    ),
    (
        first.TakeBackCall(),
        "4 was a wrong call: the goose goes back; no ticket will be called ticket-3-1 again",
    ),
    (first.CallNumber(1), "a row on 9 and on 10"),
    (first.Check("9"), "valid for the row; two numbers it has not"),
    (first.Award(), "Anna has the goose"),
    (first.CallNumber(2), "9, 10 and 11 have two numbers now; 11 sleeps"),
    (first.CheckTicket((2, 4), "Zoe", "early-two"), "4 was taken back: not complete"),
    (first.Check("9"), "two numbers"),
    (first.Check("10"), "two numbers"),
    (first.Award(), "5 for two players: 2 each; the odd one joins the house, which is worth 6"),
    (first.CallNumber(4), "11 has three numbers"),
    (first.Check("11"), "it wants one more; two numbers are won"),
    (first.Award(), "play goes on"),
    (first.CallNumber(5), "10 is full"),
    (first.Check("10"), "the house"),
    (first.Award(), "now the second house is open"),
    (first.Check("10"), "it has had the house: the second is for another card"),
    (first.Check("9"), "3 is wanting"),
    (first.Award(), "play goes on"),
    (first.CallNumber(3), "9 and 11 are full: both are Anna's"),
    (first.Check("11"), "the second house"),
    (first.Check("9"), "she is one player"),
    (first.Award(), "2 for Anna; the fifth call is within the jackpot's five: that too"),
    (first.EndGame(), "the game ends"),
]

# Loto, Second Method, with two knobs of five in a drawing. 5 stands on card C only, which nobody
# has at first.
_PACK = {
    card.serial: card
    for card in (_card("A", (1, 2), (3,)), _card("B", (2, 4), (1,)), _card("C", (3, 4), (5,)))
}
_TERMS = Terms(on_table=2, in_pool=3, prizes=(0, 0, 5), cavities=2, knobs=5, again=1)
_FIXED = replace(_TERMS, on_table=1, in_pool=4)

_COMPANY = [
    (second.Exchange(1, "A", 2, "B"), "the eldest hand would rather have B"),
    (second.Decline(), "seat 2 keeps it"),
    (second.Draw(5), "on nobody's card: it counts as one of the two all the same"),
    (second.Draw(3), "a counter on A"),
    (second.TakeBack(), "it was misread: the counter goes back"),
    (second.Draw(2), "a counter on A and one on B"),
    (second.Settle(), "two abstracts: each keeps his counter; the bag goes to seat 2"),
    (second.PutAway(5), "nobody has 5"),
    (second.Draw(1), "A and B"),
    (second.Draw(2), "A and B; the table took two from the pool: A's first row is full"),
    (
        second.Settle(),
        "5 for A's first row; seat 2 keeps two; 4 were in the pool, so 1 is owed to seat 1",
    ),
    (
        second.Exchange(1, "A", 0, "C"),
        "before the pool is replenished a card may be exchanged: what A has won stays due",
    ),
    (
        second.Replenish(),
        "3 a card, from what was won; the debt is paid, and 5 is in the bag again",
    ),
    (second.Exchange(2, "B", 1, "C"), "seat 2 asks for C"),
    (second.Agree(), "seat 1 agrees"),
    (second.Take(2), "seat 2 takes A besides, and pays"),
    (second.ThrowUp(1, "B"), "seat 1 throws B up, and has its third of table and pool"),
    (second.Take(1), "and thinks better of it"),
    (second.Resolve(2), "two drawings more"),
    (second.Draw(3), "A and C"),
    (second.Draw(4), "B and C: the table is bare, and C's first row is full"),
    (second.Settle(), "5 for it"),
    (
        second.Draw(2),
        "the last drawing: the table was bare and took one a card from the pool; B and A",
    ),
    (
        second.Draw(4),
        "one counter is left: the eldest hand covers, and has a full row; C goes without",
    ),
    (
        second.Settle(),
        "1 is in the pool and is paid, 4 remain unpaid: a Bankruptcy; all counters are redeemed",
    ),
]

_MONEY = [
    (second.Draw(1), "seat 1 has both A and B"),
    (second.Draw(2), "the table is empty, it takes from the pool"),
    (second.Settle(), "5 in money for A's first row; 6 were there"),
    (second.Draw(4), "one counter from the pool, which is empty now"),
    (second.Draw(2), "nothing to cover with: the pool is short in the middle of a drawing"),
    (second.Replenish(), "4 a card, from counters won first, and covering goes on"),
    (second.Settle(), "B's first row won 5, 6 were there"),
    (second.Draw(1), "one left: A is covered, B is not"),
    (second.ThrowUp(1, "B"), "seat 1 will not add for B; A lies covered, and the drawing goes on"),
    (second.Draw(2), "nothing to cover with"),
    (second.Finish(), "nobody adds: the game is finished"),
]

_JOINING = [
    (
        second.Join(9),
        "two cards were laid aside: somebody joins for one, and has the seat after the last",
    ),
    (second.Take(2), "B, the next card, for 5: two on the table, three in the pool"),
    (second.Draw(2), "A and B"),
    (second.Draw(4), "B's first row is full"),
    (second.Settle(), "5 for it; the bag goes to seat 2"),
    (second.Join(5), "one more, who can pay for just one card"),
    (second.Take(3), "C"),
    (second.Draw(5), "C"),
    (second.Draw(3), "A and C"),
    (second.Settle(), "three abstracts; the bag goes to seat 3"),
    (second.ThrowUp(2, "B"), "seat 2 has won enough"),
    (second.Join(6), "a third joins, and looks on at first"),
    (second.Resolve(1), "one drawing more"),
    (second.Draw(2), "the table was bare and took one a card from the pool; A"),
    (second.Draw(1), "A's first row is full"),
    (
        second.Settle(),
        "1 is in the pool and is paid, 4 remain unpaid; who looked on has what he came with",
    ),
]

# Loto, First Method, at the table: seat 3 looks on where only the first to answer covers.
_HEARD = (
    parlour.Answer((1,)),
    parlour.Answer((2,)),
    parlour.Answer((1, 2)),
    parlour.Answer((2, 1), (0, 300)),
    parlour.Answer((3,), (0,)),
    parlour.Answer((3, 2, 1), (0, 0, 1000)),
)
_TWO_ROWS = {card.serial: card for card in (_card("D", (1, 2), (3,)), _card("E", (2,), (1,)))}


def _parlour_instances(state: parlour.State, action: parlour.Action) -> Iterable[parlour.Action]:
    if action != parlour.Answer(parlour.ANYONE):
        return [action]
    return [heard for heard in _HEARD if set(heard.seats) <= set(state.silent)]


_QUICK = [
    (parlour.Draw(1), "A and B bear it"),
    (
        parlour.Answer((2, 1), (0, 300)),
        "seat 2 was heard first, by less than a millisecond: a tie, and seat 1 is the eldest hand",
    ),
    (parlour.Draw(4), "on B and C, which are seat 2's"),
    (parlour.Answer((1,)), "he does not hold it, and covers nothing"),
    (
        parlour.Answer((3, 2), (0, 250)),
        "one who looks on, and seat 2, who covers it on both of his cards",
    ),
    (parlour.Draw(2), "A and B"),
    (parlour.Answer((2,)), "a row on B: a quarter of 12"),
    (parlour.Answer((1,)), "late: it is covered"),
    (parlour.TakeBack(), "2 was misread: the row is nobody's"),
    (parlour.Draw(3), "A and C"),
    (parlour.Answer((2,)), "a row on C"),
    (parlour.Draw(5), "the last number of C; nobody answers"),
    (parlour.TakeBack(), "it fell to the ground and was not called"),
    (parlour.Answer((1,)), "3 can be answered again; it is covered"),
    (parlour.Draw(2), "A and B; nobody answers"),
    (parlour.Draw(5), "C; nobody answers, and the bag is empty"),
    (parlour.Share(), "two numbers of C are covered, and one of A and B: seat 2 has what is left"),
]

_EVEN = [
    (
        parlour.Draw(1),
        (
            "a row on 9 and on 10: a quarter of 15, rounded down, is 3; 1 each, and the odd one"
            " stays in the pool"
        ),
    ),
    (parlour.Draw(4), "two rows on 10: a quarter and the odd one"),
    (parlour.TakeBack(), "it was no 4: what was won on it goes back"),
    (parlour.Draw(5), "two rows on 9"),
    (parlour.Draw(3), "a row on 11, and a square of 9"),
    (parlour.Draw(4), "a third square of 10; 11 has two rows"),
    (
        parlour.Draw(2),
        "all three are full: 9 for two players, the odd one to the seat nearest the dealer's left",
    ),
    (parlour.Close(), "all is redeemed"),
]

_LAID = [
    (parlour.Draw(1), "both bear it"),
    (
        parlour.Answer((1, 2)),
        "both at the same time: the eldest hand covers, with a counter from the pool",
    ),
    (parlour.Draw(2), "both"),
    (parlour.Answer((2,)), "seat 2 was quicker: neither card can be full any more"),
    (parlour.Draw(3), "D"),
    (parlour.TakeBack(), "it was 2 that came twice"),
    (parlour.TakeBack(), "or was it? 2 goes back, too"),
    (parlour.Draw(3), "D"),
    (parlour.Answer((1,)), "its second row"),
    (parlour.Draw(2), "both"),
    (parlour.Answer((1,)), "D is full: the winner has what remains in the pool"),
    (parlour.Close(), "he keeps what lies on D, too"),
]

_ALL = [
    (parlour.Draw(5), "the last number of C"),
    (parlour.Answer((2,)), "seat 2 covers it"),
    (parlour.Draw(4), "on B and C"),
    (parlour.Answer((2,)), "he covers both"),
    (parlour.Draw(3), "A and C"),
    (parlour.Answer((2,)), "C is full; but B, his other card, is not: nothing is won"),
    (parlour.Draw(1), "A and B"),
    (parlour.Answer((1,)), "seat 1 is quicker"),
    (parlour.Draw(2), "A and B; nobody answers, and the bag is empty"),
    (
        parlour.Share(),
        "two squares are bare with each, on all his cards together: the pool is split",
    ),
]

SAMPLES: dict[str, Sample] = {
    "loto-first": Sample(
        game=first.GAME,
        setups={
            "quarters": _book(11, Stakes.QUARTERS),
            "whole": _book(7, Stakes.WHOLE),
            "any number": _book(3, Stakes.QUARTERS, last_number=False),
            "at once": first.PrizeSetup(
                _CARDS,
                _AT_ONCE,
                _ANNA,
                register="r",
                knobs=5,
                at_once=True,
                tickets=1,
                odd="house",
                jackpot=3,
                within=5,
                game=3,
            ),
        },
        universe=(
            *(first.CallNumber(number) for number in range(-1, 8)),
            first.Stop(),
            *(
                first.Check(serial)
                for serial in (*_SERIALS, first.ANY_CARD, "", "a\nb", "a\0b", "\t9", "9\n")
            ),
            first.Award(),
            first.TakeBackCall(),
            first.EndGame(),
            *(
                first.CheckTicket(numbers)
                for numbers in (first.ANY_TICKET, (4, 4), (0,), (6,), (1, 2, 3, 4, 5))
            ),
            _ROW_TICKET,
            _EARLY_TICKET,
            _TWO_TICKET,
            first.CheckTicket((4,), "", "full"),
            first.CheckTicket((4,), "", "no such stage"),
            *_LOTS,
            first.DecideLots("row"),
            first.DecideLots("row", (("9", 1), ("10", 1))),
            first.DecideLots("row", (("9", 1), ("10", 6))),
            first.DecideLots("row", (("9", 1),)),
            first.DecideLots("row", (("9", 1), ("10", 2), ("11", 3))),
            first.DecideLots("row", (("9", 1), ("9", 2))),
            first.DecideLots("early-two", (("9", 1), ("10", 2))),
            first.DecideLots("no such stage", (("9", 1), ("10", 2))),
            None,
            "draw",
        ),
        instances=_loto_instances,
        depths={"quarters": (5, 7), "whole": (5, 7), "any number": (5, 7), "at once": (4, 5)},
        scripts={"quarters": _QUARTERS, "at once": _TAMBOLA},
    ),
    "loto-second": Sample(
        game=SECOND,
        setups={
            "company": second.Setup(_PACK, (1, 1), (9, 12), register="r", terms=_TERMS),
            "joining": second.Setup(_PACK, (1,), (8,), register="r", terms=_TERMS),
            "money": second.Setup(
                _PACK,
                (2, 0),
                (14, 6),
                changes=False,
                confirm=False,
                in_money=True,
                value=2,
                register="r",
                terms=_FIXED,
            ),
        },
        universe=(
            second.Agree(),
            second.Decline(),
            *(second.Draw(number) for number in range(-1, 8)),
            *(
                second.Exchange(seat, serial, other, wanted)
                for seat in (0, 1, 2, 3)
                for serial in ("A", "B", "C", "D")
                for other in (-1, 0, 1, 2, 3)
                for wanted in ("A", "B", "C", "D")
            ),
            second.Finish(),
            *(second.Join(purse) for purse in (-1, 0, 4, 5)),
            *(second.PutAway(number) for number in range(-1, 8)),
            second.Replenish(),
            *(second.Resolve(drawings) for drawings in (-1, 0, 1, 2, 3)),
            second.Settle(),
            *(second.Take(seat) for seat in (-1, 0, 1, 2, 3)),
            second.TakeBack(),
            *(
                second.ThrowUp(seat, serial)
                for seat in (0, 1, 2, 3)
                for serial in ("A", "B", "C", "D")
            ),
            None,
            "draw",
        ),
        instances=_second_instances,
        depths={"company": (3, 4), "joining": (2, 4), "money": (3, 4)},
        scripts={"company": _COMPANY, "joining": _JOINING, "money": _MONEY},
        brings=_second_brings,
        twin=_richer,
        known=_all_but_purses,
    ),
    "loto-parlour": Sample(
        game=PARLOUR,
        setups={
            "quarters, the first": parlour.Setup(
                _PACK,
                (1, 2, 0),
                (9, 12, 1),
                parlour.Stakes.QUARTERS,
                Answering.FIRST,
                stake=4,
                register="r",
                knobs=5,
            ),
            "quarters, everyone": parlour.Setup(
                _CARDS,
                (1, 2),
                (9, 12),
                parlour.Stakes.QUARTERS,
                stake=5,
                value=3,
                register="r",
                knobs=5,
            ),
            "whole, everyone": parlour.Setup(
                _TWO_ROWS, (1, 1), (5, 5), stake=5, register="r", knobs=3
            ),
            "all cards, the first": parlour.Setup(
                _PACK,
                (1, 2, 0),
                (9, 12, 1),
                parlour.Stakes.WHOLE,
                Answering.FIRST,
                stake=4,
                all_cards=True,
                register="r",
                knobs=5,
            ),
            "counters, the first": parlour.Setup(
                _TWO_ROWS,
                (1, 1),
                (9, 9),
                parlour.Stakes.COUNTERS,
                Answering.FIRST,
                each=4,
                register="r",
                knobs=3,
            ),
        },
        universe=(
            *_HEARD,
            parlour.Answer(parlour.ANYONE),
            parlour.Answer((0,)),
            parlour.Answer((4,)),
            parlour.Answer((1, 1)),
            parlour.Answer((1,), (5,)),
            parlour.Answer((1,), (0, 0)),
            parlour.Answer((1, 2), (0,)),
            parlour.Answer((1, 2), (0, 1001)),
            parlour.Answer((1, 2), (300, 0)),
            parlour.Close(),
            *(parlour.Draw(number) for number in range(-1, 8)),
            parlour.Share(),
            parlour.TakeBack(),
            None,
            "draw",
        ),
        instances=_parlour_instances,
        depths={
            "quarters, the first": (3, 4),
            "quarters, everyone": (4, 6),
            "whole, everyone": (4, 6),
            "all cards, the first": (3, 4),
            "counters, the first": (4, 5),
        },
        scripts={
            "quarters, the first": _QUICK,
            "all cards, the first": _ALL,
            "quarters, everyone": _EVEN,
            "counters, the first": _LAID,
        },
        twin=_richer,
        known=_all_but_purses,
    ),
}


SAMPLES["bell-and-hammer"] = Sample(
    **hammer_sample.PARTS, twin=_richer, known=KNOWN["bell-and-hammer"], owes=True
)
SAMPLES["keno"] = replace(
    SAMPLES["loto-first"],
    game=KENO,
    setups={
        "whole": first.PrizeSetup(
            _CARDS,
            (replace(first.divided(KENO.stakes["whole"], 7)[0], pattern=_SMALL["row"]),),
            _ANNA,
            register="r",
            knobs=5,
            label="whole",
        )
    },
    depths={"whole": (5, 7)},
    scripts={"whole": _KENO},
)
SAMPLES["dice-keno"] = Sample(
    game=DICE_KENO,
    setups=dice_keno_sample.SETUPS,
    universe=dice_keno_sample.UNIVERSE,
    instances=dice_keno_sample.instances,
    depths=dice_keno_sample.DEPTHS,
    scripts=dice_keno_sample.SCRIPTS,
    twin=_richer,
    known=KNOWN["dice-keno"],
)


# Tontine, with a pack of few cards: a king, an ace, a three, a four. With seven at the table it is
# two such packs.
_FACES = ("KH", "AS", "3D", "4C")


def _tontine_instances(state: TontineState, action: tontine.Action) -> Iterable[tontine.Action]:
    if action != tontine.Deal(tontine.ANY_CARDS):
        return [action]
    return [*map(tontine.Deal, sorted({*permutations(state.stock, len(state.to_come))}))]


_TONTINE = [
    (tontine.Turn(("KH",)), "Bruno, at the dealer's right hand: a king draws three from the box"),
    (tontine.Turn(("3D",)), "Anna: three for the third on her left, who is herself: nothing"),
    (tontine.TakeBack(), "it was misread"),
    (tontine.Turn(("4C",)), "a four: two into the box; she has one, pays it, and is quit"),
    (
        tontine.Turn(("AS",)),
        "Carla, the dealer: one for Anna, who stood at nought; death is judged now: Carla is dead",
    ),
    (
        tontine.Deal(("3D", "AS")),
        "the deal passes to Bruno; Anna's three comes round; Bruno's ace brings Carla back to life",
    ),
    (
        tontine.Deal(("4C", "AS", "KH")),
        "Anna deals; Carla pays her last counter, and has Bruno's; Anna draws three",
    ),
    (
        tontine.Deal(("4C", "3D", "AS")),
        "Carla deals; Bruno pays two, nothing for Anna, Carla's last is for Anna: she is alone",
    ),
]

SAMPLES["tontine"] = Sample(
    game=TONTINE,
    setups={
        "two": TontineSetup((9, 6), 5, pack=_FACES),
        "three": TontineSetup((7, 4, 9), 4, 2, pack=_FACES),
        "two packs": TontineSetup((4, 5, 6), 4, pack=("4C", "2S")),
    },
    universe=(
        *(
            tontine.Deal(cards)
            for many in range(4)
            for cards in permutations((*_FACES, "1H"), many)
        ),
        tontine.Deal(("4C", "4C")),
        tontine.Deal(("4C", "4C", "4C")),
        tontine.Deal(("4C", "4C", "2S")),
        tontine.TakeBack(),
        *(tontine.Turn((face,)) for face in (*_FACES, "2S", "5H", "", "kh", "KH ", "KH,AS")),
        tontine.Turn(()),
        tontine.Turn(("KH", "AS")),
        None,
        "deal",
    ),
    instances=_tontine_instances,
    depths={"two": (2, 4), "three": (2, 3), "two packs": (2, 3)},
    scripts={"three": _TONTINE},
    twin=_richer,
    known=KNOWN["tontine"],
)


# My Bird Sings, with a pack of few cards, which is dealt in three ways alone: nobody has a song;
# both have one; and the first card comes last.
_BIRD_PACK = ("AS", "5S", "2S", "6S", "3H", "7H", "4H", "8H", "9S", "JC")
_BIRD_TRICKS = ("AS", "5S", "2S", "6S", "3H", "7S", "4H", "8H", "KS", "KH", "QS", "QH", "9S", "JC")


def _bird_deals(pack: tuple[str, ...]) -> tuple[bird.DealBirds, ...]:
    of_suit = ([face for face in pack if face[-1] == suit][:4] for suit in "SH")
    both = [face for pair in zip(*of_suit, strict=True) for face in pair]
    rest = [face for face in pack if face not in both]
    return tuple(
        bird.DealBirds(tuple(cards)) for cards in (pack, (*both, *rest), (*pack[1:], pack[0]))
    )


def _bird_instances(state: BirdState, action: bird.Action) -> Iterable[bird.Action]:
    if action != bird.DealBirds(bird.ANY_CARDS):
        return [action]
    return _bird_deals(state.setup.pack)


def _bird_tries(pack: tuple[str, ...], of: int) -> Iterable[Any]:
    yield from _bird_deals(pack)
    yield from (bird.DealBirds(()), bird.DealBirds(pack[1:]), bird.DealBirds((*pack[1:], pack[1])))
    yield from (kind(seat) for kind in (bird.Listen, bird.TurnHand) for seat in range(-1, 4))
    for cards in [(), *((face,) for face in (*pack, "1H", "as")), pack[:2]]:
        yield bird.Pick(cards)
        for seat in range(4):
            yield from (bird.PassOn(seat, cards), bird.PutOut(seat, cards))
    for many in (0, 1, of, of + 1):
        for cards in combinations(sorted(pack), many):
            yield from (bird.Sing(seat, cards) for seat in (0, 1, 2, 3))
    yield from (bird.Sing(1, (face,) * of) for face in pack[:2])
    yield from (None, "deal-birds")


_BIRD = [
    (bird.DealBirds(_BIRD_PACK), "Anna has two spades and two hearts, and so has Bruno, who deals"),
    (bird.Listen(2), "Bruno's bird does not sing"),
    (bird.Listen(1), "nor does Anna's: she leads"),
    (bird.PassOn(1, ("4H",)), "she throws a heart out, and holds three"),
    (bird.PassOn(2, ("8H",)), "Bruno has three hearts now, and passes one of them on"),
    (bird.PassOn(1, ("8H",)), "a whole round is over; she has four, and passes the heart on again"),
    (bird.PassOn(2, ("8H",)), "and back it comes: two rounds"),
    (bird.PassOn(1, ("8H",)), "once more"),
    (bird.PassOn(2, ("8H",)), "three whole rounds"),
    (
        bird.PutOut(1, ("8H",)),
        "now she may put a card out: the top one of the stock is a spade, her heart is laid aside",
    ),
    (bird.PassOn(1, ("3H",)), "she has three spades: the last heart goes"),
    (bird.PassOn(2, ("5S",)), "Bruno keeps his three hearts, and passes a spade on"),
    (bird.Sing(1, ("2S", "5S", "9S", "AS")), "her bird sings: the pool of three is hers"),
]

_BIRD_DRAWN = [
    (bird.DealBirds(_BIRD_TRICKS), "Bruno has three spades"),
    (bird.Listen(1), "no song"),
    (bird.Listen(2), "no song; the leader has nothing to decide: her hand is turned to Bruno"),
    (bird.Pick(("AS",)), "he takes a spade out of it, unseen"),
    (
        bird.Sing(2, ("5S", "6S", "7S", "AS")),
        "a trick; Anna takes his fifth card, which ends the round, and he has four new ones",
    ),
    (bird.Listen(2), "they are no song"),
    (bird.TurnHand(1), "Anna has none either, and turns her hand to him"),
    (bird.Pick(("2S",)), "three spades"),
    (bird.TurnHand(2), "no song"),
    (bird.Pick(("KH",)), "Anna takes a heart"),
    (
        bird.Sing(1, ("3H", "4H", "8H", "KH")),
        "her first trick; two cards are left, so the game is over: they share, the odd one is hers",
    ),
]

SAMPLES["my-bird-sings"] = Sample(
    game=MY_BIRD_SINGS,
    setups={
        "throw out": BirdSetup((3, 4), pack=_BIRD_PACK),
        "flushes, draw": BirdSetup((5, 4), Passing.DRAW, flushes=True, pack=_BIRD_PACK),
        "three cards": BirdSetup((1, 2), three_cards=True, pack=_BIRD_PACK),
        "three cards, draw": BirdSetup((1, 2), Passing.DRAW, three_cards=True, pack=_BIRD_PACK),
        "tricks, draw": BirdSetup((2, 2), Passing.DRAW, tricks=True, pack=_BIRD_TRICKS),
        "tricks": BirdSetup((6, 6), tricks=True, pack=_BIRD_TRICKS),
    },
    universe=tuple(
        dict.fromkeys(
            action
            for pack, of in ((_BIRD_PACK, 4), (_BIRD_PACK, 3), (_BIRD_TRICKS, 4))
            for action in _bird_tries(pack, of)
        )
    ),
    instances=_bird_instances,
    depths={
        "throw out": (4, 6),
        "flushes, draw": (4, 7),
        "three cards": (4, 6),
        "three cards, draw": (4, 7),
        "tricks, draw": (5, 7),
        "tricks": (4, 6),
    },
    scripts={"throw out": _BIRD, "tricks, draw": _BIRD_DRAWN},
    twin=_richer,
    known=KNOWN["my-bird-sings"],
)

# Spoil-Five of two, with a pack of thirteen cards. Seat 1 has low cards, seat 2 higher ones and in
# the third deal a trump; in the second deal seat 1 has the ace of trumps.
_LOW = ("2H", "3H", "2D", "3D", "2C")


def _spoil_deal(eldest: Sequence[str], dealer: Sequence[str], *rest: str) -> tuple[str, ...]:
    return (*eldest[:2], *dealer[:2], *eldest[2:], *dealer[2:], *rest)


_NO_TRUMPS = _spoil_deal(_LOW, ("KH", "QH", "KD", "QD", "KC"), "7S", "AS", "5S")
_THE_ACE = _spoil_deal((*_LOW[:4], "AS"), ("KH", "QH", "KD", "QD", "KC"), "7S", "2C", "5S")
_OTHER_SUIT = _spoil_deal(_LOW, ("KH", "QH", "KD", "5S", "KC"), "7S", "QD")
_SPOIL_PACK = tuple(sorted(_NO_TRUMPS))
_SPOIL_DEALS = {
    "usual": (_NO_TRUMPS, _THE_ACE),
    "agreed": (_OTHER_SUIT,),
    "natural order": (_NO_TRUMPS, _THE_ACE),
}
_SPOIL_SETUPS = {
    "usual": SpoilSetup((9, 7), 5, pools=1, how=Variation(deals_again=True), pack=_SPOIL_PACK),
    "agreed": SpoilSetup(
        (8, 6), 6, 2, 2, 1, Variation(fiving=True, jinking=True), pack=tuple(sorted(_OTHER_SUIT))
    ),
    "natural order": SpoilSetup((9, 7), 5, pools=1, how=Variation(natural=True), pack=_SPOIL_PACK),
}


def _spoil_instances(state: SpoilState, action: spoil.Action) -> Iterable[spoil.Action]:
    if action != spoil.DealHands(spoil.ANY_CARDS):
        return [action]
    how = state.setup.how
    agreed = "agreed" if how.fiving else "natural order" if how.natural else "usual"
    return map(spoil.DealHands, _SPOIL_DEALS[agreed])


_SPOIL_FIVE = [
    (spoil.DealHands(_NO_TRUMPS), "three counters each into the pool, and one more of the dealer"),
    (spoil.Misdeal(), "a card was exposed: the deal is lost, the hands are taken back"),
    (spoil.DealAgain(2), "Bruno deals again, for a second stake for dealing"),
    (spoil.DealHands(_THE_ACE), "the pool stays; Anna holds the ace of spades, the trump suit"),
    (spoil.Rob(1, ("2H",)), "she robs: the two of hearts is laid out for the seven of spades"),
    (spoil.PlayCard(1, ("AS",)), "she leads the ace of trumps"),
    (spoil.PlayCard(2, ("QH",)), "Bruno has no trump, and plays what he likes"),
    (spoil.PlayCard(1, ("7S",)), "and another trump"),
    (spoil.PlayCard(2, ("QD",)), "the second trick is hers"),
    (spoil.PlayCard(1, ("3H",)), "hearts are led"),
    (spoil.PlayCard(2, ("KH",)), "he must follow, and wins"),
    (spoil.PlayCard(2, ("KC",)), "the king of clubs"),
    (spoil.PlayCard(1, ("2D",)), "she has no club, and no trump; two tricks each"),
    (spoil.PlayCard(2, ("KD",)), "his last card"),
    (spoil.PlayCard(1, ("3D",)), "three tricks: Bruno takes the pool, and the game is over"),
]

SAMPLES["spoil-five"] = Sample(
    game=SPOIL_FIVE,
    setups=_SPOIL_SETUPS,
    universe=(
        *(spoil.DealHands(cards) for some in _SPOIL_DEALS.values() for cards in some),
        spoil.DealHands(()),
        spoil.DealHands(_NO_TRUMPS[:12]),
        spoil.DealHands((*_NO_TRUMPS[:12], "2H")),
        *(
            do(seat, (face,))
            for do in (spoil.PlayCard, spoil.Rob)
            for seat in (0, 1, 2)
            for face in (*_SPOIL_PACK, "1H")
        ),
        *(
            do(seat)
            for do in (
                *(spoil.AgreeFive, spoil.AskFive, spoil.DealAgain, spoil.Jink, spoil.KeepTrumps),
                *(spoil.LeaveAce, spoil.PassDeal, spoil.RefuseFive, spoil.TakePool),
            )
            for seat in (0, 1, 2, 3)
        ),
        spoil.Misdeal(),
        spoil.PlayCard(1, ()),
        spoil.PlayCard(1, ("2H", "3H")),
        spoil.Rob(1, ()),
        None,
        "deal",
    ),
    instances=_spoil_instances,
    depths={"usual": (7, 7), "agreed": (9, 9), "natural order": (7, 7)},
    scripts={"usual": _SPOIL_FIVE},
    twin=_richer,
    known=KNOWN["spoil-five"],
)


def count(sample: Sample, state: Any, depth: int) -> int:
    """How many ways of `depth` actions lead on from a state."""
    if depth == 0:
        return 1
    actions = sample.legal(state)
    if depth == 1:
        return len(actions)
    return sum(count(sample, sample.game.apply(state, action), depth - 1) for action in actions)


def states(sample: Sample, start: Any, depth: int) -> list[dict[str, Any]]:
    """The states, by notation, that are first reached after 0, 1, … `depth` actions."""
    layers: list[dict[str, Any]] = [{sample.game.notation(start): start}]
    seen = set(layers[0])
    for _ in range(depth):
        reached = (
            sample.game.apply(state, action)
            for state in layers[-1].values()
            for action in sample.legal(state)
        )
        layers.append(
            {text: state for state in reached if (text := sample.game.notation(state)) not in seen}
        )
        seen.update(layers[-1])
    return layers


def counts(sample: Sample) -> dict[str, Any]:
    """For every setup: ways by depth, how the deepest ones divide by the first action, and new
    states by depth."""
    found = {}
    for name, setup in sample.setups.items():
        start = sample.game.start(setup)
        depth, deepest = sample.depths[name]
        split = {
            str(a): count(sample, sample.game.apply(start, a), depth - 1)
            for a in sample.legal(start)
        }
        ways = [count(sample, start, shallower) for shallower in range(depth)] + [
            sum(split.values())
        ]
        layers = states(sample, start, deepest)
        found[name] = {
            "ways by depth": ways,
            "ways by first action": split,
            "states by depth": [len(layer) for layer in layers],
        }
    return found


def trace(sample: Sample) -> str:
    """The scripted games, state by state."""
    game = sample.game
    lines = []
    for name, script in sample.scripts.items():
        state = game.start((sample.setups | sample.long)[name])
        lines += [f"{game.title}: {name}", ""]
        lines += [f"  card {card}" for card in getattr(state.setup, "cards", {}).values()] + _shown(
            game, state
        )
        for action, remark in script:
            state = game.apply(state, action)
            lines += ["", f"{action}   # {remark}", *_shown(game, state)]
        lines += ["", str(game.outcome(state)), "", ""]
    return "\n".join(lines[:-1])


def _shown(game: AnyRules, state: Any) -> list[str]:
    funds = " ".join(f"{account}={units}" for account, units in game.funds(state).items())
    may = ", ".join(str(action) for action in game.legal_actions(state)) or "nothing"
    return [f"  {game.notation(state)}", f"  funds: {funds}", f"  may: {may}"]


def count_file(name: str) -> Path:
    """Where a game's counts are kept."""
    return FOLDER / f"{name.replace('-', '_')}.counts.json"


def trace_file(name: str) -> Path:
    """Where a game's trace is kept."""
    return FOLDER / f"{name.replace('-', '_')}.trace.txt"


def _json(found: dict[str, Any]) -> str:
    lines = [
        f'"{name}": {{\n' + ",\n".join(f' "{what}": {json.dumps(n)}' for what, n in of.items())
        for name, of in found.items()
    ]
    return "{\n" + "\n},\n".join(lines) + "\n}\n}\n"


def write() -> None:
    """Writes both files of every game."""
    if missing := GAMES.keys() - SAMPLES.keys():
        raise SystemExit(f"no sample yet of {', '.join(sorted(missing))}: add it to SAMPLES here")
    for game in GAMES.values():
        sample = SAMPLES[game.name]
        count_file(game.name).write_text(_json(counts(sample)), encoding="utf-8")
        trace_file(game.name).write_text(trace(sample), encoding="utf-8")


if __name__ == "__main__":
    write()
