"""No station goes on after its test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.end_to_end.evening import Evening


@pytest.fixture(autouse=True)
def none_goes_on() -> Iterator[None]:
    """Where a test fails its station is closed, too: it would play silence beside all others."""
    yield
    for evening in [*Evening.running]:
        evening.close()
