"""Guard a night as its only door: command → check, next state (pure) → journal → adopt → tell.

No act is adopted, heard, lit or sent before its line is durable. One command at a time; each
command id does its work once, even across restarts, and always gets the same answer.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random, SystemRandom
from secrets import token_hex
from typing import Any, ClassVar, TypeAlias, cast

from station.base.clock import Clock, Jumps
from station.base.errors import SURE_FIRST, Halted, LotoError, NotAllowed, Unreadable
from station.base.leaves import (
    LEAVES,
    SECRET,
    Binding,
    Commitment,
    OpenedLeaf,
    Secrets,
    Source,
    Way,
)
from station.base.merkle import Edge
from station.base.nouns import KNOBS
from station.base.said import Sentence, said, verbatim
from station.base.tongue import tr
from station.night.acts import (
    NEXT_NIGHT,
    Act,
    ClaimCard,
    Commit,
    DrawKnob,
    MakeMove,
    Mix,
    Note,
    Open,
    Renew,
    See,
    Shake,
    Sit,
    TakeSealed,
    act_to_json,
    parse_act,
)
from station.night.bag import Bag, bag_empty
from station.night.fair import FairBag, no_number, no_words
from station.night.fields import refuse_mixed, refuse_unseen
from station.night.hall import Hall, apply, followed
from station.night.losses import Loss, loss_of, mark_of
from station.night.opening import OPENED
from station.night.readiness import ALL_KNOBS
from station.night.sealed_play import commitment_of
from station.night.table.choices import may_ask
from station.night.table.game import Parlour, next_step
from station.night.table.leaves import NO_DRAWING, TableCommitment, TableLeaves
from station.night.table.luck import FirstCome, decides, is_that, own_throw, recorded
from station.people.roles import STATION, Person, Role
from station.programme.programme import Programme
from station.record import checkpoint, hidden, sealed_games
from station.record.heads import headed, sign_head
from station.record.nights import Night, Recorded, untouched
from station.record.pauses import PauseClock

log = logging.getLogger(__name__)

# and what else was answered without a line in the journal; a start forgets them
REMEMBERED_REFUSALS = 1000
LOOK_AHEAD_S = 0.05  # after an announcement: its sound and light are on their way by then
TAKES_EXPECT = frozenset({"draw", "undo", "pay", "close", "shake", "move"})
_OF_CHANCE = {  # added by the station
    "sit": ("luck",),
    "open": ("bag", "luck", "knobs", "deal", "leaf", "sealed"),
    "move": ("chance", "later"),
    "shake": ("bag", "luck", "away"),
    "draw": ("leaf", "again"),
}
TAKES_SEEN = TAKES_EXPECT - {"pay"} | {"sit", "join", "open", "break", "skip", "close-night"}


class SessionReason(StrEnum):
    """Reasons for which the session refuses before the hall is asked."""

    CHANGED = "changed-meanwhile"
    ENDING = "station-ending"
    HALTED = "halted"
    ID_USED = "id-used"
    NO_BAG = "no-virtual-bag"
    NO_NEXT_NIGHT = "no-next-night"
    NOTHING_LOST = "nothing-lost"
    NOTHING_TO_SEE = "nothing-to-see"
    NIGHT_OPEN = "night-open"
    NOT_IN_PACK = "not-in-pack"
    SURE = SURE_FIRST
    NOT_YOUR_SEAT = "not-your-seat"
    KEY_MISSING = "key-missing"
    UNREADABLE = "unreadable"


class SessionWish:
    """A request that is no act of the night as it stands."""

    __slots__ = ()
    kind: ClassVar[str] = ""

    @property
    def act(self) -> str:
        """Return its name, like an act's."""
        return self.kind


@dataclass(frozen=True, slots=True)
class DrawNext(SessionWish):
    """A draw of the next number, which the virtual bag decides."""

    kind: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Ahead:
    """The next draw, worked out before anybody asks for it.

    Attributes:
        before: the state that it is drawn in.
        after: what it leads to.
    """

    before: Hall
    act: Act
    after: Hall


