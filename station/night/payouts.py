"""Pay money and things out of the hall, or take them back; some of it by two people. Pure."""

from __future__ import annotations

from dataclasses import replace

from station.base.errors import NotAllowed
from station.base.nouns import DUE, HOUSE, PURSES
from station.base.said import Sentence, Sum, Term, Value, said
from station.night.acts import Approve, Bank, Pay, Recover, Redeem
from station.night.hall_state import Approval, Hall, HallReason
from station.night.register import CHARITY, VOUCHERS, owed_account, refund_account
from station.people.alike import person_of

TWO = 2  # people approve a correction after a payment
_NAMED = {HOUSE: said("the house"), CHARITY: said("charity")}


def due_account(serial: str) -> str:
    """Return the account for what a player is to bring back; its balance is below zero."""
    return f"{DUE}{serial}"


def named(account: str) -> Sentence:
    """Return what people call the account of the house, or of charity."""
    return _NAMED[account]


def pay(hall: Hall, act: Pay) -> Hall:
    """Return the night after all that a card won, and what is given back for it, was handed out.

    Raises:
        NotAllowed: nothing is owed, or another sum; lots must be drawn for it first; or it needs a
            second person.
    """
    serial, amount = act.serial, hall.owed(act.serial)
    wins, games = hall.unpaid(serial), hall.refunded_for(serial)
    if not (amount or wins):
        raise NotAllowed(
            HallReason.NOTHING_OWED,
            "card {serial} is owed nothing: look at the board for who has won",
            serial=serial,
        )
    _refuse_undecided(hall, serial)
    _refuse_other_sum(act, amount)
    _require_two(hall, act, amount)
    target = PURSES if act.means == "cash" else VOUCHERS
    moves = [(owed_account(serial), target, hall.ledger.of(owed_account(serial)))]
    moves += [(refund_account(game), target, hall.refunds[game].each) for game in games]
    place = hall.pack.place(serial) if games else 0
    return replace(
        hall,
        ledger=hall.ledger.after(moves),
        paid=hall.paid.union(win for win in wins if win not in hall.kept),
        kept=tuple(win for win in hall.kept if win.serial != serial),
        players={one: names for one, names in hall.players.items() if one != serial},
        refunds={**hall.refunds, **{game: hall.refunds[game].after(place) for game in games}},
        approvals=tuple(approval for approval in hall.approvals if approval.serial != serial),
    )


def _refuse_undecided(hall: Hall, serial: str) -> None:
    for stage in hall.last_sold.undecided if hall.last_sold is not None else ():
        if hall.last_sold is not None and serial in hall.last_sold.rivals(stage):
            raise NotAllowed(
                HallReason.LOTS,
                "card {serial}: several have won the thing for {stage}; let each draw a ball,"
                " enter them on the page /caller or with {loto} lots, then hand out",
                serial=serial,
                stage=Term(stage),
            )


def _refuse_other_sum(act: Pay | Approve, amount: int) -> None:
    if act.amount not in (None, amount):
        raise NotAllowed(
            HallReason.OTHER_SUM,
            "card {serial} is owed {owed} now, not {sum}: look at it again",
            serial=str(act.serial),
            owed=Sum(amount),
            sum=Sum(act.amount or 0),
        )


def _require_two(hall: Hall, act: Pay, amount: int) -> None:
    limit = hall.programme.approve_above
    if limit is None or amount <= limit:
        return
    of_two: dict[str, Value] = {"serial": act.serial, "sum": Sum(amount), "limit": Sum(limit)}
    if act.who is None:
        raise NotAllowed(
            HallReason.SECOND_PERSON,
            "card {serial}: {sum} is above {limit}, so two people answer for it: say who pays, and"
            " let another approve it",
            **of_two,
        )
    person = person_of(act.who)
    if not any(
        (one.about, one.serial, one.amount) == ("pay", act.serial, amount) and one.person != person
        for one in hall.approvals
    ):
        raise NotAllowed(
            HallReason.SECOND_PERSON,
            "card {serial}: {sum} is above {limit}, so two people answer for it: let another than"
            " {who} approve this sum, then pay",
            who=act.who,
            **of_two,
        )


def approve(hall: Hall, act: Approve) -> Hall:
    """Return the night after somebody agreed to what needs a second person.

    Raises:
        NotAllowed: no approval is needed, another sum is owed, or this person has agreed already.
    """
    approval = _approval_to_pay(hall, act) if act.about == "pay" else _approval_to_undo(hall, act)
    for other in hall.approvals:
        if replace(other, who=approval.who) == approval and other.person == approval.person:
            raise NotAllowed(
                HallReason.SECOND_PERSON,
                "{who} has approved this already: it takes another person",
                who=act.who,
            )
    # An approval of another sum for the same card is void.
    kept = (
        other
        for other in hall.approvals
        if other.serial != approval.serial or other.amount == approval.amount
    )
    return replace(hall, approvals=(*kept, approval))


