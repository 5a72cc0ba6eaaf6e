"""Tell people, in their language, why something was refused and what a check came to. Pure.

A check looks at a card or a ticket in a game: whose it is, what it needs, what a claim comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from station.base.said import PROGRAM, Sentence, Sum, Term, Value, listed, row, said, verbatim
from station.night.hall import Hall
from station.rules.patterns import Wants
from station.rules.prizes import CheckTicket, Claim, ClaimVerdict, PrizeState, Win
from station.views.cards_seen import face_of
from station.views.views import stage_name, won_with
from station.wire.wording import Wording
from station.wire.wording.refusals import load_refusals

Tell: TypeAlias = Callable[[Sentence], str]
# What a check comes to for a card that won before, and has nothing new: that is no wrong claim.
WON_BEFORE = frozenset({ClaimVerdict.NOT_COMPLETE, ClaimVerdict.ALREADY_WON})


def teller(
    hall: Hall, wording: Wording, sums: Callable[[int], str], program: str = PROGRAM
) -> Tell:
    """Return what writes a sentence in a language, with the prizes' names of the game now on.

    Args:
        sums: writes a sum of money.
        program: how the program is typed where the sentence is read.
    """
    plan = hall.plan if hall.opened else None
    keys = plan.keys if plan is not None else ()
    names = {key: stage_name(plan, key, wording) for key in keys}
    told = partial(
        Sentence.told,
        sentences=load_refusals(wording.base),
        terms={**wording.screen, **names},
        sums=sums,
        program=program,
    )
    return (lambda sentence: wording.written(told(sentence))) if wording.letters else told


# -- what a check came to --------------------------------------------------------------------------


def told_of_card(hall: Hall, serial: str, tell: Tell = str) -> dict[str, Any]:
    """Return what is known of a card; `say` is the sentence for a person. Of a card that has won in
    this game it says so first, and `still` is the rest of it.

    Args:
        tell: writes it, for the asker.
    """
    card, game = hall.pack.card(serial), hall.sold
    number = hall.opened if game is not None else hall.coming
    lot = hall.sale(serial, number)
    wins = (
        [win for win in hall.last_sold.wins if win.serial == serial]
        if hall.last_sold is not None
        else []
    )
    answer: dict[str, Any] = {
        "serial": serial,
        "holder": lot.holder if lot is not None else None,
        "seller": lot.seller if lot is not None else None,
        "sold": lot is not None,
        "game": number,
        **face_of(card),
        "verdict": None,
        "owed": hall.owed(serial),
        "won": [_win(hall, win, tell) for win in wins],
    }
    if game is None:
        say = said("no game is open; for the next one this card is not sold")
        if lot is not None:
            say = said("no game is open; for the next one this card is sold")
        return {**answer, **_after_wins(hall, wins, say, tell)}
    answer["marked"] = sorted(card.numbers.intersection(game.called))
    answer["last"] = list(game.called[-1:])
    answer |= _stages(hall, game, serial, tell)
    if not game.open:
        say = said("all prizes of this game are won")
        return {**answer, **_after_wins(hall, wins, say, tell)}
    claim = next((claim for claim in game.claims if claim.serial == serial), None)
    judged = claim or Claim(serial, *hall.prizes.judge(game, serial))
    say = _verdict(hall, game, judged)
    if claim is not None:
        say = said("checked already at this stop: {verdict}", verdict=say)
    answer |= {**_by_keys(judged, tell(say)), "checked": claim is not None}
    answer["winning"] = list(won_with(game, judged))
    if claim is None and judged.verdict in WON_BEFORE:
        wanting = _wanting(hall, game, serial)
        rest = verbatim(row(wanting, "; ")) if wanting else said("a second one is for another card")
        return {**answer, **_after_wins(hall, wins, rest if wins else say, tell)}
    return answer


def told_of_ticket(
    hall: Hall, game: PrizeState, numbers: list[int], stage: str = "", tell: Tell = str
) -> dict[str, Any]:
    """Return what is known of a ticket that is not in the station's register, by its numbers.

    Args:
        numbers: those of the pattern, or of the whole ticket, in any order.
        stage: the key of the stage it claims for; empty if only one is possible.
        tell: writes the sentence for a person, in `say`.

    Raises:
        NotAllowed: a claim with it would be refused; the message says why.
    """
    # The rules say what a claim would come to; what they lead to is looked at and forgotten.
    after = hall.prizes.apply(game, CheckTicket(tuple(numbers), stage=stage))
    claim = after.claims[-1]
    lacking = sorted(set(numbers).difference(game.called))
    say = _verdict(hall, game, claim, after)
    if lacking and claim.verdict is not ClaimVerdict.VALID:
        say = said("{verdict}; not called: {numbers}", verdict=say, numbers=listed(lacking))
    return {
        "numbers": sorted(numbers),
        "marked": sorted(set(numbers).intersection(game.called)),
        "not_called": lacking,
        "last": list(game.called[-1:]),
        "has_last": game.called[-1] in numbers,
        **_by_keys(claim, tell(say)),
    }


def claims_of_this_stop(hall: Hall, tell: Tell = str) -> list[dict[str, Any]]:
    """Return the claims checked since the game was stopped, in order, with their results, as `tell`
    writes them."""
    game = hall.sold
    if game is None:
        return []
    found = ((claim, tell(_verdict(hall, game, claim))) for claim in game.claims)
    return [
        {"serial": one.serial, "numbers": list(one.numbers), **_by_keys(one, say)}
        for one, say in found
    ]


def _after_wins(hall: Hall, wins: list[Win], rest: Sentence, tell: Tell) -> dict[str, str]:
    """Return the sentence of a card, after what it has won in this game, where it has."""
    if not wins:
        return {"say": tell(rest)}
    won = listed(_won(hall, win) for win in wins)
    say = said("it has won {won}; {rest}", won=won, rest=rest)
    return {"say": tell(say), "still": tell(rest)}


def _won(hall: Hall, win: Win) -> Sentence:
    what: list[Value] = [
        *([Sum(win.amount)] if win.amount else []),
        *([win.thing] * bool(win.thing)),
    ]
    values: dict[str, Value] = {"stage": _called(hall, win.stage), "what": listed(what or [""])}
    if win in hall.paid:
        return said("{stage} ({what}, paid)", **values)
    return said("{stage} ({what}, not paid yet)", **values) if what else verbatim(values["stage"])


def _win(hall: Hall, win: Win, tell: Tell) -> dict[str, Any]:
    return {
        "stage": win.stage,
        "name": tell(verbatim(_called(hall, win.stage))),
        "amount": win.amount,
        "thing": win.thing,
        "paid": win in hall.paid,
    }


def _stages(hall: Hall, game: PrizeState, serial: str, tell: Tell) -> dict[str, Any]:
    """Return what the card needs for each open stage; older clients read the first by itself."""
    found = [
        {
            "key": stage.key,
            "name": tell(verbatim(_called(hall, stage.key))),
            "many": wanted.many,
            "missing": list(wanted.numbers),
        }
        for stage in game.open
        for wanted in [stage.pattern.wants(hall.pack.card(serial), game.called)]
    ]
    first: Mapping[str, Any] = found[0] if found else {"key": None, "missing": []}
    return {"stages": found, "stage": first["key"], "missing": first["missing"]}


def _by_keys(claim: Claim, say: str) -> dict[str, Any]:
    """Return a verdict by the wire's keys."""
    return {"verdict": claim.verdict.value, "valid_for": list(claim.stages), "say": say}


