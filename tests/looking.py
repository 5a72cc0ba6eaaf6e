"""Waits for what JavaScript says of a page.

Playwright's own `wait_for_function` asks again with `eval`, which the pages' policy forbids: it
works only where the first look is enough. (What Playwright evaluates itself is let through.)
"""

from __future__ import annotations

import time

from playwright.sync_api import Error, Page

LIMIT_MS = 60_000
LOOK_MS = 20


def until(page: Page, wanted: str, limit_ms: int = LIMIT_MS) -> None:
    """Wait until the expression, or the function, is true.

    Raises:
        AssertionError: it was not, in all that time.
    """
    ended = time.monotonic() + limit_ms / 1000
    while not _is(page, wanted):
        assert time.monotonic() < ended, f"never true in {limit_ms / 1000:g} s: {wanted}"
        page.wait_for_timeout(LOOK_MS)


def _is(page: Page, wanted: str) -> bool:
    try:
        return bool(page.evaluate(wanted))
    except Error as error:
        if "context was destroyed" in str(error):  # another page has come: it is asked next
            return False
        raise
