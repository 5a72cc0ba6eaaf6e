"""Evenings with something of everything, played through the real session, for the tests of audit,
checkpoints and export."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from station.people.roles import STATION
from station.proof.merkle import Edge
from station.record import audit
from station.record.chain import Head, seal
from station.record.heads import Key, Signer
from station.record.journal import FILE, read
from station.record.requests import Command
from station.record.session import Session
from station.record.traces import HEADS
from tests.drill.sender import certain
from tests.support import ADMIN, CLOCK, STATION_KEY, Told, night_in, run, small_pack

ROWS = small_pack().card("0001").rows
WRONG = next(number for number in range(1, 91) if number not in small_pack().card("0001").numbers)

FIRST: list[Any] = [
    {"act": "note", "about": "reader", "what": "unplugged"},
    {
        "act": "sell",
        "serials": ["0001", "0002"],
        "games": 2,
        "to": "Zoë, of the mill",
        "by": "=Bruno",
    },
    {"act": "sell", "serials": ["0003"]},
    "open",
    WRONG,
    {"act": "undo", "why": 'the knob was "6", not 9\n'},
    *ROWS[0],
    "stop",
    {"act": "claim", "serial": "0003"},
    {"act": "claim", "serial": "0001"},
    "play-on",
    {"act": "undo", "why": "dropped"},
    ROWS[0][-1],
    {"act": "claim", "serial": "0001"},
    "play-on",
    {"act": "pay", "serial": "0001"},
    "close",
    {"act": "sell", "serials": ["0004", "0005", "0006"], "to": "Anna"},
    "open",
    *ROWS[1],
    "close",
    "close-night",
]
SECOND: list[Any] = [{"act": "sell", "serials": ["0007"]}, "open", *ROWS[2]]
SEALED = ("seq", "prev", "signature")  # what a line gets when it is sealed
LINES = (1 + len(FIRST), 1 + len(SECOND))  # with the openings


def play_evenings(state: Path, key: Key | None = None) -> Path:
    """A night of two games that was closed, and one that is open, in this state folder."""
    for acts in (FIRST, SECOND):
        play_evening(state, acts, key)
    return state


def play_evening(state: Path, acts: Sequence[Any], key: Key | None = None) -> None:
    """Plays these acts in a new night: an act's name, a number to draw, or all of it."""
    with night_in(state, new=True, key=key) as night:
        session = Session(night, Told(), CLOCK)
        for number, act in enumerate(acts):
            do = (
                {"act": act}
                if isinstance(act, str)
                else {"act": "draw", "number": act}
                if isinstance(act, int)
                else act
            )
            who, name = STATION if do["act"] == "note" else ADMIN, f"{night.hall.night}-{number}"
            answer = run(session.submit(certain(session, Command.read(name, do, who, "wire"))))
            assert "ok" in answer.to_json(), (do, answer)


def night_of(state: Path, night: int = 1) -> Path:
    return state / "nights" / f"{night:04d}"


def lines_of(state: Path, night: int = 1) -> tuple[dict[str, Any], ...]:
    """The lines of a night, verified."""
    previous = lines_of(state, night - 1)[-1]["signature"] if night > 1 else ""
    return read(night_of(state, night) / FILE, previous).lines


def root_of(state: Path, seq: int, night: int = 1) -> str:
    """The root of a night's tree over its first lines."""
    return Edge.over(audit.leaves_of(night_of(state, night), seq)).root.hex()


def forge(state: Path, change: Any, night: int = 1) -> None:
    """Rewrites a night with `change` made to its lines, all signed by the station's key."""
    lines = lines_of(state, night)
    put(state, [change(line) for line in lines], lines[0]["prev"], night)


def put(
    state: Path, lines: Iterable[dict[str, Any]], previous: str, night: int, key: Key = STATION_KEY
) -> None:
    """Writes these lines as the journal of a night, signed by a key, after that signature. Heads
    that were kept are gone."""
    out, head, signer = b"", Head(signature=previous), Signer.of(key, night)
    for line in lines:
        own = {name: value for name, value in line.items() if name not in SEALED}
        raw, head, _ = seal(own, head, signer)
        out += raw
    (night_of(state, night) / FILE).write_bytes(out)
    (night_of(state, night) / HEADS).unlink(missing_ok=True)
