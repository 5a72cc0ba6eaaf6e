"""Hands for any hall under one core: a number pad, a pedal, an expander, a television; the real
drivers over their simulated halves."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

from drivers.readers.keys import key_code
from station.core.daemon import Core
from station.core.simulation.server import Simulation
from station.settings.config import Settings
from station.wire.board_view import BoardView
from station.wire.wire import SOCKET, Client
from tests.support import LIMIT_S, run

DEVICES: dict[str, dict[str, Any]] = {
    "keys": {"driver": "keys", "device": "simulated", "numbers": True},
    "keys-pedal": {"driver": "keys", "device": "simulated", "keys": {"b": "draw"}},
    "expander": {
        "driver": "mcp23017",
        "bus": "simulated",
        "buttons": {"claim-2": "A0"},
        "lamps": {"claim-2": "B0"},
    },
    "tv": {"driver": "cec"},
}


class WithTelevision(Simulation):
    """Simulated halves, with a television that remembers what it was told."""

    told: list[str]

    def options(self, device: str, options: Any) -> dict[str, Any]:
        """See `Simulation`."""
        filled = super().options(device, options)
        return filled | ({"run": self.tell} if device == "tv" else {})

    def tell(self, words: Sequence[str]) -> None:
        """Somebody speaks to the television."""
        self.told.append(words[-1])


@contextlib.asynccontextmanager
async def station(state: Path) -> AsyncIterator[tuple[Client, WithTelevision]]:
    made: list[WithTelevision] = []

    def simulate(folder: Path, devices: Any) -> WithTelevision:
        made.append(WithTelevision(folder, devices))
        made[0].told = []
        return made[0]

    settings = Settings(simulated=True, devices=DEVICES)
    core = Core(settings, state, state / "run", simulate=simulate)
    await core.open()
    try:
        async with await Client.open(core.run / SOCKET, "admin") as client:
            yield client, made[0]
    finally:
        await core.close()


async def until(client: Client, wanted: Callable[[BoardView], bool]) -> BoardView:
    async with asyncio.timeout(LIMIT_S):
        async for message in client:
            if "view" in message and wanted(view := BoardView.model_validate(message["view"])):
                return view
    raise AssertionError("the station went away")


async def comes(client: Client, true: Callable[[], bool]) -> None:
    """Until something is so that no view tells: the station is asked again and again."""
    async with asyncio.timeout(LIMIT_S):
        while not true():
            await client.request({"ask": {"about": "me"}})


def test_hands_of_every_kind(tmp_path: Path) -> None:
    """A number is seen at the pad and called by Enter; the pedal draws the next; a button on the
    expander stops the game, and its lamp was lit; the television is on from the start to the end of
    the night."""

    async def work() -> None:
        async with station(tmp_path) as (client, hands):
            await comes(client, lambda: hands.told[-1:] == ["--image-view-on"])
            assert (await client.do("open")).get("ok")
            await comes(client, lambda: hands.keys["keys"].keyboard is not None)
            hands.keys["keys"].send(b"42")
            view = await until(client, lambda view: view.notice.startswith("Keyed: 42"))
            assert view.called == ()
            hands.keys["keys"].send(b"\n")
            await until(client, lambda view: view.called == (42,) and not view.calling)
            await comes(client, lambda: hands.chips["expander"].lit("B0"))
            hands.keys["keys-pedal"].down(key_code("b"))
            hands.keys["keys-pedal"].up(key_code("b"))
            await until(client, lambda view: len(view.called) == 2 and not view.calling)
            hands.chips["expander"].press("A0")
            await until(client, lambda view: view.phase == "stopped")
            hands.chips["expander"].release("A0")
            for act in ("play-on", "close", "close-night"):
                answer = await client.do(act, **({"sure": True} if act != "play-on" else {}))
                assert answer.get("ok"), answer
            await comes(client, lambda: hands.told[-1:] == ["--standby"])

    run(work())
