"""Nights: begun and resumed from their folders, one after the other in one chain; copies by digest;
one station a folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.base.disk import Disk, open_regular
from station.base.errors import Damaged, StateInUse, StoreError
from station.night.register import CARRIED
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from station.record import audit
from station.record.chain import START, seal
from station.record.folders import is_open, night_folders
from station.record.heads import Signer
from station.record.journal import FILE, read
from station.record.nights import StateFolder, begin, resume
from station.record.session import Session
from station.record.traces import HEADS
from tests.evenings import SEALED
from tests.support import (
    CLOCK,
    NO_ROOM,
    OPENING,
    PROGRAMME,
    STATION_KEY,
    BadSector,
    MemoryDisk,
    Told,
    night_in,
    play,
    run,
    small_pack,
    submit,
    verify,
)

SELL = {"act": "sell", "serials": ["0001", "0002"], "games": 2}


def play_night(state: Path, acts: list[Any], **options: Any) -> Session:
    """Goes on with the open night, or begins one, and does these acts; the station ends then."""
    with night_in(state, **options) as night:
        session = Session(night, Told(), CLOCK)
        answers = run(play(session, acts))
        assert all(answer.to_json().get("ok") for answer in answers), answers
        return session


def folder_of(state: Path, night: int = 1) -> Path:
    return state / "nights" / f"{night:04d}"


def reseal(path: Path, change: Any) -> None:
    """Rewrites a first night with `change` made to its lines, signed again by the station's key: a
    forger's work who has it, or another program's."""
    out, head, signer = b"", START, Signer.of(STATION_KEY, 1)
    for line in read(path).lines:
        body = {key: value for key, value in change(line).items() if key not in SEALED}
        raw, head, _ = seal(body, head, signer)
        out += raw
    path.write_bytes(out)


def start(state: Path) -> None:
    """What a start does with the last night: it goes on, or the next one begins."""
    with contextlib.closing(StateFolder(state, 0)) as folder:
        last = folder.last_night()
        if last is not None and is_open(last):
            resume(last, STATION_KEY).journal.close()
        else:
            begin(folder, small_pack(), PROGRAMME, OPENING, key=STATION_KEY).journal.close()


# -- begin and resume ------------------------------------------------------------------------------


def test_a_night_goes_on_where_it_was(tmp_path: Path) -> None:
    """After a restart the same game is on the table with the same numbers, sales, money and bag,
    and ids are remembered."""
    before = play_night(
        tmp_path, [SELL, "open", "draw", "draw"], tags="# tags", last_number=False, test=True
    )
    with night_in(tmp_path) as night:
        after = Session(night, Told(), CLOCK)
        assert (night.resumed, night.test, night.tags, night.torn) == (True, True, "# tags", None)
        assert after.hall.notation() == before.hall.notation()
        assert after.hall.last_number is False
        assert after.seq == before.seq == 5
        assert sorted(recorded.seq for recorded in night.answers.values()) == [1, 2, 3, 4, 5]


def test_the_bag_is_committed_to_and_goes_on(tmp_path: Path) -> None:
    """The calls stand after a restart; the secrets are gone, and the rest is committed to anew, as
    the next epoch, before the next number."""
    first = play_night(tmp_path, ["open", "draw", "draw"])
    session = play_night(tmp_path, ["draw", "draw"])
    assert first.hall.fair is not None
    assert session.hall.fair is not None
    assert session.hall.fair.called[:2] == first.hall.called
    assert (session.hall.fair.binding.epoch, session.hall.fair.used) == (2, 2)
    acts = [line["do"]["act"] for line in read(folder_of(tmp_path) / FILE).lines]
    assert acts == ["open-night", "open", "draw", "draw", "renew", "draw", "draw"]
    assert audit.verify(tmp_path)[0].lines == 7


def test_a_root_is_on_disk_before_the_game_opens(tmp_path: Path) -> None:
    """A game whose commitment cannot be written does not open: there is nothing that it could be
    checked against."""
    disk = MemoryDisk()
    with night_in(tmp_path, disk) as night:
        told = Told()
        session = Session(night, told, CLOCK)
        disk.fail_next("write", NO_ROOM)
        answers = run(play(session, ["open"]))
        assert "refused" in answers[0].to_json()
        assert (session.hall.opened, told.acts, session.seq) == (0, [], 1)


def test_a_torn_tail_is_put_aside_and_the_night_goes_on(tmp_path: Path) -> None:
    """The power cut a line in two: what was answered before is all there, the half line is beside
    the journal."""
    before = play_night(tmp_path, ["open", "draw"])
    path = folder_of(tmp_path) / FILE
    path.write_bytes(path.read_bytes() + b'{"at":{"trust"')
    with night_in(tmp_path) as night:
        assert night.torn is not None
        assert night.torn.read_bytes() == b'{"at":{"trust"'
        assert night.hall.notation() == before.hall.notation()
    with night_in(tmp_path) as night:
        assert night.torn is None


def test_damage_in_the_middle_stops_the_start(tmp_path: Path) -> None:
    """A changed line is named with its file and number; the file is left as it is."""
    play_night(tmp_path, ["open", "draw", "draw"])
    path = folder_of(tmp_path) / FILE
    data = path.read_bytes().replace(b'"act":"open"', b'"act":"stop"')
    path.write_bytes(data)
    with pytest.raises(Damaged, match=rf"0001/{FILE}:2: "), night_in(tmp_path):
        raise AssertionError("it was opened")
    assert path.read_bytes() == data


# -- copies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pack", "programme", "tags"])
@pytest.mark.parametrize("harm", ["gone", "a digit", "line ends", "longer", "not UTF-8"])
def test_a_changed_copy_is_found(tmp_path: Path, kind: str, harm: str) -> None:
    """What the journal refers to is what it was when the night began, byte for byte, or the night
    does not go on."""
    play_night(tmp_path, [SELL], tags="# tags\n[tags]\n")
    [file] = folder_of(tmp_path).glob(f"{kind}-*")
    data = file.read_bytes()
    changes = {
        "a digit": data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
        "line ends": data.replace(b"\n", b"\r\n"),
        "longer": data + b"\n",
        "not UTF-8": b"\xff" + data,
    }
    if harm == "gone":
        file.unlink()
    else:
        file.write_bytes(changes[harm])
    with pytest.raises(Damaged, match=file.name), night_in(tmp_path):
        raise AssertionError("it was opened")


def test_replay_that_disagrees_is_named(tmp_path: Path) -> None:
    """A line in a whole chain that does not lead to the state it says stops the start; so does one
    that the rules refuse."""
    play_night(tmp_path, [SELL, "open", "draw", "draw"])
    path = folder_of(tmp_path) / FILE
    whole = path.read_bytes()

    def other_number(line: dict[str, Any]) -> dict[str, Any]:
        drawn = line["do"].get("number")
        return (
            {**line, "do": {"act": "draw", "number": drawn % 90 + 1}}
            if drawn and line["seq"] == 5
            else line
        )

    reseal(path, other_number)
    with pytest.raises(Damaged, match=rf"{FILE}:5: .*another state"), night_in(tmp_path):
        raise AssertionError("it was opened")

    path.write_bytes(whole)
    reseal(
        path,
        lambda line: {**line, "do": {"act": "pay", "serial": "0001"}} if line["seq"] == 5 else line,
    )
    with pytest.raises(Damaged, match=rf"{FILE}:5: the rules refuse"), night_in(tmp_path):
        raise AssertionError("it was opened")

    path.write_bytes(whole)
    reseal(
        path,
        lambda line: {**line, "do": {"act": "draw", "number": "x"}} if line["seq"] == 5 else line,
    )
    with pytest.raises(Damaged, match=rf"{FILE}:5: .*no whole number"), night_in(tmp_path):
        raise AssertionError("it was opened")


def test_a_journal_without_its_opening_is_damaged(tmp_path: Path) -> None:
    """A first line that does not open the night cannot be replayed from, though it names the
    key that has signed it."""
    play_night(tmp_path, ["open"])
    stop = {"act": "stop", "night": 1, "key": Signer.of(STATION_KEY, 1).public}
    path = folder_of(tmp_path) / FILE
    reseal(path, lambda line: {**line, "do": stop} if line["seq"] == 1 else line)
    with pytest.raises(Damaged, match=f"{FILE}:1: .*opening is missing"):
        resume(folder_of(tmp_path), STATION_KEY)
    path.write_bytes(b"")
    with pytest.raises(Damaged, match=f"{FILE}:1: .*opening is missing"):
        resume(folder_of(tmp_path), STATION_KEY)


# -- night after night -----------------------------------------------------------------------------


def test_nights_are_one_chain_and_carry_their_money(tmp_path: Path) -> None:
    """A night begins with what the last one left, follows its last signature, and `verify` finds
    both."""
    first = play_night(tmp_path, [SELL, "open", "draw", "close", "close-night"])
    assert not is_open(folder_of(tmp_path, 1))
    # The pool of the game nobody won, and the stakes of the game that was never opened.
    assert (first.hall.ledger.of(CARRIED), first.hall.ledger.of("game:2")) == (200, 100)
    second = play_night(tmp_path, ["open", "close", "close-night"], new=True)
    assert second.hall.night == 2
    assert second.hall.ledger.of(CARRIED) == 300
    assert second.hall.ledger.total == 0
    lines = [
        read(folder_of(tmp_path, 1) / FILE).lines,
        read(folder_of(tmp_path, 2) / FILE, last_signature(tmp_path)).lines,
    ]
    assert lines[1][0]["prev"] == lines[0][-1]["signature"]
    assert [(night.night, night.lines, night.torn) for night in verify(tmp_path)] == [
        ("0001", 6, 0),
        ("0002", 4, 0),
    ]


def test_every_account_goes_on_in_the_next_night(tmp_path: Path) -> None:
    """What the house put up, what is due from a player, what is owed and the vouchers out; what
    nobody fetched of a broken game is carried. The next night is begun and goes on with just that,
    and both are found whole."""
    stages = (StagePlan(pattern="row", prize=300), StagePlan(pattern="full", prize=500))
    plan = GamePlan(name="One", price=100, stages=stages)
    programme = Programme(name="Fixed", games=(plan, plan), shares=Shares(charity=10))
    row = [{"act": "draw", "number": number} for number in small_pack().card("0001").rows[0]]
    won = [
        {"act": "claim", "serial": "0001"},
        "play-on",
        {"act": "pay", "serial": "0001", "means": "voucher"},
    ]
    undo = [{"act": "approve", "about": "undo", "who": who} for who in ("Eva", "Ben")]
    sold, broken = (
        {"act": "sell", "ranges": [["0001", "0004"]]},
        {"act": "break", "why": "no light"},
    )
    acts = [sold, "open", *row, *won, *undo, "undo", broken]
    acts += ["open", "close", "close-night"]
    left = play_night(tmp_path, acts, programme=programme).hall.ledger.balances
    others = {"purses": -400, "due:0001": -300, "vouchers": 300, "house": -800}
    assert left == {**others, "refund:1": 400, CARRIED: 800}
    with night_in(tmp_path, programme=programme, new=True) as night:
        begun = dict(night.hall.ledger.balances)
        assert begun == {**others, CARRIED: 1200}
        session = Session(night, Told(), CLOCK)
        run(
            play(
                session,
                [
                    {"act": "recover", "serial": "0001", "amount": 300},
                    {"act": "redeem", "amount": 300},
                ],
            )
        )
        assert session.hall.ledger.balances == {"purses": -400, "house": -800, CARRIED: 1200}
    assert len(verify(tmp_path)) == 2


def test_each_nights_ticket_is_paid_its_own(tmp_path: Path) -> None:
    """The first ticket of the first game wins in both nights: what is owed to that of the night
    before is called by its night."""
    stages = (StagePlan(pattern="row", prize=300), StagePlan(pattern="full", prize=500))
    programme = Programme(
        name="Fixed", games=(GamePlan(name="One", price=100, stages=stages, tickets=True),)
    )
    numbers = [3, 14, 25, 36, 47]
    draws = [{"act": "draw", "number": number} for number in numbers]
    won = [
        {"act": "sell", "tickets": 1},
        "open",
        *draws,
        {"act": "claim-ticket", "numbers": numbers},
        "play-on",
        "close",
    ]
    play_night(tmp_path, ["close-night"], test=True)
    play_night(tmp_path, [*won, "close-night"], programme=programme, new=True)
    with night_in(tmp_path, programme=programme, new=True) as night:
        session = Session(night, Told(), CLOCK)
        run(play(session, won))
        owed = {serial: session.hall.owed(serial) for serial in ("ticket-2-1-1", "ticket-1-1")}
        assert owed == {"ticket-2-1-1": 300, "ticket-1-1": 300}
        for left in ({"owed:ticket-2-1-1": 300}, {}):
            run(play(session, [{"act": "pay", "serial": "ticket-1-1" if left else "ticket-2-1-1"}]))
            balances = session.hall.ledger.balances
            assert {
                name: units for name, units in balances.items() if name.startswith("owed:")
            } == left
    assert len(verify(tmp_path)) == 3
    audit.verify(tmp_path)


def test_play_money_and_real_money_never_meet(tmp_path: Path) -> None:
    """A real night carries what the last real night left, a test night what the last test night
    left, in any order."""
    left = []
    for test in (False, True, True, False):
        ended = play_night(
            tmp_path, [SELL, "open", "close", "close-night"], new=bool(left), test=test
        )
        left.append(ended.hall.ledger.of(CARRIED))
    assert left == [200, 200, 500, 500]
    assert len(verify(tmp_path)) == 4
    audit.verify(tmp_path)


def test_a_first_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Looking for the last real night behind test nights, the start meets a damaged one."""
    play_night(tmp_path, ["close-night"], test=False)
    play_night(tmp_path, ["close-night"], test=True, new=True)
    path = folder_of(tmp_path) / FILE
    path.write_bytes(b"x" + path.read_bytes()[1:])
    with pytest.raises(Damaged, match=f"0001/{FILE}:1: "):
        play_night(tmp_path, [], test=False, new=True)


