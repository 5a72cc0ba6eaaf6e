"""Checkpoints: signed heads, the key that signs them, and what a verification makes of both."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from station import audit, checkpoint
from station.acts import Break
from station.chain import Head, canonical
from station.checkpoint import KEY_FILE, PUBLIC_FILE, SIGNED_ACTS, load_public_key, make, make_key, parse, parse_public_key
from station.disk import Disk
from station.errors import Damaged, StoreError, Unreadable
from station.hall import Close, CloseNight
from station.journal import FILE
from station.nights import StateFolder, begin, is_open, resume
from station.session import Session
from tests.evenings import forge, lines_of, night_of, play_evenings
from tests.support import BROKEN, CLOCK, OPENING, PROGRAMME, MemoryDisk, Told, night_in, play, run, small_pack

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
HEAD = Head(17, "ab" * 32)
POINT = make(3, 2, HEAD, KEY)


# -- the file ----------------------------------------------------------------------------------------------------------


@given(
    night=st.integers(1, 9999), game=st.integers(0, 200), seq=st.integers(1, 2**40), digest=st.binary(min_size=32, max_size=32)
)
def test_what_was_made_is_read(night: int, game: int, seq: int, digest: bytes) -> None:
    """Night, game, head and key come back as they were signed; the same is signed the same again."""
    data = make(night, game, Head(seq, digest.hex()), KEY)
    point = parse(data, "file")
    assert (point.night, point.game, point.head) == (night, game, Head(seq, digest.hex()))
    assert point.key == checkpoint.public_key(KEY)
    assert make(night, game, point.head, KEY) == data


def test_anybody_can_check_it_with_a_library() -> None:
    """The signature is plain Ed25519 over the purpose's line and the canonical form of the other members."""
    data = json.loads(POINT)
    signature = bytes.fromhex(data.pop("signature"))
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(data["key"]))
    key.verify(signature, b"loto-station checkpoint 1\n" + text.encode())


def test_every_changed_byte_of_a_checkpoint_is_found() -> None:
    """Any bit of any byte, a byte more or less: it is no checkpoint any more, and the file is named."""
    harmed = [POINT[:place] + bytes([POINT[place] ^ 1 << place % 8]) + POINT[place + 1 :] for place in range(len(POINT))]
    for data in [*harmed, POINT[:-1], POINT + b"\n", b"", b"[]", b'"x"', POINT.replace(b",", b", ")]:
        with pytest.raises(Damaged, match=r"^night/checkpoint\.json: "):
            parse(data, "night/checkpoint.json")


@pytest.mark.parametrize(
    "change", [{"seq": 18}, {"sum": "cd" * 32}, {"night": 4}, {"game": 3}, {"key": checkpoint.public_key(OTHER)}]
)
def test_nothing_signed_can_be_exchanged(change: dict[str, object]) -> None:
    """Each member is under the signature, the key too."""
    with pytest.raises(Damaged, match="signature does not match"):
        parse(canonical({**json.loads(POINT), **change}) + b"\n", "file")


@pytest.mark.parametrize(
    "change", [{"key": "AB" * 32}, {"key": 5}, {"key": "ab"}, {"signature": "xy"}, {"signature": None}, {"more": 1}]
)
def test_other_members_are_refused(change: dict[str, object]) -> None:
    """A member in another form, or one more."""
    with pytest.raises(Damaged, match="no checkpoint"):
        parse(canonical({**json.loads(POINT), **change}) + b"\n", "file")


def test_the_acts_after_which_is_signed_are_acts() -> None:
    """The end of a game and the end of the night, by the names that the journal gives them."""
    assert {Close().act, Break(why="no light").act, CloseNight().act} == SIGNED_ACTS


# -- the key -----------------------------------------------------------------------------------------------------------


def test_the_key_is_made_once(tmp_path: Path) -> None:
    """The first start makes it, later ones read it; its public half is beside it; nobody else may read the key itself."""
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


# -- at a start --------------------------------------------------------------------------------------------------------


