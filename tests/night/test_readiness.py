"""Before a game opens: the census, the self-test and waivers, what they stop, and how they stand in
the journal."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import NotAllowed
from station.night.acts import (
    Act,
    Census,
    CloseGame,
    DrawKnob,
    Open,
    SelfTest,
    Tried,
    Undo,
    Waive,
    act_to_json,
    parse_act,
)
from station.night.hall import Hall, HallReason, apply, followed
from station.night.readiness import (
    ALL_KNOBS,
    CheckOutcome,
    Counting,
    KnobCount,
    Readiness,
    Tick,
    census_faults,
    sheet,
)
from station.record.requests import Command, Done, Refused
from station.record.session import Session
from tests.drill.sender import certain
from tests.night.test_hall import PACK, PROGRAMME
from tests.support import ADMIN, CLOCK, Told, night_in, play, run

ALL = tuple(range(1, 91))
GOOD = Census(found=ALL, who="Anna")
MISSING = Census(found=ALL[:-2])
WAIVED = Waive(who="Anna", why="the reader is broken")
WAIVED_FAULTS = Waive(about="faults", who="Anna", why="we key the numbers")


def trial(*faults: str, blocks: bool = True) -> SelfTest:
    """A self-test with these faults."""
    return SelfTest(
        parts=(
            Tried(what="clock", result="good"),
            *(Tried(what=f, result="fault", blocks=blocks) for f in faults),
        )
    )


def hall_after(*acts: Act, strict: bool = True) -> Hall:
    hall = Hall(PACK, PROGRAMME, ready=Readiness(strict))
    for act in acts:
        hall = apply(hall, act)
    return hall


@pytest.mark.parametrize(
    ("before", "reason", "says"),
    [
        ((), HallReason.NO_CENSUS, "the balls were not counted tonight: .* ./loto census"),
        ((MISSING,), HallReason.NO_CENSUS, "the last census found faults"),
        ((GOOD, MISSING), HallReason.NO_CENSUS, "the last census found faults"),
        ((Census(found=ALL, twice=(7,)),), HallReason.NO_CENSUS, "found faults"),
        ((Census(found=ALL, foreign=(7,)),), HallReason.NO_CENSUS, "found faults"),
        ((WAIVED_FAULTS,), HallReason.NO_CENSUS, "not counted"),
        ((GOOD, trial("reader", "disk")), HallReason.UNFIT, "a fault in reader, disk: mend it"),
        ((GOOD, trial("reader"), WAIVED), HallReason.UNFIT, "reader"),
        ((GOOD, trial("reader"), WAIVED_FAULTS, trial("disk")), HallReason.UNFIT, "disk"),
        ((GOOD,), None, ""),
        ((MISSING, GOOD), None, ""),
        ((MISSING, WAIVED), None, ""),
        ((WAIVED,), None, ""),
        ((GOOD, trial("voice", blocks=False)), None, ""),
        ((GOOD, trial("reader"), trial()), None, ""),
        ((GOOD, trial("reader"), WAIVED_FAULTS), None, ""),
        ((GOOD, Open(), CloseGame()), None, ""),
        ((WAIVED, Open(), CloseGame()), None, ""),
    ],
)
def test_what_a_strict_night_opens_after(before, reason, says):
    """A good census or a waiver since the night began, and no fault that could affect a game; it
    holds for every later game."""
    hall = hall_after(*before)
    if reason is None:
        assert apply(hall, Open()).playing is not None
    else:
        with pytest.raises(NotAllowed, match=says) as caught:
            apply(hall, Open())
        assert caught.value.reason is reason
    assert apply(hall_after(*before, strict=False), Open()).playing is not None, (
        "a TEST night is free"
    )


@pytest.mark.parametrize("act", [GOOD, trial()])
def test_nothing_is_counted_or_tested_during_a_game(act):
    """The knobs are out of the bag; a waiver may be said at any time, and changes nothing of the
    game."""
    hall = hall_after(GOOD, Open())
    with pytest.raises(NotAllowed, match="between games") as caught:
        apply(hall, act)
    assert caught.value.reason is HallReason.GAME_OPEN
    assert apply(hall, WAIVED).last_sold == hall.last_sold


@pytest.mark.parametrize("knobs", [None, 90, 89, 0, 91])
def test_a_virtual_bag_is_whole_or_no_game_opens(knobs):
    """Ninety different knobs, as counted at the opening."""
    if knobs in (None, 90):
        assert hall_after(GOOD, Open(knobs=knobs)).playing is not None
    else:
        with pytest.raises(NotAllowed, match=f"has {knobs} different balls") as caught:
            hall_after(GOOD, Open(knobs=knobs))
        assert caught.value.reason is HallReason.BAG_NOT_WHOLE


COUNTED = st.sets(st.integers(1, 90)).map(lambda found: Census(found=tuple(sorted(found))))
PLAYED = st.lists(
    st.one_of(
        COUNTED,
        st.builds(DrawKnob, number=st.integers(1, 90)),
        st.sampled_from([Open(), CloseGame(), Undo(), WAIVED, GOOD]),
    ),
    max_size=30,
)


@given(PLAYED)
def test_bag_drawn_and_put_away_are_ninety(acts):
    """Whatever is counted, drawn, taken back and closed: each knob is in one of the three; what is
    drawn is what was called; what is put away was missed by the last census; and the journal's
    lines alone lead to the same again.
    """
    hall = first = hall_after()
    history = []
    for act in acts:
        try:
            after = apply(hall, act)
        except NotAllowed:
            continue
        history.append((act, followed(hall, after)))
        hall = after
        knobs = hall.knobs
        assert knobs.bag | knobs.drawn | knobs.away == ALL_KNOBS
        assert len(knobs.bag) + len(knobs.drawn) + len(knobs.away) == 90
        assert knobs.drawn == (
            frozenset(hall.sold.called) if hall.sold is not None else frozenset()
        )
        assert knobs.away <= hall.ready.away
    again = first
    for act, then in history:
        after = apply(again, parse_act(json.loads(json.dumps(act_to_json(act)))))
        assert followed(again, after) == then
        again = after
    assert again == hall


def test_what_follows_stands_in_the_journal():
    """The census with its outcome, and at the game's end where the knobs were; nothing of it where
    none was ever counted."""
    hall = hall_after()
    after = apply(hall, MISSING)
    assert followed(hall, after)["ready"] == "1:faulty:89,90:none:-:0"
    hall = hall_after(MISSING, WAIVED, Open(), DrawKnob(number=5), DrawKnob(number=90))
    assert hall.knobs == KnobCount(ALL_KNOBS - {5, 89, 90}, frozenset({5, 90}), frozenset({89}))
    assert followed(hall, apply(hall, CloseGame()))["knobs"] == {"bag": 87, "drawn": 2, "away": 1}
    free = hall_after(Open(), strict=False)
    assert not followed(free, apply(free, CloseGame())).keys() & {"knobs", "ready"}
    assert " ready=" not in free.notation()


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (GOOD, ()),
        (Census(found=ALL, unreadable=3), ()),
        (MISSING, ("missing: 89 and 90",)),
        (
            Census(found=ALL[1:], twice=(7, 8), foreign=(6547886,)),
            ("missing: 1", "with one number: 7 and 8", "tags: 0006547886"),
        ),
    ],
)
def test_the_faults_of_a_census(act, says):
    """Each kind has its sentence; what could not be read is no fault when all ninety passed."""
    assert len(census_faults(act)) == len(says)
    assert all(text in str(fault) for text, fault in zip(says, census_faults(act), strict=True))


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ([n for n in ALL if n != 45], ()),
        (ALL, ("put away, and among them: 45",)),
        (ALL[:89], ("missing: 90", "put away, and among them: 45")),
    ],
)
def test_the_faults_of_a_bag_with_a_knob_put_away(found, says):
    """The forty-fifth is not missed at the table, and is a fault where it is."""
    faults = census_faults(Census(found=tuple(found)), ALL_KNOBS - {45})
    assert tuple(map(str, faults)) == says


# -- ticking off -----------------------------------------------------------------------------------

# 500 is a second tag in knob 7, 600 a spare knob 8
KNOBS = {100 + number: number for number in ALL} | {500: 7, 600: 8}


def counted(*tags: int) -> tuple[Counting, list[Tick]]:
    counting, ticks = Counting(KNOBS, frozenset({600})), []
    for tag in tags:
        counting, tick = counting.read(tag)
        ticks.append(tick)
    return counting, ticks


@pytest.mark.parametrize(
    ("tags", "ticks"),
    [
        ((101,), "new"),
        ((101, 101), "new again"),
        ((107, 500), "new again"),
        ((500, 107, 107), "new again again"),
        ((108, 600), "new twice"),
        ((600, 108, 600), "new twice again"),
        ((600,), "new"),
        ((999, 101), "foreign new"),
    ],
)
def test_each_tag_is_told_apart(tags, ticks):
    """New, the same knob again (by either of its tags), a spare beside the knob it stands in for, a
    stranger."""
    assert counted(*tags)[1] == [Tick(tick) for tick in ticks.split()]


def test_a_whole_bag_in_any_order():
    """Ninety of ninety only at the ninetieth; then the act says so."""
    tags = [100 + number for number in ALL]
    Random(5).shuffle(tags)
    counting = Counting(KNOBS)
    for place, tag in enumerate(tags):
        assert not counting.whole
        assert len(counting.missing) == 90 - place
        counting, _ = counting.read(tag)
    assert counting.whole
    assert counting.act() == Census(found=ALL)


def test_a_census_goes_on_after_its_faults():
    """What was found once stays counted; doubles and strangers are forgotten, so that the right
    knob is laid again."""
    counting, _ = counted(*(100 + number for number in ALL), 600, 999)
    assert (counting.whole, counting.act()) == (
        False,
        Census(found=ALL, twice=(8,), foreign=(999,)),
    )
    mended = counting.refused().mended()
    assert mended.missing == (8,)
    assert mended.act() == Census(found=tuple(n for n in ALL if n != 8), unreadable=1)
    assert mended.read(108)[0].whole


def test_the_sheet():
    """Ninety boxes; those found are ticked; the missing named below."""
    paper = sheet(ALL[:89], ("counted by Anna",))
    assert (paper.count("[x]"), paper.count("[ ]")) == (89, 1)
    assert paper.endswith("\n89 of 90 knobs\nmissing: 90\ncounted by Anna\n")
    assert "missing" not in sheet(ALL)
    assert sheet(ALL[:89], away=(90,)).endswith("[-] 90\n\n89 of 89 knobs\n")
    assert sheet(ALL, away=(90,)).endswith("[x] 90\n\n89 of 89 knobs\n")


# -- in a night ------------------------------------------------------------------------------------


def test_a_strict_night_stays_strict(tmp_path: Path) -> None:
    """Waived, played and started again: the waiver still holds; the next night begins uncounted;
    each bag's count is recorded."""
    with night_in(tmp_path, strict=True) as night:
        session = Session(night, Told(), CLOCK)
        refused, *answers = run(
            play(
                session, ["open", *({"act": "waive", "who": "Anna", "why": "late"}, "open", "draw")]
            )
        )
        assert isinstance(refused, Refused)
        assert refused.reason == "no-census"
        assert all(isinstance(answer, Done) for answer in answers)
    with night_in(tmp_path) as night:
        assert night.hall.ready == Readiness(True, CheckOutcome.WAIVED)
        session = Session(night, Told(), CLOCK)
        assert all(
            isinstance(answer, Done)
            for answer in run(play(session, ["close", "open", "close", "close-night"]))
        )
        lines = [
            json.loads(line) for line in (night.folder / "journal.jsonl").read_text().splitlines()
        ]
    assert [line["do"]["knobs"] for line in lines if line["do"]["act"] == "open"] == [90, 90]
    with night_in(tmp_path, new=True, strict=True) as night:
        assert night.hall.ready == Readiness(True)


def test_the_command_that_opened_is_known_again(tmp_path: Path) -> None:
    """What chance adds to an opening, the bag and its count, is no part of the command: sent again
    it is answered the same."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK)
        command = certain(session, Command.read("once", {"act": "open"}, ADMIN, "wire"))
        assert run(session.submit(command)) == run(session.submit(command)) == Done(2)
