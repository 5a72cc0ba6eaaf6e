"""The audit: whole folders are whole, every harm is found and its line named, replay names a `then`
that it does not come to."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.base.disk import Disk
from station.base.errors import Damaged, SettingsError, StoreError, Unreadable
from station.proof.merkle import Edge
from station.record import audit
from station.record.chain import START, Head, leaf_in
from station.record.coded import CodedHead
from station.record.folders import night_folders
from station.record.heads import Signer, TreeHead, leaf_of, parse_head, parse_heads
from station.record.journal import FILE, LONGEST_LINE, JournalContent
from station.record.nights import replay
from station.record.session import Session
from station.record.station_key import KEY_FILE, PUBLIC_FILE, load_public_key, make_key
from station.record.traces import HEADS, LONGEST_HEADS, heads_up_to
from tests.evenings import FIRST, LINES, forge, lines_of, night_of, play_evenings, put
from tests.record.test_journal import harmed
from tests.record.test_nights import start
from tests.support import CLOCK, STATION_KEY, Told, night_in, play, run

PUBLIC = Signer.of(STATION_KEY, 1).public
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Played once; who wants to harm it takes a copy."""
    return play_evenings(tmp_path_factory.mktemp("played"))


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "state"))


def map_lines(state: Path) -> list[tuple[dict[str, Any], ...]]:
    return [lines_of(state, night) for night in (1, 2)]


def replayed(state: Path) -> list[tuple[str, int, str]]:
    return [*audit.replay_all(state)]


# -- lines -----------------------------------------------------------------------------------------


def test_a_whole_folder_is_whole(played: Path) -> None:
    """Nights, lines and heads, as the thorough reader finds them, and the key that signed them."""
    found = audit.verify(played)
    assert [(night.night, night.lines, night.torn, night.key) for night in found] == [
        ("0001", LINES[0], 0, PUBLIC),
        ("0002", LINES[1], 0, PUBLIC),
    ]
    for number, night in enumerate(found, 1):
        path = night_of(played, number) / FILE
        leaves = [leaf_in(raw) for raw in path.read_bytes().splitlines()]
        last = lines_of(played, number)[-1]["signature"]
        assert night.head == Head(Edge.over(leaves), last)
        assert night.head.signed_by(PUBLIC, number)
    assert audit.verify(played / "nowhere") == []


@pytest.mark.long
def test_every_changed_byte_is_found_and_its_line_named(state: Path) -> None:
    """One bit of any byte: the file and the line are named, or, in the very last line, it is set
    aside as torn.

    Where that byte is of the signature before it and becomes another letter, the last line follows
    another line: named, too.
    """
    for night in (1, 2):
        path = night_of(state, night) / FILE
        data = path.read_bytes()
        ends = [place for place, byte in enumerate(data) if byte == 0x0A]
        for place in range(night, len(data), 29):
            path.write_bytes(
                data[:place] + bytes([data[place] ^ (1 << place % 8)]) + data[place + 1 :]
            )
            line = 1 + sum(end < place for end in ends)
            link = data.rindex(b'"prev":"') + len(b'"prev":"')
            relinked = link <= place < link + 88 and chr(data[place] ^ (1 << place % 8)) in BASE_64
            if (night, line) == (2, LINES[1]) and not relinked:
                found = audit.verify(state)[1]
                assert (found.lines, found.torn) == (line - 1, len(data) - ends[-2] - 1)
            else:
                with pytest.raises(Damaged, match=rf"{night:04d}/{FILE}:{line}: "):
                    audit.verify(state)
        path.write_bytes(data)


@pytest.mark.parametrize("harm", ["drop", "swap", "double"])
def test_every_line_out_of_its_order_is_named(state: Path, harm: str) -> None:
    """Dropped, changed with the next, doubled, at any place of a closed night."""
    path = night_of(state) / FILE
    lines = path.read_bytes().splitlines(keepends=True)
    for place in range(len(lines) - 1):
        one, two = lines[place : place + 2]
        harmed = {"drop": [two], "swap": [two, one], "double": [one, one, two]}[harm]
        path.write_bytes(b"".join([*lines[:place], *harmed, *lines[place + 2 :]]))
        with pytest.raises(Damaged, match=rf"0001/{FILE}:{place + 1 + (harm == 'double')}: "):
            audit.verify(state)