def closed_games(state: Path, games: int, acts: Sequence[str] = (), key: checkpoint.Key | None = None) -> Path:
    """A night of so many closed games and then these acts, signed or not; gives the place of its checkpoint."""
    with night_in(state) as night:
        run(play(Session(night, Told(), CLOCK, key=key), [*["open", "draw", "close"] * games, *acts]))
        return night.folder / checkpoint.FILE


@pytest.mark.parametrize("acts", [(), ("open", "draw"), ("close-night",)], ids=["a game", "the next on the table", "the night"])
@pytest.mark.parametrize("before", [0, 1], ids=["nothing signed", "the game before signed"])
def test_an_end_that_was_not_signed_is_signed_by_the_next_start(tmp_path: Path, acts: Sequence[str], before: int) -> None:
    """The station ended between the last line of a game, or of the night, and its checkpoint: the start makes up for it."""
    key = make_key(tmp_path)
    if before:
        closed_games(tmp_path, 1, key=key)
    path = closed_games(tmp_path, 1, acts)
    assert path.exists() is bool(before)
    lines = lines_of(tmp_path)
    end = max(line["seq"] for line in lines if line["do"]["act"] in SIGNED_ACTS)
    start(tmp_path, key)
    point = parse(path.read_bytes(), "file")
    assert (point.night, point.game, point.seq, point.sum) == (1, before + 1, end, lines[end - 1]["sum"])
    assert audit.verify(tmp_path)[0].point == point
    data = path.read_bytes()
    start(tmp_path, key)
    assert path.read_bytes() == data


def start(state: Path, key: checkpoint.Key | None, disk: Disk | None = None) -> None:
    """What the station's start does: the open night goes on, or the next one begins."""
    with contextlib.closing(StateFolder(state, 0, disk)) as folder:
        last = folder.last_night()
        assert last is not None
        going_on = is_open(last)
        night = resume(last, disk, key=key) if going_on else begin(folder, small_pack(), PROGRAMME, OPENING, key=key)
        night.journal.close()


def test_a_start_without_a_key_signs_nothing(tmp_path: Path) -> None:
    """Nor is there anything to sign before a game has ended."""
    path = closed_games(tmp_path, 1)
    start(tmp_path, None)
    assert not path.exists()
    other = tmp_path / "other"
    path = closed_games(other, 0, ["open", "draw"])
    start(other, KEY)
    assert not path.exists()


@pytest.mark.parametrize("kept", [3, 2])
def test_a_start_finds_that_signed_lines_are_gone(tmp_path: Path, kept: int) -> None:
    """A card that forgot what it had said was safe, or somebody who cut the end off: it is not gone over."""
    path = closed_games(tmp_path, 1, key=make_key(tmp_path))
    journal = path.with_name(FILE)
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:kept]))
    with pytest.raises(Damaged, match=rf"{checkpoint.FILE}: line 4, signed at the end of game 1, is not in the journal"):
        start(tmp_path, None)


def test_a_start_finds_that_signed_lines_were_written_anew(tmp_path: Path) -> None:
    """The same number of lines with all sums right, but not the ones that were signed."""
    closed_games(tmp_path, 1, key=make_key(tmp_path))
    forge(tmp_path, lambda line: {**line, "by": "Eve"} if line["seq"] == 2 else line)
    with pytest.raises(Damaged, match="written anew"):
        start(tmp_path, None)


def test_a_checkpoint_that_cannot_be_read_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is left as it is, and spoken of: the lines themselves are whole, and people wait."""
    path = closed_games(tmp_path, 1, key=make_key(tmp_path))
    path.write_bytes(b"{}")
    start(tmp_path, KEY)
    assert path.read_bytes() == b"{}"
    assert "this is no checkpoint" in caplog.text


@pytest.mark.parametrize("call", ["create", "write", "sync"])
def test_a_start_that_cannot_sign_is_refused(tmp_path: Path, call: str) -> None:
    """A disk that fails under the checkpoint would fail under the next line: it is named; later all is made good."""
    path = closed_games(tmp_path, 1)
    disk = MemoryDisk()
    disk.fails[call] = {{"create": 2, "write": 1, "sync": 1}[call]: BROKEN}  # the journal is opened before
    with pytest.raises(StoreError, match=r"Input/output error"):
        start(tmp_path, KEY, disk)
    assert not path.exists()
    start(tmp_path, KEY)
    assert path.exists()


# -- in the audit ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two nights, the first signed at its first game's end."""
    state = play_evenings(tmp_path_factory.mktemp("played"))
    sign(state, make_key(state))
    return state


