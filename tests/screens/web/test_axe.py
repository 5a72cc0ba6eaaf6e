"""No page has anything that axe-core finds fault with: all pages open at the two extremes; the
whole matrix is `python -m tests.screens.web.axe`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.screens.web.axe import EXTREMES, SCENES, Place, found_at

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def place(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with contextlib.ExitStack() as stack:
        yield Place(browser, tmp_path_factory.mktemp("halls"), stack)


@pytest.mark.long
@pytest.mark.parametrize("path", SCENES)
def test_axe_finds_nothing(place: Place, path: str) -> None:
    """On a phone and on a large screen, of no weight: every rule holds, none is switched off."""
    _, page = next(SCENES[path](place))
    for size in EXTREMES:
        result = found_at(page, size)
        assert result["found"] == [], size
        assert result["rules"] > 15  # it did look: a page with little on it, too


def test_axe_would_find(place: Place) -> None:
    """A picture that says nothing, a button without a name: both are found."""
    page = place.opened("about:blank")
    page.set_content("<html lang=en><title>x</title><main><img src=x><button></button></main>")
    found = [line.partition(" ")[0] for line in found_at(page, EXTREMES[0])["found"]]
    assert {"image-alt", "button-name"} <= set(found)
