"""The table's page before a game that nobody has heard of: its things are drawn by their kind, its
moves are made by their slots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from station.screens.web.app import make_app
from station.wire.wire import ClientLink, Message
from station.wire.wording import VOICES, load_wording
from station.wire.zones import ZoneView
from tests.screens.web import canned
from tests.screens.web.conftest import said
from tests.screens.web.fakes import FakeCore, Loop, served

SEEN = "0123456789abcdef"
NAMES = ("Anna", "Bruno", "Carla")


def zone(key: str, *things: dict[str, Any], seat: int = 0, label: str = "") -> dict[str, Any]:
    """A zone as the station tells it; the wire's own type has to take it."""
    said = {"key": key, "seat": seat, "label": label, "things": things}
    return ZoneView.model_validate(said).model_dump(mode="json")


def pile(units: int, text: str, **pieces: int) -> dict[str, Any]:
    return {"kind": "pile", "units": units, "text": text, **pieces}


def move(do: str, label: str, *slots: dict[str, Any], seat: int = 0, **more: Any) -> dict[str, Any]:
    """A move that may be made; `more` says what is otherwise."""
    fields = {"seat": seat} if seat else {}
    plain = {"fields": fields, "sums": [], "may": True, "reason": "", "say": ""}
    return {"seat": seat, "do": do, "label": label, "slots": list(slots), **plain, **more}


def slot(kind: str, *names: str, values: Any = (), least: int = 1, most: int = 1) -> dict[str, Any]:
    return {
        "names": list(names),
        "kind": kind,
        "values": list(values),
        "least": least,
        "most": most,
    }


ZONES = [
    zone("dice", {"kind": "die", "spots": 3}, {"kind": "die", "spots": 6}, label="Thrown"),
    zone("cubes", {"kind": "cube", "mark": "R"}, {"kind": "cube"}),
    zone("pot", pile(-40, "£0.40"), label="Pot"),
    zone("tricks", {"kind": "score", "points": 2, "label": "Tricks", "marked": True}),
    zone("trump", {"kind": "playing-card", "face": "10H"}, label="Trump"),
    zone("notes", {"kind": "caption", "text": "Hand 3"}, {"kind": "caption", "text": "to 25"}),
    *(
        zone("held", *({"kind": "playing-card"},) * 3, seat=seat, label="Hand")
        for seat in (1, 2, 3)
    ),
    zone("score", {"kind": "score", "points": 15}, seat=1),
    zone("hand", pile(-7, "7 counters", singles=7), seat=2),
    zone("answer", {"kind": "caption", "text": "passes", "mood": "faint"}, seat=3),
    zone(
        "check",
        {"kind": "check-card", "faces": [[1, 2, 3], [4, 5, 6]], "checked": [1]},
        seat=3,
    ),
]
MOVES = [
    move("pass", "Pass", seat=2),
    move("hold", "Hold", seat=1, may=False, reason="not-yours", say="Bruno is to play"),
    move(
        "lead",
        "Lead",
        slot("hand", "cards", values=["KS", "10H", "2D"], least=2, most=2),
        seat=2,
    ),
    move("lay", "Lay a check", slot("square", "place", values=[0, 4]), seat=3),
    move(
        "pay",
        "Pay",
        slot("seat", "whom", values=[1, 3]),
        slot("number", "sum", least=2, most=9),
        slot("yes-no", "all"),
        seat=2,
        sums=[[2, -300]],
    ),
    move("throw", "Throw two dice"),
    move("key", "Key in", slot("cubes", "shown", values=["1", "bell", "blank"], most=2)),
    move("call", "Call", slot("one-of", "suit", values=["hearts", "spades"])),
    move("deal-anew", "Deal anew", sure="Shall the cards be dealt anew?"),
    move("end", "End the round", may=False, reason="on", say="the round is on"),
]
TOLD: dict[str, Any] = {
    "step": "throw",
    "text": "Bruno throws",
    "open": True,
    "over": False,
    "next": None,
    "company": [],
    "gone": [],
    "calls": 0,
    "seen": SEEN,
    "acts": {"undo": "Nothing was done", "close": "the game goes on", "break": ""},
    "value": 1,
    "counted": False,
    "in_bag": 0,
    "free": [],
    "turn": [2],
    "leads": 2,
    "has": "dice",
    "chance": {"kind": "dice", "label": "Throw two dice", "do": "throw"},
    "seats": [
        {"seat": seat, "name": name, "simulated": seat == 3, "purse": 1000, "gain": 0}
        for seat, name in enumerate(NAMES, 1)
    ],
    "zones": ZONES,
    "moves": MOVES,
}


class GameInPlay(FakeCore):
    """A core at whose table that game is played."""

    told = TOLD

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        if "ask" not in message:
            return await super()._handle(link, message)
        answers = {"table": self.told, "currency": {"sign": "£", "decimals": 2}}
        return {"id": message["id"], "answer": answers[message["ask"]["about"]]}


@dataclass
class Lead:
    """A host's hands at that table."""

    page: Page
    core: GameInPlay

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def choose(self, *names: str) -> None:
        """Presses these buttons of the dialog, one after the other."""
        for name in names:
            dialog = self.page.get_by_test_id("dialog")
            dialog.get_by_role("button", name=name, exact=True).click()

    def done(self, text: str) -> dict[str, Any]:
        """What was sent last, once the page has said this of it."""
        expect(said(self.page)).to_have_text(text)
        assert self.core.asked[-1]["seen"] == SEEN
        return dict(self.core.asked[-1]["do"])


