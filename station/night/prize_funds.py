"""Divide a game's money: lay out the stakes at its opening, move the rest at its end. Pure.

The published rules, with a worked example, are in `docs/money.md`. Sums are whole minor units or
counters; what is divided is rounded down, and each rounding says where the odd units stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from station.base.nouns import HOUSE, Ledger
from station.programme.programme import WHOLE, GamePlan, Programme, Shares, hundredths
from station.rules.patterns import JACKPOT as WON_JACKPOT
from station.rules.prizes import PrizeState, Stage

CARRIED, CHARITY, JACKPOT, VOUCHERS = "carried", "charity", "jackpot", "vouchers"
Move = tuple[str, str, int]  # from, to, units


def stakes_account(game: int) -> str:
    """Return the account that holds a game's stakes and, once it is open, its prizes."""
    return f"game:{game}"


def owed_account(serial: str) -> str:
    """Return the account for what a card has won and was not handed out."""
    return f"owed:{serial}"


def refund_account(game: int) -> str:
    """Return the account for what is to be given back for the cards of a broken game."""
    return f"refund:{game}"


@dataclass(frozen=True)
class DividedStakes:
    """Where the stakes of a game went when it opened; stakes + carried + added = house + charity +
    jackpot + amounts.

    Attributes:
        stakes: what was paid for the game's cards and tickets.
        house: what the house took: its share, and the whole fund where all prizes are fixed.
        charity: its share.
        jackpot: the share that went to the rolling jackpot.
        carried: what joined the fund from earlier games.
        added: what the house added for fixed prizes and least sums.
        amounts: the stages' amounts, in order.
        played_for: the rolling jackpot in this game; 0 where it is not played for.
        made_up: how much of that came from the house.
    """

    stakes: int
    house: int
    charity: int
    jackpot: int
    carried: int
    added: int
    amounts: tuple[int, ...]
    played_for: int = 0
    made_up: int = 0

    @property
    def pool(self) -> int:
        """Return the sum of all prizes but the jackpot."""
        return sum(self.amounts)

    @cached_property
    def plain(self) -> bool:
        """Return whether the prizes are exactly the stakes and what was carried."""
        return not (self.house or self.charity or self.jackpot or self.added or self.played_for)

    def moves(self, game: int) -> tuple[Move, ...]:
        """Return the movements of money when the game opens."""
        pool = stakes_account(game)
        return (
            (CARRIED, pool, self.carried),
            (pool, HOUSE, self.house),
            (pool, CHARITY, self.charity),
            (pool, JACKPOT, self.jackpot),
            (HOUSE, pool, self.added),
            (HOUSE, JACKPOT, self.made_up),
            (JACKPOT, pool, self.played_for),
        )


NOTHING_DIVIDED = DividedStakes(0, 0, 0, 0, 0, 0, ())


def lay_out(
    plan: GamePlan, shares: Shares, stakes: int, carried: int, jackpot: int
) -> DividedStakes:
    """Return how a game's money is laid out.

    Args:
        shares: what is taken of the stakes first; each is rounded down.
        stakes: what was paid for the game.
        carried: what nobody won before; it stays carried where the game has no fund.
        jackpot: what the rolling jackpot holds.
    """
    house, charity, saved = (
        _part(stakes, share) for share in (shares.house, shares.charity, shares.jackpot)
    )
    # What players did not win in earlier games waits for a game with a fund: it does not belong to
    # the house.
    carried = carried if plan.has_fund else 0
    fund = stakes - house - charity - saved + carried
    amounts, added, left = _stages(plan, fund)
    played_for = made_up = 0
    if plan.jackpot is not None:
        made_up = max(plan.jackpot.least - (jackpot + saved), 0)
        played_for = jackpot + saved + made_up
    return DividedStakes(
        stakes, house + left, charity, saved, carried, added, amounts, played_for, made_up
    )


def _part(units: int, share: float) -> int:
    return units * hundredths(share) // WHOLE


def _stages(plan: GamePlan, fund: int) -> tuple[tuple[int, ...], int, int]:
    """Return the stages' amounts, what the house adds for them, and what it keeps of the fund."""
    plans = plan.plans
    amounts = [_part(fund, one.share) if one.share is not None else one.prize or 0 for one in plans]
    shared = [at for at, stage in enumerate(plans) if stage.share is not None]
    left = fund - sum(amounts[at] for at in shared)
    # The fund is used up by whoever takes the rest; without one, the odd units go to the last
    # share.
    takes_left = [at for at, stage in enumerate(plans) if stage.rest] or shared[-1:]
    for at in takes_left:
        amounts[at] += left
    amounts = [max(amount, stage.least) for amount, stage in zip(amounts, plans, strict=True)]
    kept = 0 if takes_left else fund
    return tuple(amounts), sum(amounts) - (fund - kept), kept


