"""Teaching the station its knobs: which tags are taken, which are named, what is kept, and what a
stop leaves."""

from __future__ import annotations

import os
import queue
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers import DeviceFound, DeviceLost, Event, ReadRefused, Refusal, TagRead
from drivers.simulated.readers import SimulatedReader
from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.playing_cards import SHORT_PACK
from station.core.enrolment import Enrolment, open_readers
from station.settings.tags import TagTable, load_table, save_tags
from tests.commands.test_app import Loto, loto, one_sentence
from tests.support import LIMIT_S

__all__ = ["loto"]  # the fixture, of this file too


TAKEN = "this tag is knob {} already: take the next"


class Desk:
    """An enrolment with hands that lay tags in this order, and then none; it remembers what was
    said and kept."""

    def __init__(self, table: TagTable, *laid: int | Event) -> None:
        events: queue.Queue[Event] = queue.Queue()
        for thing in laid:
            events.put(TagRead("reader", thing, 0.0) if isinstance(thing, int) else thing)
        self.said: list[str] = []
        self.kept: list[TagTable] = []
        self.left = events
        self.work = Enrolment(table, events, self.kept.append, self.said.append, 0.0)


def table(tags: dict[int, int], spares: dict[int, int] | None = None) -> TagTable:
    return TagTable(tags, spares or {})


@pytest.mark.parametrize(
    ("before", "laid", "ask", "done", "after", "said"),
    [
        pytest.param(table({}), [5], {"tags": 1}, True, table({5: 37}), [], id="a new tag"),
        pytest.param(table({}), [], {"tags": 1}, False, table({}), [], id="none comes"),
        pytest.param(table({9: 3}), [9, 5], {"tags": 1}, True, table({9: 3, 5: 37}),
                     [TAKEN.format(3)], id="another's"),
        pytest.param(
            table({}), [5, 5, 6], {"tags": 2}, True, table({5: 37, 6: 37}),
            ["1 of 2 tags: turn knob 37 over"], id="two tags"
        ),
        pytest.param(table({}), [5], {"tags": 2}, False, table({5: 37}),
                     ["1 of 2 tags: turn knob 37 over"], id="one of two"),
        pytest.param(table({5: 37}), [6], {"tags": 2}, True, table({5: 37, 6: 37}), [],
                     id="one tag more"),
        pytest.param(
            table({5: 37, 6: 37, 1: 1}, {8: 0}),
            [8],
            {"tags": 3},
            True,
            table({1: 1}, {8: 37}),
            ["this spare is knob 37 from now on"],
            id="a spare stands in",
        ),
        pytest.param(table({}, {8: 2}), [8, 5], {"tags": 1}, True, table({5: 37}, {8: 2}),
                     [TAKEN.format(2)], id="a given spare"),
        pytest.param(table({5: 37, 6: 37}), [7], {"tags": 1, "redo": True}, True, table({7: 37}),
                     [], id="anew"),
        pytest.param(table({5: 37, 6: 37}), [5], {"tags": 1, "redo": True}, True, table({5: 37}),
                     [], id="anew, the same"),
        pytest.param(table({5: 37}), [], {"tags": 1, "redo": True}, False, table({5: 37}), [],
                     id="anew, none comes"),
        pytest.param(table({}, {8: 37}), [5], {"tags": 1, "redo": True}, True,
                     table({5: 37}, {8: 0}), [], id="in the drawer"),
        pytest.param(
            table({}),
            [
                ReadRefused("reader", Refusal.CHECK, 0.0),
                DeviceLost("reader-2", "unplugged", 0.0),
                DeviceFound("reader-2", 0.0),
                5,
            ],
            {"tags": 1},
            True,
            table({5: 37}),
            ["that could not be read: lay one knob alone on the reader",
             "reader-2 is lost: unplugged", "reader-2 works again"],
            id="trouble",
        ),
    ],
)  # fmt: skip
def test_one_knob_is_taught(
    before: TagTable,
    laid: list[Any],
    ask: dict[str, Any],
    done: bool,
    after: TagTable,
    said: list[str],
) -> None:
    """Knob 37: what it has afterwards, what the person was told; what is known was kept, and
    nothing else."""
    desk = Desk(before, *laid)
    assert desk.work.knob(37, **ask) is done
    assert desk.work.table == after
    assert desk.said == said
    assert (desk.kept[-1] if desk.kept else before) == after
    assert desk.left.empty()


