"""Tell Dice Keno by an example: a tie for the lead, and four in a row."""

from __future__ import annotations

from station.rules.example import Example, Step, step, together


def _throw(*dice: int, rule: str = "") -> Step:
    return step("throw-dice", rule, dice=dice)


def _covers(die: int, place: int, rule: str = "") -> Step:
    return together(_throw(die), step("cover-square", place=place), rule=rule)


EXAMPLE = Example(
    names=("Anna", "Bruno"),
    agreed={"stake": 30},
    rule="dice-keno-cards",
    steps=(
        step("deal-cards", "dice-keno-lead", cards=("3", "2", "6", "8", "4", "1", "5", "7")),
        _throw(6, 2),
        _throw(2, 6),
        _throw(4, 1),
        _throw(2, 1, rule="dice-keno-lead"),
        _throw(6, rule="dice-keno-choice"),
        step("cover-square", "dice-keno-turn", place=5),
        _covers(2, 5),
        _covers(5, 13),
        _covers(5, 15),
        _covers(4, 1),
        _covers(1, 0),
        _covers(6, 14),
        _throw(1, rule="dice-keno-must"),
        _throw(6),
        _throw(1, rule="dice-keno-pass"),
        _covers(2, 12),
        _covers(3, 10, rule="dice-keno-row"),
    ),
)
