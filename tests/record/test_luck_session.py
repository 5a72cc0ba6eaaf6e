"""A session and the bag that opens leaves: what is refused, what comes again, what a lost memory
costs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from station.base.errors import NotAllowed
from station.night.acts import Act, DrawKnob, Open, Renew, See
from station.night.fair import OpenedLeaf, Way
from station.night.hall import apply
from station.people.roles import Person, Role
from station.record.session import Command, Refused, RenewLuck, SeeNext, Session
from tests.support import CLOCK, Told, night_in, play, run

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
        assert session.hall.game is not None
        assert len(session.hall.game.called) == 90
        [empty] = run(play(session, ["draw"]))
        assert isinstance(empty, Refused)


def test_a_renewal_wants_a_loss(tmp_path: Path) -> None:
    """Whose secrets are there commits to nothing anew."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1))
        run(play(session, ["open"]))
        answer = run(session.submit(Command("r", RenewLuck(), STATION, "luck")))
        assert isinstance(answer, Refused)
        assert answer.reason == "nothing-lost"


def test_a_fresh_bag_makes_each_secret_at_its_call(tmp_path: Path) -> None:
    """Nothing is committed to, and so nothing is lost when the program ends."""
    with night_in(tmp_path) as night:
        session = Session(night, Told(), CLOCK, Random(1), way=Way.FRESH)
        run(play(session, ["open", "draw", "draw"]))
        assert session.hall.game is not None
        called = session.hall.game.called
        assert not session.lost_luck
    with night_in(tmp_path) as night:
        again = Session(night, Told(), CLOCK, Random(2), way=Way.FRESH)
        run(play(again, ["draw"]))
        assert again.hall.game is not None
        assert again.hall.game.called[:2] == called
        assert len(set(again.hall.game.called)) == 3
