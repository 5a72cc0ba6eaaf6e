"""A board of somebody's own in the core's sandbox, as systemd really runs it: with what its class
says that it needs it reaches its device, and without it does not.

The container has no such panels. What stands for their devices is one of another kind that the
container itself lets through, under the names that the driver opens. It cannot hold back kinds of
device (`DeviceAllow=`), as a machine does; what it does hold back is what belongs to a group."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.roots import PYTHON, booted_services

pytestmark = [
    pytest.mark.root,
    pytest.mark.systemd,
    pytest.mark.skipif(
        shutil.which("systemd-nspawn") is None,
        reason="to run it, type: sudo apt-get install systemd-container",
    ),
]

DRIVER = '''
"""A board that opens the pins' memory, as HUB75 panels do, and a chip on I2C beside it."""

import os
import time

from drivers.board.board import TenCavities
from drivers.board.geometry import find_geometry
from drivers.sleeper import Sleeper


class Hub75(TenCavities):
    """Ten cavities on panels that are not there."""

    needs = ("gpiomem", "i2c")

    def __init__(self):
        super().__init__(
            Panels(),
            find_geometry("two-rows"),
            refresh_s=5.0,
            font="",
            text_fps=25.0,
            clock=time.monotonic,
            sleeper=Sleeper,
        )


class Panels:
    """What sends a picture: into a file."""

    foreseen = (OSError,)
    frame_s = 0.02

    def connect(self):
        for device in ("/dev/gpiomem", "/dev/i2c-1"):
            os.close(os.open(device, os.O_RDWR))

    def configure(self):
        pass

    def display(self, picture):
        with open("/run/loto-station/picture", "wb") as file:
            file.write(picture.tobytes())

    def let_go(self):
        pass

    def blank(self):
        pass
'''
SETTINGS = """
profile = "simulated"
[devices.matrix]
driver = "hall_panels:Hub75"
"""
QUESTIONS = rf"""
PATH=/opt/loto-station/.venv/bin:$PATH
export LD_LIBRARY_PATH=/opt/python/lib PYTHONPATH=/opt/loto-station:/opt/loto-station/site
cd /answers
systemd-sysusers /opt/loto-station/systemd/sysusers.d/loto-station.conf
systemd-tmpfiles --create /opt/loto-station/systemd/tmpfiles.d/loto-station.conf
mknod -m 0660 /dev/gpiomem c 10 200; chgrp gpio /dev/gpiomem
mknod -m 0660 /dev/i2c-1 c 10 200; chgrp i2c /dev/i2c-1
cp /opt/loto-station/settings.toml /etc/loto-station/station.toml
loto driver allow hall-panels
systemctl start loto-core; echo $? > without
loto watch --json --once > before 2>&1 || true
test -e /run/loto-station/picture && echo reached >> without
systemctl stop loto-core
{PYTHON} -m station.machine.own_drivers hall_panels:Hub75 > needs
folder=/etc/systemd/system/loto-core.service.d
mkdir -p $folder
{PYTHON} -c 'from station.machine.own_drivers import drop_in
print(drop_in(open("needs").read().split()))' > $folder/50-drivers.conf
systemctl daemon-reload
systemctl start loto-core; echo $? > with
loto open > open 2>&1; loto draw > draw 2>&1
test -s /run/loto-station/picture && echo reached >> with
systemctl show -P DeviceAllow -P SupplementaryGroups loto-core > allowed
journalctl -b -o cat -u loto-core > log
systemctl stop loto-core
systemctl poweroff
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of answers, one file a question; made by one boot."""
    folder = tmp_path_factory.mktemp("machine")
    about = "hall_panels-1.0.dist-info"
    more = {
        "hall_panels.py": DRIVER,
        "settings.toml": SETTINGS,
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: hall-panels\nVersion: 1.0\n",
        f"{about}/top_level.txt": "hall_panels\n",
    }
    answered, said = booted_services(folder, QUESTIONS, more)
    assert (answered / "log").is_file(), said[-6000:]
    return answered


def test_without_what_it_needs_the_board_is_dark(answers: Path) -> None:
    """The unit keeps the device from it; the station starts all the same, and says so."""
    assert (answers / "without").read_text() == "0\n", (answers / "log").read_text()
    assert "matrix" in (answers / "before").read_text()


def test_with_what_it_needs_it_shows(answers: Path) -> None:
    """The drop-in that `install` writes lets the device through, and pictures go out of the
    sandbox."""
    assert (answers / "needs").read_text() == "gpiomem i2c\n"
    assert (answers / "with").read_text() == "0\nreached\n", (answers / "log").read_text()
    allowed = (answers / "allowed").read_text()
    assert "/dev/gpiomem rw" in allowed
    assert "char-i2c rw" in allowed
