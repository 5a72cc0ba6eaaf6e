"""Decide which tags are taken while knobs, spares and playing cards are taught. Pure.

A tag is taken when it was heard twice: the reader confirms it (`TagConfirmed`), or it was lifted
and laid again (a second `TagRead`). One good frame may be noise, and a tag of noise that is taken
for knob 2 would shift every knob after it by one.

At the end of a run some of the things that were taught are laid once more, the last one among them.

    >>> teaching = Teaching(TagTable(), (TaughtKnob(1), TaughtKnob(2)))
    >>> teaching, told = teaching.step(TagRead("reader", 7, 0.0))
    >>> teaching.asks, told
    (TaughtKnob(number=1, tags=1, redo=False), ())
    >>> teaching, told = teaching.step(TagConfirmed("reader", 7, 0.1))
    >>> teaching.asks, told[1:]
    (TaughtKnob(number=2, tags=1, redo=False), (SayClips(clips=('number.1',)),))
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from drivers import DeviceFound, DeviceLost, Event, ReadRefused, TagConfirmed, TagRead
from station.base.tongue import tr
from station.settings.tags import TagTable

CHECKED = 3  # things that are laid again at the end


@dataclass(frozen=True, slots=True)
class TaughtKnob:
    """A knob that is asked for.

    Attributes:
        tags: how many it is to have.
        redo: forget its old tags, and a spare that stood in, as soon as the first new tag is taken.
    """

    number: int
    tags: int = 1
    redo: bool = False


@dataclass(frozen=True, slots=True)
class TaughtSpare:
    """A spare knob that is asked for; another one after it, until no more come."""


@dataclass(frozen=True, slots=True)
class TaughtCard:
    """A playing card that is asked for.

    Attributes:
        name: what it is called in the reader's language.
        redo: it has a tag, which is forgotten as soon as the new one is taken.
    """

    pack: str
    face: str
    name: str = ""
    redo: bool = False


Thing: TypeAlias = TaughtKnob | TaughtSpare | TaughtCard


@dataclass(frozen=True, slots=True)
class UndoLast(Event):
    """The person at the reader takes back what was taught last."""

    at: float = 0.0


@dataclass(frozen=True, slots=True)
class KeepTags:
    """Store this table."""

    table: TagTable


@dataclass(frozen=True, slots=True)
class TellPerson:
    """Print this sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class SayClips:
    """Say these clips, if there is a voice."""

    clips: tuple[str, ...]


Effect: TypeAlias = KeepTags | TellPerson | SayClips


