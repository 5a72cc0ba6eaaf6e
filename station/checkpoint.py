"""Checkpoints: the head of the journal, signed by the station at the end of each game and of the night.

    <state>/station.key                      the signing key (Ed25519), made at the first start; nobody else may read it
    <state>/station.pub                      its public half, 64 hex digits
    <state>/nights/0001/checkpoint.json      the newest checkpoint of that night

A head stands for every line before it, in this night and in all nights before: one signature vouches for them all. `loto journal
key` shows the public key: write it on paper. With it anybody can check a copy of the state folder, on any machine.

Limits. Whoever can read the signing key, root on this machine, can sign another history: the signature protects copies, and what
is carried away. A journal cut back together with an older checkpoint is whole, too: only a newer head or checkpoint that was kept
elsewhere shows that. Lines after the last checkpoint are chained, not signed.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from station.chain import Head, canonical
from station.disk import Disk, PrivateDisk, keep_file
from station.errors import Damaged, StoreError, Unreadable

log = logging.getLogger(__name__)

FILE = "checkpoint.json"
KEY_FILE = "station.key"
PUBLIC_FILE = "station.pub"
SIGNED_ACTS = frozenset(
    {"close", "break", "close-night"}
)  # after whose lines a checkpoint is kept; and after those that say `ended`

# Signed before the rest, so that a signature made here can never be taken for one over something else.
_PURPOSE = b"loto-station checkpoint 1\n"
_HEX_KEY = re.compile(r"[0-9a-f]{64}")

Key: TypeAlias = Ed25519PrivateKey


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed head.

    Attributes:
        night: the night's number.
        game: how many games of the programme had been opened.
        seq: the line signed, of that night's journal.
        sum: that line's sum.
        key: the public key of the station that signed, 64 hex digits.
        signature: Ed25519 over the purpose and the canonical form of all the others, 128 hex digits.
    """

    night: int
    game: int
    seq: int
    sum: str
    key: str
    signature: str

    @property
    def head(self) -> Head:
        """What was signed."""
        return Head(self.seq, self.sum)


def make(night: int, game: int, head: Head, key: Key) -> bytes:
    """The checkpoint file for this head, signed. Write it after the head's line is durable, never before."""
    signed = {"night": night, "game": game, "seq": head.seq, "sum": head.sum, "key": public_key(key)}
    return canonical({**signed, "signature": key.sign(_PURPOSE + canonical(signed)).hex()}) + b"\n"


def parse(data: bytes, source: str) -> Checkpoint:
    """Reads a checkpoint file and checks its signature under the key that it names.

    Whether that key is the station's is another question: see `trusted`.

    Raises:
        Damaged: it is not a checkpoint, not as it was written, or not signed by that key.
    """
    try:
        point = Checkpoint(**json.loads(data))
        signed = asdict(point)
        signature = bytes.fromhex(signed.pop("signature"))
        if canonical(asdict(point)) + b"\n" != data or point.signature != signature.hex():
            raise ValueError("it is not in the form in which it was written")
        Ed25519PublicKey.from_public_bytes(_key_bytes(point.key)).verify(signature, _PURPOSE + canonical(signed))
    except InvalidSignature:
        raise Damaged(f"{source}: its signature does not match: it, or the night it speaks of, was altered") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise Damaged(f"{source}: this is no checkpoint: {error}") from error
    return point


def trusted(point: Checkpoint, keys: Collection[str], source: str) -> Checkpoint:
    """The same checkpoint, when one of these public keys signed it.

    Raises:
        Damaged: none of them did.
    """
    if point.key not in keys:
        raise Damaged(
            f"{source}: it is signed by key {point.key}, not by {' or '.join(sorted(keys))}: compare with the key that was "
            "written down; if it is that one, give it with --key"
        )
    return point


def missing(point: Checkpoint, source: str) -> Damaged:
    """What is to be said when the line that was signed is not in the journal."""
    return Damaged(
        f"{source}: line {point.seq}, signed at the end of game {point.game}, is not in the journal: "
        "a tail was cut off, or the night was written anew"
    )


