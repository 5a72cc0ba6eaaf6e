"""Write what an act at the table led to, for the `then` of its line in the journal. Pure.

Reports are made from this alone (`station.paper.reports.table_record`), and a night that is played
again must give the same.
"""

from __future__ import annotations

from typing import Any

from station.night.hall_state import Hall
from station.night.table.game import Parlour, next_step
from station.rules.play import Played


def told(before: Hall, after: Hall) -> dict[str, Any]:
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
        then["opening"] = _opening(after, table)
        return then
    if len(table.seats) > len(old.seats):
        then["joined"] = [[seat.name, seat.purse] for seat in table.seats[len(old.seats) :]]
    done = Played(old.state, None, table.state, old.derived, table.derived)
    then |= table.rules.then(done)
    if table.unsealed and table.unsealed is not old.unsealed:
        then["unsealed"] = [part.to_json() for part in table.unsealed]
    if table.over:
        then["ended"] = {"unpaid": table.rules.unpaid(table.state)}
    if (table.hands, table.purses) != (old.hands, old.purses):
        then |= {"hands": list(table.hands), "purses": list(table.purses)}
    return then


def _opening(hall: Hall, table: Parlour) -> dict[str, Any]:
    """Return all that is frozen when the game opens."""
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
