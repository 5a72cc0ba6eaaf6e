"""What is taken while knobs and cards are taught: only what was heard twice. However noise comes in
between, no knob gets another one's number."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from drivers import (
    SHORT,
    DeviceLost,
    Event,
    ReadRefused,
    Refusal,
    TagConfirmed,
    TagLeft,
    TagRead,
)
from drivers.readers.frames import FAMILIES, FrameDecoder, Habit, encode
from drivers.readers.tray import Tray
from station.base.nouns import KNOBS, PACK
from station.settings.tags import TagTable
from station.settings.teaching import (
    KeepTags,
    SayClips,
    TaughtCard,
    TaughtKnob,
    TaughtSpare,
    Teaching,
    TellPerson,
    UndoLast,
    missing_knobs,
)

TAKEN = "this tag is {} already: take the next"
ALIKE = (
    "this reader sends three bytes of a tag, and another tag ends in the same three: set the"
    " reader to ten digits (10D)"
)
BLUE = {20: "AS", 21: "2S"}
FULL = TagTable({9: 3}, {8: 0}, {"blue": BLUE, "red": {30: "KD"}})


def once(tag: int) -> list[Event]:
    """What a reader tells of a tag that it sends once."""
    return [TagRead("reader", tag, 0.0)]


def twice(tag: int) -> list[Event]:
    """What a reader tells of a tag that it sends again and again."""
    return [TagRead("reader", tag, 0.0), TagConfirmed("reader", tag, 0.1)]


def taught(
    table: TagTable, things: tuple[Any, ...], *laid: list[Event]
) -> tuple[Teaching, list[str], TagTable]:
    """The lesson after these events, what was told, and the table that was stored last."""
    lesson, told, kept = Teaching(table, things), [], table
    for event in (event for events in laid for event in events):
        lesson, effects = lesson.step(event)
        told += [effect.text for effect in effects if isinstance(effect, TellPerson)]
        for effect in effects:
            kept = effect.table if isinstance(effect, KeepTags) else kept
    return lesson, told, kept


def table(tags: dict[int, int], spares: dict[int, int] | None = None) -> TagTable:
    return TagTable(tags, spares or {})


A_KNOB = (TaughtKnob(37),)
TURN = "1 of 2 tags: turn knob 37 over"
KNOBS_TAUGHT = [
    ("a new tag", table({}), A_KNOB, [twice(5)], table({5: 37}), []),
    ("laid twice", table({}), A_KNOB, [once(5), once(5)], table({5: 37}), []),
    ("laid twice, noise between", table({}), A_KNOB, [once(5), once(6), once(5)],
     table({5: 37}), []),
    ("heard once", table({}), A_KNOB, [once(5)], table({}), []),
    ("two of noise", table({}), A_KNOB, [once(5), once(6)], table({}), []),
    ("it came back", table({}), A_KNOB, [[TagRead("reader", 5, 0.0, back=True)] * 2],
     table({}), []),
    ("none comes", table({}), A_KNOB, [], table({}), []),
    ("another's", table({9: 3}), A_KNOB, [twice(9), twice(5)], table({9: 3, 5: 37}),
     [TAKEN.format("knob 3")]),
    ("two tags", table({}), (TaughtKnob(37, 2),), [twice(5), twice(5), twice(6)],
     table({5: 37, 6: 37}), [TURN]),
    ("one of two", table({}), (TaughtKnob(37, 2),), [twice(5)], table({5: 37}), [TURN]),
    ("one tag more", table({5: 37}), (TaughtKnob(37, 2),), [twice(6)], table({5: 37, 6: 37}), []),
    ("a spare stands in", table({5: 37, 6: 37, 1: 1}, {8: 0}), (TaughtKnob(37, 3),), [twice(8)],
     table({1: 1}, {8: 37}), ["this spare is knob 37 from now on"]),
    ("a spare heard once", table({5: 37}, {8: 0}), (TaughtKnob(37, 2),), [once(8)],
     table({5: 37}, {8: 0}), []),
    ("a given spare", table({}, {8: 2}), A_KNOB, [twice(8), twice(5)], table({5: 37}, {8: 2}),
     [TAKEN.format("knob 2")]),
    ("anew", table({5: 37, 6: 37}), (TaughtKnob(37, 1, True),), [twice(7)], table({7: 37}), []),
    ("anew, noise", table({5: 37, 6: 37}), (TaughtKnob(37, 1, True),), [once(7)],
     table({5: 37, 6: 37}), []),
    ("anew, the same", table({5: 37, 6: 37}), (TaughtKnob(37, 1, True),), [twice(5)],
     table({5: 37}), []),
    ("anew, in the drawer", table({}, {8: 37}), (TaughtKnob(37, 1, True),), [twice(5)],
     table({5: 37}, {8: 0}), []),
    ("a card's", FULL, A_KNOB, [twice(20), twice(5)], replace(FULL, tags={9: 3, 5: 37}),
     [TAKEN.format("AS of the pack blue")]),
    ("trouble", table({}), A_KNOB,
     [[ReadRefused("reader", Refusal.CHECK, 0.0), DeviceLost("reader", "out", 0.0)], twice(5)],
     table({5: 37}),
     ["that could not be read: lay one knob alone on the reader", "reader is lost: out"]),
    ("spares", table({1: 1}, {7: 0}), (TaughtSpare(),),
     [twice(7), twice(8), once(8), once(10), twice(1), twice(9), once(10)],
     table({1: 1}, {7: 0, 8: 0, 9: 0}), ["spare 2", TAKEN.format("knob 1"), "spare 3"]),
    ("a card", FULL, (TaughtCard("blue", "KD"),), [once(5), once(6), once(5)],
     replace(FULL, packs={"blue": {**BLUE, 5: "KD"}, "red": {30: "KD"}}), []),
    ("a card heard once", FULL, (TaughtCard("blue", "KD"),), [once(5)], FULL, []),
    ("taken tags are no card's", FULL, (TaughtCard("blue", "KD"),),
     [twice(21), twice(9), twice(8), twice(30)], FULL,
     [TAKEN.format("2S of the pack blue"), TAKEN.format("knob 3"), TAKEN.format("a spare"),
      TAKEN.format("KD of the pack red")]),
    ("a card anew", FULL, (TaughtCard("blue", "AS", "", True),), [twice(5)],
     replace(FULL, packs={"blue": {21: "2S", 5: "AS"}, "red": {30: "KD"}}), []),
    ("a card anew, the same tag", FULL, (TaughtCard("blue", "AS", "", True),), [twice(20)],
     replace(FULL, packs={"blue": {21: "2S", 20: "AS"}, "red": {30: "KD"}}), []),
    ("three bytes", table({}), A_KNOB, [once(SHORT | 7), once(SHORT | 7)],
     table({SHORT | 7: 37}), []),
    ("three bytes that two end in", table({7: 1, 1 << 24 | 7: 2}), A_KNOB, [twice(SHORT | 7)],
     table({7: 1, 1 << 24 | 7: 2}),
     [ALIKE]),
    ("three bytes that one ends in", table({7: 1}), A_KNOB, [twice(SHORT | 7)], table({7: 1}),
     [TAKEN.format("knob 1")]),
    ("whole, and known by its end", table({SHORT | 7: 1}), A_KNOB, [twice(7)],
     table({SHORT | 7: 1}), [TAKEN.format("knob 1")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "before", "things", "laid", "after", "said"),
    KNOBS_TAUGHT,
    ids=[row[0] for row in KNOBS_TAUGHT],
)
def test_what_is_taken(
    what: str,
    before: TagTable,
    things: tuple[Any, ...],
    laid: list[list[Event]],
    after: TagTable,
    said: list[str],
) -> None:
    """Knobs, spares and cards by one rule: heard twice, and free. The stored table is the one in
    use, and the person is told what was not taken."""
    lesson, told, kept = taught(before, things, *laid)
    assert lesson.table == kept == after
    assert told == said
    assert kept.packs == after.packs


def test_each_is_spoken_as_it_is_taken() -> None:
    """The number when it is taken, and a chime for what has none."""
    lesson, effects = Teaching(TagTable(), (TaughtKnob(2),)).step(once(5)[0])
    assert effects == ()
    _, effects = lesson.step(twice(5)[1])
    assert effects[1:] == (SayClips(("number.2",)),)
    lesson, _ = Teaching(TagTable(), (TaughtCard("blue", "KD"),)).step(once(5)[0])
    assert lesson.step(twice(5)[1])[1][1:] == (SayClips(("card.KD",)),)
    lesson, _ = Teaching(TagTable(), (TaughtSpare(),)).step(once(5)[0])
    assert lesson.step(twice(5)[1])[1][1:] == (TellPerson("spare 1"), SayClips(("chime",)))


def test_the_last_one_is_taken_back() -> None:
    """Undo asks for it again, step by step to where this run began; what was taught before stays,
    a spare and a card's old tag come back."""
    lesson, told, kept = taught(
        TagTable({1: 1}),
        (TaughtKnob(2), TaughtKnob(3)),
        twice(5),
        twice(6),
        [UndoLast()],
        twice(7),
        [UndoLast()] * 3,
    )
    assert (lesson.wanted, kept) == ((TaughtKnob(2), TaughtKnob(3)), TagTable({1: 1}))
    assert told == [
        "taken back: knob 3", "taken back: knob 3", "taken back: knob 2",
        "nothing was taught since this began: there is nothing to undo",
    ]  # fmt: skip
    lesson, _, kept = taught(FULL, (TaughtCard("blue", "AS", "", True),), twice(5), [UndoLast()])
    assert kept == FULL
    lesson, _, kept = taught(FULL, (TaughtKnob(7),), twice(8), [UndoLast()], once(8))
    assert (kept, lesson.unsure) == (FULL, True)


