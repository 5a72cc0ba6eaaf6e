"""The caller's page: what it may send; every control in every state of a fake core; a whole evening
before a real one, by keys and by touch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from station.base.nouns import Card
from station.cards import PACK_FILE
from station.cards.pack import Pack, make_pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.programme.programme import GamePlan, Programme, StagePlan
from station.screens.web.app import make_app
from station.settings.config import CallingSettings, Settings
from station.wire.board_view import (
    AutoView,
    BoardView,
    Phase,
    SayView,
    SignView,
    TableView,
    Verdict,
)
from station.wire.wire import SOCKET, Client, ClientLink, Message
from station.wire.wording import VOICES, load_wording
from tests.looking import until
from tests.screens.web import canned
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import acts_sent, fits_in_every_language, is_asked, said
from tests.screens.web.fakes import Distant, FakeCore, Loop, get, post, served
from tests.screens.web.hands import call, chosen, play_on, some_time_after, to_card, twice
from tests.screens.web.paired import Visit, station_with
from tests.support import CLOCK

ID = "0123456789abcdef"
HEADERS = {"content-type": "application/json", "x-loto-caller": "1"}
SIZES = ((1920, 1080), (1280, 720), (390, 844))
PHONE = {"width": 390, "height": 844}
LEAST_TARGET = 44  # pixels: https://www.w3.org/WAI/WCAG22/Understanding/target-size-enhanced

FIG1 = Card.parse("0001: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
PACK = Pack([FIG1, *make_pack(2, Random(5)).cards()[1:]])
TOP = FIG1.rows[0]
PROGRAMME = Programme(
    name="t",
    games=(
        GamePlan(
            name="The first house",
            price=150,
            stages=(StagePlan(pattern="row", share=20), StagePlan(pattern="full")),
        ),
        GamePlan(name="The last house", price=50),
    ),
)

WITH_TICKETS = Programme(
    name="t",
    games=tuple(game.model_copy(update={"tickets": True}) for game in PROGRAMME.games),
)


# -- what the page may send ------------------------------------------------------------------------


@dataclass
class CallerCore:
    """What a core answers to the page: who it is, and what comes of each act."""

    may: tuple[str, ...] = ("draw", "open")
    refusals: dict[str, tuple[str, str]] = field(default_factory=dict)
    owed: dict[str, Any] = field(default_factory=dict)
    unpaid: bool = False
    under_way: set[str] = field(default_factory=set)
    near: list[Any] = field(default_factory=list)
    lost: str = ""
    left_s: float | None = None

    def answer(self, message: Message, seq: int) -> Message:
        if "ask" in message:
            about = message["ask"]["about"]
            answers: dict[str, Any] = {
                "me": {"name": "Anna", "role": "caller", "seat": 0, "acts": list(self.may)},
                "currency": {"sign": "£", "decimals": 2},
                "claims": {"claims": []},
                "owed": self.owed,
                "unpaid": {"owed": [self.owed] if self.unpaid else []},
                "nearest": {"stages": self.near},
                "closing": {"say": self.lost, "seen": "58"},
                "pause": {"left_s": self.left_s},
                "census": {"active": "census" in self.under_way, "state": "none"},
                "self-test": {
                    "active": "self-test" in self.under_way,
                    "asks": "",
                    "parts": [],
                    "state": "none",
                },
            }
            return {"answer": answers.get(about, {})}
        act = message["do"]["act"]
        if act in self.refusals:
            reason, say = self.refusals[act]
            return {"refused": {"reason": reason, "say": say}}
        return {"ok": True, "seq": seq}


class Scripted(FakeCore):
    """A core that answers the page and does nothing."""

    def __init__(self, path: Path, view: BoardView) -> None:
        super().__init__(path, view)
        self.script = CallerCore()

    async def _handle(self, link: ClientLink, message: Message) -> Message | None:
        self.asked.append(message)
        return {"id": message.get("id"), **self.script.answer(message, self.view.seq)}

    @property
    def done(self) -> list[Message]:
        """The acts that came, without their ids."""
        return [
            {key: value for key, value in message.items() if key != "id"}
            for message in self.asked
            if "do" in message
        ]


@dataclass
class Standing:
    """The web before a fake core."""

    url: str
    loop: Loop
    core: Scripted

    def show(self, view: BoardView) -> None:
        self.loop.call(self.core.show, view)


@pytest.fixture(scope="module")
def module_standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    loop = Loop()
    core = Scripted(tmp_path_factory.mktemp("caller") / "station.sock", canned.playing())
    loop.run(core.open())
    with served(
        loop, make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
    ) as url:
        yield Standing(url, loop, core)
    loop.run(core.close())
    loop.close()


@pytest.fixture
def standing(module_standing: Standing) -> Standing:
    module_standing.core.script = CallerCore()
    module_standing.core.asked.clear()
    module_standing.show(canned.playing())
    return module_standing


def send(url: str, path: str, body: Any, **headers: str) -> httpx.Response:
    """A request as the page itself sends it."""
    return post(url + path, content=json.dumps(body), headers={"origin": url, **HEADERS, **headers})


@pytest.mark.parametrize(
    "act",
    [
        *(
            "open",
            "draw",
            "hold",
            "release",
            "stop",
            "claim",
            "claim-ticket",
            "lots",
            "play-on",
            "undo",
            "pay",
            "approve",
        ),
        *("break", "skip", "close", "close-night", "next-night", "auto", "repeat", "mute", "off"),
        *("census-begin", "census-end", "self-test-begin", "self-test-end", "waive", "mix"),
    ],
)
def test_a_callers_acts_reach_the_core(standing: Standing, act: str) -> None:
    """Word for word, with the page's id, how many numbers it believes to have been called, and what
    was seen of what was asked about."""
    order = {"id": ID, "do": {"act": act, "why": "x"}, "expect": 3, "seen": "58", "sure": True}
    assert send(standing.url, "/caller/do", order).json()["ok"]
    assert standing.core.asked[-1] == order


@pytest.mark.parametrize(
    "act", ["sell", "return", "bank", "redeem", "pair", "note", "census", "sit", None]
)
def test_no_other_act_is_passed_on(standing: Standing, act: object) -> None:
    """Sale, the bank, pairing and the station's own word are not a caller's."""
    url = standing.url
    assert send(url, "/caller/do", {"id": ID, "do": {"act": act}}).status_code == 400
    assert (
        send(url, "/caller/do", {"id": ID, "do": {"act": "draw"}, "expect": -1}).status_code == 400
    )
    assert send(url, "/caller/ask", {"about": "money"}).status_code == 400
    assert standing.core.asked == []


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"origin": "http://evil.test"}, "not-this-station"),
        ({"x-loto-caller": None}, "not-the-caller"),
        ({"x-loto-caller": None, "x-loto-table": "1"}, "not-the-caller"),
    ],
)
def test_only_the_callers_own_page_is_heard(
    standing: Standing, header: dict[str, str | None], reason: str
) -> None:
    """A foreign page, a form without the header, another page of the station: refused, and nothing
    reaches the core."""
    headers = {"origin": standing.url, **HEADERS, **header}
    answer = post(
        standing.url + "/caller/do",
        content=json.dumps({"id": ID, "do": {"act": "draw"}}),
        headers={key: value for key, value in headers.items() if value is not None},
    )
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, reason)
    assert standing.core.asked == []


def test_where_anybody_could_reach_it_only_paired_devices_call(tmp_path: Path) -> None:
    """Others are sent to where a device is paired, and no request of theirs is answered."""
    loop = Loop()
    app = make_app(tmp_path / "s", None, voice=VOICES / "en", wording=load_wording())
    with served(loop, app) as url:
        page = get(url + "/caller")
        assert (page.status_code, page.headers["location"]) == (303, "/pair")
        order = {"id": ID, "do": {"act": "draw"}}
        assert send(url, "/caller/do", order).status_code == 403
    loop.close()


# -- every control, in every state -----------------------------------------------------------------


def canned_table(text: str) -> TableView:
    """A company at the table, as far as this page looks at it."""
    return TableView(step="shake", text=text, seats=())


STATES = {
    "between": canned.between().model_copy(update={"press": "open"}),
    "all played": canned.between().model_copy(update={"coming": ()}),
    "not ready": canned.between(),
    "first": canned.playing((), press="draw"),
    "playing": canned.playing(press="draw"),
    "taken back": canned.playing(press="draw", again=85),
    "by itself": canned.playing(press="draw", auto=AutoView(on=True, pace=4.0)),
    "won": canned.playing(stage=None, open=(), prize=None),
    "empty": canned.playing(),
    "stopped": canned.playing(phase=Phase.STOPPED, notice="Stop, please: we have a claim."),
    "checked": canned.stopped(canned.claim(Verdict.VALID, "Valid for: row")),
    "at a table": canned.playing(
        stage=None, press="shake", table=canned_table("Carla has the bag")
    ),
    "closed": canned.playing((), phase=Phase.CLOSED, stage=None, press="next-night"),
    "halted": canned.halted(),
    "a pause": canned.paused().model_copy(update={"press": "open"}),
    "still on": canned.playing(
        press="draw",
        say=SayView(token=9, clips=("switching-off",), text=""),
        signs=(SignView(device="station", colour="amber", text="This machine is still on."),),
    ),
}
NEXT = {
    "between": ("Open the game", "Next: open The first house (Space)."),
    "all played": ("Close the night", "All games have been played. Next: close the night (N)."),
    "not ready": ("Open the game", "Not ready yet"),
    "first": ("Draw", "Eyes down. Next: draw the first number (Space)."),
    "playing": ("Draw", "Next: draw again (Space), or stop for a claim (S)."),
    "taken back": ("Draw", "85 was taken back and will come again as the next number. Next: draw"),
    "by itself": ("Draw", "Auto-call: a number every 4 s. Next: stop for a claim (S), or pause"),
    "won": ("Close the game", "All prizes have been won. Next: close the game (G)."),
    "empty": ("Close the game", "The bag is empty. Next: close the game (G)."),
    "stopped": ("Play on", "Next: enter the card and press Enter, or play on (P)."),
    "checked": ("Play on", "Any more claims? Next: enter the next card, or play on (P)."),
    "at a table": ("What comes next?", "Carla has the bag. Next: run it from the table page"),
    "closed": ("Start the next night", "Next: start another night (Space)."),
    "halted": ("What comes next?", "Continue on paper and follow the list."),
    "a pause": (
        "Open the game",
        "Pause: Tea in the side room. The next game starts in about 10 minutes. Next: open",
    ),
    "still on": ("Draw", "Next: draw again (Space), or stop for a claim (S)."),
}
# Each control by its key: what it is called, and the act that it sends.
CONTROLS = {
    "S": ("stop", "stop"),
    "P": ("play-on", "play-on"),
    "U": ("undo", "undo"),
    "R": ("repeat", "repeat"),
    "B": ("back", "repeat"),
    "A": ("auto", "auto"),
    "-": ("slower", "auto"),
    "+": ("faster", "auto"),
    "G": ("close", "close"),
    "X": ("break", "break"),
    "N": ("close-night", "close-night"),
    "M": ("mute", "mute"),
    "Q": ("census-begin", "census-begin"),
    "T": ("self-test-begin", "self-test-begin"),
    "O": ("off", "off"),
}
ASKED_HERE = {"undo", "break", "skip", "close-night", "off"}  # why, or whether it is meant
TWICE = frozenset("PAGXNMQTO")


@pytest.fixture
def caller(page: Page, standing: Standing) -> Iterator[Page]:
    """The page before the fake core."""
    page.goto(f"{standing.url}/caller")
    expect(page.locator("#caller")).to_be_visible()
    yield page
    page.goto("about:blank")


def shown(page: Page, standing: Standing, view: BoardView) -> None:
    """The core shows this view, as its next line, and the page does."""
    seq = standing.core.view.seq + 1
    standing.show(view.model_copy(update={"seq": seq}))
    expect(page.locator("body")).to_have_attribute("data-seq", str(seq))


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("state", STATES)
def test_what_comes_next_is_said_and_no_control_is_dead(
    caller: Page, standing: Standing, state: str
) -> None:
    """In every state the large button and one sentence name the same next step; each key does what
    its control says, or says why not and what comes next."""
    core = standing.core
    shown(caller, standing, STATES[state])
    text, line = NEXT[state]
    expect(caller.get_by_test_id("big")).to_contain_text(text)
    expect(caller.get_by_test_id("next")).to_contain_text(line)
    following = caller.get_by_test_id("next").inner_text()
    for key, (name, act) in CONTROLS.items():
        if (state, key) == ("closed", "N"):
            name = act = "next-night"
        if key == "X" and STATES[state].phase is Phase.BETWEEN and STATES[state].coming:
            name = act = "skip"
        control = caller.get_by_test_id(name)
        expect(control.locator("kbd")).to_have_text(key)
        before = len(core.done)
        some_time_after(caller, 60)  # keys that come at once are none
        if STATES[state].phase is Phase.STOPPED:
            caller.get_by_test_id("card").focus()
            caller.keyboard.press("Escape")  # there letters are a card's
        if control.get_attribute("aria-disabled") == "true":
            caller.keyboard.press(key)
            expect(said(caller)).to_contain_text(following)
            assert len(core.done) == before, key
            continue
        with caller.expect_response("**/caller/do"):
            if key in TWICE:
                twice(caller, key)
            else:
                caller.keyboard.press(key)
            if act in ASKED_HERE:
                expect(caller.get_by_test_id("choose")).to_be_visible()
                if act in ("undo", "break", "skip"):
                    caller.keyboard.press("1")
                else:
                    caller.get_by_test_id("yes").click()
        assert core.done[before]["do"]["act"] == act
        expect(control).to_have_attribute("aria-busy", "false")
        expect(said(caller)).to_have_count(1)
    assert "undefined" not in caller.locator("body").inner_text()
    assert "{" not in caller.locator("body").inner_text()


WANTS_LOTS = canned.at_once()
MORE_STATES = {
    **STATES,
    "lots wanted": WANTS_LOTS.model_copy(
        update={"wins": tuple(win.model_copy(update={"draws": True}) for win in WANTS_LOTS.wins)}
    ),
    "switching off": canned.playing(
        press="draw", say=SayView(token=9, clips=("switching-off",), text="")
    ),
}


@pytest.mark.browser
@pytest.mark.long
def test_every_state_is_the_same_after_a_reload_and_in_a_second_tab(
    caller: Page, standing: Standing
) -> None:
    """The number, what comes next, the large button, and which controls there are."""

    def looks(page: Page) -> list[str]:
        expect(page.locator("body")).to_have_attribute("data-seq", str(standing.core.view.seq))
        expect(page.locator("body")).to_have_attribute("data-stale", "false")
        expect(page.locator("#caller")).to_be_visible()
        places = [page.get_by_test_id(name) for name in ("number", "next", "big")]
        return [*(place.inner_text() for place in places), page.locator("#game-keys").inner_text()]

    other = caller.context.new_page()
    for name, view in MORE_STATES.items():
        shown(caller, standing, view)
        seen = looks(caller)
        caller.reload()
        assert looks(caller) == seen, name
        other.goto(f"{standing.url}/caller")
        assert looks(other) == seen, name
        expect(said(other)).to_be_empty()
    other.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("about", "line"),
    [
        ("census", "The balls are being counted. Next: lay each one on the reader once, or end"),
        ("self-test", "The machine is being tested. Next: do what the test asks, or end it"),
    ],
)
def test_a_count_and_a_test_go_before_the_next_game(
    caller: Page, standing: Standing, about: str, line: str
) -> None:
    """The sentence of what comes next is theirs until they are over; the space bar says the same,
    and sends nothing."""
    script = standing.core.script
    script.under_way.add(about)
    shown(caller, standing, STATES["between"])
    expect(caller.get_by_test_id("next")).to_contain_text(line)
    caller.keyboard.press("Space")
    expect(said(caller)).to_contain_text(line)
    assert standing.core.done == []
    script.under_way.clear()
    shown(caller, standing, STATES["between"])
    expect(caller.get_by_test_id("next")).to_contain_text("Next: open The first house (Space).")


@pytest.mark.browser
def test_the_same_is_told_twice(caller: Page, standing: Standing) -> None:
    """A number that is said again is told again: each time something new stands where a screen
    reader listens."""
    caller.evaluate(
        """() => {
          window.told = [];
          const note = (records) => {
            for (const { addedNodes } of records) {
              for (const node of addedNodes) window.told.push(node.textContent);
            }
          };
          const place = document.querySelector('#done[aria-live="polite"]');
          new MutationObserver(note).observe(place, { childList: true });
        }"""
    )
    again = ("last-number", "number.11")
    for count, token in enumerate((901, 902), 1):  # a page that is behind gets the newest alone
        standing.show(canned.playing(say=SayView(token=token, clips=again, text="11")))
        until(caller, f"() => window.told.length === {count}")
    assert caller.evaluate("window.told") == ["Repeated: 11."] * 2
    # Numbers are told as they come, whoever calls; a burst as one sentence after the other.
    standing.show(canned.playing((*canned.CALLED, 85)))
    expect(said(caller)).to_have_text("85 has been called.")
    standing.show(canned.playing())
    expect(said(caller)).to_have_text("85 has been undone.")


@pytest.mark.browser
def test_a_refusal_is_a_sentence_and_nothing_is_drawn_twice(
    caller: Page, standing: Standing
) -> None:
    """What the station refuses is told in its words; each draw says how many were called, so that
    of a key and a button at once one is refused."""
    core = standing.core
    shown(caller, standing, canned.playing(press="draw"))
    core.script.refusals["draw"] = "busy", "a number is being called: wait until it was heard"
    caller.keyboard.press("Space")
    expect(said(caller)).to_have_text("A number is being called: wait until it was heard.")
    core.script.refusals.clear()
    call(caller, 42)
    expect(said(caller)).to_have_text("The number has been called.")
    calls = len(canned.CALLED)
    assert core.done == [
        {"do": {"act": "draw"}, "expect": calls, "lang": "en"},
        {"do": {"act": "draw", "number": 42}, "expect": calls, "lang": "en"},
    ]
    caller.keyboard.type("91", delay=50)
    caller.keyboard.press("Enter")
    expect(said(caller)).to_contain_text("91 is not a number from 1 to 90")
    # What is asked about is what is taken back, or nothing: another number came meanwhile.
    caller.keyboard.press("u")
    expect(caller.get_by_test_id("choose")).to_contain_text("Why undo 11?")
    shown(caller, standing, canned.playing((*canned.CALLED, 85), press="draw"))
    caller.keyboard.press("1")
    expect(said(caller)).to_have_text("The last call has been undone.")
    why = {"act": "undo", "why": "Read wrongly"}
    assert core.done[-1] == {"do": why, "expect": calls, "lang": "en"}
    # At a stop the same keys are a card's; the space bar does not play on.
    shown(caller, standing, STATES["stopped"])
    caller.keyboard.press("Space")
    expect(said(caller)).to_contain_text("The space bar only draws and opens.")
    caller.keyboard.type("0007", delay=50)
    expect(caller.get_by_test_id("card")).to_have_value("0007")
    assert len(core.done) == 3


@pytest.mark.browser
def test_what_takes_several_people_is_led_through(caller: Page, standing: Standing) -> None:
    """Two agree before a call that was paid for is taken back; a thing that several have won goes
    to a knob, keyed card by card; who plays without a count is named."""
    core, keys = standing.core, caller.keyboard
    core.script.refusals["undo"] = "paid-already", "two people approve it first"
    shown(caller, standing, STATES["playing"])
    for who in ("Anna", "Ben"):
        keys.press("u")
        chosen(caller, "1")
        expect(caller.get_by_test_id("choose")).to_contain_text("Who agrees to undo the call?")
        caller.get_by_test_id("reason").fill(who)
        keys.press("Enter")
        expect(said(caller)).to_have_text(f"{who} agrees. When two have agreed, press U again.")
    approvals = [message["do"] for message in core.done if message["do"]["act"] == "approve"]
    assert approvals == [{"act": "approve", "about": "undo", "who": who} for who in ("Anna", "Ben")]
    expect(caller.get_by_test_id("lots")).to_have_count(0)
    core.script.refusals["close"] = "lots-not-drawn", "several have won the thing for early five"
    won = canned.at_once()
    undecided = tuple(win.model_copy(update={"draws": True}) for win in won.wins)
    shown(caller, standing, won.model_copy(update={"wins": undecided}))
    expect(caller.get_by_test_id("lots")).to_be_visible()
    twice(caller, "g")
    expect(said(caller)).to_contain_text("Here, press D to enter the balls.")
    twice(caller, "d")
    for who, knob in (("Bruno", "45"), ("0003", "12")):
        expect(caller.get_by_test_id("choose")).to_contain_text(f"a pie: the ball of {who}")
        caller.get_by_test_id("reason").fill(knob)
        keys.press("Enter")
    expect(said(caller)).to_have_text("The highest ball wins it.")
    lots = {"act": "lots", "stage": "early-five", "knobs": [["0002", 45], ["0003", 12]]}
    assert core.done[-1]["do"] == lots
    twice(caller, "d")
    caller.get_by_test_id("reason").fill("91")
    keys.press("Enter")
    expect(said(caller)).to_contain_text("91 is not a number from 1 to 90")
    assert core.done[-1]["do"] == lots
    shown(caller, standing, STATES["not ready"])
    expect(caller.get_by_test_id("waive-census")).to_be_visible()
    expect(caller.locator("dialog[open]")).to_have_count(0)
    twice(caller, "i")
    caller.get_by_test_id("reason").fill("Anna")
    keys.press("Enter")
    expect(said(caller)).to_have_text("Recorded. The game can be opened.")
    why = "decided on the caller's page"
    assert core.done[-1]["do"] == {"act": "waive", "about": "census", "who": "Anna", "why": why}


@pytest.fixture
def abroad(browser: Browser, standing: Standing) -> Iterator[Callable[[str, str], Page]]:
    """Opens a page in a browser of another language."""
    contexts = []

    def opened(path: str, language: str) -> Page:
        context = browser.new_context(
            locale=language, viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LIMIT_MS)
        page.goto(f"{standing.url}/{path}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        return page

    yield opened
    for context in contexts:
        context.close()


LINES = """one => {
  const { height } = one.getBoundingClientRect();
  return Math.round(height / parseFloat(getComputedStyle(one).lineHeight));
}"""


@pytest.mark.browser
@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("path", ["caller", "seat", "table", "desk"])
def test_the_head_leaves_room_for_the_name_of_the_game(
    standing: Standing, abroad: Callable[[str, str], Page], path: str, language: str
) -> None:
    """Long words beside it take two lines before the game's name takes three."""
    page = abroad(path, language)
    standing.show(canned.playing(test=True, seq=standing.core.view.seq + 1))
    expect(page.get_by_test_id("game")).not_to_be_empty()
    assert page.get_by_test_id("game").evaluate(LINES) <= 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