@dataclass(frozen=True, slots=True)
class SeeNext(SessionWish):
    """A look at the number that the virtual bag gives next: it is recorded before it is seen.

    No message asks for it: the desk does, for somebody who may `hold` a number.
    """

    kind: ClassVar[str] = "see"

    @property
    def act(self) -> str:
        """Return the name of what one must be allowed to do."""
        return "hold"


@dataclass(frozen=True, slots=True)
class RenewLuck(SessionWish):
    """A request to commit to the rest of the bag anew, after its secrets were lost."""

    kind: ClassVar[str] = "renew"


@dataclass(frozen=True, slots=True)
class CommitTable(SessionWish):
    """A request to commit to the table's luck anew."""

    kind: ClassVar[str] = "commit"


@dataclass(frozen=True, slots=True)
class NextNight(SessionWish):
    """A request for the night after this one, which is closed.

    Attributes:
        programme: played then; None for that which is in force. It is never read from a message.
    """

    kind: ClassVar[str] = NEXT_NIGHT
    programme: Programme | None = None


@dataclass(frozen=True, slots=True)
class Unread(SessionWish):
    """A message from the wire that is no act: refused in its turn, like any other wish.

    Attributes:
        error: what is wrong with it.
    """

    do: Mapping[str, Any]
    error: LotoError

    @property
    def act(self) -> str:
        """Return the name that the message gives itself."""
        return str(self.do.get("act"))


_WISHES: Mapping[str, type[NextNight | RenewLuck | CommitTable]] = {
    wish.kind: wish for wish in (NextNight, RenewLuck, CommitTable)
}


def read_act(do: Mapping[str, Any]) -> Act | SessionWish:
    """Return what a JSON object asks of the night; an `Unread` if it cannot be told.

    What chance adds to an act is never read from the object.
    """
    act = do.get("act")
    try:
        if wish := _WISHES.get(str(act)):
            return wish()
        if act == "draw" and do.get("number") is None:
            parse_act({**do, "number": 1})
            return DrawNext()
        added = _OF_CHANCE.get(act, ()) if isinstance(act, str) else ()
        read = parse_act({key: said for key, said in do.items() if key not in added})
        refuse_unseen(do)
        refuse_mixed(read)
    except LotoError as error:
        return Unread(do, error)
    return read


@dataclass(frozen=True, slots=True)
class Command:
    """A request of somebody, as it came in.

    Attributes:
        id: chosen by the sender, a new one for each request. A command that comes again with its id
            gets the same answer and is not done again; one with the id of another sender, or of
            another act, is refused.
        act: what is asked for.
        via: which input it came by: "button", "reader", "keyed", "wire", "auto".
        expect: how many calls have been made, as far as the sender knows.
        seen: what the sender saw (`station.night.losses.mark_of`): the table, or the last line of
            the journal.
        sure: the sender was told what would be lost, and wants it all the same.
    """

    id: str
    act: Act | SessionWish
    by: Person
    via: str
    expect: int | None = None
    seen: str | None = None
    sure: bool = False

    @classmethod
    def read(
        cls,
        command_id: str,
        do: Mapping[str, Any],
        by: Person,
        via: str,
        expect: int | None = None,
        seen: str | None = None,
        *,
        sure: bool = False,
    ) -> Command:
        """Return the command whose act is this JSON object."""
        return cls(command_id, read_act(do), by, via, expect, seen, sure)


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to an accepted command; `seq` is its line in the journal."""

    seq: int

    def to_json(self, _: Callable[[Sentence], str] = str) -> dict[str, Any]:
        """Return the answer's JSON body, without the `id`."""
        return {"ok": True, "seq": self.seq}


