"""Decide who speaks next: announcements that wait, by rank. Pure; time is passed in.

A number is said as a whole. Anything else may be overtaken by a higher rank, but only where one of
its clips ends: what sounds is never cut. What was overtaken goes on afterwards, unless it is
chatter that nobody wants to hear so late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from drivers import Rank

CHIME = "chime"
PAUSE = "pause"  # a moment of silence; every voice has it, no pack does
STALE_S = 4.0  # chatter that was overtaken and is older is not said any more


@dataclass(slots=True)
class _Announcement:
    token: int
    rest: tuple[str, ...]
    rank: Rank
    asked_at: float
    begun: bool = False
    overtaken: bool = False


@dataclass(frozen=True, slots=True)
class SoundOver:
    """What happens when a sound has ended.

    Attributes:
        over: announcements that are over, and whether each was said to its end.
        begun: the announcement that begins now, if one does.
        clips: to be played now without a gap; None when there is nothing to say.
    """

    over: tuple[tuple[int, bool], ...]
    begun: int | None
    clips: tuple[str, ...] | None


class SayQueue:
    """The announcements of one voice: one is being said, others wait."""

    def __init__(self) -> None:
        self._waiting: list[_Announcement] = []
        self._current: _Announcement | None = None

    def ask(self, token: int, clips: Sequence[str], rank: Rank, at: float) -> None:
        """Queue an announcement: after those of the same rank, before those of a lower one."""
        self._waiting.append(_Announcement(token, tuple(clips), rank, at))

    def turn(self, at: float) -> SoundOver:
        """End what was said last, and choose what to say next. Call it whenever nothing sounds.

        >>> queue = SayQueue()
        >>> queue.ask(1, ["eyes-down", "playing-row"], Rank.CHATTER, 0.0)
        >>> queue.turn(0.0).clips
        ('eyes-down',)
        >>> queue.ask(2, ["chime", "number.7"], Rank.NUMBER, 0.1)
        >>> queue.turn(0.9).clips, queue.turn(2.1).clips
        (('chime', 'number.7'), ('playing-row',))
        """
        over: list[tuple[int, bool]] = []
        current = self._current
        if current is not None and not current.rest:
            over.append((current.token, True))
            current = None
        if current is not None and any(other.rank > current.rank for other in self._waiting):
            self._waiting.insert(0, current)
            current = None
        if current is None:
            current = self._choose(at, over)
        self._current = current
        if current is None:
            return SoundOver(tuple(over), None, None)
        begun = None if current.begun else current.token
        current.begun = True
        count = len(current.rest) if current.rank is Rank.NUMBER else 1
        clips, current.rest = current.rest[:count], current.rest[count:]
        return SoundOver(tuple(over), begun, clips)

    def _choose(self, at: float, over: list[tuple[int, bool]]) -> _Announcement | None:
        for stale in [one for one in self._waiting if _is_stale(one, at)]:
            self._waiting.remove(stale)
            over.append((stale.token, False))
        if not self._waiting:
            return None
        chosen = max(self._waiting, key=lambda one: one.rank)  # the first of the highest
        self._waiting.remove(chosen)
        for other in self._waiting:
            other.overtaken |= other.rank < chosen.rank
        return chosen


def _is_stale(one: _Announcement, at: float) -> bool:
    return one.rank is Rank.CHATTER and one.overtaken and at - one.asked_at > STALE_S
