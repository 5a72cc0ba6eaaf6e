"""Report the money of a night as tables: sales, sellers, payments, every account. Pure.

Beside games it lists census, self-test, approvals and lots. Sums are not calculated again: each is
what a line moved from account to account, as the journal says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any, NamedTuple

from station.base.tongue import Tongue, key, tr
from station.night.acts import Census, parse_act
from station.night.readiness import census_faults
from station.paper.reports.record import NOT_PAID, NightRecord, moment
from station.paper.reports.sheets import (
    AMOUNT,
    AT,
    BY,
    LINE,
    SERIAL,
    WHAT,
    Kind,
    Row,
    SheetColumn,
    Table,
    table,
)
from station.wire.wording.refusals import load_refusals

WAIVED = {"census": key("census"), "faults": key("faults"), "words": key("the hall's words")}


def events(record: NightRecord) -> Table:
    """Return every census and test, every fault, and all other acts but those of play, in order."""
    rows = []
    for stamp, do, _ in record.acts:
        if found := _event(do):
            rows.append((moment(stamp), *found, stamp.by, stamp.seq))
    title = tr("Census, self-test, faults and what else happened")
    columns = (AT, SheetColumn(key("about")), WHAT, BY, LINE)
    return table("events", title, columns, rows, "" if rows else tr("Nothing besides the games."))


def _event(do: Mapping[str, object]) -> tuple[str, str] | None:
    match do["act"]:
        case "note":
            return str(do["about"]), str(do["what"])
        case "census":
            act = parse_act(do)
            faults = census_faults(act) if isinstance(act, Census) else ()
            told = "; ".join(fault.told(load_refusals(Tongue.code)) for fault in faults)
            return tr("census"), told or tr("ninety of ninety")
        case "self-test":
            parts = do["parts"] if isinstance(do["parts"], list) else []
            failed = ", ".join(str(part["what"]) for part in parts if part["result"] == "fault")
            passed = tr("passed, {count} parts", count=len(parts))
            return tr("self-test"), tr("a fault in {parts}", parts=failed) if failed else passed
        case "waive":
            about = WAIVED[str(do.get("about", "census"))]
            return tr("waived"), f"{tr(about)}: {do['who']}: {do['why']}"
        case "mix" | "renew" | "commit":
            return _of_luck(do)
        case "break" | "skip" as act:
            return tr("abandoned" if act == "break" else "skipped"), str(do["why"])
        case "approve":
            payment = do.get("about", "pay") == "pay"
            if payment:
                told = tr("payment to card {serial}, by {who}", serial=do["serial"], who=do["who"])
            else:
                told = tr("a correction after a payment, by {who}", who=do["who"])
            return tr("approved"), told
        case "lots":
            knobs = do["knobs"] if isinstance(do["knobs"], list) else []
            drawn = ", ".join(
                tr("card {serial} drew {knob}", serial=serial, knob=knob) for serial, knob in knobs
            )
            return tr("lots"), f"{do['stage']}: {drawn}"
    return None


def _of_luck(do: Mapping[str, object]) -> tuple[str, str]:
    if do["act"] == "mix":
        return tr("the hall's words"), str(do["words"])
    luck = do.get("luck")
    what, said = (tr("the table"), luck) if isinstance(luck, Mapping) else (tr("the bag"), do)
    return what, tr("the rest was committed to anew, as epoch {epoch}", epoch=said["epoch"])


# -- money -----------------------------------------------------------------------------------------

NOBODY = key("no name")
TYPED = key("typed")
# What accounts are called; those of one game or one card are one account each, by what stands
# before the colon.
ACCOUNTS: Mapping[str, str] = {
    "purses": key("players (balancing entry)"),
    "game": key("stakes and prizes of the games"),
    "owed": key("won or owed, not paid"),
    "due": key("to be returned by players"),
    "refund": key("refunds for abandoned games"),
    "carried": key("carried to the next game"),
    "jackpot": key("jackpot"),
    "vouchers": key("vouchers outstanding"),
    "house": key("club funds (minus: what they guarantee)"),
    "charity": key("charity"),
}
OWED = {
    "owed": key("won"),
    "refund": key("abandoned game, cards"),
    "due": key("to be returned"),
}
OF_TICKETS = key("abandoned game, tickets")
MEANS = {"cash": key("cash"), "voucher": key("voucher")}
PROOFS = (key("device"), key("pin"))
BANKED = {"house": key("house"), "charity": key("charity"), "jackpot": key("jackpot")}
BALANCED = key("Debits equal credits: all accounts together began and ended with nothing.")
UNBALANCED = key(
    "THIS DOES NOT BALANCE: keep the state folder as it is, and ask who looks after the station."
)


def by_line(record: NightRecord) -> Mapping[int, Mapping[str, int]]:
    """Return what each line moved, by account."""
    found: dict[int, dict[str, int]] = {}
    for moved in record.movements:
        found.setdefault(moved.stamp.seq, {})[moved.account] = moved.units
    return found


def _games(moved: Mapping[str, int]) -> int:
    """Return what a sale paid into the games, or a return took out of them."""
    return sum(units for account, units in moved.items() if account.startswith("game:"))


# -- the treasurer's figures -----------------------------------------------------------------------


def summary(record: NightRecord) -> Table:
    """Return the figures that a treasurer reads first.

    Takings, payments and cash always have a row; other sums only if they are not zero.
    """
    ended, paid, takings, vouchers = _by_kind(record.ended.items()), 0, 0, 0
    moved = by_line(record)
    for stamp, do, _ in record.acts:
        money = moved.get(stamp.seq, {})
        match do["act"]:
            case "sell" | "return":
                takings += _games(money)
                vouchers -= money.get("vouchers", 0)
            case "pay":
                kinds = _by_kind(money.items())
                paid -= kinds["owed"] + kinds["refund"]
    sums = (
        (tr("takings"), takings, True),
        (tr("of the takings in vouchers"), vouchers, False),
        (tr("prizes and refunds paid"), paid, True),
        (tr("still to be paid"), ended["owed"] + ended["refund"], False),
        (tr("still to be returned by players"), -ended["due"], False),
        (tr("cash in hand"), -ended["purses"], True),
        (tr("charity"), ended["charity"], False),
        (tr("club funds"), ended["house"], False),
        (tr("jackpot"), ended["jackpot"], False),
        (tr("carried to the next game"), ended["carried"], False),
        (tr("stakes and prizes of games not over"), ended["game"], False),
        (tr("vouchers not used yet"), ended["vouchers"], False),
    )
    rows = [(name, units) for name, units, always in sums if units or always]
    return table("summary", tr("Money at a glance"), (WHAT, AMOUNT), rows)


# -- sales -----------------------------------------------------------------------------------------


def sales(record: NightRecord) -> Table:
    """Return every sale and return, in order."""
    columns = (
        AT,
        WHAT,
        SheetColumn(key("cards")),
        SheetColumn(key("tickets"), kind=Kind.NUMBER),
        SheetColumn("games", key("for games")),
        SheetColumn("holder", key("to")),
        SheetColumn(key("seller")),
        SheetColumn(key("price"), kind=Kind.MONEY),
        SheetColumn("vouchers", key("in vouchers"), Kind.MONEY),
        SheetColumn("by", key("recorded by")),
        LINE,
    )
    rows, moved, opened = [], by_line(record), 0
    for stamp, do, _ in record.acts:
        opened += do["act"] in ("open", "skip")
        if do["act"] not in ("sell", "return"):
            continue
        sold = do["act"] == "sell"
        games = _range(opened + 1, opened + do.get("games", 1)) if sold else ""
        cards = ", ".join([*do.get("serials", ()), *starmap(_range, do.get("ranges", ()))])
        what = (
            moment(stamp),
            tr("sold") if sold else tr("returned"),
            cards,
            do.get("tickets", 0),
            games,
        )
        money = moved.get(stamp.seq, {})
        price = _games(money), -money.get("vouchers", 0)
        who = do.get("to") or "", do.get("by") or tr(NOBODY)
        rows.append((*what, *who, *price, stamp.by, stamp.seq))
    return table("sales", tr("Sales"), columns, rows, "" if rows else tr("Nothing was sold."))


def _range(first: object, last: object) -> str:
    return str(first) if first == last else tr("{first} to {last}", first=first, last=last)


@dataclass
class _Takings:
    sold: int = 0
    returned: int = 0
    vouchers: int = 0
    counted: int = 0
    counts: int = 0
    difference: int = 0

    @property
    def expected(self) -> int:
        """Return the cash that the seller should have, since the first line."""
        return self.sold - self.returned - self.vouchers


def sellers(record: NightRecord) -> Table:
    """Return what each seller took, gave back and handed in."""
    takings: dict[str, _Takings] = {}
    moved = by_line(record)
    for stamp, do, _ in record.acts:
        if do["act"] not in ("sell", "return", "count-cash"):
            continue
        mine = takings.setdefault(do.get("by") or tr(NOBODY), _Takings())
        money = moved.get(stamp.seq, {})
        match do["act"]:
            case "sell":
                mine.sold += _games(money)
                mine.vouchers -= money.get("vouchers", 0)
            case "return":
                mine.returned -= _games(money)
            case _:
                mine.counted += do["amount"]
                mine.counts += 1
                mine.difference = mine.counted - mine.expected
    columns = (
        SheetColumn(key("seller")),
        SheetColumn(key("sold"), kind=Kind.MONEY),
        SheetColumn(key("returned"), kind=Kind.MONEY),
        SheetColumn("vouchers", key("in vouchers"), Kind.MONEY),
        SheetColumn("expected", key("cash expected"), Kind.MONEY),
        SheetColumn(key("counted"), kind=Kind.MONEY),
        SheetColumn(key("counts"), kind=Kind.NUMBER),
        SheetColumn(key("difference"), kind=Kind.MONEY),
        SheetColumn("uncounted", key("not counted yet"), Kind.MONEY),
    )
    rows: list[Row] = []
    for name, one in sorted(takings.items()):
        taken = one.sold, one.returned, one.vouchers, one.expected, one.counted, one.counts
        uncounted = one.expected - one.counted + one.difference
        rows.append((name, *taken, one.difference if one.counts else None, uncounted))
    return table("sellers", tr("Sellers"), columns, rows, "" if rows else tr("Nobody sold."))


# -- what was handed out ---------------------------------------------------------------------------


def payments(record: NightRecord) -> Table:
    """Return all that was handed out or taken in, apart from sales."""
    columns = (
        AT,
        WHAT,
        SERIAL,
        AMOUNT,
        SheetColumn(key("means")),
        SheetColumn("by", key("paid by")),
        SheetColumn("proof", key("proven by")),
        SheetColumn("approved", key("approved by")),
        SheetColumn("agreed", key("proven by")),
        LINE,
    )
    rows: list[Row] = []
    moved = by_line(record)
    agreed: dict[str, list[Approver]] = {}
    for stamp, do, _ in record.acts:
        if do["act"] == "approve" and do.get("about", "pay") == "pay":
            agreed.setdefault(do["serial"], []).append(agreed_by(do))
        elif paid := _paid(do, moved.get(stamp.seq, {})):
            serial = do.get("serial", "")
            who = do.get("who") or stamp.by
            proof = proof_of(do) if do.get("who") else ""
            others = agreed.pop(serial, []) if do["act"] == "pay" else []
            what, amount, means = paid
            row = (
                *(moment(stamp), what, serial, amount, tr(MEANS.get(means, means))),
                *(who, tr(proof), *in_cells(others)),
            )
            rows.append((*row, stamp.seq))
    note = "" if rows else tr("Nothing was paid out.")
    return table("payments", tr("Payments"), columns, rows, note)


class Approver(NamedTuple):
    """A person who approved something, and the proof of identity."""

    who: str
    proof: str


def proof_of(do: Mapping[str, Any]) -> str:
    """Return how a line's person is proven: "device" or "pin"; empty for a name that was typed."""
    return str(do.get("proof") or "")