READS = ["read", "read first", "read last"]


@pytest.mark.parametrize(
    ("bad", "way"),
    [
        ("nights", ""),
        ("nights/0003", ""),
        (f"nights/0002/{FILE}", "read"),
        *((f"nights/0001/{FILE}", way) for way in READS),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, bad: str, way: str) -> None:
    """A bad place on the disk stops the start with the name of what lies there; without it the
    start goes on as ever."""
    play_night(tmp_path, ["close-night"], test=True)
    play_night(tmp_path, ["close-night"], new=True)
    folder_of(tmp_path, 3).mkdir()
    disk = BadSector(tmp_path / bad, way)
    with pytest.raises(StoreError, match=rf"{bad}: .*\(Input/output error\)"):
        begin_on(tmp_path, disk)
    assert begin_on(tmp_path, Disk()) == 3


def begin_on(state: Path, disk: Disk) -> int:
    """Begins a test night in a state folder on this disk; gives its number."""
    with contextlib.closing(StateFolder(state, 0, disk)) as folder:
        night = begin(folder, small_pack(), PROGRAMME, OPENING, key=STATION_KEY, test=True)
        night.journal.close()
        return night.hall.night


def last_signature(state: Path) -> str:
    return read(folder_of(state, 1) / FILE).head.signature


@pytest.mark.parametrize("acts", [["open"], ["close-night"]], ids=["open", "closed"])
def test_another_key_goes_on_with_no_night(tmp_path: Path, acts: list[Any]) -> None:
    """A key that did not sign the last night neither resumes it nor begins the next; nothing is
    written."""
    play_night(tmp_path, acts)
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    before = {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
    for new in (False, True):
        with (
            pytest.raises(Damaged, match=r"station\.key: another key has signed the nights here"),
            night_in(tmp_path, new=new, key=other),
        ):
            raise AssertionError("it went on")
    assert {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))} == before


