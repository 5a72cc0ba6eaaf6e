"""What the caller sees beside the number: all ninety, who is near, what taking back does, the card
at a stop in the small form, no keys on what is touched; and what all pages share: "Connecting…",
the whole screen, a screen that stays on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from station.screens.web.app import make_app
from station.screens.web.worded import EVERY, PAGES
from station.wire.board_view import BoardView, Verdict
from station.wire.wording import VOICES, languages, load_wording
from tests.looking import until
from tests.screens.web import canned
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import said
from tests.screens.web.fakes import Loop, served
from tests.screens.web.hands import twice
from tests.screens.web.test_caller_page import STATES, CallerCore, Scripted, Standing

WORDS = Path(__file__).parents[3] / "station" / "base" / "words"
HINT = re.compile(r"\[[^\]]*\]")
LABEL = re.compile(r"\{([\w-]+)\}")
# The names of keys in any of the nine languages; a letter by itself, but for words of one letter.
KEY_NAMES = (
    r"(?<!^)(?<![.?!:] )Enter|Intro|Entrée|Invio|Escape|Échap|\bEsc\b|\([A-Z]\)"
    r"|(?<=[a-zà-ÿа-я] )[B-HJ-NP-Z](?![\w'’])"
)


def words(page: str, code: str) -> dict[str, Any]:
    return dict(json.loads((PAGES / f"{page}.{code}.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    loop = Loop()
    core = Scripted(tmp_path_factory.mktemp("view") / "station.sock", canned.playing())
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    with served(loop, app) as url:
        yield Standing(url, loop, core)
    loop.run(core.close())
    loop.close()


@pytest.fixture
def standing(hall: Standing) -> Standing:
    """The web before a core that was asked for nothing yet."""
    hall.core.script = CallerCore()
    hall.core.asked.clear()
    hall.show(canned.playing(press="draw"))
    return hall


def opened(context: BrowserContext, standing: Standing, path: str = "/caller") -> Page:
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.goto(standing.url + path)
    return page


@pytest.fixture
def caller(browser: Browser, standing: Standing) -> Iterator[Page]:
    """The caller's page on a laptop."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page = opened(context, standing)
    expect(page.locator("#caller")).to_be_visible()
    yield page
    context.close()


