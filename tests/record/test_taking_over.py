"""A station that begins to sign where nights stand already: a start judges them as `verify` does,
however often it fails."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from station.base.disk import Disk
from station.base.errors import Damaged, LotoError, StoreError
from station.cards.pack import Pack
from station.core.environment import Machine
from station.core.shelf import Shelf
from station.record import audit
from station.record.requests import Command, Done
from station.record.session import Session
from station.record.station_key import (
    DRAFT_FILE,
    KEY_FILE,
    PUBLIC_FILE,
    Key,
    key_of,
    load_public_key,
    settle_key,
)
from station.settings.config import Settings
from tests.drill.sender import certain
from tests.evenings import forge, night_of
from tests.record.test_halves import CLOSED, OPEN, act_of
from tests.support import ADMIN, CLOCK, PROGRAMME, Told, night_in, run, small_pack


def add_night(
    state: Path,
    acts: Any = CLOSED,
    *,
    test: bool = False,
    key: Key | None = None,
    signing: bool = True,
) -> None:
    """One more night; with a key and without `signing` as a version before made it, which signed
    the ends alone."""
    with night_in(state, new=True, test=test, key=key if signing else None) as night:
        session = Session(night, Told(), CLOCK)
        for place, word in enumerate(acts):
            wish = Command.read(f"{night.folder.name}-{place}", act_of(word), ADMIN, "wire")
            assert isinstance(run(session.submit(certain(session, wish))), Done)


def started(state: Path, disk: Disk | None = None, pack: Callable[[], Pack] = small_pack) -> str:
    """What a real start comes to: the night that is on, or why there is none."""
    machine = Machine(clock=CLOCK, disk=disk or Disk(), check_room=lambda folder: None)
    shelf = None
    try:
        shelf = Shelf(Settings(), state, machine, pack, PROGRAMME)
        night = shelf.open(disk or Disk())
        night.journal.close()
        return night.folder.name
    except LotoError as error:
        return f"{type(error).__name__}: {error}"
    finally:
        if shelf is not None:
            shelf.close()


def signed(state: Path) -> bool:
    """Whether the station's key vouches for every line, by the audit."""
    public = load_public_key(state)
    assert public is not None
    audit.insist(audit.verify(state, [public]))
    return True


# -- nights that nobody signed ---------------------------------------------------------------------


def broken_pack() -> Pack:
    raise StoreError("the pack cannot be read")


@pytest.mark.parametrize("last", [CLOSED, OPEN], ids=["closed", "open"])
@pytest.mark.parametrize("failed", ["once", "key made", "pack"])
def test_a_start_that_failed_has_taken_nothing_over(tmp_path: Path, last: Any, failed: str) -> None:
    """Whatever keeps the first start with a new key from its first signature, the next one begins
    as if it had never been."""
    add_night(tmp_path)
    add_night(tmp_path, last)
    if failed == "key made":
        key_of(tmp_path)
    if failed == "pack" and last is CLOSED:
        assert "the pack cannot be read" in started(tmp_path, pack=broken_pack)
    assert not (tmp_path / KEY_FILE).exists()
    assert audit.verify(tmp_path)
    assert started(tmp_path) == ("0003" if last is CLOSED else "0002")
    assert (tmp_path / KEY_FILE).exists()
    assert not (tmp_path / DRAFT_FILE).exists()
    assert signed(tmp_path)


class Cut(Disk):
    """The disk fails at one call that changes something, and at every one after it."""

    def __init__(self, at: int) -> None:
        self.left = at

    def _call(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.EIO, "cut")

    def create(self, path: Path) -> int:
        self._call()
        return super().create(path)

    def write(self, descriptor: int, data: bytes) -> int:
        self._call()
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._call()
        super().sync(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        self._call()
        super().replace(source, target)

    def sync_folder(self, folder: Path) -> None:
        self._call()
        super().sync_folder(folder)


@pytest.mark.long
@pytest.mark.parametrize("last", [CLOSED, OPEN], ids=["closed", "open"])
def test_cut_off_anywhere_the_next_start_goes_on(tmp_path: Path, last: Any) -> None:
    """At every call to the disk of the start that takes nights over: what `verify` calls whole, the
    start after it plays on."""
    at, ended = 0, False
    while not ended:
        state = tmp_path / str(at)
        add_night(state)
        add_night(state, last)
        disk = Cut(at)
        started(state, disk)
        ended = disk.left >= 0
        assert audit.verify(state)
        said = started(state)
        assert said in ("0002", "0003"), (at, said)
        assert audit.verify(state)
        at += 1
    assert at > 5


def test_what_verify_refuses_no_new_key_takes_over(tmp_path: Path) -> None:
    """A closed night with other money, every sum right again, and neither key nor signatures left:
    the start names it, too, and leaves no key behind."""
    add_night(tmp_path)

    def richer(line: dict[str, Any]) -> dict[str, Any]:
        if line["do"]["act"] == "close-night":
            ledger = line["then"]["ledger"]
            ledger["carried"], ledger["purses"] = (
                ledger.get("carried", 0) + 50_000,
                ledger["purses"] - 50_000,
            )
        return line

    forge(tmp_path, richer)
    with pytest.raises(Damaged) as refused:
        audit.verify(tmp_path)
    assert started(tmp_path) == f"Damaged: {refused.value}"
    assert not {KEY_FILE, PUBLIC_FILE, DRAFT_FILE} & {path.name for path in tmp_path.iterdir()}


def test_an_opening_that_could_not_be_signed_halts_the_night_that_began(tmp_path: Path) -> None:
    """Its line is durable, so it is the night; nothing is recorded after it, and the next start
    signs it and goes on."""

    class NoSignature(Disk):
        def replace(self, source: Path, target: Path) -> None:
            if target.name.startswith("checkpoint"):
                raise OSError(errno.ENOSPC, "No space left on device")
            super().replace(source, target)

    machine = Machine(clock=CLOCK, check_room=lambda folder: None)
    shelf = Shelf(Settings(), tmp_path, machine, small_pack, PROGRAMME)
    night = shelf.open(NoSignature())
    assert "cannot be kept" in night.journal.halted
    night.journal.close()
    shelf.close()
    assert started(tmp_path) == "0001"
    assert signed(tmp_path)
    assert (
        json.loads((night_of(tmp_path) / "journal.jsonl").read_bytes().splitlines()[0])["do"]["act"]
        == "open-night"
    )


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
