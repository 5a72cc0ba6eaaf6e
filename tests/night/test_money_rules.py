"""The published rules of money: the worked example of `docs/money.md` comes out to the unit."""

from __future__ import annotations

import tomllib
from pathlib import Path

from station.night.acts import (
    Act,
    Approve,
    Bank,
    Break,
    ClaimCard,
    CloseGame,
    DrawKnob,
    Open,
    Pay,
    PlayOn,
    Sell,
    Undo,
)
from station.night.hall import Hall, apply
from station.programme.programme import Programme
from tests.night.test_hall import PACK, ROWS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "money.md"
A, B, C = PACK.serials[:3]
REST = PACK.serials[2:]


def row(serial: str, *places: int) -> list[Act]:
    return [DrawKnob(number=number) for place in places for number in ROWS[serial][place]]


# Each step is a row of the document's table.
STEPS: list[list[Act]] = [
    [
        Sell(serials=(A,), to="Anna", games=2),
        Sell(serials=(B,), to="Bruno", games=2),
        Sell(serials=REST, games=2),
    ],
    [Open()],
    [*row(A, 0), ClaimCard(serial=A), ClaimCard(serial=B), PlayOn()],
    [Pay(serial=A)],
    [*row(A, 1), ClaimCard(serial=A), PlayOn()],
    [*row(A, 2), ClaimCard(serial=A), PlayOn(), CloseGame()],
    [Approve(serial=A, who="Eva"), Pay(serial=A, who="Ben")],
    [Open()],
    [*row(B, 0), ClaimCard(serial=C), PlayOn(), Pay(serial=C)],
    [Approve(about="undo", who="Eva"), Approve(about="undo", who="Ben"), Undo(why="37, not 73")],
    [row(B, 0)[-1], ClaimCard(serial=A), ClaimCard(serial=B), ClaimCard(serial=C), PlayOn()],
    [Break(why="the light is out")],
    [Bank(account="charity", amount=90)],
]


def test_the_worked_example():
    """Each row of the table: after what happens there, the accounts are those that stand beside
    it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    example = text[text.index("## An example") :]
    programme = Programme.model_validate(tomllib.loads(example.split("```toml")[1].split("```")[0]))
    table = [line.strip("| ").split("|") for line in example.splitlines() if line.startswith("|")][
        2:
    ]
    hall = Hall(PACK, programme)
    told = []
    for acts in STEPS:
        for act in acts:
            hall = apply(hall, act)
        told.append(str(hall.ledger))
    assert [accounts.strip().replace("`", "") for _, accounts in table] == told
