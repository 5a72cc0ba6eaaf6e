"""The first command on a machine: what it makes, when it makes it again, and what it says where it
cannot.

A *toy* is a project with the real script, the real set-up and the real pip, and two tiny libraries
instead of ours.
"""

from __future__ import annotations

import ast
import base64
import fcntl
import hashlib
import io
import os
import runpy
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import prepare
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from station.machine.bundle import PROJECT, read_lock

SECONDS = 60
(PIP,) = (PROJECT / "setup").glob("pip-*.whl")
STATION = """
import importlib.util, sys
print("station", *sys.argv[1:], "tests" if importlib.util.find_spec("toy_tests") else "-")
"""
# Says to the test that it was reached, waits for its word, then becomes the real pip; without the
# word it gives up.
GATED_PIP = """
import os, socket, sys
with socket.create_connection(("127.0.0.1", {port})) as gate:
    if gate.recv(1) != b"1":
        sys.exit("the gate was closed")
os.execv(sys.executable, [sys.executable, {pip!r}, *sys.argv[1:]])
"""


def wheel(folder: Path, name: str, modules: Sequence[str], version: str = "1") -> str:
    """Make a wheel of empty modules; its line in a lock file."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    files = {f"{module}.py": f"version = {version!r}\n" for module in modules}
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: toy\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    sums = {
        file: base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        for file, text in files.items()
    }
    files[f"{info}/RECORD"] = (
        "".join(f"{file},sha256={total},\n" for file, total in sums.items()) + f"{info}/RECORD,,\n"
    )
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            # A fixed date: the same wheel has the same checksum whenever it is made.
            archive.writestr(zipfile.ZipInfo(file), text)
    return (
        f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"
    )


class Toy:
    """A small project that sets itself up as ours does, with our pip."""

    def __init__(self, folder: Path, pip: Path = PIP) -> None:
        self.folder, self.setup = folder, folder / "setup"
        self.venv, self.wheels = folder / ".venv", folder / "setup" / "wheels"
        self.python = sys.executable
        self.wheels.mkdir(parents=True)
        shutil.copy2(PROJECT / "loto", folder)
        shutil.copy2(PROJECT / "setup" / "prepare.py", self.setup)
        self.pip = pip
        (self.setup / self.pip.name).symlink_to(self.pip)
        (folder / "station").mkdir()
        (folder / "station" / "__main__.py").write_text(STATION)
        # The modules that set-up tries to load at its end.
        self.lock("1")

    def lock(self, version: str) -> None:
        """Lock this version of the library, and one library more for the tests."""
        line = wheel(self.wheels, "toy", ["numpy", "PIL", "pydantic", "pygame", "serial"], version)
        (self.setup / "requirements.lock").write_text(line)
        (self.setup / "test.lock").write_text(line + wheel(self.wheels, "toy_tests", ["toy_tests"]))

    def gate(self) -> socket.socket:
        """Let pip wait, from now on; the test accepts it and sends it on."""
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(SECONDS)
        (self.setup / self.pip.name).unlink()
        gated = self.setup / self.pip.name / "pip"
        gated.mkdir(parents=True)
        (gated / "__main__.py").write_text(
            GATED_PIP.format(port=listener.getsockname()[1], pip=str(self.pip / "pip"))
        )
        return listener

    @contextmanager
    def begin(self, *words: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
        """Type a command and do not wait for it; it is ended when it takes too long."""
        ours = ("LOTO_", "PYTHON", "XDG_")
        environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        with subprocess.Popen(
            [self.python, str(self.folder / "loto"), *words],
            env={**environ, "HOME": str(self.folder / "home"), **variables},
            cwd=self.setup,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            limit = threading.Timer(SECONDS, process.kill)
            limit.start()
            try:
                yield process
            finally:
                limit.cancel()

    def type(self, *words: str, **variables: str) -> SimpleNamespace:
        """Type a command: its exit `code`, what it `out`put, and what it `said` beside."""
        with self.begin(*words, **variables) as process:
            out, said = process.communicate()
        return SimpleNamespace(code=process.returncode, out=out.strip(), said=said)


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same pip as a folder: Python keeps it compiled, as it cannot keep a wheel's."""
    folder = tmp_path_factory.mktemp("pip") / PIP.name
    with zipfile.ZipFile(PIP) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def toy(tmp_path: Path, unpacked: Path) -> Toy:
    """A toy that was never started."""
    return Toy(tmp_path / "toy", unpacked)


