"""A session and the bag that opens leaves: what is refused, what comes again, what a lost memory
costs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.base.errors import NotAllowed
from station.night.acts import Act, DrawKnob, Open, Renew, See
from station.night.hall import Hall, apply
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.proof.leaves import OpenedLeaf, Way
from station.record import session as sessions
from station.record.audit import verify
from station.record.journal import FILE
from station.record.requests import Change, Command, Refused, RenewLuck, SeeNext
from station.record.session import Session
from station.wire.wording import load_wording
from tests.drill.sender import certain
from tests.support import ADMIN, CLOCK, LIMIT_S, Told, night_in, play, run

LEAF = OpenedLeaf(at=0, secret="ab" * 32)
STATION = Person("station", Role.STATION)
CALLER = Person("caller", Role.CALLER)


@pytest.mark.parametrize(
    "act",
    [
        DrawKnob(number=5, again=True),
        DrawKnob(number=5, leaf=LEAF),
        See(number=5, leaf=LEAF),
        Renew(bag="ab" * 32, epoch=2),
    ],
    ids=lambda act: act.act,
)
def test_where_no_leaf_was_committed_to_none_is_opened(tmp_path: Path, act: Act) -> None:
    """In a game on real knobs, and where no game is open."""
    with night_in(tmp_path) as night:
        opened = apply(night.hall, Open())
        for hall in (night.hall, opened):
            with pytest.raises(NotAllowed):
                apply(hall, act)


def test_nothing_is_seen_while_nothing_is_drawn(tmp_path: Path) -> None:
    """While a claim is open, or a number is due already, there is no next one to see; once every
    number is called, none is left."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1))

        def see() -> object:
            return run(session.submit(Command(f"s{session.seq}", SeeNext(), CALLER, "wire")))

        run(play(session, ["open", "draw"]))
        fair = session.hall.fair
        assert fair is not None
        run(play(session, ["undo"]))
        assert session.upcoming() == session.hall.fair.next_due
        assert isinstance(see(), Refused)
        run(play(session, ["draw", "stop"]))
        with pytest.raises(NotAllowed):
            apply(session.hall, See(number=5, leaf=LEAF))
        run(play(session, ["play-on", *["draw"] * 89]))
        assert session.hall.last_sold is not None
        assert len(session.hall.last_sold.called) == 90
        [empty] = run(play(session, ["draw"]))
        assert isinstance(empty, Refused)


def test_an_empty_bag_gives_nothing_next(tmp_path: Path) -> None:
    """What was put away is in no bag: once all others are called there is no next number."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1))
        run(play(session, ["open", "draw"]))
        fair = session.hall.fair
        assert fair is not None
        assert session.upcoming() in fair.inside
        session.hall = replace(session.hall, fair=replace(fair, away=fair.inside))
        assert session.upcoming() is None


def test_a_renewal_wants_a_loss(tmp_path: Path) -> None:
    """Whose secrets are there commits to nothing anew."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1))
        run(play(session, ["open"]))
        answer = run(session.submit(Command("r", RenewLuck(), STATION, "luck")))
        assert isinstance(answer, Refused)
        assert answer.reason == "nothing-lost"


WORDS = {"act": "mix", "words": "  u\u0308ber den Zaun "}


def test_a_shared_bag_waits_for_the_hall(tmp_path: Path) -> None:
    """No number before its words, which are kept in Unicode's form C; once for each epoch. A number
    that was taken back before the power went needs none."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1), way=Way.SHARED)
        [_, refused, *done, twice] = run(
            play(session, ["open", "draw", WORDS, "draw", "draw", "undo", WORDS])
        )
        assert isinstance(refused, Refused)
        assert refused.reason == "no-words-yet"
        assert "loto mix" in refused.say
        assert isinstance(twice, Refused)
        assert (twice.reason, [isinstance(one, Refused) for one in done]) == (
            "words-stand",
            [False] * 4,
        )
        assert session.hall.fair is not None
        assert session.hall.fair.words == "\u00fcber den Zaun"
        due = session.hall.fair.next_due
        session.hall.digest()
    with night_in(tmp_path) as night:
        again = Session(night, Told(), CLOCK, Random(2), way=Way.SHARED)
        answer = run(again.submit(Command("renew", RenewLuck(), STATION, "luck")))
        assert not isinstance(answer, Refused)
        assert not again.hall.wants_words  # the number that was taken back comes without
        run(play(again, ["draw"]))
        assert again.hall.called[-1] == due
        assert (again.hall.wants_words, again.upcoming()) == (True, None)
        seen = run(again.submit(Command("see", SeeNext(), CALLER, "wire")))
        [refused] = run(play(again, ["draw"]))
        assert [one.reason for one in (seen, refused) if isinstance(one, Refused)] == (
            ["no-words-yet"] * 2
        )
        waived = {"act": "waive", "about": "words", "who": "Anna", "why": "nobody says anything"}
        [answer, drawn] = run(play(again, [waived, "draw"]))
        assert not isinstance(drawn, Refused)
        assert again.hall.fair is not None
        assert again.hall.fair.words == ""
    verify(tmp_path)


def test_what_is_said_before_the_root_does_not_count(tmp_path: Path) -> None:
    """Where the secrets are lost, the bag is committed to anew first, and words are said again."""
    with night_in(tmp_path) as night:
        run(play(Session(night, Told(), CLOCK, Random(1), way=Way.SHARED), ["open"]))
    with night_in(tmp_path) as night:
        told = Told()
        session = Session(night, told, CLOCK, Random(2), way=Way.SHARED)
        [early, now] = run(play(session, [WORDS, WORDS]))
        assert isinstance(early, Refused)
        assert (early.reason, told.acts) == ("no-words-yet", ["renew", "mix"])
        assert not isinstance(now, Refused)


@pytest.mark.parametrize("words", ["", "  ", "w" * 201, "two\nlines", "\x1b[2J"])
def test_words_are_one_short_line(tmp_path: Path, words: str) -> None:
    """Nothing else is taken for what the hall says."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1), way=Way.SHARED)
        [_, refused] = run(play(session, ["open", {"act": "mix", "words": words}]))
        assert isinstance(refused, Refused)
        assert refused.reason == "unreadable"


