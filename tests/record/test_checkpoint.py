"""Checkpoints: signed heads, the key that signs them, and what a verification makes of both."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from station.base.disk import Disk
from station.base.errors import Damaged, StoreError, Unreadable
from station.night.acts import Break, CloseGame, CloseNight
from station.record import audit, checkpoint
from station.record.chain import Head, canonical
from station.record.folders import is_open
from station.record.journal import FILE
from station.record.nights import StateFolder, begin, resume
from station.record.session import Session
from station.record.station_key import (
    KEY_FILE,
    PUBLIC_FILE,
    SIGNED_ACTS,
    Key,
    load_public_key,
    make,
    make_key,
    parse,
    parse_public_key,
)
from tests.evenings import forge, lines_of, night_of, play_evenings, put
from tests.support import (
    BROKEN,
    CLOCK,
    OPENING,
    PROGRAMME,
    MemoryDisk,
    Told,
    night_in,
    play,
    run,
    small_pack,
)

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
HEAD = Head(17, "ab" * 32)
POINT = make(3, 2, HEAD, KEY)


# -- the file --------------------------------------------------------------------------------------


@given(
    night=st.integers(1, 9999),
    game=st.integers(0, 200),
    seq=st.integers(1, 2**40),
    digest=st.binary(min_size=32, max_size=32),
)
def test_what_was_made_is_read(night: int, game: int, seq: int, digest: bytes) -> None:
    """Night, game, head and key come back as they were signed; the same is signed the same
    again."""
    data = make(night, game, Head(seq, digest.hex()), KEY)
    point = parse(data, "file")
    assert (point.night, point.game, point.head) == (night, game, Head(seq, digest.hex()))
    assert point.key == checkpoint.public_key(KEY)
    assert make(night, game, point.head, KEY) == data


def test_anybody_can_check_it_with_a_library() -> None:
    """The signature is plain Ed25519 over the purpose's line and the canonical form of the other
    members."""
    data = json.loads(POINT)
    signature = bytes.fromhex(data.pop("signature"))
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(data["key"]))
    key.verify(signature, b"loto-station checkpoint 1\n" + text.encode())


def test_every_changed_byte_of_a_checkpoint_is_found() -> None:
    """Any bit of any byte, a byte more or less: it is no checkpoint any more, and the file is
    named."""
    harmed = [
        POINT[:place] + bytes([POINT[place] ^ 1 << place % 8]) + POINT[place + 1 :]
        for place in range(len(POINT))
    ]
    for data in [
        *harmed,
        POINT[:-1],
        POINT + b"\n",
        b"",
        b"[]",
        b'"x"',
        POINT.replace(b",", b", "),
    ]:
        with pytest.raises(Damaged, match=r"^night/checkpoints\.jsonl: "):
            parse(data, "night/checkpoints.jsonl")


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 18},
        {"sum": "cd" * 32},
        {"night": 4},
        {"game": 3},
        {"key": checkpoint.public_key(OTHER)},
    ],
)
def test_nothing_signed_can_be_exchanged(change: dict[str, object]) -> None:
    """Each member is under the signature, the key too."""
    with pytest.raises(Damaged, match="signature does not match"):
        parse(canonical({**json.loads(POINT), **change}) + b"\n", "file")


@pytest.mark.parametrize(
    "change",
    [
        {"key": "AB" * 32},
        {"key": 5},
        {"key": "ab"},
        {"signature": "xy"},
        {"signature": None},
        {"more": 1},
    ],
)
def test_other_members_are_refused(change: dict[str, object]) -> None:
    """A member in another form, or one more."""
    with pytest.raises(Damaged, match="no checkpoint"):
        parse(canonical({**json.loads(POINT), **change}) + b"\n", "file")


def test_the_acts_after_which_is_signed_are_acts() -> None:
    """The end of a game and the end of the night, by the names that the journal gives them."""
    assert {CloseGame().act, Break(why="no light").act, CloseNight().act} == SIGNED_ACTS


# -- the key ---------------------------------------------------------------------------------------


def test_the_key_is_made_once(tmp_path: Path) -> None:
    """The first start makes it, later ones read it; its public half is beside it; nobody else may
    read the key itself."""
    assert load_public_key(tmp_path) is None
    key = checkpoint.public_key(make_key(tmp_path))
    assert checkpoint.public_key(make_key(tmp_path)) == key == load_public_key(tmp_path)
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert key not in (tmp_path / KEY_FILE).read_text()
    assert {path.name for path in tmp_path.iterdir()} == {KEY_FILE, PUBLIC_FILE}


def test_a_public_half_that_is_wrong_is_written_anew(tmp_path: Path) -> None:
    """What the key says counts."""
    key = checkpoint.public_key(make_key(tmp_path))
    (tmp_path / PUBLIC_FILE).write_text("nonsense")
    with pytest.raises(Damaged, match=PUBLIC_FILE):
        load_public_key(tmp_path)
    make_key(tmp_path)
    assert load_public_key(tmp_path) == key


def test_a_key_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    """Its public half says that there was one: what it signed could not be checked any more."""
    assert not checkpoint.has_key(tmp_path)
    make_key(tmp_path)
    assert checkpoint.has_key(tmp_path)
    (tmp_path / KEY_FILE).unlink()
    with pytest.raises(
        Damaged, match=rf"{KEY_FILE}: the signing key is gone, and {PUBLIC_FILE} is there"
    ):
        make_key(tmp_path)
    assert checkpoint.has_key(tmp_path)


@pytest.mark.parametrize("text", ["", "xyz", "ab" * 31, "AB" * 32, "ä" * 64])
def test_a_damaged_key_is_named(tmp_path: Path, text: str) -> None:
    """It is not replaced in silence: what it signed could not be checked any more."""
    make_key(tmp_path)
    (tmp_path / KEY_FILE).write_text(text)
    with pytest.raises(Damaged, match=rf"{KEY_FILE}: this is no signing key"):
        make_key(tmp_path)
    assert (tmp_path / KEY_FILE).read_text() == text


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    """The sentence has the line to type."""
    make_key(tmp_path)
    os.chmod(tmp_path / KEY_FILE, 0o640)
    with pytest.raises(StoreError, match="chmod 600"):
        make_key(tmp_path)


def test_a_folder_that_cannot_hold_a_key_is_named(tmp_path: Path) -> None:
    """A file stands where the state folder should be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=KEY_FILE):
        make_key(tmp_path / "file")
    with pytest.raises(StoreError, match=PUBLIC_FILE):
        load_public_key(tmp_path / "file")


