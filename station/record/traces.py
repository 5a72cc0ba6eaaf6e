"""Check what a night's lines say of leaves, and what must stand beside them.

Each leaf of a table is the next one that was committed to, and what the station threw, shuffled or
dealt follows from it. What is hidden until its hand is over is checked at the line that ends the
hand.

`Traces` goes through the lines, touches no file, and remembers what they refer to. `compare` checks
what lies beside them: the copies, and the heads that were kept at the end of each game.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from station.base.disk import Disk
from station.base.errors import Damaged, NotAllowed, Unreadable
from station.base.tongue import key, tr
from station.night.acts import MakeMove, Open, TakeKeys, TakeSealed
from station.night.fair import FairBag
from station.night.opening import Opening, opening_of
from station.night.sealed import SEALED, read_sealed
from station.night.sealed_play import commitment_of, wrong_key
from station.night.table.leaves import TableCommitment, TableLeaves, no_leaf
from station.proof.leaves import Commitment, OpenedLeaf, Way
from station.proof.sealed_game import SealedGame
from station.record.chain import Head, JournalLine
from station.record.copies import COPY, read_copy
from station.record.heads import TreeHead, parse_heads
from station.record.hidden import UNSEALED
from station.record.journal import FILE as JOURNAL
from station.record.journal import disk_errors
from station.record.station_key import Keys, signed_by

_Do = Mapping[str, Any]
_OVER = frozenset({"open", "close-night"})  # no hand is on


class TableTraces:
    """The leaves of a night's tables, line by line."""

    def __init__(self) -> None:
        self._leaves: TableLeaves | None = None
        # the moves of this hand that a hidden leaf has decided, by their digest
        self._later: dict[Any, tuple[TableLeaves, int, _Do]] = {}

    def take(self, do: _Do, then: _Do, night: int, games: int) -> str | None:
        """Take the next line, as journals have it.

        Args:
            games: how many games of the night were opened before.

        Returns:
            The public key that a line commits to leaves for; None where it commits to none.

        Raises:
            NotAllowed, ValidationError, TypeError, Unreadable: no station writes such a line here.
        """
        act, luck = do["act"], do.get("luck")
        if act in _OVER and self._later:
            raise no_leaf()
        if act in ("commit", "sit"):
            told = TableCommitment.model_validate(luck)
            self._leaves = TableLeaves.committed(told, night, games, self._leaves)
            return told.station
        if act == "open" and ("leaf" in do or "deal" in do):
            opening = Open.model_validate(do)
            if opening.leaf is None or "deal" not in do:
                raise no_leaf()
            self._leaves = self._known.dealt(opening.leaf, opening.deal)
        elif act == "move" and ("chance" in do or "later" in do):
            self._take_move(MakeMove.model_validate(do))
        if UNSEALED in then:
            self._take_unsealed(then[UNSEALED])
        return None

    @property
    def _known(self) -> TableLeaves:
        if self._leaves is None:
            raise no_leaf()
        return self._leaves

    def _take_move(self, act: MakeMove) -> None:
        leaves, digest = self._known, act.move.get(SEALED)
        if act.chance is not None and act.later is None:
            leaves.check_move(act.chance, act.move)
            self._leaves = leaves.next(act.chance.leaf.at)
            return
        if act.chance is not None or act.later is None or not isinstance(digest, str):
            raise no_leaf()
        if digest in self._later:
            raise no_leaf()
        self._later[digest] = leaves, act.later, act.move
        self._leaves = leaves.next(act.later)

    def _take_unsealed(self, parts: object) -> None:
        """Take the parts of a hand that is over: all hidden leaves of it are opened."""
        if not isinstance(parts, list):
            raise no_leaf()
        for part in (read_sealed(one, UNSEALED) for one in parts):
            if part.digest not in self._later:
                continue  # nothing that chance decides, or opened before
            leaves, at, move = self._later.pop(part.digest)
            if part.chance is None or part.chance.leaf.at != at:
                raise no_leaf()
            leaves.check_move(part.chance, {**move, **part.fields})
        if self._later:
            raise no_leaf()


# -- what stands beside the lines ------------------------------------------------------------------

# inputs through which a draw takes its number from the virtual bag; a button's name may follow
FROM_THE_BAG = frozenset({"auto", "button"})


HEADS = "heads.txt"  # the signed heads of a night, kept after each game's end and the night's
LONGEST_HEADS = 2 << 20  # bytes; a head has about 240


