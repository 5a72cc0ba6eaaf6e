"""The web over a real port: what it answers, what it refuses, and how it feeds browsers."""

from __future__ import annotations

import contextlib
import json
import math
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from station import __version__
from station.screens.web.app import make_app
from station.screens.web.guard import BODY_LIMIT
from station.wire.board_view import BoardView, ThemeView
from station.wire.looks.logo import Logo
from station.wire.wording import VOICES, load_wording
from station.wire.wording.refusals import load_refusals
from tests.screens.web import canned
from tests.screens.web.conftest import Hall
from tests.screens.web.fakes import (
    LIMIT_S,
    FakeCore,
    FakeHands,
    Loop,
    get,
    lines,
    post,
    read_to_its_end,
    served,
)

TOKEN = "s3cret"  # noqa: S105 - a made-up one


def line(hall: Hall, path: str = "/ws", **options: Any) -> ClientConnection:
    return connect(hall.url.replace("http", "ws") + path, **options)


def next_of(browser: ClientConnection, key: str) -> Any:
    """The value of the next line with this key."""
    return next(message[key] for message in lines(browser) if key in message)


def view_with(browser: ClientConnection, calls: int) -> dict[str, Any]:
    """The next view with so many calls."""
    return next(
        message["view"]
        for message in lines(browser)
        if "view" in message and len(message["view"]["called"]) == calls
    )


def hand(hall: Hall, request: Any, **headers: str | None) -> httpx.Response:
    """What the bench's page sends; a header of None is left out."""
    sent = {"origin": hall.url, "x-loto-bench": "1", "content-type": "application/json"} | headers
    content = json.dumps(request)  # as any program might: httpx itself writes no infinity
    return post(
        f"{hall.url}/bench/hand",
        content=content,
        headers={name: value for name, value in sent.items() if value is not None},
    )


def fed(hall: Hall) -> None:
    """Waits until the web has its picture of both sockets."""
    with line(hall) as board, line(hall, "/bench/ws", origin=hall.url) as bench:
        view_with(board, len(hall.core.view.called))
        next_of(bench, "bench")


# ---- what anybody may ask


def test_the_board_as_json_is_the_view_the_core_sent(hall: Hall) -> None:
    """`/api/board` is the newest view, whole, and reads back as the type that OpenAPI documents."""
    fed(hall)
    answer = get(f"{hall.url}/api/board")
    assert BoardView.model_validate(answer.json()) == hall.core.view
    schema = get(f"{hall.url}/openapi.json").json()
    described = schema["paths"]["/api/board"]["get"]["responses"]["200"]["content"][
        "application/json"
    ]["schema"]
    assert described == {"$ref": "#/components/schemas/BoardView"}


def test_health_says_whether_the_picture_is_fresh(hall: Hall) -> None:
    """`/healthz` has the view's seq, that it is fresh, and how many watch."""
    with line(hall) as browser:
        view_with(browser, len(canned.CALLED))
        until = time.monotonic() + LIMIT_S
        # Those of the test before may not be gone yet.
        while (health := get(f"{hall.url}/healthz").json())[
            "browsers"
        ] != 1 and time.monotonic() < until:
            pass
        assert health == {
            "version": __version__,
            "stale": False,
            "seq": hall.core.view.seq,
            "browsers": 1,
        }
    assert get(f"{hall.url}/openapi.json").json()["info"]["version"] == __version__


def test_every_clip_of_the_pack_is_served_and_nothing_else(hall: Hall) -> None:
    """Each name in the list is an Ogg file, byte for byte; a name that is not there, or a path, is
    not found."""
    names = get(f"{hall.url}/clips.json").json()
    assert {f"number.{number}" for number in range(1, 91)} <= set(names)
    clip = get(f"{hall.url}/clips/number.42.ogg")
    assert clip.headers["content-type"] == "audio/ogg"
    assert clip.content == (VOICES / "en" / "number.42.ogg").read_bytes()
    for wrong in ("number.91", "..%2F..%2Fen", "manifest"):
        assert get(f"{hall.url}/clips/{wrong}.ogg").status_code == 404


def test_the_halls_logo_is_served_as_it_was_read(hall: Hall, tmp_path: Path) -> None:
    """Whole, as a PNG; where the hall has none the style does not ask for it."""
    nothing = get(f"{hall.url}/logo.png")
    assert (nothing.status_code, "[hall] logo" in nothing.text) == (404, True)
    assert "/logo.png" not in get(f"{hall.url}/look.css").text
    logo = Logo(tmp_path / "hall.png", b"\x89PNG whatever", 40, 20)
    wording = load_wording()
    app = make_app(tmp_path / "nobody", None, voice=VOICES / "en", wording=wording, logo=logo)
    with served(hall.loop, app) as url:
        picture = get(f"{url}/logo.png")
        assert (picture.content, picture.headers["content-type"]) == (logo.png, "image/png")
        assert 'url("/logo.png")' in get(f"{url}/look.css").text


