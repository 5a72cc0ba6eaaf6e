"""Teaching the station its knobs: which tags are taken, which are named, what is kept, and what a
stop leaves."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from drivers import Cure, DeviceFound, DeviceLost, Event, Misread, TagConfirmed, TagRead
from drivers.simulated.readers import SimulatedReader
from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.nouns import SHORT_PACK
from station.core.enrolment import Enrolment, TypedLine, hear_lines, open_readers
from station.settings.tags import TagTable, load_table, save_tags
from station.settings.teaching import TaughtKnob, Teaching
from tests.commands.test_app import Loto, loto, one_sentence
from tests.support import LIMIT_S

__all__ = ["loto"]  # the fixture, of this file too


NOISE = b"\x02000000078F88\x03"  # 00^00^00^07^8F == 88


class Shell:
    """The shell around a lesson, with what was told, stored, shown and spoken."""

    def __init__(self, *happens: Event) -> None:
        events: queue.Queue[Event] = queue.Queue()
        for event in happens:
            events.put(event)
        self.told: list[str] = []
        self.kept: list[TagTable] = []
        self.shown: list[tuple[Any, bool]] = []
        self.spoken: list[tuple[str, ...]] = []
        self.work = Enrolment(
            events,
            self.kept.append,
            self.told.append,
            0.0,
            self.spoken.append,
            lambda lesson, again: self.shown.append((lesson.asks, again)),
            again_s=0.0,
        )


def heard(tag: int) -> list[Event]:
    return [TagRead("reader", tag, 0.0), TagConfirmed("reader", tag, 0.1)]


def test_a_lesson_is_run() -> None:
    """What is taken is stored and spoken; trouble is told; a line with u takes back."""
    lost = [DeviceLost("reader-2", "unplugged", 0.0), DeviceFound("reader-2", 0.0)]
    shell = Shell(*lost, *heard(5), TypedLine("x\n"), TypedLine(" U\n"), *heard(6), *heard(7))
    lesson = shell.work.run(Teaching(TagTable(), (TaughtKnob(1), TaughtKnob(2))))
    assert lesson.asks is None
    assert shell.kept == [
        TagTable({5: 1}), TagTable(), TagTable({6: 1}), TagTable({6: 1, 7: 2})
    ]  # fmt: skip
    assert shell.told == [
        "reader-2 is lost: unplugged", "reader-2 works again", "taken back: knob 1"
    ]  # fmt: skip
    assert shell.spoken == [("number.1",), ("number.1",), ("number.2",)]


@pytest.mark.parametrize(
    ("cure", "setting", "says"),
    [
        (Cure.FAMILY, "id20la", 'write family = "id20la" in its settings'),
        (Cure.SHAPE, "8h", 'write shape = "8h" in them'),
        (Cure.TEN, "", "set it to ten digits (10D) with its maker's card"),
        (Cure.NONE, "", "the log has the bytes"),
    ],
)
def test_a_reader_that_is_set_wrongly_is_named(cure: Cure, setting: str, says: str) -> None:
    """The person at the readers is told which setting it lacks; the lesson goes on."""
    shell = Shell(Misread("reader-2", "", 16, cure, setting, 0.0), *heard(5))
    assert shell.work.run(Teaching(TagTable(), (TaughtKnob(1),))).asks is None
    [told] = shell.told
    assert says in told
    assert told.startswith("the reader-2 ")


def test_what_was_heard_once_is_to_be_laid_again() -> None:
    """It is asked for again after a moment, not when it was confirmed; then the wait is over."""
    shell = Shell(TagRead("reader", 5, 0.0))
    lesson = shell.work.run(Teaching(TagTable(), (TaughtKnob(1),)))
    assert (lesson.asks, shell.kept) == (TaughtKnob(1), [])
    assert shell.shown == [(TaughtKnob(1), False), (TaughtKnob(1), False), (TaughtKnob(1), True)]
    shell = Shell(*heard(5))
    shell.work.run(Teaching(TagTable(), (TaughtKnob(1), TaughtKnob(2))))
    assert [again for _, again in shell.shown] == [False, False, False]


def test_each_thing_is_named() -> None:
    """Without changing anything: each laying once, a short reading by the tag that ends so."""
    shell = Shell(*heard(5), *heard(9), TagRead("reader", 5, 0.0, back=True))
    assert shell.work.name_all(TagTable({5: 37}), str) == 2
    assert (shell.told, shell.spoken, shell.kept) == (["5", "9"], [("number.37",)], [])


@pytest.mark.parametrize(
    ("happens", "left"),
    [
        ([TypedLine("\n")], False),
        ([TypedLine("n\n")], False),
        ([], False),
        ([TypedLine("y\n")], True),
        ([*heard(5), TypedLine("\n")], False),
        ([*heard(5), *heard(6)], True),
    ],
)
def test_a_knob_that_is_left_over(happens: list[Event], left: bool) -> None:
    """A word answers, or the knob itself: one that has a number is not left over."""
    assert Shell(*happens).work.left_over(TagTable({5: 37})) is left


def test_typed_lines_are_heard() -> None:
    """Each line, until the input ends; an input that cannot be read is none."""
    lines: list[Event] = []
    hear_lines(StringIO("u\n\n"), lines.append)
    closed = StringIO()
    closed.close()
    hear_lines(closed, lines.append)
    assert lines == [TypedLine("u\n"), TypedLine("\n")]


# -- over real readers -----------------------------------------------------------------------------


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[SimulatedReader, SimulatedReader]]:
    """Two readers on pseudo-terminals, and settings that name them."""
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    readers = [SimulatedReader(folder, every_s=0.02) for folder in folders]
    text = f'profile = "rfid"\n[devices.reader]\nport = "{readers[0].port}"\n'
    text += (
        f'[devices.reader-2]\ndriver = "rfid"\nfamily = "rdm6300"\nport = "{readers[1].port}"\nuse'
        ' = "tray"\n'
    )
    (tmp_path / "station.toml").write_text(text)
    yield readers[0], readers[1]
    for reader in readers:
        reader.close()


def test_any_of_several_readers_will_do(
    two: tuple[SimulatedReader, SimulatedReader], tmp_path: Path
) -> None:
    """A knob laid on the second is read as one on the first; what is the station's in their tables
    is not their drivers'."""
    from station.settings.config import load_settings

    devices = {
        str(name): options
        for name, options in load_settings(file=tmp_path / "station.toml").devices.items()
    }
    with open_readers(devices) as events:
        for reader, name in zip(two, ("reader", "reader-2"), strict=True):
            reader.drop(77)
            while not isinstance(event := events.get(timeout=LIMIT_S), TagRead):
                pass  # the one on the first reader was heard again meanwhile
            assert (event.reader, event.tag) == (name, 77)
            reader.lift()


