"""Sign, read and check the files of a sealed game (`station.night.sealed_play`), and give out keys.

    NAME           the sealed game: for everybody
    NAME.keys      the organiser's: all keys, and the openings that were there before the first of
                   them was given out; nobody else may read it
    an opening     a hall's: the line with which it opened the game, and the signed head of its
                   record that ends with it
    a release      the organiser's: the keys of the first calls, and those openings, signed

The line of an opening has the digest of the sealed game's file and of the register of sold cards.
All openings come before the first key: whoever knows keys can sell himself a card that wins. So
from the first release on no other opening is taken.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from random import Random, SystemRandom
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from station.base.disk import keep_file
from station.base.errors import Damaged, NotAllowed, StoreError, Unreadable
from station.base.tongue import key, tr
from station.base.untrusted import json_from, named_bytes
from station.night.fair import FairBag
from station.night.sealed_play import KEY, binding_of, commitment_of, leaf_by, padded, wrong_key
from station.programme.programme import validation_faults
from station.proof.leaves import HEX, LEAVES, SECRET, Way, bound_leaf
from station.proof.merkle import Edge, Tree, root_by
from station.proof.sealed_game import SealedGame
from station.record import audit
from station.record.chain import Head, canonical, entry_alone, entry_of
from station.record.heads import Key, leaf_of, parse_head
from station.record.journal import FILE, JournalContent, disk_errors
from station.record.nights import StateFolder
from station.record.station_key import has_key, key_of, make_key, public_key, sign, signed_by

KEYS_ENDING = ".keys"
LAST_S = 60.0  # at the window's end, in which no game is opened: its line is dated a moment later
_RELEASE = b"loto-station sealed keys 1\n"
_Hex = Annotated[str, Field(pattern=HEX)]
_Keys = Annotated[str, Field(pattern=rf"^([0-9a-f]{{{2 * KEY}}})*$", max_length=2 * KEY * LEAVES)]
UNKEPT = key("{file}: cannot be written ({why})")
Model = TypeVar("Model", bound=BaseModel)


class SealedReason(StrEnum):
    """Why a sealed game is not played here, or its keys are not given out."""

    FORGED = "sealed-not-signed"
    OTHER_HALLS = "sealed-for-others"
    WINDOW = "sealed-window"
    NO_OPENING = "no-opening"
    LATE = "opening-late"


def require_playable(game: SealedGame, station: str) -> None:
    """Check that a sealed game is signed, and for this station.

    Args:
        station: its public key; empty where nothing is signed.

    Raises:
        NotAllowed: it is not.
    """
    if not signed_by(game.organiser, game.signed, game.signature):
        raise NotAllowed(
            SealedReason.FORGED,
            "the sealed game is not what its organiser signed: get the file again",
        )
    if not game.may_play(station):
        raise NotAllowed(
            SealedReason.OTHER_HALLS,
            "the sealed game is for other halls: this station's key, {station}, is not one of"
            " theirs",
            station=station or "-",
        )


def require_window(game: SealedGame, wall: float) -> None:
    """Check that a sealed game may be opened now.

    Args:
        wall: now, in seconds since 1970.

    Raises:
        NotAllowed: it may not.
    """
    if not (game.opens(wall) and game.opens(wall + LAST_S)):
        raise NotAllowed(
            SealedReason.WINDOW,
            "the sealed game is opened from {begins} on, and a minute before {until} at the latest;"
            " this clock shows {now}",
            begins=game.begins,
            until=game.until,
            now=datetime.fromtimestamp(wall).astimezone().isoformat(timespec="seconds"),
        )


# -- the organiser's files -------------------------------------------------------------------------


class OrganiserKeys(BaseModel, frozen=True, extra="forbid"):
    """What the organiser keeps.

    Attributes:
        sealed: the digest of the game's file.
        keys: all 90, 32 hex digits each.
        openings: the root of each hall's opening by its public key, once the first key is out.
    """

    sealed: _Hex
    keys: _Keys
    openings: dict[_Hex, _Hex] = {}


class GivenKeys(BaseModel, frozen=True, extra="forbid"):
    """Keys that are given out.

    Attributes:
        sealed: the digest of the game's file.
        keys: those of the first calls, 32 hex digits each.
        openings: as in `OrganiserKeys`.
        signature: the organiser's, of all the others, 128 hex digits.
    """

    sealed: _Hex
    keys: _Keys
    openings: dict[_Hex, _Hex]
    signature: Annotated[str, Field(pattern=r"^([0-9a-f]{128})?$")] = ""

    @property
    def signed(self) -> bytes:
        """Return what the organiser signs."""
        return _RELEASE + canonical(self.model_dump(exclude={"signature"}))

    @property
    def each(self) -> list[str]:
        """Return the keys one by one."""
        return [self.keys[at : at + 2 * KEY] for at in range(0, len(self.keys), 2 * KEY)]

    def to_bytes(self) -> bytes:
        """Return the file."""
        return canonical(self.model_dump()) + b"\n"


def organiser_key(state: Path) -> Key:
    """Return the key of whoever draws a game; make one in a folder that has none.

    Raises:
        StoreError: it cannot be read or written, or others may read it.
        Damaged: the file is no such key.
    """
    if has_key(state):
        return key_of(state)
    folder = StateFolder(state, least_room=0)
    try:
        return make_key(state)
    finally:
        folder.close()


def make(path: Path, told: Mapping[str, str], key: Key, luck: Random | None = None) -> SealedGame:
    """Draw a game, seal and sign it; write its file and the file of its keys.

    Args:
        told: `name`, `begins`, `until`, `halls` as in `SealedGame`.
        luck: None is the system's CSPRNG.

    Raises:
        StoreError: one of them is there already, or cannot be written.
        Unreadable: a field cannot be so.
    """
    luck = luck or SystemRandom()
    secrets = [luck.randbytes(SECRET) for _ in range(LEAVES)]
    keys = [luck.randbytes(KEY) for _ in range(LEAVES)]
    try:
        game = _sealed({**told, "organiser": public_key(key)}, secrets, keys)
    except ValidationError as error:
        faults = "; ".join(validation_faults(error, tr("the file")))
        raise Unreadable(f"{path}: {faults}") from error
    game = game.model_copy(update={"signature": sign(key, game.signed)})
    for file in (path, _keys_file(path)):
        if file.exists():
            raise StoreError(tr("{file} is there already: name another file", file=file))
    _keep_keys(path, OrganiserKeys(sealed=game.digest, keys=b"".join(keys).hex()))
    with disk_errors(path, UNKEPT):
        keep_file(path, game.to_bytes())
    return game


def _sealed(told: Mapping[str, str], secrets: Sequence[bytes], keys: Sequence[bytes]) -> SealedGame:
    binding = binding_of(told["organiser"])
    bound = [binding.at(place) for place in range(LEAVES)]
    leaves = b"".join(map(bound_leaf, bound, secrets)).hex()
    return SealedGame(
        **told, leaves=leaves, sealed=b"".join(map(padded, secrets, keys, bound)).hex()
    )


def numbers(game: SealedGame, keys: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of the first calls, by their keys; each opens its call."""
    bag = FairBag(binding_of(game.organiser), Way.SEALED, game.root)
    for at, opener in enumerate(keys):
        if (leaf := leaf_by(game, at, opener)) is not None:
            yield (number := bag.gives(leaf.secret))
            bag = bag.drawn(number, leaf, again=False)


