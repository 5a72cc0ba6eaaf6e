"""Fingers on buttons: when a press counts, and when it was a long one. Pure.

Where no button is called `off`, `next` is held to switch off. Its press counts when it comes up
then, so that a long press switches off and does nothing else; every other button counts with the
first edge.
"""

from __future__ import annotations

from collections.abc import Collection

from station.calling.button_meaning import kind_of


class Fingers:
    """What is down.

    Args:
        buttons: those there are, by their names.
    """

    def __init__(self, buttons: Collection[str]) -> None:
        self._off = "off" if any(kind_of(button) == "off" for button in buttons) else "next"
        self._down: set[str] = set()  # of the buttons that switch off when they are held
        self.shows: str | None = None  # the button that is held to see a number first

    def press(self, button: str) -> bool:
        """A button went down; gives whether it counts now."""
        if kind_of(button) != self._off:
            return True
        self._down.add(button)
        return self._off == "off"

    def release(self, button: str) -> bool:
        """A button came up; gives whether its press counts now."""
        if button not in self._down:
            return False
        self._down.remove(button)
        return self._off != "off"

    def hides(self, button: str) -> bool:
        """Whether it was the button held to see a number first that came up."""
        if button != self.shows:
            return False
        self.shows = None
        return True

    def hold(self, button: str) -> bool:
        """A button has been down for long; gives whether that switches the station off: not where
        its press was another's."""
        if button not in self._down:
            return False
        self._down.remove(button)
        return True
