"""What several tests of drivers share."""

import pytest

from tests.drivers.parrots import Stage


@pytest.fixture
def stage(tmp_path, monkeypatch):
    """Stand-ins for the synthesisers, espeak-ng on the path among them."""
    return Stage(tmp_path, monkeypatch)
