"""One small sample of every game: a setup to count, everything a player could try, and a scripted game to read.

`python -m tests.games.samples` writes the count and trace files anew. Do so only for a rule that was changed on purpose, and read
what changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from station.rules import GAMES, Game
from station.rules import loto_first as first
from station.table import Card

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Sample:
    """A game made small.

    Attributes:
        setups: by name; each is counted.
        universe: every action that anybody could try, also senseless ones.
        instances: the actions that a listed action, maybe a pattern, stands for in a state.
        depth: how deep to count ways; states are counted `further` steps deeper.
        script: what is played in the trace, with the first setup, and a remark for each step.
    """

    game: Game[Any, Any, Any]
    setups: dict[str, Any]
    universe: Sequence[Any]
    instances: Callable[[Any, Any], Iterable[Any]]
    depth: int
    further: int
    script: Sequence[tuple[Any, str]]

    def legal(self, state: Any) -> list[Any]:
        """All actions that are listed, patterns replaced by what they stand for."""
        return [action for listed in self.game.actions(state) for action in self.instances(state, listed)]


def _card(serial: str, *rows: tuple[int, ...]) -> Card:
    return Card(serial, rows)


# Anna holds 9 and 11, nobody by name holds 10. 1 completes a row on all three; no number stands in all rows.
_CARDS = {
    card.serial: card
    for card in (_card("9", (1,), (2, 3), (5,)), _card("10", (1,), (4,), (2, 5)), _card("11", (3,), (1, 4), (2,)))
}
_ANNA = {"9": "Anna", "11": "Anna"}
_SERIALS = ("9", "10", "11", "99")


def _loto_instances(state: first.State, action: first.Action) -> Iterable[first.Action]:
    if action == first.Check(first.ANY_CARD):
        checked = {claim.serial for claim in state.claims}
        return [first.Check(serial) for serial in _SERIALS if serial not in checked]
    return [action]


_SCRIPT = [
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

SAMPLES: dict[str, Sample] = {
    "loto-first": Sample(
        game=first.GAME,
        setups={
            "quarters": first.Setup(_CARDS, 11, first.Stakes.QUARTERS, _ANNA, register="r", knobs=5),
            "whole": first.Setup(_CARDS, 7, first.Stakes.WHOLE, _ANNA, register="r", knobs=5),
            "any number": first.Setup(_CARDS, 3, first.Stakes.QUARTERS, _ANNA, last_number=False, register="r", knobs=5),
        },
        universe=(
            *(first.Draw(number) for number in range(-1, 8)),
            first.Stop(),
            *(first.Check(serial) for serial in (*_SERIALS, first.ANY_CARD, "", "a b", "9,10", "9:valid", "9\n")),
            first.PlayOn(),
            first.TakeBack(),
            first.Close(),
            None,
            "draw",
        ),
        instances=_loto_instances,
        depth=5,
        further=2,
        script=_SCRIPT,
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
        split = {str(a): count(sample, sample.game.apply(start, a), sample.depth - 1) for a in sample.legal(start)}
        ways = [count(sample, start, depth) for depth in range(sample.depth)] + [sum(split.values())]
        layers = states(sample, start, sample.depth + sample.further)
        found[name] = {"ways by depth": ways, "ways by first action": split, "states by depth": [len(layer) for layer in layers]}
    return found


def trace(sample: Sample) -> str:
    """The scripted game, state by state."""
    game = sample.game
    state = game.start(next(iter(sample.setups.values())))
    lines = [game.title, ""]
    lines += [f"  card {card}" for card in getattr(state.setup, "cards", {}).values()] + _shown(game, state)
    for action, remark in sample.script:
        state = game.apply(state, action)
        lines += ["", f"{action}   # {remark}", *_shown(game, state)]
    return "\n".join([*lines, "", str(game.outcome(state)), ""])


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
