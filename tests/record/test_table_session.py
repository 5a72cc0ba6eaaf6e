"""A game at the table through the session's door: the deal and the shaken bags are chance, kept
before they are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.errors import NotAllowed
from station.games.loto_second.rules import State as Second
from station.night.acts import CloseNight, See
from station.night.hall import Hall, apply
from station.night.table.game import next_step
from station.people.roles import DEVICE, STATION
from station.programme.programme import Programme
from station.proof.leaves import OpenedLeaf
from station.record import audit
from station.record.heads import parse_head
from station.record.journal import FILE, read
from station.record.nights import Night, StateFolder, begin, resume
from station.record.requests import Answer, Change, Command, Done, HeldNumber, Refused, SeeNext
from station.record.session import Session
from station.record.traces import HEADS
from tests.company import NAMES, PACK, QUARTERS, SECOND, rows_first, table_of
from tests.drill.sender import certain
from tests.support import (
    ADMIN,
    BROKEN,
    CLOCK,
    OPENING,
    STATION_KEY,
    MemoryDisk,
    Told,
    run,
    submit,
    verify,
)

PROGRAMME = Programme(name="Tables", games=(SECOND, QUARTERS, SECOND))
SIT = {"act": "sit", "players": [{"name": name} for name in NAMES[:3]]}
SETTLE = {"act": "move", "move": {"do": "settle"}}
BREAK = {"act": "break", "why": "the power went"}


@contextmanager
def night_at(state: Path, disk: MemoryDisk | None = None) -> Iterator[Night]:
    """The night in this state folder: resumed, or begun if there is none. The station ends after
    it."""
    folder = StateFolder(state, least_room=0)
    try:
        last = folder.last_night()
        night = (
            resume(last, STATION_KEY, disk)
            if last is not None
            else begin(folder, PACK, PROGRAMME, OPENING, key=STATION_KEY, disk=disk)
        )
        try:
            yield night
        finally:
            night.journal.close()
    finally:
        folder.close()


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with night_at(tmp_path) as opened:
        yield opened


def asked(session: Session, *acts: dict[str, Any] | str) -> list[Answer]:
    """Each act in turn, with an id of its own."""

    async def all_of_them() -> list[Answer]:
        plain = ({"act": act} if isinstance(act, str) else act for act in acts)
        return [await submit(session, **act) for act in plain]

    return run(all_of_them())


def look(session: Session) -> None:
    """Have the next number recorded, so that it may be seen."""
    name = f"look-{session.seq}"
    assert run(session.submit(Command(name, SeeNext(), ADMIN, "wire"))) == HeldNumber(
        session.seq, session.upcoming() or 0
    )


def session_at(night: Night, tell: Any = None, seed: int = 1) -> Session:
    return Session(night, tell or Told(), CLOCK, Random(seed))


def shaking(hall: Hall) -> dict[str, Any]:
    return {"act": "shake", "counted": len(table_of(hall).state.bag)}


def test_a_whole_drawing_from_the_virtual_bag(night: Night) -> None:
    """Sit, open, shake, ten draws, settle: each knob is the one that could be seen, and opens a
    leaf of what was committed to."""
    session = session_at(night)
    asked(session, SIT, "open")
    assert not session.hall.bag
    asked(session, shaking(session.hall))
    came = []
    for _ in range(10):
        came.append(session.upcoming())
        asked(session, "draw")
    order = tuple(came)
    assert (session.upcoming(), table_of(session.hall).state.numbers) == (None, order)
    assert asked(session, SETTLE) == [Done(session.seq)]
    settlement = table_of(session.hall).state.settlement
    assert settlement is not None
    assert settlement.numbers == order
    line = read(night.folder / FILE).lines[-1]
    assert line["then"]["settled"]["numbers"] == came
    audit.verify(night.folder.parent.parent)
    opened = next(line for line in read(night.folder / FILE).lines if line["do"]["act"] == "open")
    cards = [serial for seat in opened["then"]["opening"]["seats"] for serial in seat[2]]
    assert opened["do"]["deal"][:6] == cards
    assert sorted(opened["do"]["deal"]) == sorted(PACK.serials)


def test_the_deal_is_chance_and_nobodys_wish(night: Night) -> None:
    """A deal, or a bag, that came over the wire is not taken; another chance deals otherwise."""
    session = session_at(night)
    assert isinstance(
        asked(session, SIT, {"act": "open", "deal": list(PACK.serials), "bag": "mine", "knobs": 5})[
            -1
        ],
        Done,
    )
    asked(session, {**shaking(session.hall), "bag": "mine"})
    lines = read(night.folder / FILE).lines
    deal = lines[-2]["do"]["deal"]
    assert deal != list(PACK.serials)
    leaf = lines[-2]["do"]["leaf"]
    assert lines[-2]["do"] == {"act": "open", "bag": "", "deal": deal, "leaf": leaf}
    assert lines[-1]["do"]["bag"] == session.hall.bag != "mine"


def test_a_start_in_mid_drawing_keeps_what_was_called_and_seen(tmp_path: Path) -> None:
    """At every point of a drawing: the table is as it was; a knob that was seen is the next one,
    and the rest is committed to anew."""
    with night_at(tmp_path) as night:
        session = session_at(night)
        asked(session, SIT, "open", {"act": "shake", "counted": 90}, "draw")
        look(session)
        order = [session.upcoming()]
    for place in range(9):
        with night_at(tmp_path) as night:
            session = session_at(night, seed=place)
            assert session.upcoming() == order[-1]
            assert len(table_of(session.hall).state.numbers) == place + 1
            asked(session, "draw")
            if place < 8:
                look(session)
                order.append(session.upcoming())
    with night_at(tmp_path) as night:
        session = session_at(night)
        assert list(table_of(session.hall).state.numbers[1:]) == order
        asked(session, SETTLE)
        settled = table_of(session.hall)
    with night_at(tmp_path) as night:
        assert night.hall.table == settled
    assert session.hall.fair is None  # the drawing is over
    assert verify(tmp_path)[0].lines == 15 + 9 + 8


def test_a_bag_counted_again_keeps_its_luck(tmp_path: Path) -> None:
    """Until the drawing is over nobody fishes for other numbers: not by shaking again, nor by
    taking all knobs back first, nor by putting a knob away, nor by a new start. The next drawing
    has a bag of its own."""
    shake = {"act": "shake", "counted": 90}
    with night_at(tmp_path) as night:
        session = session_at(night)
        asked(session, SIT, "open", shake, *["draw"] * 10, SETTLE, shake)
        first, drawn = session.upcoming(), session.hall.bag
        assert all(
            isinstance(answer, Done) for answer in asked(session, shake, "draw", "undo", shake)
        )
        assert (session.upcoming(), session.hall.bag, table_of(session.hall).shakings) == (
            first,
            drawn,
            2,
        )
        state = table_of(session.hall).state
        assert isinstance(state, Second)
        free = next(
            number for number in state.came if not state.bearing(number) and number != first
        )
        asked(session, {"act": "move", "move": {"do": "put-away", "number": free}})
        assert session.upcoming() is None
    with night_at(tmp_path) as night:
        session = session_at(night, seed=2)
        asked(session, shaking(session.hall))
        assert (session.upcoming(), session.hall.bag) == (first, drawn)
        asked(session, *["draw"] * 10, SETTLE)
        assert not session.hall.bag
        asked(session, shaking(session.hall))
        assert session.hall.bag not in ("", drawn)
        assert session.hall.fair is not None
        assert session.hall.fair.binding.drawing == 3
    verify(tmp_path)


def test_a_bag_that_cannot_be_committed_to_is_not_shaken(tmp_path: Path) -> None:
    """When the line cannot be written all halts."""
    disk = MemoryDisk()
    with night_at(tmp_path, disk) as night:
        session = session_at(night)
        asked(session, SIT, "open")
        disk.fail_next("write", BROKEN)
        (answer,) = asked(session, {"act": "shake", "counted": 90})
        assert isinstance(answer, Refused)
        assert (answer.reason, session.hall.bag) == ("halted", "")
    with night_at(tmp_path) as night:
        assert next_step(table_of(night.hall)) == "shake"


def test_a_knob_of_ones_own_comes_from_the_bag_too(night: Night) -> None:
    """A knob may be drawn by hand between those of the virtual bag, which then has it no more, and
    opens no leaf; a put-away one never comes."""
    session = session_at(night)
    asked(session, SIT, "open", {"act": "shake", "counted": 90})
    asked(session, {"act": "draw", "number": 42}, *["draw"] * 9, SETTLE)
    state = table_of(session.hall).state
    assert isinstance(state, Second)
    assert state.came[0] == 42
    free = [number for number in state.came if not state.bearing(number)]
    asked(
        session, *({"act": "move", "move": {"do": "put-away", "number": number}} for number in free)
    )
    asked(session, shaking(session.hall), *["draw"] * 10)
    assert not set(table_of(session.hall).state.numbers) & set(free)
    # All ten are out: nobody may look at another.
    with pytest.raises(NotAllowed):
        apply(session.hall, See(number=5, leaf=OpenedLeaf(at=20, secret="ab" * 32)))
    lines = [line["do"] for line in read(night.folder / FILE).lines]
    opened = [do["leaf"]["at"] if "leaf" in do else None for do in lines if do["act"] == "draw"]
    assert opened == [None, *range(9), *range(10)]
    assert [do["away"] for do in lines if do["act"] == "shake" and "away" in do] == [sorted(free)]
    audit.verify(night.folder.parent.parent)


def test_a_press_that_comes_twice(night: Night) -> None:
    """What is expected is the count of knobs over all drawings of the game: a late tap draws,
    settles, undoes nothing."""
    session = session_at(night)
    asked(session, SIT, "open", {"act": "shake", "counted": 90}, *["draw"] * 10, SETTLE)
    assert session.hall.calls == 10
    for act in ("draw", "undo"):
        (answer,) = asked(session, {"act": act, "expect": 9})
        assert isinstance(answer, Refused)
        assert answer.reason == "changed-meanwhile"
    for asked_for in ({"act": "shake", "counted": 90}, SETTLE):
        (answer,) = asked(session, {**asked_for, "expect": 9})
        assert isinstance(answer, Refused)
        assert answer.reason == "changed-meanwhile"
    (answer,) = asked(session, {"act": "shake", "counted": 90, "expect": 10})
    assert isinstance(answer, Done)
    asked(session, "draw")
    assert session.hall.calls == 11


TAKE = {"act": "move", "move": {"do": "take", "seat": 1}}
REPLENISH = {"act": "move", "move": {"do": "replenish"}}
NOTE = {"act": "note", "about": "reader", "what": "lost", "by": STATION}
OTHER_SEAT = {"act": "move", "move": {"do": "take", "seat": 2}}
JOIN = {"act": "join", "name": "Dora"}
UNDO = {"act": "undo", "why": "misread"}


def keyed(number: int) -> dict[str, Any]:
    return {"act": "draw", "number": number}


BY_TWO: dict[str, tuple[str, dict[str, Any], list[dict[str, Any]], bool]] = {
    "another company sits there": ("seated", {"act": "open"}, [SIT], False),
    "a card is taken twice": ("open", TAKE, [TAKE], False),
    "another seat took one": ("open", TAKE, [OTHER_SEAT], False),
    "nothing was done": ("open", TAKE, [], True),
    "a device was lost": ("open", TAKE, [NOTE], True),
    "everybody adds twice": ("short", REPLENISH, [REPLENISH], False),
    "somebody joined": ("short", REPLENISH, [JOIN], False),
    "two join": ("open", {"act": "join", "name": "Emil"}, [JOIN], False),
    "another knob is the last": ("drawing", UNDO, [UNDO, keyed(9)], False),
    "the same knob is the last again": ("drawing", UNDO, [UNDO, keyed(7)], True),
    "broken off while it goes on": ("drawing", {"act": "break", "why": "late"}, [keyed(9)], False),
    "what is not the table's is not refused for it": ("drawing", NOTE, [keyed(9)], True),
}


def bring_to(session: Session, point: str) -> None:
    """The table, where a decision is due."""
    asked(
        session,
        {"act": "sit", "players": [{"name": "Anna", "takes": 1}, {"name": "Bruno", "takes": 1}]},
    )
    if point == "seated":
        return
    asked(session, "open")
    if point == "open":
        return
    asked(session, {"act": "shake", "counted": 90})
    asked(session, *map(keyed, rows_first(session.hall) if point == "short" else (7,)))
    if point == "short":
        asked(session, SETTLE)
        assert next_step(table_of(session.hall)) == "add"


@pytest.mark.parametrize("what", BY_TWO)
def test_what_another_host_has_done_meanwhile(night: Night, what: str) -> None:
    """Who decides by a table that is another by now is told to look again, and nothing is done
    twice; what changes nothing at the table is in nobody's way. Answered again with its id it is
    what it was."""
    point, act, meanwhile, allowed = BY_TWO[what]
    session = session_at(night)
    bring_to(session, point)
    seen = session.hall.table_mark
    assert all(isinstance(answer, Done) for answer in asked(session, *meanwhile))
    hall = session.hall
    first, again = asked(session, *({**act, "seen": seen, "command_id": "mine"},) * 2)
    assert first == again
    assert isinstance(first, Done) is allowed
    if isinstance(first, Refused):
        assert (first.reason, session.hall) == ("changed-meanwhile", hall)
        assert "look again" in first.say
        (looked,) = asked(session, {**act, "seen": session.hall.table_mark})
        assert isinstance(looked, Done), "whoever has looked may do it"


def test_a_table_is_known_again_after_a_start(tmp_path: Path) -> None:
    """What a host saw before the station was started again still holds, and what was done since
    still counts."""
    with night_at(tmp_path) as night:
        session = session_at(night)
        bring_to(session, "short")
        seen = session.hall.table_mark
    with night_at(tmp_path) as night:
        session = session_at(night)
        first, second = asked(session, *({**REPLENISH, "seen": seen},) * 2)
        assert isinstance(first, Done)
        assert isinstance(second, Refused)


def test_what_comes_again_is_answered_the_same(tmp_path: Path) -> None:
    """Whatever chance added: come again, also after a new start, each act at the table is its line,
    and nothing is done again; with another person's name, or another act, it is refused."""
    drawn = [{"act": "draw", "number": number} for number in range(1, 10)]
    acts: list[dict[str, Any]] = [
        SIT,
        {"act": "open"},
        {"act": "join", "name": "Dora"},
        {"act": "move", "move": {"do": "take", "seat": 4}},
        {"act": "shake", "counted": 90, "found": list(range(1, 91))},
        {"act": "draw"},
        {"act": "undo", "why": "misread"},
        {"act": "draw"},
        *drawn,
        {"act": "break", "why": "late"},
    ]
    commands = [Command.read(f"id-{place}", do, ADMIN, "wire") for place, do in enumerate(acts)]

    async def again(session: Session) -> list[Answer]:
        return [await session.submit(certain(session, command)) for command in commands]

    with night_at(tmp_path) as night:
        session = session_at(night)
        first = run(again(session))
        # its knob may have come by chance before
        assert sum(isinstance(answer, Done) for answer in first) >= len(acts) - 1
        assert (run(again(session)), session.seq) == (first, night.journal.head.seq)
    with night_at(tmp_path) as night:
        session = session_at(night, seed=2)
        before = session.hall.digest()
        accepted = [
            (command, answer)
            for command, answer in zip(commands, first, strict=True)
            if isinstance(answer, Done)
        ]
        for command, answer in accepted:
            assert run(session.submit(command)) == answer
            for other in (replace(command, by=DEVICE), replace(command, act=CloseNight())):
                refused = run(session.submit(other))
                assert isinstance(refused, Refused)
                assert refused.reason == "id-used"
        assert (session.hall.digest(), session.seq) == (before, len(accepted) + 1)


