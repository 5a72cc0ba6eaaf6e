"""Two televisions at one computer: the same board on both, each in its own place; one may be
missing, or come later."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from station.screens.screen.app import Painter, Screen, Window
from station.screens.screen.scene import DISPLAY, SETTING
from station.screens.screen.television import SECOND_INSET, HallDisplay, Placing
from tests.screens.screen.boards import board
from tests.screens.screen.test_television import LABELS, Feed, pixels

PROJECT = Path(__file__).resolve().parents[3]
SIZE = (640, 360)
TURNED = Placing(inset=5, rotate=90)
TWO = (HallDisplay("HDMI-1"), HallDisplay("HDMI-2", TURNED, SECOND_INSET))
NUMBERS = (33, 7, 81, 54)


class Hall:
    """A computer with outputs into which people plug televisions, and a screen that runs there."""

    def __init__(self, *plugged: str, televisions: tuple[HallDisplay, ...] = TWO) -> None:
        self.now, self.plugged = 0.0, list(plugged)
        self.feed = Feed(board(called=NUMBERS[:1]))
        self.window = Window(
            SIZE, True, lambda: self.now, televisions, lambda: tuple(self.plugged), self.find
        )
        self.screen = Screen(self.feed, self.window, lambda: self.now)  # type: ignore[arg-type]

    def find(self, display: str) -> int | None:
        wanted = display or "HDMI-1"
        return self.plugged.index(wanted) if wanted in self.plugged else None

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.screen.step(0)

    @property
    def displays(self) -> list[str]:
        return [one.television.display for one in self.window.shown()]


@pytest.fixture(autouse=True)
def after() -> Iterator[None]:
    yield
    pygame.display.quit()


def painted(television: HallDisplay, view: object, name: str = "") -> object:
    """The television with this view, painted whole."""
    labels = {**LABELS, SETTING: television.setting, DISPLAY: name}
    surface = pygame.Surface(SIZE)
    picture = pygame.Surface(television.placing.picture(SIZE))
    painter = Painter(picture.get_size(), labels)
    television.placing.show(picture, painter.paint(picture, view, False, whole=True), surface)
    return pixels(surface)


@pytest.mark.parametrize("frame", [False, True])
def test_each_has_its_own_inset_and_rotation(frame: bool) -> None:
    """View after view: each picture is what the last view gives there alone; the test frame names
    the display, and the setting that moves its edges."""
    hall = Hall("HDMI-1", "HDMI-2")
    for count in range(1, len(NUMBERS) + 1):
        hall.feed.view = board(called=NUMBERS[:count], frame=frame)
        hall.screen.step(0)
    first, second = hall.window.shown()
    assert first.name != second.name
    for one in (first, second):
        expected = painted(one.television, hall.feed.view, one.name)
        assert (pixels(one.surface) == expected).all()
    hall.window.close()


def test_one_alone_shows_no_name() -> None:
    """Nobody has to tell it from another."""
    hall = Hall("HDMI-1", televisions=(HallDisplay(),))
    hall.feed.view = board(frame=True)
    hall.screen.step(0)
    [one] = hall.window.shown()
    assert (pixels(one.surface) == painted(HallDisplay(), hall.feed.view)).all()


@pytest.mark.parametrize("left", ["HDMI-1", "HDMI-2"])
def test_one_that_is_unplugged_leaves_the_other(
    left: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whichever it is: the other one has the whole board, in its own place; when it is plugged in
    again, both have it."""
    hall = Hall("HDMI-1", "HDMI-2")
    hall.screen.step(0)
    assert hall.displays == ["HDMI-1", "HDMI-2"]
    hall.plugged = [left]
    hall.pass_time(11)
    assert hall.displays == [left]
    [one] = hall.window.shown()
    assert (pixels(one.surface) == painted(one.television, hall.feed.view)).all()
    assert "it has no board" in caplog.text
    hall.plugged = ["HDMI-1", "HDMI-2"]
    hall.pass_time(11)
    assert hall.displays == ["HDMI-1", "HDMI-2"]
    hall.window.close()


