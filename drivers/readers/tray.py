"""Judge what lies on a reader, from what the reader sends. Pure; times are seconds on one clock.

A resting knob is one reading (H13), whether the reader repeats it every 50 ms, sends it once, or is
asked ten times a second. What silence proves, only the reader's habit can say
(`drivers.readers.frames.Habit`):

    polled (PN532)      asked and not there, twice running, a tag has left; once would be a tag at
                        the edge of the field
    "repeats"           nothing heard for `gone_s`, and it has left
    "entry"             silence proves nothing. The same tag after more than `gone_s` has been away
                        and is read again
    "once"              silence proves nothing, nor does the same tag again: only another tag, read
                        between
    "learn"             as "entry" at first. A tag heard twenty times without a gap can only come
                        from a reader that repeats (those that send a tag more than once send it
                        five times at most): then as "repeats"

A tag may be read once too often, never too seldom: a knob that is called already costs the hall two
words, one that lies there unheard stops the game. So after a cable was out for more than `gone_s`,
what is found on the reader is a reading again.
"""

from __future__ import annotations

from collections.abc import Sequence

from drivers import Event, ReadRefused, Refusal, TagLeft, TagRead
from drivers.readers.frames import Found, Habit, Tag

MISSED = 2  # polls in a row
REPEATS = 20  # equal readings in a row


class Tray:
    """The tray of one reader.

    Args:
        reader: what events call it.
        gone: seconds of silence that mean something, as above.
        habit: the reader's; of a polled one "repeats".
    """

    def __init__(self, reader: str, gone: float, habit: Habit = Habit.LEARN) -> None:
        self._reader = reader
        self._gone = gone
        self._habit = habit
        self._tag: int | None = None
        self._heard = 0.0
        self._run = 0  # equal readings without a gap
        self._missed = 0
        self._refused: dict[Refusal, float] = {}

    @property
    def resting(self) -> int | None:
        """Return the tag that lies on the reader, as far as it can tell."""
        return self._tag

    def judge(self, found: Found, at: float) -> list[Event]:
        """Return the events of a frame; none if it repeats the last one."""
        events = self.quiet(at)
        away, self._heard = at - self._heard > self._gone, at
        if not isinstance(found, Tag):
            return events + self._refuse(found, at)
        same = found.number == self._tag
        self._run = self._run + 1 if same and not away else 1
        if self._habit is Habit.LEARN and self._run >= REPEATS:
            self._habit = Habit.REPEATS
        if same and (not away or self._habit is Habit.ONCE):
            return events
        return events + self._lay(found.number, at)

    def hear(self, found: Sequence[Found], at: float, *, silent: bool) -> list[Event]:
        """Return the events of what a line has brought, which may have fallen silent."""
        events = [event for one in found for event in self.judge(one, at)]
        return [*events, *self.quiet(at)] if silent else events

    def quiet(self, at: float) -> list[Event]:
        """Return the events of a silence up to now: if the reader repeats, the tag has left."""
        gone = self._habit is Habit.REPEATS and at - self._heard > self._gone
        return self._lift(at) if gone else []

    def look(self, tags: Sequence[int], at: float) -> list[Event]:
        """Return the events of what a polled reader sees now: none, one or more tags. Two are
        refused, and nothing changes until one is taken away."""
        events = self.quiet(at)
        self._heard = at
        self._missed = self._missed + 1 if not tags else 0
        if len(tags) > 1:
            events += self._refuse(Refusal.TWO, at)
        elif not tags and self._missed >= MISSED:
            events += self._lift(at)
        elif tags and tags[0] != self._tag:
            events += self._lay(tags[0], at)
        return events

    def _lay(self, tag: int, at: float) -> list[Event]:
        events = self._lift(at)
        self._tag = tag
        return [*events, TagRead(self._reader, tag, at)]

    def _lift(self, at: float) -> list[Event]:
        tag, self._tag = self._tag, None
        return [TagLeft(self._reader, tag, at)] if tag is not None else []

    def _refuse(self, why: Refusal, at: float) -> list[Event]:
        before, self._refused[why] = self._refused.get(why), at
        lately = before is not None and at - before <= self._gone
        return [] if lately else [ReadRefused(self._reader, why, at)]
