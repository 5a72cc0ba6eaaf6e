"""The chain: how a journal line is written, sealed to the one before it, and verified. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

GENESIS = "0" * 64
FIELDS = frozenset({"seq", "id", "at", "mono", "by", "via", "do", "then", "prev", "sum"})


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain: the last line's number and digest. Whoever keeps a copy can tell whether a tail was cut."""

    seq: int = 0
    sum: str = GENESIS


START = Head()


def canonical(data: Mapping[str, Any]) -> bytes:
    """The one way to write this object."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def seal(entry: Mapping[str, Any], head: Head) -> tuple[bytes, Head]:
    """The entry as the line that follows `head`, with its newline, and the new head."""
    body = {**entry, "seq": head.seq + 1, "prev": head.sum}
    digest = hashlib.sha256(canonical(body)).hexdigest()
    return canonical({**body, "sum": digest}) + b"\n", Head(head.seq + 1, digest)


def unseal(raw: bytes, head: Head) -> tuple[dict[str, Any], Head]:
    """The entry on a line (without its newline) that must follow `head`.

    Raises:
        ValueError: says what is wrong with it.
    """
    line = json.loads(raw)
    if not isinstance(line, dict) or set(line) != FIELDS:
        raise ValueError("it is not a journal line: fields are missing or foreign")
    body = {key: value for key, value in line.items() if key != "sum"}
    digest = hashlib.sha256(canonical(body)).hexdigest()
    if digest != line["sum"] or canonical(line) != raw:
        raise ValueError("it was altered: its sum does not match")
    if line["seq"] != head.seq + 1:
        raise ValueError(
            f"it is number {line['seq']} where {head.seq + 1} must stand: lines are missing, doubled or out of order"
        )
    if line["prev"] != head.sum:
        raise ValueError("it does not follow the line before: its prev is another line's sum")
    return line, Head(line["seq"], digest)
