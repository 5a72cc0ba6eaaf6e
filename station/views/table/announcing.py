"""The words that are said at the table, as clips of the voice. Pure.

A player is said by his place, "player number three"; `station.views.naming` puts his name there
where the voice has it. A sum is said as it lies there, in contracts, fish and counters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from station.base.nouns import KNOBS
from station.night.acts import Act, Break, Close, Draw, Join, Move, Open, Shake, Sit, Undo
from station.night.hall import Hall
from station.night.table.game import Parlour
from station.rules.box import in_pieces
from station.rules.loto_parlour import game as loto_parlour
from station.rules.loto_second import game as loto_second
from station.rules.loto_second.seen import CLASSES
from station.rules.loto_second.settlement import SettledRow, Settlement, won_rows

PLAYER = "player-number"  # what stands before a seat's number
_AT_ONCE = {
    "agree": "exchange-made",
    "decline": "exchange-declined",
    "throw-up": "card-thrown-up",
    "take": "card-taken",
}


def said_at_table(act: Act, before: Hall, after: Hall) -> tuple[str, ...]:
    """The clips to say after something was done at the table, in order; of a knob what follows its
    number."""
    table, old = after.table, before.table
    if isinstance(act, Sit) or table is None:
        return ("company-seated",) if isinstance(act, Sit) else ()
    match act:
        case Open():
            return ("cards-dealt", *_bag_passed(table.state))
        case Join():
            return (PLAYER, f"number.{len(table.seats)}", "joins-table")
        case Shake():
            return ("knobs-in-bag", f"number.{len(table.bag)}")
        case Draw() if old is not None:
            return SAID[table.method].drawn(old.state, table.state)
        case Undo() if before.out_of_bag:
            return (f"number.{before.out_of_bag[-1]}", "not-called")
        case Close():
            return (SAID[table.method].ends(table.state),)
        case Break():
            # Stakes are given back where nobody has won anything yet; else what everybody has is
            # redeemed.
            unchanged = table.purses == tuple(seat.purse for seat in table.seats)
            return (
                ("game-broken",)
                if unchanged
                else what_comes(table) or (SAID[table.method].ends(table.state),)
            )
        case Move() if old is not None:
            return SAID[table.method].moved(act, old, table)
    return ()


def what_comes(table: Parlour) -> tuple[str, ...]:
    """What is said when a settlement has been told: the pool is short, the bag passes on, or the
    game is over."""
    return SAID[table.method].comes(table.state)


def _bag_passed(state: Any) -> tuple[str, ...]:
    drawer = state.drawer
    return (*((PLAYER, f"number.{drawer}", "has-bag") if drawer else ()), "count-knobs")


# -- the Second Method -----------------------------------------------------------------------------


def _second_moved(act: Move, before: Parlour, table: Parlour) -> tuple[str, ...]:
    state: Any = table.state
    do = str(act.move.get("do"))
    if do in _AT_ONCE:
        return (_AT_ONCE[do],)
    match do:
        case "exchange":
            return ("exchange-offered" if state.offer is not None else "exchange-made",)
        case "put-away":
            return ("put-away", f"number.{act.move.get('number')}")
        case "resolve":
            return _drawings_left(state)
        case "replenish":
            return ("pool-added", *what_comes(table))
    return _settled(before, table)


def _settled(before: Parlour, table: Parlour) -> tuple[str, ...]:
    """A drawing's settlement, or the end of a game whose pool nobody fills again."""
    settlement, had = table.derived, before.derived
    if settlement is None or (had is not None and had.drawing == settlement.drawing):
        return what_comes(table)
    if table.agreed["settling"] == "cards" and bool(won_rows(table.derived)):
        return ("drawing-settled", *row_told(table, won_rows(settlement)[0]))
    return (*settlement_told(table), *what_comes(table))


def settlement_told(table: Parlour) -> tuple[str, ...]:
    """The clips that tell the last settlement as a total; none where there is none."""
    settlement = table.derived
    if settlement is None:
        return ()
    return ("drawing-settled", *_classes(settlement), *_from_pool(table, settlement))


def _classes(settlement: Settlement) -> tuple[str, ...]:
    told = ((name, settlement.classes[laid]) for laid, name in reversed([*enumerate(CLASSES, 1)]))
    return tuple(
        clip for name, rows in told if rows for clip in (f"class-{name}", f"number.{rows}")
    )


def _from_pool(table: Parlour, settlement: Settlement) -> tuple[str, ...]:
    if not settlement.won:
        return ("nothing-won",)
    paid = () if table.agreed["in_money"] else sum_clips(settlement.paid)
    return ("from-pool", *paid) if paid else ()


