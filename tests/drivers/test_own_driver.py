"""A driver of somebody's own, named in the settings by its module and class."""

import os
import re
import struct
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers import BadOption, BoardShown, Cavity, DeviceFound, DeviceLost, Pressed, Released
from drivers.making import DriverNotAllowed, make_driver
from station.base.errors import SettingsError
from station.machine.own_drivers import NEEDS
from station.settings.config import load_settings
from tests.drivers.board_reader import numbers
from tests.drivers.clockwork import HandClock, Inbox
from tests.packages import install

PROJECT = Path(__file__).resolve().parents[2]

OWN = "own_board:OwnBoard"
ALLOWED = ("own-board", "hall-panels", "hall-pads", "no-such-package")


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """The board of `own_board.py`, installed as a package that the hall allows."""
    code = Path(__file__).with_name("own_board.py").read_text(encoding="utf-8")
    install(tmp_path / "site", "own-board", {"own_board.py": code})
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


def test_it_is_made_with_its_options():
    """`package.module:Class` is made, opened and used as the station's own drivers are."""
    board, events = make_driver(OWN, ALLOWED, rows=16), Inbox()
    assert type(board).__name__ == "OwnBoard"
    board.open(events)
    board.show([Cavity(5), None], 7)
    assert events.next() == BoardShown(7, 0.0)
    board.close()
    assert (board.shown, board.running) == ([[5, None]], False)


@pytest.mark.parametrize(
    ("name", "options", "error", "says"),
    [
        ("own_board:NoBoard", {}, BadOption, "NoBoard"),
        (
            "no_such_package.board:Board",
            {},
            DriverNotAllowed,
            "no package that this station allows",
        ),
        (OWN, {"rows": 33}, BadOption, "rows 33"),
        (OWN, {"colour": "red"}, BadOption, "colour"),
        ("matrx", {}, BadOption, "your own as package.module:Class"),
        ("os:", {}, BadOption, "no driver is called 'os:'"),
        (":Board", {}, BadOption, "no driver is called ':Board'"),
        ("a b:Board", {}, BadOption, "no driver is called 'a b:Board'"),
    ],
)
def test_what_cannot_be_made(name, options, error, says):
    """A module, a class or an option that is not there is named, and so is what can be written
    instead."""
    with pytest.raises(error, match=says):
        make_driver(name, ALLOWED, **options)


def test_the_settings_take_it(tmp_path):
    """The settings accept it in place of a driver's name, with whatever options it has, and refuse
    what is no name at all."""
    file = tmp_path / "station.toml"
    file.write_text(f'[devices.matrix]\ndriver = "{OWN}"\nrows = 16\n')
    assert load_settings("button", file).devices["matrix"]["driver"] == OWN
    file.write_text('[devices.matrix]\ndriver = "hub 75"\n')
    with pytest.raises(
        SettingsError, match=r"driver is 'hub 75'; there are .*package\.module:Class"
    ):
        load_settings("button", file)


RGBMATRIX = '''
class RGBMatrixOptions:
    pass


class RGBMatrix:
    """A stand-in for the panels: remembers the pictures."""

    made = []

    def __init__(self, options):
        self.options, self.pictures, self.failing = options, [], False
        self.made.append(self)

    def SetImage(self, image):
        if self.failing:
            raise RuntimeError("the panels are gone")
        self.pictures.append(image.copy())

    def Clear(self):
        self.pictures.append(None)
'''


