"""Which station a command means, and how the program is called where it runs."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from station.base.terminal import TYPED, Terminal
from station.orders import tools
from station.orders.tools import Where
from station.settings.places import INSTALLED, SYSTEM_STATE


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No service, no checkout, a home of one's own."""
    for name in ("STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tools, "CHECKOUT", tmp_path / "lib")


def test_a_checkout_keeps_its_nights_beside_it(tmp_path: Path) -> None:
    """Unless another folder is given, or a service has one."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "pyproject.toml").touch()
    assert Where().state_folder == tmp_path / "lib" / "var"
    assert Where(tmp_path / "mine").state_folder == tmp_path / "mine"


def test_an_installed_station_has_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release below /opt; a service is told its folder by systemd."""
    monkeypatch.setattr(tools, "CHECKOUT", INSTALLED / "releases" / "1" / ".venv" / "lib")
    assert Where().state_folder == SYSTEM_STATE
    monkeypatch.setenv("STATE_DIRECTORY", "/somewhere/else")
    assert Where().state_folder == Path("/somewhere/else")


def test_a_package_of_pip_has_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who has no rights on the machine has a station all the same."""
    assert Where().state_folder == tmp_path / "home" / ".local" / "share" / "loto-station"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert Where().state_folder == tmp_path / "data" / "loto-station"


def test_sentences_name_the_program_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a checkout ./loto, elsewhere loto."""
    for program in (TYPED, "loto"):
        monkeypatch.setattr(Terminal, "program", program)
        said = io.StringIO()
        Terminal(file=said).print("see ./loto watch")
        assert said.getvalue() == f"see {program} watch\n"
