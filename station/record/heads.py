"""Sign and read the heads of a night's tree, as anybody's verifier of transparency logs does. Pure.

Each night's journal is the log of one tree (RFC 6962, SHA-256). Its leaf i, from 0, is line i + 1:
the bytes of that line as they stand in the file, without the newline. Of a line with more than
65,535 bytes, more than an entry of a tile may have, it is the 64 hex digits of their SHA-256.

A head is a checkpoint (c2sp.org/tlog-checkpoint), which is a signed note (c2sp.org/signed-note):

    loto-station/6f0c1a2b3c4d5e6f/night-0001
    57
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

    — loto-station/6f0c1a2b3c4d5e6f/night-0001 Az3grlgtzPICa5OS8npVmf1Myq/5IZ…

The first line is the tree's *origin*: the beginning of the station's public key, and the night. The
second has the number of lines, the third the root in base 64. Below the empty line stand the name
of the key, which is the origin again, and in base 64 four bytes that tell keys apart, SHA-256(name
‖ 0x0A ‖ 0x01 ‖ public key), and the Ed25519 signature over the three lines with their newlines.

The head over all lines before stands in each line, as `head`, in the first of a night over none.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from station.base.errors import Damaged, Unreadable
from station.base.tongue import key, tr
from station.proof.merkle import HASH, Edge, leaf_hash
from station.record.chain import SIGNED_HEAD, JournalLine

LONGEST_ENTRY = 0xFFFF  # bytes, of a tile's entry
ED25519 = b"\1"  # the kind of signature, in a signed note
DASH = "— "
_ORIGIN = re.compile(r"loto-station/[0-9a-f]{16}/night-(\d{4,})")
_FORM = re.compile(
    rf"({_ORIGIN.pattern})\n(0|[1-9]\d*)\n([A-Za-z0-9+/]{{43}}=)\n\n{DASH}\1 ([A-Za-z0-9+/=]+)\n",
    re.ASCII,
)

Key: TypeAlias = Ed25519PrivateKey
Walked = TypeVar("Walked")


def entry_of(line: bytes) -> bytes:
    """Return a line (without its newline) as it is an entry of the night's log."""
    return line if len(line) <= LONGEST_ENTRY else hashlib.sha256(line).hexdigest().encode()


def leaf_of(line: bytes) -> bytes:
    """Return the hash of a line (without its newline) in the night's tree."""
    return leaf_hash(entry_of(line))


# -- signed notes ----------------------------------------------------------------------------------


def key_id(name: str, public: bytes) -> bytes:
    """Return the four bytes that tell a key apart from others of its name.

    Args:
        public: the 32 bytes of an Ed25519 key.
    """
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def verifier_key(name: str, public: bytes) -> str:
    """Return a public key as other verifiers of signed notes read it."""
    told = base64.b64encode(ED25519 + public).decode()
    return f"{name}+{key_id(name, public).hex()}+{told}"


def sign_note(text: str, name: str, key: Key) -> str:
    """Return a text, which ends with a newline, as a note signed by one key."""
    told = key_id(name, key.public_key().public_bytes_raw()) + key.sign(text.encode())
    return f"{text}\n{DASH}{name} {base64.b64encode(told).decode()}\n"


# -- heads -----------------------------------------------------------------------------------------


def origin_of(public: str, night: int) -> str:
    """Return the origin of a night's tree.

    Args:
        public: the station's key, 64 hex digits.
    """
    return f"loto-station/{public[:16]}/night-{night:04d}"


@dataclass(frozen=True, slots=True)
class TreeHead:
    """The head of a night's tree, as it was read; whether its signature is good is asked apart.

    Attributes:
        text: the whole of it.
        origin: which tree it is of.
        night: the night's number.
        size: how many lines the tree has.
        root: the tree's root.
        signature: key id and signature.
    """

    text: str
    origin: str
    night: int
    size: int
    root: bytes
    signature: bytes

    def signed_by(self, public: str) -> bool:
        """Return whether this key, 64 hex digits, has signed it."""
        told = bytes.fromhex(public)
        if self.origin != origin_of(public, self.night):
            return False
        if self.signature[:4] != key_id(self.origin, told):
            return False
        signed = self.text[: self.text.index("\n\n") + 1].encode()
        try:
            Ed25519PublicKey.from_public_bytes(told).verify(self.signature[4:], signed)
        except (InvalidSignature, ValueError):
            return False
        return True

    def signed_by_any(self, keys: Iterable[str]) -> bool:
        """Return whether one of these keys has signed it."""
        return any(map(self.signed_by, keys))


def head_text(public: str, night: int, edge: Edge) -> str:
    """Return the text of a head that is signed: three lines."""
    root = base64.b64encode(edge.root).decode()
    return f"{origin_of(public, night)}\n{edge.size}\n{root}\n"


def sign_head(key: Key, night: int, edge: Edge) -> str:
    """Return the signed head of a night's tree. Show it after its last line is durable, never
    before."""
    public = key.public_key().public_bytes_raw().hex()
    return sign_note(head_text(public, night, edge), origin_of(public, night), key)


def headed(head: str) -> dict[str, str]:
    """Return what a line has of the head over the lines before it: nothing where none is signed."""
    return {SIGNED_HEAD: head} if head else {}


def parse_head(text: str) -> TreeHead:
    """Parse the head of a tree.

    Raises:
        Unreadable: it is not the head of a station's tree.
    """
    found = _FORM.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        origin, night, size, root, told = found.groups()
        signature, hashed = base64.b64decode(told, validate=True), base64.b64decode(root)
        if len(signature) != 68 or base64.b64encode(signature).decode() != told:
            raise ValueError
        if len(hashed) != HASH or base64.b64encode(hashed).decode() != root:
            raise ValueError
    except (binascii.Error, ValueError):
        raise Unreadable(tr(NO_HEAD)) from None
    return TreeHead(text, origin, int(night), int(size), hashed, signature)


