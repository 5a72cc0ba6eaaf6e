"""An adversary who is root and reads every byte of the disk before a call, and guesses the number:

    python -m tests.record.unforeseen 100000

Each bag is one of the real path: a session, the system's random numbers, files, a backup now and
then. Before one of its calls each strategy guesses; then the number is drawn. It says how often
each guessed it beside chance, and ends with 1 where one did better. What the strategies can do,
the twins show: stations that are built wrong, of which one strategy each guesses every number.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import re
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import TypeAlias

from station.base.clock import Clock
from station.base.nouns import KNOBS
from station.machine.backup import MANIFEST, back_up
from station.night.fair import FairBag
from station.programme.programme import GamePlan, Programme
from station.proof.leaves import LEAVES, SECRET, Secrets
from station.record.journal import FILE
from station.record.luck import LuckKeeper
from station.record.nights import Night
from station.record.session import Session
from station.record.station_key import Key, make_key
from tests.drill.evening import AT_ONCE
from tests.support import Told, night_in, submit

GAMES = 25  # of a night; then the next state folder begins
EARLY, LATE = 4, 89  # before which call: one of the first, in one game of a hundred any
LEVEL = 0.001  # of all strategies together, that one seems to do better
PROGRAMME = Programme(
    name="Many", games=tuple(GamePlan(name=f"Game {place}", price=1) for place in range(GAMES))
)
_SECRET = re.compile(rb'"leaf":\{"at":([0-9]+),"path":"[0-9a-f]*","secret":"([0-9a-f]{64})"')
_NUMBER = re.compile(rb'"number":([0-9]+)')


@dataclass(frozen=True)
class Look:
    """What there is before a call, for whoever may read everything.

    Attributes:
        files: each file's bytes by its path, hidden ones, keys and a backup's members among them.
        fair: the bag as anybody works it out from the journal; None: one with an order.
        called: the calls of this game.
    """

    files: Mapping[str, bytes]
    fair: FairBag | None
    called: tuple[int, ...]

    @property
    def inside(self) -> list[int]:
        """The knobs in the bag."""
        return sorted({*range(1, KNOBS + 1)} - {*self.called})

    @cached_property
    def games(self) -> list[bytes]:
        """The journal, cut where a game was opened; the last part is of the one that is open."""
        [journal] = [data for name, data in self.files.items() if name.endswith(FILE)]
        return journal.split(b'"act":"open",')

    def pick(self, data: bytes) -> int:
        """One of the knobs inside, by what somebody takes for luck."""
        return self.inside[int.from_bytes(data, "big") % len(self.inside)]

    def gives(self, secret: bytes) -> int:
        """The number if this is the next secret."""
        return self.fair.gives(secret.hex()) if self.fair is not None else self.inside[0]

    def first_that_fits(self, packed: Iterable[bytes]) -> int:
        """The number if one of these is all secrets of the bag; else as if the last were."""
        place = SECRET * (self.fair.used if self.fair is not None else 0)
        last = bytes(SECRET)
        for one in packed:
            last = one[place : place + SECRET].ljust(SECRET, b"0")
            if (
                self.fair is not None
                and Secrets.of(self.fair.binding, self.fair.root, one) is not None
            ):
                break
        return self.gives(last)


def by_blocks(look: Look) -> int:
    """Secrets that lie in a file, as bytes or in hex, wherever in it they begin at a block."""
    blocks = []
    for name, data in look.files.items():
        raw = data
        if re.fullmatch(rb"[0-9a-f\s]+", data):
            raw = bytes.fromhex("".join(data.decode().split()))
        if not name.endswith((".jsonl", ".csv", MANIFEST)) and len(raw) >= LEAVES * SECRET:
            most = len(raw) - LEAVES * SECRET
            blocks += [raw[at : at + LEAVES * SECRET] for at in range(0, most + 1, SECRET)]
    return look.first_that_fits(blocks)


def by_clock(look: Look) -> int:
    """Luck that begins with the time at which the game was opened."""
    [*_, told] = re.findall(rb'"wall":"([^"]+)"', b"".join(look.games[:-1]))
    luck = Random(told.decode())
    return look.first_that_fits([luck.randbytes(LEAVES * SECRET)])


def by_earlier(look: Look) -> int:
    """The secret that an earlier game opened at this place, once more."""
    used = len(look.called)
    known = [hexed for at, hexed in _SECRET.findall(b"".join(look.games[:-1])) if int(at) == used]
    return look.gives(bytes.fromhex(known[-1].decode()) if known else bytes(SECRET))


def by_chain(look: Look) -> int:
    """The hash of the secret that was opened last."""
    known = _SECRET.findall(look.games[-1])
    return look.gives(
        hashlib.sha256(bytes.fromhex(known[-1][1].decode()) if known else b"").digest()
    )


def by_key(look: Look) -> int:
    """A secret that follows from the station's key and the bag's place."""
    [key] = [data for name, data in look.files.items() if name == "station.key"]
    game = len(look.games) - 1
    return look.gives(_of_key(key, game, len(look.called)))


def _of_key(key: bytes, game: int, place: int) -> bytes:
    return hashlib.sha256(key + bytes([game, place])).digest()


def by_game_before(look: Look) -> int:
    """The number that the game before had at this call."""
    before = [int(number) for number in _NUMBER.findall(look.games[-2])]
    number = before[len(look.called)] if len(look.called) < len(before) else 0
    return number if number in look.inside else look.inside[0]


def by_root(look: Look) -> int:
    """What the bag was committed to with, as a number."""
    return look.pick(bytes.fromhex(look.fair.root) if look.fair is not None else b"")


def by_digests(look: Look) -> int:
    """The last hash in the journal, as a number."""
    [*_, last] = re.findall(rb"[0-9a-f]{64}", look.games[-1])
    return look.pick(bytes.fromhex(last.decode()))


def by_head(look: Look) -> int:
    """The last signature in the journal, as a number."""
    return look.pick(look.games[-1].rpartition("\u2014".encode())[2][:90])


def by_everything(look: Look) -> int:
    """A hash of all bytes of all files."""
    return look.pick(hashlib.sha256(b"\n".join(look.files.values())).digest())


def by_last(look: Look) -> int:
    """The next above the number that was called last."""
    last = look.called[-1] if look.called else 0
    return next((number for number in look.inside if number > last), look.inside[0])


Strategy: TypeAlias = Callable[[Look], int]
STRATEGIES: tuple[Strategy, ...] = (
    *(by_blocks, by_clock, by_earlier, by_chain, by_key),
    *(by_game_before, by_root, by_digests, by_head, by_everything, by_last),
)


# -- stations that are built wrong -----------------------------------------------------------------


@dataclass
class Built:
    """How a station is built: what its luck is for each bag, and who keeps its secrets.

    Attributes:
        luck: the luck of a game, by the state folder, its number and the time; None: the system's.
        keeper: by the state folder.
    """

    luck: Callable[[Path, int, str], Random | None] = lambda state, game, wall: None
    keeper: Callable[[Path], LuckKeeper | None] = lambda state: None


class Chained(Random):
    """Each secret is the hash of the one before."""

    def __init__(self, first: bytes) -> None:
        super().__init__()
        self._next = first

    def randbytes(self, n: int) -> bytes:
        self._next = hashlib.sha256(self._next).digest()
        return self._next


class OfKey(Random):
    """Each secret follows from the station's key."""

    def __init__(self, key: bytes, game: int) -> None:
        super().__init__()
        self._key, self._game, self._place = key, game, -1

    def randbytes(self, n: int) -> bytes:
        self._place += 1
        return _of_key(self._key, self._game, self._place)