def test_a_closed_night_that_was_cut_is_named_by_the_next(state: Path) -> None:
    """The night after it follows a signature that is not there any more."""
    path = night_of(state) / FILE
    (path.parent / HEADS).unlink()
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(Damaged, match=rf"0002/{FILE}:1: .*prev"):
        audit.verify(state)


@pytest.mark.parametrize("left", [b"", b'{"at":', bytes(300)])
def test_a_night_that_did_not_begin_is_none(state: Path, left: bytes) -> None:
    """The last folder may hold no line yet; one before it must."""
    night_of(state, 3).mkdir()
    (night_of(state, 3) / FILE).write_bytes(left)
    assert [night.night for night in audit.verify(state)] == ["0001", "0002"]
    assert [night for night, _, _ in replayed(state)] == ["0001", "0002"]
    (night_of(state, 2) / FILE).write_bytes(left)
    for work in (audit.verify, replayed):
        with pytest.raises(Damaged, match=rf"0002/{FILE}:1: "):
            work(state)


def test_a_file_that_cannot_be_read_is_named(state: Path) -> None:
    """A folder stands where the journal should be, or nothing."""
    with pytest.raises(StoreError, match="9999"):
        audit.leaves_of(night_of(state, 9999), 1)
    path = night_of(state) / FILE
    path.unlink()
    path.mkdir()
    with pytest.raises(Damaged, match=rf"0001/{FILE}: the journal is gone"):
        audit.verify(state)


def test_a_head_that_somebody_has_is_looked_up(played: Path) -> None:
    """The root over so many lines, and nothing where there are no such lines."""
    night, lines = night_of(played), LINES[0]
    leaves = audit.leaves_of(night, lines)
    assert len(leaves) == lines
    for seq in range(lines + 2):
        root = Edge.over(leaves[:seq]).root.hex()
        assert audit.is_here(played, "0001", seq, root, lines) is (0 < seq <= lines)
        assert not audit.is_here(played, "0001", seq, "0" * 64, lines)
        assert not audit.is_here(played, "0001", seq, root, seq - 1)


def test_a_line_that_is_too_long_is_damage_though_it_is_signed(state: Path) -> None:
    """One byte more than the longest, its newline the last of them."""
    path = night_of(state, 2) / FILE
    for more in (0, 1):
        lines = list(lines_of(state, 2))[: LINES[1]]
        note = {**lines[-1], "do": {"act": "note", "about": "x", "what": ""}}
        for what in ("", "y"):
            length = (
                LONGEST_LINE - len(path.read_bytes().splitlines()[-1]) - 1 + more if what else 0
            )
            long = {**note, "do": {**note["do"], "what": what * length}}
            put(state, [*lines[:-1], lines[-1], long], lines[0]["prev"], 2)
        assert len(path.read_bytes().splitlines()[-1]) + 1 == LONGEST_LINE + more
        if more:
            with pytest.raises(Damaged, match=rf"0002/{FILE}:{LINES[1] + 1}: it has more than"):
                audit.verify(state)
        else:
            assert audit.verify(state)[1].lines == LINES[1] + 1
        put(state, lines, lines[0]["prev"], 2)