def test_a_public_key_as_a_person_types_it() -> None:
    """Spaces and capitals do not matter; anything but 64 hex digits does."""
    key = checkpoint.public_key(KEY)
    assert parse_public_key(f" {key[:8].upper()} {key[8:]}\n") == key
    for wrong in ("", key[:-1], key + "0", "g" * 64):
        with pytest.raises(Unreadable, match="64 hex digits"):
            parse_public_key(wrong)


# -- at a start ------------------------------------------------------------------------------------


def closed_games(
    state: Path,
    games: int,
    acts: Sequence[str] = (),
    key: Key | None = None,
    *,
    signed: bool = True,
) -> Path:
    """A night of so many closed games and then these acts; without `signed` the station ends before
    it signs any of them."""
    with night_in(state, key=key) as night:
        path = night.folder / checkpoint.FILE
        before = path.read_bytes() if key is not None else b""
        session = Session(night, Told(), CLOCK)
        run(play(session, [*["open", "draw", "close"] * games, *acts]))
    if key is not None and not signed:
        path.write_bytes(before)
    return path


def points_of(path: Path) -> list[checkpoint.Checkpoint]:
    return [parse(line, "file") for line in path.read_bytes().splitlines(keepends=True)]


@pytest.mark.parametrize("acts", [("close",), ("close-night",)], ids=["a game", "the night"])
@pytest.mark.parametrize("before", [0, 1], ids=["nothing played", "the game before signed"])
def test_an_end_that_was_not_signed_is_signed_by_the_next_start(
    tmp_path: Path, acts: Sequence[str], before: int
) -> None:
    """The station ended between the last line of a game, or of the night, and its checkpoint: the
    start makes up for it, and says so for the journal; a second start has nothing to do."""
    key = make_key(tmp_path)
    path = closed_games(tmp_path, before, ["open", "draw"] if acts == ("close",) else (), key=key)
    closed_games(tmp_path, 0, acts, key=key, signed=False)
    last = lines_of(tmp_path)[-1]
    assert points_of(path)[-1].seq < last["seq"]
    assert [night.by for night in audit.verify(tmp_path)] == [None]
    late = start(tmp_path, key)
    point = points_of(path)[-1]
    assert (point.night, point.game, point.head) == (
        1,
        before + (acts == ("close",)),
        Head(last["seq"], last["sum"]),
    )
    assert f"line {last['seq']} of night 1 was not signed when the station ended" in late
    assert audit.verify(tmp_path)[0].point == point
    data = path.read_bytes()
    assert start(tmp_path, key) == ""
    assert path.read_bytes() == data


