"""Before a call nothing on the disk, nor in a copy of it, tells which number comes: secrets that
are not opened are in memory alone, and another memory has another number next."""

from __future__ import annotations

import json
import shutil
from decimal import Context, Decimal, localcontext
from pathlib import Path
from random import Random

import pytest

from station.base.disk import keep_file
from station.night.fair import FairBag
from station.proof.leaves import SECRET, OpenedLeaf, Way
from station.record.journal import FILE
from station.record.session import Session
from station.record.station_key import KEY_FILE, load_public_key, make_key
from tests.record.unforeseen import (
    LEVEL,
    STRATEGIES,
    TWINS,
    Tally,
    backup_of,
    files_in,
    only_copies,
    tried,
)
from tests.support import CLOCK, Told, night_in, play, run


class Remembering(Random):
    """A source of luck that remembers what it gave."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.gave: list[bytes] = []

    def randbytes(self, n: int) -> bytes:
        given = super().randbytes(n)
        self.gave.append(given)
        return given


def everything(state: Path) -> bytes:
    """All bytes of all files, hidden ones too, and all names."""
    files = sorted(path for path in state.rglob("*") if path.is_file())
    return b"\n".join(str(path).encode() + b"\n" + path.read_bytes() for path in files)


def test_no_secret_is_on_the_disk_before_it_is_opened(tmp_path: Path) -> None:
    """After each call: the secrets of the calls stand there, and none of the others, neither as
    bytes nor in hex; over two games, a look ahead, calls taken back, and a power cut."""
    key, luck = make_key(tmp_path), Remembering(3)
    opened = 0
    for acts in (["open", *["draw"] * 5, "undo", "draw"], ["draw"] * 4, ["close", "open", "draw"]):
        for act in acts:
            with night_in(tmp_path, key=key) as night:
                session = Session(night, Told(), CLOCK, luck)
                run(play(session, [act]))
            disk = everything(tmp_path)
            lines = (night.folder / FILE).read_text().splitlines()
            leaves = [json.loads(line)["do"].get("leaf") for line in lines]
            shown = {bytes.fromhex(leaf["secret"]) for leaf in leaves if leaf}
            there = {
                secret for secret in luck.gave if secret in disk or secret.hex().encode() in disk
            }
            assert there == shown
            opened = len(shown)
    assert opened == 10
    assert len(luck.gave) > 5 * 90


def test_the_disk_is_the_same_whatever_comes_next(tmp_path: Path) -> None:
    """All that lies on the disk before a call goes on to other numbers with other secrets: who has
    it all has nothing to go by. The calls themselves follow from their openings alone."""
    # the same bag each time: one key in a thousand is beyond what 99.9 % of all are within
    keep_file(tmp_path / KEY_FILE, f"{'17' * 32}\n".encode(), private=True)
    key = make_key(tmp_path)
    with night_in(tmp_path, key=key) as night:
        session = Session(night, Told(), CLOCK, Random(1))
        run(play(session, ["open", *["draw"] * 3]))
        fair = session.hall.fair
        assert fair is not None
        chance = Random(2)
        counts = [0] * 91
        for _ in range(8700):
            counts[fair.gives(chance.randbytes(SECRET).hex())] += 1
        expected = 8700 / 87
        # chi square with 86 degrees of freedom, 99.9 %
        inside = sorted(fair.inside)
        assert sum((counts[knob] - expected) ** 2 / expected for knob in inside) < 132.3
        assert sum(counts[knob] for knob in inside) == 8700
    lines = [json.loads(line)["do"] for line in (night.folder / FILE).read_text().splitlines()]
    opening = next(do for do in lines if do["act"] == "open")
    replayed = FairBag(fair.binding, Way.COMMITTED, opening["bag"])
    for do in lines[2:]:
        leaf = OpenedLeaf.model_validate(do["leaf"])
        replayed = replayed.drawn(replayed.gives(leaf.secret), leaf, again=False)
    assert replayed.called == session.hall.called
    assert load_public_key(tmp_path) == fair.binding.station


# -- an adversary ----------------------------------------------------------------------------------


@pytest.mark.long
def test_whoever_reads_everything_guesses_no_better_than_chance() -> None:
    """Before a call, of 200 bags of the real path: no strategy has more hits than chance allows, or
    not twice."""
    # Chance alone is above the bound once in a thousand times.
    for first in (0, 8):
        tally = Tally()
        for night in range(first, first + 8):
            tally.add(tried(night))
        assert tally.bags == 200
        if tally.best <= tally.bound:
            return
    pytest.fail(str(tally))


@pytest.mark.parametrize("expected", [2, 70, 1163, 5000])
def test_the_bound_is_reckoned_of_any_number_of_bags(expected: int) -> None:
    """More hits than the bound are rare enough, as many are not yet: Poisson's law in 60 digits."""
    bound = Tally(expected=expected).bound
    with localcontext(Context(prec=60)):
        chance = Decimal(-expected).exp()
        more = 1 - chance
        for hits in range(1, bound):
            chance *= Decimal(expected) / hits
            more -= chance
        level = Decimal(LEVEL) / len(STRATEGIES)
        assert more > level >= more - chance * expected / bound


@pytest.mark.long
@pytest.mark.parametrize("twin", TWINS)
def test_the_adversary_wins_where_something_leaks(twin: str) -> None:
    """Against a station that is built wrong one strategy guesses most numbers: by chance three in
    twelve would be met once in 3,000 runs."""
    built, strategy = TWINS[twin]
    tally = tried(7, 12, built)
    assert tally.hits[strategy.__name__] >= 6 > tally.bound


def test_a_backup_tells_nothing_that_the_disk_does_not(tmp_path: Path) -> None:
    """In mid-game each member is a copy of a file, up to its last whole line, and the manifest has
    their digests: so whoever guesses from the folder has the backup, too. One byte more is seen."""
    state = tmp_path / "state"
    state.mkdir()
    key = make_key(state)
    with night_in(state, key=key) as night:
        run(play(Session(night, Told(), CLOCK, None), ["open", "draw", "draw"]))
    files, backup = files_in(state), backup_of(state)
    assert only_copies(files, backup)
    assert {f"state/{name}" for name in files if name != "lock"} < backup.keys()
    [journal] = [name for name in backup if name.endswith(FILE)]
    assert not only_copies(files, {**backup, journal: backup[journal] + b"0"})


def test_two_stations_from_one_copied_card_share_no_bag(tmp_path: Path) -> None:
    """Key, night and all else are the same, byte for byte; the secrets are the kernel's."""
    (tmp_path / "card").mkdir()
    with night_in(tmp_path / "card", key=make_key(tmp_path / "card")):
        pass
    roots = []
    for name in ("one", "other"):
        shutil.copytree(tmp_path / "card", tmp_path / name)
        with night_in(tmp_path / name, key=make_key(tmp_path / name)) as night:
            session = Session(night, Told(), CLOCK, None)
            run(play(session, ["open"]))
            assert session.hall.fair is not None
            roots.append((session.hall.fair.binding, session.hall.fair.root))
    assert roots[0][0] == roots[1][0]
    assert roots[0][1] != roots[1][1]