@pytest.mark.parametrize(
    ("count", "again"), [(1, []), (2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 4]), (90, [30, 60, 90])]
)
def test_three_are_laid_again(count: int, again: list[int]) -> None:
    """Spread over what was taught, the last one at the end; a single one was heard twice."""
    things = tuple(TaughtKnob(number) for number in range(1, count + 1))
    lesson, _, _ = taught(
        TagTable(), things, *[twice(100 + number) for number in range(1, count + 1)]
    )
    lesson = lesson.check()
    asked = []
    while isinstance(lesson.asks, TaughtKnob):
        asked.append(lesson.asks.number)
        assert lesson.checking
        lesson, effects = lesson.step(once(100 + lesson.asks.number)[0])
        assert effects == (SayClips((f"number.{asked[-1]}",)),)
    assert (asked, lesson.wrong, lesson.count) == (again, (), count)


def test_a_wrong_number_is_found_when_it_is_laid_again() -> None:
    """Another knob's tag counts as wrong when it was heard twice; not the one that still rests
    there, and not one frame of noise."""
    things = tuple(TaughtKnob(number) for number in (1, 2, 3))
    lesson, _, _ = taught(TagTable(), things, twice(11), twice(12), twice(13))
    lesson = lesson.check()
    # It rests; noise; as asked for; laid once more, as nothing had been said yet.
    for event in [*once(13), *twice(13), *once(999), *once(11), *twice(11)]:
        lesson, _ = lesson.step(event)
    assert (lesson.asks, lesson.wrong) == (TaughtKnob(2), ())
    lesson, _ = lesson.step(once(13)[0])
    lesson, effects = lesson.step(twice(13)[1])
    assert effects == (TellPerson("WRONG: knob 2 was asked for, and this tag is knob 3"),)
    lesson, _ = lesson.step(once(77)[0])
    lesson, effects = lesson.step(once(77)[0])
    assert effects == (TellPerson("WRONG: knob 3 was asked for, and this tag is not known"),)
    assert (lesson.asks, lesson.wrong) == (None, (TaughtKnob(2), TaughtKnob(3)))


