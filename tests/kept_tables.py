"""Nights at the table that are kept: what a company did, and of each act a digest of what
everybody was shown, told and played.

`python -m tests.kept_tables` writes the digests again after an intended change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from station.cards.pack import make_pack
from station.night.acts import DrawKnob, parse_act
from station.night.hall import Hall, apply, table_then
from station.programme.programme import GamePlan, Programme, TablePlan
from station.views.announcing import announcement
from station.views.table.host import told_of_table
from station.views.table.view import Telling, table_view
from station.wire.wording import load_wording

FILE = Path(__file__).with_name("kept_tables.json")
PLANS = {
    "book": GamePlan(name="Book", method="loto-second", table=TablePlan(cards=6)),
    "cards": GamePlan(
        name="Cards", method="loto-second", table=TablePlan(cards=12, stake=240, settling="cards")
    ),
    "strict": GamePlan(
        name="Strict",
        method="loto-second",
        table=TablePlan(cards=6, changes=False, confirm=False, in_money=True),
    ),
    "quarters": GamePlan(
        name="Quarters", method="loto-parlour", table=TablePlan(cards=6, stake=200)
    ),
    "race": GamePlan(
        name="Race",
        method="loto-parlour",
        table=TablePlan(stakes="counters", counters=60, answering="first", cards=6),
    ),
    "whole": GamePlan(
        name="Whole",
        method="loto-parlour",
        table=TablePlan(cards=6, stake=200, stakes="whole", answering="first"),
    ),
}
LANGUAGES = ("en", "de")


def hall_of(plan: str) -> Hall:
    """A night with four games of one plan."""
    return Hall(make_pack(4, Random(90)), Programme(name="Kept", games=(PLANS[plan],) * 4))


def shown(before: Hall, after: Hall, act: Any) -> dict[str, Any]:
    """All that people get of an act at the table, as JSON."""
    table = after.table
    seen = {}
    for language in LANGUAGES if table is not None else ():
        wording = load_wording(language)
        for row in (None, 0):
            if row == 0 and (
                (settled := getattr(table.state, "settlement", None)) is None
                or not any(r.won for r in settled.rows)
            ):
                continue
            telling = Telling(wording, lambda minor: f"{minor / 100:.2f}", row)
            seen[f"{language} {row}"] = table_view(table, telling).model_dump(mode="json")
    return {
        "seen": seen,
        "host": told_of_table(after, str),
        "said": announcement(act, before, after)[isinstance(act, DrawKnob) :],
        "then": table_then(before, after),
    }


def digests(what: dict[str, Any]) -> list[str]:
    """A digest of each part: what is seen, what the host is told, what is said, what follows."""
    return [
        hashlib.sha256(json.dumps(part, ensure_ascii=False).encode()).hexdigest()[:8]
        for part in what.values()
    ]


def replayed(plan: str, acts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What was got of each act of a night."""
    hall = hall_of(plan)
    for act in map(parse_act, acts):
        before, hall = hall, apply(hall, act)
        yield shown(before, hall, act)


def write(acts: dict[str, list[dict[str, Any]]]) -> None:
    """Write what is shown now."""
    nights = [
        f"{json.dumps(plan)}: [\n"
        + ",\n".join(
            json.dumps([act, *digests(what)], ensure_ascii=False)
            for act, what in zip(done, replayed(plan, done), strict=True)
        )
        + "\n]"
        for plan, done in acts.items()
    ]
    FILE.write_text("{\n" + ",\n".join(nights) + "\n}\n", encoding="utf-8")


def kept() -> dict[str, list[list[Any]]]:
    """What was kept: of each night its acts, each with its digests."""
    nights: dict[str, list[list[Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return nights


if __name__ == "__main__":
    write({plan: [line[0] for line in lines] for plan, lines in kept().items()})