def agreed_by(do: Mapping[str, Any]) -> Approver:
    """Return who agreed in the line of an approval."""
    return Approver(do["who"], proof_of(do))


def in_cells(agreed: Iterable[Approver]) -> tuple[str, str]:
    """Return the names of those who agreed, and how each is proven; nothing if all were typed."""
    some = list(agreed)
    proven = any(one.proof for one in some)
    proofs = ", ".join(tr(one.proof or TYPED) for one in some) if proven else ""
    return ", ".join(one.who for one in some), proofs


def _paid(do: Mapping[str, Any], moved: Mapping[str, int]) -> tuple[str, int, str] | None:
    """Return what was paid, how much, and by which means; None if the line is no payment."""
    match do["act"]:
        case "pay":
            kinds = _by_kind(moved.items())
            what = tr("refund") if "refund" in kinds else tr("prize")
            return what, -(kinds["owed"] + kinds["refund"]), do.get("means", "cash")
        case "redeem":
            return tr("vouchers redeemed"), do["amount"], "cash"
        case "recover":
            return tr("returned by a player"), -do["amount"], "cash"
        case "bank":
            way = tr("taken out") if do["amount"] > 0 else tr("brought in")
            account = do["account"]
            return f"{tr(BANKED.get(account, account))}: {way}", do["amount"], "cash"
    return None