class Traces:
    """What a night's lines refer to, collected line by line; the lines are verified already.

    Args:
        path: of the journal, for the sentences.
        kept: the heads that lay beside it before the lines were read.

    Attributes:
        opening: what the first line says was done; None before it.
        signatures: of the lines whose heads were kept.
        first: the first line.
        newest: the last one taken.
    """

    def __init__(self, path: Path, kept: bytes = b"") -> None:
        self._path = path
        self._kept = frozenset(sizes_in(kept))
        self.signatures: dict[int, str] = {}
        self._fair: FairBag | None = None
        self._sealed: SealedGame | None = None
        self._drawings = 0
        self._table = TableTraces()
        self._stations: dict[str, int] = {}
        self.games = 0
        self.opening: Opening | None = None
        self.first: JournalLine | None = None
        self.newest: JournalLine | None = None

    def take(self, line: JournalLine) -> None:
        """Take note of the next line.

        Raises:
            Damaged: it does not say what every line of the station says.
        """
        # A million lines go through here: check for the commonest kind first, and once.
        act, at, seq = line.do.get("act"), line.at, line.seq
        if not isinstance(act, str) or not at.trust or not _TIME(at.wall):
            what = key("the line does not say what was done: no station writes such a line")
            when = key("the line does not say when it was: no station writes such a line")
            raise Damaged(f"{self._path}:{seq}: {tr(when if isinstance(act, str) else what)}")
        if not are_whole(line.do, line.then):
            whole = key("a count or a number in the line is no whole number")
            raise Damaged(f"{self._path}:{seq}: {tr(whole)}")
        self.newest = line
        if seq == 1:
            self.first = line
            self.opening = opening_of({"do": line.do}, f"{self._path}:1")
        else:
            if act in _OF_TABLE or UNSEALED in line.then:
                self._take_table(line)
            if act in _NUMBERED:
                self.games += 1
                self._fair, self._drawings = None, 0
            if act in _LOOKED_AT:
                self._take(line, act)
        if seq in self._kept:
            self.signatures[seq] = line.signature

    def _take(self, line: JournalLine, act: str) -> None:
        bag, luck = line.do.get("bag"), line.do.get("luck")
        if act in _OF_SEALED or (act == "open" and _is_sealed(line.do)):
            self._take_sealed(line, act)
        if act in _OF_SEALED:
            return
        committed = luck is not None or bag not in (None, "")
        if committed or act in _FROM_LEAVES or (self._fair is not None and act != "open"):
            self._take_fair(line, act)

    def _take_table(self, line: JournalLine) -> None:
        """Check what a line says of a table's leaves.

        Raises:
            Damaged: it is not what the lines before have committed to; names the line.
        """
        night = self.opening.night if self.opening is not None else 0
        try:
            station = self._table.take(line.do, line.then, night, self.games)
        except (NotAllowed, Unreadable, ValidationError, TypeError) as error:
            why = str(error) if isinstance(error, NotAllowed) else tr(NO_LEAF)
            raise Damaged(f"{self._path}:{line.seq}: {why}") from error
        if station is not None:
            self._stations.setdefault(station, line.seq)

    def _take_sealed(self, line: JournalLine, act: str) -> None:
        """Check what a line says of a sealed game: its file, its opening, its keys.

        Raises:
            Damaged: it is not what the organiser has signed; names the line.
        """
        try:
            good = self._follows_seal(line, act)
        except (ValidationError, ValueError):
            good = False
        if not good:
            raise Damaged(f"{self._path}:{line.seq}: {tr(NOT_SEALED)}")

    def _follows_seal(self, line: JournalLine, act: str) -> bool:
        if act == "take-sealed":
            game = self._sealed = TakeSealed.model_validate(line.do).game
            if game is None:
                return True
            whole = game.model_dump() == line.do["game"]  # no field was missing
            return whole and signed_by(game.organiser, game.signed, game.signature)
        game = self._sealed
        if game is None:
            return False
        if act == "take-keys":
            keys = TakeKeys.model_validate(line.do)
            return wrong_key(game, keys.first - 1, keys.each) is None
        said = line.do.get("sealed"), line.do.get("bag"), line.do.get("luck")
        wanted = game.digest, game.root, commitment_of(game).model_dump(mode="json")
        dated = _ZONED(line.at.wall) is not None
        wall = datetime.fromisoformat(line.at.wall).timestamp()
        return said == wanted and dated and game.opens(wall)

    def _take_fair(self, line: JournalLine, act: str) -> None:
        """Check what a line says of a bag whose numbers open leaves.

        Raises:
            Damaged: it is not what the lines before have committed to; names the line.
        """
        try:
            self._fair = self._fair_after(line.do, act, line)
        except (NotAllowed, ValidationError, TypeError) as error:
            why = str(error) if isinstance(error, NotAllowed) else tr(NO_LEAF)
            raise Damaged(f"{self._path}:{line.seq}: {why}") from error

    def _fair_after(self, do: dict[str, Any], act: str, line: JournalLine) -> FairBag | None:
        """Return the bag after a line; None where there is none."""
        fair = self._fair
        if act in ("open", "shake"):
            return self._bag_in(do, line.seq)
        if fair is None:
            raise TypeError(act)
        number = do.get("number", 0)
        match act:
            case "draw":
                given, again = do.get("leaf"), do.get("again") is True
                leaf = OpenedLeaf.model_validate(given) if given is not None else None
                if leaf is None and not again and line.via.partition(":")[0] in FROM_THE_BAG:
                    raise TypeError(act)
                return fair.drawn(number, leaf, again=again)
            case "see":
                return fair.seen(number, OpenedLeaf.model_validate(do.get("leaf")))
            case "renew":
                return fair.renewed(_root_in(do), do.get("epoch", 0))
            case "mix" | "waive":
                return _mixed(fair, do)
        return fair.taken_back()

    def _bag_in(self, do: dict[str, Any], seq: int) -> FairBag | None:
        """Return the bag of a line that opens a game or shakes a bag."""
        told = do.get("away", [])
        if not isinstance(told, list):  # the numbers of a text or of an object are none
            raise TypeError(told)
        away = frozenset(told)
        if self._fair is not None and self._fair.root == do.get("bag"):
            return replace(self._fair, away=away)  # counted again before its first knob
        luck = Commitment.model_validate(do.get("luck"))
        self._drawings += 1
        if luck.way is not Way.SEALED:
            self._stations.setdefault(luck.station, seq)
        elif do["act"] == "shake":  # only a game that opens is held against the organiser's file
            raise no_leaf()
        night = self.opening.night if self.opening is not None else 0
        root, drawing = _root_in(do), self._drawings
        return FairBag.committed(root, luck, night, self.games, drawing=drawing, away=away)

    def check_stations(self, public: str) -> None:
        """Check that every bag was committed to by the station whose key signs the night.

        Raises:
            Damaged: one was not.
        """
        for station, seq in self._stations.items():
            if station != public:
                why = tr(
                    "the bag was committed to for another station, {station}",
                    station=station or "-",
                )
                raise Damaged(f"{self._path}:{seq}: {why}")


