"""A game's proof: its lines with their paths to the signed head, and nothing of sale and money."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.errors import Damaged, StoreError, Unreadable
from station.proof.leaves import Way
from station.proof.merkle import Edge, root_by
from station.record.chain import entry_alone, leaf_in
from station.record.heads import leaf_of, parse_head
from station.record.journal import FILE
from station.record.proof import grown_of, make_grown, make_proof
from station.record.requests import Command, SeeNext
from station.record.session import Session
from tests.drill.sender import certain
from tests.grown import has_grown
from tests.sealed_halls import Organiser
from tests.support import ADMIN, CLOCK, Told, night_in, run

ACTS = ("open", "draw", "draw", "undo", "draw", "close", "open", "draw")


Do = str | dict[str, Any]


def signed(folder: Path, acts: Sequence[Do], way: Way = Way.COMMITTED) -> tuple[str, str]:
    """The head and the key of a night in which this was done; "look" is the caller's, at the number
    that comes next."""
    folder.mkdir(exist_ok=True)
    with night_in(folder) as night:
        session = Session(night, Told(), CLOCK, Random(1), way=way)
        for step, act in enumerate(acts):
            via = "button:draw" if act == "draw" else "wire"
            if act == "look":
                wish = Command(f"act-{step}", SeeNext(), ADMIN, via)
            else:
                do = {"act": act} if isinstance(act, str) else act
                wish = Command.read(f"act-{step}", do, ADMIN, via)
            run(session.submit(certain(session, wish)))
        return session.head, night.journal.signer.public


def told_in(folder: Path, game: int, head: tuple[str, str]) -> str:
    """The acts of the lines that are told of a game."""
    proof = json.loads(make_proof(folder, 1, game, *head))
    return " ".join(json.loads(line)["do"]["act"] for line, _ in proof["lines"])


@pytest.fixture
def head(tmp_path: Path) -> tuple[str, str]:
    """A night of two games, and its head and key."""
    return signed(tmp_path, ACTS)


def test_each_line_of_the_game_leads_to_the_head(tmp_path: Path, head: tuple[str, str]) -> None:
    """And no line of another game, or of money."""
    proof = json.loads(make_proof(tmp_path, 1, 1, *head))
    read = parse_head(head[0])
    told = [entry_alone(line.encode()) for line, _ in proof["lines"]]
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
    assert told_in(tmp_path, 1, signed(tmp_path, acts.split())) == told


def test_the_halls_words_are_told_and_who_waived_them(tmp_path: Path) -> None:
    """Without them no number could be checked."""
    words = {"act": "mix", "words": "green horse"}
    waived = {"act": "waive", "about": "words", "who": "Anna", "why": "alone"}
    acts = ["open", words, "draw", "close", "open", waived, "draw"]
    head = signed(tmp_path, acts, Way.SHARED)
    assert told_in(tmp_path, 1, head) == "open mix draw"
    assert told_in(tmp_path, 2, head) == "open waive draw"


def test_a_sealed_game_is_told_with_its_file_and_without_its_keys(tmp_path: Path) -> None:
    """A key may be of a call that is still to come; a file that was given up is no game's."""
    organiser = Organiser(tmp_path / "organiser")
    take = {"act": "take-sealed", "game": organiser.game.model_dump()}
    keys = {"act": "take-keys", "first": 1, "keys": "".join(organiser.keys[:5])}
    after = [keys, "draw", "draw", "close", {"act": "take-sealed"}, "open", "draw"]
    for name, opening in (("first", [take]), ("again", [take, {"act": "take-sealed"}, take])):
        head = signed(tmp_path / name, [*opening, "open", *after])
        assert told_in(tmp_path / name, 1, head) == "take-sealed open draw draw"
        assert told_in(tmp_path / name, 2, head) == "open draw"
    head = signed(tmp_path / "own", [take, {"act": "take-sealed"}, "open", "draw"])
    assert told_in(tmp_path / "own", 1, head) == "open draw"


def test_a_record_that_has_grown(tmp_path: Path) -> None:
    """Of any two heads the shorter is shown to be the beginning of the longer one; lines that are
    not there are refused."""
    head, _ = signed(tmp_path, ACTS)
    raw = (tmp_path / "nights" / "0001" / FILE).read_bytes().splitlines()
    leaves = [leaf_in(line) for line in raw]
    size = parse_head(head).size
    assert size == len(leaves)
    for small in range(1, size + 1):
        path = json.loads(make_grown(tmp_path, 1, small, size))["path"]
        roots = (Edge.over(leaves[:small]).root, Edge.over(leaves).root)
        assert has_grown([bytes.fromhex(one) for one in path], small, roots[0], size, roots[1])
        with night_in(tmp_path) as night:  # as the core tells it, from memory
            assert json.loads(grown_of(night.journal.tree, 1, small, size, size))["path"] == path
    for wrong in ((1, size + 1), (3, 2)):
        with pytest.raises(Unreadable, match=f"it has {min(size, wrong[1])}"):
            make_grown(tmp_path, 1, *wrong)
    with pytest.raises(StoreError):
        make_grown(tmp_path, 2, 1, 1)
    with pytest.raises(Unreadable, match="it has 0"):
        make_grown(tmp_path, 1, 0, 0)
    (tmp_path / "nights" / "0001" / FILE).write_bytes(raw[0] + b"\n[]\n")
    with pytest.raises(Damaged, match=rf"0001/{FILE}:2: it is not a journal line"):
        make_grown(tmp_path, 1, 1, 2)
