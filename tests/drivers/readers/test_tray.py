"""The tray: which of many frames is a new reading, what silence proves of each kind of reader, and
two knobs at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import ReadRefused, Refusal, TagConfirmed, TagLeft, TagRead
from drivers.readers.frames import Habit, Tag
from drivers.readers.tray import REPEATS, Tray

A, B = Tag(6547886, 1), Tag(13530444, 0x3C)
NAMES = {A.number: "A", B.number: "B", 0: "nought"}
QUIET = "quiet"

# A firmware that repeats 20 frames a second, and one that has fallen silent.
RESTS = [(n * 0.05, A) for n in range(100)]

# The habit, what comes as (seconds, frame), and what is said.
TRAY = [
    ("repeats", "a knob that rests", RESTS, "A 0"),
    ("repeats", "lifted for a moment", [(0, A), (0.9, A)], "A 0"),
    ("repeats", "exactly a second is not yet gone", [(0, A), (1, QUIET), (1, A)], "A 0"),
    ("repeats", "lifted", [(0, A), (1, QUIET), (1.2, QUIET), (1.4, QUIET)], "A 0, -A 1.2"),
    ("repeats", "lifted and laid again", [(0, A), (1.2, QUIET), (1.5, A)], "A 0, -A 1.2, A 1.5"),
    ("repeats", "laid again before anybody looked", [(0, A), (1.5, A)], "A 0, -A 1.5, A 1.5"),
    (
        "repeats",
        "another knob, then the first again",
        [(0, A), (0.1, B), (0.2, A)],
        "A 0, -A 0.1, B 0.1, -B 0.2, A 0.2",
    ),
    (
        "repeats",
        "the other version byte is the same knob",
        [(0, A), (0.5, Tag(A.number, 9))],
        "A 0",
    ),
    (
        "repeats",
        "garbage is no leaving",
        [(0, A), (0.9, Refusal.CHECK), (1.8, A)],
        "A 0, check 0.9",
    ),
    ("repeats", "nobody was there", [(5, QUIET)], ""),
    ("repeats", "a tag with the number nought", [(0, Tag(0, 1))], "nought 0"),
    ("entry", "sent once", [(0, A), *[(n, QUIET) for n in range(1, 100)]], "A 0"),
    ("entry", "sent five times", [(n * 0.05, A) for n in range(5)], "A 0"),
    ("entry", "at the edge of the field", [(0, A), (0.4, A), (1.3, A)], "A 0"),
    ("entry", "lifted and laid again", [(0, A), (60, QUIET), (61, A)], "A 0, -A 61, A 61"),
    ("entry", "another knob after it", [(0, A), (60, QUIET), (61, B)], "A 0, -A 61, B 61"),
    ("once", "sent again without a cause", [(0, A), (60, QUIET), (61, A), (3000, A)], "A 0"),
    (
        "once",
        "another knob, then the first again",
        [(0, A), (60, B), (120, A)],
        "A 0, -A 60, B 60, -B 120, A 120",
    ),
    ("learn", "sent five times, long ago", [*RESTS[:5], (60, QUIET)], "A 0"),
    ("learn", "sent five times, and again", [*RESTS[:5], (60, A)], "A 0, -A 60, A 60"),
    (
        "learn",
        "sent five times, taken in and out",
        [*RESTS[:5], *[(t + 0.9, A) for t, _ in RESTS[:5]], (9, QUIET)],
        "A 0",
    ),
    ("learn", "one who repeats is known by it", [*RESTS[:REPEATS], (9, QUIET)], "A 0, -A 9"),
    ("learn", "and not sooner", [*RESTS[: REPEATS - 1], (9, QUIET)], "A 0"),
    (
        "learn",
        "a gap begins the count anew",
        [*RESTS[:15], *[(t + 5, A) for t, _ in RESTS[:15]], (99, QUIET)],
        "A 0, -A 5, A 5",
    ),
    (
        "learn",
        "known of one knob, known of the next",
        [*RESTS[:20], (1.5, B), (9, QUIET)],
        "A 0, -A 1.5, B 1.5, -B 9",
    ),
    (
        "learn",
        "garbage that repeats is said once",
        [(n / 10, Refusal.CHECK) for n in range(50)],
        "check 0",
    ),
    (
        "learn",
        "garbage of two kinds",
        [(n / 10, (Refusal.CHECK, Refusal.FORM)[n % 2]) for n in range(9)],
        "check 0, form 0.1",
    ),
    (
        "learn",
        "garbage again after a while",
        [(0, Refusal.CHECK), (1.5, Refusal.CHECK)],
        "check 0, check 1.5",
    ),
    (
        "learn",
        "a second knob laid beside twice",
        [(0, A), (1, Refusal.CHECK), (2, A), (2.5, Refusal.CHECK)],
        "A 0, check 1, check 2.5",
    ),
]

# What a polled reader sees as (seconds, tags), and what is said.
POLLED = [
    ("a knob that rests", [(n / 10, "A") for n in range(100)], "A 0"),
    ("missed once, at the edge of the field", [(0, "A"), (0.1, ""), (0.2, "A")], "A 0"),
    ("lifted", [(0, "A"), (0.1, "A"), (0.9, ""), (1.1, ""), (1.2, "")], "A 0, -A 1.2"),
    (
        "lifted and laid again",
        [(0, "A"), (0.1, ""), (0.9, ""), (1.1, ""), (1.3, "A")],
        "A 0, -A 1.1, A 1.3",
    ),
    ("seen, missed, seen", [(n / 10, "A" if n % 3 == 0 else "") for n in range(100)], "A 0"),
    ("seen once a second", [(n / 10, "A" if n % 10 == 0 else "") for n in range(100)], "A 0"),
    (
        "one that has wavered may be away for longer",
        [(0, "A"), (0.5, "A"), (2.0, ""), (3.4, "A"), (6.3, ""), (6.5, ""), (6.6, "")],
        "A 0, -A 6.5",
    ),
    (
        "another comes to a place that wavers",
        [(0, "A"), (0.5, "A"), (0.6, "B"), (1.5, ""), (1.7, "")],
        "A 0, -A 0.6, B 0.6, -B 1.7",
    ),
    ("another at once", [(0, "A"), (0.1, "B")], "A 0, -A 0.1, B 0.1"),
    ("two at once", [(n / 10, "AB") for n in range(50)], "two 0"),
    ("two, and one is taken away", [(0, "AB"), (0.1, "B")], "two 0, B 0.1"),
    (
        "one beside the other, and taken away",
        [(0, "A"), (0.1, "AB"), (0.2, "BA"), (0.3, "A")],
        "A 0, two 0.1",
    ),
    (
        "one beside the other, and the first is taken away",
        [(0, "A"), (0.1, "AB"), (0.2, "B")],
        "A 0, two 0.1, -A 0.2, B 0.2",
    ),
    ("both taken away", [(0, "A"), (0.1, "AB"), (0.9, ""), (1.2, "")], "A 0, two 0.1, -A 1.2"),
    (
        "missed, two, missed",
        [(0, "A"), (0.1, ""), (0.2, "AB"), (0.3, ""), (0.4, "A")],
        "A 0, two 0.2",
    ),
    ("the cable was out", [(0, "A"), (9, "A")], "A 0, -A 9, A 9"),
]


def words(events, start):
    """Events as a line: "A 0.1" for read, "-A 0.1" for left, "check 0.1" for refused; seconds since
    the start."""
    said = []
    for event in events:
        at = f"{event.at - start:g}"
        match event:
            case TagRead(reader="reader", tag=tag):
                said.append(f"{NAMES[tag]} {at}")
            case TagLeft(reader="reader", tag=tag):
                said.append(f"-{NAMES[tag]} {at}")
            case ReadRefused(reader="reader", why=why):
                said.append(f"{why} {at}")
    return ", ".join(said)


@pytest.mark.parametrize(("habit", "what", "frames", "expected"), TRAY)
def test_frames_on_the_tray(habit, what, frames, expected):
    """A resting knob is one reading; what silence and the same knob again mean is the reader's
    habit (H13)."""
    tray = Tray("reader", 1.0, Habit(habit))
    events = []
    for at, found in frames:
        events += tray.quiet(500 + at) if found is QUIET else tray.judge(found, 500 + at)
    assert words(events, 500) == expected


@pytest.mark.parametrize(("what", "looks", "expected"), POLLED)
def test_a_polled_tray(what, looks, expected):
    """A coming is known at once, a tag at the edge of the field is one reading, and two are never
    a reading."""
    tray = Tray("reader", 1.0, Habit.REPEATS)
    numbers = {"A": A.number, "B": B.number}
    events = []
    for at, lying in looks:
        events += tray.look([numbers[name] for name in lying], 500 + at)
    assert words(events, 500) == expected


comings = st.lists(
    st.tuples(
        st.sampled_from([0.05, 0.1, 0.9, 1.1, 5.0]), st.sampled_from([A, B, Refusal.CHECK, QUIET])
    )
)
lookings = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 2.0]), st.sampled_from([(), (1,), (2,), (1, 2)]))
)


def alternates(events, tray):
    """At most one tag rests at a time, each leaves before the next comes, and the last one is what
    rests."""
    resting = None
    for event in events:
        if isinstance(event, TagRead):
            assert resting is None
            resting = event.tag
        elif isinstance(event, TagLeft):
            assert event.tag == resting
            resting = None
    assert tray.resting == resting


@given(st.sampled_from(Habit), comings)
def test_a_reading_is_always_between_two_leavings(habit, comings):
    """Whatever comes whenever: tags come and leave in turn, and what rests is what came last."""
    tray, at, events = Tray("reader", 1.0, habit), 500.0, []
    for pause, found in comings:
        at += pause
        events += tray.quiet(at) if found is QUIET else tray.judge(found, at)
    alternates(events, tray)


@given(lookings)
def test_polls_are_always_between_two_leavings(looks):
    """The same of a polled reader; and no look with two tags reads one."""
    tray, at, events = Tray("reader", 1.0, Habit.REPEATS), 500.0, []
    for pause, lying in looks:
        at += pause
        came = tray.look(lying, at)
        assert len(lying) < 2 or not any(isinstance(event, TagRead) for event in came)
        events += came
    alternates(events, tray)


@given(
    st.integers(1, 5),
    st.lists(st.booleans(), min_size=20, max_size=300),
)
def test_a_polled_tag_at_the_edge_is_one_reading(every, seen):
    """However it is missed, for less than a second at a time: one reading, which never leaves."""
    tray, at, events, missed = Tray("reader", 1.0, Habit.REPEATS), 500.0, [], 0
    for is_seen in (True, *seen):
        at, missed = at + every / 10, missed + every
        there = is_seen or missed + every >= 10
        missed = 0 if there else missed
        events += tray.look([A.number] if there else [], at)
    readings = [event for event in events if isinstance(event, TagRead)]
    assert len(readings) == 1
    assert not any(isinstance(event, TagLeft) for event in events)


# Frames as (seconds, frame); "A" read, "+A" confirmed, "~A" back, "-A" left.
TWICE = [
    ("repeats", "the second frame", [(0, A), (0.05, A), (0.1, A)], "A +A"),
    ("learn", "sent once", [(0, A), (9, QUIET)], "A"),
    ("learn", "sent once, then another", [(0, A), (5, B), (9, QUIET)], "A -A B"),
    ("learn", "five times", [(n / 20, A) for n in range(5)], "A +A"),
    ("entry", "laid again at once", [(0, A), (0.7, A)], "A +A"),
    ("entry", "laid again", [(0, A), (5, A), (9, A)], "A -A A -A A"),
    ("once", "sent again without a cause", [(0, A), (60, A)], "A +A"),
    ("repeats", "each laying for itself", [(0, A), (0.05, A), (5, A), (5.1, A)], "A +A -A A +A"),
    (
        "learn",
        "one frame of noise while a knob rests",
        [(0, A), (0.05, A), (0.1, B), (0.15, A), (0.2, A)],
        "A +A -A B -B ~A",
    ),
    ("learn", "noise before the second frame", [(0, A), (0.1, B), (0.2, A)], "A -A B -B ~A +A"),
    (
        "learn",
        "noise of two kinds",
        [(0, A), (0.05, A), (0.1, B), (0.15, Tag(0, 1)), (0.2, A)],
        "A +A -A B -B nought -nought ~A",
    ),
    (
        "learn",
        "another knob that stays",
        [(0, A), (0.05, A), (0.1, B), (0.15, B), (0.2, A), (0.3, A)],
        "A +A -A B +B -B A +A",
    ),
    ("learn", "and one later", [(0, A), (0.1, A), (0.2, B), (1.5, A)], "A +A -A B -B A"),
    (
        "entry",
        "knobs laid quickly, then the first again",
        [(0, A), (0.9, B), (1.8, Tag(0, 1)), (2.7, A)],
        "A -A B -B nought -nought A",
    ),
    ("entry", "damage between", [(0, A), (0.1, Refusal.CHECK), (0.2, A)], "A check +A"),
]


@pytest.mark.parametrize(("habit", "what", "frames", "expected"), TWICE)
def test_what_was_heard_twice(habit, what, frames, expected):
    """The second frame of a laying confirms it, once; a single frame of another tag takes the
    place of none."""
    tray, said = Tray("reader", 1.0, Habit(habit)), []
    for at, found in frames:
        for event in tray.quiet(at) if found is QUIET else tray.judge(found, at):
            match event:
                case TagRead(tag=tag, back=back):
                    said.append(f"{'~' * back}{NAMES[tag]}")
                case TagConfirmed(tag=tag):
                    said.append(f"+{NAMES[tag]}")
                case TagLeft(tag=tag):
                    said.append(f"-{NAMES[tag]}")
                case ReadRefused(why=why):
                    said.append(str(why))
    assert " ".join(said) == expected


def test_a_decoder_that_compares_two_frames_has_proof():
    """Where no check follows the number, the decoder has compared two frames already."""
    events = Tray("reader", 1.0, Habit.REPEATS, proof=1).judge(A, 0.0)
    assert [type(event) for event in events] == [TagRead, TagConfirmed]


@given(st.sampled_from(Habit), st.lists(st.sampled_from([0.01, 0.05, 0.3, 2.0]), min_size=4))
def test_noise_is_never_confirmed(habit, pauses):
    """Single frames, each of another tag, before and after those of a knob: none is confirmed."""
    tray, at, events = Tray("reader", 1.0, habit), 500.0, []
    for number, pause in enumerate(pauses):
        at += pause
        events += tray.judge(A if number % 2 else Tag(1000 + number, 1), at)
    confirmed = {event.tag for event in events if isinstance(event, TagConfirmed)}
    assert confirmed <= {A.number}


@pytest.mark.parametrize(("pause", "back"), [(0.1, True), (0.9, True), (1.1, False), (60, False)])
def test_only_a_tag_that_lay_there_a_moment_ago_is_put_back(pause, back):
    """One frame of B may be noise over A. After a silence A had left, and comes anew."""
    tray = Tray("reader", 1.0, Habit.LEARN)
    events = [event for at in (500.0, 500.1) for event in tray.judge(A, at)]
    for after, tag in ((pause, B), (pause + 0.1, A)):
        events += tray.judge(tag, 500.1 + after)
    last = [event for event in events if isinstance(event, TagRead)][-1]
    assert (last.tag, last.back) == (A.number, back)


def test_noise_over_a_tag_that_came_after_a_silence_is_put_back():
    """What lay under others before the silence is forgotten."""
    x = Tag(1, 1)
    tray = Tray("reader", 1.0, Habit.LEARN)
    for at, tag in ((500.0, x), (500.1, B), (510.0, A), (510.1, B)):
        tray.judge(tag, at)
    assert tray.judge(A, 510.2)[-2:] == [
        TagRead("reader", A.number, 510.2, back=True),
        TagConfirmed("reader", A.number, 510.2),
    ]
