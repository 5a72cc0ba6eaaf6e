"""A builder's key, what it signs, and which releases a station takes: the known builder's, signed,
not older."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.disk import Disk
from station.base.errors import Damaged, LotoError, StoreError, Unreadable
from station.base.system import CommandFailed, NotPossibleNow
from station.machine import bundle, signing
from station.machine.delivery import DeliveryTerms, delivered
from station.machine.signing import (
    KEPT,
    KeyTrouble,
    fingerprint,
    kept_key,
    load_key,
    make_key,
    sign,
    signed_by,
)
from station.machine.update import Patience, TrialFailed, Update
from tests.attack import forging
from tests.attack.forging import BUILDER, STRANGER
from tests.installing import Machine, program

KEY = signing.public_key(BUILDER)
PRINT = fingerprint(KEY)


def release(folder: Path, version: str, key: object = BUILDER, **more: object) -> Path:
    """A bundle of a program that can be installed, signed."""
    source = program(folder / f"program-{version}", version)
    files = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in bundle.project_files(source)
    }
    shutil.rmtree(source)
    file = folder / f"loto-station-{version}.tar.gz"
    file.write_bytes(forging.bundle(files, key=key, version=version, **more))  # type: ignore[arg-type]
    return file


class Hall:
    """A machine whose station runs 1.0.0, and knows no builder yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.machine = Machine(folder / "root")
        self.machine.install(program(folder / "first", "1.0.0"))
        self.kept = self.machine.root / KEPT.lstrip("/")
        self.said: list[str] = []
        self.asked: list[str] = []

    def bring(
        self,
        file: Path,
        *,
        answer: bool = False,
        sha256: str = "",
        trust: str = "",
        older: bool = False,
    ) -> str:
        """Updates from a file; whatever is asked is answered so."""

        def ask(question: str) -> bool:
            self.asked.append(question)
            return answer

        update = Update(
            self.machine.system, self.said.append, Patience(30, lambda: 0.0, lambda _: None)
        )
        return update.from_file(file, DeliveryTerms(sha256, trust, older, ask))

    def refuses(self, file: Path, said: str, **wanted: object) -> None:
        """Refused with that sentence; nothing on the machine changed, and no command was run."""
        before, ran = self.machine.files(), len(self.machine.ran)
        with pytest.raises(NotPossibleNow, match=said):
            self.bring(file, **wanted)  # type: ignore[arg-type]
        assert self.machine.files() == before
        assert len(self.machine.ran) == ran

    def refuses_key(self, file: Path) -> None:
        """The key that is kept may be another's: said, with what to type, and nothing is
        changed."""
        before = self.machine.files()
        with pytest.raises(StoreError, match="type chown root: "):
            self.bring(file)
        assert self.machine.files() == before


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A hall whose station runs."""
    return Hall(tmp_path)


def test_the_first_builder_is_asked_for_and_then_kept(hall: Hall, tmp_path: Path) -> None:
    """Its fingerprint is shown before anything is written; no is no; yes keeps the key, and nobody
    is asked again."""
    hall.refuses(release(tmp_path, "2.0.0"), "not trusted")
    assert PRINT in hall.asked[0]
    assert not hall.kept.exists()
    assert hall.bring(release(tmp_path, "2.0.0"), answer=True).startswith("2.0.0-")
    assert (hall.kept.read_text(), f"{hall.kept.stat().st_mode & 0o777:o}") == (f"{KEY}\n", "644")
    assert any(PRINT in line for line in hall.said)
    assert hall.bring(release(tmp_path, "3.0.0")).startswith("3.0.0-")
    assert len(hall.asked) == 2


def test_only_the_known_builders_releases_are_taken(hall: Hall, tmp_path: Path) -> None:
    """A stranger's and nobody's are refused without a question, whatever digest is given, and the
    key stays."""
    hall.bring(release(tmp_path, "2.0.0"), answer=True)
    stranger, nobody = release(tmp_path, "3.0.0", STRANGER), release(tmp_path, "3.0.1", None)
    hall.refuses(stranger, "Has the builder a new key", answer=True)
    hall.refuses(nobody, "nobody signed it", answer=True)
    hall.refuses(nobody, "nobody signed it", sha256=bundle.digest_of(nobody), answer=True)
    assert len(hall.asked) == 1
    assert hall.kept.read_text() == f"{KEY}\n"


def test_a_new_key_is_taken_by_its_fingerprint(hall: Hall, tmp_path: Path) -> None:
    """The builder lost the old key: with the new one's fingerprint, as he tells it, the new one is
    kept instead."""
    hall.bring(release(tmp_path, "2.0.0"), answer=True)
    new = fingerprint(signing.public_key(STRANGER))
    hall.refuses(
        release(tmp_path, "3.0.0", STRANGER), "not with the one that was typed", trust=PRINT
    )
    hall.bring(release(tmp_path, "3.0.0", STRANGER), trust=new.replace(" ", "").upper())
    assert hall.kept.read_text() == f"{signing.public_key(STRANGER)}\n"
    hall.refuses(release(tmp_path, "4.0.0"), "Has the builder a new key")


def test_a_new_builder_is_met_when_his_release_has_done(hall: Hall, tmp_path: Path) -> None:
    """A release that fails, in its libraries or on trial, leaves the builder of the one that runs:
    his next one is taken."""
    hall.bring(release(tmp_path, "2.0.0"), answer=True)
    new, file = fingerprint(signing.public_key(STRANGER)), release(tmp_path, "3.0.0", STRANGER)
    hall.machine.fails.add("env LOTO_VENV")
    with pytest.raises(CommandFailed):
        hall.bring(file, trust=new)
    hall.machine.fails = {"systemctl daemon-reload"}
    with pytest.raises(TrialFailed):
        hall.bring(file, trust=new)
    hall.machine.fails.clear()
    assert hall.kept.read_text() == f"{KEY}\n"
    assert not any(new in line for line in hall.said)
    assert hall.bring(release(tmp_path, "2.1.0")).startswith("2.1.0-")
    assert hall.bring(file, trust=new).startswith("3.0.0-")
    assert hall.kept.read_text() == f"{signing.public_key(STRANGER)}\n"


def test_nobodys_release_is_asked_for_each_time(hall: Hall, tmp_path: Path) -> None:
    """Without a key there is nothing to keep: the digest is shown; told before, it is compared and
    not asked for."""
    nobody = release(tmp_path, "2.0.0", None)
    hall.refuses(nobody, "not trusted")
    assert bundle.digest_of(nobody) in hall.asked[0]
    hall.bring(nobody, sha256=bundle.digest_of(nobody).upper())
    assert len(hall.asked) == 1
    assert not hall.kept.exists()


@pytest.mark.parametrize(
    ("running", "brought", "is_older"),
    [
        ("1.9.0", "1.10.0", False),
        ("1.10.0", "1.9.0", True),
        ("2.0.0", "2.0.0rc1", True),
        ("2.0.0rc1", "2.0.0", False),
    ],
)
def test_an_older_release_is_refused_unless_asked_for(
    tmp_path: Path, running: str, brought: str, is_older: bool
) -> None:
    """By the order of versions, not of letters; a word of its own takes one all the same, with the
    same trust."""
    hall = Hall(tmp_path)
    hall.bring(release(tmp_path, running), answer=True, older=True)
    if is_older:
        hall.refuses(release(tmp_path, brought), "add --older")
        hall.refuses(release(tmp_path, brought, STRANGER), "Has the builder a new key", older=True)
    assert hall.bring(release(tmp_path, brought), older=is_older).startswith(f"{brought}-")


def test_the_way_back_needs_no_key_and_no_word(hall: Hall, tmp_path: Path) -> None:
    """The release before is on the disk: back is back, although it is older and nobody signed
    it."""
    hall.bring(release(tmp_path, "2.0.0"), answer=True)
    update = Update(
        hall.machine.system, hall.said.append, Patience(30, lambda: 0.0, lambda _: None)
    )
    assert update.back().startswith("1.0.0-")
    assert update.back().startswith("2.0.0-")


@pytest.mark.parametrize(
    ("text", "mode", "kind"),
    [
        ("no key\n", 0o644, Damaged),
        ("", 0o644, Damaged),
        (f"{KEY}\n", 0o666, StoreError),
        (f"{KEY}\n", 0o664, StoreError),
    ],
)
def test_a_kept_key_that_cannot_be_trusted_stops_updates(
    hall: Hall, tmp_path: Path, text: str, mode: int, kind: type[LotoError]
) -> None:
    """Spoilt, or to be changed by others than root: said, and not taken for none."""
    hall.kept.write_text(text)
    hall.kept.chmod(mode)
    with pytest.raises(kind, match="builder"):
        hall.bring(release(tmp_path, "2.0.0"), answer=True)
    assert hall.machine.current.startswith("1.0.0-")


def as_a_pipe(kept: Path) -> None:
    os.mkfifo(kept)


def as_a_link(kept: Path) -> None:
    kept.with_name("own").write_text(f"{KEY}\n")
    kept.symlink_to("own")


def as_a_folder(kept: Path) -> None:
    kept.mkdir()


@pytest.mark.parametrize("put", [as_a_pipe, as_a_link, as_a_folder])
def test_a_kept_key_that_is_no_file_is_not_waited_for(
    hall: Hall, tmp_path: Path, put: Callable[[Path], None]
) -> None:
    """A pipe without a writer, a link to who knows where: named at once, and not followed."""
    put(hall.kept)
    with pytest.raises(
        StoreError,
        match=r"the builder's key cannot be read \((it is no regular file|a link stands there)",
    ):
        hall.bring(release(tmp_path, "2.0.0"), answer=True)


@pytest.mark.root
def test_a_kept_key_of_another_owner_is_not_trusted(hall: Hall, tmp_path: Path) -> None:
    """Its owner may change it, whatever its mode says. Only root may own it, or whose the whole
    machine is."""
    hall.bring(release(tmp_path, "2.0.0"), answer=True)
    os.chown(hall.kept, 4321, 0)
    hall.refuses_key(release(tmp_path, "3.0.0"))
    os.chown(hall.machine.root, 4321, 0)
    assert kept_key(hall.kept, hall.machine.root.stat().st_uid) == KEY
    os.chown(hall.kept, 0, 0)
    assert hall.bring(release(tmp_path, "3.0.0")).startswith("3.0.0-")


# -- into a machine --------------------------------------------------------------------------------


def unpacked(folder: Path, key: object = BUILDER, version: str = "1.0.0") -> Path:
    """A signed bundle, unpacked by hand."""
    source = program(folder, version)
    listed = bundle.sums(source, bundle.project_files(source)).encode()
    (source / bundle.SUMS).write_bytes(listed)
    (source / signing.SIGNATURE).write_bytes(sign(listed, version, key))  # type: ignore[arg-type]
    return source


def test_installing_from_a_signed_bundle_keeps_its_builder(tmp_path: Path) -> None:
    """The key is kept, said with its fingerprint, and not changed by another bundle; an uninstalled
    machine keeps it."""
    machine = Machine(tmp_path / "root")
    kept = machine.root / KEPT.lstrip("/")
    assert any(PRINT in line for line in machine.install(unpacked(tmp_path / "one")))
    assert kept_key(kept) == KEY
    said = machine.install(unpacked(tmp_path / "two", STRANGER, "1.1.0"))
    assert any("updates must be signed with" in line for line in said)
    assert kept_key(kept) == KEY
    machine.uninstall()
    assert kept_key(kept) == KEY


def test_a_bundle_that_was_changed_after_it_was_signed_brings_no_key(tmp_path: Path) -> None:
    """Whoever changes what he unpacked may install it: it is his machine. But nobody signed
    that."""
    machine = Machine(tmp_path / "root")
    source = unpacked(tmp_path / "one")
    (source / "setup" / "prepare.py").write_text("# my own\n")
    machine.install(source)
    assert not (machine.root / KEPT.lstrip("/")).exists()


# -- the key ---------------------------------------------------------------------------------------


def test_a_key_is_made_once_and_for_its_maker_alone(tmp_path: Path) -> None:
    """Private 0600, public half beside it; a key that is there is never written over."""
    file = tmp_path / "folder" / "builder.key"
    public = make_key(file)
    assert f"{file.stat().st_mode & 0o777:o}" == "600"
    assert file.with_suffix(".pub").read_text() == f"{public}\n"
    assert signing.public_key(load_key(file)) == public
    before = file.read_bytes()
    for taken in (file, file.with_suffix(".pub")):
        with pytest.raises(KeyTrouble, match="left as it is"):
            make_key(taken)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.chmod(0o640), "others may read"),
        (lambda file: file.write_text("no key"), "no builder's key"),
        (Path.unlink, "loto bundle key makes one"),
    ],
)
def test_a_key_that_cannot_be_used_is_said(
    tmp_path: Path, spoil: Callable[[Path], object], said: str
) -> None:
    """Lent to others, spoilt or gone: no bundle is begun with it."""
    file = tmp_path / "builder.key"
    make_key(file)
    spoil(file)
    with pytest.raises(KeyTrouble, match=said):
        bundle.signer(file, "1.0.0")


def test_a_key_does_not_get_into_a_bundle() -> None:
    """A key inside the project would be carried away with it: refused before it is read."""
    with pytest.raises(KeyTrouble, match="outside of"):
        bundle.signer(bundle.PROJECT / "builder.key", "1.0.0")


def test_a_bundle_is_signed_as_it_is_made(tmp_path: Path) -> None:
    """What `loto bundle --key` writes is whole, signed, and of the project's version."""
    make_key(tmp_path / "builder.key")
    version = bundle.version_in(bundle.PROJECT)
    archive = tmp_path / "made.tar.gz"
    files = [
        bundle.PROJECT / "loto",
        bundle.PROJECT / "station" / "__init__.py",
        bundle.PROJECT / ".gitignore",
    ]
    bundle.write(
        archive,
        f"loto-station-{version}",
        files,
        [],
        bundle.signer(tmp_path / "builder.key", version),
    )
    with delivered(archive) as delivery:
        assert delivery.version == version
        assert delivery.signature is not None
        assert delivery.signature.key == (tmp_path / "builder.pub").read_text().strip()
        delivery.unpack(tmp_path / "unpacked", Disk())
    made = [path for path in (tmp_path / "unpacked").rglob("*") if path.is_file()]
    assert [path.relative_to(tmp_path / "unpacked").as_posix() for path in made] == [
        "station/__init__.py"
    ]


@given(st.binary(max_size=40), st.integers(0, 10_000), st.integers(0, 7))
def test_a_signature_is_of_one_list_and_one_version(listed: bytes, place: int, bit: int) -> None:
    """Any bit of the list turned, or of key, version and signature: it does not match any more."""
    data = sign(listed, "1.2.3", BUILDER)
    assert signed_by(data, listed, "x").key == KEY
    other = bytearray(listed + b"\0")
    other[place % len(other)] ^= 1 << bit
    with pytest.raises(Damaged):
        signed_by(data, bytes(other), "x")
    told = json.loads(data)
    for field, value in {
        "version": "1.2.4",
        "key": signing.public_key(STRANGER),
        "signature": "00" * 64,
    }.items():
        with pytest.raises((Damaged, Unreadable)):
            signed_by(json.dumps({**told, field: value}).encode(), listed, "x")


def test_the_kept_key_is_roots_and_outside_of_every_release() -> None:
    """It outlives updates, and the station's own user cannot change it."""
    assert KEPT.startswith("/etc/")
    assert os.path.dirname(KEPT) == "/etc/loto-station"
