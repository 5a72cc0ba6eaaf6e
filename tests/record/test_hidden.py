"""The file of a hand's sealed parts: its owner's alone, durable before the line, gone after."""

from __future__ import annotations

import stat

import pytest

from station.base.disk import Disk
from station.base.errors import Damaged, StoreError
from station.night.sealed import Sealed
from station.record.heads import Signer
from station.record.hidden import FILE, line_of, parts_of
from station.record.journal import Journal
from tests.support import STATION_KEY, BadSector, run

SIGNER = Signer.of(STATION_KEY, 1)
PARTS = [Sealed(f"{number:032x}", {"card": f"{number}H"}) for number in range(3)]


def test_parts_are_kept_for_their_owner_alone_and_found_again(tmp_path):
    """Each part is added to the file, which nobody else may read from its first byte on."""

    async def keep():
        for part in PARTS:
            await journal.keep_more(FILE, line_of(part), private=True)

    journal = Journal(tmp_path / "journal.jsonl", SIGNER)
    journal.open()
    run(keep())
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert parts_of(tmp_path, [], Disk()) == {part.digest: part for part in PARTS}
    run(journal.drop(FILE))
    run(journal.drop(FILE))  # one that is gone is well dropped
    assert parts_of(tmp_path, [], Disk()) == {}
    journal.close()


def test_parts_of_a_hand_that_is_over_stand_in_its_line(tmp_path):
    """After the hand the file is not needed."""
    lines = [{"then": {}}, {"then": {"unsealed": [part.to_json() for part in PARTS]}}]
    assert parts_of(tmp_path, lines, Disk()) == {part.digest: part for part in PARTS}


@pytest.mark.parametrize("data", [b"{", b"[]\n", b'{"salt": 1}\n', b"\xff\n"])
def test_a_damaged_file_is_named(tmp_path, data):
    """Whoever starts the station reads which file it is."""
    (tmp_path / FILE).write_bytes(data)
    with pytest.raises(Damaged, match=r"\.sealed\.jsonl"):
        parts_of(tmp_path, [], Disk())


def test_a_file_that_stays_halts_nothing(tmp_path, caplog):
    """What it holds stands in the line by then: the journal goes on, and the log says so."""

    class Stuck(Disk):
        def remove(self, path):
            raise PermissionError(13, "Permission denied", str(path))

    journal = Journal(tmp_path / "journal.jsonl", SIGNER, disk=Stuck())
    journal.open()
    run(journal.drop(FILE))
    assert "stays where it is: Permission denied" in caplog.text
    assert journal.halted == ""
    journal.close()


def test_a_line_or_a_file_that_cannot_be_read_is_named(tmp_path):
    """Parts that are none, in a line; a file on a bad sector."""
    with pytest.raises(Damaged, match="line 2"):
        parts_of(tmp_path, [{"then": {}}, {"then": {"unsealed": [{}]}}], Disk())
    (tmp_path / FILE).write_bytes(line_of(PARTS[0]))
    with pytest.raises(StoreError, match=r"\.sealed\.jsonl: cannot be read"):
        parts_of(tmp_path, [], BadSector(tmp_path / FILE))
