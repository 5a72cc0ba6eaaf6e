"""Two games that differ only in cards that a seat cannot see, on two cores with real sockets: after
every act the player's phone gets the same bytes from both, but for digests and the number of the
line; what he asks for himself is answered alike."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from station.base.clock import Clock
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.games import GAMES, AnyRules
from station.games.tontine.rules import Deal, Turn
from station.people.pairings import key_of
from station.people.roles import Role
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message, decode, encode
from tests.drill.companies import VARIATIONS, Agreed
from tests.drill.course import Broken, luck, must
from tests.drill.evening import PACK
from tests.drill.unseen import Stretch, hidden_in, some_play, twin_of

NAME = "wire"
NAMES = ("tontine", "my-bird-sings", "spoil-five")
LIMIT_S = 300.0
LONGEST = 24  # actions of a game
DEALS = 3  # of Tontine, each a card for everybody
ABOUT = ("hand", "me")
SECRET = "the secret of the phone"  # noqa: S105 - of a phone that is none
CLOCK = Clock(wall=lambda: 1_700_000_000.0, mono=lambda: 5.0, trusted=lambda: False)
# What stands for a state of the whole game, and counts acts and sounds: no part of what is told.
# The head of the record is a hash over ids that nobody is told and nobody can guess.
APART = re.compile(rb'"(?:seq|seen|token|head|root|code|key|luck)":(?:"(?:[^"\\]|\\.)*"|\d+)')


def check(name: str, seed: int, case: int, core: type[Core] = Core) -> int:
    """One game on two cores; gives how many games were compared.

    Args:
        core: the core that serves the second game, if it is built otherwise.
    """
    play, chance = GAMES[name], luck(f"{NAME}-{name}", seed, case)
    known = [agreed for agreed in VARIATIONS[name] if min(agreed.seats) <= play.seats[1]]
    for number in range(case, case + len(known)):
        agreed = known[number % len(known)]
        one = some_play(play, agreed, chance, DEALS if name == "tontine" else LONGEST)
        seats = one.start.setup.seats
        viewer = chance.randint(1, seats)
        twin = twin_of(play, one, viewer, chance, purses=not hidden_in(play))
        if twin is not None:
            asyncio.run(_both(play, agreed, one, twin, viewer, core))
            return 1
    return 0


async def _both(
    play: AnyRules, agreed: Agreed, one: Stretch, twin: Stretch, viewer: int, kind: type[Core]
) -> None:
    async with asyncio.timeout(LIMIT_S), AsyncExitStack() as stack:
        tables = [
            await stack.enter_async_context(table(play, agreed, part, viewer, core))
            for part, core in ((one, Core), (twin, kind))
        ]
        pairs = zip(_singly(one.actions), _singly(twin.actions), strict=True)
        for action, other in pairs:
            lines = [await at.does(act) for at, act in zip(tables, (action, other), strict=True)]
            must(
                lines[0] == lines[1],
                f"seat {viewer} is sent other bytes",
                agreed.name,
                play.notation(one.states[-1]),
                play.notation(twin.states[-1]),
                action,
                *(f"{a!r} | {b!r}" for a, b in zip(*lines, strict=True) if a != b),
            )


def _singly(actions: Iterable[Any]) -> Iterator[Any]:
    """The same actions, cards that are turned up at once keyed in one by one: else they are told
    one by one, in a time that two cores do not share."""
    for action in actions:
        if isinstance(action, Deal):
            yield from (Turn((face,)) for face in action.cards)
        else:
            yield action


class AtTable:
    """A core with an open game, whose host is an admin, and a phone at one seat."""

    def __init__(self, core: Core, admin: Client, play: AnyRules, seat: int) -> None:
        self._core, self._admin, self._seat = core, admin, seat
        self._asked = count(1)
        self._verbs = {kind: do for do, kind in play.moves.items()}

    async def begin(self, purses: tuple[int, ...]) -> None:
        """The company sits down, a phone is let in, and the game is opened."""
        players = [{"name": f"Player {seat}", "purse": has} for seat, has in enumerate(purses, 1)]
        await self._asks({"act": "sit", "players": players})
        await self._asks({"act": "open"})
        ask = {"do": "ask", "name": "a phone", "key": key_of(SECRET)}
        digits = (await self._admin.request({"pair": ask}))["answer"]["digits"]
        confirm = {"do": "confirm", "digits": digits, "role": Role.SEAT, "seat": self._seat}
        must(bool((await self._admin.request({"pair": confirm})).get("ok")), "no phone is let in")

    async def _asks(self, act: Mapping[str, Any]) -> None:
        answer = await self._admin.request({"do": act})
        if "seen" in answer.get("refused", {}):
            sure = {"sure": True, "seen": answer["refused"]["seen"]}
            answer = await self._admin.request({"do": act, **sure})
        if not answer.get("ok"):
            raise Broken(f"{act} is refused: {answer}")

    async def does(self, action: Any) -> list[bytes]:
        """An action is done, by the phone where it is that of its seat; return what the phone is
        sent then: the view that greets it, its hand, who it is, and the answer to its own act."""
        said = {"do": self._verbs[type(action)], **asdict(action)}
        act = {"act": "move", "move": said}
        own = said.get("seat") == self._seat
        if not own:
            await self._asks(act)
        return await self._phone({"do": act} if own else {})

    async def _phone(self, first: Message) -> list[bytes]:
        reader, writer = await asyncio.open_unix_connection(str(self._core.run / SOCKET))
        try:
            writer.write(encode({"hello": {"as": "watcher", "kind": "web"}}))
            asks = {
                f"phone-{next(self._asked)}": ask
                for ask in (*(first,) * bool(first), *({"ask": {"about": one}} for one in ABOUT))
            }
            for name, ask in asks.items():
                writer.write(encode({**ask, "id": name, "secret": SECRET}))
            answers = dict[str, bytes]()
            view = b""
            while len(answers) < len(asks):
                line = await reader.readline()
                must(bool(line), "the station went away")
                message = decode(line)
                if "view" in message:
                    view = line
                elif "id" in message:
                    answers[message["id"]] = line
            for name, ask in asks.items():
                if "refused" in decode(answers[name]):
                    raise Broken(f"{ask} is refused: {answers[name]!r}")
            return [APART.sub(b"", line) for line in (view, *answers.values())]
        finally:
            writer.close()


@asynccontextmanager
async def table(
    play: AnyRules, agreed: Agreed, part: Stretch, viewer: int, kind: type[Core]
) -> AsyncIterator[AtTable]:
    """A core in a folder of its own, with this game open."""
    setup = part.start.setup
    parts, _ = play.parts(TablePlan(**agreed.settings).of(play))
    plan = GamePlan(
        name="A game", method=play.name, table=TablePlan(stake=12 * parts, **agreed.settings)
    )
    with tempfile.TemporaryDirectory(prefix="loto-wire-") as folder:
        state = Path(folder)
        (state / "packs").mkdir()
        (state / "packs" / PACK_FILE).write_text(PACK.to_csv())
        core = kind(
            Settings(),
            state,
            state / "run",
            programme=Programme(name="Cards", games=(plan,)),
            machine=Machine(clock=CLOCK, chance=Random(5), check_ground=lambda *_, **__: None),
        )
        await core.open()
        try:
            async with await Client.open(core.run / SOCKET, "admin") as admin:
                at = AtTable(core, admin, play, viewer)
                value = play.value(plan.agreed.of(play))
                await at.begin(tuple(purse * value for purse in setup.purses))
                yield at
        finally:
            await core.close()