def release(
    path: Path, game: SealedGame, openings: Iterable[SignedOpening], calls: int, key: Key
) -> GivenKeys:
    """Return the keys of the first calls, signed; from the first time on no other opening is taken.

    Args:
        path: of the game's file, which has the keys' file beside it.
        openings: those that came; they may be left out once the first key is out.

    Raises:
        NotAllowed: there is no opening, it comes too late, or this is not the organiser's key.
        Damaged: the keys' file is another game's, or was altered.
        StoreError: it cannot be read or written.
    """
    kept = _read(_keys_file(path), OrganiserKeys)
    if kept.sealed != game.digest or len(kept.keys) != 2 * KEY * LEAVES:
        raise Damaged(f"{_keys_file(path)}: {tr('these are the keys of another sealed game')}")
    if public_key(key) != game.organiser:
        raise NotAllowed(
            SealedReason.FORGED, "the keys are given out by the organiser: this is another's key"
        )
    came: dict[str, str] = {}
    for opening in openings:
        if came.setdefault(opening.station, opening.root) != opening.root:
            raise NotAllowed(
                SealedReason.LATE,
                "station {station} has opened the game twice: none of its openings is taken",
                station=opening.station,
            )
    late = {station: line for station, line in came.items() if kept.openings.get(station) != line}
    if kept.openings and late:
        raise NotAllowed(
            SealedReason.LATE,
            "the opening of station {station} comes after the first key was given out: it cannot"
            " play this game",
            station=next(iter(late)),
        )
    if not kept.openings and not came:
        raise NotAllowed(
            SealedReason.NO_OPENING,
            "no key is given out before the halls' signed openings are here: let each hall open the"
            " game and send what ./loto sealed opening writes",
        )
    if not kept.openings:
        kept = kept.model_copy(update={"openings": came})
        _keep_keys(path, kept)  # before anybody has a key
    keys = kept.keys[: 2 * KEY * calls]
    out = GivenKeys(sealed=game.digest, keys=keys, openings=kept.openings)
    return out.model_copy(update={"signature": sign(key, out.signed)})


