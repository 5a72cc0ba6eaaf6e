"""From the package to the first number, by the lines of docs/install.md word for word: on a machine
with a serial reader, a knob in somebody's hand, and the library and the bus of the board.

The container has neither SPI nor a serial plug. `/dev/spidev0.0` is a file that nothing comes out
of, and Debian's `spidev` a module that writes down what is sent; the reader is a pseudo-terminal,
on which a hand lays the knobs that the commands ask for.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.root.test_package import ENTER, NM_ONLINE, NMCLI, PROJECT, SERVICE, TARGET, package
from tests.roots import booted

__all__ = ["package"]  # the fixture, of this file too

pytestmark = [
    pytest.mark.root,
    pytest.mark.systemd,
    pytest.mark.skipif(
        shutil.which("systemd-nspawn") is None,
        reason="to run it, type: sudo apt-get install systemd-container",
    ),
]

SECTION = re.compile(
    r"### From the package to the first number\n.*?```sh root\n(.*?)```", re.DOTALL
)
APT = re.compile(r"^sudo apt install \S+\.deb$", re.MULTILINE)
SPIDEV = '''
class SpiDev:
    """Writes down what is sent, in the place of a bus."""

    def open(self, port, device):
        self._sent = open("/run/loto-station/sent", "ab", buffering=0)

    def _send(self, data, *_):
        self._sent.write(bytes(data) + b"\\n")

    writebytes = writebytes2 = xfer = xfer2 = xfer3 = _send

    def close(self):
        self._sent.close()
'''
# Lays the knob that is asked for, or each in turn: a frame of the RDM6300, sent twice as while a
# tag rests on it. Lines of /answers/hand say what to do.
HAND = r"""
import os, pty, re, time, tty
from pathlib import Path

reader, plug = pty.openpty()
tty.setraw(plug)
name = os.ttyname(plug)
os.chmod(name, 0o666)
os.path.lexists("/dev/serial0") and os.unlink("/dev/serial0")
os.symlink(name, "/dev/serial0")

def lay(knob):
    body = bytes([1]) + (5000 + knob).to_bytes(4, "big")
    check = 0
    for byte in body:
        check ^= byte
    frame = b"\x02" + (body + bytes([check])).hex().upper().encode() + b"\x03"
    for _ in range(3):
        os.write(reader, frame)
        time.sleep(0.06)
    time.sleep(0.5)

knob = 0
while True:
    order = Path("/answers/hand").read_text().strip() if Path("/answers/hand").exists() else ""
    if order == "teach":
        asked = re.findall(r"lay knob (\d+) on", Path("/answers/enrolled").read_text())
        if asked:
            lay(int(asked[-1]))
    elif order == "count":
        knob = knob % 90 + 1
        lay(knob)
    elif order.startswith("draw"):
        lay(int(order.split()[1]))
    else:
        time.sleep(0.2)
"""
# The lines of the paper stand in `lines`; each is typed when what it needs is there.
QUESTIONS = r"""
cd /answers
sudo() { "$@"; }
echo 'APT::Install-Recommends "false"; APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/99-test
mkdir -p /run/systemd/system/loto-core.service.d
# A machine on which other tests run: as in tests/roots.py.
printf '[Service]\nWatchdogSec=60\nTimeoutAbortSec=10\nTimeoutStartSec=10min\n' \
    > /run/systemd/system/loto-core.service.d/busy.conf
mknod -m 0666 /dev/spidev0.0 c 1 3
mkdir -p /usr/lib/python3/dist-packages && cp spidev.py /usr/lib/python3/dist-packages/
/usr/bin/python3 hand.py > hand-said 2>&1 &
until loto watch --json --once > simulated 2>&1; do
    [ -e installed ] || { sh -c "$(cat apt)" > installed 2>&1; echo $? >> installed; }
    sleep 1