def test_the_command(
    loto: Loto, two: tuple[SimulatedReader, SimulatedReader], tmp_path: Path
) -> None:
    """A missing knob, a spare, the spare in a lost one's place, and then for good; each is on disk
    when the command ends."""
    words = ["enrol", "--config", tmp_path / "station.toml", "--state", tmp_path / "state"]
    (tmp_path / "state").mkdir()
    save_tags(tmp_path / "state", {1000 + number: number for number in range(1, 90)})
    two[1].drop(5090)
    done = loto(*words, "--wait", 20)
    assert (done.code, "1 enrolled; ninety of ninety." in done.out) == (EXIT_DONE, True)
    two[1].lift()
    two[0].drop(6000)
    done = loto(*words, "--spare", "--wait", 1)
    assert (done.code, "1 spare enrolled." in done.out) == (EXIT_DONE, True)
    done = loto(*words, "--knob", 37, "--wait", 20)
    assert (done.code, "this spare is knob 37 from now on" in done.out) == (EXIT_DONE, True)
    known = load_table(tmp_path / "state")
    assert (known.spares, known.knobs[5090], 1037 in known.knobs) == ({6000: 37}, 90, False)
    done = loto(*words, "--knob", 37, "--redo", "--wait", 1)
    known = load_table(tmp_path / "state")
    assert (done.code, known.spares, known.tags[6000]) == (EXIT_DONE, {}, 37)  # of the set now
    two[0].lift()
    assert loto(*words, "--knob", 5, "--wait", 1).code == EXIT_NO


def test_noise_while_a_knob_is_asked_for(
    loto: Loto, two: tuple[SimulatedReader, SimulatedReader], tmp_path: Path
) -> None:
    """One good frame of a tag that nobody laid, then the knobs: each has its own tag, three are
    laid again, and a wrong one is found."""
    state, reader, other = tmp_path / "state", *two
    state.mkdir()
    save_tags(state, {1000 + number: number for number in range(1, 88)})
    words = ["enrol", "--config", tmp_path / "station.toml", "--state", state]

    def wait_for(*tags: int) -> None:
        for _ in range(1000):
            if set(tags) <= load_table(state).knobs.keys():
                return
            ended.wait(LIMIT_S / 1000)

    def hands() -> None:
        reader.send(NOISE)
        for tag in (1088, 1089, 1090):
            two[tag % 2].drop(tag)
            wait_for(tag)
            two[tag % 2].lift()
        for tag in (1089, 1089, 1090):  # 88 is asked for, then 89, then 90
            two[tag % 2].drop(tag)
            ended.wait(0.4)
            two[tag % 2].lift()
            ended.wait(1.3)  # it has left
        other.send(NOISE)

    ended = threading.Event()
    at_work = threading.Thread(target=hands)
    at_work.start()
    done = loto(*words, "--wait", 5)
    ended.set()
    at_work.join()
    assert load_table(state).knobs == {1000 + number: number for number in range(1, 91)}
    assert "WRONG: knob 88 was asked for, and this tag is knob 89" in done.out
    assert "loto enrol --from 31" in done.out.replace("./", "")
    assert done.code == EXIT_NO


