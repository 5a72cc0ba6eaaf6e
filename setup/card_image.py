"""Make a card to flash: Debian for a Pi 3, 4 or Zero 2 W with the station installed, and the sheet
that belongs to it. It has the kernel and the firmware that Debian has.

The card's first part is FAT, with what the Pi's own loader reads (`raspi-firmware` puts it there);
the second is Debian, which grows over the whole card at its first start. Nothing of it is mounted
here: both are filled as files.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import debian

from station.base.errors import SettingsError, StoreError
from station.base.system import CommandFailed, run_command
from station.base.tongue import tr
from station.machine import bundle
from station.machine.first_start.finishing import MARK
from station.machine.first_start.sheet import USER, print_sheet
from station.machine.hotspot import FILE as HOTSPOT
from station.machine.hotspot import LETTERS, Wifi, keyfile, new_passphrase

Progress: TypeAlias = Callable[[str], None]

SUITE, ARCHITECTURE, MACHINE, PYTHON = "bookworm", "arm64", "aarch64", "3.11"
COMPONENTS = "main,non-free-firmware"
PACKAGES = ("python3", "systemd-sysv", "udev", "dbus", "kmod", "sudo", "fdisk", "ca-certificates")
# By apt, which knows what needs what; with the kernel comes the first RAM disk, which takes the
# longest, and is made once.
MORE = (
    *("initramfs-tools", "linux-image-arm64", "raspi-firmware", "systemd-timesyncd"),
    *("network-manager", "firmware-brcm80211", "wireless-regdb", "espeak-ng"),
)
# What each step wants of the machine that makes the image, and the package it is in.
TOOLS = {
    "debootstrap": "debootstrap",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "sfdisk": "fdisk",
    "dpkg-deb": "dpkg",
    "unshare": "util-linux",
}
EMULATOR = "/usr/bin/qemu-aarch64-static"
# The kernel starts arm64 programs by the emulator: binfmt_misc of the kernel's documentation, the
# mark of ELF for that machine. F: the emulator is opened now, so that it is there in a root, too.
BINFMT = Path("/proc/sys/fs/binfmt_misc")
ARM64 = (
    r":loto-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    f":{EMULATOR}:F"
)

MB = 1 << 20
LAST = 15  # lines of a step that failed
BOOT_MB, FREE_MB, ALIGN_MB = 256, 400, 4
LABEL, BOOT_LABEL = "LOTO", "LOTOBOOT"
CODE_LETTERS, GROUP = 12, 4

FSTAB = f"""\
LABEL={LABEL} / ext4 noatime,errors=remount-ro 0 1
LABEL={BOOT_LABEL} /boot/firmware vfat defaults,umask=0077 0 2
"""
HOSTS = "127.0.0.1 localhost\n127.0.1.1 loto\n::1 localhost\n"
FIRMWARE = f"""\
# Of the package raspi-firmware: where the system is.
ROOTPART="LABEL={LABEL}"
"""
COMMAND = "cfg80211.ieee80211_regdom={country}\n"
# What only a flashed card has, beside what `loto install` puts into any machine.
OWN = Path(__file__).with_name("image")
UNITS = "etc/systemd/system"
WAITING = ("loto-core", "loto-web", "loto-screen")  # for the first start
# $1 the root, $2 the package, $3 the user, $4 his password, $5 the units, $6 more packages
INSTALL = r"""
cd "$1"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs run
cp -L /etc/resolv.conf /etc/hosts tmp/
cp tmp/resolv.conf etc/resolv.conf
cp "$2" tmp/station.deb
export DEBIAN_FRONTEND=noninteractive
chroot . apt-get -q update
# What is set in /etc/default stays as it was written before.
chroot . apt-get -q -y -o APT::Install-Recommends=true -o Dpkg::Options::=--force-confold \
    install /tmp/station.deb $6