def _approval_to_pay(hall: Hall, act: Approve) -> Approval:
    limit, serial = hall.programme.approve_above, act.serial
    amount = hall.owed(serial) if serial is not None else 0
    if serial is None or limit is None or amount <= limit:
        why, rule = said("say which card's"), said("and no sum needs it in this programme")
        if serial is not None:
            why = said("card {serial} is owed {sum}", serial=serial, sum=Sum(amount))
        if limit is not None:
            rule = said("only sums above {limit} need it", limit=Sum(limit))
        raise NotAllowed(
            HallReason.NOTHING_TO_APPROVE,
            "there is no payment to approve: {why}, {rule}",
            why=why,
            rule=rule,
        )
    _refuse_other_sum(act, amount)
    return Approval("pay", act.who, serial, amount)


def _approval_to_undo(hall: Hall, act: Approve) -> Approval:
    if not paid_on_last(hall):
        raise NotAllowed(
            HallReason.NOTHING_TO_APPROVE,
            "nothing was paid for the last call: it can be taken back without an approval",
        )
    return Approval("undo", act.who)


def paid_on_last(hall: Hall) -> list[str]:
    """Return the cards that were paid for a win on the last call of the open game."""
    game = hall.sold
    calls = len(game.called) if game is not None else None
    return sorted({win.serial for win in hall.paid if win.calls == calls})


def require_two_to_undo(hall: Hall) -> None:
    """Check that two people have approved, where a call that was paid for is taken back.

    Raises:
        NotAllowed: it was paid for, and an approval is missing.
    """
    agreed = {approval.person for approval in hall.approvals if approval.about == "undo"}
    if (paid := paid_on_last(hall)) and len(agreed) < TWO:
        number = hall.sold.called[-1] if hall.sold is not None else 0
        raise NotAllowed(
            HallReason.PAID,
            "card {serial} was paid for the last call, {number}: money never moves back by"
            " itself; two people approve the correction first ({agreed} of {two} did), then the"
            " player brings it back",
            serial=paid[0],
            number=number,
            agreed=len(agreed),
            two=TWO,
        )


def redeem(hall: Hall, act: Redeem) -> Hall:
    """Return the night after vouchers were changed into cash.

    Raises:
        NotAllowed: fewer vouchers are out.
    """
    out = hall.ledger.of(VOUCHERS)
    if act.amount > out:
        raise NotAllowed(
            HallReason.VOUCHERS,
            "vouchers for {sum}: only {out} are out; look at them again",
            sum=Sum(act.amount),
            out=Sum(out),
        )
    return replace(hall, ledger=hall.ledger.move(VOUCHERS, PURSES, act.amount))


def recover(hall: Hall, act: Recover) -> Hall:
    """Return the night after a player brought something back.

    Raises:
        NotAllowed: less is due from him.
    """
    account = due_account(act.serial)
    due = -hall.ledger.of(account)
    if not due:
        raise NotAllowed(
            HallReason.NOTHING_DUE,
            "card {serial} has nothing to bring back: look at the accounts",
            serial=act.serial,
        )
    if act.amount > due:
        raise NotAllowed(
            HallReason.TOO_MUCH,
            "card {serial} has {due} to bring back, not {sum}: take no more",
            serial=act.serial,
            due=Sum(due),
            sum=Sum(act.amount),
        )
    return replace(hall, ledger=hall.ledger.move(PURSES, account, act.amount))


def bank(hall: Hall, act: Bank) -> Hall:
    """Return the night after money left the house or charity; below zero: the house brought some.

    Raises:
        NotAllowed: the account holds less, the sum is 0, or charity was to bring money.
    """
    if act.amount <= 0 and (act.account != HOUSE or not act.amount):
        raise NotAllowed(
            HallReason.TOO_MUCH,
            "{sum} for {account}: say how much leaves; only the house brings money",
            sum=Sum(act.amount),
            account=named(act.account),
        )
    if act.amount < 0:
        return replace(hall, ledger=hall.ledger.move(PURSES, HOUSE, -act.amount))
    if act.amount > (there := hall.ledger.of(act.account)):
        raise NotAllowed(
            HallReason.TOO_MUCH,
            "{account} has {there}, {sum} cannot leave: take {most} at most",
            account=named(act.account),
            there=Sum(there),
            sum=Sum(act.amount),
            most=Sum(max(there, 0)),
        )
    return replace(hall, ledger=hall.ledger.move(act.account, PURSES, act.amount))
