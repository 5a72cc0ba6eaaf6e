"""What the notations of all games have in common when a state is read back from its line."""

from __future__ import annotations

import re

from station.base.errors import Unreadable


def matched(form: re.Pattern[str], text: str, title: str, head: str) -> re.Match[str]:
    """The parts of a state's line, by name.

    Args:
        form: what such a line looks like, with a `head` in it.
        title: of the game.
        head: what its setup is written as.

    Raises:
        Unreadable: the text is not a state of this game, or one of another setup.
    """
    match = form.fullmatch(text)
    if match is None:
        raise Unreadable(f"not a state of {title}: {text!r}")
    if match["head"] != head:
        raise Unreadable(f"a state of another game's setup: {text!r}")
    return match
