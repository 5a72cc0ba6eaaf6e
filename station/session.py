"""The only door to a night: command → check, next state and `then` (pure) → journal → adopt → tell.

Nothing is adopted, heard, lit or sent before its line is durable. One command at a time; each command id does its work once, also
across starts, and is answered the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station import checkpoint
from station.access import Person
from station.bag import Bag
from station.clock import Clock
from station.errors import Halted, LotoError, NotAllowed
from station.hall import Act, Hall, Open, act_to_json, apply, followed, parse_act
from station.nights import Night, bag_name

log = logging.getLogger(__name__)

REMEMBERED_REFUSALS = 1000  # and what else was answered without a line in the journal; a start forgets them
TAKES_EXPECT = frozenset({"draw", "undo", "pay", "close"})


class Reason(StrEnum):
    """Why the session refuses, before the hall is asked."""

    CHANGED = "changed-meanwhile"
    ENDING = "station-ending"
    HALTED = "halted"
    NO_BAG = "no-virtual-bag"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Command:
    """A wish, as it came in.

    Attributes:
        id: whoever sends it chooses it; the same id is the same wish.
        do: the act as a JSON object; a `draw` without a number asks the virtual bag.
        via: which input it came by: "button", "reader", "wire", "auto".
        expect: how many calls the sender believes in.
    """

    id: str
    do: Mapping[str, Any]
    by: Person
    via: str
    expect: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """Accepted; `seq` is its line in the journal."""

    seq: int

    def to_json(self) -> dict[str, Any]:
        """As it goes over the wire, but for the id."""
        return {"ok": True, "seq": self.seq}


@dataclass(frozen=True, slots=True)
class Refused:
    """Not accepted; `say` is the sentence for a person."""

    reason: str
    say: str

    def to_json(self) -> dict[str, Any]:
        """As it goes over the wire, but for the id."""
        return {"refused": {"reason": self.reason, "say": self.say}}


Answer: TypeAlias = Done | Refused


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is durable and adopted now."""

    seq: int
    act: Act
    via: str
    before: Hall
    after: Hall


class Session:
    """A night that is open.

    Args:
        night: from `station.nights.begin` or `resume`.
        tell: called with each change once it is durable and adopted, before its sender is answered; must not fail or wait.
        chance: for the virtual bag; None is the system's CSPRNG.
        key: signs the journal's head at each game's end; None signs nothing.
    """

    def __init__(
        self,
        night: Night,
        tell: Callable[[Change], None],
        clock: Clock | None = None,
        chance: Random | None = None,
        key: Ed25519PrivateKey | None = None,
    ) -> None:
        self._night = night
        self._tell = tell
        self._clock = clock or Clock()
        self._chance = chance
        self._key = key
        self._door = asyncio.Lock()
        self._ending = False
        self._answers: dict[str, Answer] = {key: Done(seq) for key, seq in night.answers.items()}
        self._passing: OrderedDict[str, Answer] = OrderedDict()  # answers that are no lines of the journal
        self._bag: Bag | None = night.load_bag()
        self.hall = night.hall
        self.seq = night.journal.head.seq  # of the line that led to `hall`: the writer may be one ahead

    @property
    def halted(self) -> str:
        """Why nothing more is accepted, or nothing."""
        return self._night.journal.halted

    async def close(self) -> None:
        """Waits for what is being recorded, and refuses what comes after it: the journal may be closed then."""
        self._ending = True
        async with self._door:
            pass

    def known(self, command_id: str) -> Answer | None:
        """What this command was answered before, if it came before."""
        return self._answers.get(command_id) or self._passing.get(command_id)

    async def submit(self, command: Command) -> Answer:
        """Does it or refuses it; never raises for what a sender can get wrong.

        Once begun it is finished, also when the sender hangs up: a durable line that nobody adopted would be a lie.
        """
        return await asyncio.shield(asyncio.ensure_future(self._submit(command)))

    async def _submit(self, command: Command) -> Answer:
        async with self._door:
            known = self.known(command.id)
            if known is not None:
                return known
            try:
                change = await self._do(command)
            except NotAllowed as error:
                return self.remember(command.id, Refused(str(error.reason), str(error)))
            except Halted as error:
                return self.remember(command.id, Refused(Reason.HALTED, str(error)))
            except LotoError as error:
                return self.remember(command.id, Refused(Reason.UNREADABLE, str(error)))
            answer = Done(change.seq)
            self._answers[command.id] = answer
            self._tell(change)
            await self._sign(change)
            return answer

    async def _sign(self, change: Change) -> None:
        """Keeps a checkpoint after a game's end and the night's; what was done stands, also where it cannot be written."""
        if self._key is None or change.act.act not in checkpoint.SIGNED_ACTS:
            return
        journal = self._night.journal
        data = checkpoint.make(change.after.night, change.after.opened, journal.head, self._key)
        try:
            await journal.keep(checkpoint.FILE, data)
        except Halted as error:
            log.error("the end of game %d is not signed: %s", change.after.opened, error)

    def remember(self, command_id: str, answer: Answer) -> Answer:
        """Keeps an answer that is no line of the journal: a command that comes again is not done after all, nor once more."""
        self._passing[command_id] = answer
        if len(self._passing) > REMEMBERED_REFUSALS:
            self._passing.popitem(last=False)
        return answer

    async def _do(self, command: Command) -> Change:
        if self.halted:
            raise Halted(self.halted)
        if self._ending:
            raise NotAllowed(Reason.ENDING, "the station is being ended: start it again, then do this")
        command.by.require(str(command.do.get("act", "")))
        self._check_expect(command)
        before = self.hall
        do, bag = self._with_chance(command.do)
        act = parse_act(do)
        after = apply(before, act)
        if bag is not None:
            await self._night.journal.keep(bag_name(after.opened), bag.to_json().encode())
        entry = {
            "id": command.id,
            **self._clock.stamp(),
            "by": command.by.name,
            "via": command.via,
            "do": act_to_json(act),
            "then": followed(before, after),
        }
        head = await self._night.journal.append(entry)
        self.hall, self.seq = after, head.seq
        if isinstance(act, Open):
            self._bag = bag
        return Change(head.seq, act, command.via, before, after)

    def _check_expect(self, command: Command) -> None:
        game = self.hall.game
        calls = len(game.called) if game is not None else 0
        if command.expect is not None and command.do.get("act") in TAKES_EXPECT and command.expect != calls:
            raise NotAllowed(
                Reason.CHANGED, f"{command.expect} calls were expected, there are {calls}: look at the board, then try again"
            )

    def _with_chance(self, do: Mapping[str, Any]) -> tuple[Mapping[str, Any], Bag | None]:
        """Completes an act with what chance must say: the bag of a game that opens, the number of a draw."""
        if do.get("act") == "open" and self.hall.playing is None:
            bag = Bag.shuffled(self._chance)
            return {**do, "bag": bag.commitment}, bag
        if do.get("act") == "draw" and do.get("number") is None:
            game = self.hall.playing
            if game is not None and self._bag is None:
                raise NotAllowed(Reason.NO_BAG, "this game has no virtual bag: lay a knob on the reader, or key its number")
            if game is not None and self._bag is not None and not game.stopped and game.stage is not None:
                return {**do, "number": self._bag.next(game.called)}, None
            return {**do, "number": 1}, None  # the rules refuse it, whatever the number
        return do, None
