"""Read a state back from its line: what the notations of all games have in common."""

from __future__ import annotations

import re

from station.base.errors import Unreadable


def matched(form: re.Pattern[str], text: str, title: str, head: str) -> re.Match[str]:
    """Return the parts of a state's line, by name.

    Args:
        form: what such a line looks like; it has a group `head`.
        title: the title of the game.
        head: how the setup is written.

    Raises:
        Unreadable: the text is not a state of this game, or it is a state of another setup.
    """
    match = form.fullmatch(text)
    if match is None:
        raise Unreadable(f"not a state of {title}: {text!r}")
    if match["head"] != head:
        raise Unreadable(f"a state of another game's setup: {text!r}")
    return match