def _keys_file(path: Path) -> Path:
    return path.with_name(path.name + KEYS_ENDING)


def _keep_keys(path: Path, kept: OrganiserKeys) -> None:
    file = _keys_file(path)
    with disk_errors(file, UNKEPT):
        keep_file(file, canonical(kept.model_dump()) + b"\n", private=True)


def read_game(path: Path) -> SealedGame:
    """Return a sealed game, whose signature is good.

    Raises:
        Damaged: it is none, or not what its organiser signed.
        Unreadable: it cannot be read.
    """
    game = _read(path, SealedGame)
    if not signed_by(game.organiser, game.signed, game.signature):
        raise Damaged(f"{path}: {tr('its signature does not match: it was altered')}")
    return game


def read_release(path: Path, game: SealedGame) -> GivenKeys:
    """Return the keys that an organiser gave out for a game; each opens its call.

    Raises:
        Damaged: they are none, another game's, or not what the organiser signed.
        Unreadable: they cannot be read.
    """
    out = _read(path, GivenKeys)
    if out.sealed != game.digest:
        raise Damaged(f"{path}: {tr('these are the keys of another sealed game')}")
    if not signed_by(game.organiser, out.signed, out.signature):
        raise Damaged(f"{path}: {tr('its signature does not match: it was altered')}")
    if (wrong := wrong_key(game, 0, out.each)) is not None:
        why = tr("the key of call {call} does not open it", call=wrong + 1)
        raise Damaged(f"{path}: {why}")
    return out


def _read(path: Path, model: type[Model]) -> Model:
    """Return what a file holds, in the one form in which it is written.

    Raises:
        Damaged: it holds something else.
        Unreadable: it cannot be read.
    """
    data = named_bytes(path)
    try:
        found = model.model_validate(json_from(data))
    except Unreadable as error:
        raise Damaged(f"{path}: {error}") from error
    except ValidationError as error:
        why = "; ".join(validation_faults(error, tr("the file")))
        raise Damaged(f"{path}: {why}") from error
    if canonical(found.model_dump()) + b"\n" != data:
        raise Damaged(f"{path}: {tr('it is not in the form in which it was written')}")
    return found


def key_text(opener: str) -> str:
    """Return a key as people read it out: 26 signs of base 32, in groups of four.

    >>> key_text("00" * 16)
    'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AA'
    """
    signs = base64.b32encode(bytes.fromhex(opener)).decode().rstrip("=")
    return "-".join(signs[start : start + 4] for start in range(0, len(signs), 4))


