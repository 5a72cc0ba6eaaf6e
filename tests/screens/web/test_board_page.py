"""The public board in a real browser: what the hall reads, hears and is warned of."""

from __future__ import annotations

import io
import itertools
import re
from typing import Any

import numpy as np
import pygame
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, WebSocketRoute, expect

from station.programme.check import load_programme
from station.programme.programme import SHIPPED
from station.rules.patterns import PATTERNS
from station.screens.screen.app import Painter
from station.screens.screen.layout import lay_out
from station.screens.web.app import make_app
from station.wire.board_view import BoardView, Phase, PrizeView, SayView, SignView, Verdict
from station.wire.wording import VOICES, languages, load_wording
from tests.looking import until
from tests.screens.screen.reader import read_number
from tests.screens.web import canned, ear
from tests.screens.web.conftest import NEXT_FRAME, Hall, Visit
from tests.screens.web.fakes import served

pytestmark = pytest.mark.browser

WORDS = load_wording().screen
ROUNDED = 2  # pixels


def board(visit: Visit, hall: Hall) -> Page:
    visit.page.goto(hall.url)
    expect(visit.page.locator(f'[data-seq="{hall.core.view.seq}"]')).to_be_visible()
    return visit.page


def pixels(element: Locator) -> Any:
    return np.asarray(Image.open(io.BytesIO(element.screenshot())).convert("L"))


def called(page: Page) -> list[int]:
    return [int(text) for text in page.get_by_test_id("called").locator("li").all_inner_texts()]


def test_each_call_shows_live_in_text_and_in_pixels(visit: Visit, hall: Hall) -> None:
    """The last number is what the core called, read from the page's text and, by templates, from
    its pixels; in order."""
    page = board(visit, hall)
    numbers = (1, 90, 13, 30, 7, 17, 6, 9, 68, 86, 25, 52)
    for count, number in enumerate(numbers, start=1):
        hall.show(canned.playing(numbers[:count]))
        expect(page.get_by_test_id("last")).to_have_text(str(number))
        assert read_number(pixels(page.get_by_test_id("last"))) == number
    assert called(page) == list(numbers)
    assert [
        int(text) for text in page.get_by_test_id("last-ten").locator("li").all_inner_texts()
    ] == list(numbers[:1:-1])
    lit = page.get_by_test_id("ninety").locator("li.lit").all_inner_texts()
    assert sorted(int(text) for text in lit) == sorted(numbers)
    expect(page.get_by_test_id("ninety").locator("li.newest")).to_have_text("52")


def test_a_late_joiner_sees_the_whole_game(visit: Visit, hall: Hall) -> None:
    """A page opened in mid-game has all calls, and a correction takes one off everywhere."""
    page = board(visit, hall)
    assert called(page) == list(canned.CALLED)
    hall.show(canned.playing(canned.CALLED[:-1], notice="11 was not called."))
    expect(page.get_by_test_id("last")).to_have_text("79")
    assert called(page) == list(canned.CALLED[:-1])
    expect(page.locator(".notice")).to_have_text("11 was not called.")


def test_sizes_are_those_of_a_hall(visit: Visit, hall: Hall) -> None:
    """H19, in pixels of the screenshot: last number 35 % of the height, last ten 9 %, a row of the
    90 board 4.5 %; of what is left when the record cannot be written, too."""
    page = board(visit, hall)
    for view in (canned.playing((*canned.CALLED, 8)), halted("en", called=(*canned.CALLED, 8))):
        page = shown(visit, hall, view)
        expect(page.get_by_test_id("last")).to_have_text("8")
        for width, height in ((1280, 720), (1280, 800), (1920, 1080), (1024, 768)):
            resize(page, width, height)
            assert ink(page.get_by_test_id("last")) >= 0.35 * height
            if view.phase is not Phase.HALTED:
                ten = page.get_by_test_id("last-ten").locator("li")
                assert ink(ten.nth(1)) >= 0.09 * height
            cells = page.get_by_test_id("ninety").locator("li")
            first, under = (cells.nth(index).bounding_box() for index in (0, 10))
            assert first is not None
            assert under is not None
            assert under["y"] - first["y"] >= 0.045 * height