@dataclass(frozen=True, slots=True)
class HeldNumber(Done):
    """The answer to whoever sees a number before it is called: which one it is."""

    number: int

    def to_json(self, tell: Callable[[Sentence], str] = str) -> dict[str, Any]:
        """Return the answer's JSON body, without the `id`."""
        return {**Done.to_json(self, tell), "number": self.number}


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to a refused command.

    Attributes:
        said: the sentence for a person.
        seen: for an act that can be confirmed with `sure`: the `seen` that the confirmation must
            carry.
    """

    reason: str
    said: Sentence
    seen: str = ""

    @property
    def asks(self) -> bool:
        """Return whether somebody must confirm the act first."""
        return self.reason == SessionReason.SURE

    @property
    def say(self) -> str:
        """Return the sentence in English."""
        return str(self.said)

    def to_json(self, tell: Callable[[Sentence], str] = str) -> dict[str, Any]:
        """Return the answer's JSON body, without the `id`; the sentence as `tell` writes it."""
        seen = {"seen": self.seen} if self.seen else {}
        return {"refused": {"reason": self.reason, "say": tell(self.said), **seen}}


Answer: TypeAlias = Done | Refused


@dataclass(frozen=True, slots=True)
class Change:
    """An act that is durable and adopted now."""

    seq: int
    act: Act
    via: str
    before: Hall
    after: Hall


