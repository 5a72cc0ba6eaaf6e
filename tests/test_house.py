"""The house keeps its size and its order, as `benchmarks/house.py` counts them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.house import counted

PROJECT = Path(__file__).resolve().parent.parent
MOST = {
    "rooms": 21,
    "arrows": 120,
    "modules": 380,
    "questions about the kind of a game": 11,  # 15 is the most that was promised
    "Any in the contract of games": 0,
}
LONGEST_MODULE = 650  # lines


def test_the_house_keeps_its_limits() -> None:
    """No import leads up or in a circle, and no module exceeds the limit."""
    found = counted(PROJECT)
    over = {what: found[what] for what, most in MOST.items() if int(found[what]) > most}
    assert over == {}
    assert found["back up, by imports and paths"] == 0
    assert found["circles"] == 0
    assert int(str(found["longest module"]).partition(" ")[0]) <= LONGEST_MODULE


def test_faults_of_a_house_are_counted(tmp_path: Path) -> None:
    """Found: an upward import inside a function, an upward path, a circle, and questions about the
    kind of a game outside the night."""
    (tmp_path / "pyproject.toml").write_text(
        """[[tool.importlinter.contracts]]
layers = ["commands", "night", "base"]
"""
    )
    (tmp_path / "drivers").mkdir()
    sources = {
        "base/first.py": "from station.base.second import B\nFOLDER = HERE / 'commands'\n",
        "base/second.py": "def late():\n    from station.base.first import A\n",
        "base/third.py": "def late():\n    from station.night.hall import Hall\n",
        "night/hall.py": "asks = hall.at_table\n",
        "commands/app.py": "asks = hall.at_table, plan.next_at_table\n",
    }
    for name, text in sources.items():
        file = tmp_path / "station" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    found = counted(tmp_path)
    assert found["rooms"] == 4
    assert found["back up, by imports and paths"] == (
        "station.base.first -> commands/; base -> night"
    )
    assert found["circles"] == "station.base.first station.base.second"
    assert found["questions about the kind of a game"] == 2
    assert found["modules that ask them"] == 1
