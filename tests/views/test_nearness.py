"""The marks of the game on the table: made beside the event loop in a large pack, and always as the
calls are."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from station.cards.marking import Marks
from station.night.acts import Act, ClaimCard, CloseGame, DrawKnob, Open, PlayOn, Sell, Undo
from station.night.hall import Hall, apply
from station.record.requests import Change
from station.views.nearness import Nearness
from station.wire.wording import load_wording
from tests.support import PROGRAMME, small_pack

PACK = small_pack()
ROW = PACK.card("0003").rows[1]


@dataclass
class Table:
    """A hall, and who follows it."""

    hall: Hall = field(default_factory=lambda: Hall(PACK, PROGRAMME))
    making: list[tuple[Callable[[], Marks], Future[Marks]]] = field(default_factory=list)
    sets: list[Nearness] = field(default_factory=list)

    def by_hand(self, make: Callable[[], Marks]) -> Future[Marks]:
        """A thread that has its time."""
        self.making.append((make, Future()))
        return self.making[-1][1]

    def follow(self, **options: object) -> Nearness:
        self.sets.append(Nearness(lambda: self.hall, **options))
        return self.sets[-1]

    def do(self, *acts: Act) -> None:
        for act in acts:
            before, self.hall = self.hall, apply(self.hall, act)
            for one in self.sets:
                one.follow(Change(1, act, "wire", before, self.hall))

    def made(self) -> None:
        make, future = self.making.pop()
        future.set_result(make())


def test_a_large_packs_marks_are_made_beside() -> None:
    """Until they are there nobody says how near the hall is; then they are as the calls are, those
    made meanwhile among them."""
    table = Table()
    large, small = (
        table.follow(always=True, beside=table.by_hand, small=11),
        table.follow(always=True, small=12),
    )
    table.do(Sell(serials=PACK.serials), Open(), *(DrawKnob(number=number) for number in ROW[:3]))
    assert (large.near(), len(table.making)) == (None, 1)
    counts = small.near()
    assert counts is not None
    assert counts[1] > 0
    table.made()
    assert large.near() == counts
    table.do(Undo(), *(DrawKnob(number=number) for number in ROW[2:]))
    assert large.near() == small.near()
    assert large.completed()
    table.do(ClaimCard(serial="0003"), PlayOn())
    assert not large.completed()
    wording = load_wording("en")
    assert large.nearest(wording) == small.nearest(wording)


def test_who_asks_whether_somebody_has_won_waits_for_them() -> None:
    """In a thread or not, the answer is the same: the number that wins may come before the marks
    are there."""
    table = Table()
    large = table.follow(always=True, small=0)
    table.do(Sell(serials=PACK.serials), Open(), *(DrawKnob(number=number) for number in ROW))
    assert large.completed()


def test_each_game_has_marks_of_its_own() -> None:
    """Those of a game that ended before they were made are nobody's."""
    table = Table()
    large = table.follow(always=True, beside=table.by_hand, small=0)
    late = table.follow(always=False)
    table.do(
        Sell(serials=("0001",)), Open(), *(DrawKnob(number=number) for number in ROW), CloseGame()
    )
    assert not large.completed()
    table.do(Sell(serials=("0003",)), Open(), *(DrawKnob(number=number) for number in ROW[:4]))
    assert late.near() is None
    assert len(table.making) == 2
    table.made()
    table.made()
    assert large.near() == (1, 0)
    assert not large.completed()
    # Asked for the first time in mid-game; what was taken back before the next look is uncovered,
    # too.
    assert [card["serial"] for card in late.nearest(load_wording("en"))["stages"][0]["cards"]] == [
        "0003"
    ]
    table.do(Undo(), Undo(), DrawKnob(number=ROW[3]), DrawKnob(number=ROW[2]))
    assert large.near() == late.near() == (1, 0)