class LuckKeeper:
    """Keeps the secrets of an open bag and of a table longer than the process lives, but in memory.
    This one does not: they are lost with the session."""

    def handed(self) -> Sequence[bytes]:
        """Return what the process before this one had kept, as `Secrets.packed` has it."""
        return ()

    def keep(self, secrets: Secrets) -> None:
        """Keep secrets, beside those that are kept; must not fail or wait."""

    def keep_only(self, roots: Collection[str]) -> None:
        """Forget all secrets but those of these roots, of 64 hex digits each."""


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
        key: signs the journal's head at each game's end; None: no signatures.
        before: the session of the night before, if the station kept running: its commands are known
            when they come again.
        way: how the virtual bags are committed to.
        keeper: keeps the bag's secrets, should the process die.

    Attributes:
        misfit: whether secrets were handed over that are not those of the open bag.
    """

    def __init__(
        self,
        night: Night,
        tell: Callable[[Change], None],
        clock: Clock | None = None,
        chance: Random | None = None,
        key: checkpoint.Key | None = None,
        before: Session | None = None,
        way: Way = Way.COMMITTED,
        keeper: LuckKeeper | None = None,
    ) -> None:
        self._night = night
        self._tell = tell
        self._clock = clock or Clock()
        self.pause = PauseClock(self._clock)
        self._luck = chance or SystemRandom()
        self._key = key
        self._way = way
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
        # of the bag in `hall.fair`, of the leaves in `hall.leaves`, and of what is being recorded:
        # in memory alone
        self._keeper = keeper or LuckKeeper()
        self._secrets, self._table_secrets, self.misfit = self._handed()
        self._made: Secrets | None = None
        # of the line that led to `hall`: the writer may be one ahead
        self.seq = night.journal.head.seq
        self._edge = night.journal.edge
        self._signed: tuple[Edge, str] | None = None
        self._ahead: Ahead | None = None

    @property
    def halted(self) -> str:
        """Return why nothing more is accepted; empty while commands are."""
        return self._night.journal.halted

    @property
    def head(self) -> str:
        """Return the signed head of the tree over all lines up to `seq`; empty where nothing is
        signed.

        It is signed when it is first asked for: by the screens' data, after the announcement.
        """
        if self._key is None:
            return ""
        if self._signed is None or self._signed[0] is not self._edge:
            self._signed = self._edge, sign_head(self._key, self.hall.night, self._edge)
        return self._signed[1]

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
        """Return the number that the virtual bag would give now; None if a draw would be refused,
        or if no leaf is there that decides it.

        Nobody is shown it before it is recorded: a bag with an order is durable since the game
        opened; of any other, `SeeNext` records the leaf first (H8).
        """
        if not self.gives:
            return None
        if (fair := self.hall.fair) is not None:
            if (due := fair.next_due) is not None:
                return due
            if fair.wants_words or not fair.inside:
                return None
            leaf = self._known_leaf(fair)
            return fair.gives(leaf.secret) if leaf is not None else None
        return self._bag.next(_gone(self.hall)) if self._bag is not None else None

    @property
    def gives(self) -> bool:
        """Return whether the virtual bag gives a number now."""
        hall = self.hall
        if self.halted or self._ending or (hall.fair is None and self._bag is None):
            return False
        if (table := hall.at_table) is not None:
            return next_step(table) == "draw"
        game = hall.playing
        if game is None or game.stopped or game.stage is None:
            return False
        return len(game.called) < KNOBS

    @property
    def lost_luck(self) -> bool:
        """Return whether the open game's bag is to be committed to anew, its secrets being lost."""
        return self._secrets is None and _secret_bag(self.hall) is not None

    def _handed(self) -> tuple[Secrets | None, Secrets | None, bool]:
        """Return the open bag's secrets and the table's if they were kept over a crash, and whether
        none of those that were kept are these."""
        handed = self._keeper.handed()

        def found(of: FairBag | TableLeaves | None) -> Secrets | None:
            fits = (Secrets.of(of.binding, of.root, one) for one in handed if of is not None)
            return next((secrets for secrets in fits if secrets is not None), None)

        committed = (_secret_bag(self.hall), self.hall.leaves)
        bag, table = map(found, committed)
        kept = [secrets.root for secrets in (bag, table) if secrets is not None]
        self._keeper.keep_only(kept)
        return bag, table, bool(handed) and any(committed) and not kept

    @property
    def lost_table(self) -> bool:
        """Return whether a company's luck is to be committed to anew: no leaf is left or known."""
        leaves = self.hall.leaves
        if leaves is None or leaves.way is Way.FRESH or not self.hall.company:
            return False
        return leaves.used_up or leaves.root != self._table_root

    @property
    def untouched(self) -> bool:
        """Return whether nothing was sold, agreed on, opened or called in this night."""
        return untouched(self._recorded.values())

    def known(self, command: Command) -> Answer | None:
        """Return the answer if this command came before; a refusal if another had its id."""
        recorded = self._recorded.get(command.id) or self._earlier.get(command.id)
        if recorded is not None:
            if _became(command, recorded):
                return _done(recorded.seq, recorded.do)
            return _id_used(said("line {seq}", seq=recorded.seq))
        if (passing := self._passing.get(command.id)) is not None:
            if passing[0] == _digest(command):
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
            _ = self.head  # nobody waits for it at the next press
            asyncio.get_running_loop().call_later(LOOK_AHEAD_S, self._look_ahead, self.hall)
            await self._sign(change)
            return _done(change.seq, act_to_json(change.act))

    async def _sign(self, change: Change) -> None:
        """Keep a checkpoint where one is due; without it, what was done stands."""
        if self._key is None or not signs(change.before, change.after):
            return
        journal = self._night.journal
        data = checkpoint.make(change.after.night, change.after.opened, journal.head, self._key)
        try:
            await journal.keep_more(checkpoint.FILE, data)
        except Halted as error:
            log.error("the end of game %d is not signed: %s", change.after.opened, error)

    def remember(self, command: Command, answer: Answer) -> Answer:
        """Keep an answer that is no line of the journal, for a command that comes again."""
        self._passing[command.id] = _digest(command), answer
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
        act, after = self._outcome(command)
        # Nobody is asked before a refusal.
        self._require_sure(command, act)
        journal = self._night.journal
        if isinstance(act, MakeMove) and act.part is not None:
            await journal.keep_more(hidden.FILE, hidden.line_of(act.part), private=True)
        if jump := self._jumps.look():
            # Nobody's wish: it stands in the journal before the first line of the new time.
            note, name = Note(about="clock", what=jump), f"clock-{before.night}-{self.seq + 1}"
            self._tell(await self._record(name, STATION, "clock", note, before))
        change = await self._record(command.id, command.by, command.via, act, after)
        # When a hand is over: its parts stand in this line.
        if after.table is not None and after.table is not before.table and after.table.unsealed:
            await journal.drop(hidden.FILE)
        return change

    def _outcome(self, command: Command) -> tuple[Act, Hall]:
        """Return the act that a command comes to, and the state that it leads to.

        Raises:
            NotAllowed: it is against the rules.
        """
        hall, ahead = self.hall, self._ahead
        if not isinstance(command.act, DrawNext) or ahead is None or ahead.before is not hall:
            ahead = None
        act = self._with_chance(command.act) if ahead is None else ahead.act
        if command.by.role is Role.SEAT:
            _require_own_move(command.by, command.act, hall.at_table)
        if isinstance(act, ClaimCard):
            _require_in_pack(act.serial, hall)
        return act, apply(hall, act) if ahead is None else ahead.after

    def _look_ahead(self, hall: Hall) -> None:
        """Work out the next draw, if this is the state still and a leaf is there that decides it:
        who draws then waits for the disk alone."""
        if hall is not self.hall or self.upcoming() is None:
            return
        act = self._next(DrawNext())
        with suppress(NotAllowed):
            self._ahead = Ahead(hall, act, apply(hall, act))

    async def _commit_first(self, command: Command) -> None:
        """Record what the next leaf is committed to with, where an act needs one and none is left.

        Raises:
            NotAllowed: no leaf is to be opened: it is refused whatever chance decides, or it is the
                hall's words, which were said before the root was recorded.
        """
        act: Renew | Commit
        if self._wants_luck(command.act):
            act = self._renewed()
        elif self._wants_leaf(command.act):
            self._require_possible(command)
            act = self._anew()
        else:
            return
        name, after = f"luck-{self.hall.night}-{self.seq + 1}", apply(self.hall, act)
        self._tell(await self._record(name, STATION, "luck", act, after))
        if isinstance(command.act, Mix):
            raise no_words()

    async def _record(self, command_id: str, by: Person, via: str, act: Act, after: Hall) -> Change:
        """Write the line of an act that is allowed, and adopt the state that it leads to."""
        before, do = self.hall, act_to_json(act)
        told = {"id": command_id, **self._clock.stamp(), "by": by.name, "via": via}
        journal = self._night.journal
        entry = {**told, **headed(self.head), "do": do, "then": followed(before, after)}
        had = (self._secrets, self._table_secrets)
        known = {one.root: one for one in (self._made, *had) if one is not None}
        bag = known.get(after.bag) if after.game_open else None
        table = known.get(after.leaves.root) if after.leaves is not None else None
        kept = [one for one in (bag, table) if one is not None]
        for new in kept:
            if new not in had:
                self._keeper.keep(new)  # before anybody can count on the line
        head = await journal.append(entry)
        self.hall, self.seq, self._edge = after, head.seq, journal.edge
        if after.bag != before.bag or not after.game_open:
            self._bag = None
        if (bag, table) != had:
            self._secrets, self._table_secrets = bag, table
            self._keeper.keep_only([one.root for one in kept])
        self._recorded[command_id] = Recorded(head.seq, by.name, do)
        self.pause.recorded(act, after)
        return Change(head.seq, act, via, before, after)

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

    def _with_chance(self, act: Act | SessionWish) -> Act:
        """Complete an act with what chance decides; seal what nobody may see.

        That is the deal or bag of a game that opens, a shaken bag, the number drawn, a move's dice.

        Raises:
            Unreadable: it is no act of the night.
        """
        hall = self.hall
        match act:
            case DrawNext() | SeeNext():
                return self._next(act)
            case RenewLuck() | CommitTable():
                return self._renewed() if isinstance(act, RenewLuck) else self._anew()
            case Unread(error=error):
                raise error
            case SessionWish():
                raise Unreadable(tr("not an act of the night: {act}", act=act.act))
            case Open() if not hall.game_open:
                return self._opened(hall)
            case TakeSealed(game=game) if game is not None:
                sealed_games.require_playable(game, self._station)
            case Shake() if hall.at_table is not None:
                return self._shaken(act, hall.at_table)
            case MakeMove() if hall.at_table is not None:
                decided = decides(hall.at_table, act) is not None
                chances = self._table_leaf() if decided else FirstCome()
                return recorded(hall.at_table, act, chances, token_hex(16))
            case Sit():
                return act.model_copy(update={"luck": self._of_table()})
        return act

    def _opened(self, hall: Hall) -> Open:
        """Return the opening of the next game, with its deal or its bag."""
        if (plan := hall.next_plan) is not None and plan.at_table:
            deal = hall.pack.serials[: plan.dealt]
            if not self._deals:
                return Open(deal=tuple(deal))
            leaf, source = self._table_leaf()
            return Open(deal=tuple(source.shuffled(sorted(deal))), leaf=leaf)
        if (play := hall.sealed_for(hall.coming)) is not None:
            game = play.game
            sealed_games.require_window(game, self._clock.wall())
            return Open(bag=game.root, luck=commitment_of(game), knobs=KNOBS, sealed=game.digest)
        root, commitment = self._committed(hall.coming, 1)
        return Open(bag=root, luck=commitment, knobs=KNOBS)

    @property
    def _station(self) -> str:
        """Return the public key of this station; empty where nothing is signed."""
        return checkpoint.public_key(self._key) if self._key is not None else ""

    def _committed(self, game: int, drawing: int) -> tuple[str, Commitment]:
        """Return what a new bag is committed to with."""
        station = self._station
        if self._way is Way.FRESH:
            name = self._luck.randbytes(SECRET).hex()
            return name, Commitment(way=self._way, station=station, leaves=0)
        root = self._make_secrets(Binding(station, self.hall.night, game, drawing))
        return root, Commitment(way=self._way, station=station, leaves=LEAVES)

    def _make_secrets(self, binding: Binding) -> str:
        """Return the root of new secrets, which are the bag's once a line with it is recorded."""
        secrets = [self._luck.randbytes(SECRET) for _ in range(LEAVES)]
        self._made = Secrets(binding, secrets)
        return self._made.root

    # -- what the station throws, shuffles and deals at the table ----------------------------------

    @property
    def _table_root(self) -> str:
        return self._table_secrets.root if self._table_secrets is not None else ""

    @property
    def _deals(self) -> bool:
        """Return whether cards of Loto are dealt when the next game opens."""
        hall, plan = self.hall, self.hall.next_plan
        dealt = plan.dealt if plan is not None and plan.at_table else 0
        return bool(hall.company) and 0 < dealt <= len(hall.pack)

    def _wants_leaf(self, act: Act | SessionWish) -> bool:
        """Return whether an act needs a leaf of the table's, and none is left or known."""
        hall = self.hall
        match act:
            case Open() if not hall.game_open:
                wanted = self._deals
            case MakeMove() if hall.at_table is not None:
                wanted = decides(hall.at_table, act) is not None
            case _:
                wanted = False
        return wanted and (hall.leaves is None or self.lost_table)

    def _require_possible(self, command: Command) -> None:
        """Refuse what the hall would refuse whatever chance decides, before a root is recorded."""
        hall, act = self.hall, command.act
        if isinstance(act, MakeMove) and hall.at_table is not None:
            if command.by.role is Role.SEAT:
                _require_own_move(command.by, act, hall.at_table)
            apply(hall, recorded(hall.at_table, act, FirstCome()))
        else:
            dealt = hall.next_plan.dealt if hall.next_plan is not None else 0
            apply(hall, Open(deal=hall.pack.serials[:dealt]))

    def _anew(self) -> Commit:
        return Commit(luck=self._of_table())

    def _of_table(self) -> TableCommitment:
        """Return what the table is committed to with from now on."""
        hall, before = self.hall, self.hall.leaves
        epoch = before.binding.epoch + 1 if before is not None else 1
        fresh, station = self._way is Way.FRESH, self._station
        binding = Binding(station, hall.night, hall.opened, NO_DRAWING, epoch)
        root = self._luck.randbytes(SECRET).hex() if fresh else self._make_secrets(binding)
        # The hall's words are of its bags: a table's leaves wait for none.
        way, leaves = (Way.FRESH, 0) if fresh else (Way.COMMITTED, LEAVES)
        return TableCommitment(way=way, station=station, leaves=leaves, root=root, epoch=epoch)

    def _table_leaf(self) -> tuple[OpenedLeaf, Source]:
        """Return the table's next leaf, and its luck; what wants one was committed to."""
        leaves, secrets = cast("TableLeaves", self.hall.leaves), self._table_secrets
        if secrets is not None and secrets.root == leaves.root:
            leaf = secrets.open(leaves.used)
        else:
            leaf = OpenedLeaf(at=leaves.used, secret=self._luck.randbytes(SECRET).hex())
        return leaf, leaves.source(leaf)

    def _shaken(self, act: Shake, table: Parlour) -> Shake:
        """Return the counting of a bag; one that is counted again keeps what it is committed to."""
        hall = self.hall
        if hall.bag and hall.fair is None:
            return act.model_copy(update={"bag": hall.bag})
        if hall.fair is not None:
            station, leaves = hall.fair.binding.station, hall.fair.leaves
            root = hall.bag
            commitment = Commitment(way=hall.fair.way, station=station, leaves=leaves)
        else:
            root, commitment = self._committed(hall.opened, table.shakings + 1)
        away = tuple(sorted(ALL_KNOBS - table.bag))
        return act.model_copy(update={"bag": root, "luck": commitment, "away": away})

    def _renewed(self) -> Renew:
        """Return the act that commits to the rest of the bag anew.

        Raises:
            NotAllowed: nothing was lost.
        """
        fair = self.hall.fair
        if fair is None or not self.lost_luck:
            raise no_number(SessionReason.NOTHING_LOST)
        binding = replace(fair.binding, epoch=fair.binding.epoch + 1)
        return Renew(bag=self._make_secrets(binding), epoch=binding.epoch)

    def _wants_luck(self, act: Act | SessionWish) -> bool:
        """Return whether an act is of the bag's next leaf, and the leaves are lost."""
        if not self.lost_luck or self.hall.fair is None:
            return False
        opens = isinstance(act, DrawNext | SeeNext) and self.gives
        said = isinstance(act, Mix) and self.hall.fair.way is Way.SHARED
        return said or (opens and self.hall.fair.next_due is None)

    def _next(self, wish: DrawNext | SeeNext) -> DrawKnob | See:
        """Return the next number that the virtual bag gives, with its leaf; any number if the rules
        will refuse it.

        Raises:
            NotAllowed: the game has no virtual bag, or nothing more can be seen.
        """
        hall, fair, seeing = self.hall, self.hall.fair, isinstance(wish, SeeNext)
        if hall.playing is not None and fair is None and self._bag is None:
            raise NotAllowed(
                SessionReason.NO_BAG,
                "this game has no virtual bag: lay a ball on the reader, or key its number",
            )
        if hall.playing is not None and fair is not None and not fair.inside:
            raise bag_empty(KNOBS)
        due = fair.next_due if fair is not None else None
        if seeing and (fair is None or not self.gives or due is not None):
            raise no_number(SessionReason.NOTHING_TO_SEE)
        if fair is None or not self.gives:
            return DrawKnob(number=self._without_leaf())
        if due is not None:
            return DrawKnob(number=due, again=True)
        if fair.wants_words:
            raise no_words()
        leaf = self._leaf(fair)
        number = fair.gives(leaf.secret)
        return See(number=number, leaf=leaf) if seeing else DrawKnob(number=number, leaf=leaf)

    def _leaf(self, fair: FairBag) -> OpenedLeaf:
        """Return the bag's next leaf.

        Raises:
            NotAllowed: its key is not here.
        """
        if (leaf := self._known_leaf(fair)) is not None:
            return leaf
        if fair.way is Way.SEALED:
            raise NotAllowed(
                SessionReason.KEY_MISSING,
                "the key of call {call} is not here: the organiser gives it out; then type ./loto"
                " sealed play --keys FILE, or --key and its signs",
                call=fair.used + 1,
            )
        return OpenedLeaf(at=fair.used, secret=self._luck.randbytes(SECRET).hex())

    def _known_leaf(self, fair: FairBag) -> OpenedLeaf | None:
        """Return the bag's next leaf if it is known before the call."""
        if fair.way is Way.SEALED and (play := self.hall.sealed) is not None:
            return play.open(fair.used) if fair.used < LEAVES else None
        return self._secrets.open(fair.used) if self._secrets is not None else None

    def _without_leaf(self) -> int:
        """Return the next number of a bag with an order; any if the rules will refuse it."""
        hall, bag = self.hall, self._bag
        if bag is not None and hall.takes_knobs:
            return bag.next(_gone(hall))
        return min(hall.at_table.bag, default=1) if hall.at_table is not None else 1


