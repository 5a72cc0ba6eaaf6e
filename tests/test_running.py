"""`loto test`: which parts it runs and in which order, which tests a room's name chooses, and where
it stops."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from station.base.errors import EXIT_DONE, EXIT_NO, LotoError, Unreadable
from station.commands.app import app
from tests import running as testing
from tests.running import AT_HOME, BY_FILE, CHECKS, FAST, FAST_ROOMS, OWN, TESTS, parts, run

PROJECT = Path(__file__).resolve().parents[1]
QUICK = [*TESTS, *BY_FILE, *FAST]
NO_PART_FAILS = dict.fromkeys(("style", "format", "layers", "types", "tests", "drills"), 0)


def test_nothing_named_is_everything():
    """The checks that take seconds first, then every test that makes no machine and is not long,
    and alone on this one the drills."""
    assert list(parts([])) == ["style", "format", "layers", "types", "tests", "drills"]
    assert parts([])["tests"] == [*TESTS, *AT_HOME]


@pytest.mark.parametrize("marks", [*product((False, True), repeat=2)])
def test_every_test_has_its_command(marks):
    """Whatever its markers are, exactly one of three commands runs it. CI runs two of them on each
    change, and the papers say when to run `long`."""
    carried = dict(zip(OWN, marks, strict=True))
    whole = [parts(argv)["tests"] for argv in ([], *([name] for name in OWN))]
    for words in whole:
        assert words[: len(TESTS)] == TESTS
        assert words[len(TESTS)] == "-m"
        assert len(words) == len(TESTS) + 2  # no folder is chosen, and none is left out
    chosen = [words[-1] for words in whole if eval(words[-1], {}, carried)]  # noqa: S307 - ours
    assert len(chosen) == 1
    lines = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("./loto test 2>&1", "./loto test root "):
        assert f"CI=true {command}" in lines
    assert "run `long` before a release" in (PROJECT / "CONTRIBUTING.md").read_text("utf-8")


def test_a_marker_chooses_in_all_rooms_or_in_those_that_are_named():
    """Whichever is said first; what follows is pytest's."""
    assert parts(["long", "-k", "page"]) == {"tests": [*TESTS, *OWN["long"], "-k", "page"]}
    of_web = {"tests": [*TESTS, *OWN["long"], "tests/screens/web", "station/screens/web", "-x"]}
    assert parts(["long", "screens/web", "-x"]) == parts(["screens/web", "long", "-x"]) == of_web


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["rules"], ["tests/rules", "station/rules"]),
        (["drivers"], ["tests/drivers", "drivers"]),
        (["screens/web"], ["tests/screens/web", "station/screens/web"]),
        (["night/", "base"], ["tests/night", "station/night", "tests/base", "station/base"]),
        (["attack"], ["tests/attack"]),
        (["tests/root"], ["tests/root"]),
        # No tests of its own: those of the room around it.
        (["drivers/voice"], ["tests/drivers/voice", "drivers/voice"]),
        (["machine/setup"], ["tests/machine", "station/machine/setup"]),
        # What pytest takes, it is given.
        (["-k", "journal"], ["-k", "journal"]),
        (["rules", "-k", "night"], ["tests/rules", "station/rules", "-k", "night"]),
        (["tests/rules"], ["tests/rules"]),
        (["tests/test_programs.py::test_one", "-x"], ["tests/test_programs.py::test_one", "-x"]),
    ],
)
def test_rooms_choose_their_tests_and_nothing_else(argv, words):
    """Folders alone are handed over, so that nothing else is collected; the rest of the line is
    pytest's; no check is run."""
    assert parts(argv) == {"tests": [*TESTS, *words]}


@pytest.mark.parametrize("name", ["fly", "rules/fly", "rules/games", "test_structure.py"])
def test_a_name_without_tests_is_told_the_names_there_are(name):
    """One sentence, with every room; nothing is run."""
    with pytest.raises(Unreadable, match=r"attack, base, .*, screens, .*wire"):
        parts([name])


def test_every_room_has_its_name():
    """Each folder of tests, and each room of the house that has tests, is chosen by its name."""
    for path in (PROJECT / "tests").rglob("test_*.py"):
        folder = path.parent.relative_to(PROJECT / "tests")
        if folder.parts and str(folder) not in OWN:
            assert parts([str(folder)])["tests"][len(TESTS)] == str(
                path.parent.relative_to(PROJECT)
            )


