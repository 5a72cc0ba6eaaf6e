"""Which programs the tests may start: those of every Debian, and those of the packages that
`.ci/run` adds.

A developer has many more, so a test that starts one of those passes there and fails on a fresh
machine. Here it fails everywhere.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

CI = Path(__file__).parents[1] / ".ci" / "run"
DPKG = Path("/var/lib/dpkg/info")
OF_THE_SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/")
NOT_OF_PACKAGES = "/usr/local/"  # whoever put something there knows why
# What the smallest Debian has, by package (`debootstrap --variant=minbase`).
ESSENTIAL = """
apt base-files base-passwd bash bsdutils coreutils dash debconf debianutils diffutils dpkg
e2fsprogs findutils grep gzip hostname init-system-helpers libc-bin login mawk mount ncurses-bin
passwd perl-base sed sysvinit-utils tar util-linux
"""
BARE = frozenset(ESSENTIAL.split())


def needs(text: str) -> dict[str, str]:
    """What `.ci/run` looks for, and the package that it adds where it is missing."""
    listed = re.findall(r"^(?:needs|libraries)=\((.*?)^\)", text, re.MULTILINE | re.DOTALL)
    return dict(line.strip().split(":") for block in listed for line in block.strip().splitlines())


# Programs that a library looks for, and does without.
LOOKED_FOR = frozenset({"/usr/bin/fc-list"})


def with_what_they_need(packages: Iterable[str], status: Path) -> frozenset[str]:
    """Packages, and all that is installed with them because one of them needs it; from dpkg's own
    list of what is there."""
    needed: dict[str, list[str]] = {}
    for told in status.read_text(errors="replace").split("\n\n") if status.is_file() else ():
        fields = dict(re.findall(r"^(Package|Pre-Depends|Depends): (.*)$", told, re.MULTILINE))
        either = (
            ",".join(fields.get(field, "") for field in ("Pre-Depends", "Depends"))
            .replace("|", ",")
            .split(",")
        )
        needed[fields.get("Package", "")] = [
            name.split()[0].partition(":")[0] for name in either if name.strip()
        ]
    found, left = set[str](), [*packages]
    while left:
        if (package := left.pop()) not in found:
            found.add(package)
            left += needed.get(package, ())
    return frozenset(found)


@cache
def allowed(ci: Path = CI, dpkg: Path = DPKG) -> frozenset[str]:
    """The programs of these packages, as paths below `/usr`; empty where the system is no
    Debian."""
    packages = with_what_they_need(
        {*BARE, *needs(ci.read_text()).values()}, dpkg.with_name("status")
    )
    lists = [
        found
        for found in dpkg.glob("*.list")
        if found.name.removesuffix(".list").partition(":")[0] in packages
    ]
    paths = {*LOOKED_FOR} | {line for one in lists for line in one.read_text().splitlines()}
    return frozenset(re.sub("^/(s?bin|lib)/", r"/usr/\1/", path) for path in paths)


def forgotten(
    program: str, environ: Mapping[str, str] | None = None, among: frozenset[str] | None = None
) -> str:
    """Why no test may start a program; empty where it may, or where it is not there and says so
    itself.

    Args:
        program: its name or path, as it is started.
        environ: of the process to be, whose PATH is searched; by default this one's.
        among: the paths of the programs that may be started.
    """
    among = allowed() if among is None else among
    found = shutil.which(program, path=(os.environ if environ is None else environ).get("PATH"))
    if (
        not among
        or found is None
        or not found.startswith(OF_THE_SYSTEM)
        or found.startswith(NOT_OF_PACKAGES)
    ):
        return ""
    # A program may be a link to where it is now, or (`awk`) to the one of its kind that was chosen.
    paths = {
        re.sub("^/(s?bin|lib)/", r"/usr/\1/", path) for path in (found, os.path.realpath(found))
    }
    if paths & among:
        return ""
    return (
        f"a test starts {found}, which no package of .ci/run has: name its package there, or it"
        " fails on a fresh machine"
    )
