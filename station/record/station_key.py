"""Make and read the key that signs the record.

    <state>/station.key    the signing key (Ed25519), made at the first start; only its owner may
                           read it
    <state>/station.pub    its public half, 64 hex digits

`loto journal key` prints the public key: write it on paper. Anyone who has it can check a copy of
the state folder on any machine.

Limits. Anyone who can read the signing key, such as root on this machine, can sign another history:
the signatures protect copies and what leaves this machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from station.base.disk import Disk, keep_file
from station.base.errors import Damaged, StoreError, Unreadable
from station.base.tongue import key, tr
from station.base.untrusted import file_bytes
from station.record.journal import disk_errors

KEY_FILE = "station.key"
PUBLIC_FILE = "station.pub"
DRAFT_FILE = "station.key.draft"
UNMADE = key(
    "{file}: the signing key cannot be made or read ({why}): check the folder's permissions"
)
UNKEPT = key("{file}: the signing key cannot be kept ({why}): check the disk")
UNREAD = key("{file}: the public key cannot be read ({why}): check the folder's permissions")

LONGEST = 1000  # bytes of a key file
_HEX_KEY = re.compile(r"[0-9a-f]{64}")

Key: TypeAlias = Ed25519PrivateKey
Keys: TypeAlias = Collection[str]  # public ones


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
