"""Browsers for tests: Playwright's driver and a browser of each kind are started once, for all
tests of a process.

A module of tests has a browser without anybody else's pages; to start one for each took as long as
three tests.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.screens.web.fakes import LIMIT_S

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
LIMIT_MS = LIMIT_S * 1000  # each step is a question or two to a core that shares its machine


class Browsers:
    """What was started in this process, until the stack is unwound."""

    def __init__(self, until_the_end: contextlib.ExitStack) -> None:
        self._until_the_end = until_the_end
        self._driver: Playwright | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._browsers: dict[str, Browser] = {}

    @contextlib.contextmanager
    def browsing(self, path: str) -> Iterator[Browser]:
        """A browser of this kind; what is expected of its pages may take as long as a busy machine
        takes."""
        with self._marked():
            browser = self._browser(path)
            expect.set_options(timeout=LIMIT_MS)
            yield browser
            expect.set_options(timeout=None)
            for context in browser.contexts:
                context.close()

    @contextlib.contextmanager
    def _marked(self) -> Iterator[None]:
        """Playwright's loop counts as running while somebody browses, as Playwright has it; tests
        that do not browse run loops of their own."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self._loop or before)
        try:
            yield
        finally:
            asyncio._set_running_loop(before)

    def _browser(self, path: str) -> Browser:
        if self._driver is None:
            self._driver = sync_playwright().start()
            self._loop = asyncio.get_running_loop()
            self._until_the_end.callback(self._stop, self._driver)
        if path not in self._browsers or not self._browsers[path].is_connected():
            self._browsers[path] = self._driver.chromium.launch(executable_path=path, args=ARGS)
        return self._browsers[path]

    def _stop(self, driver: Playwright) -> None:
        with self._marked():
            for browser in self._browsers.values():
                browser.close()
            driver.stop()