@pytest.mark.parametrize(
    ("accepted", "title", "say"),
    [
        ("de-AT", "Hier ist nichts", "Unter /nowhere ist nichts: die Anzeige ist unter /."),
        ("hi", "यहाँ कुछ नहीं है", "/nowhere पर कुछ नहीं है: स्क्रीन / पर है।"),
        ("ja", "Nothing is here", "There is nothing at /nowhere: the board is at /."),
    ],
)
def test_what_the_web_says_itself_is_in_the_browsers_language(
    hall: Hall, accepted: str, title: str, say: str
) -> None:
    """To a program as a sentence, to a person as a page, which needs no JavaScript for it."""
    asked = {"accept-language": accepted}
    answer = httpx.get(f"{hall.url}/nowhere", headers=asked)
    assert (answer.status_code, answer.json()["refused"]["say"]) == (404, say)
    page = httpx.get(f"{hall.url}/nowhere", headers={**asked, "accept": "text/html"})
    assert (page.status_code, f">{title}</h1>" in page.text) == (404, True)
    other = httpx.get(hall.url, headers={**asked, "host": "evil.test"})
    sentences = load_refusals(accepted[:2]) if accepted != "ja" else {}
    named = [text for text in sentences.values() if "192.168.1.7" in text]
    first, _, _ = (named or ["This station is not called {name}"])[0].partition("{")
    assert other.json()["refused"]["say"].startswith(first)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/bench",
        "/api/board",
        "/words.json",
        "/languages.json",
        "/font.ttf",
        "/devanagari.ttf",
        "/pages/board.js",
        "/nothing",
        "/bench/hand",
    ],
)
def test_every_answer_carries_the_security_headers(hall: Hall, path: str) -> None:
    """Also errors and files: nothing from outside, no guessing of types."""
    headers = get(hall.url + path).headers
    assert headers["content-security-policy"].startswith("default-src 'self';")
    assert headers["x-content-type-options"] == "nosniff"


def test_pictures_are_those_of_the_theme_that_is_played_with(hall: Hall, tmp_path: Path) -> None:
    """Of a theme that ships, and of a folder of one's own; of no other theme, no other number, and
    no other file."""

    def asked(path: str) -> tuple[int, str | None]:
        answer = get(f"{hall.url}/theme/{path}")
        return answer.status_code, answer.headers.get("content-type")

    (tmp_path / "07.png").write_bytes(b"own")
    words = tuple(str(number) for number in range(1, 91))
    picture, nothing = (200, "image/png"), (404, "text/plain; charset=utf-8")
    assert asked("picture/07.png") == nothing
    for folder, key in (("", "picture"), (str(tmp_path), "ours")):
        hall.show(
            canned.playing(theme=ThemeView(key=key, name="Picture", folder=folder, words=words))
        )
        with line(hall) as browser:
            themes = (message["view"]["theme"] for message in lines(browser) if "view" in message)
            assert next(theme for theme in themes if theme and theme["key"] == key)
        assert asked(f"{key}/07.png") == picture
    assert asked("ours/08.png") == nothing
    assert asked("picture/07.png") == nothing
    blank = (*words[:6], "", *words[7:])  # what nobody may see yet
    hall.show(canned.playing(theme=ThemeView(key="picture", name="Picture", words=blank)))
    with line(hall) as browser:
        themes = (message["view"]["theme"] for message in lines(browser) if "view" in message)
        assert next(theme for theme in themes if theme and theme["key"] == "picture")
    assert (asked("picture/07.png"), asked("picture/08.png")) == (nothing, picture)
    assert asked("ours/07.png") == nothing
    assert asked("ours/91.png")[0] == asked("ours/0.png")[0] == 400
    assert asked("..%2fours/07.png")[0] == 404


def test_the_pages_name_no_address_outside() -> None:
    """No page, script or style mentions another host (the SVG name space is a name, not an
    address)."""
    pages = Path(make_app.__code__.co_filename).parent / "pages"
    for file in pages.iterdir():
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file
        assert "https://" not in text, file


# ---- the live line


def test_two_boards_and_a_late_one_show_the_same(hall: Hall) -> None:
    """Each change reaches every browser; one that joins in mid-game gets the whole view at once."""
    with line(hall) as first, line(hall) as second:
        for calls in range(1, 4):
            hall.show(canned.playing(canned.CALLED[:calls]))
            assert view_with(first, calls) == view_with(second, calls)
        with line(hall) as late:
            assert next_of(late, "view")["called"] == list(canned.CALLED[:3])