@pytest.fixture
def phone(browser: Browser, standing: Standing) -> Iterator[Page]:
    """The same on what is touched."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = opened(context, standing)
    expect(page.locator("#caller")).to_be_visible()
    yield page
    context.close()


def shown(page: Page, standing: Standing, view: BoardView) -> None:
    seq = standing.core.view.seq + 1
    standing.show(view.model_copy(update={"seq": seq}))
    expect(page.locator("body")).to_have_attribute("data-seq", str(seq))


# -- all ninety ------------------------------------------------------------------------------------

CALLS = [
    (),
    (1,),
    (90,),
    (90, 1),
    tuple(range(1, 91)),
    tuple(range(90, 0, -1)),
    (45, 46, 10, 11, 20),
    canned.CALLED,
    canned.CALLED[:-1],
    (*canned.CALLED, 85),
]


@pytest.mark.browser
def test_all_ninety_are_marked_and_the_newest_is_set_off(caller: Page, standing: Standing) -> None:
    """Whatever was called, and after a number was taken back; in words for who does not see it."""
    cells = caller.get_by_test_id("ninety").locator("li")
    expect(cells).to_have_count(90)
    for called in CALLS:
        shown(caller, standing, canned.playing(called))
        newest = [str(number) for number in called[-1:]]
        expect(caller.locator("#ninety .newest")).to_have_text(newest)
        expect(caller.locator("#ninety .called")).to_have_text([str(one) for one in sorted(called)])
        expect(caller.get_by_test_id("ninety-count")).to_have_text(
            f"Called numbers: {len(called)} of 90"
        )
        read = caller.get_by_test_id("ninety-read").inner_text()
        assert [int(text) for text in re.findall(r"\d+", read)] == [*sorted(called), *called[-1:]]
    # A new game begins with none.
    shown(caller, standing, STATES["between"])
    expect(caller.locator("#ninety .called")).to_have_count(0)
    size = caller.locator("#ninety li").first.evaluate("one => getComputedStyle(one).fontSize")
    assert float(size.removesuffix("px")) >= 16


@pytest.mark.browser
def test_the_ninety_are_folded_on_a_phone_and_stay_as_somebody_left_them(
    caller: Page, phone: Page
) -> None:
    """Open on a laptop; what is folded or opened is so after a reload."""
    for page, is_open in ((caller, True), (phone, False)):
        cells = page.get_by_test_id("ninety")
        expect(cells).to_be_visible(visible=is_open)
        page.locator("#ninety summary").click()
        expect(cells).to_be_visible(visible=not is_open)
        page.reload()
        expect(page.locator("#caller")).to_be_visible()
        expect(cells).to_be_visible(visible=not is_open)


# -- who is near -----------------------------------------------------------------------------------


def near(serial: str, holder: str | None, many: int, *numbers: int) -> dict[str, Any]:
    return {"serial": serial, "holder": holder, "many": many, "numbers": list(numbers)}


NEAR = [
    (near("0009", "Bob", 0), "0009, Bob: complete, not claimed yet (One line)."),
    (near("0009", None, 0), "0009, no name: complete, not claimed yet (One line)."),
    (near("A17-2", "Zoë", 1, 90), "A17-2, Zoë, wants 90 for One line."),
    (near("0009", "Bob", 2, 1, 90), "0009, Bob, wants 1, 90 for One line."),
    (near("0009", "Bob", 1, 1, 2, 90), "0009, Bob, wants 1 of 1, 2, 90 for One line."),
    (near("0009", "{name}", 0), "0009, {name}: complete, not claimed yet (One line)."),
    (near("0009", "<b>Bob</b>", 0), "0009, <b>Bob</b>: complete, not claimed yet (One line)."),
]


@pytest.mark.browser
def test_who_is_near_is_said_with_what_is_wanted(caller: Page, standing: Standing) -> None:
    """Of a card that is complete, that nobody has claimed with it."""
    script = standing.core.script
    for card, line in NEAR:
        script.near = [{"name": "One line", "cards": [card, near("0001", "Anna", 3, 4, 5, 6)]}]
        caller.keyboard.press("w")
        expect(caller.get_by_test_id("nearest").locator("p").first).to_have_text(line)
        expect(said(caller)).to_have_text(line)
        expect(caller.locator("#nearest .complete")).to_have_count(int(card["many"] == 0))


@pytest.mark.parametrize("code", languages())
def test_a_complete_card_is_told_in_the_words_of_the_command_line(code: str) -> None:
    """In every language, and never as one that wants something."""
    told = "complete, not claimed yet"
    if code != "en":
        told = json.loads((WORDS / f"{code}.json").read_text(encoding="utf-8"))[told]
    text = words("caller", code)["near-complete"]
    assert told in text
    assert "{numbers}" not in text


# -- what taking back does -------------------------------------------------------------------------


@pytest.mark.browser
def test_what_taking_back_does_next_is_said_before_and_after(
    caller: Page, standing: Standing
) -> None:
    """Where the draw is bound to it the number comes again; a ball from a real bag need not."""
    asks = caller.get_by_test_id("choose")
    for repeats, line in (
        (True, "11 will come again as the next number: taking it back does not change the draw."),
        (False, "It then counts as not called, and any number may come next."),
    ):
        shown(caller, standing, canned.playing(press="draw", repeats=repeats))
        caller.keyboard.press("u")
        expect(asks.locator("p")).to_have_text([line])
        caller.keyboard.press("Escape")
    next_line = caller.get_by_test_id("next")
    taken = canned.CALLED[:-1]
    shown(caller, standing, canned.playing(taken, press="draw", again=11))
    expect(next_line).to_have_text(
        "11 was taken back and will come again as the next number. Next: draw it (Space)."
    )
    shown(caller, standing, canned.playing(taken, press="draw"))
    expect(next_line).to_contain_text("Next: draw again")
    # At the table nobody says it of a bag that is not drawn from.
    table = STATES["at a table"].model_copy(update={"press": "draw"})
    shown(caller, standing, table)
    caller.keyboard.press("u")
    expect(asks.locator("p")).to_have_count(0)


# -- the end of the night --------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.parametrize("lost", ["", "£5.00 in prizes is still to be paid (card 0001, Anna: £5)"])
def test_the_end_of_the_night_is_one_question(caller: Page, standing: Standing, lost: str) -> None:
    """It names what would be lost. Who is sure is asked nothing more, and has seen that state."""
    core = standing.core
    core.script.lost = lost
    shown(caller, standing, STATES["all played"])
    for leaves in (True, False):
        twice(caller, "n")
        asks = caller.get_by_test_id("choose")
        expect(asks.locator("h2")).to_have_text("Close the night?")
        line = "Its accounts will be closed. No more games can be played tonight."
        expect(asks.locator("p")).to_have_text([f"{lost}.", line] if lost else [line])
        expect(caller.get_by_test_id("leave")).to_be_focused()
        caller.get_by_test_id("leave" if leaves else "yes").click()
    expect(said(caller)).to_have_text("The night has been closed.")
    wish = {"do": {"act": "close-night"}, "seen": "58", "sure": True, "lang": "en"}
    assert core.done == [wish]


# What is done every so often is done fifty times as often.
OFTEN = """(() => {
  const every = window.setInterval;
  window.setInterval = (job, ms, ...rest) => every(job, ms / 50, ...rest);
  const ask = window.fetch;
  window.underWay = 0;
  window.fetch = async (...asked) => {
    if (window.underWay === null) return new Promise(() => {});
    window.underWay += 1;
    try {
      const answer = await ask(...asked);
      return new Response(await answer.text(), answer);
    } finally {
      window.underWay -= 1;
    }
  };
})()"""
# Nothing that was asked for is still to come; from now on the page asks in vain.
ASKS_NO_MORE = "() => window.underWay === 0 && (window.underWay = null) === null"
LATER = """() => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + 600_000;
}"""
PAUSE = "Pause: Tea in the side room."


@pytest.mark.browser
@pytest.mark.parametrize(
    ("left", "told"),
    [
        (None, "The next game starts in about 10 minutes."),
        (600.0, "Minutes until the next game: 10."),
        (599.0, "Minutes until the next game: 10."),
        (61.0, "Minutes until the next game: 2."),
        (45.0, "Minutes until the next game: 1."),
        (-1.0, "Its time is up."),
        (-900.0, "Its time is up."),
    ],
)
def test_a_pause_counts_down(
    caller: Page, standing: Standing, left: float | None, told: str
) -> None:
    """In minutes, as the station knows them, and before what comes next; after a reload too."""
    standing.core.script.left_s = left
    shown(caller, standing, STATES["a pause"])
    for _ in range(2):
        line = f"{PAUSE} {told} Next: open The second house (Space)."
        expect(caller.get_by_test_id("next")).to_have_text(line)
        caller.reload()


@pytest.mark.browser
def test_a_pause_counts_down_while_nothing_happens(caller: Page, standing: Standing) -> None:
    """The page looks at its own clock: ten minutes later it says so."""
    caller.add_init_script(OFTEN)
    standing.core.script.left_s = 900.0
    caller.reload()
    shown(caller, standing, STATES["a pause"])
    expect(caller.get_by_test_id("next")).to_contain_text("Minutes until the next game: 15.")
    caller.wait_for_function(ASKS_NO_MORE)
    caller.evaluate(LATER)
    expect(caller.get_by_test_id("next")).to_contain_text("Minutes until the next game: 5.")


# -- few controls ----------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.parametrize("size", [(390, 844), (1280, 720), (260, 380)])
def test_at_a_stop_the_small_form_has_the_field_for_the_card(
    caller: Page, standing: Standing, size: tuple[int, int]
) -> None:
    """The sentence asks for a card, so there is a place to key it; nothing else is added."""
    caller.keyboard.press("l")
    caller.set_viewport_size({"width": size[0], "height": size[1]})
    field = caller.get_by_test_id("card")
    expect(field).to_be_hidden()
    shown(caller, standing, STATES["stopped"])
    expect(field).to_be_visible()
    caller.keyboard.press("7")
    expect(field).to_have_value("7")
    expect(field).to_be_focused()
    for name in ("keyed", "ninety", "off"):
        expect(caller.get_by_test_id(name)).to_be_hidden()
    assert caller.evaluate("document.documentElement.scrollWidth") <= size[0]
    shown(caller, standing, STATES["playing"])
    expect(field).to_be_hidden()


# -- keys are named where somebody uses keys -------------------------------------------------------


@pytest.mark.parametrize("code", languages())
def test_names_of_keys_stand_in_brackets(code: str) -> None:
    """Whatever is left when they are taken away names no key; the form for touch names buttons
    that the page has."""
    own = words("caller", code)
    for key, text in own.items():
        if not isinstance(text, str):
            continue
        rest = HINT.sub("", text)
        assert not re.search(KEY_NAMES, rest), (key, rest)
        assert f"({own['space']})" not in rest, key
        for hint in HINT.findall(text):
            _, bar, touch = hint.strip("[]").partition("|")
            assert not re.search(KEY_NAMES, LABEL.sub("", touch)), (key, hint)
            assert {*LABEL.findall(touch)} <= own.keys(), (key, hint)
            assert bar or not touch


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("code", languages())
def test_a_finger_is_told_of_no_key(browser: Browser, standing: Standing, code: str) -> None:
    """In every state and language: neither in the sentence, nor on a button, nor in a refusal."""
    own = words("caller", code)
    context = browser.new_context(has_touch=True, is_mobile=True, locale=code)
    page = opened(context, standing)
    expect(page.locator("#caller")).to_be_visible()
    for name, view in STATES.items():
        shown(page, standing, view)
        text = page.get_by_test_id("next").inner_text()
        assert not re.search(KEY_NAMES, text), (name, text)
        assert f"({own['space']})" not in text, name
        assert "[" not in text
        expect(page.locator("kbd:visible")).to_have_count(0)
    context.close()


@pytest.mark.browser
def test_keys_are_named_by_the_input_that_is_in_use(phone: Page, standing: Standing) -> None:
    """A key that is pressed on a tablet's keyboard brings them, a finger takes them away; a field
    that is typed in, and a scanner's burst, are no keyboard in use."""
    line = phone.get_by_test_id("next")
    shown(phone, standing, STATES["stopped"])
    expect(line).to_have_text("Stopped for a claim. Next: enter the card, or play on.")
    phone.get_by_test_id("card").tap()
    phone.keyboard.press("Shift")
    phone.evaluate("document.activeElement.blur()")
    # A scanner: one key after the other without a pause.
    phone.evaluate(
        """() => {
          for (const key of "0012") {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            document.activeElement.blur();
          }
        }"""
    )
    phone.evaluate("new Promise(done => setTimeout(done, 100))")  # later than a key alone counts
    expect(phone.locator("html")).to_have_attribute("data-input", "touch")
    phone.keyboard.press("Shift")
    expect(line).to_have_text(
        "Stopped for a claim. Next: enter the card and press Enter, or play on (P)."
    )
    expect(phone.get_by_test_id("big").locator("kbd")).to_be_visible()
    phone.get_by_test_id("number").tap()
    expect(line).to_have_text("Stopped for a claim. Next: enter the card, or play on.")
    expect(phone.locator("kbd:visible")).to_have_count(0)


