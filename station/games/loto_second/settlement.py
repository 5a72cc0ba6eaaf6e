"""Tell how a drawing of the Second Method was settled: the result of each row, what it was paid,
and where the bank has no change.

All of it follows from the states before and after; it is worked out again when a night is replayed.
Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from station.games.loto_second.actions import Finish, Settle
from station.games.loto_second.state import Payment, SettledRow, Settlement, State, classes
from station.rules.box import BOX, CONTRACT, Pieces, exactly, paid_out
from station.rules.seating import moved


def won_rows(settlement: Settlement | None) -> tuple[SettledRow, ...]:
    """Return the rows that won from the pool, which are told one by one, in the order of paying."""
    return tuple(row for row in settlement.rows if row.won) if settlement is not None else ()


def settled(before: State, action: object, after: State) -> State:
    """Return the state after an action with its newest settlement. What the settlement before it
    left unpaid may have been paid by this action, as after a replenishment."""
    new = _newest(before, action, after)
    return after if new is after.settlement else replace(after, settlement=new)


def _newest(before: State, action: object, after: State) -> Settlement | None:
    last = before.settlement
    if isinstance(action, Settle) or (isinstance(action, Finish) and before.drawn):
        counted = before.rows()
        rows = (SettledRow(**asdict(row), paid=row.won) for row in counted if row.laid)
        paid = _as_paid(rows, after)
        laid_down = () if before.setup.in_money else payments(before.hands, paid)
        return Settlement(before.drawings + 1, before.numbers, classes(counted), paid, laid_down)
    if last is None or (after.dues, after.unpaid) == (before.dues, before.unpaid):
        return last
    new = replace(last, rows=_as_paid(last.rows, after))
    if before.setup.in_money or new.paid == last.paid:
        return new
    return replace(new, payments=_paid_since(last, new, after))


def _paid_since(last: Settlement, new: Settlement, after: State) -> tuple[Payment, ...]:
    """Return how the counters owed were paid since then. What players laid down for that, or got
    for cards, has left or reached their hands already."""
    rows = [
        replace(now, laid=0, paid=now.paid - had.paid)
        for had, now in zip(last.rows, new.rows, strict=True)
    ]
    hands = after.hands
    for row in rows:
        hands = moved(hands, row.seat, -row.paid)
    return payments(hands, rows)


def _as_paid(rows: Iterable[SettledRow], state: State) -> tuple[SettledRow, ...]:
    owed = (*state.dues, *state.unpaid)
    wanting = Counter({(due.seat, due.serial, due.row): due.counters for due in owed})
    return tuple(
        replace(row, paid=row.won - wanting[row.seat, row.serial, row.row]) for row in rows
    )


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Where the pieces of the box lie.

    Attributes:
        bank: the pieces that the bank can pay with: those of pool and table.
        players: the pieces before each seat; none where the box cannot make up its sum, which is
            written down instead.
        cards: single counters that lie on cards.
    """

    bank: Pieces
    players: tuple[Pieces, ...]
    cards: int


def laid_out(hands: Sequence[int], laid: int) -> LaidOut:
    """Return how the box's pieces are laid out for what players have won, and on cards.

    Cards have single counters, as many as lie on them. Then everybody has as few pieces as the box
    allows, from the eldest hand on. For sums that are written down instead the bank sets pieces
    aside, so that it never pays with what belongs to somebody.
    """
    cards = min(laid, BOX.counters)
    bank, written = BOX - Pieces(counters=cards), laid - cards
    players = []
    for hand in hands:
        pieces = exactly(bank, hand)
        if pieces is None:
            written += hand
        else:
            bank -= pieces
        players.append(pieces or Pieces())
    return LaidOut(bank - _set_aside(bank, written), tuple(players), cards)


def _set_aside(bank: Pieces, counters: int) -> Pieces:
    """Return the pieces whose worth is nearest to a sum and not below it; all there are where the
    sum is more than they are worth."""
    enough = (exactly(bank, counters + more) for more in range(CONTRACT))
    return next((pieces for pieces in enough if pieces is not None), bank)


def payments(hands: Sequence[int], rows: Sequence[SettledRow]) -> tuple[Payment, ...]:
    """Return the seats for which the bank must change, once for all rows, in order of paying.

    Args:
        hands: what each seat had won before.
        rows: the rows that are paid now; the counters on them are kept in addition.
    """
    out = laid_out(hands, sum(row.laid for row in rows))
    bank, singles = out.bank, out.cards
    found = []
    for seat in dict.fromkeys(row.seat for row in rows):
        counters = sum(row.paid for row in rows if row.seat == seat)
        kept = min(singles, sum(row.laid for row in rows if row.seat == seat))
        singles -= kept
        given = exactly(bank, counters)
        if given is not None:
            bank -= given
            continue
        change = paid_out(bank, out.players[seat - 1] + Pieces(counters=kept), counters)
        found.append(Payment(seat, counters, change))
        bank -= _set_aside(bank, counters) if change is None else change.given
        bank += Pieces() if change is None else change.back
    return tuple(found)
