"""A season's journal: how fast it is verified, played again, copied out and started from, beside a
naive twin in the same run.

    .venv/bin/python benchmarks/journal.py [--nights 500] [--lines 2000]

The journals are written by the station's own code: nights begun, acts checked and applied, lines
sealed and appended; only the disk does not sync here. The naive twins:
  verify   each line parsed with json, written anew twice, summed: what a first version of the
           verifier would do
  replay   the same acts on a plain dictionary that is copied, and written out as JSON for its
           digest, at every act
"""

from __future__ import annotations

import argparse
import copy
import functools
import hashlib
import json
import os
import platform
import sys
import tempfile
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from rich.console import Console
from rich.progress import track

from station.base.clock import Clock
from station.base.disk import Disk
from station.base.nouns import KNOBS
from station.cards.pack import make_pack
from station.night.acts import act_to_json, parse_act
from station.night.hall import apply, followed
from station.paper.export import to_sqlite
from station.programme.programme import GamePlan, Programme
from station.proof.leaves import LEAVES, SECRET, Binding, Commitment, Secrets, Way
from station.record import audit
from station.record.chain import FIELDS
from station.record.folders import is_open
from station.record.journal import FILE
from station.record.nights import StateFolder, begin, replay, resume
from station.record.session import keeps_head
from station.record.station_key import make_key, public_key
from station.record.traces import HEADS

GAME_LINES = KNOBS + 6
# of 10^6 lines; acts a second; from 500 nights
GOAL_VERIFY_S, GOAL_REPLAY, GOAL_START_S = 5.0, 20_000, 3.0
MILLION = 1_000_000
PACK = make_pack(4, Random(1))
WHO = {"by": "benchmark", "via": "wire"}


class HastyDisk(Disk):
    """A disk that does not wait for the medium."""

    def sync(self, descriptor: int) -> None:
        """Nothing."""

    def sync_folder(self, folder: Path) -> None:
        """Nothing."""


def acts(games: int, chance: Random) -> Iterator[dict[str, Any]]:
    """Nights as they are: half of the pack sold to people by name, each number called, one taken
    back, a claim that is wrong."""
    sold = PACK.serials[::2]
    yield {"act": "sell", "serials": list(sold), "to": "Anna", "games": games}
    for _ in range(games):
        order = chance.sample(range(1, KNOBS + 1), KNOBS)
        yield {"act": "open"}
        for place, number in enumerate(order):
            yield {"act": "draw", "number": number}
            if place == KNOBS // 2:
                yield from ({"act": "undo", "why": "dropped"}, {"act": "draw", "number": number})
                yield from ({"act": "claim", "serial": PACK.serials[1]}, {"act": "play-on"})
        yield {"act": "close"}


