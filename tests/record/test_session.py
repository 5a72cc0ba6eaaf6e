"""The session: check, journal, adopt, tell, in this order; an id is done once; who may not, may
not; a halt is for good."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from station.base.clock import Clock
from station.base.errors import Halted
from station.night.acts import Act, parse_act
from station.night.hall import Hall, apply, followed
from station.people.roles import DEVICE, MAY, STATION, Person, Role
from station.record import audit
from station.record.heads import parse_head
from station.record.journal import FILE, read
from station.record.nights import Night
from station.record.requests import Change, Command, Done, Refused
from station.record.session import Session, no_next_night
from station.record.traces import HEADS
from tests.drill.sender import certain
from tests.support import (
    ADMIN,
    BROKEN,
    CLOCK,
    LIMIT_S,
    NO_ROOM,
    MemoryDisk,
    Told,
    night_in,
    play,
    run,
    submit,
)

SELL = {"act": "sell", "serials": ["0001", "0002", "0003"], "to": "Anna"}


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with night_in(tmp_path) as opened:
        yield opened


EVE = Person("eve", Role.ADMIN)


def lines_of(night: Night) -> tuple[dict[str, Any], ...]:
    return read(night.folder / FILE).lines


# -- the order of truth ----------------------------------------------------------------------------


def test_nothing_is_adopted_or_told_before_it_is_durable(tmp_path: Path) -> None:
    """At each write and sync the hall still is as before; the change is told once both are over,
    and before the answer."""
    order: list[str] = []

    class Watched(MemoryDisk):
        def _called(self, name: str, data: bytes = b"") -> OSError | int | None:
            order.append(f"{name} with {calls()} calls")
            return super()._called(name, data)

    sessions: list[Session] = []

    def calls() -> int:
        game = sessions[0].hall.last_sold if sessions else None
        return len(game.called) if game is not None else 0

    def tell(change: Change) -> None:
        order.append(
            f"told line {change.seq} with {calls()} calls, {len(lines_of(night))} lines on disk"
        )
        assert change.after is sessions[0].hall
        assert change.seq == sessions[0].seq

    with night_in(tmp_path, Watched()) as night:
        sessions.append(Session(night, tell, CLOCK))

        async def work() -> None:
            await submit(sessions[0], "open")
            order.clear()
            answer = await submit(sessions[0], "draw")
            order.append(f"answered {answer.to_json()}")

        run(work())
    assert order == [
        "write with 0 calls",
        "sync with 0 calls",
        "told line 3 with 1 calls, 3 lines on disk",
        "answered {'ok': True, 'seq': 3}",
    ]


def test_the_state_and_its_number_change_together(tmp_path: Path) -> None:
    """While a line is being written, and when it is on disk but not adopted yet, what is shown has
    the old number."""
    written, go_on = threading.Event(), threading.Event()
    go_on.set()

    class Slow(MemoryDisk):
        def sync(self, descriptor: int) -> None:
            super().sync(descriptor)
            written.set()
            assert go_on.wait(LIMIT_S)

    with night_in(tmp_path, Slow()) as night:
        session = Session(night, Told(), CLOCK)

        async def work() -> None:
            await play(session, ["open", "draw"])
            written.clear()
            go_on.clear()
            drawing = asyncio.ensure_future(submit(session, "draw"))
            assert await asyncio.get_running_loop().run_in_executor(None, written.wait, LIMIT_S)
            game = session.hall.last_sold
            assert game is not None
            assert (session.seq, len(game.called), len(lines_of(night))) == (3, 1, 4)
            go_on.set()
            await drawing
            game = session.hall.last_sold
            assert game is not None
            assert (session.seq, len(game.called)) == (4, 2)

        run(work())


def test_chance_alone_opens_a_game(night: Night) -> None:
    """A bag or a deal of somebody's own is not taken, and does not stand in the record."""
    session = Session(night, Told(), CLOCK)
    run(submit(session, "open", bag="mine", knobs=5, deal=["0001"]))
    do = lines_of(night)[-1]["do"]
    luck = {"way": "committed", "station": night.journal.signer.public, "leaves": 90}
    assert do == {"act": "open", "bag": session.hall.bag, "luck": luck, "knobs": 90}
    assert len(do["bag"]) == 64


