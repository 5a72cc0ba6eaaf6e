"""Make the archive for a machine without a network: the project, and a wheel of every library.

The archive unpacks to one folder; `./loto run` and `./loto test` in it take the libraries from
`setup/wheels` and nowhere else. Its SHA256SUMS names every file with its digest: damage on the way
is found, by `sha256sum -c` too. Who made it says the signature of that list
(`station.machine.releases`), where it was made with a builder's key.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement

from station import BUILT
from station.base.errors import Damaged, LotoError, Unreadable
from station.base.tongue import key, tr
from station.machine import signing
from station.machine.archives import fault_of

PROJECT = Path(__file__).resolve().parents[2]
LOCK = PROJECT / "setup" / "test.lock"
PYTHONS = ("3.11", "3.13")  # Debian 12 and 13, and the Raspberry Pi OS made of each
# 2.x of Debian 12, Ubuntu 24.04, Debian 13: the first system with that Python
GLIBC = {"3.11": 36, "3.12": 39, "3.13": 41}
MACHINES = ("x86_64", "aarch64")
SUMS = "SHA256SUMS"
LONGEST_SUMS = 4 << 20
NO_SUMS = key("the list of digests cannot be read: take another copy")
# of the project: in the bundle, but not on a hall's machine
HIDDEN = frozenset({".ci", ".gitignore", ".pre-commit-config.yaml"})
CACHES = {".git", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
MADE = {"var", "dist", "build", "setup/wheels"}


class BundleError(LotoError):
    """The archive cannot be made; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One library of a lock file.

    Attributes:
        name: its name and version, as `numpy==2.4.6`.
        marker: where it is needed; everywhere when None.
        sums: SHA-256 of every file of that version, as pip's `--hash=sha256:…`.
    """

    name: str
    marker: Marker | None
    sums: tuple[str, ...]


def read_lock(lock: Path) -> list[Pin]:
    """Return the pins of a lock file: a line each, its checksums on the lines below."""
    pins: list[Pin] = []
    for line in lock.read_text().splitlines():
        text = line.removesuffix("\\").strip()
        if text.startswith("--hash="):
            pins[-1] = replace(pins[-1], sums=(*pins[-1].sums, text))
        elif text and not text.startswith("#"):
            pins.append(Pin(text.partition(" ")[0], Requirement(text).marker, ()))
    return pins


@dataclass(frozen=True, slots=True)
class Target:
    """A machine to install on.

    Attributes:
        machine: `x86_64` or `aarch64`, as `uname -m` says.
        python: its version, as `3.11`.
    """

    machine: str
    python: str

    @classmethod
    def here(cls) -> Target:
        """Return the machine and Python of this process."""
        return cls(platform.machine(), f"{sys.version_info.major}.{sys.version_info.minor}")

    def __post_init__(self) -> None:
        """Check machine and Python.

        Raises:
            BundleError: the station does not support one of them.
        """
        if self.machine not in MACHINES or self.python not in GLIBC:
            there = f"{', '.join(MACHINES)}; Python {', '.join(GLIBC)}"
            what = tr(
                "no libraries are locked for Python {python} on {machine}",
                python=self.python,
                machine=self.machine,
            )
            raise BundleError(tr("{what}: choose of {there}", what=what, there=there))

    def pins(self, lock: Path) -> list[Pin]:
        """Return the lock file's pins for this machine."""
        environment = {
            "implementation_name": "cpython",
            "os_name": "posix",
            "platform_machine": self.machine,
            "platform_python_implementation": "CPython",
            "platform_system": "Linux",
            "python_full_version": f"{self.python}.0",
            "python_version": self.python,
            "sys_platform": "linux",
        }
        pins = read_lock(lock)
        return [pin for pin in pins if pin.marker is None or pin.marker.evaluate(environment)]

    def pip_options(self) -> list[str]:
        """Return the options that make pip choose wheels for this machine, wherever it runs."""
        systems = [f"manylinux_2_{minor}" for minor in range(GLIBC[self.python], 4, -1)]
        systems += ["manylinux2014", "manylinux2010", "manylinux1", "linux"]
        options = ["--only-binary=:all:", "--no-deps", "--implementation=cp"]
        options.append(f"--python-version={self.python}")
        return options + [f"--platform={system}_{self.machine}" for system in systems]


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sums(folder: Path, files: Iterable[Path]) -> str:
    """Return a line for each of these files below a folder, as sha256sum writes it."""
    named = {path.relative_to(folder).as_posix(): path for path in sorted(files)}
    return "".join(f"{digest_of(path)}  {name}\n" for name, path in named.items())


