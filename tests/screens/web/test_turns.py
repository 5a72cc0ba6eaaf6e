"""Turns at slow work: address by address, a few of each, and whoever is too many comes again."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.screens.web.gate import BusyError, FairTurns
from tests.support import run


class Work:
    """Slow work that whoever has the turn ends when it is told to."""

    def __init__(self, turns: FairTurns) -> None:
        self.turns = turns
        self.done: list[str] = []
        self.busy: list[str] = []
        self.ended = asyncio.Event()
        self.at_once = 0

    async def do(self, who: str) -> None:
        try:
            async with self.turns.turn(who.partition(" ")[0]):
                self.at_once += 1
                assert self.at_once == 1
                try:
                    await self.ended.wait()
                finally:
                    self.at_once -= 1
                self.done.append(who)
        except BusyError:
            self.busy.append(who)


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_crowd_waits_behind_one_of_each_other() -> None:
    """Sixty questions of one address, then one of another: it is the second that is answered."""

    async def scene() -> None:
        work = Work(FairTurns(most_each=4))
        tasks = [asyncio.ensure_future(work.do(f"crowd {number}")) for number in range(60)]
        await settled()
        tasks += [asyncio.ensure_future(work.do(who)) for who in ("anna", "ben")]
        await settled()
        assert len(work.busy) == 55  # one has the turn, four wait
        work.ended.set()
        await asyncio.gather(*tasks)
        assert work.done.index("anna") <= 2
        assert work.done.index("ben") <= 3
        assert len(work.done) == 7

    run(scene())


def test_all_together_are_bounded() -> None:
    """However many addresses there are."""

    async def scene() -> None:
        work = Work(FairTurns(most=10))
        tasks = [asyncio.ensure_future(work.do(f"{number}")) for number in range(50)]
        await settled()
        assert len(work.busy) == 39
        work.ended.set()
        await asyncio.gather(*tasks)
        assert len(work.done) == 11

    run(scene())


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=40))
def test_who_goes_away_keeps_nobody_waiting(came: list[tuple[str, bool]]) -> None:
    """At any place of the queue, also in the moment of the turn: all others are served."""

    async def scene() -> None:
        work = Work(FairTurns(most_each=100, most=1000))
        tasks = [(asyncio.ensure_future(work.do(who)), gone) for who, gone in came]
        await settled()
        work.ended.set()
        for task, gone in tasks:
            if gone:
                task.cancel()
        await asyncio.gather(*(task for task, _ in tasks), return_exceptions=True)
        assert len(work.done) >= sum(not gone for _, gone in came)
        work.done.clear()
        await work.do("late")
        assert work.done == ["late"]

    run(scene())


def test_the_turn_is_free_after_a_fault() -> None:
    """Of the work."""

    async def scene() -> None:
        turns = FairTurns()
        with pytest.raises(ValueError, match="a fault"):
            async with turns.turn("a"):
                raise ValueError("a fault")
        async with turns.turn("b"):
            pass

    run(scene())