def ink(element: Locator) -> int:
    """How many rows of pixels its digits take: all that is far from the ground's light."""
    seen = pixels(element).astype(int)
    rows = np.flatnonzero((abs(seen - np.bincount(seen.ravel()).argmax()) > 70).any(axis=1))
    return int(rows[-1] - rows[0] + 1)


def test_contrast_is_seven_to_one(visit: Visit, hall: Hall) -> None:
    """Text and its ground differ by 7:1 at least, measured on the pixels of the page."""
    page = board(visit, hall)
    hall.show(canned.troubled())
    expect(page.locator(".signs li")).to_be_visible()
    for selector in (".last", ".hall", ".game", ".ten li:first-child", ".ten li:nth-child(2)",
                     ".ninety li", ".ninety .lit", ".fact-stage dd", ".facts dt", ".test",
                     ".notice", ".signs li"):  # fmt: skip
        assert contrast(page.locator(f".board {selector}").first) >= 7, selector
    hall.show(canned.halted())
    expect(page.locator(".procedure li").first).to_be_visible()
    assert contrast(page.locator(".procedure li").first) >= 7


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
def test_without_javascript_the_dark_pages_can_be_read(
    browser: Browser, hall: Hall, size: tuple[int, int]
) -> None:
    """Board, bench and lessons say in readable letters what they need, and show no empty button."""
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": size[0], "height": size[1]}
    )
    page = context.new_page()
    for name in ("board", "bench", "learn"):
        page.goto(f"{hall.url}/{name}")
        assert contrast(page.locator("noscript p")) >= 7, name
        empty = page.locator(":is(button, select, a):empty:visible")
        assert empty.evaluate_all("all => all.map((one) => one.outerHTML)") == [], name
    context.close()


def contrast(element: Locator) -> float:
    """The contrast ratio (WCAG 2.1) of the most common light to the one furthest from it."""
    shot = Image.open(io.BytesIO(element.screenshot())).convert("RGB")
    # Without its edges: a neighbour's pixels are not its own.
    inner = shot.crop(
        (
            shot.width // 8,
            shot.height // 8,
            shot.width - shot.width // 8,
            shot.height - shot.height // 8,
        )
    )
    rgb = np.asarray(inner).reshape(-1, 3) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    light = linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05
    values, counts = np.unique(light.round(3), return_counts=True)
    ground = values[counts.argmax()]
    return float(max(light.max() / ground, ground / light.min()))


