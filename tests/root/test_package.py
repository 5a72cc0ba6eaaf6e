"""The Debian package on a machine: installed without a network, at work, on trial with another
release, removed.

A container boots this machine's system under an overlay in memory and is asked by one script, which
writes each answer to a file.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import tarfile
import wave
from pathlib import Path

import pytest

from drivers.voice.names import clip_name
from drivers.voice.pack import RATE
from station.base.nouns import KNOBS
from tests.roots import booted

pytestmark = [
    pytest.mark.root,
    pytest.mark.systemd,
    # The station's own installation never needs a container.
    pytest.mark.skipif(
        shutil.which("systemd-nspawn") is None,
        reason="to run it, type: sudo apt-get install systemd-container",
    ),
]

PROJECT = Path(__file__).parents[2]

TARGET = """[Unit]
Requires=basic.target
After=basic.target
Wants=questions.service
"""
# systemd itself switches off: a process for it may find the unit's group of processes gone.
SERVICE = """[Unit]
DefaultDependencies=no
After=basic.target
SuccessAction=poweroff
FailureAction=poweroff
[Service]
Type=oneshot
ExecStart=/bin/sh /answers/questions.sh
StandardOutput=file:/answers/log
StandardError=inherit
"""
# There is no radio here; what it is told is seen in the journal.
NMCLI = """#!/bin/sh
logger -t nmcli -- "$*"
case "$*" in *device) echo wifi:disconnected ;; esac
"""
NM_ONLINE = """#!/bin/sh
exit 1
"""

# A hall's own words, and a voice of its own: each number is a tone. What is heard goes to a file.
EYES_DOWN = "Look at your cards, please."
WORDS = f'[phrases]\neyes-down = "{EYES_DOWN}"\n'
SETTINGS = """profile = "simulated"
[calling]
own_voice = "voice"
"""
# No settings file may have sound written to a file, so the machine's unit does it.
HEARD = """[Service]
Environment=SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=/var/lib/loto-station/heard
"""


# Whether a clip was heard by now.
SAID = """
import sys, wave
with wave.open(sys.argv[1]) as file:
    clip = file.readframes(file.getnframes()).strip(bytes(1))