def test_a_draw_before_the_count_names_no_knob(night: Night) -> None:
    """The bag has no order yet: nothing of it can be seen, and the refusal says what to do."""
    session = session_at(night)
    asked(session, SIT, "open")
    (answer,) = asked(session, "draw")
    assert isinstance(answer, Refused)
    assert (answer.reason, session.upcoming()) == ("bag-not-counted", None)


def test_the_head_of_a_games_end_at_the_table_is_kept(tmp_path: Path) -> None:
    """Of a game that ends by its own rules, too."""
    with night_at(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1))
        asked(session, SIT, "open", {"act": "shake", "counted": 90}, *["draw"] * 10)
        asked(session, SETTLE, {"act": "move", "move": {"do": "resolve", "drawings": 1}})
        assert not (night.folder / HEADS).exists()
        asked(session, shaking(session.hall))
        while next_step(table_of(session.hall)) == "draw":
            asked(session, "draw")
        sat = session.hall.company
        asked(session, SETTLE)
        assert (session.hall.game_open, session.hall.bag) == (False, "")
        path = night.folder / HEADS
        assert path.read_text() == session.head
        assert parse_head(session.head).size == session.seq
        last = read(night.folder / FILE).lines[-1]
        assert last["then"]["ended"]["unpaid"] >= 0
        company = [[seat.name, seat.purse] for seat in session.hall.company]
        assert [name for name, _ in company] == list(NAMES[:3])
        # Chance may give each player back just what they paid; then no purse has changed.
        assert last["then"].get("company") == (company if session.hall.company != sat else None)


def test_a_change_is_told_with_the_table_as_it_is(night: Night) -> None:
    """Whoever shows it gets the states before and after."""
    changes: list[Change] = []
    session = session_at(night, changes.append)
    asked(session, SIT, "open", {"act": "shake", "counted": 90}, "draw", {"act": "undo"})
    assert [change.act.act for change in changes] == ["sit", "open", "shake", "draw", "undo"]
    before, after = changes[-1].before, changes[-1].after
    assert (len(table_of(before).state.numbers), len(table_of(after).state.numbers)) == (1, 0)
    assert table_of(after).shaken
