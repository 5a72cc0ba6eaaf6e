"""Lines of a draw whose values are only alike those of a station are damage (`docs/record.md`)."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import Damaged
from station.night.sealed import Sealed
from station.night.sealed_play import commitment_of
from station.proof.leaves import LEAVES, Binding, Secrets, Source
from station.proof.sealed_game import SealedGame
from station.record.chain import line_of
from station.record.station_key import public_key, sign
from station.record.traces import Traces
from station.rules.law import Decided
from tests.support import STATION_KEY

PUBLIC = public_key(STATION_KEY)
AT = {"trust": "network", "wall": "2026-11-28T19:30:00.000Z"}
OPENING = {
    "act": "open-night",
    "night": 1,
    "version": "1",
    "test": True,
    "last_number": False,
    "copies": [],
    "strict": False,
    "key": PUBLIC,
}
TABLE = Secrets(Binding(PUBLIC, 1, 0, 0), [bytes([at]) * 32 for at in range(LEAVES)])
BAG = Secrets(Binding(PUBLIC, 1, 1), [bytes([at]) * 32 for at in range(LEAVES)])
OF_BAG = {"way": "committed", "station": PUBLIC, "leaves": LEAVES}
SIT = {"act": "sit", "luck": {**OF_BAG, "root": TABLE.root, "epoch": 1}}
FRESH = {"way": "fresh", "station": PUBLIC, "leaves": 0}
LEAF = TABLE.open(0)
FACES = 1  # so that 1 is thrown
THROWN = Source(bytes(32), Binding(PUBLIC, 1, 0, 0).at(0)).die(FACES, 0)
LAW = {"kind": "dice", "field": "pips", "dice": 1, "faces": FACES}
PART = Sealed(
    "0" * 32,
    {"pips": [THROWN]},
    Decided.model_validate({"leaf": LEAF.model_dump(), "law": LAW}),
)
THROW = {"act": "move", "move": {"do": "throw", "sealed": PART.digest}, "later": 0}
DRAWN = BAG.open(0)
KNOB = Source(bytes(32), Binding(PUBLIC, 1, 1).at(0)).knob(range(1, LEAVES + 1))
OPEN = {"act": "open", "bag": BAG.root, "luck": OF_BAG}
DRAW = {"act": "draw", "number": KNOB, "leaf": DRAWN.model_dump()}


def organised() -> dict[str, Any]:
    """A sealed game; no key is asked of it."""
    told = {
        "name": "A",
        "begins": "2026-11-28T19:00:00+00:00",
        "until": "2026-11-28T20:00:00+00:00",
        "organiser": PUBLIC,
        "leaves": "00" * 32 * LEAVES,
        "sealed": "00" * 32 * LEAVES,
    }
    game = SealedGame(**told)
    return game.model_copy(update={"signature": sign(STATION_KEY, game.signed)}).model_dump()


SEALED = SealedGame(**organised())
TAKE: dict[str, Any] = {"act": "take-sealed", "game": SEALED.model_dump()}
LUCK = commitment_of(SEALED).model_dump(mode="json")
OPEN_SEALED = {"act": "open", "bag": SEALED.root, "luck": LUCK, "sealed": SEALED.digest}
DEALING = Source(bytes(32), Binding(PUBLIC, 1, 0, 0).at(0)).shuffled(["0001", "0002"])
DEAL = {"act": "open", "leaf": LEAF.model_dump(), "deal": DEALING}
OVER = {"act": "note"}

Line = tuple[dict[str, Any], dict[str, Any], dict[str, Any]]  # `do`, `then`, `at`


def taken(*lines: Line, via: str = "table") -> None:
    """Take an opening and these lines."""
    traces = Traces(Path("journal.jsonl"))
    for seq, (do, then, at) in enumerate(((OPENING, {}, AT), *lines), 1):
        kinds = {"by": "Anna", "via": via, "id": "", "mono": 1.0, "prev": "", "signature": ""}
        fields = {"seq": seq, "do": do, "then": then, "at": at, **kinds}
        traces.take(line_of(deepcopy(fields)))


def plain(*acts: dict[str, Any]) -> list[Line]:
    """Lines of which nothing followed."""
    return [(do, {}, AT) for do in acts]


WITH_TRUE = Sealed(PART.salt, {"pips": [THROWN == 1]}, PART.chance)
UNSEALED = {"unsealed": [PART.to_json()]}
HONEST: dict[str, list[Line]] = {
    "a bag": plain(OPEN, DRAW, {"act": "undo"}, {"act": "draw", "number": KNOB, "again": True}),
    "a fresh one": plain({**OPEN, "luck": FRESH}),
    "a hidden throw": [*plain(SIT, THROW), (OVER, UNSEALED, AT)],
    "a deal": plain(SIT, DEAL),
    "a sealed game": plain(TAKE, OPEN_SEALED),
    "called twice by hand": plain(OPEN, *({"act": "draw", "number": 7},) * LEAVES),
}
ODD: dict[str, list[Line]] = {
    "false leaves": plain({**OPEN, "luck": {**FRESH, "leaves": False}}),
    "parts are a list": [*plain(SIT), (OVER, {"unsealed": {}}, AT)],
    "true is not thrown": [
        *plain(SIT, {**THROW, "move": {"do": "throw", "sealed": WITH_TRUE.digest}}),
        (OVER, {"unsealed": [WITH_TRUE.to_json()]}, AT),
    ],
    "a digest is a text": plain(SIT, {**THROW, "move": {"do": "throw", "sealed": 1}}),
    "a digest waits once": plain(SIT, THROW, {**THROW, "later": 1}),
    "a deal without cards": plain(SIT, {"act": "open", "leaf": LEAF.model_dump()}),
    "a file without halls": plain(
        {**TAKE, "game": {name: told for name, told in TAKE["game"].items() if name != "halls"}}
    ),
    "a time of no zone": [
        *plain(TAKE),
        (OPEN_SEALED, {}, {"trust": "network", "wall": "2026-11-28T19:30:00"}),
    ],
    "a sealed shaking": plain({"act": "shake", "counted": 90, "bag": SEALED.root, "luck": LUCK}),
}


@pytest.mark.parametrize("lines", HONEST.values(), ids=HONEST)
def test_what_a_station_writes_is_taken(lines: list[Line]) -> None:
    """Each odd line below differs from one of these in one value."""
    taken(*lines)


@pytest.mark.parametrize("lines", ODD.values(), ids=ODD)
def test_an_odd_value_is_damage(lines: list[Line]) -> None:
    """The last line is named."""
    taken(*lines[:-1])
    with pytest.raises(Damaged, match=r"journal\.jsonl:\d+"):
        taken(*lines)


def test_a_bag_is_empty_when_nothing_is_in_it() -> None:
    """A number that was keyed twice leaves one number more in the bag."""
    keyed = [{"act": "draw", "number": 7 + at % 2} for at in range(LEAVES)]
    knob = Source(bytes(32), Binding(PUBLIC, 1, 1).at(0)).knob({*range(1, LEAVES + 1)} - {7, 8})
    taken(*plain(OPEN, *keyed, {**DRAW, "number": knob}))


def test_only_true_calls_a_number_again() -> None:
    """Other values leave a number of the bag without its leaf."""
    lines = plain(OPEN, DRAW, {"act": "undo"})
    taken(*lines, *plain({"act": "draw", "number": KNOB, "again": True}), via="auto")
    with pytest.raises(Damaged, match="jsonl:5"):
        taken(*lines, *plain({"act": "draw", "number": KNOB, "again": "yes"}), via="auto")
