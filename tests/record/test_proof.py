"""A game's proof: its lines with their paths to the signed head, and nothing of sale and money."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from station.base.errors import Damaged, Unreadable
from station.base.merkle import root_by
from station.record.checkpoint import make_key, public_key
from station.record.heads import leaf_of, parse_head
from station.record.journal import FILE
from station.record.proof import make_proof
from station.record.session import Command, SeeNext, Session
from tests.drill.sender import certain
from tests.support import ADMIN, CLOCK, Told, night_in, run

ACTS = ("open", "draw", "draw", "undo", "draw", "close", "open", "draw")


def signed(folder: Path, acts: Sequence[str]) -> tuple[str, str]:
    """The head and the key of a night in which this was done; "look" is the caller's, at the number
    that comes next."""
    key = make_key(folder)
    with night_in(folder, key=key) as night:
        session = Session(night, Told(), CLOCK, Random(1), key)
        for step, act in enumerate(acts):
            via = "button:draw" if act == "draw" else "wire"
            if act == "look":
                wish = Command(f"act-{step}", SeeNext(), ADMIN, via)
            else:
                wish = Command.read(f"act-{step}", {"act": act}, ADMIN, via)
            run(session.submit(certain(session, wish)))
        return session.head, public_key(key)


@pytest.fixture
def head(tmp_path: Path) -> tuple[str, str]:
    """A night of two games, and its head and key."""
    return signed(tmp_path, ACTS)


def test_each_line_of_the_game_leads_to_the_head(tmp_path: Path, head: tuple[str, str]) -> None:
    """And no line of another game, or of money."""
    proof = json.loads(make_proof(tmp_path, 1, 1, *head))
    read = parse_head(head[0])
    told = [json.loads(line) for line, _ in proof["lines"]]
    assert [line["do"]["act"] for line in told] == ["open", "draw", "draw", "undo", "draw"]
    for line, (raw, path) in zip(told, proof["lines"], strict=True):
        way = [bytes.fromhex(path[at : at + 64]) for at in range(0, len(path), 64)]
        assert root_by(way, leaf_of(raw.encode()), line["seq"] - 1, read.size) == read.root
    second = json.loads(make_proof(tmp_path, 1, 2, *head))
    assert len(second["lines"]) == 2


def test_what_was_not_opened_or_not_written_has_none(tmp_path: Path, head: tuple[str, str]) -> None:
    """A third game; a journal that is shorter than its head, or has what is no line."""
    with pytest.raises(Unreadable, match="game 3 was not opened in night 1"):
        make_proof(tmp_path, 1, 3, *head)
    with pytest.raises(Unreadable, match="not the head"):
        make_proof(tmp_path, 1, 1, "", head[1])
    path = tmp_path / "nights" / "0001" / FILE
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(Damaged, match="lines are missing"):
        make_proof(tmp_path, 1, 1, *head)
    path.write_bytes(b"".join([*lines[:2], b"[]\n", *lines[3:]]))
    with pytest.raises(Damaged, match=r":3: it is not a journal line"):
        make_proof(tmp_path, 1, 1, *head)


@pytest.mark.parametrize(
    ("acts", "told"),
    [
        ("open draw look", "open draw"),
        ("open look draw", "open see draw"),
        ("open draw undo look", "open draw undo"),
        ("open look draw draw undo look", "open see draw draw undo"),
    ],
)
def test_a_number_that_the_caller_saw_is_told_once_it_is_called(
    tmp_path: Path, acts: str, told: str
) -> None:
    """Whoever asks in between does not know the next number before the hall does."""
    proof = json.loads(make_proof(tmp_path, 1, 1, *signed(tmp_path, acts.split())))
    assert [json.loads(line)["do"]["act"] for line, _ in proof["lines"]] == told.split()
