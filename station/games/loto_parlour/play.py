"""Play Loto, First Method, by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import key, tr
from station.games.loto_parlour.actions import Close, Draw, TakeBack
from station.games.loto_parlour.example import EXAMPLE
from station.games.loto_parlour.game import GAME, MOVES
from station.games.loto_parlour.saying import comes, say
from station.games.loto_parlour.seen import view
from station.games.loto_parlour.state import (
    Answering,
    AnswerVerdict,
    GamePhase,
    Setup,
    Stakes,
    State,
)
from station.rules import play
from station.rules.patterns import FULL, ROW, TWO_ROWS
from station.rules.seating import SEATS
from station.rules.seen import Move, Slot, SlotKind

SETTINGS = (
    play.Setting("stakes", "quarters", values=tuple(Stakes)),
    play.Setting("answering", "everyone", values=tuple(Answering)),
    play.Setting("counters", 30, least=15, most=1000),
    play.Setting("all", False),
)


WON = {
    Stakes.WHOLE: key("The first full card takes the pool."),
    Stakes.QUARTERS: key(
        "A quarter of the pool goes to the first full row, one to the first two rows, the rest to"
        " the full card."
    ),
    Stakes.COUNTERS: key(
        "Each number covered is a counter from the pool; the first full card takes what is left."
    ),
}
VERDICTS: Mapping[str, str] = {
    AnswerVerdict.COVERS: key("covers"),
    AnswerVerdict.TIED: key("tied"),
    AnswerVerdict.LATE: key("late"),
    AnswerVerdict.WRONG: key("wrong"),
}
HEARD = key("heard")
MISTAKES = 0.02  # presses without having the number


def _counted(agreed: play.Agreed) -> bool:
    return bool(agreed["stakes"] == Stakes.COUNTERS.value)


def _setup(agreed: play.Agreed, dealing: play.Dealing) -> Setup:
    return Setup(
        dealing.cards,
        dealing.takes,
        dealing.purses,
        stakes=Stakes(agreed["stakes"]),
        answering=Answering(agreed["answering"]),
        stake=0 if _counted(agreed) else agreed["stake"] // 2,
        each=agreed["counters"] if _counted(agreed) else 0,
        all_cards=agreed["all"],
        value=_value(agreed),
        register=dealing.register,
    )


def _value(agreed: play.Agreed) -> int:
    """Return what a unit is worth, in minor units. With stakes in counters, each player's stake is
    worth the counters that he puts in; else the rules count in minor units."""
    return int(agreed["stake"] // agreed["counters"]) if _counted(agreed) else 1


def _parts(agreed: play.Agreed) -> tuple[int, str]:
    if _counted(agreed):
        counters = agreed["counters"]
        return counters, tr("each player's {count} counters are worth it", count=counters)
    return 2, tr("a card is worth half of it")


def _charge(agreed: play.Agreed, cards: int) -> int:
    if _counted(agreed):
        return agreed["counters"] if cards else 0
    return int(agreed["stake"] // 2 * cards)


def _step(state: State) -> str:
    if state.phase is GamePhase.WON:
        return "close"
    return "draw" if state.bag else "share"


def _to_act(state: State) -> frozenset[int | play.Actor]:
    if state.over:
        return frozenset()
    return frozenset(
        {play.Actor.CHANCE if _step(state) == "draw" else play.Actor.HOST, *state.silent}
    )


def _chance(state: State) -> play.Chance | None:
    drawing = play.Actor.CHANCE in _to_act(state)
    return play.Chance(play.Luck.KNOB, "draw", "number", numbers=state.bag) if drawing else None


def _asked(state: State) -> Iterator[Move]:
    yield Move(play.COMPANY, "share")
    if state.setup.answering is Answering.FIRST:
        for seat in range(1, state.setup.seats + 1):
            yield Move(seat, "answer", {"seats": (seat,), "micros": ()})
        race = Slot(("seats", "micros"), SlotKind.RACE, state.silent)
        yield Move(play.COMPANY, "answer", slots=(race,))


def _race(state: State) -> play.Race | None:
    if state.setup.answering is Answering.EVERYONE:
        return None
    silent = frozenset(state.silent)
    return play.Race(
        silent, silent - frozenset(state.holders(state.numbers[-1])) if silent else silent
    )


def _bot(
    state: State, _: object, seat: int, choose: play.Choose, __: frozenset[int]
) -> play.Wish | None:
    """Return a press of the buzzer where only the first to answer covers: almost always for a
    player who holds the number, seldom for one who does not."""
    if seat not in state.silent:
        return None
    holds = seat in state.holders(state.numbers[-1])
    return play.Wish(buzzes=True) if holds or choose.chance(MISTAKES) else None


def _then(done: play.Played) -> Mapping[str, Any]:
    """Return what was answered and won, or taken back, as the journal says it."""
    before, after = done.before, done.after
    answers = after.answered if after.answered != before.answered else ()
    changed = {
        "answers": [[one.seat, one.micros, one.verdict.value] for one in answers],
        "won": [[win.stage, win.seat, win.amount] for win in after.wins if win not in before.wins],
        "lost": [[win.stage, win.seat, win.amount] for win in before.wins if win not in after.wins],
    }
    return {key: some for key, some in changed.items() if some}


def _won_by(done: play.Played) -> tuple[int, ...]:
    """Return who has won a share of the pool just now."""
    new = done.after.wins[len(done.before.wins) :]
    return tuple(sorted({win.seat for win in new}))


def _report(move: Mapping[str, Any], then: Mapping[str, Any], name: play.NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    if move["do"] == "share":
        return tr("the bag is empty: what is not won is shared out")
    micros = move.get("micros") or ()
    verdicts = {seat: str(verdict) for seat, _, verdict in then.get("answers", ())}
    said = []
    for place, seat in enumerate(move["seats"]):
        words = {"name": name(seat), "verdict": tr(VERDICTS.get(verdicts.get(seat, ""), HEARD))}
        said.append(
            tr("{name} answers {micros} µs later: {verdict}", micros=micros[place], **words)
            if place and place < len(micros)
            else tr("{name} answers: {verdict}", **words)
        )
    return ", ".join(said)


def _terms(agreed: play.Agreed, stake: str) -> Iterator[str]:
    counters = agreed["counters"]
    yield (
        tr("Stake {stake} for each player, for {count} counters.", stake=stake, count=counters)
        if _counted(agreed)
        else tr("Stake {stake} for two cards.", stake=stake)
    )
    yield tr(WON[Stakes(agreed["stakes"])])
    if agreed["all"]:
        yield tr("Full is who has covered all the cards he holds, not one of them.")
    if agreed["answering"] == Answering.FIRST:
        yield tr("Of those who hold a number only the first to answer covers it.")


def _expected(agreed: play.Agreed) -> play.Expected:
    """Return what is played for; a last share for all cards of a player is left out."""
    rows = (ROW, TWO_ROWS) if agreed["stakes"] == Stakes.QUARTERS else ()
    full = () if agreed["all"] else (FULL,)
    return play.Expected((*rows, *full), race=agreed["answering"] == Answering.FIRST)


PLAY = play.Play(
    example=EXAMPLE,
    game=GAME,
    settings=SETTINGS,
    seats=(1, SEATS),
    needs=frozenset({play.Need.BAG, play.Need.CARDS}),
    setup=_setup,
    parts=_parts,
    value=_value,
    charge=_charge,
    allowed=frozenset(range(SEATS + 1)),
    to_act=_to_act,
    step_of=_step,
    actions=play.own_moves(_asked),
    moves=MOVES,
    chance=_chance,
    draw=Draw,
    take_back=TakeBack,
    broken=lambda state: GAME.apply(state, Close()),
    bag_of=lambda state: state.bag,
    board=lambda state: state.numbers,
    taken=lambda state: state.taken,
    race=_race,
    view=view,
    then=_then,
    say=say,
    comes=comes,
    bot=_bot,
    won_by=_won_by,
    report=_report,
    terms=_terms,
    expected=_expected,
)
