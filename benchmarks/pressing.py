"""Press the draw button of a core over simulated buses, and tell when each part of it was done.

`latency.py` presses with it, and starts it in two checkouts to compare them: it asks of a checkout
only for the `Station` of its own `benchmarks/latency.py`, and for the events of its `drivers`. Each
line of input is `open` (a game, after the one before), `press`, answered by its parts as JSON, or
`close`, which ends the game.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from drivers import BoardShown, Pressed, SoundEnded, SoundStarted

KNOBS = 90
LIMIT_S = 60.0


def begin_game(station) -> None:
    """Open a game, and let "eyes down" be said: a press now would wait for it."""
    station.do("open")
    station.run(asyncio.sleep(1.0))
    while not station.seen.empty():
        station.seen.get()


def press(station) -> dict[str, float]:
    """One press of the draw button; seconds to each part."""
    pin = station.simulation.buttons["draw"]
    began = time.monotonic()
    station.simulation.pins.press(pin)
    parts: dict[str, float] = {}
    ended: set[int] = set()  # on a busy machine before the board is lit
    while not {"delivered", "durable", "sounding", "lit"} <= parts.keys():
        at, what = station.seen.get(timeout=LIMIT_S)
        if isinstance(what, Pressed):
            parts["delivered"] = at - began  # `what.at` is when its first edge was
        elif getattr(getattr(what, "act", None), "act", "") == "draw":
            parts["durable"] = at - began
        elif "durable" in parts and isinstance(what, SoundStarted):
            parts["sounding"] = what.at - began
            sounding = what.token
        elif "durable" in parts and isinstance(what, BoardShown):
            parts["lit"] = what.at - began
        elif isinstance(what, SoundEnded):
            ended.add(what.token)
    parts["all three"] = max(parts["durable"], parts["sounding"], parts["lit"])
    parts["handled"] = parts["all three"] - parts["delivered"]
    parts["to sound"] = parts["sounding"] - parts["durable"]
    station.simulation.pins.release(pin)
    started = {sounding} - ended
    while started:  # until all that was begun has been heard
        _, what = station.seen.get(timeout=LIMIT_S)
        if isinstance(what, SoundStarted):
            started.add(what.token)
        elif isinstance(what, SoundEnded):
            started.discard(what.token)
    # a finger, too, needs a moment; the button is deaf for 50 ms after an edge
    station.run(asyncio.sleep(0.06))
    return parts


def main() -> None:
    """Press as standard input says, on the station of the checkout in this folder."""
    from benchmarks.latency import Station  # of the other checkout, where that is asked for

    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # for what libraries print
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        station = Station(Path(folder), int(sys.argv[1]))
        for line in sys.stdin:
            do = line.strip()
            done = press(station) if do == "press" else None
            if do == "open":
                begin_game(station)
            elif do == "close":
                station.do("close")
            print(json.dumps(done), file=answers)
        station.close()


if __name__ == "__main__":
    main()
