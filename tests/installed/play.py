"""What goes on in the container: the nights one after the other, then the caller's page in every
state, with its core killed. Each step is a line in `/answers/steps`; how it ended in
`/answers/result`."""

from __future__ import annotations

import sys
import time
import traceback

from playwright.sync_api import expect, sync_playwright

from tests.installed.hands import ANSWERS, LIMIT_MS, WAYS, loto
from tests.installed.night import play
from tests.installed.states import EVENINGS, every_state

ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def main(wanted: list[str]) -> None:
    """Play what is wanted: ways and evenings, by name."""
    started = time.monotonic()

    def say(step: str) -> None:
        with (ANSWERS / "steps").open("a") as file:
            print(f"{time.monotonic() - started:7.1f} s  {step}", file=file)

    expect.set_options(timeout=LIMIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
        try:
            night = 0
            for way in WAYS:
                if way.name in wanted:
                    night += 1
                    play(browser, way, night, lambda step, way=way: say(f"{way.name}: {step}"))
            loto("journal", "verify", "--test")
            for name in EVENINGS:
                if name in wanted:
                    every_state(browser, name, lambda step, name=name: say(f"{name}: {step}"))
        except Exception:  # noqa: BLE001 - whatever went wrong is shown
            trace = traceback.format_exc()
            for at, page in enumerate(
                page for context in browser.contexts for page in context.pages
            ):
                page.screenshot(path=ANSWERS / f"lost-{at}.png", full_page=True)
            (ANSWERS / "result").write_text(trace)
        else:
            (ANSWERS / "result").write_text("kept")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
