"""The bundle: which libraries a machine needs, which files are the project's, and what is said
where none can be made.

That a bundle really starts without a network is shown in tests/root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import debian
import pytest

from station import BUILT
from station.base.errors import Damaged
from station.base.system import CommandFailed
from station.machine import bundle
from station.machine.bundle import BundleError, Target
from tests.installing import program

LOCK = """\
numpy==2.4.6 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
lgpio==0.2.2.0 ; python_full_version < '3.13' and platform_machine in 'aarch64 x86_64' \\
    --hash=sha256:cc
never==1 ; sys_platform == 'win32' \\
    --hash=sha256:dd
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """A lock file with one library for all, one for some Pythons, one for another system."""
    path = tmp_path / "test.lock"
    path.write_text(LOCK)
    return path


@pytest.mark.parametrize("machine", bundle.MACHINES)
@pytest.mark.parametrize(
    ("python", "names"), [("3.11", ["numpy==2.4.6", "lgpio==0.2.2.0"]), ("3.13", ["numpy==2.4.6"])]
)
def test_a_machine_gets_what_it_needs_whatever_makes_the_bundle(
    lock: Path, machine: str, python: str, names: list[str]
) -> None:
    """Markers are read for the machine that is served; every checksum stays with its library."""
    pins = Target(machine, python).pins(lock)
    assert [pin.name for pin in pins] == names
    assert pins[0].sums == ("--hash=sha256:aa", "--hash=sha256:bb")


@pytest.mark.parametrize(
    ("machine", "python"), [("armv7l", "3.11"), ("x86_64", "3.10"), ("x86_64", "3.99")]
)
def test_an_unsupported_machine_is_refused_with_the_choice(machine: str, python: str) -> None:
    """A machine or a Python without locked libraries is named, and so are those to choose of."""
    with pytest.raises(
        BundleError, match=rf"{python} on {machine}: choose of x86_64, aarch64; Python 3\.11"
    ):
        Target(machine, python)


def test_pip_is_told_of_no_system_newer_than_the_machine() -> None:
    """A wheel for a newer C library than that of the first system with that Python is not taken."""
    options = Target("aarch64", "3.11").pip_options()
    assert "--platform=manylinux_2_36_aarch64" in options
    assert "--platform=manylinux_2_37_aarch64" not in options
    assert not [option for option in options if "x86_64" in option]


def test_without_git_the_known_leftovers_are_passed_over(tmp_path: Path) -> None:
    """Caches at any depth, and what is made at the top, are no files of the project; everything
    else is."""
    kept = {
        "loto",
        "station/commands/app.py",
        "station/screens/web/build.js",
        ".ci/run",
        "setup/pip-1.whl",
    }
    left = {
        ".venv/bin/python",
        "station/__pycache__/cli.pyc",
        "var/journal",
        "setup/wheels/numpy.whl",
        "dist/old.tar.gz",
    }
    for name in kept | left:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    found = {path.relative_to(tmp_path).as_posix() for path in bundle.project_files(tmp_path)}
    assert found == kept


@pytest.mark.long
def test_a_bundle_without_a_way_to_the_libraries_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where pip finds nothing, the error names the machine and no archive is left behind."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(BundleError, match=r"Python 3\.13 on aarch64 could not be fetched"):
        bundle.make(tmp_path / "stick", "aarch64", ["3.13"])
    assert list((tmp_path / "stick").iterdir()) == []


def test_two_builds_are_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it is made, by whomever: times, rights and the order of files are the commit's."""
    project = tmp_path / "project"
    (project / "station").mkdir(parents=True)
    (project / "loto").write_text("#!/bin/sh\n")
    (project / "loto").chmod(0o755)
    (project / "station" / "a.py").write_text("a = 1\n")
    wheels = [tmp_path / "b.whl", tmp_path / "a.whl"]
    for wheel in wheels:
        wheel.touch()
    monkeypatch.setattr(bundle, "PROJECT", project)
    made = []
    for number, (modes, order) in enumerate(((0o644, 1), (0o600, -1), (0o664, 1))):
        for path in (project / "station" / "a.py", *wheels):
            path.chmod(modes)
            os.utime(path, (number * 1000, number * 1000))
        archive = tmp_path / f"{number}.tar.gz"
        files = bundle.project_files(project)
        bundle.write(archive, "loto-station-9", files, wheels[::order])
        made.append(archive.read_bytes())
    assert made[0] == made[1] == made[2]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    bundle.write(archive, "loto-station-9", files, wheels)
    with tarfile.open(archive) as tar:
        assert {entry.mtime for entry in tar} == {86400}
        assert {entry.name: entry.mode for entry in tar}["loto-station-9/loto"] == 0o755