def test_progress_comes_to_its_end(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes read so far of all bytes, never fewer than before, all of them at the end; and blocks
    are read as one file."""
    monkeypatch.setattr(audit, "BLOCK", 7)
    total = sum((night_of(played, night) / FILE).stat().st_size for night in (1, 2))
    works: list[Callable[[audit.Progress], Any]] = [
        lambda told: audit.verify(played, (), told),
        lambda told: [*audit.replay_all(played, told)],
    ]
    for times, work in enumerate(works, 1):
        steps: list[tuple[int, int]] = []
        work(lambda done, of, steps=steps: steps.append((done, of)))
        assert steps == sorted(steps)
        # What is played again is verified first.
        assert {of for _, of in steps} == {times * total}
        assert steps[-1] == (times * total, times * total)
        assert len(steps) > 2


# -- money from night to night ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "ledger",
    [{}, {"carried": 1_000_000, "purses": -1_000_000}, None],
    ids=["gone", "grown", "gone with all"],
)
def test_money_that_a_night_did_not_carry_on_is_named(
    state: Path, ledger: dict[str, int] | None
) -> None:
    """Lines signed by the station's key in which a night begins with other accounts than the last
    one of its kind left: line 1 of that night."""
    assert lines_of(state, 2)[0]["then"]["ledger"]

    def other(line: dict[str, Any]) -> dict[str, Any]:
        then = (
            {"digest": line["then"]["digest"]}
            if ledger is None
            else {**line["then"], "ledger": ledger}
        )
        return {**line, "then": then} if line["seq"] == 1 else line

    forge(state, other, 2)
    for work in (audit.verify, replayed):
        with pytest.raises(
            Damaged, match=rf"0002/{FILE}:1: the (night began with|accounts are missing)"
        ):
            work(state)


def test_a_night_that_carries_the_other_kinds_money_is_named(state: Path) -> None:
    """A TEST night after a real one begins with nothing: play money and real money never meet, nor
    does a forger make them."""
    forge(
        state,
        lambda line: {**line, "do": {**line["do"], "test": True}} if line["seq"] == 1 else line,
        2,
    )
    for work in (audit.verify, replayed):
        with pytest.raises(
            Damaged, match=rf"0002/{FILE}:1: .*the last one of its kind before it left -"
        ):
            work(state)


@pytest.mark.parametrize(
    "ledger", [{"carried": 7}, {"purses": 7, "owed:1": -7}], ids=["from nowhere", "below zero"]
)
def test_accounts_that_cannot_be_are_named_though_two_nights_agree(
    state: Path, ledger: dict[str, int]
) -> None:
    """Money from nowhere, or less than none, at the end of a night and at the beginning of the
    next: the end is named."""
    (night_of(state) / HEADS).unlink()
    second = [dict(line) for line in lines_of(state, 2)]
    second[0]["then"] = {**second[0]["then"], "ledger": ledger}
    forge(
        state,
        lambda line: (
            {**line, "then": {**line["then"], "ledger": ledger}}
            if line["seq"] == LINES[0]
            else line
        ),
    )
    put(state, second, lines_of(state)[-1]["signature"], 2)
    with pytest.raises(
        Damaged, match=rf"0001/{FILE}:{LINES[0]}: the accounts that stand here do not balance"
    ):
        audit.verify(state)


def test_a_night_that_was_not_closed_before_the_next_is_named(state: Path) -> None:
    """Its last line, where the end should stand, though the chain goes on into the next night."""
    note = {"act": "note", "about": "x", "what": "y"}
    second = lines_of(state, 2)
    forge(state, lambda line: {**line, "do": note} if line["seq"] == LINES[0] else line)
    put(state, second, lines_of(state)[-1]["signature"], 2)
    for work in (audit.verify, replayed):
        with pytest.raises(Damaged, match=rf"0001/{FILE}:{LINES[0]}: "):
            work(state)


# -- replay ----------------------------------------------------------------------------------------


def test_every_night_is_played_again(played: Path) -> None:
    """Both nights, every line, and no difference."""
    assert replayed(played) == [("0001", LINES[0], ""), ("0002", LINES[1], "")]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything in a `then` that is neither list nor object."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else None
    )
    return (
        [path]
        if inner is None
        else [way for key, one in inner for way in leaves(one, (*path, key))]
    )


def altered(then: dict[str, Any], way: tuple[Any, ...]) -> dict[str, Any]:
    """A copy with another value there."""
    copy = json.loads(json.dumps(then))
    place = copy
    for key in way[:-1]:
        place = place[key]
    old = place[way[-1]]
    place[way[-1]] = (
        not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else "other"
    )
    return dict(copy)


def test_every_then_that_replay_disagrees_with_is_named(state: Path) -> None:
    """Any value of any line's `then` altered, and signed again by the station's key: the lines are
    whole, and the line is named."""
    whole = (night_of(state) / FILE).read_bytes()
    shutil.rmtree(night_of(state, 2))
    tried = 0
    for line in lines_of(state)[1:]:
        for way in leaves(line["then"]):
            tried += 1
            then = altered(line["then"], way)
            forge(
                state,
                lambda one, seq=line["seq"], then=then: (
                    {**one, "then": then} if one["seq"] == seq else one
                ),
            )
            (night_of(state) / HEADS).unlink(missing_ok=True)
            # The rules alone can tell.
            with pytest.raises(
                Damaged, match=rf"0001/{FILE}:{line['seq']}: replaying it leads to another state"
            ):
                replayed(state)
            (night_of(state) / FILE).write_bytes(whole)
    assert tried > 3 * len(FIRST)


def test_an_act_that_the_rules_refuse_is_named(state: Path) -> None:
    """A number called twice, in lines that the station's key has signed."""
    shutil.rmtree(night_of(state, 2))
    (night_of(state) / HEADS).unlink()
    draws = [line for line in lines_of(state) if line["do"]["act"] == "draw"]
    number = draws[1]["do"]["number"]
    forge(
        state,
        lambda line: (
            {**line, "do": {"act": "draw", "number": number}}
            if line["seq"] == draws[2]["seq"]
            else line
        ),
    )
    with pytest.raises(Damaged, match=rf"0001/{FILE}:{draws[2]['seq']}: the rules refuse"):
        replayed(state)


@pytest.mark.parametrize("closed", [True, False])
def test_a_closed_night_of_another_version_may_differ(state: Path, closed: bool) -> None:
    """What an older program recorded, and signed, is what happened: the difference is told. An open
    night must go on."""
    (night_of(state) / HEADS).unlink()
    shutil.rmtree(night_of(state, 2))
    last = len(lines_of(state))

    def older(line: dict[str, Any]) -> dict[str, Any]:
        if line["seq"] == 1:
            return {**line, "do": {**line["do"], "version": "0.0.1"}}
        if line["seq"] == 5:
            return {**line, "then": {**line["then"], "more": 1}}
        return (
            {**line, "do": {"act": "note", "about": "x", "what": "y"}}
            if line["seq"] == last and not closed
            else line
        )

    forge(state, older)
    if closed:
        [(night, lines, differs)] = replayed(state)
        assert (night, lines) == ("0001", last)
        assert "version 0.0.1" in differs
        assert f"{FILE}:5: " in differs
    else:
        with pytest.raises(Damaged, match=f"{FILE}:5: "):
            replayed(state)


# -- told ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "odd",
    [KeyError("x"), TypeError("x"), AttributeError("x"), Unreadable("line 3 says less")],
    ids=repr,
)
def test_a_line_that_cannot_be_told_is_named(state: Path, odd: Exception) -> None:
    """Whatever goes wrong while a night is told, it ends in a sentence with the file; what is
    another's fault stays as it is."""
    folder, reading, _ = next(iter(audit.readings(state)))
    with (
        pytest.raises(Damaged, match=f"0001/{FILE}: .*(cannot be read|line 3 says less)"),
        audit.telling(folder, reading),
    ):
        raise odd
    with pytest.raises(SettingsError), audit.telling(folder, reading):
        raise SettingsError("x", ["y"])
    with audit.telling(folder, reading):
        pass