def test_what_a_watcher_sends_never_reaches_the_core(hall: Hall) -> None:
    """A command on the board's line ends that line; the core has seen nothing."""
    with line(hall) as browser:
        view_with(browser, len(canned.CALLED))
        browser.send('{"id":"x","do":{"act":"draw"}}')
        with pytest.raises(ConnectionClosed):
            read_to_its_end(browser)
    assert hall.core.asked == []
    assert hall.hands.asked.empty()


def test_a_browser_that_does_not_read_is_cut_off_and_holds_nobody_up(tmp_path: Path) -> None:
    """Large views, one browser that reads none of them: the other gets the newest, and the silent
    one is gone."""
    loop = Loop()
    core = FakeCore(tmp_path / "s", canned.playing(()))
    loop.run(core.open())
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), unread_s=0.5)
    with served(loop, app) as url:
        hall = Hall(loop, core, FakeHands(tmp_path / "h", {}), url)
        host, port = url.removeprefix("http://").split(":")
        with socket.socket() as deaf, line(hall, max_size=None) as reads:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect((host, int(port)))
            key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            deaf.sendall(
                f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection:"
                f" Upgrade\r\n{key}\r\n".encode()
            )
            assert b" 101 " in deaf.recv(64)
            until = time.monotonic() + LIMIT_S
            views = 0
            while get(f"{url}/healthz").json()["browsers"] == 2 and time.monotonic() < until:
                views += 1
                hall.show(
                    canned.playing(canned.CALLED[: 1 + views % 2], hall=f"{views} " + "x" * 500_000)
                )
                next_of(reads, "view")
            assert get(f"{url}/healthz").json()["browsers"] == 1
            hall.show(canned.playing(canned.CALLED[:5]))
            assert view_with(reads, 5)["called"] == list(canned.CALLED[:5])
    loop.run(core.close())
    loop.close()


def test_without_a_station_the_pages_are_there_and_say_stale(tmp_path: Path) -> None:
    """No core: the page is served, its line says stale, the JSON is refused with a sentence."""
    loop = Loop()
    app = make_app(tmp_path / "nobody", tmp_path / "none", voice=tmp_path, wording=load_wording())
    with served(loop, app) as url:
        hall = Hall(
            loop, FakeCore(tmp_path / "s", canned.playing()), FakeHands(tmp_path / "h", {}), url
        )
        assert get(url).status_code == 200
        with line(hall) as browser:
            assert next_of(browser, "stale") is True
        answer = get(f"{url}/api/board")
        assert (answer.status_code, answer.json()["refused"]["reason"]) == (503, "stale")
        assert get(f"{url}/clips.json").json() == []
        answer = hand(hall, {"hand": "lift"})
        assert (answer.status_code, answer.json()["refused"]["reason"]) == (503, "away")
    loop.close()


def test_the_halls_own_clips_are_played(tmp_path: Path) -> None:
    """A recording of the hall's own is served instead of the pack's clip, as what it is; all others
    are the pack's."""
    loop = Loop()
    own = tmp_path / "number.42.wav"
    own.write_bytes(b"RIFF of our own")
    clips = {"number.42": own, "saying.42": own}
    app = make_app(
        tmp_path / "nobody", None, voice=VOICES / "en", wording=load_wording(), own_clips=clips
    )
    with served(loop, app) as url:
        for name in clips:
            answer = get(f"{url}/clips/{name}.ogg")
            assert (answer.content, answer.headers["content-type"]) == (
                b"RIFF of our own",
                "audio/wav",
            )
        assert (
            get(f"{url}/clips/number.41.ogg").content
            == (VOICES / "en" / "number.41.ogg").read_bytes()
        )
        assert "saying.42" in get(f"{url}/clips.json").json()
    loop.close()


# ---- the bench


@pytest.mark.parametrize(
    "request_",
    [
        {"hand": "press", "button": "draw"},
        {"hand": "press", "button": "draw", "ms": 80},
        {"hand": "drop", "knob": 90},
        {"hand": "two", "knobs": [1, 2]},
        {"hand": "unplug", "device": "reader"},
        {"hand": "fill-disk"},
        {"hand": "do", "do": {"act": "claim", "serial": "0001"}},
    ],
)
def test_a_hand_reaches_the_hands_as_it_is(hall: Hall, request_: dict[str, Any]) -> None:
    """The request arrives with nothing added or lost, and its answer comes back."""
    fed(hall)
    answer = hand(hall, request_)
    assert answer.json()["ok"] is True
    assert hall.asked() == request_