@pytest.mark.long
def test_the_first_start_sets_up_and_the_next_does_not(tmp_path: Path) -> None:
    """The words go through unchanged; set-up says its three steps, once, beside the command's own
    output."""
    toy = Toy(tmp_path / "toy")
    first, second = toy.type("run", "--speed", "0"), toy.type("watch")
    assert (first.code, first.out) == (0, "station run --speed 0 -")
    assert [f"{number} of 3" in first.said for number in (1, 2, 3)] == [True] * 3
    assert (second.code, second.out, second.said) == (0, "station watch -", "")


@pytest.mark.long
def test_a_folder_called_station_where_the_user_is_changes_nothing(toy: Toy) -> None:
    """The checkout's station is started, not what lies in the working directory."""
    (toy.setup / "station").mkdir()
    (toy.setup / "station" / "__main__.py").write_text("print('another')")
    assert toy.type("run").out == "station run -"


@pytest.mark.long
def test_a_changed_lock_is_followed(toy: Toy) -> None:
    """After an update with another lock file the next start installs it, and says so once."""
    toy.type("run")
    toy.lock("2")
    assert "Setting up" in toy.type("run").said
    (site,) = toy.venv.glob("lib/python3*/site-packages")
    assert (site / "numpy.py").read_text() == "version = '2'\n"
    assert toy.type("run").said == ""


@pytest.mark.long
def test_the_tests_bring_their_own_libraries(toy: Toy) -> None:
    """`loto test` adds to what is there, and running afterwards sets up nothing."""
    assert toy.type("run").out.endswith(" -")
    assert toy.type("test").out == "station test tests"
    assert toy.type("run").said == ""


@pytest.mark.long
def test_what_else_somebody_wants_is_installed_with_pip(tmp_path: Path) -> None:
    """The environment's `pip` is there, and puts a library where the station finds it, also after
    an update with another pip."""
    toy = Toy(tmp_path / "toy")
    toy.type("run")
    line = wheel(toy.wheels, "extra", ["extra"])
    (toy.setup / toy.pip.name).rename(toy.setup / "pip-99-py3-none-any.whl")
    command = [
        toy.venv / "bin" / "pip",
        "install",
        "-q",
        "--no-index",
        "--find-links",
        toy.wheels,
        line.split()[0],
    ]
    subprocess.run(command, check=True, timeout=SECONDS, cwd="/")
    (site,) = toy.venv.glob("lib/python3*/site-packages")
    assert (site / "extra.py").exists()


@pytest.mark.long
@pytest.mark.parametrize("version", ["1", "2"])
def test_a_set_up_that_fails_leaves_the_old_one_whole(toy: Toy, version: str) -> None:
    """No library to be had for the tests, or for an update: exit code 2, and with the old lock
    files the station still starts."""
    toy.type("run")
    kept = {lock: lock.read_text() for lock in toy.setup.glob("*.lock")}
    toy.lock(version)
    for path in toy.wheels.glob("*"):
        path.unlink()
    failed = toy.type("test")
    assert (failed.code, failed.out) == (2, "")
    assert "made for another machine" in failed.said
    for lock, text in kept.items():
        lock.write_text(text)
    after = toy.type("run")
    assert (after.out, after.said) == ("station run -", "")


def test_an_interrupted_set_up_is_completed(toy: Toy) -> None:
    """Killed while pip works, the next start does it all, and only then is the environment used."""
    with toy.gate() as gate:
        with toy.begin("run") as process:
            waiting, _ = gate.accept()
            process.kill()
        waiting.close()
    shutil.rmtree(toy.setup / toy.pip.name)
    (toy.setup / toy.pip.name).symlink_to(toy.pip)
    completed = toy.type("run")
    assert (completed.code, completed.out) == (0, "station run -")
    assert "1 of 3: making the folder" in completed.said


def test_two_starts_at_once_set_up_once(toy: Toy) -> None:
    """The second waits for the first, says so, and both then run."""
    with toy.gate() as gate, toy.begin("run") as first:
        waiting, _ = gate.accept()
        with waiting, toy.begin("watch") as second:
            assert "waiting for it" in (second.stderr or io.StringIO()).readline()
            waiting.sendall(b"1")
            assert first.communicate()[0] == "station run -\n"
            assert second.communicate() == ("station watch -\n", "")