def test_what_followed_stands_beside_what_was_done(night: Night) -> None:
    """A line has who, by which input, the act with what chance added to it, and the digest of the
    state it led to."""
    session = Session(night, Told(), CLOCK)
    run(play(session, [SELL, "open", "draw"]))
    line = lines_of(night)[-1]
    game = session.hall.last_sold
    assert game is not None
    leaf = line["do"].pop("leaf")
    assert line["do"] == {"act": "draw", "number": game.called[0]}
    assert (leaf["at"], len(leaf["secret"]), len(leaf["path"])) == (0, 64, 7 * 64)
    assert (line["by"], line["via"]) == ("admin", "wire")
    assert line["at"] == {"wall": "2023-11-14T22:13:20.000Z", "trust": "none"}
    assert line["then"] == {"digest": session.hall.digest(), "stage": "row", "calls": 1}


# -- once only -------------------------------------------------------------------------------------


def test_the_same_id_is_answered_the_same_and_done_once(tmp_path: Path) -> None:
    """A repeated command, accepted or refused, in this run or after a restart, does nothing and
    gets the first answer."""
    with night_in(tmp_path) as night:
        told = Told()
        session = Session(night, told, CLOCK)

        async def work() -> None:
            await submit(session, "open")
            first = await submit(session, "draw", "double-tap")
            assert await submit(session, "draw", "double-tap") == first == Done(3)
            refused = await submit(session, "play-on", "too-soon")
            assert isinstance(refused, Refused)
            await submit(session, "stop")
            # Play could go on now; this very wish was refused all the same.
            assert await submit(session, "play-on", "too-soon") == refused

        run(work())
        assert told.acts == ["open", "draw", "stop"]
    with night_in(tmp_path) as night:
        again = Session(night, told, CLOCK)
        assert run(submit(again, "draw", "double-tap")) == Done(3)
        assert (again.seq, again.halted) == (4, "")
        assert told.acts == ["open", "draw", "stop"]