def owed(record: NightRecord) -> Table:
    """Return what is still to be handed out, or brought back, at the last line."""
    rows: list[Row] = []
    for account, units in record.ended.items():
        kind, _, whose = account.partition(":")
        if kind in OWED:
            what = tr(OF_TICKETS if whose.startswith("tickets-") else OWED[kind])
            named = tr("game {number}", number=whose) if kind == "refund" else whose
            rows.append((what, named, abs(units), ""))
    for win in (win for game in record.games for win in game.won if win.thing):
        if record.state_of(win) == NOT_PAID:
            rows.append((tr("thing"), win.serial, None, win.thing))
    columns = (WHAT, SERIAL, AMOUNT, SheetColumn(key("thing")))
    note = "" if rows else tr("All prizes have been paid.")
    return table("owed", tr("Still to be paid or returned"), columns, rows, note)


# -- accounts --------------------------------------------------------------------------------------


def accounts(record: NightRecord) -> Table:
    """Return every kind of account: at the first line, what came and went, at the last line."""
    began, ended = _by_kind(record.began.items()), _by_kind(record.ended.items())
    came = _by_kind((moved.account, moved.units) for moved in record.movements if moved.units > 0)
    went = _by_kind((moved.account, -moved.units) for moved in record.movements if moved.units < 0)
    sums = began, came, went, ended
    kinds = [kind for kind in ACCOUNTS if any(kind in some for some in sums)]
    rows: list[Row] = [(tr(ACCOUNTS[kind]), *(some[kind] for some in sums)) for kind in kinds]
    total = [some.total() for some in sums]
    rows.append((tr("all accounts"), *total))
    balanced = total[0] == total[3] == 0 and total[1] == total[2]
    note = tr(BALANCED if balanced else UNBALANCED)
    columns = (
        SheetColumn(key("account")),
        SheetColumn("began", key("at the beginning"), Kind.MONEY),
        SheetColumn(key("in"), kind=Kind.MONEY),
        SheetColumn(key("out"), kind=Kind.MONEY),
        SheetColumn("ended", key("at the end"), Kind.MONEY),
    )
    return table("accounts", tr("Balance of the night"), columns, rows, note)


def _by_kind(sums: Iterable[tuple[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for account, units in sums:
        found[account.partition(":")[0]] += units
    return found


def movements(record: NightRecord) -> Table:
    """Return every movement of money, line by line: the movements of a line add up to zero."""
    columns = (LINE, AT, SheetColumn(key("act")), SheetColumn(key("account")), AMOUNT, BY)
    rows = [
        (one.stamp.seq, moment(one.stamp), one.act, one.account, one.units, one.stamp.by)
        for one in record.movements
    ]
    return table("movements", tr("Movements"), columns, rows)


ALL_TABLES = (sales, sellers, payments, owed, accounts, movements)
