"""What a press means in each state of a night, which lamps are lit for it, and when a press counts:
pure tables."""

from __future__ import annotations

from functools import reduce

import pytest

from station.calling.button_meaning import KINDS, act_of, kind_of, useful, would_do
from station.calling.wishes import Auto
from station.night.acts import (
    Act,
    Break,
    ClaimCard,
    CloseGame,
    CloseNight,
    DrawKnob,
    MakeMove,
    Open,
    PlayOn,
    Sell,
    Shake,
    StopGame,
    Undo,
)
from station.night.hall import Hall, apply
from tests.company import QUARTERS, RACE, at_table, move, table_of
from tests.support import PROGRAMME, small_pack

SOLD = Sell(serials=("0001",), to="Anna")
ROW = tuple(DrawKnob(number=number) for number in small_pack().card("0001").rows[0])
REST = tuple(
    DrawKnob(number=number) for number in range(1, 91) if DrawKnob(number=number) not in ROW
)
WON = (ClaimCard(serial="0001"), PlayOn())
FULL = tuple(
    DrawKnob(number=number)
    for number in sorted(small_pack().card("0001").numbers - {draw.number for draw in ROW})
)

# The acts of a night; what a press of draw, claim, next and undo asks for then; the kinds of button
# that would do something.
NIGHTS: list[tuple[str, tuple[Act, ...], str, str]] = [
    ("before the first game", (), "open stop open undo", "draw next off"),
    ("a game is open", (Open(),), "draw stop play-on undo", "draw claim off"),
    (
        "a number is called",
        (Open(), DrawKnob(number=1)),
        "draw stop play-on undo",
        "draw claim undo repeat off",
    ),
    (
        "it was taken back",
        (Open(), DrawKnob(number=1), Undo()),
        "draw stop play-on undo",
        "draw claim off",
    ),
    (
        "somebody claims",
        (Open(), DrawKnob(number=1), StopGame()),
        "draw stop play-on undo",
        "next undo repeat",
    ),
    (
        "the bag is empty",
        (Open(), *ROW, *REST),
        "draw stop close undo",
        "claim next undo repeat off",
    ),
    (
        "all is won",
        (SOLD, Open(), *ROW, *WON, *FULL, *WON, *WON),
        "draw stop close undo",
        "next undo repeat off",
    ),
    (
        "between games",
        (Open(), DrawKnob(number=1), CloseGame()),
        "open stop open undo",
        "draw next off",
    ),
    (
        "after the last game",
        (Open(), CloseGame(), Open(), CloseGame()),
        "open stop open undo",
        "off",
    ),
    ("the night is closed", (CloseNight(),), "next-night stop next-night undo", "draw next off"),
]


def night(acts: tuple[Act, ...]) -> Hall:
    return reduce(apply, acts, Hall(small_pack(), PROGRAMME))


@pytest.mark.parametrize(
    ("what", "acts", "asked", "lit"), NIGHTS, ids=[what for what, *_ in NIGHTS]
)
def test_what_a_press_means_and_what_is_lit(
    what: str, acts: tuple[Act, ...], asked: str, lit: str
) -> None:
    """A press asks for the one thing its button is for in this state; a lamp is lit just where the
    rules would do it."""
    hall = night(acts)
    does = [act_of(button, hall) for button in ("draw", "claim", "next", "undo")]
    assert [act and act.act for act in does] == asked.split()
    assert useful(hall) == {*lit.split(), "auto", "mute"}


def held(seat: int) -> str:
    return table_of(at_table()).state.taken[seat - 1][0]


# Acts at the table, and what a press of draw and next asks for then; undo and repeat are lit from
# the first knob on.
TEN = tuple(DrawKnob(number=number) for number in range(1, 11))
SHAKE = Shake(counted=90)
OFFER = move("exchange", seat=1, serial=held(1), other=2, wanted=held(2))
AT_TABLE: list[tuple[str, tuple[Act, ...], str, str, str]] = [
    ("the bag is to be counted", (), "shake", "shake", "draw next off"),
    ("a drawing begins", (SHAKE,), "draw", "", "draw off"),
    ("a knob was drawn", (SHAKE, TEN[0]), "draw", "", "draw undo repeat off"),
    ("ten were drawn", (SHAKE, *TEN), "settle", "settle", "draw next undo repeat off"),
    ("it is settled", (SHAKE, *TEN, move("settle")), "shake", "shake", "draw next off"),
    ("a player is asked", (OFFER,), "", "", "off"),
    ("it is over", (Break(why="late"),), "open", "open", "draw next off"),
]