def parse_heads(text: str) -> tuple[TreeHead, ...]:
    """Parse heads that stand one after the other, with any spaces between them.

    Raises:
        Unreadable: something else stands there.
    """
    text = text.replace("\r\n", "\n").strip() + "\n"
    if _FORM.sub("", text).strip():
        raise Unreadable(tr(NO_HEAD))
    return tuple(parse_head(found[0]) for found in _FORM.finditer(text))


def first_unlike(kept: Iterable[TreeHead], leaves: Sequence[bytes]) -> tuple[int, int] | None:
    """Return where a night's lines stop to be those of which somebody kept the heads.

    Args:
        kept: heads of that night, whose signatures are good.
        leaves: the hashes of its lines.

    Returns:
        Two lines, from 1: the first that is not as it was signed, or is gone, is one of those from
        the one to the other. None if the lines go on from every head.
    """
    edge = Edge()
    for head in sorted(kept, key=lambda head: head.size):
        good = edge.size
        for leaf in leaves[good : head.size]:
            edge = edge.grown(leaf)
        if (edge.size, edge.root) != (head.size, head.root):
            return (edge.size if edge.size < head.size else good) + 1, head.size
    return None


# -- in the lines ----------------------------------------------------------------------------------


class UnfitHead(Damaged):
    """A head in a line is not that of the lines before it."""


class Heads:
    """Hold the head in each line of a night against the tree over the lines before it.

    The last signature stands for all lines before it, and for the heads in them: so it alone is
    tried, and each only to find out which line is wrong.

    Args:
        path: of the journal, for the sentences.
        night: the night's number.
        keys: the public keys that may have signed; signatures are not tried when there is none.
        each: try each signature.

    Attributes:
        edge: of the tree over the lines taken.
    """

    def __init__(self, path: Path, night: int, keys: Iterable[str], *, each: bool = False) -> None:
        self._path = path
        self._night = night
        self._keys = tuple(keys)
        self._each = each
        self._last: tuple[int, str] | None = None
        self.edge = Edge()

    def take(self, line: JournalLine, leaf: bytes) -> None:
        """Check the head in the next line, which is verified already.

        Args:
            leaf: the hash of the line in the tree.

        Raises:
            UnfitHead: it is not that of the lines before; names the line, for sure only where each
                signature is tried.
        """
        if line.head:
            self._check(line.seq, line.head)
            self._last = line.seq, line.head
        elif self._last is not None:
            raise self._unfit(line.seq, tr(NO_HEAD_HERE))
        self.edge = self.edge.grown(leaf)

    def settle(self) -> None:
        """Check the last signature, which stands for all lines before it.

        Raises:
            UnfitHead: no key has signed it.
        """
        if self._last is not None and self._keys and not self._is_signed(self._last[1]):
            raise self._unfit(self._last[0], tr(NOT_SIGNED))

    def _check(self, seq: int, text: str) -> None:
        if self._fits(text):
            if self._each and self._keys and not self._is_signed(text):
                raise self._unfit(seq, tr(NOT_SIGNED))
        elif self._each and self._was_signed(text):
            raise self._unfit(self.edge.size, tr(REWRITTEN))
        else:
            raise self._unfit(seq, tr(OTHER_HEAD))

    def _fits(self, text: str) -> bool:
        """Return whether this is the head's text, whoever has signed it."""
        if self._keys:
            texts = (f"{head_text(key, self._night, self.edge)}\n" for key in self._keys)
            return text.startswith(tuple(texts))
        told = _head_in(text)
        wanted = self._night, self.edge.size, self.edge.root
        return told is not None and (told.night, told.size, told.root) == wanted

    def _is_signed(self, text: str) -> bool:
        told = _head_in(text)
        return told is not None and told.signed_by_any(self._keys)

    def _was_signed(self, text: str) -> bool:
        """Return whether other lines, as many as these of this night, were signed with this."""
        told = _head_in(text)
        if told is None or (told.night, told.size) != (self._night, self.edge.size):
            return False
        return told.signed_by_any(self._keys)

    def _unfit(self, seq: int, why: str) -> UnfitHead:
        return UnfitHead(f"{self._path}:{seq}: {why}")


def follow_heads(
    path: Path, night: int, keys: Collection[str], walk: Callable[[Heads], Walked]
) -> Walked:
    """Return what a walk through a night's lines returns.

    Args:
        path, night, keys: as for `Heads`.
        walk: lets `Heads` take each line. It is called again where a head does not fit: that time
            each signature is tried, so that the right line is named.

    Raises:
        UnfitHead: names the first line that is not as it was signed.
    """
    try:
        heads = Heads(path, night, keys)
        walked = walk(heads)
        heads.settle()
    except UnfitHead:
        walk(Heads(path, night, keys, each=True))
        raise
    return walked


def _head_in(text: str) -> TreeHead | None:
    try:
        return parse_head(text)
    except Unreadable:
        return None


NO_HEAD = key("this is not the head of a station's tree")
NO_HEAD_HERE = key("the line has no signed head, and the lines before it have: it was rewritten")
NOT_SIGNED = key("the station's key has not signed the head in this line: the line was rewritten")
OTHER_HEAD = key("the head in this line is not that of the lines before it: the line was rewritten")
REWRITTEN = key("the station has signed another line than this: it was rewritten")