def test_an_opening_that_was_not_signed_is_signed_by_the_next_start(tmp_path: Path) -> None:
    """The power went right after a night's first line."""
    key = make_key(tmp_path)
    path = closed_games(tmp_path, 0, key=key)
    [point] = points_of(path)
    path.unlink()
    assert "line 1 of night 1" in start(tmp_path, key)
    assert points_of(path) == [point]


def start(
    state: Path, key: Key | None, disk: Disk | None = None, *, taking_over: bool = False
) -> str:
    """What the station's start does: the open night goes on, or the next one begins; gives what it
    has signed."""
    with contextlib.closing(StateFolder(state, 0, disk)) as folder:
        last = folder.last_night()
        assert last is not None
        if is_open(last):
            night = resume(last, disk, key)
        else:
            night = begin(folder, small_pack(), PROGRAMME, OPENING, key=key)
        night.journal.close()
        return night.signed_late


def test_a_start_without_a_key_signs_nothing(tmp_path: Path) -> None:
    """Nor is there anything more to sign before a game has ended."""
    path = closed_games(tmp_path, 1)
    start(tmp_path, None)
    assert not path.exists()
    other = tmp_path / "other"
    path = closed_games(other, 0, ["open", "draw"], KEY)
    assert start(other, KEY) == ""
    assert len(points_of(path)) == 1


@pytest.mark.parametrize("kept", [3, 2])
def test_a_start_finds_that_signed_lines_are_gone(tmp_path: Path, kept: int) -> None:
    """A card that forgot what it had said was safe, or somebody who cut the end off: it is not gone
    over."""
    path = closed_games(tmp_path, 1, key=make_key(tmp_path))
    journal = path.with_name(FILE)
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:kept]))
    with pytest.raises(Damaged, match=r"line 4, signed after 1 games, is not in the journal"):
        start(tmp_path, None)


def test_a_start_finds_that_signed_lines_were_written_anew(tmp_path: Path) -> None:
    """The same number of lines with all sums right, but not the ones that were signed."""
    closed_games(tmp_path, 1, key=make_key(tmp_path))
    forge(tmp_path, lambda line: {**line, "by": "Eve"} if line["seq"] == 2 else line)
    with pytest.raises(Damaged, match=rf"{FILE}:2: the station has signed another line than this"):
        start(tmp_path, None)


