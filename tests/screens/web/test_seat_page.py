"""A player's seat on his phone: what he is shown, what he may do, and that no other phone is told
of his hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from station.people.pairings import key_of
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.screens.web.app import make_app
from station.screens.web.people import OVER_PLAIN_HTTP, PLAIN_COOKIE
from station.wire.wire import Client, ClientLink, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import fits_in_every_language, said
from tests.screens.web.fakes import FakeCore, Loop, served
from tests.screens.web.paired import Night, station_with
from tests.screens.web.test_table_games import NAMES, move, pile, slot, zone
from tests.support import small_pack

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
FACE = re.compile(r'"face": ?"([^"]+)"')
HELD = ("KS", "10H", "2D", "7C")
ZONES = [
    zone("trick", {"kind": "playing-card", "face": "9S"}, label="Trick"),
    zone("pot", pile(40, "4 fish", fish=4), label="Pot"),
    zone("notes", {"kind": "caption", "text": "Trumps: spades"}),
    zone("held", *({"kind": "playing-card"},) * 5, seat=1),
    zone("held", *({"kind": "playing-card", "face": face} for face in HELD), seat=2),
    zone("laid", {"kind": "playing-card", "face": "QD"}, seat=2),
    zone("hand", pile(-7, "7 counters", singles=7), seat=2),
    zone("score", {"kind": "score", "points": 15}, seat=2),
    zone("check", {"kind": "check-card", "faces": [[1, 2], [4, 5]], "checked": [1]}, seat=2),
    zone("said", {"kind": "caption", "text": "passes", "mood": "faint"}, seat=3),
]
MOVES = [
    move("lead", "Lead", slot("hand", "card", values=HELD[:3]), seat=2),
    move("lay-out", "Lay out", slot("hand", "cards", values=HELD, least=2, most=2), seat=2),
    move("sing", "Sing", slot("hand", "cards", values=HELD, least=4, most=4), seat=2),
    move("bid", "Bid", slot("number", "counters", least=3, most=9), seat=2),
    move("lay", "Lay a check", slot("square", "place", values=[0, 3]), seat=2),
    move(
        "give",
        "Give",
        slot("seat", "whom", values=[1, 3]),
        slot("yes-no", "all"),
        seat=2,
        sums=[[2, -300]],
    ),
    move("rob", "Rob", seat=2, may=False, reason="no-ace", say="no ace is turned up"),
]
TOLD: dict[str, Any] = {
    "seat": 2,
    "over": False,
    "held": ["held"],
    "seats": [
        {"seat": seat, "name": name, "simulated": seat == 3} for seat, name in enumerate(NAMES, 1)
    ],
    "value": 1,
    "counted": False,
    "currency": {"sign": "£", "decimals": 2},
    "text": "Bruno plays",
    "free": [],
    "turn": [2],
    "leads": 1,
    "has": "pack",
    "zones": ZONES,
    "moves": MOVES,
}
NO_GAME = {"refused": {"reason": "not-at-table", "say": "nobody plays"}}


class Seated(FakeCore):
    """A core that shows one seat what it is told to."""

    answer: Message = NO_GAME
    refusal: Message | None = None

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        if "ask" in message:
            return {"id": message["id"], **self.answer}
        if self.refusal:
            return {"id": message["id"], "refused": self.refusal}
        return await super()._handle(link, message)


@dataclass
class Seat:
    """A player's thumbs."""

    page: Page
    loop: Loop
    core: Seated
    lines: int = 0

    def shows(self, answer: Message) -> None:
        """Something was done at the table: from now on the seat is answered this."""
        self.lines += 1
        self.core.answer = answer
        seq = canned.playing().seq + self.lines
        self.loop.call(self.core.show, canned.playing(seq=seq))
        expect(self.page.locator("body")).to_have_attribute("data-seq", str(seq))

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def done(self) -> dict[str, Any]:
        """The move that was sent last, once the page says that it is done."""
        expect(said(self.page)).to_contain_text("Bruno:")
        order = self.core.asked.pop()["do"]
        assert order["act"] == "move"
        return dict(order["move"])