STICKING_OUT = """() => [...document.querySelectorAll("dialog button")].filter((one) => {
  const box = one.getBoundingClientRect();
  const parts = [...one.querySelectorAll("kbd")].map((key) => key.getBoundingClientRect());
  return one.scrollWidth > one.clientWidth
    || parts.some(({ left, right }) => right > box.right - 2 || left < box.left + 2);
}).map((one) => one.textContent)"""


@pytest.mark.browser
@pytest.mark.parametrize("language", ["de", "fr", "ru"])
def test_the_key_of_a_choice_is_on_its_button(
    standing: Standing, abroad: Callable[[str, str], Page], language: str
) -> None:
    """However long the words of the choice are."""
    page = abroad("caller", language)
    expect(page.locator("#caller")).to_be_visible()
    for name in ("undo", "break"):
        page.get_by_test_id(name).click()
        expect(page.get_by_test_id("choose")).to_be_visible()
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(STICKING_OUT) == []
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("choose")).to_have_count(0)
        page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.browser
def test_a_device_that_works_again_has_a_name_in_the_readers_language(
    standing: Standing, abroad: Callable[[str, str], Page]
) -> None:
    """Not the name that the settings have; without a name, what its sign said."""
    page = abroad("caller", "de")
    expect(page.locator("#caller")).to_be_visible()
    for device, text, told in (
        ("journal", "No room on the disk.", "Vorbei: Protokoll."),
        ("reader-2", "The reader is unplugged.", "Vorbei: Lesegerät 2."),
        ("words", "Old words: load them again.", "Vorbei: Old words."),
    ):
        sign = SignView(device=device, colour="amber", text=text)
        shown(page, standing, canned.playing(signs=(sign,)))
        expect(said(page)).to_contain_text(text)
        shown(page, standing, canned.playing())
        expect(said(page)).to_have_text(told)


