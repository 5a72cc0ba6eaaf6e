"""Forge all that can be checked of a draw, and have both judges look; and at as many honest things.

`python -m tests.screens.web.forged 10000` judges so many of each, tells what was found, and ends
with 1 where a judge missed a forgery or accused somebody honest.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import TypeAlias

from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

from station.base.terminal import bar, out
from station.proof.leaves import Way
from station.record.station_key import make_key
from tests.screens.web.forged.honest import moments
from tests.screens.web.forged.judges import Judges, PageJudge, judges, page_judge
from tests.screens.web.forged.papers import (
    forged_proof,
    forged_receipt,
    play_papers,
    proof_judged,
    receipt_judged,
)
from tests.screens.web.forged.records import (
    OF_THE_DRAW,
    OF_THE_TABLE,
    STRANGER,
    Files,
    another_law,
    files_of,
    forged,
    play,
    signed_anew,
)
from tests.screens.web.forged.sealed import forged_file, make_sealed, sealed_judged
from tests.table_nights import play_tables

FROM_ONE = 60  # forgeries, and honest things, of one night that was played, at most
Tick: TypeAlias = Callable[[int], None]
Both: TypeAlias = tuple[object, object]  # what the station's program says, and the page's judge
# What both judges have said: whether one is wrong, in words; empty where none is.
Judged: TypeAlias = Iterator[tuple[str, str]]


@dataclass
class Tally:
    """How many of each kind were judged, and what was said wrongly."""

    kinds: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count what another has counted, too."""
        self.kinds.update(other.kinds)
        self.wrong += other.wrong

    def take(self, judged: Judged, most: int, tick: Tick) -> int:
        """Judge so many, or all there are; return how many."""
        done = 0
        for what, wrong in judged:
            done += 1
            self.kinds[what] += 1
            self.wrong += [wrong] if wrong else []
            tick(1)
            if done == most:
                break
        return done


Two: TypeAlias = tuple[Tally, Tally]  # of forgeries, and of what is honest


def _speaks(said: object) -> bool:
    """Whether a judge accuses; a line 0 is an accusation, too."""
    return not (said is None or said is False or said == "")


def missed(what: str, found: Both, *, same: bool = True) -> str:
    """What is told of a forgery that a judge has missed, or in which they name other places."""
    named = all(map(_speaks, found)) and (not same or found[0] == found[1])
    return "" if named else f"{what}: the station {found[0]}, the page {found[1]}"


def accused(what: str, found: Both) -> str:
    """What is told of something honest that a judge accuses; empty if neither does."""
    honest = not any(map(_speaks, found))
    return "" if honest else f"{what}, honest: the station {found[0]}, the page {found[1]}"


# -- records ---------------------------------------------------------------------------------------

WAYS = (Way.SHARED, Way.COMMITTED, Way.FRESH)
Forged: TypeAlias = Callable[[Judges, Path, Files, Random], Judged]


def _of_lines(draw: tuple[Callable[..., None], ...]) -> Forged:
    def work(both: Judges, state: Path, files: Files, chance: Random) -> Judged:
        key = make_key(state)
        for number in count():
            what, forgery, kept = *forged(files, chance, key, draw), list[str]()
            if number % 10 == 0:
                what, forgery, kept = signed_anew(files, key, chance)
            if forgery != files:
                kind = what.split()[0].strip("_")
                yield f"record: {kind}", missed(what, both.both(forgery, kept))

    return work


def _honest(both: Judges, what: str, files: Files, chance: Random) -> Judged:
    told = [*moments(files, chance)]
    chance.shuffle(told)
    for moment, then, kept in told:
        kind = f"record, {what}: {moment.split()[0]}"
        yield kind, accused(f"{what} {moment}", both.both(then, kept))


@dataclass(frozen=True)
class Night:
    """Nights of one kind.

    Attributes:
        share: of a hundred things that are judged.
        most: how many of one such night.
    """

    what: str
    share: int
    play: Callable[[Path, int], None]
    forge: Forged
    most: int = FROM_ONE


NIGHTS = (
    Night(
        "draw", 46, lambda state, seed: play(state, seed, WAYS[seed % 3]), _of_lines(OF_THE_DRAW)
    ),
    Night(
        "tables",
        24,
        lambda state, seed: play_tables(state, seed, WAYS[1 + seed % 2], moves=6),
        _of_lines((*OF_THE_TABLE, another_law)),
        most=200,
    ),
)


