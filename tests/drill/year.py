"""A hall's year: whole games as a hall plays them, night after night, with power cuts and failing
disks, beside paper."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from station.record.session import Session
from tests.drill.course import luck
from tests.drill.hall_rig import ROWS, HallRig
from tests.drill.plain import STAGES

NAME = "year"
NIGHTS = 3
GAMES = 2  # in a night
FAULTS = 0.005  # for each act: about one in two games


def winners(rig: HallRig) -> list[str]:
    """The cards that have as many full rows as are played for, sold or not, in time or late."""
    paper = rig.paper
    prizes = paper.prizes()
    if paper.sheet.stage >= len(prizes):
        return []
    crossed, wanted = set(rig.calls), prizes[paper.sheet.stage].rows
    return [
        serial
        for serial, card in ROWS.items()
        if sum(crossed.issuperset(row) for row in card) >= wanted
    ]


def check(seed: int, case: int, session: type[Session] = Session) -> int:
    """Some nights of whole games, one after the other; gives how many games were played."""
    chance = luck(NAME, seed, case)
    rig = HallRig(chance, session)
    asyncio.run(_nights(rig, chance))
    return NIGHTS * GAMES


async def _nights(rig: HallRig, chance: Random) -> None:
    for _ in range(NIGHTS):
        half = chance.randint(1, 5)
        serials = chance.sample(sorted(ROWS), len(ROWS))
        await _done(rig, {"act": "sell", "serials": serials[:half], "to": "Anna", "games": GAMES})
        await _done(rig, {"act": "sell", "serials": serials[half:], "games": GAMES})
        for _ in range(GAMES):
            await _done(rig, {"act": "open"})
            await _game(rig, chance)
        await _done(rig, {"act": "close-night"})
        if rig.paper.closed:
            rig.restart()


async def _game(rig: HallRig, chance: Random) -> None:
    paper = rig.paper
    bag = chance.sample(range(1, 91), 90)
    while bag and paper.sheet.stage < len(paper.prizes()):
        await _done(rig, {"act": "draw", "number": bag.pop()})
        if chance.random() < 0.01:
            bag.append(rig.calls[-1])
            await _done(rig, {"act": "undo", "why": "misread"})
            continue
        for serial in winners(rig) or chance.sample(sorted(ROWS), chance.random() < 0.01):
            await _done(rig, {"act": "claim", "serial": serial})
        if paper.sheet.stopped:
            await _done(rig, {"act": "play-on"})
    for stage, tied in paper.tied().items():
        knobs = list(zip(tied, chance.sample(range(1, 91), len(tied)), strict=True))
        await _done(
            rig, {"act": "lots", "stage": STAGES[paper.prizes()[stage].rows], "knobs": knobs}
        )
    for serial in sorted({win.serial for win in paper.sheet.won}):
        if chance.random() < 0.9:  # who is not there tonight is paid another night
            await _done(rig, {"act": "pay", "serial": serial})
    await _done(rig, {"act": "close"})


async def _done(rig: HallRig, act: dict[str, Any]) -> None:
    """Does it; after a fault looks whether it was done, and does it if it was not, as the people in
    the hall would."""
    dice = rig.chance.random()
    if dice < FAULTS / 2:
        kept = await rig.power_cut(act)
    elif dice < FAULTS:
        kept = await rig.fault(act)
    else:
        kept = False
    if not kept:
        await rig.do(act)
