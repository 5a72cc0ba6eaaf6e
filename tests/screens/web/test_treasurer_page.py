"""The treasurer's page: what it may send, and what is fetched from it; and in a browser before a
real core an evening's money counted, approved, banked and reported, by whoever is paired."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from station.base.nouns import Card
from station.cards.pack import Pack, make_pack
from station.commands.papers import make_apart
from station.core.papers import MakePaper
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from station.screens.web.app import make_app
from station.wire.wire import ClientLink, Message
from station.wire.wording import VOICES, load_wording
from tests.paper_reader import read
from tests.screens.web import canned
from tests.screens.web.conftest import fits_in_every_language, said
from tests.screens.web.fakes import Distant, FakeCore, Loop, get, post, served
from tests.screens.web.paired import Night, Visit, made_here, station_with

ID = "0123456789abcdef"
PDF = b"%PDF-1.4 " + bytes(range(256)) * 3000
PHONE = {"width": 390, "height": 844}


# -- requests --------------------------------------------------------------------------------------


class Printing(FakeCore):
    """A core that has a paper, in pieces; or refuses it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, canned.playing())
        self.paper: bytes | None = PDF
        self.refuses = ""
        self.piece = 100_000
        self.line = 0

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        await super()._handle(link, message)
        if self.refuses:
            return {"id": message["id"], "refused": {"reason": "x", "say": self.refuses}}
        asked = message.get("ask", {})
        if asked.get("about") != "paper":
            return {"id": message["id"], "ok": True}
        told: Message = {"line": self.line or asked["line"], "name": "night-3.pdf"}
        if self.paper is None:
            return {"id": message["id"], "answer": {**told, "step": "print", "done": 1, "of": 2}}
        at = asked["at"]
        after = at + self.piece
        data = base64.b64encode(self.paper[at:after]).decode()
        more = after if after < len(self.paper) else None
        size = len(self.paper)
        return {"id": message["id"], "answer": {**told, "size": size, "data": data, "next": more}}


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="module")
def module_standing(
    loop: Loop, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Printing]]:
    core = Printing(tmp_path_factory.mktemp("treasurer") / "station.sock")
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    with served(loop, app) as url:
        yield url, core
    loop.run(core.close())


@pytest.fixture
def standing(module_standing: tuple[str, Printing]) -> tuple[str, Printing]:
    _, core = module_standing
    core.asked.clear()
    core.paper, core.refuses, core.line = PDF, "", 0
    return module_standing


def send(url: str, path: str, body: Any, **headers: str) -> httpx.Response:
    return post(url + path, json=body, headers={"origin": url, "x-loto-treasurer": "1", **headers})


def test_a_treasurers_acts_and_questions_reach_the_core(standing: tuple[str, Printing]) -> None:
    """Word for word, the act with the page's id and the PIN that was typed."""
    url, core = standing
    order = {"id": ID, "do": {"act": "approve", "serial": "0001", "who": "Eve"}, "pin": "402917"}
    assert send(url, "/treasurer/do", order).json()["ok"]
    assert core.asked[-1] == order
    question = {"about": "paper", "paper": "report", "line": 4, "at": 0}
    assert send(url, "/treasurer/ask", question).json()["answer"]["size"] == len(PDF)
    assert core.asked[-1]["ask"] == question