BROKEN = """() => [...document.querySelectorAll(".main-keys button")].flatMap((one) => {
  const text = one.firstChild;
  return [...text.textContent.matchAll(/[^\\s]+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})"""
COVERED = """() => {
  const [next, bar] = ["next", "thumb"].map((id) => document.getElementById(id));
  return next.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1;
}"""


@pytest.mark.browser
@pytest.mark.parametrize("size", [(260, 380), (640, 400)])
@pytest.mark.parametrize("language", ["de", "fr", "en"])
def test_a_small_window_breaks_no_word_and_covers_no_sentence(
    standing: Standing,
    abroad: Callable[[str, str], Page],
    language: str,
    size: tuple[int, int],
) -> None:
    """What comes next stands above the large button, and the button's words are whole."""
    page = abroad("caller", language)
    expect(page.locator("#caller")).to_be_visible()
    page.keyboard.press("l")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for state in ("playing", "between", "all played"):
        shown(page, standing, STATES[state])
        expect(page.locator("body")).to_have_attribute("data-lite", "true")
        assert page.evaluate(BROKEN) == [], state
        assert not page.evaluate(COVERED), state
    shown(page, standing, STATES["stopped"])
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.browser
@pytest.mark.parametrize("state", ["closed", "halted", "playing"])
def test_a_number_cannot_be_called_where_none_can_be_drawn(
    caller: Page, standing: Standing, state: str
) -> None:
    """The button beside the number says so, as all others do."""
    shown(caller, standing, STATES[state])
    button = caller.locator("#key button")
    expect(button).to_have_attribute("aria-disabled", str(state != "playing").lower())


