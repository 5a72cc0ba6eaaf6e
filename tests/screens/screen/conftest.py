"""The screen's tests paint without a screen."""

import os

import pygame
import pytest

from station.wire.wording import load_wording

os.environ["SDL_VIDEODRIVER"] = "dummy"


@pytest.fixture(scope="session")
def labels() -> dict[str, str]:
    return dict(load_wording("en").screen)


@pytest.fixture(autouse=True)
def no_window():
    """Each test opens its own window, if it wants one, and leaves none."""
    yield
    pygame.display.quit()
