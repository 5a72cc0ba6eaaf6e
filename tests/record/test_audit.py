"""The audit: whole folders are whole, every harm is found and its line named, replay names a `then`
that it does not come to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.base.disk import Disk
from station.base.errors import Damaged, SettingsError, StoreError, Unreadable
from station.proof.merkle import Edge
from station.record import audit, checkpoint
from station.record.chain import START, Head
from station.record.coded import CodedHead
from station.record.folders import night_folders
from station.record.heads import TreeHead, leaf_of, parse_head, sign_head
from station.record.journal import FILE, JournalContent
from station.record.nights import replay
from station.record.session import Session
from station.record.station_key import make_key
from tests.evenings import FIRST, LINES, forge, lines_of, night_of, play_evenings, put
from tests.support import CLOCK, Told, night_in, play, run


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
    """Nights, lines and heads, as the thorough reader finds them; nobody has signed."""
    found = audit.verify(played)
    assert [(night.night, night.lines, night.torn, night.point) for night in found] == [
        ("0001", LINES[0], 0, None),
        ("0002", LINES[1], 0, None),
    ]
    assert [night.head for night in found] == [
        Head(lines[-1]["seq"], lines[-1]["sum"]) for lines in map_lines(played)
    ]
    assert audit.verify(played / "nowhere") == []


@pytest.mark.long
def test_every_changed_byte_is_found_and_its_line_named(state: Path) -> None:
    """One bit of any byte: the file and the line are named, or, in the very last line, it is set
    aside as torn.

    Where that byte is a digit of the sum before it and becomes another, the last line follows
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
            relinked = (
                link <= place < link + 64 and data[place] ^ (1 << place % 8) in b"0123456789abcdef"
            )
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
    """The night after it follows a sum that is not there any more."""
    path = night_of(state) / FILE
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
        audit.line_sum(night_of(state, 9999), 1)
    path = night_of(state) / FILE
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match=rf"0001/{FILE}: cannot be read"):
        audit.verify(state)


def test_a_line_is_looked_up(played: Path) -> None:
    """The sum that stands on a line, and None where there is no such line."""
    sums = [line["sum"] for line in lines_of(played)]
    assert [audit.line_sum(night_of(played), seq) for seq in range(len(sums) + 2)] == [
        None,
        *sums,
        None,
    ]


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
    """A whole chain in which a night begins with other accounts than the last one of its kind left:
    line 1 of that night."""
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
    put(state, second, Head(0, lines_of(state)[-1]["sum"]), 2)
    with pytest.raises(
        Damaged, match=rf"0001/{FILE}:{LINES[0]}: the accounts that stand here do not balance"
    ):
        audit.verify(state)


def test_a_night_that_was_not_closed_before_the_next_is_named(state: Path) -> None:
    """Its last line, where the end should stand, though the chain goes on into the next night."""
    note = {"act": "note", "about": "x", "what": "y"}
    second = lines_of(state, 2)
    forge(state, lambda line: {**line, "do": note} if line["seq"] == LINES[0] else line)
    put(state, second, Head(0, lines_of(state)[-1]["sum"]), 2)
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
    """Any value of any line's `then` altered, all sums made right again: the chain is whole, and
    the line is named."""
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
            # No signature stands for it: the rules alone can tell, and the audit asks them.
            work = replayed if tried % 2 else audit.verify
            with pytest.raises(
                Damaged, match=rf"0001/{FILE}:{line['seq']}: replaying it leads to another state"
            ):
                work(state)
            (night_of(state) / FILE).write_bytes(whole)
    assert tried > 3 * len(FIRST)


def test_an_act_that_the_rules_refuse_is_named(state: Path) -> None:
    """A number called twice, in a whole chain."""
    shutil.rmtree(night_of(state, 2))
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


@pytest.mark.parametrize(
    ("closed", "signed"), [(True, True), (True, False), (False, True), (False, False)]
)
def test_a_closed_night_of_another_version_may_differ(
    state: Path, closed: bool, signed: bool
) -> None:
    """What an older program recorded, and signed, is what happened: the difference is told. An open
    night must go on, and a version that anybody can write excuses nothing in a night that no
    signature stands for: there it is damage.
    """
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
    if signed:
        head = lines_of(state)[-1]
        key = make_key(state)
        (night_of(state) / checkpoint.FILE).write_bytes(
            checkpoint.make(1, 2, Head(head["seq"], head["sum"]), key)
        )
    if closed and signed:
        [(night, lines, differs)] = replayed(state)
        assert (night, lines) == ("0001", last)
        assert "version 0.0.1" in differs
        assert f"{FILE}:5: " in differs
    else:
        with pytest.raises(Damaged, match=f"{FILE}:5: "):
            replayed(state)