def test_a_night_that_is_open_must_be_closed_first(tmp_path: Path) -> None:
    """No night begins while another is open."""
    play_night(tmp_path, ["open"])
    with pytest.raises(StoreError, match="0001: this night is not closed"):
        play_night(tmp_path, [], new=True)


def test_a_night_left_out_breaks_the_chain(tmp_path: Path) -> None:
    """A whole night that was taken away is found: the one after it follows another signature."""
    for new in (False, True, True):
        play_night(tmp_path, ["close-night"], new=new)
    shutil.rmtree(folder_of(tmp_path, 2))
    with pytest.raises(Damaged, match="0002: this night is gone, and night 3 is there"):
        verify(tmp_path)


def test_a_closing_line_that_was_torn_leaves_the_night_open(tmp_path: Path) -> None:
    """The end of a night whose line was cut was never answered: the night is still going on."""
    play_night(tmp_path, ["close-night"])
    path = folder_of(tmp_path) / FILE
    path.write_bytes(path.read_bytes()[:-20])
    assert is_open(folder_of(tmp_path))


def test_what_stands_behind_a_closed_night_does_not_stop_the_next(tmp_path: Path) -> None:
    """Zeros behind the closing line are put aside when the next night begins, and reported; the
    chain goes on."""
    play_night(tmp_path, ["close-night"])
    path = folder_of(tmp_path) / FILE
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(99))
    with night_in(tmp_path, new=True) as night:
        assert (night.hall.night, night.torn is not None and night.torn.read_bytes()) == (
            2,
            bytes(99),
        )
    assert path.read_bytes() == whole
    assert [night.torn for night in verify(tmp_path)] == [0, 0]


