"""The only door to a night: command → check, next state and `then` (pure) → journal → adopt → tell.

Nothing is adopted, heard, lit or sent before its line is durable. One command at a time; each
command id does its work once, also across starts, and is answered the same.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from random import Random, SystemRandom
from typing import Any, TypeAlias

from station.base.clock import Clock, Jumps
from station.base.errors import SURE_FIRST, Halted, LotoError, NotAllowed, Unreadable
from station.night.acts import NEXT_NIGHT
from station.night.bag import Bag
from station.night.fields import refuse_unseen
from station.night.hall import Act, Claim, Hall, Move, Note, act_to_json, apply, followed, parse_act
from station.night.losses import loss_of, mark_of
from station.night.opening import OPENED
from station.night.readiness import ALL_KNOBS
from station.night.table.choices import may_ask
from station.night.table.game import Parlour, next_step
from station.night.table.luck import is_that, recorded
from station.people.roles import STATION, Person, Role
from station.record import checkpoint, secrets
from station.record.nights import Night, Recorded, bag_name

log = logging.getLogger(__name__)

# and what else was answered without a line in the journal; a start forgets them
REMEMBERED_REFUSALS = 1000
TAKES_EXPECT = frozenset({"draw", "undo", "pay", "close", "shake", "move"})
TAKES_SEEN = frozenset(
    {"sit", "join", "open", "shake", "draw", "undo", "move", "close", "break", "close-night"}
)


class Reason(StrEnum):
    """Why the session refuses, before the hall is asked."""

    CHANGED = "changed-meanwhile"
    ENDING = "station-ending"
    HALTED = "halted"
    ID_USED = "id-used"
    NO_BAG = "no-virtual-bag"
    NO_NEXT_NIGHT = "no-next-night"
    NIGHT_OPEN = "night-open"
    NOT_IN_PACK = "not-in-pack"
    SURE = SURE_FIRST
    NOT_YOUR_SEAT = "not-your-seat"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Command:
    """A wish, as it came in.

    Attributes:
        id: whoever sends it chooses it, a new one for each wish. A command that comes again with
            its id is answered the same and not done again; one with the id of another's, or of
            another act, is refused.
        do: the act as a JSON object; a `draw` without a number asks the virtual bag.
        via: which input it came by: "button", "reader", "keyed", "wire", "auto".
        expect: how many calls the sender believes in.
        seen: what the sender saw (`station.night.losses.mark_of`): the table, or the last line of
            the journal.
        sure: what would be lost by it was told, and it is wanted all the same.
    """

    id: str
    do: Mapping[str, Any]
    by: Person
    via: str
    expect: int | None = None
    seen: str | None = None
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """Accepted; `seq` is its line in the journal."""

    seq: int

    def to_json(self) -> dict[str, Any]:
        """As it goes over the wire, but for the id."""
        return {"ok": True, "seq": self.seq}


@dataclass(frozen=True, slots=True)
class Refused:
    """Not accepted; `say` is the sentence for a person.

    Attributes:
        seen: of an act that is done when it comes again with `sure`: what it must have seen then.
    """

    reason: str
    say: str
    seen: str = ""

    @property
    def asks(self) -> bool:
        """Whether somebody must be sure first."""
        return self.reason == Reason.SURE

    def to_json(self) -> dict[str, Any]:
        """As it goes over the wire, but for the id."""
        return {
            "refused": {
                "reason": self.reason,
                "say": self.say,
                **({"seen": self.seen} if self.seen else {}),
            }
        }


Answer: TypeAlias = Done | Refused


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is durable and adopted now."""

    seq: int
    act: Act
    via: str
    before: Hall
    after: Hall


async def no_next_night(_: Command) -> Answer:
    """Refuses: nobody here can begin another night."""
    return Refused(Reason.NO_NEXT_NIGHT, "no other night can begin here: start the station again")