# What a station writes as whole numbers alone, in what was done and in what followed.
WHOLE = ("number", "calls", "night", "epoch", "first")


def are_whole(do: Mapping[str, Any], then: Mapping[str, Any]) -> bool:
    """Return whether numbers, counts and money in a line are whole numbers: neither true, nor text,
    nor nothing. The checking page asks the same (`verifying.js`).

    >>> are_whole({"act": "draw", "number": 40}, {"calls": 1}), are_whole({"number": True}, {})
    (True, False)
    """
    told = [part[name] for part in (do, then) for name in WHOLE if name in part]
    for part, name in ((do.get("leaf"), "at"), (then.get("opening"), "game")):
        if isinstance(part, dict) and name in part:
            told.append(part[name])
    if isinstance(ledger := then.get("ledger"), dict):
        told += ledger.values()
    if isinstance(away := do.get("away"), list):
        told += away
    return all(type(one) is int for one in told)


def _root_in(do: Mapping[str, Any]) -> str:
    """Return the root of the bag that a line commits to."""
    root = do.get("bag")
    if not isinstance(root, str):
        raise TypeError(do["act"])
    return root


def _mixed(fair: FairBag, do: Mapping[str, Any]) -> FairBag:
    """Return a bag with the hall's words as they stand in a line: its numbers follow from them."""
    if do["act"] == "waive":
        return fair.mixed("") if do.get("about") == "words" else fair
    words = do.get("words")
    if not isinstance(words, str) or not words:
        raise TypeError(do["act"])
    return fair.mixed(words)