def test_both_screens_have_the_same_colours(visit: Visit, hall: Hall) -> None:
    """Ground, not called, called and newest: a pixel of the hall's screen is what the browser
    computes for the same part of the page."""
    page = board(visit, hall)
    view = canned.playing()
    surface = pygame.Surface((1920, 1080))
    painter = Painter(surface.get_size(), WORDS)
    painter.paint(surface, view, stale=False)
    silent = next(number for number in range(1, 91) if number not in view.called)
    parts = {
        f".ninety li:nth-child({number})": (cell.x + cell.w // 2, cell.y + 1)
        for number in (silent, *view.called[-2:])
        for cell in (painter.layout.cells[number - 1],)
    }
    for selector, place in {"": (0, 0), **parts}.items():
        seen = page.locator(f".board {selector}").first.evaluate(
            "one => getComputedStyle(one).backgroundColor"
        )
        red, green, blue, _ = surface.get_at(place)
        assert seen == f"rgb({red}, {green}, {blue})", selector


def test_both_screens_have_the_same_places(visit: Visit, hall: Hall) -> None:
    """The last number, each of the 90, the last ten and the row of what is played for stand where
    the hall's screen has them, on both shapes of television."""
    page = board(visit, hall)
    for size in ((1920, 1080), (1024, 768)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        layout = lay_out(size)
        places = {
            ".plate": layout.last,
            ".ninety li:nth-child(1)": layout.cells[0],
            ".ninety li:nth-child(90)": layout.cells[89],
            ".ten li:nth-child(1)": layout.ten[0],
            ".ten li:nth-child(10)": layout.ten[9],
            ".info": layout.info,
        }
        for selector, box in places.items():
            seen = page.locator(f".board {selector}").bounding_box()
            assert seen is not None
            found = (seen["x"], seen["y"], seen["width"], seen["height"])
            assert found == pytest.approx(box, abs=ROUNDED), (size, selector)


def test_a_browser_that_wants_more_contrast_gets_it(visit: Visit, hall: Hall) -> None:
    """The setting of the browser picks the look of high contrast."""
    page = board(visit, hall)
    page.emulate_media(contrast="more")
    assert page.locator(".board").evaluate("one => getComputedStyle(one).backgroundColor") == (
        "rgb(0, 0, 0)"
    )


def test_a_claim_shows_its_card_and_verdict(visit: Visit, hall: Hall) -> None:
    """H20, for every verdict: the card with its marks, what is missing, the verdict in words; the
    last number stays in sight."""
    page = board(visit, hall)
    for verdict in Verdict:
        missing = (50, 76) if verdict is Verdict.NOT_COMPLETE else ()
        hall.show(
            canned.stopped(canned.claim(verdict, f"The reason for {verdict.value}.", missing))
        )
        expect(page.get_by_test_id("verdict")).to_contain_text(WORDS[verdict.value])
        expect(
            page.get_by_test_id("claim").get_by_text(f"The reason for {verdict.value}.")
        ).to_be_visible()
        expect(page.get_by_test_id("last")).to_be_visible()
        marked = [
            int(text)
            for text in page.get_by_test_id("claim").locator("td.marked").all_inner_texts()
        ]
        assert marked == ([] if verdict is Verdict.NOT_SOLD else [5, 11, 33, 2])
        assert (
            tuple(
                int(text)
                for text in page.get_by_test_id("claim").locator("td.missing").all_inner_texts()
            )
            == missing
        )
    hall.show(canned.playing())
    expect(page.get_by_test_id("claim")).to_be_hidden()


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (412, 915), (640, 400), (1280, 800)])
def test_a_checked_card_stands_whole_in_its_place(
    visit: Visit, hall: Hall, size: tuple[int, int]
) -> None:
    """The verdict and the prize overlap nothing, even in a low window."""
    page = board(visit, hall)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for verdict in Verdict:
        hall.show(canned.stopped(canned.claim(verdict, f"The reason for {verdict.value}.", (50,))))
        expect(page.get_by_test_id("verdict")).to_contain_text(WORDS[verdict.value])
        page.evaluate(NEXT_FRAME)
        over = "one => one.scrollHeight - one.clientHeight"
        assert page.get_by_test_id("claim").evaluate(over) <= 1


def test_a_ticket_shows_its_numbers(visit: Visit, hall: Hall) -> None:
    """A ticket that the station does not know: its numbers as they were keyed, those called, what
    is missing, and whose it is."""
    page = board(visit, hall)
    hall.show(canned.stopped(canned.ticket("Not called: 50")))
    claim = page.get_by_test_id("claim")
    expect(claim).to_contain_text("Ticket 1")
    expect(claim).to_contain_text("Mary")
    assert [int(text) for text in claim.locator("td.marked").all_inner_texts()] == [5, 33]
    assert [int(text) for text in claim.locator("td.missing").all_inner_texts()] == [50]


def test_what_must_be_covered_is_drawn(visit: Visit, hall: Hall) -> None:
    """Each prize that can be won has a small card, its places filled in; one prize alone has its
    picture beside its name."""
    page = board(visit, hall)
    hall.show(canned.at_once(seq=900))
    expect(page.locator('[data-seq="900"]')).to_be_visible()
    drawn = [
        one.locator("i").evaluate_all("all => all.map(one => one.className)")
        for one in page.locator(".open .pattern").all()
    ]
    assert [[index for index, name in enumerate(names) if name == "on"] for names in drawn] == [
        list(PATTERNS[stage.key].parts[0].places) for stage in canned.at_once().open
    ]
    hall.show(canned.won().model_copy(update={"seq": 901}))
    expect(page.locator(".fact-stage .pattern .on")).to_have_count(10)
    expect(page.locator(".open li")).to_have_count(0)


def texts_of(view: BoardView) -> list[str]:
    found = [view.hall, view.notice, str(view.cards), str(view.players), *view.procedure]
    found += (
        [sign.text for sign in view.signs]
        + [win.serial for win in view.wins]
        + [win.status for win in view.wins]
    )
    found += [view.game.name] if view.game else []
    found += [stage.name for stage in view.open] + list(
        view.coming if view.pause else view.coming[:1]
    )
    found += [view.jackpot.text] if view.jackpot else []
    found += [view.pause.text, view.pause.follows] if view.pause else []
    found += [
        WORDS[key].format(count=count)
        for key, count in (("near", view.near), ("near-two", view.near_two))
        if count is not None
    ]
    return found + ([view.prize.text] if view.prize else [])