@dataclass
class Writing(LuckKeeper):
    """Keeps the secrets in a file."""

    state: Path

    def keep(self, secrets: Secrets) -> None:
        (self.state / "luck.bin").write_bytes(bytes(SECRET) + secrets.packed)


HONEST = Built()
TWINS: dict[str, tuple[Built, Strategy]] = {
    "secrets in a file": (Built(keeper=Writing), by_blocks),
    "luck by the clock": (Built(lambda state, game, wall: Random(wall)), by_clock),
    "each game alike": (Built(lambda state, game, wall: Random(1)), by_earlier),
    "a chain of hashes": (Built(lambda state, game, wall: Chained(b"%d" % game)), by_chain),
    "luck by the key": (
        Built(lambda state, game, wall: OfKey((state / "station.key").read_bytes(), game)),
        by_key,
    ),
}


# -- trials ----------------------------------------------------------------------------------------


@dataclass
class Tally:
    """How often each strategy guessed the number.

    Attributes:
        bags: how many were tried.
        expected: hits by chance, each of the knobs in the bag being as likely.
        variance: of the hits by chance.
    """

    bags: int = 0
    expected: float = 0.0
    variance: float = 0.0
    hits: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count another tally in."""
        self.bags += other.bags
        self.expected += other.expected
        self.variance += other.variance
        self.hits.update(other.hits)

    @property
    def best(self) -> int:
        """The hits of the strategy that has most."""
        return max(self.hits[strategy.__name__] for strategy in STRATEGIES)

    def __str__(self) -> str:
        return (
            f"{self.bags} bags: by chance {self.expected:.1f} hits, deviation"
            f" {math.sqrt(self.variance):.1f}; the best strategy {self.best}, the bound"
            f" {self.bound}"
        )

    @property
    def bound(self) -> int:
        """As many hits as no strategy has by chance, but in one run of 1 / LEVEL (by Poisson's law,
        whose tail is the heavier one)."""
        hits, above = 0, 1.0
        while True:
            # In logarithms: e^-746 is 0 to a float.
            rare = hits * math.log(self.expected) - self.expected - math.lgamma(hits + 1)
            above -= math.exp(rare)
            if above <= LEVEL / len(STRATEGIES):
                return hits
            hits += 1


def files_in(state: Path) -> dict[str, bytes]:
    """All files of a state folder, the hidden ones, too."""
    files = sorted(path for path in state.rglob("*") if path.is_file())
    return {str(path.relative_to(state)): path.read_bytes() for path in files}


def backup_of(state: Path) -> dict[str, bytes]:
    """All members of a real backup."""
    with tempfile.TemporaryDirectory(dir=state.parent) as stick:
        made = back_up(state, None, Path(stick))
        with tarfile.open(made) as tar:
            return {one.name: tar.extractfile(one).read() for one in tar if one.isfile()}


def only_copies(files: Mapping[str, bytes], backup: Mapping[str, bytes]) -> bool:
    """Whether a backup has nothing that the folder has not: each member is a beginning of the file
    of its name, and the manifest follows from them."""
    copied = {name: data for name, data in backup.items() if name != MANIFEST}
    same = all(files[name.removeprefix("state/")].startswith(data) for name, data in copied.items())
    told = json.loads(backup[MANIFEST])
    digests = {one["name"]: one["sha256"] for one in told["files"]}
    return same and digests == {
        name: hashlib.sha256(data).hexdigest() for name, data in copied.items()
    }


async def _night(
    state: Path, night: Night, key: Key, built: Built, games: int, chance: Random
) -> Tally:
    told, tally = Told(), Tally()
    for game in range(1, games + 1):
        clock = Clock(wall=partial(float, 1_700_000_000 + chance.randrange(10**9)), mono=float)
        luck = built.luck(state, game, clock.stamp()["at"]["wall"])
        session = Session(night, told, clock, luck, keeper=built.keeper(state))
        await submit(session, "open")
        late = chance.randrange(100) == 0
        for _ in range(chance.randrange(LATE if late else EARLY)):
            await submit(session, "draw")
        assert session.hall.last_sold is not None
        files = files_in(state)
        if late:
            backup = backup_of(state)
            assert only_copies(files, backup)
            files |= {f"backup/{name}": data for name, data in backup.items() if MANIFEST in name}
        look = Look(files, session.hall.fair, session.hall.last_sold.called)
        guesses = {strategy.__name__: strategy(look) for strategy in STRATEGIES}
        await submit(session, "draw")
        number, odds = session.hall.called[-1], 1 / len(look.inside)
        tally.add(Tally(1, odds, odds * (1 - odds)))
        tally.hits.update(name for name, guess in guesses.items() if guess == number)
        await submit(session, "break", why="enough")
        night.hall = session.hall
    return tally


def tried(seed: int, games: int = GAMES, built: Built = HONEST) -> Tally:
    """What the strategies guess of a night of so many bags, in a folder of its own."""
    place = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=place if place.is_dir() else None) as name:
        state = Path(name, "state")
        state.mkdir()
        key = make_key(state)
        options = {"programme": PROGRAMME, "key": key, "writer": AT_ONCE}
        made: AbstractContextManager[Night] = night_in(state, **options)
        with made as night:
            return asyncio.run(_night(state, night, key, built, games, Random(seed)))


def main(bags: int) -> int:
    """Try so many bags, tell what was guessed, on the way, too; return 1 if a strategy did better
    than chance."""
    tally = Tally()
    with ProcessPoolExecutor() as pool:
        for one in pool.map(tried, range(math.ceil(bags / GAMES))):
            tally.add(one)
            if tally.bags % 1000 == 0 or tally.bags >= bags:
                print(tally, flush=True)  # noqa: T201
    for strategy in STRATEGIES:
        print(f"{strategy.__name__:15} {tally.hits[strategy.__name__]:7}")  # noqa: T201
    return tally.best > tally.bound


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
