"""Guard a night as its only door: a command becomes a line of the journal, then a state.

A pause of the programme is timed: when it began, and when it ends. It is the station's own clock
that counts, which only grows; the time of day is told only where the network has set it, for a Pi
has no clock chip. After a start nobody knows when the pause began.

A command is checked, makes the next state (pure), is written, is adopted, and is then told to all.
No act is adopted, heard, lit or sent before its line is durable. One command at a time; each
command id does its work once, even across restarts, and always gets the same answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from random import Random, SystemRandom
from typing import Any

from station.base.clock import Clock, Jumps
from station.base.errors import Halted, LotoError, NotAllowed
from station.base.said import Sentence, said, verbatim
from station.night.acts import (
    Act,
    Break,
    ClaimCard,
    CloseGame,
    Commit,
    MakeMove,
    Mix,
    Note,
    Open,
    Renew,
    act_to_json,
)
from station.night.fair import no_words
from station.night.hall import Hall, apply, followed
from station.night.losses import Loss, loss_of, mark_of
from station.night.table.choices import may_ask
from station.night.table.game import GameInPlay
from station.night.table.luck import FirstCome, own_throw, recorded
from station.people.roles import STATION, Person, Role
from station.proof.leaves import Way
from station.record import hidden
from station.record.luck import LuckKeeper, NightLuck
from station.record.nights import Night, Recorded, untouched
from station.record.requests import (
    Answer,
    Change,
    Command,
    Done,
    DrawNext,
    HeldNumber,
    Refused,
    SeeNext,
    SessionReason,
    SessionWish,
    became,
    digest_of,
)
from station.record.traces import HEADS

MINUTE_S = 60


class PauseClock:
    """The time of the pause after the last game, where it has one.

    Attributes:
        until: when it ends, by the hall's clock, "20:40"; empty where that is not known.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ends: float | None = None
        self.until = ""

    def recorded(self, act: Act, hall: Hall) -> None:
        """Take note of an act and of the night after it: the end of a game begins its pause."""
        if not isinstance(act, CloseGame | Break):
            return
        self._ends, self.until = None, ""
        pause = hall.plan.pause if hall.plan is not None else None
        if pause is None or not pause.minutes:
            return
        takes = pause.minutes * MINUTE_S
        self._ends = self._clock.mono() + takes
        if self._clock.trusted():
            self.until = f"{datetime.fromtimestamp(self._clock.wall() + takes):%H:%M}"

    def left_s(self) -> float | None:
        """Return the seconds that it still takes, fewer than none when it is over; None where that
        is not known."""
        return None if self._ends is None else round(self._ends - self._clock.mono(), 1)


# -- the door --------------------------------------------------------------------------------------

log = logging.getLogger(__name__)

# and what else was answered without a line in the journal; a start forgets them
REMEMBERED_REFUSALS = 1000
LOOK_AHEAD_S = 0.05  # after an announcement: its sound and light are on their way by then
TAKES_EXPECT = frozenset({"draw", "undo", "pay", "close", "shake", "move"})
TAKES_SEEN = TAKES_EXPECT - {"pay"} | {"sit", "join", "open", "break", "skip", "close-night"}


@dataclass(frozen=True, slots=True)
class ActOutcome:
    """The result of an act, ready to be recorded.

    Attributes:
        before: the state before the act.
        after: the state after it.
        do: the act in the form of the journal.
        then: the result in the form of the journal.
    """

    before: Hall
    act: Act
    after: Hall
    do: dict[str, Any]
    then: dict[str, Any]

    @classmethod
    def of(cls, before: Hall, act: Act, after: Hall) -> ActOutcome:
        """Return the result of an act that leads from one state to another."""
        return cls(before, act, after, act_to_json(act), followed(before, after))


async def no_next_night(_: Command) -> Answer:
    """Refuse the request: nobody here can begin another night."""
    return Refused(
        SessionReason.NO_NEXT_NIGHT, said("no other night can begin here: start the station again")
    )