def for_a_ham() -> BoardView:
    """A long name of a stage, and a thing, before the first call."""
    corners = canned.stage(
        "corners", prize=PrizeView(minor=0, text="a ham from the farm", thing="a ham from the farm")
    )
    return canned.playing(
        (), stage=corners, open=(corners,), prize=corners.prize, jackpot=canned.at_once().jackpot
    )


VIEWS = (
    canned.between,
    canned.playing,
    for_a_ham,
    canned.won,
    canned.at_once,
    canned.paused,
    canned.troubled,
    canned.halted,
)
OUTSIDE = """() => [...document.querySelectorAll(".board :is(h1, p, dd, li, output)")]
    .filter((one) => one.checkVisibility() && !one.closest(".unseen"))
    .map((one) => [one.className || one.tagName, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1))
    .map(([name]) => name)"""


def test_every_view_shows_all_it_says_and_fits(visit: Visit, hall: Hall) -> None:
    """Hall, game, stage, prize, signs, winners, notice, the paper procedure: on a television and on
    a phone, nothing cut off."""
    page = board(visit, hall)
    for seq, make in enumerate(VIEWS, start=1000):
        view = make().model_copy(update={"seq": seq})
        hall.show(view)
        expect(page.locator(f'[data-seq="{seq}"]')).to_be_visible()
        for width, height in ((1440, 900), (390, 844), (1024, 768)):
            resize(page, width, height)
            told = page.locator(".board").inner_text()
            assert [text for text in [*texts_of(view), WORDS["test"]] if text not in told] == []
            assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("code", languages())
def test_what_is_waited_for_fits_in_every_language(browser: Browser, hall: Hall, code: str) -> None:
    """Between games, before the first call, after the night: the large words stay in their plate.
    A long name of a hall ends in dots."""
    app = make_app(hall.core.path, None, voice=VOICES / "en", wording=load_wording(code))
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    views = (canned.between(), canned.playing(()), canned.playing((), phase=Phase.CLOSED))
    with served(hall.loop, app) as url:
        page.goto(f"{url}/board")
        for seq, view in enumerate(views, start=7000):
            hall.show(view.model_copy(update={"seq": seq}))
            expect(page.locator(f'[data-seq="{seq}"]')).to_be_visible()
            wrong = [one for found in cut(page).values() for one in found]
            assert [one for one in wrong if not one.startswith("hall: ")] == [], (code, view.phase)
        context.close()


PHONE = (390, 844)
SHAPES = ((1280, 720), (1280, 800), (1366, 768), (1920, 1080), (1024, 768), PHONE)
# Lines that leave the plate in which they stand, or are wider than their place; and plates of which
# one lies over another.
CUT = """() => {
  const seen = (selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width);
  const name = (one) => `${one.className || one.tagName}: ${one.textContent.slice(0, 40)}`;
  const ink = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const leaves = (box, around) => box.left < around.left - 1 || box.right > around.right + 1
    || box.top < around.top - 1 || box.bottom > around.bottom + 1;
  const apart = (a, b) => a.right - 1 <= b.left || a.bottom - 1 <= b.top;
  const cells = '.facts > div, .wins, .open';
  const inner = cells + ', .pause, .procedure, .claim, .code, .head, .now, .foot';
  const lines = seen('.board :is(h1, h2, h3, p, dt, dd, li)')
    .filter((one) => one.textContent && !one.closest('.unseen, .stale, .last, .ten, .ninety'));
  const out = lines.filter((one) => ink(one).width > one.getBoundingClientRect().width + 0.1
    || leaves(ink(one), one.closest(inner).getBoundingClientRect()));
  const plates = seen('.head, .now, .side > *, .ten, .procedure, .code, .foot, ' + cells);
  const boxes = plates.map((one) => [one, one.getBoundingClientRect()]);
  const over = boxes.flatMap(([one, a], index) => boxes.slice(index + 1)
    .filter(([, b]) => !apart(a, b) && !apart(b, a))
    .map(([other]) => `${name(one)} / ${name(other)}`));
  return [...out.map(name), ...over];
}"""


