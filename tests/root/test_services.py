"""The units as systemd really runs them: a container that boots this machine's system under an
overlay in memory.

The station starts as services with simulated devices, plays, hangs and comes back. Everything is
asked inside the container by one script, which writes each answer to a file; the tests read the
answers.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.roots import PYTHON, booted_services

pytestmark = [
    pytest.mark.root,
    pytest.mark.systemd,
    # The station's own installation never needs a container.
    pytest.mark.skipif(
        shutil.which("systemd-nspawn") is None,
        reason="to run it, type: sudo apt-get install systemd-container",
    ),
]

# A child of the core that renders names, as the core starts it.
NAMES = f"""#!/bin/sh
export LD_LIBRARY_PATH=/opt/python/lib PYTHONPATH=/opt/loto-station:/opt/loto-station/site
names=$STATE_DIRECTORY/voices/names
echo '["Anna"]' | {PYTHON} -m drivers.voice.names $names en espeak-ng
"""

QUESTIONS = r"""
PATH=/opt/loto-station/.venv/bin:$PATH
cd /answers
systemd-sysusers /opt/loto-station/systemd/sysusers.d/loto-station.conf
systemd-tmpfiles --create /opt/loto-station/systemd/tmpfiles.d/loto-station.conf
echo 'profile = "simulated"' > /etc/loto-station/station.toml
loto pack make --strips 4 > pack 2>&1
chown -R loto:loto /var/lib/loto-station
systemctl start loto-core loto-web loto-screen; echo $? > started
systemctl show -P StatusText loto-core > status
core=$(systemctl show -P MainPID loto-core)
cat /proc/$core/status > process
cat /proc/$core/net/dev > network
python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:8090/").status)' > page
python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:8090/desk").url)' > desk
python3 - > alone 2>&1 <<'END'
import json, urllib.request as u
page, game = "http://127.0.0.1:8090", {"game": "spoil-five", "names": ["Anna", "Ben"]}
told = {"Content-Type": "application/json", "Origin": page, "X-Loto-Play": "1"}
begin = json.dumps({"do": "begin", **game}).encode()
for path, sent in (("/learn/step.json?game=tontine&step=2", None), ("/play/do", begin)):
    print(*json.load(u.urlopen(u.Request(page + path, sent, told))))
END
loto open > open 2>&1; loto draw > first 2>&1
runuser -u loto-web -- cat /var/lib/loto-station/lock > stranger 2>&1
runuser -u loto-web -- env RUNTIME_DIRECTORY=/run/loto-station \
    loto undo "the wrong knob" > watcher 2>&1
kill -STOP $core
until [ "$(systemctl show -P NRestarts loto-core)" != 0 ] &&
    systemctl is-active loto-core > back; do sleep 0.2; done
systemctl show -P NRestarts loto-core loto-web loto-screen > restarts
loto undo "the wrong knob" > undone 2>&1
# Killed in mid-game: the start after it goes on with the same bag.
drawn() { until loto draw; do sleep 0.2; done; }
drawn > bag 2>&1; drawn >> bag 2>&1
core=$(systemctl show -P MainPID loto-core)
runuser -u loto -- cat /proc/$core/maps > memory 2>&1
systemctl show -P NFileDescriptorStore loto-core > stored
kill -KILL $core
until [ "$(systemctl show -P MainPID loto-core)" != $core ] &&
    systemctl is-active loto-core; do sleep 0.2; done
drawn >> bag 2>&1
systemctl show -P NFileDescriptorStore loto-core >> stored
cp /var/lib/loto-station/test/nights/0001/journal* killed
# A stop forgets all, as a power cut does.
systemctl stop loto-core; systemctl start loto-core
drawn >> bag 2>&1
cp /var/lib/loto-station/test/nights/0001/journal* stopped
loto journal verify > verify 2>&1; echo $? >> verify
cat /var/lib/loto-station/test/nights/0001/journal* > journal
# The core's own sandbox, and in it what its child does.
sed -e 's/^Type=.*/Type=oneshot/' -e '/^Watchdog/d' -e '/^Restart/d' \
    -e '/^RuntimeDirectory/d' -e '/^NotifyAccess/d' \
    -e 's#^ExecStart=.*#ExecStart=/bin/sh /opt/loto-station/names.sh#' \
    /opt/loto-station/units/loto-core.service > /run/systemd/system/loto-names.service
