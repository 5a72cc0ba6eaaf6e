"""Apply acts to the night in a hall: this is the only way to change it. Pure.

A `Hall` is frozen (`station.night.hall_state`, which lists its accounts); `apply` returns the next
one, or refuses with a reason. What a person or a device may ask for is an `Act`
(`station.night.acts`), which is also what the journal keeps as `do`. Sales are in
`station.night.selling`, the money of a game in `station.night.payouts`, what is handed out in
`station.night.payouts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias, cast

from station.base.errors import NotAllowed
from station.base.nouns import KNOBS, PURSES, Ledger
from station.base.said import Term, said
from station.night import acts, payouts, register
from station.night.acts import Act
from station.night.fair import FairBag, no_number
from station.night.hall_state import Approval, Hall, HallReason, Refund
from station.night.pairing import change_pairings
from station.night.readiness import CheckOutcome
from station.night.register import VOUCHERS, owed_account, stakes_account
from station.night.sealed_play import SealedPlay, commitment_of, wrong_key
from station.night.selling import count_cash, give_back, sell
from station.night.table.game import GameInPlay, action_by, next_step
from station.night.table.hosting import committed, in_table, open_at_table, sit
from station.programme.programme import GamePlan
from station.proof.leaves import Way
from station.rules.abilities import LeavesUnpaid
from station.rules.prizes import LOWEST, PrizeSetup, PrizeState, Win

# The acts of a game that cards are sold for.
InGame: TypeAlias = (
    acts.DrawKnob
    | acts.StopGame
    | acts.ClaimCard
    | acts.ClaimTicket
    | acts.PlayOn
    | acts.DrawLots
    | acts.Undo
    | acts.CloseGame
    | acts.Break
)

__all__ = ["Hall", "HallReason", "apply", "followed"]


def apply(hall: Hall, act: Act) -> Hall:
    """Return the night after this act.

    Raises:
        NotAllowed: the hall refuses (`HallReason`), or the game's rules do (`IllegalAction`).
    """
    if hall.closed:
        raise NotAllowed(
            HallReason.NIGHT_CLOSED,
            "night {night} is closed: press the draw button, and the next night begins",
            night=hall.night,
        )
    after = _applied(hall, act)
    match act:
        case acts.DrawKnob(number=number, leaf=leaf, again=again):
            if after.fair is not None:
                return replace(after, fair=after.fair.drawn(number, leaf, again=again))
            if leaf is not None or again:
                _fair_bag(hall)
        case acts.Undo() if after.fair is not None:
            return replace(after, fair=after.fair.taken_back())
    return after


def _fair_bag(hall: Hall) -> FairBag:
    """Return the bag of the game that is open, whose numbers open leaves.

    Raises:
        NotAllowed: no game is open, or its bag is no such bag.
    """
    if not hall.game_open or hall.fair is None:
        raise no_number()
    return hall.fair


def _open_leaf(hall: Hall, act: acts.See | acts.Renew) -> Hall:
    """Return the night with a number seen before its call, or with the rest of the bag committed
    to anew."""
    fair = _fair_bag(hall)
    if isinstance(act, acts.Renew):
        return replace(hall, fair=fair.renewed(act.bag, act.epoch), bag=act.bag)
    if not hall.takes_knobs:
        raise no_number()
    return replace(hall, fair=fair.seen(act.number, act.leaf))


def _mix(hall: Hall, act: acts.Mix | acts.Waive) -> Hall:
    """Return the night with the hall's words in the bag, or without any in it."""
    words = act.words if isinstance(act, acts.Mix) else ""
    return replace(hall, fair=_fair_bag(hall).mixed(words))