def near_card(serial: str, *missing: int) -> dict[str, Any]:
    card = {"serial": serial, "holder": "Anna", "many": len(missing), "numbers": list(missing)}
    return {"key": "row", "name": "One line", "cards": [card]}


@pytest.mark.browser
def test_the_list_of_near_cards_follows_the_game(caller: Page, standing: Standing) -> None:
    """A card that has won leaves the list; so does a prize that is no longer open."""
    standing.core.script.near = [near_card("0001")]
    caller.keyboard.press("w")
    near = caller.get_by_test_id("nearest")
    expect(near).to_contain_text("0001, Anna: complete, not claimed yet (One line).")
    changes: list[dict[str, Any]] = [
        {"wins": canned.won().wins},
        {"phase": Phase.STOPPED},
        {"open": canned.at_once().open},
        {"claims": (canned.claim(Verdict.VALID, "Valid for: row"),)},
    ]
    for number, change in enumerate(changes):
        standing.core.script.near = [near_card(f"1{number:03}", 7)]
        shown(caller, standing, canned.playing(**change))
        expect(near).to_contain_text(f"1{number:03}")
        expect(near).not_to_contain_text("0001")
    standing.core.script.near = []
    shown(caller, standing, canned.playing(phase=Phase.BETWEEN, open=()))
    expect(near).to_be_hidden()


@pytest.mark.browser
def test_the_hall_adds_its_words(caller: Page, standing: Standing) -> None:
    """While a shared bag waits the big button takes them, as text, instead of drawing; they
    can be waived by name. What the bag is committed to with stands on the page."""
    core, keys = standing.core, caller.keyboard
    luck = "This game's bag: ABCD EFGH IJKL MNOP QRST \u00b7 Call out words for the draw!"
    waits = canned.playing(called=(), wants_words=True, luck=luck, press="")
    shown(caller, standing, waits)
    expect(caller.get_by_test_id("luck")).to_have_text(luck)
    expect(caller.get_by_test_id("big")).to_contain_text("Words from the hall")
    keys.press("Space")
    caller.get_by_test_id("reason").fill("<b>gr\u00fcner</b> Zaun 17")
    keys.press("Enter")
    expect(said(caller)).to_have_text("The words are part of the draw.")
    assert core.done[-1]["do"] == {"act": "mix", "words": "<b>gr\u00fcner</b> Zaun 17"}
    twice(caller, "i")
    caller.get_by_test_id("reason").fill("Anna")
    keys.press("Enter")
    expect(said(caller)).to_have_text("Recorded. The draw can begin.")
    why = "decided on the caller's page"
    assert core.done[-1]["do"] == {"act": "waive", "about": "words", "who": "Anna", "why": why}
    shown(caller, standing, canned.playing(called=(), luck="Words from the hall: <b>x</b>"))
    expect(caller.get_by_test_id("luck")).to_have_text("Words from the hall: <b>x</b>")
    expect(caller.get_by_test_id("waive-words")).to_have_count(0)


@pytest.mark.browser
def test_the_pace_stands_between_slower_and_faster(caller: Page, standing: Standing) -> None:
    """As the station has it, and as it is after each press."""
    for pace in (6.0, 4.0):
        shown(caller, standing, canned.playing(auto=AutoView(on=False, pace=pace)))
        expect(caller.locator(".pace")).to_have_text(f"Slower-every {pace:.0f} sFaster+")


@pytest.mark.browser
@pytest.mark.parametrize("role", ["caller", "admin"])
def test_a_prize_is_paid_here_or_it_is_said_where(
    caller: Page, standing: Standing, role: str
) -> None:
    """Who may pays what the card is owed; the caller is told who does, and agrees to a sum that
    takes two."""
    script = standing.core.script
    if role == "admin":
        script.may = ("draw", "open", "pay", "approve")
    else:
        script.may = ("draw", "open", "approve")
    row = canned.PrizeView(minor=600, text="£6.00")
    win = canned.win("one row", "0001", "Anna", row, "not paid yet", key="row")
    caller.keyboard.press("y")
    expect(said(caller)).to_have_text("No prize is waiting to be paid.")
    script.owed = {"serial": "0001", "holder": "Anna", "amount": 600, "things": [], "lots": []}
    script.owed |= {"needs_approval": role == "caller", "approved": []}
    script.unpaid = True
    shown(caller, standing, canned.playing(wins=(win,)))
    prizes = caller.get_by_test_id("prizes")
    expect(prizes).to_contain_text("Prizes to pay Y")
    expect(prizes).to_contain_text("Card 0001 Anna £6.00")
    pays = prizes.get_by_role("button", name="Pay £6.00" if role == "admin" else "Approve £6.00")
    expect(pays).to_be_visible()
    twice(caller, "y")
    expect(pays).to_be_focused()
    if role == "caller":
        expect(prizes).to_contain_text("A cashier or an admin pays it at the desk.")
        expect(prizes.get_by_role("button", name="Pay")).to_have_count(0)
    else:
        expect(prizes.locator("#who-pays")).to_be_hidden()
    caller.keyboard.press("Enter")
    if role == "caller":
        expect(said(caller)).to_have_text("Anna approves £6.00 for card 0001.")
        wish = {"act": "approve", "serial": "0001", "who": "Anna", "amount": 600}
    else:
        expect(said(caller)).to_have_text("Card 0001: £6.00 handed over.")
        wish = {"act": "pay", "serial": "0001", "amount": 600, "means": "cash"}
    assert [message["do"] for message in standing.core.done] == [wish]
    # A prize of the game before waits as well, until it is paid.
    shown(caller, standing, canned.playing())
    expect(prizes).to_contain_text("Card 0001 Anna £6.00")
    script.unpaid = False
    shown(caller, standing, canned.playing(wins=(win.model_copy(update={"paid": True}),)))
    expect(prizes).to_be_hidden()


@pytest.mark.browser
def test_a_small_window_has_the_number_the_next_step_and_stop(
    caller: Page, standing: Standing
) -> None:
    """By the switch, which is remembered, or because there is no room for more; everything is
    there again afterwards."""
    shown(caller, standing, STATES["playing"])
    everything = caller.locator("main button:visible, main input:visible").count()
    caller.keyboard.press("l")
    expect(caller.locator("main button:visible, main input:visible")).to_have_count(2)
    caller.reload()
    expect(caller.locator("main button:visible, main input:visible")).to_have_count(2)
    for testid in ("number", "next", "big", "stop"):
        expect(caller.get_by_test_id(testid)).to_be_visible()
    caller.keyboard.press("7")
    expect(said(caller)).to_have_text("Numbers cannot be entered here. Press L for all controls.")
    caller.keyboard.press("l")
    expect(caller.locator("main button:visible, main input:visible")).to_have_count(everything)
    caller.set_viewport_size({"width": 260, "height": 380})
    expect(caller.locator("main button:visible, main input:visible")).to_have_count(2)
    for testid in ("number", "next", "big", "stop"):
        expect(caller.get_by_test_id(testid)).to_be_in_viewport()
    assert caller.evaluate("document.documentElement.scrollWidth") <= 260


