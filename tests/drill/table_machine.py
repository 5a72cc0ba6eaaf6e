"""A table beside one on paper, with Hypothesis choosing what happens: knobs, settlements, short
pools, crashes, faults."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from station.base.nouns import CAVITIES, KNOBS, PURSES
from station.night.hall import Hall
from station.night.table.game import next_step
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.session import Session
from tests.drill.beside import Beside
from tests.drill.beside_machine import QUIET, BesidePaper, evenings
from tests.drill.course import must
from tests.drill.evening import PACK
from tests.drill.table_paper import PEOPLE, PURSE, TablePaper, sitting

NAME = "table"
GAMES = 2
FEW = settings(QUIET, max_examples=5)
PROGRAMME = Programme(
    name="Tables",
    games=(GamePlan(name="At the table", method="loto-second", table=TablePlan(cards=len(PACK))),)
    * GAMES,
)


SIT = sitting(PEOPLE[:2])  # one or two may join them
GUESTS = ("Carla", "Dora", "Ben")


def move(do: str, **said: Any) -> dict[str, Any]:
    """A move as it is asked for."""
    return {"act": "move", "move": {"do": do, **said}}


CARDS = st.sampled_from(PACK.serials)
ACTS = st.one_of(
    st.builds(lambda number: {"act": "draw", "number": number}, st.integers(1, KNOBS)),
    st.builds(
        lambda counted: {"act": "shake", "counted": counted},
        st.sampled_from([KNOBS, KNOBS, KNOBS - 1]),
    ),
    st.builds(lambda drawings: move("resolve", drawings=drawings), st.integers(1, 3)),
    st.sampled_from([move(do) for do in ("settle", "replenish", "replenish", "finish")]),
    st.sampled_from([{"act": "undo"}, {"act": "break", "why": "a drill"}, {"act": "close-night"}]),
    st.builds(
        lambda name, purse: {"act": "join", "name": name, "purse": purse},
        st.sampled_from(GUESTS),
        st.sampled_from([PURSE, 61, 59]),
    ),
    st.builds(lambda seat: move("take", seat=seat), st.integers(1, 4)),
    st.builds(
        lambda seat, serial: move("throw-up", seat=seat, serial=serial), st.integers(1, 4), CARDS
    ),
    st.sampled_from([move("agree"), move("decline")]),
    st.sampled_from([dict(SIT), {"act": "open"}, {"act": "close"}, {"act": "stop"}]),
)


class TableRig(Beside[TablePaper]):
    """The station and the paper."""

    def __init__(self, chance: Random, session: type[Session] = Session) -> None:
        super().__init__(TablePaper(GAMES), PROGRAMME, PACK, chance, session)

    def learn(self, hall: Hall) -> None:
        """The deal is chance."""
        if hall.at_table is not None and self.paper.table is None:
            state: Any = hall.at_table.state
            dealt = [*(serial for cards in state.taken for serial in cards), *state.rest]
            self.paper.cards = {serial: PACK.card(serial).rows for serial in dealt}

    def compare(self) -> None:
        """Everything that the company can see is the same on both sides, and every counter is
        somewhere."""
        hall, paper = self.session.hall, self.paper
        kept = paper.table
        staked = kept.staked() if kept is not None else 0
        ledger = {f"game:{paper.opened}": staked, PURSES: -staked} if staked else {}
        seen: list[Any] = [hall.opened, hall.game_open, hall.closed, dict(hall.ledger.balances)]
        wanted: list[Any] = [paper.opened, kept is not None, paper.closed, ledger]
        table = hall.at_table
        if table is not None and kept is not None:
            state = table.state
            seen += [
                state.hands,
                table.purses,
                state.pool,
                state.table,
                state.drawer,
                state.numbers,
                table.shaken,
                table.calls,
            ]
            seen += [next_step(table) == "add"]
            wanted += [
                tuple(kept.hands),
                tuple(paper.purses),
                kept.pool,
                kept.table,
                kept.bag_at,
                tuple(kept.board),
            ]
            wanted += [paper.counted, paper.calls, kept.short() and kept.offer is None]
        else:
            seen += [seat.purse for seat in hall.company]
            wanted += paper.purses
        must(
            seen == wanted,
            "the paper and the station do not agree",
            *self._story,
            f"seen   {seen}",
            f"wanted {wanted}",
        )


class TableBesidePaper(BesidePaper):
    """What may happen at a table, faults too."""

    acts = ACTS

    @initialize(seed=st.integers(0, 1000))
    def begin(self, seed: int) -> None:
        """The company sits down, and is dealt its cards."""
        self.runner = asyncio.Runner()
        self.rig = TableRig(Random(seed), self.session)
        self.do(dict(SIT))
        self.do({"act": "open"})

    @rule(seat=st.integers(0, 3), lucky=st.integers(0, CAVITIES), settle=st.booleans())
    def drawing(self, seat: int, lucky: int, settle: bool) -> None:
        """What is left of a drawing, some of its knobs from a player's rows; mostly it is
        settled."""
        self.do({"act": "shake", "counted": KNOBS})
        paper = self.rig.paper
        rows = [number for row in paper.rows(seat + 1) for number in row]
        others = self.rig.chance.sample(range(1, KNOBS + 1), KNOBS)
        for number in list(dict.fromkeys([*rows[:lucky], *others]))[:CAVITIES]:
            self.do({"act": "draw", "number": number})
        if settle:
            self.do(move("settle"))

    @rule(seat=st.integers(1, 4), other=st.integers(0, 4), agreed=st.booleans())
    def exchange(self, seat: int, other: int, agreed: bool) -> None:
        """A card for another's, who mostly agrees, or for one that nobody has."""
        if (table := self.rig.paper.table) is None:
            return
        held = {0: table.pack, **{place: player.cards for place, player in table.players.items()}}
        if held.get(seat) and held.get(other):
            self.do(
                move(
                    "exchange", seat=seat, serial=held[seat][0], other=other, wanted=held[other][-1]
                )
            )
            if agreed:
                self.do(move("agree"))

    @rule(name=st.sampled_from(GUESTS))
    def guest(self, name: str) -> None:
        """Somebody joins, and takes a card."""
        self.do({"act": "join", "name": name, "purse": PURSE})
        self.do(move("take", seat=len(self.rig.paper.purses)))


def check(seed: int, case: int, session: type[Session] = Session) -> int:
    """So many evenings that Hypothesis makes of this seed; gives how many steps they had."""
    return evenings(TableBesidePaper, FEW, seed, case, session)