def test_the_last_folder_without_a_journal_is_no_night(state: Path) -> None:
    """Copies alone, or nothing: its opening never became durable. With kept heads it was one."""
    night_of(state, 3).mkdir()
    assert len(audit.verify(state)) == 2
    (night_of(state, 3) / HEADS).write_text(Signer.of(STATION_KEY, 3).note(Edge()))
    with pytest.raises(Damaged, match=rf"0003/{FILE}:1: the journal is gone, and {HEADS}"):
        audit.verify(state)


BESIDE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a copy gone": (lambda night: next(night.glob("pack-*")).unlink(), "this copy is gone"),
    "a copy altered": (
        lambda night: next(night.glob("pack-*")).write_text("x"),
        "this copy was altered",
    ),
    "the journal gone": (
        lambda night: (night / FILE).unlink(),
        "cannot be read|the journal is gone",
    ),
    "a file for the folder": (
        lambda night: (shutil.rmtree(night), night.write_text("")),
        "a night is a folder",
    ),
}


@pytest.mark.parametrize("harm", BESIDE)
def test_what_should_stand_beside_a_night_is_missed(tmp_path: Path, harm: str) -> None:
    """Whatever a line refers to must be there as it was; nothing more may be."""
    play_evenings(tmp_path)
    way, said = BESIDE[harm]
    way(night_of(tmp_path))
    with pytest.raises(StoreError, match=said):
        audit.verify(tmp_path)
    if "journal" in harm or "folder" in harm:
        with pytest.raises(StoreError, match=said):
            night_folders(tmp_path)