def _take_sealed(hall: Hall, act: acts.TakeSealed) -> Hall:
    """Return the night whose next game is played with a sealed one, or with none."""
    plan, before = hall.next_plan, hall.sealed
    if hall.game_open or plan is None or plan.at_table:
        raise NotAllowed(
            HallReason.NOT_AS_SEALED,
            "a sealed game is taken before the next game, and that one is played with cards that"
            " are sold",
        )
    if act.game is None:
        return replace(hall, sealed=None if hall.sealed_for(hall.coming) else before)
    if before is not None and before.number < hall.coming and before.game.digest == act.game.digest:
        raise NotAllowed(
            HallReason.PLAYED_ALREADY,
            "this sealed game was played as game {game}: its numbers are known",
            game=before.number,
        )
    return replace(hall, sealed=SealedPlay(act.game, hall.coming))


def _take_keys(hall: Hall, act: acts.TakeKeys) -> Hall:
    """Return the night with keys of the sealed game that is open."""
    play = hall.sealed_for(hall.opened) if hall.sold is not None else None
    if play is None:
        raise NotAllowed(
            HallReason.NOT_SEALED, "no sealed game is open: take it, open the game, then its keys"
        )
    if (wrong := wrong_key(play.game, act.first - 1, act.each)) is not None:
        raise NotAllowed(
            HallReason.WRONG_KEY,
            "the key of call {call} does not open it: it was misread, or is another call's or"
            " another game's; no key was taken",
            call=wrong + 1,
        )
    return replace(hall, sealed=play.with_keys(act.first - 1, act.each))


def _require_sealed(hall: Hall, act: acts.Open) -> None:
    """Check that a game opens with the sealed one that was taken for it, and with no other.

    Raises:
        NotAllowed: it does not.
    """
    play = hall.sealed_for(hall.coming)
    wanted = None if play is None else (play.game.digest, play.game.root, commitment_of(play.game))
    sealed = act.luck is not None and act.luck.way is Way.SEALED
    said = (act.sealed, act.bag, act.luck) if sealed or act.sealed is not None else None
    if said != wanted:
        raise NotAllowed(
            HallReason.NOT_AS_SEALED, "the game is not opened with the sealed game that was taken"
        )


def _applied(hall: Hall, act: Act) -> Hall:  # noqa: C901 - a case for each kind
    match act:
        case acts.Sell():
            return sell(hall, act)
        case acts.Return():
            return give_back(hall, act)
        case acts.CountCash():
            return count_cash(hall, act)
        case acts.Open():
            return _open(hall, act)
        case acts.Sit():
            return sit(hall, act)
        case acts.Commit():
            return committed(hall, act)
        case acts.JoinTable() | acts.Shake() | acts.MakeMove():
            return _at_table(hall, act)
        case acts.DrawKnob() | acts.Undo() | acts.CloseGame() | acts.Break():
            return _in_game(hall, act) if hall.at_table is None else _at_table(hall, act)
        case acts.StopGame() | acts.ClaimCard() | acts.ClaimTicket():
            return _in_game(hall, act)
        case acts.PlayOn() | acts.DrawLots():
            return _in_game(hall, act)
        case acts.Approve():
            return payouts.approve(hall, act)
        case acts.Pay():
            return payouts.pay(hall, act)
        case acts.Redeem():
            return payouts.redeem(hall, act)
        case acts.Recover():
            return payouts.recover(hall, act)
        case acts.Bank():
            return payouts.bank(hall, act)
        case acts.CloseNight():
            return _close_night(hall, act)
        case acts.Skip():
            return _skip(hall, act)
        case acts.Mix() | acts.Waive(about="words"):
            return _mix(hall, act)
        case acts.Census() | acts.SelfTest() | acts.Waive():
            return _make_ready(hall, act)
        case acts.Pair() | acts.Unpair() | acts.Rename():
            return change_pairings(hall, act)
        case acts.See() | acts.Renew():
            return _open_leaf(hall, act)
        case acts.TakeSealed():
            return _take_sealed(hall, act)
        case acts.TakeKeys():
            return _take_keys(hall, act)
        case _:
            return _remember(hall, act)


def _remember(hall: Hall, _: acts.Note) -> Hall:
    """Return the night as it was: a note is the only act that is left, which its type proves."""
    return hall