def _require_in_pack(serial: str, hall: Hall) -> None:
    """Refuse a misread serial, no claim of anybody's; journals of earlier nights may hold such."""
    if serial in hall.pack:
        return
    why = said("is not in the pack: check the serial") if hall.pack.serials else hall.pack.lacking
    raise NotAllowed(SessionReason.NOT_IN_PACK, "card {serial} {why}", serial=serial, why=why)


def _require_own_move(by: Person, act: Act | SessionWish, table: Parlour | None) -> None:
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


def signs(before: Hall, after: Hall) -> bool:
    """Return whether a game or the night ended between these states, or a sealed game was opened:
    its line is to be signed."""
    sealed = after.opened != before.opened and after.sealed_for(after.opened) is not None
    return (before.game_open and not after.game_open) or after.closed or sealed


def _secret_bag(hall: Hall) -> FairBag | None:
    """Return the bag of the open game if the station has secrets for it; None if there is none."""
    fair = hall.fair if hall.game_open else None
    return fair if fair is not None and fair.way in (Way.COMMITTED, Way.SHARED) else None


def _gone(hall: Hall) -> frozenset[int]:
    """Return the knobs that are not in the bag of the open game."""
    table = hall.at_table
    return ALL_KNOBS - table.bag if table is not None else frozenset(hall.called)


