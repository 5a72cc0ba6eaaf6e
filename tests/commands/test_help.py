"""The help by purpose, and the script by which a shell completes."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer.main

from station.base.errors import EXIT_DONE, EXIT_USAGE
from station.commands.app import GROUPS, app
from station.commands.grouped import ABOUT, EXIT_CODES
from station.commands.options import Commands
from tests.commands.test_app import ALL, Loto, loto
from tests.commands.texts import about

__all__ = ["loto"]

ROOT = Path(__file__).parents[2]


def test_every_command_stands_in_one_group() -> None:
    """Once, and nothing stands there that is no command."""
    grouped = [name for names in GROUPS.values() for name in names]
    tree: Any = typer.main.get_command(app)
    assert sorted(grouped) == sorted(tree.commands)


def commands_of(module: Any) -> list[str]:
    """The names of what a module adds to the command line."""
    group = Commands()
    group.add_typer(module.commands)
    tree: Any = typer.main.get_group(group)
    return sorted(tree.commands)


def test_every_command_is_found_in_its_module() -> None:
    """The table by which modules are loaded names all commands of a module, and no other."""
    named: dict[Any, list[str]] = {}
    for name, module in sorted(one for group in GROUPS.values() for one in group.items()):
        named.setdefault(module, []).append(name)
    assert named == {module: commands_of(module) for module in named}


def test_what_the_help_says_of_a_command_is_what_the_command_says() -> None:
    """It is kept in a file, so that no module is loaded for it; `python -m tests.commands.texts`
    writes it."""
    assert json.loads(ABOUT.read_text("utf-8")) == about()


def test_the_help_is_by_purpose_and_has_the_exit_codes(loto: Loto) -> None:
    """No line is cut, and no sentence ends in the middle."""
    told = loto("--help").out
    assert [title for title in GROUPS if f"{title}:\n" not in told] == []
    assert "..." not in told.partition("COMMAND [ARGS]...")[2]
    assert all(text.split(";")[0] in " ".join(told.split()) for text in EXIT_CODES.values())


def test_every_command_speaks_to_programs_or_says_why_not() -> None:
    """Each takes `--json`, or stands in the table of those that do not; none stands there twice, or
    without need."""
    exempt = [
        name
        for row in re.findall(r"^\| (`.*`) \| .* \|$", told_of_programs(), re.M)
        for name in re.findall("`([^`]+)`", row)
    ]
    without = [
        " ".join(path)
        for path, command in ALL.items()
        if not any("--json" in one.opts for one in command.params)
    ]
    assert sorted(exempt) == sorted(without)


def told_of_programs() -> str:
    """The section of the contracts."""
    contracts = (ROOT / "docs" / "contracts.md").read_text("utf-8")
    return contracts.partition("## The command line for programs")[2].partition("\n## ")[0]


def test_what_is_made_is_told_to_programs(loto: Loto, tmp_path: Path) -> None:
    """The lines of a person, and what was made; nothing else stands on stdout."""
    target = tmp_path / "plate.pdf"
    made = json.loads(loto("print", "plate", "--out", target, "--json").out)
    said = f"{target} is ready. Print at real size (100 %), not fitted to the page."
    assert made == {"say": [said], "file": str(target)}
    cards = json.loads(loto("pack", "make", "--seed", "x", "--state", tmp_path, "--json").out)
    assert (cards["cards"], cards["seed"], len(cards["say"])) == (24, "x", 2)
    again = loto("pack", "make", "--state", tmp_path, "--json")
    assert (again.code, json.loads(again.out)["refused"]["reason"]) == (EXIT_USAGE, "settings")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (["loto", "peo"], {"people"}),
        (["loto", "people", "re"], {"rename", "revoke"}),
        (["loto", "--verbose", "clo"], {"close", "close-night"}),
        (["./loto", "pair", "--re"], {"--refuse"}),
        (["loto", "table", "move", "--st"], {"--state"}),
        (["loto", "sell", "0001", "--t"], {"--to", "--tickets"}),
    ],
)
def test_bash_completes(loto: Loto, typed: list[str], found: set[str]) -> None:
    """Commands, commands of a group, and options; words that are neither are passed over."""
    script = loto("completion").out
    words = " ".join(f"'{word}'" for word in typed)
    ask = f'COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}; _loto; echo "${{COMPREPLY[*]}}"'
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == found


def test_other_shells_have_a_script_too(loto: Loto) -> None:
    """The same words for zsh, one line a word for fish."""
    bash, zsh, fish = (loto("completion", shell).out for shell in ("bash", "zsh", "fish"))
    assert zsh.endswith(bash)
    assert "complete -c loto -n '__fish_seen_subcommand_from pair' -l refuse\n" in fish
    assert loto("completion", "bash").code == EXIT_DONE