def test_refusals_are_forgotten_oldest_first_and_not_without_end(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that asks for the impossible all evening does not fill the memory."""
    monkeypatch.setattr("station.record.session.REMEMBERED_REFUSALS", 3)
    session = Session(night, Told(), CLOCK)

    async def work() -> None:
        for number in range(5):
            await submit(session, "draw", f"r{number}")

    run(work())
    wishes = [Command.read(f"r{number}", {"act": "draw"}, ADMIN, "wire") for number in range(5)]
    assert [session.known(wish) is not None for wish in wishes] == [False, False, True, True, True]


USED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("another act", {"act": "stop"}, {"act": "draw"}),
    ("another number", {"act": "draw", "number": 38}, {"act": "draw", "number": 37}),
    ("another card", {**SELL, "serials": ["0001"]}, SELL),
    ("another holder", {**SELL, "to": "Bruno"}, SELL),
    ("more games", {**SELL, "games": 2}, SELL),
    ("no act", {"act": "sell", "serials": []}, SELL),
    ("of a refused one", {"act": "stop"}, {"act": "play-on"}),
]


@pytest.mark.parametrize(("do", "first"), [row[1:] for row in USED], ids=[row[0] for row in USED])
def test_an_id_of_another_command_is_refused(
    tmp_path: Path, do: dict[str, Any], first: dict[str, Any]
) -> None:
    """Whoever takes an id twice is told so and nothing is done, also after a restart; the first
    command keeps its answer."""
    with night_in(tmp_path) as night:
        told = Told()
        session = Session(night, told, CLOCK)
        run(play(session, ["open"] if first is not SELL else []))
        answer = run(session.submit(Command.read("one", first, ADMIN, "wire")))
        lines, others = (
            len(told.acts),
            [Command.read("one", do, ADMIN, "wire"), Command.read("one", first, EVE, "wire")],
        )
        for other in others:
            refused = run(session.submit(other))
            assert isinstance(refused, Refused)
            assert (refused.reason, refused.say.partition(":")[0][:32]) == (
                "id-used",
                "another command had this id, and",
            )
        assert run(session.submit(Command.read("one", first, ADMIN, "another input", 99))) == answer
        assert len(told.acts) == lines
    with night_in(tmp_path) as night:
        session = Session(night, told, CLOCK)
        if isinstance(answer, Done):  # a start forgets refusals
            assert [
                run(session.submit(other)).to_json()["refused"]["reason"] for other in others
            ] == ["id-used"] * 2
            assert run(session.submit(Command.read("one", first, ADMIN, "wire"))) == answer
            assert len(told.acts) == lines


@pytest.mark.parametrize(
    "do",
    [
        {"act": "open"},
        {"act": "open", "bag": "mine"},
        {"act": "draw"},
        {"act": "draw", "number": None},
    ],
)
def test_what_chance_added_makes_no_other_command(tmp_path: Path, do: dict[str, Any]) -> None:
    """The number of a draw and the bag of an opening are not the sender's: come again without them,
    it is the same command."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK)
        run(play(session, ["open"] if do["act"] == "draw" else []))
        first = run(session.submit(certain(session, Command.read("one", do, ADMIN, "wire"))))
        assert isinstance(first, Done)
        assert run(session.submit(Command.read("one", do, ADMIN, "wire"))) == first
    with night_in(tmp_path) as night:
        assert (
            run(Session(night, Told(), CLOCK).submit(Command.read("one", do, ADMIN, "wire")))
            == first
        )


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ids=st.lists(st.sampled_from("abcdef"), max_size=12))
def test_any_mix_of_repeats_does_each_id_once(
    tmp_path_factory: pytest.TempPathFactory, ids: list[str]
) -> None:
    """Whatever comes twice, at once or later: one line for each id, and every copy of a wish has
    the same answer."""
    with night_in(tmp_path_factory.mktemp("night")) as night:
        told = Told()
        session = Session(night, told, CLOCK)

        async def work() -> None:
            await submit(session, "open")
            answers = await asyncio.gather(*(submit(session, "draw", one) for one in ids))
            for one, answer in zip(ids, answers, strict=True):
                assert answers[ids.index(one)] == answer

        run(work())
        assert told.acts == ["open", *["draw"] * len(set(ids))]
        assert [line["id"] for line in lines_of(night)[2:]] == list(dict.fromkeys(ids))


# -- refusals --------------------------------------------------------------------------------------

REFUSED: list[tuple[str, dict[str, Any], Person, str]] = [
    ("no game is open", {"act": "draw"}, ADMIN, "no-game"),
    ("no such act", {"act": "dance"}, ADMIN, "not-your-role"),
    ("no act at all", {}, ADMIN, "not-your-role"),
    ("an act that is a list", {"act": ["draw"]}, ADMIN, "not-your-role"),
    ("more than the act takes", {"act": "open", "why": "so"}, ADMIN, "unreadable"),
    ("a card that is not there", {"act": "sell", "serials": ["9999"]}, ADMIN, "not-in-pack"),
    (
        "a claim with a card that is not there",
        {"act": "claim", "serial": "9999"},
        ADMIN,
        "not-in-pack",
    ),
    ("no cards", {"act": "sell", "serials": []}, ADMIN, "unreadable"),
    (
        "nested without end",
        {"act": "sell", "serials": reduce(lambda deep, _: [deep], range(100_000), [])},
        ADMIN,
        "unreadable",
    ),
    (
        "half a surrogate pair",
        {"act": "sell", "serials": ["0001"], "to": "\ud800"},
        ADMIN,
        "unreadable",
    ),
    ("a note from outside", {"act": "note", "about": "x", "what": "y"}, ADMIN, "not-your-role"),
    ("a watcher opens", {"act": "open"}, Person("phone", Role.WATCHER), "not-your-role"),
    ("a seat opens", {"act": "open"}, Person("seat", Role.SEAT), "not-your-role"),
    ("a checker opens", {"act": "open"}, Person("checker", Role.CHECKER), "not-your-role"),
    ("a cashier opens", {"act": "open"}, Person("cashier", Role.CASHIER), "not-your-role"),
    ("the table sells", SELL, DEVICE, "not-your-role"),
    ("the station sells", SELL, STATION, "not-your-role"),
]


