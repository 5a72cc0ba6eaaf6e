"""Host a company at a table: seat it, deal, check its bag, let it play and break off. Pure.

The money that is in a game lies on its account (`game:N`), as the game's funds say after every act.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import replace

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import PURSES
from station.base.said import Sentence, Sum, listed, row, said, verbatim
from station.cards.pack import NO_CARDS
from station.games import GAMES
from station.night import acts
from station.night.fair import FairBag
from station.night.hall_state import Hall, HallReason
from station.night.readiness import ALL_KNOBS
from station.night.register import NOTHING_DIVIDED, stakes_account
from station.night.sealed import SEALED
from station.night.table import game
from station.night.table.game import GameInPlay, Seat, purse_of, seated, usual_purse, without
from station.night.table.leaves import TableLeaves, no_leaf
from station.night.table.luck import awaited
from station.people.alike import person_of
from station.programme.programme import GamePlan
from station.rules.abilities import CanBeBrokenOff, DrawsKnobs, Reversible, TakesBack
from station.rules.law import law_of
from station.rules.play import Need

NO_BAG = said("this game has no bag that is counted")
NO_KNOBS = said("this game draws no balls")
NO_WAY_BACK = said("this game takes nothing back")
SEEN_SINCE = said("that is taken back no more: somebody has seen more by it")
NOT_BROKEN = said("this game is not broken off: play it to its end")


def sit(hall: Hall, act: acts.Sit) -> Hall:
    """Return the night after a company sat down; it stays for the games that follow.

    Raises:
        NotAllowed: a game is open, no game at the table is to come, or two players have one name.
    """
    if hall.game_open:
        raise NotAllowed(
            HallReason.GAME_OPEN,
            "game {game} is open: players sit down between games",
            game=hall.opened,
        )
    if hall.table_to_come is None:
        raise NotAllowed(
            HallReason.NOT_AT_TABLE, "no game to come is played at the table: look at the programme"
        )
    _check_names([player.name for player in act.players])
    before = (*hall.company, *hall.gone)
    company = seated(act.players, usual_purse(hall.table_to_come[1].agreed), before)
    hall = replace(hall, company=company, gone=without(before, company))
    return committed(hall, act) if act.luck is not None else hall


def committed(hall: Hall, act: acts.Sit | acts.Commit) -> Hall:
    """Return the night whose table is committed to what a line says; nobody but the station does.

    Raises:
        NotAllowed: nobody sits there, or it is not the next epoch.
    """
    if not hall.company or act.luck is None:
        raise no_leaf()
    after = TableLeaves.committed(act.luck, hall.night, hall.opened, hall.leaves)
    return replace(hall, leaves=after)


def _check_names(names: Sequence[str]) -> None:
    people: dict[str, str] = {}
    for name in names:
        person = person_of(name)
        if person in people:
            raise NotAllowed(
                HallReason.NAME_TWICE,
                "{one} and {name} would be one name: nobody sat down; call one of them otherwise",
                one=people[person],
                name=name,
            )
        people[person] = name


def unused_name(table: GameInPlay) -> str:
    """Return a name that nobody at the table has."""
    taken = {person_of(seat.name) for seat in table.seats}
    return next(name for number in itertools.count(1) if (name := str(number)) not in taken)


def open_at_table(hall: Hall, act: acts.Open, number: int, plan: GamePlan) -> Hall:
    """Return the night with the next game, one at the table, open: cards dealt, stakes paid.

    Raises:
        NotAllowed: nobody sits at the table, not everybody can pay, there are too few cards, or
            they were not dealt.
    """
    company = hall.company
    if not company:
        raise NotAllowed(
            HallReason.NO_COMPANY,
            "nobody sits at the table: let the players of {name} sit down first, on the page"
            " /table or with {loto} table sit",
            name=plan.name,
        )
    cards = plan.dealt
    if len(hall.pack) < cards:
        has = said("none is here: {no_cards}", no_cards=NO_CARDS)
        if hall.pack.serials:
            has = said("the pack has {count}: use a larger pack", count=len(hall.pack))
        raise NotAllowed(
            HallReason.TOO_FEW_CARDS, "{cards} cards are dealt, {has}", cards=cards, has=has
        )
    try:
        counts = game.counts_of(plan, company)
        _check_stakes(plan, company, counts)
        dealing = hall.pack.serials[:cards]
        if sorted(act.deal) != sorted(dealing):
            raise NotAllowed(
                HallReason.NOT_DEALT,
                "the deal is not the pack's first {cards} cards, each once: open the game once"
                " more",
                cards=cards,
            )
        pack = {serial: hall.pack.card(serial) for serial in act.deal}
        if act.leaf is not None:
            hall = replace(hall, leaves=_leaves(hall).dealt(act.leaf, act.deal))
        register = hashlib.sha256(f"{hall.pack.digest} {' '.join(act.deal)}".encode()).hexdigest()
        table = game.dealt(plan, company, pack, register[:16])
    except Unreadable as error:
        raise NotAllowed(
            HallReason.CANNOT_PLAY,
            "{why}. Let another company sit down, or skip the game",
            why=verbatim(str(error)),
        ) from error
    hall = replace(hall, opened=number, playing=table, bag="", fair=None, layout=NOTHING_DIVIDED)
    return _with_money(replace(hall, sales=hall.sales.open()))


def _check_stakes(plan: GamePlan, seats: Sequence[Seat], counts: Sequence[int]) -> None:
    rules = GAMES[plan.method]
    agreed = plan.agreed.of(rules)
    value = rules.value(agreed)
    for place, (seat, count) in enumerate(zip(seats, counts, strict=True), 1):
        if count not in rules.card_counts:
            allowed = listed(sorted(rules.card_counts))
            raise NotAllowed(
                HallReason.CANNOT_PLAY,
                "seat {place}, {player}, wants {count} cards: there may be {allowed}",
                place=place,
                player=seat.name,
                count=count,
                allowed=allowed,
            )
        stake = value * rules.charge(agreed, count)
        if seat.purse < stake:
            raise NotAllowed(
                HallReason.NOT_PAID,
                "seat {place}, {player}, has {purse}; {count} cards cost {stake}: let him sit down"
                " with more",
                place=place,
                player=seat.name,
                purse=Sum(seat.purse),
                count=count,
                stake=Sum(stake),
            )


def in_table(hall: Hall, table: GameInPlay, act: acts.Act) -> Hall:
    """Return the night after an act in the game at the table, which is open.

    Raises:
        NotAllowed: the bag was not counted, or is not whole; the game is not over; nobody can join
            it, or the name is taken; or the rules refuse.
        Unreadable: the move is malformed.
    """
    _check_known(table, act)
    match act:
        case acts.JoinTable():
            return _join(hall, table, act)
        case acts.Shake():
            _check_bag(table, act)
            if hall.bag and act.bag != hall.bag:
                raise NotAllowed(
                    HallReason.BAG_SHAKEN,
                    "the bag of this drawing has its order already: it is counted again, and"
                    " keeps it",
                )
            after = game.shaken(table, anew=not hall.bag)
            return replace(hall, playing=after, bag=act.bag, fair=_fair(hall, after, act))
        case acts.DrawKnob(number=number):
            after = game.drawn(table, number)
            if not table.shaken:
                raise NotAllowed(
                    HallReason.BAG_NOT_COUNTED,
                    "the bag was not counted and shaken for this drawing: count its {knobs} balls"
                    " and say so, with the button, on the page /table or with {loto} table shake;"
                    " or over the reader, there or with {loto} census; a ball that is drawn goes"
                    " back first",
                    knobs=len(table.bag),
                )
            return _adopted(hall, after)
        case acts.Undo():
            return _adopted(hall, game.taken_back(table))
        case acts.MakeMove(move=move):
            if SEALED not in move and (hidden := table.hidden(move)):
                raise NotAllowed(
                    HallReason.NOT_SEALED,
                    "{fields}: nobody may see that yet",
                    fields=row(sorted(hidden)),
                )
            after = game.played(table, game.parse_move(table.method, act.whole), act.part)
            # Until its drawing is over a virtual bag keeps its order: nobody can get other knobs by
            # taking back and shaking again.
            over = bool(table.board) and not after.board
            hall = replace(hall, leaves=_opened(hall, table, act))
            return _adopted(replace(hall, bag="", fair=None) if over else hall, after)
        case acts.CloseGame() if game.next_step(table) != "close":
            raise NotAllowed(
                HallReason.GAME_GOES_ON,
                "{name} goes on, and counters are out: play it to its end, or break it off",
                name=table.plan.name,
            )
    return _adopted(hall, game.broken_off(table))


def _leaves(hall: Hall) -> TableLeaves:
    if hall.leaves is None:
        raise no_leaf()
    return hall.leaves


def _opened(hall: Hall, table: GameInPlay, act: acts.MakeMove) -> TableLeaves | None:
    """Return the table's leaves after a move: one more is used where chance has decided it.

    Raises:
        NotAllowed: it is not the next one, or the move does not follow from it.
    """
    later = act.part.chance if act.part is not None else None
    decided = act.chance or later
    if decided is None and act.later is None:
        return hall.leaves
    law, leaves = awaited(table), _leaves(hall)
    if decided is None or law is None or act.move.get("do") != law.do or decided.law != law_of(law):
        raise no_leaf()
    if (act.chance is None) != (later is not None) or act.later != (later and later.leaf.at):
        raise no_leaf()
    leaves.check_move(decided, act.whole)
    return leaves.next(decided.leaf.at)


def _check_known(table: GameInPlay, act: object) -> None:
    """Check that this game has such an act at all.

    Raises:
        NotAllowed: it has not.
    """
    rules = table.rules
    lacking: dict[type, Sentence | None] = {
        acts.Shake: NO_BAG if Need.BAG not in rules.needs else None,
        acts.DrawKnob: NO_KNOBS if rules.ability(DrawsKnobs) is None else None,
        acts.Undo: _no_way_back(table),
        acts.Break: NOT_BROKEN if rules.ability(CanBeBrokenOff) is None else None,
    }
    if why := lacking.get(type(act)):
        raise NotAllowed(HallReason.CANNOT_PLAY, "{why}", why=why)


def _no_way_back(table: GameInPlay) -> Sentence | None:
    if table.rules.ability(TakesBack) is not None or table.before is not None:
        return None
    return NO_WAY_BACK if table.rules.ability(Reversible) is None else SEEN_SINCE


def _join(hall: Hall, table: GameInPlay, act: acts.JoinTable) -> Hall:
    """Return the night with one more player at the table; he takes a card by a move of its own."""
    _check_names([*(seat.name for seat in table.seats), act.name])
    purse = act.purse
    if purse is None:
        purse = purse_of(act.name, usual_purse(table.plan.agreed), hall.gone)
    seat = Seat(act.name, purse, simulated=act.simulated)
    after = game.joined(table, seat)
    if after is None:
        raise NotAllowed(
            HallReason.CANNOT_PLAY,
            "nobody joins {name} once its cards are dealt: let {player} sit down after it",
            name=table.plan.name,
            player=act.name,
        )
    hall = replace(hall, company=(*hall.company, seat), gone=without(hall.gone, [seat]))
    return _adopted(hall, after)


def _adopted(hall: Hall, table: GameInPlay) -> Hall:
    """Return the night with the game as it is now. At its end everybody has his purse again, and
    the knobs put away are in no bag yet."""
    if table.over:
        ready = hall.ready.without(hall.knobs.away)
        hall = replace(hall, company=table.company, bag="", fair=None, ready=ready)
    return _with_money(replace(hall, playing=table))


def _with_money(hall: Hall) -> Hall:
    stakes = stakes_account(hall.opened)
    more = (hall.table.at_stake if hall.table is not None else 0) - hall.ledger.of(stakes)
    source, target = (PURSES, stakes) if more > 0 else (stakes, PURSES)
    return replace(hall, ledger=hall.ledger.move(source, target, abs(more)))


def _fair(hall: Hall, table: GameInPlay, act: acts.Shake) -> FairBag | None:
    """Return the bag after its knobs were counted: a new one, or the same with what is in it now.

    Raises:
        NotAllowed: other knobs are put away than the line says.
    """
    away = tuple(sorted(ALL_KNOBS - table.bag))
    if (act.luck is not None or act.away) and act.away != away:
        raise NotAllowed(
            HallReason.BAG_NOT_WHOLE,
            "other balls are put away than the counting says: count once more",
        )
    if hall.fair is not None:
        return replace(hall.fair, away=frozenset(away))
    number, drawing = hall.opened, table.shakings
    return FairBag.committed(act.bag, act.luck, hall.night, number, drawing=drawing, away=away)


def _check_bag(table: GameInPlay, act: acts.Shake) -> None:
    """Check that the knobs counted are those that must lie in the bag.

    Raises:
        NotAllowed: they are not.
    """
    bag = table.bag
    if table.board:
        raise NotAllowed(
            HallReason.DRAWING,
            "{drawn} balls of this drawing are drawn: the bag is counted before the first one",
            drawn=len(table.board),
        )
    if act.found is not None:
        found = frozenset(act.found)
        wrong: list[Sentence] = []
        if missing := bag - found:
            wrong.append(said("missing: {numbers}", numbers=listed(sorted(missing))))
        if strange := found - bag:
            wrong.append(said("too many: {numbers}", numbers=listed(sorted(strange))))
        if not wrong and act.counted != len(found):
            wrong = [
                said(
                    "{counted} were counted, and {read} different ones read",
                    counted=act.counted,
                    read=len(found),
                )
            ]
        if wrong:
            raise NotAllowed(
                HallReason.BAG_NOT_WHOLE,
                "the bag is not as it must be; {faults}. Put that right, then count its {knobs}"
                " balls again",
                faults=row(wrong, "; "),
                knobs=len(bag),
            )
    if act.counted != len(bag):
        few = act.counted < len(bag)
        look = said("look for the missing ones" if few else "look for the strange ones")
        raise NotAllowed(
            HallReason.BAG_NOT_WHOLE,
            "{counted} balls were counted, {knobs} must be in the bag: {look}, then count again",
            counted=act.counted,
            knobs=len(bag),
            look=look,
        )