def test_a_link_for_a_journal_is_no_unbegun_night(state: Path) -> None:
    """Nobody writes to it, whatever it leads to."""
    night_of(state, 3).mkdir()
    (night_of(state, 3) / FILE).symlink_to("/dev/zero")
    for work in (audit.verify, night_folders):
        with pytest.raises(StoreError, match=rf"0003/{FILE}: .*a link"):
            work(state)


def test_a_line_without_an_act_is_named_by_everybody(state: Path) -> None:
    """Though it is signed; replay names a correction of a call that there was not."""
    for do, said, works in (
        ({"act": "undo"}, "the rules refuse", (replayed,)),
        ({}, "does not say what was done", (replayed, audit.verify, start)),
    ):
        forge(state, lambda line, do=do: {**line, "do": do} if line["seq"] == 2 else line, 2)
        for work in works:
            with pytest.raises(Damaged, match=rf"0002/{FILE}:2: .*{said}"):
                work(state)
    with pytest.raises(Damaged, match="the night's opening is missing"):
        replay(night_of(state), JournalContent((), START, 0, b""))


@pytest.mark.parametrize(
    ("lacks", "line"), [({"luck"}, 3), ({"luck", "bag"}, 4)], ids=["a root alone", "no bag"]
)
def test_a_draw_without_a_committed_bag_is_named(state: Path, lacks: set[str], line: int) -> None:
    """A root without its commitment is found where the game opens; none at all at the first
    call."""

    def without(told: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in told["do"].items() if key not in lacks}
        return {**told, "do": kept} if told["do"]["act"] == "open" else told

    forge(state, without, 2)
    with pytest.raises(Damaged, match=rf"0002/{FILE}:{line}: the line does not open a leaf"):
        audit.verify(state)


class Growing(Disk):
    """A disk on which a line is just being written: who reads it first sees half of it."""

    def __init__(self) -> None:
        self.half = True

    def lines(self, path: Path, longest: int) -> Iterator[bytes]:
        *whole, last = super().lines(path, longest)
        half, self.half = self.half, self.half and not path.parent.name.endswith("2")
        return iter([*whole, last[:-9] if half and path.parent.name.endswith("2") else last])


def test_a_line_that_is_written_meanwhile_is_whole(state: Path) -> None:
    """It is read again, and counted."""
    assert [night.lines for night in audit.verify(state, disk=Growing())] == [*LINES]


def heads_in(state: Path, night: int = 1) -> list[TreeHead]:
    """The head of each line of a night."""
    leaves = audit.leaves_of(night_of(state, night), LINES[night - 1])
    return [
        parse_head(Head(Edge.over(leaves[: line["seq"]]), line["signature"]).note(PUBLIC, night))
        for line in lines_of(state, night)
    ]


def test_verified_nights_go_on_from_kept_heads_or_not(state: Path) -> None:
    """Their own accuse nobody; those of a longer record, or of another night, name the line."""
    kept, signer = heads_in(state), Signer.of(STATION_KEY, 1)
    nights, size = audit.verify(state), LINES[0]
    assert audit.unlike(state, nights, kept) is None
    edge = nights[0].head.edge
    longer = parse_head(signer.note(edge.grown(leaf_of(b"x"))))
    assert audit.unlike(state, nights, [*kept, longer]) == (1, size + 1, size + 1)
    other = parse_head(signer.note(Edge.over([leaf_of(b"x")] * 3)))
    assert audit.unlike(state, nights, [other, kept[1]]) == (1, 3, 3)
    unknown = parse_head(Signer.of(STATION_KEY, 77).note(edge))
    assert audit.unlike(state, nights, [unknown]) == (77, 1, size)


def test_a_head_on_paper_is_of_the_record_and_signed_by_its_station(state: Path) -> None:
    """Each head of the night is; another key's is not, nor one whose signature or record is
    another."""
    kept, eve = heads_in(state), Signer.of(OTHER, 1)
    other = parse_head(Signer.of(STATION_KEY, 1).note(Edge.over([leaf_of(b"x")] * 3)))
    forged = parse_head(eve.note(audit.verify(state)[0].head.edge))

    def signed(head: TreeHead, coded: str, wanted: str = PUBLIC) -> bool:
        return audit.is_signed(state, CodedHead(head, coded), LINES[0], wanted)

    assert all(signed(head, PUBLIC) for head in kept)
    assert not signed(forged, PUBLIC)
    assert not signed(forged, eve.public)
    assert not signed(kept[2], PUBLIC, eve.public)
    assert not signed(other, PUBLIC)


