"""How many examples of a property are tried: as many as its test says, or the few of
`--hypothesis-profile=few`."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(most: int, **more: Any) -> settings:
    """Settings for so many examples; where the profile asks for few of everything, for as few as
    that."""
    few = settings.get_current_profile_name() == "few"
    return settings(max_examples=min(most, settings().max_examples) if few else most, **more)
