"""The hands at a simulated dice tower: what they are asked is thrown, or refused with nothing
thrown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from drivers import BadOption
from drivers.readers.tower import Lies
from station.base.errors import Unreadable
from station.core.simulation.hands import DiceHands
from station.rules.play import Chance, Luck

DEVICES = {"tower": {"driver": "dice-tower", "port": "simulated"}}
CUBES = ("1", "2", "3", "4", "5", "6", "bell", "hammer")
DUE = Chance(Luck.DICE, "throw-dice", "dice", dice=2)
ALL_CUBES = Chance(Luck.CUBES, "throw-cubes", "shown", things=CUBES)


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[DiceHands]:
    hands = DiceHands(tmp_path, DEVICES, Random(4))
    yield hands
    hands.towers["tower"].close()


def test_what_is_due_is_thrown_by_chance(hands: DiceHands) -> None:
    """As many dice as are thrown now, each of six faces; each cube with its mark or a blank; and
    one die where nothing is due."""
    seen = set()
    for _ in range(100):
        hands.move("throw", {}, DUE)
        look = hands.look(DUE)
        assert look is not None
        assert (look["due"], look["count"], len(look["lies"])) == ("dice", 2, 3)
        seen |= set(look["lies"][1:])
    assert seen == set("123456")
    marks = set()
    for _ in range(200):
        hands.move("throw", {}, ALL_CUBES)
        lies = hands.towers["tower"].lies
        assert lies.what is Lies.CUBES
        assert all(face in (own, "0") for face, own in zip(lies.faces, "123456BH", strict=True))
        marks |= set(lies.faces)
    assert marks == set("0123456BH")
    hands.move("throw", {}, None)
    assert len(hands.towers["tower"].lies.faces) == 1


FAULTS = [
    ({"fault": "askew"}, Lies.ASKEW, 0),
    ({"fault": "fallen"}, Lies.FALLEN, 0),
    ({"fault": "touched"}, Lies.TOUCHED, 0),
    ({"fault": "missing"}, Lies.DICE, 1),
    ({"fault": "missing", "faces": "4"}, Lies.FALLEN, 0),
    ({"faces": "61"}, Lies.DICE, 2),
    ({"faces": "B0", "cubes": True}, Lies.CUBES, 2),
]


@pytest.mark.parametrize(("message", "what", "count"), FAULTS)
def test_all_that_goes_wrong_is_thrown(
    hands: DiceHands, message: dict[str, Any], what: Lies, count: int
) -> None:
    """As it is asked for; each is one throw more."""
    hands.move("throw", message, DUE)
    lies = hands.towers["tower"].lies
    assert (lies.what, len(lies.faces), lies.count) == (what, count, 1)


@pytest.mark.parametrize(
    ("message", "error"),
    [({"fault": "lost"}, Unreadable), ({"faces": "7"}, BadOption), ({"faces": "B"}, BadOption)],
)
def test_what_cannot_be_thrown_is_refused(
    hands: DiceHands, message: dict[str, Any], error: type[Exception]
) -> None:
    """A sentence, and nothing was thrown."""
    with pytest.raises(error):
        hands.move("throw", message, DUE)
    assert hands.towers["tower"].lies.what is Lies.NOTHING


def test_the_cable_is_pulled_and_put_back(hands: DiceHands) -> None:
    """It is seen, and what lay there is not known any more."""
    hands.move("throw", {}, DUE)
    hands.move("unplug-tower", {}, DUE)
    assert (hands.look(DUE) or {})["plugged"] is False
    hands.move("plug-tower", {}, DUE)
    assert hands.look(None) == {"plugged": True, "lies": "N", "due": "", "count": 0}
    hands.move("garble-tower", {}, DUE)
    hands.move("hang-tower", {"on": True}, DUE)
    assert hands.towers["tower"].plugged


def test_without_a_tower_nothing_is_thrown(tmp_path: Path) -> None:
    """It is said so, and not shown."""
    hands = DiceHands(tmp_path, {})
    assert hands.look(DUE) is None
    with pytest.raises(Unreadable, match="no dice tower"):
        hands.move("throw", {}, DUE)
