"""Host a company at a table: seat it, deal its cards, check its bag, let it play and break off.
Pure.

The money that is in a game lies on its account (`game:N`), as the game's funds say after every act.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import PURSES, number_list
from station.games import PLAYS
from station.night.acts import Break, Close, Draw, Join, Move, Open, Shake, Sit, Undo
from station.night.fields import person_of
from station.night.hall_state import Hall, Reason
from station.night.pools import NO_LAYOUT, stakes_account
from station.night.sealed import SEALED
from station.night.table.company import Seat, purse_of, seated, usual_purse, without
from station.night.table.game import (
    Parlour,
    broken_off,
    counts_of,
    dealt,
    drawn,
    joined,
    next_step,
    parse_move,
    played,
    shaken,
    taken_back,
)
from station.programme.programme import GamePlan
from station.rules.play import Need


def sit(hall: Hall, act: Sit) -> Hall:
    """Return the night after a company sat down; it stays for the games that follow.

    Raises:
        NotAllowed: a game is open, no game at the table is to come, or two players have one name.
    """
    if hall.game_open:
        raise NotAllowed(
            Reason.GAME_OPEN, f"game {hall.opened} is open: players sit down between games"
        )
    coming = next((plan for plan in hall.programme.games[hall.opened :] if plan.at_table), None)
    if coming is None:
        raise NotAllowed(
            Reason.NOT_AT_TABLE, "no game to come is played at the table: look at the programme"
        )
    _check_names([player.name for player in act.players])
    before = (*hall.company, *hall.gone)
    company = seated(act.players, usual_purse(coming.agreed), before)
    return replace(hall, company=company, gone=without(before, company))


def _check_names(names: Sequence[str]) -> None:
    people: dict[str, str] = {}
    for name in names:
        person = person_of(name)
        if person in people:
            raise NotAllowed(
                Reason.NAME_TWICE,
                f"{people[person]} and {name} would be one name: nobody sat down; call one of them"
                " otherwise",
            )
        people[person] = name


def open_at_table(hall: Hall, act: Open, number: int, plan: GamePlan) -> Hall:
    """Return the night with the next game, one at the table, open: cards dealt, stakes paid.

    Raises:
        NotAllowed: nobody sits at the table, not everybody can pay, there are too few cards, or
            they were not dealt.
    """
    company = hall.company
    if not company:
        how = "on the page /table, or with ./loto table sit"
        raise NotAllowed(
            Reason.NO_COMPANY,
            f"nobody sits at the table: let the players of {plan.name} sit down first, {how}",
        )
    cards = plan.dealt
    if len(hall.pack) < cards:
        has = (
            f"the pack has {len(hall.pack)}: use a larger pack"
            if hall.pack.serials
            else f"none {hall.pack.lacking}"
        )
        raise NotAllowed(Reason.TOO_FEW_CARDS, f"{cards} cards are dealt, {has}")
    try:
        counts = counts_of(plan, company)
        _check_stakes(plan, company, counts)
        dealing = hall.pack.serials[:cards]
        if sorted(act.deal) != sorted(dealing):
            raise NotAllowed(
                Reason.NOT_DEALT,
                f"the deal is not the pack's first {cards} cards, each once: open the game"
                " once more",
            )
        pack = {serial: hall.pack.card(serial) for serial in act.deal}
        register = hashlib.sha256(f"{hall.pack.digest} {' '.join(act.deal)}".encode()).hexdigest()[
            :16
        ]
        table = dealt(plan, company, pack, register)
    except Unreadable as error:
        raise NotAllowed(Reason.CANNOT_PLAY, str(error)) from error
    # The last game that cards were sold for stays in the hall: its winners may still come for their
    # prizes.
    return _with_money(
        replace(hall, opened=number, table=table, sales=hall.sales.open(), layout=NO_LAYOUT, bag="")
    )


def _check_stakes(plan: GamePlan, seats: Sequence[Seat], counts: Sequence[int]) -> None:
    rules = PLAYS[plan.method]
    agreed = plan.agreed.of(rules)
    value = rules.value(agreed)
    for place, (seat, count) in enumerate(zip(seats, counts, strict=True), 1):
        if count not in rules.allowed:
            allowed = number_list(sorted(rules.allowed))
            raise NotAllowed(
                Reason.CANNOT_PLAY,
                f"seat {place}, {seat.name}, wants {count} cards: there may be {allowed}",
            )
        stake = value * rules.charge(agreed, count)
        if seat.purse < stake:
            who = f"seat {place}, {seat.name}, has "
            raise NotAllowed(
                Reason.NOT_PAID,
                who,
                seat.purse,
                f"; {count} cards cost ",
                stake,
                ": let him sit down with more",
            )


def in_table(
    hall: Hall, table: Parlour, act: Join | Shake | Draw | Undo | Move | Close | Break
) -> Hall:
    """Return the night after an act in the game at the table, which is open.

    Raises:
        NotAllowed: the bag was not counted, or is not whole; the game is not over; nobody can join
            it, or the name is taken; or the rules refuse.
        Unreadable: the move is malformed.
    """
    _check_known(table, act)
    match act:
        case Join():
            return _join(hall, table, act)
        case Shake():
            _check_bag(table, act)
            if hall.bag and act.bag != hall.bag:
                raise NotAllowed(
                    Reason.BAG_SHAKEN,
                    "the bag of this drawing has its order already: it is counted again, and"
                    " keeps it",
                )
            return replace(hall, table=shaken(table, anew=not hall.bag), bag=act.bag)
        case Draw(number=number):
            after = drawn(table, number)
            if not table.shaken:
                raise NotAllowed(
                    Reason.BAG_NOT_COUNTED,
                    "the bag was not counted and shaken for this drawing: count its"
                    f" {len(table.bag)} knobs and say so, with the button or ./loto table"
                    " shake, or over the reader with ./loto census; a knob that is drawn goes back"
                    " first",
                )
            return _adopted(hall, after)
        case Undo():
            return _adopted(hall, taken_back(table))
        case Move(move=move):
            if SEALED not in move and (hidden := table.rules.hidden.get(str(move.get("do")))):
                raise NotAllowed(
                    Reason.NOT_SEALED, f"{', '.join(sorted(hidden))}: nobody may see that yet"
                )
            after = played(table, parse_move(table.method, act.whole), act.part)
            # Until its drawing is over a virtual bag keeps its order: nobody can get other knobs by
            # taking back and shaking again.
            over = bool(table.board) and not after.board
            return _adopted(replace(hall, bag="") if over else hall, after)
        case Close() if next_step(table) != "close":
            raise NotAllowed(
                Reason.GAME_GOES_ON,
                f"{table.plan.name} goes on, and counters are out: play it to its end, or break"
                " it off",
            )
    return _adopted(hall, broken_off(table))


def _check_known(table: Parlour, act: object) -> None:
    """Check that this game has such an act at all.

    Raises:
        NotAllowed: it has not.
    """
    rules = table.rules
    lacking: dict[type, str] = {
        Shake: "has no bag that is counted" if Need.BAG not in rules.needs else "",
        Draw: "draws no knobs" if rules.draw is None else "",
        Undo: "takes nothing back" if rules.take_back is None else "",
        Break: "is not broken off: play it to its end" if rules.broken is None else "",
    }
    if why := lacking.get(type(act), ""):
        raise NotAllowed(Reason.CANNOT_PLAY, f"{rules.title} {why}")


def _join(hall: Hall, table: Parlour, act: Join) -> Hall:
    """Return the night with one more player at the table; he takes a card by a move of its own."""
    _check_names([*(seat.name for seat in table.seats), act.name])
    purse = (
        purse_of(act.name, usual_purse(table.plan.agreed), hall.gone)
        if act.purse is None
        else act.purse
    )
    seat = Seat(act.name, purse, simulated=act.simulated)
    after = joined(table, seat)
    if after is None:
        raise NotAllowed(
            Reason.CANNOT_PLAY,
            f"nobody joins {table.plan.name} once its cards are dealt: let {act.name} sit down"
            " after it",
        )
    return _adopted(
        replace(hall, company=(*hall.company, seat), gone=without(hall.gone, [seat])), after
    )


def _adopted(hall: Hall, table: Parlour) -> Hall:
    """Return the night with the game as it is now. At its end everybody has his purse again, and
    the knobs put away are in no bag yet."""
    if table.over:
        hall = replace(
            hall, company=table.company, bag="", ready=hall.ready.without(hall.knobs.away)
        )
    return _with_money(replace(hall, table=table))


def _with_money(hall: Hall) -> Hall:
    game = stakes_account(hall.opened)
    more = (hall.table.at_stake if hall.table is not None else 0) - hall.ledger.of(game)
    source, target = (PURSES, game) if more > 0 else (game, PURSES)
    return replace(hall, ledger=hall.ledger.move(source, target, abs(more)))


def _check_bag(table: Parlour, act: Shake) -> None:
    """Check that the knobs counted are those that must lie in the bag.

    Raises:
        NotAllowed: they are not.
    """
    bag = table.bag
    if table.board:
        raise NotAllowed(
            Reason.DRAWING,
            f"{len(table.board)} knobs of this drawing are drawn: the bag is counted before the"
            " first one",
        )
    if act.found is not None:
        found = frozenset(act.found)
        wrong = [
            f"{what}: {number_list(sorted(knobs))}"
            for what, knobs in (("missing", bag - found), ("too many", found - bag))
            if knobs
        ]
        if not wrong and act.counted != len(found):
            wrong = [f"{act.counted} were counted, and {len(found)} different ones read"]
        if wrong:
            raise NotAllowed(
                Reason.BAG_NOT_WHOLE,
                f"the bag is not as it must be; {'; '.join(wrong)}. Put that right, then count its"
                f" {len(bag)} knobs again",
            )
    if act.counted != len(bag):
        raise NotAllowed(
            Reason.BAG_NOT_WHOLE,
            f"{act.counted} knobs were counted, {len(bag)} must be in the bag: look for the"
            f" {'missing ones' if act.counted < len(bag) else 'strange ones'}, then count"
            " again",
        )
