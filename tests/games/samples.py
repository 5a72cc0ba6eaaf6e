"""One small sample of every game: a setup to count, everything a player could try, and a scripted game to read.

`python -m tests.games.samples` writes the count and trace files anew. Do so only for a rule that was changed on purpose, and read
what changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from station.rules import GAMES, Game
from station.rules import loto_first as first
from station.rules.patterns import Part, Pattern, in_rows
from station.table import Card

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
    """

    game: Game[Any, Any, Any]
    setups: dict[str, Any]
    universe: Sequence[Any]
    instances: Callable[[Any, Any], Iterable[Any]]
    depths: dict[str, tuple[int, int]]
    scripts: dict[str, Sequence[tuple[Any, str]]]

    def legal(self, state: Any) -> list[Any]:
        """All actions that are listed, patterns replaced by what they stand for."""
        return [action for listed in self.game.actions(state) for action in self.instances(state, listed)]


def _card(serial: str, *rows: tuple[int, ...]) -> Card:
    return Card(serial, rows)


# Rows of one, two and one numbers. Anna holds 9 and 11, nobody by name holds 10. 1 completes a row on two; no number stands in
# all rows.
_CARDS = {
    card.serial: card
    for card in (_card("9", (1,), (2, 3), (5,)), _card("10", (1,), (2, 5), (4,)), _card("11", (3,), (1, 4), (2,)))
}
_LENGTHS = (1, 2, 1)
_SMALL = {key: in_rows(key, rows, _LENGTHS) for key, rows in (("row", 1), ("two-rows", 2), ("full", 3))}
_ANNA = {"9": "Anna", "11": "Anna"}
_SERIALS = ("9", "10", "11", "99")
# At once: any two of a card, a thing for a row, and two houses.
_EARLY = Pattern("early-two", (Part((0, 1, 2, 3), 2),))
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


def _book(pool: int, stakes: first.Stakes, **more: Any) -> first.Setup:
    stages = tuple(replace(stage, pattern=_SMALL[stage.key]) for stage in first.STAKES[stakes](pool))
    return first.Setup(_CARDS, stages, _ANNA, register="r", knobs=5, label=stakes, **more)


def _loto_instances(state: first.State, action: first.Action) -> Iterable[first.Action]:
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
            return [ticket for ticket, stage, may in tickets if may and not _keyed_before(state, ticket, stage)]
        case first.DecideLots(stage):
            rivals = {win.serial for win in state.wins if win.stage == stage}
            return [lots for lots in _LOTS if {serial for serial, _ in lots.knobs} == rivals]
    return [action]


def _keyed_before(state: first.State, ticket: first.CheckTicket, stage: str) -> bool:
    """Whether this ticket has won that stage at this stop, keyed in whole or in part, or was keyed just so in vain."""
    mine = set(ticket.numbers)
    return any(
        (stage in claim.stages and (mine <= set(claim.numbers) or mine >= set(claim.numbers)))
        or (not claim.stages and claim.numbers == ticket.numbers)
        for claim in state.claims
        if claim.numbers
    )


_QUARTERS = [
    (first.Draw(4), "one row on 10: its holder sleeps"),
    (first.Check("99"), "somebody shows a card that was not sold"),
    (first.PlayOn(), "play goes on; nothing was won"),
    (first.Draw(1), "a row on 9 and 11 and another on 10"),
    (first.Stop(), "somebody calls out"),
    (first.Check("10"), "valid: a row was completed on the last number"),
    (first.Check("9"), "valid too: a tie"),
    (first.Check("11"), "Anna's other card: she is one player"),
    (first.PlayOn(), "two players share a quarter of 11, rounded down: 2; 1 each"),
    (first.Check("10"), "10 has two full rows already, the second on this very number"),
    (first.PlayOn(), "it takes the second quarter"),
    (first.TakeBack(), "1 was a wrong call: both shares go back into the pool"),
    (first.Draw(3), "the right number: a row on 11"),
    (first.Draw(2), "nobody claimed on 3; now 9 and 11 complete rows too"),
    (first.Check("10"), "too late: its row was full before"),
    (first.Check("9"), "valid"),
    (first.PlayOn(), "Anna wins the row alone"),
    (first.Check("11"), "two rows on 2"),
    (first.PlayOn(), "Anna wins two rows"),
    (first.Draw(5), "9 and 10 want 1 only"),
    (first.Check("10"), "not complete"),
    (first.PlayOn(), "play goes on"),
    (first.Draw(1), "all three are full"),
    (first.Check("10"), "valid"),
    (first.Check("9"), "valid"),
    (first.PlayOn(), "the last half, with the odd units 7, goes to two players: the lower serial gets the odd one"),
    (first.Close(), "the game ends"),
]