def _close_night(hall: Hall, _: acts.CloseNight) -> Hall:
    if hall.game_open:
        raise NotAllowed(
            HallReason.GAME_OPEN,
            "game {game} is open: close it, then close the night",
            game=hall.opened,
        )
    _require_lots(hall)
    return replace(hall, closed=True)


def _make_ready(hall: Hall, act: acts.Census | acts.SelfTest | acts.Waive) -> Hall:
    if hall.game_open and not isinstance(act, acts.Waive):
        what = said(
            "balls are counted" if isinstance(act, acts.Census) else "the station is tested"
        )
        raise NotAllowed(
            HallReason.GAME_OPEN,
            "game {game} is open: {what} between games",
            game=hall.opened,
            what=what,
        )
    return replace(hall, ready=hall.ready.after(act))


def _require_lots(hall: Hall) -> None:
    if hall.last_sold is not None and (stages := hall.last_sold.undecided):
        raise NotAllowed(
            HallReason.LOTS,
            "several have won the thing for {stage}: let each draw a ball and enter the lots,"
            " then go on",
            stage=Term(stages[0]),
        )


def _open(hall: Hall, act: acts.Open) -> Hall:
    if hall.game_open:
        raise NotAllowed(
            HallReason.GAME_OPEN, "game {game} is open: close it first", game=hall.opened
        )
    number, plan = hall.coming, hall.next_plan
    if plan is None:
        raise NotAllowed(
            HallReason.NO_MORE_GAMES,
            "all {games} games of the programme are played: close the night",
            games=len(hall.programme.games),
        )
    # At the table the bag is counted before each drawing: until then no knob is drawn.
    if not plan.at_table and (why := hall.ready.wants_census):
        raise NotAllowed(HallReason.NO_CENSUS, "{why}", why=why)
    if why := hall.ready.unfit:
        raise NotAllowed(HallReason.UNFIT, "{why}", why=why)
    if act.knobs not in (None, KNOBS):
        raise NotAllowed(
            HallReason.BAG_NOT_WHOLE,
            "the virtual bag has {knobs} different balls, not {knobs_wanted}: open the game once"
            " more",
            knobs=act.knobs,
            knobs_wanted=KNOBS,
        )
    _require_lots(hall)
    _require_sealed(hall, act)
    hall = _settled_up(hall)
    if plan.at_table:
        return open_at_table(hall, act, number, plan)
    layout = hall.next_layout
    cards, holders = hall.register.cards(number)
    setup = PrizeSetup(
        cards=cards,
        stages=register.stages_of(plan, layout),
        holders=holders,
        last_number=hall.last_number if plan.last_number is None else plan.last_number,
        register=hall.sales.digest[:16],
        at_once=plan.at_once,
        tickets=hall.register.tickets(number),
        elsewhere=plan.tickets,
        odd=hall.programme.odd,
        jackpot=layout.played_for,
        within=plan.jackpot.within if plan.jackpot is not None else 0,
        label="" if plan.stages else plan.stakes,
        game=number,
    )
    return replace(
        hall,
        opened=number,
        playing=GameInPlay(plan, (), plan.prizes.start(setup)),
        sales=hall.sales.open(),
        ledger=hall.ledger.after(layout.moves(number)),
        layout=layout,
        bag=act.bag,
        fair=FairBag.committed(act.bag, act.luck, hall.night, number),
    )


def _skip(hall: Hall, _: acts.Skip) -> Hall:
    """Return the night with the next game passed over. Whether it could open is not asked: there
    may be other reasons, and the line says which."""
    number, plan = hall.coming, hall.next_plan
    if hall.game_open:
        raise NotAllowed(
            HallReason.GAME_OPEN,
            "game {game} is open: only a game that is not open yet can be skipped; break this one"
            " off, or close it",
            game=hall.opened,
        )
    if plan is None:
        raise NotAllowed(
            HallReason.NO_MORE_GAMES,
            "all {games} games of the programme are played: there is none left to skip",
            games=len(hall.programme.games),
        )
    _require_lots(hall)
    cards, tickets = hall.register.sold(number), hall.register.tickets(number)
    stakes = hall.ledger.of(stakes_account(number))
    skipped = register.at_skip(stakes, cards, tickets, number)
    after = replace(
        _settled_up(hall),
        opened=number,
        sealed=None if hall.sealed_for(number) is not None else hall.sealed,
        sales=hall.sales.open(),
        ledger=hall.ledger.after(skipped.moves),
        layout=register.NOTHING_DIVIDED,
        bag="",
        fair=None,
    )
    if plan.at_table:
        return after
    refund = Refund(skipped.each, after.sales.playing)
    return replace(after, refunds={**hall.refunds, number: refund})