sys.exit(clip not in open("/var/lib/loto-station/heard", "rb").read())
"""


def tone(number: int) -> bytes:
    """A number's own sound, 0.3 s long: no other has its waves."""
    waves = (math.sin(0.02 * (number + 5) * at) for at in range(3 * RATE // 10))
    return b"".join(round(12_000 * wave).to_bytes(2, "little", signed=True) for wave in waves)


# What is waited for is seen, however long it takes; only `dpkg` and `loto update` have limits of
# their own.
QUESTIONS = r"""
cd /answers
# An act is refused for no time that passed: nothing is asked before the station answers, and what
# it says is kept.
answers() {
    until loto watch --json --once > "$1" 2>&1; do sleep 1; done
}
files() {
    # useradd and its kin keep the table before the last change beside each: those are theirs.
    find /etc /usr/local /opt/loto-station -xdev \
        ! -name 'passwd-' ! -name 'group-' ! -name '*shadow-' \
        \( -type f -exec sha256sum {} + -o -type l -printf '%p -> %l\n' \) 2> /dev/null | sort
}
files > before
dpkg -i package.deb > installed 2>&1; echo $? >> installed
answers watch
until systemctl is-active loto-core loto-web loto-off.path > active
    ! grep -qv '^active$' active
do sleep 1; done
systemctl is-enabled loto-core loto-station.target loto-off.path loto-hotspot loto-back > enabled
stat -c '%U %a' /run/loto-station /var/lib/loto-station /opt/loto-station/current/station > owners
loto update --may > may 2>&1; echo $? >> may
dpkg -i package.deb > again 2>&1; echo $? >> again
loto close-night > closed 2>&1
loto backup /answers > backup 2>&1; echo $? >> backup
loto hotspot on --name 'Village Hall' > hotspot 2>&1; echo $? >> hotspot
systemctl show -P Environment loto-hotspot > patience
# As its unit says how to: nothing more is seen of half a minute than of two seconds.
mkdir /run/systemd/system/loto-hotspot.service.d
printf '[Service]\nEnvironment=LOTO_HOTSPOT_WAIT=2\n' \
    > /run/systemd/system/loto-hotspot.service.d/soon.conf
systemctl daemon-reload
systemctl start loto-hotspot; systemctl show -P Result loto-hotspot > hotspot-unit
# What a hall says in its own words and in its own voice, before an update and after it.
said() { until /opt/loto-station/current/.venv/bin/python said.py "$1"; do sleep 0.2; done; }
hear() {
    systemctl restart loto-station.target
    answers "watch-$1"
    until [ -s "/var/lib/loto-station/voices/names/$(cat phrase).wav" ]; do sleep 0.2; done
    while loto watch --json --once | grep -q '"speech'; do sleep 0.2; done
    loto open > "night-$1" 2>&1
    # A number would go first, and what it overtakes is not said late.
    said "/var/lib/loto-station/voices/names/$(cat phrase).wav"
    loto draw >> "night-$1" 2>&1
    said "voice/number.$(sed -n 's/^\([0-9]*\):.*/\1/p' "night-$1").wav"
    for order in "close --yes" "close-night --yes"; do loto $order >> "night-$1" 2>&1; done
    cp /var/lib/loto-station/heard "heard-$1"
}
mkdir /var/lib/loto-station/wording && cp words.toml /var/lib/loto-station/wording/en.toml
cp -r voice settings.toml /etc/loto-station/
mv /etc/loto-station/settings.toml /etc/loto-station/station.toml
chown -R loto: /var/lib/loto-station
hear before
cp -r /var/lib/loto-station/voices/names made
release() {
    mkdir "$1"
    tar -C /opt/loto-station/current --exclude=./.venv --exclude=__pycache__ -cf - . |
        tar -C "$1" -xf -
    sed -i "s/^__version__ = .*/__version__ = \"$2\"/" "$1/station/__init__.py"
}
packed() {
    cd "$1"
    find . -type f ! -name SHA256SUMS -exec sha256sum {} + | sed 's#  \./#  #' > /answers/sums &&
        mv /answers/sums SHA256SUMS
    # Wheels are packed already.
    cd .. && tar -I 'gzip -1' -cf "$1.tar.gz" "$1" && rm -rf "$1"
}
release better 9.9.8
packed better
loto update better.tar.gz --yes > better 2>&1; echo $? >> better
hear after
systemctl stop loto-station.target
# A release that does not do: its core ends at once.
release broken 9.9.9
echo 'raise SystemExit(1)' > broken/station/core/daemon.py
packed broken
readlink /opt/loto-station/current > release
loto update broken.tar.gz --yes --wait 5 > update 2>&1; echo $? >> update
readlink /opt/loto-station/current >> release
answers watch-after
loto close-night > closed-after 2>&1
journalctl -b -o cat -t nmcli > radio
journalctl -b -o cat -u loto-hotspot > hotspot-said
journalctl -b -u loto-core -u loto-web > services
loto hotspot off --forget > /dev/null
dpkg -r loto-station > removed 2>&1; echo $? >> removed
rm -r /etc/loto-station
files > after
ls -A /var/lib/loto-station/test/nights > nights
touch ended
"""

# A network of its own, with nothing in it.
ENTER = r"""
ip link set lo up
mount -t tmpfs machine "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mkdir -p "$1/root/usr/local/lib/systemd"
exec systemd-nspawn --quiet --register=no --keep-unit --machine=loto-package --directory="$1/root" \
    --bind-ro="$2/units:/usr/local/lib/systemd/system" --bind="$2:/answers" \
    --bind-ro="$2/nmcli:/usr/bin/nmcli" --bind-ro="$2/nm-online:/usr/bin/nm-online" \
    --boot systemd.unit=questions.target
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package for this machine."""
    folder = tmp_path_factory.mktemp("package")
    command = [sys.executable, PROJECT / "setup" / "debian.py", folder, "--python", "3.11"]
    done = subprocess.run(
        command,
        cwd=PROJECT,
        env={"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("loto-station_*.deb")
    return made


@pytest.fixture(scope="module")
def answers(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of answers, one file a question; made by one boot."""
    folder = tmp_path_factory.mktemp("machine")
    answered, machine = folder / "answers", folder / "root"
    (answered / "units").mkdir(parents=True)
    machine.mkdir()
    shutil.copy(package, answered / "package.deb")
    for name, text in {"questions.target": TARGET, "questions.service": SERVICE}.items():
        (answered / "units" / name).write_text(text)
    (answered / "units" / "loto-core.service.d").mkdir()
    (answered / "units" / "loto-core.service.d" / "heard.conf").write_text(HEARD)
    (answered / "questions.sh").write_text(QUESTIONS)
    (answered / "words.toml").write_text(WORDS)
    (answered / "phrase").write_text(clip_name(EYES_DOWN, "en", "espeak-ng"))
    (answered / "settings.toml").write_text(SETTINGS)
    (answered / "said.py").write_text(SAID)
    (answered / "voice").mkdir()
    for number in range(1, KNOBS + 1):
        with wave.open(str(answered / "voice" / f"number.{number}.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(tone(number))
    for name, text in {"nmcli": NMCLI, "nm-online": NM_ONLINE}.items():
        (answered / name).write_text(text)
        (answered / name).chmod(0o755)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    said = booted([ENTER, "sh", machine, answered], answered)
    assert (answered / "ended").is_file(), said[-6000:]
    return answered


def test_it_holds_a_release_and_nothing_else(package: Path) -> None:
    """All of it below /opt/loto-station/releases, owned by root, with every wheel; its scripts are
    there and are shell."""
    listed = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    files = [line for line in listed if not line.startswith("d")]
    assert all(" root/root " in line and "./opt/loto-station/releases/0." in line for line in files)
    assert sum(line.endswith(".whl") for line in files) > 30
    assert not [
        line for line in files if "/tests/" in line or line.endswith(("pyproject.toml", ".pyc"))
    ]
    control = subprocess.run(
        ["dpkg-deb", "--ctrl-tarfile", package], capture_output=True, check=True
    ).stdout
    unpacked = package.parent / "control"
    unpacked.mkdir()
    subprocess.run(["tar", "-x", "-C", unpacked], input=control, check=True)
    for name in ("preinst", "postinst", "prerm", "postrm"):
        subprocess.run(["sh", "-n", unpacked / name], check=True)
    # What must be fetched from a network must not be needed: a hall has none.
    depends = next(
        line
        for line in (unpacked / "control").read_text().splitlines()
        if line.startswith("Depends:")
    )
    assert depends == "Depends: python3 (>= 3.11), systemd, passwd"


def test_it_installs_without_a_network_and_works(answers: Path) -> None:
    """The libraries come from the package; the services run and answer; each folder is whose it
    should be."""
    assert (answers / "installed").read_text().endswith("\n0\n"), (
        answers / "installed"
    ).read_text()
    assert "of the bundle" in (answers / "installed").read_text()
    assert '"phase": "between"' in (answers / "watch").read_text()
    assert (answers / "active").read_text().split() == ["active"] * 3
    assert "The station is installed" in (answers / "installed").read_text()
    assert (answers / "enabled").read_text().split() == ["enabled"] * 5
    assert (answers / "owners").read_text().splitlines() == ["loto 750", "loto 700", "root 755"]


def test_a_package_is_refused_while_a_night_is_open(answers: Path) -> None:
    """Simulated players hold cards, so the night has begun: preinst says no before anything is
    unpacked."""
    assert (answers / "may").read_text().endswith("\n1\n")
    assert "night 0001 is open" in (answers / "again").read_text()
    assert (answers / "again").read_text().endswith("\n1\n")


def test_the_backup_is_made_while_it_runs(answers: Path) -> None:
    """From the services' own folder, as root, beside the running station; play is not in it."""
    assert (answers / "backup").read_text().endswith("\n0\n"), (answers / "backup").read_text()
    (made,) = answers.glob("loto-backup-night-0000-*.tar")
    with tarfile.open(made) as tar:
        assert "settings/station.toml" in tar.getnames()
        assert not [name for name in tar.getnames() if name.startswith("state/test")]


def test_the_hotspots_unit_switches_it_on(answers: Path) -> None:
    """Within its sandbox the unit finds no network, in half a minute or as long as it is told, and
    tells NetworkManager."""
    assert (answers / "hotspot").read_text().endswith("\n0\n"), (answers / "hotspot").read_text()
    assert (answers / "hotspot-unit").read_text() == "success\n"
    radio = (answers / "radio").read_text()
    assert "LOTO_HOTSPOT_WAIT=30" in (answers / "patience").read_text().split()
    assert (
        "no network within 2 s: the Wi-Fi 'Village Hall' is on"
        in (answers / "hotspot-said").read_text()
    )
    assert radio.count("connection up loto-hotspot") == 2  # by hand, and by the unit


def test_a_release_that_does_not_do_is_left_by_itself(answers: Path) -> None:
    """Its core ends at once; after the wait the release before runs again, and answers."""
    said = (answers / "update").read_text()
    assert "9.9.9" in said
    assert "runs again" in said
    assert said.endswith("\n3\n")
    before, after = (answers / "release").read_text().split()
    assert before == after
    assert '"phase"' in (answers / "watch-after").read_text(), (
        said + (answers / "services").read_text()[-3000:]
    )


@pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="to run it, type: sudo apt-get install espeak-ng"
)
def test_a_halls_own_words_and_voice_are_heard_before_and_after_an_update(answers: Path) -> None:
    """Its words for "eyes down", made on the spot, and the number as somebody recorded it: the very
    samples, of the release before and of the next one."""
    said = (answers / "better").read_text()
    assert said.endswith("\n0\n"), said
    assert "9.9.8" in (answers / "release").read_text()
    own_words = samples(answers / "made" / f"{(answers / 'phrase').read_text()}.wav")
    numbers = {number: tone(number) for number in range(1, KNOBS + 1)}
    for when in ("before", "after"):
        heard = (answers / f"heard-{when}").read_bytes()
        assert own_words in heard, (answers / f"night-{when}").read_text()
        (called,) = [number for number, sound in numbers.items() if sound in heard]
        assert f"\n{called}: Calls" in (answers / f"night-{when}").read_text()


def samples(file: Path) -> bytes:
    """The sound of a file, from its first sample that is not silent to its last."""
    with wave.open(str(file)) as read:
        assert read.getparams()[:3] == (1, 2, RATE)
        return read.readframes(read.getnframes()).strip(b"\0")


def test_removed_it_leaves_the_machine_as_it_was(answers: Path) -> None:
    """Every file and link of /etc, /usr/local and /opt is as before; the nights are kept."""
    assert (answers / "removed").read_text().endswith("\n0\n"), (answers / "removed").read_text()
    assert (answers / "after").read_text() == (answers / "before").read_text()
    assert "0001" in (answers / "nights").read_text()