def _became(command: Command, line: Recorded) -> bool:
    """Return whether this command became that line: same person and act, apart from its luck."""
    if command.by.name != line.by:
        return False
    act, do = command.act, line.do
    if do.get("act") == OPENED:
        return isinstance(act, NextNight)
    if isinstance(act, DrawNext | SeeNext | RenewLuck | CommitTable):
        return bool(do.get("act") == (DrawNext.kind if isinstance(act, DrawNext) else act.kind))
    if isinstance(act, MakeMove) and do.get("act") == act.act:
        return is_that(act.move, do["move"])
    if isinstance(act, SessionWish):
        return False
    added = {key: do[key] for key in _OF_CHANCE.get(act.act, ()) if key in do}
    return act_to_json(act) | added == do


def _digest(command: Command) -> bytes:
    """Return a hash of person and act: a refused command may be large, and many are remembered."""
    try:
        said = repr(command.act)
    except RecursionError:  # it could be read, a few calls less deep; no act is like that
        said = "nested"
    return hashlib.sha256(f"{command.by.name}\n{said}".encode()).digest()


def _id_used(what: Sentence) -> Refused:
    return Refused(
        SessionReason.ID_USED,
        said(
            "another command had this id, and became {what}: nothing was done; send it with an id"
            " of its own",
            what=what,
        ),
    )
