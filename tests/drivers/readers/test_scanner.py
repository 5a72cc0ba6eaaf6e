"""Scanners of printed codes: bytes or keys in, codes out; damage is never a code; lost, found, and
one scan for one look."""

import importlib.util
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadOption, DeviceFound, DeviceLost, DeviceMissing, ReadRefused, Refusal, Scanned
from drivers.making import make_driver
from drivers.readers.keyboard import EV_KEY, UP
from drivers.readers.scanner import LONGEST, Beam, Codes, KeyScanner, Scanner, TypedCodes
from drivers.simulated.lines import SimulatedKeyScanner, SimulatedScanner, Stroke
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

BAD = Refusal.FORM
# What is sent, byte by byte as it stands on the line, and what it comes to.
LINES = [
    ("CR", b"7ZQ4K0M2XD\r", ["7ZQ4K0M2XD"]),
    ("LF", b"7ZQ4K0M2XD\n", ["7ZQ4K0M2XD"]),
    ("CR LF is one end", b"0001\r\n0002\r\n", ["0001", "0002"]),
    ("ends alone are nothing", b"\r\n\r\r\n\n", []),
    ("a serial with hyphens", b"A000123-K7QX\r", ["A000123-K7QX"]),
    ("blanks around it", b"  0007 \r", ["0007"]),
    ("blanks alone", b"   \r0007\r", [BAD, "0007"]),
    ("an address on a poster", b"https://example.org/?a=1\r", ["https://example.org/?a=1"]),
    ("UTF-8", "Tombola à Noël\r".encode(), ["Tombola à Noël"]),
    ("not UTF-8", b"\xff\xfe0007\r0008\r", [BAD, "0008"]),
    ("a control inside", b"00\x0007\r0008\r", [BAD, "0008"]),
    ("framed by STX and ETX", b"\x020007\x03\r", [BAD]),
    ("as long as can be", b"x" * LONGEST + b"\r", ["x" * LONGEST]),
    ("one longer, and all of it goes", b"x" * (LONGEST + 1) + b"\r0007\r", [BAD, "0007"]),
    ("a stream without an end", b"x" * 100_000, []),
    ("and its end, at last", b"x" * 100_000 + b"\r0007\r", [BAD, "0007"]),
]


@pytest.mark.parametrize(("what", "data", "found"), LINES, ids=[row[0] for row in LINES])
@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_what_comes_over_the_line(what, data, found, piece):
    """A line of printable text is a code, however it is cut; anything else is refused, and the next
    line is read."""
    codes = Codes()
    assert [
        code
        for start in range(0, len(data), piece)
        for code in codes.feed(data[start : start + piece])
    ] == found


@pytest.mark.parametrize("kind", [Codes, TypedCodes])
def test_a_torn_code_is_never_half_of_one(kind):
    """A code that fell silent is refused, so is what follows up to the next end: the rest of a
    serial may be another's."""
    say = bytes if kind is Codes else lambda data: strokes(data.decode())
    codes = kind()
    assert codes.feed(say(b"A0001")) == []
    assert codes.silence() == [BAD]
    assert codes.silence() == []
    assert codes.feed(say(b"23\n")) == [BAD]
    assert codes.feed(say(b"0007\n")) == ["0007"]
    assert codes.silence() == []


@given(
    st.lists(st.text("0123456789ABCxyz-", max_size=20), max_size=8),
    st.lists(st.integers(0, 200), max_size=4),
)
def test_any_lines_any_cuts(lines, cuts):
    """Whatever is scanned, and wherever the bytes are cut: exactly the lines that are not empty, in
    order."""
    data = "".join(f"{line}\r\n" for line in lines).encode()
    codes, edges = Codes(), sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    found = [code for start, end in pairwise(edges) for code in codes.feed(data[start:end])]
    assert found == [line for line in lines if line]


@given(st.binary(max_size=300))
def test_no_bytes_do_harm(data):
    """Any bytes at all come to printable codes or refusals, and after two ends the next code is
    read."""
    codes = Codes()
    assert all(
        isinstance(code, Refusal) or (code.isprintable() and code) for code in codes.feed(data)
    )
    codes.silence()
    codes.feed(b"\r\r")
    assert codes.feed(b"0007\r") == ["0007"]


