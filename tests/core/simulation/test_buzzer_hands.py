"""The hands at a simulated table's buzzers: what they are asked is done, or refused with nothing
done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drivers.simulated.pins import SimulatedPins
from station.base.errors import Unreadable
from station.core.simulation.hands import MOST_APART_US, BuzzerHands
from tests.support import run

DEVICES = {"buzzers": {"driver": "buzzers", "pins": {"1": 5, "2": 6}}}


@pytest.fixture
def hands(tmp_path: Path) -> BuzzerHands:
    pins = SimulatedPins()
    for pin in DEVICES["buzzers"]["pins"].values():
        pins.pin(pin)
    return BuzzerHands(tmp_path, DEVICES, pins)


@pytest.mark.parametrize("apart", [0, 1, MOST_APART_US])
def test_two_buzzers_are_pressed_at_once_or_one_after_the_other(
    hands: BuzzerHands, apart: int
) -> None:
    """From the very same moment to a second apart."""
    run(hands.move("buzz-down", {"lines": [1, 2], "apart": apart}))
    assert hands.look()["buzzers"]["down"] == [1, 2]
    run(hands.move("buzz-up", {"lines": [2]}))
    assert hands.look()["buzzers"]["down"] == [1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"apart": -1},
        {"apart": MOST_APART_US + 1},
        {"apart": True},
        {"apart": "1"},
        {"lines": []},
        {"lines": [3]},
        {"lines": ["1"]},
        {"lines": 1},
        {"box": "buzzers-left"},
    ],
)
def test_what_cannot_be_done_is_refused_whole(hands: BuzzerHands, wrong: dict[str, Any]) -> None:
    """A sentence, and no buzzer is pressed."""
    with pytest.raises(Unreadable, match=r"apart is|lines is|there is no box"):
        run(hands.move("buzz-down", {"lines": [1], **wrong}))
    assert hands.look()["buzzers"]["down"] == []


@pytest.mark.parametrize("hand", ["unplug-buzzers", "plug-buzzers", "garble-buzzers"])
def test_buzzers_on_pins_have_no_cable(hands: BuzzerHands, hand: str) -> None:
    """It is said so."""
    with pytest.raises(Unreadable, match="they have no cable"):
        run(hands.move(hand, {}))
