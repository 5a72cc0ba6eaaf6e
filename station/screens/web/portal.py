"""Answer telephones that look for the internet in the station's own Wi-Fi, where every name is the
station's address.

A telephone that joins a Wi-Fi asks its maker's address whether the internet is there, and leaves
the Wi-Fi for mobile data when no answer comes. These answers keep it. They are given only on a
connection to the Wi-Fi's own address, and only for the paths in this table. People who open any
other http address there are sent to the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from starlette import status
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

HTTP_PORT = 80
SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
FIREFOX = (
    '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
)
KINDLE = "<html><body><!-- 81ce4465-7167-4dcb-835b-dcc9e44c112a --></body></html>"
ONLINE = "NetworkManager is online\n"
# What each system asks for, and the answer that it expects: media type and body; None: 204.
PROBES: Mapping[str, tuple[str, str] | None] = MappingProxyType(
    {
        "/generate_204": None,  # Android, ChromeOS
        "/gen_204": None,
        "/hotspot-detect.html": ("text/html", SUCCESS),  # iOS, macOS
        "/library/test/success.html": ("text/html", SUCCESS),
        "/connecttest.txt": ("text/plain", "Microsoft Connect Test"),  # Windows
        "/ncsi.txt": ("text/plain", "Microsoft NCSI"),
        "/success.txt": ("text/plain", "success\n"),  # Firefox
        "/canonical.html": ("text/html", FIREFOX),
        "/kindle-wifi/wifistub.html": ("text/html", KINDLE),  # Kindle
        "/check_network_status.txt": ("text/plain", ONLINE),  # Linux: NetworkManager, GNOME
        "/nm": ("text/plain", ONLINE),
        "/nm-check.txt": ("text/plain", ONLINE),
        "/static/hotspot.txt": ("text/plain", "OK"),
    }
)
NOT_KEPT = {"cache-control": "no-store"}


class Portal:
    """What the station answers in its own Wi-Fi under names that are not its own.

    Args:
        address: the station's address in its own Wi-Fi; empty: it has none.
        port: the port of the board.
    """

    def __init__(self, address: str = "", port: int = 0) -> None:
        self._address, self._port = address, port

    def answer(self, scope: Scope, *, foreign: bool) -> Response | None:
        """Return the answer to a request that asks under another name than the station's; None if
        it is not one of the Wi-Fi's.

        Args:
            scope: of the request.
            foreign: whether the name asked for is not the station's own.
        """
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        local = scope.get("server") or ("", None)
        if not self._address or local[0] != self._address or scope["scheme"] != "http":
            return None
        connection = HTTPConnection(scope)
        path = scope["path"]
        if connection.headers.get("host", "").lower() == "captive.apple.com" and path == "/":
            path = "/hotspot-detect.html"
        if path in PROBES:
            return _found(PROBES[path])
        if foreign or local[1] == HTTP_PORT:
            board = f"http://{self._address}:{self._port}/"
            return RedirectResponse(board, status.HTTP_302_FOUND, headers=NOT_KEPT)
        return None


def _found(told: tuple[str, str] | None) -> Response:
    if told is None:
        return Response(status_code=status.HTTP_204_NO_CONTENT, headers=NOT_KEPT)
    kind, body = told
    return Response(body, media_type=kind, headers=NOT_KEPT)
