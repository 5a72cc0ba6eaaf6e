"""Sign the head of the journal when a night opens, at the end of each game, and at the end of the
night.

    <state>/station.key                      the signing key (Ed25519), made at the first start;
                                             nobody else may read it
    <state>/station.pub                      its public half, 64 hex digits
    <state>/nights/0001/checkpoints.jsonl    all checkpoints of that night, one a line

A head stands for every line before it, in this night and in all nights before: one signature
vouches for them all. `loto journal key` shows the public key: write it on paper. With it anybody
can check a copy of the state folder, on any machine. They are kept: each ends a line that was due
to be signed, and the opening of the next night carries the last one on.

Limits. Whoever can read the signing key, root on this machine, can sign another history: the
signature protects copies, and what is carried away. The newest nights taken away together with
their checkpoints, or cut back to an earlier one, leave a whole folder, too: only a newer head that
was kept elsewhere shows that. Lines after the last checkpoint are chained, not signed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from station.base.disk import Disk, keep_file, keep_more
from station.base.errors import Damaged, StoreError, Unreadable
from station.base.tongue import key, tr
from station.base.untrusted import file_bytes, table_from
from station.record.chain import Head, canonical
from station.record.journal import disk_errors

FILE = "checkpoints.jsonl"
KEY_FILE = "station.key"
PUBLIC_FILE = "station.pub"
DRAFT_FILE = "station.key.draft"
# Acts after whose lines a checkpoint is kept, besides a night's opening and lines that say `ended`.
SIGNED_ACTS = frozenset({"close", "break", "close-night"})
UNSIGNED = key("{file}: the night cannot be signed ({why}): check the disk")
UNMADE = key(
    "{file}: the signing key cannot be made or read ({why}): check the folder's permissions"
)
UNKEPT = key("{file}: the signing key cannot be kept ({why}): check the disk")
UNREAD = key("{file}: the public key cannot be read ({why}): check the folder's permissions")

# Signed before the rest, so that a signature made here can never be taken for one over something
# else.
_PURPOSE = b"loto-station checkpoint 1\n"
LONGEST = 1000  # bytes of one
_HEX_KEY = re.compile(r"[0-9a-f]{64}")

Key: TypeAlias = Ed25519PrivateKey
Keys: TypeAlias = Collection[str]  # public ones


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed head.

    Attributes:
        night: the night's number.
        game: how many games of the programme had been opened.
        seq: the line signed, of that night's journal.
        sum: that line's sum.
        key: the public key of the station that signed, 64 hex digits.
        signature: Ed25519 over the purpose and the canonical form of all the others, 128 hex
            digits.
    """

    night: int
    game: int
    seq: int
    sum: str
    key: str
    signature: str

    @property
    def head(self) -> Head:
        """Return the head that was signed."""
        return Head(self.seq, self.sum)


def make(night: int, game: int, head: Head, key: Key) -> bytes:
    """Sign a head; return the checkpoint as a line. Write it after the head's line is durable,
    never before."""
    place = {"night": night, "game": game, "seq": head.seq, "sum": head.sum}
    signed = {**place, "key": public_key(key)}
    return canonical({**signed, "signature": key.sign(_PURPOSE + canonical(signed)).hex()}) + b"\n"


def parse(data: bytes, source: str) -> Checkpoint:
    """Parse a checkpoint and check its signature with the key that it names.

    Whether that key is the station's is another question: see `trusted`.

    Raises:
        Damaged: it is not a checkpoint, not as it was written, or not signed by that key.
    """
    try:
        if len(data) > LONGEST:
            raise ValueError(tr("it is longer than any checkpoint"))
        signed = table_from(data, LONGEST)
        point, again = _typed(signed), canonical(signed) + b"\n"
        signature = bytes.fromhex(signed.pop("signature"))
        if again != data or point.signature != signature.hex():
            raise ValueError(tr("it is not in the form in which it was written"))
        _public(point.key).verify(signature, _PURPOSE + canonical(signed))
    except InvalidSignature:
        why = tr("its signature does not match: it, or the night it speaks of, was altered")
        raise Damaged(f"{source}: {why}") from None
    except (TypeError, ValueError) as error:
        raise Damaged(f"{source}: {tr('this is no checkpoint')}: {error}") from error
    return point


