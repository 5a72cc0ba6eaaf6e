"""Drivers of a hall's own come from packages that it has allowed, and from nowhere else."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest

from drivers import BadOption, DriverError, making
from drivers.making import DriverNotAllowed, load_class, modules_of, package_of
from station.base.errors import Unreadable
from station.settings.allowed import (
    allowed_list,
    allowed_packages,
    came_from,
    make_driver,
    package_name,
    write_allowed,
)
from tests.packages import install

CODE = """
from pathlib import Path

from drivers import Driver
from drivers.sleeper import Turning

Path(__file__).with_suffix(".ran").touch()


class Panel(Driver):
    running = False

    def open(self, deliver):
        pass

    def close(self):
        pass


class Turner(Turning):
    pass


class Declared:
    pass


class Alien:
    pass


def function(**options):
    Path(__file__).with_suffix(".called").touch()


instance = Panel()
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages: `hall-panels` declares one class as a driver; a second package has the
    same code, and is not allowed; a module lies there that no package brings. Their modules are
    called anew for each test, for Python loads each name once."""
    number = next(NUMBERS)
    names = {one: f"{one}{number}" for one in MODULES}
    panels = names["hall_panels"]
    files = {f"{panels}/hub.py": CODE, f"{panels}/__init__.py": ""}
    install(tmp_path, "hall-panels", files, f"{panels}.hub:Declared")
    install(tmp_path, "other", {f"{names['other_panels']}.py": CODE})
    install(tmp_path, "liar", {"subprocess.py": "", "station/evil.py": "", "os/path.py": ""})
    install(tmp_path, "exits", {f"{names['exits']}.py": "raise SystemExit('bye')"})
    install(tmp_path, "torn", {f"{names['torn']}.py": "class Broken(:"})
    install(tmp_path, "lacks", {f"{names['lacks']}.py": "import no_such_library"})
    (tmp_path / f"{names['stray']}.py").write_text(CODE)
    monkeypatch.syspath_prepend(tmp_path)
    return Site(tmp_path, names)


class Site:
    """The folder, and how the modules there are called now."""

    def __init__(self, folder, names):
        self.folder, self._names = folder, names

    def name(self, driver):
        top = driver.partition(":")[0].partition(".")[0]
        return driver.replace(top, self._names.get(top, top), 1)

    def marks(self):
        """What the packages' code leaves behind where it runs."""
        return [*self.folder.rglob("*.ran"), *self.folder.rglob("*.called")]


MODULES = ("hall_panels", "other_panels", "stray", "exits", "torn", "lacks")
NUMBERS = itertools.count()
ALLOWED = ("hall-panels", "liar", "exits", "torn", "lacks", "not-installed", "../x", "")


@pytest.mark.parametrize("name", ["Panel", "Turner", "Declared"])
def test_a_driver_of_an_allowed_package_is_loaded(site, name):
    """Its class is a subclass of the contract, or its package declares it."""
    assert load_class(site.name(f"hall_panels.hub:{name}"), ALLOWED).__name__ == name


@pytest.mark.parametrize(
    "name",
    [
        *("subprocess:Popen", "this:x", "os:system", "builtins:exec", "runpy:run_path"),
        *(
            "pathlib:Path",
            "importlib:import_module",
            "code:interact",
            "ctypes:CDLL",
            "antigravity:x",
        ),
        *("station.base.system:System", "drivers.voice.process:run", "tests.support:run"),
        *("pygame:init", "numpy:load", "pip:main", "setuptools:setup", "station.evil:x"),
        *("other_panels:Panel", "stray:Panel", "no_such_package.board:Board"),
    ],
)
def test_no_other_callable_is_a_driver(site, name, capsys):
    """Neither Python's, nor ours, nor of a library, nor of a package that is not allowed, nor of a
    file that lies there. Nothing is imported for the refusal."""
    name = site.name(name)
    for refuse in (lambda: load_class(name, ALLOWED), lambda: making.make_driver(name, ALLOWED)):
        with pytest.raises(DriverNotAllowed, match="loto driver allow PACKAGE"):
            refuse()
    assert not site.marks()
    assert capsys.readouterr().out == ""  # `this` would print


