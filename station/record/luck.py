"""Decide what the next draw, throw, shuffle or deal of a night opens.

The station commits to its luck before it uses any: each act opens the next leaf of a bag, or of the
table. The leaves' secrets are in memory alone. A keeper may hold them beyond the process, so that a
restart continues with them; else the rest of the bag, or of the table, is committed to again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from random import Random
from secrets import token_hex
from typing import cast

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.night.acts import (
    Act,
    Commit,
    DrawKnob,
    MakeMove,
    Mix,
    Open,
    Renew,
    See,
    Shake,
    Sit,
    TakeSealed,
)
from station.night.fair import FairBag, bag_empty, no_number, no_words
from station.night.hall import Hall
from station.night.readiness import ALL_KNOBS
from station.night.sealed_play import commitment_of
from station.night.table.game import GameInPlay, next_step
from station.night.table.leaves import NO_DRAWING, TableCommitment, TableLeaves
from station.night.table.luck import FirstCome, decides, recorded
from station.proof.leaves import (
    LEAVES,
    SECRET,
    Binding,
    Commitment,
    OpenedLeaf,
    Secrets,
    Source,
    Way,
)
from station.record import sealed_games
from station.record.requests import (
    CommitTable,
    DrawNext,
    RenewLuck,
    SeeNext,
    SessionReason,
    SessionWish,
    Unread,
)


class LuckKeeper:
    """Keep secrets beyond the life of the process, in memory. This base class keeps nothing."""

    def handed(self) -> Sequence[bytes]:
        """Return what the process before this one had kept, as `Secrets.packed` has it."""
        return ()

    def keep(self, secrets: Secrets) -> None:
        """Keep secrets, beside those that are kept; must not fail or wait."""

    def keep_only(self, roots: Collection[str]) -> None:
        """Forget all secrets but those of these roots, of 64 hex digits each."""


class NightLuck:
    """The luck of one night.

    Args:
        hall: the night as it is resumed.
        source: where secrets come from.
        station: the station's public key; empty if nothing is signed.
        wall: the clock for the window of a sealed game.
        way: how virtual bags are committed to.
        keeper: keeps the secrets if the process dies.

    Attributes:
        misfit: whether secrets were handed over that belong to no open bag or table.
    """

    def __init__(
        self,
        hall: Hall,
        source: Random,
        station: str,
        wall: Callable[[], float],
        way: Way,
        keeper: LuckKeeper,
    ) -> None:
        self._source = source
        self._station = station
        self._wall = wall
        self._way = way
        self._keeper = keeper
        self._made: Secrets | None = None  # for the line that is being written
        self._secrets, self._table_secrets, self.misfit = self._handed(hall)
        self._kept = self._secrets, self._table_secrets  # with the line that is being written

    # -- what is known -----------------------------------------------------------------------------

    def gives(self, hall: Hall) -> bool:
        """Return whether the virtual bag gives a number now."""
        game = hall.open_game if hall.fair is not None else None
        return game is not None and next_step(game) == "draw"

    def upcoming(self, hall: Hall) -> int | None:
        """Return the number that the virtual bag would give now; None if a draw would be refused,
        or if the leaf that decides it is not known.

        Nobody is shown it before `SeeNext` has recorded its leaf (H8).
        """
        fair = hall.fair
        if fair is None or not self.gives(hall):
            return None
        if (due := fair.next_due) is not None:
            return due
        if fair.wants_words or not fair.inside:
            return None
        leaf = self._known_leaf(hall, fair)
        return fair.gives(leaf.secret) if leaf is not None else None

    def lost(self, hall: Hall) -> bool:
        """Return whether the open game's bag must be committed to again: its secrets are lost."""
        return self._secrets is None and _secret_bag(hall) is not None

    def lost_table(self, hall: Hall) -> bool:
        """Return whether a company's luck must be committed to again: no leaf is left or known."""
        leaves = hall.leaves
        if leaves is None or leaves.way is Way.FRESH or not hall.company:
            return False
        secrets = self._table_secrets
        return leaves.used_up or leaves.root != (secrets.root if secrets is not None else "")

    # -- what an act opens -------------------------------------------------------------------------

    def completed(self, hall: Hall, act: Act | SessionWish) -> Act:
        """Return an act with what chance decides, and with what must stay hidden sealed: the deal
        or bag of a game that opens, a shaken bag, the number drawn, the dice of a move.

        Raises:
            NotAllowed: there is no luck to open, or it is not known.
            Unreadable: it is no act of the night.
        """
        match act:
            case DrawNext() | SeeNext():
                return self.next_number(hall, act)
            case RenewLuck() | CommitTable():
                return self.renewed(hall) if isinstance(act, RenewLuck) else self.anew(hall)
            case Unread(error=error):
                raise error
            case SessionWish():
                raise Unreadable(tr("not an act of the night: {act}", act=act.act))
            case Open() if not hall.game_open:
                return self._opened(hall)
            case TakeSealed(game=game) if game is not None:
                sealed_games.require_playable(game, self._station)
            case Shake() if hall.open_game is not None:
                return self._shaken(hall, act, hall.open_game)
            case MakeMove() if hall.open_game is not None:
                decided = decides(hall.open_game, act) is not None
                chances = self._table_leaf(hall) if decided else FirstCome()
                return recorded(hall.open_game, act, chances, token_hex(16))
            case Sit():
                return act.model_copy(update={"luck": self._of_table(hall)})
        return act

    def next_number(self, hall: Hall, wish: DrawNext | SeeNext) -> DrawKnob | See:
        """Return the next number that the virtual bag gives, with its leaf; any number if the rules
        will refuse it.

        Raises:
            NotAllowed: the bag is empty, waits for words, or nothing more can be seen.
        """
        fair, seeing = hall.fair, isinstance(wish, SeeNext)
        if hall.sold is not None and fair is None:
            raise no_number()
        if hall.sold is not None and fair is not None and not fair.inside:
            raise bag_empty()
        gives, due = self.gives(hall), fair.next_due if fair is not None else None
        if seeing and (fair is None or not gives or due is not None):
            raise no_number(SessionReason.NOTHING_TO_SEE)
        if fair is None or not gives:
            return DrawKnob(number=_any_number(hall))
        if due is not None:
            return DrawKnob(number=due, again=True)
        if fair.wants_words:
            raise no_words()
        leaf = self._leaf(hall, fair)
        number = fair.gives(leaf.secret)
        return See(number=number, leaf=leaf) if seeing else DrawKnob(number=number, leaf=leaf)

    def deals(self, hall: Hall) -> bool:
        """Return whether cards of Loto are dealt when the next game opens."""
        plan = hall.next_plan
        dealt = plan.dealt if plan is not None else 0
        return bool(hall.company) and 0 < dealt <= len(hall.pack)

    # -- how it survives ---------------------------------------------------------------------------

    def keep(self, after: Hall) -> None:
        """Keep the secrets that a state needs, before its line is written: nobody can count on the
        line earlier."""
        had = self._secrets, self._table_secrets
        known = {one.root: one for one in (self._made, *had) if one is not None}
        bag = known.get(after.bag) if after.game_open else None
        table = known.get(after.leaves.root) if after.leaves is not None else None
        for new in (bag, table):
            if new is not None and new not in had:
                self._keeper.keep(new)
        self._kept = bag, table

    def adopt(self) -> None:
        """Forget the secrets that the adopted state does not need."""
        if self._kept != (self._secrets, self._table_secrets):
            self._secrets, self._table_secrets = self._kept
            self._keeper.keep_only([one.root for one in self._kept if one is not None])

    def _handed(self, hall: Hall) -> tuple[Secrets | None, Secrets | None, bool]:
        """Return the secrets of bag and table that were kept over a crash, and whether none of the
        kept ones fit."""
        handed = self._keeper.handed()

        def found(of: FairBag | TableLeaves | None) -> Secrets | None:
            fits = (Secrets.of(of.binding, of.root, one) for one in handed if of is not None)
            return next((secrets for secrets in fits if secrets is not None), None)

        committed = (_secret_bag(hall), hall.leaves)
        bag, table = map(found, committed)
        kept = [secrets.root for secrets in (bag, table) if secrets is not None]
        self._keeper.keep_only(kept)
        return bag, table, bool(handed) and any(committed) and not kept

    # -- of a bag ----------------------------------------------------------------------------------

    def _opened(self, hall: Hall) -> Open:
        """Return the opening of the next game, with its deal or its bag."""
        if (plan := hall.next_at_table) is not None:
            deal = hall.pack.serials[: plan.dealt]
            if not self.deals(hall):
                return Open(deal=tuple(deal))
            leaf, source = self._table_leaf(hall)
            return Open(deal=tuple(source.shuffled(sorted(deal))), leaf=leaf)
        if (play := hall.sealed_for(hall.coming)) is not None:
            game = play.game
            sealed_games.require_window(game, self._wall())
            return Open(bag=game.root, luck=commitment_of(game), knobs=KNOBS, sealed=game.digest)
        root, commitment = self._committed(hall, hall.coming, 1)
        return Open(bag=root, luck=commitment, knobs=KNOBS)

    def _committed(self, hall: Hall, game: int, drawing: int) -> tuple[str, Commitment]:
        """Return the root of a new bag, and its commitment."""
        station = self._station
        if self._way is Way.FRESH:
            name = self._source.randbytes(SECRET).hex()
            return name, Commitment(way=self._way, station=station, leaves=0)
        root = self._make_secrets(Binding(station, hall.night, game, drawing))
        return root, Commitment(way=self._way, station=station, leaves=LEAVES)

    def _make_secrets(self, binding: Binding) -> str:
        """Return the root of new secrets; they count once a line with it is recorded."""
        self._made = Secrets(binding, [self._source.randbytes(SECRET) for _ in range(LEAVES)])
        return self._made.root

    def _shaken(self, hall: Hall, act: Shake, table: GameInPlay) -> Shake:
        """Return the counting of a bag; one that is counted again keeps its commitment."""
        if hall.fair is not None:
            station, leaves = hall.fair.binding.station, hall.fair.leaves
            root = hall.bag
            commitment = Commitment(way=hall.fair.way, station=station, leaves=leaves)
        else:
            root, commitment = self._committed(hall, hall.opened, table.shakings + 1)
        away = tuple(sorted(ALL_KNOBS - table.bag))
        return act.model_copy(update={"bag": root, "luck": commitment, "away": away})

    def renewed(self, hall: Hall) -> Renew:
        """Return the act that commits to the rest of the bag again.

        Raises:
            NotAllowed: nothing was lost.
        """
        fair = hall.fair
        if fair is None or not self.lost(hall):
            raise no_number(SessionReason.NOTHING_LOST)
        binding = replace(fair.binding, epoch=fair.binding.epoch + 1)
        return Renew(bag=self._make_secrets(binding), epoch=binding.epoch)

    def wants_bag(self, hall: Hall, act: Act | SessionWish) -> bool:
        """Return whether an act needs the bag's next leaf, and the leaves are lost."""
        if not self.lost(hall) or hall.fair is None:
            return False
        opens = isinstance(act, DrawNext | SeeNext) and self.gives(hall)
        mixes = isinstance(act, Mix) and hall.fair.way is Way.SHARED
        return mixes or (opens and hall.fair.next_due is None)

    def _leaf(self, hall: Hall, fair: FairBag) -> OpenedLeaf:
        """Return the bag's next leaf.

        Raises:
            NotAllowed: its key is not here.
        """
        if (leaf := self._known_leaf(hall, fair)) is not None:
            return leaf
        if fair.way is Way.SEALED:
            raise NotAllowed(
                SessionReason.KEY_MISSING,
                "the key of call {call} is not here: the organiser gives it out; then type ./loto"
                " sealed play --keys FILE, or --key and its signs",
                call=fair.used + 1,
            )
        return OpenedLeaf(at=fair.used, secret=self._source.randbytes(SECRET).hex())

    def _known_leaf(self, hall: Hall, fair: FairBag) -> OpenedLeaf | None:
        """Return the bag's next leaf if it is known before the call."""
        if fair.way is Way.SEALED and (play := hall.sealed) is not None:
            return play.open(fair.used) if fair.used < LEAVES else None
        return self._secrets.open(fair.used) if self._secrets is not None else None

    # -- of the table ------------------------------------------------------------------------------

    def wants_table(self, hall: Hall, act: Act | SessionWish) -> bool:
        """Return whether an act needs a leaf of the table's, and none is left or known."""
        match act:
            case Open() if not hall.game_open:
                wanted = self.deals(hall)
            case MakeMove() if hall.open_game is not None:
                wanted = decides(hall.open_game, act) is not None
            case _:
                wanted = False
        return wanted and (hall.leaves is None or self.lost_table(hall))

    def anew(self, hall: Hall) -> Commit:
        """Return the act that commits to the table's luck again."""
        return Commit(luck=self._of_table(hall))

    def _of_table(self, hall: Hall) -> TableCommitment:
        """Return the table's next commitment."""
        before = hall.leaves
        epoch = before.binding.epoch + 1 if before is not None else 1
        fresh, station = self._way is Way.FRESH, self._station
        binding = Binding(station, hall.night, hall.opened, NO_DRAWING, epoch)
        root = self._source.randbytes(SECRET).hex() if fresh else self._make_secrets(binding)
        # The hall's words go into its bags; a table's leaves wait for none.
        way, leaves = (Way.FRESH, 0) if fresh else (Way.COMMITTED, LEAVES)
        return TableCommitment(way=way, station=station, leaves=leaves, root=root, epoch=epoch)

    def _table_leaf(self, hall: Hall) -> tuple[OpenedLeaf, Source]:
        """Return the table's next leaf with its luck; the table has been committed to."""
        leaves, secrets = cast("TableLeaves", hall.leaves), self._table_secrets
        if secrets is not None and secrets.root == leaves.root:
            leaf = secrets.open(leaves.used)
        else:
            leaf = OpenedLeaf(at=leaves.used, secret=self._source.randbytes(SECRET).hex())
        return leaf, leaves.source(leaf)


def _secret_bag(hall: Hall) -> FairBag | None:
    """Return the bag of the open game if the station has secrets for it; None if there is none."""
    fair = hall.fair if hall.game_open else None
    return fair if fair is not None and fair.way in (Way.COMMITTED, Way.SHARED) else None


def _any_number(hall: Hall) -> int:
    """Return a number for a draw that the rules will refuse."""
    return min(hall.open_game.bag, default=1) if hall.open_game is not None else 1
