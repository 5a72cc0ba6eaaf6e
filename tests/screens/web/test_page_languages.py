"""The languages of the pages: every file says all that the English one says, and a page speaks the
language of whoever sits before it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from station.screens.web.app import make_app, page_languages
from station.screens.web.worded import EVERY, NO_SCRIPT, PAGES, worded
from station.wire.wording import VOICES, languages, load_wording
from tests.looking import until
from tests.screens.web import canned
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.fakes import Distant, Loop, get, served

TRANSLATED = {page: has for page, has in page_languages().items() if has != ["en"]}
FILES = [(page, code) for page, has in TRANSLATED.items() for code in has if code != "en"]
PEOPLE_WORK_AT = {
    "404",
    "caller",
    "check",
    "desk",
    "health",
    "join",
    "pair",
    "people",
    "seat",
    "start",
    "table",
    "treasurer",
    "learn",
    "play",
    "rules",
}
# What is filled in, and what is typed as it stands.
KEPT = re.compile(r"\{[\w-]+\}|\./loto \w+")
KEY = re.compile(r"\(([A-Z])\)|(?:press|again|then) ([A-Z])\b|\[([A-Z])\|")
# The same word in both languages, by page.
SAME = {
    **{("start", code): {"title"} for code in ("de", "es", "fr", "it", "nl", "pt")},
    ("caller", "de"): {"auto-off", "pause", "pause-text", "waive-who"},
    ("caller", "fr"): {"auto-off", "pause", "stop"},
    ("caller", "nl"): {"stop"},
    ("health", "de"): {"item-scanner"},
    ("health", "fr"): {"item-scanner"},
    ("desk", "fr"): {"tickets-1", "tickets-n"},
    ("people", "de"): {"pins"},
    ("seat", "es"): {"no"},
    ("seat", "fr"): {"points"},
    ("seat", "it"): {"no"},
    ("seat", "nl"): {"contract-1"},
    ("table", "de"): {"name"},
    ("table", "es"): {"no"},
    ("table", "fr"): {"points"},
    ("table", "it"): {"no"},
    ("table", "nl"): {"contract-1"},
}


def words(page: str, code: str) -> dict[str, Any]:
    file = PAGES / f"{page}.{code}.json"
    return dict(json.loads(file.read_text(encoding="utf-8")))


def texts(page: str, code: str) -> dict[str, str]:
    return {key: text for key, text in words(page, code).items() if isinstance(text, str)}


def test_pages_of_people_who_work_have_every_language_of_the_hall() -> None:
    """The bench alone, which shows how the station works, is English."""
    assert page_languages()["bench"] == ["en"]
    assert {tuple(has) for has in TRANSLATED.values()} == {languages()}
    assert TRANSLATED.keys() == {*PEOPLE_WORK_AT, NO_SCRIPT, EVERY}


def test_a_page_without_words_of_its_own_is_no_page_of_people_who_work() -> None:
    """The board has the hall's words; each other page that a browser opens has its files."""
    assert {page.stem for page in PAGES.glob("*.html")} == {
        *("board", "bench"),
        *PEOPLE_WORK_AT,
    }


@pytest.mark.parametrize(("page", "code"), FILES)
def test_a_language_says_all_that_english_says(page: str, code: str) -> None:
    """The same keys in the same order, the same to be filled in, and nothing left empty."""
    there, reference = words(page, code), words(page, "en")
    assert list(there) == list(reference)
    assert page in (NO_SCRIPT, EVERY) or reference["language"]
    for key, text in texts(page, "en").items():
        own = there[key]
        assert isinstance(own, str)
        assert own.strip(), key
        assert sorted(KEPT.findall(own)) == sorted(KEPT.findall(text)), key
        # A text that is put between two others has blanks at its ends.
        assert (own[0].isspace(), own[-1].isspace()) == (text[0].isspace(), text[-1].isspace())


@pytest.mark.parametrize(("page", "code"), FILES)
def test_a_choice_has_as_many_answers_in_every_language(page: str, code: str) -> None:
    """What is chosen from is chosen from everywhere, and each answer is another."""
    there, reference = words(page, code), words(page, "en")
    lists = {key: said for key, said in reference.items() if isinstance(said, list)}
    for key, said in lists.items():
        assert len(set(there[key])) == len(said), key
        assert key == "names" or not {*there[key]} & {*said}, key  # a person may be called Anna


@pytest.mark.parametrize(("page", "code"), FILES)
def test_keys_keep_their_names(page: str, code: str) -> None:
    """A key is the same letter everywhere; the space bar is called what the page calls it."""
    own, space = texts(page, code), words(page, "en").get("space")
    for key, text in texts(page, "en").items():
        for names in KEY.findall(text):
            letter = "".join(names)
            assert re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", own[key]), (key, letter)
        if f"({space})" in text:
            assert f"({own['space']})" in own[key], key