@pytest.fixture
def hub75(tmp_path, monkeypatch):
    """The driver of the document, installed as a package, and the stand-in for its library."""
    code = re.search(
        r"```python\n(.*?)```",
        (PROJECT / "docs" / "hub75.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )[1]
    install(tmp_path, "hall-panels", {"hall_panels/__init__.py": "", "hall_panels/hub75.py": code})
    (tmp_path / "rgbmatrix.py").write_text(RGBMATRIX, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return import_module("rgbmatrix").RGBMatrix


def test_the_driver_of_the_document_works(hub75):
    """What docs/hub75.md prints is a whole driver: it shows numbers, is lost and found, and leaves
    the panels dark."""
    board, events = (
        make_driver("hall_panels.hub75:Hub75", ALLOWED, brightness=30, refresh_s=0.01),
        Inbox(),
    )
    board.open(events)
    board.show([Cavity(42), Cavity(90, newest=True)], 1)
    assert events.next().token == 1
    (panels,) = hub75.made
    shown = panels.pictures[-1]
    assert (shown.mode, panels.options.chain_length, panels.options.brightness) == ("RGB", 2, 30)
    rows = [
        "".join("#" if any(shown.getpixel((x, y))) else "." for x in range(80)) for y in range(32)
    ]
    assert numbers(rows) == ([42, 90], 90)
    panels.failing = True
    assert isinstance(events.next(), DeviceLost)
    panels.failing = False
    assert isinstance(events.next(), DeviceFound)
    board.close()
    assert panels.pictures[-1] is None
    assert board.preview([Cavity(5)]).size == (972, 396)


@pytest.fixture
def printed(tmp_path):
    """The package of docs/drivers.md in a folder, with its test."""
    text = (PROJECT / "docs" / "drivers.md").read_text(encoding="utf-8")
    files = {
        "hall_pads/__init__.py": "",
        "hall_pads/arcade.py": "python",
        "test_pads.py": "python rig",
    }
    codes = {
        name: re.findall(rf"```{fence}\n(.*?)```", text, re.DOTALL)[0] if fence else ""
        for name, fence in files.items()
    }
    install(tmp_path, "hall-pads", codes)
    return tmp_path


def test_the_panel_keeps_our_promises(printed):
    """The test that the document prints passes, and fails of a panel that tells other buttons."""
    test = [sys.executable, "-m", "pytest", "-q", "-p", "no:schemathesis", printed / "test_pads.py"]
    environ = {**os.environ, "PYTHONPATH": f"{printed}:{PROJECT}"}
    done = subprocess.run(test, cwd=PROJECT, env=environ, check=False, capture_output=True)
    assert b"6 passed" in done.stdout
    panel = printed / "hall_pads" / "arcade.py"
    panel.write_text(panel.read_text("utf-8").replace("Contact(name,", "Contact('x',"), "utf-8")
    done = subprocess.run(test, cwd=PROJECT, env=environ, check=False, capture_output=True)
    assert b"failed" in done.stdout


@pytest.fixture
def arcade(printed, monkeypatch):
    """The driver of docs/drivers.md, installed as a package, over a pipe in the place of its
    panel."""
    monkeypatch.syspath_prepend(printed)
    panel = printed / "js0"
    os.mkfifo(panel)
    clock, inbox = HandClock(), Inbox()
    driver = make_driver(
        "hall_pads.arcade:Arcade",
        ALLOWED,
        device=str(panel),
        names={"0": "draw", "1": "claim"},
        clock=clock,
        sleeper=clock.sleeper,
    )
    keeper = os.open(panel, os.O_RDWR)  # the panel is there while nobody writes
    yield SimpleNamespace(driver=driver, clock=clock, inbox=inbox, keeper=keeper, panel=panel)
    driver.close()
    os.close(keeper)


def test_the_panel_of_the_document_works(arcade):
    """What docs/drivers.md prints is a whole driver: buttons of the panel are the station's; one
    that is held at the start is named; what is not mapped, and sticks, are nothing."""

    def tell(value, kind, number):
        os.write(arcade.keeper, struct.pack("IhBB", 7, value, kind, number))

    arcade.driver.open(arcade.inbox)
    tell(0, 0x81, 0)
    tell(1, 0x81, 1)
    lost = arcade.inbox.next()
    assert lost.device == "button claim"
    assert "button 1 of the panel" in lost.reason
    tell(32767, 0x02, 0)  # a stick
    tell(1, 0x01, 9)
    tell(1, 0x01, 0)
    assert arcade.inbox.next() == Pressed("draw", 1000)
    tell(0, 0x01, 0)
    assert arcade.inbox.next() == Released("draw", 0.0, 1000)
    assert import_module("hall_pads.arcade").Arcade.needs == ("input",)


def test_the_panel_is_lost_with_a_sentence(arcade):
    """Where there is none, its path is named."""
    arcade.driver.device = arcade.driver.where = "/nowhere/js0"
    arcade.driver.open(arcade.inbox)
    assert "the arcade does not answer on /nowhere/js0" in arcade.inbox.next().reason


@pytest.mark.parametrize("paper", ["hub75.md", "drivers.md"])
def test_what_the_papers_drivers_need_is_known(paper):
    """`install` takes it."""
    text = (PROJECT / "docs" / paper).read_text(encoding="utf-8")
    [needs] = re.findall(r'^    needs = \("(\w+)",\)$', text, re.MULTILINE)
    assert needs in NEEDS
    if paper == "drivers.md":
        assert all(f"`{need}`" in text for need in [*NEEDS, "network"])