def test_a_library_that_was_altered_is_not_installed(toy: Toy) -> None:
    """A wheel whose checksum is not the locked one stops the set-up with a sentence."""
    lock = toy.setup / "requirements.lock"
    lock.write_text(lock.read_text().replace("sha256:", "sha256:0000")[:-5] + "\n")
    refused = toy.type("run")
    assert (refused.code, refused.out) == (2, "")
    assert "checksum differs" in refused.said


@pytest.mark.parametrize("variable", ["LOTO_VENV", None])
def test_what_was_not_made_here_is_left_alone(toy: Toy, variable: str | None) -> None:
    """A folder with somebody's files in it, named by mistake or a `.venv` of his own, is never
    emptied."""
    folder = toy.venv if variable is None else toy.folder / "mine"
    folder.mkdir()
    (folder / "letter").write_text("dear")
    refused = toy.type("run", **({variable: str(folder)} if variable else {}))
    assert (refused.code, refused.out) == (2, "")
    assert f"{folder} was not made by loto-station" in refused.said
    assert [path.name for path in folder.iterdir()] == ["letter"]


def test_another_checkouts_environment_is_not_emptied_through_a_link(toy: Toy) -> None:
    """A `.venv` that leads to the environment of another checkout: the link is named, and what it
    leads to is as it was."""
    theirs = toy.folder / "theirs"
    assert toy.type("run", LOTO_VENV=str(theirs)).out == "station run -"
    (theirs / "loto-station.json").write_text(
        '{"project": "/somewhere", "python": "/usr/bin/python3", "locks": ["1"]}'
    )
    before = sorted(theirs.rglob("*"))
    toy.venv.symlink_to(theirs)
    refused = toy.type("run")
    assert (refused.code, refused.out) == (2, "")
    assert f"{toy.venv} was not made by loto-station" in refused.said
    assert sorted(theirs.rglob("*")) == before


def test_loto_venv_chooses_the_place(toy: Toy) -> None:
    """The environment is made where `LOTO_VENV` says and nowhere else."""
    elsewhere = toy.folder / "deep" / "elsewhere"
    assert toy.type("run", LOTO_VENV=str(elsewhere)).out == "station run -"
    assert (elsewhere / "bin" / "python").exists()
    assert not toy.venv.exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "variables"), [(["--profile", "button"], {}), ([], {"LOTO_PROFILE": "hall"})]
)
def test_only_a_hardware_profile_sees_the_packages_of_debian(
    toy: Toy, words: list[str], variables: dict[str, str]
) -> None:
    """A simulated start does not see them; a hardware profile does, on Debian's Python; one after
    it sets up nothing."""
    toy.type("run", "--profile", "simulated")
    assert not prepare.sees_debian(toy.venv)
    hardware = toy.type("run", *words, **variables)
    assert hardware.code == 0
    assert prepare.sees_debian(toy.venv)
    assert toy.type("run").said == ""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, unpacked: Path) -> Toy:
    """A toy whose environment is made, for what leaves it alone."""
    toy = Toy(tmp_path_factory.mktemp("made") / "toy", unpacked)
    toy.type("test")
    return toy


@pytest.mark.parametrize(
    "words",
    [("doctor",), ("config", "check"), ("print", "wiring"), ("matrix", "preview"), ("test",)],
)
def test_a_command_that_only_looks_leaves_the_environment_alone(
    made: Toy, words: tuple[str, ...]
) -> None:
    """With a hardware profile it shows no package of the system, and sets nothing up."""
    looked = made.type(*words, "--profile", "hall")
    assert (looked.code, looked.said) == (0, "")
    assert not prepare.sees_debian(made.venv)


@pytest.mark.parametrize("word", ["--version", "core", "install", "uninstall", "doctor", "web"])
def test_an_installed_release_always_sees_the_packages_of_debian(word: str) -> None:
    """Its settings may name other devices tomorrow, so the profile of today decides nothing."""
    for profile in ("simulated", "hall", ""):
        need = prepare.need_of([word], {"LOTO_DEBIAN": "1", "LOTO_PROFILE": profile})
        assert need == prepare.Need(prepare.RUN_LOCK, debian=True)