done
while IFS= read -r line; do
    case "$line" in
    *" enrol") echo teach > hand; out=enrolled ;;
    *" census") until loto watch --json --once > started 2>&1; do sleep 1; done
        echo count > hand; out=counted ;;
    *) out=typed-$(echo "$line" | tr -c 'a-z\n' '-') ;;
    esac
    echo "$line" >> typed
    eval "$line" > "$out" 2>&1 < /dev/null; echo $? >> "$out"
    : > hand
    case "$line" in *" setup "*) sudo loto doctor > doctor 2>&1; echo $? >> doctor ;; esac
done < lines
echo draw 42 > hand
until grep -q '"called": \[42' called 2> /dev/null; do
    loto watch --json --once > called 2>&1; sleep 1
done
: > hand
cp /run/loto-station/sent sent
journalctl -b -o cat -u loto-core > log
loto journal verify > verified 2>&1; echo $? >> verified
touch ended
"""


def lines_of_the_paper() -> list[str]:
    """The commands of the section, in order."""
    found = SECTION.search((PROJECT / "docs" / "install.md").read_text("utf-8"))
    assert found is not None
    return [line.partition("#")[0].strip() for line in found[1].splitlines() if line.strip()]


@pytest.fixture(scope="module")
def answers(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of answers; made by one boot."""
    folder = tmp_path_factory.mktemp("machine")
    answered, machine = folder / "answers", folder / "root"
    (answered / "units").mkdir(parents=True)
    machine.mkdir()
    shutil.copy(package, answered)
    paper = APT.search((PROJECT / "docs" / "install.md").read_text("utf-8"))
    assert paper is not None
    kind = package.stem.rpartition("_")[2]
    files = {
        "units/questions.target": TARGET,
        "units/questions.service": SERVICE,
        "questions.sh": QUESTIONS,
        "spidev.py": SPIDEV,
        "hand.py": HAND,
        "apt": paper[0].removeprefix("sudo ").replace("_arm64.deb", f"_{kind}.deb"),
        "lines": "".join(f"{line}\n" for line in lines_of_the_paper()),
        "nmcli": NMCLI,
        "nm-online": NM_ONLINE,
    }
    for name, text in files.items():
        (answered / name).write_text(text)
    for name in ("nmcli", "nm-online"):
        (answered / name).chmod(0o755)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    said = booted([ENTER, "sh", machine, answered], answered)
    assert (answered / "ended").is_file(), said[-6000:]
    return answered


def test_the_paper_has_the_whole_way() -> None:
    """Set up, teach, count, open: what this test types is what a hall reads."""
    words = [line.split()[2] for line in lines_of_the_paper() if line.startswith("sudo loto ")]
    assert words == ["setup", "enrol", "census", "open"]


def test_the_package_says_what_comes_next(answers: Path) -> None:
    """Installed, it is simulated; its last lines say so, and name the next command."""
    installed = (answers / "installed").read_text()
    assert installed.endswith("\n0\n"), installed
    assert "Its devices are simulated" in installed
    assert "sudo loto setup" in installed


def test_every_line_of_the_paper_does_what_it_says(answers: Path) -> None:
    """Each ends well; ninety knobs are taught and counted, though the first night began before."""
    for file in answers.glob("typed-*"):
        assert file.read_text().endswith("0\n"), (file.name, file.read_text())
    assert (answers / "enrolled").read_text().endswith("\n0\n"), (answers / "enrolled").read_text()
    assert (answers / "counted").read_text().endswith("\n0\n"), (answers / "counted").read_text()
    assert "python3-spidev" not in (answers / "doctor").read_text()


def test_the_first_number_is_called_and_lit(answers: Path) -> None:
    """The knob on the reader is the first number; the board's bus has had pictures; the record is
    whole."""
    assert '"called": [42' in (answers / "called").read_text()
    assert (answers / "sent").stat().st_size > 0, (answers / "log").read_text()[-3000:]
    assert (answers / "verified").read_text().endswith("\n0\n")
    view = json.loads((answers / "called").read_text().splitlines()[-1])
    assert view.get("test", view.get("view", {}).get("test")) is not True
