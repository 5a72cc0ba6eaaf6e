"""Define the commands for money: sell and return cards, count takings, pay, show all accounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

import typer
from rich.table import Column, Table

from station.base.errors import EXIT_DONE, EXIT_NO
from station.base.terminal import out
from station.base.tongue import heads, key, number_of, tr
from station.commands.options import HERE, JSON, STATE, YES, Commands, argument, option
from station.commands.tools import Where, ask, print_json, recorded, tell, the_hall_s_money
from station.views.money_text import Currency, read_sum

commands = Commands()
NOBODY = key("no name")
MOVED = {
    ("house", False): key("{sum} of the house went out"),
    ("house", True): key("{sum} of the house came in"),
    ("charity", False): key("{sum} of the charity went out"),
    ("charity", True): key("{sum} of the charity came in"),
}
CARDS: TypeAlias = Annotated[
    list[str] | None,
    argument("Serials, with or without check characters, codes and ranges: 0001-0060 0075."),
]
TICKETS: TypeAlias = Annotated[
    int, option("So many cards from elsewhere, which the station does not know.", min=0)
]
SUM: TypeAlias = Annotated[str, argument("A sum as the hall writes it: 12.50.")]
WHO: TypeAlias = Annotated[str | None, option("Who pays; asked for above the programme's sum.")]


@commands.command()
def sell(
    cards: CARDS = None,
    to: Annotated[str | None, option("The buyer. Without it the name stays empty.")] = None,
    by: Annotated[str | None, option("Who sells.")] = None,
    games: Annotated[int, option("For how many games, from the next one on.", min=1, max=200)] = 1,
    tickets: TICKETS = 0,
    vouchers: Annotated[str | None, option("How much of the price is paid with vouchers.")] = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Sell cards for the coming games: all of them or none.

    Example: loto sell 0001-0006 --to Anna --games 3
    Example: loto sell 0001-0060 0075 --by Ben  (Ben goes round with them; return brings the rest)
    Example: loto sell --tickets 40             (bought elsewhere; they claim by their numbers)
    Example: loto sell 0007 --vouchers 2.50
    """
    chosen = _chosen(where, cards, tickets)
    before = ask(where, "money")
    currency = Currency(**before["currency"])
    paid = read_sum(vouchers, currency) if vouchers is not None else None
    seq = tell(where, "sell", **_as_act(chosen, tickets), to=to, by=by, games=games, vouchers=paid)
    price = sum(chosen["prices"][:games]) * (chosen["count"] + tickets)
    what, for_games = _what(chosen, tickets), number_of(games, "game")
    if to:
        sold = tr("{what} sold to {whom} for {games}", what=what, whom=to, games=for_games)
    else:
        sold = tr("{what} sold for {games}", what=what, games=for_games)
    sum_ = currency.text(price)
    if paid:
        part = currency.text(paid)
        sum_ = tr("{sum}, {part} of it paid by voucher", sum=sum_, part=part)
    recorded(f"{sold} ({_which(before, games)}): {sum_}", seq, as_json)