@contextmanager
def at_work(toy: Toy) -> Iterator[None]:
    """A command runs in a toy's environment: this process holds the lock that one holds."""
    folder = os.open(toy.venv, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_SH)
        yield
    finally:
        os.close(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("why", ["another Python", "a moved Python", "other libraries"])
def test_no_command_changes_an_environment_in_use(toy: Toy, why: str) -> None:
    """While a command runs, one that needs another Python or other libraries is refused with what
    to do, and not a byte of the environment changes; afterwards it is served."""
    toy.type("run", "--simulate")
    words = ("enrol", "--profile", "hall") if why == "another Python" else ("run",)
    stamp = toy.venv / prepare.STAMP
    if why == "a moved Python":
        stamp.write_text(stamp.read_text().replace('"python": "', '"python": "/another'))
    elif why == "other libraries":
        toy.lock("2")
    before = contents(toy.venv)
    with at_work(toy):
        refused = toy.type(*words)
        assert (refused.code, refused.out) == (2, "")
        assert f"loto ({os.getpid()}) is running in it" in refused.said
        assert "LOTO_VENV" in refused.said
        assert contents(toy.venv) == before
    served = toy.type(*words)
    assert (served.code, "Setting up" in served.said) == (0, True)


def test_what_only_adds_disturbs_no_command_that_runs(toy: Toy) -> None:
    """The tests' libraries come beside those that are there, and a command with the same needs
    starts at once."""
    toy.type("run")
    with at_work(toy):
        assert toy.type("watch").said == ""
        assert toy.type("test").out == "station test tests"
        assert toy.type("run").said == ""


def test_a_rebuild_that_is_cut_off_leaves_the_old_environment(toy: Toy) -> None:
    """Killed while pip fills an environment on another Python: the next command finds the one of
    before, and sets nothing up. So two Pythons on one checkout never take turns."""
    toy.type("run", "--simulate")
    before = prepare.read_stamp(toy.venv)
    with toy.gate() as gate:
        with toy.begin("enrol", "--profile", "hall") as process:
            waiting, _ = gate.accept()
            process.kill()
        waiting.close()
    after = toy.type("run", "--simulate")
    assert (after.code, after.said) == (0, "")
    assert prepare.read_stamp(toy.venv) == before
    assert not prepare.aside_of(toy.venv).exists()


def test_where_the_systems_python_is_too_old_the_one_that_is_there_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then no Python has the system's packages, and building again would not help."""
    (tmp_path / "python3.9").touch()
    (tmp_path / "python3").symlink_to("python3.9")
    monkeypatch.setattr(prepare, "DEBIAN_PYTHON", tmp_path / "python3")
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (tmp_path / "python3.12").touch()
    (venv / "bin" / "python").symlink_to(tmp_path / "python3.12")
    prepare.write_stamp(venv, [prepare.digest(prepare.RUN_LOCK)])
    assert prepare.is_built(venv, prepare.Need(prepare.RUN_LOCK, debian=True))


def test_a_profile_that_there_is_not_changes_nothing(toy: Toy) -> None:
    """Mistyped, it is refused before the first set-up, with those that there are; later the station
    refuses it, and no package of the system is shown for it."""
    profiles = toy.folder / "hw" / "profiles"
    profiles.mkdir(parents=True)
    for name in ("hall", "rfid"):
        (profiles / f"{name}.toml").touch()
    refused = toy.type("run", "--profile", "nix")
    assert (refused.code, toy.venv.exists()) == (2, False)
    assert refused.said.strip() == "There is no profile 'nix'; there are hall, rfid."
    toy.type("run", "--simulate")
    stamp = (toy.venv / prepare.STAMP).read_text()
    later = toy.type("run", LOTO_PROFILE="nix")
    assert (later.code, later.out, later.said) == (0, "station run -", "")
    assert (toy.venv / prepare.STAMP).read_text() == stamp
    assert not prepare.sees_debian(toy.venv)


def test_to_see_the_packages_of_the_system_nothing_is_installed_again(toy: Toy) -> None:
    """From simulated to hardware, on the system's Python, without a wheel or a network: one word is
    changed, the tools stay."""
    toy.python = str(prepare.DEBIAN_PYTHON)
    toy.type("test")
    for path in toy.wheels.glob("*"):
        path.unlink()
    hardware = toy.type("run", "--profile", "hall")
    assert (hardware.code, hardware.out) == (0, "station run --profile hall tests")
    assert "Setting up" not in hardware.said
    assert prepare.sees_debian(toy.venv)
    assert toy.type("test").said == ""


@pytest.mark.long
def test_made_anew_on_another_python_it_has_the_tests_libraries_again(toy: Toy) -> None:
    """Where all must be made anew, the tests' libraries come back with it, if they were there; else
    they are not fetched."""
    for first, tools in (("run", "-"), ("test", "tests")):
        toy.type(first)
        stamp = toy.venv / prepare.STAMP
        stamp.write_text(stamp.read_text().replace('"python": "', '"python": "/another'))
        anew = toy.type("run")
        assert "1 of 3: making the folder" in anew.said
        assert anew.out == f"station run {tools}"
        assert toy.type(first).said == ""


@pytest.mark.parametrize(
    ("system", "hardware", "taken"),
    [
        ("python3.11", True, True),
        ("python3.13", True, True),
        ("python3.9", True, False),
        ("python3.13", False, False),
    ],
)
def test_hardware_is_built_on_the_python_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, hardware: bool, taken: bool
) -> None:
    """The system's packages fit its own Python only; where that is too old, or for simulation, the
    Python that runs is used."""
    (tmp_path / system).touch()
    (tmp_path / "python3").symlink_to(system)
    monkeypatch.setattr(prepare, "DEBIAN_PYTHON", tmp_path / "python3")
    python = prepare.python_for(prepare.Need(prepare.RUN_LOCK, debian=hardware))
    assert python == (tmp_path / system if taken else Path(sys.executable).resolve())