# The kernel's numbers, from linux/input-event-codes.h, of a keyboard of the United States.
KEYS = dict(zip("1234567890-", range(2, 13), strict=True)) | dict(
    zip("qwertyuiop", range(16, 26), strict=True)
)
KEYS |= dict(zip("asdfghjkl;", range(30, 40), strict=True)) | dict(
    zip("zxcvbnm,./", range(44, 54), strict=True)
)
KEYS |= {"\n": 28, " ": 57}
CAPITALS = {letter.upper(): code for letter, code in KEYS.items() if letter.isalpha()} | {
    ":": 39,
    "?": 53,
    "_": 12,
}


def strokes(text):
    """Each key down and up; Shift around those that want it."""
    found = []
    for letter in text:
        shift, code = letter in CAPITALS, CAPITALS.get(letter) or KEYS[letter]
        found += (
            [Stroke(1, 42, 1)] * shift
            + [Stroke(1, code, 1), Stroke(0, 0, 0), Stroke(1, code, 0)]
            + [Stroke(1, 42, 0)] * shift
        )
    return found


TYPED = [
    ("a serial", strokes("A000123-K7QX\n"), ["A000123-K7QX"]),
    ("small letters", strokes("ab-12\n"), ["ab-12"]),
    ("an address", strokes("https://x.org/?a_b\n"), ["https://x.org/?a_b"]),
    ("Enter alone", strokes("\n\n"), []),
    ("the number pad", [Stroke(1, code, 1) for code in (82, 82, 82, 71, 96)], ["0007"]),
    (
        "a key that means nothing",
        [*strokes("00"), Stroke(1, 1, 1), *strokes("07\n0008\n")],
        [BAD, "0008"],
    ),
    ("too long", strokes("x" * (LONGEST + 1) + "\n0007\n"), [BAD, "0007"]),
    (
        "the kernel lost keys",
        [*strokes("A00"), Stroke(0, 3, 0), *strokes("07\n0008\n")],
        [BAD, "0008"],
    ),
    ("lost with Shift down", [Stroke(1, 42, 1), Stroke(0, 3, 0), *strokes("\n1\n")], [BAD, "1"]),
    (
        "the other Shift is still down",
        [*(Stroke(1, *key) for key in ((42, 1), (54, 1), (42, 0), (12, 1), (54, 0), (28, 1)))],
        ["_"],
    ),
]


@pytest.mark.parametrize(("what", "keys", "found"), TYPED, ids=[row[0] for row in TYPED])
def test_what_is_typed(what, keys, found):
    """Letters, digits and signs of an American keyboard up to Enter are a code; anything else is
    refused."""
    assert TypedCodes().feed(keys) == found


def test_every_character_comes_as_it_was_scanned(tmp_path):
    """The simulated keyboard types each printable character, and the driver's table reads the
    same."""
    text = "".join(map(chr, range(33, 127)))
    typed = []

    class Pressed:
        def press(self, code, shift=False):
            around = [Stroke(EV_KEY, 42, 1)] * shift, [Stroke(EV_KEY, 42, UP)] * shift
            typed.extend(
                [*around[0], Stroke(EV_KEY, code, 1), Stroke(EV_KEY, code, UP), *around[1]]
            )

    hand = SimulatedKeyScanner(tmp_path)
    hand.keyboard = Pressed()
    hand.scan(text)
    assert TypedCodes().feed(typed) == [text]


def test_a_code_that_is_held_is_one_scan():
    """Read again within a second it is the same scan, however long it is held; away for longer, or
    another between, it is new."""
    beam = Beam("scanner", 1.0)
    at = [
        (0.0, "A"),
        (0.5, "A"),
        (1.5, "A"),
        (2.4, "A"),
        (3.5, "A"),
        (3.6, "B"),
        (3.7, "A"),
        (3.8, BAD),
        (4.0, "A"),
    ]
    events = [event for now, code in at for event in beam.judge([code], now)]
    assert events == [
        Scanned("scanner", "A", 0.0),
        Scanned("scanner", "A", 3.5),
        Scanned("scanner", "B", 3.6),
        Scanned("scanner", "A", 3.7),
        ReadRefused("scanner", BAD, 3.8),
    ]