@pytest.mark.parametrize(("page", "code"), FILES)
def test_nothing_stays_english(page: str, code: str) -> None:
    """But for a word that both languages have, and what is nothing but what is filled in."""
    english = texts(page, "en")
    same = {
        key
        for key, text in texts(page, code).items()
        if text == english[key] and re.search(r"\w", KEPT.sub("", text))
    }
    assert same == SAME.get((page, code), set())


UNBOUND = re.compile(r"[^\u202f][?!;](?!\w)|[^\u00a0\w]:|\w:(?=\s|$)")


@pytest.mark.parametrize("page", sorted({page for page, code in FILES if code == "fr"}))
def test_french_signs_stay_with_their_word(page: str) -> None:
    """A narrow space that does not break before ? ! ;, and one as wide as others before a colon."""
    wrong = [text for text in texts(page, "fr").values() if UNBOUND.search(text)]
    assert wrong == []


@pytest.mark.parametrize("code", languages())
def test_a_full_table_of_simulated_players_has_a_name_for_each(code: str) -> None:
    """Twenty-four, and no two that the station would take for one."""
    names = words("table", code)["names"]
    assert len({name.casefold() for name in names}) == len(names) == 24


# -- whose language --------------------------------------------------------------------------------


@contextlib.contextmanager
def station_in(code: str, folder: Path) -> Iterator[str]:
    """The address of a station in a hall of this language, at which a page may only say why it is
    shut."""
    loop = Loop()
    core = Distant(folder / "station.sock", canned.playing())
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / code, wording=load_wording(code), desk=True)
    with served(loop, app) as url:
        yield url
    loop.run(core.close())
    loop.close()


@pytest.fixture(scope="module")
def italian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with station_in("it", tmp_path_factory.mktemp("hall")) as url:
        yield url


@pytest.fixture(scope="module")
def hindi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with station_in("hi", tmp_path_factory.mktemp("hall")) as url:
        yield url


def speaks(page: Page, name: str, code: str) -> None:
    """The page is in this language, from its title on; and says so to whoever reads it aloud."""
    said = words(name, code)
    expect(page.locator("html")).to_have_attribute("lang", code)
    expect(page.locator("h1[data-word]")).to_have_text(said["title"])
    expect(page).to_have_title(said["title"])
    if "not-yours" in said:
        expect(page.locator("#away")).to_have_text(said["not-yours"])
    expect(page.get_by_label(said["language"])).to_have_value(code)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "code"),
    [("de-AT", "de"), ("pt-BR", "pt"), ("hi", "hi"), ("en-GB", "en"), ("ja-JP", "it")],
)
@pytest.mark.parametrize("name", ["desk", "table"])
def test_a_page_speaks_the_browsers_language_or_the_halls(
    browser: Browser, italian: str, name: str, locale: str, code: str
) -> None:
    """The first that the browser asks for and the station has; else that of the hall."""
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(f"{italian}/{name}")
    speaks(page, name, code)
    context.close()


@pytest.mark.browser
@pytest.mark.long
def test_a_person_chooses_and_the_choice_stays(browser: Browser, italian: str) -> None:
    """Each language stands under its own name; what is chosen on one page holds on all, and where
    there is no page."""
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    page.goto(f"{italian}/desk")
    speaks(page, "desk", "de")
    select = page.get_by_test_id("language")
    expect(select.locator("option")).to_have_count(len(languages()))
    names = {load_wording(code).name.lower() for code in languages()}
    assert {name.lower() for name in select.locator("option").all_inner_texts()} == names
    select.select_option("ru")
    speaks(page, "desk", "ru")
    for name in sorted(PEOPLE_WORK_AT - {"start"}):
        page.goto(f"{italian}/{name}")
        speaks(page, name, "ru")
        context.clear_cookies()  # the joining page brings one, and this core knows no device
    context.close()


@pytest.mark.browser
def test_a_browser_that_keeps_nothing_can_choose_all_the_same(
    browser: Browser, italian: str
) -> None:
    """A page that may not keep anything still loads, and the choice lasts while it is open."""
    context = browser.new_context(locale="en-US")
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
    )
    page = context.new_page()
    for name in ("desk", "caller"):
        page.goto(f"{italian}/{name}")
        speaks(page, name, "en")
        page.get_by_test_id("language").select_option("hi")
        speaks(page, name, "hi")
    context.close()