def shown(visit: Visit, hall: Hall, view: BoardView) -> Page:
    """The board, once it has drawn this view."""
    seq = hall.core.view.seq + 1
    page = visit.page if visit.page.url.startswith(hall.url) else board(visit, hall)
    hall.show(view.model_copy(update={"seq": seq}))
    expect(page.locator(f'[data-seq="{seq}"]')).to_be_visible()
    return page


def resize(page: Page, width: int, height: int) -> None:
    """The window is so large, and the letters are set to it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(NEXT_FRAME)
    page.evaluate(NEXT_FRAME)  # what follows the frame's size is set in the first


def cut(page: Page) -> dict[tuple[int, int], list[str]]:
    """What is cut, or lies over something, by the size of the window."""
    found = {}
    for width, height in SHAPES:
        resize(page, width, height)
        found[width, height] = page.evaluate(CUT)
    return {size: wrong for size, wrong in found.items() if wrong}


def at_tea(text: str, **more: Any) -> BoardView:
    """A pause as programmes have it, and the code for telephones beside it."""
    pause = canned.paused().pause
    assert pause is not None
    later = ("Game three", "The hamper", "The jackpot game")
    told = pause.model_copy(update={"text": text, **more})
    return canned.paused().model_copy(update={"pause": told, "coming": later, "code": "25" * 160})


def test_what_a_pause_says_fits(visit: Visit, hall: Hall) -> None:
    """The text of each programme that ships, and the longest that there may be: nothing of it is
    cut or lies over anything; and the rules of the next game, where nobody can scroll."""
    plans = [plan for path in SHIPPED.glob("*.toml") for plan in load_programme(path).games]
    texts = [plan.pause.text for plan in plans if plan.pause is not None]
    assert len(texts) >= 2
    longest = ("The raffle is drawn at the bar, after the tea. " * 5)[:200]
    for text in (*texts, longest):
        page = shown(visit, hall, at_tea(text))
        expect(page.get_by_test_id("pause")).to_contain_text(text)
        assert cut(page) == {}, text
    rules = load_wording("de").rules_of("loto-first")
    page = shown(visit, hall, at_tea("Tea", title="Loto, First Method", rules=rules))
    assert cut(page).keys() <= {PHONE}


def halted(language: str, **changes: Any) -> BoardView:
    """The disk is full: what the station says of it, in the language's words."""
    text = "journal.jsonl cannot be written: No space left on device. The game is halted."
    sign = SignView(device="journal", colour="red", text=text)
    procedure = load_wording(language).procedure
    told = {"signs": (sign,), "notice": "", "luck": "This game's bag: HF5E 2PIJ MMVT I7FB 4WBZ"}
    return canned.halted().model_copy(update={**told, "procedure": procedure, **changes})


def test_a_halted_hall_can_go_on_with_paper(visit: Visit, hall: Hall) -> None:
    """In every language: all numbers to check claims against, all six steps, and nothing is cut;
    with several prizes at once, too."""
    several = {"open": canned.at_once().open, "jackpot": canned.at_once().jackpot}
    views = [halted(code) for code in languages()] + [halted("ru", **several)]
    for view in views:
        page = shown(visit, hall, view)
        expect(page.locator(".procedure li")).to_have_text(list(view.procedure))
        expect(page.locator(".notice")).to_be_hidden()
        expect(page.get_by_test_id("ninety").locator("li:visible")).to_have_count(90)
        expect(page.get_by_test_id("ninety").locator("li.lit:visible")).to_have_count(18)
        assert cut(page) == {}, view.procedure[0]
        for one in page.get_by_test_id("ninety").locator("li").all()[::30]:  # on the phone
            assert one.evaluate("one => one.scrollHeight <= one.clientHeight + 1")


