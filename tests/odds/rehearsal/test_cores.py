"""One core, several, a cluster: the same nights; and what is said when the cluster is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import pytest

from station import __version__
from station.base.errors import SettingsError
from station.odds.rehearsal.cores import check_workers, on_cores, on_dask
from station.odds.rehearsal.night import Nights, Rehearsal
from station.odds.rehearsal.stages import Cards
from tests.odds.rehearsal.test_night import CARDS, programme

REHEARSAL = Rehearsal(programme(), Cards(CARDS, 3), 300, "cores")


@pytest.fixture(scope="module")
def expected() -> Nights:
    """Played on one core."""
    return on_cores(REHEARSAL, 1)


def the_same(one: Nights, other: Nights) -> bool:
    return all(
        (getattr(one, field.name) == getattr(other, field.name)).all() for field in fields(Nights)
    )


def test_cores_make_no_difference(expected):
    """Two processes play the very same nights, and every one is told as progress."""
    told: list[int] = []
    assert the_same(on_cores(REHEARSAL, 2, told.append), expected)
    assert sum(told) == 300
    told.clear()
    on_cores(REHEARSAL, 1, told.append)
    assert told == [128, 128, 44]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A scheduler and two workers of this process, on a port that the system gives."""
    from distributed import LocalCluster

    anywhere = {
        "host": "127.0.0.1",
        "protocol": "tcp",
        "scheduler_port": 0,
        "dashboard_address": "127.0.0.1:0",
    }
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, **anywhere) as made:
        yield made


def test_a_cluster_makes_no_difference(cluster, expected):
    """The workers of a Dask cluster play the very same nights, and every one is told."""
    told: list[int] = []
    assert the_same(on_dask(REHEARSAL, cluster.scheduler_address, told.append), expected)
    assert sum(told) == 300


def test_a_scheduler_that_is_not_there_is_named():
    """Nobody answers: the address, and what to start there."""
    with pytest.raises(
        SettingsError, match=r"no Dask scheduler answers at tcp://127.0.0.1:1 .*start one there"
    ):
        on_dask(REHEARSAL, "tcp://127.0.0.1:1", answer_s=0.2)


def test_an_address_that_is_none_is_named():
    """A word with no meaning as an address is told as one."""
    with pytest.raises(SettingsError, match="at carrier-pigeon://hall"):
        on_dask(REHEARSAL, "carrier-pigeon://hall", answer_s=0.2)


class Workers:
    """A client of a cluster whose workers, by address, have these versions of the station."""

    def __init__(self, versions: dict[str, str]) -> None:
        self._versions = versions

    def wait_for_workers(self, count: int, timeout: float) -> None:
        if len(self._versions) < count:
            raise TimeoutError(f"no worker after {timeout} s")

    def run(self, asked: Callable[[], str]) -> dict[str, str]:
        assert asked() == __version__
        return self._versions


@pytest.mark.parametrize(
    ("versions", "says"),
    [
        (
            {},
            (
                "the scheduler at tcp://hall:1 has no workers: start one with `dask worker"
                " tcp://hall:1`"
            ),
        ),
        (
            {"tcp://a": __version__, "tcp://b": "0.0.1"},
            f"worker tcp://b has loto-station 0.0.1, this is {__version__}: install",
        ),
        ({"tcp://a": "none"}, "worker tcp://a has loto-station none"),
    ],
)
def test_workers_that_would_play_other_nights_are_named(versions, says):
    """No workers, one with another version, one with none: which, and what to do; what is well is
    not named."""
    with pytest.raises(SettingsError, match="--dask: 1 fault") as refused:
        check_workers(Workers(versions), "tcp://hall:1", 0.1)
    assert says in str(refused.value)