def test_which_knobs_are_missing() -> None:
    """Those without a tag, or without the second; a spare that stands in is a knob like any
    other."""
    have = TagTable({number: number for number in range(1, 89)} | {100: 1}, {200: 89, 201: 0})
    assert missing_knobs(have, 1, KNOBS) == [90]
    assert missing_knobs(have, 2, KNOBS) == [*range(2, 89), 90]


# -- noise -----------------------------------------------------------------------------------------


class Reader:
    """A reader, its decoder and its tray; noise strikes between any two frames.

    Attributes:
        laid: how often a hand has laid something on it.
    """

    def __init__(self, habit: Habit, chance: random.Random, noise: list[int]) -> None:
        self._decoder = FrameDecoder(FAMILIES["rdm6300"])
        self._tray = Tray("reader", 1.0, habit)
        self._chance = chance
        self._noise = noise
        self._at = 500.0
        self.laid = 0

    def lay(self, tag: int, frames: int) -> list[Event]:
        """The events of a thing that is laid, rests and is lifted."""
        self.laid += 1
        events = []
        for _ in range(frames):
            if self._chance.random() < 0.1:
                events += self._hear(self._noise.pop(), self._chance.choice((0.01, 0.3)))
            events += self._hear(tag, 0.05)
        if self._chance.random() < 0.1:
            events += self._hear(self._noise.pop(), self._chance.choice((0.1, 1.2)))
        self._at += self._chance.choice((0.3, 0.9, 1.5))
        return events + self._tray.hear(self._decoder.silence(), self._at, silent=True)

    def _hear(self, tag: int, pause: float) -> list[Event]:
        self._at += pause
        return self._tray.hear(self._decoder.feed(encode(tag)), self._at, silent=False)


