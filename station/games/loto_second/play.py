"""Play Loto, Second Method, by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import tr
from station.games.loto_second.actions import Draw, Join, TakeBack
from station.games.loto_second.bot import bot, can_add
from station.games.loto_second.drawing import broken, step
from station.games.loto_second.example import EXAMPLE
from station.games.loto_second.game import GAME, MOVES, counter_value
from station.games.loto_second.report import report
from station.games.loto_second.saying import again, comes, recital, say
from station.games.loto_second.seen import counting, view
from station.games.loto_second.settlement import Settlement, settled
from station.games.loto_second.state import TAKES, GamePhase, Setup, State
from station.rules import play
from station.rules.seating import SEATS
from station.rules.seen import Move, Slot, SlotKind
from station.rules.terms import BOOK

SETTINGS = (
    play.Setting("changes", True),
    play.Setting("confirm", True),
    play.Setting("in_money", False),
    play.Setting("settling", "total", values=("cards", "total")),
)


NUMBERS_IN_A_ROW = 5
NOTHING = ((play.COMPANY, ""),)  # where no card is there the rules say what is missing


def _setup(agreed: play.Agreed, dealing: play.Dealing) -> Setup:
    return Setup(
        dealing.cards,
        dealing.takes,
        dealing.purses,
        changes=agreed["changes"],
        confirm=agreed["confirm"],
        in_money=agreed["in_money"],
        by_card=agreed["settling"] == "cards",
        value=counter_value(agreed["stake"]),
        register=dealing.register,
    )


def _to_act(state: State) -> frozenset[int | play.Actor]:
    if state.phase is GamePhase.OVER:
        return frozenset()
    if state.offer is not None:
        return frozenset({state.offer.other})
    if state.phase is GamePhase.SHORT:
        poor = (seat for seat in range(1, state.seats + 1) if not can_add(state, seat))
        return frozenset({play.Actor.HOST, *poor})
    return frozenset({play.Actor.HOST if step(state) == "settle" else play.Actor.CHANCE})


def _chance(state: State) -> play.Chance | None:
    drawing = play.Actor.CHANCE in _to_act(state)
    return play.Chance(play.Luck.KNOB, "draw", "number", numbers=state.bag) if drawing else None


def _asked(state: State) -> Iterator[Move]:
    for do in ("settle", "replenish", "finish"):
        yield Move(play.COMPANY, do)
    most = state.setup.terms.knobs
    yield Move(play.COMPANY, "resolve", slots=(Slot(("drawings",), SlotKind.NUMBER, most=most),))
    for number in state.came:
        if number not in state.away:
            yield Move(play.COMPANY, "put-away", {"number": number})
    asked = state.offer.other if state.offer is not None else play.COMPANY
    yield Move(asked, "agree")
    yield Move(asked, "decline")
    for seat in range(1, state.seats + 1):
        yield Move(seat, "take", {"seat": seat})
    for seat, serial in state.held():
        cards = Slot(("other", "wanted"), SlotKind.SERIAL, _exchangeable(state, seat) or NOTHING)
        yield Move(seat, "exchange", {"seat": seat, "serial": serial}, (cards,))
        yield Move(seat, "throw-up", {"seat": seat, "serial": serial})


def _exchangeable(state: State, seat: int) -> tuple[tuple[int, str], ...]:
    """Return the cards that a seat's may be exchanged for, with their seats, free ones first."""
    free = tuple((play.COMPANY, serial) for serial in state.rest)
    return (*free, *((other, serial) for other, serial in state.held() if other != seat))


def _then(done: play.Played) -> Mapping[str, Any]:
    """Return a settled drawing for the journal: its rows by their class, and counters in all."""
    new: Settlement | None = done.now
    if new is None or new == done.was:
        return {}
    rows = {"classes": list(new.classes), "laid": new.laid, "won": new.won, "paid": new.paid}
    return {"settled": {"drawing": new.drawing, "numbers": list(new.numbers), **rows}}


def _won_by(done: play.Played) -> tuple[int, ...]:
    """Return whose rows were full in the drawing that was settled just now."""
    new, had = done.now, done.was
    if new is None or (had is not None and had.drawing == new.drawing):
        return ()
    return tuple(sorted({row.seat for row in new.rows if row.laid == NUMBERS_IN_A_ROW}))


def _terms(agreed: play.Agreed, stake: str) -> Iterator[str]:
    yield tr("Stake {stake} for two cards.", stake=stake)
    yield (
        tr("Cards may be exchanged, thrown up and taken before each drawing.")
        if agreed["changes"]
        else tr("Cards may be exchanged, thrown up and taken before the first drawing.")
    )
    if agreed["in_money"]:
        yield tr("Prizes are paid at once in money.")


PLAY = play.Play(
    example=EXAMPLE,
    game=GAME,
    settings=SETTINGS,
    seats=(1, SEATS),
    needs=frozenset({play.Need.BAG, play.Need.CARDS}),
    setup=_setup,
    parts=lambda _: (2 * BOOK.a_card, tr("a counter is worth a sixtieth of a card's part")),
    value=lambda agreed: counter_value(agreed["stake"]),
    charge=lambda _, cards: cards * BOOK.a_card,
    allowed=frozenset(TAKES),
    to_act=_to_act,
    step_of=step,
    actions=play.own_moves(_asked),
    moves=MOVES,
    chance=_chance,
    draw=Draw,
    take_back=TakeBack,
    broken=broken,
    join=Join,
    bag_of=lambda state: state.bag,
    board=lambda state: state.numbers,
    taken=lambda state: state.taken,
    view=view,
    counting=counting,
    advance=settled,
    then=_then,
    terms=_terms,
    say=say,
    comes=comes,
    recital=recital,
    again=again,
    bot=bot,
    report=report,
    expected=lambda _: play.Expected(terms=BOOK),
    won_by=_won_by,
    unpaid=lambda state: sum(due.counters for due in state.unpaid),
)
