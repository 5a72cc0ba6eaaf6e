"""Install packages as pip does, and make Python environments in which a hall has allowed some."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping
from pathlib import Path

from station.settings.allowed import write_allowed

PROJECT = Path(__file__).parents[1]


def install(folder: Path, name: str, files: Mapping[str, str], declares: str = "") -> None:
    """Install a package into a folder of Python's path, as pip does: files, list, entry points."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    told = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (told / "RECORD").write_text("".join(f"{path},,\n" for path in files))
    if declares:
        (told / "entry_points.txt").write_text(f"[loto_station.drivers]\nown = {declares}\n")


class Environment:
    """A Python environment with the station in it and packages of a hall's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, symlinks=True)
        [self.packages] = folder.glob("lib/python*/site-packages")
        ours = [path for path in sys.path if path.endswith("site-packages")]
        (self.packages / "station.pth").write_text("\n".join([str(PROJECT), *ours]))

    def allow(self, names: Iterable[str]) -> None:
        """Allow packages, as `loto driver allow` does."""
        write_allowed(names, self.folder / "allowed-drivers")

    def loto(self, *words: str, **given: str) -> subprocess.CompletedProcess[str]:
        """Type a command."""
        environ = {**os.environ, "COLUMNS": "200", **given}
        program = [self.folder / "bin/python", "-P", "-m", "station", *words]
        return subprocess.run(
            program, env=environ, capture_output=True, text=True, timeout=120, check=False
        )