def enrol(seed: int, habit: Habit, frames: int) -> None:
    """One enrolment of ninety knobs or 52 cards, with noise at random places: each has its own tag
    at the end, and a reader that repeats needs each laid once."""
    chance = random.Random(seed)
    tags = chance.sample(range(1, 1 << 32), 4000)
    things: list[TaughtKnob | TaughtCard] = [TaughtKnob(number) for number in range(1, KNOBS + 1)]
    if seed % 3 == 0:
        things = [TaughtCard("blue", face) for face in PACK]
    mine, noise = dict(zip(things, tags, strict=False)), tags[200:]
    if seed % 2:  # noise that is another knob's tag, to be laid later or never
        noise = [*noise, *chance.sample(tags[:KNOBS], 40)]
    reader, lesson = Reader(habit, chance, noise), Teaching(TagTable(), tuple(things))
    while (asked := lesson.asks) is not None:
        assert not isinstance(asked, TaughtSpare)
        for event in reader.lay(mine[asked], frames):
            lesson, _ = lesson.step(event)
    knobs = {mine[one]: one.number for one in things if isinstance(one, TaughtKnob)}
    cards = {mine[one]: ("blue", one.face) for one in things if isinstance(one, TaughtCard)}
    assert (lesson.table.knobs, lesson.table.cards) == (knobs, cards)
    assert reader.laid <= len(things) * (1 if frames > 1 else 2) + (frames == 1) * len(things) // 9


KINDS = [(Habit.LEARN, 5), (Habit.LEARN, 25), (Habit.LEARN, 2), (Habit.REPEATS, 8),
         (Habit.ENTRY, 1), (Habit.ONCE, 1)]  # fmt: skip


@pytest.mark.parametrize(("habit", "frames"), KINDS)
def test_noise_shifts_no_knob(habit: Habit, frames: int) -> None:
    """Noise that is well formed, at random places of an enrolment: no knob is shifted."""
    for seed in range(6):
        enrol(seed, habit, frames)


@pytest.mark.long
def test_a_thousand_enrolments_with_noise() -> None:
    """A thousand enrolments over all kinds of readers: no knob is shifted."""
    for seed in range(1000):
        enrol(seed, *KINDS[seed % len(KINDS)])


def test_a_control_that_believes_one_reading_is_shifted() -> None:
    """The noise of these tests does shift the knobs of a lesson that takes what it hears first."""
    chance = random.Random(1)
    tags = chance.sample(range(1, 1 << 32), 4000)
    reader = Reader(Habit.LEARN, chance, tags[200:])
    believed = [
        event.tag
        for tag in tags[:KNOBS]
        for event in reader.lay(tag, 5)
        if isinstance(event, TagRead) and not isinstance(event, TagLeft)
    ]
    assert believed[:KNOBS] != tags[:KNOBS]