# -- the winning line ------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_line_that_wins_is_set_off_on_the_board(page: Page, standing: Standing) -> None:
    """By more than a colour, among all numbers that were called; nothing where nothing is won."""
    valid = canned.stopped(canned.claim(Verdict.VALID, "Valid for: row"))
    page.goto(f"{standing.url}/board")
    standing.show(valid)
    expect(page.locator(".card .winning")).to_have_text(["5", "11", "33"])
    expect(page.locator(".card .marked:not(.winning)")).not_to_have_count(0)
    sign = "one => getComputedStyle(one, '::before').content"
    assert page.locator(".card .winning").first.evaluate(sign) == '"✓"'
    assert page.locator(".card .marked:not(.winning)").first.evaluate(sign) == "none"
    standing.show(canned.stopped(canned.claim(Verdict.NOT_COMPLETE, "Not called: 50", (50,))))
    expect(page.locator(".card .missing")).to_have_text("50")
    expect(page.locator(".card .winning")).to_have_count(0)
    page.goto("about:blank")


# -- until the station answers ---------------------------------------------------------------------

WAITING = (
    *("caller", "desk", "table", "treasurer", "people", "health"),
    *("pair", "start", "rules", "board"),
)


@pytest.mark.browser
@pytest.mark.parametrize("name", WAITING)
@pytest.mark.parametrize("code", ["en", "de", "hi"])
def test_a_page_says_that_it_is_connecting(
    browser: Browser, standing: Standing, name: str, code: str
) -> None:
    """From its first byte, in the browser's language, while its scripts are not there; when they
    never come it says after a while what to do; the first answer takes it away."""
    every = words(EVERY, code)
    context = browser.new_context(locale=code)
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    held: list[Route] = []
    page.route("**/line.js", lambda route: held.append(route))
    with page.expect_request("**/line.js"):
        page.goto(f"{standing.url}/{name}", wait_until="commit")
    told = page.locator("#connecting")
    expect(told).to_contain_text(every["connecting"])
    expect(told).to_be_visible()
    expect(told).to_have_attribute("lang", code)
    late = told.locator(".late")
    assert late.evaluate("one => getComputedStyle(one).visibility") == "hidden"
    late.evaluate("one => one.getAnimations()[0].finish()")
    expect(late).to_have_text(every["late"])
    expect(late).to_be_visible()
    for route in held:
        route.continue_()
    expect(told).to_have_count(0)
    context.close()