def _settled_up(hall: Hall) -> Hall:
    """Return the night without its last game: what its winners have not fetched is kept."""
    return replace(
        hall,
        playing=None,
        paid=frozenset(),
        kept=tuple(win for win in hall.unfetched if win.thing),
        players=hall.unpaid_players,
        approvals=_without_undo(hall),
    )


def _at_table(hall: Hall, act: Act) -> Hall:
    if hall.at_table is not None:
        return in_table(hall, hall.at_table, act)
    if hall.sold is None:
        raise NotAllowed(HallReason.NO_GAME, "no game is open: open the next one first")
    raise NotAllowed(
        HallReason.NOT_AT_TABLE,
        "game {game} is not played at the table: call its numbers, check its claims",
        game=hall.opened,
    )


def _in_game(hall: Hall, act: InGame) -> Hall:
    # Lots may be drawn after a game, too.
    game = hall.last_sold if isinstance(act, acts.DrawLots) else hall.sold
    if game is None and hall.at_table is not None:
        raise NotAllowed(
            HallReason.AT_TABLE,
            "game {game} is played at the table, where cards lie open: nobody claims, it goes on",
            game=hall.opened,
        )
    if game is None:
        raise NotAllowed(HallReason.NO_GAME, "no game is open: open the next one first")
    if isinstance(act, acts.Undo):
        payouts.require_two_to_undo(hall)
    match act:
        case acts.CloseGame():
            return _close(hall, hall.prizes.broken(game))
        case acts.Break():
            return _break(hall, hall.prizes.broken(game))
    after = hall.prizes.apply(game, action_by(act, cast("GameInPlay", hall.playing)))
    if isinstance(act, acts.DrawKnob | acts.Undo):
        return _went_on(hall, game, after, approvals=_without_undo(hall))
    return _went_on(hall, game, after)


def _went_on(hall: Hall, game: PrizeState, after: PrizeState, **more: Any) -> Hall:
    ledger = _settle(hall, game.wins, after.wins) if after.wins is not game.wins else hall.ledger
    paid = hall.paid.intersection(after.wins)
    return replace(_with(hall, after), ledger=ledger, paid=paid, **more)


def _with(hall: Hall, game: PrizeState) -> Hall:
    """Return the night with another state of its game, which cards were sold for."""
    playing = cast("GameInPlay", hall.playing)
    return replace(hall, playing=replace(playing, state=game, calls=len(game.called)))


def _settle(hall: Hall, before: Iterable[Win], after: Iterable[Win]) -> Ledger:
    """Return the ledger with new wins moved from the stakes to the winners, lost ones moved back.

    If such a win was paid, its sum is due from the winner.
    """
    stakes, moves = stakes_account(hall.opened), []
    for win in _without(before, after):
        source = payouts.due_account if win in hall.paid else owed_account
        moves.append((source(win.serial), stakes, win.amount))
    moves += [(stakes, owed_account(win.serial), win.amount) for win in _without(after, before)]
    return hall.ledger.after(moves)


def _without(wins: Iterable[Win], others: Iterable[Win]) -> list[Win]:
    known = frozenset(others)
    return [win for win in wins if win not in known]


def _without_undo(hall: Hall) -> tuple[Approval, ...]:
    """Return the approvals after the calls changed: a correction's were for the last call."""
    return tuple(approval for approval in hall.approvals if approval.about != "undo")


