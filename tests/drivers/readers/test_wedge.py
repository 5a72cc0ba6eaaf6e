"""Readers that are a keyboard: keys in, tags out; the keyboard is grabbed, lost and found."""

import errno
import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import (
    BadOption,
    Cure,
    DeviceFound,
    DeviceLost,
    DeviceMissing,
    Misread,
    ReadRefused,
    Refusal,
    TagLeft,
    TagRead,
)
from drivers.making import make_driver
from drivers.readers.frames import Tag
from drivers.readers.wedge import Typed, Wedge
from drivers.simulated.lines import Stroke
from drivers.simulated.readers import FOREIGN, SimulatedWedge
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

# The kernel's numbers, from linux/input-event-codes.h.
ROW = {
    "1": 2,
    "2": 3,
    "3": 4,
    "4": 5,
    "5": 6,
    "6": 7,
    "7": 8,
    "8": 9,
    "9": 10,
    "0": 11,
    "\n": 28,
    "a": 30,
    "b": 48,
    "c": 46,
    "d": 32,
    "e": 18,
    "f": 33,
    "-": 12,
    ",": 51,
    ";": 39,
    "/": 53,
    "\t": 15,
}
PAD = {
    "7": 71,
    "8": 72,
    "9": 73,
    "4": 75,
    "5": 76,
    "6": 77,
    "1": 79,
    "2": 80,
    "3": 81,
    "0": 82,
    "\n": 96,
}
SYN, DROPPED = Stroke(0, 0, 0), Stroke(0, 3, 0)


def typed(text, keys=ROW):
    """The strokes of a text, each key down and up, as the kernel reports them."""
    return [
        stroke
        for letter in text
        for stroke in (Stroke(1, keys[letter], 1), SYN, Stroke(1, keys[letter], 0), SYN)
    ]


TYPED = [
    ("a tag", typed("0006547886\n"), [Tag(6547886)]),
    ("on the number pad", typed("0006547886\n", PAD), [Tag(6547886)]),
    ("the highest", typed("4294967295\n"), [Tag(2**32 - 1)]),
    ("more than 32 bits", typed("4294967296\n"), [Refusal.FORM]),
    ("all zero", typed("0000000000\n"), [Refusal.ZERO]),
    ("nine digits", typed("006547886\n"), [Refusal.FORM]),
    ("eleven digits", typed("00006547886\n"), [Refusal.FORM]),
    ("a hundred digits", typed("0" * 100 + "\n"), [Refusal.FORM]),
    ("Enter alone", typed("\n"), []),
    ("CR and LF", typed("0006547886\n\n"), [Tag(6547886)]),
    ("Tab", typed("0006547886\t"), [Tag(6547886)]),
    ("Tab and Enter", typed("0006547886\t\n"), [Tag(6547886)]),
    ("a letter in nine digits", typed("00065a788\n"), [Refusal.FORM]),
    ("a sign, which int() would take", typed("-006547886\n"), [Refusal.FORM]),
    ("no Enter", typed("0006547886"), []),
    ("two tags", typed("0006547886\n0013530444\n"), [Tag(6547886), Tag(13530444)]),
    ("a bad one, then a good one", typed("65\n0013530444\n"), [Refusal.FORM, Tag(13530444)]),
    (
        "a key that is held repeats",
        [*typed("000654788"), Stroke(1, 7, 1), Stroke(1, 7, 2), *typed("\n")],
        [Tag(6547886)],
    ),
    ("the kernel lost keys", [*typed("00065"), DROPPED, *typed("47886\n")], [Refusal.FORM]),
    (
        "a French keyboard, whose digits want Shift",
        [
            Stroke(1, 58, 1),
            Stroke(1, 58, 0),
            Stroke(1, 42, 1),
            *typed("0006547886"),
            Stroke(1, 42, 0),
            *typed("\n"),
        ],
        [Tag(6547886)],
    ),
    ("movements of a mouse", [Stroke(2, 0, 5), *typed("0006547886\n")], [Tag(6547886)]),
]


@pytest.mark.parametrize(("what", "strokes", "found"), TYPED, ids=[row[0] for row in TYPED])
def test_what_is_typed(what, strokes, found):
    """Ten digits and Enter are a tag; anything else that ends with Enter is refused, and the next
    tag is read."""
    assert Typed().feed(strokes) == found


def test_half_a_number_is_refused_at_the_silence():
    """Digits that no Enter follows are one refusal, and do not spoil the next tag."""
    keys = Typed()
    assert keys.feed(typed("00065")) == []
    assert keys.silence() == [Refusal.FORM]
    assert keys.silence() == []
    assert keys.feed(typed("0006547886\n")) == [Tag(6547886)]