systemctl daemon-reload
systemctl start loto-names; systemctl show -P Result loto-names > names
ls -l /var/lib/loto-station/voices/names >> names
journalctl -b -o cat -u loto-names >> names
systemctl stop loto-core loto-web loto-screen
systemctl show -P Result loto-core loto-web loto-screen > result
journalctl -u loto-core -u loto-web -u loto-screen > services
systemctl start loto-core loto-off.path
runuser -u loto-web -- touch /run/loto-station/off > forbidden 2>&1
runuser -u loto -- touch /run/loto-station/off
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of answers, one file a question; made by one boot."""
    folder = tmp_path_factory.mktemp("machine")
    answered, said = booted_services(folder, QUESTIONS, {"names.sh": NAMES})
    (answered / "console").write_text(said)
    assert (answered / "forbidden").is_file(), said[-6000:]
    return answered


def test_all_three_start_as_services(answers: Path) -> None:
    """systemd is told READY by all of them inside their sandboxes, and the players' page is
    served."""
    assert (answers / "started").read_text() == "0\n", (answers / "services").read_text()
    assert (answers / "status").read_text().strip()
    assert (answers / "page").read_text() == "200\n"


def test_the_core_has_no_rights_and_no_network(answers: Path) -> None:
    """No capability, filtered system calls, and no network device but the loopback."""
    process = (answers / "process").read_text()
    assert "CapEff:\t0000000000000000" in process
    assert "NoNewPrivs:\t1" in process
    assert "Seccomp:\t2" in process
    devices = [
        line.split(":")[0].strip()
        for line in (answers / "network").read_text().splitlines()
        if ":" in line
    ]
    assert devices == ["lo"]


def test_a_stranger_on_the_web_gets_nothing(answers: Path) -> None:
    """The web's user can neither read the night's folder nor draw a knob, and whoever opens the
    desk on the machine itself must be let in as anybody else."""
    assert (answers / "desk").read_text() == "http://127.0.0.1:8090/pair\n"
    assert "Permission denied" in (answers / "stranger").read_text()
    assert "watcher" in (answers / "watcher").read_text()


def test_a_lesson_and_a_game_alone_are_played_on_an_installed_station(answers: Path) -> None:
    """The web loads the games within the bounds of its unit."""
    assert (answers / "alone").read_text() == "answer\nanswer\n"


def test_a_hung_core_comes_back_to_the_same_game(answers: Path) -> None:
    """The watchdog ends it and it starts again once; web and screen stay; the game goes on from the
    same number, record whole."""
    assert (answers / "back").read_text() == "active\n"
    assert (answers / "restarts").read_text().split() == ["1", "0", "0"]
    assert "Watchdog timeout" in (answers / "services").read_text()
    assert (answers / "verify").read_text().endswith("\n0\n")
    lines = [json.loads(line) for line in (answers / "journal").read_text().splitlines()]
    acts = [act for act in (line["do"]["act"] for line in lines) if act in {"open", "draw", "undo"}]
    # what was drawn before the hang could be taken back after it
    assert acts[:3] == ["open", "draw", "undo"]


def drawn_in(journal: Path) -> list[tuple[str, int | None]]:
    """What became of the bag, with the leaf that each act opened."""
    acts = [json.loads(line)["do"] for line in journal.read_text().splitlines()]
    of_bag = [do for do in acts if do["act"] in {"open", "draw", "renew"}]
    return [(do["act"], do.get("leaf", {}).get("at")) for do in of_bag]


def test_a_killed_core_goes_on_with_the_same_bag(answers: Path) -> None:
    """systemd holds its secrets over the watchdog and over `kill -9`: the next leaves of the same
    tree are opened. Once the service was stopped they are gone, and an epoch is counted. Not even
    the core's own user may look into its memory."""
    # what was drawn first, and taken back, came again without a leaf
    kept = [("open", None), ("draw", 0), ("draw", None), ("draw", 1), ("draw", 2)]
    assert drawn_in(answers / "killed") == kept, (answers / "bag").read_text()
    assert drawn_in(answers / "stopped") == [*kept, ("renew", None), ("draw", 0)]
    assert (answers / "stored").read_text().split() == ["1", "1"]
    assert "Permission denied" in (answers / "memory").read_text()


@pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="to run it, type: sudo apt-get install espeak-ng"
)
def test_names_are_rendered_within_the_cores_sandbox(answers: Path) -> None:
    """Its child may lower its priority, start espeak-ng, and write into the state folder: all of it
    goes well."""
    said = (answers / "names").read_text()
    assert said.startswith("success\n"), said
    assert ".wav" in said


def test_all_end_when_they_are_asked_to(answers: Path) -> None:
    """A stop is a clean end, not a kill."""
    assert (answers / "result").read_text().split() == ["success", "success", "success"]


def test_the_core_can_have_the_machine_switched_off_and_nobody_else(answers: Path) -> None:
    """The file that the core's user leaves switches the machine off in order; another user of the
    station cannot leave it."""
    assert "Permission denied" in (answers / "forbidden").read_text()
    assert "Powering off" in (answers / "console").read_text()