class Session:
    """A night that is open.

    Args:
        night: from `station.record.nights.begin` or `resume`.
        tell: called with each change once it is durable and adopted, before its sender is answered;
            must not fail or wait.
        chance: for the virtual bag; None is the system's CSPRNG.
        key: signs the journal's head at each game's end; None signs nothing.
        sums: writes a sum of money in what a refusal says.
        before: of the night that this one follows while the station runs: a command that comes
            again is known.
    """

    def __init__(
        self,
        night: Night,
        tell: Callable[[Change], None],
        clock: Clock | None = None,
        chance: Random | None = None,
        key: checkpoint.Key | None = None,
        sums: Callable[[int], str] = str,
        before: Session | None = None,
    ) -> None:
        self._night = night
        self._sums = sums
        self._tell = tell
        self._clock = clock or Clock()
        self._chance = chance
        self._key = key
        self._door = asyncio.Lock()
        self._ending = False
        self._jumps = Jumps(self._clock, night.last_at)
        self._recorded: dict[str, Recorded] = dict(night.answers)
        # answers that are no lines of the journal
        self._passing: OrderedDict[str, tuple[bytes, Answer]] = OrderedDict()
        self._earlier: Mapping[str, Recorded] = {}  # of the night before, where the station ran on
        if before is not None:
            self._passing, self._earlier = before._passing, before._recorded
        self._bag: Bag | None = night.load_bag()
        self.hall = night.hall
        # of the line that led to `hall`: the writer may be one ahead
        self.seq = night.journal.head.seq

    @property
    def halted(self) -> str:
        """Why nothing more is accepted, or nothing."""
        return self._night.journal.halted

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """While this is held nothing is recorded: what is asked for meanwhile waits."""
        async with self._door:
            yield

    async def close(self) -> None:
        """Waits for what is being recorded, and refuses what comes after it: the journal may be
        closed then."""
        self._ending = True
        async with self._door:
            pass

    def upcoming(self) -> int | None:
        """The number that a draw from the virtual bag would call now; None when it would be
        refused.

        It may be seen before it is called (H8) and nothing is recorded of that: the bag's order is
        fixed and durable since the game opened, so that the number seen is the next one called,
        after a power cut too.
        """
        game, table = self.hall.playing, self.hall.at_table
        if self.halted or self._ending or self._bag is None:
            return None
        if table is not None:
            return self._bag.next(_gone(table)) if next_step(table) == "draw" else None
        if game is None or game.stopped or game.stage is None:
            return None
        return self._bag.next(game.called) if len(game.called) < len(self._bag.order) else None

    def known(self, command: Command) -> Answer | None:
        """What this command was answered before, if it came before; a refusal if another did that
        had its id."""
        recorded = self._recorded.get(command.id) or self._earlier.get(command.id)
        if recorded is not None:
            return (
                Done(recorded.seq)
                if _became(command, recorded)
                else _id_used(f"line {recorded.seq}")
            )
        if (passing := self._passing.get(command.id)) is not None:
            return (
                passing[1]
                if passing[0] == _digest(command)
                else _id_used("something that is no line of the journal")
            )
        return None

    async def submit(self, command: Command) -> Answer:
        """Does it or refuses it; never raises for what a sender can get wrong.

        Once begun it is finished, also when the sender hangs up: a durable line that nobody adopted
        would be a lie.
        """
        return await asyncio.shield(asyncio.ensure_future(self._submit(command)))

    async def _submit(self, command: Command) -> Answer:
        async with self._door:
            known = self.known(command)
            if known is not None:
                return known
            try:
                change = await self._do(command)
            except NotAllowed as error:
                seen = self.mark(command) if error.reason is Reason.SURE else ""
                return self.remember(
                    command, Refused(str(error.reason), error.told(self._sums), seen)
                )
            except Halted as error:
                return self.remember(command, Refused(Reason.HALTED, str(error)))
            except LotoError as error:
                return self.remember(command, Refused(Reason.UNREADABLE, str(error)))
            self._tell(change)
            await self._sign(change)
            return Done(change.seq)

    async def _sign(self, change: Change) -> None:
        """Keeps a checkpoint after a game's end and the night's; what was done stands, also where
        it cannot be written."""
        if self._key is None or not ends(change.before, change.after):
            return
        journal = self._night.journal
        data = checkpoint.make(change.after.night, change.after.opened, journal.head, self._key)
        try:
            await journal.keep_more(checkpoint.FILE, data)
        except Halted as error:
            log.error("the end of game %d is not signed: %s", change.after.opened, error)

    def remember(self, command: Command, answer: Answer) -> Answer:
        """Keeps an answer that is no line of the journal: a command that comes again is not done
        after all, nor once more."""
        self._passing[command.id] = _digest(command), answer
        if len(self._passing) > REMEMBERED_REFUSALS:
            self._passing.popitem(last=False)
        return answer

    async def _do(self, command: Command) -> Change:
        if self.halted:
            raise Halted(self.halted)
        if self._ending:
            raise NotAllowed(
                Reason.ENDING, "the station is being ended: start it again, then do this"
            )
        command.by.require(str(command.do.get("act", "")))
        self._check_belief(command)
        before = self.hall
        do, bag = self._with_chance(command.do)
        act = parse_act(do)
        refuse_unseen(do)
        if command.by.role is Role.SEAT:
            _require_own_move(command.by, act, before.at_table)
        if isinstance(act, Move) and before.at_table is not None:
            luck = self._chance or SystemRandom()
            act = recorded(before.at_table, act, luck, f"{luck.getrandbits(128):032x}")
        if isinstance(act, Claim) and act.serial not in before.pack:
            # Misread, and no claim of anybody's. Journals of nights before may hold such claims:
            # the hall itself plays them.
            why = (
                "is not in the pack: look at the serial again"
                if before.pack.serials
                else before.pack.lacking
            )
            raise NotAllowed(Reason.NOT_IN_PACK, f"card {act.serial} {why}")
        after = apply(before, act)
        # Whoever is sure has seen what the loss was told of; of another state it was not told.
        # Nobody is asked before a refusal.
        if not (command.sure and command.seen) and (
            loss := loss_of(before, act, test=self._night.test)
        ):
            raise NotAllowed(Reason.SURE, *loss.said)
        if bag is not None:
            await self._night.journal.keep(bag_name(after), bag.to_json().encode())
        if isinstance(act, Move) and act.part is not None:
            await self._night.journal.keep_secret(secrets.FILE, secrets.line_of(act.part))
        if jump := self._jumps.look():
            # Nobody's wish: it stands in the journal before the first line of the new time.
            note = Note(about="clock", what=jump)
            self._tell(
                await self._record(
                    f"clock-{before.night}-{self.seq + 1}", STATION, "clock", note, before
                )
            )
        change = await self._record(command.id, command.by, command.via, act, after)
        if after.table is not None and after.table.unsealed:
            await self._night.journal.drop(secrets.FILE)
        if after.bag != before.bag:
            self._bag = bag
        return change

    async def _record(self, command_id: str, by: Person, via: str, act: Act, after: Hall) -> Change:
        """Writes the line of an act that is allowed, and adopts what it leads to."""
        before, do = self.hall, act_to_json(act)
        entry = {
            "id": command_id,
            **self._clock.stamp(),
            "by": by.name,
            "via": via,
            "do": do,
            "then": followed(before, after),
        }
        head = await self._night.journal.append(entry)
        self.hall, self.seq = after, head.seq
        self._recorded[command_id] = Recorded(head.seq, by.name, do)
        return Change(head.seq, act, via, before, after)

    def _check_belief(self, command: Command) -> None:
        calls, act = self.hall.calls, command.do.get("act")
        if command.expect is not None and act in TAKES_EXPECT and command.expect != calls:
            raise NotAllowed(
                Reason.CHANGED,
                f"{command.expect} calls were expected, there are {calls}: look at the board, then"
                " try again",
            )
        if command.seen is not None and act in TAKES_SEEN and command.seen != self.mark(command):
            where = "" if command.seen.isdecimal() else " at the table"
            raise NotAllowed(
                Reason.CHANGED,
                f"meanwhile something was done{where}: nothing is done twice; look again, then say"
                " what is still wanted",
            )

    def mark(self, command: Command) -> str:
        """What a command that goes by the state of now has seen."""
        return mark_of(self.hall, str(command.do.get("act")), self.seq)

    def _with_chance(self, do: Mapping[str, Any]) -> tuple[Mapping[str, Any], Bag | None]:
        """Completes an act with what chance must say: the deal or bag of a game that opens, a
        shaken bag, the number drawn."""
        hall, table = self.hall, self.hall.at_table
        if do.get("act") == "open" and not hall.game_open:
            if (plan := hall.next_plan) is not None and plan.at_table:
                deal = list(hall.pack.serials[: plan.cards_dealt])
                (self._chance or SystemRandom()).shuffle(deal)
                return {**do, "bag": "", "knobs": None, "deal": deal}, None
            bag = Bag.shuffled(self._chance)
            return {**do, "bag": bag.commitment, "knobs": bag.counted, "deal": ()}, bag
        if do.get("act") == "shake" and table is not None:
            if hall.bag:  # counted again: the order that was kept stands until the drawing is over
                return {**do, "bag": hall.bag}, None
            bag = Bag.shuffled(self._chance)
            return {**do, "bag": bag.commitment}, bag
        if do.get("act") == "draw" and do.get("number") is None and table is not None:
            # Where no knob may come, the rules refuse it, whatever the number.
            number = (
                self._bag.next(_gone(table)) if self._bag is not None else min(table.bag, default=1)
            )
            return {**do, "number": number}, None
        if do.get("act") == "draw" and do.get("number") is None:
            game = self.hall.playing
            if game is not None and self._bag is None:
                raise NotAllowed(
                    Reason.NO_BAG,
                    "this game has no virtual bag: lay a knob on the reader, or key its number",
                )
            if (
                game is not None
                and self._bag is not None
                and not game.stopped
                and game.stage is not None
            ):
                return {**do, "number": self._bag.next(game.called)}, None
            return {**do, "number": 1}, None  # the rules refuse it, whatever the number
        return do, None


