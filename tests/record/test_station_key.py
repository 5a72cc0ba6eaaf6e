"""The key that signs the record: made once, named when it is damaged, and never replaced."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from station.base.errors import Damaged, StoreError, Unreadable
from station.core.environment import Machine
from station.core.shelf import Shelf
from station.record import audit
from station.record.station_key import (
    DRAFT_FILE,
    KEY_FILE,
    PUBLIC_FILE,
    has_key,
    key_of,
    load_public_key,
    make_key,
    parse_public_key,
    public_key,
    settle_key,
    sign,
    signed_by,
)
from station.settings.config import Settings
from tests.support import CLOCK, PROGRAMME, STATION_KEY, small_pack

KEY = STATION_KEY


def test_a_signature_is_its_keys_and_messages_alone() -> None:
    """Another key, message or signature, or what is none of them: the answer is no."""
    mine = public_key(KEY)
    signature = sign(KEY, b"for a test 1\nmessage")
    assert signed_by(mine, b"for a test 1\nmessage", signature)
    for wrong in (
        ("0" * 64, b"for a test 1\nmessage", signature),
        ("key", b"for a test 1\nmessage", signature),
        (mine, b"for a test 1\nother", signature),
        (mine, b"for a test 1\nmessage", "0" * 128),
        (mine, b"for a test 1\nmessage", "xy"),
    ):
        assert not signed_by(*wrong)


def test_the_key_is_made_once(tmp_path: Path) -> None:
    """The first start makes it, later ones read it; its public half is beside it; nobody else may
    read the key itself."""
    assert load_public_key(tmp_path) is None
    key = public_key(make_key(tmp_path))
    assert public_key(make_key(tmp_path)) == key == load_public_key(tmp_path)
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert key not in (tmp_path / KEY_FILE).read_text()
    assert {path.name for path in tmp_path.iterdir()} == {KEY_FILE, PUBLIC_FILE}


def test_a_public_half_that_is_wrong_is_written_anew(tmp_path: Path) -> None:
    """What the key says counts."""
    key = public_key(make_key(tmp_path))
    (tmp_path / PUBLIC_FILE).write_text("nonsense")
    with pytest.raises(Damaged, match=PUBLIC_FILE):
        load_public_key(tmp_path)
    make_key(tmp_path)
    assert load_public_key(tmp_path) == key


def test_a_key_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    """Its public half says that there was one: what it signed could not be checked any more."""
    assert not has_key(tmp_path)
    make_key(tmp_path)
    assert has_key(tmp_path)
    (tmp_path / KEY_FILE).unlink()
    with pytest.raises(
        Damaged, match=rf"{KEY_FILE}: the signing key is gone, and {PUBLIC_FILE} is there"
    ):
        make_key(tmp_path)
    assert has_key(tmp_path)


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
    key = public_key(KEY)
    assert parse_public_key(f" {key[:8].upper()} {key[8:]}\n") == key
    for wrong in ("", key[:-1], key + "0", "g" * 64):
        with pytest.raises(Unreadable, match="64 hex digits"):
            parse_public_key(wrong)


# -- a draft ---------------------------------------------------------------------------------------


def shelf_at(state: Path) -> Shelf:
    machine = Machine(clock=CLOCK, check_room=lambda folder: None)
    return Shelf(Settings(), state, machine, small_pack, PROGRAMME)


def test_a_draft_becomes_the_key_with_the_first_line_that_it_signed(tmp_path: Path) -> None:
    """A start that fails before leaves no key that seems to have signed; its draft is taken up
    again, also where the power went between the line and the key's own name."""
    draft = key_of(tmp_path)
    assert public_key(key_of(tmp_path)) == public_key(draft)
    assert {path.name for path in tmp_path.iterdir()} == {DRAFT_FILE}
    assert not has_key(tmp_path)
    for again in (False, True):
        shelf = shelf_at(tmp_path)
        night = shelf.open(shelf._disk)
        assert night.resumed is again
        night.journal.close()
        shelf.close()
        assert not (tmp_path / DRAFT_FILE).exists()
        assert audit.verify(tmp_path)[0].key == public_key(draft) == load_public_key(tmp_path)
        (tmp_path / KEY_FILE).rename(tmp_path / DRAFT_FILE)
        (tmp_path / PUBLIC_FILE).unlink()


def test_a_draft_beside_a_key_is_left_alone(tmp_path: Path) -> None:
    """The key is the one that has signed."""
    key = make_key(tmp_path)
    (tmp_path / DRAFT_FILE).write_text("1" * 64)
    settle_key(tmp_path)
    assert public_key(key_of(tmp_path)) == public_key(key)


def test_a_draft_that_cannot_become_the_key_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And stays a draft: the next start tries it again."""
    key_of(tmp_path)

    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "replace", full)
        with pytest.raises(StoreError, match="the signing key cannot be kept"):
            settle_key(tmp_path)
    assert (tmp_path / DRAFT_FILE).exists()
    settle_key(tmp_path)
    assert (tmp_path / KEY_FILE).exists()