def test_none_of_them_is_there() -> None:
    """The hall sees the board on any display rather than on none."""
    hall = Hall("DP-1")
    hall.screen.step(0)
    assert hall.displays == ["HDMI-1"]


def test_two_names_of_one_display_are_one_board(caplog: pytest.LogCaptureFixture) -> None:
    """A second window would hide the first."""
    hall = Hall("HDMI-1", televisions=(HallDisplay(), HallDisplay("HDMI-1", TURNED)))
    hall.screen.step(0)
    assert hall.displays == [""]
    assert "has the board already" in caplog.text


def test_displays_are_counted_seldom() -> None:
    """Every ten seconds, and never for one television alone."""
    hall, alone = Hall("HDMI-1", "HDMI-2"), Hall("HDMI-1", televisions=(HallDisplay(),))
    hall.screen.step(0)
    hall.plugged = ["HDMI-1"]
    hall.pass_time(5)
    assert hall.displays == ["HDMI-1", "HDMI-2"]
    hall.window.close()
    alone.screen.step(0)
    alone.plugged = []
    alone.pass_time(60)
    assert alone.displays == [""]


XORG = """Section "Device"
 Identifier "device"
 Driver "dummy"
 VideoRam 256000
EndSection
Section "Screen"
 Identifier "screen"
 Device "device"
 DefaultDepth 24
 SubSection "Display"
  Depth 24
  Virtual 3840 1080
 EndSubSection
EndSection
"""
SECOND = "38.25 800 832 912 1024 600 603 607 624"  # a mode of 800 x 600
SHOWN = """
import json
from station.screens.screen.app import Window, choose_video
from station.screens.screen.television import HallDisplay
choose_video()
window = Window(None, False, televisions=[HallDisplay("1"), HallDisplay("2")])
told = [(one.surface.get_size(), one.window and one.window.position) for one in window.shown()]
print("shown", json.dumps(told))
window.close()
"""


@pytest.mark.long
def test_two_outputs_of_an_x_server(tmp_path: Path) -> None:
    """Each is filled by its own window."""
    if shutil.which("Xorg") is None or shutil.which("xrandr") is None:
        pytest.skip(
            "to run it, type: sudo apt-get install xserver-xorg-core xserver-xorg-video-dummy"
            " x11-xserver-utils"
        )
    (tmp_path / "xorg.conf").write_text(XORG)
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [
            *("Xorg", "-displayfd", str(writing), "-config", str(tmp_path / "xorg.conf")),
            *("-noreset", "-nolisten", "tcp", "-logfile", str(tmp_path / "log")),
        ],
        pass_fds=(writing,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            display = number.readline().strip()
        if not display:
            pytest.skip("this machine starts no X server")
        environ = {**os.environ, "DISPLAY": f":{display}", "PYTHONPATH": str(PROJECT)}
        environ.pop("SDL_VIDEODRIVER", None)
        for words in (
            ("--newmode", "small", *SECOND.split()),
            ("--addmode", "DUMMY1", "small"),
            ("--output", "DUMMY1", "--mode", "small", "--right-of", "DUMMY0"),
            ("--query",),  # has the server look what is plugged in
        ):
            subprocess.run(
                ["xrandr", *words], env=environ, check=True, timeout=60, capture_output=True
            )
        done = subprocess.run(
            [sys.executable, "-c", SHOWN],
            env=environ,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        [told] = [line for line in done.stdout.splitlines() if line.startswith("shown")]
        assert json.loads(told.removeprefix("shown")) == [
            [[1024, 768], None],
            [[800, 600], [1024, 0]],
        ]
    finally:
        server.terminate()
        server.wait(60)


def test_the_test_frame_names_the_display_and_its_setting() -> None:
    """Another name, and another setting, is another picture."""
    view, second = board(frame=True), TWO[1]
    named = painted(second, view, "HDMI-2")
    for other in (painted(second, view, "HDMI-1"), painted(second, view)):
        assert (named != other).any()  # type: ignore[attr-defined]
    first = painted(HallDisplay("HDMI-2", TURNED), view, "HDMI-2")
    assert (named != first).any()  # type: ignore[attr-defined]