def test_the_closing_of_a_night_come_again_does_not_close_the_next(tmp_path: Path) -> None:
    """Whoever did not hear that the night was closed asks again, after the start, too: the next
    night stays open."""
    with night_in(tmp_path) as night:
        closed = run(submit(Session(night, Told(), CLOCK), "close-night", "close-it"))
    for new in (True, False):  # begun, and resumed
        with night_in(tmp_path, new=new) as night:
            session = Session(night, Told(), CLOCK)
            assert run(submit(session, "close-night", "close-it")) == closed
            assert (session.hall.night, session.hall.closed) == (2, False)


@pytest.mark.parametrize("left", [None, b"", b'{"at":', bytes(300)])
def test_the_number_of_an_unbegun_night_is_used_again(tmp_path: Path, left: bytes | None) -> None:
    """A night whose first line never became durable is no night: no number is lost, and what was
    left of the line is kept."""
    play_night(tmp_path, ["close-night"])
    folder = folder_of(tmp_path, 2)
    folder.mkdir()
    (folder / f".{FILE}.torn-1.new").write_bytes(b"a draft that a power cut left")
    if left is not None:
        (folder / FILE).write_bytes(left)
    assert [path.name for path in night_folders(tmp_path)] == ["0001"]
    with night_in(tmp_path, new=True) as night:
        assert night.hall.night == 2
        assert (night.torn.read_bytes() if night.torn is not None else b"") == (left or b"")
    assert play_night(tmp_path, ["open"]).hall.night == 2
    assert len(verify(tmp_path)) == 2


