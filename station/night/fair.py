"""Commit to a game's luck before it begins and open it call by call, so that anybody can check.
Pure.

Nobody fixes an order. Before the game the station draws 90 secrets of 256 bits, and records the
root of a tree over them (`station.proof.leaves`): the bag is committed to. Each number that the bag
gives then opens the next secret, its leaf: the line has the secret and its path to the root, and
the number follows from the secret and from what lies in the bag. So each call is proven at once,
and nothing on the disk tells the next one: the secrets that are not opened are in memory alone.

A number that was taken back, or seen before its call, is the next one that the bag gives, without a
new leaf: nobody gets another number by taking back. A knob that is keyed, read or put away leaves
the list and opens none. After a power cut the secrets are gone: the calls stand, and the station
commits to others for the rest, its next epoch.

A shared bag waits for the hall: after the root is recorded somebody adds words that nobody could
know before, for each epoch anew, and no leaf is opened until they are recorded. So nobody chooses a
root that suits him.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from station.base.errors import NotAllowed
from station.base.nouns import KNOBS
from station.proof.leaves import LEAVES, Binding, Commitment, OpenedLeaf, Source, Way, holds
from station.rules.prizes import PrizeReason

MOST_ADDED = 200  # characters of the words that the hall adds
_KNOBS = frozenset(range(1, KNOBS + 1))


class FairReason(StrEnum):
    """Why a number is not what the record has committed to."""

    NO_BAG = "no-fair-bag"
    NO_WORDS = "no-words-yet"
    WORDS_STAND = "words-stand"
    UNPROVEN = "unproven"
    BY_HAND = "sealed-by-hand"


def no_number(reason: str = FairReason.NO_BAG) -> NotAllowed:
    """Return the refusal to open a leaf where none is to be opened."""
    return NotAllowed(reason, "the bag gives no new number now")


def bag_empty() -> NotAllowed:
    """Return the refusal to draw from a bag whose knobs have all been called."""
    return NotAllowed(
        PrizeReason.BAG_EMPTY,
        "the bag is empty: all {knobs} numbers are called; check claims or close the game",
        knobs=KNOBS,
    )


def no_words() -> NotAllowed:
    """Return the refusal to open a leaf before the hall has added its words."""
    return NotAllowed(
        FairReason.NO_WORDS,
        "first the hall's words: let people call out some, and type them on the page of who calls,"
        ' or with {loto} mix "their words"',
    )


def _none_yet(way: Way) -> str | None:
    """Return the words of a bag that was committed to just now."""
    return None if way is Way.SHARED else ""


def require_held(way: Way, root: str, leaves: int, binding: Binding, leaf: OpenedLeaf) -> None:
    """Refuse a leaf that is none of a tree.

    Raises:
        NotAllowed: it is not.
    """
    if not holds(way, root, leaves, binding, leaf):
        raise NotAllowed(
            FairReason.UNPROVEN,
            "leaf {at} is not one of those that were committed to: it was altered, or is"
            " another game's",
            at=leaf.at,
        )


@dataclass(frozen=True)
class FairBag:
    """A bag of knobs that has no order: what the record has committed to, and what came of it.

    Attributes:
        root: of the tree, 64 hex digits; where there is none, a number that names the bag.
        leaves: how many the tree has.
        words: what the hall has added; None while it is to add some, empty where it does not.
        away: the knobs that are not in play.
        called: the knobs drawn, in order, whoever gave them.
        used: how many leaves of this epoch are opened.
        given: the knobs of all opened leaves.
        due: knobs of opened leaves that are to come without a new one, the next one last.
        back: those of `due` that were called and taken back.
    """

    binding: Binding
    way: Way = Way.COMMITTED
    root: str = ""
    leaves: int = LEAVES
    words: str | None = ""
    away: frozenset[int] = frozenset()
    called: tuple[int, ...] = ()
    used: int = 0
    given: frozenset[int] = field(default_factory=frozenset)
    due: tuple[int, ...] = ()
    back: frozenset[int] = frozenset()

    @classmethod
    def committed(
        cls,
        root: str,
        luck: Commitment | None,
        night: int,
        game: int,
        *,
        drawing: int = 1,
        away: Collection[int] = (),
    ) -> FairBag | None:
        """Return the bag that a line commits to; None if it commits to none."""
        if luck is None:
            return None
        sealed = luck.way is Way.SEALED  # then the leaves are no night's and no game's
        binding = Binding(luck.station, *((0, 0) if sealed else (night, game)), drawing)
        return cls(binding, luck.way, root, luck.leaves, _none_yet(luck.way), frozenset(away))

    @property
    def inside(self) -> frozenset[int]:
        """Return the knobs in the bag."""
        return _KNOBS.difference(self.away, self.called)

    @property
    def wants_words(self) -> bool:
        """Return whether the hall is to add words before the next leaf is opened."""
        return self.words is None

    def mixed(self, words: str) -> FairBag:
        """Return the bag with the words that the hall adds; empty where somebody waives them.

        Raises:
            NotAllowed: it takes none, or has them already.
        """
        if not self.wants_words:
            raise NotAllowed(
                FairReason.WORDS_STAND,
                "the bag takes no more words: it is drawn from with those that it has",
            )
        if len(words) > MOST_ADDED:
            raise NotAllowed(FairReason.UNPROVEN, "the hall's words are longer than a station's")
        return replace(self, words=words)

    @property
    def next_due(self) -> int | None:
        """Return the knob that the bag gives next without a new leaf; None if there is none."""
        if not self.due:
            return None
        inside = self.inside
        return next((number for number in reversed(self.due) if number in inside), None)

    @property
    def repeats(self) -> bool:
        """Return whether the last call, if it is taken back, is the next one again."""
        return bool(self.called) and self.called[-1] in self.given

    @property
    def again(self) -> int | None:
        """Return the next knob if it was called and taken back; None if nobody has heard it."""
        number = self.next_due
        return number if number in self.back else None

    def gives(self, secret: str) -> int:
        """Return the knob that the next leaf gives if this is its secret; one knob at least is in
        the bag."""
        binding = self.binding.at(self.used)
        return Source(bytes.fromhex(secret), binding, self.words or "").knob(self.inside)

    def seen(self, number: int, leaf: OpenedLeaf) -> FairBag:
        """Return the bag with its next leaf opened before the call.

        Raises:
            NotAllowed: this is not its next leaf, or gives another number.
        """
        self._check(number, leaf)
        given, due = self.given | {number}, (*self.due, number)
        return replace(self, used=self.used + 1, given=given, due=due)

    def drawn(self, number: int, leaf: OpenedLeaf | None, *, again: bool) -> FairBag:
        """Return the bag after a knob was called: by a leaf, `again` without a new one, or by hand.

        Raises:
            NotAllowed: the bag did not give this one.
        """
        if leaf is not None:
            self._check(number, leaf)
            given, called = self.given | {number}, (*self.called, number)
            return replace(self, used=self.used + 1, given=given, called=called)
        if self.way is Way.SEALED and not again:
            raise NotAllowed(
                FairReason.BY_HAND,
                "this game is sealed: {number} cannot be laid down or keyed, its numbers come from"
                " the organiser's keys",
                number=number,
            )
        if again and number != self.next_due:
            raise NotAllowed(
                FairReason.UNPROVEN,
                "{number} came from the bag without a leaf of its own, and was not the one that"
                " was seen or taken back last",
                number=number,
            )
        due = tuple(other for other in self.due if other != number) if self.due else ()
        return replace(self, called=(*self.called, number), due=due, back=self.back - {number})

    def taken_back(self) -> FairBag:
        """Return the bag after the last call was taken back: what a leaf gave comes next, a knob
        that was laid down or keyed lies among the others."""
        if not self.called:
            return self
        number, called = self.called[-1], self.called[:-1]
        if not self.repeats:
            return replace(self, called=called)
        return replace(self, called=called, due=(*self.due, number), back=self.back | {number})

    def renewed(self, root: str, epoch: int) -> FairBag:
        """Return the bag with its rest committed to anew.

        Raises:
            NotAllowed: it is not the next epoch, or the root has been used.
        """
        if self.way is Way.SEALED:
            raise no_number()
        if epoch != self.binding.epoch + 1 or root == self.root:
            raise NotAllowed(
                FairReason.UNPROVEN,
                "the bag is committed to anew as epoch {epoch}, after epoch {before}",
                epoch=epoch,
                before=self.binding.epoch,
            )
        binding, words = replace(self.binding, epoch=epoch), _none_yet(self.way)
        return replace(self, binding=binding, root=root, used=0, words=words)

    def notation(self) -> list[Any]:
        """Return what of the bag is in the night's notation, beside its root and its calls."""
        words = [self.words] if self.way is Way.SHARED else []
        return [self.way, self.binding.epoch, self.used, *words, *self.due]

    def _check(self, number: int, leaf: OpenedLeaf) -> None:
        if self.wants_words:
            raise no_words()
        if (first := self.next_due) is not None:
            raise NotAllowed(
                FairReason.UNPROVEN,
                "leaf {at} is opened before {number} was called, which was seen or taken back",
                at=leaf.at,
                number=first,
            )
        if leaf.at != self.used:
            raise NotAllowed(
                FairReason.UNPROVEN,
                "leaf {at} is opened where leaf {wanted} is the next",
                at=leaf.at,
                wanted=self.used,
            )
        require_held(self.way, self.root, self.leaves, self.binding, leaf)
        gives = self.gives(leaf.secret) if self.inside else 0
        if gives != number:
            raise NotAllowed(
                FairReason.UNPROVEN,
                "leaf {at} gives {gives}, and {number} was called",
                at=leaf.at,
                gives=gives,
                number=number,
            )
