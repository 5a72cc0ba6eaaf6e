"""Sign releases and check who made one: a builder's key, the signature of a list of digests, the
key that a station keeps.

    builder.key                         the private half (Ed25519), 64 hex digits: whoever reads it
                                        can sign; the builder's alone
    builder.pub                         the public half, beside it
    SHA256SUMS.sig                      in an archive, beside SHA256SUMS: version, public key,
                                        signature
    /etc/loto-station/builder.pub       on a station: the one whose releases it takes; root's,
                                        outside of every release

The signature covers the version and the digest of SHA256SUMS, and that names every file with its
own digest. A fingerprint is what two people compare by telephone: the first half of the public
key's SHA-256, in groups of four.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from station.base.disk import Disk, keep_file, keep_folder, open_regular
from station.base.errors import Damaged, LotoError, StoreError, Unreadable
from station.base.tongue import tr
from station.base.untrusted import table_from

SIGNATURE = "SHA256SUMS.sig"
LONGEST_SIGNATURE = 4096
KEPT = "/etc/loto-station/builder.pub"
FORMAT = 1
# Signed before the rest, so that a signature made here can never be taken for one over something
# else.
_PURPOSE = b"loto-station release 1\n"
_HEX_KEY = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"[0-9A-Za-z.+~-]{1,40}")


class KeyTrouble(LotoError):
    """A builder's key cannot be made or used; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature beside a list of digests.

    Attributes:
        version: of the program that was signed.
        key: the builder's public key, 64 hex digits.
        signature: Ed25519 over the purpose, the version and the list's digest, 128 hex digits.
    """

    version: str
    key: str
    signature: str


def make_key(file: Path) -> str:
    """Make a builder's key, for its maker alone, and the public key beside it; return that.

    Raises:
        KeyTrouble: the file is there already, or cannot be written.
    """
    public = file.with_suffix(".pub")
    try:
        keep_folder(file.parent)
        for path in (file, public):
            if path.is_symlink() or path.exists():
                what = tr("this is there already, and is left as it is")
                raise KeyTrouble(tr("{path}: {what}: name another file", path=path, what=what))
        key = Ed25519PrivateKey.generate()
        keep_file(file, f"{key.private_bytes_raw().hex()}\n".encode(), private=True)
        keep_file(public, f"{public_key(key)}\n".encode(), public=True)
    except OSError as error:
        raise KeyTrouble(
            tr("{file}: the key cannot be made ({why})", file=file, why=error.strerror)
        ) from error
    return public_key(key)


def load_key(file: Path) -> Ed25519PrivateKey:
    """Read a builder's key.

    Raises:
        KeyTrouble: it is no key, cannot be read, or others may read it.
    """
    try:
        with file.open("rb") as opened:
            if os.fstat(opened.fileno()).st_mode & 0o077:
                raise KeyTrouble(
                    tr("{file}: others may read this key: type chmod 600 {file}", file=file)
                )
            text = opened.read(100).decode("ascii", "replace").strip()
    except OSError as error:
        what = tr("the key cannot be read ({why}); loto bundle key makes one", why=error.strerror)
        raise KeyTrouble(f"{file}: {what}") from error
    if not _HEX_KEY.fullmatch(text):
        raise KeyTrouble(
            tr("{file}: this is no builder's key (loto bundle key makes one)", file=file)
        )
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text))


def fingerprint(public: str) -> str:
    """Return a public key as people compare it.

    >>> fingerprint("00" * 32)
    '6668 7aad f862 bd77 6c8f c18b 8e9f 8e20'
    """
    digits = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:32]
    return " ".join(digits[place : place + 4] for place in range(0, 32, 4))


def is_fingerprint(typed: str, public: str) -> bool:
    """Return whether somebody typed this key's fingerprint; spaces and capitals do not matter."""
    return "".join(typed.split()).lower() == fingerprint(public).replace(" ", "")


def sign(listed: bytes, version: str, key: Ed25519PrivateKey) -> bytes:
    """Return the signature file for a list of digests."""
    signature = Signature(version, public_key(key), key.sign(_signed(listed, version)).hex())
    return json.dumps({"format": FORMAT, **asdict(signature)}, indent=1).encode() + b"\n"


def signed_by(data: bytes, listed: bytes, source: str) -> Signature:
    """Return the signature in a file, checked against this list and the key that it names.

    Whether that key is the one to be trusted is another question.

    Raises:
        Unreadable: it is of a newer kind.
        Damaged: it is no signature, or not of this list.
    """
    try:
        told = table_from(data)
        if isinstance(told.get("format"), int) and told["format"] > FORMAT:
            what = tr("it was signed in a way that this release does not know yet")
            raise Unreadable(
                tr("{source}: {what}: update to one between", source=source, what=what)
            )
        if told.pop("format") != FORMAT or not all(isinstance(one, str) for one in told.values()):
            raise ValueError(tr("it has other parts"))
        found = Signature(**told)
        if not _VERSION.fullmatch(found.version) or not _HEX_KEY.fullmatch(found.key):
            raise ValueError(tr("version or key cannot be read"))
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(found.key)).verify(
            bytes.fromhex(found.signature), _signed(listed, found.version)
        )
    except InvalidSignature:
        what = tr("its signature does not match: the list of digests or the version was altered")
        raise Damaged(f"{source}: {what}") from None
    except Unreadable:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(
            tr(
                "{source}: {name} is no signature: take another copy",
                source=source,
                name=SIGNATURE,
            )
        ) from error
    return found


def kept_key(path: Path, owner: int = 0) -> str | None:
    """Return the public key whose releases a station takes; None if it has none yet.

    Args:
        owner: the machine's owner: root, or for a machine in a folder the folder's owner.

    Raises:
        StoreError: it cannot be read, is no file, or others than root may change it.
        Damaged: it is no public key.
    """
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            found = os.fstat(file.fileno())
            text = file.read(100).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(
            tr("{path}: the builder's key cannot be read ({why})", path=path, why=error.strerror)
        ) from error
    if found.st_uid not in (0, owner) or found.st_mode & 0o022:
        todo = tr("type chown root: {path} and chmod 644 {path}", path=path)
        raise StoreError(tr("{path}: others may change it: {todo}", path=path, todo=todo))
    if not _HEX_KEY.fullmatch(text):
        todo = tr("remove it, and the next release's maker is asked for again")
        raise Damaged(
            tr("{path}: this is no public key of a builder: {todo}", path=path, todo=todo)
        )
    return text


def keep_key(path: Path, public: str, disk: Disk) -> None:
    """Make this the key whose releases the station takes.

    Raises:
        OSError: it cannot be written.
    """
    keep_folder(path.parent, disk)
    keep_file(path, f"{public}\n".encode(), disk, public=True)


def public_key(key: Ed25519PrivateKey) -> str:
    """Return the public key as 64 hex digits."""
    return key.public_key().public_bytes_raw().hex()


def _signed(listed: bytes, version: str) -> bytes:
    return _PURPOSE + f"{version}\n{hashlib.sha256(listed).hexdigest()}\n".encode()