def test_a_start_signs_no_forgery(tmp_path: Path) -> None:
    """Written anew, all signatures taken away: whether or not the openings still say that they were
    signed, and also where the last line is one after which the station would sign."""
    key = make_key(tmp_path)
    closed_games(tmp_path, 1, ["close-night"], key)
    with night_in(tmp_path, new=True, key=key) as night:
        run(play(Session(night, Told(), CLOCK), ["open", "draw", "close"]))
    for path in tmp_path.glob(f"nights/*/{checkpoint.FILE}"):
        path.unlink()

    def without_head(line: dict[str, Any]) -> dict[str, Any]:
        return {**{name: value for name, value in line.items() if name != "head"}, "by": "Eve"}

    def unsigned(line: dict[str, Any]) -> dict[str, Any]:
        do = {
            name: value for name, value in line["do"].items() if name not in ("before", "unsigned")
        }
        return {**without_head(line), "do": do}

    whole = {path: path.read_bytes() for path in sorted(tmp_path.glob(f"nights/*/{FILE}"))}
    for change in (lambda line: {**line, "by": "Eve"}, without_head, unsigned):
        forge(tmp_path, change, 2)
        second = lines_of(tmp_path, 2)
        forge(tmp_path, change, 1)
        put(tmp_path, second, Head(0, lines_of(tmp_path)[-1]["sum"]), 2)
        for work in (lambda: start(tmp_path, key), lambda: audit.verify(tmp_path)):
            with pytest.raises(Damaged, match=r"written anew|taken away|rewritten"):
                work()
        assert not [*tmp_path.glob(f"nights/*/{checkpoint.FILE}")]
        for path, data in whole.items():
            path.write_bytes(data)


def test_a_checkpoint_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    """As it does every other judge; it is left as it is."""
    path = closed_games(tmp_path, 1, key=make_key(tmp_path))
    path.write_bytes(b"{}")
    with pytest.raises(Damaged, match=rf"{checkpoint.FILE}:1: this is no checkpoint"):
        start(tmp_path, KEY)
    assert path.read_bytes() == b"{}"


@pytest.mark.parametrize("call", ["create", "write", "sync"])
def test_a_start_that_cannot_sign_is_refused(tmp_path: Path, call: str) -> None:
    """A disk that fails under the checkpoint would fail under the next line: it is named; later all
    is made good."""
    path = closed_games(tmp_path, 1, key=KEY, signed=False)
    before = path.read_bytes()
    disk = MemoryDisk()
    # the journal is opened before
    disk.fails[call] = {{"create": 2, "write": 1, "sync": 1}[call]: BROKEN}
    with pytest.raises(StoreError, match=r"Input/output error"):
        start(tmp_path, KEY, disk)
    assert path.read_bytes() == before
    start(tmp_path, KEY)
    assert len(points_of(path)) == 2


def test_a_start_believes_no_opening_that_forgets_signatures(tmp_path: Path) -> None:
    """After a night whose every end was signed comes none whose opening carries no checkpoint; nor
    one, itself unsigned, that says that it takes nights over."""
    closed_games(tmp_path, 0, ["close-night"], KEY)
    with night_in(tmp_path, new=True):
        pass
    with pytest.raises(Damaged, match="the night carries no checkpoint of the night before"):
        start(tmp_path, KEY)
    shutil.rmtree(tmp_path / "nights")
    closed_games(tmp_path, 0, ["close-night"])
    start(tmp_path, KEY)
    (night_of(tmp_path, 2) / checkpoint.FILE).unlink()
    with pytest.raises(
        Damaged, match="the opening, which takes nights over that nobody signed, is not signed"
    ):
        start(tmp_path, KEY)
    assert "line 1 of night 2" in start(tmp_path, KEY)