chroot . apt-get clean
chroot . useradd --create-home --groups sudo,loto --shell /bin/bash "$3"
echo "$3:$4" | chroot . chpasswd
chroot . systemctl enable $5
chroot . passwd --lock root
rm -rf tmp/* var/lib/apt/lists/* etc/resolv.conf etc/machine-id var/lib/dbus/machine-id
echo uninitialized > etc/machine-id
"""


@dataclass(frozen=True)
class Card:
    """What is to be on the card.

    Attributes:
        wifi: of its own.
        code: the set-up code, which is the password at its keyboard, too.
        country: of the radio, two capital letters (ISO 3166), as the law of the place wants it.
        language: of the sheet, and of the first screen.
    """

    wifi: Wifi
    code: str
    country: str
    language: str


def new_code(choice: Callable[[str], str] = secrets.choice) -> str:
    """Return a set-up code, about 59 bits of luck, in groups for reading."""
    letters = "".join(choice(LETTERS) for _ in range(CODE_LETTERS))
    return "-".join(letters[at : at + GROUP] for at in range(0, CODE_LETTERS, GROUP))


def new_card(name: str, country: str, language: str) -> Card:
    """Return a card with a passphrase and a code that nobody has.

    Raises:
        SettingsError: no Wi-Fi can be called so.
    """
    return Card(Wifi(name, new_passphrase()), new_code(), country, language)


def run(words: Sequence[str]) -> str:
    """Run a command; of what it said before it failed, the end is enough.

    Raises:
        CommandFailed: it is not there, or failed.
    """
    try:
        return run_command(words)
    except CommandFailed as error:
        first, *said = str(error).splitlines()
        raise CommandFailed("\n".join((first[:200], *said[-LAST:]))) from error


def check_machine() -> None:
    """Check that an image can be made here, before anything is made.

    Raises:
        SettingsError: with all that is missing, and how to get it.
    """
    faults = []
    if os.geteuid() != 0:
        faults.append(tr("only root can make a system: put sudo before the command"))
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool, path=PATH) is None]
    if platform.machine() != MACHINE and not Path(EMULATOR).exists():
        missing.append("qemu-user-static")
    if missing:
        faults.append(
            tr("programs are missing: {command}", command=f"sudo apt install {' '.join(missing)}")
        )
    if faults:
        raise SettingsError("image", faults)


PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"


def make_image(target: Path, card: Card, say: Progress, package: Path | None = None) -> Path:
    """Make the image and its sheet; return the sheet's path, beside the image.

    Args:
        target: the file to write, as `loto.img`.
        say: is told what is done now.
        package: the station's Debian package for arm64; made of this checkout if None.

    Raises:
        SettingsError: it cannot be made on this machine.
        CommandFailed: a step failed, with its words.
        StoreError: the file cannot be written.
    """
    check_machine()
    if not target.parent.is_dir():
        raise StoreError(f"{target}: no such folder: name one that is there")
    with tempfile.TemporaryDirectory(prefix=".loto-image-", dir=target.parent) as folder:
        room = Path(folder)
        if package is None:
            say(tr("the station's package"))
            package = debian.make(room, MACHINE, (PYTHON,))
        say(tr("Debian, of its archive"))
        with programs_of_arm64():
            root = _system(room, card)
            say(tr("the station, installed in it"))
            script = (
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "sh",
                "-euc",
                INSTALL,
            )
            wanted = [one.name for one in _units() if "[Install]" in one.read_text("utf-8")]
            words = (str(root), str(package), USER, card.code, " ".join(wanted), " ".join(MORE))
            run((*script, "sh", *words))
        say(tr("the card's two parts"))
        draft = _disk(room, root)
        draft.rename(target)
    sheet = target.with_suffix(".pdf")
    made = f"loto-station {bundle.version_in(bundle.PROJECT)}, {target.name}"
    sheet.write_bytes(print_sheet(card.wifi, card.code, made))
    sheet.chmod(0o600)
    return sheet


@contextmanager
def programs_of_arm64() -> Iterator[None]:
    """Let the kernel start programs of arm64 meanwhile, where it does not by itself."""
    known = BINFMT / "qemu-aarch64", BINFMT / "loto-aarch64"
    if platform.machine() == MACHINE or any(path.exists() for path in known):
        yield
        return
    if not (BINFMT / "register").exists():
        run(("mount", "-t", "binfmt_misc", "binfmt_misc", str(BINFMT)))
    (BINFMT / "register").write_text(ARM64, encoding="ascii")
    try:
        yield
    finally:
        known[1].write_text("-1", encoding="ascii")


def _system(room: Path, card: Card) -> Path:
    """Make Debian in a folder, with what is written into it before the station comes."""
    root = room / "root"
    options = ("--variant=minbase", f"--arch={ARCHITECTURE}", f"--components={COMPONENTS}")
    run(("debootstrap", *options, f"--include={','.join(PACKAGES)}", SUITE, str(root)))
    waiting = (OWN / "first-start.conf").read_text("utf-8")
    kept = {"code": card.code, "language": card.language}
    for path, text, rights in (
        ("etc/fstab", FSTAB, 0o644),
        ("etc/hostname", "loto\n", 0o644),
        ("etc/hosts", HOSTS, 0o644),
        ("etc/default/raspi-firmware", FIRMWARE, 0o644),
        ("etc/default/raspi-extra-cmdline", COMMAND.format(country=card.country), 0o644),
        ("etc/initramfs-tools/conf.d/loto", "MODULES=list\n", 0o644),
        ("etc/initramfs-tools/hooks/loto", (OWN / "early-modules").read_text("utf-8"), 0o755),
        ("usr/local/sbin/loto-grow", (OWN / "loto-grow").read_text("utf-8"), 0o755),
        *((f"{UNITS}/{unit.name}", unit.read_text("utf-8"), 0o644) for unit in _units()),
        *((f"{UNITS}/{unit}.service.d/first-start.conf", waiting, 0o644) for unit in WAITING),
        ("etc/loto-grow", "", 0o644),
        (HOTSPOT.lstrip("/"), keyfile(card.wifi), 0o600),
        (MARK.lstrip("/"), json.dumps(kept), 0o600),
        # Its devices are asked for at the first start; the program may see the system's packages.
        ("etc/loto-station/station.toml", 'profile = "button"\n', 0o644),
    ):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        place.chmod(rights)
    return root


def _units() -> list[Path]:
    return sorted(path for path in OWN.iterdir() if path.suffix in (".service", ".path"))


def _disk(room: Path, root: Path) -> Path:
    """Make the image of the two parts; the root is emptied by it."""
    boot, system, disk = room / "boot", room / "system", room / "disk"
    _filled(boot, BOOT_MB)
    run(("mkfs.vfat", "-n", BOOT_LABEL, str(boot)))
    firmware = root / "boot/firmware"
    run(("mcopy", "-s", "-i", str(boot), *map(str, sorted(firmware.iterdir())), "::/"))
    shutil.rmtree(firmware)
    firmware.mkdir()
    used = int(run(("du", "-sm", str(root))).split()[0])
    size = -(-(used + used // 10 + FREE_MB) // ALIGN_MB) * ALIGN_MB
    _filled(system, size)
    run(("mke2fs", "-q", "-F", "-t", "ext4", "-L", LABEL, "-d", str(root), str(system)))
    shutil.rmtree(root)
    _filled(disk, ALIGN_MB + BOOT_MB + size)
    parts = f"label: dos\nstart={ALIGN_MB}MiB, size={BOOT_MB}MiB, type=c, bootable\n"
    parts += f"start={ALIGN_MB + BOOT_MB}MiB, size={size}MiB, type=83\n"
    subprocess.run(
        ("sfdisk", "--quiet", str(disk)), input=parts.encode(), check=True, capture_output=True
    )
    for part, at in ((boot, ALIGN_MB), (system, ALIGN_MB + BOOT_MB)):
        run(("dd", f"if={part}", f"of={disk}", "bs=1M", f"seek={at}", "conv=notrunc,sparse"))
        part.unlink()
    return disk


def _filled(path: Path, megabytes: int) -> None:
    with path.open("wb") as file:
        file.truncate(megabytes * MB)
