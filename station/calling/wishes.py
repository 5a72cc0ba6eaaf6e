"""Read all that the wire asks for, and what the desk does itself, without the journal.

Sound, voice, pace, switch, and who holds the next number are the desk's; so are the beginning and
end of a census and of a self-test, whose results are acts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.night.acts import Act
from station.record.requests import DrawNext, SessionWish, Unread, read_act

LEAST_PACE_S, MOST_PACE_S = 2, 60


class DeskWish(SessionWish):
    """A wish that the desk does by itself."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Auto(DeskWish):
    """Call by itself or by hand, and at which pace; None leaves that as it is.

    Attributes:
        pace: seconds from one call to the next.
    """

    kind: ClassVar[str] = "auto"
    on: bool | None = None
    pace: float | None = None


@dataclass(frozen=True, slots=True)
class Repeat(DeskWish):
    """Say the last numbers again, the last one first; `count` tells how many."""

    kind: ClassVar[str] = "repeat"
    count: int = 1


@dataclass(frozen=True, slots=True)
class Hold(DeskWish):
    """Tell the asker alone which number is next, and hold it; without `on`, let it wait."""

    kind: ClassVar[str] = "hold"
    on: bool = True


@dataclass(frozen=True, slots=True)
class Release(DrawNext):
    """Call the number that was held; the record has a draw."""

    kind: ClassVar[str] = "release"


@dataclass(frozen=True, slots=True)
class Mute(DeskWish):
    """Switch the sound off (True) or on (False); None toggles it."""

    kind: ClassVar[str] = "mute"
    on: bool | None = None


@dataclass(frozen=True, slots=True)
class Off(DeskWish):
    """Switch the machine off."""

    kind: ClassVar[str] = "off"


@dataclass(frozen=True, slots=True)
class CensusBegin(DeskWish):
    """Tick off the knobs on the readers; `go_on`: those found last time count."""

    kind: ClassVar[str] = "census-begin"
    go_on: bool = False


@dataclass(frozen=True, slots=True)
class CensusEnd(DeskWish):
    """Record what was found."""

    kind: ClassVar[str] = "census-end"


@dataclass(frozen=True, slots=True)
class SelfTestBegin(DeskWish):
    """Let the station try itself; without `hands` it waits for no press and no knob."""

    kind: ClassVar[str] = "self-test-begin"
    hands: bool = True


@dataclass(frozen=True, slots=True)
class SelfTestEnd(DeskWish):
    """Give the self-test up."""

    kind: ClassVar[str] = "self-test-end"


def _auto(do: Mapping[str, Any]) -> Auto:
    on, pace = do.get("on", False), do.get("pace", LEAST_PACE_S)
    fits = isinstance(pace, int | float) and LEAST_PACE_S <= pace <= MOST_PACE_S
    if not (isinstance(on, bool) and fits):
        between = f"from {LEAST_PACE_S} to {MOST_PACE_S} seconds"
        raise Unreadable(f"automatic calling wants on or off, and a pace {between}")
    return Auto(do.get("on"), float(pace) if "pace" in do else None)


def _repeat(do: Mapping[str, Any]) -> Repeat:
    count = do.get("count", 1)
    if not isinstance(count, int) or not 1 <= count <= KNOBS:
        raise Unreadable(f"repeat wants how many numbers, from 1 to {KNOBS}")
    return Repeat(count)


def _on(do: Mapping[str, Any], usual: bool | None, says: str) -> Any:
    """Return whether something is to be on.

    Raises:
        Unreadable: it is neither on, nor off, nor what is usual; `says` tells what is wanted.
    """
    on = do.get("on", usual)
    if on is not usual and not isinstance(on, bool):
        raise Unreadable(says)
    return on


_HOLD_SAYS = "hold wants on or off: without it the next number is held"
_MUTE_SAYS = "mute wants on or off, or neither: then it is the other of the two"
_READERS: Mapping[str, Callable[[Mapping[str, Any]], SessionWish]] = {
    "auto": _auto,
    "repeat": _repeat,
    "hold": lambda do: Hold(_on(do, True, _HOLD_SAYS)),
    "release": lambda _: Release(),
    "mute": lambda do: Mute(_on(do, None, _MUTE_SAYS)),
    "off": lambda _: Off(),
    "census-begin": lambda do: CensusBegin(do.get("go_on") is True),
    "census-end": lambda _: CensusEnd(),
    "self-test-begin": lambda do: SelfTestBegin(do.get("hands") is not False),
    "self-test-end": lambda _: SelfTestEnd(),
}
OF_THE_DESK = frozenset(_READERS)


def read_wish(do: Mapping[str, Any]) -> Act | SessionWish:
    """Return what this JSON object asks for; an `Unread` if it cannot be told."""
    act = do.get("act")
    if not isinstance(act, str) or act not in _READERS:
        return read_act(do)
    try:
        return _READERS[act](do)
    except Unreadable as error:
        return Unread(do, error)
