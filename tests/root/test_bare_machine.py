"""The two commands on machines that have nothing: a bare Debian with python3 and no other package,
made by debootstrap.

Each machine is the cached Debian under an overlay in memory, inside its own mount, process and
(offline) network namespace: it is gone when its command ends, whatever happens.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from station.machine import bundle
from tests.roots import CACHE, SUITE, bare_debian, held

pytestmark = pytest.mark.root

# What a person types first, and what the smoke test of the whole station is.
COMMAND = "./loto run --simulate --auto --games 1 --speed 0"
PLAYED = "1 game played to its end"
SECONDS = 240

# $1 the bare Debian, $2 a work folder, $3 the project to put into it, $4 its owner, $5 the user, $6
# what the user types
ENTER = r"""
mount -t tmpfs -o mode=755 machine "$2"
mkdir "$2/upper" "$2/work" "$2/root"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
cd "$2/root"
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmp tmp
cp -L /etc/resolv.conf /etc/hosts etc/
mkdir -p etc/ssl/certs home/hall
if test -e /etc/ssl/certs/ca-certificates.crt; then
    cp -L /etc/ssl/certs/ca-certificates.crt etc/ssl/certs/
fi
echo 'hall:x:1000:1000::/home/hall:/bin/sh' >> etc/passwd
echo 'hall:x:1000:' >> etc/group
cp -a "$3" srv/loto-station
chown -R "$4" srv/loto-station
chown hall:hall home/hall 2> /dev/null || chown 1000:1000 home/hall
home=/root; test "$5" = root || home=/home/hall
HOME="$home" exec chroot --userspec="$5" . /bin/sh -c "cd /srv/loto-station && $6"
"""


@pytest.fixture(scope="session")
def debian() -> Path:
    """A bare Debian with python3, made once and kept outside the checkout."""
    made, unfinished = CACHE / f"{SUITE}-python3", CACHE / f"{SUITE}-unfinished"
    with held(CACHE / "debian.lock"):
        if not made.is_dir():
            shutil.rmtree(unfinished, ignore_errors=True)
            bare_debian(unfinished, ["python3"])
            unfinished.rename(made)
    return made


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The project as a fresh clone has it, and no more."""
    copy = tmp_path / "loto-station"
    for path in bundle.project_files(bundle.PROJECT):
        target = copy / path.relative_to(bundle.PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    return copy


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as it comes out of a bundle made for Debian's Python, with the libraries that the
    station runs with; those of its tests are twice as many."""
    runs = bundle.PROJECT / "setup" / "requirements.lock"
    monkeypatch.setattr(bundle, "fetch", partial(bundle.fetch, lock=runs))
    archive = bundle.make(tmp_path, pythons=["3.11"])
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    archive.unlink()
    (unpacked,) = tmp_path.glob("loto-station-*")
    return unpacked


def on_machine(
    debian: Path,
    tmp_path: Path,
    project: Path,
    typed: str,
    *,
    user: str,
    owner: str,
    network: bool = True,
) -> str:
    """What the machine prints when a user types that; its exit code must be 0."""
    work = tmp_path / "machine"
    work.mkdir()
    spaces = [
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        *([] if network else ["--net"]),
    ]
    script = ENTER if network else f"ip link set lo up\n{ENTER}"
    command = [*spaces, "sh", "-euc", script, "sh", debian, work, project, owner, user, typed]
    # How this machine reaches the network (a proxy, a certificate) is passed on, and nothing else.
    ways = {
        name: value
        for name, value in os.environ.items()
        if name.lower().endswith("_proxy") or name in {"PIP_CERT", "PIP_INDEX_URL"}
    }
    done = subprocess.run(
        command,
        env={
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            **ways,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_bare_machine_sets_itself_up_and_plays(
    debian: Path, tmp_path: Path, checkout: Path
) -> None:
    """As root on a fresh Debian with a network, the first command sets up and plays a whole game;
    the next sets up nothing."""
    said = on_machine(
        debian,
        tmp_path,
        checkout,
        f"{COMMAND} && echo AGAIN && ./loto --version",
        user="root",
        owner="0:0",
    )
    first, again = said.split("AGAIN")
    assert "3 of 3" in first
    assert PLAYED in first
    assert "Setting up" not in again


def test_a_person_without_rights_plays_from_a_bundle_of_somebody_else(
    debian: Path, tmp_path: Path, bundled: Path
) -> None:
    """No root, no further package, no network at all, and an unpacked bundle that cannot be written
    to: the libraries come from there and go to the home folder, and it says so."""
    typed = (
        f"test ! -w loto && {COMMAND} --state /tmp/state && test -x"
        " ~/.local/share/loto-station/venv/bin/python"
    )
    said = on_machine(
        debian, tmp_path, bundled, typed, user="1000:1000", owner="0:0", network=False
    )
    assert PLAYED in said
    assert "of the bundle" in said
    assert (
        "cannot be written to: the libraries go to /home/hall/.local/share/loto-station/venv"
        " instead" in said
    )


def test_no_network_and_no_bundle_is_said_with_the_way_out(
    debian: Path, tmp_path: Path, checkout: Path
) -> None:
    """A checkout without wheels and without a network stops with exit code 2, and names the
    bundle."""
    typed = f"{{ {COMMAND}; test $? = 2; }}"
    said = on_machine(
        debian, tmp_path, checkout, typed, user="1000:1000", owner="1000:1000", network=False
    )
    assert "There is no way to the network" in said
    assert "./loto bundle" in said