_OF_TABLE = frozenset({"sit", "commit", "open", "move", "close-night"})
_OF_SEALED = frozenset({"take-sealed", "take-keys"})
_FROM_LEAVES = frozenset({"draw", "mix"})  # no station records them without a committed bag
_OF_BAGS = frozenset({"open", "shake", "draw", "undo", "see", "renew", "mix", "waive"})
_LOOKED_AT = _OF_BAGS | _OF_SEALED
_NUMBERED = frozenset({"open", "skip"})  # each takes a number of the programme
NO_OPENING = key("the night's opening is missing")
NOT_SEALED = key("the line is not of a sealed game as its organiser has signed it, in its window")
NO_LEAF = key("the line does not open a leaf of the bag as every line of a station does")
# The form of a time: 2026-01-31T20:15:00, then perhaps a fraction and a zone.
_TIME = re.compile(r"[\x00-\x7f]{10}T[\x00-\x7f]{2}:[\x00-\x7f]{2}:[\x00-\x7f]{0,23}").fullmatch
# A time that is the same on every machine.
_ZONED = re.compile(r"[0-9T:-]{19}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})").fullmatch


def _is_sealed(do: dict[str, Any]) -> bool:
    luck = do.get("luck")
    return "sealed" in do or (isinstance(luck, dict) and luck.get("way") == Way.SEALED)


def kept_beside(folder: Path, disk: Disk) -> bytes:
    """Return the heads that were kept beside a night's journal, unparsed; nothing where none were.
    Of a file that is too long, return the beginning.

    Raises:
        StoreError: they cannot be read.
    """
    path = folder / HEADS
    with disk_errors(path):
        try:
            return disk.read_first(path, LONGEST_HEADS)
        except FileNotFoundError:
            return b""


def sizes_in(data: bytes) -> Iterator[int]:
    """Yield the lines of whose heads a file tells, whether it is well-formed or not."""
    lines = data.split(b"\n")
    return (int(size) for size in lines if size.isascii() and size.isdigit() and len(size) < 20)


def kept_heads(data: bytes, path: Path, night: int, public: str) -> tuple[TreeHead, ...]:
    """Parse the heads that were kept beside a night's journal, and check their signatures.

    Args:
        path: of the file, for the error.
        public: the key that signs the night.

    Raises:
        Damaged: one is malformed, is not signed, or is another night's; or they are out of order.
    """
    try:
        heads = parse_heads(data.decode()) if data else ()
    except ValueError as error:
        raise Damaged(f"{path}: {error}") from error
    whole = "".join(head.text for head in heads).encode() == data
    rising = all(one.size < other.size for one, other in pairwise(heads))
    good = all(head.night == night and head.signed_by(public) for head in heads)
    if not (whole and rising and good):
        why = tr("the heads here are not as the station wrote them: the file was altered")
        raise Damaged(f"{path}: {why}")
    return heads


def heads_up_to(data: bytes, size: int) -> bytes:
    """Return what the file of kept heads held when the journal had this many lines."""
    heads = parse_heads(data.decode()) if data else ()
    return "".join(head.text for head in heads if head.size <= size).encode()


def compare(
    folder: Path, traces: Traces, head: Head, kept: bytes, keys: Keys, disk: Disk
) -> Opening:
    """Check a night's verified lines against the files beside them; return the night's opening.

    Args:
        head: the end of the lines.
        kept: the heads that lay beside them before they were read: the station may go on meanwhile.
        keys: the public keys that may have signed; any when empty.

    Raises:
        Damaged: something is missing, altered or too much; names it.
    """
    place, opening = f"{folder / JOURNAL}:1", traces.opening
    if opening is None:
        raise Damaged(f"{place}: {tr(NO_OPENING)}")
    if opening.night != int(folder.name):
        other = tr("another night, {night}, was opened than stands here", night=opening.night)
        raise Damaged(f"{place}: {other}")
    if keys and opening.key not in keys:
        why = tr(
            "it is signed by key {key}, not by {keys}: compare with the key that was written down;"
            " if it is that one, give it with --key",
            key=opening.key,
            keys=", ".join(sorted(keys)),
        )
        raise Damaged(f"{place}: {why}")
    for one in kept_heads(kept, folder / HEADS, opening.night, opening.key):
        if traces.signatures.get(one.size) != base64.b64encode(one.signature[4:]).decode():
            why = tr(
                "line {line}, whose head was kept, is not in the journal: a tail was cut off, or"
                " the night was written anew",
                line=one.size,
            )
            raise Damaged(f"{folder / JOURNAL}:{min(one.size, head.seq + 1)}: {why}")
    with disk_errors(folder):
        names = disk.names(folder)
    for name in sorted({*opening.copies, *filter(COPY.fullmatch, names)}):
        read_copy(folder / name, disk)
    traces.check_stations(opening.key)
    return opening