def _close(hall: Hall, game: PrizeState) -> Hall:
    left = hall.ledger.of(stakes_account(hall.opened))
    moves = register.at_close(hall.programme, hall.layout, game, hall.opened, left)
    return replace(_with(hall, game), ledger=hall.ledger.after(moves))


def _break(hall: Hall, game: PrizeState) -> Hall:
    broken = register.at_break(hall.layout, game, hall.opened, hall.ledger)
    refunds = {**hall.refunds, hall.opened: Refund(broken.each, hall.sales.playing)}
    return replace(_with(hall, game), ledger=hall.ledger.after(broken.moves), refunds=refunds)


def followed(before: Hall, after: Hall) -> dict[str, Any]:
    """Return what an act led to, as the journal's `then`: stages, wins, money, the digest."""
    then: dict[str, Any] = {"digest": after.digest()}
    game = after.last_sold
    if game is not None:
        then["stage"] = stage.key if (stage := game.stage) is not None else None
        then["calls"] = len(game.called)
        same = before.opened == after.opened
        then |= _won(before.last_sold if same else None, game)
    if game is not None and after.plan is not None and after.opened != before.opened:
        then["opening"] = _opening(after, game, after.plan)
    if after.skipped and after.opened != before.opened:
        then["skipped"] = {"game": after.opened}
    then |= table_then(before, after)
    if before.ready.notation != after.ready.notation:
        then["ready"] = after.ready.notation
    if before.game_open and not after.game_open and before.ready.census is not CheckOutcome.NONE:
        # Where each knob was when the game ended; from then on all but those put away are in the
        # bag again (H1).
        knobs = before.knobs
        then["knobs"] = {"bag": len(knobs.bag), "drawn": len(knobs.drawn), "away": len(knobs.away)}
    if after.refunds.keys() != before.refunds.keys():
        each, cards = after.refunds[after.opened].each, after.register.sold(after.opened)
        then["broken"] = {"each": each, "cards": cards}
    if after.sales.wholesale != before.sales.wholesale:
        then["sale"] = _sale(before, after)
    if counted := _counted(before, after):
        then["counted"] = counted
    if before.ledger.balances != after.ledger.balances or after.closed:
        then["ledger"] = dict(after.ledger.balances)
    return then


def _won(before: PrizeState | None, game: PrizeState) -> dict[str, Any]:
    """Return what changed in a game: wins, wins taken back, and the claim that was checked."""
    old = before.wins if before is not None else ()
    told: dict[str, Any] = {}
    for key, wins in (("won", _without(game.wins, old)), ("lost", _without(old, game.wins))):
        if wins:
            told[key] = [_win(win) for win in wins]
    if game.claims and (before is None or game.claims != before.claims):
        claim = game.claims[-1]
        told["verdict"] = claim.verdict.value
        if claim.numbers:
            told["ticket"] = claim.serial
        if len(game.open) > 1 and claim.stages:
            told["stages"] = list(claim.stages)
    return told


def _win(win: Win) -> list[Any]:
    return [win.stage, win.serial, win.amount, *((win.thing,) if win.thing else ())]


def _sale(before: Hall, after: Hall) -> dict[str, int]:
    """Return how many cards and tickets were sold, their price, and how much of it was paid with
    vouchers; below zero where they came back."""
    game = after.coming
    cash, vouchers = (before.ledger.of(name) - after.ledger.of(name) for name in (PURSES, VOUCHERS))
    return {
        "cards": after.register.sold(game) - before.register.sold(game),
        "tickets": after.register.tickets(game) - before.register.tickets(game),
        "units": cash + vouchers,
        "vouchers": vouchers,
    }


def _counted(before: Hall, after: Hall) -> dict[str, Any]:
    """Return the seller, the takings expected since the last count, and the difference."""
    for name, seller in after.sellers.items():
        old = before.sellers.get(name)
        if old is not None and (old.counted, old.difference) != (seller.counted, seller.difference):
            more = seller.difference - old.difference
            return {"seller": name or None, "expected": old.since, "difference": more}
    return {}


