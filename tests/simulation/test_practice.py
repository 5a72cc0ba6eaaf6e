"""What comes by itself for somebody who plays alone: every game is led to its end, nobody is passed
over, and who may say something has the time for it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.calling.table.players import Minds
from station.games import PLAYS
from station.night.acts import MakeMove
from station.night.table.alone import TableLuck
from station.people.roles import SIMULATED
from station.programme.practice import practice, practised
from station.record.session import Command, Done, Session
from station.simulation.practice import (
    LEADS_S,
    PERSON,
    PLAYER,
    WAITS_S,
    Practice,
    sits_down,
    waits_for_a_player,
)
from station.wire.wire import Message
from station.wire.wording import load_wording
from tests.calling.table.test_players import SECOND, settled, table
from tests.support import ADMIN, CLOCK, Told, night_in, run, small_pack, submit

NAMES = ("Anna", "Bruno", "Carla")
MOST_ACTS = 2000
ENOUGH = 150
THE_LAST = {"do": "resolve", "drawings": 2}


class Alone:
    """A game of practice that is on; time passes when it is told to."""

    def __init__(self, session: Session, chance: Random) -> None:
        self.session = session
        self.chance, self.minds = chance, Minds(chance)
        self.now = 0.0
        self.speaking = False
        self.practice = Practice(
            lambda: session.hall,
            session.submit,
            self._shows,
            lambda: self.speaking,
            load_wording(),
            lambda: self.now,
        )

    async def _shows(self, message: Message, person: Any) -> dict[str, Any]:
        return {"seat": person.seat}

    async def leads(self, after: float) -> bool:
        """Whether something is done for the host, so many seconds later."""
        before = self.session.seq
        await self.practice.lead()
        self.now += after
        await self.practice.lead()
        return self.session.seq > before

    async def somebody_moves(self) -> bool:
        """A simulated player does what he wants; or the person, who wants what one of those would
        want in his seat."""
        table = self.session.hall.at_table
        assert table is not None
        wishes = [(wish.move, SIMULATED) for wish in self.minds.wishes(table) if wish.move]
        if not wishes and PERSON in table.rules.to_act(table.state):
            everybody = frozenset(range(1, len(NAMES) + 1))
            luck = TableLuck(self.chance)
            wish = table.rules.bot(table.state, table.derived, PERSON, luck, everybody)
            wishes = [(wish.move, PLAYER)] if wish is not None and wish.move else []
        for move, by in wishes[:1]:
            command = Command(str(self.session.seq), MakeMove(move=dict(move)), by, "wire")
            return isinstance(await self.session.submit(command), Done)
        return False


async def begun(session: Session, seed: int = 1) -> Alone:
    sat = await session.submit(Command("sit", sits_down(NAMES), ADMIN, "wire"))
    opened = await submit(session, "open")
    assert isinstance(sat, Done), sat
    assert isinstance(opened, Done), opened
    return Alone(session, Random(seed))


@pytest.mark.parametrize("game", practised())
@pytest.mark.long
def test_every_game_is_led_to_its_end(tmp_path: Path, game: str) -> None:
    """Whoever is awaited plays; all else comes by itself, and each game ends, with its money where
    it was; one that would go on is ended as the company agrees, on the host's page."""

    async def work() -> None:
        with night_in(tmp_path, programme=practice(game, "Game", 12), pack=small_pack()) as night:
            session = Session(night, Told(), CLOCK, Random(game))
            alone = await begun(session)
            agreed = "resolve" not in PLAYS[game].moves
            money = sum(seat.purse for seat in session.hall.company)
            for _ in range(MOST_ACTS):
                if session.hall.at_table is None:
                    break
                assert await alone.somebody_moves() or await alone.leads(WAITS_S)
                if session.seq > ENOUGH and not agreed:
                    agreed = isinstance(await submit(session, "move", move=THE_LAST), Done)
            assert session.hall.at_table is None
            assert not session.hall.game_open
            assert sum(seat.purse for seat in session.hall.company) == money

    run(work())


def test_who_is_awaited_is_waited_for(tmp_path: Path) -> None:
    """Cards are dealt by themselves, soon, and not while a number is being said; then a player has
    all the time that he wants."""

    async def work() -> None:
        with night_in(tmp_path, programme=practice("spoil-five", "Cards")) as night:
            alone = await begun(Session(night, Told(), CLOCK, Random(3)))
            assert not await alone.leads(LEADS_S - 0.1)
            alone.speaking = True
            assert not await alone.leads(0.2)
            alone.speaking = False
            assert await alone.leads(0.0)
            table = alone.session.hall.at_table
            assert table is not None
            assert table.rules.to_act(table.state) & {1, 2, 3}
            assert not await alone.leads(1000.0)

    run(work())


def test_who_may_say_something_before_a_drawing_has_the_time_for_it(tmp_path: Path) -> None:
    """The bag is counted later than a knob is drawn from it: before, cards may change hands."""

    async def work() -> None:
        plan = practice("loto-second", "Loto", 12)
        with night_in(tmp_path, programme=plan, pack=small_pack()) as night:
            alone = await begun(Session(night, Told(), CLOCK, Random(3)))
            assert not await alone.leads(LEADS_S)
            assert await alone.leads(WAITS_S)
            assert alone.session.hall.at_table is not None
            assert alone.session.hall.at_table.shaken
            assert await alone.leads(WAITS_S)
            assert await alone.leads(LEADS_S)
            assert len(alone.session.hall.out_of_bag) == 2

    run(work())


def test_who_has_to_throw_up_a_card_decides_before_the_host() -> None:
    """The pool is short: the company may add or finish, but for him who has not the counters."""
    poor = settled(table(SECOND, False, True, purse=250), 2)
    rich = settled(table(SECOND, False, True), 2)
    assert waits_for_a_player(poor)
    assert not waits_for_a_player(rich)