@pytest.mark.long
def test_a_moved_checkout_sets_up_again(toy: Toy) -> None:
    """An environment belongs to one place: after a move it is made anew and not used as it is."""
    toy.type("run")
    moved = toy.folder.with_name("moved")
    toy.folder.rename(moved)
    toy.folder, toy.setup, toy.venv = moved, moved / "setup", moved / ".venv"
    after = toy.type("run")
    assert "1 of 3: making the folder" in after.said
    assert after.out == "station run -"


@pytest.mark.parametrize(
    ("words", "profile", "lock", "debian"),
    [
        (["run"], "", "requirements.lock", False),
        ([], "", "requirements.lock", False),
        (["test", "-k", "journal"], "", "test.lock", False),
        (["drill", "--quick"], "", "test.lock", False),
        (["run", "--profile", "simulated"], "hall", "requirements.lock", False),
        (["run", "--profile", "rfid"], "", "requirements.lock", True),
        (["run", "--profile=hall"], "simulated", "requirements.lock", True),
        (["run", "--profile"], "", "requirements.lock", False),
        (["run", "--simulate"], "hall", "requirements.lock", False),
        (["core"], "button", "requirements.lock", True),
        (["--version", "core"], "button", "requirements.lock", True),
        (["-v", "enrol", "--knob", "3"], "rfid", "requirements.lock", True),
        (["selftest"], "hall", "requirements.lock", False),
        (["test"], "hall", "test.lock", False),
    ],
)
def test_what_a_command_needs(words: list[str], profile: str, lock: str, debian: bool) -> None:
    """The lock file is chosen by the command, Debian's packages by the profile where devices are
    opened; a word typed outweighs the variable."""
    need = prepare.need_of(words, {"LOTO_PROFILE": profile})
    assert (need.lock.name, need.debian) == (lock, debian)


@pytest.mark.parametrize(
    ("pip_said", "meaning"),
    [
        (
            (
                "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on"
                " device"
            ),
            "make room",
        ),
        (
            (
                "WARNING: Retrying after connection broken by 'NewConnectionError(...)'\nERROR: No"
                " matching distribution"
            ),
            "./loto bundle",
        ),
        (
            (
                "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] not yet"
                " valid'))"
            ),
            "Is the clock right?",
        ),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "checksum differs",
        ),
        ("ERROR: No matching distribution found for numpy==2.4.6", "nothing fits Python"),
        ("Traceback:\nSomething new", "Something new"),
    ],
)
def test_the_cause_of_a_failure_is_said_in_plain_words(pip_said: str, meaning: str) -> None:
    """Each way in which pip fails has its sentence; an unknown one is shown as it is."""
    assert meaning in prepare.cause(pip_said, bundled=False)


