"""Draw bags as the station draws them: a secret from the kernel for each call, and from it the knob
(`station.night.fair`). A shorter way would test something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from secrets import token_bytes

from station.base.nouns import KNOBS
from station.odds.fair.battery import Battery, Finding
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
