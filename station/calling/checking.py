"""Look at a card or ticket in a game: whose it is, what it needs, what a claim comes to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from station.base.errors import Unreadable
from station.base.nouns import KNOBS, number_list
from station.cards.serials import Numbering
from station.night.hall import Hall
from station.rules.patterns import Wants
from station.rules.prizes import Claim, ClaimVerdict, PrizeState
from station.settings.scan import card_looked_at, card_meant


def look_at_card(
    hall: Hall, text: str, numbering: Numbering | None = None, *, short: bool = False
) -> dict[str, Any]:
    """Return what is known of a card, by serial or code; `say` is the sentence for a person.

    Args:
        short: the serial may lack its check characters, which a claim needs.

    Raises:
        Unreadable: no card of this pack is meant.
    """
    serial = (card_looked_at if short else card_meant)(hall.pack, text, numbering)
    card, game = hall.pack.card(serial), hall.playing
    number = hall.opened if game is not None else hall.coming
    lot = hall.sale(serial, number)
    wins = hall.game.wins if hall.game is not None else ()
    answer: dict[str, Any] = {
        "serial": serial,
        "holder": lot.holder if lot is not None else None,
        "seller": lot.seller if lot is not None else None,
        "sold": lot is not None,
        "game": number,
        "rows": [list(row) for row in card.rows],
        "verdict": None,
        "owed": hall.owed(serial),
        "won": [_win(hall, win) for win in wins if win.serial == serial],
    }
    if game is None:
        sold = "sold" if lot is not None else "not sold"
        return {**answer, "say": f"no game is open; for the next one this card is {sold}"}
    answer["marked"] = sorted(card.numbers.intersection(game.called))
    answer["last"] = list(game.called[-1:])
    answer |= _stages(hall, game, serial)
    if not game.open:
        return {**answer, "say": "all prizes of this game are won"}
    claim = next((claim for claim in game.claims if claim.serial == serial), None)
    answer |= _judged(hall, game, claim or Claim(serial, *hall.prizes.judge(game, serial)))
    if claim is not None:
        answer["say"] = f"checked already at this stop: {answer['say']}"
    return {**answer, "checked": claim is not None}


def look_at_ticket(hall: Hall, numbers: Any, stage: Any = None) -> dict[str, Any]:
    """Return what is known of a ticket that is not in the station's register, by its numbers.

    Args:
        numbers: those of the pattern, or of the whole ticket, in any order.
        stage: the key of the stage it claims for; None if only one is possible.

    Raises:
        Unreadable: the text is no list of numbers, or no game is open.
        NotAllowed: a claim with it would be refused; the message says why.
    """
    if not isinstance(numbers, list) or not all(
        type(number) is int and 1 <= number <= KNOBS for number in numbers
    ):
        raise Unreadable(
            f"a ticket is asked about by its numbers, a list of whole numbers from 1 to {KNOBS}"
        )
    game = hall.playing
    if game is None:
        raise Unreadable("no game is open: there is nothing to check a ticket against")
    # The rules say what a claim would come to; what they lead to is looked at and forgotten.
    wanted = stage if isinstance(stage, str) else None
    asked = {"numbers": tuple(numbers), "name": None, "stage": wanted}
    after = hall.rules.game.apply(game, hall.prizes.actions["claim-ticket"](asked))
    claim = after.claims[-1]
    lacking = sorted(set(numbers).difference(game.called))
    judged = _judged(hall, game, claim, after)
    if lacking and claim.verdict is not ClaimVerdict.VALID:
        judged["say"] += f"; not called: {number_list(lacking)}"
    return {
        "numbers": sorted(numbers),
        "marked": sorted(set(numbers).intersection(game.called)),
        "not_called": lacking,
        "last": list(game.called[-1:]),
        "has_last": game.called[-1] in numbers,
        **judged,
    }


def claims_of_this_stop(hall: Hall) -> list[dict[str, Any]]:
    """Return the claims checked since the game was stopped, in order, with their results."""
    game = hall.playing
    if game is None:
        return []
    found = ((claim, _judged(hall, game, claim)) for claim in game.claims)
    return [{"serial": one.serial, "numbers": list(one.numbers), **told} for one, told in found]


def stage_name(hall: Hall, key: str) -> str:
    """Return what a stage of the present game is called: by the programme, else its key."""
    stages = zip(hall.plan.keys, hall.plan.plans, strict=True) if hall.plan is not None else ()
    names = {planned: stage.name for planned, stage in stages}
    return names.get(key) or key.replace("-", " ")


def _win(hall: Hall, win: Any) -> dict[str, Any]:
    return {
        "stage": win.stage,
        "name": stage_name(hall, win.stage),
        "amount": win.amount,
        "thing": win.thing,
        "paid": win in hall.paid,
    }


def _stages(hall: Hall, game: PrizeState, serial: str) -> dict[str, Any]:
    """Return what the card needs for each open stage; older clients read the first by itself."""
    found = [
        {
            "key": stage.key,
            "name": stage_name(hall, stage.key),
            "many": wanted.many,
            "missing": list(wanted.numbers),
        }
        for stage in game.open
        for wanted in [stage.pattern.wants(hall.pack.card(serial), game.called)]
    ]
    first: Mapping[str, Any] = found[0] if found else {"key": None, "missing": []}
    return {"stages": found, "stage": first["key"], "missing": first["missing"]}


def _judged(
    hall: Hall, game: PrizeState, claim: Claim, after: PrizeState | None = None
) -> dict[str, Any]:
    """Return a verdict by the wire's keys; what is wanted is as of `after`, if it is given."""
    say = _verdict(hall, game, claim, hall.prizes.wants(after or game, claim.serial))
    return {"verdict": claim.verdict.value, "valid_for": list(claim.stages), "say": say}


def _verdict(
    hall: Hall, game: PrizeState, claim: Claim, wanting: Iterable[tuple[Any, Wants]]
) -> str:
    match claim.verdict:
        case ClaimVerdict.VALID:
            keys = list(claim.stages) or [stage.key for stage in game.open]
            return f"valid for {' and '.join(stage_name(hall, key) for key in keys)}"
        case ClaimVerdict.LATE:
            return (
                f"not valid: it was complete before the last number, {game.called[-1]}, was called"
            )
        case ClaimVerdict.NOT_SOLD:
            return f"not valid: this card was not sold for game {hall.opened}"
        case ClaimVerdict.ALREADY_WON:
            return (
                "not valid: this card has won that pattern already; a second one is for another"
                " card"
            )
    wants_text = "; ".join(
        _wants(stage_name(hall, stage.key), wanted) for stage, wanted in wanting if wanted.many
    )
    return f"not valid: {wants_text or 'it is not complete'}"


def _wants(name: str, wanted: Wants) -> str:
    if wanted.many < len(wanted.numbers):
        return f"wants {wanted.many} of {number_list(wanted.numbers)} for {name}"
    return f"wants {number_list(wanted.numbers)} for {name}"