# What is read of the page with its colours, and how large what is pressed is.
LOOK = """() => {
  const all = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!colour.endsWith(", 0)")) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const contrast = (one) => {
    const two = [getComputedStyle(one).color, ground(one)].map(light).sort((a, b) => b - a);
    return (two[0] + 0.05) / (two[1] + 0.05);
  };
  const isText = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim();
  const reads = (one) => [...one.childNodes].some(isText);
  const box = (one) => one.getBoundingClientRect();
  return {
    pale: all.filter((one) => reads(one) && contrast(one) < 7)
      .map((one) => `${one.localName}.${one.className} ${one.innerText}: ${contrast(one)}`),
    tiny: all.filter((one) => one.matches("button, input, a"))
      .filter((one) => box(one).height < LEAST || box(one).width < LEAST)
      .map((one) => [one.localName, one.id, one.innerText, box(one).width, box(one).height]),
    wide: document.documentElement.scrollWidth,
  };
}""".replace("LEAST", str(LEAST_TARGET))


@pytest.mark.browser
@pytest.mark.long
def test_it_can_be_read_and_pressed_at_every_size(caller: Page, standing: Standing) -> None:
    """Text has a contrast of 7 to 1, what is pressed is 44 pixels wide and high, nothing is wider
    than the window; on a laptop all of it is there without scrolling."""
    for name, view in STATES.items():
        shown(caller, standing, view)
        caller.reload()  # what was told before is gone
        expect(caller.locator("body")).to_have_attribute("data-phase", view.phase.value)
        expect(caller.get_by_test_id("off")).to_be_visible()
        for width, height in SIZES:
            caller.set_viewport_size({"width": width, "height": height})
            look = caller.evaluate(LOOK)
            assert (look["pale"], look["tiny"]) == ([], []), (name, width)
            assert look["wide"] <= width, name
            for testid in ("number", "next", "big", "stop"):
                expect(caller.get_by_test_id(testid)).to_be_in_viewport()
            if width > height and view.phase is not Phase.HALTED:
                expect(caller.get_by_test_id("off")).to_be_in_viewport(ratio=1)
    twice(caller, "o")
    for width, height in SIZES:
        caller.set_viewport_size({"width": width, "height": height})
        look = caller.evaluate(LOOK)
        assert (look["pale"], look["tiny"]) == ([], []), width
    caller.keyboard.press("Escape")


@pytest.mark.browser
@pytest.mark.long
def test_every_language_fits(caller: Page, standing: Standing) -> None:
    """The longest texts, too: the next night is a sentence on the large button."""
    shown(caller, standing, STATES["closed"])
    fits_in_every_language(caller, lambda: expect(caller.locator("#caller")).to_be_visible())


@pytest.mark.browser
def test_signs_names_and_the_paper_list_are_shown(caller: Page, standing: Standing) -> None:
    """A device in trouble is told and stays in sight; where the record cannot be written the page
    says how to go on with paper."""
    shown(caller, standing, canned.troubled())
    expect(caller.locator("#signs")).to_contain_text("The reader is unplugged")
    expect(said(caller)).to_have_class("done bad")
    sound = SignView(device="sound", colour="amber", text="<b>muted</b>")
    shown(caller, standing, canned.playing(signs=(sound,)))
    expect(caller.locator("#signs")).to_have_text("<b>muted</b>")
    expect(caller.get_by_test_id("mute")).to_contain_text("Sound on")
    shown(caller, standing, canned.halted())
    expect(caller.locator("#procedure li")).to_have_count(len(load_wording().procedure))


@pytest.mark.browser
def test_without_the_right_there_is_only_the_reason(page: Page, tmp_path: Path) -> None:
    """Who may not call is told where to, whether the core lets him ask or not."""
    loop = Loop()
    checker = Scripted(tmp_path / "checker.sock", canned.playing())
    checker.script.may = ("claim", "stop")
    for core in (Distant(tmp_path / "station.sock", canned.playing()), checker):
        loop.run(core.open())
        app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), desk=True)
        with served(loop, app) as url:
            page.goto(f"{url}/caller")
            expect(page.locator("#away")).to_contain_text("Use the station's own buttons")
            expect(page.locator("#caller")).to_be_hidden()
            page.goto("about:blank")
        loop.run(core.close())
    loop.close()


