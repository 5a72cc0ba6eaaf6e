"""SIGKILL of the core in a settlement: a real station, a company at its table, a pool that is often
too small.

Who plays here knows the cards and the knobs, and works out on paper what each drawing comes to. The
settlement is asked for, and the core killed at once, a moment later, or after its answer. The start
after it must know the whole drawing: settled once or not yet, every counter of every player and of
the pool where it belongs, the answer of a command that comes again the same as before.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import uuid
from pathlib import Path

from station.base.errors import LotoError, WireError
from station.base.nouns import CAVITIES, KNOBS
from station.record.audit import replay_all
from station.record.journal import FILE
from station.wire.wire import Client, Message
from tests.drill.course import luck
from tests.drill.real import CALL_LIMIT_S, START_S, in_folder, journal_lines
from tests.drill.rig import HURRY, LOOK_S, DrillFailed, Rig
from tests.drill.table_paper import SIT, TablePaper

NAME = "kill-settle"
KILLS = 4  # in a case
SOON_S = 0.006  # a settlement and its line take about so long
PROGRAMME = """name = "A drill"
[[games]]
name = "At the table"
method = "loto-second"
table = { cards = 6 }
"""
SETTLE: Message = {"act": "move", "move": {"do": "settle"}}
ADD: Message = {"act": "move", "move": {"do": "replenish"}}


def kill_settle(seed: int, case: int) -> int:
    """The core is killed in some settlements; gives how often.

    Raises:
        DrillFailed: names what was lost, or settled twice.
    """
    return in_folder(lambda folder: _kill(folder, luck(NAME, seed, case)))


async def _kill(folder: Path, chance: random.Random) -> int:
    programme = folder / "programme.toml"
    programme.write_text(PROGRAMME)
    rig = Rig(folder, f'[game]\nprogramme = "{programme}"\n{HURRY}', whole=False)
    kills = 0
    try:
        rig.start()
        async with rig.client() as client:
            paper = await _sit(client)
        while kills < KILLS:
            async with rig.client() as client:
                settling = paper.table is None or not paper.table.short()
                if settling:
                    await _draw(client, chance, paper)
                before = as_told(paper)
                command: Message = {"id": uuid.uuid4().hex, "do": SETTLE if settling else ADD}
                answer = await _killed_in(rig, client, command, chance)
            kills += 1
            if chance.random() < 0.25:
                rig.start()
                await asyncio.sleep(chance.uniform(0, START_S))
                rig.kill()
                kills += 1
            paper.do(command["do"])
            rig.start()
            async with rig.client() as client:
                await check_settled(client, rig, command, answer, (before, as_told(paper)))
    except (LotoError, TimeoutError) as error:
        raise DrillFailed(f"after {kills} kills: {str(error) or 'no answer'}") from error
    finally:
        rig.kill()
    [*replay_all(rig.half)]
    return kills


async def _killed_in(
    rig: Rig, client: Client, command: Message, chance: random.Random
) -> Message | None:
    """Sends the command, and kills the core at once, a moment later, or after its answer, which it
    gives."""
    asked = asyncio.ensure_future(client.request(command))
    how = chance.random()
    if how < 0.25:
        await asked
    elif how < 0.9:
        await asyncio.sleep(chance.uniform(0, SOON_S))
    rig.kill()
    with contextlib.suppress(WireError, TimeoutError):
        return await asked
    return None


async def check_settled(
    client: Client, rig: Rig, command: Message, answer: Message | None, may: tuple[Message, Message]
) -> None:
    """The drawing is settled once, or not yet; the command that comes again is answered as it was,
    and then it is."""
    found = await _seen(client)
    before, after = may
    if found not in ((after,) if answer is not None else (before, after)):
        raise DrillFailed(
            f"{command['do']} was answered {answer}; the start knows {found}; on paper {before},"
            f" then {after}"
        )
    again = await client.request(command)
    path = rig.half / "nights" / "0001" / FILE
    lines = [line["seq"] for line in journal_lines(path) if line["id"] == command["id"]]
    if (answer is not None and again != answer) or lines != [again.get("seq")]:
        raise DrillFailed(
            f"{command} was answered {answer}, and after the start {again}; it stands in the lines"
            f" {lines}"
        )
    if (found := await _seen(client)) != after:
        raise DrillFailed(f"{command['do']} leads to {found}; on paper {after}")


async def _sit(client: Client) -> TablePaper:
    paper = TablePaper(games=1)
    await _both(client, paper, dict(SIT))
    await _done(client, {"act": "open"})
    dealt = _things(await _asked(client), "cards")
    paper.cards = {card["serial"]: card["rows"] for card in dealt}
    paper.do({"act": "open"})
    return paper


async def _draw(client: Client, chance: random.Random, paper: TablePaper) -> None:
    """The bag is counted, ten knobs are drawn; mostly such that the pool is too small for what they
    win."""
    await _both(client, paper, {"act": "shake", "counted": KNOBS})
    seat = chance.randint(1, len(paper.people))
    lucky = (
        [number for row in paper.rows(seat)[:2] for number in row] if chance.random() < 0.7 else []
    )
    others = chance.sample(range(1, KNOBS + 1), KNOBS)
    for number in list(dict.fromkeys([*lucky, *others]))[:CAVITIES]:
        await _both(client, paper, {"act": "draw", "number": number})


async def _both(client: Client, paper: TablePaper, do: Message) -> None:
    """Done by the station, and on paper."""
    await _done(client, do)
    if not paper.do(do):
        raise DrillFailed(f"{do} was done, and may not be on paper: {paper}")


async def _done(client: Client, do: Message) -> None:
    """Asks until it is done: while a number is being called the next one waits."""
    async with asyncio.timeout(CALL_LIMIT_S):
        while "refused" in (answer := await client.do(**do)):
            if answer["refused"]["reason"] != "busy":
                raise DrillFailed(f"{do} was refused: {answer}")
            await asyncio.sleep(LOOK_S)


async def _asked(client: Client) -> Message:
    told: Message = (await client.request({"ask": {"about": "table"}}))["answer"]
    return told


def _things(told: Message, key: str) -> list[Message]:
    """What lies in the zones of this name, in the order of the seats."""
    return [thing for zone in told["zones"] if zone["key"] == key for thing in zone["things"]]


async def _seen(client: Client) -> Message:
    """The table, as the station tells it."""
    told = await _asked(client)
    (pool,), (table,) = _things(told, "pool"), _things(told, "on-table")
    return {
        "step": told["step"],
        "hands": [pile["units"] for pile in _things(told, "hand")],
        "purses": [seat["purse"] for seat in told["seats"]],
        "pool": pool["units"],
        "table": table["units"],
        "drawer": told["leads"],
        "numbers": [knob["number"] for knob in _things(told, "board")],
    }


def as_told(paper: TablePaper) -> Message:
    """The same, as the paper has it while a game is open."""
    table = paper.table
    if table is None:
        raise DrillFailed(f"no game is open on paper: {paper}")
    step = "add" if table.short() else "draw" if paper.counted else "shake"
    return {
        "step": "settle" if len(table.board) == CAVITIES and step == "draw" else step,
        "hands": table.hands,
        "purses": paper.purses,
        "pool": table.pool,
        "table": table.table,
        "drawer": table.bag_at,
        "numbers": [*table.board],
    }
