"""Make the Debian package of the station: one release with the wheels of every library, so that it
installs without a network.

What the package unpacks is a release's folder (`station.machine.releases`). The rest is as by hand:
its scripts call `loto install` and `loto uninstall`. Removed or purged, it leaves nights and
settings where they are: `loto uninstall --purge` is for that, and asks. A package is refused while
a night is open.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from station.base.errors import LotoError
from station.base.system import run_command
from station.machine import bundle
from station.machine.releases import CURRENT, HOME, PROGRAM, copy_file, name_of, own_files
from station.machine.signing import SIGNATURE

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CONTROL = """\
Package: loto-station
Version: {version}
Architecture: {architecture}
Maintainer: The loto-station developers <loto-station@localhost>
Installed-Size: {kilobytes}
Depends: python3 (>= 3.11), systemd, passwd
Recommends: alsa-utils, libegl1, libgbm1, libgl1-mesa-dri, libgles2, network-manager,
 python3-evdev, python3-lgpio, python3-spidev
Section: games
Priority: optional
Description: calling station for Loto, tombola and 90-ball bingo
 Draws or reads the knobs, keeps the record of the night, calls the numbers,
 lights the ten cavities, and shows screens and pages for phones.
 .
 It brings every library that it needs: no network is used to install it.
"""
# What Depends cannot say: a Pi without a network must be able to install it, so what only some
# halls need is recommended.
PREINST = """\
#!/bin/sh
set -e
# A game is played to its end on the release that it began on.
# 126, 127: it cannot be run, as after the system was upgraded to another Python; then no game
# runs either.
if [ -x {program} ]; then {program} update --may || case $? in 126|127) ;; *) exit 1 ;; esac; fi
"""
POSTINST = """\
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    # Its own set-up makes the private Python environment, and becomes `loto install`, which asks
    # the settings for the profile.
    start=; if [ ! -d /run/systemd/system ]; then start=--no-start; fi
    LOTO_VENV={release}/.venv /usr/bin/python3 -B {release}/setup/prepare.py install $start
fi
"""
PRERM = """\
#!/bin/sh
set -e
if [ "$1" = remove ]; then
    # By its own set-up, which makes the environment anew where the system was upgraded to another
    # Python.
    if [ -f {current}/setup/prepare.py ]; then
        LOTO_VENV={current}/.venv /usr/bin/python3 -B {current}/setup/prepare.py uninstall
    else
        rm -rf {home}/releases # an installation that failed before anything was put in place
    fi
fi
"""
POSTRM = """\
#!/bin/sh
set -e
if [ "$1" = purge ] && [ -d /var/lib/loto-station ]; then
    echo "The nights stay in /var/lib/loto-station, the settings in /etc/loto-station:" \
        "remove them by hand." >&2
fi
"""


def make(
    target: Path, machine: str, pythons: Sequence[str] = bundle.PYTHONS, key: Path | None = None
) -> Path:
    """Make the package and return its path.

    Args:
        target: the folder to put it into.
        machine: `x86_64` or `aarch64`.
        pythons: the versions of the system's Python to serve.
        key: the file with the builder's key, to sign the release in it: for `loto update`; dpkg
            asks nobody.

    Raises:
        LotoError: no wheels, no such key, or dpkg-deb failed.
    """
    sign = bundle.signer(key, bundle.version_in(bundle.PROJECT)) if key is not None else None
    with tempfile.TemporaryDirectory(prefix="loto-deb-") as folder:
        project, tree = Path(folder, "project"), Path(folder, "tree")
        for path in own_files(bundle.PROJECT):
            if path.suffix != ".whl" or path.parent.name != "wheels":
                copy_file(path, project / path.relative_to(bundle.PROJECT))
        wheels = project / "setup" / "wheels"
        wheels.mkdir(parents=True)
        for python in pythons:
            bundle.fetch(
                bundle.Target(machine, python),
                wheels,
                bundle.PROJECT / "setup" / "requirements.lock",
            )
        files = own_files(project)
        release = f"{HOME}/releases/{name_of(project, files)}"
        for path in files:
            copy_file(path, tree / release.lstrip("/") / path.relative_to(project))
        listed = bundle.sums(project, files).encode()
        (tree / release.lstrip("/") / bundle.SUMS).write_bytes(listed)
        if sign is not None:
            (tree / release.lstrip("/") / SIGNATURE).write_bytes(sign(listed))
        version = bundle.version_in(bundle.PROJECT)
        scripts = {"preinst": PREINST, "postinst": POSTINST, "prerm": PRERM, "postrm": POSTRM}
        control = CONTROL.format(
            version=version,
            architecture=ARCHITECTURES[machine],
            kilobytes=sum(path.stat().st_size for path in files) // 1024 + 1,
        )
        debian = tree / "DEBIAN"
        debian.mkdir()
        (debian / "control").write_text(control, encoding="utf-8")
        for name, text in scripts.items():
            (debian / name).write_text(
                text.format(
                    program=PROGRAM, release=release, home=HOME, current=f"{HOME}/{CURRENT}"
                ),
                encoding="utf-8",
            )
            (debian / name).chmod(0o755)
        package = target / f"loto-station_{version}_{ARCHITECTURES[machine]}.deb"
        unfinished = target / f".{package.name}.new"
        target.mkdir(parents=True, exist_ok=True)
        for path in tree.rglob("*"):
            if path.is_dir():
                path.chmod(0o755)
        # dpkg-deb gives every file this time at most, and its archive too.
        same = ("env", f"SOURCE_DATE_EPOCH={bundle.build_time()}")
        # Wheels are packed already: a small Pi would unpack xz for minutes, to gain a tenth.
        how = ("--root-owner-group", "-Zgzip", "-z1", "--build", str(tree), str(unfinished))
        try:
            run_command((*same, "dpkg-deb", *how))
            unfinished.replace(package)
        finally:
            unfinished.unlink(missing_ok=True)
    return package


def main() -> int:
    """Make the package that was asked for."""
    parser = argparse.ArgumentParser(description="Makes the Debian package of the station.")
    parser.add_argument("target", type=Path, help="folder to put it into")
    parser.add_argument(
        "--machine",
        choices=ARCHITECTURES,
        default=platform.machine(),
        help="this machine's kind by default",
    )
    parser.add_argument(
        "--python", action="append", help="versions of Python to serve; 3.11 and 3.13 by default"
    )
    parser.add_argument("--key", type=Path, help="the builder's key, to sign it (loto bundle key)")
    asked = parser.parse_args()
    try:
        package = make(asked.target, asked.machine, asked.python or bundle.PYTHONS, asked.key)
    except (LotoError, subprocess.SubprocessError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{package}: {package.stat().st_size >> 20} MB, SHA-256 {bundle.digest_of(package)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