# -- keys ------------------------------------------------------------------------------------------


def sign_again(state: Path, night: int, key: Ed25519PrivateKey) -> None:
    """Signs a night again with a forger's key, which its opening names, and its heads."""
    lines = [dict(line) for line in lines_of(state, night)]
    signer = Signer.of(key, night)
    lines[0]["do"] = {**lines[0]["do"], "key": signer.public}
    put(state, lines, lines[0]["prev"], night, key)
    (night_of(state, night) / HEADS).unlink(missing_ok=True)


def test_a_night_signed_by_another_key_is_found_by_whoever_knows_the_stations(
    tmp_path: Path,
) -> None:
    """Both keys are named. Somebody who knows no key finds it unless it has signed all nights."""
    for new in (False, True):
        with night_in(tmp_path, new=new) as night:
            run(play(Session(night, Told(), CLOCK), [] if new else ["close-night"]))
    sign_again(tmp_path, 2, OTHER)
    eve = Signer.of(OTHER, 2).public
    said = f"/{FILE}:1: it is signed by key {eve}, not by {PUBLIC}"
    for keys in ([], [PUBLIC]):
        with pytest.raises(Damaged, match="0002" + said):
            audit.verify(tmp_path, keys)
    assert [night.key for night in audit.verify(tmp_path, [PUBLIC, eve])] == [PUBLIC, eve]
    with pytest.raises(Damaged, match=rf"{KEY_FILE}: another key has signed the nights here"):
        start(tmp_path)
    second = lines_of(tmp_path, 2)
    sign_again(tmp_path, 1, OTHER)
    put(tmp_path, second, lines_of(tmp_path)[-1]["signature"], 2, OTHER)
    for name in (KEY_FILE, PUBLIC_FILE):
        (tmp_path / name).unlink()
    assert [night.key for night in audit.verify(tmp_path)] == [eve, eve]
    with pytest.raises(Damaged, match="0001" + said):
        audit.verify(tmp_path, [PUBLIC])
    (tmp_path / PUBLIC_FILE).write_text(f"{PUBLIC}\n")
    with pytest.raises(Damaged, match="0001" + said):
        audit.verify(tmp_path)


def test_a_bag_that_another_key_has_committed_to_is_found(state: Path) -> None:
    """Whoever signs the lines of a station again with a key of his own has not drawn its bags."""
    sign_again(state, 2, OTHER)
    with pytest.raises(Damaged, match=rf"0002/{FILE}:3: the bag was committed to for another"):
        audit.verify(state, [PUBLIC, Signer.of(OTHER, 2).public])


def test_the_key_of_the_state_folder_is_the_one_that_must_have_signed(tmp_path: Path) -> None:
    """A station's own key is known from the folder; a copy without it is checked by the key that
    it names."""
    play_evenings(tmp_path, make_key(tmp_path))
    own = load_public_key(tmp_path)
    assert [night.key for night in audit.verify(tmp_path)] == [own, own]
    with pytest.raises(Damaged, match=f"signed by key {own}, not by {PUBLIC}"):
        audit.verify(tmp_path, [PUBLIC])
    for name in (KEY_FILE, PUBLIC_FILE):
        (tmp_path / name).unlink()
    assert [night.key for night in audit.verify(tmp_path)] == [own, own]


def test_signatures_are_checked_before_what_the_lines_mean(state: Path) -> None:
    """A line that nobody signed is named before an odd one, wherever the odd one is."""
    path = night_of(state) / FILE
    (path.parent / HEADS).unlink()
    forge(state, lambda line: {**line, "at": {}} if line["seq"] == 4 else line)
    whole = path.read_bytes().splitlines(keepends=True)
    for altered, named in ((9, 9), (2, 2), (4, 4)):
        lines = list(whole)
        lines[altered - 1] = lines[altered - 1].replace(b'"via":"', b'"via":"x')
        path.write_bytes(b"".join(lines))
        with pytest.raises(Damaged, match=rf"0001/{FILE}:{named}: "):
            audit.verify(state)


