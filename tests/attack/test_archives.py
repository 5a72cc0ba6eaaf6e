"""Whatever is in an archive, nothing outside of the draft changes; what is refused leaves nothing,
and says what and why."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from station.base.disk import Disk
from station.base.errors import Damaged, LotoError, StoreError
from station.commands import app as cli
from station.machine import archives, backup, signing
from station.machine.archives import GZIP, PACKAGE, TAR
from station.machine.backup import restore
from station.machine.delivery import DeliveryTerms
from station.machine.update import Update
from station.settings import config
from tests.attack import forging
from tests.attack.forging import Forged
from tests.installing import Machine, program

PROJECT = Path(__file__).parents[2]
BACKUPS = [*forging.of_backups()]
RELEASES = [*forging.of_releases()]
SECONDS = 900  # 40 where nothing else runs

Loto = Callable[..., tuple[int, str, str]]


def tree(folder: Path) -> dict[str, str]:
    """Everything below a folder: each file's mode and digest, each link's target, each folder's
    mode."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = f"{path.lstat().st_mode:o}"
        if path.is_symlink():
            found[str(path)] = f"{mode} {os.readlink(path)}"
        else:
            found[str(path)] = (
                mode if path.is_dir() else f"{mode} {hashlib.sha256(path.read_bytes()).hexdigest()}"
            )
    return found


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Loto:
    """Types a command in this process; gives exit code, stdout, stderr."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "etc" / "station.toml")
    monkeypatch.setenv("COLUMNS", "300")

    def type_it(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["loto", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return int(str(ended.value.code or 0)), out, err

    return type_it


def test_the_tables_are_large() -> None:
    """At least forty of each kind, none twice."""
    for table in (BACKUPS, RELEASES):
        assert len({case.name for case in table}) == len(table) >= 40


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[pytest.mark.long] * (case.name == "too many"))
        for case in BACKUPS
    ],
)
def test_a_forged_backup_is_refused_with_a_sentence(
    loto: Loto, tmp_path: Path, case: Forged
) -> None:
    """Looked at and put back: the same sentence, one exit code, and nothing on the machine is
    another than before."""
    (tmp_path / "state" / "nights").mkdir(parents=True)
    (tmp_path / "state" / "tags.toml").write_text("# as it was\n")
    file = tmp_path / "forged.tar"
    file.write_bytes(case.make())
    before = tree(tmp_path)
    for words in (("--check", file), ("--restore", file, "--state", tmp_path / "state", "--force")):
        code, out, err = loto("backup", *words)
        assert (code, case.said in err, str(file) in err, "Traceback" in err) == (
            case.code,
            True,
            True,
            False,
        ), err
        assert "restored" not in out
        assert len(err) < 1000
        assert err.rstrip("\n").isprintable()
    assert tree(tmp_path) == before


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A machine whose station runs 1.0.0."""
    folder = tmp_path_factory.mktemp("machine")
    made = Machine(folder / "root")
    made.install(program(folder / "program", "1.0.0"))
    return made


@pytest.mark.parametrize("case", RELEASES, ids=[case.name for case in RELEASES])
def test_a_forged_release_is_refused_with_a_sentence(
    machine: Machine, tmp_path: Path, case: Forged
) -> None:
    """By the update itself: the sentence, the exit code; no command is run, and every file of the
    machine is as before."""
    file = tmp_path / "forged.tar.gz"
    file.write_bytes(case.make())
    kept = machine.root / signing.KEPT.lstrip("/")
    kept.unlink(missing_ok=True)
    if case.known:
        kept.write_text(signing.public_key(forging.BUILDER))
    said = dict(zip(case.words, case.words[1:], strict=False))
    wanted = DeliveryTerms(
        said.get("--sha256", ""), said.get("--trust", ""), ask=lambda _: "--yes" in case.words
    )
    before, ran = machine.files(), len(machine.ran)
    with pytest.raises(LotoError) as refused:
        Update(machine.system).from_file(file, wanted)
    assert (refused.value.exit_code, case.said in str(refused.value)) == (case.code, True), str(
        refused.value
    )
    assert machine.files() == before
    assert len(machine.ran) == ran