def _require_own_move(by: Person, act: Act, table: Parlour | None) -> None:
    """See that somebody at the table asks for nothing but a move of his own seat."""
    if not isinstance(act, Move) or table is None or not may_ask(table, by.seat, act.move):
        raise NotAllowed(Reason.NOT_YOUR_SEAT, "that is not yours to do now: wait for your turn")


def ends(before: Hall, after: Hall) -> bool:
    """Whether a game or the night ended with what was done between: its line is signed before the
    next one is written."""
    return (before.game_open and not after.game_open) or after.closed


def _gone(table: Parlour) -> frozenset[int]:
    """The knobs that are not in the bag."""
    return ALL_KNOBS - table.bag


def _became(command: Command, line: Recorded) -> bool:
    """Whether this is the command that became that line: the same act from the same person, but for
    what chance added."""
    if command.by.name != line.by:
        return False
    if line.do.get("act") == OPENED:
        return command.do.get("act") == NEXT_NIGHT
    if command.do.get("act") != line.do.get("act"):
        return False
    do = dict(command.do)
    if do.get("act") == "move" and isinstance(do.get("move"), Mapping):
        return is_that(do["move"], line.do["move"])
    for added in ("bag", "knobs", "number", "deal"):
        if added in line.do and (added != "number" or do.get(added) is None):
            do[added] = line.do[added]
    try:
        return act_to_json(parse_act(do)) == line.do
    except Unreadable:
        return False


def _digest(command: Command) -> bytes:
    """Stands for the person and the act: a refused command may be large, and many are
    remembered."""
    try:
        said = json.dumps(dict(command.do), sort_keys=True)
    except RecursionError:  # it could be read, a few calls less deep; no act is like that
        said = "nested"
    return hashlib.sha256(f"{command.by.name}\n{said}".encode()).digest()


def _id_used(what: str) -> Refused:
    return Refused(
        Reason.ID_USED,
        f"another command had this id, and became {what}: nothing was done; send it with an id of"
        " its own",
    )