# -- signed, and told ------------------------------------------------------------------------------


def test_whoever_asks_for_signatures_is_told_what_has_none(state: Path) -> None:
    """Nothing here is signed: the first line that is not is named, before anything is played
    again."""
    assert len([*audit.readings(state)]) == 2
    with pytest.raises(Damaged, match=f"night 0001: lines 1 to {LINES[0]} are not signed yet"):
        [*audit.readings(state, signed=True)]


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


def test_a_night_that_forgets_that_signatures_were_due_is_named(tmp_path: Path) -> None:
    """After a night whose opening carries a checkpoint comes none whose opening does not."""
    for key in (make_key(tmp_path), None):
        with night_in(tmp_path, new=key is None, key=key) as night:
            run(play(Session(night, Told(), CLOCK), ["close-night"]))
    with pytest.raises(
        Damaged, match=f"0002/{FILE}:1: the night carries no checkpoint of the night before"
    ):
        audit.verify(tmp_path)


def test_the_last_folder_without_a_journal_is_no_night(state: Path) -> None:
    """Copies alone, or nothing: its opening never became durable. With signatures it was one."""
    night_of(state, 3).mkdir()
    assert len(audit.verify(state)) == 2
    (night_of(state, 3) / checkpoint.FILE).write_bytes(
        checkpoint.make(3, 0, Head(1, "0" * 64), make_key(state))
    )
    with pytest.raises(Damaged, match=rf"0003/{FILE}:1: the journal is gone, and checkpoints"):
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
    key = make_key(tmp_path)
    play_evenings(tmp_path, key)
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
    """In a whole chain; so is a correction of a call that there was not."""
    for do, said in (({}, "does not say what was done"), ({"act": "undo"}, "the rules refuse")):
        forge(state, lambda line, do=do: {**line, "do": do} if line["seq"] == 2 else line, 2)
        for work in (audit.verify, replayed):
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


def test_verified_nights_go_on_from_kept_heads_or_not(tmp_path: Path) -> None:
    """Their own accuse nobody; those of a longer record, or of another night, name the line."""
    key = make_key(tmp_path)
    play_evenings(tmp_path, key)
    lines = (night_of(tmp_path) / FILE).read_bytes().splitlines(keepends=True)
    kept = [parse_head(json.loads(line)["head"]) for line in lines]
    nights = audit.verify(tmp_path)
    assert audit.unlike(tmp_path, nights, kept) is None
    edge = Edge.over(leaf_of(line[:-1]) for line in lines)
    longer = parse_head(sign_head(key, 1, edge.grown(leaf_of(b"x"))))
    assert audit.unlike(tmp_path, nights, [*kept, longer]) == (1, len(lines) + 1, len(lines) + 1)
    other = parse_head(sign_head(key, 1, Edge.over([leaf_of(b"x")] * 3)))
    assert audit.unlike(tmp_path, nights, [other, kept[2]]) == (1, 3, 3)
    unknown = parse_head(sign_head(key, 77, edge))
    assert audit.unlike(tmp_path, nights, [unknown]) == (77, 1, len(lines))


def test_a_head_on_paper_is_of_the_record_and_signed_by_its_station(tmp_path: Path) -> None:
    """Each head of the night is; another key's is not, nor one whose signature or record is
    another."""
    key, eve = make_key(tmp_path), Ed25519PrivateKey.generate()
    play_evenings(tmp_path, key)
    lines = (night_of(tmp_path) / FILE).read_bytes().splitlines(keepends=True)
    kept = [parse_head(json.loads(line)["head"]) for line in lines]
    mine, hers = (one.public_key().public_bytes_raw().hex() for one in (key, eve))
    other = parse_head(sign_head(key, 1, Edge.over([leaf_of(b"x")] * 3)))
    forged = parse_head(sign_head(eve, 1, Edge.over(leaf_of(line[:-1]) for line in lines)))

    def signed(head: TreeHead, coded: str, wanted: str = mine) -> bool:
        return audit.is_signed(tmp_path, CodedHead(head, coded), len(lines), wanted)

    assert all(signed(head, mine) for head in kept)
    assert not signed(forged, mine)
    assert not signed(forged, hers)
    assert not signed(kept[2], mine, hers)
    assert not signed(other, mine)