def test_an_absolute_place_behind_a_double_slash_is_not_written_to(
    loto: Loto, tmp_path: Path
) -> None:
    """A member `state//tmp/x/victim` of mode 0777, which the manifest names, once replaced that
    file of the machine."""
    victim = tmp_path / "x" / "victim"
    victim.parent.mkdir()
    victim.write_text("as it was")
    victim.chmod(0o640)
    file = tmp_path / "it.tar"
    file.write_bytes(forging.backup({f"state/{victim}": b"forged"}))
    code, _, err = loto(
        "backup",
        "--restore",
        file,
        "--state",
        tmp_path / "state",
        "--config",
        tmp_path / "etc" / "c.toml",
    )
    assert (code, "is not written plainly" in err) == (2, True)
    assert (victim.read_text(), f"{victim.stat().st_mode:o}") == ("as it was", "100640")
    assert loto("backup", "--check", file)[0] == 2
    assert not (tmp_path / "state").exists()


def test_the_table_refuses_nothing_that_is_honest(loto: Loto, tmp_path: Path) -> None:
    """What the forged ones are made from is put back, with the station's own rights and not the
    archive's."""
    file = tmp_path / "honest.tar"
    long = "état/" + "a" * 150
    file.write_bytes(forging.backup({**forging.GOOD, f"state/{long}": b"long"}))
    code, _, err = loto("backup", "--restore", file, "--state", tmp_path / "state")
    assert (code, err) == (0, "")
    assert (tmp_path / "state" / long).read_text() == "long"
    modes = {
        f"{path.stat().st_mode & 0o7777:o}"
        for path in (tmp_path / "state").rglob("*")
        if path.is_file()
    }
    assert modes == {"640"}
    assert f"{(tmp_path / 'etc' / 'evening.toml').stat().st_mode & 0o7777:o}" == "644"
    assert not [path for path in (tmp_path / "state").iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("program", ["gnu", "posix", "ustar", "dpkg-deb"])
def test_what_other_programs_write_of_plain_files_is_read(tmp_path: Path, program: str) -> None:
    """GNU tar in each of its formats, and dpkg: short names, long ones, names that are not ASCII,
    folders."""
    names = ["a.txt", "deep/" * 5 + "b", "soirée/été.txt", "long/" + "n" * 90 + "/" + "m" * 90]
    for name in names:
        place = tmp_path / "tree" / "opt" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(name)
    file = tmp_path / "archive"
    if program == "dpkg-deb":
        (tmp_path / "tree" / "DEBIAN").mkdir()
        control = "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x\nDescription: x\n"
        (tmp_path / "tree" / "DEBIAN" / "control").write_text(control)
        words = ["dpkg-deb", "-Zgzip", "--build", tmp_path / "tree", file]
    else:
        words = [
            "tar",
            "--create",
            f"--format={program}",
            "--file",
            file,
            "--directory",
            tmp_path / "tree",
            "opt",
        ]
    subprocess.run(words, check=True, capture_output=True)
    kinds = frozenset({TAR, PACKAGE})
    with archives.opened(
        file, archives.Rules("an archive", kinds, 50, 10_000, lambda _: 0)
    ) as archive:
        assert archive.entries.keys() == {f"opt/{name}" for name in names}
        archive.unpack(
            tmp_path / "draft", {f"opt/{name}": name for name in names}, Disk(), lambda _: 0o640
        )
    for name in names:
        assert (tmp_path / "draft" / name).read_text() == name


@pytest.mark.parametrize("kind", ["a pipe", "a folder", "a device", "nothing"])
def test_what_is_no_file_is_not_waited_for(loto: Loto, tmp_path: Path, kind: str) -> None:
    """A pipe without a writer, a device without an end, a folder: each is named at once."""
    place = tmp_path / "place"
    if kind == "a pipe":
        os.mkfifo(place)
    elif kind == "a folder":
        place.mkdir()
    elif kind == "a device":
        place.symlink_to("/dev/zero")
    for word in ("--check", "--restore"):
        code, _, err = loto("backup", word, place, "--state", tmp_path / "state")
        assert code == forging.USAGE
        assert ("no such file" if kind == "nothing" else "this is no file") in err


class Small(Disk):
    """A disk with little room."""

    def room(self, folder: Path) -> int:
        return 5000


def test_what_is_larger_than_the_disk_is_refused_before_it_is_written(tmp_path: Path) -> None:
    """The room is asked for once all sizes are known; not a byte is written, and both numbers are
    said."""
    file = tmp_path / "large.tar"
    file.write_bytes(forging.backup({**forging.GOOD, "state/large": bytes(3 << 20)}))
    with pytest.raises(StoreError, match=r"unpacked it takes 4 MB, but .* has only 0"):
        restore(file, tmp_path / "state", tmp_path / "etc", disk=Small())
    assert tree(tmp_path / "state") == {}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "second",
    [
        forging.member("a/one", b"ONE!") + forging.member("a/two", b"two"),
        forging.member("a/one", b"one!") + forging.member("a/../../three", b"two"),
        forging.member("a/one", b"one!") + forging.member("b/two", b"two"),
        forging.member("a/one", b"one!") + forging.member("a/two", b"twos"),
        forging.member("a/one", b"one!")
        + forging.header(b"a/two", kind=b"2", link=b"/etc/passwd")
        + bytes(512),
        forging.member("a/one", b"one!") + bytes(1024),
        forging.member("a/one", b"one!") * 2,
        b"",
    ],
    ids=[
        "other bytes",
        "leads out",
        "another name",
        "another size",
        "a link",
        "one less",
        "one twice",
        "nothing",
    ],
)
def test_a_stick_that_gives_something_else_the_second_time_is_found_out(
    tmp_path: Path, second: bytes, packed: bool
) -> None:
    """Between the look and the unpacking the stick changes: nothing of it is kept, the draft is
    gone."""
    rules = archives.Rules(
        "an archive", frozenset({GZIP if packed else TAR}), 10, 1000, lambda _: 0
    )
    file, draft = tmp_path / "archive", tmp_path / "draft"
    honest = forging.member("a/one", b"one!") + forging.member("a/two", b"two")

    def write(data: bytes) -> None:
        whole = data + forging.END if data else b""
        # In place: it is the same open file.
        file.write_bytes(gzip.compress(whole) if packed else whole)

    write(honest)
    places = {"a/one": "one", "a/two": "two"}
    with archives.opened(file, rules) as archive:
        write(second)
        with pytest.raises(LotoError):
            archive.unpack(draft, places, Disk(), lambda _: 0o640)
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]
    write(honest)
    with archives.opened(file, rules) as archive:
        archive.unpack(draft, places, Disk(), lambda _: 0o640)
    assert {path.name: path.read_bytes() for path in draft.iterdir()} == {
        "one": b"one!",
        "two": b"two",
    }


