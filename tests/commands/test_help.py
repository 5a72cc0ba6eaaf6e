"""The help by purpose, and the script by which a shell completes."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
import typer.main

from station.base.errors import EXIT_DONE
from station.commands.app import app
from station.commands.grouped import EXIT_CODES, GROUPS
from tests.commands.test_app import Loto, loto

__all__ = ["loto"]


def test_every_command_stands_in_one_group() -> None:
    """Once, and nothing stands there that is no command."""
    grouped = [name for names in GROUPS.values() for name in names.split()]
    tree: Any = typer.main.get_command(app)
    assert sorted(grouped) == sorted(tree.commands)


def test_the_help_is_by_purpose_and_has_the_exit_codes(loto: Loto) -> None:
    """No line is cut, and no sentence ends in the middle."""
    told = loto("--help").out
    assert [title for title in GROUPS if f"{title}:\n" not in told] == []
    assert "..." not in told.partition("COMMAND [ARGS]...")[2]
    assert all(text.split(";")[0] in " ".join(told.split()) for text in EXIT_CODES.values())


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