def judge_nights(night: Night, seed: int, two: Two, most: int, tick: Tick) -> int:
    """Play one such night, and judge so many forgeries of it and as many of its moments."""
    with _folders() as (state, modules):
        night.play(state, seed)
        files, chance = files_of(state), Random(seed)
        with judges(state, modules) as both:
            honest = _honest(both, night.what, files, chance)
            done = two[1].take(honest, min(most, night.most), tick)
            return two[0].take(night.forge(both, state, files, chance), done, tick)


# -- papers ----------------------------------------------------------------------------------------


def judge_papers(seed: int, two: Two, most: int, tick: Tick) -> int:
    """The same for the receipts and proofs of one night."""
    with _folders() as (state, modules):
        papers, chance = play_papers(state, seed), Random(seed)

        def lies(page: PageJudge) -> Judged:
            while True:
                what, text, game = forged_receipt(papers, chance)
                found = receipt_judged(papers, page, text, game)
                yield what, missed(f"{what} {text}", found, same=False)
                what, text = forged_proof(papers, chance)
                if text not in papers.proofs.values():
                    yield what, missed(what, proof_judged(papers, page, text), same=False)

        def honest(page: PageJudge) -> Judged:
            receipts, proofs = [*papers.every_receipt()], [*papers.every_proof()]
            told = [("receipt", *one) for one in receipts] + [("proof", *one) for one in proofs]
            for what, text, game in chance.sample(told, len(told)):
                if what == "proof":
                    found: Both = proof_judged(papers, page, text)
                else:
                    found = receipt_judged(papers, page, text, game)
                yield what, accused(f"{what} {text}", found)

        with page_judge(modules) as page:
            done = two[1].take(honest(page), min(most, FROM_ONE), tick)
            return two[0].take(lies(page), done, tick)


def judge_sealed(seed: int, two: Two, most: int, tick: Tick) -> int:
    """The same for the files of a sealed game."""
    with _folders() as (state, modules):
        files, other = (make_sealed(state / f"{place}", 2 * seed + place) for place in (0, 1))
        chance = Random(seed)

        def lies(page: PageJudge) -> Judged:
            while True:
                what, kind, forgery = forged_file(files, other, STRANGER, chance)
                if forgery != files:
                    found = sealed_judged(forgery, kind, page, state)
                    yield f"sealed {what}", missed(f"sealed {what}", found)

        def honest(page: PageJudge) -> Judged:
            for one in (files, other):
                for kind, whole in one.each():
                    found = sealed_judged(whole, kind, page, state)
                    yield f"sealed {kind}", accused(f"sealed {kind}, seed {seed}", found)

        with page_judge(modules) as page:
            done = two[1].take(honest(page), most, tick)
            return two[0].take(lies(page), done, tick)


@contextmanager
def _folders() -> Iterator[tuple[Path, Path]]:
    """An empty folder for the stations, and one for the page's modules."""
    with tempfile.TemporaryDirectory() as name:
        state, modules = Path(name, "state"), Path(name, "modules")
        state.mkdir()
        modules.mkdir()
        yield state, modules


Judge: TypeAlias = Callable[[int, Two, int, Tick], int]
KINDS: tuple[tuple[str, int, Judge], ...] = (
    *((night.what, night.share, partial(judge_nights, night)) for night in NIGHTS),
    ("receipts and proofs", 22, judge_papers),
    ("sealed games", 8, judge_sealed),
)


def main(many: int) -> None:
    """Judge so many forgeries and so many honest things; end with 1 where one was said wrongly.

    Of one that is stopped what was judged until then is told.
    """
    all_of = Tally(), Tally()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with bar(*columns, on=out, always=True) as progress:
        task, left, stopped = progress.add_task("", total=2 * many), many, False
        for place, (what, share, judge) in enumerate(KINDS):
            progress.update(task, description=what)
            quota = left if place == len(KINDS) - 1 else many * share // 100
            left -= quota
            two = Tally(), Tally()
            seeds = count()
            try:
                while quota:
                    quota -= judge(next(seeds), two, quota, partial(progress.advance, task))
            except KeyboardInterrupt:
                stopped = True
            _tell(what, two)
            for whole, part in zip(all_of, two, strict=True):
                whole.add(part)
            if stopped:
                break
    _tell("in all", all_of)
    sys.exit(all_of[0].kinds.total() < many or any(tally.wrong for tally in all_of))


def _tell(what: str, two: Two) -> None:
    """Tell what was found, and each kind's number."""
    for name, tally, fault in zip(("forgeries", "honest"), two, ("missed", "accused"), strict=True):
        for wrong in tally.wrong:
            out.print(wrong)
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(tally.kinds.items()))
        out.print(f"{what}: {tally.kinds.total()} {name}, {len(tally.wrong)} {fault}: {kinds}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