@pytest.mark.parametrize("left", [None, b"", bytes(300)])
def test_a_night_that_was_played_is_never_taken_for_an_unbegun_one(
    tmp_path: Path, left: bytes | None
) -> None:
    """Its journal gone, empty or zeros, but a head of its games there: that is damage, and nothing
    is begun."""
    with night_in(tmp_path) as night:
        run(play(Session(night, Told(), CLOCK), ["open", "close"]))
    folder = folder_of(tmp_path)
    (folder / FILE).unlink() if left is None else (folder / FILE).write_bytes(left)
    before = sorted(path.name for path in folder.iterdir())
    with (
        pytest.raises(Damaged, match=f"0001/{FILE}:1: the journal is gone, and {HEADS}"),
        night_in(tmp_path),
    ):
        raise AssertionError("it was begun")
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_night_in_anothers_folder_is_found(tmp_path: Path) -> None:
    """A folder that somebody gave another number holds another night than its journal opens."""
    play_night(tmp_path, ["open"])
    folder_of(tmp_path).rename(folder_of(tmp_path, 7))
    with pytest.raises(Damaged, match=rf"0007/{FILE}:1: another night"):
        resume(folder_of(tmp_path, 7), STATION_KEY)


OPENINGS = [
    ("no act", lambda line: {**line, "do": {}}),
    ("no number", lambda line: {**line, "do": {**line["do"], "night": "1"}}),
    ("another number", lambda line: {**line, "do": {**line["do"], "night": 2}}),
    ("no copies", lambda line: {**line, "do": {**line["do"], "copies": 5}}),
    ("no pack", lambda line: {**line, "do": {**line["do"], "copies": line["do"]["copies"][1:]}}),
    ("a text for a test", lambda line: {**line, "do": {**line["do"], "test": "no"}}),
    ("no accounts", lambda line: {**line, "then": {"digest": line["then"]["digest"]}}),
    (
        "half a unit",
        lambda line: {**line, "then": {**line["then"], "ledger": {"carried": 0.5, "purses": -0.5}}},
    ),
    (
        "money from nowhere",
        lambda line: {**line, "then": {**line["then"], "ledger": {"carried": 5}}},
    ),
    (
        "an account below zero",
        lambda line: {**line, "then": {**line["then"], "ledger": {"carried": -5, "purses": 5}}},
    ),
    (
        "other accounts",
        lambda line: {**line, "then": {**line["then"], "ledger": {"carried": 5, "purses": -5}}},
    ),
    ("another digest", lambda line: {**line, "then": {**line["then"], "digest": "0" * 64}}),
    ("more", lambda line: {**line, "then": {**line["then"], "more": 1}}),
]


