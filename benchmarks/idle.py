"""What the station's processes cost while nobody plays: processor time, wake-ups, writes to the
board's bus, beside a process that does nothing.

    .venv/bin/python benchmarks/idle.py [--seconds 30] [--against CHECKOUT]

Core, voice, screen and web run as the services do, on simulated devices, between two games. The
figures are of the kernel (`/proc`), over the seconds that follow the start:
  ms/s      processor time, user and system, in milliseconds a second
  wakes/s   voluntary context switches of all threads: how often the process woke up
  writes/s  calls that put bytes on the board's bus; they are counted in the core

A text on the board runs through twice, then turns its pages: the measuring begins after that.

`--against` measures another checkout, in its own environment, first, and prints the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

PROJECT = Path(__file__).resolve().parent.parent
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
START_S = 60.0
# Counts the writes of the simulated bus into a file, then is the core.
CORE = """
import mmap, sys
from drivers.simulated import board
file = open(sys.argv.pop(1), "r+b")
count = mmap.mmap(file.fileno(), 8)
data = board.RecordingBus.data
def counted(self, *given):
    count[:8] = (int.from_bytes(count[:8], "little") + 1).to_bytes(8, "little")
    return data(self, *given)
board.RecordingBus.data = counted
from station.commands.app import main
if __name__ == "__main__":
    main()
"""
EMPTY = "import signal; signal.pause()"


@dataclass(frozen=True)
class Cost:
    """What a process has cost until now."""

    ms: float
    wakes: int

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.ms - other.ms, self.wakes - other.wakes)


def cost_of(pid: int) -> Cost:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    wakes = 0
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        wakes += int(lines["voluntary_ctxt_switches"])
    return Cost((int(words[11]) + int(words[12])) * TICK_MS, wakes)


def voice_of(core: int) -> int:
    """The process of the core that speaks."""
    for task in Path(f"/proc/{core}/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"voice" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    raise LookupError("no voice")


@contextmanager
def station(checkout: Path, folder: Path) -> Iterator[tuple[dict[str, int], Path]]:
    """The processes of a checkout, by name, and the file in which writes are counted."""
    python = str(checkout / ".venv" / "bin" / "python")
    counted, run = folder / "writes", folder / "run"
    counted.write_bytes(bytes(8))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = folder / "station.toml"
    settings.write_text(f'profile = "simulated"\n[web]\nport = {port}\n')
    environ = {**os.environ, "RUNTIME_DIRECTORY": str(run), "PYTHONPATH": str(checkout)}
    environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    state = ("--state", str(folder / "state"), "--config", str(settings))
    commands = {
        "core": (python, "-c", CORE, str(counted), "core", *state),
        "screen": (python, "-m", "station", "screen", *state),
        "web": (python, "-m", "station", "web", *state),
        "empty": (python, "-c", EMPTY),
    }
    with ExitStack() as stack:
        running: dict[str, int] = {}
        for name, words in commands.items():
            process = subprocess.Popen(
                words,
                cwd=folder,
                env=environ,
                stdout=subprocess.DEVNULL,
                stderr=(folder / name).open("w"),
            )
            stack.callback(process.wait)
            stack.callback(process.send_signal, signal.SIGTERM)
            running[name] = process.pid
            if name == "core":
                until = time.monotonic() + START_S
                while not any(folder.rglob("station.sock")):
                    if process.poll() is not None or time.monotonic() > until:
                        sys.exit((folder / name).read_text())
                    time.sleep(0.2)
        until = time.monotonic() + START_S
        while "voice" not in running and time.monotonic() < until:
            try:
                running["voice"] = voice_of(running["core"])
            except LookupError:
                time.sleep(0.2)
        yield running, counted


def measure(checkout: Path, seconds: float, settle: float) -> dict[str, float]:
    with (
        tempfile.TemporaryDirectory(prefix="loto-idle-") as folder,
        station(checkout, Path(folder)) as (running, counted),
    ):
        time.sleep(settle)
        before = {name: cost_of(pid) for name, pid in running.items()}
        written, began = int.from_bytes(counted.read_bytes(), "little"), time.monotonic()
        time.sleep(seconds)
        taken = time.monotonic() - began
        after = {name: cost_of(pid) for name, pid in running.items()}
        found = {"writes/s": (int.from_bytes(counted.read_bytes(), "little") - written) / taken}
        for name in running:
            spent = after[name] - before[name]
            found[f"{name} ms/s"] = spent.ms / taken
            found[f"{name} wakes/s"] = spent.wakes / taken
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--settle", type=float, default=75.0, help="seconds before it begins")
    parser.add_argument("--against", type=Path, help="another checkout, with its environment")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    other = measure(asked.against.resolve(), asked.seconds, asked.settle) if asked.against else {}
    ours = measure(PROJECT, asked.seconds, asked.settle)
    if asked.json:
        print(json.dumps({"ours": ours, "other": other}))
        return
    table = Table("", "ours", *(["other", "ratio"] if other else []))
    for name, value in ours.items():
        row = [name, f"{value:.1f}"]
        if other:
            before = other[name]
            row += [f"{before:.1f}", f"{value / before:.2f}" if before else "-"]
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
