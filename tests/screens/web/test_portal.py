"""The station's own Wi-Fi: telephones that look for the internet stay, people who open any address
find the board, and nothing else is answered under another name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from station.screens.web.app import make_app
from station.screens.web.portal import PROBES, Portal
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.fakes import FakeCore, Loop, served

HERE = "127.0.0.1"  # the address of the Wi-Fi, in these tests
KEPT = [
    ("connectivitycheck.gstatic.com", "/generate_204", 204, ""),
    ("www.google.com", "/gen_204", 204, ""),
    ("clients3.google.com", "/generate_204", 204, ""),
    ("connect.rom.miui.com", "/generate_204", 204, ""),
    ("captive.apple.com", "/hotspot-detect.html", 200, "<BODY>Success</BODY>"),
    ("captive.apple.com", "/", 200, "<TITLE>Success</TITLE>"),
    ("www.apple.com", "/library/test/success.html", 200, "Success"),
    ("www.msftconnecttest.com", "/connecttest.txt", 200, "Microsoft Connect Test"),
    ("www.msftncsi.com", "/ncsi.txt", 200, "Microsoft NCSI"),
    ("detectportal.firefox.com", "/success.txt", 200, "success\n"),
    ("detectportal.firefox.com", "/success.txt?ipv4", 200, "success\n"),
    ("detectportal.firefox.com", "/canonical.html", 200, "support.mozilla.org/kb/captive-portal"),
    ("spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub.html", 200, "81ce4465-7167"),
    ("nmcheck.gnome.org", "/check_network_status.txt", 200, "NetworkManager is online"),
    ("network-test.debian.org", "/nm", 200, "NetworkManager is online"),
    ("fedoraproject.org", "/static/hotspot.txt", 200, "OK"),
    ("10.42.0.1", "/generate_204", 204, ""),
]
ELSEWHERE = [
    "/api/board", "/bench", "/ws", "/pages/board.js", "/generate_204/", "/generate_2044",
    "/GENERATE_204", "/x/generate_204", "/ncsi.txt.html", "/pair", "/words.json", "/",
    "/hotspot-detect.html/..", "/clips.json", "/check.html",
]  # fmt: skip


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    made = Loop()
    yield made
    made.close()


@pytest.fixture(scope="module", params=["in the Wi-Fi", "elsewhere", "without a Wi-Fi"])
def hall(
    request: pytest.FixtureRequest, loop: Loop, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """Where it is asked, and the station's address there."""
    core = FakeCore(tmp_path_factory.mktemp("hall") / "s", canned.playing())
    loop.run(core.open())
    addresses = {"in the Wi-Fi": HERE, "elsewhere": "10.42.0.1", "without a Wi-Fi": ""}
    portal = Portal(addresses[request.param], 8090)
    app = make_app(core.path, None, voice=VOICES / "en", wording=load_wording(), portal=portal)
    with served(loop, app) as url:
        yield request.param, url
    loop.run(core.close())


def ask(url: str, path: str, host: str, method: str = "GET") -> httpx.Response:
    return httpx.request(method, url + path, headers={"host": host}, timeout=60)


@pytest.mark.parametrize(("host", "path", "status", "body"), KEPT)
def test_a_telephone_that_looks_for_the_internet_stays(
    hall: tuple[str, str], host: str, path: str, status: int, body: str
) -> None:
    """Each maker's address has its answer in the Wi-Fi; elsewhere it has none."""
    where, url = hall
    answer = ask(url, path, host)
    if where == "in the Wi-Fi":
        assert answer.status_code == status
        assert body in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert ask(url, path, host, "HEAD").status_code == status
        assert ask(url, path, host, "POST").status_code in (403, 404, 405)
    else:
        assert answer.status_code in (403, 404)


@pytest.mark.parametrize("path", ELSEWHERE)
def test_another_name_has_the_board_and_nothing_else(hall: tuple[str, str], path: str) -> None:
    """In the Wi-Fi whoever opens any address is sent to the board's own; nothing is served under
    a foreign name, there or elsewhere."""
    where, url = hall
    answer = ask(url, path, "example.com")
    if where == "in the Wi-Fi":
        assert (answer.status_code, answer.headers.get("location")) == (302, f"http://{HERE}:8090/")
        assert answer.content == b""
    else:
        assert answer.status_code == 403
        assert "not-this-station" in answer.text
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert ask(url, path, "example.com", method).status_code == 403


def test_the_stations_own_name_has_its_pages(hall: tuple[str, str]) -> None:
    """The board is at the station's address, everywhere."""
    _, url = hall
    assert httpx.get(f"{url}/api/board").status_code == 200
    assert httpx.get(url).status_code == 200


def test_a_foreign_page_is_refused_in_the_wifi_too(hall: tuple[str, str]) -> None:
    """A page of another site that asks the station in its visitor's browser gets nothing of it."""
    _, url = hall
    answer = httpx.get(f"{url}/api/board", headers={"origin": "http://example.com"})
    assert "called" not in answer.text
    assert answer.status_code in (302, 403)


def test_port_80_has_no_pages() -> None:
    """There every address is sent on, the station's own, too; TLS is left alone."""
    portal = Portal("10.42.0.1", 8090)

    def asked(path: str, port: int, scheme: str = "http", method: str = "GET") -> object:
        scope = {
            "type": "http", "method": method, "path": path, "scheme": scheme,
            "server": ("10.42.0.1", port), "headers": [(b"host", b"10.42.0.1")],
        }  # fmt: skip
        answer = portal.answer(scope, foreign=False)
        return None if answer is None else (answer.status_code, answer.headers.get("location"))

    for path in ("/", "/bench", "/api/board", "/index.html"):
        assert asked(path, 80) == (302, "http://10.42.0.1:8090/")
        assert asked(path, 8090) is None
        assert asked(path, 8443, "https") is None
        assert asked(path, 80, method="POST") is None
    for path in PROBES:
        assert asked(path, 80) is not None
        assert asked(path, 8443, "https") is None


def test_sockets_are_taken_only_by_the_process_they_are_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without systemd, and in a process that inherited its variables, there are none."""
    from station.screens.web.server import given_sockets

    assert given_sockets() == []
    monkeypatch.setenv("LISTEN_PID", "1")
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert given_sockets() == []
