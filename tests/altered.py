"""Alter a game for a test."""

from __future__ import annotations

from typing import Any

from station.games import AnyRules


def altered(rules: AnyRules, **changes: Any) -> AnyRules:
    """Return the game with other attributes; a function takes the place of a method and gets no
    `self`."""
    own = {name: staticmethod(one) if callable(one) else one for name, one in changes.items()}
    made: AnyRules = type(f"Altered{type(rules).__name__}", (type(rules),), own)()
    return made