@pytest.mark.browser
def test_without_javascript_a_page_has_its_name_and_nothing_that_is_empty(
    browser: Browser, standing: Standing
) -> None:
    """Not even the button that only a script gives its words."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for name in ("caller", "desk", "treasurer", "table", "people", "health", "pair"):
        page.goto(f"{standing.url}/{name}")
        expect(page.locator("h1")).not_to_be_empty()
        head = page.locator(".bar button:visible, .bar a:visible, .bar select:visible")
        assert all(head.all_inner_texts()), name
    context.close()


HIGHEST_HEAD = 96  # pixels of a phone


@pytest.mark.browser
@pytest.mark.long
def test_every_page_says_who_is_here_and_leads_to_all_that_the_device_opens(
    browser: Browser, tmp_path: Path
) -> None:
    """In a line on a laptop; on a phone in a head that leaves the window to the page."""
    loop = Loop()
    with (
        station_with(loop, browser, tmp_path, PACK, PROGRAMME) as night,
        Visit(night, "admin", "/start", {"width": 1280, "height": 800}) as visit,
    ):
        page = visit.page
        night.do("sell", serials=["0001"])
        night.do("open")
        for name in ("caller", "desk", "treasurer", "table", "people", "health"):
            page.set_viewport_size({"width": 1280, "height": 800})
            page.get_by_test_id(f"door-{name}").click()
            who = page.get_by_test_id("who-here")
            expect(who).to_have_text("Ada, admin What this device opens")
            expect(page.locator("main")).to_be_visible()
            for code in ("de", "ru", "en"):
                page.get_by_test_id("language").select_option(code)
                expect(page.locator("html")).to_have_attribute("lang", code)
                expect(who).to_be_visible()
                page.set_viewport_size({"width": 1280, "height": 800})
                box, of = page.locator(".bar").bounding_box(), who.bounding_box()
                language = page.get_by_test_id("language").bounding_box()
                assert box is not None
                assert of is not None
                assert language is not None
                assert language["y"] < of["y"] + of["height"], (name, code)  # in one line
                page.set_viewport_size(PHONE)
                box = page.locator(".bar").bounding_box()
                assert box is not None
                assert box["height"] <= HIGHEST_HEAD, (name, code)
                assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
                expect(who).to_be_in_viewport(ratio=1)
            who.click()
    loop.close()


# -- an evening ------------------------------------------------------------------------------------


class Station:
    """A real core with `PACK` and a programme, which can be killed and started again."""

    def __init__(
        self,
        loop: Loop,
        folder: Path,
        settings: Settings | None = None,
        programme: Programme = PROGRAMME,
    ) -> None:
        self.loop, self.folder = loop, folder
        self.settings, self.programme = settings or Settings(), programme
        (folder / "packs").mkdir()
        (folder / "packs" / PACK_FILE).write_text(PACK.to_csv())
        self.start()

    def start(self) -> None:
        machine = Machine(clock=CLOCK, chance=Random(3), check_ground=lambda folder, *, test: None)
        run = self.folder / "run"
        self.core = self.loop.call(
            lambda: Core(self.settings, self.folder, run, programme=self.programme, machine=machine)
        )
        self.loop.run(self.core.open())

    def stop(self) -> None:
        self.loop.run(self.core.close())

    def do(self, act: str, **arguments: Any) -> None:
        """What somebody else does."""

        async def work() -> Message:
            async with await Client.open(self.core.run / SOCKET, "admin") as client:
                return await client.do(act, **arguments)

        answer = self.loop.run(work())
        assert answer.get("ok"), answer


@pytest.fixture
def settings() -> Settings:
    """What the hall has set."""
    return Settings()


@pytest.fixture
def programme() -> Programme:
    """What is played."""
    return PROGRAMME


@pytest.fixture
def station(
    tmp_path: Path, settings: Settings, programme: Programme
) -> Iterator[tuple[Station, str]]:
    """A station on which three cards are sold, and the address of its pages."""
    loop = Loop()
    station = Station(loop, tmp_path, settings, programme)
    station.do("sell", serials=["0001", "0002", "0003"], to="Anna")
    app = make_app(
        station.core.run / SOCKET,
        None,
        voice=VOICES / "en",
        wording=load_wording(),
        token="s3cret",  # noqa: S106 - a test's
        desk=True,
    )
    with served(loop, app) as url:
        yield station, f"{url}/caller?token=s3cret"
    station.stop()
    loop.close()


def at(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#caller")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-stale", "false")


@pytest.mark.browser
@pytest.mark.long
def test_an_evening_by_keys_alone(page: Page, station: tuple[Station, str]) -> None:
    """Two games and the end of the night, without a mouse; each key answers in a sentence."""
    at(page, station[1])
    assert "token" not in page.url
    sent = acts_sent(page, "/caller/do")
    keys = page.keyboard

    def says(text: str) -> None:
        expect(said(page)).to_contain_text(text)

    def comes(text: str) -> None:
        expect(page.get_by_test_id("next")).to_contain_text(text)

    def keyed(text: str) -> None:
        keys.type(text)
        keys.press("Enter")

    def answered(*, meant: bool) -> None:
        """Enter leaves it; who is sure goes to the other button."""
        if meant:
            keys.press("Shift+Tab")
        keys.press("Enter")

    comes("Next: open The first house (Space).")
    keys.press("u")
    says("No game is open. Next: open The first house (Space).")
    keys.press("Space")
    says("The first house is open: eyes down.")
    comes("Next: draw the first number (Space).")
    keys.press("Space")
    says(" has been called.")
    first = page.get_by_test_id("number").inner_text()
    keys.press("u")
    again = f"{first} will come again as the next number: taking it back does not change the draw."
    expect(page.get_by_test_id("choose")).to_contain_text(f"Why undo {first}?{again}")
    keys.press("Escape")
    says("Cancelled. Nothing was done.")
    keys.press("u")
    chosen(page, "2")
    says(f"{first} has been undone.")
    comes(f"{first} was taken back and will come again as the next number.")
    expect(page.get_by_test_id("number")).to_have_text("–")
    for number in TOP[:4]:
        call(page, number)
        says(f"{number} has been called.")
    # A card is looked at and nothing stops; at the stop it is claimed with, and is wrong.
    to_card(page)
    keyed("0001")
    says("Not valid: wants 76 for One line")
    expect(page.locator(".face .marked")).to_have_text([str(number) for number in TOP[:4]])
    keys.press("w")
    says("0001, Anna, wants 76 for")
    expect(page.get_by_test_id("nearest")).to_contain_text("Closest to a prize")
    keys.press("s")
    says("Play has stopped.")
    comes("Stopped for a claim. Next: enter the card and press Enter, or play on (P).")
    keyed("0001")
    expect(page.get_by_test_id("checked")).to_contain_text("0001 not valid: wants 76 for One line")
    expect(page.get_by_test_id("verdict")).to_have_text("Not valid")
    keys.press("Space")
    says("The space bar only draws and opens.")
    keyed("9999")
    says("9999")
    play_on(page)
    says("Play continues.")
    call(page, TOP[4])
    says("76 has been called.")
    expect(page.get_by_test_id("nearest")).to_be_hidden()
    keys.press("w")
    says("0001, Anna: complete, not claimed yet (One line).")
    call(page, TOP[4])
    says("76")
    keys.press("s")
    comes("Stopped for a claim.")
    expect(page.get_by_test_id("card")).to_be_focused()  # there letters are no commands
    some_time_after(page)
    keyed("OOO1")
    says("Card 0001: The claim is valid.")
    comes("Any more claims? Next: enter the next card, or play on (P).")
    keyed("0001")
    says("Checked already at this stop: valid for One line.")
    expect(page.locator(".face .last")).to_have_text("76")
    expect(page.locator(".face .winning")).to_have_text([str(number) for number in TOP])
    keyed(" ".join(map(str, TOP)))
    says("ticket")
    play_on(page)
    says("Play continues.")
    says("Anna won")
    # It was right, and stays so, beside what it wants for the next prize.
    to_card(page)
    keyed("0001")
    says("It has won One line (£")
    expect(page.get_by_test_id("verdict")).to_have_text("Already won")
    expect(page.get_by_test_id("verdict")).to_have_class("verdict good")
    expect(page.get_by_test_id("found")).to_contain_text("wants 2, 17, 22, 28, ")
    expect(page.locator(".won")).to_contain_text("(not paid yet)")
    # Said again; by itself, faster, and paused.
    keys.press("r")
    says("Repeated: 76.")
    keys.press("b")
    says("Repeated, newest first: 76, 50, 33, 11, 5.")
    for pace in (5, 4, 3, 2):
        keys.press("+")
        says(f"A number every {pace} s.")
    twice(page, "a")
    comes("Auto-call: a number every 2 s. Next: stop for a claim (S), or pause (A).")
    expect(page.locator("#count")).not_to_have_text("Number 5 of this game")
    twice(page, "a")
    says("Auto-call is off.")
    comes("Next: draw again (Space), or stop for a claim (S).")
    # What cannot be taken back is asked about; so is a game for which nothing is sold.
    keys.press("n")
    says("A game is open. Next: draw again (Space)")
    twice(page, "g")
    expect(page.get_by_test_id("lost")).to_contain_text("1 prize is not won")
    answered(meant=False)
    says("Cancelled. Nothing was done.")
    twice(page, "g")
    expect(page.get_by_test_id("lost")).to_contain_text("1 prize is not won")
    answered(meant=True)
    says("The game has been closed.")
    comes("Next: open The last house (Space).")
    twice(page, "q")
    says("No ball is enrolled here")
    keys.press("Space")
    expect(page.get_by_test_id("lost")).to_contain_text("No card is sold for game 2")
    answered(meant=True)
    says("The last house is open: eyes down.")
    expect(page.get_by_test_id("prizes")).to_contain_text("Card 0001 Anna")
    twice(page, "x")
    expect(page.get_by_test_id("choose")).to_be_visible()
    keys.press("Escape")
    twice(page, "g")
    says("The game has been closed.")
    comes("All games have been played. Next: close the night (N).")
    twice(page, "n")
    for text in ("Close the night?", "in prizes is still to be paid", "card 0001, Anna: "):
        expect(page.get_by_test_id("choose")).to_contain_text(text)
    answered(meant=True)
    says("closed.")
    expect(page.locator("body")).to_have_attribute("data-phase", "closed")
    comes("Next: start another night (Space).")
    keys.press("Space")
    says("The next night has started.")
    comes("Next: open The first house (Space).")
    assert sent[:3] == ["open", "draw", "undo"]
    assert sent[-3:] == ["close", "close-night", "next-night"]
    page.goto("about:blank")


@pytest.mark.browser
@pytest.mark.parametrize("programme", [WITH_TICKETS])
def test_a_card_that_was_checked_elsewhere_is_drawn_with_its_marks(
    page: Page, station: tuple[Station, str]
) -> None:
    """By the command line, a button or another page: each claim of the stop has a line, the newest
    is drawn, after a reload too; what is looked at after that stays until another claim comes. At a
    page that was only loaded the station is not back."""
    core, address = station
    core.do("sell", tickets=1)
    core.do("open")
    for number in TOP:
        core.do("draw", number=number)
    core.do("claim", serial="0001")
    core.do("claim", serial="0002")
    at(page, address)
    lines, found = page.get_by_test_id("checked").locator("li"), page.get_by_test_id("found")
    for _ in range(2):
        expect(lines).to_have_count(2)
        expect(lines.first).to_have_class("good")
        expect(lines.last).to_have_class("bad")
        expect(found).to_contain_text("0002 Anna")
        expect(page.get_by_test_id("verdict")).to_have_text("Not valid")
        expect(said(page)).to_be_empty()
        page.reload()
    lines.first.get_by_role("button", name="0001").click()
    expect(found.locator(".face .marked")).to_have_text([str(number) for number in TOP])
    expect(found.locator(".face .last")).to_have_text("76")
    expect(found).to_contain_text("You can pay it as soon as play continues (P).")
    core.do("claim-ticket", numbers=[5, 11, 33, 50, 90], name="Mary")
    expect(lines).to_have_count(3)
    expect(found.locator(".ball.marked")).to_have_text(["5", "11", "33", "50"])
    expect(found.locator(".ball.missing")).to_have_text(["90"])
    page.reload()
    expect(found.locator(".ball.missing")).to_have_text(["90"])
    core.do("play-on")
    expect(found).to_be_hidden()
    expect(lines).to_have_count(0)
    # What was won is paid from here.
    expect(page.get_by_test_id("prizes")).to_contain_text("Card 0001 Anna")
    expect(page.get_by_test_id("who")).to_be_hidden()
    page.get_by_test_id("prizes").get_by_role("button", name="Pay").click()
    expect(said(page)).to_contain_text("handed over.")
    expect(page.get_by_test_id("prizes")).to_be_hidden()
    page.goto("about:blank")


@pytest.mark.browser
def test_a_large_prize_is_approved_by_the_pin_of_a_second_person(
    browser: Browser, tmp_path: Path
) -> None:
    """On the admin's own device: refused until another has agreed, with the own PIN."""
    loop = Loop()
    strict = PROGRAMME.model_copy(update={"approve_above": 10})
    with station_with(loop, browser, tmp_path, PACK, strict) as night:
        night.do("sell", serials=["0001", "0002"], to="Anna")
        night.do("open")
        for number in TOP:
            night.do("draw", number=number)
        night.do("claim", serial="0001")
        night.do("play-on")
        digits = night.pin("Eve")
        with Visit(night, "admin", "/caller", {"width": 1280, "height": 800}) as visit:
            page, prizes = visit.page, visit.page.get_by_test_id("prizes")
            expect(prizes).to_contain_text("needs a second person")
            expect(page.get_by_test_id("who")).to_be_visible()
            prizes.get_by_role("button", name="Pay").click()
            expect(said(page)).to_contain_text("two people answer for it")
            prizes.get_by_label("Second person's name").fill("Eve")
            page.keyboard.press("Enter")
            page.get_by_test_id("pin").fill(digits)
            page.keyboard.press("Enter")
            expect(said(page)).to_contain_text("Eve approves")
            expect(prizes).to_contain_text("approved by Eve")
            prizes.get_by_role("button", name="Pay").click()
            expect(said(page)).to_contain_text("handed over.")
            expect(prizes).to_be_hidden()
    loop.close()