def read_sums(data: bytes, source: str) -> dict[str, str]:
    """Parse a list of digests; return the digest of each file.

    Raises:
        Damaged: it is no such list.
    """
    found: dict[str, str] = {}
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise Damaged(f"{source}: {tr(NO_SUMS)}") from error
    for number, line in enumerate(lines, 1):
        digest, gap, name = line.partition("  ")
        if not gap or fault_of(name, HIDDEN) or name in found:
            what = tr(NO_SUMS)
            raise Damaged(tr("{file}: line {line} of {what}", file=source, line=number, what=what))
        found[name] = digest
    return found


def check_sums(folder: Path) -> frozenset[str]:
    """Compare every file that a folder's SHA256SUMS names with its digest; return their paths.

    Raises:
        Damaged: the list, or a file of it, is missing or was altered.
    """
    try:
        listed = read_sums((folder / SUMS).read_bytes(), str(folder / SUMS))
    except OSError as error:
        raise Damaged(f"{folder / SUMS}: {tr(NO_SUMS)}") from error
    for name, digest in listed.items():
        path = folder / name
        try:
            whole = path.resolve().is_relative_to(folder.resolve()) and digest_of(path) == digest
        except OSError:
            whole = False
        if not whole:
            raise Damaged(
                tr("{path}: this file is not as it was made: take another copy", path=path)
            )
    return frozenset(listed)


def make(
    target: Path,
    machine: str | None = None,
    pythons: Sequence[str] | None = None,
    key: Path | None = None,
) -> Path:
    """Make the archive and return its path.

    Args:
        target: the folder to put it into; or, with a name that ends in `.tar.gz`, the archive
            itself.
        machine: `x86_64` or `aarch64`; this machine's kind when left out.
        pythons: the Python versions to serve, as `3.11`; those of `PYTHONS` when left out, and this
            one's for the same kind.
        key: the file with the builder's key, to sign it; without, nobody signs it.

    Raises:
        BundleError: no checkout, no network, or no wheel for that machine.
        KeyTrouble: the key cannot be used.
    """
    if not LOCK.exists():
        what = tr("a bundle is made of the checkout, and {folder} is not one", folder=PROJECT)
        raise BundleError(tr("{what}: go to yours and type ./loto bundle", what=what))
    sign = signer(key, version_in(PROJECT)) if key is not None else None
    kind = machine or platform.machine()
    own = {Target.here().python} if kind == platform.machine() else set()
    targets = [Target(kind, version) for version in pythons or sorted({*PYTHONS, *own})]
    name = f"loto-station-{version_in(PROJECT)}"
    archive = target if target.name.endswith(".tar.gz") else target / f"{name}.tar.gz"
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="loto-bundle-") as folder:
        wheels = Path(folder)
        for one in targets:
            fetch(one, wheels)
        write(archive, name, project_files(PROJECT), wheels.iterdir(), sign)
    return archive


def signer(key: Path, version: str) -> Callable[[bytes], bytes]:
    """Return a function that signs a list of digests.

    Raises:
        KeyTrouble: it is no builder's key, or is in a folder that goes into the archive.
    """
    if key.resolve().is_relative_to(PROJECT):
        why = tr("what is in there goes into the archive")
        raise signing.KeyTrouble(
            tr("{key}: keep the key outside of {folder}: {why}", key=key, folder=PROJECT, why=why)
        )
    loaded = signing.load_key(key)
    return lambda listed: signing.sign(listed, version, loaded)


def version_told(text: str, source: str) -> str:
    """Return the version that `station/__init__.py` names.

    Raises:
        Unreadable: this is not the station's program.
    """
    found = re.search(r'^__version__ = "([0-9A-Za-z.+~-]{1,40})"$', text, re.MULTILINE)
    if found is None:
        raise Unreadable(tr("{source}: this is not the station's program", source=source))
    return found[1]


def version_in(folder: Path) -> str:
    """Return the version of the program in a folder; raises as `version_told`."""
    try:
        text = (folder / "station" / "__init__.py").read_text(encoding="utf-8")
    except OSError:
        text = ""
    return version_told(text, str(folder))


