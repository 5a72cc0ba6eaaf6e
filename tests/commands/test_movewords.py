"""What is typed for a move: every kind of slot, what may be left out, and what is wanted where
words do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from station.commands.tablemoves import MoveReading

TOLD = {"seats": [{"seat": 1, "name": "Anna"}, {"seat": 2, "name": "Bruno"}]}


def slot(
    kind: str, *names: str, values: Sequence[Any] = (), least: int = 1, most: int = 1
) -> dict[str, Any]:
    """A slot as the station tells it."""
    return {
        "names": list(names),
        "kind": kind,
        "values": list(values),
        "least": least,
        "most": most,
    }


def reading(
    *slots: dict[str, Any], given: Mapping[str, str] | None = None, **fields: Any
) -> MoveReading:
    """A move with these fields settled and these slots open."""
    return MoveReading(TOLD, {"fields": fields, "slots": list(slots)}, given or {})


PASSED = slot("hand", "cards", values=["2C", "5H", "10S", "KD"], least=2, most=3)
TOGETHER = slot("serial", "other", "wanted", values=[[0, "0009"], [2, "0012"]])


@pytest.mark.parametrize(
    ("read", "words", "chosen"),
    [
        (reading(), "", {}),
        (reading(), "x", None),
        (reading(seat=2), "", {}),
        (reading(seat=2), "2", {}),
        (reading(seat=2), "Bruno", {}),
        (reading(seat=2), "Anna", None),
        (reading(seat=2, serial="0007"), "0007", {}),
        (reading(seat=2, serial="0007"), "2 0007", {}),
        (reading(seat=2, serial="0007"), "Bruno", None),
        (reading(seat=2, serial="0007"), "0007 2", None),
        (reading(number=45), "45", {}),
        (reading(number=45), "", None),
        (reading(slot("number", "drawings", least=1, most=9)), "3", {"drawings": 3}),
        (reading(slot("number", "drawings", least=1, most=9)), "three", None),
        (reading(slot("number", "bid", values=[2, 4])), "4", {"bid": 4}),
        (reading(slot("number", "bid", values=[2, 4])), "3", None),
        (reading(TOGETHER, seat=1, serial="0007"), "0007 0012", {"other": 2, "wanted": "0012"}),
        (reading(TOGETHER, seat=1, serial="0007"), "0007 0013", None),
        (reading(TOGETHER, seat=1, serial="0007"), "0012", None),
        (reading(PASSED), "5H KD", {"cards": ["5H", "KD"]}),
        (reading(PASSED), "5H", None),
        (reading(PASSED), "2C 5H 10S KD", None),
        (reading(slot("seat", "whom")), "Bruno", {"whom": 2}),
        (reading(slot("seat", "whom")), "Carla", None),
        (reading(slot("square", "place", values=[0, 7])), "7", {"place": 7}),
        (reading(slot("one-of", "suit", values=["S", "H"])), "H", {"suit": "H"}),
        (reading(slot("yes-no", "pays")), "yes", {"pays": True}),
        (reading(slot("yes-no", "pays")), "no", {"pays": False}),
        (reading(slot("yes-no", "pays")), "maybe", None),
        (
            reading(slot("race", "seats", "micros")),
            "Bruno 1",
            {"seats": [2, 1], "micros": [0, 0]},
        ),
        (reading(slot("race", "seats", "micros")), "", None),
        (
            reading(slot("seat", "whom"), slot("number", "bid", least=1, most=9)),
            "Anna 3",
            {"whom": 1, "bid": 3},
        ),
        (reading(slot("number", "bid", least=1, most=9), given={"bid": "3"}), "", {"bid": 3}),
        (reading(PASSED, given={"cards": "5H,KD"}), "", {"cards": ["5H", "KD"]}),
        (reading(TOGETHER, given={"wanted": "0012"}), "", {"other": 2, "wanted": "0012"}),
        (reading(TOGETHER, given={"other": "0"}), "0012", None),
        (reading(seat=2, serial="0007", given={"seat": "Bruno"}), "0007", {}),
        (reading(seat=2, serial="0007", given={"seat": "Anna"}), "0007", None),
        (reading(seat=2, given={"colour": "red"}), "", None),
    ],
)
def test_words_are_read_by_what_the_move_asks_for(
    read: MoveReading, words: str, chosen: dict[str, Any] | None
) -> None:
    """A seat may be left out, what else is settled is typed as it is, and each slot takes what may
    stand in it and nothing else."""
    ways = [*read.ways(words.split())]
    assert ways == ways[:1] * len(ways)
    assert ways[:1] == ([] if chosen is None else [chosen])


@pytest.mark.parametrize(
    ("read", "words", "reached", "wanted"),
    [
        (reading(seat=2, serial="0007"), "0008", 0, {"Bruno", "0007"}),
        (reading(TOGETHER, seat=1, serial="0007"), "0007 0013", 1, {"0009", "0012"}),
        (reading(slot("number", "bid", least=1, most=9)), "", 0, {"1 to 9"}),
        (reading(slot("yes-no", "pays")), "maybe", 0, {"yes", "no"}),
        (reading(PASSED), "5H 9D", 1, {"2C", "5H", "10S", "KD"}),
        (reading(slot("race", "seats", "micros")), "Zoe", 0, {"Anna", "Bruno"}),
        (reading(), "x", 0, set()),
        (reading(seat=2, given={"colour": "red"}), "", 0, {"seat"}),
    ],
)
def test_where_words_do_not_fit_it_is_known_what_would(
    read: MoveReading, words: str, reached: int, wanted: set[str]
) -> None:
    """The place of the first word that fits no more, and what may stand there."""
    assert [*read.ways(words.split())] == []
    assert (read.reached, read.wanted) == (reached, wanted)


def test_a_refused_move_is_meant_whatever_stands_in_its_slots() -> None:
    """Where nothing may be chosen now it still is the move that was typed; another's is not."""
    refused = reading(slot("serial", "other", "wanted"), seat=1, serial="0007")
    assert refused.means(["0007", "0012"])
    assert refused.means(["0007"])
    assert not refused.means(["0008", "0012"])
    assert not reading(seat=2).means(["Zoe"])
    assert reading(seat=2).means([])