def test_from_a_number_on(
    loto: Loto, two: tuple[SimulatedReader, SimulatedReader], tmp_path: Path
) -> None:
    """The knobs from there on are forgotten with the first one that is taught, and asked for; the
    check tells a number, and changes nothing."""
    state = tmp_path / "state"
    state.mkdir()
    save_tags(state, {1000 + number: number for number in range(1, 91)}, {5000: 89, 5001: 3})
    words = ["enrol", "--config", tmp_path / "station.toml", "--state", state, "--wait", 1]
    two[0].drop(1089)
    done = loto(*words, "--check")
    assert (done.code, "knob 89" in done.out) == (EXIT_DONE, True)
    assert loto(*words, "--from", 88).code == EXIT_NO
    known = load_table(state)
    assert known.tags == {**{1000 + number: number for number in range(1, 88)}, 1089: 88}
    assert known.spares == {5000: 0, 5001: 3}


def test_a_pack_by_the_command(
    loto: Loto, two: tuple[SimulatedReader, SimulatedReader], tmp_path: Path
) -> None:
    """The last card of a short pack, then one card's new tag; knobs stay; a stop is gone on with;
    what cannot be meant is refused."""
    state = tmp_path / "state"
    words = ["enrol", "--config", tmp_path / "station.toml", "--state", state, "--pack", "blue"]
    state.mkdir()
    faces = {7000 + place: face for place, face in enumerate(SHORT_PACK[:-1])}
    save_tags(state, {1: 1}, None, {"blue": faces})
    two[0].drop(5090)
    done = loto(*words, "--short", "--wait", 20)
    assert (done.code, "1 cards enrolled now" in done.out) == (EXIT_DONE, True)
    two[0].lift()
    assert load_table(state) == TagTable({1: 1}, {}, {"blue": {**faces, 5090: SHORT_PACK[-1]}})
    two[1].drop(5091)
    assert loto(*words, "--card", "KC", "--wait", 20).code == EXIT_DONE
    assert load_table(state).cards[5091] == ("blue", "KC")
    assert 5090 not in load_table(state).cards
    two[1].lift()
    done = loto(*words, "--wait", 1)
    assert (done.code, "go on with the two of spades" in done.out) == (EXIT_NO, True)
    one_sentence(loto(*words, "--card", "1X"), EXIT_USAGE, "no playing card '1X'")
    one_sentence(loto(*words[:-1], "Blue!"), EXIT_USAGE, "cannot be called 'Blue!'")
    one_sentence(loto(*words[:-2], "--short"), EXIT_USAGE, "add --pack")


def test_what_cannot_be_taught(loto: Loto, tmp_path: Path) -> None:
    """Simulated knobs, no reader, and --redo without a knob: one sentence each."""
    for profile in ("simulated", "button"):
        one_sentence(
            loto("enrol", "--redo", "--profile", profile, "--state", tmp_path),
            EXIT_USAGE,
            "add --knob",
        )
        assert (
            "choose --profile rfid" in loto("enrol", "--profile", profile, "--state", tmp_path).err
        )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files for another user")
def test_what_root_makes_in_the_stations_folder_is_the_stations(
    loto: Loto, two: tuple[SimulatedReader, SimulatedReader], tmp_path: Path
) -> None:
    """Taught with sudo, or given a pack, the service can still read all of it; what a link leads to
    is left alone."""
    state, outside = tmp_path / "state", tmp_path / "outside"
    state.mkdir()
    outside.touch()
    (state / "link").symlink_to(outside)
    os.chown(state, 4321, 4321)
    two[0].drop(5090)
    loto(
        "enrol", "--config", tmp_path / "station.toml", "--state", state, "--knob", 37, "--wait", 20
    )
    loto("pack", "make", "--strips", 1, "--state", state)
    assert {"tags.toml", "lock", "pack.csv"} <= {path.name for path in state.rglob("*")}
    assert {path.lstat().st_uid for path in state.rglob("*")} == {4321}
    assert outside.stat().st_uid == 0