def several_won(*, wins: int = 2, near: int | None = None) -> BoardView:
    """The lines are won, for the house it is played."""
    prize = PrizeView(minor=600, text="£6.00")
    told = (
        canned.win("One line", "0015", "Fabio", prize, "paid", key="row"),
        canned.win("Two lines", "0015", "Fabio", prize, "to be paid", key="two-rows"),
    )
    house = canned.stage("full", index=3, prize=PrizeView(minor=1200, text="£1,200.00"))
    changes = {"wins": told * (wins // 2), "stage": house, "open": (house,), "prize": house.prize}
    return canned.playing(near=near, **changes)


def test_what_was_won_stands_there_whole(visit: Visit, hall: Hall) -> None:
    """Two winners with prize and state, several prizes at once, too: nothing is cut. Of more wins
    the newest, and how many there are besides."""
    for view in (several_won(), several_won(near=3), canned.at_once(), for_a_ham()):
        page = shown(visit, hall, view)
        assert cut(page) == {}
        told = page.locator(".wins li:not(.near)")
        expect(told).to_have_count(len(view.wins))
        for line, win in zip(told.all(), view.wins[::-1], strict=True):
            expect(line).to_contain_text(f"{win.prize.text} · {win.status}")
    page = shown(visit, hall, several_won(wins=12))
    assert cut(page) == {}
    resize(page, 1280, 720)
    *told, more = page.locator(".wins li").all_inner_texts()
    assert told[0] == "Two lines 0015 Fabio · £6.00 · to be paid"
    assert more == f"+{12 - len(told)}"


@pytest.mark.parametrize("size", [*SHAPES, (1440, 900)])
def test_nothing_is_cut_when_the_first_winners_appear(
    visit: Visit, hall: Hall, size: tuple[int, int]
) -> None:
    """The prizes and facts fit beside the winners at once, after a reload, and after the winners
    are gone: no window is resized."""
    page = visit.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for make in (canned.at_once, several_won, lambda: several_won(wins=12)):
        for view in (canned.playing(), make()):
            shown(visit, hall, view)
            page.evaluate(NEXT_FRAME)
            assert page.evaluate(CUT) == []
        page.reload()
        expect(page.locator(f'[data-seq="{hall.core.view.seq}"]')).to_be_visible()
        page.evaluate(NEXT_FRAME)
        assert page.evaluate(CUT) == []


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (412, 732)])
def test_a_short_phone_shows_all_numbers_under_a_list_of_prizes(
    visit: Visit, hall: Hall, size: tuple[int, int]
) -> None:
    """Each row of the ninety is as high as its digits, and no line of the prizes is cut."""
    page = board(visit, hall)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    hall.show(canned.at_once(seq=901))
    expect(page.locator('[data-seq="901"]')).to_be_visible()
    until(page, "document.querySelector('[data-several=true]') !== null")
    fits = """one => [one.getBoundingClientRect().height, one.scrollHeight,
        parseFloat(getComputedStyle(one).fontSize)]"""
    for one in page.get_by_test_id("ninety").locator("li").all()[::13]:
        height, _, digits = one.evaluate(fits)
        assert height >= digits
    for one in (page.locator("ul.open"), page.locator(".wins")):
        height, needs, _ = one.evaluate(fits)
        assert needs <= height + 1


def test_stale_is_said_when_the_station_goes_and_taken_back_when_it_returns(
    visit: Visit, hall: Hall
) -> None:
    """The core ends: STALE over all, the old number still there. It starts again: STALE is gone,
    the new number shows."""
    page = board(visit, hall)
    expect(page.get_by_test_id("stale")).to_be_hidden()
    hall.loop.run(hall.core.close())
    expect(page.get_by_test_id("stale")).to_have_text(WORDS["stale"])
    expect(page.get_by_test_id("last")).to_have_text("11")
    hall.core.view = canned.playing((44,))
    hall.loop.run(hall.core.open())
    expect(page.get_by_test_id("last")).to_have_text("44")
    expect(page.get_by_test_id("stale")).to_be_hidden()


def test_a_page_finds_out_by_itself_that_its_line_is_dead(visit: Visit, hall: Hall) -> None:
    """One view, then silence: STALE within 3 s on the page's own clock; silence for longer: it
    dials again."""
    page = visit.page
    dialled: list[WebSocketRoute] = []

    def mute(line: WebSocketRoute) -> None:
        dialled.append(line)
        line.send('{"view":' + canned.playing().model_dump_json() + "}")
        line.send('{"alive":1}')

    page.clock.install(time=0)
    page.clock.pause_at(1)  # it stands, however slow this machine is, until it is told to go on
    page.route_web_socket(re.compile("/ws$"), mute)
    page.goto(hall.url)
    expect(page.get_by_test_id("last")).to_have_text("11")
    expect(page.get_by_test_id("stale")).to_be_hidden()
    page.clock.run_for(2900)
    assert page.get_by_test_id("stale").inner_text() == WORDS["stale"]
    page.clock.run_for(4000)
    expect(page.get_by_test_id("stale")).to_be_hidden()
    assert len(dialled) == 2


