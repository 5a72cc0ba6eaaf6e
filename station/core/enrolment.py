"""Teach the station its knobs and playing cards on a reader; each tag is kept at once, so that a
stop loses none."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, TypeAlias

from drivers import DeviceFound, DeviceLost, Event, ReadRefused, TagRead, make_driver
from station.base.nouns import KNOBS
from station.settings.config import driver_table
from station.settings.readers import is_reader
from station.settings.tags import TagTable

Save: TypeAlias = Callable[[TagTable], None]
Say: TypeAlias = Callable[[str], None]


class Enrolment:
    """A table of tags that grows knob by knob, or card by card.

    Args:
        events: the readers' events.
        save: stores the table; called after every tag.
        say: tells the person at the readers something.
        wait_s: seconds to wait for a knob.
    """

    def __init__(
        self, table: TagTable, events: queue.Queue[Event], save: Save, say: Say, wait_s: float
    ) -> None:
        self.table = table
        self._events = events
        self._save = save
        self._say = say
        self._wait_s = wait_s

    def missing(self, tags: int) -> list[int]:
        """Return the numbers that lack a knob with so many tags; a spare that stands in counts."""
        have, spares = [*self.table.tags.values()], self.table.spares.values()
        numbers = range(1, KNOBS + 1)
        return [number for number in numbers if have.count(number) < tags and number not in spares]

    def tags_of(self, number: int) -> int:
        """Return how many tags a knob has."""
        return [*self.table.tags.values()].count(number)

    def knob(self, number: int, tags: int, *, redo: bool = False) -> bool:
        """Take tags for one knob until it has that many; return False if none came in time.

        Args:
            redo: forget the knob's old tags, and a spare that stood in, as soon as the first new
                tag is read.
        """
        while redo or self.tags_of(number) < tags:
            tag = self._next_tag(number, again=redo)
            if tag is None:
                return False
            spare = self.table.spares.get(tag) == 0
            kept, spares = dict(self.table.tags), dict(self.table.spares)
            if redo or spare:
                kept = {tag: knob for tag, knob in kept.items() if knob != number}
            if redo:
                spares = {tag: 0 if knob == number else knob for tag, knob in spares.items()}
            if spare:  # from the drawer: it takes the place of a knob that was lost
                self._keep(self._with(kept, {**spares, tag: number}))
                self._say(f"this spare is knob {number} from now on")
                return True
            spares.pop(tag, None)
            self._keep(self._with({**kept, tag: number}, spares))
            redo = False
            if self.tags_of(number) < tags:
                self._say(f"{self.tags_of(number)} of {tags} tags: turn knob {number} over")
        return True

    def spares(self) -> int:
        """Take spares, one after the other, until no more come; return how many came."""
        count = 0
        while (tag := self._next_tag(0)) is not None:
            if tag not in self.table.spares:
                self._keep(self._with(self.table.tags, {**self.table.spares, tag: 0}))
                count += 1
                self._say(f"spare {len(self.table.spares)}")
        return count

    def missing_cards(self, pack: str, faces: Sequence[str]) -> list[str]:
        """Return the cards of a pack that have no tag yet, in its order."""
        known = self.table.packs.get(pack, {}).values()
        return [face for face in faces if face not in known]

    def card(self, pack: str, face: str, *, redo: bool = False) -> bool:
        """Take the tag of one card of a pack; return False if none came in time.

        Args:
            redo: forget the tag that it had, as soon as the new one is read.
        """
        own, spares = f"{face} of the pack {pack}", self.table.spares
        tag = self._next(
            "card",
            lambda tag, sits: (sits == "" and tag not in spares) or (redo and sits == own),
        )
        if tag is None:
            return False
        cards = self.table.packs.get(pack, {}).items()
        kept = {known: one for known, one in cards if one != face}
        self._keep(replace(self.table, packs={**self.table.packs, pack: {**kept, tag: face}}))
        return True

    def _with(self, tags: Mapping[int, int], spares: Mapping[int, int]) -> TagTable:
        return replace(self.table, tags=tags, spares=spares)

    def _keep(self, table: TagTable) -> None:
        self._save(table)
        self.table = table

    def _next_tag(self, number: int, *, again: bool = False) -> int | None:
        """Return the next tag without a number, or with `again` of this one; None if none comes."""
        own = f"knob {number}"
        return self._next("knob", lambda tag, sits: sits == "" or (again and sits == own), own)

    def _next(
        self, thing: str, fits: Callable[[int, str], bool], own: str | None = None
    ) -> int | None:
        """Return the next tag that fits; None if none comes.

        Args:
            thing: what is asked for: a knob, or a card.
            fits: takes the tag and what it sits in already, empty for nothing.
            own: what is asked for by name; its own tag is passed over in silence.
        """
        while True:
            try:
                event = self._events.get(timeout=self._wait_s)
            except queue.Empty:
                return None
            match event:
                case TagRead(tag=tag):
                    sits = self._sits_in(tag)
                    if fits(tag, sits):
                        return tag
                    if sits != own:
                        self._say(f"this tag is {sits or 'a spare knob'} already: take the next")
                case DeviceLost(device=device, reason=reason):
                    self._say(f"{device} is lost: {reason}")
                case DeviceFound(device=device):
                    self._say(f"{device} works again")
                case ReadRefused():
                    self._say(f"that could not be read: lay one {thing} alone on the reader")

    def _sits_in(self, tag: int) -> str:
        """Return what a tag sits in; empty for nothing, or a spare knob without a number."""
        if tag in self.table.cards:
            pack, face = self.table.cards[tag]
            return f"{face} of the pack {pack}"
        knob = self.table.knobs.get(tag)
        return f"knob {knob}" if knob else ""


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


def simulated_readers(devices: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the readers whose knobs need no enrolment, because the program simulates them."""
    places = {name: (table.get("port"), table.get("device")) for name, table in devices.items()}
    return [name for name, place in places.items() if is_reader(name) and "simulated" in place]
