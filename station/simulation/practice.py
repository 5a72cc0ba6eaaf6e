"""Let somebody play a game of the old books alone at the bench: a TEST night is begun with that
game, and simulated players sit down with him; what a host would press comes by itself.

His telephone is simulated like every other device: it shows the hand of his seat, and makes his
moves, in nights of practice alone.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import ValidationError

from station.base.errors import Unreadable
from station.base.said import said
from station.calling.button_meaning import act_of
from station.night.acts import Act, Break, CloseNight, Open, Sit
from station.night.fields import Player
from station.night.hall import Hall
from station.night.hall_state import HallReason
from station.night.table.alone import by_host
from station.night.table.choices import tried
from station.night.table.game import Parlour
from station.people.roles import Person, Role, person_of
from station.programme.practice import is_practice, practice, practised
from station.record.session import Answer, Command, NextNight, Refused, SessionWish, read_act
from station.wire.wire import Message
from station.wire.wording import TITLE, Wording

Ask: TypeAlias = Callable[[Command], Awaitable[Answer]]  # as `station.calling.desk.Desk.ask`

PERSON = 1  # the seat of whoever plays alone
AT_THE_TABLE = Person("bench", Role.ADMIN)
PLAYER = Person("bench", Role.SEAT, PERSON)
GIVEN_UP = "given up at the bench"
LEADS_S = 1.2  # after what was done last, where only chance or the host is awaited
WAITS_S = 6.0  # where a player may do something before; simulated ones have done so by then
NAMELESS = Refused(
    "unreadable", said("each player needs a name of his own: write another one, then play")
)
NO_PRACTICE = Refused(
    HallReason.NOT_AT_TABLE, said("nobody plays alone here: choose a game, and play it alone")
)


@dataclass(eq=False)
class Practice:
    """Whoever plays alone on a simulated station.

    Args:
        hall: gives the state now.
        ask: the desk's.
        hand: answers what the player of seat 1 is shown; the message says in which language.
        calling: whether a number is being said.
        wording: the hall's words.
        now: monotonic seconds.
    """

    hall: Callable[[], Hall]
    ask: Ask
    hand: Callable[[Message, Person], Awaitable[dict[str, Any]]]
    calling: Callable[[], bool]
    wording: Wording
    now: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._looked: Hall | None = None
        self._practises = False
        self._due = 0.0

    @property
    def practises(self) -> bool:
        """Return whether somebody plays alone tonight."""
        return is_practice(self.hall().programme)

    async def begin(self, request: str, message: Message) -> Answer:
        """Begin a night of practice, seat the company, and open the game; what is open now ends,
        and is asked about first where something would be lost by it.

        Args:
            request: its id.
            message: `do` has the `game` and the `names` of the company, of whom the first is the
                person; without them the last game of practice is played again. `seen` and `sure`
                are as for an act.

        Raises:
            Unreadable: there is no such game, or no such company.
        """
        game, names = self._wanted(message.get("do"))
        pack = len(self.hall().pack.serials)
        programme = practice(game, self.wording.rules.get(f"{TITLE}{game}", ""), pack)
        if not isinstance(names, list):
            raise Unreadable("who plays: a list of names, the person's first")
        least, most = practised()[game]
        if not least <= len(names) <= most:
            raise Unreadable(f"{game} is for {least} to {most} players, not for {len(names)}")
        try:
            company = sits_down(names)
        except ValidationError:
            return NAMELESS
        if len({person_of(name) for name in names}) < len(names):
            return NAMELESS
        steps: list[Act | SessionWish] = [NextNight(programme), company, Open()]
        if not self.hall().closed:
            steps.insert(0, CloseNight())
        if self.hall().game_open:
            steps.insert(0, Break(why=GIVEN_UP))
        sure, seen = message.get("sure") is True, message.get("seen")
        for place, act in enumerate(steps):
            command = Command(f"{request}-{place}", act, AT_THE_TABLE, "wire", None, seen, sure)
            answer = await self.ask(command)
            if isinstance(answer, Refused):
                return answer
            # What was meant is done: what else would be lost is asked anew.
            sure, seen = False, None
        return answer

    def _wanted(self, do: Any) -> tuple[str, Any]:
        if do is None and self.practises:
            hall = self.hall()
            return hall.programme.games[0].method, [seat.name for seat in hall.company]
        wanted: Mapping[str, Any] = do if isinstance(do, Mapping) else {}
        return str(wanted.get("game")), wanted.get("names")

    async def seat(self, request: str, message: Message) -> Answer | dict[str, Any]:
        """Do what the person does on his telephone, `do`; without it return what it shows.

        Raises:
            NotAllowed: nothing is shown now.
        """
        if not self.practises:
            return NO_PRACTICE
        do = message.get("do")
        if not isinstance(do, dict):
            return await self.hand({**message, "ask": {"about": "hand"}}, PLAYER)
        return await self.ask(Command(request, read_act(do), PLAYER, "wire"))

    async def lead(self) -> None:
        """Do what the host would do now, once everybody had the time to say something before."""
        hall = self.hall()
        if hall is not self._looked:
            self._looked, self._practises = hall, self.practises
            table = hall.at_table
            self._due = self.now() + (WAITS_S if table and _may_speak(table) else LEADS_S)
        if not self._practises or self.now() < self._due or self.calling():
            return
        if (act := led(hall)) is not None:
            self._due = self.now() + WAITS_S  # if it is refused, it is tried once more
            await self.ask(Command(uuid.uuid4().hex, act, AT_THE_TABLE, "simulation"))


def led(hall: Hall) -> Act | SessionWish | None:
    """Return what a host does now without asking anybody; None where a player is to decide."""
    table = hall.at_table
    if table is None or waits_for_a_player(table):
        return None
    return act_of("draw", hall) or by_host(table)


def waits_for_a_player(table: Parlour) -> bool:
    """Return whether nothing goes on before a player has decided."""
    return table.rules.chance(table.state) is None and bool(_awaited(table))


def _awaited(table: Parlour) -> set[int]:
    return {actor for actor in table.rules.to_act(table.state) if isinstance(actor, int)}


def _may_speak(table: Parlour) -> bool:
    """Return whether a player may do something before chance decides."""
    rules, state = table.rules, table.state
    return any(
        move.seat == seat and tried(rules, state, move).legal
        for seat in _awaited(table) | {PERSON}
        for move in rules.actions(state, seat)
    )


def sits_down(names: Sequence[str]) -> Sit:
    """Return the act that seats a company of these: the first is the person."""
    players: Iterable[Player] = (
        Player(name=name, simulated=seat != PERSON) for seat, name in enumerate(names, 1)
    )
    return Sit(players=tuple(players))
