"""Lessons and games alone over HTTP: anybody in the hall may play, without the core, but only from
the page itself; whatever is computed for them holds up nobody else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from station.core.simulation.practice_room import PracticeRoom
from station.screens.web.app import make_app
from station.screens.web.gate import MOST_EACH
from station.wire.wording import VOICES, load_wording
from tests.screens.web.fakes import LIMIT_S, Loop, get, post, served

BEGIN = {"do": "begin", "game": "dice-keno", "names": ["Zoë", "Bruno"]}


class SlowRoom(PracticeRoom):
    """Games whose lessons take until they are let go."""

    def __init__(self) -> None:
        super().__init__(Random(1))
        self.asked, self.go = threading.Semaphore(0), threading.Event()

    def lesson(self, game: str, step: int, lang: str) -> dict[str, Any]:
        self.asked.release()
        assert self.go.wait(LIMIT_S)
        return super().lesson(game, step, lang)


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


def hall(loop: Loop, folder: Path, **more: Any) -> Any:
    """The web of a station whose core is away."""
    app = make_app(
        folder / "nobody",
        None,
        voice=VOICES / "en",
        wording=load_wording("it"),
        token="made-up",  # noqa: S106 - it is
        **more,
    )
    return served(loop, app)


def send(url: str, body: Any, **headers: str) -> httpx.Response:
    """As the page sends it."""
    given = {"origin": url, "x-loto-play": "1", "accept-language": "en", **headers}
    return post(
        f"{url}/play/do", json=body, headers={key: one for key, one in given.items() if one}
    )


@pytest.fixture
def url(loop: Loop, tmp_path: Path) -> Iterator[str]:
    with hall(loop, tmp_path, open_games=lambda: PracticeRoom(Random(3), most=3, each=2)) as url:
        yield url


def test_a_game_is_played_while_the_core_is_away(url: str) -> None:
    """No token, no pairing, no core: from the first wish to the last."""
    assert get(f"{url}/api/board").status_code == 503
    shown = send(url, BEGIN).json()["answer"]
    assert shown["title"] == "Dice Keno"
    told = send(url, {"do": "go-on", "id": shown["id"], "at": 0}).json()["answer"]
    assert told["at"] == 1
    assert send(url, {"do": "look", "id": shown["id"]}).json()["answer"] == told
    assert send(url, {"do": "leave", "id": shown["id"]}).json() == {"ok": True}
    gone = send(url, {"do": "look", "id": shown["id"]})
    assert (gone.status_code, gone.json()["refused"]["reason"]) == (200, "no-game")


def test_a_page_is_answered_in_its_language_or_the_halls(url: str) -> None:
    """Lessons too."""
    lesson = f"{url}/learn/step.json?game=my-bird-sings&step=2"
    told = [
        get(lesson, headers=asks).json()["answer"]["rule"]
        for asks in ({}, in_language("de"), in_language("it"))
    ]
    assert told[0] == told[2] != told[1]
    titles = get(f"{url}/play/games.json", headers=in_language("de")).json()["answer"]["games"]
    assert {"name", "title", "least", "most", "usual"} == set(titles[0])


def in_language(code: str) -> dict[str, str]:
    """What a browser of this language sends."""
    return {"accept-language": code}


def test_only_the_page_itself_plays(url: str) -> None:
    """No page of another site, and no form."""
    for headers in ({"origin": "http://elsewhere"}, {"origin": ""}, {"x-loto-play": ""}):
        answer = send(url, BEGIN, **headers)
        assert answer.status_code == 403, headers
        assert answer.json()["refused"]["say"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"do": "end-night"},
        {**BEGIN, "names": "Zoë"},
        {**BEGIN, "names": ["x"] * 25},
        {**BEGIN, "names": ["x" * 201]},
        {**BEGIN, "game": "x" * 41},
        {**BEGIN, "as": "admin"},
        {"do": "look", "id": "x" * 65},
        {"do": "look", "id": 7},
        {"do": "go-on", "id": "x", "at": -1},
        {"do": "go-on", "id": "x", "at": "0"},
        {"do": "move", "id": "x", "at": 0, "move": []},
        {"do": "move", "id": "x", "at": 0, "move": {"do": 10**60}},
    ],
)
def test_what_is_no_wish_is_refused(url: str, body: Any) -> None:
    """Before anything is computed."""
    answer = send(url, body)
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (400, "unreadable")


def test_a_large_request_is_refused(url: str) -> None:
    """Eight kilobytes are more than any move."""
    move = {"do": "move", "id": "x", "at": 0, "move": {"do": "x" * 9000}}
    assert send(url, move).status_code == 413


def test_a_full_house_is_told_when_to_come_again(url: str) -> None:
    """One address has its few games."""
    for _ in range(2):
        assert "answer" in send(url, BEGIN).json()
    full = send(url, BEGIN, **in_language("de"))
    assert full.status_code == 503
    assert int(full.headers["retry-after"]) > 0
    assert "2 Spiele" in full.json()["refused"]["say"]


def test_a_lesson_that_is_not_there_is_not_found(url: str) -> None:
    """With a sentence; a step past the last one is the last."""
    missing = get(f"{url}/learn/step.json?game=keno")
    assert missing.status_code == 404
    assert missing.json()["refused"]["say"]
    last = get(f"{url}/learn/step.json?game=tontine&step=999").json()["answer"]
    assert last["step"] == last["of"]
    for step in ("0", "x", "1001"):
        assert get(f"{url}/learn/step.json?step={step}").status_code == 400


def test_a_station_without_games_says_so(loop: Loop, tmp_path: Path) -> None:
    """The pages are there, and have something to say."""
    with hall(loop, tmp_path) as url:
        for path in ("/learn", "/play"):
            assert get(f"{url}{path}").status_code == 200
        for answer in (
            get(f"{url}/learn/step.json"),
            get(f"{url}/play/games.json"),
            send(url, BEGIN),
        ):
            assert answer.status_code == 404
            assert answer.json()["refused"]["say"]


def test_slow_games_hold_up_nobody(loop: Loop, tmp_path: Path) -> None:
    """While one is computed, all else is served; of one address a few wait, the others are told at
    once to come again."""
    room = SlowRoom()
    many = MOST_EACH + 2
    with (
        hall(loop, tmp_path, open_games=lambda: room) as url,
        ThreadPoolExecutor(many) as waiting,
    ):
        asked = [waiting.submit(get, f"{url}/learn/step.json") for _ in range(many)]
        assert room.asked.acquire(timeout=LIMIT_S)
        assert get(f"{url}/healthz").status_code == 200
        assert get(f"{url}/rules.json").status_code == 200
        [busy], others = wait(asked, LIMIT_S, FIRST_COMPLETED)
        told = busy.result()
        assert (told.status_code, told.json()["refused"]["reason"]) == (503, "busy")
        assert "retry-after" in told.headers
        room.go.set()
        assert {one.result(LIMIT_S).status_code for one in others} == {200}
