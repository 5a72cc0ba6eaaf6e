"""The station beside a night on paper, with Hypothesis choosing what happens: it finds the shortest way to a disagreement."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from station.drill.hall_rig import ROWS, HallRig

SERIALS = sorted(ROWS)
serials = st.sampled_from([*SERIALS, "9999"])


class HallBesidePaper(RuleBasedStateMachine):
    """What may happen in an evening, faults too. Every step compares both sides."""

    @initialize(seed=st.integers(0, 1000), sold=st.lists(st.sampled_from(SERIALS), min_size=1, unique=True))
    def begin(self, seed: int, sold: list[str]) -> None:
        self.runner = asyncio.Runner()
        self.rig = HallRig(Random(seed))
        self.wait(self.rig.do({"act": "sell", "serials": sold, "to": "Anna"}))
        self.wait(self.rig.do({"act": "open"}))

    def wait(self, work: Coroutine[Any, Any, Any]) -> None:
        self.runner.run(work)
        if self.rig.paper.closed:
            self.rig.restart()

    acts = st.one_of(
        st.builds(lambda number: {"act": "draw", "number": number}, st.integers(1, 90)),
        st.builds(lambda serial: {"act": "claim", "serial": serial}, serials),
        st.builds(lambda serial: {"act": "pay", "serial": serial}, serials),
        st.builds(lambda serial, games: {"act": "sell", "serials": [serial], "games": games}, serials, st.integers(1, 3)),
        st.sampled_from([{"act": act} for act in ("play-on", "stop", "undo", "open", "close", "close-night")]),
    )

    @rule(act=acts)
    def do(self, act: dict[str, Any]) -> None:
        self.wait(self.rig.do(act))

    @rule(serial=st.sampled_from(SERIALS), rows=st.integers(1, 3))
    def win(self, serial: str, rows: int) -> None:
        """All numbers of some rows are called, and the card claims."""
        for number in [number for row in ROWS[serial][:rows] for number in row]:
            self.wait(self.rig.do({"act": "draw", "number": number}))
        for act in ({"act": "claim", "serial": serial}, {"act": "play-on"}):
            self.wait(self.rig.do(act))

    @rule(act=acts)
    def power_cut(self, act: dict[str, Any]) -> None:
        self.wait(self.rig.power_cut(act))

    @rule(act=acts)
    def fault(self, act: dict[str, Any]) -> None:
        self.wait(self.rig.fault(act))

    @rule()
    def again(self) -> None:
        self.wait(self.rig.again())

    @rule()
    @precondition(lambda self: self.rig.steps > 2)
    def restart(self) -> None:
        self.rig.restart()

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            self.runner.close()


HallBesidePaper.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestHallBesidePaper = HallBesidePaper.TestCase
