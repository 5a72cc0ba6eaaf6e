"""Two telephones compare what they have seen of the record, by a code that one shows and the other
reads: an honest station has one record, and of two that one key has signed one is found."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from station.cards.pack import make_pack
from station.programme.programme import GamePlan, Programme
from station.record.coded import read_code
from station.record.heads import parse_heads
from station.record.station_key import key_of, public_key
from station.screens.web import checking
from station.screens.web.checking import check_file
from tests.codes import codes_in
from tests.screens.web.axe import Place, Whole
from tests.screens.web.browsers import LIMIT_MS

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 1200}
PACK = make_pack(2)
PROGRAMME = Programme(name="t", games=(GamePlan(name="One"), GamePlan(name="Two")))
SAME = "a continuation of the record that this phone saw"
SPLIT = "this phone has seen a different record signed by the same station"
CUT = "the station no longer has all the lines that it signed"


class Halls(NamedTuple):
    """A station, and another that was started from a copy of its card: both have its key."""

    honest: Whole
    copied: Whole


def drawn(hall: Whole, count: int) -> None:
    for _ in range(count):
        hall.do("draw")


@pytest.fixture
def halls(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Halls]:
    monkeypatch.setattr(checking, "FRESH_S", 0.0)  # each asks for the newest
    with contextlib.ExitStack() as stack:
        place = Place(browser, tmp_path, stack)
        honest = place.whole(PROGRAMME, PACK)
        honest.do("sell", serials=list(PACK.serials[:2]), to="Anna")
        honest.do("open")
        drawn(honest, 3)
        yield Halls(honest, place.whole(PROGRAMME, PACK, card=honest.state))


@pytest.fixture
def telephone(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A telephone of its own; what it asks of one station another may answer."""
    made: list[tuple[BrowserContext, list[str]]] = []

    def take(asks: Whole, answers: Whole | None = None) -> Page:
        context = browser.new_context(viewport=PHONE, reduced_motion="reduce", locale="en-GB")
        context.set_default_timeout(LIMIT_MS)
        if answers is not None:

            def forward(route: Route) -> None:
                other = route.request.url.replace(asks.url, answers.url)
                told = {
                    name: text for name, text in route.request.headers.items() if name != "origin"
                }
                route.fulfill(response=route.fetch(url=other, headers=told))

            context.route(f"{asks.url}/**", forward)
        page, wrong = context.new_page(), list[str]()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        made.append((context, wrong))
        page.goto(asks.url + "/check")
        expect(page.locator("body")).to_have_attribute("data-ready", "yes")
        return page

    yield take
    for context, wrong in made:
        context.close()
        assert wrong == []


def checked(page: Page) -> Page:
    """The telephone has checked the first game, and so has seen a head."""
    page.locator("#fetch button").click()
    verdict(page, "Night 1, game 1 is in order.")
    return page


def shown(page: Page) -> str:
    """What a camera reads off the telephone."""
    (code,) = codes_in(page.get_by_test_id("code").screenshot())
    return code


def reads(page: Page, code: str) -> None:
    """The telephone's camera opens what it has read."""
    page.goto(code)


def verdict(page: Page, text: str) -> None:
    expect(page.get_by_test_id("verdict")).to_contain_text(text)


def test_one_record_is_the_same_for_both(halls: Halls, telephone: Callable[..., Page]) -> None:
    """A head that was seen already, an older one, a newer one."""
    hall = halls.honest
    early = checked(telephone(hall))
    old = shown(early)
    drawn(hall, 4)
    late = checked(telephone(hall))
    reads(late, old)
    verdict(late, SAME)
    reads(late, shown(late))
    verdict(late, "exactly what this phone saw before")
    drawn(hall, 1)
    newest = checked(telephone(hall))
    reads(early, shown(newest))
    verdict(early, SAME)
    coded = read_code(old)
    assert coded.key == public_key(key_of(hall.state))
    assert coded.head.signed_by(coded.key)
    assert old.startswith(hall.url + "/check#")


def test_a_first_head_is_kept(halls: Halls, telephone: Callable[..., Page]) -> None:
    """There is nothing to compare it with, and that is said; its signature is tried."""
    code = shown(checked(telephone(halls.honest)))
    page = telephone(halls.honest)
    reads(page, code)
    verdict(page, "This phone has nothing earlier from this night to compare it with.")
    expect(page.get_by_test_id("facts")).to_contain_text("The station's key:")
    expect(page.get_by_test_id("heads").locator("li")).to_have_count(1)
    forged = code[:-1] + ("1" if code[-1] != "1" else "2")
    reads(page, forged)
    verdict(page, "the signature under the record is not the station's")
    expect(page.get_by_test_id("heads").locator("li")).to_have_count(1)


@pytest.mark.long
@pytest.mark.parametrize(("more", "words"), [(0, CUT), (9, SPLIT)])
def test_two_records_of_one_key_are_found(
    halls: Halls, telephone: Callable[..., Page], more: int, words: str
) -> None:
    """One telephone was shown the record, the other that of a copied card, at the same address:
    shorter and longer than the other. Both heads can be kept, each signed by the station."""
    drawn(halls.honest, 6)
    drawn(halls.copied, more)
    one = checked(telephone(halls.honest))
    other = checked(telephone(halls.honest, halls.copied))
    reads(other, shown(one))
    verdict(other, words)
    with other.expect_download() as saved:
        other.get_by_test_id("evidence").click()
    heads = parse_heads(saved.value.path().read_text(encoding="utf-8"))
    key = public_key(key_of(halls.honest.state))
    assert [head.signed_by(key) for head in heads] == [True, True]
    assert heads[0].size <= heads[1].size
    assert heads[0].origin == heads[1].origin


@pytest.mark.long
def test_two_records_of_one_length_are_found_without_a_network(
    halls: Halls, telephone: Callable[..., Page], tmp_path: Path
) -> None:
    """Also by the page kept as a file, into which the codes are typed."""
    drawn(halls.honest, 6)
    first = shown(checked(telephone(halls.honest)))
    second = ""
    while not second or read_code(second).head.size < read_code(first).head.size:
        drawn(halls.copied, 1)
        second = shown(checked(telephone(halls.honest, halls.copied)))
    assert read_code(second).head.size == read_code(first).head.size
    (tmp_path / "check.html").write_bytes(check_file())
    page = telephone(halls.honest)
    page.context.set_offline(True)
    page.goto((tmp_path / "check.html").as_uri())
    for code, words in (
        (first, "This phone has nothing earlier"),
        (second, SPLIT),
        (first, "exactly what this phone saw before"),
    ):
        page.locator("#text").fill(code.partition("#")[2])
        page.locator("#typed button").click()
        verdict(page, words)


def test_a_station_that_does_not_answer_proves_nothing(
    halls: Halls, telephone: Callable[..., Page]
) -> None:
    """Nobody is accused then; it is said that it was not shown."""
    page = checked(telephone(halls.honest))
    drawn(halls.honest, 1)
    code = shown(checked(telephone(halls.honest)))
    page.route("**/check/grown/**", lambda route: route.abort())
    reads(page, code)
    verdict(page, "The station did not show")
    page.unroute("**/check/grown/**")
