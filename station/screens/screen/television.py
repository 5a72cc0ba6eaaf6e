"""Place the picture on a television: smaller where it crops its edges, turned where it hangs
upright, on the display that the hall chose."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pygame

from station.screens.screen.layout import Box

CONNECTORS = Path("/sys/class/drm")
INSET = "[screen] inset"  # the setting, for a television that crops
SECOND_INSET = "[screen.second] inset"


@dataclass(frozen=True, slots=True)
class Placing:
    """How the picture is placed on a television.

    Attributes:
        inset: what stays dark at each edge, in per cent of the width and of the height: 0 to 10.
        rotate: degrees by which the picture is turned clockwise: 0, 90, 180 or 270.
    """

    inset: float = 0
    rotate: int = 0

    def area(self, screen: tuple[int, int]) -> Box:
        """Return the part of the screen that has the picture.

        >>> Placing(inset=5).area((1920, 1080))
        Box(x=96, y=54, w=1728, h=972)
        """
        wide, high = screen
        left, top = (math.ceil(self.inset * side / 100) for side in screen)
        return Box(left, top, max(1, wide - 2 * left), max(1, high - 2 * top))

    def picture(self, screen: tuple[int, int]) -> tuple[int, int]:
        """Return the size of the picture before it is turned.

        >>> Placing(rotate=90).picture((1920, 1080))
        (1080, 1920)
        """
        area = self.area(screen)
        return (area.h, area.w) if self.rotate in (90, 270) else (area.w, area.h)

    def place(self, part: Box, screen: tuple[int, int]) -> Box:
        """Return where a part of the picture is on the screen.

        >>> Placing(rotate=90).place(Box(0, 0, 100, 10), (1920, 1080))
        Box(x=1910, y=0, w=10, h=100)
        """
        area = self.area(screen)
        turned = {
            0: Box(part.x, part.y, part.w, part.h),
            90: Box(area.w - part.bottom, part.x, part.h, part.w),
            180: Box(area.w - part.right, area.h - part.bottom, part.w, part.h),
            270: Box(part.y, area.h - part.right, part.h, part.w),
        }[self.rotate]
        return turned._replace(x=area.x + turned.x, y=area.y + turned.y)

    def show(
        self, picture: pygame.Surface, parts: Iterable[pygame.Rect], screen: pygame.Surface
    ) -> list[pygame.Rect]:
        """Copy these parts of the picture to the screen; return where they are there."""
        placed = []
        for part in parts:
            box = self.place(Box(*part), screen.get_size())
            turned = pygame.transform.rotate(picture.subsurface(part), -self.rotate)
            screen.blit(turned, box[:2])
            placed.append(pygame.Rect(box))
        return placed


AS_IT_IS = Placing()


@dataclass(frozen=True, slots=True)
class HallDisplay:
    """A television that shows the board.

    Attributes:
        display: a number from 1, or a connector's name; empty: the first display.
        placing: how the picture is placed on it.
        setting: the setting for a television that crops, as the test frame names it.
    """

    display: str = ""
    placing: Placing = AS_IT_IS
    setting: str = INSET


def connected(folder: Path = CONNECTORS) -> tuple[str, ...]:
    """Return the connectors that have a display now, in the order of the graphics driver."""
    return tuple(name for name in _connectors(folder) if _status(folder / name) == "connected")


def display_name(number: int, folder: Path = CONNECTORS) -> str:
    """Return the name of a display as people find it on the computer: "HDMI-2", or its number.

    Args:
        number: from 0, as SDL counts the displays.
    """
    there = connected(folder)
    return _plain(there[number].partition("-")[2]) if number < len(there) else str(number + 1)


def display_index(wanted: str, folder: Path = CONNECTORS) -> int | None:
    """Return which display is meant: a number from 1, or the name of a connector, "HDMI-2".

    Without a desktop the displays are the connected ones, in the order of the graphics driver.
    None: there is no such display now.
    """
    if wanted.isdecimal():
        return int(wanted) - 1
    names = [_plain(name.partition("-")[2]) for name in connected(folder)]
    return names.index(_plain(wanted)) if _plain(wanted) in names else None


def _connectors(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    found = [one for one in folder.iterdir() if one.name.startswith("card") and "-" in one.name]
    return [one.name for one in sorted(found, key=_order)]


def _order(connector: Path) -> tuple[str, int, str]:
    try:
        number = int((connector / "connector_id").read_text("ascii"))
    except (OSError, ValueError):
        number = 0  # an older kernel: by name
    return connector.name.partition("-")[0], number, connector.name


def _status(connector: Path) -> str:
    try:
        return (connector / "status").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _plain(name: str) -> str:
    """Return a connector's name as people write it: the kernel's HDMI-A-2 is HDMI-2."""
    return name.upper().replace("HDMI-A-", "HDMI-")
