"""The station beside a night on paper, with Hypothesis choosing what happens: draw, undo, claim,
pay, crash, fault, start.

Each step is done on both sides, and all that the hall can see is compared. Where they disagree the
evening is told, step by step; the tests have the same machine, and look for the shortest evening
that shows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from station.record.session import Session
from tests.drill.beside_machine import QUIET, BesidePaper, evenings
from tests.drill.hall_rig import ROWS, TWINS, HallRig
from tests.drill.plain import STAGES

NAME = "machine"
SERIALS = sorted(ROWS)

serials = st.sampled_from([*SERIALS, "9999"])
ACTS = st.one_of(
    st.builds(lambda number: {"act": "draw", "number": number}, st.integers(1, 90)),
    st.builds(lambda serial: {"act": "claim", "serial": serial}, serials),
    st.builds(
        lambda serial, means: {"act": "pay", "serial": serial, "means": means},
        serials,
        st.sampled_from(["cash", "voucher"]),
    ),
    st.builds(
        lambda some: {"act": "return", "serials": some}, st.lists(serials, min_size=1, max_size=2)
    ),
    st.builds(lambda amount: {"act": "redeem", "amount": amount}, st.integers(1, 9)),
    st.builds(
        lambda serial, vouchers: {"act": "sell", "serials": [serial], "vouchers": vouchers},
        serials,
        st.integers(1, 9),
    ),
    st.builds(
        lambda serial, games: {"act": "sell", "serials": [serial], "games": games},
        serials,
        st.integers(1, 3),
    ),
    st.builds(
        lambda lost: {
            "act": "census",
            "found": [knob for knob in range(1, 91) if knob not in lost],
        },
        st.sets(st.integers(1, 90), max_size=4),
    ),
    st.sampled_from(
        [{"act": act} for act in ("play-on", "stop", "undo", "open", "close", "close-night")]
    ),
)


class HallBesidePaper(BesidePaper):
    """What may happen in an evening, faults too."""

    acts = ACTS

    @initialize(
        seed=st.integers(0, 1000), sold=st.lists(st.sampled_from(SERIALS), min_size=1, unique=True)
    )
    def begin(self, seed: int, sold: list[str]) -> None:
        """Some cards are sold, and a game is opened."""
        self.runner = asyncio.Runner()
        self.rig = HallRig(Random(seed), self.session)
        self.wait(self.rig.do({"act": "sell", "serials": sold, "to": "Anna"}))
        self.wait(self.rig.do({"act": "open"}))

    @rule(serial=st.sampled_from(SERIALS), rows=st.integers(1, 3))
    def win(self, serial: str, rows: int) -> None:
        """All numbers of some rows are called, and the card claims."""
        self._call_and_claim(serial, rows, (serial,))

    @rule(rows=st.integers(1, 3))
    def tie(self, rows: int) -> None:
        """All numbers of some rows are called, and both cards claim that have the first of them."""
        self._call_and_claim(TWINS[0], rows, TWINS)

    def _call_and_claim(self, serial: str, rows: int, claiming: Sequence[str]) -> None:
        for number in [number for row in ROWS[serial][:rows] for number in row]:
            self.wait(self.rig.do({"act": "draw", "number": number}))
        for act in (*({"act": "claim", "serial": card} for card in claiming), {"act": "play-on"}):
            self.wait(self.rig.do(act))

    @rule(serial=st.sampled_from(SERIALS), games=st.integers(1, 2))
    def use_vouchers(self, serial: str, games: int) -> None:
        """Whoever is owed something takes it in vouchers, and somebody buys a card with them."""
        for box in [
            box
            for box, units in self.rig.paper.money().items()
            if box.startswith("owed:") and units
        ]:
            self.wait(
                self.rig.do({"act": "pay", "serial": box.removeprefix("owed:"), "means": "voucher"})
            )
        vouchers = min(self.rig.paper.money().get("vouchers", 0), 6)
        self.wait(
            self.rig.do({"act": "sell", "serials": [serial], "games": games, "vouchers": vouchers})
        )

    @rule(winner=st.sampled_from(SERIALS))
    def lots(self, winner: str) -> None:
        """Whoever has won the same thing draws a knob, one the highest."""
        for stage, tied in self.rig.paper.tied().items():
            knobs = [
                (serial, 90 if serial == winner else number)
                for number, serial in enumerate(tied, 1)
            ]
            self.wait(
                self.rig.do(
                    {
                        "act": "lots",
                        "stage": STAGES[self.rig.paper.prizes()[stage].rows],
                        "knobs": knobs,
                    }
                )
            )


def check(seed: int, case: int, session: type[Session] = Session) -> int:
    """So many evenings that Hypothesis makes of this seed; gives how many steps they had."""
    return evenings(HallBesidePaper, QUIET, seed, case, session)
