"""The card that is flashed, as files: its parts, and what the Pi's loader and Debian find there. A
small system stands in for Debian; `python -m tests.card` makes and starts the real one."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path

import card_image
import pytest

from station.base.errors import SettingsError
from station.base.system import System
from station.machine.first_start.finishing import MARK
from station.machine.hotspot import FILE, Hotspot

pytestmark = pytest.mark.root
MB = 1 << 20


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is written into a system; debootstrap is not asked."""
    monkeypatch.setattr(card_image, "run", lambda words: str(words))
    card = card_image.new_card("Village Hall", "IT", "it")
    made = card_image._system(tmp_path, card)
    monkeypatch.undo()
    return made


def test_the_system_has_what_its_first_start_wants(root: Path) -> None:
    """Its own Wi-Fi as NetworkManager reads it, the code for root alone, units that wait for it."""
    wifi = Hotspot(System(root, here=False)).wifi()
    assert wifi is not None
    assert (wifi.ssid, len(wifi.passphrase)) == ("Village Hall", 12)
    for path in (FILE, MARK):
        assert stat.S_IMODE((root / path.lstrip("/")).stat().st_mode) == 0o600
    kept = json.loads((root / MARK.lstrip("/")).read_text())
    assert kept["language"] == "it"
    assert len(kept["code"].replace("-", "")) == card_image.CODE_LETTERS
    for unit in card_image.WAITING:
        drop_in = root / card_image.UNITS / f"{unit}.service.d/first-start.conf"
        assert f"ConditionPathExists=!{MARK}" in drop_in.read_text()
    assert "ieee80211_regdom=IT" in (root / "etc/default/raspi-extra-cmdline").read_text()
    for program in ("usr/local/sbin/loto-grow", "etc/initramfs-tools/hooks/loto"):
        assert (root / program).stat().st_mode & stat.S_IXUSR


def test_two_cards_have_nothing_in_common() -> None:
    """Whoever has the sheet of one cannot set up the other."""
    one, other = (card_image.new_card("Hall", "GB", "en") for _ in range(2))
    assert one.code != other.code
    assert one.wifi.passphrase != other.wifi.passphrase


def test_the_card_has_its_two_parts(root: Path, tmp_path: Path) -> None:
    """FAT with what the loader reads, then Debian, at the places that the table names; each is
    read again by tools that did not write it."""
    firmware = root / "boot/firmware"
    (firmware / "overlays").mkdir(parents=True)
    (firmware / "config.txt").write_text("arm_64bit=1\n")
    (firmware / "overlays/one.dtbo").write_bytes(b"overlay")
    disk = card_image._disk(tmp_path, root)
    table = json.loads(
        subprocess.run(["sfdisk", "--json", disk], capture_output=True, check=True).stdout
    )["partitiontable"]
    boot, system = table["partitions"]
    assert (table["label"], boot["type"], system["type"]) == ("dos", "c", "83")
    assert boot["bootable"]
    assert (boot["start"] + boot["size"]) * 512 == system["start"] * 512
    assert disk.stat().st_size >= (system["start"] + system["size"]) * 512
    first = tmp_path / "first"
    cut(disk, first, boot)
    listed = subprocess.run(
        ["mdir", "-i", first, "-b", "-/", "::/"], capture_output=True, check=True, text=True
    ).stdout.split()
    assert sorted(listed) == ["::/config.txt", "::/overlays/", "::/overlays/one.dtbo"]
    second = tmp_path / "second"
    cut(disk, second, system)
    subprocess.run(["e2fsck", "-f", "-n", second], capture_output=True, check=True)
    told = subprocess.run(
        ["debugfs", "-R", f"cat {MARK}", second], capture_output=True, check=True
    ).stdout
    assert json.loads(told)["language"] == "it"


def cut(disk: Path, part: Path, place: dict[str, int]) -> None:
    """Copy a part of a disk into a file."""
    with disk.open("rb") as file:
        file.seek(place["start"] * 512)
        part.write_bytes(file.read(place["size"] * 512))


def test_what_is_missing_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, and one line that gets it."""
    monkeypatch.setattr(card_image.shutil, "which", lambda *_, **__: None)
    with pytest.raises(SettingsError, match=r"sudo apt install debootstrap .*mtools"):
        card_image.check_machine()