@pytest.mark.parametrize(
    ("path", "body"),
    [
        *(
            ("do", {"id": ID, "do": {"act": act}})
            for act in ("sell", "pay", "recover", "redeem", "break", "draw", "pair", "report", None)
        ),
        ("do", {"do": {"act": "bank"}}),
        ("do", {"id": ID, "do": {"act": "bank"}, "pin": "12345"}),
        ("do", {"id": ID, "do": {"act": "bank"}, "as": "admin"}),
        ("ask", {"about": "people"}),
        ("ask", {"about": "register"}),
        ("ask", {"about": "card", "serial": "0001"}),
    ],
)
def test_nothing_else_is_passed_on(standing: tuple[str, Printing], path: str, body: Any) -> None:
    """Nobody sells, pays, draws or pairs from this page."""
    url, core = standing
    assert send(url, f"/treasurer/{path}", body).status_code == 400
    assert core.asked == []


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"origin": "http://evil.test"}, "not-this-station"),
        ({"x-loto-treasurer": "", "host": "evil.test"}, "not-this-station"),
    ],
)
def test_only_the_page_itself_is_heard(
    standing: tuple[str, Printing], headers: dict[str, str], reason: str
) -> None:
    """A foreign page, a foreign name, the desk's header: refused, and nothing reaches the core."""
    url, core = standing
    answer = send(url, "/treasurer/ask", {"about": "money"}, **headers)
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, reason)
    other = post(
        f"{url}/treasurer/do",
        json={"id": ID, "do": {"act": "bank"}},
        headers={"origin": url, "x-loto-desk": "1"},
    )
    assert other.json()["refused"]["reason"] == "not-the-treasurer"
    assert core.asked == []


@pytest.mark.parametrize(
    "path",
    [
        "/treasurer/report.pdf?line=7",
        "/treasurer/report.pdf?line=7&night=3",
        "/treasurer/receipt.pdf?line=7&serial=0001",
        "/desk/receipt.pdf?line=7&serial=0001&game=2",
    ],
)
def test_a_paper_is_put_together(standing: tuple[str, Printing], path: str) -> None:
    """From all its pieces, under its name, to be shown and not guessed at; the core is asked for
    what the address says, and for nothing else."""
    url, core = standing
    answer = get(url + path)
    assert (answer.status_code, answer.content) == (200, PDF)
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == 'inline; filename="night-3.pdf"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    asked = [message["ask"] for message in core.asked]
    assert [one.pop("at") for one in asked] == list(range(0, len(PDF), core.piece))
    wanted = {"about": "paper", "line": 7, "paper": path.split("/")[2].split(".", maxsplit=1)[0]}
    wanted |= {"night": 3} if "night" in path else {}
    wanted |= {"serial": "0001"} if "serial" in path else {}
    wanted |= {"game": 2} if "game" in path else {}
    assert all(one == wanted for one in asked)


def test_a_paper_that_is_not_there_is_no_pdf(standing: tuple[str, Printing]) -> None:
    """Not made yet, refused by the core, asked for in no form that there is: each in words."""
    url, core = standing
    core.paper = None
    answer = get(f"{url}/treasurer/report.pdf?line=7")
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (404, "not-ready")
    core.paper, core.line = PDF, 8  # another one than the page was told of
    assert get(f"{url}/treasurer/report.pdf?line=7").status_code == 404
    core.refuses = "report: you are here as caller"
    answer = get(f"{url}/treasurer/report.pdf?line=7")
    assert (answer.status_code, answer.json()["refused"]["say"]) == (403, core.refuses)
    core.asked.clear()
    for query in ("", "?line=0", "?line=x", "?line=7&night=0"):
        assert get(f"{url}/treasurer/report.pdf{query}").status_code == 400
    assert get(f"{url}/desk/report.pdf?line=7").status_code == 404
    assert get(f"{url}/desk/receipt.pdf?line=7").status_code == 400
    assert (
        get(f"{url}/treasurer/report.pdf?line=7", headers={"host": "evil.test"}).status_code == 403
    )
    assert core.asked == []


def test_who_is_not_paired_gets_no_paper(loop: Loop, tmp_path: Path) -> None:
    """Nor the page; the core is not asked."""
    core = Printing(tmp_path / "station.sock")
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording())
    with served(loop, app) as url:
        assert get(f"{url}/treasurer").headers["location"] == "/pair"
        for path in ("/treasurer/report.pdf?line=7", "/desk/receipt.pdf?line=7&serial=1"):
            answer = get(url + path)
            assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, "not-paired")
        assert core.asked == []
    loop.run(core.close())


# -- in a browser ----------------------------------------------------------------------------------

