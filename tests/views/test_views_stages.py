"""Games with patterns: what the board shows and the voice says of prizes at once, of things,
tickets, jackpots, pauses."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, reduce
from itertools import pairwise
from typing import Any

import pytest

from station.night.acts import (
    Act,
    Break,
    ClaimCard,
    ClaimTicket,
    CloseGame,
    DrawKnob,
    DrawLots,
    Open,
    Pay,
    PlayOn,
    Sell,
    StopGame,
)
from station.night.hall import Hall, apply
from station.programme.programme import (
    GamePlan,
    JackpotPlan,
    OwnPattern,
    PausePlan,
    Programme,
    StagePlan,
)
from station.rules.patterns import PATTERNS
from station.rules.prizes import Win
from station.views.announcing import announcement
from station.views.money_text import Currency
from station.views.views import BoardContext, board
from station.wire.board_view import BoardView, Verdict
from station.wire.wording import languages, load_wording
from tests.night.test_hall import PACK, A, B, C, calls, row

WORDS = load_wording("en")
SCENE = BoardContext(WORDS, currency=Currency("£", 2))
KITE = OwnPattern(
    name="big-kite", pictures=(("..#..", ".#.#.", "#.#.#"), ("#....", "#....", "#...."))
)
AT_ONCE = GamePlan(
    name="Tambola",
    price=100,
    at_once=True,
    tickets=True,
    stages=(
        StagePlan(pattern="early-five", share=10),
        StagePlan(pattern="top-row", thing="a ham"),
        StagePlan(pattern="corners", share=20, thing="a cake", name="Corner shop"),
        StagePlan(pattern=KITE, thing="a kite"),
        StagePlan(pattern="full"),
        StagePlan(pattern="full", share=10),
    ),
    pause=PausePlan(text="Tea in the side room", minutes=10),
)
JACKPOT = GamePlan(
    name="Jackpot",
    price=0,
    stages=(StagePlan(pattern="full", prize=500),),
    jackpot=JackpotPlan(within=17, least=25000),
)
PROGRAMME = Programme(
    name="A night",
    games=(
        AT_ONCE,
        JACKPOT,
        GamePlan(name="Third"),
        GamePlan(name="Fourth"),
        GamePlan(name="Fifth"),
    ),
)
SOLD = Sell(serials=(A, B, C), to="Anna", games=2)
APART = (
    Sell(serials=(A,), to="Anna", games=2),
    Sell(serials=(B,), games=2),
    Sell(serials=(C,), to="Ben", games=2),
)
TOP = row(A)


def night(*acts: Act) -> Hall:
    """A night after these acts."""
    return reduce(apply, acts, Hall(PACK, PROGRAMME))


def shown(*acts: Act, **scene: Any) -> BoardView:
    return board(
        night(*acts),
        SCENE if not scene else BoardContext(WORDS, currency=Currency("£", 2), **scene),
    )


def test_all_prizes_that_can_be_won_are_shown():
    """Each open stage with its name, its prize and a picture; those won are gone, the second house
    opens after the first."""
    opened = shown(*APART, Open()).open
    assert [
        (stage.key, stage.name, stage.prize.text, stage.index, stage.of) for stage in opened
    ] == [
        ("early-five", "Early five", "£0.30", 1, 6),
        ("top-row", "Top line", "a ham", 2, 6),
        ("corners", "Corner shop", "£0.60 + a cake", 3, 6),
        ("big-kite", "Big kite", "a kite", 4, 6),
        ("full", "Full house", "£1.80", 5, 6),
    ]
    assert (shown(*APART, Open()).stage, shown(*APART, Open()).prize) == (
        opened[0],
        opened[0].prize,
    )
    full = tuple(draw for place in range(3) for draw in row(A, place))
    after = shown(*APART, Open(), *full, ClaimCard(serial=A), PlayOn())
    assert [(stage.key, stage.name) for stage in after.open][-1] == ("full-2", "Full house 2")
    assert "full" not in [stage.key for stage in after.open]


@pytest.mark.parametrize("key", [*PATTERNS, "big-kite"])
def test_a_picture_has_as_many_places_as_the_pattern_wants(key):
    """One way is drawn: of any five, five that lie apart; all ways to win are there, with how many
    places each needs."""
    plan = GamePlan(
        name="g", stages=(StagePlan(pattern=PATTERNS[key].key if key in PATTERNS else KITE),)
    )
    [stage] = board(
        reduce(apply, (Open(),), Hall(PACK, Programme(name="p", games=(plan,)))), SCENE
    ).open
    pattern = plan.plans[0].wanted()
    assert "".join(stage.picture).count("#") == stage.ways[0].need
    assert [len(line) for line in stage.picture] == [5, 5, 5]
    places = [
        tuple(place for place, sign in enumerate("".join(way.card)) if sign == "#")
        for way in stage.ways
    ]
    assert [*zip(places, (way.need for way in stage.ways), strict=True)] == [
        (part.places, part.need) for part in pattern.parts
    ]


def test_rows_and_the_books_stakes_are_shown_as_ever():
    """A game with stakes has the three stages with their words, one at a time."""
    view = board(
        reduce(apply, (Open(),), Hall(PACK, Programme(name="p", games=(GamePlan(name="g"),)))),
        SCENE,
    )
    assert [(stage.key, stage.name, stage.of) for stage in view.open] == [("row", "One line", 3)]
    assert view.game.stakes == "quarters"
    assert shown(Open()).game.stakes == "stages"


CLAIMS = [
    ("two prizes at once", (*row(A)[:4], DrawKnob(number=2), DrawKnob(number=74), row(A)[4]),
     ClaimCard(serial=A), Verdict.VALID,
     "Valid for: Top line, Corner shop", ()),
    ("what each still wants", (DrawKnob(number=5), DrawKnob(number=2), DrawKnob(number=74)),
     ClaimCard(serial=A), Verdict.NOT_COMPLETE,
     "Not called: Corner shop 76 · Big kite 17", (76,)),
    ("what it wants is much", (DrawKnob(number=90),), ClaimCard(serial=B), Verdict.NOT_COMPLETE,
     "Not called: Big kite 1, 5, 6 · Corner shop 5, 6, 46, 76", (1, 5, 6)),
    ("a ticket that has it", TOP,
     ClaimTicket(numbers=(76, 50, 33, 11, 5), name="Mary", stage="top-row"), Verdict.VALID,
     "Valid for: Top line", ()),
    ("a ticket that wants one", TOP, ClaimTicket(numbers=(5, 11, 33, 50, 77), stage="top-row"),
     Verdict.NOT_COMPLETE, None,
     (77,)),
    ("not sold", TOP, ClaimCard(serial="77"), Verdict.NOT_SOLD,
     "This card is not in the game.", ()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "drawn", "claim", "verdict", "text", "missing"),
    CLAIMS,
    ids=[what for what, *_ in CLAIMS],
)
def test_a_check_is_shown_with_its_reason(what, drawn, claim, verdict, text, missing):
    """For which prizes a card is valid, what it wants for each; a ticket with its numbers, its name
    and no card."""
    view = shown(*APART, Open(), *drawn, claim).claim
    assert (view.verdict, view.missing) == (verdict, missing)
    assert text is None or view.text == text
    if isinstance(claim, ClaimTicket):
        assert (view.rows, view.numbers, view.holder, view.label) == (
            (),
            tuple(sorted(claim.numbers)),
            claim.name,
            "Ticket 1",
        )
        assert view.marked == tuple(sorted(set(claim.numbers) & {draw.number for draw in drawn}))
    else:
        assert (view.numbers, view.label) == ((), f"Card {claim.serial}")


def test_a_second_house_is_for_another_card():
    """The card that has won one is told so, in its own words."""
    twice = GamePlan(
        name="g", stages=(StagePlan(pattern="row", share=50), StagePlan(pattern="row"))
    )
    won = (
        Sell(serials=(A, B)),
        Open(),
        *row(A),
        ClaimCard(serial=A),
        PlayOn(),
        *row(A, 1),
        ClaimCard(serial=A),
    )
    hall = reduce(apply, won, Hall(PACK, Programme(name="p", games=(twice,))))
    view = board(hall, SCENE)
    assert (view.claim.verdict, view.claim.text) == (
        Verdict.ALREADY_WON,
        "This card has won this prize already.",
    )
    assert view.stage.name == "One line 2"
    assert announcement(won[-1], hall, hall) == ("already-won",)


def test_a_thing_is_drawn_for_and_handed_over():
    """Three have the ham: it is to be drawn for; then one has it, to be handed over; then it is.
    Money is paid as ever."""
    acts = [*APART, Open(), *TOP, *(ClaimCard(serial=serial) for serial in (A, B, C)), PlayOn()]
    hams = [win for win in shown(*acts).wins if win.key == "top-row"]
    assert [(win.serial, win.prize.text, win.status, win.draws) for win in hams] == [
        (serial, "a ham", "to be drawn for", True) for serial in (A, B, C)
    ]
    assert {win.status for win in shown(*acts).wins if win.key == "early-five"} == {"to be paid"}
    both = shown(*APART, Open(), *calls(5, 76, 2, 74), ClaimCard(serial=A), PlayOn()).wins
    assert [(win.prize.text, win.status) for win in both if win.key == "corners"] == [
        ("£0.60 + a cake", "to be paid")
    ]
    acts.append(DrawLots(stage="top-row", knobs=((A, 7), (B, 90), (C, 8))))
    hams = [win for win in shown(*acts).wins if win.key == "top-row"]
    assert [(win.serial, win.status, win.draws, win.paid) for win in hams] == [
        (B, "to be handed over", False, False)
    ]
    acts.append(Pay(serial=B))
    assert {(win.key, win.status, win.paid) for win in shown(*acts).wins if win.serial == B} == {
        ("early-five", "paid", True),
        ("top-row", "handed over", True),
    }


def test_the_jackpot_is_shown_while_it_can_be_won():
    """Through the last call that may win it, and no further; not in a game without one; not when it
    is won."""
    start = (SOLD, Open(), CloseGame(), Open())
    full = [draw for place in range(3) for draw in row(A, place)]
    others = [draw for draw in calls(*range(1, 91)) if draw not in full]
    assert shown(SOLD, Open()).jackpot is None
    assert shown(*start).jackpot.model_dump() == {
        "within": 17,
        "prize": {"minor": 25000, "text": "£250.00", "thing": ""},
        "text": "Jackpot £250.00: within 17 calls",
    }
    assert shown(*start, *others[:17]).jackpot is not None
    assert shown(*start, *others[:18]).jackpot is None
    won = shown(*start, *others[:2], *full, ClaimCard(serial=A), PlayOn())
    assert won.jackpot is None
    assert [(win.stage, win.key, win.prize.text) for win in won.wins] == [
        ("Full house", "full", "£5.00"),
        ("Jackpot", "jackpot", "£250.00"),
    ]
    assert shown(*start, *others[:2], CloseGame()).jackpot is None


def test_a_pause_and_the_next_games():
    """Between games the next three are named; a pause has its text and says when it goes on; no
    minutes, no promise."""
    before, paused, playing = shown(), shown(Open(), CloseGame()), shown(Open())
    assert (before.pause, before.coming) == (None, ("Tambola", "Jackpot", "Third"))
    assert (playing.pause, playing.coming) == (None, ())
    assert paused.pause.model_dump() == {
        "text": "Tea in the side room",
        "minutes": 10,
        "follows": "The next game starts in about 10 minutes.",
        "title": "",
        "rules": (),
    }
    assert paused.coming == ("Jackpot", "Third", "Fourth")
    assert shown(Open(), CloseGame(), Open(), CloseGame()).pause is None
    for minutes, games, follows in ((0, 2, ""), (10, 1, "")):
        plan = GamePlan(name="g", pause=PausePlan(text="Tea", minutes=minutes))
        hall = reduce(
            apply, (Open(), CloseGame()), Hall(PACK, Programme(name="p", games=(plan,) * games))
        )
        for until in ("", "20:40"):
            assert board(hall, replace(SCENE, pause_until=until)).pause.follows == follows
    hall = reduce(
        apply, (Open(), CloseGame()), Hall(PACK, Programme(name="p", games=(AT_ONCE,) * 2))
    )
    timed = board(hall, replace(SCENE, pause_until="20:40")).pause
    assert timed.follows == "The next game starts at about 20:40."


def test_how_many_play_counts_tickets_too():
    """Cards and tickets in play; who plays: everybody by name once, and each card and ticket of
    nobody by name."""
    view = shown(*APART, Sell(tickets=3, games=2), Open())
    assert (view.cards, view.players) == (6, 6)


FULL_A = tuple(draw for place in range(3) for draw in row(A, place))
SAID = [
    ("all at once", (SOLD,), Open(), ("eyes-down", "playing-all")),
    ("a ticket", (SOLD, Open(), *TOP), ClaimTicket(numbers=(5, 11, 33, 50, 76), stage="top-row"),
     ("valid", "any-more")),
    ("two are won", (SOLD, Open(), *TOP, ClaimCard(serial=A)), PlayOn(),
     ("won-early-five", "won-top-row", "play-on")),
    ("a thing for several", (*APART, Open(), *TOP, ClaimCard(serial=A), ClaimCard(serial=B)),
     PlayOn(), ("won-early-five", "won-top-row", "draw-lots", "play-on")),
    ("an own pattern", (SOLD, Open(), *calls(5, 17, 2), ClaimCard(serial=A)), PlayOn(),
     ("won-prize", "play-on")),
    ("lots", (*APART, Open(), *TOP, ClaimCard(serial=A), ClaimCard(serial=B), PlayOn()),
     DrawLots(stage="top-row", knobs=((A, 7), (B, 90))),
     ("highest-knob", "number.90")),
    ("with a pause", (SOLD, Open()), CloseGame(), ("game-closed", "break")),
    ("without one", (SOLD, Open(), CloseGame(), Open()), CloseGame(), ("game-closed",)),
    ("the jackpot too", (SOLD, Open(), CloseGame(), Open(), *FULL_A, ClaimCard(serial=A)), PlayOn(),
     ("won-full", "jackpot-won")),
    ("broken off", (SOLD, Open()), Break(why="fire"), ("game-broken",)),
]  # fmt: skip


@cache
def every_clip() -> frozenset[str]:
    """What can be said in every language."""
    return frozenset.intersection(*(frozenset(load_wording(key).clips()) for key in languages()))


@pytest.mark.parametrize(("what", "before", "act", "clips"), SAID, ids=[what for what, *_ in SAID])
def test_what_is_said(what, before, act, clips):
    """Every new act has its words, in every language."""
    hall = night(*before)
    assert announcement(act, hall, apply(hall, act)) == clips
    assert set(clips) <= every_clip()


def test_a_stop_by_the_station_says_that_somebody_has_won():
    """Nobody claimed: the words are others."""
    hall = night(SOLD, Open(), *TOP)
    assert announcement(StopGame(), hall, apply(hall, StopGame()), by_itself=True) == ("stop-won",)


def test_in_turn_the_next_pattern_is_named():
    """Every pattern of the station's own has words for playing and for having won; others are the
    next prize."""
    plans = [StagePlan(pattern=key, share=5) for key in PATTERNS] + [StagePlan(pattern=KITE)]
    plan = GamePlan(name="g", stages=(*plans,))
    hall = reduce(
        apply,
        (Sell(serials=(A,)), Open(), *FULL_A[:-1]),
        Hall(PACK, Programme(name="p", games=(plan,), odd="lowest")),
    )
    hall = apply(hall, FULL_A[-1])
    said = [announcement(Open(), hall, hall)[1]]
    for _ in plans:
        was, before = hall, hall.last_sold
        hall = replace(hall, playing=replace(hall.playing, state=_won(before)))
        said.append(announcement(PlayOn(), was, hall))
    names = [*PATTERNS, "prize"]
    wanted = [(f"won-{name}", f"playing-{following}") for name, following in pairwise(names)]
    assert said == ["playing-row", *wanted, ("won-prize",)]
    assert {clip for clips in said[1:] for clip in clips} <= set(WORDS.clips())


def _won(game):
    """The same game when the stage that is open is won."""
    return replace(game, wins=(*game.wins, Win(game.stage.key, A, 0, len(game.called))))
