"""Count the house: rooms, floors, arrows, modules, circles, questions about a game's kind, lines.

It reads the sources of a checkout and imports nothing of it, so that it can count another one too:

    .venv/bin/python -m benchmarks.house
    .venv/bin/python -m benchmarks.house --tree ../before
"""

from __future__ import annotations

import argparse
import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

# What asks who plays a game: the hall's players, or a company at a table.
ASKS = frozenset(
    {"at_table", "of_table", "is_of_table", "next_at_table", "table_to_come", "table_game"}
)
CONTRACT = {  # where the contract of games is, now and before it was typed
    "station.rules.game": ("Game", "GameRules"),
    "station.rules.abilities": (),
    "station.rules.play": ("Play",),
}


def sources(tree: Path) -> dict[str, ast.Module]:
    """Return the parsed modules of a checkout by name."""
    found = {}
    for path in sorted([*(tree / "station").rglob("*.py"), *(tree / "drivers").rglob("*.py")]):
        parts = path.relative_to(tree).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports_of(node: ast.Module, modules: Mapping[str, ast.Module]) -> set[str]:
    """Return the modules that one imports, inside its functions too."""
    found = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Import):
            found |= {alias.name for alias in one.names} & modules.keys()
        elif isinstance(one, ast.ImportFrom) and one.module is not None:
            whole = {f"{one.module}.{alias.name}" for alias in one.names} & modules.keys()
            found |= whole or {one.module} & modules.keys()
    return found


def paths_of(node: ast.Module, rooms: frozenset[str]) -> Iterator[str]:
    """Yield the rooms whose folders a module names in a path: `FOLDER / "commands"`."""
    for one in ast.walk(node):
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Div):
            right = one.right
            if isinstance(right, ast.Constant) and right.value in rooms:
                yield str(right.value)


def room_of(module: str) -> str:
    """Return the room of a module; "" for what only starts the program."""
    first, _, rest = module.partition(".")
    return first if first == "drivers" else rest.partition(".")[0]


def circles_in(graph: Mapping[str, set[str]]) -> list[frozenset[str]]:
    """Return the groups of modules that import each other in a circle."""

    def reached(start: str) -> set[str]:
        found, left = set[str](), [start]
        while left:
            new = graph[left.pop()] - found
            found |= new
            left += new
        return found

    reach = {name: reached(name) for name in graph}
    groups = (
        frozenset(other for other in reach[name] if name in reach[other])
        for name in graph
        if name in reach[name]
    )
    return [one for one in dict.fromkeys(groups) if len(one) > 1]


def asked(modules: Mapping[str, ast.Module]) -> Iterator[str]:
    """Yield the module of each question about the kind of a game, outside `night`."""
    for name, node in modules.items():
        if room_of(name) == "night":
            continue
        for one in ast.walk(node):
            if (isinstance(one, ast.Attribute) and one.attr in ASKS) or (
                isinstance(one, ast.Call) and getattr(one.func, "id", "") in ASKS
            ):
                yield name


def anys(modules: Mapping[str, ast.Module]) -> int:
    """Return how often `Any` is in a signature or a field of the contract of games."""
    count = 0
    for name, classes in CONTRACT.items():
        for node in modules[name].body if name in modules else ():
            if isinstance(node, ast.ClassDef) and (not classes or node.name in classes):
                for one in ast.walk(node):
                    signs = [getattr(one, field, None) for field in ("annotation", "returns")] + [
                        *(node.bases if one is node else ())
                    ]
                    count += sum(
                        isinstance(part, ast.Name) and part.id == "Any"
                        for sign in signs
                        if sign is not None
                        for part in ast.walk(sign)
                    )
    return count


def counted(tree: Path) -> dict[str, int | str]:
    """Return the numbers of a checkout by what they count."""
    modules = sources(tree)
    contract = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = ["drivers", *reversed(contract["contracts"][0]["layers"])]
    rooms = frozenset(layers)
    graph: dict[str, set[str]] = {}
    arrows, back = defaultdict[str, set[str]](set), list[str]()
    for name, node in modules.items():
        here = room_of(name)
        graph[name] = imports_of(node, modules)
        for other in graph[name]:
            if (there := room_of(other)) != here and {here, there} <= rooms:
                arrows[here].add(there)
        if here in rooms:
            places = {*paths_of(node, rooms)}
            up = {one for one in places if layers.index(one) > layers.index(here)}
            back += [f"{name} -> {one}/" for one in sorted(up)]
    back += [f"{a} -> {b}" for a in layers for b in arrows[a] if layers.index(b) > layers.index(a)]

    def floor(room: str) -> int:
        below = [one for one in arrows[room] if layers.index(one) < layers.index(room)]
        return 1 + max(map(floor, below)) if below else 0

    circles = circles_in(graph)
    packages = {name.rpartition(".")[0] for name in modules}
    questions = [*asked(modules)]
    lines = sum(
        len(path.read_text("utf-8").splitlines())
        for folder in ("station", "drivers")
        for path in (tree / folder).rglob("*.py")
    )
    longest = max(
        (len(path.read_text("utf-8").splitlines()), str(path.relative_to(tree)))
        for path in (tree / "station").rglob("*.py")
    )
    return {
        "rooms": len(layers),
        "floors": max(map(floor, layers)) + 1,
        "arrows": sum(map(len, arrows.values())),
        "back up, by imports and paths": "; ".join(back) or 0,
        "modules": len({*modules} - packages),
        "circles": "; ".join(" ".join(sorted(one)) for one in circles) or 0,
        "questions about the kind of a game": len(questions),
        "modules that ask them": len({*questions}),
        "Any in the contract of games": anys(modules),
        "longest module": f"{longest[0]} lines, {longest[1]}",
        "lines of station and drivers": lines,
    }


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=Path(__file__).parents[1])
    for what, number in counted(parser.parse_args().tree).items():
        print(f"{what}: {number}")


if __name__ == "__main__":
    main()