def test_a_fresh_bag_makes_each_secret_at_its_call(tmp_path: Path) -> None:
    """Nothing is committed to, and so nothing is lost when the program ends."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1), way=Way.FRESH)
        run(play(session, ["open", "draw", "draw"]))
        assert session.hall.last_sold is not None
        called = session.hall.last_sold.called
        assert not session.lost_luck
    with night_in(tmp_path) as night:
        again = Session(night, Told(), CLOCK, Random(2), way=Way.FRESH)
        run(play(again, ["draw"]))
        assert again.hall.last_sold is not None
        assert again.hall.last_sold.called[:2] == called
        assert len(set(again.hall.last_sold.called)) == 3


def test_what_was_waived_and_how_often_it_began_anew_is_reported(tmp_path: Path) -> None:
    """In the report's facts and among what else happened, the hall's words as they were said."""
    for place, acts in enumerate((["open", WORDS, "draw"], ["draw"])):
        with night_in(tmp_path) as night:
            session = Session(night, Told(), CLOCK, Random(place), way=Way.SHARED)
            run(play(session, acts))
            waived = {"act": "waive", "about": "words", "who": "Anna", "why": "nobody speaks"}
            run(play(session, [waived, "draw"] if place else []))
    report = make_report(read_source(tmp_path, None, lambda done, total: None), load_wording("en"))
    assert report.proofs["the bag"] == "committed to anew after a stop: 1 times"
    assert report.proofs["the hall's words"] == "waived: 1 times"
    [game] = report.source.record.games
    assert report.source.record.renewals(game) == 1
    told = str(report.tables["events"].rows)
    assert "\u00fcber den Zaun" in told
    assert "Anna: nobody speaks" in told


# Draws one after the other, with others in between that make another draw of the next one.
DRAW, UNDO = {"act": "draw"}, {"act": "undo"}
OPENED = ({"act": "open"}, WORDS)
IN_BETWEEN = (
    *(*OPENED, DRAW, DRAW, UNDO, DRAW, DRAW, DRAW | {"number": 90}, DRAW, {"act": "stop"}, DRAW),
    *({"act": "play-on"}, DRAW, UNDO, UNDO, DRAW, DRAW, {"act": "close"}, *OPENED, *[DRAW] * 91),
)


@pytest.mark.parametrize("way", [Way.COMMITTED, Way.SHARED, Way.FRESH])
def test_a_draw_that_was_worked_out_before_is_the_same(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether or not there is time between two acts, the record is the same to the byte; where
    there was, a draw has nothing left to be looked at. A leaf that is made at its call is not made
    before: then only what was taken back is known."""
    looked: list[str] = []

    def applied(hall: Hall, act: Act) -> Hall:
        looked.append(act.act)
        return apply(hall, act)

    monkeypatch.setattr(sessions, "apply", applied)

    async def played(session: Session, told: list[bool], *, slowly: bool) -> int:
        """Do it all; return how many draws were looked at when they were asked for."""
        late, loop = 0, asyncio.get_running_loop()
        for number, act in enumerate(IN_BETWEEN):
            looked.clear()
            told.clear()
            command = certain(session, Command.read(f"{number}", dict(act), ADMIN, "wire"))
            await session.submit(command)
            late += act is DRAW and told == [True]
            if slowly:
                passed = loop.create_future()
                loop.call_later(0, passed.set_result, None)
                await passed
        return late

    key, records, late = Ed25519PrivateKey.from_private_bytes(bytes(32)), [], []
    for state in (tmp_path / "hasty", tmp_path / "slow"):
        monkeypatch.setattr(sessions, "LOOK_AHEAD_S", 0 if state.name == "slow" else LIMIT_S)
        told: list[bool] = []
        with night_in(state, key=key) as night:
            tell = partial(_tell, told, looked)
            session = Session(night, tell, CLOCK, Random(1), way=way)
            late.append(run(played(session, told, slowly=state.name == "slow")))
            records.append((night.folder / FILE).read_bytes())
    assert records[0] == records[1]
    assert late[0] > 90
    assert late[1] == (late[0] - IN_BETWEEN.count(UNDO) if way is Way.FRESH else 0)


def _tell(told: list[bool], looked: list[str], _: Change) -> None:
    told.append("draw" in looked)
