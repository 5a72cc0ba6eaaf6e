"""Play a rehearsal's nights on one core, on several, or on a Dask cluster: always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from types import ModuleType
from typing import Any

from station import __version__
from station.base.errors import SettingsError
from station.base.tongue import tr
from station.odds.rehearsal.night import Nights, Rehearsal

Progress = Callable[[int], None]  # told how many nights more are played
Load = Callable[[str], ModuleType]
ANSWER_S = 10.0  # how long a scheduler may take to answer, and its workers to be there


def on_cores(rehearsal: Rehearsal, cores: int, progress: Progress | None = None) -> Nights:
    """Play the nights on this number of cores of this machine."""
    chunks = range(rehearsal.chunks)
    if min(cores, len(chunks)) <= 1:
        return _joined(map(rehearsal.play, chunks), progress)
    # Not forked: what threads of this process hold would be held for ever in its copy.
    with ProcessPoolExecutor(min(cores, len(chunks)), get_context("spawn")) as pool:
        return _joined(pool.map(rehearsal.play, chunks), progress)


def _joined(parts: Iterable[Nights], progress: Progress | None) -> Nights:
    def watched() -> Iterator[Nights]:
        for part in parts:
            if progress is not None:
                progress(len(part.calls))
            yield part

    return Nights.joined(watched())


def library(name: str, option: str, load: Load = import_module) -> ModuleType:
    """Return a library of the extra `rehearse`.

    Args:
        name: the module's name.
        option: the option that needs it.
        load: imports a module.

    Raises:
        SettingsError: it is not installed; the message says how to install it.
    """
    try:
        return load(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        lacking = tr(
            "needs {package}, which is not installed ({error})", package=package, error=error
        )
        fault = tr("{lacking}: .venv/bin/pip install {package}", lacking=lacking, package=package)
        raise SettingsError(option, [fault]) from error


def on_dask(
    rehearsal: Rehearsal,
    address: str,
    progress: Progress | None = None,
    *,
    answer_s: float = ANSWER_S,
) -> Nights:
    """Play the nights on the workers of a Dask scheduler.

    Args:
        rehearsal: what is rehearsed.
        address: the scheduler's, such as `tcp://192.168.1.5:8786`.
        progress: called with the number of nights newly played.
        answer_s: seconds within which scheduler and workers must answer.

    Raises:
        SettingsError: nobody answers there, it has no workers, or a worker has another version of
            the station or none.
    """
    distributed = library("distributed", "--dask")
    try:
        client = distributed.Client(address, timeout=answer_s, set_as_default=False)
    except (OSError, ValueError) as error:
        fault = tr("no Dask scheduler answers at {address} ({error})", address=address, error=error)
        todo = tr("start one there with `dask scheduler`, and workers")
        raise SettingsError("--dask", [f"{fault}: {todo}"]) from error
    with client:
        check_workers(client, address, answer_s)
        chunks = range(rehearsal.chunks)
        everywhere = [client.scatter(rehearsal, broadcast=True)] * len(chunks)
        futures = client.map(Rehearsal.play, everywhere, chunks, pure=False)
        try:
            parts = {}
            done = distributed.as_completed(futures, loop=client.loop, with_results=True)
            for future, part in done:
                parts[future.key] = part
                if progress is not None:
                    progress(len(part.calls))
            return Nights.joined(parts[future.key] for future in futures)
        except (OSError, distributed.KilledWorker) as error:
            fault = tr(
                "the workers at {address} gave up ({error}): look at their log",
                address=address,
                error=error,
            )
            raise SettingsError("--dask", [fault]) from error


def check_workers(client: Any, address: str, answer_s: float) -> None:
    """Check that a scheduler has workers, each with this very version of the station.

    Raises:
        SettingsError: it has none, or some have another version; the message names them.
    """

    # Sent whole, since it stands inside a function: to run it a worker needs no station.
    def version_there() -> str:
        try:
            import station.odds.rehearsal.night
        except ImportError:
            return "none"
        return str(station.__version__)

    try:
        client.wait_for_workers(1, timeout=answer_s)
    except TimeoutError as error:
        fault = tr(
            "the scheduler at {address} has no workers: start one with `dask worker {address}`",
            address=address,
        )
        raise SettingsError("--dask", [fault]) from error
    wanted = tr("this is {version}: install the same version there", version=__version__)
    faults = [
        tr(
            "worker {worker} has loto-station {found}, {wanted}",
            worker=worker,
            found=found,
            wanted=wanted,
        )
        for worker, found in sorted(client.run(version_there).items())
        if found != __version__
    ]
    if faults:
        raise SettingsError("--dask", faults)