def test_a_full_disk_is_found_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With too little room nothing is made, and the sentence says how much is needed."""
    monkeypatch.setattr(prepare.shutil, "disk_usage", lambda _: SimpleNamespace(free=10_000_000))
    with pytest.raises(prepare.SetupError, match="10 MB of room, set-up needs 350 MB"):
        prepare.make(tmp_path / "venv", prepare.Need(prepare.RUN_LOCK, debian=False))
    assert list(tmp_path.iterdir()) == []


def test_a_checkout_that_cannot_be_written_to_uses_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """First the checkout, then the home folder with a sentence, then an error that names both and
    `LOTO_VENV`."""
    need, environ = prepare.Need(prepare.RUN_LOCK, debian=False), {"HOME": str(tmp_path / "home")}
    writable: set[Path] = set()
    monkeypatch.setattr(prepare, "PROJECT", tmp_path / "project")
    monkeypatch.setattr(prepare, "writable", lambda venv: venv in writable)
    with pytest.raises(prepare.SetupError, match="LOTO_VENV"):
        prepare.place(need, environ)
    own = tmp_path / "home" / ".local" / "share" / "loto-station" / "venv"
    writable.add(own)
    assert prepare.place(need, environ) == own
    assert f"the libraries go to {own}" in capsys.readouterr().err
    writable.add(tmp_path / "project" / ".venv")
    assert prepare.place(need, environ) == tmp_path / "project" / ".venv"


def as_if(settings: str, path: str) -> SimpleNamespace:
    """Run the script on a machine that is as the settings say."""
    code = (
        f"import os, platform, runpy, subprocess, sys; {settings};"
        f" runpy.run_path({str(PROJECT / 'loto')!r}, run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "run"],
        env={"PATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return SimpleNamespace(code=done.returncode, out=done.stdout.strip(), said=done.stderr.strip())


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("sys.version_info = (3, 6, 15)", "needs Python 3.11 or later"),
        ("sys.version_info = (3, 10, 13)", "needs Python 3.11 or later"),
        ("os.name = 'nt'", "wsl --install"),
        ("sys.maxsize = 2**31 - 1", "64-bit"),
    ],
)
def test_a_machine_that_will_not_do_is_told_so(settings: str, sentence: str) -> None:
    """Old Python, Windows, 32-bit: a sentence with what to do, exit code 2, no traceback."""
    refused = as_if(settings, path="/nowhere")
    assert (refused.code, refused.out) == (2, "")
    assert sentence in refused.said
    assert "Traceback" not in refused.said


def test_a_newer_python_on_the_path_is_found(tmp_path: Path) -> None:
    """Started by an old Python, the script goes on with a newer one; a name that starts nothing is
    passed over."""
    for name, text in {
        "python3.13": "exit 127",
        "python3.12": 'test "$1" = -c || echo "$@"',
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    found = as_if("sys.version_info = (3, 9, 2)", path=f"/nowhere:{tmp_path}")
    assert (found.code, found.out) == (0, f"{PROJECT / 'loto'} run")


def test_every_python_can_read_the_script() -> None:
    """Python 3.6 parses it, and it has none of what Python 2 stumbles over: it could not say that
    it is too old."""
    tree = ast.parse((PROJECT / "loto").read_text(), feature_version=(3, 6))
    newer = (
        ast.JoinedStr,
        ast.AnnAssign,
        ast.Starred,
        ast.NamedExpr,
        ast.AsyncFunctionDef,
        ast.Nonlocal,
        ast.MatMult,
    )
    assert [node for node in ast.walk(tree) if isinstance(node, newer)] == []
    assert all(node.returns is None for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    assert runpy.run_path(str(PROJECT / "loto"))["OLDEST"] == (3, 11)


def test_the_locks_are_whole_and_fit_the_project() -> None:
    """Every dependency is locked at a version it allows, every pin has checksums, and the tests'
    lock holds the other one."""
    run, test = (
        {pin.name: pin for pin in read_lock(lock)} for lock in (prepare.RUN_LOCK, prepare.TEST_LOCK)
    )
    # A marker may differ: what the tests' libraries want everywhere is everywhere.
    assert {(pin.name, pin.sums) for pin in run.values()} <= {
        (pin.name, pin.sums) for pin in test.values()
    }
    assert all(pin.sums for pin in test.values())
    versions = {name: version for name, _, version in (pin.partition("==") for pin in test)}
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    asked = [
        *project["dependencies"],
        *project["optional-dependencies"]["pi"],
        *project["optional-dependencies"]["test"],
    ]
    for requirement in map(Requirement, asked):
        assert versions[canonicalize_name(requirement.name)] in requirement.specifier, requirement
    assert not [pin for pin in run if pin.partition("==")[0] in {"pytest", "mypy", "playwright"}]


def test_the_locks_name_no_place_to_fetch_from() -> None:
    """Where the libraries come from is the machine's own affair: a mirror, a bundle, the
    network."""
    for lock in (prepare.RUN_LOCK, prepare.TEST_LOCK):
        assert "://" not in lock.read_text()
        assert "index" not in lock.read_text()
