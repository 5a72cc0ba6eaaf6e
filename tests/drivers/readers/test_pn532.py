"""The PN532: the manual's frames, damage on the line, and a chip that is asked until it answers or
is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import BadOption, DeviceFound, DeviceLost, ReadRefused, Refusal, TagLeft, TagRead
from drivers.readers.frames import Tag
from drivers.readers.pn532 import (
    CHIP,
    LIST,
    RF,
    SAM,
    WAKE,
    Chip,
    ControlFrame,
    Frames,
    NoAnswer,
    Said,
    command,
    tags,
)
from drivers.readers.rfid import Reader
from drivers.readers.tray import Tray
from drivers.simulated.readers import FOREIGN, PretendChip, SimulatedPn532
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

ANSWER = bytes.fromhex("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 07 8C FC 4F F0 00")
ACK = bytes.fromhex("00 00 FF 00 FF 00")
NONE = bytes.fromhex("00 00 FF 03 FD D5 4B 00 E0 00")
READ = Said(0x4B, bytes.fromhex("01 01 00 04 08 04 07 8C FC 4F"))

# Frames to the chip, as the manual and the drivers of others have them.
SENT = [
    ("14 01", "00 00 FF 03 FD D4 14 01 17 00"),
    ("4A 01 00", "00 00 FF 04 FC D4 4A 01 00 E1 00"),
    ("32 05 FF 01 01", "00 00 FF 06 FA D4 32 05 FF 01 01 F4 00"),
    ("02", "00 00 FF 02 FE D4 02 2A 00"),
]

HEARD = [
    ("an answer", ANSWER, [READ]),
    ("an acknowledgement", ACK, [ControlFrame.ACK]),
    (
        "the first answer of all",
        "00 00 FF 00 FF 00 00 00 FF 02 FE D5 15 16 00",
        [ControlFrame.ACK, Said(0x15)],
    ),
    ("a wish to hear it again", "00 00 FF FF 00 00", [ControlFrame.NACK]),
    ("not understood", "00 00 FF 01 FF 7F 81 00", [ControlFrame.ERROR]),
    ("both, as the chip sends them", ACK + ANSWER, [ControlFrame.ACK, READ]),
    ("without the bytes around it", ANSWER[1:-1], [READ]),
    ("many of them", bytes(20) + ANSWER + bytes(20), [READ]),
    ("noise before and between", b"\x55\xaa" + ACK + b"\x12" + ANSWER, [ControlFrame.ACK, READ]),
    ("the length's check", ANSWER.replace(b"\x0c\xf4", b"\x0c\xf5"), [Refusal.CHECK]),
    ("the content's check", ANSWER.replace(b"\x07\x8c", b"\x07\x8d"), [Refusal.CHECK]),
    (
        "a damaged one, then a good one",
        ANSWER.replace(b"\x07\x8c", b"\x07\x8d") + ANSWER,
        [Refusal.CHECK, READ],
    ),
    ("a torn one, then a good one", ANSWER[:9] + ANSWER, [Refusal.CHECK, READ]),
    ("a frame without content", "00 00 FF 01 FF D5 2B 00", [Refusal.FORM]),
    ("a longer frame, which nobody asked for", "00 00 FF FF FF 01 01 FE D5", [Refusal.CHECK]),
    ("the longest", command(0x4B, bytes(253), CHIP), [Said(0x4B, bytes(253))]),
    ("a length of nought", "00 00 FF 00 00", [Refusal.CHECK]),
    ("another reader's frame", b"\x020100639AE25\x03", []),
]

LISTED = [
    ("none", "00", []),
    ("one, of four bytes", "01 01 00 04 08 04 07 8C FC 4F", [Tag(0x078CFC4F)]),
    ("one, of seven bytes", "01 01 00 44 00 07 04 A1 B2 C3 D4 E5 F6", [Tag(0x04A1B2C3D4E5F6)]),
    (
        "one, of ten bytes",
        "01 01 00 84 00 0A 04 A1 B2 C3 D4 E5 F6 07 08 09",
        [Tag(0x04A1B2C3D4E5F6070809)],
    ),
    (
        "two",
        "02 01 00 04 08 04 07 8C FC 4F 02 00 04 08 04 07 8C FC 50",
        [Tag(0x078CFC4F), Tag(0x078CFC50)],
    ),
    ("one that has an ATS", "01 01 00 04 20 04 07 8C FC 4F 05 78 80 70 02", [Tag(0x078CFC4F)]),
    (
        "an ATS, and a second",
        "02 01 00 04 20 04 07 8C FC 4F 05 78 80 70 02 02 00 04 08 04 00 00 00 05",
        [Tag(0x078CFC4F), Tag(5)],
    ),
    ("all zero", "01 01 00 04 08 04 00 00 00 00", [Refusal.ZERO]),
    ("nothing at all", "", [Refusal.FORM]),
    ("fewer than it says", "02 01 00 04 08 04 07 8C FC 4F", [Refusal.FORM]),
    ("more than it says", "01 01 00 04 08 04 07 8C FC 4F 02", [Refusal.FORM]),
    ("a UID cut short", "01 01 00 04 08 04 07 8C FC", [Refusal.FORM]),
    ("a UID of five bytes", "01 01 00 04 08 05 07 8C FC 4F 01", [Refusal.FORM]),
    ("an ATS cut short", "01 01 00 04 20 04 07 8C FC 4F 05 78", [Refusal.FORM]),
    ("an ATS that is missing", "01 01 00 04 20 04 07 8C FC 4F", [Refusal.FORM]),
    ("the numbers of the list are wrong", "01 02 00 04 08 04 07 8C FC 4F", [Refusal.FORM]),
]


def as_bytes(written):
    return bytes.fromhex(written) if isinstance(written, str) else written


def by_table(data):
    """An oracle with none of our code: from place to place, is there a whole frame? Only what would
    be believed."""
    place, said = 0, []
    while place < len(data):
        head = data[place : place + 4]
        if head in (b"\x00\xff\x00\xff", b"\x00\xff\xff\x00"):
            said.append(head)
            place += 4
            continue
        if len(head) == 4 and head[:2] == b"\x00\xff" and head[2] > 0 and head[2] + head[3] == 256:
            body = data[place + 4 : place + 5 + head[2]]
            if (
                len(body) == head[2] + 1
                and sum(body) % 256 == 0
                and (len(body) > 2 or body == b"\x7f\x81")
            ):
                said.append(body)
                place += 4 + len(body)
                continue
        place += 1
    return said


def believed(items):
    """What of our own is no refusal, as the oracle writes it."""
    short = {
        ControlFrame.ACK: b"\x00\xff\x00\xff",
        ControlFrame.NACK: b"\x00\xff\xff\x00",
        ControlFrame.ERROR: b"\x7f\x81",
    }
    for item in items:
        if isinstance(item, Said):
            body = bytes([item.sender, item.code]) + item.data
            yield body + bytes([-sum(body) % 256])
        elif isinstance(item, ControlFrame):
            yield short[item]


@pytest.mark.parametrize(("said", "frame"), SENT)
def test_what_is_sent(said, frame):
    """The frame of each command, byte for byte."""
    said = bytes.fromhex(said)
    assert command(said[0], said[1:]) == bytes.fromhex(frame)


def test_how_it_is_woken():
    """The first bytes of all, as the makers of modules write them."""
    woken = "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 FF 03 FD D4 14 01 17 00"
    assert WAKE + command(SAM, b"\x01") == bytes.fromhex(woken)


@pytest.mark.parametrize(("what", "data", "items"), HEARD, ids=[row[0] for row in HEARD])
def test_what_is_heard(what, data, items):
    """Every kind of frame is itself, with noise or zeros around it; damage is refused, and the next
    frame is read."""
    frames = Frames()
    assert frames.feed(as_bytes(data)) == items
    assert frames.silence() == []


def test_a_torn_frame_holds_nothing_back():
    """What a false length would have swallowed is read when the line falls silent."""
    frames = Frames()
    assert frames.feed(bytes.fromhex("00 FF 40 C0") + ANSWER) == []
    assert frames.silence() == [Refusal.FORM, READ]
    assert frames.feed(ANSWER) == [READ]


@pytest.mark.parametrize(("what", "data", "found"), LISTED, ids=[row[0] for row in LISTED])
def test_what_is_listed(what, data, found):
    """The tags of an answer, by their UID; anything that does not fit to the last byte is refused
    whole."""
    assert tags(bytes.fromhex(data)) == found


pieces = st.one_of(
    st.sampled_from(
        [
            ACK,
            ANSWER,
            NONE,
            ControlFrame.NACK.value,
            ControlFrame.ERROR.value,
            ANSWER[:7],
            ANSWER[3:],
            b"\x00\xff",
            b"\x00",
            b"\xff",
        ]
    ),
    st.binary(max_size=6),
    st.builds(command, st.integers(0, 255), st.binary(max_size=20), st.sampled_from([0xD4, 0xD5])),
)


@given(st.lists(pieces, max_size=8), st.data())
def test_any_bytes_give_what_the_table_gives(parts, data):
    """Frames whole, torn, changed, within each other, cut into reads anywhere: exactly what the
    table finds, no error."""
    stream = bytearray(b"".join(parts))
    for _ in range(data.draw(st.integers(0, 3)) if stream else 0):
        stream[data.draw(st.integers(0, len(stream) - 1))] ^= data.draw(st.integers(1, 255))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    frames, items = Frames(), []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        items += frames.feed(bytes(stream[start:end]))
    items += frames.silence()
    assert list(believed(items)) == by_table(bytes(stream))


@given(st.binary(max_size=40))
def test_any_list_is_tags_or_refused(data):
    """No bytes raise, and nothing is left over or missing in what is taken for tags."""
    found = tags(data)
    if found == [Refusal.FORM]:
        return
    assert len(found) == data[0]
    assert len(data) >= 1 + 9 * data[0]


class Desk:
    """A driver on a simulated chip, on a clock that is moved by hand."""

    def __init__(self, folder):
        self.clock = HandClock()
        self.hand = SimulatedPn532(folder)
        self.inbox = Inbox()
        self.connect = Watched()
        self.reader = Reader(
            port=self.hand.port,
            family="pn532",
            clock=self.clock,
            sleeper=self.clock.sleeper,
            connect=self.connect,
        )
        self.reader.open(self.inbox)

    def polls(self, count):
        """Lets the driver ask so many times more."""
        for _ in range(count):
            assert self.clock.asked.get(timeout=LIMIT_S) == pytest.approx(0.1)
            self.clock.advance(0.1)


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    desk.reader.close()
    desk.hand.close()


def test_coming_and_leaving_are_known(desk):
    """A resting knob is one reading, which the second poll confirms; a second after it was lifted
    it has left; laid again it is read again."""
    desk.polls(1)
    desk.hand.drop(42)
    desk.polls(10)
    assert desk.inbox.next().tag == 42
    assert [event.tag for event in desk.inbox.confirmed] == [42]
    desk.hand.lift()
    desk.polls(8)
    desk.hand.drop(42)  # missed for a moment: still the same reading
    desk.polls(2)
    assert desk.inbox.empty()
    desk.hand.lift()
    desk.polls(32)
    assert isinstance(desk.inbox.next(), TagLeft)
    desk.hand.drop(42)
    desk.polls(2)
    assert isinstance(desk.inbox.next(), TagRead)
    assert desk.inbox.empty()


def test_two_knobs_at_once_are_two(desk):
    """Both are seen and neither is read, until one is taken away."""
    desk.polls(1)
    desk.hand.two(42, 43)
    desk.polls(10)
    assert desk.inbox.next().why is Refusal.TWO
    desk.hand.drop(43)
    desk.polls(2)
    assert desk.inbox.next().tag == 43
    assert desk.inbox.empty()


def test_a_foreign_tag_and_a_long_one(desk):
    """Any tag's UID is its number, of four bytes or of seven; one after the other, the first has
    left."""
    desk.hand.foreign()
    desk.polls(2)
    assert desk.inbox.next().tag == FOREIGN
    desk.hand.drop(0x04A1B2C3D4E5F6)
    desk.polls(2)
    assert desk.inbox.take(2)[1].tag == 0x04A1B2C3D4E5F6
    with pytest.raises(BadOption, match="7 bytes"):
        desk.hand.drop(1 << 56)


def test_it_is_woken_set_up_and_asked(desk):
    """First it is woken, made ready, told not to look for ever; then it is asked, with the field
    off after each question."""
    desk.polls(3)
    assert desk.hand.chip.asked[:6] == [SAM, RF, LIST, RF, LIST, RF]


@pytest.mark.parametrize("damaged", [1, 2])
def test_a_damaged_answer_is_asked_for_again(desk, damaged):
    """Damage on the way is mended by hearing it once more; nothing is refused and nothing is
    lost."""
    desk.polls(2)
    chip = desk.hand.chip
    chip.damaged = damaged
    desk.hand.drop(42)
    desk.polls(3)
    assert desk.inbox.next().tag == 42
    assert desk.inbox.empty()
    assert chip.repeated == damaged


def test_a_command_that_is_not_understood_is_sent_again(desk):
    """The chip says that it did not understand: it is told once more."""
    desk.polls(2)
    desk.hand.chip.unsent = 2
    desk.hand.drop(42)
    desk.polls(3)
    assert desk.inbox.next().tag == 42


@pytest.mark.parametrize("trouble", ["deaf", "damaged", "unsent"])
def test_a_chip_that_never_answers_well_is_lost(desk, trouble):
    """After some tries it is a lost reader; when it answers again it is woken anew and found, and
    what lies there is read."""
    desk.polls(2)
    chip = desk.hand.chip
    setattr(chip, trouble, 10_000)
    desk.clock.advance(0.1)
    lost = desk.inbox.next()
    assert isinstance(lost, DeviceLost)
    assert (
        lost.reason
        == f"the reader does not answer on {desk.hand.port}: check its cable and its port"
    )
    setattr(chip, trouble, 0)
    desk.hand.drop(42)
    desk.clock.advance(4)
    assert isinstance(desk.inbox.next(), DeviceFound)
    assert desk.inbox.next().tag == 42


class OtherLine:
    """A line at which there is no chip: somebody who talks all the time, or nobody."""

    in_waiting = 0

    def __init__(self, talk, heard=lambda: None):
        self.talk = talk
        self.heard = heard
        self.reads = 0

    def read(self, size):
        self.reads += 1
        self.heard()
        return self.talk

    def write(self, data):
        pass

    def reset_input_buffer(self):
        pass


def test_a_port_where_something_else_talks():
    """A device that only sends, such as another reader, is no chip: it is not listened to for
    ever."""
    with pytest.raises(NoAnswer, match="D4 14"):
        Chip(OtherLine(b"\x020100639AE25\x03"), HandClock(), Tray("reader", 1)).look()


def test_an_answer_to_another_question_is_none():
    """A late answer, whole and well, but to another command, is not believed: here it would be a
    tag that nobody asked for."""
    with pytest.raises(NoAnswer, match="D4 14"):
        Chip(OtherLine(ACK + ANSWER), HandClock(), Tray("reader", 1)).look()


def test_a_talk_that_is_called_off_ends_at_once():
    """The reader is closed while it waits for an answer: it waits for no second one."""
    line = OtherLine(b"", lambda: chip.cancel())
    chip = Chip(line, HandClock(), Tray("reader", 1))
    with pytest.raises(NoAnswer, match="being closed"):
        chip.look()
    assert line.reads == 1


def test_a_pulled_cable(desk):
    """The cable out is a lost reader, in again a found one; a knob that was laid meanwhile is read,
    one that rests is again."""
    desk.hand.drop(42)
    desk.polls(2)
    assert desk.inbox.next().tag == 42
    desk.hand.unplug()
    desk.clock.advance(0.1)
    assert isinstance(desk.inbox.next(), DeviceLost)
    desk.hand.drop(43)
    desk.hand.plug()
    desk.clock.advance(4)
    assert isinstance(desk.inbox.next(), DeviceFound)
    assert desk.inbox.next_of(TagRead).tag == 43
    desk.hand.unplug()
    desk.clock.advance(0.1)
    assert isinstance(desk.inbox.next(), DeviceLost)
    desk.hand.plug()
    desk.clock.advance(4)
    assert desk.inbox.next_of(TagRead).tag == 43


def test_an_answer_that_is_no_list_is_refused(desk):
    """A whole frame whose tags cannot be read is never a call."""
    desk.polls(1)
    desk.hand.chip._do = lambda code, data: b"\x01\x01" if code == LIST else b""
    desk.clock.advance(0.1)
    refused = desk.inbox.next()
    assert (type(refused), refused.why) == (ReadRefused, Refusal.FORM)


def test_the_pretended_chip_is_as_stubborn_as_a_real_one():
    """Asleep it hears nothing; not made ready, not told otherwise, or with its field still on, it
    lists nothing."""
    chip = PretendChip(lambda: (5,))
    listing = command(LIST, b"\x02\x00")
    assert chip.feed(listing) == b""
    assert chip.feed(b"\x55\x55" + listing) == ACK + command(LIST + 1, b"", CHIP)
    chip.feed(command(SAM, b"\x01"))
    assert chip.feed(listing).startswith(ACK + b"\x00\x00\xff\x0c")
    assert chip.feed(listing) == ACK
    chip.feed(command(RF, b"\x05\xff\x01\x02"))
    assert chip.feed(listing) == ACK + NONE
    chip.feed(command(RF, b"\x01\x00"))
    assert chip.feed(listing) != ACK + NONE
