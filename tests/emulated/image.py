"""The disk of the machine that is tried: Debian 12 with its own kernel and this checkout's package,
installed as in a hall."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from station.settings.tags import to_toml
from tests.roots import CACHE, SUITE, bare_debian, held

PROJECT = Path(__file__).parents[2]
BASE = (
    "python3",
    "systemd-sysv",
    "udev",
    "dbus",
    "kmod",
    "initramfs-tools",
    "linux-image-amd64",
    "ca-certificates",
)
SIZE = "6G"
LIMIT_S = 1800

# The profile of the whole hall. Its pins are not there: a PC has none. The reader, and two more,
# are what the emulator has.
SETTINGS = """\
profile = "hall"
[hall]
name = "Emulated Hall"
[game]
census = "off"
[screen]
width = 640
height = 360
[devices.reader]
port = "/dev/ttyUSB0"
[devices.reader-second]
driver = "rfid"
port = "/dev/ttyS1"
[devices.reader-modem]
driver = "rfid"
port = "/dev/ttyACM0"
[devices.reader-typing]
driver = "wedge"
device = "/dev/input/by-id/usb-QEMU_QEMU_USB_Keyboard_typing-event-kbd"
"""

# A USB modem that the kernel makes of itself: what is written to /dev/ttyGS0 comes out of
# /dev/ttyACM0.
MODULES = "dummy_hcd\ng_serial\n"

# What the emulated processor forces, unit by unit, said by the command and in README.md. All else
# is as shipped.
OVERRIDES = {
    "loto-core": "[Service]\nTimeoutStartSec=10min\nWatchdogSec=1min\nTimeoutAbortSec=10\n",
    "loto-web": "[Service]\nTimeoutStartSec=10min\nWatchdogSec=2min\n",
    "loto-screen": "[Service]\nTimeoutStartSec=10min\nWatchdogSec=2min\n",
}

# Runs what is asked for through a port of the emulator's own: no network, no login, nothing of the
# station's.
ASKED = """\
import json, subprocess
with (
    open("/dev/virtio-ports/asked", "r+b", buffering=0) as port,
    open(port.fileno(), "wb", closefd=False) as answers,
):
    def say(code, said):
        answers.write(json.dumps({"code": code, "said": said}).encode() + b"\\n")
        answers.flush()
    say(0, "up")
    for line in port:
        done = subprocess.run(
            json.loads(line), shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        say(done.returncode, done.stdout.decode(errors="replace"))
"""
UNIT = """\
[Unit]
Description=Of the trial, not of the station: {0}
StartLimitIntervalSec=0
[Service]
ExecStart=/bin/sh -c 'until test -c /dev/virtio-ports/{0}; do sleep 1; done; exec {1}'
Restart=always
RestartSec=1
CPUWeight=1000
[Install]
WantedBy=multi-user.target
"""
UNITS = {
    "asked": "/usr/bin/python3 /usr/local/lib/asked.py",
    "watched": "/usr/local/bin/loto watch --json > /dev/virtio-ports/watched",
}

# $1 the root, $2 the package. Its services are not started here; the package says so itself.
INSTALL = r"""
cd "$1"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs tmpfs run
cp -L /etc/resolv.conf /etc/hosts etc/
if test -e /etc/ssl/certs/ca-certificates.crt; then
    cp -L /etc/ssl/certs/ca-certificates.crt etc/ssl/certs/
fi
cp "$2" tmp/station.deb
chroot . apt-get -q update
chroot . apt-get -q -y -o APT::Install-Recommends=true install /tmp/station.deb
chroot . systemctl enable asked watched
chroot . install -d -o loto -g loto -m 700 var/lib/loto-station
chroot . loto pack make --strips 4 --plain
chroot . install -o loto -g loto -m 600 /tmp/tags var/lib/loto-station/tags.toml
chroot . apt-get clean
rm tmp/station.deb tmp/tags
"""
# Tag to knob.
TAGS = {1000 + knob: knob for knob in range(1, 91)}


@dataclass(frozen=True)
class Image:
    """What the machine starts from: its disk, and the kernel and first RAM disk that lie on it."""

    disk: Path
    kernel: Path
    initrd: Path


def image_in(folder: Path) -> Image:
    """The paths of a folder."""
    return Image(folder / "disk", folder / "kernel", folder / "initrd")


def run(*command: str | Path) -> None:
    """Run a command to its end; what it says goes where the trial's own words go."""
    subprocess.run(
        command,
        check=True,
        timeout=LIMIT_S,
        stdin=subprocess.DEVNULL,
        env={"PYTHONPATH": str(PROJECT), **os.environ},
    )


def make_image(folder: Path) -> Image:
    """Build the package, install it in a Debian, and make a disk of it."""
    image, root = image_in(folder), folder / "root"
    folder.mkdir(parents=True)
    run(sys.executable, PROJECT / "setup" / "debian.py", folder, "--python", "3.11")
    (package,) = folder.glob("loto-station_*.deb")
    base = CACHE / f"{SUITE}-kernel"
    with held(CACHE / "kernel.lock"):
        if not base.is_dir():
            unfinished = CACHE / f"{SUITE}-kernel-unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            bare_debian(unfinished, BASE)
            unfinished.rename(base)
    run("cp", "-a", base, root)
    write(root / "etc/fstab", "/dev/vda / ext4 errors=remount-ro 0 1\n")
    write(root / "etc/hostname", "hall\n")
    write(root / "etc/loto-station/station.toml", SETTINGS)
    write(root / "etc/modules-load.d/devices.conf", MODULES)
    write(root / "usr/local/lib/asked.py", ASKED)
    write(root / "tmp/tags", to_toml(TAGS))
    for name, command in UNITS.items():
        write(root / f"etc/systemd/system/{name}.service", UNIT.format(name, command))
    for unit, text in OVERRIDES.items():
        write(root / f"etc/systemd/system/{unit}.service.d/emulated.conf", text)
    run(
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "sh",
        "-euc",
        INSTALL,
        "sh",
        root,
        package,
    )
    (kernel,), (initrd,) = (
        list((root / "boot").glob(f"{name}-*")) for name in ("vmlinuz", "initrd.img")
    )
    shutil.copy(kernel, image.kernel)
    shutil.copy(initrd, image.initrd)
    run(
        "mke2fs",
        "-q",
        "-F",
        "-t",
        "ext4",
        "-E",
        "lazy_itable_init=0,lazy_journal_init=0",
        "-d",
        root,
        image.disk,
        SIZE,
    )
    shutil.rmtree(root)
    return image


def write(path: Path, text: str) -> None:
    """Write a file of the machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