@pytest.mark.parametrize(
    ("do", "by", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_refusal_leaves_no_trace(
    tmp_path: Path, do: dict[str, Any], by: Person, reason: str
) -> None:
    """What is refused says why; nothing of it is on disk, in the state, or told."""
    disk = MemoryDisk()
    with night_in(tmp_path, disk) as night:
        told = Told()
        session = Session(night, told, CLOCK)
        before, asked = session.hall, len(disk.calls)
        act = dict(do)
        answer = run(submit(session, act.pop("act", ""), by=by, **act))
        assert isinstance(answer, Refused), answer
        assert (answer.reason, bool(answer.say)) == (reason, True)
        assert (session.hall, told.changes, len(disk.calls), session.seq) == (before, [], asked, 1)


@pytest.mark.parametrize(
    ("act", "expect", "allowed"),
    [
        ("draw", 2, True),
        ("draw", 1, False),
        ("undo", 1, False),
        ("undo", 2, True),
        ("close", 3, False),
        ("pay", 1, False),
        ("stop", 7, True),
    ],
)
def test_what_was_expected_must_still_be_so(
    night: Night, act: str, expect: int, allowed: bool
) -> None:
    """A draw, an undo, a payment of somebody who did not see the last call is refused; a stop never
    is."""
    session = Session(night, Told(), CLOCK)
    run(play(session, ["open", "draw", "draw"]))
    answer = run(submit(session, act, expect=expect))
    assert isinstance(answer, Done) is allowed
    assert allowed or (isinstance(answer, Refused) and answer.reason == "changed-meanwhile")


def test_the_bag_of_the_wire_is_not_taken(night: Night) -> None:
    """Nobody outside says what the virtual bag's commitment is."""
    session = Session(night, Told(), CLOCK)
    run(submit(session, "open", bag="mine"))
    assert len(session.hall.bag) == 64


def test_an_undone_number_comes_again(night: Night) -> None:
    """A call that is taken back leaves its knob in its place of the order: taking back fishes for
    nothing."""
    session = Session(night, Told(), CLOCK)
    run(play(session, ["open", "draw"]))
    assert session.hall.last_sold is not None
    first = session.hall.last_sold.called
    run(play(session, [{"act": "undo", "why": "misheard"}, "draw"]))
    assert session.hall.last_sold.called == first


# -- the bag ---------------------------------------------------------------------------------------


def test_a_game_without_a_committed_bag_draws_no_number(night: Night) -> None:
    """No station opens one; the session still gives no number that nobody could check."""
    entry = {"id": "o", **CLOCK.stamp(), "by": "admin", "via": "wire", "do": {"act": "open"}}
    opened = apply(night.hall, parse_act({"act": "open"}))
    night.journal.append_now({**entry, "then": followed(night.hall, opened)})
    night.hall = opened
    session = Session(night, Told(), CLOCK)
    [refused] = run(play(session, ["draw"]))
    assert isinstance(refused, Refused)
    assert refused.reason == "no-fair-bag"


def test_what_the_bag_gives_next_may_be_seen(night: Night) -> None:
    """It is what the next draw calls; nothing where a draw would be refused."""
    session = Session(night, Told(), CLOCK)
    assert session.upcoming() is None, "no game is open"
    run(play(session, ["open", "draw"]))
    seen = session.upcoming()
    assert session.hall.last_sold is not None
    assert seen not in (None, *session.hall.last_sold.called)
    run(play(session, ["stop"]))
    assert session.upcoming() is None, "a claim is open"
    run(play(session, ["play-on"]))
    assert session.upcoming() == seen
    run(play(session, ["draw"]))
    assert session.hall.last_sold.called[-1] == seen
    run(play(session, ["draw"] * 88))
    assert session.upcoming() is None, "the bag is empty"
    run(session.close())
    assert session.upcoming() is None, "the station ends"


# -- the clock -------------------------------------------------------------------------------------


@dataclass
class HandClock:
    """A clock that is set by hand."""

    wall: float = 1_700_000_000.0
    mono: float = 100.0

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.mono, lambda: False)

    def passes(self, seconds: float, drift: float = 0.0) -> None:
        self.wall += seconds + drift
        self.mono += seconds


def test_a_jump_of_the_clock_is_recorded_before_the_next_line(tmp_path: Path) -> None:
    """Set forward or back by more than two seconds between two lines, a line says so; what is
    refused writes none."""
    hands, told = HandClock(), Told()
    with night_in(tmp_path) as night:
        session = Session(night, told, hands.clock())

        async def work() -> None:
            await play(session, ["open", "draw"])
            hands.passes(3600, 1.9)
            await play(session, ["draw"])
            hands.passes(10, 86_400)
            await play(session, ["play-on", "draw"])
            hands.passes(10, -2.1)
            assert await play(session, ["close"]) == [Done(8)]

        run(work())
        notes = [line["do"]["what"] for line in lines_of(night) if line["do"]["act"] == "note"]
        assert told.acts == ["open", "draw", "draw", "note", "draw", "note", "close"]
        assert (
            [line["seq"] for line in lines_of(night)]
            == [*range(1, 9)]
            == [1, *(change.seq for change in told.changes)]
        )
    assert notes == [
        "the clock jumped forward by 86400.0 s, to 2023-11-15T23:13:31.900Z",
        "the clock jumped back by 2.1 s, to 2023-11-15T23:13:39.800Z",
    ]
    assert [lines for _, lines, _ in audit.replay_all(tmp_path)] == [8]


@pytest.mark.parametrize(
    ("off", "noted"), [(-3600.0, True), (-1.0, False), (0.0, False), (7200.0, False)]
)
def test_a_clock_that_went_back_while_the_station_was_off_is_recorded(
    tmp_path: Path, off: float, noted: bool
) -> None:
    """A Pi that starts in the past says so before its first line; forward it may go, for time
    passes."""
    hands = HandClock()
    with night_in(tmp_path) as night:
        run(play(Session(night, Told(), hands.clock()), ["open"]))
    hands.wall, hands.mono = hands.wall + off, 3.0
    with night_in(tmp_path) as night:
        told = Told()
        run(play(Session(night, told, hands.clock()), ["draw", "draw"]))
        assert told.acts == ["renew"] + (["note"] if noted else []) + ["draw", "draw"]
        notes = [line["do"]["what"] for line in lines_of(night) if line["do"]["act"] == "note"]
        times = "at 2023-11-14T21:13:20.000Z, after 2023-11-14T22:13:20.000Z"
        wanted = [f"the clock stands before the last line: {times}"]
        assert notes == (wanted if noted else [])


def test_a_jump_that_cannot_be_recorded_halts(tmp_path: Path) -> None:
    """Its line is a line like any other: when it cannot be written, the command behind it is
    refused and not done."""
    hands, disk, told = HandClock(), MemoryDisk(), Told()
    with night_in(tmp_path, disk) as night:
        session = Session(night, told, hands.clock())
        run(play(session, ["open"]))
        hands.passes(1, 60)
        disk.fail_next("sync", BROKEN)
        [refused] = run(play(session, ["draw"]))
        assert isinstance(refused, Refused)
        assert (refused.reason, told.acts) == ("halted", ["open"])


# -- together --------------------------------------------------------------------------------------


def test_commands_at_once_come_one_after_the_other(night: Night) -> None:
    """Twenty draws at the same moment are twenty lines and twenty different numbers, told in the
    order of their lines."""
    told = Told()
    session = Session(night, told, CLOCK)

    async def work() -> list[Any]:
        await submit(session, "open")
        return await asyncio.gather(
            *(submit(session, "draw", f"d{number}") for number in range(20))
        )

    answers = run(work())
    assert answers == [Done(seq) for seq in range(3, 23)]
    assert [change.seq for change in told.changes] == list(range(2, 23))
    assert session.hall.last_sold is not None
    assert len(set(session.hall.last_sold.called)) == 20


def test_a_sender_that_hangs_up_does_not_undo_what_it_began(night: Night) -> None:
    """The command is finished, adopted and told though nobody waits for its answer; the next one is
    not held up."""
    told = Told()
    session = Session(night, told, CLOCK)

    async def work() -> None:
        await submit(session, "open")
        sender = asyncio.ensure_future(submit(session, "draw", "gone"))
        await asyncio.sleep(0)
        sender.cancel()
        await asyncio.gather(sender, return_exceptions=True)
        assert sender.cancelled()
        await submit(session, "draw")

    run(work())
    assert told.acts == ["open", "draw", "draw"]
    assert session.known(Command.read("gone", {"act": "draw"}, ADMIN, "wire")) == Done(3)
    assert [line["seq"] for line in lines_of(night)] == [1, 2, 3, 4]


# -- the end ---------------------------------------------------------------------------------------


def test_ending_finishes_what_is_recorded_and_refuses_the_rest(night: Night) -> None:
    """What had begun when the station was ended is done, told and answered; what came behind it is
    refused."""
    told = Told()
    session = Session(night, told, CLOCK)

    async def work() -> None:
        first = asyncio.ensure_future(submit(session, "open"))
        second = asyncio.ensure_future(submit(session, "draw"))
        for _ in range(3):  # until the first has begun and the second waits for it
            await asyncio.sleep(0)
        await session.close()
        assert told.acts == ["open"]
        night.journal.close()
        assert await first == Done(2)
        for late in (await second, await submit(session, "draw")):
            assert isinstance(late, Refused)
            assert late.reason == "station-ending"

    run(work())
    assert len(lines_of(night)) == 2


def test_a_night_that_follows_knows_what_was_done_in_the_one_before(tmp_path: Path) -> None:
    """Done and refused alike, answered the same; its opening line answers the command that began
    it, and nobody else."""
    with night_in(tmp_path) as night:
        before = Session(night, Told(), CLOCK)
        sell, draw = (
            Command.read("s", SELL, ADMIN, "wire"),
            Command.read("d", {"act": "draw"}, ADMIN, "wire"),
        )
        sold, refused = run(before.submit(sell)), run(before.submit(draw))
        run(submit(before, "close-night"))
    with night_in(tmp_path, new=True) as night:
        session = Session(night, Told(), CLOCK, before=before)
        assert (run(session.submit(sell)), run(session.submit(draw))) == (sold, refused)
        station = Command.read("opening", {"act": "next-night"}, STATION, "wire")
        assert session.known(station) == Done(1)
        for wrong in (
            Command.read("opening", {"act": "open"}, STATION, "wire"),
            Command.read("opening", {"act": "next-night"}, ADMIN, "wire"),
        ):
            answer = session.known(wrong)
            assert isinstance(answer, Refused)
            assert answer.reason == "id-used"
        assert night.journal.head.seq == 1


def test_while_it_is_still_nothing_is_recorded(night: Night) -> None:
    """What is asked for meanwhile waits, and is done after it."""

    async def work() -> None:
        session = Session(night, Told(), CLOCK)
        async with session.still():
            asked = asyncio.ensure_future(session.submit(Command.read("s", SELL, ADMIN, "wire")))
            for _ in range(20):
                await asyncio.sleep(0)
            assert (asked.done(), night.journal.head.seq) == (False, 1)
        assert isinstance(await asked, Done)

    run(work())


def test_where_nobody_can_begin_another_night(night: Night) -> None:
    """It is said."""
    answer = run(no_next_night(Command.read("n", {"act": "next-night"}, ADMIN, "wire")))
    assert isinstance(answer, Refused)
    assert answer.reason == "no-next-night"


@pytest.mark.parametrize(("call", "fault"), [("write", NO_ROOM), ("write", 7), ("sync", BROKEN)])
def test_a_failed_write_halts_the_session(tmp_path: Path, call: str, fault: OSError | int) -> None:
    """What could not be written is not adopted nor told; every later command is refused, and the
    disk is not asked again."""
    disk = MemoryDisk()
    with night_in(tmp_path, disk) as night:
        told = Told()
        session = Session(night, told, CLOCK)

        async def work() -> Hall:
            await play(session, ["open", "draw"])
            before = session.hall
            disk.fail_next(call, fault)
            refused = await submit(session, "draw")
            asked = len(disk.calls)
            later = await play(session, ["draw", "stop", "close-night"])
            assert [
                answer.reason for answer in (refused, *later) if isinstance(answer, Refused)
            ] == ["halted"] * 4
            assert len(disk.calls) == asked
            assert session.hall is before
            return before

        before = run(work())
        assert "go on with paper" in session.halted
        assert told.acts == ["open", "draw"]
        with pytest.raises(Halted):
            night.journal.append_now({})
    # With room again, a start finds what was answered; a line that reached the disk unsynced may
    # stand there too.
    with night_in(tmp_path) as night:
        game = Session(night, told, CLOCK).hall.last_sold
        assert game is not None
        assert before.last_sold is not None
        assert game.called[:1] == before.last_sold.called


def test_the_heads_of_each_games_end_and_of_the_nights_are_kept(tmp_path: Path) -> None:
    """Beside the journal, one after the other; each is the head that the session tells then."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK)

        async def work() -> None:
            kept, told = night.folder / HEADS, list[str]()
            assert parse_head(session.head).size == 1
            for act in ("open", "draw", "close", "close-night"):
                await play(session, [act])
                head = parse_head(session.head)
                assert (head.size, head.root) == (session.seq, night.journal.head.edge.root)
                assert head.signed_by(night.journal.signer.public)
                told += [session.head] * act.startswith("close")
                assert (kept.read_text() if kept.exists() else "") == "".join(told)

        run(work())


def test_an_end_whose_head_cannot_be_kept_still_stands(tmp_path: Path) -> None:
    """A disk that fails under the kept heads halts the night; the game's end before it is recorded,
    adopted and answered."""
    disk = MemoryDisk()
    with night_in(tmp_path, disk) as night:
        session = Session(night, Told(), CLOCK)

        async def work() -> None:
            await play(session, ["open"])
            disk.fails["sync"] = {disk.count("sync") + 2: BROKEN}  # the first is the line's own
            assert await play(session, ["close"]) == [Done(3)]
            assert session.hall.sold is None
            assert session.halted

        run(work())
    assert not (night.folder / HEADS).exists()


# What nobody may ask for, the session alone makes.
EVERY_ACT = sorted(
    {get_args(model.model_fields["act"].annotation)[0] for model in get_args(Act)}
    & frozenset().union(*MAY.values())
)
BY_SEEN = [
    "sit",
    "join",
    "open",
    "shake",
    "draw",
    "undo",
    "move",
    "close",
    "break",
    "skip",
    "close-night",
]
BY_CALLS = ["draw", "undo", "pay", "close", "shake", "move"]


@pytest.mark.parametrize("act", EVERY_ACT)
@pytest.mark.parametrize(
    "belief",
    [{"seen": "0" * 16}, {"seen": "999"}, {"expect": 99}],
    ids=["a table", "a line", "calls"],
)
def test_who_believes_in_another_state_is_told(
    tmp_path: Path, act: str, belief: dict[str, Any]
) -> None:
    """Of every act there is: those that go by what was seen, or by the calls, are refused before
    anything else is looked at."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK)
        before = session.hall
        who = next(
            Person(role.value, role) for role in (Role.ADMIN, Role.STATION) if act in MAY[role]
        )
        answer = run(
            session.submit(
                Command.read("mine", {"act": act, "number": True}, who, "wire", **belief)
            )
        )
        goes_by_it = act in (BY_CALLS if "expect" in belief else BY_SEEN)
        assert isinstance(answer, Refused), "nothing else of these acts is said"
        assert (answer.reason == "changed-meanwhile") is goes_by_it
        assert session.hall is before
