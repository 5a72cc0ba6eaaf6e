"""Judge what lies on a reader, from what the reader sends. Pure; times are seconds on one clock.

A resting knob is one reading (H13), whether the reader repeats it every 50 ms, sends it once, or is
asked ten times a second. What silence proves, only the reader's habit can say
(`drivers.readers.frames.Habit`):

    "repeats", polled   nothing heard for `gone_s`, and it has left
    "entry"             silence proves nothing. The same tag after more than `gone_s` has been away
                        and is read again
    "once"              silence proves nothing, nor does the same tag again: only another tag, read
                        between
    "learn"             as "entry" at first. A tag heard twenty times without a gap can only come
                        from a reader that repeats (those that send a tag more than once send it
                        five times at most): then as "repeats"

A tag at the edge of the field is heard, missed and heard again. It is still one reading: once it
has wavered, it leaves after three times `gone_s`.

One frame is read at once, since a call must not wait. The second frame confirms it
(`TagConfirmed`). If a single frame of another tag interrupts a resting one, the resting tag comes
`back`: it is no new reading.

A tag may be read once too often, never too seldom: a knob that is called already costs the hall two
words, one that lies there unheard stops the game. So after a cable was out for more than `gone_s`,
what is found on the reader is a reading again.
"""

from __future__ import annotations

from collections.abc import Sequence

from drivers import Event, ReadRefused, Refusal, TagConfirmed, TagLeft, TagRead
from drivers.readers.frames import Found, Habit, Tag

REPEATS = 20  # equal readings in a row
WAVERS = 0.25  # of `gone`: a longer gap while a tag rests puts it at the edge of the field
EDGE = 3  # times `gone`: what a tag at the edge needs to leave


class Tray:
    """The tray of one reader.

    Args:
        reader: what events call it.
        gone: seconds of silence that mean something, as above.
        habit: the reader's; of a polled one "repeats".
        proof: the frames that confirm a tag; 1 where the decoder has compared two already.
    """

    def __init__(
        self, reader: str, gone: float, habit: Habit = Habit.LEARN, proof: int = 2
    ) -> None:
        self._reader = reader
        self._gone = gone
        self._habit = habit
        self._proof = proof
        self._tag: int | None = None
        self._heard = 0.0
        self._run = 0  # equal readings without a gap
        self._frames = 0  # of the tag that rests
        self._sure = False  # they were enough
        self._wavers = False  # it was missed and heard again
        # the tag that a single frame of another one has replaced, whether it was sure, and when
        self._under: tuple[int, bool, float] | None = None
        self._refused: dict[Refusal, float] = {}

    @property
    def resting(self) -> int | None:
        """Return the tag that lies on the reader, as far as it can tell."""
        return self._tag

    def judge(self, found: Found, at: float) -> list[Event]:
        """Return the events of a frame; none if it repeats the last one."""
        events = self.quiet(at)
        gap, self._heard = at - self._heard, at
        if not isinstance(found, Tag):
            return events + self._refuse(found, at)
        away, same = gap > self._gone, found.number == self._tag
        self._run = self._run + 1 if same and not away else 1
        if self._habit is Habit.LEARN and self._run >= REPEATS:
            self._habit = Habit.REPEATS
        if same and (not away or self._habit in (Habit.ONCE, Habit.REPEATS)):
            self._frames += 1
            self._wavers = self._wavers or gap > WAVERS * self._gone
            return events + self._confirm(at)
        if self._under is not None and self._under[0] == found.number:
            _, sure, since = self._under
            if at - since <= self._gone:
                return events + self._put_back(found.number, sure, at)
        return events + self._lay(found.number, at, away=away)

    def hear(self, found: Sequence[Found], at: float, *, silent: bool) -> list[Event]:
        """Return the events of what a line has brought, which may have fallen silent."""
        events = [event for one in found for event in self.judge(one, at)]
        return [*events, *self.quiet(at)] if silent else events

    def quiet(self, at: float) -> list[Event]:
        """Return the events of a silence up to now: if the reader repeats, the tag has left."""
        needed = self._gone * (EDGE if self._wavers else 1)
        gone = self._habit is Habit.REPEATS and at - self._heard > needed
        return self._lift(at) if gone else []

    def look(self, tags: Sequence[int], at: float) -> list[Event]:
        """Return the events of what a polled reader sees now: none, one or more tags. Two are
        refused, and nothing changes until one is taken away."""
        if not tags:
            return self.quiet(at)
        return self.judge(Tag(tags[0]) if len(tags) == 1 else Refusal.TWO, at)

    def _lay(self, tag: int, at: float, *, away: bool) -> list[Event]:
        under = None if away else self._under  # after a silence the last tag has left, too
        rested = not away and self._tag is not None and self._tag != tag
        if rested and self._tag is not None and (self._sure or under is None):
            under = self._tag, self._sure, at
        events = self._lift(at)
        self._tag, self._frames, self._under = tag, 1, under
        return [*events, TagRead(self._reader, tag, at), *self._confirm(at)]

    def _put_back(self, tag: int, sure: bool, at: float) -> list[Event]:
        """Return to the tag that a single frame has replaced; this is at least its second frame."""
        events = self._lift(at)
        self._tag, self._sure, self._frames = tag, True, 2
        back = TagRead(self._reader, tag, at, back=True)
        return [*events, back, *([] if sure else [TagConfirmed(self._reader, tag, at)])]

    def _confirm(self, at: float) -> list[Event]:
        if self._sure or self._tag is None or self._frames < self._proof:
            return []
        self._sure, self._under = True, None
        return [TagConfirmed(self._reader, self._tag, at)]

    def _lift(self, at: float) -> list[Event]:
        tag, self._tag = self._tag, None
        self._sure, self._wavers, self._under, self._frames = False, False, None, 0
        return [TagLeft(self._reader, tag, at)] if tag is not None else []

    def _refuse(self, why: Refusal, at: float) -> list[Event]:
        before, self._refused[why] = self._refused.get(why), at
        lately = before is not None and at - before <= self._gone
        return [] if lately else [ReadRefused(self._reader, why, at)]