def catch_up(folder: Path, lines: Sequence[Mapping[str, Any]], key: Key | None, disk: Disk) -> None:
    """Signs the newest end in a night's lines where the station ended between the line and its checkpoint.

    A checkpoint that cannot be read hinders nobody from playing: it is left for `loto journal verify` to name.

    Args:
        lines: all of the night, verified and durable.
        key: None signs nothing, and only compares.

    Raises:
        Damaged: what was signed is not in the journal any more.
        StoreError: the checkpoint cannot be read from the disk, or written.
    """
    path = folder / FILE
    acts = [line["do"].get("act") for line in lines]
    end = max((seq for seq, line in enumerate(lines, 1) if _ends(line)), default=0)
    try:
        signed = _signed(path, disk.read(path), lines) if disk.is_file(path) else 0
        if key is not None and end > signed:
            log.warning("%s: line %d was not signed when the station ended; it is now", folder, end)
            head = Head(end, lines[end - 1]["sum"])
            keep_file(path, make(int(folder.name), acts[:end].count("open"), head, key), disk)
    except Damaged:
        raise
    except OSError as error:
        raise StoreError(f"{path}: the end of a game cannot be signed ({error.strerror}): look at the disk") from error


def _ends(line: Mapping[str, Any]) -> bool:
    """Whether a game or the night ended with this line; one at the table ends by its own rules."""
    return line["do"].get("act") in SIGNED_ACTS or "ended" in line.get("then", {})


def _signed(path: Path, data: bytes, lines: Sequence[Mapping[str, Any]]) -> int:
    """The line that a checkpoint vouches for; of one that cannot be read, every line, so that it is left as it is."""
    try:
        point = parse(data, str(path))
    except Damaged as error:
        log.error("%s. The night goes on; loto journal verify will name it, too", error)
        return len(lines)
    if not 0 < point.seq <= len(lines) or lines[point.seq - 1]["sum"] != point.sum:
        raise missing(point, str(path))
    return point.seq


# -- the key -----------------------------------------------------------------------------------------------------------


def make_key(state: Path) -> Key:
    """The station's signing key, made now if there is none. Only for whoever holds the state folder's lock.

    Raises:
        StoreError: it cannot be read or written, or others may read it.
        Damaged: what stands there is no such key.
    """
    path = state / KEY_FILE
    try:
        if not path.exists():
            keep_file(path, f"{Ed25519PrivateKey.generate().private_bytes_raw().hex()}\n".encode(), PrivateDisk())
        if path.stat().st_mode & 0o077:
            raise StoreError(f"{path}: others may read the signing key: type chmod 600 {path}")
        key = Ed25519PrivateKey.from_private_bytes(_key_bytes(path.read_text(encoding="ascii").removesuffix("\n")))
        public, text = state / PUBLIC_FILE, f"{public_key(key)}\n".encode()
        if not public.exists() or public.read_bytes() != text:
            keep_file(public, text)
    except StoreError:
        raise
    except ValueError as error:
        raise Damaged(f"{path}: this is no signing key: put the one of your backup there, or move it away") from error
    except OSError as error:
        raise StoreError(
            f"{path}: the signing key cannot be made or read ({error.strerror}): look at the folder's rights"
        ) from error
    return key


def public_key(key: Key) -> str:
    """The public half, 64 hex digits: what is written on paper."""
    return key.public_key().public_bytes_raw().hex()


def load_public_key(state: Path) -> str | None:
    """The public key beside this state folder's nights, or None where no station has made one.

    Raises:
        StoreError: it cannot be read.
        Damaged: it is no public key.
    """
    path = state / PUBLIC_FILE
    try:
        return parse_public_key(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise Damaged(f"{path}: this is no public key: start the station, it writes it anew") from error
    except OSError as error:
        raise StoreError(f"{path}: the public key cannot be read ({error.strerror}): look at the folder's rights") from error


def parse_public_key(text: str) -> str:
    """A public key as a person types it: spaces and capitals do not matter.

    Raises:
        Unreadable: it is not 64 hex digits.
    """
    key = "".join(text.split()).lower()
    if not _HEX_KEY.fullmatch(key):
        raise Unreadable(f"a station's public key is 64 hex digits, as loto journal key prints it, not {text!r}")
    return key


def _key_bytes(text: str) -> bytes:
    if not _HEX_KEY.fullmatch(text):
        raise ValueError("the key is not 64 hex digits")
    return bytes.fromhex(text)