# -- kept heads ------------------------------------------------------------------------------------


def test_heads_are_kept_at_the_end_of_each_game_and_of_the_night(played: Path) -> None:
    """Each is the head of that line, which carries its signature; one after the other."""
    data = (night_of(played) / HEADS).read_bytes()
    heads = parse_heads(data.decode())
    acts = [lines_of(played)[head.size - 1]["do"]["act"] for head in heads]
    assert acts == ["close", "close", "close-night"]
    assert [head for head in heads_in(played) if head in heads] == [*heads]
    assert not (night_of(played, 2) / HEADS).exists()
    for many, head in enumerate(heads):
        texts = [one.text for one in heads]
        assert heads_up_to(data, head.size).decode() == "".join(texts[: many + 1])
        assert heads_up_to(data, head.size - 1).decode() == "".join(texts[:many])
    assert heads_up_to(b"", 5) == b""


def test_kept_heads_may_be_missing(state: Path) -> None:
    """All or some of them: they show more than the lines do, and no less."""
    path = night_of(state) / HEADS
    heads = [head.text for head in parse_heads(path.read_text())]
    for some in (heads[:1], heads[1:], heads[::2], []):
        path.write_text("".join(some))
        assert len(audit.verify(state)) == 2
    path.unlink()
    assert len(audit.verify(state)) == 2


def test_a_tail_cut_off_is_found_by_a_kept_head(state: Path) -> None:
    """At every line's end; only with all the heads behind the cut a folder is whole again: then a
    head that was kept elsewhere tells."""
    shutil.rmtree(night_of(state, 2))
    path, beside = night_of(state) / FILE, night_of(state) / HEADS
    lines, heads = path.read_bytes().splitlines(keepends=True), heads_in(state)
    kept = parse_heads(beside.read_text())
    for left in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:left]))
        gone = next(head for head in kept if head.size > left)
        with pytest.raises(Damaged, match=rf"0001/{FILE}:{left + 1}: line {gone.size}, whose head"):
            audit.verify(state)
        with pytest.raises(Damaged, match="a tail was cut off"):
            start(state)
        whole = beside.read_bytes()
        beside.write_bytes(heads_up_to(whole, left))
        nights = audit.verify(state)
        assert nights[0].lines == left
        assert audit.unlike(state, nights, [heads[-1]]) == (1, left + 1, len(lines))
        beside.write_bytes(whole)


def test_a_night_written_anew_by_the_stations_key_is_found_by_a_kept_head(state: Path) -> None:
    """The first head that is another names its line."""
    shutil.rmtree(night_of(state, 2))
    kept = (night_of(state) / HEADS).read_text()
    sizes = [head.size for head in parse_heads(kept)]
    forge(state, lambda line: {**line, "by": "Eve"} if line["seq"] == sizes[0] + 1 else line)
    (night_of(state) / HEADS).write_text(kept)
    for work in (audit.verify, start):
        with pytest.raises(Damaged, match=rf"0001/{FILE}:{sizes[1]}: line {sizes[1]}, whose head"):
            work(state)


def other_night(path: Path, heads: list[str]) -> str:
    return "".join(heads) + Signer.of(STATION_KEY, 2).note(Edge.over([leaf_of(b"x")] * 99))


def other_key(path: Path, heads: list[str]) -> str:
    return "".join(heads) + Signer.of(OTHER, 1).note(Edge.over([leaf_of(b"x")] * 99))


HARMED_HEADS: dict[str, Callable[[Path, list[str]], str]] = {
    "no heads": lambda path, heads: "x\n",
    "doubled": lambda path, heads: "".join([heads[0], *heads]),
    "in another order": lambda path, heads: "".join(heads[::-1]),
    "a line between": lambda path, heads: "\n".join(heads),
    "other line ends": lambda path, heads: "".join(heads).replace("\n", "\r\n"),
    "cut": lambda path, heads: "".join(heads)[:-9],
    "of another night": other_night,
    "of another key": other_key,
    "another size": lambda path, heads: "".join(heads).replace("\n", "\n1", 1),
    "not UTF-8": lambda path, heads: "\udcff" + "".join(heads),
    "without an end": lambda path, heads: "".join(heads) + "\0" * LONGEST_HEADS,
}