@pytest.mark.parametrize("name", ["function", "instance", "Alien", "Path", "no_such_class"])
def test_an_allowed_package_has_more_than_drivers(site, name):
    """A function, an object, a class that declares nothing, an imported class: all refused."""
    with pytest.raises(BadOption, match=name):
        making.make_driver(site.name(f"hall_panels.hub:{name}"), ALLOWED)
    assert not [*site.folder.rglob("*.called")]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("exits:Panel", "fails while it is imported .SystemExit: bye"),
        ("torn:Panel", "fails while it is imported .SyntaxError"),
        ("lacks:Panel", "needs the library 'no_such_library'"),
    ],
)
def test_a_package_that_fails_is_told_in_a_sentence(site, name, says):
    """Whatever its module raises while it is imported."""
    with pytest.raises(DriverError, match=says):
        load_class(site.name(name), ALLOWED)


def test_the_package_is_found_without_its_code(site):
    """By the list of its files."""
    assert package_of(site.name("hall_panels.hub:Anything"), ALLOWED).name == "hall-panels"
    exits = site.name("exits:x")
    assert modules_of(package_of(exits, ALLOWED)) == {exits.removesuffix(":x")}
    assert not site.marks()
    assert came_from(site.name("hall_panels.hub:Panel"), ALLOWED) == "hall-panels 1.0"


@pytest.mark.parametrize(
    "name", ["", ":", "a:", ":b", "a b:c", "a:b.c", "a..b:c", "../a:b", "matrx"]
)
def test_a_name_of_another_form_is_none(site, name):
    """It names what can be written instead."""
    with pytest.raises(BadOption, match=r"package\.module:Class"):
        making.make_driver(name, ALLOWED)


# -- the list --------------------------------------------------------------------------------------


def test_the_list_belongs_to_the_program(tmp_path, monkeypatch, site):
    """Without it nothing is made; with it the allowed package's; forgotten, nothing again."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    assert allowed_list() == tmp_path / "environment/allowed-drivers"
    with pytest.raises(DriverNotAllowed):
        make_driver(site.name("hall_panels.hub:Panel"))
    write_allowed(["hall-panels"])
    assert allowed_packages() == ("hall-panels",)
    assert type(make_driver(site.name("hall_panels.hub:Panel"))).__name__ == "Panel"
    write_allowed([])
    with pytest.raises(DriverNotAllowed):
        make_driver(site.name("hall_panels.hub:Panel"))


def test_an_installed_station_has_one_list(monkeypatch):
    """Each release has an environment of its own, and all read the same list."""
    for prefix in ("/opt/loto-station/releases/0.3.0-1a2b/.venv", sys.base_prefix):
        monkeypatch.setattr(sys, "prefix", prefix)
        assert allowed_list() == Path("/etc/loto-station/allowed-drivers")


@pytest.mark.parametrize(
    "text",
    ["--index-url=x", "a b", "subprocess", "os", "../evil", "a;b", "é", "-", "a\0b", "a\n" * 101],
)
def test_a_list_with_anything_else_allows_nothing(tmp_path, monkeypatch, text, site):
    """It is named, with the line's words; the station's own drivers are made as before."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "allowed-drivers").write_text(text + "\n", encoding="utf-8")
    with pytest.raises(Unreadable, match="allowed-drivers: "):
        allowed_packages()
    with pytest.raises(DriverNotAllowed, match="allowed-drivers: "):
        make_driver(site.name("hall_panels.hub:Panel"))
    assert make_driver("lamps", pins={"draw": 17})


@pytest.mark.parametrize(
    "name", ["", "subprocess", "os", "-r", "a/b", "a==1", "a b", "x" * 101, "http://a", "a[b]"]
)
def test_a_package_is_named_as_pip_names_it(name):
    """No option, no version, no address, nothing of Python's own."""
    with pytest.raises(Unreadable):
        package_name(name)
