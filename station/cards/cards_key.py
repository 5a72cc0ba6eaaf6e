"""Keep the hall's key, which makes the check characters of serials and the short codes of QRs.

    <state>/cards.key        64 hex digits, 256 bits of the system's luck; made with the first pack,
                             in every backup

Nobody but the station may read it: whoever has it can make up serials. When it is lost the serials
of printed cards are still found in their pack, but no short code can be read or printed: put it
back from a backup.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from station.base.disk import give_to_owner, keep_file, keep_folder
from station.base.errors import Damaged, StoreError, Unreadable
from station.base.tongue import tr
from station.base.untrusted import file_bytes
from station.cards.serials import Numbering, is_keyed, numbering_of

KEY_FILE = "cards.key"
KEY_BYTES = 32
LONGEST = 1000  # bytes of its file that are read
_HEX = re.compile(rb"[0-9a-f]{64}\n?")


def load_key(state: Path) -> bytes | None:
    """Return the hall's key; None if none was made yet.

    Raises:
        StoreError: it cannot be read, or others may read it.
        Damaged: the file is no key.
    """
    path = state / KEY_FILE
    try:
        if not (path.exists() or path.is_symlink()):
            return None
        if path.stat().st_mode & 0o077:
            raise StoreError(
                tr("{file}: others may read the key of the cards: type chmod 600 {file}", file=path)
            )
        text = file_bytes(path, LONGEST)
    except StoreError:
        raise
    except Unreadable:
        text = b""
    except OSError as error:
        told = tr(
            "{file}: the key of the cards cannot be read ({why}): type sudo before it",
            file=path,
            why=error.strerror,
        )
        raise StoreError(told) from error
    if not _HEX.fullmatch(text):
        why = tr("this is no key of cards: put the one of your backup there")
        raise Damaged(f"{path}: {why}")
    return bytes.fromhex(text.decode("ascii"))


def make_key(state: Path) -> bytes:
    """Return the hall's key; create it durably if it is missing.

    Raises:
        StoreError: it cannot be read or written, or others may read it.
        Damaged: the file is no key.
    """
    key = load_key(state)
    if key is not None:
        return key
    key = secrets.token_bytes(KEY_BYTES)
    path = state / KEY_FILE
    try:
        keep_folder(state)
        keep_file(path, key.hex().encode() + b"\n", private=True)
        give_to_owner(state)
    except OSError as error:
        told = tr(
            "{file}: the key of the cards cannot be kept ({why}): check the disk",
            file=path,
            why=error.strerror,
        )
        raise StoreError(told) from error
    return key


def load_numbering(serials: Sequence[str], state: Path) -> Numbering | None:
    """Return how a pack in this folder is numbered; None for plain serials, or another hall's.

    Args:
        serials: the pack's, in their order.

    Raises:
        StoreError: the key is lost, or cannot be read.
        Damaged: the key's file is no key.
    """
    if not serials or not is_keyed(serials[0]):
        return None
    key = load_key(state)
    if key is None:
        raise StoreError(
            tr(
                "{file}: lost, and card {serial} was numbered with it: put it back from your last"
                " backup; until then cards are found by their serials only",
                file=state / KEY_FILE,
                serial=serials[0],
            )
        )
    return numbering_of(serials, key)