BLUE = {20: "AS", 21: "2S"}


@pytest.mark.parametrize(
    ("laid", "redo", "done", "blue", "said"),
    [
        pytest.param([5], False, True, {**BLUE, 5: "KD"}, [], id="a new tag"),
        pytest.param([], False, False, BLUE, [], id="none comes"),
        pytest.param([21, 9, 8, 30, 5], False, True, {**BLUE, 5: "KD"},
                     ["this tag is 2S of the pack blue already: take the next",
                      "this tag is knob 3 already: take the next",
                      "this tag is a spare knob already: take the next",
                      "this tag is KD of the pack red already: take the next"], id="taken"),
        pytest.param([ReadRefused("reader", Refusal.TWO, 0.0), 5], False, True,
                     {**BLUE, 5: "KD"},
                     ["that could not be read: lay one card alone on the reader"], id="two"),
    ],
)  # fmt: skip
def test_one_card_is_taught(
    laid: list[Any], redo: bool, done: bool, blue: dict[int, str], said: list[str]
) -> None:
    """The king of diamonds of the blue pack: no tag of a knob, a spare or another card is taken,
    and each is named."""
    before = TagTable({9: 3}, {8: 0}, {"blue": BLUE, "red": {30: "KD"}})
    desk = Desk(before, *laid)
    assert desk.work.card("blue", "KD", redo=redo) is done
    assert desk.work.table == TagTable({9: 3}, {8: 0}, {"blue": blue, "red": {30: "KD"}})
    assert desk.said == said
    assert (desk.kept[-1] if desk.kept else before) == desk.work.table


def test_a_card_is_taught_anew_and_a_knob_takes_no_cards_tag() -> None:
    """The new tag takes the place of the old one, which may be the same; the pack's other cards
    stay, and which are missing is told in the pack's order."""
    before = TagTable({}, {}, {"blue": BLUE})
    assert Desk(before, 5).work.missing_cards("blue", ("AS", "KD", "2S", "3S")) == ["KD", "3S"]
    for tag in (5, 20):
        desk = Desk(before, tag)
        assert desk.work.card("blue", "AS", redo=True)
        assert desk.work.table.packs == {"blue": {21: "2S", tag: "AS"}}
    desk = Desk(before, 20, 6)
    assert desk.work.knob(37, 1)
    assert desk.said == ["this tag is AS of the pack blue already: take the next"]
    assert desk.work.table == TagTable({6: 37}, {}, {"blue": BLUE})


def test_which_knobs_are_missing() -> None:
    """Those without a tag, or without the second; a spare that stands in is a knob like any
    other."""
    have = {number: number for number in range(1, 89)} | {100: 1}
    work = Desk(table(have, {200: 89, 201: 0})).work
    assert work.missing(1) == [90]
    assert work.missing(2) == [*range(2, 89), 90]
    assert (work.tags_of(1), work.tags_of(2), work.tags_of(90)) == (2, 1, 0)


def test_spares_are_taught_one_after_the_other() -> None:
    """Until none comes; a spare that is known is not counted again, a knob's tag is none."""
    desk = Desk(table({1: 1}, {7: 0}), 7, 8, 8, 1, 9)
    assert desk.work.spares() == 2
    assert desk.work.table == table({1: 1}, {7: 0, 8: 0, 9: 0})
    assert desk.said == ["spare 2", "this tag is knob 1 already: take the next", "spare 3"]


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
            event = events.get(timeout=LIMIT_S)
            assert isinstance(event, TagRead)
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
