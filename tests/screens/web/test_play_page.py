"""A game alone on a telephone, by the thumb: beside a night that does not hear of it, to its end,
and on again after a reload or while the station is away."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from station.core.simulation.practice_room import PracticeRoom
from station.screens.web.app import make_app
from station.wire.wording import VOICES, load_wording
from tests.drill.rig import Rig
from tests.looking import until
from tests.screens.web.axe import EXTREMES, found_at
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import fits_in_every_language
from tests.screens.web.fakes import LIMIT_S, Loop, served

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
MOST_PRESSES = 600
# What happened, what is next, and the next press, all on the first screenful.
IN_VIEW = """() => ['told', 'next', 'own'].every((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.top < innerHeight - 40;
}) && scrollY === 0"""
STAMP = "() => `${document.body.dataset.at} ${document.body.dataset.next}`"


@dataclass
class Player:
    """Somebody with a telephone, who plays by the thumb alone.

    Attributes:
        taken: how many taps.
    """

    page: Page
    url: str
    taken: int = 0

    def begins(self, game: str, players: int = 3, name: str = "Zoë") -> None:
        """Chooses a game, and is led to it."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.url}/play#{game}")
        form = self.page.get_by_test_id("begin")
        expect(form.locator("[name=game]")).to_have_value(game)
        form.locator("[name=name]").fill(name)
        form.locator("[name=players]").fill(str(players))
        form.get_by_role("button").tap()
        expect(self.page.locator("#table")).to_be_visible()
        expect(self.page.locator("#own-name")).to_contain_text(name)

    @property
    def next(self) -> str:
        return str(self.page.evaluate("document.body.dataset.next"))

    def is_awaited(self) -> None:
        """Until there is something to press, or the game is over."""
        until(self.page, "['move', 'throw', 'over'].includes(document.body.dataset.next)")

    def presses(self) -> None:
        """The likeliest thing: the throw, else a card of the hand and the first move."""
        before = self.page.evaluate(STAMP)
        if self.next == "throw":
            self.taps(self.page.locator('[data-key="throw"]'))
        else:
            self.makes_a_move()
        until(self.page, f"({STAMP})() !== '{before}'")

    def makes_a_move(self) -> None:
        held = self.page.get_by_test_id("held").get_by_role("button")
        moves = self.page.get_by_test_id("moves").locator(
            'button[aria-disabled="false"], button.main'
        )
        wanted = self.page.locator(
            ':is([data-key^="listen"], [data-key^="sing"]):not([aria-disabled="true"])'
        )
        if held.count() and not wanted.count():
            self.taps(held.first)
        self.taps((wanted if wanted.count() else moves).first)
        dialog = self.page.get_by_test_id("dialog")
        if dialog.is_visible():
            self.taps(dialog.locator(".squares button, .dialog-body button").first)

    def taps(self, button: Locator) -> None:
        """At another place than the last time: these taps are closer together than a person's, and
        two of them at one place would be a double click."""
        self.taken += 1
        box = button.bounding_box()
        assert box is not None
        where = 0.15 if self.taken % 2 else 0.85
        button.tap(position={"x": where * box["width"], "y": box["height"] / 2})

    def plays_to_the_end(self) -> None:
        for _ in range(MOST_PRESSES):
            self.is_awaited()
            if self.next == "over":
                return
            self.presses()
        raise AssertionError("it does not end")


@contextlib.contextmanager
def playing(browser: Browser, url: str, motion: str = "reduce") -> Iterator[Player]:
    """Somebody at a station whose core is away."""
    context = browser.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        reduced_motion=motion,  # type: ignore[arg-type]
        locale="en-GB",
        has_touch=True,
    )
    page = context.new_page()
    page.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield Player(page, url)
    context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def room() -> PracticeRoom:
    """Games whose pauses are short."""
    return PracticeRoom(Random(5), pace=0.01, each=40)


