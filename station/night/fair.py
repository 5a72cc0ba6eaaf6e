"""Commit to a game's luck before it begins and open it call by call, so that anybody can check.
Pure.

Nobody fixes an order. Before the game the station draws 90 secrets of 256 bits, and records the
root of a tree over them (`station.base.merkle`): the bag is committed to. Each number that the bag
gives then opens the next secret, its leaf: the line has the secret and its path to the root, and
the number follows from the secret and from what lies in the bag. So each call is proven at once,
and nothing on the disk tells the next one: the secrets that are not opened are in memory alone.

What is hashed, in bytes; whole numbers are unsigned, the first byte is the highest:

    binding    32 bytes  the station's public key; zeros where nothing is signed
               4 each    night, game, drawing (1 but at a table), epoch (from 1), place (from 0)
    leaf       "loto-station leaf 1\\n", binding, the secret (32 bytes); hashed as RFC 6962 does
    number     HMAC-SHA256 with the secret as key, of: "loto-station draw 1\\n" (or "dice",
               "shuffle"), binding, 2 bytes length and text in UTF-8 of the words that the hall
               added (none: length 0), 4 bytes step (0 for a knob), 4 bytes try (from 0)

The words are hashed as they stand in the line that added them; the station writes them in
Unicode's normal form C, without blanks at their ends.

The first eight bytes of a number's hash, below the largest multiple of n that 64 bits hold, are
taken modulo n; else the next try is. For a knob, n is how many lie in the bag, and the result is
the place, from 0, in the rising list of them.

A number that was taken back, or seen before its call, is the next one that the bag gives, without a
new leaf: nobody gets another number by taking back. A knob that is keyed, read or put away leaves
the list and opens none. After a power cut the secrets are gone: the calls stand, and the station
commits to others for the rest, its next epoch.

A shared bag waits for the hall: after the root is recorded somebody adds words that nobody could
know before, for each epoch anew, and no leaf is opened until they are recorded. So nobody chooses a
root that suits him.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from struct import Struct
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field

from station.base.errors import NotAllowed
from station.base.merkle import HASH, Tree, leaf_hash, root_by
from station.base.nouns import KNOBS

MOST_ADDED = 200  # characters of the words that the hall adds
LEAVES = KNOBS  # more than a game can open: each opens one knob
SECRET = 32  # bytes
SHORT_ROOT = 20  # signs of base 32
HEX = r"^[0-9a-f]{64}$"
_LEAF, _DRAW, _DICE, _SHUFFLE = (
    f"loto-station {what} 1\n".encode() for what in ("leaf", "draw", "dice", "shuffle")
)
_WIDE = 1 << 64
_NUMBERS = Struct(">5I").pack
_KNOBS = frozenset(range(1, KNOBS + 1))
T = TypeVar("T")


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


def no_words() -> NotAllowed:
    """Return the refusal to open a leaf before the hall has added its words."""
    return NotAllowed(
        FairReason.NO_WORDS,
        "first the hall's words: let people call out some, and type them on the page of who calls,"
        ' or with {loto} mix "their words"',
    )


class Way(StrEnum):
    """How a bag is committed to.

    Attributes:
        COMMITTED: the root is recorded before the first call.
        FRESH: only a random name of the bag is; each secret is made at its call.
        SHARED: as COMMITTED, and the hall adds words after the root was recorded.
        SEALED: somebody drew the luck for many halls (`station.night.sealed_play`).
    """

    COMMITTED = "committed"
    FRESH = "fresh"
    SHARED = "shared"
    SEALED = "sealed"


class OpenedLeaf(BaseModel, frozen=True, extra="forbid"):
    """A leaf as a line opens it.

    Attributes:
        at: its place in the tree, from 0.
        secret: 64 hex digits.
        path: the hashes up to the root, 64 hex digits each, without a space; empty if there is
            no root.
    """

    at: Annotated[int, Field(strict=True, ge=0)]
    secret: Annotated[str, Field(pattern=HEX)]
    path: Annotated[str, Field(pattern=r"^([0-9a-f]{64})*$", max_length=64 * 16)] = ""


class Commitment(BaseModel, frozen=True, extra="forbid"):
    """What the line that opens a game, or shakes a bag, says of its luck, beside the root.

    Attributes:
        station: the public key, 64 hex digits; empty where nothing is signed.
        leaves: how many the tree has; 0 where there is none.
    """

    way: Way
    station: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]
    leaves: Literal[0, 90]  # of a larger tree the same paths would lead to the same root


@dataclass(frozen=True, slots=True)
class Binding:
    """What a leaf is bound to, so that it can stand nowhere else.

    Attributes:
        station: the public key, 64 hex digits; empty where nothing is signed.
        drawing: which bag of the game it is, from 1.
        epoch: how often the bag was committed to, from 1.
    """

    station: str
    night: int
    game: int
    drawing: int = 1
    epoch: int = 1

    def at(self, place: int) -> bytes:
        """Return the binding of the leaf at a place, from 0, as it is hashed."""
        key = bytes.fromhex(self.station) if self.station else bytes(SECRET)
        return key + _NUMBERS(self.night, self.game, self.drawing, self.epoch, place)


def short_root(root: str) -> str:
    """Return a root for people who compare it: 100 bits of it in groups of four letters and digits.

    >>> short_root("00" * 31 + "ff")
    'AAAA AAAA AAAA AAAA AAAA'
    """
    signs = b32encode(bytes.fromhex(root)).decode()[:SHORT_ROOT]
    return " ".join(signs[start : start + 4] for start in range(0, SHORT_ROOT, 4))


def bound_leaf(binding: bytes, secret: bytes) -> bytes:
    """Return the hash of the leaf that holds a secret."""
    return leaf_hash(_LEAF + binding + secret)


@dataclass(frozen=True, slots=True)
class Source:
    """The luck of one leaf.

    Attributes:
        binding: as it is hashed.
        words: what the hall has added.
    """

    secret: bytes
    binding: bytes
    words: str = ""

    def knob(self, bag: Collection[int]) -> int:
        """Return the knob that comes out of a bag with these in it; one at least."""
        return sorted(bag)[self._below(len(bag), _DRAW, 0)]

    def dice(self, count: int, faces: int) -> list[int]:
        """Return the throw of so many dice: 1 to `faces` each, in order."""
        return [1 + self._below(faces, _DICE, step) for step in range(count)]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return things in another order: from the last place down to the second, each is
        exchanged with one of the places up to it (Fisher and Yates)."""
        row = list(things)
        for step, last in enumerate(range(len(row) - 1, 0, -1)):
            other = self._below(last + 1, _SHUFFLE, step)
            row[last], row[other] = row[other], row[last]
        return row

    def _below(self, count: int, label: bytes, step: int) -> int:
        """Return a whole number from 0 to below a count, each as likely as any other."""
        words = self.words.encode()
        asked = label + self.binding + len(words).to_bytes(2, "big") + words
        asked += step.to_bytes(4, "big")
        most, trying = _WIDE - _WIDE % count, 0
        while True:
            told = hmac.digest(self.secret, asked + trying.to_bytes(4, "big"), "sha256")
            if (number := int.from_bytes(told[:8], "big")) < most:
                return number % count
            trying += 1