class Counter:
    """A driver and the hand before it, of either kind, on a clock that is moved by hand."""

    def __init__(self, kind, folder):
        self.clock, self.inbox = HandClock(), Inbox()
        times = {"clock": self.clock, "sleeper": self.clock.sleeper}
        if kind == "scanner":
            self.hand, self.connect = SimulatedScanner(folder), Watched()
            self.scanner = Scanner(port=self.hand.port, connect=self.connect, **times)
        else:
            self.hand = SimulatedKeyScanner(folder)
            self.connect = Watched(self.hand.connect)
            self.scanner = KeyScanner(device=self.hand.port, connect=self.connect, **times)
        self.scanner.open(self.inbox)
        self.connect.next()

    def waits(self):
        while not (pause := self.clock.asked.get(timeout=LIMIT_S)):
            pass
        return pause


@pytest.fixture(params=["scanner", "keyboard-scanner"])
def counter(request, tmp_path):
    counter = Counter(request.param, tmp_path)
    yield counter
    counter.scanner.close()
    counter.hand.close()


def test_a_pulled_scanner_is_lost_and_found(counter):
    """The cable out is a lost device, tried again; back, the half of a code from before is gone and
    the next is read whole."""
    counter.hand.send(b"A000")
    counter.hand.unplug()
    assert (
        f"the scanner does not answer on {counter.hand.port}"
        in counter.inbox.next_of(DeviceLost).reason
    )
    assert counter.waits() == 0.25
    counter.hand.plug()
    counter.clock.advance(4)
    counter.connect.next()
    counter.inbox.next_of(DeviceFound)
    counter.hand.scan("7ZQ4K0M2XD")
    assert counter.inbox.next() == Scanned("scanner", "7ZQ4K0M2XD", counter.clock.now)


def test_the_port_is_set_as_scanners_send(tmp_path):
    """9600 bits a second, 8N1, for nobody else, unless the settings say another speed."""
    asked = {}

    def connect(url, **options):
        asked.update(options)
        raise OSError(2, "not there")

    clock, inbox = HandClock(), Inbox()
    for options, baud in (({}, 9600), ({"baud": 115200}, 115200)):
        scanner = Scanner(
            port="/dev/none", clock=clock, sleeper=clock.sleeper, connect=connect, **options
        )
        scanner.open(inbox)
        inbox.next_of(DeviceLost)
        scanner.close()
        assert (asked["baudrate"], asked["exclusive"]) == (baud, True)
        assert not asked.keys() & {"bytesize", "parity", "stopbits"}, "pyserial's own are 8N1"


@pytest.mark.parametrize(
    ("driver", "options", "message"),
    [
        ("scanner", {"port": "loop://", "baud": 9601}, "baud=9601"),
        ("scanner", {"port": "nonsense://"}, "is not a port"),
        ("scanner", {"port": "loop://", "gone_s": 0}, "gone_s=0"),
        ("scanner", {"device": "/dev/input/event0"}, "device"),
        ("keyboard-scanner", {"device": "usb-scanner"}, "no path"),
        (
            "keyboard-scanner",
            {"device": "/dev/input/event0", "connect": lambda _: None, "gone_s": -1},
            "gone_s=-1",
        ),
    ],
)
def test_options_that_cannot_be_used(driver, options, message):
    """Each wrong option is refused when the driver is made."""
    with pytest.raises(BadOption, match=message):
        make_driver(driver, **options)


def test_the_library_is_asked_for_in_words():
    """Without evdev a keyboard scanner says what to install; with it, the driver is made."""
    if importlib.util.find_spec("evdev") is None:
        with pytest.raises(
            DeviceMissing,
            match="the scanner needs the library 'evdev': sudo apt-get install python3-evdev",
        ):
            make_driver("keyboard-scanner", device="/dev/input/event0")
    else:
        make_driver("keyboard-scanner", device="/dev/input/event0")