def build_time() -> int:
    """Return the time that everything in a build has: two builds of one commit are the same bytes.

    It is `SOURCE_DATE_EPOCH`, else the time of the checkout's commit, else of the version.
    """
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    try:
        command = ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"]
        return int(subprocess.run(command, capture_output=True, check=True).stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return int(datetime.fromisoformat(f"{BUILT}T00:00:00+00:00").timestamp())


def project_files(project: Path) -> list[Path]:
    """Return the project's own files: git's list in a checkout, else all but known leftovers."""
    if not (project / ".git").exists():
        return sorted(walk(project, project))
    command = ["git", "-C", str(project), "ls-files", "-z", "--cached", "--others"]
    command.append("--exclude-standard")
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        # A minimal Debian has no git, and git refuses another user's checkout.
        return sorted(walk(project, project))
    paths = (project / name.decode() for name in listed.split(b"\0") if name)
    return sorted(path for path in paths if path.is_file())


def walk(folder: Path, project: Path) -> Iterator[Path]:
    """Yield every file below a folder, without the known leftovers."""
    for path in folder.iterdir():
        left_over = path.name in CACHES or path.name.startswith(".venv")
        if left_over or path.relative_to(project).as_posix() in MADE:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from walk(path, project)
        elif path.is_file():
            yield path


def fetch(target: Target, wheels: Path, lock: Path = LOCK) -> None:
    """Put the wheels of a lock file's libraries for a machine into a folder, checksums compared.

    Raises:
        BundleError: with pip's last words.
    """
    (pip,) = (PROJECT / "setup").glob("pip-*.whl")
    listed = wheels.with_suffix(".txt")
    listed.write_text("".join(f"{pin.name} {' '.join(pin.sums)}\n" for pin in target.pins(lock)))
    command = [sys.executable, str(pip / "pip"), "download", "--require-hashes"]
    command += ["--requirement", str(listed), "--dest", str(wheels), *target.pip_options()]
    command += ["--quiet", "--no-input", "--disable-pip-version-check"]
    if (kept := PROJECT / "setup" / "wheels").is_dir():
        command += ["--no-index", "--find-links", str(kept)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    listed.unlink()
    if done.returncode:
        tail = "\n".join(done.stdout.strip().splitlines()[-4:])
        what = tr(
            "the libraries for Python {python} on {machine}",
            python=target.python,
            machine=target.machine,
        )
        raise BundleError(
            tr("{what} could not be fetched; pip says:\n{said}", what=what, said=tail)
        )


def write(
    archive: Path,
    name: str,
    files: Iterable[Path],
    wheels: Iterable[Path],
    sign: Callable[[bytes], bytes] | None = None,
) -> None:
    """Write the archive: everything in one folder, nobody's user name in it; whole or not at all.

    Raises:
        BundleError: a file has a name that no station would accept.
    """
    unfinished, made = archive.with_name(f".{archive.name}.new"), build_time()
    inside = {path.relative_to(PROJECT).as_posix(): path for path in files}
    inside |= {f"setup/wheels/{path.name}": path for path in sorted(wheels)}
    todo = tr("rename it, move it away, or name it in .gitignore")
    for place in inside:
        if fault := fault_of(place, HIDDEN):
            raise BundleError(f"{place!r} {fault}: {todo}")
    listed = "".join(f"{digest_of(path)}  {place}\n" for place, path in inside.items()).encode()
    heads = {SUMS: listed} | ({signing.SIGNATURE: sign(listed)} if sign is not None else {})
    try:
        with (
            unfinished.open("wb") as file,
            gzip.GzipFile("", "wb", 1, file, mtime=made) as packed,
            tarfile.open(fileobj=packed, mode="w") as tar,
        ):
            for place, data in heads.items():
                head = tarfile.TarInfo(f"{name}/{place}")
                head.size, head.mtime = len(data), made
                tar.addfile(head, io.BytesIO(data))
            for place, path in inside.items():
                tar.add(path, f"{name}/{place}", filter=partial(plain, made=made))
        unfinished.replace(archive)
    finally:
        unfinished.unlink(missing_ok=True)


def plain(entry: tarfile.TarInfo, made: int) -> tarfile.TarInfo:
    """Return an archive entry without its maker's name, habits and time."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime, entry.mode = made, 0o755 if entry.mode & 0o100 else 0o644
    return entry