def _none_yet(way: Way) -> str | None:
    """Return the words of a bag that was committed to just now."""
    return None if way is Way.SHARED else ""


class Secrets:
    """The secrets of one bag, which are in memory and nowhere else until they are opened.

    Args:
        secrets: of 32 bytes each, from a source that nobody can foresee.
    """

    def __init__(self, binding: Binding, secrets: Sequence[bytes]) -> None:
        self._secrets = tuple(secrets)
        self._tree = Tree(
            [bound_leaf(binding.at(place), secret) for place, secret in enumerate(secrets)]
        )
        self.root = self._tree.root.hex()

    @property
    def packed(self) -> bytes:
        """Return all secrets, one behind the other."""
        return b"".join(self._secrets)

    @classmethod
    def of(cls, fair: FairBag, packed: bytes) -> Secrets | None:
        """Return the secrets that a bag is committed to; None if these are not: the root says so,
        for each leaf is bound to station, night, game, drawing and epoch."""
        if len(packed) != LEAVES * SECRET:
            return None
        parts = [packed[start : start + SECRET] for start in range(0, len(packed), SECRET)]
        found = cls(fair.binding, parts)
        return found if found.root == fair.root else None

    def open(self, at: int) -> OpenedLeaf:
        """Return the leaf at a place, from 0, as a line opens it."""
        path = b"".join(self._tree.path(at)).hex()
        return OpenedLeaf(at=at, secret=self._secrets[at].hex(), path=path)


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
        """Return the bag that a line commits to; None if the line is of a bag with an order."""
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
        return replace(self, called=(*self.called, number), due=due)

    def taken_back(self) -> FairBag:
        """Return the bag after the last call was taken back: what a leaf gave comes next, a knob
        that was laid down or keyed lies among the others."""
        if not self.called:
            return self
        number, called = self.called[-1], self.called[:-1]
        due = (*self.due, number) if number in self.given else self.due
        return replace(self, called=called, due=due)

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
        if not self._holds(leaf):
            raise NotAllowed(
                FairReason.UNPROVEN,
                "leaf {at} is not one of those that were committed to: it was altered, or is"
                " another game's",
                at=leaf.at,
            )
        gives = self.gives(leaf.secret) if len(self.called) < KNOBS - len(self.away) else 0
        if gives != number:
            raise NotAllowed(
                FairReason.UNPROVEN,
                "leaf {at} gives {gives}, and {number} was called",
                at=leaf.at,
                gives=gives,
                number=number,
            )

    def _holds(self, leaf: OpenedLeaf) -> bool:
        """Return whether the leaf is one of the tree; without a tree it need not be."""
        if self.way is Way.FRESH:
            return not leaf.path
        way = bytes.fromhex(leaf.path)
        path = [way[start : start + HASH] for start in range(0, len(way), HASH)]
        hashed = bound_leaf(self.binding.at(leaf.at), bytes.fromhex(leaf.secret))
        root = root_by(path, hashed, leaf.at, self.leaves)
        return root is not None and root.hex() == self.root