@pytest.fixture
def seat(browser: Browser, tmp_path: Path) -> Iterator[Seat]:
    loop = Loop()
    core = Seated(tmp_path / "station.sock", canned.playing())
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    with served(loop, app) as url:
        page.goto(f"{url}/seat")
        seat = Seat(page, loop, core)
        yield seat
        page.goto("about:blank")
    context.close()
    loop.run(seat.core.close())  # which may be another than at the beginning
    loop.close()
    assert complaints == []


@pytest.mark.long
def test_a_seat_shows_the_table_and_its_own_hand(seat: Seat) -> None:
    """Nothing before a game, and that in words; then what comes next, the middle, the others in the
    order in which they sit, the own hand as cards; nothing sticks out, in any language."""
    page = seat.page
    expect(page.get_by_test_id("idle")).to_contain_text("There is no game at your seat")
    seat.shows({"answer": TOLD})
    expect(page.get_by_test_id("idle")).to_be_hidden()
    expect(page.get_by_test_id("next")).to_have_text("Your turn: Bruno plays")
    expect(page.get_by_test_id("notes")).to_have_text("Trumps: spades")
    expect(page.get_by_test_id("middle").get_by_role("img", name="nine of spades")).to_be_visible()
    expect(page.get_by_test_id("middle")).to_contain_text("Pot")
    others = page.get_by_test_id("others").locator("li")
    expect(others.locator("h3")).to_have_text(["Carlasimulated", "Annadeals"])
    expect(others.nth(1).get_by_role("img", name="a card, face down")).to_have_count(5)
    expect(others.nth(0)).to_contain_text("passes")
    expect(page.locator("#lying").get_by_role("img", name="queen of diamonds")).to_be_visible()
    held = page.get_by_test_id("held").locator(".playing-card")
    expect(held).to_have_count(len(HELD))
    expect(held.first).to_have_accessible_name("king of spades")
    expect(page.get_by_test_id("own")).to_contain_text("points 15")
    expect(page.get_by_test_id("own").get_by_label("debt: 7 counters")).to_be_visible()
    expect(page.get_by_test_id("moves").locator(".main")).to_have_count(1)
    fits_in_every_language(page, lambda: expect(held.first).to_be_visible())
    page.set_viewport_size(PHONE)
    seat.shows({"answer": {**TOLD, "turn": [1], "text": "Anna plays", "moves": []}})
    expect(page.get_by_test_id("next")).not_to_contain_text("Your turn")
    expect(page.get_by_test_id("held").get_by_role("button")).to_have_count(0)
    expect(held).to_have_count(len(HELD))


@pytest.mark.long
def test_moves_of_a_seat_are_made_with_the_thumb(seat: Seat) -> None:
    """Cards are taken up in the hand, or asked for; a number is stepped to; squares, players, yes
    or no; what it costs is asked before; what is refused says why."""
    page = seat.page
    seat.shows({"answer": TOLD})
    card = page.get_by_test_id("held").get_by_role("button")
    # One card: it is in the button's name before it is sent.
    card.nth(1).click()
    expect(card.nth(1)).to_have_attribute("aria-pressed", "true")
    seat.press("Lead · ten of hearts")
    assert seat.done() == {"do": "lead", "seat": 2, "card": ["10H"]}
    # Two cards: one alone has to be asked for.
    expect(page.get_by_role("button", name="Lay out…", exact=True)).to_be_visible()
    card.nth(3).click()
    expect(page.get_by_role("button", name="Lead…", exact=True)).to_be_visible()
    seat.press("Lay out · ten of hearts · seven of clubs")
    assert seat.done()["cards"] == ["10H", "7C"]
    for place in (1, 3):
        card.nth(place).click()
    # All of the hand: there is nothing to choose.
    seat.press("Sing")
    assert seat.done()["cards"] == [*HELD]
    # Nothing taken up: the cards are asked for.
    seat.press("Lead…")
    dialog = page.get_by_test_id("dialog")
    dialog.get_by_role("checkbox").nth(2).check()
    dialog.get_by_role("button", name="Choose").click()
    assert seat.done()["card"] == ["2D"]
    seat.press("Bid…")
    for _ in range(2):
        dialog.get_by_role("button", name="One more").click()
    dialog.get_by_role("button", name="One fewer").click()
    dialog.get_by_role("button", name="Choose").click()
    assert seat.done() == {"do": "bid", "seat": 2, "counters": 4}
    seat.press("Lay a check…")
    dialog.get_by_role("button", name="5 (2/2)").click()
    assert seat.done()["place"] == 3
    seat.press("Give…")
    dialog.get_by_role("button", name="Carla").click()
    dialog.get_by_role("button", name="Yes").click()
    expect(dialog).to_contain_text("Bruno pays £3.00.")
    dialog.get_by_role("button", name="Give").click()
    assert seat.done() == {"do": "give", "seat": 2, "whom": 3, "all": True}
    page.get_by_role("button", name="Rob", exact=True).press("Enter")
    expect(said(page)).to_have_text("no ace is turned up")
    seat.core.refusal = {"reason": "follow", "say": "spades were led: follow"}
    seat.press("Sing")
    expect(said(page)).to_have_text("spades were led: follow")
    assert seat.core.asked == []