@pytest.mark.parametrize("harm", HARMED_HEADS)
def test_a_file_of_heads_that_the_station_did_not_write_is_damage(state: Path, harm: str) -> None:
    """Whatever else stands in it, it is named, by the audit and at a start."""
    shutil.rmtree(night_of(state, 2))
    path = night_of(state) / HEADS
    heads = [head.text for head in parse_heads(path.read_text())]
    path.write_bytes(HARMED_HEADS[harm](path, heads).encode(errors="surrogateescape"))
    for work in (audit.verify, start):
        with pytest.raises(Damaged, match=rf"0001/{HEADS}: "):
            work(state)


@pytest.mark.parametrize("what", ["a folder", "a link", "a pipe"])
def test_what_is_no_file_holds_no_heads(state: Path, what: str) -> None:
    """It is named, and not taken for a file that is missing."""
    path = night_of(state, 2) / HEADS
    make: dict[str, Callable[[], object]] = {
        "a folder": path.mkdir,
        "a link": lambda: path.symlink_to(night_of(state) / HEADS),
        "a pipe": lambda: os.mkfifo(path),
    }
    make[what]()
    for work in (audit.verify, start):
        with pytest.raises(StoreError, match=rf"0002/{HEADS}: cannot be read"):
            work(state)


class PlayingOn(Disk):
    """A disk on which a game ends right after the audit has read the night's heads."""

    def __init__(self, play: Callable[[], None]) -> None:
        self.play = play

    def read_first(self, path: Path, most: int) -> bytes:
        try:
            return super().read_first(path, most)
        finally:
            if path.name == HEADS and path.parent.name == "0002":
                self.play()


def test_heads_that_are_kept_while_the_audit_reads_accuse_nobody(state: Path) -> None:
    """It has read the heads before the lines: there are more lines than heads, never fewer."""
    run_on: list[str] = ["close", "close-night"]

    def play_one() -> None:
        with night_in(state) as night:
            if run_on:
                run(play(Session(night, Told(), CLOCK), [run_on.pop(0)]))

    for more in (1, 2):
        night = audit.verify(state, disk=PlayingOn(play_one))[1]
        heads = parse_heads((night_of(state, 2) / HEADS).read_text())
        assert (len(heads), heads[-1].size) == (more, night.lines)


# -- whatever is done to the bytes -----------------------------------------------------------------


def judgement(judge: Callable[[], audit.AuditedNight | None]) -> tuple[str, int]:
    """What is said of damage, and how many bytes were torn."""
    try:
        found = judge()
    except Damaged as error:
        return str(error), 0
    except IndexError:  # nothing is left of the night
        return "", 0
    return "", found.torn if found is not None else 0


@pytest.mark.parametrize("seed", range(4))
def test_no_harm_at_random_passes(state: Path, seed: int) -> None:
    """Without the key, in the journal or the heads of a whole evening: the line is named, or the
    last line is torn; 600 harms in all, which `verify` and the start judge alike."""
    random, judged = Random(seed), set[tuple[str, int, bool]]()
    for _ in range(150):
        night, name = random.choice([(1, FILE), (2, FILE), (1, HEADS)])
        path = night_of(state, night) / name
        data = path.read_bytes()
        new = harmed(random, data)
        if new == data:
            continue
        lines = data.splitlines(keepends=True)
        intact = next(
            at
            for at in range(len(lines) + 1)
            if not new.startswith(b"".join(lines[: at + 1])) or at == len(lines)
        )
        path.write_bytes(new)
        said, torn = judgement(lambda night=night: audit.verify(state)[night - 1])
        if said:
            wanted = f"{night:04d}/{name}:{intact + 1 if name == FILE else ''}"
            assert wanted in said
            assert night == 1 or judgement(lambda: start(state))[0] == said
        elif name == FILE:
            assert night == 2
            assert torn == (len(new) - len(b"".join(lines[:intact])) if intact else 0)
        else:
            assert new in data
        judged.add((name, night, bool(said)))
        path.write_bytes(data)
    assert judged == {(FILE, 1, True), (FILE, 2, True), (FILE, 2, False), (HEADS, 1, True)}