def test_every_page_that_waits_has_the_words(standing: Standing) -> None:
    """Whoever adds a page finds out here: only what is whole without an answer goes without."""
    without = {
        path.stem
        for path in PAGES.glob("*.html")
        if 'data-every="connecting"' not in path.read_text(encoding="utf-8")
    }
    assert without == {"404", "check"}


# -- the whole screen, and a screen that stays on --------------------------------------------------

LOCKS = """() => {
  window.locks = [];
  const request = async () => {
    const lock = new EventTarget();
    lock.release = () => { lock.gone = true; lock.dispatchEvent(new Event("release")); };
    window.locks.push(lock);
    return lock;
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
}"""
NO_LOCKS = "() => { delete Navigator.prototype.wakeLock; }"


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/caller", "/desk", "/seat", "/table"])
def test_a_page_to_work_with_keeps_the_screen_on(
    browser: Browser, standing: Standing, path: str
) -> None:
    """Asked for once, and again when the page is in sight after the browser took it back."""
    context = browser.new_context()
    context.add_init_script(f"({LOCKS})()")
    page = opened(context, standing, path)
    until(page, "() => window.locks.length === 1")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.mouse.click(5, 5)
    assert page.evaluate("window.locks.length") == 1
    page.evaluate("window.locks[0].release()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, "() => window.locks.length === 2")
    expect(page.get_by_test_id("awake")).to_have_count(0)
    context.close()


@pytest.mark.browser
def test_the_board_keeps_the_screen_on_while_it_speaks(
    browser: Browser, standing: Standing
) -> None:
    """Not before, and not after the sound is off."""
    context = browser.new_context()
    context.add_init_script(f"({LOCKS})()")
    page = opened(context, standing, "/board")
    expect(page.locator(".board[data-seq]")).to_be_visible()
    assert page.evaluate("window.locks.length") == 0
    page.locator("#sound").click()
    until(page, "() => window.locks.length === 1")
    page.locator("#sound").click()
    until(page, "() => window.locks[0].gone")
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/caller", "/desk", "/seat", "/table", "/board"])
@pytest.mark.parametrize("code", ["en", "de", "hi"])
def test_a_page_that_cannot_says_once_what_to_set(
    browser: Browser, standing: Standing, path: str, code: str
) -> None:
    """Over plain http, and in an older browser; whoever has seen it on this device is not told
    again."""
    context = browser.new_context(locale=code)
    context.add_init_script(f"({NO_LOCKS})()")
    page = opened(context, standing, path)
    every = words(EVERY, "en" if path == "/board" else code)  # the board speaks the hall's
    note = page.get_by_test_id("awake")
    if path == "/board":
        expect(note).to_have_count(0)
        page.locator("#sound").click()
    expect(note).to_contain_text(every["awake"])
    page.get_by_test_id("awake-seen").click()
    expect(note).to_have_count(0)
    page.reload()
    expect(page.locator("#connecting")).to_have_count(0)
    if path == "/board":
        page.locator("#sound").click()
    expect(note).to_have_count(0)
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/caller", "/desk", "/board"])
def test_a_page_fills_the_screen(browser: Browser, standing: Standing, path: str) -> None:
    """By its button, which leaves it too; where the browser cannot, there is none."""
    context = browser.new_context()
    page = opened(context, standing, path)
    button = page.get_by_test_id("full-screen")
    name = "aria-label" if path != "/caller" else "aria-pressed"
    pressed = {"/caller": ("false", "true")}.get(path, ("Full screen", "Leave full screen"))
    for is_full in (False, True):
        expect(button).to_have_attribute(name, pressed[is_full])
        assert page.evaluate("Boolean(document.fullscreenElement)") is is_full
        button.click()
    expect(button).to_have_attribute(name, pressed[False])
    context.close()
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: false })"
    )
    page = opened(context, standing, path)
    expect(page.locator("#connecting")).to_have_count(0)
    expect(page.get_by_test_id("full-screen").locator("visible=true")).to_have_count(0)
    context.close()