def write_season(state: Path, nights: int, lines: int) -> None:
    """So many nights of about so many lines; all but the last are closed."""
    clock, chance, key = Clock(), Random(2), make_key(state)
    games = max(1, lines // GAME_LINES)
    programme = Programme(name="Benchmark", games=(GamePlan(name="Game", price=100),) * games)
    for number in track(range(nights), description="writing", console=Console(stderr=True)):
        folder = StateFolder(state, least_room=0)
        opening = {"id": f"{number}", **clock.stamp(), **WHO}
        night = begin(folder, PACK, programme, opening, disk=HastyDisk(), key=key)
        hall = night.hall
        ending = [] if number == nights - 1 else [{"act": "close-night"}]
        for place, asked in enumerate([*acts(games, chance), *ending]):
            do = dict(asked)
            if do["act"] == "open":
                station = public_key(key)
                binding = Binding(station, number + 1, hall.opened + 1, 1)
                secrets = Secrets(binding, [chance.randbytes(SECRET) for _ in range(LEAVES)])
                luck = Commitment(way=Way.COMMITTED, station=station, leaves=LEAVES)
                do |= {"bag": secrets.root, "luck": luck.model_dump(mode="json")}
            act = parse_act(do)
            after = apply(hall, act)
            entry = {
                "id": f"{number}-{place}",
                **clock.stamp(),
                **WHO,
                "do": act_to_json(act),
                "then": followed(hall, after),
            }
            night.journal.append_now(entry)
            if keeps_head(hall, after):
                night.journal.keep_more_now(HEADS, night.journal.signed_head.encode())
            hall = after
        night.journal.close()
        folder.close()


# -- the twins -------------------------------------------------------------------------------------


def naive_verify(paths: list[Path]) -> int:
    """Each line, the tree and the last signature, in the plainest way."""
    count, last = 0, ""
    for night, path in enumerate(paths, 1):
        tree, key = list[bytes](), ""
        for seq, raw in enumerate(path.read_bytes().splitlines(), 1):
            line = json.loads(raw)
            assert set(line) == FIELDS
            assert (line["seq"], line["prev"]) == (seq, last)
            assert naive_text(line) == raw
            last = line.pop("signature")
            node = hashlib.sha256(b"\0" + naive_text(line)).digest()
            for _ in range((seq & -seq).bit_length() - 1):
                node = hashlib.sha256(b"\1" + tree.pop() + node).digest()
            tree.append(node)
            count += 1
            key = line["do"]["key"] if seq == 1 else key
        root = functools.reduce(lambda right, left: naive_node(left, right), reversed(tree))
        text = f"loto-station/{key[:16]}/night-{night:04d}\n{seq}\n{b64encode(root).decode()}\n"
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(b64decode(last), text.encode())
    return count


def naive_node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def naive_text(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def naive_replay(lines: list[dict[str, Any]]) -> str:
    """What was called, sold and decided, as a dictionary whose every state is kept apart and
    summed."""
    state: dict[str, Any] = {"called": [], "sold": {}, "games": 0, "claims": [], "units": 0}
    digest = ""
    for line in lines:
        do, state = line["do"], copy.deepcopy(state)
        if do["act"] == "sell":
            state["sold"] |= dict.fromkeys(do["serials"], do["to"])
            state["units"] += 100 * len(do["serials"]) * do["games"]
        elif do["act"] == "open":
            state |= {"games": state["games"] + 1, "called": [], "claims": [], "bag": do["bag"]}
        elif do["act"] == "draw":
            if do["number"] in state["called"]:
                raise ValueError("called twice")
            state["called"].append(do["number"])
        elif do["act"] == "undo":
            state["called"].pop()
        elif do["act"] == "claim":
            state["claims"].append(do["serial"])
        digest = hashlib.sha256(naive_text(state)).hexdigest()
    return digest


# -- measuring -------------------------------------------------------------------------------------


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """How long it takes, undisturbed: the least of several times."""
    least = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - began)
    return least


def quiet(done: int, total: int) -> None:
    pass


@contextmanager
def counted_reads() -> Iterator[list[str]]:
    """The files opened meanwhile, by Python's own audit of `open`."""
    opened: list[str] = []
    watching = True

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if watching and event == "open" and isinstance(arguments[0], str | os.PathLike):
            opened.append(str(arguments[0]))

    sys.addaudithook(hook)
    yield opened
    watching = False


def start(state: Path) -> None:
    """What the core does with its state folder before it plays on."""
    folder = StateFolder(state, least_room=0)
    last = folder.last_night()
    assert last is not None
    assert is_open(last)
    resume(last, make_key(state)).journal.close()
    folder.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nights", type=int, default=500)
    parser.add_argument("--lines", type=int, default=2000, help="of a night, about")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="loto-") as name:
        state = Path(name)
        write_season(state, asked.nights, asked.lines)
        paths = sorted(state.glob(f"nights/*/{FILE}"))
        size = sum(path.stat().st_size for path in paths)
        verified = audit.verify(state)
        verify_s = seconds(lambda: audit.verify(state))
        count = sum(night.lines for night in verified)
        some = paths[: max(1, len(paths) // 10)]
        lines = sum(night.lines for night in verified[: len(some)])
        naive_verify_s = seconds(lambda: naive_verify(some)) / lines * count
        nights = [*islice(audit.readings(state), 50)]
        played = sum(len(reading.lines) for _, reading, _ in nights)
        replay_s = seconds(lambda: [replay(folder, reading) for folder, reading, _ in nights])
        naive_replay_s = seconds(
            lambda: [naive_replay(list(reading.lines)) for _, reading, _ in nights]
        )
        thorough_s = seconds(lambda: [*audit.replay_all(state)], times=1)
        export_s = seconds(lambda: to_sqlite(state, state / "season.db", quiet), times=1)
        with counted_reads() as opened:
            start_s = seconds(lambda: start(state), times=1)
    reads = [
        Path(path).relative_to(state)
        for path in opened
        if path.startswith(f"{state}/nights/") and Path(path).suffix
    ]
    folders = len({path.parent for path in reads})
    rate, naive_rate = played / replay_s, played / naive_replay_s
    million_s = verify_s / count * MILLION
    print(
        f"{count:,} lines in {len(paths)} nights, {size / 1e6:.0f} MB ({platform.machine()}, Python"
        f" {platform.python_version()})"
    )
    ratio = naive_verify_s / verify_s
    print(
        f"verify  {verify_s:7.2f} s, {count / verify_s:>9,.0f} lines a second, {ratio:.1f} times"
        " the naive twin"
    )
    ratio = rate / naive_rate
    print(
        f"replay  {replay_s:7.2f} s, {rate:>9,.0f} acts a second, {ratio:.1f} times the naive twin"
        f" ({played:,} acts)"
    )
    print(
        f"start   {start_s:7.2f} s, {len(reads)} times a file was opened, {len({*reads})} files, in"
        f" {folders} nights"
    )
    print(
        f"loto journal replay, reading and all: {thorough_s:.1f} s; export to SQLite:"
        f" {export_s:.1f} s"
    )
    print(
        f"verify 10^6 lines: {million_s:.2f} s, {million_s / GOAL_VERIFY_S:.0%} of the"
        f" {GOAL_VERIFY_S:.0f} s allowed"
    )
    print(
        f"replay: {rate:,.0f} a second, {rate / GOAL_REPLAY:.1f} times the {GOAL_REPLAY:,} wanted"
    )
    print(
        f"start: {start_s:.2f} s, {start_s / GOAL_START_S:.0%} of the {GOAL_START_S:.0f} s allowed"
    )
    return (
        0 if million_s <= GOAL_VERIFY_S and rate >= GOAL_REPLAY and start_s <= GOAL_START_S else 1
    )


if __name__ == "__main__":
    sys.exit(main())