def _typed(signed: object) -> Checkpoint:
    """Return a checkpoint whose fields are what a station writes: texts, and whole numbers."""
    kinds = dict.fromkeys(("night", "game", "seq"), int)
    texts = dict.fromkeys(("sum", "key", "signature"), str)
    if not isinstance(signed, dict) or {name: type(told) for name, told in signed.items()} != {
        **kinds,
        **texts,
    }:
        raise ValueError(tr("its fields are not those of a checkpoint"))
    if min(signed[name] for name in kinds) < 0 or not _HEX_KEY.fullmatch(signed["sum"]):
        raise ValueError(tr("its fields are not those of a checkpoint"))
    return Checkpoint(**signed)


def trusted(point: Checkpoint, keys: Keys, source: str) -> Checkpoint:
    """Return the same checkpoint if one of these public keys signed it.

    Raises:
        Damaged: none of them signed it.
    """
    if point.key not in keys:
        why = tr(
            "it is signed by key {key}, not by {keys}: compare with the key that was written down;"
            " if it is that one, give it with --key",
            key=point.key,
            keys=", ".join(sorted(keys)),
        )
        raise Damaged(f"{source}: {why}")
    return point


def missing(point: Checkpoint, source: str) -> Damaged:
    """Return the error for a checkpoint whose line is not in the journal."""
    why = tr(
        "line {line}, signed after {games} games, is not in the journal: a tail was cut off, or the"
        " night was written anew",
        line=point.seq,
        games=point.game,
    )
    return Damaged(f"{source}: {why}")


def read_points(
    folder: Path, names: Collection[str], keys: Keys, disk: Disk
) -> tuple[Checkpoint, ...]:
    """Read a night's checkpoints, oldest first, and check each signature.

    Args:
        names: what stands in the folder.
        keys: the public keys that may have signed; any when empty.

    Raises:
        Damaged: a line is no checkpoint, is another key's or another night's, or is out of order;
            names file and line.
        StoreError: they cannot be read.
    """
    points: list[Checkpoint] = []
    if FILE not in names:
        return ()
    path = folder / FILE
    with disk_errors(path):
        lines = disk.read(path).splitlines(keepends=True) or [b""]
    for number, line in enumerate(lines, 1):
        place = f"{path}:{number}"
        point = parse(line, place)
        if keys:
            trusted(point, keys, place)
        if point.night != int(folder.name):
            why = tr(
                "it was signed for night {night}, and stands in another's folder",
                night=point.night,
            )
            raise Damaged(f"{place}: {why}")
        if points and point.seq <= points[-1].seq:
            why = tr(
                "line {line} is signed after line {other}: the file was altered",
                line=point.seq,
                other=points[-1].seq,
            )
            raise Damaged(f"{place}: {why}")
        points.append(point)
    return tuple(points)


def sign(key: Key, message: bytes) -> str:
    """Return a signature, 128 hex digits. What a message is for stands at its beginning."""
    return key.sign(message).hex()


def signed_by(key: str, message: bytes, signature: str) -> bool:
    """Return whether a public key, 64 hex digits, has signed a message."""
    try:
        _public(key).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def up_to(data: bytes, seq: int) -> bytes:
    """Return what a checkpoint file held when the journal had `seq` lines."""
    kept = (line for line in data.splitlines(keepends=True) if parse(line, FILE).seq <= seq)
    return b"".join(kept)


def add_point(folder: Path, point: bytes, disk: Disk) -> None:
    """Append a checkpoint to a night's file, durably.

    Raises:
        StoreError: it cannot be written.
    """
    with disk_errors(folder / FILE, UNSIGNED):
        keep_more(folder / FILE, point, disk)