_TAMBOLA = [
    (first.Draw(4), "a row on 10, and a number of 11"),
    (first.CheckTicket((4,), ""), "somebody shows the one number of a row on a ticket from elsewhere"),
    (first.Check("10"), "the same number is a row of 10: a tie"),
    (first.PlayOn(), "both have won the goose until lots are drawn"),
    (first.DecideLots("row", (("10", 2), ("ticket-3-1", 1))), "the higher knob: the goose is for 10"),
    (first.TakeBack(), "4 was a wrong call: the goose goes back; no ticket will be called ticket-3-1 again"),
    (first.Draw(1), "a row on 9 and on 10"),
    (first.Check("9"), "valid for the row; two numbers it has not"),
    (first.PlayOn(), "Anna has the goose"),
    (first.Draw(2), "9, 10 and 11 have two numbers now; 11 sleeps"),
    (first.CheckTicket((2, 4), "Zoe", "early-two"), "4 was taken back: not complete"),
    (first.Check("9"), "two numbers"),
    (first.Check("10"), "two numbers"),
    (first.PlayOn(), "5 for two players: 2 each; the odd one joins the house, which is worth 6"),
    (first.Draw(4), "11 has three numbers"),
    (first.Check("11"), "it wants one more; two numbers are won"),
    (first.PlayOn(), "play goes on"),
    (first.Draw(5), "10 is full"),
    (first.Check("10"), "the house"),
    (first.PlayOn(), "now the second house is open"),
    (first.Check("10"), "it has had the house: the second is for another card"),
    (first.Check("9"), "3 is wanting"),
    (first.PlayOn(), "play goes on"),
    (first.Draw(3), "9 and 11 are full: both are Anna's"),
    (first.Check("11"), "the second house"),
    (first.Check("9"), "she is one player"),
    (first.PlayOn(), "2 for Anna; the fifth call is within the jackpot's five: that too"),
    (first.Close(), "the game ends"),
]

SAMPLES: dict[str, Sample] = {
    "loto-first": Sample(
        game=first.GAME,
        setups={
            "quarters": _book(11, first.Stakes.QUARTERS),
            "whole": _book(7, first.Stakes.WHOLE),
            "any number": _book(3, first.Stakes.QUARTERS, last_number=False),
            "at once": first.Setup(
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
            *(first.Draw(number) for number in range(-1, 8)),
            first.Stop(),
            *(first.Check(serial) for serial in (*_SERIALS, first.ANY_CARD, "", "a b", "9,10", "9:valid", "9\n")),
            first.PlayOn(),
            first.TakeBack(),
            first.Close(),
            *(first.CheckTicket(numbers) for numbers in (first.ANY_TICKET, (4, 4), (0,), (6,), (1, 2, 3, 4, 5))),
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
    )
}


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
        reached = (sample.game.apply(state, action) for state in layers[-1].values() for action in sample.legal(state))
        layers.append({text: state for state in reached if (text := sample.game.notation(state)) not in seen})
        seen.update(layers[-1])
    return layers


def counts(sample: Sample) -> dict[str, Any]:
    """For every setup: ways by depth, how the deepest ones divide by the first action, and new states by depth."""
    found = {}
    for name, setup in sample.setups.items():
        start = sample.game.start(setup)
        depth, deepest = sample.depths[name]
        split = {str(a): count(sample, sample.game.apply(start, a), depth - 1) for a in sample.legal(start)}
        ways = [count(sample, start, shallower) for shallower in range(depth)] + [sum(split.values())]
        layers = states(sample, start, deepest)
        found[name] = {"ways by depth": ways, "ways by first action": split, "states by depth": [len(layer) for layer in layers]}
    return found


def trace(sample: Sample) -> str:
    """The scripted games, state by state."""
    game = sample.game
    lines = []
    for name, script in sample.scripts.items():
        state = game.start(sample.setups[name])
        lines += [f"{game.title}: {name}", ""]
        lines += [f"  card {card}" for card in getattr(state.setup, "cards", {}).values()] + _shown(game, state)
        for action, remark in script:
            state = game.apply(state, action)
            lines += ["", f"{action}   # {remark}", *_shown(game, state)]
        lines += ["", str(game.outcome(state)), "", ""]
    return "\n".join(lines[:-1])


def _shown(game: Game[Any, Any, Any], state: Any) -> list[str]:
    funds = " ".join(f"{account}={units}" for account, units in game.funds(state).items())
    may = ", ".join(str(action) for action in game.actions(state)) or "nothing"
    return [f"  {game.notation(state)}", f"  funds: {funds}", f"  may: {may}"]


def count_file(name: str) -> Path:
    """Where a game's counts are kept."""
    return FOLDER / f"{name.replace('-', '_')}.counts.json"


def trace_file(name: str) -> Path:
    """Where a game's trace is kept."""
    return FOLDER / f"{name.replace('-', '_')}.trace.txt"


def _json(found: dict[str, Any]) -> str:
    lines = [
        f'"{name}": {{\n' + ",\n".join(f' "{what}": {json.dumps(n)}' for what, n in of.items()) for name, of in found.items()
    ]
    return "{\n" + "\n},\n".join(lines) + "\n}\n}\n"


def write() -> None:
    """Writes both files of every game."""
    for game in GAMES:
        sample = SAMPLES[game.name]
        count_file(game.name).write_text(_json(counts(sample)), encoding="utf-8")
        trace_file(game.name).write_text(trace(sample), encoding="utf-8")


if __name__ == "__main__":
    write()