def row_told(table: Parlour, row: SettledRow) -> tuple[str, ...]:
    """The clips that tell what one row has won, of which card's player."""
    won = () if table.agreed["in_money"] else sum_clips(row.won)
    return (PLAYER, f"number.{row.seat}", f"class-{CLASSES[row.laid - 1]}", *won)


def sum_clips(counters: int) -> tuple[str, ...]:
    """A sum as it lies there; nothing where it has more contracts than the voice can count.

    >>> sum_clips(112)
    ('in-contracts', 'number.1', 'in-fish', 'number.1', 'in-counters', 'number.2')
    """
    pieces = in_pieces(counters)
    kinds = (
        ("in-contracts", pieces.contracts),
        ("in-fish", pieces.fish),
        ("in-counters", pieces.counters),
    )
    if pieces.contracts > KNOBS:
        return ()
    return tuple(clip for kind, count in kinds if count for clip in (kind, f"number.{count}"))


def _second_comes(state: loto_second.State) -> tuple[str, ...]:
    if state.phase is loto_second.Phase.OVER:
        return ("bankruptcy", "redeemed") if state.unpaid else ("redeemed",)
    if state.phase is loto_second.Phase.SHORT:
        return _short(state)
    if state.phase is not loto_second.Phase.BETWEEN:
        return ()
    changes = ("may-exchange",) if state.setup.changes else ()
    return (*changes, *(("last-drawing",) if state.last else ()), *_bag_passed(state))


def _short(state: loto_second.State) -> tuple[str, ...]:
    if state.phase is not loto_second.Phase.SHORT:
        return ()
    return ("pool-short", "each-adds", f"number.{state.setup.terms.in_pool}")


def _drawings_left(state: loto_second.State) -> tuple[str, ...]:
    if state.last or state.left is None:
        return ("last-drawing",)
    return ("drawings-more", f"number.{state.left}") if state.left <= KNOBS else ()


# -- the First Method ------------------------------------------------------------------------------


def _first_moved(act: Move, before: Parlour, table: Parlour) -> tuple[str, ...]:
    had: Any = before.state
    state: Any = table.state
    answered = _answered(act, state) if act.move.get("do") == "answer" else ()
    ended = (
        ("most-covered" if state.wins else "stakes-back",) if act.move.get("do") == "share" else ()
    )
    return (*answered, *ended, *_won(had, state), *((_first_ends(state),) if state.over else ()))


def _answered(act: Move, state: loto_parlour.State) -> tuple[str, ...]:
    """What the answers that came just now are worth: who covers, whether it was a tie, who was
    wrong or late."""
    # nobody answers a number twice
    new = [answer for answer in state.answered if answer.seat in act.move["seats"]]
    clips: list[str] = []
    for answer in new:
        if answer.verdict is loto_parlour.Verdict.COVERS:
            clips += [
                *(["answer-tie"] if answer.tied else []),
                PLAYER,
                f"number.{answer.seat}",
                "answers-first",
            ]
    verdicts = {answer.verdict for answer in new}
    clips += ["answer-wrong"] if loto_parlour.Verdict.WRONG in verdicts else []
    clips += ["answer-late"] if loto_parlour.Verdict.LATE in verdicts else []
    return tuple(clips)


def _won(had: loto_parlour.State, state: loto_parlour.State) -> tuple[str, ...]:
    new = state.wins[len(had.wins) :]
    clips: list[str] = []
    for stage in dict.fromkeys(win.stage for win in new):
        winners = [win.seat for win in new if win.stage == stage]
        clips += [
            f"won-{stage}",
            *(clip for seat in winners for clip in (PLAYER, f"number.{seat}", "has-won")),
        ]
        clips += ["prize-shared"] if len(winners) > 1 else []
    return tuple(clips)


def _first_ends(state: loto_parlour.State) -> str:
    """Money needs no redemption: in the other stakes counters only cover."""
    return "redeemed" if state.setup.stakes is loto_parlour.Stakes.COUNTERS else "game-closed"


# -- each method -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What is said of a method's games, besides what is said at every table.

    Attributes:
        drawn: after the number of a knob; from the states before and after.
        moved: after a move; from the games before and after.
        comes: when a settlement has been told.
        ends: when the game is over and nothing stays unpaid.
    """

    drawn: Callable[[Any, Any], tuple[str, ...]]
    moved: Callable[[Move, Parlour, Parlour], tuple[str, ...]]
    comes: Callable[[Any], tuple[str, ...]] = lambda _: ()
    ends: Callable[[Any], str] = lambda _: "redeemed"


SAID: Mapping[str, Said] = {
    "loto-second": Said(
        drawn=lambda _, state: _short(state), moved=_second_moved, comes=_second_comes
    ),
    "loto-parlour": Said(drawn=_won, moved=_first_moved, ends=_first_ends),
}
