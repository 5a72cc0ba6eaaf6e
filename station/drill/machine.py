"""Anything in any order, and the power goes: each act is accepted and comes to what a night on paper says.

`check` does acts at random; `check_year` plays whole games as a hall does, with faults at random.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from station.drill.course import luck
from station.drill.hall_rig import ROWS, HallRig
from station.session import Session

NAME, YEAR = "machine", "year"
STEPS = 80
NIGHTS = 3
GAMES = 2  # in a night
FAULTS = 0.01  # for each act


def winners(rig: HallRig) -> list[str]:
    """The cards that have as many full rows as are played for, sold or not, in time or late."""
    paper = rig.paper
    stages = paper.games[paper.opened - 1][1] if paper.opened else ()
    if paper.sheet.stage >= len(stages):
        return []
    crossed = set(rig.calls)
    return [serial for serial, card in ROWS.items() if sum(crossed.issuperset(row) for row in card) >= stages[paper.sheet.stage]]


def random_act(rig: HallRig, chance: Random) -> dict[str, Any]:
    """Some act, mostly a sensible one: what is called fills the fullest row, and who could win claims, or nobody ever would."""
    serial = chance.choice([*ROWS, "9999"])
    unfilled = [[number for number in row if number not in rig.calls] for card in ROWS.values() for row in card]
    nearest = min(filter(None, unfilled), key=len, default=[1])
    number = chance.choice(nearest) if chance.random() < 0.8 else chance.randint(1, 90)
    owed = [box.removeprefix("owed:") for box in rig.paper.money() if box.startswith("owed:")]
    won = [serial for serial in winners(rig) if serial not in rig.paper.sheet.checked]
    claims = won or [serial]
    if won and rig.paper.playing and chance.random() < 0.4:
        return {"act": "claim", "serial": chance.choice(won)}
    if not rig.paper.playing and chance.random() < 0.3:
        return {"act": "open"}
    pays = owed if owed and chance.random() < 0.7 else [serial]
    acts: list[tuple[dict[str, Any], int]] = [
        ({"act": "draw", "number": number}, 40),
        ({"act": "claim", "serial": chance.choice(claims)}, 8),
        ({"act": "play-on"}, 10),
        ({"act": "stop"}, 3),
        ({"act": "undo", "why": "drill"}, 4),
        ({"act": "pay", "serial": chance.choice(pays)}, 4),
        ({"act": "sell", "serials": [serial], "to": chance.choice(["Anna", "Bruno", None]), "games": chance.randint(1, 2)}, 10),
        ({"act": "open"}, 6),
        ({"act": "close"}, 1),
        ({"act": "close-night"}, 1),
    ]
    [act] = chance.choices([act for act, _ in acts], [weight for _, weight in acts])
    return {key: value for key, value in act.items() if value is not None}


def check(seed: int, case: int, session: type[Session] = Session) -> int:
    """So many steps at random; gives how many."""
    chance = luck(NAME, seed, case)
    rig = HallRig(chance, session)
    asyncio.run(_at_random(rig, chance))
    return rig.steps


async def _at_random(rig: HallRig, chance: Random) -> None:
    await rig.do({"act": "sell", "serials": chance.sample(sorted(ROWS), 3), "to": "Anna"})
    await rig.do({"act": "open"})
    while rig.steps < STEPS:
        dice = chance.random()
        if dice < 0.03:
            rig.restart()
        elif dice < 0.07:
            await rig.power_cut(random_act(rig, chance))
        elif dice < 0.10:
            await rig.fault(random_act(rig, chance))
        elif dice < 0.14:
            await rig.again()
        else:
            await rig.do(random_act(rig, chance))
        if rig.paper.closed:
            rig.restart()


def check_year(seed: int, case: int, session: type[Session] = Session) -> int:
    """Some nights of whole games, one after the other; gives how many games were played."""
    chance = luck(YEAR, seed, case)
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
    stages = paper.games[paper.opened - 1][1]
    bag = chance.sample(range(1, 91), 90)
    while bag and paper.sheet.stage < len(stages):
        await _done(rig, {"act": "draw", "number": bag.pop()})
        if chance.random() < 0.01:
            bag.append(rig.calls[-1])
            await _done(rig, {"act": "undo", "why": "misread"})
            continue
        for serial in winners(rig) or chance.sample(sorted(ROWS), chance.random() < 0.01):
            await _done(rig, {"act": "claim", "serial": serial})
        if paper.sheet.stopped:
            await _done(rig, {"act": "play-on"})
    for serial in sorted({win[1] for win in paper.sheet.won}):
        if chance.random() < 0.9:  # who is not there tonight is paid another night
            await _done(rig, {"act": "pay", "serial": serial})
    await _done(rig, {"act": "close"})


async def _done(rig: HallRig, act: dict[str, Any]) -> None:
    """Does it; after a fault looks whether it was done, and does it if it was not, as the people in the hall would."""
    dice = rig.chance.random()
    if dice < FAULTS / 2:
        kept = await rig.power_cut(act)
    elif dice < FAULTS:
        kept = await rig.fault(act)
    else:
        kept = False
    if not kept:
        await rig.do(act)