def test_a_refusal_of_the_hands_comes_back_with_its_sentence(hall: Hall) -> None:
    """What the station refuses, the page is told in the station's own words."""
    fed(hall)
    hall.hands.refusals["open"] = "A game is open: close it first."
    answer = hand(hall, {"hand": "do", "do": {"act": "open"}})
    assert answer.json() == {"refused": {"reason": "no", "say": "A game is open: close it first."}}


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"origin": None}, "not-the-bench"),
        ({"origin": "http://evil.test"}, "not-this-station"),
        ({"origin": "http://evil.test", "host": "evil.test"}, "not-this-station"),
        ({"x-loto-bench": None}, "not-the-bench"),
    ],
)
def test_only_the_benchs_page_is_obeyed(
    hall: Hall, headers: dict[str, str | None], reason: str
) -> None:
    """A foreign origin, a foreign name or a missing header: refused with a sentence, and no hand
    moves."""
    answer = hand(hall, {"hand": "press", "button": "draw"}, **headers)
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (403, reason)
    assert hall.hands.asked.empty()


@pytest.mark.parametrize(
    "request_",
    [
        {},
        [],
        "press",
        {"hand": "../x"},
        {"hand": "drop", "knob": 91},
        {"hand": "drop", "knob": "5"},
        {"hand": "press", "button": "draw", "ms": 5.0},
        {"hand": "two", "knobs": [1]},
        {"hand": "lift", "id": "h1"},
        {"hand": "do", "do": {"act": "sell", "paid": math.inf}},
    ],
)
def test_a_request_of_another_shape_is_refused(hall: Hall, request_: Any) -> None:
    """What is no hand's request is refused with a sentence that names the fault."""
    answer = hand(hall, request_)
    assert (answer.status_code, answer.json()["refused"]["reason"]) == (400, "unreadable")
    assert hall.hands.asked.empty()


def test_a_large_request_is_refused_before_it_is_read(hall: Hall) -> None:
    """More than the limit, by one byte too, or of a length not said beforehand: 413."""
    codes = [
        post(f"{hall.url}/bench/hand", content=b"{}".ljust(length)).status_code
        for length in (BODY_LIMIT, BODY_LIMIT + 1)
    ]
    assert codes == [400, 413]

    def pieces() -> Iterator[bytes]:
        yield b"{}"

    assert post(f"{hall.url}/bench/hand", content=pieces()).status_code == 413
    assert hall.hands.asked.empty()


def test_the_benchs_line_is_for_its_own_page(hall: Hall) -> None:
    """Its own origin gets the machine's look; a foreign one, or none, gets no line."""
    with line(hall, "/bench/ws", origin=hall.url) as bench:
        assert next_of(bench, "bench") == canned.bench()
    for origin in (None, "http://evil.test"):
        with pytest.raises(InvalidStatus):
            line(hall, "/bench/ws", origin=origin)


@contextlib.contextmanager
def another(tmp_path: Path, *, hands: bool, token: str | None = None) -> Iterator[str]:
    """A second web over nothing."""
    loop = Loop()
    app = make_app(
        tmp_path / "s",
        tmp_path / "h" if hands else None,
        voice=VOICES / "en",
        wording=load_wording(),
        token=token,
    )
    with served(loop, app) as url:
        yield url
    loop.close()


def test_a_real_station_has_no_bench(tmp_path: Path) -> None:
    """Without hands every address of the bench is not found, the page with a plain sentence."""
    with another(tmp_path, hands=False) as url:
        page = get(f"{url}/bench")
        assert (page.status_code, "devices of this station are real" in page.text) == (404, True)
        assert post(f"{url}/bench/hand", json={"hand": "lift"}).status_code == 404
        with pytest.raises(InvalidStatus):
            connect(url.replace("http", "ws") + "/bench/ws", origin=url)


def test_with_a_token_the_bench_opens_once_the_token_was_shown(tmp_path: Path) -> None:
    """The board is open to all; the bench is shut until its address with the token; then a cookie
    that scripts cannot read."""
    with another(tmp_path, hands=True, token=TOKEN) as url, httpx.Client(timeout=LIMIT_S) as phone:
        assert phone.get(url).status_code == 200
        assert phone.get(f"{url}/bench").status_code == 403
        headers = {"origin": url, "x-loto-bench": "1"}
        assert (
            phone.post(f"{url}/bench/hand", json={"hand": "lift"}, headers=headers).status_code
            == 403
        )
        opened = phone.get(f"{url}/bench?token={TOKEN}")
        assert opened.status_code == 200
        assert {"HttpOnly", "SameSite=strict"} <= set(opened.headers["set-cookie"].split("; "))
        assert phone.get(f"{url}/bench").status_code == 200
        assert (
            phone.post(f"{url}/bench/hand", json={"hand": "lift"}, headers=headers).status_code
            == 503
        )
