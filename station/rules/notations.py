"""Write and read a state's line: what the notations of all games have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar
from urllib.parse import quote

from station.base.errors import Unreadable

StateT = TypeVar("StateT")


def row(things: Iterable[object], between: str = ",") -> str:
    """Return things side by side; a dash for none."""
    return between.join(map(str, things)) or "-"


def word(text: str) -> str:
    """Return any text, a serial or a name, as one word of a line; `unquote` reads it back.

    >>> word("No. 6"), word("A000123-K7QX")
    ('No.%206', 'A000123-K7QX')
    """
    return quote(text, safe="")


def words(texts: Iterable[str], between: str = ",") -> str:
    """Return texts side by side, each as `word` writes it; a dash for none."""
    return row(map(word, texts), between)


def things(text: str | None) -> list[str]:
    """Return what stands side by side, as `row` writes it; none where no row is written.

    >>> things("5,11"), things("-")
    (['5', '11'], [])
    """
    return [] if text is None or text == "-" else text.split(",")


def parsed(
    form: re.Pattern[str],
    text: str,
    title: str,
    head: str,
    read: Callable[[re.Match[str]], StateT],
    notation: Callable[[StateT], str],
    possible: Callable[[StateT], bool] = lambda _: True,
) -> StateT:
    """Return the state that a game's notation wrote.

    Args:
        form: what such a line looks like; it has a group `head`.
        title: the title of the game.
        head: how the setup is written.
        read: makes the state of the line's parts; raises `ValueError` where they are malformed.
        notation: writes a state. The line must be what it writes.
        possible: whether a state can occur in the game.

    Raises:
        Unreadable: the text is no state of this game, or one that no game with this setup can be
            in.
    """
    match = form.fullmatch(text)
    if match is None:
        raise Unreadable(f"not a state of {title}: {text!r}")
    if match["head"] != head:
        raise Unreadable(f"a state of another game's setup: {text!r}")
    try:
        state = read(match)
    except ValueError as error:
        raise Unreadable(f"not a state of {title} ({error}): {text!r}") from error
    if notation(state) != text or not possible(state):
        raise Unreadable(f"no game of {title} can be in this state: {text!r}")
    return state