def parse_key(text: str) -> str:
    """Return a key as `key_text` writes it, in hex; spaces, hyphens and small letters are free.

    Raises:
        Unreadable: it is no key.
    """
    signs = "".join(text.split()).replace("-", "").upper()
    try:
        opener = base64.b32decode(signs + "=" * (-len(signs) % 8)).hex()
    except (binascii.Error, ValueError):
        opener = ""
    if len(opener) != 2 * KEY or key_text(opener).replace("-", "") != signs:
        raise Unreadable(
            tr("{given}: a key is 26 letters and digits from 2 to 7, in groups of four", given=text)
        )
    return opener


# -- a hall's opening ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SignedOpening:
    """A hall's signed opening of a sealed game.

    Attributes:
        station: the public key that signed.
        seq: the line, of the night's journal.
        root: of the night's tree that ends with that line, 64 hex digits.
        register: the digest of the cards sold for it.
    """

    station: str
    night: int
    seq: int
    root: str
    register: str


def read_opening(data: bytes, game: SealedGame, source: str) -> SignedOpening:
    """Return the opening that a hall sent; it is signed, and in the window.

    Raises:
        Damaged: it is not; says why.
    """
    try:
        opening = _Opening.model_validate(json_from(data))
        line, head = entry_alone(opening.entry.encode()), parse_head(opening.head)
        path = [bytes.fromhex(opening.path[at : at + 64]) for at in range(0, len(opening.path), 64)]
    except (ValueError, RecursionError) as error:
        why = tr("this is no opening: {why}", why=error)
        raise Damaged(f"{source}: {why}") from error
    root = root_by(path, leaf_of(opening.entry.encode()), line["seq"] - 1, head.size)
    signed = head.size == line["seq"] and root == head.root and head.signed_by(opening.key)
    if fault := fault_of(line, opening.key if signed else "", game):
        raise Damaged(f"{source}: {fault}")
    opened = line["then"].get("opening")
    register = str(opened.get("register")) if isinstance(opened, dict) else ""
    return SignedOpening(opening.key, head.night, head.size, head.root.hex(), register)


class _Opening(BaseModel, frozen=True, extra="forbid"):
    """The file with which a hall shows its organiser that it has opened a sealed game.

    Attributes:
        entry: the journal's line, without its signature.
        head: the signed head of the night's tree that ends with that line.
        key: the public key that signed it.
        path: the hashes that lead from the line to the head's root (RFC 6962, 2.1.1).
    """

    form: Literal["loto-station opening 1"] = "loto-station opening 1"
    entry: str
    head: str
    key: _Hex
    path: Annotated[str, Field(pattern=r"^([0-9a-f]{64})*$")]


def fault_of(line: Mapping[str, Any], station: str, game: SealedGame) -> str:
    """Return what is wrong with the line that opens a sealed game in a hall; empty if nothing is.

    Args:
        line: a journal line.
        station: the public key that has signed it; empty if none has.
    """
    do = line["do"]
    luck = commitment_of(game).model_dump(mode="json")
    said = do.get("act"), do.get("sealed"), do.get("bag"), do.get("luck")
    if said != ("open", game.digest, game.root, luck):
        return tr("the line does not open this sealed game")
    if not station:
        return tr("the opening is not signed")
    if not game.may_play(station):
        return tr("it is signed by {station}, and the game is for other halls", station=station)
    try:
        wall = datetime.fromisoformat(str(line["at"].get("wall"))).timestamp()
    except ValueError:
        wall = 0.0
    if not game.opens(wall):
        at = line["at"].get("wall")
        window = {"begins": game.begins, "until": game.until}
        return tr("it was opened at {at}, not from {begins} on and before {until}", at=at, **window)
    return ""


def openings_of(state: Path) -> Iterator[tuple[str, bytes]]:
    """Yield each opening of a sealed game in a state folder, the oldest first: the digest of the
    game's file, and what the hall sends to its organiser.

    Raises:
        Damaged: the record is; names file and line.
    """
    for one in _opened(state):
        file = _Opening(
            entry=entry_of(one.line).decode(),
            head=one.head.note(one.station, one.night),
            key=one.station,
            path=b"".join(Tree(one.reading.leaves[: one.head.seq]).path(one.head.seq - 1)).hex(),
        )
        yield str(one.line["do"]["sealed"]), canonical(file.model_dump()) + b"\n"