@pytest.fixture(scope="module")
def url(room: PracticeRoom, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    loop = Loop()
    nobody = tmp_path_factory.mktemp("hall") / "nobody"
    app = make_app(
        nobody, None, voice=VOICES / "en", wording=load_wording(), open_games=lambda: room
    )
    with served(loop, app) as url:
        yield url
    loop.close()


@pytest.fixture
def player(browser: Browser, url: str) -> Iterator[Player]:
    with playing(browser, url) as player:
        yield player


@pytest.mark.long
@pytest.mark.parametrize("game", ["dice-keno", "my-bird-sings"])
def test_a_game_is_played_to_its_end_by_the_thumb(player: Player, game: str) -> None:
    """With nothing but taps; its winner is told in the winner's own line, and the next game is one
    press away."""
    player.begins(game)
    player.plays_to_the_end()
    won = player.page.locator(".won")
    expect(won.first).to_be_visible()
    expect(won.first).to_contain_text("has won")
    holder = player.page.locator(".others li:has(.won), .own:has(.won)").first
    name = won.first.inner_text().removesuffix(" has won").strip()
    expect(holder.locator("h2, h3").first).to_contain_text(name)
    player.page.get_by_role("button", name="Play again").tap()
    until(player.page, "document.body.dataset.next !== 'over'")
    expect(player.page.locator(".won")).to_have_count(0)
    player.page.get_by_test_id("end").tap()
    expect(player.page.get_by_test_id("begin")).to_be_visible()


def test_the_first_screen_has_the_table_and_the_next_press(player: Player) -> None:
    """What happened, what is next, the own cards and the throw, without scrolling; and no fault
    that axe-core knows, in each state."""
    player.page.goto(f"{player.url}/play#dice-keno")
    expect(player.page.get_by_test_id("begin")).to_be_visible()
    for size in EXTREMES:
        assert found_at(player.page, size)["found"] == [], size
    player.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    player.begins("dice-keno", players=4)
    player.is_awaited()
    assert player.next == "throw"
    assert player.page.evaluate(IN_VIEW)
    throw = player.page.locator('[data-key="throw"]')
    box = throw.bounding_box()
    assert box is not None
    assert box["height"] >= 64
    assert box["y"] + box["height"] <= PHONE["height"]
    assert box["width"] >= 0.8 * PHONE["width"]
    for size in EXTREMES:
        assert found_at(player.page, size)["found"] == [], size


@pytest.mark.parametrize("game", ["loto-second", "dice-keno"])
def test_a_low_phone_sees_the_table_above_the_own_cards(player: Player, game: str) -> None:
    """At 360 by 640 the own panel leaves the table a share."""
    player.page.set_viewport_size({"width": 360, "height": 640})
    player.begins(game, players=4)
    box = player.page.get_by_test_id("own").bounding_box()
    assert box is not None
    assert box["height"] <= 0.56 * 640


def test_the_winner_of_loto_at_the_table_is_told_to_the_end(player: Player) -> None:
    """The last number wins, and the game is closed after it: the line stays, also after a reload.
    Then the own panel lies over nothing."""
    player.begins("loto-parlour", players=2)
    until(player.page, "document.body.dataset.next === 'over'")
    won = player.page.locator(".won")
    expect(won).not_to_have_count(0)
    player.page.reload()
    expect(player.page.locator("#table")).to_be_visible()
    expect(won).not_to_have_count(0)
    own = player.page.get_by_test_id("own")
    assert own.evaluate("one => getComputedStyle(one).position") == "static"


def test_a_reload_goes_on_with_the_same_game(player: Player, room: PracticeRoom) -> None:
    """Where it stood; a game that has ended meanwhile says so, and another is offered."""
    player.begins("spoil-five")
    player.is_awaited()
    held = player.page.get_by_test_id("held").locator(".playing-card")
    before = [card.get_attribute("aria-label") for card in held.all()]
    assert before
    player.page.reload()
    expect(player.page.locator("#table")).to_be_visible()
    expect(held).to_have_count(len(before))
    assert [card.get_attribute("aria-label") for card in held.all()] == before
    found = player.page.evaluate("localStorage.getItem('play-game')")
    room.leave(found, "en")
    player.page.reload()
    expect(player.page.get_by_test_id("away")).to_contain_text("This game has ended here")
    expect(player.page.get_by_test_id("begin")).to_be_visible()
    player.page.reload()
    expect(player.page.get_by_test_id("begin")).to_be_visible()
    expect(player.page.get_by_test_id("away")).to_be_hidden()


def test_a_win_is_celebrated_once_and_without_motion_where_nobody_wants_any(
    browser: Browser, url: str
) -> None:
    """The flourish comes with the win, and not again when the page is loaded anew; the line itself
    stays. Where motion is reduced nothing moves."""
    for motion in ("no-preference", "reduce"):
        with playing(browser, url, motion) as player:
            player.begins("tontine", players=2)
            player.is_awaited()
            won = player.page.locator(".won")
            expect(won).to_have_count(1)
            expect(won).to_have_class("won fresh")
            moves = won.evaluate("one => getComputedStyle(one).animationName")
            assert (moves == "none") == (motion == "reduce")
            player.page.reload()
            expect(won).to_have_count(1)
            expect(won).to_have_class("won")
            assert won.evaluate("one => getComputedStyle(one).animationName") == "none"


def test_a_phone_that_is_shaken_throws(player: Player) -> None:
    """Where its browser tells of motion: once for a shake, and only the person's own throw."""
    player.begins("dice-keno")
    player.is_awaited()
    before = player.page.evaluate(STAMP)
    expect(player.page.locator(".shake")).to_be_hidden()
    shake(player.page, 0)
    expect(player.page.locator(".shake")).to_be_visible()
    assert player.page.evaluate(STAMP) == before
    shake(player.page, 30)
    until(player.page, f"({STAMP})() !== '{before}'")


def shake(page: Page, force: float) -> None:
    page.evaluate(
        """force => dispatchEvent(Object.assign(new Event('devicemotion'),
          { accelerationIncludingGravity: { x: force, y: 0, z: 9.8 } }))""",
        force,
    )


def test_a_lost_answer_is_no_lost_throw(player: Player) -> None:
    """The line breaks after the throw was sent: it is asked for again, and thrown once."""
    player.begins("dice-keno")
    player.is_awaited()
    at = int(player.page.evaluate("document.body.dataset.at"))
    lost: list[str] = []

    def breaks(route, request) -> None:  # type: ignore[no-untyped-def]
        if request.post_data_json["do"] == "move" and not lost:
            lost.append(request.post_data)
            route.fetch()
            route.abort()
        else:
            route.continue_()

    player.page.route("**/play/do", breaks)
    player.page.locator('[data-key="throw"]').tap()
    until(player.page, f"Number(document.body.dataset.at) > {at}")
    assert len(lost) == 1
    thrown = player.page.get_by_test_id("told").inner_text()
    assert thrown.count("Zoë: The throw") <= 1


@pytest.mark.long
def test_it_fits_in_every_language(player: Player) -> None:
    """On a phone and on a laptop: choosing, and the table."""
    player.page.goto(f"{player.url}/play#spoil-five")
    form = player.page.get_by_test_id("begin")
    expect(form).to_be_visible()
    fits_in_every_language(player.page, lambda: expect(form).to_be_visible())


@pytest.mark.long
def test_a_night_with_sold_games_does_not_hear_of_it(browser: Browser, tmp_path: Path) -> None:
    """A whole station, with games sold: somebody takes a lesson and plays a game on its web, and
    its record stays the same, byte for byte."""
    rig = Rig(tmp_path, "", whole=True)
    rig.start()
    url = f"http://127.0.0.1:{rig.port}"
    try:
        with playing(browser, url) as player:
            _answers(player.page, url)
            player.page.goto(f"{url}/bench")
            expect(player.page.get_by_role("link", name="Play alone")).to_have_attribute(
                "href", "/play"
            )
            before = _record(rig.half)
            board = httpx.get(f"{url}/api/board", timeout=LIMIT_S).json()
            player.page.goto(f"{url}/learn#tontine")
            for step in range(2, 7):
                player.page.locator("#next").tap()
                expect(player.page.get_by_test_id("step")).to_have_text(f"Step {step} of 6")
            player.page.get_by_test_id("alone").tap()
            expect(player.page.get_by_test_id("begin")).to_be_visible()
            expect(player.page.get_by_test_id("which")).to_have_value("tontine")
            player.begins("my-bird-sings", 2)
            player.plays_to_the_end()
            assert _record(rig.half) == before
            again = httpx.get(f"{url}/api/board", timeout=LIMIT_S).json()
            assert (again["night"], again["seq"]) == (board["night"], board["seq"])
    finally:
        rig.kill()


def _record(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.glob("nights/*/*")}


def _answers(page: Page, url: str) -> None:
    """Until the station's pages are there."""
    for _ in range(int(LIMIT_S * 10)):
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/api/board", timeout=LIMIT_S).status_code == 200:
                return
        page.wait_for_timeout(100)
    raise AssertionError("the station does not start")