@pytest.fixture
def state(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "state"))


def sign(state: Path, key: Ed25519PrivateKey, night: int = 1, at: str = "close") -> None:
    """Puts a checkpoint after the first line of that act, as the station does at a game's end."""
    line = next(line for line in lines_of(state, night) if line["do"]["act"] == at)
    (night_of(state, night) / checkpoint.FILE).write_bytes(make(night, 1, Head(line["seq"], line["sum"]), key))


def test_a_checkpoint_is_found_and_tells_how_far(played: Path) -> None:
    """By night: the checkpoint, or None; it stands for its line, not for those behind it."""
    first, second = audit.verify(played)
    assert first.point is not None
    assert lines_of(played)[first.point.seq - 1]["do"]["act"] == "close"
    assert first.point.seq < first.lines
    assert second.point is None


def test_a_night_written_anew_is_found(state: Path) -> None:
    """Whoever changes a line and makes every sum right again cannot sign: the checkpoint is not of this chain."""
    shutil.rmtree(night_of(state, 2))
    forge(state, lambda line: {**line, "by": "Eve"} if line["seq"] == 5 else line)
    with pytest.raises(Damaged, match=rf"{checkpoint.FILE}: line \d+, signed at the end of game 1, is not in the journal"):
        audit.verify(state)


def test_a_tail_cut_off_before_the_checkpoint_is_found(state: Path) -> None:
    """At every line's end before the signed one; behind it a cut is not seen: only a newer head kept elsewhere shows that."""
    shutil.rmtree(night_of(state, 2))
    path = night_of(state) / FILE
    lines = path.read_bytes().splitlines(keepends=True)
    point = audit.verify(state)[0].point
    assert point is not None
    for kept in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:kept]))
        if kept < point.seq:
            with pytest.raises(Damaged, match="a tail was cut off"):
                audit.verify(state)
        else:
            assert audit.verify(state)[0].lines == kept


def test_a_checkpoint_of_another_key_is_refused(state: Path) -> None:
    """A forger's key is not the station's; the keys are named, and a station's older key can be given."""
    sign(state, OTHER)
    own = load_public_key(state)
    with pytest.raises(Damaged, match=f"signed by key {checkpoint.public_key(OTHER)}, not by {own}"):
        audit.verify(state)
    assert audit.verify(state, [checkpoint.public_key(OTHER)])[0].point is not None
    with pytest.raises(Damaged, match="signed by key"):
        audit.verify(state, [checkpoint.public_key(KEY)])


def test_a_copy_without_a_key_is_checked_by_the_key_that_it_names(state: Path) -> None:
    """The journals alone, on another machine: the signature must match; whose key it is, the reader compares."""
    for name in (KEY_FILE, PUBLIC_FILE):
        (state / name).unlink()
    point = audit.verify(state)[0].point
    assert point is not None
    file = night_of(state) / checkpoint.FILE
    file.write_bytes(file.read_bytes().replace(point.key.encode(), checkpoint.public_key(OTHER).encode()))
    with pytest.raises(Damaged, match="signature does not match"):
        audit.verify(state)


def test_a_checkpoint_of_another_night_is_refused(state: Path) -> None:
    """A whole checkpoint in another night's folder vouches for nothing there."""
    shutil.copy(night_of(state) / checkpoint.FILE, night_of(state, 2) / checkpoint.FILE)
    with pytest.raises(Damaged, match=rf"0002/{checkpoint.FILE}: it was signed for night 1"):
        audit.verify(state)


def test_a_checkpoint_that_cannot_be_read_is_named(state: Path) -> None:
    """A folder stands where the file should be."""
    (night_of(state, 2) / checkpoint.FILE).mkdir()
    with pytest.raises(StoreError, match=rf"0002/{checkpoint.FILE}: cannot be read"):
        audit.verify(state)