FIG1 = Card.parse("0001: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
PACK = Pack([FIG1, *make_pack(2).cards()[1:]])
PROGRAMME = Programme(
    name="t",
    games=(
        GamePlan(
            name="one",
            price=1000,
            stages=(StagePlan(pattern="row", share=40), StagePlan(pattern="full")),
        ),
        GamePlan(name="two", price=50),
    ),
    shares=Shares(house=10, charity=10),
    approve_above=100,
)


def play(night: Night) -> None:
    """Ben sells five cards, a call is taken back, the row is won and owed: £12.80 more than one
    person may pay."""
    night.do("sell", serials=["0001", "0002", "0003", "0004"], by="Ben", to="Zoe")
    night.do("open")
    night.do("draw", number=90)
    night.do("undo", why="misread")
    for number in FIG1.rows[0]:
        night.do("draw", number=number)
    night.do("claim", serial="0001")
    night.do("play-on")


@pytest.fixture
def make_paper() -> MakePaper:
    return made_here


@pytest.fixture
def night(loop: Loop, browser: Browser, tmp_path: Path, make_paper: MakePaper) -> Iterator[Night]:
    with station_with(loop, browser, tmp_path, PACK, PROGRAMME, make_paper) as night:
        yield night


def pence(text: str) -> int:
    return int(text.replace("£", "").replace(".", ""))


def balanced(page: Page) -> bool:
    """Whether every column of the accounts, read from the page, comes to what its foot says: 0."""
    table = page.get_by_test_id("accounts")
    rows = table.locator("tbody tr:not([data-key=cash])").all()
    cells = [[pence(cell) for cell in row.locator("td").all_inner_texts()] for row in rows]
    foot = [pence(cell) for cell in table.locator("tfoot td").all_inner_texts()]
    return [sum(column) for column in zip(*cells, strict=True)] == foot == [0, 0]


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("make_paper", [make_apart], ids=["apart"])
def test_a_night_is_counted_approved_banked_and_reported(night: Night) -> None:
    """On a telephone, by a paired treasurer: what each has is shown, what is done is proven by the
    device, the accounts come to nothing after each step, and the report is a PDF that says so."""
    play(night)
    with Visit(night, "treasurer", "/treasurer", PHONE) as visit:
        page = visit.page
        visit.shows("takings", "Ben")
        visit.shows("counted", "Counted: £0.00. Still to hand in: £40.00.")
        assert balanced(page)
        # Counted: what is missing stays, and no money moves.
        page.get_by_label("Handed in (Ben)").fill("39.50")
        page.get_by_label("Handed in (Ben)").press("Enter")
        visit.says("Ben: £39.50 counted, £40.00 expected.")
        visit.shows("takings", "-£0.50")
        # What was sold without a seller's name is somebody's to hand in as well.
        night.do("sell", serials=["0005"])
        visit.shows("takings", "no name")
        page.get_by_label("Handed in (no name)").fill("0.50")
        page.get_by_label("Handed in (no name)").press("Enter")
        visit.says("no name: £0.50 counted, £0.50 expected.")
        # What one person may not pay: the treasurer agrees, on a device of his own.
        visit.shows("owed", "£12.80")
        visit.shows("owed-all", "Total: £12.80")
        visit.press("Approve £12.80")
        visit.says("Tess approves £12.80 for card 0001.")
        visit.shows("owed", "approved by Tess")
        night.do("pay", serial="0001", who="Ben", amount=1280)
        expect(page.get_by_test_id("owed")).to_have_text("Nobody is owed anything.")
        # A call that was paid for: two agree that it is taken back.
        visit.shows("undo", "A prize on the last call has been paid (card 0001).")
        visit.press("Agree to undo the call")
        visit.says("You agree to undo the call.")
        visit.shows("undo", "approved by Tess")
        # Charity's money leaves the hall; more than it has does not.
        page.get_by_test_id("bank-way").select_option("charity")
        page.get_by_test_id("bank-sum").fill("5.00")
        visit.press("Record it")
        expect(said(page)).to_contain_text("charity has £4.00")
        page.get_by_test_id("bank-sum").fill("4.00")
        visit.press("Record it")
        visit.says("£4.00 paid out.")
        assert balanced(page)
        # The record says who, and how each was proven.
        payments = page.get_by_test_id("payments").locator("li")
        expect(payments.first).to_contain_text("Charity: paid out · £4.00 · by Tess")
        expect(payments.last).to_contain_text(
            "Prize · Card 0001 · £12.80 · by Ben · approved by Tess (own device)"
        )
        visit.shows("corrections", "Game 1: 90 undone · misread · undone by")
        visit.shows("sleepers", "Every completed card was claimed.")
        # A receipt, and the report; each is made, and opens.
        payments.last.get_by_role("button", name="Receipt").click()
        receipt = payments.last.get_by_role("link", name="Open receipt-0001.pdf")
        expect(receipt).to_be_visible()
        (made,) = read(visit.fetched(night.url + str(receipt.get_attribute("href"))))
        assert "PAID" in made.text
        visit.press("Make the report")
        visit.says("night-1.pdf is ready. Open it to print or save it.")
        link = page.get_by_role("link", name="Open night-1.pdf")
        text = "".join(
            one.text for one in read(visit.fetched(night.url + str(link.get_attribute("href"))))
        )
        assert "Debits equal credits" in text
        assert "Tess" in text
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.browser
@pytest.mark.long
def test_by_role_and_by_keyboard_alone(night: Night) -> None:
    """An auditor reads all of it and does nothing; a cashier is told whom it is for. What can be
    done is reached by Tab, and said in a live region."""
    play(night)
    with Visit(night, "auditor", "/treasurer", {"width": 1280, "height": 800}) as visit:
        visit.shows("takings", "Ben")
        visit.shows("payments", "Nothing has been paid yet.")
        for button in ("Count", "Approve £12.80", "Record it"):
            expect(visit.page.get_by_role("button", name=button, exact=True)).to_have_count(0)
        expect(visit.page.get_by_role("button", name="Make the report")).to_be_visible()
    with Visit(night, "cashier", "/treasurer", PHONE) as visit:
        expect(visit.page.locator("#away")).to_contain_text(
            "for the treasurer, the auditor and the admin"
        )
        expect(visit.page.locator("#treasurer")).to_be_hidden()
    with Visit(night, "treasurer", "/treasurer", {"width": 1280, "height": 800}) as visit:
        page = visit.page
        visit.shows("owed", "£12.80")
        reached = []
        for _ in range(40):
            page.keyboard.press("Tab")
            name = page.evaluate(
                "document.activeElement.ariaLabel || document.activeElement.textContent.trim()"
            )
            reached.append(name)
            if name == "Approve £12.80":
                page.keyboard.press("Enter")
                break
        assert "Handed in (Ben)" in reached
        expect(page.get_by_role("status").filter(has_text="Tess approves")).to_be_visible()


@pytest.mark.browser
@pytest.mark.long
def test_every_language_fits(night: Night) -> None:
    """With all that the page shows at once, on a phone and on a laptop."""
    play(night)
    with Visit(night, "treasurer", "/treasurer", PHONE) as visit:

        def opens() -> None:
            expect(visit.page.locator(".second button")).to_be_visible()
            expect(visit.page.get_by_test_id("takings")).to_be_visible()
            expect(visit.page.get_by_test_id("corrections").locator("li")).to_contain_text("90")

        fits_in_every_language(visit.page, opens)


@pytest.mark.browser
def test_without_the_right_there_is_only_the_reason(page: Page, loop: Loop, tmp_path: Path) -> None:
    """Where the web's own user only watches, the page says what to type on the station."""
    core = Distant(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    with served(loop, app) as url:
        page.goto(f"{url}/treasurer")
        expect(page.locator("#away")).to_contain_text("At the station, use ./loto money")
        expect(page.locator("#treasurer")).to_be_hidden()
        page.goto("about:blank")
    loop.run(core.close())