# -- nights of before ------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [True, False], ids=["a new night", "the same night"])
def test_nights_of_before_are_taken_over_by_a_new_key_alone(tmp_path: Path, closed: bool) -> None:
    """Nobody had signed them. A station that makes its key now goes on with them, and says which
    they are; one that had a key would have signed them, and does not believe it."""
    closed_games(tmp_path, 1, ["close-night"] if closed else ["open", "draw"])
    with pytest.raises(
        Damaged,
        match=r"the signature of line 4 is not here: .*move station\.key and station\.pub away",
    ):
        start(tmp_path, KEY)
    start(tmp_path, KEY)
    found = audit.verify(tmp_path, [checkpoint.public_key(KEY)])
    assert [(night.vouched, night.by) for night in found] == (
        [(False, 2), (True, 2)] if closed else [(False, 1)]
    )
    audit.insist(found)
    if closed:
        opening = lines_of(tmp_path, 2)[0]["do"]
        assert (opening["before"], opening["unsigned"]) == (None, [1])
        with pytest.raises(
            Damaged,
            match="night 0001: vouched for only by the signature of night 2",
        ):
            audit.insist(found, strict=True)
    assert start(tmp_path, KEY) == ""


# -- in the audit ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two nights, all ends signed; the second is open."""
    state = tmp_path_factory.mktemp("played")
    return play_evenings(state, make_key(state))


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "state"))


def sign(state: Path, key: Ed25519PrivateKey, night: int = 1) -> None:
    """Signs the lines that were signed once more, by this key."""
    path = night_of(state, night) / checkpoint.FILE
    path.write_bytes(
        b"".join(make(point.night, point.game, point.head, key) for point in points_of(path))
    )


def test_a_checkpoint_is_found_and_tells_how_far(played: Path) -> None:
    """By night: the newest checkpoint; it stands for its line and all before it, not for those
    behind it."""
    first, second = audit.verify(played)
    assert first.point is not None
    assert second.point is not None
    assert (first.point.seq, first.by, first.unsigned) == (first.lines, 1, 0)
    assert (second.point.seq, second.by, second.unsigned) == (1, None, second.lines - 1)
    signed = [
        lines_of(played)[point.seq - 1]["do"]["act"]
        for point in points_of(night_of(played) / checkpoint.FILE)
    ]
    assert signed == ["open-night", "close", "close", "close-night"]
    opening = lines_of(played, 2)[0]["do"]
    assert (opening["before"], opening["unsigned"]) == (asdict(first.point), [])
    with pytest.raises(Damaged, match=f"night 0002: lines 2 to {second.lines} are not signed yet"):
        audit.insist([first, second])


@pytest.mark.parametrize("place", range(4))
def test_no_signature_may_be_taken_away(state: Path, place: int) -> None:
    """Each of a closed night's is due: its line is named; so is the first of a night's opening,
    once there is a second line."""
    path = night_of(state) / checkpoint.FILE
    lines = path.read_bytes().splitlines(keepends=True)
    seq = points_of(path)[place].seq
    path.write_bytes(b"".join(lines[:place] + lines[place + 1 :]))
    with pytest.raises(
        Damaged, match=rf"0001/{checkpoint.FILE}: the signature of line {seq} is not here"
    ):
        audit.verify(state)


def test_signatures_stand_in_their_order(state: Path) -> None:
    """Doubled or in each other's place they are no file of the station's."""
    path = night_of(state) / checkpoint.FILE
    one, two, *rest = path.read_bytes().splitlines(keepends=True)
    for lines in ([one, one, two], [two, one]):
        path.write_bytes(b"".join([*lines, *rest]))
        with pytest.raises(Damaged, match=rf"{checkpoint.FILE}:\d: line \d+ is signed after"):
            audit.verify(state)


def test_a_night_written_anew_is_found(state: Path) -> None:
    """Whoever changes a line and makes every sum right again cannot sign: the head in the next line
    is not of this tree; without the heads, the checkpoint is not of this chain."""
    shutil.rmtree(night_of(state, 2))
    forge(state, lambda line: {**line, "by": "Eve"} if line["seq"] == 5 else line)
    with pytest.raises(Damaged, match=rf"{FILE}:5: the station has signed another line than this"):
        audit.verify(state)
    forge(state, lambda line: {name: said for name, said in line.items() if name != "head"})
    with pytest.raises(
        Damaged, match=r"journal\.jsonl:1: line 1, signed after 0 games, is not in the journal"
    ):
        audit.verify(state)