def test_a_free_card_is_chosen_by_its_face(seat: Seat) -> None:
    """A player who exchanges a card sees the cards that nobody has, with their numbers."""
    rows = [[1, 12, 23, 34, 45], [2, 13, 24, 35, 46], [3, 14, 25, 36, 47]]
    free = [{"kind": "number-card", "serial": one, "rows": rows} for one in ("0008", "0009")]
    wanted = slot("serial", "other", "wanted", values=[[0, "0008"], [0, "0009"]])
    exchange = move("exchange", "Exchange", wanted, seat=2)
    seat.shows({"answer": {**TOLD, "free": free, "moves": [exchange]}})
    seat.press("Exchange…")
    card = seat.page.get_by_role("button", name="Card 0009: Free cards")
    expect(card).to_contain_text("36")
    card.click()
    assert seat.done() == {"do": "exchange", "seat": 2, "other": 0, "wanted": "0009"}


def test_what_is_asked_goes_when_the_table_is_another(seat: Seat) -> None:
    """Who writes a bid while the next card comes up for sale does not bid for that one."""
    page = seat.page
    seat.shows({"answer": TOLD})
    seat.press("Bid…")
    expect(page.get_by_test_id("dialog")).to_be_visible()
    seat.shows({"answer": {**TOLD, "zones": ZONES[1:]}})  # another has done something
    expect(page.get_by_test_id("dialog")).to_be_visible()
    seat.shows({"answer": {**TOLD, "text": "The inn is for sale"}})
    expect(page.get_by_test_id("dialog")).to_be_hidden()
    expect(said(page)).to_contain_text("The table has changed")
    assert seat.core.asked == []


def test_a_lost_line_is_told_and_comes_back(seat: Seat) -> None:
    """While the core is away the page says so, then goes on where the game is."""
    page = seat.page
    seat.shows({"answer": TOLD})
    seat.loop.run(seat.core.close())
    expect(page.locator("body")).to_have_attribute("data-stale", "true")
    page.reload()
    expect(page.get_by_role("alert")).to_have_text("The station does not answer. Wait a moment.")
    expect(page.locator("#table")).to_be_hidden()
    core = Seated(seat.core.path, canned.playing())
    core.answer = {"answer": TOLD}
    seat.loop.run(core.open())
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.get_by_test_id("held").get_by_role("button")).to_have_count(len(HELD))
    seat.core = core


# -- two phones of one game ------------------------------------------------------------------------

PLAN = GamePlan(name="Cards", method="spoil-five", table=TablePlan(stake=20, pools=1))
PROGRAMME = Programme(name="Cards", games=(PLAN,))