@pytest.mark.parametrize(
    ("what", "acts", "draw", "following", "lit"), AT_TABLE, ids=[what for what, *_ in AT_TABLE]
)
def test_what_a_press_means_at_the_table(
    what: str, acts: tuple[Act, ...], draw: str, following: str, lit: str
) -> None:
    """One button leads the evening; `next` does what is no knob; where a player must decide no
    press does anything."""
    hall = reduce(apply, acts, at_table())
    asked = [act_of(button, hall) for button in ("draw", "next")]
    assert [
        act.move["do"] if isinstance(act, MakeMove) else act.act if act else "" for act in asked
    ] == [draw, following]
    assert useful(hall) == {*lit.split(), "auto", "mute"}


def test_the_button_shares_and_closes_at_the_table() -> None:
    """A game that is won is closed by a press, one whose bag is empty shared out: nobody had
    answered, so the stakes go back."""
    full = at_table(QUARTERS)
    for number in (0, *range(1, 91)):
        if act_of("draw", full) == CloseGame():
            break
        full = apply(full, DrawKnob(number=number) if number else Shake(counted=90))
    assert "draw" in useful(full)
    assert apply(full, CloseGame()).at_table is None
    empty = apply(at_table(RACE), Shake(counted=90))
    for number in range(1, 91):
        empty = apply(empty, DrawKnob(number=number))
    share = move("share")
    assert act_of("next", empty) == act_of("draw", empty) == share
    shared = apply(empty, share)
    assert [seat.purse for seat in shared.company] == [1200] * 3


def test_a_million_cards_are_no_weight() -> None:
    """What a press would do is found without looking at the cards that are sold: they are not in
    the state it is tried on."""
    hall = night((Sell(ranges=(("0001", "0006"),), games=2),))
    assert hall.register.sold(1) == 6
    assert hall.without_cards().register.sold(1) == 0
    assert useful(hall) == useful(hall.without_cards()) == useful(night(()))


def test_every_kind_of_button_means_something() -> None:
    """All names of the list but `off`, which is held, and `gavel`, where nothing is sold, ask for
    an act; the numbered ones for the same; others for nothing."""
    hall = night((Open(),))
    for kind in KINDS:
        assert kind_of(f"{kind}-2") == kind_of(kind) == kind
        assert act_of(f"{kind}-12", hall) == act_of(kind, hall)
        assert (act_of(kind, hall) is None) == (kind in ("off", "gavel"))
    for other in ("dance", "claim-", "claim2", "draw-2-x", "-1", ""):
        assert act_of(other, hall) is None


def test_the_automatic_button_turns_it_over() -> None:
    """On when it is off, off when it is on."""
    hall = night(())
    assert act_of("auto", hall, auto=False) == Auto(on=True)
    assert act_of("auto", hall, auto=True) == Auto(on=False)


@pytest.mark.parametrize(
    ("calling", "halted", "lit"),
    [
        (False, False, "draw claim undo repeat auto mute off"),
        (True, False, "claim undo auto mute"),
        (False, True, "repeat mute off"),
    ],
)
def test_what_the_moment_takes_away(calling: bool, halted: bool, lit: str) -> None:
    """While a number is said nothing that would speak over it, and no switch off; halted, nothing
    that would be recorded."""
    kinds = useful(night((Open(), DrawKnob(number=1))))
    assert {kind for kind in KINDS if would_do(kind, kinds, calling=calling, halted=halted)} == set(
        lit.split()
    )
    assert would_do("claim-2", kinds, calling=calling, halted=halted) == ("claim" in lit)
