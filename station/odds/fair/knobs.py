"""Tell from months of calls whether a hall's own knobs come as they should.

It says which come too early, and how much lighter or heavier a knob would have to be for that to
show by now. For comparison it draws bags as the station draws them: a secret from the kernel for
each call, and from it the knob (`station.night.fair`). A shorter way would test something else.

Of two knobs in the bag the one with twice the weight comes first twice as often. So a knob's weight
is seen best beside what was *due*: how often it was called, and the sum of the chances it had at
each call until then (the partial likelihood of Cox, 1972). How far the two are apart is told by the
signed root of the likelihood's ratio, which is near a normal figure from the first games on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from secrets import token_bytes
from statistics import NormalDist

from station.base.nouns import KNOBS
from station.base.tongue import key, number_of, tr
from station.odds.fair.battery import LEVEL, Battery, Finding, holm, normal_tails
from station.proof.leaves import SECRET, Binding, Source

STATION = ""  # unsigned, as on a machine where none is set up
AT_ONCE = 2000  # bags
Order = list[int]


def drawn_bags(games: Iterable[int], luck: Callable[[int], bytes] = token_bytes) -> Iterator[Order]:
    """Return the bag of each game, to its last knob.

    Args:
        games: their numbers.
        luck: returns so many bytes that nobody can foresee.
    """
    for game in games:
        binding = Binding(STATION, 1, game)
        inside = set(range(1, KNOBS + 1))
        order = []
        for place in range(KNOBS):
            order.append(number := Source(luck(SECRET), binding.at(place)).knob(inside))
            inside.remove(number)
        yield order


def drawn_findings(bags: int, cores: int, progress: Callable[[int], None]) -> list[Finding]:
    """Draw so many bags and put them to the battery.

    Args:
        bags: how many.
        cores: of this machine, that draw.
        progress: told how many bags more are drawn.
    """
    battery = Battery()
    heaps = [range(1, bags + 1)[begin : begin + AT_ONCE] for begin in range(0, bags, AT_ONCE)]

    def add_all(drawn: Iterable[list[Order]]) -> None:
        for some in drawn:
            battery.add(some)
            progress(len(some))

    if min(cores, len(heaps)) <= 1:
        add_all(map(_heap, heaps))
    else:
        # Not forked: what threads of this process hold would be held for ever in its copy.
        with ProcessPoolExecutor(min(cores, len(heaps)), get_context("spawn")) as pool:
            add_all(pool.map(_heap, heaps))
    return battery.findings()


def _heap(games: range) -> list[Order]:
    return list(drawn_bags(games))


# -- a hall's own knobs ----------------------------------------------------------------------------

SURE = 0.9  # how likely what is called detectable is to be found
MOST_LOG = 12.0  # of a weight: nobody asks for heavier or lighter
NORMAL = NormalDist()
EARLY = key("{number} comes too early: as if it were {weight:.2f} times as heavy.")
LATE = key("{number} comes too late: as if it were {weight:.2f} times as heavy.")


@dataclass(frozen=True, slots=True)
class KnobFinding:
    """How one knob comes.

    Attributes:
        deviations: how many deviations too early (above 0) or too late it comes.
        weight: how heavy in the hand of chance it is, beside the others' 1, as it seems.
        level: how likely a family of 90 fair knobs is to have one as far off.
    """

    number: int
    deviations: float
    weight: float
    level: float


@dataclass(frozen=True, slots=True)
class KnobsFinding:
    """What all knobs show.

    Attributes:
        games, calls: how many were looked at.
        knobs: each, in the order of the numbers.
        light, heavy: the weights beyond which a single knob would be found by now, nine times in
            ten; 0 and infinity before there are games.
    """

    games: int
    calls: int
    knobs: tuple[KnobFinding, ...]
    light: float
    heavy: float

    @property
    def off(self) -> tuple[KnobFinding, ...]:
        """Return the knobs that a fair bag does not have, the clearest first."""
        found = [one for one in self.knobs if one.level < LEVEL]
        return tuple(sorted(found, key=lambda one: one.level))


def information(calls: int) -> float:
    """Return what so many calls of one game tell of one knob: the variance of its score."""
    return sum(1 - 1 / (KNOBS - call) for call in range(calls)) / KNOBS


def detectable(lengths: Mapping[int, int]) -> tuple[float, float]:
    """Return the weights below and above which a knob would be found.

    Args:
        lengths: how many games had so many calls.
    """
    asked = NORMAL.inv_cdf(1 - LEVEL / KNOBS / 2) + NORMAL.inv_cdf(SURE)
    return _reaching(asked, lengths, -MOST_LOG), _reaching(asked, lengths, MOST_LOG)


def _reaching(asked: float, lengths: Mapping[int, int], furthest: float) -> float:
    """Return the weight, towards 0 or infinity, that comes so many deviations off."""
    near, far = 0.0, furthest  # logarithms
    if _off(math.exp(far), lengths) < asked:
        return 0.0 if far < 0 else math.inf
    for _ in range(40):
        middle = (near + far) / 2
        near, far = (near, middle) if _off(math.exp(middle), lengths) > asked else (middle, far)
    return math.exp(far)


def _off(weight: float, lengths: Mapping[int, int]) -> float:
    """Return how many deviations off a knob of this weight comes: what each call tells of it, as
    long as it is in the bag (Kullback and Leibler's divergence)."""
    inside, told_by_game, whole = 1.0, 0.0, 0.0
    for call in range(KNOBS - 1):
        left = KNOBS - call
        now, fair = weight / (left - 1 + weight), 1 / left
        stays = math.log((1 - now) / (1 - fair)) * (1 - now)
        told_by_game += inside * (now * math.log(now / fair) + stays)
        inside *= 1 - now
        whole += told_by_game * lengths.get(call + 1, 0)
    whole += told_by_game * lengths.get(KNOBS, 0)  # the last call tells nothing
    return math.sqrt(2 * max(0.0, whole))


def judge_knobs(games: Iterable[Sequence[int]]) -> KnobsFinding:
    """Return what the games show.

    Args:
        games: the numbers of each in the order of their calls, each at most once.
    """
    came, due, lengths = [0] * KNOBS, [0.0] * KNOBS, Counter[int]()
    for numbers in games:
        until, called = 0.0, set(numbers)
        for call, number in enumerate(numbers):
            until += 1 / (KNOBS - call)
            came[number - 1] += 1
            due[number - 1] += until
        for number in range(1, KNOBS + 1):
            due[number - 1] += 0 if number in called else until
        lengths[len(numbers)] += 1
    calls = sum(count * length for length, count in lengths.items())
    known = sum(count * information(length) for length, count in lengths.items())
    # A knob comes once a game at most: what is known is a little more than of counts.
    scale = math.sqrt(calls / KNOBS / known) if known else 0.0
    off = [scale * _signed_root(*one) for one in zip(came, due, strict=True)]
    levels = holm([normal_tails(one) for one in off])
    light, heavy = detectable(lengths)
    knobs = tuple(
        KnobFinding(number, off[number - 1], count / should if should else 1.0, levels[number - 1])
        for number, (count, should) in enumerate(zip(came, due, strict=True), start=1)
    )
    return KnobsFinding(lengths.total(), calls, knobs, light, heavy)


def _signed_root(count: int, due: float) -> float:
    """Return how many deviations a count is above, or below 0, what was due."""
    twice = 2 * (due - count + (count * math.log(count / due) if count else 0))
    return math.copysign(math.sqrt(max(0.0, twice)), count - due)


def told(found: KnobsFinding) -> Iterator[str]:
    """Return what all knobs show, in sentences."""
    if not found.games:
        yield tr("No game was played with the hall's own knobs.")
        return
    yield f"{number_of(found.games, 'game')}, {number_of(found.calls, 'call')}."
    for knob in found.off:
        comes = EARLY if knob.deviations > 0 else LATE
        yield tr(comes, number=knob.number, weight=knob.weight)
    if not found.off:
        yield tr("No knob comes too early or too late.")
    yield tr(
        "By now a single knob would be found, nine times in ten, if it were lighter than"
        " {light:.2f} of the others or heavier than {heavy:.2f}.",
        light=found.light,
        heavy=found.heavy,
    )