@dataclass
class Phone:
    """A player's phone, and all that it was sent."""

    page: Page
    received: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """From now on all that comes on its line, and each answer, is kept."""
        self.page.on("websocket", lambda line: line.on("framereceived", self._line))
        self.page.route("**/seat/*", self._answer)

    def _line(self, frame: str | bytes) -> None:
        self.received.append(str(frame))

    def _answer(self, route: Route) -> None:
        answer = route.fetch()
        self.received.append(answer.text())
        route.fulfill(response=answer)

    def faces(self) -> set[str]:
        """The playing cards in what came."""
        return {*FACE.findall("".join(self.received))}

    def held(self) -> list[str]:
        """The cards of the hand, as the page calls them."""
        cards = self.page.get_by_test_id("held").locator(".playing-card")
        return [str(card.get_attribute("aria-label")) for card in cards.all()]


def let_in(night: Night, browser: Browser, seat: int) -> Phone:
    """A phone that is this seat's, with its page open."""
    secret = f"seat {seat}".replace(" ", "-").ljust(43, "-")

    async def work() -> None:
        async with await Client.open(night.socket, "admin") as client:
            ask = {"do": "ask", "name": "phone", "key": key_of(OVER_PLAIN_HTTP + secret)}
            digits = (await client.request({"pair": ask}))["answer"]["digits"]
            confirm = {"do": "confirm", "digits": digits, "role": "seat", "seat": seat}
            assert (await client.request({"pair": confirm})).get("ok")

    night.loop.run(work())
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    context.add_cookies([{"name": PLAIN_COOKIE, "value": secret, "url": night.url}])
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    phone = Phone(page)
    phone.listen()
    page.goto(f"{night.url}/seat")
    return phone


@pytest.mark.long
def test_two_phones_play_and_neither_is_told_the_others_hand(
    browser: Browser, tmp_path: Path
) -> None:
    """A trick of Spoil-Five: each plays from his own phone; until a card is played, its face went
    to its player's phone alone. A page that is loaded anew has the same hand."""
    loop = Loop()
    with station_with(loop, browser, tmp_path, small_pack(), PROGRAMME) as night:
        night.do("sit", players=[{"name": name, "purse": 300} for name in NAMES[:2]])
        phones = [let_in(night, browser, seat) for seat in (1, 2)]
        expect(phones[0].page.get_by_test_id("idle")).to_be_visible()
        night.do("open")
        night.do("move", move={"do": "deal-hands"})
        for phone in phones:
            expect(phone.page.get_by_test_id("held").locator(".playing-card")).to_have_count(5)
        before = [phone.held() for phone in phones]
        faces = [phone.faces() for phone in phones]
        [turned] = faces[0] & faces[1]  # the card that is turned up, and no other
        assert [len(some) for some in faces] == [6, 6]
        phones[0].page.reload()
        expect(phones[0].page.get_by_test_id("held").locator(".playing-card")).to_have_count(5)
        assert phones[0].held() == before[0]
        first, second = phones if phones[0].page.locator(".lead.asked").count() else phones[::-1]
        # Out of turn nothing can be pressed.
        expect(second.page.get_by_test_id("moves").get_by_role("button")).to_have_count(0)
        leave = first.page.get_by_test_id("moves").get_by_text("Leave the ace")
        if leave.count():  # the dealer has turned one up and decides first; the other leads
            leave.click()
            first, second = second, first
            expect(first.page.locator(".lead.asked")).to_be_visible()
        card = first.page.get_by_test_id("held").get_by_role("button").first
        name = str(card.locator(".playing-card").get_attribute("aria-label"))
        card.tap()
        first.page.get_by_role("button", name=f"Play a card · {name}").tap()
        expect(first.page.get_by_test_id("held").locator(".playing-card")).to_have_count(4)
        expect(second.page.get_by_test_id("others").get_by_role("img", name=name)).to_be_visible()
        expect(second.page.locator(".lead.asked")).to_be_visible()
        told = [phone.faces() for phone in (first, second)]
        assert len(told[0] & told[1]) == 2, "what was turned up, and what was played"
        assert turned in told[0]
        journal = (tmp_path / "nights/0001/journal.jsonl").read_text().splitlines()
        assert json.loads(journal[-1])["by"] == "phone"
        for phone in phones:
            phone.page.goto("about:blank")
            phone.page.context.close()
    loop.close()