@pytest.mark.parametrize(
    ("given", "expected"), [("1700000000", 1700000000), ("", None), (None, None)]
)
def test_the_time_of_a_build(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str | None, expected: int | None
) -> None:
    """As the builder says; else the commit's; where there is none, the version's."""
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    if given is not None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    assert bundle.build_time() == (expected or bundle.build_time())
    monkeypatch.setattr(bundle, "PROJECT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    built = datetime.fromisoformat(f"{BUILT}T00:00:00+00:00").timestamp()
    assert bundle.build_time() == (expected or built)


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="to run it, type: apt install dpkg")
def test_two_packages_are_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As bundles are; one that is not completed leaves nothing behind, and keeps the one before."""
    project = program(tmp_path / "project")
    monkeypatch.setattr(bundle, "PROJECT", project)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def fetch(target: object, wheels: Path, lock: Path) -> None:
        (wheels / "toy-1-py3-none-any.whl").write_text("a wheel")

    monkeypatch.setattr(bundle, "fetch", fetch)
    made = []
    for number in range(2):
        os.utime(project / "setup" / "prepare.py", (number, number))
        package = debian.make(tmp_path / str(number), "x86_64", ["3.11"])
        made.append(package.read_bytes())
    assert made[0] == made[1]
    monkeypatch.setattr(debian, "run_command", broken_off)
    with pytest.raises(CommandFailed):
        debian.make(tmp_path / "1", "x86_64", ["3.11"])
    assert [path.name for path in (tmp_path / "1").iterdir()] == [package.name]
    assert package.read_bytes() == made[1]


def broken_off(words: Sequence[str]) -> str:
    """The build is ended in the midst: dpkg-deb has written half a file."""
    Path(words[-1]).write_bytes(b"half")
    raise CommandFailed("killed")


def test_a_fresh_checkout_makes_its_libraries_first(tmp_path: Path) -> None:
    """setup/deb says so, has ./loto do it, and goes on."""
    (tmp_path / "setup").mkdir()
    shutil.copy2(bundle.PROJECT / "setup" / "deb", tmp_path / "setup")
    (tmp_path / "loto").write_text(
        '#!/bin/sh\nmkdir -p "$LOTO_VENV/bin"\n'
        'printf \'#!/bin/sh\\necho "$@"\\n\' > "$LOTO_VENV/bin/python"\n'
        'chmod +x "$LOTO_VENV/bin/python"\necho set up: "$@"\n'
    )
    (tmp_path / "loto").chmod(0o755)
    environ = {name: value for name, value in os.environ.items() if name != "LOTO_VENV"}
    command = [tmp_path / "setup" / "deb", "out"]
    for said in ("./loto puts them there first", ""):
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
        assert done.stdout == "setup/debian.py out\n"
        assert said in done.stderr
        assert bool(said) == bool(done.stderr)


def test_the_archive_is_one_folder_in_nobodys_name(tmp_path: Path) -> None:
    """Everything stands below one folder, the wheels where set-up looks for them, the script still
    to be started."""
    wheel = tmp_path / "numpy.whl"
    wheel.write_text("wheel")
    archive = tmp_path / "made.tar.gz"
    bundle.write(archive, "loto-station-9", [bundle.PROJECT / "loto"], [wheel])
    with tarfile.open(archive) as tar:
        entries = {entry.name: entry for entry in tar}
    assert set(entries) == {
        "loto-station-9/SHA256SUMS",
        "loto-station-9/loto",
        "loto-station-9/setup/wheels/numpy.whl",
    }
    assert entries["loto-station-9/loto"].mode & 0o111
    assert {(entry.uid, entry.gid, entry.uname, entry.gname) for entry in entries.values()} == {
        (0, 0, "", "")
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made.tar.gz", "numpy.whl"]


def test_the_archive_carries_its_own_digests(tmp_path: Path) -> None:
    """Unpacked, every file is compared with its line in SHA256SUMS; an altered byte, a file or the
    list gone, is damage."""
    wheel = tmp_path / "numpy.whl"
    wheel.write_text("wheel")
    archive = tmp_path / "made.tar.gz"
    bundle.write(archive, "loto-station-9", [bundle.PROJECT / "loto"], [wheel])
    for fault in ("", "altered", "gone", "no list"):
        folder = tmp_path / f"unpacked {fault}"
        folder.mkdir()
        subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)
        unpacked = folder / "loto-station-9"
        if fault == "altered":
            (unpacked / "loto").write_text((unpacked / "loto").read_text() + " ")
        elif fault:
            (unpacked / ("loto" if fault == "gone" else "SHA256SUMS")).unlink()
        if fault:
            with pytest.raises(Damaged, match="take another copy"):
                bundle.check_sums(unpacked)
        else:
            assert bundle.check_sums(unpacked) == {"loto", "setup/wheels/numpy.whl"}


def test_the_version_is_the_projects() -> None:
    """The archive is named after the program's version."""
    assert bundle.version_in(bundle.PROJECT).count(".") == 2
