"""The model of the keyboard that caller, desk and table have in common: what is a scan, what is one
key, what needs a second press."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.screens.web.conftest import Hall

pytestmark = pytest.mark.browser

MONITOR = (Path(__file__).parent / "typing_monitor.js").read_text("utf-8")
RUN = f"""async ([seed, sequences]) => {{
  const model = await import("/pages/typing.js");
  const monitor = {MONITOR.strip().removesuffix(";")};
  return monitor(model, seed, sequences);
}}"""
# Keys and their times; what the model finds. Upper case is a found key, in quotes a scan.
FEED = """async ([keys, place]) => {
  const { Typing } = await import("/pages/typing.js");
  const typing = new Typing();
  const found = [];
  const native = [];
  for (const [key, at, repeat] of keys) {
    const result = typing.feed({ key, at, place, repeat });
    found.push(...result.found);
    if (!result.mine) native.push(key);
  }
  found.push(...typing.tick(1e6));
  return [found.map((one) => [one.is, one.text ?? one.keys ?? one.key ?? ""]), native];
}"""


@pytest.fixture
def board(visit: Any, hall: Hall) -> Page:
    """Any page of a station: it serves the model."""
    page: Page = visit.page
    page.goto(f"{hall.url}/rules")
    return page


def keys(text: str, gap: int = 8, start: int = 0) -> list[list[Any]]:
    return [[key, start + gap * place, False] for place, key in enumerate(text)]


SCANNED = keys("A000123-F66N")
END = 8 * len(SCANNED)


@pytest.mark.parametrize(
    ("pressed", "found"),
    [
        (SCANNED, [["burst", ""], ["scan", "A000123-F66N"]]),
        ([*SCANNED, ["Enter", END, False]], [["burst", ""], ["scan", "A000123-F66N"]]),
        ([*SCANNED, ["Tab", END, False]], [["burst", ""], ["scan", "A000123-F66N"]]),
        (
            [*SCANNED, ["Enter", END, False], ["Enter", END + 8, False]],
            [["burst", ""], ["scan", "A000123-F66N"]],
        ),
        (keys("1234"), [["burst", ""], ["scan", "1234"]]),
        (keys(";0007"), [["burst", ""], ["scan", ";0007"]]),
        (keys("M7Q2XN9OPA", 30), [["burst", ""], ["scan", "M7Q2XN9OPA"]]),
        (keys("M7Q2", 31), [["key", "M"], ["digits", "7"], ["key", "Q"], ["digits", "2"]]),
        (keys("a"), [["key", "a"]]),
        (keys("12"), [["digits", "12"]]),
        ([*keys("12"), ["Enter", 16, False]], [["digits", "12"], ["key", "Enter"]]),
        (keys("ap"), [["several", "ap"]]),
        (keys("a1b"), [["several", "a1b"]]),
        (keys("p", 8) + keys("p", 8, 400), [["key", "p"], ["key", "p"]]),
        ([["a", 0, False], ["a", 20, True], ["a", 40, True], ["a", 60, True]], None),
        (keys("5 11 33 50 76"), [["burst", ""], ["scan", "5 11 33 50 76"]]),
        ([["Shift", 0, False], *SCANNED], [["burst", ""], ["scan", "A000123-F66N"]]),
        ([["Dead", 0, False]], []),
    ],
)
def test_what_keys_come_to(board: Page, pressed: list[Any], found: list[Any] | None) -> None:
    """Four keys or more, each within 30 ms, are a scan, whole, however it ends; one key is a key;
    a key that is held is pressed once."""
    told, native = board.evaluate(FEED, [pressed, "page"])
    if found is None:
        assert [one for one in told if one[0] != "key"] == []
        return
    assert told == found
    assert [key for key in native if len(key) == 1] == []


def test_a_scan_into_a_field_is_told_before_its_fourth_key_is_written(board: Page) -> None:
    """Three characters may stand there, and are taken out; what people type stays."""
    told, native = board.evaluate(FEED, [SCANNED, "field"])
    assert (told, native) == ([["burst", ""], ["scan", "A000123-F66N"]], list("A00"))
    told, native = board.evaluate(FEED, [keys("Anna", 90), "field"])
    assert (told, native) == ([["typed", ""]] * 4, list("Anna"))


@pytest.mark.parametrize(
    ("gap", "second"), [(5, False), (149, False), (150, True), (6000, True), (6001, False)]
)
def test_a_second_press_is_a_persons(board: Page, gap: int, second: bool) -> None:
    """Neither a key that bounces nor one that comes when nobody remembers the question."""
    again = """async ([gap, other]) => {
      const { Again } = await import("/pages/typing.js");
      const again = new Again();
      const first = again.press("A", 1000);
      if (other) again.press(other, 1050);
      return [first, again.press("A", 1000 + gap)];
    }"""
    assert board.evaluate(again, [gap, ""]) == [False, second]
    assert board.evaluate(again, [gap, "B"]) == [False, False]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, "number") for text in ("1", "9", "09", "42", " 90 ")),
        *((text, "other") for text in ("0", "91", "00", "x", "7a", "Anna", "-1")),
        *((text, "card") for text in ("123", "1234", "0007", "A000123-F66N", "M7Q2XN9OPA", "012")),
        ("", ""),
    ],
)
def test_what_is_written_in_the_field_for_a_number(board: Page, text: str, kind: str) -> None:
    """One or two digits are a number, three or more are a card: nothing is cut."""
    run = "async (text) => (await import('/pages/typing.js')).keyed(text)"
    assert board.evaluate(run, text) == kind


def hands(page: Page, seed: int, sequences: int) -> None:
    told = page.evaluate(RUN, [seed, sequences])
    assert told["wrong"] == []
    seen = told["seen"]
    assert seen["scans"] > sequences / 2
    assert seen["acts"] > sequences / 50


def test_random_hands_do_nothing_without_its_confirmation(board: Page) -> None:
    """Typing, scanning, repeating, bouncing, modifiers: no letter of a scan is a key, no key is
    lost, and what needs a second press had it."""
    hands(board, 1, 3000)


@pytest.mark.long
def test_a_hundred_thousand_random_hands(board: Page) -> None:
    """The same, 100,000 times."""
    hands(board, 2, 100_000)
