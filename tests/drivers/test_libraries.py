"""What is said of a library that is missing helps in the situation that there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.given import PACKAGES, missing_library


@pytest.mark.parametrize("library", PACKAGES)
@pytest.mark.parametrize("suffix", [".py", ".cpython-311-aarch64-linux-gnu.so", ""])
def test_a_package_that_is_there_is_not_asked_for_again(
    tmp_path: Path, library: str, suffix: str
) -> None:
    """Without Debian's package it is named; with it, the command that lets the station see it."""
    missing = missing_library("the device", library, tmp_path)
    assert f"sudo apt-get install {PACKAGES[library]}" in missing
    (tmp_path / f"{library}{suffix}").touch()
    hidden = missing_library("the device", library, tmp_path)
    assert "apt-get" not in hidden
    assert "sudo loto install" in hidden
    assert "./loto" in hidden


def test_another_library_is_named(tmp_path: Path) -> None:
    """Debian has no package that the station knows."""
    (tmp_path / "panels.py").touch()
    assert "'panels': install it" in missing_library("the driver", "panels", tmp_path)