@pytest.mark.parametrize("change", [row[1] for row in OPENINGS], ids=[row[0] for row in OPENINGS])
def test_an_opening_that_cannot_be_is_named(tmp_path: Path, change: Any) -> None:
    """A forged first line in a whole chain stops the start by name, never with an error of another
    kind."""
    play_night(tmp_path, ["open"])
    reseal(folder_of(tmp_path) / FILE, lambda line: change(line) if line["seq"] == 1 else line)
    with pytest.raises(Damaged, match=f"0001/{FILE}:1: "):
        resume(folder_of(tmp_path), STATION_KEY)


@pytest.mark.parametrize("harm", ["a byte", "emptied", "a list"])
def test_the_line_that_closed_the_night_before_must_be_whole(tmp_path: Path, harm: str) -> None:
    """The open night follows its signature and knows its command: damaged, it is named, not the
    open night."""
    play_night(tmp_path, ["close-night"])
    play_night(tmp_path, ["open"], new=True)
    path = folder_of(tmp_path) / FILE
    data = path.read_bytes()
    changes = {
        "a byte": data.replace(b'"via":"wire"', b'"via":4'),
        "emptied": b"",
        "a list": b"[]\n",
    }
    path.write_bytes(changes[harm])
    with pytest.raises(
        Damaged, match=f"0001/{FILE}: the last line, which closed that night, is damaged"
    ):
        resume(folder_of(tmp_path, 2), STATION_KEY)


@pytest.mark.parametrize("call", ["create", "write", "sync", "sync_folder"])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_night_that_cannot_be_begun_loses_nothing(tmp_path: Path, call: str, nth: int) -> None:
    """Whatever fails while a night begins, at the copies or at the journal, the next start has that
    night and no other."""
    disk = MemoryDisk()
    disk.fails[call] = {nth: NO_ROOM}
    with pytest.raises(StoreError), night_in(tmp_path, disk):
        raise AssertionError("it was begun")
    with night_in(tmp_path) as night:
        assert (night.hall.night, night.journal.head.seq) == (1, 1)
    assert [folder.name for folder in night_folders(tmp_path)] == ["0001"]


