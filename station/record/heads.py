"""Sign and read the heads of a night's tree, as any verifier of transparency logs does. Pure.

Each night's journal is a log with one tree (RFC 6962, SHA-256). Leaf i, from 0, is the entry of
line i + 1: the line without its `signature`, or the 64 hex digits of the entry's SHA-256 if it has
more than 65,535 bytes, the most that a tile can hold.

A head is a checkpoint (c2sp.org/tlog-checkpoint), which is a signed note (c2sp.org/signed-note):

    loto-station/6f0c1a2b3c4d5e6f/night-0001
    57
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

    — loto-station/6f0c1a2b3c4d5e6f/night-0001 Az3grlgtzPICa5OS8npVmf1Myq/5IZ…

The first line is the tree's *origin*: the beginning of the station's public key, and the night. The
second is the number of lines, the third the root in base 64. Below the empty line are the name of
the key, which is the origin again, and in base 64 the key's four-byte id, SHA-256(name ‖ 0x0A ‖
0x01 ‖ public key), and the Ed25519 signature over the three lines with their newlines.

Each line of the journal carries, as `signature`, the signature of the head that ends with it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from station.base.errors import Unreadable
from station.base.tongue import key, tr
from station.proof.merkle import HASH, Edge, leaf_hash

LONGEST_ENTRY = 0xFFFF  # bytes, of a tile's entry
ED25519 = b"\1"  # the kind of signature, in a signed note
DASH = "— "
NO_HEAD = key("this is not the head of a station's tree")
_ORIGIN = re.compile(r"loto-station/[0-9a-f]{16}/night-(\d{4,10})")
_FORM = re.compile(
    rf"({_ORIGIN.pattern})\n(0|[1-9]\d{{0,17}})\n([A-Za-z0-9+/]{{43}}=)\n\n"
    rf"{DASH}\1 ([A-Za-z0-9+/=]+)\n",
    re.ASCII,
)

Key: TypeAlias = Ed25519PrivateKey


def stored_entry(entry: bytes) -> bytes:
    """Return an entry as the night's tree and its tiles have it."""
    return entry if len(entry) <= LONGEST_ENTRY else hashlib.sha256(entry).hexdigest().encode()


def leaf_of(entry: bytes) -> bytes:
    """Return the hash of an entry in the night's tree."""
    return leaf_hash(stored_entry(entry))


# -- signed notes ----------------------------------------------------------------------------------


def key_id(name: str, public: bytes) -> bytes:
    """Return the four bytes that tell a key apart from others of its name.

    Args:
        public: the 32 bytes of an Ed25519 key.
    """
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def verifier_key(name: str, public: bytes) -> str:
    """Return a public key as other verifiers of signed notes read it."""
    coded = base64.b64encode(ED25519 + public).decode()
    return f"{name}+{key_id(name, public).hex()}+{coded}"


# -- heads -----------------------------------------------------------------------------------------


def origin_of(public: str, night: int) -> str:
    """Return the origin of a night's tree.

    Args:
        public: the station's key, 64 hex digits.
    """
    return f"loto-station/{public[:16]}/night-{night:04d}"


def head_text(public: str, night: int, edge: Edge) -> str:
    """Return the signed part of a head: three lines."""
    root = base64.b64encode(edge.root).decode()
    return f"{origin_of(public, night)}\n{edge.size}\n{root}\n"


def head_note(public: str, night: int, edge: Edge, signature: bytes) -> str:
    """Return the whole head. Show it only after its last line is durable."""
    name = origin_of(public, night)
    signed = base64.b64encode(key_id(name, bytes.fromhex(public)) + signature).decode()
    return f"{head_text(public, night, edge)}\n{DASH}{name} {signed}\n"


@dataclass(frozen=True, slots=True)
class Signer:
    """Sign the heads of one night.

    Attributes:
        key: the station's signing key.
        night: the night's number.
        public: its public half, 64 hex digits.
    """

    key: Key
    night: int
    public: str

    @classmethod
    def of(cls, key: Key, night: int) -> Signer:
        """Return the signer of a night."""
        return cls(key, night, key.public_key().public_bytes_raw().hex())

    def sign(self, edge: Edge) -> bytes:
        """Return the signature of the head of a tree, 64 bytes."""
        return self.key.sign(head_text(self.public, self.night, edge).encode())

    def note(self, edge: Edge) -> str:
        """Return the signed head of a tree."""
        return head_note(self.public, self.night, edge, self.sign(edge))


def has_signed(public: str, night: int, edge: Edge, signature: bytes) -> bool:
    """Return whether a public key, 64 hex digits, has signed the head of this tree."""
    try:
        signer = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        signer.verify(signature, head_text(public, night, edge).encode())
    except (InvalidSignature, ValueError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class TreeHead:
    """A head that was parsed; `signed_by` checks its signature.

    Attributes:
        text: the whole head.
        origin: which tree it belongs to.
        night: the night's number.
        size: how many lines the tree has.
        root: the tree's root.
        signature: the id of the key, and the signature.
    """

    text: str
    origin: str
    night: int
    size: int
    root: bytes
    signature: bytes

    def signed_by(self, public: str) -> bool:
        """Return whether this key, 64 hex digits, has signed it."""
        raw = bytes.fromhex(public)
        if self.origin != origin_of(public, self.night):
            return False
        if self.signature[:4] != key_id(self.origin, raw):
            return False
        signed = self.text[: self.text.index("\n\n") + 1].encode()
        try:
            Ed25519PublicKey.from_public_bytes(raw).verify(self.signature[4:], signed)
        except (InvalidSignature, ValueError):
            return False
        return True

    def signed_by_any(self, keys: Iterable[str]) -> bool:
        """Return whether one of these keys has signed it."""
        return any(map(self.signed_by, keys))


def parse_head(text: str) -> TreeHead:
    """Parse the head of a tree.

    Raises:
        Unreadable: it is not the head of a station's tree.
    """
    found = _FORM.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        origin, night, size, root, signed = found.groups()
        signature, hashed = base64.b64decode(signed, validate=True), base64.b64decode(root)
        if len(signature) != 68 or base64.b64encode(signature).decode() != signed:
            raise ValueError
        if len(hashed) != HASH or base64.b64encode(hashed).decode() != root:
            raise ValueError
    except (binascii.Error, ValueError):
        raise Unreadable(tr(NO_HEAD)) from None
    return TreeHead(text, origin, int(night), int(size), hashed, signature)


def parse_heads(text: str) -> tuple[TreeHead, ...]:
    """Parse heads that follow one another, with any white space between them.

    Raises:
        Unreadable: something else is there.
    """
    text = text.replace("\r\n", "\n").strip() + "\n"
    if _FORM.sub("", text).strip():
        raise Unreadable(tr(NO_HEAD))
    return tuple(parse_head(found[0]) for found in _FORM.finditer(text))


def first_unlike(kept: Iterable[TreeHead], leaves: Sequence[bytes]) -> tuple[int, int] | None:
    """Return where a night's lines differ from heads that somebody kept.

    Args:
        kept: heads of that night with good signatures.
        leaves: the hashes of its entries.

    Returns:
        Two lines, from 1: the first line that differs or is missing is between them. None if the
        lines continue every head.
    """
    edge = Edge()
    for head in sorted(kept, key=lambda head: head.size):
        good = edge.size
        for leaf in leaves[good : head.size]:
            edge = edge.grown(leaf)
        if (edge.size, edge.root) != (head.size, head.root):
            return (edge.size if edge.size < head.size else good) + 1, head.size
    return None
