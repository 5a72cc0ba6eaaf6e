"""Hold the pictures that screens can draw on cards and cubes, as polygons in a square of 100. The
web pages have the same table (`things.js`; a test compares them)."""

from __future__ import annotations

from collections.abc import Mapping

EMBLEMS: Mapping[str, tuple[str, ...]] = {
    "white-horse": (
        (
            "26,95 28,82 40,70 46,56 42,50 30,56 22,66 12,64 7,54 14,40 26,26"
            " 34,18 38,5 48,15 62,18 74,28 83,44 87,64 87,84 85,95"
        ),
    ),
    "inn": (
        "8,44 50,10 92,44 86,52 50,23 14,52",
        "20,54 50,30 80,54 80,92 62,92 62,62 38,62 38,92 20,92",
    ),
    "bell": (
        "50,6 57,9 58,18 70,27 77,44 79,62 92,76 92,82 8,82 8,76 21,62 23,44 30,27 42,18 43,9",
        "41,86 59,86 57,93 50,97 43,93",
    ),
    "hammer": (
        "10,34 40,6 48,14 45,19 60,34 66,31 72,38 42,66 34,58 38,53 22,37 17,42",
        "53,49 60,42 95,84 86,93",
    ),
    "bell-with-hammer": (
        "26,9 30,11 30,16 37,21 41,31 42,41 50,49 50,52 2,52 2,49 10,41 11,31 15,21 22,16 22,11",
        "21,54 31,54 30,58 26,60 22,58",
        "50,57 66,41 71,46 69,49 78,57 81,55 84,59 68,75 63,70 65,68 56,59 54,62",
        "74,65 78,62 97,85 92,90",
    ),
}


def points(polygon: str, side: float) -> list[tuple[float, float]]:
    """Return the corners of a polygon in a square of this side.

    >>> points("0,50 100,100", 10)
    [(0.0, 5.0), (10.0, 10.0)]
    """
    corners = (corner.split(",") for corner in polygon.split())
    return [(int(x) * side / 100, int(y) * side / 100) for x, y in corners]
