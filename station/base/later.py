"""Import modules that are loaded only when something of them is used.

The arrows stay where they are read, at the top of a module, for people, for the type checker and
for the contract of the rooms; the time to follow them is paid by whoever goes that way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import LazyLoader
from types import ModuleType


class _Finder:
    """The finder of modules on the disk, whose loader waits."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is; one that is no Python text is loaded at once."""
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = LazyLoader(spec.loader)
        return spec


@contextmanager
def later() -> Iterator[None]:
    """Import whole modules without loading them: at the first use of one it is loaded.

    A name that is imported out of a module is a use of it. The first use belongs to one thread.
    """
    sys.meta_path.insert(0, _Finder)
    try:
        yield
    finally:
        sys.meta_path.remove(_Finder)
