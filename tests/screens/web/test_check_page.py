"""The page that checks: in a browser before a real core, with the network cut; the same page as a
file; and what is forged is named in words."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Page, expect

from station.base.untrusted import read_json
from station.cards.pack import make_pack
from station.paper.prints.receipts import find_receipt, print_receipt
from station.paper.prints.receipts import read_code as read_receipt
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.programme.programme import GamePlan, Programme
from station.proof.merkle import Edge, leaf_hash
from station.record.chain import canonical
from station.record.heads import Signer, parse_head
from station.record.station_key import key_of
from station.rules.patterns import PATTERNS
from station.screens.web.checking import check_file
from station.screens.web.worded import PAGES
from station.views.money_text import Currency
from station.wire.wording import languages, load_wording
from tests.codes import codes_in
from tests.screens.web.axe import Place, Whole
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.fakes import get
from tests.sealed_halls import Organiser

pytestmark = pytest.mark.browser
PHONE = {"width": 360, "height": 740}
PACK = make_pack(2)
PROGRAMME = Programme(name="t", games=(GamePlan(name="One"), GamePlan(name="Two")))
CALLS = 12


@pytest.fixture(scope="module")
def hall(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """A station in whose first game a card was checked."""
    with contextlib.ExitStack() as stack:
        whole = Place(browser, tmp_path_factory.mktemp("halls"), stack).whole(PROGRAMME, PACK)
        whole.do("sell", serials=list(PACK.serials[:2]), to="Anna")
        whole.do("open")
        for _ in range(CALLS):
            whole.do("draw")
        whole.do("claim", serial=PACK.serials[0])
        yield whole


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(LIMIT_MS)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    assert wrong == []
    context.close()


def proof_of(hall: Whole) -> dict[str, Any]:
    told = get(hall.url + "/check/1.json")
    assert told.status_code == 200, told.text
    return dict(told.json())


def given(page: Page, text: str) -> None:
    """The text of a game is put into the page, and checked."""
    page.locator("#text").fill(text)
    page.locator("#typed button").click()


def verdict(page: Page, text: str) -> None:
    expect(page.get_by_test_id("verdict")).to_contain_text(text)


def test_everybody_may_ask_for_what_names_nobody(hall: Whole) -> None:
    """Sale and buyers stay out; a game that was not opened has no proof."""
    proof = proof_of(hall)
    acts = [json.loads(line)["do"]["act"] for line, _ in proof["lines"]]
    assert acts == ["open", *["draw"] * CALLS, "claim"]
    assert "Anna" not in json.dumps(proof)
    missing = get(hall.url + "/check/2.json")
    assert (missing.status_code, missing.json()["refused"]["reason"]) == (404, "unreadable")


def test_a_phone_checks_without_a_network(hall: Whole, page: Page) -> None:
    """What was fetched once is checked with the network cut, by keyboard alone; it fits."""
    page.goto(hall.url + "/check")
    expect(page.get_by_test_id("from")).to_contain_text("For an independent check")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    page.locator("#game").focus()
    page.keyboard.press("Enter")
    verdict(page, "Night 1, game 1 is in order.")
    expect(page.get_by_test_id("facts")).to_contain_text(f"{CALLS} of {CALLS} numbers")
    expect(page.get_by_test_id("facts")).to_contain_text("Card 0001 was checked after 12 calls")
    proof = proof_of(hall)
    page.context.set_offline(True)
    given(page, json.dumps(proof))
    verdict(page, "Night 1, game 1 is in order.")
    page.locator("#fetch button").click()
    verdict(page, "The station does not answer.")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_refusal_stands_alone(hall: Whole, page: Page) -> None:
    """A game that was not opened is asked for after one that was: nothing of that one is left."""
    page.goto(hall.url + "/check")
    page.locator("#fetch button").click()
    verdict(page, "Night 1, game 1 is in order.")
    expect(page.locator("#keep")).to_be_visible()
    page.locator("#game").fill("9")
    page.locator("#fetch button").click()
    verdict(page, "game 9 was not opened")
    expect(page.get_by_test_id("facts")).to_be_empty()
    expect(page.locator("#card-part")).to_be_hidden()
    expect(page.locator("#keep")).to_be_hidden()


def test_what_is_typed_before_the_page_is_ready_stays(hall: Whole, page: Page) -> None:
    """Its scripts have not come yet: Enter asks nothing of the station, and takes nobody away."""
    page.route("**/*.js", lambda route: route.abort())
    page.goto(hall.url + "/check", wait_until="commit")
    page.locator("#text").fill("a game")
    page.locator("#game").fill("7")
    page.locator("#game").press("Enter")
    assert page.url == hall.url + "/check"
    expect(page.locator("#text")).to_have_value("a game")


@pytest.mark.parametrize("code", languages())
def test_a_stage_is_called_what_the_screens_call_it(code: str) -> None:
    """The page that checks has its words with it, for it may be a file far from any station."""
    words = read_json(PAGES / f"check.{code}.json")
    stages = {name: word for name, word in words.items() if name.startswith("stage-")}
    screen = load_wording(code).screen
    assert stages == {f"stage-{pattern}": screen[pattern] for pattern in PATTERNS}


@pytest.mark.long
def test_the_page_fits_a_phone_in_every_language(hall: Whole, page: Page) -> None:
    """Nothing is wider than a window of 360 pixels."""
    page.goto(hall.url + "/check")
    for code in languages():
        page.get_by_test_id("language").select_option(code)
        expect(page.locator("html")).to_have_attribute("lang", code)
        expect(page.locator("body")).to_have_attribute("data-ready", "yes")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], code


def _altered(proof: dict[str, Any]) -> None:
    """Not as the station writes."""
    line = json.loads(proof["lines"][3][0])
    line["do"]["number"] = line["do"]["number"] % 90 + 1
    proof["lines"][3][0] = json.dumps(line)


def _another_number(proof: dict[str, Any]) -> None:
    """As the station writes it."""
    line = json.loads(proof["lines"][3][0])
    line["do"]["number"] = line["do"]["number"] % 90 + 1
    proof["lines"][3][0] = canonical(line).decode()


def _of_a_key_of_its_own(proof: dict[str, Any]) -> None:
    proof["key"] = "ab" * 32


def _left_out(proof: dict[str, Any]) -> None:
    del proof["lines"][4]


def _turned(proof: dict[str, Any]) -> None:
    proof["lines"][3:5] = proof["lines"][4:2:-1]


def _unsigned(proof: dict[str, Any]) -> None:
    proof["head"] = proof["head"].replace("\n16\n", "\n15\n")


def _another_path(proof: dict[str, Any]) -> None:
    text = proof["lines"][5][1]
    proof["lines"][5][1] = ("0" if text[0] != "0" else "1") + text[1:]


def _torn(proof: dict[str, Any]) -> None:
    del proof["lines"]


@pytest.mark.parametrize(
    ("forge", "words", "line"),
    [
        (_altered, "a line was changed after it was written", 6),
        (_another_number, "a line is not in the record that the station signed", 6),
        (_of_a_key_of_its_own, "the signature under the record is not the station's", 0),
        (_left_out, "a number differs from the one that the station committed to", 8),
        (_turned, "a number differs from the one that the station committed to", 7),
        (_unsigned, "the signature under the record is not the station's", 0),
        (_another_path, "a line is not in the record that the station signed", 8),
        (_torn, "this is not a game record", 0),
    ],
)
def test_what_is_forged_is_named(
    hall: Whole,
    page: Page,
    forge: Callable[[dict[str, Any]], None],
    words: str,
    line: int,
) -> None:
    """In words that a player understands, with the line of the record where it is one."""
    proof = proof_of(hall)
    forge(proof)
    page.goto(hall.url + "/check")
    expect(page.locator("body")).to_have_attribute("data-ready", "yes")
    given(page, json.dumps(proof))
    verdict(page, words)
    where = f"See line {line} of the record."
    told = page.get_by_test_id("verdict").inner_text()
    assert (where in told) is (line > 0), told
    expect(page.get_by_test_id("facts").locator("li")).to_have_count(0)


def rewritten(proof: dict[str, Any], key: Ed25519PrivateKey, fewer: int = 0) -> str:
    """A head of the same size, or of fewer lines, over other lines, signed by who has the key."""
    size = parse_head(proof["head"]).size - fewer
    edge = Edge.over([leaf_hash(b"%d" % at) for at in range(size)])
    return Signer.of(key, proof["night"]).note(edge)


@pytest.fixture
def sealed(browser: Browser, tmp_path: Path) -> Iterator[tuple[Whole, Organiser]]:
    """A station that has called three numbers of a sealed game, and has the keys of five."""
    window = {"begins": "2020-01-01T00:00:00+00:00", "until": "2100-01-01T00:00:00+00:00"}
    organiser = Organiser(tmp_path / "organiser", **window)
    with contextlib.ExitStack() as stack:
        whole = Place(browser, tmp_path, stack).whole(PROGRAMME, PACK)
        whole.do("sell", serials=list(PACK.serials[:2]), to="Anna")
        whole.do("take-sealed", game=organiser.game.model_dump())
        whole.do("open")
        whole.do("take-keys", first=1, keys="".join(organiser.keys[:5]))
        for _ in range(3):
            whole.do("draw")
        yield whole, organiser


def test_a_sealed_game_is_checked_with_its_file(
    sealed: tuple[Whole, Organiser], page: Page
) -> None:
    """Whose game it is is said; a key that was taken ahead of its call is told to nobody."""
    hall, organiser = sealed
    proof = proof_of(hall)
    assert not any(key in json.dumps(proof) for key in organiser.keys)
    page.goto(hall.url + "/check")
    page.locator("#fetch button").click()
    verdict(page, "Night 1, game 1 is in order.")
    key = organiser.game.organiser
    facts = page.get_by_test_id("facts")
    expect(facts).to_contain_text("3 of 3 numbers have a proof")
    expect(facts).to_contain_text(f"for many halls: Christmas. Its organiser's key: {key[:8]} ")
    take, opening, *draws = proof["lines"]
    for lines, words in (
        ([opening, *draws], "a number differs from the one that the station committed to"),
        ([take, *draws], "lines are missing, doubled or in another order"),
        ([opening, take, *draws], "a number differs from the one that the station committed to"),
        (
            [take, opening, *draws[1:]],
            "a number differs from the one that the station committed to",
        ),
    ):
        given(page, json.dumps({**proof, "lines": lines}))
        verdict(page, words)


def test_a_second_record_is_found_by_what_the_phone_has_seen(hall: Whole, page: Page) -> None:
    """The head was kept: another of the same length is another record, though the same key has
    signed it. So is another of the length before a line of the game, which has its signature."""
    page.goto(hall.url + "/check")
    key = key_of(hall.state)
    proof = proof_of(hall)
    for fewer, line in ((0, 16), (4, 12)):
        kept = [rewritten(proof, key, fewer)]
        page.evaluate("heads => localStorage.setItem('heads', JSON.stringify(heads))", kept)
        given(page, json.dumps(proof))
        verdict(page, "this phone has seen a different record signed by the same station")
        verdict(page, f"See line {line} of the record.")
    page.evaluate("localStorage.removeItem('heads')")
    given(page, json.dumps(proof))
    verdict(page, "is in order")
    expect(page.get_by_test_id("heads")).to_contain_text("Night 1, 16 lines:")


def test_the_board_keeps_what_it_was_shown(hall: Whole, page: Page) -> None:
    """A phone that only watched compares with it, too."""
    page.goto(hall.url + "/board")
    expect(page.locator(".board[data-seq]")).to_be_visible()
    assert page.evaluate("JSON.parse(localStorage.getItem('heads'))") == [proof_of(hall)["head"]]
    page.goto(hall.url + "/check")
    expect(page.get_by_test_id("heads")).to_contain_text("Night 1, 16 lines:")


def test_a_card_is_looked_for_in_the_pack(hall: Whole, page: Page) -> None:
    """In the pack of the game alone, which the record has named."""
    page.goto(hall.url + "/check")
    given(page, json.dumps(proof_of(hall)))
    said = page.get_by_test_id("card-said")
    for text, serial, wanted in (
        (PACK.to_csv(), "0002", "Card 0002 is in the pack of this game."),
        (PACK.to_csv(), "9999", "The pack has no card with this number."),
        (PACK.to_csv() + "\n", "0002", "The game was not played with this pack."),
    ):
        file = {"name": "pack.csv", "mimeType": "text/csv", "buffer": text.encode()}
        page.locator("#pack").set_input_files(file)
        page.locator("#serial").fill(serial)
        page.locator("#one-card button").click()
        expect(said).to_contain_text(wanted)
        numbers = " ".join(map(str, PACK.card("0002").rows[1]))
        if serial == "0002" and "is in" in wanted:
            expect(said).to_contain_text(f"Row 2: {numbers}: ")


def test_the_file_needs_nothing_else(hall: Whole, page: Page, tmp_path: Path) -> None:
    """It opens from a disk with the network cut, asks for nothing, and checks the same; its policy
    forbids what is not in it."""
    kept = get(hall.url + "/check.html")
    assert kept.content == check_file()
    (tmp_path / "check.html").write_bytes(kept.content)
    (tmp_path / "game.json").write_text(json.dumps(proof_of(hall)), encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    page.goto((tmp_path / "check.html").as_uri())
    expect(page.get_by_test_id("from")).to_contain_text("as you trust its source")
    page.locator("#file").set_input_files(tmp_path / "game.json")
    verdict(page, "Night 1, game 1 is in order.")
    for code in languages():
        page.get_by_test_id("language").select_option(code)
        expect(page.locator("html")).to_have_attribute("lang", code)
    assert asked == [(tmp_path / "check.html").as_uri()]
    page.evaluate(
        "const one = document.createElement('script');"
        " one.textContent = 'window.broken = 1'; document.body.append(one);"
    )
    assert page.evaluate("window.broken") is None


@pytest.fixture(scope="module")
def won(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """A station in whose first game a card has won its first prize."""
    with contextlib.ExitStack() as stack:
        whole = Place(browser, tmp_path_factory.mktemp("won"), stack).whole(PROGRAMME, PACK)
        whole.do("sell", serials=list(PACK.serials[:2]), to="Anna")
        whole.do("open")
        for number in PACK.card(PACK.serials[0]).rows[0]:
            whole.do("draw", number=number)
        whole.do("claim", serial=PACK.serials[0])
        whole.do("play-on")
        yield whole


def receipt_code(hall: Whole) -> str:
    """What is read off the receipt that the station prints."""
    wording = load_wording()
    source = read_source(hall.state, None, lambda done, total: None)
    receipt = find_receipt(make_report(source, wording), PACK.serials[0])
    pdf = print_receipt(receipt, Currency("£", 2), "Hall", hall.url)
    with pypdfium2.PdfDocument(pdf) as document:
        (code,) = codes_in(document[0].render(scale=4).to_pil().convert("RGB"))
    return code


@pytest.mark.long
def test_a_receipt_is_looked_for_in_the_record(won: Whole, page: Page) -> None:
    """Its code opens the page, which gets the game and says whether the prize is there; altered,
    what is wrong with it is said."""
    code = receipt_code(won)
    assert code.startswith(won.url + "/check#")
    assert read_receipt(code).serial == PACK.serials[0]
    said = page.get_by_test_id("receipt-said")
    page.goto(code)
    expect(said).to_have_text(
        "The receipt matches the record: in game 1, card 0001 won after 5 calls."
    )
    won_what = "Card 0001 was checked after 5 calls: it won (One line; line 9)."
    expect(page.get_by_test_id("facts")).to_contain_text(won_what)
    verdict(page, "Night 1, game 1 is in order.")
    first = PACK.card(PACK.serials[0]).rows[0][0]
    for old, new, words in (
        ("S0001", "S0002", "has no such win for card 0002 after 5 calls"),
        ("C5", "C4", "has no such win for card 0001 after 4 calls"),
        (f"B{first:02}", f"B{first % 90 + 1:02}", "its called numbers differ from the record"),
        ("+G1+", "+G2+", "That game is not loaded"),
        ("N1+", "N2+", "The receipt is for night 2, game 1. That game is not loaded"),
        ("S0001", "STICKET-1-1", "but the called numbers match"),
    ):
        assert old in code
        page.goto("about:blank")
        page.goto(code.replace(old, new))
        expect(said).to_contain_text(words)
    page.goto("about:blank")
    page.goto(code[:-1])
    verdict(page, "this is not a code from the station, or part of it is missing")
    expect(said).to_be_empty()