PIE = Programme(
    name="t",
    games=(
        GamePlan(
            name="The pie",
            price=150,
            tickets=True,
            stages=(
                StagePlan(pattern="row", share=50, thing="a pie"),
                StagePlan(pattern="full", share=50),
            ),
        ),
    ),
)


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("programme", [PIE])
def test_lots_a_second_person_and_breaking_off(page: Page, station: tuple[Station, str]) -> None:
    """Two have won one thing, and the higher knob has it; a call that was paid for is taken back
    when two have agreed; a game that cannot go on is broken off, with its reason."""
    core, address = station
    core.do("sell", tickets=1)
    at(page, address)
    keys = page.keyboard

    def says(text: str) -> None:
        expect(said(page)).to_contain_text(text)

    def chooses(title: str, text: str) -> None:
        expect(page.get_by_test_id("choose")).to_contain_text(title)
        page.get_by_test_id("reason").fill(text)
        keys.press("Enter")

    keys.press("Space")
    says("The pie is open: eyes down.")
    for number in TOP:
        call(page, number)
        says(f"{number} has been called.")
    keys.press("s")
    says("Play has stopped.")
    for place, claim in enumerate(("0001", " ".join(map(str, TOP))), 1):
        expect(page.get_by_test_id("card")).to_be_focused()  # a stop asks for a card
        keys.type(claim, delay=50)
        keys.press("Enter")
        expect(page.get_by_test_id("checked").locator("li")).to_have_count(place)
        says("he claim is valid")
    play_on(page)
    says("Play continues.")
    expect(page.get_by_test_id("lots")).to_be_visible()
    twice(page, "d")
    for who, knob in (("Anna", "3"), ("", "80")):
        chooses(f"a pie: the ball of {who}", knob)
    says("The highest ball wins it.")
    expect(page.get_by_test_id("lots")).to_have_count(0)
    core.do("pay", serial="0001", who="Eva")
    for who in ("Ben", "Eva"):
        keys.press("u")
        chosen(page, "1")
        chooses("Who agrees to undo the call?", who)
        says(f"{who} agrees. When two have agreed, press U again.")
    keys.press("u")
    chosen(page, "1")
    says("76 has been undone.")
    expect(page.get_by_test_id("number")).to_have_text("50")
    twice(page, "x")
    chosen(page, "2")
    expect(page.get_by_test_id("lost")).to_contain_text("2 prizes are not won")
    keys.press("Shift+Tab")
    keys.press("Enter")
    says("The game has been closed.")
    expect(page.get_by_test_id("next")).to_contain_text("All games have been played.")
    lines = (core.folder / "nights/0001/journal.jsonl").read_text().splitlines()
    acts = [json.loads(line)["do"] for line in lines]
    done = [act for act in acts if act["act"] in ("lots", "approve", "undo", "break")]
    assert done == [
        {"act": "lots", "stage": "row", "knobs": [["0001", 3], ["ticket-1-1", 80]]},
        {"act": "approve", "about": "undo", "who": "Ben"},
        {"act": "approve", "about": "undo", "who": "Eva"},
        {"act": "undo", "why": "Read wrongly"},
        {"act": "break", "why": "The hall was cleared"},
    ]
    page.goto("about:blank")


@pytest.mark.browser
@pytest.mark.parametrize("programme", [PIE])
def test_at_the_desk_the_last_game_is_not_over_before_it_is_closed(
    page: Page, station: tuple[Station, str]
) -> None:
    """Nothing is sold for another one, and it is being played all the same."""
    core, address = station
    core.do("open")
    core.do("stop")
    page.goto(address.replace("/caller", "/desk"))
    expect(page.locator("#coming")).to_have_text("the last game of the programme is being played")
    page.goto("about:blank")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a telephone, which must not complain."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


MOST_TAPS = 2


@pytest.mark.browser
@pytest.mark.long
def test_ten_tasks_take_two_taps_each_on_a_phone(phone: Page, station: tuple[Station, str]) -> None:
    """What a caller does all evening is one or two taps away, without scrolling to the side; what
    is answered is in sight, wherever the page was scrolled to."""
    at(phone, station[1])
    taps: dict[str, int] = {}

    def tap(task: str, what: str) -> None:
        taps[task] = taps.get(task, 0) + 1
        if what not in ("do-it", "yes"):
            phone.get_by_test_id("number").tap()  # two taps at one place would be a double tap
        phone.get_by_test_id(what).tap()

    def says(text: str) -> None:
        expect(said(phone)).to_contain_text(text)
        expect(said(phone)).to_be_in_viewport(ratio=1)

    tap("open", "big")
    says("The first house is open: eyes down.")
    tap("draw", "big")
    says(" has been called.")
    tap("say again", "repeat")
    says("Repeated: ")
    tap("take back", "undo")
    taps["take back"] += 1
    phone.get_by_role("button", name="Entered wrongly").tap()
    says(" has been undone.")
    for number in TOP:
        taps["key a number"] = 0
        tap("key a number", "keyed")
        phone.get_by_test_id("keyed").fill(str(number))
        taps["key a number"] += 1
        phone.get_by_role("button", name="Call it").tap()
        says(f"Call {number}?")
        some_time_after(phone)
        phone.get_by_test_id("number").tap()
        taps["key a number"] += 1
        phone.get_by_role("button", name="Call it").tap()
        says(f"{number} has been called.")
    tap("stop", "stop")
    says("Play has stopped.")
    tap("check a card", "card")
    phone.get_by_test_id("card").fill("0001")
    taps["check a card"] += 1
    phone.get_by_role("button", name="Check").tap()
    says("Card 0001: The claim is valid.")
    tap("play on", "big")
    says("Play continues.")
    tap("call by itself", "auto")
    says("Auto-call is on: a number every 6 s.")
    tap("pause", "auto")
    says("Auto-call is off.")
    tap("close the game", "close")
    is_asked(phone, phone.get_by_test_id("lost").inner_text())
    tap("close the game", "do-it")
    says("The game has been closed.")
    phone.get_by_test_id("prizes").get_by_role("button", name="Pay").tap()
    says("handed over")
    tap("close the night", "close-night")
    tap("close the night", "yes")
    says("closed.")
    expect(phone.locator("body")).to_have_attribute("data-phase", "closed")
    assert len(taps) >= 10
    # A number that is keyed is confirmed: it is heard at once.
    assert taps.pop("key a number") == MOST_TAPS + 1
    assert {task: count for task, count in taps.items() if count > MOST_TAPS} == {}
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    phone.goto("about:blank")


# Of what has the focus, whether the bar at the bottom lies over it; null where nothing has it.
UNDER_THE_BAR = """() => {
  const [one, bar] = [document.activeElement, document.querySelector("#thumb")];
  if (one === document.body) return null;
  const [box, top] = [one.getBoundingClientRect(), bar.getBoundingClientRect().top];
  const isHidden = !bar.contains(one) && (box.bottom > top + 1 || box.top < -1);
  return isHidden && (one.id || one.dataset.testid);
}"""


