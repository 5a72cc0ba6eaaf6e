"""Modules that are loaded at their first use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from station.base.later import later


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that writes down each time it is loaded, and a module that is broken."""
    heard = tmp_path / "heard"
    (tmp_path / "loud_module.py").write_text(
        f"with open({str(heard)!r}, 'a') as file: n = file.write('loaded ')\nCARDS = 24\n"
    )
    (tmp_path / "broken_module.py").write_text("raise ValueError('it is broken')\n")
    heard.touch()
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("loud_module", "broken_module"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return heard


def test_a_module_is_loaded_at_its_first_use_and_once(written: Path) -> None:
    """Not by the import."""
    with later():
        import loud_module
    assert written.read_text() == ""
    assert (loud_module.CARDS, loud_module.CARDS) == (24, 24)
    assert written.read_text() == "loaded "


def test_a_name_out_of_a_module_is_a_use_of_it(written: Path) -> None:
    """Elsewhere, too, where imports do not wait; and it is the same module."""
    with later():
        import loud_module
    from loud_module import CARDS

    assert (CARDS, written.read_text()) == (24, "loaded ")
    assert sys.modules["loud_module"] is loud_module


def test_after_it_modules_are_loaded_as_ever(written: Path) -> None:
    """It ends with its block, also when that fails; a fault in a module shows at its first use."""
    with later():
        import broken_module
    with pytest.raises(ValueError, match="it is broken"):
        _ = broken_module.CARDS
    with pytest.raises(ModuleNotFoundError), later():
        import no_such_module  # noqa: F401
    import loud_module

    assert written.read_text() == "loaded "
    assert loud_module.CARDS == 24