def _verdict(
    hall: Hall, game: PrizeState, claim: Claim, after: PrizeState | None = None
) -> Sentence:
    """Return a verdict for a person; what is wanted is as of `after`, if it is given."""
    match claim.verdict:
        case ClaimVerdict.VALID:
            keys = list(claim.stages) or [stage.key for stage in game.open]
            return said("valid for {stages}", stages=listed(_called(hall, key) for key in keys))
        case ClaimVerdict.LATE:
            return said(
                "not valid: it was complete before the last number, {number}, was called",
                number=game.called[-1],
            )
        case ClaimVerdict.NOT_SOLD:
            return said("not valid: this card was not sold for game {game}", game=hall.opened)
        case ClaimVerdict.ALREADY_WON:
            return said(
                "not valid: this card has won that pattern already; a second one is for another"
                " card"
            )
    wants = _wanting(hall, after or game, claim.serial) or [said("it is not complete")]
    return said("not valid: {wants}", wants=row(wants, "; "))


def _wanting(hall: Hall, game: PrizeState, serial: str) -> list[Sentence]:
    """Return what a card wants for each prize that is open."""
    wanting = hall.prizes.wants(game, serial)
    return [_wants(_called(hall, stage.key), wanted) for stage, wanted in wanting if wanted.many]


def _called(hall: Hall, key: str) -> Value:
    """Return what a stage of the present game is called: by the programme, else in the asker's
    words."""
    stages = zip(hall.plan.keys, hall.plan.plans, strict=True) if hall.plan is not None else ()
    names = {planned: stage.name for planned, stage in stages}
    return names.get(key) or Term(key)


def _wants(name: Value, wanted: Wants) -> Sentence:
    numbers = listed(wanted.numbers)
    if wanted.many < len(wanted.numbers):
        some = "wants {many} of {numbers} for {stage}"
        return said(some, many=wanted.many, numbers=numbers, stage=name)
    return said("wants {numbers} for {stage}", numbers=numbers, stage=name)