@dataclass(frozen=True, slots=True)
class _Opened:
    """A line that opened a sealed game in a hall.

    Attributes:
        station: the public key that has signed it.
    """

    folder: Path
    reading: JournalContent
    line: dict[str, Any]
    station: str

    @property
    def night(self) -> int:
        return int(self.folder.name)

    @property
    def head(self) -> Head:
        """Return the head that ends with the line."""
        edge = Edge.over(self.reading.leaves[: self.line["seq"]])
        return Head(edge, self.line["signature"])

    def calls(self) -> list[tuple[int, int]]:
        """Return the numbers of the game that stand at its end, each with its line."""
        called: list[tuple[int, int]] = []
        for line in self.reading.lines[self.line["seq"] :]:
            match line["do"].get("act"):
                case "open":
                    break
                case "draw":
                    called.append((line["do"]["number"], line["seq"]))
                case "undo" if called:
                    called.pop()
        return called


def _opened(state: Path) -> Iterator[_Opened]:
    """Yield each line that opens a sealed game."""
    for folder, reading, night in audit.readings(state):
        for line in reading.lines:
            if line["do"].get("act") == "open" and line["do"].get("sealed"):
                yield _Opened(folder, reading, line, night.key)


# -- anybody's check -------------------------------------------------------------------------------


@dataclass
class HallChecked:
    """What was found of a sealed game in a hall's record.

    Attributes:
        calls: how many numbers were called.
        faults: what is wrong, with file and line.
    """

    state: Path
    station: str = ""
    calls: int = 0
    faults: list[str] = field(default_factory=list)


def check(game: SealedGame, out: GivenKeys | None, states: Iterable[Path]) -> list[HallChecked]:
    """Check a sealed game in the records of halls.

    Each record is audited whole: chain, signatures, and each number with its leaf. Then its
    opening, and its numbers: the same in the same order in all halls, as far as each has called.

    Args:
        out: the keys that were given out; None where they are not known yet.
    """
    order = list(numbers(game, out.each)) if out is not None else []
    return [_checked(game, out, state, order) for state in states]


def _checked(game: SealedGame, out: GivenKeys | None, state: Path, order: list[int]) -> HallChecked:
    """Return what was found in one hall; `order` grows by the numbers that are first seen here."""
    found = HallChecked(state)
    try:
        opened = [one for one in _opened(state) if one.line["do"]["sealed"] == game.digest]
    except StoreError as error:
        found.faults.append(str(error))
        return found
    if not opened:
        found.faults.append(f"{state}: {tr('this sealed game was not opened here')}")
    for place, one in enumerate(opened):
        path, calls = one.folder / FILE, one.calls()
        found.station, found.calls = one.station, len(calls)
        again = tr("this sealed game was opened a second time") if place else ""
        if fault := again or fault_of(one.line, one.station, game) or _too_late(one, out):
            found.faults.append(f"{path}:{one.head.seq}: {fault}")
        found.faults += [f"{path}:{seq}: {fault}" for seq, fault in _in_order(calls, order)]
    return found


def _too_late(opened: _Opened, out: GivenKeys | None) -> str:
    """Return that an opening came after the first key; empty if it did not, or if nobody knows."""
    if out is None or out.openings.get(opened.station) == opened.head.root:
        return ""
    return tr("this opening is not among those that came before the first key")


def _in_order(calls: Sequence[tuple[int, int]], order: list[int]) -> Iterator[tuple[int, str]]:
    """Yield the line of the first call that is another than elsewhere, and what is wrong; the order
    grows by what is called here first."""
    for call, (number, seq) in enumerate(calls):
        if call == len(order):
            order.append(number)
        elif order[call] != number:
            told = {"call": call + 1, "number": number, "wanted": order[call]}
            yield seq, tr("call {call} is {number}, and {wanted} in the sealed game", **told)
            return