@pytest.fixture
def lead(page: Page, tmp_path: Path) -> Iterator[Lead]:
    loop = Loop()
    core = GameInPlay(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    with served(loop, app) as url:
        page.goto(f"{url}/table")
        expect(page.locator("#table")).to_be_visible()
        yield Lead(page, core)
        page.goto("about:blank")
    loop.run(core.close())
    loop.close()


@pytest.mark.browser
def test_things_are_drawn_by_their_kind(lead: Lead) -> None:
    """Dice, cubes, cards and their backs, scores, debts, checks; each says in words what it is, and
    nothing sticks out on any screen."""
    page = lead.page
    expect(page.get_by_test_id("next")).to_have_text("Bruno throws")
    middle = page.get_by_test_id("middle")
    for name in ("a die: 3", "a die: 6", "a cube: R", "a cube, blank", "ten of hearts"):
        expect(middle.get_by_role("img", name=name, exact=True)).to_have_count(1)
    expect(middle.locator(".score.marked")).to_have_text("Tricks 2")
    expect(page.get_by_test_id("sums")).to_have_text("Potdebt: £0.40")
    expect(page.get_by_test_id("notes")).to_have_text("Hand 3 · to 25")
    expect(page.get_by_test_id("board")).to_be_hidden()
    expect(page.get_by_role("img", name="a card, face down")).to_have_count(9)
    seat = page.locator(".seat")
    expect(seat.nth(0)).to_contain_text("points 15")
    expect(seat.nth(1)).to_contain_text("has the dice")
    expect(page.get_by_test_id("hand-2").locator(".owed .owed")).to_have_text("–7")
    expect(page.get_by_test_id("hand-2")).to_have_text("–7 (£0.07)")
    expect(page.get_by_test_id("hand-2").get_by_label("debt: 7 counters")).to_be_visible()
    expect(page.locator(".seat.asked")).to_have_attribute("data-seat", "2")
    expect(seat.nth(2).locator(".caption.faint")).to_have_text("passes")
    expect(seat.nth(2).locator(".covered").get_by_role("img", name="2")).to_be_visible()
    expect(seat.nth(2).locator(".covered i")).to_have_count(2)
    for width in (360, 390, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
def test_moves_are_made_by_their_slots(lead: Lead) -> None:
    """Who is awaited has his buttons first; each slot is asked for as what it is; what somebody
    pays, and what the game's words question, is asked before; what is refused says why."""
    page = lead.page
    steps = page.get_by_test_id("steps").get_by_role("button")
    assert steps.all_inner_texts() == [
        "Throw two dice",
        "Pass",
        "Lead…",
        "Pay…",
        "Undo the last move",
    ]
    expect(page.get_by_test_id("steps").locator(".main")).to_have_text("Throw two dice")
    lead.press("Throw two dice")
    assert lead.done("") == {"act": "move", "move": {"do": "throw"}}
    lead.press("Pass")
    assert lead.done("Bruno: Pass.") == {"act": "move", "move": {"do": "pass", "seat": 2}}

    # Cards of a hand: as many as it must be.
    lead.press("Lead…")
    dialog = page.get_by_test_id("dialog")
    expect(dialog).to_contain_text("exactly 2")
    dialog.get_by_role("checkbox").first.check()
    lead.choose("Choose")
    expect(dialog).to_be_visible()
    dialog.get_by_role("checkbox").nth(2).check()
    lead.choose("Choose")
    sent = {"do": "lead", "seat": 2, "cards": ["KS", "2D"]}
    assert lead.done("Bruno: Lead · king of spades · two of diamonds.")["move"] == sent

    # What cubes show, a bell or no mark among it; the throw of the station's has its button alone.
    expect(page.get_by_role("button", name="Throw two dice")).to_have_count(1)
    lead.press("Key in…")
    expect(dialog.locator(".cube svg polygon")).not_to_have_count(0)
    expect(dialog.get_by_role("img", name="a cube, blank")).to_be_visible()
    dialog.get_by_role("checkbox").nth(1).check()
    lead.choose("Choose")
    assert lead.done("Key in · a cube: bell.")["move"] == {"do": "key", "shown": ["bell"]}

    # A square of the card itself, by its place; a word; left, nothing is done.
    page.locator('[data-key="lay-3"]').click()
    expect(dialog.locator(".square.covered")).to_have_count(1)
    expect(dialog.locator("button.square")).to_have_count(2)
    lead.choose("5 (2/2)")
    sent = {"do": "lay", "seat": 3, "place": 4}
    assert lead.done("Carla: Lay a check · 5.")["move"] == sent
    lead.press("Call…")
    lead.choose("Cancel")
    expect(dialog).to_be_hidden()
    lead.press("Call…")
    lead.choose("spades")
    assert lead.done("Call · spades.")["move"] == {"do": "call", "suit": "spades"}

    # A player, a number between its bounds, yes or no; then what it costs.
    lead.press("Pay…")
    lead.choose("Carla")
    dialog.get_by_role("spinbutton").fill("10")
    lead.choose("Choose")
    expect(dialog.get_by_role("spinbutton")).to_be_visible()
    dialog.get_by_role("spinbutton").fill("7")
    page.keyboard.press("Enter")
    lead.choose("No")
    expect(dialog.locator("h2")).to_have_text("Pay?")
    expect(dialog).to_contain_text("Bruno pays £3.00.")
    lead.choose("Pay")
    sent = {"do": "pay", "seat": 2, "whom": 3, "sum": 7, "all": False}
    assert lead.done("Bruno: Pay · Carla · 7 · No.")["move"] == sent

    lead.press("Deal anew")
    expect(dialog).to_contain_text("Shall the cards be dealt anew?")
    before = len(lead.core.asked)
    page.keyboard.press("Escape")
    for name, why in (("End the round", "the round is on"), ("Hold", "Bruno is to play")):
        page.get_by_role("button", name=name, exact=True).press("Enter")
        expect(said(page)).to_have_text(why)
    assert len(lead.core.asked) == before