@pytest.mark.browser
def test_what_has_the_focus_is_never_under_the_bar_at_the_bottom(
    phone: Page, standing: Standing
) -> None:
    """By Tab through the whole page and back, and when a long answer makes the bar higher."""
    phone.goto(f"{standing.url}/caller")
    expect(phone.locator("#caller")).to_be_visible()
    shown(phone, standing, STATES["between"])
    for key in ("Tab", "Shift+Tab"):
        phone.keyboard.press(key)
        places = 0
        while (hidden := phone.evaluate(UNDER_THE_BAR)) is not None:
            assert not hidden, (key, hidden)
            places += 1
            phone.keyboard.press(key)
        assert places > len(CONTROLS)
    last = phone.get_by_test_id("off")
    phone.get_by_test_id("close").focus()
    phone.keyboard.press("Enter")
    expect(said(phone)).to_contain_text("No game is open.")
    last.focus()
    phone.get_by_test_id("close").evaluate("one => one.click()")
    phone.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert phone.evaluate(UNDER_THE_BAR) is False
    phone.goto("about:blank")


@pytest.mark.browser
def test_a_lost_station_is_said_and_comes_back_as_it_was(
    browser: Browser, station: tuple[Station, str]
) -> None:
    """Reloaded, in a second tab, after the core was killed: the same number and the same next step.
    While it is away every control says so, and nothing is sent."""
    core, address = station
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    at(page, address)
    page.keyboard.press("Space")
    expect(said(page)).to_contain_text("eyes down")
    page.keyboard.press("Space")
    expect(said(page)).to_contain_text(" has been called.")
    number = page.get_by_test_id("number").inner_text()
    other = context.new_page()
    at(other, address.partition("?")[0])
    expect(other.get_by_test_id("number")).to_have_text(number)
    core.stop()
    for tab in (page, other):
        expect(tab.locator("body")).to_have_attribute("data-stale", "true")
        expect(tab.locator("#away")).to_be_visible()
        expect(tab.get_by_test_id("number")).to_have_text(number)
    sent = acts_sent(page, "/caller/do")
    for key in ("Space", "s", "u", "g", "m", "a"):
        page.keyboard.press(key)
        expect(said(page)).to_contain_text("The station does not answer. Wait")
        expect(page.get_by_test_id("big")).to_have_attribute("aria-disabled", "true")
    assert sent == []
    page.reload()
    core.start()
    for tab in (page, other):
        expect(tab.locator("body")).to_have_attribute("data-stale", "false")
        expect(tab.locator("#away")).to_be_hidden()
        expect(tab.get_by_test_id("number")).to_have_text(number)
        expect(tab.get_by_test_id("next")).to_contain_text("Next: draw again (Space)")
    # Each tab follows what the other draws.
    page.keyboard.press("Space")
    expect(other.locator("#count")).to_have_text("Number 2 of this game")
    other.keyboard.press("Space")
    expect(page.locator("#count")).to_have_text("Number 3 of this game")
    context.close()


# -- a number that is seen first -------------------------------------------------------------------

see_first = pytest.mark.parametrize("settings", [Settings(calling=CallingSettings(see_first=True))])
# A press of the space bar that is over before the browser does anything else.
SHORT = """() => ["keydown", "keyup"].forEach((kind) =>
  document.body.dispatchEvent(new KeyboardEvent(kind, { key: " ", bubbles: true })))"""


def held(page: Page) -> str:
    """The number that stands over the large button while it is held."""
    number = page.get_by_test_id("held").locator("strong")
    expect(number).to_be_visible()
    text = number.inner_text()
    expect(page.get_by_test_id("next")).to_contain_text(f"{text} is next. Let go to call it")
    expect(said(page)).to_have_text(f"{text} is next. Let go to call it.")
    return text


@pytest.mark.browser
@pytest.mark.long
@see_first
def test_a_held_draw_shows_the_number_and_calls_it(
    page: Page, station: tuple[Station, str]
) -> None:
    """By mouse and by space bar: shown to this page while it is down, called when it comes up.
    Escape, and a pointer that goes elsewhere, let it wait; a claim and a lost line do, too; what
    was seen is the next number whoever calls it. A short press draws as ever."""
    core, address = station
    at(page, address)
    other = page.context.new_page()
    at(other, address.partition("?")[0])
    sent = acts_sent(page, "/caller/do")
    keys, mouse = page.keyboard, page.mouse

    def waits(number: str) -> None:
        expect(page.get_by_test_id("held")).to_have_count(0)
        line = f"You have seen {number}. Next: call it (Space)."
        expect(page.get_by_test_id("next")).to_have_text(line)

    def called(number: str) -> None:
        for tab in (page, other):
            expect(tab.get_by_test_id("number")).to_have_text(number)
            expect(tab.get_by_test_id("held")).to_have_count(0)
        expect(page.get_by_test_id("next")).to_contain_text("Next: draw again (Space)")

    def point() -> None:
        page.get_by_test_id("big").hover()

    keys.press("Space")
    expect(said(page)).to_contain_text("eyes down")
    # The mouse.
    point()
    mouse.down()
    number = held(page)
    before = page.get_by_test_id("big").bounding_box()
    assert before is not None
    expect(other.get_by_test_id("next")).to_contain_text("draw the first number")
    expect(other.get_by_test_id("number")).to_have_text("–")
    mouse.up()
    expect(said(page)).to_have_text(f"{number} has been called.")
    called(number)
    assert page.get_by_test_id("big").bounding_box() == before
    # The space bar; and a short press of it.
    keys.down("Space")
    number = held(page)
    keys.up("Space")
    called(number)
    page.evaluate(SHORT)
    expect(page.locator("#count")).to_have_text("Number 3 of this game")
    assert sent == ["open", "hold", "release", "hold", "release", "draw"]
    # Let go without a call; the number is kept, and a press calls it.
    keys.down("Space")
    number = held(page)
    keys.press("Escape")
    expect(said(page)).to_have_text(f"{number} is waiting. It will be called next.")
    waits(number)
    keys.up("Space")
    page.reload()
    waits(number)
    expect(page.locator("#caller")).to_be_visible()
    page.evaluate(SHORT)
    called(number)
    # The pointer goes elsewhere; another page holds it then, and calls it.
    point()
    mouse.down()
    number = held(page)
    page.get_by_test_id("number").hover()
    expect(said(page)).to_have_text(f"{number} is waiting. It will be called next.")
    mouse.up()
    waits(number)
    other.bring_to_front()
    other.keyboard.down("Space")
    assert held(other) == number
    other.keyboard.up("Space")
    page.bring_to_front()
    called(number)
    # Somebody claims.
    point()
    mouse.down()
    number = held(page)
    core.do("stop")
    expect(page.get_by_test_id("held")).to_have_count(0)
    mouse.up()
    core.do("play-on")
    waits(number)
    page.evaluate(SHORT)
    called(number)
    # The station goes away, and comes again.
    point()
    mouse.down()
    number = held(page)
    core.stop()
    expect(page.locator("body")).to_have_attribute("data-stale", "true")
    expect(page.get_by_test_id("held")).to_have_count(0)
    mouse.up()
    core.start()
    expect(page.locator("body")).to_have_attribute("data-stale", "false")
    waits(number)
    page.evaluate(SHORT)
    called(number)
    assert "undefined" not in page.locator("body").inner_text()
    for tab in (page, other):
        tab.goto("about:blank")


@pytest.mark.browser
@see_first
def test_a_finger_holds_the_draw(phone: Page, station: tuple[Station, str]) -> None:
    """Down, and the number stands above the finger; up, and it is called; moved away, and it
    waits. A tap draws."""
    at(phone, station[1])
    phone.get_by_test_id("big").tap()
    expect(said(phone)).to_contain_text("eyes down")
    box = phone.get_by_test_id("big").bounding_box()
    assert box is not None
    finger = phone.context.new_cdp_session(phone)

    def touch(kind: str, *, up: int = 0) -> None:
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - up
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart")
    number = held(phone)
    panel = phone.get_by_test_id("held").bounding_box()
    assert panel is not None
    assert panel["y"] + panel["height"] <= box["y"] + 1
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    touch("touchEnd")
    expect(phone.get_by_test_id("number")).to_have_text(number)
    touch("touchStart")
    number = held(phone)
    touch("touchMove", up=400)
    expect(said(phone)).to_have_text(f"{number} is waiting. It will be called next.")
    touch("touchEnd")
    phone.get_by_test_id("big").tap()
    expect(phone.get_by_test_id("number")).to_have_text(number)
    expect(phone.locator("#count")).to_have_text("Number 2 of this game")
    phone.goto("about:blank")
