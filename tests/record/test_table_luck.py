"""What the station throws, shuffles and deals is bound beforehand: over starts, to the last leaf;
nothing of it lies anywhere before it may be known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.proof.leaves import LEAVES, Way
from station.record import hidden
from station.record.journal import FILE
from station.record.requests import Command, Refused
from station.record.session import Session
from station.record.station_key import make_key
from tests.company import PACK
from tests.record.test_unforeseen import Remembering, everything
from tests.support import CLOCK, Told, night_in, run, verify
from tests.table_nights import BREAK, METHODS, SIT, play_on, play_tables, sent

KENO = GamePlan(name="Keno", method="dice-keno")


def lines_of(state: Path, night: int = 1) -> list[dict[str, Any]]:
    text = (state / "nights" / f"{night:04d}" / FILE).read_text()
    return [json.loads(line) for line in text.splitlines()]


def leaves_in(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each leaf that a line opens."""
    do, parts = line["do"], line["then"].get("unsealed", ())
    yield from (one["chance"]["leaf"] for one in (do, *parts) if "chance" in one)
    if "leaf" in do:
        yield do["leaf"]


@pytest.mark.parametrize("way", [Way.COMMITTED, Way.SHARED, Way.FRESH])
def test_whole_nights_are_played_again(tmp_path: Path, way: Way) -> None:
    """Dice, cubes, playing cards and cards of Loto, over starts: the record is whole, is replayed
    to the same digests, and has no throw of the station's without its leaf."""
    play_tables(tmp_path, 1, way)
    assert len(verify(tmp_path)) == 2
    lines = lines_of(tmp_path)
    luck = [line["do"]["luck"] for line in lines if line["do"]["act"] in ("sit", "commit")]
    assert {one["way"] for one in luck} == {"fresh" if way is Way.FRESH else "committed"}
    assert [one["epoch"] for one in luck] == [*range(1, len(luck) + 1)]
    assert (len(luck) == 1) == (way is Way.FRESH)
    hidden_ones = [line["do"] for line in lines if "later" in line["do"]]
    opened = [part for line in lines for part in line["then"].get("unsealed", ())]
    assert len(hidden_ones) == len([part for part in opened if "chance" in part])
    assert {do["move"]["do"] for do in hidden_ones} >= {"deal-hands", "deal-birds"}
    assert len([*(leaf for line in lines for leaf in leaves_in(line))]) >= len(METHODS)


def test_nothing_lies_on_the_disk_before_it_may_be_known(tmp_path: Path) -> None:
    """After each start: the secrets of leaves that lines have opened stand on the disk, those of
    the hand that is on in its owner's file alone, and no others."""
    key, luck = make_key(tmp_path), Remembering(3)
    games = tuple(GamePlan(name=name, method=name) for name in ("spoil-five", "dice-keno"))
    with night_in(
        tmp_path, programme=Programme(name="A", games=games), key=key, pack=PACK
    ) as night:
        sent(Session(night, Told(), CLOCK, luck), SIT)
    kept = 0
    for acts in (["open"], [], [], ["break", "open"], [], []):
        with night_in(tmp_path, key=key) as night:
            session = Session(night, Told(), CLOCK, luck)
            for act in acts:
                sent(session, BREAK if act == "break" else {"act": act})
            play_on(session, Random(1), 3)
        part = night.folder / hidden.FILE
        of_hand = part.read_bytes() if part.exists() else b""
        lines = lines_of(tmp_path)
        shown = {leaf["secret"] for line in lines for leaf in leaves_in(line)}
        disk = everything(tmp_path)
        there = {secret.hex() for secret in luck.gave if secret.hex().encode() in disk}
        in_hand = {secret for secret in there if secret.encode() in of_hand} - shown
        assert not any(secret in disk for secret in luck.gave)
        assert there == shown | in_hand
        pending = [line for line in lines if "later" in line["do"]]
        done = [part for line in lines for part in line["then"].get("unsealed", ())]
        assert len(in_hand) == len(pending) - len([one for one in done if "chance" in one])
        kept += len(in_hand)
    assert kept


def test_when_all_leaves_are_opened_others_are_committed_to(tmp_path: Path) -> None:
    """Ninety throws, and the next epoch stands in the record before the ninety-first."""
    programme = Programme(name="Keno", games=(KENO,) * 8)
    with night_in(tmp_path, programme=programme, pack=PACK) as night:
        session = Session(night, Told(), CLOCK, Random(4))
        sent(session, SIT)
        while session.hall.leaves is None or session.hall.leaves.binding.epoch == 1:
            sent(session, {"act": "open"})
            play_on(session, Random(1), 40)
            if session.hall.game_open:
                sent(session, BREAK)
    lines = lines_of(tmp_path)
    at = next(at for at, line in enumerate(lines) if line["do"]["act"] == "commit")
    before = [leaf["at"] for line in lines[:at] for leaf in leaves_in(line)]
    after = [leaf["at"] for line in lines[at:] for leaf in leaves_in(line)]
    assert before == [*range(LEAVES)]
    assert after == [*range(len(after))] != []
    assert lines[at]["do"]["luck"]["epoch"] == 2
    assert lines[at]["via"] == "luck"
    verify(tmp_path)


def test_a_refused_throw_commits_to_nothing(tmp_path: Path) -> None:
    """After a start the table is committed to anew by whoever may throw now, and nobody else."""
    with night_in(tmp_path, programme=Programme(name="Keno", games=(KENO,)), pack=PACK) as night:
        session = Session(night, Told(), CLOCK, Random(4))
        sent(session, SIT)
        sent(session, {"act": "open"})
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(5))
        assert session.lost_table
        seq = session.seq
        deal = {"act": "move", "move": {"do": "deal-cards"}}
        stranger = Person("seat 9", Role.SEAT, 9)
        said = run(session.submit(Command.read("x", deal, stranger, "wire")))
        assert isinstance(said, Refused)
        assert (session.seq, session.lost_table) == (seq, True)
        sent(session, deal)
        assert (session.seq, session.lost_table) == (seq + 2, False)
        forged = {**deal, "chance": {"leaf": {"at": 0, "secret": "00" * 32}}, "later": 3}
        said = run(session.submit(Command.read("y", forged, stranger, "wire")))
        assert isinstance(said, Refused)
