"""The programmes that ship are played to their end through the hall: every prize is won, every
penny is somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from station.base.nouns import HOUSE, PURSES
from station.calling.button_meaning import act_of, useful
from station.cards.pack import make_pack
from station.night.acts import (
    ClaimCard,
    CloseGame,
    CloseNight,
    DrawKnob,
    DrawLots,
    Open,
    Pay,
    PlayOn,
    Sell,
)
from station.night.hall import Hall, apply
from station.night.register import CARRIED, CHARITY, JACKPOT
from station.paper.programme_sheet import laid_out
from station.programme.check import load_programme
from station.programme.programme import SHIPPED
from station.rules.prizes import PrizeState
from tests.company import move, opening, sitting, table_of

PACK = make_pack(4, Random(11))
PARLOUR, MIXED = "parlour.toml", "old-books.toml"  # at the table, in whole and in part
PEOPLE = ("Anna", "Ben", None)


def claims(game: PrizeState) -> Iterator[str]:
    """The cards in play that the last number made complete for an open stage."""
    last = game.called[-1]
    for serial, card in game.setup.cards.items():
        if last in card.numbers and any(
            stage.pattern.complete_on_last(card, game.called) for stage in game.open
        ):
            yield serial


def play(hall: Hall, luck: Random) -> Hall:
    """The next game, to its last prize, everybody awake."""
    hall = apply(hall, Open())
    for number in luck.sample(range(1, 91), 90):
        hall = apply(hall, DrawKnob(number=number))
        assert hall.last_sold is not None
        if serials := [*claims(hall.last_sold)]:
            for serial in serials:
                hall = apply(hall, ClaimCard(serial=serial))
            hall = apply(hall, PlayOn())
        assert hall.last_sold is not None
        if not hall.last_sold.unwon:
            break
    assert hall.last_sold is not None
    for stage in hall.last_sold.undecided:
        rivals = hall.last_sold.rivals(stage)
        hall = apply(
            hall,
            DrawLots(
                stage=stage,
                knobs=tuple(zip(rivals, luck.sample(range(1, 91), len(rivals)), strict=True)),
            ),
        )
    return hall


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "path",
    sorted({*SHIPPED.glob("*.toml")} - {SHIPPED / PARLOUR, SHIPPED / MIXED}),
    ids=lambda path: path.stem,
)
def test_what_ships_is_played_to_its_end(path: Path, seed: int) -> None:
    """Sold out, played with random numbers: each game's prizes are what `programme show --sold`
    says, all are won, and what was paid in lies with winners, house, charity, jackpot and what is
    carried."""
    programme, luck = load_programme(path), Random(seed)
    hall = Hall(PACK, programme)
    count = len(programme.games)
    for place, serial in enumerate(PACK.serials):
        hall = apply(hall, Sell(serials=(serial,), to=PEOPLE[place % len(PEOPLE)], games=count))
    layouts = laid_out(programme, len(PACK))
    paid_out = 0
    for layout, plan in zip(layouts, programme.games, strict=True):
        carried = hall.ledger.of(CARRIED)
        hall = play(hall, luck)
        assert hall.last_sold is not None
        assert hall.last_sold.unwon == ()
        if not carried:
            assert tuple(stage.amount for stage in hall.last_sold.stages) == layout.amounts
        assert {win.stage for win in hall.last_sold.wins} >= set(plan.keys)
        paid_out += sum(win.amount for win in hall.last_sold.wins)
        hall = apply(hall, CloseGame())
        # What a hall must approve is another test's: here everybody is paid who may be.
        for serial in sorted(
            {
                win.serial
                for win in hall.last_sold.wins
                if hall.owed(win.serial) <= (programme.approve_above or 10**9)
            }
        ):
            if hall.owed(serial) or hall.unpaid(serial):
                hall = apply(hall, Pay(serial=serial))
    hall = apply(hall, CloseNight())
    stakes = sum(layout.stakes for layout in layouts)
    ledger = hall.ledger
    owed = sum(units for account, units in ledger.balances.items() if account.startswith("owed:"))
    assert ledger.total == 0
    assert -ledger.of(PURSES) == stakes - (paid_out - owed)
    assert (
        sum(ledger.of(account) for account in (HOUSE, CHARITY, JACKPOT, CARRIED))
        == stakes - paid_out
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_one_button_leads_an_evening_at_the_table(seed: int) -> None:
    """From the first opening to the last close by the button `draw` alone, but for what the company
    decides: when to finish, who answers, a pool that is short. Each game is played to its end, and
    every purse is made up.
    """
    luck = Random(seed)
    hall = apply(Hall(PACK, load_programme(SHIPPED / PARLOUR)), sitting(5, purse=3000))
    names = []
    while "draw" in useful(hall) or hall.game_open:
        act = act_of("draw", hall)
        if act is None:
            hall = apply(hall, move(luck.choice(("replenish", "finish"))))
        elif act.act == "open":
            hall = apply(hall, opening(hall, seed))
            names.append(table_of(hall).plan.name)
        elif act.act == "draw":
            number = luck.choice(sorted(table_of(hall).state.bag))
            hall = apply(hall, DrawKnob(number=number))
            plan = table_of(hall).plan
            if plan.agreed.answering == "first" and hall.at_table is not None:
                hall = apply(hall, move("answer", seats=luck.sample(range(1, 6), 3)))
        else:
            hall = apply(hall, act)
            if act.act == "move" and hall.calls == 20 and hall.at_table is not None:
                hall = apply(hall, move("resolve", drawings=2))
    assert names == [plan.name for plan in hall.programme.games]
    assert hall.ledger.balances == {}
    assert sum(seat.purse for seat in hall.company) == 5 * 3000
    assert apply(hall, CloseNight()).closed