def _opening(hall: Hall, game: PrizeState, plan: GamePlan) -> dict[str, Any]:
    """Return what is frozen when a game opens; the night's first line has the version."""
    told = {
        "game": hall.opened,
        "method": plan.method,
        "stakes": plan.divided,
        "price": plan.price,
        "pool": game.setup.pool,
        "cards": len(game.setup.cards),
        "register": hall.sales.digest,
        "pack": hall.pack.digest,
        "last_number": game.setup.last_number,
    }
    return told | {key: value for key, value in _agreed(hall, game, plan).items() if value}


def _agreed(hall: Hall, game: PrizeState, plan: GamePlan) -> dict[str, Any]:
    """Return the parts of an opening that are left out where they say nothing."""
    layout, setup, programme = hall.layout, game.setup, hall.programme
    stages = [
        {"stage": stage.key, "pattern": str(stage.pattern), "amount": stage.amount}
        | ({"name": planned.name} if planned.name else {})
        | ({"thing": stage.thing} if stage.thing else {})
        for stage, planned in zip(game.stages, plan.plans, strict=True)
    ]
    shares = ("house", "charity", "jackpot", "carried", "added")
    money = {"paid": layout.stakes, **{share: getattr(layout, share) for share in shares}}
    jackpot = {"amount": setup.jackpot, "within": setup.within, "made_up": layout.made_up}
    return {
        "stages": stages if plan.stages else [],
        "at_once": plan.at_once,
        "money": money if not layout.plain else {},
        "jackpot": jackpot if setup.within else {},
        "tickets": setup.tickets,
        "elsewhere": setup.elsewhere,
        "odd": programme.odd if programme.odd != LOWEST else "",
        "unwon": programme.unwon if programme.unwon != "carry" else "",
    }


# -- at the table ----------------------------------------------------------------------------------


def table_then(before: Hall, after: Hall) -> dict[str, Any]:
    """Return what an act led to at the table, by the keys of `then`; empty where nothing changed
    there.

    Keys, each only where it has changed: `company` (name and purse of each), `calls` and `step`
    (knobs drawn, and what comes next), `opening` (all that is frozen), `joined` (as in the
    company), the game's own keys, `unsealed` (the hidden parts of a hand that is over), `ended`
    (what stays unpaid), `hands` and `purses` by seat: hands in the game's units, purses in minor
    ones.
    """
    then: dict[str, Any] = {}
    if before.company != after.company:
        then["company"] = [[seat.name, seat.purse] for seat in after.company]
    table, old = after.table, before.table
    if table is None or table is old:
        return then
    then |= {"calls": table.calls, "step": next_step(table)}
    if old is None or after.opened != before.opened:
        then["opening"] = _table_opening(after, table)
        return then
    if len(table.seats) > len(old.seats):
        then["joined"] = [[seat.name, seat.purse] for seat in table.seats[len(old.seats) :]]
    if old.before is None or table.state is not old.before.state:  # nothing was taken back
        then |= table.rules.then(old.state, table.state)
    if table.unsealed and table.unsealed is not old.unsealed:
        then["unsealed"] = [part.to_json() for part in table.unsealed]
    if table.over:
        unpaid = table.rules.ability(LeavesUnpaid)
        then["ended"] = {"unpaid": unpaid.unpaid(table.state) if unpaid is not None else 0}
    if (table.hands, table.purses) != (old.hands, old.purses):
        then |= {"hands": list(table.hands), "purses": list(table.purses)}
    return then


def _table_opening(hall: Hall, table: GameInPlay) -> dict[str, Any]:
    """Return all that is frozen when a game at the table opens."""
    return {
        "game": hall.opened,
        "method": table.method,
        "pack": hall.pack.digest,
        "stake": table.plan.agreed.stake,
        "value": table.value,
        "seats": [
            [seat.name, seat.purse, list(cards)]
            for seat, cards in zip(table.seats, table.taken, strict=True)
        ],
        "staked": [seat.purse - now for seat, now in zip(table.seats, table.purses, strict=True)],
        "pool": table.funds.get("pool", 0),
        "table": table.funds.get("table", 0),
    }