def test_memory_and_time_are_bounded(tmp_path: Path) -> None:
    """A hundred megabytes that half of one unpacks to are read piece by piece: 60 MB more than at
    the start are enough."""
    file = tmp_path / "bomb.tar.gz"
    file.write_bytes(forging.bundle(before=forging.header(b"x/y", 100 << 20) + bytes(100 << 20)))
    code = (
        "import resource, sys; from pathlib import Path\nfrom station.machine import delivery; from"
        " station.base.errors import LotoError\nused ="
        " int(open('/proc/self/statm').read().split()[0]) *"
        " resource.getpagesize()\nresource.setrlimit(resource.RLIMIT_AS, (used + (60 << 20),) *"
        " 2)\ntry:\n    delivery.delivered(Path(sys.argv[1])).__enter__()\nexcept LotoError as"
        " error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, file],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "neither a bundle" in done.stdout


# -- any names -------------------------------------------------------------------------------------

PARTS = st.one_of(
    st.sampled_from(
        [
            "state",
            "settings",
            "..",
            ".",
            "",
            "nights",
            "a",
            "b",
            ".hidden",
            "c:",
            "~",
            "a\\b",
            "tmp",
            "x.toml",
            "lock",
        ]
    ),
    st.text(max_size=6),
)
RAW = st.lists(PARTS, min_size=1, max_size=5).map("/".join)
ANY_NAMES = st.lists(
    st.one_of(RAW, RAW.map("state/{}".format), RAW.map("state//{}".format)),
    min_size=1,
    max_size=4,
    unique=True,
)


@settings(max_examples=150)
@given(ANY_NAMES)
def test_whatever_names_nothing_outside_changes(names: list[str]) -> None:
    """Refused, it leaves the machine as it was; put back, it wrote below state and settings only,
    each file in its place."""
    with tempfile.TemporaryDirectory() as folder:
        machine = Path(folder)
        for room in ("state", "etc", "tmp", "a"):
            (machine / room).mkdir()
            (machine / room / "kept").write_text(room)
        file = machine / "any.tar"
        files = {name: name.encode("utf-8", "replace") for name in names}
        file.write_bytes(forging.backup(files))
        before = tree(machine)
        try:
            restore(file, machine / "state", machine / "etc", force=True)
        except LotoError:
            assert tree(machine) == before
            return
        for name, data in files.items():
            room, _, rest = name.partition("/")
            assert archives.fault_of(name) == ""
            assert (
                machine / {"state": "state", "settings": "etc"}[room] / rest
            ).read_bytes() == data
        inside = (str(machine / "state"), str(machine / "etc"))
        changed = tree(machine).items() ^ before.items()
        assert not [path for path, _ in changed if not path.startswith(inside)]


@given(RAW)
def test_a_name_without_fault_is_one_place_below(name: str) -> None:
    """What `fault_of` lets pass is the same place however it is joined, and never the folder itself
    or one above it."""
    if archives.fault_of(name) == "":
        root = Path("/somewhere/draft")
        assert Path(os.path.normpath(root / name)) == root / name
        assert (root / name).is_relative_to(root)
        assert root / name != root
        assert str((root / name).relative_to(root)) == name


def test_a_backup_is_not_made_that_could_not_be_put_back(tmp_path: Path) -> None:
    """A file with a name that no backup may hold is named at once, not found on the day when the
    backup is wanted."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "a\\b").write_text("odd")
    with pytest.raises(
        LotoError, match=r"no backup can hold a file of this name.*give it another one"
    ):
        backup.back_up(tmp_path / "state", None, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_an_unfinished_archive_is_damage(tmp_path: Path) -> None:
    """Cut at any block, a backup is refused; none is taken for a shorter one."""
    whole = forging.backup(forging.GOOD)
    file = tmp_path / "cut.tar"
    for length in range(0, len(whole) - forging.BLOCK, forging.BLOCK):
        file.write_bytes(whole[:length])
        with pytest.raises(Damaged):
            backup.check(file)


# -- as root, on a machine -------------------------------------------------------------------------


@pytest.mark.root
def test_as_root_nothing_outside_of_the_draft_changes(tmp_path: Path) -> None:
    """On this machine under an overlay: after each forged archive and each real command the whole
    machine is, to the byte and the mode, as before; an honest backup changes its state folder and
    the settings beside it, and nothing else.
    """
    answers = tmp_path / "answers.json"
    driver = [
        sys.executable,
        "-B",
        PROJECT / "tests" / "attack" / "in_namespace.py",
        tmp_path / "machine",
        answers,
    ]
    (tmp_path / "machine").mkdir()
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", *driver],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(answers.read_text())
    assert len(found["refused"]) == 2 * len(BACKUPS) + len(RELEASES)
    wrong = [one for one in found["refused"] if one["changed"] or not one["as_told"]]
    assert wrong == []
    (honest,) = found["honest"]
    assert honest["code"] == 0
    assert honest["changed"]
    assert not [
        path
        for path in honest["changed"]
        if not path.startswith(("/srv/hall/", "/etc/loto-station/evening.toml"))
    ]
