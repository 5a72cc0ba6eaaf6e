"""Simulate a chain of WS2812 lamps, which decode the bits on their line as the data sheet says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from drivers.board.geometry import find_geometry, wire_order
from drivers.simulated.board import SimulatedBus

BIT_S = 1 / 2.4e6
LATCH_S = 280e-6
# Data sheet WS2812B: how long the line is high in a nought (0.4 µs) and in a one (0.8 µs), each
# give or take 150 ns.
NOUGHT_S = (250e-9, 550e-9)
ONE_S = (650e-9, 950e-9)


class RecordingPixels(SimulatedBus):
    """A chain of WS2812 lamps.

    A bit is how long the line stays high. Low for 280 µs ends a frame: each lamp shows what it
    took. The first lamp takes the first 24 bits and hands the rest on; a frame that breaks off
    leaves the other lamps as they were. After a pulse that is neither a nought nor a one nothing
    can be trusted: the frame is counted in `garbled`, and not shown.

    Args:
        size: lamps, width and height.
        places: for each lamp on the wire its place in the picture, counted row by row; None: row by
            row.
    """

    def __init__(
        self, *, size: tuple[int, int] = (80, 16), places: NDArray[np.intp] | None = None
    ) -> None:
        width, height = size
        self._size = size
        self._places = np.arange(width * height) if places is None else places
        self._lamps: NDArray[np.uint8] = np.zeros((width * height, 3), np.uint8)
        self.garbled = 0
        super().__init__()

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the board that a driver with these options expects."""
        size = find_geometry(options.get("geometry", "80x16")).size
        wide, high = options.get("panel") or size
        order, serpentine = options.get("order", "rows"), options.get("serpentine", True)
        return cls(size=size, places=wire_order(size, (wide, high), order, serpentine))

    def _take(self, sent: bytes) -> bool:
        line = np.unpackbits(np.frombuffer(sent, np.uint8))
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line, [0]])))
        rises, falls = edges[::2], edges[1::2]
        if not rises.size:
            return False
        high = (falls - rises) * BIT_S
        ones = (ONE_S[0] <= high) & (high <= ONE_S[1])
        noughts = (NOUGHT_S[0] <= high) & (high <= NOUGHT_S[1])
        if not (ones | noughts).all() or (line.size - falls[-1]) * BIT_S < LATCH_S:
            self.garbled += 1
            return False
        whole = min(ones.size // 24, len(self._lamps))
        green_red_blue = np.packbits(ones[: 24 * whole].reshape(whole, 24), axis=1)
        self._lamps[self._places[:whole]] = green_red_blue[:, (1, 0, 2)]
        return True

    def _held(self) -> bytes:
        return self._lamps.tobytes()

    def colours(self) -> NDArray[np.uint8]:
        """Return red, green, blue of each lamp."""
        width, height = self._size
        return self._lamps.reshape(height, width, 3).copy()

    def glitch(self, lamp: int = 0, colour: tuple[int, int, int] = (255, 255, 255)) -> None:
        """Change a lamp's colour, as a spark on the wire does; by default the first gets white."""
        with self._changed:
            self._lamps[lamp] = colour
        self._look()

    def power_cut(self) -> None:
        """Cut the lamps' supply and restore it: they come back dark."""
        with self._changed:
            self._lamps[:] = 0
        self._look()
