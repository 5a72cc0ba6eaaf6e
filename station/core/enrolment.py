"""Run a lesson at the readers: hand events to `station.settings.teaching`, do what it decides.
Each tag is stored at once, so that a stop loses none."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from drivers import Event, Misread, TagRead
from station.base.said import Sentence
from station.settings.allowed import make_driver
from station.settings.config import driver_table
from station.settings.readers import is_reader, misread_told
from station.settings.tags import TagTable
from station.settings.teaching import KeepTags, SayClips, Teaching, TellPerson, UndoLast

# A reader that repeats confirms a tag within a tenth of a second: what was heard once for so long
# must be laid again.
AGAIN_S = 0.8

Say: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class TypedLine(Event):
    """A line that the person at the readers typed."""

    text: str
    at: float = 0.0


@dataclass(eq=False)
class Enrolment:
    """The shell around a lesson.

    Args:
        events: the readers' events, and what is typed.
        save: stores the table; called after every tag.
        say: prints a sentence for the person at the readers.
        wait_s: seconds to wait for a thing.
        speak: says clips aloud.
        show: shows what is asked for; `again` when it was heard once and must be laid again.
        again_s: seconds after which a tag that was heard once must be laid again.
        tell: writes a sentence in the person's language.
    """

    events: queue.Queue[Event]
    save: Callable[[TagTable], None]
    say: Say
    wait_s: float
    speak: Callable[[tuple[str, ...]], None] = lambda clips: None
    show: Callable[[Teaching, bool], None] = lambda lesson, again: None
    again_s: float = AGAIN_S
    tell: Callable[[Sentence], str] = str

    def run(self, lesson: Teaching) -> Teaching:
        """Teach until nothing is asked for any more, or nothing has come in time; return the
        lesson as it is then."""
        again = False
        while lesson.asks is not None:
            again = again and lesson.unsure
            self.show(lesson, again)
            waits_again = lesson.unsure and not again
            try:
                event = self.events.get(timeout=self.again_s if waits_again else self.wait_s)
            except queue.Empty:
                if not waits_again:
                    return lesson
                again = True
                continue
            match event:
                case Misread():
                    self.say(self.tell(misread_told(event)))
                case TypedLine(text=text):
                    if text.strip().lower() == "u":
                        lesson = self._step(lesson, UndoLast())
                case _:
                    lesson = self._step(lesson, event)
        return lesson

    def name_all(self, table: TagTable, named: Callable[[int], str]) -> int:
        """Tell what each thing is that is laid on a reader, until no more come; return how many
        came. Nothing is changed."""
        count = 0
        while True:
            try:
                event = self.events.get(timeout=self.wait_s)
            except queue.Empty:
                return count
            if isinstance(event, TagRead) and not event.back:
                count += 1
                tag = table.known_as(event.tag)
                self.say(named(tag))
                if knob := table.knobs.get(tag):
                    self.speak((f"number.{knob}",))

    def left_over(self, table: TagTable) -> bool:
        """Wait for an answer to whether a knob is left over; return whether one is.

        A key answers, or the knob itself: laid on a reader, it is one that has no number.
        """
        while True:
            try:
                event = self.events.get(timeout=self.wait_s)
            except queue.Empty:
                return False
            match event:
                case TypedLine(text=text):
                    return bool(text.strip()) and text.strip().lower() not in ("n", "no")
                case TagRead(tag=tag) if table.known_as(tag) not in table.knobs:
                    return True

    def _step(self, lesson: Teaching, event: Event) -> Teaching:
        lesson, effects = lesson.step(event)
        for effect in effects:
            match effect:
                case KeepTags(table):
                    self.save(table)
                case TellPerson(text):
                    self.say(text)
                case SayClips(clips):
                    self.speak(clips)
        return lesson


@contextmanager
def open_readers(devices: Mapping[str, Mapping[str, Any]]) -> Iterator[queue.Queue[Event]]:
    """Run all the readers of these settings; yield the queue of their events.

    Raises:
        drivers.DriverError: one cannot be used.
    """
    events: queue.Queue[Event] = queue.Queue()
    with ExitStack() as stack:
        for device, table in devices.items():
            if is_reader(device):
                options = driver_table(device, table)
                reader = make_driver(options.pop("driver"), **options)
                stack.callback(reader.close)
                reader.open(events.put)
        yield events


def hear_lines(typed: Iterable[str], put: Callable[[Event], None]) -> None:
    """Hand on each line that is typed, until the input ends or cannot be read."""
    with suppress(OSError, ValueError):
        for line in typed:
            put(TypedLine(line))


def simulated_readers(devices: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the readers whose knobs need no enrolment, because the program simulates them."""
    places = {name: (table.get("port"), table.get("device")) for name, table in devices.items()}
    return [name for name, place in places.items() if is_reader(name) and "simulated" in place]