class Session:
    """A night that is open.

    Args:
        night: from `station.record.nights.begin` or `resume`.
        tell: called with each change once it is durable and adopted, before its sender is answered;
            must not fail or wait.
        chance: the virtual bag's luck; None is the system's CSPRNG.
        before: the session of the night before, if the station kept running: its commands are known
            when they come again.
        way: how the virtual bags are committed to.
        keeper: keeps the bag's secrets, should the process die.
    """

    def __init__(
        self,
        night: Night,
        tell: Callable[[Change], None],
        clock: Clock | None = None,
        chance: Random | None = None,
        before: Session | None = None,
        way: Way = Way.COMMITTED,
        keeper: LuckKeeper | None = None,
    ) -> None:
        self._night = night
        self._tell = tell
        self._clock = clock or Clock()
        self.pause = PauseClock(self._clock)
        self._door = asyncio.Lock()
        self._ending = False
        self._jumps = Jumps(self._clock, night.last_at)
        self._recorded: dict[str, Recorded] = dict(night.answers)
        # answers that are no lines of the journal
        self._passing: OrderedDict[str, tuple[bytes, Answer]] = OrderedDict()
        self._earlier: Mapping[str, Recorded] = {}  # of the night before, where the station ran on
        if before is not None:
            self._passing, self._earlier = before._passing, before._recorded
        self.hall = night.hall
        self._luck = NightLuck(
            night.hall,
            chance or SystemRandom(),
            night.journal.signer.public,
            self._clock.wall,
            way,
            keeper or LuckKeeper(),
        )
        # of the line that led to `hall`: the writer may be one ahead
        self._head = night.journal.head
        self._ahead: ActOutcome | None = None  # of the next draw, before anybody asks for it

    @property
    def seq(self) -> int:
        """Return the number of the last line that was adopted."""
        return self._head.seq

    @property
    def head(self) -> str:
        """Return the signed head of the tree over all lines up to that one."""
        signer = self._night.journal.signer
        return self._head.note(signer.public, signer.night)

    @property
    def halted(self) -> str:
        """Return why nothing more is accepted; empty while commands are."""
        return self._night.journal.halted

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """Keep anything from being recorded meanwhile: commands wait."""
        async with self._door:
            yield

    async def close(self) -> None:
        """Wait for what is being recorded, and refuse the rest: the journal may be closed then."""
        self._ending = True
        async with self._door:
            pass

    def upcoming(self) -> int | None:
        """Return the number that the virtual bag would give now (`NightLuck.upcoming`)."""
        return self._luck.upcoming(self.hall) if self.gives else None

    @property
    def gives(self) -> bool:
        """Return whether the virtual bag gives a number now."""
        return not self.halted and not self._ending and self._luck.gives(self.hall)

    @property
    def lost_luck(self) -> bool:
        """Return whether the open game's bag must be committed to again."""
        return self._luck.lost(self.hall)

    @property
    def lost_table(self) -> bool:
        """Return whether the table's luck must be committed to again."""
        return self._luck.lost_table(self.hall)

    @property
    def misfit(self) -> bool:
        """Return whether secrets were handed over that belong to no open bag or table."""
        return self._luck.misfit

    @property
    def untouched(self) -> bool:
        """Return whether nothing was sold, agreed on, opened or called in this night."""
        return untouched(self._recorded.values())

    def known(self, command: Command) -> Answer | None:
        """Return the answer if this command came before; a refusal if another had its id."""
        recorded = self._recorded.get(command.id) or self._earlier.get(command.id)
        if recorded is not None:
            if became(command, recorded):
                return _done(recorded.seq, recorded.do)
            return _id_used(said("line {seq}", seq=recorded.seq))
        if (passing := self._passing.get(command.id)) is not None:
            if passing[0] == digest_of(command):
                return passing[1]
            return _id_used(said("something that is no line of the journal"))
        return None

    async def submit(self, command: Command) -> Answer:
        """Do what a command asks, or refuse it; never raise for a sender's mistake.

        Once begun it is finished, even if the sender hangs up: a durable line that nobody adopted
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
                seen = self.mark(command) if error.reason is SessionReason.SURE else ""
                return self.remember(command, Refused(error.reason, error.said, seen))
            except LotoError as error:
                halted = isinstance(error, Halted)
                reason = SessionReason.HALTED if halted else SessionReason.UNREADABLE
                return self.remember(command, Refused(reason, verbatim(str(error))))
            self._tell(change)
            asyncio.get_running_loop().call_later(LOOK_AHEAD_S, self._look_ahead, self.hall)
            await self._keep_head(change)
            return _done(change.seq, act_to_json(change.act))

    async def _keep_head(self, change: Change) -> None:
        """Keep the record's head at the end of a game and of the night; without it, what was done
        stands."""
        if not keeps_head(change.before, change.after):
            return
        try:
            await self._night.journal.keep_more(HEADS, self.head.encode())
        except Halted as error:
            log.error("the head after game %d is not kept: %s", change.after.opened, error)

    def remember(self, command: Command, answer: Answer) -> Answer:
        """Keep an answer that is no line of the journal, for a command that comes again."""
        self._passing[command.id] = digest_of(command), answer
        if len(self._passing) > REMEMBERED_REFUSALS:
            self._passing.popitem(last=False)
        return answer

    async def _do(self, command: Command) -> Change:
        if self.halted:
            raise Halted(self.halted)
        if self._ending:
            raise NotAllowed(
                SessionReason.ENDING, "the station is being ended: start it again, then do this"
            )
        command.by.require(command.act.act)
        self._check_belief(command)
        await self._commit_first(command)
        before = self.hall
        outcome = self._outcome(command)
        act, after = outcome.act, outcome.after
        # Nobody is asked before a refusal.
        self._require_sure(command, act)
        journal = self._night.journal
        if isinstance(act, MakeMove) and act.part is not None:
            await journal.keep_more(hidden.FILE, hidden.line_of(act.part), private=True)
        if jump := self._jumps.look():
            # Nobody's wish: it stands in the journal before the first line of the new time.
            note, name = Note(about="clock", what=jump), f"clock-{before.night}-{self.seq + 1}"
            self._tell(
                await self._record(name, STATION, "clock", ActOutcome.of(before, note, before))
            )
        change = await self._record(command.id, command.by, command.via, outcome)
        # When a hand is over: its parts stand in this line.
        if after.table is not None and after.table is not before.table and after.table.unsealed:
            await journal.drop(hidden.FILE)
        return change

    def _outcome(self, command: Command) -> ActOutcome:
        """Return the result of a command.

        Raises:
            NotAllowed: it is against the rules.
        """
        hall, ahead = self.hall, self._ahead
        if not isinstance(command.act, DrawNext) or ahead is None or ahead.before is not hall:
            ahead = None
        act = self._luck.completed(hall, command.act) if ahead is None else ahead.act
        if command.by.role is Role.SEAT:
            _require_own_move(command.by, command.act, hall.open_game)
        if isinstance(act, ClaimCard):
            _require_in_pack(act.serial, hall)
        return ahead or ActOutcome.of(hall, act, apply(hall, act))

    def _look_ahead(self, hall: Hall) -> None:
        """Work out the next draw, if this is the state still and a leaf is there that decides it:
        who draws then waits for the disk alone."""
        if hall is not self.hall or self.upcoming() is None:
            return
        act = self._luck.next_number(hall, DrawNext())
        with suppress(NotAllowed):
            self._ahead = ActOutcome.of(hall, act, apply(hall, act))

    async def _commit_first(self, command: Command) -> None:
        """Record what the next leaf is committed to with, where an act needs one and none is left.

        Raises:
            NotAllowed: no leaf is to be opened: it is refused whatever chance decides, or it is the
                hall's words, which were said before the root was recorded.
        """
        act: Renew | Commit
        if self._luck.wants_bag(self.hall, command.act):
            act = self._luck.renewed(self.hall)
        elif self._luck.wants_table(self.hall, command.act):
            self._require_possible(command)
            act = self._luck.anew(self.hall)
        else:
            return
        outcome = ActOutcome.of(self.hall, act, apply(self.hall, act))
        name = f"luck-{self.hall.night}-{self.seq + 1}"
        self._tell(await self._record(name, STATION, "luck", outcome))
        if isinstance(command.act, Mix):
            raise no_words()

    def _require_possible(self, command: Command) -> None:
        """Refuse what the hall would refuse whatever chance decides, before a root is recorded."""
        hall, act = self.hall, command.act
        if isinstance(act, MakeMove) and hall.open_game is not None:
            if command.by.role is Role.SEAT:
                _require_own_move(command.by, act, hall.open_game)
            apply(hall, recorded(hall.open_game, act, FirstCome()))
        else:
            dealt = hall.next_plan.dealt if hall.next_plan is not None else 0
            apply(hall, Open(deal=hall.pack.serials[:dealt]))

    async def _record(self, command_id: str, by: Person, via: str, outcome: ActOutcome) -> Change:
        """Write the line of an act that is allowed, and adopt the state that it leads to."""
        told = {"id": command_id, **self._clock.stamp(), "by": by.name, "via": via}
        self._luck.keep(outcome.after)
        entry = {**told, "do": outcome.do, "then": outcome.then}
        self._head = await self._night.journal.append(entry)
        self.hall = outcome.after
        self._luck.adopt()
        self._recorded[command_id] = Recorded(self.seq, by.name, outcome.do)
        self.pause.recorded(outcome.act, outcome.after)
        return Change(self.seq, outcome.act, via, outcome.before, outcome.after)

    def _require_sure(self, command: Command, act: Act) -> None:
        """Ask once where something would be lost. Who is sure has seen the state that it is of."""
        if command.sure and command.seen:
            return
        if loss := self.loss(act):
            raise NotAllowed(SessionReason.SURE, loss.said)

    def loss(self, act: Act) -> Loss | None:
        """Return what would be lost by an act now; None if nothing would be."""
        return loss_of(self.hall, act, test=self._night.test)

    def _check_belief(self, command: Command) -> None:
        expected, act = command.expect, command.act.act
        if expected is not None and act in TAKES_EXPECT and expected != self.hall.calls:
            raise NotAllowed(
                SessionReason.CHANGED,
                "{expected} calls were expected, there are {calls}: look at the board, then try"
                " again",
                expected=expected,
                calls=self.hall.calls,
            )
        if command.seen is not None and act in TAKES_SEEN and command.seen != self.mark(command):
            meanwhile = said(
                "meanwhile something was done"
                if command.seen.isdecimal()
                else "meanwhile something was done at the table"
            )
            raise NotAllowed(
                SessionReason.CHANGED,
                "{meanwhile}: nothing is done twice; look again, then say what is still wanted",
                meanwhile=meanwhile,
            )

    def mark(self, command: Command) -> str:
        """Return what a command that goes by the present state has seen."""
        return mark_of(self.hall, command.act.act, self.seq)


def _require_in_pack(serial: str, hall: Hall) -> None:
    """Refuse a misread serial, which is no claim of anybody's."""
    if serial in hall.pack:
        return
    why = said("is not in the pack: check the serial") if hall.pack.serials else hall.pack.lacking
    raise NotAllowed(SessionReason.NOT_IN_PACK, "card {serial} {why}", serial=serial, why=why)


def _require_own_move(by: Person, act: Act | SessionWish, table: GameInPlay | None) -> None:
    """Refuse anything but a move of the sender's own seat, or its throw, from somebody at the
    table. A throw is asked for without what the dice show: the station adds that."""
    law = own_throw(table, by.seat)
    if isinstance(act, MakeMove) and law is not None and act.move == {"do": law.do}:
        return
    if not isinstance(act, MakeMove) or table is None or not may_ask(table, by.seat, act.move):
        raise NotAllowed(
            SessionReason.NOT_YOUR_SEAT, "that is not yours to do now: wait for your turn"
        )


def _done(seq: int, do: Mapping[str, Any]) -> Done:
    """Return the answer to a command that became a line: a number that was to be seen is in it."""
    return HeldNumber(seq, do["number"]) if do.get("act") == SeeNext.kind else Done(seq)


def keeps_head(before: Hall, after: Hall) -> bool:
    """Return whether a game or the night ended between these states: the record's head is kept."""
    return (before.game_open and not after.game_open) or after.closed


def _id_used(what: Sentence) -> Refused:
    return Refused(
        SessionReason.ID_USED,
        said(
            "another command had this id, and became {what}: nothing was done; send it with an id"
            " of its own",
            what=what,
        ),
    )