# -- the key ---------------------------------------------------------------------------------------


def make_key(state: Path) -> Key:
    """Return the station's signing key; create it if it is missing. Raises as `key_of`."""
    key_of(state)
    settle_key(state)
    return key_of(state)


def key_of(state: Path) -> Key:
    """Return the station's signing key, or make a draft of one.

    A draft becomes the key with the first durable thing that it has signed. So a start that fails,
    or loses its power, before its first signature leaves no key behind that seems to have signed.
    Call it only while holding the state folder's lock.

    Raises:
        StoreError: it cannot be read or written, or others may read it.
        Damaged: the file is no such key.
    """
    path = state / KEY_FILE
    if not path.exists() and (state / PUBLIC_FILE).exists():
        why = tr(
            "the signing key is gone, and {public} is there: put the key of your backup there, or"
            " begin with another state folder (--state) and write its key on paper",
            public=PUBLIC_FILE,
        )
        raise Damaged(f"{path}: {why}")
    settled = os.path.lexists(path)
    path = path if settled else state / DRAFT_FILE
    try:
        with disk_errors(path, UNMADE):
            if not os.path.lexists(path):
                made = Ed25519PrivateKey.generate().private_bytes_raw().hex()
                keep_file(path, f"{made}\n".encode(), private=True)
            if path.stat().st_mode & 0o077:
                raise StoreError(
                    tr("{file}: others may read the signing key: type chmod 600 {file}", file=path)
                )
            text = file_bytes(path, LONGEST).decode("ascii").removesuffix("\n")
            key = Ed25519PrivateKey.from_private_bytes(_key_bytes(text))
            public, half = state / PUBLIC_FILE, f"{public_key(key)}\n".encode()
            if settled and (not public.exists() or file_bytes(public) != half):
                keep_file(public, half)
    except ValueError as error:
        why = tr("this is no signing key: put the one of your backup there, or move it away")
        raise Damaged(f"{path}: {why}") from error
    return key


def settle_key(state: Path) -> None:
    """Make the draft the station's key, once something that it signed is durable.

    Raises:
        StoreError: it cannot be written.
    """
    draft = state / DRAFT_FILE
    if not draft.exists() or has_key(state):
        return
    with disk_errors(draft, UNKEPT):
        draft.replace(state / KEY_FILE)
        Disk().sync_folder(state)
    key_of(state)  # writes its public half


def has_key(state: Path) -> bool:
    """Return whether a key, no draft, has signed here, or one of its two files is left."""
    return any((state / name).exists() for name in (KEY_FILE, PUBLIC_FILE))


def public_key(key: Key) -> str:
    """Return the public key as it is written on paper: 64 hex digits."""
    return key.public_key().public_bytes_raw().hex()


def load_public_key(state: Path) -> str | None:
    """Read the public key of this state folder; return None if no station has made one.

    Raises:
        StoreError: it cannot be read.
        Damaged: it is no public key.
    """
    path = state / PUBLIC_FILE
    with disk_errors(path, UNREAD):
        try:
            return parse_public_key(file_bytes(path, LONGEST).decode("ascii"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            why = tr("this is no public key: start the station, it writes it anew")
            raise Damaged(f"{path}: {why}") from error


def parse_public_key(text: str) -> str:
    """Parse a public key as a person types it; spaces and capitals do not matter.

    Raises:
        Unreadable: it is not 64 hex digits.
    """
    key = "".join(text.split()).lower()
    if not _HEX_KEY.fullmatch(key):
        raise Unreadable(
            tr(
                "a station's public key is 64 hex digits, as loto journal key prints it, not"
                " {given!r}",
                given=text,
            )
        )
    return key


@lru_cache(maxsize=8)  # one key signs a season
def _public(text: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(_key_bytes(text))


def _key_bytes(text: str) -> bytes:
    if not _HEX_KEY.fullmatch(text):
        raise ValueError(tr("the key is not 64 hex digits"))
    return bytes.fromhex(text)
