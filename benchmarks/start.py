"""What a command costs before it does anything: CPU seconds and modules.

    .venv/bin/python benchmarks/start.py [--rounds 5] [--against CHECKOUT]

Each command is a process of its own, as it is typed. No station runs: an order to one ends with
"no station answers", after all that it loads for it. Core and web are started on simulated devices,
and measured until they answer; the core finds the night of the start before.

`--against` measures another checkout in its own environment, in alternation with this one, and
prints the ratio of the medians.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

PROJECT = Path(__file__).resolve().parent.parent
COMMANDS = (
    "--version",
    "--help",
    "draw --help",
    "draw 42 --yes",
    "sell 0001-0004",
    "health",
    "table show",
    "watch --once",
    "report",
    "config show",
    "completion",
)
LIMIT_S = 120.0
TICKS = os.sysconf("SC_CLK_TCK")
# Ends with the number of modules that are loaded; one that waits for its first use is not.
COUNTING = """
import atexit, sys
def told():
    loaded = [one for one in sys.modules.values() if type(one).__name__ != "_LazyModule"]
    print(len(loaded), file=sys.stderr)
atexit.register(told)
from station.commands.app import main
main()
"""
Cost = tuple[float, float]  # CPU seconds, and modules or megabytes


def environ(state: Path) -> dict[str, str]:
    return {**os.environ, "STATE_DIRECTORY": str(state), "LOTO_PROFILE": "simulated"}


def of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def typed(checkout: Path, words: str, state: Path) -> Cost:
    """CPU seconds and modules of one command."""
    before = of_children()
    done = subprocess.run(
        [checkout / ".venv/bin/python", "-c", COUNTING, *words.split()],
        cwd=checkout,
        env=environ(state),
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    return of_children() - before, float(done.stderr.split()[-1])


def started(checkout: Path, words: str, state: Path, answers: Callable[[], bool]) -> Cost:
    """CPU seconds and resident megabytes of a process, until it answers."""
    process = subprocess.Popen(
        [checkout / ".venv/bin/python", "-m", "station", *words.split()],
        cwd=checkout,
        env=environ(state),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + LIMIT_S
        while not answers():
            assert process.poll() is None, f"{words} ended with {process.returncode}"
            assert time.monotonic() < until, f"{words} did not answer"
            time.sleep(0.01)
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS, pages * resource.getpagesize() / 1e6
    finally:
        process.terminate()
        process.wait(LIMIT_S)


def connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect_ex(str(path)) == 0


def serves(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=LIMIT_S):
            return True
    except OSError:
        return False


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def processes(checkout: Path, state: Path) -> dict[str, Cost]:
    """What the core and the web take until they answer."""
    line, port = state / "run" / "station.sock", free_port()
    line.unlink(missing_ok=True)
    core = started(checkout, "core", state, lambda: connects(line))
    line.unlink(missing_ok=True)
    web = started(checkout, f"web --port {port} --tls-port 0", state, lambda: serves(port))
    return {"core": core, "web": web}


def show(checkouts: list[Path], found: dict[tuple[Path, str], list[Cost]]) -> None:
    heads = ("CPU s", "modules, or MB")
    there = (*(f"{head} there" for head in heads), "ratio") if len(checkouts) > 1 else ()
    table = Table("command", *heads, *there)
    for words in dict.fromkeys(words for _, words in found):
        row, seconds = [words], []
        for checkout in checkouts:
            cpu, other = map(statistics.median, zip(*found[checkout, words], strict=True))
            seconds.append(cpu)
            row += [f"{cpu:.3f}", f"{other:.0f}"]
        row += [f"{seconds[0] / seconds[1]:.2f}"] if there else []
        table.add_row(*row)
    out = Console()
    out.print(table)
    out.print(f"Python {platform.python_version()}, {os.cpu_count()} cores")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--against", type=Path)
    given = options.parse_args()
    checkouts = [PROJECT, *([given.against.resolve()] if given.against else [])]
    found: dict[tuple[Path, str], list[Cost]] = {}
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        state = Path(folder)
        processes(PROJECT, state)  # the night of before
        for _ in track(range(given.rounds), "measuring", console=Console(stderr=True)):
            for checkout in checkouts:
                costs = {words: typed(checkout, words, state / "nobody") for words in COMMANDS}
                for name, cost in processes(checkout, state).items():
                    costs[f"{name}, until it answers"] = cost
                for name, cost in costs.items():
                    found.setdefault((checkout, name), []).append(cost)
    show(checkouts, found)


if __name__ == "__main__":
    main()