def test_a_start_reads_the_open_night_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever came before, a start opens the files of the open night, and the end of the one
    before, nothing else."""
    for night in range(1, 12):
        play_night(tmp_path, ["close-night"], new=night > 1)
    with night_in(tmp_path, new=True) as last:
        run(play(Session(last, Told(), CLOCK), ["open", "draw"]))
    for number in range(1, 11):
        (folder_of(tmp_path, number) / FILE).write_bytes(
            b"not even a journal: whoever reads this stumbles\n"
        )

    opened: list[str] = []

    def counting(path: Path) -> int:
        opened.append(f"{path.parent.name}/{path.name}")
        return open_regular(path)

    monkeypatch.setattr("station.base.disk.open_regular", counting)
    with night_in(tmp_path) as night:
        assert night.folder == last.folder
    assert {name.split("/")[0] for name in opened} == {"0012", "0011"}
    assert f"0012/{FILE}" in opened
    assert len(opened) < 20


# -- one station a folder --------------------------------------------------------------------------


def test_a_second_station_is_refused(tmp_path: Path) -> None:
    """Another process on the same state folder is told so; when the first is gone, it may."""
    code = (
        "import sys; from pathlib import Path; from station.record.nights import StateFolder;"
        " StateFolder(Path(sys.argv[1]), 0)"
    )

    def another() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )

    state = StateFolder(tmp_path, least_room=0)
    with pytest.raises(StateInUse, match="another station is using this state folder"):
        StateFolder(tmp_path)
    refused = another()
    assert refused.returncode != 0
    assert "StateInUse" in refused.stderr
    state.close()
    state.close()
    assert another().returncode == 0


def test_reading_needs_no_lock_and_takes_none(tmp_path: Path) -> None:
    """The tools that only read work beside the station, write nothing, and do not open the door to
    a second station."""
    with night_in(tmp_path) as night:
        run(play(Session(night, Told(), CLOCK), ["open", "draw"]))
        before = {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
        assert [found.lines for found in audit.verify(tmp_path)] == [3]
        assert [lines for _, lines, _ in audit.replay_all(tmp_path)] == [3]
        assert [found.lines for found in verify(tmp_path)] == [3]
        assert {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))} == before
        with pytest.raises(StateInUse):
            StateFolder(tmp_path)
        run(play(Session(night, Told(), CLOCK), ["stop"]))


def test_a_disk_without_room_is_refused_at_once(tmp_path: Path) -> None:
    """Before a night begins there must be room for it; the sentence says how much, and the lock is
    given back."""
    with pytest.raises(StoreError, match=r"MiB are free, .* are needed"):
        StateFolder(tmp_path, least_room=1 << 60)
    StateFolder(tmp_path, least_room=0).close()


def test_a_state_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(
        StoreError, match=r"file/state: the state folder cannot be used .*give --state"
    ):
        StateFolder(tmp_path / "file" / "state")


@pytest.mark.root
def test_a_read_only_state_folder_is_named(tmp_path: Path) -> None:
    """On a disk that may only be read no night begins, and the sentence says what to do."""
    code = (
        "import sys; from pathlib import Path; from station.record.nights import StateFolder\n"
        "from station.base.errors import StoreError\n"
        "try: StateFolder(Path(sys.argv[1]), 0)\n"
        "except StoreError as error: print(error)"
    )
    script = (
        f"mount --bind {tmp_path} {tmp_path} && mount -o remount,bind,ro {tmp_path} &&"
        f' "{sys.executable}" -c "$1" {tmp_path}'
    )
    command = ["unshare", "--mount", "sh", "-c", script, "sh", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    assert (
        "the state folder cannot be used (Read-only file system); give --state a writable one"
        in done.stdout
    ), done.stderr
    assert os.listdir(tmp_path) == []
