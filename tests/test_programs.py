"""A fresh machine has what the tests start: every program is of a package that `.ci/run` adds, or
of every Debian."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import GROUPS
from tests.programs import BARE, CI, LOOKED_FOR, allowed, forgotten, needs

TESTS = Path(__file__).parent


def test_a_program_of_no_listed_package_is_not_started(tmp_path: Path) -> None:
    """A test that starts one fails here, too, though the machine has the program; and names the
    list."""
    (tmp_path / "run").write_text("needs=(\n    git:git\n)\n")
    (tmp_path / "git.list").write_text("/usr/bin/git\n")
    (tmp_path / "coreutils.list").write_text("/bin/true\n")
    (tmp_path / "elsewhere.list").write_text("/usr/bin/env\n")
    among = allowed(tmp_path / "run", tmp_path)
    assert among == {"/usr/bin/git", "/usr/bin/true", *LOOKED_FOR}
    assert forgotten("true", among=among) == forgotten("/bin/true", among=among) == ""
    assert forgotten("no-such-program", among=among) == ""
    assert ".ci/run" in forgotten("env", among=among)


def test_whoever_starts_a_forgotten_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard stands before every process that a test starts, by whatever way."""
    monkeypatch.setattr("tests.programs.allowed", lambda: frozenset({"/usr/bin/true"}))
    subprocess.run(["true"], check=True)
    with pytest.raises(pytest.fail.Exception, match="env"):
        subprocess.run(["env"], check=True)


def test_what_ci_looks_for_is_of_the_package_that_it_adds() -> None:
    """Where a package of the list is installed, its program is really its own."""
    listed = needs(CI.read_text())
    assert listed["udevadm"] == "udev"
    for program, package in listed.items():
        owned = Path(f"/var/lib/dpkg/info/{package}.list")
        # its program is a link of python3-minimal
        if owned.is_file() and ".so" not in program and package != "python3":
            assert re.search(rf"bin/{re.escape(program)}$", owned.read_text(), re.MULTILINE), (
                program,
                package,
            )


def test_what_a_group_of_tests_asks_for_is_added() -> None:
    """The line that enables a group names packages of the list and no others."""
    listed = {*needs(CI.read_text()).values()}
    for group in GROUPS.values():
        for words in re.findall(r"apt-get install ([a-z0-9 -]+)", group.enable):
            assert {word for word in words.split() if word != "-m"} <= listed | BARE


SCRIPTS = [
    (path.name, target.id, node.value.value)
    for path in sorted(TESTS.rglob("*.py"))
    if "ENTER" in (text := path.read_text(encoding="utf-8"))
    for node in ast.walk(ast.parse(text))
    if isinstance(node, ast.Assign)
    and isinstance(node.value, ast.Constant)
    and isinstance(node.value.value, str)
    for target in node.targets
    if isinstance(target, ast.Name) and target.id == "ENTER"
]


@pytest.mark.parametrize(("file", "name", "script"), SCRIPTS)
def test_a_script_that_enters_a_machine_starts_nothing_else(
    file: str, name: str, script: str
) -> None:
    """What the shell starts is not seen by the guard: its first words are looked at."""
    for word in re.findall(r"^(?:exec )?([a-z][\w.-]*)(?= )", script, re.MULTILINE):
        assert forgotten(word) == "", (file, name)


def test_there_are_scripts_to_look_at() -> None:
    """The test above reads more than nothing."""
    assert len(SCRIPTS) >= 3