@dataclass(frozen=True)
class Teaching:
    """A lesson at one moment.

    Attributes:
        table: all tags that are known.
        wanted: what is still to be taught; the first is asked for now.
        taught: what was taught in this run, with the table and the wishes from before it.
        heard: the tags that were heard once since something was taken.
        checks: what is still to be laid again.
        wrong: what was laid again, and is another thing by its tag.
        resting: the tag that was taken or laid again last: it may be read once more where it lies.
    """

    table: TagTable
    wanted: tuple[Thing, ...]
    taught: tuple[tuple[Thing, TagTable, tuple[Thing, ...]], ...] = ()
    heard: frozenset[int] = frozenset()
    checks: tuple[Thing, ...] = ()
    wrong: tuple[Thing, ...] = ()
    resting: int | None = None

    @property
    def asks(self) -> Thing | None:
        """Return what is asked for now; None if there is nothing left."""
        return next(iter(self.wanted or self.checks), None)

    @property
    def checking(self) -> bool:
        """Return whether what is asked for was taught already, and is laid once more."""
        return not self.wanted and bool(self.checks)

    @property
    def unsure(self) -> bool:
        """Return whether a tag was heard only once, so that it must be laid again."""
        return bool(self.heard)

    @property
    def count(self) -> int:
        """Return how many things were taught in this run."""
        if isinstance(self.asks, TaughtSpare):
            return len(self.taught)
        return len({_named(one) for one, _, _ in self.taught} - {*map(_named, self.wanted)})

    def check(self) -> Teaching:
        """Return the lesson with the things that are to be laid again, the last one at the end.

        A single thing needs none: it was heard twice when it was taken.
        """
        taught = (thing for thing, _, _ in self.taught if not isinstance(thing, TaughtSpare))
        things = [*{_named(thing): thing for thing in taught}.values()]
        if len(things) < 2:
            return self
        places = {len(things) * part // CHECKED - 1 for part in range(1, CHECKED + 1)}
        chosen = tuple(things[place] for place in sorted(places) if place >= 0)
        return replace(self, checks=chosen, heard=frozenset())

    def step(self, event: Event) -> tuple[Teaching, tuple[Effect, ...]]:
        """Return the lesson after an event, and what is to be done."""
        match event:
            case UndoLast():
                return self._undo()
            case TagRead(tag=read, back=False) | TagConfirmed(tag=read):
                return self._read(self.table.known_as(read), event)
            case ReadRefused():
                of_knob = tr("that could not be read: lay one knob alone on the reader")
                of_card = tr("that could not be read: lay one card alone on the reader")
                return self, (
                    TellPerson(of_card if isinstance(self.asks, TaughtCard) else of_knob),
                )
            case DeviceLost(device=device, reason=reason):
                return self, (
                    TellPerson(tr("{device} is lost: {reason}", device=device, reason=reason)),
                )
            case DeviceFound(device=device):
                return self, (TellPerson(tr("{device} works again", device=device)),)
        return self, ()

    def _read(self, tag: int, event: Event) -> tuple[Teaching, tuple[Effect, ...]]:
        asked, first = self.asks, isinstance(event, TagRead)
        if asked is None:
            return self, ()
        sits, own = self._sits_in(tag), _named(asked)
        if self.checking:
            if sits == own:
                return self._checked(asked, tag, good=True)
            if tag == self.resting:
                return self, ()
        elif not self._fits(tag, sits, asked):
            known_spare = isinstance(asked, TaughtSpare) and tag in self.table.spares
            if not first or sits == own or known_spare:
                return self, ()
            told = tr("this tag is {thing} already: take the next", thing=sits or tr("a spare"))
            return self, (TellPerson(told),)
        elif self.table.looks_alike(tag):
            told = tr(
                "this reader sends three bytes of a tag, and another tag ends in the same three:"
                " set the reader to ten digits (10D)"
            )
            return self, (TellPerson(told),) if first else ()
        if first and tag not in self.heard:
            return replace(self, heard=self.heard | {tag}), ()
        if self.checking:
            return self._checked(asked, tag, good=False, sits=sits)
        return self._take(tag)

    def _fits(self, tag: int, sits: str, asked: Thing) -> bool:
        match asked:
            case TaughtKnob(redo=redo):
                return sits == "" or (redo and sits == _named(asked))
            case TaughtSpare():
                return sits == "" and tag not in self.table.spares
            case TaughtCard(redo=redo):
                free = sits == "" and tag not in self.table.spares
                return free or (redo and sits == _named(asked))

    def _take(self, tag: int) -> tuple[Teaching, tuple[Effect, ...]]:
        asked, rest = self.wanted[0], self.wanted[1:]
        taught = (*self.taught, (asked, self.table, self.wanted))
        tags, spares = dict(self.table.tags), dict(self.table.spares)
        packs = {name: dict(pack) for name, pack in self.table.packs.items()}
        told: list[Effect] = []
        match asked:
            case TaughtKnob(number, wanted, redo):
                spare = spares.get(tag) == 0
                if redo or spare:
                    tags = {tag: knob for tag, knob in tags.items() if knob != number}
                if redo:
                    spares = {tag: 0 if knob == number else knob for tag, knob in spares.items()}
                if spare:  # from the drawer: it takes the place of a knob that was lost
                    spares[tag] = number
                    told.append(
                        TellPerson(tr("this spare is knob {knob} from now on", knob=number))
                    )
                else:
                    spares.pop(tag, None)
                    tags[tag] = number
                have = list(tags.values()).count(number)
                if not spare and have < wanted:
                    rest = (TaughtKnob(number, wanted), *rest)
                    more = tr(
                        "{have} of {tags} tags: turn knob {knob} over",
                        have=have,
                        tags=wanted,
                        knob=number,
                    )
                    told.append(TellPerson(more))
                told.append(SayClips((_clip(asked),)))
            case TaughtSpare():
                spares[tag] = 0
                rest = self.wanted
                told += [
                    TellPerson(tr("spare {number}", number=len(spares))),
                    SayClips((_clip(asked),)),
                ]
            case TaughtCard(pack, face, _):
                cards = packs.get(pack, {}).items()
                packs[pack] = {**{known: one for known, one in cards if one != face}, tag: face}
                told.append(SayClips((_clip(asked),)))
        table = TagTable(tags, spares, packs)
        after = replace(
            self, table=table, wanted=rest, taught=taught, heard=frozenset(), resting=tag
        )
        return after, (KeepTags(table), *told)

    def _undo(self) -> tuple[Teaching, tuple[Effect, ...]]:
        if not self.taught:
            return self, (
                TellPerson(tr("nothing was taught since this began: there is nothing to undo")),
            )
        *before, (thing, table, wanted) = self.taught
        after = replace(
            self,
            table=table,
            wanted=wanted,
            taught=tuple(before),
            heard=frozenset(),
            checks=(),
            resting=None,
        )
        return after, (KeepTags(table), TellPerson(tr("taken back: {thing}", thing=name_of(thing))))

    def _checked(
        self, asked: Thing, tag: int, *, good: bool, sits: str = ""
    ) -> tuple[Teaching, tuple[Effect, ...]]:
        after = replace(self, checks=self.checks[1:], heard=frozenset(), resting=tag)
        if good:
            return after, (SayClips((_clip(asked),)),)
        told = tr(
            "WRONG: {asked} was asked for, and this tag is {sits}",
            asked=name_of(asked),
            sits=sits or tr("not known"),
        )
        return replace(after, wrong=(*self.wrong, asked)), (TellPerson(told),)

    def _sits_in(self, tag: int) -> str:
        """Return what a tag sits in; empty for nothing, or a spare knob without a number."""
        if tag in self.table.cards:
            pack, face = self.table.cards[tag]
            return _named(TaughtCard(pack, face))
        knob = self.table.knobs.get(tag)
        return _named(TaughtKnob(knob)) if knob else ""


def _clip(thing: Thing) -> str:
    """Return the clip that says what a thing is; a chime for what has no name."""
    match thing:
        case TaughtKnob(number):
            return f"number.{number}"
        case TaughtCard(face=face):
            return f"card.{face}"
    return "chime"


def _named(thing: Thing) -> str:
    match thing:
        case TaughtKnob(number):
            return tr("knob {number}", number=number)
        case TaughtCard(pack, face):
            return tr("{face} of the pack {pack}", face=face, pack=pack)
    return tr("a spare")


def name_of(thing: Thing) -> str:
    """Return what a thing is called on the screen."""
    return thing.name if isinstance(thing, TaughtCard) and thing.name else _named(thing)


def missing_knobs(table: TagTable, tags: int, last: int) -> list[int]:
    """Return the numbers up to `last` that lack a knob with so many tags; a spare that stands in
    counts."""
    have, spares = [*table.tags.values()], table.spares.values()
    numbers = range(1, last + 1)
    return [number for number in numbers if have.count(number) < tags and number not in spares]