def stages_of(plan: GamePlan, layout: DividedStakes) -> tuple[Stage, ...]:
    """Return the stages as the rules play them, with their amounts."""
    named = zip(plan.keys, plan.plans, layout.amounts, strict=True)
    return tuple(Stage(key, stage.wanted(), amount, stage.thing) for key, stage, amount in named)


def at_close(
    programme: Programme, layout: DividedStakes, game: PrizeState, number: int, left: int
) -> tuple[Move, ...]:
    """Return the movements of what a game's pool holds when the game is closed.

    A jackpot that was not won goes back whole. What nobody won goes where the programme says
    (`unwon`). Where every stage was won only odd units are left, and they go where the programme
    says of those (`odd`).

    Args:
        number: the game's number in the night.
        left: what the pool holds.
    """
    pool = stakes_account(number)
    back = 0 if _jackpot_won(game) else layout.played_for
    where = {"lowest": CARRIED, "carry": CARRIED, "house": HOUSE, "charity": CHARITY}
    rest = where[programme.unwon if game.unwon else programme.odd]
    return (pool, JACKPOT, back), (pool, rest, left - back)


class Broken(NamedTuple):
    """The result of breaking off a game: movements, and what each card and ticket gets back."""

    moves: tuple[Move, ...]
    each: int


def at_break(layout: DividedStakes, game: PrizeState, number: int, ledger: Ledger) -> Broken:
    """Return the result of breaking off a game: what was paid for unwon prizes is given back.

    Each card and ticket gets that part of its price, rounded down. House, charity and jackpot give
    that part of what they took, rounded up, and get that part of what was carried or added back,
    rounded down; the odd units left then are carried.

    Args:
        number: the game's number in the night.
    """
    part, whole = _unwon_part(game)
    pool = stakes_account(number)
    cards, tickets = len(game.setup.cards), game.setup.tickets
    each = layout.stakes // (cards + tickets) * part // whole if cards + tickets else 0
    house, charity, saved = (
        -(-units * part // whole) for units in (layout.house, layout.charity, layout.jackpot)
    )
    added, carried = layout.added * part // whole, layout.carried * part // whole
    back, made_up = (0, 0) if _jackpot_won(game) else (layout.played_for, layout.made_up)
    # The house puts up what charity has banked meanwhile, and what a jackpot that was won no longer
    # holds.
    from_charity = min(charity, ledger.of(CHARITY))
    from_jackpot = min(saved, ledger.of(JACKPOT) + back - made_up)
    moves: tuple[Move, ...] = (
        (pool, JACKPOT, back),
        (JACKPOT, HOUSE, made_up),
        (JACKPOT, pool, from_jackpot),
        (CHARITY, pool, from_charity),
        (HOUSE, pool, house + charity - from_charity + saved - from_jackpot),
        (pool, HOUSE, added),
        (pool, CARRIED, carried),
        (pool, refund_account(number), each * cards),
        (pool, owed_account(tickets_of(number)), each * tickets),
    )
    return Broken((*moves, (pool, CARRIED, ledger.after(moves).of(pool))), each)


def at_skip(stakes: int, cards: int, tickets: int, number: int) -> Broken:
    """Return the result of passing over a game: everything that was paid for it is given back.

    Args:
        stakes: what was paid for its cards and tickets.
        cards, tickets: how many were sold.
        number: the game's number in the night.
    """
    each = stakes // (cards + tickets) if cards + tickets else 0
    pool = stakes_account(number)
    moves: tuple[Move, ...] = (
        (pool, refund_account(number), each * cards),
        (pool, owed_account(tickets_of(number)), each * tickets),
        (pool, CARRIED, stakes - each * (cards + tickets)),
    )
    return Broken(moves, each)


def tickets_of(number: int) -> str:
    """Return the name under which all tickets of a broken game are paid together."""
    return f"tickets-{number}"


def _jackpot_won(game: PrizeState) -> bool:
    return any(win.stage == WON_JACKPOT for win in game.wins)


def _unwon_part(game: PrizeState) -> tuple[int, int]:
    """Return the part of the prizes not won: of the units, or, without money, of the stages."""
    if game.setup.pool:
        return sum(map(game.share_of, game.unwon)), game.setup.pool
    return len(game.unwon), len(game.stages)