@commands.command("return")
def give_back(
    cards: CARDS = None,
    by: Annotated[str | None, option("The seller. Without it the name stays empty.")] = None,
    tickets: TICKETS = 0,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Take sold cards back before their game opens: their price for the games still to come is
    given back.

    Example: loto return 0040-0060 --by Ben
    """
    chosen, before = _chosen(where, cards, tickets), ask(where, "money")
    seq = tell(where, "return", **_as_act(chosen, tickets), by=by)
    price = before["cash"] - ask(where, "money")["cash"]
    say = tr(
        "{what} taken back, from game {number} on: {sum} to give back",
        what=_what(chosen, tickets),
        number=before["next"]["number"],
        sum=Currency(**before["currency"]).text(price),
    )
    recorded(say, seq, as_json)


@commands.command()
def count(
    by: Annotated[str, argument('The seller; "no name" for sales without a seller\'s name.')],
    amount: Annotated[str, argument("What was handed in since the last count: 120.00.")],
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Count a seller's takings, and say what is missing or too much.

    Example: loto count Ben 120.00
    Example: loto count "no name" 30.00    (cards sold without --by)
    """
    currency = the_hall_s_money(where)
    counted = read_sum(amount, currency)
    expected = {one["name"]: one["expected"] for one in ask(where, "money")["sellers"]}
    # What the table calls them is typed, unless somebody is called so.
    nobody = by not in expected and by.casefold() in {NOBODY, tr(NOBODY).casefold()}
    name = None if nobody else by
    seq = tell(where, "count-cash", by=name, amount=counted)
    difference = _difference(currency, counted, expected.get(name, 0))
    recorded(f"{name or tr(NOBODY)}: {difference}", seq, as_json)


def _difference(currency: Currency, counted: int, expected: int) -> str:
    said = tr(
        "{counted} counted, {expected} expected",
        counted=currency.text(counted),
        expected=currency.text(expected),
    )
    off = currency.text(abs(counted - expected))
    if counted == expected:
        verdict = tr("it agrees")
    elif counted > expected:
        verdict = tr("{sum} too much", sum=off)
    else:
        verdict = tr("{sum} missing", sum=off)
    return f"{said}: {verdict}"


@commands.command()
def pay(
    serial: Annotated[
        str, argument("The card's serial or code; of a ticket the name the station gave it.")
    ],
    voucher: Annotated[
        bool, option("As a voucher that pays for cards later, not in cash.", "--voucher")
    ] = False,
    who: WHO = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Hand out all that a card has won, or is given back for it when its game was broken.

    Example: loto pay 0007
    Example: loto pay ticket-3-1 --who Ben
    """
    currency, owed = the_hall_s_money(where), ask(where, "owed", serial=serial)
    serial, amount, means = owed["serial"], owed["amount"], "voucher" if voucher else None
    seq = tell(where, "pay", serial=serial, means=means, who=who, amount=amount)
    sum_ = currency.text(amount)
    how = tr("{sum} as a voucher", sum=sum_) if voucher else tr("{sum} in cash", sum=sum_)
    handed = _and([*([how] if amount else []), *owed["things"]]) or tr("nothing")
    if owed["holder"]:
        said = tr("{what} handed out to {whom}", what=handed, whom=owed["holder"])
    else:
        said = tr("{what} handed out", what=handed)
    recorded(f"{tr('card {serial}', serial=serial)}: {said}", seq, as_json)


@commands.command()
def approve(
    who: Annotated[str, option("Who agrees; for a payment another than the one who pays.")],
    serial: Annotated[str | None, argument("The card whose payment is agreed to.")] = None,
    undo: Annotated[
        bool, option("Agree that the last call is taken back though it was paid for.", "--undo")
    ] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Agree, as the second person, to a payment above the programme's sum; or to a correction after
    a payment.

    Example: loto approve 0007 --who Carla
    Example: loto approve --undo --who Carla
    """
    if (serial is None) is not undo:
        raise typer.BadParameter(
            tr("approve needs either a card's serial or --undo: ./loto approve 0007 --who Carla")
        )
    if serial is None:
        seq = tell(where, "approve", about="undo", who=who)
        agreed = ask(where, "money")["correction"]["approved"]
        said = tr("{who} agrees to the correction, {count} of 2 people", who=who, count=len(agreed))
        recorded(said, seq, as_json)
        return
    currency, owed = the_hall_s_money(where), ask(where, "owed", serial=serial)
    serial, amount = owed["serial"], owed["amount"]
    seq = tell(where, "approve", serial=serial, who=who, amount=amount)
    sum_ = currency.text(amount)
    said = tr("{who} agrees to {sum} for card {serial}", who=who, sum=sum_, serial=serial)
    recorded(said, seq, as_json)


@commands.command()
def redeem(amount: SUM, where: STATE = HERE, as_json: JSON = False) -> None:
    """Change vouchers back into cash.

    Example: loto redeem 5.00
    """
    currency = the_hall_s_money(where)
    units = read_sum(amount, currency)
    seq = tell(where, "redeem", amount=units)
    recorded(tr("{sum} in cash for vouchers", sum=currency.text(units)), seq, as_json)


@commands.command()
def recover(
    serial: Annotated[str, argument("The card it was paid for.")],
    amount: SUM,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Take back what was paid for a call that was taken back later.

    Example: loto recover 0007 12.50
    """
    currency = the_hall_s_money(where)
    units, owed = read_sum(amount, currency), ask(where, "owed", serial=serial)
    seq = tell(where, "recover", serial=owed["serial"], amount=units)
    sum_ = currency.text(units)
    back = tr("card {serial}: {sum} came back", serial=owed["serial"], sum=sum_)
    recorded(back, seq, as_json)


@commands.command()
def bank(
    account: Annotated[Literal["house", "charity"], argument("Whose money it is.")],
    amount: SUM,
    bring: Annotated[bool, option("The house brings it into the hall.", "--bring")] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Take money of the house or of charity out of the hall; or bring some of the house's.

    Example: loto bank charity 80.00
    Example: loto bank house 100.00 --bring
    """
    currency = the_hall_s_money(where)
    units = read_sum(amount, currency)
    seq = tell(where, "bank", account=account, amount=-units if bring else units)
    recorded(tr(MOVED[account, bring], sum=currency.text(units)), seq, as_json)


@commands.command("break")
def break_game(
    why: Annotated[str, option("The reason, which is recorded.")],
    yes: YES = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """End a game that cannot go on: what was paid for the prizes that nobody has won is given back.

    Example: loto break --why "the light went out"
    """
    seq = tell(where, "break", yes=yes, why=why)
    currency, told = the_hall_s_money(where), ask(where, "money")
    recorded(tr("The game is broken"), seq, as_json, refunds=told["refunds"])
    for refund in () if as_json else told["refunds"]:
        out.print(_refund(currency, refund))


@commands.command("skip")
def skip_game(
    why: Annotated[str, option("The reason, which is recorded.")],
    yes: YES = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Skip the next game, for example one that cannot open: what was paid for its cards is given
    back.

    Example: loto skip --why "two players are too few"
    """
    seq = tell(where, "skip", yes=yes, why=why)
    currency, told = the_hall_s_money(where), ask(where, "money")
    recorded(tr("The next game is skipped"), seq, as_json, refunds=told["refunds"])
    for refund in () if as_json else told["refunds"]:
        out.print(_refund(currency, refund))


@commands.command()
def money(where: STATE = HERE, as_json: JSON = False) -> None:
    """Show what everybody has: the house, charity, the jackpot, the sellers; and what is owed to
    whom.

    Example: loto money
    Example: loto money --json        (sums in the smallest unit)
    """
    told = ask(where, "money")
    if as_json:
        print_json(told)
        return
    currency = Currency(**told["currency"])
    right = Column(justify="right")
    accounts = Table(Column(), right, show_header=False, box=None, padding=(0, 2, 0, 0))
    for said, units in _accounts(told):
        accounts.add_row(said, currency.text(units))
    out.print(accounts)
    for owed in told["owed"]:
        out.print(_owed(currency, owed))
    for refund in told["refunds"]:
        out.print(_refund(currency, refund))
    for due in told["due"]:
        sum_ = currency.text(due["amount"])
        out.print(tr("card {serial} has {sum} to bring back", serial=due["serial"], sum=sum_))
    if told["sellers"]:
        out.print(_sellers(currency, told["sellers"]))
    raise typer.Exit(EXIT_DONE if told["total"] == 0 else EXIT_NO)


def _accounts(told: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the accounts in a treasurer's words, without empty ones except cash and house."""
    game, coming = told["game"], told["next"]
    found = [
        (tr("cash in hand"), told["cash"]),
        (tr("club funds"), told["house"]),
    ]
    more = [
        (tr("charity"), told["charity"]),
        (tr("the jackpot"), told["jackpot"]),
        (tr("carried to the next game"), told["carried"]),
        (tr("vouchers not used yet"), told["vouchers"]),
    ]
    if game:
        more.append((tr("prizes left of game {number}", number=game["number"]), game["prizes"]))
    if coming:
        number, pot = coming["number"], coming["pot"]
        more.append((tr("prizes of game {number}, as sold", number=number), pot))
    return [*found, *((said, units) for said, units in more if units)]


def _owed(currency: Currency, owed: Mapping[str, Any]) -> str:
    what = [*([currency.text(owed["amount"])] if owed["amount"] else []), *owed["things"]]
    holder = f" ({owed['holder']})" if owed["holder"] else ""
    said = tr(
        "card {serial}{holder} is owed {what}",
        serial=owed["serial"],
        holder=holder,
        what=_and(what),
    )
    if owed["needs_approval"] and owed["approved"]:
        said = tr("{what}, approved by {whom}", what=said, whom=_and(owed["approved"]))
    elif owed["needs_approval"]:
        said = tr("{what}, and another person approves it", what=said)
    if not owed["lots"]:
        return said
    things = _and(owed["lots"])
    return tr("{what}; lots are to be drawn first for {things}", what=said, things=things)


def _and(parts: Sequence[str]) -> str:
    return tr(" and ").join(parts)


def _refund(currency: Currency, refund: Mapping[str, Any]) -> str:
    cards, each = number_of(refund["cards"], "card"), currency.text(refund["each"])
    return tr(
        "game {game} was broken: {cards} to get {each} each, by loto pay",
        game=refund["game"],
        cards=cards,
        each=each,
    )


def _sellers(currency: Currency, sellers: list[dict[str, Any]]) -> Table:
    columns = ("sold", "returned", "vouchers", "counted", "difference", "expected")
    named = heads("sold", "returned", "vouchers", "counted", "difference", "to hand in")
    sums = [[currency.text(seller[column]) for seller in sellers] for column in columns]
    # In a narrow terminal a head may be shortened, a sum never.
    headed = (
        Column(head, justify="right", min_width=max(map(len, texts)))
        for head, texts in zip(named, sums, strict=True)
    )
    table = Table(tr("seller"), *headed, title=tr("sellers"), title_justify="left")
    for seller, *told in zip(sellers, *sums, strict=True):
        table.add_row(seller["name"] or tr(NOBODY), *told)
    return table


# -- words -----------------------------------------------------------------------------------------


def _chosen(where: Where, cards: list[str] | None, tickets: int) -> dict[str, Any]:
    if not cards and not tickets:
        raise typer.BadParameter(
            tr("which cards? Name serials or ranges, 0001-0006 0010, or --tickets 40")
        )
    return ask(where, "cards", words=cards or [])


def _which(before: Mapping[str, Any], games: int) -> str:
    """Return for which games cards were sold: one that is open is not among them."""
    first = before["next"]["number"]
    last = first + games - 1
    if games == 1:
        return tr("game {number}", number=first)
    return tr("games {first} to {last}", first=first, last=last)


def _as_act(chosen: Mapping[str, Any], tickets: int) -> dict[str, Any]:
    serials, ranges = chosen["serials"], chosen["ranges"] or None
    return {"serials": serials, "ranges": ranges, "tickets": tickets or None}


def _what(chosen: Mapping[str, Any], tickets: int) -> str:
    cards, more = chosen["count"], tickets
    sold = [number_of(cards, "card")] if cards else []
    return _and([*sold, *([number_of(more, "ticket")] if more else [])])