@given(
    st.lists(st.one_of(st.sampled_from(sorted(ROW)), st.just("0006547886\n")), max_size=30),
    st.integers(0, 40),
)
def test_any_text_gives_what_its_lines_say(parts, cut):
    """However the keys are cut: each line that is not empty gives a tag or a refusal, in order."""
    text = "".join(parts)
    strokes, whole, keys = typed(text), Typed(), Typed()
    found = keys.feed(strokes[:cut]) + keys.feed(strokes[cut:])
    assert found == whole.feed(strokes)
    lines = [line for line in text.replace("\t", "\n").split("\n")[:-1] if line]
    assert len(found) == len(lines)
    for line, one in zip(lines, found, strict=True):
        if len(line) == 10 and line.isdecimal() and isinstance(one, Tag):
            assert one.number == int(line)


class Desk:
    """A driver on a simulated keyboard, on a clock that is moved by hand."""

    def __init__(self, folder):
        self.clock = HandClock()
        self.hand = SimulatedWedge(folder, clock=self.clock, sleeper=self.clock.sleeper)
        self.inbox = Inbox()
        self.connect = Watched(self.hand.connect)
        self.reader = Wedge(
            device=self.hand.port,
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
        )
        self.reader.open(self.inbox)

    def waits(self):
        """Until the driver waits before its next try, and for how long."""
        while not (pause := self.clock.asked.get(timeout=LIMIT_S)):
            pass
        return pause


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.reader.close()
    desk.hand.close()


def test_every_hand(desk):
    """A knob, two at once, a foreign and a damaged one: a reading, a refusal, never another tag."""
    assert desk.connect.next().grabbed
    hand, inbox = desk.hand, desk.inbox
    hand.drop(6547886)
    assert inbox.next() == TagRead("reader", 6547886, 1000)
    hand.two(6547886, 13530444)
    assert inbox.next() == ReadRefused("reader", Refusal.FORM, 1000)
    hand.foreign()
    assert inbox.take(2) == [TagLeft("reader", 6547886, 1000), TagRead("reader", FOREIGN, 1000)]
    desk.clock.advance(2)
    hand.damage(6547886)
    assert inbox.next() == ReadRefused("reader", Refusal.FORM, 1002)
    hand.lift()
    desk.clock.advance(60)
    hand.drop(FOREIGN)
    assert inbox.take(2) == [TagLeft("reader", FOREIGN, 1062), TagRead("reader", FOREIGN, 1062)]
    assert inbox.empty()


def test_a_pulled_keyboard_is_lost_and_found(desk):
    """The cable out is a lost reader, tried again with growing pauses; back it is grabbed again,
    and half a number is gone."""
    desk.connect.next()
    desk.hand.send(b"00065")
    desk.hand.unplug()
    lost = desk.inbox.next_of(DeviceLost)
    assert (
        lost.reason
        == f"the reader does not answer on {desk.hand.port} (No such device): check its cable and"
        " its port"
    )
    assert desk.waits() == 0.25
    desk.hand.plug()
    desk.clock.advance(4)
    assert desk.connect.next().grabbed
    assert isinstance(desk.inbox.next(), DeviceFound)
    desk.hand.drop(47886)
    assert desk.inbox.next().tag == 47886


def test_a_keyboard_that_another_program_has_grabbed(tmp_path):
    """The sentence names the other program as the cause; the device is closed, and tried again."""
    closed = []

    class Grabbed:
        def fileno(self):
            return -1

        def grab(self):
            raise OSError(errno.EBUSY, "Device or resource busy")

        def close(self):
            closed.append(self)

    clock, inbox = HandClock(), Inbox()
    reader = Wedge(
        device="/dev/input/event0", clock=clock, sleeper=clock.sleeper, connect=lambda _: Grabbed()
    )
    reader.open(inbox)
    assert "is held by another program" in inbox.next().reason
    assert closed
    reader.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "usb-reader"}, "no path"),
        ({"firmware": "new"}, "'new'.*repeats, entry, once, learn"),
        ({"gone_s": -1}, "gone_s"),
        ({"shape": "9d"}, "'9d'.*auto, 10d, 13d, 8h, 10h"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    """Each wrong option is refused when the driver is made."""
    with pytest.raises(BadOption, match=message):
        Wedge(**{"device": "/dev/input/event0", "connect": lambda _: None, **options})


def test_the_library_is_asked_for_in_words():
    """Without evdev the reader says what to install; with it, the driver is made."""
    if importlib.util.find_spec("evdev") is None:
        with pytest.raises(DeviceMissing, match="apt-get install python3-evdev"):
            make_driver("wedge", device="/dev/input/event0")
    else:
        make_driver("wedge", device="/dev/input/event0")


def test_a_reader_that_is_set_to_eight_digits_is_named(desk):
    """The third such line says what to set, once, and the log has it; with the shape in its
    settings the reader is read."""
    desk.connect.next()
    for number in (6547886, 13530444, 9776930):
        desk.hand.send(b"%08d\n" % number)
        assert isinstance(desk.inbox.next(), ReadRefused)
        desk.clock.advance(2)
    told = desk.inbox.next()
    assert isinstance(told, Misread)
    assert (told.sample, told.length, told.cure, told.typed) == ("09776930", 8, Cure.TEN, True)
    desk.hand.send(b"06547886\n")
    assert isinstance(desk.inbox.next(), ReadRefused)
    assert desk.inbox.empty()