def faces(page: Page, selector: str) -> dict[str, bool]:
    """The faces with which the browser has drawn an element's own letters, and whether it has each
    from the page."""
    line = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        line.send(f"{domain}.enable")
    root = line.send("DOM.getDocument")["root"]["nodeId"]
    node = line.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = line.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"]: font["isCustomFont"] for font in fonts}


@pytest.mark.browser
@pytest.mark.parametrize("name", sorted(PEOPLE_WORK_AT - {"start"} | {"board"}))
def test_hindi_is_drawn_with_the_stations_letters(browser: Browser, hindi: str, name: str) -> None:
    """A device that has no Devanagari fetches it from the station, for the pages and the board;
    what is not Devanagari keeps its face."""
    context = browser.new_context(locale="hi")
    page = context.new_page()
    with page.expect_response("**/devanagari.ttf") as fetched:
        page.goto(f"{hindi}/{name}")
    assert fetched.value.status == 200
    until(page, "document.fonts.status === 'loaded'")
    text = ".board h2" if name == "board" else "h1"
    expect(page.locator(text).first).to_be_visible()
    assert faces(page, text)["Noto Sans Devanagari"]
    context.close()


@pytest.mark.browser
def test_a_board_without_hindi_does_not_fetch_its_letters(browser: Browser, italian: str) -> None:
    """They are larger than all the rest of the page: a telephone in an Italian hall has no use for
    them."""
    page = browser.new_page(locale="it")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{italian}/board", wait_until="networkidle")
    assert f"{italian}/font.ttf" in asked
    assert f"{italian}/devanagari.ttf" not in asked
    page.close()


@pytest.mark.browser
def test_what_a_language_lacks_is_english(browser: Browser, italian: str) -> None:
    """A text that was not translated yet, or a file that cannot be had, is shown in English."""
    context = browser.new_context(locale="nl")
    page = context.new_page()
    page.route("**/pages/desk.nl.json", lambda route: route.fulfill(json={"title": "De kassa"}))
    page.goto(f"{italian}/desk")
    expect(page.locator("h1")).to_have_text("De kassa")
    expect(page.locator("#away")).to_have_text(words("desk", "en")["not-yours"])
    page.route("**/pages/desk.nl.json", lambda route: route.fulfill(status=404, body="gone"))
    page.reload()
    expect(page.locator("h1")).to_have_text(words("desk", "en")["title"])
    context.close()


def test_languages_are_what_files_there_are(tmp_path: Path) -> None:
    """Another file is another language, without a line anywhere."""
    for name in ("desk.en.json", "desk.eo.json", "bench.en.json", "desk.css", "own.json"):
        (tmp_path / name).touch()
    assert page_languages(tmp_path) == {"bench": ["en"], "desk": ["en", "eo"]}


@pytest.mark.parametrize("page", sorted(page.stem for page in PAGES.glob("*.html")))
@pytest.mark.parametrize("code", languages())
def test_who_has_no_javascript_is_told_so_in_his_language(page: str, code: str) -> None:
    """Each page but that which needs none has the sentence in place, with what to type instead."""
    html = worded(page, code)
    told = words(NO_SCRIPT, code)
    part = re.search("<noscript.*</noscript>", html)
    assert (part is None) == (page == "404")
    if part is not None:
        assert part[0].startswith(f'<noscript lang="{code}">')
        assert told["needs"] in unescape(part[0])
        assert (told["without"] in unescape(part[0])) == ("./loto" in part[0])
    if page in PEOPLE_WORK_AT:
        assert f'<html lang="{code}"' in html
        assert f">{escape(words(page, code)['title'])}</title>" in html


@pytest.mark.parametrize(
    ("asks", "code"),
    [({"accept-language": "ru,de"}, "ru"), ({"accept-language": "xx"}, "it"), ({}, "it")],
)
def test_a_page_comes_in_the_language_of_the_browser_or_the_hall(
    italian: str, asks: dict[str, str], code: str
) -> None:
    """It is there before any script has run: who is not let in reads it on /pair."""
    answer = get(f"{italian}/pair", headers=asks)
    assert f'<html lang="{code}"' in answer.text
    assert words(NO_SCRIPT, code)["needs"] in answer.text


@pytest.mark.browser
def test_without_javascript_the_board_says_so_in_the_browsers_language(
    browser: Browser, italian: str
) -> None:
    """The board has the hall's words, and this sentence the reader's."""
    context = browser.new_context(locale="de", java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{italian}/board")
    told = page.locator("noscript p")
    expect(told).to_have_text(words(NO_SCRIPT, "de")["needs"])
    expect(told).to_be_visible()
    context.close()
