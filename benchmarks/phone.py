"""How long a telephone takes to check a game and a receipt: in Chromium, from the page as a file,
with the network cut, on a processor slowed down.

    .venv/bin/python benchmarks/phone.py [--slowed 6] [--times 9]

  game      the text of a game of 45 and of 90 calls, until the page says that it is in order
  receipt   a receipt's code, its head's signature with it, and then its game's text, until the page
            says that the receipt is in the record
  bad       the same with one number called that is another, until the page says so

Median and longest, from the press until it is drawn; beside them how many times as long as on this
processor at its own speed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import platform
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from playwright.sync_api import Page, expect, sync_playwright

from station.base.nouns import KNOBS
from station.cards.pack import make_pack
from station.programme.programme import GamePlan, Programme
from station.screens.web.checking import check_file
from tests.conftest import HEADLESS
from tests.screens.web.axe import Place, Whole
from tests.screens.web.browsers import ARGS, LIMIT_MS
from tests.screens.web.fakes import get
from tests.screens.web.test_check_page import receipt_code

PHONE = {"width": 360, "height": 740}
PACK = make_pack(2)
ROW = PACK.card(PACK.serials[0]).rows[0]
GOAL_MS = 1000
# What is checked; says how long it took from the press on, until `wanted` stands there.
CHECKED = """async ([text, where, wanted]) => {
    const until = async (there) => { while (!there()) await new Promise(requestAnimationFrame); };
    const place = document.querySelector(`[data-testid=${where}]`);
    document.getElementById("text").value = text;
    const began = performance.now();
    document.querySelector("#typed button").click();
    await until(() => place.textContent.includes(wanted));
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
}"""


def hall_of(place: Place, calls: int) -> tuple[Whole, str, str]:
    """A station that has called so many, in whose game a row was won; its game and the receipt."""
    hall = place.whole(Programme(name="t", games=(GamePlan(name="One"),)), PACK)
    hall.do("sell", serials=list(PACK.serials), to="Anna")
    hall.do("open")
    others = [number for number in range(1, KNOBS + 1) if number not in ROW]
    for number in [*ROW, *Random(calls).sample(others, calls - len(ROW))]:
        hall.do("draw", number=number)
        if number == ROW[-1]:
            hall.do("claim", serial=PACK.serials[0])
            hall.do("play-on")
    return hall, json.dumps(get(hall.url + "/check/1.json").json()), receipt_code(hall)


def altered(code: str) -> str:
    """A receipt with another number called first."""
    return code.replace(f"B{ROW[0]:02}", f"B{ROW[0] % 90 + 1:02}")


def timed(page: Page, slowed: int, times: int, check: Callable[[], float]) -> list[float]:
    """Milliseconds of so many checks on a processor so many times slower."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    taken = [check() for _ in range(times)]
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--slowed", type=int, default=6)
    parser.add_argument("--times", type=int, default=9)
    asked = parser.parse_args()
    print(f"{platform.machine()}, slowed {asked.slowed} times, median of {asked.times}")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=HEADLESS, args=ARGS)
        stack.callback(browser.close)
        place = Place(browser, folder, stack)
        halls = {calls: hall_of(place, calls) for calls in (45, KNOBS)}
        (folder / "check.html").write_bytes(check_file())
        context = browser.new_context(viewport=PHONE, locale="en-GB")
        context.set_default_timeout(LIMIT_MS)
        context.set_offline(True)
        page = context.new_page()
        page.goto((folder / "check.html").as_uri())
        expect(page.locator("body")).to_have_attribute("data-ready", "yes")
        for calls, (_, game, code) in halls.items():
            for name, parts in {
                "game": [(game, "verdict", "game 1 is in order")],
                "receipt": [
                    (code, "verdict", "the station has signed this"),
                    (game, "receipt-said", "The receipt is in the record"),
                ],
                "bad": [
                    (altered(code), "verdict", "the station has signed this"),
                    (game, "receipt-said", "other numbers called"),
                ],
            }.items():

                def check(parts: list[tuple[str, str, str]] = parts) -> float:
                    page.evaluate("localStorage.clear()")
                    page.reload()
                    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
                    return sum(page.evaluate(CHECKED, list(part)) for part in parts)

                slow, quick = (timed(page, rate, asked.times, check) for rate in (asked.slowed, 1))
                middle = statistics.median(slow)
                print(
                    f"{name:8} {calls} calls: {middle:5.0f} ms, longest {max(slow):5.0f}"
                    f" (goal {GOAL_MS}); {middle / statistics.median(quick):4.1f} times as long"
                )


if __name__ == "__main__":
    main()