def test_the_page_speaks_each_announcement_once_in_order_without_gaps(
    visit: Visit, hall: Hall
) -> None:
    """After the button: every clip of every announcement, in order, each starting where the one
    before ends."""
    page = visit.page
    ear.put_in(page)
    board(visit, hall)
    page.get_by_role("button", name=WORDS["wants-sound"]).click()
    expect(page.get_by_role("button", name=WORDS["sound-off"])).to_have_attribute(
        "aria-pressed", "true"
    )
    announcements = [("number.7",), ("chime", "number.88", "stop"), ("last-number", "number.90")]
    wanted: list[str] = []
    for token, clips in enumerate(announcements, start=100):
        view = canned.playing(
            say=SayView(token=token, clips=clips, text=" ".join(clips)), seq=token
        )
        hall.show(view)
        # The same announcement in another view is not another announcement.
        hall.show(view.model_copy(update={"notice": "again", "seq": token + 50}))
        wanted += clips
        until(page, f"() => window.__ear.starts.length >= {len(wanted)}")
    played = ear.heard(page)
    assert [one.clip for one in played] == wanted
    for token, clips in enumerate(announcements):
        first = sum(len(others) for others in announcements[:token])
        for before, after in itertools.pairwise(played[first : first + len(clips)]):
            assert after.when == pytest.approx(before.when + before.length, abs=1e-6)
    for before, after in itertools.pairwise(played):
        assert after.when >= before.when + before.length - 1e-6


def test_a_page_without_sound_stays_silent_and_one_that_was_stopped_too(
    visit: Visit, hall: Hall
) -> None:
    """Nothing is played before the button or after it was pressed again."""
    page = visit.page
    ear.put_in(page)
    board(visit, hall)
    button = page.locator("#sound")

    def say(token: int) -> None:
        hall.show(
            canned.playing(say=SayView(token=token, clips=("number.1",), text="One"), seq=token)
        )
        expect(page.locator(f'[data-seq="{token}"]')).to_be_visible()

    say(201)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    say(202)
    assert ear.heard(page) == []


def test_a_clip_that_is_missing_is_said_on_the_button(visit: Visit, hall: Hall) -> None:
    """A clip that cannot be had does not stop the page: it says so, and speaks the next
    announcement."""
    page = visit.page
    ear.put_in(page)
    page.route("**/clips/number.3.ogg", lambda route: route.fulfill(status=200, body="no sound"))
    board(visit, hall)
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    hall.show(canned.playing(say=SayView(token=301, clips=("number.3",), text="Three")))
    expect(page.locator("#sound")).to_contain_text(WORDS["no-sound"])
    hall.show(canned.playing(say=SayView(token=302, clips=("number.4",), text="Four")))
    until(page, "() => window.__ear.starts.length >= 1")
    assert [one.clip for one in ear.heard(page)] == ["number.4"]
    assert len(visit.complaints) == 1
    visit.complaints.clear()


def test_screen_readers_and_keyboards_are_served(visit: Visit, hall: Hall) -> None:
    """What changes is told, the sound button is the first stop of the Tab key and works by
    Enter."""
    page = board(visit, hall)
    hall.show(canned.playing((*canned.CALLED, 85)))
    expect(page.get_by_role("status").filter(has_text="85")).to_have_text("85")
    page.keyboard.press("Tab")
    expect(page.locator("#sound")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")


def test_the_policy_holds_in_the_browser(browser: Browser, hall: Hall) -> None:
    """A script put into the page and a picture from elsewhere do nothing: the browser refuses
    both."""
    context = browser.new_context()
    page = context.new_page()
    outside: list[str] = []

    def catch(route: Route) -> None:
        outside.append(route.request.url)
        route.abort()

    page.route(lambda url: not url.startswith(hall.url), catch)
    page.goto(hall.url)
    page.evaluate("""() => {
            const script = document.createElement("script");
            script.textContent = "window.intruded = true";
            const picture = document.createElement("img");
            picture.src = "http://192.0.2.1/picture.png";
            document.body.append(script, picture);
        }""")
    assert page.evaluate("() => window.intruded") is None
    assert outside == []
    context.close()