def test_a_tail_cut_off_is_found(state: Path) -> None:
    """At every line's end; only with all the signatures behind the cut a folder is whole again:
    then a head that was kept elsewhere tells."""
    shutil.rmtree(night_of(state, 2))
    path, signatures = night_of(state) / FILE, night_of(state) / checkpoint.FILE
    lines, points = (
        path.read_bytes().splitlines(keepends=True),
        signatures.read_bytes().splitlines(keepends=True),
    )
    for kept in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        with pytest.raises(Damaged, match="a tail was cut off"):
            audit.verify(state)
        whole = [line for line in points if parse(line, "file").seq <= kept]
        signatures.write_bytes(b"".join(whole))
        assert audit.verify(state)[0].lines == kept
        signatures.write_bytes(b"".join(points))


def test_a_checkpoint_of_another_key_is_refused(state: Path) -> None:
    """A forger's key is not the station's; the keys are named, and a station's older key can be
    given."""
    for night in (1, 2):
        sign(state, OTHER, night)
    own = load_public_key(state)
    with pytest.raises(
        Damaged, match=f"signed by key {checkpoint.public_key(OTHER)}, not by {own}"
    ):
        audit.verify(state)
    # in whose name the lines have no head
    with pytest.raises(Damaged, match=rf"0001/{FILE}:1: the head in this line is not that"):
        audit.verify(state, [checkpoint.public_key(OTHER)])
    with pytest.raises(Damaged, match="signed by key"):
        audit.verify(state, [checkpoint.public_key(KEY)])


def test_a_copy_without_a_key_is_checked_by_the_key_that_it_names(state: Path) -> None:
    """The journals alone, on another machine: the signature must match; whose key it is, the reader
    compares."""
    for name in (KEY_FILE, PUBLIC_FILE):
        (state / name).unlink()
    point = audit.verify(state)[0].point
    assert point is not None
    file = night_of(state) / checkpoint.FILE
    file.write_bytes(
        file.read_bytes().replace(point.key.encode(), checkpoint.public_key(OTHER).encode())
    )
    with pytest.raises(Damaged, match="signature does not match"):
        audit.verify(state)


def test_a_checkpoint_of_another_night_is_refused(state: Path) -> None:
    """A whole checkpoint in another night's folder vouches for nothing there."""
    shutil.copy(night_of(state) / checkpoint.FILE, night_of(state, 2) / checkpoint.FILE)
    with pytest.raises(Damaged, match=rf"0002/{checkpoint.FILE}:1: it was signed for night 1"):
        audit.verify(state)


def test_what_a_file_held_when_there_were_fewer_lines(played: Path) -> None:
    """The checkpoints up to a line, as they stand."""
    data = (night_of(played) / checkpoint.FILE).read_bytes()
    lines = data.splitlines(keepends=True)
    for many, point in enumerate(points_of(night_of(played) / checkpoint.FILE)):
        assert checkpoint.up_to(data, point.seq) == b"".join(lines[: many + 1])
        assert checkpoint.up_to(data, point.seq - 1) == b"".join(lines[:many])


def test_a_checkpoint_that_cannot_be_read_is_named(state: Path) -> None:
    """A folder stands where the file should be."""
    (night_of(state, 2) / checkpoint.FILE).unlink()
    (night_of(state, 2) / checkpoint.FILE).mkdir()
    with pytest.raises(StoreError, match=rf"0002/{checkpoint.FILE}: cannot be read"):
        audit.verify(state)


def test_a_line_longer_than_any_checkpoint_is_refused() -> None:
    """It is not read at all."""
    with pytest.raises(Damaged, match="longer than any checkpoint"):
        checkpoint.parse(b" " * (checkpoint.LONGEST + 1), "c")