def test_fast_is_the_bottom_of_the_house():
    """The checks without types, then the rooms that know no clock and no disk, without what is
    long; no drills."""
    fast = parts([], fast=True)
    assert list(fast) == ["style", "format", "layers", "tests"]
    assert fast["tests"][: len(QUICK)] == QUICK
    assert "not long" in FAST
    assert {
        "tests/rules",
        "station/rules",
        "tests/test_structure.py",
    } < set(fast["tests"])
    assert all((PROJECT / word).exists() for word in fast["tests"][len(QUICK) :])
    assert parts(["rules"], fast=True) == {"tests": [*QUICK, "tests/rules", "station/rules"]}


def test_what_is_pure_is_fast():
    """The rooms of the centre, as the layer contract has them, are in it; paper has whole books
    to print, and is not."""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (centre,) = (
        contract["source_modules"]
        for contract in contracts
        if contract["name"].startswith("The centre")
    )
    assert {room.removeprefix("station.") for room in centre} - {"paper"} <= set(FAST_ROOMS)


class Marked(str):
    """A test, named by its markers."""

    def get_closest_marker(self, name):
        return name if name in self.split() else None

    def add_marker(self, mark):
        assert mark.name == "skip"  # where the group cannot run on this machine


def test_what_takes_long_begins_first(request):
    """First what makes machines, then what is long, then all else, each in the order it had."""
    plugins = request.config.pluginmanager.get_plugins()
    (house,) = (
        plugin
        for plugin in plugins
        if getattr(plugin, "__file__", None) == str(PROJECT / "tests" / "conftest.py")
    )
    items = [
        Marked(marks) for marks in ("one", "long one", "root one", "two", "root two", "long two")
    ]
    house.pytest_collection_modifyitems(request.config, items)
    assert items == ["root one", "root two", "long one", "long two", "one", "two"]


def test_the_line_is_taken_apart_by_the_command(monkeypatch):
    """The options may stand anywhere; the order of all else, and options that only pytest knows,
    are kept."""
    typed = []
    monkeypatch.setattr(
        testing, "run", lambda argv, **options: typed.append((argv, options)) or EXIT_DONE
    )
    assert (
        CliRunner()
        .invoke(app, ["test", "night", "--fast", "-k", "rules", "--maxfail=1", "--no-skip"])
        .exit_code
        == EXIT_DONE
    )
    assert typed == [(["night", "-k", "rules", "--maxfail=1"], {"fast": True, "no_skip": True})]


@pytest.fixture
def machine(monkeypatch):
    """Runs no part, but gives the exit codes it is told to have, and remembers which were asked
    for."""
    codes, ran = dict(NO_PART_FAILS), []

    def timed(name, command, environ, *, at_once=False):
        ran.append((name, environ.get("CI"), at_once))
        return codes[name], 1.0

    monkeypatch.setattr(testing, "timed", timed)
    monkeypatch.delenv("CI", raising=False)
    return codes, ran


def test_all_parts_that_pass_are_done(machine, capsys):
    """Each is run once, the checks beside each other, with CI=true where no test may be skipped,
    and listed with its time."""
    _, ran = machine
    assert run([], no_skip=True) == EXIT_DONE
    assert sorted(ran[: len(CHECKS)]) == sorted((name, "true", True) for name in CHECKS)
    assert ran[len(CHECKS) :] == [("tests", "true", False), ("drills", "true", False)]
    assert capsys.readouterr().out.split() == [
        word for name in NO_PART_FAILS for word in (name, "passed", "1.0", "s")
    ]


@pytest.mark.parametrize("check", CHECKS)
def test_where_a_check_fails_no_test_is_run(machine, capsys, check):
    """All of the checks say what they have to say; what comes behind them is told as not run."""
    codes, ran = machine
    codes[check] = 1
    assert run([]) == EXIT_NO
    assert sorted(ran) == sorted((name, None, True) for name in CHECKS)
    assert capsys.readouterr().out.endswith("tests   not run\ndrills  not run\n")


def test_drills_are_done_where_a_test_fails(machine):
    """What they find is news, too."""
    codes, ran = machine
    codes["tests"] = 1
    assert run([]) == EXIT_NO
    assert ran[-1] == ("drills", None, False)


def test_no_checkout_has_no_tests(machine, monkeypatch, tmp_path):
    """An installed station says so."""
    monkeypatch.setattr("station.machine.bundle.PROJECT", tmp_path)
    done = CliRunner().invoke(app, ["test"])
    assert isinstance(done.exception, LotoError)
    assert f"the tests come with the checkout, and {tmp_path} is not one" in str(done.exception)
    assert machine[1] == []
