"""Rewrite the pages' styles for browsers without container queries (before Safari 16 and
Chrome 105).

The pages' styles use container units, ranges in media queries and small viewports. `lowered`
turns them into what the oldest browsers of the floor understand (iOS 15, Chrome 100);
`pages/older.js` asks for these styles where it must, and measures the containers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from station.screens.web.worded import PAGES

COMMENT = re.compile(r"/\*.*?\*/", re.S)
CONTAINER = re.compile(r"container-type\s*:\s*size")
CONTAINER_UNIT = re.compile(r"(?<![\w-])(-?[\d.]+)cq([wh])\b")
VIEWPORT_UNIT = re.compile(r"(?<=\d)[dsl](v[wh])\b")
MOVED = re.compile(r"(?<![\w-])translate:\s*([^\s;]+)\s+([^;]+)")
SCALED = re.compile(r"(?<![\w-])scale:\s*([^;]+)")
CLIPPED = re.compile(r"(?<![\w-])overflow:\s*clip\b")
PSEUDO_ELEMENT = re.compile(r"(.*?)((?:::[a-z-]+)?)", re.S)  # what comes before it, and it
TWICE = re.compile(
    r"(?<![\w-])(overflow-wrap:\s*anywhere|[a-z]+-content:\s*safe [a-z]+|mask:[^;]+)"
)
RELATIVE = re.compile(r'url\("(?!/)')
RANGE = re.compile(r"\((width|height)\s*(<|>=)\s*([\d.]+)(rem|px)\)")
A_LITTLE = 0.001  # of a rem, or of a pixel: "less than" has no older form
# The names that `older.js` gives to a container's shape.
SHAPES = {
    "(aspect-ratio >= 1.15)": "broad",
    "(1.45 <= aspect-ratio < 1.7)": "near-wide",
    "(1.15 <= aspect-ratio < 1.32)": "square",
    "(1.15 <= aspect-ratio < 1.45)": "near-square",
    "(0.5 <= aspect-ratio < 1.15)": "not-so-tall",
    "(aspect-ratio < 1.15)": "tall",
}


STYLES = frozenset(path.stem for path in PAGES.glob("*.css"))


@cache
def lowered_page(name: str) -> str:
    """Return one of the pages' styles, lowered."""
    return lowered((PAGES / f"{name}.css").read_text("utf-8"))


@cache
def containers() -> tuple[str, ...]:
    """Return the selectors of everything that is a size container in a style of the pages.

    >>> ".board-frame" in containers()
    True
    """
    sheets = (path.read_text("utf-8") for path in sorted(PAGES.glob("*.css")))
    return tuple(
        selector
        for sheet in sheets
        for selector, body in _rules(COMMENT.sub("", sheet))
        if CONTAINER.search(body) and not selector.startswith("@")
    )


def lowered(style: str) -> str:
    """Return a style as the oldest browsers of the floor understand it.

    >>> lowered(".a { width: 5cqw; }").strip().splitlines()[-1]
    '.a { width: calc(5 * var(--cqw)); }'
    >>> lowered("@media (width < 40rem) { a { top: 1dvh; } }").strip().splitlines()[-1]
    '@media (max-width: 39.999rem) { a { top: 1vh; } }'
    """
    around = f":is({', '.join(containers())}) > *"
    units = "--cqw: calc(var(--frame-width) / 100); --cqh: calc(var(--frame-height) / 100);"
    bare = COMMENT.sub("", style)
    imports = "".join(f"{line}\n" for line in bare.splitlines() if line.startswith("@import"))
    rest = "\n".join(line for line in bare.splitlines() if not line.startswith("@import"))
    return f"{imports}{around} {{ {units} }}\n{_lowered(rest, around)}"


def _lowered(style: str, around: str) -> str:
    return "".join(_rule(prelude, body, around) for prelude, body in _rules(style))


def _rule(prelude: str, body: str, around: str) -> str:
    if prelude.startswith("@container"):
        shape = SHAPES[prelude.removeprefix("@container").strip()]
        inner = (
            (_shaped(selectors, shape), declared) for selectors, declared in _rules(body.strip())
        )
        return "".join(_rule(selectors, declared, around) for selectors, declared in inner)
    if prelude.startswith("@media"):
        ranges = RANGE.sub(_bound, prelude).replace(") or (", "), (")
        return f"{ranges} {{ {_lowered(body, around).strip()} }}\n"
    if prelude.startswith(("@supports", "@layer")):
        return f"{prelude} {{ {_lowered(body, around).strip()} }}\n"
    told = " ".join(_declared(body).split())
    kept = [
        f"{line.strip()};"
        for line in _declared(body).split(";")
        if line.strip().startswith("--") and "var(--cq" in line
    ]
    # A custom property keeps its unit until it is used: inside another container it is another's.
    again = ", ".join(f"{one} {around}" for one in _list(prelude)) if kept else ""
    return f"{prelude} {{ {told} }}\n" + (f"{again} {{ {' '.join(kept)} }}\n" if kept else "")


def _declared(body: str) -> str:
    told = RELATIVE.sub('url("/pages/', body)
    told = CONTAINER.sub("contain: size layout style", told)
    told = CONTAINER_UNIT.sub(r"calc(\1 * var(--cq\2))", told)
    told = VIEWPORT_UNIT.sub(r"\1", told)
    told = MOVED.sub(r"transform: translate(\1, \2)", told)
    told = SCALED.sub(r"transform: scale(\1)", told)
    told = CLIPPED.sub("overflow: hidden", told)
    return TWICE.sub(lambda found: f"{_older(found[0])}; {found[0]}", told)


def _older(declaration: str) -> str:
    """Return what a browser reads that skips this declaration."""
    if declaration.startswith("mask"):
        return f"-webkit-{declaration}"
    return declaration.replace("anywhere", "break-word").replace("safe ", "")


def _bound(found: re.Match[str]) -> str:
    side, sign, number, unit = found.groups()
    if sign == ">=":
        return f"(min-{side}: {number}{unit})"
    return f"(max-{side}: {float(number) - A_LITTLE:g}{unit})"


def _shaped(selectors: str, shape: str) -> str:
    inside = f':where([data-shape~="{shape}"] *)'
    parts = (PSEUDO_ELEMENT.fullmatch(one) for one in _list(selectors))
    return ", ".join(f"{part[1]}{inside}{part[2]}" for part in parts if part is not None)


def _list(selectors: str) -> Iterator[str]:
    """Yield the selectors of a list; commas within brackets belong to one of them."""
    depth = start = 0
    for index, sign in enumerate(selectors):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            yield selectors[start:index].strip()
            start = index + 1
    yield selectors[start:].strip()


def _rules(style: str) -> Iterator[tuple[str, str]]:
    """Yield each block of a style: what stands before it, and what stands in it."""
    depth = start = 0
    prelude = ""
    for index, sign in enumerate(style):
        if sign == "{":
            depth += 1
            if depth == 1:
                prelude, start = " ".join(style[start:index].split()), index + 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                yield prelude, style[start:index]
                start = index + 1
