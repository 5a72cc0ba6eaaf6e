"""The third verifier's values: their forms, and how they are written, hashed and signed."""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MANY, FLAGS = 2**32, re.DOTALL | re.ASCII
KEY, WORD, COUNT = "[0-9a-f]{64}", ".{0,64}", range(1, 1001)
SECONDS, ZONE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", r"[+-]\d\d:\d\d"
WALL = r"[\x00-\x7f]{10}T[\x00-\x7f]{2}:[\x00-\x7f]{2}:[\x00-\x7f]{0,23}"
COPY = r"(pack-[0-9a-f]{16}\.csv|programme-[0-9a-f]{16}\.json|tags-[0-9a-f]{16}\.toml)"

# Forms, as `fits` takes them. A field with a question mark may be missing or null.
LINE = {"seq": int, "id": str, "at": dict, "by": str, "via": str, "do": dict, "then": dict,
        "prev": str, "signature": "[A-Za-z0-9+/]{85}[AQgw]=="}  # fmt: skip
FIRST = {"act": "open-night", "night": range(1, MANY), "key": KEY, "version": str, "test": bool,
         "last_number": bool, "copies": (COPY, MANY)}  # fmt: skip
LEAF = {"at": range(MANY), "secret": KEY, "path?": f"({KEY}){{0,16}}"}
LUCK = {"way": "committed|fresh|shared|sealed", "station": f"({KEY})?", "leaves": range(0, 91, 90)}
TABLE = {**LUCK, "way": "committed|fresh", "root": KEY, "epoch": range(1, MANY)}
LAW = {"kind": "dice|cubes|shuffle", "field": WORD, "dice?": COUNT, "faces?": COUNT,
       "count?": COUNT, "things?": (WORD, 1000), "blank?": WORD}  # fmt: skip
DECIDED = {"leaf": LEAF, "law": LAW}
PART = {"salt": "[0-9a-f]{32}", "fields": dict, "chance?": DECIDED}
SEALED = {"name": ".{1,60}", "begins": SECONDS + ZONE, "until": SECONDS + ZONE, "organiser": KEY,
          "halls": f"({KEY}){{0,10000}}", "leaves": f"({KEY}){{90}}", "sealed": f"({KEY}){{90}}",
          "signature": "[0-9a-f]{128}"}  # fmt: skip


class Fault(Exception):
    """A line is not as the page describes it."""


def need(good: Any) -> None:
    """Raise Fault if a condition is not met."""
    if not good:
        raise Fault


def fits(value: Any, form: Any) -> bool:
    """Return whether a value is of a type, or has the form of a pattern, a range, a list or fields.

    A list has the form (form of each, most).
    """
    match form:
        case str():
            return isinstance(value, str) and bool(re.fullmatch(form, value, FLAGS))
        case range():
            return type(value) is int and value in form
        case (item, most):
            short = isinstance(value, list) and len(value) <= most
            return short and all(fits(each, item) for each in value)
        case dict():
            known = {name.rstrip("?") for name in form}
            return isinstance(value, dict) and value.keys() <= known and all(
                fits(value.get(name), form[name]) if name in form
                else value.get(name) is None or fits(value[name], form[name + "?"])
                for name in known)  # fmt: skip
    return type(value) is form


def cut(digits: str, size: int = 64) -> list[bytes]:
    """Return the bytes of hex texts that stand one behind the other."""
    return [bytes.fromhex(digits[start : start + size]) for start in range(0, len(digits), size)]


def sha(*parts: bytes) -> bytes:
    """Return the SHA-256 of the parts, one behind the other."""
    return hashlib.sha256(b"".join(parts)).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root of a tree (RFC 6962) over the hashes of its leaves."""
    if len(leaves) == 1:
        return leaves[0]
    left = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\1", root(leaves[:left]), root(leaves[left:]))


def canonical(value: Any, ascii_only: bool = False) -> bytes:
    """Return the canonical form; `ascii_only` is for hidden parts."""
    form: dict[str, Any] = {"sort_keys": True, "allow_nan": False, "separators": (",", ":")}
    return json.dumps(value, ensure_ascii=ascii_only, **form).encode()


def signed(key: str, signature: bytes, text: bytes) -> bool:
    """Return whether this is the key's Ed25519 signature of a text."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True
